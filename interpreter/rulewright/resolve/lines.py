"""Lines of a body by what they say: `replace in effect welcome:` with `was:` and `now:`.

A layer speaks of a line by writing it as it is, in whatever layout: that names it, and guards the change at once. Refuses lines that are not there (they have changed
since, or never were), lines that stand there several times, and lines of a part that has a name of its own, which must be named.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Related, Span
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import fingerprint
from rulewright.resolve.linker import Linker
from rulewright.resolve.parts import LEAVES, PARTS, part_paths, parts_of, sort_of

Lines = tuple[Any, ...]
Place = tuple[Lines, int]  # the lines of a block, and how many stand before those that are meant


def apply_replace_in(linker: Linker, change: t.ReplaceIn) -> None:
    """`replace in`: some lines of a body for others."""
    target = linker.target(change.what, change.path, change.span, "replace in")
    marks = [fingerprint(line) for line in change.was]
    if target is None or not linker.settle((*target.key, f"lines {' '.join(marks)}"), change.path, "rewritten", change.span, cites_of(change.now)):
        return
    found = list(places(target.part, marks))
    if len(found) == 1:
        lines, at = found[0]
        new = with_lines(target.part, lines, (*lines[:at], *change.now, *lines[at + len(marks) :]))
        if target.names:
            linker.exchange(target, new)
        else:
            linker.update(target.item, new)
        return
    here = (Related(target.part.span, "it says this"),)
    several = "these lines" if len(marks) > 1 else "this line"
    if found:
        where = (Related(lines[at].span, f"no. {number}") for number, (lines, at) in enumerate(found, start=1))
        hint = "write the line before it or behind it under 'was:' too, so that it is clear which one is meant"
        linker.complain("R303", f"{several} stands {len(found)} times in '{change.path}'", change.was[0].span, hint, tuple(where))
    elif (inside := _inside(target.part, marks, change.path)) is not None:
        sort, path = inside
        linker.complain("R303", f"{several} stands in '{path}'", change.was[0].span, f"write: replace in {sort} {path}: ...", here)
    else:
        hint = "read it again, and write under 'was:' what it says now"
        if (near := _nearest(linker, target.part, change.was)) is not None:
            line, span = near
            hint, here = f"it says: {line}", (Related(span, "it says this"),)
        linker.complain("R305", f"'{change.path}' does not say {several}, or no longer", change.was[0].span, hint, here)


def places(node: Any, marks: list[str]) -> Iterator[Place]:
    """Where lines with these marks stand one after another, in the blocks of a body but not in parts that have a name of their own."""
    if isinstance(node, tuple):
        own = [fingerprint(each) if isinstance(each, t.Node) else "" for each in node]
        for at in range(len(own) - len(marks) + 1):
            if own[at : at + len(marks)] == marks:
                yield node, at
    for each in node if isinstance(node, tuple) else (getattr(node, name) for name in node.__struct_fields__):
        named = isinstance(each, PARTS) and each.name
        if isinstance(each, tuple | t.Node) and type(each) not in LEAVES and not named:
            yield from places(each, marks)


def _nearest(linker: Linker, part: Any, wanted: Lines) -> tuple[str, Span] | None:
    """The line of a body that is most like the first one that is not there, if any is."""
    texts: dict[str, list[str]] = {file.name: file.text.split("\n") for package in linker.packages.values() for file in package.files}

    def said(node: Any) -> str:
        """The first line of a statement."""
        span: Span = node.span
        line = texts.get(span.file, [""] * span.line)[span.line - 1]
        return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None].strip()

    lines = {said(node): node.span for node in reversed(list(_lines_of(part)))}
    absent = next((text for text in map(said, wanted) if text not in lines), "")
    near = get_close_matches(absent, lines, 1)
    return (near[0], lines[near[0]]) if near else None


def _lines_of(node: Any) -> Iterator[Any]:
    """All lines of a body, also of its named parts, in reading order."""
    for each in node if isinstance(node, tuple) else (getattr(node, name) for name in node.__struct_fields__):
        if isinstance(each, tuple | t.Node) and type(each) not in LEAVES:
            if isinstance(node, tuple) and isinstance(each, t.Node):
                yield each
            yield from _lines_of(each)


def _inside(part: Any, marks: list[str], path: str) -> tuple[str, str] | None:
    """The part of a part in which the lines stand: what it is, and its path."""
    for inner in parts_of(part):
        own = f"{path}.{inner.name}"
        if any(True for _ in places(inner, marks)):
            return sort_of(inner), own
        if part_paths(own, inner) and (found := _inside(inner, marks, own)) is not None:
            return found
    return None


def with_lines(node: Any, old: Lines, new: Lines) -> Any:
    """A node with other lines in place of those of one block."""
    if node is old:
        return new
    if isinstance(node, tuple):
        made = tuple([with_lines(each, old, new) for each in node])
        return made if any(one is not other for one, other in zip(made, node, strict=True)) else node
    if not isinstance(node, t.Node) or type(node) in LEAVES:
        return node
    changed = {name: other for name in node.__struct_fields__ if (other := with_lines(held := getattr(node, name), old, new)) is not held}
    return replace(node, **changed) if changed else node
