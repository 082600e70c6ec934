"""The story of a game: what is told of it, in which words, and to whom."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright import load, load_game
from rulewright.game.game import Game
from rulewright.game.past import Past
from rulewright.game.saving import play_again
from rulewright.game.story import Line, Story
from rulewright_tools.cli import rulewright
from rulewright_tools.story_page import StoryPage
from rulewright_tools.transcript import Eyes

TESTS = Path(__file__).parent
MANOR = """
ruleset manor "Manor" for 2 players

kind room is place:
    number: 1..9
    visited: flag, untold
    described as "{label} (room {number})" if visited else "room {number}"
kind guard:
    described as "{label} {copy}"
kind card
kind player:
    tired: flag
    coins: number = 9, untold
    place deck: a pile of card, seen by nobody
    place hand: a row of card, seen by owner
    place discard: a pile of card

place bench: an area of guard
place limbo: an area of guard, untold
place stock: a pile of card, seen by nobody

room hall "Hall": number 1
room vault "Vault": number 2
guard sentry "Sentry" x2 in bench
card key "Key" x4 in stock
card rope "Rope" x4 in stock
die luck "Die of luck": 1, 2, 3

cost cards(who: player, amount: number):
    when count of cards in who.hand >= amount
    do:
        who chooses thrown: exactly (amount) cards in who.hand
        move thrown to who.discard

action walk "Walk":
    choose goal: a room
    cost 1 card
    do: walk_to(actor, goal)

action wait "Wait":
    do: nothing

phase setup:
    shuffle stock
    log "The stock is ready."
    for each player in players:
        move 3 cards from stock to player.deck
        shuffle player.deck

phase play:
    heading "The first night"
    watch()
    for each player in players ordered by seat: turn(player)
    heading "The second night"
    watch()
    for each player in players ordered by seat: turn(player)
    for each player in players where not tired: win player because "{player} was never tired."
    end game

phase watch "The watch":
    step muster: move all guards in bench to vault
    step rest: for each guard in guards where copy = 1: doze(guard)

effect doze(who: guard):
    move who to limbo
    move who to hall
    step snore: set (the player where seat = 1).tired to true

effect turn(who: player):
    heading "{who}, {count of cards in who.hand} cards in hand"
    draw 2 cards from who.deck to who.hand
    offer actions to who
    may_rest(who)

effect may_rest(who: player):
    who may choose thrown: a card in who.hand
    if thrown is not none: move thrown to who.discard

effect walk_to(who: player, goal: room):
    let face = roll luck
    set goal.visited to true
    decrease who.coins by 1
    log "{who} walks to {goal}, with luck {face}."
"""


def manor(folder: Path, *choices: str, text: str = MANOR) -> Game:
    path = folder / "manor.rules"
    path.write_text(text)
    game = load(path).new_game(2, seed=3)
    for choice in choices:
        assert game.decision is not None
        game.choose(next(option for option in game.decision.options if choice in option.label))
    return game


def texts(lines: list[Line]) -> list[str]:
    """Lines as people read them, headings marked by their level."""
    return ["#" * line.level + " " + line.text if line.kind == "heading" else line.text for line in lines]


NIGHT = ("Walk", "Vault", "", "None", "Wait", "None", "Wait", "None", "Walk", "Vault", "", "None")


def test_a_story_is_told_as_by_somebody_who_was_there(tmp_path: Path) -> None:
    """Chapters, phases and steps; actions in one line; what effects say for themselves; what things are called at each moment; who won and why."""
    told = texts(manor(tmp_path, *NIGHT).story(everything=True))
    assert told[:10] == [
        "## Setup",
        "The stock is ready.",
        "# The first night",
        "## The watch",
        "### Muster",
        "Sentry 1, Sentry 2: bench → room 2.",
        "### Rest",
        "Player 1: tired.",
        "#### Player 1, 0 cards in hand",
        "Player 1 draws Rope, Key.",
    ]
    assert told[10:13] == ["Player 1: Walk (room 2), paying Rope.", told[11], "#### Player 2, 0 cards in hand"]
    assert told[11].startswith("Player 1 walks to Vault (room 2), with luck ")
    assert "Player 2: won. Player 2 was never tired." not in told  # the last page has it
    assert told[-5:] == ["# The end", "Player 1 lost.", "Player 2 won. Player 2 was never tired.", told[-2], "Rolls: 2."]
    assert not [text for text in told if "limbo" in text or "visited" in text or "coins" in text or "deck is" in text or "snore" in text]


def test_what_somebody_cannot_tell_is_counted(tmp_path: Path) -> None:
    """Cards that others draw; what they discard lies open."""
    game = manor(tmp_path, *NIGHT)
    mine, others, spectator = (texts(game.story(player)) for player in (1, 2, None))
    assert "Player 1 draws Rope, Key." in mine
    assert "Player 1 draws 2 cards." in others
    assert "Player 1 draws 2 cards." in spectator
    assert "Player 2 draws 2 cards." in spectator
    assert "Player 1: Walk (room 2), paying Rope." in others


def test_decisions_are_numbered_alike_for_everybody(tmp_path: Path) -> None:
    """What one player reads has the numbers that another one, and who sees everything, reads."""
    game = manor(tmp_path, *NIGHT)
    whole = {line.number: line.position for line in game.story(everything=True) if line.number is not None}
    for player in (1, 2, None):
        assert {line.number: line.position for line in game.story(player) if line.number is not None}.items() <= whole.items()


def test_numbers_leave_nothing_out(tmp_path: Path) -> None:
    """Payments, further choices of an action and what is declined have no numbers of their own; a story from somewhere on numbers on."""
    game = manor(tmp_path, *NIGHT)
    numbers = [line.number for line in game.story(everything=True) if line.number is not None]
    assert numbers == list(range(1, len(numbers) + 1)) == [1, 2, 3, 4]
    half = manor(tmp_path, *NIGHT[:6])
    rest = Story(half, everything=True, start=half.log_length)
    assert half.decision is not None
    half.choose(next(option for option in half.decision.options if option.label == "Wait"))
    assert [line.number for line in rest.rest() if line.number is not None] == [3]


ERRAND = """
ruleset errand "Errand" for 2 players

