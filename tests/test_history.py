"""Going back and forth in long games: every moment can be reached again, and what is kept for it does not grow with the game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.run import history, walk
from interpreter.run.machine import Machine
from interpreter.run.saving import checksum
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
def test_every_step_can_be_taken_back_and_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, automatic: bool, chance: str | None) -> None:
    """To the very beginning and to the end again, with few moments kept; forced choices go with the choice before them."""
    monkeypatch.setattr(history, "RECENT", 3)
    monkeypatch.setattr(history, "CHECKPOINTS", 4)
    game, marks = played(tmp_path, 70, automatic=automatic, chance=chance)
    for mark in marks[-2::-1]:
        assert game.undo(past_secrets=True)
        assert checksum(game.save()) == mark
    assert not game.undo(past_secrets=True)
    for mark in marks[1:]:
        assert game.redo()
        assert checksum(game.save()) == mark
    assert not game.redo()


def test_what_is_kept_does_not_grow(tmp_path: Path) -> None:
    """However long the game, at most a few dozen states."""
    game = rules_of(tmp_path, TEXT).new_game(2, 3)
    most = history.RECENT + history.CHECKPOINTS + 2
    for _ in range(history.RECENT * history.CHECKPOINTS * 3):
        game.choose(0)
        assert len(game._past.moments) <= most
    assert len(game._past.moments) > history.RECENT


def test_going_back_a_long_way_makes_few_choices_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was reached again on the way is kept for the next steps back."""
    monkeypatch.setattr(history, "CHECKPOINTS", 2)
    game, _ = played(tmp_path, 200)
    taken = []
    real = walk.run

    def counted(machine: Machine) -> None:
        taken.append(machine)
        real(machine)

    monkeypatch.setattr(walk, "run", counted)
    while game.undo(past_secrets=True):
        pass
    assert len(taken) < 200 * (200 / history.RECENT)


def test_another_choice_after_undo_forgets_what_was_undone(tmp_path: Path) -> None:
    """There is one future."""
    game, marks = played(tmp_path, 5)
    assert game.undo(past_secrets=True)
    assert game.undo(past_secrets=True)
    game.choose("mix")
    assert not game.redo()
    assert game.undo(past_secrets=True)
    assert checksum(game.save()) == marks[3]


def test_what_was_performed_from_outside_is_not_lost_on_the_way_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It came of no choice, so it cannot be made again: the state after it is kept, and redo stops before it."""
    monkeypatch.setattr(history, "RECENT", 2)
    monkeypatch.setattr(history, "CHECKPOINTS", 1)
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
    assert not game.redo()


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
