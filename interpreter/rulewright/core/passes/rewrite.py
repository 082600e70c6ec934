"""Rewriting: programs with other expressions in the same instructions, blocks and units.

Passes change what is asked, never what is done: every address, step and frame stays what it was, so that a state of the program before a pass is one of the program
after it. Slots may be added behind those of a unit; only queries and the like give them values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import is_not
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.nodes import INSIDE

Change = Callable[[Any], Any]
Owner = c.Unit | c.Function
Rewrite = Callable[
    [Owner, list[c.Local]], Change
]  # for a unit or function and its names, to which it may add some: what is done with its expressions


def rebuilt(node: Any, change: Change) -> Any:
    """A node with changed parts, or several in a tuple; the same one if none has changed."""
    if not isinstance(node, msgspec.Struct):
        return _changed(node, change)
    made = {}
    for name in INSIDE.get(type(node), ()):
        part = getattr(node, name)
        other = change(part) if isinstance(part, msgspec.Struct) else _changed(part, change) if part else part
        if other is not part:
            made[name] = other
    return msgspec.structs.replace(node, **made) if made else node


def _changed(part: Any, change: Change) -> Any:
    """The same for what holds several nodes, and other things between them."""
    if isinstance(part, msgspec.Struct):
        return change(part)
    if isinstance(part, tuple):
        made = tuple([_changed(each, change) for each in part])
        return made if any(map(is_not, made, part)) else part
    if isinstance(part, dict):
        found = {key: _changed(each, change) for key, each in part.items()}
        return found if any(map(is_not, found.values(), part.values())) else part
    return part


def rewritten(program: c.Program, rewrite: Rewrite, only: Collection[str] | None = None) -> c.Program:
    """A program with other expressions, in some units and functions if it is said in which: all others are what they were."""
    functions = dict(program.functions)
    for name, function in program.functions.items():
        if only is not None and name not in only:
            continue
        locals_ = function.locals[:]
        functions[name] = msgspec.structs.replace(function, body=rewrite(function, locals_)(function.body), locals=locals_)
    units = {
        name: msgspec.structs.replace(unit, locals=unit.locals[:]) if only is None or name in only else unit for name, unit in program.units.items()
    }
    changes = {name: rewrite(program.units[name], unit.locals) for name, unit in units.items() if only is None or name in only}
    blocks = [
        msgspec.structs.replace(block, code=[rebuilt(each, changes[block.unit]) for each in block.code]) if block.unit in changes else block
        for block in program.blocks
    ]
    return msgspec.structs.replace(program, functions=functions, units=units, blocks=blocks)
