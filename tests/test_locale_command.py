"""The command `locale`: a translation is begun, goes on, and loses nothing; and what `--language` shows of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rulewright import load
from rulewright_tools.cli import main
from tests.test_languages import CZECH, INN, MANIFEST, written


@pytest.fixture
def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The inn, without any translation."""
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "inn", {})


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out = capsys.readouterr()
    return out.out + out.err


def test_a_translation_is_begun(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything that can be translated waits in a file that is valid as it is; doing it again changes nothing."""
    assert said(capsys, "locale", "inn", "cs") == "inn/locale/cs.yaml: 0 translated, 22 missing (15 names, 3 words, 4 texts)\n"
    file = inn / "locale" / "cs.yaml"
    text = file.read_text(encoding="utf-8")
    assert "  #? bard: Bard\n" in text
    assert '  #? "Go to bed, {player}": "Go to bed, {player}"\n' in text
    assert yaml.safe_load(text) == {"language": "cs", "names": None, "words": None, "texts": None}
    assert said(capsys, "validate", "inn") == "inn: no problems\n"
    said(capsys, "locale", "inn", "cs")
    assert file.read_text(encoding="utf-8") == text


def test_a_translation_goes_on(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is translated stays, with comments and order; what is missing is listed where it belongs; what is gone is put aside, and comes back."""
    file = inn / "locale" / "cs.yaml"
    file.parent.mkdir()
    file.write_text(
        'language: cs\n# Things\nnames:\n  # in the loft\n  penny: Groš  # or Peníz\n  cook: Kuchař\n  bard: "Bard: Vít"\n', encoding="utf-8"
    )
    assert (
        said(capsys, "locale", "inn", "cs") == "inn/locale/cs.yaml: 2 translated, 20 missing (13 names, 3 words, 4 texts), 1 no longer in the rules\n"
    )
    lines = file.read_text(encoding="utf-8").split("\n")
    assert lines[:7] == ["language: cs", "# Things", "names:", "  # in the loft", "  penny: Groš  # or Peníz", "  #: inn.rules", "  #? luck: luck"]
    assert "  #~ cook: Kuchař" in lines
    assert '  bard: "Bard: Vít"' in lines
    (inn / "inn.rules").write_text(INN + 'guest cook "Cook" in loft\n')
    assert "no longer" not in said(capsys, "locale", "inn", "cs")
    assert "  cook: Kuchař" in file.read_text(encoding="utf-8").split("\n")


def test_nothing_is_missing(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A section in braces is written below its name; --check tells by its exit whether there is anything to do, and writes nothing."""
    file = written(inn, {"locale/cs.yaml": CZECH}) / "locale" / "cs.yaml"
    assert "  names: guest.gold (field, inn/inn.rules)\n" in said(capsys, "locale", "inn", "cs", "--check", "--list", code=1)
    assert file.read_text(encoding="utf-8") == CZECH
    said(capsys, "locale", "inn", "cs")
    text = file.read_text(encoding="utf-8")
    assert "words:\n  merry: veselá\n  sad: smutná\n  bad: smůla\n" in text
    file.write_text(text.replace("  #? ", "  "), encoding="utf-8")
    assert said(capsys, "locale", "inn", "cs", "--check") == "inn/locale/cs.yaml: 22 translated, nothing missing\n"


def test_a_state_is_translated_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What the table remembers waits under its own name, which a locale may say, and stories tell it so."""
    monkeypatch.chdir(tmp_path)
    rules = INN + "state round: number = 1\nbefore play: increase round by 1\n"
    file = written(tmp_path / "inn", {"inn.rules": rules}) / "locale" / "cs.yaml"
    said(capsys, "locale", "inn", "cs")
    text = file.read_text(encoding="utf-8")
    assert "  #? round: round\n" in text
    assert "#table" not in text
    file.write_text(text.replace("  #? round: round", "  round: kolo"), encoding="utf-8")
    assert said(capsys, "validate", "inn") == "inn: no problems\n"
    game = load("inn").new_game(seed=1)
    while (ask := game.decision) is not None:
        game.choose(ask.options[0])
    assert "Stůl: kolo 1 → 2." in [line.text for line in game.story(language="cs")]


def test_what_a_layer_builds_on_is_told(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what a layer says itself is in its own file."""
    late = inn.parent / "late"
    late.mkdir()
    (late / "ruleset.yaml").write_text('id: late\ntitle: L\nversion: "1"\nparents: [../inn]\nfiles: [late.rules]\n')
    (late / "late.rules").write_text('guest monk "Monk" in loft\n')
    told = "late/locale/cs.yaml: 0 translated, 1 missing (1 name)\n  of 'inn', which it builds on, 22 missing: rulewright locale inn cs\n"
    assert said(capsys, "locale", "late", "cs", "--check", code=1) == told
    assert said(capsys, "locale", "inn", "cs", "--layer", "late", "--check", code=1) == told


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("inn", "czech"), 2, "'czech' is no language; write a tag such as cs or pt-BR"),
        (("inn", "en"), 2, "'inn' is written in 'en' itself"),
        (("nowhere", "cs"), 2, "nowhere"),
        (("lone", "cs"), 2, "'lone' is a lone file, and has no folder for a translation"),
        (("broken", "cs"), 1, "R301"),
        (("odd", "cs"), 1, "R205"),
    ],
)
def test_what_cannot_be_translated(inn: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, message: str) -> None:
    """A language that is none, no such ruleset, mistakes in it or in its locale: told, and nothing is written."""
    (inn.parent / "lone.rules").write_text("ruleset lone\nphase play: end game\n")
    written(inn.parent / "broken", {"ruleset.yaml": MANIFEST.replace("inn\n", "broken\n", 1), "inn.rules": "phase play: sng()\n"})
    odd = written(inn.parent / "odd", {"ruleset.yaml": MANIFEST.replace("inn\n", "odd\n", 1), "locale/cs.yaml": "language: cs\nnames: [bard]\n"})
    assert message in said(capsys, "locale", *arguments, code=code)
    assert (odd / "locale" / "cs.yaml").read_text() == "language: cs\nnames: [bard]\n"
    assert not (inn / "locale").exists()


def test_a_folder_that_cannot_be_written_to(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file where the folder would be."""
    (inn / "locale").write_text("")
    assert "cannot write 'inn/locale/cs.yaml'" in said(capsys, "locale", "inn", "cs", code=2)


def test_commands_speak_another_language(inn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`run`, `replay` and `explain` know --language, and refuse one that there is not."""
    written(inn, {"locale/cs.yaml": CZECH})
    told = said(capsys, "run", "inn", "--players", "2", "--seed", "1", "--language", "cs", "--log", "evening.json")
    assert "Hráč 1 volí: " in told
    assert "Bard Vít" in told
    assert "Player" not in told.split("\n", 1)[1]
    assert "Hráč 1 volí: " in said(capsys, "replay", "evening.json", "--language", "cs")
    assert "the same log" in said(capsys, "replay", "evening.json", "--verify", "--language", "cs")
    assert said(capsys, "explain", "inn", "bard", "--language", "cs").startswith("guest bard “Bard Vít” (of inn)")
    for command in (("run", "inn"), ("replay", "evening.json"), ("explain", "inn", "bard")):
        assert "'inn' has no translation into 'de'; there are: en, cs, ru" in said(capsys, *command, "--language", "de", code=2)
