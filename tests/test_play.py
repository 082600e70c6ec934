"""`rulewright play`: line by line, on a screen through textual's pilot, and once for real in a terminal."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rulewright import load
from rulewright_tools.cli import main
from rulewright_tools.play.panels import options_of
from rulewright_tools.play.plain import Lines, Screen, play
from rulewright_tools.play.session import Session, chairs_of
from tests.playing import rules_of

SECRETS = """
kind player:
    place hand: a row of card, seen by owner
kind card
place deck: a pile of card, seen by nobody
place middle: a row of card
card ace "Ace" in deck
card king "King" in deck
card queen "Queen" in deck
card jack "Jack" in deck

die coin: heads, tails

phase setup:
    shuffle deck
    for each player in players: draw a card from deck to player.hand

action lay "Lay":
    choose laid: a card in actor.hand
    do: move laid to middle

action wish "Wish":
    when middle holds 3 cards because "the middle is too empty"
    do: log "{actor} wishes."

phase play:
    repeat 2 times:
        for each player in players ordered by seat:
            let fallen = roll coin
            log "It is {fallen}."
            offer actions to player:
                "Wait": nothing
    win the first player
    end game
"""


def typed(session: Session, lines: Sequence[str], width: int = 100) -> tuple[bool, str]:
    """What is shown to somebody who types some lines, and whether the game was over then."""
    shown: list[str] = []
    waiting: Iterator[str] = iter(lines)

    def read(prompt: str) -> str | None:
        line = next(waiting, None)
        shown.append(f"{prompt}{line}")
        return line

    return play(session, Screen(shown.append, read, width=width)), "\n".join(shown)


def session_of(name: str | Path, seats: str, seed: int = 1, chance: str | None = None) -> Session:
    """A session of a ruleset."""
    rules = load(name)
    chairs = chairs_of(seats, *rules.players, None, seed)
    return Session(rules.new_game(len(chairs), seed, chance), chairs, asks_chance=chance is not None)


def secret_session(tmp_path: Path, seats: str, chance: str | None = None) -> Session:
    """A session of the small ruleset with hands."""
    rules = rules_of(tmp_path, SECRETS)
    chairs = chairs_of(seats, *rules.players, None, 1)
    return Session(rules.new_game(len(chairs), 1, chance), chairs, asks_chance=chance is not None)


def test_a_whole_game_line_by_line() -> None:
    """Two people, by number, by id and by the words of an option; the board shows what can be chosen, and nobody hands over where nothing is hidden."""
    over, shown = typed(session_of("tic_tac_toe", "ann,ben"), ["5", "board_1_1", "board 1,2", "1", "board_3_2"])
    assert over
    assert "1  │  1  │  2  │  3  │" in shown
    assert "2  │  4  │  X  │  5  │" in shown
    assert "Nobody else should look" not in shown
    assert shown.endswith("The game is over: Ann (player 1) wins.")


def test_a_large_grid_of_hexagons() -> None:
    """Rows lean; so many options are not listed besides."""
    _, shown = typed(session_of("hex", "ann,ben"), ["1", "Place a stone"])
    assert "1 to 121, as the board shows" in shown
    lines = [line for line in shown.splitlines() if line.lstrip().startswith(("1  ", "2  "))]
    assert lines[-1].index("2") > lines[-2].index("1")


def test_what_is_typed_wrongly_changes_nothing() -> None:
    """It is told what can be typed; so is what cannot be undone or found."""
    session = session_of("tic_tac_toe", "ann,ben")
    over, shown = typed(
        session, ["10", "0", "-1", "board", "99999999999", "undo", "? nothing of that name", "why board 1,1", "save", "story", "", "\x1b[2J"]
    )
    assert not over
    assert session.game.choices == []
    assert "'10' is none of the options; type a number from 1 to 9, or help." in shown
    assert "nothing has been decided yet" in shown
    assert "There is no rule for 'nothing of that name'." in shown
    assert "\x1b" not in shown.split("> \x1b[2J")[1].replace("> None", "")


def test_undo_and_the_rule_behind_something() -> None:
    """Back to the last decision of a person, over those of bots."""
    session = session_of("tic_tac_toe", "me,first")
    _, shown = typed(session, ["5", "undo", "? 1", "5", "quit", "quit", "1"])
    assert "Taken back." in shown
    assert "grid board of cell: 3 by 3" in shown
    assert "The game is not saved: save FILE, or quit again." in shown
    assert len(session.game.choices) == 2


def test_between_two_people_nothing_is_shown(tmp_path: Path) -> None:
    """A screen of blank lines between them, and each sees the own hand only; undo stops where something was revealed."""
    session = secret_session(tmp_path, "ann,ben")
    cards = [session.game.view(seat)["places"][f"player.{seat}.hand"]["members"][0]["label"] for seat in (1, 2)]
    _, shown = typed(session, ["look", "Wait", "", "look", "undo"])
    anns, bens = shown.split("Now it is the turn of Ben (player 2). Nobody else should look.")
    assert f"hand: {cards[0]}" in anns
    assert cards[1] not in anns
    assert anns.endswith("\n" * 50)
    assert f"hand: {cards[1]}" in bens
    assert cards[0] not in bens


def test_reasons(tmp_path: Path) -> None:
    """Why an action is not offered: all of them, or one by its name."""
    _, shown = typed(secret_session(tmp_path, "me,first"), ["why", "why wish", "why lay", "why wihs", "why qqqqqqqq"])
    assert shown.count("Wish: the middle is too empty") == 2
    assert "Nothing about 'lay' is kept from you." in shown
    assert "There is nothing called 'wihs'; did you mean 'wish'?" in shown
    assert "There is nothing called 'qqqqqqqq'." in shown


FACE_DOWN = """
kind player
kind spot:
    place floor: a pile of tile, seen by nobody
