"""The drawing model: boxes and arrows, and how each sort of box looks.

A `Picture` says what is to be seen, not where. Labels are made fit for any emitter here (`clean`): what no document may
hold, or what would change the direction of the text around it, becomes a visible mark.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

import msgspec

Graph = dict[str, Any]
Span = tuple[str, int, int, int, int]
Style = Literal["flow", "back", "call", "hook", "offer"]
Shape = Literal["plain", "round", "pill", "hexagon", "slanted", "barred", "framed", "dot"]


class Look(msgspec.Struct, frozen=True):
    """How a sort of box is drawn, and what the legend calls it."""

    shape: Shape
    fill: str
    line: str
    word: str


LOOKS: dict[str, Look] = {
    "start": Look("round", "#e2e8f0", "#475569", "start"),
    "needs": Look("slanted", "#fef9c3", "#a16207", "needs or costs"),
    "act": Look("plain", "#ffffff", "#64748b", "does"),
    "chance": Look("plain", "#ede9fe", "#6d28d9", "chance"),
    "choice": Look("slanted", "#dbeafe", "#1d4ed8", "somebody chooses"),
    "branch": Look("hexagon", "#fef3c7", "#b45309", "depends on"),
    "loop": Look("barred", "#e0f2fe", "#0369a1", "repeats, or at once"),
    "call": Look("framed", "#dcfce7", "#15803d", "another effect"),
    "stop": Look("pill", "#fee2e2", "#b91c1c", "leaves or ends"),
    "done": Look("dot", "#475569", "#475569", "done"),
    "effect": Look("round", "#dcfce7", "#15803d", "effect"),
    "method": Look("round", "#ecfccb", "#4d7c0f", "effect of a kind"),
    "event": Look("pill", "#f1f5f9", "#475569", "event"),
    "phase": Look("barred", "#e0f2fe", "#0369a1", "phase"),
    "step": Look("plain", "#f0f9ff", "#0369a1", "step"),
    "action": Look("slanted", "#dbeafe", "#1d4ed8", "action"),
    "value": Look("plain", "#ede9fe", "#6d28d9", "value"),
    "cost": Look("slanted", "#fef9c3", "#a16207", "cost"),
    "hook": Look("hexagon", "#fce7f3", "#be185d", "hook"),
    "subject": Look("round", "#f8fafc", "#334155", "subject"),
    "spot": Look("round", "#f8fafc", "#64748b", "place on the board"),
    "way": Look("plain", "#ffffff", "#64748b", "way"),
    "place": Look("round", "#f8fafc", "#64748b", "place"),
    "track": Look("plain", "#f8fafc", "#64748b", "track"),
}

# What an arrow means: the legend's word, its colour, its dashes.
STROKES: dict[Style, tuple[str, str, str]] = {
    "flow": ("then", "#475569", ""),
    "back": ("again", "#0369a1", "6 3"),
    "call": ("calls", "#475569", ""),
    "hook": ("changes or follows", "#be185d", "5 4"),
    "offer": ("offers", "#1d4ed8", "2 3"),
}


NEW, CHANGED = "new", "changed"
# What a mark on a box means: the legend's word, and its colour.
MARKS = {NEW: ("of the layer", "#15803d"), CHANGED: ("changed by the layer", "#c2410c")}


class Box(msgspec.Struct, frozen=True):
    """One box. `link` is the key of the drawing that tells more; `group` is the frame it stands in; `mark` one of `MARKS`."""

    id: str
    sort: str
    label: str
    span: Span | None = None
    link: str | None = None
    group: str = ""
    cites: tuple[str, ...] = ()
    note: str = ""
    mark: str = ""


class Arrow(msgspec.Struct, frozen=True):
    """One arrow between two boxes."""

    source: str
    target: str
    label: str = ""
    style: Style = "flow"


class Picture(msgspec.Struct, frozen=True):
    """Boxes and arrows; drawn from left to right if `across`, else from top to bottom."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    across: bool = False


_DIRECTION = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def clean(text: str) -> str:
    """The text on one line, without characters that documents refuse or that turn the reading direction."""
    return " ".join("".join(map(_fit, text)).split())


def clean_line(text: str) -> str:
    """As `clean`, with the spaces of a source line kept."""
    return "".join(map(_fit, text.replace("\t", "    ")))


def _fit(char: str) -> str:
    if char.isspace():
        return " "
    bad = unicodedata.category(char) in ("Cc", "Cs") or char in _DIRECTION or ord(char) & 0xFFFE == 0xFFFE
    return "\ufffd" if bad else char


def shortened(text: str, most: int) -> str:
    """The text, cut at a word where that is possible, with an ellipsis if it is longer than `most`."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip() + "…"
