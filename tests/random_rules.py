"""Random small rulesets: whole games of no sense, with every statement, hook and way of asking somewhere inside each other."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

WORLD = """
words colour: red | blue
kind player:
    score: number
    limit: 0..4 = 2
{remembered}    place hand: a row of card, seen by owner
    place purse: an area of coin
    when purse runs out: {poor}
kind coin:
    starts in bank
kind card:
    rank: 1..4
    colour: colour
    marked: flag
    asleep: flag
    friend: player or none
    starts in deck
    hidden while asleep
    value worth: rank
    effect tick(who: player): increase who.score by 1
    effect counsel(who: player) gives number: give rank
    actions for all players where self is in player.hand or self.place is table
    action spend "Spend" as deed_of_card:
        by player
        when worth > {limit} or marked because "too little"
        cost {price} coins
        do: {spent}
    {own}
    while self.place is owner.hand:
        {held}
kind cell is place:
    holds up to 2 stone
kind stone:
    starts in quarry
kind pawn:
    player: player or none
    wounds: 0..5
    decided by player
    value room: the room where self is in room
kind room is place:
    dark: flag
kind door links room, room:
    state: open | closed = open
place bank: an area
place deck: a pile of card, seen by nobody
place discard: a pile of card
place table: a row of card
place pouch: a bag of coin, seen by nobody
place quarry: an area of stone
grid board of cell: 3 by 3{shape}
stone pebble "Pebble" x8
room hall "Hall"
room attic "Attic": dark
room yard "Yard"
door stairs "Stairs" from hall to attic
door gate "Gate" from hall to yard: state closed
pawn ann "Ann" in hall
pawn bob "Bob" in attic
pawn cat "Cat" in yard
coin penny "Penny" x12
coin bean "Bean" x4 in pouch
card low "Low \\"card\\" \\{{1\\}}{numbered}" x6:
    rank 1
    colour red
card high "High \\\\ card" x4:
    rank 3
    colour blue
    worth = rank + 1
    tick: increase who.score by 2
    counsel:
        who chooses advice: a number from 0 to rank
        give advice + 1
card odd "Odd" x2 in table:
    rank 2
    colour red
    asleep
    tick:
{tick}
die luck: 1 x2, 2, star
track alarm: quiet x2, loud, siren
cost coins(who: player, amount: number):
    when count of coins in who.purse >= amount
    do: move exactly (amount) coins from who.purse to bank
cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount because "too few cards"
    do:
        who chooses paid: exactly (amount) cards in who.hand
        move paid to discard
cost reds(who: player, amount: number):
    when count of red cards in who.hand >= amount
    do:
        who chooses given: exactly (amount) red cards in who.hand
        for each card in given: move card to discard
value heat(who: player, n: number): who.score mod 3 + n
value fits(card: card, who: player): card.rank > who.score mod 4
value foe(who: player): the first player where player is not who
change heat(who, n) when who.purse is empty: result + 2
when deck runs out:
    move all cards in discard to deck
    shuffle deck
when alarm reaches loud: {loud}
when penny runs out: {penniless}
when pebble runs out: move all stones in board to quarry
when alarm reaches siren: set alarm.space to 1
phase setup:
    set ann.player to the player where seat = 1
    set bob.player to the player where seat = 2
    shuffle deck
    for each player in players: draw 2 cards from deck to player.hand
    for each player in players: move exactly 2 coins from bank to player.purse
phase play:
    repeat {rounds} times:
        upkeep()
        for each player in players ordered by seat: turn(player)
    for each player in players where player.score > 3: win player
    end game
phase upkeep:
    let n = 1
    let who = the first player
    step dawn:
{dawn}
    step dusk: if who.score > 20: end game
phase ending: log "It is over."
effect turn(who: player):
    draw a card from deck to who.hand
    e0(who, 1)
    offer actions as deed_of_card to who:
        "Pass": log "{{who}} passes."
        "Buy" when any card in deck cost 1 coins, 1 cards: draw 2 cards from deck to who.hand
        "Thrive with {{who.score}}" cost {thrift}: increase who.score by 1
    offer actions as quick to who
