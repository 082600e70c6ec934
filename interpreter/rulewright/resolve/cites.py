"""Citations: which rules of a rulebook a declaration says it comes from, and whether the rulebook has them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Span, complain
from rulewright.guessing import Guesser

PLAIN = frozenset({str, int, bool, type(None), Span})  # what holds no nodes
WITHOUT_LINES = {"Span", "str", "int", "bool", "None", "tuple", "Expr", *(each.__name__ for each in get_args(t.Expr))}
WORDS = re.compile(r"\w+")


def rulebook_of(packages: tuple[Any, ...]) -> dict[str, str]:
    """Every rule id of the packages' rulebooks, with its statement."""
    return {rule["id"]: rule["statement"] for package in packages if package.rulebook is not None for rule in package.rulebook.data.get("rules", ())}


def foreign_prefixes(package: Any, packages: tuple[Any, ...]) -> frozenset[str]:
    """The games that share a package and whose rulebooks are not here: what it cites of them is left out."""
    here = {id.partition(".")[0] for id in rulebook_of(packages)}
    return frozenset(package.shared_by) - here


def without_cites(node: Any, prefixes: frozenset[str]) -> Any:
    """A node without the citations of some rulebooks; a line that cites nothing else goes with them."""
    if isinstance(node, tuple):
        kept = [(part, without_cites(part, prefixes)) for part in node]
        return node if all(new is old for old, new in kept) else tuple(new for old, new in kept if new is not None or old is None)
    if isinstance(node, t.Citation):
        return None if node.id.partition(".")[0] in prefixes else node
    if not isinstance(node, t.Node):
        return node
    fields = {name: without_cites(getattr(node, name), prefixes) for name in lined(node.__class__)}
    if isinstance(node, t.Cite) and not fields["ids"]:
        return None
    changed = {name: value for name, value in fields.items() if value is not getattr(node, name)}
    return replace(node, **changed) if changed else node


def check_kept(packages: tuple[Any, ...], book: dict[str, str], guesser: Guesser) -> list[Diagnostic]:
    """Complain about every rule that a rulebook says it keeps and no rulebook has."""
    return [
        complain("R306", f"no rulebook has the rule '{kept}'", package.rulebook.span("rules", number, "keeps", place), hint=guesser.hint(kept, book))
        for package in packages
        if package.rulebook is not None
        for number, rule in enumerate(package.rulebook.data.get("rules", ()))
        for place, kept in enumerate(rule.get("keeps", ()))
        if kept not in book
    ]


def walk(node: Any) -> Iterator[t.Node]:
    """A node and all nodes below it."""
    todo: list[Any] = [node]
    while todo:
        found = todo.pop()
        if type(found) is tuple:
            todo += reversed(found)
        elif isinstance(found, t.Node):
            yield found
            todo += [part for name in reversed(found.__struct_fields__) if type(part := getattr(found, name)) not in PLAIN]


@functools.cache
def lined(sort: type[t.Node]) -> tuple[str, ...]:
    """The fields of a sort of nodes in which lines may stand, last first: all but those that are declared to hold expressions, words and numbers."""
    return tuple(name for name, declared in reversed(sort.__annotations__.items()) if not WITHOUT_LINES.issuperset(WORDS.findall(declared)))


def walk_lines(node: Any) -> Iterator[t.Node]:
    """A node and all nodes below it that are no expressions: citations, sources and other lines never stand in one, and most nodes do."""
    todo: list[Any] = [node]
    while todo:
        found = todo.pop()
        if type(found) is tuple:
            todo += reversed(found)
        elif isinstance(found, t.Node):
            yield found
            todo += [part for name in lined(found.__class__) if (part := getattr(found, name))]


def cites_of(node: Any) -> tuple[str, ...]:
    """The rule ids cited anywhere in a declaration."""
    return tuple(dict.fromkeys(cite.id for cite in walk_lines(node) if isinstance(cite, t.Citation)))


def check_cites(lines: Iterable[Sequence[t.Node]], book: dict[str, str], guesser: Guesser) -> list[Diagnostic]:
    """Complain about every citation that the rulebook does not have; `lines` of each declaration."""
    diagnostics: list[Diagnostic] = []
    for walked in lines:
        for cite in walked:
            if isinstance(cite, t.Citation) and cite.id not in book:
                if book and cite.within:
                    if diagnostics and diagnostics[-1].span == cite.span:
                        continue  # one range, one report
                    message, hint = f"the rulebook has no rule '{cite.id}', which the range '{cite.within}' takes in", _there(cite.id, book)
                elif book:
                    message, hint = f"the rulebook has no rule '{cite.id}'", guesser.hint(cite.id, book)
                elif diagnostics:
                    continue
                else:
                    message, hint = f"'{cite.id}' is cited, but the ruleset has no rulebook", "add a rulebook.yaml, or leave out the citation"
                diagnostics.append(complain("R306", message, cite.span, hint=hint))
    return diagnostics


def _there(id: str, book: dict[str, str]) -> str | None:
    """Which rules with the beginning of an id the rulebook has."""
    beginning = id.rpartition(".")[0]
    numbers = [int(last) for first, _, last in (known.rpartition(".") for known in book) if first == beginning and last.isdigit()]
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"it has {beginning}.{told}" if runs else None
