"""What is kept of texts: trees and documents are the same when they come back, and what is complained of is the same, byte for byte, with and without."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rulewright import cache, render, session
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.parse import TREES, parse_rules
from rulewright.parse import parser as lark_parser
from rulewright.sources import yamlfile, yamltree
from rulewright.sources.yamlfile import parse_yaml
from rulewright.validate import validate
from tests.playing import ROOT
from tests.test_mistakes import ENTRIES, written

RULES = 'kind lamp:\n    lit: flag\n\nlamp torch "Torch"\n'
OTHER = RULES.replace("torch", "lantern")
LOCALE = "language: cs\nnames:\n  torch: Louč\n"
SETS = ["base", "carnomorphs", "lockdown", "rulesets/house/flares", "rulesets/house/chapel"]
SETTINGS = str(DEFAULT_LIMITS)


@pytest.fixture(autouse=True)
def empty(keeping: Path) -> None:
    """The cache is empty."""


def entries(folder: Path, kind: str) -> list[Path]:
    return sorted(folder.glob(f"*.{kind}"))


def nothing_is_read(patch: pytest.MonkeyPatch) -> None:
    """From here on no text can be parsed."""

    def read(*_: object) -> Any:
        raise AssertionError

    patch.setattr(lark_parser, "parse_rules", read)
    patch.setattr(yamltree, "read_tree", read)


def told(path: str | Path) -> str:
    """All that is complained of, in all that is known of it."""
    built = validate(path)
    shown = render.as_text(built.diagnostics, built.texts, False, 200)
    return shown + msgspec.json.encode(built.diagnostics).decode()


# -- what comes back is what was kept


def test_every_tree_comes_back_as_it_was() -> None:
    """Of every rules file there is, good and bad: no field is of a type that plain data loses."""
    files = [*(ROOT / "rulesets").rglob("*.rules"), *(ROOT / "tests").rglob("*.rules")]
    assert len(files) > 300
    for file in files:
        tree, _ = lark_parser.parse_rules(file.read_text(encoding="utf-8", errors="replace"), str(file))
        assert TREES.decoder.decode(msgspec.msgpack.encode(tree)) == tree, file


@pytest.mark.parametrize(
    ("file", "schema"), [("board", "board"), ("rulebook", "rulebook"), ("ruleset", "ruleset"), ("locale/ru", "locale"), ("table", "table")]
)
def test_documents_come_back_as_they_were(file: str, schema: str) -> None:
    """Data, and the place of everything in it; the second time nothing is parsed."""
    text = (ROOT / "rulesets" / "base" / f"{file}.yaml").read_text(encoding="utf-8")
    first, problems = parse_yaml(text, file, schema, DEFAULT_LIMITS)
    assert first is not None
    assert problems == []
    with pytest.MonkeyPatch.context() as patch:
        nothing_is_read(patch)
        assert parse_yaml(text, file, schema, DEFAULT_LIMITS) == (first, [])
        assert parse_yaml(text, file, schema, DEFAULT_LIMITS)[0] is not first


# -- a kept one is taken only for the same text, in the same circumstances


def test_a_tree_is_kept(keeping: Path) -> None:
    """For another process, in the cache."""
    first, _ = parse_rules(RULES, "a.rules")
    assert len(entries(keeping, "tree")) == 1
    with pytest.MonkeyPatch.context() as patch:
        nothing_is_read(patch)
        assert parse_rules(RULES, "a.rules") == (first, [])


@pytest.mark.parametrize(
    "again",
    [
        lambda patch: parse_rules(OTHER, "a.rules"),
        lambda patch: parse_rules(RULES, "b.rules"),
        lambda patch: parse_rules(RULES, "a.rules", Limits(line_characters=900)),
        lambda patch: (patch.setattr(cache, "program_mark", lambda: "another version"), parse_rules(RULES, "a.rules")),
    ],
    ids=["another text", "another name", "other limits", "another version"],
)
def test_what_is_not_the_same_is_read_anew(again: Callable[[pytest.MonkeyPatch], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a result depends on is a part of its name."""
    parse_rules(RULES, "a.rules")
    nothing_is_read(monkeypatch)
    with pytest.raises(AssertionError):
        again(monkeypatch)


