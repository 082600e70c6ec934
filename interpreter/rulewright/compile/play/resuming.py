"""What is left behind at a decision, and how it goes on.

Where the reference engine keeps frames, generated code leaves tuples, made from what it has at hand. Each begins with the function that goes on with it, the
function that makes the frames of it, which the reference engine would have there, its local names if it has any (else None), and what it is the cause of
(see `Machine.cause`). Tuples are never altered, since an earlier moment may share them; nor are their local names: whoever goes on takes a copy, or is
given one that has the answer to a choice in it already.

Where a body stopped is a node of its chain, None if it is done, or, inside loops and branches of it, a tuple: a point, which is the function, the number of a place in it
and what frames need to know, and then the state of every loop around that place (see `fusing`). Effects that are written into the function of another
(`spliced`) leave tuples as others do; they are gone on with by the function of the unit below them.

A function that goes on gives how that came to an end, as bodies do (see `statements`): 0 done, 1 it stopped again, 2 `return`, 3 and 4 a loop is left or
goes on, 5 the game ends; or WAITING if somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.compile.play.moving import counted
from rulewright.run import events
from rulewright.run.state import spread

if TYPE_CHECKING:
    from rulewright.run.machine import Cause, Machine
    from rulewright.run.state import Frame, Left

Variables = dict[str, Any]
Extra = Mapping[str, Any]
Point = tuple[Any, int, Any]
NO_EXTRA: Extra = {}
WAITING = 6


# -- local names and causes


def mine(m: Machine, names: Variables) -> Variables:
    """Local names that no earlier moment shares."""
    if m.private or id(names) in m.fresh or type(names) is not dict:  # a scenario has names of its own sort
        return names
    made = names.copy()
    m.fresh[id(made)] = made
    return made


def surroundings(m: Machine, stack: list[Left]) -> tuple[Variables, Cause]:
    """The local names of what is going on, to be altered, and what it is the cause of."""
    for number in range(len(stack) - 1, -1, -1):
        each = stack[number]
        if type(each) is tuple:
            if each[2] is not None:
                names = mine(m, each[2])
                if names is not each[2]:
                    stack[number] = (each[0], each[1], names, *each[3:])
                return names, each[3]
        elif "vars" in each:
            names = mine(m, each["vars"])
            if names is not each["vars"]:
                stack[number] = {**each, "vars": names}
            return names, m.cause()
    return {}, m.cause()


# -- where a body stopped


def begin_at(m: Machine, node: Any) -> Point:
    """The function that goes on where a body stopped, and the place in it; the third part is for frames."""
    found: Point = node[0] if type(node) is tuple else m.world.engine.resumes[node]
    return found


def body_frames(frame: Frame, node: Any) -> list[Frame]:
    """The frames of a body: its own, which still lacks its node, and those of the loops and bodies inside it in which it stopped."""
    if type(node) is not tuple:
        frame["node"] = node
        return [frame]
    (_, _, (frame["node"], levels)), *states = node
    found, left = [frame], iter(states)
    for kind, *spec, after in levels:
        if kind == "each":
            name, body = spec
            found.append(each_frame(name, body, *next(left)))
        elif kind == "repeat":
            until, body, counted = spec
            found.append({"f": "repeat", "until": until, "body": body, "left": next(left) if counted else None})
        found.append({"f": "block", "node": after})
    return found


def spliced(m: Machine, left: Left, stack: list[Left], names: Variables | None = None) -> int:
    """Go on with an effect that is written into the function of the unit below it: that finds it in `m.inner`, with its local names."""
    m.inner.append((left[2].copy() if names is None else names, left))
    below = stack.pop()
    ended: int = below[0](m, below, stack)
    return ended


def loosened(stack: list[Left]) -> None:
    """Make frames of what is on top, down to what is not gone on with by the function of something else."""
    number = len(stack) - 1
    while type(stack[number]) is tuple and stack[number][0] is spliced:
        number -= 1
    stack[number:] = spread(stack[number:])


# -- an effect on which nothing hooks


RETURNS: dict[Any, Any] = {}  # how effects are over when their bodies give a result


def body_of_effect(finish: Callable[[Machine, Left, list[Left], Any], int]) -> Callable[[Machine, Left, list[Left]], int]:
    """The function that goes on with the body of an effect; `finish` is what comes when it is done."""

    def go_on(m: Machine, left: Left, stack: list[Left], names: Variables | None = None) -> int:
        _, _, kept, said, path, of, arguments, version, name, outcome, node = left
        if node is None:
            return finish(m, left, stack, None)
        if names is None:
            names = kept.copy()
        function, at, _ = node[0] if type(node) is tuple else m.world.engine.resumes[node]
        m.said = said
        ended: int = function(m, names, at, node)
        if ended == 1:
            m.pending.append((go_on, call_frames, names, said, path, of, arguments, version, name, outcome, m.at))
            return 1
        return 5 if ended == 5 else finish(m, left, stack, m.value if ended == 2 else None)

    RETURNS[go_on] = finish
    return go_on


def called(m: Machine, left: Left, stack: list[Left], result: Any) -> int:
    """An effect on which nothing hooks is over."""
    _, _, _, _, path, _, _, version, name, outcome, _ = left
    state = m.state
    status = "done" if state.version != version else "nothing"
    if (state.installed or state.once) and path in m.world.engine.bounds:
        m.said = m.cause()
        over(m, path)
    if name is not None or outcome is not None:
        told(m, stack, name, outcome, result, status)
    return 0


def told(m: Machine, stack: list[Left], name: str | None, outcome: str | None, result: Any, status: str) -> None:
    """Let who called an effect know how it went."""
    names, _ = surroundings(m, stack)
    if name is not None:
        names[name] = result
    if outcome is not None:
        names[outcome] = status


call = body_of_effect(called)


def call_frames(left: Left) -> list[Frame]:
    _, _, names, _, path, of, arguments, version, name, outcome, node = left
    body = body_frames({"f": "unit", "unit": path, "node": None, "vars": names}, node)
    return [happening_frame(path, of, list(arguments), version, name, outcome), *body]


# -- any other body with local names of its own


def run_unit(m: Machine, path: str, body: Any, names: Variables, extra: Extra = NO_EXTRA) -> int:
    """Begin with a body; gives how it ended."""
    said = m.said
    assert said is not None
    m.said = own = (path, names.get("self"), said[2] + 1, said[3])
    m.depth += 1
    ended: int = body(m, names, 0)
    m.depth -= 1
    m.said = said
    if ended == 1:
        m.pending.append((unit, unit_frames, names, own, path, m.at, extra))
    return ended


def over(m: Machine, event: str) -> None:
    """What held until an event holds no longer, and what may happen once per it may happen again."""
    for path, entry, names in reversed(events.put_back(m, event)):
        run_unit(m, path, m.world.engine.resumes[entry][0], names)


def unit(m: Machine, left: Left, stack: list[Left], names: Variables | None = None) -> int:
    """Go on with a body."""
    _, _, kept, said, path, node, extra = left
    if node is None:
        return 0
    if names is None:
        names = kept.copy() if type(kept) is dict else kept  # a scenario has names of its own sort
    function, at, _ = node[0] if type(node) is tuple else m.world.engine.resumes[node]
    m.said = said
    ended: int = function(m, names, at, node)
    if ended == 1:
        m.pending.append((unit, unit_frames, names, said, path, m.at, extra))
    elif ended == 2:
        returned(m, stack)
        return 0
    return ended


def returned(m: Machine, stack: list[Left]) -> None:
    """A body gives its result to the event it is of."""
    if stack and type(stack[-1]) is dict and stack[-1]["f"] == "event" and stack[-1]["stage"] in ("after", "replaced"):
        stack[-1] = {**stack[-1], "result": m.value}


def unit_frames(left: Left) -> list[Frame]:
    return body_frames({"f": "unit", "unit": left[4], "node": None, "vars": left[2], **left[6]}, left[5])


def block(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with a body inside another."""
    if left[4] is None:
        return 0
    function, at, _ = m.world.engine.resumes[left[4]]
    names, m.said = surroundings(m, stack)
    ended: int = function(m, names, at)
    if ended == 1:
        m.pending.append((block, block_frames, None, None, m.at))
    return ended


