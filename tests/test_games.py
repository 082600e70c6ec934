"""Properties that hold in every game of every ruleset, tried over random play.

A whole game is played first, to learn how long it is; then once more, and at decisions spread over all of it everything is tried that a caller can do. The
games of a ruleset are spread over its numbers of players and its options. Rules that fail while they are played fail the test.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import Rules, load
from rulewright.decision import Decision
from rulewright.game import decisions, log_text
from rulewright.game.encode import Decoder, read_entry
from rulewright.game.engine import Stepping
from rulewright.game.game import Game
from rulewright.game.references import spoken_of
from rulewright.game.renaming import acting
from rulewright.game.saving import checksum, replay
from rulewright.game.views import Observer
from rulewright.step.machine import Machine
from rulewright.step.state import State
from tests.playing import ROOT, game_by, rules_of

LONGEST = 600  # decisions; a game that goes on is cut
SMALL = 150  # components; a game with fewer is looked at more often
LOOKS = {True: 20, False: 4}  # decisions at which everything is tried: in a small game, in a large one
OPTIONS = 6  # of a decision, tried each time
EXCHANGES = 12  # of hidden components, tried for each player


def games() -> list[tuple[str, int]]:
    """The games that are played, one of everything that is no house rule."""
    return [(name, 1 + len(name) % 5 if "passages" in name else 1) for name in rulesets() if "house" not in name]


NO_GAMES = {"rulesets/common"}  # what several games share, and no game by itself


def rulesets() -> list[str]:
    """Every folder of the repository that is a ruleset which can be played."""
    found = [*(ROOT / "rulesets").rglob("ruleset.yaml"), *(ROOT / "tests" / "passages").glob("*/ruleset.yaml")]
    return sorted({str(path.parent.relative_to(ROOT)) for path in found} - NO_GAMES)


@cache
def loaded(name: str, options: tuple[tuple[str, Any], ...] = ()) -> Rules:
    """A ruleset that can be played."""
    return load(ROOT / name, options=dict(options), engine="step")


def new_game(name: str, seed: int) -> Game:
    """One of the games of a ruleset: the seed also decides how many play, and by which options."""
    rules = loaded(name)
    assert rules.built.linked is not None
    declared = rules.built.linked.option_values
    every = [tuple(zip(declared, values, strict=True)) for values in itertools.product(*declared.values())]
    rules = loaded(name, every[seed * 7919 % len(every)])
    low, high = rules.players
    return game_by(rules, low + seed % (high - low + 1), seed)


def course(game: Game, most: int = LONGEST) -> Iterator[tuple[Decision, random.Random]]:
    """The decisions of a game that is played on at random."""
    chooser, other = random.Random(game.seed), random.Random(-game.seed)
    for _ in range(most):
        if (ask := game.decision) is None:
            return
        yield ask, other
        game.choose(chooser.randrange(len(ask.options)))


def whole(game: Game) -> str:
    """Everything about a game, as one mark."""
    return checksum(game.save())


def everybody(game: Game) -> tuple[int | None, ...]:
    """A spectator and all players."""
    return (None, *range(1, game.world.players + 1))


def eyes_of(game: Game, player: int | None) -> Observer:
    return Observer(game._machine, None if player is None else player - 1)


# -- what must hold


def components_are_in_one_place(game: Game) -> None:
    """Every component is in exactly one place, and there are always as many as were declared."""
    state = game.state
    assert len(state.where) == game.world.count
    placed = sorted((member, place) for place, members in enumerate(state.members) for member in members)
    assert placed == list(enumerate(state.where))


def every_option_works(game: Game, ask: Decision, dice: random.Random) -> None:
    """Each of a sample can be taken, on a clone, and leaves the game alone; ids are unique, and the same when asked again."""
    ids = [option.id for option in ask.options]
    assert ids, "a decision without options"
    assert len(set(ids)) == len(ids)
    before = whole(game)
    assert anew(game.clone()).decision == ask
    for chosen in dice.sample(ids, min(OPTIONS, len(ids))):
        clone = game.clone()
        clone.choose(chosen)
        components_are_in_one_place(clone)
        assert clone.choices == [*game.choices, (ask.player, chosen)]
    assert whole(game) == before


def anew(game: Game) -> Game:
    """The same game, which works out again what is to be decided."""
    game._machine.asked = game._decision = None
    game._engine.run()
    return game


def undo_and_redo_lead_to_the_same_states(game: Game, ask: Decision, dice: random.Random) -> None:
    """Some steps back, where the choices up to there lead to, and forth again; undo by itself takes back nothing that chance did."""
    marks, choices = [whole(game)], game.choices
    back = dice.randrange(1, 25)
    while len(marks) <= back and game.undo(past_secrets=True):
        assert game.choices == choices[: -len(marks)]
        marks.append(whole(game))
    assert whole(replay(game.rules, game.replay())) == marks[-1]
    for mark in marks[-2::-1]:
        assert game.redo()
        assert whole(game) == mark
    assert not game.redo()
    assert game.decision == ask
    chance = game.state.random
    if game.undo():
        assert game.state.random == chance
        assert whole(game) == marks[1]
        assert game.redo()
    assert whole(game) == marks[0]


def a_saved_game_is_the_same_game(game: Game, ask: Decision, dice: random.Random) -> None:
    """Saved, loaded and saved again it is identical, and it goes on identically."""
    saved = game.save()
    back = game.rules.load_game(json.loads(json.dumps(saved)))
    assert back.save() == saved
    assert back.decision == ask
    clone = game.clone()
    for _ in range(4):
        if clone.decision is None:
            break
        chosen = dice.randrange(len(clone.decision.options))
        clone.choose(chosen)
        back.choose(chosen)
    assert whole(clone) == whole(back)


# -- secrets


def strings(value: Any) -> Iterator[str]:
    """Every text in plain data, keys too."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


