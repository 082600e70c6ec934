"""Which option of a decision somebody means: by id, by label, or by what it chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.diagnostics import Span, did_you_mean
from rulewright.run.asking import Option
from rulewright.run.game import Game
from rulewright.scenario.written import Pick

SHOWN = 30


class Unfit(Exception):
    """A scenario and the game do not fit together."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def offered(game: Game) -> list[Option]:
    """The options of the current decision with what they stand for."""
    return game._options()


def matching(game: Game, wanted: str | int, variables: Mapping[str, Any]) -> list[Option]:
    """The options that somebody may mean, by the first way of naming that fits any."""
    word = str(wanted)
    low = word.lower()
    local = variables.get(word)
    ways: tuple[Callable[[Option], bool], ...] = (
        lambda option: option.id == word,
        lambda option: option.label == word,
        lambda option: type(local) is int and _thing(option) == local,
        lambda option: _sort(game, option) == word,
        lambda option: option.label.lower() == low or option.id.lower() == low,
        lambda option: _sort(game, option).rpartition(".")[2] == word,
    )
    options = offered(game)
    return next((found for way in ways if (found := [option for option in options if way(option)])), [])


def _thing(option: Option) -> Any:
    """What an option chooses; of an action, the component that grants it."""
    return option.value[-1] if isinstance(option.value, tuple) else option.value


def _sort(game: Game, option: Option) -> str:
    """What copies of the same thing have in common: the name of a component, the path of an action."""
    if isinstance(option.value, tuple):
        return str(option.value[1]) if option.value[0] == "action" else option.id
    thing = option.value
    if type(thing) is int and thing < game.world.count and option.id.split(".")[0] == game.world.definitions[thing]:
        return game.world.definitions[thing]
    return option.id


def one(game: Game, pick: Pick, variables: Mapping[str, Any]) -> Option:
    """The one option that is meant; of several copies of the same thing the first."""
    decision = game.decision
    if decision is None:
        raise Unfit(f"'{pick.option}' is to be chosen, but nobody has to decide anything", pick.span)
    if pick.player is not None and pick.player != decision.player:
        raise Unfit(f"player {pick.player} is to choose '{pick.option}', but it is player {decision.player} who decides", pick.span)
    found = matching(game, pick.option, variables)
    if not found:
        guess = did_you_mean(str(pick.option), [name for option in decision.options for name in (option.id, option.label)])
        raise Unfit(f"'{pick.option}' is not among the options" + (f"; {guess}" if guess else ""), pick.span)
    if len({_sort(game, option) for option in found}) > 1:
        listed = ", ".join(option.id for option in found[:SHOWN])
        raise Unfit(f"'{pick.option}' may mean several options: {listed}", pick.span)
    return found[0]


def choose(game: Game, pick: Pick, variables: Mapping[str, Any]) -> None:
    """Take the option that is meant."""
    game.choose(one(game, pick, variables).id)
