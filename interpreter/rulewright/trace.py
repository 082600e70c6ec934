"""Traces: why something happened in a game. The chain of phases, effects, actions and hooks that were going on when an entry of the log was written, each with the line it
had come to, and with what had been chosen and rolled in it before.

Takes rules that are stepped, what a game begins with and its choices, and a position in the log; the game is played again, watched, as far as that. Gives frames from the outermost to the
innermost; none where the game does not get there. Refuses nothing: choices that cannot be made end it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright.core import program as c
from rulewright.errors import IllegalChoice
from rulewright.game.log_text import causes
from rulewright.source import excerpt

if TYPE_CHECKING:
    from rulewright.game.game import Game
    from rulewright.rules import Rules
    from rulewright.step.instructions import Executor
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine
    from rulewright.step.state import Frame

NOTED = ("choice", "roll")  # entries that say why it went on as it did
LAST = 3  # of those in one frame


class Cause(msgspec.Struct, frozen=True):
    """Something that was going on: what it is, its name, of which component, where it is declared, the line it had come to, and what had been decided in it, by position in the log."""

    what: str
    name: str
    of: str
    place: str
    at: str
    line: str
    cites: tuple[str, ...]
    decided: tuple[int, ...]


class _Live:
    """A unit that is going on: the instruction that was carried out in it last, and the entries of the log that decided something in it."""

    def __init__(self) -> None:
        self.at = 0
        self.by: int | None = None
        self.noted: list[int] = []


class Watching:
    """Watches a linked program until an entry is written."""

    def __init__(self, linked: Linked, position: int) -> None:
        self.linked, self.position = linked, position
        self.stack: list[_Live] = []
        self.seen = 0
        self.found: list[tuple[int, int | None, tuple[int, ...]]] | None = None

    def code(self, node: c.Expression, run: Any) -> Any:
        """What evaluates an expression."""
        return run

    def executor(self, at: int, run: Executor) -> Executor:
        """What carries out an instruction, watched. Stacks are compared by how deep they are: who calls comes to its turn between any two that it calls."""

        def watched(machine: Machine, frame: Frame) -> int | None:
            if machine.trial or self.found is not None:
                return run(machine, frame)
            frames = machine.state.frames
            del self.stack[len(frames) :]
            self.stack += [_Live() for _ in range(len(frames) - len(self.stack))]
            live, log = self.stack[-1], machine.state.log
            self.note(live, log)  # what was chosen meanwhile was asked here
            live.at, live.by = at, frame.cause[1]
            result = run(machine, frame)
            self.note(live, log)
            return result

        return watched

    def note(self, live: _Live, log: Any) -> None:
        """Look at what has been written since, which was done by what is going on."""
        for number in range(self.seen, len(log)):
            if number == self.position:
                self.found = [(each.at, each.by, tuple(each.noted[-LAST:])) for each in self.stack]
            if log[number][0] in NOTED:
                live.noted.append(number)
        self.seen = len(log)


def trace(rules: Rules, begun: tuple[int, int, Any], choices: Iterable[tuple[int, str]], position: int) -> tuple[Game, list[Cause]]:
    """The game as far as an entry of its log, and why that was written. `begun` is how many play, the seed, and who answers for chance."""
    assert rules.engine == "step"
    linked = rules.linked(begun[0])
    watching = linked.watch = Watching(linked, position)
    game = rules.new_game(*begun)
    for _, option in choices:
        if watching.found is not None or game.decision is None:
            break
        try:
            game.choose(option)
        except IllegalChoice:
            break
    if watching.found is None and game.log_length > position and watching.stack:  # nothing was carried out after the last choice
        watching.note(watching.stack[-1], game._machine.state.log)
    return game, _joined([made for found in watching.found or () if (made := _cause(rules, linked, *found)) is not None])


def _joined(chain: list[Cause]) -> list[Cause]:
    """What the rules have as one thing is one cause, however many units were made of it."""
    found: list[Cause] = []
    for cause in chain:
        last = found[-1] if found else None
        if (
            last is not None
            and (last.what, last.name, last.of, last.place) == (cause.what, cause.name, cause.of, cause.place)
            and not (last.at and last.decided)
        ):
            found[-1] = msgspec.structs.replace(cause, decided=(*last.decided, *cause.decided), at=cause.at or last.at, line=cause.line or last.line)
        else:
            found.append(cause)
    return found


def _cause(rules: Rules, linked: Linked, at: int, by: int | None, decided: tuple[int, ...]) -> Cause | None:
    """A frame in the terms of the rules; protocols, which nobody wrote, are left out."""
    unit = linked.unit_at[at]
    cause = linked.program.units[unit].cause
    if cause is None or cause == "the game":
        return None
    name, cites = causes(linked.world, cause)
    what, record = _declared(rules.graph, cause)
    of = unit.removeprefix(f"{cause} of ") if unit.startswith(f"{cause} of ") else (record or {}).get("of")  # a version of it, or who has it
    holder = rules.graph["components"].get(of, {})
    cites = [*cites, *(cite for cite in holder.get("cites", ()) if cite not in cites)]
    origin = linked.origin_at(at)
    span = rules.graph["nodes"][origin]["span"] if origin in rules.graph["nodes"] else None
    return Cause(
        what,
        name,
        "" if by is None else linked.wording.labels[by],
        _place(record["span"]) if record is not None else "",
        _place(span) if span is not None else "",
        _line(rules.texts, span) if span is not None else "",
        tuple(cites),
        decided,
    )


def _declared(graph: dict[str, Any], cause: str) -> tuple[str, dict[str, Any] | None]:
    """What sort of thing a cause is, and its record in the graph."""
    for prefix, table in (("hook ", "hooks"), ("action ", "actions"), ("cost ", "costs"), ("", "effects")):
        record = graph[table].get(cause.removeprefix(prefix)) if cause.startswith(prefix) else None
        if record is not None:
            return (str(record["what"]) if table == "effects" else table.removesuffix("s")), record
    return "", None


def _place(span: Any) -> str:
    return f"{span[0]}:{span[1]}"


def _line(texts: Any, span: Any) -> str:
    """The first line of a span, as it is written."""
    from rulewright.diagnostics import Span

    return next((line.strip() for line in excerpt(texts, Span(*span)).splitlines()), "")
