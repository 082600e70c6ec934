"""Pieces of an effect graph: what they speak of, and what is said about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Expr = dict[str, Any]


def speaks_of(expression: Any, names: list[str]) -> bool:
    """Whether an expression, or anything in it, uses one of some local names."""
    return any(part.get("op") == "var" and part["name"] in names for part in mappings(expression))


def mappings(part: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a piece of a graph, the outer before the inner."""
    if isinstance(part, dict):
        yield part
        part = part.values()
    elif not isinstance(part, list):
        return
    for each in part:
        yield from mappings(each)


def nothing_given(expression: Expr) -> str:
    """What is said when an effect is handed nothing."""
    return f"{expression['to']} must be {expression['wanted']}, but nothing is handed to it; if nothing may be meant there, its type says 'or none'"
