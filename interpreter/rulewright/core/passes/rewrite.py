"""Rewriting: programs with other expressions in the same instructions, blocks and units.

Passes change what is asked, never what is done: every address, step and frame stays what it was, so that a state of the program before a pass is one of the program
after it. Slots may be added behind those of a unit; only queries and the like give them values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from rulewright.core import program as c

Change = Callable[[Any], Any]
Owner = c.Unit | c.Function
Rewrite = Callable[
    [Owner, list[c.Local]], Change
]  # for a unit or function and its names, to which it may add some: what is done with its expressions


def rebuilt(node: Any, change: Change) -> Any:
    """A node with changed parts; the same one if none has changed."""
    if isinstance(node, msgspec.Struct):
        made = {}
        for name in node.__struct_fields__:
            part = getattr(node, name)
            if isinstance(part, msgspec.Struct | tuple | dict):
                other = _changed(part, change)
                if other is not part:
                    made[name] = other
        return msgspec.structs.replace(node, **made) if made else node
    return _changed(node, change)


def _changed(part: Any, change: Change) -> Any:
    if isinstance(part, msgspec.Struct):
        return change(part)
    if isinstance(part, tuple):
        made = tuple([_changed(each, change) if isinstance(each, msgspec.Struct | tuple) else each for each in part])
        return made if any(one is not other for one, other in zip(made, part, strict=True)) else part
    if isinstance(part, dict):
        found = {key: _changed(each, change) if isinstance(each, msgspec.Struct) else each for key, each in part.items()}
        return found if any(found[key] is not part[key] for key in part) else part
    return part


def rewritten(program: c.Program, rewrite: Rewrite) -> c.Program:
    """A program with other expressions."""
    functions = {}
    for name, function in program.functions.items():
        locals_ = function.locals[:]
        functions[name] = msgspec.structs.replace(function, body=rewrite(function, locals_)(function.body), locals=locals_)
    units = {name: msgspec.structs.replace(unit, locals=unit.locals[:]) for name, unit in program.units.items()}
    changes = {name: rewrite(program.units[name], unit.locals) for name, unit in units.items()}
    blocks = [msgspec.structs.replace(block, code=[rebuilt(each, changes[block.unit]) for each in block.code]) for block in program.blocks]
    return msgspec.structs.replace(program, functions=functions, units=units, blocks=blocks)


def parts(node: Any) -> list[Any]:
    """The structs right inside one."""
    found: list[Any] = []
    todo = [getattr(node, name) for name in node.__struct_fields__]
    for part in todo:
        if isinstance(part, msgspec.Struct):
            found.append(part)
        elif isinstance(part, tuple):
            todo += part
        elif isinstance(part, dict):
            todo += part.values()
    return found


def everything(node: Any) -> list[Any]:
    """A struct and all structs inside it."""
    found = [node]
    for part in found:
        found += parts(part)
    return found
