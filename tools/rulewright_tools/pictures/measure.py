"""How much space a text takes: widths estimated for a common sans-serif face, long labels wrapped, boxes sized.

The estimate errs on the wide side, so that a text does not leave its box whatever face a viewer has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import msgspec

from rulewright_tools.pictures.model import LOOKS, Box, Picture, shortened

Size = tuple[float, float]
FONT = 12.0
LINE = 15.5
NOTE_FONT = 10.0
_LONGEST = 110
_WRAP = {False: 190.0, True: 210.0}
_MOST_LINES = 5
_NARROW = frozenset("iIjlt.,:;'|!()[] fr`")
_WIDE = frozenset("mwMW@%&—…")
_PADDING = {"hexagon": 18.0, "slanted": 16.0, "barred": 16.0, "pill": 14.0}


def text_width(text: str, font: float = FONT) -> float:
    """About how wide a text is."""
    return sum(map(_char_width, text)) * font


def _char_width(char: str) -> float:
    if char in _NARROW:
        return 0.36
    if char in _WIDE:
        return 0.98
    if char < "\u0300":
        return 0.74 if char.isupper() else 0.6
    if unicodedata.combining(char) or char in "\u200d\ufe0f":
        return 0.0
    return 1.3 if unicodedata.east_asian_width(char) in "WF" else 0.8


def wrapped(label: str, width: float) -> list[str]:
    """The label in lines of about that width; what does not fit on the last one ends in an ellipsis."""
    lines = [""]
    for word in _words(shortened(label, _LONGEST), width):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(joined) > width:
            lines.append(word)
        else:
            lines[-1] = joined
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1] + " …"]
    return lines


def _words(label: str, width: float) -> Iterator[str]:
    """The words; one that is wider than a line comes in pieces."""
    for word in label.split(" "):
        piece = ""
        for char in word:
            if text_width(piece + char) > width:
                yield piece
                piece = ""
            piece += char
        yield piece


class Sized(msgspec.Struct, frozen=True):
    """A box with its lines of text and the space it takes."""

    box: Box
    lines: tuple[str, ...]
    note: str
    width: float
    height: float


def sized(box: Box, across: bool) -> Sized:
    """The box with its label wrapped and its size."""
    shape = LOOKS[box.sort].shape
    if shape == "dot":
        return Sized(box, (), "", 16.0, 16.0)
    lines = wrapped(box.label, _WRAP[across])
    note = shortened(box.note, 34)
    widest = max(*(text_width(line) for line in lines), text_width(note, NOTE_FONT))
    width = max(widest + 22 + _PADDING.get(shape, 0.0), 60.0)
    height = len(lines) * LINE + (13.0 if note else 0.0) + 15
    return Sized(box, tuple(lines), note, round(width), round(height, 1))


def sized_boxes(picture: Picture) -> dict[str, Sized]:
    """Every box of a picture by its id."""
    return {box.id: sized(box, picture.across) for box in picture.boxes}


def label_size(label: str) -> Size:
    """The space of a label on an arrow."""
    return (round(text_width(label, NOTE_FONT + 1) + 8), 16.0) if label else (0.0, 0.0)
