"""Sabotages of the module: what writes each expression and each instruction, and each function of the runtime, is broken on purpose, and the comparison with `step` has to notice.

A writer that is broken writes code that does something else, and a function that is broken does nothing and gives 0. A module that only stops is no sabotage, since `step` takes over
there: what shows has to be another game. The rows are those of the tables of the compiler; for some of them a subject is named, rules in whose games
they show, and the others show in one of the first.
"""

from __future__ import annotations

import ast
import functools
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
import wasmtime

from rulewright import Rules, RulesError
from rulewright.core import program as c
from rulewright.errors import IllegalChoice
from rulewright.wasm import changes, compile, moments, plan, runtime, units
from rulewright.wasm.assemble import Code, Module
from rulewright.wasm.calls import return_
from rulewright.wasm.instance import Stopped
from rulewright.wasm.opcodes import DROP, EQZ
from tests import subjects, test_engine_semantics, test_wasm
from tests.playing import rules_of
from tests.random_rules import random_rules
from tests.test_core import mostly_slow
from tests.test_wasm import Pair, check_columns, plain


class Watchful(Pair):
    """Looks at everything at every decision, and takes much back."""

    def compare(self, one: Any, other: Any, rng: random.Random) -> None:
        assert one.decision == other.decision
        assert plain(one) == plain(other)
        check_columns(other)
        assert one.entries() == other.entries()
        assert len(one.choices) % 8 or one.save() == other.save()

    def go_on(self, one: Any, other: Any, rng: random.Random) -> tuple[Any, Any]:
        if rng.random() < 0.2:
            assert one.undo() == other.undo()
            self.compare(one, other, rng)
        if rng.random() < 0.1:
            for go in ("undo", "undo", "redo"):
                given = {"past_secrets": True} if go == "undo" else {}
                assert getattr(one, go)(**given) == getattr(other, go)(**given)
                self.compare(one, other, rng)
        return super().go_on(one, other, rng)


class Fuelled(wasmtime.Store):
    """What is broken may run for ever: then the module stops."""

    def __init__(self, engine: wasmtime.Engine) -> None:
        super().__init__(engine)
        self.set_fuel(10**8)


@functools.cache
def quick_engine() -> wasmtime.Engine:
    """Compiles quickly what is played for a moment only."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "none"
    config.consume_fuel = True
    config.parallel_compilation = False
    return wasmtime.Engine(config)


@pytest.fixture(autouse=True)
def modules_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is broken is kept."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    monkeypatch.setattr(plan, "wasm_engine", quick_engine)
    monkeypatch.setattr(wasmtime, "Store", Fuelled)


# -- what is written instead


def otherwise(write: Any, w: Any, node: Any) -> None:
    """Another value: nothing of a list, the opposite of a flag or number."""
    write(w, node)
    if w.shape(node) == "one":
        w.code.op(EQZ)
    else:
        w.code.op(DROP)
        w.code.const(0)


def nothing(write: Any, *given: Any) -> None:
    """No code at all."""


def turned(write: Any, u: Any, at: int, node: c.Branch) -> None:
    write(u, at, c.Branch(node.test, node.otherwise, node.then))


def going(part: str) -> Callable[..., None]:
    """Go on with the block that a part of the instruction names."""
    return lambda write, u, at, node: u.go(getattr(node, part))


def ended(write: Any, u: Any, at: int, node: Any) -> None:
    """End the unit, and give nothing."""
    return_(u, at, c.Return())


INSTEAD: dict[type, Any] = {
    c.Branch: turned, c.Dispatch: going("otherwise"), c.Switch: going("otherwise"), c.Next: going("after"), c.Ask: going("otherwise"),
    **dict.fromkeys((c.Call, c.CallHook, c.RunDeferred, c.Proceed), going("then")), **dict.fromkeys((c.Jump, c.EndGame, c.Finish, c.Return), ended),
}  # fmt: skip
FUNCTIONS = [each.name for each in ast.parse(runtime.SOURCE + moments.SOURCE).body if isinstance(each, ast.FunctionDef)]
MADE = [
    "begin_deferred",
    "below",
    "decided",
    "divide",
    "hidden",
    "modulo",
    "multiply",
    "note_choice",
    "policy",
    "put_value",
    "seed",
    "seen_into",
    "step",
]
GROUPS = ["function", "choice", "restore"]  # whose names say of what they are
ONES = {"ongoing"}  # that give 0 nearly always
WRITTEN_OUT = {"copy": 3, "journal": 1, "note": 1, "jot": 2}  # and how many numbers each takes


def spoil(table: dict[type, Any], node: type, how: Any) -> Callable[[pytest.MonkeyPatch], None]:
    """Break the writer of a node."""
    return lambda patch: patch.setitem(table, node, functools.partial(how, table[node]))


def spoil_function(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Break a function, or those of a group: they do nothing and give 0."""

    def broken(module: Module, pages: int) -> bytes:
        for of, number in module.functions.items():
            if name in (of, of.split()[0]):
                code = module.codes[number]
                assert code is not None
                module.codes[number] = made = Code(code.parameters)
                made.const(int(name in ONES))
        return binary(module, pages)

    binary = Module.binary
    return lambda patch: patch.setattr(Module, "binary", broken)


