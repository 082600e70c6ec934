"""The state of a running game: plain data, and nothing else.

Columns and members say what is where; frames say what is going on and point into the graph; the random state, the log and a few counters complete
it. A clone is a few list copies. Nothing here knows how to run anything.
"""

from __future__ import annotations

from typing import Any

Frame = dict[str, Any]


class State:
    """One moment of a game."""

    __slots__ = (
        "answers",
        "ended",
        "frames",
        "installed",
        "known",
        "log",
        "log_length",
        "loose",
        "members",
        "once",
        "outcomes",
        "random",
        "steps",
        "values",
        "version",
        "where",
    )

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.where: list[int] = []
        self.members: list[list[int]] = []
        self.frames: list[Frame] = []
        self.random: int = 0
        self.log: list[dict[str, Any]] = []
        self.log_length: int = 0
        self.known: list[int] = []
        self.installed: list[dict[str, Any]] = []
        self.once: list[str] = []
        self.outcomes: list[str] = []
        self.answers: list[Any] = []
        self.loose: list[int] = []
        self.ended: bool = False
        self.version: int = 0
        self.steps: int = 0

    def clone(self) -> State:
        """A copy that shares nothing that changes: values are replaced, never altered, and the log is shared until one of the two writes to it."""
        made = State.__new__(State)
        made.values = self.values[:]
        made.where = self.where[:]
        made.members = [members[:] for members in self.members]
        made.frames = [copied(frame) for frame in self.frames]
        made.random = self.random
        made.log = self.log
        made.log_length = self.log_length
        made.known = self.known[:]
        made.installed = [copied(entry) for entry in self.installed]
        made.once = self.once[:]
        made.outcomes = self.outcomes[:]
        made.answers = self.answers[:]
        made.loose = self.loose[:]
        made.ended = self.ended
        made.version = self.version
        made.steps = self.steps
        return made

    def write(self, entry: dict[str, Any]) -> None:
        """Add to the log, without disturbing clones that share it."""
        if len(self.log) > self.log_length:
            self.log = self.log[: self.log_length]
        self.log.append(entry)
        self.log_length += 1

    def entries(self) -> list[dict[str, Any]]:
        """The log of this state."""
        return self.log[: self.log_length]


def copied(value: Any) -> Any:
    """A deep copy of plain data."""
    if type(value) is dict:
        return {key: copied(part) if type(part) in (dict, list) else part for key, part in value.items()}
    if type(value) is list:
        return [copied(part) if type(part) in (dict, list) else part for part in value]
    return value
