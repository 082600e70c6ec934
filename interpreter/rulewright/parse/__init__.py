"""Text to tree: `lex` cuts a rules file into the tokens of its declarations, `parser` reads each by the table that Lark makes of the grammar, `explain` says what does not fit, `tree_building` makes the nodes.

A text that was read in an earlier run, without any complaint, is not read again; the parser is loaded only where one is needed.
"""

from __future__ import annotations

from typing import Any

from rulewright.diagnostics import Diagnostic
from rulewright.kept_texts import Kept
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.tree import RulesTree

__all__ = ["keywords", "parse_fragment", "parse_rules"]

TREES = Kept("tree", RulesTree)


def parse_rules(text: str, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[RulesTree, list[Diagnostic]]:
    """The tree of a rules file, and what could not be read."""
    if (earlier := TREES.get(text, file, str(limits))) is not None:
        return earlier, []
    from rulewright.parse.parser import parse_rules

    tree, diagnostics = parse_rules(text, file, limits)
    if not diagnostics:
        TREES.put(tree, text, file, str(limits))
    return tree, diagnostics


def parse_fragment(text: str, file: str, start: str, line: int = 1, column: int = 1) -> tuple[Any, list[Diagnostic]]:
    """One `expression`, or a tuple of `statements`, that stands at some line of another file."""
    from rulewright.parse.parser import parse_fragment

    return parse_fragment(text, file, start, line, column)


def keywords() -> frozenset[str]:
    """Every word that the grammar uses somewhere."""
    from rulewright.parse.parser import keywords

    return keywords()
