"""A picture in Mermaid's language. Boxes get ids of our own, and in labels everything but letters, digits and a few
harmless marks is written as a numbered entity, so that no label can become syntax or markup.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright_tools.pictures.model import LOOKS, MARKS, STROKES, Box, Picture, shortened

_BRACKETS = {
    "plain": ("[", "]"), "round": ("(", ")"), "pill": ("([", "])"), "hexagon": ("{{", "}}"), "slanted": ("[/", "/]"),
    "barred": ("[[", "]]"), "framed": ("[[", "]]"), "dot": ("((", "))"),
}  # fmt: skip
_HARMLESS = frozenset(" .,:_-+=/!?'")


def mermaid(picture: Picture) -> str:
    """The picture as a flowchart."""
    return "\n".join(_lines(picture)) + "\n"


def quoted(text: str) -> str:
    """A label in quotes."""
    return '"' + "".join(map(_entity, text)) + '"'


def _entity(char: str) -> str:
    harmless = char in _HARMLESS or char.isalnum() or ord(char) > 0x2000
    return char if harmless else f"#{ord(char)};"


def _lines(picture: Picture) -> Iterator[str]:
    ids = {box.id: f"b{number}" for number, box in enumerate(picture.boxes)}
    yield f"flowchart {'LR' if picture.across else 'TB'}"
    groups: dict[str, list[Box]] = {}
    for box in picture.boxes:
        groups.setdefault(box.group, []).append(box)
    for number, (group, boxes) in enumerate(groups.items()):
        if group:
            yield f"  subgraph g{number} [{quoted(group)}]"
        for box in boxes:
            opening, closing = _BRACKETS[LOOKS[box.sort].shape]
            label = quoted(shortened(box.label, 110))
            told = ", ".join(text for text in (box.note, box.mark) if text)
            note = f"{label[:-1]}<br/>{quoted(told)[1:]}" if told else label
            yield f"    {ids[box.id]}{opening}{note}{closing}:::{box.sort}box"
        if group:
            yield "  end"
    for arrow in picture.arrows:
        line = "-.->" if STROKES[arrow.style][2] else "-->"
        label = f"|{quoted(arrow.label)}|" if arrow.label else ""
        if arrow.source in ids and arrow.target in ids:
            yield f"  {ids[arrow.source]} {line}{label} {ids[arrow.target]}"
    yield from (f"  style {ids[box.id]} stroke:{MARKS[box.mark][1]},stroke-width:3px" for box in picture.boxes if box.mark)
    for sort in dict.fromkeys(box.sort for box in picture.boxes):
        look = LOOKS[sort]
        yield f"  classDef {sort}box fill:{look.fill},stroke:{look.line},color:#0f172a"
