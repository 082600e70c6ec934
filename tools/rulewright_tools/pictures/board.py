"""The board of a ruleset as it stands when a game begins: places and ways where `table.yaml` puts them, what lies there for all to see, and below it tracks, decks and
other places in their groups.

Takes a table as one sees it who looks on, and the graph for where things are written; gives a sheet. Nothing that is hidden at the table is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot, sqrt

from rulewright_tools.pictures.labels import as_span
from rulewright_tools.pictures.measure import text_width
from rulewright_tools.pictures.model import Box, Graph, Span, clean, shortened
from rulewright_tools.pictures.sheet import Sheet
from rulewright_tools.pictures.svg import escape
from rulewright_tools.table import Link, Look, Place, Spot, Table, Thing, Track

UNIT, CELL = 150.0, 64.0
BOX = (118.0, 84.0)
MOST_SPOTS, MOST_PLACES, MOST_SPACES = 2_500, 400, 60
_HEXAGON = sqrt(3) / 2
_MARGIN, _TITLE, _GAP = 24.0, 44.0, 14.0
_SPACE = 34.0  # of a track
COLOURS = {
    "red": "#b3322b", "orange": "#c25a10", "yellow": "#e0b93a", "green": "#3d7a35", "teal": "#1c7573", "blue": "#2b63a8", "purple": "#70479c", "pink": "#b03e77",
    "brown": "#7a5534", "white": "#f3efe6", "grey": "#6c6a66", "black": "#2c2b2a",
}  # fmt: skip
_ON_LIGHT = frozenset({"yellow", "white"})
_TOKENS = ("teal", "blue", "purple", "brown", "pink", "orange", "green", "grey")
STYLE = """
.rw-board text { font-family: system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; fill: #0f172a; text-anchor: middle; font-size: 12px; }
.rw-board .rw-title { font-size: 17px; font-weight: 600; text-anchor: start; }
.rw-board .rw-group { font-size: 12px; font-weight: 600; fill: #475569; text-anchor: start; }
.rw-board .rw-note { font-size: 10px; fill: #475569; }
.rw-board .rw-token { font-size: 10px; font-weight: 600; }
"""
Point = tuple[float, float]


def board(table: Table, graph: Graph, style: bool = True) -> Sheet:
    """The sheet; with `style` its markup is a file of its own."""
    return _Drawing(table, graph).sheet(style)


class _Drawing:
    """A board while it is drawn."""

    def __init__(self, table: Table, graph: Graph) -> None:
        self.table, self.graph = table, graph
        self.spots = dict(list(table.board.spots.items())[:MOST_SPOTS])
        self.only_grids = bool(self.spots) and all(spot.grid for spot in self.spots.values())
        self.unit = CELL if self.only_grids else UNIT
        hexagons = self.only_grids and all(grid.hexagonal for grid in table.board.grids.values())
        self.dense = _HEXAGON if hexagons else 1.0
        self.boxes: list[Box] = []
        self.width = (table.board.width + 1) * self.unit if self.spots else 0.0
        self.height = (table.board.height * self.dense + 1 / self.dense) * self.unit if self.spots else 0.0
        self.above = 0.0 if self.only_grids or not self.spots else (UNIT - BOX[1]) / 2 - 14  # left free by spots that do not touch

    def sheet(self, style: bool) -> Sheet:
        """Everything in its place."""
        table = self.table
        title = shortened(clean(table.title), 80)
        if len(self.spots) < len(table.board.spots):
            title += f" (only {MOST_SPOTS} of {len(table.board.spots)} places are drawn)"
        links = [link for link in table.board.links.values() if link.ends[0] in self.spots]
        parts = [self._way(link) for link in links if not link.port and link.ends[1] in self.spots]
        parts += [self._spot(spot) for spot in self.spots.values()]
        parts += [self._port(link, number) for link, number in _numbered(links)]
        room = max(self.width, 620.0)
        below, bottom, right = self._below(self.height + (26.0 if self.spots else 0.0), room)
        width = max(self.width, right, text_width(title, 18.0)) + 2 * _MARGIN
        height = bottom + _TITLE + _MARGIN - self.above
        sheet = f"<style>{escape(STYLE)}</style>\n" if style else ""
        markup = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rw-board" role="img" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">\n'
            f'<title>{escape(title)}</title>\n{sheet}<rect class="rw-paper" width="{width:g}" height="{height:g}" fill="#ffffff"/>\n'
            f'<text class="rw-title" x="{_MARGIN:g}" y="30">{escape(title)}</text>\n<g transform="translate({_MARGIN:g} {_TITLE - self.above:g})">\n'
        )
        return Sheet(title, markup + "\n".join([*parts, *below, "</g>\n</svg>\n"]), tuple(self.boxes), whole=True)

    # -- the board

    def at(self, spot: Spot) -> Point:
        """The middle of a spot."""
        return (spot.x + 0.5) * self.unit, (spot.y * self.dense + 0.5 / self.dense) * self.unit

    def _spot(self, spot: Spot) -> str:
        x, y = self.at(spot)
        grid = self.table.board.grids.get(spot.grid)
        cell = self.only_grids or bool(spot.grid)
        width, height = (CELL - 4, CELL - 4) if cell else BOX
        fill, line = _paint(spot.look)
        if grid is not None and grid.chequered and (spot.row + spot.column) % 2:
            fill = "#e2e8f0"
        paint = f'fill="{fill}" stroke="{line}" stroke-width="1.4"'
        things = [self.table.things[each] for each in self._members(spot.id) if each != spot.cover]
        if grid is not None and grid.hexagonal:
            floor = f'<path d="{_hexagon(x, y, CELL - 3)}" {paint}/>'
        else:
            floor = f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="{6 if cell else 12}" {paint}/>'
        text = "" if cell else _lines(spot.label, x, y - height / 2 + 22, width - 12)
        if spot.printed and not cell:
            text += f'<text class="rw-note" x="{x:g}" y="{y + height / 2 - 8:g}">{escape(clean(spot.printed))}</text>'
        tokens = self._tokens(things, x, y if cell else y + height / 2 - 24, width - 12, 20.0 if cell and len(things) == 1 else 10.0)
        lying = ", ".join(thing.label for thing in things if not thing.hidden)
        cover = self.table.things.get(spot.cover)
        span, cites = self._written(spot.name if cover is None or cover.hidden else cover.name)
        return self._boxed(Box(spot.id, "spot", clean(spot.label), span, cites=cites, note=clean(lying)), floor + text + tokens)

    def _members(self, place: str) -> list[str]:
        found = self.table.places.get(place)
        return found.members if found is not None else []

    def _tokens(self, things: Sequence[Thing], x: float, y: float, width: float, radius: float) -> str:
        """What lies there and can be told, alike things once; what lies face down is part of the floor."""
        groups: dict[tuple[str, str], list[Thing]] = {}
        for thing in things:
            if not thing.hidden:
                groups.setdefault((thing.name, thing.label), []).append(thing)
        room = max(1, int(width // (radius * 2 + 4)))
        shown = list(groups.values())[:room]
        left = x - (len(shown) - 1) * (radius + 2)
        return "".join(self._token(group, left + at * (radius * 2 + 4), y, radius) for at, group in enumerate(shown))

    def _token(self, group: Sequence[Thing], x: float, y: float, radius: float) -> str:
        thing = group[0]
        name = thing.look.colour if thing.look.colour in COLOURS else _TOKENS[sum(map(ord, thing.name)) % len(_TOKENS)]
        symbol = clean(thing.look.symbol) or "".join(word[0] for word in clean(thing.label).split()[:2]).upper()
        ink = "#25221d" if name in _ON_LIGHT else "#ffffff"
        size = radius * (0.75 if len(symbol) > 2 else 1.0)
        count = _count(len(group), x + radius * 0.9, y - radius * 0.8) if len(group) > 1 else ""
        return (
            f'<g class="rw-token"><title>{escape(clean(thing.label))}</title><circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[name]}" stroke="#334155" stroke-width="0.8"/>'
            f'<text x="{x:g}" y="{y + size * 0.36:g}" style="font-size:{size:g}px;fill:{ink}">{escape(symbol)}</text>{count}</g>'
        )

    def _way(self, link: Link) -> str:
        (x1, y1), (x2, y2) = (self.at(self.spots[end]) for end in link.ends[:2])
        colour = COLOURS.get(link.look.colour, "#64748b")
        line = f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{colour}" stroke-width="5" stroke-linecap="round" fill="none" opacity="0.75"/>'
        if link.one_way:
            line += _arrowhead(x1, y1, x2, y2, colour)
        told = _told(link)
        tag = _tag(told, (x1 + x2) / 2, (y1 + y2) / 2) if told else ""
        return self._boxed(self._link_box(link, told), line + tag)

    def _port(self, link: Link, number: int) -> str:
        x, y = self.at(self.spots[link.ends[0]])
        told = f"{link.look.symbol} {_told(link)}".strip() or "·"
        return self._boxed(self._link_box(link, told), _tag(told, x + BOX[0] / 2 - 16, y - BOX[1] / 2 + number * 20, "#e2e8f0"))

    def _link_box(self, link: Link, told: str) -> Box:
        span, cites = self._written(link.name)
        ends = " – ".join(self.spots[end].label if end in self.spots else self._label(end) for end in link.ends)
        return Box(link.id, "way", clean(f"{link.kind.replace('_', ' ')} {told}"), span, cites=cites, note=clean(ends))

    def _label(self, end: str) -> str:
        return self.table.places[end].label if end in self.table.places else end

    # -- what stands below

    def _below(self, top: float, room: float) -> tuple[list[str], float, float]:
        """Groups of tracks and places in rows; where they end, downwards and to the right."""
        parts: list[str] = []
        x, y, row, right = 0.0, top, 0.0, 0.0
        for label, members in self._groups():
            drawn = [self._member(each) for each in members]
            width = max(sum(each[0] for each in drawn) + _GAP * (len(drawn) - 1), text_width(label, 13.0))
            if x and x + width > room:
                x, y, row = 0.0, y + row + _GAP, 0.0
            parts.append(f'<text class="rw-group" x="{x:g}" y="{y + 12:g}">{escape(label)}</text>')
            line, left = y + 20, x
            for wide, high, member in drawn:
                if x > left and x + wide > room:
                    x, line = left, line + 52
                parts.append(self._boxed(*self._placed(member, x, line)))
                x += wide + _GAP
                right, row = max(right, x - _GAP), max(row, line + high - y)
            x += _GAP
        return parts, (y + row if parts else top), right

    def _groups(self) -> Iterator[tuple[str, list[Track | Place]]]:
        """The groups as the table has them; what is in none comes last."""
        table, done = self.table, set[str]()
        places = {id: place for id, place in table.places.items() if not place.owner and id not in table.board.spots and id != "box"}
        places = dict(list(places.items())[:MOST_PLACES])
        found: dict[str, Track | Place] = {**table.tracks, **places}
        for group in table.groups:
            members = [found[id] for id in group.members if id in found and id not in done]
            done |= {member.id for member in members}
            if members:
                yield shortened(clean(group.label), 60), members
        tracks = [track for track in table.tracks.values() if track.id not in done]
        if tracks:
            yield "Tracks", list(tracks)
        rest = [place for place in places.values() if place.id not in done]
        if rest:
            yield "Places", list(rest)

    def _member(self, member: Track | Place) -> tuple[float, float, Track | Place]:
        """Something with its size."""
        if isinstance(member, Track):
            return max(len(_spaces(member)) * _pace(member), text_width(member.label, 10.0)), _SPACE + 14, member
        return max(74.0, text_width(shortened(clean(member.label), 26), 11.0) + 14), _SPACE + 8, member

    def _placed(self, member: Track | Place, x: float, y: float) -> tuple[Box, str]:
        wide, _, _ = self._member(member)
        if isinstance(member, Track):
            span, cites = self._written(member.id)
            markup = f'<text class="rw-note" style="text-anchor:start" x="{x:g}" y="{y + 8:g}">{escape(clean(member.label))}</text>'
            markup += "".join(_space(member, at, x, y + 12) for at in range(len(_spaces(member))))
            return Box(member.id, "track", clean(member.label), span, cites=cites, note=f"space {member.space} of {len(member.spaces)}"), markup
        span, cites = self._written(member.name)
        holds = "empty" if member.count == 0 else f"{member.count}" + (" face down" if member.closed else "")
        markup = _slot(member, x, y, wide) + (
            f'<text x="{x + wide / 2:g}" y="{y + 17:g}" style="font-size:11px">{escape(shortened(clean(member.label), 26))}</text>'
            f'<text class="rw-note" x="{x + wide / 2:g}" y="{y + 32:g}">{escape(holds)}</text>'
        )
        return Box(member.id, "place", clean(member.label), span, cites=cites, note=f"{member.shape}, {holds}"), markup

    # -- all of them

    def _boxed(self, box: Box, markup: str) -> str:
        self.boxes.append(box)
        about = f"{box.label}: {box.note}" if box.note else box.label
        return f'<g class="rw-box" data-box="{len(self.boxes) - 1}" data-id="{escape(box.id)}"><title>{escape(about)}</title>{markup}</g>'

    def _written(self, name: str) -> tuple[Span | None, tuple[str, ...]]:
        """Where something is declared, and what it cites."""
        record = next((self.graph[table][name] for table in ("components", "places", "tracks", "grids") if name in self.graph[table]), None)
        if record is None or not record.get("span"):
            return None, ()
        return as_span(record["span"]), tuple(record.get("cites", ()))


def _numbered(links: Iterable[Link]) -> Iterator[tuple[Link, int]]:
    """Ports, each with how many its spot has before it."""
    seen: dict[str, int] = {}
    for link in links:
        if link.port:
            yield link, seen.setdefault(link.ends[0], 0)
            seen[link.ends[0]] += 1


def _count(number: int, x: float, y: float) -> str:
    """How many there are, at the edge of a token."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="6.5" fill="#ffffff" stroke="#334155" stroke-width="0.8"/>'
        f'<text x="{x:g}" y="{y + 3:g}" style="font-size:9px">{number}</text>'
    )


def _told(link: Link) -> str:
    """What is printed on a way: its numbers, and what is special about it."""
    numbers = [value for value in link.fields.values() if isinstance(value, int | list) and not isinstance(value, bool)]
    words = [", ".join(map(str, value)) if isinstance(value, list) else str(value) for value in numbers]
    return shortened(clean(" ".join([*words, *link.marks])), 18)


def _paint(look: Look) -> tuple[str, str]:
    """The floor of a spot, and its line."""
    colour = COLOURS.get(look.colour)
    if colour is None:
        return "#f8fafc", "#64748b"
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * 0.2):02x}" for part in parts), colour


