"""Renaming: another component wherever a state speaks of one, apart from where it lies.

Every name of a unit has a sort, fields have types, and hooks that hold for a time say what they keep, so it is known where components are spoken of. Whose own text
is being carried out, or whose hooks and actions the state remembers, stays what it is (`acting`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.core import program as c
from rulewright.game.references import live
from rulewright.step.link import Linked
from rulewright.step.machine import OVER, Machine
from rulewright.step.state import Frame, Held, Value

COMPONENTS = ("kind", "any")
ACTING = ("self", "actor", "it", "of", "#who", "#actor")  # whose text is being carried out: known to everybody
ENCODED = {"key": 2, "deed": 1}  # sorts of numbers that a component is part of, and by how much it is moved there


def acting(machine: Machine) -> set[int]:
    """The components whose own text is being carried out, or whose own hooks and actions the state remembers."""
    state, linked, found = machine.state, machine.linked, set[Any]()
    for frame in state.frames:
        found.add(frame.cause[1])
        for local, value in _alive(linked, frame):
            if local.name in ACTING or local.sort in ENCODED:
                found.update(_components(linked, value, local.sort))
    for held in state.held:
        for local, value in _kept(linked, held.hook, held.kept):
            found.update(_components(linked, value, "kind") if local.name in ACTING else ())
    for batch in state.batches:
        for deferred in batch if batch[:1] != (OVER,) else batch[1:]:
            found.update(_components(linked, deferred[1], "key"))
            found.add(deferred[4])
    found.update(of for _, of in state.used)
    return {each for each in found if type(each) is int and 0 <= each < machine.world.count}


def _alive(linked: Linked, frame: Frame) -> Iterator[tuple[c.Local, Value]]:
    """The names of a frame that it was given, or that something reads which is still to come."""
    unit, alive = linked.program.units[linked.unit_at[frame.at]], live(linked, frame.at)
    for slot, local in enumerate(unit.locals):
        if slot < unit.parameters or slot in alive:
            yield local, frame.names[slot]


def _components(linked: Linked, value: Value, sort: str) -> Iterator[int]:
    if type(value) is tuple:
        for each in value:
            yield from _components(linked, each, sort)
    elif value is not None and value >= 0:
        yield value % linked.stride - ENCODED[sort] if sort in ENCODED else value


def _kept(linked: Linked, hook: str, values: tuple[Value, ...]) -> Iterator[tuple[c.Local, Value]]:
    declared = linked.program.hooks[hook]
    yield from ((declared.locals[slot], value) for slot, value in zip(declared.kept, values, strict=True))


# -- renaming


def rename(machine: Machine, instead: Mapping[int, int]) -> None:
    """Let a state speak of other components."""
    state, linked = machine.state, machine.linked
    for frame in state.frames:
        for slot, local in enumerate(linked.program.units[linked.unit_at[frame.at]].locals):
            if local.sort in COMPONENTS:
                frame.names[slot] = renamed(frame.names[slot], instead)
    held = []
    for each in state.held:
        held.append(Held(each.hook, each.number, _sorted(_kept(linked, each.hook, each.kept), instead), each.until))
    state.held = tuple(held)
    state.batches = tuple([tuple([each if each == OVER else _deferred(linked, each, instead) for each in batch]) for batch in state.batches])
    state.loose = tuple([tuple([instead.get(each, each) for each in group]) for group in state.loose])
    _fields(machine, instead)


def renamed(value: Value, instead: Mapping[int, int]) -> Value:
    """A value that speaks of other components."""
    if type(value) is tuple:
        return tuple([renamed(each, instead) for each in value])
    return instead.get(value, value)


def _sorted(pairs: Iterator[tuple[c.Local, Value]], instead: Mapping[int, int]) -> tuple[Value, ...]:
    return tuple([renamed(value, instead) if local.sort in COMPONENTS else value for local, value in pairs])


def _deferred(linked: Linked, deferred: tuple[Any, ...], instead: Mapping[int, int]) -> tuple[Any, ...]:
    """A hook that was put off, with what it will be told."""
    name, key, kept, given, it, result = deferred
    hook = linked.program.hooks[name]
    told = list(given)
    for number, slot in enumerate(hook.arguments[: len(told)]):
        if hook.locals[slot].sort in COMPONENTS:
            told[number] = renamed(told[number], instead)
    if hook.result is not None and hook.locals[hook.result].sort in COMPONENTS:
        result = renamed(result, instead)
    return name, key, _sorted(_kept(linked, name, kept), instead) if kept else kept, tuple(told), it, result


def _fields(machine: Machine, instead: Mapping[int, int]) -> None:
    world, values = machine.world, machine.state.values
    for component, kind in enumerate(world.kinds):
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if (field["type"].get("of") or field["type"])["how"] in COMPONENTS:
                slot = world.base[component] + world.slots[kind][name]
                values[slot] = renamed(values[slot], instead)
