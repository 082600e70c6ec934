"""What running a ruleset means, sentence by sentence: small rulesets, the choices made in them, and what they must say."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright import RulesError, load
from tests.playing import messages, option_ids, rules_of


class Case(NamedTuple):
    """Rules below the common table, the options chosen, and what the rules say."""

    rules: str
    choices: list[str]
    said: list[str]


TABLE = """
kind coin
kind card:
    suit: red | blue
    rank: 1..9
kind pawn:
    player: player or none
    hp: 0..5 = 3
    luck: number
    decided by player
kind player:
    pawn: pawn or none
    place hand: a row of card, seen by owner
    place purse: an area of coin
place bank: a pile of coin
place deck: a pile of card
place discard: a pile of card
coin gold x6 in bank
card spark "Spark" x3 in deck:
    suit red
    rank 1, 2, 3
pawn ann "Ann"
pawn bob "Bob"
value one: the player where seat = 1
value two: the player where seat = 2
phase setup:
    set ann.player to one
    set bob.player to two
    set one.pawn to ann
    set two.pawn to bob
effect hurt(who: pawn, amount: number): decrease who.hp by amount
effect idle(who: pawn): nothing
cost coins(who: pawn, amount: number):
    when count of coins in who.player.purse >= amount because "too poor"
    do: move exactly (amount) coins from who.player.purse to bank
"""

CASES = {
    "a call goes to its end before the caller goes on": Case(
        """
effect inner(): log "inner"
effect outer():
    log "first"
    inner()
    log "last"
phase play: outer()
""", [], ["first", "inner", "last"]),
    "a hook that stops before or after an effect does not take its result away": Case(
        """
effect wealth() gives number: give 7
before wealth: stop
after wealth:
    log "after {result}"
    stop
phase play:
    let found = wealth()
    log "found {found}"
""", [], ["after 7", "found 7"]),
    "an effect gives a result": Case(
        """
effect twice(n: number) gives number: give n * 2
phase play:
    let x = twice(4)
    log "{x}"
""", [], ["8"]),
    "before, body, after; hooks of one sort in the order of declaration": Case(
        """
effect bang(): log "bang"
after bang: log "after 1"
before bang: log "before 1"
before bang: log "before 2"
after bang: log "after 2"
phase play: bang()
""", [], ["before 1", "before 2", "bang", "after 1", "after 2"]),
    "instead takes the place, before and after are not for what did not happen": Case(
        """
effect bang(): log "bang"
before bang: log "before"
after bang: log "after"
instead of bang: log "instead"
phase play: bang()
""", [], ["instead"]),
    "a replacement does not enter itself again": Case(
        """
effect bang(): log "bang"
instead of bang:
    log "instead"
    proceed
phase play: bang()
""", [], ["instead", "bang"]),
    "a replacement that calls the event anew is a new event": Case(
        """
effect bang(n: number): log "bang {n}"
instead of bang(n) when n > 1:
    bang(n - 1)
    bang(n - 1)
phase play: bang(2)
""", [], ["bang 1", "bang 1"]),
    "several replacements: the affected player chooses, and those left still apply": Case(
        """
instead of hurt(who, amount) when amount > 0:
    log "halved"
    proceed with amount = amount / 2
instead of hurt(who, amount) when amount > 0:
    log "less one"
    proceed with amount = amount - 1
phase play:
    hurt(bob, 4)
    log "{bob.hp}"
""", ["instead hurt/2"], ["less one", "halved", "2"]),
    "proceed with other arguments, to somebody else": Case(
        """
instead of hurt(who, amount) when who is ann: proceed with who = bob
phase play:
    hurt(ann, 2)
    log "{ann.hp} {bob.hp}"
""", [], ["3 1"]),
    "the outcome of a replaced event is that of what happened": Case(
        """
instead of hurt(who, amount): proceed
instead of idle(who): proceed
phase play:
    try hurt(ann, 1): log "done"
    try idle(ann): log "done"
    else: log "nothing"
""", [], ["done", "nothing"]),
    "hooks on a component hold exactly while a condition does": Case(
        """
card ring "Ring" in discard:
    suit blue
    rank 9
    while self.place is owner.hand: after hurt(who, amount): log "ring of {owner}"
