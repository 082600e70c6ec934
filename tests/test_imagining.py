"""Imagined games are those that could be: all that fit what a player has seen and can follow, and no others."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from rulewright import Game, Rules, load
from tests.playing import ROOT, entries, messages, rules_of

CARDS = """
value p1 gives player: the player where seat = 1
value p2 gives player: the player where seat = 2
kind card
place deck: a pile of card, seen by nobody
place discard: a pile of card
kind player:
    place hand: a row of card, seen by owner
card ace "Ace" in deck
card king "King" in deck
card queen "Queen" in deck
card jack "Jack" in deck
"""
STOP = """
    let who = the first player
    who chooses one:
        "Go on": nothing
"""
World = tuple[tuple[str, ...], ...]


def world_of(game: Game) -> World:
    """What really lies in every place, and what is written on it."""
    values, slots = game.state.values, game.world.slots
    written = {each: [values[game.world.base[each] + slot] for slot in slots[game.world.kinds[each]].values()] for each in range(game.world.count)}
    return tuple(tuple(f"{game.world.identities[each]} {written[each]}" for each in members) for members in game.state.members)


def knowledge(game: Game, player: int) -> object:
    """All that a player has been told."""
    return game.view(player), game.log(player), game.decision if game.decision is not None and game.decision.player == player else None


def possible(rules: Rules, shuffles: list[list[str]], choices: list[str], player: int, real: Game) -> Counter[World]:
    """All games that come of any orders of so many shuffles, and look to a player as one does: how often each comes."""
    found: Counter[World] = Counter()
    for orders in itertools.product(*(itertools.permutations(shuffled) for shuffled in shuffles)):
        game = rules.new_game(2, 1, [list(order) for order in orders])
        for choice in choices:
            game.choose(choice)
        if knowledge(game, player) == knowledge(real, player):
            found[world_of(game)] += 1
    return found


FOUR = ["ace", "king", "queen", "jack"]


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize(
    ("body", "shuffles"),
    [
        ("shuffle deck\n    draw a card from deck to p1.hand\n    draw a card from deck to p2.hand", [FOUR]),
        ("shuffle deck\n    draw 2 cards from deck to discard\n    move all cards in discard to deck\n    draw a card from deck to p1.hand", [FOUR]),
        (
            "shuffle deck\n    draw a card from deck to p1.hand\n    move all cards in p1.hand to deck at the bottom\n    draw 2 cards from deck to p2.hand",
            [FOUR],
        ),
        (
            "shuffle deck\n    draw a card from deck to discard\n    move all cards in discard to deck at the bottom\n    draw 3 cards from deck to p2.hand",
            [FOUR],
        ),
        ("shuffle deck\n    show the top card in deck to p1\n    draw 2 cards from deck to p2.hand", [FOUR]),
    ],
)
def test_imagined_games_are_exactly_the_possible_ones(tmp_path: Path, player: int, body: str, shuffles: list[list[str]]) -> None:
    """What chance could have done is done by brute force: what fits all that a player was told is imagined, each about as often as it comes, and nothing else."""
    rules = rules_of(tmp_path, CARDS + "phase play:\n    " + body + STOP)
    real = rules.new_game(2, 4)
    wanted = possible(rules, shuffles, [], player, real)
    found = Counter(world_of(real.imagine(player, seed)) for seed in range(60 * len(wanted)))
    assert found.keys() == wanted.keys()
    for world, times in wanted.items():
        share = times * found.total() / wanted.total()
        assert abs(found[world] - share) < 5 * share**0.5


def test_what_was_put_on_top_stays_there_in_imagined_games(tmp_path: Path) -> None:
    """Everybody has seen the cards of the discard: whoever puts them on the deck knows what will be drawn."""
    rules = rules_of(
        tmp_path,
        CARDS.replace("jack", "low_jack") + "card top_x in discard\ncard top_y in discard\n"
        "phase play:\n    shuffle deck\n    shuffle discard\n    move all cards in discard to deck"
        + STOP
        + "    draw a card from deck to discard as first\n"
        '    log "First {first}."\n',
    )
    game = rules.new_game(2, 1)
    said = set()
    for seed in range(40):
        imagined = game.imagine(1, seed)
        imagined.choose(0)
        said.add(messages(imagined)[-1])
    game.choose(0)
    assert said == {messages(game)[-1]}


def test_a_card_that_left_a_hand_unseen_could_be_any_of_them(tmp_path: Path) -> None:
    """Player 2 has seen the ace go into the hand of player 1, from which something is put down unseen: then it is there, or here."""
    text = (
        CARDS
        + """place covered: an area of card, seen by nobody
