"""Fragments: statements and expressions that are not part of a ruleset, read against one.

Scenarios, consoles and tools use the rules language too. A fragment is parsed, checked like a rule, with its place in whatever file it stands in, and
lowered into a copy of the graph that has its nodes as well. Fragments that are given the same scope share their local names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.check.expressions import Core, Expressions
from rulewright.check.report import Report
from rulewright.check.scope import Scope
from rulewright.check.statements import Context, Statements
from rulewright.diagnostics import Diagnostic, Span, complain
from rulewright.lower import chain_into
from rulewright.parse import parse_fragment, parse_rules
from rulewright.resolve.cites import walk
from rulewright.tree import Block
from rulewright.types import FLAG, Type

UNIT = "scenario"
INDENT = "    "
DECLARATIONS = (
    "effect",
    "phase",
    "value",
    "kind",
    "place",
    "action",
    "before",
    "after",
    "instead",
    "change",
    "cost",
    "die",
    "track",
    "number",
    "rule",
)
Locate = Callable[[Span], Span]


class Part(msgspec.Struct, frozen=True):
    """A part of an expression whose value says why the whole is true or false."""

    text: str
    core: Core
    type: Type


class Fragments:
    """Reads fragments against a built ruleset; `graph` is the ruleset's graph and the nodes of every fragment so far."""

    def __init__(self, built: Built) -> None:
        assert built.graph is not None
        assert built.checked is not None
        self.graph: dict[str, Any] = {**built.graph, "nodes": dict(built.graph["nodes"])}
        self.report = Report()
        inferred = {path: value["type"] for path, value in built.checked.values.items()}
        self.expressions = Expressions(built.checked.symbols, self.report, lambda value: inferred[value.path], inferred)
        self.statements_reader = Statements(self.expressions)
        self.count = 0

    def _new(self) -> list[Diagnostic]:
        found, self.report.diagnostics = self.report.diagnostics, []
        return found

    def statements(
        self, text: str, file: str, line: int = 1, column: int = 1, *, scope: Scope | None = None, locate: Locate | None = None
    ) -> tuple[str | None, list[Diagnostic]]:
        """The first node of some statements, and what is wrong with them; `locate` says where a stretch of the text stands in the file."""
        parsed, problems = parse_fragment(text, file, "statements", line, column)
        if problems:
            return None, _located(_in_an_effect(text, file, problems) if line == column == 1 else problems, file, locate)
        block = Block(parsed[0].span.to(parsed[-1].span), parsed)
        body = self.statements_reader.block(block, Scope() if scope is None else scope, Context(UNIT, "effect", UNIT, found=[]))
        problems = self._new() + self._out_of_place(block)
        if problems:
            return None, _located(problems, file, locate)
        self.count += 1
        nodes: dict[str, Any] = {}
        entry = chain_into(nodes, f"{UNIT} {self.count}", body)
        self.graph["nodes"].update(_moved(nodes, file, locate) if locate else nodes)
        return entry, []

    def _out_of_place(self, block: Block) -> list[Diagnostic]:
        """Steps and what holds for a time are parts of the rules: others speak of them by name."""
        reader = self.statements_reader
        reader.steps.clear()
        reader.installed.clear()
        found = [node for node in walk(block) if isinstance(node, t.Step | t.Until) or (isinstance(node, t.Set) and node.until is not None)]
        hint = "write it in an effect of the ruleset, and call that"
        return [complain("R110", "steps and 'until' belong into rules; they cannot stand here", node.span, hint=hint) for node in found[:1]]

    def expression(
        self, text: str, file: str, line: int = 1, column: int = 1, *, scope: Scope | None = None, locate: Locate | None = None
    ) -> tuple[Core | None, Type | None, list[Diagnostic]]:
        """An expression with its type, and what is wrong with it."""
        parsed, problems = parse_fragment(text, file, "expression", line, column)
        if problems:
            return None, None, _located(problems, file, locate)
        core, of = self.expressions.read(parsed, Scope() if scope is None else scope)
        return core, of, _located(self._new(), file, locate)

    def condition(
        self, text: str, file: str, *, scope: Scope | None = None, locate: Locate | None = None
    ) -> tuple[Core | None, list[Part], list[Diagnostic]]:
        """An expression that must be true or false, with the parts that tell why it is what it is."""
        parsed, problems = parse_fragment(text, file, "expression")
        if problems:
            return None, [], _located(problems, file, locate)
        scope = Scope() if scope is None else scope
        core = self.expressions.expect(parsed, scope, FLAG, "what is claimed")
        problems = self._new()
        if problems:
            return None, [], _located(problems, file, locate)
        parts = [part for node in _sides(parsed) if (part := self._part(node, text, scope)) is not None]
        return core, parts, []

    def _part(self, node: Any, text: str, scope: Scope) -> Part | None:
        """One side of a comparison as an expression of its own; None if it cannot stand alone."""
        core, of = self.expressions.read(node, scope.branch())
        return None if self._new() else Part(_excerpt(text, node.span), core, of)


def _in_an_effect(text: str, file: str, problems: list[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with statements, told as it would be inside an effect: at the start of a line only declarations are expected."""
    at = problems[0].span
    line = text.split("\n")[at.line - 1]
    first = line.split()[0].rstrip(":") if line.strip() else ""
    if first in DECLARATIONS and at.column == line.index(first) + 1:
        message = f"'{first}' declares something, and only statements stand here"
        hint = "write it into the rules: into the ruleset, or into a file that its manifest names under 'staging', for scenarios alone"
        return [complain("R110", message, at, hint=hint)]
    if not any(problem.code == "R110" for problem in problems):
        return problems
    _, found = parse_rules("effect here():\n" + "".join(f"{INDENT}{line}\n" for line in text.split("\n")), file)
    moved = [msgspec.structs.replace(problem, span=_outdented(problem.span)) for problem in found]
    return moved or problems


def _outdented(span: Span) -> Span:
    """A span inside the effect as one of the statements themselves."""
    deep = len(INDENT)
    return Span(span.file, max(span.line - 1, 1), max(span.column - deep, 1), max(span.end_line - 1, 1), max(span.end_column - deep, 2))


def _sides(node: Any) -> list[Any]:
    """The parts of an expression that are worth showing when it does not hold."""
    match node:
        case t.Compare():
            return [node.left, node.right]
        case t.Logic():
            return [side for part in node.parts for side in _sides(part)]
        case t.Not():
            return _sides(node.part)
        case t.Quantified() if node.how in ("any", "no", "every"):
            return [node.query]
    return [node]


def _excerpt(text: str, span: Span) -> str:
    """What is written in a stretch of a text, on one line."""
    lines = text.split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return text
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(line.strip() for line in lines)


def _located(problems: list[Diagnostic], file: str, locate: Locate | None) -> list[Diagnostic]:
    """Diagnostics at their places in the file."""
    if locate is None:
        return problems
    return [msgspec.structs.replace(problem, span=locate(problem.span)) if problem.span.file == file else problem for problem in problems]


def _moved(value: Any, file: str, locate: Locate) -> Any:
    """Nodes with their spans at their places in the file."""
    if isinstance(value, dict):
        return {key: _moved_span(part, file, locate) if key == "span" else _moved(part, file, locate) for key, part in value.items()}
    return [_moved(part, file, locate) for part in value] if isinstance(value, list) else value


def _moved_span(value: Any, file: str, locate: Locate) -> Any:
    if isinstance(value, list) and len(value) == 5 and value[0] == file:
        return msgspec.to_builtins(locate(Span(*value)))
    return value
