"""Stretches of source text, by their spans."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from rulewright.diagnostics import Span


def excerpt(texts: Mapping[str, str], span: Span) -> str:
    """What is written in a stretch, from its first to its last character, indented as if it began its line."""
    span = trimmed(texts, span)
    lines = texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    before = lines[0][: span.column - 1]
    indent = len(before) - len(before.lstrip(" -"))  # an item of a list in YAML stands below its dash
    lines[0] = " " * (indent if indent == len(before) else len(lines[0]) - len(lines[0].lstrip())) + lines[0][span.column - 1 :]
    return textwrap.dedent("\n".join(lines)).strip("\n")


def trimmed(texts: Mapping[str, str], span: Span) -> Span:
    """A stretch without what follows its last line of rules: a block is read up to where the next line of rules begins, comments and all."""
    lines = texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
    if len(lines) < 2 or lines[-1][: span.end_column - 1].strip():
        return span
    lines.pop()
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return Span(span.file, span.line, span.column, span.line + len(lines) - 1, len(lines[-1]) + 1)
