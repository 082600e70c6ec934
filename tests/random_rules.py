"""Random small rulesets: whole games of no sense, with every statement, hook and way of asking somewhere inside each other."""

from __future__ import annotations

import random
from collections.abc import Callable

WORLD = """
words colour: red | blue
kind player:
    score: number
    place hand: a row of card, seen by owner
    place purse: an area of coin
kind coin:
    starts in bank
kind card:
    rank: 1..4
    colour: colour
    marked: flag
    starts in deck
    value worth: rank
    effect tick(who: player): increase who.score by 1
    actions for a player where self is in player.hand
    action spend "Spend" as deed_of_card:
        by player
        when worth > {limit} or marked because "too little"
        cost {price} coins
        do: {spent}
    while self.place is owner.hand:
        {held}
place bank: an area
place deck: a pile of card, seen by nobody
place discard: a pile of card
coin penny "Penny" x12
card low "Low \\"card\\" {{1}}" x6:
    rank 1
    colour red
card high "High \\\\ card" x4:
    rank 3
    colour blue
    worth = rank + 1
    tick: increase who.score by 2
die luck: 1 x2, 2, star
cost coins(who: player, amount: number):
    when count of coins in who.purse >= amount
    do: move exactly (amount) coins from who.purse to bank
value heat(who: player, n: number): who.score mod 3 + n
value fits(card: card, who: player): card.rank > who.score mod 4
change heat(who, n) when who.purse is empty: result + 2
when deck runs out:
    move all cards in discard to deck
    shuffle deck
phase setup:
    shuffle deck
    for each player in players: draw 2 cards from deck to player.hand
    for each player in players: move exactly 2 coins from bank to player.purse
phase play:
    repeat {rounds} times:
        for each player in players ordered by seat: turn(player)
    for each player in players where player.score > 3: win player
    end game
phase ending: log "It is over."
effect turn(who: player):
    draw a card from deck to who.hand
    e0(who, 1)
    offer actions as deed_of_card to who:
        "Pass": log "{{who}} passes."
action rest "Rest" as deed_of_card:
    by player
    choose spot: a card in actor.hand where fits(it, actor)
    do:
        set spot.marked to true
        e1(actor, 2)
"""


