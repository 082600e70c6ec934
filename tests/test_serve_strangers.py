"""The server and whoever may reach it: what is not theirs is refused, what is no message ends the connection, what is too much is too much; and no other game notices."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rulewright_tools.serve.app import is_own, own_names
from rulewright_tools.serve.connection import Line
from rulewright_tools.serve.house import House
from rulewright_tools.serve.limits import Limits, Rate
from tests.serving import PATIENCE, Person, Web, serving

LIMITS = Limits(
    messages_a_second=5, messages_at_once=20, silence=0.6, patience=1.0, choices=60, ruleset=3_000, ruleset_seconds=25, request=5_000, sending=0.8
)

# Rules that never end: one option never comes back, another goes on for ever with nobody but bots; and the beginning may hang, too.
ENDLESS = """\
ruleset endless "Endless" for 2 players

kind player:
    coins: number

phase play:
    repeat:
        for each player in players ordered by seat:
            player chooses one:
                "Go on": increase player.coins by 1
                "Never come back": for_ever(player)

effect for_ever(who: player):
    repeat: increase who.coins by 1
"""

# As many things as make a long message, and a label that is no markup.
CROWD = """\
ruleset crowd "<b>Crowd</b><script>alert(1)</script>" for 2 players

kind piece
place yard: an area of piece
piece pebble "<img src=x onerror=alert(2)> & 'so' \\"on\\"" x1500 in yard

phase play:
    repeat:
        for each player in players ordered by seat:
            player chooses target: a piece in yard
            log "{player} takes {target} <svg onload=alert(3)>."
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, House]]:
    """A server with narrow limits that takes rulesets."""
    rules = tmp_path_factory.mktemp("rules") / "endless.rules"
    rules.write_text(ENDLESS, encoding="utf-8")
    with serving(tmp_path_factory.mktemp("games"), str(rules), LIMITS, uploads=True) as found:
        yield found


@pytest.fixture
def web(both: tuple[Web, House]) -> Iterator[Web]:
    """Requests to it. Beside whatever happens another game is played to its end."""
    web = both[0]
    game = web.begin("tic_tac_toe", "person", "first")
    with web.person(game["id"], game["links"]["1"]) as ann:
        yield web
        while not ann.over:
            time.sleep(0.2)  # within the limits
            assert "ok" in ann.answer(-1)
            ann.until(lambda each: each.asked or each.over)


def ends_with(line: Any, code: str) -> None:
    """A connection ends, and the last message says why."""
    last, closed = everything(line)
    assert json.loads(last)["code"] == code, last
    assert closed is not None
    assert closed.code == 1008


def everything(line: Any) -> tuple[str, Any]:
    """The last message before a connection ends, and how it ends."""
    last = ""
    try:
        while True:
            last = line.recv(timeout=10)
    except ConnectionClosed as closed:
        return last, closed.rcvd


# -- not theirs


def test_a_wrong_link(web: Web) -> None:
    """One that was never right, one of another game, one that was replaced: each is told which."""
    game, other = web.begin("tic_tac_toe", "person", "person"), web.begin("tic_tac_toe", "person", "person")
    for token in ("x", "x" * 190, other["links"]["1"], game["host"], game["links"]["1"][:-1]):
        with web.socket(f"/ws/game/{game['id']}") as line:
            person = Person(line)
            assert person.refused(do="join", token=token) == "token"
            with pytest.raises(ConnectionClosed):
                person.hear()
            assert not person.seen
    web.ask(f"/api/games/{game['id']}/link", {"seat": 1}, secret=game["host"])
    with web.socket(f"/ws/game/{game['id']}") as line:
        assert "replaced" in Person(line).ask(do="join", token=game["links"]["1"])["refused"]


def test_no_such_game(web: Web) -> None:
    """Whatever the address says, also a path."""
    for id in ("nothing_here", "%2e%2e", "%00", "x" * 300):
        with web.socket(f"/ws/game/{id}") as line:
            ends_with(line, "no_game")
    assert web.ask("/api/games/nothing_here")[0] == 404
    with web.socket("/ws/view/nothing_here") as line:
        assert Person(line).refused(do="join") == "no_game"


