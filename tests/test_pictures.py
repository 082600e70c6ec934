"""Pictures of an effect graph: what is drawn, that nothing overlaps, and that no text of a ruleset becomes markup."""

from __future__ import annotations

import copy
import json
import re
import sys
import time
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner, Result

from rulewright.data import schema
from rulewright.diagnostics import Diagnostic, Span, complain, whole_file
from rulewright_tools.cli import rulewright
from rulewright_tools.pictures.dot import dot
from rulewright_tools.pictures.html import html
from rulewright_tools.pictures.labels import Labels
from rulewright_tools.pictures.layout import Placed, Rect, layout
from rulewright_tools.pictures.mermaid import mermaid
from rulewright_tools.pictures.methods import Written, with_methods
from rulewright_tools.pictures.model import LOOKS, Arrow, Box, Picture
from rulewright_tools.pictures.names import UnknownName, all_keys, find_key, record_of
from rulewright_tools.pictures.outline import outline
from rulewright_tools.pictures.overview import overview, part_of, reachable
from rulewright_tools.pictures.svg import svg
from rulewright_tools.pictures.words import _NODES, _OPERATIONS, in_words

FILE = "demo/turns.rules"
NASTY = "<script>alert(1)</script> \"quoted\" 'single' ]]> & \\ --> {{x}} |y| \n\x00\u2028\u202e 🎲 </title><img src=x onerror=alert(2)>"
TEXT = f"""effect take_turn(who: player):
    cite demo.turn.1
    let top = {NASTY.splitlines()[0]}
    if who.pieces > 0: place_piece(who)   # a comment
    else:
        stop
"""
Graph = dict[str, Any]
line_number = iter(range(100, 10_000))


def at(line: int | None = None) -> list[Any]:
    here = next(line_number) if line is None else line
    return [FILE, here, 5, here, 500]


def var(name: str) -> Graph:
    return {"op": "var", "name": name}


def const(value: object) -> Graph:
    return {"op": "const", "value": value}


def text(*parts: object) -> Graph:
    return {"op": "text", "parts": [part if isinstance(part, str) else {"op": "shown", "as": "kind", "of": part} for part in parts]}


def node(op: str, following: str | None, **more: Any) -> Graph:
    """A node; what ends in an underscore is a field whose name is a word of Python."""
    span = at(more.pop("line", None))
    return {"op": op, "span": span, "next": following, **{name.rstrip("_"): value for name, value in more.items()}}


def option(label: str, body: str | None) -> Graph:
    return {"label": text(label), "when": None, "costs": [], "body": body, "span": at()}


def asking(form: str, following: str | None, **more: Any) -> Graph:
    blank = dict.fromkeys(("who", "name", "from_", "amount", "low", "high", "each", "prompt"))
    return node("choose", following, **{**blank, "optional": False, "secret": False, "as": "kind", "options": [], "form": form, **more})


def calling(effect: str, following: str | None, line: int | None = None) -> Graph:
    return node("call", following, line=line, effect=effect, of=None, arguments=[var("who")], name=None, outcome=None)