phase play:
    hurt(ann, 1)
    move ring to two.hand
    hurt(ann, 1)
    move ring to discard
    hurt(ann, 1)
""", [], ["ring of Player 2"]),
    "the four outcomes": Case(
        """
effect picky(who: pawn):
    when who.hp > 9 because "never"
    hurt(who, 1)
effect stopped(who: pawn): hurt(who, 1)
before stopped: cancel
effect swapped(who: pawn): hurt(who, 1)
instead of swapped: nothing
phase play:
    try hurt(ann, 1): log "done"
    try idle(ann): log "done"
    else: log "nothing"
    try picky(ann): log "done"
    else: log "cannot"
    try stopped(ann): log "done"
    else: log "cancelled"
    try swapped(ann): log "done"
    else: log "replaced by nothing"
    log "{ann.hp}"
""", [], ["done", "nothing", "cannot", "cancelled", "replaced by nothing", "2"]),
    "cancel ends the hook; later hooks and after do not run": Case(
        """
effect bang(): log "bang"
before bang:
    log "stop"
    cancel
before bang: log "too late"
after bang: log "after"
phase play:
    bang()
    log "on"
""", [], ["stop", "on"]),
    "increase and decrease stop at the ends of a range": Case(
        """
phase play:
    increase ann.hp by 9
    decrease bob.hp by 9
    log "{ann.hp} {bob.hp}"
""", [], ["5 0"]),
    "the first time only": Case(
        """
after the first hurt(who, amount) when who is bob: log "first blood: {who}"
phase play:
    hurt(ann, 1)
    hurt(bob, 1)
    hurt(bob, 1)
""", [], ["first blood: Bob"]),
    "once per event": Case(
        """
effect turn():
    hurt(ann, 1)
    hurt(ann, 1)
after hurt once per turn: log "ouch"
phase play:
    turn()
    turn()
""", [], ["ouch", "ouch"]),
    "until: hooks that hold for a time, with the names of the effect that made them": Case(
        """
effect bless(who: pawn):
    until turn:
        instead of hurt(victim, amount) when victim = who: log "{who} is safe"
effect turn():
    bless(ann)
    hurt(ann, 1)
    hurt(bob, 1)
phase play:
    turn()
    hurt(ann, 1)
    log "{ann.hp} {bob.hp}"
""", [], ["Ann is safe", "2 2"]),
    "what begins to hold while hooks of an event are carried out waits for the next one": Case(
        """
effect bang(): log "bang"
effect turn():
    bang()
    bang()
before bang:
    until turn:
        before bang: log "before, for a time"
after bang:
    until turn:
        after bang: log "after, for a time"
phase play: turn()
""", [], ["bang", "before, for a time", "bang", "after, for a time"]),
    "set until: the old value comes back, the last change first": Case(
        """
effect turn():
    set ann.hp to 1 until turn
    set ann.hp to 5 until turn
    log "{ann.hp}"
phase play:
    turn()
    log "{ann.hp}"
""", [], ["5", "3"]),
    "set until inside a batch, and when the event is replaced": Case(
        """
effect turn(): set ann.hp to 1 until turn
effect other(): nothing
instead of other: set bob.hp to 1 until other
phase play:
    at once:
        turn()
        other()
    log "{ann.hp} {bob.hp}"
""", [], ["3 3"]),
    "running out is an event; what is there afterwards is taken": Case(
        """
phase play:
    move all coins in bank to one.purse
    move a coin from bank to two.purse
    log "{count of coins in two.purse}"
    move all coins in bank to one.purse
    move a coin from bank to two.purse
    log "{count of coins in two.purse}"
when bank runs out:
    log "out"
    move 2 coins from one.purse to bank
""", [], ["out", "1", "out", "2"]),
    "running out unanswered does nothing": Case(
        """
phase play:
    move all coins in bank to one.purse
    move a coin from bank to two.purse
    draw 2 coins from bank to two.purse
    log "{count of coins in two.purse}"
""", [], ["0"]),
    "a draw goes on after the pile was refilled": Case(
        """
when deck runs out:
    log "refill"
    move all cards in discard to deck
