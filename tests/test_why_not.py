"""`why_not`: why an action or a target is not offered."""

from __future__ import annotations

from pathlib import Path

from rulewright import load
from tests.playing import rules_of


def test_a_target_that_cannot_be_chosen() -> None:
    """A taken cell does not meet a condition, a mark is not among the cells, and a free cell has nothing against it."""
    game = load("tic_tac_toe").new_game(2, 1)
    game.choose("board_1_1")
    (taken,) = game.why_not(2, "board_1_1")
    assert taken["reason"] == "board 1,1 does not meet the condition 'cell is empty'"
    assert taken["span"][0].endswith("tic_tac_toe.rules")
    assert "not among" in game.why_not(2, "cross.5")[0]["reason"]
    assert game.why_not(2, "board_2_2") == []
    assert "not player 1" in game.why_not(1, "board_2_2")[0]["reason"]
    assert "knows no action and no component" in game.why_not(2, "borad")[0]["reason"]


def test_an_action_that_is_not_offered() -> None:
    """The reason of a requirement comes with its place and the rules it cites."""
    game = load("base").new_game(2, 1)
    while game.decision is not None and game.decision.kind != "action":
        game.choose(0)
    assert game.decision is not None
    (reason,) = game.why_not(game.decision.player, "escape")
    assert reason["reason"]
    assert reason["span"][0].endswith("actions.rules")
    assert "base.escape.1" in reason["cites"]


LAMPS = """
kind player
kind lamp:
    lit: flag
    near: flag
    actions for a player where near
    action light "Light a lamp":
        by player
        when lit because "{self} has no oil"
        do: log "It burns."
place shelf: an area of lamp
lamp red "Red lamp" in shelf
lamp blue "Blue lamp" in shelf: near
lamp green "Green lamp" in shelf: near
phase play:
    for each player in players: offer actions to player:
        "Wait": nothing
"""


def test_what_grants_an_action_goes_before_what_does_not(tmp_path: Path) -> None:
    """Without a name for what grants it, the reasons are those of what does."""
    game = rules_of(tmp_path, LAMPS).new_game(1, 1)
    (reason,) = game.why_not(1, "lamp.light")
    assert reason["reason"] == "Blue lamp has no oil"
    (reason,) = game.why_not(1, "lamp.light@red")
    assert (reason["reason"], reason["granted"]) == ("Red lamp does not grant it to Player 1 at the moment", False)


def test_which_condition_a_target_fails(tmp_path: Path) -> None:
    """Of several conditions the one that fails is named, with its place and the rule behind it."""
    rules = """
kind card:
    rank: 1..9
place table: an area of card
card ember "Ember" x3 in table:
    rank 1, 2, 3
value fine(which: card):
    give which.rank != 2
phase play:
    for each player in players: player chooses target: a card in table where rank < 3 and fine(target)
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    (high,), (poor,) = game.why_not(1, "ember.3"), game.why_not(1, "ember.2")
    assert (high["reason"], poor["reason"]) == (
        "Ember does not meet the condition 'card.rank < 3'",
        "Ember does not meet the condition 'fine(target)'",
    )
    assert high["span"][1:] != poor["span"][1:]
    assert game.why_not(1, "ember.1") == []
