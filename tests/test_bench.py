"""The benchmark command: what it says of a small game, in one quick round."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulewright import load
from rulewright_tools.bench import by_hand, command, flatness, subjects
from rulewright_tools.cli import rulewright

pytestmark = pytest.mark.slow

ROWS = [*(f"{engine}, {way}" for engine in ("step",) for way in ("by index", "options")), "by hand"]
if find_spec("wasmtime") is not None:
    ROWS = ["wasm, by index", "wasm, options", "inside", "inside, log", *ROWS]


@pytest.fixture(scope="module")
def benched() -> dict[str, Any]:
    """What is measured of a small game in one quick round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subjects, "SLICE", 0.02)
        return command.measured(["tic_tac_toe"], 1, flat=False)


def test_the_bench_measures_all_engines_beside_the_game_by_hand(benched: dict[str, Any]) -> None:
    """All figures are there, and none is nothing."""
    assert [row["engine"] for row in benched["playing"]] == ROWS
    assert all(row["decisions"] > row["playouts"] > 0 for row in benched["playing"])
    assert all(row["of_by_hand"] > 0 for row in benched["playing"])
    assert all(row[name] > 0 for row in benched["operations"] for name in ("clone", "undo", "view", "save", "load"))
    assert all(row["lower"] > 0 for row in benched["loading"] if row["engine"] == "step")
    assert all(0 < row["new"] < row["then"] for row in benched["memory"])


def test_the_bench_shows_tables(benched: dict[str, Any]) -> None:
    """With ratios, and how long an operation takes."""
    shown = command.in_tables(benched)
    for words in ("median of 1 round", "Random games", "µs a decision  of by hand", "µs)", "Loading, in seconds", "Memory of a game"):
        assert words in shown


@pytest.mark.slow
def test_the_start_of_a_program_is_measured() -> None:
    """By the processor and by the clock."""
    assert all(part > 0 for part in subjects.start("tic_tac_toe", 1).values())


@pytest.mark.slow
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
    done = CliRunner().invoke(rulewright, ["bench", str(path), "--rounds", "1", "--json"])
    assert said in done.output
    assert name == "broken" or json.loads(done.output)["rounds"] == 1
    assert done.exit_code == (1 if name == "broken" else 0), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_flatness_is_measured_for_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shorter game."""
    monkeypatch.setattr(flatness, "LONG", 30)
    monkeypatch.setattr(flatness, "ROUNDS", 1)
    monkeypatch.setattr(flatness, "TURNS", 1)
    for engine in ("wasm", "step"):
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
