"""Costs of several kinds that want the same things: offered only if all can be paid, and paid so that all are."""

from __future__ import annotations

from pathlib import Path

from tests.playing import messages, option_ids, rules_of

TABLE = """
kind card:
    suit: red | blue
    rank: 1..9
place hand of player: a row of card, seen by owner
place deck: a pile of card
card ember "Ember" x3 in deck:
    suit red
    rank 1, 2, 3
card wave "Wave" x3 in deck:
    suit blue
    rank 1, 2, 3
cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount
    do:
        who chooses paid: exactly (amount) cards in who.hand
        move paid to deck
cost reds(who: player, amount: number):
    when (count of cards in who.hand where suit = red) >= amount
    do:
        who chooses paid: exactly (amount) cards in who.hand where suit = red
        move paid to deck
phase play:
    for each player in players:
        move GIVEN to player.hand
        offer actions to player:
            "Pass": log "Passed."
    log "Left: {count of cards in deck}."
action brew "Brew":
    cost 1 card, 1 red
    do: log "Brewed."
action stew "Stew":
    cost 1 red, 1 card
    do: log "Stewed."
"""


def _offered(tmp_path: Path, given: str) -> list[str]:
    game = rules_of(tmp_path, TABLE.replace("GIVEN", given)).new_game(1, 1)
    return option_ids(game)


def test_one_card_does_not_pay_twice(tmp_path: Path) -> None:
    """Each cost by itself could be paid with the single red card, both together cannot."""
    assert _offered(tmp_path, "the first ember") == ["pass"]


def test_no_red_card_pays_for_none(tmp_path: Path) -> None:
    """Two blue cards are enough for one cost and not for the other."""
    assert _offered(tmp_path, "the first 2 waves") == ["pass"]


def test_what_the_next_cost_needs_cannot_be_spent(tmp_path: Path) -> None:
    """With a red and a blue card, the first cost can only take the blue one; in the other order all is free."""
    rules = rules_of(tmp_path, TABLE.replace("GIVEN", "cards in deck where rank = 1"))
    game = rules.new_game(1, 1)
    assert option_ids(game) == ["brew", "stew", "pass"]
    game.choose("brew")
    assert option_ids(game) == ["wave.1"]
    game.choose("wave.1")
    assert option_ids(game) == ["ember.1"]
    game.choose("ember.1")
    assert messages(game) == ["Brewed.", "Left: 6."]


def test_trying_out_leaves_no_trace(tmp_path: Path) -> None:
    """What is offered is the same however often it is asked, and the game is as it was."""
    game = rules_of(tmp_path, TABLE.replace("GIVEN", "cards in deck")).new_game(1, 1)
    before = game.save()
    assert option_ids(game) == option_ids(game.clone()) == ["brew", "stew", "pass"]
    assert game.save() == before
