"""Chains of nodes: which bodies there are, where they can stop, and where they can be gone on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rulewright.compile.source.loops import binders_in, variables_of

Node = dict[str, Any]
STOPPING = ("choose", "call", "offer", "draw", "batch", "cancel", "proceed", "pay")  # nodes after which a body may have to go on
EVENT, NESTED = 8, 12  # steps through the stages of an event; how far effects that only one body calls may be written into each other
OFTEN, INNER = 2, 0.4  # how often a name is read before it is worth a variable; how much a time in an inner body counts


def may_run_out(node: Node) -> bool:
    """Whether the rules could have an answer to it that there is nothing to take."""
    return node["short"] is not None or bool(node.get("wants"))


class Chains:
    """Which bodies there are, and where they can be gone on with."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.nodes: dict[str, Node] = graph["nodes"]
        self.entries = list(dict.fromkeys(self._entries(graph)))
        self.numbers = {entry: number for number, entry in enumerate(self.entries)}
        self.calls = Counter(node["effect"] for node in self.nodes.values() if node["op"] == "call")
        self.effects: dict[str, Any] = graph["effects"]
        self.units = set(self._units(graph))  # bodies of effects, actions, costs and hooks

    def _units(self, graph: dict[str, Any]) -> Iterator[str]:
        for table in ("effects", "actions", "costs", "hooks"):
            for unit in graph[table].values():
                yield from (entry for entry in (unit["entry"], *unit.get("methods", {}).values()) if entry is not None)

    def _entries(self, graph: dict[str, Any]) -> Iterator[str]:
        yield from self._units(graph)
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

    def all_of(self, entry: str) -> Iterator[str]:
        """The nodes of a body and of the bodies inside it."""
        for identity in self.chain(entry):
            yield identity
            yield from self._inside(identity)

    def steps(self, entry: str | None, around: tuple[str, ...] = ()) -> int:
        """How many steps the reference engine takes for a body at most: once for each node, without what its loops repeat and without what it calls, unless
        nobody else does.
        """
        found = 1
        for identity in self.all_of(entry) if entry is not None else ():
            node = self.nodes[identity]
            found += 3
            if node["op"] == "call" and self.calls[node["effect"]] == 1 and node["effect"] not in around and len(around) < NESTED:
                found += EVENT + self.steps(self.effects[node["effect"]]["entry"], (*around, node["effect"]))
        return found

    def returns_from_loop(self, entry: str) -> bool:
        """Whether there is a `return` in a loop of a body."""
        loops = (each for each in self.all_of(entry) if self.nodes[each]["op"] in ("each", "repeat"))
        return any(self.nodes[inner]["op"] == "return" for loop in loops for inner in self._inside(loop))

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