def test_what_somebody_else_has_to_decide(web: Web) -> None:
    """Neither the other player nor who watches answers; nor does anybody twice; what is not offered cannot be chosen."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"], game["links"]["1"]) as ann, web.person(game["id"], game["links"]["2"]) as bob, web.person(game["id"]) as eve:
        turn = ann.about["turn"]
        assert "turn" not in bob.about
        assert "options" not in bob.table["decision"]
        assert bob.refused(do="answer", turn=turn, option="board_1_1") == "not_yours"
        assert eve.refused(do="answer", turn=turn, option="board_1_1") == "spectator"
        assert eve.refused(do="propose", what="undo") == "spectator"
        assert ann.refused(do="answer", turn=turn, option="board_9_9") == "illegal"
        assert ann.refused(do="answer", turn=turn + 1, option="board_1_1") == "late"
        first, second = ann.say(do="answer", turn=turn, option="board_1_1"), ann.say(do="answer", turn=turn, option="board_1_2")
        while second not in ann._answers:
            ann.hear()
        assert "ok" in ann._answers[first]
        assert ann._answers[second]["code"] in ("late", "not_yours")
        bob.until(lambda each: each.asked)
        assert "board_1_2" in bob.options
        assert eve.refused(do="consent", number=1, agrees=True) == "late"


# -- no messages


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "{}",
        '{"do": "join"}',
        '{"do": "join", "ask": -1}',
        '{"do": "join", "ask": 1, "token": 7}',
        '{"do": "join", "ask": 1, "extra": true}',
        '{"do": "dance", "ask": 1}',
        '{"do": "join", "ask": 1e99}',
        '{"do": "join", "ask": 1, "token": "' + "x" * 1000 + '"}',
        "[" * 2000,
        '{"do": "join", "ask": 1, "token": "\\ud800"}',
        b"\xff\xfe\x00",
        '{"do": "answer", "ask": 1, "turn": 0, "option": "x"}',
    ],
)
def test_what_is_no_message(web: Web, text: str | bytes) -> None:
    """It ends the connection, with a reason."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.socket(f"/ws/game/{game['id']}") as line:
        line.send(text)
        first = json.loads(line.recv(timeout=10))
        assert first == {"v": 1}
        last = json.loads(line.recv(timeout=10))
        assert last["code"] in ("malformed", "order", "token"), last
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=10)


def test_huge_messages(web: Web) -> None:
    """Too long is refused; far too long is not even read."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"]) as eve:
        eve.line.send(" " * (LIMITS.message + 1))
        ends_with(eve.line, "size")
    with web.person(game["id"]) as eve:
        with contextlib.suppress(ConnectionClosed):
            eve.line.send("x" * 10_000_000)
        _, closed = everything(eve.line)
        assert closed is None or closed.code == 1009


def test_too_many_messages(web: Web) -> None:
    """Somebody who never stops asking is let go."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.person(game["id"]) as eve:
        for number in range(100):
            eve.line.send(json.dumps({"do": "story", "ask": number + 10, "before": 3}))
        ends_with(eve.line, "rate")


def test_nothing_is_said(web: Web) -> None:
    """A connection on which nobody says who they are ends by itself; a second 'join' ends it, too."""
    game = web.begin("tic_tac_toe", "person", "person")
    with web.socket(f"/ws/game/{game['id']}") as line:
        ends_with(line, "silence")
    with web.person(game["id"]) as eve:
        eve.say(do="join")
        ends_with(eve.line, "order")


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: loc", b"\x16\x03\x01\x02\x00\x01\x00"], ids=["nothing", "half a request", "something else"]
)
def test_half_a_request(web: Web, sent: bytes) -> None:
    """Who connects and asks for nothing is let go; who has asked may stay."""
    with socket.create_connection(("127.0.0.1", web.port)) as silent, socket.create_connection(("127.0.0.1", web.port)) as asks:
        asks.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n")
        asks.settimeout(PATIENCE)
        assert asks.recv(15) == b"HTTP/1.1 200 OK"
        silent.sendall(sent)
        silent.settimeout(PATIENCE)
        while silent.recv(1000):
            pass  # until the server closes; a refusal may come first
        asks.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n\r\n")


