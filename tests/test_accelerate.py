"""The accelerator: with and without it games are the same; whatever it is given it never brings the process down; and where it cannot be built nothing is missing."""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
import tracemalloc
import weakref
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, RulesError, load
from rulewright.compile import accelerate
from rulewright.compile.accelerate import build as building
from rulewright.compile.accelerate.joining import parts
from rulewright.compile.play.helpers import bare
from rulewright.core.chance import permutation
from rulewright.errors import IllegalChoice
from rulewright.limits import Budget
from rulewright.run.machine import Machine
from tests.interruptions import Interrupted, outcome, same
from tests.playing import ROOT, play_on
from tests.random_rules import random_rules

pytestmark = pytest.mark.slow

ODD: list[Any] = [None, [], (), {}, "word", -1, 10**30, 1.5, True, [None], [()], ("a", "b", None, "d", "e", "f"), [[]], object()]
DAMAGED = (AttributeError, IllegalChoice, LookupError, OverflowError, TypeError, ValueError)  # what Python says of objects that somebody has broken
STRANGE: list[Any] = [True, False, -1, 10**30, -(10**30), 1.0, None, b"0", "", (), [], object(), float("nan")]


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An accelerator built for these tests alone."""
    try:
        place = building.build(tmp_path_factory.mktemp("accelerator"))
    except building.Failed as failed:
        pytest.skip(f"it cannot be built here: {failed}")
    found = accelerate.load(place)
    assert found is not None
    return found


@cache
def both(target: str | Path, twins: Any) -> tuple[Rules, Rules]:
    """The same rules without and with the accelerator, joined with a world of two players."""
    found = []
    for used in (None, twins):
        with accelerate.using(used):
            rules = load(target)
            assert (rules.world(2).engine.straight is None) == (used is None)
            found.append(rules)
    return found[0], found[1]


@pytest.fixture(scope="module")
def small(twins: Any) -> tuple[Rules, Rules]:
    return both("tic_tac_toe", twins)


# -- the same games


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", pytest.param("base", marks=pytest.mark.slow)])
def test_games_are_the_same(name: str, twins: Any) -> None:
    """Every decision, state and log, with nothing in between; most choices are made in C."""
    plain, fast = both(name, twins)
    for seed in range(3):
        one, other, dice = plain.new_game(2, seed), fast.new_game(2, seed), random.Random(seed)
        while one.decision is not None and len(one.choices) < 60:
            option = dice.randrange(len(one.decision.options))
            one.choose(option)
            other.choose(option)
            same(one, other)
            assert one.choices == other.choices
        assert one.save() == other.save()
        assert one.log(everything=True) == other.log(everything=True)


@pytest.mark.parametrize("automatic", [False, True])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "base"])
def test_interrupted_games_are_the_same(name: str, automatic: bool, twins: Any) -> None:
    """Taken back and forth, cloned, saved, looked into, imagined."""
    Interrupted(*both(name, twins), 2, 5, automatic=automatic).play(40, 0.4)


@pytest.mark.parametrize("seed", range(8))
def test_random_rules_are_the_same(seed: int, tmp_path: Path, twins: Any) -> None:
    path = tmp_path / "random.rules"
    path.write_text(random_rules(seed), encoding="utf-8")
    rules = both(path, twins)
    for chance in (None, "ask"):
        Interrupted(*rules, 2, seed, chance).play(25, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_random_rules_are_the_same(seed: int, tmp_path: Path, twins: Any) -> None:
    path = tmp_path / "random.rules"
    path.write_text(random_rules(seed), encoding="utf-8")
    Interrupted(*both(path, twins), 2, seed).play(40, 0.2)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**63, 2**64 - 1, 2**64, 2**200 + 7, -(2**200)])
def test_seeds_give_the_same_chance(seed: int, small: tuple[Rules, Rules]) -> None:
    one, other = (rules.new_game(2, seed) for rules in small)
    for rules in small:  # the second begins like the first
        again = rules.new_game(2, seed)
        assert again.state.random == one.state.random == other.state.random
        assert again.seed == seed
        assert again.rules is rules


def test_shuffles_are_the_same(twins: Any) -> None:
    dice = random.Random(1)
    for _ in range(2_000):
        state, count = dice.getrandbits(64), dice.randrange(60)
        assert twins.permutation(state, count) == permutation(state, count)


def test_games_can_be_referred_to_weakly_and_their_copies_are_others(small: tuple[Rules, Rules]) -> None:
    for rules in small:
        game = rules.new_game(2, 0)
        seen = weakref.ref(game)
        copy = game.clone()
        other = weakref.ref(copy)
        assert seen() is game
        assert other() is copy
        del game
        gc.collect()
        assert seen() is None
        assert other() is copy


# -- errors

BROKEN = """ruleset broken
kind player:
    score: 0..9
