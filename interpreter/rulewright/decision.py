"""What callers are shown: decisions with their options, and how a game ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import overload

import msgspec


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing that may be chosen; of what chance chooses from, how probable it is: those of a decision make 1 together."""

    id: str
    label: str
    probability: Fraction | None = None


class Options(Sequence[Option], ABC):
    """The options of a decision whose words are made when somebody reads them; how many there are is known."""

    __slots__ = ("_count", "_told")

    def __init__(self, count: int) -> None:
        self._count = count
        self._told: tuple[str, tuple[Option, ...]] | None = None

    @abstractmethod
    def _tell(self) -> tuple[str, tuple[Option, ...]]:
        """What is asked, and the options."""

    def told(self) -> tuple[str, tuple[Option, ...]]:
        """What is asked, and the options, as they were at that moment of the game."""
        if self._told is None:
            self._told = self._tell()
        return self._told

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, position: int) -> Option: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[Option, ...]: ...
    def __getitem__(self, position: int | slice) -> Option | tuple[Option, ...]:
        return self.told()[1][position]

    def __iter__(self) -> Iterator[Option]:
        return iter(self.told()[1])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, tuple | Options) and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Decision(msgspec.Struct, frozen=True, gc=False, eq=False):
    """What a player has to decide. Players are numbered from 1; where `chance="ask"` was said, 0 is chance."""

    player: int
    kind: str
    _prompt: str | None  # None: told with the options
    options: tuple[Option, ...] | Options

    @property
    def prompt(self) -> str:
        """What is asked, in words."""
        return self._prompt if self._prompt is not None else self.options.told()[0]  # type: ignore[union-attr]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self._parts() == other._parts()

    def __ne__(self, other: object) -> bool:
        return not self == other  # a struct has its own otherwise

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return "Decision(player={}, kind={!r}, prompt={!r}, options={!r})".format(*self._parts())

    def _parts(self) -> tuple[int, str, str, tuple[Option, ...]]:
        return self.player, self.kind, self.prompt, tuple(self.options)


class Result(msgspec.Struct, frozen=True):
    """How a game ended, by player number. Where nobody has won, whom the rules do not mention is in none of these: that is a draw."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    eliminated: tuple[int, ...]
