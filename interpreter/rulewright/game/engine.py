"""Engines: what a game asks of whatever runs the core, and the reference that steps it.

A game never looks at how an engine keeps its state: it is given a `Machine` to read from, and checkpoints to come back to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from rulewright.core.world import World
from rulewright.decision import Decision
from rulewright.game import decisions
from rulewright.game.history import Checkpoint, checkpoint, restored, sealed
from rulewright.limits import Budget
from rulewright.step import instructions
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, Sampler
from rulewright.step.record import record
from rulewright.step.rehearse import spared
from rulewright.step.state import Entry, State, Value

Asked = tuple[int, tuple[Value, ...]]
T = TypeVar("T")


class Engine(Protocol):
    """One running game."""

    @property
    def machine(self) -> Machine:
        """The state of this moment, with what reads it."""

    @property
    def world(self) -> World:
        """What exists in the game."""

    def look(self, see: Callable[[Machine], T]) -> T:
        """What somebody finds who sees what lies where, with its fields, and who knows it: what they are given holds nothing else, and is good for no longer."""

    def asked(self) -> Asked | None:
        """Who has to decide, from 0 (-1 is chance), and the answers that may be given; None if the game is over."""

    def decision(self) -> Decision | None:
        """The same in words, which may be made when somebody reads them."""

    def outcomes(self) -> tuple[str, ...] | None:
        """How each player stands at the end; None while the game goes on."""

    def run(self) -> None:
        """Go on until somebody has to decide or the game is over."""

    def take(self, index: int) -> None:
        """Write the answer of a position to the log, and go on."""

    def quick(self, index: int, past: list[Any], made: list[Any]) -> Decision | bool:
        """Take the answer of a position if that can be done without more ado, and write down the moment before, and where in the log this choice stands; gives the
        next decision if its words are known already, False if nothing was done."""

    def mark(self) -> int:
        """Where the next choice will stand in the log."""

    def chosen(self, mark: int) -> Entry:
        """The choice that stands somewhere in the log."""

    def marks(self) -> list[int]:
        """The marks of all choices that the log has."""

    def sealed(self, moment: Any) -> bool:
        """Whether something random happened, or something hidden was revealed to somebody, since another moment."""

    def clone(self) -> Engine:
        """An engine of its own that goes on from here."""

    def begun_again(self, random: int) -> Engine:
        """A new game that stands where this one does, with chance in another state: for a game that nobody has gone on with or looked into."""

    def resumed(self, foot: Stepping) -> Engine:
        """The same sort of engine with another game, at which `step` stands."""

    def checkpoint(self, before: Any) -> Any:
        """This moment, to be gone back to; `before` is an earlier one, which it may share with."""

    def restore(self, moment: Any) -> None:
        """Be as at another moment."""


class Stepping:
    """The reference."""

    __slots__ = ("_asked", "machine")

    def __init__(self, linked: Linked, state: State, budget: Budget | None = None, sampler: Sampler | None = None) -> None:
        self.machine = Machine(linked, state, budget, sampler)
        self._asked: Asked | None = None

    @property
    def world(self) -> World:
        """What exists in the game."""
        return self.machine.world

    def look(self, see: Callable[[Machine], T]) -> T:
        """What somebody finds who sees what lies where."""
        return see(self.machine)

    def asked(self) -> Asked | None:
        """Who has to decide, and the answers that leave what has to be paid payable."""
        if self._asked is None and self.machine.asked is not None:
            player, values = self.machine.asked
            self._asked = player, values if player == instructions.CHANCE else spared(self.machine, values)
        return self._asked

    def run(self) -> None:
        """Go on until somebody has to decide or the game is over."""
        self._asked = None
        instructions.run(self.machine)

    def take(self, index: int) -> None:
        """Write the answer of a position to the log, and go on."""
        asked = self.asked()
        assert asked is not None
        value = asked[1][index]
        if self.machine.needed is None:
            record(self.machine, value, asked[1][:index].count(value))
        instructions.take(self.machine, value)
        self.run()

    def resumed(self, foot: Stepping) -> Engine:
        """The same sort of engine with another game, at which `step` stands."""
        return foot

    def begun_again(self, random: int) -> Stepping:
        """A new game that stands where this one does, with chance in another state."""
        made = self.clone()
        made.machine.state.random = random
        return made

    def clone(self) -> Stepping:
        """An engine of its own that goes on from here."""
        machine = self.machine
        made = Stepping(machine.linked, machine.state.clone(), machine.budget, None if machine.sampler is None else machine.sampler.copy())
        made.machine.asked, made.machine.needed, made._asked = machine.asked, machine.needed, self._asked
        return made

    def decision(self) -> Decision | None:
        """The same in words."""
        asked = self.asked()
        return None if asked is None else decisions.decision(self.machine, *asked)

    def outcomes(self) -> tuple[str, ...] | None:
        """How each player stands at the end; None while the game goes on."""
        state = self.machine.state
        return state.outcomes if state.ended else None

    def quick(self, index: int, past: list[Any], made: list[Any]) -> Decision | bool:
        """Nothing is quick here."""
        return False

    def mark(self) -> int:
        """Where the next choice will stand in the log."""
        return len(self.machine.state.log)

    def chosen(self, mark: int) -> Entry:
        """The choice that stands somewhere in the log."""
        return self.machine.state.log[mark]

    def marks(self) -> list[int]:
        """The marks of all choices that the log has."""
        return [number for number, entry in enumerate(self.machine.state.log) if entry[0] == "choice"]

    def sealed(self, moment: Checkpoint) -> bool:
        """Whether something random happened, or something hidden was revealed to somebody, since another moment."""
        return sealed(self.machine, restored(moment), moment.length)

    def checkpoint(self, before: Checkpoint | None) -> Checkpoint:
        """This moment, to be gone back to."""
        return checkpoint(self.machine, self._asked, before)

    def restore(self, moment: Checkpoint) -> None:
        """Be as at another moment: a state of its own takes the place of the one there is, in one step."""
        machine = self.machine
        machine.state = restored(moment)
        machine.asked, machine.needed, self._asked = moment.asked, moment.needed, moment.spared
        machine.value_depth, machine.running = 0, False
        if machine.sampler is not None:
            machine.sampler.answers = moment.answers
