"""Queries as both engines answer them, on boards that chance fills: the module has tables and short cuts of its own for all of these."""

from __future__ import annotations

import pytest

from rulewright import Rules
from tests.playing import messages, rules_of
from tests.subjects import QUERIES

SEEDS = 12


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rules, Rules]:
    """The rules for each engine."""
    folder = tmp_path_factory.mktemp("queries")
    return rules_of(folder, QUERIES, engine="step"), rules_of(folder, QUERIES, engine="wasm")


@pytest.mark.parametrize("seed", range(SEEDS))
def test_both_engines_find_the_same(seed: int, both: tuple[Rules, Rules]) -> None:
    """On a board that fills up, every question has the same answer."""
    step, wasm = (messages(rules.new_game(2, seed)) for rules in both)
    assert step == wasm


def test_every_question_has_more_than_one_answer(both: tuple[Rules, Rules]) -> None:
    """What is asked for is there at times, and at times it is not; else this compares nothing."""
    said = [messages(both[0].new_game(2, seed)) for seed in range(SEEDS)]
    moments = "\n".join("\n".join(each) for each in said).split("moment")
    for text in ("white three", "same two", "empty four", "pebbles", "full three", "nine", "no pair"):
        times = sum(text in moment for moment in moments)
        assert 0 < times < len(moments), text
    assert not any("never" in moment for moment in moments)
