"""What is measured: things that are done again and again for a while, each giving how often it was done.

A subject is a name and a function that works for about so many seconds and gives counts. All subjects of a run take turns, round after round, in one
process, so that whatever else the machine does is shared by all of them; what is shown is the median of the rounds. Time is what the processor spends on this
process: who else uses it matters little.
"""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import monotonic
from time import process_time as now
from typing import Any, NamedTuple

from rulewright import Game, Rules, RulesError
from rulewright_tools.bench import by_hand
from rulewright_tools.loading import show_failure

SLICE = 0.25
MIDDLE = 60  # decisions after which a game counts as running
LONGEST = 5_000  # decisions after which a game is given up


class Subject(NamedTuple):
    """Something to measure: to what ruleset and engine it belongs, what is counted, and the function that does it for a while."""

    ruleset: str
    engine: str
    counted: tuple[str, ...]
    work: Callable[[float], tuple[float, ...]]


def rates(subjects: Sequence[Subject], rounds: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """How often a second each subject does what it does: the median over rounds in which they take turns."""
    found: list[list[tuple[float, ...]]] = [[] for _ in subjects]
    for round_ in range(rounds):
        for number, subject in enumerate(subjects):
            tell(f"round {round_ + 1} of {rounds}: {subject.ruleset}, {subject.engine}, {subject.counted[0]}")
            begin = now()
            counts = subject.work(SLICE)
            spent = now() - begin
            found[number].append(tuple(count / spent for count in counts))
    return [
        {"ruleset": subject.ruleset, "engine": subject.engine}
        | {name: median(each[position] for each in found[number]) for position, name in enumerate(subject.counted)}
        for number, subject in enumerate(subjects)
    ]


# -- playing


def random_game(rules: Rules, players: int, seed: int, chance: Callable[[], float], limit: int | None = None) -> tuple[Game, int]:
    """Play at random through the public face of a game, by positions of options; gives the game and the number of decisions."""
    made, most = 0, LONGEST if limit is None else limit
    game = rules.new_game(players, seed)
    while made < most and (ask := game.decision) is not None:
        game.choose(int(chance() * len(ask.options)))
        made += 1
    return game, made


def with_options(rules: Rules, players: int, seed: int, chance: Callable[[], float]) -> tuple[Game, int]:
    """The same by a program that reads what every option says, and hands one of them back."""
    made = 0
    game = rules.new_game(players, seed)
    while made < LONGEST and (ask := game.decision) is not None:
        options = [option for option in ask.options if option.id and option.label]
        game.choose(options[int(chance() * len(options))])
        made += 1
    return game, made


@contextmanager
def failures_shown(rules: Rules) -> Iterator[None]:
    """Rules that cannot be played cannot be measured either: it is said where they fail, and the command ends."""
    try:
        yield
    except RulesError as error:
        show_failure(rules, error)


PLAYED = ("playouts", "decisions")
Play = Callable[[Rules, int, int, Callable[[], float]], tuple[Game, int]]  # by players and a seed; the game, and how many decisions were made


def playouts(name: str, rules: Rules, players: int) -> list[Subject]:
    """Whole games at random: every decision made from outside by its position, or with options; and, where the engine can do that, made inside it."""
    engine = rules.engine
    found = [
        Subject(name, f"{engine}, by index", PLAYED, _games(random_game, rules, players)),
        Subject(name, f"{engine}, options", PLAYED, _games(with_options, rules, players)),
    ]
    if engine == "wasm" and _ends(rules, players):
        found += [Subject(name, f"inside{', log' * log}", PLAYED, _inside(rules, players, log=log)) for log in (False, True)]
    return found


def _games(play: Play, rules: Rules, players: int) -> Callable[[float], tuple[float, ...]]:
    """Games one after another, for a while."""
    chance, seeds = random.Random(1).random, iter(range(10**9))

    def work(seconds: float) -> tuple[float, ...]:
        games = decisions = 0
        until = now() + seconds
        with failures_shown(rules):
            while now() < until:
                game, made = play(rules, players, next(seeds), chance)
                games += game.decision is None
                decisions += made
        return games, decisions

    return work


def _ends(rules: Rules, players: int) -> bool:
    """Whether a game comes to its end, so that one can wait for that; and asks something."""
    with failures_shown(rules):
        game, made = random_game(rules, players, 0, random.Random(0).random)
    return game.decision is None and made > 0


def _inside(rules: Rules, players: int, *, log: bool) -> Callable[[float], tuple[float, ...]]:
    """Games that are played inside the module, more and more of them at a time."""
    instance, batch = rules.instance(players), [1]

    def work(seconds: float) -> tuple[float, ...]:
        games = decisions = 0
        until = now() + seconds
        while (left := until - (begin := now())) > 0:
            with failures_shown(rules):
                played = instance.play_random(batch[0], games, log=log)
            games += played.games
            decisions += played.choices
            if now() - begin < left / 4:
                batch[0] *= 2
        return games, decisions

    return work


def handwritten(name: str) -> Subject:
    """The same game in plain Python."""
    chance, made = random.Random(1).random, by_hand.GAMES[name]

    def work(seconds: float) -> tuple[float, ...]:
        games = moves = 0
        until = now() + seconds
        while now() < until:
            moves += by_hand.playout(made(), chance)
            games += 1
        return games, moves

    return Subject(name, "by hand", PLAYED, work)


# -- single operations on a running game


def middle_of(rules: Rules, players: int) -> Game:
    """A game that has been going on for a while and is not over."""
    for limit in (MIDDLE, MIDDLE // 4, MIDDLE // 20):
        for seed in range(20):
            with failures_shown(rules):
                game, _ = random_game(rules, players, seed, random.Random(seed).random, limit)
            if game.decision is not None:
                return game
    return rules.new_game(players, 0)


def operations(name: str, rules: Rules, players: int, engine: str) -> list[Subject]:
    """Clone, undo (with the choice that is undone timed on its own), view, save and load."""
    game = middle_of(rules, players)
    saved = game.save()
    acts: dict[str, Callable[[], Any]] = {
        "clone": game.clone,
        "view": lambda: game.view(1),
        "save": game.save,
        "load": lambda: rules.load_game(saved),
    }
    subjects = [Subject(name, engine, (what,), _again(act)) for what, act in acts.items()]
    if game.decision is not None:
        subjects.insert(1, Subject(name, engine, ("undo",), lambda seconds: _undo(rules, game, seconds)))
    return subjects


def _again(act: Callable[[], Any]) -> Callable[[float], tuple[float, ...]]:
    """Something done again and again, looking at the clock not too often."""

    def work(seconds: float) -> tuple[float, ...]:
        times, stretch, begin = 0, 1, now()
        while (spent := now() - begin) < seconds:
            for _ in range(stretch):
                act()
            times += stretch
            stretch = stretch * 2 if spent < seconds / 20 else stretch
        return (times,)

    return work


def _undo(rules: Rules, game: Game, seconds: float) -> tuple[float, ...]:
    """As many undos as would fit, had the choices between them taken no time; every other one asks whether something was revealed."""
    times, spent = 0, 0.0
    begun = now()
    while now() - begun < seconds:
        with failures_shown(rules):
            game.choose(0)
        begin = now()
        undone = game.undo(past_secrets=not times % 2)
        spent += now() - begin
        times += 1
        if not undone:
            game.undo(past_secrets=True)
    return (times * (now() - begun) / spent,)


def compiling(rules: Rules, players: int) -> dict[str, float | int]:
    """Seconds to make the program of rules, and its module."""
    begin = now()
    rules.linked(players)
    lowered = now()
    if rules.engine != "wasm":
        return {"lower": lowered - begin}
    size = rules.instance(players).plan.size
    return {"lower": lowered - begin, "code": now() - lowered, "bytes": size}


def start(name: str, times: int = 3) -> dict[str, float]:
    """Processor seconds from the start of a program to the first line of a game, and the same on the clock; what can be kept between runs is there."""
    found: list[tuple[float, float]] = []
    for _ in range(times):
        before, clock = children(), monotonic()
        with subprocess.Popen(
            [sys.executable, "-m", "rulewright_tools", "run", name, "--decisions", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            waited = monotonic() - clock
            process.kill()
        found.append((children() - before, waited))
    return dict(zip(("processor", "clock"), min(found), strict=True))


def children() -> float:
    """The processor time of processes that were started and have ended."""
    times = os.times()
    return times.children_user + times.children_system


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


def memory(rules: Rules, players: int) -> dict[str, int]:
    """The bytes that a game takes, beside what all games of its rules share: a new one, and one that has been going on for a while."""
    other = rules.new_game(players, 2)
    return {
        "new": _taken(lambda: rules.new_game(players, 1), other),
        "decisions": len(middle_of(rules, players).choices),
        "then": _taken(lambda: middle_of(rules, players), other),
    }


def _taken(make: Callable[[], Game], other: Game) -> int:
    """The bytes that a game takes while another one is looked at: an engine may have room of its own for the one that is being played."""
    make()
    other.clone()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        game = make()
        other.clone()
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
        del game
    finally:
        tracemalloc.stop()
    return taken
