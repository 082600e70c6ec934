"""Components that begin: a declaration with what the components of its kind usually say, filled in as most of them have it.

Takes a kind and the ruleset or layer the component goes into; writes it to the end of that one's first rules file. Everything that was in the file stays.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright import tree as t
from rulewright_tools.loading import load_rules, refuse

if TYPE_CHECKING:
    from rulewright.build import Built

USUAL = 0.6  # of the components of a kind: what so many say, a new one says too
BLANK = {"flag": "true", "number": "0", "text": '""'}


def add_component(kind: str, name: str, label: str, into: str) -> None:
    """Write the beginning of a component, look whether the rules are sound with it, and say where it stands."""
    from rulewright.files import write_text

    built = load_rules(into, (), {}).built
    graph = built.graph
    assert graph is not None
    assert built.linked is not None
    kind = _kind_meant(graph, kind, into)
    if name in built.linked.items:
        refuse(f"there is a {built.linked.items[name].what} called '{name}' already")
    if '"' in label or "\\" in label:
        refuse(f"a label holds no quotes or backslashes: {label}")
    file = _own_file(built, into)
    try:
        text = file.read_text("utf-8")
        declared = skeleton(built, kind, name, label)
        write_text(file, f"{text.rstrip()}\n\n{declared}")
    except OSError as error:
        refuse(f"'{file}' cannot be written: {error.strerror or error}")
    click.echo(f"Added to {file}:\n\n{declared}")
    click.echo(f"Look at others of its kind: rulewright names {into} --what {kind}\nThen: rulewright validate {into}")


def skeleton(built: Built, kind: str, name: str, label: str) -> str:
    """A component as those of its kind look."""
    from rulewright.source import excerpt

    assert built.linked is not None
    assert built.graph is not None
    declared = [item.declaration for item in built.linked.items.values()]
    others = [each for each in declared if isinstance(each, t.ComponentDecl) and each.kind == kind]
    said: dict[str, list[str]] = {}
    for other in others:
        for member in other.members:
            if (word := getattr(member, "name", None)) is not None:
                said.setdefault(word, []).append(_written(built, other, member))
    lines = []
    if any(isinstance(member, t.Source) for other in others for member in other.members):
        lines.append("source own")
    for word, needed in _members(built.graph, kind).items():
        texts = said.get(word, [])
        if len(texts) >= (max(len(others), 1) * USUAL if others or not needed else 0):
            lines.append(_line(built.graph, kind, word, texts))
    placed = Counter(excerpt(built.texts, other.place.span) for other in others if other.place is not None)
    where = f" in {placed.most_common(1)[0][0]}" if placed and placed.most_common(1)[0][1] >= USUAL * len(others) else ""
    head = f'{kind} {name} "{label}"{where}'
    return head + (":\n" + "".join(f"    {line}\n" for line in lines) if lines else "\n")


def _written(built: Built, other: t.ComponentDecl, member: t.Member) -> str:
    """What a component says, for one copy."""
    from rulewright.source import excerpt

    if isinstance(member, t.FieldLine) and len(member.values) == other.copies != 1:
        return f"{member.name} {excerpt(built.texts, member.values[0].span)}"
    text = excerpt(built.texts, member.span)
    named = not member.span.file.endswith(".yaml") or text.startswith(getattr(member, "name", ""))
    return text if named else f"{getattr(member, 'name', '')} {text}"  # on a board the name stands elsewhere


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


def _line(graph: dict[str, Any], kind: str, word: str, texts: list[str]) -> str:
    """What a component says of one of these: of a field what most of the others say, else the least that can be said."""
    line = _lineage(graph, kind)
    effect = next((graph["effects"][path] for each in line if (path := f"{each}.{word}") in graph["effects"]), None)
    if effect is not None:
        parameters = ", ".join(parameter["name"] for parameter in effect["parameters"])
        return f"{word}: nothing  # what happens{f'; {parameters} is known here' if parameters else ''}"
    value = next((graph["values"][path] for each in line if (path := f"{each}.{word}") in graph["values"]), None)
    if value is not None:
        return f"{word} when true" if value["gives"]["how"] == "flag" else f"{word} = {BLANK.get(value['gives']['how'], 'none')}"
    field = next(graph["kinds"][each]["fields"][word] for each in line if word in graph["kinds"][each]["fields"])
    short = Counter(text for text in texts if "\n" not in text)
    if field["type"]["how"] == "text":
        return f'{word} "..."'
    if short:
        return short.most_common(1)[0][0]
    return f"{word} {field['type'].get('words', [BLANK.get(field['type']['how'], 'none')])[0]}"


def _kind_meant(graph: dict[str, Any], word: str, into: str) -> str:
    """The kind of that name or label; where several are near, which there are."""
    kinds = {name: declared for name, declared in graph["kinds"].items() if name != "player"}
    for name, declared in kinds.items():
        if word in (name, declared["label"], declared["plural"]):
            return str(name)
    near = [name for name in kinds if word in name]
    if len(near) != 1:
        from rulewright.diagnostics import did_you_mean

        hint = f"did you mean one of {', '.join(near)}?" if near else did_you_mean(word, list(kinds)) or f"there are: {', '.join(kinds)}"
        refuse(f"'{into}' has no kind called '{word}'; {hint}")
    return str(near[0])


def _own_file(built: Built, into: str) -> Path:
    """The first rules file of the ruleset or layer that somebody names; never one of a ruleset that comes with the program."""
    package = built.sources.packages[-1]
    if package.shipped:
        refuse(f"'{into}' comes with the program; make a layer of your own (rulewright new house NAME --over {package.id}) and add to that")
    if not package.files:
        refuse(f"'{into}' has no rules file")
    return Path(package.files[0].name)
