"""Recorded playthroughs: a whole game of every ruleset, which must go the same way again.

`pytest --update-playthroughs` rewrites them. A file is a replay; the log in words is in it, so that a difference can be read.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright import Game, Rules, RulesError, RulesetError, load
from rulewright.run.saving import check_shape, play_again
from tests.playing import ROOT

FOLDER = ROOT / "tests" / "playthroughs"
SEED = 11
DECISIONS = 120


# Nothing is loaded before it is played: every worker of a parallel run reads this file.
RULESETS = {yaml.safe_load(path.read_text(encoding="utf-8"))["id"]: path.parent for path in sorted((ROOT / "rulesets").rglob("ruleset.yaml"))}


def playable(name: str) -> Rules | None:
    """A ruleset of the repository, if it can be played by itself."""
    try:
        rules = load(RULESETS[name])
    except RulesetError:
        return None
    return rules if "play" in rules.graph["effects"] else None


def play(rules: Rules) -> Game:
    """A game of a bot that chooses at random, cut if it does not end."""
    game = rules.new_game(max(rules.players[0], min(2, rules.players[1])), seed=SEED)
    chooser = random.Random(SEED)
    for _ in range(DECISIONS):
        if game.decision is None:
            break
        try:
            game.choose(chooser.randrange(len(game.decision.options)))
        except RulesError:
            break
    return game


def recorded(game: Game) -> dict[str, Any]:
    """A game as it is kept: the replay without what belongs to this machine."""
    data = game.replay()
    return {**data, "ruleset": {**data["ruleset"], "target": game.rules.id}}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


@pytest.mark.parametrize("name", RULESETS)
def test_a_recorded_game_goes_the_same_way_again(name: str, request: pytest.FixtureRequest) -> None:
    """Every ruleset has a recording; its choices give the same log and the same result."""
    rules = playable(name)
    if rules is None:
        assert not path_of(name).exists(), f"'{name}' cannot be played, but has a playthrough"
        pytest.skip(f"'{name}' cannot be played by itself")
    if request.config.getoption("--update-playthroughs"):
        path_of(name).write_text(json.dumps(recorded(play(rules)), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert path_of(name).exists(), f"'{name}' has no playthrough: run pytest --update-playthroughs"
    data = check_shape(json.loads(path_of(name).read_text(encoding="utf-8")), "replay")
    # Rules may change as long as the game does not: the fingerprint of the graph is not compared.
    again, problem = play_again(rules, data)
    now = recorded(again)
    assert now["log"] == data["log"]
    assert problem is None
    assert now["log_fingerprint"] == data["log_fingerprint"]
    assert now["result"] == data["result"]


def test_no_recording_is_left_over() -> None:
    """None is of what no longer exists."""
    assert {path.stem for path in FOLDER.glob("*.json")} <= set(RULESETS)
