"""What scenarios are written with: seats, openings, effects for the stage, scripted chance, options by any name, claims of order, of all options, of what is seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.build import Built, build_sources
from rulewright.scenario import Outcome, Stage, load_scenarios, run_scenario
from rulewright.validate import validate
from rulewright_tools.cli import main

CREW = """
kind crew:
    skill: 0..9
    player: player or none
    starts in barracks
kind player:
    crew: crew or none
kind card:
    colour: red | blue = red
    worth: 0..9, seen by owner
    friends: set of crew
    starts in deck
    while self is in owner.hand:
        action play "Play":
            by player
            when self.worth > 0 because "it is worth nothing"
            do: move self to pile

place barracks: an area of crew
place deck: a pile of card, seen by nobody
place pile: a pile of card
place hand of player: a row of card, seen by owner
place slot: a pile of card, holds up to 1
die coin: heads, tails

crew captain "Captain": skill 3
crew scout "Scout": skill 2
crew cook "Cook": skill 1
card ace "Ace" x2: worth 5
card joker "Joker":
    worth 0
    colour blue

phase setup:
    step draft:
        for each player in players ordered by seat: draft(player)
    step deal: shuffle deck
    step clear: move all cards in slot to pile

phase play:
    repeat:
        for each player in players ordered by seat: turn(player)

effect draft(who: player):
    chance chooses one_card: a crew in barracks where one_card.player is none
    who chooses mine: one of one_card, none
    if mine is not none: take(who, mine)

effect take(who: player, part: crew):
    set who.crew to part
    set part.player to who
    log "{who} is {part}."

effect turn(who: player):
    offer actions to who:
        "Flip": flip()
        "Draw": draw a card from deck to who.hand
        "Rest": rest()

effect flip():
    let face = roll coin
    log "It is {face}."

effect rest():
    sleep()
    log "All is quiet."

effect sleep(): log "Somebody snores."
"""
STAGING = """
effect sit(who: player, part: crew): take(who, part)

instead of draft(who) when who.crew is not none: nothing

