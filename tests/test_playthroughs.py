"""Recorded playthroughs: a whole game of every ruleset, which must go the same way again.

`pytest --update-playthroughs` rewrites them. A file holds the replay and the log in words, so that a difference can be read.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, Rules, RulesError, RulesetError, load
from interpreter.run.saving import check_shape, replay
from tests.playing import ROOT

FOLDER = ROOT / "tests" / "playthroughs"
SEED = 11
DECISIONS = 120


def playable() -> dict[str, Path]:
    """The rulesets of the repository that can be played by themselves, by the name of their file."""
    found = {}
    for path in sorted((ROOT / "rulesets").rglob("ruleset.yaml")):
        try:
            rules = load(path.parent)
        except RulesetError:
            continue
        if "play" in rules.graph["effects"]:
            found[rules.id] = path.parent
    return found


RULESETS = playable()


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
    """A game as it is kept: the replay without what belongs to this machine, and the log in words."""
    data = game.replay()
    data["ruleset"] = {**data["ruleset"], "target": game.rules.id}
    transcript = [f"{entry['text']}  ({entry['cause']})" for entry in game.log(everything=True)]
    return {"replay": data, "transcript": transcript}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


@pytest.mark.parametrize("name", RULESETS)
def test_a_recorded_game_goes_the_same_way_again(name: str, request: pytest.FixtureRequest) -> None:
    """Every ruleset has a recording; its choices give the same log and the same result."""
    rules = load(RULESETS[name])
    if request.config.getoption("--update-playthroughs"):
        path_of(name).write_text(json.dumps(recorded(play(rules)), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert path_of(name).exists(), f"'{name}' has no playthrough: run pytest --update-playthroughs"
    kept = json.loads(path_of(name).read_text(encoding="utf-8"))
    data = check_shape(kept["replay"], "replay")
    # Rules may change as long as the game does not: the fingerprint of the graph is not compared.
    again = replay(rules, {**data, "ruleset": {**data["ruleset"], "fingerprint": rules.fingerprint}})
    now = recorded(again)
    assert now["transcript"] == kept["transcript"]
    assert now["replay"]["log_fingerprint"] == data["log_fingerprint"]
    assert now["replay"]["result"] == data["result"]


def test_no_recording_is_left_over() -> None:
    """A file for each ruleset, and none for what no longer exists."""
    assert {path.stem for path in FOLDER.glob("*.json")} == set(RULESETS)
