"""First half of the layout: which layer each box is in, and in which order the boxes of a layer stand.

Takes boxes as numbers, edges with the least number of layers they span, and the lane (frame) of each box. Cycles are
broken by turning edges round, layers are found by longest paths, edges over several layers get a bend in each, and the
order comes from barycentres within lanes. Everything is decided by the order of the input, so the same input always
gives the same picture.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise

import msgspec

Edge = tuple[int, int, int]
Pair = tuple[int, int]
_SWEEPS = 10
_FEW = 400


class Layered(msgspec.Struct):
    """Vertices (boxes, then bends) by layer; `chains` has for each edge the vertices it runs through, downwards."""

    layers: list[list[int]]
    lane: list[int]
    above: list[list[int]]
    below: list[list[int]]
    chains: list[list[int]]
    turned: list[bool]


def layered(count: int, edges: Sequence[Edge], lanes: Sequence[int]) -> Layered:
    """Boxes 0 to count - 1 in layers and in order."""
    turned = _turned(count, edges)
    downward = [(b, a, least) if turn else (a, b, least) for (a, b, least), turn in zip(edges, turned, strict=True)]
    rank = _ranked(count, downward)
    _spread_loose(count, downward, rank, lanes)
    result = _with_bends(rank, downward, turned, lanes)
    _order(result, count)
    return result


def spans(count: int, edges: Sequence[Edge]) -> list[int]:
    """Over how many layers each edge would run."""
    downward = [(b, a, least) if turn else (a, b, least) for (a, b, least), turn in zip(edges, _turned(count, edges), strict=True)]
    rank = _ranked(count, downward)
    return [rank[b] - rank[a] for a, b, _ in downward]


def _turned(count: int, edges: Sequence[Edge]) -> list[bool]:
    """Which edges to turn round so that no cycle is left: those that lead back to a vertex still open in the search."""
    out: list[list[Pair]] = [[] for _ in range(count)]
    entered = [False] * count
    for at, (a, b, _) in enumerate(edges):
        out[a].append((b, at))
        entered[b] = True
    turned = [False] * len(edges)
    state = [0] * count
    for root in sorted(range(count), key=lambda vertex: entered[vertex]):
        stack = [(root, iter(out[root]))] if not state[root] else []
        state[root] = state[root] or 1
        while stack:
            vertex, rest = stack[-1]
            target, at = next(rest, (-1, -1))
            if at < 0:
                state[vertex] = 2
                stack.pop()
            elif state[target] == 1:
                turned[at] = True
            elif state[target] == 0:
                state[target] = 1
                stack.append((target, iter(out[target])))
    return turned


def _ranked(count: int, edges: Sequence[Edge]) -> list[int]:
    """Layers by longest path; then what has more below than above moves down, so that edges get shorter."""
    out: list[list[Pair]] = [[] for _ in range(count)]
    entering = [0] * count
    for a, b, least in edges:
        out[a].append((b, least))
        entering[b] += 1
    degree = list(entering)
    rank = [0] * count
    ready = [vertex for vertex in range(count) if not entering[vertex]]
    for vertex in ready:
        for target, least in out[vertex]:
            rank[target] = max(rank[target], rank[vertex] + least)
            entering[target] -= 1
            if not entering[target]:
                ready.append(target)
    for vertex in reversed(ready):
        if out[vertex] and len(out[vertex]) > degree[vertex]:
            rank[vertex] = min(rank[target] - least for target, least in out[vertex])
    lowest = min(rank, default=0)
    return [layer - lowest for layer in rank]


def _spread_loose(count: int, edges: Sequence[Edge], rank: list[int], lanes: Sequence[int]) -> None:
    """Gives each box without edges the layer of its lane that is least full."""
    tied = {vertex for a, b, _ in edges for vertex in (a, b)}
    loose = [vertex for vertex in range(count) if vertex not in tied]
    depth = max((rank[vertex] + 1 for vertex in tied), default=0)
    depth = max(depth, min(6, round(len(loose) ** 0.5)), 1)
    load: dict[int, list[int]] = {lane: [0] * depth for lane in lanes}
    for vertex in tied:
        load[lanes[vertex]][rank[vertex]] += 1
    for vertex in loose:
        here = load[lanes[vertex]]
        rank[vertex] = here.index(min(here))
        here[rank[vertex]] += 1


def _with_bends(rank: Sequence[int], edges: Sequence[Edge], turned: list[bool], lanes: Sequence[int]) -> Layered:
    """All vertices in their layers; edges over several layers have a bend in each layer between."""
    lane = list(lanes)
    above: list[list[int]] = [[] for _ in rank]
    below: list[list[int]] = [[] for _ in rank]
    layers: list[list[int]] = [[] for _ in range(max(rank, default=0) + 1)]
    chains = []
    for a, b, _ in edges:
        chain = [a]
        for layer in range(rank[a] + 1, rank[b]):
            chain.append(len(lane))
            layers[layer].append(len(lane))
            lane.append(lanes[b])
            above.append([])
            below.append([])
        chain.append(b)
        chains.append(chain)
        for upper, lower in pairwise(chain):
            below[upper].append(lower)
            above[lower].append(upper)
    for vertex, layer in enumerate(rank):
        layers[layer].append(vertex)
    return Layered(layers, lane, above, below, chains, turned)


def _order(result: Layered, count: int) -> None:
    """Sorts every layer so that few edges cross; keeps the best of several sweeps."""
    place = _first_order(result, count)
    for layer in result.layers:
        layer.sort(key=lambda vertex: (result.lane[vertex], place[vertex]))
    best, fewest = [list(layer) for layer in result.layers], _crossings(result)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        _sweep(result, down)
        crossings = _crossings(result)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in result.layers], crossings
        if not fewest:
            break
    result.layers[:] = best
    if fewest and len(result.lane) <= _FEW:
        _swap_neighbours(result)


def _first_order(result: Layered, count: int) -> list[int]:
    """A number for each vertex by a search from above, so that what hangs together starts together."""
    place = [-1] * len(result.lane)
    number = 0
    for root in sorted(range(count), key=lambda vertex: (not (result.above[vertex] or result.below[vertex]), vertex)):
        stack = [root] if not result.above[root] else []
        while stack:
            vertex = stack.pop()
            if place[vertex] >= 0:
                continue
            place[vertex] = number
            number += 1
            stack += reversed(result.below[vertex])
    return place


def _sweep(result: Layered, down: bool) -> None:
    """Sorts layer after layer by the mean place of each vertex's neighbours in the layer before."""
    at = [0.0] * len(result.lane)
    near = result.above if down else result.below
    for layer in result.layers if down else reversed(result.layers):
        for index, vertex in enumerate(layer):
            at[vertex] = (index + 0.5) / len(layer)
        wish = {vertex: sum(at[other] for other in near[vertex]) / len(near[vertex]) if near[vertex] else at[vertex] for vertex in layer}
        layer.sort(key=lambda vertex, wish=wish: (result.lane[vertex], wish[vertex]))  # type: ignore[misc]
        for index, vertex in enumerate(layer):
            at[vertex] = (index + 0.5) / len(layer)


