"""What words of the language mean, each by a small ruleset: the choices made in it, and what it says, on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.grids import SHAPES
from tests.playing import messages, rules_of

ENGINES = ("step", "wasm")


class Case(NamedTuple):
    """Rules, the options chosen, and what the rules say."""

    rules: str
    said: list[str]
    choices: tuple[str, ...] = ()


CASES = {
    "a grid of sides": Case(
        """
kind cell is place: wall: flag
grid board of cell: 4 by 5, sides
phase play:
    set board_1_2.wall to true
    log "{count of cells next to board_1_1} {count of cells next to board_2_2} {count of cells within 2 of board_2_3}"
    log "{count of lines(board, 4)} lines, {distance from board_1_1 to board_3_3} and {distance from board_1_1 to board_1_3 through (cells where not wall)} steps"
    log "{count of cells reachable from board_1_1 within 2} reached, {count of cells visible from board_1_1 blocked by a wall cell} seen"
    for each cell in board next to board_2_2: log "{cell}"
""",
        ["2 4 12", "13 lines, 4 and 4 steps", "5 reached, 17 seen", "board 1,2", "board 2,1", "board 2,3", "board 3,2"],
    ),
    "a hexagonal grid": Case(
        """
kind hex is place: wall: flag
grid map of hex: 5 by 5, hexagonal
phase play:
    log "{count of hexes next to map_1_1} {count of hexes next to map_1_5} {count of hexes next to map_3_3}"
    log "{count of hexes within 1 of map_3_3} {count of hexes within 2 of map_3_3} {distance from map_1_1 to map_5_5} {distance from map_1_5 to map_5_1}"
    log "{count of lines(map, 5)} {count of lines(map, 2)} lines"
    set map_2_2.wall to true
    if map_3_3 is in (all hexes visible from map_1_1 blocked by a wall hex): log "seen"
    else: log "unseen"
    if map_1_3 is in (all hexes visible from map_2_1 blocked by a wall hex): log "seen around the corner"
    if map_5_1 is in (all hexes visible from map_1_5 blocked by a wall hex): log "seen along a row"
    for each hex in map next to map_3_3: log "{hex}"
""",
        ["2 3 6", "7 19 8 4", "11 56 lines", "unseen", "seen around the corner", "seen along a row",
         "map 2,3", "map 2,4", "map 3,2", "map 3,4", "map 4,2", "map 4,3"],
    ),
    "labels of copies and products": Case(
        """
words suit: clubs | spades
kind gem
gem ruby "Ruby"
gem opal
kind card:
    suit: suit
    rank: 2..4
    wild: flag
    gem: gem or none
    starts in deck
place deck: a pile of card
card pip "{rank} of {suit}": one for each suit, rank 2..3
card ace "Ace of {suit}, {gem} ({wild}) no. {copy}" x2:
    one for each suit, gem
    rank 4
    wild
card odd "Odd \\{rank\\} {gem}" x2:
    clubs
    rank 3, 2
phase play:
    for each card in pips: log "{card}"
    log "{count of aces}: {the first ace}; {the last ace}; {count of aces where suit is clubs and gem is opal}"
    log "{all odds}"
    one_of_them(the first card where label = "3 of spades")
effect one_of_them(which: card): log "{which.suit} {which.rank}"
""",
        ["2 of clubs", "3 of clubs", "2 of spades", "3 of spades", "8: Ace of clubs, Ruby (yes) no. 1; Ace of spades, opal (yes) no. 8; 2",
         "Odd {rank} nothing, Odd {rank} nothing", "spades 3"],
    ),
    "numbers, words, lists and sorts": Case(
        """
words colour: red | blue | green
die luck: 1, 2, star
kind card:
    rank: 1..3
    colour: colour
    starts in deck
kind room is place
kind player:
    trail: list of room
    seen: set of room
    marks: list of number
    guess: sort of card or none
place deck: a pile of card
card guard "The Guard" x3:
    rank 1
    colour red
card king "The King" x2:
    rank 3
    colour blue
