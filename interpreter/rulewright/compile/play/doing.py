"""Actions: their choices, their costs, the deed itself; and payments.

A deed is the event `action`, inside it the event with the action's own name, inside that its body. Mostly nothing comes instead of the action's own event; then
the three are carried out in one piece, and left behind as one tuple (see `resuming`) if the body stops. Everything here means what `run.acting` means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.compile.play.happening import Event, happen, happened, is_installed, replacements
from rulewright.compile.play.resuming import NO_EXTRA, RETURNS, begin_at, body_frames, happening_frame, mine, run_unit, too_deep, too_long
from rulewright.compile.play.running import DEEPEST, ask
from rulewright.run import acting, rehearsing

if TYPE_CHECKING:
    from rulewright.run.machine import Cause, Machine
    from rulewright.run.state import Frame, Left

Variables = dict[str, Any]


class Deed(NamedTuple):
    """Everything about an action that does not change."""

    path: str
    unit: str
    action: dict[str, Any]
    choices: list[tuple[str, dict[str, Any], bool, Any]]  # each with whether one person chooses, and the function that asks, if it has one
    bills: Any
    body: Any
    event: Event  # `action`
    own: Event  # the event with its own name
    plain: bool  # nothing comes instead of that, or hooks on it for a time only


# -- actions


def doing(m: Machine, left: Left, stack: list[Left], names: Variables | None = None) -> int:
    """Go on with an action of which so many stages have begun."""
    _, _, kept, said, path, stage = left
    deed: Deed = m.world.engine.deeds[path]
    names, choices = mine(m, kept) if names is None else names, deed.choices
    m.said, m.here = said, None
    while stage < len(choices):
        identity, node, alone, planned = choices[stage]
        ended = planned(m, names) if planned is not None else ask(m, node, identity, names, [path, stage]) if alone else 2
        if ended == 2:  # chance chooses, or several do
            m.said, m.generic = None, False
            stack += doing_frames((doing, doing_frames, names, said, path, stage))
            return int(m.world.engine.walk(m, stack[-1]))
        stage += 1
        if ended:
            m.pending.append((doing, doing_frames, names, said, path, stage))
            return ended
    if stage == len(choices):
        if deed.action["once_per"] is not None:
            m.state.once = [*m.state.once, acting.once_key(path, names)]
        ended = pay(m, deed.bills(m, names))
        if ended:
            if ended == 1:
                m.pending.append((doing, doing_frames, names, said, path, stage + 1))
            return ended
        stage += 1
    if stage == len(choices) + 1:
        return do(m, deed, names, said)
    return 0


def doing_frames(left: Left) -> list[Frame]:
    _, _, names, _, path, stage = left
    return [{"f": "action", "unit": f"action {path}", "action": path, "stage": stage, "vars": names}]


def action(m: Machine, frame: Frame) -> int:
    """An action, as a save has it or the reference engine leaves it."""
    if "reaction" in frame or m.trial:
        return int(m.world.engine.walk(m, frame))
    m.state.stack[-1] = (doing, doing_frames, frame["vars"], m.cause(), frame["action"], frame["stage"])
    return 0


# -- deeds


def do(m: Machine, deed: Deed, names: Variables, said: Cause) -> int:
    """A deed."""
    event, state = deed.event, m.state
    arguments = [names["actor"], deed.path]
    usual = deed.plain and m.depth < DEEPEST and not (event.installable and state.installed and is_installed(m, event.installable))
    if not usual or (event.instead and replacements(m, event, None, arguments, ())):
        return _rest(m, happen(m, event, None, arguments, None, None, {"run": _run(deed, names)}), deed, names, said)
    m.steps += 16
    if m.steps > m.last_step or m.looked > m.most_looks:
        too_long(m)
    if said[2] >= m.most_deep:
        too_deep(m)
    if event.preceding is not None:
        ended = event.preceding(m, 0, -1, None, *arguments, None, None, NO_EXTRA)
        if ended:
            return _stopped(m, ended, deed, names, said)
    return itself(m, deed, names, said)


def itself(m: Machine, deed: Deed, names: Variables, said: Cause) -> int:
    """The deed itself, after what comes before the event `action`."""
    state = m.state
    if m.happened is not None:
        m.happened.append("action")
    version = state.version
    if deed.own.preceding is not None:
        ended = deed.own.preceding(m, 0, -1, names.get("self"), names["actor"], None, None, NO_EXTRA)
        if ended:
            return _stopped_inside(m, ended, deed, names, said, version)
    if m.happened is not None:
        m.happened.append(deed.path)
    since, inner = state.version, names.copy()
    m.said = own = (deed.unit, names.get("self"), said[2] + 1, said[3])
    m.depth += 1
    ended = deed.body(m, inner, 0)
    m.depth -= 1
    m.said = said
    if ended == 1 or ended == 5:
        if ended == 1:
            m.pending.append((going_on, going_on_frames, inner, own, deed, names, said, version, since, m.at))
        return int(ended)
    return _done(m, deed, names, said, version, since)


def going_on(m: Machine, left: Left, stack: list[Left], own_names: Variables | None = None) -> int:
    """Go on with the body of an action."""
    _, _, inner, own, deed, names, said, version, since, node = left
    if node is not None:
        function, at, _ = begin_at(m, node)
        inner = inner.copy() if own_names is None else own_names
        m.said = own
        ended = function(m, inner, at, node)
        if ended == 1 or ended == 5:
            if ended == 1:
                m.pending.append((going_on, going_on_frames, inner, own, deed, names, said, version, since, m.at))
            return int(ended)
    return _over(m, left, stack, None)


def _over(m: Machine, left: Left, stack: list[Left], result: Any) -> int:
    """The body of an action is done."""
    m.said = left[6]
    return _done(m, left[4], left[5], left[6], left[7], left[8])


RETURNS[going_on] = _over


def going_on_frames(left: Left) -> list[Frame]:
    _, _, inner, _, deed, names, said, version, since, node = left
    run, actor = _run(deed, names), names["actor"]
    outer = {**happening_frame("action", None, [actor, deed.path], version, None, None), "run": run}
    own = happening_frame(deed.path, run["self"], [actor], since, None, None)
    own["run"] = {key: part for key, part in run.items() if key != "deed"}
    frames = doing_frames((doing, doing_frames, names, said, deed.path, len(deed.choices) + 2))
    return [*frames, outer, own, *body_frames({"f": "unit", "unit": deed.unit, "node": None, "vars": inner}, node)]


def _done(m: Machine, deed: Deed, names: Variables, said: Cause, version: int, since: int) -> int:
    """What comes after a deed: after the event with its own name, which began with the version `since`, and after `action`."""
    event, own = deed.event, deed.own
    if own.after or own.bounds:
        ended = happened(m, own, names.get("self"), [names["actor"]], since, None, None, None)
        if ended:
            return _stopped_inside(m, ended, deed, names, said, version)
    if not (event.after or event.installable or event.bounds):
        return 0
    return _stopped(m, happened(m, event, None, [names["actor"], deed.path], version, None, None, None), deed, names, said)


def _stopped(m: Machine, ended: int, deed: Deed, names: Variables, said: Cause) -> int:
    """How the event `action` ended; if it stopped, its frame, which is left behind last, is told of what deed it is."""
    if ended == 1:
        m.pending[-1]["run"] = _run(deed, names)
    return _rest(m, ended, deed, names, said)


def _stopped_inside(m: Machine, ended: int, deed: Deed, names: Variables, said: Cause, version: int) -> int:
    """How the event with the name of the action ended; if it stopped, its frame is told likewise, and that of `action` is left behind too."""
    if ended == 1:
        run = _run(deed, names)
        m.pending[-1]["run"] = {key: part for key, part in run.items() if key != "deed"}
        m.pending.append({**happening_frame("action", None, [names["actor"], deed.path], version, None, None), "run": run})
    return _rest(m, ended, deed, names, said)


def _rest(m: Machine, ended: int, deed: Deed, names: Variables, said: Cause) -> int:
    """How a deed ended; the action itself is left behind if it stopped."""
    if ended == 1:
        m.pending.append((doing, doing_frames, names, said, deed.path, len(deed.choices) + 2))
    return ended


def _run(deed: Deed, names: Variables) -> Variables:
    """What the frames of a deed's events say about it."""
    return {
        "deed": deed.path, "self": names.get("self"), "actor": names["actor"], "unit": deed.unit, "entry": deed.action["entry"], "vars": names.copy(),
    }  # fmt: skip


# -- payments


def pay(m: Machine, todo: list[Any]) -> int:
    """Pay costs one after another; 1 if it stops, 5 if the game ends."""
    bodies = m.world.engine.costs
    for number, (name, names) in enumerate(todo, 1):
        if m.trial and not acting.affordable(m, name, names):
            raise rehearsing.Unpaid
        unit, body = bodies[name]
        ended = run_unit(m, unit, body, names)
        if ended == 1 or ended == 5:
            if ended == 1:
                left = [[name, bound] for name, bound in todo[number:]]
                m.pending.append({"f": "costs", "todo": left} if left else PAID)
            return ended
    return 0


def paid(m: Machine, left: Left, stack: list[Left]) -> int:
    """The last cost of a payment is paid."""
    return 0


def paid_frames(left: Left) -> list[Frame]:
    return [{"f": "costs", "todo": []}]


PAID: Left = (paid, paid_frames, None, None)


def costs(m: Machine, frame: Frame) -> int:
    """The rest of a payment."""
    m.state.stack.pop()
    if not frame["todo"]:
        return 0
    m.said = m.cause()
    return pay(m, [(name, mine(m, bound)) for name, bound in frame["todo"]])
