"""Drafts of components: a declaration with what the components of its kind usually say, filled in as most of them have it.

Takes a build, a kind, a name and a label; gives text, and notes about what its author has to look at. What has to differ from one component to the next is chosen anew; a
link joins places that nothing joins yet. A link for which there are no places is refused.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright import tree as t
from rulewright_tools.new.beside import also_named, others_have, own, unlike_others

if TYPE_CHECKING:
    from rulewright.build import Built

USUAL = 0.6  # of the components of a kind: what so many say, a new one says too
BLANK = {"flag": "true", "number": "0", "text": '""'}


class CannotDraft(Exception):
    """There is nothing sensible to begin with."""


class Draft(msgspec.Struct, frozen=True):
    """A declaration, and what to look at in it; `{into}` in a note is the ruleset it goes into."""

    text: str
    notes: tuple[str, ...]


def draft(built: Built, kind: str, name: str, label: str) -> Draft:
    """A component as those of its kind look, and what its author has to mind."""
    assert built.graph is not None
    text, notes = _declared(built, kind, name, f' "{label}"')
    if (link := _usual_link(built.graph, kind)) is not None:
        way, _ = _declared(built, link, f"{name}_{link}", "", (name, kind))
        text += "\n# Nothing leads there yet. Take away the # and say where this leads:\n" + "".join(f"# {line}\n" for line in way.splitlines())
        notes.append(f"Nothing leads to it yet: take the # from the {link} below it, or write: rulewright new {link} NAME --in {{into}}")
    return Draft(text, (*notes, *also_named(built.graph, kind)))


def _declared(built: Built, kind: str, name: str, label: str, from_new: tuple[str, str] | None = None) -> tuple[str, list[str]]:
    """The text of a component, and notes; of a link also if one of its ends is still to be written."""
    from rulewright.source import excerpt

    assert built.linked is not None
    assert built.graph is not None
    declared = [item.declaration for item in built.linked.items.values()]
    others = [each for each in declared if isinstance(each, t.ComponentDecl) and each.kind == kind]
    said: dict[str, list[str]] = {}
    for other in others:
        for member in other.members:
            if (word := _subject(built.graph, kind, member)) is not None:
                said.setdefault(word, []).append(_written(built, other, member))
    lines, notes = [], []
    if any(isinstance(member, t.Source) for other in others for member in other.members):
        lines.append("source own")
    for word, needed in _members(built.graph, kind).items():
        texts = said.get(word, [])
        if len(texts) >= (max(len(others), 1) * USUAL if others or not needed else 0):
            line, note = _line(built, kind, word, texts)
            lines.append(line)
            notes += [note] if note else []
    placed = Counter(excerpt(built.texts, other.place.span) for other in others if other.place is not None)
    where = f" in {placed.most_common(1)[0][0]}" if placed and placed.most_common(1)[0][1] >= USUAL * len(others) else ""
    if (links := built.graph["kinds"][kind]["links"]) is not None:
        first, second = _ends(built, kind, links, from_new)
        where += f" from {first} to {second}"
        notes.append(f"It leads from {first} to {second}: is that where it should?")
    head = f"{kind} {name}{label}{where}"
    return head + (":\n" + "".join(f"    {line}\n" for line in lines) if lines else "\n"), notes


def _subject(graph: dict[str, Any], kind: str, member: t.Member) -> str | None:
    """The field, value or effect that a line is about: of a word alone (`red` for `colour red`) the field that may have it."""
    name: str | None = getattr(member, "name", None)
    if not isinstance(member, t.FieldLine) or member.values:
        return name
    fields = (field for each in _lineage(graph, kind) for field in graph["kinds"][each]["fields"].items())
    return next((word for word, field in fields if name in field["type"].get("words", ())), name)


def _written(built: Built, other: t.ComponentDecl, member: t.Member) -> str:
    """What a component says, for one copy."""
    from rulewright.resolve.board import field_line
    from rulewright.source import excerpt

    if isinstance(member, t.FieldLine) and member.span.file.endswith((".yaml", ".yml")):
        return field_line(member)
    if isinstance(member, t.FieldLine) and len(member.values) == other.copies != 1:
        return f"{member.name} {excerpt(built.texts, member.values[0].span)}"
    return excerpt(built.texts, member.span)


def _ends(built: Built, kind: str, links: list[str], from_new: tuple[str, str] | None) -> tuple[str, str]:
    """Two places that a link of a kind can join and that no link joins: if there is one, from a place of the author's own that nothing leads to."""
    graph = built.graph
    assert graph is not None
    firsts, seconds = ([name for name, each in graph["components"].items() if end in _lineage(graph, each["kind"])] for end in links)
    if from_new is not None:
        name, of = from_new
        if links[0] in _lineage(graph, of):
            firsts = [name]
        else:
            seconds = [name]
    joined = {end for link in graph["links"] for end in link["ends"]}
    together = {frozenset(link["ends"]) for link in graph["links"]}
    lonely = [name for name in own(built) if name not in joined]
    firsts.sort(key=lambda name: name not in lonely)
    if not any(name in lonely for name in firsts):
        seconds.sort(key=lambda name: name not in lonely)
    pairs = [(first, second) for first in firsts[:20] for second in seconds if first != second]
    free = [pair for pair in pairs if frozenset(pair) not in together]
    if not pairs:
        raise CannotDraft(
            f"a {kind} joins a {links[0]} and a {links[1]}, and there are none that it could join: begin those first"
            f" (rulewright new {links[0]} NAME --in LAYER), then write: {kind} NAME from {links[0].upper()} to {links[1].upper()}"
        )
    return (free or pairs)[0]


