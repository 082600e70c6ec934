"""Helpers of the tests that play: a ruleset from a text, a game along given choices, what it said."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from rulewright import Game, Rules, load
from rulewright.build import Built, build
from rulewright.game.game import Game as CoreGame

ENGINE = os.environ.get("TEST_ENGINE", "wasm")
ROOT = Path(__file__).resolve().parents[1]


def rules_of(folder: Path, text: str, name: str = "game", layers: Sequence[str | Path] = (), engine: str = ENGINE) -> Rules:
    """A ruleset from a text."""
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path, layers, engine=engine)


@cache
def built(folder: Path) -> Built:
    """What is read, checked and lowered of a ruleset that stays as it is: once, for all tests."""
    return build(folder)


def game_by(rules: Rules, players: int, seed: int) -> CoreGame:
    """A game of the core."""
    game: Any = rules.new_game(players, seed)
    assert isinstance(game, CoreGame)
    return game


def messages(game: Game, player: int | None = None) -> list[str]:
    """What the rules have told somebody."""
    return [entry["text"] for entry in game.log(player) if entry["kind"] == "message"]


def entries(game: Any) -> list[dict[str, Any]]:
    """The log as data, on whatever engine."""
    found: list[dict[str, Any]] = game.entries() if hasattr(game, "entries") else list(game.state.entries())
    return found


def option_ids(game: Game) -> list[str]:
    """The ids of what may be chosen now."""
    return [] if game.decision is None else [option.id for option in game.decision.options]


def play_on(game: Game, seed: int, most: int) -> int:
    """Choose at random up to so many times; gives how often."""
    chooser = random.Random(seed)
    for count in range(most):
        if game.decision is None:
            return count
        game.choose(chooser.randrange(len(game.decision.options)))
    return most


def nodes_in(value: Any) -> list[Any]:
    """A node of the core and everything in it."""
    if isinstance(value, msgspec.Struct):
        return [value, *(each for name in value.__struct_fields__ for each in nodes_in(getattr(value, name)))]
    if isinstance(value, dict):
        return [each for part in value.values() for each in nodes_in(part)]
    return [each for part in value for each in nodes_in(part)] if isinstance(value, list | tuple) else []
