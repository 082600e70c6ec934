"""Lists and numbers one after another: `add X to LIST`, `remove X from LIST`, `for each n from 1 to 4`.

Each takes a statement and its scope; the first two give the drafts of a `set`, of a field or a local name, the last the query that a loop runs
through. They refuse what is no list, and say what is written for numbers and places instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check import advice, predicates
from rulewright.check.expressions import Core, variable
from rulewright.check.scope import Scope
from rulewright.types import LOST, NUMBER, Type, element, many, set_of, shown, with_article

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Statements


def add(statements: Statements, node: t.AddItem, scope: Scope, context: Context) -> Body:
    return changed(statements, node, node.what, node.target, scope)


def remove(statements: Statements, node: t.RemoveItem, scope: Scope, context: Context) -> Body:
    if node.target is None:
        hint = "write 'remove X from LIST'; to take a component out of the game: move X to box"
        statements.report("R101", "nothing says what this is removed from", node.span, hint)
        return []
    if isinstance(node.target, t.Name) and node.target.word == "game" and not predicates.is_known(statements.expressions, "game", scope):
        what = advice.said_without_place(node.what.base if isinstance(node.what, t.Query) and node.what.base is not None else node.what)
        statements.report("R401", "nothing is ever destroyed: what leaves the game goes to the box", node.span, f"write: move {what or '...'} to box")
        return []
    return changed(statements, node, node.what, node.target, scope)


def changed(statements: Statements, node: t.AddItem | t.RemoveItem, what: t.Expr, target: t.Expr, scope: Scope) -> Body:
    """The list with what is added, or without what is removed, put in place of the old one."""
    local = target.word if isinstance(target, t.Name) and target.word in scope.names else None
    now, of = statements.expressions.read(target, scope)
    if not many(of):
        no_list(statements, node, what, target, of)
        return []
    core = statements.expressions.expect(what, scope, set_of(element(of)), "what is added" if isinstance(node, t.AddItem) else "what is removed")
    if isinstance(node, t.AddItem):
        value: Core = {"op": "joined", "parts": [now, core], "once": of.how == "set"}
    else:
        value = {"op": "without", "source": now, "out": core}
    if local is None:
        field, _ = statements.field(target, scope)
        return [{"op": "set", **field, "value": value}]
    assert isinstance(target, t.Name)
    statements.own(target, scope)
    statements.secrets.mark(local, value, scope)
    return [{"op": "bind", "name": local, "value": value, "as": element(of).how}]


def no_list(statements: Statements, node: t.AddItem | t.RemoveItem, what: t.Expr, target: t.Expr, of: Type) -> None:
    """Complain that something is no list, and say what is written for what it is."""
    if of.how == "any":
        return
    adding = isinstance(node, t.AddItem)
    thing, there = advice.said(what) or "...", advice.said(target) or "..."
    hint = None
    if of.how == "number":
        hint = f"write: {'increase' if adding else 'decrease'} {there} by {thing}"
    elif of.how == "place" or statements.symbols.is_place(of):
        query = what.query if isinstance(what, t.Quantified) and what.how == "a" else None
        some = with_article(" ".join(query.words)) if isinstance(query, t.Query) and query.words else thing
        hint = f"things are moved: move {some} to {there}" if adding else f"things are moved: move {some} from {there} to PLACE"
    statements.report("R401", f"'{'add' if adding else 'remove'}' changes a list or a set, and this is {shown(of)}", target.span, hint)


def numbers(statements: Statements, node: t.ForEach, scope: Scope) -> tuple[Core, Type, str]:
    """The numbers that `for each n from LOW to HIGH` runs through."""
    query: Any = node.query
    clauses = query.clauses if isinstance(query, t.Query) else ()
    if not isinstance(query, t.Query) or query.base is not None or len(query.words) != 1 or [clause.how for clause in clauses] != ["in"]:
        statements.report("R101", "a loop over numbers gives them a name", node.query.span, "write: for each n from 1 to 4: ...")
        return {"op": "query", "source": variable("it"), "binder": "it", "filters": [], "orders": []}, LOST, "it"
    name = query.words[0]
    if name in scope.names:
        statements.report("R309", f"'{name}' is already the name of something here", query.span, "give the number another name")
    assert clauses[0].operand is not None
    low = statements.expressions.expect(clauses[0].operand, scope, NUMBER, "the first number")
    high = statements.expressions.expect(node.to, scope, NUMBER, "the last number")
    source: Core = {"op": "numbers", "low": low, "high": high}
    return {"op": "query", "source": source, "binder": name, "filters": [], "orders": []}, NUMBER, name
