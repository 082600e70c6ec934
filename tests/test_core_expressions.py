"""Expressions of the core, each by itself in a small world: what it gives, of nothing too. The table is complete."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from rulewright import RulesError
from rulewright.core import program as c
from rulewright.core.lower import lower
from rulewright.core.world import World
from rulewright.step.closures import code
from rulewright.step.link import Linked
from rulewright.step.machine import OVER, Machine, first_state
from rulewright.step.state import Held, State
from tests.playing import rules_of

RULES = """
kind player:
    score: number
    place hand: a row of card, seen by owner
kind card:
    rank: 1..9
    actions for all players where self is in player.hand
    action flip "Flip":
        by player
        do: move self to deck
kind ace is card
kind pawn:
    player: player or none
    decided by player
kind cell is place:
    holds up to 1 pawn
kind room is place
kind door links room, room
place deck: a pile of card, seen by nobody
grid board of cell: 3 by 3
room hall "Hall"
room attic "Attic"
room cellar "Cellar"
door stairs "Stairs" from hall to attic
door hatch "Hatch" from hall to cellar
pawn ann "Ann" in hall
pawn bob "Bob" in attic
card low "Low" x2 in deck:
    rank 2, 3
ace high "High" in deck: rank 9
track alarm: quiet x2, loud
cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount
    do:
        who chooses paid: exactly (amount) cards in who.hand
        move paid to deck
value double(n: number): n * 2
effect hurt(who: pawn): nothing
effect climb(who: pawn): move who to attic
value climbed: ann.place is attic after climb(ann)
effect calm():
    until calm:
        after hurt(who): log "Ow."
after hurt(who): log "Ouch."
phase play:
    let one = the player where seat = 1
    one pays 1 cards
    if climbed: stop
    one may choose card: a card in deck
    calm()
"""


class Table:
    """A machine before the first instruction, and the numbers of things by their names."""

    def __init__(self, folder: Path) -> None:
        graph = rules_of(folder, RULES, engine="step").graph
        self.linked = Linked(lower(graph), World(graph, 2))
        self.machine = Machine(self.linked, first_state(self.linked, 1))

    @property
    def state(self) -> State:
        return self.machine.state

    def number(self, name: str, copy: int = 1) -> int:
        """A component, or a place that is nobody's."""
        world = self.linked.world
        return world.by_noun[name][copy - 1] if name in world.by_noun else world.global_places[name]

    def place(self, owner: int, name: str) -> int:
        return self.linked.world.owned_places[owner, name]

    def give(self, node: Any, *names: Any) -> Any:
        """What an expression gives, where slots hold some values; there is room for three more."""
        return code(self.linked, node)(self.machine, [*names, None, None, None])

    def named(self, *things: Any) -> list[str]:
        return [self.linked.world.identities[each] for each in things]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def n(value: int | None) -> c.Const:
    return c.Const(value)


def listed(*values: int | None) -> c.Listed:
    return c.Listed(tuple(map(n, values)))


