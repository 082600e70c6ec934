"""`match`: every case must be possible, and every possibility must have a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.diagnostics import Span
from rulewright.types import Type, out_of_range, shown

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Statements


class Cases:
    """Reads `match` for `Statements`."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.symbols = statements.symbols
        self.report = statements.report

    def match(self, node: t.Match, scope: Scope, context: Context) -> Body:
        core, of = self.statements.expressions.read(node.value, scope)
        cases: list[dict[str, Any]] = []
        other: Body = []
        branches, bodies = [], []
        seen: set[Any] = set()
        has_else = wrong = False
        for case in node.cases:
            if has_else:
                self.report("R406", "this case can never match, because 'else' stands before it", case.span)
            before = len(self.report.diagnostics)
            values = [self.pattern(pattern, of, seen) for pattern in case.patterns]
            wrong = wrong or len(self.report.diagnostics) > before
            inner = scope.branch()
            body = self.statements.block(case.body, inner, context)
            branches.append(inner)
            bodies.append(body)
            if case.patterns:
                cases.append({"values": values, "body": body})
            else:
                has_else, other = True, body
        missing = [] if has_else or wrong else self.missing(of, seen)
        if missing:
            shown_list = ", ".join(str(each) for each in missing[:6]) + (" ..." if len(missing) > 6 else "")
            self.report("R405", f"this match has no case for {shown_list}", node.value.span, "add the case, or 'else: nothing'")
        self.statements.settle(scope, branches, bodies, has_else or not missing)
        return [{"op": "match", "value": core, "cases": cases, "else": other}]

    def pattern(self, pattern: Any, of: Type, seen: set[Any]) -> dict[str, Any]:
        """One pattern as a core expression; complains if it can never be met."""
        value: Any = None
        if isinstance(pattern, t.Quantified):
            word = pattern.query.word if isinstance(pattern.query, t.Name) else ""
            noun = self.symbols.noun(word)
            if noun is None:
                known = [*self.symbols.kinds, *self.symbols.definitions]
                self.report("R301", f"there is no kind '{word}'", pattern.span, guess=(word, known))
            elif of.how == "kind" and not (self.symbols.inherits(noun, of.name) or self.symbols.inherits(of.name, noun)):
                self.report("R406", f"{shown(of)} is never a {noun}", pattern.span)
            else:
                self.covered(noun, pattern.span, seen)
            self.symbols.used.add(noun or "")
            return {"op": "is_kind", "of": {"op": "var", "name": "#"}, "kind": noun}
        if isinstance(pattern, t.Number):
            value = pattern.value
        elif isinstance(pattern, t.Name):
            value = {"none": None, "true": True, "false": False, "yes": True, "no": False}.get(pattern.word, pattern.word)
        else:
            self.report("R406", "a case is a word, a number, none, or 'a KIND'", pattern.span)
            return {"op": "const", "value": None}
        if value in seen:
            self.report("R406", f"the case '{'none' if value is None else value}' stands twice", pattern.span)
        seen.add(value)
        if of.how == "kind" and isinstance(value, str) and value in self.symbols.definitions:
            self.covered(value, pattern.span, seen)
            if not (self.symbols.inherits(value, of.name) or self.symbols.inherits(of.name, value)):
                self.report("R406", f"{shown(of)} is never '{value}'", pattern.span)
            return {"op": "is_kind", "of": {"op": "var", "name": "#"}, "kind": value}
        self.possible(pattern, value, of)
        return {"op": "const", "value": value}

    def covered(self, noun: str, span: Span, seen: set[Any]) -> None:
        """Complain of a kind or component that a case before this one takes already; remember it."""
        before = next((kind for how, kind in (one for one in seen if isinstance(one, tuple)) if self.symbols.inherits(noun, kind)), None)
        if before is not None:
            self.report("R406", f"this case can never match, because 'a {before}' stands before it", span)
        if noun in self.symbols.kinds:
            seen.add(("kind", noun))

    def possible(self, pattern: Any, value: Any, of: Type) -> None:
        if of.how == "any" or value is None:
            return
        if of.how == "words" and value not in of.words:
            self.report("R406", f"'{value}' is never the value here; it is one of {shown(of)}", pattern.span,
                        guess=(str(value), [*map(str, of.words), "else"]))  # fmt: skip
        elif of.how == "flag" and not isinstance(value, bool):
            self.report("R406", f"a flag is true or false, never '{value}'", pattern.span)
        elif of.how == "number" and (not isinstance(value, int) or out_of_range(value, of)):
            self.report("R406", f"{shown(of)} is never '{value}'", pattern.span)
        elif of.how == "kind":
            hint = "a kind or component is matched by 'a NAME' or its name"
            self.report(
                "R406", f"{shown(of)} is never '{value}'", pattern.span, hint, guess=(str(value), [*self.symbols.definitions, "else", "none"])
            )

    def missing(self, of: Type, seen: set[Any]) -> list[Any]:
        """What no case covers."""
        if of.how == "words":
            return [word for word in of.words if word not in seen] + (["none"] if of.optional and None not in seen else [])
        if of.how == "flag":
            return [name for name, value in (("true", True), ("false", False)) if value not in seen]
        if of.how == "number" and of.low is not None and of.high is not None and of.high - of.low <= 40:
            return [number for number in range(of.low, of.high + 1) if number not in seen]
        return ["anything else"] if of.how in ("number", "kind", "text") else []