def test_a_request_that_takes_too_long(web: Web) -> None:
    """A body that never comes to its end is refused."""
    with socket.create_connection(("127.0.0.1", web.port)) as slow:
        slow.settimeout(PATIENCE)
        slow.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
        assert b" 408 " in slow.recv(30)


def test_rate() -> None:
    """So many at once, then so many a second."""
    rate = Rate(2, 3, 100.0)
    assert [rate.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [rate.take(101.0) for _ in range(3)] == [True, True, False]


# -- from elsewhere


def test_pages_of_other_servers(web: Web) -> None:
    """They open no connection and change nothing, and neither does a page that calls this server by a name of its own."""
    game = web.begin("tic_tac_toe", "person", "person")
    for origin in ("http://example.org", "https://127.0.0.1.example.org", "null", f"http://127.0.0.1:{web.port + 1}"):
        with pytest.raises(InvalidStatus, match="403"), web.socket(f"/ws/game/{game['id']}", origin=origin):
            pass
        assert web.ask("/api/games", {"ruleset": "tic_tac_toe", "seats": []}, headers={"Origin": origin})[0] == 403
    assert web.ask("/api/lobby", headers={"Host": "example.org"})[0] == 403
    with web.socket(f"/ws/game/{game['id']}", origin=f"http://127.0.0.1:{web.port}") as line:
        assert "ok" in Person(line).ask(do="join")


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("localhost:8420", True),
        ("127.0.0.1", True),
        ("[::1]:80", True),
        ("192.168.1.7:8420", True),
        ("play.example.org", True),
        ("example.org", False),
        ("localhost.example.org", False),
        ("", False),
        ("[::", False),
    ],
)
def test_own_names(host: str, own: bool) -> None:
    """Addresses in numbers, names of this machine, and those that were given."""
    assert is_own(host, own_names(["play.example.org"])) == own


def test_headers(web: Web) -> None:
    """The page loads nothing from elsewhere, and is shown in no frame; files outside of its folder are not there."""
    from urllib.request import urlopen

    with urlopen(f"{web.address}/") as page:
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert page.headers["X-Content-Type-Options"] == "nosniff"
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/vendor/README.md", "/static//etc/passwd", "/static/nothing.js", "/nothing"):
        assert web.ask(path)[0] == 404


# -- requests


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ruleset": "no_such"}, "wrong"),
        ({"ruleset": "/etc/passwd"}, "wrong"),
        ({"ruleset": 7}, "malformed"),
        ({"layers": ["../x"]}, "wrong"),
        ({"layers": "flares"}, "malformed"),
        ({"layers": ["flares"]}, "wrong"),
        ({"options": {"no_such": "x"}}, "wrong"),
        ({"options": []}, "malformed"),
        ({"seats": []}, "players"),
        ({"seats": [{"kind": "person"}] * 3}, "players"),
        ({"seats": [{"kind": "person"}] * 100}, "wrong"),
        ({"seats": [{"kind": "king"}] * 2}, "wrong"),
        ({"seats": [{"kind": "bot", "bot": "mcts:1000000"}] * 2}, "wrong"),
        ({"seats": "two"}, "wrong"),
        ({"seed": -1}, "malformed"),
        ({"seed": "x"}, "malformed"),
        ({"replay": "nothing_here"}, "no_game"),
    ],
)
def test_games_that_cannot_be(web: Web, change: dict[str, Any], code: str) -> None:
    """Each with its reason, and nothing is begun."""
    _, before = web.ask("/api/lobby")
    status, found = web.ask("/api/games", {"ruleset": "tic_tac_toe", "seats": [{"kind": "person"}] * 2, **change})
    assert (400 <= status < 500, found["code"]) == (True, code), found
    assert len(web.ask("/api/lobby")[1]["games"]) == len(before["games"])


def test_requests_that_are_none(web: Web) -> None:
    """No JSON, the wrong JSON, far too much of it."""
    for raw in (b"", b"x", b"[]", b"[" * 4000, b"\xff"):
        assert web.ask("/api/games", raw=raw)[1]["code"] == "malformed"
    assert web.ask("/api/games", raw=b" " * (LIMITS.request + 1))[0] == 413
    assert web.ask("/api/games")[0] == 405