spot hall "Hall"
spot attic "Attic"
kind tile
place heap: an area of tile, seen by nobody
place table: an area of tile
tile armory "Armory" in heap
tile nest "Nest" in heap
tile storage "Storage" in heap
die coin: heads, tails
phase setup:
    for each spot in spots:
        chance chooses laid: a tile in heap
        move laid to spot.floor
phase play:
    for each player in players:
        let face = roll coin
        log "It is {face}."
        player chooses one:
            "Turn up": move all tiles from hall.floor to table
"""


def test_what_stays_face_down_nobody_is_asked(tmp_path: Path) -> None:
    """The program draws it, and says so; what can be seen is asked, and taken back to no further than that. Each seed draws otherwise."""
    found = set()
    rules, chairs = rules_of(tmp_path, FACE_DOWN), chairs_of("me", 1, 1, None, 1)
    for seed in range(4):
        session = Session(rules.new_game(1, 1, "ask"), chairs, asks_chance=True, draws=seed)
        _, shown = typed(session, ["undo", "tails", "undo", "heads", "1"])
        assert "What does chance choose" not in shown
        assert shown.count("Drawn by the program, since it stays face down: 2.") == 1
        assert "That cannot be taken back" in shown
        assert shown.count("What does coin show?") >= 2
        assert "It is heads." in shown
        found.add(next(tile for tile in ("Armory", "Nest", "Storage") if tile in shown.rpartition("Turn up")[2]))
    assert len(found) > 1
    _, shown = typed(Session(rules.new_game(1, 1, "ask"), chairs, asks_chance=True), ["1", "1"])
    assert "What does chance choose for Attic?" in shown


def test_a_referee_for_the_real_box(tmp_path: Path) -> None:
    """Whatever is left to chance is asked, with how probable it is."""
    session = secret_session(tmp_path, "me,first", "ask")
    over, shown = typed(session, ["king", "ace", "tails", "Wait", "heads", "tails", "Wait", "heads"])
    assert over
    assert "Chance: What comes from deck?" in shown
    assert "heads  (1/2)" in shown
    assert "hand: [1] King" not in shown
    assert shown.count("It is tails.") == 2


def test_save_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was saved here goes on here, and with the other commands."""
    path = tmp_path / "evening.save"
    session = session_of("tic_tac_toe", "ann,ben")
    _, shown = typed(session, ["5", f"save {path}", f"save {tmp_path}/no/such/folder/x", "quit"])
    assert f"To go on: rulewright play --load {path}" in shown
    assert "Not saved: cannot write" in shown
    answers = iter(["1", "2", "3", "8"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, None) or (_ for _ in ()).throw(EOFError))
    assert main(["play", "--load", str(path), "--seats", "ann,ben", "--plain"]) == 0
    assert "│  X  │" in capsys.readouterr().out
    assert main(["play", "--load", str(path), "--seats", "ann,ben", "--plain"]) == 0  # there is nothing more to read
    assert capsys.readouterr().out.endswith("3,3\n\n")  # and nothing that could be lost


