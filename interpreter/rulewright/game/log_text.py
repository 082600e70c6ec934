"""The log in words: entries as a player may know them, each with the rule that caused it and its citations.

The log itself holds numbers. `entries` names the parts of an entry and spells its words; `entries_for` tells them to somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.core import program as c
from rulewright.core.world import World
from rulewright.game.decisions import name_of
from rulewright.game.views import back_words, decoded
from rulewright.step.machine import Machine
from rulewright.step.state import ENTRIES
from rulewright.step.state import Entry as Written
from rulewright.step.wording import Wording, innermost
from rulewright.types import SCORE

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
    option, label, prompt = choice_words(machine.linked.wording, *(entry.pop(part) for part in ("question", "value", "hidden", "label", "prompt")))
    return {"kind": "choice", "player": entry.pop("player"), "option": option, "label": label, "prompt": prompt, **entry}


def choice_words(words: Wording, question: int | None, value: Any, hidden: Any, label: Any, prompt: Any) -> tuple[str, str, str | None]:
    """The id of what was chosen, in words, and what was asked. A choice that was read from a file has these instead of numbers."""
    if question is None:
        return value, label, prompt
    asked = words.linked.program.questions[question]
    return *name_of(words, asked, value, hidden, label), None if prompt is None else words.prompt(asked, prompt)


def _set_entry(machine: Machine, entry: Entry) -> Entry:
    of = field_type(machine.world, entry["component"], entry["field"])
    return {**entry, "before": decoded(machine.linked, entry["before"], of), "value": decoded(machine.linked, entry["value"], of)}


def _message_entry(machine: Machine, entry: Entry) -> Entry:
    made = {**entry, "text": message_words(machine.linked.wording, entry["text"], entry["values"])}
    del made["values"]
    if made["components"] is None:
        del made["components"]
    else:
        made["components"] = list(made["components"])
    return made


def message_words(words: Wording, text: int | str, values: Sequence[Any]) -> str:
    """What a message says: by the address of what says it, or as it was read from a file."""
    if isinstance(text, str):
        return text
    node = words.linked.code[text]
    assert isinstance(node, c.Say)
    return words.spelled(node.text, values)


SPELLED: dict[str, Callable[[Machine, Entry], Entry]] = {
    "choice": _choice_entry,
    "set": _set_entry,
    "message": _message_entry,
    "show": lambda machine, entry: {**entry, "components": list(entry["components"])},
    "roll": lambda machine, entry: {**entry, "face": decoded(machine.linked, entry["face"], {"how": "words"})},
}


def field_type(world: World, component: int, field: str) -> dict[str, Any]:
    """The type of a field."""
    declared = world.graph["kinds"].get(world.kinds[component], {"fields": {}})["fields"].get(field, {})
    found: dict[str, Any] = declared.get("type", {"how": "number"})
    return found


# -- entries in words


def entries_for(machine: Machine, player: int | None, everything: bool = False, start: int = 0, words: Wording | None = None) -> list[Entry]:
    """The log as a player (from 1) or a spectator (None) may know it; from `start` on, which counts what others know too; in the words of the rules, or in others."""
    return [entry for _, entry in placed_entries(machine, player, everything, start, words)]


def placed_entries(
    machine: Machine, player: int | None, everything: bool = False, start: int = 0, words: Wording | None = None
) -> list[tuple[int, Entry]]:
    """The same, each with its place in the whole log."""
    words = words or machine.linked.wording
    bit = machine.world.players if player is None else player - 1
    can: Can = (lambda bits: True) if everything else (lambda bits: bits >> bit & 1 == 1)
    found: list[tuple[int, Entry]] = []
    written_since = machine.state.log[start:]
    backs = _backs(machine, written_since) if machine.world.has_backs else {}
    for position, written in enumerate(written_since):
        text = WORDS[written[0]](words, written[2:], can, backs.get(position, {}))
        if text is not None:
            found.append((start + position, _told(words, written, len(found) + 1, text, everything)))
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


def _something(words: Wording, component: int, backs: Backs) -> str:
    """What a component is called by who could not tell it."""
    return f"{words.say('something')}{back_words(words, component, backs.get(component, ()))}"


def _told(words: Wording, written: Written, number: int, text: str, everything: bool) -> Entry:
    """One entry in words. Its cause is the name of a rule, by which `explain` finds it: that is the same in every language."""
    unit, by, depth, phase = written[1]
    cause, cites = causes(words.world, unit)
    if by is not None and everything:
        cause = f"{cause} of {words.world.identities[by]}"
    return {
        "number": number,
        "kind": written[0],
        "text": text,
        "cause": cause,
        "cites": [*cites],
        "depth": depth,
        "phase": words.phase(phase) if phase else None,
    }


def causes(world: World, unit: str) -> tuple[str, list[str]]:
    """A readable name for what caused something, and the rules it cites."""
    known = world.causes
    if unit not in known:
        known[unit] = _cause(world.graph, unit)
    return known[unit]


def _cause(graph: dict[str, Any], unit: str) -> tuple[str, list[str]]:
    for prefix, table in (("hook ", "hooks"), ("action ", "actions"), ("cost ", "costs"), ("", "effects")):
        if unit.startswith(prefix) and unit[len(prefix) :] in graph[table]:
            found = graph[table][unit[len(prefix) :]]
            name = f"{found['timing']} {found['event']}" if table == "hooks" else unit[len(prefix) :]
            return name, found["cites"]
    return unit, []


def _move(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    component, before, to, seen, tellers = parts
    what, told = words.labels[component] if can(seen) else _something(words, component, backs), can(tellers)
    return f"{what}: {_place(words, before, told)} → {_place(words, to, told)}"


def _place(words: Wording, place: int, told: bool) -> str:
    """What a place is called; one that belongs to a component which somebody could not tell has no name for them."""
    return words.labels[place] if told or words.world.holders[place] is None else words.say("something")


def _shuffle(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    return words.say("{place} is shuffled", place=_place(words, parts[0], can(parts[1])))


def _set(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    component, field, before, value, seen = parts
    told = can(seen)
    if not told and all(name != field for name, _, _ in words.world.backs[component]):
        return None
    how = innermost(field_type(words.world, component, field))
    if field == SCORE:
        return words.say("{who} scores {points}", who=words.labels[component], points=words.shown(value, how))
    what = words.labels[component] if told else words.say("something")
    return f"{what}: {words.field(component, field)} {words.shown(before, how)} → {words.shown(value, how)}"


def _choice(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    player, *chosen, seen, public, silent = parts
    who = words.labels[player]
    if not public and not can(seen):
        return None if silent else words.say("{who} chooses", who=who)
    _, label, prompt = choice_words(words, *chosen)
    if prompt is None or not can(seen):
        return words.say("{who} chooses {what}", who=who, what=label)
    return words.say("{who} chooses {what} ({question})", who=who, what=label, question=prompt)


def _show(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    if can(parts[1]):
        return words.say("shown: {things}", things=", ".join(words.labels[each] for each in parts[0]))
    return words.say("{things} is shown", things=", ".join(sorted({_something(words, each, backs) for each in parts[0]})))


def _message(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    at, values, seen, _ = parts
    return message_words(words, at, values) if can(seen) else None


def _outcome(words: Wording, parts: Sequence[Any], can: Can, backs: Backs) -> str | None:
    player, outcome = parts
    return words.say(OUTCOMES[outcome], who=words.labels[player])


OUTCOMES = {"won": "{who} has won", "lost": "{who} has lost", "eliminated": "{who} is out of the game"}
WORDS: dict[str, Callable[[Wording, Sequence[Any], Can, Backs], str | None]] = {
    "move": _move,
    "set": _set,
    "choice": _choice,
    "show": _show,
    "message": _message,
    "roll": lambda words, parts, can, backs: words.say("{die} shows {face}", die=words.die(parts[0]), face=words.shown(parts[1], "words")),
    "shuffle": _shuffle,
    "outcome": _outcome,
    "end": lambda words, parts, can, backs: words.say("the game ends"),
}
