"""Imagining (determinization): a game as it could be, as far as one player can tell.

Takes a game and a player, gives a clone in which everything that this player cannot know has been dealt again at random: hidden components change
positions among themselves, hidden field values change, secret answers are open again, and the dice will fall differently. The player's view is
the same before and after; whatever would change it stays as it was. A bot that thinks about such games cannot cheat.

What everyone can read on a component that a player cannot tell, as far as the player could read it since, is read in the imagined game too.
Components change places only where they could have been mixed since the player could last tell them (see `memory`): each mixing is dealt again, one after the
other, among what the player has not seen since, and the log says what would have happened then. What was seen and can be followed stays where it is, also where
it cannot be seen now. What an effect that is going on or a field refers to is a position to whoever cannot see it: the reference goes over to the component that now lies there, and
a local name that says what can be read there says what can be read now. Only a component whose own text is being carried out stays what it is.

A hidden field holds any value it could have if what is written there was answered in secret since it could last be read. Otherwise it has come from the rules
or by chance: then the values of the same field are dealt again among all of whom the player cannot read it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from rulewright.core import chance
from rulewright.core.chance import Script
from rulewright.run import references
from rulewright.run.evaluate import evaluate, many, truth
from rulewright.run.machine import Machine
from rulewright.run.memory import Memory, memory_of
from rulewright.run.questions import question
from rulewright.run.state import Entry, Frame, State, copied
from rulewright.run.visibility import Eyes, back_of, readers_of

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.game import Game

MOST = 10_000  # values of one field that are considered
Change = tuple[str, list[int], list[Any]]  # what is changed: components, by what they give way to, or slots, by their values or what those could be


def imagine(game: Game, player: int | None, seed: int) -> Game:
    """A clone that this player (from 0), or a spectator (None), cannot tell from the game by looking."""
    made = game.clone()
    machine = made._machine
    machine.state.frames = copied(machine.state.frames)
    answers = _answers_of_chance(machine)
    machine.script, made._asked, made._decision = Script(ask=answers is not None), None, None
    machine.state.loose = machine.state.loose if answers is not None else []
    # The seed is stirred first: neighbouring seeds would give neighbouring streams.
    machine.state.random = chance.advance(chance.start(seed))[1]
    eyes = Eyes(machine, player)
    echoes = references.echoes(machine)
    memory = memory_of(machine, eyes)
    _reopen(machine, player)
    guesses = _forget(machine, player)
    moved, log, backs = _mixed_again(machine, eyes, memory, references.acting(machine) | (answers or set()))
    changes = _cycles(moved, backs) + _hidden_values(machine, eyes, memory, guesses)
    if changes and _deal(machine, eyes, changes):
        machine.state.log = log
    for number, name, expression in echoes:
        variables = machine.state.frames[number]["vars"]
        variables[name] = evaluate(machine, expression, variables)
    machine.state.random = chance.advance(machine.state.random)[1]
    return made


def _answers_of_chance(machine: Machine) -> set[int] | None:
    """What chance may answer, if it is chance that is asked: all are told that, so it stays as it is, and chance is asked in the imagined game too."""
    frames: list[Frame] = machine.state.frames
    if not frames or frames[-1]["f"] != "chance":
        return None
    names = {name for answer, _ in frames[-1]["options"] for name in (str(answer), str(answer).rpartition(".")[0])}
    return {each for each, name in enumerate(machine.world.definitions) if name in names}


def _deal(machine: Machine, eyes: Eyes, changes: list[Change]) -> bool:
    """All changes at once; if any of them shows, one after another, without those that do. Whether all were made."""
    before, seen = machine.state.clone(), _shown(machine, eyes)
    _apply(machine, changes)
    if _shown(machine, eyes) == seen:
        return True
    machine.state = before
    for change in changes:
        kept = machine.state.clone()
        _apply(machine, [change])
        if _shown(machine, eyes) != seen:
            kept.random = machine.state.random
            machine.state = kept
    return False


def _shown(machine: Machine, eyes: Eyes) -> Any:
    """What these eyes see: the view, and what they may choose; or that somebody else has something to choose from."""
    asked = question(machine)
    options = [] if asked is None else [option.id for option in asked[3]]
    return eyes.view(), options if asked is not None and asked[0] == eyes.player else bool(options)


def _apply(machine: Machine, changes: list[Change]) -> None:
    values = machine.state.values
    instead: dict[int, int] = {}
    for how, old, new in changes:
        if how == "move":
            components = [component for component, _ in new]
            _exchange(machine.state, old, components)
            instead.update(zip(old, components, strict=True))
            for _, written in new:
                for slot, value in written.items():
                    values[slot] = value
        elif how == "guess":
            values[old[0]] = new[machine.below(len(new))]
        else:
            for slot, number in zip(old, machine.shuffled(len(old)), strict=True):
                values[slot] = new[number]
    for holder, key in references.slots(machine) if instead else ():
        holder[key] = instead.get(holder[key], holder[key])
    machine.state.loose = [[instead.get(each, each) for each in group] for group in machine.state.loose]


def _exchange(state: State, old: list[int], new: list[int]) -> None:
    """Put each of some components at the position of another; what others know of a position stays with the position."""
    positions = [(state.where[each], state.members[state.where[each]].index(each), state.known[each]) for each in old]
    for component, (place, index, known) in zip(new, positions, strict=True):
        state.where[component] = place
        state.members[place] = (*state.members[place][:index], component, *state.members[place][index + 1 :])
        state.known[component] = known


# -- what was mixed


class Backs:
    """What everyone could read on components in the course of a game: as it was, and as it is imagined."""

    def __init__(self, machine: Machine, memory: Memory) -> None:
        self.world, self.values = machine.world, machine.state.values
        self.log, self.marked, self.at = machine.state.log, memory.marked, 0
        self.real: dict[int, Any] = {}
        for number in reversed(self.marked):
            self.real[self._slot(number, self.log[number][2])] = self.log[number][4]
        self.imagined = dict(self.real)

    def _slot(self, number: int, component: int) -> int:
        """Where the field of which an entry speaks is on a component."""
        return int(self.world.base[component] + self.world.slots[self.world.kinds[component]][self.log[number][3]])

    def follow(self, until: int, now: dict[int, int]) -> None:
        """Write what was written up to an entry on what lay there then."""
        while self.at < len(self.marked) and self.marked[self.at] < until:
            number = self.marked[self.at]
            component: int = self.log[number][2]
            value = self.log[number][5]
            self.real[self._slot(number, component)] = value
            self.imagined[self._slot(number, now.get(component, component))] = value
            self.at += 1

    def of(self, component: int, written: dict[int, Any]) -> str:
        """What can be read on a component: `real` or `imagined`."""
        base = self.world.base[component]
        return str([(name, written.get(base + slot, self.values[base + slot])) for name, slot, _ in self.world.backs[component]])

    def rewritten(self) -> set[int]:
        """The components on which something else can be read than really can."""
        return {self.world.component_at(slot) for slot, value in self.imagined.items() if value != self.values[slot]}

    def written_on(self, component: int) -> dict[int, Any]:
        """The values that an imagined component has, by their slots."""
        slots = (self.world.base[component] + slot for _, slot, _ in self.world.backs[component])
        return {slot: self.imagined[slot] for slot in slots if slot in self.imagined}


def _mixed_again(machine: Machine, eyes: Eyes, memory: Memory, fixed: set[int]) -> tuple[dict[int, int], list[Entry], Backs]:
    """How everything that these eyes have lost sight of could have been mixed: what lies now instead of each component, the log as it would be then, and what
    could be read on everything."""
    world, state = machine.world, machine.state
    hidden = {each for each in range(world.count) if not eyes.knows(each) and each not in fixed and not _contains(machine, each)}
    looks = {each: _is_face_down(machine, each) for each in hidden}
    log, unseen, at = state.log[: state.log_length], memory.unseen, 0
    now: dict[int, int] = {}
    backs = Backs(machine, memory)
    plain = {each for each in hidden if back_of(machine, each)} if world.has_backs else set()  # what can be read behind now
    for number, mixed in memory.mixings:
        at = _told_otherwise(world, log, unseen, at, number, now)
        backs.follow(number, now)
        alike = _together((looks[each], each) for each in mixed if each in hidden)
        for group in alike:
            read = {each for each in group if each in plain or memory.read_behind[each] >= number} if world.has_backs else set()
            _mix(machine, now, group, {each: backs.of(each, backs.real) for each in read}, backs)
    _told_otherwise(world, log, unseen, at, state.log_length, now)
    backs.follow(state.log_length, now)
    return {old: new for old, new in now.items() if old != new}, log, backs


def _mix(machine: Machine, now: dict[int, int], group: list[int], read: dict[int, str], backs: Backs) -> None:
    """Deal again what lies instead of some components, so that where something was read since the same can be read; where something would come to where it
    cannot lie, only among those of its kind."""
    world, where = machine.world, machine.state.where
    present = [now.get(each, each) for each in group]
    dealt = _dealt(machine, present, [read.get(each) for each in group], backs)
    holds = [world.place_spec(where[each])["holds"] for each in group]
    if all(noun is None or world.is_a(each, noun) for each, noun in zip(dealt, holds, strict=True)):
        now.update(zip(group, dealt, strict=True))
        return
    for kin in _together((world.kinds[each], index) for index, each in enumerate(present)):
        again = _dealt(machine, [present[index] for index in kin], [read.get(group[index]) for index in kin], backs)
        now.update((group[index], each) for index, each in zip(kin, again, strict=True))


def _dealt(machine: Machine, present: list[int], wanted: list[str | None], backs: Backs) -> list[int]:
    """Some components in any order in which something can be read where it is wanted."""
    order = [present[number] for number in machine.shuffled(len(present))]
    if not any(wanted):
        return order
    left: dict[str, list[int]] = {}
    for each in order:
        left.setdefault(backs.of(each, backs.imagined), []).append(each)
    fitting = {index: left[read].pop(0) for index, read in enumerate(wanted) if read is not None}
    others = [each for kept in left.values() for each in kept]  # in any order of their own: which of those alike was taken first says something
    rest = iter([others[number] for number in machine.shuffled(len(others))])
    return [fitting[index] if index in fitting else next(rest) for index in range(len(present))]


def _told_otherwise(world: World, log: list[Entry], unseen: list[int], at: int, until: int, now: dict[int, int]) -> int:
    """Let the log speak, up to an entry, of what lay then instead of what these eyes could not tell; gives how many such entries there have been."""
    while at < len(unseen) and unseen[at] < until:
        entry = log[unseen[at]]
        if entry[0] == "show":
            log[unseen[at]] = (*entry[:2], [now.get(each, each) for each in entry[2]], *entry[3:])
        elif now.get(entry[2], entry[2]) != entry[2] and (entry[0] == "move" or world.kinds[now[entry[2]]] == world.kinds[entry[2]]):
            log[unseen[at]] = (*entry[:2], now[entry[2]], *entry[3:])
        at += 1
    return at


def _is_face_down(machine: Machine, component: int) -> bool:
    """Whether a component lies face down by itself, so that it is hidden in the open too."""
    rule = machine.world.hidden_while[component]
    return rule is not None and truth(machine, rule, {"self": component})


def _contains(machine: Machine, component: int) -> bool:
    """Whether something lies in a component, so that its own place can be told."""
    return any(machine.state.members[place] for place in machine.world.places_of.get(component, ()))


def _cycles(moved: dict[int, int], backs: Backs) -> list[Change]:
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


def _hidden_values(machine: Machine, eyes: Eyes, memory: Memory, guesses: dict[tuple[int | None, Any], Any]) -> list[Change]:
    """Fields that these eyes cannot read. One that holds what somebody has answered in secret could hold anything, but for what was answered before these eyes;
    others change values with the same field of others of their kind, or where there is none have any that they can."""
    world, values = machine.world, machine.state.values
    secrets, found, dealt = references.secrets_of(world), [], []
    for component in range(world.count):
        kind = world.kinds[component]
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if field["seen_by"] is None or eyes.can(readers_of(machine, component, field)):
                continue
            slot = world.base[component] + world.slots[kind][name]
            decider = machine.decider(component)
            if name not in secrets.answered | secrets.drawn:
                dealt.append(((kind, name), slot))
            elif memory.is_untold(component, name, decider) or not eyes.knows(component):
                key = (decider, str(values[slot]))
                possible = [guesses[key]] if key in guesses else _values_of(machine, field["type"], values[slot])
                found += [("guess", [slot], possible)] if possible else []
    for slots in _together(dealt):
        if len(slots) > 1:
            found.append(("value", slots, [values[slot] for slot in slots]))
        else:
            component = world.component_at(slots[0])
            name = list(world.slots[world.kinds[component]])[slots[0] - world.base[component]]
            possible = _values_of(machine, world.graph["kinds"][world.kinds[component]]["fields"][name]["type"], values[slots[0]])
            found += [("guess", slots, possible)] if possible else []
    return found


def _values_of(machine: Machine, of: dict[str, Any], value: Any = None) -> list[Any]:
    """What a field could say, if that is known; nothing is not among it."""
    if of["how"] == "number":
        low, high = of.get("low", 0), of.get("high")
        if high is None:  # any number: as large as numbers are in games, or as this one
            low, high = 0, max(9, 2 * abs(value or 0))
        return list(range(low, min(high, low + MOST) + 1))
    found: list[Any] = {"flag": [False, True], "words": of.get("words", []), "kind": machine.world.by_noun.get(of.get("name", ""), [])}.get(
        of["how"], []
    )
    return found


def _together(pairs: Iterable[tuple[Hashable, int]]) -> Iterable[list[int]]:
    """Lists of what has the same key."""
    found: dict[Hashable, list[int]] = {}
    for key, each in pairs:
        found.setdefault(key, []).append(each)
    return found.values()


# -- what has been answered


def _forget(machine: Machine, player: int | None) -> dict[tuple[int | None, Any], Any]:
    """What others have answered in secret is in local names: there any answer may be that could have been given. Gives what is there now, by who has answered
    and what was there."""
    guesses: dict[tuple[int | None, Any], Any] = {}
    for variables, node in references.secret_answers(machine):
        found = variables[node["name"]]
        if node["each"] is None:
            who = machine.decider(evaluate(machine, node["who"], variables))
            if who != player:
                variables[node["name"]] = guesses[who, str(found)] = _guess(machine, node, variables, found)
            continue
        for each, given in found.items():
            who = machine.decider(int(each))
            if who != player:
                found[each] = guesses[who, str(given)] = _guess(machine, node, {**variables, node["each"]["name"]: int(each), "it": int(each)}, given)
    return guesses


def _guess(machine: Machine, node: dict[str, Any], variables: dict[str, Any], given: Any) -> Any:
    """An answer to a choice, as many things as were given."""
    if node["form"] == "number":
        low, high = evaluate(machine, node["low"], variables) or 0, evaluate(machine, node["high"], variables) or 0
        return low + machine.below(high - low + 1) if low <= high else given
    possible = many(evaluate(machine, node["from"], variables)) if node["from"] is not None else []
    if type(given) is list:
        return [possible[number] for number in machine.shuffled(len(possible))[: len(given)]] if len(given) <= len(possible) else given
    return possible[machine.below(len(possible))] if possible and given is not None else given


def _reopen(machine: Machine, player: int | None) -> None:
    """Secret answers that others have given are unknown: in the imagined game they answer again, after those who still have to."""
    for frame in machine.state.frames:
        if frame["f"] != "choose" or not frame["answers"] or not machine.world.graph["nodes"][frame["node"]]["secret"]:
            continue
        again = [int(who) for who in frame["answers"] if machine.decider(int(who)) != player]
        frame["waiting"] += again
        for who in again:
            del frame["answers"][str(who)]
