"""Verdicts that are kept: a ruleset is checked again whenever anything that belongs to it has changed, and never without need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulewright.validate
from rulewright import cache, kept_verdicts
from rulewright.sources.reading import Reading
from rulewright_tools.cli import main

MANIFEST = """\
id: game
title: Game
version: "1.0.0"
description: One lamp.
players: {min: 1, max: 2}
languages: [en, cs]
options:
  bright: {values: ["no", "yes"], default: "no", description: Whether it is bright.}
files: [game.rules]
staging: {files: [staging.rules]}
parts:
  more: {files: [more.rules], default: "off", description: More.}
"""
FILES = {
    "game/ruleset.yaml": MANIFEST,
    "game/game.rules": 'kind lamp:\n    lit: flag\n\nlamp torch "Torch"\n\nphase play:\n    set torch.lit to true\n    if torch.lit: end game\n    end game\n',
    "game/more.rules": "after play:\n    set torch.lit to false\n",
    "game/staging.rules": "effect darken(): set torch.lit to false\n",
    "game/locale/cs.yaml": "language: cs\nnames:\n  torch: Louč\n",
    "game/scenarios/lamps.yaml": "name: A lamp\nplayers: 1\nthen:\n  - torch is lit\n",
    "mine.rules": 'layer mine over game "Mine"\n\nbefore play: set torch.lit to false\n',
}


@pytest.fixture
def folder(tmp_path: Path, keeping: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game and a layer, in which nothing is wrong, and which have been checked."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "mine"]) == 0
    return tmp_path


def checked(patch: pytest.MonkeyPatch, *line: str) -> bool:
    """Whether something is checked again."""
    calls = []
    usual = rulewright.validate.validate_read
    with patch.context() as inner:
        inner.setattr(rulewright.validate, "validate_read", lambda *given: (calls.append(given), usual(*given))[-1])  # type: ignore[func-returns-value]
        main(["validate", *line])
    return bool(calls)


def test_what_is_without_a_problem_is_not_checked_again(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And the same is said, in every form."""
    assert not checked(monkeypatch, "mine")
    assert capsys.readouterr().out == "mine: no problems\n"
    for form in ("line", "json", "sarif"):
        with monkeypatch.context() as patch:
            patch.setenv(cache.VARIABLE, "off")
            main(["validate", "mine", "--format", form])
        expected = capsys.readouterr().out
        assert not checked(monkeypatch, "mine", "--format", form)
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize("name", [*FILES, "game/stray.rules", "game/table.yaml", "game/locale/ru.yaml"])
def test_whatever_has_changed_it_is_checked_again(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are read only with a part on, or for scenarios, and files that have come, too."""
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + "# more\n" if path.exists() else "# new\n", encoding="utf-8")
    assert checked(monkeypatch, "mine")


@pytest.mark.parametrize(
    "name", ["game/more.rules", "game/staging.rules", "game/game.rules", "game/locale/cs.yaml", "game/scenarios/lamps.yaml", "mine.rules"]
)
def test_a_mistake_is_found_wherever_it_is_made(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After a verdict as before; and it is found each time."""
    path = folder / name
    text = path.read_text(encoding="utf-8").replace("torch.lit", "torhc.lit").replace(": cs", ": torhc").replace("\nplayers: 1\n", "\ntorhc: 1\n")
    path.write_text(text, encoding="utf-8")
    for _ in range(2):
        main(["validate", "mine"])
        assert "torhc" in capsys.readouterr().out


def test_other_options_and_layers_are_another_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checked(monkeypatch, "mine", "--option", "bright=yes")
    assert checked(monkeypatch, "game")
    assert checked(monkeypatch, "game", "--layer", "mine")
    assert not checked(monkeypatch, "game", "--layer", "mine")
    monkeypatch.setattr(cache, "program_mark", lambda: "another version")
    assert checked(monkeypatch, "mine")


def test_a_stage_is_always_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["validate", "mine", "--dump", "core"]) == 0
    assert "unit 'play'" in capsys.readouterr().out


@pytest.mark.parametrize("damage", [lambda body: body[:-2], lambda body: b"", lambda body: body.replace(b"nothing", b"nothinG")])
def test_a_damaged_verdict_is_none(damage: Callable[[bytes], bytes], folder: Path, keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = keeping.glob("*.verdict")
    path.write_bytes(damage(path.read_bytes()))
    assert checked(monkeypatch, "mine")
    assert not checked(monkeypatch, "mine")


def test_warnings_are_told_every_time(folder: Path, keeping: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept of rules of which anything was said."""
    (folder / "mine.rules").write_text(FILES["mine.rules"] + "\neffect unused(): nothing\n", encoding="utf-8")
    assert checked(monkeypatch, "mine")
    assert checked(monkeypatch, "mine")


def test_what_is_changed_while_it_is_checked_is_not_kept(folder: Path) -> None:
    """The verdict is about what was checked, not about what was there before."""
    (folder / "mine.rules").write_text(FILES["mine.rules"] + "# more\n", encoding="utf-8")
    found = kept_verdicts.verdict(Reading("mine"))
    found.keep({**found.texts, "mine.rules": "something else"})
    assert not found.flawless
    found.keep(found.texts)
    assert found.flawless
