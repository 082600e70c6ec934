"""What the comments of rules files say: what stands above a declaration, behind a line, at the head of a file, and between parts of it.

Takes texts by file; gives text. A comment is written for people who read the rules, and that is what a page is for, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from rulewright.diagnostics import Span

ALONE = re.compile(r"\s*#(.*)")
BEHIND = re.compile(r'(?:[^"#]|"(?:[^"\\]|\\.)*")*\S\s*#(.*)')
PART = re.compile(r"\s*#\s*-{3,}\s*(.*?)\s*-{3,}\s*")


class Comments:
    """The comments of all files."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines = cache(self._split)

    def _split(self, file: str) -> list[str]:
        return self._texts.get(file, "").split("\n")

    def before(self, span: Span) -> str:
        """What stands above a declaration, without a blank line between, or behind its first line."""
        lines, found = self._lines(span.file), list[str]()
        at = span.line - 2
        while 0 <= at < len(lines) and (comment := _alone(lines[at])) is not None:
            found.insert(0, comment)
            at -= 1
        if at < 0 and found:
            found = []  # that is about the whole file
        return " ".join([*found, self.behind(span)]).strip()

    def behind(self, span: Span) -> str:
        """What stands behind a line."""
        lines = self._lines(span.file)
        comment = BEHIND.fullmatch(lines[span.line - 1]) if 0 < span.line <= len(lines) else None
        return comment[1].strip() if comment is not None else ""

    def head(self, file: str) -> str:
        """What a file begins with."""
        found = []
        for line in self._lines(file):
            if (comment := _alone(line)) is None:
                break
            found.append(comment)
        return " ".join(found).strip()

    def part(self, file: str, start: int, end: int) -> str:
        """The last heading between two lines, `# ---- like this ----`."""
        between = self._lines(file)[start : max(start, end - 1)]
        return next((found[1] for line in reversed(between) if (found := PART.fullmatch(line)) is not None and found[1]), "")


def _alone(line: str) -> str | None:
    """A comment that has a line for itself; a heading is none."""
    found = ALONE.fullmatch(line)
    return found[1].strip() if found is not None and PART.fullmatch(line) is None else None
