"""The log in words: entries as a player may know them, each with the rule that caused it and its citations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.run.visibility import back_in_words, identity

if TYPE_CHECKING:
    from rulewright.run.machine import Machine

Entry = dict[str, Any]


def entries_for(machine: Machine, player: int | None, everything: bool = False, start: int = 0) -> list[Entry]:
    """The log as a player (from 1) or a spectator (None) may know it; from `start` on, which counts what others know too."""
    bit = machine.world.players if player is None else player - 1
    can = _referee if everything else lambda bits: bits >> bit & 1 == 1
    found: list[Entry] = []
    entries = machine.state.entries(start)
    if machine.world.has_backs:
        _read_backs(machine, entries)
    for entry in entries:
        text = WORDS[entry["kind"]](machine, entry, can)
        if text is not None:
            found.append(_told(machine, entry, len(found) + 1, text, everything))
    return found


def _read_backs(machine: Machine, entries: list[Entry]) -> None:
    """Add to the entries what everyone could then read on the components they speak of: what can be read now, but for what has been set since."""
    world, values = machine.world, machine.state.values
    then: dict[int, Any] = {}
    for entry in reversed(entries):
        if entry["kind"] in ("move", "show"):
            about = [entry["component"]] if entry["kind"] == "move" else entry["components"]
            slots = ((each, name, world.base[each] + slot) for each in about for name, slot, _ in world.backs[each])
            backs: dict[int, dict[str, Any]] = {each: {} for each in about}
            for each, name, slot in slots:
                backs[each][name] = then.get(slot, values[slot])
            entry["backs"] = backs
        elif entry["kind"] == "set":
            for name, slot, _ in world.backs[entry["component"]]:
                if name == entry["field"]:
                    then[world.base[entry["component"]] + slot] = entry["before"]


def _something(machine: Machine, entry: Entry, component: int) -> str:
    """What a component is called by who could not tell it."""
    back = entry.get("backs", {}).get(component)
    return f"something{back_in_words(machine, component, back)}" if back else "something"


def _referee(bits: int) -> bool:
    """Who has seen everything, whoever else did."""
    return True


def _told(machine: Machine, entry: Entry, number: int, text: str, everything: bool) -> Entry:
    """One entry in words."""
    cause, cites = causes(machine, entry["cause"])
    by = entry["by"]
    if by is not None and everything:
        cause = f"{cause} of {identity(machine, by)}"
    return {
        "number": number,
        "kind": entry["kind"],
        "text": text,
        "cause": cause,
        "cites": cites,
        "depth": entry["depth"],
        "phase": phase_name(machine, entry["phase"]),
    }


def phase_name(machine: Machine, phase: str | None) -> str | None:
    """A phase, or a step of one, in words."""
    if phase is None:
        return None
    names = machine.world.phase_names
    if phase not in names:
        effects, parts = machine.world.graph["effects"], phase.split(".")
        paths = [".".join(parts[: number + 1]) for number in range(len(parts))]
        names[phase] = ": ".join(effects[path]["label"] if path in effects else path for path in paths) or None
    return names[phase]


def causes(machine: Machine, unit: str) -> tuple[str, list[str]]:
    """A readable name for what caused something, and the rules it cites."""
    known = machine.world.causes
    if unit not in known:
        known[unit] = _cause(machine.world.graph, unit)
    return known[unit]


def _cause(graph: dict[str, Any], unit: str) -> tuple[str, list[str]]:
    for prefix, table in (("hook ", "hooks"), ("action ", "actions"), ("cost ", "costs"), ("", "effects")):
        if unit.startswith(prefix) and unit[len(prefix) :] in graph[table]:
            found = graph[table][unit[len(prefix) :]]
            name = f"{found['timing']} {found['event']}" if table == "hooks" else unit[len(prefix) :]
            return name, found["cites"]
    return unit, []


def _move(machine: Machine, entry: Entry, can: Any) -> str | None:
    what = machine.label(entry["component"]) if can(entry["seen"]) else _something(machine, entry, entry["component"])
    told = can(entry["told"])
    return f"{what}: {_place(machine, entry['before'], told)} → {_place(machine, entry['to'], told)}"


def _place(machine: Machine, place: int, told: bool) -> str:
    """What a place is called; one that belongs to a component which somebody could not tell has no name for them."""
    return machine.label(place) if told or machine.world.holders[place] is None else "something"


def _shuffle(machine: Machine, entry: Entry, can: Any) -> str | None:
    return f"{_place(machine, entry['place'], can(entry['told']))} is shuffled"


def _set(machine: Machine, entry: Entry, can: Any) -> str | None:
    component, field = entry["component"], entry["field"]
    told = can(entry["seen"])
    if not told and all(name != field for name, _, _ in machine.world.backs[component]):
        return None
    declared = machine.world.graph["kinds"].get(machine.world.kinds[component], {"fields": {}})["fields"].get(field, {})
    how = innermost_sort(declared.get("type", {"how": "number"}))
    what = machine.label(component) if told else "something"
    return f"{what}: {field.replace('_', ' ')} {machine.shown(entry['before'], how)} → {machine.shown(entry['value'], how)}"


def innermost_sort(of: dict[str, Any]) -> str:
    """What sort of things a value of a type in the graph consists of, also a set of sets of them."""
    while "of" in of:
        of = of["of"]
    return str(of["how"])


def _choice(machine: Machine, entry: Entry, can: Any) -> str | None:
    who = machine.label(entry["player"])
    if can(entry["seen"]) and entry["prompt"] is not None:
        return f"{who} chooses {entry['label']} ({entry['prompt']})"
    if entry["public"] or can(entry["seen"]):
        return f"{who} chooses {entry['label']}"
    return None if entry["silent"] else f"{who} chooses"


def _show(machine: Machine, entry: Entry, can: Any) -> str | None:
    if not can(entry["seen"]):
        return f"{', '.join(sorted({_something(machine, entry, each) for each in entry['components']}))} is shown"
    return "shown: " + ", ".join(machine.label(component) for component in entry["components"])


WORDS: dict[str, Callable[[Any, Entry, Any], str | None]] = {
    "move": _move,
    "set": _set,
    "choice": _choice,
    "show": _show,
    "message": lambda machine, entry, can: entry["text"] if can(entry["seen"]) else None,
    "roll": lambda machine, entry, can: f"{entry['die']} shows {entry['face']}",
    "shuffle": _shuffle,
    "outcome": lambda machine, entry, can: f"{machine.label(entry['player'])} has {entry['outcome']}" if entry["outcome"] != "eliminated" else f"{machine.label(entry['player'])} is out of the game",
    "end": lambda machine, entry, can: "the game ends",
}  # fmt: skip
