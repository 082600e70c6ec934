"""What small rulesets say when they are played: names in steps and hooks, holding, paths that look alike, remainders."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import pytest

from rulewright import RulesError, RulesetError, load
from rulewright.build import build
from tests.playing import messages, rules_of

TABLE = """
kind pawn:
    wounds: 0..3
    home: room or none
kind room is place
room hall "Hall"
room attic "Attic"
pawn ann "Ann" in hall
pawn bob "Bob" in hall
pawn cat "Cat" in attic
"""

CASES = {
    "it is known in a step": ("phase play:\n    for each pawn in pawns:\n        step one: log \"{it}\"\n", ["Ann", "Bob", "Cat"]),
    "it is known in a hook that holds for a time": (
        """
effect hurt(who: pawn): increase who.wounds by 1
phase play:
    for each pawn in pawns in attic:
        until play:
            before hurt(who) when who = it: log "{who}"
    hurt(ann)
    hurt(cat)
""", ["Cat"]),
    "names that began as none": (
        """
phase play:
    set bob.wounds to 2
    let worst = none
    for each pawn in pawns:
        if worst is none: set worst to pawn
        else if worst.wounds < pawn.wounds: set worst to pawn
    log "{worst} {worst.wounds}"
""", ["Bob 2"]),
    "two fields that are both none are equal": (
        """
phase play:
    if ann.home = bob.home and not ann.home != bob.home: log "equal"
    set bob.home to hall
    if ann.home = bob.home or ann.home is hall: log "equal again"
    if ann.home is not hall: log "not hall"
""", ["equal", "not hall"]),
    "what is cancelled or cannot happen is not over; what is replaced is": (
        """
effect rain(): when attic holds bob
effect snow(): nothing
effect wind(): nothing
before snow(): cancel
instead of wind(): nothing
phase play:
    set ann.wounds to 1 until rain
    set bob.wounds to 1 until snow
    set cat.wounds to 1 until wind
    rain()
    snow()
    wind()
    log "{ann.wounds} {bob.wounds} {cat.wounds}"
    move bob to attic
    rain()
    log "{ann.wounds}"
""", ["1 1 0", "0"]),
    "holding": (
        """
effect test(name: text, answer: flag): log "{name} {answer}"
phase play:
    set ann.home to hall
    let some = ann
    test("all", hall holds all pawns)
    test("every", hall holds every pawn)
    test("all of them there", hall holds all pawns where it is not cat)
    test("first", attic holds the first pawn ordered by wounds)
    test("last", attic holds the last pawn)
    test("two", hall holds 2 pawns)
    test("three", hall holds 3 pawns)
    test("none", attic holds no pawn)
    test("some", hall holds some)
    test("any", hall holds a pawn where wounds = 0)
    test("home", attic holds some.home)
""",
        ["all no", "every no", "all of them there yes", "first no", "last yes", "two yes", "three no", "none no", "some yes",
         "any yes", "home no"]),
    "a member and a step may end alike": (
        """
kind spell:
    effect cast()
spell hex:
    cast: log "spell"
phase hex:
    step cast: log "step"
phase play:
    hex.cast()
    hex()
""", ["spell", "step"]),
    "hooks of a kind that is called like the ruleset": (
        """
kind game:
    before play: log "a"
game one
before play: log "b"
phase play: nothing
""", ["a", "b"]),
    "steps of hooks on one event": (
        """
before play:
    step one: log "a"
before play:
    step one: log "b"
phase play: nothing
""", ["a", "b"]),
    "a kind's own block": (
        """
kind beast:
    value power(n: number) gives number
kind dragon is beast:
    value power(n: number):
        if n > 1: give 2
        give 1
dragon smaug
phase play: log "{smaug.power(1)} {smaug.power(2)}"
""", ["1 2"]),
    "remainders are never negative": ('phase play: log "{7 mod -3} {-7 mod 3} {7 mod 3}"\n', ["1 2 1"]),
    "curly brackets in a text": ('phase play: log "\\{{ann}\\} \\\\"\n', ["{Ann} \\"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_ruleset_says_what_its_words_mean(name: str, tmp_path: Path) -> None:
    """A ruleset says what its words mean."""
    rules, said = CASES[name]
    game = rules_of(tmp_path, TABLE + rules).new_game(1, seed=1)
    assert messages(game) == said


def test_what_somebody_chose_can_be_counted(tmp_path: Path) -> None:
    """Several things that each player chose are several things, narrowed like others."""
    rules = """
phase play:
    each player chooses taken: exactly 2 pawns
    for each player in players: log "{count of taken of player} {count of taken of player where place is attic}"
"""
    game = rules_of(tmp_path, TABLE + rules).new_game(1)
    for option in ("bob", "cat"):
        game.choose(option)
    assert messages(game) == ["2 1"]


def test_a_hand_keeps_its_own_visibility(tmp_path: Path) -> None:
    """What is hidden is so in open places; in a hand its owner sees it, and nobody else."""
    rules = """
kind card: hidden while true
place hand of player: a row of card, seen by owner
card ace in hall
card king in hall
phase play:
    for each player in players where seat = 1: move king to player.hand
    for each player in players:
        player chooses one:
            "On": nothing
"""
    game = rules_of(tmp_path, TABLE + rules).new_game(2)
    names = {player: {each.get("name") for each in game.view(player)["places"]["player.1.hand"]["members"]} for player in (1, 2, None)}
    assert names == {1: {"king"}, 2: {None}, None: {None}}
    assert all({"hidden": True} in game.view(player)["places"]["hall"]["members"] for player in (1, 2, None))


def test_branches_that_do_nothing_cost_nothing(tmp_path: Path) -> None:
    """Thirty branches that go on are read as fast as one."""
    path = tmp_path / "game.rules"
    path.write_text(
        "kind pawn:\n    wounds: 0..3\npawn ann\nvalue calm(who: pawn):\n"
        + "    if who.wounds = 1: nothing\n" * 30
        + '    give 1\nphase play: log "{calm(ann)}"\n'
    )
    started = time.process_time()
    assert build(path).diagnostics == []
    assert time.process_time() - started < 10


def test_errors_can_be_told_to_another_process(tmp_path: Path) -> None:
    """They say the same there."""
    path = tmp_path / "wrong.rules"
    path.write_text("kind card:\n    rank: nonsense\n", encoding="utf-8")
    with pytest.raises(RulesetError) as wrong:
        load(path)
    game = RulesError("it runs away (in 'x')", "x", ["x.rules", 1, 1, 1, 2])
    for error in (wrong.value, game):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), vars(again)) == (str(error), vars(error))
