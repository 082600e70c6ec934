"""The server when there is much to do: who answers does not wait for what others are shown, or for bots that think; and the command that measures it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright_tools.cli import main
from rulewright_tools.serve import hosted, measure
from rulewright_tools.serve.eyes import Eyes
from rulewright_tools.serve.house import House
from tests.serving import PATIENCE, Web, serving


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Web, House]]:
    """A server of its own: what it does is slowed down here."""
    with serving(tmp_path) as found:
        yield found


class Slow:
    """Something that goes on when it is let."""

    def __init__(self) -> None:
        self.begun, self.let = threading.Event(), threading.Event()

    def wait(self) -> None:
        self.begun.set()
        assert self.let.wait(PATIENCE)


def test_acknowledged_before_anybody_is_shown(both: tuple[Web, House], monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is on disk and acknowledged, and who plays sees it, while the table of who looks on is still being made."""
    web, house = both
    slow, update = Slow(), Eyes.update

    def slowly(self: Eyes, *given: Any) -> str | None:
        if self.seat is None:
            slow.wait()
        return update(self, *given)

    monkeypatch.setattr(Eyes, "update", slowly)
    game = web.begin("tic_tac_toe", "person", "person")
    journal = house.game(game["id"]).journal
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob, web.person(game["id"]) as eve:
        ann.answer("board_2_2")
        assert slow.begun.wait(PATIENCE)
        assert b'"board_2_2"' in journal.path.read_bytes()
        bob.until(lambda each: each.asked)
        assert "members" not in eve.table["places"]["board_2_2"]
        slow.let.set()
        assert "ok" in bob.answer("board_1_1")
        eve.until(lambda each: "members" in each.table["places"]["board_1_1"])
        assert eve.table["places"]["board_2_2"]["members"] == ann.table["places"]["board_2_2"]["members"]


def test_a_bot_thinks_about_a_copy(both: tuple[Web, House], monkeypatch: pytest.MonkeyPatch) -> None:
    """While a bot thinks its game can be looked at, and taken back; what it comes to is dropped if the game has gone on."""
    web, house = both
    slow = Slow()

    class Thinker:
        def choose(self, game: Any, decision: Any) -> str:
            slow.wait()
            return str(decision.options[-1].id)

    monkeypatch.setattr(hosted, "make_bot", lambda name, seed: Thinker())
    game = web.begin("tic_tac_toe", "person", "mcts:40")
    with web.person(game["id"], game["links"]["1"]) as ann:
        ann.answer("board_2_2")
        assert slow.begun.wait(PATIENCE)
        assert ann.ask(do="why_not", thing="board_2_2")["ok"] is not None
        assert ann.ask(do="propose", what="undo")["ok"] == {"done": True}
        ann.until(lambda each: each.asked)
        slow.let.set()
        while house.game(game["id"])._playing is not None:
            time.sleep(0.01)
        assert house.game(game["id"]).record.made == []
        ann.answer("board_1_1")
        ann.until(lambda each: each.asked)
        assert [player for player, _ in house.game(game["id"]).record.made] == [1, 2]
        assert house.game(game["id"]).record.made[0] == (1, "board_1_1")


def test_who_goes_away_in_the_middle_of_an_answer(both: tuple[Web, House], monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is made whole, and the others see it."""
    web, house = both
    slow, take = Slow(), hosted.HostedGame.take

    def slowly(self: hosted.HostedGame, *given: Any) -> None:
        slow.wait()
        take(self, *given)

    monkeypatch.setattr(hosted.HostedGame, "take", slowly)
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["2"]) as bob:
        with web.person(game["id"], game["links"]["1"]) as ann:
            ann.until(lambda each: each.asked)
            ann.say(do="answer", turn=0, option="board_2_2")
            assert slow.begun.wait(PATIENCE)
        slow.let.set()
        bob.until(lambda each: each.asked and not each.about["seats"]["1"]["here"])
        assert house.game(game["id"]).record.made == [(1, "board_2_2")]
        assert "ok" in bob.answer("board_1_1")


@pytest.mark.slow
def test_measure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A small run of `serve --measure`: people answer, their tables show it, and every figure is one."""
    monkeypatch.setattr(measure, "THOUGHT", (0.05, 0.1))
    assert main(["serve", "tic_tac_toe", "--measure", "--games", "3", "--connections", "8", "--seconds", "3"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 games of tic_tac_toe at once, each with one person and 1 bot; 8 connections;")
    figures = {
        line[:24].strip(): [float(each) for each in re.findall(r"\d+(?:\.\d+)?", line[24:].replace(",", ""))] for line in said.splitlines()[1:-1]
    }
    assert figures["answers acknowledged"][0] >= 3
    assert figures["answers acknowledged"][2:4] == [0, 0], "none refused, no connection lost"
    assert 0 < figures["an answer took"][3] < 20_000
    assert figures["until it was shown"][0] >= figures["an answer took"][0] / 2
    begun, played, choices, eyes = figures["memory of a game"]
    assert 0 < begun < played
    assert eyes > 0
    assert choices >= 5
    assert 0 < figures["of one nobody looks at"][0] < played
    assert figures["on disk"][0] > 300
    assert main(["serve", "no_such_ruleset", "--measure"]) != 0
