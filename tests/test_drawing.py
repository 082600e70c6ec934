"""The empty board as a drawing."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright import load
from rulewright_tools.table import Layout, board_svg

SVG = "{http://www.w3.org/2000/svg}"
NASTY = """\
ruleset yards "Yards" for 2 players

kind yard is place
kind path links yard, yard:
    width: 1..9

yard one "<b>One</b> & \\"two\\""
yard two "Two"
yard three "Three, which has a name that is much too long for what it is written on and goes on"
path first from one to two: width 4
path second from two to three: width 7

phase play: end game
"""


def drawn(name: str, alone: bool = True) -> tuple[str, ElementTree.Element]:
    """A board as text and as a tree."""
    rules = load(name)
    text = board_svg(Layout(rules, rules.usual_players), title=rules.title(), alone=alone)
    return text, ElementTree.fromstring(text)


@pytest.mark.parametrize(("name", "spots", "ways"), [("tic_tac_toe", 9, 0), ("hex", 121, 0), ("blight", 12, 15), ("base", 21, 28)])
def test_every_spot_and_way_is_drawn(name: str, spots: int, ways: int) -> None:
    """Once, inside what the drawing covers."""
    _, tree = drawn(name)
    groups = [group for group in tree.iter(f"{SVG}g") if (group.get("class") or "").split()[:1] == ["spot"]]
    assert len(groups) == spots
    assert len(list(tree.iter(f"{SVG}line"))) == ways
    left, top, width, height = map(float, tree.get("viewBox", "").split())
    for group in groups:
        x, y = map(float, (group.get("transform") or "").removeprefix("translate(").rstrip(")").split())
        assert left < x < left + width
        assert top < y < top + height


def test_names_are_text(tmp_path: Path) -> None:
    """Whatever a ruleset calls its places; long names are cut, and what is printed on ways is there."""
    file = tmp_path / "yards.rules"
    file.write_text(NASTY, encoding="utf-8")
    text, tree = drawn(str(file))
    assert "<b>" not in text
    said = ["".join(each.itertext()) for each in tree.iter(f"{SVG}text")]
    assert [word for word in ("4", "7", "Two") if word not in said] == []
    assert max(map(len, said)) <= 18


def test_without_a_board_there_is_nothing() -> None:
    """No frame around nothing."""
    rules = load("whist")
    assert board_svg(Layout(rules, 4), title="Whist") == ""


def test_a_drawing_in_a_page_brings_no_sheet() -> None:
    """The page has it."""
    assert "<style>" not in drawn("blight", alone=False)[0]
    assert "<style>" in drawn("blight")[0]
