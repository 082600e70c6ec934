"""Searches: what lies next to something, what can be reached or seen from there, how far it is, links and lines.

Each function is given a linked program and an expression, and makes its code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import geometry
from rulewright.core import program as c
from rulewright.step.closures import COPIED, Code, Names, code, every_one, fixed, repeated

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine


def distance(linked: Linked, node: c.Distance) -> Code:
    start, goal, through = code(linked, node.start), code(linked, node.goal), ways(linked, node.through)
    places = node.through is not None and node.through.places

    def run(machine: Machine, names: Names) -> int | None:
        here, there = start(machine, names), goal(machine, names)
        if here is None or there is None:
            return None
        machine.look(machine.world.count)
        return geometry.distance(machine.world, here, there, through(machine, names), places)

    return run


def links(linked: Linked, node: c.Links) -> Code:
    of, world = code(linked, node.of), linked.world
    every = world.by_noun.get(node.kind, [])
    touching: dict[Any, tuple[int, ...]] = {}
    for link in every:
        for end in dict.fromkeys(world.ends.get(link, ())):
            touching[end] = (*touching.get(end, ()), link)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        ends = of(machine, names)
        if type(ends) is tuple:
            machine.look(len(every) + len(ends))
            among = frozenset(ends)
            return tuple([link for link in every if not among.isdisjoint(world.ends.get(link, ()))])
        found = touching.get(ends, ())
        machine.look(len(found))
        return found

    return run


class Ways:
    """What counts as a way, found out for each thing when it is asked about."""

    def __init__(self, machine: Machine, names: Names, among: frozenset[int], slot: int, tests: list[Code]) -> None:
        self.machine, self.names, self.among, self.slot, self.tests = machine, names, among, slot, tests
        self.known: dict[Any, bool] = {}

    def __contains__(self, thing: Any) -> bool:
        found = self.known.get(thing)
        if found is None:
            fits = thing in self.among
            if fits:
                self.machine.look(1)
                self.names[self.slot] = thing
                fits = all(test(self.machine, self.names) for test in self.tests)
            found = self.known[thing] = fits
        return found


def ways(linked: Linked, through: c.Through | None) -> Callable[[Machine, Names], Any]:
    """A function for what counts as a way: None if everything does."""
    if through is None:
        return fixed(None)
    source, tests, slot = code(linked, through.source), repeated(linked, *through.tests), through.slot
    every = frozenset(every_one(linked, through.source)) if isinstance(through.source, c.All) else None

    def run(machine: Machine, names: Names) -> Ways:
        among = every
        if among is None:
            among = frozenset(source(machine, names))
            machine.look(len(among) // COPIED)
        return Ways(machine, names, among, slot, tests)

    return run


def neighbours(linked: Linked, node: c.Neighbours) -> Code:
    of, through, world = code(linked, node.of), ways(linked, node.through), linked.world
    places = node.through is not None and node.through.places

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start, allowed = of(machine, names), through(machine, names)
        if start is None:
            return ()
        found = world.neighbours(start)
        machine.look(len(found))
        return tuple([place for link, place in found if allowed is None or link in allowed or ((places or link is None) and place in allowed)])

    return run


def within(linked: Linked, node: c.Within) -> Code:
    of, limit = code(linked, node.of), code(linked, node.limit)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        machine.look(0 if start is None else machine.world.count)
        return () if start is None else tuple(geometry.within(machine.world, start, limit(machine, names) or 0))

    return run


def reachable(linked: Linked, node: c.Reachable) -> Code:
    of, through = code(linked, node.of), ways(linked, node.through)
    places = node.through is not None and node.through.places
    limit = code(linked, node.limit) if node.limit is not None else fixed(None)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        if start is None:
            return ()
        machine.look(machine.world.count)
        return tuple(geometry.reachable(machine.world, start, limit(machine, names), through(machine, names), places))

    return run


def visible(linked: Linked, node: c.Visible) -> Code:
    of = code(linked, node.of)
    blocked = code(linked, node.blocked) if node.blocked is not None else fixed(())

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        if start is None:
            return ()
        around, grid = frozenset(blocked(machine, names)), machine.world.grid_of.get(start)
        machine.look(machine.world.count + (0 if grid is None else machine.world.cell_count[grid] * (1 + len(around))))
        return tuple(geometry.visible(machine.world, start, set(around)))

    return run


def lines(linked: Linked, node: c.Lines) -> Code:
    grid, length, world = node.grid, code(linked, node.length), linked.world

    def run(machine: Machine, names: Names) -> tuple[tuple[int, ...], ...]:
        wanted = length(machine, names) or 0
        machine.look(geometry.effort_of_lines(world, grid, wanted))
        return tuple(map(tuple, geometry.lines(world, grid, wanted)))

    return run
