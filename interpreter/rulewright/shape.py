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
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (NoneType,),
}  # fmt: skip


@functools.cache
def surely(name: str) -> Test:
    """The test of a schema that travels with the program."""
    return _test(schema(name))


def _test(shape: Shape, root: Shape | None = None, within: str | None = None) -> Test:
    """The test of a part of a schema; `root` is all of it, `within` the type of what the part speaks of, where that is known."""
    root = shape if root is None else root
    words = [word for word in shape if word not in NOTES]
    if not set(words) <= WORDS.keys() or {"items", "prefixItems"} <= shape.keys():
        return _unsure
    if len(words) == 1 and words[0] in ALONE:
        return WORDS[words[0]](shape[words[0]], shape, root)
    of = shape.get("type", within)
    rest = [word for word in words if word != "type"]
    if isinstance(of, list) and all(word in ABOUT for word in rest):  # of other data these say nothing
        right, spoken = _type(of), [(TYPES[ABOUT[word]], WORDS[word](shape[word], {**shape, "type": ABOUT[word]}, root)) for word in rest]
        return lambda data: right(data) and all(test(data) for about, test in spoken if type(data) in about)
    if not isinstance(of, str) or "$ref" in rest:  # all other words speak of data of one type
        return _unsure
    whole = {**shape, "type": of}
    right, tests = _type(of), [WORDS[word](shape[word], whole, root) for word in rest]
    return lambda data: right(data) and all(test(data) for test in tests)


def _unsure(data: Any) -> bool:
    return False


def _type(names: str | list[str], *_: Shape) -> Test:
    allowed = {each for name in ([names] if isinstance(names, str) else names) for each in TYPES.get(name, ())}
    return lambda data: type(data) in allowed


def _reference(to: str, shape: Shape, root: Shape) -> Test:
    found: list[Test] = []

    def test(data: Any) -> bool:
        if not found:  # when it is met: it may lead to itself
            there = root.get("$defs", {}).get(to.removeprefix("#/$defs/"))
            found.append(_unsure if there is None else _test(there, root))
        return found[0](data)

    return test


def _any_of(shapes: list[Shape], shape: Shape, root: Shape) -> Test:
    tests = [_test(each, root, shape.get("type")) for each in shapes]
    return lambda data: any(test(data) for test in tests)


def _if(condition: Shape, shape: Shape, root: Shape) -> Test:
    """One that asks whether some key has some value; it does not hold where that is not so, or what is wanted then is so."""
    (key, wanted), *more = condition.get("properties", {}).items() or [("", {})]
    if more or condition != {"properties": {key: {"const": wanted.get("const")}}, "required": [key]} or "else" in shape:
        return _unsure
    then = _test(shape.get("then", {}), root, shape["type"])
    return lambda data: then(data) or key not in data or (type(data[key]) is str and data[key] != wanted["const"])


def _items(each: Shape, shape: Shape, root: Shape) -> Test:
    test = _test(each, root)
    if each.keys() <= {"type", *NOTES}:  # long lists of numbers or texts
        return lambda data: all(map(test, {type(part): part for part in data}.values()))
    return lambda data: all(map(test, data))


def _prefix_items(shapes: list[Shape], shape: Shape, root: Shape) -> Test:
    tests = [_test(each, root) for each in shapes]
    return lambda data: len(data) == len(tests) and all(test(part) for test, part in zip(tests, data, strict=True))


def _properties(shapes: dict[str, Shape], shape: Shape, root: Shape) -> Test:
    tests = [(name, _test(each, root)) for name, each in shapes.items()]
    return lambda data: all(test(data[name]) for name, test in tests if name in data)


def _additional(others: Any, shape: Shape, root: Shape) -> Test:
    named = shape.get("properties", {}).keys()
    if isinstance(others, bool):
        return lambda data: others or data.keys() <= named
    test = _test(others, root)
    return lambda data: all(test(part) for name, part in data.items() if name not in named)


def _names(each: Shape, shape: Shape, root: Shape) -> Test:
    test = _test(each, root, "string")
    return lambda data: all(map(test, data))


def _required(names: list[str], *_: Shape) -> Test:
    wanted = set(names)
    return lambda data: wanted <= data.keys()


def _pattern(text: str, *_: Shape) -> Test:
    compiled = re.compile(text)
    return lambda data: compiled.search(data) is not None


def _least(number: int, *_: Shape) -> Test:
    return lambda data: len(data) >= number


def _most(number: int, *_: Shape) -> Test:
    return lambda data: len(data) <= number


ALONE = ("type", "const", "enum", "$ref", "anyOf")
ABOUT = {
    **dict.fromkeys(("minimum", "maximum"), "number"),
    **dict.fromkeys(("properties", "additionalProperties", "propertyNames", "required"), "object"),
}  # what these words speak of
NOTES = ("$schema", "$id", "$defs", "title", "description", "default")
WORDS: dict[str, Callable[[Any, Shape, Shape], Test]] = {
    "type": _type,
    "const": lambda value, *_: lambda data: type(data) is type(value) and data == value,
    "enum": lambda values, *_: lambda data: type(data) is str and data in values,
    "minimum": lambda low, *_: lambda data: data >= low,
    "maximum": lambda high, *_: lambda data: data <= high,
    "pattern": _pattern,
    "minLength": _least,
    "maxLength": _most,
    "items": _items,
    "prefixItems": _prefix_items,
    "minItems": _least,
    "maxItems": _most,
    "uniqueItems": lambda wanted, *_: lambda data: all(type(each) is str for each in data) and len(set(data)) == len(data),
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "minProperties": _least,
    "maxProperties": _most,
    "required": _required,
    "$ref": _reference,
    "anyOf": _any_of,
    "if": _if,
    "then": lambda *_: lambda data: True,  # said with `if`
}
