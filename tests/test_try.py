"""`rulewright try`: what is done by hand is a scenario, at every step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from rulewright_tools.play.plain import Screen
from rulewright_tools.sandbox.lines import Sandbox
from rulewright_tools.sandbox.trial import Trial

DICE = """
kind player:
    coins: number
    place hand: a row of card, seen by owner
kind card
place deck: a pile of card, seen by nobody
card ace "Ace" in deck
card king "King" in deck
die pips: 1, 2, 3, 4, 5, 6
effect roll_on(who: player):
    let face = roll pips
    increase who.coins by face
    log "{who} rolls a {face}."
    who chooses one:
        "Draw": draw a card from deck to who.hand
        "Stop": nothing
effect fall(who: player): fall(who)
phase play:
    for each player in players: roll_on(player)
    end game
"""


def tried(name: str | Path, lines: Sequence[str], start: str = "setup", players: int | None = None) -> str:
    """What is shown to somebody who types some lines."""
    shown: list[str] = []
    waiting = iter(lines)

    def read(prompt: str) -> str | None:
        line = next(waiting, None)
        shown.append(f"{prompt}{line}")
        return line

    Sandbox(Trial(str(name), [], {}, players, 1, start), Screen(shown.append, read)).run()
    return "\n".join(shown)


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    """A small ruleset with a die."""
    path = tmp_path / "dice.rules"
    path.write_text(DICE)
    return path


def test_what_was_done_is_a_scenario_that_passes(dice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Set a number, say what the die shows, call an effect, choose, claim; then step back and go another way."""
    target = tmp_path / "rolled.yaml"
    shown = tried(
        dice,
        [
            "set player_1.coins to 2",
            "chance 5",
            "do roll_on(player_1)",
            "Draw",
            "back",
            "2",
            "show player_1.coins",
            "claim player_1.coins = 7",
            "claim player_1.coins = 8",
            f"save {target} Five are rolled",
            f"save {target}",
        ],
    )
    assert "Player 1 rolls a 5." in shown
    assert "One step back." in shown
    assert "try> show player_1.coins\n  7\n" in shown
    assert "that is not so now" in shown
    assert f"Written. It passes: rulewright test {target}" in shown
    assert "is there already; name another file" in shown
    assert target.read_text() == (
        "name: Five are rolled\nruleset: dice.rules\nseed: 1\nstart: setup\ngiven: |\n  set player_1.coins to 2\nwhen:\n- chance:\n  - 5\n"
        "- do: roll_on(player_1)\n- choose:\n    player_1: stop\nthen:\n- player_1.coins = 7\n- log: Player 1 rolls a 5.\n- decision: none\n"
    )
    assert main(["test", str(target)]) == 0
    assert "1 scenario, all passed" in capsys.readouterr().out
    target.write_text(target.read_text().replace("coins = 7", "coins = 6"))
    assert main(["test", str(target)]) == 1


def test_a_step_that_is_wrong_is_not_kept(dice: Path) -> None:
    """Mistakes are told with what may have been meant; so are rules that fail. Everything stays as it was."""
    shown = tried(
        dice,
        [
            "set player_1.cions to 2",
            "do roll_onn(player_1)",
            "do",
            "do fall(player_1)",
            "choose x",
            "7",
            "chance",
            "show",
            "show nobody",
            "claim 1",
            "back",
            "save",
            "save /no/such/folder/x.yaml",
            "look 9",
            "? nothing",
            "set player_1.coins to 1 \x1b[2J",
            "steps",
        ],
    )
    assert "did you mean 'coins'?" in shown
    assert "did you mean 'roll_on'?" in shown
    assert "the rules fail here" in shown or "an error of the rules" in shown
    assert "nobody has to decide anything" in shown
    assert "there is no such option" in shown
    assert "nothing has been done yet" in shown
    assert "cannot write '/no/such/folder/x.yaml'" in shown
    assert "there is no player '9'" in shown
    assert "There is no rule for 'nothing'." in shown
    assert "when:" not in shown.rpartition("steps")[2]
    assert "given:" not in shown.rpartition("steps")[2]


def test_the_play_itself_goes_on(dice: Path) -> None:
    """From its first decision to the end, which can be saved too."""
    shown = tried(dice, ["look 2", "Stop", "2", "steps"], "play", 2)
    assert "Player 1: " in shown
    assert "The game is over" in shown
    assert "winners: []" in shown.rpartition("steps")[2]


def test_the_command(dice: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads from the terminal, and shows mistakes of a ruleset as every command does."""
    answers = iter(["do roll_on(player_1)", "look", "why", "story"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, None) or (_ for _ in ()).throw(EOFError))
    assert main(["try", str(dice), "--seed", "4"]) == 0
    assert "pips shows" in capsys.readouterr().out
    assert main(["try", "no_such_ruleset"]) == 2
    assert main(["try", "tic_tac_toe", "--players", "5"]) == 2
    assert "is for 2 players" in capsys.readouterr().err
    dice.write_text("kind x\nnonsense\n")
    assert main(["try", str(dice)]) == 1
