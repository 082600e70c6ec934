"""What callers are shown: decisions with their options, and how a game ended."""

from __future__ import annotations

from fractions import Fraction

import msgspec


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing that may be chosen; of what chance chooses from, how probable it is: those of a decision make 1 together."""

    id: str
    label: str
    probability: Fraction | None = None


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What a player has to decide. Players are numbered from 1; where `chance="ask"` was said, 0 is chance."""

    player: int
    kind: str
    prompt: str
    options: tuple[Option, ...]


class Result(msgspec.Struct, frozen=True):
    """How a game ended, by player number. Where nobody has won, whom the rules do not mention is in none of these: that is a draw."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    eliminated: tuple[int, ...]