effect deep(who: player, n: number):
    if n > 0: deep(who, n - 1)
    if n mod 9 = 1:
        ask who "Up?": increase who.score by 1
action rest "Rest" as deed_of_card:
    by player
    choose spot: a card in actor.hand where fits(it, actor)
    when spot.rank < 4
    choose other: a card in actor.hand where it is not spot
    once per turn
    do:
        set spot.marked to true
        move other to discard
        e1(actor, 2)
        log "{{actor}} has rested {{actor.score}} times."
action bid "Bid" as deed_of_card, quick:
    by player
    choose much: a number from 1 to count of coins in actor.purse
    may choose whom: one of (all players where player is not actor)
    cost (much) coins
    do:
        increase actor.score by much
        if whom is not none: e6(whom, much)
        let who = actor
        let n = much
{bidden}
action swap_two "Swap" as quick:
    by player
    choose two: exactly 2 cards in actor.hand
    cost {swap}
    do: {swapped}
action show_off "Show off" as quick, deed_of_card:
    by player
    do:
        let who = actor
        let n = 2
{shown}
        increase who.score by n
action hail "Hail" as quick:
    by pawn
    when actor.wounds < 4 because "{{actor}} is hurt"
    choose goal: a room next to actor.room through an open door
    choose away: a room reachable from goal where it is not goal
    when distance from goal to away < 3
    do:
        increase actor.wounds by 1
        move actor to goal
"""
COSTS = ["1 coins", "1 cards", "1 reds", "1 cards, 1 reds", "1 reds, 1 cards, 1 coins", "2 coins, 1 cards"]
TESTS = [
    "who.score > 2", "any marked card in who.hand", "who.purse is empty", "n = 1", "who.score mod 2 = 0", "count of cards in who.hand > 2",
    "every card in who.hand is red", "any line in lines(board, 3) where every cell in line holds a stone", "alarm.space > 2",
    "(highest rank over cards in who.hand) = 3", "(total rank over cards in who.hand) / 2 > n", "ann.place = bob.place", "ann is in (all dark rooms)",
    "the first card in who.hand is in discard", "count of stones in (all cells in board where row = 1) > 1", "count of doors of hall > 1", "who.limit > 2 or not foe(who).hand is empty",
]  # fmt: skip
REMEMBERED = """    marks: list of number
    past: list of card
    met: set of card
    guess: sort of card or none