class Author:
    """Writes one ruleset."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.names = 0

    def text(self) -> str:
        """The whole ruleset."""
        pick = self.dice.choice
        world = WORLD.format(
            limit=pick("123"), price=pick("01"), rounds=pick("23"),
            spent=pick(["move self to discard", "tick(actor)", "e2(actor, 0)"]), held=self.held(),
        )  # fmt: skip
        effects = [self.effect(number) for number in range(5)]
        hooks = [self.hook() for _ in range(self.dice.randrange(2, 7))]
        return 'ruleset random_game "Random"\n' + world + "".join(effects) + "".join(hooks)

    def held(self) -> str:
        """A hook that a card has in a hand."""
        return self.dice.choice(
            [
                "after e2(who, n) when who = owner: increase who.score by 1",
                "change heat(who, n) when who = owner and rank > 1: result + 1",
                "cost of deed_of_card is 1 coins more when actor = owner and marked",
                "before e3(who, n) when who = owner and marked: cancel",
                'reaction "Duck" to e3(who, n) by owner when who = owner and rank = 1:\n            do:\n                move self to discard\n                cancel',
                "instead of e4(who, n) when who = owner and colour is blue: move self to discard",
            ]
        )

    def effect(self, number: int) -> str:
        """An effect, which calls those behind it only."""
        gives = " gives number" if number in (2, 4) else ""
        body = ["    when n < 6"] if self.dice.random() < 0.3 else []
        body += self.block(number, 1, self.dice.randrange(2, 5), False)
        return f"effect e{number}(who: player, n: number){gives}:\n" + "\n".join(body) + ("\n    give heat(who, n)\n" if gives else "\n")

    def hook(self) -> str:
        """A hook on an effect."""
        number, pick = self.dice.randrange(5), self.dice.choice
        when = pick(["", " when who.score mod 2 = 0", " when n > 1 and not who.hand is empty", " when count of coins in who.purse > 1"])
        timing = pick(["before", "after", "after the first", "instead of", "instead of the first"])
        once = pick(["", "", " once per turn"])
        if timing.startswith("instead"):
            line = pick(["proceed", "proceed with n = 0", "nothing", "increase who.score by 1"])
            return f"{timing} e{number}(who, n){when}{once}:\n    {line}\n"
        body = self.block(max(number, 3), 1, 1, False)
        if timing == "before" and self.dice.random() < 0.3:
            body.append("    if who.score mod 3 = 1: cancel")
        return f"{timing} e{number}(who, n){when}{once}:\n" + "\n".join(body) + "\n"

    def block(self, number: int, depth: int, lines: int, loop: bool) -> list[str]:
        """Some statements."""
        found: list[str] = []
        for _ in range(lines):
            found += self.statement(number, depth, loop)
        return found

    def name(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def statement(self, number: int, depth: int, loop: bool) -> list[str]:
        """One statement, with what is inside it."""
        pad, pick = "    " * depth, self.dice.choice
        simple: list[Callable[[], list[str]]] = [
            lambda: [f"{pad}increase who.score by {pick(['1', 'n', 'heat(who, 1) mod 2'])}"],
            lambda: [f"{pad}move a coin from {pick(['bank to who.purse', 'who.purse to bank'])}"],
            lambda: [f"{pad}draw {pick(['a card', '2 cards'])} from deck to who.hand"],
            lambda: [
                f"{pad}move {pick(['the first card in who.hand', 'all cards in who.hand where rank > 2', 'a red card in who.hand'])} to discard"
            ],
            lambda: [f'{pad}log "{{who}} has {{who.score}}, {{heat(who, n)}}, {{count of cards in who.hand}} and {{the top card in discard}}."'],
            lambda: [f"{pad}show all cards in who.hand to (all players where seat = 1)"],
            lambda: [f"{pad}for each card in cards in who.hand where fits(card, who): card.tick(who)"],
            lambda: [f"{pad}shuffle deck"],
            lambda: [f"{pad}for each card in cards in who.hand ordered by choice of who: set card.marked to true"],
        ]
        if loop:
            simple.append(lambda: [f"{pad}if who.score mod 2 = 1: {pick(['skip', 'leave'])}"])
        if depth > 3:
            return pick(simple)()

        def inner(inside: bool = loop) -> list[str]:
            return self.block(number, depth + 1, self.dice.randrange(1, 3), inside)

        name, other = self.name(), self.dice.randrange(number + 1, 5) if number < 4 else None
        nested: list[Callable[[], list[str]]] = [
            lambda: [f"{pad}if {pick(['who.score > 2', 'any marked card in who.hand', 'who.purse is empty', 'n = 1'])}:", *inner(), f"{pad}else:", *inner()],
            lambda: [f"{pad}for each {name} in cards in who.hand ordered by rank descending:", *inner(True)],
            lambda: [f"{pad}repeat {pick('12')} times:", *inner(True)],
            lambda: [f"{pad}repeat until who.score > 5 or who.hand is empty:", f"{pad}    increase who.score by 1", *inner(True)],
            lambda: [f"{pad}who chooses {name}: a card in who.hand", f"{pad}if {name} is not none: move {name} to discard"],
            lambda: [f"{pad}who may choose {name}: a card in who.hand where rank < 3", f"{pad}if {name} is not none: set {name}.marked to true"],
            lambda: [f"{pad}who chooses {name}: {pick(['up to 2 cards', 'any number of cards', 'exactly 2 cards'])} in who.hand", f"{pad}move {name} to discard"],
            lambda: [f"{pad}who chooses {name}: a number from 0 to 2", f"{pad}increase who.score by {name}"],
            lambda: [f"{pad}chance chooses {name}: a card in who.hand", f"{pad}if {name} is not none: move {name} to discard"],
            lambda: [f"{pad}each player secretly chooses {name}: a card in player.hand", f"{pad}if {name} of who is not none: set ({name} of who).marked to true"],
            lambda: [f"{pad}who chooses one:", f'{pad}    "Left":', *[f"    {line}" for line in inner()], f'{pad}    "Right" when who.score > 0: nothing'],
            lambda: [f'{pad}ask who "Really?":', *inner(), f'{pad}else: log "No."'],
            lambda: [f"{pad}let {name} = roll luck", f"{pad}match {name}:", f"{pad}    1: increase who.score by 1", f"{pad}    2:", *[f"    {line}" for line in inner()], f"{pad}    star: nothing"],
            lambda: [f"{pad}until turn:", f"{pad}    after e4(whom, m) when whom = who: increase whom.score by 1", f"{pad}    change heat(whom, m) when whom = who: result + 1"],
        ]  # fmt: skip
        if other is not None:
            nested += [
                lambda: [f"{pad}e{other}(who, n + 1)"],
                lambda: [f"{pad}e{other}(the first player where player is not who, n)"],
                lambda: [f"{pad}try e{other}(who, n): increase who.score by 1", f'{pad}else: log "In vain."'],
                lambda: [f"{pad}at once:", f"{pad}    e{other}(who, n)", f"{pad}    e{other}(who, n + 1)"],
                lambda: [f"{pad}for each player in players at once: e{other}(player, n)"],
                lambda: [f"{pad}let {name} = e4(who, n)", f"{pad}if {name} > 1: increase who.score by 1"] if number < 4 else simple[0](),
            ]
        return pick(nested)() if self.dice.random() < 0.6 else pick(simple)()


def random_rules(seed: int) -> str:
    """The text of a random ruleset."""
    return Author(seed).text()
