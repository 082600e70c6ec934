"""The map of a ruleset, its subjects, and what a layer made or changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from rulewright.build import Built, build
from rulewright_tools.cli import rulewright
from rulewright_tools.pictures import html as pages
from rulewright_tools.pictures import map as maps
from rulewright_tools.pictures import subjects as areas
from rulewright_tools.pictures.html import html
from rulewright_tools.pictures.labels import Labels
from rulewright_tools.pictures.layout import layout
from rulewright_tools.pictures.map import map_of
from rulewright_tools.pictures.marks import NO_MARKS, Marks, layers_of, marked, marks
from rulewright_tools.pictures.methods import with_methods, written_methods
from rulewright_tools.pictures.names import all_keys
from rulewright_tools.pictures.outline import outline
from rulewright_tools.pictures.subjects import between, edges, homes, subject_picture, subjects
from rulewright_tools.pictures.svg import svg
from tests.chromium import Browser, find

GAME = {
    "ruleset.yaml": 'id: duel\ntitle: Duel\nversion: "1"\ndescription: d\nplayers: {min: 2, max: 2}\nfiles: [round.rules, combat.rules]\n',
    "round.rules": "track tide: low, high\n\nphase play:\n    step fight: for each player in players: strike(player)\n    step finish: end game\n",
    "combat.rules": (
        "kind player: hurt: number\n\nkind weapon:\n    effect swing(who: player): nothing\n\nweapon sword:\n    swing: wound(who)\nweapon whip:\n    swing: nothing\n\n"
        "effect strike(who: player): sword.swing(who)\neffect wound(who: player): increase who.hurt by 1\neffect heal(who: player): set who.hurt to 0\n"
    ),
}
LAYER = """layer rough over {folder} "Rough"

replace effect heal(who: player): nothing

replace in effect strike:
    was: sword.swing(who)
    now:
        taunt(who)
        sword.swing(who)

effect taunt(who: player): log "Ha!"

insert step rest after play.fight:
    for each player in players: heal(player)

after wound(who): log "Ouch."
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "duel"
    folder.mkdir()
    for name, text in GAME.items():
        (folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "rough.rules").write_text(LAYER.format(folder="duel"), encoding="utf-8")
    return folder


def graph(*arguments: str) -> Result:
    return CliRunner().invoke(rulewright, ["graph", *arguments])


def drawable(built: Built) -> dict[str, Any]:
    assert built.graph is not None, built.diagnostics
    assert built.linked is not None
    return with_methods(built.graph, written_methods(built.graph, built.linked))


def data_of(page: str) -> Any:
    return json.loads(page.split('id="data">')[1].split("</script>")[0])


def test_everything_has_its_cell_under_its_subject(game: Path) -> None:
    """Each thing that can be drawn is in one subject, has one cell, and the cells lie on their cards without touching each other."""
    built = build(str(game))
    known = drawable(built)
    parts = subjects(known, built.texts)
    assert [part.name for part in parts] == ["Round", "Combat"]
    assert sorted(key for part in parts for key in part.keys) == sorted(all_keys(known))
    sheet = map_of(known, parts, NO_MARKS)
    assert [box.id for box in sheet.boxes if box.sort != "subject"] == [key for part in parts for key in part.keys]
    assert between(parts, edges(known)) == {("subject:Round", "subject:Combat"): 1}
    root = ElementTree.fromstring(sheet.markup)
    cards = [found for found in root.iter() if "rw-card" in found.attrib.get("class", "")]
    assert len(cards) == 2
    for card in cards:
        floor, *cells = [found for found in card.iter() if found.tag.endswith("rect")]
        x, y, width, height = (float(floor.attrib[side]) for side in ("x", "y", "width", "height"))
        corners = {(float(cell.attrib["x"]), float(cell.attrib["y"])) for cell in cells}
        assert len(corners) == len(cells)
        assert all(x <= left <= x + width and y <= top <= y + height for left, top in corners)


def test_a_subject_shows_what_it_leads_to(game: Path) -> None:
    """Effects of components are among its boxes; another subject is one box that opens that subject."""
    built = build(str(game))
    known = drawable(built)
    parts = subjects(known, built.texts)
    by_key, home, found = {part.key: part for part in parts}, homes(parts), edges(known)
    picture = subject_picture(known, by_key["subject:Combat"], by_key, home, found)
    boxes = {box.id: box for box in picture.boxes}
    arrows = {(arrow.source, arrow.target) for arrow in picture.arrows}
    assert boxes["subject:Round"].link == "subject:Round"
    assert {("subject:Round", "effects:strike"), ("effects:weapon.swing", "methods:sword.swing"), ("methods:sword.swing", "effects:wound")} <= arrows
    assert ("effects:weapon.swing", "effects:wound") not in arrows


