"""References: of which components a state still speaks, apart from where they lie.

A frame speaks of what its names hold, as far as something that is still to come reads them (live variables, in the words of compilers); hooks that hold for a
time and fields of a component's kind speak of what they keep.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from rulewright.core import program as c
from rulewright.core.liveness import Liveness, slots
from rulewright.step.link import Linked
from rulewright.step.machine import OVER, Machine
from rulewright.step.state import Value

COMPONENTS = ("kind", "any", "none")  # sorts of names that may hold components


def spoken_of(machine: Machine) -> set[int]:
    """The components of which a state speaks, or in which something lies."""
    state, world = machine.state, machine.world
    found = set(_frames(machine)) | set(_kept(machine)) | set(_fields(machine))
    return {each for each in found if 0 <= each < world.count} | {
        each for each in world.hollow if any(state.members[place] for place in world.places_of[each])
    }


def _frames(machine: Machine) -> Iterator[int]:
    linked = machine.linked
    for frame in machine.state.frames:
        unit = linked.program.units[linked.unit_at[frame.at]]
        alive = live(linked, frame.at)
        for slot, local in enumerate(unit.locals):
            if slot in alive:
                yield from _components(linked, frame.names[slot], local.sort)


def _kept(machine: Machine) -> Iterator[int]:
    """What hooks speak of: those that hold for a time, those put off until a batch is over, and those that have been used up."""
    linked, state = machine.linked, machine.state
    for held in state.held:
        yield from _given(linked, held.hook, held.kept)
    for hook, key, kept, given, it, result in (deferred for batch in state.batches for deferred in batch if deferred != OVER):
        yield from _components(linked, key, "key")
        yield from _given(linked, hook, kept, given, it, result)
    for _, used in state.used:
        yield from () if used is None else (used,)


def _given(
    linked: Linked, name: str, kept: tuple[Value, ...], given: tuple[Value, ...] = (), it: Value = None, result: Value = None
) -> Iterator[int]:
    """What a hook was given speaks of."""
    hook = linked.program.hooks[name]
    taken: list[int | None] = [*hook.kept, *hook.arguments[: len(given)], hook.it, hook.result]
    for slot, value in zip(taken, [*kept, *given[: len(hook.arguments)], it, result], strict=False):
        if slot is not None and slot < len(hook.locals):
            yield from _components(linked, value, hook.locals[slot].sort)


def _fields(machine: Machine) -> Iterator[int]:
    world, values = machine.world, machine.state.values
    for component, kind in enumerate(world.kinds):
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if (field["type"].get("of") or field["type"])["how"] in ("kind", "any"):
                yield from _components(machine.linked, values[world.base[component] + world.slots[kind][name]], "kind")


def _components(linked: Linked, value: Value, sort: str) -> Iterator[int]:
    """The components that a value stands for."""
    if type(value) is tuple:
        for each in value:
            yield from _components(linked, each, sort)
    elif value is not None and sort in COMPONENTS:
        yield value
    elif value is not None and 0 <= value < c.WORDS and sort in ("key", "deed"):
        yield value % linked.stride - (2 if sort == "key" else 1)


# -- live variables


def live(linked: Linked, at: int) -> frozenset[int]:
    """The slots that something reads which may come after an address, the instruction there included."""
    if linked.liveness is None or linked.liveness_of < len(linked.starts):
        linked.liveness, linked.liveness_of = Liveness(linked.program), len(linked.starts)
    label = bisect_right(linked.starts, at) - 1
    return frozenset(slots(linked.liveness.before(label, at - linked.starts[label])))
