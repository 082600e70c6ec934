"""Mutation: a changed rule is noticed by a scenario that bites, and told of where none does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.build import build
from rulewright.mutants import mutants, mutated
from rulewright.mutation import _files_below
from rulewright_tools.cli import main
from tests.small import coins

pytestmark = pytest.mark.slow


def tried(capsys: pytest.CaptureFixture[str], home: str, *more: str) -> dict[str, Any]:
    """The outcome of a whole check as data."""
    assert main(["test", home, "--mutate", "--json", *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_mutants_are_killed_survive_or_are_not_covered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is checked is killed, what is only walked through survives, the rest is not covered."""
    data = tried(capsys, coins(tmp_path))
    by = {(mutant["unit"], mutant["what"]): mutant for mutant in data["mutants"]}
    wage = by["wage", "3 becomes 4"]
    assert (wage["status"], wage["by"], wage["line"]) == ("killed", "Everybody is paid", 10)
    assert by["action beg", "requirement removed: actor.purse is empty"]["by"] == "Only the poor beg"
    assert by["action beg", "negated: actor.purse is empty"]["status"] == "killed"
    turns = by["play", "order reversed: by player.seat"]
    assert (turns["status"], turns["line"]) == ("survived", 17)
    assert by["after beg", "hook removed: after beg"]["status"] == "not covered"
    assert by["hook luck", "'>' becomes '>=': count of coin of what is in bank > 5"]["status"] == "not covered"
    assert data["counts"] == {status: sum(mutant["status"] == status for mutant in data["mutants"]) for status in data["counts"]}


def test_survivors_are_told_with_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Survivors are told with their place and what was changed."""
    assert main(["test", coins(tmp_path), "--mutate"]) == 0
    out = capsys.readouterr().out
    assert "coins.rules:17: play: order reversed: by player.seat\n" in out
    assert "not covered (no scenario gets there):\n" in out
    assert "mutants: " in out
    assert "survival: " in out


def test_jobs_limit_and_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several processes come to the same as one; a sample depends on the seed alone."""
    home = coins(tmp_path)
    assert tried(capsys, home, "--jobs", "3") == tried(capsys, home)
    some = tried(capsys, home, "--limit", "5", "--seed", "4")
    assert len(some["mutants"]) == 5
    assert some == tried(capsys, home, "--limit", "5", "--seed", "4")


def test_endless_mutants_are_killed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A change that makes the rules run for ever is noticed by the budget."""
    home = coins(
        tmp_path,
        "players: 1\nname: The end\nwhen:\n- do: |\n    move all coins in bank to player_1.purse\n- choose: rest\nthen: [result: {winners: []}]\n",
    )
    by = {(mutant["unit"], mutant["what"]): mutant["status"] for mutant in tried(capsys, home)["mutants"]}
    assert by["play", "negated: bank is empty"] == "killed"


def test_mutants_share_what_they_do_not_change() -> None:
    """One edit, at one place; the original stays as it was, and messages are left alone."""
    graph = build("tic_tac_toe").graph
    assert graph is not None
    before = json.dumps(graph)
    found = mutants(graph, "scenario")
    assert len({mutant.key for mutant in found}) == len(found)
    for mutant in found:
        made = mutated(graph, mutant)
        assert made != graph, mutant.what
        assert made["kinds"] is graph["kinds"]
    assert json.dumps(graph) == before
    assert not any("log" in mutant.what for mutant in found)


def test_only_the_layer_is_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a layer stands on has scenarios of its own; mutants are made of the layer."""
    coins(tmp_path)
    layer = tmp_path / "tax"
    (layer / "scenarios").mkdir(parents=True)
    (layer / "ruleset.yaml").write_text('id: tax\ntitle: Tax\nversion: "1.0.0"\nparents: [coins]\nfiles: [tax.rules]\n')
    (layer / "tax.rules").write_text("after pay_out(who): move a coin from who.purse to bank\n")
    scenario = "name: Taxed, then: [count of coins in player_1.purse = 2]"
    (layer / "scenarios" / "all.yaml").write_text(f"players: 1\nscenarios: [{{{scenario}}}]\n")
    assert main(["test", str(layer), "--mutate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["mutants"]
    assert {Path(mutant["file"]).name for mutant in found} == {"tax.rules"}
    assert "killed" in {mutant["status"] for mutant in found}


def test_without_a_passing_scenario_there_is_nothing_to_try(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a scenario that passes there is nothing to try."""
    assert main(["test", coins(tmp_path, "name: Wrong\nthen: [bank is empty]\n"), "--mutate"]) == 1
    assert "left out, since they do not pass:" in capsys.readouterr().out


def test_a_shared_part_is_tried_with_the_game_that_stands_on_it() -> None:
    """Nobody else has scenarios for it; a layer over that game leaves it to the game."""
    below = {name: {file.split("/")[-2] for file in _files_below(load(name))} for name in ("base", "lockdown", "carnomorphs")}
    assert below == {"base": set(), "lockdown": set(), "carnomorphs": {"common", "base"}}
