"""The two engines are one: the same seed and choices give the same decisions, states, logs and errors, whatever is done to a game in between."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, RulesError, load
from rulewright.limits import Budget
from tests.beside import Beside
from tests.playing import ROOT, rules_of
from tests.random_rules import NEWER, random_rules
from tests.subjects import NESTED, OFFERS

MANIFESTS = [*(ROOT / "rulesets").glob("*/ruleset.yaml"), *(ROOT / "rulesets").glob("*/*/ruleset.yaml")]
RULESETS = sorted(path.parent for path in MANIFESTS if "shared_by:" not in path.read_text(encoding="utf-8"))  # what games share is no game by itself
RULESETS += sorted(path for path in (ROOT / "rulesets" / "house").glob("*/*.rules") if not (path.parent / "ruleset.yaml").exists())
RULESETS += sorted(path for path in (ROOT / "rulesets" / "examples").glob("*/*.rules") if not (path.parent / "ruleset.yaml").exists())


def same(one: Game, other: Game) -> None:
    """Two games are at the same moment, down to the frames, and have the same log."""
    assert one.decision == other.decision
    assert one.save() == other.save()


def play_both(rules: tuple[Rules, Rules], players: int, seed: int, most: int) -> tuple[Game, Game]:
    """The same random game on both engines, compared at every decision."""
    one, other, dice = rules[0].new_game(players, seed), rules[1].new_game(players, seed), random.Random(seed)
    same(one, other)
    for _ in range(most):
        if one.decision is None:
            break
        chosen = dice.randrange(len(one.decision.options))
        one.choose(chosen)
        other.choose(chosen)
        same(one, other)
    assert one.log(everything=True) == other.log(everything=True)
    assert one.result == other.result
    return one, other


def both(target: Path) -> tuple[Rules, Rules]:
    return load(target, engine="step"), load(target, engine="wasm")


def test_what_is_put_back_together_has_the_same_causes(tmp_path: Path) -> None:
    """Several things that were set until an event are put back at its end, the last first, each as deep as the others."""
    path = tmp_path / "nested.rules"
    path.write_text(NESTED, encoding="utf-8")
    game, _ = play_both(both(path), 1, 1, 1)
    assert [(entry["value"], entry["depth"]) for entry in game.entries() if "until" in entry["cause"]] == [(2, 4), (3, 4), (9, 4)]


def beside(name: Path, players: int, seed: int, chance: str | None = None, *, most: int, often: float, automatic: bool = False) -> int:
    """One game on both engines, one of them interrupted all the time."""
    return Beside(*both(name), players, seed, chance, automatic=automatic).play(most, often)


@pytest.mark.parametrize("seed", [0, NEWER, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (*range(1, 12), *range(NEWER + 1, NEWER + 12)))])
def test_random_rules_are_played_the_same(seed: int, tmp_path: Path) -> None:
    """Everything inside everything else, for two and three; choices that are none made by themselves, and chance as a player."""
    rules_of(tmp_path, random_rules(seed))
    path = tmp_path / "game.rules"
    beside(path, 2, seed, most=40, often=0.25)
    beside(path, 3, seed, most=30, often=0.25, automatic=True)
    beside(path, 2, seed, "ask", most=30, often=0.2)


LARGE = ["rulesets/base", "rulesets/carnomorphs", "rulesets/lockdown", "tests/passages/aliens"]


@pytest.mark.slow
@pytest.mark.parametrize("target", LARGE, ids=lambda name: name.rpartition("/")[2])
def test_games_of_the_repository_are_played_the_same(target: str) -> None:
    """From the beginning, for some decisions; with the seed, and with chance as a player."""
    low, high = load(ROOT / target).players
    assert beside(ROOT / target, low, 3, most=40, often=0.1) > 3
    assert beside(ROOT / target, min(high, 3), 4, "ask", most=25, often=0.1) > 3


@pytest.mark.parametrize("name", ["examples/tic_tac_toe", pytest.param("base", marks=pytest.mark.slow)])
def test_an_option_by_its_position_or_its_id_is_the_same(name: str) -> None:
    """The first goes straight into the module, the other is looked up; so is the option itself."""
    rules, dice = load(ROOT / "rulesets" / name, engine="wasm"), random.Random(4)
    for seed in range(3):
        games = [rules.new_game(2, seed) for _ in range(3)]
        for _ in range(80):
            if (ask := games[1].decision) is None:
                break
            position = dice.randrange(len(ask.options))
            games[0].choose(position)
            games[1].choose(ask.options[position].id)
            asked = games[2].decision
            assert asked is not None
            games[2].choose(asked.options[position])
        same(games[0], games[1])
        same(games[0], games[2])
        assert games[0].log(everything=True) == games[1].log(everything=True) == games[2].log(everything=True)


@pytest.mark.slow
def test_either_engine_goes_on_with_what_the_other_saved() -> None:
    """In the middle of a game, through JSON."""
    step, wasm = both(ROOT / "rulesets" / "base")
    one, other = play_both((step, wasm), 2, 3, 25)
    crossed, back = wasm.load_game(json.loads(json.dumps(one.save()))), step.load_game(json.loads(json.dumps(other.save())))
    dice = random.Random(1)
    for _ in range(25):
        assert crossed.decision is not None
        chosen = dice.randrange(len(crossed.decision.options))
        for game in (one, other, crossed, back):
            game.choose(chosen)
        same(crossed, back)
        same(one, crossed)


def test_going_back_is_the_same(tmp_path: Path) -> None:
    """Undo and redo on both engines, compared at every step."""
    path = tmp_path / "random_game.rules"
    path.write_text(random_rules(5), encoding="utf-8")
    one, other = play_both(both(path), 2, 4, 30)
    while one.undo(past_secrets=True):
        assert other.undo(past_secrets=True)
        same(one, other)
    while one.redo():
        assert other.redo()
        same(one, other)


# -- offers


def test_offers_are_the_same(tmp_path: Path) -> None:
    """Actions of kinds and of single components, some of them hidden; choices that depend on each other; costs that hooks change, and of several kinds."""
    path = tmp_path / "offers.rules"
    path.write_text(OFFERS, encoding="utf-8")
    rules, taken = both(path), set()
    for seed in range(8):
        one, _ = play_both(rules, 2 + seed % 2, seed, 200)
        taken |= {option.partition("@")[0] for _, option in one.choices}
    assert {"card.flip", "sharp.prick", "royal.decree", "pair", "guess", "gather", "breathe", "hide"} <= taken


# -- what goes wrong

BROKEN = """ruleset broken "Broken"
kind player:
    score: 0..3
