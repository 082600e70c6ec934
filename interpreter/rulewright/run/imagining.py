"""Imagining: a game as it could be, as far as one player can tell.

Takes a game and a player, gives a clone in which everything that this player cannot see has been dealt again at random: hidden components change
positions among themselves, hidden field values change owners, secret answers are open again, and the dice will fall differently. The player's view is
the same before and after; whatever would change it stays as it was. A bot that thinks about such games cannot cheat.

Components are exchanged only where they could be: in the same declared place, or, wherever they lie, with others of their kind that began the game in
the same declared place. What an effect that is going on or a field refers to is a position to whoever cannot see it: the reference goes over to the
component that now lies there, and a local name that says what can be read there says what can be read now. Only a component whose own text is being
carried out stays what it is. A hidden field that nothing else has is given any value it could have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from rulewright.run import chance, references
from rulewright.run.chance import Script
from rulewright.run.evaluate import evaluate, many
from rulewright.run.machine import Machine
from rulewright.run.questions import question
from rulewright.run.state import State, copied
from rulewright.run.visibility import Eyes, readers_of, seers_into

if TYPE_CHECKING:
    from rulewright.run.game import Game

MOST = 10_000  # values of one field that are considered
Group = list[int]
Change = tuple[str, Group]


def imagine(game: Game, player: int | None, seed: int) -> Game:
    """A clone that this player (from 0), or a spectator (None), cannot tell from the game by looking."""
    made = game.clone()
    machine = made._machine
    machine.script, made._asked, made._decision = Script(), None, None
    machine.state.frames = copied(machine.state.frames)
    # The seed is stirred first: neighbouring seeds would give neighbouring streams.
    machine.state.random = chance.advance(chance.start(seed))[1]
    eyes = Eyes(machine, player)
    echoes = references.echoes(machine)
    _reopen(machine, player)
    _forget(machine, player)
    changes = [("move", group) for group in _hidden_groups(machine, eyes)] + [("value", slots) for slots in _hidden_values(machine, eyes)]
    if changes:
        _deal(machine, eyes, changes)
    for number, name, expression in echoes:
        variables = machine.state.frames[number]["vars"]
        variables[name] = evaluate(machine, expression, variables)
    machine.state.random = chance.advance(machine.state.random)[1]
    return made


def _deal(machine: Machine, eyes: Eyes, changes: list[Change]) -> None:
    """All changes at once; if any of them shows, one after another, without those that do."""
    before, seen = machine.state.clone(), _shown(machine, eyes)
    _apply(machine, changes)
    if _shown(machine, eyes) == seen:
        return
    machine.state = before
    for change in changes:
        kept = machine.state.clone()
        _apply(machine, [change])
        if _shown(machine, eyes) != seen:
            kept.random = machine.state.random
            machine.state = kept


def _shown(machine: Machine, eyes: Eyes) -> Any:
    """What these eyes see: the view, and what they may choose; or that somebody else has something to choose from."""
    asked = question(machine)
    options = [] if asked is None else [option.id for option in asked[3]]
    return eyes.view(), options if asked is not None and asked[0] == eyes.player else bool(options)


def _apply(machine: Machine, changes: list[Change]) -> None:
    instead: dict[int, int] = {}
    for how, group in changes:
        order = machine.shuffled(len(group))
        if how == "value" and len(group) == 1:
            possible = _values_of(machine, group[0])
            machine.state.values[group[0]] = possible[machine.below(len(possible))]
        elif how == "move":
            dealt = [group[number] for number in order]
            _exchange(machine.state, group, dealt)
            now = dict(zip(group, dealt, strict=True))
            instead = {**now, **{old: now.get(new, new) for old, new in instead.items()}}
        else:
            values = [machine.state.values[slot] for slot in group]
            for slot, number in zip(group, order, strict=True):
                machine.state.values[slot] = values[number]
    for holder, key in references.slots(machine) if instead else ():
        holder[key] = instead.get(holder[key], holder[key])


def _exchange(state: State, old: Group, new: Group) -> None:
    """Put each of some components at the position of another; what others know of a position stays with the position."""
    positions = [(state.where[each], state.members[state.where[each]].index(each), state.known[each]) for each in old]
    for component, (place, index, known) in zip(new, positions, strict=True):
        state.where[component] = place
        state.members[place] = (*state.members[place][:index], component, *state.members[place][index + 1 :])
        state.known[component] = known


# -- what is hidden


def _hidden_groups(machine: Machine, eyes: Eyes) -> list[Group]:
    """Components that these eyes cannot tell, in groups that can be exchanged: by place, then by kind and beginning."""
    world = machine.world
    fixed = references.acting(machine)
    hidden = [each for each in range(world.count) if not eyes.knows(each) and each not in fixed and not _contains(machine, each)]
    if not hidden:
        return []
    placed = [each for each in hidden if not eyes.can(seers_into(machine, machine.state.where[each]))]
    mixed = _grouped((world.place_names.get(machine.state.where[each], machine.state.where[each]), each) for each in placed)
    # What its place hides and what is face down by itself do not mix: each would show in the other's position.
    behind = set(placed)
    return mixed + _grouped(((each in behind, world.kinds[each], _beginning(machine, each)), each) for each in hidden)


def _beginning(machine: Machine, component: int) -> str:
    """Where a component is declared to begin, in a form that can be compared."""
    return str(machine.world.graph["components"].get(machine.world.definitions[component], {}).get("place"))


def _contains(machine: Machine, component: int) -> bool:
    """Whether something lies in a component, so that its own place can be told."""
    return any(machine.state.members[place] for place in machine.world.places_of.get(component, ()))


def _hidden_values(machine: Machine, eyes: Eyes) -> list[Group]:
    """Slots of fields that these eyes cannot read, in groups of the same field of the same kind."""
    world = machine.world
    found = []
    for component in range(world.count):
        for name, field in world.graph["kinds"].get(world.kinds[component], {"fields": {}})["fields"].items():
            if field["seen_by"] is not None and not eyes.can(readers_of(machine, component, field)):
                found.append(((world.kinds[component], name), world.base[component] + world.slots[world.kinds[component]][name]))
    return [slots for slots in _together(found) if len(slots) > 1 or _values_of(machine, slots[0])]


def _values_of(machine: Machine, slot: int) -> list[Any]:
    """What a field could say, if that is known; nothing is not among it."""
    world = machine.world
    component = bisect_right(world.base, slot) - 1
    name = next(name for name, number in world.slots[world.kinds[component]].items() if world.base[component] + number == slot)
    of = world.graph["kinds"][world.kinds[component]]["fields"][name]["type"]
    if of["how"] == "number":
        low, high = of.get("low"), of.get("high")
        if low is None:  # any number: as large as numbers are in games, or as this one
            low, high = 0, max(9, 2 * abs(machine.state.values[slot] or 0))
        return list(range(low, min(high, low + MOST) + 1))
    found: list[Any] = {"flag": [False, True], "words": of.get("words", []), "kind": world.by_noun.get(of.get("name", ""), [])}.get(of["how"], [])
    return found


def _grouped(pairs: Iterable[tuple[Hashable, int]]) -> list[Group]:
    """Lists of what has the same key, without those of a single thing."""
    return [group for group in _together(pairs) if len(group) > 1]


def _together(pairs: Iterable[tuple[Hashable, int]]) -> Iterable[Group]:
    found: dict[Hashable, Group] = {}
    for key, each in pairs:
        found.setdefault(key, []).append(each)
    return found.values()


# -- what has been answered


def _forget(machine: Machine, player: int | None) -> None:
    """What others have answered in secret is in local names: there any answer may be that could have been given."""
    for variables, node in references.secret_answers(machine):
        found = variables[node["name"]]
        if node["each"] is None:
            if machine.decider(evaluate(machine, node["who"], variables)) != player:
                variables[node["name"]] = _guess(machine, node, variables, found)
            continue
        for who in found:
            if machine.decider(int(who)) != player:
                found[who] = _guess(machine, node, {**variables, node["each"]["name"]: int(who), "it": int(who)}, found[who])


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
