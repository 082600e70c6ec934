"""Chance: the one door through which dice, random picks and shuffles go.

A request says what is asked and among how many; the answer is a number from 0. The seed answers by default, with a small generator whose whole state
is one number kept in the game. A script answers from a list, so that a scenario or a replay can say what happened; what it leaves open the seed answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MASK = (1 << 64) - 1


def start(seed: int) -> int:
    """The first state of the generator for a seed; stirred, so that neighbouring seeds have nothing in common."""
    bits = (seed * 0x9E3779B97F4A7C15 + 0x6FECC3EC50DD6918) & MASK  # as `advance` would, a step on
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def advance(state: int) -> tuple[int, int]:
    """The next state and 64 random bits (splitmix64: the same on every machine)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK
    bits = state
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return state, bits ^ (bits >> 31)


def below(state: int, limit: int) -> tuple[int, int]:
    """The next state and a number from 0 to limit - 1, each equally likely."""
    while True:
        state, bits = advance(state)
        if bits <= MASK - limit or bits < (1 << 64) - (1 << 64) % limit:
            return state, bits % limit


def permutation(state: int, count: int) -> tuple[int, list[int]]:
    """The next state and a random order of 0 .. count - 1: as if each number were asked for with `below`, but in one go."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        after = (state + 0x9E3779B97F4A7C15) & MASK
        bits = ((after ^ (after >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
        bits ^= bits >> 31
        state, chosen = (after, bits % (last + 1)) if bits <= MASK - count else below(state, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return state, order


class Doubt(NamedTuple):
    """What chance is asked: a sentence, and what stands in its braces; a place and a component by their numbers, a die by its name."""

    sentence: str
    place: int | None = None
    die: str = ""
    number: int = 0
    thing: int | None = None


class Needed(Exception):
    """Raised where chance is asked and a person is to answer: what for, and what may be answered, each answer with its weight."""

    def __init__(self, what: Doubt, options: list[list[object]]) -> None:
        super().__init__(what.sentence)
        self.what = what
        self.options = options


class Script:
    """Answers given beforehand, one after another; with `ask` a person gives them as they come up."""

    __slots__ = ("answers", "ask", "given")

    def __init__(self, answers: Sequence[object] = (), ask: bool = False) -> None:
        self.given = list(answers)
        self.answers = list(answers)
        self.ask = ask

    def copy(self) -> Script:
        """A script that goes on from here by itself."""
        made = Script.__new__(Script)
        made.given, made.answers, made.ask = self.given, self.answers[:], self.ask
        return made

    def next(self) -> object | None:
        """The next answer, or None if the script has nothing more to say."""
        return self.answers.pop(0) if self.answers else None
