"""Steps by name: those of the parts of a body that are steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright import tree as t
from rulewright.resolve.parts import find_part, parts_of


def find_step(node: Any, names: Sequence[str]) -> t.Step | None:
    """The step with that path inside a body."""
    found = find_part(node, tuple(names)) if node is not None else None
    return found if isinstance(found, t.Step) else None


def step_paths(prefix: str, node: Any) -> list[str]:
    """The paths of all steps in a body, or in the parts of a declaration."""
    paths: list[str] = []
    for part in parts_of(node) if node is not None else ():
        path = f"{prefix}.{part.name}"
        paths += [path] if isinstance(part, t.Step) else []
        paths += step_paths(path, part)
    return paths
