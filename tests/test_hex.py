"""Hex: the games of small boards are counted and solved, and on the whole board one side always joins its edges, and only one does.

What is known of Hex is found again by a few lines of Python of their own, which share nothing with the rules or the engine.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, load
from tests.test_counts import Key, after, complete_games, position

Cell = tuple[int, int]
Stones = frozenset[Cell]
AROUND = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def joins(stones: Stones, size: int, way: int) -> bool:
    """Whether stones join two edges: 0 the top and the bottom, 1 the left and the right."""
    todo = [cell for cell in stones if cell[way] == 1]
    seen = set(todo)
    while todo:
        row, column = todo.pop()
        new = {(row + a, column + b) for a, b in AROUND} & stones - seen
        seen |= new
        todo += new
    return any(cell[way] == size for cell in seen)


@cache
def games_by_hand(size: int, mine: Stones = frozenset(), theirs: Stones = frozenset(), way: int = 0) -> int:
    """How many ways there are to play on, for the side that moves."""
    free = [(r, c) for r in range(1, size + 1) for c in range(1, size + 1) if (r, c) not in mine | theirs]
    placed = [mine | {cell} for cell in free]
    return sum(1 if joins(made, size, way) else games_by_hand(size, theirs, made, 1 - way) for made in placed)


@cache
def small(size: int, swap: str, folder: Path) -> Rules:
    """Hex on a smaller board."""
    path = folder / f"hex_{size}_{swap}.rules"
    path.write_text(f"layer hex_{size}_{swap} over hex\nreplace grid board of cell: {size} by {size}, hexagonal\n", encoding="utf-8")
    return load(path, options={"swap": swap})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hex")


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 24), pytest.param(3, 257_760, marks=pytest.mark.slow)])
def test_small_boards_have_as_many_games_as_there_are(size: int, count: int, folder: Path) -> None:
    """Complete games, without the swap rule; as many as are counted by hand."""
    assert games_by_hand(size) == count
    assert complete_games(small(size, "off", folder).new_game(2), {}) == count


def winner(game: Game, known: dict[Key, int]) -> int:
    """Who wins if both play as well as can be."""
    decision = game.decision
    if decision is None:
        assert game.result is not None
        (won,) = game.result.winners
        return won
    key = (position(game), game.view(None)["state"]["may_swap"], decision.prompt)
    if key not in known:
        wins = any(winner(after(game, number), known) == decision.player for number in range(len(decision.options)))
        known[key] = decision.player if wins else 3 - decision.player
    return known[key]


@pytest.mark.parametrize(("size", "swap", "wins"), [(2, "off", 1), (3, "off", 1), (2, "on", 2), pytest.param(3, "on", 2, marks=pytest.mark.slow)])
def test_who_wins_on_small_boards(size: int, swap: str, wins: int, folder: Path) -> None:
    """The first player, by stealing a strategy; with the swap rule the second, by taking over whatever was good."""
    assert winner(small(size, swap, folder).new_game(2), {}) == wins


def stones(game: Game) -> tuple[Stones, Stones]:
    """Where the stones of each side lie."""
    found: list[set[Cell]] = [set(), set()]
    for name, place in game.view(None)["places"].items():
        if name.startswith("board_"):
            row, column = map(int, name.split("_")[1:])
            for stone in place["members"]:
                found[stone["name"] == "blue"].add((row, column))
    return frozenset(found[0]), frozenset(found[1])


@pytest.mark.parametrize("seed", range(12))
def test_exactly_one_side_joins_its_edges(seed: int) -> None:
    """In a random game somebody wins, and nobody else could: however the board is filled up, only that side has joined its edges. So it is no draw, ever."""
    dice, game = random.Random(seed), load("hex").new_game(2, seed)
    while (ask := game.decision) is not None:
        game.choose(dice.randrange(len(ask.options)))
    result: Any = game.result
    red, blue = stones(game)
    assert (joins(red, 11, 0), joins(blue, 11, 1)) == (result.winners == (1,), result.winners == (2,))
    assert len(result.winners) == 1
    free = [(r, c) for r in range(1, 12) for c in range(1, 12) if (r, c) not in red | blue]
    for _ in range(20):
        more = frozenset(cell for cell in free if dice.random() < 0.5)
        full = red | more, blue | (frozenset(free) - more)
        assert (joins(full[0], 11, 0), joins(full[1], 11, 1)) == (result.winners == (1,), result.winners == (2,))
