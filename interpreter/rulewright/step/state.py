"""The state of a running game: plain data, and nothing else.

Columns say what is where; frames say what is going on and point into the program; the random state, the log and a few counters complete it. All values are whole
numbers, None, or tuples of such. Columns are changed in place; everything else is replaced, never altered.
"""

from __future__ import annotations

from typing import Any

Value = Any  # int, None, or a tuple of values
Entry = tuple[Any, ...]
Cause = tuple[str, int | None, int, str | None]  # what it is put down to, by what component, how deep inside units, in what phase

# What an entry of the log holds behind its kind and its cause.
ENTRIES: dict[str, tuple[str, ...]] = {
    "move": ("component", "before", "to", "seen", "told"),
    "set": ("component", "field", "before", "value", "seen"),
    "choice": ("player", "question", "value", "hidden", "label", "prompt", "seen", "public", "silent"),  # see `record`
    "show": ("components", "seen"),
    "message": ("text", "values", "seen", "components"),
    "roll": ("die", "face"),
    "shuffle": ("place", "told"),
    "outcome": ("player", "outcome"),
    "end": (),
}


class Frame:
    """One unit that is going on: where in the program, its names, and what it is put down to."""

    __slots__ = ("at", "cause", "names")

    def __init__(self, at: int, names: list[Value], cause: Cause) -> None:
        self.at = at
        self.names = names
        self.cause = cause

    def copy(self) -> Frame:
        """A frame that can be changed by itself."""
        return Frame(self.at, self.names[:], self.cause)


class Held:
    """A hook that holds for a time: which, under what number, what it has kept, and until when."""

    __slots__ = ("hook", "kept", "number", "until")

    def __init__(self, hook: str, number: int, kept: tuple[Value, ...], until: str) -> None:
        self.hook, self.number, self.kept, self.until = hook, number, kept, until


class State:
    """One moment of a game."""

    __slots__ = (
        "answers", "batches", "ended", "frames", "given", "held", "installs", "known", "log", "loose", "members", "outcomes", "random", "used", "values",
        "version", "where",
    )  # fmt: skip

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.where: list[int] = []
        self.members: list[tuple[int, ...]] = []
        self.known: list[int] = []
        self.frames: list[Frame] = []
        self.given: tuple[Value, Value, Value] = (None, None, None)  # what the unit that ended last gave: a result, how it went, whether it cancels
        self.random: int = 0
        self.log: list[Entry] = []
        self.held: tuple[Held, ...] = ()
        self.used: tuple[tuple[str, int | None], ...] = ()  # what may happen once and has happened
        self.batches: tuple[tuple[Any, ...], ...] = ()  # batches that are going on: for each, the hooks put off
        self.outcomes: tuple[str, ...] = ()
        self.answers: tuple[Any, ...] = ()  # what a person has said that chance gives
        self.loose: tuple[tuple[int, ...], ...] = ()  # components shuffled together of which nobody has said yet where they lie
        self.ended: bool = False
        self.version: int = 0
        self.installs: int = 0

    def clone(self) -> State:
        """A copy that shares nothing that changes."""
        made = State.__new__(State)
        for name in State.__slots__:
            value = getattr(self, name)
            setattr(made, name, value[:] if type(value) is list else value)
        made.frames = [frame.copy() for frame in self.frames]
        return made
