"""Rehearsals: whether a payment can be made to its end, tried out on a copy of the game in every way there is until one succeeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.core import chance
from rulewright.step.closures import COPIED
from rulewright.step.instructions import Unpaid, run, take
from rulewright.step.machine import Machine
from rulewright.step.state import Frame, Value

DECISIONS = 2_000  # tried out for one payment; that it needs more is an error
DEEP = 40  # decisions inside one payment
SUPPOSED = 8  # what would be, inside of what would be


class Endless(Exception):
    """There are too many ways to pay."""


def can_pay(machine: Machine, unit: str, arguments: list[Value]) -> bool:
    """Whether a payment can be made."""
    with tried(machine) as trial:
        trial.state.frames = [Frame(trial.linked.over, [None] * trial.linked.sizes["the game"], machine.state.frames[-1].cause)]
        trial.push(unit, arguments)
        try:
            return succeeds(trial, [DECISIONS], DEEP)
        except Endless:
            machine.fail(f"more than {DECISIONS:,} ways to pay for something were tried")


def supposing(machine: Machine, unit: str, arguments: list[Value], then: Callable[[Machine], Value]) -> Value:
    """What is found after a unit has been carried out; to ask somebody in it, or to leave something to chance, is an error."""
    if machine.supposed >= SUPPOSED:
        machine.fail(f"what would be if something were done, inside of what would be, more than {SUPPOSED} deep")
    with tried(machine) as trial:
        state, about = trial.state, unit.partition(" ")[2]
        trial.supposed = machine.supposed + 1
        frames, before = state.frames, state.random
        state.frames = [Frame(trial.linked.over, [None] * trial.linked.sizes["the game"], frames[-1].cause)]
        state.batches = ()
        trial.push(unit, arguments)
        try:
            run(trial)
        except Unpaid:
            machine.fail(f"what comes of '{about}' cannot be known before it is done: something is paid in it")
        if trial.asked is not None:
            machine.fail(f"what comes of '{about}' cannot be known before it is done: somebody is asked in it")
        if state.random != before:
            machine.fail(f"what comes of '{about}' cannot be known before it is done: something is left to chance in it")
        state.frames = frames
        return then(trial)


def spared(machine: Machine, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Of the answers to a question inside a payment, those that leave the rest of it payable."""
    owing = next((number for number, frame in enumerate(machine.state.frames) if frame.at in machine.linked.owes), None)
    if machine.trial or owing is None or len(values) < 2:
        return values
    machine.looked = machine.steps = 0  # all of them together may cost as much as a choice
    known: dict[Any, bool] = {}
    for value in values:
        sort = machine.likeness(value)
        if sort not in known:
            with tried(machine) as trial:
                frames = trial.state.frames[owing:]
                trial.state.frames = [Frame(trial.linked.over, [None] * trial.linked.sizes["the game"], machine.state.frames[-1].cause), *frames]
                try:
                    known[sort] = taken(trial, value, [DECISIONS], DEEP)
                except Endless:
                    machine.fail(f"more than {DECISIONS:,} ways to pay for something were tried")
    return tuple([value for value in values if known[machine.likeness(value)]]) or values


@contextmanager
def tried(machine: Machine) -> Iterator[Machine]:
    """A machine that tries things out: nothing of it comes back but what it has cost, its log is its own, and its dice are not those of the game."""
    world = machine.world
    machine.look((world.count + world.place_count + len(machine.state.values)) // COPIED)
    log, machine.state.log = machine.state.log, []
    state = machine.state.clone()
    machine.state.log = log
    state.random = chance.advance(state.random)[1]
    made = Machine(machine.linked, state, machine.budget)
    made.trial, made.looked, made.steps = True, machine.looked, machine.steps
    try:
        yield made
    finally:
        machine.looked, machine.steps = made.looked, made.steps


def succeeds(machine: Machine, left: list[int], deep: int) -> bool:
    """Whether a trial comes to the end of the payment on some way."""
    try:
        run(machine)
    except Unpaid:
        return False
    if machine.asked is None:
        return True
    different: dict[Any, Value] = {}
    for value in machine.asked[1]:
        different.setdefault(machine.likeness(value), value)
    for value in different.values():
        with tried(machine) as trial:
            if taken(trial, value, left, deep - 1):
                return True
    return False


def taken(machine: Machine, value: Value, left: list[int], deep: int) -> bool:
    """Whether a trial comes to the end after an answer."""
    left[0] -= 1
    if left[0] < 0 or deep < 0:
        raise Endless
    take(machine, value)
    return succeeds(machine, left, deep)
