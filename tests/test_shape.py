"""Shapes: what is surely right is right for jsonschema too, and whatever the program itself writes is surely right."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from rulewright import load
from rulewright.data import schema
from rulewright.game import saved as saving
from rulewright.limits import DEFAULT_LIMITS
from rulewright.shape import _test, surely
from rulewright.sources.yamltree import read_tree
from tests.playing import ROOT, play_on

ODD: list[Any] = [None, True, False, 0, 1, -1, 1.0, 2.5, "", "won", "x", [], [1], {}, {"f": "root"}, {"kind": "move"}]


def saved(what: str) -> dict[str, Any]:
    game = load("tic_tac_toe").new_game(2, 3)
    play_on(game, 1, 4)
    return json.loads(json.dumps(game.save() if what == "save" else game.replay()))  # type: ignore[no-any-return]


def damaged(data: Any, dice: random.Random) -> Any:
    """The same data with something odd in it."""
    made = copy.deepcopy(data)
    at = made
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = dice.choice(keys)
        inner = at[key]
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            at = inner
            continue
        how = dice.randrange(3)
        if how == 0 and isinstance(at, dict):
            del at[key]
        elif how == 1 and isinstance(at, dict):
            at["odd"] = dice.choice(ODD)
        else:
            at[key] = dice.choice(ODD)
        return made


def test_what_is_surely_right_is_right() -> None:
    """Thousands of odd values in all places; most are noticed."""
    data, validator, dice, right = saved("replay"), Draft202012Validator(schema("replay")), random.Random(5), 0
    assert surely("replay")(data)
    for _ in range(1_500):
        odd = damaged(data, dice)
        if surely("replay")(odd):
            right += 1
            assert validator.is_valid(odd), odd
    assert right < 750


def number(text: str) -> int | float:
    """To JSON Schema 1.0 is a whole number."""
    return int(float(text)) if float(text).is_integer() else float(text)


SAVE = ROOT / "schemas" / "save.schema.json"


def test_the_schema_of_saves_is_made_from_what_reads_them(request: pytest.FixtureRequest) -> None:
    """The file is what the structs say (`--update` writes it): odd values in all places are refused by both, or by none."""
    if request.config.getoption("--update"):
        SAVE.write_text(saving.text(), encoding="utf-8")
    assert SAVE.read_text(encoding="utf-8") == saving.text()
    data, validator, dice, right = saved("save"), Draft202012Validator(schema("save")), random.Random(5), 0
    for odd in (data, *(damaged(data, dice) for _ in range(300))):
        try:
            msgspec.convert(json.loads(json.dumps(odd), parse_float=number), saving.Save)
            read = True
        except msgspec.ValidationError:
            read = False
        assert validator.is_valid(odd) is read, odd
        right += read
    assert 0 < right < 150


WRITTEN = [
    ("ruleset", "base/ruleset"), ("board", "base/board"), ("rulebook", "base/rulebook"), ("ruleset", "lockdown/ruleset"),
    ("table", "base/table"), ("table", "lockdown/table"), ("locale", "base/locale/cs"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "file"), WRITTEN)
def test_files_of_rulesets(what: str, file: str) -> None:
    """As they are, they are surely right; with odd values in all places they are so only if jsonschema says it too."""
    text = (ROOT / "rulesets" / f"{file}.yaml").read_text(encoding="utf-8")
    document, _ = read_tree(text, file, DEFAULT_LIMITS)
    assert document is not None
    data = document.data if what != "rulebook" else {**document.data, "rules": document.data["rules"][:12]}
    assert surely(what)(data)
    validator, dice, right = Draft202012Validator(schema(what)), random.Random(7), 0
    for _ in range(400):
        odd = damaged(data, dice)
        if surely(what)(odd):
            right += 1
            assert validator.is_valid(odd), odd
    assert right < 200


@pytest.mark.parametrize(
    ("shape", "data"),
    [
        ({"minimum": 3}, "text"),
        ({"type": ["integer", "string"], "minimum": 3}, 1),
        ({"type": ["number", "string"], "minimum": 3}, 1.5),
        ({"type": ["object", "null"], "additionalProperties": {"type": "string"}}, {"a": 1}),
        ({"type": ["object", "null"], "propertyNames": {"maxLength": 2}}, {"abc": 1}),
        ({"type": ["object", "null"], "required": ["a"]}, []),
        ({"type": ["array", "null"], "minItems": 1}, []),
        ({"type": "number"}, True),
        ({"type": "array", "uniqueItems": True}, [1, 1]),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}, [1, 2]),
        ({"const": 1}, True),
        ({"enum": [1, "a"]}, True),
        ({"type": "integer"}, True),
        ({"type": "number"}, "1"),
        ({"items": {"type": "integer"}}, {"a": 1}),
        ({"type": "array", "items": {"type": "integer"}}, [1, True]),
        ({"type": "array", "items": {"type": "integer", "maximum": 3}}, [1, 4]),
        ({"$ref": "#/$defs/short", "minLength": 3, "$defs": {"short": {"type": "string", "maxLength": 2}}}, "a"),
        ({"$ref": "#/$defs/short", "$defs": {"short": {"type": "string", "maxLength": 2}}}, "abc"),
        ({"$ref": "#/$defs/none", "$defs": {}}, "a"),
        ({"anyOf": [{"type": "integer"}, {"required": ["a"]}]}, {"a": 1}),
        ({"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"c": 1}),
        ({"type": "object", "if": {"properties": {"a": {"const": "x"}}, "required": ["a"]}, "then": {"required": ["b"]}}, {"a": "x"}),
        ({"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"c": 1}),
        ({"type": "object", "propertyNames": {"maxLength": 2}}, {"abc": 1}),
        ({"type": "object", "minProperties": 1}, {}),
    ],
)
def test_nothing_is_surely_right_that_is_not_known(shape: dict[str, Any], data: Any) -> None:
    """Words that are not known, or that speak of data of several types, and values that Python takes for others."""
    assert not _test(shape)(data)
