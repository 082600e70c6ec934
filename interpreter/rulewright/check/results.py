"""The body of a value as one expression.

Takes drafts of branches, cases, local names and `give`; gives the expression of what is given at last. Refuses a way through that gives nothing, and
bodies whose ways multiply: what follows two branches that both go on is part of each.
"""

from __future__ import annotations

from typing import Any

from rulewright.check.expressions import NOTHING, Core
from rulewright.check.report import Report
from rulewright.diagnostics import Span
from rulewright.limits import Limits

Body = list[dict[str, Any]]


def as_expression(body: Body, span: Span, report: Report, limits: Limits) -> Core:
    """What a body gives."""
    return _Results(span, report, limits).given(body, span, 0)


class _Results:
    """Follows every way through one body."""

    def __init__(self, span: Span, report: Report, limits: Limits) -> None:
        self.span = span
        self.report = report
        self.limits = limits
        self.ways = 0

    def given(self, body: Body, span: Span, depth: int) -> Core:
        if self.ways > self.limits.value_ways:
            return NOTHING
        body = body[next((at for at, draft in enumerate(body) if not _idle(draft)), len(body)) :]
        if not body or body[0]["op"] == "return" or depth > self.limits.value_lines:
            return self.last(body, span, depth)
        first, rest = body[0], body[1:]
        match first["op"]:
            case "branch":
                yes = self.given([*first["then"], *rest], first["span"], depth + 1)
                return {"op": "if", "test": first["test"], "yes": yes, "no": self.given([*first["else"], *rest], first["span"], depth + 1)}
            case "match":
                other = self.given([*first["else"], *rest], first["span"], depth + 1) if first["else"] or rest else NOTHING
                for case in reversed(first["cases"]):
                    tests = [_matches(first["value"], value) for value in case["values"]]
                    test = tests[0] if len(tests) == 1 else {"op": "or", "parts": tests}
                    other = {"op": "if", "test": test, "yes": self.given([*case["body"], *rest], first["span"], depth + 1), "no": other}
                return other
            case "bind":
                return {"op": "let", "name": first["name"], "value": first["value"], "in": self.given(rest, span, depth + 1)}
        self.report("R508", "a value only computes: 'let', 'if', 'match' and 'give'", first["span"], "make it an effect if something is to happen")
        return NOTHING

    def last(self, body: Body, span: Span, depth: int) -> Core:
        """The end of a way."""
        self.ways += 1
        if self.ways > self.limits.value_ways or depth > self.limits.value_lines:
            self.ways = self.limits.value_ways + 1
            self.report("R603", "there are too many ways through this value", self.span, "let each branch end with 'give', or ask another value")
        elif not body:
            self.report("R409", "this value gives nothing on some way through", span, "end with 'give ...'")
        else:
            return body[0]["value"] or NOTHING
        return NOTHING


def _idle(draft: dict[str, Any]) -> bool:
    """Whether a draft neither gives nor names anything."""
    bodies = [draft["then"], draft["else"]] if draft["op"] == "branch" else None
    if draft["op"] == "match":
        bodies = [draft["else"], *(case["body"] for case in draft["cases"])]
    return bodies is not None and not any(bodies)


def _matches(value: Core, pattern: Core) -> Core:
    if pattern["op"] == "is_kind":
        return {**pattern, "of": value}
    return {"op": "compare", "how": "=", "left": value, "right": pattern}
