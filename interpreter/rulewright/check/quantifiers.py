"""Quantifiers: what stands before a query (any, every, the first, a random ...), and what is measured over what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.paths import through
from rulewright.check.queries import _speaks_of, check_covered, find, is_noun, member_of
from rulewright.check.scope import Scope
from rulewright.types import ANY, FLAG, LOST, NUMBER, PLACE, Type, element, kind_type, many, set_of, shown

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read


def quantified(expressions: Expressions, node: t.Quantified, scope: Scope, wanted: Type | None = None) -> Read:
    if node.how in ("the", "a", "all") and isinstance(node.query, t.Query):
        member = member_of(expressions, node.query, scope)
        if member is not None and not many(member[1]) and member[1].how != "place":
            return member
    if node.how == "the" and isinstance(node.query, t.Name | t.Dot | t.Call):
        core, of = expressions.read(node.query, scope, wanted) if not is_noun(expressions, node.query, scope) else ({}, set_of(ANY))
        if not many(of):
            return core, of
    wanting = node.query if node.body is None else mended(expressions, node.query, scope, node.body)
    query, one, binder = find(expressions, wanting, scope, naming=node.body is not None)
    match node.how:
        case "any" | "no" | "every":
            return exists(expressions, node, query, one, binder, scope), FLAG
        case "count":
            return {"op": "count", "query": query}, NUMBER
        case "all":
            return query, set_of(one)
        case "up_to" | "any_number":
            expressions.report("R508", "'up to' and 'any number of' can only stand where something is chosen, drawn or moved", node.span)
            return query, set_of(one)
    return picked(expressions, node, query, one, scope)


def mended(expressions: Expressions, node: Any, scope: Scope, *used: Any) -> Any:
    """`each wrod in place` gives what is there a new name; if that is almost a kind and nothing asks for it, the kind was meant."""
    word = node.words[-1] if isinstance(node, t.Query) and node.words and node.clauses else ""
    if (
        not word
        or node.clauses[0].how != "in"
        or expressions.symbols.noun(word) is not None
        or word in scope.names
        or word in expressions.symbols.lost
    ):
        return node
    asked = _speaks_of(word, (*node.clauses, *used))
    best = (
        None
        if asked
        else expressions.report.guesser.guess(word, [*expressions.symbols.kinds, *expressions.symbols.plurals, *expressions.symbols.definitions])
    )
    if best is None:
        return node
    expressions.report("R301", f"nothing is called '{word}'", node.span, f"did you mean '{best}'?")
    return replace(node, words=(*node.words[:-1], best))


def picked(expressions: Expressions, node: t.Quantified, query: Core, one: Type, scope: Scope) -> Read:
    """One or several of the things found: a, the, first, last, top, bottom, a number."""
    how = {"a": "first", "the": "only", "number": "first"}.get(node.how, node.how)
    if node.amount is not None:
        amount = expressions.expect(node.amount, scope, NUMBER, "the amount")
        return {"op": "pick_many", "how": how, "query": query, "amount": amount}, set_of(one)
    return {"op": "pick", "how": how, "query": query}, one


def exists(expressions: Expressions, node: t.Quantified, query: Core, one: Type, binder: str, scope: Scope) -> Core:
    """`any`, `no` and `every`, with or without a condition on each thing."""
    if node.body is not None:
        check_covered(expressions, binder, scope, node.span, node.body)
        inner = scope.with_element(binder, one)
        condition = expressions.expect(node.body, inner, FLAG, "a condition")
        if node.how == "every":
            condition = {"op": "not", "part": condition}
        alias = {**query, "aliases": [*query.get("aliases", []), "it"]}
        query = {**alias, "filters": [*query["filters"], condition]}
    elif node.how == "every":
        expressions.report("R401", "'every ...' needs something that is said of each", node.span, "for example: every cell in line is empty")
    test: Core = {"op": "exists", "query": query}
    return test if node.how == "any" else {"op": "not", "part": test}


def measure(expressions: Expressions, node: t.Measure, scope: Scope, wanted: Type | None = None) -> Read:
    query, one, binder = find(expressions, mended(expressions, node.query, scope, node.value), scope, naming=True)
    check_covered(expressions, binder, scope, node.span, node.value)
    value = expressions.expect(node.value, scope.with_element(binder, one), NUMBER, f"what the {node.how} is taken of")
    return {"op": "measure", "how": node.how, "value": value, "query": query}, NUMBER


def distance(expressions: Expressions, node: t.Distance, scope: Scope, wanted: Type | None = None) -> Read:
    start = expressions.expect(node.start, scope, PLACE, "where the distance begins")
    goal = expressions.expect(node.goal, scope, PLACE, "where the distance ends")
    return {"op": "path_distance", "start": start, "goal": goal, **through(expressions, node.through, scope)}, NUMBER


def several(expressions: Expressions, node: t.Several, scope: Scope, wanted: Type | None = None) -> Read:
    """Things that are listed; what turns out to be nothing is none of them."""
    parts, together = [], None
    for part in node.parts:
        core, of = expressions.read(part, scope, element(wanted) if wanted is not None else None)
        if many(of):
            expressions.report("R401", f"each of these is one thing, and this is {shown(of)}", part.span)
        both = expressions.common(together, of) if together is not None else of
        if both is None:
            expressions.report("R401", f"these are of different sorts: {shown(together or ANY)} and {shown(of)}", part.span)
        parts.append(core)
        together = both or LOST
    listed: Core = {"op": "list", "parts": parts}
    if not all(expressions.certain(part, scope) for part in parts):
        there = {"op": "compare", "how": "!=", "left": {"op": "var", "name": "it"}, "right": {"op": "const", "value": None}}
        listed = {"op": "query", "source": listed, "binder": "it", "filters": [there], "orders": []}
    return listed, set_of(replace(together or LOST, optional=False))


def lines(expressions: Expressions, node: t.Call, scope: Scope) -> Read:
    """`lines(grid, n)`: every straight row of n neighbours on a grid."""
    if len(node.arguments) != 2 or not isinstance(node.arguments[0], t.Name) or node.arguments[0].word not in expressions.symbols.grids:
        if not node.arguments or getattr(node.arguments[0], "word", "") not in expressions.symbols.lost:
            expressions.report("R403", "'lines' takes a grid and a number", node.span, "for example: lines(board, 3)")
        return {"op": "const", "value": None}, LOST
    grid = node.arguments[0].word
    expressions.symbols.used.add(grid)
    length = expressions.expect(node.arguments[1], scope, NUMBER, "the length of a line")
    cells = set_of(kind_type(expressions.symbols.grids[grid].kind))
    return {"op": "lines", "grid": grid, "length": length}, set_of(cells)