phase play:
    draw 2 cards from deck to discard
    draw 3 cards from deck to one.hand as drawn
    log "{count of drawn}"
""", [], ["refill", "3"]),
    "a place that is known only in play runs out like any other": Case(
        """
when deck runs out:
    log "refill"
    move all cards in discard to deck
effect take(who: player, pile: place):
    draw 2 cards from pile to who.hand
effect carry(who: player, pile: place):
    move a card from pile to who.hand
phase play:
    draw 2 cards from deck to discard
    take(one, deck)
    log "{count of cards in one.hand}"
    draw a card from deck to discard
    carry(two, deck)
    log "{count of cards in two.hand}"
    carry(two, discard)
    log "{count of cards in two.hand}"
""", [], ["refill", "2", "refill", "1", "1"]),
    "the place of a player that is known only in play runs out for that player": Case(
        """
when player.purse runs out: log "{self} is poor"
effect fine(pile: place, amount: number): move exactly (amount) coins from pile to bank
phase play:
    move a coin from bank to two.purse
    fine(two.purse, 1)
    fine(two.purse, 1)
""", [], ["Player 2 is poor"]),
    "nothing is drawn to a place that is none, and without a place it stays": Case(
        """
value third: the player where seat = 3
phase play:
    draw a coin from bank to third.purse as gone
    draw a coin from bank as felt
    log "{gone} {felt} {count of coins in bank}"
""", [], ["nothing gold 6"]),
    "up to and all never run out, drawn or moved": Case(
        """
when deck runs out: log "out"
effect take(who: player, pile: place):
    draw up to 5 cards from pile to who.hand
    draw all cards from pile to who.hand
    move up to 2 cards from pile to who.hand
    move all cards in pile to who.hand
phase play:
    draw up to 2 cards from deck to discard
    draw up to 5 cards from deck to discard
    draw all cards from deck to discard
    take(one, deck)
    log "{count of cards in discard}"
""", [], ["3"]),
    "in a batch what comes after waits, then goes in the order of hooks": Case(
        """
after hurt(who, amount): log "first {who}"
after hurt(who, amount): log "second {who}"
phase play:
    at once:
        hurt(ann, 1)
        hurt(bob, 1)
        log "both"
    log "over"
""", [], ["both", "first Ann", "first Bob", "second Ann", "second Bob", "over"]),
    "leaving a batch early loses nothing": Case(
        """
after hurt(who, amount): log "ouch"
effect early():
    at once:
        hurt(ann, 1)
        stop
phase play:
    early()
    repeat:
        at once:
            hurt(bob, 1)
            leave
    log "over"
""", [], ["ouch", "ouch", "over"]),
    "a batch inside a batch waits for the outer one": Case(
        """
after hurt(who, amount): log "after {who}"
effect all_hurt(): for each pawn in pawns at once: hurt(pawn, 1)
phase play:
    at once:
        all_hurt()
        log "inner over"
""", [], ["inner over", "after Ann", "after Bob"]),
    "end game from deep inside; then the ending, with several winners in order": Case(
        """
effect deep(n: number):
    if n = 0: end game
    deep(n - 1)
    log "never"
phase play:
    for each pawn in pawns: deep(5)
    log "never"
phase ending:
    step one_wins: if ann.hp = 3: win one
    step two_wins: win two
    log "ending"
""", [], ["ending"]),
    "repeat until is asked before every round, the first too": Case(
        """
phase play:
    repeat until ann.hp = 3: hurt(ann, 1)
    repeat until ann.hp = 1: hurt(ann, 1)
    repeat 2 times: log "{ann.hp}"
    repeat 0 times: log "never"
""", [], ["1", "1"]),
    "leave, skip and stop": Case(
        """
effect loops():
    for each card in sparks ordered by rank:
        if card.rank = 1: skip
        log "{card.rank}"
        leave
    for each pawn in pawns:
        log "{pawn}"
        stop
    log "never"
phase play:
    loops()
    log "on"
""", [], ["2", "Ann", "on"]),
    "swap": Case(
        """
phase play:
    move the top card in deck to one.hand
    let mine = the first card in one.hand
    let other = the first card in deck
    swap mine with other
    log "{total rank over cards in one.hand}"
