"""What generated bodies call to change the state: to move things, to give fields values, to say something.

Everything here means what the functions of the same purpose in `run` mean, in one piece for the usual case; what is not usual is left to those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compile.play.helpers import text
from interpreter.run.code import many
from interpreter.run.evaluate import LONGEST
from interpreter.run.state import MEMBERS, VALUES, WHERE

if TYPE_CHECKING:
    from interpreter.run.machine import Machine


def put(m: Machine, component: int, to: int, position: str, crowd: bool) -> None:
    """Put one thing somewhere, if there is room. What `Machine.move` does, in one piece for the usual case: nothing lies in it, and who sees it is plain."""
    state, world = m.state, m.world
    where, members = state.where, state.members
    before, there = where[component], members[to]
    if before == to:
        m.lay(component, to, position)
        return
    capacity = None if crowd else world.capacities[to]
    if capacity is not None and len(there) >= capacity:
        return
    one, other, said = world.sight[before], world.sight[to], m.said
    if one is None or other is None or said is None or component in world.hollow or world.hidden_while[component] is not None or to in world.bags:
        m.move(component, to, position)
        return
    left, journal = members[before], state.journal
    at = left.index(component)
    journal += (WHERE, component, before, MEMBERS, before, left, MEMBERS, to, there)
    members[before] = left[:at] + left[at + 1 :]
    members[to] = (component, *there) if position == "bottom" else (*there, component)
    where[component] = to
    state.version += 1
    length, log, told = state.log_length, state.log, world.everyone
    for holder in (world.holders[before], world.holders[to]):
        if holder is not None:
            bits = world.sight[where[holder]]
            told &= m.seers_of(holder) if bits is None or world.hidden_while[holder] is not None else bits | state.known[holder]
    if len(log) > length or length >= m.budget.log:
        m.write("move", component, before, to, one | other | state.known[component], told)
        return
    log.append(("move", said, component, before, to, one | other | state.known[component], told))
    state.log_length = length + 1


def put_all(m: Machine, what: Any, to: int | None, position: str, crowd: bool) -> None:
    """Put several things somewhere, as far as there is room."""
    if to is not None:
        things = many(what)
        if len(things) < 2 or not _together(m, things, to, position, crowd):
            for component in things[:]:
                put(m, component, to, position, crowd)


def _together(m: Machine, things: list[int], to: int, position: str, crowd: bool) -> bool:
    """Put several things from one place to another in one go, in the usual case; whether it is that."""
    state, world, said = m.state, m.world, m.said
    where, members, known, count = state.where, state.members, state.known, len(things)
    before, there, moved, length = where[things[0]], members[to], frozenset(things), state.log_length
    one, other, log, capacity = world.sight[before], world.sight[to], state.log, None if crowd else world.capacities[to]
    if one is None or other is None or said is None or before == to or len(moved) != count or to in world.bags or not world.hollow.isdisjoint(moved):
        return False
    if len(log) > length or length + count > m.budget.log or (capacity is not None and len(there) + count > capacity):
        return False
    for each in things:
        if where[each] != before or world.hidden_while[each] is not None:
            return False
    left, journal, told = members[before], state.journal, m.tellers(before, to)
    journal += (MEMBERS, before, left, MEMBERS, to, there)
    members[before] = tuple([each for each in left if each not in moved])
    members[to] = (*things[::-1], *there) if position == "bottom" else (*there, *things)
    for each in things:
        journal += (WHERE, each, before)
        where[each] = to
        log.append(("move", said, each, before, to, one | other | known[each], told))
    state.version += count
    state.log_length = length + count
    return True


class Slot(NamedTuple):
    """Where a component keeps a field, what numbers it can hold, and whether everyone who can tell the component can read it."""

    at: int
    low: int | None
    high: int | None
    plain: bool


def assign(m: Machine, component: int, slots: dict[int, Slot], name: str, value: Any) -> None:
    """Give a field another value."""
    slot = slots.get(component)
    if slot is None:
        return
    index, low, high, plain = slot
    if low is not None and type(value) is int and (high is None or not low <= value <= high):
        m.check_range(component, name, value, low, high)
    state = m.state
    values = state.values
    before = values[index]
    if before != value:
        kept = value[:] if type(value) is list else value
        state.journal += (VALUES, index, before)
        values[index] = kept
        state.version += 1
        m.write("set", component, name, before, kept, m.seers_of(component) if plain else m.readers_of(component, name, before, value))


def tell(m: Machine, parts: tuple[str, ...], named: tuple[Any, ...]) -> None:
    """Note a message for everyone."""
    world, state, said = m.world, m.state, m.said
    words = "".join(parts)
    for thing in named:
        if type(thing) is list or (thing is not None and thing < world.count and m.seers_of(thing) != world.everyone):
            m.tell(words, world.everyone, list(named))
            return
    length, log = state.log_length, state.log
    if said is None or len(words) > LONGEST or len(log) > length or length >= m.budget.log:
        m.tell(text(m, parts), world.everyone, list(named))
        return
    log.append(("message", said, words, world.everyone, None))
    state.log_length = length + 1


def in_order(ranked: list[tuple[Any, Any]]) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Things from a list of keys and things, and how many in a row have the same keys."""
    ties: list[int] = []
    before = None
    for key, _ in ranked:
        if ties and key == before:
            ties[-1] += 1
        else:
            ties.append(1)
        before = key
    return tuple([each for _, each in ranked]), tuple(ties or (0,))


NAMES: dict[str, Any] = {"put": put, "put_all": put_all, "tell": tell, "assign": assign, "in_order": in_order}
