"""Whether data surely has the shape that a JSON schema describes.

jsonschema knows every word of the language and can say what is wrong; it also takes its time, and nearly all data is as it should be. Here a schema becomes a
function that says yes, or that it is not sure: then jsonschema is asked. So whatever is not known here, or taken more strictly, costs time and nothing else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from types import NoneType
from typing import Any

from rulewright.data import schema

Shape = dict[str, Any]
Test = Callable[[Any], bool]
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": NoneType}


@functools.cache
def surely(name: str) -> Test:
    """The test of a schema that travels with the program."""
    return _test(schema(name))


def _test(shape: Shape) -> Test:
    words = [word for word in shape if word not in NOTES]
    if not set(words) <= WORDS.keys() or {"items", "prefixItems"} <= shape.keys():
        return _unsure
    if len(words) == 1 and words[0] in ALONE:
        return WORDS[words[0]](shape[words[0]], shape)
    if not isinstance(shape.get("type"), str):  # all other words speak of data of one type
        return _unsure
    right = _type(shape["type"], shape)
    tests = [WORDS[word](shape[word], shape) for word in words if word != "type"]
    return lambda data: right(data) and all(test(data) for test in tests)


def _unsure(data: Any) -> bool:
    return False


def _type(names: str | list[str], shape: Shape) -> Test:
    allowed = {TYPES.get(name) for name in ([names] if isinstance(names, str) else names)}
    return lambda data: type(data) in allowed


def _items(each: Shape, shape: Shape) -> Test:
    test = _test(each)
    if each.keys() <= {"type", *NOTES}:  # long lists of numbers or texts
        return lambda data: all(map(test, {type(part): part for part in data}.values()))
    return lambda data: all(map(test, data))


def _prefix_items(shapes: list[Shape], shape: Shape) -> Test:
    tests = [_test(each) for each in shapes]
    return lambda data: len(data) == len(tests) and all(test(part) for test, part in zip(tests, data, strict=True))


def _properties(shapes: dict[str, Shape], shape: Shape) -> Test:
    tests = [(name, _test(each)) for name, each in shapes.items()]
    return lambda data: all(test(data[name]) for name, test in tests if name in data)


def _additional(others: Any, shape: Shape) -> Test:
    named = shape.get("properties", {}).keys()
    if isinstance(others, bool):
        return lambda data: others or data.keys() <= named
    test = _test(others)
    return lambda data: all(test(part) for name, part in data.items() if name not in named)


def _required(names: list[str], shape: Shape) -> Test:
    wanted = set(names)
    return lambda data: wanted <= data.keys()


def _pattern(text: str, shape: Shape) -> Test:
    compiled = re.compile(text)
    return lambda data: compiled.search(data) is not None


ALONE = ("type", "const", "enum")
NOTES = ("$schema", "title", "description")
WORDS: dict[str, Callable[[Any, Shape], Test]] = {
    "type": _type,
    "const": lambda value, shape: lambda data: type(data) is type(value) and data == value,
    "enum": lambda values, shape: lambda data: type(data) is str and data in values,
    "minimum": lambda low, shape: lambda data: data >= low,
    "maximum": lambda high, shape: lambda data: data <= high,
    "pattern": _pattern,
    "items": _items,
    "prefixItems": _prefix_items,
    "minItems": lambda least, shape: lambda data: len(data) >= least,
    "maxItems": lambda most, shape: lambda data: len(data) <= most,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": _required,
}
