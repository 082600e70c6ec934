"""The format of a save: what msgspec reads and writes, and from which its JSON schema is made.

All numbers that depend on how a program was laid out are gone from it: words are written as words, actions and rules by name, and a frame says where it stands by
the node of the effect graph, or by a mark of what is ahead there.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

VERSION = 7  # a new number for every change, so that a file of another version is called that, and not damaged
Natural = Annotated[int, Meta(ge=0)]
Mark = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Cause = tuple[str, Natural | None, Natural, str | None]


def says(what: str) -> Meta:
    """What a part is, for whoever reads the schema."""
    return Meta(description=what)


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """A part of a save; nothing but what is named may be in it."""


class SavedFrame(Part):
    """A unit that is going on: where it stands, its names, and what its doings are put down to."""

    unit: Annotated[str, says("the unit")]
    node: Annotated[str | None, says("of the effect graph, if it stands at one")]
    step: Annotated[Natural, says("which of the instructions made for that node; without one, which of the unit")]
    called: Annotated[bool, says("whether what that instruction called is going on, or it is still to be done")]
    calls: Annotated[str | None, says("without a node: the unit that is going on inside")]
    ahead: Annotated[str, says("a mark of what is ahead")]
    behind: Annotated[str, says("a mark of what lies behind")]
    names: Annotated[dict[str, Any], says("what its names stand for")]
    live: Annotated[list[str], says("those names that something still reads")]
    cause: Annotated[Cause, says("what its doings are put down to: the cause, the component it belongs to, how deep it is, the phase")]


class SavedHook(Part):
    """A hook that holds for a time."""

    hook: Annotated[str, says("its name")]
    number: Annotated[Natural, says("when it was put in force, among all of them")]
    kept: Annotated[list[Any], says("what was kept for it")]
    until: Annotated[str, says("the event with which it ends")]


class SavedBatch(Part):
    """A batch that is going on, and the hooks put off in it: each with its key, what was kept, what the event was given, whose it is and what it gave."""

    over: Annotated[bool, says("whether it is over, and what was put off is being done")]
    hooks: Annotated[list[tuple[str, str | int, list[Any], list[Any], Any, Any]], says("what was put off")]


class SavedState(Part):
    """The state."""

    values: Annotated[list[Any], says("the fields of all components")]
    where: Annotated[list[Natural], says("where each component is")]
    members: Annotated[list[list[Natural]], says("what is in each place, in order")]
    known: Annotated[list[Natural], says("who can tell what each component is, as bits")]
    frames: Annotated[list[SavedFrame], says("what is going on, the outermost first")]
    given: Annotated[tuple[Any, Any, Any], says("what was given last: a value, its status, and what was put off for it")]
    random: Annotated[Natural, says("the state of chance")]
    held: Annotated[list[SavedHook], says("what holds for a time")]
    used: Annotated[list[tuple[str, int | None]], says("what may happen once, and has, with its bearer")]
    batches: Annotated[list[SavedBatch], says("the batches that are going on")]
    outcomes: Annotated[list[Literal["", "won", "lost", "eliminated"]], says("how it stands with each player")]
    answers: Annotated[list[str | int], says("who may still answer")]
    loose: Annotated[list[list[Natural]], says("places in which nothing is settled yet, where chance is asked")]
    ended: Annotated[bool, says("whether the game is over")]
    version: Annotated[Natural, says("how often the state was changed")]
    installs: Annotated[Natural, says("how often something was put in force for a time")]


class Legend(Part):
    """What the numbers of the state stand for: a mark of all that exists, the fields of each kind in order, marks of the hooks that it speaks of."""

    things: Annotated[Mark, says("a mark of all that exists")]
    fields: Annotated[dict[str, list[str]], says("the fields of each kind, in order")]
    hooks: Annotated[dict[str, str], says("marks of the hooks that the state speaks of")]


class Ruleset(Part):
    """The rules that a game is played by, with marks of what they mean."""

    id: Annotated[str, says("its id")]
    version: Annotated[str, says("its version")]
    layers: Annotated[list[str], says("every package, parents first")]
    target: Annotated[str, says("what was loaded: an id, or a path")]
    added: Annotated[list[str], says("the layers on top of it")]
    options: Annotated[dict[str, bool | int | str], says("the options of the rules")]
    fingerprint: Annotated[Mark, says("a mark of what the rules mean")]
    declarations: Annotated[
        dict[str, dict[str, Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]]], says("a mark of each declaration, by its sort and name")
    ]
    words: Annotated[Mark, says("a mark of what is only worded")]


class Save(Part):
    """A game at a decision."""

    format: Annotated[Literal["rulewright save"], says("what this is")]
    format_version: Annotated[int, says("the version of this format")]
    ruleset: Annotated[Ruleset, says("the rules")]
    players: Annotated[int, Meta(ge=1, le=64, description="how many play")]
    seed: Annotated[int, says("of chance")]
    chance: Annotated[Literal["seed", "ask"], says("who answers for chance: the seed, or a person")]
    automatic: Annotated[bool, says("whether choices with a single option are made by themselves")]
    script: Annotated[list[Any], says("answers of chance that were given with the game")]
    choices: Annotated[list[tuple[Natural, str]], says("the choices so far: who, from 1 (0 is chance), and what")]
    script_left: Annotated[list[Any], says("those answers of chance that are still to come")]
    state: Annotated[SavedState, says("the state")]
    legend: Annotated[Legend, says("what its numbers stand for")]
    log: Annotated[list[dict[str, Any]], says("what has happened")]
    checksum: Annotated[str, says("a mark of all of this")]


def schema() -> dict[str, Any]:
    """The JSON schema of a save."""
    _, parts = msgspec.json.schema_components([Save], ref_template="#/$defs/{name}")
    for part in parts.values():
        for name, described in part["properties"].items():
            described["title"] = name.replace("_", " ").capitalize()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **parts.pop("Save"), "$defs": dict(sorted(parts.items()))}


def text() -> str:
    """The schema as it is written to a file."""
    return json.dumps(schema(), indent=1) + "\n"
