"""The server: whole games over real sockets, seats, undo by consent, replays, the archive. Strangers have tests of their own, and so has the page."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from rulewright_tools.serve import journal as journals
from rulewright_tools.serve.catalogue import Catalogue, CatalogueError
from rulewright_tools.serve.consent import who_is_asked
from rulewright_tools.serve.house import House, HouseError
from rulewright_tools.serve.journal import SUFFIX, JournalError
from rulewright_tools.serve.limits import Limits
from tests.serving import Person, Web, serving

# Two players with secret cards: to play one shows it to all, to peek shows one to a single player.
CARDS = """\
ruleset cards "Cards" for 2 players

kind card
place deck: a pile of card, seen by nobody
place table: a row of card
place hand of player: a row of card, seen by owner
kind player:
    coins: number

card ruby "Ruby" in deck
card opal "Opal" in deck
card jade "Jade" in deck
card onyx "Onyx" in deck

phase setup:
    shuffle deck
    for each player in players: draw a card from deck to player.hand

phase play:
    repeat 6 times:
        for each player in players ordered by seat:
            player chooses one:
                "Save": increase player.coins by 1
                "Draw" when any card in deck: draw a card from deck to table
                "Peek" when any card in deck: show a card in deck to player
    end game
"""


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the small game."""
    path = tmp_path_factory.mktemp("rules") / "cards.rules"
    path.write_text(CARDS, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def both(cards: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, House]]:
    """A server with that game beside those that come with the program."""
    with serving(tmp_path_factory.mktemp("games"), cards) as found:
        yield found


@pytest.fixture
def web(both: tuple[Web, House]) -> Web:
    """Requests to it."""
    return both[0]


def play_out(*people: Person) -> None:
    """Play to the end; each takes the first option."""
    while not all(person.over for person in people):
        for person in people:
            if person.asked and not person.over:
                assert "ok" in person.answer()
            else:
                person.until(lambda each: each.over or each.asked or any(other.asked for other in people if other is not each))


# -- playing


def test_two_people_and_somebody_who_watches(web: Web, both: tuple[Web, House]) -> None:
    """A whole game: each sees the same board by differences alone, and everything is on disk."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob, web.person(game["id"]) as eve:
        for person, option in zip((ann, bob) * 3, ("board_1_1", "board_2_1", "board_1_2", "board_2_2", "board_1_3"), strict=False):
            assert "ok" in person.answer(option)
        for person in (ann, bob, eve):
            person.until(lambda each: each.over)
            assert person.table["winners"] == [1]
            assert person.table["places"]["board_1_3"]["members"], person.table["places"]
        assert [ann.about["you"], bob.about["you"], eve.about["you"]] == [1, 2, 0]
        assert eve.refused(do="answer", turn=0, option="board_3_3") == "spectator"
        assert ann.refused(do="answer", turn=0, option="board_3_3") == "over"
        assert sum(map(len, bob.raw[2:])) < 3 * len(bob.raw[1]), "differences are small"
    _, _, lines = journals.read(both[1].path("games") / f"{game['id']}{SUFFIX}")
    assert [line["c"][1] for line in lines if "c" in line] == ["board_1_1", "board_2_1", "board_1_2", "board_2_2", "board_1_3"]
    assert lines[-1] == {"e": [1]}


def test_bots_answer_for_themselves(web: Web) -> None:
    """A person alone with a bot gets to the end."""
    game = web.begin("tic_tac_toe", "person", "random")
    with web.person(game["id"], game["links"]["1"]) as ann:
        while not ann.over:
            ann.answer()
            ann.until(lambda each: each.over or each.asked)
        assert ann.about["seats"]["2"] == {"kind": "bot", "name": "", "here": True}


def test_somebody_comes_back(web: Web) -> None:
    """In the middle of a decision, with everything as it was; a second window of the same seat sees the same."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann:
        ann.answer("board_2_2")
    with web.person(game["id"], game["links"]["2"]) as bob, web.person(game["id"], game["links"]["2"]) as again:
        assert bob.asked
        assert bob.about["seats"]["1"]["here"] is False
        assert bob.table == again.table
        with web.person(game["id"], game["links"]["1"]) as ann:
            bob.until(lambda each: each.about["seats"]["1"]["here"])
            bob.answer("board_1_1")
            ann.until(lambda each: each.asked)
            again.until(lambda each: not each.asked)


