"""Bots: players that choose by themselves, written against the public contract of a game and nothing else.

A bot is asked `choose(game, decision)` and gives the id of an option. `make_bot` takes the name of one, such as "random" or "mcts:500", and a seed; the
same name, seed and games give the same choices on every machine. No bot looks at what its player may not know: the searching one thinks only about
games that `Game.imagine` deals again from the view of that player.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import TYPE_CHECKING, Protocol

from rulewright.core import chance
from rulewright.diagnostics import did_you_mean
from rulewright.errors import RulesError

if TYPE_CHECKING:
    from rulewright.decision import Decision, Option, Result
    from rulewright.game.game import Game

PLAYOUTS = 200
MOST = 10**6


class Bot(Protocol):
    """Whoever chooses for a player."""

    def choose(self, game: Game, decision: Decision) -> str:
        """The id of one of the decision's options."""


class UnknownBot(ValueError):
    """No bot is called that."""


class Dice:
    """A small generator of a bot's own; the game's is never touched."""

    def __init__(self, seed: int) -> None:
        # Stirred once: neighbouring seeds would give neighbouring streams.
        self._state = chance.advance(chance.start(seed))[1]

    def below(self, limit: int) -> int:
        """A random number from 0 to limit - 1."""
        self._state, found = chance.below(self._state, limit)
        return found


class First:
    """Always takes the first option."""

    def choose(self, game: Game, decision: Decision) -> str:
        """The first option."""
        return decision.options[0].id


class Random:
    """Takes any option, each equally likely."""

    def __init__(self, seed: int) -> None:
        self._dice = Dice(seed)

    def choose(self, game: Game, decision: Decision) -> str:
        """Any option."""
        return decision.options[self._dice.below(len(decision.options))].id


# -- Monte-Carlo tree search

Key = tuple[int, str]


class Node:
    """What is known about having come somewhere by a sequence of choices: how often, how often it could have been chosen, and the sum of rewards."""

    __slots__ = ("children", "offered", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Key, Node] = {}
        self.visits = 0
        self.offered = 0
        self.total = 0.0


class Mcts:
    """Plays each game it can imagine to its end, and more often where that went well for whoever decided (UCT, max-n).

    Every playout is of another imagined game, so the tree is one of choices and not of states; an option counts as tried only against the times it was
    offered. A playout that is longer than `reach` decisions, or in which the rules fail, says nothing: everybody gets half.
    """

    def __init__(self, seed: int, playouts: int = PLAYOUTS, reach: int = 100, curiosity: float = 0.7) -> None:
        self._dice = Dice(seed)
        self._playouts = playouts
        self._reach = reach
        self._curiosity = curiosity

    def choose(self, game: Game, decision: Decision) -> str:
        """The option that was tried most."""
        if len(decision.options) == 1:
            return decision.options[0].id
        root = Node()
        for _ in range(self._playouts):
            self._playout(game.imagine(decision.player, self._dice.below(1 << 62)), root)
        tried = {option.id: root.children.get((decision.player, option.id)) for option in decision.options}
        return max(tried, key=lambda option: _worth(tried[option]))

    def _playout(self, game: Game, root: Node) -> None:
        """From the root down the tree, one new node, then at random."""
        path: list[tuple[int, Node]] = []
        node: Node | None = root
        try:
            for _ in range(self._reach):
                decision = game.decision
                if decision is None:
                    break
                if node is None or len(decision.options) == 1:
                    game.choose(decision.options[self._dice.below(len(decision.options))])
                    continue
                option, node, new = self._descend(node, decision)
                path.append((decision.player, node))
                game.choose(option)
                node = None if new else node
            result = game.result
        except RulesError:
            result = None
        for player, visited in path:
            visited.visits += 1
            visited.total += reward(result, player)

    def _descend(self, node: Node, decision: Decision) -> tuple[Option, Node, bool]:
        """The option to try next: a new one if there is any, else the one with the best upper bound."""
        fresh = []
        for option in decision.options:
            child = node.children.get((decision.player, option.id))
            if child is None:
                fresh.append(option)
            else:
                child.offered += 1
        if fresh:
            chosen = fresh[self._dice.below(len(fresh))]
            made = node.children[decision.player, chosen.id] = Node()
            made.offered = 1
            return chosen, made, True
        best = max(decision.options, key=lambda option: self._bound(node.children[decision.player, option.id]))
        return best, node.children[decision.player, best.id], False

    def _bound(self, node: Node) -> float:
        visits = max(node.visits, 1)
        return node.total / visits + self._curiosity * sqrt(log(node.offered) / visits)


def _worth(node: Node | None) -> tuple[int, float]:
    return (0, 0.0) if node is None else (node.visits, node.total)


def reward(result: Result | None, player: int) -> float:
    """What an ending is worth to a player: 1 for winning, 0 for losing, half if nobody wins or it is not known."""
    if result is None:
        return 0.5
    if player in result.winners:
        return 1.0
    return 0.0 if result.winners or player in result.losers or player in result.eliminated else 0.5


# -- by name


def _plain(name: str, maker: Callable[[int], Bot]) -> Callable[[int, str | None], Bot]:
    """The maker of a bot that takes no number."""

    def make(seed: int, number: str | None) -> Bot:
        if number is not None:
            raise UnknownBot(f"'{name}' takes no number, but is followed by ':{number}'")
        return maker(seed)

    return make


def _mcts(seed: int, number: str | None) -> Bot:
    if number is None:
        return Mcts(seed)
    if not (number.isascii() and number.isdecimal() and len(number) < 9 and 1 <= int(number) <= MOST):
        raise UnknownBot(f"'mcts:{number}': expected the number of playouts, from 1 to {MOST:,}, such as mcts:{PLAYOUTS}")
    return Mcts(seed, int(number))


BOTS: dict[str, Callable[[int, str | None], Bot]] = {
    "random": _plain("random", Random),
    "first": _plain("first", lambda seed: First()),
    "mcts": _mcts,
}


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name, perhaps with a number after a colon; raises `UnknownBot` for a name that is none."""
    kind, colon, number = name.partition(":")
    if kind not in BOTS:
        raise UnknownBot(f"there is no bot '{kind}'; {did_you_mean(kind, BOTS) or 'there are ' + ', '.join(BOTS)}")
    return BOTS[kind](seed, number if colon else None)
