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


def test_what_chance_cannot_give_is_taken_back(dice: Path) -> None:
    """With what it could give; what waits is told, and can be taken back."""
    shown = tried(
        dice,
        [
            "chance 7, 5",
            "do roll_on(player_1)",
            "do roll_on(player_1)",
            "1",
            "chance 4",
            "chance Ace",
            "chance",
            "chance none",
            "chance none",
            "steps",
        ],
    )
    assert "chance was told that 'pips' shows '7', which is none of its faces: 1, 2, 3, 4, 5, 6" in shown
    assert "an error of the rules" not in shown
    assert "  '7' is taken back; chance gives next: 5\n" in shown
    assert "Player 1 rolls a 5." in shown
    assert shown.count("  Chance gives next: 4, Ace.\n") == 2
    assert "chance none\n  Chance has nothing else to give.\n" in shown
    assert "chance was told nothing that still waits" in shown
    assert "when:\n- chance:\n  - 5\n- do: roll_on(player_1)\n- choose:" in shown.rpartition("steps")[2]


def test_a_face_called_none_can_be_given(tmp_path: Path) -> None:
    """A word of the sandbox does not stand in the way of one of the rules."""
    path = tmp_path / "blank.rules"
    path.write_text(DICE.replace("5, 6", "5, none").replace("    increase who.coins by face\n", ""))
    shown = tried(path, ["chance none", "chance -", "chance none", "do roll_on(player_1)"])
    assert shown.count("Chance gives next: none.") == 2
    assert "Chance has nothing else to give." in shown
    assert "rolls a none." in shown


def test_who_sits_where(dice: Path, tmp_path: Path) -> None:
    """A part is given as scenarios give it, in a new game; what is wrong changes nothing."""
    folder = tmp_path / "crew"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        'id: crew\ntitle: Crew\nversion: "1"\nplayers: {min: 1, max: 2}\nfiles: [crew.rules]\nstaging: {files: [staging.rules], seat: sit}\n'
    )
    (folder / "crew.rules").write_text(
        'kind player:\n    part: crew or none\nkind crew\nplace barracks: an area of crew\ncrew cook "Cook" in barracks\ncrew pilot "Pilot" in barracks\n'
        "phase play: end game\n"
    )
    (folder / "staging.rules").write_text("effect sit(who: player, part: crew): set who.part to part\n")
    target = tmp_path / "seated.yaml"
    lines = ["set player_1.part to cook", "seat 1: pilott", "seat 3: pilot", "seat 1", "show player_1.part", "seat 1: pilot", "show player_1.part"]
    shown = tried(folder, [*lines, f"save {target} Seated", "seat 1: none", "show player_1.part"])
    assert "did you mean 'pilot'?" in shown
    assert "there is no player 3; rulewright try ... --players 3 begins with more" in shown
    assert "seat 1\n  say who sits where: seat 1: PART" in shown
    assert "try> show player_1.part\n  cook" in shown
    assert "A new game with pilot at seat 1. What was done before is left away." in shown
    assert "try> show player_1.part\n  pilot" in shown
    assert "Written. It passes" in shown
    assert "seat 1: pilot" in target.read_text()
    assert "  A new game.\ntry> show player_1.part\n  none" in shown
    assert "does not say how a player gets a part" in tried(dice, ["seat 1: ace"])


LAMPS = """
kind player
kind lamp:
    near: flag
    actions for a player where near
    action light "Light a lamp":
        by player
        when false because "{self} has no oil"
        do: log "It burns."
place shelf: an area of lamp
lamp red "Red lamp" in shelf
lamp blue "Blue lamp" x2 in shelf: near
phase play:
    for each player in players: offer actions to player:
        "Wait": nothing
"""


def test_why_by_any_name(tmp_path: Path) -> None:
    """Actions by label, last word or path, things by label or id; what there is not is told, with what may have been meant."""
    path = tmp_path / "lamps.rules"
    path.write_text(LAMPS)
    asked = ["why Light a lamp", "why light", "why lamp.light", "why", "why red lamp", "why ligth", "? light a lamp", "? ligth"]
    shown = tried(path, asked, "play").split("try> ")
    for number in (1, 2, 3, 4):
        assert shown[number].count("Light a lamp: Blue lamp: Blue lamp has no oil") == 1, shown[number]
    assert "Light a lamp: Red lamp does not grant it to Player 1" in shown[5]
    assert "There is nothing called 'ligth'; did you mean 'light'?" in shown[6]
    assert 'action light "Light a lamp":' in shown[7]
    assert "There is no rule for 'ligth'; did you mean 'light'?" in shown[8]


def test_a_refusal_in_a_scenario_tells_how_to_name_what_grants_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where several could."""
    (tmp_path / "lamps.rules").write_text(LAMPS)
    (tmp_path / "dark.yaml").write_text("name: Dark\nruleset: lamps.rules\nthen: [refused: {action: light, because: rain}]\n")
    assert main(["test", str(tmp_path / "dark.yaml")]) == 1
    assert "it is refused because Blue lamp has no oil (that of one component: 'light@red')" in capsys.readouterr().out


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


@pytest.mark.slow
def test_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, questions, options and what happens are told in it, options can be typed in it; what is saved is in the words of the rules, and passes."""
    target = tmp_path / "turn.yaml"
    trial, shown = Trial("base", [], {}, None, 1, "play"), list[str]()
    asked = trial.game.decision_in("cs")
    assert asked is not None
    label = asked.options[0].label
    waiting = iter([label, f"save {target} Czech"])
    Sandbox(trial, Screen(shown.append, lambda prompt: next(waiting, None)), "cs").run()
    said = "\n".join(shown)
    assert f"Hráč {asked.player}: {asked.prompt}" in said
    assert f"volí: {label}" in said
    assert label not in target.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["try", "base", "--language", "xx"]) == 2
    assert "--language: 'base' has no translation into 'xx'" in capsys.readouterr().err


def test_what_would_be_lost_is_told_once(dice: Path, tmp_path: Path) -> None:
    """Whoever quits with something that is not saved is told so, and can save it; quitting again, or with nothing to lose, ends it."""
    told = "What was done is not saved"
    assert told not in tried(dice, ["show 1", "quit", "never read"])
    assert tried(dice, ["set player_1.coins to 3", "quit", "quit", "never read"]).endswith("quit again.\ntry> quit")
    shown = tried(dice, ["set player_1.coins to 3", "quit", f"save {tmp_path / 'kept.yaml'}", "quit", "never read"])
    assert shown.count(told) == 1
    assert shown.endswith("try> quit")
    assert tried(dice, ["set player_1.coins to 3", "back", "quit", "never read"]).endswith("One step back.\ntry> quit")
