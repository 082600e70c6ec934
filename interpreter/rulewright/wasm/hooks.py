"""Keys, deeds and installed hooks: numbers that say a hook or an action together with a component, and the functions of hooks that hold for a time.

Functions are given the writer and a node and leave one number on the stack. A hook that was installed and cannot be asked here stops the module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32
from rulewright.wasm.layout import NONE
from rulewright.wasm.opcodes import ADD, DIV, EQ, EQZ, GE, LT, MUL, NE, REM, SELECT, SUB
from rulewright.wasm.writer import Body, Run, ValueWriter, Writer


def key(w: Writer, node: c.Key) -> None:
    code, base = w.code, w.linked.hook_numbers[node.hook] * w.linked.stride + 1
    if node.of == c.Const(None):
        code.const(base)
        return
    offset(w, base, node.of)


def offset(w: Writer, base: int, of: Any) -> None:
    """A number that says something and a component in one."""
    code, local = w.code, w.code.local()
    w.value(of)
    code.set(local)
    code.const(base)
    code.get(local)
    code.const(base + 1, ADD)
    code.get(local)
    code.const(NONE, EQ, SELECT)
    code.release(local)


def hook_of(w: Writer, node: c.HookOf) -> None:
    if isinstance(node.key, c.Key):
        w.code.const(w.linked.hook_numbers[node.key.hook])
        return
    divided(w, node.key, -1)


def divided(w: Writer, of: Any, negative: int | None) -> None:
    code, local = w.code, w.code.local()
    w.value(of)
    code.tee(local)
    code.const(0, LT)
    code.if_(I32)
    if negative is None:
        code.get(local)
    else:
        code.const(negative)
    code.else_()
    code.get(local)
    code.const(w.linked.stride, DIV)
    code.end()
    code.release(local)


def bearer_of(w: Writer, node: c.BearerOf) -> None:
    code, local = w.code, w.code.local()
    w.value(node.key)
    code.tee(local)
    code.const(0, LT)
    code.if_(I32)
    code.const(0)
    code.get(local)
    code.op(SUB)
    code.else_()
    code.get(local)
    code.const(w.linked.stride, REM)
    code.const(2, SUB)
    code.set(local)
    code.const(NONE)
    code.get(local, local)
    code.const(0, LT, SELECT)
    code.end()
    code.release(local)


def deed(w: Writer, node: c.Deed) -> None:
    base = w.linked.deed_numbers[node.action] * w.linked.stride
    if node.of == c.Const(None):
        w.code.const(base)
    else:
        offset(w, base, node.of)


def action_of(w: Writer, node: c.ActionOf) -> None:
    divided(w, node.deed, None)


def granter_of(w: Writer, node: c.GranterOf) -> None:
    code, local = w.code, w.code.local()
    w.value(node.deed)
    code.const(w.linked.stride, REM)
    code.set(local)
    code.const(NONE)
    code.get(local)
    code.const(1, SUB)
    code.get(local)
    code.op(EQZ, SELECT)
    code.release(local)


def apply_hook(w: Writer, node: c.ApplyHook) -> None:
    """The function of whichever hook it is that holds."""
    code, record, key = w.code, w.code.local(), w.code.local()
    w.value(node.key)
    code.tee(key)
    w.runtime("held_at")
    code.tee(record)
    code.op(EQZ)
    code.if_(I32)
    code.const(NONE)
    code.else_()
    candidates = [name for name, hook in w.facts.program.hooks.items() if name in w.facts.installed]
    candidates = [name for name in candidates if getattr(w.facts.program.hooks[name], node.what) is not None]
    fitting = [name for name in candidates if len(w.facts.program.hooks[name].arguments) <= len(node.arguments)]
    depth = 0
    for name in fitting:
        hook = w.facts.program.hooks[name]
        code.get(record)
        code.load(0)
        code.const(w.linked.hook_numbers[name], EQ)
        code.if_(I32)
        depth += 1
        if node.what == "applies" and hook.once:
            code.const(w.to.once_number(name))
            code.get(key)
            w.runtime("used")
            code.if_(I32)
            code.const(0)
            code.else_()
            hooked(w, name, record, node)
            code.end()
        else:
            hooked(w, name, record, node)
        code.else_()
    code.trap()
    for _ in range(depth):
        code.end()
    code.end()
    code.release(record, key)


def hooked(w: Writer, name: str, record: int, node: c.ApplyHook) -> None:
    hook = w.facts.program.hooks[name]
    function = getattr(hook, node.what)
    for value in hook_values(w, hook, record, node.arguments, node.it, node.result, w.facts.program.functions[function].parameters):
        value()
    w.code.call(w.to.function(function))


def either(w: Writer, it: Any, kept: Callable[[], None]) -> Callable[[], None]:
    """What leaves one value on the stack, or another where that is nothing."""

    def load() -> None:
        code, local = w.code, w.code.local()
        w.value(it)
        code.set(local)
        code.get(local)
        kept()
        code.get(local)
        code.const(NONE, NE, SELECT)
        code.release(local)

    return load


def hook_values(w: Writer, hook: c.Hook, record: int, arguments: tuple[Any, ...], it: Any, result: Any, count: int) -> list[Callable[[], None]]:
    """What leaves the values of the parameters of a hook on the stack, one after another."""
    found: list[Callable[[], None]] = [lambda: w.code.const(NONE)] * count

    def kept(number: int) -> Callable[[], None]:
        def load() -> None:
            w.code.get(record)
            w.code.load(16 + 4 * number)

        return load

    for number, slot in enumerate(hook.kept):
        found[slot] = kept(number)
    if hook.it is not None and hook.it in hook.kept:  # an event of nobody leaves what was called `it` when the hook was installed
        if it != c.Const(None):
            found[hook.it] = either(w, it, found[hook.it])
    elif hook.it is not None:
        found[hook.it] = lambda: w.value(it)
    if hook.result is not None:
        found[hook.result] = lambda: w.value(result)
    for slot, argument in zip(hook.arguments, arguments, strict=False):
        found[slot] = lambda argument=argument: w.value(argument)  # type: ignore[misc]
    return found


def each_installed(w: Writer, node: c.Installed, each: int, body: Body, charge: bool) -> None:
    """Run through the hooks that hold for a time on an event."""
    code, hooks, event, timings = w.code, w.facts.program.hooks, node.event, node.timings
    fitting = [number for name, number in w.linked.hook_numbers.items() if hooks[name].event == event and hooks[name].timing in timings]
    flags = w.layout.flags(("held", event, timings), (number in fitting for number in range(len(hooks))))
    cursor = code.local()
    code.const(w.at["HELD"])
    code.set(cursor)
    out, again = code.block(), code.loop()
    code.get(cursor)
    code.cell(w.at["HELD_COUNT"])
    code.const(w.layout.held_size, MUL)
    code.const(w.at["HELD"], ADD, GE)
    code.br_if(out)
    code.const(0)
    code.get(cursor)
    code.load(4)
    code.op(SUB)
    code.set(each)
    code.get(cursor)
    code.load(0)
    code.get(cursor)
    code.const(w.layout.held_size, ADD)
    code.set(cursor)
    code.load8(flags)
    code.if_()
    body(each)
    code.end()
    code.br(again)
    code.end()
    code.end()
    code.release(cursor)


VALUES: dict[type, ValueWriter] = {
    c.Key: key, c.HookOf: hook_of, c.BearerOf: bearer_of, c.Deed: deed, c.ActionOf: action_of, c.GranterOf: granter_of, c.ApplyHook:
    apply_hook,
}  # fmt: skip
RUNS: dict[type, Run] = {
    c.Installed: each_installed,
}  # fmt: skip
