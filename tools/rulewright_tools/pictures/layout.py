"""Third part of the layout, and its door: from a picture to everything in its place.

Takes a picture, gives a `Placed`. Arrows run straight through a layer, where space is kept for them, and curve only
between layers, where no box is. Frames are lanes across all layers, so no two of them meet. The layout is made
downwards; a picture that runs across is turned before and after.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rulewright_tools.pictures.coordinates import LANE_PAD, MARGIN, Coordinates
from rulewright_tools.pictures.layers import layered
from rulewright_tools.pictures.measure import Sized, label_size, sized_boxes, text_width
from rulewright_tools.pictures.model import Arrow, Picture
from rulewright_tools.pictures.sparing import spared

Point = tuple[float, float]
Step = tuple[Point, ...]
_BEND = 10.0
_FRAME = 14.0


class Rect(msgspec.Struct, frozen=True):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Route(msgspec.Struct, frozen=True):
    """The way of an arrow: a start, then steps to a point (one) or along a curve (two controls and a point)."""

    arrow: Arrow
    start: Point
    steps: tuple[tuple[Point, ...], ...]
    label: Point | None


class Placed(msgspec.Struct, frozen=True):
    """A picture with everything in its place."""

    picture: Picture
    boxes: dict[str, tuple[Sized, Rect]]
    routes: tuple[Route, ...]
    frames: tuple[tuple[str, Rect], ...]
    width: float
    height: float


def layout(picture: Picture) -> Placed:
    """Places everything."""
    picture = spared(picture)
    work = _Work(picture)
    boxes = {id: (work.sizes[id], work.rect(at)) for id, at in work.index.items()}
    routes, frames = tuple(work.routes()), tuple(work.frames())
    corners = [(rect.x + rect.width, rect.y + rect.height) for _, rect in boxes.values()]
    corners += [(rect.x + rect.width, rect.y + rect.height) for _, rect in frames]
    corners += [point for route in routes for step in route.steps for point in step]
    corners += [(route.label[0] + label_size(route.arrow.label)[0] / 2, 0.0) for route in routes if route.label]
    width, height = max((x for x, _ in corners), default=0.0), max((y for _, y in corners), default=0.0)
    return Placed(picture, boxes, routes, frames, round(width + MARGIN, 1), round(height + MARGIN, 1))


class _Work:
    """The layout of one picture while it is made."""

    def __init__(self, picture: Picture) -> None:
        self.across = picture.across
        self.sizes = sized_boxes(picture)
        self.index = {box.id: at for at, box in enumerate(picture.boxes)}
        self.arrows = [arrow for arrow in picture.arrows if {arrow.source, arrow.target} <= self.index.keys()]
        self.tied = [arrow for arrow in self.arrows if arrow.source != arrow.target]
        self.groups = list(dict.fromkeys(box.group for box in picture.boxes))
        lanes = [self.groups.index(box.group) for box in picture.boxes]
        edges = [(self.index[one.source], self.index[one.target], 2 if one.label else 1) for one in self.tied]
        self.graph = layered(len(picture.boxes), edges, lanes)
        self.at = Coordinates(self.graph, len(self.index), self._extents(), any(self.groups))

    def _extents(self) -> list[Point]:
        """How far each vertex extends aside and along; one bend of a labelled arrow has space for the label."""
        extents = [self._turn((size.width, size.height)) for size in self.sizes.values()]
        extents += [(_BEND, 0.0)] * (len(self.graph.lane) - len(extents))
        for number, arrow in enumerate(self.tied):
            if arrow.label:
                extents[self._label_bend(number)] = self._turn(label_size(arrow.label))
        return extents

    def _label_bend(self, number: int) -> int:
        """The bend of an arrow that is next to where it starts."""
        return self.graph.chains[number][-2 if self.graph.turned[number] else 1]

    def _turn(self, point: Point) -> Point:
        """From aside and along to x and y, or back."""
        return (round(point[1], 1), round(point[0], 1)) if self.across else (round(point[0], 1), round(point[1], 1))

    def _span(self, vertex: int) -> Point:
        """Where a box begins and ends along; across they stand at the start of their layer, else in its middle."""
        low, high = self.at.bands[vertex]
        if vertex >= self.at.count:
            return low, high
        size = self.at.extent[vertex][1]
        start = low if self.across else (low + high - size) / 2
        return start, start + size

    def rect(self, vertex: int) -> Rect:
        """The rectangle of a box."""
        start, end = self._span(vertex)
        size = self.at.extent[vertex][0]
        x, y = self._turn((self.at.aside[vertex] - size / 2, start))
        return Rect(x, y, *self._turn((size, end - start)))

    def frames(self) -> Iterator[tuple[str, Rect]]:
        """The frames of the groups, with their names."""
        ends = [self._span(vertex) for vertex in range(len(self.graph.lane))]
        low, high = min((a for a, _ in ends), default=0.0) - _FRAME, max((b for _, b in ends), default=0.0) + _FRAME
        if self.across:
            high = max(high, low + max((text_width(name, 14.0) for name in self.groups), default=0.0) + 24)
        for name, (start, end) in zip(self.groups, self.at.lanes, strict=True):
            if name:
                x, y = self._turn((start - LANE_PAD, low))
                yield name, Rect(x, y, *self._turn((end - start + LANE_PAD + _FRAME, high - low)))

    def routes(self) -> Iterator[Route]:
        """The ways of all arrows."""
        ports = self._ports()
        for number, arrow in enumerate(self.tied):
            start, steps = self._way(number, ports)
            if self.graph.turned[number]:
                start, steps = _reversed(start, steps)
            label = None
            if arrow.label:
                bend = self._label_bend(number)
                label = self._turn((self.at.aside[bend], sum(self.at.bands[bend]) / 2))
            turned = tuple(tuple(self._turn(point) for point in step) for step in steps)
            yield Route(arrow, self._turn(start), turned, label)
        for arrow in self.arrows:
            if arrow.source == arrow.target:
                yield _loop(arrow, self.rect(self.index[arrow.source]))

    def _ports(self) -> dict[int, float]:
        """Where aside each arrow leaves the box above: side by side, in the order of where they go."""
        leaving: dict[int, list[int]] = {}
        for number, chain in enumerate(self.graph.chains):
            leaving.setdefault(chain[0], []).append(number)
        ports = {}
        for vertex, numbers in leaving.items():
            numbers.sort(key=lambda number: self.at.aside[self.graph.chains[number][1]])
            step = min(26.0, self.at.extent[vertex][0] * 0.7 / len(numbers))
            for place, number in enumerate(numbers):
                ports[number] = self.at.aside[vertex] + (place - (len(numbers) - 1) / 2) * step
        return ports

    def _way(self, number: int, ports: dict[int, float]) -> tuple[Point, list[Step]]:
        """The way from the box above to the box below."""
        chain, at = self.graph.chains[number], self.at
        x, y = ports[number], self._span(chain[0])[1]
        start, steps = (x, y), list[Step]()
        for vertex in (chain[0], *chain[1:]):
            low, high = at.bands[vertex]
            if vertex != chain[0]:
                aside = at.aside[vertex]
                if vertex == chain[-1] and self.graph.turned[number]:
                    aside += at.extent[vertex][0] / 4 * (1 if x > aside else -1)
                steps.append(((x, (y + low) / 2), (aside, (y + low) / 2), (aside, low)))
                x, y = aside, low
            onward = self._span(vertex)[0] if vertex == chain[-1] else high
            if onward > y:
                steps.append(((x, onward),))
                y = onward
        return start, steps


def _reversed(start: Point, steps: list[Step]) -> tuple[Point, list[Step]]:
    """The same way from its other end."""
    points = [start, *(step[-1] for step in steps)]
    back = [(*step[-2::-1], point) for step, point in zip(reversed(steps), reversed(points[:-1]), strict=True)]
    return points[-1], back


def _loop(arrow: Arrow, rect: Rect) -> Route:
    """An arrow from a box to itself, at its right side."""
    x, high, low = rect.x + rect.width, rect.y + rect.height * 0.3, rect.y + rect.height * 0.7
    return Route(arrow, (x, high), (((x + 20, high - 6), (x + 20, low + 6), (x, low)),), None)