def _usual_link(graph: dict[str, Any], kind: str) -> str | None:
    """The kind of the links by which most places of a kind can be reached; None if they usually cannot."""
    places = {name for name, component in graph["components"].items() if component["kind"] == kind}
    joined = {end for link in graph["links"] for end in link["ends"]}
    if not places or len(places & joined) < USUAL * len(places):
        return None
    used: Counter[str] = Counter(graph["components"][link["component"]]["kind"] for link in graph["links"] if places & set(link["ends"]))
    return used.most_common(1)[0][0]


def _lineage(graph: dict[str, Any], kind: str | None) -> list[str]:
    """A kind and those it inherits from, itself first."""
    line = []
    while kind is not None:
        line.append(kind)
        kind = graph["kinds"][kind]["parent"]
    return line


def _members(graph: dict[str, Any], kind: str) -> dict[str, bool]:
    """The fields, values and effects of a kind and those above it, each with whether a component has to give it."""
    found: dict[str, bool] = {}
    for each in reversed(_lineage(graph, kind)):
        for word, field in graph["kinds"][each]["fields"].items():
            found[word] = field["default"] is None and not field["type"].get("optional") and field["type"]["how"] in ("words", "kind", "place")
        for table in ("values", "effects"):
            for path, unit in graph[table].items():
                if unit["of"] == each:
                    found[path.rpartition(".")[2]] = unit.get("value", unit.get("entry")) is None
    return found


def _line(built: Built, kind: str, word: str, texts: list[str]) -> tuple[str, str | None]:
    """What a component says of one of these, and what to mind in it: of a field what most of the others say, or what none of them does, else the least that can be said."""
    graph = built.graph
    assert graph is not None
    line = _lineage(graph, kind)
    effect = next((graph["effects"][path] for each in line if (path := f"{each}.{word}") in graph["effects"]), None)
    if effect is not None:
        parameters = ", ".join(parameter["name"] for parameter in effect["parameters"])
        return f"{word}: nothing  # what happens{f'; {parameters} is known here' if parameters else ''}", None
    value = next((graph["values"][path] for each in line if (path := f"{each}.{word}") in graph["values"]), None)
    if value is not None:
        return f"{word} when true" if value["gives"]["how"] == "flag" else f"{word} = {BLANK.get(value['gives']['how'], 'none')}", None
    field = next(graph["kinds"][each]["fields"][word] for each in line if word in graph["kinds"][each]["fields"])
    short = Counter(text for text in texts if "\n" not in text)
    if field["type"]["how"] == "text":
        return f'{word} "..."', None
    if field["type"]["how"] == "kind":
        return _whose(built, kind, word, field["type"]["name"], short)
    if (fresh := unlike_others(graph, kind, word, field["type"])) is not None:
        return f"{word} {fresh}", None
    if short:
        return short.most_common(1)[0][0], None
    return f"{word} {field['type'].get('words', [BLANK.get(field['type']['how'], 'none')])[0]}", None


def _whose(built: Built, kind: str, word: str, of: str, texts: Counter[str]) -> tuple[str, str | None]:
    """A field that names a component: one of the author's own if there is one, else what most say; with what the others have."""
    graph = built.graph
    assert graph is not None
    mine = [name for name in own(built) if of in _lineage(graph, graph["components"][name]["kind"])]
    said = [*(f"{word} {name}" for name in mine[-1:]), *(text for text, _ in texts.most_common(1))]
    any_of = (name for name, component in graph["components"].items() if of in _lineage(graph, component["kind"]))
    line = said[0] if said else f"{word} {next(any_of, 'none')}"
    others = others_have(graph, kind, word)
    return line + (f"  # others have: {others}" if others else ""), f"'{line}': is that the {of} it should name?" + (
        f" Others have: {others}" if others else ""
    )
