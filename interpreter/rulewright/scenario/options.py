"""Which option of a decision somebody means: by id, by label, or by what it chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.diagnostics import Span, did_you_mean
from rulewright.scenario.board import Board, Choice
from rulewright.scenario.written import Pick

SHOWN = 30


class Unfit(Exception):
    """A scenario and the game do not fit together."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def matching(board: Board, wanted: str | int) -> list[Choice]:
    """The options that somebody may mean, by the first way of naming that fits any."""
    word = str(wanted)
    low = word.lower()
    local = board.local(word)
    ways: tuple[Callable[[Choice], bool], ...] = (
        lambda option: option.id == word,
        lambda option: option.label == word,
        lambda option: type(local) is int and _thing(option) == local,
        lambda option: _sort(board, option) == word,
        lambda option: option.label.lower() == low or option.id.lower() == low,
        lambda option: _sort(board, option).rpartition(".")[2] == word,
    )
    options = board.options()
    return next((found for way in ways if (found := [option for option in options if way(option)])), [])


def _thing(option: Choice) -> Any:
    """What an option chooses; of an action, the component that grants it."""
    return option.value[-1] if isinstance(option.value, tuple) else option.value


def _sort(board: Board, option: Choice) -> str:
    """What copies of the same thing have in common: the name of a component, the path of an action."""
    if isinstance(option.value, tuple):
        return str(option.value[1]) if option.value[0] == "action" else option.id
    thing = option.value
    world = board.game.world
    if type(thing) is int and 0 <= thing < world.count and option.id.split(".")[0] == world.definitions[thing]:
        return str(world.definitions[thing])
    return option.id


def one(board: Board, pick: Pick) -> Choice:
    """The one option that is meant; of several copies of the same thing the first."""
    decision = board.game.decision
    if decision is None:
        raise Unfit(f"'{pick.option}' is to be chosen, but nobody has to decide anything", pick.span)
    if pick.player is not None and pick.player != decision.player:
        raise Unfit(f"player {pick.player} is to choose '{pick.option}', but it is player {decision.player} who decides", pick.span)
    found = matching(board, pick.option)
    if not found:
        guess = did_you_mean(str(pick.option), [name for option in decision.options for name in (option.id, option.label)])
        raise Unfit(f"'{pick.option}' is not among the options" + (f"; {guess}" if guess else ""), pick.span)
    if len({_sort(board, option) for option in found}) > 1:
        listed = ", ".join(option.id for option in found[:SHOWN])
        raise Unfit(f"'{pick.option}' may mean several options: {listed}", pick.span)
    return found[0]


def choose(board: Board, pick: Pick) -> None:
    """Take the option that is meant."""
    board.game.choose(one(board, pick).id)
