"""Scenarios: those of the repository pass, failing ones say why, bad ones are refused at the right line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright import load
from rulewright.limits import Budget
from rulewright.scenario import Outcome, Stage, load_scenarios, run_scenario
from rulewright.scenario.board import carry_on
from rulewright_tools.cli import main
from tests.playing import game_by

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    path for folder in ("rulesets", "tests/passages") for path in (ROOT / folder).glob("**/scenarios/*.yaml") if path.name != "openings.yaml"
)
STAGE = Stage()
TIC = "ruleset: tic_tac_toe\n"


def played(tmp_path: Path, text: str, stage: Stage | None = None) -> Outcome:
    """What comes of the first scenario of a text."""
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    scenarios, problems = load_scenarios(path)
    assert not problems
    return run_scenario(scenarios[0], stage or STAGE)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_every_scenario_of_the_repository_passes(path: Path) -> None:
    """Every scenario in the repository passes."""
    scenarios, problems = load_scenarios(path)
    assert not problems
    assert scenarios
    for scenario in scenarios:
        outcome = run_scenario(scenario, STAGE)
        assert outcome.passed, (scenario.name, outcome.diagnostics, outcome.failure)


def test_every_playable_ruleset_has_scenarios() -> None:
    """A ruleset that comes with the program and can be played has scenarios."""
    assert {path.parent.parent.name for path in FILES} >= {"tic_tac_toe", "connect_four", "base"}


# text after `name:`, line, parts of the message, parts of values, parts of the options
FAILING = [
    ("then: [1 = 1, count of marks in player_1.marks = 4]\n", 3, "this is not so", ["count of marks in player_1.marks", "5"], ["board_1_1"]),
    (
        "when: [choose: board_1_1]\nthen:\n- player_1.marks is empty or board_1_1 is empty\n",
        5,
        "this is not so",
        ["board_1_1"],
        ["board_1_2"],
    ),
    ("then:\n- no mark in player_2.marks\n", 4, "this is not so", ["nought.1, nought.2"], []),
    ("then:\n- offers: board_9_9\n", 4, "not offered: board_9_9", [], ["board 1,1 (board_1_1)"]),
    ("then:\n- not offers: [board_1_1]\n", 4, "offered: board_1_1", [], []),
    ("when:\n- choose: board_1_1\n- choose: board_1_1\nthen: [1 = 1]\n", 5, "'board_1_1' is not among the options", [], ["board_1_2"]),
    (
        "when:\n- choose: {player_2: board_1_1}\nthen: [1 = 1]\n",
        4,
        "player 2 is to choose 'board_1_1', but it is player 1 who decides",
        [],
        [],
    ),
    ("when:\n- chance: six\nthen: [1 = 1]\n", 4, "chance was told 'six', but nothing asked for it", [], []),
    ("start: bare\nwhen:\n- choose: board_1_1\nthen: [1 = 1]\n", 5, "nobody has to decide anything", [], []),
    ("then:\n- decision: {player: 2}\n", 4, "it is player 1 who decides", [], []),
    ("then:\n- decision: none\n", 4, "player 1 has to decide", [], []),
    ("then:\n- decision: {options: 3}\n", 4, "there are 9 options", [], []),
    ("then:\n- result: {winners: [1]}\n", 4, "the game has not ended", [], []),
    ("when: [do: end game]\nthen:\n- result: {winners: [1]}\n", 5, "winners are none", [], []),
    ("then:\n- log: nothing of the kind\n", 4, "the log does not say", [], []),
    ("when: [choose: board_1_1]\nthen:\n- not log: Player 1 takes\n", 5, "the log says", [], []),
    ("then:\n- error: x\n", 4, "no error happened", [], []),
    ("when:\n- do: |\n    log \"a\"\n    repeat: log \"b\"\nthen: [1 = 1]\n", 6, "something repeats for ever", [], []),
    ("then:\n- refused: {action: board_1_1}\n", 4, "it is not refused", [], []),
    ("when:\n- choose: bord_1_1\nthen: [1 = 1]\n", 4, "'bord_1_1' is not among the options; did you mean 'board_1_1'?", [], ["board_1_1"]),
    ("then:\n- 3 / (count of marks in board_1_1) = 1\n", 4, "an error of the rules: a division by zero", ["cannot be told"], []),
    ("then:\n- not knows: {player: 1, what: board_1_1}\n", 4, "seen by player 1", [], []),
    ("start: setup\ngiven: end game\nwhen: [choose: x]\nthen: [1 = 1]\n", 5, "nobody has to decide anything", [], []),
    ("setup: [board_1_1]\nthen: [1 = 1]\n", 3, "the set-up goes otherwise: 'board_1_1' is to be chosen, but nothing is decided there", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message", "values", "options"), FAILING)
def test_a_failure_says_where_and_what(tmp_path: Path, text: str, line: int, message: str, values: list[str], options: list[str]) -> None:
    """A failure says where, what, the values on both sides, the last events and the options."""
    outcome = played(tmp_path, f"name: x\n{TIC}{text}")
    failure = outcome.failure
    assert not outcome.diagnostics
    assert failure is not None
    assert failure.span.line == line
    assert message in failure.message
    assert all(part in str(failure.values) for part in values)
    assert all(part in str(failure.options) for part in options)


# text, then each complaint as line:column and a part of its words
BAD = [
    (f"name: x\n{TIC}then:\n- boart_1_1 is empty\n", ["4:3 nothing is called 'boart_1_1'"]),
    (f'name: x\n{TIC}then:\n- "1 = 1 and boart is empty"\n', ["4:14 nothing is called 'boart'"]),
    (f"name: x\n{TIC}then:\n- '1 = 1 and\n   boart is empty'\n", ["5:4 nothing is called 'boart'"]),
    (f"name: x\n{TIC}given: |\n  let n = 1\n\n  move bord to board_1_1\nthen: [n = 1]\n", ["6:8 nothing is called 'bord'"]),
    (f'name: x\n{TIC}given: |\n  if 1 = 1:\n      log "{{boart}}"\nthen: [1 = 1]\n', ["5:13 nothing is called 'boart'"]),
    (f"name: x\n{TIC}given: >\n  let n =\n  boart\nthen: [1 = 1]\n", ["5:3 nothing is called 'boart'"]),
    (f"name: x\n{TIC}given:\n- let n = 1\n- let m = c\nthen: [n = 1]\n", ["5:11 nothing is called 'c'"]),
    (f"name: x\n{TIC}given: let x ==\nthen: [x = 1]\n", ["3:"]),
    (f"name: x\n{TIC}given: lett x = 1\nthen: [1 = 1]\n", ["3:8 no statement begins with 'lett'"]),
    (f"name: x\n{TIC}when: [do: 'step one: end game']\nthen: [1 = 1]\n", ["3:13 steps and 'until' belong into rules"]),
    (f'name: x\n{TIC}given: |\n  let n = 1\n  if n = 1:\n      step one: log "a"\nthen: [n = 1]\n', ["6:7 steps and 'until' belong into rules"]),
    (f"name: x\n{TIC}given: |\n  let n = 1\n  set cross.1.player to player_2 until turn\nthen: [n = 1]\n", ["5:"]),
    (f"name: x\n{TIC}given: |\n  let n = 1\n  set (the first mark).player to player_2 until turn\nthen: [n = 1]\n", ["5:3 steps and 'until' belong"]),
    (
        f'name: x\n{TIC}given: |\n  let n = 1\n  effect wipe(): log "a"\nthen: [n = 1]\n',
        ["5:3 'effect' declares something, and only statements stand here"],
    ),
    (f'name: x\n{TIC}given: |\n  let n = 1\n  after turn: log "a"\nthen: [n = 1]\n', ["5:3 'after' declares something"]),
    (f'name: x\n{TIC}given: |\n  let n = 1\n  until end of turn: log "a"\nthen: [n = 1]\n', ["5:13 'of' does not fit here"]),
    (f"name: x\n{TIC}seat 1: cross\nthen: [1 = 1]\n", ["3:1 'tic_tac_toe' does not say how a player gets a part"]),
    (f"name: x\n{TIC}when:\n- chance: {{coin: 1}}\nthen: [1 = 1]\n", ["4:12 no die, place or effect is called 'coin'"]),
    (f"name: x\n{TIC}then:\n- sees: {{player: 1, what: board_1_1}}\n", ["4:27 what a player sees is a field"]),
    (f"name: x\n{TIC}then:\n- not sees: {{player: 7, what: board_1_1.row}}\n", ["4:22 there is no player 7"]),
    (f"name: x\n{TIC}then: [player_1.marks]\n", ["3:8 what is claimed must be a flag"]),
    (f"name: x\n{TIC}then: [player_3 = player_1]\n", ["3:8 nothing is called 'player_3'"]),
    (f"name: x\n{TIC}players: 3\nthen: [1 = 1]\n", ["3:10 'tic_tac_toe' is for 2 players, not 3"]),
    (f"name: x\n{TIC}cites: [base.move.3]\nthen: [1 = 1]\n", ["3:9 the rulebook has no rule 'base.move.3'"]),
    ("name: x\nruleset: tic_tac_to\nthen: [1 = 1]\n", ["2:10 there is no ruleset 'tic_tac_to'"]),
    ("name: x\nthen: [1 = 1]\n", ["1:7 the scenario does not say which ruleset it is for"]),
    (f"name: x\n{TIC}layers: [no_such_layer]\nthen: [1 = 1]\n", ["3:10 there is no ruleset 'no_such_layer'"]),
    (f"name: x\n{TIC}options: {{mode: solo}}\nthen: [1 = 1]\n", ["3:11 'tic_tac_toe' has no option 'mode'"]),
    ("name: x\nruleset: base\noptions: {mode: many}\nthen: [1 = 1]\n", ["3:17 'many' is no value of 'mode'"]),
]
# What such scenarios claim would always be so, whatever the rules say: text after the ruleset, place and words of the complaint, guess.
EMPTY = [
    ("then:\n- not offers: nosuch\n", "4:15 nothing that could be chosen is called 'nosuch'", None),
    ("then:\n- not offers: [board_1_1, bord_1_1]\n", "4:27 nothing that could be chosen is called 'bord_1_1'", "did you mean 'board_1_1'?"),
    ("then:\n- not offers: 7\n", "4:15 nothing that could be chosen is called '7'", None),
    ("then:\n- not offers: turn@cross.1\n", "4:15 nothing that could be chosen is called 'turn@cross.1'", "did you mean 'cross.1'?"),
    ("then:\n- refused: {action: bord_1_1}\n", "4:21 there is no action and no component 'bord_1_1'", "did you mean 'board_1_1'?"),
    ("then:\n- not log: turm\n", "4:12 the log can never say 'turm'", "did you mean 'turn'?"),
    ("then:\n- not log: {player: 1, says: [Player 1 takes, Player 1 tokes]}\n", "4:47 the log can never say 'tokes'", None),
    ("then:\n- not log: {player: 9, says: takes}\n", "4:21 there is no player 9: 2 play", None),
    ("then:\n- refused: {action: board_1_1, player: player_3}\n", "4:40 there is no player 3", None),
    ("then:\n- decision: {player: 9}\n", "4:22 there is no player 9", None),
    ("then:\n- not knows: {player: 7, what: board_1_1}\n", "4:23 there is no player 7", None),
    ("players: 2\nthen:\n- result: {winners: [1, 9]}\n", "5:25 there is no player 9", None),
    ("when:\n- choose: {player_9: board_1_1}\nthen: [1 = 1]\n", "4:12 there is no player 9", None),
    ("when:\n- choose: {player: 9, option: board_1_1}\nthen: [1 = 1]\n", "4:20 there is no player 9", None),
    ("start: bare\nsetup: board_1_1\nthen: [1 = 1]\n", "4:8 nothing is chosen in the set-up", "start: setup goes through the set-up"),
]
# What could be, though it is not: these claims may fail one day.
POSSIBLE = [
    "then:\n- not offers: [done, None of these, X, cross, cross.2, player_2, Player 2, marks, player.1.marks, board_1_1~2, player.1.marks#3]\n",
    "given: let mine = a mark in player_1.marks\nthen:\n- not offers: mine\n",
    "given: 'player_2 chooses n: a number from 1 to 3'\nwhen: [choose: 1]\nthen:\n- not offers: 7\n",
    'given: |\n  player_2 chooses one:\n      "Stay with {player_1}": nothing\n      "Go": nothing\nwhen: [choose: go]\nthen:\n- not offers: [Stay with her, stay_with_her]\n',
    "given: 'player_2 chooses way: one of well, very_badly'\nwhen: [choose: well]\nthen:\n- not offers: very_badly\n",
    "then:\n- not log: [turn, Player 2 takes row 3, has won, 'O: ', something is shown, Player 2's marks → board]\n",
    'given: log "It rains."\nthen:\n- not log: It rains 3\n',
]


@pytest.mark.parametrize(("text", "complaints"), BAD)
def test_mistakes_in_a_scenario_are_told_at_their_place(tmp_path: Path, text: str, complaints: list[str]) -> None:
    """Mistakes in statements and expressions are told at their line and column of the YAML file."""
    outcome = played(tmp_path, text)
    assert outcome.failure is None
    told = [f"{each.span.line}:{each.span.column} {each.message}" for each in outcome.diagnostics]
    assert len(told) == len(complaints), told
    for found, wanted in zip(told, complaints, strict=True):
        assert found.startswith(wanted), told


@pytest.mark.parametrize(("text", "complaint", "guess"), EMPTY)
def test_a_claim_that_cannot_fail_is_a_mistake(tmp_path: Path, text: str, complaint: str, guess: str | None) -> None:
    """What speaks of something that there is not is refused where it is named, not believed."""
    (found,) = played(tmp_path, f"name: x\n{TIC}{text}").diagnostics
    assert f"{found.span.line}:{found.span.column} {found.message}".startswith(complaint)
    assert found.hint == guess


def test_more_players_are_asked_for_where_there_can_be_more(tmp_path: Path) -> None:
    """A ruleset for one or two is played by one unless a scenario says otherwise."""
    made(tmp_path, "rain", "phase play: end game\n")
    stage = Stage()
    for player, hint in ((2, "add the line: players: 2"), (3, None)):
        (found,) = played(tmp_path, f"name: x\nruleset: ./rain\nthen:\n- result: {{winners: [{player}]}}\n", stage).diagnostics
        assert (found.message, found.hint) == (f"there is no player {player}: one plays alone", hint)


@pytest.mark.parametrize("text", POSSIBLE)
def test_a_claim_that_can_fail_is_none(tmp_path: Path, text: str) -> None:
    """Whatever an option may be called and the log may say can be denied, also what only the scenario itself brings in."""
    outcome = played(tmp_path, f"name: x\n{TIC}{text}")
    assert outcome.passed, (outcome.diagnostics, outcome.failure)


def made(folder: Path, name: str, rules: str, more: str = "players: {min: 1, max: 2}") -> Path:
    """A ruleset of one file, without scenarios."""
    (folder / name).mkdir()
    about = f'id: {name}\ntitle: Made up\nversion: "1.0.0"\ndescription: For a test.\n{more}\nfiles: [made.rules]\n'
    (folder / name / "ruleset.yaml").write_text(about)
    (folder / name / "made.rules").write_text(rules)
    return folder / name


def test_an_offer_of_which_nothing_is_left_is_over(tmp_path: Path) -> None:
    """What a scenario does while somebody is asked can take the last answer away: then nobody is asked any more, on either engine."""
    rules = """
