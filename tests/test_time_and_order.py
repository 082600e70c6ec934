"""Durations that overlap, batches that are cut short, things in themselves, costs that change: what must come out in the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import RulesError
from tests.playing import messages, option_ids, rules_of


def test_a_save_with_something_that_holds_for_a_time_can_be_loaded(tmp_path: Path) -> None:
    """What was set until an event is put back after loading too."""
    rules = rules_of(
        tmp_path,
        """
kind player: luck: 0..9
effect turn(who: player):
    set who.luck to 2 until turn
    who chooses one:
        "end": nothing
phase play:
    for each player in players: turn(player)
    for each player in players: log "{player.luck}"
""",
    )
    game = rules.new_game(1, 1)
    again = rules.load_game(game.save())
    again.choose("end")
    assert messages(again) == ["0"]


def test_of_durations_that_overlap_the_first_value_comes_back(tmp_path: Path) -> None:
    """Whichever ends first: at the end everything is as it was."""
    rules = """
kind torch: lit: flag
torch lamp "Lamp"
effect turn(): nothing
effect round(): nothing
effect day(): nothing
phase play:
    set lamp.lit to true until turn
    set lamp.lit to false until round
    set lamp.lit to true until day
    log "{lamp.lit}"
    turn()
    log "{lamp.lit}"
    day()
    log "{lamp.lit}"
    round()
    log "{lamp.lit}"
"""
    assert messages(rules_of(tmp_path, rules).new_game(1, 1)) == ["yes", "yes", "no", "no"]


def test_within_a_place_things_come_in_the_order_of_the_place(tmp_path: Path) -> None:
    """However it is said."""
    rules = """
kind card
place row: a row of card
card ace "Ace"
card king "King"
card queen "Queen"
phase play:
    move queen to row
    move ace to row
    move king to row
    for each card in cards in row: log "{card}"
    for each card in row: log "{card}"
    for each card in cards in row where card is not ace: log "{card}"
"""
    assert messages(rules_of(tmp_path, rules).new_game(1, 1)) == ["Queen", "Ace", "King", "Queen", "Ace", "King", "Queen", "King"]


def test_what_happened_in_a_batch_has_happened_although_it_is_cut_short(tmp_path: Path) -> None:
    """The hooks after it still run."""
    rules = """
effect hit(): log "Hit."
effect strike(): log "Struck."
after hit: log "Ouch."
before strike:
    at once:
        hit()
        cancel
phase play: strike()
"""
    assert messages(rules_of(tmp_path, rules).new_game(1, 1)) == ["Hit.", "Ouch."]


def test_each_proceed_begins_anew(tmp_path: Path) -> None:
    """An action that is let happen twice does not go on with the names of the first time."""
    rules = """
action act "Act":
    do:
        let times = 1
        increase times by 1
        log "{times}"
instead of act:
    proceed
    proceed
phase play: for each player in players: offer actions to player
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    game.choose("act")
    assert messages(game) == ["2", "2"]


def test_nothing_is_put_into_itself(tmp_path: Path) -> None:
    """Directly or by a detour."""
    rules = """
kind chest is place
chest oak "Oak"
chest elm "Elm"
phase play:
    for each player in players:
        player chooses one:
            "At once": move oak to oak
            "By a detour":
                move oak to elm
                move elm to oak
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    for option in ("at_once", "by_a_detour"):
        with pytest.raises(RulesError, match="into itself"):
            game.choose(option)


def test_exactly_some_or_none_at_all(tmp_path: Path) -> None:
    """A choice that may be declined can be declined before anything is picked."""
    rules = """
kind coin
place bank: an area of coin
coin gold x3 in bank
phase play:
    for each player in players:
        player may choose taken: exactly 2 coins in bank
        log "{count of taken}"
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    assert option_ids(game) == ["gold.1", "gold.2", "gold.3", "none"]
    declined = game.clone()
    declined.choose("none")
    game.choose("gold.1")
    assert option_ids(game) == ["gold.2", "gold.3"]
    game.choose("gold.3")
    assert (messages(declined), messages(game)) == (["0"], ["2"])


def test_a_cost_is_never_below_nothing_on_the_way(tmp_path: Path) -> None:
    """Three less than one is nothing; two more than that is two."""
    rules = """
kind coin
place bank: an area of coin
coin gold x9 in bank
cost coins(who: player, amount: number):
    when count of coins in bank >= amount
    do: move exactly (amount) coins from bank to box
action act "Act":
    cost 1 coin
    do: log "{count of coins in bank}"
cost of act is 3 coins less
cost of act is 2 coins more
phase play: for each player in players: offer actions to player
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    game.choose("act")
    assert messages(game) == ["7"]


def test_a_rare_way_is_found_among_many(tmp_path: Path) -> None:
    """Eight nines among twenty-four cards are found, wherever they are; cards that are alike are tried once."""
    rules = """
kind card: rank: 1..9
place deck: an area of card
card low "Low" x16 in deck: rank 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8
card nine "Nine" x8 in deck: rank 9
action meld "Meld":
    choose some: exactly 8 cards in deck
    when (total rank over cards in some) = 72 because "it takes eight nines"
    do: log "Melded."
phase play:
    for each player in players:
        offer actions to player:
            "Pass": nothing
"""
    assert option_ids(rules_of(tmp_path, rules).new_game(1, 1)) == ["meld", "pass"]


def test_a_person_says_what_lies_on_top_of_a_shuffled_pile(tmp_path: Path) -> None:
    """When it is looked at, moved or drawn: asked once, and kept to, also after saving."""
    rules = rules_of(
        tmp_path,
        """
kind card
place deck: a pile of card, seen by nobody
place table: a row of card
card ace "Ace" in deck
card king "King" in deck
card queen "Queen" in deck
phase play:
    shuffle deck
    reveal the top card in deck
    for each player in players:
        player chooses one:
            "Go on": nothing
    draw a card from deck to table
    move the top card in deck to table
    for each card in table: log "{card}"
""",
    )
    game = rules.new_game(1, 5, chance="ask")
    assert game.decision is not None
    assert game.decision.prompt == "What is on top of deck?"
    game.choose("king")
    game = rules.load_game(game.save())
    game.choose("go_on")
    assert sorted(option_ids(game)) == ["ace", "queen"]
    game.choose("queen")
    assert messages(game) == ["King", "Queen"]


def test_what_may_be_nothing_is_nothing_at_first(tmp_path: Path) -> None:
    """Whatever else it may be."""
    rules = """
kind card:
    rank: 3..8 or none
    known: flag or none
    title: text or none
card ace "Ace"
card two "Two": rank 3
phase play:
    if ace.rank is none and ace.known is none and ace.title is none: log "Nothing."
    log "{two.rank}"
"""
    assert messages(rules_of(tmp_path, rules).new_game(1, 1)) == ["Nothing.", "3"]
