"""A few damaged saves and cache files of the many that `fuzz_core` makes."""

from __future__ import annotations

import copy
import json
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


HOLDING = """
kind player:
    luck: 0..5
kind coin:
    rank: 0..3
coin gold x3
effect earn(who: player, n: number):
    set who.luck to n
    set who.luck to 3 until turn
    let some = all coins where rank > n
    until turn:
        after earn(whom, m) when whom = who and count of some < m: set whom.luck to n
    at once:
        spend(who)
        who chooses more: a number from 1 to 3
effect spend(who: player): set who.luck to 1
after spend(who): set who.luck to 2
effect turn(who: player): earn(who, 2)
phase play:
    for each player in players: turn(player)
"""


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_hooks_that_could_not_hold_are_refused(engine: str, tmp_path: Path) -> None:
    """What holds for a time in a save: until what, what it has kept, what it puts back, and its number; and what waits for the end of a batch."""
    rules = rules_of(tmp_path, HOLDING, engine=engine)
    save = json.loads(json.dumps(rules.new_game(1).save()))
    restoring, installed = save["state"]["held"]
    waiting = save["state"]["batches"][0]["hooks"]
    assert (restoring["until"], restoring["kept"], installed["until"]) == ("turn", [0, 2], "turn")
    assert any(type(each) is list for each in installed["kept"])
    assert len(waiting) == 1
    assert rules.load_game(save).decision is not None
    swapped = [[each] if type(each) is int else each for each in installed["kept"]]
    edits: list[tuple[tuple[Any, ...], Any]] = [
        (("held", 0, "until"), "spend"), (("held", 1, "until"), "never"), (("held", 0, "kept"), [0]), (("held", 0, "kept"), [0, 6]), (("held", 0, "kept"), [1, 2]),
        (("held", 0, "kept"), [[0], 2]), (("held", 1, "kept"), installed["kept"][:-1]), (("held", 1, "kept"), swapped), (("held", 0, "number"), 0),
        (("held", 1, "number"), 7), (("held", 1, "number"), restoring["number"]), (("batches", 0, "hooks", 0, 1), 0), (("batches", 0, "hooks", 0, 1), "earn/until#4"),
        (("batches", 0, "hooks", 0, 2), [1]), (("batches", 0, "hooks", 0, 3), [[0]]), (("batches", 0, "hooks", 0, 4), [0]),
    ]  # fmt: skip
    for way, value in edits:
        data = copy.deepcopy(save)
        inside: Any = data["state"]
        for key in way[:-1]:
            inside = inside[key]
        assert inside[way[-1]] != value
        inside[way[-1]] = value
        data["checksum"] = saving.checksum({key: part for key, part in data.items() if key != "checksum"})
        with pytest.raises(SaveError, match=r"hooks? .*(rules do not have|one after another)"):
            rules.load_game(data)


@pytest.mark.parametrize("engine", ["step", "wasm"])
@pytest.mark.parametrize("value", [[-1], [99], [[0]], 3])
def test_lists_of_what_there_is_not_are_refused(engine: str, value: Any, tmp_path: Path) -> None:
    """A list in a name of a save: of numbers that no component has, of lists, or none at all."""
    rules = rules_of(tmp_path, "kind coin\ncoin gold x3\nphase play:\n    let some = all coins\n" + LOOP + '    log "{some}"\n', engine=engine)
    data = rules.new_game(1).save()
    assert len(data["state"]["frames"][-1]["names"]["some"]) == 3
    data["state"]["frames"][-1]["names"]["some"] = value
    data["checksum"] = saving.checksum({key: part for key, part in data.items() if key != "checksum"})
    with pytest.raises(SaveError, match="has a wrong 'some'"):
        rules.load_game(data)