effect deal(what: card, who: player): move what to who.hand
"""
MANIFEST = """id: crew
title: Crew
version: "1"
players: {min: 2, max: 3}
files: [crew.rules]
staging: {files: [staging.rules], seat: sit}
"""


@pytest.fixture
def crew(tmp_path: Path) -> Path:
    """A small game that says how seats are cast, in a folder of its own."""
    (tmp_path / "crew").mkdir()
    for name, text in {"ruleset.yaml": MANIFEST, "crew.rules": CREW, "staging.rules": STAGING}.items():
        (tmp_path / "crew" / name).write_text(text)
    return tmp_path / "crew"


def played(crew: Path, text: str) -> list[Outcome]:
    """What comes of the scenarios of a text beside the game."""
    (crew / "scenario.yaml").write_text(text)
    scenarios, problems = load_scenarios(crew / "scenario.yaml")
    assert not problems, problems
    stage = Stage()
    return [run_scenario(scenario, stage) for scenario in scenarios]


# a scenario without its name, and a part of what it fails with; none if it passes
PLAYED = {
    "a seat is cast": ("seat 1: captain\nseat 2: cook\nthen: [player_1.crew is captain, cook.player = player_2]", None),
    "also where nothing has run": ("start: bare\nseat 2: cook\nthen: [player_2.crew is cook, player_1.crew is none]", None),
    "the set-up goes on for the others": (
        "start: new\nseat 1: captain\nthen: [player_1.crew is captain, decision: {player: 2}, not offers: captain]", None,
    ),
    "an effect of the stage": ("given: deal(joker, player_1)\nthen: [joker is in player_1.hand]", None),
    "chance in the set-up": ("setup: [chance: [scout, cook], scout, cook]\nthen: [player_1.crew is scout, player_2.crew is cook]", None),
    "chance told twice": ("setup: [chance: cook, chance: captain, player_1: cook, player_2: captain]\nthen: [player_2.crew is captain]", None),
    "chance for what has a name": (
        "setup: [chance: {draft: [cook, scout], deck: [[joker]]}, 1, 1]\nthen: [player_1.crew is cook, the top card in deck is joker]", None,
    ),
    "chance that the set-up does not ask": ("setup: [chance: {flip: tails}]\nthen: [1 = 1]", "chance was told 'tails', but nothing asked for it"),
    "chance that cannot be": ("setup: [chance: baker]\nthen: [1 = 1]", "told to give 'baker', which is not among captain, scout, cook"),
    "chance for a die, while others ask": (
        "when:\n- chance: {coin: [tails, heads], deck: [[joker]]}\n- do: shuffle deck\n- choose: [Flip, Flip]\n"
        "then: [in order: [It is tails., It is heads.], the top card in deck is joker]", None,
    ),
    "chance that is left over": ("when: [chance: {coin: [tails, heads]}, choose: Flip]\nthen: [1 = 1]", "'heads', but nothing asked for it"),
    "chance knows names": (
        "given: let mine = the ace where copy = 2\nwhen: [chance: [[mine]], do: shuffle deck]\nthen: [the top card in deck is mine]", None,
    ),
    "chance knows sets": ("given: let both = aces\nwhen: [chance: [[both]], do: shuffle deck]\nthen: [the top card in deck is an ace]", None),
    "copies that chance may give": ("when: [chance: ace.7, do: 'chance chooses one_card: a card in deck']\nthen: [1 = 1]", "not among"),
    "a shuffle is no roll": ("when: [chance: 6, do: shuffle deck]\nthen: [1 = 1]", "told '6', but a shuffle asks for what comes on top"),
    "a roll is no shuffle": ("when: [chance: [[tails]], choose: Flip]\nthen: [1 = 1]", "told that 'coin' shows 'tails', which is none"),
    "an option by its number": ("when: [choose: 1]\nthen: [log: flip]", None),
    "no such number": ("when: [choose: 9]\nthen: [1 = 1]", "'9' is not among the options"),
    "a number that is an option": ("when: [do: 'player_1 chooses n: a number from 2 to 4', choose: 3]\nthen: [n = 3]", None),
    "a number that is none of them": ("when: [do: 'player_1 chooses n: a number from 2 to 4', choose: 1]\nthen: [n = 2]", "'1' is not among"),
    "an option by what grants it": ("given: deal(the first ace, player_1)\nwhen: [choose: Ace]\nthen: [any ace in pile]", None),
    "by its id": ("given: deal(the first ace, player_1)\nwhen: [choose: ace.1]\nthen: [any ace in pile]", None),
    "exactly these": ("then: [offers only: [Flip, Draw, Rest]]", None),
    "copies count once": ("given: |\n  for each ace in aces: deal(ace, player_1)\nthen: [offers only: [Flip, Draw, Rest, play]]", None),
    "one more": ("given: deal(the first ace, player_1)\nthen: [offers only: [Flip, Draw, Rest]]", "also offered: Play: Ace"),
    "one less": ("then: [offers only: [Flip, Draw, Rest, Ace]]", "not offered: Ace"),
    "nothing at all": ("start: setup\nthen: [offers only: [Flip]]", "nobody has to decide anything"),
    "refused by name": ("given: deal(joker, player_1)\nthen: [refused: {action: play@joker, because: worth nothing}]", None),
    "refused by a bound name": ("given: |\n  let it_is = joker\n  deal(joker, player_1)\nthen: [refused: {action: Play@it_is, because: nothing}]", None),
    "not refused by name": ("given: deal(the first ace, player_1)\nthen: [refused: {action: play@ace}]", "it is not refused"),
    "one before the other": ("when: [choose: Rest]\nthen: [in order: [rest, sleep, Somebody snores, All is quiet]]", None),
    "the other before the one": ("when: [choose: Rest]\nthen: [in order: [All is quiet, Somebody snores]]", "'Somebody snores' comes before 'All is quiet'"),
    "twice the same": ("when: [choose: [Rest, Flip, Rest]]\nthen: [in order: [rest, flip, rest]]", None),
    "not so often": ("when: [choose: [Rest, Flip]]\nthen: [in order: [rest, flip, rest]]", "does not say 2 times: rest"),
    "what a player can follow": ("when: [choose: Rest]\nthen: [in order: {player: 2, says: [snores, quiet]}]", None),
    "a player hears no effects": ("when: [choose: Rest]\nthen: [in order: {player: 2, says: [sleep, quiet]}]", "the log of player 2 does not say: sleep"),
    "what the owner sees": (
        "given: deal(joker, player_1)\nthen: [sees: {player: 1, what: joker.worth, as: 0}, sees: {player: 1, what: joker.colour, as: blue}]", None,
    ),
    "what others do not": ("given: deal(joker, player_1)\nthen: [not sees: {player: 2, what: joker.colour}, not sees: {player: 2, what: joker.worth}]", None),
    "open, but for one field": (
        "given: move joker to pile\nthen: [sees: {player: 2, what: joker.colour}, not sees: {player: 2, what: joker.worth}]", None,
    ),
    "seen otherwise": ("given: move joker to pile\nthen: [sees: {player: 2, what: joker.colour, as: red}]", "player 2 reads: blue"),
    "hidden": ("then: [sees: {player: 2, what: joker.colour}]", "hidden from player 2: colour of joker"),
    "not hidden": ("given: move joker to pile\nthen: [not sees: {player: 2, what: joker.colour}]", "player 2 reads: blue"),
    "of nothing": ("then: [sees: {player: 2, what: player_1.crew.skill}]", None),
    "a set by its parts": ("given: set joker.friends to captain, cook\nthen: [count of joker.friends = 2, cook is in joker.friends]", None),
}  # fmt: skip


@pytest.mark.parametrize("case", PLAYED.values(), ids=list(PLAYED))
def test_what_scenarios_say(crew: Path, case: tuple[str, str | None]) -> None:
    """Each means what it says, and fails in words that tell what is the case instead."""
    text, message = case
    (outcome,) = played(crew, f"name: x\n{text}\n")
    assert not outcome.diagnostics
    assert not outcome.warnings
    if message is None:
        assert outcome.passed, outcome.failure
    else:
        assert outcome.failure is not None
        assert message in outcome.failure.message


OPENINGS = """openings:
  crowded:
    players: 3
    start: setup
    given: let who = player_3
  cooking: {opening: crowded, seat 1: cook, given: 'deal(joker, who)'}
