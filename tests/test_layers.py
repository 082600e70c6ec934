"""What layers leave behind in the graph: who wrote a part, and in which order hooks stand."""

from __future__ import annotations

from pathlib import Path

from rulewright import load
from rulewright import tree as t
from rulewright.build import Built, build
from rulewright.parse import parse_rules
from rulewright.resolve.cites import walk, walk_lines
from tests.playing import ROOT, messages

INN = """ruleset inn
kind guest:
    effect sing()
kind room is place
guest bard in loft: sing: log "la"
room loft
phase play:
    step pay: bard.sing()
    step rest: log "rest"
after play: log "base"
"""


def over_inn(folder: Path, layer: str) -> Built:
    """The inn with a layer over it."""
    (folder / "inn.rules").write_text(INN)
    (folder / "late.rules").write_text(f"layer late over inn\n{layer}")
    built = build(folder / "late.rules")
    assert built.diagnostics == []
    return built


def test_what_a_layer_adds_is_its_own(tmp_path: Path) -> None:
    """Hooks, members and steps that a layer puts into something of its parent belong to the layer; the rest does not."""
    built = over_inn(
        tmp_path,
        'add to loft:\n    after play: log "added"\n'
        'replace step play.pay: log "free"\ninsert step sweep after play.rest: log "swept"\n'
        'add to kind guest:\n    effect dance(): log "hop"\nafter play.sweep: bard.dance()\n',
    )
    assert built.graph is not None
    packages = {path: effect["package"] for path, effect in built.graph["effects"].items()}
    assert packages == {"play": "inn", "play.pay": "late", "play.rest": "inn", "play.sweep": "late", "guest.sing": "inn", "guest.dance": "late"}
    assert sorted(hook["package"] for hook in built.graph["hooks"].values()) == ["inn", "late", "late"]


def test_lines_are_replaced_where_they_stand(tmp_path: Path) -> None:
    """The rest of the body stays the parent's; what was written under `now` is carried out, and its places are those of the layer."""
    over_inn(
        tmp_path, 'replace in phase play:\n    was:\n        step rest: log "rest"\n    now:\n        log "dance"\n        step rest: log "rest"\n'
    )
    assert messages(load(tmp_path / "late.rules").new_game(1)) == ["la", "dance", "rest", "base"]
    built = over_inn(tmp_path, 'replace in step play.rest:\n    was: log "rest"\n    now: log "sleep"\n')
    assert messages(load(tmp_path / "late.rules").new_game(1)) == ["la", "sleep", "base"]
    assert built.graph is not None
    assert [node["span"][0].rpartition("/")[2] for node in built.graph["nodes"].values() if "sleep" in str(node)] == ["late.rules"]


def test_fields_of_a_board_are_kept() -> None:
    """A flag that is switched off, and a text of one word, come out of a board layout as they are written."""
    built = build(Path(__file__).parent / "language" / "components" / "good" / "board")
    assert built.graph is not None
    fields = {name: component["fields"] for name, component in built.graph["components"].items()}
    assert fields["hall"] == {"lit": False, "name": "hello", "names": ["one", "Two words"], "size": 2}
    assert fields["yard"] == {"lit": True, "name": "none"}


def test_more_copies_stand_behind_those_there_are() -> None:
    """What the new copies say is theirs alone, and what they do not say is what it was; a source is what the layer says."""
    built = build(Path(__file__).parent / "language" / "layers" / "good" / "more" / "main.rules")
    assert built.graph is not None
    components = built.graph["components"]
    said = {one["path"]: one["source"] for one in built.graph["sources"]}
    assert {name: (component["copies"], said.get(name)) for name, component in components.items() if component["kind"] == "card"} == {
        "spade": (5, "own"), "heart": (4, "book"), "club": (2, None),
    }  # fmt: skip
    assert components["spade"]["fields"] == {"suit": {"copies": ["red", "red", "green", "blue", "green"]}, "marks": ["star"]}
    assert components["heart"]["fields"] == {
        "suit": {"copies": ["red", "red", "green", "green"]},
        "rank": {"copies": [5, 5, 7, 8]},
        "bent": {"copies": [False, False, True, True]},
        "owned_by": {"copies": [None, None, {"component": "ann"}, {"component": "bob"}]},
    }
    assert components["club"]["fields"] == {"suit": {"copies": ["red", "blue"]}}


def test_layers_add_copies_beside_each_other(tmp_path: Path) -> None:
    """Two layers that know nothing of each other: the copies of each have what the first ones had, unless they say otherwise."""
    (tmp_path / "inn.rules").write_text('ruleset inn\nkind coin: worth: 1..9\ncoin penny x2: worth 1\nphase play: log "{penny.worth}"\n')
    for name, line in (("rich", "more penny: worth 5"), ("poor", "more penny x2"), ("fair", "more penny: worth 2")):
        (tmp_path / f"{name}.rules").write_text(f"layer {name} over inn\n{line}\n")
    (tmp_path / "both.rules").write_text("layer both over rich, poor, fair\n")
    built = build(tmp_path / "both.rules")
    assert built.diagnostics == []
    assert built.graph is not None
    assert built.graph["components"]["penny"]["copies"] == 6
    assert built.graph["components"]["penny"]["fields"] == {"worth": {"copies": [1, 1, 5, 1, 1, 2]}}


def test_translated_names_exist(tmp_path: Path) -> None:
    """A locale translates what the ruleset or its parents have; anything else is misspelt."""
    (tmp_path / "inn.rules").write_text(INN)
    (tmp_path / "ruleset.yaml").write_text('id: late\ntitle: L\nversion: "1"\nparents: [./inn.rules]\nfiles: [late.rules]\nlocales: [de.yaml]\n')
    (tmp_path / "late.rules").write_text('guest monk in loft: sing: log "om"\nremove guest bard\nreplace step play.pay: monk.sing()\n')
    (tmp_path / "de.yaml").write_text("language: de\nnames: {monk: Mönch, play.pay: Zahlen, guest.sing: Singen, bard: Barde, mnok: Mönch}\n")
    found = build(tmp_path).diagnostics
    assert [(one.code, one.message, one.hint) for one in found] == [("R220", "nothing in 'late' is called 'mnok'", "did you mean 'monk'?")]


def test_a_number_is_guessed_before_anything_else_that_is_nearly_called_so(tmp_path: Path) -> None:
    """`set` without a dot changes a number: `gol` is rather `goal` than the coin `gold`."""
    (tmp_path / "dash.rules").write_text(
        'ruleset dash\nkind coin\ncoin gold "Gold" x3\nnumber goal = 7\nphase play: if count of coins = goal: end game\n'
    )
    (tmp_path / "rich.rules").write_text("layer rich over dash\nset gol to 3\n")
    assert [one.hint for one in build(tmp_path / "rich.rules").diagnostics] == ["did you mean 'goal'?"]


def test_lines_are_found_without_looking_into_expressions() -> None:
    """In every rules file there is, the same citations, sources and fingerprints as by looking everywhere."""
    lines, found = (t.Citation, t.Cite, t.Source, t.SourcePart, t.Was), 0
    for path in (ROOT / "rulesets").rglob("*.rules"):
        for declaration in parse_rules(path.read_text(encoding="utf-8"), str(path))[0].declarations:
            everywhere = [node for node in walk(declaration) if isinstance(node, lines)]
            assert [node for node in walk_lines(declaration) if isinstance(node, lines)] == everywhere, path
            found += len(everywhere)
    assert found > 1_000
