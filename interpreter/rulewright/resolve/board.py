"""Board layouts to declarations: a board.yaml says the same things as component lines in a rules file, only more tersely."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulewright import tree as t
from rulewright.diagnostics import Span

WORD = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*\Z")


FieldOf = Callable[[str, str], t.FieldDecl | None]


def board_declarations(document: Any, field_of: FieldOf) -> list[t.Declaration]:
    """The components, links and grids of a board layout; `field_of` knows the fields of kinds."""
    data = document.data
    declarations: list[t.Declaration] = []
    for number, entry in enumerate(data.get("components", ())):
        declarations.append(_component(entry, document, ("components", number), field_of))
    for number, entry in enumerate(data.get("links", ())):
        declarations.append(_link(entry, document, ("links", number), field_of))
    for number, entry in enumerate(data.get("grids", ())):
        span = document.span("grids", number)
        declarations.append(t.GridDecl(span, entry["id"], entry["kind"], entry["rows"], entry["columns"]))
    return declarations


def _component(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], field_of: FieldOf) -> t.ComponentDecl:
    span = document.span(*path)
    place = _value(entry["in"], document.span(*path, "in")) if "in" in entry else None
    return t.ComponentDecl(span, entry["kind"], entry["id"], entry.get("name"), None, place, None, _fields(entry, document, path, field_of))


def _link(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], field_of: FieldOf) -> t.ComponentDecl:
    span = document.span(*path)
    first, second = entry["between"]
    ends = (_value(first, document.span(*path, "between", 0)), _value(second, document.span(*path, "between", 1)))
    name = entry.get("id") or f"{entry['kind']}_{first}_{second}_{path[1]}".replace(".", "_")
    members = _fields(entry, document, path, field_of)
    if entry.get("direction") == "forward":
        members = (*members, t.FieldLine(span, "one_way", ()))
    return t.ComponentDecl(span, entry["kind"], name, entry.get("name"), None, None, ends, members)


def _fields(entry: dict[str, Any], document: Any, path: tuple[str | int, ...], field_of: FieldOf) -> tuple[t.FieldLine, ...]:
    lines = []
    for name, value in entry.get("fields", {}).items():
        span = document.span(*path, "fields", name)
        field = field_of(entry["kind"], name)
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
