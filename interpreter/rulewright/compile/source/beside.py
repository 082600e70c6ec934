"""What is known for good about each thing of a list that never changes is kept beside it.

A loop over such a list does not look up again and again where a field of the thing is kept, what is printed on it, or which other things fit it: the
table that it goes through has all that in rows, made when the code is joined with a world (`linking`), and the loop takes a row apart.

    for x3, x7 in t5:                     instead of        for x3 in t4:
        if values[x7] == x1: ...                                if values[t2[x3]] == x1: ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.compile.source.writing import Code, Module, Writer

Spec = list[Any]
FIXED = ("all", "cells", "of", "fitting")  # tables that are lists of things, the same as long as the world lasts
EACH, FIRST, REST = "each", "first", "rest"


class Row:
    """The names of what is kept beside the things of one loop."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.columns: list[Spec] = []
        self.names: list[str] = []


class Beside:
    """The part of `Beginnings` that keeps such tables."""

    module: Module
    writer: Writer
    rows: dict[str, Row]

    def beside(self, thing: Code, *spec: Any, part: str = EACH) -> str | None:
        """What a table says about a thing, if the thing comes from a loop that has it at hand: its name."""
        row = self.rows.get(thing.text)
        if row is None:
            return None
        column = [part, *spec]
        if column not in row.columns:
            row.columns.append(column)
            row.names.append(self.writer.name())
        return row.names[row.columns.index(column)]

    def parted(self, name: str) -> tuple[str, str] | None:
        """If a name stands for things that are kept beside another: names for the first of them, or nothing, and for the rest."""
        for thing, row in self.rows.items():
            if name in row.names:
                column = row.columns[row.names.index(name)]
                first, rest = (self.beside(Code(thing), *column[1:], part=part) for part in (FIRST, REST))
                assert first is not None
                assert rest is not None
                return first, rest
        return None

    @contextmanager
    def row(self, source: Code, thing: str) -> Iterator[None]:
        """A loop, the head of which has just been written: what is written in here may use what is kept beside the things."""
        spec = self.module.lookups[int(source.text[1:])] if source.simple and source.text.startswith("t") else [""]
        if spec[0] not in FIXED or (spec[0] == "fitting" and spec[2] is not None):
            yield
            return
        lines, at, row = self.writer.lines, len(self.writer.lines) - 1, Row(spec)
        self.rows[thing] = row
        yield
        del self.rows[thing]
        written = "\n".join(lines[at + 1 :])
        used = [(name, column) for name, column in zip(row.names, row.columns, strict=True) if re.search(rf"\b{name}\b", written)]
        if used:
            table = self.module.lookup("rows", spec, [column for _, column in used])
            head = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            lines[at] = f"{head}for {', '.join([thing, *(name for name, _ in used)])} in {table}:"
