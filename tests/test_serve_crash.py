"""A server that is killed at any moment: nothing that was acknowledged is lost, and games go on."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from rulewright_tools.serve import journal as journals
from rulewright_tools.serve.journal import SUFFIX
from tests.serving import Web

KILLS = 4
pytestmark = pytest.mark.skipif(os.name != "posix", reason="nobody is killed like that elsewhere")


class Killed:
    """A server in a process of its own, to be killed."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "rulewright_tools", "serve", "--port", "0", "--data", str(folder), "--pace", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"localhost:(\d+)/", said)
        assert found is not None, said
        self.web = Web(int(found[1]))

    def kill(self) -> None:
        """As hard as can be."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def chosen(folder: Path, game: dict[str, Any]) -> list[str]:
    """What the first player has chosen, as it is on disk."""
    _, _, lines = journals.read(folder / "games" / f"{game['id']}{SUFFIX}")
    return [line["c"][1] for line in lines if "c" in line and line["c"][0] == 1]


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Several times, in the middle of answering; each time every acknowledged answer is there, in order, and the game goes on to its end."""
    dice = random.Random(7)
    acknowledged: list[str] = []
    game: dict[str, Any] = {}
    for kill in (True,) * KILLS + (False,):
        server = Killed(tmp_path)
        game = game or server.web.begin("connect_four", "person", "random")
        try:
            with server.web.person(game["id"], game["links"]["1"]) as ann:
                if kill:
                    threading.Timer(dice.uniform(0.01, 0.15), server.kill).start()
                while not ann.over:
                    ann.until(lambda each: each.asked or each.over)
                    if ann.over:
                        break
                    wanted = dice.choice(ann.options)
                    assert "ok" in ann.ask(do="answer", turn=ann.about["turn"], option=wanted)
                    acknowledged.append(wanted)
                    ann.until(lambda each: not each.asked or each.over)
        except (WebSocketException, OSError, TimeoutError):
            assert kill
        server.kill()
        found = chosen(tmp_path, game)
        assert found[: len(acknowledged)] == acknowledged
        assert len(found) <= len(acknowledged) + 1  # one may have been written and not told any more
        acknowledged = found
    assert journals.read(tmp_path / "games" / f"{game['id']}{SUFFIX}")[2][-1].keys() == {"e"}
