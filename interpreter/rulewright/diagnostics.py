"""What a pass has to say about a ruleset: one record for every complaint, whatever stage it comes from.

A pass returns its result and a list of `Diagnostic`s; nothing is printed and nothing is raised before the edge (`rulewright_tools`). A diagnostic has a
stable code (see `codes.py`), a message, the place it speaks of, other places that matter, and, where one can be guessed, the fix.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from rulewright.codes import CODES
from rulewright.guessing import did_you_mean, near_miss

__all__ = [
    "Diagnostic",
    "Related",
    "Severity",
    "Span",
    "complain",
    "did_you_mean",
    "in_order",
    "near_miss",
    "whole_file",
]

Severity = Literal["error", "warning"]
CONFLICT = "R304"


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of a source file. Lines and columns count from 1; the end column is one past the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of another one of the same file."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


class Related(msgspec.Struct, frozen=True):
    """Another place that has to do with a complaint, and what it has to do with it."""

    span: Span
    message: str


class Diagnostic(msgspec.Struct, frozen=True):
    """One complaint."""

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    hint: str | None = None


def complain(code: str, message: str, span: Span, *, hint: str | None = None, related: Iterable[Related] = ()) -> Diagnostic:
    """A diagnostic with the severity its code has in the catalogue."""
    return Diagnostic(code, message, span, CODES[code].severity, tuple(related), hint)


def whole_file(file: str) -> Span:
    """The span for a complaint about a file as such."""
    return Span(file, 1, 1, 1, 1)


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics by file, line and column, each once; layers that exclude each other come first, since nothing else can be judged before."""
    seen = dict.fromkeys(diagnostics)
    return sorted(seen, key=lambda d: (d.code != CONFLICT, d.span.file, d.span.line, d.span.column, d.code))
