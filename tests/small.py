"""A small ruleset with a rulebook and scenarios, written into a folder: what the tests of coverage, mutation and differences look at."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
id: coins
title: Coins
version: "1.0.0"
players: {min: 1, max: 2}
files: [coins.rules]
rulebook: rulebook.yaml
"""

RULES = """\
kind coin:
    starts in bank

place bank: a pile of coin
place purse of player: a pile of coin

coin penny "Penny" x10:
    cite coins.thing.1

number wage = 3, cite coins.pay.1

phase setup:
    for each player in players: pay_out(player)

phase play:
    repeat until bank is empty:
        for each player in players ordered by seat: offer actions to player

effect pay_out(who: player):
    cite coins.pay.2
    move exactly (wage) coins from bank to who.purse

action beg "Beg":
    cite coins.beg.1
    by player
    when actor.purse is empty because "there is something in the purse"
    do: move a coin from bank to actor.purse

action rest "Rest":
    by player
    do: nothing

rule luck: after beg(actor):
    cite coins.beg.2
    if count of coins in bank > 5: move a coin from bank to actor.purse
"""

BOOK = """\
prefix: coins
rules:
  - {id: coins.thing.1, statement: There are ten coins., page: 1}
  - {id: coins.thing.2, statement: Keep them dry., page: 1, applicable: "no", reason: a habit}
  - {id: coins.pay.1, statement: The wage is three coins., page: 2}
  - {id: coins.pay.2, statement: At the start everybody gets the wage., page: 2}
  - {id: coins.beg.1, statement: With an empty purse one may beg for a coin., page: 3}
  - {id: coins.beg.2, statement: Who begs of a rich bank gets another coin., page: 3}
  - {id: coins.beg.3, statement: Who begs twice is thrown out., page: 3}
"""

SCENARIOS = """\
players: 1
scenarios:
  - name: Everybody is paid
    cites: [coins.pay.1, coins.pay.2, coins.thing.1]
    then: [count of coins in player_1.purse = 3]
  - name: Only the poor beg
    cites: [coins.beg.1]
    then:
      - refused: {action: beg, because: there is something in the purse}
  - name: Says more than it shows
    cites: [coins.beg.2]
    then: [bank holds a coin]
"""


def coins(folder: Path, scenarios: str = SCENARIOS) -> str:
    """The ruleset in a folder; gives its path."""
    home = folder / "coins"
    (home / "scenarios").mkdir(parents=True)
    for name, text in (("ruleset.yaml", MANIFEST), ("coins.rules", RULES), ("rulebook.yaml", BOOK), ("scenarios/all.yaml", scenarios)):
        (home / name).write_text(text, encoding="utf-8")
    return str(home)
