"""The benchmark command: what it says of a small game, in one quick round."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright import load
from rulewright.compile.accelerate import twins
from rulewright_tools.bench import by_hand, flatness, subjects
from rulewright_tools.cli import rulewright


def test_the_bench_measures_both_engines_beside_the_game_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """All figures are there, and none is nothing; with the accelerator if there is one, and without it."""
    accelerated = twins() is not None
    monkeypatch.setattr(subjects, "SLICE", 0.02)
    done = CliRunner().invoke(rulewright, ["bench", "tic_tac_toe", "--rounds", "1", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["accelerator"] == accelerated
    assert [row["engine"] for row in found["playing"]] == ["compile", *(["compile, no C"] if accelerated else []), "walk", "by hand"]
    assert all(row["decisions"] > row["playouts"] > 0 for row in found["playing"])
    assert all(row[name] > 0 for row in found["operations"] for name in ("clone", "undo", "view", "save", "load"))
    assert found["loading"][0]["compile_cold"] > 0
    assert found["loading"][0]["compile_cached"] < found["loading"][0]["compile_cold"]
    assert all(0 < row["new"] < row["then"] for row in found["memory"])


@pytest.mark.slow
def test_the_bench_shows_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ratios, and how long an operation takes."""
    monkeypatch.setattr(subjects, "SLICE", 0.02)
    done = CliRunner().invoke(rulewright, ["bench", "tic_tac_toe", "--rounds", "1"])
    assert done.exit_code == 0, done.output
    for words in (
        ", with the accelerator, " if twins() is not None else ", without the accelerator, ",
        "Random games",
        "of walk  of by hand",
        "µs)",
        "Loading, in seconds",
        "Memory of a game",
    ):
        assert words in done.output


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("endless", "phase play:\n    repeat:\n        for each player in players: player chooses one:\n            \"Go on\": log \"On.\"\n", "endless"),
        ("silent", "phase play: end game\n", "silent"),
        ("broken", "kind player: score: 0..3\nphase play:\n    repeat:\n        for each player in players: player chooses one:\n"
                   "            \"More\": set player.score to player.score + 1\n", "'score' of Player 1 is set to 4"),
    ],
)  # fmt: skip
def test_the_bench_takes_any_rules(name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also such as never end, as ask nothing, or as fail: then it is said where."""
    monkeypatch.setattr(subjects, "SLICE", 0.01)
    monkeypatch.setattr(subjects, "LONGEST", 40)
    path = tmp_path / f"{name}.rules"
    path.write_text(f'ruleset {name} "{name}"\n{text}', encoding="utf-8")
    done = CliRunner().invoke(rulewright, ["bench", str(path), "--rounds", "1"])
    assert said in done.output
    assert done.exit_code == (1 if name == "broken" else 0), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_flatness_is_measured_for_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shorter game."""
    monkeypatch.setattr(flatness, "LONG", 30)
    monkeypatch.setattr(flatness, "ROUNDS", 1)
    monkeypatch.setattr(flatness, "TURNS", 1)
    for engine in ("compile", "walk"):
        length, crowd = flatness.by_length(engine), flatness.by_crowd(engine)
        assert length["first_tenth"] > 0
        assert length["last_tenth"] > 0
        assert all(crowd[f"x{each}"] > 0 for each in flatness.CROWDS)


# What a move by hand is in the rules' text: the row and column of a cell, from 1.
MOVES: dict[str, Callable[[int, int], int]] = {
    "tic_tac_toe": lambda row, column: 3 * (row - 1) + column - 1,
    "connect_four": lambda row, column: column - 1,
    "breakthrough": lambda row, column: 8 * (row - 1) + column - 1,
}


@pytest.mark.parametrize("name", by_hand.GAMES)
def test_the_games_by_hand_are_played_by_the_same_rules(name: str) -> None:
    """Move by move: the same moves are legal, and the same player wins at the same time."""
    rules, chance = load(name), random.Random(3)
    for seed in range(5):
        plain, game = by_hand.GAMES[name](), rules.new_game(2, seed)
        while game.decision is not None:
            moves = [MOVES[name](*map(int, option.id.split("_")[1:])) for option in game.decision.options]
            assert sorted(plain.legal_moves()) == sorted(moves)
            index = chance.randrange(len(moves))
            plain.play(moves[index])
            game.choose(index)
        assert plain.over
        assert game.result is not None
        assert game.result.winners == ((plain.winner,) if plain.winner else ())