def test_what_a_layer_made_and_changed_is_marked(game: Path) -> None:
    """New is what only the layer has, changed what it replaced, rewrote a line of, put a step into or hooked on; the rest has no mark."""
    built = build(str(game), layers=[str(game.parent / "rough.rules")])
    known = drawable(built)
    own = layers_of(built, {"duel"})
    assert own == {"rough"}
    found = marks(known, built, own)
    assert {key: mark for key, mark in found.of.items() if not key.startswith("hooks:")} == {
        "effects:heal": "changed", "effects:strike": "changed", "effects:taunt": "new", "effects:wound": "changed",
        "effects:play": "changed", "effects:play.rest": "new",
    }  # fmt: skip
    assert [mark for key, mark in found.of.items() if key.startswith("hooks:")] == ["new"]
    picture = marked(outline(known, "effects:strike", Labels(known, built.texts)), found, "effects:strike")
    assert {box.label: box.mark for box in picture.boxes if box.mark} == {
        "effect strike(who: player)": "changed",
        "taunt(who)": "new",
        "sword.swing(who)": "new",
    }
    assert "changed by the layer" in svg(layout(picture))
    assert marked(picture, Marks()) is picture


def test_marks_in_every_form(game: Path) -> None:
    """Each form that has boxes shows marks where there is a layer, and none where there is none."""
    layer = str(game.parent / "rough.rules")
    for form, mark in {
        "svg": "changed by the layer",
        "dot": "(changed)",
        "mermaid": "stroke-width:3px",
        "html": '"mark":"changed by the layer"',
    }.items():
        assert mark in graph(str(game), "--layer", layer, "--format", form).stdout, form
        assert mark not in graph(str(game), "--format", form).stdout, form
    assert "(new)" in graph(layer, "--format", "dot").stdout, "a layer that is drawn by its own name is marked, too"


def test_a_ruleset_of_one_subject_opens_as_it_is() -> None:
    page = data_of(graph("tic_tac_toe", "--format", "html").stdout)
    assert page["main"] == "whole"
    assert not [key for key in page["drawings"] if key.startswith("subject:")]
    assert page["drawings"]["whole"]["boxes"][0]["word"] == "phase"


def test_maps_without_end_are_drawn_in_part(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit on a card, on the map or on the page is counted, and the title says that something is missing."""
    built = build(str(game))
    known = drawable(built)
    monkeypatch.setattr(maps, "MOST_IN_CARD", 4)
    monkeypatch.setattr(maps, "MOST_CELLS", 5)
    sheet = map_of(known, subjects(known, built.texts), NO_MARKS)
    assert len([box for box in sheet.boxes if box.sort != "subject"]) == 5
    assert "more</text>" in sheet.markup
    monkeypatch.setattr(areas, "MOST_OUTSIDE", 0)
    parts = subjects(known, built.texts)
    alone = subject_picture(known, parts[1], {part.key: part for part in parts}, homes(parts), edges(known))
    assert "something is left out" in alone.title
    assert "subject:Round" not in {box.id for box in alone.boxes}
    assert ("methods:sword.swing", "effects:wound") in {(arrow.source, arrow.target) for arrow in alone.arrows}
    monkeypatch.setattr(pages, "MOST_DRAWN", 3)
    page = data_of(html(known, None, built.texts, {}))
    assert "something is left out" in page["drawings"]["whole"]["title"]


@pytest.mark.skipif(find() is None, reason="there is no Chromium")
def test_the_map_in_a_browser(game: Path, tmp_path: Path) -> None:
    """A click on a card opens the subject, one on a box tells about it; keys do the same; back leads back, and a link to a drawing opens it."""
    file = tmp_path / "duel.html"
    assert graph(str(game), "--layer", str(game.parent / "rough.rules"), "--output", str(file)).exit_code == 0
    program = find()
    assert program is not None
    title = "document.getElementById('title').textContent"
    with Browser(program) as browser:
        browser.open(file.as_uri())
        assert browser.run(title).startswith("Rough")
        seen = "document.querySelectorAll('.rw-arrow.near').length"
        assert browser.run(seen) == 0
        browser.pointer("mouseMoved", *browser.middle('[data-id="subject:Combat"] .rw-subject'))
        assert browser.until(f"{seen} > 0"), "how it leads to others is seen"
        browser.click('[data-id="subject:Combat"] .rw-subject')
        assert browser.run(title) == "Combat"
        browser.click('[data-id="effects:strike"]')
        assert "changed by the layer" in browser.run("document.getElementById('panel').innerText")
        for key, wanted in {"Escape": "Combat", "Backspace": "Rough", "ArrowDown": "Rough", "Enter": "Round"}.items():
            browser.press(key)
            assert browser.run(title).startswith(wanted), key
        browser.run("document.querySelector('[data-id=\"effects:play\"]').focus()")
        browser.press("Enter")
        browser.press("Enter")
        assert browser.run(title).startswith("phase play")
        assert browser.run("location.hash") == "#effects%3Aplay"
        browser.press("/")
        assert browser.run("document.activeElement.id") == "query"
        browser.resize(400, 800)
        browser.run("document.getElementById('home').click()")
        browser.click('[data-id="subject:Combat"] .rw-subject')
        browser.click('[data-id="effects:wound"]')
        box, panel = (browser.run(f"document.querySelector('{each}').getBoundingClientRect().toJSON()") for each in (".chosen", "#panel"))
        assert box["bottom"] <= panel["top"] < 800, "on a phone the panel lies below what it is about"
        browser.run("location.hash = '#effects%3Aplay'")
        browser.reload()
        assert browser.run(title).startswith("phase play")
        assert browser.errors == []