CASES = [{"values": [const("red")], "body": "n3a"}, {"values": [const(2)], "body": None}]
COINS = {"cost": "coins", "amount": const(2), "arguments": []}
NODES: Graph = {
    "n1": node("bind", "n2", line=3, name="top", value=const(3), as_="number"),
    "n2": node("branch", "n3", line=4, test=var("ok"), then="n2a", else_="n2b"),
    "n2a": calling("place_piece", None),
    "n2b": node("return", None, value=None),
    "n3": node("match", "n4", value=var("face"), cases=CASES, else_="n3b"),
    "n3a": node("set", None, of=var("who"), field="score", value=const(1)),
    "n3b": node("cancel", None),
    "n4": node("each", "n5", name="one", query={"op": "all", "of": "piece"}, orders=[], body="n4a", as_="kind"),
    "n4a": node("branch", None, test={"op": "is_empty", "of": var("one")}, then="n4b", else_="n4c"),
    "n4b": node("jump", None, how="skip"),
    "n4c": node("jump", None, how="leave"),
    "n5": node("repeat", "n6", times=const(3), until=None, body="n5a"),
    "n5a": node("draw", None, from_=var("bag"), kind="piece", amount=const(1),
                filters=[], binder="it", to=None, name="drawn", many=False, short=None),
    "n6": node("batch", "n7", body="n6a"),
    "n6a": node("move", "n6b", what=var("drawn"), to=var("board"), position="top", short=None),
    "n6b": node("shuffle", None, place=var("bag")),
    "n7": node("roll", "n8", die="d6", name="face"),
    "n8": asking("option", "n9", who=var("who"), options=[option(NASTY, "n8a"), option("pass", None)]),
    "n8a": node("log", "n8b", text=text("hello ", var("who")), to=None, tells="event"),
    "n8b": node("show", None, what=var("drawn"), to=var("who")),
    "n9": node("offer", "n10", who=var("who"), groups=["main"], options=[]),
    "n10": node("install", "n11", hooks=["h2"], keep=[], until="take_turn"),
    "n11": node("pay", "n12", who=var("who"), costs=[COINS]),
    "n12": node("outcome", "n13", how="win", player=var("who")),
    "n13": node("end", None),
    "p1": calling("take_turn", None),
    "h1a": node("proceed", None, arguments={"who": var("other")}),
    "a1": asking("one", None, name="spot", from_={"op": "all", "of": "cell"}),
    "a2": calling("place_piece", None),
}  # fmt: skip


def effect(what: str, entry: str | None, label: str = "", line: int | None = None, **more: Any) -> Graph:
    blank: Graph = {"of": None, "parameters": [], "gives": None, "requires": [], "methods": {}, "package": "demo", "cites": []}
    return {**blank, "label": label, "what": what, "entry": entry, "span": at(line), **more}


def hook(timing: str, event: str, entry: str | None, **more: Any) -> Graph:
    blank: Graph = {
        "of": None,
        "names": [],
        "when": None,
        "while": [],
        "first": False,
        "once_per": None,
        "by": None,
        "action": None,
        "value": None,
        "cost": None,
    }
    return {**blank, "timing": timing, "event": event, "entry": entry, "installed": False, "package": "house", "cites": [], "span": at(), **more}


GRAPH: Graph = {
    "format": "rulewright-effect-graph",
    "version": 1,
    "ruleset": {
        "id": "demo", "title": NASTY, "version": "1.0", "packages": [{"id": "demo", "version": "1.0"}],
        "players": {"min": 1, "max": 4, "usual": 4}, "options": {},
    },
    "kinds": {}, "places": {}, "components": {}, "links": [], "grids": {}, "dice": {}, "tracks": {}, "numbers": {}, "sources": [],
    "effects": {
        "take_turn": effect("effect", "n1", "Take a turn", 1, cites=["demo.turn.1"], span=[FILE, 1, 1, 6, 13]),
        "place_piece": effect("effect", None, NASTY, methods={"disc": "a2"}, requires=[{"test": var("ok"), "because": None, "span": at()}]),
        "round": effect("phase", "p1", "Round"),
        "round.start": effect("step", None),
        "ended": effect("event", None),
    },
    "values": {
        "best": {"of": None, "parameters": [], "gives": {"how": "number"}, "value": const(3), "methods": {"disc": const(4)},
                 "package": "demo", "cites": [], "span": at()},
    },
    "actions": {
        "drop": {
            "label": "Drop", "of": None, "by": "player", "groups": ["main"], "requires": [], "costs": [COINS], "choices": ["a1"], "once_per": None,
            "while": [], "entry": "a2", "package": "demo", "cites": [], "span": at(),
        }
    },
    "costs": {"coins": {"parameters": [], "requires": [], "entry": None, "package": "demo", "cites": [], "span": at()}},
    "hooks": {
        "h1": hook("instead", "take_turn", "h1a"),
        "h2": hook("after", "take_turn", None, installed=True, when={"op": "compare", "how": "=", "left": var("a"), "right": const("b")}),
        "h3": hook("before", "take_turn", None),
        "h4": hook("change", "best", None, value=const(9)),
    },
    "nodes": NODES,
}  # fmt: skip
COMPONENT: Graph = {
    "kind": "flat",
    "label": "The Disc",
    "copies": 1,
    "place": None,
    "fields": {},
    "cites": ["demo.turn.1"],
    "span": [FILE, 1, 1, 1, 9],
}
KINDS: Graph = {"flat": {"parent": "piece"}, "piece": {"parent": None}}
TEXTS = {FILE: TEXT}
LABELS = Labels(GRAPH, TEXTS)