phase play:
    shuffle deck
    draw 3 cards from deck to p1.hand
    move ace to discard
    move ace to p1.hand
    p1 chooses put: a card in p1.hand
    move put to covered
"""
        + STOP
    )
    rules = rules_of(tmp_path, text)
    for put in ("ace", "king"):
        seed = next(seed for seed in range(50) if (game := rules.new_game(2, seed)).decision and put in [each.id for each in game.decision.options])
        game = rules.new_game(2, seed)
        game.choose(put)
        held = {place: Counter[bool]() for place in ("covered", "hand")}
        for number in range(200):
            view = game.imagine(2, number)
            held["covered"][view.world.labels[view.state.members[view.world.global_places["covered"]][0]] == "Ace"] += 1
            hand = view.state.members[view.world.owned_places[0, "player.hand"]]
            held["hand"]["Ace" in [view.world.labels[each] for each in hand]] += 1
        assert 20 < held["covered"][True] < 120
        assert held["covered"][True] + held["hand"][True] == 200  # nowhere else


def test_an_imagined_game_can_be_imagined_again(tmp_path: Path) -> None:
    """Its log says what would have happened: what one player can know in it is kept when another imagines on."""
    rules = rules_of(
        tmp_path,
        CARDS
        + "phase play:\n    shuffle deck\n    draw a card from deck to p1.hand\n    draw a card from deck to p2.hand\n    move all cards in p2.hand to deck"
        + STOP,
    )
    game = rules.new_game(2, 3)
    tops = set()
    for seed in range(40):
        first = game.imagine(1, seed)
        again = first.imagine(2, seed + 100)
        assert again.view(2) == first.view(2)
        assert again.log(2) == first.log(2)
        deck = again.world.global_places["deck"]
        assert again.state.members[deck][-1] == first.state.members[deck][-1]  # player 2 has put it there
        tops.add(first.state.members[deck][-1])
    assert len(tops) == 3


def test_naming_a_card_does_not_tell_where_it_lies(tmp_path: Path) -> None:
    """A guess is heard by all, and where the card lies is as open as before."""
    rules = rules_of(
        tmp_path,
        CARDS + "phase play:\n    shuffle deck\n    draw a card from deck to p1.hand\n    p2 chooses guess: one of ace, king, queen, jack\n"
        '    log "{p2} says {guess}."' + STOP,
    )
    game = rules.new_game(2, 3)
    game.choose("king")
    assert len({world_of(game.imagine(2, seed)) for seed in range(300)}) == 24


# -- fields

CODES = """
kind player:
    code: 1..4, seen by self
phase play:
    for each player in players ordered by seat:
        player chooses n: a number from 1 to 4 secretly
        set player.code to n
    log "{total code over players}"
    end game
"""


def codes(game: Game, of: int) -> object:
    """The code of a player as that player sees it."""
    return game.view(of)["players"][of - 1]["fields"]["code"]


def test_a_secret_number_is_any_number_and_does_not_hang_on_the_true_one(tmp_path: Path) -> None:
    """Whatever the code of player 1 is, player 2 imagines the same; that of player 3, who has said nothing yet, is as it was for all to know."""
    rules = rules_of(tmp_path, CODES)
    found = []
    for true in range(1, 5):
        game = rules.new_game(3)
        game.choose(str(true))
        imagined = [game.imagine(2, seed) for seed in range(200)]
        found.append(Counter(codes(each, 1) for each in imagined))
        assert {codes(each, 3) for each in imagined} == {1}
        assert {codes(game.imagine(1, seed), 1) for seed in range(10)} == {true}
    assert all(each == found[0] for each in found)
    assert found[0].keys() == {1, 2, 3, 4}
    assert min(found[0].values()) > 25


def test_secret_answers_are_followed_through_names_effects_and_other_fields(tmp_path: Path) -> None:
    """What is worked out from a secret answer is as secret, and what has been shown since is known."""
    rules = rules_of(
        tmp_path,
        """
