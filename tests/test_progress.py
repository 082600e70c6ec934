"""Long work shows progress, on a terminal and nowhere else."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rulewright_tools import progress as module
from rulewright_tools.progress import progress

WORK = """
import sys, time
from rulewright_tools import progress
progress.PATIENCE, progress.PACE = 0.05, 0.02
with progress.progress("eggs \x1b[31m counted") as tell:
    tell(3, 12)
    time.sleep(0.3)
    with progress.progress("something inside") as inner:
        inner.now("never shown")
        time.sleep(0.1)
    tell.now("the last of it")
    time.sleep(0.2)
print("done", file=sys.stderr)
"""


def on_a_terminal(program: str, **environment: str) -> str:
    """What somebody at a terminal gets to see of the error stream."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            read = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        seen += read
    os.close(ours)
    assert process.wait() == 0
    return seen.decode("utf-8")


def test_a_line_that_moves_and_is_gone_afterwards() -> None:
    """Its sign moves by itself, it says what it is told, keeps nothing of a ruleset raw, and leaves an empty line; what is inside of long work has no line of its own."""
    seen = on_a_terminal(WORK)
    shown = [line for line in seen.split("\r\x1b[K") if line]
    signs = {line[0] for line in shown if line[0] in module.SIGNS}
    assert len(signs) > 3
    assert any("3 of 12 eggs" in line for line in shown)
    assert any("the last of it" in line for line in shown)
    assert "never shown" not in seen
    assert "\x1b[31m" not in seen
    assert seen.endswith("\r\x1b[Kdone\r\n")
    assert len(re.findall("done", seen)) == 1


def test_nothing_is_shown_to_pipes_and_poor_terminals() -> None:
    piped = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    assert (piped.stdout, piped.stderr) == ("", "done\n")
    assert on_a_terminal(WORK, TERM="dumb") == "done\r\n"


def test_short_work_shows_nothing() -> None:
    assert on_a_terminal(WORK.replace("0.05, 0.02", "60.0, 0.02")) == "done\r\n"


def test_signs_that_every_terminal_has() -> None:
    seen = on_a_terminal(WORK, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert any(f"{sign} 3 of 12" in seen for sign in module.PLAIN_SIGNS)


def test_what_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is free again, and no thread is left, whatever comes of the work."""
    monkeypatch.setattr(module, "_wanted", lambda: True)
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    begun = time.monotonic()
    there = []

    def work() -> None:
        with progress("work"):
            there.append([thread.name for thread in threading.enumerate()].count("progress"))
            raise KeyError

    for _ in range(3):
        with pytest.raises(KeyError):
            work()
    assert there == [1, 1, 1]
    assert "progress" not in [thread.name for thread in threading.enumerate()]
    assert time.monotonic() - begun < 30


def test_a_command_shows_its_progress(tmp_path: Path) -> None:
    """Scenarios of a ruleset at a terminal: the line is there while they are played, and what is printed is the same as ever."""
    program = "from rulewright_tools import progress; progress.PATIENCE = progress.PACE = 0.01; from rulewright_tools.cli import main; main(['test', 'tic_tac_toe'])"
    assert "files of scenarios of tic_tac_toe played" in on_a_terminal(program)
