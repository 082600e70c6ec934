"""Names of what can be drawn: from what a person wrote after --of to the key of one drawing.

A key is a section of the graph and a name in it. A person may write the name, its last part, its label, or, where
one name is several things, the sort before it: `action:pass`. What a component does is `generator.use`, whether the
component or its kind says how; a component that does one thing stands for that. Refuses what is unknown or means
several things.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright_tools.pictures.model import Graph

SECTIONS = {"effects": "effect", "actions": "action", "values": "value", "costs": "cost", "hooks": "hook", "methods": "method"}

_NOT_DRAWN = {"kinds": "kind", "components": "component", "places": "place", "grids": "grid", "dice": "die", "tracks": "track", "numbers": "number"}


class UnknownName(Exception):
    """A name that is nothing, or several things; the text says which and what else there is."""


def key_of(section: str, name: str) -> str:
    """The key of a drawing."""
    return f"{section}:{name}"


def record_of(graph: Graph, key: str) -> dict[str, Any]:
    """What a key stands for."""
    section, _, name = key.partition(":")
    record: dict[str, Any] = graph[section][name]
    return record


def sort_of(graph: Graph, key: str) -> str:
    """What it is, as a person says it: effect, phase, step, action, value ..."""
    section = key.partition(":")[0]
    return str(record_of(graph, key)["what"]) if section == "effects" else SECTIONS[section]


def all_keys(graph: Graph) -> list[str]:
    """The keys of everything that can be drawn, in the order of the graph."""
    return [key_of(section, name) for section in SECTIONS for name in graph.get(section, ())]


def find_key(graph: Graph, wanted: str) -> str:
    """The key that a person means; raises `UnknownName`."""
    for matches in _attempts(graph, wanted):
        if len(matches) == 1:
            return matches[0]
        if matches:
            shown = _listed([f"{sort_of(graph, key)}:{key.partition(':')[2]}" for key in matches])
            raise UnknownName(f"'{wanted}' is several things: {shown}; write one of them")
    for section, sort in _NOT_DRAWN.items():
        if wanted in graph[section]:
            theirs = [key.partition(":")[2] for key in all_keys(graph) if _owner(key) == wanted]
            instead = f"draw one of {_listed(theirs)}" if theirs else "only effects, phases, steps, actions, values, costs and hooks are drawn"
            raise UnknownName(f"'{wanted}' is a {sort}; {instead}")
    raise UnknownName(f"there is no '{wanted}' in this ruleset" + _near(graph, wanted))


def _attempts(graph: Graph, wanted: str) -> Iterator[list[str]]:
    """Matches by ever looser readings of the name."""
    keys = all_keys(graph)
    names = {key: key.partition(":")[2] for key in keys}
    sort, _, name = wanted.partition(":")
    yield [key for key in keys if names[key] == name and sort_of(graph, key) == sort]
    yield [key for key in keys if names[key] == wanted]
    yield _inherited(graph, wanted)
    plain = [key for key in keys if not key.startswith("methods:")]
    yield [key for key in plain if names[key].rpartition(".")[2] == wanted]
    yield [key for key in plain if str(record_of(graph, key).get("label") or "").casefold() == wanted.casefold()]
    components = {
        name for name, component in graph["components"].items() if wanted == name or wanted.casefold() == str(component["label"]).casefold()
    }
    yield [key for key in keys if _owner(key) in components and _does_something(graph, key)]


def _inherited(graph: Graph, wanted: str) -> list[str]:
    """What a component does because its kind, or the kind of that, says so."""
    owner, _, name = wanted.rpartition(".")
    kind = graph["components"].get(owner, graph["kinds"].get(owner, {})).get("kind", owner)
    for _ in range(len(graph["kinds"]) + 1):
        found = [
            key_of(section, f"{kind}.{name}") for section in ("methods", "effects", "actions", "values") if f"{kind}.{name}" in graph.get(section, ())
        ]
        if found or kind not in graph["kinds"]:
            return found
        kind = graph["kinds"][kind]["parent"]
    return []


def _owner(key: str) -> str:
    """The kind or component that something belongs to."""
    return key.partition(":")[2].partition(".")[0]


def _does_something(graph: Graph, key: str) -> bool:
    """Whether it is an effect, an action or a hook of a component: what it is asked about is less."""
    return key.startswith(("methods:", "actions:", "hooks:")) and (not key.startswith("methods:") or record_of(graph, key)["entry"] is not None)


def _listed(names: list[str]) -> str:
    """Some names, not too many."""
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(f"'{name}'" for name in names[:8]) + more


def _near(graph: Graph, wanted: str) -> str:
    from rulewright.diagnostics import did_you_mean

    names = [key.partition(":")[2] for key in all_keys(graph)]
    hint = did_you_mean(wanted, [*names, *(name.rpartition(".")[2] for name in names)])
    return f"; {hint}" if hint else ""