""", [], ["1"]),
    "for each settles what is found before the first turn": Case(
        """
phase play:
    for each coin in coins in bank:
        move all coins in bank to one.purse
        log "coin {coin.copy}"
        if coin.copy = 2: leave
""", [], ["coin 1", "coin 2"]),
    "ordering with ties, descending; nothing is last": Case(
        """
phase play:
    set ann.luck to 2
    set bob.luck to 2
    hurt(bob, 1)
    for each pawn in pawns ordered by luck descending, hp: log "{pawn}"
    for each pawn in pawns ordered by luck: log "{pawn}"
""", [], ["Bob", "Ann", "Ann", "Bob"]),
    "ordered by choice of a player": Case(
        """
phase play:
    for each pawn in pawns ordered by choice of one: log "{pawn}"
""", ["bob"], ["Bob", "Ann"]),
    "a player decides among ties only": Case(
        """
phase play:
    for each card in sparks ordered by (1 if rank > 1 else 0), choice of two: log "{card.rank}"
""", ["spark.3"], ["1", "3", "2"]),
    "each chooses in turn": Case(
        """
phase play:
    each player chooses gift: one of left, right
    for each player in players ordered by seat: log "{player}: {gift of player}"
""", ["right", "left"], ["Player 1: right", "Player 2: left"]),
    "up to: done ends it early": Case(
        """
phase play:
    one chooses some: up to 2 cards in deck
    log "{count of some}"
    one chooses more: up to 2 cards in deck
    log "{count of more}"
""", ["spark.1", "done", "spark.1", "spark.3"], ["1", "2"]),
    "any number": Case(
        """
phase play:
    one chooses some: any number of cards in deck
    log "{count of some}"
""", ["spark.2", "spark.1", "spark.3"], ["3"]),
    "exactly, as many as possible": Case(
        """
phase play:
    one chooses some: exactly (5) cards in deck
    log "{count of some}"
""", ["spark.2", "spark.1", "spark.3"], ["3"]),
    "may choose can be declined; a choice without options gives none and is not asked": Case(
        """
phase play:
    one may choose any_card: a card in deck
    if any_card is none: log "declined"
    one chooses nothing_there: a card in discard
    if nothing_there is none: log "nothing to choose"
""", ["none"], ["declined", "nothing to choose"]),
    "numbers are numbers": Case(
        """
phase play:
    one chooses bid: a number from 0 to 3
    two chooses guess: one of 1, 2, 3
    log "{bid} {guess}"
""", ["0", "2"], ["0 2"]),
    "chance chooses among numbers and words too": Case(
        """
phase play:
    chance chooses n: one of 7, 7
    log "{n}"
""", [], ["7"]),
    "who is eliminated is never asked again, and stays out": Case(
        """
phase play:
    eliminate one
    one chooses x: a card in deck
    if x is none: log "not asked"
    each player chooses y: one of left, right
    for each pawn in pawns ordered by choice of one: log "{pawn}"
    lose one
""", ["left"], ["not asked", "Ann", "Bob"]),
    "methods: a component's own, its kind's, the general one": Case(
        """
kind spell:
    effect cast(who: pawn)
    value power gives number
kind curse is spell:
    effect cast(who: pawn): hurt(who, power)
    value power gives number: 1
spell dud "Dud":
    power = 0
    cast: log "{self.label} fizzles"
curse hex "Hex"
curse doom "Doom":
    power = 3
    cast: log "doom of {power}"
phase play:
    for each spell in spells: spell.cast(ann)
    log "{ann.hp}"
""", [], ["Dud fizzles", "doom of 3", "2"]),
    "change: all that hold apply, one after the other": Case(
        """
value limit(who: player): 5
change limit(who): result - 1
change limit(who) when who = one: result * 2
phase play: log "{limit(one)} {limit(two)}"
""", [], ["8 4"]),
    "tracks: advance space by space, stop at the last, each space an event": Case(
        """
track alarm: quiet x2, loud, siren
when alarm reaches loud: log "loud at {alarm.space}"
phase play:
    advance alarm by 9
    log "{alarm.space} {alarm.colour}"
    set alarm.space to 3
