"""What is kept of rules between runs: found again if nothing has changed, made anew if anything has, and never trusted because it is there."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rulewright import Rules, RulesetError, build, cache, kept_rules, load
from rulewright.wasm import compile, plan
from rulewright_tools.cli import main
from tests.playing import ROOT, rules_of

GAME = (ROOT / "rulesets/examples/tic_tac_toe/tic_tac_toe.rules").read_text(encoding="utf-8")
HEADER = 'ruleset kept "Kept"\n'


@pytest.fixture
def rules(tmp_path: Path, keeping: Path) -> Rules:
    """Rules that have been played once."""
    found = rules_of(tmp_path, HEADER + GAME, engine="wasm")
    found.new_game(2)
    assert {path.suffix for path in keeping.iterdir()} >= {".rules", ".module"}
    return found


def nothing_is_made(patch: pytest.MonkeyPatch) -> None:
    """From here on nothing can be built, lowered or compiled."""

    def made(*_: object) -> Any:
        raise AssertionError

    patch.setattr(build, "build_sources", made)
    patch.setattr(compile, "Compilation", made)


def played(rules: Rules) -> tuple[object, ...]:
    """How a game goes."""
    game, dice = rules.new_game(2, seed=3), random.Random(1)
    while game.decision is not None:
        game.choose(dice.randrange(len(game.decision.options)))
    return game.result, game.choices, game.log()


def entries(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.suffix in (".rules", ".module")]


def test_what_was_kept_is_the_same(rules: Rules, tmp_path: Path) -> None:
    """Nothing is made again, the game is the same, and what is not kept is made when somebody asks."""
    with pytest.MonkeyPatch.context() as patch:
        nothing_is_made(patch)
        again = load(tmp_path / "game.rules", engine="wasm")
        assert played(again) == played(rules)
    assert again.graph == rules.graph
    assert again.program == rules.program
    assert again.texts == rules.texts
    assert again.fingerprint == rules.fingerprint
    assert again.built.linked == rules.built.linked
    assert played(load(tmp_path / "game.rules", engine="step")) == played(rules)


@pytest.mark.parametrize("damage", [lambda body: body[:-9], lambda body: b"", lambda body: body[:500] + b"?" + body[501:], lambda body: body + b"\n"])
def test_what_is_damaged_is_made_anew(damage: Callable[[bytes], bytes], rules: Rules, keeping: Path, tmp_path: Path) -> None:
    """Whatever has happened to a file: it is ignored, and written again."""
    before = {path: path.read_bytes() for path in entries(keeping)}
    for path, body in before.items():
        path.write_bytes(damage(body))
    assert played(load(tmp_path / "game.rules", engine="wasm")) == played(rules)
    assert {path: cache.read(path) is not None for path in before} == dict.fromkeys(before, True)


@pytest.mark.parametrize("body", [b"", b"\x00" * 40, msgspec.msgpack.encode({"graph": {}}), b"\x05" + b"\x00" * 7 + msgspec.msgpack.encode([1, 2])])
def test_what_is_whole_and_something_else_is_made_anew(body: bytes, rules: Rules, keeping: Path, tmp_path: Path) -> None:
    """The checksum is right, but it is not what belongs there."""
    for path in entries(keeping):
        cache.write(path, body)
    assert played(load(tmp_path / "game.rules", engine="wasm")) == played(rules)


def test_a_module_of_other_settings_is_made_anew(rules: Rules, keeping: Path, tmp_path: Path) -> None:
    """Wasmtime itself says that it was made for something else."""
    import wasmtime

    path = next(path for path in entries(keeping) if path.suffix == ".module")
    other = wasmtime.Config()
    other.consume_fuel = True
    instance = rules.instance(2)
    foreign = wasmtime.Module(wasmtime.Engine(other), b"\0asm\1\0\0\0")
    plan.write(path, instance.plan, foreign)
    assert plan.read(path, plan.wasm_engine()) is None
    assert played(load(tmp_path / "game.rules", engine="wasm")) == played(rules)
    assert plan.read(path, plan.wasm_engine()) is not None


def test_a_change_makes_other_entries(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the text, of the interpreter's source, of the settings, and of the number of words that had numbers already."""
    path = kept_rules.entry_path(rules.built.sources)
    linked = rules.linked(2)
    module = plan.entry_path(linked)
    (tmp_path / "game.rules").write_text(HEADER + GAME.replace("3)", "2)"), encoding="utf-8")
    changed = load(tmp_path / "game.rules", engine="wasm")
    assert changed.graph != rules.graph
    assert kept_rules.entry_path(changed.built.sources) != path
    assert plan.entry_path(changed.linked(2)) != module
    linked.word("another")
    assert plan.entry_path(linked) != module
    monkeypatch.setattr(plan, "LEVEL", "none")
    assert plan.entry_path(changed.linked(2)) != plan.entry_path(rules.linked(2))
    monkeypatch.setattr(cache, "program_mark", lambda: "another")
    assert kept_rules.entry_path(rules.built.sources) != path


@pytest.mark.parametrize("how", ["off", "others write", "no folder"])
def test_without_a_cache_everything_works(how: str, tmp_path: Path, keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read and nothing written where others can write, or where no folder can be."""
    if how == "off":
        monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    elif how == "others write":
        keeping.mkdir()
        keeping.chmod(0o777)
    else:
        keeping.write_text("a file")
    rules = rules_of(tmp_path, HEADER + GAME, engine="wasm")
    assert rules.new_game(2).decision is not None
    assert how != "others write" or not list(keeping.iterdir())


def test_mistakes_are_told_every_time(keeping: Path, tmp_path: Path) -> None:
    """Rules with mistakes are not kept."""
    for _ in range(2):
        with pytest.raises(RulesetError, match="R3"):
            rules_of(tmp_path, HEADER + GAME + "effect wrong():\n    missing(1)\n", engine="wasm")
    assert not keeping.exists() or not entries(keeping)


def test_scenarios_go_alike_by_what_was_kept(keeping: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a cache, for the first time, by what was kept, and by what is damaged; the second time nothing is lowered."""
    line = ["test", "tic_tac_toe", "--json"]

    def told() -> tuple[int, str]:
        return main(line), capsys.readouterr().out

    with monkeypatch.context() as patch:
        patch.setenv(cache.VARIABLE, "off")
        expected = told()
    assert told() == expected
    assert entries(keeping)
    with monkeypatch.context() as patch:
        patch.setattr("rulewright.core.lower.lower", lambda *_: pytest.fail("lowered again"))
        patch.setattr("rulewright.build.lower", lambda *_: pytest.fail("lowered again"))
        assert told() == expected
    for path in entries(keeping):
        path.write_bytes(path.read_bytes()[:-7])
    assert told() == expected