def certainly_hidden(game: Game, player: int | None, component: int) -> bool:
    """Whether the declarations alone say that a player cannot tell a component: it lies where only others see, and was not shown to them."""
    world, state = game.world, game.state
    place = state.where[component]
    rule = world.place_spec(place)["seen_by"]
    shown = state.known[component] >> (world.players if player is None else player - 1) & 1  # whoever looks on has the bit behind the last player's
    if rule is None or shown:
        return False
    # Who watches a game of one sees what its player sees.
    others = player is not None or world.players > 1
    owned = rule == {"op": "var", "name": "owner"} and others and world.place_owner.get(place) != (None if player is None else player - 1)
    return owned or rule == {"op": "const", "value": "nobody"}


def views_name_nothing_that_is_hidden(game: Game, ask: Decision, dice: random.Random) -> None:
    """No component that a player cannot tell has its id in that player's view, or in the options of that player."""
    for player in everybody(game):
        eyes = eyes_of(game, player)
        said = set(strings(json.loads(json.dumps(game.view(player)))))
        if ask.player == player and ask.kind in ("choose", "order"):
            said |= {option.id for option in ask.options}
        for component in range(game.world.count):
            if not eyes.knows(component) or certainly_hidden(game, player, component):
                name = game.world.identities[component]
                assert not any(text == name or text.startswith(f"{name}.") for text in said), (player, name)


def exchanged(game: Game, one: int, other: int) -> Game:
    """A clone in which two components have changed positions, by hand; what others know of a position stays with the position."""
    made = game.clone()
    state = made.state
    places = [(each, state.where[each], state.members[state.where[each]].index(each), state.known[each]) for each in (one, other)]
    for component, (_, place, index, known) in zip((other, one), places, strict=True):
        state.where[component], state.known[component] = place, known
        state.members[place] = (*state.members[place][:index], component, *state.members[place][index + 1 :])
    return anew(made)


def knowledge(game: Game, player: int | None) -> list[bool]:
    """Whether a player can tell each component."""
    eyes = eyes_of(game, player)
    return [eyes.knows(component) for component in range(game.world.count)]


def backs(game: Game) -> list[str]:
    """By component what everyone could read on it all through the game, in a form that can be compared: who had something set there is like no other."""
    world, values = game.world, game.state.values
    written = {(entry["component"], entry["field"]) for entry in game.entries() if entry["kind"] == "set"}
    found = []
    for component in range(world.count):
        names = {name: values[world.base[component] + slot] for name, slot, _ in world.backs[component]}
        found.append(str((component if any((component, name) in written for name in names) else None, names)))
    return found


def what_is_hidden_makes_no_difference(game: Game, ask: Decision, dice: random.Random) -> None:
    """Two components that a player cannot tell, with the same to read on their backs, change positions: the player's view, log and options are the same."""
    world, state = game.world, game.state
    holding = {component for component in range(world.count) if any(state.members[place] for place in world.places_of.get(component, ()))}
    fixed, read = acting(game._machine) | spoken_of(game._machine), backs(game)
    for player in everybody(game):
        known = knowledge(game, player)
        hidden = [component for component in range(world.count) if not known[component] and component not in holding]
        alike: dict[Any, list[int]] = {}
        for component in hidden:
            alike.setdefault((dice.choice([world.kinds[component], state.where[component]]), read[component]), []).append(component)
        groups = [group for group in alike.values() if len(group) > 1]
        view, log = game.view(player), game.log(player)
        for group in dice.sample(groups, min(EXCHANGES, len(groups))):
            one, other = dice.sample(group, 2)
            made = exchanged(game, one, other)
            if knowledge(made, player) != known:
                continue  # it shows at its new position
            assert made.view(player) == view, (player, world.identities[one], world.identities[other])
            assert made.log(player) == log
            if player == ask.player and not {one, other} & fixed:
                assert made.decision == ask, (world.identities[one], world.identities[other])


