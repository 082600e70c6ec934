"""Chance as a participant: where `chance="ask"` is said its answers are weighted, possible, and all of them, so that a tree of chances can be enumerated exactly."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from rulewright import Game, Rules, load
from tests.playing import ROOT, messages, option_ids, rules_of

DECK = """
kind card: rank: 1..4
place deck: a pile of card, seen by nobody
place discard: a pile of card
place table: a row of card
"""


def chances(game: Game) -> dict[str, Fraction]:
    """How probable everything is that a game can come to say, if players always take their first option: all that chance can do is done."""
    decision = game.decision
    if decision is None:
        return {" ".join(messages(game)): Fraction(1)}
    found: dict[str, Fraction] = {}
    for number, option in enumerate(decision.options if decision.player == 0 else decision.options[:1]):
        branch = game.clone()
        branch.choose(number)
        for said, probability in chances(branch).items():
            found[said] = found.get(said, Fraction()) + probability * (Fraction(1) if option.probability is None else option.probability)
    return found


def asked(folder: Path, text: str, seed: int = 1) -> Game:
    """A game of one in which chance is asked."""
    return rules_of(folder, text).new_game(1, seed, chance="ask")


def test_a_die_gives_each_face_as_often_as_it_has_it(tmp_path: Path) -> None:
    """Two rolls of a die with three hits and a miss: nine, six and one in sixteen."""
    text = 'die luck: hit x3, miss\nphase play:\n    let one = roll luck\n    let two = roll luck\n    log "{one} {two}"\n'
    game = asked(tmp_path, text)
    assert game.decision is not None
    assert [(option.id, option.probability) for option in game.decision.options] == [("hit", Fraction(3, 4)), ("miss", Fraction(1, 4))]
    sixteenth = Fraction(1, 16)
    assert chances(game) == {"hit hit": 9 * sixteenth, "hit miss": 3 * sixteenth, "miss hit": 3 * sixteenth, "miss miss": sixteenth}


def test_what_was_put_on_top_of_a_shuffled_pile_comes_first(tmp_path: Path) -> None:
    """Two shuffled cards on top of two others: each order of each two, and never one of the lower before the upper."""
    text = (
        DECK
        + """
card low_a in deck: rank 1
card low_b in deck: rank 2
card top_x in discard: rank 3
card top_y in discard: rank 4
phase play:
    shuffle deck
    shuffle discard
    move all cards in discard to deck
    let who = the first player
    who chooses one:
        "Go": nothing
    repeat 4 times:
        draw a card from deck to table as found
        log "{found.rank}"
"""
    )
    game = asked(tmp_path, text)
    game.choose(0)
    assert option_ids(game) == ["top_x", "top_y"]
    orders = ("3 4 1 2", "3 4 2 1", "4 3 1 2", "4 3 2 1")
    assert all(chances(asked(tmp_path, text, seed)) == dict.fromkeys(orders, Fraction(1, 4)) for seed in range(3))


def test_what_was_put_below_a_shuffled_pile_comes_last(tmp_path: Path) -> None:
    """A known card at the bottom is not among what may come before it, and nobody is asked for it."""
    text = (
        DECK
        + """
card one in deck: rank 1
card two in deck: rank 2
card last in table: rank 4
phase play:
    shuffle deck
    move last to deck at the bottom
    repeat 3 times:
        draw a card from deck as found
        move found to discard
        log "{found.rank}"
