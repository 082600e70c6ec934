"""Events with hooks, and actions: what happens before, instead of and after them, until somebody has to decide.

A generated effect (see `effects`) comes here only if one of its hooks holds; actions, and events that go on after a decision, always do. Everything here
means what `run.events` and `run.acting` mean; what is decided there is asked there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.compile.play.resuming import (
    NO_EXTRA,
    Extra,
    body_of_effect,
    call_frames,
    event_frame,
    happening_frame,
    over,
    run_unit,
    told,
    too_deep,
    too_long,
    unit,
    unit_frames,
)
from rulewright.compile.play.running import DEEPEST
from rulewright.run import events
from rulewright.run.hooks import component_of, hook_of

if TYPE_CHECKING:
    from rulewright.run.machine import Cause, Machine
    from rulewright.run.state import Frame, Left

Variables = dict[str, Any]


class Hook(NamedTuple):
    """A hook on an event: what it is called, what it says, on which components it is written (None if on none), its body, and on which it holds."""

    identity: str
    hook: dict[str, Any]
    names: list[str]
    components: list[int] | None
    once: bool
    react: bool
    body: Any
    unit: str
    holds: Any  # the function that says on which component (see `hooking`); None if the code that runs it asks


class Event(NamedTuple):
    """An event on which something may hook."""

    path: str
    effect: dict[str, Any]
    names: list[str]
    instead: list[Hook]
    before: list[Hook]
    after: list[Hook]
    preceding: Any  # what comes before, from a hook on a component on; None if nothing ever does (see `hooked`)
    succeeding: Any  # likewise, what comes after
    installable: frozenset[str]
    bounds: bool
    phase: bool
    bodies: dict[int, Any]
    body: Any


# -- hooks


def key_of(each: Hook, component: int) -> str:
    """What a hook on a component is called."""
    return each.identity if each.components is None else f"{each.identity}@{component}"


def bound(each: Hook, component: int, of: int | None, arguments: list[Any]) -> Variables:
    """The local names of a hook on a component."""
    variables = dict(zip(each.names, arguments, strict=False))
    if of is not None:
        variables["it"] = of
    if each.components is not None:
        variables["self"] = component
    elif arguments and each.hook["event"].endswith(".runs_out"):
        variables["self"] = arguments[0]
    return variables


def behind(hooks: list[Hook], number: int, component: int, of: int | None) -> list[tuple[Hook, int]]:
    """All hooks after one on a component, once for each component they are written on, whether they hold or not."""
    found = []
    for other in range(number, len(hooks)):
        each = hooks[other]
        if each.components is None:
            if other > number:
                found.append((each, 0))
        else:
            components = [of] if of is not None and of in each.components else each.components
            found += [(each, one) for one in components if other > number or one > component]
    return found


def is_installed(m: Machine, hooks: frozenset[str]) -> bool:
    """Whether one of some hooks holds for a time at the moment."""
    return any(each["hook"] in hooks for each in m.state.installed)


def in_batch(m: Machine) -> bool:
    """Whether a batch is going on."""
    return dict in map(type, m.state.stack[1:]) and events.open_batch(m) is not None


def used(m: Machine, identity: str, component: int | None) -> None:
    """A hook that holds only once has done so."""
    m.state.once = [*m.state.once, identity if component is None else f"{identity}@{component}"]


def start_of(hooks: list[Hook], key: str) -> tuple[int, int]:
    """Where to begin among some hooks, for that of a key to be the first."""
    identity, component = hook_of(key), component_of(key)
    return next(number for number, each in enumerate(hooks) if each.identity == identity), -1 if component is None else component - 1


# -- what stops before and after an event


def may_act(m: Machine, player: Any, identity: str, component: int | None) -> bool:
    """Whether somebody who may react by a hook on a component is in the game, and not doing so already."""
    if type(player) is not int or m.state.outcomes[player] == "eliminated":
        return False
    if dict not in map(type, m.state.stack[1:]):
        return True
    key = identity if component is None else f"{identity}@{component}"
    return not any(type(each) is dict and each.get("reaction") == key for each in m.state.stack)


def react(
    m: Machine, event: Event, number: int, component: int, of: int | None, arguments: list[Any], name: str | None, outcome: str | None, extra: Extra
) -> bool:
    """Whether somebody may react to an event, by a hook on a component: what is left behind asks for that."""
    each = event.before[number]
    key = key_of(each, component)
    if not events.may_react(m, {}, key, each.hook, bound(each, component, of, arguments)):
        return False
    queue = [key, *(key_of(*left) for left in behind(event.before, number, component, of))]
    m.reacting = {**event_frame(event.path, of, arguments, name, outcome), "stage": "before", "queue": queue, **extra}
    m.pending.append(m.reacting)
    return True


def stopped_before(
    m: Machine,
    event: Event,
    number: int,
    component: int,
    of: int | None,
    arguments: list[Any],
    names: Variables,
    own: Cause,
    name: str | None,
    outcome: str | None,
    extra: Extra,
) -> int:
    """The body of a hook has stopped, with these local names and this cause, before an event."""
    each = event.before[number]
    m.pending.append((unit, unit_frames, names, own, each.unit, m.at, {"hook": key_of(each, component)}))
    queue = [key_of(*left) for left in behind(event.before, number, component, of)]
    m.pending.append({**event_frame(event.path, of, arguments, name, outcome), "stage": "before", "queue": queue, **extra})
    return 1


def stopped_after(
    m: Machine,
    event: Event,
    number: int,
    component: int,
    of: int | None,
    arguments: list[Any],
    names: Variables,
    own: Cause,
    version: int,
    result: Any,
    status: str,
    name: str | None,
    outcome: str | None,
    extra: Extra,
) -> int:
    """The body of a hook has stopped, with these local names and this cause, after an event."""
    hooks = event.after
    m.pending.append((unit, unit_frames, names, own, hooks[number].unit, m.at, NO_EXTRA))
    queue = [[key_of(*left), {**bound(*left, of, arguments), "result": result}] for left in behind(hooks, number, component, of)]
    frame = happening_frame(event.path, of, arguments, version, name, outcome)
    m.pending.append({**frame, "stage": "react", "queue": queue, "status": status, "result": result, **extra})
    return 1


def over_frame(effect: str, of: int | None, arguments: list[Any], version: int, result: Any, name: str | None, outcome: str | None) -> Frame:
    """An event whose body is done, with its result."""
    return {**happening_frame(effect, of, arguments, version, name, outcome), "result": result}


# -- any event


def happen(m: Machine, event: Event, of: int | None, arguments: list[Any], name: str | None, outcome: str | None, extra: Extra = NO_EXTRA) -> int:
    """Take an event through its stages. `extra` goes into its frames; it may say that an action is to be run, or what the event has been through."""
    state = m.state
    m.steps += 8
    if m.steps > m.last_step or m.looked > m.most_looks:
        too_long(m)
    if m.said is not None and m.said[2] >= m.most_deep:
        too_deep(m)
    if m.depth >= DEEPEST or (event.installable and state.installed and is_installed(m, event.installable)):
        m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **extra})
        return 1
    if event.instead:
        found = replacements(m, event, of, arguments, extra.get("through", ()))
        if found:
            return replace(m, event, found, of, arguments, name, outcome, extra)
    if event.preceding is not None:
        ended: int = event.preceding(m, 0, -1, of, *arguments, name, outcome, extra)
        if ended:
            return ended
    return itself(m, event, of, arguments, name, outcome, extra)


def instead(m: Machine, event: Event, of: int | None, arguments: list[Any], name: str | None, outcome: str | None) -> int:
    """What comes instead of an event, which something does."""
    return replace(m, event, replacements(m, event, of, arguments, ()), of, arguments, name, outcome)


def replacements(m: Machine, event: Event, of: int | None, arguments: list[Any], through: Iterable[str]) -> list[tuple[Hook, int]]:
    """The hooks that hold instead of an event, but for those it has been through."""
    found = []
    for each in event.instead:
        component = each.holds(m, of, -1, None, *arguments)
        while component is not None:
            if key_of(each, component) not in through:
                found.append((each, component))
            component = each.holds(m, of, component, None, *arguments) if each.components is not None else None
    return found


def several(m: Machine, event: Event, found: list[tuple[Hook, int]], of: int | None, arguments: list[Any]) -> bool:
    """Whether somebody has to say which of some hooks comes instead of an event."""
    return len(found) > 1 and m.is_asked(events.affected(m, {"effect": event.path, "of": of, "arguments": arguments}))


def replace(
    m: Machine,
    event: Event,
    found: list[tuple[Hook, int]],
    of: int | None,
    arguments: list[Any],
    name: str | None,
    outcome: str | None,
    extra: Extra = NO_EXTRA,
    chosen: str | None = None,
) -> int:
    """Let a hook come instead of an event: the chosen one, or the first, unless somebody has to say which."""
    if chosen is None and several(m, event, found, of, arguments):
        m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **extra})
        return 1
    each, component = next((pair for pair in found if key_of(*pair) == chosen), found[0])
    key, version, result = key_of(each, component), m.state.version, None
    if each.once:
        m.state.once = [*m.state.once, key]
    ended = run_unit(m, each.unit, each.body, bound(each, component, of, arguments), {"replaces": key})
    if ended == 2:
        result, ended = m.value, 0
    if ended:
        if ended == 1:
            through = {**extra, "through": [*extra.get("through", ()), key]}
            m.pending.append({**happening_frame(event.path, of, arguments, version, name, outcome), "stage": "replaced", **through})
        return ended
    return finish(m, event, result, "done" if m.state.version != version else "nothing")


def itself(m: Machine, event: Event, of: int | None, arguments: list[Any], name: str | None, outcome: str | None, extra: Extra = NO_EXTRA) -> int:
    """What happens: the requirements, the body, and what comes after."""
    version, result, run = m.state.version, None, extra.get("run")
    if run is not None:
        if m.happened is not None:
            m.happened.append(event.path)
        ended = act(m, run)
    else:
        variables = dict(zip(event.names, arguments, strict=False))
        if of is not None:
            variables["self"] = of
        for requirement in event.effect["requires"]:
            if not m.holds(requirement["test"], variables):
                m.result, m.status = None, "cannot"
                return 0
        if m.happened is not None:
            m.happened.append(event.path)
        said = m.said
        assert said is not None
        m.said = own = (event.path, of, said[2] + 1, event.path if event.phase else said[3])
        m.depth += 1
        body = event.body if of is None else event.bodies.get(of, event.body)
        ended = body(m, variables, 0)
        m.depth -= 1
        m.said = said
        if ended == 1 and not extra:
            m.pending.append((held, call_frames, variables, own, event.path, of, tuple(arguments), version, name, outcome, m.at))
            return 1
        if ended == 1:
            m.pending.append((unit, unit_frames, variables, own, event.path, m.at, NO_EXTRA))
        elif ended == 2:
            result, ended = m.value, 0
    if ended in (1, 5):
        if ended == 1:
            m.pending.append({**happening_frame(event.path, of, arguments, version, name, outcome), **extra})
        return int(ended)
    return happened(m, event, of, arguments, version, result, name, outcome, extra)


def happened(
    m: Machine,
    event: Event,
    of: int | None,
    arguments: list[Any],
    version: int,
    result: Any,
    name: str | None,
    outcome: str | None,
    extra: Extra = NO_EXTRA,
) -> int:
    """What comes after an event, and its end."""
    state = m.state
    if (event.installable and state.installed and is_installed(m, event.installable)) or (event.after and in_batch(m)):
        m.pending.append({**over_frame(event.path, of, arguments, version, result, name, outcome), **extra})
        return 1
    status = "done" if state.version != version else "nothing"
    if event.succeeding is not None:
        ended: int = event.succeeding(m, 0, -1, of, *arguments, version, result, status, name, outcome, extra)
        if ended:
            return ended
    return finish(m, event, result, status)


def finish(m: Machine, event: Event, result: Any, status: str) -> int:
    """The end of an event that has happened, or was replaced."""
    if event.bounds and (m.state.installed or m.state.once):
        over(m, event.path)
    m.result, m.status = result, status
    return 0


# -- an event that stopped in its body


def held_over(m: Machine, left: Left, stack: list[Left], result: Any) -> int:
    """The body of an effect on which something hooks is done."""
    _, _, _, _, path, of, arguments, version, name, outcome, _ = left
    m.said = m.cause()
    ended = happened(m, m.world.engine.events[path], of, list(arguments), version, result, name, outcome)
    if not ended and (name is not None or outcome is not None):
        told(m, stack, name, outcome, m.result, m.status)
    return ended


held = body_of_effect(held_over)


# -- actions


def act(m: Machine, run: Variables) -> int:
    """What happens when an action does: the event with its own name, or, inside that, its body; 1 if it stops, 5 if the game ends."""
    if "deed" in run:
        inner = {key: part for key, part in run.items() if key != "deed"}
        return happen(m, m.world.engine.events[run["deed"]], run["self"], [run["actor"]], None, None, {"run": inner})
    if run["entry"] is None:
        return 0
    return run_unit(m, run["unit"], m.world.engine.units[run["unit"]], dict(run["vars"]))


NAMES: dict[str, Any] = {
    "instead": instead, "may_act": may_act, "react": react, "used": used, "stopped_before": stopped_before, "stopped_after": stopped_after, "over_frame": over_frame,
    "is_installed": is_installed, "in_batch": in_batch, "HELD": held, "NO_EXTRA": NO_EXTRA, "AT": "@", "RESULT": "result",
}  # fmt: skip