phase play:
    for each player in players:
        player chooses one:
            "Go": {call}
    end game
effect endless(who: player):
    repeat:
        set who.score to 1
effect deep(who: player): deep(who)
effect high(who: player):
    log "up"
    set who.score to count of players + 9
effect none_left(who: player): set who.score to 3 / (who.score)
value loops(who: player) gives number: loops(who) + 1
effect asking(who: player): if loops(who) > 1: nothing
"""


# How each of them goes wrong.
ENDINGS = {
    "endless(player)": "more than 2,000 steps without a decision: something repeats for ever",
    "deep(player)": "effects inside effects more than 40 deep",
    "high(player)": "'score' of Player 1 is set to 10, but it goes from 0 to 3",
    "none_left(player)": "a division by zero",
    "asking(player)": "the value 'loops' asks itself without end",
}


@pytest.mark.parametrize("call", ENDINGS)
def test_an_error_is_the_same_and_points_into_the_rules(call: str, tmp_path: Path) -> None:
    """Its words, the effect it names and the line; and the game is as before."""
    path = tmp_path / "broken.rules"
    path.write_text(BROKEN.format(call=call), encoding="utf-8")
    told = []
    for rules in both(path):
        game = rules.new_game(1, 0, budget=Budget(steps=2_000, depth=40))
        before = game.save()
        with pytest.raises(RulesError, match=re.escape(ENDINGS[call])) as raised:
            game.choose(0)
        assert game.save() == before
        assert raised.value.span is not None
        told.append((str(raised.value), raised.value.unit, raised.value.span))
    assert told[0] == told[1]


def same_data(one: Any, other: Any) -> None:
    assert one == other


RUNAWAYS = """ruleset broken "Broken"
kind player:
    score: 0..3