kind coin:
    worth: 0..9, seen by nobody
    twice: 0..18, seen by nobody
coin penny
effect mint(amount: number):
    let more = amount + 1
    set penny.worth to more
    set penny.twice to penny.worth * 2
phase play:
    let who = the first player
    who chooses n: a number from 1 to 4 secretly
    mint(n)
    who chooses one:
        "Go on": nothing
""",
    )
    seen = []
    for true in ("1", "4"):
        game = rules.new_game(2)
        game.choose(true)
        slot = game.world.base[game.world.by_noun["penny"][0]]
        imagined = [game.imagine(2, seed).state.values[slot : slot + 2] for seed in range(100)]
        seen.append([Counter(each[number] for each in imagined) for number in (0, 1)])
    assert seen[0] == seen[1]
    assert len(seen[0][0]) == 10


def test_flags_that_were_dealt_are_dealt_again(tmp_path: Path) -> None:
    """Chance has made one of the players the traitor: in every imagined game there is exactly one, and the one who imagines it knows the own part."""
    rules = rules_of(
        tmp_path,
        """
kind player:
    traitor: flag, seen by self
phase play:
    chance chooses bad: a player in players
    set bad.traitor to true
    for each player in players ordered by seat:
        player chooses one:
            "Go on": nothing
""",
    )
    who: Counter[int] = Counter()
    for seed in range(60):
        game = rules.new_game(3, seed)
        imagined = game.imagine(1, seed)
        flags = [imagined.view(player)["players"][player - 1]["fields"]["traitor"] for player in (1, 2, 3)]
        assert flags.count(True) == 1
        assert flags[0] == game.view(1)["players"][0]["fields"]["traitor"]
        who[flags.index(True)] += 1
    assert len(who) == 3


# -- along games

PUBLIC = (
    CARDS
    + """card extra "Extra" x6 in deck
phase play:
    shuffle deck
    for each player in players ordered by seat: draw 3 cards from deck to player.hand
    repeat 12 times:
        for each player in players ordered by seat: turn(player)
effect turn(who: player):
    who chooses one:
        "Bury": move the top card in deck to deck at the bottom
        "Deal": draw a card from deck to p2.hand
        "Gather":
            move all cards in discard to deck
        "Return": move all cards in p1.hand to discard
        "Take": draw a card from discard to p2.hand
"""
)


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_along_public_moves_an_imagined_game_looks_as_the_real_one(tmp_path: Path, engine: str) -> None:
    """Moves that show player 1 nothing new: what player 1 sees and reads stays the same in both, byte for byte, to the end."""
    rules = rules_of(tmp_path, PUBLIC, engine=engine)
    for seed in range(6):
        dice = random.Random(seed)
        game = rules.new_game(2, seed)
        others: list[Game] = []
        for number in range(24):
            assert game.decision is not None
            if number % 4 == 0:
                others.append(game.imagine(1, seed * 100 + number))
            choice = dice.randrange(len(game.decision.options))
            for each in (game, *others):
                each.choose(choice)
                assert repr(each.view(1)) == repr(game.view(1))
                assert each.log(1) == game.log(1)
        assert len({world_of(each) for each in others}) > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base", "carnomorphs", "lockdown"])
def test_what_a_player_could_follow_is_not_dealt_again(name: str) -> None:
    """In random games: every component that a player was able to tell, and that has not been mixed since, lies in the imagined game where it lies; the view and the
    log are the same, byte for byte, and the imagined game is sound."""
    rules = load(ROOT / "rulesets" / name)
    dice = random.Random(name)
    game = rules.new_game(2, 8)
    changed = 0
    for number in range(120):
        if game.decision is None:
            break
        if number % 8 == 0:
            player = dice.choice([1, 2])
            imagined = game.imagine(player, number)
            assert repr(imagined.view(player)) == repr(game.view(player))
            assert imagined.log(player) == game.log(player)
            rules.load_game(imagined.save())
            lost = last_unseen(game, player)
            moved = {each for each, place in enumerate(game.state.where) if imagined.state.where[each] != place}
            assert moved <= lost
            changed += len(moved)
        game.choose(dice.randrange(len(game.decision.options)))
    assert changed > 100


def last_unseen(game: Game, player: int) -> set[int]:
    """Components that a player could not tell when something last happened to them, or to the place they lay in."""
    lost: set[int] = set(range(game.world.count))
    inside, happened = [set(members) for members in game.state.members], entries(game)
    for entry in reversed(happened):  # where everything lay at first
        if entry["kind"] == "move":
            inside[entry["to"]].discard(entry["component"])
            inside[entry["before"]].add(entry["component"])
    for entry in happened:
        if entry["kind"] == "move":
            seen = entry["seen"] >> player - 1 & 1
            lost -= {entry["component"]} if seen else set()
            lost |= set() if seen else {entry["component"]} | inside[entry["before"]]
            inside[entry["before"]].discard(entry["component"])
            inside[entry["to"]].add(entry["component"])
        elif entry["kind"] == "shuffle":
            lost |= inside[entry["place"]]
        elif entry["kind"] == "show" and entry["seen"] >> player - 1 & 1:
            lost -= set(entry["components"])
    return lost


BACKS = """
value p1 gives player: the player where seat = 1
value p2 gives player: the player where seat = 2
kind card:
    back: red | blue, seen by everyone
    spot: 0..9, seen by everyone
    shown: flag
