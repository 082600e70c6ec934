"""The outline of a rules file: its declarations, with their members, steps and options of play inside.

Takes a tree, gives a `Heading` for everything that has a name, and for hooks, which are called by what they answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright import tree as t
from rulewright.diagnostics import Span
from rulewright.resolve.linked import hook_words, named_as
from rulewright.resolve.parts import parts_of, sort_of

HOOKS = (t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction)


class Heading(NamedTuple):
    """One line of an outline."""

    name: str
    detail: str
    what: str
    span: Span
    inner: tuple[Heading, ...] = ()


def outline(tree: t.RulesTree) -> list[Heading]:
    """The headings of a file."""
    return [heading for declaration in tree.declarations if (heading := _heading(declaration)) is not None]


def _heading(node: Any) -> Heading | None:
    match node:
        case t.Header():
            return Heading(node.name, node.what, "package", node.span)
        case t.Replace() | t.LeftOpen():
            inner = _heading(node.declaration)
            how = "replace" if isinstance(node, t.Replace) else "left open"
            return inner._replace(detail=f"{how} {inner.detail}", span=node.span) if inner is not None else None
        case t.ReplaceIn() | t.AddTo() | t.AddWords() | t.More() | t.Change():
            return Heading(node.path, CHANGES[type(node)], "change", node.span, tuple(_inside(node)))
        case t.Remove():
            return Heading(", ".join(node.paths), f"remove {node.what}", "change", node.span)
        case t.Insert():
            return Heading(node.step.name, f"insert {node.where} {node.path}", "step", node.span, tuple(_inside(node.step)))
    if isinstance(node, HOOKS):
        how, what = hook_words(node)
        return Heading(f"{how} {what}", "", "hook", node.span, tuple(_inside(node)))
    named = named_as(node)
    if named is None:
        return None
    what = node.kind if isinstance(node, t.ComponentDecl) else named[0]
    label = getattr(node, "label", None)
    return Heading(named[1], f"{what} “{label}”" if label else what, named[0], node.span, tuple(_inside(node)))


CHANGES: dict[type, str] = {t.ReplaceIn: "replace in", t.AddTo: "add to", t.AddWords: "add to words", t.More: "more", t.Change: "set"}


def _inside(node: Any) -> Iterator[Heading]:
    """The parts of a declaration that have a name."""
    for part in parts_of(node):
        if not isinstance(part, t.FieldLine):
            what = sort_of(part)
            yield Heading(part.name, what, what, part.span, tuple(_inside(part)))
