"""Sabotages: every step of the lowering, every instruction and every expression of `step` is broken on purpose, and some game has to go another way.

What is broken is patched before a ruleset is lowered and linked; then subjects are played until a game of one of them goes another way than it did, or
breaks. Which subject it is does not matter: there has to be one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright import Rules, load
from rulewright.core import program as c
from rulewright.core.lower import Lowering, lower
from rulewright.core.lower.actions import Actions
from rulewright.core.lower.choices import Choices
from rulewright.core.lower.costs import Costs
from rulewright.core.lower.events import Events
from rulewright.core.lower.expressions import NO, NONE, YES, Expressions
from rulewright.core.lower.hooks import Hooks
from rulewright.core.lower.statements import Statements
from rulewright.core.lower.values import Values
from rulewright.step import closures, expressions, instructions, streams
from rulewright.step.closures import Code
from rulewright.step.instructions import Executor
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import Frame
from tests import test_engine_semantics, test_language
from tests.playing import nodes_in, rules_of
from tests.random_rules import random_rules
from tests.recorded import played
from tests.subjects import MORE, OFFERS, QUERIES

pytestmark = pytest.mark.slow
SEEDS = (3, 11, 17, 29, 62, 91, 107, 140)
BROKEN = (
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
    instructions.Unpaid,
)  # ways in which a sabotage may show


class Subject:
    """A ruleset that is played, and the sorts of nodes in its program."""

    def __init__(self, rules: Rules, games: int) -> None:
        self.rules, self.games = rules, games
        self.holds = frozenset(map(type, nodes_in(lower(rules.graph))))
        self.players = max(rules.players[0], min(rules.players[1], 2))
        self.meant = [*self.played()]

    def played(self) -> Iterator[str]:
        """What comes of its games, with everything lowered and linked anew."""
        rules = Rules(self.rules.built, self.rules.target, (), "step")
        return (played(rules, self.players, seed, 80) for seed in range(self.games))

    def notices(self) -> bool:
        """Whether a game goes another way, or something breaks."""
        try:
            return any(now != meant for now, meant in zip(self.played(), self.meant, strict=True))
        except BROKEN:
            return True


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> list[Subject]:
    """The rulesets that are played: the small ones first, since they are quick. All of them notice nothing yet."""
    folder: Path = tmp_path_factory.mktemp("subjects")
    small = [test_engine_semantics.TABLE + case.rules for case in test_engine_semantics.CASES.values()]
    large = [MORE, OFFERS, QUERIES, *map(random_rules, SEEDS)]
    made = [rules_of(folder, text, f"subject_{number}", engine="step") for number, text in enumerate((*small, *large))]
    found = [Subject(rules, 1 if number < len(small) else 2) for number, rules in enumerate(made)]
    found += [Subject(load(case, engine="step"), 1) for case in test_language.cases("good") if case.suffix == ".rules" and not is_layer(case)]
    assert not [subject.rules.id for subject in found if subject.notices()]
    return found


def is_layer(path: Path) -> bool:
    return path.read_text(encoding="utf-8").lstrip().startswith("layer ")


def noticed(subjects: list[Subject], only: type | None = None) -> bool:
    """Whether a sabotage is noticed; `only` says what a program must hold for it to come into question."""
    return any(subject.notices() for subject in subjects if only is None or only in subject.holds)


# -- expressions


def spoiled(value: Any) -> Any:
    """Another value of the same shape."""
    if isinstance(value, tuple):
        return value[:-1] if value else value
    if isinstance(value, bool):
        return not value
    return 1 - value if value in (0, 1) else None


def spoil(make: Callable[[Linked, Any], Code]) -> Callable[[Linked, Any], Code]:
    """An expression that always gives something else."""

    def made(linked: Linked, node: Any) -> Code:
        whole = make(linked, node)
        return lambda machine, names: spoiled(whole(machine, names))

    return made


def spoil_stream(make: Callable[[Linked, Any, bool], Any]) -> Callable[[Linked, Any, bool], Any]:
    """The same where things are gone through one after another."""

    def made(linked: Linked, node: Any, charge: bool) -> Any:
        whole = make(linked, node, charge)
        return lambda machine, names: iter(spoiled(tuple(whole(machine, names))))

    return made


LOWERED = [sort for sort in get_args(c.Expression) if sort not in (c.Table, c.Charge)]  # which only passes write: see test_passes


@pytest.mark.parametrize("sort", LOWERED, ids=lambda sort: sort.__name__)
def test_a_broken_expression_is_noticed(sort: type, subjects: list[Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them gives something else than it should."""
    monkeypatch.setitem(expressions.TABLE, sort, spoil(expressions.TABLE[sort]))
    if sort in streams.EACH:
        monkeypatch.setitem(streams.EACH, sort, spoil_stream(streams.EACH[sort]))
    assert noticed(subjects, sort)


