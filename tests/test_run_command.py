"""`rulewright run` and `rulewright replay`: what a person sees of a game, what is written to files, and how failures are told."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulewright import load_game
from rulewright_tools.cli import rulewright
from rulewright_tools.transcript import rows_of

ROOT = Path(__file__).parent.parent
BASE = str(ROOT / "tests/passages/base")
RUNAWAY = """
phase play:
    for each player in players ordered by seat: turn(player)
    end game

effect turn(who: player):
    who chooses one:
        "On": spin(who)
        "Off": log "{who} rests."

effect spin(who: player):
    repeat: log "{who} spins."
"""
AGAIN = """
phase setup: again()

effect again(): again()

phase play: end game
"""
ENDLESS = """
phase play:
    repeat:
        for each player in players ordered by seat: turn(player)

effect turn(who: player):
    who chooses one:
        "On": log "{who} goes on."
        "Off": log "{who} rests."
"""


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(rulewright, [str(argument) for argument in arguments])


def written(folder: Path, text: str) -> Path:
    """A ruleset of one file."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(
        'id: made_up\ntitle: Made up\nversion: "1.0.0"\ndescription: For a test.\nplayers: {min: 1, max: 2}\nfiles: [made_up.rules]\n'
    )
    (folder / "made_up.rules").write_text(text)
    return folder


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A replay of a whole game."""
    path = tmp_path / "game.json"
    assert invoke("run", "connect_four", "--seed", 4, "--log", path, "--quiet").exit_code == 0
    return path


def edited(path: Path, **changes: Any) -> Path:
    """The same replay with some parts changed."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


# -- run


def test_a_transcript_tells_the_game() -> None:
    """Title, condensed start, numbered decisions with what came of them, the result in words."""
    result = invoke("run", "tic_tac_toe", "--seed", 7, "--bots", "random,first", "--detail", "everything")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "Tic-tac-toe 1.0.0 · 2 players · seed 7 · random against first"
    assert any(re.fullmatch(r" +5 × X: box → Player 1's marks", line) for line in lines)
    assert re.search(r"\n   1  Player 1 chooses board \d,\d +\[turn]\n +X: Player 1's marks → board \d,\d\n", result.stdout)
    assert re.fullmatch(r"(Player 1 wins after [5-9] decisions\. Player 2 loses\.|Player 2 wins after [5-9] decisions\. Player 1 loses\.)", lines[-1])
    assert "\x1b" not in result.stdout


def test_a_transcript_names_rules_and_citations() -> None:
    """The rule behind an event stands at its right, with two citations at most."""
    shown = invoke("run", BASE, "--players", 2, "--seed", 3, "--detail", "everything").stdout
    assert re.search(r"5 × Egg: supply → nest eggs +\[setup: base\.setup\.12, 15]", shown)
    assert re.search(r"\[turn: base\.player\.8, 10, …]", shown)
    assert "blank token, 4 × larva token, 5 × adult token: token" in shown


def test_equal_events_are_told_once() -> None:
    """Next to each other, or at the start of a game anywhere; moves of different things the same way are one line."""

    def move(text: str, cause: str = "deal") -> dict[str, Any]:
        return {"kind": "move", "text": text, "cause": cause, "cites": [], "depth": 1, "phase": "play"}

    entries = [move("A: x → y"), move("A: x → y"), move("B: x → y"), move("A: y → x"), move("A: x → y"), move("A: x → y", "other")]
    assert [row.text for row in rows_of(entries)] == ["2 × A, B: x → y", "A: y → x", "A: x → y", "A: x → y"]
    assert [row.text for row in rows_of(entries, anywhere=True)] == ["3 × A, B: x → y", "A: y → x", "A: x → y"]


def test_the_same_seed_gives_the_same_transcript() -> None:
    """And another seed another one."""
    first, second, other = (invoke("run", BASE, "--players", 2, "--seed", seed).stdout for seed in (5, 5, 6))
    assert first == second
    assert first != other


def test_json_is_one_document() -> None:
    """What was played, the log, the result."""
    result = invoke("run", "tic_tac_toe", "--json", "--seed", 2)
    document = json.loads(result.stdout)
    assert document["ruleset"]["id"] == "tic_tac_toe"
    assert (document["players"], document["seed"], document["bots"], document["view"]) == (2, 2, ["random", "random"], "referee")
    assert document["decisions"] == len(document["choices"]) == sum(entry["kind"] == "choice" for entry in document["log"])
    assert {"number", "kind", "text", "cause", "cites", "depth", "phase"} == set(document["log"][0])
    assert document["result"]["winners"] or document["summary"].startswith("Nobody")


