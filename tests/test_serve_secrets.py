"""What a seat is sent is that seat's view and nothing else: whatever is changed that a player cannot know, the bytes sent to that seat stay the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulewright_tools.serve.catalogue import Catalogue
from rulewright_tools.serve.eyes import Eyes
from rulewright_tools.serve.hosted import HostedGame
from rulewright_tools.serve.house import House
from rulewright_tools.serve.seats import Seat
from rulewright_tools.table import apply
from tests.test_serve import CARDS

# Who drew the shield may ward off what the other does. Nobody else may notice that they could have.
SHIELD = """\
ruleset duel "Duel" for 2 players

kind card
place deck: a pile of card, seen by nobody
place hand of player: a row of card, seen by owner
kind player:
    wounds: number
card shield "Shield" in deck
card spoon "Spoon" in deck

phase setup:
    shuffle deck
    draw a card from deck to (the player where seat = 2).hand

effect strike():
    increase (the player where seat = 2).wounds by 1

reaction ward "Ward off" to strike by (the player where seat = 2) when shield is in (the player where seat = 2).hand:
    do: cancel

phase play:
    repeat 4 times:
        let one = the player where seat = 1
        one chooses one:
            "Strike": strike()
            "Wait": increase one.wounds by 0
    end game
"""


@contextmanager
def kept_in(folder: Path, name: str) -> Iterator[House]:
    """A server that nobody has called yet."""
    house = House(folder, Catalogue(name, folder / "rulesets"))
    try:
        yield house
    finally:
        house.release()


def begin(house: House, players: int, seed: int) -> HostedGame:
    """A game of people on it."""
    return house.begin(house.catalogue.first, [], {}, [Seat("person") for _ in range(players)], seed=seed)[0]


def sent(text: str | None) -> dict[str, Any]:
    """A message as whoever gets it reads it."""
    found: dict[str, Any] = json.loads(text or "{}")
    return found


@pytest.mark.parametrize("name", ["cards", "whist", *(pytest.param(each, marks=pytest.mark.slow) for each in ("base", "lockdown"))])
def test_what_cannot_be_known_changes_no_byte(name: str, tmp_path: Path) -> None:
    """All that is hidden is dealt again, time and again in the middle of games: everything sent is the same, and differences lead from one to the next."""
    own = tmp_path / "cards.rules"
    own.write_text(CARDS, encoding="utf-8")
    with kept_in(tmp_path, str(own) if name == "cards" else name) as house:
        low, high = house.catalogue.settings(house.catalogue.first, [])[0]
        players, rng = min(max(low, 3), high), random.Random(11)
        one = begin(house, players, 5)
        game = one.opened()
        seats = [*range(1, players + 1), None]
        eyes = {seat: Eyes(seat, game, one.layout(), one.about(seat)) for seat in seats}
        known = {seat: sent(each.whole(game))["whole"] for seat, each in eyes.items()}
        for step in range(37):
            for seat in seats:
                known[seat] = apply(known[seat], sent(eyes[seat].update(game, one.about(seat))).get("patch", {}))
            if step % 9 == 0:
                seat = seats[step // 9 % len(seats)]
                layout, about, other = one.layout(), one.about(seat), game.imagine(seat, step)
                message = Eyes(seat, game, layout, about).whole(game)
                assert message == Eyes(seat, other, layout, about).whole(other)
                whole = sent(message)["whole"]
                assert whole["story"] == {number: known[seat]["story"][number] for number in whole["story"]}  # long ones are sent in parts
                assert whole == known[seat] | {"story": whole["story"]}
            if game.decision is None:
                break
            if step % 7 == 6:
                one._undone(game, 2, past_secrets=True)
            else:
                one.take(game, game.decision.player, rng.choice(game.decision.options).id)
            one._settle(game)


def test_nobody_hears_of_what_somebody_could_have_done(tmp_path: Path) -> None:
    """A question that shows what its player holds, and is answered with no: the other one and who looks on are sent the same bytes as where it was not asked."""
    path = tmp_path / "duel.rules"
    path.write_text(SHIELD, encoding="utf-8")
    told: dict[bool, list[str | None]] = {}
    with kept_in(tmp_path, str(path)) as house:
        for seed in range(8):
            one = begin(house, 2, seed)
            game = one.opened()
            asked = False
            eyes = [Eyes(seat, game, one.layout(), about_of(one, seat)) for seat in (1, None)]
            messages: list[str | None] = [each.whole(game) for each in eyes]
            while game.decision is not None:
                player = game.decision.player
                asked = asked or player == 2
                one.take(game, player, game.decision.options[-1 if player == 2 else 0].id)
                one._settle(game)
                if one.decider != 2:
                    messages += [each.update(game, about_of(one, each.seat)) for each in eyes]
            assert told.setdefault(asked, messages) == messages
    assert told[True] == told[False]
    assert len(told) == 2


def about_of(one: HostedGame, seat: int | None) -> dict[str, Any]:
    """What is said besides the table, but for what any two games are told apart by."""
    return one.about(seat) | {"id": ""}