def _hexagon(x: float, y: float, width: float) -> str:
    """A hexagon that stands on a corner, so wide."""
    half, side = width / 2, width / 2 / _HEXAGON
    points = ((0, -side), (half, -side / 2), (half, side / 2), (0, side), (-half, side / 2), (-half, -side / 2))
    return "M" + "L".join(f"{x + dx:g} {y + dy:.1f}" for dx, dy in points) + "Z"


def _lines(label: str, x: float, y: float, width: float) -> str:
    """A label in at most three lines."""
    lines = [""]
    for word in clean(label).split(" "):
        joined = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(joined) > width:
            lines.append(word)
        else:
            lines[-1] = joined
    if len(lines) > 3:
        lines = [*lines[:2], lines[2] + " …"]
    spans = "".join(f'<tspan x="{x:g}" y="{y + at * 15:g}">{escape(shortened(line, 22))}</tspan>' for at, line in enumerate(lines))
    return f"<text>{spans}</text>"


def _tag(text: str, x: float, y: float, fill: str = "#ffffff") -> str:
    width = text_width(text, 10.0) + 12
    return (
        f'<rect x="{x - width / 2:g}" y="{y - 9:g}" width="{width:g}" height="18" rx="9" fill="{fill}" stroke="#64748b"/>'
        f'<text class="rw-note" x="{x:g}" y="{y + 3.5:g}">{escape(text)}</text>'
    )


