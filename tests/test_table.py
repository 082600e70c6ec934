"""The model of the table: what a seat sees, as data; what it may not know is not in it; two tables differ in little."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load
from rulewright.rules import RulesetError
from rulewright.validate import validate
from rulewright_tools.table import Board, Layout, Link, Memory, Telling, apply, difference, look, plain, refusals, rule_of, story_of, why_not
from tests.playing import rules_of
from tests.test_engines import RULESETS
from tests.test_views import EVERYTHING, PLAIN_SIGHT

ISLAND = """
kind land is place
kind ferry links land, land:
    fare: number
    closed: flag
    place deck: an area of crate
kind crate:
    weight: 1..9 = 3
kind player:
    gold: number
    place hand: a row of card, seen by owner
kind card:
    shade: red | blue, seen by everyone
kind pawn:
    player: player or none
    decided by player

place pack: a pile of card, seen by nobody
place sack: a bag of crate, seen by nobody
track tide "Tide": low x2, high

land north "North Bay"
land south "South Bay"
land rock "The Rock"
ferry one "First Ferry" from north to south:
    fare 2
ferry two "Second Ferry" from south to rock:
    one_way
    closed

crate tin "Tin" x3 in sack
crate nails "Nails" in sack
card ace "Ace" x2 in pack: shade red
card king "King" x2 in pack: shade blue
pawn ann "Ann" in north
pawn bob "Bob" in rock

phase setup:
    set ann.player to the player where seat = 1
    set bob.player to the player where seat = 2
    move nails to one.deck
    for each player in players: draw a card from pack to player.hand

action sail "Sail":
    by pawn
    choose goal: a land where actor is not in goal
    do: move actor to goal

action swim "Swim":
    by pawn
    when tide.space > 1 because "the tide is too low"
    do: move actor to rock

phase play:
    repeat 3 times:
        for each pawn in pawns: offer actions to pawn
        let taker = the player where seat = 1
        taker chooses stolen: a card where owner is not taker
        log "{taker} looks at a card."
        advance tide by 1
"""
TABLE = """
at: {north: [0, 0], south: [4, 1], rock: [4, 3]}
look:
  land: {colour: green, cover: pawn}
  pawn: {symbol: P, shape: figure}
  ann: {symbol: A, colour: red}
  card: {colour_by: shade, shape: card}
  ferry: {colour: blue}
groups:
  - {label: Sea, members: [tide, pack]}
leave_out: [sack, crate.weight]
"""
LAYER = """
look:
  ann: {colour: purple}
groups:
  - {label: Sea, members: [sack]}