def test_replays_that_are_none(web: Web) -> None:
    """Not JSON, something else, rules by a path, choices that cannot be made."""
    game = web.begin("tic_tac_toe", "first", "first")
    with web.person(game["id"]) as eve:
        eve.until(lambda each: each.over)
    replay = web.ask(f"/api/games/{game['id']}/replay")[1]
    about = replay["ruleset"]
    wrong: list[Any] = [
        [],
        {"format": "rulewright save"},
        {**replay, "format_version": 99},
        {**replay, "players": 7},
        {**replay, "choices": [[1, "board_9_9"]]},
        {**replay, "choices": [[2, "board_1_1"]]},
        {**replay, "choices": [[1, "board_1_1"]] * 100},
        {**replay, "chance": "ask"},
        {**replay, "ruleset": {**about, "target": "/etc/passwd"}},
        {**replay, "ruleset": {**about, "added": ["./x.rules"]}},
        {**replay, "ruleset": {**about, "fingerprint": "0" * 64}},
    ]
    for data in wrong:
        status, found = web.ask("/api/replays", raw=json.dumps(data).encode())
        assert (status in (400, 413), "refused" in found) == (True, True), found
    assert web.ask("/api/replays", raw=b"no JSON")[0] == 400
    assert web.ask("/api/replays", raw=json.dumps(replay).encode())[0] == 200


# -- rules


def test_rules_that_never_end(web: Web) -> None:
    """What never comes back is refused, with the reason, and the game is as it was; what goes on for ever is stopped, and told."""
    game = web.begin("endless", "person", "first")
    with web.person(game["id"], game["links"]["1"]) as ann:
        turn = ann.about["turn"]
        refused = ann.ask(do="answer", turn=turn, option="never_come_back")
        assert refused["code"] == "rules"
        assert "for_ever" in refused["refused"]
        assert ann.about["turn"] == turn
        assert "ok" in ann.answer("go_on")
    bots = web.begin("endless", "first", "first")
    with web.person(bots["id"]) as eve:
        eve.until(lambda each: "stopped" in each.about)
        assert f"{LIMITS.choices} decisions" in eve.about["stopped"]
    with web.person(bots["id"], what="view") as eve:
        assert eve.about["total"] == LIMITS.choices


def test_a_bot_that_runs_into_it(tmp_path: Path) -> None:
    """A game that no rule can carry on is stopped, and says why."""
    rules = tmp_path / "endless.rules"
    rules.write_text(ENDLESS.replace('"Go on": increase player.coins by 1\n                ', ""), encoding="utf-8")
    with serving(tmp_path / "games", str(rules)) as (web, _):
        game = web.begin("endless", "person", "first")
        with web.person(game["id"]) as eve:
            assert "stopped" not in eve.about
        game = web.begin("endless", "first", "person")
        with web.person(game["id"]) as eve:
            eve.until(lambda each: "stopped" in each.about)
            assert "The rules cannot carry this out" in eve.about["stopped"]


def test_no_rulesets_unless_allowed(tmp_path: Path) -> None:
    """It is off."""
    with serving(tmp_path) as (web, _):
        status, found = web.ask("/api/rulesets", raw=ENDLESS.encode())
        assert (status, found["code"]) == (403, "uploads")
        assert web.ask("/api/lobby")[1]["uploads"] is False


