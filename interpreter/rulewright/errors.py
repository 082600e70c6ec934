"""What can be wrong with a game: with what a caller asks of it, with a save, with the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class IllegalChoice(Exception):
    """The option is not among those that may be chosen now."""


class SaveError(Exception):
    """A save or replay that cannot be read, or does not fit the rules.

    `changes` are the declarations that have changed since it was made, if it is that; `found` is what a file is instead ("save", "replay", "transcript").
    """

    def __init__(self, message: str, changes: Sequence[str] = (), found: str | None = None) -> None:
        super().__init__(message)
        self.changes = tuple(changes)
        self.found = found


class Misfit(Exception):
    """A saved state that cannot go on under these rules; says why."""


class RulesError(Exception):
    """The rules asked for something that cannot be, or ran away; the game stays as it was at the last decision.

    `answer` is what chance was told to give, where that is what cannot be.
    """

    def __init__(self, message: str, unit: str, span: Any = None, answer: object = None) -> None:
        super().__init__(message)
        self.unit = unit
        self.span = span
        self.answer = answer

    def __reduce__(self) -> tuple[type[RulesError], tuple[object, ...]]:
        """What another process needs to be told the same."""
        return type(self), (str(self), self.unit, self.span, self.answer)


def whole(value: int, what: str) -> int:
    """A whole number that a caller gives; refuses whatever else Python would take for one."""
    if type(value) is not int:
        raise TypeError(f"{what} is a whole number, not {value!r}")
    return value