"""
    )
    assert chances(asked(tmp_path, text)) == {"1 2 4": Fraction(1, 2), "2 1 4": Fraction(1, 2)}


def test_copies_are_one_answer_only_if_they_make_no_difference(tmp_path: Path) -> None:
    """Copies with other fields are other answers, named by them; equal ones are one, with their weights; and where the state speaks of one it is another."""
    text = (
        DECK
        + 'card gem "Gem" x4 in deck: rank 1, 2, 2, 3\nphase play:\n    shuffle deck\n    draw a card from deck to table as found\n    log "{found.rank}"\n'
    )
    game = asked(tmp_path, text)
    assert game.decision is not None
    told = [(option.id, option.label, option.probability) for option in game.decision.options]
    quarter = Fraction(1, 4)
    assert told == [("gem.1", "Gem (rank 1)", quarter), ("gem.2", "Gem (rank 2)", 2 * quarter), ("gem.4", "Gem (rank 3)", quarter)]
    assert chances(game) == {"1": quarter, "2": 2 * quarter, "3": quarter}
    same = DECK + 'card gem x3 in deck: rank 1\nphase play:\n    shuffle deck\n    draw a card from deck to table as found\n    log "{found.rank}"\n'
    assert chances(asked(tmp_path, same)) == {"1": Fraction(1)}
    marked = same.replace("    shuffle deck", "    let mark = the first card\n    shuffle deck").replace("log", "if found is mark: log")
    assert chances(asked(tmp_path, marked)) == {"1": Fraction(1, 3), "": Fraction(2, 3)}


def test_a_small_game_has_the_probabilities_that_are_known_for_it(tmp_path: Path) -> None:
    """A bag of three red and two white balls, drawn without putting back until a white one comes: 2/5, 3/10, 1/5, 1/10."""
    text = """
kind ball: white: flag
place urn: a bag of ball, seen by nobody
place table: a row of ball
ball red x3 in urn
ball pale x2 in urn: white
phase play:
    repeat until any ball in table is white: draw a ball from urn to table
    log "{count of balls in table}"
"""
    tenth = Fraction(1, 10)
    assert chances(asked(tmp_path, text)) == {"1": 4 * tenth, "2": 3 * tenth, "3": 2 * tenth, "4": tenth}


def test_chance_chooses_what_it_is_asked_to_choose_with_even_odds(tmp_path: Path) -> None:
    """Components, of which equal ones are one answer, and numbers."""
    text = """
kind ball
place urn: an area of ball
ball red x3 in urn
ball pale in urn
phase play:
    chance chooses one_of_them: a ball in urn
    chance chooses n: a number from 1 to 2
    log "{one_of_them} {n}"
"""
    eighth = Fraction(1, 8)
    assert chances(asked(tmp_path, text)) == {"red 1": 3 * eighth, "red 2": 3 * eighth, "pale 1": eighth, "pale 2": eighth}


def test_chance_is_asked_for_what_it_chooses(tmp_path: Path) -> None:
    """By the innermost name that the rules have there, unless it stands for what somebody does not know."""
    text = (
        DECK
        + """
kind room
room hall "Hall"
room attic "Attic"
card spade "Spade" in deck: rank 1
card heart "Heart" in deck: rank 2
phase play:
    chance chooses n: a number from 1 to 2
    for each spot in rooms where n > 0:
        chance chooses laid: a card in deck
    for each held in cards in deck:
        chance chooses m: a number from 1 to 2
"""
    )
    game, prompts = asked(tmp_path, text), []
    while (decision := game.decision) is not None:
        prompts.append(decision.prompt)
        game.choose(0)
    assert prompts == [
        "What does chance choose?",
        *(f"What does chance choose for {room}?" for room in ("Hall", "Attic")),
        *["What does chance choose?"] * 2,
    ]


def test_what_a_player_takes_by_where_it_lies_chance_tells(tmp_path: Path) -> None:
    """The second of three shuffled cards, taken unseen, is each of them with the same odds; then the others come."""
    text = (
        DECK
        + """
card one in deck: rank 1
card two in deck: rank 2
card three in deck: rank 3
phase play:
    shuffle deck
    let who = the first player
    who chooses felt: a card in deck
    move felt to table
    log "{felt.rank}"
    for each card in deck:
        move card to table
        log "{card.rank}"
