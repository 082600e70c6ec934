"""Small rulesets that many tests play: each holds much of one sort, all of them together everything."""

from __future__ import annotations

TABLE = """
kind player:
    score: number
    place hand: a row of card
kind card:
    rank: 1..9
    starts in deck
kind pawn:
    player: player or none
    wounds: number
    decided by player
kind dog is pawn:
    value loud: 3
kind cat is pawn:
    loud: number = 5
place deck: a pile of card
place yard: an area of pawn
card low "Low" x9: rank 2
pawn ann "Ann" in yard
pawn bob "Bob" in yard
dog rex "Rex" in yard
cat tom "Tom" in yard
value foe(who: player): the first player where player is not who
phase setup:
    set ann.player to the player where seat = 1
    for each player in players: draw 3 cards from deck to player.hand
"""
ANSWERS = """
effect one(who: player):
    each player chooses pick: a card in player.hand
    if pick of who is not none: move (pick of who) to deck
    log "{pick of who}"
effect two(who: player):
    each player chooses pick: up to 2 cards in player.hand
    log "{count of pick of who}"
    until two:
        after three(whom): log "{count of pick of whom}"
    three(who)
effect three(whom: player):
    each player secretly chooses pick: a number from 0 to 2
    increase whom.score by pick of whom
    until three:
        after four(x): log "{pick of x}"
    four(whom)
effect four(x: player): nothing
phase play:
    for each player in players:
        one(player)
        two(player)
        three(player)
"""
NOTHING = """
phase play:
    repeat (ann.player.score) times: log "never"
    set ann.wounds to bob.player.score + 1
    for each player in players:
        player chooses n: a number from 0 to bob.player.score
        log "{n}"
        player chooses some: up to (bob.player.score) cards in player.hand
        log "{count of some}"
        player chooses x: exactly (bob.player.score) cards in player.hand
        log "{count of x}"
    move exactly (bob.player.score) cards from deck to foe(the first player).hand
    draw exactly (bob.player.score) cards from deck to foe(the first player).hand
    if bob.player.score = 0: log "zero"
    if bob.player.score < 1: log "less"
    if not bob.player.score > 1: log "not more"
    log "{bob.player} {bob.player.score} {bob.player.hand} {count of cards in bob.player.hand}"
    set bob.player.score to 3
    move a card from deck to bob.player.hand
    move a card from bob.player.hand to deck
    show all cards in bob.player.hand to bob.player
    bob.player chooses z: a card in deck
    log "{z}"
    bob chooses y: a card in deck
    log "{y}"
    win bob.player
    match bob.player.score:
        0: log "nought"
        else: log "else"
"""
STAGES = """
value noise(who: pawn) gives number:
    if who is a dog: give 7
    give 1
effect act(who: pawn): log "{who} acts."
before act(who) when who is rex:
    log "before {who}"
    if who.wounds > 1: cancel
instead of act(who) when who is tom and who.wounds = 0:
    set who.wounds to 1
    try act(bob): log "bob did"
    else: log "bob did not"
    proceed with who = rex
after act(who): increase who.wounds by 1
after the first act(who): log "first {who}"
instead of act(who) when who.wounds = 2 once per round:
    log "twice hurt"
    proceed
effect round():
    for each pawn in pawns in yard ordered by wounds, choice of (the first player):
        act(pawn)
        log "{pawn.wounds} {noise(pawn)}"
    at once:
        for each pawn in pawns: act(pawn)
        log "all"
phase play:
    repeat 3 times: round()
    for each player in players:
        ask player "Out?": eliminate player
        else: nothing
    round()
    for each player in players:
        player may choose c: a card in player.hand
        if c is not none: move c to deck at the bottom
    end game
phase ending:
    log "end"
    ending_step()
effect ending_step():
    each player chooses q: one of red, blue
    log "{q of (the first player)}"
    end game
words colour: red | blue
"""
WAYS = """
kind player
kind site is place:
    open: flag = true
kind room is site
kind door is site links room, room
kind rope is site links spot, spot
kind chute links site, room
kind spot is site
grid board of spot: 2 by 4
room hall "Hall"
room attic "Attic"
room cellar "Cellar"
room yard "Yard"
door stairs "Stairs" from hall to attic
door hatch "Hatch" from hall to cellar: one_way
door gate "Gate" from cellar to yard
door gap "Gap" from attic to yard
rope bridge "Bridge" from board_1_1 to board_2_4
chute slide "Slide" from board_1_4 to hall: one_way
kind pawn:
    reach: number or none
pawn ann "Ann" in hall
value shown(which: set of site): count of (which where it is open)
phase play:
    repeat 4 times:
        for each player in players:
            player chooses what: a site
            set what.open to not what.open
            set ann.reach to none
            if count of (sites where it is open) mod 3 > 0: set ann.reach to count of (sites where it is open) mod 3
            for each here in (sites where it is a room or it is a spot):
                log "{all sites next to here through an open site} {all rooms next to here through an open door} {all spots next to here through (open spots)}"
                log "{all sites reachable from here through an open site} {all sites reachable from here within ann.reach through an open site}"
                log "{all rooms reachable from here within 2 through (open rooms)} {all sites reachable from here through an open rope}"
                log "{all sites reachable from here through (open sites where it is a spot or it is a door)}"
                log "{distance from here to hall through an open site} {distance from here to attic through an open door}"
                log "{distance from here to yard through (open rooms)} {distance from here to board_2_4 through an open spot}"
                log "{distance from here to board_2_4 through an open rope} {distance from here to board_1_1} {distance from board_1_2 to here through (sites where not open)}"
"""
NESTED = """
kind pawn:
    hp: 0..9 = 9
pawn ann "Ann"
effect strike(left: number):
    set ann.hp to left until strike
    if left > 1: strike(left - 1)
phase play: strike(3)
"""
OFFERS = """ruleset offers "Offers"
kind player:
    place hand: a row of card, seen by owner
    place stack: a row of card, seen by nobody
    place purse: an area of coin
kind coin:
    starts in bank
kind card:
    rank: 1..4
    starts in deck
    actions for a player where self is in player.hand or self is in player.stack
    action flip "Flip" as deeds:
        when rank < 4 because "too high"
        cost (rank) coins
        do: move self to discard
kind curse:
    bearer: player or none
    while bearer is not none:
        cost of deeds is 1 coins more when actor = bearer
place bank: an area of coin
place deck: a pile of card, seen by nobody
place discard: a pile of card
coin penny "Penny" x40
curse heaviness "Heaviness"
card plain "Plain" x9:
    rank 1
card sharp "Sharp" x4:
    rank 3
    action prick "Prick" as deeds:
        cost 1 coin, 1 card
        do: move self to discard
card royal "Royal":
    rank 4
    action decree "Decree" as deeds:
        cost 1 glance(self), 2 coins
        do: set heaviness.bearer to the first player where player is not actor
cost coins(who: player, amount: number):
    when count of coins in who.purse >= amount because "too few coins"
    do: move exactly (amount) coins from who.purse to bank
cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount
    do:
        who chooses paid: exactly (amount) cards in who.hand
        move paid to discard
cost glances(who: player, amount: number, seen: card):
    do: log "{who} looks at {seen}."
action pair "Pair" as deeds:
    choose one_card: a card in actor.hand
    choose other: a card in actor.hand where other is not one_card
    when one_card.rank <= other.rank because "too high"
    cost (one_card.rank) coins
    once per turn
    do: move one_card to discard
action guess "Guess" as deeds:
    choose n: a number from 1 to count of coins in actor.purse
    when n mod 2 = 1 because "even"
    cost (n) coins
    do: log "{actor} says {n}."
action gather "Gather" as deeds:
    when actor.purse is not empty
    choose several: exactly 2 cards in actor.hand
    when not any card in several where rank > 2
    may choose friend: a player where friend is not actor
    when friend is none or friend.purse is not empty
    do:
        move several to discard
        if friend is not none: set heaviness.bearer to friend
action breathe "Breathe" as deeds:
    when actor.purse is not empty
    may choose friend: a player where friend is not actor
    cost 1 coin
    do: bless(actor)
effect bless(who: player):
    until turn:
        cost of pair is 1 coins less when actor = who
effect turn(who: player):
    repeat 2 times:
        offer actions as deeds to who:
            "Draw" when deck is not empty: draw 1 card from deck to who.hand
            "Hide" cost 1 coin: draw 1 card from deck to who.stack
            "Rest with {count of coins in who.purse}": move up to 3 coins from bank to who.purse
phase setup:
    shuffle deck
    for each player in players: move exactly 8 coins from bank to player.purse
    for each player in players: draw 2 cards from deck to player.hand
phase play:
    repeat 12 times:
        for each player in players ordered by seat: turn(player)
    end game
"""
QUERIES = """
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
MORE = """
kind room is place:
    lit: flag
    friends: set of pawn
