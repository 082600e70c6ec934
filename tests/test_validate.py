"""What `validate` reads besides what is played, and how it tells of layers that exclude each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.diagnostics import Diagnostic
from rulewright.sources.locate import shown
from rulewright.validate import validate

MANIFEST = 'id: inn\ntitle: The Inn\nversion: "1"\nfiles: [inn.rules]\n'
INN = 'kind guest\nguest bard\nnumber rounds = 3\neffect sing(): log "la"\nphase play: repeat rounds times: sing()\n'


def make(folder: Path, files: dict[str, str]) -> Path:
    """A ruleset in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def told(found: list[Diagnostic]) -> list[str]:
    return [f"{Path(one.span.file).name}:{one.span.line} {one.code} {one.message}" for one in found]


def test_a_part_that_is_off_is_read(tmp_path: Path) -> None:
    """A mistake in it, and a file of it that is missing, are errors that say which part it was; what is right stays silent."""
    parts = 'parts:\n  storm: {files: [storm.rules], default: "off"}\n  snow: {files: [snow.rules], default: "off"}\n'
    inn = make(tmp_path / "inn", {"ruleset.yaml": MANIFEST + parts, "inn.rules": INN, "storm.rules": "before play: sng()\n"})
    found = validate(inn).diagnostics
    assert told(found) == [
        "ruleset.yaml:7 R201 cannot read '" + shown(inn / "snow.rules") + "': there is no such file",
        "storm.rules:1 R301 there is no effect called 'sng'",
    ]
    assert found[1].related[-1].message == "this is found with the part 'storm' on"
    make(inn, {"storm.rules": "before play: sing()\n", "snow.rules": "# snow\nafter play: sing()\n"})
    assert told(validate(inn).diagnostics) == []


def test_scenario_files_have_the_shape_of_one(tmp_path: Path) -> None:
    """A misspelt key is found without playing anything, in files of the ruleset itself and of what it stands over, unless that comes with the program."""
    scenario = "name: A song\n{}: 2\nthen:\n  - bard is in box\n"
    inn = make(tmp_path / "inn", {"ruleset.yaml": MANIFEST, "inn.rules": INN, "scenarios/song.yaml": scenario.format("palyers")})
    layer = make(tmp_path, {"mine.rules": "layer mine over inn\nset rounds to 4\n"}) / "mine.rules"
    for target in (inn, layer):
        (found,) = validate(target).diagnostics
        assert told([found]) == ["song.yaml:2 R204 the file has no key 'palyers'"]
        assert found.hint == "did you mean 'players'?"
    make(inn, {"scenarios/song.yaml": scenario.format("players")})
    assert told(validate(inn).diagnostics) == []


def test_a_part_is_read_under_the_options_it_waits_for(tmp_path: Path) -> None:
    """Two parts that exclude each other are each right in their own game."""
    more = (
        "options:\n  mode: {values: [calm, wild], default: calm}\n"
        "parts:\n  calm: {files: [calm.rules], when: {mode: calm}}\n  wild: {files: [wild.rules], when: {mode: wild}}\n"
    )
    rules = {"calm.rules": "effect close(): sing()\nafter play: close()\n", "wild.rules": 'effect close(): log "crash"\nafter play: close()\n'}
    inn = make(tmp_path / "inn", {"ruleset.yaml": MANIFEST + more, "inn.rules": INN, **rules})
    assert told(validate(inn).diagnostics) == []
    make(inn, {"wild.rules": "effect close(): sng()\nafter play: close()\n"})
    assert told(validate(inn).diagnostics) == ["wild.rules:1 R301 there is no effect called 'sng'"]


def test_many_parts_are_read_together(tmp_path: Path) -> None:
    """However many parts are off, each is read."""
    names = [f"p{number}" for number in range(30)]
    parts = "parts:\n" + "".join(f'  {name}: {{files: [{name}.rules], default: "off"}}\n' for name in names)
    inn = make(tmp_path / "inn", {"ruleset.yaml": MANIFEST + parts, "inn.rules": INN, **{f"{name}.rules": "before play: sng()\n" for name in names}})
    assert len(validate(inn).diagnostics) == 30