room hall "Hall"
room attic "Attic"
phase play:
    let who = the player where seat = 1
    for each n from 1 to 2: log "n {n}"
    for each n from count of rooms to 4 - 1: log "m {n}"
    for each n from 3 to 1: log "never {n}"
    for each shade in colour: log "{shade}: {count of cards where colour is shade}"
    for each colour: if colour is not green: log "also {colour}"
    for each face in luck: log "face {face}"
    for each r in card.rank where r != 2: log "rank {r}"
    add hall to who.trail
    add attic to who.trail
    add hall to who.trail
    repeat 2 times: add hall to who.seen
    add 3 to who.marks
    add 5 to who.marks
    log "{who.trail}; {who.seen}; {who.marks}; {who.trail.length} {the first of who.trail} {the last of who.trail} {who.marks.last} {length of who.marks}"
    remove hall from who.trail
    remove 3 from who.marks
    remove the first room from who.seen
    remove attic from who.seen
    log "{who.trail}; {who.seen}; {who.marks}"
    add all rooms to who.trail
    log "{who.trail} {count of who.trail}"
    let found = all rooms where false
    add hall to found
    add hall to found
    log "{count of found}"
    who chooses named: a sort of card
    log "{who} names {named}."
    set who.guess to named
    for each card in cards where card is a named: log "{card} is {card.sort}"
    if any card in deck where sort = named and sort of card is who.guess: log "yes"
    match named:
        guard: log "a guard"
        king: log "a king"
    who chooses other: a sort of card where other is not named
    for each sort of card: log "sort {sort}"
    for each sort in sorts of card where sort is other: log "other {sort}"
    who chooses third: one of card.colour
    log "{third}"
""",
        ["n 1", "n 2", "m 2", "m 3", "red: 3", "blue: 2", "green: 0", "also red", "also blue", "face 1", "face 2", "face star", "rank 1", "rank 3",
         "Hall, Attic, Hall; Hall; 3, 5; 3 Hall Hall 5 2", "Attic; nothing; 5", "Attic, Hall, Attic 3", "1",
         "Player 1 names The King.", "The King is The King", "The King is The King", "yes", "a king",
         "sort The Guard", "sort The King", "other The Guard", "blue"],
        ("king", "guard", "blue"),
    ),
    "the state of the table": Case(
        """
words weather: calm | storm
kind coin
coin gold "Gold" x3
state round: number = 1
state leader: player or none
state sky: weather = calm
state secret: 1..6 = 3, seen by nobody
state found: list of coin
effect shift(): log "{sky}"
before shift when round = 3: set secret to 4
phase play:
    let who = the player where seat = 1
    log "{round} {leader} {sky} {found}"
    increase round by 2
    set leader to who
    set sky to storm until shift
    add the first coin to found
    shift()
    who chooses go: one of coins
    log "{round} {leader} {sky} {found.length} {secret}"
    who chooses go_on: one of coins
    decrease secret by 9
    log "{secret}"
