"""What generated bodies call to change the state: to move things, to give fields values, to say something.

Everything here means what the functions of the same purpose in `run` mean, in one piece for the usual case; what is not usual is left to those. The functions
that bodies call are made when code is joined with a world, so that what never changes in it is at hand: who sees into a place, how much goes in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.compile.play.helpers import text
from rulewright.run.code import many
from rulewright.run.evaluate import LONGEST
from rulewright.run.state import MEMBERS, MOVED, VALUES, WHERE

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

Put = Callable[["Machine", int, int], None]
Together = Callable[["Machine", list[int], int], bool]
PutAll = Callable[["Machine", Any, int | None], None]
Assign = Callable[["Machine", int, Any], None]
Tell = Callable[["Machine", tuple[str | int, ...], tuple[int, ...]], None]
BOUNDLESS = 10**9
DIGITS = 20  # more than the longest number has


def is_open(world: World) -> bool:
    """Whether everyone can tell everything wherever it lies."""
    return all(bits == world.everyone for bits in world.sight) and all(hidden is None for hidden in world.hidden_while)


def rooms(world: World, crowd: bool) -> list[int]:
    """How many things go into each place in the usual case: nothing goes into a bag so, nor where it depends on the state who sees it."""
    most = [BOUNDLESS if crowd or capacity is None else capacity for capacity in world.capacities]
    return [-1 if place in world.bags or world.sight[place] is None else room for place, room in enumerate(most)]


def odd_ones(world: World) -> list[bool]:
    """Of each component, whether something could lie in it, or it may be face down."""
    return [each in world.hollow or world.hidden_while[each] is not None for each in range(world.count)]


# -- moving


def without(things: tuple[int, ...], one: int) -> tuple[int, ...]:
    """Things without one of them."""
    at = things.index(one)
    return things[:at] + things[at + 1 :]


def putting(world: World, position: str, crowd: bool) -> Put:
    """The function that puts one thing somewhere, if there is room."""
    low, everyone, sight, holders, room = position == "bottom", world.everyone, world.sight, world.holders, rooms(world, crowd)
    hides, into = [rule is not None for rule in world.hidden_while], [bits or 0 for bits in sight]
    outers, odd = world.around, odd_ones(world)

    def apart(m: Machine, component: int, to: int) -> bool:
        """Whether it is plain that a component does not lie in itself when it is put somewhere, nor is ever face down."""
        outer = outers[to]
        return not hides[component] and (outer is None or (outer != component and outers[m.state.where[outer]] is None))

    def with_care(m: Machine, component: int, to: int) -> None:
        if m.state.where[component] == to:
            m.lay(component, to, position)
        elif crowd or m.room_in(to) > 0:
            m.move(component, to, position)

    def put(m: Machine, component: int, to: int) -> None:
        state = m.state
        where, members = state.where, state.members
        before, there = where[component], members[to]
        one = sight[before]
        if len(there) >= room[to] or before == to or one is None:
            with_care(m, component, to)
            return
        if odd[component] and not apart(m, component, to):
            with_care(m, component, to)
            return
        left = members[before]
        state.journal.append((MOVED, component, before, left, there))
        if left[-1] == component:
            members[before] = left[:-1]
        else:
            at = left.index(component)
            members[before] = left[:at] + left[at + 1 :]
        members[to] = (component, *there) if low else there + (component,)  # noqa: RUF005 - this is the quicker way
        where[component] = to
        state.version += 1
        told, holder, other = everyone, holders[before], holders[to]
        if (holder is not None and (hides[holder] or sight[where[holder]] != everyone)) or (
            other is not None and (hides[other] or sight[where[other]] != everyone)
        ):
            told = m.tellers(before, to)
        note = m.note
        note(("move", m.said, component, before, to, one | into[to] | state.known[component], told))

    return put if world.twins is None else world.twins.put(put, position, crowd)


def putting_all(world: World, position: str, crowd: bool) -> PutAll:
    """The function that puts several things somewhere, as far as there is room."""
    low, sight, room, put = position == "bottom", world.sight, rooms(world, crowd), putting(world, position, crowd)
    odd = frozenset(each for each, is_odd in enumerate(odd_ones(world)) if is_odd)

    def put_all(m: Machine, what: Any, to: int | None) -> None:
        things = what if type(what) is list else many(what)
        if to is not None and things:
            if len(things) == 1:
                put(m, things[0], to)
            elif not together(m, things, to):
                for component in things[:]:
                    put(m, component, to)

    def together(m: Machine, things: list[int], to: int) -> bool:
        """Put several things from one place to another in one go, in the usual case; whether it is that."""
        state = m.state
        where, members, note, count = state.where, state.members, m.note, len(things)
        before, there, moved = where[things[0]], members[to], frozenset(things)
        one, other = sight[before], sight[to]
        if one is None or other is None or before == to or len(moved) != count or len(there) + count > room[to] or not odd.isdisjoint(moved):
            return False
        for each in things:
            if where[each] != before:
                return False
        left, journal, known, bits, told, said = members[before], state.journal, state.known, one | other, m.tellers(before, to), m.said
        journal.append((MEMBERS, before, left))
        journal.append((MEMBERS, to, there))
        members[before] = tuple([each for each in left if each not in moved])
        members[to] = (*things[::-1], *there) if low else (*there, *things)
        for each in things:
            journal.append((WHERE, each, before))
            where[each] = to
            note(("move", said, each, before, to, bits | known[each], told))
        state.version += count
        return True

    if world.twins is not None:
        together = world.twins.together(together, position, crowd)
    return put_all


# -- fields


def assigning(world: World, name: str) -> Assign:
    """The function that gives a field of that name another value."""
    everyone, opened, sight, hidden, slots = world.everyone, is_open(world), world.sight, world.hidden_while, {}
    for component, index in world.slots_of(name).items():
        kind = world.graph["kinds"].get(world.kinds[component])
        field = kind["fields"][name] if kind is not None else None
        low, high = world.ranges[world.kinds[component]][name]
        public = field is None or (opened and field["seen_by"] is None)
        slots[component] = (index, low, high, public, field is not None and _own(field) and hidden[component] is None)

    def assign(m: Machine, component: int, value: Any) -> None:
        slot = slots.get(component)
        if slot is None:
            return
        index, low, high, public, own = slot
        if low is not None and type(value) is int and (high is None or not low <= value <= high):
            m.check_range(component, name, value, low, high)
        state = m.state
        values = state.values
        before = values[index]
        if before == value:
            return
        if type(value) is list:
            value = value[:]
        state.journal.append((VALUES, index, before))
        values[index] = value
        state.version += 1
        if public:
            seen = everyone
        elif own and (bits := sight[state.where[component]]) is not None:
            seen = bits | state.known[component]
        else:
            seen = m.readers_of(component, name, before, value)
        note = m.note
        note(("set", m.said, component, name, before, value, seen))

    return assign if world.twins is None else world.twins.assign(assign, name, slots)


def _own(field: dict[str, Any]) -> bool:
    """Whether everyone who can tell a component can read a field of it."""
    of = field["type"]
    return field["seen_by"] is None and (of.get("of") or of)["how"] not in ("kind", "place")


# -- words


def telling(world: World, letters: int, things: int, numbers: int) -> Tell:
    """The function that notes a message for everyone: words with so many letters, and labels of things and numbers between them.

    It is given the parts, and the numbers of the things. The parts are put together when somebody reads the log; none of them is so long that the whole could be
    too long.
    """
    everyone, sight, hides, count = world.everyone, world.sight, [rule is not None for rule in world.hidden_while], world.count
    opened = is_open(world)

    def tell_with_care(m: Machine, parts: tuple[str | int, ...], named: tuple[int, ...]) -> None:
        tell(m, tuple(map(str, parts)), named)

    def tell_plainly(m: Machine, parts: tuple[str | int, ...], named: tuple[int, ...]) -> None:
        if not opened:
            where = m.state.where
            for thing in named:
                if thing < count and (hides[thing] or sight[where[thing]] != everyone):
                    tell_with_care(m, parts, named)
                    return
        note = m.note
        note(("message", m.said, parts, everyone, None))

    if letters + things * max(map(len, world.labels)) + numbers * DIGITS > LONGEST:
        return tell_with_care
    return tell_plainly if world.twins is None else world.twins.tell(tell_plainly)


def tell(m: Machine, parts: tuple[str, ...], named: tuple[Any, ...]) -> None:
    """Note a message for everyone."""
    m.tell(text(m, parts), m.world.everyone, list(named))


# -- the log


def counted(m: Machine) -> Callable[[tuple[Any, ...]], None]:
    """What puts entries at the end of a log that may become too long."""
    log, most = m.state.log, m.budget.log

    def note(entry: tuple[Any, ...]) -> None:
        if len(log) >= most:
            m.fail(f"the log has more than {most:,} entries")
        log.append(entry)

    return note


# -- the end


def settle(m: Machine, players: Any, word: str) -> None:
    """Some players have won, lost or are out of the game."""
    state = m.state
    for player in many(players):
        outcomes = state.outcomes[:]
        if outcomes[player] != word and (outcomes[player] != "eliminated" or word == "won"):  # who is out stays out: to lose as well changes nothing
            outcomes[player] = word
            state.outcomes = outcomes
            state.version += 1
            m.write("outcome", player, word)


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


NAMES: dict[str, Any] = {"without": without, "tell": tell, "settle": settle, "in_order": in_order}
LOOKUPS: dict[str, Callable[..., Any]] = {
    "rooms": rooms,
    "odd": odd_ones,
    "putting": putting,
    "putting_all": putting_all,
    "assigning": assigning,
    "telling": telling,
}
