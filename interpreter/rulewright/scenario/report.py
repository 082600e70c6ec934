"""What came of a scenario: passed, or what failed, with everything somebody needs to see why."""

from __future__ import annotations

from typing import Any

import msgspec

from rulewright.diagnostics import Diagnostic, Span
from rulewright.errors import RulesError
from rulewright.fragment import Part
from rulewright.game.views import place_identity
from rulewright.scenario.board import Board
from rulewright.scenario.options import SHOWN
from rulewright.types import innermost

EVENTS = 12
LONGEST_LIST = 12


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
    """What came of one scenario. Diagnostics are mistakes in its text, or in the ruleset it asks for."""

    name: str
    file: str
    span: Span
    cites: tuple[str, ...]
    failure: Failure | None
    diagnostics: tuple[Diagnostic, ...]
    texts: dict[str, str]

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


def events_of(game: Any) -> tuple[str, ...]:
    """The last things that happened."""
    return tuple(f"{entry['text']} ({entry['cause']})" for entry in game.log(everything=True)[-EVENTS:])


def decision_of(game: Any) -> tuple[str | None, tuple[str, ...]]:
    """What is being decided, and the options."""
    decision = game.decision
    if decision is None:
        return None, ()
    options = [option.label if option.label == option.id else f"{option.label} ({option.id})" for option in decision.options]
    rest = len(options) - SHOWN
    return f"player {decision.player} ({decision.kind}): {decision.prompt}", (*options[:SHOWN], *([f"and {rest} more"] if rest > 0 else ()))
