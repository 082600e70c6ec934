"""Observers: somebody who is told what the checks understand, word by word, as an editor wants to know.

Checks work the same with and without one. What an observer is given is the checker's own: a scope changes as the checker goes on, so whoever wants to keep something of it
copies that at once.
"""

from __future__ import annotations

from typing import Any, Protocol

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.check.symbols import Symbols
from rulewright.types import Type


class Observer(Protocol):
    """Is told the symbols first, then of every expression and query that is read; of the same one perhaps several times."""

    def begin(self, symbols: Symbols) -> None:
        """The symbols of the ruleset that is checked."""

    def expression(self, node: Any, scope: Scope, core: dict[str, Any], of: Type) -> None:
        """What an expression means, and its type."""

    def query(self, node: t.Query, scope: Scope, one: Type) -> None:
        """What adjectives and a noun speak of: the type of one of these things, and the scope outside."""