def _swap_neighbours(result: Layered) -> None:
    """Swaps neighbours in a layer as long as that saves crossings."""
    for _ in range(_SWEEPS):
        saved = 0
        for number, layer in enumerate(result.layers):
            upper = result.layers[number - 1] if number else []
            lower = result.layers[number + 1] if number + 1 < len(result.layers) else []
            at = {vertex: index for other in (upper, lower) for index, vertex in enumerate(other)}
            for index in range(len(layer) - 1):
                left, right = layer[index : index + 2]
                gain = _gain(result, left, right, at) if result.lane[left] == result.lane[right] else 0
                if gain > 0:
                    layer[index : index + 2] = right, left
                    saved += gain
        if not saved:
            return


def _gain(result: Layered, left: int, right: int, at: dict[int, int]) -> int:
    """How many crossings it saves to put the right vertex before the left one."""
    gain = 0
    for near in (result.above, result.below):
        for a in near[left]:
            for b in near[right]:
                gain += (at[a] > at[b]) - (at[a] < at[b])
    return gain


def _crossings(result: Layered) -> int:
    """How many pairs of edges cross."""
    total = 0
    for upper, lower in pairwise(result.layers):
        at = {vertex: index for index, vertex in enumerate(lower)}
        seen: list[int] = []
        for vertex in upper:
            ends = [at[target] for target in result.below[vertex]]
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total
