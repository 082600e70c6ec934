"""Boards as graphs and grids: distances, what can be reached, what can be seen, rows of cells."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Container, Iterator
from typing import Any

from rulewright.core.world import World
from rulewright.grids import FINE, Offset, Shape

Allowed = Container[Any] | None
LENGTHS = 20  # of lines, that are kept


def _spread(world: World, start: int, limit: int | None, allowed: Allowed, places: bool = False, goal: int | None = None) -> dict[int, int]:
    """Every place that can be reached, with the number of steps, nearest first; what is allowed are links (cells, on a grid) or `places`."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if limit is not None and steps[here] >= limit:
            continue
        for link, there in world.neighbours(here):
            if there not in steps and (allowed is None or link in allowed or ((places or link is None) and (there == goal or there in allowed))):
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def reachable(world: World, start: int, limit: int | None, allowed: Allowed, places: bool) -> list[int]:
    """Places that can be reached in at most so many steps, without the start."""
    return [place for place in _spread(world, start, limit, allowed, places) if place != start]


def distance(world: World, start: int, goal: int, allowed: Allowed, places: bool) -> int | None:
    """The number of steps from one place to another; the goal itself need not be allowed. None if there is no way."""
    return _spread(world, start, None, allowed, places, goal).get(goal)


def within(world: World, start: int, limit: int) -> list[int]:
    """Places at most so far away: on a grid as the crow flies, elsewhere by links; the start included."""
    grid = world.grid_of.get(start)
    if grid is None:
        return list(_spread(world, start, limit, None))
    row, column = world.rows[start], world.columns[start]
    away = world.shapes[grid].distance
    return [cell for line in world.cells[grid] for cell in line if away(world.rows[cell] - row, world.columns[cell] - column) <= limit]


def visible(world: World, start: int, blocked: set[Any]) -> list[int]:
    """Cells of a grid to which a straight line can be drawn from some point of the start's cell without crossing a blocked one."""
    grid = world.grid_of.get(start)
    if grid is None:
        return [start]
    cells = world.cells[grid]
    taken = {(world.rows[cell] - 1, world.columns[cell] - 1) for cell in blocked if cell in world.rows}
    here = (world.rows[start] - 1, world.columns[start] - 1)
    shape = world.shapes[grid]
    return [
        cell
        for r, line in enumerate(cells)
        for c, cell in enumerate(line)
        if cell == start or _sees(shape, here, (r, c), frozenset(taken - {here, (r, c)}))
    ]


@functools.lru_cache(maxsize=100_000)
def _sees(shape: Shape, here: Offset, there: Offset, blocked: frozenset[Offset]) -> bool:
    """Whether any of the points of one cell has a free line to any of the points of another."""
    low = (min(here[0], there[0]) - shape.beyond, min(here[1], there[1]) - shape.beyond)
    high = (max(here[0], there[0]) + shape.beyond, max(here[1], there[1]) + shape.beyond)
    near = [cell for cell in blocked if low[0] <= cell[0] <= high[0] and low[1] <= cell[1] <= high[1]]
    if not near:
        return True
    starts = [(here[0] * FINE + a, here[1] * FINE + b) for a, b in shape.points]
    ends = [(there[0] * FINE + a, there[1] * FINE + b) for a, b in shape.points]
    return any(not any(_crosses(shape, start, end, cell) for cell in near) for start in starts for end in ends)


def _crosses(shape: Shape, start: Offset, end: Offset, cell: Offset) -> bool:
    """Whether a line passes through the inside of a cell (touching an edge or corner does not count)."""
    enter, leave = (0, 1), (1, 1)  # how far along the line, as fractions
    for rows, columns in shape.sides:
        begin = rows * (start[0] - cell[0] * FINE) + columns * (start[1] - cell[1] * FINE)
        delta, low, high = rows * (end[0] - start[0]) + columns * (end[1] - start[1]), -FINE - begin, FINE - begin
        if delta == 0:
            if not low < 0 < high:
                return False
            continue
        first, second = ((low, delta), (high, delta)) if delta > 0 else ((-high, -delta), (-low, -delta))
        enter = first if first[0] * enter[1] > enter[0] * first[1] else enter
        leave = second if second[0] * leave[1] < leave[0] * second[1] else leave
    return enter[0] * leave[1] < leave[0] * enter[1]


def effort_of_lines(world: World, grid: str, length: int) -> int:
    """How much there is to look at for lines of a length."""
    cells = world.cells[grid]
    return int(world.cell_count[grid] * (1 + length // 2 if 1 < length <= max(len(cells), len(cells[0])) else 1))


def lines(world: World, grid: str, length: int) -> list[list[int]]:
    """Every straight row of so many cells, each a neighbour of the next: across, down, and what else the shape of the grid has."""
    if (grid, length) not in world.lines:
        if len(world.lines) >= LENGTHS:
            world.lines.clear()
        world.lines[grid, length] = list(_lines(world.cells[grid], length, world.shapes[grid].directions))
    return world.lines[grid, length]


def _lines(cells: list[list[int]], length: int, directions: tuple[Offset, ...]) -> Iterator[list[int]]:
    rows, columns = len(cells), len(cells[0])
    if length < 1:
        return
    for r in range(rows):
        for c in range(columns):
            for dr, dc in directions if length > 1 else ((0, 0),):
                if 0 <= r + dr * (length - 1) < rows and 0 <= c + dc * (length - 1) < columns:
                    yield [cells[r + dr * step][c + dc * step] for step in range(length)]
