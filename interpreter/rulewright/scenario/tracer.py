"""A tracer: watches a linked program. It says which events have happened, what the moves of a scenario's own moved, and holds a game before one of its
phases where a scenario asks for that."""

from __future__ import annotations

from typing import Any, NamedTuple

from rulewright.core import program as c
from rulewright.fragment import UNIT
from rulewright.step.closures import code, many
from rulewright.step.instructions import WAIT, Executor
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import Frame


class Happened(NamedTuple):
    """An event, and how long the log was when it began."""

    event: str
    at: int


class Moved(NamedTuple):
    """A move of a scenario's own: the node of the graph, what there was to move, what of it stayed where it was, and where it was to go."""

    origin: str
    things: tuple[int, ...]
    stayed: tuple[int, ...]
    place: int | None


class Tracer:
    """Watches a linked program."""

    def __init__(self, linked: Linked, happened: list[Happened] | None = None) -> None:
        program, starts = linked.program, linked.starts
        self.watched = linked
        self.happened: list[Happened] = [] if happened is None else happened
        self.moves: list[Moved] = []
        self.root = linked.sizes[program.root]
        self.phases = {starts[label]: number for number, label in enumerate(program.phases)}
        self.events: dict[int, list[str]] = {}
        for unit in program.units.values():
            for event, label in unit.happens:
                self.events.setdefault(starts[label], []).append(event)
        for path, effect in linked.world.graph["effects"].items():
            for body in (path, *(f"{path} of {noun}" for noun in effect["methods"])):
                if body in linked.entries:
                    self.events.setdefault(linked.entries[body], []).append(path)

    def executor(self, at: int, run: Executor) -> Executor:
        """What carries out an instruction, watched if that is of interest."""
        if at in self.phases:
            return self._held(self.phases[at], run)
        node = self.watched.code[at]
        if isinstance(node, c.Put) and self.watched.unit_at[at].startswith(f"{UNIT} "):
            return self._moving(node, run)
        return self._happening(self.events[at], run) if at in self.events else run

    def code(self, node: c.Expression, run: Any) -> Any:
        """What evaluates an expression."""
        return run

    def _held(self, phase: int, run: Executor) -> Executor:
        root = self.root
        return lambda machine, frame: WAIT if frame.names[root:] == [phase] else run(machine, frame)

    def _happening(self, events: list[str], run: Executor) -> Executor:
        def watched(machine: Machine, frame: Frame) -> int | None:
            if not machine.trial:
                length = len(machine.state.log)
                self.happened += [Happened(event, length) for event in events]
            return run(machine, frame)

        return watched

    def _moving(self, node: c.Put, run: Executor) -> Executor:
        what, to = code(self.watched, node.what), code(self.watched, node.to)

        def watched(machine: Machine, frame: Frame) -> int | None:
            looked = machine.looked
            place, things = to(machine, frame.names), many(what(machine, frame.names))
            machine.looked = looked
            result = run(machine, frame)
            stayed = tuple([thing for thing in things if machine.state.where[thing] != place])
            if node.origin is not None and not machine.trial:
                self.moves.append(Moved(node.origin, things, stayed, place))
            return result

        return watched
