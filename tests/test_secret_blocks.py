"""Blocks of choices that each goes through in secret: what others see does not depend on what was chosen, nor on how much was asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright import Game
from tests.playing import messages, option_ids, rules_of

RULES = """
kind card: rank: 1..9
place deck: a pile of card, seen by nobody
place hand of player: a row of card, seen by owner
card ace x12 in deck: rank 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3
phase setup: for each player in players: draw 3 cards from deck to player.hand
phase play:
    each who in players secretly:
        who chooses mode: one of attack, defend
        if mode is attack:
            who chooses rival: one of (all players where player is not who)
            who chooses strength: a number from 1 to who.seat
        else:
            who chooses shown_cards: up to 2 cards in who.hand
    for each player in players ordered by seat:
        log "{player}: {mode of player}, {rival of player}, {strength of player}, {count of shown_cards of player}"
    for each player in players where mode of player is defend: reveal shown_cards of player
    for each player in players where seat = 1: player chooses last_word: one of yea, nay
    end game
"""
ENGINES = ["step", "wasm"]


def played(folder: Path, engine: str, *choices: str) -> Game:
    game = rules_of(folder, RULES, engine=engine).new_game(3, 5)
    for choice in choices:
        game.choose(choice)
    return game


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_known_by_who_gave_them_when_all_are_done(engine: str, tmp_path: Path) -> None:
    """One was asked twice, one three times, one not at all in the other branch: what was not asked is none, and no card."""
    game = played(tmp_path, engine, "attack", "player.3", "1", "defend", "done", "attack")
    assert option_ids(game) == ["player.1", "player.2"]
    game.choose("player.2")
    assert option_ids(game) == ["1", "2", "3"]
    game.choose("2")
    assert messages(game) == ["Player 1: attack, Player 3, 1, 0", "Player 2: defend, nothing, nothing, 0", "Player 3: attack, Player 2, 2, 0"]


@pytest.mark.parametrize("engine", ENGINES)
def test_nobody_learns_what_was_chosen_or_how_much_was_asked(engine: str, tmp_path: Path) -> None:
    """Whatever the first player answers, and however often they had to: the others see the same, also whoever only watches."""
    ways = [("attack", "player.2", "1"), ("attack", "player.3"), ("defend", "done"), ("defend",), ()]
    games = [played(tmp_path, engine, *way) for way in ways]
    for eyes in (2, 3, None):
        assert len({repr((game.view(eyes), game.log(eyes))) for game in games}) == 1
    assert len({repr(game.log(1)) for game in games}) == len(games)


@pytest.mark.parametrize("engine", ENGINES)
def test_undo_stops_where_all_are_done(engine: str, tmp_path: Path) -> None:
    """Inside the block answers can be taken back; once it is over they are known."""
    game = played(tmp_path, engine, "attack", "player.2", "1", "defend", "done", "defend")
    assert game.undo()
    assert game.redo()
    game.choose("done")
    assert game.decision is not None
    assert not game.undo()


def test_imagined_games_begin_the_block_again_for_others(tmp_path: Path) -> None:
    """Who has come how far, and has answered what, is imagined anew; one's own answers stay."""
    there = played(tmp_path, "wasm", "attack", "player.2", "1", "defend")
    seen: set[str] = set()
    for seed in range(30):
        game = there.imagine(1, seed)
        assert game.decision is not None
        assert game.decision.player != 1
        assert "attack" in option_ids(game)
        assert game.view(1) == there.view(1)
        dice = random.Random(seed)
        while game.decision is not None:
            assert game.decision.player != 1 or option_ids(game) == ["yea", "nay"]
            game.choose(dice.randrange(len(game.decision.options)))
        said = messages(game)
        assert said[0] == "Player 1: attack, Player 2, 1, 0"
        seen |= set(said[1:])
    assert any("Player 2: attack" in each for each in seen)
    assert any("Player 2: defend" in each for each in seen)
    own = there.imagine(2, 1)
    assert own.decision is not None
    assert (own.decision.player, option_ids(own)) == (2, option_ids(there))


def test_answers_that_are_kept_are_imagined_anew(tmp_path: Path) -> None:
    """After the block, as long as the rules have told nothing; one that leads to another stays with it."""
    text = """
phase play:
    each who in players secretly:
        who chooses low: a number from 1 to 3
        who chooses high: a number from low to low + 1
    for each player in players where seat = 1: player chooses call: one of left, right
    for each player in players ordered by seat: log "{low of player} {high of player}"
    end game
"""
    game = rules_of(tmp_path, text).new_game(2, 0)
    for choice in ("1", "2", "3", "4"):
        game.choose(choice)
    others = set()
    for seed in range(40):
        imagined = game.imagine(1, seed)
        imagined.choose(0)
        own, other = (tuple(map(int, each.split())) for each in messages(imagined))
        assert own == (1, 2)
        assert other[0] <= other[1] <= other[0] + 1
        others.add(other)
    assert len(others) > 3
