"""Numbers with names: a house rule may set each of them to one less and one more, and nothing breaks: the rules are valid, and games come to their end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright import load
from rulewright.build import build
from tests.playing import ROOT
from tests.playing import built as built_once

GAMES = ("base", "carnomorphs", "lockdown")
NAMES = {"exit_number"}  # the name of a room, and no amount
LEAST = {"mutation_cost": 0, "limp": 0}  # the others are 1 at least
LONGEST = 20_000  # decisions


def numbers(game: str) -> dict[str, int]:
    """The named numbers of a game, its own and those that it shares."""
    graph = built_once(ROOT / "rulesets" / game).graph
    assert graph is not None
    return {name: number["value"] for name, number in graph["numbers"].items() if name not in NAMES}


def other(name: str, value: int, by: int) -> int:
    return max(value + by, LEAST.get(name, 1))


def played(folder: Path, game: str, lines: list[str]) -> None:
    """A game by a layer of some lines comes to its end."""
    layer = folder / "other_numbers.rules"
    layer.write_text(f"layer other_numbers over {game}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    assert [one.message for one in build(layer).diagnostics] == []
    rules = load(layer)
    for players, seed in ((2, 1), (4, 2)):
        current, dice = rules.new_game(players, seed), random.Random(seed)
        for _ in range(LONGEST):
            if current.decision is None:
                break
            current.choose(dice.randrange(len(current.decision.options)))
        assert current.decision is None, "the game does not end"
        assert current.result is not None


@pytest.mark.slow
@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("game", GAMES)
def test_all_numbers_may_be_others_at_once(game: str, by: int, tmp_path: Path) -> None:
    """One less everywhere, and one more everywhere."""
    played(
        tmp_path,
        game,
        [f"set {name} to {other(name, value, by)} was {value}" for name, value in numbers(game).items() if other(name, value, by) != value],
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", GAMES)
def test_any_numbers_may_be_others(game: str, seed: int, tmp_path: Path) -> None:
    """Each one less, one more, or as it was, by chance."""
    dice, lines = random.Random(seed), []
    for name, value in numbers(game).items():
        changed = other(name, value, dice.choice((-1, 0, 1)))
        lines += [f"set {name} to {changed} was {value}"] * (changed != value)
    played(tmp_path, game, lines)


def test_what_house_rules_want_has_a_name() -> None:
    """Actions, cards, wounds, the bag and the tracks."""
    wanted = {"actions_in_turn", "full_hand", "items_found", "larvae_in_bag", "adults_in_bag", "eggs_at_start", "light_wounds", "deadly_wounds"}
    assert wanted <= set(numbers("base")) & set(numbers("lockdown"))
    assert {"early_hours", "late_hours", "calm_minutes", "last_minutes"} <= set(numbers("base"))
    assert {"metagorgers_in_bag", "mutations_offered"} <= set(numbers("carnomorphs"))