def test_what_is_hidden_is_in_no_message(web: Web) -> None:
    """Neither in the table nor in the story nor anywhere else: what another holds, and what lies in the deck."""
    game = web.begin("cards", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob, web.person(game["id"]) as eve:
        play_out(ann, bob)
        mine = {person: [ann.table["things"][each]["label"] for each in person_hand(person)] for person in (ann,)}[ann]
        theirs = [bob.table["things"][each]["label"] for each in person_hand(bob)]
        assert len(mine) == len(theirs) == 1
        for label in {"Ruby", "Opal", "Jade", "Onyx"}:
            assert (label in "".join(ann.raw)) == (label in mine)
            assert (label in "".join(bob.raw)) == (label in theirs)
            assert label not in "".join(eve.raw)


def person_hand(person: Person) -> list[str]:
    """The cards that somebody holds."""
    found: list[str] = person.table["places"][f"player.{person.about['you']}.hand"]["members"]
    return found


def test_looking_things_up(web: Web) -> None:
    """The rule behind a thing, why something is not offered, and the story from its beginning."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann:
        (rule,) = ann.ask(do="rule", name="turn")["ok"]
        assert "who chooses target" in rule["text"]
        assert ann.ask(do="rule", name="no_such_thing")["ok"] == []
        ann.answer("board_1_1")
        assert ann.ask(do="why_not", thing="board_1_1")["ok"]
        first = ann.ask(do="story", before=2)["ok"]
        assert list(first) == ["1"]
        assert ann.refused(do="go", to=1) == "unknown"


# -- seats


def test_an_open_seat_is_taken_once(web: Web) -> None:
    """The first who asks gets the link."""
    game = web.begin("tic_tac_toe", "person", "open")
    status, found = web.ask(f"/api/games/{game['id']}/sit", {"seat": 2, "name": "  Bo\u202eb\n "})
    assert status == 200
    assert web.ask(f"/api/games/{game['id']}/sit", {"seat": 2})[0] == 409
    assert web.ask(f"/api/games/{game['id']}/sit", {"seat": 9})[0] == 400
    with web.person(game["id"], found["link"]) as bob:
        assert (bob.about["you"], bob.about["seats"]["2"]["name"]) == (2, "Bob")


def test_who_began_the_game_hands_out_seats(web: Web) -> None:
    """A new link ends the old one, whoever uses it at the moment; a bot can play for somebody who has gone."""
    game = web.begin("tic_tac_toe", "person", "person")
    path, host = f"/api/games/{game['id']}", game["host"]
    assert web.ask(f"{path}/link", {"seat": 2}, secret=game["links"]["1"])[0] == 403
    with web.person(game["id"], game["links"]["2"]) as bob:
        status, found = web.ask(f"{path}/link", {"seat": 2}, secret=host)
        assert status == 200
        with pytest.raises(Exception, match="1008"):
            bob.until(lambda each: False, 5)
    with web.person(game["id"], found["link"]) as bob, web.person(game["id"], game["links"]["1"]) as ann:
        assert bob.about["you"] == 2
        assert web.ask(f"{path}/seat", {"seat": 2, "bot": "random"}, secret=host)[0] == 200
        ann.answer()
        ann.until(lambda each: each.asked)
        assert ann.about["seats"]["2"]["kind"] == "bot"
    assert web.ask(f"{path}/seat", {"seat": 2, "bot": "no_such_bot"}, secret=host)[0] == 400


# -- taking back


def test_nothing_revealed_is_taken_back_at_once(web: Web) -> None:
    """With all that came of it, and for everybody."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob:
        assert ann.refused(do="propose", what="undo") == "nothing"
        before = dict(ann.seen["story"])
        ann.answer("board_2_2")
        assert ann.ask(do="propose", what="undo")["ok"] == {"done": True}
        ann.until(lambda each: each.asked)
        assert ann.seen["story"] == before
        bob.until(lambda each: not each.asked and "board_2_2" not in str(each.seen["story"]))
        ann.answer("board_1_1")
        bob.until(lambda each: each.asked)


def test_what_was_revealed_needs_consent(web: Web) -> None:
    """Of who saw it; a bot is never asked, and who asks may change their mind."""
    game = web.begin("cards", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob:
        ann.answer("draw")
        assert ann.ask(do="propose", what="undo")["ok"] == {"done": False}
        bob.until(lambda each: each.about.get("proposal", {}).get("mine"))
        number = bob.about["proposal"]["number"]
        assert bob.refused(do="consent", number=number + 1, agrees=True) == "late"
        assert ann.refused(do="propose", what="undo") == "asked"
        bob.ask(do="consent", number=number, agrees=False)
        ann.until(lambda each: "proposal" not in each.about)
        assert ann.table["places"]["table"]["count"] == 1
        ann.ask(do="propose", what="undo")
        bob.until(lambda each: each.about.get("proposal", {}).get("mine"))
        bob.ask(do="consent", number=bob.about["proposal"]["number"], agrees=True)
        ann.until(lambda each: each.asked)
        assert ann.table["places"]["table"].get("count", 0) == 0


def test_alone_with_bots_everything_can_be_taken_back(web: Web) -> None:
    """Also past what chance and bots have done since."""
    game = web.begin("cards", "person", "random")
    with web.person(game["id"], game["links"]["1"]) as ann:
        ann.answer("draw")
        ann.until(lambda each: each.asked)
        assert ann.ask(do="propose", what="undo")["ok"] == {"done": True}
        ann.until(lambda each: each.asked and each.table["places"]["table"].get("count", 0) == 0)


def test_who_is_asked() -> None:
    """Who was told something since; if nobody else was, everybody else."""
    assert who_is_asked(1, {1, 2, 3}, {2}) == {2}
    assert who_is_asked(1, {1, 2, 3}, set()) == {2, 3}
    assert who_is_asked(1, {1}, set()) == set()


# -- afterwards


def test_a_game_that_is_over_is_looked_at_taken_home_and_brought_back(web: Web) -> None:
    """Moment by moment, through anybody's eyes; the file is a replay, and a game goes on from any moment of it."""
    game = web.begin("cards", "person", "person")
    path = f"/api/games/{game['id']}/replay"
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob:
        assert web.ask(path, secret=game["links"]["1"])[0] == 409
        assert ann.ask(do="propose", what="replay")["ok"] == {"done": False}
        bob.until(lambda each: each.about.get("proposal", {}).get("mine"))
        bob.ask(do="consent", number=bob.about["proposal"]["number"], agrees=True)
        ann.until(lambda each: each.about.get("replay"))
        assert web.ask(path, secret=game["links"]["1"])[0] == 200
        assert web.ask(path, secret=game["links"]["2"])[0] == 409
        play_out(ann, bob)
    status, replay = web.ask(path)
    assert (status, replay["format"], replay["ruleset"]["target"]) == (200, "rulewright replay", "cards")
    status, brought = web.ask("/api/replays", raw=json.dumps(replay).encode())
    assert status == 200, brought
    for id in (game["id"], brought["id"]):
        with web.person(id, what="view") as eve:
            total = eve.about["total"]
            assert total == len(replay["choices"])
            eve.ask(do="go", to=total)
            eve.until(lambda each: each.over)
            eve.ask(do="go", to=1, seat=2)
            eve.until(lambda each: each.about["at"] == 1 and each.about["you"] == 2 and not each.over)
            assert person_hand(eve)
            assert eve.refused(do="go", to=1, seat=7) == "seat"
            assert eve.refused(do="answer", turn=0, option="save") == "unknown"
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "first"}]
    status, again = web.ask("/api/games", {"replay": brought["id"], "at": 3, "seats": seats})
    assert status == 200, again
    with web.person(again["id"], again["links"]["1"]) as ann:
        ann.until(lambda each: each.asked)
        assert sum(line["kind"] in ("action", "choice", "message") for line in ann.seen["story"].values()) >= 3