def overlapping(placed: Placed) -> list[tuple[str, str]]:
    def meet(a: Rect, b: Rect) -> bool:
        return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height

    rects = [(id, rect) for id, (_, rect) in placed.boxes.items()]
    return [(one, other) for (one, a), (other, b) in combinations(rects, 2) if meet(a, b)]


def pictures() -> dict[str, Picture]:
    return {"": overview(GRAPH), **{key: outline(GRAPH, key, LABELS) for key in all_keys(GRAPH)}}


def ids(markup: str) -> set[str]:
    root = ElementTree.fromstring(markup)
    return {found.attrib["data-id"] for found in root.iter() if "data-id" in found.attrib}


def test_the_sample_is_a_graph_with_every_node() -> None:
    """The sample holds every node type of the schema, and the schema accepts it."""
    jsonschema.Draft202012Validator(schema("effect-graph")).validate(GRAPH)
    known = {one["title"] for one in schema("effect-graph")["$defs"]["node"]["oneOf"]}
    assert {one["op"] for one in NODES.values()} == known == set(_NODES)


def test_every_operation_has_words() -> None:
    """Every operation of the schema is known to the printer; a tree it does not expect is printed part by part."""
    assert set(schema("effect-graph")["$defs"]["expr_op"]["enum"]) <= set(_OPERATIONS)
    assert in_words({"op": "arithmetic", "how": "+", "left": const(1), "right": var("x")}) == "1 + x"
    assert in_words({"op": "strange", "of": var("x"), "more": [const(2)]}) == "strange(x, 2)"
    assert in_words({"op": "field", "unexpected": 1}) == "field(1)"


def test_words_of_deep_trees_end() -> None:
    tree: Graph = const(1)
    for _ in range(5000):
        tree = {"op": "not", "part": tree}
    assert in_words(tree).endswith("…")


@pytest.mark.parametrize("key", ["", *all_keys(GRAPH)])
def test_every_drawing_is_well_formed_and_has_all_its_boxes(key: str) -> None:
    """Every drawing is well-formed, has all its boxes, none on top of another, and is the same each time."""
    picture = pictures()[key]
    placed = layout(picture)
    drawn = svg(placed)
    assert ids(drawn) == {box.id for box in picture.boxes}
    assert overlapping(placed) == []
    assert drawn == svg(layout(copy.deepcopy(picture)))
    assert len(placed.routes) == len(picture.arrows)


def test_everything_lies_on_the_paper() -> None:
    for picture in pictures().values():
        placed = layout(picture)
        points = [route.start for route in placed.routes] + [p for route in placed.routes for step in route.steps for p in step]
        points += [(rect.x, rect.y) for _, rect in placed.boxes.values()]
        assert all(0 <= x <= placed.width and 0 <= y <= placed.height for x, y in points)


