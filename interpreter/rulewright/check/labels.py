"""Labels of copies: `"{rank} of clubs"`, filled in with the fields of each copy as they are at the start.

Takes a component, its label as a text and the values of its fields; gives a label for each copy. Refuses whatever is no field of the kind, and fields
that not everyone sees: whoever can tell a component reads its label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.types import with_article

if TYPE_CHECKING:
    from rulewright.check.components import Components
    from rulewright.check.symbols import Definition, Kind


def labels(components: Components, definition: Definition, title: t.Text, fields: dict[str, Any]) -> list[str]:
    """The label of each copy."""
    kind = components.symbols.kinds[definition.kind]
    parts = [part if isinstance(part, str) else _named(components, kind, part) for part in title.parts]
    copies = range(1, definition.copies + 1)
    return ["".join(part if isinstance(part, str) else _told(components, kind, part.word, fields, copy) for part in parts) for copy in copies]


def _named(components: Components, kind: Kind, part: t.Expr) -> t.Name | str:
    """The field that stands between braces; empty if there is something wrong with it."""
    report = components.report
    if not isinstance(part, t.Name):
        report("R401", "a label names fields between its braces, and nothing else", part.span, "write for example {rank}")
        return ""
    if part.word == "copy":
        return part
    if part.word not in kind.fields:
        report(
            "R404",
            f"the kind '{kind.name}' has no field '{part.word}' that its label could name",
            part.span,
            guess=(part.word, ["copy", *kind.fields]),
        )
        return ""
    declaration = kind.fields[part.word].declaration
    if declaration is not None and declaration.seen_by is not None and getattr(declaration.seen_by, "word", "") != "everyone":
        hint = "leave it out of the label, or let everyone see it"
        report("R504", f"not everyone sees the {part.word} of {with_article(kind.name)}, but everyone reads its label", part.span, hint)
    return part


def _told(components: Components, kind: Kind, name: str, fields: dict[str, Any], copy: int) -> str:
    """What a field of one copy is, in words."""
    if name == "copy":
        return str(copy)
    value = fields.get(name, components.defaults.get((kind.fields[name].kind, name)))
    if isinstance(value, dict) and "copies" in value:
        value = value["copies"][copy - 1]
    return ", ".join(_one(components, each) for each in (value if isinstance(value, list) else [value])) or "nothing"


def _one(components: Components, value: Any) -> str:
    if isinstance(value, dict):
        name = str(value.get("component") or value.get("place"))
        found = components.symbols.definitions.get(name) or components.symbols.places.get(name)
        return (found.declaration.label if found else None) or name.replace("_", " ")
    if value is None:
        return "nothing"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " ")
