"""References: of which components a state still speaks, apart from where they lie.

A frame speaks of what its names hold, as far as something that is still to come reads them (live variables, in the words of compilers); hooks that hold for a
time and fields of a component's kind speak of what they keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.step.link import Linked
from rulewright.step.machine import OVER, Machine
from rulewright.step.state import Value

COMPONENTS = ("kind", "any", "none")  # sorts of names that may hold components
BINDING = (c.Query, c.Map, c.Bind, c.Fold, c.Measure, c.Through, c.Selection)  # expressions that give a slot values of their own
ACTING = ("self", "actor")  # whose text is being carried out: other frames ask for it


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
            if slot in alive or (slot < unit.parameters and (unit.arguments or local.name in ACTING)):
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
    slots: list[int | None] = [*hook.kept, *hook.arguments[: len(given)], hook.it, hook.result]
    for slot, value in zip(slots, [*kept, *given[: len(hook.arguments)], it, result], strict=False):
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
    if linked.liveness is None or len(linked.liveness) < len(linked.code):
        linked.liveness = _liveness(linked)
    return linked.liveness[at]


def _liveness(linked: Linked) -> list[frozenset[int]]:
    """For every address, what is live before it: the usual backward data flow, until nothing changes."""
    code, questions = linked.code, linked.program.questions
    reads = [frozenset(_read(node, questions)) for node in code]
    writes = [frozenset(_written(node)) for node in code]
    leads = [_leads(linked, at, node) for at, node in enumerate(code)]
    before: dict[int, list[int]] = {}
    for at, targets in enumerate(leads):
        for target in targets:
            before.setdefault(target, []).append(at)
    found: list[frozenset[int]] = [frozenset()] * len(code)
    todo = list(range(len(code)))
    while todo:
        at = todo.pop()
        after = frozenset().union(*(found[target] for target in leads[at]))
        now = reads[at] | (after - writes[at])
        if now != found[at]:
            found[at] = now
            todo += before.get(at, ())
    return found


def _leads(linked: Linked, at: int, node: c.Instruction) -> list[int]:
    """The addresses of the same unit that may come next."""
    starts = linked.starts
    match node:
        case c.Jump():
            return [starts[node.to]]
        case c.Branch():
            return [starts[node.then], starts[node.otherwise]]
        case c.Dispatch() | c.Switch():
            return [starts[to] for to in (*node.cases.values(), node.otherwise)]
        case c.Next():
            return [starts[node.body], starts[node.after]]
        case c.Ask():
            return [starts[node.then], starts[node.otherwise]]
        case c.Call() | c.CallHook() | c.RunDeferred() | c.Proceed():
            return [starts[node.then]]
        case c.Return() | c.Fail() | c.EndGame() | c.Finish():
            return []
    return [at + 1]


def _read(node: c.Instruction, questions: list[c.Question]) -> Iterable[int]:
    """The slots that an instruction reads."""
    yield from _free(node)
    match node:
        case c.Next():
            yield from (node.list, node.cursor)
        case c.Settle():
            yield from (slot for slot in (node.slot, node.list, node.cursor) if slot is not None)
        case c.Ask():
            question = questions[node.question]
            yield from _free((question.prompt, question.labels))
            if question.picked is not None:
                yield question.picked


def _written(node: c.Instruction) -> Iterable[int]:
    """The slots that an instruction gives another value for certain."""
    match node:
        case c.Let() | c.Roll() | c.Pick() | c.Ask():
            yield node.slot
        case c.Result():
            yield from (slot for slot in (node.value, node.status, node.cancelled) if slot is not None)


def _free(node: Any) -> set[int]:
    """The slots whose values an expression reads and does not bind itself."""
    parts = list(_parts(node))
    bound = {each.slot for each in parts if isinstance(each, BINDING)} | {each.result for each in parts if isinstance(each, c.Fold)}
    return {each.slot for each in parts if isinstance(each, c.Name)} - bound


def _parts(node: Any) -> Iterator[Any]:
    """An instruction or expression, and all expressions in it."""
    if isinstance(node, msgspec.Struct):
        yield node
        for name in node.__struct_fields__:
            yield from _parts(getattr(node, name))
    elif isinstance(node, tuple | list):
        for each in node:
            yield from _parts(each)
    elif isinstance(node, dict):
        for each in node.values():
            yield from _parts(each)
