"""Bodies as Python: a chain of nodes becomes a function `c<number>(m, V, at)` that carries them out one after another.

`V` has the local names of the unit; `at` says where to begin, since a body that was left at a decision goes on in the middle. A function gives how it
came to an end:

    0  the chain is done                1  it stops here: `m.at` is the node to go on with, `m.pending` has the frames above it, the innermost first
    2  `return`, with `m.value`         3, 4  the loop around it is left, or goes on with the next thing         5  the game ends

So at a decision every function on the way out adds the frame that the reference engine would have there, and the state is plain data again. What
is rare (batches, replacements, several players choosing at once ...) is not written out: the function stops before it and the reference engine does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.compile.source.beginnings import start
from interpreter.compile.source.expressions import Expressions
from interpreter.compile.source.facts import Facts
from interpreter.compile.source.queries import binders_in, variables_of
from interpreter.compile.source.writing import LIST, ONE, Code, Module, Scope, Writer
from interpreter.run.finding import binders

Node = dict[str, Any]
STOPPING = ("choose", "call", "offer", "draw", "batch", "cancel", "proceed", "pay")  # nodes after which a body may have to go on
LEFT = ("batch", "cancel", "proceed", "pay")  # what the reference engine does
CHANCE = {"op": "const", "value": "chance"}
OFTEN, INNER = 2, 0.4  # how often a name is read before it is worth a variable; how much a time in an inner body counts
SHORT = 6  # nodes of a body that is written where it is entered


def may_run_out(node: Node) -> bool:
    """Whether the rules could have an answer to it that there is nothing to take."""
    return node["short"] is not None or bool(node.get("wants"))


def words_of(node: Node) -> str:
    """What is asked, if that does not depend on the state; else nothing."""
    if node["form"] in ("option", "yes_no") and node["prompt"] is None:
        return "Choose one"
    if node["prompt"] is None:
        return f"Choose {(node['name'] or 'one').replace('_', ' ')}"
    parts = node["prompt"].get("parts", [{}])
    return "".join(parts) if all(type(part) is str for part in parts) else ""


class Chains:
    """Which bodies there are, and where they can be gone on with."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.nodes: dict[str, Node] = graph["nodes"]
        self.entries = list(dict.fromkeys(self._entries(graph)))
        self.numbers = {entry: number for number, entry in enumerate(self.entries)}
        self.stops = {entry: any(self.stopping(node) for node in self.chain(entry)) for entry in self.entries}

    def _entries(self, graph: dict[str, Any]) -> Iterator[str]:
        for table in ("effects", "actions", "costs", "hooks"):
            for unit in graph[table].values():
                yield from (entry for entry in (unit["entry"], *unit.get("methods", {}).values()) if entry is not None)
        for node in self.nodes.values():
            bodies = [node.get("then"), node.get("else"), node.get("body")]
            bodies += [each["body"] for name in ("options", "cases") for each in node.get(name, ())]
            yield from (body for body in bodies if body is not None)

    def chain(self, entry: str) -> Iterator[str]:
        """The nodes of a body, in order."""
        here: str | None = entry
        while here is not None:
            yield here
            here = self.nodes[here]["next"]

    def stopping(self, identity: str) -> bool:
        """Whether a body may stop at a node."""
        node = self.nodes[identity]
        if node["op"] in STOPPING or (node["op"] == "move" and may_run_out(node)):
            return True
        if node["op"] in ("each", "repeat"):
            return True
        bodies = [node.get("then"), node.get("else"), *(case["body"] for case in node.get("cases", ()))]
        return any(self.stopping(each) for body in bodies if body is not None for each in self.chain(body))

    def resumes(self) -> dict[str, tuple[int, int]]:
        """For every node that can be gone on with: the number of its function and where in it that is."""
        found = {}
        for entry in self.entries:
            at = 0
            for identity in self.chain(entry):
                if identity == entry or self.begins(identity):
                    at += identity != entry
                    found[identity] = (self.numbers[entry], at)
        return found

    def often_read(self, stretch: list[str]) -> list[str]:
        """Local names that nodes read again and again, and nothing in them gives another value."""
        read: dict[str, float] = {}
        written: set[str] = set()
        for identity in stretch:
            node = self.nodes[identity]
            for name in variables_of(node):
                read[name] = read.get(name, 0) + 1
            written |= self._written(identity)
            for inner in self._inside(identity):
                written |= self._written(inner)
                for name in variables_of(self.nodes[inner]):
                    read[name] = read.get(name, 0) + INNER
        bound = {name for identity in stretch for name in binders_in(self.nodes[identity])}
        return [name for name, times in read.items() if times >= OFTEN and name not in written | bound]

    def _written(self, identity: str) -> set[str]:
        """The local names to which a node gives values."""
        node = self.nodes[identity]
        names = {node.get("name"), node.get("outcome")}
        if node["op"] in ("each", "choose"):
            names.add("it")
        return {name for name in names if isinstance(name, str)}

    def _inside(self, identity: str) -> Iterator[str]:
        """The nodes of bodies inside a node."""
        node = self.nodes[identity]
        bodies = [node.get("then"), node.get("else"), node.get("body")]
        bodies += [each["body"] for name in ("options", "cases") for each in node.get(name, ())]
        for body in bodies:
            for inner in self.chain(body) if body is not None else ():
                yield inner
                yield from self._inside(inner)

    def begins(self, identity: str) -> bool:
        """Whether a body can be gone on with at a node: it can stop before it, or after the one in front of it."""
        return identity in self._begins

    @property
    def _begins(self) -> set[str]:
        if not hasattr(self, "_found"):
            self._found: set[str] = set()
            for entry in self.entries:
                for identity in self.chain(entry):
                    after = self.nodes[identity]["next"]
                    if self.stopping(identity) and after is not None:
                        self._found.add(after)
        return self._found