def test_flow_of_an_effect() -> None:
    """Branches, cases, loops and options lead where the rules say."""
    arrows = {(one.source, one.target): one for one in outline(GRAPH, "effects:take_turn", LABELS).arrows}
    assert {("n2", "n2a"), ("n2", "n2b"), ("n2a", "n3"), ("n3a", "n4"), ("n3", "n4"), ("n6b", "n7"), ("n8", "n9")} <= arrows.keys()
    assert (arrows["n2", "n2a"].label, arrows["n2", "n2b"].label) == ("yes", "no")
    assert (arrows["n3", "n3a"].label, arrows["n3", "n4"].label) == ("red", "2")
    assert arrows["n4b", "n4"].style == "back"
    assert ("n4c", "n5") in arrows
    assert not [source for source, _ in arrows if source in ("n3b", "n13")]
    assert ("n2b", "done") in arrows
    assert arrows["done", "hook:h2"].label == "after"
    assert arrows["start", "hook:h1"].label == "instead"
    assert arrows["hook:h3", "start"].label == "before"


def test_labels_are_the_authors_lines() -> None:
    boxes = {box.id: box for box in outline(GRAPH, "effects:take_turn", LABELS).boxes}
    assert boxes["start"].label == "effect take_turn(who: player)"
    assert boxes["n2"].label == "if who.pieces > 0"
    assert boxes["n7"].label == "let face = roll d6"
    assert boxes["n2a"].link == "effects:place_piece"


def test_overview_has_calls_hooks_and_offers() -> None:
    picture = overview(GRAPH)
    arrows = {(one.source, one.target): one.style for one in picture.arrows}
    assert arrows["effects:round", "effects:take_turn"] == "call"
    assert arrows["effects:take_turn", "actions:drop"] == "offer"
    assert arrows["hooks:h3", "effects:take_turn"] == "hook"
    assert {box.group for box in picture.boxes} == {"demo", "house"}


