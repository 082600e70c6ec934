"""Lowering: an effect graph to a program of the core. Here every protocol ends.

| module | what it writes out |
|---|---|
| `expressions`, `values` | expressions, with their shapes; values with the hooks that change them, as functions |
| `statements` | bodies: names, moves, draws, loops, batches |
| `events`, `hooks` | calls: instead, before, requirements, the thing itself, after; what hooks are given |
| `actions`, `costs`, `choices` | offers and "open from here", payments, every form of choice |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright import collection
from rulewright.core import program as c
from rulewright.core.flow import prune
from rulewright.core.lower.actions import Actions
from rulewright.core.lower.builder import Scope, UnitWriter, Writer, shape_of_type, sort_of_type
from rulewright.core.lower.choices import Choices
from rulewright.core.lower.costs import Costs
from rulewright.core.lower.events import Events
from rulewright.core.lower.expressions import NONE, Expressions
from rulewright.core.lower.hooks import Hooks
from rulewright.core.lower.statements import Statements
from rulewright.core.lower.values import Values
from rulewright.core.passes.locate import locate

Graph = dict[str, Any]
PHASES = ("setup", "play", "ending")
EVERYONE = {"op": "const", "value": "everyone"}
BUILT_IN = ("place", "owner", "holder", "seat", "copy", "row", "column", "ends", "label", "sort")


@collection.put_off()
def lower(graph: Graph) -> c.Program:
    """The program of an effect graph."""
    return Lowering(graph).program()


class Trace:
    """What became of what the author wrote, for whoever wants to know what a game gets to, or what an edit changes: where in a block each node begins and in which
    units; the expressions of the graph that one of the core was made for, by its identity; and in which units and functions an expression of the graph was lowered."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, c.Label, int]] = []
        self.units: dict[str, set[str]] = {}
        self.expressions: dict[int, tuple[c.Expression, list[Graph]]] = {}
        self.users: dict[int, set[str]] = {}
        self.read: set[str] = set()  # functions whose meaning others rely on: what is edited in them changes those

    def moved(self, node: c.Expression, made: c.Expression) -> None:
        """An expression has become another one."""
        if id(node) in self.expressions:
            self.expressions[id(made)] = (made, self.expressions[id(node)][1])