def test_what_is_not_saved() -> None:
    """Another choice in place of one that was saved, but not where the game was loaded, or what was taken back."""
    session = session_of("tic_tac_toe", "ann,ben")
    assert not session.unsaved
    session.choose("board_1_1")
    assert session.unsaved
    assert session.save(os.devnull) is None
    assert not session.unsaved
    session.undo()
    session.choose("board_2_2")
    assert session.unsaved
    assert not Session(session.game, session.chairs).unsaved


def test_where_a_game_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that is offered is that of no other game; the own file is written again, and one that is no save stays as it is."""
    monkeypatch.chdir(tmp_path)
    one, other = session_of("tic_tac_toe", "ann,ben"), session_of("tic_tac_toe", "ann,ben")
    for session, name in ((one, "tic_tac_toe.save"), (other, "tic_tac_toe_2.save")):
        assert session.suggested_file == name
        assert session.save(name) is None
        assert session.suggested_file == name
        assert session.save(name) is None
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    assert one.save(str(notes)) == f"'{notes}' is there already, and is no saved game"
    assert notes.read_text() == "mine"


def test_an_interruption(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends it with the code for that; what is lost is told, on a line of its own."""
    answers = iter(["5"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, None) or (_ for _ in ()).throw(KeyboardInterrupt))
    assert main(["play", "tic_tac_toe", "--seats", "ann,ben", "--plain"]) == 130
    assert capsys.readouterr().out.endswith("\n\nThe game was not saved.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play"], "Name a ruleset"),
        (["play", "tic_tac_toe", "--seats", "me"], "for 2 players, not 1"),
        (["play", "tic_tac_toe", "--seats", "me,mcts:none"], "--seats"),
        (["play", "tic_tac_toe", "--seats", "me,<b>"], "is no name for a seat"),
        (["play", "tic_tac_toe", "--players", "3"], "for 2 players, not 3"),
        (["play", "tic_tac_toe", "--players", "0"], "for 2 players, not 0"),
        (["play", "tic_tac_toe", "--players", "-5"], "for 2 players, not -5"),
        (["play", "tic_tac_toe", "--seats", "me,bot", "--players", "0"], "--seats names 2 seats, --players 0"),
        (["play", "tic_tac_toe", "--load", "x", "--chance", "ask"], "do not go together"),
        (["play", "--load", "no such file"], "no such file"),
        (["play", "no_such_game"], "there is no ruleset"),
        (["play", "tic_tac_toe", "--from", "no such file"], "no such file"),
    ],
)
def test_a_wrong_command_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, and what is wrong."""
    assert main(arguments) in (1, 2)
    assert said in capsys.readouterr().err


def test_from_a_scenario(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The game goes on where the scenario leads, by the rules alone, so that it can be saved."""
    file = tmp_path / "s.yaml"
    file.write_text(
        "ruleset: tic_tac_toe\nscenarios:\n"
        "  - name: One\n    when: [{choose: [board_1_1, board_2_2]}]\n    then: [board_1_1 holds a cross]\n"
        "  - name: Two\n    start: setup\n    given: move the first cross in player_1.marks to board_3_3\n    then: [board_3_3 holds a cross]\n"
    )
    monkeypatch.setattr("builtins.input", lambda prompt: (_ for _ in ()).throw(EOFError))
    assert main(["play", "tic_tac_toe", "--from", str(file), "--seats", "ann,ben"]) == 0
    assert "1  │  X  │  1  │  2  │" in capsys.readouterr().out
    assert main(["play", "tic_tac_toe", "--from", f"{file}#two", "--seats", "ann,ben"]) == 0
    assert "3  │  7  │  8  │  X  │" in capsys.readouterr().out
    assert main(["play", "tic_tac_toe", "--from", f"{file}#three"]) == 2
    assert "'One', 'Two'" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "seed"), [pytest.param("base", 2, marks=pytest.mark.slow), pytest.param("lockdown", 3, marks=pytest.mark.slow)])
