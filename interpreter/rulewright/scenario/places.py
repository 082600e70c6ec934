"""Where the characters of a YAML scalar stand in its file.

A text in YAML may be plain, quoted, or a block, on one line or on several; what the reader gives is the bare value. Comparing the value with the source,
character by character and leaving white space out, finds the place of each again, whatever the style.
"""

from __future__ import annotations

import functools

from rulewright.diagnostics import Span

BLANK = " \t\n"
BLOCKS = ("|", ">")


class Written:
    """A text of a YAML file that knows where each of its characters stands."""

    def __init__(self, text: str, span: Span, lines: list[str]) -> None:
        self.text = text
        self.span = span
        self._lines = lines

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.span.file

    @functools.cached_property
    def _places(self) -> list[tuple[int, int]]:
        """For each character of the text its line and column in the file; white space before a line is where the line begins."""
        source = self._source()
        places: list[tuple[int, int]] = []
        at, leading = 0, True
        for char in self.text:
            if char not in BLANK:
                at = next((number for number in range(at, len(source)) if source[number][0] == char), len(source) - 1)
                places.append(source[at][1:])
                at, leading = min(at + 1, len(source) - 1), False
            elif leading or not places:
                places.append(source[at][1:])
            else:
                places.append((places[-1][0], places[-1][1] + 1))
            leading = leading or char == "\n"
        return places

    def _source(self) -> list[tuple[str, int, int]]:
        """The characters of the scalar in the file, without white space, quotes at its ends and the head of a block."""
        start, first = self.span.line, self.span.column
        head = self._lines[start - 1][first - 1 :]
        if head.startswith(BLOCKS):
            start, first, head = start + 1, 1, ""
        elif head.startswith(('"', "'")):
            first += 1
        found = []
        for number in range(start, min(self.span.end_line, len(self._lines)) + 1):
            line = self._lines[number - 1]
            begin = first - 1 if number == start else 0
            end = self.span.end_column - 1 if number == self.span.end_line else len(line)
            found += [(line[column], number, column + 1) for column in range(begin, min(end, len(line))) if line[column] not in BLANK]
        return found or [("", self.span.line, self.span.column)]

    def locate(self, span: Span) -> Span:
        """The place in the file of a stretch of the text."""
        line, column = self._at(span.line, span.column)
        end_line, end_column = self._at(span.end_line, max(span.end_column - 1, 1))
        if (end_line, end_column) < (line, column):
            end_line, end_column = line, column
        return Span(self.file, line, column, end_line, end_column + 1)

    def _at(self, line: int, column: int) -> tuple[int, int]:
        lines = self.text.split("\n")
        index = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
        return self._places[min(max(index, 0), len(self._places) - 1)] if self._places else (self.span.line, self.span.column)
