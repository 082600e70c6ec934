"""Views: `Eyes` looks everything up in tables made once; here is the long way round, straight from the graph, and both must see the same."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.game.views import Observer, decoded
from rulewright.step.machine import Machine
from tests.playing import game_by, rules_of
from tests.random_rules import random_rules
from tests.test_engines import RULESETS

EVERYTHING = """
kind player:
    secret: number, seen by self
    goal: card or none
    home: place or none
    spots: set of cell
    ally: player or none, seen by nobody
    place hand: a row of card, seen by owner
    place notes: an area of card, seen by (all players where score > 2)
    score: number
kind card:
    rank: 1..9
    shown: flag
    suit: red | black, seen by everyone
    stamps: set of star | moon, seen by everyone
    stamped: flag, seen by everyone
    marks: set of card
    hidden while not shown
    place under: a pile of chip
kind tin_box is place
kind chip:
    size: 1..9, seen by everyone
    worth: number, seen by nobody
kind cell is place
place deck: a pile of card, seen by nobody
place pouch: a bag of chip, seen by nobody
place open_bag: a bag of chip
place table: a row of card
track doom: calm x4, storm x4
grid field of cell: 2 by 2
card ace "Ace" x3 in deck:
    rank 1
    suit red, black, black
card two "Two" x3 in deck:
    rank 2
    suit black, red, red
card king "King" in deck:
    rank 9
    suit red
    stamps star, moon
chip white "White" x5 in pouch
chip black "Black" x5 in pouch
chip blue "Blue" x3 in open_bag
tin_box tin "Tin" in table
phase setup: shuffle deck
phase play:
    repeat 20 times:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    who chooses one:
        "Draw" when deck holds a card: draw a card from deck to who.hand
        "Note" when deck holds a card: draw a card from deck to who.notes
        "Lay down" when who.hand holds a card:
            who chooses laid: a card in who.hand
            move laid to table
            set who.goal to laid
            draw a chip from pouch to laid.under
        "Stand" when who.hand holds a card:
            who chooses laid: a card in who.hand
            move laid to field_1_2
            set who.home to laid.under
            set laid.marks to all cards in who.hand
            for each card in who.hand: set card.stamped to true
            set who.spots to all cells in field
        "Point" when table holds a card:
            who chooses meant: a card in table
            set meant.shown to true
            set who.home to table
        "Peek" when deck holds a card: show the top card of deck to who
        "Save" when pouch holds a chip: draw a chip from pouch to tin
        "Score":
            increase who.score by 1
            increase who.secret by 1
            set who.ally to who
        "Doom" when doom.space < 8: advance doom by 1
