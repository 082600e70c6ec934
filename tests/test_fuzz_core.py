"""A few damaged saves and cache files of the many that `fuzz_core` makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright import SaveError, load
from rulewright.game import saving
from tests.playing import ROOT, rules_of

LOOP = "    let who = the player where seat = 1\n    for each coin in coins: who chooses n: a number from 1 to 3\n"


def test_damaged_saves_and_cache_files_are_refused_or_sound() -> None:
    """Saves are refused or go on, files of the cache are made anew; nothing else happens."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "interpreter")])
    run = [sys.executable, "-m", "tests.fuzz_core", "60", "5"]
    told = subprocess.run(run, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True, timeout=60)
    assert "'refused'" in told.stdout
    assert "'goes on'" in told.stdout
    assert "cache files: {'made anew': 6}" in told.stdout
    assert "FAILED" not in told.stdout


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_counters_beyond_numbers_and_places_that_were_moved_are_refused(engine: str) -> None:
    """A counter that no number of the rules could hold, and an entry of the log by which a place was moved, were found by damaging saves."""
    rules = load("tic_tac_toe", engine=engine)
    game: Any = rules.new_game(2, seed=1)
    game.choose(0)
    moved = next(number for number, entry in enumerate(game.entries()) if entry["kind"] == "move")
    assert game.world.count < game.world.place_count
    edits: list[tuple[tuple[Any, ...], int, str]] = [
        (("state", "version"), 10**12, "its counters are none"),
        (("state", "installs"), 1 << 30, "its counters are none"),
        (("log", moved, "component"), game.world.count, f"entry {moved + 1} of its log is none"),
    ]
    for way, value, message in edits:
        data = game.save()
        inside: Any = data
        for key in way[:-1]:
            inside = inside[key]
        inside[way[-1]] = value
        data["checksum"] = saving.checksum({key: part for key, part in data.items() if key != "checksum"})
        with pytest.raises(SaveError, match=message):
            rules.load_game(data)


@pytest.mark.parametrize("engine", ["step", "wasm"])
@pytest.mark.parametrize(("name", "value"), [("#items", None), ("#cursor", None), ("#cursor", -1)])
def test_loops_over_nothing_are_refused(engine: str, name: str, value: int | None, tmp_path: Path) -> None:
    """A save in the middle of a loop whose list, or whose place in it, is gone."""
    rules = rules_of(tmp_path, "kind coin\ncoin gold x3\nplace purse of player\nphase play:\n" + LOOP, engine=engine)
    data = rules.new_game(1).save()
    names = data["state"]["frames"][-1]["names"]
    assert name in names
    names[name] = value
    data["checksum"] = saving.checksum({key: part for key, part in data.items() if key != "checksum"})
    with pytest.raises(SaveError, match="goes through a list that is none"):
        rules.load_game(data)
