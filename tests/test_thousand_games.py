"""The command that plays many games: it goes through the modes, tells how games end, and notices those that end otherwise."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from tests.thousand_games import main

RULES = """\
kind coin
place bank: a pile of coin
coin gold "Gold" x3 in bank
place purse of player: an area of coin

phase play:
    repeat:
        for each player in players: take(player)

effect take(who: player):
    who chooses one:
        "Take a coin":
            log "{who} takes one."
            move a coin from bank to who.purse
        "Wait": nothing

when bank runs out:
    if option.pace is not quick: log "That took a while."
    win all players where purse is not empty
    end game
"""
MANIFEST = """\
id: coins
title: Coins
version: "1.0.0"
players: {min: 1, max: 2}
files: [coins.rules]
options:
  pace: {values: [quick, slow], default: quick}
"""


def played(folder: Path, *arguments: str, rules: str = RULES) -> Result:
    """What the command says about games of a small ruleset."""
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "coins.rules").write_text(rules, encoding="utf-8")
    return CliRunner().invoke(main, [str(folder), *arguments])


def test_every_mode_is_played(tmp_path: Path) -> None:
    """Games are spread over numbers of players and options; the endings are counted."""
    file = tmp_path / "games.json"
    done = played(tmp_path, "--games", "8", "--measure", "count of coins in bank", "--json", str(file))
    assert done.exit_code == 0, done.output
    assert "8 games, 8 ended by the rules, 0 did not" in done.output
    assert "count of coins in bank at the end\n     8  0\n" in done.output
    games = json.loads(file.read_text(encoding="utf-8"))
    assert {(game["players"], game["options"]["pace"]) for game in games} == {(1, "quick"), (1, "slow"), (2, "quick"), (2, "slow")}


def test_wishes_and_a_fixed_option(tmp_path: Path) -> None:
    """Who prefers to take takes at once; an option that is given is the same in all games."""
    done = played(tmp_path, "--games", "4", "--prefer", "take*", "--option", "pace=quick")
    assert "; 4 to 4 decisions, median 4;" in done.output
    assert "     4  quick: median 4 decisions, 4 with a winner" in done.output


def test_a_game_that_goes_wrong_is_told(tmp_path: Path) -> None:
    """Rules that run away are an error, with the seed and the mode, and the exit code says so."""
    done = played(tmp_path, "--games", "4", rules=RULES.replace('log "That took a while."', "repeat: nothing"))
    assert done.exit_code == 1
    assert "4 games, 2 ended by the rules, 2 did not" in done.output
    assert done.output.count("'pace': 'slow'}") == 2
    assert "an error of the rules" in done.output


def test_a_measure_that_cannot_be_read(tmp_path: Path) -> None:
    """Wrong input is refused before anything is played."""
    done = played(tmp_path, "--measure", "count of pearls")
    assert done.exit_code == 2
    assert "--measure 'count of pearls'" in done.output
