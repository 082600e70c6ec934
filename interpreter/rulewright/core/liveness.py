"""Liveness: which names of a unit can still be read at a point of it.

A name that nothing can read any more is not part of a state: engines need not keep it, saves do not hold it, and two states that differ in such names only are the
same. A name that one statement gives its value matters together with the names in that statement: whoever imagines a game in which those stand for something else
asks again what it says then (see `game.determinize`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.core import program as c
from rulewright.core.flow import targets
from rulewright.core.nodes import everything

READ, GIVEN, BOUND = c.parts_with("Slot", "Changed"), c.parts_with("Given", "Changed"), c.parts_with("Bound")


def names_in(*nodes: Any) -> tuple[int, int]:
    """The slots that instructions or expressions read, and those that hold inside expressions in them, as bits."""
    read = bound = 0
    for part in everything(*nodes):
        kind = type(part)
        if kind in READ:
            read |= bits(getattr(part, name) for name in READ[kind])
        if kind in BOUND:
            bound |= bits(getattr(part, name) for name in BOUND[kind])
    return read & ~bound, bound


def effect_of(node: c.Instruction, questions: list[c.Question]) -> tuple[int, int]:
    """The slots that an instruction reads, and those that it gives values, as bits."""
    read = names_in(node)[0]
    if isinstance(node, c.Ask):
        question = questions[node.question]
        read |= names_in(question.prompt, *question.labels)[0] | bits((*(question.turns or ()), question.picked))
    return read, bits(getattr(node, name) for name in GIVEN.get(type(node), ()))


class Liveness:
    """What matters at each point of a program, worked out for a unit when it is asked about."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self.blocks: dict[str, list[int]] = {}
        for label, block in enumerate(program.blocks):
            self.blocks.setdefault(block.unit, []).append(label)
        self._entering: dict[str, dict[int, int]] = {}
        self._echoes: dict[str, dict[int, int]] = {}
        self._effects: dict[int, list[tuple[int, int]]] = {}
        # The arguments of an event are asked for again by whoever proceeds with it.
        self._always = {
            name: sum(1 << slot for slot in range(unit.parameters))
            for name, unit in program.units.items()
            if unit.arguments or name.startswith("event ")
        }
        bodies = (function.body for function in program.functions.values())
        for part in everything(*bodies, *(each for block in program.blocks for each in block.code)):
            if isinstance(part, c.Ongoing):  # asked about in frames from outside
                self._always[part.unit] = self._always.get(part.unit, 0) | 1 << part.slot

    def effects(self, label: int) -> list[tuple[int, int]]:
        """The slots that each instruction of a block reads and gives values, as bits."""
        found = self._effects.get(label)
        if found is None:
            found = self._effects[label] = [effect_of(each, self.program.questions) for each in self.program.blocks[label].code]
        return found

    def entering(self, unit: str) -> dict[int, int]:
        """The slots that matter where each block of a unit begins, as bits."""
        found = self._entering.get(unit)
        if found is None:
            blocks = self.program.blocks
            always = self._always.get(unit, 0)
            found = self._entering[unit] = dict.fromkeys(self.blocks[unit], always)
            leading: dict[int, list[int]] = {}
            for label in self.blocks[unit]:
                for each in blocks[label].code[-1:]:
                    for to in targets(each):
                        leading.setdefault(to, []).append(label)
            todo = list(self.blocks[unit])
            waiting = set(todo)
            while todo:
                label = todo.pop()
                waiting.discard(label)
                live = always
                for to in targets(blocks[label].code[-1]) if blocks[label].code else ():
                    live |= found.get(to, 0)
                for read, given in reversed(self.effects(label)):
                    live = live & ~given | read
                live = self._closed(unit, live | always)
                if live != found[label]:
                    found[label] = live
                    for before in leading.get(label, ()):
                        if before not in waiting:
                            waiting.add(before)
                            todo.append(before)
        return found

    def before(self, label: int, number: int) -> int:
        """The slots that matter before an instruction of a block, as bits."""
        block = self.program.blocks[label]
        found = self.entering(block.unit)
        live = always = self._always.get(block.unit, 0)
        for to in targets(block.code[-1]):
            live |= found.get(to, 0)
        for read, given in reversed(self.effects(label)[number:]):
            live = live & ~given | read
        return self._closed(block.unit, live | always)

    def _closed(self, unit: str, live: int) -> int:
        """Some slots with those that what they say was made of."""
        echoes = self._echoes.get(unit)
        if echoes is None:
            echoes = self._echoes[unit] = self._made_of(unit)
        more = live
        while more:
            more = sum_of(echoes[slot] for slot in slots(more) if slot in echoes) & ~live
            live |= more
        return live

    def _made_of(self, unit: str) -> dict[int, int]:
        """By slot that one statement alone gives a value, if that stands for no components: the slots it is made of."""
        times: dict[int, list[c.Instruction]] = {}
        for label in self.blocks[unit]:
            for each, (_, given) in zip(self.program.blocks[label].code, self.effects(label), strict=True):
                for slot in slots(given):
                    times.setdefault(slot, []).append(each)
        locals_ = self.program.units[unit].locals
        return {
            slot: bits
            for slot, (first, *others) in times.items()
            if isinstance(first, c.Let) and not others and locals_[slot].sort not in ("kind", "any") and (bits := names_in(first)[0])
        }


def sum_of(bits: Iterable[int]) -> int:
    """All that are in any of some sets of bits."""
    found = 0
    for each in bits:
        found |= each
    return found


def slots(bits: int) -> Iterable[int]:
    """The slots that bits stand for."""
    return (slot for slot in range(bits.bit_length()) if bits >> slot & 1)


def bits(slots: Iterable[int | None]) -> int:
    """Slots as bits."""
    found = 0
    for slot in slots:
        found |= 0 if slot is None else 1 << slot
    return found