"""
OPENED = [
    "opening: crowded\nthen: [who.seat = 3, decision: none]",
    "opening: cooking\nthen: [player_1.crew is cook, joker is in player_3.hand]",
    "opening: cooking\nseat 1: scout\nplayers: 3\ngiven: move joker to pile\nthen: [player_1.crew is scout, joker is in pile]",
]


@pytest.mark.parametrize("text", OPENED)
def test_openings_come_first(crew: Path, text: str) -> None:
    """From the same file or the one beside it; what a scenario says itself goes before, what is given comes after."""
    indented = "".join(f"    {line}\n" for line in text.split("\n"))
    (outcome,) = played(crew, f"{OPENINGS}scenarios:\n  - name: x\n{indented}")
    assert outcome.passed, (outcome.diagnostics, outcome.failure)
    (crew / "openings.yaml").write_text(OPENINGS)
    (outcome,) = played(crew, f"name: x\n{text}\n")
    assert outcome.passed, (outcome.diagnostics, outcome.failure)
    assert load_scenarios(crew / "openings.yaml") == ([], [])


UNFIT = [
    ("opening: crowd\nthen: [1 = 1]\nname: x\n", 1, "R301", "there is no opening 'crowd'", "did you mean 'crowded'?"),
    ("opening: elsewhere\nthen: [1 = 1]\nname: x\n", 1, "R301", "there is no opening 'elsewhere'", "write it under 'openings:' in this file"),
    ("openings:\n  a: {opening: b}\n  b: {opening: a}\nscenarios:\n- {name: x, opening: a, then: [1 = 1]}\n", 3, "R307", "'a' begins with itself", "let one"),
    ("openings:\n  a: {when: [do: end game]}\nscenarios:\n- {name: x, opening: a, then: [1 = 1]}\n", 2, "R204", "has no key 'when'", "the keys here are"),
    ("openings:\n  A B: {start: bare}\n", 2, "R205", "must be a name such as cold_start", "None"),
    ("name: x\nseat one: captain\nthen: [1 = 1]\n", 2, "R204", "has no key 'seat one'", "write the number of the seat: seat 1: captain"),
    ("name: x\nseats: {1: captain}\nthen: [1 = 1]\n", 2, "R204", "has no key 'seats'", "write a line for each seat: seat 1: PART"),
    ("name: x\nseat 1: 3\nthen: [1 = 1]\n", 2, "R205", "must be the name of a part", "put it in quotes"),
    ("name: x\nthen:\n- in order: attack\n", 3, "R205", "a list of two texts or more", "None"),
    ("name: x\nthen:\n- in order: [attack]\n", 3, "R205", "at least 2 items", "None"),
    ("name: x\nthen:\n- sees: player_1\n", 3, "R205", "", "None"),
    ("name: x\nthen:\n- offer: a\n", 3, "R204", "has no key 'offer'", "did you mean 'offers'?"),
    ("name: x\nthen:\n- order: [a, b]\n", 3, "R204", "has no key 'order'", "in order"),
    ("name: x\nsetup: [chance: {}]\nthen: [1 = 1]\n", 2, "R205", "", "None"),
    ("name: x\nexpect: [1 = 1]\n", 2, "R204", "has no key 'expect'", "then"),
    ("name: x\nthen: [1 = 1]\nsteps: [do: end game]\n", 3, "R204", "has no key 'steps'", "when"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "code", "message", "hint"), UNFIT)
def test_a_file_that_does_not_fit_is_told(crew: Path, text: str, line: int, code: str, message: str, hint: str) -> None:
    """At its line, and with what to write instead."""
    (crew / "openings.yaml").write_text(OPENINGS)
    (crew / "scenario.yaml").write_text(text)
    _, problems = load_scenarios(crew / "scenario.yaml")
    assert problems
    found = next(problem for problem in problems if problem.code == code)
    assert found.span.line == line
    assert message in found.message
    assert hint in str(found.hint)


MISCAST = [
    ("seat 1: captian", "3:9 nothing is called 'captian'", "did you mean 'captain'?"),
    ("seat 3: captain", "3:1 there is no player 3: 2 play", "add the line: players: 3"),
    ("seat 1: joker", "3:9 ", None),
]


@pytest.mark.parametrize(("line", "complaint", "hint"), MISCAST)
def test_a_seat_that_cannot_be_cast_is_a_mistake(crew: Path, line: str, complaint: str, hint: str | None) -> None:
    """Told where the part or the seat is named."""
    (outcome,) = played(crew, f"name: x\nthen: [1 = 1]\n{line}\n")
    (found,) = outcome.diagnostics
    assert f"{found.span.line}:{found.span.column} {found.message}".startswith(complaint)
    assert hint is None or found.hint == hint


IDLE = [
    ("move the first ace in pile to slot", "this moves nothing: there is nothing of the kind to take"),
    ("move 3 aces from deck to pile", "this moves 2: there are no more of the kind to take"),
    ("move all aces to slot", "this does not move ace.2: there is no room in slot, which holds ace.1"),
    ("move joker to (player_1.crew).place", None),
    ("move all jokers in pile to slot", None),
    ("move joker to deck", None),
    ("draw 9 cards from deck to pile", None),
]


@pytest.mark.parametrize(("statement", "warning"), IDLE)
def test_a_move_that_does_nothing_is_told(crew: Path, statement: str, warning: str | None) -> None:
    """In what is given; moves that happen are the business of the claims, and so are helpers'."""
    text = f"name: x\nstart: setup\ngiven: |\n    let n = 1\n    {statement}\nthen: [n = 1]\n"
    (outcome,) = played(crew, text)
    assert outcome.passed, (outcome.diagnostics, outcome.failure)
    assert [(found.span.line, found.message) for found in outcome.warnings] == ([] if warning is None else [(5, warning)])
    (outcome,) = played(crew, text.replace("given: |\n", "when:\n- do: |\n"))
    assert not outcome.warnings


