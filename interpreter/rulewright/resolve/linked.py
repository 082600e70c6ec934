"""The linked ruleset: what every name finally stands for, and how it came to."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.diagnostics import Span


class ChangeRecord(msgspec.Struct, frozen=True):
    """What a layer did to something: replace, remove, insert, set, add."""

    package: str
    how: str
    path: str
    span: Span
    cites: tuple[str, ...] = ()
    kind: str | None = None  # of a component that was removed


class Item(msgspec.Struct, frozen=True):
    """Something with a name: its path, what it is, the declaration it now has and the package that declared it."""

    path: str
    what: str
    declaration: t.Declaration
    package: str
    changes: tuple[ChangeRecord, ...] = ()


class HookItem(msgspec.Struct, frozen=True):
    """A hook at the top level of a file."""

    declaration: t.Declaration
    package: str


class Linked(msgspec.Struct, frozen=True):
    """Everything a ruleset says, by name."""

    id: str
    title: str
    version: str
    packages: tuple[tuple[str, str], ...]
    players: tuple[int, int]
    declares_players: bool
    options: dict[str, str | int]
    option_values: dict[str, tuple[str | int, ...]]
    items: dict[str, Item]
    hooks: tuple[HookItem, ...]
    rulebook: dict[str, str]
    changes: tuple[ChangeRecord, ...]
    files: tuple[str, ...]
    span: Span
    stands_alone: bool = False  # one rules file over nothing else
    origins: dict[str, str] = msgspec.field(default_factory=dict)  # the package that each rules file belongs to
    left_open: dict[str, Item] = msgspec.field(default_factory=dict)  # what a shared ruleset leaves to each game
    usual_players: int | None = None
    reshaped: dict[str, t.Declaration] = msgspec.field(default_factory=dict)  # as it was: what a layer replaces by something with other parameters


def named_as(declaration: Any) -> tuple[str, str] | None:
    """What a declaration is and the name it has, or None for hooks."""
    match declaration:
        case t.KindDecl():
            return "kind", declaration.name
        case t.ComponentDecl():
            return "component", declaration.name
        case t.PlaceDecl():
            return "place", f"{declaration.of}.{declaration.name}" if declaration.of else declaration.name
        case t.DieDecl() | t.EffectDecl():
            return declaration.what, declaration.name
        case t.GridDecl():
            return "grid", declaration.name
        case t.NumberDecl():
            return "number", declaration.name
        case t.StateDecl():
            return "state", declaration.name
        case t.ValueDecl():
            return "value", declaration.name
        case t.ActionDecl():
            return "action", declaration.name
        case t.CostDecl():
            return "cost", declaration.name
        case t.Step():
            return "step", declaration.name
        case t.RuleDecl():
            return "rule", declaration.name
        case t.WordsDecl():
            return "words", declaration.name
    return None


DOINGS = frozenset({"effect", "phase", "action"})


def key_of(what: str, path: str) -> str:
    """Where something is kept: a noun and a verb, or a cost, may have the same name."""
    if what in DOINGS:
        return f"{path}()"
    return f"{what} {path}" if what in ("cost", "rule") else path


def member_name(member: Any) -> str | None:
    """The name by which a layer can speak of a member of a kind or component."""
    name = getattr(member, "name", None)
    return name if isinstance(name, str) else None


def hook_words(hook: Any) -> tuple[str, str]:
    """When a hook comes, and what it is on."""
    match hook:
        case t.HookDecl():
            return {"instead": "instead of"}.get(hook.timing, hook.timing), hook.event
        case t.RunsOut():
            return "when it runs out", path_of(hook.place)
        case t.Reaches():
            return f"when it reaches {hook.space}", hook.track
        case t.ChangeDecl():
            return "change", hook.target
        case t.CostChange():
            return "cost of", hook.target
    return "reaction to", str(getattr(hook, "event", ""))


def path_of(expression: Any) -> str:
    """A dotted name as it is written."""
    return f"{path_of(expression.base)}.{expression.word}" if isinstance(expression, t.Dot) else str(getattr(expression, "word", ""))


def without_spans(node: Any) -> Any:
    """A tree as plain data, without where it stood."""
    if isinstance(node, dict):
        return {key: without_spans(value) for key, value in node.items() if key != "span"}
    if isinstance(node, list | tuple):
        return [without_spans(value) for value in node]
    return node


def fingerprint(declaration: Any) -> str:
    """A short mark of what a declaration says; it changes when the declaration does, and not with its layout."""
    plain = without_spans(msgspec.to_builtins(declaration))
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()[:8]