def spoil_written_out(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    """The same of what is written where it is needed."""

    def broken(code: Code, *at: Any) -> None:
        code.op(*[DROP] * WRITTEN_OUT[name])
        code.const(0)

    return lambda patch: patch.setattr(compile, name, broken)


ROWS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    **{f"value {node.__name__}": spoil(compile.VALUES, node, otherwise) for node in compile.VALUES},
    **{f"each {node.__name__}": spoil(compile.RUNS, node, nothing) for node in compile.RUNS},
    **{f"do {node.__name__}": spoil(table, node, INSTEAD.get(node, nothing)) for table in (changes.CHANGES, units.INSTRUCTIONS) for node in table},
    **{name: spoil_function(name) for name in (*FUNCTIONS, *MADE, *GROUPS)},
    **{name: spoil_written_out(name) for name in WRITTEN_OUT},
}
GARBAGE = (LookupError, ValueError, TypeError, struct.error, Stopped, IllegalChoice)  # what cannot be read as a state or a log, or be gone on with


def notices(rules: Rules) -> bool:
    """Whether games go another way in the module: those that are played choice by choice, or those that are played inside."""
    pair = Watchful(rules)
    try:
        module = pair.wasm.instance(2)
        for seed in range(4):
            pair.failures = 0
            try:
                pair.play(2, seed, 50)
            except RulesError:
                if not pair.failures:  # not the same on both
                    return True
        if rules.id == "inside":
            played = module.play_random(3, 7)
            return played.helped > 0 or (played.choices, list(played.wins)) != test_wasm.on_foot(rules, 3, 7)
    except (AssertionError, pytest.fail.Exception, *GARBAGE):
        return True
    return False


