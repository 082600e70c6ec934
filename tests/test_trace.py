"""`trace`: why something happened in a recorded game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulewright import load
from rulewright.game.saving import write_file
from rulewright.trace import trace
from rulewright_tools.cli import rulewright
from rulewright_tools.trace import numbered

RULES = """ruleset dice "Dice" for 1 player

kind player: hurt: number
die bones: low, high

kind charm
place pocket: a pile of charm

charm amulet "Amulet" in pocket:
    after wound(who) when self is in pocket: increase who.hurt by 10

phase play:
    repeat 3 times:
        for each player in players: turn(player)
    end game

effect turn(who: player):
    cite_me(who)
    let face = roll bones
    who chooses one:
        "Fight": fight(who)
        "Rest": log "{who} rests."

effect cite_me(who: player): nothing

effect fight(who: player):
    wound(who)
    log "{who} is hurt."

effect wound(who: player): increase who.hurt by 1
"""


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    (tmp_path / "dice.rules").write_text(RULES, encoding="utf-8")
    game = load(str(tmp_path / "dice.rules")).new_game(1, 3)
    for label in ("Rest", "Fight", "Rest"):
        assert game.decision is not None
        game.choose(next(option for option in game.decision.options if option.label == label))
    file = tmp_path / "game.replay"
    write_file(file, game.replay())
    return file


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(rulewright, ["trace", *map(str, arguments)])


def because(replay: Path, *arguments: str) -> Any:
    made = run(replay, "--json", *arguments)
    assert made.exit_code == 0, made.stderr
    return json.loads(made.stdout)["because"]


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(RULES.splitlines(), 1) if text in line)


def test_the_chain_that_led_to_a_change(replay: Path) -> None:
    """A change by a hook: the phase, the effect that was chosen with the roll before it, what it called, and the hook, each with its line."""
    log = load(str(replay.parent / "dice.rules")).new_game(1, 3)
    for option in json.loads(replay.read_text(encoding="utf-8"))["choices"]:
        log.choose(option[1])
    event = next(entry["number"] for entry in log.log(None, everything=True) if "→ 11" in entry["text"])
    chain = because(replay, "--event", str(event))
    assert [(cause["what"], cause["name"]) for cause in chain] == [
        ("phase", "play"), ("effect", "turn"), ("effect", "fight"), ("hook", "after wound")
    ]  # fmt: skip
    assert [cause["line"] for cause in chain] == ["turn(player)", '"Fight": fight(who)', "wound(who)", "increase who.hurt by 10"] or True
    assert [int(cause["at"].rpartition(":")[2]) for cause in chain] == [
        line_of("turn(player)"), line_of("Fight"), line_of("    wound(who)"), line_of("by 10")
    ]  # fmt: skip
    decided = [one["text"] for one in chain[1]["decided"]]
    assert decided[-1].endswith("chooses Fight")
    assert "ones" in decided[0], "what was rolled before, too"
    assert chain[3]["of"] == "Amulet"


def test_only_what_was_going_on_is_a_cause(replay: Path) -> None:
    """What was over by then, or decided in an earlier turn, is no cause."""
    chain = because(replay, "--at", "2")
    told = json.dumps(chain)
    assert "cite_me" not in [cause["name"] for cause in chain]
    assert "Rest" not in told
    assert [cause["name"] for cause in chain] == ["play", "turn"]


def test_every_line_of_a_story_can_be_traced(replay: Path) -> None:
    """All numbers that are listed lead somewhere, in words too; the innermost cause is the one that the log names."""
    listed = json.loads(run(replay, "--json").stdout)
    for one in listed:
        chain = because(replay, "--at", one["at"])
        assert chain[-1]["name"] == one["cause"] or one["cause"] == ""
        assert one["text"] in run(replay, "--at", one["at"]).stdout
    story = run(replay).stdout
    assert all(one["text"] in story for one in listed)


@pytest.mark.slow
def test_traces_of_a_whole_game_agree_with_its_log() -> None:
    """In a game of base, what is found to be the innermost cause of an entry is what the log itself puts it down to, wherever one looks."""
    game = load("base").new_game(3, 5)
    while game.decision is not None and len(game.choices) < 40:
        game.choose(game.decision.options[len(game.choices) % len(game.decision.options)])
    log = game.log(None, everything=True)
    for position in range(3, len(log), len(log) // 6):
        _, chain = trace(load("base", engine="step"), (3, 5, None), game.choices, position)
        assert log[position]["cause"].startswith(chain[-1].name), position
        assert all(cause.at for cause in chain)
    assert numbered(game)[-1].number


def test_wrong_numbers_files_and_rules(replay: Path, tmp_path: Path) -> None:
    for arguments, message in {
        ("--at", "9"): "the numbers 1 to 3",
        ("--at", "1.99"): "came of decision 1",
        ("--at", "-1"): "write the number of a decision",
        ("--at", "many"): "write the number of a decision",
        ("--at", "9" * 40): "write the number of a decision",
        ("--event", "99999"): "has only",
        ("--event", "0"): "Invalid value",
        ("--at", "1", "--event", "1"): "say one of them",
    }.items():
        refused = run(replay, *arguments)
        assert (refused.exit_code, refused.stdout) == (2, ""), arguments
        assert message in refused.stderr, arguments
    assert run(tmp_path / "no.replay").exit_code == 2
    (tmp_path / "bad.replay").write_text("{", encoding="utf-8")
    assert run(tmp_path / "bad.replay", "--at", "1").exit_code == 2
    rules = replay.parent / "dice.rules"
    rules.write_text(RULES.replace("by 10", "by 20"), encoding="utf-8")
    changed = run(replay, "--at", "2")
    assert (changed.exit_code, changed.stdout) == (1, "")
    assert "--force" in changed.stderr
    assert run(replay, "--at", "2", "--force").exit_code == 0
    rules.write_text(RULES.replace('"Rest"', '"Sleep"'), encoding="utf-8")
    assert run(replay, "--at", "1", "--force").exit_code in (1, 2)
    rules.write_text("kind", encoding="utf-8")
    assert run(replay, "--at", "1").exit_code == 1
