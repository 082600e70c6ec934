"""The benchmark command: what it says of a small game, in one quick round."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

from tools.bench import by_hand, subjects
from tools.cli import rulewright


def test_the_bench_measures_both_engines_beside_the_game_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """All figures are there, and none is nothing."""
    monkeypatch.setattr(subjects, "SLICE", 0.02)
    done = CliRunner().invoke(rulewright, ["bench", "tic_tac_toe", "--rounds", "1", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert [row["engine"] for row in found["playing"]] == ["compile", "walk", "by hand"]
    assert all(row["decisions"] > row["playouts"] > 0 for row in found["playing"])
    assert all(row[name] > 0 for row in found["operations"] for name in ("clone", "undo", "view", "save", "load"))
    assert found["loading"][0]["compile_cold"] > 0
    assert all(row["bytes"] > 0 for row in found["memory"])


@pytest.mark.parametrize("name", by_hand.GAMES)
def test_the_games_by_hand_are_played_by_the_same_rules(name: str) -> None:
    """Over many random games, first players win about as often by hand as by the rules' text."""
    from interpreter import load

    rules, chance = load(name), random.Random(3).random
    games = 400 if name == "tic_tac_toe" else 150
    shares = []
    for by_rules in (True, False):
        wins = 0
        for seed in range(games):
            if by_rules:
                game, _ = subjects.random_game(rules, 2, seed, chance)
                wins += game.result is not None and game.result.winners == (1,)
            else:
                plain = by_hand.GAMES[name]()
                by_hand.playout(plain, chance)
                wins += plain.winner == 1
        shares.append(wins / games)
    assert abs(shares[0] - shares[1]) < 0.13