""",
        ["1 nothing calm nothing", "storm", "3 Player 1 calm 1 4", "1"],
        ("gold.1", "gold.2"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_what_a_word_means(case: Case, engine: str, tmp_path: Path) -> None:
    """The rules say what they must."""
    game = rules_of(tmp_path, case.rules, engine=engine).new_game(2)
    for choice in case.choices:
        game.choose(choice)
    assert messages(game) == case.said


@pytest.mark.parametrize("word", SHAPES)
def test_the_shape_of_a_grid_fits_together(word: str) -> None:
    """Steps lead both ways and are one away; what is n steps away on foot is n away as it is measured; every point is inside its own cell alone."""
    shape = SHAPES[word]
    assert {(-down, -right) for down, right in shape.steps} == set(shape.steps)
    assert sorted(shape.steps) == list(shape.steps)
    assert set(shape.directions) < set(shape.steps)
    assert len({*shape.directions, *((-a, -b) for a, b in shape.directions)}) == len(shape.steps)
    reached, edge = {(0, 0): 0}, [(0, 0)]
    for far in range(1, 5):
        edge = [there for r, c in edge for a, b in shape.steps if (there := (r + a, c + b)) not in reached]
        reached |= dict.fromkeys(edge, far)
    assert all(shape.distance(r, c) == far for (r, c), far in reached.items())
    cells = [(r, c) for r in range(-2, 3) for c in range(-2, 3)]
    for a, b in shape.points:
        inside = [cell for cell in cells if all(abs(rows * (a - 50 * cell[0]) + columns * (b - 50 * cell[1])) < 50 for rows, columns in shape.sides)]
        assert inside == [(0, 0)]


STATE = """
kind coin
coin gold x2
state round: number = 1
state secret: 1..6 = 3, seen by (the player where seat = 1)
phase play:
    repeat 3 times:
        the player where seat = 1 chooses step: a number from 1 to 2
        increase round by step
        increase secret by 1
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_state_of_the_table_is_seen_saved_and_undone(engine: str, tmp_path: Path) -> None:
    """As fields of components are; who may not see a part of it does not."""
    rules = rules_of(tmp_path, STATE.replace("the player where seat = 1 chooses", "(the player where seat = 1) chooses"), engine=engine)
    game = rules.new_game(2)
    game.choose("2")
    assert (game.view(1)["state"], game.view(2)["state"]) == ({"round": 3, "secret": 4}, {"round": 3})
    assert [entry["text"] for entry in game.log(2) if entry["kind"] == "set"] == ["Table: round 1 → 3"]
    saved = rules.load_game(game.save())
    saved.choose("1")
    assert saved.view(1)["state"] == {"round": 4, "secret": 5}
    assert game.undo(past_secrets=True)
    assert game.view(1)["state"] == {"round": 1, "secret": 3}
    assert [game.imagine(2, seed).view(2)["state"] for seed in range(3)] == [{"round": 1}] * 3


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("said", "winners", "points", "ranking", "payoffs"),
    [
        ("score players: player.seat * 2\n    win by score", (3,), (2, 4, 6), ((3,), (2,), (1,)), {1: 2, 2: 4, 3: 6}),
        ("score players: player.seat\n    win by lowest score", (1,), (1, 2, 3), ((1,), (2,), (3,)), {1: -1, 2: -2, 3: -3}),
        ("score players: 4\n    win by score", (1, 2, 3), (4, 4, 4), ((1, 2, 3),), {1: 4, 2: 4, 3: 4}),
        ("score (the player where seat = 2): 0 - 3\n    win by score", (2,), (None, -3, None), ((2,), (1, 3)), {2: -3}),
        ("score players: 1\n    score players where seat = 2: 5", (), (1, 5, 1), ((2,), (1, 3)), {1: 1, 2: 5, 3: 1}),
        ("win by score", (), (None, None, None), (), {}),
        ("win the player where seat = 2", (2,), (), ((2,), (1, 3)), {1: -1, 2: 1, 3: -1}),
    ],
)
def test_scores(
    said: str,
    winners: tuple[int, ...],
    points: tuple[int | None, ...],
    ranking: tuple[tuple[int, ...], ...],
    payoffs: dict[int, int],
    engine: str,
    tmp_path: Path,
) -> None:
    """The result has the points, who stands where, and what it is worth; replays keep the points."""
    game = rules_of(tmp_path, f"phase play:\n    {said}\n    end game\n", engine=engine).new_game(3)
    result = game.result
    assert result is not None
    assert (result.winners, result.points, result.ranking, result.payoffs) == (winners, points, ranking, payoffs)
    assert result.scores == {player: each for player, each in enumerate(points, start=1) if each is not None}
    assert game.replay()["result"].get("points", []) == list(points)
    assert [player.get("score") for player in game.view(None)["players"]] == list(points or (None, None, None))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sort_is_offered_by_its_label(engine: str, tmp_path: Path) -> None:
    """Its id is its name in the rules; who has not seen the components hears the sort all the same."""
    text = """
kind card
place deck: a pile of card, seen by nobody
card old_guard "The Old Guard" x2 in deck
card king "King" in deck
phase play:
    let who = the player where seat = 1
    who chooses named: a sort of card
    who may choose other: a sort of card where other is not named
"""
    game = rules_of(tmp_path, text, engine=engine).new_game(2)
    assert game.decision is not None
    assert [(option.id, option.label) for option in game.decision.options] == [("old_guard", "The Old Guard"), ("king", "King")]
    game.choose("old_guard")
    assert game.log(2)[-1]["text"] == "Player 1 chooses The Old Guard"
    assert [option.label for option in game.decision.options] == ["King", "None"]
