"""Recorded playthroughs: a whole game of every ruleset, to its end, which must go the same way again.

`pytest --update-playthroughs` rewrites them. A file is a replay; the log in words is in it, so that a difference can be read. A recording is worth keeping only
if it shows what its ruleset says: `SABOTAGES` has for each of them changes of that ruleset's own text which the recording must notice, and the game that is
recorded is the first in which it does.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright import Game, Rules, load
from rulewright.game.saving import check_shape, play_again
from tests.playing import ROOT

FOLDER = ROOT / "tests" / "playthroughs"
LONGEST = 1_000  # decisions; a game that is not over by then has run away

# Nothing is loaded before it is played: every worker of a parallel run reads this file.
RULESETS = {yaml.safe_load(path.read_text(encoding="utf-8"))["id"]: path.parent for path in sorted((ROOT / "rulesets").rglob("ruleset.yaml"))}

# What has no recording, and why.
UNRECORDED = {
    "common": "it is what several games share, no game by itself",
    "archivist": "its card decides something only at the end of a game that its owner survives, which bots hardly ever do; its scenarios show it",
}
RECORDED = [name for name in RULESETS if name not in UNRECORDED]
EVERYDAY = ("tic_tac_toe", "connect_four", "base")

# A file below `rulesets/`, what stands there once, and what stands there instead.
SABOTAGES: dict[str, list[tuple[str, str, str]]] = {
    "tic_tac_toe": [("examples/tic_tac_toe/tic_tac_toe.rules", "lines(board, 3)", "lines(board, 2)")],
    "connect_four": [("examples/connect_four/connect_four.rules", "row > spot.row", "row < spot.row")],
    "blight": [
        ("examples/blight/blight.rules", "the bottom gust in wind", "the top gust in wind"),
        ("examples/blight/blight.rules", "move all gusts in blown to wind\n", "move all gusts in blown to wind at the bottom\n"),
    ],
    "hex": [("examples/hex/hex.rules", "where row = first.column and column = first.row", "where row = first.row and column = first.column")],
    "whist": [("examples/whist/whist.rules", "if card.suit = trump: give 100 + card.rank", "if card.suit = trump: give card.rank")],
    "breakthrough": [("examples/breakthrough/breakthrough.rules", "column != spot.column", "column = spot.column")],
    "base": [
        ("base/round.rules", "if foe is in_combat: attack_prey(foe)", "if foe is not in_combat: attack_prey(foe)"),
        ("base/ending.rules", "advance time_track by early_hours + late_hours + 1", "advance time_track by 1"),
        ("common/noise.rules", "danger: danger(who)\n        1, 2, 3, 4:", "danger: nothing\n        1, 2, 3, 4:"),
    ],
    "base_alt_board": [("base_alt_board/board.yaml", "[room_6, room_11], fields: {numbers: [1]}", "[room_6, room_11], fields: {numbers: [2]}")],
    "carnomorphs": [("carnomorphs/feeding.rules", "after event_phase.time:", "before event_phase.time:")],
    "lockdown": [("lockdown/power.rules", "is one of 11, 5, 3", "is one of 12, 5, 3")],
    "lockdown_surface": [
        (
            "lockdown_surface/surface.rules",
            "surface_card: meet_the_weather(who)\n        else: hear(who, face)",
            "surface_card: nothing\n        else: hear(who, face)",
        )
    ],
    "calm_waters": [("house/calm_waters/calm_waters.rules", "hunt, second_hunt", "second_hunt")],
    "chapel": [("house/chapel/chapel.rules", "move laid_aside to removed", "nothing")],
    "flares": [("house/flares/flares.rules", "show lit.tile to who.player", "nothing")],
    "meteors": [("house/meteors/meteors.rules", "ordered by number descending", "ordered by number")],
    "pep_talk": [("house/pep_talk/pep_talk.rules", "cost 1 card", "cost 2 cards")],
    "rested_crew": [("house/rested_crew/rested_crew.rules", "full_hand to 6", "full_hand to 7")],
    "slow_burn": [("house/slow_burn/slow_burn.rules", "noise_die is silence", "noise_die is danger")],
    "together": [("house/together/together.rules", "fate is dead", "fate is aboard")],
}


def play(rules: Rules, seed: int) -> Game:
    """A game of a bot that chooses at random, to the end."""
    game = rules.new_game(max(rules.players[0], min(2, rules.players[1])), seed=seed)
    chooser = random.Random(seed)
    for _ in range(LONGEST):
        if game.decision is None:
            return game
        game.choose(chooser.randrange(len(game.decision.options)))
    raise AssertionError(f"a game of '{rules.id}' is not over after {LONGEST:,} decisions")


def sabotaged(name: str, change: tuple[str, str, str], folder: Path) -> Rules:
    """A ruleset in a copy of all of them in which one line says something else."""
    shutil.copytree(ROOT / "rulesets", folder, ignore=shutil.ignore_patterns("scenarios"))
    file, before, after = change
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(before) == 1, f"'{before}' stands {text.count(before)} times in {file}"
    (folder / file).write_text(text.replace(before, after), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulewright.sources.locate.rulesets_folder", lambda: folder)
        return load(folder / RULESETS[name].relative_to(ROOT / "rulesets"))


def record(name: str, rules: Rules, folder: Path) -> dict[str, Any]:
    """The first game in which every sabotage of a ruleset is noticed."""
    others = [sabotaged(name, change, folder / str(number)) for number, change in enumerate(SABOTAGES[name])]
    for seed in range(11, 1_000):
        data = recorded(play(rules, seed))
        if all(difference(other, data) for other in others):
            return data
    raise AssertionError(f"no game of '{name}' shows what it says: sabotage something that happens more often")


def recorded(game: Game) -> dict[str, Any]:
    """A game as it is kept: the replay without what tells which rules have changed since."""
    data = game.replay()
    return {**data, "ruleset": {**data["ruleset"], "declarations": {}}}


def written(data: dict[str, Any]) -> str:
    """A recording as text: a line a choice, and a line an entry of the log."""
    made = json.dumps({**data, "choices": "CHOICES", "log": "LOG"}, indent=1, ensure_ascii=False)
    for key in ("choices", "log"):
        lines = ",\n".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in data[key])
        made = made.replace(json.dumps(key.upper()), f"[\n{lines}\n ]")
    return made + "\n"


def kept(name: str) -> dict[str, Any]:
    """The recording of a ruleset."""
    path = FOLDER / f"{name}.json"
    assert path.exists(), f"'{name}' has no playthrough: run pytest --update-playthroughs"
    return check_shape(json.loads(path.read_text(encoding="utf-8")), "replay")


def difference(rules: Rules, data: dict[str, Any]) -> str | None:
    """What goes otherwise if the recorded choices are made again. Rules may change as long as the game does not: their fingerprint is not compared."""
    again, problem = play_again(rules, data)
    now = recorded(again)
    for number, (one, other) in enumerate(zip(data["log"], now["log"], strict=False)):
        if one != other:
            return f"entry {number} of the log was {one}, and is {other}"
    if problem is not None:
        return str(problem)
    for key in ("log", "log_fingerprint", "result"):
        if now[key] != data[key]:
            return f"'{key}' is another"
    return None


@pytest.mark.parametrize("name", [name if name in EVERYDAY else pytest.param(name, marks=pytest.mark.slow) for name in RECORDED])
def test_a_recorded_game_goes_the_same_way_again(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Every ruleset has a recording of a game that came to its end; its choices give the same log and the same result."""
    rules = load(RULESETS[name])
    if request.config.getoption("--update-playthroughs"):
        (FOLDER / f"{name}.json").write_text(written(record(name, rules, tmp_path)), encoding="utf-8")
    data = kept(name)
    assert data["result"] is not None, "the recorded game has no end"
    assert difference(rules, data) is None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change"), [(name, change) for name, changes in SABOTAGES.items() for change in changes])
def test_a_recording_notices_another_rule(name: str, change: tuple[str, str, str], tmp_path: Path) -> None:
    """In a copy of all rulesets in which one line says something else, the recorded game goes otherwise."""
    assert difference(sabotaged(name, change, tmp_path / "rulesets"), kept(name)) is not None


def test_every_playable_ruleset_has_a_recording_that_shows_it() -> None:
    """None is left over of what no longer exists, no layer's is its parent's over again, and each is sabotaged in its ruleset's own text."""
    assert {path.stem for path in FOLDER.glob("*.json")} == set(RECORDED)
    assert len({kept(name)["log_fingerprint"] for name in RECORDED}) == len(RECORDED)
    for name in RECORDED:
        own = str(RULESETS[name].relative_to(ROOT / "rulesets"))
        assert any(file.startswith(f"{own}/") for file, _, _ in SABOTAGES[name]), f"the recording of '{name}' is never seen to fail"