FIRST = ("nested", "things", "more", "answers of each")
SHOWN = {  # in which subject the rows show, if not in one of the first
    "a batch inside a batch waits for the outer one":
        "begin_batch, begin_deferred, do Batch, do Defer, do Next, do RunDeferred, each Listed, gather, items, next_deferred, open_batch, sort, "
    "value Batched",
    "a cost that holds for a time": "value ActionOf, value Fold",
    "a full place takes no more": "value Count, value First, value Place, value Table",
    "a reaction to a reaction": "ongoing, value Asked, value Ongoing",
    "answers of each": "depth, exchange, exchange_all, jot, sealed",
    "chance chooses among numbers and words too": "alloc, collect, do Pick, do Say, seers_into, teller, value Listed",
    "change: all that hold apply, one after the other": "multiply, note_list, value And, value Apply, value Bind, value Charge",
    "each chooses in turn": "decider, keep, keep_small, lookup, put_small, turn, value All, value Lookup",
    "end game from deep inside; then the ending, with several winners in order": "do EndGame",
    "inside": "begin, policy, seed",
    "more": "among, do Roll, do Show, each Visible, show, told_bits, value Among, value Deed, value GranterOf, value Last",
    "nothing": "numbers, value Numbers",
    "ordered by choice of a player":
        "any_real, asked, choice, choose, do Ask, go, knows, pack, relocate, value Veiled, value Without, veiled, without",
    "paying as a statement: all of it or nothing": "append, do Put, each Members, each OfKind, move, move_all, put, take, value PlaceOf, value Take",
    "proceed with other arguments, to somebody else": "do Proceed, value In",
    "queries": "each All, owner, value Empty, value Lies",
    "random 17": "value HookOf",
    "random 3": "each Both",
    "set until inside a batch, and when the event is replaced": "value BearerOf",
    "swap": "value Measure",
    "stages and ties": "do Switch, each Map, free_used, less, pop, swap, value Choices",
    "the first time only": "do Use, use, used, value IsKind, value Not, value Used",
    "the outcome of a replaced event is that of what happened": "do Result, do Return, value Key, value Version",
    "the place of a player that is known only in play runs out for that player": "value Exists, value Needed",
    "things":
        "count_item, do Dispatch, do Shuffle, each Links, each Within, end_look, forget, heir, hidden, inside, learn, member_list, player_bits, "
    "position, revealed, same_items, same_order, seen, seers, shown_in, shuffle, value Best, value Same",
    "until: hooks that hold for a time, with the names of the effect that made them":
        "do CallHook, each Installed, each Query, held_at, value ApplyHook, value Query",
    "ways": "each Neighbours, each Reachable, once, value Distance, value Once",
    "who is eliminated is never asked again, and stays out": "contains_item, do Outcome, each Many, outcome",
}  # fmt: skip
SUBJECT = {row: name for name, rows in SHOWN.items() for row in rows.split(", ")}
EXCEPT = {
    "value Trial": "what it leads to stops the module",
    "do Settle": "it writes nothing: a person who shuffles is with `step`",
    "plainly_hidden": "it only stops the module",
    "look": "it only counts what stops the module",
    "play": "games that are never over are asked for without end",
    "memorise": "decisions are only found more slowly (`test_wasm` has what it is for)",
}
TEXTS = {
    **subjects.SMALL, "things": subjects.THINGS, "inside": subjects.INSIDE, **{f"random {seed}": random_rules(seed) for seed in (3, 17)},
    **{name: test_engine_semantics.TABLE + case.rules for name, case in test_engine_semantics.CASES.items()},
}  # fmt: skip


@functools.cache
def rules(folder: Path, name: str) -> Rules:
    return rules_of(folder, TEXTS[name], name if name == "inside" else "game", engine="step")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("subjects")


@pytest.mark.parametrize("row", mostly_slow([row for row in ROWS if row not in EXCEPT], 3))
def test_what_is_broken_is_noticed(row: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In games of the subject that is named for it, or of one of the first."""
    names = [SUBJECT[row]] if row in SUBJECT else FIRST
    found = [rules(folder, name) for name in names]
    ROWS[row](monkeypatch)
    assert any(map(notices, found)), "nobody has noticed"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["things", "inside"])
def test_nothing_is_noticed_where_nothing_is_broken(name: str, folder: Path) -> None:
    assert not notices(rules(folder, name))


def test_the_table_is_whole(folder: Path) -> None:
    """Every function of a module has a row, and every row of the tables here is one."""
    made = compile.Compilation(rules(folder, "nested").linked(2))
    made.binary()
    written = {name for name in made.module.functions if name.split()[0] not in ("unit", *GROUPS)}
    assert written <= set(ROWS)
    assert {*EXCEPT, *SUBJECT} <= set(ROWS)
    assert {*compile.VALUES, *compile.RUNS, *changes.CHANGES, *units.INSTRUCTIONS} <= {*get_args(c.Expression), *get_args(c.Instruction)}