def test_a_players_eyes_see_less() -> None:
    """A card that goes from a hidden pile to another's hand has no name; choices of others are not in the document."""
    arguments = ("run", BASE, "--players", 2, "--seed", 3, "--json")
    everything, of_one = (json.loads(invoke(*arguments, *more).stdout) for more in ((), ("--view", "1")))
    hidden = [entry["text"] for entry in of_one["log"] if entry["text"].startswith("something: Player 2's deck → Player 2's hand")]
    assert hidden
    assert not any(entry["text"].startswith("something") for entry in everything["log"])
    assert "choices" not in of_one
    assert "as a spectator sees it" in invoke("run", BASE, "--players", 2, "--view", "spectator").stdout


def test_what_happens_inside_other_effects_stands_further_in(tmp_path: Path) -> None:
    """Under the phase it belongs to; what comes after the inner effect stands where the outer one does."""
    text = """
phase play:
    step morning: for each player in players: outer(player)
    step evening: log "Night falls."
effect outer(who: player):
    who chooses way: one of left, right asking "Whither?"
    log "before"
    inner()
    log "after"
effect inner(): log "inside"
"""
    lines = invoke("run", written(tmp_path / "nested", text), "--bots", "first", "--detail", "everything").stdout.splitlines()
    told = [re.sub(r" +\[.*", "", line) for line in lines if line]
    assert told[1:] == [
        "      Play: morning", "   1  Player 1 chooses left (Whither?)", "        “before”", "          “inside”", "        “after”",
        "      Play: evening", "        “Night falls.”", "Nobody wins after 1 decision.",
    ]  # fmt: skip


# -- on the way


def started(*arguments: object, **named: Any) -> subprocess.Popen[str]:
    """The command as a process of its own, which can be interrupted even if the tests run where that is ignored."""
    heed = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); runpy.run_module('rulewright_tools', run_name='__main__', alter_sys=True)"
    return subprocess.Popen(
        [sys.executable, "-c", heed, *map(str, arguments)], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **named
    )