kind lamp:
    oil: 0..9 = 1
lamp torch "Torch"
action burn "Burn":
    by player
    when torch.oil > 0
    do: decrease torch.oil by 1
phase play:
    offer actions to (the first player)
    log "It goes on."
    end game
"""
    folder = made(tmp_path, "night", rules)
    text = "name: x\nruleset: ./night\nwhen:\n- do: set torch.oil to 0\nthen:\n- decision: none\n- log: It goes on.\n"
    outcome = played(tmp_path, text)
    assert outcome.passed, (outcome.diagnostics, outcome.failure)
    game = game_by(load(folder, engine="step"), 1, 0)
    assert game.decision is not None
    oil = game.world.by_noun["lamp"][0]
    game.state.values[game.world.base[oil] + game.world.slots["lamp"]["oil"]] = 0
    carry_on(game, lambda: None)
    assert game.decision is None


def test_what_a_layer_removes_can_be_denied(tmp_path: Path) -> None:
    """It would be there but for the layer."""
    made(tmp_path, "rain", 'phase setup:\n    step pour: log "It pours."\n    step drip: log "It drips."\n\nphase play: end game\n')
    made(tmp_path, "umbrella", "remove step setup.pour\n", "parents: [../rain]")
    outcome = played(tmp_path, "name: x\nruleset: ./umbrella\nstart: bare\nwhen: [do: setup()]\nthen:\n- log: setup.drip\n- not log: setup.pour\n")
    assert outcome.passed, (outcome.diagnostics, outcome.failure)
    outcome = played(tmp_path, "name: x\nruleset: ./umbrella\nthen:\n- not log: setup.poor\n")
    assert [found.hint for found in outcome.diagnostics] == ["did you mean 'setup.pour'?"]


def test_did_you_mean(tmp_path: Path) -> None:
    """A near miss is guessed, also across the ruleset's names and those of the scenario."""
    outcome = played(tmp_path, f"name: x\n{TIC}given: let target = board_1_1\nthen: [targt is empty]\n")
    assert outcome.diagnostics[0].hint == "did you mean 'target'?"