kind card: rank: 1..9
place deck: a pile of card
card ace x30 in deck: rank 1
kind cell is place
grid board of cell: 12 by 12
phase play:
    for each player in players:
        turn(player)
    end game
effect turn(who: player):
    let n = 0
    ask who "First?": increase n by 1
    else: nothing
    for each other in players:
        ask who "Second?":
            {call}
        else: nothing
    offer actions to who:
        "Go":
            {call}
effect endless_repeat(who: player):
    repeat:
        set who.score to 1
effect endless_until(who: player):
    repeat until who.score > 5: set who.score to 1
effect endless_asked(who: player):
    ask who "x": nothing
    else: nothing
    repeat:
        if who.score > 5: who_waits(who)
effect who_waits(who: player):
    ask who "y": nothing
effect deep(who: player): deep(who)
effect deep_hooked(who: player, n: number): increase who.score by 0
after deep_hooked(who, n): deep_hooked(who, n + 1)
effect deep_asking(who: player):
    ask who "deeper?": deep_asking(who)
    else: nothing
effect high(who: player):
    log "up"
    set who.score to count of players + 9
effect none_left(who: player): set who.score to 3 / (who.score)
value loops(who: player) gives number: loops(who) + 1
effect asking(who: player): if loops(who) > 1: nothing
effect many(who: player):
    who chooses x: a cell in board
    if x is not none: nothing
effect many_several(who: player):
    who chooses x: up to 3 cells in board
    if not x is empty: nothing
effect many_numbers(who: player):
    who chooses x: a number from 0 to 500
    if x > 3: nothing
effect many_each(who: player):
    each player chooses x: a cell in board
    if x of who is not none: nothing
effect chatty(who: player):
    repeat 60 times: log "again"
effect mover(who: player):
    repeat 3 times:
        for each card in cards in deck: move card to board_1_1
        for each card in cards in board_1_1: move card to deck
effect mover_all(who: player):
    repeat 3 times:
        move all cards in deck to board_1_1
        move all cards in board_1_1 to deck
effect setter(who: player):
    repeat 30 times:
        set who.score to 1
        set who.score to 2
effect roller(who: player):
    repeat 60 times: shuffle deck
effect bad_text(who: player):
    let t = 1
    repeat 200 times:
        set t to t * 1000000
    log "{{t}}"
action long "Long":
    by player
    choose spot: a cell in board
    choose then: a cell in board where it is not spot
    do: {by_actor}
cost dues(who: player, amount: number):
    when amount < 10
    do: {call}
action owing "Owing":
    by player
    cost 2 dues
    do: nothing
"""
WAYS = ([0, 0], [1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 2])  # in a loop after a decision, in an action, as a payment, in an offer


WORDY = """
phase play:
    repeat:
        let who = the player where seat = 1
        who chooses way: one of well, badly
        repeat:
            log "one"
            log "two"
            if way is badly: log "three {way}"
            log "four"
            if way is well: leave