class Lowering:
    """What is being made, and who makes which part of it."""

    def __init__(self, graph: Graph, trace: Trace | None = None) -> None:
        self.graph = graph
        self.trace = trace
        self.words: dict[str, int] = {}
        self.units: dict[str, c.Unit] = {}
        self.blocks: list[c.Block] = []
        self.functions: dict[str, c.Function] = {}
        self.questions: list[c.Question] = []
        self.answered = {node["name"] for node in graph["nodes"].values() if node["op"] == "choose" and node["each"] is not None}  # by several
        self.deeds = {path: number for number, path in enumerate(graph["actions"])}
        self.secretive = any(place["seen_by"] not in (None, EVERYONE) for place in graph["places"].values()) or any(
            kind["hidden_while"] is not None for kind in graph["kinds"].values()
        )  # whether anybody can be unable to tell what something is
        self.batches = any(node["op"] == "batch" for node in graph["nodes"].values())
        self.todo: list[Callable[[], object]] = []  # what is still to be written: no unit is written inside another
        self._shapes: dict[str, c.Shape] = {}
        for kind in graph["kinds"].values():
            for name, field in kind["fields"].items():
                found = shape_of_type(field["type"])
                self._shapes[name] = found if self._shapes.get(name, "one") == "one" else self._shapes[name]
        self.expressions = Expressions(self)
        self.hooks = Hooks(self)
        self.values = Values(self)
        self.events = Events(self)
        self.choices = Choices(self)
        self.costs = Costs(self)
        self.actions = Actions(self)
        self.statements = Statements(self)

    def program(self) -> c.Program:
        """Everything, whether the game comes to it or not: scenarios call what they like."""
        root = self.root()
        for path, effect in self.graph["effects"].items():
            self.events.unit(path)
            for noun in (None, *effect["methods"]):
                self.effect_unit(path, noun)
        for path in self.graph["values"]:
            self.values.function(path)
        for path in self.graph["actions"]:
            self.actions.unit(path)
        visible = self.sight()
        self.finish()
        once: dict[str, list[str]] = {}
        for prefix, table in (("", "hooks"), ("action ", "actions")):
            for identity, unit in self.graph[table].items():
                if unit["once_per"] is not None:
                    once.setdefault(unit["once_per"], []).append(f"{prefix}{identity}")
        made = c.Program(list(self.words), self.units, self.blocks, self.functions, self.questions, self.hooks.made, once, visible, self.beginnings())
        made.phases, made.over = root
        made.ending = made.phases[-1]
        for hook in made.hooks.values():
            if hook.timing == "cost":
                hook.timing = f"cost {self.graph['hooks'][next(key for key, each in made.hooks.items() if each is hook)]['cost']['cost']}"
        self.traced(prune(made))
        located, read = locate(made, self.graph, self.field_shape, None if self.trace is None else self.trace.moved)
        if self.trace is not None:
            self.trace.read = read
        return located

    def traced(self, numbers: dict[c.Label, c.Label], since: c.Label = 0) -> None:
        """Blocks have got other numbers, from one on."""
        if self.trace is not None:
            placed = ((node, label if label < since else numbers.get(label), at) for node, label, at in self.trace.nodes)
            self.trace.nodes = [(node, label, at) for node, label, at in placed if label is not None]

    def finish(self) -> None:
        """Write what is still to be written."""
        while self.todo:
            self.todo.pop()()

    def root(self) -> tuple[tuple[c.Label, ...], c.Label]:
        """The phases of a game, one after another; gives where each begins and where everything is over."""
        writer = UnitWriter("the game", "the game", self.blocks)
        begins = []
        for phase in PHASES:
            label = writer.label()
            writer.jump(label)
            writer.at(label)
            begins.append(label)
            if phase in self.graph["effects"]:
                self.events.perform(phase, (), NONE, writer, None)
        over = writer.open  # where the ending comes back to: while it goes on, an end of the game is the end of it
        assert over is not None
        writer.end(c.Finish())
        self.units["the game"] = writer.unit()
        return tuple(begins), over

    def mark(self, node: str, writer: UnitWriter) -> None:
        """A node begins where the unit has been written up to now."""
        if self.trace is not None and writer.open is not None:
            self.trace.nodes.append((node, writer.open, len(self.blocks[writer.open].code)))
            self.trace.units.setdefault(node, set()).add(writer.name)

    def write(self, writer: UnitWriter, body: Callable[[], object]) -> None:
        """Have a unit written when its turn comes; it is known from now on."""
        self.units[writer.name] = writer.unit()

        def work() -> None:
            body()
            self.units[writer.name] = writer.unit()

        self.todo.append(work)

    # -- words

    def word(self, word: str) -> c.Word:
        """A word of the rules, known to the program."""
        self.words.setdefault(word, len(self.words))
        return c.Word(word)

    def deed(self, path: str) -> c.Word:
        """An action as a value."""
        return self.word(path)

    def question(self, question: c.Question) -> int:
        """A question, by its number."""
        self.questions.append(question)
        return len(self.questions) - 1

    # -- what things are

    def field_shape(self, name: str) -> c.Shape:
        """Whether a field holds one value or several."""
        return "list" if name == "ends" else self._shapes.get(name, "one")

    def function_shape(self, name: str) -> c.Shape:
        """What a function gives."""
        return self.functions[name].shape

    def kinds_of(self, noun: str) -> list[str]:
        """The kinds that components of a noun can be."""
        if noun in self.graph["components"]:
            return [self.graph["components"][noun]["kind"]]
        return [kind for kind in self.graph["kinds"] if noun in self.ancestors(kind)]

    def ancestors(self, kind: str | None) -> list[str]:
        found = []
        while kind is not None:
            found.append(kind)
            kind = self.graph["kinds"][kind]["parent"]
        return found

    def parameters_of(self, event: str) -> list[dict[str, Any]]:
        """The parameters of an event: of an effect, a value, or an action."""
        for table in ("effects", "values"):
            if event in self.graph[table]:
                found: list[dict[str, Any]] = self.graph[table][event]["parameters"]
                return found
        names = ("actor", "deed") if event == "action" else ("actor",)
        return [{"name": name, "type": {"how": "any"}} for name in names]

    def gives(self, event: str) -> dict[str, Any] | None:
        """What an event gives, if it is an effect or value that does."""
        for table in ("effects", "values"):
            if event in self.graph[table]:
                found: dict[str, Any] | None = self.graph[table][event]["gives"]
                return found
        return {"how": "number"}

    def member(self, of: c.Expression, name: str, scope: Scope) -> c.Expression:
        """A field of something, or a place or value of its kind, for things whose kind the rules do not say."""
        declared = any(name in kind["fields"] for kind in self.graph["kinds"].values()) or name in BUILT_IN or name in ("space", "colour")
        cases: dict[str, c.Expression] = {}
        for noun in () if declared and not self._ambiguous(name) else self.graph["kinds"]:
            path = f"{noun}.{name}"
            if path in self.graph["places"]:
                cases[noun] = c.PlaceOf(of, path)
            elif path in self.graph["values"] and not self.graph["values"][path]["parameters"]:
                cases[noun] = c.Apply(self.values.function(path), (of,))
        return c.ByKind(of, cases, c.Field(of, name) if declared else NONE) if cases else c.Field(of, name)

    def _ambiguous(self, name: str) -> bool:
        """Whether some kinds have a field of a name, and others a place or value."""
        return any(f"{noun}.{name}" in self.graph[table] for noun in self.graph["kinds"] for table in ("places", "values"))

    def veiled(self, found: c.Expression, player: c.Expression | None) -> c.Expression:
        """Things in an order that tells a player nothing about those that are hidden."""
        return c.Veiled(found, player) if self.secretive and player is not None else found

    # -- units

    def effect_unit(self, path: str, noun: str | None = None) -> str | None:
        """The unit of an effect's body, or of the one that a component or kind has of its own; None if there is nothing in it."""
        effect = self.graph["effects"][path]
        entry = effect["entry"] if noun is None else effect["methods"][noun]
        name = path if noun is None else f"{path} of {noun}"
        if entry is None:
            return None
        if name not in self.units:
            writer = UnitWriter(name, path, self.blocks, effect.get("what") in ("phase", "step"))
            writer.gives = shape_of_type(effect["gives"])
            if effect["of"] is not None:
                writer.parameter("self", "one", "kind")
            for parameter in effect["parameters"]:
                writer.parameter(parameter["name"], shape_of_type(parameter["type"]), sort_of_type(parameter["type"]))
            self.write(writer, lambda: self.statements.whole(entry, writer))
        return name

    def cost_unit(self, cost: str) -> str | None:
        """The unit that pays one cost."""
        declared, name = self.graph["costs"][cost], f"cost {cost}"
        if declared["entry"] is None:
            return None
        if name not in self.units:
            writer = UnitWriter(name, name, self.blocks)
            for parameter in declared["parameters"]:
                writer.parameter(parameter["name"], shape_of_type(parameter["type"]), sort_of_type(parameter["type"]))
            self.write(writer, lambda: self.statements.whole(declared["entry"], writer))
        return name

    def beginnings(self) -> dict[str, c.Expression]:
        """Where components are before the set-up."""
        scope = Scope(Writer("beginning"))
        declared = {name: component["place"] for name, component in self.graph["components"].items()}
        return {name: self.expressions(place, scope) for name, place in declared.items() if place is not None}

    # -- who sees what

    def sight(self) -> c.Sight:
        """Who sees into places, when components are hidden, who reads fields, and who decides for components: by functions where that depends on the game."""
        places, hidden, fields, deciders = {}, {}, {}, {}
        for name, place in self.graph["places"].items():
            if place["seen_by"] is not None and place["seen_by"]["op"] != "const":
                places[name] = self.function(f"seen into {name}", place["seen_by"], ("self", "owner"), "list")
        for name, kind in self.graph["kinds"].items():
            if kind["hidden_while"] is not None:
                hidden[name] = self.function(f"hidden {name}", kind["hidden_while"], ("self",), "one")
            if kind["decided_by"] is not None:
                deciders[name] = self.function(f"decider of {name}", kind["decided_by"], ("self",), "one")
            for field, declared in kind["fields"].items():
                if declared["seen_by"] is not None and declared["seen_by"]["op"] != "const":
                    fields[f"{name}.{field}"] = self.function(f"readers of {name}.{field}", declared["seen_by"], ("self", "owner"), "list")
        return c.Sight(places, hidden, fields, deciders)

    def function(self, name: str, expression: Any, names: tuple[str, ...], wanted: c.Shape) -> str:
        """A function of an expression, in which some names stand for components."""
        writer = Writer(name)
        for each in names:
            writer.parameter(each, "one", "kind")
        body = self.expressions(expression, Scope(writer))
        body = self.expressions.many(body, Scope(writer)) if wanted == "list" else self.expressions.truth(body, Scope(writer))
        self.functions[name] = c.Function(name, writer.locals, writer.parameters, wanted, body)
        return name