kind player:
    busy: flag, untold
    pile: number

action fetch "Fetch":
    do:
        actor chooses amount: one of 1, 2 asking "How many?"
        increase actor.pile by amount

before action(actor, deed): set (the player where seat = 1).busy to true

phase play:
    for each player in players:
        offer actions to player
        player chooses thrown: one of 1, 2
    end game
"""


def test_bookkeeping_between_choices_leaves_no_gap(tmp_path: Path) -> None:
    """A further choice of an action belongs to it although something was noted down in between that nobody is told of."""
    game = manor(tmp_path, "Fetch", "2", "1", "Fetch", "1", "2", text=ERRAND)
    lines = [(line.number, line.text) for line in game.story(everything=True) if line.kind in ("action", "choice")]
    assert lines == [(1, "Player 1: Fetch (2)."), (2, "Player 1 chooses 1."), (3, "Player 2: Fetch (1)."), (4, "Player 2 chooses 2.")]


ROUNDS = """
ruleset rounds "Rounds" for 2 players

state round: number = 1
state noted: number, untold

phase play:
    increase round by 1
    increase noted by 1
    end game
"""


def test_a_state_is_told_unless_it_is_untold(tmp_path: Path) -> None:
    """What the table remembers is told like any other field, and kept back like one; it has a name in other languages."""
    game = manor(tmp_path, text=ROUNDS)
    assert [line.text for line in game.story() if line.kind == "event"] == ["Table: round 1 → 2."]
    assert [line.text for line in game.story(language="cs") if line.kind == "event"] == ["Stůl: round 1 → 2."]


OUT = """
ruleset out "Out" for 2 players

kind player: place pile: a pile of card
kind card
card stone "Stone" x3
place stones: a pile of card

phase setup: move all cards to stones

phase play:
    eliminate the player where seat = 2 because "{the player where seat = 2} was too slow."
    (the player where seat = 1) chooses taken: up to 2 cards in stones asking "Take which?"
    win the player where seat = 1 because "Nobody else is left."
    end game
"""


def test_how_somebody_came_off_is_told_where_the_game_goes_on(tmp_path: Path) -> None:
    """And once only where it does not: on the last page."""
    told = texts(manor(tmp_path, "Stone", "Stone", text=OUT).story())
    assert [text for text in told if "too slow" in text] == [
        "Player 2: out of the game. Player 2 was too slow.",
        "Player 2 was out of the game. Player 2 was too slow.",
    ]
    assert [text for text in told if "Nobody else" in text] == ["Player 1 won. Nobody else is left."]


QUIZ = """
ruleset quiz "Quiz" for 2 players

kind player: luck: number

phase play:
    (the player where seat = 1) chooses guess: one of 1, 2 asking "How many?"
    (the player where seat = 1) chooses second: one of 1, 2 asking "More than {(the player where seat = 1).luck}?"
    end game
