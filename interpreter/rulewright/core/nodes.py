"""Nodes: what is inside an instruction or expression, whichever sort it is."""

from __future__ import annotations

from typing import Any

import msgspec

from rulewright.core import program as c

INSIDE = c.parts_with("Expression", "Name", "Order", "Shown", "Text", "Through")  # the parts of each sort of node that hold nodes


def parts(node: Any) -> list[Any]:
    """The nodes right inside one."""
    found: list[Any] = []
    for name in INSIDE.get(type(node), ()):
        part = getattr(node, name)
        if isinstance(part, msgspec.Struct):
            found.append(part)
        elif part:
            found += _among(part)
    return found


def _among(part: Any) -> list[Any]:
    """The nodes among the things of a part that holds several."""
    found: list[Any] = []
    for each in part.values() if isinstance(part, dict) else part:
        if isinstance(each, msgspec.Struct):
            found.append(each)
        elif isinstance(each, tuple):
            found += _among(each)
    return found


def everything(*nodes: Any) -> list[Any]:
    """Some nodes and all that are inside them."""
    found = list(nodes)
    for node in found:
        found += parts(node)
    return found
