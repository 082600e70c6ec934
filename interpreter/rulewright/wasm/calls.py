"""Calls: frames that begin and end. Units, hooks (those that hold for a time and those put off until a batch is over), events gone on with, returns.

Each function is given the compiler of the unit, the address and the node. Installed hooks cannot be put off here, nor what is given lists: that stops the module.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.liveness import slots
from rulewright.wasm.assemble import Code
from rulewright.wasm.hooks import hook_values
from rulewright.wasm.layout import DONE, ELSEWHERE, NAMES, NONE
from rulewright.wasm.opcodes import EQ, EQZ, LT, REM, RETURN, SELECT, SUB
from rulewright.wasm.writer import Writer

if TYPE_CHECKING:
    from rulewright.wasm.compile import Compilation
    from rulewright.wasm.units import Unit


def push(w: Writer, unit: str, values: list[Callable[[], None]]) -> int:
    """Lay the frame of a unit on top of the one at hand, with the values that functions leave on the stack; gives the local that holds it."""
    code, declared = w.code, w.to.program.units[unit]
    locals_ = []
    for value in values:
        local = code.local()
        value()
        code.set(local)
        locals_.append(local)
    own = w.linked.own[unit]
    code.const(w.layout.unit_numbers[unit])
    code.const(w.to.frame_size(unit))
    code.const(-1 if declared.cause is None else w.layout.cause_numbers[declared.cause])
    code.const(int(declared.phase))
    if own is not None and own < len(values):
        code.get(locals_[own])
    else:
        code.const(NONE)
    code.get(0)
    w.runtime("push")
    frame = code.local()
    code.set(frame)
    for number, local in enumerate(locals_):
        code.get(frame, local)
        code.store(NAMES + 4 * number)
    blank(w, unit, frame, len(values))
    code.release(*locals_)
    return frame


def blank(w: Writer, unit: str, frame: int, given: int) -> None:
    """The names that a unit could read before it gives them a value hold nothing."""
    declared = w.to.program.units[unit]
    for slot in slots(w.to.live.entering(unit)[declared.entry]):
        if slot >= given:
            w.code.get(frame)
            w.code.const(NONE)
            w.code.store(NAMES + 4 * slot)


def begin(u: Unit, unit: str, values: list[Callable[[], None]], point: int) -> None:
    """Carry out a unit, with the values that functions leave on the stack, then go on at a point."""
    u.rest(point)
    frame = push(u.w, unit, values)
    u.code.release(frame)
    u.enter(frame, point, unit)


def call(u: Unit, at: int, node: c.Call) -> None:
    begin(u, node.unit, [functools.partial(u.w.value, argument) for argument in node.arguments], u.points[node.then])


def defer(u: Unit, at: int, node: c.Defer) -> None:
    """Put a hook off until the batch is over: which hook, for what, with what it is given."""
    w, code = u.w, u.code
    if node.hook is None:  # those that were installed keep more than numbers
        code.block()
        w.each(node.key, lambda each: code.trap())
        code.end()
        return
    given = [*node.arguments, node.it, node.result]
    if any(w.shape(each) != "one" for each in given):
        code.trap()
        return
    made, number = w.start(), u.linked.hook_numbers[node.hook]

    def put_off(key: int) -> None:
        record = w.start()
        code.const(number)
        w.drop("item")
        code.get(key)
        w.drop("item")
        for each in given:
            w.value(each)
            w.drop("item")
        w.collect(record)
        w.drop("item")

    w.each(node.key, put_off)
    w.collect(made)
    w.drop("gather")


def run_deferred(u: Unit, at: int, node: c.RunDeferred) -> None:
    """The hooks of the innermost batch, one after another."""
    w, code = u.w, u.code
    record = code.local()
    u.rest(u.ask_points[at])
    u.count(u.passed)
    u.passed = 0
    again = code.loop()
    u.count(1)
    w.runtime("next_deferred")
    code.tee(record)
    code.op(EQZ)
    code.if_()
    u.go(node.then)
    code.end()
    code.get(0, record)
    w.runtime("begin_deferred")
    code.tee(record)
    code.op(EQZ)
    code.br_if(again)
    u.enter(record, u.ask_points[at])
    code.end()
    code.trap()
    code.release(record)


def begin_deferred(to: Compilation) -> Code:
    """The function that begins a hook which was put off, if it applies: given the frame below it and what was put off, it gives the frame of the hook, or 0."""
    code = Code(2)
    w, record = Writer(to, [], None, code), 1
    for name in to.facts.deferred:
        hook = to.program.hooks[name]
        assert hook.applies is not None
        code.get(record)
        code.load(4)
        code.const(to.linked.hook_numbers[name], EQ)
        code.if_()
        for value in deferred_values(w, name, record, to.program.functions[hook.applies].parameters):
            value()
        code.call(to.function(hook.applies))
        code.const(1, EQ)
        code.if_()
        if hook.once:
            code.const(to.once_number(name))
            bearer(w, record)
            w.drop("use")
        if hook.unit is not None:
            frame = push(w, hook.unit, deferred_values(w, name, record, to.program.units[hook.unit].parameters))
            code.get(frame)
            code.op(RETURN)
            code.release(frame)
        code.end()
        code.const(0, RETURN)
        code.end()
    code.trap()
    return code


def bearer(w: Writer, record: int) -> None:
    """Leave the component that a hook which was put off is written on."""
    code, local = w.code, w.code.local()
    code.get(record)
    code.load(8)
    code.const(w.linked.stride, REM)
    code.const(2, SUB)
    code.set(local)
    code.const(NONE)
    code.get(local, local)
    code.const(0, LT, SELECT)
    code.release(local)


def deferred_values(w: Writer, name: str, record: int, count: int) -> list[Callable[[], None]]:
    """What leaves the values of the parameters of a hook that was put off on the stack."""
    code, hook = w.code, w.to.program.hooks[name]
    found: list[Callable[[], None]] = [lambda: code.const(NONE)] * count
    width = len(w.facts.event_arguments[name])

    def loaded(number: int) -> Callable[[], None]:
        def load() -> None:
            code.get(record)
            code.load(12 + 4 * number)

        return load

    if hook.bearer is not None:
        found[hook.bearer] = loaded(0) if hook.event.endswith(".runs_out") and width else lambda: bearer(w, record)
    if hook.it is not None:
        found[hook.it] = loaded(width)
    if hook.result is not None:
        found[hook.result] = loaded(width + 1)
    for number, slot in enumerate(hook.arguments):
        found[slot] = loaded(number)
    return found


def call_hook(u: Unit, at: int, node: c.CallHook) -> None:
    """Carry out whichever hook it is that holds."""
    w, code = u.w, u.code
    record, key = code.local(), code.local()
    w.value(node.key)
    code.tee(key)
    w.runtime("held_at")
    code.set(record)
    for number, value in enumerate((NONE, u.linked.word("done"), NONE)):
        code.const(0)
        code.const(value)
        code.store(u.at["GIVEN"] + 4 * number)
    code.get(record)
    code.if_()
    for name, hook in u.to.program.hooks.items():
        if name not in u.to.facts.installed or hook.restores is not None or len(hook.arguments) > len(node.arguments):
            continue
        if hook.timing == "change" or hook.timing.startswith("cost"):
            continue
        code.get(record)
        code.load(0)
        code.const(u.linked.hook_numbers[name], EQ)
        code.if_()
        if hook.once:
            code.const(u.to.once_number(name))
            code.get(key)
            w.drop("use")
        if hook.unit is not None:
            count = u.to.program.units[hook.unit].parameters
            begin(u, hook.unit, hook_values(w, hook, record, node.arguments, node.it, node.result, count), u.points[node.then])
        else:
            u.go(node.then)
        code.end()
    code.trap()
    code.end()
    code.release(record, key)
    u.go(node.then)


def proceed(u: Unit, at: int, node: c.Proceed) -> None:
    """The event below once more, with some of its arguments changed: its frame is copied."""
    w, code = u.w, u.code
    event, unit, frame = code.local(), code.local(), code.local()
    u.rest(u.points[node.then])
    code.get(0)
    code.load(8)
    code.tee(event)
    code.load(4)
    code.set(unit)
    names = [name for name, each in u.to.program.units.items() if each.arguments or name.startswith("event ")]
    changed = []
    for _, value in node.changes:
        local = code.local()
        w.value(value)
        code.set(local)
        changed.append(local)
    candidates = [name for name in names if all(number < len(u.to.program.units[name].arguments) for number, _ in node.changes)]
    for name in candidates:
        declared = u.to.program.units[name]
        code.get(unit)
        code.const(u.layout.unit_numbers[name], EQ)
        code.if_()
        code.get(unit)
        code.const(u.to.frame_size(name))
        code.const(-1)
        code.const(0)
        code.const(NONE)
        code.get(0)
        w.runtime("push")
        code.set(frame)
        for slot in range(declared.parameters):
            code.get(frame, event)
            code.load(NAMES + 4 * slot)
            code.store(NAMES + 4 * slot)
        for (number, _), local in zip(node.changes, changed, strict=True):
            code.get(frame, local)
            code.store(NAMES + 4 * declared.arguments[number])
        blank(w, name, frame, declared.parameters)
        u.leave(ELSEWHERE)
        code.end()
    code.trap()
    code.release(event, unit, frame, *changed)


def return_(u: Unit, at: int, node: c.Return) -> None:
    w, code = u.w, u.code
    defaults = (NONE, u.linked.word("done"), NONE)
    for number, part in enumerate((node.value, node.status, node.cancelled)):
        code.const(0)
        if part is None:
            code.const(defaults[number])
        else:
            w.value(part)
        code.store(u.at["GIVEN"] + 4 * number)
    code.get(0)
    w.drop("pop")
    u.leave(DONE)


def batch(u: Unit, at: int, node: c.Batch) -> None:
    u.w.drop("begin_batch")


CALLS: dict[type, Callable[[Unit, int, Any], None]] = {
    c.Call: call, c.CallHook: call_hook, c.Batch: batch, c.Defer: defer, c.RunDeferred: run_deferred, c.Proceed: proceed, c.Return: return_,
}  # fmt: skip
