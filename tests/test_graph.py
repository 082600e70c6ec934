"""The effect graph as others read it: its schema tells damage from sense, and every name in it leads somewhere."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright.core.lower.expressions import Expressions
from rulewright.data import schema
from tests.playing import built

ROOT = Path(__file__).parent.parent
RULESETS = {
    path.parent.relative_to(ROOT).as_posix(): path.parent
    for path in [*ROOT.glob("rulesets/*/ruleset.yaml"), *ROOT.glob("tests/passages/*/ruleset.yaml")]
    if "\nshared_by:" not in path.read_text()
}
OTHER_SIDES = ("rulesets/base_alt_board", "rulesets/lockdown_surface")  # of the boards
SMALL = ROOT / "tests" / "passages" / "aliens"
NODES = ("next", "entry", "then", "else", "body")
TABLES = {"effect": "effects", "value": "values", "die": "dice", "grid": "grids", "short": "effects"}


def graph(folder: Path) -> dict[str, Any]:
    made = built(folder).graph
    assert made is not None
    return made


def below(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in a part of a graph."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from below(part)


def nouns(made: dict[str, Any]) -> set[str]:
    """Everything that can be asked for by the name of a kind or component."""
    cells = {
        f"{name}_{row}_{column}"
        for name, grid in made["grids"].items()
        for row in range(1, grid["rows"] + 1)
        for column in range(1, grid["columns"] + 1)
    }
    return {"place", *made["kinds"], *made["components"], *made["tracks"], *cells}


def lost(made: dict[str, Any]) -> Iterator[str]:
    """References that lead nowhere."""
    groups = {group for action in made["actions"].values() for group in action["groups"]}
    events = {*made["effects"], *made["actions"], *made["values"], *groups}
    known = nouns(made)
    fields = {"space"} | {name for kind in made["kinds"].values() for name in kind["fields"]}
    for each in below(made):
        op = each.get("op")
        wanted = [(name, made["nodes"]) for name in NODES if isinstance(each.get(name), str)]
        wanted += [(name, made[table]) for name, table in TABLES.items() if isinstance(each.get(name), str) and op not in (None, "const")]
        wanted += [("kind", known)] if isinstance(each.get("kind"), str) else []
        wanted += [("place", made["places"].keys() | {"box"})] if op in ("place", "place_of") else []
        wanted += [("name", known)] if op == "component" else [("name", made["numbers"])] if op == "number" else []
        wanted += [("name", made["ruleset"]["options"])] if op == "option" else [("name", events)] if op == "is_deed" else []
        wanted += [("of", known)] if op == "all" else []
        wanted += [("field", fields)] if op == "set" else [("until", events)] if op == "install" else []
        wanted += [("event", events), ("action", {None, *made["actions"]}), ("of", {None, *known})] if "timing" in each else []
        wanted += [("cost", made["costs"])] if isinstance(each.get("cost"), str) else []
        yield from (f"{name} {each[name]} in {str(each)[:120]}" for name, table in wanted if each[name] not in table)
        yield from (f"hook {name}" for name in each.get("hooks", ()) if op == "install" and name not in made["hooks"])
        yield from (f"method {name}" for name in each.get("methods", ()) if name not in known)
        yield from (f"choice {name}" for name in each.get("choices", ()) if name not in made["nodes"])


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name in OTHER_SIDES else name for name in RULESETS])
def test_every_reference_leads_somewhere(name: str) -> None:
    """Nodes, effects, values, kinds, places, hooks, costs: what is named exists."""
    assert list(lost(graph(RULESETS[name]))) == []


def test_lost_references_are_found() -> None:
    """The test above would notice: each reference in turn is led astray."""
    made = graph(SMALL)
    for name in ("next", "effect", "value", "kind", "place", "event"):
        broken = copy.deepcopy(made)
        holders = [
            each for each in below(broken) if isinstance(each.get(name), str) and each.get("op") != "const" and ("op" in each or "timing" in each)
        ]
        assert holders, name
        holders[len(holders) // 2][name] = "nowhere at all"
        assert any("nowhere at all" in found for found in lost(broken)), name


def test_every_operation_has_its_shape() -> None:
    """The operations of the schema are those that are lowered, and each has a shape of its own."""
    parts = schema("effect-graph")["$defs"]
    lowered = {name.removesuffix("_") for name in vars(Expressions) if name.endswith("_") and not name.startswith("_")}
    assert set(parts["expr_op"]["enum"]) - {"shown"} == lowered
    assert {name.removeprefix("expr_") for name in parts if name.startswith("expr_")} == {*parts["expr_op"]["enum"], "op"}


def test_damage_is_noticed() -> None:
    """Whatever is taken out of an expression or renamed in it, the schema refuses it."""
    made, random = graph(SMALL), Random(1)
    validator = Draft202012Validator({**schema("effect-graph")["$defs"]["expr"], "$defs": schema("effect-graph")["$defs"]})
    operations = set(schema("effect-graph")["$defs"]["expr_op"]["enum"])
    expressions = [each for each in below(made) if each.get("op") in operations and "span" not in each]
    optional = {("all", "grid"), ("query", "aliases"), ("query", "spans"), ("arithmetic", "range"), ("value", "of"), ("is_in", "plain")}
    for each in random.sample(expressions, 300):
        key = random.choice([key for key in each if (each["op"], key) not in optional])
        without = {name: part for name, part in each.items() if name != key}
        assert validator.is_valid(each)
        assert not validator.is_valid(without), (key, each)
        assert not validator.is_valid({**without, f"{key}_": each[key]}), (key, each)
        assert not validator.is_valid({**each, key: {"strange": 1}}), (key, each)
