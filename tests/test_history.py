"""Going back and forth in long games: every moment can be reached again, and what is kept for it does not grow with the game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright import Game
from rulewright.run.game import FRAMES
from rulewright.run.machine import Machine
from rulewright.run.saving import checksum
from tests.playing import rules_of

TEXT = """
kind card:
    rank: 1..9
kind player:
    place hand: a row of card, seen by owner
    strength: number
place deck: a pile of card
card club "Club" x12 in deck:
    rank 1
die coin: heads, tails
phase play:
    repeat:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    who chooses one:
        "Draw": draw a card from deck to who.hand
        "Return": move all cards in who.hand to deck
        "Mix": shuffle deck
        "Toss":
            let face = roll coin
            if face is heads: gain(who)
    if who.seat = 2: forced(who)
effect gain(who: player): increase who.strength by 1
effect forced(who: player):
    who chooses one:
        "Nod": log "{who} nods."
"""


def played(folder: Path, steps: int, *, automatic: bool = False, chance: str | None = None) -> tuple[Game, list[str]]:
    """A long game, and a mark of it before each step."""
    game = rules_of(folder, TEXT).new_game(2, 3, chance, automatic=automatic)
    chooser = random.Random(steps)
    marks = []
    for _ in range(steps):
        marks.append(checksum(game.save()))
        assert game.decision is not None
        game.choose(chooser.randrange(len(game.decision.options)))
    return game, [*marks, checksum(game.save())]


@pytest.mark.parametrize(("automatic", "chance"), [(False, None), (True, None), (False, "ask"), (True, "ask")])
def test_every_step_can_be_taken_back_and_made_again(tmp_path: Path, automatic: bool, chance: str | None) -> None:
    """To the very beginning and to the end again; forced choices go with the choice before them."""
    game, marks = played(tmp_path, 70, automatic=automatic, chance=chance)
    for mark in marks[-2::-1]:
        assert game.undo(past_secrets=True)
        assert checksum(game.save()) == mark
    assert not game.undo(past_secrets=True)
    for mark in marks[1:]:
        assert game.redo()
        assert checksum(game.save()) == mark
    assert not game.redo()


def test_what_is_kept_for_a_step_is_what_it_changed(tmp_path: Path) -> None:
    """However large the game, and however long: no copies of it, only what was there before each change."""
    game = rules_of(tmp_path, TEXT.replace("x12", "x1200")).new_game(2, 3)
    for _ in range(300):
        game.choose("toss" if game.decision and "toss" in [option.id for option in game.decision.options] else 0)
    assert len(game.state.journal) <= 300
    frames = {id(frame) for moment in game._past for frame in moment[FRAMES]}
    assert len(frames) < 300 * len(game.state.frames) * 0.8


def test_another_choice_after_undo_forgets_what_was_undone(tmp_path: Path) -> None:
    """There is one future."""
    game, marks = played(tmp_path, 5)
    assert game.undo(past_secrets=True)
    assert game.undo(past_secrets=True)
    game.choose("mix")
    assert not game.redo()
    assert game.undo(past_secrets=True)
    assert checksum(game.save()) == marks[3]


def test_what_was_performed_from_outside_is_not_lost_on_the_way(tmp_path: Path) -> None:
    """It came of no choice: it is taken back and made again with the choice before it."""
    game, _ = played(tmp_path, 9)
    game.perform(game.world.graph["effects"]["gain"]["entry"], {"who": 0})
    mark = checksum(game.save())
    for _ in range(20):
        game.choose(0)
    for _ in range(20):
        assert game.undo(past_secrets=True)
    assert checksum(game.save()) == mark
    assert game.redo()
    assert game.undo(past_secrets=True)
    assert game.undo(past_secrets=True)
    assert game.redo()
    assert checksum(game.save()) == mark


@pytest.mark.parametrize("broken", ["below", "write"])
def test_an_interruption_leaves_the_game_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Ctrl-C in the middle of an effect: nothing has happened, and the game goes on."""
    game, marks = played(tmp_path, 4)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Machine, broken, interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.choose("toss")
    assert checksum(game.save()) == marks[-1]
    game.choose("toss")
    assert game.undo(past_secrets=True)
    assert checksum(game.save()) == marks[-1]
