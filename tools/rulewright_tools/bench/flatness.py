"""Whether a decision costs the same late in a long game as early, and with a full box as with an empty one.

The game is made for it: as long as one likes, every decision like every other, with actions that cards grant to who holds them and as many more cards of
the same kinds in the box as one likes.
"""

from __future__ import annotations

import random
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time as now
from typing import Any

from rulewright import Game, Rules, load

CROWDS = (1, 10, 100)
SPARE = 90  # cards in the box for a crowd of 1
LONG = 3_000
ROUNDS = 5
TURNS = 25  # short ones, since a machine may be slower for a while
ENOUGH = 0.2  # seconds after which a stretch of a game is long enough to tell
TEXT = """ruleset crowd "A game without end, with cards in the box that nobody plays with"

kind player:
    score: 0..9

kind card:
    worth: 0..9
    actions for a player where self is in player.hand
    action play "Play" as turn_action:
        by player
        when worth < 9 or table is empty
        do:
            move self to table
            if any card in table where worth > self.worth: set actor.score to worth
    action keep "Keep" as turn_action:
        by player
        when worth < 9
        do: increase worth by 1

place hand of player: a row of card, seen by owner
place deck: a pile of card, seen by nobody
place table: a pile of card

card low "Low" x12 in deck:
    worth 1
card high "High" x12 in deck:
    worth 5
card spare "Spare" x{spare}

phase setup: shuffle deck

phase play:
    repeat:
        for each player in players ordered by seat: turn(player)

effect turn(who: player):
    if count of cards in deck < 3:
        for each card in cards in table: set card.worth to 1
        move all cards in table to deck
        shuffle deck
    draw exactly (3 - count of cards in who.hand) cards from deck to who.hand
    who chooses thrown: a card in who.hand
    move thrown to table
    offer actions as turn_action to who
"""


def rules_with(spare: int, engine: str) -> Rules:
    """The game with so many cards in the box."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.rules"
        path.write_text(TEXT.replace("{spare}", str(spare)), encoding="utf-8")
        return load(path, engine=engine)


def by_length(engine: str) -> dict[str, Any]:
    """Decisions a second in the first and in the last tenth of a long game."""
    rules, tenth = rules_with(SPARE, engine), LONG // 10
    speed(rules.new_game(2, 0), 0, tenth)
    found = []
    for seed in range(ROUNDS):
        game = rules.new_game(2, seed)
        found.append([speed(game, seed, tenth) for _ in range(10)])
    return {"engine": engine, "decisions": LONG, "first_tenth": median(each[0] for each in found), "last_tenth": median(each[-1] for each in found)}


def by_crowd(engine: str) -> dict[str, Any]:
    """Decisions a second with few and with many cards in the box, in turns."""
    games = {crowd: rules_with(SPARE * crowd, engine).new_game(2, 0) for crowd in CROWDS}
    found: dict[int, list[float]] = {crowd: [] for crowd in CROWDS}
    for turn in range(TURNS):
        for crowd, game in games.items():
            found[crowd].append(speed(game, turn, LONG // 10, ENOUGH))
    return {"engine": engine, **{f"x{crowd}": median(speeds) for crowd, speeds in found.items()}}


def speed(game: Game, seed: int, decisions: int, enough: float = 1e9) -> float:
    """Decisions a second in the next stretch of a game."""
    chance, made, begin = random.Random(seed).random, 0, now()
    while made < decisions and now() - begin < enough:
        ask = game.decision
        assert ask is not None
        game.choose(int(chance() * len(ask.options)))
        made += 1
    return made / (now() - begin)
