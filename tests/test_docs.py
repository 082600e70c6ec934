"""`rulewright docs`: what stands in the page of a ruleset, and what the command refuses."""

from __future__ import annotations

import ast
import os
import re
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest

from rulewright import load
from rulewright import tree as t
from rulewright.catalog import program_locales
from rulewright.rules import RulesetError
from rulewright_tools.cli import main
from rulewright_tools.docs.book import book
from rulewright_tools.docs.declarations import TOLD
from rulewright_tools.docs.entries import grouped
from rulewright_tools.docs.hooks import HOOKS
from rulewright_tools.docs.kinds import MEMBERS
from rulewright_tools.docs.phrases import PHRASES
from rulewright_tools.docs.sentences import SENTENCES
from rulewright_tools.docs.words import PAGE
from tests.playing import ROOT

INN = """\
# An inn, and what it costs to stay there.

ruleset inn "The Inn" for 2 players

# ---- rooms ----

kind room is place:
    bright: flag

# The one with the fireplace.
room parlour "<b>Parlour</b>":
    bright

number rent = 3

die luck "Luck": 1, 2, red

# Somebody stays, if there is a room.
effect stay(who: player, there: room):
    let face = roll luck
    if there.bright and rent > 2: log "{who} stays in {there}."
    else: leave_again(who)

effect leave_again(who: player):
    who chooses one:
        "Go" when not parlour.bright: nothing
        "Sleep outside": win who

phase play:
    step arrive:
        for each player in players: stay(player, parlour)
    end game
"""
DARK = """\
layer dark over inn "Dark nights"

# It is dark.
effect fall_asleep(): nothing

set rent to 5

replace effect leave_again(who: player):
    lose who

insert step sleep after play.arrive:
    fall_asleep()

instead of stay(who, there) when rent = 4: nothing
"""


class Page(HTMLParser):
    """A page taken apart: the text of every element that has an id, and what is not closed as it should be."""

    VOID = frozenset({"meta", "input", "br", "rect", "path", "line", "circle"})

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.texts: dict[str, str] = {}
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.tags: set[str] = set()
        self.wrong: list[str] = []
        self.feed(markup)
        self.wrong += [tag for tag, _ in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if (id := given.get("id")) is not None:
            self.ids.append(id)
        if (link := given.get("href") or "").startswith("#"):
            self.links.add(link[1:])
        if tag not in self.VOID:
            self.open.append((tag, given.get("id") or ("says" if given.get("class") in ("says as-is", "place") else "")))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.VOID:
            return
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"/{tag}")
        else:
            if tag in ("td", "th", "li", "p", "h2", "h3", "h4", "div", "summary", "dt"):
                self.handle_data(" ")
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(id == "says" for _, id in self.open):
            self.texts["prose"] = self.texts.get("prose", "") + data
        for _, id in self.open:
            if id and id != "says":
                self.texts[id] = self.texts.get(id, "") + data

    def said(self, id: str) -> str:
        """What can be read at an anchor."""
        return " ".join(self.texts[id].split())


def inn(folder: Path, layer: str = "") -> Page:
    """The page of the inn."""
    (folder / "inn.rules").write_text(INN, encoding="utf-8")
    (folder / "dark.rules").write_text(layer, encoding="utf-8")
    return Page(book(load(str(folder / "inn.rules"), [str(folder / "dark.rules")] if layer else [])))


@cache
def text_of(name: str) -> str:
    """The page of a ruleset that stays as it is."""
    return book(load(name))


@cache
def page_of(name: str) -> Page:
    """The same, taken apart."""
    return Page(text_of(name))


# -- what is said


def test_rules_are_in_words(tmp_path: Path) -> None:
    """Labels, not names; comments as notes; choices, tests and calls as sentences."""
    page = inn(tmp_path)
    stay = page.said("effect.stay")
    assert "Stay rule" in stay
    assert "Somebody stays, if there is a room." in stay
    assert "about who (player) and there (room)" in stay
    assert "roll Luck: face is what it shows" in stay
    assert "if there is bright and 3 is more than 2: who stays in there." in stay
    assert "otherwise: leave again (who)" in stay
    again = page.said("effect.leave_again")
    assert "who chooses one:" in again
    assert "Go if <b>Parlour</b> is not bright: nothing happens" in again
    assert "Sleep outside: who wins" in again
    assert "for each player: stay (player, <b>Parlour</b>)" in page.said("phase.play")


def test_components_are_cards(tmp_path: Path) -> None:
    """With what is printed on them, and counted in the box; dice with their faces; the board with its places."""
    page = inn(tmp_path)
    assert "The one with the fireplace." in page.said("component.parlour")
    assert "bright" in page.said("component.parlour")
    assert "Rooms 1 1" in page.said("components")
    assert "Luck" in page.said("components")
    tic = page_of("tic_tac_toe")
    assert "X ×5" in tic.said("component.cross") or "X×5" in tic.said("component.cross")
    assert "Marks 2 9" in tic.said("components")
    assert "svg" in tic.tags
    assert "Turn" in tic.said("flow")


