"""What callers are shown of a decision."""

from __future__ import annotations

import msgspec


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing that may be chosen."""

    id: str
    label: str


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What a player has to decide. Players are numbered from 1."""

    player: int
    kind: str
    prompt: str
    options: tuple[Option, ...]