def test_another_schema_is_another_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that fitted the schema of an earlier version may not fit this one."""
    parse_yaml(LOCALE, "cs.yaml", "locale", DEFAULT_LIMITS)
    monkeypatch.setattr(yamlfile, "schema_text", lambda name: "{}")
    nothing_is_read(monkeypatch)
    with pytest.raises(AssertionError):
        parse_yaml(LOCALE, "cs.yaml", "locale", DEFAULT_LIMITS)


@pytest.mark.parametrize("damage", [lambda body: body[:-9], lambda body: b"", lambda body: body[:90] + b"?" + body[91:], lambda body: body + b"\n"])
def test_what_is_damaged_is_made_anew(damage: Callable[[bytes], bytes], keeping: Path) -> None:
    """And written again."""
    good, document = parse_rules(RULES, "a.rules"), parse_yaml(LOCALE, "cs.yaml", "locale", DEFAULT_LIMITS)
    paths = [*entries(keeping, "tree"), *entries(keeping, "document")]
    assert len(paths) == 2
    for path in paths:
        path.write_bytes(damage(path.read_bytes()))
    assert parse_rules(RULES, "a.rules") == good
    assert parse_yaml(LOCALE, "cs.yaml", "locale", DEFAULT_LIMITS) == document
    assert all(cache.read(path) is not None for path in paths)


@pytest.mark.parametrize(
    "body", [b"", b"\x00" * 40, msgspec.msgpack.encode({"file": "a.rules"}), msgspec.msgpack.encode({"file": 1, "declarations": [{}]})]
)
def test_what_is_whole_and_something_else_is_made_anew(body: bytes, keeping: Path) -> None:
    """A checksum that fits does not make a tree of it."""
    good = parse_rules(RULES, "a.rules")
    (path,) = entries(keeping, "tree")
    path.write_bytes(cache._checksum(path, body) + b"\n" + body)
    assert parse_rules(RULES, "a.rules") == good


def test_an_entry_of_another_text_is_not_taken(keeping: Path) -> None:
    """Whole, of the right shape, and under the name of another one: an older tree does not become this one's."""
    parse_rules(OTHER, "a.rules")
    (other,) = entries(keeping, "tree")
    body = other.read_bytes()
    good = parse_rules(RULES, "a.rules")
    (path,) = (each for each in entries(keeping, "tree") if each != other)
    path.write_bytes(body)
    assert parse_rules(RULES, "a.rules") == good


def test_what_is_wrong_is_not_kept(keeping: Path) -> None:
    """Complaints are made each time."""
    for _ in range(2):
        assert parse_rules("kind kind kind\n", "a.rules")[1]
        assert parse_yaml("language: cs\nnames: [a]\n", "cs.yaml", "locale", DEFAULT_LIMITS)[1]
    assert entries(keeping, "tree") == entries(keeping, "document") == []


def test_what_is_used_stays_in_the_cache(keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often another file is saved meanwhile."""
    monkeypatch.setitem(cache.SMALL, "tree", 3)
    parse_rules(RULES, "a.rules")
    (used,) = entries(keeping, "tree")
    for number in range(6):
        os.utime(used, (number, number))  # long ago
        parse_rules(RULES, "a.rules")
        parse_rules(f"{OTHER}# {number}\n", "b.rules")
    assert used.exists()
    assert len(entries(keeping, "tree")) == 3


# -- and nobody notices


def same(path: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache, for the first time, from the cache, and from the memory of a session."""
    with monkeypatch.context() as patch:
        patch.setenv(cache.VARIABLE, "off")
        expected = told(path)
    assert told(path) == expected
    assert told(path) == expected
    with session.used(session.Session()):
        assert told(path) == expected
        assert told(path) == expected


@pytest.mark.parametrize("name", ["tic_tac_toe", *(pytest.param(name, marks=pytest.mark.slow) for name in SETS)])
def test_rulesets_are_complained_of_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    same(name, monkeypatch)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 4))])
def test_mistakes_are_complained_of_alike(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every mistake that the tests know, one after another in one folder, so that each is read beside what was kept of the one before."""
    monkeypatch.chdir(tmp_path)
    for entry in ENTRIES[part::4]:
        same(written(tmp_path, entry["wrong"]), monkeypatch)


def test_an_edit_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the layer and in what it stands over, with everything else kept."""
    shutil.copytree(ROOT / "tests" / "mistakes" / "ship", tmp_path / "ship")
    monkeypatch.chdir(tmp_path)
    clean = validate("ship").diagnostics
    rules = next((tmp_path / "ship").glob("*.rules"))
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text + "\neffect odd(): missing(1)\n", encoding="utf-8")
    assert any("missing" in one.message for one in validate("ship").diagnostics)
    rules.write_text(text, encoding="utf-8")
    assert validate("ship").diagnostics == clean


def test_what_somebody_types_is_not_kept(keeping: Path, tmp_path: Path) -> None:
    """Every keystroke would drive something out that is of use."""
    file = tmp_path / "lone.rules"
    text = "ruleset lone for 1 player\nphase play: end game\n"
    file.write_text(text, encoding="utf-8")
    typed = session.Session()
    typed.unsaved[str(file.resolve())] = text + "phase ending: nothing\n"
    with session.used(typed):
        assert validate(file).sound
    assert not list(keeping.glob("*.tree"))
    assert validate(file).sound
    assert len(list(keeping.glob("*.tree"))) == 1