class Tags(HTMLParser):
    """Collects the tags and attributes of a page as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] == ["script"]:
            self.scripts.append(data)


@pytest.mark.parametrize("key", [None, "effects:take_turn"])
def test_nothing_of_a_ruleset_becomes_markup(key: str | None) -> None:
    page = html(GRAPH, key, {FILE: TEXT + NASTY}, {"demo.turn.1": NASTY})
    tags = Tags()
    tags.feed(page)
    assert tags.tags.count("script") == 2
    assert "img" not in tags.tags
    assert not [name for name in tags.attributes if name.startswith("on") or name in ("href", "src")]
    assert "\u2028" not in page
    assert "\u202e" not in page
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert data["rules"]["demo.turn.1"].startswith("<script>alert(1)</script>")
    assert data["drawings"]["effects:take_turn"]["boxes"][0]["span"] == [FILE, 1, 1, 6, 13]
    assert data["main"] == (key or "whole")


def test_dot_quotes_what_it_must() -> None:
    drawn = dot(overview(GRAPH))
    without = re.sub(r'"(?:[^"\\]|\\.)*"', "", drawn)
    assert '"' not in without
    assert "script" not in without
    assert "\\\\ --> " in drawn
    assert all(f'"{box.id}" [label=' in drawn for box in overview(GRAPH).boxes)


def test_mermaid_quotes_what_it_must() -> None:
    drawn = mermaid(overview(GRAPH))
    assert "<script" not in drawn
    assert "#60;script#62;" in drawn
    assert "🎲" in drawn
    outside = re.sub(r'"[^"\n]*"', "", drawn)
    assert not re.search(r"[<&'\\]|alert", outside)


def test_boxes_that_call_each_other_are_drawn() -> None:
    """Boxes that call each other and themselves are drawn like others."""
    boxes = tuple(Box(str(number), "effect", f"box {number}") for number in range(30))
    arrows = tuple(Arrow(str(a), str((a * 7 + b) % 30)) for a in range(30) for b in (0, 1, 3))
    placed = layout(Picture("round and round", boxes, arrows))
    assert overlapping(placed) == []
    assert len(placed.routes) == len(arrows)


@pytest.mark.parametrize("across", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_thousand_boxes(across: bool) -> None:
    boxes = tuple(Box(str(n), "effect", f"effect_number_{n}", group="abc"[n % 3], note="note") for n in range(1000))
    arrows = tuple(Arrow(str(n), str(n * 13 % 1000), "", "call") for n in range(900))
    arrows += tuple(Arrow(str(n), str(n + 1), "", "hook") for n in range(0, 900, 3))
    begun = time.monotonic()
    placed = layout(Picture("large", boxes, arrows, across))
    assert time.monotonic() - begun < 30
    assert overlapping(placed) == []
    assert [name for name, _ in placed.frames] == ["a", "b", "c"]


def test_long_chain_of_conditions() -> None:
    """Depth is no matter: each condition in the else of the one before."""
    graph = copy.deepcopy(GRAPH)
    for n in range(3000):
        graph["nodes"][f"x{n}"] = node("branch", None, test=var("t"), then=None, else_=f"x{n + 1}")
    graph["nodes"]["x3000"] = node("end", None)
    graph["effects"]["long"] = effect("effect", "x0")
    assert len(outline(graph, "effects:long", Labels(graph, {})).boxes) == 3003


def test_a_picture_of_nothing_can_be_drawn() -> None:
    ElementTree.fromstring(svg(layout(Picture("nothing", (), ()))))


def test_what_is_drawn_is_found_by_its_names() -> None:
    assert find_key(GRAPH, "take_turn") == "effects:take_turn"
    assert find_key(GRAPH, "start") == "effects:round.start"
    assert find_key(GRAPH, "take a turn") == "effects:take_turn"
    assert find_key(GRAPH, "hook:h1") == "hooks:h1"
    with pytest.raises(UnknownName, match="did you mean 'take_turn'"):
        find_key(GRAPH, "take_trun")


def test_name_of_several_things() -> None:
    graph = copy.deepcopy(GRAPH)
    graph["values"]["drop"] = graph["values"]["best"]
    with pytest.raises(UnknownName, match="'action:drop', 'value:drop'"):
        find_key(graph, "drop")
    assert find_key(graph, "value:drop") == "values:drop"


def test_what_a_component_does_is_drawn() -> None:
    """A component's own version of an effect or value has a drawing of its own, is found by its name, and leads to what it is a version of."""
    known = with_methods({**GRAPH, "components": {"disc": COMPONENT, "ring": {**COMPONENT, "label": "Ring"}}, "kinds": KINDS}, {})
    assert find_key(known, "disc.place_piece") == "methods:disc.place_piece"
    assert find_key(known, "disc") == find_key(known, "the disc") == "methods:disc.place_piece"
    picture = outline(known, "methods:disc.place_piece", Labels(known, TEXTS))
    boxes = {box.id: box for box in picture.boxes}
    assert (boxes["start"].label, boxes["start"].note) == ("effect disc.place_piece “The Disc”", "effect of disc, demo")
    assert (boxes["version"].link, boxes["a2"].link) == ("effects:place_piece", "effects:place_piece")
    value = outline(known, "methods:disc.best", Labels(known, TEXTS))
    assert [box.label for box in value.boxes] == ["value disc.best “The Disc”", "4", "best", "change best"]
    ElementTree.fromstring(svg(layout(picture)))
    with pytest.raises(UnknownName, match="'ring' is a component; only effects"):
        find_key(known, "ring")
    with pytest.raises(UnknownName, match=r"there is no 'ring\.drop'"):
        find_key(known, "ring.drop")


def test_what_a_component_does_because_of_its_kind() -> None:
    """What a component has no version of its own for is the version of its kind, of the kind of that, or the effect itself; circles of kinds end."""
    effects = {"piece.jump": effect("effect", None, of="piece", methods={"flat": "a2"}), "piece.lie": effect("effect", None, of="piece")}
    graph = {**GRAPH, "effects": {**GRAPH["effects"], **effects}, "components": {"disc": COMPONENT}, "kinds": KINDS}
    known = with_methods(graph, {"flat.jump": Written((FILE, 4, 1, 4, 9), "house")})
    assert find_key(known, "disc.jump") == "methods:flat.jump"
    assert find_key(known, "disc.lie") == "effects:piece.lie"
    assert record_of(known, "methods:flat.jump")["package"] == "house"
    circle = {**known, "kinds": {"flat": {"parent": "piece"}, "piece": {"parent": "flat"}}}
    with pytest.raises(UnknownName):
        find_key(circle, "disc.sing")


