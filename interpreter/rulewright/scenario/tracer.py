"""A tracer: watches a linked program. It says which events have happened, and holds a game before one of its phases where a scenario asks for that."""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.step.instructions import WAIT, Executor
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import Frame


class Tracer:
    """Watches a linked program."""

    def __init__(self, linked: Linked, happened: list[str] | None = None) -> None:
        program, starts = linked.program, linked.starts
        self.happened: list[str] = [] if happened is None else happened
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
                self.happened += events
            return run(machine, frame)

        return watched
