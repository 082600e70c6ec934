"""The two engines are one: the same seed and choices give the same decisions, states and logs; and the fast one is as safe as the other."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, RulesError, load
from rulewright.compile.source.chains import Chains
from rulewright.limits import Budget
from tests.interruptions import Interrupted, same
from tests.playing import ROOT
from tests.random_rules import random_rules

MANIFESTS = [*(ROOT / "rulesets").glob("*/ruleset.yaml"), *(ROOT / "rulesets").glob("*/*/ruleset.yaml")]
RULESETS = sorted(path.parent for path in MANIFESTS if "shared_by:" not in path.read_text(encoding="utf-8"))  # what games share is no game by itself
RULESETS += sorted(path for path in (ROOT / "rulesets" / "house").glob("*/*.rules") if not (path.parent / "ruleset.yaml").exists())
RULESETS += sorted(path for path in (ROOT / "rulesets" / "examples").glob("*/*.rules") if not (path.parent / "ruleset.yaml").exists())


def play_both(walking: Rules, compiled: Rules, players: int, seed: int, most: int) -> tuple[Game, Game]:
    """The same random game on both engines, compared at every decision."""
    one, other, dice = walking.new_game(players, seed), compiled.new_game(players, seed), random.Random(seed)
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
    return load(target, engine="walk"), load(target, engine="compile")


NESTED = """
kind pawn:
    hp: 0..9 = 9
pawn ann "Ann"
effect strike(left: number):
    set ann.hp to left until strike
    if left > 1: strike(left - 1)
phase play: strike(3)
"""


def test_what_is_put_back_together_has_the_same_causes(tmp_path: Path) -> None:
    """Several things that were set until an event are put back at its end, the last first, each as deep as the others."""
    path = tmp_path / "nested.rules"
    path.write_text(NESTED, encoding="utf-8")
    game, _ = play_both(*both(path), 1, 1, 1)
    assert [(entry["value"], entry["depth"]) for entry in game.state.entries() if "until" in entry["cause"]] == [(2, 4), (3, 4), (9, 4)]


@pytest.mark.slow
def test_a_whole_game_has_the_same_log() -> None:
    """One game of a large ruleset to its end: the logs alone, so that it does not take long."""
    one, other = (load("carnomorphs", engine=engine).new_game(2, 11) for engine in ("walk", "compile"))
    dice = random.Random(11)
    while one.decision is not None:
        chosen = dice.randrange(len(one.decision.options))
        one.choose(chosen)
        other.choose(chosen)
    assert one.log(everything=True) == other.log(everything=True)
    assert one.result == other.result
    same(one, other)


@pytest.mark.slow
@pytest.mark.parametrize(
    "target", [path for path in RULESETS if path.stem in ("base", "carnomorphs", "lockdown", "aliens")], ids=lambda path: path.stem
)
def test_whole_games_of_the_repository_are_the_same(target: Path) -> None:
    """To the end, for as few as can play and another number."""
    walking, compiled = both(target)
    for players in {walking.players[0], RULESETS.index(target) % walking.players[1] + 1} & {*range(walking.players[0], walking.players[1] + 1)}:
        play_both(walking, compiled, players, 7 + players, 3_000)


@pytest.mark.parametrize("seed", [*range(700, 704), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(704, 712))])
def test_effects_are_written_into_each_other_wherever_they_are_called(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a rule only those are that are called in one place: here all that can be."""
    made = Chains.__init__

    def everywhere(chains: Chains, graph: dict[str, Any]) -> None:
        made(chains, graph)
        chains.calls = Counter(dict.fromkeys(chains.calls, 1))

    monkeypatch.setattr(Chains, "__init__", everywhere)
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    path = tmp_path / "random_game.rules"
    path.write_text(random_rules(seed), encoding="utf-8")
    Interrupted(*both(path), 2, seed).play(80, 0.15)


@pytest.mark.parametrize("seed", range(6))
def test_random_rules_are_played_the_same(seed: int, tmp_path: Path) -> None:
    """Everything inside everything else."""
    path = tmp_path / "random_game.rules"
    path.write_text(random_rules(seed), encoding="utf-8")
    walking, compiled = both(path)
    Interrupted(walking, compiled, 2, seed).play(60, 0)
    Interrupted(walking, compiled, 3, seed, automatic=seed % 4 == 1).play(60, 0.25)
    Interrupted(walking, compiled, 2, seed, "ask" if seed % 2 else None).play(40, 0.25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6, 30))
def test_many_random_rules_are_played_the_same(seed: int, tmp_path: Path) -> None:
    """More of them."""
    test_random_rules_are_played_the_same(seed, tmp_path)


