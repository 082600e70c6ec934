"""Events with hooks, and actions: what happens before, instead of and after them, until somebody has to decide.

Everything here means what `run.events` and `run.acting` mean; what is decided there is asked there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compile.resuming import event_frame, finished_frame, happening_frame, too_long, unit, unit_frames
from interpreter.compile.running import DEEPEST
from interpreter.run import events
from interpreter.run.hooks import applies, fired

if TYPE_CHECKING:
    from interpreter.run.machine import Machine

Variables = dict[str, Any]


class Hook(NamedTuple):
    """A hook on an event: what it is called, what it says, on which components it is written (None if on none), its body, and whether it could hold."""

    identity: str
    hook: dict[str, Any]
    components: list[int] | None
    body: Any
    unit: str
    maybe: Any


class Event(NamedTuple):
    """An event on which something hooks."""

    path: str
    effect: dict[str, Any]
    names: list[str]
    instead: list[Hook]
    before: list[Hook]
    after: list[Hook]
    installable: bool
    bounds: bool
    phase: bool
    bodies: dict[int, Any]
    body: Any


Instance = tuple[str, Hook, Variables]
Extra = Mapping[str, Any]
Body = Callable[["Machine"], int]
NO_EXTRA: Extra = {}


def instances(hooks: list[Hook], arguments: list[Any], of: int | None) -> list[Instance]:
    """Every hook, once for each component it is written on."""
    found: list[Instance] = []
    for each in hooks:
        bound = dict(zip(each.hook["names"], arguments, strict=False))
        if of is not None:
            bound["it"] = of
        if each.components is None:
            if each.hook["event"].endswith(".runs_out") and arguments:
                bound["self"] = arguments[0]
            found.append((each.identity, each, bound))
        else:
            for component in [of] if of is not None and of in each.components else each.components:
                found.append((f"{each.identity}@{component}", each, {**bound, "self": component}))
    return found


def quiet(m: Machine, hooks: list[Hook], of: int | None, result: Any, arguments: list[Any]) -> bool:
    """Whether none of some hooks holds."""
    for each in hooks:  # noqa: SIM110 - a loop is faster than a generator here
        if each.maybe is None or each.maybe(m, of, result, arguments):
            return False
    return True


def happen(
    m: Machine,
    event: Event,
    of: int | None,
    arguments: list[Any],
    name: str | None,
    outcome: str | None,
    extra: Extra = NO_EXTRA,
    body: Body | None = None,
) -> int:
    """Take an event on which something hooks through its stages. `extra` goes into its frames; `body` is what happens if it is not the effect's own."""
    state = m.state
    state.steps += 1
    if state.steps > m.last_step:
        too_long(m)
    if m.depth >= DEEPEST or (event.installable and state.installed):
        m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **extra})
        return 1
    for key, each, variables in () if quiet(m, event.instead, of, None, arguments) else instances(event.instead, arguments, of):
        if applies(m, key, each.hook, variables):
            m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **extra})
            return 1
    if event.before and not quiet(m, event.before, of, None, arguments):
        waiting = instances(event.before, arguments, of)
        for number, (key, each, variables) in enumerate(waiting):
            if not applies(m, key, each.hook, variables):
                continue
            stage = {"stage": "before", "queue": [left for left, _, _ in waiting[number + 1 :]], **extra}
            if each.hook["timing"] == "react":
                if not events.may_react(m, {}, key, each.hook, variables):
                    continue
                stage["queue"] = [left for left, _, _ in waiting[number:]]
                m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **stage})
                return 1
            fired(m, key, each.hook)
            ended = run_hook(m, each, variables, {"hook": key})
            if ended:
                if ended == 1:
                    m.pending.append({**event_frame(event.path, of, arguments, name, outcome), **stage})
                return ended
    return _itself(m, event, of, arguments, name, outcome, extra, body)


def run_hook(m: Machine, each: Hook, variables: Variables, extra: dict[str, Any]) -> int:
    """The body of a hook; 1 if it stops, 5 if the game ends."""
    return run_unit(m, each.unit, each.body, variables, extra)


