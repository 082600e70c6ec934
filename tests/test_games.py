"""Properties that hold in every game of every ruleset, tried over random play.

A game that does not end by itself is cut after some decisions, one whose rules run away at the decision before; both are reported with `-rA`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, Rules, RulesError, RulesetError, load
from interpreter.run.saving import checksum, replay
from interpreter.run.visibility import Eyes, identity
from tests.playing import ROOT

pytestmark = pytest.mark.slow

DECISIONS = 30
SEEDS = (1, 2)


@cache
def loaded(name: str) -> Rules | None:
    """A ruleset, if it can be played."""
    try:
        rules = load(ROOT / name)
    except RulesetError:
        return None
    return rules if "play" in rules.graph["effects"] else None


def rulesets() -> list[str]:
    """Every folder of the repository that may be a ruleset."""
    found = [*(ROOT / "rulesets").rglob("ruleset.yaml"), *(ROOT / "tests" / "passages").glob("*/ruleset.yaml")]
    return sorted(str(path.parent.relative_to(ROOT)) for path in found)


@pytest.fixture(params=[(name, seed) for name in rulesets() for seed in SEEDS], ids=lambda param: f"{param[0]}-{param[1]}")
def start(request: pytest.FixtureRequest) -> Game:
    """A game of each ruleset, with different numbers of players."""
    name, seed = request.param
    rules = loaded(name)
    if rules is None:
        pytest.skip(f"{name} cannot be played")
    low, high = rules.players
    return rules.new_game(min(max(seed % 3, low), high), seed=seed)


def course(game: Game, every: int = 1, most: int = DECISIONS) -> Iterator[tuple[Game, random.Random]]:
    """The game at its decisions, or at every so many of them, played on at random."""
    chooser = random.Random(game.seed)
    for number in range(most):
        if game.decision is None:
            return
        if number % every == 0:
            yield game, chooser
        try:
            game.choose(chooser.randrange(len(game.decision.options)))
        except RulesError as error:
            print(f"cut: {error}")
            return
    print(f"cut after {most} decisions")


def whole(game: Game) -> str:
    """Everything about a game, as one mark."""
    return checksum(game.save())


def test_every_component_is_in_exactly_one_place(start: Game) -> None:
    """And there are always as many as were declared."""
    for game, _ in course(start):
        state = game.state
        assert len(state.where) == game.world.count
        placed = sorted((member, place) for place, members in enumerate(state.members) for member in members)
        assert placed == list(enumerate(state.where))


def test_every_option_that_is_offered_works(start: Game) -> None:
    """Each of a sample is taken on a clone; ids are unique, and the same when asked again."""
    for game, chooser in course(start, every=4):
        assert game.decision is not None
        ids = [option.id for option in game.decision.options]
        assert ids, "a decision without options"
        assert len(set(ids)) == len(ids)
        again = game.clone()
        again._asked = None
        assert again.decision == game.decision
        for chosen in chooser.sample(ids, min(3, len(ids))):
            game.clone().choose(chosen)


def test_undo_and_redo_lead_to_the_same_state(start: Game) -> None:
    """Back and forth again, nothing has changed; a clone is a game of its own."""
    for game, chooser in course(start, every=5):
        assert game.decision is not None
        before = whole(game)
        clone = game.clone()
        try:
            clone.choose(chooser.randrange(len(game.decision.options)))
        except RulesError:
            assert whole(clone) == before
            continue
        after = whole(clone)
        assert whole(game) == before
        assert clone.undo(past_secrets=True)
        assert whole(clone) == before
        assert clone.decision == game.decision
        assert clone.redo()
        assert whole(clone) == after


def test_a_saved_game_is_the_same_game(start: Game, tmp_path: Path) -> None:
    """Saved, loaded and saved again it is identical, and it goes on identically."""
    for game, chooser in course(start, every=10):
        saved = game.save(tmp_path / "game.json")
        back = start.rules.load_game(tmp_path / "game.json")
        assert back.save() == saved
        assert back.decision == game.decision
        assert game.decision is not None
        chosen = chooser.randrange(len(game.decision.options))
        try:
            one, other = game.clone(), back
            one.choose(chosen)
        except RulesError:
            continue
        other.choose(chosen)
        assert whole(one) == whole(other)


def test_a_replay_gives_the_same_log(start: Game) -> None:
    """Choices and a seed are all there is to a game."""
    for _ in course(start):
        pass
    data = start.replay()
    again = replay(start.rules, data)
    assert again.replay() == data
    assert again.state.entries() == start.state.entries()
    assert again.log(None) == start.log(None)


# -- secrets


def strings(value: Any) -> Iterator[str]:
    """Every text in plain data, keys too."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


def test_a_view_names_nothing_that_is_hidden(start: Game) -> None:
    """Neither the id of a component that a player cannot tell, nor, if all of its name are hidden, its label."""
    for game, _ in course(start, every=6):
        world, machine = game.world, game._machine
        for player in (None, *range(1, world.players + 1)):
            eyes = Eyes(machine, None if player is None else player - 1)
            said = set(strings(json.loads(json.dumps(game.view(player)))))
            for component in range(world.count):
                if not eyes.knows(component):
                    name = identity(machine, component)
                    assert not any(text == name or text.startswith(f"{name}.") for text in said), (player, name)


def test_what_is_hidden_can_be_dealt_anew_without_anybody_seeing_it(start: Game) -> None:
    """A player's view, log and decision are the same in every game that the player could be in."""
    for game, chooser in course(start, every=10):
        for player in (None, *range(1, game.world.players + 1)):
            other = game.imagine(player, chooser.randrange(1000))
            assert other.view(player) == game.view(player)
            assert other.log(player) == game.log(player)


# -- the same everywhere

PLAY = """
import random, sys
from interpreter import load
from interpreter.run.saving import checksum
game = load(sys.argv[1]).new_game(seed=5)
chooser = random.Random(5)
for _ in range(40):
    if game.decision is None:
        break
    game.choose(chooser.randrange(len(game.decision.options)))
print(checksum([game.save(), game.view(1), game.log(1)]))
"""


@pytest.mark.parametrize("name", ["rulesets/examples/connect_four", "tests/passages/base", "tests/passages/aliens"])
def test_the_same_seed_is_the_same_game_whatever_the_order_of_hashes(name: str) -> None:
    """Two processes with different hash seeds give the same state, view and log."""
    found = set()
    for seed in ("1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", PLAY, str(ROOT / name)], capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1