def test_a_game_that_goes_on_is_not_looked_at(web: Web) -> None:
    """It would tell what is hidden."""
    game = web.begin("cards", "person", "person")
    with web.socket(f"/ws/view/{game['id']}") as line:
        assert Person(line).refused(do="join") == "not_over"


def test_the_lobby(web: Web) -> None:
    """What can be played, with which layers and options; games that are not to be listed are not."""
    hidden = web.begin("tic_tac_toe", "person", "open", listed=False, watched=False)
    shown = web.begin("tic_tac_toe", "person", "open")
    _, lobby = web.ask("/api/lobby")
    names = {entry["name"]: entry for entry in lobby["rulesets"]}
    assert lobby["first"] == "cards"
    assert names["cards"]["own"]
    assert "carnomorphs" in names["base"]["layers"]
    assert "lockdown" not in names["base"]["layers"]
    ids = [game["id"] for game in lobby["games"]]
    assert shown["id"] in ids
    assert hidden["id"] not in ids
    with web.socket(f"/ws/game/{hidden['id']}") as line:
        assert Person(line).refused(do="join") == "closed"
    status, found = web.ask("/api/settings", {"ruleset": "base", "layers": ["flares"]})
    assert (status, found["players"], found["usual"]) == (200, [1, 5], 4)
    assert "intruder_player" in {each["name"] for each in found["settings"]}