"""
    )
    game = asked(tmp_path, text)
    assert option_ids(game) == ["deck#1", "deck#2", "deck#3"]
    game.choose("deck#2")
    assert game.decision is not None
    assert game.decision.prompt == "What is no. 2 in deck?"
    loaded = rules_of(tmp_path, text).load_game(game.save())
    for each in (game, loaded, asked(tmp_path, text, 4)):
        assert set(chances(each).values()) == {Fraction(1, 6)}
        assert len(chances(each)) == 6


@pytest.mark.parametrize("name", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("base", "carnomorphs", "lockdown")), "common_cards"])
def test_the_answers_of_chance_are_all_possible_and_make_one(name: str, tmp_path: Path) -> None:
    """In games played at random, at every question that chance is asked: probabilities make 1, and each answer can be given."""
    rules: Rules = rules_of(tmp_path, CARD_GAME) if name == "common_cards" else load(ROOT / "rulesets" / name)
    dice, asked_of_chance = random.Random(name), 0
    game = rules.new_game(max(2, rules.players[0]), 3, chance="ask")
    for _ in range(150):
        decision = game.decision
        if decision is None:
            break
        if decision.player == 0:
            asked_of_chance += 1
            assert sum(option.probability or 0 for option in decision.options) == 1
            assert len(decision.options) > 1
            for number in range(len(decision.options)) if asked_of_chance % 5 == 0 else ():
                game.clone().choose(number)
                game.imagine(1, number).choose(number)
        else:
            assert all(option.probability is None for option in decision.options)
        game.choose(dice.randrange(len(decision.options)))
    assert asked_of_chance >= 15


CARD_GAME = (
    DECK
    + """
place hand of player: a row of card, seen by owner
card gem x8 in deck: rank 1, 1, 2, 2, 3, 3, 4, 4
card rock x4 in deck: rank 1
phase play:
    shuffle deck
    repeat 30 times:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    if deck is empty:
        shuffle discard
        move all cards in discard to deck
    draw a card from deck to who.hand
    who chooses given: a card in who.hand
    who chooses one:
        "Top": move given to deck
        "Bottom": move given to deck at the bottom
        "Away": move given to discard
    if count of cards in discard > 4: shuffle discard
"""
)


BACKS = """
kind card:
    back: red | blue, seen by everyone
    rank: 1..4
place deck: a pile of card, seen by nobody
place table: a row of card, seen by nobody
card gem "Gem" x4 in deck:
    rank 1
    back red, red, blue, blue
card opal "Opal" in deck:
    rank 2
    back blue
phase play:
    shuffle deck
    draw a card from deck to table
    draw a card from deck to table
    let who = the first player
    who chooses felt: a card in table
    log "{felt.back}"
"""


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_what_everyone_can_read_is_told_as_soon_as_chance_has_answered_and_not_before(tmp_path: Path, engine: str) -> None:
    """Backs tell copies apart; that of the card on top of a shuffled pile is not read before somebody has said which one it is. A save keeps both."""
    rules = rules_of(tmp_path, BACKS, engine=engine)
    game = rules.new_game(1, 3, chance="ask")
    fifth = Fraction(1, 5)

    def answers(asked: Game) -> list[tuple[str, Fraction | None]]:
        assert asked.decision is not None
        return [(option.label, option.probability) for option in asked.decision.options]

    assert answers(game) == [("Gem (back red)", 2 * fifth), ("Gem (back blue)", 2 * fifth), ("opal", fifth)]
    game.choose("gem.3")
    game = rules.load_game(game.save())
    quarter = Fraction(1, 4)
    assert answers(game) == [("Gem (back red)", 2 * quarter), ("Gem (back blue)", quarter), ("opal", quarter)]
    for player in (None, 1):
        seen = game.view(player)["places"]
        assert seen["table"]["members"] == [{"hidden": True, "fields": {"back": "blue"}}]
        assert seen["deck"]["members"] == [{"hidden": True}] * 4
    game.choose("gem.1")
    assert option_ids(game) == ["table#1", "table#2"]
    assert game.decision is not None
    assert [option.label for option in game.decision.options] == ["no. 1 in table (back blue)", "no. 2 in table (back red)"]
    for imagined in (
        game.imagine(1, 5),
        rules.load_game(game.imagine(1, 5).save()),
    ):  # in which everything has come out somehow, the top of the deck too
        assert imagined.view(1)["places"]["table"] == game.view(1)["places"]["table"]
        assert imagined.log(1) == game.log(1)
    assert chances(rules.new_game(1, 3, chance="ask")) == {"red": 2 * fifth, "blue": 3 * fifth}
