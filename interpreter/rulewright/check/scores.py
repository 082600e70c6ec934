"""Scores: `score who: points` and `win by score`.

What a player has scored is a field of players that no author can name; it is there if some rule scores. `score` sets it, of one player or of several, and
`win by score` marks those who have the most, or the fewest, as winners. Both give drafts of nodes that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright import tree as t
from rulewright.check.expressions import NOTHING, Core, variable
from rulewright.check.scope import Scope
from rulewright.check.symbols import Field
from rulewright.types import NUMBER, SCORE, Type, kind_type, many, set_of

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Statements

PLAYERS: Core = {"op": "all", "of": "player"}


def scoring(statements: Statements, node: t.Node) -> bool:
    """Let players have a score; complains where the rules are finished and have none."""
    fields = statements.symbols.kinds["player"].fields
    if SCORE not in fields and statements.symbols.complete:
        statements.report("R508", "the rules of this game do not score", node.span, "score in the rules, and see what comes of it")
        return False
    fields.setdefault(SCORE, Field(SCORE, Type("number", optional=True), "player", None))
    return True


def score(statements: Statements, node: t.Score, scope: Scope, context: Context) -> Body:
    if not scoring(statements, node):
        return []
    complaints = len(statements.report.diagnostics)
    core, of = statements.expressions.read(node.who, scope)
    if len(statements.report.diagnostics) == complaints:
        statements.expressions.check_type(core, of, set_of(kind_type("player")), node.who.span, "who scores")
    if not many(of):
        points = statements.expressions.expect(node.points, scope, NUMBER, "a score")
        return [{"op": "set", "of": core, "field": SCORE, "value": points}]
    query = node.who.query if isinstance(node.who, t.Quantified) and node.who.how == "all" else node.who
    found, one, binder = statements.expressions.find(query, scope, naming=True)
    points = statements.expressions.expect(node.points, scope.with_element(binder, one), NUMBER, "a score")
    each: Core = {"op": "set", "of": variable(binder), "field": SCORE, "value": points, "span": node.span}
    return [{"op": "each", "name": binder, "query": {**found, "orders": []}, "orders": [], "body": [each], "as": one.how}]


def win(statements: Statements, node: t.WinByScore, scope: Scope, context: Context) -> Body:
    if not scoring(statements, node):
        return []
    own: Core = {"op": "field", "of": variable("player"), "name": SCORE}
    has_one: Core = {"op": "not", "part": {"op": "compare", "how": "=", "left": own, "right": NOTHING}}
    scored: Core = {"op": "query", "source": PLAYERS, "binder": "player", "filters": [has_one], "orders": []}
    best: Core = {"op": "measure", "how": node.best, "value": own, "query": scored}
    equal: Core = {"op": "compare", "how": "=", "left": own, "right": best}
    return [{"op": "outcome", "how": "win", "player": {**scored, "filters": [has_one, equal]}}]
