"""The cache: one folder, which nobody but the user can have written to; whatever else lies there is never read, and games go on without it."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rulewright import Rules, cache, kept_rules, load
from rulewright.parse import table
from tests.playing import ROOT

owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no owners of files here")
administrator = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only the administrator gives files away")
SOMEBODY = 54_321
PLANTED = "planted"


@pytest.fixture(autouse=True)
def everything_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules too."""
    monkeypatch.setattr(cache, "entry_path", cache.usual_entry_path)  # type: ignore[attr-defined]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in a folder that nobody else writes to."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    return tmp_path / "kept"


def game() -> Rules:
    """A ruleset, which is kept."""
    return load(ROOT / "rulesets" / "examples" / "tic_tac_toe", engine="step")


def entry() -> Path:
    """Where the rules are kept."""
    path = kept_rules.entry_path(game().built.sources)
    assert path is not None
    return path


def plant() -> Path:
    """An entry as somebody would write it who wants his own rules played: with the right name and the right checksum."""
    path = entry()
    found = kept_rules.read(path)
    assert found is not None
    found.graph["ruleset"]["id"] = PLANTED
    body, mode = msgspec.msgpack.encode(found), path.stat().st_mode
    path.write_bytes(cache._checksum(path, body) + b"\n" + body)
    path.chmod(mode)
    return path


def play() -> None:
    """The rules, and not what was planted."""
    assert game().id != PLANTED


# -- who may write it


def test_what_is_planted_is_seen_by_these_tests(kept: Path) -> None:
    """The attack works where the user himself is the one who planted it: the tests below would notice."""
    plant()
    assert game().id == PLANTED


@owners
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(kept: Path, mode: int) -> None:
    """A group is others; and where everybody may put files in, it does not help that they cannot remove those of others."""
    path = plant()
    kept.chmod(mode)
    play()
    path.unlink()
    play()
    assert not path.exists()


@owners
@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_whose_parent_others_may_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    """They could put another folder in its place."""
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setenv(cache.VARIABLE, str(shared / "below" / "kept"))
    plant()
    shared.chmod(mode)
    play()


@owners
def test_a_parent_in_which_people_cannot_touch_what_is_not_theirs_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as /tmp."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv(cache.VARIABLE, str(shared / "kept"))
    game()
    assert list((shared / "kept").iterdir())


@administrator
@pytest.mark.parametrize("what", ["the folder", "its parent", "the entry"])
def test_what_is_somebody_elses_is_not_used(kept: Path, what: str) -> None:
    """Whatever its mode: whose it is may change that."""
    path = plant()
    os.chown({"the folder": kept, "its parent": kept.parent, "the entry": path}[what], SOMEBODY, SOMEBODY)
    play()


@owners
def test_a_folder_is_somebody_elses_for_everybody_else(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without an administrator to give files away."""
    plant()
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY)
    play()


@owners
@pytest.mark.parametrize("mode", [0o660, 0o606])
def test_an_entry_that_others_may_write_is_not_read(kept: Path, mode: int) -> None:
    """It is written again, for the user alone."""
    path = plant()
    path.chmod(mode)
    play()
    assert path.stat().st_mode & 0o777 == 0o600


@owners
@pytest.mark.parametrize("what", ["the folder", "the entry"])
def test_links_are_not_followed(kept: Path, tmp_path: Path, what: str) -> None:
    """Neither in place of the folder nor in place of an entry; a link that is in the way of an entry is replaced, and what it led to left alone."""
    path = plant()
    elsewhere = tmp_path / "elsewhere"
    linked = kept if what == "the folder" else path
    linked.rename(elsewhere)
    linked.symlink_to(elsewhere)
    before = elsewhere.stat().st_mtime_ns
    play()
    assert elsewhere.stat().st_mtime_ns == before
    assert what == "the folder" or not path.is_symlink()


@owners
@pytest.mark.parametrize("way", ["safe", "unsafe", "through an unsafe one", "round in a circle"])
def test_links_on_the_way_lead_through_safe_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """A home on another disk is usual; what counts are all folders that are passed, those between two links too."""
    real, shared = tmp_path / "real", tmp_path / "shared"
    real.mkdir(mode=0o700)
    shared.mkdir()
    (shared / "on").symlink_to("../real")
    shared.chmod(0o775)
    if way == "unsafe":
        real.chmod(0o775)
    leads = {"safe": "real", "unsafe": "real", "through an unsafe one": "shared/on", "round in a circle": "link"}[way]
    (tmp_path / "link").symlink_to(leads)
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "link" / "kept"))
    game()
    assert (real / "kept").exists() == (way == "safe")


@owners
def test_what_is_made_is_for_the_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders on the way too, whatever mask the user has for new files: otherwise the next start would not trust them."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "one" / "two" / "kept"))
    mask = os.umask(0)
    try:
        game()
    finally:
        os.umask(mask)
    made = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert made
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in made)
    assert all(path.stat().st_mode & 0o777 == 0o700 for path in (tmp_path / "one", tmp_path / "one" / "two", tmp_path / "one" / "two" / "kept"))
    assert cache.read(entry()) is not None


# -- the folder, and what is in it


@pytest.mark.parametrize("value", ["a file", "off", "below a file"])
def test_a_cache_that_cannot_be_used_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """And a game is played as ever."""
    (tmp_path / "file").write_text("")
    places = {"a file": tmp_path / "file", "off": "off", "below a file": tmp_path / "file" / "kept"}
    monkeypatch.setenv(cache.VARIABLE, str(places[value]))
    monkeypatch.chdir(tmp_path)
    play()
    table.read_table()
    assert os.listdir(tmp_path) == ["file"]


def test_only_so_many_entries_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest of a kind go; a grammar is not lost because of many games."""
    monkeypatch.setattr(cache, "KEEP", 3)
    for number, kind in enumerate(["grammar", "rules", "rules", "rules", "rules", "rules"]):
        path = cache.entry_path(kind, str(number))
        assert path is not None
        cache.write(path, b"x")
        os.utime(path, (number, number))
    assert sorted(path.suffix for path in kept.iterdir()) == [".grammar"] + [".rules"] * 3
    newest = cache.entry_path("rules", "5")
    assert newest is not None
    assert newest.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_in_place_of_an_entry_is_not_waited_for(kept: Path) -> None:
    """Nobody will ever write into it."""
    table.read_table()
    (path,) = kept.iterdir()
    path.unlink()
    os.mkfifo(path, 0o600)
    table.read_table()


def test_no_other_module_keeps_anything() -> None:
    """One module, one folder, one rule: nobody else asks where the cache is, lets Lark write one of its own, or unpickles."""
    home = ROOT / "interpreter" / "rulewright"
    word = re.compile(r"RULEWRIGHT_CACHE|XDG_CACHE_HOME|\.cache\"|\bcache=|\bpickle\b(?!d)|\bshelve\b|\bmarshal\b")
    found = {path.relative_to(home).as_posix() for path in home.rglob("*.py") if word.search(path.read_text(encoding="utf-8"))}
    assert found == {"cache.py"}


# -- the grammar


class Trap:
    """What somebody would leave for an unpickler."""

    def __init__(self, flag: str) -> None:
        self.flag = flag

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.flag, "w")


