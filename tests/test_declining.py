"""What it is called to choose nothing: in the words of the rules, on both engines, in the log and in scenarios; its id stays the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load
from tests.playing import rules_of

RULES = """
kind card: rank: 1..3
place hand of player: a row of card
card ace x3 in box: rank 1, 2, 3
phase setup: move all cards to (the player where seat = 1).hand
phase play:
    for each player in players where seat = 1:
        player may choose kept: a card in player.hand where rank > 1 or "Keep none"
        player chooses thrown: up to 2 cards in player.hand or "Enough"
        player may choose one or "Wait":
            "Run": nothing
        log "{kept is none} {count of thrown}"
    end game
"""


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_the_words_for_nothing_are_those_of_the_rules(engine: str, tmp_path: Path) -> None:
    """Behind a test, behind several, and for options; the test before it still counts."""
    game = rules_of(tmp_path, RULES, engine=engine).new_game(1, 0)
    asked = []
    while game.decision is not None:
        asked.append([(option.id, option.label) for option in game.decision.options][-1])
        if len(asked) == 1:
            assert len(game.decision.options) == 3
        game.choose(len(game.decision.options) - 1)
    assert asked == [("none", "Keep none"), ("done", "Enough"), ("none", "Wait")]
    told = [entry["text"] for entry in game.log(1)]
    assert [text for text in told if any(words in text for words in ("Keep none", "Enough", "Wait"))] == [
        "Player 1 chooses Keep none (Choose kept)",
        "Player 1 chooses Enough (Choose thrown)",
        "Player 1 chooses Wait (Choose one)",
    ]


def test_other_words_for_nothing_are_no_other_rules(tmp_path: Path) -> None:
    """A choice is named by its id: a save or a replay goes on when the words change."""
    one, other = (
        rules_of(tmp_path, text, name).fingerprint for name, text in (("one", RULES), ("other", RULES.replace("Keep none", "None, thanks")))
    )
    assert one == other


def test_a_lone_file_says_for_how_many_players_it_is(tmp_path: Path) -> None:
    """A layer inherits it, and may say otherwise."""
    (tmp_path / "dash.rules").write_text('ruleset dash "Dash" for 2 to 4 players\n\nphase play: end game\n')
    (tmp_path / "three.rules").write_text('ruleset three "Three" for 2 to 4 players, usually 3\n\nphase play: end game\n')
    assert [load(tmp_path / f"{name}.rules").usual_players for name in ("dash", "three")] == [2, 3]
    (tmp_path / "same.rules").write_text("layer same over dash\n\nbefore play: nothing\n")
    (tmp_path / "alone.rules").write_text('layer alone over dash "Alone" for 1 player\n\nbefore play: nothing\n')
    assert [load(tmp_path / f"{name}.rules").players for name in ("dash", "same", "alone")] == [(2, 4), (2, 4), (1, 1)]
