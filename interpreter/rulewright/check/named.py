"""Advice on lines that could not be read, once it is known what there is: the fields of kinds and the parameters of effects by the names that they have.

Takes the diagnostics of the parser, which knows no names, and the linked ruleset; gives them with hints that need no second correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.reshaped import head
from rulewright.diagnostics import Diagnostic
from rulewright.resolve import Linked
from rulewright.types import pluralised

REPLACED = re.compile(r"write: replace effect (\w+)\(\): \.\.\.")
ADJUSTED = re.compile(r"(write: (?:increase|decrease) [\w.]+\.)(\w+)( by .*)")
CALLED = re.compile(r"an effect is called as (\w+)\(\.\.\.\)")


def with_names(diagnostics: Iterable[Diagnostic], linked: Linked) -> list[Diagnostic]:
    """The same complaints, with names in their hints that are there."""
    return [replace(one, hint=_named(one.hint, linked)) if one.code == "R101" and one.hint else one for one in diagnostics]


def _named(hint: str, linked: Linked) -> str:
    if (found := REPLACED.fullmatch(hint)) is not None and (effect := _effect(found[1], linked)) is not None:
        return f"write: replace {head(effect)}: ..."
    if (found := CALLED.fullmatch(hint)) is not None and (effect := _effect(found[1], linked)) is not None:
        return f"an effect is called with what it takes; this one is: {head(effect)}"
    if (found := ADJUSTED.fullmatch(hint)) is not None:
        fields = {
            member.name for item in linked.items.values() for member in getattr(item.declaration, "members", ()) if isinstance(member, t.FieldDecl)
        }
        several = pluralised(found[2])
        return f"{found[1]}{several}{found[3]}" if found[2] not in fields and several in fields else hint
    return hint


def _effect(name: str, linked: Linked) -> t.EffectDecl | None:
    item = linked.items.get(f"{name}()")
    return item.declaration if item is not None and isinstance(item.declaration, t.EffectDecl) else None
