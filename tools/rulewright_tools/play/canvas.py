"""Coloured text that knows what it is about: runs with a colour and a target, rows of them, and a canvas on which things are drawn over one another.

A target is the id of a thing, spot, place or link of a table, or `option:N`; whoever shows the text turns a click on it into what is meant.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple


class Run(NamedTuple):
    """A stretch of text in one colour of the palette, about one thing."""

    text: str
    colour: str = ""
    bold: bool = False
    dim: bool = False
    target: str = ""


Row = list[Run]
ANSI = {
    "red": "31",
    "orange": "38;5;208",
    "yellow": "33",
    "green": "32",
    "teal": "36",
    "blue": "34",
    "purple": "35",
    "pink": "38;5;211",
    "brown": "38;5;137",
    "white": "97",
    "grey": "90",
    "black": "38;5;244",  # on a dark ground nobody could see it
}


def text_of(row: Row) -> str:
    """A row without colours."""
    return "".join(run.text for run in row).rstrip()


def ansi(row: Row) -> str:
    """A row for a terminal."""
    made = []
    for run in row:
        codes = [code for code, wanted in ((ANSI.get(run.colour, ""), run.colour), ("1", run.bold), ("2", run.dim)) if wanted and code]
        made.append(f"\x1b[{';'.join(codes)}m{run.text}\x1b[0m" if codes else run.text)
    return "".join(made).rstrip()


def width_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def fit(text: str, width: int) -> str:
    """A text cut to some columns."""
    if width_of(text) <= width:
        return text
    made = ""
    for char in text:
        if width_of(made + char) > width - 1:
            break
        made += char
    return made + "…" if width > 0 else ""


class Canvas:
    """A rectangle of characters; what is put later lies on top."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells: list[list[Run]] = [[Run(" ")] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, colour: str = "", *, bold: bool = False, dim: bool = False, target: str = "") -> None:
        """Writes a text; what would lie outside is left away."""
        if not 0 <= y < self.height:
            return
        for char in text:
            wide = width_of(char)
            if x >= 0 and x + wide <= self.width:
                self._cells[y][x] = Run(char, colour, bold, dim, target)
                if wide == 2:
                    self._cells[y][x + 1] = Run("")
            x += wide

    def runs(self, x: int, y: int, runs: Iterable[Run]) -> None:
        """Writes runs one behind another."""
        for run in runs:
            self.put(x, y, run.text, run.colour, bold=run.bold, dim=run.dim, target=run.target)
            x += width_of(run.text)

    def at(self, x: int, y: int) -> str:
        """The character somewhere."""
        return self._cells[y][x].text if 0 <= y < self.height and 0 <= x < self.width else " "

    def rows(self) -> list[Row]:
        """All of it, neighbours of one colour and target joined."""
        found = []
        for cells in self._cells:
            row: Row = []
            for cell in cells:
                if row and row[-1][1:] == cell[1:]:
                    row[-1] = row[-1]._replace(text=row[-1].text + cell.text)
                else:
                    row.append(cell)
            found.append(row)
        return found
