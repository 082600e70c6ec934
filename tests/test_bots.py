"""Bots, and the imagined games they think about: fair to what their player may know, and the same for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, Rules, load
from rulewright.bots import Bot, UnknownBot, make_bot, reward
from rulewright.decision import Result

ROOT = Path(__file__).parent.parent
RULESETS = ["tic_tac_toe", "connect_four", *(f"tests/passages/{name}" for name in ("base", "carnomorphs", "lockdown", "aliens"))]
CARDS = """
kind card
kind player:
    place hand: a row of card, seen by owner
    place table: a row of card, seen by everyone
kind coin:
    worth: 1..3, seen by nobody

place deck: a pile of card, seen by nobody
place other_deck: a pile of card, seen by nobody
place middle: a row of card
place bank: an area of coin

coin penny in bank: worth 1
coin groat in bank: worth 2
coin crown in bank: worth 3
card small x8 in deck
card great x8 in deck
card blue x2 in other_deck
card green x2 in other_deck

phase setup:
    shuffle deck
    shuffle other_deck
    for each player in players ordered by seat: draw 3 cards from deck to player.hand
    show the top card in deck to the player where seat = 1

phase play:
    repeat 2 times:
        for each player in players ordered by seat: turn(player)
    end game

effect turn(who: player):
    draw a card from other_deck as felt
    who chooses kept: a card in who.hand
    move kept to middle
    each player secretly chooses bid: a number from 1 to 5
    move felt to middle
"""


def ruleset(folder: Path, text: str) -> Rules:
    """A ruleset of one file."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(
        'id: made_up\ntitle: Made up\nversion: "1.0.0"\ndescription: For a test.\nplayers: {min: 2, max: 3}\nfiles: [made_up.rules]\n'
    )
    (folder / "made_up.rules").write_text(text)
    return load(folder, engine="step")


@pytest.fixture
def cards(tmp_path: Path) -> Game:
    """A game of two with hands, piles and hidden numbers, at its first decision."""
    return ruleset(tmp_path / "made_up", CARDS).new_game(2, 5)


def played(rules: Rules, names: list[str], seed: int, limit: int = 1000) -> Game:
    """A whole game by bots, or so many decisions of it."""
    game = rules.new_game(len(names), seed)
    bots = [make_bot(name, 100 * seed + seat) for seat, name in enumerate(names)]
    while len(game.choices) < limit and (ask := game.decision) is not None:
        game.choose(bots[ask.player - 1].choose(game, ask))
    return game


def moments(name: str, seed: int, limit: int = 24) -> Iterator[Game]:
    """The decisions of a game played at random."""
    rules = load(name if name in ("tic_tac_toe", "connect_four") else ROOT / name, engine="step")
    game = rules.new_game(min(2, rules.players[1]), seed)
    bot = make_bot("random", seed)
    for _ in range(limit):
        ask = game.decision
        if ask is None:
            return
        yield game
        game.choose(bot.choose(game, ask))


def named(game: Any) -> dict[str, Any]:
    """What the local names of what is going on stand for."""
    linked, frame = game._machine.linked, game.state.frames[-1]
    names = zip(linked.program.units[linked.unit_at[frame.at]].locals, frame.names, strict=True)
    return {local.name: value for local, value in names if not local.name.startswith("#")}


def units(game: Any) -> list[str]:
    """What is going on, from the game itself to what is innermost."""
    return [game._machine.linked.unit_at[frame.at] for frame in game.state.frames]


def lying(game: Game, place: str) -> list[str]:
    """What really lies in a place, hidden or not."""
    world = game.world
    number = world.global_places[place] if place in world.global_places else world.owned_places[int(place[7]) - 1, "player." + place[9:]]
    return [f"{world.definitions[each]}.{world.copies[each]}" for each in game.state.members[number]]


# -- imagining


@pytest.mark.parametrize("name", RULESETS)
def test_an_imagined_game_looks_the_same_and_is_sound(name: str) -> None:
    """At every decision, for every player and a spectator: the view and the decision stay, the original is untouched, nothing is lost."""
    changed = 0
    for number, game in enumerate(moments(name, 3)):
        before = game.save()
        for player in (*range(1, game.world.players + 1), None):
            imagined = game.imagine(player, number)
            assert imagined.view(player) == game.view(player)
            assert imagined.log(player) == game.log(player)
            state, real = imagined.state, game.state
            assert [len(members) for members in state.members] == [len(members) for members in real.members]
            assert sorted((each, place) for place, members in enumerate(state.members) for each in members) == list(enumerate(state.where))
            assert state.random != real.random
            changed += state.members != real.members
            if game.decision is not None and player == game.decision.player:
                assert imagined.decision == game.decision
        assert game.save() == before
    assert bool(changed) == ("passages" in name)


