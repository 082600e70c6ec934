"""What a player may not know does not come out by the way: through the order, the names or the number of options, through the log, or by taking back."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load
from rulewright.bots import make_bot
from tests.playing import messages, option_ids, rules_of

PLAYERS = """
value p1 gives player: the player where seat = 1
value p2 gives player: the player where seat = 2
kind player:
    place hand: a row of card, seen by owner
"""
CARDS = """
kind card
place deck: a pile of card, seen by nobody
card ace "Ace" in deck
card king "King" in deck
card queen "Queen" in deck
card jack "Jack" in deck
"""


def _texts(game: Game, player: int | None) -> list[str]:
    return [entry["text"] for entry in game.log(player)]


def test_hidden_things_are_offered_as_they_lie(tmp_path: Path) -> None:
    """Not in the order in which they are declared, whichever way they were found."""
    rules = (
        PLAYERS
        + CARDS
        + """
phase play:
    shuffle deck
    move all cards in deck to p2.hand
    p1 chooses one_of_them: a card where owner is p2
    for each card in cards in p2.hand ordered by choice of p1: move card to deck
    log "{count of cards in deck} {one_of_them.owner}"
"""
    )
    for seed in range(4):
        game = rules_of(tmp_path, rules).new_game(2, seed)
        assert option_ids(game) == [f"player.2.hand#{number}" for number in range(1, 5)]
        game.choose(0)
        assert option_ids(game) == [f"player.2.hand#{number}" for number in range(1, 5)]


def test_what_the_rules_name_is_offered_by_its_name_in_the_order_written(tmp_path: Path) -> None:
    """A guess among cards says nothing of where they lie: by name, whoever holds them, and everyone hears it; what a local name stands for has none."""
    text = (
        PLAYERS
        + CARDS
        + """
phase play:
    shuffle deck
    for each player in players: draw a card from deck to player.hand
    let covered = the top card in deck
    p1 chooses guess: one of king, queen, ace, jack
    p1 chooses doubt: one of covered, jack
    log "{p1} says {guess}."
"""
    )
    for engine in ("step", "wasm"):
        rules = rules_of(tmp_path, text, engine=engine)
        for seed in range(6):
            game = rules.new_game(2, seed)
            assert option_ids(game) == ["king", "queen", "ace", "jack"]
            game.choose("queen")
            assert _texts(game, 2)[-1] == "Player 1 chooses Queen"
            assert option_ids(game) == ["deck#2", "jack"]


def test_a_bag_has_no_positions(tmp_path: Path) -> None:
    """What went in last is not the last option."""
    rules = (
        PLAYERS.replace("card", "coin")
        + """
kind coin
place pouch: a bag of coin, seen by nobody
coin penny "Penny" x3 in pouch
coin skull "Skull"
die d6: 1, 2, 3, 4, 5, 6
phase play:
    let face = roll d6
    move skull to pouch
    p1 chooses felt: a coin in pouch
    reveal felt
    log "{face} {felt}"
"""
    )
    drawn = set()
    for seed in range(12):
        game = rules_of(tmp_path, rules).new_game(2, seed)
        game.choose("pouch#4")
        drawn.add(messages(game)[0][2:])
    assert drawn == {"Penny", "Skull"}


def test_an_action_of_a_face_down_card_does_not_name_it(tmp_path: Path) -> None:
    """Actions of its kind are offered by its position; those that only it has are not offered to who cannot tell it."""
    rules = """
kind card:
    up: flag
    hidden while not up
    actions for all players
    action flip "Flip":
        do: set self.up to true
place table: a row of card
card ace "Ace" in table:
    action boast "Boast":
        do: log "An ace!"
card king "King" in table
phase play:
    shuffle table
    repeat 2 times: offer actions to (the player where seat = 1)
"""
    game = rules_of(tmp_path, rules).new_game(1, 1)
    assert option_ids(game) == ["card.flip@table#1", "card.flip@table#2"]
    assert game.why_not(1, "ace.boast")[0]["reason"] == "Ace does not grant it to Player 1 at the moment"
    assert game.decision is not None
    assert game.decision.options[0].label == "Flip: no. 1 in table"


def test_a_place_of_a_face_down_card_does_not_name_it(tmp_path: Path) -> None:
    """Not in options, in their order, in fields of views, in the order of the places of a view, or where the log says that a field is set."""
    text = """
