"""How events go on after a decision.

An event that stopped in its body is left behind as a tuple (see `happening`), one that stopped elsewhere as a frame, which says at what stage it is. All of
this means what `run.events` means; hooks that hold for a time, and batches, are left to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compile.play import doing, happening
from rulewright.compile.play.happening import Event, in_batch, is_installed
from rulewright.compile.play.resuming import WAITING, Extra, told

if TYPE_CHECKING:
    from rulewright.run.machine import Machine
    from rulewright.run.state import Frame

KEPT = ("run", "through", "pass_on")  # what frames of an event have beyond what all have


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
        start = happening.start_of(found.before, frame["queue"][0])
        ended: int = found.preceding(m, *start, of, *arguments, name, outcome, extra)
        if ended:
            return ended
    below = m.state.stack[-1]
    if found.path == "action" and type(below) is tuple and below[0] is doing.doing and "pass_on" not in frame:
        deed: doing.Deed = m.world.engine.deeds[below[4]]
        if deed.plain:
            m.state.stack.pop()
            return doing.itself(m, deed, below[2], below[3])
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
        start = happening.start_of(found.after, frame["queue"][0][0])
        ended: int = found.succeeding(m, *start, of, *arguments, version, result, status, frame["name"], frame["outcome"], extra)
        if ended:
            return ended
    return _ended(m, frame, happening.finish(m, found, result, status))


def _replaced(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    status = "nothing" if frame["status"] == "done" and m.state.version == frame["version"] else frame["status"]
    return _finish(m, found, {**frame, "status": status}, extra)


def _finish(m: Machine, found: Event, frame: Frame, extra: Extra) -> int:
    m.state.stack.pop()
    m.said = m.cause()
    if frame["status"] in ("done", "nothing"):
        happening.finish(m, found, frame["result"], frame["status"])
    else:
        m.result, m.status = frame["result"], frame["status"]
    return _ended(m, frame, 0)


STAGES = {"instead": _instead, "before": _before, "require": _require, "after": _after, "react": _react, "replaced": _replaced, "finish": _finish}
