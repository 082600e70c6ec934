"""The map of a ruleset: a card for each subject, with a cell for everything in it that can be drawn. From afar one sees the subjects, closer what they hold.

Takes the graph and its subjects, gives a sheet. Cards stand in rows in the order of the files. How a subject leads to others is drawn, and seen when it is chosen. What is
too much for a map is counted and left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from rulewright_tools.pictures.labels import as_span
from rulewright_tools.pictures.layout import Rect
from rulewright_tools.pictures.marks import Marks
from rulewright_tools.pictures.measure import text_width
from rulewright_tools.pictures.model import LOOKS, MARKS, Box, Graph, clean, shortened
from rulewright_tools.pictures.names import record_of, sort_of
from rulewright_tools.pictures.outline import hook_in_words
from rulewright_tools.pictures.overview import title_of_ruleset
from rulewright_tools.pictures.sheet import Sheet
from rulewright_tools.pictures.subjects import Subject, between, edges
from rulewright_tools.pictures.svg import escape, legend

MOST_CELLS, MOST_IN_CARD = 8_000, 400
_CELL = (158.0, 22.0)
_PAD, _HEAD, _GAP, _MARGIN, _TITLE = 14.0, 76.0, 26.0, 30.0, 72.0
_STEP = _CELL[0] + 2 * _PAD + _GAP  # from one column of the map to the next
_SUBJECT = 32.0  # size of the name of a subject
STYLE = """
.rw-map text { font-family: system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; fill: #0f172a; }
.rw-map .rw-title { font-size: 34px; font-weight: 600; }
.rw-map .rw-box text { text-anchor: start; }
.rw-map .rw-box .rw-subject { font-size: 32px; font-weight: 600; }
.rw-map .rw-box .rw-note { font-size: 14px; fill: #475569; }
.rw-map .rw-cell text { font-size: 12px; }
.rw-map .rw-word { font-size: 11px; fill: #334155; }
.rw-map .rw-arrow { visibility: hidden; pointer-events: none; }
.rw-map .rw-arrow.near { visibility: visible; }
.rw-map .rw-arrow text { font-size: 19px; font-weight: 600; text-anchor: middle; }
"""
_SHORT = {
    "effect": "effects",
    "step": "steps",
    "phase": "phases",
    "event": "events",
    "action": "actions",
    "value": "values",
    "cost": "costs",
    "hook": "hooks",
}


def map_of(graph: Graph, parts: Sequence[Subject], found: Marks, style: bool = True) -> Sheet:
    """The map; with `style` its markup is a file of its own."""
    return _Map(graph, parts, found).sheet(title_of_ruleset(graph["ruleset"]), between(parts, edges(graph)), style)


class _Map:
    """A map while it is drawn."""

    def __init__(self, graph: Graph, parts: Sequence[Subject], found: Marks) -> None:
        self.graph, self.parts, self.marks = graph, parts, found
        self.boxes: list[Box] = []
        self.room = MOST_CELLS
        sizes = [self._size(part) for part in parts]
        self.width = max(
            sqrt(sum(columns * _STEP * (high + _GAP) for columns, high in sizes) * 1.9), *(columns * _STEP for columns, _ in sizes), 900.0
        )
        self.places, self.height = self._placed(sizes)

    def _size(self, part: Subject) -> tuple[int, float]:
        """How many columns of the map a card takes, so that it is about as wide as high, and its height."""
        cells = min(len(part.keys), MOST_IN_CARD + 1)
        columns = max(1, min(4, round(sqrt(cells / 5))), -(-int(text_width(part.name, _SUBJECT) * 1.12 + 2 * _PAD) // int(_STEP)))
        return columns, _HEAD + -(-cells // columns) * _CELL[1] + _PAD

    def _placed(self, sizes: Sequence[tuple[int, float]]) -> tuple[list[Rect], float]:
        """Cards, each where there is room highest up, so that their order goes to the right and down."""
        count = max(1, int((self.width + _GAP) // _STEP))
        bottoms = [0.0] * count
        places = []
        for columns, high in sizes:
            taken = min(count, columns)
            top, at = min((max(bottoms[at : at + taken]), at) for at in range(count - taken + 1))
            places.append(Rect(at * _STEP, top, taken * _STEP - _GAP, high))
            bottoms[at : at + taken] = [top + high + _GAP] * taken
        return places, max(bottoms) - _GAP

    def sheet(self, title: str, counts: Mapping[tuple[str, str], int], style: bool) -> Sheet:
        """Everything in its place."""
        cards = [self._card(part, rect) for part, rect in zip(self.parts, self.places, strict=True)]
        at = {part.key: rect for part, rect in zip(self.parts, self.places, strict=True)}
        arrows = [_arrow(one, two, at[one], at[two], count) for (one, two), count in counts.items()]
        samples, _, rows = legend({box.sort for box in self.boxes} - {"subject"}, set(), {box.mark for box in self.boxes}, 900.0)
        right = max((rect.x + rect.width for rect in self.places), default=0.0)
        width = max(right, text_width(title, 34.0)) + 2 * _MARGIN
        height = self.height + _TITLE + 70 + rows * 36 + _MARGIN
        sheet = f"<style>{escape(STYLE)}</style>\n" if style else ""
        markup = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rw-picture rw-map" role="img" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">\n'
            f'<title>{escape(title)}</title>\n{sheet}<rect class="rw-paper" width="{width:g}" height="{height:g}" fill="#ffffff"/>\n'
            f'<text class="rw-title" x="{_MARGIN:g}" y="48">{escape(title)}</text>\n<g transform="translate({_MARGIN:g} {_TITLE:g})">\n'
        )
        below = f'</g>\n<g class="rw-legend" transform="translate({_MARGIN:g} {self.height + _TITLE + 24:g}) scale(1.6)">'
        return Sheet(title, markup + "\n".join([*cards, *arrows, below, *samples, "</g>\n</svg>\n"]), tuple(self.boxes), whole=True, dims=True)

    def _card(self, part: Subject, rect: Rect) -> str:
        keys = list(part.keys[: min(MOST_IN_CARD, max(self.room, 0))])
        self.room -= len(keys)
        marks = [self.marks.of[key] for key in part.keys if key in self.marks.of]
        mark = next((each for each in ("new", "changed") if len([one for one in marks if one == each]) == len(part.keys)), "changed" if marks else "")
        told = ", ".join(part for part in (_counted(self.graph, part.keys), f"{len(marks)} of the layer" if marks else "") if part)
        head = self._open(Box(part.key, "subject", part.name, link=part.key, note=told, mark=mark), "rw-card")
        line = MARKS[mark][1] if mark else "#94a3b8"
        floor = (
            f'<rect x="{rect.x:g}" y="{rect.y:g}" width="{rect.width:g}" height="{rect.height:g}" rx="10" fill="#f8fafc" stroke="{line}" stroke-width="{2.5 if mark else 1.3}"/>'
            f'<text class="rw-subject" x="{rect.x + _PAD:g}" y="{rect.y + 38:g}">{escape(part.name)}</text>'
            f'<text class="rw-note" x="{rect.x + _PAD:g}" y="{rect.y + 60:g}">{escape(shortened(told, int((rect.width - 2 * _PAD) / 7)))}</text>'
        )
        columns = round((rect.width + _GAP) / _STEP)
        rows = -(-min(len(part.keys), MOST_IN_CARD + 1) // columns)
        cells = "".join(self._cell(key, rect, at // rows, at % rows, columns) for at, key in enumerate(keys))
        left_out = len(part.keys) - len(keys)
        more = (
            f'<text class="rw-note" x="{rect.x + rect.width - _PAD:g}" y="{rect.y + rect.height - 4:g}" text-anchor="end">and {left_out} more</text>'
            if left_out
            else ""
        )
        return f"{head}{floor}{cells}{more}</g>"

    def _cell(self, key: str, rect: Rect, column: int, row: int, columns: int) -> str:
        record, sort = record_of(self.graph, key), sort_of(self.graph, key)
        look = LOOKS[sort if sort != "method" or record["entry"] is not None else "value"]
        width = (rect.width - 2 * _PAD) / columns - 5
        x, y = rect.x + _PAD + column * (width + 5), rect.y + _HEAD + row * _CELL[1]
        label, note = _label(key, record, sort)
        mark = self.marks.of.get(key, "")
        head = self._open(Box(key, sort, label, as_span(record["span"]), key, cites=tuple(record["cites"]), note=note, mark=mark), "rw-cell")
        line = f'stroke="{MARKS[mark][1]}" stroke-width="2.4"' if mark else f'stroke="{look.line}" stroke-width="0.8"'
        shown = shortened(label, int((width - 10) / 6.3))
        return (
            f'{head}<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{_CELL[1] - 4:g}" rx="4" fill="{look.fill}" {line}/>'
            f'<text x="{x + 6:g}" y="{y + 13:g}">{escape(shown)}</text></g>'
        )

    def _open(self, box: Box, kind: str) -> str:
        self.boxes.append(box)
        about = f"{box.label}: {box.note}" if box.note else box.label
        return f'<g class="rw-box {kind}" data-box="{len(self.boxes) - 1}" data-id="{escape(box.id)}"><title>{escape(about)}</title>'


def _label(key: str, record: Mapping[str, object], sort: str) -> tuple[str, str]:
    """What a cell says, and what there is to add."""
    name = key.partition(":")[2]
    if sort == "hook":
        return clean(hook_in_words(record)), clean(str(record["of"] or name))
    return clean(name), clean(str(record.get("label") or ""))


def _counted(graph: Graph, keys: Sequence[str]) -> str:
    """What there is in a subject."""
    found: dict[str, int] = {}
    for key in keys:
        sort = str(record_of(graph, key)["what"]) if key.startswith("methods:") else sort_of(graph, key)
        found[sort] = found.get(sort, 0) + 1
    return ", ".join(f"{count} {_SHORT.get(sort, sort) if count != 1 else sort}" for sort, count in found.items())


def _arrow(source: str, target: str, one: Rect, two: Rect, count: int) -> str:
    """How often a subject leads to another: from the middle of one head to that of the other."""
    (x1, y1), (x2, y2) = ((rect.x + rect.width / 2, rect.y + 30) for rect in (one, two))
    x, y = (x1 + x2) / 2 + (y2 - y1) * 0.12, (y1 + y2) / 2 - (x2 - x1) * 0.12
    wide = min(14.0, 3 + sqrt(count))
    tx, ty = x1 * 0.16 + x * 0.48 + x2 * 0.36, y1 * 0.16 + y * 0.48 + y2 * 0.36  # on the curve, nearer to where it leads
    return (
        f'<g class="rw-arrow" data-from="{escape(source)}" data-to="{escape(target)}"><path d="M{x1:g} {y1:g}Q{x:g} {y:g} {x2:g} {y2:g}" fill="none" stroke="#1d4ed8" '
        f'style="stroke-width:{wide:.1f}px" opacity="0.55"/><circle cx="{x2:g}" cy="{y2:g}" r="{wide + 4:.1f}" fill="#1d4ed8"/>'
        f'<circle cx="{tx:g}" cy="{ty:g}" r="17" fill="#ffffff" stroke="#1d4ed8"/><text x="{tx:g}" y="{ty + 6.5:g}">{count}</text></g>'
    )
