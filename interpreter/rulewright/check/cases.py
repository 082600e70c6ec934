"""`match`: every case must be possible, and every possibility must have a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.diagnostics import Span
from rulewright.types import Type, out_of_range, shown

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Statements

OTHERWISE = ("_", "default", "otherwise", "other", "others")  # what is written elsewhere for all other cases


def match(statements: Statements, node: t.Match, scope: Scope, context: Context) -> Body:
    core, of = statements.expressions.read(node.value, scope)
    cases: list[dict[str, Any]] = []
    other: Body = []
    branches, bodies = [], []
    seen: set[Any] = set()
    has_else = wrong = False
    for case in node.cases:
        if has_else:
            statements.report("R406", "this case can never match, because 'else' stands before it", case.span)
        before = len(statements.report.diagnostics)
        values = [read_pattern(statements, pattern, of, seen) for pattern in case.patterns]
        wrong = wrong or len(statements.report.diagnostics) > before
        inner = scope.branch()
        body = statements.block(case.body, inner, context)
        branches.append(inner)
        bodies.append(body)
        if case.patterns:
            cases.append({"values": values, "body": body})
        else:
            has_else, other = True, body
    missing = [] if has_else or wrong else complain_of_missing(statements, of, seen)
    if missing:
        shown_list = ", ".join(str(each) for each in missing[:6]) + (" ..." if len(missing) > 6 else "")
        statements.report("R405", f"this match has no case for {shown_list}", node.value.span, "add the case, or 'else: nothing'")
    statements.settle(scope, branches, bodies, has_else or not missing)
    return [{"op": "match", "value": core, "cases": cases, "else": other}]


def read_pattern(statements: Statements, pattern: Any, of: Type, seen: set[Any]) -> dict[str, Any]:
    """One pattern as a core expression; complains if it can never be met."""
    value: Any = None
    if isinstance(pattern, t.Quantified):
        word = pattern.query.word if isinstance(pattern.query, t.Name) else ""
        noun = statements.symbols.noun(word)
        if noun is None:
            known = [*statements.symbols.kinds, *statements.symbols.definitions]
            statements.report("R301", f"there is no kind '{word}'", pattern.span, guess=(word, known))
        elif of.how == "kind" and not (statements.symbols.inherits(noun, of.name) or statements.symbols.inherits(of.name, noun)):
            statements.report("R406", f"{shown(of)} is never a {noun}", pattern.span)
        else:
            covered(statements, noun, pattern.span, seen)
        statements.symbols.used.add(noun or "")
        return {"op": "is_kind", "of": {"op": "var", "name": "#"}, "kind": noun}
    if isinstance(pattern, t.Number):
        value = pattern.value
    elif isinstance(pattern, t.Name):
        value = {"none": None, "true": True, "false": False, "yes": True, "no": False}.get(pattern.word, pattern.word)
    else:
        statements.report("R406", "a case is a word, a number, none, or 'a KIND'", pattern.span)
        return {"op": "const", "value": None}
    if value in seen:
        statements.report("R406", f"the case '{'none' if value is None else value}' stands twice", pattern.span)
    seen.add(value)
    if of.how == "kind" and isinstance(value, str) and value in statements.symbols.definitions:
        covered(statements, value, pattern.span, seen)
        if not (statements.symbols.inherits(value, of.name) or statements.symbols.inherits(of.name, value)):
            statements.report("R406", f"{shown(of)} is never '{value}'", pattern.span)
        return {"op": "is_kind", "of": {"op": "var", "name": "#"}, "kind": value}
    possible(statements, pattern, value, of)
    return {"op": "const", "value": value}


def covered(statements: Statements, noun: str, span: Span, seen: set[Any]) -> None:
    """Complain of a kind or component that a case before this one takes already; remember it."""
    before = next((kind for how, kind in (one for one in seen if isinstance(one, tuple)) if statements.symbols.inherits(noun, kind)), None)
    if before is not None:
        statements.report("R406", f"this case can never match, because 'a {before}' stands before it", span)
    if noun in statements.symbols.kinds:
        seen.add(("kind", noun))


def possible(statements: Statements, pattern: Any, value: Any, of: Type) -> None:
    if of.how == "any" or value is None:
        return
    if value in OTHERWISE and value not in of.words:
        statements.report("R406", f"{shown(of)} is never '{value}'", pattern.span, "write: else: ...")
    elif of.how == "words" and value not in of.words:
        statements.report("R406", f"'{value}' is never the value here; it is one of {shown(of)}", pattern.span,
                    guess=(str(value), [*map(str, of.words), "else"]))  # fmt: skip
    elif of.how == "flag" and not isinstance(value, bool):
        statements.report("R406", f"a flag is true or false, never '{value}'", pattern.span)
    elif of.how == "number" and (not isinstance(value, int) or out_of_range(value, of)):
        statements.report("R406", f"{shown(of)} is never '{value}'", pattern.span)
    elif of.how == "kind":
        hint = "a kind or component is matched by 'a NAME' or its name"
        statements.report(
            "R406", f"{shown(of)} is never '{value}'", pattern.span, hint, guess=(str(value), [*statements.symbols.definitions, "else", "none"])
        )


def complain_of_missing(statements: Statements, of: Type, seen: set[Any]) -> list[Any]:
    """What no case covers."""
    if of.how == "words":
        return [word for word in of.words if word not in seen] + (["none"] if of.optional and None not in seen else [])
    if of.how == "flag":
        return [name for name, value in (("true", True), ("false", False)) if value not in seen]
    if of.how == "number" and of.low is not None and of.high is not None and of.high - of.low <= 40:
        return [number for number in range(of.low, of.high + 1) if number not in seen]
    return ["anything else"] if of.how in ("number", "kind", "text") else []
