"""The whole way from text to graph: parse, resolve, check, lower, one after another, with the diagnostics of all.

`build` takes what a person names (a ruleset, a folder, a file) and never raises for anything a ruleset may contain. A stage runs if the ones before
it left something to work on; the graph exists only if there are no errors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from interpreter.check import Checked, check
from interpreter.diagnostics import Diagnostic, in_order
from interpreter.limits import DEFAULT_LIMITS, Limits
from interpreter.lower import Graph, lower
from interpreter.parse import parse_rules
from interpreter.resolve import Linked, resolve
from interpreter.sources import Sources, read_sources
from interpreter.tree import RulesTree

Form = Literal["tree", "linked", "graph"]


class Built(msgspec.Struct):
    """What came of a build."""

    sources: Sources
    trees: dict[str, RulesTree]
    linked: Linked | None
    checked: Checked | None
    graph: Graph | None
    diagnostics: list[Diagnostic]
    texts: dict[str, str]

    @property
    def errors(self) -> bool:
        """Whether anything is wrong enough that the ruleset cannot be run."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    def dump(self, form: Form) -> Any:
        """A form of the ruleset as plain data; None if it was not reached."""
        if form == "tree":
            return [msgspec.to_builtins(tree) for tree in self.trees.values()]
        if form == "linked":
            return msgspec.to_builtins(self.linked) if self.linked is not None else None
        return self.graph


def build(
    target: str | Path, layers: Sequence[str | Path] = (), options: Mapping[str, object] | None = None, limits: Limits = DEFAULT_LIMITS
) -> Built:
    """Build the ruleset that a person names, with layers on top of it."""
    sources, diagnostics = read_sources(target, layers, options or {}, limits)
    return build_sources(sources, diagnostics, limits)


def build_sources(sources: Sources, found: Sequence[Diagnostic] = (), limits: Limits = DEFAULT_LIMITS) -> Built:
    """Build what has been read already."""
    diagnostics = list(found)
    trees: dict[str, RulesTree] = {}
    for package in sources.packages:
        for file in package.files:
            trees[file.name], problems = parse_rules(file.text, file.name, limits)
            diagnostics += problems
    built = Built(sources, trees, None, None, None, diagnostics, dict(sources.texts))
    if sources.packages:
        built.linked, problems = resolve(sources, trees)
        diagnostics += problems
        built.checked, problems = check(built.linked, limits)
        diagnostics += _without_echoes(problems, diagnostics)
        if not built.errors:
            built.graph = lower(built.checked)
    built.diagnostics = in_order(diagnostics)
    return built


def _without_echoes(problems: list[Diagnostic], earlier: list[Diagnostic]) -> list[Diagnostic]:
    """After mistakes of syntax, what seems unknown or unused may be in the lines that could not be read: that would only be noise."""
    if not any(diagnostic.code.startswith("R1") and diagnostic.code not in ("R108", "R110") for diagnostic in earlier):
        return problems
    return [problem for problem in problems if problem.code not in ("R301", "R308", "R501", "R502", "R503", "R506", "R404")]


def fingerprint(graph: Graph) -> str:
    """A mark of what a graph says: the same for the same rules, whatever their files and layout."""
    return hashlib.sha256(msgspec.json.encode(_without_spans(graph), order="sorted")).hexdigest()


def _without_spans(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_spans(part) for key, part in value.items() if key != "span"}
    if isinstance(value, list):
        return [_without_spans(part) for part in value]
    return value
