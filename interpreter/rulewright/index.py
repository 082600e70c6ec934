"""The index of a ruleset: everything that an author can name, with where it is written, what it is called and who uses it.

Takes a build, gives an `Entry` for each name: kinds with their fields and members, components, places, effects, steps, values, actions and their groups, costs, numbers,
words, dice, tracks and named rules. Uses are read off the effect graph. Nothing is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.changes import what_of
from rulewright.resolve.board import as_rules
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import member_name
from rulewright.resolve.steps import find_step, step_paths
from rulewright.source import excerpt
from rulewright.sources.locate import shown

LONGEST = 110  # characters of a declaration that are shown
MEMBERS = (t.FieldDecl, t.ValueDecl, t.EffectDecl, t.ActionDecl, t.PlaceDecl, t.RuleDecl)
UNITS = ("effects", "values", "actions", "costs", "hooks")  # tables of the graph whose entries say something
INSIDE = ("hook ", "method ", "action ", "cost ", "value ", "step ")  # before the names of bodies


class Entry(msgspec.Struct, frozen=True):
    """Something that has a name."""

    path: str
    what: str
    text: str  # the first line of its declaration
    label: str | None
    package: str
    subject: str  # the file it stands in, as a word
    place: str
    cites: tuple[str, ...]
    uses: tuple[str, ...]  # who names it


def index(built: Built) -> list[Entry]:
    """All that has a name, in the order of the files."""
    assert built.graph is not None
    uses, labels = references(built.graph), dict(_labels(built.graph))
    found = [
        Entry(
            path,
            what_of(declaration),
            _first_line(_text(built, declaration)),
            labels.get(path),
            package,
            PurePath(declaration.span.file).stem.replace("_", " "),
            f"{declaration.span.file}:{declaration.span.line}",
            tuple(cites_of(declaration)),
            tuple(sorted(uses.get(path, ()))),
        )
        for path, declaration, package in _declared(built)
    ]
    return [*found, *_groups(built.graph, uses)]


def _declared(built: Built) -> Iterator[tuple[str, Any, str]]:
    """Everything that is declared, with its path and the package it is of: items, what belongs to them, and steps."""
    assert built.linked is not None
    for item in built.linked.items.values():
        yield item.path, item.declaration, item.package
        for member in getattr(item.declaration, "members", ()):
            if isinstance(member, MEMBERS) and (name := member_name(member)):
                yield f"{item.path}.{name}", member, item.package
        body = getattr(item.declaration, "body", None)
        for path in step_paths(item.path, body):
            yield path, find_step(body, path.removeprefix(f"{item.path}.").split(".")), item.package


def search(entries: Sequence[Entry], word: str) -> list[Entry]:
    """Those in whose name, label or declaration a word occurs, or a part of one, the nearest first: where the name itself is that word, then where it is a part of the
    name or of the label, then of the first line; last places and fields for what was found."""
    wanted, spoken = word.lower().replace(" ", "_"), word.lower().replace("_", " ")

    def rank(entry: Entry) -> int | None:
        if wanted in (entry.path, entry.path.rpartition(".")[2]):
            return 0
        if wanted in entry.path or (entry.label is not None and spoken in entry.label.lower()):
            return 1
        return 2 if wanted in entry.text.lower() or spoken in entry.text.lower() else None

    ranked = {number: place for number, entry in enumerate(entries) if (place := rank(entry)) is not None}
    found = {entries[number].path for number, place in ranked.items() if place < 2}
    for number, entry in enumerate(entries):
        if number not in ranked and entry.what in ("place", "field") and found & set(re.findall(r"\w+", entry.text)):
            ranked[number] = 3
    return [entries[number] for number in sorted(ranked, key=lambda number: (ranked[number], number))]


def references(graph: dict[str, Any]) -> dict[str, set[str]]:
    """Who names what: by the path of what is named. A field is named by its name alone, so each kind's field of that name counts."""
    found: dict[str, set[str]] = {}
    fields: dict[str, list[str]] = {}
    for kind, declared in graph["kinds"].items():
        for name in declared["fields"]:
            fields.setdefault(name, []).append(f"{kind}.{name}")
    for owner, body in _bodies(graph):
        for target in _named(body):
            for path in fields.get(target[1:], ()) if target.startswith(".") else (target,):
                if path != owner:
                    found.setdefault(path, set()).add(owner)
    return found


def scenarios(built: Built, path: str, cites: Collection[str]) -> Iterator[tuple[str, str]]:
    """The scenarios of the rulesets that speak of something by its name, or cite a rule that it cites: what they are called, and where they stand."""
    name = path.rpartition(".")[2]
    wanted = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted({name, *cites}, key=len, reverse=True)))})\b(?!\.)")
    for package in built.sources.packages:
        for file in sorted(Path(package.folder).glob("scenarios/*.yaml")) if package.folder else ():
            shown_as, heading, told = shown(str(file)), ("", 0), False
            for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
                if (found := re.match(r"\s*- name: (.+)", line)) is not None:
                    heading, told = (found[1].strip("\"' "), number), False
                elif heading[0] and not told and wanted.search(line):
                    told = True
                    yield heading[0], f"{shown_as}:{heading[1]}"


