"""Bodies as Python: a chain of nodes becomes a function `c<number>(m, V, at)` that carries them out one after another.

`V` has the local names of the unit; `at` says where to begin, since a body that was left at a decision goes on in the middle. A function gives how it
came to an end:

    0  the chain is done                1  it stops here: `m.at` says where (see `fusing`), `m.pending` has what is left behind above it, the innermost first
    2  `return`, with `m.value`         3, 4  the loop around it is left, or goes on with the next thing         5  the game ends

So at a decision every function on the way out adds the frame that the reference engine would have there, and the state is plain data again. What
is rare (batches, replacements, several players choosing at once ...) is not written out: the function stops before it and the reference engine does it.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.beginnings import start
from rulewright.compile.source.chains import Chains
from rulewright.compile.source.changing import Changing
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import Facts, asks_alone
from rulewright.compile.source.writing import LIST, ONE, Module, Scope, Writer
from rulewright.run.finding import binders

Node = dict[str, Any]
LEFT = ("batch", "cancel", "proceed", "pay")  # what the reference engine does
CHANCE = {"op": "const", "value": "chance"}
INDENTED = 40  # levels of indentation from which on a body is no longer written where it is entered: Python takes a hundred
SHORT = 6  # nodes of a body that is written where it is entered


def words_of(node: Node) -> str:
    """What is asked, if that does not depend on the state; else nothing."""
    if node["form"] in ("option", "yes_no") and node["prompt"] is None:
        return "Choose one"
    if node["prompt"] is None:
        return f"Choose {(node['name'] or 'one').replace('_', ' ')}"
    parts = node["prompt"].get("parts", [{}])
    return "".join(parts) if all(type(part) is str for part in parts) else ""


class Statements(Changing):
    """Writes the function of one body."""

    def __init__(self, module: Module, facts: Facts, chains: Chains, entry: str, whole: bool) -> None:
        super().__init__(chains.numbers[entry], whole)
        self.module, self.facts, self.chains, self.entry = module, facts, chains, entry
        self.writer = Writer(module, f"def c{self.number}(m, V, at, w=None):")
        self.expressions = Expressions(module, facts, self.writer)
        self.scope = Scope({}, dynamic=True, shapes=facts.names)
        self.loop = False  # whether what is being written stands in a loop of this function

    def write(self) -> dict[str, tuple[int, int]]:
        """The whole function; gives where in it which nodes of its chain begin."""
        self.writer.line(f"m.steps += {self.chains.steps(self.entry)}")
        self.chain(self.entry, outermost=True)
        self.writer.line("return 0")
        if self.spliced:
            self.writer.opening += ["said = m.said", f"{' = '.join(self.spliced)} = None"]
        self.module.add(self.writer)
        return {self.entry: (self.number, 0), **{node: (self.number, at) for node, at in self.resumes.items()}}

    # -- nodes

    def node(self, identity: str) -> None:
        """What one node does."""
        node = self.chains.nodes[identity]
        self.writer.mark(identity)
        if node["op"] in LEFT:
            self._leave_to_walk(identity)
        else:
            getattr(self, f"_{node['op']}")(identity, node)

    def _bind(self, identity: str, node: Node) -> None:
        value, name = self._value(node["value"]), self.module.constant(node["name"]).text
        if value.shape == ONE or (value.simple and value.shape in ("bool", "int")):
            self.writer.line(f"{self.unit.names}[{name}] = {value.text}")
        elif value.shape == LIST:
            self.writer.line(f"{self.unit.names}[{name}] = list({value.text})")
        else:
            value = self.writer.kept(value)
            self.writer.line(f"{self.unit.names}[{name}] = {value.text}[:] if type({value.text}) is list else {value.text}")

    def _return(self, identity: str, node: Node) -> None:
        value = self._value(node["value"]).text if node["value"] is not None else "None"
        if self.unit.result:
            self.writer.line(f"{self.unit.result} = {value}")
            self.writer.line("break")
        else:
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
        """A body inside this one that does not stop here: written out, or a call of its function if it is long or may stop."""
        if entry is None:
            self.writer.line("pass")
            return
        body = list(self.chains.chain(entry))
        if len(body) <= SHORT and self.writer.depth < INDENTED and not any(self.chains.stopping(each) for each in body):
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
            self.writer.line(f"{result} = c{self.chains.numbers[entry]}(m, {self.unit.names}, 0)")
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            if self.loop:
                self.writer.line(f"if {result} == 4: continue")
                self.writer.line(f"if {result} == 3: break")
            if self.unit.result:
                self.writer.line(f"if {result} == 2:")
                self.writer.line(f"    {self.unit.result} = m.value")
                self.writer.line("    break")
            self.writer.line(f"if {result} == 1:")
            with self.writer.inside():
                if alone:
                    self.writer.line("m.at = None")
                self.writer.line(f"m.pending.append({frames or '(BLOCK, BLOCK_FRAMES, None, None, m.at)'})")
            self.stop(after, result)

    def _inside(self, entry: str | None, after: str | None) -> None:
        """A body inside this one, with places to go on from."""
        if entry is None:
            self.writer.line("pass")
            return
        with self.level(["block"], "", after):
            self.chain(entry)

    def _branch(self, identity: str, node: Node) -> None:
        writer = self.writer
        if not self.compound(identity):
            writer.line(f"if {self.expressions.test(node['test'], self.scope).text}:")
            with writer.inside():
                self._body(node["then"], node["next"])
            if node["else"] is not None:
                writer.line("else:")
                with writer.inside():
                    self._body(node["else"], node["next"])
            return
        holds = writer.name()
        writer.line("if not at:")
        with writer.inside():
            writer.line(f"{holds} = {self.expressions.test(node['test'], self.scope).text}")
        hole = writer.hole()
        writer.line(f"if {holds}:")
        with writer.inside():
            self._inside(node["then"], node["next"])
        writer.fill(hole, f"else: {holds} = at <= {self.points}")
        if node["else"] is not None:
            writer.line("else:")
            with writer.inside():
                self._inside(node["else"], node["next"])

    def _match(self, identity: str, node: Node) -> None:
        writer, compound = self.writer, self.compound(identity)
        found, bodies = writer.name(), [*(case["body"] for case in node["cases"]), *([node["else"]] if node["else"] is not None else [])]
        if compound:
            writer.line("if not at:")
            writer.depth += 1
        self._fits(node, found)
        holes = []
        if compound:
            writer.depth -= 1
            holes = [writer.hole() for _ in bodies]
        for number, body in enumerate(bodies):
            if number < len(node["cases"]):
                writer.line(f"{'el' if number else ''}if {found} == {number}:")
            else:
                writer.line("else:" if node["cases"] else "if True:")
            with writer.inside():
                if compound:
                    self._inside(body, node["next"])
                    writer.fill(holes[number], f"elif at <= {self.points}: {found} = {number}")
                else:
                    self._body(body, node["next"])

    def _fits(self, node: Node, found: str) -> None:
        """The number of the first case that fits, or -1."""
        value = self._kept(node["value"])
        self.writer.line(f"{found} = -1")
        inner = self.scope.with_names({"#": value})
        for number, case in enumerate(node["cases"]):
            for pattern in case["values"]:
                self.writer.line(f"if {found} < 0:")
                with self.writer.inside():
                    fits = self.expressions.value(pattern, inner if pattern["op"] == "is_kind" else self.scope)
                    test = fits.text if pattern["op"] == "is_kind" else f"{fits.text} == {value.text}"
                    self.writer.line(f"if {test}: {found} = {number}")

    def _each(self, identity: str, node: Node) -> None:
        writer, module, names, compound = self.writer, self.module, self.unit.names, self.compound(identity)
        name, body = module.constant(node["name"]).text, module.constant(node["body"]).text
        items, ties, outer, done, each = (writer.name() for _ in range(5))
        state = self.state()
        if compound:
            writer.line("if not at:")
            writer.depth += 1
        self._items(node, items, ties)
        writer.line(f"{outer} = ({names}.get({name}), {names}.get(IT))")
        chooser = next((order["key"] for order in node["orders"] if order["choice"]), None)
        if chooser is not None:
            writer.line(f"m.pending.append(ordered_frame({name}, {body}, {items}, {ties}, m.decider({self._value(chooser).text}), {outer}))")
            self.stop(node["next"])
            return
        writer.line(f"m.steps += {1 + self.chains.steps(node['body'])} * len({items})")
        writer.line("if m.steps > m.last_step or m.looked > m.most_looks: too_long(m)")
        if compound:
            writer.line(f"{done} = 0")
            writer.depth -= 1
            writer.line(f"else: {items}, {ties}, {done}, {outer} = {state}")
            writer.line("while True:")
            with writer.inside():
                writer.line("if not at:")
                writer.line(f"    if {done} >= len({items}): break")
                writer.line(f"    {names}[{name}] = {names}[IT] = {items}[{done}]")
                writer.line(f"    {done} += 1")
                outside, self.loop = self.loop, True
                with self.level(["each", node["name"], node["body"]], f"({items}, {ties}, {done}, {outer})", node["next"]):
                    self.chain(node["body"])
                self.loop = outside
        else:
            writer.line(f"for {done}, {each} in enumerate({items}, 1):")
            with writer.inside():
                writer.line(f"{names}[{name}] = {names}[IT] = {each}")
                self._in_loop(
                    node["body"], node["next"], f"(EACH, EACH_FRAMES, None, None, {name}, {body}, {items}, {ties}, {done}, {outer}, True, m.at)"
                )
        writer.line(f"{names}[{name}], {names}[IT] = {outer}")

    def _items(self, node: Node, items: str, ties: str) -> None:
        """What a loop is over, in order, and how many in a row come at the same time."""
        writer = self.writer
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
        writer, compound, counted = self.writer, self.compound(identity), node["times"] is not None
        left, state = writer.name() if counted else "None", self.state()
        if counted:
            if compound:
                writer.line(f"if at: {left} = {state}")
                writer.line("else:")
                writer.depth += 1
            writer.line(f"{left} = {self._value(node['times']).text}")
            writer.depth -= compound
        writer.line("while True:")
        with writer.inside():
            if compound:
                writer.line("if not at:")
                writer.depth += 1
            writer.line(f"m.steps += {1 + self.chains.steps(node['body'])}")
            writer.line("if m.steps > m.last_step or m.looked > m.most_looks: too_long(m)")
            if counted:
                writer.line(f"if {left} is not None and {left} <= 0: break")
            if node["until"] is not None:
                writer.line(f"if {self.expressions.test(node['until'], self.scope).text}: break")
            if counted:
                writer.line(f"if {left} is not None: {left} -= 1")
            if compound:
                writer.depth -= 1
                outside, self.loop = self.loop, True
                with self.level(["repeat", identity, node["body"], counted], left if counted else "", node["next"]):
                    self.chain(node["body"])
                self.loop = outside
            else:
                body, until = self.module.constant(node["body"]).text, self.module.lookup("until", identity)
                self._in_loop(node["body"], node["next"], f"(REPEAT, REPEAT_FRAMES, None, None, {until}, {body}, {left}, True, m.at)")

    # -- nodes that stop

    def _call(self, identity: str, node: Node) -> None:
        writer = self.writer
        if self.spliceable(node):
            outside, self.loop = self.loop, False
            self.splice(node)
            self.loop = outside
            return
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
            self.stop(node["next"], result)
        if node["name"] is not None:
            writer.line(f"{self.unit.names}[{name.text}] = m.result")
        if node["outcome"] is not None:
            writer.line(f"{self.unit.names}[{outcome.text}] = m.status")
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
            self.writer.line(f"chance_one(m, {self.module.constant(node['name']).text}, {things}, {self.unit.names})")
            return
        if identity in self.facts.several or (asks_alone(node) and node["as"] == "option" and not any(option["costs"] for option in node["options"])):
            asking = (
                f"p{self.facts.several[identity]}(m, {self.unit.names}, ())" if identity in self.facts.several else self._in_words(identity, node)
            )
            self.writer.line(f"if {asking}:")
            with self.writer.inside():
                self.stop(node["next"])
            return
        result = self.writer.name()
        self.writer.line(f"{result} = ask(m, {self.module.lookup('node', identity)}, {self.module.constant(identity).text}, {self.unit.names})")
        self.writer.line(f"if {result} == 1:")
        with self.writer.inside():
            self.stop(node["next"])
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            self.stop(identity)

    def _in_words(self, identity: str, node: Node) -> str:
        """A choice among options in words."""
        chooser = self._kept(node["who"]["of"] if node["who"]["op"] == "decider" else node["who"])
        options = f"{self.module.lookup('worded', identity)}(m, {self.unit.names}, None)"
        return f"ask_words(m, {self.module.lookup('one', identity)}, {chooser.text}, {options})"

    def _choose_one(self, identity: str, node: Node) -> None:
        """A choice of one component."""
        writer, who = self.writer, node["who"]
        chooser = self._kept(who["of"] if who["op"] == "decider" else who)
        found = self._value(node["from"])
        things = found.text if found.shape == LIST else f"many({found.text})"
        writer.line(f"if ask_one(m, {self.module.lookup('one', identity)}, {chooser.text}, {things}, {self.unit.names}):")
        with writer.inside():
            self.stop(node["next"])

    def _offer(self, identity: str, node: Node) -> None:
        self.writer.line(f"if offer(m, {self.module.lookup('offer', identity)}, {self._value(node['who']).text}, {self.unit.names}):")
        with self.writer.inside():
            self.stop(node["next"])