@pytest.mark.parametrize("name", ["examples/tic_tac_toe", pytest.param("base", marks=pytest.mark.slow)])
def test_the_straight_way_leads_where_the_plain_one_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An option by its position, which mostly goes straight, and by its id, which never does."""
    plain: list[Game] = []
    choose = Game._choose

    def noted(game: Game, option: Any) -> None:
        plain.append(game)
        choose(game, option)

    monkeypatch.setattr(Game, "_choose", noted)
    rules, dice = load(ROOT / "rulesets" / name), random.Random(4)
    for seed in range(3):
        one, other = rules.new_game(2, seed), rules.new_game(2, seed)
        for _ in range(80):
            if (ask := one.decision) is None:
                break
            position = dice.randrange(len(ask.options))
            one.choose(position)
            other.choose(ask.options[position].id)
            same(one, other)
        assert plain.count(one) < plain.count(other) / 5
        assert one.log(everything=True) == other.log(everything=True)


@pytest.mark.slow
def test_either_engine_goes_on_with_what_the_other_saved() -> None:
    """In the middle of a game, through JSON."""
    walking, compiled = both(ROOT / "rulesets" / "base")
    one, other = play_both(walking, compiled, 2, 3, 25)
    crossed, back = compiled.load_game(json.loads(json.dumps(one.save()))), walking.load_game(json.loads(json.dumps(other.save())))
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
    one, other = play_both(*both(path), 2, 4, 30)
    while one.undo(past_secrets=True):
        assert other.undo(past_secrets=True)
        same(one, other)
    while one.redo():
        assert other.redo()
        same(one, other)


# -- offers

OFFERS = """ruleset offers "Offers"
kind player:
    place hand: a row of card, seen by owner
    place stack: a row of card, seen by nobody
    place purse: an area of coin
kind coin:
    starts in bank
kind card:
    rank: 1..4
    starts in deck
    actions for a player where self is in player.hand or self is in player.stack
    action flip "Flip" as deeds:
        when rank < 4 because "too high"
        cost (rank) coins
        do: move self to discard
kind curse:
    bearer: player or none
    while bearer is not none:
        cost of deeds is 1 coins more when actor = bearer
place bank: an area of coin
place deck: a pile of card, seen by nobody
place discard: a pile of card
coin penny "Penny" x40
curse heaviness "Heaviness"
card plain "Plain" x9:
    rank 1
card sharp "Sharp" x4:
    rank 3
    action prick "Prick" as deeds:
        cost 1 coin, 1 card
        do: move self to discard
card royal "Royal":
    rank 4
    action decree "Decree" as deeds:
        cost 1 glance(self), 2 coins
        do: set heaviness.bearer to the first player where player is not actor
cost coins(who: player, amount: number):
    when count of coins in who.purse >= amount because "too few coins"
    do: move exactly (amount) coins from who.purse to bank
cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount
    do:
        who chooses paid: exactly (amount) cards in who.hand
        move paid to discard
cost glances(who: player, amount: number, seen: card):
    do: log "{who} looks at {seen}."
action pair "Pair" as deeds:
    choose one_card: a card in actor.hand
    choose other: a card in actor.hand where other is not one_card
    when one_card.rank <= other.rank because "too high"
    cost (one_card.rank) coins
    once per turn
    do: move one_card to discard
action guess "Guess" as deeds:
    choose n: a number from 1 to count of coins in actor.purse
    when n mod 2 = 1 because "even"
    cost (n) coins
    do: log "{actor} says {n}."
action gather "Gather" as deeds:
    when actor.purse is not empty
    choose several: exactly 2 cards in actor.hand
    when not any card in several where rank > 2
    may choose friend: a player where friend is not actor
    when friend is none or friend.purse is not empty
    do:
        move several to discard
        if friend is not none: set heaviness.bearer to friend
action breathe "Breathe" as deeds:
    when actor.purse is not empty
    may choose friend: a player where friend is not actor
    cost 1 coin
    do: bless(actor)
effect bless(who: player):
    until turn:
        cost of pair is 1 coins less when actor = who
effect turn(who: player):
    repeat 2 times:
        offer actions as deeds to who:
            "Draw" when deck is not empty: draw 1 card from deck to who.hand
            "Hide" cost 1 coin: draw 1 card from deck to who.stack
            "Rest with {count of coins in who.purse}": move up to 3 coins from bank to who.purse
phase setup:
    shuffle deck
    for each player in players: move exactly 8 coins from bank to player.purse
    for each player in players: draw 2 cards from deck to player.hand
phase play:
    repeat 12 times:
        for each player in players ordered by seat: turn(player)
    end game
"""


def test_offers_are_the_same(tmp_path: Path) -> None:
    """Actions of kinds and of single components, some of them hidden; choices that depend on each other; costs that hooks change, and of several kinds."""
    path = tmp_path / "offers.rules"
    path.write_text(OFFERS, encoding="utf-8")
    walking, compiled = both(path)
    taken = set()
    for seed in range(8):
        one, _ = play_both(walking, compiled, 2 + seed % 2, seed, 200)
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
        line = raised.value.span[1] if call != "endless(player)" else 10  # a step of one engine is not a step of the other: it may be the next line
        told.append((str(raised.value), raised.value.unit, raised.value.span[0], line))
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
                    file, line = (raised.span or ("nowhere", 0))[:2]
                    error = (str(raised), raised.unit, file, line if "repeats for ever" not in str(raised) else None)
                    same_data(game.save(), before)
            told.append((error, game.choices))
        assert told[0] == told[1]
        assert told[0][0] is None or told[0][0][2] != "nowhere"
        failed += told[0][0] is not None
    assert failed > 1


@pytest.mark.parametrize("automatic", [False, True])
@pytest.mark.parametrize("engine", ["walk", "compile"])
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


@pytest.mark.parametrize("engine", ["walk", "compile"])
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
