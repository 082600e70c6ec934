"""The co-operative example, counted: what never changes in a game, and where the storms are hidden."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from rulewright import Game, load

COLOURS = ("red", "gold", "blue")


def spores(game: Game) -> Counter[tuple[str, str]]:
    """How many spores of each colour lie in each place."""
    found: Counter[tuple[str, str]] = Counter()
    for name, place in game.view(None)["places"].items():
        for thing in place["members"]:
            if thing.get("name") == "speck":
                found[name, thing["fields"]["colour"]] += 1
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_happens_nothing_is_lost(players: int) -> None:
    """Sixteen spores of each colour, no more than three of one in a valley, twelve gusts; and all lose together, or win."""
    rules = load("blight")
    for seed in range(3):
        game, dice = rules.new_game(players, seed), random.Random(seed)
        while game.decision is not None:
            there = spores(game)
            assert [sum(count for (_, colour), count in there.items() if colour == each) for each in COLOURS] == [16, 16, 16]
            assert max(count for (place, _), count in there.items() if place != "supply") <= 3
            places = game.view(None)["places"]
            assert places["wind"]["count"] + places["blown"]["count"] == 12
            game.choose(dice.randrange(len(game.decision.options)))
        assert game.result is not None
        assert sorted((len(game.result.winners), len(game.result.losers))) == [0, players]


@pytest.mark.parametrize(
    ("players", "storms", "heaps"),
    [(2, 3, [7, 7, 7]), (3, 3, [6, 6, 6]), (4, 3, [5, 5, 5]), (2, 4, [6, 6, 5, 5]), (2, 1, [19]), (4, 5, [4, 4, 3, 3, 3])],
)
def test_there_is_one_storm_in_each_heap(players: int, storms: int, heaps: list[int], tmp_path: Path) -> None:
    """The deck as it is drawn: heaps as even as can be, each with a storm somewhere in it."""
    layer = tmp_path / "calm.rules"
    change = f"set storms_in_deck to {storms}\n" if storms != 3 else ""
    layer.write_text(f"layer calm over blight\n\n{change}instead of settle(where_to, tint): nothing\n", encoding="utf-8")
    rules = load(layer)
    for seed in range(4):
        game = rules.new_game(players, seed)
        while game.decision is not None:
            game.choose("rest" if any(option.id == "rest" for option in game.decision.options) else 0)
        texts = [entry["text"] for entry in game.log(everything=True) if entry["cause"].startswith("draw_card")]
        drawn = [text.startswith("Storm:") for text in texts if ": deck → " in text]
        assert len(drawn) == sum(heaps)
        for size in heaps:
            assert sum(drawn[:size]) == 1
            drawn = drawn[size:]