def test_part_of_a_graph_is_a_graph() -> None:
    part = part_of(GRAPH, "actions:drop")
    jsonschema.Draft202012Validator(schema("effect-graph")).validate(part)
    assert set(part["effects"]) == {"place_piece"}
    assert set(part["costs"]) == {"coins"}
    method = part_of(with_methods(GRAPH, {}), "methods:disc.best")
    jsonschema.Draft202012Validator(schema("effect-graph")).validate(method)
    assert method["values"]["best"]["methods"] == {"disc": const(4)}
    assert method["values"]["best"]["value"] is None
    assert set(reachable(GRAPH, "effects:round")) >= {"effects:take_turn", "hooks:h1", "actions:drop"}


def test_every_box_has_a_look() -> None:
    assert {box.sort for picture in pictures().values() for box in picture.boxes} <= set(LOOKS)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a builder in place that knows one good ruleset, one with a mistake, and nothing else."""

    def build(target: str, layers: object = (), options: object = None) -> SimpleNamespace:
        found: dict[str, list[Diagnostic]] = {
            "good": [],
            "wrong": [complain("R301", "no such name", Span(FILE, 2, 1, 2, 3))],
        }
        missing = [complain("R210", f"there is no ruleset '{target}'", whole_file(target))]
        problems = found.get(target, missing)
        return SimpleNamespace(diagnostics=problems, obstacles=problems, texts=TEXTS, linked=None, dump=lambda stage: None if problems else GRAPH)

    made = ModuleType("rulewright.build")
    vars(made)["build"] = build
    monkeypatch.setitem(sys.modules, "rulewright.build", made)


def graph(*arguments: str) -> Result:
    return CliRunner().invoke(rulewright, ["graph", *arguments])


@pytest.mark.usefixtures("builds")
def test_the_form_of_a_picture_is_asked_for_or_told_by_the_file(tmp_path: Path) -> None:
    """The form is what is asked for, else what the file's ending says, else dot."""
    assert graph("good").stdout.startswith("digraph")
    assert graph("good", "--format", "mermaid").stdout.startswith("flowchart")
    assert json.loads(graph("good", "--format", "json").stdout) == GRAPH
    for ending, begins in {"svg": "<svg", "html": "<!DOCTYPE html>", "mmd": "flowchart", "json": "{"}.items():
        file = tmp_path / f"picture.{ending}"
        assert graph("good", "--of", "drop", "--output", str(file)).stdout == f"Written: {file}\n"
        assert file.read_text(encoding="utf-8").startswith(begins)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".html", ".json", ".mmd", ".svg"]


@pytest.mark.usefixtures("builds")
def test_a_terminal_is_not_flooded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody would read is asked about; what was asked for is given."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda stream: True, raising=False)
    told = graph("good")
    assert told.exit_code == 2
    assert told.stdout == ""
    assert "--output FILE.html" in told.stderr
    assert graph("good", "--format", "dot").stdout.startswith("digraph")


@pytest.mark.usefixtures("builds")
def test_mistakes_in_drawing_have_their_exit_codes(tmp_path: Path) -> None:
    """Mistakes of the ruleset are exit 1, mistakes of the person exit 2."""
    wrong = graph("wrong")
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert "no such name" in wrong.stderr
    assert graph("nowhere").exit_code == 2
    unknown = graph("good", "--of", "take_trun")
    assert unknown.exit_code == 2
    assert "did you mean 'take_turn'?" in unknown.stderr
    assert graph("good", "--output", str(tmp_path / "missing" / "x.svg")).exit_code == 2
    assert graph("good", "--format", "gif").exit_code == 2


def test_the_title_of_a_picture_has_a_space_before_the_version() -> None:
    """`Tic-tac-toe 1.0.0`."""
    assert graph("tic_tac_toe", "--format", "dot").stdout.startswith('digraph "Tic-tac-toe 1.0.0"')
