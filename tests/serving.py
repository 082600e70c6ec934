"""A server for tests, in a thread of its own, and people who talk to it over real sockets."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from rulewright_tools.serve.catalogue import Catalogue
from rulewright_tools.serve.command import make_server
from rulewright_tools.serve.house import House
from rulewright_tools.serve.limits import Limits
from rulewright_tools.table import apply

PATIENCE = 30.0


class Web:
    """Requests to a server at a port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"

    def ask(
        self, path: str, data: Any = None, *, secret: str = "", headers: dict[str, str] | None = None, raw: bytes | None = None
    ) -> tuple[int, Any]:
        """The status of an answer, and what it says."""
        body = raw if raw is not None else None if data is None else json.dumps(data).encode()
        given = {"Content-Type": "application/json", **({"Authorization": f"Bearer {secret}"} if secret else {}), **(headers or {})}
        try:
            with urlopen(Request(f"{self.address}{path}", body, given), timeout=PATIENCE) as answer:
                return answer.status, _json(answer.read())
        except HTTPError as error:
            return error.code, _json(error.read())

    def begin(self, ruleset: str, *seats: str, **more: Any) -> dict[str, Any]:
        """A new game; a seat is `person`, `open`, or the name of a bot."""
        wanted = [{"kind": seat} if seat in ("person", "open") else {"kind": "bot", "bot": seat} for seat in seats]
        status, found = self.ask("/api/games", {"ruleset": ruleset, "seats": wanted, "seed": 5, **more})
        assert status == 200, found
        return dict(found)

    def socket(self, path: str, **more: Any) -> contextlib.AbstractContextManager[ClientConnection]:
        """A connection on which nothing has been said yet."""
        made: contextlib.AbstractContextManager[ClientConnection] = connect(
            f"ws://127.0.0.1:{self.port}{path}", max_size=None, open_timeout=PATIENCE, **more
        )
        return made

    @contextlib.contextmanager
    def person(self, id: str, token: str = "", what: str = "game") -> Iterator[Person]:
        """Somebody who joins, and leaves in the end."""
        with self.socket(f"/ws/{what}/{id}") as line:
            person = Person(line)
            person.ask(do="join", token=token)
            yield person


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode(errors="replace")


class Person:
    """Somebody at a connection: what they see, and what they do."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.seen: dict[str, Any] = {}
        self.raw: list[str] = []
        self._at = self._asked = 0
        self._answers: dict[int, dict[str, Any]] = {}

    def hear(self, patience: float = PATIENCE) -> None:
        """One message."""
        text = self.line.recv(timeout=patience)
        assert isinstance(text, str)
        self.raw.append(text)
        message = json.loads(text)
        if "whole" in message:
            self.seen, self._at = message["whole"], message["n"]
        elif "patch" in message:
            assert message["of"] == self._at, "a difference to something else"
            assert message["patch"], "a difference that is none"
            self.seen, self._at = apply(self.seen, message["patch"]), message["n"]
        elif "to" in message:
            self._answers[message["to"]] = message

    def say(self, **request: Any) -> int:
        """Ask for something, without waiting for an answer."""
        self._asked += 1
        self.line.send(json.dumps({"ask": self._asked, **request}))
        return self._asked

    def ask(self, **request: Any) -> dict[str, Any]:
        """Ask for something; the answer."""
        number = self.say(**request)
        while number not in self._answers:
            self.hear()
        return self._answers.pop(number)

    def refused(self, **request: Any) -> str:
        """The code with which something is refused."""
        return str(self.ask(**request).get("code"))

    def until(self, holds: Any, patience: float = PATIENCE) -> None:
        """Listen until something holds of what is seen."""
        end = time.monotonic() + patience
        while not (self.seen and holds(self)):
            assert time.monotonic() < end, f"never: {self.about}"
            with contextlib.suppress(TimeoutError):
                self.hear(0.5)

    @property
    def about(self) -> dict[str, Any]:
        """What is said besides the table."""
        found: dict[str, Any] = self.seen["about"]
        return found

    @property
    def table(self) -> dict[str, Any]:
        """The table."""
        found: dict[str, Any] = self.seen["table"]
        return found

    @property
    def asked(self) -> bool:
        """Whether they have to decide."""
        return "turn" in self.about

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.table.get("over")) or "stopped" in self.about

    @property
    def options(self) -> list[str]:
        """The ids of what they may choose."""
        return [option["id"] for option in self.table["decision"]["options"]]

    def answer(self, option: str | int = 0) -> dict[str, Any]:
        """Decide, when they are asked."""
        self.until(lambda person: person.asked)
        wanted = self.options[option] if isinstance(option, int) else option
        turn = self.about["turn"]
        answer = self.ask(do="answer", turn=turn, option=wanted)
        if "ok" in answer:
            self.until(lambda person: person.about.get("turn") != turn or person.over)
        return answer


@contextlib.contextmanager
def serving(
    folder: Path,
    named: str | None = None,
    limits: Limits | None = None,
    *,
    pace: float = 0,
    uploads: bool = False,
    buffer: int = 0,
    names: Sequence[str] = (),
) -> Iterator[tuple[Web, House]]:
    """A server with its games in a folder."""
    listening = socket.socket()
    if buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
    listening.bind(("127.0.0.1", 0))
    listening.listen(256)
    house = House(folder, Catalogue(named, folder / "rulesets"), limits, pace=pace, uploads=uploads)
    server = make_server(house, names)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Web(listening.getsockname()[1]), house
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
