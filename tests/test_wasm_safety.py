"""Games in the module beside each other: in threads, by the thousand, interrupted by signals, saved by one engine and gone on with by the other."""

from __future__ import annotations

import gc
import json
import random
import resource
import signal
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

from rulewright import Rules, load
from rulewright.wasm.engine import Running
from rulewright.wasm.instance import Instance
from tests.playing import rules_of
from tests.random_rules import random_rules
from tests.test_wasm import ALIKE, on, plain


def played(rules: Rules, seed: int) -> tuple[Any, ...]:
    """What comes of a random game, with a clone and going back on the way."""
    game: Any = rules.new_game(2, seed=seed)
    dice = random.Random(seed)
    while (ask := game.decision) is not None:
        if dice.random() < 0.2:
            game = game.clone()
        if dice.random() < 0.2 and game.undo(past_secrets=True):
            assert game.redo()
        game.choose(dice.randrange(len(ask.options)))
    return game.result, game.choices, game.log(everything=True), game.view(1)


def test_games_in_several_threads_are_as_if_each_were_alone() -> None:
    """Of one ruleset that all share, and of one that each has for itself."""
    shared, seeds = load("connect_four", engine="wasm"), range(4)
    alone = [[played(load("connect_four", engine="wasm"), seed * 10 + number) for number in range(2)] for seed in seeds]
    found: dict[tuple[int, bool], Any] = {}

    def play(seed: int) -> None:
        own = load("connect_four", engine="wasm")
        for rules in (shared, own):
            found[seed, rules is own] = [played(rules, seed * 10 + number) for number in range(2)]

    threads = [threading.Thread(target=play, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {(seed, own): alone[seed] for seed in seeds for own in (False, True)}


def test_thousands_of_games_do_not_grow() -> None:
    """Made, cloned, played a little and dropped: neither the process nor the memory of the module gets larger."""
    rules = load("tic_tac_toe", engine="wasm")

    def some(number: int) -> int:
        for seed in range(number):
            game: Any = rules.new_game(2, seed=seed)
            game.choose(seed % 9)
            for copy in (game.clone(), game.clone()):
                copy.choose(0)
                copy.choose(copy.decision.options[-1])
            game.undo()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    size, before = len(rules.instance(2).memory), some(300)
    assert some(3_000) - before < 4_000  # kilobytes
    assert len(rules.instance(2).memory) == size


def test_a_module_goes_with_its_last_game(tmp_path: Path) -> None:
    """At once, not when Python looks for what refers to itself: a module takes megabytes."""
    rules = rules_of(tmp_path, ALIKE, engine="wasm")
    module = Instance(rules.linked(2))
    game: Any = Running.fresh(module, 1)
    game.run()
    there, decision = weakref.ref(module), game.decision()
    gc.collect()
    gc.disable()
    try:
        del module, game
        assert len(decision.options) == len(tuple(decision.options)) > 1
        del decision
        assert there() is None
    finally:
        gc.enable()


class Alarm(Exception):
    """A signal has come."""


def ring(*_: object) -> None:
    raise Alarm


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_a_signal_leaves_a_game_as_it_was(engine: str, tmp_path: Path) -> None:
    """At any moment of a choice: it has been made, or nothing has happened; and the game goes on."""
    rules = rules_of(tmp_path, random_rules(3), engine="step")
    game: Any = on(rules, engine).new_game(2, seed=1)
    dice, rung, before, took = random.Random(7), 0, signal.signal(signal.SIGALRM, ring), 0.002
    try:
        for tried in range(400):
            if tried >= 40 and rung > 5:
                break
            index = dice.randrange(len(game.decision.options))
            made, begin = len(game.choices), time.perf_counter()
            try:
                signal.setitimer(signal.ITIMER_REAL, max(0.000005, dice.uniform(0, 1.2) * took))  # as long as a choice takes here
                game.choose(index)
                took = time.perf_counter() - begin
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Alarm:
                rung += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert len(game.choices) in (made, made + 1)
            beside: Any = on(rules, "step").new_game(2, seed=1)
            for _, choice in game.choices:
                beside.choose(choice)
            assert plain(beside) == plain(game)
            assert beside.log(everything=True) == game.log(everything=True)
            if game.decision is None or len(game.choices) > 20:
                game = on(rules, engine).new_game(2, seed=1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert rung > 5


def test_a_signal_ends_games_inside_the_module() -> None:
    """Soon, however many there are; and other games go on as if nothing had been."""
    rules = load("tic_tac_toe", engine="wasm")
    game: Any = rules.new_game(2, seed=1)
    game.choose(4)
    instance, seen = rules.instance(2), plain(game)
    few, many = instance.play_random(50, 1, log=True), instance.play_random(2_000, 1)
    before, begin = signal.signal(signal.SIGALRM, ring), time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Alarm):
            instance.play_random(20_000_000, 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < 3  # of some ten seconds
    assert plain(game) == seen
    game.choose(0)
    assert len(game.choices) == 2
    assert len(game.log(everything=True)) > 2
    assert (instance.play_random(50, 1, log=True), instance.play_random(2_000, 1)) == (few, many)
    assert many.choices > 10_000  # more than are made in one go


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (5, 11, 17))])
def test_saves_and_imagined_games_cross_between_engines(seed: int, tmp_path: Path) -> None:
    """At every decision: what one has saved the other goes on with, and both imagine the same."""
    rules = rules_of(tmp_path, random_rules(seed), engine="step")
    stepped, inside = on(rules, "step"), on(rules, "wasm")
    one: Any = stepped.new_game(2, seed=seed)
    other: Any = inside.new_game(2, seed=seed)
    dice = random.Random(seed)
    for _ in range(25):
        if one.decision is None:
            break
        number, player = dice.randrange(1000), dice.choice([None, 1, 2])
        imagined = [game.imagine(player, number) for game in (one, other)]
        assert imagined[0].decision == imagined[1].decision
        assert imagined[0].view(player) == imagined[1].view(player) == other.view(player)
        one, other = stepped.load_game(json.loads(json.dumps(other.save()))), inside.load_game(json.loads(json.dumps(one.save())))
        assert plain(one) == plain(other)
        assert one.decision == other.decision
        index = dice.randrange(len(one.decision.options))
        one.choose(index)
        other.choose(index)
    assert one.log(everything=True) == other.log(everything=True)
