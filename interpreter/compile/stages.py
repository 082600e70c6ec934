"""How events, actions and payments go on after a decision.

An event that stopped in its body is left behind as a tuple (see `resuming`), one that stopped elsewhere as a frame, which says at what stage it is. All of
this means what `run.events` and `run.acting` mean; hooks that hold for a time, batches and reactions are left to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.compile import happening
from interpreter.compile.happening import Event, Extra, deed, in_batch, is_installed
from interpreter.compile.resuming import RETURNS, WAITING, call_frames, mine, surroundings, told
from interpreter.compile.running import ask
from interpreter.run import acting

if TYPE_CHECKING:
    from interpreter.run.machine import Machine
    from interpreter.run.state import Frame, Left

KEPT = ("run", "through", "pass_on")  # what frames of an event have beyond what all have


# -- an event that stopped in its body


def held(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with the body of an effect on which something hooks."""
    _, _, names, said, path, of, arguments, version, name, outcome, node = left
    if node is None:
        return held_over(m, left, stack, None)
    function, at = m.world.engine.resumes[node]
    names = mine(m, names)
    m.said = said
    ended: int = function(m, names, at)
    if ended == 1:
        m.pending.append((held, call_frames, names, said, path, of, arguments, version, name, outcome, m.at))
        return 1
    return 5 if ended == 5 else held_over(m, left, stack, m.value if ended == 2 else None)


def held_over(m: Machine, left: Left, stack: list[Left], result: Any) -> int:
    """The body of an effect on which something hooks is done."""
    _, _, _, _, path, of, arguments, version, name, outcome, _ = left
    m.said = m.cause()
    ended = happening.happened(m, m.world.engine.events[path], of, list(arguments), version, result, name, outcome)
    if not ended and (name is not None or outcome is not None):
        told(m, stack, name, outcome, m.result, m.status)
    return ended


RETURNS[held] = held_over


# -- an event at any stage


def event(m: Machine, frame: Frame) -> int:
    """Go on with an event."""
    found: Event = m.world.engine.events[frame["effect"]]
    stage = frame["stage"]
    if (found.installable and is_installed(m, found.installable)) or (stage == "after" and found.after and in_batch(m)):
        return int(m.world.engine.walk(m, frame))
    return STAGES[stage](m, found, frame, {key: frame[key] for key in KEPT if key in frame and (key != "through" or frame[key])})


def _ended(m: Machine, frame: Frame, ended: int) -> int:
    """How the rest of an event went; if it is over, who waits for it is told."""
    if ended:
        return ended
    stack = m.state.stack
    if frame["name"] is not None or frame["outcome"] is not None:
        told(m, stack, frame["name"], frame["outcome"], m.result, m.status)
    if "pass_on" in frame:
        replaced = next(
            number for number in range(len(stack) - 1, -1, -1) if type(stack[number]) is dict and stack[number].get("stage") == "replaced"
        )
        stack[replaced] = {**stack[replaced], "result": m.result, "status": m.status}
    return 0