def run_unit(m: Machine, path: str, body: Any, variables: Variables, extra: Extra = NO_EXTRA) -> int:
    """A body with local names of its own; 1 if it stops, 5 if the game ends."""
    said = m.said
    assert said is not None
    m.said = own = (path, variables.get("self"), said[2] + 1, said[3])
    m.depth += 1
    ended: int = body(m, variables, 0)
    m.depth -= 1
    m.said = said
    if ended == 1:
        m.pending.append((unit, unit_frames, variables, own, path, m.at, extra))
    return ended if ended in (1, 5) else 0


def _itself(
    m: Machine, event: Event, of: int | None, arguments: list[Any], name: str | None, outcome: str | None, extra: Extra, body: Body | None
) -> int:
    """What happens: the requirements, the body, and what comes after."""
    version, result = m.state.version, None
    if body is not None:
        if m.happened is not None:
            m.happened.append(event.path)
        ended = body(m)
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
        m.said = caused = (event.path, of, said[2] + 1, event.path if event.phase else said[3])
        m.depth += 1
        own = event.body if of is None else event.bodies.get(of, event.body)
        ended = own(m, variables, 0)
        m.depth -= 1
        m.said = said
        if ended == 1:
            m.pending.append((unit, unit_frames, variables, caused, event.path, m.at, NO_EXTRA))
        elif ended == 2:
            result, ended = m.value, 0
    if ended in (1, 5):
        if ended == 1:
            m.pending.append({**happening_frame(event.path, of, arguments, version, name, outcome), **extra})
        return int(ended)
    return after(m, event, of, arguments, version, result, name, outcome, extra)


def after(
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
    if (event.installable and state.installed) or (event.after and events.open_batch(m) is not None):
        m.pending.append({**happening_frame(event.path, of, arguments, version, name, outcome), "result": result, **extra})
        return 1
    status = "done" if state.version != version else "nothing"
    if event.after and not quiet(m, event.after, of, result, arguments):
        waiting = instances(event.after, arguments, of)
        for number, (key, each, variables) in enumerate(waiting):
            variables["result"] = result
            if applies(m, key, each.hook, variables):
                fired(m, key, each.hook)
                ended = run_hook(m, each, variables, {})
                if ended:
                    if ended == 1:
                        left = [[key, {**bound, "result": result}] for key, _, bound in waiting[number + 1 :]]
                        frame = happening_frame(event.path, of, arguments, version, name, outcome)
                        m.pending.append({**frame, "stage": "react", "queue": left, "status": status, "result": result, **extra})
                    return ended
    m.result, m.status = result, status
    if event.bounds and (state.installed or state.once):
        m.pending.append({**finished_frame(event.path, of, arguments, result, status, name, outcome), "version": version, **extra})
        return 1
    return 0


# -- actions


def pay(m: Machine, todo: list[Any], bodies: dict[str, Any]) -> int:
    """Pay costs one after another; 1 if it stops, 5 if the game ends."""
    for number, (name, variables) in enumerate(todo, 1):
        ended = run_unit(m, f"cost {name}", bodies[name], variables)
        if ended:
            if ended == 1:
                m.pending.append({"f": "costs", "todo": [[left, bound] for left, bound in todo[number:]]})
            return ended
    return 0


def deed(m: Machine, path: str, event: Event, own: Event, body: Any, action: dict[str, Any], variables: Variables) -> int:
    """Carry out an action: as the event `action`, inside it the event with its own name, inside that its body."""
    actor, holder, name = variables["actor"], variables.get("self"), f"action {path}"
    inner = {"self": holder, "actor": actor, "unit": name, "entry": action["entry"], "vars": dict(variables)}

    def act(m: Machine) -> int:
        return happen(m, own, holder, [actor], None, None, {"run": inner}, carry_out)

    def carry_out(m: Machine) -> int:
        return 0 if body is None else run_unit(m, name, body, dict(variables))

    return happen(m, event, None, [actor, path], None, None, {"run": {"deed": path, **inner}}, act)


NAMES: dict[str, Any] = {"happen": happen}
