"""Passes from core to core: stepping a program before and after gives the same states, options and logs."""

from __future__ import annotations

import gc
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulewright import Rules, collection, load
from rulewright.core import program as c
from rulewright.core.lower import lower
from rulewright.core.nodes import everything
from rulewright.core.passes import inline, tabulate
from rulewright.errors import RulesError
from rulewright.game.engine import Stepping
from rulewright.game.references import live
from rulewright.step import expressions
from rulewright.step.link import Linked
from rulewright.step.machine import first_state
from rulewright.step.state import State
from rulewright.wasm.compile import Compilation, evaluator
from tests import test_core, test_small_rulesets
from tests.playing import ROOT, rules_of
from tests.random_rules import random_rules
from tests.test_games import rulesets


def both(linked: Linked) -> c.Program:
    """A program after all passes, one after another."""
    return tabulate(inline(linked.program), linked.world, evaluator(linked))


PASSES = {
    "inline": lambda linked: inline(linked.program),
    "tabulate": lambda linked: tabulate(linked.program, linked.world, evaluator(linked)),
    "both": both,
}


def shown(plain: Linked, engine: Stepping) -> dict[str, Any]:
    """A state as far as it matters, and what may be chosen."""
    state = engine.machine.state
    found = {name: getattr(state, name) for name in State.__slots__ if name != "given"}
    found["frames"] = [(frame.at, frame.cause, {slot: frame.names[slot] for slot in live(plain, frame.at)}) for frame in state.frames]
    found["held"] = [(held.hook, held.number, held.kept, held.until) for held in state.held]
    return found | {"asked": engine.asked()}


def tried(engine: Stepping, index: int | None = None) -> str:
    """What goes wrong when a game begins, or with a choice; nothing if nothing does."""
    try:
        engine.run() if index is None else engine.take(index)
    except RulesError as error:
        return str(error)
    return ""


def differs(plain: Linked, program: c.Program, seed: int, most: int) -> bool:
    """Whether a game of a program goes otherwise than that of the plain one."""
    engines = [Stepping(linked, first_state(linked, seed)) for linked in (plain, Linked(program, plain.world))]
    rng = random.Random(seed)
    errors = [tried(engine) for engine in engines]
    for _ in range(most):
        one, other = (shown(plain, engine) for engine in engines)
        if one != other or errors[0] != errors[1]:
            return True
        if one["asked"] is None or errors[0]:
            break
        index = rng.randrange(len(one["asked"][1]))
        errors = [tried(engine, index) for engine in engines]
    return False


def same(rules: Rules, most: int, passes: tuple[str, ...] = ("both",)) -> None:
    """A game of the rules is the same after passes."""
    plain = rules.linked(rules.players[0])
    for name in passes:
        assert not differs(plain, PASSES[name](plain), 3, most), name


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough"])
def test_the_small_games_are_the_same_after_each_pass(name: str) -> None:
    """To the end; and there is less to ask: nothing is applied, and what never changes is written down."""
    rules = load(name, engine="step")
    same(rules, 500, tuple(PASSES))
    program = both(rules.linked(2))
    nodes = [part for block in program.blocks for each in block.code for part in everything(each)]
    kept = [part for table in nodes if isinstance(table, c.Table) for part in everything(table)]  # what a table asks for values it does not know
    assert kept
    assert not any(isinstance(part, c.Apply) and part not in kept for part in nodes)


@pytest.mark.parametrize("seed", test_core.mostly_slow(range(30), 4))
def test_random_rules_are_the_same_after_each_pass(seed: int, tmp_path: Path) -> None:
    """Everything inside everything else."""
    same(rules_of(tmp_path, random_rules(seed), engine="step"), 40, tuple(PASSES))


@pytest.mark.parametrize("name", test_core.mostly_slow(list(test_small_rulesets.CASES), 4))
def test_small_rulesets_are_the_same_after_all_passes(name: str, tmp_path: Path) -> None:
    """Whatever the language has."""
    same(rules_of(tmp_path, test_small_rulesets.TABLE + test_small_rulesets.CASES[name][0], engine="step"), 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in rulesets() if "/house/" not in name])
def test_large_games_are_the_same_after_all_passes(name: str) -> None:
    """A good part of a game."""
    same(load(ROOT / name, engine="step"), 60)


NEAR = """
kind cell is place
kind stone
grid board of cell: 4 by 4
stone pebble "Pebble" in board_2_2
value near(spot: cell): all cells next to spot where row > spot.row
phase play:
    repeat:
        for each player in players:
            player chooses goal: a cell in near(the cell where pebble is in cell)
            if goal is none: end game
            move pebble to goal
"""


HAND = """
kind player:
    place hand: a row of card, seen by owner
    place bag: an area of card
kind spot is place
kind card:
    worth: 0..9
    actions for a player where self is in player.hand or self is in player.bag
    action play "Play":
        by player
        do:
            move self to the spot where marker is in spot
            move marker to the next_spot
    after lift(who) when self is in who.bag: move self to deck
    change bonus when self is in near: result + 1
kind mark
mark marker "Marker" in near
spot near "Near"
spot far "Far"
place deck: a pile of card, seen by nobody
card low "Low" x150 in deck:
    worth 1
card high "High" x150 in deck:
    worth 5
value next_spot: far if marker is in near else near
value bonus: 1
value held(card: card, who: player): card is in who.hand
effect lift(who: player): log "{who} lifts {count of cards where held(it, who)} of {bonus}."
phase setup: shuffle deck
phase play:
    repeat 12 times:
        for each player in players ordered by seat:
            move 2 cards from deck to player.hand
            move the first card in player.hand to player.bag
            for each card in cards where card is in player.hand ordered by worth: log "{card} of {the player where card is in it.hand}" to player
            offer actions to player
            lift(player)
    end game
"""


