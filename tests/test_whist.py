"""Whist: whole games, held against the rules of the game as they can be said in a few lines of Python."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulewright import Game, load
from tests.playing import messages

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = [*map(str, range(2, 11)), "Jack", "Queen", "King", "Ace"]
PACK = [f"{rank} of {suit}" for suit in SUITS for rank in RANKS]


def labels(game: Game, player: int, place: str) -> list[str]:
    """What somebody sees lying in a place."""
    return [member["label"] for member in game.view(player)["places"][place]["members"]]


def suit(card: str) -> str:
    return card.rpartition(" ")[2]


def strength(card: str, led: str, trump: str) -> int:
    """How much a card counts in a trick."""
    own = suit(card)
    return (100 if own == trump else 0 if own == led else -100) + RANKS.index(card.split(" ")[0])


def played(seed: int) -> tuple[Game, list[tuple[int, str, str]]]:
    """A random game, and every card played in it, with who played it and what was trump; nobody may revoke."""
    dice, game = random.Random(seed), load("whist").new_game(4, seed)
    cards: list[tuple[int, str, str]] = []
    while (ask := game.decision) is not None:
        hand, trick = labels(game, ask.player, f"player.{ask.player}.hand"), labels(game, ask.player, "trick")
        following = [card for card in hand if trick and suit(card) == suit(trick[0])]
        assert [option.label for option in ask.options] == (following or hand)
        chosen = dice.choice(ask.options)
        cards.append((ask.player, chosen.label, game.view(None)["state"]["trump"]))
        game.choose(chosen)
    return game, cards


def test_the_pack_has_every_card_once() -> None:
    """Fifty-two cards by a product of suits and ranks."""
    game: Any = load("whist").new_game(4, 1)
    assert sorted(label for player in (1, 2, 3, 4) for label in labels(game, player, f"player.{player}.hand")) == sorted(PACK)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_goes_by_the_rules(seed: int) -> None:
    """Every deal plays every card once, in thirteen tricks, each led by who took the one before and taken by its best card; a side scores what is above six, and the first to five wins."""
    game, cards = played(seed)
    told = [text for text in messages(game) if "takes the trick" in text]
    points = [0, 0]
    assert len(cards) % 52 == 0
    for begin in range(0, len(cards), 52):
        deal = cards[begin : begin + 52]
        assert sorted(card for _, card, _ in deal) == sorted(PACK)
        assert max(points) < 5
        tricks = [0, 0]
        leader = begin // 52 % 4 + 1
        for first in range(0, 52, 4):
            trick = deal[first : first + 4]
            assert [player for player, _, _ in trick] == [(leader - 1 + number) % 4 + 1 for number in range(4)]
            led, trump = suit(trick[0][1]), trick[0][2]
            leader, best, _ = max(trick, key=lambda each: strength(each[1], led, trump))
            assert told[(begin + first) // 4] == f"Player {leader} takes the trick with {best}."
            tricks[leader % 2] += 1
        assert sum(tricks) == 13
        points = [points[side] + max(tricks[side] - 6, 0) for side in (0, 1)]
    result: Any = game.result
    assert result.scores == {1: points[1], 2: points[0], 3: points[1], 4: points[0]}
    assert max(points) >= 5
    assert result.winners == ((1, 3) if points[1] > points[0] else (2, 4))
    assert result.ranking[0] == result.winners


def test_nobody_sees_the_hands_of_others() -> None:
    """But for the card that was turned up: everyone has seen that."""
    game: Any = load("whist").new_game(4, 5)
    seen = [member for member in game.view(1)["places"]["player.2.hand"]["members"] if "label" in member]
    dealt = [member for member in game.view(1)["places"]["player.4.hand"]["members"] if "label" in member]
    assert seen == []
    assert [suit(member["label"]) for member in dealt] == [game.view(1)["state"]["trump"]]