# -- on disk


def test_a_journal_that_was_cut_anywhere(tmp_path: Path) -> None:
    """What is whole is read, what is not is cut off; what is wrong in the middle is refused, and so is a file of something else."""
    path = tmp_path / f"game{SUFFIX}"
    journal = journals.create(path, {"game": {}}, [{"c": [1, "a"]}])
    journal.append({"c": [2, "ü"]}, {"u": 1})
    data = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    for cut in range(ends[0], len(data) + 1):
        path.write_bytes(data[:cut])
        found, _, lines = journals.read(path)
        assert len(lines) == sum(end <= cut for end in ends) - 1
        found.append({"stop": "x"})
        assert journals.read(path)[2] == [*lines, {"stop": "x"}]
    path.write_bytes(data.replace(b'"a"', b'"b"'))
    with pytest.raises(JournalError, match="line 2"):
        journals.read(path)
    for text in (b"", b"\n", b"x" * 100, data[: ends[0] - 5]):
        path.write_bytes(text)
        with pytest.raises(JournalError):
            journals.read(path)


def test_what_cannot_be_written_has_not_happened(cards: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: the answer is refused, nobody sees it, and it can be given again."""
    with serving(tmp_path, cards) as (web, _):
        game = web.begin("tic_tac_toe", "person", "person")
        with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob:

            def full(handle: int) -> None:
                raise OSError(28, "No space left on device")

            with monkeypatch.context() as patch:
                patch.setattr(os, "fdatasync", full)
                assert ann.answer("board_1_1")["code"] == "disk"
            assert "ok" in ann.answer("board_2_2")
            bob.until(lambda each: each.asked)
            assert "board_1_1" in bob.options
        _, _, lines = journals.read(next((tmp_path / "games").glob(f"{game['id']}*")))
        assert [line["c"] for line in lines] == [[1, "board_2_2"]]


def test_games_survive_the_server(cards: str, tmp_path: Path) -> None:
    """They go on where they were, with the same links; one that is damaged is left alone; one of rules that changed says so."""
    rules = tmp_path / "cards.rules"
    rules.write_text(CARDS, encoding="utf-8")
    with serving(tmp_path / "data", str(rules)) as (web, _):
        game, other = web.begin("cards", "person", "person"), web.begin("tic_tac_toe", "person", "person")
        with web.person(game["id"], game["links"]["1"]) as ann:
            ann.answer("draw")
            seen = ann.table
        with web.person(other["id"], other["links"]["1"]) as ann:
            ann.answer("board_3_3")
    damaged = tmp_path / "data" / "games" / f"damaged{SUFFIX}"
    damaged.write_bytes(b"nothing of the kind\n")
    with serving(tmp_path / "data", str(rules)) as (web, _):
        with web.person(game["id"], game["links"]["1"]) as ann:
            assert ann.table == seen
            assert ann.ask(do="propose", what="undo")["ok"] == {"done": False}
        with web.person(other["id"], other["links"]["2"]) as bob:
            assert bob.asked
            assert "board_3_3" not in bob.options
    rules.write_text(CARDS.replace("by 1", "by 2"), encoding="utf-8")
    with serving(tmp_path / "data", str(rules)) as (web, _), web.socket(f"/ws/game/{game['id']}") as line:
        ann = Person(line)
        ann.say(do="join", token=game["links"]["1"])
        with pytest.raises(Exception, match="1008"):
            ann.until(lambda each: False, 5)
        assert "have changed" in ann.raw[-1]
    assert damaged.exists()


def test_old_games_go_to_the_archive(cards: str, tmp_path: Path) -> None:
    """When they are over and nobody looks; the viewer opens them there, and one that was only abandoned comes back when somebody sits down."""
    with serving(tmp_path, cards, Limits(idle=0.05, finished=0.05, abandoned=0.05)) as (web, house):
        over, left = web.begin("tic_tac_toe", "first", "person"), web.begin("tic_tac_toe", "person", "person")
        with web.person(over["id"], over["links"]["2"]) as bob:
            while not bob.over:
                bob.answer()
                bob.until(lambda each: each.asked or each.over)
        end = time.monotonic() + 20
        while house.games and time.monotonic() < end:
            time.sleep(0.05)
        assert {path.stem for path in (tmp_path / "archive").iterdir()} == {over["id"], left["id"]}
        _, lobby = web.ask("/api/lobby")
        assert [each["id"] for each in lobby["archive"]] == [over["id"]]
        with web.person(over["id"], what="view") as eve:
            eve.ask(do="go", to=99)
            eve.until(lambda each: each.over)
        with web.person(left["id"], left["links"]["1"]) as ann:
            ann.answer()


def test_a_folder_belongs_to_one_server(tmp_path: Path) -> None:
    """The second is told to take another."""
    house = House(tmp_path, Catalogue())
    with pytest.raises(HouseError, match="--data"):
        House(tmp_path, Catalogue())
    house.release()
    House(tmp_path, Catalogue()).release()
    (tmp_path / "file").touch()
    with pytest.raises(HouseError, match="cannot keep games"):
        House(tmp_path / "file", Catalogue())


def test_rules_are_named_and_never_a_path(cards: str) -> None:
    """By the names of the catalogue; what is not there, is not there."""
    catalogue = Catalogue(cards)
    assert catalogue.path("cards") == cards
    for name in (cards, "../cards", "/etc/passwd", "rulesets/base", "cards.rules", ""):
        with pytest.raises(CatalogueError):
            catalogue.path(name)
    with pytest.raises(CatalogueError):
        Catalogue("no_such_ruleset")


# -- the command


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An address that is taken, a ruleset that is not there, a folder that is none: exit 2 and a reason."""
    with serving(tmp_path / "one") as (web, _):
        assert main(["serve", "--port", str(web.port), "--data", str(tmp_path / "two")]) == 2
        assert "--port" in capsys.readouterr().err
    assert main(["serve", "no_such_ruleset", "--port", "0", "--data", str(tmp_path / "two")]) == 2
    (tmp_path / "file").touch()
    assert main(["serve", "--port", "0", "--data", str(tmp_path / "file")]) == 2
    assert "is a file" in capsys.readouterr().err


def test_what_is_missing_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to type."""
    monkeypatch.setattr("rulewright_tools.serve.command.find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert "pip install 'rulewright[serve]'" in capsys.readouterr().err
