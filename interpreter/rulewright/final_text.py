"""Final text: a declaration as it would be written if everything that layers did to it had been written there from the start.

Takes a build and a declaration of its linked ruleset; gives text. What layers inserted, replaced, removed or set is spliced into the source at its place: the tree as it
was parsed is compared with the tree as it was linked, part by part, and each difference is an edit of the text. Nothing is refused; what was not written in a rules file
(a room of a board) is shown as it is written there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.diagnostics import Span
from rulewright.resolve.parts import PARTS
from rulewright.resolve.provenance import ONE_LINE, said_in
from rulewright.source import excerpt, trimmed

LEVEL = 4
STEP = re.compile(r"(?:replace |insert )?step [\w.]+(?: (?:before|after) [\w.]+)?")
METHOD = re.compile(r"(?:effect|value) [\w.]+(?:\([^)]*\))?(?: gives [^:]+)?:")
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
COPIES = re.compile(r"(?<=\s)x\s*\d+\b")
EXPRESSIONS = get_args(t.Expr)
Point = tuple[int, int]  # a line and a column, as in spans


class Edit(msgspec.Struct, frozen=True):
    """A stretch of the source, and what stands there instead."""

    start: Point
    end: Point
    text: str


class FinalTexts:
    """The declarations of a build as text; what is needed for finding parsed nodes is kept from one to the next."""

    def __init__(self, built: Built) -> None:
        self._built = built
        self._parsed: dict[str, dict[tuple[type, Span], Any]] = {}
        self._copied = {record.path for record in built.linked.changes if record.how in ("set", "added to")} if built.linked else set()

    def of(self, node: Any) -> str:
        """What a declaration, or a part of one, finally says."""
        original = self._original(node)
        if isinstance(node, t.FieldLine) and original is not None and (original.name, len(original.values)) != (node.name, len(node.values)):
            return self._made(node)
        span = node.span
        if original is None or original is node:
            text = excerpt(self._built.texts, span) if original is not None or not isinstance(node, t.FieldLine | t.Source) else self._made(node)
            return _headed(text, node)
        return _headed(self._applied(span, list(self._edits(original, node))), node)

    def _original(self, node: Any) -> Any:
        """The node as it was parsed, if it was."""
        file = node.span.file
        if file not in self._parsed:
            tree = self._built.trees.get(file)
            self._parsed[file] = {(type(each), each.span): each for each in _walk(tree.declarations if tree is not None else ())}
        return self._parsed[file].get((type(node), node.span))

    def _made(self, node: t.FieldLine | t.Source) -> str:
        """A line that a layer has made without writing it so."""
        if isinstance(node, t.Source):
            return f"source {said_in(node.parts, node.span)}"
        return f"{node.name} {self._listed(node.values)}".rstrip()

    def _listed(self, values: tuple[Any, ...]) -> str:
        return ", ".join(_literal(value) or excerpt(self._built.texts, value.span) for value in values)

    # -- what is different

    def _edits(self, old: Any, new: Any) -> Iterator[Edit]:
        """The edits that make the text of one node that of another, which has the same place."""
        if isinstance(new, t.ComponentDecl):
            yield from self._header(old, new)
        for name in new.__struct_fields__:
            before, after = getattr(old, name), getattr(new, name)
            if before is after or isinstance(new, t.Cite):
                continue
            if isinstance(before, tuple) and isinstance(after, tuple):
                yield from self._several(new, name, before, after)
            elif isinstance(before, t.Node) and isinstance(after, t.Node):
                if type(before) is type(after) and before.span == after.span:
                    yield from self._edits(before, after)
                elif not _inside(after.span, new.span):
                    yield Edit(_start(before), self._end(before), self.of(after))
            elif isinstance(after, t.Source):
                yield Edit(self._end(new), self._end(new), f", {self._made(after)}")
            elif isinstance(new, t.NumberDecl) and name == "value" and before != after:
                yield from self._matched(new.span, re.compile(r"(?<==)\s*-?\d+"), f" {after}")

    def _several(self, owner: Any, name: str, old: tuple[Any, ...], new: tuple[Any, ...]) -> Iterator[Edit]:
        """Lines that came, went or changed; of values, all of them."""
        if isinstance(owner, t.WordsDecl) and name == "words":
            added = [word for word in new if word not in old]
            pattern = re.compile(rf"\b{re.escape(str(old[-1]))}\b(?=\s*(?:,\s*(?:cite|source)\b.*)?$)", re.DOTALL)
            yield from self._matched(owner.span, pattern, "".join(f" | {word}" for word in added), keep=True)
        elif not all(isinstance(each, t.Node) for each in (*old, *new)):
            return
        elif isinstance(owner, t.FieldLine | t.FieldDecl | t.StateDecl) and isinstance((*new, *old)[0], EXPRESSIONS):
            if not all(_inside(value.span, owner.span) for value in new):
                yield self._values(owner, old, new)
        elif isinstance(owner, ONE_LINE):
            said = _rules(old)
            texts = [self.of(each).lstrip(", ") for each in new if not _inside(each.span, owner.span) and not _rules((each,)) <= said]
            if texts:
                known = bool(old) and isinstance(old[-1], t.Cite)
                end = self._end(old[-1] if known else owner)
                yield Edit(end, end, "".join(f", {text.removeprefix('cite ') if known else text}" for text in texts))
        else:
            yield from self._lines(owner, old, new)

    def _values(self, owner: Any, old: tuple[Any, ...], new: tuple[Any, ...]) -> Edit:
        listed = self._listed(new)
        if old and _inside(old[0].span, owner.span):
            return Edit(_start(old[0]), self._end(old[-1]), listed)
        end = self._end(owner.type) if isinstance(owner, t.FieldDecl | t.StateDecl) else self._end(owner)
        return Edit(end, end, f" = {listed}" if isinstance(owner, t.FieldDecl | t.StateDecl) else f" {listed}")

    def _lines(self, owner: Any, old: tuple[Any, ...], new: tuple[Any, ...]) -> Iterator[Edit]:
        there = {each.span: each for each in old}
        gone = {each.name: each for each in old if isinstance(each, PARTS) and each.span not in {other.span for other in new} and self._begins(each)}
        kept: set[Span] = set()
        cited: set[str] = set()
        last: Any = None  # the line behind which new ones stand, or, if one stands in place of it, the line that was
        instead: Any = None
        opened, broken = bool(old), False
        for each in new:
            before = there.get(each.span)
            if before is not None:
                last, instead, first = before, None, each.span not in kept
                kept.add(each.span)
                if first and type(before) is type(each) and before is not each:
                    yield from self._edits(before, each)
            elif not _inside(each.span, owner.span) and (text := self.of(each)) not in cited:
                cited |= {text} if isinstance(each, t.Cite) else set()
                instead = gone.get(getattr(each, "name", None), instead)
                if old and old[0].span in kept and not self._begins(old[0]) and not broken:
                    broken = True
                    at = _start(old[0])
                    yield Edit(at, at, "\n" + " " * (self._indent(owner.span.file, at[0]) + LEVEL))
                yield self._inserted(owner, old, last, text, opened) if instead is None else self._above(instead, text)
                opened = True
        for each in old:
            if each.span not in kept and not any(_inside(other.span, each.span) for other in new) and not self._foreign(each):
                yield self._removed(each)

    def _above(self, node: Any, text: str) -> Edit:
        """New lines before one that begins its own."""
        at = node.span.line, 1
        return Edit(at, at, textwrap.indent(text, " " * (node.span.column - 1)) + "\n")

    def _foreign(self, node: Any) -> bool:
        """Whether a line was left out because it cites only rulebooks of other games."""
        book = self._built.linked.rulebook if self._built.linked is not None else {}
        return isinstance(node, t.Cite) and not any(cited.id in book for cited in node.ids)

    def _inserted(self, owner: Any, old: tuple[Any, ...], last: Any, text: str, opened: bool) -> Edit:
        """New lines behind one that was there, or before all of them, or where there were none."""
        beside = last or (old[0] if old else None)
        line = (beside or owner).span.line
        indent = self._indent(owner.span.file, line)
        if beside is None or not self._begins(beside):
            indent += LEVEL
        if last is None and beside is not None and self._begins(beside):
            return self._above(beside, text)
        at = _line_end(self._source(owner.span.file), self._end(last)[0]) if last is not None else self._end(owner)
        if last is None and beside is not None:
            at = self._end(beside)
        return Edit(at, at, ("\n" if opened else ":\n") + textwrap.indent(text, " " * indent))

    def _removed(self, node: Any) -> Edit:
        line = self._end(node)[0]
        if not self._begins(node) or line >= len(self._source(node.span.file)):
            return Edit(_start(node), self._end(node), "")
        return Edit((node.span.line, 1), (line + 1, 1), "")

    def _header(self, old: t.ComponentDecl, new: t.ComponentDecl) -> Iterator[Edit]:
        """Another label, or another number of copies; those of a product are counted, not written."""
        name = re.compile(rf"(?<=\s){re.escape(new.name)}\b")
        product = any(isinstance(member, t.OneForEach) for member in old.members)
        if old.copies != new.copies and not product and self._copied & {new.name, f"{new.name}.copies"}:
            found = list(self._matched(new.span, COPIES, f"x{new.copies}"))
            yield from found or self._matched(new.span, name, f" x{new.copies}", keep=True)
        if (old.label, old.title) != (new.label, new.title):
            label = excerpt(self._built.texts, new.title.span) if new.title is not None else f'"{new.label}"'
            found = list(self._matched(new.span, QUOTED, label))
            yield from found or self._matched(new.span, name, f" {label}", keep=True)

    def _matched(self, span: Span, pattern: re.Pattern[str], text: str, keep: bool = False) -> Iterator[Edit]:
        """The first match in the first line of a declaration replaced, or something written behind it."""
        line = self._source(span.file)[span.line - 1]
        stop = len(line) if span.end_line > span.line else span.end_column - 1
        found = pattern.search(line[:stop], span.column - 1)
        if found is not None:
            yield Edit((span.line, (found.end() if keep else found.start()) + 1), (span.line, found.end() + 1), text)

    # -- the text

    def _source(self, file: str) -> list[str]:
        return self._built.texts.get(file, "").split("\n")

    def _end(self, node: Any) -> Point:
        span = trimmed(self._built.texts, node.span)
        return span.end_line, span.end_column

    def _indent(self, file: str, line: int) -> int:
        text = self._source(file)[line - 1]
        return len(text) - len(text.lstrip())

    def _begins(self, node: Any) -> bool:
        """Whether nothing stands before a node in its line."""
        return self._indent(node.span.file, node.span.line) == int(node.span.column) - 1

    def _applied(self, span: Span, edits: list[Edit]) -> str:
        lines = self._source(span.file)
        pieces, at = [], (span.line, 1 if not lines[span.line - 1][: span.column - 1].strip() else span.column)
        for edit in sorted(edits, key=lambda edit: edit.start):
            if edit.start >= at:  # what lies inside something that was replaced went with it
                pieces += [_between(lines, at, edit.start), edit.text]
                at = edit.end
        pieces.append(_between(lines, at, max((span.end_line, span.end_column), at)))
        return textwrap.dedent("\n".join(line.rstrip() for line in "".join(pieces).split("\n"))).strip("\n")


def _literal(value: Any) -> str | None:
    """A word or number as it is written; a layer may have made it of something that was not written so."""
    return value.word if isinstance(value, t.Name) else str(value.value) if isinstance(value, t.Number) else None


def _headed(text: str, node: Any) -> str:
    """A declaration as it begins where it finally stands: without the words by which a layer put it there, under its own name."""
    name = getattr(node, "name", None)
    if isinstance(node, t.Step):
        return STEP.sub(f"step {name}", text, count=1)
    if isinstance(node, t.MemberDef):
        return METHOD.sub(f"{name}:" if node.value is None else f"{name} =", text, count=1)
    text = text.removeprefix("replace ")
    if isinstance(node, t.PlaceDecl) or not isinstance(name, str):
        return text
    first, line, rest = text.partition("\n")
    return re.sub(rf"(?:\w+\.)+(?={re.escape(name)}\b)", "", first, count=1) + line + rest


def _rules(nodes: tuple[Any, ...]) -> set[str]:
    """The rules that some lines cite."""
    return {cited.id for node in nodes if isinstance(node, t.Cite) for cited in node.ids}


def _walk(node: Any) -> Iterator[Any]:
    todo = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, tuple):
            todo += each
        elif isinstance(each, t.Node):
            yield each
            if not isinstance(each, EXPRESSIONS):
                todo += [getattr(each, name) for name in each.__struct_fields__]


def _inside(inner: Span, outer: Span) -> bool:
    start, end = (inner.line, inner.column), (inner.end_line, inner.end_column)
    return inner.file == outer.file and (outer.line, outer.column) <= start and end <= (outer.end_line, outer.end_column)


def _start(node: Any) -> Point:
    return node.span.line, node.span.column


def _line_end(lines: list[str], line: int) -> Point:
    return line, len(lines[line - 1]) + 1


def _between(lines: list[str], start: Point, end: Point) -> str:
    """The source from one point to another."""
    picked = lines[start[0] - 1 : end[0]]
    if not picked:
        return ""
    if len(picked) == end[0] - start[0] + 1:
        picked[-1] = picked[-1][: end[1] - 1]
    picked[0] = picked[0][start[1] - 1 :]
    return "\n".join(picked)
