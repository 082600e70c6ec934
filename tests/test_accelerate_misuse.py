"""The accelerator in bad company: objects that strike back when they are touched, garbage that is collected in the midst of things, programs that have names of their own."""

from __future__ import annotations

import gc
import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, load
from rulewright.compile import accelerate
from rulewright.compile.accelerate import build as building
from rulewright.compile.accelerate.joining import parts
from rulewright.core import chance
from rulewright.errors import IllegalChoice
from rulewright.run.state import MOVED
from tests.interruptions import same
from tests.test_accelerate import DAMAGED

pytestmark = pytest.mark.slow

CAUSE = ("somebody", None, 0, None)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where an accelerator lies that was built for these tests alone, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("review") / "of the accelerator"
    folder.mkdir()
    try:
        return building.build(folder)
    except building.Failed as failed:
        pytest.skip(f"it cannot be built here: {failed}")


@pytest.fixture(scope="module")
def twins(place: Path) -> Any:
    found = accelerate.load(place)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rules(twins: Any) -> tuple[Rules, Rules]:
    """The same rules without and with the accelerator."""
    found = []
    for used in (None, twins):
        with accelerate.using(used):
            loaded = load("tic_tac_toe")
            loaded.world(2)
            found.append(loaded)
    return found[0], found[1]


@pytest.fixture
def game(rules: tuple[Rules, Rules]) -> Game:
    """A game with the accelerator."""
    made = rules[1].new_game(2, 0)
    made.choose(4)
    return made


