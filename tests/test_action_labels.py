"""Labels of actions that name what grants them, for those who can tell it and for those who cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playing import rules_of

RULES = """
kind player: place hand: a row of card, seen by nobody
kind card:
    actions for a player where self is in player.hand or self is in table
    action play "Play {self} now":
        do: log "played"
place table: an area of card
card ace "Ace" in table
card king "King"
card queen "Queen"
phase setup:
    move TOP to (the player where seat = 1).hand
phase play:
    offer actions to (the player where seat = 1)
    end game
"""


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_what_grants_an_action_is_named_as_the_player_can_tell_it(engine: str, tmp_path: Path) -> None:
    """By its label in the open, by where it lies in a hand that nobody sees into; and there it makes no difference which card it is."""
    offered = []
    for top in ("king", "queen"):
        decision = rules_of(tmp_path, RULES.replace("TOP", top), engine=engine).new_game(1, 1).decision
        assert decision is not None
        offered.append([(option.id, option.label) for option in decision.options])
    assert [label for _, label in offered[0]] == ["Play Ace now", "Play no. 1 in Player 1's hand now"]
    assert offered[0] == offered[1]


def test_the_label_alone_names_what_the_kind_is_called(tmp_path: Path) -> None:
    """Where no component is meant yet, the kind stands in the label."""
    assert rules_of(tmp_path, RULES.replace("TOP", "king")).graph["actions"]["card.play"]["label"] == "Play card now"
