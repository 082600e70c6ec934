"""Predicates: what is said of something, with `is` and `holds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.adjectives import UNKNOWN, adjective, may_be, read_test
from rulewright.check.clauses import read_both
from rulewright.check.queries import NOWHERE, find, is_noun, member_of
from rulewright.check.scope import Scope
from rulewright.types import FLAG, LOST, NUMBER, Type, element, kind_type, many, shown, with_article

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read


def predicate(expressions: Expressions, node: t.Compare, scope: Scope) -> Read:
    """`X is ...`: a kind, an adjective, a value, or the same thing."""
    core, of = expressions.read(node.left, scope)
    test = is_what(expressions, core, of, node, scope)
    return (test if node.op == "is" else {"op": "not", "part": test}), FLAG


def is_what(expressions: Expressions, core: Core, of: Type, node: t.Compare, scope: Scope) -> Core:
    right = node.right
    if of.how == "deed" and isinstance(right, t.Dot) and (path := deed_path(expressions, right)) in expressions.symbols.actions:
        expressions.symbols.used.add(path)
        return {"op": "is_deed", "of": core, "name": path}
    if isinstance(right, t.Quantified) and right.how == "a" and isinstance(right.query, t.Name | t.Query):
        return is_a(expressions, core, of, right, scope)
    if isinstance(right, t.Name) and right.word not in scope.names:
        if of.how == "words" and right.word in of.words:
            return {"op": "compare", "how": "=", "left": core, "right": {"op": "const", "value": right.word}}
        if right.word != "none" and (test := read_test(expressions, core, of, right.word, right.span)) is not None:
            return test
        if of.how == "kind" and not is_known(expressions, right.word, scope):
            return adjective(expressions, core, of, right.word, right.span)
    doubts = len(expressions.report.doubts)
    other, other_type = expressions.read(right, scope, of)
    expressions.check_same(core, other, node.span, scope, doubts)
    expressions.check_comparable(of, other_type, node.span, expressions.elsewhere(node, of, other_type))
    expressions.check_range(core, of, other, "=", node.span)
    return {"op": "compare", "how": "=", "left": core, "right": other}


def is_known(expressions: Expressions, word: str, scope: Scope) -> bool:
    """Whether a word means something by itself, or explains itself better than as an adjective."""
    if word in scope.may_be_unset or expressions.excused(word, scope, None) or expressions.global_name(word) is not None:
        return True
    own = any(expressions.member({}, each.type, word, NOWHERE) is not None for each in scope.elements)
    return (
        own
        or word in expressions.symbols.values
        or word in expressions.symbols.effects
        or word in expressions.symbols.kinds
        or word in expressions.symbols.dice
    )


def deed_path(expressions: Expressions, node: Any) -> str:
    """The path of an action written with dots."""
    return f"{deed_path(expressions, node.base)}.{node.word}" if isinstance(node, t.Dot) else getattr(node, "word", "")


def is_a(expressions: Expressions, core: Core, of: Type, right: t.Quantified, scope: Scope) -> Core:
    """`X is a big dog`: a kind and adjectives, or a word that is said of X; with clauses, one of the things found."""
    query: Any = right.query
    words = query.words if isinstance(query, t.Query) else (query.word,)
    noun = expressions.symbols.noun(words[-1])
    if noun is None and of == LOST:
        return UNKNOWN
    if noun is None:
        if of.how == "deed":
            return adjective(expressions, core, of, words[-1], right.span)
        if len(words) == 1 and (named := scope.names.get(words[0])) is not None and named.how == "words" and named.name and of.how == "kind":
            return is_sort(expressions, core, of, t.Name(query.span, words[0]), scope)
        if len(words) == 1 and not getattr(query, "clauses", ()) and (test := read_test(expressions, core, of, words[0], right.span)) is not None:
            return test
        expressions.report(
            "R301", f"there is no kind '{words[-1]}'", right.span, guess=(words[-1], [*expressions.symbols.kinds, *expressions.symbols.definitions])
        )
        return {"op": "const", "value": True}
    expressions.symbols.used.add(noun)
    if isinstance(query, t.Query) and query.clauses:
        found, _, _ = find(expressions, query, scope)
        return {"op": "is_in", "item": core, "set": found}
    if of.how == "kind" and not may_be(expressions, of, noun):
        expressions.report("R407", f"{shown(of)} is never a {noun}", right.span)
    parts: list[Core] = [{"op": "is_kind", "of": core, "kind": noun}]
    parts += [adjective(expressions, core, kind_type(noun), word, right.span) for word in words[:-1]]
    return parts[0] if len(parts) == 1 else {"op": "and", "parts": parts}


def is_sort(expressions: Expressions, core: Core, of: Type, name: t.Name, scope: Scope) -> Core:
    """`X is a NAMED`: whether X is called what a local name holds."""
    sort, wanted = expressions.read(name, scope)
    if not may_be(expressions, of, wanted.name):
        expressions.report("R407", f"{shown(of)} is never {with_article(wanted.name)}", name.span)
    return {"op": "compare", "how": "=", "left": {"op": "field", "of": core, "name": "sort"}, "right": sort}


def holds(expressions: Expressions, node: t.Compare, scope: Scope) -> Read:
    """`PLACE holds a thing`, `PLACE holds no thing`, `PLACE holds only X`."""
    core, of = expressions.read(node.left, scope)
    if (
        of.how not in ("any", "place")
        and not expressions.symbols.is_place(of)
        and not (many(of) and (element(of) == LOST or expressions.places_of(of)))
    ):
        expressions.report("R401", f"{shown(of)} cannot hold anything", node.left.span)
    members: Core = {"op": "members", "of": core}
    right: Any = node.right
    if node.op == "holds only":
        found, sort = expressions.read(right, scope)
        only = found if many(sort) else {"op": "list", "parts": [found]}
        return {"op": "compare", "how": "=", "left": members, "right": only}, FLAG
    how = right.how if isinstance(right, t.Quantified) else ""
    if how in ("a", "any", "no", "number"):
        return holds_some(expressions, right, members, scope), FLAG
    if how == "every" and right.body is None:
        right = replace(right, how="all")
    member = member_of(expressions, right, scope) if isinstance(right, t.Query) else None
    if member is None and (isinstance(right, t.Query) or is_noun(expressions, right, scope)):
        return holds_some(expressions, t.Quantified(right.span, "a", right), members, scope), FLAG
    found, sort = member or expressions.read(right, scope)
    if element(sort).how not in ("kind", "any"):
        expressions.report("R401", f"a place holds components, and this is {shown(sort)}", right.span)
    if not many(sort):
        return {"op": "is_in", "item": found, "set": members}, FLAG
    outside: Core = {"op": "not", "part": {"op": "is_in", "item": {"op": "var", "name": "it"}, "set": members}}
    strays: Core = {"op": "query", "source": found, "binder": "it", "filters": [outside], "orders": []}
    return {"op": "not", "part": {"op": "exists", "query": strays}}, FLAG


def holds_some(expressions: Expressions, node: t.Quantified, members: Core, scope: Scope) -> Core:
    """Whether some of the things of a query are members of a place: one, none, or so many."""
    found, _, _ = find(expressions, node.query, scope)
    if found["source"]["op"] != "all":
        found["filters"].append({"op": "is_in", "item": {"op": "var", "name": found["binder"]}, "set": found["source"]})
    found["source"] = read_both(expressions, found["source"], members)
    if node.how == "number":
        amount = expressions.expect(node.amount, scope, NUMBER, "the amount")
        return {"op": "compare", "how": ">=", "left": {"op": "count", "query": found}, "right": amount}
    test: Core = {"op": "exists", "query": found}
    return {"op": "not", "part": test} if node.how == "no" else test
