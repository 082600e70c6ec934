"""Fixes: what the hint of a complaint proposes, as a change of the text.

Takes a diagnostic and the text it is about; gives an edit for each guess ("did you mean 'x'?") that can be found in the text: the word that the complaint quotes, or the one that the
hint says it stands for. A guess whose word is nowhere near gives none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulewright.diagnostics import Diagnostic, Span

GUESS = re.compile(r"did you mean ((?:'[^']+'(?: or )?)+)(?: instead of '([^']+)')?\?")
QUOTED = re.compile(r"'([^']*)'")


class Fix(NamedTuple):
    """A stretch of text, and what to write there."""

    title: str
    span: Span
    text: str


def fixes(diagnostic: Diagnostic, text: str) -> Iterator[Fix]:
    """A fix for each guess of a hint."""
    guess = GUESS.search(diagnostic.hint or "")
    if guess is None:
        return
    meant = QUOTED.findall(guess[1])
    quoted = [guess[2]] if guess[2] else QUOTED.findall(diagnostic.message)
    lines = text.split("\n")
    for wrong in quoted:
        span = _find(lines, diagnostic.span, wrong) or _find(lines, diagnostic.span, wrong.rpartition(".")[2])
        if span is not None and wrong:
            tail = len(wrong.split(".")) if span.end_column - span.column < len(wrong) else 0
            for right in meant:
                if right != wrong:
                    put = right.rpartition(".")[2] if tail and right.rpartition(".")[0] == wrong.rpartition(".")[0] else right
                    yield Fix(f"Change '{wrong}' to '{right}'", span, put)
            return


def _find(lines: list[str], span: Span, word: str) -> Span | None:
    """Where a word stands in a stretch, or, if not there, on its line."""
    if not word:
        return None
    pattern = re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)" if "." not in word else rf"(?<!\w){re.escape(word)}(?!\w)")
    loose = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for search, whole_line in ((pattern, False), (loose, False), (pattern, True), (loose, True)):
        for number in range(span.line, max(span.end_line, span.line) + 1):
            line = lines[number - 1] if 0 < number <= len(lines) else ""
            start = span.column - 1 if number == span.line and not whole_line else 0
            end = span.end_column - 1 if number == span.end_line and not whole_line and span.end_column > span.column else len(line)
            found = search.search(line, start, max(end, start))
            if found is not None:
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
    return None
