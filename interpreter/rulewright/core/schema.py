"""The JSON Schema of the core, made from its structs: each of them once, and the unions of expressions and instructions once each."""

from __future__ import annotations

import json
from inspect import cleandoc
from typing import Any, get_args

import msgspec

from rulewright.core import program as c

UNIONS = {"Expression": get_args(c.Expression), "Instruction": get_args(c.Instruction)}


def encoded(program: c.Program) -> bytes:
    """A program as JSON."""
    return msgspec.json.encode(program)


def decoded(text: bytes) -> c.Program:
    """A program from JSON; what is not one raises `msgspec.ValidationError`."""
    return msgspec.json.decode(text, type=c.Program)


def schema() -> dict[str, Any]:
    """The schema of a program."""
    (program,), parts = msgspec.json.schema_components([c.Program], ref_template="#/$defs/{name}")
    unions = {frozenset(_ref(each) for each in members): name for name, members in UNIONS.items()}
    found = {name: _shared(part, unions) for name, part in parts.items()}
    found |= {name: _union(members) for name, members in UNIONS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A program of the core",
        "description": "Made from the structs of rulewright.core.program; `op` says what a node is.",
        **program,
        "$defs": dict(sorted(found.items())),
    }


def text() -> str:
    """The schema as it is written to a file."""
    return json.dumps(schema(), indent=1) + "\n"


def _union(members: tuple[type, ...]) -> dict[str, Any]:
    """One of several structs, by its `op`: so written, a validator looks into one of them only."""
    tags = {each.__struct_config__.tag: each for each in members}  # type: ignore[attr-defined]
    cases = [{"if": {"properties": {"op": {"const": tag}}}, "then": {"$ref": _ref(each)}} for tag, each in tags.items()]
    return {"type": "object", "required": ["op"], "properties": {"op": {"enum": list(tags)}}, "allOf": cases}


def _ref(struct: type) -> str:
    return f"#/$defs/{struct.__name__}"


def _shared(part: Any, unions: dict[frozenset[str], str]) -> Any:
    """A part of the schema in which a whole union is named instead of listed."""
    if isinstance(part, list):
        return [_shared(each, unions) for each in part]
    if not isinstance(part, dict):
        return part
    members = part.get("anyOf")
    if members is not None:
        refs = frozenset(each["$ref"] for each in members if "$ref" in each)
        for whole, name in unions.items():
            if whole <= refs:
                others = [each for each in members if each.get("$ref") not in whole]
                named = {"$ref": f"#/$defs/{name}"}
                return {"anyOf": [named, *others]} if others else named
    made = {key: _shared(each, unions) for key, each in part.items() if key != "discriminator"}
    if isinstance(made.get("description"), str):
        made["description"] = cleandoc(made["description"])  # as later Pythons keep it
    return made
