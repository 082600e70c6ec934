"""What came of a scenario: passed, or what failed, with everything somebody needs to see why."""

from __future__ import annotations

from typing import Any

import msgspec

from rulewright.diagnostics import Diagnostic, Span, complain
from rulewright.errors import RulesError
from rulewright.fragment import Part
from rulewright.game.log_text import entries_for
from rulewright.game.views import place_identity
from rulewright.scenario.board import Board
from rulewright.scenario.options import SHOWN
from rulewright.scenario.tracer import Moved
from rulewright.types import innermost

EVENTS = 12
LONGEST_LIST = 12
WHOLE = ("query", "members", "all")  # sets: all there is of something, which may be nothing


class Failure(msgspec.Struct, frozen=True):
    """Why a scenario failed."""

    step: str
    span: Span
    text: str
    message: str
    values: tuple[tuple[str, str], ...] = ()
    events: tuple[str, ...] = ()
    decision: str | None = None
    options: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """What came of one scenario. Diagnostics are mistakes in its text, or in the ruleset it asks for; warnings are of what its `given` did not do."""

    name: str
    file: str
    span: Span
    cites: tuple[str, ...]
    failure: Failure | None
    diagnostics: tuple[Diagnostic, ...]
    texts: dict[str, str]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything was as it must be."""
        return self.failure is None and not self.diagnostics


def valued(board: Board, parts: list[Part]) -> tuple[tuple[str, str], ...]:
    """The parts of an expression with their values in words."""
    found: dict[str, str] = {}
    for part in parts:
        try:
            how = innermost(part.type).how
            found[part.text] = told(board.game, board.value(part.core, how), how)
        except (RulesError, RecursionError):
            found[part.text] = "cannot be told"
    return tuple((text, value) for text, value in found.items() if text != value)


def told(game: Any, value: Any, how: str) -> str:
    """A value in words; of a place also what it holds, of any other component where it is."""
    words = in_words(game, value, how)
    if type(value) is not int or how not in ("kind", "place") or not 0 <= value < game.world.place_count:
        return words
    if game.world.is_place(value):
        return f"{words}, which holds {in_words(game, list(game.state.members[value]), 'kind')}"
    return words if game.world.kinds[value] == "player" else f"{words} in {in_words(game, game.state.where[value], 'place')}"


def in_words(game: Any, value: Any, how: str) -> str:
    """A value for a person: components by their ids, so that copies can be told apart."""
    if isinstance(value, list | tuple):
        shown = [in_words(game, each, how) for each in value[:LONGEST_LIST]]
        rest = len(value) - len(shown)
        return ", ".join(shown) + (f" and {rest} more" if rest else "") if shown else "nothing"
    if value is None:
        return "none"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int and how not in ("number", "words", "flag", "text") and 0 <= value < game.world.place_count:
        return place_identity(game.world, value)
    return str(value)


def idle_move(board: Board, move: Moved) -> Diagnostic | None:
    """The warning for a move that moved nothing or too little; None where nothing more was wanted."""
    game = board.game
    node = board.snippets.low.graph["nodes"][move.origin]
    span, what = Span(*node["span"]), node.get("what", {"op": WHOLE[0]})  # other statements move things too, and say themselves how many
    if move.stayed and move.place is not None:
        stayed, there = in_words(game, move.stayed, "kind"), told(game, move.place, "place")
        return complain("R510", f"this does not move {stayed}: there is no room in {there}", span, hint="move away first what is in it")
    if move.things and move.place is None:
        return complain("R510", f"this does not move {in_words(game, move.things, 'kind')}: there is no such place", span)
    if what.get("op") == "pick_many":
        wanted = what["amount"].get("value")
        short = wanted != 10**6 and type(wanted) is int and wanted > len(move.things)
        message = f"this moves {len(move.things) or 'nothing'}: there are no more of the kind to take"
    else:
        short = not move.things and what.get("op") not in WHOLE
        message = "this moves nothing: there is nothing of the kind to take"
    return complain("R510", message, span, hint="look where they are at that moment") if short else None


def events_of(game: Any, since: int) -> tuple[str, ...]:
    """The last things that happened since the log had that length."""
    entries = entries_for(game._machine, None, True, since)
    return tuple(f"{entry['text']} ({entry['cause']})" for entry in entries[-EVENTS:])


def decision_of(game: Any) -> tuple[str | None, tuple[str, ...]]:
    """What is being decided, and the options."""
    decision = game.decision
    if decision is None:
        return None, ()
    names = [option.label if option.label == option.id else f"{option.label} ({option.id})" for option in decision.options]
    options = [f"{number}. {name}" for number, name in enumerate(names, start=1)]
    rest = len(options) - SHOWN
    return f"player {decision.player} ({decision.kind}): {decision.prompt}", (*options[:SHOWN], *([f"and {rest} more"] if rest > 0 else ()))
