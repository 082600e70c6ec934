"""The log in words: entries as a player may know them, each with the rule that caused it and its citations.

The log itself holds numbers. `entries` names the parts of an entry and spells its words; `entries_for` tells them to somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.core import program as c
from rulewright.game.decisions import name_of, spelled
from rulewright.game.views import back_words, decoded, innermost
from rulewright.step.machine import Machine
from rulewright.step.state import ENTRIES
from rulewright.step.state import Entry as Written

Entry = dict[str, Any]
Can = Callable[[int], bool]
Backs = dict[int, tuple[Any, ...]]  # what could be read on components, whoever could tell them


# -- entries as data


def entries(machine: Machine, since: int = 0) -> list[Entry]:
    """The log with its parts named, or what has been added to it since it was so long."""
    return [as_entry(machine, entry) for entry in machine.state.log[since:]]


def as_entry(machine: Machine, written: Written) -> Entry:
    """An entry of the log with its parts named and its words spelled."""
    kind, cause, *parts = written
    entry = {"kind": kind, **dict(zip(ENTRIES[kind], parts, strict=True)), **dict(zip(("cause", "by", "depth", "phase"), cause, strict=True))}
    return SPELLED[kind](machine, entry) if kind in SPELLED else entry


def _choice_entry(machine: Machine, entry: Entry) -> Entry:
    option, label, prompt = choice_words(machine, *(entry.pop(part) for part in ("question", "value", "hidden", "label", "prompt")))
    return {"kind": "choice", "player": entry.pop("player"), "option": option, "label": label, "prompt": prompt, **entry}


def choice_words(machine: Machine, question: int | None, value: Any, hidden: Any, label: Any, prompt: Any) -> tuple[str, str, str | None]:
    """The id of what was chosen, in words, and what was asked. A choice that was read from a file has these instead of numbers."""
    if question is None:
        return value, label, prompt
    asked = machine.program.questions[question]
    return *name_of(machine, asked, value, hidden, label), None if prompt is None else spelled(machine, asked.prompt, prompt)


def _set_entry(machine: Machine, entry: Entry) -> Entry:
    of = field_type(machine, entry["component"], entry["field"])
    return {**entry, "before": decoded(machine.linked, entry["before"], of), "value": decoded(machine.linked, entry["value"], of)}


def _message_entry(machine: Machine, entry: Entry) -> Entry:
    made = {**entry, "text": message_words(machine, entry["text"], entry["values"])}
    del made["values"]
    if made["components"] is None:
        del made["components"]
    else:
        made["components"] = list(made["components"])
    return made


def message_words(machine: Machine, text: int | str, values: Sequence[Any]) -> str:
    """What a message says: by the address of what says it, or as it was read from a file."""
    if isinstance(text, str):
        return text
    node = machine.linked.code[text]
    assert isinstance(node, c.Say)
    return spelled(machine, node.text, values)


SPELLED: dict[str, Callable[[Machine, Entry], Entry]] = {
    "choice": _choice_entry,
    "set": _set_entry,
    "message": _message_entry,
    "show": lambda machine, entry: {**entry, "components": list(entry["components"])},
    "roll": lambda machine, entry: {**entry, "face": decoded(machine.linked, entry["face"], {"how": "words"})},
}


def field_type(machine: Machine, component: int, field: str) -> dict[str, Any]:
    """The type of a field."""
    declared = machine.world.graph["kinds"].get(machine.world.kinds[component], {"fields": {}})["fields"].get(field, {})
    found: dict[str, Any] = declared.get("type", {"how": "number"})
    return found


# -- entries in words


def entries_for(machine: Machine, player: int | None, everything: bool = False, start: int = 0) -> list[Entry]:
    """The log as a player (from 1) or a spectator (None) may know it; from `start` on, which counts what others know too."""
    bit = machine.world.players if player is None else player - 1
    can: Can = (lambda bits: True) if everything else (lambda bits: bits >> bit & 1 == 1)
    found: list[Entry] = []
    written_since = machine.state.log[start:]
    backs = _backs(machine, written_since) if machine.world.has_backs else {}
    for position, written in enumerate(written_since):
        text = WORDS[written[0]](machine, written[2:], can, backs.get(position, {}))
        if text is not None:
            found.append(_told(machine, written, len(found) + 1, text, everything))
    return found


def _backs(machine: Machine, log: list[Written]) -> dict[int, Backs]:
    """What everyone could then read on the components that entries speak of: what can be read now, but for what has been set since."""
    world, values = machine.world, machine.state.values
    then: dict[int, Any] = {}
    found: dict[int, Backs] = {}
    for position in range(len(log) - 1, -1, -1):
        kind, _, *parts = log[position]
        if kind in ("move", "show"):
            about = [parts[0]] if kind == "move" else parts[0]
            found[position] = {
                each: tuple([then.get(world.base[each] + slot, values[world.base[each] + slot]) for _, slot, _ in world.backs[each]])
                for each in about
            }
        elif kind == "set":
            component, field, before = parts[:3]
            then.update({world.base[component] + slot: before for name, slot, _ in world.backs[component] if name == field})
    return found


def _something(machine: Machine, component: int, backs: Backs) -> str:
    """What a component is called by who could not tell it."""
    return f"something{back_words(machine, component, backs.get(component, ()))}"


def _told(machine: Machine, written: Written, number: int, text: str, everything: bool) -> Entry:
    """One entry in words."""
    unit, by, depth, phase = written[1]
    cause, cites = causes(machine, unit)
    if by is not None and everything:
        cause = f"{cause} of {machine.world.identities[by]}"
    return {
        "number": number,
        "kind": written[0],
        "text": text,
        "cause": cause,
        "cites": [*cites],
        "depth": depth,
        "phase": phase_name(machine, phase),
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


def _move(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    component, before, to, seen, tellers = parts
    what, told = machine.world.labels[component] if can(seen) else _something(machine, component, backs), can(tellers)
    return f"{what}: {_place(machine, before, told)} → {_place(machine, to, told)}"


def _place(machine: Machine, place: int, told: bool) -> str:
    """What a place is called; one that belongs to a component which somebody could not tell has no name for them."""
    return machine.world.labels[place] if told or machine.world.holders[place] is None else "something"


def _shuffle(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    return f"{_place(machine, parts[0], can(parts[1]))} is shuffled"


def _set(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    component, field, before, value, seen = parts
    told = can(seen)
    if not told and all(name != field for name, _, _ in machine.world.backs[component]):
        return None
    how = innermost(field_type(machine, component, field))
    return f"{machine.world.labels[component] if told else 'something'}: {field.replace('_', ' ')} {machine.shown(before, how)} → {machine.shown(value, how)}"


def _choice(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    player, *chosen, seen, public, silent = parts
    who = machine.world.labels[player]
    if not public and not can(seen):
        return None if silent else f"{who} chooses"
    _, label, prompt = choice_words(machine, *chosen)
    return f"{who} chooses {label} ({prompt})" if prompt is not None and can(seen) else f"{who} chooses {label}"


def _show(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    if can(parts[1]):
        return "shown: " + ", ".join(machine.world.labels[each] for each in parts[0])
    return f"{', '.join(sorted({_something(machine, each, backs) for each in parts[0]}))} is shown"


def _message(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    at, values, seen, _ = parts
    return message_words(machine, at, values) if can(seen) else None


def _outcome(machine: Machine, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    player, outcome = parts
    return f"{machine.world.labels[player]} {'is out of the game' if outcome == 'eliminated' else f'has {outcome}'}"


WORDS: dict[str, Callable[[Machine, Sequence[Any], Can, Backs], str | None]] = {
    "move": _move,
    "set": _set,
    "choice": _choice,
    "show": _show,
    "message": _message,
    "roll": lambda machine, parts, can, backs: f"{parts[0]} shows {machine.shown(parts[1], 'words')}",
    "shuffle": _shuffle,
    "outcome": _outcome,
    "end": lambda machine, parts, can, backs: "the game ends",
}
