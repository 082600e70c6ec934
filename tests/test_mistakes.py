"""What people write who do not know the language yet, and what they are told: a table of mistakes, each with its message and its mended text.

`tests/mistakes/*.yaml` holds lists of entries. An entry has a name (`mistake`), what was written (`wrong`), every complaint that comes of it (`says`:
`code`, `line`, `message`, `help`), and what the author writes after reading that (`mended`), of which nothing may be complained. A text is a lone
rules file; a mapping is the files of a folder. All are written beside the folder `ship`, the small game that the layers among them stand over.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.codes import CODES
from rulewright.diagnostics import Diagnostic
from rulewright.errors import RulesError
from rulewright.rules import load
from rulewright.validate import validate

MISTAKES = Path(__file__).parent / "mistakes"
LISTS = sorted(MISTAKES.glob("*.yaml"))
ENTRIES: list[dict[str, Any]] = [entry for file in LISTS for entry in yaml.safe_load(file.read_text())]


def written(beside: Path, text: str | dict[str, str]) -> Path:
    """A ruleset on disk, beside the game that layers stand over, and nothing else."""
    shutil.rmtree(beside / "mine", ignore_errors=True)
    shutil.copytree(MISTAKES / "ship", beside / "ship", dirs_exist_ok=True)
    if isinstance(text, str):
        (beside / "mine.rules").write_bytes(text.encode())
        return beside / "mine.rules"
    for name, content in text.items():
        (beside / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (beside / "mine" / name).write_bytes(content.encode())
    return beside / "mine"


def told(found: Diagnostic) -> dict[str, Any]:
    """A complaint as the table writes it; in a lone file it need not be said which file."""
    file = found.span.file.removeprefix("mine/") if found.span.file.startswith("mine/") else None
    said: dict[str, Any] = {"code": found.code, "file": file, "line": found.span.line, "message": found.message, "help": found.hint}
    return {key: value for key, value in said.items() if value is not None}


def played(path: Path) -> list[dict[str, Any]]:
    """What the beginning of a game by rules without mistakes runs into."""
    try:
        load(path, engine="step").new_game(players=2, seed=1)
    except RulesError as error:
        return [{"code": "run", "message": str(error)}]
    return []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["mistake"])
def test_a_mistake_is_told(entry: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The complaint is this one and no other; after what it advises there is nothing left to complain of."""
    monkeypatch.chdir(tmp_path)  # places are told from where one stands
    path = written(tmp_path, entry["wrong"])
    found = [told(one) for one in validate(path).diagnostics] or played(path)
    assert found == entry["says"]
    mended = written(tmp_path, entry["mended"])
    assert [told(one) for one in validate(mended).diagnostics] == []
    assert played(mended) == []


def test_the_list_is_whole() -> None:
    """As many mistakes as were found by new authors and thought of since; each has its own name, and a complaint says where and what instead."""
    names = [entry["mistake"] for entry in ENTRIES]
    assert len(set(names)) == len(names) >= 200
    for entry in ENTRIES:
        harmless = entry["mistake"].startswith("no mistake")
        assert bool(entry["says"]) != harmless, entry["mistake"]
        for said in entry["says"]:
            assert said["code"] == "run" or said["code"] in CODES, entry["mistake"]
            assert "help" in said or said["code"] in ("run", "R402"), entry["mistake"]  # those say in the message itself what is allowed