kind card:
    up: flag
    hidden while not up
    place under: a pile of chip, seen by nobody
kind chip
kind player:
    home: place or none
place table: a row of card
place supply: an area of chip
card ace "Ace" in table
card king "King" in table
chip coin "Coin" x4 in supply
phase play:
    shuffle table
    for each card in cards in table: move exactly 2 chips from supply to card.under
    let who = the first player
    set who.home to (the first card in table).under
    who chooses taken: a chip where not taken is in supply
    move taken to supply
"""
    for engine in ("step", "wasm"):
        found, orders = [], set()
        for seed in range(6):
            game = rules_of(tmp_path, text, engine=engine).new_game(2, seed)
            orders.add(game.state.members[game.world.global_places["table"]])
            found.append((repr(game.view(1)), game.log(1), game.decision))
        assert len(orders) == 2
        assert all(each == found[0] for each in found)
        assert option_ids(game) == ["table#1.under#1", "table#1.under#2", "table#2.under#1", "table#2.under#2"]
        assert game.decision is not None
        assert game.decision.options[0].label == "no. 1 in under of no. 1 in table"
        assert game.view(1)["players"][0]["fields"]["home"] == "table#1.under"


def test_the_choice_between_replacements_names_cards_to_their_owner_only(tmp_path: Path) -> None:
    """The options have names, and the log of the others does not."""
    rules = (
        PLAYERS
        + """
kind card
place deck: a pile of card, seen by nobody
effect hit(who: player): log "Hit."
card ace "Ace" in deck:
    while self.place is owner.hand:
        instead of hit(who) when who = owner: log "Saved."
card king "King" in deck:
    while self.place is owner.hand:
        instead of hit(who) when who = owner: log "Saved."
phase play:
    move all cards in deck to p1.hand
    hit(p1)
"""
    )
    game = rules_of(tmp_path, rules).new_game(2, 1)
    assert game.decision is not None
    assert [(option.id, option.label) for option in game.decision.options] == [("ace", "Ace"), ("king", "King")]
    game.choose("ace")
    assert "Player 1 chooses" in _texts(game, 2)
    assert not any("Ace" in text for text in _texts(game, 2))


def test_a_label_that_names_a_hidden_card_is_not_told(tmp_path: Path) -> None:
    """What was chosen is known to who chose it."""
    rules = (
        PLAYERS
        + CARDS
        + """
phase play:
    move ace to p1.hand
    p1 chooses keep: a card in p1.hand
    p1 chooses one:
        "Discard {keep}": nothing
        "Hold": nothing
"""
    )
    game = rules_of(tmp_path, rules).new_game(2, 1)
    game.choose(0)
    game.choose(0)
    assert "Player 1 chooses Discard Ace" in _texts(game, 1)
    assert not any("Ace" in text for text in _texts(game, 2) + _texts(game, None))


def test_how_many_are_chosen_in_secret_is_secret(tmp_path: Path) -> None:
    """Others read that somebody chooses, once."""
    rules = """
kind coin
place purse of player: an area of coin
coin gold x6
phase setup:
    for each player in players: move exactly 3 coins from box to player.purse
phase play:
    each player secretly chooses bid: any number of coins in player.purse
    for each player in players: move bid of player to box
"""
    game = rules_of(tmp_path, rules).new_game(2, 1)
    for choice in (0, 0, "done"):
        game.choose(choice)
    assert [text for text in _texts(game, 2) if "chooses" in text] == ["Player 1 chooses"]


def test_undo_stops_where_something_was_told(tmp_path: Path) -> None:
    """At a private message, at a message that names a hidden card, at secret answers that have come out; not at what everybody knew."""
    rules = (
        PLAYERS.replace("kind player:", "kind player:\n    shown: 0..9")
        + CARDS
        + """
phase play:
    p1 chooses one:
        "peek": log "It is on top." to p1
        "tell": tell(the top card in deck)
        "count": log "{count of cards in deck}"
    each player secretly chooses bid: a number from 1 to 3
    for each player in players: set player.shown to bid of player
    p1 chooses one:
        "end": nothing