def test_a_large_game_line_by_line(name: str, seed: int) -> None:
    """Whatever is on the table is told, on a wide screen as a map, on a narrow one spot by spot."""
    for width in (80, 200):
        session = session_of(name, "me,random", seed)
        _, shown = typed(session, [*["1"] * 6, "look", "why", "? 1", "2", "2", "story 5"], width)
        assert "Time Track: [" in shown
        assert re.search(r"^You  [A-Z]", shown, re.MULTILINE)  # who one is
        assert ("┌" in shown) == (width == 200)


@pytest.mark.parametrize(
    "name",
    [
        "connect_four",
        "breakthrough",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("base", "base_alt_board", "carnomorphs", "lockdown", "lockdown_surface")),
    ],
)
@pytest.mark.parametrize(("seats", "width"), [("ann,ben", 80), ("me,random", 220)])
def test_whole_games_line_by_line(name: str, seats: str, width: int) -> None:
    """Anything that is offered, asked about and taken back, up to the end."""
    session, rng, left = session_of(name, seats, 3), random.Random(3), iter(range(600))

    def read(prompt: str) -> str | None:
        assert lines.table is not None
        if next(left, None) is None:
            return None
        things = [*lines.table.things, *lines.table.places, *lines.table.board.spots] or ["nothing"]
        asks = ["look", "why", "story 3", "undo", f"? {rng.choice(things)}", f"why {rng.choice(things)}", f"? {rng.randrange(9)}"]
        return rng.choice(asks) if rng.random() < 0.1 else str(rng.randrange(len(options_of(lines.table))) + 1)

    lines = Lines(session, Screen(lambda text: None, lambda prompt: "" if "Enter" in prompt else read(prompt), width=width))
    assert lines.play()
    assert session.over


@pytest.mark.slow
def test_another_language() -> None:
    """What is on the table is told in it where there is a translation."""
    rules = load("base")
    chairs = chairs_of("me,random", *rules.players, None, 1)
    _, shown = typed(Session(rules.new_game(2, 3), chairs, language="cs"), ["1", "look", "? Obezřetný pohyb"])
    assert "Která postava?" in shown
    assert "Strojovna" in shown
    assert "Engine Room" not in shown
    assert "předmět (barva červená)" in shown  # of a card that lies face down
    assert "action careful_move" in shown


