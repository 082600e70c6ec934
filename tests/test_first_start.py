"""The first start from a clone: what it says, and that it recovers from whatever happens to it. The scripts are the real ones, pip is
not: it would take long, and need the network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATIENCE = 300  # seconds: the machine may be busy
INSTALLING = "Installing rulewright into .venv (log: .venv/install.log) ...\n"
WAITING = "Waiting for another start, which is installing rulewright into .venv ...\n"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the scripts are for a shell")

# What stands in for the module venv: an environment with a Python and nothing in it.
VENV = """\
import os, sys
os.makedirs(os.path.join(sys.argv[1], "bin"), exist_ok=True)
os.symlink(sys.executable, os.path.join(sys.argv[1], "bin", "python"))
"""
# What stands in for pip: it notes that it was asked, waits while there is a file `wait`, fails if there is a file `fail`, and says more than anybody wants to know.
PIP = """\
import os, sys, time
if sys.argv[1] == "--version":
    sys.exit()
clone, _, extra = sys.argv[-1].partition("[")
with open(os.path.join(clone, "builds"), "a") as builds:
    builds.write(f"{os.getppid()}\\n")
print("Looking in indexes ...", flush=True)
while os.path.exists(os.path.join(clone, "wait")):
    time.sleep(0.02)
if os.path.exists(os.path.join(clone, "fail")) or (extra and os.path.exists(os.path.join(clone, "fail_extra"))):
    sys.exit("ERROR: this cannot be built")
script = os.path.join(os.path.dirname(sys.executable), "rulewright")
with open(script, "w") as stream:
    stream.write("#!/bin/sh\\necho played\\n")
