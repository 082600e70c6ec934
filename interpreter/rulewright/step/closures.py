"""Closures: an expression of a linked program becomes a function of the machine and its names, made once and kept.

What each expression means is in the tables of `expressions` and `streams`; this is what the makers share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.passes.prices import price_of

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine
    from rulewright.step.state import Value

Names = list[Any]
Code = Callable[["Machine", Names], Any]
Stream = Callable[["Machine", Names], Iterator[Any]]
COPIED = 16  # things that are copied for the price of one that is looked at
FEW = 16, 64  # so many hooks that hold for a time, and so many things that are used up, cost nothing to look through
NAMING = ("kind", "any", f"{c.ANSWERS}kind", f"{c.ANSWERS}any")  # what in a text may name components


def code(linked: Linked, node: Any) -> Code:
    """The function of an expression."""
    found = linked._codes.get(id(node))
    if found is None:
        from rulewright.step.expressions import TABLE

        code_ = TABLE[type(node)](linked, node)
        found = linked._codes[id(node)] = (node, code_ if linked.watch is None else linked.watch.code(node, code_))
    made: Code = found[1]
    return made


def codes(linked: Linked, nodes: Iterable[Any]) -> list[Code]:
    return [code(linked, node) for node in nodes]


def paid(price: int, inner: Any) -> Any:
    """Code, or a stream, that costs something to ask."""

    def run(machine: Machine, names: Names) -> Any:
        machine.look(price)
        return inner(machine, names)

    return run if price else inner


def repeated(linked: Linked, *nodes: Any) -> list[Code]:
    """The functions of expressions that are asked one after another for each of several things."""
    made = codes(linked, nodes)
    return [paid(price_of(nodes), made[0]), *made[1:]] if made else made


def fixed(value: Value) -> Code:
    """Code that always gives the same."""
    return lambda machine, names: value


def flat(value: Value) -> tuple[Any, ...]:
    """A value as several things, also those in lists inside it."""
    return tuple([inner for each in value for inner in flat(each)]) if type(value) is tuple else many(value)


def many(value: Value) -> tuple[Any, ...]:
    """A value as several things."""
    if type(value) is tuple:
        return value
    return () if value is None else (value,)


def every_one(linked: Linked, node: c.All) -> tuple[int, ...]:
    """The components of a kind or the cells of a grid: they never change."""
    world = linked.world
    return tuple([cell for row in world.cells[node.grid] for cell in row] if node.grid is not None else world.by_noun.get(node.noun, []))
