"""Liveness: which names of a unit can still be read at a point of it.

A name that nothing can read any more is not part of a state: engines need not keep it, saves do not hold it, and two states that differ in such names only are the
same. A name that one statement gives its value matters together with the names in that statement: whoever imagines a game in which those stand for something else
asks again what it says then (see `game.determinize`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from rulewright.core import program as c

BINDING = (c.Query, c.Bind, c.Fold, c.Map, c.Measure, c.Through, c.Selection)


def names_in(node: Any) -> tuple[int, int]:
    """The slots that an instruction or expression reads, and those that expressions in it give, as bits."""
    read = given = 0
    todo = [node]
    while todo:
        part = todo.pop()
        kind = type(part)
        if kind is c.Name:
            read |= 1 << part.slot
        elif kind is tuple:
            todo += part
        elif kind is dict:
            todo += part.values()
        elif isinstance(part, msgspec.Struct):
            if isinstance(part, BINDING):
                given |= 1 << part.slot
            if isinstance(part, c.Fold):
                given |= 1 << part.result
            for name in part.__struct_fields__:
                inner = getattr(part, name)
                if isinstance(inner, msgspec.Struct | tuple | dict):
                    todo.append(inner)
    return read & ~given, given


def effect_of(node: c.Instruction, questions: list[c.Question]) -> tuple[int, int]:
    """The slots that an instruction reads, and those that it gives values, as bits."""
    read, _ = names_in(node)
    given = 0
    match node:
        case c.Let(slot=slot) | c.Roll(slot=slot) | c.Pick(slot=slot):
            given = 1 << slot
        case c.Ask(slot=slot, question=number):
            given = 1 << slot
            question = questions[number]
            read |= names_in((question.prompt, question.labels))[0]
            for asked in (*(question.turns or ()), question.picked):
                read |= 0 if asked is None else 1 << asked
        case c.Settle(slot=slot, list=items, cursor=cursor):
            given = 1 << slot
            for asked in (slot, items, cursor):
                read |= 0 if asked is None else 1 << asked
        case c.Next(list=items, cursor=cursor, slot=slot):
            read |= 1 << items | 1 << cursor
            given = 1 << cursor | 1 << slot
        case c.Result():
            for result in (node.value, node.status, node.cancelled):
                given |= 0 if result is None else 1 << result
    return read, given


def successors(node: Any) -> list[int]:
    """The blocks that an instruction leads to."""
    match node:
        case c.Jump(to=to):
            return [to]
        case c.Branch(then=then, otherwise=otherwise):
            return [then, otherwise]
        case c.Dispatch(cases=cases, otherwise=otherwise) | c.Switch(cases=cases, otherwise=otherwise):
            return [*cases.values(), otherwise]
        case c.Next(body=body, after=after):
            return [body, after]
        case c.Call(then=then) | c.CallHook(then=then) | c.RunDeferred(then=then) | c.Proceed(then=then):
            return [then]
        case c.Ask(then=then, otherwise=otherwise):
            return [then, otherwise]
    return []


class Liveness:
    """What matters at each point of a program, worked out for a unit when it is asked about."""

    def __init__(self, program: c.Program) -> None:
        self.program = program
        self.blocks: dict[str, list[int]] = {}
        for label, block in enumerate(program.blocks):
            self.blocks.setdefault(block.unit, []).append(label)
        self._entering: dict[str, dict[int, int]] = {}
        self._echoes: dict[str, dict[int, int]] = {}
        # The arguments of an event are asked for again by whoever proceeds with it.
        self._always = {
            name: sum(1 << slot for slot in range(unit.parameters))
            for name, unit in program.units.items()
            if unit.arguments or name.startswith("event ")
        }
        ongoing: dict[str, int] = {}
        for function in program.functions.values():
            _ongoing(function.body, ongoing)
        for block in program.blocks:
            for each in block.code:
                _ongoing(each, ongoing)
        for name, bits in ongoing.items():
            self._always[name] = self._always.get(name, 0) | bits

    def entering(self, unit: str) -> dict[int, int]:
        """The slots that matter where each block of a unit begins, as bits."""
        found = self._entering.get(unit)
        if found is None:
            blocks = self.program.blocks
            effects = {label: [effect_of(each, self.program.questions) for each in blocks[label].code] for label in self.blocks[unit]}
            always = self._always.get(unit, 0)
            found = self._entering[unit] = dict.fromkeys(self.blocks[unit], always)
            leading: dict[int, list[int]] = {}
            for label in self.blocks[unit]:
                for each in blocks[label].code[-1:]:
                    for to in successors(each):
                        leading.setdefault(to, []).append(label)
            todo = list(self.blocks[unit])
            waiting = set(todo)
            while todo:
                label = todo.pop()
                waiting.discard(label)
                live = always
                for to in successors(blocks[label].code[-1]) if blocks[label].code else ():
                    live |= found.get(to, 0)
                for read, given in reversed(effects[label]):
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
        for to in successors(block.code[-1]):
            live |= found.get(to, 0)
        for each in reversed(block.code[number:]):
            read, given = effect_of(each, self.program.questions)
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
        for each in (each for label in self.blocks[unit] for each in self.program.blocks[label].code):
            for slot in slots(effect_of(each, self.program.questions)[1]):
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


def _ongoing(node: Any, found: dict[str, int]) -> None:
    """The slots that are asked about in frames from outside."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, c.Ongoing):
            found[part.unit] = found.get(part.unit, 0) | 1 << part.slot
        if isinstance(part, msgspec.Struct):
            todo += [inner for name in part.__struct_fields__ if isinstance(inner := getattr(part, name), msgspec.Struct | tuple | dict)]
        elif isinstance(part, tuple):
            todo += part
        elif isinstance(part, dict):
            todo += part.values()


def slots(bits: int) -> Iterable[int]:
    """The slots that bits stand for."""
    return (slot for slot in range(bits.bit_length()) if bits >> slot & 1)
