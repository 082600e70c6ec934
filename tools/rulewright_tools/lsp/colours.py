"""Colours by meaning: for each word of a rules file what sort of thing it names.

Takes an analysis and a file, gives the words with the name of a sort, in the vocabulary of the protocol: a kind is a class, an effect a function, a field a property ...
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright_tools.lsp.project import Analysis
from rulewright_tools.lsp.words import Word

SORTS = ("keyword", "comment", "string", "number", "class", "struct", "namespace", "enum", "enumMember", "variable", "parameter", "property", "function", "method",
         "event", "macro", "decorator")  # fmt: skip
DECLARATION = 1  # the one modifier there is, as a bit
PLAIN = {"keyword": "keyword", "comment": "comment", "text": "string", "number": "number", "name": "variable"}
OF = {
    "kind": "class", "component": "struct", "place": "namespace", "die": "enum", "track": "enum", "grid": "namespace", "words": "enum", "number": "variable",
    "state": "variable", "field": "property", "value": "method", "effect": "function", "phase": "function", "action": "function", "step": "event", "cost": "macro",
    "rule": "decorator", "reaction": "event",
}  # fmt: skip
BEFORE = {"local": "parameter", "word": "enumMember", "cite": "decorator", "group": "decorator", "cost": "macro", "rule": "decorator"}


def colours(analysis: Analysis, file: str) -> Iterator[tuple[Word, str, int]]:
    """Every word that has a colour, with whether it declares something."""
    named = {(each.span.line, each.span.column): each for each in analysis.occurrences(file)}
    covered = (0, 0)
    for word in analysis.words(file).all:
        each = named.get((word.line, word.column))
        if each is not None and word.sort not in ("text", "comment"):
            sort = _sort(analysis, each.key)
            yield word._replace(end=each.span.end_column), sort, DECLARATION if each.declares else 0
            covered = (word.line, each.span.end_column)
        elif word.sort != "sign" and (word.line, word.column) >= covered:
            yield word, PLAIN[word.sort], 0


def _sort(analysis: Analysis, key: str) -> str:
    declared = analysis.declared.get(key)
    if declared is not None:
        return OF.get(declared.what, "variable")
    return BEFORE.get(key.partition(" ")[0], "property" if "." in key else "variable")
