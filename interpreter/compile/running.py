"""What generated bodies call: moving and drawing, asking and offering, the frames that are left behind at a decision, and events with hooks.

Everything here means what the functions of the same purpose in `run` mean; what is decided there is asked there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from interpreter.run import asking
from interpreter.run.code import many

if TYPE_CHECKING:
    from interpreter.run.machine import Machine
    from interpreter.run.state import Frame

DEEPEST = 25  # events inside each other that are carried out as Python calls inside each other
Node = dict[str, Any]
Variables = dict[str, Any]


def too_long(m: Machine) -> NoReturn:
    """There were too many steps without a decision, or too much was looked at."""
    m.look(0)
    m.fail(f"more than {m.budget.steps:,} steps without a decision: something repeats for ever")


# -- moving


def put(m: Machine, component: int, to: int, position: str, crowd: bool) -> None:
    """Put one thing somewhere, if there is room."""
    if m.state.where[component] == to:
        m.lay(component, to, position)
    elif crowd or m.room_in(to) > 0:
        m.move(component, to, position)


def put_all(m: Machine, what: Any, to: int | None, position: str, crowd: bool) -> None:
    """Put several things somewhere, as far as there is room."""
    if to is not None:
        for component in list(many(what)):
            put(m, component, to, position, crowd)


def draw(m: Machine, node: Node, variables: Variables, place: int | None, to: int | None, wanted: int) -> bool:
    """Draw; whether it ran short and the rules have an answer to that, which the reference engine then gives them."""
    from interpreter.run.walk import _drawable

    drawn: list[int] = []
    found = _drawable(m, node, place, variables)
    while place is not None and found and len(drawn) < wanted and (to is None or m.room_in(to) > 0):
        bag = m.world.place_spec(place)["shape"] == "bag" or place in m.state.loose
        chosen = asking.random_pick(m, f"What comes from {m.label(place)}?", found) if bag else found[-1]
        found.remove(chosen)
        drawn.append(chosen)
        if to is not None:
            m.move(chosen, to)
    if len(drawn) < wanted and not found and (node["short"] is not None or node.get("wants")):
        m.extra = {"wanted": wanted, "drawn": drawn}
        return True
    if node["name"] is not None:
        variables[node["name"]] = drawn if node["many"] else (drawn[0] if drawn else None)
    return False


def bits_of(players: Any) -> int:
    """Players as bits."""
    return sum(1 << player for player in set(many(players)))


def in_order(ranked: list[tuple[Any, Any]]) -> tuple[list[Any], list[int]]:
    """Things from a list of keys and things, and how many in a row have the same keys."""
    ties: list[int] = []
    before = None
    for key, _ in ranked:
        if ties and key == before:
            ties[-1] += 1
        else:
            ties.append(1)
        before = key
    return [each for _, each in ranked], ties or [0]


# -- asking


def ask(m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None = None) -> int:
    """A choice, perhaps one of an action's: 0 if there was nothing to ask, 1 if somebody has to decide, 2 if the reference engine has to see to it."""
    frame: Frame = {"f": "choose", "node": identity, "picked": [], "waiting": None, "answers": None, "plan": plan}
    m.local = variables
    try:
        who = asking.chooser(m, frame, node)
        if who == "chance":
            m.generic = True
            return 2
        options = asking.choosable(m, frame, node, who)
    finally:
        m.local = None
    if m.is_asked(who) and not all(option.value is None for option in options):
        m.listed = (frame, options, who)
        m.pending.append(frame)
        return 1
    if node["form"] not in ("option", "yes_no") and node["name"] is not None:
        variables[node["name"]] = [] if node["form"] in asking.SEVERAL else None
    return 0


# -- frames


def each_frame(name: str, body: str | None, items: list[Any], ties: list[int] | None, done: int, outer: list[Any]) -> Frame:
    """A loop over things of which so many have had their turn."""
    left, ties = done, [len(items)] if ties is None else ties[:]
    while ties and left >= ties[0]:
        left -= ties.pop(0)
    if left:
        ties[0] -= left
    return {"f": "each", "name": name, "body": body, "items": items[done:], "ties": ties, "chooser": None, "outer": outer}


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


def finished_frame(effect: str, of: int | None, arguments: list[Any], result: Any, status: str, name: str | None, outcome: str | None) -> Frame:
    """An event that is over, but for what ends with it."""
    return {**event_frame(effect, of, arguments, name, outcome), "stage": "finish", "result": result, "status": status}


def no_body(m: Machine, variables: Variables, at: int) -> int:
    """The body of what has none."""
    return 0


NAMES: dict[str, Any] = {
    "put": put, "put_all": put_all, "draw": draw, "bits_of": bits_of, "in_order": in_order, "ask": ask, "each_frame": each_frame,
    "event_frame": event_frame, "happening_frame": happening_frame, "finished_frame": finished_frame, "no_body": no_body,
    "too_long": too_long, "DEEPEST": DEEPEST, "SELF": "self", "IT": "it",
}  # fmt: skip
