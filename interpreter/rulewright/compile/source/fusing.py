"""One function for a whole unit: loops, branches and effects on which nothing hooks are written into each other, with places inside them to go on from.

A function can be left at a decision in the middle of loops and of effects that are written into it. The places where it may be gone on with are numbered in the
order in which they are written; the parameter `at` is 0 for a fresh start, or the number of such a place. While `at` is not 0 the function is on its way there:
what lies before is skipped, a construct that has the place inside it is entered without beginning anew, and at the place `at` becomes 0. So wherever a
piece of code is reached, `at` is 0 or the number of a place inside that piece.

What is left behind says the same as frames do. Where a unit stops inside loops or branches, what it leaves is not a node but a tuple: the point (see
`resuming`), and the state of each loop around it. Effects that are written into others leave tuples of their own (`SPLICED`), as if they had been called.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.compile.source.chains import Chains
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import Facts
from rulewright.compile.source.writing import Module, Scope, Writer

Node = dict[str, Any]
DEEP = 6  # loops, and effects written into a function, inside each other
LONG = 60  # nodes of an effect that is written where it is called, if that is the only place


class Unit:
    """A unit as it is written into a function: the variables with its local names and its cause, and the loops and bodies around what is being written."""

    def __init__(self, names: str, own: str, state: str, left: str = "", after: str | None = None) -> None:
        self.names = names
        self.own = own
        self.state = state  # the variable with what it left behind
        self.left = left  # what it leaves behind if it is written into another, but for where it stopped
        self.after = after  # the node with which the unit around it goes on
        self.levels: list[tuple[list[Any], str]] = []  # each with what frames need to know, and the state of the loop
        self.follows: list[str | None] = []  # for each level, the node with which the level around it goes on
        self.result = ""  # the variable for what it gives, if it gives anything


class Fusing:
    """The part of `Statements` that knows where a function may stop and go on."""

    module: Module
    facts: Facts
    chains: Chains
    writer: Writer
    expressions: Expressions
    scope: Scope  # the local names where something is being written

    def __init__(self, number: int, whole: bool) -> None:
        self.number = number
        self.whole = whole  # whether what is inside is written out, also if it may stop
        self.units = [Unit("V", "said", "w")]
        self.points = 0
        self.splicing: list[str] = []
        self.spliced: list[str] = []  # the variables with the causes that effects written here are
        self.resumes: dict[str, int] = {}  # by node of the outermost chain, the place at which it begins

    @property
    def unit(self) -> Unit:
        """The unit that is being written."""
        return self.units[-1]

    def node(self, identity: str) -> None:
        """What one node does."""
        raise NotImplementedError

    # -- chains

    def chain(self, entry: str, outermost: bool = False) -> None:
        """The nodes of a body, one after another, with places to go on from after each that may stop."""
        writer, outer = self.writer, self.scope
        stretches: list[list[str]] = [[]]
        for identity in self.chains.chain(entry):
            if identity != entry and self.chains.begins(identity):
                stretches.append([])
            stretches[-1].append(identity)
        ends = not outermost and not self.compound(stretches[-1][-1]) and self.chains.stopping(stretches[-1][-1])  # whether it may stop at its end
        for number, stretch in enumerate(stretches):
            begin = self._point() if number else 0
            if outermost and number:
                self.resumes[stretch[0]] = begin
            last = stretch.pop() if self.compound(stretch[-1]) else None
            final = number == len(stretches) - 1 and not ends  # whoever is on the way to somewhere in this chain is here
            if stretch and final and last is None and (number or outermost):
                if begin:
                    writer.line("at = 0")
                self._simple(stretch, outer)
            elif stretch:
                writer.line(f"if at <= {begin}:" if begin else "if not at:")
                with writer.inside():
                    if begin:
                        writer.line("at = 0")
                    self._simple(stretch, outer)
            elif begin:
                writer.line(f"if at == {begin}: at = 0")
            self.scope = outer
            if last is not None and final:
                self.node(last)
            elif last is not None:
                self._enter(last)
        if ends:
            self._point()
            writer.line("at = 0")
        self.scope = outer

    def _simple(self, stretch: list[str], outer: Scope) -> None:
        """Nodes in which there is no place to go on from."""
        names = {name: self.writer.kept(outer.get(self.module, name)) for name in self.chains.often_read(stretch)}
        self.scope = outer.reading(names)
        for identity in stretch:
            self.node(identity)

    def _enter(self, identity: str) -> None:
        """A node with places inside it."""
        hole = self.writer.hole()
        with self.writer.inside():
            self.node(identity)
        self.writer.fill(hole, f"if at <= {self.points}:")

    def _point(self) -> int:
        self.points += 1
        return self.points

    def compound(self, identity: str) -> bool:
        """Whether a node is written out with places to go on from inside it."""
        node = self.chains.nodes[identity]
        if not self.whole or self._depth() >= DEEP:
            return False
        match node["op"]:
            case "each":
                return node["body"] is not None and not any(order["choice"] for order in node["orders"]) and self._stops(node["body"])
            case "repeat":
                return node["body"] is not None and self._stops(node["body"])
            case "branch":
                return self._stops(node["then"]) or self._stops(node["else"])
            case "match":
                return any(self._stops(body) for body in (node["else"], *(case["body"] for case in node["cases"])))
            case "call":
                return self.spliceable(node) and self._stops(self.module.graph["effects"][node["effect"]]["entry"])
        return False

    def _depth(self) -> int:
        return sum(1 + len(unit.levels) for unit in self.units) - 1

    def _stops(self, entry: str | None) -> bool:
        return entry is not None and any(self.chains.stopping(each) for each in self.chains.chain(entry))

    # -- stopping

    @contextmanager
    def level(self, spec: list[Any], state: str, follows: str | None) -> Iterator[None]:
        """What is written in here is inside a loop or body; `follows` is the node that comes after that."""
        self.unit.levels.append((spec, state))
        self.unit.follows.append(follows)
        yield
        self.unit.levels.pop()
        self.unit.follows.pop()

    def stop(self, after: str | None, result: str = "1") -> None:
        """Leave the function, to go on with a node that is the next of the innermost chain (or with the present one, after the reference engine saw to it)."""
        if len(self.units) == 1 and not self.unit.levels:
            self.writer.line(f"m.at = {self.module.constant(after).text}")
            self.writer.line(f"return {result}")
            return
        if result != "1":
            self.writer.line(f"if {result} == 1:")
            self.writer.depth += 1
        for unit in reversed(self.units):
            at = self._at(unit, after)
            if unit.left:
                self.writer.line(f"m.pending.append((SPLICED, CALL_FRAMES, {unit.left}, {at}))")
                after = unit.after
            else:
                self.writer.line(f"m.at = {at}")
        if result != "1":
            self.writer.depth -= 1
        self.writer.line(f"return {result}")

    def _at(self, unit: Unit, after: str | None) -> str:
        """Where a unit stops: what frames need to know and the states of loops."""
        nodes = [*unit.follows, after]
        spec = [nodes[0], [[*spec, node] for (spec, _), node in zip(unit.levels, nodes[1:], strict=True)]]
        states = [state for _, state in unit.levels if state]
        if not states:
            return self.module.lookup("point_alone", self.number, self.points + 1, spec)
        return f"({self.module.lookup('point', self.number, self.points + 1, spec)}, {', '.join(states)},)"

    def state(self) -> str:
        """The state of the loop that is to be written, as it was left behind."""
        return f"{self.unit.state}[{1 + sum(bool(state) for _, state in self.unit.levels)}]"

    # -- effects written where they are called

    def spliceable(self, node: Node) -> bool:
        """Whether an effect can be written where it is called: nothing hooks on it, nobody has a version of their own, and it is not too long."""
        path = node["effect"]
        effect = self.module.graph["effects"][path]
        if not self.whole or node["of"] is not None or effect["entry"] is None or effect["methods"] or effect["requires"] or self._depth() >= DEEP:
            return False
        if path in self.facts.hooked or path in self.facts.bounds or path in self.splicing or self.chains.calls[path] > 1:
            return False
        return len(list(self.chains.all_of(effect["entry"]))) <= LONG and not self.chains.returns_from_loop(effect["entry"])

    def splice(self, node: Node) -> None:
        """The effect that a node calls."""
        writer, module, path, around = self.writer, self.module, node["effect"], self.unit
        effect = module.graph["effects"][path]
        stops = self._stops(effect["entry"])
        constant, name, outcome = (module.constant(each).text for each in (path, node["name"], node["outcome"]))
        names, own, given, version, state = (writer.name() for _ in range(5))
        self.spliced.append(own)
        if stops:
            writer.line("if not at:")
            writer.depth += 1
        arguments = "".join(f"{self.expressions.value(each, self.scope).text}, " for each in node["arguments"])
        writer.line(f"{given} = ({arguments})")
        pairs = [f"{module.constant(each['name']).text}: {given}[{number}]" for number, each in enumerate(effect["parameters"])]
        writer.line(f"{names} = {{{', '.join(pairs)}}}")
        writer.column("S")
        writer.line(f"{version} = S.version")
        phase = constant if effect.get("what") in ("phase", "step") else f"{around.own}[3]"
        writer.line(f"if {own} is None: {own} = ({constant}, None, {around.own}[2] + 1, {phase})")
        writer.line(f"m.said = {own}")
        writer.line(f"if m.happened is not None: m.happened.append({constant})")
        if stops:
            writer.depth -= 1
            writer.line("else:")
            writer.line(f"    {names}, {state} = m.inner.pop()")
            writer.line(f"    _, _, _, {own}, _, _, {given}, {version}, _, _, {state} = {state}")
            writer.line(f"    m.said = {own}")
        unit = Unit(names, own, state, f"{names}, {own}, {constant}, None, {given}, {version}, {name}, {outcome}", node["next"])
        returns = any(self.chains.nodes[each]["op"] == "return" for each in self.chains.all_of(effect["entry"]))
        if returns:
            unit.result = writer.name()
            writer.line("while True:")
            writer.depth += 1
        outside, self.scope = self.scope, Scope({}, dynamic=True, shapes=self.facts.names, source=names)
        self.units.append(unit)
        self.splicing.append(path)
        if stops:
            self.chain(effect["entry"])
        else:
            self._simple(list(self.chains.chain(effect["entry"])), self.scope)
        self.splicing.pop()
        self.units.pop()
        self.scope = outside
        if returns:
            writer.line(f"{unit.result} = None")
            writer.line("break")
            writer.depth -= 1
        writer.line(f"m.said = {around.own}")
        if node["name"] is not None:
            writer.line(f"{around.names}[{name}] = {unit.result or 'None'}")
        if node["outcome"] is not None:
            done, nothing = module.constant("done").text, module.constant("nothing").text
            writer.line(f"{around.names}[{outcome}] = {done} if S.version != {version} else {nothing}")
