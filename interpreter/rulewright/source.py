"""Stretches of source text, by their spans."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from rulewright.diagnostics import Span


def excerpt(texts: Mapping[str, str], span: Span) -> str:
    """What is written in a stretch, from its first to its last character, indented as if it began its line."""
    lines = texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][: len(lines[0]) - len(lines[0].lstrip())] + lines[0][span.column - 1 :]
    return textwrap.dedent("\n".join(lines)).strip("\n")