def _instead(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    of, arguments = frame["of"], frame["arguments"]
    replacing = happening.replacements(m, found, of, arguments, frame["through"])
    if "chosen" not in frame and happening.several(m, found, replacing, of, arguments):
        return WAITING
    m.state.stack.pop()
    m.said = m.cause()
    if replacing:
        chosen = frame.get("chosen", happening.key_of(*replacing[0]))
        return _ended(m, frame, happening.replace(m, found, replacing, of, arguments, frame["name"], frame["outcome"], extra, chosen))
    return _ended(m, frame, happening.happen(m, found, of, arguments, frame["name"], frame["outcome"], extra))


def _before(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    if m.reacting is frame:
        m.reacting = None
        return WAITING
    m.state.stack.pop()
    if frame.get("cancelled"):
        m.result, m.status = frame["result"], "cancelled"
        return _ended(m, frame, 0)
    of, arguments, name, outcome = frame["of"], frame["arguments"], frame["name"], frame["outcome"]
    m.said = m.cause()
    if frame["queue"]:
        number, component = happening.beginning(m, found.before, frame["queue"][0], of, None, arguments)
        ended = happening.before(m, found, number, component, of, arguments, name, outcome, extra)
        if ended:
            return ended
    return _ended(m, frame, happening.itself(m, found, of, arguments, name, outcome, extra))


def _require(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    m.state.stack.pop()
    m.said = m.cause()
    return _ended(m, frame, happening.itself(m, found, frame["of"], frame["arguments"], frame["name"], frame["outcome"], extra))


def _after(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    m.state.stack.pop()
    m.said = m.cause()
    of, arguments, result = frame["of"], frame["arguments"], frame["result"]
    return _ended(m, frame, happening.happened(m, found, of, arguments, frame["version"], result, frame["name"], frame["outcome"], extra))


def _react(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    m.state.stack.pop()
    m.said = m.cause()
    of, arguments, version, result, status = frame["of"], frame["arguments"], frame["version"], frame["result"], frame["status"]
    if frame["queue"]:
        number, component = happening.beginning(m, found.after, frame["queue"][0][0], of, result, arguments)
        ended = happening.after(m, found, number, component, of, arguments, version, result, status, frame["name"], frame["outcome"], extra)
        if ended:
            return ended
    return _ended(m, frame, happening.finish(m, found, of, arguments, version, result, status, frame["name"], frame["outcome"], extra))


def _replaced(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    m.state.stack.pop()
    m.said = m.cause()
    status = "nothing" if frame["status"] == "done" and m.state.version == frame["version"] else frame["status"]
    return _ended(m, frame, _finish(m, found, frame, status, extra))


def _finish(m: Machine, found: Event, frame: Frame, status: str, extra: Extra) -> int:
    of, arguments, version, result = frame["of"], frame["arguments"], frame["version"], frame["result"]
    if status not in ("done", "nothing"):
        m.result, m.status = result, status
        return 0
    return happening.finish(m, found, of, arguments, version, result, status, frame["name"], frame["outcome"], extra)


def _over(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    if not happening.over(m, found.path):
        return int(m.world.engine.walk(m, frame))
    m.state.stack.pop()
    return _ended(m, frame, _finish(m, found, frame, frame["status"], extra))


STAGES = {"instead": _instead, "before": _before, "require": _require, "after": _after, "react": _react, "replaced": _replaced, "finish": _over}


# -- actions and payments


def action(m: Machine, frame: Frame) -> int:
    """The rest of an action: its choices, its costs, the deed itself."""
    engine = m.world.engine
    if "reaction" in frame or m.trial:
        return int(engine.walk(m, frame))
    stack, path, stage = m.state.stack, frame["action"], frame["stage"]
    variables, m.said = surroundings(m, stack)
    found, nodes = m.world.graph["actions"][path], m.world.graph["nodes"]
    choices = found["choices"]
    stack.pop()
    ended = 0
    while not ended and stage < len(choices) + 2:
        stage += 1
        if stage <= len(choices):
            node = nodes[choices[stage - 1]]
            planned = m.world.planned.get(choices[stage - 1])
            if planned is not None:
                ended = planned(m, variables)
            else:
                ended = 2 if node["each"] is not None or node["who"] is None else ask(m, node, choices[stage - 1], variables, [path, stage - 1])
            if ended == 2:  # chance chooses, or several do
                m.said, m.generic = None, False
                stack.append({**frame, "stage": stage - 1, "vars": variables})
                return int(engine.walk(m, stack[-1]))
        elif stage == len(choices) + 1:
            if found["once_per"] is not None:
                m.state.once = [*m.state.once, acting.once_key(path, variables)]
            ended = happening.pay(m, m.world.bills[path](m, variables), engine.costs)
        else:
            ended = deed(m, path, found, variables)
    if ended == 1:
        m.pending.append({**frame, "stage": stage, "vars": variables})
    return ended


def costs(m: Machine, frame: Frame) -> int:
    """The rest of a payment."""
    m.state.stack.pop()
    if not frame["todo"]:
        return 0
    m.said = m.cause()
    return happening.pay(m, [(name, mine(m, bound)) for name, bound in frame["todo"]], m.world.engine.costs)


NAMES: dict[str, Any] = {"HELD": held}
