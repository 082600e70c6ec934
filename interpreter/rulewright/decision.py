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


class Result(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """How a game ended, by player number. Where nobody has won, whom the rules do not mention is in none of these: that is a draw."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    eliminated: tuple[int, ...]
    points: tuple[int | None, ...] = ()  # of every player in order of seats, where the rules score; None for who has none

    @property
    def scores(self) -> dict[int, int]:
        """The points of those who have any, by player number."""
        return {player: points for player, points in enumerate(self.points, start=1) if points is not None}

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The players from first to last, those who stand alike together: winners first, then by points, the most first unless those who won have the fewest; the eliminated last."""
        scores = self.scores
        sign = 1 if self._fewest_win() else -1
        places: dict[tuple[int, int], list[int]] = {}
        for player in sorted({*self.winners, *self.losers, *self.eliminated, *scores}):
            group = 0 if player in self.winners else 2 if player in self.eliminated else 1
            places.setdefault((group, sign * scores.get(player, 0)), []).append(player)
        return tuple(tuple(places[key]) for key in sorted(places))

    @property
    def payoffs(self) -> dict[int, int]:
        """What the ending is worth to each player that it speaks of: 1 for winners, -1 for losers and the eliminated, 0 for others; or, where the rules score, the points (minus the
        points, if those who won have the fewest)."""
        if self.points:
            sign = -1 if self._fewest_win() else 1
            return {player: sign * points for player, points in self.scores.items()}
        return {player: 1 if player in self.winners else -1 for player in sorted((*self.winners, *self.losers, *self.eliminated))}

    def _fewest_win(self) -> bool:
        won = [points for player, points in self.scores.items() if player in self.winners]
        others = [points for player, points in self.scores.items() if player not in self.winners]
        return bool(won and others) and max(won) < min(others)
