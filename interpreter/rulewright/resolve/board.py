"""Board layouts to declarations: a board.yaml says the same things as component lines in a rules file, only more tersely; and back, for those who read them."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Span
from rulewright.grids import USUAL
from rulewright.resolve.provenance import FieldsOf, about_fields, add_source, nameable, source_lines

WORD = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*\Z")


def board_declarations(document: Any, fields_of: FieldsOf) -> list[t.Declaration]:
    """The components, links and grids of a board layout; `fields_of` knows the fields of kinds."""
    data = document.data
    whole = _source(data, document, ())
    declarations: list[t.Declaration] = []
    for number, entry in enumerate(data.get("components", ())):
        declarations.append(_component(entry, document, ("components", number), fields_of))
    for number, entry in enumerate(data.get("links", ())):
        declarations.append(_link(entry, document, ("links", number), fields_of))
    for number, entry in enumerate(data.get("grids", ())):
        span = document.span("grids", number)
        said = _source(entry, document, ("grids", number))
        shape = entry.get("shape", USUAL)
        declarations.append(t.GridDecl(span, entry["id"], entry["kind"], entry["rows"], entry["columns"], shape, source=said))
    return _sourced(declarations, whole, fields_of) if whole is not None else declarations


def _source(entry: dict[str, Any], document: Any, path: tuple[str | int, ...]) -> t.Source | None:
    """What is said of the source: `own`, or the same words as in a rules file, `facts, own for numbers`."""
    if "source" not in entry:
        return None
    span = document.span(*path, "source")
    words = [said.strip().partition(" for ") for said in entry["source"].split(",")]
    return t.Source(span, about_fields(t.SourcePart(span, word, field.strip() or None) for word, _, field in words))


def _said(entry: dict[str, Any], document: Any, path: tuple[str | int, ...]) -> tuple[t.Source, ...]:
    said = _source(entry, document, path)
    return (said,) if said is not None else ()


def _sourced(declarations: list[Any], whole: t.Source, fields_of: FieldsOf) -> list[t.Declaration]:
    """What the board says of itself, said of everything on it that says nothing else, as far as that has the fields."""
    known = [nameable(declaration, fields_of) for declaration in declarations]
    stray = [part for part in whole.parts if part.field is not None and not any(part.field in names for names in known)]
    made: list[Any] = []
    for declaration, names in zip(declarations, known, strict=True):
        parts = tuple(part for part in whole.parts if part.field is None or part.field in names)
        made.append(declaration if source_lines(declaration) else add_source(declaration, replace(whole, parts=parts)))
    if made and stray:  # what nothing has is said of the first, and complained about there
        made[0] = add_source(made[0], replace(whole, parts=tuple(stray)))
    return made


def _component(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], fields_of: FieldsOf) -> t.ComponentDecl:
    span = document.span(*path)
    place = _value(entry["in"], document.span(*path, "in")) if "in" in entry else None
    members: tuple[t.Member, ...] = (*_said(entry, document, path), *_fields(entry, document, path, fields_of))
    return t.ComponentDecl(span, entry["kind"], entry["id"], entry.get("name"), None, place, None, members)


def _link(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], fields_of: FieldsOf) -> t.ComponentDecl:
    span = document.span(*path)
    first, second = entry["between"]
    ends = (_value(first, document.span(*path, "between", 0)), _value(second, document.span(*path, "between", 1)))
    name = entry.get("id") or f"{entry['kind']}_{first}_{second}_{path[1]}".replace(".", "_")
    members: tuple[t.Member, ...] = (*_said(entry, document, path), *_fields(entry, document, path, fields_of))
    if entry.get("direction") == "forward":
        members = (*members, t.FieldLine(span, "one_way", ()))
    return t.ComponentDecl(span, entry["kind"], name, entry.get("name"), None, None, ends, members)


def _fields(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], fields_of: FieldsOf) -> tuple[t.FieldLine, ...]:
    lines = []
    for name, value in entry.get("fields", {}).items():
        span = document.span(*path, "fields", name)
        field = next((field for field in fields_of(entry["kind"]) if field.name == name), None)
        is_text = field is not None and "text" in (field.type.how, field.type.of.how if field.type.of else "")
        read = _text if is_text else _value
        values = () if value is True else value if isinstance(value, list) else (value,)
        lines.append(t.FieldLine(span, name, tuple(read(each, span) for each in values)))
    return tuple(lines)


def _text(value: Any, span: Span) -> t.Expr:
    return t.Text(span, (value,)) if isinstance(value, str) else _value(value, span)


def _value(value: Any, span: Span) -> t.Expr:
    if isinstance(value, bool):
        return t.Name(span, "true" if value else "false")
    if isinstance(value, int):
        return t.Number(span, value)
    if isinstance(value, str) and WORD.match(value):
        words = value.split(".")
        result: t.Expr = t.Name(span, words[0])
        for word in words[1:]:
            result = t.Dot(span, result, word)
        return result
    return t.Text(span, (str(value),))


def as_rules(declaration: t.ComponentDecl | t.GridDecl) -> str:
    """What a board says of a component, a link or a grid, as a rules file says it; without its source."""
    if isinstance(declaration, t.GridDecl):
        shape = f", {declaration.shape}" if declaration.shape != USUAL else ""
        return f"grid {declaration.name} of {declaration.kind}: {declaration.rows} by {declaration.columns}{shape}"
    label = f" {_quoted(declaration.label)}" if declaration.label is not None else ""
    place = f" in {literal(declaration.place)}" if declaration.place is not None else ""
    ends = f" from {literal(declaration.ends[0])} to {literal(declaration.ends[1])}" if declaration.ends is not None else ""
    lines = [field_line(member) for member in declaration.members if isinstance(member, t.FieldLine)]
    said = f": {lines[0]}" if len(lines) == 1 else "".join(f"{'' if number else ':'}\n    {line}" for number, line in enumerate(lines))
    return f"{declaration.kind} {declaration.name}{label}{place}{ends}{said}"


def field_line(member: t.FieldLine) -> str:
    """A field of something on a board, as a rules file says it."""
    return f"{member.name} {', '.join(map(literal, member.values))}".rstrip()


def literal(value: t.Expr) -> str:
    """A value that a board can give, as a rules file writes it."""
    match value:
        case t.Name():
            return value.word
        case t.Number():
            return str(value.value)
        case t.Dot():
            return f"{literal(value.base)}.{value.word}"
        case t.Text():
            return _quoted("".join(map(str, value.parts)))
    return "none"


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\{}])', r"\\\1", text) + '"'