# -- instructions


def skip(linked: Linked, at: int, node: Any) -> Executor:
    """Do nothing."""
    return lambda machine, frame: at + 1


def going(part: str) -> Callable[[Linked, int, Any], Executor]:
    """Go on with the block that a part of the instruction names, whatever it should do."""
    return lambda linked, at, node: lambda machine, frame: linked.starts[getattr(node, part)]


def inverted(linked: Linked, at: int, node: c.Branch) -> Executor:
    return instructions.branch(linked, at, c.Branch(node.test, node.otherwise, node.then))


def returning(linked: Linked, at: int, node: Any) -> Executor:
    """End the unit, and give nothing."""
    return instructions.return_(linked, at, c.Return())


def astray(linked: Linked, at: int, node: Any) -> Executor:
    return lambda machine, frame: linked.over


def answered(linked: Linked, at: int, node: c.Ask) -> Executor:
    """Take the first answer without asking."""
    values = closures.code(linked, node.values)

    def run(machine: Machine, frame: Frame) -> int:
        found = values(machine, frame.names)
        frame.names[node.slot] = found[0] if found else None
        return linked.starts[node.then]

    return run


def without_what_was_put_off(linked: Linked, at: int, node: c.RunDeferred) -> Executor:
    def run(machine: Machine, frame: Frame) -> int:
        machine.state.batches = machine.state.batches[:-1]
        return linked.starts[node.then]

    return run


INSTRUCTIONS: dict[type, Callable[[Linked, int, Any], Executor]] = {
    **dict.fromkeys((
        c.Let, c.Set, c.Put, c.Shuffle, c.Roll, c.Pick, c.Show, c.Say, c.Outcome, c.Install, c.Expire, c.Use, c.Batch, c.Defer, c.Result,
    ), skip),
    c.Jump: astray, c.Branch: inverted, c.Dispatch: going("otherwise"), c.Switch: going("otherwise"), c.Next: going("after"), c.Call: going("then"),
    c.CallHook: going("then"), c.RunDeferred: without_what_was_put_off, c.Proceed: going("then"), c.Return: returning, c.Ask: answered, c.Fail: returning,
    c.EndGame: returning, c.Finish: returning,
}  # fmt: skip
CHANCE = {c.Settle}  # does something only where a person answers for chance; `test_chance` has that


def test_every_instruction_has_a_sabotage() -> None:
    """The table is complete."""
    assert set(INSTRUCTIONS) | CHANCE == set(get_args(c.Instruction))


