"""Games on the core, by the public API: what callers see, read, undo, save and load is what the present engine gives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load
from tests.beside import Beside
from tests.lockstep import oracle
from tests.playing import ROOT, rules_of
from tests.random_rules import random_rules
from tests.test_games import rulesets


def beside(
    reference: str, name: Path, players: int, seed: int, chance: str | None = None, *, most: int, often: float, automatic: bool = False
) -> int:
    """One game on both engines."""
    with oracle():
        return Beside(load(name, engine=reference), load(name, engine="step"), players, seed, chance, automatic=automatic).play(most, often)


@pytest.mark.parametrize("seed", range(8))
def test_random_rules_are_seen_the_same(seed: int, tmp_path: Path) -> None:
    """Interrupted all the time; for two and three, by themselves, with chance as a player."""
    rules_of(tmp_path, random_rules(seed), engine="walk")
    path = tmp_path / "game.rules"
    beside("walk", path, 2, seed, most=40, often=0.25)
    beside("walk", path, 3, seed, most=30, often=0.25, automatic=True)
    beside("walk", path, 2, seed, "ask", most=30, often=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 200))
def test_many_random_rules_are_seen_the_same(seed: int, tmp_path: Path) -> None:
    """The same for many more."""
    test_random_rules_are_seen_the_same(seed, tmp_path)


@pytest.mark.parametrize("target", rulesets(), ids=lambda name: name.rpartition("/")[2])
def test_games_of_the_repository_are_seen_the_same(target: str) -> None:
    """From the beginning, for some decisions; with the seed, and with chance as a player."""
    low, high = load(ROOT / target, engine="step").players
    assert beside("compile", ROOT / target, low, 3, most=40, often=0.1) > 3
    assert beside("compile", ROOT / target, min(high, 3), 4, "ask", most=25, often=0.1) > 3
