"""Sabotages: every step of the lowering, every instruction and every expression of `step` is broken on purpose, and the lockstep has to notice.

What is broken is patched before a ruleset is lowered and linked; then subjects are played in lockstep until one of them goes another way, or breaks. Which
subject it is does not matter: there has to be one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright import Rules, RulesError, load
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
from rulewright.step import expressions, instructions
from rulewright.step.expressions import Code
from rulewright.step.instructions import Executor
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import Frame
from tests import test_engine_semantics, test_engines, test_language, test_queries
from tests.lockstep import Lockstep, nodes_in
from tests.playing import rules_of
from tests.random_rules import random_rules

pytestmark = pytest.mark.slow
SEEDS = (3, 11, 17, 29, 62, 91, 107, 140)
BROKEN = (AssertionError, LookupError, TypeError, ValueError, AttributeError, RecursionError, RulesError)  # ways in which a sabotage may show

MORE = """
kind room is place:
    lit: flag
    friends: set of pawn
kind door links room, room:
    state: open | closed = open
kind cell is place:
    holds up to 1 stone
kind stone:
    weight: 1..9 = 2
    starts in box
kind pawn:
    player: player or none
    wounds: 0..9
    decided by player
    place bag: an area of stone
    value load: total weight over stones in bag
kind player:
    score: number
    place hand: a row of stone, seen by owner
place box: an area of stone
place sack: a bag of stone, seen by nobody
grid board of cell: 4 by 4
room hall "Hall": lit
room attic "Attic"
room yard "Yard"
room cellar "Cellar"
door stairs "Stairs" from hall to attic
door gate "Gate" from hall to yard: closed
door hatch "Hatch" from yard to cellar: one_way
pawn ann "Ann" in hall
pawn bob "Bob" in yard
stone pebble "Pebble" x9
stone flint "Flint" x3: weight 5
die fate: 1, 2, 3, star
track doom: calm x2, storm, flood
value word_for(n: number) gives text:
    if n > 2: give "more than {n - 1}"
    give "few"
value fact(n: number) gives number:
    if n > 1: give n * fact(n - 1)
    give 1
when doom reaches storm: log "It storms, {doom.colour}."
when box runs out: log "The box is empty."
cost pebbles(who: player, amount: number):
    when count of stones in who.hand >= amount because "too few"
    do:
        log "{who} pays {amount}."
        move exactly (amount) stones from who.hand to box
action trade "Trade":
    by player
    cost (actor.score - 9) pebbles
    do: ease(actor)
action haggle "Haggle":
    by player
    cost 1 pebbles
    do: log "{actor} haggles."
action splurge "Splurge":
    by player
    cost 1 pebbles, 1 pebbles
    do: log "{actor} splurges."
effect ease(who: player):
    until turn:
        cost of haggle is 1 pebbles less when actor = who
    greet(ann)
    offer actions to who:
        "Nothing": nothing
effect greet(those: set of pawn):
    log "{count of those}"
    for each pawn in those: increase pawn.wounds by 1
phase setup:
    set ann.player to the player where seat = 1
    set bob.player to the player where seat = 2
    set hall.friends to all pawns in hall
phase play:
    repeat 6 times:
        for each player in players ordered by seat: turn(player)
    for each player in players: tell(player)
    end game
effect tell(who: player):
    log "{who}: {who.score}, {word_for(who.score)}."
effect turn(who: player):
    offer actions to who:
        "Rest": nothing
    let mine = the pawn where it.player is who
    let face = roll fate
    if face is star: advance doom by 1
    else: increase who.score by 1
    who may choose target: a cell in board where it is empty and row <= 3
    if target is not none: move a stone from box to target
    if any line in lines(board, 3) where every cell in line holds a stone: increase who.score by 3
    let far = all rooms reachable from hall within 2 through an open door
    let near = all cells within 1 of board_2_2
    let seen = all cells visible from board_1_1 blocked by all cells in board where not it is empty
    log "{count of far}, {count of near}, {count of seen}, {distance from hall to cellar through a door}."
    log "{count of doors of hall}, {count of rooms next to hall through an open door}, {highest_of(who.score, 3)}."
    if hall.friends = (all pawns in hall): log "Still there."
    if not (all pawns in yard) = hall.friends: log "Not there."
    set attic.friends to all pawns
    if mine is in attic.friends: log "{attic.friends}"
    move a stone from box to mine.bag
    log "{count of stones of mine}, {mine.load}, {fact(3)}."
    each player secretly chooses gift: up to 2 stones in mine.bag
    log "{count of gift of who}"
    each player chooses bid: a number from 0 to 2
    increase who.score by bid of who
    ask who "Swap the gate?":
        if gate is open: set gate.state to closed
        else: set gate.state to open
    else: nothing
    if mine is in (all rooms): log "In a room."
    show all stones in who.hand to (all players where player is not who)
    move a stone from box to who.hand
    log "You have {the last stone in who.hand}." to who
    let whom = the last pawn in hall
    if whom is not none: show (the first stone in whom.bag) to who
    move up to 2 stones from box to sack
    draw a stone from sack to who.hand
    tell(who)
"""


class Subject:
    """A ruleset that is played, and the sorts of nodes in its program."""

    def __init__(self, rules: Rules, games: int) -> None:
        self.rules, self.games = rules, games
        self.holds = frozenset(map(type, nodes_in(lower(rules.graph))))
        self.players = max(rules.players[0], min(rules.players[1], 2))

    def notices(self) -> bool:
        """Whether the two engines part, or something breaks."""
        try:
            together = Lockstep(self.rules, self.players)
            for seed in range(self.games):
                together.play(seed, 80)
        except BROKEN:
            return True
        return False


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> list[Subject]:
    """The rulesets that are played: the small ones first, since they are quick. All of them notice nothing yet."""
    folder: Path = tmp_path_factory.mktemp("subjects")
    small = [test_engine_semantics.TABLE + case.rules for case in test_engine_semantics.CASES.values()]
    large = [MORE, test_engines.OFFERS, test_queries.RULES, *map(random_rules, SEEDS)]
    made = [rules_of(folder, text, f"subject_{number}", engine="walk") for number, text in enumerate((*small, *large))]
    found = [Subject(rules, 1 if number < len(small) else 2) for number, rules in enumerate(made)]
    found += [Subject(load(case, engine="walk"), 1) for case in test_language.cases("good") if case.suffix == ".rules" and not is_layer(case)]
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


LOWERED = [sort for sort in get_args(c.Expression) if sort is not c.Table]  # which only passes write: see test_passes


@pytest.mark.parametrize("sort", LOWERED, ids=lambda sort: sort.__name__)
def test_a_broken_expression_is_noticed(sort: type, subjects: list[Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them gives something else than it should."""
    monkeypatch.setitem(expressions.TABLE, sort, spoil(expressions.TABLE[sort]))
    if sort in expressions.EACH:
        monkeypatch.setitem(expressions.EACH, sort, spoil_stream(expressions.EACH[sort]))
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
    values = expressions.code(linked, node.values)

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
