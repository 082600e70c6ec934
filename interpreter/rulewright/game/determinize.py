"""Determinization: a game as it could be, as far as one player can tell.

Takes a machine and a player, and deals again at random everything that this player cannot know: hidden components change positions among themselves, hidden field
values change, secret answers are open again, and the dice will fall differently. The player's view is the same before and after; whatever would change it
stays as it was. A bot that thinks about such games cannot cheat.

What everyone can read on a component that a player cannot tell, as far as the player could read it since, is read in the imagined game too (see `backs`).

Components change places only where they could have been mixed since the player could last tell them (see `memory`): each mixing is dealt again, one after the
other, among what the player has not seen since, and the log says what would have happened then. What was seen and can be followed stays where it is, also where
it cannot be seen now. What an effect that is going on or a field refers to is a position to whoever cannot see it: the reference goes over to the component that
now lies there (see `renaming`), and a local name that says what can be read there says what can be read now. Only a component whose own text is being carried
out stays what it is.

A hidden field holds any value it could have if what is written there was answered in secret since it could last be read. Otherwise it has come from the rules
or by chance: then the values of the same field are dealt again among all of whom the player cannot read it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable
from typing import Any

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.errors import RulesError
from rulewright.game.answers import forget, reopen
from rulewright.game.backs import Backs, Read
from rulewright.game.decisions import names
from rulewright.game.engine import Engine, Stepping
from rulewright.game.memory import Memory, memory_of
from rulewright.game.references import live
from rulewright.game.renaming import acting, rename
from rulewright.game.sampling import Sampling
from rulewright.game.views import Observer
from rulewright.step.closures import code
from rulewright.step.instructions import run
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.rehearse import spared
from rulewright.step.state import Entry, Frame, State, Value

MOST = 10_000  # values of one field that are considered
Change = tuple[str, list[int], list[Any]]  # what is changed: components, by what they give way to, or slots, by their values or what those could be
Echo = tuple[int, c.Let]  # a frame, and what gives one of its names a value


def imagined(engine: Engine, player: int | None, seed: int) -> Stepping:
    """An engine of its own with a game that this player (from 0), or a spectator (None), cannot tell from another by looking."""
    memory = memory_of(engine.machine, Observer(engine.machine, player).bit)
    made = Stepping(engine.machine.linked, engine.machine.state.clone(), engine.machine.budget)
    machine = made.machine
    machine.asked, machine.needed = engine.machine.asked, engine.machine.needed
    machine.sampler = Sampling(ask=True) if machine.needed is not None else None
    machine.state.loose = machine.state.loose if machine.needed is not None else ()
    determinize(machine, player, seed, memory)
    return made


def determinize(machine: Machine, player: int | None, seed: int, memory: Memory) -> None:
    """Let a machine, which is a clone, be one that this player (from 0), or a spectator (None), cannot tell from what it was; `memory` is theirs."""
    state, observer = machine.state, Observer(machine, player)
    for frame in state.frames:  # names that nothing reads any more say nothing
        still = live(machine.linked, frame.at)
        frame.names[:] = [value if slot in still else None for slot, value in enumerate(frame.names)]
    answers = answers_of_chance(machine)
    # The seed is stirred first: neighbouring seeds would give neighbouring streams.
    state.random = chance.advance(chance.start(seed))[1]
    echoing = echoes(machine)
    standing = [frame.copy() for frame in state.frames[-1:]]
    reopen(machine, player)
    guesses = forget(machine, player)
    moved, log, backs = mixed_again(machine, observer, memory, acting(machine) | (answers or set()))
    changes = cycles(moved, backs) + hidden_values(machine, observer, memory, guesses)
    if changes and deal(machine, observer, changes):
        machine.state.log = log
    for number, node in echoing:
        names_there = machine.state.frames[number].names
        names_there[node.slot] = code(machine.linked, node.value)(machine, names_there[:])
    machine.state.random = chance.advance(machine.state.random)[1]
    ask_again(machine)
    begin_again(machine, standing)


def answers_of_chance(machine: Machine) -> set[int] | None:
    """What chance may answer, if it is chance that is asked: all are told that, so it stays as it is."""
    if machine.needed is None:
        return None
    told = {name for answer, _ in machine.needed.options for name in (str(answer), str(answer).rpartition(".")[0])}
    return {each for each, name in enumerate(machine.world.definitions) if name in told}


def begin_again(machine: Machine, standing: list[Frame]) -> None:
    """Let whoever has to begin a block of choices again (see `reopen`) come to their first question; if nobody has one any more, all stays where it stood."""
    if machine.asked is None or machine.needed is not None or isinstance(machine.linked.code[machine.state.frames[-1].at], c.Ask):
        return
    kept, asked = machine.state.clone(), machine.asked
    with contextlib.suppress(RulesError):
        run(machine)
    if (
        machine.asked is None
        or machine.needed is not None
        or (len(machine.state.frames), len(machine.state.log)) != (len(kept.frames), len(kept.log))
    ):
        machine.state, machine.asked, machine.needed = kept, asked, None
        machine.state.frames[-1:] = standing
        ask_again(machine)


def ask_again(machine: Machine) -> None:
    """What is asked, as the state is now; who has to begin again (see `reopen`) is not asked yet."""
    if machine.needed is None and machine.asked is not None:
        frame = machine.state.frames[-1]
        node = machine.linked.code[frame.at]
        if isinstance(node, c.Ask):
            machine.asked = machine.asked[0], code(machine.linked, node.values)(machine, frame.names)


# -- names that echo the state


def echoes(machine: Machine) -> list[Echo]:
    """Local names that still say what their expression says: to be asked again when something has changed."""
    linked, found = machine.linked, []
    given = bound_once(linked)
    for number, frame in enumerate(machine.state.frames):
        for node in given.get(linked.unit_at[frame.at], ()):
            value = frame.names[node.slot]
            if value is not None and code(linked, node.value)(machine, frame.names[:]) == value:
                found.append((number, node))
    return found


def bound_once(linked: Linked) -> dict[str, list[c.Let]]:
    """For every unit the names of the rules that one statement alone gives a value, and that stand for no components."""
    if "bound once" not in linked.notes:
        nodes, program = linked.world.graph["nodes"], linked.program
        times: dict[tuple[str, c.Slot], list[c.Instruction]] = {}
        for block in program.blocks:
            for node in block.code:
                for slot in (getattr(node, name, None) for name in ("slot", "value", "status") if name == "slot" or isinstance(node, c.Result)):
                    if type(slot) is int:
                        times.setdefault((block.unit, slot), []).append(node)
        found: dict[str, list[c.Let]] = {}
        for (unit, slot), given in times.items():
            node = given[0]
            written = isinstance(node, c.Let) and node.origin in nodes and nodes[node.origin]["op"] == "bind"
            if len(given) == 1 and isinstance(node, c.Let) and written and program.units[unit].locals[slot].sort not in ("kind", "any"):
                found.setdefault(unit, []).append(node)
        linked.notes["bound once"] = found
    made: dict[str, list[c.Let]] = linked.notes["bound once"]
    return made


# -- dealing


def deal(machine: Machine, observer: Observer, changes: list[Change]) -> bool:
    """All changes at once; if any of them shows, one after another, without those that do. Whether all were made."""
    before, seen = machine.state.clone(), shown(machine, observer)
    apply(machine, changes)
    if shown(machine, observer) == seen:
        return True
    machine.state = before
    for change in changes:
        kept = machine.state.clone()
        apply(machine, [change])
        if shown(machine, observer) != seen:
            kept.random = machine.state.random
            machine.state = kept
    return False


def shown(machine: Machine, observer: Observer) -> Any:
    """What the observer sees: the view, and what they may choose; or that somebody else has something to choose from."""
    if machine.asked is None or machine.needed is not None:
        return observer.view(), None
    ask_again(machine)
    player, values = machine.asked
    if player != observer.player:
        return observer.view(), any(value is not None for value in values)
    node = machine.linked.code[machine.state.frames[-1].at]
    assert isinstance(node, c.Ask)
    return observer.view(), list(names(machine, player, machine.program.questions[node.question], spared(machine, values), machine.linked.wording))


def apply(machine: Machine, changes: list[Change]) -> None:
    """Make some changes."""
    values = machine.state.values
    instead: dict[int, int] = {}
    for how, old, new in changes:
        if how == "move":
            components = [component for component, _ in new]
            exchange(machine.state, old, components)
            instead.update(zip(old, components, strict=True))
            for _, written in new:
                for slot, value in written.items():
                    values[slot] = value
        elif how == "guess":
            values[old[0]] = new[machine.below(len(new))]
        else:
            for slot, number in zip(old, shuffled(machine, len(old)), strict=True):
                values[slot] = new[number]
    if instead:
        rename(machine, instead)


def shuffled(machine: Machine, count: int) -> list[int]:
    """The numbers up to a count in a random order."""
    machine.state.random, order = chance.permutation(machine.state.random, count)
    return order


def exchange(state: State, old: list[int], new: list[int]) -> None:
    """Put each of some components at the position of another; what others know of a position stays with the position."""
    positions = [(state.where[each], state.members[state.where[each]].index(each), state.known[each]) for each in old]
    for component, (place, index, known) in zip(new, positions, strict=True):
        state.where[component] = place
        state.members[place] = (*state.members[place][:index], component, *state.members[place][index + 1 :])
        state.known[component] = known


# -- what was mixed


def mixed_again(machine: Machine, observer: Observer, memory: Memory, fixed: set[int]) -> tuple[dict[int, int], list[Entry], Backs]:
    """How everything that the observer has lost sight of could have been mixed: what lies now instead of each component, the log as it would be then, and what
    could be read on everything."""
    world, log, at = machine.world, machine.state.log[:], 0
    hidden = {each for each in range(world.count) if not observer.knows(each) and each not in fixed and not contains(machine, each)}
    covered = {each: lies_covered(machine, each) for each in hidden}
    now: dict[int, int] = {}
    backs = Backs(machine, memory)
    plain = {each for each in hidden if machine.back_of(each)} if world.has_backs else set()  # what can be read behind now
    for number, mixed in memory.mixings:
        at = told_otherwise(machine.linked, log, memory.unseen, at, number, now)
        backs.follow(number, now)
        for group in together((covered[each], each) for each in mixed if each in hidden):
            read = {each for each in group if each in plain or memory.read_behind[each] >= number} if world.has_backs else set()
            mix(machine, now, group, {each: backs.of(each, backs.real) for each in read}, backs)
    told_otherwise(machine.linked, log, memory.unseen, at, len(log), now)
    backs.follow(len(log), now)
    return {old: new for old, new in now.items() if old != new}, log, backs


def mix(machine: Machine, now: dict[int, int], group: list[int], read: dict[int, Read], backs: Backs) -> None:
    """Deal again what lies instead of some components, so that where something was read since the same can be read; where something would come to where it
    cannot lie, only among those of its kind."""
    world, where = machine.world, machine.state.where
    present = [now.get(each, each) for each in group]
    dealt = dealt_again(machine, present, [read.get(each) for each in group], backs)
    holds = [world.place_spec(where[each])["holds"] for each in group]
    if all(noun is None or world.is_a(each, noun) for each, noun in zip(dealt, holds, strict=True)):
        now.update(zip(group, dealt, strict=True))
        return
    for kin in together((world.kinds[each], index) for index, each in enumerate(present)):
        again = dealt_again(machine, [present[index] for index in kin], [read.get(group[index]) for index in kin], backs)
        now.update((group[index], each) for index, each in zip(kin, again, strict=True))


def dealt_again(machine: Machine, present: list[int], wanted: list[Read | None], backs: Backs) -> list[int]:
    """Some components in any order in which something can be read where it is wanted."""
    order = [present[number] for number in shuffled(machine, len(present))]
    if not any(read is not None for read in wanted):
        return order
    left: dict[Read, list[int]] = {}
    for each in order:
        left.setdefault(backs.of(each, backs.imagined), []).append(each)
    fitting = {index: left[read].pop(0) for index, read in enumerate(wanted) if read is not None}
    others = [each for kept in left.values() for each in kept]  # in any order of their own: which of those alike was taken first says something
    rest = iter([others[number] for number in shuffled(machine, len(others))])
    return [fitting[index] if index in fitting else next(rest) for index in range(len(present))]


def told_otherwise(linked: Linked, log: list[Entry], unseen: list[int], at: int, until: int, now: dict[int, int]) -> int:
    """Let the log speak, up to an entry, of what lay then instead of what the observer could not tell; gives how many such entries there have been."""
    while at < len(unseen) and unseen[at] < until:
        entry = log[unseen[at]]
        log[unseen[at]] = told_of(linked, entry, now)
        at += 1
    return at


def told_of(linked: Linked, entry: Entry, now: dict[int, int]) -> Entry:
    """An entry that speaks of other components."""
    kinds = linked.world.kinds
    if entry[0] == "show":
        return (*entry[:2], tuple([now.get(each, each) for each in entry[2]]), *entry[3:])
    if entry[0] == "choice":
        value, felt = entry[4], entry[5]
        if entry[3] is None:  # read from a save, in words
            names, labels = linked.world.identities, linked.world.labels
            old = names.index(value) if value in names else None
            new = now.get(old, old) if old is not None else None
            return (
                entry
                if old is None or new is None
                else (*entry[:4], names[new], felt, labels[new] if entry[6] == labels[old] else entry[6], *entry[7:])
            )
        by_name = any(linked.program.questions[entry[3]].written)
        felt = None if felt is None else (*felt[:-1], now.get(felt[-1], felt[-1]))
        return entry if by_name else (*entry[:4], now.get(value, value), felt, *entry[6:])
    other: Any = now.get(entry[2], entry[2])
    return (*entry[:2], other, *entry[3:]) if entry[0] == "move" or kinds[other] == kinds[entry[2]] else entry


def lies_covered(machine: Machine, component: int) -> bool:
    """Whether a component lies face down by itself, so that it is hidden in the open too."""
    if machine.world.hidden_while[component] is None:
        return False
    return bool(machine.ask_function(machine.program.sight.hidden[machine.world.kinds[component]], component))


def contains(machine: Machine, component: int) -> bool:
    """Whether something lies in a component, so that its own place can be told."""
    return any(machine.state.members[place] for place in machine.world.places_of.get(component, ()))


def cycles(moved: dict[int, int], backs: Backs) -> list[Change]:
    """What changes places, in parts that can be done each for itself, each component with what is written on it for everyone."""
    found: list[Change] = []
    left = {each: each for each in backs.rewritten()} | moved
    while left:
        old = [next(iter(left))]
        while left[old[-1]] != old[0]:
            old.append(left[old[-1]])
        found.append(("move", old, [(new, backs.written_on(new)) for new in map(left.pop, old)]))
    return found


# -- what is written on things


def hidden_values(machine: Machine, observer: Observer, memory: Memory, guesses: dict[tuple[int | None, Value], Value]) -> list[Change]:
    """Fields that the observer cannot read. One that holds what somebody has answered in secret could hold anything, but for what was answered before their eyes;
    others change values with the same field of others of their kind, or where there is none have any that they can."""
    world, values = machine.world, machine.state.values
    secrets = memory.secrets
    found: list[Change] = []
    dealt: list[tuple[Hashable, int]] = []
    for component in range(world.count):
        kind = world.kinds[component]
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if field["seen_by"] is None or observer.can(machine.field_readers(component, name)):
                continue
            slot = world.base[component] + world.slots[kind][name]
            decider = machine.decider(component)
            if name not in secrets.answered | secrets.drawn:
                dealt.append(((kind, name), slot))
            elif memory.is_untold(component, name, decider) or not observer.knows(component):
                key = (decider, values[slot])
                possible = [guesses[key]] if key in guesses else values_of(machine.linked, field["type"], values[slot])
                found += [("guess", [slot], possible)] if possible else []
    for slots in together(dealt):
        if len(slots) > 1:
            found.append(("value", slots, [values[slot] for slot in slots]))
        else:
            component = world.component_at(slots[0])
            name = list(world.slots[world.kinds[component]])[slots[0] - world.base[component]]
            possible = values_of(machine.linked, world.graph["kinds"][world.kinds[component]]["fields"][name]["type"], values[slots[0]])
            found += [("guess", slots, possible)] if possible else []
    return found


def values_of(linked: Linked, of: dict[str, Any], value: Value) -> list[Value]:
    """What a field could say, if that is known; nothing is not among it."""
    if of["how"] == "number":
        low, high = of.get("low", 0), of.get("high")
        if high is None:  # any number: as large as numbers are in games, or as this one
            low, high = 0, max(9, 2 * abs(value or 0))
        return list(range(low, min(high, low + MOST) + 1))
    if of["how"] == "words":
        return [linked.word(word) for word in of.get("words", [])]
    return {"flag": [0, 1], "kind": linked.world.by_noun.get(of.get("name", ""), [])}.get(of["how"], [])


def together(pairs: Iterable[tuple[Hashable, int]]) -> Iterable[list[int]]:
    """Lists of what has the same key."""
    found: dict[Hashable, list[int]] = {}
    for key, each in pairs:
        found.setdefault(key, []).append(each)
    return found.values()
