"""Rulesets that do much work in few steps: every construct pays for what it looks at, so that nothing takes long, and both engines say the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright import Rules, RulesError, RulesetError, load
from rulewright.limits import Budget
from rulewright_tools.pictures.layout import layout
from rulewright_tools.pictures.model import Arrow, Box, Picture

HOSTILE = sorted(Path(__file__).parent.glob("hostile/*.rules"))
SECONDS = 12  # of processor time, for anything: the machine may be a slow one
LOOKS, STEPS = "more than 2,000,000 things looked at", "more than 200,000 steps"
EVERYDAY = ("elif_nest", "nested", "until_tick")
FINE = ("elif_nest", "nested")  # those that are no more than long


def quickly(act: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """What something gives, or the error of the rules; it may not take long."""
    begun = time.process_time()
    try:
        return act(*given, **more)
    except RulesError as error:
        return f"{error} ({error.unit}, {error.span})"
    finally:
        assert time.process_time() - begun < SECONDS


def told_in(rules: Rules, budget: Budget | None = None) -> list[Any]:
    """The first question, what becomes of its first answer, and what can be asked then."""
    game = quickly(rules.new_game, players=1, seed=1, budget=budget)
    found = [game.decision, quickly(game.choose, 0) if game.decision is not None else None]
    return [*found, game.decision, quickly(game.view, 1), quickly(game.log), quickly(game.why_not, 1, "no_go")]


TENTH = Budget(steps=20_000, looks=200_000, log=50_000)  # so that all of them can be tried: what they do grows with it


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem, marks=[] if path.stem in EVERYDAY else pytest.mark.slow) for path in HOSTILE])
def test_whatever_is_asked_of_a_hostile_ruleset_ends_soon_and_both_engines_agree(path: Path) -> None:
    """Stepped, and in the module; with a tenth of the budget, in a part of the time."""
    rules = quickly(load, path, engine="step")
    told = told_in(rules, TENTH)
    rules.engine = "wasm"
    assert told == told_in(rules, TENTH)
    assert told[1] is None if path.stem in FINE else LOOKS.replace("2,000,000", "200,000") in told[1]


@pytest.mark.slow
@pytest.mark.parametrize("path", HOSTILE[::12], ids=lambda path: path.stem)
def test_some_of_them_end_soon_with_the_whole_budget(path: Path) -> None:
    """As people have it."""
    rules = quickly(load, path, engine="wasm")
    told = told_in(rules)
    assert told[1] is None if path.stem in FINE else LOOKS in told[1]


LONG = {
    "a value": "effect bad(): repeat 1000 times: set one.worth to long(1)\nvalue long(n: number) gives number:\n"
    + "".join(f"    let a{number} = n{' + n' * 60}\n" for number in range(100))
    + "    give a1\n",
    "a test": f"effect bad(): repeat 1000 times: if any coin where worth{' + worth' * 60} = 3: nothing\n",
    "an order": f"effect bad(): repeat 1000 times: for each coin in coins ordered by worth{' + worth' * 60}: leave\n",
    "a total": f"effect bad(): repeat 1000 times: set one.worth to total (worth{' + worth' * 60}) over coins\n",
    "an instruction": f"effect bad(): repeat 10000 times: set one.worth to 0{' * one.worth' * 40}\n",
}


@pytest.mark.parametrize("name", LONG)
def test_what_is_long_costs_more_than_what_it_looks_at(name: str, tmp_path: Path) -> None:
    """A hundred things, a thousand times, are not too many to be looked at: but to ask so much of each is."""
    text = COINS.format(effect="bad()", count=100) + LONG[name]
    for engine in ("step", "wasm"):
        game = load(text_of(tmp_path, text), engine=engine).new_game(players=1, budget=TENTH if name != "an instruction" else Budget(looks=50_000))
        assert "things looked at without a decision" in quickly(game.choose, 0), engine


def text_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "r.rules"
    path.write_text(text, encoding="utf-8")
    return path


COINS = """kind coin:
    worth: number