def test_chapters_are_the_files(tmp_path: Path) -> None:
    """With what a file begins with, and its headings."""
    page = inn(tmp_path)
    assert "An inn, and what it costs to stay there." in page.said("subject-inn")
    assert page.said("subject-inn-0").startswith("Rooms")


def test_what_layers_do_is_marked(tmp_path: Path) -> None:
    """New, changed with what it was, put in, and hooked."""
    page = inn(tmp_path, DARK)
    assert "added by Dark nights" in page.said("effect.fall_asleep")
    again = page.said("effect.leave_again")
    assert "changed by Dark nights" in again
    assert re.search(r"who loses.*Before.*who chooses one", again)
    assert re.search(r"5.*Before.*3", page.said("number.rent"))
    assert "Dark nights" in page.said("phase.play")
    assert "Before" not in page.said("phase.play")  # nothing was replaced in it
    assert "instead of Stay (who, there) if 5 is 4: nothing happens" in page.said("subject-dark").replace("stay", "Stay")
    assert "Dark nights" not in page.said("component.parlour")


@pytest.mark.slow
def test_what_layers_took_out_is_told() -> None:
    """With what it said."""
    page = page_of("carnomorphs")
    assert "removed by Nemesis: Carnomorphs" in page.said("removed")
    assert "changed by Nemesis: Carnomorphs" in page.said("effect.encounter")


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "hex", "whist", "blight", "base", *(pytest.param(name, marks=pytest.mark.slow) for name in ("carnomorphs", "lockdown"))]
)
def test_pages_are_whole(name: str) -> None:
    """Every element is closed, no anchor is there twice, every link leads somewhere, everything that has a name has a place; no name of the rules is left raw."""
    rules, page = load(name), page_of(name)
    assert page.wrong == []
    assert len(page.ids) == len(set(page.ids))
    assert page.links - set(page.ids) == set()
    linked = rules.built.linked
    assert linked is not None
    shown = {f"{item.what}.{item.path}" for item in linked.items.values() if item.declaration.span.file in rules.built.trees}
    assert shown - set(page.ids) == set()
    assert re.findall(r"\b[a-z]+_[a-z_]+\b", page.texts["prose"]) == []


def test_whatever_can_be_written_can_be_read() -> None:
    """Every word of the language, as the examples of its features have them."""
    seen = 0
    for file in sorted((ROOT / "tests" / "language").glob("*/good/*.rules")):
        try:
            rules = load(str(file))
        except RulesetError:  # one that only stands beside another
            continue
        page = Page(book(rules))
        assert page.wrong == [], file
        assert len(page.ids) == len(set(page.ids)), file
        assert page.links - set(page.ids) == set(), file
        assert re.findall(r"\b[a-z]+_[a-z_]+\b", page.texts["prose"]) == [], file
        seen += 1
    assert seen > 50


def test_citations_stand_beside_rules() -> None:
    """By their numbers, with what the rulebook says; each can be searched for."""
    text = text_of("base")
    found = re.search(r'<article class="entry find rule" id="effect\.noise_roll" data-find="([^"]*)"', text)
    assert found is not None
    assert "base.noise.4" in found[1].split()
    said = page_of("base").said("effect.noise_roll")
    assert "Rulebook: base.noise.1, 3–5, 8–9; base.slime.2" in said
    assert "A Noise roll is one throw of a Noise die" in said
    assert grouped(["a.b.1", "a.b.2", "a.b.3", "a.c.1", "a.b.5", "a.b.x"]) == "a.b.1–3; a.c.1; a.b.5, x"


def test_another_language() -> None:
    """Names and texts as the locale has them, headings as the page has them; a language that is not there is refused."""
    page = Page(book(load("base"), "cs"))
    assert "Zbrojní sklad" in page.said("component.armory")
    assert page.said("board").startswith("Herní plán")
    assert main(["docs", "base", "--language", "xx", "--out", "-"]) == 2


# -- tables are complete


def test_everything_in_the_tree_can_be_said() -> None:
    """Every expression, statement, declaration and hook has its words."""
    assert set(get_args(t.Expr)) == set(PHRASES)
    assert set(get_args(t.Statement)) == set(SENTENCES)
    assert set(get_args(t.Hook)) | {t.RuleDecl} == set(HOOKS)
    of_layers = {t.Header, t.Replace, t.ReplaceIn, t.Remove, t.Insert, t.Change, t.AddTo, t.AddWords, t.More, t.LeftOpen}
    assert set(get_args(t.Declaration)) - of_layers - {t.RuleDecl} <= set(TOLD)
    silent = {t.FieldDecl, t.FieldLine, t.PlaceDecl, t.KindLine, t.Cite, t.Source, t.Was, t.OneForEach}
    assert set(get_args(t.Member)) == set(MEMBERS) | silent


