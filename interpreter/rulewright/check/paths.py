"""Paths: what `through` and `blocked by` name, and whom the clauses behind them speak of.

Behind `through` stands one operand: a name, a call, something in brackets, or adjectives and a noun with its `of`. Every other clause belongs to what the query looks
for, wherever it stands. So `rooms next to hall through a door where open` asks whether the room is open; if only doors can be, that is refused, and if both can, it is
doubted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.check.symbols import Kind
from rulewright.types import Type, element, many, shown

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions

INSIDE = (t.Logic, t.Not, t.Compare, t.Narrow, t.Arithmetic, t.Conditional)  # what speaks of the same thing as what it stands in


def through(expressions: Expressions, node: Any, scope: Scope) -> Core:
    """What one may go through: links, or the places one may step on; where nothing says, everything."""
    if node is None:
        return {"through": None}
    core, of = gone_through(expressions, node, scope)
    kind = expressions.symbols.kind_of(of.name) if of.how == "kind" else None
    if of.how == "any" or (kind is not None and kind.links):
        return {"through": core}
    if of.how != "place" and not expressions.symbols.is_place(of):
        hint = "name links, such as 'an open door', or places, such as 'an empty cell'"
        expressions.report("R401", f"one goes through links or places, and this is {shown(of)}", node.span, hint)
    return {"through": core, "places": True}


def gone_through(expressions: Expressions, node: Any, scope: Scope) -> tuple[Core, Type]:
    """The things that are named, as several; and what one of them is. `a door` is any of them."""
    if isinstance(node, t.Quantified) and node.how in ("a", "all"):
        node = node.query
    if isinstance(node, t.Query) and len(node.words) == 1 and not node.clauses:
        node = t.Name(node.span, node.words[0])
    if isinstance(node, t.Query) or (isinstance(node, t.Name) and node.word not in scope.names):
        found, of, _ = expressions.find(node, scope)
        return found, of
    core, of = expressions.read(node, scope)
    return (core, element(of)) if many(of) else ({"op": "list", "parts": [core]}, of)


def misplaced(expressions: Expressions, one: Type, node: t.Query, scope: Scope) -> set[int]:
    """The clauses, by their place, that speak of what one goes through and not of what is looked for; complains of each."""
    behind = [at for at, clause in enumerate(node.clauses) if clause.through is not None]
    links = [kind for at in behind if (kind := _links(expressions, node.clauses[at].through)) is not None]
    kind = expressions.symbols.kind_of(one.name) if one.how == "kind" else None
    if not links or kind is None:
        return set()
    wrong = set()
    for at, clause in enumerate(node.clauses):
        if at < behind[0] or clause.how not in ("where", "ordered"):
            continue
        names = [name for part in (clause.operand, *(order.key for order in clause.orders)) for name in _bare(part) if name.word not in scope.names]
        for name in names:
            if _has(links[0], name.word) and _has(kind, name.word):
                hint = f"write 'it.{name.word}' for the {kind.name}; for the {links[0].name} put it in brackets: through (... where ...)"
                expressions.report.doubt("R312", f"'{name.word}' is that of each {kind.name} here, not that of the {links[0].name}", name.span, hint)
            elif _has(links[0], name.word) and at not in wrong and expressions.global_name(name.word) is None:
                wrong.add(at)
                several, said = expressions.symbols.plural(links[0].name), "where" if clause.how == "where" else "ordered by"
                hint = f"to say it of the {several} put them in brackets: through ({several} where {name.word} ...)"
                expressions.report(
                    "R404", f"'{said}' speaks of each {kind.name} here, and '{name.word}' belongs to the {links[0].name}", name.span, hint
                )
    return wrong


def _links(expressions: Expressions, node: Any) -> Kind | None:
    """The kind of what is named behind `through` by a noun, without brackets."""
    words = node.words if isinstance(node, t.Query) and node.base is None else ()
    noun = expressions.symbols.noun(words[-1]) if words else None
    return expressions.symbols.kind_of(noun) if noun else None


def _has(kind: Kind, word: str) -> bool:
    return word in kind.fields or word in kind.places or word in kind.values


def _bare(node: Any) -> Iterator[t.Name]:
    """The names in a test that speak of the thing it is asked of."""
    if isinstance(node, t.Name):
        yield node
    elif isinstance(node, INSIDE):
        for part in (getattr(node, field) for field in node.__struct_fields__):
            for inner in part if isinstance(part, tuple) else (part,):
                yield from _bare(inner)
