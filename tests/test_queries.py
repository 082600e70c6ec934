"""Queries as both engines answer them, on boards that chance fills: the fast engine has tables and short cuts of its own for all of these."""

from __future__ import annotations

import pytest

from rulewright import Rules
from rulewright.compile.source.generate import generate
from tests.playing import messages, rules_of

RULES = """
kind cell is place
kind stone:
    colour: white | black
    weight: 0..9
kind pebble
kind player:
    place shelf: a row of stone
    place sack: an area
kind post is place:
    height: 0..9
grid board of cell: 4 by 5
place pool: an area
stone white "White" x9 in pool:
    colour white
    weight 1, 2, 3, 4, 5, 6, 7, 8, 9
stone black "Black" x9 in pool:
    colour black
pebble grit x4 in pool
post north "North":
    height 3
post south "South":
    height 5
value settled(spot: cell): spot is empty and no empty cell in board where column = spot.column and row > spot.row
value below(spot: cell): all cells in board where column = spot.column and row > spot.row
value heavy(spot: cell, least: number): spot holds a stone where weight > least
value under(thing: stone or none) gives cell: the cell where thing is in it
phase setup: nothing
phase play:
    repeat 40 times:
        chance chooses thing: a stone in pool
        chance chooses spot: a cell in board
        if thing is not none: move thing to spot
        chance chooses dirt: a pebble in pool
        chance chooses bed: a cell in board
        if dirt is not none and bed.row = 2: move dirt to bed
        chance chooses keeper: a player
        chance chooses kept: a stone
        if kept.weight > 3: move kept to keeper.shelf
        else: move kept to keeper.sack
        say(thing)
effect say(thing: stone or none):
    if any line in lines(board, 3) where every cell in line holds a stone where colour = white: log "white three"
    if any line in lines(board, 2) where every cell in line holds a stone where colour = thing.colour: log "same two"
    if any line in lines(board, 4) where every cell in line is empty: log "empty four"
    if any line in lines(board, 2) where every cell in line holds a pebble: log "pebbles"
    if any line in lines(board, 3) where no cell in line is empty: log "full three"
    if any line in lines(board, 9) where every cell in line is empty: log "never"
    if any line in lines(board, 1) where every cell in line holds a stone where weight = 9: log "nine"
    log "moment"
    if no line in lines(board, 2) where every cell in line holds a stone: log "no pair"
    log "settled {all settled cells in board}"
    log "corner {all cells in board where row = 1 and column = 1}"
    for each cell in board where settled(cell): log "{cell} over {count of below(cell)} with {the first cell in below(cell)}"
    if thing is not none:
        log "lies in {under(thing)}, {all cells where cell = under(thing)}, {all stones where stone = thing}"
        log "beside {all cells where row = under(thing).row}"
        log "as heavy {all stones where weight = thing.weight}"
    log "posts {all posts where height > 4}, {all posts where it is empty}"
    if every cell in board holds a stone: log "all full"
    log "first {the first 2 empty cells in board}, {the first 0 stones in pool}, {the first 30 cells in board where row = 4}, {the last 2 cells in board}"
    move exactly (count of stones in pool where weight < 2) stones from pool to pool
    log "shelved {all stones where it is in it.owner.shelf}, {all stones where it is in it.owner.sack}"
    log "heavy {all cells in board where heavy(it, 4)}"
"""


SEEDS = 12


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rules, Rules]:
    """The rules for each engine."""
    folder = tmp_path_factory.mktemp("queries")
    return rules_of(folder, RULES, engine="step"), rules_of(folder, RULES, engine="wasm")


@pytest.mark.parametrize("seed", range(SEEDS))
def test_both_engines_find_the_same(seed: int, both: tuple[Rules, Rules]) -> None:
    """On a board that fills up, every question has the same answer."""
    walk, fast = (messages(rules.new_game(2, seed)) for rules in both)
    assert walk == fast


def test_every_question_has_more_than_one_answer(both: tuple[Rules, Rules]) -> None:
    """What is asked for is there at times, and at times it is not; else this compares nothing."""
    said = [messages(both[0].new_game(2, seed)) for seed in range(SEEDS)]
    moments = "\n".join("\n".join(each) for each in said).split("moment")
    for text in ("white three", "same two", "empty four", "pebbles", "full three", "nine", "no pair"):
        times = sum(text in moment for moment in moments)
        assert 0 < times < len(moments), text
    assert not any("never" in moment for moment in moments)


def test_the_short_cuts_are_taken(both: tuple[Rules, Rules]) -> None:
    """Lines are looked for where they meet, and what fits a thing stands in tables."""
    kinds = {spec[0] for spec in generate(both[1].graph).lookups}
    assert {"covers", "fitting", "rows"} <= kinds