def _bodies(graph: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Everything that says something, with its name."""
    for table in UNITS:
        for name, unit in graph[table].items():
            yield name, unit
    for name, node in graph["nodes"].items():
        owner = name.rpartition(":")[0]
        yield next((owner.removeprefix(word) for word in INSIDE if owner.startswith(word)), owner), node
    for name, component in graph["components"].items():
        yield name, list(component["fields"].values())
        yield name, {"op": "of_kind", "kind": component["kind"]}
        if component["place"] is not None:
            yield name, component["place"]
    for link in graph["links"]:
        yield link["component"], [{"component": end} for end in link["ends"]]


def _named(part: Any) -> Iterator[str]:
    """What an expression or a node names; fields with a dot before them."""
    stack = [part]
    while stack:
        one = stack.pop()
        if isinstance(one, list):
            stack += one
        elif isinstance(one, dict):
            if len(one) == 1 and isinstance(name := one.get("component"), str):  # the value of a field
                yield name
            for key in NAMING.get(one.get("op", ""), ()):
                if isinstance(name := one.get(key), str):
                    yield f".{name}" if (one["op"], key) in FIELDS else name
            for key in ("event", "costs", "groups", "cost"):
                stack.append(_names_under(key, one.get(key)))
            if "timing" in one and isinstance(one.get("value"), str):
                yield one["value"]
            stack += one.values()
        elif isinstance(one, _Name):
            yield one.name


class _Name(msgspec.Struct, frozen=True):
    """A name that stands as it is."""

    name: str


def _names_under(key: str, value: Any) -> list[Any]:
    """Names that are no expressions: of an event, of groups, of costs."""
    match key, value:
        case "event", str():
            return [_Name(value), _Name(value.removesuffix(".runs_out"))]
        case "groups", list():
            return [_Name(f"group {each}") for each in value if isinstance(each, str)]
        case (("costs" | "cost"), list()):
            return [_Name(each["cost"]) for each in value if isinstance(each, dict) and isinstance(each.get("cost"), str)]
        case "cost", dict() if isinstance(value.get("cost"), str):
            return [_Name(value["cost"])]
    return []


FIELDS = {("field", "name"), ("set", "field")}
NAMING: dict[str, tuple[str, ...]] = {
    "value": ("value",), "call": ("effect",), "component": ("name",), "place": ("place",), "place_of": ("place",), "number": ("name",), "field": ("name",),
    "set": ("field",), "of_kind": ("kind",), "all": ("of", "grid"), "is_kind": ("kind",), "links": ("kind",), "next": ("kind",), "belonging": ("kind",),
    "within": ("kind",), "reachable": ("kind",), "visible": ("kind",), "roll": ("die",), "draw": ("kind",), "install": ("until",), "is_deed": ("name",), "lines": ("grid",),
}  # fmt: skip


def _labels(graph: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What people read, where that is not the name."""
    for table in ("kinds", "places", "components", "dice", "tracks", "effects", "actions"):
        for name, declared in graph[table].items():
            if (label := declared.get("label")) and label != name.rpartition(".")[2].replace("_", " "):
                yield name, label


def _groups(graph: dict[str, Any], uses: dict[str, set[str]]) -> Iterator[Entry]:
    """The groups of actions: nothing declares them but the actions in them."""
    members: dict[str, list[str]] = {}
    for path, action in graph["actions"].items():
        for group in action["groups"]:
            members.setdefault(group, []).append(path)
    for group, actions in members.items():
        span = graph["actions"][actions[0]]["span"]
        offered = sorted(uses.get(f"group {group}", set()) - set(actions))
        text = f"group {group}: {', '.join(actions)}"
        yield Entry(group, "group", text, None, graph["actions"][actions[0]].get("package", ""), "groups", f"{span[0]}:{span[1]}", (), tuple(offered))


def _text(built: Built, declaration: Any) -> str:
    """A declaration as an author writes it in a rules file, also if it stands on a board."""
    if isinstance(declaration, t.ComponentDecl | t.GridDecl) and declaration.span.file.endswith((".yaml", ".yml")):
        return as_rules(declaration)
    return excerpt(built.texts, declaration.span)


def _first_line(text: str) -> str:
    """A declaration in one line: what stands before its block."""
    line = text.splitlines()[0].rstrip() if text else ""
    line = line.removesuffix(":")
    return line if len(line) <= LONGEST else line[: LONGEST - 4].rstrip() + " ..."
