"""Inlay hints: behind what a layer changes, what it was.

Takes an analysis and a file, gives for each `replace`, `remove` and `set` of it the first line of what the ruleset below says, and all of it for whoever points there. What is new says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright import tree as t
from rulewright.resolve.linked import key_of, named_as
from rulewright.source import excerpt
from rulewright_tools.lsp.meanings import Declared, key_in
from rulewright_tools.lsp.project import Analysis

LONGEST = 60


class Inlay(NamedTuple):
    """A hint at the end of a line, and what is told to whoever points at it."""

    line: int
    text: str
    whole: str


def inlays(analysis: Analysis, file: str) -> Iterator[Inlay]:
    """The hints of a rules file."""
    tree = analysis.built.trees.get(file)
    for node in tree.declarations if tree is not None else ():
        for old in _before(analysis, node, file):
            if old:
                yield Inlay(node.span.line, f"was {_short(old)}", old)


def _before(analysis: Analysis, node: Any, file: str) -> Iterator[str]:
    """What something was that a declaration of a layer changes."""
    match node:
        case t.Replace():
            named = named_as(node.declaration)
            yield _earlier(analysis, [key_of(*named)] if named else [], file)
        case t.Remove():
            for path in node.paths:
                yield _earlier(analysis, [key_in(node.what, path), path, f"{path}()"], file)
        case t.Change() if not node.was:
            yield _value(analysis, node.path, file)


def _earlier(analysis: Analysis, keys: list[str], file: str) -> str:
    there = _last(analysis, keys, file)
    return excerpt(analysis.built.texts, there.node.span) if there is not None else ""


def _last(analysis: Analysis, keys: list[str], file: str) -> Declared | None:
    """The last declaration of a name before the package that a file is of."""
    order = [package.id for package in analysis.built.sources.packages]
    origins = analysis.built.linked.origins if analysis.built.linked is not None else {}
    below = order[: order.index(origins[file])] if origins.get(file) in order else order
    for key in keys:
        found = [each for each in analysis.written.get(key, ()) if each.package in below and each.node.span.file != file]
        if found:
            return found[-1]
    return None


def _value(analysis: Analysis, path: str, file: str) -> str:
    """A number, or a field of a component, as it was declared, or as a layer below has set it."""
    origins = analysis.built.linked.origins if analysis.built.linked is not None else {}
    for name, tree in reversed(analysis.built.trees.items()):
        for node in tree.declarations if origins.get(name) != origins.get(file) else ():
            if isinstance(node, t.Change) and node.path == path:
                return ", ".join(excerpt(analysis.built.texts, value.span) for value in node.values)
    there = _last(analysis, [path], file)
    if there is not None and isinstance(there.node, t.NumberDecl):
        return str(there.node.value)
    if there is not None and (default := getattr(there.node, "default", ())):
        return ", ".join(excerpt(analysis.built.texts, value.span) for value in default)
    owner, _, name = path.rpartition(".")
    component = _last(analysis, [owner], file)
    for member in getattr(component.node, "members", ()) if component is not None else ():
        if isinstance(member, t.FieldLine) and member.name == name:
            return ", ".join(excerpt(analysis.built.texts, value.span) for value in member.values) or "true"
    if component is not None and isinstance(component.node, t.ComponentDecl):
        return {"copies": str(component.node.copies or 1), "label": f'"{component.node.label or owner}"'}.get(name, "")
    return ""


def _short(text: str) -> str:
    """What is told, in one line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    told = [line for line in lines[1:] if not line.startswith(("cite ", "source ", "#"))] if len(lines) > 1 else lines
    line = " · ".join(told[:2] or lines[:1])
    return line if len(line) <= LONGEST and len(told) <= 2 else f"{line[: LONGEST - 2].rstrip()} …"
