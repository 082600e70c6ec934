"""The empty board as SVG, as the table in the browser lays it out: spots at their positions, links between them with what is printed on them, grids as grids.

Takes a layout, gives text, or nothing where a ruleset has no board. Every label is escaped. In a page that has the colours of `colours.css` and `STYLE` the drawing is dressed
by it, light or dark; `alone` it brings both along and can be a file of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from importlib.resources import files
from math import sqrt
from typing import Any

from rulewright_tools.page.markup import escape
from rulewright_tools.table.layout import Layout
from rulewright_tools.table.positions import Position

UNIT, CELL = 150.0, 96.0  # from spot to spot, and from cell to cell of a board that is nothing but grids
WIDE, HIGH = 118.0, 84.0
EDGE = 20.0
LINE, LETTERS = 15, 15  # height of a line, and letters in one
HEXAGON = sqrt(3) / 2
LARGEST = 4000  # spots that are drawn: a larger board is no picture any more
Link = Callable[[str], str]  # the address of what something on the board is, by its name; empty if there is none

STYLE = """
.board { display: block; max-width: 100%; height: auto; margin: 0 auto; font-family: var(--sans); }
.board text { text-anchor: middle; fill: var(--ink); }
.board .floor { fill: var(--surface); stroke: color-mix(in oklab, var(--ink) 26%, var(--surface)); stroke-width: 1.6; }
.board .band { fill: color-mix(in oklab, var(--ink) 12%, var(--surface)); }
.board [class*="c-"] .floor { fill: color-mix(in oklab, var(--c) 13%, var(--surface)); stroke: color-mix(in oklab, var(--c) 60%, var(--rule)); }
.board [class*="c-"] .band { fill: var(--c); }
.board .dark .floor { fill: color-mix(in oklab, var(--ink) 14%, var(--surface)); }
.board .label { font-size: 13.5px; font-weight: 600; }
.board .long { font-size: 12px; }
.board .notes { font-size: 10.5px; fill: var(--muted); }
.board .coordinate { font-size: 12px; fill: var(--muted); }
.board .way line { stroke: color-mix(in oklab, var(--ink) 30%, var(--paper)); stroke-width: 7; stroke-linecap: round; }
.board .tag { fill: var(--paper); stroke: var(--rule); }
.board .way text, .board .port text { font-size: 11.5px; font-weight: 600; fill: var(--muted); }
.board a { cursor: pointer; }
.board a:hover .floor, .board a:focus-visible .floor { stroke: var(--accent); stroke-width: 3.5; }
"""


def board_svg(layout: Layout, *, title: str, link: Link = lambda name: "", alone: bool = False) -> str:
    """The board of a ruleset; empty if it has none. `link` leads from what a spot is to where it is told about."""
    if not layout.spots or len(layout.spots) > LARGEST:
        return ""
    drawn = _Drawing(layout, link)
    spots = "".join(drawn.spot(number) for number in layout.spots)
    ways = "".join(drawn.way(number, ends) for number, ends in layout.links.items() if number not in layout.ports)
    marks = "".join(drawn.tag(number, ends) for number, ends in layout.links.items() if number not in layout.ports)
    ports = "".join(drawn.port(spot, texts) for spot, texts in drawn.port_texts().items())
    left, top, width, height = drawn.box()
    sheet = f"<style>{_sheet()}</style>" if alone else ""
    shape = " grid" if drawn.only_grids else ""
    role = "group" if "<a " in spots else "img"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board{shape}" role="{role}" aria-label="{escape(title)}" viewBox="{left:g} {top:g} {width:g} {height:g}" width="{width:g}" height="{height:g}">'
    return f"{head}<title>{escape(title)}</title>{sheet}{ways}{spots}{marks}{ports}{drawn.coordinates()}</svg>"


def _sheet() -> str:
    return files("rulewright_tools").joinpath("serve/static/style/colours.css").read_text(encoding="utf-8") + STYLE


class _Drawing:
    """A board while it is drawn."""

    def __init__(self, layout: Layout, link: Link) -> None:
        self.layout, self.link = layout, link
        self.only_grids = all(number in layout.world.grid_of for number in layout.spots)
        self.unit = CELL if self.only_grids else UNIT
        self.dense = HEXAGON if self.only_grids and layout.grids and all(grid.hexagonal for grid in layout.grids.values()) else 1.0
        self.fields = {number: self._fields(number) for number in (*layout.spots, *layout.links)}
        self.usual = Counter((layout.world.kinds[number], name, str(value)) for number, found in self.fields.items() for name, value in found.items())
        self.of_kind = Counter(layout.world.kinds[number] for number in self.fields if number < layout.world.count)

    def _fields(self, number: int) -> Mapping[str, Any]:
        if number >= self.layout.world.count:
            return {}
        found: Mapping[str, Any] = self.layout.rules.graph["components"].get(self.layout.world.definitions[number], {}).get("fields", {})
        return found

    def at(self, number: int) -> Position:
        """Where the middle of a spot is."""
        x, y = self.layout.spots[number]
        return (x + 0.5) * self.unit, (y * self.dense + 0.5 / self.dense) * self.unit

    def box(self) -> tuple[float, float, float, float]:
        """What the drawing covers; positions may lie left of or above nought."""
        places = [self.at(number) for number in self.layout.spots]
        half = self.unit / 2 + (EDGE if self._is_one_grid() or not self.only_grids else 2)
        left, top = min(x for x, _ in places) - half, min(y for _, y in places) - half / self.dense
        right, bottom = max(x for x, _ in places) + half, max(y for _, y in places) + half / self.dense
        return left, top, right - left, bottom - top

    def _is_one_grid(self) -> bool:
        return self.only_grids and len(self.layout.grids) == 1

    # -- spots

    def spot(self, number: int) -> str:
        """A place on the board, with its name and what is special about it."""
        layout, (x, y) = self.layout, self.at(number)
        name = layout.world.identities[number] if number < layout.world.count else layout.world.place_names[number]
        look = layout.look(number, dict(self.fields[number])) if number < layout.world.count else layout.place_looks[number]
        grid = layout.grids.get(layout.world.grid_of.get(number, ""))
        classes = ["spot", *([f"c-{look.colour}"] if look.colour else [])]
        if grid is not None:
            row, column = self._cell(number)
            classes += ["dark"] if grid.chequered and (row + column) % 2 else []
            inside = _hexagon(CELL - 5) if grid.hexagonal else _box(CELL - 4, CELL - 4, 8)
        else:
            inside = self._named(layout.words.labels[number], self._notes(number))
        made = f'<g class="{" ".join(classes)}" transform="translate({x:g} {y:g})"><title>{escape(layout.words.labels[number])}</title>{inside}</g>'
        address = self.link(name)
        return f'<a href="{escape(address)}">{made}</a>' if address else made

    def _cell(self, number: int) -> tuple[int, int]:
        rows = self.layout.world.cells[self.layout.world.grid_of[number]]
        return next((row, cells.index(number)) for row, cells in enumerate(rows) if number in cells)

    def _named(self, label: str, notes: list[str]) -> str:
        top = -HIGH / 2
        band = f'<path class="band" d="M {-WIDE / 2:g} {top + 14:g} a 14 14 0 0 1 14 -14 h {WIDE - 28:g} a 14 14 0 0 1 14 14 z"/>'
        lines = _lines(label, LETTERS, 3 if not notes else 2)
        first = (14 - (len(lines) - 1) * LINE) / 2 + (0 if not notes else -6)
        words = "".join(
            f'<text class="label{" long" if len(line) > 12 else ""}" y="{first + number * LINE:g}">{escape(line)}</text>'
            for number, line in enumerate(lines)
        )
        told = f'<text class="notes" y="{HIGH / 2 - 8:g}">{escape(_lines(" · ".join(notes), 24, 1)[0])}</text>' if notes else ""
        return _box(WIDE, HIGH, 14) + band + words + told

    def _notes(self, number: int) -> list[str]:
        """The words in which it differs from most of its kind."""
        if number >= self.layout.world.count:
            return []
        kind, by = self.layout.world.kinds[number], self.layout.style.attributes(self.layout.names[number]).get("colour_by")
        return [
            self.layout.words.word(value)
            for name, value in self.fields[number].items()
            if isinstance(value, str) and name != by and self.usual[kind, name, str(value)] * 2 <= self.of_kind[kind] and len(value) < 16
        ]

    # -- links

    def way(self, number: int, ends: tuple[int, int]) -> str:
        """The line of a link."""
        if any(end not in self.layout.spots for end in ends):
            return ""
        (x1, y1), (x2, y2) = (self.at(end) for end in ends)
        return f'<g class="way"><line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/></g>'

    def tag(self, number: int, ends: tuple[int, int]) -> str:
        """What is printed on a link, above everything else."""
        if any(end not in self.layout.spots for end in ends) or not (told := self._printed(number)):
            return ""
        (x1, y1), (x2, y2) = (self.at(end) for end in ends)
        wide = len(told) * 7 + 14
        rect = f'<rect class="tag" x="{-wide / 2:g}" y="-10" width="{wide:g}" height="20" rx="10"/>'
        return f'<g class="way" transform="translate({(x1 + x2) / 2:g} {(y1 + y2) / 2:g})">{rect}<text y="4">{escape(told)}</text></g>'

    def _printed(self, number: int) -> str:
        numbers = [value for value in self.fields[number].values() if isinstance(value, int | list) and not isinstance(value, bool)]
        told = [", ".join(map(str, value)) if isinstance(value, list) else str(value) for value in numbers]
        return " ".join([*told, *self._notes(number)])[:18]

    def port_texts(self) -> dict[int, list[str]]:
        """The links that are marks on a spot, by that spot."""
        found: dict[int, list[str]] = {}
        for number in self.layout.ports:
            spot = self.layout.links[number][0]
            if spot in self.layout.spots:
                look = self.layout.look(number, dict(self.fields[number]))
                found.setdefault(spot, []).append(f"{look.symbol} {self._printed(number)}".strip() or "·")
        return found

    def port(self, spot: int, texts: list[str]) -> str:
        """Such marks, at the upper right corner of the spot."""
        x, y = self.at(spot)
        told = "  ".join(texts)[:18]
        wide = max(26, len(told) * 7 + 12)
        rect = f'<rect class="tag" x="{-wide:g}" y="-10" width="{wide:g}" height="20" rx="7"/>'
        return f'<g class="port" transform="translate({x + WIDE / 2 + 6:g} {y - HIGH / 2:g})">{rect}<text x="{-wide / 2:g}" y="4">{escape(told)}</text></g>'

    # -- grids

    def coordinates(self) -> str:
        """Numbers of rows and columns, where the board is one grid of squares."""
        if not self._is_one_grid() or (grid := next(iter(self.layout.grids.values()))).hexagonal:
            return ""
        left, top = self.box()[:2]
        cells = self.layout.world.cells[grid.id]
        rows = ((left + 9, self.at(row[0])[1] + 4, number) for number, row in enumerate(cells, 1))
        columns = ((self.at(cell)[0], top + 13, number) for number, cell in enumerate(cells[0], 1))
        return "".join(f'<text class="coordinate" x="{x:g}" y="{y:g}">{number}</text>' for x, y, number in (*rows, *columns))


def _box(width: float, height: float, round: int) -> str:
    return f'<rect class="floor" x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="{round}"/>'


def _hexagon(width: float) -> str:
    half, side = width / 2, width / 2 / HEXAGON
    return f'<path class="floor" d="M 0 {-side:g} L {half:g} {-side / 2:g} V {side / 2:g} L 0 {side:g} L {-half:g} {side / 2:g} V {-side / 2:g} Z"/>'


def _lines(text: str, width: int, most: int) -> list[str]:
    """A label in lines of about so many letters."""
    found = [""]
    for word in text.split():
        if found[-1] and len(found[-1]) + 1 + len(word) > width:
            found.append(word)
        else:
            found[-1] = f"{found[-1]} {word}".strip()
    kept = [line if len(line) <= width + 2 else f"{line[:width]}…" for line in found[:most]]
    return kept if len(found) <= most else [*kept[:-1], f"{kept[-1].rstrip('…')[:width]}…"]