"""


def test_whoever_is_told_an_answer_is_told_the_question(tmp_path: Path) -> None:
    """Unless something stands in it, which might be what only one player knows."""
    game = manor(tmp_path, "1", "2", text=QUIZ)
    told = {player: [line.text for line in game.story(player) if line.kind == "choice"] for player in (1, 2)}
    assert told == {
        1: ["Player 1 chooses 1 (How many?).", "Player 1 chooses 2 (More than 0?)."],
        2: ["Player 1 chooses 1 (How many?).", "Player 1 chooses 2."],
    }


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("tests/passages/base", 2), ("base", 2), ("lockdown", 3)])
def test_a_story_told_piece_by_piece_is_the_whole_story(name: str, players: int) -> None:
    """And going through the log leads back to where the game stands."""
    game = load(name).new_game(players, seed=5)
    pieces = {player: Story(game, player) for player in (1, 2, None)}
    told: dict[int | None, list[Line]] = {player: [] for player in pieces}
    dice = random.Random(5)
    for _ in range(150):
        for player, story in pieces.items():
            told[player] += story.more()
        if game.decision is None:
            break
        game.choose(dice.randrange(len(game.decision.options)))
    for player, story in pieces.items():
        assert [*told[player], *story.rest()] == game.story(player)
    past = Past(game._machine, 0)
    for entry in game.state.log:
        past.forward(entry)
    assert past.machine.state.where == game.state.where
    assert past.machine.state.values == game.state.values


def test_the_story_of_a_saved_game_has_its_headings(tmp_path: Path) -> None:
    """What was read from a file has its words only: they say which are headings."""
    game = manor(tmp_path, *NIGHT[:6])
    game.save(tmp_path / "manor.save")
    again = load_game(tmp_path / "manor.save")
    headings = [[text for text in texts(each.story(everything=True)) if text.startswith("#")] for each in (game, again)]
    assert headings[0] == headings[1]
    assert "# The second night" in headings[0]


def test_what_something_is_called_stops_no_game(tmp_path: Path) -> None:
    """A description that goes wrong is the label."""
    text = MANOR.replace('described as "{label} {copy}"', 'described as "{8 / (copy - 1)}"')
    assert "Sentry, 8: bench → room 2." in texts(manor(tmp_path, text=text).story())


def test_undone_choices_are_not_told(tmp_path: Path) -> None:
    """A story is that of the game as it stands."""
    game = manor(tmp_path)
    before = game.story(1)
    game.choose(0)
    assert game.undo(past_secrets=True)
    assert game.story(1) == before


# -- on a terminal


@pytest.mark.parametrize(
    ("name", "eyes"),
    [
        ("tic_tac_toe", Eyes()),
        pytest.param("base", Eyes(1, False), marks=pytest.mark.slow),
        pytest.param("carnomorphs", Eyes(), marks=pytest.mark.slow),
        pytest.param("lockdown", Eyes(None, False), marks=pytest.mark.slow),
    ],
)
def test_recorded_games_are_told_as_before(name: str, eyes: Eyes, request: pytest.FixtureRequest) -> None:
    """The games of tests/playthroughs as a player, a spectator or everybody together would tell them; `pytest --update` rewrites these files."""
    data = json.loads((TESTS / "playthroughs" / f"{name}.json").read_text(encoding="utf-8"))
    game, problem = play_again(load(name), data)
    assert problem is None, "the playthrough is older than the rules: run pytest --update-playthroughs"
    page = StoryPage(game, eyes, [], False, width=110)
    told, path = page.more() + page.end(), TESTS / "stories" / f"{name}.txt"
    if request.config.getoption("--update"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8"), "if it is meant to be told so: run pytest tests/test_story.py --update"


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(rulewright, [str(argument) for argument in arguments])


def test_run_tells_the_story_in_the_detail_asked_for() -> None:
    """The story, with the rule behind each line, or the log."""
    story, rules, everything = (invoke("run", "tic_tac_toe", "--seed", 7, "--detail", detail).stdout for detail in ("story", "rules", "everything"))
    assert story == invoke("run", "tic_tac_toe", "--seed", 7).stdout
    assert "\n   1  Player 1 takes row " in story
    assert "[turn]" in rules
    assert "[turn]" not in story
    assert "X: Player 1's marks → board" not in rules
    assert "X: Player 1's marks → board" in everything
    assert re.search(r"── The end ─+\n +Player 1 lost\.\n +Player 2 won\.\n +Decisions: 6 \(Player 1 3, Player 2 3\)\.\n$", story)
    assert everything.splitlines()[-1] == "Player 2 wins after 6 decisions. Player 1 loses."


def test_from_and_until_name_an_event(tmp_path: Path) -> None:
    """An effect or phase by its name, a heading by its beginning; what is misspelt is told, and what does not happen."""
    path = tmp_path / "manor.rules"
    path.write_text(MANOR)
    shown = invoke("run", path, "--bots", "first", "--from", "The second").stdout
    assert "The first night" not in shown
    assert "── The second night ─" in shown
    assert "Player 2, 0 cards" not in invoke("run", path, "--bots", "first", "--until", "turn").stdout
    shown = invoke("run", path, "--bots", "first", "--from", "walk_to", "--detail", "everything").stdout
    assert "stock is shuffled" not in shown
    assert "luck shows" in shown
    result = invoke("run", path, "--until", "wach")
    assert (result.exit_code, "did you mean 'watch'?" in result.stderr) == (2, True)
    result = invoke("run", path, "--from", "The third night")
    assert (result.exit_code, "'The third night' did not happen" in result.stderr) == (0, True)


def test_the_manifest_says_how_many_usually_play(tmp_path: Path) -> None:
    """`run` lets so many play; a number that cannot be is refused."""
    (tmp_path / "a.rules").write_text("phase play: end game\n")
    manifest = 'id: a\ntitle: A\nversion: "1"\nplayers: {min: 1, max: 4, usual: 3}\nfiles: [a.rules]\n'
    (tmp_path / "ruleset.yaml").write_text(manifest)
    assert "3 players" in invoke("run", tmp_path).stdout
    (tmp_path / "ruleset.yaml").write_text(manifest.replace("usual: 3", "usual: 5"))
    assert "'players' has a usual number of 5, which is not from its min of 1 to its max of 4" in invoke("validate", tmp_path).stdout