SHAPES = [
    ("- a\n", "must be"),
    ("name: x\n", "lacks the key 'then'"),
    ("name: x\nthen: []\n", "at least 1 item"),
    ("name: x\nthen: [1 = 1]\nwhen: [do: a, choose]\n", "must be"),
    ("name: x\nthen: [1 = 1]\nstart: somewhere\n", "must be play, setup, new or bare"),
    ("name: x\nthen: [1 = 1]\nplayers: many\n", "must be"),
    ("name: x\nthen: [1 = 1]\nwhen: [choose: {captain: a}]\n", "choose"),
    ("name: x\nthen: [{offers: a, log: b}]\n", "only one of the keys"),
    ("name: x\nthen: [{knows: {player: one, what: a}}]\n", "a player: 2 or player_2"),
    ("name: x\nname: y\nthen: [1 = 1]\n", "given twice"),
    ("name: x\nthen: [{not log: {player: 0, says: a}}]\n", "'player' must be at least 1"),
    ("name: [\n", "not well-formed"),
    ("", "must be"),
]


@pytest.mark.parametrize(("text", "message"), SHAPES)
def test_a_file_of_the_wrong_shape_is_refused_in_words(tmp_path: Path, text: str, message: str) -> None:
    """A file of the wrong shape is refused in words."""
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    _, problems = load_scenarios(path)
    assert any(message in problem.message for problem in problems), problems
    assert not any(problem.hint == 'put it in quotes: "0"' for problem in problems)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A file that is not there is told, not raised."""
    scenarios, problems = load_scenarios(tmp_path / "none.yaml")
    assert not scenarios
    assert problems[0].code == "R201"


def ruleset(tmp_path: Path, rules: str) -> None:
    (tmp_path / "ruleset.yaml").write_text("id: small\ntitle: Small\nversion: '1'\nplayers: {min: 1, max: 2}\nfiles: [small.rules]\n")
    (tmp_path / "small.rules").write_text(rules)


SMALL = """
kind chip:
    worth: 0..9
