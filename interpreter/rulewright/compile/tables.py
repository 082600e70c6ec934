"""Tables that generated code finds things in, made when it is joined with a world: what depends on nothing but what is printed on things is found out once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.core.geometry import lines
from rulewright.core.world import World
from rulewright.limits import Budget
from rulewright.run.code import Expr, code
from rulewright.run.machine import Machine
from rulewright.run.state import State

AT_ONCE = 20_000  # how many pairs of things may be looked at when a table is made
FEW = 1_000  # lines of which the best are looked for
REMEMBERED = 10_000


class Fitting(dict[Any, list[int]]):
    """What fits a thing, found when it is asked for the first time."""

    def __init__(self, world: World, query: Expr, name: str) -> None:
        super().__init__()
        self._machine, self._find, self._name = Machine(world, State(), Budget()), code(world, query), name

    def __missing__(self, thing: Any) -> list[int]:
        if len(self) >= REMEMBERED:
            self.clear()
        self._machine.looked = 0
        found: list[int] = self._find(self._machine, {self._name: thing})
        self[thing] = found
        return found


def fitting(world: World, query: Expr, name: str | None, kind: str | None) -> Any:
    """What a query finds that looks at nothing but numbers printed on things: a list, or one for each thing that a local name can stand for.

    If that can only be of one kind, the answers for all of it are there from the start.
    """
    if name is None:
        return code(world, query)(Machine(world, State(), Budget()), {})
    table = Fitting(world, query, name)
    things = [] if kind is None else sorted(world.noun_set(kind))
    everything = code(world, query["source"])(None, {})  # type: ignore[arg-type]  # what is of a kind depends on no state
    if kind is None or len(things) * len(everything) > AT_ONCE:
        return table
    return {thing: table[thing] for thing in things}


def covers(world: World, grid: str, length: int) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """A few cells of which every line of a grid has one; with each of them the rest of lines through it, each line once.

    Who looks for a line in which every cell fits looks at these cells first: where one does not fit, none of its lines can.
    """
    left, found = [tuple(line) for line in lines(world, grid, length)], []
    while left:
        best = _most_frequent(left) if len(left) <= FEW else left[0][0]
        found.append((best, tuple(tuple(cell for cell in line if cell != best) for line in left if best in line)))
        left = [line for line in left if best not in line]
    return tuple(found)


def _most_frequent(groups: Iterable[Iterable[int]]) -> int:
    """What is in most of several groups, the first of those."""
    times: dict[int, int] = {}
    for group in groups:
        for each in group:
            times[each] = times.get(each, 0) + 1
    return max(times, key=lambda each: (times[each], -each))