NONE, X, Y, Z = n(None), c.Name(0), c.Name(1), c.Name(2)
DECK, HALL, ANN = c.Place("deck"), c.Component("hall"), c.Component("ann")
MORE_THAN_TWO = c.Compare(">", X, n(2))
FACTS: dict[str, list[tuple[c.Expression, Any]]] = {
    "const": [(n(7), 7), (NONE, None)],
    "compare": [
        (c.Compare("=", NONE, NONE), True), (c.Compare("<", n(1), n(2)), True), (c.Compare(">=", n(1), n(2)), False), (c.Compare("<", NONE, n(2)), False),
        (c.Compare(">=", n(2), NONE), False), (c.Compare("!=", n(2), NONE), True),
    ],
    "same": [(c.Same(listed(1, 2), listed(2, 1)), True), (c.Same(listed(1), listed(1, 1)), False), (c.Same(listed(), listed()), True)],
    "and": [(c.And((n(1), n(2))), True), (c.And((n(1), NONE)), False), (c.And(()), True)],
    "or": [(c.Or((n(0), n(2))), True), (c.Or((n(0), NONE)), False), (c.Or(()), False)],
    "not": [(c.Not(n(0)), True), (c.Not(n(3)), False), (c.Not(NONE), True)],
    "charge": [(c.Charge(3, n(5)), 5), (c.Charge(3, listed(1, 2)), (1, 2))],
    "if": [(c.If(n(1), n(5), n(6)), 5), (c.If(NONE, n(5), n(6)), 6)],
    "arithmetic": [
        (c.Arithmetic("+", n(2), n(3)), 5), (c.Arithmetic("-", n(2), n(3)), -1), (c.Arithmetic("*", n(2), n(3)), 6), (c.Arithmetic("/", n(-7), n(2)), -4),
        (c.Arithmetic("mod", n(-7), n(3)), 2), (c.Arithmetic("mod", n(7), n(-3)), 1), (c.Arithmetic("+", NONE, n(3)), 3), (c.Arithmetic("-", n(2), n(9), 0, 5), 0),
        (c.Arithmetic("+", n(999_999_998), n(1)), 999_999_999),
    ],
    "in": [(c.In(n(2), listed(1, 2)), True), (c.In(n(3), listed(1, 2)), False), (c.In(NONE, listed(1)), False)],
    "exists": [(c.Exists(listed(0)), True), (c.Exists(listed()), False), (c.Exists(c.Query(listed(1, 2), 0, (MORE_THAN_TWO,))), False)],
    "count": [(c.Count(listed(4, 4)), 2)],
    "first": [(c.First(listed(4, 5)), 4), (c.First(listed()), None)],
    "last": [(c.Last(listed(4, 5)), 5), (c.Last(listed()), None)],
    "best": [(c.Best("highest", (n(4), n(6), NONE)), 6), (c.Best("lowest", (n(4), NONE)), 0)],
    "measure": [
        (c.Measure("total", 0, listed(1, 2), X), 3), (c.Measure("highest", 0, listed(1, 2), X), 2), (c.Measure("lowest", 0, listed(3, 2), X), 2),
        (c.Measure("total", 0, listed(), X), 0), (c.Measure("highest", 0, listed(), X), None),
    ],
    "bind": [(c.Bind(0, n(4), c.Arithmetic("*", X, X)), 16)],
    "fold": [(c.Fold(1, n(10), 0, listed(1, 2, 3, 4), MORE_THAN_TWO, c.Arithmetic("+", Y, X)), 17), (c.Fold(1, n(10), 0, listed(), None, n(3)), 10)],
    "listed": [(c.Listed((n(1), NONE)), (1, None))],
    "many": [(c.Many(n(3)), (3,)), (c.Many(NONE), ()), (c.Many(listed(1, 2)), (1, 2))],
    "once": [(c.Once(listed(3, 1, 3, 1)), (3, 1))],
    "query": [
        (c.Query(listed(4, 1, 3), 0, (MORE_THAN_TWO,)), (4, 3)), (c.Query(listed(4, 1, 3), 0, (), (c.Order(X, False),)), (1, 3, 4)),
        (c.Query(listed(4, 1, None), 0, (), (c.Order(X, True),)), (4, 1, None)),
    ],
    "map": [(c.Map(0, listed(1, 2), c.Listed((X, c.Arithmetic("*", X, n(10))))), (1, 10, 2, 20)), (c.Map(0, listed(1, 2), NONE), ())],
    "take": [(c.Take(listed(1, 2, 3), n(2), False), (1, 2)), (c.Take(listed(1, 2, 3), n(2), True), (3, 2)), (c.Take(listed(1), n(-1), False), ())],
    "without": [(c.Without(listed(1, 2, 1), listed(1)), (2,)), (c.Without(listed(1, 2), listed()), (1, 2))],
    "both": [(c.Both((listed(1), listed(), listed(2, 1))), (1, 2, 1))],
    "numbers": [(c.Numbers(n(2), n(4)), (2, 3, 4)), (c.Numbers(n(4), n(2)), ()), (c.Numbers(NONE, n(1)), (0, 1))],
    "choices": [(c.Choices((n(1), n(0), n(2))), (0, 2))],
    "lookup": [
        (c.Lookup(c.Listed((listed(5, 6), listed(7, 8))), n(7), False), 8), (c.Lookup(c.Listed((listed(5, 6, 9),)), n(5), True), (6, 9)),
        (c.Lookup(c.Listed(()), n(5), False), None), (c.Lookup(NONE, n(5), True), ()),
    ],
    "trial": [(c.Trial(), False)],
    "version": [(c.Version(), 0)],
    "apply": [(c.Apply("double", (n(4),)), 8)],
    "needed": [(c.Needed(n(4), "is wanted"), 4)],
    "selection": [
        (c.Selection(listed(1, 2, 3), listed(), n(2), n(2), 0, c.Compare("=", c.Count(X), n(2))), True),
        (c.Selection(listed(1), listed(), n(2), n(2), 0, c.Compare("=", c.Count(X), n(2))), False),
        (c.Selection(listed(1, 2, 3), listed(1), n(0), n(2), 0, c.In(n(3), X)), True),
        (c.Selection(listed(1, 2, 3), listed(1, 2), n(0), n(2), 0, c.In(n(3), X)), False),
    ],
}  # fmt: skip


