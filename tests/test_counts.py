"""Known counts: the interpreter finds exactly the games and positions that are known to exist."""

from __future__ import annotations

from functools import partial

import pytest

from rulewright import Game, load

Key = tuple[object, ...]


def position(game: Game) -> Key:
    """What lies where and whose turn it is: all that matters for how a game goes on. Marks of one player are alike."""
    decision = game.decision
    placed = tuple(tuple(game.state.values[game.world.base[member]] for member in members) for members in game.state.members)
    return placed, None if decision is None else decision.player


def after(game: Game, number: int) -> Game:
    """The game after one of its options."""
    made = game.clone()
    made.choose(number)
    return made


def complete_games(game: Game, known: dict[Key, int]) -> int:
    """How many ways there are to play a game to its end; each position is looked at once."""
    key = position(game)
    if key not in known:
        decision = game.decision
        known[key] = 1 if decision is None else sum(complete_games(after(game, number), known) for number in range(len(decision.options)))
    return known[key]


def test_tic_tac_toe_has_as_many_games_and_positions_as_are_known() -> None:
    """255,168 complete games, 5,478 positions, the empty board among them."""
    known: dict[Key, int] = {}
    assert complete_games(load("tic_tac_toe").new_game(2), known) == 255_168
    assert len(known) == 5_478


@pytest.fixture(scope="module")
def sequences() -> list[int]:
    """The number of sequences of moves in Connect Four, by length; a position that comes up in several ways is gone on from once."""
    counts = []
    level: dict[Key, tuple[Game, int]] = {}
    first = load("connect_four").new_game(2)
    level[position(first)] = (first, 1)
    for depth in range(1, 8):
        asked = [(game, times, len(game.decision.options)) for game, times in level.values() if game.decision is not None]
        counts.append(sum(times * options for _, times, options in asked))
        level = {} if depth == 7 else following(asked)
    return counts


def following(asked: list[tuple[Game, int, int]]) -> dict[Key, tuple[Game, int]]:
    """All positions one move further, each with the number of ways to it."""
    found: dict[Key, tuple[Game, int]] = {}
    for game, times, options in asked:
        for made in map(partial(after, game), range(options)):
            key = position(made)
            found[key] = (found[key][0] if key in found else made, times + (found[key][1] if key in found else 0))
    return found


@pytest.mark.slow
def test_connect_four_has_as_many_sequences_of_moves_as_are_known(sequences: list[int]) -> None:
    """Nothing is special for six moves; the seventh can end a game, or find a column full."""
    assert sequences == [7, 49, 343, 2_401, 16_807, 117_649, 823_536]