place bank: a pile of coin
place other: a pile of coin
coin gold x{count} in bank
coin one in other
phase play:
    let who = the first player
    who chooses one:
        "Go": {effect}
    end game
effect deep(n: number): if n > 1: deep(n - 1)
effect ping(n: number):
    if n > 0: pong(n - 1)
    log "{{n}}"
effect pong(n: number):
    if n > 0: ping(n - 1)
    log "{{n}}"
effect long(n: number): repeat n times: set one.worth to one.worth + 1
effect looking(n: number): repeat n times: if any coin where worth = 3 and it is not in bank: nothing
effect all_at_once(): move all coins in bank to other
"""


def outcome(path: Path, engine: str) -> Any:
    """What becomes of a choice: the error, or the log; and the state."""
    game = load(path, engine=engine).new_game(players=1, seed=1)
    said = quickly(game.choose, 0)
    return said, game.log(everything=True), game.save()["state"]


DEEP = """
value sum(n: number) gives number:
    if n > 0: give n + sum(n - 1)
    give 0
value even(n: number) gives number:
    if n > 0: give odd(n - 1)
    give 1
value odd(n: number) gives number:
    if n > 0: give even(n - 1)
    give 0
effect adding(n: number): set one.worth to sum(n)
effect parting(n: number): set one.worth to even(n)
effect offering(n: number):
    let who = the first player
    who chooses worth: a number from 1 to n
effect picking():
    let who = the first player
    who chooses which: a coin