def logs_tell_nothing_that_was_not_seen(game: Game, ask: Decision, dice: random.Random) -> None:
    """What a player has not seen could have been anything else: that player's log would read the same."""
    read = backs(game)
    for player in range(1, game.world.players + 1):
        other = game.clone()
        other.state.log = [read_entry(game._machine.linked, disguised(game, entry, player, read, dice)) for entry in game.entries()]
        assert other.log(player) == game.log(player)


def disguised(game: Game, entry: dict[str, Any], player: int, read: list[str], dice: random.Random) -> dict[str, Any]:
    """An entry of the log with whatever a player has not seen of it put at random."""
    made = dict(entry)
    if not made.get("told", -1) >> (player - 1) & 1:
        owned = [place for place, owner in game.world.place_owner.items() if owner >= game.world.players]
        made |= {key: dice.choice(owned) for key in ("before", "to", "place") if made.get(key) in owned}
    if not (made.get("seen", -1) >> (player - 1) & 1 or made.get("public")):
        label, about = str(dice.random()), [made["component"]] if made["kind"] == "move" else made.get("components", [])
        things = [dice.choice([each for each, back in enumerate(read) if back == read[thing]]) for thing in about]
        made |= {key: label for key in ("option", "label", "text") if key in made} | ({"components": things} if made["kind"] == "show" else {})
        made |= {"component": things[0]} if made["kind"] == "move" else {}
    if not made.get("seen", -1) >> (player - 1) & 1 and made.get("prompt"):
        made["prompt"] = str(dice.random())
    return made


def imagined_games_look_the_same(game: Game, ask: Decision, dice: random.Random) -> None:
    """A player's view, log and decision are the same in every game that the player could be in."""
    for player in everybody(game):
        other = game.imagine(player, dice.randrange(1000))
        components_are_in_one_place(other)
        assert other.view(player) == game.view(player)
        assert other.log(player) == game.log(player)
        if player == ask.player:
            assert anew(other).decision == ask


PROPERTIES: list[Callable[[Game, Decision, random.Random], None]] = [
    every_option_works, undo_and_redo_lead_to_the_same_states, a_saved_game_is_the_same_game, views_name_nothing_that_is_hidden,
    what_is_hidden_makes_no_difference, logs_tell_nothing_that_was_not_seen, imagined_games_look_the_same,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), games())
def test_properties_hold_all_through_a_game(name: str, seed: int) -> None:
    """Everything in `PROPERTIES`, at decisions spread over a whole game, and the same game again from its choices."""
    hold_all_through(new_game(name, seed), new_game(name, seed))


@pytest.mark.parametrize("name", ["rulesets/examples/tic_tac_toe", "rulesets/examples/connect_four"])
def test_properties_hold_in_small_games(name: str) -> None:
    """The same, every day."""
    hold_all_through(new_game(name, 4), new_game(name, 4))


