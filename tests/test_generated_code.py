"""The code that a ruleset becomes: nothing of the ruleset is in it, and the cache that keeps it is never trusted blindly."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.compile import kept_code
from rulewright.compile.kept_code import code_for, entry_path, exact_mark
from rulewright.compile.source.generate import generate
from rulewright.compile.source.listing import listing
from tests.playing import ROOT

# -- nothing in a ruleset becomes code

HOSTILE = "\"\"\"'''\\\n\r\u2028}}{{%s\x00import os; os.system('x')#"
NAMES = re.compile(r"[a-z]{1,2}[0-9]+(_[0-9]+)?|[a-zA-Z_]+")


def hostile(part: Any, keep: frozenset[str]) -> Any:
    """A graph in which every word of the ruleset has something nasty in it."""
    if isinstance(part, dict):
        return {
            hostile(key, keep): (value if key in ("op", "how", "form", "as", "span", "timing") else hostile(value, keep))
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [hostile(each, keep) for each in part]
    return part if not isinstance(part, str) or part in keep else part + HOSTILE


def words_of(part: Any) -> set[str]:
    """The words that the graph's own schema has."""
    if isinstance(part, dict):
        return set().union(*(words_of(value) for value in part.values()), part.get("properties", {}), part.get("enum", []), [part.get("const")])
    return set().union(*(words_of(each) for each in part)) if isinstance(part, list) else set()


def strings_in(tree: ast.Module) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize("name", [pytest.param("base", marks=pytest.mark.slow), "examples/connect_four"])
def test_no_word_of_a_ruleset_is_in_the_code(name: str) -> None:
    """Whatever the words are: the code of a graph full of quotes and newlines is the code of the graph itself, letter for letter."""
    graph = load(ROOT / "rulesets" / name).graph
    keep = frozenset({word for word in words_of(json.loads((ROOT / "schemas" / "effect-graph.schema.json").read_text())) if isinstance(word, str)})
    keep |= {"self", "it", "actor", "deed", "owner", "result", "player", "place", "row", "column", "seat", "copy", "ends", "label", "colour", "holder", "box", "setup", "play", "ending", "action", "#", "everyone", "nobody", "chance", "space"}  # fmt: skip
    plain, nasty = generate(graph), generate(hostile(graph, keep))
    assert "os.system" not in nasty.source
    tree = ast.parse(nasty.source)
    assert strings_in(tree) <= {"f", "block", "node", "repeat", "until", "body", "left", "unit", "vars"}
    assert all(NAMES.fullmatch(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name))
    assert strings_in(ast.parse(plain.source)) == strings_in(tree)
    assert "os.system" in json.dumps(nasty.constants)
    compile(tree, "<rules>", "exec")
    ast.parse(listing(hostile(graph, keep)))


def test_labels_with_quotes_are_only_labels(tmp_path: Path) -> None:
    """A game with nasty texts is played, and the texts come out as they went in."""
    path = tmp_path / "nasty.rules"
    text = r"""\"\"\"); import os; os.abort() # '''\\n \{x\}"""
    path.write_text(
        f'ruleset nasty "N"\nkind coin\nplace bank\ncoin penny "{text}" in bank\nphase play:\n    for each coin in coins: log "{text} {{coin}}"\n    end game\n'
    )
    told = [
        [entry["text"] for entry in rules.new_game(1, 0).log(everything=True)] for rules in (load(path, engine=name) for name in ("walk", "compile"))
    ]
    assert told[0] == told[1]
    assert told[0][0].count("import os") == 2


# -- what is kept of it (who may write the cache is tested in test_cache)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def graph_of(name: str) -> dict[str, Any]:
    return load(ROOT / "rulesets" / "examples" / name).graph


def test_code_comes_from_the_cache(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is generated, and it is the same."""
    first = code_for(graph_of("tic_tac_toe"))
    monkeypatch.setattr(kept_code, "generate", lambda graph: pytest.fail("made again"))
    assert code_for(graph_of("tic_tac_toe")) == first
    assert {path.suffix for path in kept.iterdir()} - {".grammar"} == {".code"}


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "foreign", "no JSON", "not even text", "a folder"])
def test_a_damaged_entry_is_made_anew(kept: Path, damage: str) -> None:
    """And the game is played as ever."""
    first, path = code_for(graph_of("tic_tac_toe")), entry_path(exact_mark(graph_of("tic_tac_toe")))
    assert path is not None
    text = path.read_text(encoding="utf-8")
    other = entry_path(exact_mark(graph_of("connect_four")))
    code_for(graph_of("connect_four"))
    assert other is not None
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        written = {
            "empty": b"", "cut": text[: len(text) // 2].encode(), "changed": text.replace("return 0", "return 1", 1).encode(), "foreign": other.read_bytes(),
            "no JSON": b"x\n{", "not even text": b"\xff\xfe\x00",
        }[damage]  # fmt: skip
        path.write_bytes(written)
    assert code_for(graph_of("tic_tac_toe")) == first
    if damage != "a folder":
        assert path.read_text(encoding="utf-8") == text


def test_other_orders_and_other_engines_have_other_entries(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions are numbered in the order of the graph, and another version of this code may number them in another way."""
    graph = graph_of("connect_four")
    turned = {**graph, "effects": dict(reversed(graph["effects"].items()))}
    assert exact_mark(turned) != exact_mark(graph)
    before = entry_path(exact_mark(graph))
    monkeypatch.setattr(kept_code, "engine_mark", lambda: "another")
    assert entry_path(exact_mark(graph)) != before