"""

# The same where who can tell what depends on places, fields of the thing itself and what was shown, so that what was seen last can be kept.
PLAIN_SIGHT = EVERYTHING.replace("number, seen by self", "number, seen by nobody").replace("seen by (all players where score > 2)", "seen by owner")
PLACES_MEANT = PLAIN_SIGHT.replace("set who.goal to laid", "set who.home to laid.under")  # what that is called depends on who can tell the card
THINGS_MEANT = PLAIN_SIGHT.replace("set who.home to table", "set who.score to 0").replace("set who.home to laid.under", "set who.score to 0")


class Plain:
    """What one player, or a spectator, can see of a state, found the long way round."""

    def __init__(self, machine: Machine, player: int | None) -> None:
        self.machine = machine
        self.player = player
        self.bit = machine.world.players if player is None else player

    def can(self, bits: int) -> bool:
        return bool(bits >> self.bit & 1)

    def knows(self, component: int) -> bool:
        return self.can(self.machine.seers_of(component))

    def component(self, number: int) -> dict[str, Any]:
        machine = self.machine
        if not self.knows(number):
            back = self.back(number)
            return {"hidden": True, "fields": back} if back else {"hidden": True}
        kind = machine.world.kinds[number]
        fields = {}
        if kind == "#track":
            space = machine.state.values[machine.world.base[number]]
            fields = {"space": space, "colour": machine.world.graph["tracks"][machine.world.definitions[number]]["spaces"][space - 1]}
        else:
            for name, field in machine.world.graph["kinds"][kind]["fields"].items():
                if name != "#score" and self.can(machine.field_readers(number, name)):
                    fields[name] = self.plain(self.value(number, name), field["type"])
        seen = {"id": machine.world.identities[number], "name": machine.world.definitions[number], "label": machine.world.labels[number]}
        return {**seen, "fields": fields} if fields else seen

    def value(self, number: int, name: str) -> Any:
        world, kind = self.machine.world, self.machine.world.kinds[number]
        value = self.machine.state.values[world.base[number] + world.slots[kind][name]]
        return decoded(self.machine.linked, value, world.graph["kinds"][kind]["fields"][name]["type"])

    def back(self, number: int) -> dict[str, Any]:
        machine = self.machine
        place = machine.state.where[number]
        shape = machine.world.place_spec(place)["shape"]
        if shape == "bag" or (shape == "pile" and machine.state.members[place][-1] != number):
            return {}
        fields = machine.world.graph["kinds"].get(machine.world.kinds[number], {"fields": {}})["fields"]
        return {name: self.value(number, name) for name, field in fields.items() if field["seen_by"] == {"op": "const", "value": "everyone"}}

    def lying(self, number: int) -> list[int]:
        members, shape = list(self.machine.state.members[number]), self.machine.world.place_spec(number)["shape"]
        into = self.machine.seers_into(number)
        if into == 0 or self.can(into) or shape in ("pile", "bag"):
            return members
        hidden = sorted((member for member in members if not self.knows(member)), key=lambda member: str(self.back(member)))
        return [member if self.knows(member) else hidden.pop(0) for member in members]

    def place(self, number: int) -> dict[str, Any]:
        members = self.lying(number)
        seen = [self.component(member) for member in members]
        if self.machine.world.place_spec(number)["shape"] == "bag" and not self.can(self.machine.seers_into(number)):
            seen = sorted(seen, key=lambda each: each.get("id", "~"))
        return {"count": len(members), "members": seen}

    def full_name(self, place: int) -> str:
        world = self.machine.world
        if place < world.count:
            return world.identities[place]
        owner, name = world.place_owner.get(place), world.place_names[place]
        return name if owner is None else f"{world.identities[owner]}.{name.split('.')[-1]}"

    def name_of(self, place: int) -> str | None:
        world, state = self.machine.world, self.machine.state
        holder = world.place_owner.get(place) if place >= world.count else place
        if holder is None or self.knows(holder):
            return self.full_name(place)
        around = state.where[holder]
        if not state.members[place] or world.place_spec(around)["shape"] == "bag":
            return None
        outer = self.name_of(around)
        own = "" if place == holder else f".{world.place_names[place].split('.')[-1]}"
        return None if outer is None else f"{outer}#{self.lying(around).index(holder) + 1}{own}"

    def plain(self, value: Any, of: dict[str, Any]) -> Any:
        if type(value) is list:
            return [self.plain(each, of.get("of") or of) for each in value]
        if type(value) is int and of["how"] in ("kind", "place"):
            if value >= self.machine.world.count:
                return self.name_of(value) or "hidden"
            return self.full_name(value) if self.knows(value) else "hidden"
        return value

    def outcome(self, player: int) -> str:
        state = self.machine.state
        beaten = state.ended and state.outcomes[player] == "" and "won" in state.outcomes
        return "lost" if beaten else state.outcomes[player]

    def score(self, player: int) -> dict[str, Any]:
        scored = "#score" in self.machine.world.graph["kinds"]["player"]["fields"]
        return {"score": self.value(player, "#score")} if scored else {}

    def view(self) -> dict[str, Any]:
        world = self.machine.world
        named = {number: self.name_of(number) for number in range(world.place_count) if world.is_place(number)}
        names = {number: name for number, name in named.items() if name == self.full_name(number)}
        names |= dict(
            sorted(((number, name) for number, name in named.items() if name not in (None, self.full_name(number))), key=lambda each: str(each[1]))
        )
        return {
            "player": None if self.player is None else self.player + 1,
            "players": [self.component(player) | {"outcome": self.outcome(player)} | self.score(player) for player in range(world.players)],
            **({"state": self.component(table)["fields"]} if (table := world.first("#table")) is not None else {}),
            "tracks": {name: self.component(track)["fields"] for name, track in world.tracks.items()},
            "places": {name: self.place(number) for number, name in names.items() if name is not None},
        }


def in_order(value: Any) -> Any:
    """Data in which the order of names counts too."""
    if isinstance(value, dict):
        return [(name, in_order(part)) for name, part in value.items()]
    return [in_order(part) for part in value] if isinstance(value, list) else value


def look_all_through(game: Any, most: int, every: int = 1, plain: Any = Plain, undo: float = 0) -> int:
    """Play at random; everybody's view must be what the long way round finds. Gives how many views were compared."""
    dice, compared = random.Random(game.seed), 0
    for number in range(most):
        if number % every == 0 or game.decision is None:
            for player in (None, *range(1, game.world.players + 1)):
                expected = plain(game._machine, None if player is None else player - 1).view()
                assert in_order(game.view(player)) == in_order(expected), (number, player)
                compared += 1
        if game.decision is None:
            break
        if dice.random() < undo:
            game.undo(past_secrets=True)
        elif dice.random() < undo / 2:
            game = game.clone()
        else:
            game.choose(dice.randrange(len(game.decision.options)))
    return compared