"""


def test_a_log_that_is_nearly_full_ends_at_the_same_entry(tmp_path: Path) -> None:
    """Entries are not counted one by one while there is plenty of room and little has happened; after that they are, to the last."""
    path = tmp_path / "wordy.rules"
    path.write_text(WORDY, encoding="utf-8")
    told = []
    for rules in both(path):
        game = rules.new_game(1, 0, budget=Budget(log=60_001))
        for _ in range(3):
            game.choose("well")
        before = game.save()
        with pytest.raises(RulesError, match="the log has more than 60,001 entries") as raised:
            game.choose("badly")
        same_data(game.save(), before)
        told.append((str(raised.value), raised.value.unit, (raised.value.span or ("nowhere", 0))[:2]))
        assert len(game.state.log) <= 60_001
    assert told[0] == told[1]


@pytest.mark.parametrize("call", re.findall(r"^effect ([a-z_]+)\(who: player.*\):", RUNAWAYS, re.MULTILINE)[1:])
def test_budgets_and_errors_after_decisions_are_the_same(call: str, tmp_path: Path) -> None:
    """What goes wrong in code that goes on after a decision: the same words and place, and the game is as before."""
    path, arguments = tmp_path / "runaways.rules", "(who, 1)" if call == "deep_hooked" else "(who)"
    path.write_text(RUNAWAYS.format(call=call + arguments, by_actor=(call + arguments).replace("(who", "(actor")), encoding="utf-8")
    failed, engines = 0, both(path)
    for way in WAYS:
        told = []
        for rules in engines:
            game = rules.new_game(2, 0, budget=Budget(steps=3_000, depth=40, log=40, options=50))
            error = None
            for option in (*way, *[0] * 50):
                if game.decision is None or error is not None:
                    break
                before = game.save()
                try:
                    game.choose(min(option, len(game.decision.options) - 1))
                except RulesError as raised:
                    error = (str(raised), raised.unit, *(raised.span or ("nowhere",)))
                    same_data(game.save(), before)
            told.append((error, game.choices))
        assert told[0] == told[1]
        assert told[0][0] is None or told[0][0][2] != "nowhere"
        failed += told[0][0] is not None
    assert failed > 1


@pytest.mark.parametrize("automatic", [False, True])
@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_what_was_undone_can_be_made_again_after_an_error(engine: str, automatic: bool, tmp_path: Path) -> None:
    """With the log it had."""
    path = tmp_path / "errors.rules"
    path.write_text(ERRORS, encoding="utf-8")
    game = load(path, engine=engine).new_game(2, 0, automatic=automatic)
    for option in (0, 1, 0, 1):
        game.choose(option)
    before = game.save()
    for times in (1, 2, 4):
        for _ in range(times):
            assert game.undo(past_secrets=True)
        with pytest.raises(RulesError):
            game.choose(2)
        for _ in range(times):
            assert game.redo()
        assert game.save() == before


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_an_error_after_going_back_leaves_earlier_moments_alone(engine: str, tmp_path: Path) -> None:
    """A game that was gone back, by an error or an undo, has the frames of an earlier moment: what goes wrong then must not alter them."""
    path = tmp_path / "errors.rules"
    path.write_text(ERRORS, encoding="utf-8")
    game, saves = load(path, engine=engine).new_game(2, 0), []
    for option in (0, 1, 0, 0, 1, 0):
        saves.append(game.save())
        for _ in range(2):
            with pytest.raises(RulesError):
                game.choose(2)
            assert game.save() == saves[-1]
        game.choose(option)
        assert game.undo(past_secrets=True)
        assert game.redo()
    while saves:
        assert game.undo(past_secrets=True)
        assert game.save() == saves.pop()
        with pytest.raises(RulesError):
            game.choose(2)


ERRORS = """ruleset errors "Errors"
kind player: score: 0..9
phase play:
    let turns = 0
    repeat 3 times:
        increase turns by 1
        for each player in players: count_up(player, turns)
        log "{turns}"
    end game
effect count_up(who: player, turns: number):
    let before = who.score
    who chooses one:
        "Up": increase who.score by turns
        "Down": nothing
        "Beyond":
            increase before by 1
            increase who.score by before
            wrong(who)
    log "{before} {turns}"
effect wrong(who: player):
    let times = 0
    for each player in players:
        increase times by 1
    set who.score to 9 + times
"""


def test_there_is_no_third_engine() -> None:
    """A name that is none is refused."""
    with pytest.raises(ValueError, match="there is no engine 'guess'"):
        load(ROOT / "rulesets" / "examples" / "tic_tac_toe", engine="guess")


@pytest.mark.parametrize("later", [2, *(pytest.param(later, marks=pytest.mark.slow) for later in (0, 1, 5))])
@pytest.mark.parametrize("undone", [0, 1])
def test_options_can_be_read_when_the_game_has_gone_on(later: int, undone: int) -> None:
    """They say what they said then, however many choices have been made or taken back since, also where another game lies in memory."""
    rules = load("base", engine="wasm")
    rng = random.Random(later)
    for depth in range(0, 40, 8):
        game = rules.new_game(3, depth)
        for _ in range(depth):
            game.choose(rng.randrange(len(game.decision.options)))  # type: ignore[union-attr]
        wanted = game.clone().decision
        asked = game.decision
        assert wanted is not None
        assert asked is not None
        told = [option.label for option in wanted.options]
        for _ in range(later):
            game.choose(0)
        for _ in range(min(undone, later)):
            game.undo(past_secrets=True)
        rules.new_game(3, 99)
        now = game.save()
        assert [option.label for option in asked.options] == told
        assert game.save() == now