def test_an_interrupted_game_is_told_and_saved_as_far_as_it_went(tmp_path: Path) -> None:
    """Lines come while the game goes on; Ctrl-C in the middle of a slow bot loses nothing that was played, and is exit 130."""
    save, log = tmp_path / "save.json", tmp_path / "log.json"
    process = started("run", "connect_four", "--bots", "random,mcts:1000000", "--save", save, "--log", log)
    assert process.stdout is not None
    while not process.stdout.readline().startswith("   1  Player 1"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    try:
        _, complaints = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert complaints == "Interrupted.\n"
    assert len(load_game(save).choices) == 1
    assert "1 choice, the same log" in invoke("replay", log, "--verify").stdout


def test_a_reader_who_goes_away_is_no_error(tmp_path: Path) -> None:
    """Exit 141, nothing on stderr, and the game is saved as it stands."""
    process = started("run", BASE, "--players", 2, "--save", tmp_path / "save.json")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert load_game(tmp_path / "save.json").decision is not None


def test_a_file_that_cannot_be_written_keeps_nothing_else_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transcript is printed, the other file written, the old one is as it was."""
    full, fine = tmp_path / "full.json", tmp_path / "fine.json"
    full.write_text("old")
    replace = os.replace

    def fail(source: str, target: Path) -> None:
        if target == full:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr("os.replace", fail)
    result = invoke("run", "tic_tac_toe", "--log", full, "--save", fine)
    assert result.exit_code == 2
    assert result.stderr == f"Error: cannot write '{full}': No space left on device; what was there before is unchanged\n"
    assert re.search(r"── The end ─+\n.*\n +Decisions: \d .*\n$", result.stdout, re.DOTALL)
    assert full.read_text() == "old"
    assert load_game(fine).result is not None


def test_one_file_cannot_be_two() -> None:
    """Asked for before anything is played."""
    assert "--log and --save both name 'x.json'" in invoke("run", "tic_tac_toe", "--log", "x.json", "--save", "./x.json").stderr


def test_quiet_prints_the_result_only() -> None:
    """One line."""
    assert re.fullmatch(r".* after \d+ decisions\.[^\n]*\n", invoke("run", "tic_tac_toe", "--quiet").stdout)


def test_a_game_that_is_stopped_says_who_is_to_decide() -> None:
    """`--decisions N` stops early; that is no failure."""
    result = invoke("run", "tic_tac_toe", "--decisions", 3)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "The game is not over after 3 decisions: Player 2 has to decide (Choose target)."


def test_a_saved_game_goes_on(tmp_path: Path) -> None:
    """What `--save` wrote can be loaded and played to its end."""
    path = tmp_path / "half.json"
    assert invoke("run", "connect_four", "--decisions", 6, "--save", path, "--quiet").exit_code == 0
    game = load_game(path)
    assert len(game.choices) == 6
    while game.decision is not None:
        game.choose(0)
    assert game.result is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "7"], "'tic_tac_toe' is for 2 players"),
        (["--bots", "randm"], "there is no bot 'randm'; did you mean 'random'?"),
        (["--bots", "first,first,first"], "3 bots for 2 players"),
        (["--option", "size=3"], "has no option 'size'"),
        (["--option", "size"], "not of the form NAME=VALUE"),
        (["--view", "3"], "only 2 players"),
        (["--view", "me"], "neither the number of a player"),
        (["--layer", "nowhere"], "nowhere"),
        (["--view", "0"], "neither the number of a player"),
        (["--log", "no/such/folder/x.json"], "cannot write"),
        (["--log", "-"], "need the name of a file; '-' is none"),
    ],
)
def test_a_mistake_of_the_person_is_exit_2(arguments: list[str], message: str) -> None:
    """With a message that says what there is."""
    result = invoke("run", "tic_tac_toe", "--quiet", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_ruleset_with_mistakes_is_exit_1(tmp_path: Path) -> None:
    """Shown as `validate` shows them."""
    result = invoke("run", written(tmp_path / "wrong", "phase play: nonsense()\n"))
    assert result.exit_code == 1
    assert "error[R301]" in result.stderr


def test_rules_that_run_for_ever_are_named(tmp_path: Path) -> None:
    """The effect, its place in the source, an excerpt; what happened until then is still told."""
    result = invoke("run", written(tmp_path / "runaway", RUNAWAY), "--bots", "first")
    assert result.exit_code == 1
    assert "The game is not over after 0 decisions" in result.stdout
    assert "repeats for ever (in 'spin')" in result.stderr
    assert re.search(r"made_up\.rules:12:\d+\n", result.stderr)
    assert 'repeat: log "{who} spins."' in result.stderr


def test_rules_that_fail_before_the_first_decision_are_named(tmp_path: Path) -> None:
    """An effect inside itself."""
    result = invoke("run", written(tmp_path / "again", AGAIN))
    assert result.exit_code == 1
    assert "effects inside effects" in result.stderr
    assert "made_up.rules:4:" in result.stderr


def test_a_game_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After many decisions, and with a hint."""
    monkeypatch.setattr("rulewright_tools.run._ENOUGH", 300)
    result = invoke("run", written(tmp_path / "endless", ENDLESS), "--quiet")
    assert result.exit_code == 1
    assert "Stopped after 300 decisions" in result.stderr


# -- replay


@pytest.mark.parametrize("name", ["tic_tac_toe", BASE])
def test_a_recorded_game_goes_the_same_way(tmp_path: Path, name: str) -> None:
    """`--log` and `--verify` fit; the transcript is the same but for the names of the bots."""
    path = tmp_path / "game.json"
    shown = invoke("run", name, "--players", 2, "--seed", 9, "--log", path).stdout
    verified = invoke("replay", path, "--verify")
    assert verified.exit_code == 0
    assert "the same log, the same result" in verified.stdout
    assert invoke("replay", path).stdout.splitlines()[1:] == shown.splitlines()[1:]


@pytest.mark.parametrize(("view", "message"), [("0", "neither the number of a player"), ("3", "only 2 players")])
def test_a_replay_is_told_to_nobody_who_did_not_play(recorded: Path, view: str, message: str) -> None:
    """Players are numbered from 1."""
    result = invoke("replay", recorded, "--view", view)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_replay_stops_where_asked(recorded: Path) -> None:
    """`--to N` makes N choices."""
    result = invoke("replay", recorded, "--to", 3)
    assert "\n   3  Player 1 " in result.stdout
    assert "\n   4  " not in result.stdout
    assert "not over after 3 decisions" in result.stdout
    assert invoke("replay", recorded, "--to", 3, "--verify").exit_code == 2


def test_a_choice_that_is_not_legal_is_told(recorded: Path) -> None:
    """Its number, what was chosen, and what could have been."""
    choices = json.loads(recorded.read_text())["choices"]
    result = invoke("replay", edited(recorded, choices=[*choices[:3], [2, "board_9_9"], *choices[4:]]))
    assert result.exit_code == 1
    assert "choice 4 of the replay is not legal: 'board_9_9'" in result.stderr
    assert "possible are: board_" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"result": {"winners": [], "losers": [], "eliminated": []}}, "another result: recorded is nobody won; played again, Player"),
        ({"result": None}, "a game that is not over"),
        ({"log_fingerprint": "0" * 64}, "the data behind them has another fingerprint"),
    ],
)
def test_a_replay_that_differs_is_exit_1(recorded: Path, changes: dict[str, Any], message: str) -> None:
    """And says what differs."""
    result = invoke("replay", edited(recorded, **changes), "--verify")
    assert result.exit_code == 1
    assert message in result.stderr


