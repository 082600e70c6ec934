"""Secrets: a public message must not name what lies in a place that not everyone can see into.

Local names that stand for something found in such a place are remembered until it is moved into the open or revealed. Counting is never a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import tree as t
from interpreter.check.expressions import Core
from interpreter.check.scope import Scope

if TYPE_CHECKING:
    from interpreter.check.statements import Statements

HARMLESS = ("count", "exists", "measure", "is_empty", "is_full")


class Secrets:
    """Follows secrets through a body."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.symbols = statements.symbols
        self.hidden: dict[str, str] = {}

    def begin(self) -> None:
        """Forget everything: another body begins."""
        self.hidden = {}

    def secret_place(self, core: Any) -> str | None:
        """The name of the place an expression looks into, if not everyone can."""
        if not isinstance(core, dict):
            return None
        identity = core.get("place") if core.get("op") in ("place", "place_of") else None
        place = self.symbols.places.get(identity) if isinstance(identity, str) else None
        if place is None:
            return None
        seen = place.declaration.seen_by
        return None if seen is None or (isinstance(seen, t.Name) and seen.word == "everyone") else place.name

    def looks_into(self, core: Any) -> str | None:
        """A secret place whose members an expression may be one of."""
        if isinstance(core, list):
            return next((found for part in core if (found := self.looks_into(part))), None)
        if not isinstance(core, dict) or core.get("op") in HARMLESS:
            return None
        if core.get("op") == "members":
            return self.secret_place(core["of"])
        if core.get("op") == "var":
            return self.hidden.get(core["name"])
        if core.get("op") == "field" and core["name"] in ("owner", "place"):
            return None
        keys = ("source", "query", "of", "parts", "yes", "no", "left", "right")
        return next((found for key in keys if (found := self.looks_into(core.get(key)))), None)

    def mark(self, name: str, core: Core, scope: Scope) -> None:
        """Remember that a local name may stand for a secret."""
        found = self.looks_into(core)
        if found is not None:
            self.hidden[name] = found
        else:
            self.hidden.pop(name, None)

    def moved(self, what: Any, to: Core, scope: Scope) -> None:
        """What is moved into the open is no secret any more."""
        if isinstance(what, t.Name) and what.word in self.hidden:
            place = self.secret_place(to)
            if place is None:
                del self.hidden[what.word]
            else:
                self.hidden[what.word] = place

    def revealed(self, what: Any, scope: Scope) -> None:
        if isinstance(what, t.Name):
            self.hidden.pop(what.word, None)

    def check(self, text: t.Text, core: Core, scope: Scope) -> None:
        """Complain if a public message names a secret."""
        pairs = [(node, made) for node, made in zip(text.parts, core["parts"], strict=True) if not isinstance(node, str)]
        for node, made in pairs:
            place = self.looks_into(made)
            if place is not None and not isinstance(node, str):
                hint = 'tell only those who know it: log "..." to PLAYER, or reveal it first'
                message = f"this message is for everyone, but it names something in '{place}', which not everyone can see into"
                self.statements.report("R504", message, node.span, hint)