os.chmod(script, 0o755)
print("Successfully installed rulewright-1")
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with the real scripts and hardly more; there are blanks in its path."""
    clone = tmp_path / "a clone"
    for folder in ("tools", "stand_ins"):
        (clone / folder).mkdir(parents=True)
    for name in ("rulewright", "venv.sh", "prepare-venv"):
        shutil.copy(ROOT / "tools" / name, clone / "tools" / name)
    (clone / "pyproject.toml").write_text("[project]\n")
    (clone / "stand_ins" / "venv.py").write_text(VENV)
    (clone / "stand_ins" / "pip.py").write_text(PIP)
    return clone


def surroundings(clone: Path) -> dict[str, str]:
    return {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(clone / "stand_ins"), "TERM": "xterm"}


def begin(clone: Path, *arguments: str) -> subprocess.Popen[str]:
    """A start, in a group of processes of its own."""
    return subprocess.Popen(
        [clone / "tools" / "rulewright", *arguments],
        env=surroundings(clone),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # whoever runs the tests in the background ignores it
    )


def end(start: subprocess.Popen[str]) -> tuple[int, str, str]:
    """The exit code, and what was said on both streams."""
    out, err = start.communicate(timeout=PATIENCE)
    return start.returncode, out, err


def until(what: Callable[[], object]) -> None:
    """Wait for something."""
    began = time.monotonic()
    while not what():
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.05)


def builds(clone: Path) -> int:
    return (clone / "builds").read_text().count("\n") if (clone / "builds").exists() else 0


def test_one_line_is_said_and_the_rest_is_in_the_log(clone: Path) -> None:
    """The second start says nothing; a change of the project is installed, and again one line is said."""
    assert end(begin(clone)) == (0, "played\n", INSTALLING)
    log = (clone / ".venv" / "install.log").read_text()
    assert "Successfully installed rulewright-1" in log
    assert end(begin(clone)) == (0, "played\n", "")
    assert builds(clone) == 1
    with open(clone / "pyproject.toml", "a") as project:
        project.write("# changed\n")
    assert end(begin(clone)) == (0, "played\n", INSTALLING)
    assert end(begin(clone)) == (0, "played\n", "")


def test_a_command_that_needs_more_installs_it_once(clone: Path) -> None:
    """At its first start, with one line; whoever does not use it never waits for it, and where it cannot be had the command is started all the same."""
    assert end(begin(clone)) == (0, "played\n", INSTALLING)
    (clone / "fail_extra").touch()
    code, out, err = end(begin(clone, "play", "x"))
    assert (code, out) == (0, "played\n")
    assert err.startswith(
        "Installing what 'play' needs into .venv (log: .venv/install.log) ...\nCould not install rulewright into .venv: pip does not succeed\n"
    )
    (clone / "fail_extra").unlink()
    assert end(begin(clone, "play", "x")) == (0, "played\n", INSTALLING.replace("rulewright", "what 'play' needs"))
    assert end(begin(clone, "play", "x")) == (0, "played\n", "")
    assert end(begin(clone)) == (0, "played\n", "")
    assert builds(clone) == 3


def test_on_a_terminal_a_sign_moves(clone: Path) -> None:
    """The line is written again and again, and says at the end how long it took."""
    import pty

    us, them = pty.openpty()
    (clone / "wait").touch()
    start = subprocess.Popen(
        [clone / "tools" / "rulewright"], env=surroundings(clone), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=them
    )
    os.close(them)
    shown = b""
    try:
        while more := os.read(us, 4096):
            shown += more
            if shown.count(b"\r") > 5:
                (clone / "wait").unlink(missing_ok=True)
    except OSError:  # it has gone
        pass
    os.close(us)
    assert start.wait(PATIENCE) == 0
    lines = shown.decode().replace("\r\n", "").split("\r")
    doing = INSTALLING.removesuffix(" ...\n")
    assert all(line.startswith(doing) for line in lines)
    assert {line.removeprefix(doing)[1] for line in lines[1:-1]} == set("|/-\\")
    assert "done after" in lines[-1]


@pytest.mark.parametrize("what", ["everything", "all but pip"])
def test_a_start_that_was_killed_is_begun_again_from_nothing(clone: Path, what: str) -> None:
    """pip cannot tell what is missing where it was killed. Where it goes on alone, it is waited for."""
    (clone / "wait").touch()
    first = begin(clone)
    until(lambda: builds(clone) == 1)
    (clone / ".venv" / "half").touch()
    if what == "everything":
        os.killpg(first.pid, signal.SIGKILL)
    else:
        os.kill(first.pid, signal.SIGKILL)
        os.kill(int((clone / "builds").read_text()), signal.SIGKILL)
    first.wait(PATIENCE)
    second = begin(clone)
    if what == "all but pip":
        assert second.stderr is not None
        assert second.stderr.readline() == WAITING
        assert builds(clone) == 1
    (clone / "wait").unlink()
    assert end(second) == (0, "played\n", INSTALLING)
    assert builds(clone) == 2
    assert not (clone / ".venv" / "half").exists()
    if first.stdout is not None and first.stderr is not None:
        first.stdout.close()
        first.stderr.close()


def test_an_interrupted_start_says_so(clone: Path) -> None:
    """Without a traceback; the next one begins anew."""
    (clone / "wait").touch()
    first = begin(clone)
    until(lambda: builds(clone) == 1)
    os.killpg(first.pid, signal.SIGINT)
    code, _, err = end(first)
    assert code == 130
    assert err == INSTALLING + "Interrupted; the next start begins .venv anew.\n"
    (clone / "wait").unlink()
    assert end(begin(clone)) == (0, "played\n", INSTALLING)


def test_of_two_at_once_one_waits_for_the_other(clone: Path) -> None:
    """And then has nothing left to do."""
    (clone / "wait").touch()
    first = begin(clone)
    until(lambda: builds(clone) == 1)
    second = begin(clone)
    assert second.stderr is not None
    assert second.stderr.readline() == WAITING
    (clone / "wait").unlink()
    assert end(first) == (0, "played\n", INSTALLING)
    assert end(second) == (0, "played\n", "")
    assert builds(clone) == 1


def test_what_does_not_work_is_told_briefly(clone: Path) -> None:
    """The end of the log, and where all of it is; no traceback of ours. When the reason has gone, so has the failure."""
    (clone / "fail").touch()
    code, out, err = end(begin(clone))
    assert (code, out) == (2, "")
    assert err.startswith(INSTALLING + "Could not install rulewright into .venv: pip does not succeed\n  ")
    assert err.endswith(f"The whole of it is in {clone / '.venv' / 'install.log'}.\n")
    assert "this cannot be built" in (clone / ".venv" / "install.log").read_text()
    (clone / "fail").unlink()
    assert end(begin(clone)) == (0, "played\n", INSTALLING)


def test_an_old_python_is_refused(clone: Path, tmp_path: Path) -> None:
    """With what to do about it."""
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run([clone / "tools" / "rulewright"], env={**os.environ, "PYTHON": str(old)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"rulewright needs Python 3.11 or later; '{old}' is not (set PYTHON to one that is).\n")
