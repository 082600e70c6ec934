"""History: the way back to earlier moments of a game, in bounded memory.

A step is what one undo takes back: a choice, with the forced ones that followed it. The states before the latest steps are kept, of older ones one in a
while, and the longer the game the fewer; any other is reached from the one before it by making the recorded choices again. What did not come of a choice
cannot be made again: the state after it is pinned, and always kept.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from interpreter.run.state import State

RECENT = 16
CHECKPOINTS = 32


class Moment(NamedTuple):
    """A moment one can go back to: the state, the number of choices up to it, and what chance is still told to give."""

    state: State
    kept: int
    answers: list[object]


class History:
    """The moments before each step of a game."""

    def __init__(self) -> None:
        self.counts: list[int] = []  # for each step, the number of choices before it
        self.moments: dict[int, Moment] = {}  # by step
        self.pinned: set[int] = set()
        self._stride = RECENT

    def __len__(self) -> int:
        return len(self.counts)

    def push(self, moment: Moment) -> None:
        """Another step, begun at this moment."""
        self.moments[len(self)] = moment
        self.counts.append(moment.kept)
        self._let_go(len(self) - 1 - RECENT)
        if len(self) > self._stride * CHECKPOINTS:
            self._stride *= 2
            for step in [step for step in self.moments if step < len(self) - RECENT]:
                self._let_go(step)

    def _let_go(self, step: int) -> None:
        if step % self._stride and step not in self.pinned:
            self.moments.pop(step, None)

    def remember(self, moment: Moment) -> None:
        """A moment that was reached again; it is kept if it is of the latest ones."""
        step = bisect_left(self.counts, moment.kept, max(len(self) - RECENT, 0))
        if step < len(self) and self.counts[step] == moment.kept:
            self.moments.setdefault(step, moment)

    def pin(self) -> None:
        """What is the case now did not come of choices alone."""
        self.pinned.add(len(self))

    def before_last(self) -> tuple[Moment, int]:
        """The nearest kept moment at or before the last step, and the number of choices from there to the step."""
        step = len(self) - 1
        while step not in self.moments:
            step -= 1
        return self.moments[step], self.counts[-1] - self.counts[step]

    def pop(self) -> bool:
        """Forget the last step; whether what came of it can be had again by making the choices again."""
        pinned = len(self) in self.pinned
        self.pinned.discard(len(self))
        self.counts.pop()
        self.moments.pop(len(self), None)
        return not pinned
