"""A picture in Graphviz's language. Everything is quoted; no label can become markup, since HTML labels are not used."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright_tools.pictures.measure import wrapped
from rulewright_tools.pictures.model import LOOKS, MARKS, STROKES, Box, Picture

_SHAPES = {
    "plain": "box", "round": "box", "pill": "box", "hexagon": "hexagon", "slanted": "parallelogram",
    "barred": "box", "framed": "box", "dot": "circle",
}  # fmt: skip
_STYLES = {"round": "rounded", "pill": "rounded", "barred": "striped", "framed": "bold"}


def dot(picture: Picture) -> str:
    """The picture as a digraph."""
    return "\n".join(_lines(picture)) + "\n"


def quoted(text: str) -> str:
    """A string of the language; a backslash stays a backslash."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _lines(picture: Picture) -> Iterator[str]:
    yield f"digraph {quoted(picture.title)} {{"
    yield f"  label={quoted(picture.title)}; labelloc=t; rankdir={'LR' if picture.across else 'TB'};"
    yield '  node [fontname="Helvetica", fontsize=11, style=filled]; edge [fontname="Helvetica", fontsize=10];'
    groups: dict[str, list[Box]] = {}
    for box in picture.boxes:
        groups.setdefault(box.group, []).append(box)
    for number, (group, boxes) in enumerate(groups.items()):
        if group:
            yield f"  subgraph cluster_{number} {{"
            yield f'    label={quoted(group)}; color="#cbd5e1";'
        yield from (f"    {_box(box, picture.across)}" for box in boxes)
        if group:
            yield "  }"
    for arrow in picture.arrows:
        _, colour, dashes = STROKES[arrow.style]
        label = f"label={quoted(arrow.label)}, " if arrow.label else ""
        line = ", style=dashed" if dashes else ""
        yield f'  {quoted(arrow.source)} -> {quoted(arrow.target)} [{label}color="{colour}"{line}];'
    yield "}"


def _box(box: Box, across: bool) -> str:
    look = LOOKS[box.sort]
    lines = ["" if look.shape == "dot" else "\n".join(wrapped(box.label, 210.0 if across else 190.0))]
    lines += [text for text in (box.note, f"({box.mark})" if box.mark else "") if text]
    label = quoted("\n".join(lines)).replace("\n", "\\n")
    style = _STYLES.get(look.shape)
    styles = f'"filled,{style}"' if style and style != "striped" else "filled"
    size = ", width=0.2, fixedsize=true" if look.shape == "dot" else ""
    line = f'"{MARKS[box.mark][1]}", penwidth=3' if box.mark else f'"{look.line}"'
    paint = f'fillcolor="{look.fill}", color={line}'
    return f"{quoted(box.id)} [label={label}, shape={_SHAPES[look.shape]}, style={styles}, {paint}{size}];"
