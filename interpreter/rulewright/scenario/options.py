"""Which option of a decision somebody means: by id, by label, by what it chooses or who grants it, or by its number in the list."""

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
        lambda option: word in _granting(board, option),
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


def _granting(board: Board, option: Choice) -> tuple[str, ...]:
    """What the component is called that grants an action; nothing for any other option, or one that whoever decides cannot tell."""
    world, value = board.game.world, option.value
    if not isinstance(value, tuple) or value[0] != "action" or type(value[-1]) is not int or not 0 <= value[-1] < world.count:
        return ()
    granter = value[-1]
    return world.identities[granter], world.definitions[granter], world.labels[granter]


def _numbered(board: Board, wanted: str | int) -> list[Choice]:
    """The option at a place in the list, from 1; where options are numbers themselves, no number means a place."""
    options = board.options()
    if type(wanted) is not int or not 1 <= wanted <= len(options) or any(option.id.lstrip("-").isdecimal() for option in options):
        return []
    return [options[wanted - 1]]


def one(board: Board, pick: Pick) -> Choice:
    """The one option that is meant; of several copies of the same thing the first."""
    decision = board.game.decision
    if decision is None:
        raise Unfit(f"'{pick.option}' is to be chosen, but nobody has to decide anything", pick.span)
    if pick.player is not None and pick.player != decision.player:
        raise Unfit(f"player {pick.player} is to choose '{pick.option}', but it is player {decision.player} who decides", pick.span)
    found = matching(board, pick.option) or _numbered(board, pick.option)
    if not found:
        guess = did_you_mean(str(pick.option), [name for option in decision.options for name in (option.id, option.label)])
        raise Unfit(f"'{pick.option}' is not among the options" + (f"; {guess}" if guess else ""), pick.span)
    if len({_sort(board, option) for option in found}) > 1:
        listed = ", ".join(option.id for option in found[:SHOWN])
        raise Unfit(f"'{pick.option}' may mean several options: {listed}", pick.span)
    return found[0]


def refusable(board: Board, name: str) -> list[str]:
    """What may be refused by a name, as `Game.why_not` names it: actions by path, last word or label, each with who grants it behind an @; components."""
    first, at, by = name.partition("@")
    actions = board.game.world.graph["actions"]
    paths = [first] if first in actions else [path for path, action in actions.items() if first in (path.rpartition(".")[2], action["label"])]
    if not paths:
        return _components(board, first)
    return [f"{path}@{granter}" for path in paths for granter in _components(board, by)] if at else paths


def _components(board: Board, name: str) -> list[str]:
    """The ids of what a name stands for: a name that the scenario has bound, an id, or one that copies share."""
    world, local = board.game.world, board.local(name)
    if type(local) is int and 0 <= local < world.count:
        return [world.identities[local]]
    copies = [world.identities[each] for each in range(world.count) if name in (world.definitions[each], world.labels[each])]
    return copies if copies and name not in world.identities else [name]


def choose(board: Board, pick: Pick) -> None:
    """Take the option that is meant."""
    board.game.choose(one(board, pick).id)
