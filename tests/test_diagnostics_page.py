"""The page of diagnostics: every code is there as the catalogue has it, every example provokes it, every mended one does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from rulewright.codes import CODES
from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS
from rulewright.scenario import load_scenarios, run_scenario
from rulewright.validate import validate

PAGE = Path(__file__).parents[1] / "rulesets" / "DIAGNOSTICS.md"
HEADING = re.compile(r"## (?P<code>R\d{3}) · (?P<severity>\w+) · (?P<title>.+)")
NAME = re.compile(r"`(?P<name>[\w.]+)`")
SCENARIO = "scenario.yaml"
Files = dict[str, str]


class Section(msgspec.Struct):
    """What the page says of one code."""

    code: str
    severity: str
    title: str
    prose: str = ""
    wrong: Files = {}
    mended: Files = {}


def sections() -> list[Section]:
    """The sections of the page, in order."""
    found: list[Section] = []
    files: Files = {}
    name = ""
    block: list[str] | None = None
    for line in PAGE.read_text(encoding="utf-8").split("\n"):
        if block is not None:
            if line == "```":
                files[name or "example.rules"] = "\n".join(block) + "\n"
                name, block = "", None
            else:
                block.append(line)
        elif (heading := HEADING.fullmatch(line)) is not None:
            found.append(Section(**heading.groupdict(), wrong={}, mended={}))
        elif line in ("Wrong:", "Mended:"):
            files = found[-1].wrong if line == "Wrong:" else found[-1].mended
        elif (named := NAME.fullmatch(line)) is not None:
            name = named["name"]
        elif line.startswith("```"):
            assert line in ("```rules", "```yaml"), line
            block = []
        elif found and not line.startswith("# "):
            found[-1].prose += line
    return found


SECTIONS = sections()
SHOWN = [section for section in SECTIONS if section.wrong]


def complaints(folder: Path, files: Files) -> list[Diagnostic]:
    """What is said of the files: of the ruleset if there is a manifest, of the scenario if there is one, of the last file otherwise."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if SCENARIO in files:
        scenarios, found = load_scenarios(folder / SCENARIO)
        outcomes = [run_scenario(scenario) for scenario in scenarios]
        assert all(outcome.failure is None for outcome in outcomes)
        return [*found, *(one for outcome in outcomes for one in (*outcome.diagnostics, *outcome.warnings))]
    return validate(folder if "ruleset.yaml" in files else folder / list(files)[-1]).diagnostics


def told(found: list[Diagnostic]) -> list[str]:
    return [f"{one.span.file}:{one.span.line}: {one.code} {one.message}" for one in found]


def test_every_code_once_and_no_other() -> None:
    """The page and the catalogue list the same codes with the same severities and titles, in the same order of numbers."""
    listed = [(section.code, section.severity, section.title) for section in SECTIONS]
    assert listed == [(code, *CODES[code]) for code in sorted(CODES)]


def test_every_code_is_explained() -> None:
    """A section says what is meant, and shows both examples or says how the test makes one."""
    for section in SECTIONS:
        assert len(section.prose) > 30, section.code
        assert bool(section.wrong) == bool(section.mended), section.code
        assert bool(section.wrong) != (section.code in MADE), section.code


def test_limits_are_as_told() -> None:
    """The numbers of the section on limits are those that the program has."""
    limits = DEFAULT_LIMITS
    told_of = {
        "R601": (limits.file_bytes, limits.file_lines),
        "R602": (limits.line_characters, limits.line_tokens),
        "R603": (limits.brackets, limits.indentation, limits.ancestors, limits.yaml_depth, limits.else_ifs),
        "R604": (limits.components, limits.faces),
        "R605": (limits.shown_diagnostics,),
        "R606": (limits.files,),
    }
    prose = {section.code: section.prose for section in SECTIONS}
    assert [(code, number) for code, numbers in told_of.items() for number in numbers if f"{number:,}" not in prose[code]] == []


@pytest.mark.parametrize("section", SHOWN, ids=lambda section: section.code)
def test_a_wrong_example_provokes_its_code_alone(section: Section, tmp_path: Path) -> None:
    """The example provokes its code and no other error."""
    found = complaints(tmp_path / "wrong", section.wrong)
    assert {one.code for one in found if one.severity == "error" or one.code == section.code} == {section.code}, told(found)


@pytest.mark.parametrize("section", SHOWN, ids=lambda section: section.code)
def test_a_mended_example_is_not_complained_about(section: Section, tmp_path: Path) -> None:
    """The mended example is not complained about at all."""
    assert told(complaints(tmp_path / "mended", section.wrong | section.mended)) == []


def not_utf8(folder: Path) -> Path:
    (folder / "a.rules").write_bytes(b"kind token\n# \xff\n")
    return folder / "a.rules"


def written(text: str) -> Callable[[Path], Path]:
    """An example that is one long rules file."""

    def make(folder: Path) -> Path:
        (folder / "a.rules").write_text(text)
        return folder / "a.rules"

    return make


def manifest(more: str) -> Callable[[Path], Path]:
    """An example that is one long manifest."""

    def make(folder: Path) -> Path:
        (folder / "a.rules").write_text("phase play: end game\n")
        (folder / "ruleset.yaml").write_text(f'id: a\ntitle: A\nversion: "1"\n{more}')
        return folder

    return make


# Many unknown keys are many complaints of another code; only the last one is that there are too many.
def shared(folder: Path) -> Path:
    """A game that does not say what a ruleset leaves to it."""
    for name, manifest_, text in (
        ("club", "shared_by: [chess]\n", "number goal, each game says its own\nphase play: if goal > 1: end game\n"),
        ("chess", "parents: [../club]\nplayers: {min: 1, max: 2}\n", "after play: end game\n"),
    ):
        (folder / name).mkdir()
        (folder / name / "ruleset.yaml").write_text(f'id: {name}\ntitle: T\nversion: "1"\nfiles: [a.rules]\n{manifest_}', encoding="utf-8")
        (folder / name / "a.rules").write_text(text, encoding="utf-8")
    return folder / "chess"


MADE: dict[str, Callable[[Path], Path]] = {
    "R107": not_utf8,
    "R315": shared,
    "R601": written(" " * 1_000_001),
    "R602": written(f'kind token\ntoken coin "{"o" * 2_000}"\n'),
    "R603": written(f"value deep: {'(' * 50}1{')' * 50}\nphase play: if deep = 1: end game\n"),
    "R604": written("kind token\ntoken coin x50000\nphase play: end game\n"),
    "R605": manifest("files: [a.rules]\n" + "".join(f"key_{number}: 1\n" for number in range(6_000))),
    "R606": manifest("files:\n" + "".join(f"  - a{number}.rules\n" for number in range(500))),
}
COMPANIONS = {"R605": {"R204"}, "R606": {"R201"}}


@pytest.mark.parametrize("code", MADE)
def test_what_is_too_large_for_the_page_provokes_its_code(code: str, tmp_path: Path) -> None:
    """What is too large for the page provokes its code."""
    found = validate(MADE[code](tmp_path)).diagnostics
    assert {one.code for one in found if one.severity == "error"} - COMPANIONS.get(code, set()) == {code}, told(found)[:20]