""", [], ["loud at 3", "4 siren"]),
    "a full place takes no more": Case(
        """
place slot: an area, holds up to 2
phase play:
    move all coins in bank to slot
    log "{count of coins in slot} {count of coins in bank}"
    move 2 coins from slot to slot
    log "{count of coins in slot}"
""", [], ["2 4", "2"]),
}  # fmt: skip


ACTIONS = """
phase play:
    move 3 coins from bank to one.purse
    repeat 3 times: for each player in players ordered by seat: turn(player)
effect turn(who: player):
    offer actions to who.pawn:
        "Pass": log "{who} passes"
"""

ACTING = {
    "costs: is, more and less, from several sources, summed, never below nothing": Case(
        ACTIONS + """
action walk "Walk" as basic:
    by pawn
    cost 1 coins
    do: log "{actor} walks, {count of coins in actor.player.purse} left"
cost of walk is 1 coins more when ann.hp = 3
cost of basic is 1 coins more when ann.hp = 3
card lead x2 "Lead" in discard:
    suit blue
    rank 1
    while self.place is discard: cost of walk is 1 coins less
after walk: set ann.hp to 1
""", ["walk", "pass", "walk", "pass", "pass", "pass"],
        ["Ann walks, 2 left", "Player 2 passes", "Ann walks, 2 left", "Player 2 passes", "Player 1 passes", "Player 2 passes"]),
    "a cost that holds for a time": Case(
        ACTIONS + """
action walk "Walk":
    by pawn
    cost 1 coins
    do: log "{actor} walks, {count of coins in actor.player.purse} left"
effect gift(): log "gift"
after setup:
    until turn:
        cost of walk is 1 coins less
""", ["walk", "pass", "walk", "pass", "pass", "pass"],
        ["Ann walks, 3 left", "Player 2 passes", "Ann walks, 2 left", "Player 2 passes", "Player 1 passes", "Player 2 passes"]),
    "once per event, for each who acts": Case(
        ACTIONS + """
action nap "Nap":
    by pawn
    once per dawn
    do: log "{actor} naps"
effect dawn(): nothing
after turn(who) when who = two and ann.hp = 3:
    set ann.hp to 2
    dawn()
""", ["nap", "nap", "nap", "nap", "pass", "pass"], ["Ann naps", "Bob naps", "Ann naps", "Bob naps", "Player 1 passes", "Player 2 passes"]),
    "a reaction out of turn cancels; what was paid stays paid; what comes after the reaction comes": Case(
        ACTIONS + """
action walk "Walk":
    by pawn
    cost 1 coins
    do: log "{actor} walks"
reaction block "Block" to walk(walker) by two when walker is ann:
    do:
        log "blocked"
        cancel
after action(who, deed) when who = two: log "after block"
""", ["walk", "block", "pass", "pass", "pass", "pass", "pass"],
        ["blocked", "after block", "Player 2 passes", "Player 1 passes", "Player 2 passes", "Player 1 passes", "Player 2 passes"]),
    "a reaction to a reaction": Case(
        """
effect strike(): log "strike"
reaction block "Block" to strike by two:
    do:
        log "block"
        cancel
action shrug "Shrug":
    do: nothing
reaction feint "Feint" to action(who, deed) by one when who = two:
    do:
        log "feint"
        cancel
phase play: strike()
""", ["block", "feint"], ["feint", "strike"]),
    "an option has conditions and costs": Case(
        """
phase play:
    ann chooses one:
        "Pay" cost 1 coins: log "paid"
        "Brag" when bob.hp = 0: log "bragged"
        "Wait": log "waited"
    move 2 coins from bank to one.purse
    ann chooses one:
        "Pay" cost 1 coins: log "paid, {count of coins in one.purse} left"
        "Wait": log "waited"
""", ["wait", "pay"], ["waited", "paid, 1 left"]),
    "paying as a statement: all of it or nothing": Case(
        """
phase play:
    move a coin from bank to one.purse
    ann pays 2 coins
    log "{count of coins in one.purse}"
    ann pays 1 coins
    log "{count of coins in one.purse}"
""", [], ["1", "0"]),
    "taking an action is an event, also replaced, with the deed": Case(
        ACTIONS + """
