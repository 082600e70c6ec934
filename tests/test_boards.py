"""Boards as pictures: everything that the table shows is there, nothing on anything else, nothing hidden is told."""

from __future__ import annotations

import json
import re
import struct
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from rulewright import Rules, load
from rulewright_tools.cli import rulewright
from rulewright_tools.pictures import board as boards
from rulewright_tools.pictures import png
from rulewright_tools.pictures.board import board
from rulewright_tools.pictures.sheet import Sheet
from rulewright_tools.table import Layout, look
from tests.chromium import find
from tests.test_pictures import NASTY

MINE = """ruleset mine "Mine" for 2 players
kind field is place: danger: 0..3
kind path links field, field
kind coin
place purse: a pile of coin, seen by nobody
coin penny "Penny" x3 in purse
track tide "Tide": low, plain x2, high
field pier "Pier"
field reef "Reef": danger 2
path ford "Ford" from pier to reef
phase play: end game
"""


def graph(*arguments: str) -> Result:
    return CliRunner().invoke(rulewright, ["graph", *arguments])


@cache
def stepped(name: str) -> Rules:
    """A ruleset that stays as it is."""
    return load(name, engine="step")


def drawn(name: str) -> tuple[Sheet, ElementTree.Element]:
    rules = stepped(name)
    players = rules.usual_players
    sheet = board(look(rules.new_game(players=players, seed=1), None, Layout(rules, players), story={}), rules.graph)
    return sheet, ElementTree.fromstring(sheet.markup)


@pytest.mark.parametrize("name", ["base", "hex", "breakthrough", "blight", "whist"])
def test_every_place_of_the_board_is_drawn_once(name: str) -> None:
    """Boards of rooms, of hexagons, of squares with pieces, and no board at all: each spot once, none on another, the same every time."""
    sheet, root = drawn(name)
    rules = stepped(name)
    wanted = {rules.linked(rules.usual_players).world.identities[number] for number in Layout(rules, rules.usual_players).spots}
    assert [box.id for box in sheet.boxes if box.sort == "spot"] == [id for id in dict.fromkeys(box.id for box in sheet.boxes) if id in wanted]
    numbers = [int(found.attrib["data-box"]) for found in root.iter() if "data-box" in found.attrib]
    assert sorted(numbers) == list(range(len(sheet.boxes)))
    floors = [found[1] for found in root.iter() if found.attrib.get("data-id") in wanted and found[1].tag.endswith("rect")]
    areas = [tuple(float(floor.attrib[side]) for side in ("x", "y", "width", "height")) for floor in floors]
    assert not [(one, two) for one, two in combinations(areas, 2) if abs(one[0] - two[0]) < one[2] and abs(one[1] - two[1]) < one[3]]
    assert drawn(name)[0] == sheet


def test_the_board_of_base_shows_what_is_printed_and_nothing_that_is_hidden() -> None:
    sheet, _ = drawn("base")
    boxes = {box.id: box for box in sheet.boxes}
    assert boxes["room_1"].label == "Cockpit"
    assert boxes["room_2"].label == "Room 2"
    assert boxes["corridor_1_3"].label == "corridor 1, 2"
    assert boxes["time_track"].note == "space 1 of 16"
    assert boxes["event_deck"].note == "pile, 20 face down"
    assert "base.room_cockpit.1" in boxes["room_1"].cites
    covered = {box.label for box in sheet.boxes} & {"Armory", "Nest", "Surgery", "Generator", "Laboratory"}
    assert not covered