kind coin:
    starts in bank
kind cell is place
place bank: an area of coin
grid table of cell: 2 by 2
coin penny x3
phase play:
    repeat:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    log "{who} begins."
    who chooses spot: a cell in table
    move the first coin in bank to spot
    {call}
effect endless(who: player): repeat: log "again"
effect deep(who: player):
    set who.score to 1
    deep(who)
effect high(who: player): set who.score to count of players + 9
effect chatty(who: player): repeat 60 times: log "again"
"""


@pytest.mark.parametrize("call", ["endless(who)", "deep(who)", "high(who)", "chatty(who)"])
def test_errors_of_rules_are_the_same_and_leave_the_game_as_it_was(call: str, tmp_path: Path, twins: Any) -> None:
    path, told = tmp_path / "broken.rules", []
    path.write_text(BROKEN.replace("{call}", call), encoding="utf-8")
    for rules in both(path, twins):
        game = rules.new_game(2, 0, budget=Budget(steps=2_000, depth=40, log=40))
        before = game.save()
        for _ in range(3):
            with pytest.raises(RulesError) as raised:
                game.choose(1)
            assert game.save() == before
            assert raised.value.__context__ is None
        told.append((str(raised.value), raised.value.unit, raised.value.span))
    assert told[0] == told[1]
    assert told[0][2] is not None


def test_an_interruption_leaves_the_game_as_it_was(small: tuple[Rules, Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever the straight way calls in Python; and outside of it the error has its usual shape."""
    for rules in small:
        game = rules.new_game(2, 0)
        for option in (0, 2, 0, 2):
            game.choose(option)
        before, clone = game.save(), game.clone()
        with monkeypatch.context() as patch:
            patch.setattr(Machine, "write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            while game.decision is not None:
                try:
                    game.choose(0)
                except KeyboardInterrupt:
                    break
            else:
                pytest.fail("the end of the game is written to the log")
        while game.undo():
            pass
        same(game, rules.new_game(2, 0))
        assert clone.save() == before


def test_a_log_that_clones_share_is_shared_no_longer(small: tuple[Rules, Rules]) -> None:
    for rules in small:
        game = rules.new_game(2, 0)
        game.choose(0)
        clone = game.clone()
        assert clone.state.log is game.state.log
        game.choose(0)
        clone.choose(1)
        assert clone.state.log is not game.state.log
        assert clone.choices[0] == game.choices[0]
        assert clone.choices[1] != game.choices[1]
        assert clone.undo()
        assert not clone.undo()


# -- nothing that it is given brings it down


@pytest.mark.parametrize("option", STRANGE, ids=range(len(STRANGE)))
def test_strange_options_are_refused_alike(option: Any, small: tuple[Rules, Rules]) -> None:
    told = []
    for rules in small:
        game = rules.new_game(2, 0)
        before = game.save()
        told.append(outcome(lambda: game.choose(option)))  # noqa: B023 - it is called at once
        assert (game.save() == before) == (told[-1] is not None)
    assert told[0] == told[1]


def holders(game: Game) -> Iterator[tuple[Any, str]]:
    """Everything that the accelerator reads: objects, and what they hold."""
    machine = game._machine
    for each in (game, machine, machine.state, machine.script):
        for name in type(each).__slots__:
            if name != "__weakref__":
                yield each, name


def test_whatever_is_damaged_nothing_crashes(small: tuple[Rules, Rules]) -> None:
    """Every part of a game in turn is taken out, or is something else. What then happens is an error, or nothing out of the ordinary."""
    rules = small[1]
    for number in range(len(list(holders(rules.new_game(2, 0))))):
        for odd in (*ODD, "nothing at all"):
            game = rules.new_game(2, 0)
            game.choose(4)
            holder, name = list(holders(game))[number]
            if odd == "nothing at all":
                delattr(holder, name)
            else:
                setattr(holder, name, odd)
            too_long = name == "log_length" and odd == 10**30  # a log of that length has no room for a choice
            for act in (lambda: game.choose(0), lambda: game.choose(1), game.clone):  # noqa: B023 - they are called at once
                expected = pytest.raises(RulesError, match="the log has more than") if too_long and act != game.clone else suppress(*DAMAGED)
                with expected:
                    act()


def test_lists_that_are_damaged_crash_nothing(small: tuple[Rules, Rules]) -> None:
    """Too short, or with strange things in them; also inside of what was left behind on the stack."""
    rules = small[1]
    for name in ("values", "where", "members", "known", "stack", "outcomes", "log", "journal"):
        for odd in (*ODD, "shorter", "empty"):
            game = rules.new_game(2, 0, budget=Budget(steps=500))
            game.choose(4)
            whole: list[Any] = getattr(game.state, name)
            setattr(game.state, name, [] if odd == "empty" else whole[: len(whole) // 2] if odd == "shorter" else [odd] * len(whole))
            with suppress(*DAMAGED):
                game.choose(0)
    for depth in (-1, -2, -3):
        stack = rules.new_game(2, 0).state.stack
        if len(stack) < -depth or type(stack[depth]) is not tuple:
            continue
        for position in range(len(stack[depth])):
            for odd in ODD:
                game = rules.new_game(2, 0)
                left = game.state.stack[depth]
                changed = (*left[:position], odd, *left[position + 1 :])
                game.state.stack[depth] = changed
                if depth == -1:
                    game._machine.listed = game._listed = (changed, *game._listed[1:])
                with suppress(*DAMAGED):
                    game.choose(0)
    for position in range(6):
        for odd in ODD:
            game = rules.new_game(2, 0)
            game._listed = game._machine.listed = (*game._listed[:position], odd, *game._listed[position + 1 :])
            with suppress(*DAMAGED):
                game.choose(0)


def test_functions_of_the_accelerator_refuse_what_is_not_meant_for_them(small: tuple[Rules, Rules], twins: Any) -> None:
    game = small[1].new_game(2, 0)
    machine, engine = game._machine, small[1].world(2).engine
    assert engine.straight is not None
    assert engine.begun is not None
    assert engine.copied is not None
    given: tuple[Any, ...]
    for given in ((), (1,), (game,), (1, 2), (game, 0, 0), (None, 0)):
        with suppress(TypeError):
            assert engine.straight(*given) is False
    for wrong in (None, 1, "x", object(), machine):
        assert engine.copied(wrong) is None
        assert engine.begun(wrong, small[1], 1) is None
        assert engine.begun(game, small[1], wrong) is None or wrong == 1
    for made in (twins.put, twins.together, twins.assign, twins.tell, twins.straight):
        for given in ((), (1,), (None,) * 2, (None,) * 3, (None,) * 4, (None,) * 5, (None,) * 9, (1, (1,), b"1", False, 3, (), (), b"", ())):
            with pytest.raises(TypeError):
                made(*given)
    put = twins.put(lambda *given: given, (5, 5), b"\0\0", False, 3, None, None, None, None)
    for given in ((), (1, 2, 3), (machine, 0, 1), (machine, "a", 1), (machine, 0, 10**30), (machine, -1, -1), (machine, 0, 1, 2)):
        assert put(*given) == given  # handed over
    tell = twins.tell(lambda *given: given, 3, b"\0", b"\1")
    for given in ((), (1, 2, 3), (machine, (), ())):
        assert tell(*given) == given
    assign = twins.assign(lambda *given: given, "x", {0: (0, None, None, True, True)}, 3, ())
    for given in ((), (1, 2, 3), (machine, 0, []), (machine, "a", 1), (machine, 0, 1)):
        assert assign(*given) == given
    together = twins.together(lambda *given: given, (5, 5), b"\0\0", False, (3, None))
    for given in (
        (),
        (1, 2, 3),
        (machine, [], 1),
        (machine, [0], 0),
        (machine, ["a"], 1),
        (machine, [0, 0], 1),
        (machine, [10**30], -1),
        (machine, (0,), 1),
    ):
        assert together(*given) == given
    for given in (
        (),
        (1, 2),
        ([5], [()]),
        ([-1], [()]),
        ([-1], [(1,)]),
        (["a"], [()]),
        ([0], [[]]),
        ([0], [None]),
        ([10**30], [()]),
        ([0, 1], [(), (1,)]),
    ):
        assert outcome(lambda: twins.bare(*given)) == outcome(lambda: bare(*given))  # noqa: B023 - they are called at once
    for given in ((), (1,), (1, 2, 3), (-1, 3), (2**64, 3), (5, -1), (5, 0), (5, 1), ("a", 2), (5, "a"), (2**64 - 1, 40), (1.0, 3)):
        assert outcome(lambda: twins.permutation(*given)) == outcome(lambda: permutation(*given))  # noqa: B023
    with pytest.raises(TypeError):
        twins.assign(None, "x", {0: 5}, 3, ())
    for wrong in ({}, [], {**parts(), "Machine": 5}, {**parts(), "bodies": 7}, {**parts(), "Game": Machine}):
        with pytest.raises((TypeError, KeyError, RuntimeError, AttributeError)):
            twins.setup(wrong)


# -- memory


@pytest.mark.slow
def test_nothing_is_leaked(twins: Any, tmp_path: Path) -> None:
    """Thousands of games, clones and errors later there is as much memory in use as before, and as many references to what all games share."""
    path = tmp_path / "broken.rules"
    path.write_text(BROKEN.replace("{call}", "high(who)"), encoding="utf-8")
    small, broken, large = both("tic_tac_toe", twins)[1], both(path, twins)[1], both("base", twins)[1]
    world, failing, running = small.world(2), broken.new_game(2, 0), large.new_game(2, 0)
    shared = [None, True, False, 0, 1, (), "choose", "", world, world.engine, world.beginnings, Game, Machine, small, *world.engine.choosing.values()]

    def some(times: int) -> None:
        for seed in range(times):
            game = small.new_game(2, seed)
            play_on(game.clone(), seed, 9)
            play_on(game, seed, 9)
            with pytest.raises(RulesError):
                failing.choose(0)
            for option in STRANGE:
                with pytest.raises(IllegalChoice):
                    game.clone().choose(option)
            if seed % 20 == 0:
                play_on(running.clone(), seed, 30)

    some(60)
    gc.collect()
    counts = [sys.getrefcount(each) for each in shared]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        some(400)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    later = [sys.getrefcount(each) for each in shared]
    assert grown < 100_000
    assert all(abs(now - then) < 200 for now, then in zip(later, counts, strict=True)), list(zip(shared, counts, later, strict=True))


# -- building and loading


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, twins: Any) -> None:
    with accelerate.using(twins):
        assert accelerate.twins() is twins
        for word in ("no", "NO", "off", "0"):
            monkeypatch.setenv(accelerate.VARIABLE, word)
            assert accelerate.twins() is None
        monkeypatch.setenv(accelerate.VARIABLE, "yes")
        assert accelerate.twins() is twins
        with accelerate.using(None):
            assert accelerate.twins() is None


def test_what_is_no_accelerator_is_not_used(tmp_path: Path) -> None:
    place = accelerate.place_in(tmp_path)
    assert accelerate.load(place) is None
    for content in (b"", b"rubbish", b"\x7fELF" + bytes(2000)):
        place.write_bytes(content)
        assert accelerate.load(place) is None
    place.unlink()
    place.mkdir()
    assert accelerate.load(place) is None


def test_another_source_is_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, sources = accelerate.place_in(tmp_path), list(accelerate.FOLDER.glob("*.[ch]"))
    assert len(sources) > 1
    for part in sources:
        shutil.copy(part, tmp_path)
    monkeypatch.setattr(accelerate, "SOURCE", tmp_path / "twins.c")
    assert accelerate.place_in(tmp_path) == before
    for part in sources:
        copy = tmp_path / part.name
        copy.write_text(part.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert accelerate.place_in(tmp_path) != before
        shutil.copy(part, tmp_path)


def test_without_a_compiler_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    assert building.main() == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "there is no C compiler" in told.err
    assert "pure Python" in told.err


@pytest.mark.parametrize("how", ["a compiler that fails", "no headers", "no place"])
def test_a_failure_to_build_is_said_in_words(how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "missing" if how == "no place" else tmp_path
    if how == "a compiler that fails":
        monkeypatch.setenv("CC", f"{sys.executable} -c 'import sys; sys.exit(\"error: no\")'")
    elif how == "no headers":
        monkeypatch.setattr("sysconfig.get_paths", lambda: {"include": str(tmp_path), "platinclude": str(tmp_path)})
    with pytest.raises(building.Failed):
        building.build(folder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_builds_it_in_its_own_folder(tmp_path: Path, twins: Any) -> None:
    """In a copy of the package, as an installed one: built, used, and not used if it is not wanted."""
    shutil.copytree(ROOT / "interpreter" / "rulewright", tmp_path / "rulewright", ignore=shutil.ignore_patterns("twins-*", "__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    asked = [sys.executable, "-c", "from rulewright.compile import accelerate; print(accelerate.twins() is not None, accelerate.__file__)"]

    def used(**more: str) -> str:
        done = subprocess.run(asked, cwd=tmp_path, env={**environment, **more}, capture_output=True, text=True, check=True)
        assert str(tmp_path) in done.stdout
        return done.stdout.split()[0]

    assert used() == "False"
    command = [sys.executable, "-m", "rulewright.compile.accelerate.build"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    assert used() == "True"
    assert used(RULEWRIGHT_ACCELERATE="no") == "False"
