"""`why_not`: why an action or a target is not offered."""

from __future__ import annotations

from interpreter import load


def test_a_target_that_cannot_be_chosen() -> None:
    """A taken cell does not meet a condition, a mark is not among the cells, and a free cell has nothing against it."""
    game = load("tic_tac_toe").new_game(2, 1)
    game.choose("board_1_1")
    (taken,) = game.why_not(2, "board_1_1")
    assert taken["reason"] == "board 1,1 does not meet a condition of the choice"
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
