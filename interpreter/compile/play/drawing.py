"""Drawing: the top of a pile, or any of a bag, and what happens if there is too little. It means what `run.walk.draw` means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.compile.play.happening import happen
from interpreter.compile.play.moving import put_all
from interpreter.run import asking, events
from interpreter.run.evaluate import evaluate
from interpreter.run.walk import _drawable

if TYPE_CHECKING:
    from interpreter.run.machine import Machine

Node = dict[str, Any]
Variables = dict[str, Any]


def draw(m: Machine, node: Node, variables: Variables, place: int | None, to: int | None, wanted: int) -> int:
    """Draw; what runs out on the way is answered once. 1 if the answer stops, 5 if the game ends."""
    drawn: list[int] = []
    more = _off(m, node, variables, place, to, wanted, drawn)
    if len(drawn) < wanted and not more:
        short = events.shortage(m, node, {"op": "members", "of": node["from"]}, variables)
        if short is not None:
            ended = _answered(m, *short)
            if ended:
                if ended == 1:
                    m.extra = len(m.pending), {"wanted": wanted, "drawn": drawn, "again": True}
                return ended
            place = evaluate(m, node["from"], variables)
            to = evaluate(m, node["to"], variables) if node["to"] is not None else None
            _off(m, node, variables, place, to, wanted, drawn)
    if node["name"] is not None:
        variables[node["name"]] = drawn if node["many"] else (drawn[0] if drawn else None)
    return 0


def _off(m: Machine, node: Node, variables: Variables, place: int | None, to: int | None, wanted: int, drawn: list[int]) -> bool:
    """Draw until there are as many as wanted; whether more could be drawn."""
    if place is None:
        return False
    if to is not None and to != place and not node["filters"] and not m.state.loose and place not in m.world.bags:
        return _off_the_top(m, node, place, to, wanted, drawn)
    found = [each for each in _drawable(m, node, place, variables) if each not in drawn]
    while found and len(drawn) < wanted and (to is None or m.room_in(to) > 0):
        bag = m.world.place_spec(place)["shape"] == "bag" or place in m.state.loose
        chosen = asking.random_pick(m, f"What comes from {m.label(place)}?", found) if bag else found[-1]
        found.remove(chosen)
        drawn.append(chosen)
        if to is not None:
            m.move(chosen, to)
    return bool(found)


def _off_the_top(m: Machine, node: Node, place: int, to: int, wanted: int, drawn: list[int]) -> bool:
    """The same for a pile, from its top to another place."""
    nouns = None if node["kind"] is None else m.world.noun_set(node["kind"])
    found = [each for each in reversed(m.state.members[place]) if (nouns is None or each in nouns) and each not in drawn]
    taken = found[: max(min(m.room_in(to), wanted - len(drawn)), 0)]
    put_all(m, taken, to, "top", True)
    drawn += taken
    return len(taken) < len(found)


def _answered(m: Machine, event: str, place: int | None) -> int:
    """Let the rules answer that something ran out; 1 if that stops, 5 if the game ends."""
    found = m.world.engine.events[event]
    owner = None if place is None else m.world.place_owner.get(place)
    return happen(m, found, None, [owner] if found.names else [], None, None)


NAMES: dict[str, Any] = {"draw": draw}
