"""Clauses: where the things come from that a query looks for. `in` and `of` a place or what it belongs to, and ways: next to, within, reachable, visible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check.adjectives import may_be
from rulewright.check.paths import gone_through, through
from rulewright.check.scope import Scope
from rulewright.diagnostics import Span
from rulewright.types import ANY, LOST, NUMBER, Type, element, fits, kind_type, many, shown

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions


def held_by(expressions: Expressions, core: Core) -> Type:
    """What a place holds, if its declaration says so."""
    place = expressions.symbols.places.get(core.get("place", ""))
    noun = expressions.symbols.noun(place.holds) if place and place.holds else None
    return kind_type(noun) if noun else ANY


def in_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    core, of = expressions.read(clause.operand, scope)
    inner = element(of)
    if many(of) and (inner.how == "any" or related(expressions, one, inner)):
        narrow(expressions, query, read_both(expressions, query["source"], core))
    elif of.how == "place" or expressions.symbols.is_place(of) or (many(of) and expressions.places_of(of)):
        can_hold(expressions, core, inner, one, clause.span)
        narrow(expressions, query, read_both(expressions, query["source"], {"op": "members", "of": core}))
    elif of == LOST:
        narrow(expressions, query, {"op": "members", "of": core})
    elif of.how != "any":
        expressions.report("R401", f"nothing can be in {shown(of)}", clause.span)


def can_hold(expressions: Expressions, core: Core, of: Type, one: Type, span: Span) -> None:
    """Complain about things that are looked for where they never are."""
    kind = expressions.symbols.kind_of(of.name) if of.how == "kind" else None
    line = kind.lines.get("holds") if kind else None
    noun = expressions.symbols.noun(line.value.word) if line and isinstance(line.value, t.Name) else None
    held = kind_type(noun) if noun else held_by(expressions, core)
    if held.how == one.how == "kind" and not may_be(expressions, one, held.name):
        expressions.report("R407", f"{shown(one)} is never there; only {shown(held)} can be", span)


def related(expressions: Expressions, left: Type, right: Type) -> bool:
    return fits(left, right, expressions.symbols.inherits) and right.how != "place"


def read_both(expressions: Expressions, all_of: Core, narrower: Core) -> Core:
    """The narrower source, keeping the noun as a condition."""
    noun = all_of["of"] if all_of["op"] == "all" else None
    return {"op": "of_kind", "source": narrower, "kind": noun} if noun else narrower


def noun_of(expressions: Expressions, query: Core) -> str | None:
    """The kind a query asks for, as long as nothing but the noun says so."""
    source: Core = query["source"]
    return source["of"] if source["op"] == "all" else None


def narrow(expressions: Expressions, query: Core, source: Core) -> None:
    """Where the things come from, in their order there; a second such clause is a condition on what the first one gives."""
    found = query["source"]
    everything = found["source"] if found["op"] == "of_kind" else found
    if found["op"] == "all":
        query["source"] = source
    elif everything["op"] == "all" and "grid" not in everything:  # `a card in cards in hand`
        noun = found.get("kind") or everything["of"]
        query["source"] = source if source.get("kind") == noun else {"op": "of_kind", "source": source, "kind": noun}
    else:
        query["filters"].append({"op": "is_in", "item": {"op": "var", "name": query["binder"]}, "set": source})


def of_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    core, of = expressions.read(clause.operand, scope)
    noun = noun_of(expressions, query)
    kind = expressions.symbols.kind_of(noun) if noun else None
    if kind is not None and kind.links and element(of).how in ("kind", "place"):
        narrow(expressions, query, {"op": "links", "kind": noun, "of": core})
    elif element(of).how == "kind":
        narrow(expressions, query, {"op": "belonging", "kind": noun, "of": core})
    elif of.how == "place":
        narrow(expressions, query, read_both(expressions, query["source"], {"op": "members", "of": core}))
    elif of.how != "any":
        expressions.report("R401", f"{shown(of)} has no components", clause.span, "'of' names a component whose things are meant")


def place_operand(expressions: Expressions, clause: t.Clause, scope: Scope) -> Core:
    core, of = expressions.read(clause.operand, scope)
    if of.how not in ("any", "place") and not expressions.symbols.is_place(of):
        expressions.report("R401", f"a place was expected here, and this is {shown(of)}", clause.span)
    return core


def next_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    noun = noun_of(expressions, query)
    narrow(
        expressions,
        query,
        {"op": "next", "kind": noun, "of": place_operand(expressions, clause, scope), **through(expressions, clause.through, scope)},
    )


def within_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    noun = noun_of(expressions, query)
    limit = expressions.expect(clause.limit, scope, NUMBER, "the distance")
    narrow(expressions, query, {"op": "within", "kind": noun, "of": place_operand(expressions, clause, scope), "limit": limit})


def reachable_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    noun = noun_of(expressions, query)
    limit = expressions.expect(clause.limit, scope, NUMBER, "the distance") if clause.limit is not None else None
    start = place_operand(expressions, clause, scope)
    narrow(expressions, query, {"op": "reachable", "kind": noun, "of": start, "limit": limit, **through(expressions, clause.through, scope)})


def visible_clause(expressions: Expressions, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
    noun = noun_of(expressions, query)
    narrow(
        expressions,
        query,
        {"op": "visible", "kind": noun, "of": place_operand(expressions, clause, scope), "blocked": blocking(expressions, clause.through, scope)},
    )


def blocking(expressions: Expressions, node: Any, scope: Scope) -> Core | None:
    """What cannot be seen through."""
    return gone_through(expressions, node, scope)[0] if node is not None else None


SOURCES = {
    "in": in_clause, "of": of_clause, "next": next_clause, "within": within_clause,
    "reachable": reachable_clause, "visible": visible_clause,
}  # fmt: skip
