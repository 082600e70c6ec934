"""Fragments: statements and expressions that are not part of a ruleset, read against one.

Scenarios, consoles and tools use the rules language too. A fragment is parsed, checked like a rule, with its place in whatever file it stands in, and
lowered into a copy of the graph that has its nodes as well.
"""

from __future__ import annotations

from typing import Any

from interpreter.build import Built
from interpreter.check.expressions import Core, Expressions
from interpreter.check.report import Report
from interpreter.check.scope import Scope
from interpreter.check.statements import Context, Statements
from interpreter.diagnostics import Diagnostic
from interpreter.lower import chain_into
from interpreter.parse import parse_fragment
from interpreter.tree import Block
from interpreter.types import Type

UNIT = "scenario"


class Fragments:
    """Reads fragments against a built ruleset; `graph` is the ruleset's graph and the nodes of every fragment so far."""

    def __init__(self, built: Built) -> None:
        assert built.graph is not None
        assert built.checked is not None
        self.graph: dict[str, Any] = {**built.graph, "nodes": dict(built.graph["nodes"])}
        self.report = Report()
        self.expressions = Expressions(built.checked.symbols, self.report)
        self.expressions.inferred = {path: value["type"] for path, value in built.checked.values.items()}
        self.statements_reader = Statements(self.expressions)
        self.statements_reader.known_steps = {}
        self.count = 0

    def _new(self) -> list[Diagnostic]:
        found, self.report.diagnostics = self.report.diagnostics, []
        return found

    def statements(self, text: str, file: str, line: int = 1, column: int = 1) -> tuple[str | None, list[Diagnostic]]:
        """The first node of some statements, and what is wrong with them."""
        parsed, problems = parse_fragment(text, file, "statements", line, column)
        if problems:
            return None, problems
        block = Block(parsed[0].span.to(parsed[-1].span), parsed)
        body = self.statements_reader.block(block, Scope(), Context(UNIT, "effect", UNIT, found=[]))
        problems = self._new()
        self.count += 1
        entry = chain_into(self.graph["nodes"], f"{UNIT} {self.count}", body) if not problems else None
        return entry, problems

    def expression(self, text: str, file: str, line: int = 1, column: int = 1) -> tuple[Core | None, Type | None, list[Diagnostic]]:
        """An expression with its type, and what is wrong with it."""
        parsed, problems = parse_fragment(text, file, "expression", line, column)
        if problems:
            return None, None, problems
        core, of = self.expressions.read(parsed, Scope())
        return core, of, self._new()