effect tell(card: card): log "It is {card}."
"""
    )
    for option, free in (("peek", False), ("tell", False), ("count", True)):
        game = rules_of(tmp_path, rules).new_game(2, 1)
        game.choose(option)
        assert game.undo() is free
    game = rules_of(tmp_path, rules).new_game(2, 1)
    game.choose("count")
    game.choose("1")
    assert game.undo()  # nobody knows it yet
    game.choose("2")
    game.choose("3")
    assert not game.undo()


def test_a_spectator_of_a_game_of_one_sees_no_more_than_others(tmp_path: Path) -> None:
    """The only player's hand is that player's."""
    rules = (
        PLAYERS
        + CARDS
        + """
phase play:
    move ace to p1.hand
    log "It is yours." to p1
    p1 chooses one:
        "end": nothing
"""
    )
    game = rules_of(tmp_path, rules.replace("value p2 gives player: the player where seat = 2\n", "")).new_game(1, 1)
    assert game.view(None)["places"]["player.1.hand"] == {"count": 1, "members": [{"hidden": True}]}
    assert game.view(1)["places"]["player.1.hand"]["members"][0]["id"] == "ace"
    assert _texts(game, None) == ["something: deck → Player 1's hand"]


GUESSES = {
    "an answer in a local name": "each player secretly chooses secret: a number from 1 to 6\n    let answer = secret of p2",
    "a hidden field": "let face = roll d6\n    set vault.code to face\n    set face to 1\n    let answer = 0",
    "a hidden number without bounds": "let face = roll d6\n    set vault.weight to face\n    set face to 1\n    let answer = -1",
    "a number read off a hidden card": "shuffle deck\n    let answer = the rank of (the top card in deck)",
    "a number read off a name for a hidden card": "shuffle deck\n    let top = the top card in deck\n    let answer = the rank of top",
}


@pytest.mark.parametrize("engine", [pytest.param("step", marks=pytest.mark.slow), "wasm"])
def test_a_searching_bot_does_not_know_what_its_player_cannot(engine: str, tmp_path: Path) -> None:
    """It guesses one number in six about as often as that; it would always be right if it saw."""
    for name, secret in GUESSES.items():
        rules = f"""
value p1 gives player: the player where seat = 1
value p2 gives player: the player where seat = 2
kind safe:
    code: 1..6, seen by nobody
    weight: number, seen by nobody
safe vault "Vault"
die d6: 1, 2, 3, 4, 5, 6
kind card:
    rank: 1..6
place deck: a pile of card, seen by nobody
card trump "Trump" x6 in deck: rank 1, 2, 3, 4, 5, 6
phase play:
    {secret}
    p1 chooses guess: a number from 1 to 6
    if guess = answer or (answer = 0 and guess = vault.code) or (answer = -1 and guess = vault.weight): win p1
    else: win p2
    end game
"""
        right, loaded = 0, rules_of(tmp_path, rules, engine=engine)
        for seed in range(30):
            game = loaded.new_game(2, seed)
            while (ask := game.decision) is not None:
                game.choose(make_bot("mcts:20" if "guess" in ask.prompt else "random", seed).choose(game, ask))
            assert game.result is not None
            right += 1 in game.result.winners
        assert right <= 13, name


TOLD_BY_DEED = """ruleset told "Whoever acts is told something: a pawn, for whom a player decides"
kind player
kind card
kind pawn:
    player: player or none
    decided by player
place deck: a pile of card, seen by nobody
card ace "Ace" in deck
pawn ann "Ann"
action wait "Wait" as deeds:
    by pawn
    do: nothing
after action(who, deed):
    show ace to who
    log "psst" to who
phase setup: set ann.player to the player where seat = 2
phase play: repeat 3 times: offer actions as deeds to ann
"""


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_who_decides_for_a_component_is_told_what_it_is_told(tmp_path: Path, engine: str) -> None:
    """What a component that acts is shown, the player behind it knows, and nobody else; a save of that can be loaded."""
    path = tmp_path / "told.rules"
    path.write_text(TOLD_BY_DEED, encoding="utf-8")
    rules = load(path, engine=engine)
    game = rules.new_game(3, 1)
    game.choose(0)
    texts = {player: [entry["text"] for entry in game.log(player) if entry["kind"] in ("message", "show")] for player in (1, 2, None)}
    assert texts == {1: ["something is shown"], 2: ["shown: Ace", "psst"], None: ["something is shown"]}
    assert rules.load_game(game.save()).decision == game.decision