def hold_all_through(first: Game, game: Game) -> None:
    """Play a game to know its length, and again to look at it."""
    length = sum(1 for _ in course(first))
    wanted = LOOKS[game.world.count < SMALL]
    looks = {number * length // wanted for number in range(wanted)}
    for number, (ask, dice) in enumerate(course(game)):
        components_are_in_one_place(game)
        if number in looks:
            for holds in PROPERTIES:
                holds(game, ask, dice)
    assert whole(game) == whole(first)
    data = game.replay()
    again = replay(game.rules, data)
    assert again.replay() == data
    assert whole(again) == whole(game)


# -- the same everywhere

PLAY = """
import random, sys
from rulewright import load
from rulewright.game.saving import checksum
game = load(sys.argv[1], engine="step").new_game(seed=5)
chooser = random.Random(5)
for _ in range(40):
    if game.decision is None:
        break
    game.choose(chooser.randrange(len(game.decision.options)))
print(checksum([game.save(), game.view(1), game.log(1)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rulesets/examples/connect_four", "tests/passages/base", "tests/passages/aliens"])
def test_the_same_seed_is_the_same_game_whatever_the_order_of_hashes(name: str) -> None:
    """Two processes with different hash seeds give the same state, view and log."""
    found = set()
    for seed in ("1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PLAY, str(ROOT / name)], capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1


# -- the tests themselves

CARDS = """
kind card:
    rank: 1..9
    hidden while not shown
    shown: flag
    place under: a pile of chip
kind chip
kind player:
    place hand: a row of card, seen by owner
    secret: number, seen by self
place deck: a pile of card, seen by nobody
place pouch: a bag of chip, seen by nobody
place table: a row of card
card ace "Ace" x3 in deck: rank 1
card two "Two" x3 in deck: rank 2
card three "Three" x3 in deck: rank 3
card four "Four" x3 in deck: rank 4
chip white "White" x5 in pouch
chip black "Black" x5 in pouch
die coin: heads, tails
phase setup: shuffle deck
phase play:
    repeat 12 times:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    who chooses one:
        "Draw": draw a card from deck to who.hand
        "Lay down" when who.hand holds a card:
            who chooses laid: a card in who.hand
            move laid to table
            draw a chip from pouch to laid.under
        "Point" when table holds a card:
            who chooses meant: a card in table
            set meant.shown to true
        "Toss":
            let face = roll coin
            if face is heads: increase who.secret by 1
"""


def game_of_cards(folder: Path) -> Game:
    """A small game with everything that can be hidden: hands, a pile, a bag, cards face down with chips under them, a field."""
    return game_by(rules_of(folder, CARDS, engine="step"), 2, 5)


def fails(folder: Path) -> str:
    """The property that does not hold in the small game; empty if all do."""
    first, second = game_of_cards(folder), game_of_cards(folder)
    try:
        hold_all_through(first, second)
    except Exception as error:
        names = {function.__name__ for function in (*PROPERTIES, components_are_in_one_place)}
        frames = traceback.extract_tb(error.__traceback__)
        return next((frame.name for frame in reversed(frames) if frame.name in names), "the same game again")
    return ""


def leaky_order(self: Observer, number: int) -> dict[str, Any]:
    return {"count": 0, "members": [], "order": self.machine.state.members[number][:]}


def lazy_put(self: Machine, component: int, to: int, position: str) -> None:
    PUT(self, component, to, position)
    self.state.members[to] += (component,)


def lazy_clone(self: State) -> State:
    made = CLONE(self)
    made.known, made.values = self.known, self.values
    return made


def forgetful(self: Decoder) -> State:
    made = DECODED(self)
    made.random = 0
    return made


def lazy_way_back(self: Stepping, moment: Any) -> None:
    now = self.machine.state
    RESTORE(self, moment)
    self.machine.state.members = now.members
    self.machine.state.where = now.where


PUT, CLONE, DECODED, RESTORE, DICE = Machine.put, State.clone, Decoder.state, Stepping.restore, random.Random(1)
NAMED = decisions.thing
SABOTAGE: dict[str, tuple[Any, str, Any, str]] = {
    "a view numbers what is hidden": (Observer, "back", lambda self, number: {"number": number}, "what_is_hidden_makes_no_difference"),
    "a view tells the order of what is hidden": (Observer, "place", leaky_order, "what_is_hidden_makes_no_difference"),
    "everybody sees everything": (Observer, "can", lambda self, bits: True, "views_name_nothing_that_is_hidden"),
    "the log names what was not seen": (log_text.WORDS, "move", lambda machine, parts, *_: str(parts[0]), "logs_tell_nothing_that_was_not_seen"),
    "the log names places of hidden things": (log_text, "_place", lambda machine, place, told: str(place), "logs_tell_nothing_that_was_not_seen"),
    "options name what is hidden": (decisions, "thing", lambda machine, value, hidden=None: NAMED(machine, value), "views_name_nothing_that_is_hidden"),
    "a component is in two places": (Machine, "put", lazy_put, "components_are_in_one_place"),
    "a clone shares what changes": (State, "clone", lazy_clone, "every_option_works"),
    "a save forgets something": (Decoder, "state", forgetful, "a_saved_game_is_the_same_game"),
    "dice are not of the state": (Machine, "below", lambda self, limit: DICE.randrange(limit), ""),
    "undo forgets the dice": (Stepping, "sealed", lambda self, moment: False, "undo_and_redo_lead_to_the_same_states"),
    "the way back is wrong": (Stepping, "restore", lazy_way_back, "undo_and_redo_lead_to_the_same_states"),
}  # fmt: skip


def test_the_small_game_holds_what_every_game_must(tmp_path: Path) -> None:
    """With an engine as it is."""
    assert fails(tmp_path) == ""


@pytest.mark.parametrize("name", SABOTAGE)
def test_a_broken_engine_is_noticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sort of damage makes some property fail."""
    where, what, how, noticed = SABOTAGE[name]
    if isinstance(where, dict):
        monkeypatch.setitem(where, what, how)
    else:
        monkeypatch.setattr(where, what, how)
    assert fails(tmp_path) in ({noticed} if noticed else {"the same game again", *(function.__name__ for function in PROPERTIES)})