def test_failures_have_no_inner_numbers(crew: Path) -> None:
    """Components are told by their ids, wherever they are."""
    claims = ["player_1.hand is empty", "deck is empty", "joker is in pile", "aces = cards", "(cards in deck) = jokers", "player_1.crew is cook"]
    for claim in claims:
        (outcome,) = played(crew, f"name: x\nstart: setup\nseat 1: captain\ngiven: |\n  let some = aces\n  deal(joker, player_1)\nthen: [{claim}]\n")
        assert outcome.failure is not None
        for _, value in outcome.failure.values:
            assert not any(word.strip("(),").isdecimal() for word in value.split()), (claim, value)


def test_only_scenarios_read_what_is_for_them(crew: Path) -> None:
    """The effects of the stage are no part of the game, but validated with it."""
    assert "sit" not in load(crew).graph["effects"]
    assert validate(crew).diagnostics == []
    (crew / "staging.rules").write_text(STAGING + "\neffect broken(): move all chairs to pile\n")
    assert [(found.code, Path(found.span.file).name) for found in validate(crew).diagnostics] == [("R301", "staging.rules")]
    (crew / "staging.rules").write_text("effect sitt(who: player, part: crew): take(who, part)\n")
    (found,) = validate(crew).diagnostics
    assert (found.message, found.hint) == ("there is no effect 'sit' of a player and a part", "did you mean 'sitt'?")
    assert found.span.file.endswith("ruleset.yaml")
    (crew / "staging.rules").unlink()
    assert {found.code for found in validate(crew).diagnostics} == {"R201"}