chip red "Red chip" x3: worth 1
chip blue "Blue chip": worth 2
place bag: a bag of chip, seen by nobody
place pile: a pile of chip
place table_top
die coin: heads, tails

phase setup:
    move all chips to bag
    for each player in players where seat = 1: begin(player)

phase play:
    repeat:
        for each player in players: turn(player)

effect begin(who: player):
    who chooses first: one of heads, tails
    log "First comes {first}."

effect turn(who: player):
    who chooses one:
        "Draw": draw a chip from bag to pile
        "Roll": flip()
        "Loop": loop()
        "Mix": shuffle pile

effect flip():
    let face = roll coin
    log "It is {face}."

effect loop(): repeat: nothing
"""

CHANCE = [
    ("when: [chance: tails, choose: Roll]\nthen: [log: It is tails.]", None),
    ("when: [chance: edge, choose: Roll]\nthen: [1 = 1]", "told that 'coin' shows 'edge'"),
    ("when: [chance: [blue, red.2], choose: [Draw, Draw]]\nthen: [blue is in pile, (the top chip in pile).copy = 2]", None),
    ("when: [chance: Blue chip, choose: Draw]\nthen: [blue is in pile]", None),
    ("when: [chance: green, choose: Draw]\nthen: [1 = 1]", "told to give 'green', which is not among blue, red"),
    ("given: move all chips to pile\nwhen: [chance: [[red, blue]], choose: Mix]\nthen: [the top chip in pile is a red]", None),
    ("given: move all chips to pile\nwhen: [chance: [[gold]], choose: Mix]\nthen: [1 = 1]", "told to put 'gold' on top"),
    ("when: [chance: [null, tails], choose: [Roll, Roll]]\nthen: [log: It is tails.]", None),
    ("when: [chance: [tails, heads], choose: Roll]\nthen: [1 = 1]", "chance was told 'heads', but nothing asked for it"),
    ("when: [choose: Loop]\nthen: [error: repeats for ever, decision: {player: 1}, offers: Loop]", None),
    ("when: [choose: Loop]\nthen: [error: something else]", "the error is: more than"),
    ("when: [choose: Loop]\nthen: [1 = 1]", "an error of the rules: more than"),
    ("start: new\nthen: [offers: [heads, tails]]", None),
    ("start: setup\nsetup: tails\nthen: [decision: none, count of chips in bag = 4]", None),
    ("setup: edge\nthen: [1 = 1]", "the set-up goes otherwise: 'edge' is not among the options"),
    ("start: bare\nthen: [bag is empty, decision: none]", None),
    ("given: let n = 1\nwhen: [do: increase n by 1, do: let m = n + 1]\nthen: [n = 2, m = 3]", None),
    ("when: [do: 'player_1 chooses n: a number from 1 to 3', choose: 2]\nthen: [n = 2]", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), CHANCE)
def test_chance_and_starts(tmp_path: Path, text: str, message: str | None) -> None:
    """Chance gives what it is told, wrong and unused answers are failures, games start where they are to."""
    ruleset(tmp_path, SMALL)
    outcome = played(tmp_path, f"name: x\n{text}\n", Stage())
    assert not outcome.diagnostics
    if message is None:
        assert outcome.passed, outcome.failure
    else:
        assert outcome.failure is not None
        assert message in outcome.failure.message


def test_ruleset_with_mistakes(tmp_path: Path) -> None:
    """The mistakes of a ruleset are shown for the scenario that asks for it."""
    ruleset(tmp_path, "kind chip:\n    worth: nonsense_type\n")
    outcome = played(tmp_path, "name: x\nthen: [1 = 1]\n", Stage())
    assert not outcome.passed
    assert any(problem.span.file.endswith("small.rules") for problem in outcome.diagnostics)


# -- the command


def test_the_command_plays_the_scenarios_of_a_ruleset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ruleset's scenarios, by name; exit 0 and a summary."""
    assert main(["test", "tic_tac_toe"]) == 0
    assert "8 scenarios, all passed" in capsys.readouterr().out
    assert main(["test", "tic_tac_toe", "-k", "diagonal", "--verbose"]) == 0
    shown = capsys.readouterr().out
    assert "pass  The falling diagonal wins" in shown
    assert "2 scenarios, all passed" in shown


