"""What an author can name: the index of a ruleset, its search, and the command that shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright import load
from rulewright.index import Entry, index, search
from rulewright_tools.cli import rulewright

TEXT = """ruleset vault "The Vault"

kind coin:
    worth: 1..9
kind player:
    place purse "Purse": an area of coin
    passed: flag
words mood: glad | grim
place bank "Bank of the town": a pile of coin
coin penny "Copper piece" x4 in bank: worth 1
number wage = 2
die luck: 1, 2
track alarm: quiet x2, loud

value rich(who: player): count of coins in who.purse > wage
cost coins(who: player, amount: number):
    when count of coins in who.purse >= amount
    do: move exactly (amount) coins from who.purse to bank

action bribe "Bribe the guard" as quiet_deed:
    cost 1 coin
    do: set actor.passed to true

effect earn(who: player):
    let face = roll luck
    if not rich(who): move exactly (face) coins from bank to who.purse

rule thief: after earn(who) when who.passed: advance alarm by 1

phase play:
    step pay: for each player in players: earn(player)
    for each player in players: offer actions as quiet_deed to player
    if penny.worth = 1: end game
    end game
"""


@pytest.fixture
def entries(tmp_path: Path) -> dict[str, Entry]:
    (tmp_path / "vault.rules").write_text(TEXT)
    return {entry.path: entry for entry in index(load(tmp_path / "vault.rules", engine="step").built)}


@pytest.mark.parametrize(
    ("path", "what", "uses"),
    [
        ("coin", "kind", ["coins", "earn", "penny", "rich"]),
        ("coin.worth", "field", ["play"]),
        ("player.purse", "place", ["coins", "earn", "rich"]),
        ("player.passed", "field", ["bribe", "thief"]),
        ("penny", "coin", ["play"]),
        ("bank", "place", ["coins", "earn", "penny"]),
        ("wage", "number", ["rich"]),
        ("luck", "die", ["earn"]),
        ("rich", "value", ["earn"]),
        ("coins", "cost", ["bribe"]),
        ("earn", "effect", ["play.pay", "thief"]),
        ("play.pay", "step", ["play"]),
        ("quiet_deed", "group", ["play"]),
        ("mood", "words", []),
        ("thief", "rule", []),
    ],
)
def test_everything_with_a_name_is_in_the_index_with_who_uses_it(entries: dict[str, Entry], path: str, what: str, uses: list[str]) -> None:
    """Each sort of declaration, and each way of naming it."""
    assert (entries[path].what, list(entries[path].uses)) == (what, uses)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("wage", ["wage", "rich"]),
        ("copper", ["penny"]),
        ("guard", ["bribe"]),
        ("town", ["bank"]),
        ("penny", ["penny"]),
        ("quiet deed", ["quiet_deed", "bribe"]),
        ("purs", ["player.purse", "rich"]),
        ("mood", ["mood"]),
        ("nothing_like_it", []),
    ],
)
def test_a_part_of_a_word_or_of_a_label_finds_what_is_meant(entries: dict[str, Entry], word: str, found: list[str]) -> None:
    """The nearest first."""
    assert [entry.path for entry in search(list(entries.values()), word)] == found


def test_what_is_for_the_things_that_were_found_is_found_too() -> None:
    """Somebody who looks for ammunition finds the cubes by their label, and the places made for them."""
    found = [entry.path for entry in search(index(load("base").built), "ammo")]
    assert found[0] == "cube"
    assert "weapon.magazine" in found


def command(*words: str) -> Result:
    return CliRunner().invoke(rulewright, ["names", *words])


def test_the_command_shows_names_by_subject_and_refuses_what_is_not_there(tmp_path: Path) -> None:
    """Text, JSON, one sort alone; nothing found is exit 1, a sort that there is not exit 2 with a guess."""
    (tmp_path / "vault.rules").write_text(TEXT)
    name = str(tmp_path / "vault.rules")
    told = command(name)
    assert told.exit_code == 0
    assert "\nVault\n" in told.output
    assert "effect earn(who: player)" in told.output
    assert "used by play.pay, thief" in told.output
    assert [each["path"] for each in json.loads(command(name, "--what", "number", "--json").output)] == ["wage"]
    assert command(name, "nothing_like_it").exit_code == 1
    assert "is called anything like 'thif'; did you mean 'thief'?" in command(name, "thif").output
    wrong = command(name, "--what", "efect")
    assert wrong.exit_code == 2
    assert "did you mean 'effect'?" in wrong.output


def test_explain_tells_who_uses_a_rule_and_which_scenarios_are_about_it() -> None:
    """By its name or by what it cites."""
    told = CliRunner().invoke(rulewright, ["explain", "base", "noise_roll"]).output
    assert "used by: arrive" in told
    assert "An empty room brings a noise roll in the room entered (" in told


def test_what_only_scenarios_use_can_be_found(tmp_path: Path) -> None:
    """An author who writes scenarios looks for it, too."""
    (tmp_path / "vault.rules").write_text(TEXT.partition("\n")[2])
    (tmp_path / "staging.rules").write_text("effect fill(who: player): move all coins in bank to who.purse\n")
    about = 'id: vault\ntitle: Vault\nversion: "1.0.0"\nplayers: {min: 1, max: 2}\nfiles: [vault.rules]\nstaging: {files: [staging.rules]}\n'
    (tmp_path / "ruleset.yaml").write_text(about)
    assert "  effect fill(who: player): move all coins" in command(str(tmp_path), "fill").output
    told = CliRunner().invoke(rulewright, ["explain", str(tmp_path), "fill"])
    assert told.exit_code == 0, told.output
    assert "effect fill(who: player): move all coins in bank to who.purse" in told.output
