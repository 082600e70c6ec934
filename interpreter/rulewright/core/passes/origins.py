"""Origins: which things a name can stand for, as far as that is easily seen. A guess: whoever asks has an answer ready for everything else."""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.core.nodes import everything
from rulewright.core.world import World

Key = tuple[int, int]  # the names of a unit or function, and a slot


class Origins:
    """What the names of a program are given."""

    def __init__(self, program: c.Program, world: World) -> None:
        self.program, self.world = program, world
        self.given: dict[Key, list[tuple[list[c.Local], Any]]] = {}  # expressions that give a name its values, with the names that they speak of
        self.known: dict[Key, range | None] = {}
        for function in program.functions.values():
            self.read(function.body, function.locals)
        for block in program.blocks:
            for each in block.code:
                self.read(each, program.units[block.unit].locals)

    def read(self, node: Any, locals_: list[c.Local]) -> None:
        """Remember what an instruction or expression, and everything in it, gives to whom."""
        for part in everything(node):
            match part:
                case c.Query(slot=slot, source=value) | c.Map(slot=slot, source=value) | c.Measure(slot=slot, source=value):
                    self.give(locals_, slot, locals_, value)
                case c.Bind(slot=slot, value=value) | c.Let(slot=slot, value=value) | c.Ask(slot=slot, values=value):
                    self.give(locals_, slot, locals_, value)
                case c.Next(slot=slot, list=source):
                    self.give(locals_, slot, locals_, c.Name(source))
                case c.Apply(function=name, arguments=arguments):
                    for slot, value in enumerate(arguments):
                        self.give(self.program.functions[name].locals, slot, locals_, value)
                case c.Call(unit=name, arguments=arguments):
                    for slot, value in enumerate(arguments):
                        self.give(self.program.units[name].locals, slot, locals_, value)

    def give(self, to: list[c.Local], slot: int, of: list[c.Local], value: Any) -> None:
        self.given.setdefault((id(to), slot), []).append((of, value))

    def range_of(self, locals_: list[c.Local], slot: int) -> range | None:
        """The numbers of the things that a name can stand for; None if that is not seen."""
        return self.things(locals_, c.Name(slot))

    def things(self, locals_: list[c.Local], node: Any) -> range | None:
        """The numbers among which those of an expression are; None if that is not seen."""
        match node:
            case c.All(noun=noun, grid=None) | c.OfKind(noun=noun):
                return span(self.world.by_noun.get(noun, ()))
            case c.All(grid=str(grid)):
                return span([cell for row in self.world.cells[grid] for cell in row])
            case c.Query(source=source) | c.Once(source=source) | c.Take(source=source) | c.Without(source=source):
                return self.things(locals_, source)
            case c.First(list=source) | c.Last(list=source) | c.Needed(of=source) | c.Many(of=source) | c.Charge(of=source):
                return self.things(locals_, source)
            case c.Decider():
                return range(self.world.players)
            case c.Component(name=name):
                return span(self.world.by_noun.get(name, ()))
            case c.Apply(function=name):
                function = self.program.functions[name]
                return self.things(function.locals, function.body)
            case c.Name(slot=slot):
                key = id(locals_), slot
                if key not in self.known:
                    self.known[key] = None  # while it is being looked for
                    ranges = [self.things(of, value) for of, value in self.given.get(key, ())]
                    known = [each for each in ranges if each is not None and len(each)]
                    self.known[key] = range(min(each.start for each in known), max(each.stop for each in known)) if known else None
                return self.known[key]
        return None


def span(numbers: Any) -> range:
    """All numbers from the least to the greatest."""
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)