action walk "Walk" as basic:
    by pawn
    do: log "{actor} walks"
before action(who, deed) when deed is a basic: log "a basic deed of {who}"
instead of action(who, deed) when deed is walk and who is bob:
    log "first"
    proceed
""", ["walk", "walk", "pass", "pass", "pass", "pass"],
        ["a basic deed of Ann", "Ann walks", "first", "a basic deed of Bob", "Bob walks",
         "Player 1 passes", "Player 2 passes", "Player 1 passes", "Player 2 passes"]),
}  # fmt: skip
CASES |= ACTING


@pytest.mark.parametrize("engine", ["step", "wasm"])
@pytest.mark.parametrize("name", CASES)
def test_rules_mean_what_the_reference_says(name: str, engine: str, tmp_path: Path) -> None:
    """After the choices the game is over, and the rules have said exactly this."""
    case = CASES[name]
    game = rules_of(tmp_path, TABLE + case.rules, engine=engine).new_game(2, seed=1)
    for choice in case.choices:
        game.choose(choice)
    assert messages(game) == case.said
    assert game.decision is None


# -- what is offered


OFFERS = """
action aim "Aim" as basic:
    by pawn
    choose target: a pawn where target is not actor
    when target.hp < 3 because "too healthy"
    do: hurt(target, 1)
action feast "Feast" as basic:
    by pawn
    may choose friend: a pawn where friend is not actor
    cost 9 coins
    do: log "feast of {friend}"
action spend "Spend" as basic:
    by pawn
    choose some: up to 2 cards in deck
    when count of some = 2
    do: log "{count of some}"
action dig "Dig" as dirty:
    by pawn
    choose where_to: a number from 1 to 4
    when where_to = 3
    do: log "dug {where_to}"
action rest "Rest" as dirty:
    by pawn
    when actor.hp < 3 because "not tired"
    do: log "rest"
phase play:
    offer actions as basic to ann
    offer actions as dirty to ann
    hurt(bob, 1)
    offer actions as basic to ann
"""


def test_only_actions_that_can_be_carried_to_their_end_are_offered(tmp_path: Path) -> None:
    """Requirements behind choices, costs behind optional choices and conditions on several things all count; so do groups."""
    game = rules_of(tmp_path, TABLE + OFFERS).new_game(2)
    assert option_ids(game) == ["spend"]
    game.choose("spend")
    assert option_ids(game) == ["spark.1", "spark.2", "spark.3"], "to be done already would leave the action unfinished"
    game.choose("spark.1")
    assert "done" not in option_ids(game)
    game.choose("spark.3")
    assert option_ids(game) == ["dig"]
    game.choose("dig")
    assert option_ids(game) == ["3"]
    game.choose("3")
    assert option_ids(game) == ["aim", "spend"]
    game.choose("aim")
    assert option_ids(game) == ["bob"]


def test_why_not_names_the_requirement_that_failed(tmp_path: Path) -> None:
    """With its reason and its place; an action that is possible has no reasons."""
    game = rules_of(tmp_path, TABLE + OFFERS).new_game(2)
    (tired,) = game.why_not(1, "rest")
    assert tired["reason"] == "not tired"
    assert tired["span"] is not None
    assert game.why_not(1, "spend") == []
    assert game.why_not(1, "feast")[0]["reason"] == "too poor"
    assert "too healthy" in game.why_not(1, "aim")[0]["reason"]
    assert "no action" in game.why_not(1, "fly")[0]["reason"]


def test_actions_of_components_are_open_to_those_they_name(tmp_path: Path) -> None:
    """`actions for` and `while` decide who is offered what a component grants."""
    text = """
kind tool:
    actions for a pawn where pawn is ann
tool rope "Rope" x2 in bank_of_tools:
    while self.place is bank_of_tools:
        action climb "Climb":
            do: move self to discard_tools
place bank_of_tools: an area of tool
place discard_tools: an area of tool
phase play:
    offer actions to bob
    repeat 3 times: offer actions to ann
