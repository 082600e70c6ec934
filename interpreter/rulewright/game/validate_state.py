"""Validation of a state that came from outside: whether it could be one of a program and a world.

Takes a state as decoded from a save; gives a sentence about the first thing that cannot be, or None. Tables must have their sizes, every component lies in
exactly one place, fields and local names hold what their types allow, and every frame is inside of the call that the one below stands at.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from rulewright.core import program as c
from rulewright.core.world import World
from rulewright.game.references import live
from rulewright.step.link import Linked
from rulewright.step.machine import OVER
from rulewright.step.state import Frame, State, Value

Test = Callable[[World, Any], bool]
LIMIT = 10**13


def check_state(linked: Linked, state: State) -> str | None:
    """What is wrong with a state."""
    world = linked.world
    sizes: list[tuple[Any, int]] = [
        (state.where, world.count), (state.known, world.count), (state.members, world.place_count), (state.values, len(world.start_values)),
        (state.outcomes, world.players),
    ]  # fmt: skip
    if any(len(found) != wanted for found, wanted in sizes):
        return "its tables have other sizes than those of the ruleset"
    placed = [(component, place) for place, members in enumerate(state.members) for component in members]
    if sorted(placed) != list(enumerate(state.where)) or not all(_place(world, place) for place in state.where):
        return "some component is not in exactly one place"
    if any(known >> world.players + 1 for known in state.known):
        return "somebody is shown something who does not play"
    if not (0 <= state.version <= c.GREATEST and 0 <= state.installs <= c.GREATEST and 0 <= state.random < 1 << 64):
        return "its counters are none"
    if not all(0 <= each < world.count for group in state.loose for each in group) or not all(_used(linked, *each) for each in state.used):
        return "it speaks of something that the rules do not have"
    return _values(linked, state.values) or _held(linked, state) or _frames(linked, state)


# -- fields


def _values(linked: Linked, values: list[Value]) -> str | None:
    world = linked.world
    for component, kind in enumerate(world.kinds):
        for name, slot in world.slots[kind].items():
            of = _type(world, component, name)
            if of is not None and not fits(linked, values[world.base[component] + slot], of):
                return f"'{name}' of '{world.definitions[component]}' has a value that it cannot have"
    return None


def _type(world: World, component: int, field: str) -> dict[str, Any] | None:
    """The type of a field of a component; None if it has no such field."""
    kind = world.kinds[component]
    if kind == "#track":
        return _spaces(world, component) if field == "space" else None
    declared = world.graph["kinds"][kind]["fields"].get(field)
    found: dict[str, Any] | None = None if declared is None else declared["type"]
    return found


def _spaces(world: World, track: int) -> dict[str, Any]:
    return {"how": "number", "low": 1, "high": len(world.graph["tracks"][world.definitions[track]]["spaces"])}


def fits(linked: Linked, value: Value, of: dict[str, Any]) -> bool:
    """Whether a value could be of a type; every type may be without one."""
    how, world = of["how"], linked.world
    if value is None:
        return how not in ("flag", "number", "text", "set", "list") or bool(of.get("optional"))
    if how in ("set", "list"):
        return type(value) is tuple and all(fits(linked, each, of.get("of") or {"how": "any"}) for each in value)
    if type(value) is not int:
        return how not in ("number", "words", "kind", "flag", "text", "place")
    if how == "number":
        low, high = of.get("low", -c.GREATEST), of.get("high", c.GREATEST)
        return bool((-c.GREATEST if low is None else low) <= value <= (c.GREATEST if high is None else high))
    if how == "words":
        return value in map(linked.encoded, of["words"])
    if how == "kind":
        return _component(world, value) and (of["name"] in world.by_noun.get("place", ()) or value in world.noun_set(of["name"]))
    return {"flag": value in (0, 1), "text": value >= c.WORDS, "place": _place(world, value)}.get(how, True)


# -- frames and hooks


def _frames(linked: Linked, state: State) -> str | None:
    if state.ended:
        return None
    if not state.frames or linked.unit_at[state.frames[0].at] != linked.program.root:
        return "nothing is going on in it"
    for number, frame in enumerate(state.frames):
        unit = linked.program.units[linked.unit_at[frame.at]]
        if len(frame.names) != len(unit.locals):
            return f"what is going on in it ({unit.name}) has other names"
        wrong = next((local.name for local, value in zip(unit.locals, frame.names, strict=True) if not _holds(linked.world, local, value)), None)
        if wrong is not None:
            return f"what is going on in it ({unit.name}) has a wrong '{wrong}'"
        if not _loops(linked, frame):
            return f"what is going on in it ({unit.name}) goes through a list that is none"
        if number and not _calls(linked, state.frames[number - 1], unit.name):
            return f"what is going on in it ({unit.name}) was called by nothing"
    return None


def _holds(world: World, local: c.Local, value: Value, least: int = -1) -> bool:
    """Whether a name could hold a value. By itself, but in no list, -1 stands for what comes before all components."""
    if value is None:
        return True
    if type(value) is tuple:
        inside = c.Local(local.name, "list" if local.shape == "lists" else "one", local.sort)
        return local.shape != "one" and all(_holds(world, inside, each, 0) for each in value)
    if type(value) is not int or local.shape != "one":
        return False
    return least <= value < world.place_count if local.sort in ("kind", "place") else _whole(world, value)


def _loops(linked: Linked, frame: Frame) -> bool:
    """Whether every loop that a frame is inside of has a list, and a number of items that were taken from it."""
    loops = [node for at in linked.addresses[linked.unit_at[frame.at]] if isinstance(node := linked.code[at], c.Next)]
    read_later = live(linked, frame.at) if loops else frozenset()
    lists, cursors = {loop.list for loop in loops} & read_later, {loop.cursor for loop in loops} & read_later
    taken = [frame.names[slot] for slot in cursors]
    return all(type(frame.names[slot]) is tuple for slot in lists) and all(type(number) is int and number >= 0 for number in taken)


def _calls(linked: Linked, frame: Frame, unit: str) -> bool:
    """Whether a frame stands behind, or at, something that may have called a unit."""
    code = linked.code
    for node in (code[at] for at in linked.addresses[linked.unit_at[frame.at]]):
        if not isinstance(node, c.Call | c.CallHook | c.RunDeferred | c.Proceed):
            continue
        behind = linked.starts[node.then] == frame.at
        if isinstance(node, c.Call) and behind and node.unit == unit:
            return True
        if isinstance(node, c.Proceed) and behind and unit.startswith("event "):
            return True
        if isinstance(node, c.CallHook | c.RunDeferred) and unit.startswith("hook ") and (behind or code[frame.at] is node):
            return True
    return False


def _held(linked: Linked, state: State) -> str | None:
    """What is wrong with the hooks that hold for a time, and with those that are put off."""
    if not state.held and not state.batches:
        return None
    hooks = linked.program.hooks
    expiring = {node.event for node in linked.code if isinstance(node, c.Expire)}
    if not all(one < other for one, other in pairwise((0, *(held.number for held in state.held), state.installs + 1))):
        return "hooks hold that were not installed one after another"
    for held in state.held:
        if held.hook not in hooks or held.until not in expiring or not _kept(linked, hooks[held.hook], held.kept):
            return f"a hook '{held.hook}' holds that the rules do not have"
    for deferred in (each for batch in state.batches for each in batch if each != OVER):
        if deferred[0] not in hooks or not _put_off(linked, *deferred):
            return f"a hook '{deferred[0]}' is put off that the rules do not have"
    return None


def _kept(linked: Linked, hook: c.Hook, kept: tuple[Value, ...]) -> bool:
    """Whether a hook could have kept some values: a component and what its field is put back to, or one for each name that it speaks of."""
    if len(kept) != len(hook.kept) or not all(_holds(linked.world, hook.locals[slot], value) for slot, value in zip(hook.kept, kept, strict=True)):
        return False
    if hook.restores is None or kept[0] is None:
        return True
    component, value = kept
    of = _type(linked.world, component, hook.restores) if _lying(linked.world, component) else None
    return of is not None and fits(linked, value, of)


def _put_off(linked: Linked, name: str, key: Any, kept: Any, given: Any, it: Any, result: Any) -> bool:
    """Whether a hook could be waiting for the end of a batch: it, or its number if it was installed, with what it is to be given."""
    hook, world = linked.program.hooks[name], linked.world
    if type(key) is not int or type(kept) is not tuple or type(given) is not tuple or not _kept(linked, hook, kept):
        return False
    if key == 0 or (key > 0 and ((key - 1) // linked.stride != linked.hook_numbers[name] or (key - 1) % linked.stride > world.count)):
        return False
    told = [*zip(hook.arguments, given, strict=False), (hook.it, it), (hook.result, result)]
    return all(slot is None or _holds(world, hook.locals[slot], value) for slot, value in told)


def _used(linked: Linked, unit: str, of: int | None) -> bool:
    known = unit.removeprefix("action ") in linked.world.graph["actions"] if unit.startswith("action ") else unit in linked.world.graph["hooks"]
    return known and (of is None or of < linked.world.count)


# -- the log


def _whole(world: World, value: Any) -> bool:
    return type(value) is int and abs(value) < LIMIT


def _component(world: World, value: Any) -> bool:
    return type(value) is int and 0 <= value < world.place_count


def _lying(world: World, value: Any) -> bool:
    return type(value) is int and 0 <= value < world.count


def _place(world: World, value: Any) -> bool:
    return _component(world, value) and world.is_place(value)


def _player(world: World, value: Any) -> bool:
    return type(value) is int and 0 <= value < world.players


def _of(*types: type) -> Test:
    return lambda world, value: type(value) in types


def _maybe(test: Test) -> Test:
    return lambda world, value: value is None or test(world, value)


def _components(world: World, value: Any) -> bool:
    return type(value) is list and all(_lying(world, each) for each in value)


WORD, FLAG = _of(str), _of(bool)
ENTRIES: dict[str, dict[str, Test]] = {
    "move": {"component": _lying, "before": _place, "to": _place, "seen": _whole, "told": _whole},
    "set": {"component": _lying, "field": WORD, "before": lambda world, value: True, "value": lambda world, value: True, "seen": _whole},
    "choice": {"player": _player, "option": WORD, "label": WORD, "prompt": _maybe(WORD), "seen": _whole, "public": FLAG, "silent": FLAG},
    "show": {"components": _components, "seen": _whole},
    "message": {"text": WORD, "seen": _whole},
    "roll": {"die": WORD, "face": _of(str, int)},
    "shuffle": {"place": _place, "told": _whole},
    "outcome": {"player": _player, "outcome": WORD},
    "end": {},
}


def check_log(world: World, log: list[dict[str, Any]]) -> str | None:
    """What is wrong with a log, as a save has it."""
    for number, entry in enumerate(log, start=1):
        shape = ENTRIES.get(entry.get("kind", ""))
        if shape is None or any(name not in entry or not test(world, entry[name]) for name, test in shape.items()):
            return f"entry {number} of its log is none"
        if entry["kind"] == "set" and not _field(world, entry):
            return f"entry {number} of its log is none"
        caused = {"cause": WORD, "by": _maybe(_component), "depth": _whole, "phase": _maybe(WORD)}
        if any(name not in entry or not test(world, entry[name]) for name, test in caused.items()):
            return f"entry {number} of its log is caused by nothing"
        if "components" in entry and not _components(world, entry["components"]):
            return f"entry {number} of its log is none"
    return None


def _field(world: World, entry: dict[str, Any]) -> bool:
    """Whether there is such a field, with values that could be told."""
    component, field = entry["component"], entry["field"]
    if field not in world.slots[world.kinds[component]]:
        return False
    of = world.graph["kinds"].get(world.kinds[component], {"fields": {}})["fields"].get(field, {"type": {"how": "number"}})["type"]
    most = c.WORDS if (of.get("of") or of)["how"] in ("number", "flag") else world.place_count
    values = [value for key in ("before", "value") for value in (entry[key] if type(entry[key]) is list else [entry[key]])]
    return all(_told(world, value) and (type(value) is not int or value < most) for value in values)


def _told(world: World, value: Any) -> bool:
    """Whether a value of a log can be told, whatever its type is."""
    return value is None or type(value) in (str, bool) or (_whole(world, value) and abs(value) < c.WORDS)