@pytest.mark.parametrize("seed", range(12))
def test_everything_that_can_be_hidden_is_seen_as_it_should(seed: int, tmp_path: Path) -> None:
    """Fields, places and components of all sorts, seen by some and not by others."""
    assert look_all_through(game_by(rules_of(tmp_path, EVERYTHING, engine="wasm"), 2, seed), 60) > 100


@pytest.mark.parametrize("seed", range(8))
def test_views_of_random_rules(seed: int, tmp_path: Path) -> None:
    """Whatever the rules."""
    look_all_through(game_by(rules_of(tmp_path, random_rules(seed), engine="wasm"), 2, seed), 60)


@pytest.mark.parametrize("engine", ["step", "wasm"])
@pytest.mark.parametrize("rules", [EVERYTHING, PLACES_MEANT, THINGS_MEANT], ids=["everything", "places", "things"])
def test_what_was_seen_last_is_seen_anew_where_it_has_changed(rules: str, engine: str, tmp_path: Path) -> None:
    """Views of which parts are kept are those made from nothing, forth and back, in whatever game of the rules."""
    loaded = rules_of(tmp_path, rules, engine=engine)
    games = [loaded.new_game(2, seed) for seed in range(4)]
    assert sum(look_all_through(game, 60, plain=Observer, undo=0.1) for game in games) > 600


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base", "carnomorphs", "lockdown"])
def test_what_was_seen_last_in_the_games_of_the_repository(name: str) -> None:
    """The same in games with hundreds of components."""
    look_all_through(load(name, engine="wasm").new_game(2, 3), 120, every=6, plain=Observer, undo=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("target", [path for path in RULESETS if "house" not in path.parts], ids=lambda path: path.stem)
def test_views_of_the_games_of_the_repository(target: Path) -> None:
    """A stretch of a game of every ruleset and layer."""
    rules = load(target, engine="wasm")
    look_all_through(game_by(rules, rules.players[1], 3), 240, every=20)


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_a_view_is_the_callers_own(engine: str, tmp_path: Path) -> None:
    """Whoever alters a view alters nothing else, and not the next view either."""
    game = rules_of(tmp_path, PLAIN_SIGHT, engine=engine).new_game(2, 1)
    before = in_order(game.view(1))
    seen = game.view(1)
    for part in [*seen["players"], *(member for place in seen["places"].values() for member in place["members"])]:
        for field in part.get("fields", {}).values():
            if isinstance(field, list):
                field.append("scribble")
        part.get("fields", {})["scribble"] = True
        part["label"] = "scribble"
    seen["places"].clear()
    assert in_order(game.view(1)) == before


def test_a_log_is_the_callers_own(tmp_path: Path) -> None:
    """The rules that an entry cites too."""
    game = rules_of(tmp_path, PLAIN_SIGHT, engine="step").new_game(2, 1)
    game.choose(0)
    before = copy.deepcopy(game.log(everything=True))
    for entry in game.log(everything=True):
        entry["cites"].append("scribble")
    assert before
    assert game.log(everything=True) == before
