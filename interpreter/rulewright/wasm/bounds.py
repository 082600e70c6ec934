"""Bounds: how many things an expression looks at, at most, and how long a list can be. What is known beforehand is counted once and not in every loop.

A count that is too high costs nothing but speed: where it reaches the budget, `step` counts exactly. So it is used where few things exist, and bounds are near.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.geometry import effort_of_lines, lines
from rulewright.core.nodes import parts

if TYPE_CHECKING:
    from rulewright.core.world import World

SMALL = 200  # components of a world in which bounds are used
MOST = 50_000  # what is counted at once
PLAIN = (
    c.Const, c.Word, c.Component, c.Place, c.PlaceOf, c.Name, c.Field, c.Decider, c.Asked, c.Compare, c.And, c.Or, c.Not, c.If, c.Arithmetic, c.IsKind, c.In, c.Lies,
    c.Among, c.Empty, c.Full, c.Apply, c.Bind, c.Exists, c.Count, c.First, c.Last, c.Best, c.Needed, c.Version, c.Used, c.Trial, c.Knows, c.Batched, c.Listed, c.Many,
    c.All, c.Members, c.OfKind, c.Once, c.Take, c.Without, c.Both, c.Choices, c.Order,
)  # fmt: skip


class Bounds:
    """What is known of the expressions of a program in a world."""

    def __init__(self, world: World, shape: Callable[[Any], str]) -> None:
        self.world, self.shape = world, shape
        self.inner: dict[int, int] = {}  # for names that are lists of a list, how long those are

    def charge(self, node: Any) -> int | None:
        """How much to count for all of an instruction or expression at once; None if that is not known, or too much."""
        if self.world.count > SMALL:
            return None
        found = sum(self.looks(part) + self.length(part) for part in (parts(node) if isinstance(node, c.Instruction) else (node,)))
        return int(found) if found <= MOST else None

    def looks(self, node: Any) -> float:
        """How many things an expression looks at, at most; a function counts for itself."""
        match node:
            case c.Query(source=source, slot=slot):
                self.name(slot, source)
                each = sum(self.looks(part) for part in (*node.tests, *node.orders))
                return self.looks(source) + self.length(source) * (1 + each)
            case c.Map(source=source, value=value) | c.Measure(source=source, value=value):
                return self.looks(source) + self.length(source) * (1 + self.looks(value) + self.length(value))
            case c.Fold(source=source, value=value, test=test, start=start):
                each = self.looks(value) + (0 if test is None else self.looks(test))
                return self.looks(start) + self.looks(source) + self.length(source) * (1 + each)
            case c.Table(looks=looks, otherwise=otherwise):
                return max(looks, self.looks(otherwise))
            case c.Charge(looks=looks, of=of):
                return looks + self.looks(of)
            case c.Neighbours(through=None):
                return self.looks(node.of) + self.world.place_count
            case c.Lines(grid=grid, length=c.Const(value=int(length))):
                return effort_of_lines(self.world, grid, length)
        if not isinstance(node, PLAIN):
            return math.inf
        return sum(self.looks(part) + self.length(part) for part in parts(node))  # whoever goes through a list pays for that

    def name(self, slot: int, source: Any) -> None:
        """Remember how long the lists of a list are, of which a name is one."""
        if isinstance(source, c.Lines) and isinstance(source.length, c.Const):
            self.inner[slot] = source.length.value or 0

    def length(self, node: Any) -> float:
        """How long a list can be; what is none counts as nothing."""
        if not isinstance(node, c.Expression) or self.shape(node) == "one":
            return 0
        match node:
            case c.All():
                return len(every(self.world, node))
            case c.OfKind(source=source, noun=noun):
                return min(self.length(source), len(self.world.by_noun.get(noun, ()))) if isinstance(source, c.Members) else self.length(source)
            case c.Members():
                return self.world.count if self.shape(node.of) == "one" or isinstance(node.of, c.All) else math.inf  # nothing lies in two places
            case c.Query(source=source) | c.Once(source=source) | c.Take(source=source) | c.Without(source=source):
                return self.length(source)
            case c.Table(values=values, otherwise=otherwise):
                return max(self.length(otherwise), *(len(each) if isinstance(each, tuple) else 1 for each in values))
            case c.Both(parts=several) | c.Listed(parts=several):
                return sum(self.length(each) for each in several) if isinstance(node, c.Both) else len(several)
            case c.Lines(grid=grid, length=c.Const(value=int(length))):
                return len(lines(self.world, grid, length))
            case c.Many():
                return 1
            case c.Charge(of=of):
                return self.length(of)
            case c.Neighbours(through=None):
                return self.world.place_count
            case c.Name(slot=slot):
                return self.inner.get(slot, math.inf)
        return math.inf


def every(world: World, node: c.All) -> list[int]:
    """The things of a kind or the cells of a grid: they never change."""
    return [cell for row in world.cells[node.grid] for cell in row] if node.grid is not None else list(world.by_noun.get(node.noun, []))


class Things:
    """Which numbers an expression of things can give."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.names: dict[int, frozenset[int]] = {}  # of slots that hold one of certain things just now

    @contextmanager
    def known(self, slot: int | None, things: frozenset[int] | None) -> Iterator[None]:
        """While a slot holds one of certain things."""
        before = None if slot is None else self.names.pop(slot, None)
        if slot is not None and things is not None:
            self.names[slot] = things
        yield
        if slot is not None:
            self.names.pop(slot, None)
            if before is not None:
                self.names[slot] = before

    def of(self, node: Any) -> frozenset[int] | None:
        """The numbers that a value, or those in a list, is one of; None if that is not known, or it may be nothing."""
        match node:
            case c.Name(slot=slot):
                return self.names.get(slot)
            case c.All():
                return frozenset(every(self.world, node))
            case c.OfKind(noun=noun):
                return frozenset(self.world.noun_set(noun))
            case c.Members():
                return frozenset(range(self.world.count))
            case c.Query(source=source) | c.Once(source=source) | c.Without(source=source) | c.Charge(of=source):
                return self.of(source)
            case c.Table(values=values, otherwise=otherwise):
                other = self.of(otherwise)
                listed = [each for each in values if isinstance(each, tuple)]
                return None if other is None or len(listed) < len(values) else other.union(*listed)
        return None
