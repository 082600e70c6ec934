"""Rehearsing: whether costs of several kinds can be paid one after another, tried out on a copy of the game.

Each kind of cost says what it needs, but two of them may want the same things. So before something with several costs is offered, a copy of the game
pays them, in every way there is until one succeeds; and while they are paid, only those options are offered that leave the rest payable.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulewright.core import chance
from rulewright.run.asking import Option, scope
from rulewright.run.evaluate import evaluate, many
from rulewright.run.machine import Machine
from rulewright.run.state import Left

DECISIONS = 2_000  # tried out for one payment; that it needs more is an error
DEEP = 40  # decisions inside one payment


class Unpaid(Exception):
    """A cost came up that can no longer be paid."""


class Endless(Exception):
    """There are too many ways to pay."""


def can_pay(machine: Machine, todo: list[Any]) -> bool:
    """Whether all these costs can be paid, in this order."""
    trial = _copy(machine)
    trial.state.stack += [{"f": "halt"}, {"f": "costs", "todo": [[name, dict(variables)] for name, variables in todo]}]
    return _told(machine, lambda: _succeeds(trial, [DECISIONS], DEEP))


def paying(machine: Machine) -> bool:
    """Whether what is going on is part of a payment of which more is to come."""
    return bool(machine.world.costly) and _payment(machine.state.stack) is not None


def sparing(machine: Machine, options: list[Option]) -> list[Option]:
    """Of the options of a decision inside a payment, those that leave the rest of it payable."""
    if not machine.world.costly or machine.trial or len(options) < 2:
        return options
    payment = _payment(machine.state.stack)
    if payment is None:
        return options
    known: dict[Any, bool] = {}
    for option in options:
        sort = machine.likeness(option.value)
        if sort not in known:
            trial = _copy(machine)
            trial.state.stack.insert(payment, {"f": "halt"})
            known[sort] = _told(machine, partial(_taken, trial, option, [DECISIONS], DEEP))
    return [option for option in options if known[machine.likeness(option.value)]] or options


def _payment(stack: list[Left]) -> int | None:
    """Where in what is going on a payment of which something is left comes first; None if there is none."""
    if dict in map(type, stack[1:-1]):  # below is the game, on top what is asked
        for number, each in enumerate(stack):
            if type(each) is dict and each["f"] == "costs" and each["todo"]:
                return number
    return None


def _told(machine: Machine, attempt: Callable[[], bool]) -> bool:
    """The outcome of an attempt; that there are too many ways is an error of the game, not of the copy."""
    try:
        return attempt()
    except Endless:
        machine.fail(f"more than {DECISIONS:,} ways to pay for something were tried")


def _copy(machine: Machine) -> Machine:
    """A machine that tries things out: nothing of it comes back, its log is its own, and its dice are not those of the game."""
    state = machine.state.clone(machine.world.engine.apart(machine.state.stack))
    state.log, state.log_length = [], 0
    state.random = chance.advance(state.random)[1]
    made = Machine(machine.world, state, machine.budget)
    made.trial = True
    return made


def _succeeds(machine: Machine, left: list[int], deep: int) -> bool:
    """Whether a trial comes to the end of the payment on some way."""
    from rulewright.run import questions

    try:
        machine.world.engine.run(machine)
    except Unpaid:
        return False
    asked = questions.question(machine)
    if asked is None:  # at the halt, or the game is over
        return True
    different: dict[Any, Option] = {}
    for option in _onwards(machine, asked[3]):
        different.setdefault(machine.likeness(option.value), option)
    return any(_taken(_copy(machine), option, left, deep - 1) for option in different.values())


def _onwards(machine: Machine, options: list[Option]) -> list[Option]:
    """Of the options of a choice of several things, those that come after what is picked: in which order they are picked makes no difference."""
    frame = machine.state.top()
    if frame["f"] != "choose" or not frame["picked"]:
        return options
    node = machine.world.graph["nodes"][frame["node"]]
    order = many(evaluate(machine, node["from"], scope(machine, frame, node)))
    left = order[order.index(frame["picked"][-1]) + 1 :] if frame["picked"][-1] in order else order
    return [option for option in options if option.value is None or option.value in left]


def _taken(machine: Machine, option: Option, left: list[int], deep: int) -> bool:
    """Whether a trial comes to the end after an option."""
    left[0] -= 1
    if left[0] < 0 or deep < 0:
        raise Endless
    machine.world.engine.take(machine, option)
    return _succeeds(machine, left, deep)