def test_every_word_of_the_terminal_is_translated() -> None:
    """What `play` and `try` say in English is in the Czech catalogue, with the same values in it."""
    pytest.importorskip("textual")
    from rulewright_tools import own_words
    from rulewright_tools.play import app, plain
    from rulewright_tools.sandbox import lines

    tools = Path(own_words.__file__).parent
    said = {does for table in (app.HELP, plain.HELP, lines.HELP) for _, does in table} | {word for *_, word in app.KEYS}
    for path in [*(tools / "play").glob("*.py"), *(tools / "sandbox").glob("*.py"), tools / "table" / "rule_text.py"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bsay\(f?'|\bsay\(f", text), path  # which would not be found here
        said.update(re.findall(r'\bsay\(\s*"([^"]*)"', text))
    catalogue = own_words.catalogue("cs")
    assert len(said) > 90
    assert said - set(catalogue) == set()
    for sentence in said:
        assert sorted(re.findall(r"{\w+}", sentence)) == sorted(re.findall(r"{\w+}", catalogue[sentence]))


def test_sentences_in_a_language() -> None:
    """With or without its region; in English where there is no such language, and values are never taken for sentences with holes."""
    from rulewright_tools.own_words import said_in

    assert {said_in(tag)("You") for tag in ("cs", "cs-CZ")} == {"Ty"}
    assert {said_in(tag)("You") for tag in (None, "xx", "../words/cs", "")} == {"You"}
    assert said_in("cs")("No such sentence of {name}", name="{name}") == "No such sentence of {name}"


def test_a_terminal_in_another_language(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of the terminal are in the language of the game, with or without a screen of its own."""
    answers = iter(["help", "nonsense", "5", "undo", "1", "2", "quit", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert main(["play", "tic_tac_toe", "--seats", "ann,me", "--language", "cs", "--plain", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    for words in ("„help“ řekne", "znovu celý stůl", "není žádná z možností", "Vzato zpět.", "Ann (hráč 1): ", "Hráč 2: ", "Hra nebyla uložena."):
        assert words in shown
    rules = load("tic_tac_toe")
    session = Session(rules.new_game(2, 1), chairs_of("me,first", *rules.players, None, 1), language="cs")
    seen, _ = on_screen(session, "3", "2", "3")
    assert "Ty: " in seen[0]


# -- the screen


def on_screen(session: Session, *keys: str, size: tuple[int, int] = (140, 45)) -> tuple[list[str], str]:
    """Presses keys; gives the text of the board and of the prompt after each, and what is on top in the end."""
    pytest.importorskip("textual")
    from rulewright_tools.play.app import PlayApp

    seen: list[str] = []

    async def go() -> str:
        app = PlayApp(session)
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            for key in keys:
                await pilot.press(key)
                await settled(app, pilot)
                seen.append(f"{app.query_one('#board').render()}\n{app.screen_stack[0].query_one('#prompt').render()}")
            return type(app.screen).__name__

    async def settled(app: PlayApp, pilot: object) -> None:
        await app.workers.wait_for_complete()
        await pilot.pause()  # type: ignore[attr-defined]

    return seen, asyncio.run(go())


def test_a_game_on_the_screen() -> None:
    """By number, and by arrow and Enter; the end is told."""
    session = session_of("tic_tac_toe", "ann,ben")
    seen, _ = on_screen(session, "5", "1", "down", "enter", "1", "u", "2")
    assert "2  │  4  │  X  │  5  │" in seen[0]
    assert [option for _, option in session.game.choices] == ["board_2_2", "board_1_1", "board_1_3", "board_2_1"]
    seen, _ = on_screen(session_of("tic_tac_toe", "ann,ben"), "1", "3", "1", "3", "1")
    assert "The game is over: Ann (player 1) wins." in seen[-1]


@pytest.mark.slow
def test_windows_on_the_screen() -> None:
    """Help, reasons, rules, the story and saving each open a window that Escape closes; whoever has not saved is asked before it ends."""
    for key in ("h", "w", "question_mark", "l", "s"):
        _, top = on_screen(session_of("tic_tac_toe", "ann,ben"), "5", key)
        assert top in ("Info", "Line")
        _, top = on_screen(session_of("tic_tac_toe", "ann,ben"), "5", key, "escape")
        assert top == "Screen"
    _, top = on_screen(session_of("tic_tac_toe", "ann,ben"), "5", "q")
    assert top == "Leaving"


@pytest.mark.parametrize("key", ["ctrl+c", pytest.param("ctrl+q", marks=pytest.mark.slow)])
def test_leaving_by_the_keys_of_terminals(key: str, tmp_path: Path) -> None:
    """Whoever has not saved is asked once, between two people, too; the second time it ends."""
    _, top = on_screen(secret_session(tmp_path, "ann,ben"), "2", key)
    assert top == "Leaving"
    from rulewright_tools.play.app import PlayApp

    async def go() -> None:
        app = PlayApp(session_of("tic_tac_toe", "ann,ben"))
        async with app.run_test() as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("5")
            await app.workers.wait_for_complete()
            await pilot.press(key, key)
            assert not app.is_running

    asyncio.run(go())


def test_a_narrow_terminal() -> None:
    """One thing stands below the other, as wide as there is room, and again beside it when there is more."""
    pytest.importorskip("textual")
    from rulewright_tools.play.app import PlayApp

    async def go() -> None:
        app = PlayApp(session_of("tic_tac_toe", "ann,ben"))
        async with app.run_test(size=(40, 24)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            board, side = app.query_one("#map").region, app.query_one("#side").region
            assert (board.width, side.width, side.y) == (40, 40, board.bottom)
            assert not app.query_one("#story").display
            await pilot.resize_terminal(120, 40)
            await pilot.pause()
            assert app.query_one("#side").region.x == app.query_one("#map").region.right
            assert app.query_one("#story").display

    asyncio.run(go())


def test_nobody_sees_the_hand_of_another_on_the_screen(tmp_path: Path) -> None:
    """Between two people there is a screen that shows nothing, and nothing stays behind it."""
    session = secret_session(tmp_path, "ann,ben")
    seen, top = on_screen(session, "2")
    assert top == "HandOver"
    assert seen[-1].strip() == ""
    assert session.seat == 1
    for key in ("l", "question_mark", "w", "u", "s", "1"):
        seen, top = on_screen(session, key)
        assert (top, seen[-1].strip()) == ("HandOver", "")
    on_screen(session, "enter")
    assert session.seat == 2


def test_words_of_a_ruleset_are_shown_as_they_are(tmp_path: Path) -> None:
    """Neither what a terminal nor what the screen would obey means anything in a label."""
    text = """
kind card
place row: an area of card
card odd "[b]x[/b] [@click=app.quit]y" in row
card wide "日本" in row
phase play:
    let who = the first player
    who chooses taken: a card in row
    log "{taken}"
"""
    rules = rules_of(tmp_path, text)
    chairs = chairs_of("me", 1, 8, None, 1)
    _, shown = typed(Session(rules.new_game(1, 1), chairs), ["look"])
    assert "   1  [b]x[/b] [@click=app.quit]y\n   2  日本" in shown
    session = Session(rules.new_game(1, 1), chairs)
    _, top = on_screen(session, "question_mark", "x", "enter")
    assert top == "Info"
    on_screen(session, "1")
    assert session.over


def test_a_click_chooses_what_it_is_about() -> None:
    """In the middle of the board, where one option is about the cell."""
    pytest.importorskip("textual")
    from rulewright_tools.play.app import PlayApp

    session = session_of("tic_tac_toe", "ann,ben")

    async def go() -> None:
        app = PlayApp(session)
        async with app.run_test(size=(140, 45)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.click("#board", offset=(12, 4))
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.click("#board", offset=(12, 4))  # which is taken now: the rule is told instead
            await pilot.pause()
            assert type(app.screen).__name__ == "Info"

    asyncio.run(go())
    assert session.game.choices == [(1, "board_2_2")]


def test_in_a_real_terminal(tmp_path: Path) -> None:
    """The program itself, in a terminal: the board is drawn, a key chooses, and `q` leaves the terminal as it was."""
    pytest.importorskip("textual")
    tmux = shutil.which("tmux")
    if tmux is None and os.environ.get("CI") == "true":
        subprocess.run("apt-get update -qq && apt-get install -y -qq tmux", shell=True, check=False, capture_output=True)
        tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("there is no tmux here")
    socket = str(tmp_path / "tmux")
    program = f"{sys.executable} -m rulewright_tools play tic_tac_toe --seats ann,ben; echo left; sleep 60"

    def ask(*arguments: str) -> str:
        return subprocess.run([tmux, "-S", socket, *arguments], capture_output=True, text=True, check=False, timeout=60).stdout

    def wait_for(text: str) -> str:
        for _ in range(600):
            if text in (shown := ask("capture-pane", "-p")):
                return shown
            time.sleep(0.2)
        raise AssertionError(f"never saw {text!r} in:\n{shown}")

    ask("new-session", "-d", "-x", "120", "-y", "40", program)
    try:
        wait_for("│  5  │")
        ask("send-keys", "5")
        assert "Ben (player 2)" in wait_for("│  X  │")
        ask("send-keys", "q")
        wait_for("Quit without saving")
        ask("send-keys", "Enter")
        wait_for("left")
    finally:
        ask("kill-server")