@pytest.mark.slow
def test_uploaded_rulesets(web: Web, both: tuple[Web, House]) -> None:
    """Small, alone, right, and playable within bounds; each that is not is refused with what is wrong, and leaves nothing behind."""
    status, found = web.ask("/api/rulesets", raw=ENDLESS.encode())
    assert status == 200, found
    assert web.begin(found["name"], "person", "first")["id"]
    layer = b'layer corners over tic_tac_toe "Nobody begins in the middle"\n'
    refused = {
        b"\xff\xfe": "text",
        b"x" * (LIMITS.ruleset + 1): "too large",
        ENDLESS.replace("increase", "increse").encode(): "did you mean",
        ENDLESS.replace('chooses one:\n                "Go on"', 'chooses one:\n                "Go"')
        .replace("repeat:\n        for", "for_ever(the player where seat = 1)\n    repeat:\n        for")
        .encode(): "for_ever",
        b'layer x over "/etc" "X"\n': "not by a path",
        b'layer x over no_such "X"\n': "no_such",
        layer.replace(b"over tic_tac_toe", b"over common"): "",
    }
    for text, why in refused.items():
        status, answer = web.ask("/api/rulesets", raw=text)
        assert status in (400, 413), (text, answer)
        assert why in answer["refused"], answer
        assert str(both[1].folder) not in answer["refused"]
    assert len(list(both[1].path("rulesets").iterdir())) == 1
    rule = b"\ninstead of turn(who) when every cell in board is empty:\n    who chooses target: an empty cell in board where not (row = 2 and column = 2)\n    move a mark from who.marks to target\n"
    status, found = web.ask("/api/rulesets", raw=layer + rule)
    assert status == 200, found
    game = web.begin(found["name"], "person", "first")
    with web.person(game["id"], game["links"]["1"]) as ann:
        assert "board_2_2" not in ann.options


# -- slow, and full of markup


def test_somebody_who_never_reads(tmp_path: Path) -> None:
    """They are let go after a while; meanwhile the others play."""
    rules = tmp_path / "crowd.rules"
    rules.write_text(CROWD, encoding="utf-8")
    with serving(tmp_path / "games", str(rules), Limits(patience=0.7), buffer=4096) as (web, house):
        game = web.begin("crowd", "person", "first")
        with web.person(game["id"], game["links"]["1"]) as ann, socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.connect(("127.0.0.1", web.port))
            deaf.sendall(
                f"GET /ws/game/{game['id']} HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += deaf.recv(64)
            said = json.dumps({"do": "join", "ask": 1}).encode()
            deaf.sendall(bytes([0x81, 0x80 | len(said), 0, 0, 0, 0]) + said)
            ann.until(lambda each: each.about["watching"] == 1)
            began = time.monotonic()
            while ann.about["watching"]:
                assert "ok" in ann.answer()
                assert time.monotonic() - began < 20
            assert house.connections == 1
        label = ann.table["things"]["pebble.1"]["label"]
        assert label == "<img src=x onerror=alert(2)> & 'so' \"on\""


def test_a_line_that_is_not_read() -> None:
    """What waits for somebody is bounded, however much there is to tell."""

    class Deaf:
        async def send_text(self, text: str) -> None:
            await asyncio.sleep(3600)

    async def run() -> None:
        line = Line(Deaf(), Limits(patience=0.05))  # type: ignore[arg-type]
        for number in range(1000):
            line.put(str(number))
            if line.closing is not None:
                break
        assert line.behind < 100
        with pytest.raises(TimeoutError):
            await line.run()

    asyncio.run(run())


@pytest.mark.slow
def test_limits_of_a_house(tmp_path: Path) -> None:
    """So many games, so many connections, so many a minute."""
    checks: list[tuple[Limits, Callable[[Web], Any]]] = [
        (Limits(games=1), lambda web: web.ask("/api/games", {"ruleset": "tic_tac_toe", "seats": [{"kind": "person"}] * 2})[1]["code"] == "full"),
        (Limits(games_a_minute=1), lambda web: web.ask("/api/games", {"ruleset": "tic_tac_toe", "seats": [{"kind": "person"}] * 2})[0] == 429),
    ]
    for number, (limits, holds) in enumerate(checks):
        with serving(tmp_path / str(number), limits=limits) as (web, _):
            web.begin("tic_tac_toe", "person", "person")
            assert holds(web)
    with serving(tmp_path / "c", limits=Limits(connections=1)) as (web, _):
        game = web.begin("tic_tac_toe", "person", "person")
        with web.person(game["id"]), web.socket(f"/ws/game/{game['id']}") as line:
            ends_with(line, "full")
    with serving(tmp_path / "g", limits=Limits(connections_of_a_game=1)) as (web, _):
        game = web.begin("tic_tac_toe", "person", "person")
        with web.person(game["id"]), web.socket(f"/ws/game/{game['id']}") as line:
            assert Person(line).refused(do="join") == "full"