kind door links room, room:
    state: open | closed = open
kind cell is place:
    holds up to 1 stone
kind stone:
    weight: 1..9 = 2
    starts in box
kind pawn:
    player: player or none
    wounds: 0..9
    decided by player
    place bag: an area of stone
    value load: total weight over stones in bag
kind player:
    score: number
    place hand: a row of stone, seen by owner
place box: an area of stone
place sack: a bag of stone, seen by nobody
grid board of cell: 4 by 4
room hall "Hall": lit
room attic "Attic"
room yard "Yard"
room cellar "Cellar"
door stairs "Stairs" from hall to attic
door gate "Gate" from hall to yard: closed
door hatch "Hatch" from yard to cellar: one_way
pawn ann "Ann" in hall
pawn bob "Bob" in yard
stone pebble "Pebble" x9
stone flint "Flint" x3: weight 5
die fate: 1, 2, 3, star
track doom: calm x2, storm, flood
value word_for(n: number) gives text:
    if n > 2: give "more than {n - 1}"
    give "few"
value fact(n: number) gives number:
    if n > 1: give n * fact(n - 1)
    give 1
when doom reaches storm: log "It storms, {doom.colour}."
when box runs out: log "The box is empty."
cost pebbles(who: player, amount: number):
    when count of stones in who.hand >= amount because "too few"
    do:
        log "{who} pays {amount}."
        move exactly (amount) stones from who.hand to box