"""
NEWER = 1000  # from this seed on, rules have the words that came later; those before stay what they are, since tests know which of them end how
LAST = 6  # effects are e0 to e6; each calls only those behind it
GIVING = {2: "number", 4: "number", 5: "card or none"}


class Spot(NamedTuple):
    """Where something is written: in which effect, how deep, whether in a loop, what is given there, and which local numbers there are."""

    number: int
    depth: int = 1
    loop: bool = False
    gives: str | None = None
    step: bool = False
    names: tuple[str, ...] = ()

    @property
    def pad(self) -> str:
        return "    " * self.depth


class Author:
    """Writes one ruleset."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.newer = seed >= NEWER
        self.names = 0
        self.taste: dict[str, float] = {}  # how much this ruleset likes which statements: none has a little of everything

    def text(self) -> str:
        """The whole ruleset."""
        pick = self.dice.choice
        shape = pick(["", ", sides", ", hexagonal"]) if self.newer else ""
        world = WORLD.format(
            shape=shape, remembered=REMEMBERED if self.newer else "", numbered=" of {copy}" if self.newer else "",
            limit=pick("123"), price=pick("01"), rounds=pick("23"), thrift=pick(COSTS), swap=pick(COSTS),
            spent=pick(["move self to discard", "tick(actor)", "e2(actor, 0)", "deep(actor, 29)"]), held=self.held(),
            swapped=pick(["move two to discard", "for each card in two ordered by choice of actor: card.tick(actor)", "e6(actor, count of two)"]),
            poor=pick(["nothing", "move a coin from bank to purse", "self chooses wish: a number from 0 to 1", "draw a coin from pouch to purse"]),
            loud=pick(['log "Loud."', "e6(the first player, 1)", "for each player in players: lose player", "draw a card from deck to table"]),
            penniless=pick(["nothing", 'log "Nothing left."', "for each player in players: increase player.score by 1"]), own=self.own(),
            bidden="\n".join(self.block(Spot(LAST, 2), 2)), shown="\n".join(self.block(Spot(LAST, 2), 2)),
            tick="\n".join([*["        let n = 2"], *self.block(Spot(LAST, 2), 2)]),
            dawn="\n".join(self.block(Spot(LAST, 2, step=True), 2)),
        )  # fmt: skip
        effects = [self.effect(number) for number in range(LAST + 1)]
        hooks = [self.hook() for _ in range(self.dice.randrange(2, 9))]
        return 'ruleset random_game "Random"\n' + world + "".join(effects) + "".join(hooks)

    def own(self) -> str:
        """A hook that every card has on what happens to itself."""
        return self.dice.choice(
            [
                "after tick(who) when rank > 1: increase who.score by 1",
                'before tick(who) when marked:\n        ask who "Stop {{self}}?": cancel\n        else: nothing'.replace("{{self}}", "it"),
                "instead of tick(who) when colour is blue once per turn:\n        proceed\n        set marked to true",
                "after counsel(who) when result > 2: move self to discard",
                "instead of counsel(who) when marked: give 5",
                "before card.spend when marked: set marked to false",
                "after the first card.spend(who): draw a card from deck to who.hand",
            ]
        )

    def held(self) -> str:
        """A hook that a card has in a hand."""
        return self.dice.choice(
            [
                "after e2(who, n) when who = owner: increase who.score by 1",
                "change heat(who, n) when who = owner and rank > 1: result + 1",
                "cost of deed_of_card is 1 coins more when actor = owner and marked",
                "cost of quick is 1 cards when actor = owner and rank = 3",
                "before e3(who, n) when who = owner and marked: cancel",
                'reaction "Duck" to e3(who, n) by owner when who = owner and rank = 1:\n            do:\n                move self to discard\n                cancel',
                'reaction "Parry" to e6(who, n) by owner when who = owner:\n            choose with_it: a card in owner.hand where with_it is not self\n            cost 1 coins\n            do: move with_it to discard',
                "instead of e4(who, n) when who = owner and colour is blue: move self to discard",
                "instead of e1(who, n) when who = owner:\n            ask who \"Proceed?\": proceed with n = rank\n            else: move self to discard",
                "after action(who, deed) when who = owner and deed is a quick:\n            who chooses worst: a card in who.hand\n            if worst is not none: set worst.marked to true",
                "before turn(who) when who = owner once per upkeep: who chooses mood: one of red, blue",
            ]
        )  # fmt: skip

    def effect(self, number: int) -> str:
        """An effect, which calls those behind it only."""
        gives = GIVING.get(number)
        body = ["    when n < 6"] if self.dice.random() < 0.3 else []
        body += self.block(Spot(number, gives=gives), self.dice.randrange(1, 4))
        last = {None: "", "number": "\n    give heat(who, n)", "card or none": "\n    give the first card in who.hand"}[gives]
        return f"effect e{number}(who: player, n: number){f' gives {gives}' if gives else ''}:\n" + "\n".join(body) + last + "\n"

    def hook(self) -> str:
        """A hook on an event."""
        pick, number = self.dice.choice, self.dice.randrange(LAST + 1)
        event, given = f"e{number}(who, n)", ""
        if self.dice.random() < 0.4:
            number, given = LAST, "    let n = 1\n"
            event = pick(
                [
                    "turn(who)",
                    "card.tick(who)",
                    "action(who, deed)",
                    "action(who, deed)",
                    "deep(who, m)",
                    "card.counsel(who)",
                    "rest(who)",
                    "bid(who)",
                ]
            )
        when = pick(["", " when who.score mod 2 = 0", " when not who.hand is empty", " when count of coins in who.purse > 1"])
        timing = pick(["before", "after", "after the first", "instead of", "instead of the first"])
        once = pick(["", "", " once per turn", " once per e3"])
        body = self.block(Spot(number), self.dice.randrange(1, 3))
        if timing.startswith("instead"):
            if number in GIVING and not given and self.dice.random() < 0.4:
                return f"{timing} {event}{when}{once}: give {'n + 5' if GIVING[number] == 'number' else 'the top card in discard'}\n"
            lines = [
                "    proceed",
                "    nothing",
                "    increase who.score by 1",
                "    proceed\n    proceed",
                "    who chooses x: one of red, blue\n    proceed",
            ]
            if number < LAST:
                lines += ["    proceed with n = 0", "    repeat 2 times: proceed with n = n + 1"]
            asked = '    ask who "Instead?": nothing\n    else: proceed'
            return f"{timing} {event}{when}{once}:\n{given}" + pick([*lines, asked, "\n".join(body), "\n".join([*body, "    proceed"])]) + "\n"
        if timing == "before" and self.dice.random() < 0.5:
            body.append(pick(["    if who.score mod 3 = 1: cancel", '    ask who "Cancel?": cancel\n    else: nothing']))
        return f"{timing} {event}{when}{once}:\n{given}" + "\n".join(body) + "\n"

    def block(self, spot: Spot, lines: int) -> list[str]:
        """Some statements."""
        found: list[str] = []
        for _ in range(lines):
            if self.dice.random() < 0.12:
                name = self.name()
                found.append(f"{spot.pad}let {name} = {self.dice.choice(['0', 'n', 'count of cards in who.hand'])}")
                spot = spot._replace(names=(*spot.names, name))
            found += self.statement(spot)
        return found

    def name(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def statement(self, spot: Spot) -> list[str]:
        """One statement, with what is inside it."""
        roll = self.dice.random()
        sort = "simple" if spot.depth > 4 or roll < 0.3 else "asking" if roll < 0.65 else "nested"
        offered: list[Callable[[], list[str]]] = getattr(self, sort)(spot)
        weights = [self.taste.setdefault(f"{sort} {number}", self.dice.choice([0, 0, 0.3, 1, 1, 8])) for number in range(len(offered))]
        made = self.dice.choices(offered, weights)[0]() if sum(weights) else offered[-1]()
        return [f"{spot.pad}{line}" for text in made for line in text.splitlines()]

    def inner(self, spot: Spot, *, loop: bool | None = None) -> list[str]:
        """Statements inside another."""
        inside = spot._replace(depth=spot.depth + 1, loop=spot.loop if loop is None else loop)
        return [line[len(spot.pad) :] for line in self.block(inside, self.dice.randrange(1, 3))]

    def under(self, spot: Spot) -> list[str]:
        """Statements inside a case or an option of another."""
        return [f"    {line}" for line in self.inner(spot)]

    # -- statements by sort

    def simple(self, spot: Spot) -> list[Callable[[], list[str]]]:
        """Those that ask nobody."""
        pick, name = self.dice.choice, self.name()
        found: list[Callable[[], list[str]]] = [
            lambda: [f"increase who.score by {pick(['1', 'n', 'heat(who, 1) mod 2', *spot.names])}"],
            lambda: [f"move a coin from {pick(['bank to who.purse', 'who.purse to bank', 'bank to pouch'])}"],
            lambda: [f"draw {pick(['a card', '2 cards', '4 cards'])} from deck to who.hand"],
            lambda: [f"draw {pick(['a coin', '2 coins', 'a penny'])} from pouch to who.purse"],
            lambda: [f"draw 3 cards from deck to who.hand as {name}", f'log "{{count of {name}}} drawn."'],
            lambda: [f"draw {pick(['a card from deck', 'a red card from discard'])} as {name}", f"if {name} is not none: move {name} to table"],
            lambda: [f"move {pick(['the first card in who.hand', 'all cards in who.hand where rank > 2', 'a red card in who.hand'])} to discard"],
            lambda: ['log "{who} has {who.score}, {heat(who, n)}, {count of cards in who.hand} and {the top card in discard}."'],
            lambda: [f'log "You have {{the first card in who.hand}}, {{n}}{"".join(f", {{{each}}}" for each in spot.names)}." to who'],
            lambda: ["show all cards in who.hand to (all players where seat = 1)"],
            lambda: [f"{pick(['reveal the first card in table', 'show the first card in table to who'])}"],
            lambda: ["for each card in cards in who.hand where fits(card, who): card.tick(who)"],
            lambda: ["shuffle deck"],
            lambda: ["advance alarm by 1"],
            lambda: ["move the first card in who.hand to who.hand"],
            lambda: ["swap ann with bob"],
            lambda: ["set gate.state to open until turn"],
            lambda: [f"increase who.score by {pick(['n / 2', 'n mod 2', 'count of rooms reachable from hall through an open door'])}"],
            lambda: [f"set who.limit to {pick('134')} until {pick(['turn', 'e3', 'e5'])}"],
            lambda: [f"for each card in cards in who.hand: set card.marked to {pick(['true', 'false'])} until {pick(['turn', 'e4', 'upkeep'])}"],
            lambda: ["for each card in cards in table: set card.asleep to not card.asleep"],
            lambda: [f"move {pick(['a stone', '2 pebbles'])} from quarry to the first empty cell in board"],
            lambda: [f"if who.score > {pick(['6', '9'])}: {pick(['lose who', 'win who', 'eliminate foe(who)', 'end game'])}"],
        ]  # fmt: skip
        if self.newer:
            found += [
                lambda: [f"add {pick(['n', '3', 'who.marks'])} to who.marks", f"if who.marks.length > {pick(['3', '5'])}: remove {pick(['the first of who.marks', '3 from who.marks'])}"],
                lambda: [f"add {pick(['the first card in who.hand', 'all cards in table', 'the top card in discard'])} to who.{pick(['past', 'met'])}", "if who.past.length > 6: set who.past to who.met"],
                lambda: [f"remove {pick(['the last of who.past', 'all cards in table from who.past', 'the first card in who.hand from who.met'])}"],
                lambda: [f"if {pick(['who.past.first is in who.hand', 'the last of who.marks = 3', 'who.met.length > 2', 'the first card in table is a low'])}: increase who.score by 1"],
                lambda: [f"if the first card in who.hand where sort = {pick(['who.guess', 'high', 'odd.sort'])} is not none: increase who.score by 1"],
            ]  # fmt: skip
        if spot.names:
            local = pick(spot.names)
            found += [lambda: [f"increase {local} by 1"], lambda: [f"set {local} to {local} + n"], lambda: [f'log "{{{local}}}."']]
        if spot.loop:
            found += [lambda: [f"if {pick(TESTS)}: {pick(['skip', 'leave'])}"]] * 4
        if not spot.step:
            given = {None: "stop", "number": f"give {pick(['n', '7', *spot.names])}", "card or none": "give the last card in who.hand"}[spot.gives]
            found += [lambda: [f"if {pick(TESTS)}: {given}"]] * 2
        return found

    def asking(self, spot: Spot) -> list[Callable[[], list[str]]]:
        """Those that ask somebody."""
        pick, name, other = self.dice.choice, self.name(), self.name()
        chooser = pick(["who", "who", "who", "foe(who)"])
        found: list[Callable[[], list[str]]] = [
            lambda: [f"{chooser} chooses {name}: a card in who.hand", f"if {name} is not none: move {name} to discard"],
            lambda: [f'{chooser} may choose {name}: a card in who.hand where rank < 3 asking "Which of {{n}}?"', f"if {name} is not none: set {name}.marked to true"],
            lambda: [f"who chooses {name}: a card in foe(who).hand", f"if {name} is not none: show {name} to who"],
            lambda: [f"who chooses {name}: a card in table", f"if {name} is not none: set {name}.friend to who"],
            lambda: [f"who chooses {name}: {pick(['up to 2', 'any number of', 'exactly 2', 'exactly (n)', 'up to (who.limit)'])} cards in who.hand", f"move {name} to {pick(['discard', 'table'])}"],
            lambda: [f"who may choose {name}: exactly 2 cards in foe(who).hand", f'if not {name} is empty: log "{{count of {name}}} chosen."'],
            lambda: [f"who chooses {name}: up to 2 coins in who.purse", f"for each {other} in {name} ordered by choice of who: move {other} to pouch"],
            lambda: [f"who chooses {name}: a number from 0 to {pick(['2', 'n', 'who.limit'])}", f"increase who.score by {name}"],
            lambda: [f"who chooses {name}: one of red, blue{pick(['', ' secretly'])}", f"match {name}:", "    red:", *self.under(spot), "    blue: nothing"],
            lambda: [f"who chooses {name}: one of (all players where player is not who)", f"if {name} is not none: increase {name}.score by 1"],
            lambda: [f"who chooses {name}: an empty cell in board", f"if {name} is not none: move a stone from quarry to {name}"],
            lambda: [f"chance chooses {name}: a card in who.hand", f"if {name} is not none: move {name} to discard"],
            lambda: [f"chance chooses {name}: {pick(['exactly 2', 'up to 3'])} cards in who.hand", f"move {name} to discard"],
            lambda: [f"chance chooses {name}: {pick(['a number from 1 to 3', 'one of 1, 2'])}", f"increase who.score by {name}"],
            lambda: [f"each player secretly chooses {name}: a card in player.hand", f"if {name} of who is not none: set ({name} of who).marked to true"],
            lambda: [f"each player chooses {name}: a number from 0 to 1", f"increase who.score by {name} of who"],
            lambda: [f"each player {pick(['', 'secretly '])}chooses {name}: up to 2 cards in player.hand", f"for each {other} in {name} of who: set {other}.marked to true"],
            lambda: [f"ann chooses {name}: a card in table", f"if {name} is not none: increase ann.wounds by 1"],
            lambda: [f"cat chooses {name}: a card in table", f"if {name} is not none: increase cat.wounds by 1"],
            lambda: [f"ann chooses {name}: a room next to ann.room{pick(['', ' through an open door'])}", f"if {name} is not none: move ann to {name}"],
            lambda: ["who chooses one:", '    "Left":', *self.under(spot), '    "Right" when who.score > 0: nothing'],
            lambda: ["who may choose one:", f'    "Buy {{n}}" cost {pick(COSTS)}:', *self.under(spot), '    "Wait": increase who.score by 1'],
            lambda: ['ask who "Really?":', *self.inner(spot), 'else: log "No."'],
            lambda: [f"who pays {pick(COSTS)}"],
            lambda: [f"let {name} = roll luck", f"match {name}:", "    1: increase who.score by 1", "    2:", *self.under(spot), "    star: nothing"],
            lambda: ["chance chooses one:", '    "Heads":', *self.under(spot), '    "Tails": nothing'],
        ]  # fmt: skip
        if self.newer:
            found += [
                lambda: [f"who chooses {name}: {pick(['a sort of card', 'one of card.colour', 'one of luck'])}", f'log "{{{name}}}"'],
                lambda: [f"who {pick(['chooses', 'may choose'])} {name}: a sort of card where {name} is not who.guess", f"set who.guess to {name}", f"if any card in who.hand where sort = {name}: increase who.score by 1"],
            ]  # fmt: skip
        if spot.loop:
            found += [lambda: [f'ask who "Enough?": {pick(["leave", "skip"])}', "else: increase who.score by 1"]] * 4
            found += [lambda: ["who chooses one:", '    "Go on": skip', '    "Enough": leave', '    "Else":', *self.under(spot)]] * 3
        if not spot.step:
            given = {None: "stop", "number": "give n + 1", "card or none": "give the first card in who.hand"}[spot.gives]
            found.append(lambda: [f'ask who "Out?": {given}', "else:", *self.inner(spot)])
        return found

    def nested(self, spot: Spot) -> list[Callable[[], list[str]]]:
        """Those with others inside, and calls."""
        pick, name = self.dice.choice, self.name()
        found: list[Callable[[], list[str]]] = [
            lambda: [f"if {pick(TESTS)}:", *self.inner(spot), "else:", *self.inner(spot)],
            lambda: [f"for each {name} in cards in who.hand{pick(['', ' ordered by rank descending', ' ordered by rank', ' where not marked'])}:", *self.inner(spot, loop=True)],
            lambda: [f"for each {name} in cards in who.hand ordered by {pick(['choice of who', 'rank, choice of who', 'choice of foe(who)'])}:", f"    set {name}.marked to true", *self.inner(spot, loop=True)],
            lambda: [f"for each {name} in players ordered by seat descending:", f"    if {name} is not who: increase {name}.score by 1", *self.inner(spot, loop=True)],
            lambda: [f"for each {name} in players{pick(['', ' where score < 9', ' ordered by score', ' ordered by choice of who'])}:", f"    increase {name}.score by n mod 2", *self.inner(spot, loop=True), f'    log "{{{name}}}."'],
            lambda: [f"for each {name} in {pick(['players', 'cards in table'])}:", *self.inner(spot, loop=True), *self.inner(spot, loop=True)],
            lambda: [f"repeat {pick(['1', '2', '(n mod 3)'])} times:", *self.inner(spot, loop=True)],
            lambda: ["repeat until who.score > 5 or who.hand is empty:", "    increase who.score by 1", *self.inner(spot, loop=True)],
            lambda: ["repeat:", "    increase who.score by 1", f'    ask who "Leave?": {pick(["leave", "leave", "nothing"])}', "    else: nothing", "    if who.score > 7: leave", *self.inner(spot, loop=True)],
            lambda: [f"until {pick(['turn', 'e3', 'e5', 'upkeep'])}:", f"    {pick(INSTALLED)}", f"    change heat(whom, m) when whom = who: result + {pick(['1', 'n', *spot.names])}"],
            lambda: [f"let {name} = high.counsel(who)", f"increase who.score by {name}"],
            lambda: [f"deep(who, {pick(['3', '28'])})"],
        ]  # fmt: skip
        if self.newer:
            found += [
                lambda: [f"for each {name} from {pick(['0', 'n'])} to {pick(['2', 'n + 1', 'who.marks.length'])}:", f"    if {name} > 3: leave", f"    increase who.score by {name} mod 2", *self.inner(spot, loop=True)],
                lambda: [f"for each {name} in {pick(['colour', 'luck', 'card.rank', 'sorts of card', 'card.colour'])}{pick(['', ' at once'])}:", f'    log "{{{name}}}"', *self.inner(spot, loop=True)],
            ]  # fmt: skip
        if spot.number == LAST:
            return found
        call = f"e{self.dice.randrange(spot.number + 1, LAST + 1)}"
        giving = [number for number in (2, 4) if number > spot.number]
        found += [
            lambda: [f"{call}(who, n + 1)"],
            lambda: [f"{call}(foe(who), n)"],
            lambda: [f"try {call}(who, n): increase who.score by 1", 'else: log "In vain."'],
            lambda: [f"try {call}(who, n):", *self.inner(spot), "else:", *self.inner(spot)],
            lambda: ["at once:", f"    {call}(who, n)", *self.inner(spot), f"    {call}(who, n + 1)"],
            lambda: [f"for each player in players at once: {call}(player, n)"],
            lambda: [f"for each {name} in cards in who.hand: {call}(who, {name}.rank)"],
        ]  # fmt: skip
        if giving:
            found += [lambda: [f"let {name} = e{pick(giving)}(who, n)", f"if {name} > 1: increase who.score by 1"]] * 2
        if spot.number < 5:
            found.append(lambda: [f"let {name} = e5(foe(who), n)", f"if {name} is not none: set {name}.marked to true"])
        if spot.number < 3:
            found.append(
                lambda: [
                    f"offer actions as quick to {pick(['who', 'foe(who)', 'ann', 'cat'])}:",
                    '    "Skip it": nothing',
                    f'    "Pay {{n}}" cost {pick(COSTS)}:',
                    *self.under(spot),
                ]
            )
        return found


INSTALLED = [
    "after e4(whom, m) when whom = who: increase whom.score by 1",
    "before e3(whom, m) when whom = who: cancel",
    "instead of e6(whom, m) when whom = who and m > 1: proceed with n = 0",
    "instead of e5(whom, m) once per turn: nothing",
    'after e6(whom, m):\n        ask whom "Sure?": increase whom.score by 1',
    "cost of quick is 1 coins more when actor = who",
    "cost of deed_of_card is 1 cards when actor = who",
]


def random_rules(seed: int) -> str:
    """The text of a random ruleset."""
    return Author(seed).text()
