"""A picture as SVG that stands alone: no script, no font, no reference to anything outside.

Takes a placed picture, gives text. Every label and attribute is escaped; the classes and colours come from our tables
only. In a page of HTML many drawings share one style sheet (`STYLE`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import hypot
from xml.sax.saxutils import escape as _escape

from rulewright_tools.pictures.layout import Placed, Point, Rect, Route
from rulewright_tools.pictures.measure import FONT, LINE, NOTE_FONT, Sized, label_size, text_width
from rulewright_tools.pictures.model import LOOKS, MARKS, STROKES

_TITLE = 34.0
_LEGEND = 40.0

STYLE = """
.rw-picture text { font-family: system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; fill: #0f172a; }
.rw-box text { font-size: 12px; text-anchor: middle; }
.rw-picture .rw-note { font-size: 10px; fill: #475569; }
.rw-picture .rw-label { font-size: 11px; text-anchor: middle; }
.rw-picture .rw-title { font-size: 16px; font-weight: 600; }
.rw-picture .rw-word { font-size: 11px; fill: #334155; }
.rw-picture .rw-group { font-size: 13px; font-weight: 600; fill: #475569; }
.rw-arrow path { fill: none; stroke-width: 1.3; }
.rw-picture .rw-badge { font-size: 9px; font-weight: 600; fill: #ffffff; text-anchor: middle; }
"""


def escape(text: str) -> str:
    """Text fit for an element or an attribute in double quotes, in XML and in HTML."""
    return _escape(text, {'"': "&quot;", "'": "&#39;"})


def svg(placed: Placed, style: bool = True) -> str:
    """The picture with title and legend; without `style` it relies on a page that has the sheet."""
    boxes, arrows = placed.picture.boxes, placed.picture.arrows
    samples, legend_width, rows = legend(
        {box.sort for box in boxes}, {arrow.style for arrow in arrows}, {box.mark for box in boxes}, max(placed.width - 48, 620.0)
    )
    width = max(placed.width, legend_width + 48, text_width(placed.picture.title, 18) + 48)
    height = placed.height + _TITLE + _LEGEND + rows * 22
    title = escape(placed.picture.title)
    sheet = f"<style>{escape(STYLE)}</style>\n" if style else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rw-picture" role="img" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n<title>{title}</title>\n{sheet}'
        f'<rect class="rw-paper" width="{width:g}" height="{height:g}" fill="#ffffff"/>\n'
        f'<text class="rw-title" x="24" y="28">{title}</text>\n<g transform="translate(0 {_TITLE:g})">',
        *(_frame(name, rect) for name, rect in placed.frames),
        *(_arrow(route) for route in placed.routes),
        *(_box(number, sized, rect) for number, (sized, rect) in enumerate(placed.boxes.values())),
        *(_arrow_label(route) for route in placed.routes if route.label),
        f'</g>\n<g class="rw-legend" transform="translate(24 {placed.height + _TITLE + 14:g})">',
        *samples,
        "</g>\n</svg>\n",
    ]
    return "\n".join(parts)


def _frame(name: str, rect: Rect) -> str:
    return (
        f'<g class="rw-frame"><rect x="{rect.x:g}" y="{rect.y:g}" width="{rect.width:g}" height="{rect.height:g}" '
        f'rx="8" fill="#f8fafc" stroke="#cbd5e1"/><text class="rw-group" x="{rect.x + 12:g}" y="{rect.y + 18:g}">'
        f"{escape(name)}</text></g>"
    )


def _box(number: int, sized: Sized, rect: Rect) -> str:
    """A box; data-box is its place among the boxes of the picture, data-id what arrows call it."""
    box = sized.box
    middle = rect.x + rect.width / 2
    top = rect.y + (rect.height - len(sized.lines) * LINE - (13.0 if sized.note else 0.0)) / 2 + FONT
    lines = "".join(f'<tspan x="{middle:g}" y="{top + at * LINE:g}">{escape(line)}</tspan>' for at, line in enumerate(sized.lines))
    text = f"<text>{lines}</text>" if lines else ""
    if sized.note:
        text += f'<text class="rw-note" x="{middle:g}" y="{rect.y + rect.height - 9:g}">{escape(sized.note)}</text>'
    more = f" rw-{box.sort}" + (" rw-link" if box.link else "")
    return f'<g class="rw-box{more}" data-box="{number}" data-id="{escape(box.id)}"><title>{escape(box.label)}</title>{shape(box.sort, rect)}{text}{badge(box.mark, rect)}</g>'


def badge(mark: str, rect: Rect) -> str:
    """A mark on the upper right corner of a box, with a line around the box."""
    if not mark:
        return ""
    colour, width = MARKS[mark][1], text_width(mark, 9.0) + 8
    x, y = rect.x + rect.width - width + 6, rect.y - 7
    around = f'x="{rect.x - 3:g}" y="{rect.y - 3:g}" width="{rect.width + 6:g}" height="{rect.height + 6:g}" rx="6"'
    return (
        f'<rect class="rw-mark" {around} fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<rect class="rw-mark" x="{x:g}" y="{y:g}" width="{width:g}" height="13" rx="6" fill="{colour}"/>'
        f'<text class="rw-badge" x="{x + width / 2:g}" y="{y + 9.5:g}">{mark}</text>'
    )


def shape(sort: str, rect: Rect) -> str:
    """The outline of a sort of box."""
    look = LOOKS[sort]
    x, y, w, h = rect.x, rect.y, rect.width, rect.height
    paint = f'fill="{look.fill}" stroke="{look.line}" stroke-width="1.3"'
    area = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"'
    if look.shape == "dot":
        return f'<circle cx="{x + w / 2:g}" cy="{y + h / 2:g}" r="{w / 2:g}" {paint}/>'
    if look.shape == "hexagon":
        corner = min(12.0, h / 2)
        return _polygon([(x + corner, y), (x + w - corner, y), (x + w, y + h / 2), (x + w - corner, y + h),
                         (x + corner, y + h), (x, y + h / 2)], paint)  # fmt: skip
    if look.shape == "slanted":
        return _polygon([(x + 8, y), (x + w, y), (x + w - 8, y + h), (x, y + h)], paint)
    bars = {"barred": (5.0, w - 5.0), "framed": (5.0,)}.get(look.shape, ())
    radius = {"round": 8.0, "pill": min(h / 2, 16.0)}.get(look.shape, 2.0)
    lines = "".join(f'<path d="M{x + bar:g} {y:g}v{h:g}" stroke="{look.line}" stroke-width="1.3"/>' for bar in bars)
    return f'<rect {area} rx="{radius:g}" {paint}/>{lines}'


def _polygon(points: Sequence[Point], paint: str) -> str:
    return f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" stroke-linejoin="round" {paint}/>'


def _arrow(route: Route) -> str:
    _, colour, dashes = STROKES[route.arrow.style]
    path = f"M{route.start[0]:g} {route.start[1]:g}"
    for step in route.steps:
        path += ("C" if len(step) == 3 else "L") + " ".join(f"{x:g} {y:g}" for x, y in step)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = f'data-from="{escape(route.arrow.source)}" data-to="{escape(route.arrow.target)}"'
    return (
        f'<g class="rw-arrow" {ends}><path d="{path}" fill="none" stroke="{colour}"{dashed}/><polygon points="{_head(route)}" fill="{colour}"/></g>'
    )


def _head(route: Route) -> str:
    """The three corners of an arrow's head."""
    points = [route.start, *(point for step in route.steps for point in step)]
    x, y = points[-1]
    before = next((point for point in reversed(points) if point != (x, y)), (x, y - 1))
    length = hypot(x - before[0], y - before[1])
    dx, dy = (x - before[0]) / length, (y - before[1]) / length
    left, right = (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx), (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx)
    return " ".join(f"{px:.1f},{py:.1f}" for px, py in ((x, y), left, right))


def _arrow_label(route: Route) -> str:
    assert route.label is not None
    (x, y), (width, height) = route.label, label_size(route.arrow.label)
    return (
        f'<g class="rw-arrow-label"><rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" '
        f'height="{height:g}" rx="3" fill="#ffffff" fill-opacity="0.92"/>'
        f'<text class="rw-label" x="{x:g}" y="{y + 4:g}">{escape(route.arrow.label)}</text></g>'
    )


def legend(sorts: Collection[str], styles: Collection[str], marks: Collection[str], width: float) -> tuple[list[str], float, int]:
    """Samples of what a picture uses, in rows of about that width; the width used, and how many more rows than one."""
    samples = [(look.word, _sample(sort)) for sort, look in LOOKS.items() if sort in sorts]
    samples += [(word, _line(colour, dashes)) for style, (word, colour, dashes) in STROKES.items() if style in styles]
    samples += [(word, _line(colour, "", 3.0)) for mark, (word, colour) in MARKS.items() if mark in marks]
    parts, x, row, widest = [], 0.0, 0, 0.0
    for word, sample in samples:
        space = 34 + text_width(word, NOTE_FONT + 1) + 16
        if x and x + space > width:
            x, row = 0.0, row + 1
        parts.append(f'<g transform="translate({x:g} {row * 22})">{sample}<text class="rw-word" x="34" y="12">{word}</text></g>')
        x += space
        widest = max(widest, x)
    return parts, widest, row


def _sample(sort: str) -> str:
    return shape(sort, Rect(7, 2, 12, 12) if sort == "done" else Rect(0, 1, 28, 14))


def _line(colour: str, dashes: str, width: float = 1.5) -> str:
    return f'<path d="M0 8h28" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-dasharray="{dashes or "none"}"/>'
