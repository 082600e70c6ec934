"""Soundness: whether a state that came from outside could be one of a world.

Takes a world and a state as read from a save; gives a sentence about the first thing that cannot be, or None. Tables must have their sizes, every
component lies in exactly one place, fields hold what their types allow, frames have the shape of their type and point at what exists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core.world import World
from rulewright.run.events import STAGES
from rulewright.run.hooks import hook_of
from rulewright.run.state import State

Test = Callable[[World, Any], bool]
LIMIT = 10**13


def check_state(world: World, state: State) -> str | None:
    """What is wrong with a state."""
    sizes: list[tuple[list[Any], int]] = [
        (state.where, world.count), (state.known, world.count), (state.members, world.place_count), (state.values, len(world.start_values)),
        (state.outcomes, world.players),
    ]  # fmt: skip
    if any(len(found) != wanted for found, wanted in sizes):
        return "its tables have other sizes than those of the ruleset"
    placed = [(component, place) for place, members in enumerate(state.members) for component in members]
    if sorted(placed) != list(enumerate(state.where)) or not all(world.is_place(place) for place in state.where):
        return "some component is not in exactly one place"
    if any(known >> world.players + 1 for known in state.known):
        return "somebody is shown something who does not play"
    if not (_whole(world, state.version) and _whole(world, state.installs) and 0 <= state.random < 1 << 64):
        return "its counters are none"
    if not all(_mixed(world, group) for group in state.loose) or not all(hook_of(key) in _nameable(world) for key in state.once):
        return "it speaks of something that the rules do not have"
    return _values(world, state.values) or _frames(world, state)


def _nameable(world: World) -> set[str]:
    return {*world.graph["hooks"], *world.graph["actions"]}


# -- fields


def _values(world: World, values: list[Any]) -> str | None:
    for component, kind in enumerate(world.kinds):
        fields = world.graph["kinds"][kind]["fields"] if kind != "#track" else {"space": {"type": _spaces(world, component)}}
        for name, field in fields.items():
            if not fits(world, values[world.base[component] + world.slots[kind][name]], field["type"]):
                return f"'{name}' of '{world.definitions[component]}' has a value that it cannot have"
    return None


def _spaces(world: World, track: int) -> dict[str, Any]:
    return {"how": "number", "low": 1, "high": len(world.graph["tracks"][world.definitions[track]]["spaces"])}


def fits(world: World, value: Any, of: dict[str, Any]) -> bool:
    """Whether a value could be of a type; every type may be without one."""
    how = of["how"]
    if value is None:
        return how not in ("flag", "number", "text", "set", "list") or bool(of.get("optional"))
    if how in ("set", "list"):
        return type(value) is list and all(fits(world, each, of.get("of") or {"how": "any"}) for each in value)
    if how == "number":
        low, high = of.get("low"), of.get("high")
        return _whole(world, value) and (low is None or low <= value <= high)
    if how == "words":
        return type(value) in (str, int) and value in of["words"]
    if how == "kind":
        return _component(world, value) and (of["name"] in world.by_noun.get("place", ()) or value in world.noun_set(of["name"]))
    return {"flag": type(value) is bool, "text": type(value) is str, "place": _place(world, value)}.get(how, True)


# -- frames


def _whole(world: World, value: Any) -> bool:
    return type(value) is int and abs(value) < LIMIT


def _component(world: World, value: Any) -> bool:
    return type(value) is int and 0 <= value < world.place_count


def _place(world: World, value: Any) -> bool:
    return _component(world, value) and world.is_place(value)


def _player(world: World, value: Any) -> bool:
    return type(value) is int and 0 <= value < world.players


def _node(world: World, value: Any) -> bool:
    return value is None or (type(value) is str and value in world.graph["nodes"])


def _node_of(op: str) -> Test:
    return lambda world, value: type(value) is str and world.graph["nodes"].get(value, {}).get("op") == op


def _of(*types: type) -> Test:
    return lambda world, value: type(value) in types


def _maybe(test: Test) -> Test:
    return lambda world, value: value is None or test(world, value)


def _list_of(test: Test) -> Test:
    return lambda world, value: type(value) is list and all(test(world, each) for each in value)


def _action(world: World, value: Any) -> bool:
    return type(value) is str and value in world.graph["actions"]


def _gathered(world: World, value: Any) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is str and hook_of(value[0]) in world.graph["hooks"] and type(value[1]) is dict


def _mixed(world: World, value: Any) -> bool:
    return type(value) is list and all(type(each) is int and 0 <= each < world.count for each in value)


def _weighted(world: World, value: Any) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) in (str, int) and type(value[1]) is int and value[1] > 0


def _plan(world: World, value: Any) -> bool:
    return type(value) is list and len(value) == 2 and _action(world, value[0]) and _whole(world, value[1])


def _todo(world: World, value: Any) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is str and value[0] in world.graph["costs"] and type(value[1]) is dict


def _event(world: World, value: Any) -> bool:
    return type(value) is str and (value in world.graph["effects"] or value in world.graph["actions"] or value == "action")


def _test(world: World, value: Any) -> bool:
    return value is None or any(value == node["until"] for node in world.graph["nodes"].values() if node["op"] == "repeat")


WORD, WORDS, FLAG, DATA = _of(str), _list_of(_of(str)), _of(bool), _of(dict)
SHAPES: dict[str, dict[str, Test]] = {
    "root": {"stage": _whole},
    "unit": {"unit": WORD, "node": _node, "vars": DATA},
    "block": {"node": _node},
    "each": {"name": WORD, "body": _node, "items": _of(list), "ties": _list_of(_whole), "chooser": _maybe(_player), "outer": _of(list)},
    "repeat": {"until": _test, "body": _node, "left": _maybe(_whole)},
    "batch": {"gathered": _list_of(_gathered), "done": FLAG},
    "event": {
        "effect": _event, "of": _maybe(_component), "arguments": _of(list), "stage": lambda world, value: type(value) is str and value in STAGES,
        "through": WORDS, "queue": _of(list), "status": WORD, "version": _whole, "name": _maybe(WORD), "outcome": _maybe(WORD),
    },
    "choose": {
        "node": _node_of("choose"), "picked": _of(list), "waiting": _maybe(_list_of(_component)), "answers": _maybe(DATA), "plan": _maybe(_plan),
    },
    "offer": {"node": _node_of("offer"), "who": _component, "player": _player},
    "chance": {"what": WORD, "options": _list_of(_weighted)},
    "action": {"unit": WORD, "action": _action, "stage": _whole, "vars": DATA},
    "costs": {"todo": _list_of(_todo)},
}  # fmt: skip


def _frames(world: World, state: State) -> str | None:
    if not state.ended and (not state.frames or state.frames[0]["f"] != "root"):
        return "nothing is going on in it"
    for frame in state.frames:
        for name, test in SHAPES[frame["f"]].items():
            if name not in frame or not test(world, frame[name]):
                return f"what is going on in it ({frame['f']}) has a wrong '{name}'"
    for installed in state.installed:
        if installed["hook"] not in world.graph["hooks"]:
            return f"a hook '{installed['hook']}' holds that the rules do not have"
    return None


# -- the log

ENTRIES: dict[str, dict[str, Test]] = {
    "move": {"component": _component, "before": _place, "to": _place, "seen": _whole, "told": _whole},
    "set": {"component": _component, "field": WORD, "before": lambda world, value: True, "value": lambda world, value: True, "seen": _whole},
    "choice": {"player": _player, "option": WORD, "label": WORD, "prompt": _maybe(WORD), "seen": _whole, "public": FLAG, "silent": FLAG},
    "show": {"components": _list_of(_component), "seen": _whole},
    "message": {"text": WORD, "seen": _whole},
    "roll": {"die": WORD, "face": _of(str, int)},
    "shuffle": {"place": _place, "told": _whole},
    "outcome": {"player": _player, "outcome": WORD},
    "end": {},
}


def check_log(world: World, log: list[dict[str, Any]]) -> str | None:
    """What is wrong with a log."""
    for number, entry in enumerate(log, start=1):
        shape = ENTRIES.get(entry["kind"])
        if shape is None or any(name not in entry or not test(world, entry[name]) for name, test in shape.items()):
            return f"entry {number} of its log is none"
        if entry["kind"] == "set" and world.kinds[min(entry["component"], world.count - 1)] in world.graph["kinds"]:
            declared = world.graph["kinds"][world.kinds[min(entry["component"], world.count - 1)]]["fields"].get(entry["field"])
            if declared is None or not (fits(world, entry["before"], declared["type"]) and fits(world, entry["value"], declared["type"])):
                return f"entry {number} of its log is none"
        if not _maybe(_component)(world, entry.get("by")) or not _maybe(WORD)(world, entry["phase"]):
            return f"entry {number} of its log is caused by nothing"
    return None
