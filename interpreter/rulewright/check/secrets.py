"""Secrets: a public message must not name what lies in a place that not everyone can see into.

The scope remembers local names that stand for something found in such a place, until it is moved into the open or revealed; after branches, what is
hidden on one way is hidden. Counting is never a secret.
"""

from __future__ import annotations

from typing import Any

from rulewright import tree as t
from rulewright.check.expressions import Core
from rulewright.check.report import Report
from rulewright.check.scope import Scope
from rulewright.check.symbols import Symbols

Hidden = dict[str, str]
HARMLESS = ("count", "exists", "measure", "is_empty", "is_full")
INSIDE = ("source", "query", "of", "parts", "yes", "no", "left", "right")
DEEPEST = 50


def is_everyone(seen: Any) -> bool:
    """Whether `seen by` names everyone."""
    return isinstance(seen, t.Name) and seen.word == "everyone"


class Secrets:
    """Follows secrets through a body."""

    def __init__(self, symbols: Symbols, report: Report) -> None:
        self.symbols = symbols
        self.report = report
        self.values: dict[str, dict[str, Any]] = {}  # the values of the ruleset, once they are read
        self.followed: dict[tuple[str, frozenset[tuple[str, str]]], str | None] = {}
        self.depth = 0

    def secret_place(self, core: Any) -> str | None:
        """The name of the place an expression looks into, if not everyone can."""
        if not isinstance(core, dict):
            return None
        identity = core.get("place") if core.get("op") in ("place", "place_of") else None
        place = self.symbols.places.get(identity) if isinstance(identity, str) else None
        if place is None:
            return None
        seen = place.declaration.seen_by
        return None if seen is None or is_everyone(seen) else place.name

    def is_read_by_all(self, name: str) -> bool:
        """Whether everyone can read a field of this name, also on what they cannot tell."""
        found = [field.declaration for kind in self.symbols.kinds.values() if (field := kind.fields.get(name)) is not None]
        return bool(found) and all(each is not None and is_everyone(each.seen_by) for each in found)

    def looks_into(self, core: Any, hidden: Hidden) -> str | None:
        """A secret place whose members an expression may be one of."""
        if isinstance(core, list):
            return next((found for part in core if (found := self.looks_into(part, hidden))), None)
        if not isinstance(core, dict) or core.get("op") in HARMLESS:
            return None
        match core.get("op"):
            case "members":
                return self.secret_place(core["of"])
            case "var":
                return hidden.get(core["name"])
            case "field" if core["name"] in ("owner", "place") or self.is_read_by_all(core["name"]):
                return None
            case "query":
                return self.looks_into(core["source"], hidden) or self.filtered(core, hidden)
            case "let":
                bound = self.looks_into(core["value"], hidden)
                return self.looks_into(core["in"], {**hidden, core["name"]: bound} if bound else hidden)
            case "value":
                return self.looks_into(core.get("of"), hidden) or self.follow(core, hidden)
        return next((found for key in INSIDE if (found := self.looks_into(core.get(key), hidden))), None)

    def filtered(self, query: Core, hidden: Hidden) -> str | None:
        """A secret place in which the things found by a query have to be."""
        sets = [test["set"] for test in query["filters"] if test["op"] == "is_in" and test["item"].get("name") in (query["binder"], "it")]
        return next((found for core in sets if (found := self.secret_place(core) or self.looks_into(core, hidden))), None)

    def follow(self, core: Core, hidden: Hidden) -> str | None:
        """The secret place that a value looks into, asked for these arguments."""
        unit = self.values.get(core["value"])
        if unit is None or self.depth > DEEPEST:
            return None
        pairs = zip(unit["parameters"], core["arguments"], strict=False)
        given = {parameter.name: place for parameter, argument in pairs if (place := self.looks_into(argument, hidden))}
        key = (core["value"], frozenset(given.items()))
        if key not in self.followed:
            self.followed[key] = None  # for a value that asks itself
            self.depth += 1
            self.followed[key] = self.looks_into(unit["value"], given)
            self.depth -= 1
        return self.followed[key]

    def mark(self, name: str, core: Core, scope: Scope) -> None:
        """Remember that a local name may stand for a secret."""
        found = self.looks_into(core, scope.hidden)
        if found is not None:
            scope.hidden[name] = found
        else:
            scope.hidden.pop(name, None)

    def moved(self, what: Any, to: Core, scope: Scope) -> None:
        """What is moved into the open is no secret any more."""
        if isinstance(what, t.Name) and what.word in scope.hidden:
            place = self.secret_place(to)
            if place is None:
                del scope.hidden[what.word]
            else:
                scope.hidden[what.word] = place

    def revealed(self, what: Any, scope: Scope) -> None:
        if isinstance(what, t.Name):
            scope.hidden.pop(what.word, None)

    def check(self, text: t.Text, core: Core, scope: Scope) -> None:
        """Complain if a public message names a secret."""
        pairs = [(node, made) for node, made in zip(text.parts, core["parts"], strict=True) if not isinstance(node, str)]
        for node, made in pairs:
            place = self.looks_into(made, scope.hidden)
            if place is not None and not isinstance(node, str):
                hint = 'tell only those who know it: log "..." to PLAYER, or reveal it first'
                message = f"this message is for everyone, but it names something in '{place}', which not everyone can see into"
                self.report("R504", message, node.span, hint)
