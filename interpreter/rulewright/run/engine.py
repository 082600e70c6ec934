"""Engines: what takes a state from one decision to the next. `Walking` is the reference; `compile` has the fast one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rulewright.run import questions, walk
from rulewright.run.asking import Option
from rulewright.run.machine import Machine
from rulewright.run.state import Left, copied, shared


class Engine(Protocol):
    """What a game asks of an engine."""

    early: int  # how much earlier than the budget says it gives up, since it counts by its own lights; then the reference has the last word
    # Quicker ways that an engine may have. What they do not do, since it is not usual, they leave to the game, and give False or None.
    straight: Callable[[Any, Any], bool] | None  # `Game.choose`
    copied: Callable[[Any], Any] | None  # `Game.clone`
    begun: Callable[[Any, Any, int], Any] | None  # `game.begun`

    def kept(self, frames: list[Left], before: Sequence[Left]) -> Sequence[Left]:
        """The frames of this moment, to go back to; `before` are those of an earlier one."""

    def apart(self, frames: list[Left]) -> Sequence[Left]:
        """The frames for a copy of the game that is about to go on."""

    def privately(self, m: Machine) -> None:
        """See to it that no earlier moment shares the frames of a state: somebody is about to alter them."""

    def take(self, m: Machine, option: Option) -> None:
        """Carry out an answer."""

    def run(self, m: Machine) -> None:
        """Go on until somebody has to decide or the game is over."""


class Walking:
    """Goes from node to node of the graph, and alters frames: copies of them, since the moment before remembers those that there are."""

    early = 1
    straight: Callable[[Any, Any], bool] | None = None
    copied: Callable[[Any], Any] | None = None
    begun: Callable[[Any, Any, int], Any] | None = None

    def kept(self, frames: list[Left], before: Sequence[Left]) -> Sequence[Left]:
        """The frames as they are; those that are still the same from the moment before."""
        return shared(frames, before)

    def apart(self, frames: list[Left]) -> Sequence[Left]:
        """Copies of the frames, which may be altered."""
        made: list[Left] = copied(frames)
        return made

    def privately(self, m: Machine) -> None:
        """Copy all frames."""
        m.state.stack[:] = copied(m.state.frames)

    def take(self, m: Machine, option: Option) -> None:
        """Carry out an answer."""
        self.privately(m)
        questions.take(m, option)

    def run(self, m: Machine) -> None:
        """Go on until somebody has to decide or the game is over."""
        walk.run(m)


WALKING = Walking()
