"""Going back and forth in long games: every moment can be reached again, and what is kept for it does not grow with the game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulewright.game.game import Game
from rulewright.game.history import CHUNK
from rulewright.game.saving import checksum
from rulewright.scenario.board import carry_on
from rulewright.step.machine import Machine
from tests.playing import game_by, rules_of

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


def played(folder: Path, steps: int, engine: str = "step", *, automatic: bool = False, chance: str | None = None) -> tuple[Game, list[str]]:
    """A long game, and a mark of it before each step."""
    game: Any = rules_of(folder, TEXT, engine=engine).new_game(2, 3, chance, automatic=automatic)
    chooser = random.Random(steps)
    marks = []
    for _ in range(steps):
        marks.append(checksum(game.save()))
        assert game.decision is not None
        game.choose(chooser.randrange(len(game.decision.options)))
    return game, [*marks, checksum(game.save())]


@pytest.mark.parametrize("engine", ["step", "wasm"])
@pytest.mark.parametrize(("automatic", "chance"), [(False, None), (True, None), (False, "ask"), (True, "ask")])
def test_every_step_can_be_taken_back_and_made_again(tmp_path: Path, engine: str, automatic: bool, chance: str | None) -> None:
    """To the very beginning and to the end again; forced choices go with the choice before them."""
    game, marks = played(tmp_path, 70, engine, automatic=automatic, chance=chance)
    for mark in marks[-2::-1]:
        assert game.undo(past_secrets=True)
        assert checksum(game.save()) == mark
    assert not game.undo(past_secrets=True)
    for mark in marks[1:]:
        assert game.redo()
        assert checksum(game.save()) == mark
    assert not game.redo()


def test_what_is_kept_for_a_step_is_what_it_changed(tmp_path: Path) -> None:
    """However large the game, and however long: no copies of it, only the parts that each step changed."""
    game = game_by(rules_of(tmp_path, TEXT.replace("x12", "x1200"), engine="step"), 2, 3)
    for _ in range(300):
        game.choose("toss" if game.decision and "toss" in [option.id for option in game.decision.options] else 0)
    whole = sum(len(getattr(game.state, name)) for name in ("values", "where", "members", "known")) // CHUNK
    parts = {id(chunk) for moment in game._past for column in moment.columns for chunk in column}
    assert whole > 50
    assert len(parts) < whole + 300


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
    carry_on(game, lambda: game._machine.push("gain", [0]))
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


@pytest.mark.parametrize(("engine", "where"), [("step", "take"), ("wasm", "quick"), ("wasm", "sealed")])
@pytest.mark.parametrize("made", [False, True])
def test_an_interruption_leaves_no_future_of_another_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, where: str, made: bool
) -> None:
    """What was undone can be made again if nothing has been chosen since, and cannot if something has: also if Ctrl-C comes before that is said."""
    game, marks = played(tmp_path, 6, engine)
    assert game.undo(past_secrets=True)
    assert game.undo(past_secrets=True)

    engine_type: Any = type(game._engine)
    do = getattr(engine_type, where)

    def interrupt(running: Any, *given: Any) -> None:
        if made:
            do(running, *given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(engine_type, where, interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.undo() if where == "sealed" else game.choose("mix")
    if made and where == "quick":
        assert game.choices[-1][1] == "mix"
        assert not game.redo()
        assert game.undo(past_secrets=True)
        assert game.redo()
        assert not game.redo()
    else:
        assert checksum(game.save()) == marks[4]
        for mark in marks[5:]:
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