@pytest.mark.parametrize("sort", FACTS)
def test_expressions_of_numbers(sort: str, table: Table) -> None:
    """What needs no components."""
    for node, value in FACTS[sort]:
        assert table.give(node) == value, node
    assert {type(node).__name__.lower() for node, _ in FACTS[sort]} == {sort}


@pytest.mark.parametrize("how", ["/", "mod"])
def test_what_cannot_be_reckoned_is_an_error_of_the_rules(how: Any, table: Table) -> None:
    """By nothing, beyond all bounds, or with nothing where something is needed."""
    for node, words in (
        (c.Arithmetic(how, n(3), n(0)), "a division by zero"),
        (c.Arithmetic("*", n(99_999), n(99_999)), "a number that grows without bound"),
        (c.Arithmetic("-", n(-999_999_999), n(1)), "a number that grows without bound"),
        (c.Measure("total", 0, listed(999_999_999, 1), X), "a number that grows without bound"),
        (c.Needed(NONE, "a pawn is wanted"), "a pawn is wanted"),
        (c.Numbers(n(0), n(5_000)), "a choice among 5,001 numbers"),
    ):
        with pytest.raises(RulesError, match=words):
            table.give(node)


def things(table: Table) -> list[tuple[c.Expression, Any]]:
    """Expressions of things in the world, and what they give."""
    ann, bob, hall, attic, cellar, deck = (table.number(name) for name in ("ann", "bob", "hall", "attic", "cellar", "deck"))
    low, lower_, high, stairs, hatch = (
        table.number("low"),
        table.number("low", 2),
        table.number("high"),
        table.number("stairs"),
        table.number("hatch"),
    )
    cells = [cell for row in table.linked.world.cells["board"] for cell in row]
    corner, middle, hand = cells[0], cells[4], table.place(0, "player.hand")
    stride = table.linked.stride
    through = c.Through(c.All("door"), 0, (c.Compare("!=", X, c.Component("hatch")),))
    flip, ouch = table.linked.deed_numbers["card.flip"], table.linked.hook_numbers["after hurt/1"]
    return [
        (c.Word("quiet"), table.linked.word("quiet")),
        (ANN, ann), (DECK, deck), (c.PlaceOf(n(0), "player.hand"), hand), (c.PlaceOf(ANN, "player.hand"), None), (c.PlaceOf(NONE, "player.hand"), None),
        (c.Field(c.Component("high"), "rank"), 9), (c.Field(NONE, "rank"), None), (c.Field(ANN, "rank"), None), (c.Field(ANN, "place"), hall),
        (c.Field(n(1), "seat"), 2), (c.Field(n(lower_), "copy"), 2), (c.Field(n(middle), "row"), 2), (c.Field(n(middle), "column"), 2),
        (c.Field(n(stairs), "ends"), (hall, attic)), (c.Field(n(hand), "holder"), 0), (c.Field(c.Component("alarm"), "colour"), table.linked.word("quiet")),
        (c.Field(n(low), "owner"), None), (c.Field(ANN, "label"), table.linked.word("Ann")),
        (c.Decider(n(1)), 1), (c.Decider(ANN), None), (c.Decider(NONE), None), (c.Decider(DECK), None),
        (c.Asked(n(1)), True), (c.Asked(n(2)), False), (c.Asked(NONE), False),
        (c.IsKind(c.Component("high"), "card"), True), (c.IsKind(c.Component("high"), "low"), False), (c.IsKind(NONE, "card"), False), (c.IsKind(n(low), "low"), True),
        (c.Lies(ANN, HALL), True), (c.Lies(ANN, c.Listed((n(attic), n(hall)))), True), (c.Lies(ANN, c.Component("attic")), False), (c.Lies(NONE, HALL), False),
        (c.Lies(ANN, NONE), False),
        (c.Among(ANN, c.Listed((n(attic), n(hall)))), True), (c.Among(ANN, listed(ann)), True), (c.Among(ANN, listed(bob)), False), (c.Among(NONE, listed(ann)), False),
        (c.Empty(HALL), False), (c.Empty(c.Component("cellar")), True), (c.Empty(NONE), True), (c.Empty(listed()), True), (c.Empty(listed(1)), False),
        (c.Full(n(corner)), False), (c.Full(HALL), False), (c.Full(NONE), False),
        (c.ByKind(c.Component("high"), {"card": n(1), "ace": n(2)}, n(3)), 2), (c.ByKind(n(low), {"card": n(1), "low": n(2)}, n(3)), 2),
        (c.ByKind(ANN, {"card": n(1)}, n(3)), 3), (c.ByKind(NONE, {"card": n(1)}, n(3)), 3),
        (c.Distance(n(attic), n(cellar), None), 2), (c.Distance(n(attic), n(cellar), through), None), (c.Distance(n(hall), n(hall), None), 0),
        (c.Distance(NONE, n(hall), None), None),
        (c.Key("after hurt/1", NONE), ouch * stride + 1), (c.Key("after hurt/1", n(4)), ouch * stride + 6),
        (c.HookOf(c.Key("after hurt/1", n(4))), ouch), (c.HookOf(n(-3)), -1), (c.BearerOf(c.Key("after hurt/1", n(4))), 4),
        (c.BearerOf(c.Key("after hurt/1", NONE)), None), (c.BearerOf(n(-3)), 3),
        (c.Deed("card.flip", NONE), flip * stride), (c.Deed("card.flip", n(low)), flip * stride + low + 1), (c.ActionOf(c.Deed("card.flip", n(low))), flip),
        (c.ActionOf(n(-2)), -2), (c.GranterOf(c.Deed("card.flip", n(low))), low), (c.GranterOf(c.Deed("card.flip", NONE)), None),
        (c.Used("card.flip", NONE), False), (c.Batched(), False), (c.Ongoing("hurt", 0, ANN), False),
        (c.Knows(n(0), ANN), True), (c.Knows(n(0), n(low)), False), (c.Knows(NONE, ANN), True), (c.Knows(n(0), NONE), False),
        (c.Payable("payment of cards", (n(0), n(1))), False), (c.Payable("payment of cards", (n(0), n(0))), True),
        (c.Supposing("supposed climb", (NONE, ANN), c.Lies(ANN, c.Component("attic"))), True),
        (c.Supposing("supposed climb", (NONE, c.Component("bob")), c.Lies(ANN, c.Component("attic"))), False),
        (c.All("card"), (low, lower_, high)), (c.All("low"), (low, lower_)), (c.All("cell", "board"), tuple(cells)),
        (c.Members(DECK), (low, lower_, high)), (c.Members(NONE), ()), (c.Members(c.Listed((n(attic), NONE, n(hall)))), (bob, ann)),
        (c.OfKind(c.Members(DECK), "ace"), (high,)), (c.Links("door", HALL), (stairs, hatch)), (c.Links("door", c.Listed((n(attic), n(cellar)))), (stairs, hatch)),
        (c.Belonging(listed(0)), ()),
        (c.Neighbours(HALL, None), (attic, cellar)), (c.Neighbours(HALL, through), (attic,)), (c.Neighbours(NONE, None), ()),
        (c.Neighbours(n(corner), None), (cells[1], cells[3], middle)),
        (c.Within(n(corner), n(1)), (corner, cells[1], cells[3], middle)), (c.Within(NONE, n(1)), ()),
        (c.Reachable(n(attic), None, None), (hall, cellar)), (c.Reachable(n(attic), n(1), None), (hall,)), (c.Reachable(n(attic), None, through), (hall,)),
        (c.Reachable(NONE, None, None), ()),
        (c.Visible(n(corner), listed(cells[1])), tuple(each for each in cells if each != cells[2])), (c.Visible(NONE, None), ()),
        (c.Count(c.Lines("board", n(3))), 8), (c.Lines("board", n(9)), ()),
        (c.Veiled(listed(high, low), n(0)), (low, high)), (c.Veiled(listed(high, low), NONE), (high, low)), (c.Veiled(listed(bob, ann), n(0)), (bob, ann)),
        (c.Installed("hurt", ("after",)), ()),
        (c.Text(("All of ", c.Shown(ANN, "kind"), ": ", c.Shown(n(3), "number"))), table.linked.word("All of Ann: 3")),
    ]  # fmt: skip


