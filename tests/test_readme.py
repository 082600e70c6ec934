"""The first page is true: what it says to type works in an empty folder outside of the clone, and its examples are the rulesets that they claim to be."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright_tools.cli import COMMANDS
from tests.playing import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TYPED = [line.partition("#")[0].strip() for language, text in BLOCKS if language == "sh" for line in text.splitlines()]


def blocks(language: str) -> list[str]:
    return [text for found, text in BLOCKS if found == language]


def elsewhere(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in another folder."""
    path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT / "tools")])
    return subprocess.run([sys.executable, *command], cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_the_whole_of_tic_tac_toe() -> None:
    """It is all there, but for the comment at the top."""
    text = (ROOT / "rulesets" / "examples" / "tic_tac_toe" / "tic_tac_toe.rules").read_text(encoding="utf-8")
    assert blocks("rules")[0] == re.sub(r"\A#.*\n\n", "", text)


def test_every_command_is_in_the_table() -> None:
    """Once, in the order of `--help`."""
    assert re.findall(r"^\| `([a-z]+) [^`]*` \|", PAGE.split("## Commands")[1], re.MULTILINE) == list(COMMANDS)


def test_scripts_and_pages_exist() -> None:
    """Whatever of the clone is named."""
    for line in TYPED:
        assert not line.startswith("tools/") or (ROOT / line.split()[0]).is_file(), line
    for link in re.findall(r"\]\(([^)]*)\)", PAGE):
        assert (ROOT / link).is_file(), link


@pytest.mark.parametrize(
    "line",
    [pytest.param(line, marks=pytest.mark.slow if re.search(" (base|lockdown)", line) else ()) for line in TYPED if line.startswith("rulewright ")],
)
def test_what_it_says_to_type(line: str, tmp_path: Path) -> None:
    """In an empty folder, with the house rule in a file of its own."""
    (tmp_path / "corners.rules").write_text(blocks("rules")[1], encoding="utf-8")
    done = elsewhere(tmp_path, "-m", "rulewright_tools", *shlex.split(line)[1:])
    assert (done.returncode, done.stderr) == (0, ""), line


def test_the_program_of_six_lines_ends_with_a_result(tmp_path: Path) -> None:
    """The program of six lines ends with a result."""
    done = elsewhere(tmp_path, "-c", blocks("python")[0])
    assert done.returncode == 0, done.stderr
    assert "winners" in done.stdout