@pytest.mark.parametrize(("name", "seed"), list(zip(RULESETS[2:], (16, 16, 19, 16), strict=True)))
def test_an_imagined_game_can_be_played_on_from_the_middle_of_an_effect(name: str, seed: int) -> None:
    """Frames deep inside effects go on in an imagined game as they do in a real one: also inside something that was begun by a choice, which asks for more."""
    paths: list[list[str]] = []
    for number, game in enumerate(moments(name, seed, 12)):
        paths.append(units(game))
        imagined = game.imagine(1, number)
        assert units(imagined) == units(game)
        bot = make_bot("random", number)
        for _ in range(5):
            ask = imagined.decision
            if ask is None:
                break
            imagined.choose(bot.choose(imagined, ask))
    assert any(after[: len(before)] == before and len(after) > len(before) + 1 for before, after in pairwise(paths))


def test_what_a_player_cannot_see_is_dealt_again(cards: Game) -> None:
    """The other's hand changes, one's own does not; together with the deck it stays the same cards."""
    hands = set()
    for seed in range(20):
        imagined = cards.imagine(1, seed)
        assert lying(imagined, "player.1.hand") == lying(cards, "player.1.hand")
        hands.add(tuple(lying(imagined, "player.2.hand")))
        unseen = lying(imagined, "player.2.hand") + lying(imagined, "deck")
        assert sorted(unseen) == sorted(lying(cards, "player.2.hand") + lying(cards, "deck"))
    assert len(hands) > 10


def test_what_a_player_was_shown_stays(cards: Game) -> None:
    """Player 1 has seen the top of the deck; player 2 has not."""
    top = lying(cards, "deck")[-1]
    assert all(lying(cards.imagine(1, seed), "deck")[-1] == top for seed in range(20))
    assert any(lying(cards.imagine(2, seed), "deck")[-1] != top for seed in range(20))


def test_piles_that_began_apart_are_not_mixed(cards: Game) -> None:
    """A card that began in another pile has another back: it is dealt again among its own."""
    for seed in range(10):
        assert sorted(lying(cards.imagine(2, seed), "other_deck")) == sorted(lying(cards, "other_deck"))


def test_what_an_effect_speaks_of_is_what_lies_there_now(cards: Game) -> None:
    """The card that was felt is in a local name of the turn: whichever lies there in the imagined game is meant, and numbers stay numbers."""
    tops = set()
    for seed in range(20):
        imagined = cards.imagine(1, seed)
        real, names = (named(game) for game in (cards, imagined))
        number = names["felt"]
        tops.add(f"{imagined.world.definitions[number]}.{imagined.world.copies[number]}")
        assert f"{imagined.world.definitions[number]}.{imagined.world.copies[number]}" == lying(imagined, "other_deck")[-1]
        assert {key: value for key, value in names.items() if key != "felt"} == {key: value for key, value in real.items() if key != "felt"}
    assert len(tops) > 2


def test_hidden_numbers_change_owners(cards: Game) -> None:
    """A field that nobody can read has any of the values that are there."""
    world = cards.world

    def worths(game: Game) -> tuple[object, ...]:
        return tuple(game.state.values[world.base[coin]] for coin in world.by_noun["coin"])

    found = {worths(cards.imagine(1, seed)) for seed in range(40)}
    assert len(found) > 3
    assert {tuple(sorted(each, key=str)) for each in found} == {(1, 2, 3)}


def test_a_secret_answer_is_open_again(cards: Game) -> None:
    """Player 2 imagines that player 1, who has answered secretly, is still to answer; player 1 knows the own answer."""
    cards.choose(0)
    assert cards.decision is not None
    assert cards.decision.player == 1
    cards.choose("4")
    assert cards.decision.player == 2
    of_two, of_one = cards.imagine(2, 1), cards.imagine(1, 1)
    of_two.choose("2")
    of_one.choose("2")
    assert of_two.decision is not None
    assert of_one.decision is not None
    assert (of_two.decision.player, len(of_two.decision.options)) == (1, 5)
    assert of_one.decision.player == 2
    assert of_one.decision.options[0].id not in "12345"