"""
    game = rules_of(tmp_path, TABLE + text.replace('action climb "Climb":', 'action climb "Climb":\n            by pawn')).new_game(2)
    assert option_ids(game) == ["rope.climb@rope.1", "rope.climb@rope.2"]
    game.choose("rope.climb@rope.2")
    assert option_ids(game) == ["rope.climb@rope.1"]
    game.choose(0)
    assert game.decision is None


# -- secrets


def test_secret_choices_are_known_to_nobody_before_all_have_chosen(tmp_path: Path) -> None:
    """Neither views nor logs of others differ, whatever somebody has chosen."""
    text = """
phase play:
    each player secretly chooses vote: one of left, right
    for each player in players: log "{vote of player}"
"""
    rules = rules_of(tmp_path, TABLE + text)
    games = []
    for vote in ("left", "right"):
        game = rules.new_game(2)
        game.choose(vote)
        games.append(game)
    for eyes in (2, None):
        assert games[0].view(eyes) == games[1].view(eyes)
        assert games[0].log(eyes) == games[1].log(eyes)
    assert games[0].log(1) != games[1].log(1)
    games[0].choose("right")
    assert messages(games[0]) == ["left", "right"]


def test_declining_a_reaction_tells_nobody_that_it_was_possible(tmp_path: Path) -> None:
    """The log of others is the same as if there had been no question."""
    text = """
effect strike(): log "strike"
card shield "Shield" in discard:
    suit blue
    rank 1
    while self.place is two.hand:
        reaction block "Block" to strike by two:
            do: cancel
phase play:
    one chooses x: one of hidden, open
    if x is hidden: move shield to two.hand
    else: move shield to two.hand
    strike()
"""
    game = rules_of(tmp_path, TABLE + text).new_game(2)
    game.choose("hidden")
    game.choose("no")
    assert not any("No" in entry["text"] or ("Player 2" in entry["text"] and entry["kind"] == "choice") for entry in game.log(1))


def test_undo_stops_where_something_was_revealed(tmp_path: Path) -> None:
    """A card that came to a hand was seen; a coin that moved in the open was not a secret."""
    text = """
place dark: a pile of card, seen by nobody
phase play:
    move all cards in deck to dark
    one chooses a_way: one of coin, card
    if a_way is card: draw a card from dark to one.hand
    else: move a coin from bank to one.purse
    one chooses last: one of yes_it_is, no_it_is_not
    log "{last}"
"""
    rules = rules_of(tmp_path, TABLE + text)
    for way, possible in (("coin", True), ("card", False)):
        game = rules.new_game(2)
        game.choose(way)
        assert game.undo() is possible
        if not possible:
            assert game.undo(past_secrets=True)
        assert option_ids(game) == ["coin", "card"]


# -- boards


def test_grids_and_links(tmp_path: Path) -> None:
    """Lines, what is within reach and in sight, distances, and links that lead one way only."""
    text = """
kind cell is place:
    wall: flag
kind room is place
kind door links room, room
grid board of cell: 3 by 4
room hall
room attic
room yard
door stairs from hall to attic
door slide from attic to yard: one_way
phase play:
    set board_1_2.wall to true
    set board_2_2.wall to true
    let steps = distance from board_1_1 to board_1_3 through (cells where not wall)
    log "{count of lines(board, 3)} lines"
    log "{count of cells within 1 of board_1_1} within"
    log "{count of cells reachable from board_1_1 within 2 through (cells where not wall)} reachable"
    log "{steps} steps"
    if board_1_4 is in (all cells visible from board_1_1 blocked by a wall cell): log "seen"
    else: log "unseen"
    if board_3_4 is in (all cells visible from board_3_1 blocked by a wall cell): log "seen"
    log "{count of rooms next to attic} {count of rooms next to yard} {distance from hall to yard}"
    if distance from yard to hall is none: log "no way back"
