"""Backs: what everyone could read on components that not everyone could tell, in the course of a game: as it was, and as it is imagined."""

from __future__ import annotations

from typing import Any

from rulewright.game.memory import Memory
from rulewright.step.machine import Machine
from rulewright.step.state import Value

Read = tuple[Value, ...]


class Backs:
    """What is written on components, entry by entry of the log."""

    def __init__(self, machine: Machine, memory: Memory) -> None:
        self.world, self.values = machine.world, machine.state.values
        self.log, self.marked, self.at = machine.state.log, memory.marked, 0
        self.real: dict[int, Any] = {}
        for number in reversed(self.marked):
            self.real[self._slot(number, self.log[number][2])] = self.log[number][4]
        self.imagined = dict(self.real)

    def _slot(self, number: int, component: int) -> int:
        """Where the field of which an entry speaks is on a component."""
        return int(self.world.base[component] + self.world.slots[self.world.kinds[component]][self.log[number][3]])

    def follow(self, until: int, now: dict[int, int]) -> None:
        """Write what was written up to an entry on what lay there then."""
        while self.at < len(self.marked) and self.marked[self.at] < until:
            number = self.marked[self.at]
            component: int = self.log[number][2]
            value = self.log[number][5]
            self.real[self._slot(number, component)] = value
            self.imagined[self._slot(number, now.get(component, component))] = value
            self.at += 1

    def of(self, component: int, written: dict[int, Any]) -> Read:
        """What can be read on a component: `real` or `imagined`."""
        base = self.world.base[component]
        return tuple([written.get(base + slot, self.values[base + slot]) for _, slot, _ in self.world.backs[component]])

    def rewritten(self) -> set[int]:
        """The components on which something else can be read than really can."""
        return {self.world.component_at(slot) for slot, value in self.imagined.items() if value != self.values[slot]}

    def written_on(self, component: int) -> dict[int, Any]:
        """The values that an imagined component has, by their slots."""
        slots = (self.world.base[component] + slot for _, slot, _ in self.world.backs[component])
        return {slot: self.imagined[slot] for slot in slots if slot in self.imagined}
