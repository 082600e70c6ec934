"""The words of a rules file: every token with what the parser takes it for, and what could stand at a point.

Takes text as it is while somebody types: what does not parse is told apart as far as it goes, the rest by its look. Nothing is refused or raised.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from rulewright.diagnostics import Span
from rulewright.parse import lex
from rulewright.parse.machine import Unfit
from rulewright.parse.parser import begin, keyword_names, keywords
from rulewright.parse.tree_building import Unreadable

LAYOUT = ("NL", "INDENT", "DEDENT")


class Word(NamedTuple):
    """A token with what it is: keyword, name, number, text, sign or comment."""

    sort: str
    text: str
    line: int
    column: int
    end: int

    def span(self, file: str) -> Span:
        """Where it stands."""
        return Span(file, self.line, self.column, self.line, self.end)


BRACES = re.compile(r"\\.|\{([^{}\"]*)\}")
LOOK = re.compile(r'(?P<comment>#.*)|(?P<text>"(?:[^"\\]|\\.)*"?)|(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)')
SORTS = {"INTEGER": "number", "COPIES": "number", "STRING": "text", "NAME": "name"}


class Words:
    """The words of one text, in their order."""

    def __init__(self, text: str) -> None:
        lexed, self.problems = lex.lex(text, "")
        found = [word for chunk in lexed.chunks for word in _told_apart(chunk.tokens)]
        read = {word.line for word in found}
        broken = {line for problem in self.problems for line in (problem.span.line,)}
        found += [Word("comment", comment.text, comment.line, comment.column, comment.column + len(comment.text)) for comment in lexed.comments]
        if broken:
            found += _by_look(text, read | {comment.line for comment in lexed.comments})
        self.all = sorted(found, key=lambda word: (word.line, word.column))
        self._places = [(word.line, word.column) for word in self.all]

    def at(self, line: int, column: int) -> Word | None:
        """The word that a place is in, or right behind."""
        number = bisect_left(self._places, (line, column + 1)) - 1
        for one in (number, number - 1):
            if one >= 0 and (word := self.all[one]).line == line and word.column <= column <= word.end and word.sort != "sign":
                return word
        return None

    def inside(self, span: Span) -> Iterator[Word]:
        """The words of a stretch, without comments."""
        number = bisect_left(self._places, (span.line, span.column))
        while number < len(self.all) and (self.all[number].line, self.all[number].column) < (span.end_line, span.end_column):
            if self.all[number].sort != "comment":
                yield self.all[number]
            number += 1


def _told_apart(tokens: list[lex.Token]) -> Iterator[Word]:
    """The tokens of a chunk, as the parser reads them; behind the first that does not fit, by their look."""
    going = begin(tokens).leaves()
    fits = True
    for token in tokens:
        kind = ""
        if fits:
            try:
                kind = next(going).type
            except (Unfit, Unreadable, StopIteration):
                fits = False
        if token.type not in LAYOUT:
            yield from _pieces(Word(_sort(kind, token), token.value, token.line, token.column, token.end_column))


def _pieces(word: Word) -> Iterator[Word]:
    """A text as its plain stretches and the words between its braces; anything else as it is."""
    at = 0
    for found in BRACES.finditer(word.text) if word.sort == "text" else ():
        if found[1] is None:
            continue
        yield Word("text", word.text[at : found.start(1)], word.line, word.column + at, word.column + found.start(1))
        for inner in LOOK.finditer(found[1]):
            sort = "keyword" if inner.group() in keywords() else str(inner.lastgroup)
            start = word.column + found.start(1) + inner.start()
            yield Word(sort, inner.group(), word.line, start, start + len(inner.group()))
        at = found.end(1)
    yield word if not at else Word("text", word.text[at:], word.line, word.column + at, word.end)


def _sort(kind: str, token: lex.Token) -> str:
    if token.type != "WORD":
        return SORTS.get(token.type, "sign")
    if kind:
        return SORTS.get(kind, "keyword")
    return "keyword" if token.value in keywords() else "name"


def _by_look(text: str, read: set[int]) -> Iterator[Word]:
    """The words of lines that the lexer refuses."""
    for number, line in enumerate(text.split("\n"), 1):
        for found in LOOK.finditer(line) if number not in read else ():
            sort = "keyword" if found.group() in keywords() else str(found.lastgroup)
            yield Word(sort, found.group(), number, found.start() + 1, found.end() + 1)


class Expected(NamedTuple):
    """What may stand at a point: keywords, and whether a name, a number or a text."""

    keywords: frozenset[str]
    name: bool
    number: bool
    text: bool


def expected(tokens: list[lex.Token]) -> Expected | None:
    """What the parser could read behind some tokens of a declaration; None if it does not get that far."""
    reading = begin(tokens)
    try:
        for _ in reading.leaves():
            pass
    except (Unfit, Unreadable):
        return None
    names, fit = keyword_names(), reading.expected()
    return Expected(frozenset(names[each] for each in fit if each in names), "NAME" in fit, "INTEGER" in fit, "STRING" in fit)
