"""How well what declarations say is known: what `source` lines come to, field by field, in the graph and in what `explain` tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from rulewright.build import build
from rulewright.data import schema
from rulewright_tools.cli import rulewright

SOURCES = Path(__file__).parent / "language" / "sources"
SAID = {
    "sort": "facts",
    "weapon": "own for place",
    "weapon.fire": "facts, own for cost, when",
    "rack": "book, own for shape, holds",
    "chest": "own",
    "pistol": "facts, book for label, copies, own for ammo, range",
    "pistol.jam": "own",
    "rifle": "own for place",
    "rifle after play": "own",
    "luck": "facts, own for faces",
    "alarm": "own for spaces",
    "spare": "own",
    "shell": "own for do",
    "loud": "own",
    "play": "book, own for aim",
    "play.aim": "own",
}


def said(path: Path) -> dict[str, str]:
    """What the graph of a ruleset says of each declaration, as it is written."""
    graph = build(path).graph
    assert graph is not None
    assert list(Draft202012Validator(schema("effect-graph")).iter_errors(graph)) == []
    return {one["path"]: written(one["source"], {each["field"]: each["source"] for each in one["fields"]}) for one in graph["sources"]}


def written(source: str | None, fields: dict[str, str]) -> str:
    """A source line."""
    named = [
        f"{word} for {', '.join(name for name in fields if fields[name] == word)}" for word in ("book", "facts", "own") if word in fields.values()
    ]
    return ", ".join([*([source] if source else []), *named])


def explained(*arguments: str) -> str:
    """What `explain` prints."""
    result = CliRunner().invoke(rulewright, ["explain", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_every_sort_of_declaration_says_it() -> None:
    """Kinds, places, components, methods, hooks, dice, tracks, numbers, costs, rules, phases and steps, in the order of the file."""
    assert said(SOURCES / "armoury") == SAID


def test_layers_say_it_anew() -> None:
    """`set X.source` says all of it anew, `set X.source.FIELD` how well one field is known; the rest is as it was."""
    assert said(SOURCES / "good" / "layer.rules") == {
        **SAID,
        "pistol": "book, facts for ammo, own for range, sort",
        "pistol.jam": "facts",
        "weapon.fire": "facts, book for cost, own for when",
        "luck": "facts, book for faces",
        "alarm": "facts, own for spaces",
        "rack": "own, book for shape, label",
        "spare": "book",
        "sort": "own",
        "shell": "book, own for do",
        "loud": "facts",
        "play": "book, facts for aim",
        "play.aim": "facts",
    }


def test_a_board_says_it_of_all_that_lies_on_it() -> None:
    """What the map says as a whole holds for what says nothing itself, as far as it has the fields."""
    assert said(SOURCES / "good" / "board") == {
        "hall": "facts, own for place",
        "yard": "own, book for lit, label",
        "gate": "facts, own for numbers, place",
        "hatch": "own for ends",
        "field": "book",
        "meadow": "facts",
    }


def test_explain_tells_it() -> None:
    """Of a declaration with its parts, and of a part what it says or what is said of it around it."""
    told: dict[str, Any] = {
        "pistol": "facts, book for label, copies, own for ammo, range, jam",
        "pistol.ammo": "own",
        "pistol.range": "own",
        "pistol.jam": "own",
        "weapon": "facts for fire, own for place, fire.cost, fire.when",
        "weapon.fire": "facts, own for cost, when",
        "rifle": "own for place, after play",
        "rifle.heavy": None,
        "luck": "facts, own for faces",
        "play.aim": "own",
    }
    armoury = str(SOURCES / "armoury")
    lines = {path: explained(armoury, path).splitlines() for path in told}
    found = {path: next((line.removeprefix("source: ") for line in text if line.startswith("source: ")), None) for path, text in lines.items()}
    assert found == told
    (plain,) = json.loads(explained(armoury, "luck", "--json"))
    assert (plain["source"], plain["sources"]) == ("facts", {"faces": "own"})