"""
    game = rules_of(tmp_path, TABLE + text).new_game(2)
    assert messages(game) == ["14 lines", "4 within", "3 reachable", "4 steps", "unseen", "seen", "2 0 2", "no way back"]


# -- layers


def test_hooks_go_by_layer_then_declaration(tmp_path: Path) -> None:
    """A layer's hooks come behind those of what it stands over, and in their own order."""
    base = TABLE + 'effect bang(): log "bang"\nphase play: bang()\nbefore bang: log "base"\n'
    (tmp_path / "game.rules").write_text("ruleset game\n" + base, encoding="utf-8")
    for name in ("zeta", "alpha"):
        text = f'layer {name} over game\nbefore bang: log "{name} 1"\nbefore bang: log "{name} 2"\n'
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")

    game = load(tmp_path / "game.rules", [tmp_path / "zeta.rules", tmp_path / "alpha.rules"]).new_game(2)
    assert messages(game) == ["base", "zeta 1", "zeta 2", "alpha 1", "alpha 2", "bang"]


def test_setting_a_number_outside_its_range_is_an_error_that_names_the_rule(tmp_path: Path) -> None:
    """The game stays where it was."""
    text = """
phase play:
    one chooses n: a number from 4 to 7
    break_it(n)
effect break_it(n: number): set ann.hp to n
"""
    game = rules_of(tmp_path, TABLE + text).new_game(2)
    with pytest.raises(RulesError, match="from 0 to 5") as raised:
        game.choose("7")
    assert raised.value.unit == "break_it"
    game.choose("5")
    assert game.decision is None


def test_several_players_can_win(tmp_path: Path) -> None:
    """The result lists winners, losers and who was eliminated."""
    text = """
phase play:
    eliminate the player where seat = 3
    end game
phase ending:
    win one
    win two
    lose (all players where seat > 2)
"""
    game = rules_of(tmp_path, TABLE + text).new_game(4)
    result = game.result
    assert result is not None
    assert (result.winners, result.losers, result.eliminated) == ((1, 2), (4,), (3,))


@pytest.mark.parametrize(
    ("said", "ended"),
    [
        ("win one", ((1,), (2, 3), ())),  # the others have lost, without a word
        ("eliminate two\n    win one", ((1,), (3,), (2,))),
        ("lose one", ((), (1,), ())),  # nobody has won: the others have not lost
        ("nothing", ((), (), ())),
    ],
)
def test_whoever_does_not_win_where_somebody_does_has_lost(said: str, ended: tuple[tuple[int, ...], ...], tmp_path: Path) -> None:
    """Result, view and replay say so, once the game is over and not before."""
    text = f"""
phase play:
    one chooses go_on: a number from 1 to 1
    end game
phase ending:
    {said}
    one chooses last: a number from 1 to 1
"""
    game = rules_of(tmp_path, TABLE + text).new_game(3)
    game.choose(0)
    assert game.result is None
    assert "lost" not in [seen["outcome"] for seen in game.view(1)["players"] if seen["id"] != "player.1"]
    game.choose(0)
    result = game.result
    assert result is not None
    assert (result.winners, result.losers, result.eliminated) == ended
    seen = [player["outcome"] for player in game.view(None)["players"]]
    assert tuple(tuple(n for n, found in enumerate(seen, 1) if found == word) for word in ("won", "lost", "eliminated")) == ended
    assert game.replay()["result"] == dict(zip(("winners", "losers", "eliminated"), map(list, ended), strict=True))


def test_a_number_is_in_a_list_of_numbers_or_it_is_not(tmp_path: Path) -> None:
    """Numbers stand for components too: what lies where has nothing to do with what is in a list of numbers."""
    rules = """
kind hut is place
kind coin
kind sheet:
    marks: list of 1..9
hut north
coin gold in north
sheet paper: marks 1
phase play:
    log "{mark(1)} {mark(2)}"
value mark(which: number): which is in paper.marks
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    assert game.world.definitions[1:3] == ["north", "gold"]
    assert messages(game) == ["yes no"]


def test_a_named_reaction_is_a_deed_like_any_other(tmp_path: Path) -> None:
    """It can be hooked by its name, and asked for as a deed."""
    rules = """
kind pawn
pawn ann "Ann"
effect hurt(who: pawn): log "Hurt."
reaction shield "Shield" to hurt(who) by (the player where seat = 1):
    do: cancel
after shield: log "Shielded."
after action(actor, deed) when deed is shield: log "A shield was raised."
phase play:
    hurt(ann)
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    game.choose("shield")
    assert messages(game) == ["Shielded.", "A shield was raised."]
