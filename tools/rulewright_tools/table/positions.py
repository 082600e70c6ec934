"""Where the spots of a board stand: as they were told, grids as grids, and the rest laid out automatically.

Takes the names of spots with their neighbours and the positions of some; gives a position for every one, in steps of a square lattice, none on another, the
smallest at 0, 0. What is laid out automatically stands by stress majorization: as far apart as there are steps between them. The same board always looks the same.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Position = tuple[float, float]
Neighbours = Mapping[str, Sequence[str]]

STEP = 1.6  # between two neighbours, before positions are rounded
LARGEST = 150  # so many are laid out by their distances; more stand in rows
ROUNDS = 120


def positions(names: Sequence[str], neighbours: Neighbours, given: Mapping[str, Position]) -> dict[str, Position]:
    """A position for everything; those that are given stay as they are, relative to each other."""
    found = {name: given[name] for name in names if name in given}
    free = [name for name in names if name not in given]
    if free and len(names) <= LARGEST:
        _snap(_by_distance(names, neighbours, found), free, found)
    elif free:
        width = math.ceil(math.sqrt(len(free)))
        below = max((y for _, y in found.values()), default=-1) + 1
        found |= {name: (float(number % width), below + number // width) for number, name in enumerate(free)}
    return _from_corner(found)


def _from_corner(found: dict[str, Position]) -> dict[str, Position]:
    """The same, moved to the upper left corner."""
    left, top = min((x for x, _ in found.values()), default=0), min((y for _, y in found.values()), default=0)
    return {name: (x - left, y - top) for name, (x, y) in found.items()}


def _by_distance(names: Sequence[str], neighbours: Neighbours, fixed: Mapping[str, Position]) -> dict[str, Position]:
    """Positions that come close to the number of steps between any two."""
    apart = {name: _steps_from(name, neighbours) for name in names}
    far = max((max(steps.values()) for steps in apart.values()), default=1) + 1  # between what is not connected
    around = 2 * math.pi / max(len(names), 1)
    radius = STEP * far / 2
    at = {name: fixed.get(name) or (radius * math.cos(n * around), radius * math.sin(n * around)) for n, name in enumerate(names)}
    for _ in range(ROUNDS):
        for name in names:
            if name not in fixed:
                at[name] = _pulled(name, at, apart[name], far)
    return at


def _pulled(name: str, at: Mapping[str, Position], steps: Mapping[str, int], far: int) -> Position:
    """Where all others would like one to stand, the nearer ones more so."""
    (x, y), sum_x, sum_y, weights = at[name], 0.0, 0.0, 0.0
    for other, (ox, oy) in at.items():
        if other == name:
            continue
        wanted = STEP * steps.get(other, far)
        distance = math.hypot(x - ox, y - oy) or 0.01
        weight = 1 / wanted**2
        sum_x += weight * (ox + wanted * (x - ox) / distance)
        sum_y += weight * (oy + wanted * (y - oy) / distance)
        weights += weight
    return (sum_x / weights, sum_y / weights) if weights else (x, y)


def _steps_from(start: str, neighbours: Neighbours) -> dict[str, int]:
    """How many steps it takes to get anywhere."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for there in neighbours.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


def _snap(at: Mapping[str, Position], free: Iterable[str], found: dict[str, Position]) -> None:
    """Puts each onto the nearest point of the lattice that is still free."""
    taken = {(round(x), round(y)) for x, y in found.values()}
    for name in free:
        x, y = round(at[name][0]), round(at[name][1])
        point = next((x + dx, y + dy) for dx, dy in _outwards() if (x + dx, y + dy) not in taken)
        taken.add(point)
        found[name] = (float(point[0]), float(point[1]))


def _outwards() -> Iterable[tuple[int, int]]:
    """Steps away from a point, the nearest first."""
    for ring in itertools.count():
        yield from sorted(
            ((dx, dy) for dx in range(-ring, ring + 1) for dy in range(-ring, ring + 1) if max(abs(dx), abs(dy)) == ring),
            key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
        )
