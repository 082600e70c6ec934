"""Code: an expression of the graph as a function, made once for each expression of a world.

The table in `evaluate` says for each operation how its function is made from the functions of its parts. What never changes in a world (names, numbers,
which fields a component has) is looked up while the function is made, not each time it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

Expr = dict[str, Any]
Variables = dict[str, Any]
Code = Callable[["Machine", Variables], Any]
Maker = Callable[["World", Expr], Code]


def code(world: World, expression: Expr) -> Code:
    """The function of an expression; the expression is kept with it, so that its identity stays its own."""
    found = world.code.get(id(expression))
    if found is None:
        from rulewright.run.evaluate import TABLE

        found = (expression, TABLE[expression["op"]](world, expression))
        world.code[id(expression)] = found
    made: Code = found[1]
    return made


def codes(world: World, expressions: list[Expr]) -> list[Code]:
    """The functions of several expressions."""
    return [code(world, expression) for expression in expressions]


def many(value: Any) -> list[Any]:
    """A value as a list: nothing, one thing or several."""
    if type(value) is list:
        return value
    return [] if value is None else [value]
