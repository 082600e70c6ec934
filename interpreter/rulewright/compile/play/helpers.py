"""What generated code calls: small functions that mean exactly what `run.evaluate` and `run.finding` mean."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rulewright.run.code import many
from rulewright.run.evaluate import LONGEST

if TYPE_CHECKING:
    from rulewright.run.machine import Machine

REMEMBERED = 10_000
LABELLED = ("kind", "place", "track", "any")  # sorts of values of which a number is that of a component or place


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; the order of several things does not count."""
    if type(a) is list or type(b) is list:
        a, b = sorted(many(a), key=str), sorted(many(b), key=str)
    return bool(a == b)


def text(m: Machine, parts: tuple[str, ...]) -> str:
    """Parts of a text put together."""
    made = "".join(parts)
    if len(made) > LONGEST:
        m.fail(f"a text of {len(made):,} characters")
    return made


def shown(m: Machine, value: Any, how: str) -> str:
    """A value as it appears in a text."""
    if type(value) is int:
        return m.world.labels[value] if how in LABELLED else str(value)
    return m.shown(value, how)


def field(m: Machine, thing: Any, name: str) -> Any:
    """A field that is not simply declared."""
    return None if thing is None else m.get(thing, name)


def quotient(m: Machine, a: int, b: int) -> int:
    """Whole division."""
    if b == 0:
        m.fail("a division by zero")
    return bounded(m, int(a // b))


def remainder(m: Machine, a: int, b: int) -> int:
    """What is left of a division, never negative."""
    if b == 0:
        m.fail("a division by zero")
    return bounded(m, int(a % abs(b)))


def bounded(m: Machine, number: int) -> int:
    """A number that is not too great."""
    if abs(number) > 10**12:
        too_great(m)
    return number


def too_great(m: Machine) -> None:
    """A number has become too great."""
    m.fail("a number that grows without bound")


def is_in(m: Machine, thing: Any, where: Any) -> bool:
    """Whether something is one of several things, or lies in a place or in one of several."""
    if thing is None or where is None:
        return False
    if type(where) is list:
        return thing in where or (type(thing) is int and thing < m.world.count and m.holds_places(where) and m.state.where[thing] in where)
    return bool(m.state.where[thing] == where)


def is_empty(m: Machine, thing: Any) -> bool:
    """Whether there is nothing in a place or among several things."""
    if thing is None:
        return True
    return not (thing if type(thing) is list else m.state.members[thing])


def members_of(m: Machine, places: Any) -> Iterable[int]:
    """What lies in a place, or in several."""
    inside = m.state.members
    if type(places) is list:
        return [member for place in places for member in inside[place]]
    return () if places is None else inside[places]


def bare(places: list[int], members: list[tuple[int, ...]]) -> list[int]:
    """The places in which nothing lies."""
    return [each for each in places if not members[each]]


def lying_in(m: Machine, among: frozenset[int], places: tuple[Any, ...]) -> list[int]:
    """Those of certain components that lie in certain places, or are named there themselves, in the order of declaration."""
    found: set[int] = set()
    inside, components = m.state.members, m.world.count
    for place in places:
        if type(place) is list:
            for each in place:
                if type(each) is int:
                    if each < components:
                        found.add(each)
                    found.update(inside[each])
        elif place is not None:
            found.update(inside[place])
    return sorted(found & among)


def links_of(table: dict[int, list[int]], ends: Any) -> list[int]:
    """The links at any of several places."""
    return sorted({link for end in many(ends) for link in table.get(end, ())})


def remember(memory: dict[Any, Any], key: Any, found: list[int]) -> None:
    """Keep an answer that will never change, unless there are too many."""
    if len(memory) >= REMEMBERED:
        memory.clear()
    memory[key] = found


def looked(m: Machine, things: int) -> int:
    """Note that so many things were looked at; gives how many have not been noted."""
    m.look(things)
    return 0


def asks_itself(m: Machine, path: str) -> None:
    """A value leads to itself without end."""
    m.exhaust(f"the value '{path}' asks itself without end")


NAMES: dict[str, Any] = {
    "same": same, "text": text, "shown": shown, "field": field, "quotient": quotient, "remainder": remainder, "too_great": too_great, "is_in": is_in,
    "is_empty": is_empty, "members_of": members_of, "bare": bare, "lying_in": lying_in, "links_of": links_of, "remember": remember, "looked": looked,
    "asks_itself": asks_itself, "many": many, "FIRST": itemgetter(0), "NOTHING": [], "EMPTY": {},
}  # fmt: skip
