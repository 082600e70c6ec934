"""Provenance: how well what each declaration says is known, field by field, as its `source` lines say it.

Takes declarations after all layers have had their say; gives a `Provenance` for each of them, and each part of one, that says anything. Refuses a source
that is none, one said twice, a field that the declaration does not have, and a `source` that stands inside a branch, where it speaks of nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Related, Span, complain
from rulewright.guessing import Guesser
from rulewright.resolve.linked import Linked, hook_words
from rulewright.resolve.parts import LEAVES, PARTS, parts_of, with_part

SOURCES = ("book", "facts", "own")
HOOKS = (t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction)
ONE_LINE = (t.PlaceDecl, t.DieDecl, t.GridDecl, t.NumberDecl, t.StateDecl, t.WordsDecl)
SPEAKERS = (
    t.KindDecl, t.ComponentDecl, *ONE_LINE, t.EffectDecl, t.ValueDecl, t.MemberDef, t.ActionDecl, t.CostDecl, t.Step, t.RuleDecl, *HOOKS
)  # fmt: skip
OF_ACTIONS = ("label", "by", "cost", "once", "choose", "when", "do")
OF_LINES: dict[type, tuple[str, ...]] = {
    t.PlaceDecl: ("label", "shape", "seen", "holds"), t.GridDecl: ("rows", "columns", "shape"), t.NumberDecl: (), t.StateDecl: (), t.WordsDecl: (), t.CostDecl: OF_ACTIONS,
    t.ActionDecl: OF_ACTIONS, t.Reaction: OF_ACTIONS, t.HookDecl: ("when", "once"), t.EffectDecl: ("label",),
}  # fmt: skip

FieldsOf = Callable[[str], Iterable[t.FieldDecl]]


class Provenance(msgspec.Struct, frozen=True):
    """What a declaration says about how well it is known: all of it, and the fields that differ."""

    path: str
    source: str | None
    fields: dict[str, str]
    span: Span

    def __str__(self) -> str:
        """As it is written."""
        named = {word: [name for name, said in self.fields.items() if said == word] for word in SOURCES}
        parts = [f"{word} for {', '.join(names)}" for word, names in named.items() if names]
        return ", ".join([*([self.source] if self.source else []), *parts])

    def of(self, field: str) -> str | None:
        """How well one field is known."""
        return self.fields.get(field, self.source)


# ---- what is said ---------------------------------------------------------------------------------------------------------------------


def source_lines(node: Any) -> list[t.Source]:
    """The lines in which a declaration speaks of itself."""
    if isinstance(node, t.RuleDecl):
        return source_lines(node.hook)
    if isinstance(node, ONE_LINE):
        return [node.source] if node.source is not None else []
    body = getattr(node, "body", None)
    lines = (*getattr(node, "members", ()), *getattr(node, "lines", ()), *(body.statements if isinstance(body, t.Block) else ()))
    done = [statement for line in lines if isinstance(line, t.Do) for statement in line.body.statements]
    return [line for line in (*lines, *done) if isinstance(line, t.Source)]


def source_parts(node: Any) -> list[t.SourcePart]:
    """What these lines say, each part with the field that it is about."""
    return [part for line in source_lines(node) for part in about_fields(line.parts)]


def about_fields(parts: Iterable[t.SourcePart]) -> tuple[t.SourcePart, ...]:
    """Parts as they are meant: behind `own for cost` a bare word is one more field that is our own; before it, it speaks of everything."""
    made: list[t.SourcePart] = []
    for each in parts:
        more = each.field is None and bool(made) and made[-1].field is not None
        made.append(t.SourcePart(each.span, made[-1].word, each.word) if more else each)
    return tuple(made)


def said_by(node: Any, path: str = "") -> Provenance:
    """What a declaration itself says, without its parts; a field that is known as well as the rest is not named."""
    return said_in(source_parts(node), node.span, path)


def said_in(parts: Iterable[t.SourcePart], span: Span, path: str = "") -> Provenance:
    """What the parts of a source come to."""
    parts = list(parts)
    general = next((part.word for part in parts if part.field is None), None)
    fields = {part.field: part.word for part in parts if part.field is not None and part.word != general}
    return Provenance(path, general, fields, span)


def provenance(linked: Linked) -> list[Provenance]:
    """What all declarations and their parts say, those that say anything."""
    found = [said for item in linked.items.values() for said in with_parts(item.path, item.declaration)]
    found += [said for hook in linked.hooks for said in with_parts(_called(hook.declaration), hook.declaration)]
    return found


def with_parts(path: str, node: Any) -> Iterator[Provenance]:
    """What a declaration says, and every part of it that says something of its own."""
    speaking = [said_by(node, path), *(said_by(hook, f"{path} {_called(hook)}") for hook in _unnamed(node))]
    yield from (said for said in speaking if said.source is not None or said.fields)
    for part in parts_of(node):
        yield from with_parts(f"{path}.{part.name}", part)


def together(path: str, node: Any, around: str | None = None) -> Provenance:
    """What a declaration and its parts say, in one; `around` is the source of what it is a part of, which holds where it says nothing itself."""
    said = said_by(node, path)
    general = said.source or around
    fields: dict[str, str] = {}
    for part in with_parts(path, node):
        name = part.path.removeprefix(path).lstrip(". ")
        fields |= {name: part.source} if name and part.source is not None else {}
        fields |= {f"{name}.{field}" if name else field: word for field, word in part.fields.items()}
    return Provenance(path, general, {name: word for name, word in fields.items() if word != general or "." in name}, node.span)


def _unnamed(node: Any) -> Iterator[Any]:
    """The hooks in a declaration that have no name, in reading order."""
    node = node.hook if isinstance(node, t.RuleDecl) else node
    todo = [node]
    while todo:
        found = todo.pop()
        if isinstance(found, HOOKS) and found is not node and getattr(found, "name", None) is None:
            yield found
        elif isinstance(found, tuple):
            todo += reversed(found)
        elif isinstance(found, t.Node) and (found is node or not isinstance(found, (*PARTS, *LEAVES))):
            todo += [getattr(found, name) for name in reversed(found.__struct_fields__)]


def _called(hook: Any) -> str:
    return getattr(hook, "name", None) or " ".join(hook_words(hook))


# ---- what may be said -----------------------------------------------------------------------------------------------------------------


def nameable(node: Any, fields_of: FieldsOf) -> list[str]:
    """What a declaration has that a source can speak of."""
    if isinstance(node, t.RuleDecl):
        return nameable(node.hook, fields_of)
    parts = [part.name for part in parts_of(node)]
    match node:
        case t.ComponentDecl():
            builtin = ["label", "copies", "place", *(["ends"] if node.ends is not None else [])]
            return list(dict.fromkeys([*(field.name for field in fields_of(node.kind)), *builtin, *parts]))
        case t.KindDecl():
            return list(dict.fromkeys([*(field.name for field in fields_of(node.name)), "label", "place", *parts]))
        case t.DieDecl():
            return ["faces" if node.what == "die" else "spaces", "label"]
    return [*OF_LINES.get(type(node), ()), *parts]


def check_sources(walked: Iterable[Sequence[t.Node]], fields_of: FieldsOf, guesser: Guesser) -> list[Diagnostic]:
    """Complain about every source that cannot be meant; `walked` are the lines of each declaration."""
    diagnostics: list[Diagnostic] = []
    for nodes in walked:
        lines = {id(node): node for node in nodes if isinstance(node, t.Source)}
        for speaker in nodes if lines else ():
            if isinstance(speaker, SPEAKERS):
                said = source_lines(speaker)
                parts = [part for line in said if id(line) in lines for part in about_fields(line.parts)]
                diagnostics += _check(speaker, parts, fields_of, guesser)
                for line in said:
                    lines.pop(id(line), None)
        diagnostics += [
            complain("R110", "a source speaks of a whole declaration, not of a part without a name", line.span, hint="write it in the first lines")
            for line in lines.values()
        ]
    return diagnostics


def _check(speaker: Any, parts: list[t.SourcePart], fields_of: FieldsOf, guesser: Guesser) -> Iterator[Diagnostic]:
    known = nameable(speaker, fields_of) if any(part.field is not None for part in parts) else []
    first: dict[str | None, t.SourcePart] = {}
    for part in parts:
        if part.word not in SOURCES:
            yield complain("R401", f"a source is book, facts or own, not '{part.word}'", part.span, hint=guesser.hint(part.word, SOURCES))
        if part.field in first:
            what = f"the source of '{part.field}'" if part.field else "the source of it all"
            hint = f"name what is {part.word}: {part.word} for FIELD, ..." if part.field is None else None
            related = (Related(first[part.field].span, "it is said here"),)
            yield complain("R302", f"{what} is said twice", part.span, hint=hint, related=related)
        elif part.field is not None and part.field not in known:
            have = f"it has: {', '.join(known)}" if known else f"write: source {part.word}"
            yield complain(
                "R404", f"there is no '{part.field}' here whose source could be said", part.span, hint=guesser.hint(part.field, known) or have
            )
        first.setdefault(part.field, part)


# ---- changing it ----------------------------------------------------------------------------------------------------------------------


def split_path(path: str) -> tuple[str, str | None] | None:
    """What `set X.source` or `set X.source.FIELD` speaks of; None if it is neither."""
    words = path.split(".")
    if len(words) > 1 and words[-1] == "source":
        return ".".join(words[:-1]), None
    if len(words) > 2 and words[-2] == "source":
        return ".".join(words[:-2]), words[-1]
    return None


def source_of(span: Span, values: Iterable[Any]) -> t.Source | None:
    """The source that the values of a change are; None if they are none."""
    values = [t.SourcePart(value.span, value.word) if isinstance(value, t.Name) else value for value in values]
    return t.Source(span, about_fields(values)) if values and all(isinstance(value, t.SourcePart) for value in values) else None


def with_source(node: Any, field: str | None, said: t.Source) -> Any | None:
    """A declaration that says something else of itself, or of a field; None if it has no place for a source."""
    if isinstance(node, t.RuleDecl):
        hook = with_source(node.hook, field, said)
        return replace(node, hook=hook) if hook is not None else None
    if field is not None:
        kept = [part for part in source_parts(node) if part.field != field]
        said = replace(said, parts=(*kept, replace(said.parts[0], field=field)))
    for line in source_lines(node):
        node = with_part(node, line, ())
    return add_source(node, said)


def add_source(node: Any, said: t.Source) -> Any | None:
    """A declaration that says where it comes from, instead of a line of its own if it is one; None if it has no place for that."""
    if isinstance(node, ONE_LINE):
        return replace(node, source=said)
    body = getattr(node, "body", None)
    if isinstance(body, t.Block):
        return replace(node, body=replace(body, statements=(said, *body.statements)))
    name = next((name for name in ("members", "lines") if hasattr(node, name)), None)
    return replace(node, **{name: (said, *getattr(node, name))}) if name is not None and isinstance(node, SPEAKERS) else None
