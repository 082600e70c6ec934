"""What generated bodies call to move, draw and ask.

Everything here means what the functions of the same purpose in `run` mean; what is decided there is asked there.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compile.play.helpers import text
from interpreter.compile.play.resuming import choice, choice_frames
from interpreter.run import asking
from interpreter.run.code import many
from interpreter.run.decision import Option as Shown
from interpreter.run.evaluate import LONGEST, evaluate
from interpreter.run.state import MEMBERS, VALUES, WHERE
from interpreter.run.visibility import Eyes

if TYPE_CHECKING:
    from interpreter.run.machine import Machine
    from interpreter.run.state import Frame
    from interpreter.run.world import World

DEEPEST = 25  # events inside each other that are carried out as Python calls inside each other
ENOUGH = asking.Option(asking.DONE, "Done", None, Shown(asking.DONE, "Done"))
NOTHING = asking.Option(asking.NONE, "None", None, Shown(asking.NONE, "None"))
Node = dict[str, Any]
Variables = dict[str, Any]


# -- moving


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
    journal.append((WHERE, component, before))
    journal.append((MEMBERS, before, left))
    journal.append((MEMBERS, to, there))
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
    log.append(("move", *said, component, before, to, one | other | state.known[component], told))
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
    journal.append((MEMBERS, before, left))
    journal.append((MEMBERS, to, there))
    members[before] = tuple([each for each in left if each not in moved])
    members[to] = (*things[::-1], *there) if position == "bottom" else (*there, *things)
    for each in things:
        journal.append((WHERE, each, before))
        where[each] = to
        log.append(("move", *said, each, before, to, one | other | known[each], told))
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
        state.journal.append((VALUES, index, before))
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
    log.append(("message", *said, words, world.everyone, None))
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


# -- asking


def ask(m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None = None, picked: tuple[Any, ...] = ()) -> int:
    """A choice, perhaps one of an action's: 0 if there was nothing to ask, 1 if somebody has to decide, 2 if the reference engine has to see to it."""
    who = evaluate(m, node["who"], variables)
    if who == "chance":
        m.generic = True
        return 2
    player = m.decider(who)
    options, sure = _choosable(m, node, identity, variables, plan, picked, player)
    if m.is_asked(player) and options and (options[0].value is not None or not all(option.value is None for option in options)):
        left = (choice, choice_frames, None, None, identity, plan, picked)
        words = m.world.engine.words.get(identity, "") if plan is None else ""
        m.listed = (left, options, player, words) if sure else (left, options, player)
        m.pending.append(left)
        return 1
    if node["form"] not in ("option", "yes_no") and node["name"] is not None:
        variables[node["name"]] = list(picked) if node["form"] in asking.SEVERAL else None
    return 0


def _choosable(
    m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None, picked: tuple[Any, ...], player: int | None
) -> tuple[list[asking.Option], bool]:
    """What may be chosen, as `asking.choosable` has it, and whether it is certain that no two options have the same id."""
    form = node["form"]
    if node["as"] != "kind" or form == "value" or plan is not None:
        frame: Frame = {"f": "choose", "node": identity, "picked": list(picked), "waiting": None, "answers": None, "plan": plan}
        m.local = variables
        try:
            return asking.choosable(m, frame, node, player), False
        finally:
            m.local = None
    found = many(evaluate(m, node["from"], variables))
    if picked:
        found = [each for each in found if each not in picked]
    if len(found) > m.budget.options:
        m.fail(f"a choice among {len(found):,} options")
    if form in asking.SEVERAL and form != "any_number" and len(picked) >= asking.limit_of(m, node, variables):
        return [], True
    options = seen(m, found, player)
    if form in ("up_to", "any_number"):
        options.append(ENOUGH)
    elif node["optional"] and not picked:
        options.append(NOTHING)
    return options, m.world.engine.plain and len(set(found)) == len(found)


class One:
    """A choice of one component, as the rules have it in a world: everything about it that does not change."""

    def __init__(self, world: World, named: list[asking.Option], identity: str, words: str) -> None:
        node = world.graph["nodes"][identity]
        self.left = (choice, choice_frames, None, None, identity, None, ())
        self.name: str = node["name"]
        self.words = words  # what is asked; empty if that depends on the state
        self.prompted = node["prompt"] is not None
        self.optional: bool = node["optional"]
        self.named, self.faces = named, [option.face for option in named]
        self.players, self.everyone, self.costly = world.players, world.everyone, world.costly
        self.open = not any(world.hidden_while) and all(bits == world.everyone for bits in world.sight)  # whether everyone can always tell everything
        source = node["from"].get("source", {})
        self.distinct = node["from"]["op"] == "query" and source["op"] == "all"  # whether nothing can be found twice
        self.doubtful = self.optional and any(option.id == asking.NONE for option in named)  # whether two options may have the same id
        self.plain = bool(words) and not node["secret"] and not self.doubtful


def ask_one(m: Machine, one: One, who: Any, found: list[int], names: Variables) -> int:
    """A choice of one of some components: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < one.players else m.decider(who)
    count, most = len(found), m.budget.options
    if count > most:
        m.fail(f"a choice among {count:,} options")
    if player is None or not found or m.state.outcomes[player] == "eliminated":
        names[one.name] = None
        return 0
    options: list[Any] = found
    left, sure = one.left, one.distinct or len(set(found)) == count
    if sure and one.plain and count < most and (one.open or told(m, found, player)):
        faces = one.faces
        shown = itemgetter(*found)(faces) if count > 1 else (faces[found[0]],)
        if one.optional:
            options, shown = [*found, NOTHING], (*shown, NOTHING[3])
        m.listed = (left, options, player, one.words, one, shown)
    else:
        options = seen(m, found, player)
        if one.optional:
            options.append(NOTHING)
        m.listed = (left, options, player, one.words) if sure and not one.doubtful else (left, options, player)
    m.pending.append(left)
    return 1


def seen(m: Machine, found: list[int], player: int | None) -> list[asking.Option]:
    """Components as options for a player."""
    if player is not None and told(m, found, player):
        named = m.world.engine.named
        return [named[thing] for thing in found]
    eyes = Eyes(m, player)
    return [asking.named(m, eyes, thing) for thing in asking.veiled(m, eyes, found)]


def told(m: Machine, found: list[int], player: int) -> bool:
    """Whether it is plain that a player can tell all of some components."""
    world, state = m.world, m.state
    sight, hidden, where, known = world.sight, world.hidden_while, state.where, state.known
    for thing in found:
        bits = sight[where[thing]]
        if bits is None or hidden[thing] is not None or not (bits | known[thing]) >> player & 1:
            return False
    return True


def chance_one(m: Machine, name: str, found: list[int], names: Variables) -> None:
    """Chance chooses one of some components."""
    if found and not m.script.answers:
        names[name] = found[m.below(len(found))]
        return
    options = seen(m, found, None)
    names[name] = asking.random_option(m, options, counted=False) if options else None


def no_body(m: Machine, variables: Variables, at: int) -> int:
    """The body of what has none."""
    return 0


NAMES: dict[str, Any] = {
    "put": put, "put_all": put_all, "tell": tell, "assign": assign, "in_order": in_order, "ask": ask, "ask_one": ask_one, "chance_one": chance_one, "no_body": no_body, "DEEPEST": DEEPEST,
    "SELF": "self", "IT": "it",
}  # fmt: skip
