"""Games by the public API: what is kept for going back, interruptions, and saves that were damaged or whose rules have changed."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, SaveError, load
from rulewright.game import saving
from rulewright.step.machine import Machine
from tests.playing import rules_of
from tests.test_history import TEXT
from tests.test_saves import GAME, standing_at

# -- going back


def test_what_is_kept_for_a_step_is_what_it_changed(tmp_path: Path) -> None:
    """However large the game, and however long: chunks in which nothing has changed are kept once."""
    game: Any = rules_of(tmp_path, TEXT.replace("x12", "x1200"), engine="step").new_game(2, 3)
    for _ in range(300):
        game.choose("toss" if game.decision and "toss" in [option.id for option in game.decision.options] else 0)
    chunks = [chunk for moment in game._past for column in moment.columns for chunk in column]
    assert len({id(chunk) for chunk in chunks}) < len(chunks) / 10


@pytest.mark.parametrize("broken", ["below", "write"])
def test_an_interruption_leaves_the_game_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Ctrl-C in the middle of an effect: nothing has happened, and the game goes on."""
    game = rules_of(tmp_path, TEXT, engine="step").new_game(2, 3)
    mark = saving.checksum(game.save())

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Machine, broken, interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.choose("toss")
    assert saving.checksum(game.save()) == mark
    game.choose("toss")
    assert game.undo(past_secrets=True)
    assert saving.checksum(game.save()) == mark


# -- saves


EDITS: list[tuple[tuple[str | int, ...], Any]] = [
    (("legend", "things"), "0" * 64),
    (("legend", "fields"), {}),
    (("legend", "fields"), {"player": ["gold"] * 400}),
    (("state", "frames"), []),
    (("state", "frames", -1, "unit"), "hook nothing"),
    (("state", "frames", -1, "unit"), "nothing"),
    (("state", "frames", -1, "step"), 99),
    (("state", "frames", -1, "node"), "play:99"),
    (("state", "frames", -1, "node"), None),
    (("state", "frames", -1, "called"), True),
    (("state", "frames", 2, "names", "who"), "nobody"),
    (("state", "frames", -1, "names", "actor"), 10**6),
    (("state", "frames", -1, "names", "actor"), {"a": 1}),
    (("state", "frames", -1, "names", "actor"), [1, 2]),
    (("state", "held"), [{"hook": "?", "number": 1, "kept": [], "until": "turn"}]),
    (("state", "used"), [["action work", 10**6]]),
    (("state", "where", 0), 10**6),
    (("state", "members", 0), [0]),
    (("state", "values", 0), "gold"),
    (("state", "outcomes"), ["won"]),
    (("state", "known", 0), 10**6),
    (("state", "loose"), [[10**6]]),
    (("state", "random"), 1 << 80),
    (("state", "version"), "7"),
    (("log", 0), {"kind": "move"}),
    (("log", 0, "kind"), "nothing"),
    (("ruleset", "declarations"), {"effects": {"turn": "x"}}),
    (("more",), 1),
]


@pytest.fixture(scope="module")
def pay(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game in the middle of an action."""
    return standing_at(rules_of(tmp_path_factory.mktemp("pay"), GAME, engine="step"), "Which coin?")


@pytest.mark.parametrize("number", range(len(EDITS)))
def test_a_damaged_save_is_told(pay: Game, number: int) -> None:
    """Whatever is put into a save: a clear error, with force too."""
    way, value = EDITS[number]
    edited = copy.deepcopy(pay.save())
    inside: Any = edited
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = value
    edited["checksum"] = saving.checksum({key: part for key, part in edited.items() if key != "checksum"})
    for force in (False, True):
        with pytest.raises(SaveError, match="damaged"):
            pay.rules.load_game(edited, force=force)


def test_an_edited_save_is_told(pay: Game) -> None:
    """By its checksum."""
    with pytest.raises(SaveError, match="its checksum does not fit"):
        pay.rules.load_game({**pay.save(), "seed": 5})


def test_a_save_says_nothing_in_numbers_of_a_program(pay: Game) -> None:
    """Words are words, actions and rules have names, frames stand at nodes."""
    frames = pay.save()["state"]["frames"]
    assert frames[-1]["node"].startswith("action work:")
    assert {frame["unit"] for frame in frames} >= {"the game", "play", "turn", "action work"}
    assert frames[-1]["names"]["actor"] == 0


def test_a_rule_that_holds_for_a_time_is_found_again_or_refused(tmp_path: Path) -> None:
    """Others may come before it; without it the game cannot go on."""
    game: Any = rules_of(tmp_path, GAME, engine="step").new_game(2, seed=1)
    game.choose("wait")
    save = game.save()
    assert save["state"]["held"]
    more = GAME.replace("        until turn:\n", "        until payday:\n            after bonus(who): nothing\n        until turn:\n")
    again: Any = rules_of(tmp_path, more, engine="step").load_game(save, force=True)
    assert again.state.held[0].hook.endswith("until#2")
    assert again.decision == game.decision
    less = GAME.replace("        until turn:\n            after wages(who): increase who.gold by 1\n", "")
    without = rules_of(tmp_path, less, engine="step")
    with pytest.raises(SaveError, match="does not fit the rules as they are now: the rule 'wait/until#1' is going on, or holds for a time"):
        without.load_game(save, force=True)


def test_a_new_rule_on_an_event_that_is_going_on_is_no_obstacle(tmp_path: Path) -> None:
    """The stages of the event have changed; what is going on inside of it has not."""
    game = standing_at(rules_of(tmp_path, GAME, engine="step"), "Which coin?")
    other = rules_of(tmp_path, GAME + "after turn(who): increase who.gold by 1\nbefore turn(who): nothing\n", engine="step")
    again = other.load_game(game.save(), force=True)
    assert again.decision == game.decision
    while again.log_length == game.log_length or not any(entry["cause"] == "after turn" for entry in again.log(everything=True)):
        again.choose(0)
    assert again.decision is not None


@pytest.mark.slow
def test_a_save_is_the_same_on_both_engines() -> None:
    """What nothing can read any more is in none of them."""
    games: list[Any] = [load("base", engine=engine).new_game(2, 7) for engine in ("step", "wasm")]
    dice = random.Random(1)
    for _ in range(40):
        choice = dice.randrange(len(games[0].decision.options))
        for game in games:
            game.choose(choice)
    assert games[0].save() == games[1].save()
