"""What is written in a box: the author's own line where the text is at hand, else the words of the printer.

Takes the graph and the source texts by shown file name. A line that stands for several nodes at once is used for none of
them. Headers of blocks lose what follows the colon, and comments are dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rulewright_tools.pictures.model import Graph, Span, clean
from rulewright_tools.pictures.words import in_words, node_in_words

Record = Mapping[str, Any]
_WITH_BODY = frozenset({"branch", "match", "each", "repeat", "batch", "offer", "install"})
_MOST_LINES = 12


class Labels:
    """Labels for the nodes and declarations of one graph."""

    def __init__(self, graph: Graph, texts: Mapping[str, str]) -> None:
        self._lines: dict[str, list[str]] = {}
        self._texts = texts
        self._shared = Counter(tuple(node["span"]) for node in graph["nodes"].values())

    def node(self, node: Record) -> str:
        """The label of a node."""
        span = as_span(node["span"])
        source = self.source(span) if self._shared[span] == 1 else ""
        if node["op"] in _WITH_BODY or node.get("options"):
            source = _header(source)
        return clean(source.removeprefix("else ")) or clean(node_in_words(node))

    def header(self, record: Record, fallback: str) -> str:
        """The label of a declaration: its first line without what follows the colon."""
        return clean(_header(self.source(as_span(record["span"])))) or clean(fallback)

    def requirement(self, record: Record) -> str:
        """The label of something that must hold."""
        return clean(self.source(as_span(record["span"]))) or clean(f"when {in_words(record['test'])}")

    def source(self, span: Span) -> str:
        """The text of a span on one line, without comments; empty if it is not at hand."""
        file, line, column, end_line, end_column = span
        if file not in self._lines:
            self._lines[file] = self._texts.get(file, "").split("\n")
        last = min(end_line, line + _MOST_LINES)
        lines = self._lines[file][line - 1 : last]
        if not lines:
            return ""
        if last == end_line and len(lines) == end_line - line + 1:
            lines[-1] = lines[-1][: end_column - 1]
        lines[0] = lines[0][column - 1 :]
        return " ".join(part for part in (_without_comment(text).strip() for text in lines) if part)


def as_span(span: Any) -> Span:
    """A span of the JSON as the drawing model has it."""
    file, line, column, end_line, end_column = span
    return (file, line, column, end_line, end_column)


def _without_comment(text: str) -> str:
    at = _outside(text, "#")
    return text if at is None else text[:at]


def _header(text: str) -> str:
    at = _outside(text, ":")
    return text if at is None else text[:at]


def _outside(text: str, wanted: str) -> int | None:
    """Where a character first stands outside quotes and brackets."""
    quoted, depth = False, 0
    for at, char in enumerate(text):
        if char == '"' and text[at - 1 : at] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif char == wanted and (not depth or wanted == "#"):
            return at
        depth += (char in "([") - (char in ")]")
    return None
