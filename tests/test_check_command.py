"""`rulewright check`: with what a layer fits, and why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright_tools.cli import rulewright

LAYERS = {
    "one": 'layer one over tic_tac_toe "One"\nset cross.copies to 6 was 5\n',
    "two": 'layer two over tic_tac_toe "Two"\nset cross.copies to 7 was 5\n',
    "shy": 'layer shy over tic_tac_toe "Shy"\nafter setup: log "Shy."\n',
    "bad": 'layer bad over tic_tac_toe "Bad"\nafter setpu: log "?"\n',
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in LAYERS.items():
        (tmp_path / f"{name}.rules").write_text(text)
    return tmp_path


def command(*words: str) -> Result:
    return CliRunner().invoke(rulewright, ["check", *words])


def test_a_layer_fits_or_the_reason_is_told() -> None:
    """With a game, with another layer, with one that changes the same, with another game, with mistakes, and with what is no game."""
    done = command("one", "--against", "tic_tac_toe", "shy", "two", "connect_four", "bad", "common", "--json")
    assert done.exit_code == 1
    found = {each["with"]: each for each in json.loads(done.output)}
    assert {name: each["fits"] for name, each in found.items()} == {
        "tic_tac_toe": True, "shy": True, "two": False, "connect_four": False, "bad": False, "common": None
    }  # fmt: skip
    assert "'cross.copies' is changed by 'two' and by 'one' [R304]" in found["two"]["reasons"][0]
    assert "'one' is a layer over 'tic_tac_toe', not over 'connect_four'" in found["connect_four"]["reasons"][0]
    assert "'bad' has mistakes of its own" in found["bad"]["reasons"][0]


def test_what_fits_everywhere_is_exit_0_and_what_is_not_there_exit_2() -> None:
    """In words for people."""
    done = command("shy", "--against", "tic_tac_toe", "one")
    assert (done.exit_code, done.output) == (0, "tic_tac_toe: fits\none: fits\n")
    lost = command("shy", "--against", "tic_tac_to")
    assert lost.exit_code == 2
    assert "did you mean 'tic_tac_toe'?" in lost.output