action trade "Trade":
    by player
    cost (actor.score - 9) pebbles
    do: ease(actor)
action haggle "Haggle":
    by player
    cost 1 pebbles
    do: log "{actor} haggles."
action splurge "Splurge":
    by player
    cost 1 pebbles, 1 pebbles
    do: log "{actor} splurges."
effect ease(who: player):
    until turn:
        cost of haggle is 1 pebbles less when actor = who
    greet(ann)
    offer actions to who:
        "Nothing": nothing
effect greet(those: set of pawn):
    log "{count of those}"
    for each pawn in those: increase pawn.wounds by 1
phase setup:
    set ann.player to the player where seat = 1
    set bob.player to the player where seat = 2
    set hall.friends to all pawns in hall
phase play:
    repeat 6 times:
        for each player in players ordered by seat: turn(player)
    for each player in players: tell(player)
    end game
effect tell(who: player):
    log "{who}: {who.score}, {word_for(who.score)}."
effect turn(who: player):
    offer actions to who:
        "Rest": nothing
    let mine = the pawn where it.player is who
    let face = roll fate
    if face is star: advance doom by 1
    else: increase who.score by 1
    who may choose target: a cell in board where it is empty and row <= 3
    if target is not none: move a stone from box to target
    if any line in lines(board, 3) where every cell in line holds a stone: increase who.score by 3
    let far = all rooms reachable from hall within 2 through an open door
    let near = all cells within 1 of board_2_2
    let seen = all cells visible from board_1_1 blocked by all cells in board where not it is empty
    log "{count of far}, {count of near}, {count of seen}, {distance from hall to cellar through a door}."
    log "{count of doors of hall}, {count of rooms next to hall through an open door}, {highest_of(who.score, 3)}."
    if hall.friends = (all pawns in hall): log "Still there."
    if not (all pawns in yard) = hall.friends: log "Not there."
    set attic.friends to all pawns
    if mine is in attic.friends: log "{attic.friends}"
    move a stone from box to mine.bag
    log "{count of stones of mine}, {mine.load}, {fact(3)}."
    each player secretly chooses gift: up to 2 stones in mine.bag
    log "{count of gift of who}"
    each player chooses bid: a number from 0 to 2
    increase who.score by bid of who
    ask who "Swap the gate?":
        if gate is open: set gate.state to closed
        else: set gate.state to open
    else: nothing
    if mine is in (all rooms): log "In a room."
    show all stones in who.hand to (all players where player is not who)
    move a stone from box to who.hand
    log "You have {the last stone in who.hand}." to who
    let whom = the last pawn in hall
    if whom is not none: show (the first stone in whom.bag) to who
    move up to 2 stones from box to sack
    draw a stone from sack to who.hand
    tell(who)
