"""Steps by name: finding and editing the named parts of an effect's body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from interpreter import tree as t

BLOCKS = ("body", "then", "other", "yes", "no")


def find_step(body: t.Block | None, names: list[str]) -> t.Step | None:
    """The step with that path inside a body."""
    for step in _steps(body):
        if step.name == names[0]:
            return step if len(names) == 1 else find_step(step.body, names[1:])
    return None


def step_paths(prefix: str, body: t.Block | None) -> list[str]:
    """The paths of all steps in a body."""
    paths = []
    for step in _steps(body):
        paths += [f"{prefix}.{step.name}", *step_paths(f"{prefix}.{step.name}", step.body)]
    return paths


def _steps(block: t.Block | None) -> list[t.Step]:
    """The steps of a block that are not inside another step."""
    found: list[t.Step] = []
    for statement in block.statements if block else ():
        if isinstance(statement, t.Step):
            found.append(statement)
        else:
            for inner in _inner_blocks(statement):
                found += _steps(inner)
    return found


def _inner_blocks(statement: Any) -> list[t.Block]:
    blocks = [inner for name in BLOCKS if isinstance(inner := getattr(statement, name, None), t.Block)]
    parts = (*getattr(statement, "cases", ()), *getattr(statement, "options", ()))
    return blocks + [part.body for part in parts]


def replace_step(block: t.Block, names: list[str], edit: Callable[[t.Step], tuple[t.Statement, ...]]) -> t.Block:
    """The block with the step of that path edited."""
    statements: list[t.Statement] = []
    for statement in block.statements:
        if isinstance(statement, t.Step):
            if statement.name != names[0]:
                statements.append(statement)
            elif len(names) == 1:
                statements += edit(statement)
            else:
                statements.append(replace(statement, body=replace_step(statement.body, names[1:], edit)))
        else:
            statements.append(_edit_inside(statement, names, edit))
    return replace(block, statements=tuple(statements))


def _edit_inside(statement: Any, names: list[str], edit: Callable[[t.Step], tuple[t.Statement, ...]]) -> Any:
    changed: dict[str, Any] = {}
    for name in BLOCKS:
        if isinstance(inner := getattr(statement, name, None), t.Block) and find_step(inner, names) is not None:
            changed[name] = replace_step(inner, names, edit)
    for name in ("cases", "options"):
        if parts := getattr(statement, name, ()):
            changed[name] = tuple(replace(part, body=replace_step(part.body, names, edit)) for part in parts)
    return replace(statement, **changed) if changed else statement
