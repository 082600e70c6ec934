"""Events: expressions about hooks, actions and payments; which hold, who bears them, what is used up, and what can be paid.

Each function is given a linked program and an expression, and makes its code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.step.closures import COPIED, FEW, Code, Names, code, codes, repeated
from rulewright.step.streams import each

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine


def version(linked: Linked, node: c.Version) -> Code:
    return lambda machine, names: machine.state.version


def key(linked: Linked, node: c.Key) -> Code:
    base, of = linked.hook_numbers[node.hook] * linked.stride + 1, code(linked, node.of)

    def run(machine: Machine, names: Names) -> int:
        bearer = of(machine, names)
        return base if bearer is None else base + 1 + int(bearer)

    return run


def hook_of(linked: Linked, node: c.HookOf) -> Code:
    of, stride = code(linked, node.key), linked.stride
    return lambda machine, names: -1 if (found := of(machine, names)) < 0 else found // stride


def bearer_of(linked: Linked, node: c.BearerOf) -> Code:
    of, stride = code(linked, node.key), linked.stride

    def run(machine: Machine, names: Names) -> int | None:
        found = of(machine, names)
        if found < 0:
            return -int(found)
        bearer = int(found % stride) - 2
        return None if bearer < 0 else bearer

    return run


def apply_hook(linked: Linked, node: c.ApplyHook) -> Code:
    of, arguments, it, result = code(linked, node.key), codes(linked, node.arguments), code(linked, node.it), code(linked, node.result)
    applies = node.what == "applies"

    def run(machine: Machine, names: Names) -> Any:
        held = machine.held(of(machine, names))
        if held is None:
            return None
        hook = machine.program.hooks[held.hook]
        if applies and hook.once and (held.hook, -held.number) in machine.state.used:
            return False
        called = hook.applies if applies else hook.change
        assert called is not None
        size, body = machine.linked.function(called)
        given = [argument(machine, names) for argument in arguments]
        return body(machine, machine.hook_names(hook, held.kept, given, it(machine, names), result(machine, names), size))

    return run


def used(linked: Linked, node: c.Used) -> Code:
    of, unit = code(linked, node.of), node.unit

    def run(machine: Machine, names: Names) -> bool:
        known = machine.state.used
        machine.look(len(known) if len(known) > FEW[1] else 0)
        return (unit, of(machine, names)) in known

    return run


def trial(linked: Linked, node: c.Trial) -> Code:
    return lambda machine, names: machine.trial


def deed(linked: Linked, node: c.Deed) -> Code:
    base, of = linked.deed_numbers[node.action] * linked.stride, code(linked, node.of)

    def run(machine: Machine, names: Names) -> int:
        granter = of(machine, names)
        return base if granter is None else base + 1 + int(granter)

    return run


def action_of(linked: Linked, node: c.ActionOf) -> Code:
    of, stride = code(linked, node.deed), linked.stride
    return lambda machine, names: found if (found := of(machine, names)) < 0 else found // stride


def granter_of(linked: Linked, node: c.GranterOf) -> Code:
    of, stride = code(linked, node.deed), linked.stride
    return lambda machine, names: None if (found := of(machine, names) % stride) == 0 else found - 1


def batched(linked: Linked, node: c.Batched) -> Code:
    return lambda machine, names: machine.open_batch() is not None


def ongoing(linked: Linked, node: c.Ongoing) -> Code:
    unit, slot, of = node.unit, node.slot, code(linked, node.of)

    def run(machine: Machine, names: Names) -> bool:
        bearer, units = of(machine, names), machine.linked.unit_at
        machine.look(len(machine.state.frames) // COPIED)
        return any(units[frame.at] == unit and frame.names[slot] == bearer for frame in machine.state.frames)

    return run


def payable(linked: Linked, node: c.Payable) -> Code:
    unit, arguments = node.unit, codes(linked, node.arguments)
    return lambda machine, names: machine.can_pay(unit, [argument(machine, names) for argument in arguments])


def supposing(linked: Linked, node: c.Supposing) -> Code:
    unit, arguments, body = node.unit, codes(linked, node.arguments), code(linked, node.body)
    return lambda machine, names: machine.supposing(unit, [argument(machine, names) for argument in arguments], lambda trial: body(trial, names))


def selection(linked: Linked, node: c.Selection) -> Code:
    source, (picked, least, most) = each(linked, node.source), codes(linked, (node.picked, node.least, node.most))
    slot, (test,) = node.slot, repeated(linked, node.test)

    def run(machine: Machine, names: Names) -> bool:
        begun = picked(machine, names)
        left = [one for one in source(machine, names) if one not in begun]
        high = max(min(most(machine, names) or 0, len(left) + len(begun)) - len(begun), 0)
        low = high if node.least == node.most else max((least(machine, names) or 0) - len(begun), 0)
        for size in range(low, high + 1):
            for more in machine.selections(left, size):
                names[slot] = (*begun, *more)
                if test(machine, names):
                    return True
        return False

    return run


def installed(linked: Linked, node: c.Installed) -> Code:
    event, timings = node.event, node.timings

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        if not machine.state.held:
            return ()
        hooks = machine.program.hooks
        machine.look(len(machine.state.held) if len(machine.state.held) > FEW[0] else 0)
        held = ((each.number, hooks[each.hook]) for each in machine.state.held)
        return tuple([-number for number, hook in held if hook.event == event and hook.timing in timings])

    return run