def block_frames(left: Left) -> list[Frame]:
    return [{"f": "block", "node": left[4]}]


# -- loops


def each(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with a loop over things: first with what is going on inside it, if that is so."""
    _, _, _, _, name, body, items, ties, done, outer, inside, node = left
    resumes = m.world.engine.resumes
    names, m.said = surroundings(m, stack)
    ended = 0
    if inside and node is not None:
        function, at, _ = resumes[node]
        ended = function(m, names, at)
    function = resumes[body][0] if body is not None else None
    while True:
        if ended == 1:
            m.pending.append((each, each_frames, None, None, name, body, items, ties, done, outer, True, m.at))
            return 1
        if ended == 2 or ended == 5:
            return ended
        if ended == 3 or done >= len(items):
            break
        m.steps += 2
        if m.steps > m.last_step:
            too_long(m)
        names[name] = names["it"] = items[done]
        done += 1
        ended = function(m, names, 0) if function is not None else 0
    names[name], names["it"] = outer
    return 0


def each_frames(left: Left) -> list[Frame]:
    _, _, _, _, name, body, items, ties, done, outer, inside, node = left
    frame = each_frame(name, body, items, ties, done, outer)
    return [frame, {"f": "block", "node": node}] if inside else [frame]


def each_frame(name: str, body: str | None, items: Sequence[Any], ties: Sequence[int] | None, done: int, outer: Sequence[Any]) -> Frame:
    """A loop of which some things are done, in groups of those that come at the same time."""
    used, ties = done, [len(items)] if ties is None else list(ties)
    while ties and used >= ties[0]:
        used -= ties.pop(0)
    if used:
        ties[0] -= used
    return {"f": "each", "name": name, "body": body, "items": list(items[done:]), "ties": ties, "chooser": None, "outer": list(outer)}


def ordered_frame(name: str, body: str | None, items: Sequence[Any], ties: list[int] | None, chooser: int | None, outer: Sequence[Any]) -> Frame:
    """A loop over things of which somebody says which comes next: the reference engine goes on with it."""
    groups = [len(items)] if ties is None else list(ties)
    return {"f": "each", "name": name, "body": body, "items": list(items), "ties": groups, "chooser": chooser, "outer": list(outer)}


def repeat(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with a loop without end, or with a condition: first with what is going on inside it, if that is so."""
    _, _, _, _, until, body, times, inside, node = left
    resumes = m.world.engine.resumes
    names, m.said = surroundings(m, stack)
    ended = 0
    if inside and node is not None:
        function, at, _ = resumes[node]
        ended = function(m, names, at)
    function = resumes[body][0]
    while True:
        if ended == 1:
            m.pending.append((repeat, repeat_frames, None, None, until, body, times, True, m.at))
            return 1
        if ended == 2 or ended == 5:
            return ended
        if ended == 3 or (times is not None and times <= 0) or (until is not None and m.holds(until, names)):
            return 0
        m.steps += 2
        if m.steps > m.last_step:
            too_long(m)
        if times is not None:
            times -= 1
        ended = function(m, names, 0)


def repeat_frames(left: Left) -> list[Frame]:
    _, _, _, _, until, body, times, inside, node = left
    frame = {"f": "repeat", "until": until, "body": body, "left": times}
    return [frame, {"f": "block", "node": node}] if inside else [frame]


# -- choices


def choice(m: Machine, left: Left, stack: list[Left]) -> int:
    """A choice waits for an answer."""
    stack.append(left)
    return WAITING


def choice_frames(left: Left) -> list[Frame]:
    return [{"f": "choose", "node": left[4], "picked": list(left[6]), "waiting": None, "answers": None, "plan": left[5]}]


# -- leaving loops and bodies


def unwound(m: Machine, ended: int, stack: list[Left]) -> int | None:
    """Leave what is going on down to the unit (2) or the loop (3, 4) that is left or goes on; None if the reference engine has to see to the rest."""
    while stack and type(stack[-1]) is tuple:
        left = stack[-1]
        kind = left[0]
        if kind is spliced or (ended != 2 and left[2] is not None):  # the loop is in the function of a unit
            loosened(stack)
            return None
        stack.pop()
        if ended == 2:
            if kind in RETURNS:
                return int(RETURNS[kind](m, left, stack, m.value))
            if kind is unit:
                returned(m, stack)
                return 0
        elif kind is each:
            if ended == 3:
                names, _ = surroundings(m, stack)
                names[left[4]], names["it"] = left[9]
            else:
                stack.append((*left[:10], False, None))
            return 0
        elif kind is repeat:
            if ended == 4:
                stack.append((*left[:7], False, None))
            return 0
    return None


# -- frames


def event_frame(effect: str, of: int | None, arguments: list[Any], name: str | None, outcome: str | None) -> Frame:
    """An event that has been proposed."""
    return {
        "f": "event", "effect": effect, "of": of, "arguments": arguments, "stage": "instead", "through": [], "queue": [], "status": "done",
        "result": None, "version": 0, "name": name, "outcome": outcome,
    }  # fmt: skip


def happening_frame(effect: str, of: int | None, arguments: list[Any], version: int, name: str | None, outcome: str | None) -> Frame:
    """An event whose body is being carried out."""
    return {
        "f": "event", "effect": effect, "of": of, "arguments": arguments, "stage": "after", "through": [], "queue": [], "status": "done",
        "result": None, "version": version, "name": name, "outcome": outcome,
    }  # fmt: skip


def too_long(m: Machine) -> None:
    """There were many steps without a decision: from now on what is written to the log is counted. Or there were too many, or too much was looked at."""
    m.look(0)
    last = m.begun + m.budget.steps
    if m.steps > last:
        m.exhaust(f"more than {m.budget.steps:,} steps without a decision: something repeats for ever")
    m.last_step, m.note = last, counted(m)


def too_deep(m: Machine) -> None:
    """There are perhaps too many effects inside each other; the reference engine will tell."""
    m.exhaust(f"effects inside effects more than {m.budget.depth} deep")


NAMES: dict[str, Any] = {
    "SPLICED": spliced, "CALL": call, "CALL_FRAMES": call_frames, "EACH": each, "EACH_FRAMES": each_frames, "REPEAT": repeat, "REPEAT_FRAMES": repeat_frames,
    "BLOCK": block, "BLOCK_FRAMES": block_frames, "CHOICE": choice, "CHOICE_FRAMES": choice_frames, "event_frame": event_frame,
    "happening_frame": happening_frame, "ordered_frame": ordered_frame, "over": over, "too_deep": too_deep, "too_long": too_long,
}  # fmt: skip
