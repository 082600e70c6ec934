"""Boards: a game in the hands of a scenario, which carries out statements in it and asks it things.

`Board` is what the parts of a scenario may ask for. It knows a game by its public face; how statements are carried out and expressions evaluated is the
engine's, so there is one for each: `Walked` here, and `stepping.Stepped`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from rulewright.check.expressions import Core
from rulewright.run.evaluate import evaluate, truth
from rulewright.run.game import Game
from rulewright.run.logbook import entries_for
from rulewright.run.visibility import Eyes
from rulewright.scenario.places import Written


class Choice(NamedTuple):
    """An option with what it stands for: a component, a word or a number; an action and who grants it."""

    id: str
    label: str
    value: Any


class Board(ABC):
    """A game that a scenario plays."""

    game: Any

    @abstractmethod
    def perform(self, written: Written) -> None:
        """Carry out some statements here and now, then go on."""

    @abstractmethod
    def holds(self, core: Core) -> bool:
        """Whether a condition is true."""

    @abstractmethod
    def value(self, core: Core, how: str) -> Any:
        """What an expression gives, of a sort: components by their numbers, words spelled, several as a list."""

    @abstractmethod
    def local(self, name: str) -> Any:
        """What a local name of the scenario stands for; None if it stands for nothing."""

    @abstractmethod
    def keep(self) -> Any:
        """All local names as they are now."""

    @abstractmethod
    def restore(self, kept: Any) -> None:
        """Let the local names be as they were."""

    @abstractmethod
    def options(self) -> list[Choice]:
        """The options of the current decision with what they stand for."""

    @abstractmethod
    def begin_log(self) -> None:
        """What is told of the log counts from here."""

    @abstractmethod
    def told(self, player: int | None) -> list[str]:
        """What the log has told since: a player, or whoever knows everything."""

    @abstractmethod
    def happened(self, event: str) -> bool:
        """Whether an event has happened since."""

    @abstractmethod
    def knows(self, player: int, component: int) -> bool:
        """Whether a player (from 1) can tell what a component is."""

    @abstractmethod
    def answer(self, answers: Sequence[object]) -> None:
        """Say what chance gives next."""

    @abstractmethod
    def unasked(self) -> list[object]:
        """Answers that chance was told and that nothing has asked for yet."""


class Names(dict[str, Any]):
    """The local names of a scenario. Copies of a state copy plain mappings; this one they share, so that what a step binds is known in the next."""


class Walked(Board):
    """A game whose engine knows the graph."""

    def __init__(self, game: Game, entries: dict[int, str | None]) -> None:
        self.game: Game = game
        self.entries = entries
        self.names = Names({f"player_{seat + 1}": seat for seat in range(game.world.players)})

    def perform(self, written: Written) -> None:
        """Carry out some statements here and now, then go on."""
        self.game.perform(self.entries[id(written)], self.names)

    def holds(self, core: Core) -> bool:
        """Whether a condition is true."""
        return truth(self.game._machine, core, self.names)

    def value(self, core: Core, how: str) -> Any:
        """What an expression gives."""
        return evaluate(self.game._machine, core, self.names)

    def local(self, name: str) -> Any:
        """What a local name of the scenario stands for."""
        return self.names.get(name)

    def keep(self) -> Any:
        """All local names as they are now."""
        return dict(self.names)

    def restore(self, kept: Any) -> None:
        """Let the local names be as they were."""
        self.names.clear()
        self.names.update(kept)

    def options(self) -> list[Choice]:
        """The options of the current decision."""
        return [Choice(option.id, option.label, option.value) for option in self.game._options()]

    def begin_log(self) -> None:
        """What is told of the log counts from here."""
        self.begun = self.game.state.log_length
        self.game._machine.happened = []

    def told(self, player: int | None) -> list[str]:
        """What the log has told since."""
        return [entry["text"] for entry in entries_for(self.game._machine, player, player is None, self.begun)]

    def happened(self, event: str) -> bool:
        """Whether an event has happened since."""
        return event in (self.game._machine.happened or ())

    def knows(self, player: int, component: int) -> bool:
        """Whether a player can tell what a component is."""
        return Eyes(self.game._machine, player - 1).knows(component)

    def answer(self, answers: Sequence[object]) -> None:
        """Say what chance gives next."""
        self.game.script.answers += list(answers)

    def unasked(self) -> list[object]:
        """Answers that nothing has asked for yet."""
        return self.game.script.answers