def test_the_dice_of_imagined_games_differ(cards: Game) -> None:
    """Neighbouring seeds give games that have nothing to do with each other; equal seeds give equal games."""
    assert len({cards.imagine(1, seed).state.random for seed in range(50)}) == 50
    assert cards.imagine(1, 7).save() == cards.imagine(1, 7).save()


# -- bots


def test_a_searching_bot_beats_chance() -> None:
    """In tic-tac-toe, moving first, it loses no game and wins nearly all; moving second it wins most."""
    rules = load("tic_tac_toe")
    first = Counter(_winner(played(rules, ["mcts:60", "random"], seed)) for seed in range(4))
    second = Counter(_winner(played(rules, ["random", "mcts:60"], seed)) for seed in range(4))
    assert first[2] == 0
    assert first[1] >= 3
    assert second[2] >= 2


def _winner(game: Game) -> int:
    assert game.result is not None
    return next(iter(game.result.winners), 0)


@pytest.mark.parametrize(("moves", "answer"), [("1_1 2_1 1_2 2_2", "1_3"), ("1_1 2_2 3_2 2_1", "2_3")], ids=["wins", "blocks"])
def test_a_searching_bot_sees_what_is_at_hand(moves: str, answer: str) -> None:
    """It completes a line, and it stops the other's."""
    game = load("tic_tac_toe").new_game(2, 1)
    for move in moves.split():
        game.choose(f"board_{move}")
    assert game.decision is not None
    assert make_bot("mcts:300", 1).choose(game, game.decision) == f"board_{answer}"


def test_a_searching_bot_leaves_the_game_alone(cards: Game) -> None:
    """Thinking changes nothing, and gives one of the options."""
    before = cards.save()
    assert cards.decision is not None
    assert make_bot("mcts:20", 3).choose(cards, cards.decision) in {option.id for option in cards.decision.options}
    assert cards.save() == before


@pytest.mark.parametrize("name", ["random", "first", "mcts:5"])
def test_a_bot_is_the_same_for_the_same_seed(name: str) -> None:
    """Two games by equal bots are equal to the last entry of the log."""
    rules = load(ROOT / "tests/passages/base")
    assert played(rules, [name, "random"], 4, 12).replay() == played(rules, [name, "random"], 4, 12).replay()


def test_bots_of_different_seeds_differ() -> None:
    """Also if the seeds are neighbours."""
    game = load("connect_four").new_game(2, 0)
    assert game.decision is not None
    choices = [[bot.choose(game, game.decision) for _ in range(12)] for bot in (make_bot("random", 1), make_bot("random", 2))]
    assert choices[0] != choices[1]
    assert choices[0][1:] != choices[1][:-1]


def test_a_random_bot_is_fair() -> None:
    """Each of seven options about as often."""
    game = load("connect_four").new_game(2, 0)
    assert game.decision is not None
    bot: Bot = make_bot("random", 9)
    found = Counter(bot.choose(game, game.decision) for _ in range(1400))
    assert len(found) == 7
    assert all(150 < count < 250 for count in found.values())


def test_a_bot_is_rewarded_for_winning_and_by_half_for_what_is_open() -> None:
    """Winning is 1, losing 0, also if only somebody else wins; half if nobody does or it is not known."""
    assert [reward(Result((1,), (), ()), player) for player in (1, 2)] == [1.0, 0.0]
    assert [reward(Result((), (1,), (2,)), player) for player in (1, 2, 3)] == [0.0, 0.0, 0.5]
    assert reward(None, 1) == 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rondom", "did you mean 'random'"),
        ("", "there are random, first, mcts"),
        ("first:3", "takes no number"),
        ("mcts:", "number of playouts"),
        ("mcts:0", "number of playouts"),
        ("mcts:many", "number of playouts"),
        ("mcts:99999999999", "number of playouts"),
    ],
)
def test_a_name_that_is_no_bot(name: str, message: str) -> None:
    """The error says what there is."""
    with pytest.raises(UnknownBot, match=message):
        make_bot(name, 1)