class Spring:
    """Something that does what it is told as soon as it is combined with a number, or let go of."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.act = act

    def __or__(self, other: Any) -> int:
        self.act()
        return 3

    __ror__ = __or__

    def __del__(self) -> None:
        with suppress(*DAMAGED):
            self.act()


# -- what strikes back


def noting(game: Game) -> None:
    """Let the machine of a game be as it is while bodies run."""
    game._machine.note, game._machine.said = game.state.log.append, CAUSE


@pytest.mark.parametrize("what", ["assign", "put", "together"])
def test_what_empties_the_state_when_it_is_touched_is_left_to_python(what: str, game: Game, twins: Any) -> None:
    machine, state, given = game._machine, game.state, []

    def python(*args: Any) -> str:
        given.append(args)
        return "Python"

    def strike() -> None:
        state.values, state.known, state.journal = [], [], []
        machine.note = machine.said = None

    noting(game)
    state.where, state.members, state.known, state.values = [0, 0], [(0, 1), ()], [Spring(strike), 0], [10**20]  # type: ignore[list-item]
    if what == "assign":
        assign = twins.assign(python, "x", {0: (0, None, None, False, True)}, 3, (3, 3))
        assert assign(machine, 0, 7) == "Python"
        assert given == [(machine, 0, 7)]
    elif what == "put":
        put = twins.put(python, (5, 5), b"\0\0", False, 3, (1, 2), (None, None), b"\0\0", (None, None))
        assert put(machine, 0, 1) == "Python"
    else:
        together = twins.together(python, (5, 5), b"\0\0", False, (1, 2))
        together(machine, [1, 0], 1)  # the second thing strikes when the first is done
        assert state.known == []


def test_a_slot_that_is_emptied_meanwhile_is_an_error(game: Game) -> None:
    machine = game._machine

    def strike() -> None:
        del machine.steps

    machine.looked = Spring(strike)  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="steps"):
        game.choose(0)


@pytest.mark.parametrize("name", ["pending", "inner"])
@pytest.mark.parametrize("other", ["stack", "log", "journal", "where", "members"])
def test_one_list_for_two_things_brings_nothing_down(name: str, other: str, game: Game) -> None:
    setattr(game._machine, name, getattr(game.state, other))
    for option in range(3):
        with suppress(*DAMAGED):
            game.choose(option)


class Key(str):
    """A key of a frame that has to be compared, and does something about it."""

    act: Callable[[], object]

    def __hash__(self) -> int:
        return hash("f")

    def __eq__(self, other: object) -> bool:
        self.act()
        raise ArithmeticError


@pytest.mark.parametrize("empties", [False, True])
def test_a_frame_that_does_not_want_to_be_compared_is_an_error(empties: bool, rules: tuple[Rules, Rules]) -> None:
    for each in rules:
        game, key = each.new_game(2, 0), Key("x")

        def how(machine: Any, left: Any, stack: list[Any], names: Any, key: Key = key) -> int:
            key.act = stack.clear if empties else str
            machine.pending.append({key: 1})
            return 1

        game.state.stack[-2] = (how, None, {}, CAUSE)
        with pytest.raises(Exception) as raised:  # noqa: PT011 - which one it is does not matter if there is nothing left
            game.choose(0)
        assert empties or raised.type is ArithmeticError


# -- garbage


@contextmanager
def collecting(act: Callable[[], None]) -> Iterator[None]:
    """Do something whenever garbage is collected, which is as often as can be."""
    before = gc.get_threshold()

    def called(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            act()

    gc.callbacks.append(called)
    gc.set_threshold(1, 1, 1)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(called)


@pytest.mark.parametrize("seed", range(6))
def test_lists_may_be_replaced_whenever_garbage_is_collected(seed: int, rules: tuple[Rules, Rules]) -> None:
    """By others that are the same, or empty: then there may be errors, but nothing worse."""
    dice, games = random.Random(seed), [rules[1].new_game(2, seed) for _ in range(20)]

    def act() -> None:
        game = dice.choice(games)
        machine = game._machine
        holder: Any = dice.choice((game, machine, machine.state, machine.script))
        name = dice.choice(type(holder).__slots__)
        found: Any = getattr(holder, name, None)
        if type(found) in (list, dict) and dice.random() < 0.3:
            setattr(holder, name, found.copy() if seed % 2 else type(found)())

    with collecting(act):
        while games:
            for _ in range(5):
                with suppress(*DAMAGED):
                    games[0].choose(0)
                with suppress(*DAMAGED):
                    games[0].clone().choose(1)
            games.append(rules[1].new_game(2, seed))
            del games[:2]


# -- the same as in Python


@pytest.mark.parametrize("kind", [bool, "sub", "numpy", "huge", "negative"])
def test_only_plain_numbers_go_the_straight_way(kind: Any, rules: tuple[Rules, Rules]) -> None:
    class Whole(int):
        pass

    class Index:
        def __index__(self) -> int:
            return 1

    option: Any = {bool: True, "sub": Whole(1), "numpy": Index(), "huge": 2**64 + 1, "negative": -1}[kind]
    told = []
    for each in rules:
        game = each.new_game(2, 0)
        assert each.world(2).engine.straight is None or each.world(2).engine.straight(game, option) is False
        try:
            game.choose(option)
            told.append(game.choices)
        except IllegalChoice as error:
            told.append(str(error))  # type: ignore[arg-type]
    assert told[0] == told[1]


@pytest.mark.parametrize("state", [0, 1, 2**63, 2**64 - 1, 2**64, -1, 0x9E3779B97F4A7C15])
@pytest.mark.parametrize("count", [0, 1, 2, 52, 300, True])
def test_shuffles_are_the_same(state: int, count: int, twins: Any) -> None:
    assert twins.permutation(state, count) == chance.permutation(state, count)


def test_an_error_keeps_what_it_came_of(rules: tuple[Rules, Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the handling of another error: what is being handled afterwards is what was before."""
    for each in rules:
        game = each.new_game(2, 0)
        before = game.save()
        monkeypatch.setattr(each.world(2).engine, "_go_on", lambda *_: 1 // 0)
        game._machine.most_frames = 0  # so that Python is asked to go on
        outer, handled = KeyError("outer"), []
        try:
            raise outer
        except KeyError:
            try:
                game.choose(0)
            except ZeroDivisionError as error:
                handled.append(error.__context__)
            handled.append(sys.exc_info()[1])
        assert handled == [outer, outer]
        assert sys.exc_info()[1] is None
        monkeypatch.undo()
        assert game.save() == before
        game._machine.most_frames = game._machine.budget.depth * 4
        game.choose(0)
        same(game, game.clone())


def test_a_generator_does_not_keep_what_others_handle(rules: tuple[Rules, Rules], monkeypatch: pytest.MonkeyPatch) -> None:
    def choosing(game: Game) -> Iterator[BaseException | None]:
        with suppress(ZeroDivisionError):
            game.choose(0)
        yield sys.exc_info()[1]
        yield sys.exc_info()[1]

    for each in rules:
        game, outer, found = each.new_game(2, 0), KeyError("outer"), []
        game._machine.most_frames = 0  # so that Python is asked to go on
        monkeypatch.setattr(each.world(2).engine, "_go_on", lambda *_: 1 // 0)
        asked = choosing(game)
        try:
            raise outer
        except KeyError:
            found.append(next(asked))
        found.append(next(asked))
        assert found == [outer, None]


@pytest.mark.parametrize("begun", [False, True])
def test_a_move_that_was_interrupted_is_taken_back(begun: bool, rules: tuple[Rules, Rules]) -> None:
    """In Python somebody may interrupt between the note in the journal and the move itself, or in the midst of it; in C nobody can."""
    state = rules[0].new_game(2, 0).state
    component = next(each for each, place in enumerate(state.where) if len(state.members[place]) > 1)
    before, moment = state.where[component], state.moment(tuple(state.stack))
    to = next(place for place, members in enumerate(state.members) if not members)
    was = state.where[:], state.members[:]
    state.journal.append((MOVED, component, before, state.members[before], state.members[to]))
    if begun:
        state.members[before] = tuple(each for each in state.members[before] if each != component)
    state.go_back(moment)
    assert (state.where, state.members) == was


# -- loading


def raw(place: Path, folder: Path) -> Any:
    """An accelerator that has not been set up."""
    copy = shutil.copy(place, folder / place.name)
    loader = ExtensionFileLoader("raw.twins", str(copy))
    made = module_from_spec(ModuleSpec("raw.twins", loader, origin=str(copy)))
    loader.exec_module(made)
    sys.modules.pop("raw.twins", None)
    return made


def test_what_is_not_set_up_is_not_used(place: Path, tmp_path: Path) -> None:
    made = raw(place, tmp_path)
    for name in ("ask_one", "bare", "permutation"):
        with pytest.raises(RuntimeError):
            getattr(made, name)()
    for wrong in (
        {**parts(), "Option": int},
        {**parts(), "RulesError": 5},
        {**parts(), "blank": 1},
        {**parts(), "Game": dict},
        {**parts(), "State": type("State", (), {})},
    ):
        with pytest.raises((TypeError, AttributeError)):
            made.setup(wrong)
        with pytest.raises(RuntimeError):
            made.ask_one(1, 2, 3, 4, 5)
        with pytest.raises(TypeError):
            made.straight(None, {}, {})
    assert made.copied(1) is None
    made.setup(parts())
    made.setup(parts())


def test_it_can_be_loaded_again_and_takes_no_name_from_a_program(place: Path, twins: Any) -> None:
    assert accelerate.load(place) is not None
    assert "twins" not in sys.modules
    assert sys.modules[accelerate.MODULE].setup is not None


# -- building


def test_a_source_that_cannot_be_read_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: Any) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(accelerate, "_found", [])
    monkeypatch.delenv(accelerate.VARIABLE, raising=False)
    assert accelerate.twins() is None
    with pytest.raises(building.Failed, match="cannot be read"):
        building.build(tmp_path)


def test_half_a_quotation_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc 'half")
    with suppress(building.Failed):
        assert "'half" not in building._compiler()


def test_what_cannot_be_removed_stays(place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An accelerator of an earlier source that is in use, where such files cannot be removed."""
    monkeypatch.setattr(building, "_compile", lambda command: shutil.copy(place, command[-1]))
    (tmp_path / place.name.replace("twins-", "twins-earlier-")).mkdir()
    assert building.build(tmp_path).is_file()


def test_several_builds_at_once_do_not_harm_each_other(place: Path, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from rulewright.compile.accelerate import build; print(build.build(Path(sys.argv[1])))"
    command = [sys.executable, "-c", code, str(tmp_path)]
    compiler = [sys.executable, "-c", f"import shutil, sys; shutil.copy({str(place)!r}, sys.argv[-1])"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1] / "interpreter"), "CC": shlex.join(compiler)}
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [each.communicate()[1] for each in running] == [""] * 3
    assert [each.name for each in tmp_path.iterdir()] == [place.name]
    assert accelerate.load(tmp_path / place.name) is not None
