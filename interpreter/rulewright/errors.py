"""What can be wrong with what a caller asks of a game."""

from __future__ import annotations

from collections.abc import Sequence


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