def test_the_first_difference_is_shown(recorded: Path) -> None:
    """The choice it comes of, the number of the event, and what was recorded and what happened instead."""
    log = json.loads(recorded.read_text())["log"]
    third = [number for number, line in enumerate(log) if " chooses " in line][2]
    result = invoke("replay", edited(recorded, log=[*log[: third + 1], "the sky falls  (fate)", *log[third + 2 :]]), "--verify")
    assert result.exit_code == 1
    assert re.search(
        rf"differs after choice 3 \(Player 1: board_\d_\d\), at event {third + 2}\n  recorded: the sky falls  \(fate\)\n  played:   red: ",
        result.stderr,
    )
    assert "  recorded: nothing more\n" in invoke("replay", edited(recorded, log=log[:third]), "--verify").stderr
    assert "  played:   nothing more\n" in invoke("replay", edited(recorded, log=[*log, "and on  (play)"]), "--verify").stderr


def test_changed_rules_are_verified_all_the_same(tmp_path: Path) -> None:
    """The difference that a change of the rules makes to a recorded game is found; a choice that is no longer legal comes after it."""
    rules = written(tmp_path / "game", RUNAWAY.replace("repeat: log", "log"))
    path = tmp_path / "replay.json"
    assert invoke("run", rules, "--players", 2, "--bots", "first", "--log", path, "--quiet").exit_code == 0
    (rules / "made_up.rules").write_text(
        RUNAWAY.replace("repeat: log", "log").replace("spins.", "turns.").replace('"On"', '"Onwards" when who.seat = 1')
    )
    result = invoke("replay", path, "--verify")
    assert result.exit_code == 1
    assert "have changed since the replay was made" in result.stderr
    assert "choice 1 of the replay is not legal: 'on' cannot be chosen now; possible are: onwards, off" in result.stderr
    (rules / "made_up.rules").write_text(RUNAWAY.replace("repeat: log", "log", 1).replace('"{who} spins."', '"{who.seat} spins."'))
    assert (
        "differs after choice 1 (Player 1: on), at event 2\n  recorded: Player 1 spins.  (spin)\n  played:   1 spins.  (spin)"
        in invoke("replay", path, "--verify").stderr
    )
    assert "--verify shows what is different" in invoke("replay", path).stderr


def test_a_game_told_in_other_words_is_the_same_game(tmp_path: Path) -> None:
    """Words that are only shown are no rules: a replay is played without a complaint, and verified with a note."""
    rules = written(tmp_path / "game", RUNAWAY.replace("repeat: log", "log"))
    path = tmp_path / "replay.json"
    assert invoke("run", rules, "--players", 2, "--bots", "first", "--log", path, "--quiet").exit_code == 0
    (rules / "made_up.rules").write_text(RUNAWAY.replace("repeat: log", "log").replace("spins.", "turns."))
    assert invoke("replay", path).exit_code == 0
    result = invoke("replay", path, "--verify")
    assert result.exit_code == 0
    assert "the same log in other words, the same result" in result.stdout
    assert (
        "differs after choice 1 (Player 1: on), at event 2\n  recorded: Player 1 spins.  (spin)\n  played:   Player 1 turns.  (spin)" in result.stderr
    )


def test_a_damaged_replay_is_exit_2(recorded: Path, tmp_path: Path) -> None:
    """Cut off, of the wrong shape, of too many players, not there, of no ruleset."""
    text = recorded.read_text()
    about = json.loads(text)["ruleset"]
    damaged = tmp_path / "damaged.json"
    for content in (text[:200], "[]", "", text.replace('"choices"', '"chances"')):
        damaged.write_text(content)
        assert invoke("replay", damaged).exit_code == 2
    assert invoke("replay", tmp_path / "nothing.json").exit_code == 2
    damaged.write_text(text)
    assert "damaged" in invoke("replay", edited(damaged, players=9)).stderr
    assert invoke("replay", edited(damaged, players=2, ruleset=about | {"target": "nowhere"})).exit_code == 2


def test_a_replay_of_other_rules_is_refused(recorded: Path) -> None:
    """The ruleset has changed since: said, and not played."""
    about = json.loads(recorded.read_text())["ruleset"]
    result = invoke("replay", edited(recorded, ruleset=about | {"fingerprint": "0" * 64}))
    assert result.exit_code == 1
    assert "have changed since the replay was made" in result.stderr