def test_a_scenario_finds_the_rules_file_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name, wherever one stands; the same name leads the commands there from that folder."""
    (tmp_path / "corners.rules").write_text('layer corners over tic_tac_toe "Corners"\n\nafter turn: log "Corners."\n')
    (tmp_path / "seen.yaml").write_text(
        "ruleset: corners\nscenarios:\n  - name: It is told\n    when: [choose: board_1_1]\n    then: [log: Corners.]\n"
    )
    assert main(["test", str(tmp_path / "seen.yaml")]) == 0, capsys.readouterr().err
    assert "1 scenario, all passed" in capsys.readouterr().out


@pytest.mark.slow
def test_a_scenario_finds_the_ruleset_it_lies_in_by_its_name() -> None:
    """Also where a file of that ruleset has the same name, as most house rules do."""
    paths = sorted((ROOT / "rulesets/house").glob("*/scenarios/*.yaml"))
    tables = [STAGE.table(scenario) for path in paths for scenario in load_scenarios(path)[0]]
    assert len(tables) >= 9
    assert [problems for _, problems in tables if problems] == []


def test_each_claim_has_a_budget_of_its_own(tmp_path: Path) -> None:
    """However many there are, as long as none looks at too much."""
    stage = Stage()
    stage.budget = Budget(looks=1_000)
    claim = "- (count of cells where (count of cells) = 9) = 9\n"
    assert played(tmp_path, f"name: x\n{TIC}then:\n{claim * 100}", stage).passed
    claim = "- (count of cells where (count of cells where (count of cells where (count of cells where row > 0) = 9) = 9) = 9) = 9\n"
    assert "more than 1,000 things looked at" in str(played(tmp_path, f"name: x\n{TIC}then:\n{claim}", stage).failure)


def test_command_without_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to play is a mistake of the person, not a success."""
    assert main(["test", str(tmp_path)]) == 2
    assert f"there are no scenario files in '{tmp_path}'" in capsys.readouterr().err
    home = str(made(tmp_path, "silent", "phase play: end game\n"))
    assert main(["test", home]) == 2
    assert f"there are no scenarios in the folder 'scenarios' of '{home}'" in capsys.readouterr().err
    assert main(["test", "tic_tac_toe", "-k", "chess"]) == 2
    assert "no scenario has 'chess' in its name or in that of its file" in capsys.readouterr().err


