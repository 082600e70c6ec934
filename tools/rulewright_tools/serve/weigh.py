"""What a game takes of the memory: when it begins, after some choices, with somebody who looks, and when it has been put out of memory.

Begins some games in this process, in a folder that goes away, and counts what Python allocates for them (the memory of a process says little: what was freed before is used again first).
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import tracemalloc
from pathlib import Path

import msgspec

from rulewright.bots import make_bot
from rulewright_tools.serve.catalogue import Catalogue
from rulewright_tools.serve.eyes import Eyes
from rulewright_tools.serve.hosted import HostedGame
from rulewright_tools.serve.house import House
from rulewright_tools.serve.seats import Seat

GAMES = 20
CHOICES = 60


class Weight(msgspec.Struct, frozen=True):
    """Kilobytes of one game, in the middle of several; `eyes`: for each seat that is looked from; `choices`: how many were made."""

    begun: float
    played: float
    eyes: float
    closed: float
    choices: float


def weigh(name: str, players: int, games: int = GAMES, choices: int = CHOICES) -> Weight:
    """Weigh some games of a ruleset, played by bots."""
    with tempfile.TemporaryDirectory(prefix="rulewright-weigh-") as folder:
        house = House(Path(folder), Catalogue(name, Path(folder) / "rulesets"))
        try:
            return asyncio.run(_weighed(house, players, games, choices))
        finally:
            house.release()


async def _weighed(house: House, players: int, games: int, choices: int) -> Weight:
    def begin(number: int) -> HostedGame:
        return house.begin(house.catalogue.first, [], {}, [Seat(kind="bot", bot="random") for _ in range(players)], seed=number)[0]

    first = begin(0)  # what all of them share is made now
    _play(first, choices)
    _look(first)
    await first.close()
    tracemalloc.start()
    try:
        empty = _allocated()
        hosted = [begin(number) for number in range(1, games + 1)]
        begun = _allocated()
        for each in hosted:
            _play(each, choices)
        played = _allocated()
        eyes = [_look(each) for each in hosted]
        looked = _allocated()
        made = sum(len(each.record.made) for each in hosted)
        del eyes
        for each in hosted:
            await each.close()
        closed = _allocated()
    finally:
        tracemalloc.stop()
    kilobytes = 1000 * games
    return Weight(
        (begun - empty) / kilobytes, (played - empty) / kilobytes, (looked - played) / kilobytes, (closed - empty) / kilobytes, made / games
    )


def _play(hosted: HostedGame, choices: int) -> None:
    """Let bots make some choices."""
    game = hosted.opened()
    bot = make_bot("random", hosted.record.header.seed)
    for _ in range(choices):
        if (asked := game.decision) is None:
            return
        hosted.take(game, asked.player, bot.choose(game, asked))


def _look(hosted: HostedGame) -> Eyes:
    """What is kept for somebody who looks."""
    return Eyes(1, hosted.opened(), hosted.layout(), hosted.about(1))


def _allocated() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
