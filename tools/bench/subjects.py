"""What is measured: things that are done again and again for a while, each giving how often it was done.

A subject is a name and a function that works for about so many seconds and gives counts. All subjects of a run take turns, round after round, in one
process, so that whatever else the machine does is shared by all of them; what is shown is the median of the rounds.
"""

from __future__ import annotations

import os
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from interpreter.rules import Rules
from interpreter.run.game import Game
from tools.bench import by_hand

SLICE = 0.25
MIDDLE = 60  # decisions after which a game counts as running


class Subject(NamedTuple):
    """Something to measure: to what ruleset and engine it belongs, what is counted, and the function that does it for a while."""

    ruleset: str
    engine: str
    counted: tuple[str, ...]
    work: Callable[[float], tuple[float, ...]]


def rates(subjects: Sequence[Subject], rounds: int) -> list[dict[str, Any]]:
    """How often a second each subject does what it does: the median over rounds in which they take turns."""
    found: list[list[tuple[float, ...]]] = [[] for _ in subjects]
    for _ in range(rounds):
        for number, subject in enumerate(subjects):
            begin = time.perf_counter()
            counts = subject.work(SLICE)
            spent = time.perf_counter() - begin
            found[number].append(tuple(count / spent for count in counts))
    return [
        {"ruleset": subject.ruleset, "engine": subject.engine}
        | {name: median(each[position] for each in found[number]) for position, name in enumerate(subject.counted)}
        for number, subject in enumerate(subjects)
    ]


# -- playing


def random_game(rules: Rules, players: int, seed: int, chance: Callable[[], float], limit: int = 10**9) -> tuple[Game, int]:
    """Play at random through the public face of a game; gives the game and the number of decisions."""
    game, made = rules.new_game(players, seed), 0
    while made < limit and (ask := game.decision) is not None:
        game.choose(int(chance() * len(ask.options)))
        made += 1
    return game, made


def playouts(name: str, rules: Rules, players: int, engine: str) -> Subject:
    """Whole games at random."""
    chance, seeds = random.Random(1).random, iter(range(10**9))

    def work(seconds: float) -> tuple[float, ...]:
        games = decisions = 0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            decisions += random_game(rules, players, next(seeds), chance)[1]
            games += 1
        return games, decisions

    return Subject(name, engine, ("playouts", "decisions"), work)


def handwritten(name: str) -> Subject:
    """The same game in plain Python."""
    chance, made = random.Random(1).random, by_hand.GAMES[name]

    def work(seconds: float) -> tuple[float, ...]:
        games = moves = 0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            moves += by_hand.playout(made(), chance)
            games += 1
        return games, moves

    return Subject(name, "by hand", ("playouts", "decisions"), work)


# -- single operations on a running game


def middle_of(rules: Rules, players: int) -> Game:
    """A game that has been going on for a while and is not over."""
    for limit in (MIDDLE, MIDDLE // 4, MIDDLE // 20):
        for seed in range(20):
            game, _ = random_game(rules, players, seed, random.Random(seed).random, limit)
            if game.decision is not None:
                return game
    return rules.new_game(players, 0)


def operations(name: str, rules: Rules, players: int, engine: str) -> list[Subject]:
    """Clone, undo (with the choice that is undone timed on its own), view, save and load."""
    game = middle_of(rules, players)
    saved = game.save()
    first = 0

    def again(act: Callable[[], Any]) -> Callable[[float], tuple[float, ...]]:
        def work(seconds: float) -> tuple[float, ...]:
            times = 0
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                act()
                times += 1
            return (times,)

        return work

    def undo(seconds: float) -> tuple[float, ...]:
        """As many undos as would fit, had the choices between them taken no time."""
        times, spent = 0, 0.0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            game.choose(first)
            begin = time.perf_counter()
            undone = game.undo(past_secrets=not times % 2)
            spent += time.perf_counter() - begin
            times += 1
            if not undone:
                game.undo(past_secrets=True)
        return (times / spent * seconds,)

    return [
        Subject(name, engine, ("clone",), again(game.clone)),
        Subject(name, engine, ("undo",), undo),
        Subject(name, engine, ("view",), again(lambda: game.view(1))),
        Subject(name, engine, ("save",), again(game.save)),
        Subject(name, engine, ("load",), again(lambda: rules.load_game(saved))),
    ]


def compiling(rules: Rules) -> dict[str, float | int]:
    """Seconds to make the code of rules, with nothing in the cache and then from it, and to join it with a world; and how much code there is."""
    if rules.engine != "compile":
        return {}
    from interpreter.compile import Code, link
    from interpreter.run.world import World

    with TemporaryDirectory() as folder, variable_set("RULEWRIGHT_CACHE", folder):
        begin = time.perf_counter()
        code = Code.of(rules.graph)
        cold = time.perf_counter()
        Code.of(rules.graph)
        cached = time.perf_counter()
    world = World(rules.graph, rules.players[0])
    joining = time.perf_counter()
    link(world, code)
    done = time.perf_counter()
    return {"compile_cold": cold - begin, "compile_cached": cached - cold, "join": done - joining, "lines": code.generated.source.count("\n")}


@contextmanager
def variable_set(name: str, value: str) -> Iterator[None]:
    """A variable of the environment, for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def memory(rules: Rules, players: int) -> int:
    """The bytes that a running game takes, beside what all games of its rules share."""
    middle_of(rules, players)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        game = middle_of(rules, players)
        taken = tracemalloc.get_traced_memory()[0] - before
        del game
    finally:
        tracemalloc.stop()
    return taken