@pytest.mark.parametrize("sort", INSTRUCTIONS, ids=lambda sort: sort.__name__)
def test_a_broken_instruction_is_noticed(sort: type, subjects: list[Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them does nothing, or the wrong thing."""
    monkeypatch.setitem(instructions.TABLE, sort, INSTRUCTIONS[sort])
    assert noticed(subjects, sort)


# -- lowering


def nothing(*_: Any, **__: Any) -> None:
    """Write nothing."""


def always(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def without_hooks(values: Values, path: str, value: Any, found: c.Expression, writer: Any) -> c.Expression:
    return found


def as_written(costs: Costs, path: str, scope: Any, actor: Any) -> Any:
    return costs.written(costs.graph["actions"][path]["costs"], scope)


def only_a_field(low: Lowering, of: c.Expression, name: str, scope: Any) -> c.Expression:
    return c.Field(of, name)


def first_argument(*given: Any, **_: Any) -> Any:
    return given[1]


SAME_ORDER = Hooks.on


def backwards(hooks: Hooks, event: str, *timings: str) -> list[str]:
    return SAME_ORDER(hooks, event, *timings)[::-1]


LOWERING: list[tuple[type, str, Callable[..., Any]]] = [
    *((Events, name, nothing) for name in ("instead", "before", "after", "unless_changed", "unless_cancelled", "each_held", "defer", "body")),
    (Events, "plain", always(True)),
    (Events, "holding", always(c.Listed(()))),
    (Events, "held", always(NO)),
    (Events, "applies", always(YES)),
    (Events, "affected", always(c.Const(1))),
    (Hooks, "on", backwards),
    (Hooks, "may_hold", always(False)),
    (Hooks, "hooked", always(False)),
    (Hooks, "bearers", always(None)),
    (Hooks, "bearer", always(NONE)),
    (Values, "changed", without_hooks),
    (Costs, "of_action", as_written),
    (Costs, "payable", always(YES)),
    (Costs, "positive", first_argument),
    (Costs, "pay", nothing),
    (Costs, "alike", always(True)),
    (Costs, "held", lambda costs, target, name, amount, actor, scope: amount),
    (Costs, "changed", lambda costs, identity, amount, actor, scope: amount),
    (Choices, "open_option", always(YES)),
    (Choices, "leading", lambda choices, node, values, *_: values),
    (Choices, "payer", always(NONE)),
    (Choices, "take_option", nothing),
    (Choices, "choose_several", nothing),
    (Choices, "choose_one", nothing),
    (Choices, "choose_each", nothing),
    (Actions, "granted", always([])),
    (Actions, "grouped", always(True)),
    (Actions, "possible", always(YES)),
    (Actions, "spoken_of", always(False)),
    (Actions, "user", always(NONE)),
    (Actions, "reaction", nothing),
    (Actions, "offered", always(c.Listed(()))),
    (Actions, "selectable", always(YES)),
    (Actions, "leads_on", always(YES)),
    (Lowering, "member", only_a_field),
    (Lowering, "beginnings", always({})),
    (Lowering, "field_shape", always("one")),
    (Expressions, "fitted", first_argument),
    (Statements, "run_out", nothing),
    (Statements, "settle_batches", nothing),
    (Statements, "next_chosen", nothing),
    (Statements, "tie_sizes", lambda statements, node, items, scope: c.Listed((c.Count(items),))),
    (Statements, "drawable", always(c.Listed(()))),
]


@pytest.mark.parametrize(("owner", "name", "broken"), LOWERING, ids=[f"{owner.__name__}.{name}" for owner, name, _ in LOWERING])
def test_a_broken_step_of_the_lowering_is_noticed(
    owner: type, name: str, broken: Callable[..., Any], subjects: list[Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each writes nothing, or something else."""
    monkeypatch.setattr(owner, name, broken)
    assert noticed(subjects)


STATEMENTS = (
    "bind", "set", "move", "draw", "shuffle", "roll", "show", "log", "outcome", "end", "install", "branch", "match", "each", "repeat", "batch", "jump", "return",
    "cancel", "proceed", "pay", "call", "choose", "offer",
)  # fmt: skip


@pytest.mark.parametrize("op", STATEMENTS)
def test_a_statement_that_is_forgotten_is_noticed(op: str, subjects: list[Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements of one sort are left out."""
    begin = Statements.__init__

    def forgetful(statements: Statements, low: Lowering) -> None:
        begin(statements, low)
        assert set(statements.table) == set(STATEMENTS)
        statements.table[op] = nothing

    monkeypatch.setattr(Statements, "__init__", forgetful)
    assert noticed(subjects)
