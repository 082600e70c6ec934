"""The examples of CONTRIBUTING.md work: they are followed, file by file, in a copy of the repository, and what they say comes of them does.

A fenced block with `file=` is a new file, or, if its language is `diff`, a change of one: lines with a blank in front are looked for, from where the last one was
found (what ends with `...` only begins so), and lines with + are put behind them. A block `console` has commands, and what they print.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import ROOT

PAGE = ROOT / "CONTRIBUTING.md"
FENCE = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
CHAPTERS = re.findall(r"^## (Add .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def blocks(chapter: str) -> Iterator[re.Match[str]]:
    """The fenced blocks of a chapter."""
    page = PAGE.read_text(encoding="utf-8")
    yield from FENCE.finditer(page.split(f"## {chapter}\n")[1].split("\n## ")[0])


def changed(text: str, change: str) -> str:
    """A text after a change."""
    lines, at = text.splitlines(), 0
    for wanted in change.splitlines():
        sign, rest = wanted[:1], wanted[1:]
        if sign == "+":
            lines.insert(at, rest)
            at += 1
        else:
            begins = rest.removesuffix("...").rstrip()
            found = [
                number for number in range(at, len(lines)) if (lines[number].startswith(begins) if rest.endswith("...") else lines[number] == rest)
            ]
            assert found, f"'{rest}' is nowhere"
            at = found[0] + 1
    return "\n".join(lines) + "\n"


def run(command: str, clone: Path) -> str:
    """What a command prints that is called as people call it, in the copy."""
    name, *arguments = shlex.split(command)
    module = {"rulewright": "rulewright_tools", "pytest": "pytest"}[name]
    environment = {**os.environ, "PYTHONPATH": f"{clone / 'interpreter'}{os.pathsep}{clone / 'tools'}", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    failed = done.returncode != 0 and "Error: " not in done.stdout
    assert not failed or "--update-playthroughs" in command, f"$ {command}\n{done.stdout}"
    return done.stdout


def test_there_are_chapters() -> None:
    """What newcomers ask for."""
    assert CHAPTERS == ["Add a statement", "Add an operation of the core", "Add a ruleset", "Add a command"]


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_can_be_followed(chapter: str, tmp_path: Path) -> None:
    """Everything that it says to write, everything that it says to call, and at the end ruff and mypy have nothing to say."""
    clone = tmp_path / "clone"
    leave = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".pytest_cache", ".hypothesis", "twins-*")
    shutil.copytree(ROOT, clone, ignore=leave)
    for block in blocks(chapter):
        if block["language"] == "console":
            for command, printed in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block["text"], re.MULTILINE):
                assert printed in run(command, clone), f"$ {command}"
            continue
        path = clone / block["file"]
        if block["language"] == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block["text"]), encoding="utf-8")
        else:
            assert not path.exists(), f"{block['file']} is no longer new"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
    for check in (["ruff", "check", "."], ["mypy", "--strict"]):
        done = subprocess.run([sys.executable, "-m", *check], cwd=clone, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