"""
INSIDE = """
kind player:
    score: 0..99
kind token:
    starts in bag
place bag: a bag of token
place table: a row of token
token chip "Chip" x60
die pips: 1, 2, 3
phase play:
    repeat:
        for each player in players ordered by seat:
            let face = roll pips
            player chooses n: a number from 0 to face
            player chooses which: a token in bag
            if which is none: end game
            else: move which to table
            increase player.score by n
            if player.score > 8:
                win player
                end game
"""
THINGS = """
kind player:
    score: number
    limit: 0..9 = 2
    place hand: a row of card, seen by owner
    place notes: an area of card, seen by (all players where seat = 1)
kind card:
    rank: 1..9
    dark: flag
    starts in deck
    hidden while dark
    actions for a player where self is in player.hand
kind pawn:
    master: player or none
    decided by (master if master.score < 9 else (the player where seat = 1))
    place bag: an area of card
    friends: set of card
kind crate:
    place lid: an area
    effect creak(who: player)
kind room is place
kind door links room, room:
    open: flag = true
kind cell is place
place deck: a pile of card, seen by nobody
place table: a row of card
place hall: an area
room cellar "Cellar"
room attic "Attic"
room yard "Yard"
door stairs "Stairs" from cellar to attic
door gate "Gate" from attic to yard: one_way
grid board of cell: 2 by 3
card low "Low" x6: rank 1, 2, 3, 4, 5, 6
card gem "Gem":
    rank 9
    action shine "Shine":
        do: increase actor.score by 1
pawn ann "Ann" in cellar
crate one "One" in hall:
    creak: log "{who} hears one."
crate two "Two" in hall:
    creak: log "{who} hears two."
action peek "Peek":
    do: show (the top card in deck) to actor
value rival(who: player): the first player where player is not who
value strong(least: number): all cards where rank > least
phase setup:
    set ann.master to the player where seat = 2
    for each player in players: draw 3 cards from deck to player.hand
    move 1 card from deck to table
    for each card in cards in table: set card.dark to true
effect heal(who: player): log "{players.limit}"
effect turn(who: player):
    set who.limit to 5 until heal
    set who.limit to 7 until turn
    who chooses n: a number from 0 to 4
    if n > 2: for each card in cards in table: set card.dark to not dark
    who may choose what: a card in rival(who).hand
    if n > 0: move what to ann.bag
    match n:
        1: heal(who)
        2: move the first card in who.hand to who.notes
        3: show all cards in who.hand to (all players where player is not who)
        else: move the first card in who.hand to ann.bag
    who chooses one:
        "Back": move all cards in ann.bag to table
        "Mix": shuffle deck
        "Steal": move what to who.hand
        "Nest": move one to two.lid
        "Nest too": move two to one.lid
        "Out": move one to hall
        "Look": log "{all rooms within 1 of ann.place}"
        "Walk": move ann to the first room next to ann.place
        "Door": set stairs.open to not stairs.open
        "Score": increase who.score by n * 2
    offer actions to who
    who may choose mine: a card in who.hand secretly
    move mine to deck
    log "You see {the top card in deck}." to who
    ann may choose gift: a card in ann.bag
    move gift to who.hand
    let heard = the last crate in hall
    if heard is not none: heard.creak(who)
    log "{count of cards of ann} {cards of ann} {doors of ann.place} {highest_of(who.score, n)} {who.score mod 3} {100 / (who.score + 2)} {who.score * n}"
    for each card in strong(n): log "{card.rank}"
    log "{count of strong(n)} {all doors where open}"
    for each row in lines(board, 3): log "{count of row}"
    if any row in lines(board, 3) where ann is in row: log "In a row."
    if ann.friends = (all cards in ann.bag): log "The same."
    if (all cards in who.hand) = (all cards in rival(who).hand): log "Also."
    set ann.friends to all cards in ann.bag
    log "{who} sees {the first card in who.notes}." to rival(who)
phase play:
    repeat 6 times:
        for each player in players ordered by seat: turn(player)
    end game
"""
SMALL = {
    "ways": WAYS, "answers of each": TABLE + ANSWERS, "nothing": TABLE + NOTHING, "stages and ties": TABLE + STAGES, "offers": OFFERS, "queries": QUERIES,
    "nested": NESTED, "more": MORE,
}  # fmt: skip
