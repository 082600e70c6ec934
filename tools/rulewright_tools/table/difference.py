"""What has changed between two tables, as a JSON merge patch (RFC 7396): small, since everything in a table that can be many is an object by id.

Takes tables, or the JSON of tables; gives JSON. A table has no null in it, so `null` in a patch always means that something is gone. Lists are replaced as a whole; they
are short, or seldom change. Parts that are the same object are not looked into.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import asdict, fields

Json = Any


def difference(old: msgspec.Struct | Mapping[str, Any], new: msgspec.Struct | Mapping[str, Any]) -> dict[str, Json]:
    """The patch that makes one table of another; empty if they are the same."""
    before, after = _parts(old), _parts(new)
    found: dict[str, Json] = {key: None for key in before if key not in after}
    for key, value in after.items():
        if key not in before:
            found[key] = msgspec.to_builtins(value)
        elif (other := before[key]) is value or (other == value and type(other) is type(value)):
            continue
        elif isinstance(value, msgspec.Struct | dict) and isinstance(other, msgspec.Struct | dict):
            if inner := difference(other, value):
                found[key] = inner
        else:
            found[key] = msgspec.to_builtins(value)
    return found


def _parts(whole: msgspec.Struct | Mapping[str, Any]) -> Mapping[str, Any]:
    """The parts that the JSON of a record has: those that say something."""
    if not isinstance(whole, msgspec.Struct):
        return whole
    usual = _usual(type(whole))
    return {name: value for name, value in asdict(whole).items() if value is not msgspec.UNSET and (name not in usual or value != usual[name])}


@cache
def _usual(record: type[msgspec.Struct]) -> dict[str, object]:
    """What the fields of a record are if nothing is said."""
    made = ((field.name, field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()) for field in fields(record))
    return {name: value for name, value in made if value is not msgspec.NODEFAULT}


def apply(old: dict[str, Json], change: dict[str, Json]) -> dict[str, Json]:
    """A table with a patch on it; neither is changed."""
    made = dict(old)
    for key, value in change.items():
        if value is None:
            made.pop(key, None)
        elif isinstance(value, dict):
            inner = made.get(key)
            made[key] = apply(inner if isinstance(inner, dict) else {}, value)
        else:
            made[key] = value
    return made