"""


@pytest.mark.parametrize(
    ("effect", "count", "expected"),
    [
        ("deep(149)", 5, None),  # `play` is the first of a hundred and fifty
        ("ping(120)", 5, None),
        ("deep(150)", 5, "effects inside effects more than 150 deep"),
        ("ping(200)", 5, "effects inside effects more than 150 deep"),
        ("adding(149)", 5, None),
        ("adding(150)", 5, "the value 'sum' asks itself without end"),
        ("parting(149)", 5, None),
        ("parting(150)", 5, "the value 'even' asks itself without end"),
        ("offering(2000)", 5, None),
        ("offering(2001)", 5, "a choice among 2,001 numbers"),
        ("picking()", 1_999, None),
        ("picking()", 2_000, "a choice among 2,001 options"),
        pytest.param("long(30000)", 5, None, marks=pytest.mark.slow),
        ("long(70000)", 5, STEPS),
        pytest.param("looking(900)", 1_900, None, marks=pytest.mark.slow),
        pytest.param("looking(1200)", 1_900, LOOKS, marks=pytest.mark.slow),
        pytest.param("looking(90)", 19_000, None, marks=pytest.mark.slow),
        pytest.param("looking(120)", 19_000, LOOKS, marks=pytest.mark.slow),
        pytest.param("all_at_once()", 19_000, None, marks=pytest.mark.slow),
    ],
)
def test_budgets_end_at_the_same_place_in_both_engines(effect: str, count: int, expected: str | None, tmp_path: Path) -> None:
    """Stepped, and in the module."""
    path = text_of(tmp_path, COINS.format(effect=effect, count=count) + DEEP)
    stepped, inside = outcome(path, "step"), outcome(path, "wasm")
    for frame in (*stepped[2]["frames"], *inside[2]["frames"]):
        frame["names"] = {name: frame["names"][name] for name in frame["live"]}  # what nothing reads any more may be anything
    assert stepped == inside
    assert (expected in stepped[0]) if expected is not None else stepped[0] is None


def test_a_log_ends_at_the_same_place(tmp_path: Path) -> None:
    """However many choices it took to fill it; what was undone does not count."""
    text = 'phase play:\n    let who = the first player\n    repeat:\n        who chooses one:\n            "Go": log "one"\n'
    told = []
    for engine in ("step", "wasm"):
        game = load(text_of(tmp_path, text), engine=engine).new_game(players=1, budget=Budget(log=20))
        for _ in range(10):
            game.choose(0)
            game.undo()
            game.choose(0)
        told.append((len(game.log(everything=True)), quickly(game.choose, 0), quickly(game.clone().choose, 0)))
    assert told[0] == told[1]
    assert "the log has more than 20 entries" in told[0][1]


@pytest.mark.slow
def test_a_game_goes_on_where_the_reference_engine_had_the_last_word(tmp_path: Path) -> None:
    """A choice that takes long, but not too long, is carried out; the next ones, undo and clones are as ever."""
    text = COINS.format(effect="long(40000)", count=5).replace(
        "    end game\n", "    who chooses coin: a coin in bank\n    move coin to other\n    end game\n", 1
    )
    ends = []
    for engine in ("wasm", "step"):
        game = load(text_of(tmp_path, text), engine=engine).new_game(players=1, seed=1)
        game.choose(0)
        copy = game.clone()
        game.choose(1)
        assert [game.undo(), game.undo(), game.redo()] == [True] * 3
        assert game.save()["state"] == copy.save()["state"]
        copy.choose(2)
        ends.append((copy.log(everything=True), copy.view(1)))
    assert ends[0] == ends[1]


def begun_with(path: Path, engine: str) -> Any:
    """The log up to the first decision."""
    return load(path, engine=engine).new_game(players=1).log(everything=True)


@pytest.mark.slow
def test_a_setup_that_takes_long_is_the_same_in_both_engines(tmp_path: Path) -> None:
    """Also before the first decision."""
    text = COINS.format(effect="long(1)", count=5) + "phase setup: long({})\n"
    for times, fits in ((40_000, True), (70_000, False)):
        path = text_of(tmp_path, text.replace("long({})", f"long({times})"))
        told = [quickly(begun_with, path, engine) for engine in ("wasm", "step")]
        assert told[0] == told[1]
        assert (type(told[0]) is list) is fits


@pytest.mark.slow
def test_thousands_of_tracks_begin_soon(tmp_path: Path) -> None:
    text = "".join(f"track t{number}: quiet x3, loud\n" for number in range(5_000)) + "phase play:\n    end game\n"
    rules = load(text_of(tmp_path, text))
    assert rules.program
    begun = time.process_time()
    assert rules.new_game(players=1).result is not None
    assert time.process_time() - begun < 10


def test_chains_of_conditions_are_refused_or_played(tmp_path: Path) -> None:
    """Chains inside chains count together; what is allowed is played by both engines."""
    text = "kind coin:\n    worth: 0..9\ncoin gold\nphase play:\n"
    for level in range(1, 22):
        text += (
            "    " * level + "if gold.worth = 9: nothing\n" + ("    " * level + "else if gold.worth = 8: nothing\n") * 5 + "    " * level + "else:\n"
        )
    text += "    " * 22 + "end game\n"
    with pytest.raises(RulesetError, match="more than 100 'else if' one after another, or inside each other"):
        load(text_of(tmp_path, text))


def test_a_picture_that_is_too_large_is_drawn_in_part_and_says_so() -> None:
    """Arrows over many layers are left out first; a picture of ordinary size is whole."""
    boxes = tuple(Box(f"e{number}", "effect", f"e{number}") for number in range(4_000))
    far = tuple(Arrow(f"e{number}", f"e{number + step}") for number in range(3_970) for step in (1, 5, 9, 17, 29))
    begun = time.process_time()
    drawn = layout(Picture("Many", boxes, far))
    assert time.process_time() - begun < SECONDS
    assert drawn.picture.title.startswith("Many (too large to be drawn whole")
    assert 0 < len(drawn.routes) < len(far)
    few = Picture("Few", boxes[:40], far[:50])
    assert layout(few).picture is few