def test_the_words_of_the_page_are_translated() -> None:
    """All that it says, in every language of the program."""
    said = {
        "added",
        "changed",
        "removed",
        "phase",
        "action",
        "cost",
        "kind",
        "place",
        "number",
        "words",
        "grid",
        "die",
        "track",
        "state",
        "yes",
        "no",
    }
    said |= {"rule", "term"}
    for path in (ROOT / "tools" / "rulewright_tools" / "docs").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "say" and node.args:
                said |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()  # type: ignore[arg-type]
            if isinstance(node, ast.FunctionDef) and path.name == "book.py" and node.name == "_words":
                dictionary = next(each for each in ast.walk(node) if isinstance(each, ast.Dict))
                said |= {value.value for value in dictionary.values if isinstance(value, ast.Constant)}  # type: ignore[misc]
    assert set(PAGE) == set(program_locales())
    for language, words in PAGE.items():
        assert set(words) == said, language


# -- files, and what is wrong


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Here, in a folder, under a name, or on the standard output; the same again is written over, anything else is not."""
    monkeypatch.chdir(tmp_path)
    assert main(["docs", "tic_tac_toe"]) == 0
    assert capsys.readouterr().out == "Written: tic_tac_toe.html\n"
    assert main(["docs", "tic_tac_toe"]) == 0
    (tmp_path / "folder").mkdir()
    assert main(["docs", "base", "--layer", "chapel", "--out", "folder"]) == 0
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["base+chapel.html"]
    capsys.readouterr()
    assert main(["docs", "tic_tac_toe", "--out", "-"]) == 0
    assert capsys.readouterr().out == (tmp_path / "tic_tac_toe.html").read_text(encoding="utf-8")
    diary = tmp_path / "diary.html"
    diary.write_text("Dear diary", encoding="utf-8")
    for given in (["--out", "diary.html"], ["--out", "nowhere/page.html"], ["--out", "book.pdf"]):
        assert main(["docs", "tic_tac_toe", *given]) == 2
    errors = capsys.readouterr().err
    assert "'diary.html' was not made by this command; --force writes over it" in errors
    assert "there is no folder 'nowhere'" in errors
    assert "'book.pdf' is to be a page of HTML; --pdf book.pdf alone prints one" in errors
    assert not (tmp_path / "book.pdf").exists()
    assert diary.read_text(encoding="utf-8") == "Dear diary"
    assert main(["docs", "tic_tac_toe", "--out", "diary.html", "--force"]) == 0
    assert diary.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason is told, and nothing is left behind."""
    tmp_path.chmod(0o500)
    assert main(["docs", "tic_tac_toe", "--out", str(tmp_path / "page.html")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same; what was there is still there."""
    file = tmp_path / "page.html"
    assert main(["docs", "tic_tac_toe", "--out", str(file)]) == 0
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["docs", "tic_tac_toe", "--out", str(file)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_bad_rulesets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written of a ruleset that is not there, or has mistakes."""
    monkeypatch.chdir(tmp_path)
    assert main(["docs", "no_such_ruleset"]) == 2
    broken = tmp_path / "broken.rules"
    broken.write_text('ruleset broken "Broken" for 2 players\n\nphase play: nonsense(\n', encoding="utf-8")
    assert main(["docs", "broken.rules"]) == 1
    assert "broken.rules:3" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [broken]


def test_without_a_browser_there_is_no_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so; a PDF that is somebody else's stays."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["docs", "tic_tac_toe", "--pdf", str(tmp_path / "a.pdf")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "--pdf needs a Chromium" in error
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    assert main(["docs", "tic_tac_toe", "--pdf", str(tmp_path / "a.pdf")]) == 2
    assert "did not print the page" in capsys.readouterr().err
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4 mine")
    assert main(["docs", "tic_tac_toe", "--pdf", str(tmp_path / "b.pdf")]) == 2
    assert (tmp_path / "b.pdf").read_bytes() == b"%PDF-1.4 mine"


@pytest.mark.slow
def test_a_huge_ruleset(tmp_path: Path) -> None:
    """Thousands of rules, and one that is deep: a page all the same."""
    rules = "".join(f'kind k{n}\n\nk{n} c{n} "Card {n}" x3\n\neffect e{n}(who: player):\n    e{n + 1}(who)\n\n' for n in range(1500))
    deep = "".join(f"{'    ' * n}if 1 = 1:\n" for n in range(1, 20)) + "    " * 20 + "end game\n"
    text = f'ruleset huge "Huge" for 2 players\n\n{rules}effect e1500(who: player): nothing\n\nphase play:\n{deep}    end game\n'
    (tmp_path / "huge.rules").write_text(text, encoding="utf-8")
    page = Page(book(load(str(tmp_path / "huge.rules"))))
    assert page.wrong == []
    assert "e 1500" in unescape(page.said("effect.e1499")) or "e1500" in page.said("effect.e1499")
