"""Second part of the layout: where each vertex of a layer stands.

Takes the layers and the sizes, gives coordinates. In a layer, vertices go as near to their neighbours' mean as the
order allows (isotonic regression). Along: the direction of the flow. Aside: the other one; it is cut into lanes, one for
each frame, which no vertex leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright_tools.pictures.layers import Layered

MARGIN = 24.0
LANE_PAD = 26.0
_GAP = 22.0
_BETWEEN = 34.0
_SMALL = 16.0
_SWEEPS = 14
_FEW, _MORE_SWEEPS = 1500, 40


class Coordinates:
    """Middles aside and bands along, for boxes (the first `count` vertices) and bends."""

    def __init__(self, graph: Layered, count: int, extent: list[tuple[float, float]], framed: bool) -> None:
        self.graph = graph
        self.count = count
        self.extent = extent
        self.bands = self._bands()
        self.lanes = self._lanes(framed)
        self.aside = self._packed()
        self._sweep()

    def _bands(self) -> dict[int, tuple[float, float]]:
        """Where the layer of each vertex begins and ends."""
        bands: dict[int, tuple[float, float]] = {}
        start = MARGIN
        for number, layer in enumerate(self.graph.layers):
            end = start + max((self.extent[vertex][1] for vertex in layer), default=0.0)
            bands.update((vertex, (start, end)) for vertex in layer)
            after = self.graph.layers[number + 1] if number + 1 < len(self.graph.layers) else []
            small = max((self.extent[vertex][1] for vertex in after), default=0.0) <= _SMALL or end - start <= _SMALL
            busy = sum(len(self.graph.below[vertex]) for vertex in layer)
            start = end + (_BETWEEN * 0.6 if small else _BETWEEN) + min(busy * 1.5, 90.0)
        return bands

    def _lanes(self, framed: bool) -> list[tuple[float, float]]:
        """From where to where each lane goes: as wide as its fullest layer."""
        needed: dict[int, float] = {}
        for layer in self.graph.layers:
            for lane, members in self._by_lane(layer).items():
                total = sum(self.extent[vertex][0] + _GAP for vertex in members) - _GAP
                needed[lane] = max(needed.get(lane, 0.0), total)
        lanes, start = [], MARGIN + (LANE_PAD if framed else 0.0)
        for lane in sorted(needed):
            lanes.append((start, start + needed[lane]))
            start += needed[lane] + (2.4 * LANE_PAD if framed else _GAP)
        return lanes

    def _packed(self) -> list[float]:
        """Every layer packed from the start of each lane."""
        aside = [0.0] * len(self.graph.lane)
        for layer in self.graph.layers:
            for lane, members in self._by_lane(layer).items():
                at = self.lanes[lane][0]
                for vertex in members:
                    aside[vertex] = at + self.extent[vertex][0] / 2
                    at += self.extent[vertex][0] + _GAP
        return aside

    def _by_lane(self, layer: Sequence[int]) -> dict[int, list[int]]:
        lanes: dict[int, list[int]] = {}
        for vertex in layer:
            lanes.setdefault(self.graph.lane[vertex], []).append(vertex)
        return lanes

    def _sweep(self) -> None:
        """Moves every layer towards its neighbours, downwards and upwards in turn, at last towards both."""
        graph = self.graph
        sweeps = _MORE_SWEEPS if len(graph.lane) <= _FEW else _SWEEPS
        for number in range(sweeps):
            down = number % 2 == 0
            sides = [graph.above] if down else [graph.below]
            if number >= sweeps * 2 // 3:
                sides = [graph.above, graph.below]
            for layer in graph.layers if down else reversed(graph.layers):
                for lane, members in self._by_lane(layer).items():
                    wishes = [self._wish(vertex, sides) for vertex in members]
                    self._settle(members, wishes, self.lanes[lane] if len(self.lanes) > 1 else None)
        if len(self.lanes) == 1:
            self._back_to_margin()

    def _back_to_margin(self) -> None:
        """A single lane is as wide as it came out; it begins where lanes begin."""
        edges = [(at - size / 2, at + size / 2) for at, (size, _) in zip(self.aside, self.extent, strict=True)]
        start = self.lanes[0][0]
        shift = start - min(low for low, _ in edges)
        self.aside = [at + shift for at in self.aside]
        self.lanes = [(start, max(high for _, high in edges) + shift)]

    def _wish(self, vertex: int, sides: Sequence[list[list[int]]]) -> tuple[float, float]:
        """Where a vertex wants to be, and how much: long arrows want most to be straight."""
        total = weight = 0.0
        count = self.count
        for side in sides:
            for other in side[vertex]:
                pull = 8.0 if vertex >= count and other >= count else 2.0 if max(vertex, other) >= count else 1.0
                total += pull * self.aside[other]
                weight += pull
        return (total / weight, weight) if weight else (self.aside[vertex], 0.1)

    def _settle(self, members: Sequence[int], wishes: Sequence[tuple[float, float]], lane: tuple[float, float] | None) -> None:
        """Puts the vertices as near to their wishes as their order, their sizes and the lane allow."""
        offsets, total = [], 0.0
        for vertex in members:
            offsets.append(total + self.extent[vertex][0] / 2)
            total += self.extent[vertex][0] + _GAP
        blocks: list[tuple[float, float, int]] = []
        for (wish, weight), offset in zip(wishes, offsets, strict=True):
            mean, mass, size = wish - offset, weight, 1
            while blocks and blocks[-1][0] > mean:
                other, more, length = blocks.pop()
                mean = (mean * mass + other * more) / (mass + more)
                mass, size = mass + more, size + length
            blocks.append((mean, mass, size))
        shifts = [mean for mean, _, size in blocks for _ in range(size)]
        if lane is not None:
            shifts = [min(max(shift, lane[0]), max(lane[1] - total + _GAP, lane[0])) for shift in shifts]
        for vertex, shift, offset in zip(members, shifts, offsets, strict=True):
            self.aside[vertex] = shift + offset