def unlocated(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> Linked:
    """Rules whose queries begin with everything of a kind."""
    world = rules.linked(rules.players[0]).world
    with monkeypatch.context() as patch:
        patch.setattr("rulewright.core.lower.locate", lambda program, *_: (program, set()))
        return Linked(lower(rules.graph), world)


def looked(linked: Linked, most: int) -> int:
    """How many things are looked at in a game."""
    engine, rng, count = Stepping(linked, first_state(linked, 1)), random.Random(1), 0
    engine.run()
    for _ in range(most):
        asked = engine.asked()
        if asked is None:
            break
        engine.take(rng.randrange(len(asked[1])))
        count += engine.machine.looked
    return count


def test_queries_that_begin_where_something_lies_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order, and look at much less; with the order of where things lie instead of their own a game goes otherwise."""
    rules = rules_of(tmp_path, HAND, engine="step")
    before, after = unlocated(rules, monkeypatch), rules.linked(2)
    for seed in range(3):
        assert not differs(before, after.program, seed, 100)
    assert looked(after, 20) < looked(before, 20) / 3
    order = c.Order
    monkeypatch.setattr(c, "Order", lambda key, descending: order(c.Const(0) if isinstance(key, c.Name) else key, descending))
    assert any(differs(before, lower(rules.graph), seed, 100) for seed in range(3))


@pytest.mark.parametrize("seed", test_core.mostly_slow(range(30), 4))
def test_random_rules_find_the_same_where_queries_begin(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything inside everything else, with one component of a kind being many."""
    monkeypatch.setattr("rulewright.core.passes.locate.MANY", 1)
    rules = rules_of(tmp_path, random_rules(seed), engine="step")
    assert not differs(unlocated(rules, monkeypatch), lower(rules.graph), seed, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in rulesets() if "/house/" not in name])
def test_large_games_find_the_same_where_queries_begin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A good part of a game."""
    monkeypatch.setattr("rulewright.core.passes.locate.MANY", 1)
    rules = load(ROOT / name, engine="step")
    assert not differs(unlocated(rules, monkeypatch), lower(rules.graph), 3, 150)


def test_a_pass_that_goes_wrong_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables with something else in them; tables that give something else than is in them; arguments for the wrong names."""
    plain = rules_of(tmp_path, NEAR, engine="step").linked(2)
    right = evaluator(plain)

    def wrong(node: Any, names: list[Any]) -> tuple[Any, int]:
        value, looks = right(node, names)
        return value[1:] if isinstance(value, tuple) else value, looks

    assert not differs(plain, tabulate(plain.program, plain.world, right), 1, 20)
    assert differs(plain, tabulate(plain.program, plain.world, wrong), 1, 20)
    with monkeypatch.context() as patch:
        patch.setitem(expressions.TABLE, c.Table, lambda linked, node: lambda machine, names: node.values[0])
        assert differs(plain, tabulate(plain.program, plain.world, right), 1, 20)
    with monkeypatch.context() as patch:
        module = sys.modules["rulewright.core.passes.inline"]
        written_out: Any = module.__dict__["written_out"]
        patch.setattr(module, "written_out", lambda function, arguments, locals_: written_out(function, arguments[::-1], locals_))
        plain = load("breakthrough", engine="step").linked(2)
        assert differs(plain, inline(plain.program), 1, 20)


def test_a_table_counts_what_was_looked_at_and_asks_where_it_says_nothing(tmp_path: Path) -> None:
    """As much as the expression would at most; and nothing or another thing than the table knows is left to the expression."""
    plain = rules_of(tmp_path, NEAR, engine="step").linked(2)
    program = tabulate(plain.program, plain.world, evaluator(plain))
    (table,) = [part for part in everything(program.functions["near"].body) if isinstance(part, c.Table)]
    before, after = evaluator(plain), evaluator(Linked(program, plain.world))
    for number in (None, *range(plain.world.place_count)):
        value, looks = before(table.otherwise, [number, None])
        found, counted = after(table, [number, None])
        assert found == value
        assert counted >= looks


@pytest.mark.slow
def test_no_code_is_very_long() -> None:
    """Long functions take much longer to compile than their length: small ones are written out in one place only so far, and alike ones are one."""
    compilation = Compilation(load("base", engine="wasm").linked(2))
    compilation.binary()
    module = compilation.module
    assert max(len(code.out) for code in module.codes if code is not None) < 16_000
    choices = [number for name, number in module.functions.items() if name.startswith("choice ")]
    assert len(set(choices)) < len(choices) / 2


@pytest.mark.parametrize("was", [True, False])
def test_garbage_is_looked_for_as_before(was: bool) -> None:
    """Behind what puts that off, also where it ends in an error."""
    try:
        (gc.enable if was else gc.disable)()
        with suppress(ValueError), collection.put_off():
            assert not gc.isenabled()
            raise ValueError
        assert gc.isenabled() == was
    finally:
        gc.enable()