def test_the_command_shows_a_failure_with_everything_about_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A failure shows the expression with its place, both values, the options and the last events; exit 1."""
    path = tmp_path / "wrong.yaml"
    path.write_text(f"name: Wrong\n{TIC}when:\n- choose: board_2_2\nthen:\n- count of marks in player_1.marks = 5\n")
    assert main(["test", str(path)]) == 1
    shown = capsys.readouterr().out
    for part in ("FAIL  Wrong", "wrong.yaml:6:3: then", "count of marks in player_1.marks: 4", "last events:", "Player 1 takes row 2", "board_1_1"):
        assert part in shown
    assert "1 scenario, 1 failed" in shown
    assert main(["test", str(path), "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["failed"] == 1
    assert content["scenarios"][0]["failure"]["span"]["line"] == 6


def test_the_command_shows_mistakes_with_an_excerpt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mistakes in a scenario are shown with an excerpt (exit 1); targets that are not there are a mistake of the person (exit 2)."""
    path = tmp_path / "bad.yaml"
    path.write_text(f"name: Bad\n{TIC}then:\n- player_1.makrs is empty\n")
    assert main(["test", str(path)]) == 1
    assert "did you mean 'marks'?" in capsys.readouterr().out
    path.write_text("nome: Bad\n")
    assert main(["test", str(path)]) == 1
    assert "1 file cannot be read" in capsys.readouterr().out
    assert main(["test", "tic_tac_to"]) == 2
    assert "did you mean 'tic_tac_toe'?" in capsys.readouterr().err
    assert main(["test", "tic_tac_toe", "--layer", "nothing_of_the_kind"]) == 2


def test_a_bug_of_ours_costs_one_scenario(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A bug of ours costs one scenario, is named as such, and ends in 70."""

    def broken(*_: object) -> Outcome:
        raise KeyError("lost")

    monkeypatch.setattr("rulewright.scenario.run_scenario", broken)
    assert main(["test", "tic_tac_toe", "-k", "draw"]) == 70
    assert "internal error: KeyError" in capsys.readouterr().out