def test_expressions_of_things(table: Table) -> None:
    """What asks about the world or the state."""
    for node, value in things(table):
        assert table.give(node) == value, node


def test_slots_hold_names(table: Table) -> None:
    """A slot of the frame."""
    assert table.give(X, 8, 9) == 8
    assert table.give(Z, 8, 9) is None


def test_tables_say_what_is_written_down(table: Table) -> None:
    """For the numbers that they know; for others the expression is asked."""
    known = c.Table((X,), (2,), (3,), (7, None, (8, 9)), 4, n(6))
    assert [table.give(known, number, 9) for number in (None, 1, 2, 3, 4, 5)] == [6, 6, 7, None, (8, 9), 6]
    assert table.machine.looked == 12
    assert table.give(c.Table((X, Y), (0, 5), (2, 3), (10, 11, 12, 13, 14, 15), 0, n(6)), 1, 6) == 14


def test_what_has_happened_is_remembered(table: Table) -> None:
    """Places that fill, players who are out, what is used up, what is going on, what holds for a time, batches."""
    state, machine, ann = table.state, table.machine, table.number("ann")
    hand, low = table.place(0, "player.hand"), table.number("low")
    corner = table.linked.world.cells["board"][0][0]
    before = state.version
    machine.put(low, hand, "top")
    assert state.version == before + 1
    assert table.give(c.Knows(n(0), n(low)))
    assert not table.give(c.Knows(n(1), n(low)))
    assert table.give(c.Belonging(listed(0))) == (low,)
    assert table.give(c.Field(n(low), "owner")) == 0
    assert table.give(c.Payable("payment of cards", (n(0), n(1))))
    assert not table.give(c.Payable("payment of cards", (n(0), n(2))))
    machine.put(ann, corner, "top")
    assert table.give(c.Full(n(corner)))
    machine.set(ann, "player", 1)
    assert table.give(c.Decider(ANN)) == 1
    state.outcomes = ("", "eliminated")
    assert not table.give(c.Asked(n(1)))
    state.used = (("card.flip", 0),)
    assert table.give(c.Used("card.flip", n(0)))
    machine.push("hurt", [ann]) if "hurt" in table.linked.entries else machine.push("event hurt", [ann, ()])
    unit = table.linked.unit_at[state.frames[-1].at]
    assert table.give(c.Ongoing(unit, 0, ANN))
    assert not table.give(c.Ongoing(unit, 0, n(0)))
    state.batches = ((),)
    assert table.give(c.Batched())
    state.batches = ((OVER,),)
    assert not table.give(c.Batched())