def test_forms_of_a_board(tmp_path: Path) -> None:
    """SVG unless something else is asked for, a page that fetches nothing, or data; what cannot be drawn so is refused."""
    (tmp_path / "mine.rules").write_text(MINE, encoding="utf-8")
    mine = str(tmp_path / "mine.rules")
    assert graph(mine, "--board").stdout.startswith("<svg")
    shown = json.loads(graph(mine, "--board", "--format", "json").stdout)
    assert set(shown["board"]["spots"]) == {"pier", "reef"}
    page = tmp_path / "mine.html"
    assert graph(mine, "--board", "--output", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert str(tmp_path) not in text, "a page tells nothing of the folders of a machine"
    assert json.loads(text.split('id="data">')[1].split("</script>")[0])["main"] == "board"
    for wrong, message in {
        ("--board", "--of", "play"): "say one of them",
        ("--board", "--format", "dot"): "svg, png, html, json",
        ("--players", "2"): "--players is for --board",
        ("--board", "--players", "7"): "for 2 players, not 7",
        ("--board", "--players", "0"): "Invalid value",
    }.items():
        refused = graph(mine, *wrong)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert message in refused.stderr
    assert graph("no_such_ruleset", "--board").exit_code == 2


@pytest.mark.skipif(find() is None, reason="there is no Chromium")
def test_a_board_as_png(tmp_path: Path) -> None:
    """A picture by a browser, of the size of the drawing, twice as fine."""
    (tmp_path / "mine.rules").write_text(MINE, encoding="utf-8")
    drawing = graph(str(tmp_path / "mine.rules"), "--board").stdout
    width, height = (int(float(side)) for side in re.findall(r'(?:width|height)="([\d.]+)"', drawing)[:2])
    file = tmp_path / "mine.png"
    made = graph(str(tmp_path / "mine.rules"), "--board", "--output", str(file))
    assert made.exit_code == 0, made.stderr
    data = file.read_bytes()
    assert data.startswith(png.START)
    assert abs(struct.unpack(">II", data[16:24])[0] - 2 * width) <= 2
    assert abs(struct.unpack(">II", data[16:24])[1] - 2 * height) <= 2


def test_png_without_a_browser_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture needs a browser, a file to go to, and a size that can be drawn; each is said, and nothing is written."""
    assert "--output" in graph("tic_tac_toe", "--board", "--format", "png").stderr
    file = tmp_path / "board.png"
    monkeypatch.setattr(png, "LARGEST", 10)
    monkeypatch.setattr(png, "find_browser", lambda: "/bin/false")
    large = graph("tic_tac_toe", "--board", "--output", str(file))
    assert (large.exit_code, file.exists()) == (2, False)
    assert "too large" in large.stderr
    monkeypatch.setattr(png, "LARGEST", 16_000)
    assert "took no picture" in graph("tic_tac_toe", "--board", "--output", str(file)).stderr
    monkeypatch.setattr(png, "find_browser", lambda: None)
    none = graph("tic_tac_toe", "--output", str(file))
    assert (none.exit_code, file.exists()) == (2, False)
    assert "there is none here" in none.stderr


def test_rules_that_fail_before_the_first_decision(tmp_path: Path) -> None:
    """A board is drawn of a game that has begun: where that fails, it is said where."""
    (tmp_path / "mine.rules").write_text(MINE.replace("phase play: end game", 'phase play:\n    repeat: log "again"'), encoding="utf-8")
    failed = graph(str(tmp_path / "mine.rules"), "--board")
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert "mine.rules" in failed.stderr


def test_nothing_of_a_board_becomes_markup(tmp_path: Path) -> None:
    label = re.sub(r'[\n\x00"\\{}\u2028\u202e]', "", NASTY)
    (tmp_path / "mine.rules").write_text(
        MINE.replace('"Pier"', f'"{label}"').replace('"Ford"', f'"{label}"').replace('"Tide"', f'"{label}"'), encoding="utf-8"
    )
    made = graph(str(tmp_path / "mine.rules"), "--board")
    assert made.exit_code == 0, made.stderr
    tags = {found.tag.rpartition("}")[2] for found in ElementTree.fromstring(made.stdout).iter()}
    assert tags <= {"svg", "title", "style", "rect", "text", "tspan", "g", "path", "circle", "polygon"}


def test_a_board_without_end_is_drawn_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places, decks and spaces of tracks beyond what one can look at are counted and not drawn."""
    monkeypatch.setattr(boards, "MOST_SPOTS", 20)
    monkeypatch.setattr(boards, "MOST_PLACES", 3)
    monkeypatch.setattr(boards, "MOST_SPACES", 5)
    sheet, _ = drawn("hex")
    assert len(sheet.boxes) == 20
    assert "only 20 of 121 places are drawn" in sheet.title
    sheet, _ = drawn("base")
    assert len([box for box in sheet.boxes if box.sort == "place"]) == 3
    assert ">+11<" in sheet.markup