def test_the_command_loads_a_ruleset_once(crew: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files are named, and each file is played once; warnings are shown, and fail with --strict."""
    loads = []

    def counted(*given: Any, **named: Any) -> Built:
        loads.append(given)
        return build_sources(*given, **named)

    monkeypatch.setattr("rulewright.scenario.stage.build_sources", counted)
    (crew / "scenarios").mkdir()
    for name in ("a", "b", "c"):
        (crew / "scenarios" / f"{name}.yaml").write_text("name: x\ngiven: move the first ace in pile to slot\nthen: [1 = 1]\n")
    targets = [str(crew / "scenarios" / f"{name}.yaml") for name in "abca"]
    assert main(["test", *targets, str(crew)]) == 0
    assert "3 scenarios, all passed, 3 warnings" in capsys.readouterr().out
    assert len(loads) == 1
    assert main(["test", *targets, "--strict"]) == 1
    assert "warning[R510]" in capsys.readouterr().out
    assert main(["test", *targets, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["warnings"] == 3
    assert shown["scenarios"][0]["warnings"][0]["span"]["line"] == 2


def test_options_of_a_failure_are_numbered(crew: Path) -> None:
    """As they can be chosen."""
    (outcome,) = played(crew, "name: x\nthen: [1 = 2]\n")
    assert outcome.failure is not None
    assert outcome.failure.options[0].startswith("1. Flip")


def test_what_is_for_scenarios_is_not_mutated(crew: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no rule of the game; scenarios with seats are played on every mutant."""
    (crew / "scenarios").mkdir()
    text = "seat 1: captain\nscenarios:\n- name: x\n  given: deal(joker, player_1)\n  when: [choose: Rest]\n  then: [player_1.crew is captain, in order: [sleep, quiet]]\n"
    (crew / "scenarios" / "a.yaml").write_text(text)
    assert main(["test", str(crew), "--mutate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {Path(mutant["file"]).name for mutant in found["mutants"]} == {"crew.rules"}
    assert found["counts"]["killed"] > 0
    assert found["left_out"] == []
