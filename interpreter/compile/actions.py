"""Actions as Python: whether they are possible, whether an answer to one of their choices leads on, what has to be paid, and options in words.

For each action that may be offered there is a function `a<number>(m, actor, s, M)`: whether the actor can take it, of the component `s` if it is one's. What
comes up in several of them and speaks of the actor only is a question `q<number>(m, actor)`, asked once for all actions of an offer: `M` has the
answers, None where a question has not been asked yet. Further functions are, with the local names in `V`: `j<number>(m, V, w)`, whether an action can
be carried out to the end after the answer `w`; `u<number>(m, V)`, which asks for that answer; `b<number>(m, V)`, its bills; `o<number>(m, V, who)`, the
options in words of a choice or offer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from interpreter.compile.costing import ACTOR, Costs
from interpreter.compile.expressions import Expressions
from interpreter.compile.facts import SEVERAL, Facts
from interpreter.compile.offering import fixed_words
from interpreter.compile.writing import ANY, BOOL, INT, LIST, LOOKED, ONE, Code, Module, Scope, Writer
from interpreter.run.world import spoken_of

Action = dict[str, Any]
Expr = dict[str, Any]
Node = dict[str, Any]


class Written(NamedTuple):
    """Which functions there are: by action whether it is possible and what is to be paid, by choice what leads on, by node the options in words."""

    possible: dict[str, int]
    leading: dict[str, int]  # by the choice's node
    planned: dict[str, int]  # likewise
    bills: dict[str, int]
    words: dict[str, int]
    questions: int  # how many answers `M` has room for


def write_actions(module: Module, facts: Facts) -> Written:
    """All functions about actions."""
    return Actions(module, facts).write()


class Actions:
    """Writes the functions about actions."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self.module, self.facts, self.graph = module, facts, module.graph
        self.costs = Costs(module, facts)
        self.slots: dict[str, int] = {}  # by the text of a question, where its answer is
        self.questions: dict[str, int] = {}  # by the question itself, the number of its function
        reactions = {hook["action"] for hook in self.graph["hooks"].values() if hook["timing"] == "react"}
        self.offered = {path: action for path, action in self.graph["actions"].items() if path not in reactions}
        self.kinds: dict[str, set[str]] = {}  # by the question, what sorts of actors it is asked about
        self.often = Counter(key for path, action in self.offered.items() for key in self._questions(action))

    def write(self) -> Written:
        possible = {path: number for number, path in enumerate(self.offered)}
        for path, number in possible.items():
            _Possible(self, f"def a{number}(m, actor, s, M):", path, shared=True).write()
        leading: dict[str, int] = {}
        planned: dict[str, int] = {}
        for path, action in self.graph["actions"].items():
            for done, choice in enumerate(action["choices"]):
                if self.graph["nodes"][choice]["form"] not in SEVERAL:
                    leading[choice] = len(leading)
                    _Possible(self, f"def j{leading[choice]}(m, V, w):", path, shared=False).write_after(done)
                if _asks_for_one(self.graph["nodes"][choice]):
                    planned[choice] = len(planned)
                    self._asks(f"def u{planned[choice]}(m, V):", path, done, f"j{leading[choice]}")
        bills = {path: number for number, path in enumerate(self.offered)}
        for path, number in bills.items():
            self._bills(number, path)
        nodes = [identity for identity, node in self.graph["nodes"].items() if node["op"] in ("choose", "offer") and node["options"]]
        words = {identity: number for number, identity in enumerate(nodes)}
        for identity, number in words.items():
            self._words(number, identity, self.graph["nodes"][identity])
        return Written(possible, leading, planned, bills, words, len(self.slots))

    # -- questions that are asked once

    def _questions(self, action: Action) -> Iterator[str]:
        """What of an action speaks of the actor only."""
        asked = [(requirement.get("after", 0), part) for requirement in action["requires"] for part, _ in conditions(requirement["test"])]
        for done, choice in enumerate(action["choices"]):
            node = self.graph["nodes"][choice]
            if node["form"] not in (*SEVERAL, "number") and not node["optional"] and not spoken_of(self.graph, action, done):
                asked.append((done, any_of(node["from"])))
        for done, part in asked:
            if self.of_actor(action, done, part):
                self.kinds.setdefault(mark(part), set()).add(action["by"])
                yield from [mark(part)] * (1 if action["of"] is None else 2)

    def of_actor(self, action: Action, done: int, part: Expr) -> bool:
        """Whether an expression speaks of nothing that an action has of its own after so many choices, but of the actor."""
        own = ["self", *(self.graph["nodes"][choice]["name"] for choice in action["choices"][:done])]
        return not _speaks_of(part, own)

    def question(self, part: Expr) -> str | None:
        """The call of a question that comes up more than once, written when it comes up first; None if it is none."""
        key = mark(part)
        if self.often[key] < 2:
            return None
        if key not in self.questions:
            number = self.questions[key] = len(self.questions)
            writer = Writer(self.module, f"def q{number}(m, actor):")
            kind = next(iter(self.kinds[key])) if len(self.kinds[key]) == 1 else None
            actor = ACTOR._replace(kind=self.facts.kind_of(kind))
            answer = _truth(Expressions(self.module, self.facts, writer), part, Scope({"actor": actor}, dynamic=False))
            writer.line(f"return {answer.text if answer.shape == BOOL else f'bool({answer.text})'}")
            self.module.add(writer)
        return f"q{self.questions[key]}(m, actor)"

    # -- choices

    def _asks(self, head: str, path: str, done: int, leads: str) -> None:
        """The function that asks for one component in an action."""
        action = self.graph["actions"][path]
        node, who = self.graph["nodes"][action["choices"][done]], self.graph["nodes"][action["choices"][done]]["who"]
        writer, scope = Writer(self.module, head), Scope({}, dynamic=True, shapes=self.facts.names)
        expressions = Expressions(self.module, self.facts, writer)
        chooser = expressions.kept(who["of"] if who["op"] == "decider" else who, scope)
        found = expressions.value(node["from"], scope)
        things = found.text if found.shape == LIST else f"many({found.text})"
        words = f"Choose {node['name'].replace('_', ' ')} ({action['label']})" if node["prompt"] is None else ""
        spoken = spoken_of(self.graph, action, done)
        constants = [self.module.constant(each).text for each in (node["name"], node["optional"], words, [path, done], spoken)]
        identity = self.module.constant(action["choices"][done]).text
        writer.line(f"return ask_planned(m, {identity}, {chooser.text}, {things}, V, {', '.join(constants)}, {leads})")
        self.module.add(writer)

    # -- bills

    def _bills(self, number: int, path: str) -> None:
        action = self.graph["actions"][path]
        writer = Writer(self.module, f"def b{number}(m, V):")
        expressions = Expressions(self.module, self.facts, writer)
        dearer = self.costs.dearer(action, path, lambda text: Code(text, BOOL))
        if action["costs"] or dearer is not None:
            writer.line("actor = V[ACTOR]")
        if dearer is not None:
            writer.line(f"if {dearer}: return bills(m, costs_of(m, {self.module.lookup('action', path)}, V), actor, V)")
        scope = Scope({"actor": ACTOR}, dynamic=True, shapes=self.facts.names)
        writer.line(f"return {self.costs.bills(action['costs'], ACTOR, scope, expressions)}")
        self.module.add(writer)

    # -- options in words

    def _words(self, number: int, identity: str, node: Node) -> None:
        writer = Writer(self.module, f"def o{number}(m, V, who):")
        expressions = Expressions(self.module, self.facts, writer)
        scope = Scope({}, dynamic=True, shapes=self.facts.names)
        offered = node["op"] == "offer"
        writer.line("found = []")
        for position, option in enumerate(node["options"]):
            guarded = option["when"] is not None or option["costs"]
            if guarded:
                writer.line("for _ in ONCE:")
                writer.depth += 1
                if option["when"] is not None:
                    writer.line(f"if not {expressions.test(option['when'], scope).text}: continue")
                table = ("option_costs", identity, position)
                self.costs.payable(option["costs"], table, Code("who", ONE, True), scope, expressions, "continue", lambda text: Code(text, BOOL))
            value = f"(OPTION, {position})" if offered else str(position)
            label = fixed_words(option["label"])
            if label is not None:
                writer.line(f"found.append({self.module.lookup('word', label, ['option', position] if offered else position)})")
            else:
                writer.line(f"found.append(worded({expressions.value(option['label'], scope).text}, {value}))")
            if guarded:
                writer.depth -= 1
        writer.line("return found")
        self.module.add(writer)