keep: [sack]
"""


def island(tmp_path: Path, table: str | None = None, layer: str | None = None) -> Game:
    """A game of the small ruleset, with a table.yaml, and with that of a layer."""
    for name, text, said, over in (("sea", ISLAND, table, "players: {min: 2, max: 2}"), ("storm", "number gales = 1\n", layer, "parents: [sea]")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "x.rules").write_text(text)
        (folder / "ruleset.yaml").write_text(f'id: {name}\ntitle: {name}\nversion: "1.0.0"\n{over}\nfiles: [x.rules]\n')
        if said is not None:
            (folder / "table.yaml").write_text(said)
    return load(tmp_path / "sea", [] if layer is None else [tmp_path / "storm"]).new_game(2, 1)


def seen(game: Game, seat: int | None) -> dict[str, Any]:
    """A table as it is sent."""
    made = json.loads(json.dumps(plain(look(game, seat))))
    assert isinstance(made, dict)
    return made


def no_null(value: object) -> bool:
    """Whether there is no null in some JSON: in a patch it means that something is gone."""
    if isinstance(value, dict):
        return all(map(no_null, value.values()))
    return all(map(no_null, value)) if isinstance(value, list) else value is not None


def test_a_table(tmp_path: Path) -> None:
    """The board with what lies on it, places by shape and owner, components with what can be read on them, the decision with what it is about."""
    game = island(tmp_path, TABLE)
    table = seen(game, 1)
    spots, links, places, things = table["board"]["spots"], table["board"]["links"], table["places"], table["things"]
    assert {name: (spot["x"], spot["y"]) for name, spot in spots.items()} == {"north": (0, 0), "south": (4, 1), "rock": (4, 3)}
    assert (table["board"]["width"], table["board"]["height"]) == (4, 3)
    assert links["one"] == {
        "id": "one",
        "label": "First Ferry",
        "ends": ["north", "south"],
        "name": "one",
        "kind": "ferry",
        "fields": {"fare": 2},
        "places": ["one.deck"],
        "look": {"colour": "blue"},
    }
    assert (links["two"]["one_way"], links["two"]["marks"]) == (True, ["closed"])
    assert {name: (place["shape"], place.get("owner"), place.get("count", 0)) for name, place in places.items()} == {
        "north": ("area", None, 1),
        "south": ("area", None, 0),
        "rock": ("area", None, 1),
        "pack": ("pile", None, 2),
        "player.1.hand": ("hand", "player.1", 1),
        "player.2.hand": ("hand", "player.2", 1),
        "one.deck": ("area", "one", 1),
    }
    assert "fields" not in things["nails"]  # its weight is left out
    assert things["ann"]["look"] == {"colour": "red", "symbol": "A", "shape": "figure"}
    assert things["player.2.hand#1"] == {
        "id": "player.2.hand#1",
        "label": "card",
        "place": "player.2.hand",
        "kind": "card",
        "hidden": True,
        "fields": {"shade": "blue"},
        "look": {"colour": "blue", "shape": "card"},
    }
    assert (spots["north"]["label"], spots["north"]["printed"], spots["north"]["cover"]) == ("Ann", "North Bay", "ann")
    assert spots["north"]["look"] == {"colour": "red", "symbol": "A"}
    assert (spots["south"]["label"], spots["south"]["look"]) == ("South Bay", {"colour": "green"})
    assert table["seats"]["player.1"]["stands_for"] == ["ann"]
    assert (table["seats"]["player.1"]["look"], table["seats"]["player.2"]["look"]) == ({"colour": "red"}, {"colour": "blue"})
    assert table["tracks"]["tide"] == {"id": "tide", "label": "Tide", "spaces": ["low", "low", "high"], "space": 1}
    assert table["groups"] == [{"label": "Sea", "members": ["tide", "pack"]}]
    assert "story" not in table  # nothing that is told has happened
    assert table["decision"] == {
        "player": 1,
        "mine": True,
        "kind": "action",
        "prompt": "Ann: choose an action",
        "options": [{"id": "sail", "label": "Sail", "rule": "sail"}],
    }
    for other in (2, None):
        assert seen(game, other)["decision"] == {"player": 1}
    game.choose("sail")
    assert [(each["id"], each["about"]) for each in seen(game, 1)["decision"]["options"]] == [("south", ["south"]), ("rock", ["rock"])]
    game.choose("rock")
    game.choose("sail")
    game.choose("north")
    table = seen(game, 1)
    told = next(line for line in table["story"].values() if line["kind"] == "action")
    assert (told["text"], told["about"], told["rule"]) == ("Player 1: Sail (The Rock).", ["rock"], "play")
    hidden = ["pack#1", "pack#2", "player.2.hand#1"]
    assert [(each["id"], each["about"]) for each in table["decision"]["options"]] == [(each, [each]) for each in hidden]
    assert table["places"]["pack"]["members"] == hidden[:2]  # told apart now, since one can be pointed at


def test_layers_extend_the_table(tmp_path: Path) -> None:
    """Attribute by attribute; groups of the same label are joined, and what is kept is no longer left out."""
    table = seen(island(tmp_path, TABLE, LAYER), 1)
    assert table["things"]["ann"]["look"] == {"colour": "purple", "symbol": "A", "shape": "figure"}
    assert table["groups"] == [{"label": "Sea", "members": ["tide", "pack", "sack"]}]
    assert table["places"]["sack"] == {"id": "sack", "label": "sack", "shape": "bag", "count": 3, "name": "sack", "closed": True}


def test_without_a_table_everything_is_laid_out(tmp_path: Path) -> None:
    """No two spots on one another, and the same every time."""
    boards = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        boards.append(seen(island(tmp_path / name), 1)["board"])
    assert boards[0] == boards[1]
    assert len({(spot["x"], spot["y"]) for spot in boards[0]["spots"].values()}) == 3


def test_what_the_rules_remember_of_the_table(tmp_path: Path) -> None:
    """State is on the table, flags where they are up; a table may leave it out."""
    text = 'state trump: red | blue = blue\nstate wild: flag = true\nstate calm: flag\nphase play:\n    let who = the first player\n    who chooses one:\n        "Go" when wild or calm or trump is red: end game\n        "Stay": end game\n'
    game = rules_of(tmp_path, text).new_game(1, 1)
    assert seen(game, 1)["state"] == {"trump": "blue", "wild": True}


def test_cells_of_hexagons_lean(tmp_path: Path) -> None:
    """Every row half a cell further to the right."""
    text = "kind cell is place\ngrid comb of cell: 2 by 2, hexagonal\nphase play:\n    let who = the first player\n    who chooses spot: a cell in comb\n    end game\n"
    board = seen(rules_of(tmp_path, text).new_game(1, 1), 1)["board"]
    assert [(spot["x"], spot["y"]) for spot in board["spots"].values()] == [(0, 0), (1, 0), (0.5, 1), (1.5, 1)]
    assert board["grids"]["comb"]["hexagonal"]


def test_what_is_left_out_is_shown_where_an_option_is_about_it(tmp_path: Path) -> None:
    """Else nobody could point at it; only that, and not what lies beside it."""
    game = island(tmp_path, TABLE.replace("[sack,", "[sack, player.hand,"))
    assert "player.2.hand" not in seen(game, 1)["places"]
    for choice in ("sail", "rock", "sail", "north"):
        game.choose(choice)
    table = seen(game, 1)
    assert table["places"]["player.2.hand"]["members"] == ["player.2.hand#1"]
    assert "player.1.hand" not in table["places"]


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        (TABLE, []),
        ("look: {harbour: {symbol: H}}", ["R218 1:8 the table speaks of 'harbour', which nothing declares"]),
        ("at: {nroth: [1, 1]}", ["R218 1:6 the table speaks of 'nroth', which nothing declares"]),
        ("look: {land: {cover: sheep}}", ["R218 1:22 the table speaks of 'sheep', which nothing declares"]),
        ("look: {card: {colour_by: tone}}", ["R218 1:26 the table speaks of 'card.tone', which nothing declares"]),
        ("groups: [{label: A, members: [tide, pakc]}]", ["R218 1:37 the table speaks of 'pakc', which nothing declares"]),
        ("leave_out: [crate.wait]", ["R218 1:13 the table speaks of 'crate.wait', which nothing declares"]),
        ("leave_out: [crate.weight=3, one.deck, ferry.deck, player.hand, ann.player, box]", []),
        ("look: {ann: {colour: mauve}}", ["R205 1:22 'colour'"]),
        ("look: {ann: {symbol: Anna}}", ["R205 1:22 'symbol'"]),
        ("at: {north: [1]}", ["R205 1:6 'north'"]),
        ("hide: [pack]", ["R204 1:1 the file has no key 'hide'"]),
    ],
)
def test_what_is_wrong_with_a_table(tmp_path: Path, text: str, complaints: list[str]) -> None:
    """A table is data under a schema, and names what there is; what is meant instead is guessed."""
    with suppress(RulesetError):
        island(tmp_path, text)
    found = [f"{each.code} {each.span.line}:{each.span.column} {each.message}" for each in validate(tmp_path / "sea").diagnostics]
    assert len(found) == len(complaints)
    for said, wanted in zip(found, complaints, strict=True):
        assert said.startswith(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base", "base_alt_board", "carnomorphs", "lockdown", "lockdown_surface", "connect_four", "hex", "blight"])
def test_the_boards_that_come_with_the_program(name: str) -> None:
    """Every spot has a position of its own that somebody has chosen, every place and track in a group is there, and most of what lies in boxes is left out."""
    rules = load(name)
    layout = Layout(rules, 2)
    table = look(rules.new_game(2, 1), 1, layout)
    spots = table.board.spots.values()
    assert len({(spot.x, spot.y) for spot in spots}) == len(spots)
    assert all(spot.grid or spot.id in layout.style.at for spot in spots)
    for group in table.groups:
        assert all(member in table.places or member in table.tracks for member in group.members), group
    assert len(table.things) < 170
    crossing = [link.id for link in table.board.links.values() if not link.port and _runs_through(link, table.board)]
    assert crossing == []


def _runs_through(link: Link, board: Board) -> bool:
    """Whether a link, drawn as a straight line, passes a spot that is none of its ends."""
    one, other = (board.spots[end] for end in link.ends)
    for spot in board.spots.values():
        across = (other.x - one.x) * (spot.y - one.y) - (other.y - one.y) * (spot.x - one.x)
        along = (spot.x - one.x) * (other.x - one.x) + (spot.y - one.y) * (other.y - one.y)
        if across == 0 and 0 < along < (other.x - one.x) ** 2 + (other.y - one.y) ** 2:
            return True
    return False


def test_rules_and_reasons(tmp_path: Path) -> None:
    """The rule behind whatever a table names, and why an action is not offered."""
    game = island(tmp_path)
    rules = game.rules
    for name, path in {
        "ann": "ann",
        "tin.2": "tin",
        "player.1.hand": "player.hand",
        "one.deck": "ferry.deck",
        "sail": "sail",
        "setup": "setup",
    }.items():
        assert [rule.path for rule in rule_of(rules, name)] == [path]
    assert rule_of(rules, "nobody knows") == []
    assert [(each.id, each.label, [reason.reason for reason in each.reasons]) for each in refusals(game, 1)] == [
        ("swim", "Swim", ["the tide is too low"])
    ]
    assert why_not(game, 1, "sail") == []


def test_the_rulebook_stands_behind_a_rule() -> None:
    """With the page, and what it says; a copy has the rule of its declaration, a cell that of its grid."""
    rules = load("base")
    (rule,) = rule_of(rules, "corridor_1_2.floor")
    assert rule.path == "corridor.floor"
    (rule,) = (each for each in rule_of(rules, "noise_roll") if each.what == "effect")
    assert rule.cites[0].id.startswith("base.noise.")
    assert rule.cites[0].page
    assert rule.cites[0].statement
    assert [each.path for each in rule_of(load("tic_tac_toe"), "board_1_2")] == ["board"]


@pytest.mark.slow
def test_the_story_is_told_bit_by_bit() -> None:
    """What is new comes to the same as the whole, after every choice, with what is taken back in between; the last line may change."""
    for name, seed in (("tic_tac_toe", 1), ("base", 3)):
        game, rng = load(name).new_game(2, seed), random.Random(seed)
        tellings = {seat: Telling(game, seat) for seat in (1, 2, None)}
        kept = {seat: dict(story_of(game, seat)) for seat in tellings}
        for step in range(60):
            if game.decision is None:
                break
            if step % 7 != 6 or not game.undo():
                game.choose(rng.randrange(len(game.decision.options)))
            for seat, telling in tellings.items():
                for number, line in telling.news(game).items():
                    if line is None:
                        del kept[seat][number]
                    else:
                        kept[seat][number] = line
                assert kept[seat] == story_of(game, seat)


def test_differences_are_small() -> None:
    """What one move changes is a small part of a table."""
    game = load("tic_tac_toe").new_game(2, 1)
    before = seen(game, 1)
    game.choose(4)
    now = seen(game, 1)
    change = difference(before, now)
    assert apply(before, change) == now
    assert difference(now, now) == {}
    assert len(json.dumps(change)) < len(json.dumps(now)) / 5
    assert change["places"] == {"board_2_2": {"count": 1, "members": ["cross.1"]}}
    assert change["decision"] == {"player": 2, "mine": None, "kind": None, "prompt": None, "options": None}


USUAL = ("tic_tac_toe", "breakthrough", "base")


@pytest.mark.parametrize("name", [*USUAL, *(pytest.param(each, marks=pytest.mark.slow) for each in RULESETS if each.name not in USUAL)])
def test_what_a_seat_may_not_know_is_not_on_its_table(name: str | Path) -> None:
    """Everything hidden dealt again, and the table is the same; the way from one table to the next is the difference between them."""
    rules = load(name)
    keeps_secrets(rules.new_game(max(rules.players[0], min(2, rules.players[1])), 5), 5, 20)


@pytest.mark.parametrize("text", [EVERYTHING, PLAIN_SIGHT])
def test_the_same_of_all_that_can_be_hidden(text: str, tmp_path: Path) -> None:
    """Fields, backs, bags, places of things that cannot be told, and fields that name any of these."""
    rules = rules_of(tmp_path, text)
    for seed in range(4):
        keeps_secrets(rules.new_game(2, seed), seed, 3)


def test_words_stand_for_colours(tmp_path: Path) -> None:
    """What a field says has the colour that is said for it, else its own; also where only the back can be read."""
    game = island(tmp_path, TABLE.replace("colour_by: shade,", "colour_by: shade, colours: {blue: black},"))
    table = seen(game, 1)
    colours = {thing["fields"]["shade"]: thing["look"]["colour"] for thing in table["things"].values() if "shade" in thing.get("fields", {})}
    assert colours.items() <= {"red": "red", "blue": "black"}.items()
    assert "blue" in colours


def keeps_secrets(game: Game, seed: int, often: int) -> None:
    """Plays at random, and takes back; now and then every table is looked at, by somebody who remembers the last one, too."""
    rng, layout = random.Random(seed), Layout(game.rules, game.world.players)
    seats = [*range(1, game.world.players + 1), None]
    memories = {seat: Memory(seat) for seat in seats}
    before = {seat: look(game, seat, layout, memory=memories[seat]) for seat in seats}
    for step in range(41):
        for seat in seats if step % often == 0 else ():
            now = look(game, seat, layout, memory=memories[seat])
            assert now == look(game, seat, layout)
            assert no_null(plain(now))
            change = difference(before[seat], now)
            assert change == difference(plain(before[seat]), plain(now))
            assert apply(plain(before[seat]), change) == plain(now)
            before[seat] = now
            assert plain(look(game.imagine(seat, step), seat, layout)) == plain(now)
        if step % 10 == 9:
            game.undo(past_secrets=True)
        if game.decision is None:
            break
        game.choose(rng.randrange(len(game.decision.options)))