place deck: a pile of card, seen by nobody
place table: an area of card, seen by nobody
place open_table: a row of card
place pouch: a bag of card, seen by nobody
place discard: a pile of card
kind player:
    place hand: a row of card, seen by owner
card ace "Ace" in deck: back red
card king "King" in deck: back red
card queen "Queen" in deck: back blue
card jack "Jack" in deck: back blue
"""
MARKED = """
    draw a card from deck to table as first
    set first.spot to 5
    draw a card from deck to p2.hand as second
    set second.spot to 3
"""


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize(
    ("body", "shuffles"),
    [
        ("shuffle deck\n    draw a card from deck to p1.hand\n    draw a card from deck to p2.hand", [FOUR]),
        ("shuffle deck\n    draw 2 cards from deck to p1.hand\n    draw a card from deck to p2.hand", [FOUR]),
        ("shuffle deck\n    draw a card from deck to discard\n    draw 2 cards from deck to p1.hand\n    move all cards in p1.hand to deck", [FOUR]),
        ("shuffle deck\n    draw a card from deck to p1.hand\n    move all cards in p1.hand to deck\n    shuffle deck", [FOUR, FOUR]),
        (f"shuffle deck{MARKED}", [FOUR]),
        (f"shuffle deck{MARKED}    move all cards in table to deck\n    move all cards in p2.hand to deck\n    shuffle deck", [FOUR, FOUR]),
    ],
)
def test_imagined_games_keep_what_everyone_can_read_on_hidden_things(tmp_path: Path, player: int, body: str, shuffles: list[list[str]]) -> None:
    """As above, by brute force: backs that were seen, and marks that were put on what lies hidden, are those of the imagined things too."""
    rules = rules_of(tmp_path, BACKS + "phase play:\n    " + body + STOP)
    real = rules.new_game(2, 4)
    wanted = possible(rules, shuffles, [], player, real)
    found: Counter[World] = Counter()
    for number in range(40 * len(wanted)):
        imagined = real.imagine(player, number)
        assert knowledge(imagined, player) == knowledge(real, player)
        found[world_of(imagined)] += 1
    assert found.keys() == wanted.keys()
    for world, times in wanted.items():
        share = times * found.total() / wanted.total()
        assert abs(found[world] - share) < 5 * share**0.5


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_a_save_for_one_player_keeps_what_everyone_can_read(tmp_path: Path, engine: str) -> None:
    """What a player may have of a game is an imagined one, saved: it shows that player the same when it is opened again, and tells which things are meant no more than the real one."""
    rules = rules_of(tmp_path, BACKS + "phase play:\n    shuffle deck" + MARKED + "    draw a card from deck to p1.hand" + STOP, engine=engine)
    real = rules.new_game(2, 4)
    worlds = set()
    for player in (1, 2):
        for seed in range(12):
            handed = rules.load_game(json.loads(json.dumps(real.imagine(player, seed).save())))
            assert knowledge(handed, player) == knowledge(real, player)
            worlds.add(world_of(handed))
    assert len(worlds) > 2
