"""Text to tree: `lex` cuts a rules file into the tokens of its declarations, `parser` reads each with Lark, `explain` says what does not fit, `tree_building` makes the nodes."""

from __future__ import annotations

from rulewright.parse.parser import keywords, parse_fragment, parse_rules

__all__ = ["keywords", "parse_fragment", "parse_rules"]
