"""`X after EFFECT(...)`: what would be if something were done. Nothing comes of it but the answer, it costs what it does, and what cannot be foreseen is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright import RulesError, load
from rulewright.limits import Budget
from tests.playing import messages, rules_of

ENGINES = ["step", "wasm"]
KINGS = Path(__file__).parent / "language" / "supposing" / "good" / "kings.rules"
TABLE = """
kind pawn:
    hits: 0..9
    decided by the player where seat = 1
kind coin
place bank: a pile of coin
place purse: a pile of coin
pawn ann "Ann"
coin gold x3 in bank
effect hit(who: pawn):
    when who.hits < 9
    increase who.hits by 1
"""

CASES = {
    "the body, with what it calls; nothing is left of it": (
        """
effect twice(who: pawn):
    hit(who)
    hit(who)
phase play: log "{ann.hits after twice(ann)} {ann.hits}"
""", ["2 0"]),
    "hooks answer as they would, and are asked again later": (
        """
before hit(who) when who.hits > 4: cancel
after the first hit(who): increase who.hits by 3
phase play:
    log "{ann.hits after hit(ann)}"
    hit(ann)
    log "{ann.hits} {ann.hits after hit(ann)}"
    hit(ann)
    log "{ann.hits} {ann.hits after hit(ann)}"
""", ["4", "4 5", "5 5"]),
    "a requirement that is not met, and something that is replaced": (
        """
instead of hit(who) when who.hits = 2: set who.hits to 7
phase play:
    set ann.hits to 9
    log "{ann.hits after hit(ann)}"
    set ann.hits to 2
    log "{ann.hits after hit(ann)} {ann.hits}"
""", ["9", "7 2"]),
    "what is moved, and who is asked about it": (
        """
effect pay(): move 2 coins from bank to purse
phase play: log "{count of coins in purse after pay()} {count of coins in purse} {count of coins in bank after pay()}"
""", ["2 0 1"]),
    "local names stay what they are; what they stand for is looked at as it would be": (
        """
phase play:
    let before = ann.hits
    let who = ann
    log "{before + who.hits after hit(who)}"
""", ["1"]),
    "one inside the other": (
        """
effect careful(who: pawn): if who.hits < 2 after hit(who): hit(who)
phase play:
    log "{ann.hits after careful(ann)}"
    hit(ann)
    log "{ann.hits after careful(ann)} {(ann.hits after hit(ann)) after hit(ann)}"
""", ["1", "1 3"]),
    "the game may end in it": (
        """
effect finish():
    hit(ann)
    end game
phase ending: log "over"
phase play:
    if ann.hits = 1 after finish(): log "soon"
    finish()
""", ["soon", "over"]),
    "in a batch what comes after is looked at too": (
        """
after hit(who): increase who.hits by 1
phase play:
    at once:
        hit(ann)
        log "{ann.hits} {ann.hits after hit(ann)}"
    log "{ann.hits}"
""", ["1 3", "2"]),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_what_would_be(name: str, engine: str, tmp_path: Path) -> None:
    """What is found, and that it has not happened: neither state nor log nor chance tell of it."""
    text, said = CASES[name]
    game = rules_of(tmp_path, TABLE + text, engine=engine).new_game(1, 3)
    assert messages(game) == said


def test_both_engines_play_the_same() -> None:
    """Options that depend on what would be are the same, decision by decision; undo goes back through them."""
    games = [load(KINGS, engine=engine).new_game(2, 4) for engine in ENGINES]
    dice = random.Random(7)
    while games[0].decision is not None:
        assert games[0].decision == games[1].decision
        index = dice.randrange(len(games[0].decision.options))
        for game in games:
            game.choose(index)
    assert games[0].log() == games[1].log()
    assert games[0].choices == games[1].choices
    assert messages(games[0]) == ["7 2 1"]
    assert games[1].undo()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_cannot_be_foreseen_is_an_error(engine: str, tmp_path: Path) -> None:
    """Two replacements among which somebody would have to choose are seen only in the game; the game stays as it was."""
    text = (
        TABLE
        + """
instead of hit(who) when who.hits >= 0: nothing
instead of hit(who) when who.hits >= 0: nothing
phase play:
    for each player in players where seat = 1: player chooses one:
        "Look": log "{ann.hits after hit(ann)}"
        "Leave": nothing
    end game
"""
    )
    game = rules_of(tmp_path, text, engine=engine).new_game(1, 0)
    with pytest.raises(RulesError, match="what comes of 'hit' cannot be known before it is done: somebody is asked in it"):
        game.choose("look")
    game.choose("leave")
    assert game.decision is None


@pytest.mark.parametrize("engine", ENGINES)
def test_it_ends_and_it_costs(engine: str, tmp_path: Path) -> None:
    """What thinks of itself again and again comes to an end, and so does what looks at too much."""
    deep = TABLE + "effect muse(who: pawn): if (who.hits > 3 after muse(who)): hit(who)\nphase play: muse(ann)\n"
    with pytest.raises(RulesError, match="more than 8 deep"):
        rules_of(tmp_path, deep, engine=engine).new_game(1, 0)
    long = TABLE + "effect toil(): repeat 5000 times: set ann.hits to 3\nphase play: repeat 100 times: if ann.hits > 3 after toil(): end game\n"
    with pytest.raises(RulesError, match="steps without a decision"):
        rules_of(tmp_path, long, engine=engine).new_game(1, 0)
    few = TABLE + "coin heap x400 in bank\nphase play: repeat 100 times: if ann.hits > 3 after hit(ann): end game\n"
    with pytest.raises(RulesError, match="more than 100 things looked at"):
        rules_of(tmp_path, few, engine=engine).new_game(1, 0, budget=Budget(looks=100))
