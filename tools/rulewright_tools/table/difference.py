"""What has changed between two tables, as a JSON merge patch (RFC 7396): small, since everything in a table that can be many is an object by id.

A table has no null in it, so `null` in a patch always means that something is gone. Lists are replaced as a whole; they are short, or seldom change.
"""

from __future__ import annotations

from typing import Any

Json = Any


def difference(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    """The patch that makes one table of another; empty if they are the same."""
    found: dict[str, Json] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if key not in old:
            found[key] = value
        elif isinstance(before, dict) and isinstance(value, dict):
            if before != value and (inner := difference(before, value)):  # most of a table is the same, and that is seen at once
                found[key] = inner
        elif before != value or type(before) is not type(value):
            found[key] = value
    return found


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
