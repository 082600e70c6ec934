"""A few damaged saves and cache files of the many that `fuzz_core` makes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from rulewright import SaveError, load
from rulewright.game import saving
from tests.playing import ROOT


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