def _arrowhead(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """Where a way leads that leads only one way; past its middle, where its label may be."""
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    x, y = x1 + (x2 - x1) * 0.64, y1 + (y2 - y1) * 0.64
    points = ((x + dx * 8, y + dy * 8), (x - dx * 6 - dy * 8, y - dy * 6 + dx * 8), (x - dx * 6 + dy * 8, y - dy * 6 - dx * 8))
    return f'<polygon points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}" fill="{colour}"/>'


def _on_space(word: str, at: int) -> str:
    """What is written on a space of a track."""
    return str(at + 1) if word in COLOURS or word == "plain" else shortened(clean(word.replace("_", " ")), 12)


def _spaces(track: Track) -> list[str]:
    """The spaces of a track; of one without end the first, and how many are not drawn."""
    more = len(track.spaces) - MOST_SPACES
    return track.spaces if more <= 0 else [*track.spaces[:MOST_SPACES], f"+{more}"]


def _pace(track: Track) -> float:
    """How wide the spaces of a track are."""
    return max(_SPACE, *(text_width(_on_space(word, at), 10.0) + 8 for at, word in enumerate(_spaces(track))))


def _space(track: Track, at: int, left: float, y: float) -> str:
    """A space of a track; the marker stands on one."""
    word, pace = _spaces(track)[at], _pace(track)
    x, (fill, line) = left + at * pace, _paint(Look(colour=word))
    marked = (
        f'<rect x="{x + 3:g}" y="{y + 3:g}" width="{pace - 8:g}" height="{_SPACE - 16:g}" rx="3" fill="none" stroke="#0f172a" stroke-width="2.5"/>'
    )
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{pace - 2:g}" height="{_SPACE - 10:g}" rx="4" fill="{fill}" stroke="{line}"><title>{escape(clean(word))}</title></rect>'
        f"{marked if at + 1 == track.space else ''}"
        f'<text class="rw-note" x="{x + pace / 2 - 1:g}" y="{y + 16:g}">{escape(_on_space(word, at))}</text>'
    )


def _slot(place: Place, x: float, y: float, width: float) -> str:
    """A place by its shape: a pile has something under it, a bag is round, a row is open."""
    fill, line = _paint(place.look)
    area = f'width="{width:g}" height="{_SPACE + 6:g}"'
    radius = {"bag": 20, "pile": 5}.get(place.shape, 7)
    dashes = ' stroke-dasharray="5 3"' if place.count == 0 else ""
    under = (
        f'<rect x="{x + 4:g}" y="{y + 4:g}" {area} rx="{radius}" fill="#e2e8f0" stroke="{line}"/>'
        if place.shape == "pile" and place.count > 1
        else ""
    )
    return f'{under}<rect x="{x:g}" y="{y:g}" {area} rx="{radius}" fill="{fill}" stroke="{line}"{dashes}/>'