class _Possible:
    """Writes one function that follows an action to its end."""

    def __init__(self, actions: Actions, head: str, path: str, *, shared: bool) -> None:
        self.actions, self.path, self.shared = actions, path, shared
        self.module, self.facts, self.graph = actions.module, actions.facts, actions.graph
        self.action = self.graph["actions"][path]
        self.writer = Writer(self.module, head)
        self.expressions = Expressions(self.module, self.facts, self.writer)

    def write(self) -> None:
        """The action as it is offered."""
        writer = self.writer
        by, of = self.action["by"], self.action["of"]
        names = {"actor": ACTOR._replace(kind=self.facts.kind_of(by))}
        if of is not None:
            names["self"] = Code("s", ONE, True, sure=True, kind=self.facts.kind_of(of))
        if self.action["once_per"] is not None:
            writer.column("S")
            writer.line(f"if S.once and once_key({self.module.constant(self.path).text}, s, actor) in S.once: return False")
        scope = Scope(names, dynamic=False)
        for call in self.actions.costs.plainly(self.action, self.path, scope, self.expressions):  # that is soon known
            writer.line(f"if not {self._once(call).text}: return False")
        self._onwards(0, scope, "return False")
        self._finish()

    def write_after(self, done: int) -> None:
        """The action after one of its choices."""
        node = self.graph["nodes"][self.action["choices"][done]]
        self.writer.line("actor = V[ACTOR]")
        names = {"actor": ACTOR, node["name"]: Code("w", ANY, True)}
        if self.facts.names.get(node["name"]) == ONE:
            names[node["name"]] = Code("w", ONE, True)
        self._onwards(done + 1, Scope(names, dynamic=True, shapes=self.facts.names), "return False")
        self._finish()

    def _finish(self) -> None:
        if self.writer.lines[-1] != "    return True":
            self.writer.line("return False")
        self.module.add(self.writer)

    def _onwards(self, done: int, scope: Scope, fail: str) -> None:
        """After so many choices: what must hold then, the next choice and what follows; `fail` stands where it does not go on."""
        for requirement in self.action["requires"]:
            if requirement.get("after", 0) == done:
                for part, wanted in conditions(requirement["test"]):
                    self._demand(part, wanted, done, scope, fail)
        if done == len(self.action["choices"]):
            self._payable(scope, fail)
            self.writer.line("return True")
            return
        identity = self.action["choices"][done]
        node = self.graph["nodes"][identity]
        if not spoken_of(self.graph, self.action, done):
            self._some_answer(node, done, scope, fail)
            self._onwards(done + 1, scope, fail)
            return
        writer = self.writer
        writer.counting = True

        def answered(each: Code, _: Scope) -> None:
            writer.line("n += 1")
            writer.line(f"if n > {LOOKED}: n = looked(m, n)")
            self._onwards(done + 1, scope.with_names({node["name"]: each}), "continue")

        if node["form"] in SEVERAL:
            ways = (
                f"completions(m, {self.module.lookup('action', self.path)}, {self.module.lookup('node', identity)}, {scope.as_dict(self.module)}, [])"
            )
            self._loop(ways, ANY, answered, scope)
        elif node["form"] == "number":
            low, high = self._bounds(node, scope)
            answers = f"range({low}, min({high}, {low} + m.budget.options) + 1)"
            self._loop(f"(*{answers}, None)" if node["optional"] else answers, ONE if node["optional"] else INT, answered, scope)
        elif node["optional"]:
            found = self.expressions.value(node["from"], scope)
            self._loop(f"(*{found.text if found.shape == LIST else f'many({found.text})'}, None)", ONE, answered, scope)
        else:
            self.expressions.over(node["from"], scope, answered)

    def _loop(self, source: str, shape: str, act: Any, scope: Scope) -> None:
        name = self.writer.name()
        self.writer.line(f"for {name} in {source}:")
        with self.writer.inside():
            act(Code(name, shape, True), scope)

    def _bounds(self, node: Node, scope: Scope) -> tuple[str, str]:
        low, high = (self.writer.kept(Code(f"({self.expressions.value(node[name], scope).text} or 0)")).text for name in ("low", "high"))
        return low, high

    def _some_answer(self, node: Node, done: int, scope: Scope, fail: str) -> None:
        """That there is any answer to a choice, where it does not matter which."""
        if node["form"] in SEVERAL or node["optional"]:
            return
        if node["form"] == "number":
            low, high = self._bounds(node, scope)
            self.writer.line(f"if {low} > {high}: {fail}")
        else:
            self._demand(any_of(node["from"]), True, done, scope, fail)

    def _demand(self, part: Expr, wanted: bool, done: int, scope: Scope, fail: str) -> None:
        """That a condition holds, or that it does not."""
        plain = self.path in self.actions.offered  # a reaction has further names, from what it reacts to
        call = self.actions.question(part) if plain and self.actions.of_actor(self.action, done, part) else None
        test = self._once(call) if call is not None else _truth(self.expressions, part, scope)
        self.writer.line(f"if {'not ' if wanted else ''}{test.text}: {fail}")

    def _once(self, call: str) -> Code:
        """The answer to a question, from those of the offer if it has been asked there."""
        if not self.shared:
            return Code(call, BOOL)
        slot, name = self.actions.slots.setdefault(call, len(self.actions.slots)), self.writer.name()
        self.writer.line(f"{name} = M[{slot}]")
        self.writer.line(f"if {name} is None: {name} = M[{slot}] = {call}")
        return Code(name, BOOL, True)

    def _payable(self, scope: Scope, fail: str) -> None:
        costs = self.actions.costs
        dearer = costs.dearer(self.action, self.path, self._once)
        if dearer is None:
            costs.payable(self.action["costs"], ("costs", self.path), ACTOR, scope, self.expressions, fail, self._once)
            return
        self.writer.line(f"if {dearer}:")
        with self.writer.inside():
            names = self.writer.kept(Code(scope.as_dict(self.module))).text
            self.writer.line(f"if not payable(m, costs_of(m, {self.module.lookup('action', self.path)}, {names}), actor, {names}): {fail}")
        self.writer.line("else:")
        with self.writer.inside():
            self.writer.line("pass")
            costs.payable(self.action["costs"], ("costs", self.path), ACTOR, scope, self.expressions, fail, self._once)