def test_the_parse_table_is_kept_where_everything_is(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time it is not made again, and reads the same."""
    first = table.read_table()
    assert [path.suffix for path in kept.iterdir()] == [".grammar"]
    monkeypatch.setattr("lark.Lark", lambda *_, **__: pytest.fail("made again"))
    assert table.read_table() == first


def test_lark_is_loaded_only_to_make_the_table(kept: Path) -> None:
    """Reading rules a second time does without it."""
    code = "import sys; from rulewright.parse.parser import parser; parser(); print('lark' in sys.modules)"
    told = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert told == ["True", "False"]


@pytest.mark.parametrize(
    "what",
    [
        "a pickle with a checksum",
        *(pytest.param(what, marks=pytest.mark.slow) for what in ("a pickle", "damaged", "other data", "data of another shape")),
    ],
)
def test_no_parse_table_is_unpickled(kept: Path, tmp_path: Path, what: str) -> None:
    """What is no table is thrown away and made anew."""
    good = table.read_table()
    (path,) = kept.iterdir()
    text, trap = path.read_bytes(), pickle.dumps(Trap(str(tmp_path / "flag")))
    bodies = {"a pickle with a checksum": trap, "other data": b"\x93\x01\x02\x03", "data of another shape": b"\x95\x80\x90\x90\x80\x80"}
    if what in bodies:
        path.write_bytes(cache._checksum(path, bodies[what]) + b"\n" + bodies[what])
    else:
        path.write_bytes(trap if what == "a pickle" else text[:-1] + b"\xc1")
    made = table.read_table()
    assert len(made.rules) == len(good.rules)
    body = cache.read(path)
    assert body is not None
    assert table._decoded(body) == made
    assert not (tmp_path / "flag").exists()


def test_the_pickle_of_earlier_versions_is_not_met(tmp_path: Path) -> None:
    """It lay in the user's cache folder under a name that everybody knew."""
    home = tmp_path / ".cache" / "rulewright"
    home.mkdir(parents=True)
    trap = home / f"grammar-{sys.version_info[0]}.{sys.version_info[1]}.lark-cache"
    trap.write_bytes(b"0" * 64 + b"\n" + pickle.dumps(Trap(str(tmp_path / "flag"))))
    environment = {name: value for name, value in os.environ.items() if name not in ("RULEWRIGHT_CACHE", "XDG_CACHE_HOME")}
    code = "from rulewright.parse.parser import parser; parser()"
    subprocess.run([sys.executable, "-c", code], env={**environment, "HOME": str(tmp_path)}, cwd=tmp_path, check=True)
    assert not (tmp_path / "flag").exists()
    assert [path.suffix for path in home.iterdir() if path != trap] == [".grammar"] or sys.platform in ("win32", "darwin")