def test_a_file_that_nobody_reads(tmp_path: Path) -> None:
    """It is told of with what to write, and so are the mistakes in it; other rulesets below, and lone layers, are left alone."""
    inn = make(
        tmp_path / "inn",
        {
            "ruleset.yaml": MANIFEST,
            "inn.rules": INN,
            "more/storm.rules": "before play: sng()\n",
            "old.rules": INN,
            "other/ruleset.yaml": "id: other\n",
            "other/other.rules": "((\n",
            "mine.rules": "layer mine over inn\nset rounds to 5\n",
        },
    )
    found = validate(inn).diagnostics
    assert [line.partition(" lies in")[0] for line in told(found)] == [
        "storm.rules:1 R217 'more/storm.rules'",
        "storm.rules:1 R301 there is no effect called 'sng'",
        "old.rules:1 R217 'old.rules'",
    ]
    assert "files: [..., more/storm.rules]" in str(found[0].hint)
    assert validate(inn).errors
    make(inn, {"more/storm.rules": "before play: sing()\n"})
    assert not validate(inn).errors


def test_layers_that_exclude_each_other_come_first_and_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lean on their own words; only that both replace these is told, and the help names the manifest that is no part of the program."""
    house = 'id: {0}\ntitle: T\nversion: "1"\nparents: [inn]\nfiles: [{0}.rules]\n'
    words = "words mood: glad, sad\nkind guest:\n    mood: mood\nguest bard: mood glad\nphase play: nothing\n"
    calm = "replace words mood: calm, glad\nafter play: if bard.mood is calm: nothing\n"
    wild = "replace words mood: wild, glad\nafter play: if bard.mood is wild: nothing\nafter aplay: nothing\n"
    make(tmp_path / "inn", {"ruleset.yaml": MANIFEST, "inn.rules": words.replace(", ", " | ")})
    make(tmp_path / "calm", {"ruleset.yaml": house.format("calm"), "calm.rules": calm.replace(", ", " | ")})
    make(tmp_path / "wild", {"ruleset.yaml": house.format("wild"), "wild.rules": wild.replace(", ", " | ")})
    for shipped, manifest, other in ((None, "wild", "calm"), ("wild", "calm", "wild"), ("calm", "wild", "calm")):
        home = tmp_path / shipped if shipped else tmp_path / "nowhere"
        monkeypatch.setattr("rulewright.sources.packages.rulesets_folder", lambda home=home: home)
        (conflict,) = validate(tmp_path / "inn", [tmp_path / "calm", tmp_path / "wild"]).diagnostics
        assert (conflict.code, conflict.message) == ("R304", "'mood' is changed by 'calm' and by 'wild'")
        assert conflict.hint == f"say in {shown(tmp_path / manifest / 'ruleset.yaml')} that '{manifest}' comes after the other: 'after: [{other}]'"
    mended = house.format("wild") + "after: [calm]\n"
    make(tmp_path / "wild", {"ruleset.yaml": mended, "wild.rules": wild.replace(", ", " | ").replace("aplay", "play")})
    assert {one.code for one in validate(tmp_path / "inn", [tmp_path / "calm", tmp_path / "wild"]).diagnostics} <= {"R301", "R406", "R407"}


@pytest.mark.parametrize(
    ("again", "advice"),
    [
        ('guest bard "Bard"', "'replace guest bard ...' or 'add to bard: ...'"),
        ("number rounds = 7", "'set rounds to 7'"),
        ("kind guest", "'replace kind guest ...' or 'add to kind guest: ...'"),
        ('effect sing(): log "lo"', "'replace effect sing ...'"),
    ],
)
def test_how_to_change_what_is_there(again: str, advice: str, tmp_path: Path) -> None:
    """A layer that declares something again is told forms that exist."""
    make(tmp_path, {"inn.rules": f"ruleset inn\n{INN}", "late.rules": f"layer late over inn\n{again}\n"})
    (found,) = validate(tmp_path / "late.rules").diagnostics
    assert (found.code, found.hint) == ("R302", f"to change it write {advice}, or take another name")