def conditions(test: Expr, wanted: bool = True) -> Iterator[tuple[Expr, bool]]:
    """Conditions that must all hold, one by one, each with whether it is to hold or not to."""
    if test["op"] == "not":
        yield from conditions(test["part"], not wanted)
    elif test["op"] == ("and" if wanted else "or"):
        for part in test["parts"]:
            yield from conditions(part, wanted)
    else:
        yield test, wanted


def _asks_for_one(node: Node) -> bool:
    """Whether a choice asks somebody for one component."""
    plain = node["form"] == "one" and node["as"] == "kind" and node["each"] is None and node["name"] is not None
    return plain and node["who"] is not None and node["who"]["op"] in ("var", "decider")


def any_of(found: Expr) -> Expr:
    """The question whether there is anything to choose among."""
    return {"op": "#any", "of": found}


def mark(part: Expr) -> str:
    """What two expressions that mean the same have in common."""
    return json.dumps(_bare(part), sort_keys=True)


def _bare(part: Any) -> Any:
    """An expression without where it stands."""
    if isinstance(part, dict):
        return {name: _bare(each) for name, each in part.items() if name not in ("span", "spans")}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def _speaks_of(part: Any, names: list[str]) -> bool:
    """Whether an expression, or anything in it, uses or binds one of some names."""
    if isinstance(part, dict):
        if part.get("op") == "var":
            return part["name"] in names
        bound = [part.get("binder"), part.get("name") if part.get("op") == "let" else None, *part.get("aliases", ())]
        return any(name in names for name in bound) or any(_speaks_of(each, names) for each in part.values())
    return isinstance(part, list) and any(_speaks_of(each, names) for each in part)


def _truth(expressions: Expressions, part: Expr, scope: Scope) -> Code:
    """A condition, or whether there is anything to choose among."""
    if part["op"] != "#any":
        return expressions.test(part, scope)
    if part["of"]["op"] in ("query", "of_kind", "members"):
        return expressions.test({"op": "exists", "query": part["of"]}, scope)
    found = expressions.value(part["of"], scope)
    return Code(f"({found.text} is not None)", BOOL) if found.shape == ONE else Code(f"bool(many({found.text}))", BOOL)


__all__ = ["Written", "write_actions"]
