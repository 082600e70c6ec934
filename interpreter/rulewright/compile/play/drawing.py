"""Drawing: the top of a pile, or any of a bag, and what happens if there is too little. It means what `run.walk.draw` means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.compile.play.happening import happen
from rulewright.compile.play.moving import putting, putting_all
from rulewright.run import events
from rulewright.run.evaluate import evaluate
from rulewright.run.sampling import random_pick
from rulewright.run.walk import _drawable

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

Node = dict[str, Any]
Variables = dict[str, Any]
Draw = Callable[["Machine", Variables, int | None, int | None, int], int]


def drawing(world: World, identity: str) -> Draw:
    """The function of a node that draws: 1 if the answer to something that ran out stops, 5 if the game ends."""
    node: Node = world.graph["nodes"][identity]
    nouns = None if node["kind"] is None else world.noun_set(node["kind"])
    bags, capacities, filtered = world.bags, world.capacities, bool(node["filters"])
    put, put_all = putting(world, "top", True), putting_all(world, "top", True)

    def draw(m: Machine, variables: Variables, place: int | None, to: int | None, wanted: int) -> int:
        """Draw; what runs out on the way is answered once."""
        drawn: list[int] = []
        more = off(m, variables, place, to, wanted, drawn)
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
                off(m, variables, place, to, wanted, drawn)
        if node["name"] is not None:
            variables[node["name"]] = drawn if node["many"] else (drawn[0] if drawn else None)
        return 0

    def off(m: Machine, variables: Variables, place: int | None, to: int | None, wanted: int, drawn: list[int]) -> bool:
        """Draw until there are as many as wanted; whether more could be drawn."""
        if place is None:
            return False
        if to is not None and to != place and not filtered and place not in bags:
            return off_the_top(m, place, to, wanted, drawn)
        found = _drawable(m, node, place, variables, drawn)
        while found and len(drawn) < wanted and (node["to"] is None if to is None else m.room_in(to) > 0):
            chosen = random_pick(m, f"What comes from {m.label(place)}?", found) if place in bags else found[-1]
            found.remove(chosen)
            drawn.append(chosen)
            if to == place:
                m.move(chosen, to)
            elif to is not None:
                put(m, chosen, to)
        return bool(found)

    def off_the_top(m: Machine, place: int, to: int, wanted: int, drawn: list[int]) -> bool:
        """The same for a pile, from its top to another place."""
        lying, amount = m.state.members[place], wanted - len(drawn)
        if capacities[to] is not None:
            amount = min(amount, m.room_in(to))
        rest = max(len(lying) - amount, 0)
        top = lying[rest:]
        if not drawn and (nouns is None or nouns.issuperset(top)):
            taken, more = list(top[::-1]), rest > 0 and (nouns is None or not nouns.isdisjoint(lying[:rest]))
        else:
            found = [each for each in reversed(lying) if (nouns is None or each in nouns) and each not in drawn]
            taken = found[:amount]
            more = len(taken) < len(found)
        put_all(m, taken, to)
        drawn += taken
        return more

    return draw


def _answered(m: Machine, event: str, place: int | None) -> int:
    """Let the rules answer that something ran out; 1 if that stops, 5 if the game ends."""
    found = m.world.engine.events[event]
    owner = None if place is None else m.world.place_owner.get(place)
    return happen(m, found, None, [owner] if found.names else [], None, None)


LOOKUPS: dict[str, Callable[..., Any]] = {"drawing": drawing}
