"""The format of a save: what msgspec reads and writes, and from which its JSON schema is made.

All numbers that depend on how a program was laid out are gone from it: words are written as words, actions and rules by name, and a frame says where it stands by
the node of the effect graph, or by a mark of what is ahead there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

VERSION = 7  # a new number for every change, so that a file of another version is called that, and not damaged
Natural = Annotated[int, Meta(ge=0)]
Mark = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Cause = tuple[str, Natural | None, Natural, str | None]


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """A part of a save; nothing but what is named may be in it."""


class SavedFrame(Part):
    """A unit that is going on: where it stands, its names, and what its doings are put down to."""

    unit: str
    node: str | None  # of the effect graph, if it stands at one
    step: Natural  # which of the instructions made for that node; without one, which of the unit
    called: bool  # whether what that instruction called is going on, or it is still to be done
    calls: str | None  # without a node: the unit that is going on inside
    ahead: str  # marks of what is ahead, and of what lies behind
    behind: str
    names: dict[str, Any]
    live: list[str]  # those names that something still reads
    cause: Cause


class SavedHook(Part):
    """A hook that holds for a time."""

    hook: str
    number: Natural
    kept: list[Any]
    until: str


class SavedBatch(Part):
    """A batch that is going on, and the hooks put off in it: each with its key, what was kept, what the event was given, whose it is and what it gave."""

    over: bool
    hooks: list[tuple[str, str | int, list[Any], list[Any], Any, Any]]


class SavedState(Part):
    """The state."""

    values: list[Any]
    where: list[Natural]
    members: list[list[Natural]]
    known: list[Natural]
    frames: list[SavedFrame]
    given: tuple[Any, Any, Any]
    random: Natural
    held: list[SavedHook]
    used: list[tuple[str, int | None]]
    batches: list[SavedBatch]
    outcomes: list[Literal["", "won", "lost", "eliminated"]]
    answers: list[str | int]
    loose: list[list[Natural]]
    ended: bool
    version: Natural
    installs: Natural


class Legend(Part):
    """What the numbers of the state stand for: a mark of all that exists, the fields of each kind in order, marks of the hooks that it speaks of."""

    things: Mark
    fields: dict[str, list[str]]
    hooks: dict[str, str]


class Ruleset(Part):
    """The rules that a game is played by, with marks of what they mean."""

    id: str
    version: str
    layers: list[str]
    target: str
    added: list[str]
    options: dict[str, bool | int | str]
    fingerprint: Mark
    declarations: dict[str, dict[str, Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]]]
    words: Mark


class Save(Part):
    """A game at a decision."""

    format: Literal["rulewright save"]
    format_version: int
    ruleset: Ruleset
    players: Annotated[int, Meta(ge=1, le=64)]
    seed: int
    chance: Literal["seed", "ask"]
    automatic: bool
    script: list[Any]
    choices: list[tuple[Natural, str]]
    script_left: list[Any]
    state: SavedState
    legend: Legend
    log: list[dict[str, Any]]
    checksum: str
