"""Labels in which something is filled in: of copies, `"{rank} of clubs"`, with the fields of each as they are at the start; of actions, `"Polish {self}"`.

Takes a component, its label as a text and the values of its fields; gives a label for each copy. Refuses whatever is no field of the kind, and fields
that not everyone sees: whoever can tell a component reads its label. The label of an action is read before anything is chosen, by whoever is offered it, so it names
nothing but what grants it, and that as they can tell it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.types import with_article

if TYPE_CHECKING:
    from rulewright.check.components import Components
    from rulewright.check.report import Report
    from rulewright.check.symbols import Definition, Kind, Symbols

SELF = "{self}"


def labels(components: Components, definition: Definition, title: t.Text, fields: dict[str, Any]) -> list[str]:
    """The label of each copy."""
    kind = components.symbols.kinds[definition.kind]
    parts = [part if isinstance(part, str) else _named(components, kind, part) for part in title.parts]
    copies = range(1, definition.copies + 1)
    return ["".join(part if isinstance(part, str) else _told(components, kind, part.word, fields, copy) for part in parts) for copy in copies]


def action_label(symbols: Symbols, report: Report, title: t.Text | None, of: str | None) -> dict[str, str]:
    """The label of an action with `{self}` in it, and the same for when it is not known which component grants it; nothing if it is an ordinary one."""
    if title is None:
        return {}
    for part in title.parts:
        if not isinstance(part, str) and (not isinstance(part, t.Name) or part.word != "self"):
            message = "the label of an action names what grants it, {self}, and nothing else"
            report("R401", message, part.span, 'write {self}, or leave it out; what is chosen later can be said in a question: asking "..."')
            return {}
        if not isinstance(part, str) and of is None:
            hint = "leave it out, or write the action in a kind or component, which then grants it"
            report("R508", "there is no 'self' here: no component grants this action", part.span, hint)
            return {}
    definition, kind = symbols.definitions.get(of or ""), symbols.kinds.get(of or "")
    declaration = definition.declaration if definition is not None else kind.declaration if kind is not None else None
    general = (declaration.label if declaration is not None else None) or (of or "").replace("_", " ")
    texts = ["".join(part if isinstance(part, str) else each for part in title.parts) for each in (general, SELF)]
    return {"label": texts[0], "title": texts[1]}


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