def test_hooks_that_hold_for_a_time_are_asked(table: Table) -> None:
    """By their number, as long as they hold."""
    hook = next(name for name in table.linked.program.hooks if "until" in name)
    table.state.held = (Held(hook, 5, (), "calm"),)
    assert table.give(c.Installed("hurt", ("after",))) == (-5,)
    assert table.give(c.Installed("hurt", ("before",))) == ()
    asked = c.ApplyHook(n(-5), "applies", (ANN,), NONE, NONE)
    assert table.give(asked)
    assert table.give(c.ApplyHook(n(-6), "applies", (ANN,), NONE, NONE)) is None


def test_a_value_that_asks_itself_ends(table: Table) -> None:
    """As deep as the budget says."""
    functions = table.linked.program.functions
    functions["double"] = c.Function("double", functions["double"].locals, 1, "one", c.Apply("double", (X,)))
    with pytest.raises(RulesError, match="the value 'double' asks itself without end"):
        table.give(c.Apply("double", (n(1),)))


def test_queries_count_what_they_look_at(table: Table) -> None:
    """Queries count what they look at."""
    table.give(c.Query(c.All("card"), 0, (n(1),)))
    assert table.machine.looked == 3
    table.give(c.Exists(c.Query(c.All("card"), 0, (n(1),))))
    assert table.machine.looked == 6


SHOWN_ELSEWHERE: dict[type, Callable[..., None]] = {
    c.Name: test_slots_hold_names,
    c.Table: test_tables_say_what_is_written_down,
    c.ApplyHook: test_hooks_that_hold_for_a_time_are_asked,
}


def test_every_expression_is_shown(table: Table) -> None:
    """None is left out."""
    shown = {type(node) for facts in FACTS.values() for node, _ in facts} | {type(node) for node, _ in things(table)} | {c.Lines}
    assert shown | set(SHOWN_ELSEWHERE) == set(get_args(c.Expression))
