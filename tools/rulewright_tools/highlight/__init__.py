"""Colours without a build: the words of the grammar as a TextMate grammar (for editors) and as a lexer for Pygments (for terminals and pages), both made from the Lark grammar.

`words` reads the grammar, `generate` writes both files (`python -m rulewright_tools.highlight.generate`), `lexer` is one of them; a test compares them with what the grammar gives now.
"""

from __future__ import annotations


def coloured(text: str) -> str:
    """Rules for a terminal; as they are where Pygments is not installed."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
    except ImportError:
        return text
    from rulewright_tools.highlight.lexer import RulesLexer

    return highlight(text, RulesLexer(stripnl=False, ensurenl=False), TerminalFormatter())