class Statements:
    """Writes the function of one body."""

    def __init__(self, module: Module, facts: Facts, chains: Chains, entry: str) -> None:
        self.module, self.facts, self.chains, self.entry = module, facts, chains, entry
        self.writer = Writer(module, f"def c{chains.numbers[entry]}(m, V, at):")
        self.expressions = Expressions(module, facts, self.writer)
        self.scope = Scope({}, dynamic=True, shapes=facts.names)
        self.loop = False  # whether what is being written stands in a loop of this function

    def write(self) -> None:
        """The whole function."""
        stretches: list[list[str]] = [[]]
        for identity in self.chains.chain(self.entry):
            if identity != self.entry and self.chains.begins(identity):
                stretches.append([])
            stretches[-1].append(identity)
        writer, outer = self.writer, self.scope
        for at, stretch in enumerate(stretches, 1):
            if len(stretches) > 1:
                writer.line(f"if at < {at}:")
                writer.depth += 1
            names = {name: writer.kept(outer.get(self.module, name)) for name in self.chains.often_read(stretch)}
            self.scope = outer.reading(names)
            for identity in stretch:
                self.node(identity)
            if len(stretches) > 1:
                writer.depth -= 1
        writer.line("return 0")
        self.module.add(writer)

    # -- nodes

    def node(self, identity: str) -> None:
        """What one node does."""
        node = self.chains.nodes[identity]
        self.writer.mark(identity)
        if node["op"] in LEFT:
            self._leave_to_walk(identity)
        else:
            getattr(self, f"_{node['op']}")(identity, node)

    def _leave_to_walk(self, identity: str) -> None:
        self._stop_at(identity)
        self.writer.line("m.generic = True")
        self.writer.line("return 1")

    def _stop_at(self, identity: str | None) -> None:
        self.writer.line(f"m.at = {self.module.constant(identity).text}")

    def _value(self, expression: Any) -> Code:
        return self.expressions.value(expression, self.scope)

    def _kept(self, expression: Any) -> Code:
        return self.expressions.kept(expression, self.scope)

    def _plain(self, identity: str) -> None:
        """What the function of the reference engine does, which needs no frame."""
        node = self.module.lookup("node", identity)
        self.writer.line(f"{self.module.lookup('walk', self.chains.nodes[identity]['op'])}(m, {node}, V)")

    def _show(self, identity: str, node: Node) -> None:
        self._plain(identity)

    _shuffle = _roll = _outcome = _install = _show

    def _bind(self, identity: str, node: Node) -> None:
        value, name = self._value(node["value"]), self.module.constant(node["name"]).text
        if value.shape == ONE or (value.simple and value.shape in ("bool", "int")):
            self.writer.line(f"V[{name}] = {value.text}")
        elif value.shape == LIST:
            self.writer.line(f"V[{name}] = list({value.text})")
        else:
            value = self.writer.kept(value)
            self.writer.line(f"V[{name}] = {value.text}[:] if type({value.text}) is list else {value.text}")

    def _set(self, identity: str, node: Node) -> None:
        of = self._kept(node["of"])
        self.writer.line(f"if {of.text} is not None:")
        with self.writer.inside():
            slots, name = self.module.lookup("changing_slots", node["field"]), self.module.constant(node["field"]).text
            self.writer.line(f"assign(m, {of.text}, {slots}, {name}, {self._value(node['value']).text})")

    def _move(self, identity: str, node: Node) -> None:
        to, what = self._kept(node["to"]), self._value(node["what"])
        if may_run_out(node):
            what = self.writer.kept(what)
            nothing = f"{what.text} is None" if what.shape == ONE else f"not many({what.text})"
            self.writer.line(f"if {nothing}:")
            with self.writer.inside():
                self._leave_to_walk(identity)
        position, crowd = self.module.constant(node["position"]).text, bool(node.get("crowd"))
        if what.shape == ONE:
            what = self.writer.kept(what)
            self.writer.line(f"if {what.text} is not None and {to.text} is not None: put(m, {what.text}, {to.text}, {position}, {crowd})")
        else:
            self.writer.line(f"put_all(m, {what.text}, {to.text}, {position}, {crowd})")

    def _draw(self, identity: str, node: Node) -> None:
        place = self._value(node["from"])
        to = self._value(node["to"]).text if node["to"] is not None else "None"
        amount = self._value(node["amount"])
        result = self.writer.name()
        self.writer.line(f"{result} = draw(m, {self.module.lookup('node', identity)}, V, {place.text}, {to}, max({amount.text} or 0, 0))")
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            self._stop_at(identity)
            self.writer.line(f"return {result}")

    def _log(self, identity: str, node: Node) -> None:
        if node["to"] is None and node["text"]["op"] == "text":
            parts, named = self.expressions.parts_and_named(node["text"], self.scope)
            self.writer.line(f"tell(m, ({', '.join(parts)},), ({''.join(f'{each}, ' for each in named)}))")
            return
        bits = "EVERYONE" if node["to"] is None else f"m.bits_of(many({self._value(node['to']).text}))"
        text, named = self.expressions.text_and_named(node["text"], self.scope) if node["text"]["op"] == "text" else (self._value(node["text"]), [])
        self.writer.line(f"m.tell({text.text}, {bits}, [{', '.join(named)}])")

    def _end(self, identity: str, node: Node) -> None:
        self.writer.line(f"m.write({self.module.constant('end').text})")
        self.writer.line("return 5")

    def _return(self, identity: str, node: Node) -> None:
        value = self._value(node["value"]).text if node["value"] is not None else "None"
        self.writer.line(f"m.value = {value}")
        self.writer.line("return 2")

    def _jump(self, identity: str, node: Node) -> None:
        leaving = node["how"] == "leave"
        if self.loop:
            self.writer.line("break" if leaving else "continue")
        else:
            self.writer.line(f"return {3 if leaving else 4}")

    # -- nodes that lead somewhere

    def _body(self, entry: str | None, after: str | None, frames: str = "") -> None:
        """A body inside this one: written out if it is short and cannot stop, else a call of its function."""
        if entry is None:
            self.writer.line("pass")
            return
        body = list(self.chains.chain(entry))
        if len(body) <= SHORT and not any(self.chains.stopping(each) for each in body):
            for each in body:
                self.node(each)
            return
        result = self.writer.name()
        only = self.chains.nodes[body[0]]
        alone = len(body) == 1 and only["op"] == "call" and only["of"] is None and only["name"] is None and only["outcome"] is None
        if alone:
            self.writer.mark(entry)
            self.writer.line(f"{result} = {self._effect(only, 'None', [self._value(each).text for each in only['arguments']])}")
        else:
            self.writer.line(f"{result} = c{self.chains.numbers[entry]}(m, V, 0)")
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            if self.loop:
                self.writer.line(f"if {result} == 4: continue")
                self.writer.line(f"if {result} == 3: break")
            self.writer.line(f"if {result} == 1:")
            with self.writer.inside():
                if alone:
                    self.writer.line("m.at = None")
                self.writer.line(f"m.pending.append({frames or '(BLOCK, BLOCK_FRAMES, None, None, m.at)'})")
                self._stop_at(after)
            self.writer.line(f"return {result}")

    def _branch(self, identity: str, node: Node) -> None:
        self.writer.line(f"if {self.expressions.test(node['test'], self.scope).text}:")
        with self.writer.inside():
            self._body(node["then"], node["next"])
        if node["else"] is not None:
            self.writer.line("else:")
            with self.writer.inside():
                self._body(node["else"], node["next"])

    def _match(self, identity: str, node: Node) -> None:
        value = self._kept(node["value"])
        found = self.writer.name()
        self.writer.line(f"{found} = -1")
        inner = self.scope.with_names({"#": value})
        for number, case in enumerate(node["cases"]):
            for pattern in case["values"]:
                self.writer.line(f"if {found} < 0:")
                with self.writer.inside():
                    fits = self.expressions.value(pattern, inner if pattern["op"] == "is_kind" else self.scope)
                    test = fits.text if pattern["op"] == "is_kind" else f"{fits.text} == {value.text}"
                    self.writer.line(f"if {test}: {found} = {number}")
        for number, case in enumerate(node["cases"]):
            self.writer.line(f"{'el' if number else ''}if {found} == {number}:")
            with self.writer.inside():
                self._body(case["body"], node["next"])
        if node["else"] is not None:
            self.writer.line("else:" if node["cases"] else "if True:")
            with self.writer.inside():
                self._body(node["else"], node["next"])

    def _each(self, identity: str, node: Node) -> None:
        writer, name = self.writer, self.module.constant(node["name"]).text
        items, ties, outer, rest = writer.name(), writer.name(), writer.name(), writer.name()
        fixed, orders = self._fixed_order(node), [order for order in node["orders"] if not order["choice"]]
        if fixed is not None:
            writer.line(f"{items}, {ties} = {fixed}")
        elif orders:
            ranked = self.expressions.ranked({**node["query"], "orders": []}, orders, binders(node["query"]), self.scope)
            writer.line(f"{items}, {ties} = in_order({ranked})")
        else:
            value = self._value(node["query"])
            writer.line(f"{items} = tuple({value.text if value.shape == LIST else f'many({value.text})'})")
            writer.line(f"{ties} = None")
        writer.line(f"{outer} = (V.get({name}), V.get(IT))")
        body = self.module.constant(node["body"]).text
        chooser = next((order["key"] for order in node["orders"] if order["choice"]), None)
        if chooser is not None:
            writer.line(f"m.pending.append(ordered_frame({name}, {body}, {items}, {ties}, m.decider({self._value(chooser).text}), {outer}))")
            self._stop_at(node["next"])
            writer.line("return 1")
            return
        each = writer.name()
        writer.line(f"for {rest}, {each} in enumerate({items}, 1):")
        with writer.inside():
            writer.line("m.steps += 1")
            writer.line("if m.steps > m.last_step or m.looked > m.most_looks: too_long(m)")
            writer.line(f"V[{name}] = V[IT] = {each}")
            self._in_loop(
                node["body"], node["next"], f"(EACH, EACH_FRAMES, None, None, {name}, {body}, {items}, {ties}, {rest}, {outer}, True, m.at)"
            )
        writer.line(f"V[{name}], V[IT] = {outer}")
        self.writer.columns.add("S")

    def _fixed_order(self, node: Node) -> str | None:
        """The table of things in their order, if all of them are always there and the order is by what is printed on them."""
        query, fields = node["query"], []
        if query["op"] != "query" or query["filters"] or query["orders"] or (source := start(query))["op"] != "all" or "grid" in source:
            return None
        for order in node["orders"]:
            key = order["key"]
            if order["choice"] or key["op"] != "field" or key["of"].get("name") not in binders(query) or not self.facts.printed_only(key["name"]):
                return None
            fields.append([key["name"], bool(order["descending"])])
        return self.module.lookup("ordered", query["source"].get("kind"), source["of"], fields) if fields else None

    def _in_loop(self, entry: str | None, after: str | None, frame: str) -> None:
        outside, self.loop = self.loop, True
        self._body(entry, after, frame)
        self.loop = outside

    def _repeat(self, identity: str, node: Node) -> None:
        writer = self.writer
        left = writer.name()
        writer.line(f"{left} = {self._value(node['times']).text if node['times'] is not None else 'None'}")
        writer.line("while True:")
        with writer.inside():
            writer.line("m.steps += 1")
            writer.line("if m.steps > m.last_step or m.looked > m.most_looks: too_long(m)")
            if node["times"] is not None:
                writer.line(f"if {left} is not None and {left} <= 0: break")
            if node["until"] is not None:
                writer.line(f"if {self.expressions.test(node['until'], self.scope).text}: break")
            if node["times"] is not None:
                writer.line(f"if {left} is not None: {left} -= 1")
            body, until = self.module.constant(node["body"]).text, self.module.lookup("until", identity)
            self._in_loop(node["body"], node["next"], f"(REPEAT, REPEAT_FRAMES, None, None, {until}, {body}, {left}, True, m.at)")
        self.writer.columns.add("S")

    # -- nodes that stop

    def _call(self, identity: str, node: Node) -> None:
        writer = self.writer
        arguments = [self._value(argument).text for argument in node["arguments"]]
        depth = writer.depth
        of = "None"
        if node["of"] is not None:
            of = self._kept(node["of"]).text
            writer.line(f"if {of} is not None:")
            writer.depth += 1
        name, outcome = self.module.constant(node["name"]), self.module.constant(node["outcome"])
        result = writer.name()
        writer.line(f"{result} = {self._effect(node, of, arguments)}")
        writer.line(f"if {result}:")
        with writer.inside():
            self._stop_at(node["next"])
            writer.line(f"return {result}")
        if node["name"] is not None:
            writer.line(f"V[{name.text}] = m.result")
        if node["outcome"] is not None:
            writer.line(f"V[{outcome.text}] = m.status")
        writer.depth = depth

    def _effect(self, node: Node, of: str, arguments: list[str]) -> str:
        """The call of an effect's function."""
        names = [self.module.constant(node[each]).text for each in ("name", "outcome")]
        return f"f{self.facts.effects[node['effect']]}({', '.join(['m', of, *arguments, *names])})"

    def _choose(self, identity: str, node: Node) -> None:
        if node["each"] is not None or node["who"] is None:
            self._leave_to_walk(identity)
            return
        if node["form"] == "one" and node["as"] == "kind" and node["who"]["op"] in ("var", "decider") and node["name"] is not None:
            self._choose_one(identity, node)
            return
        if node["form"] == "one" and node["as"] == "kind" and node["who"] == CHANCE and node["name"] is not None:
            found = self._value(node["from"])
            things = found.text if found.shape == LIST else f"many({found.text})"
            self.writer.line(f"chance_one(m, {self.module.constant(node['name']).text}, {things}, V)")
            return
        result = self.writer.name()
        self.writer.line(f"{result} = ask(m, {self.module.lookup('node', identity)}, {self.module.constant(identity).text}, V)")
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            self.writer.line(f"m.at = {self.module.constant(node['next']).text} if {result} == 1 else {self.module.constant(identity).text}")
            self.writer.line("return 1")

    def _choose_one(self, identity: str, node: Node) -> None:
        """A choice of one component."""
        writer, who = self.writer, node["who"]
        chooser = self._kept(who["of"] if who["op"] == "decider" else who)
        found = self._value(node["from"])
        things = found.text if found.shape == LIST else f"many({found.text})"
        constants = [self.module.constant(each).text for each in (identity, node["name"], node["optional"], words_of(node))]
        writer.line(f"if ask_one(m, {constants[0]}, {chooser.text}, {things}, V, {', '.join(constants[1:])}):")
        with writer.inside():
            self._stop_at(node["next"])
            writer.line("return 1")

    def _offer(self, identity: str, node: Node) -> None:
        self.writer.line(f"if offer(m, {self.module.lookup('offer', identity)}, {self._value(node['who']).text}, V):")
        with self.writer.inside():
            self._stop_at(node["next"])
            self.writer.line("return 1")
