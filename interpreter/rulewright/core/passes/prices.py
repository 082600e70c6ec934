"""Prices: what it costs to ask an expression, besides the things that it looks at. Long ones cost more, so that what looks at little cannot work for long either.

To apply a function costs one look, and one more for every so many nodes of it; what is asked for each thing of a list, and an instruction, only the latter.
`step` reckons so as it goes; `priced` writes the same prices into a program, so that they stay what they are whatever passes make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.nodes import everything
from rulewright.core.passes.rewrite import Change, rebuilt, rewritten

NODES = 16  # that are asked for the price of one thing that is looked at
REPEATED: dict[type, tuple[str, ...]] = {  # parts that are asked for each of several things
    c.Query: ("tests", "orders"), c.Map: ("value",), c.Measure: ("value",), c.Fold: ("test", "value"), c.Through: ("tests",), c.Selection: ("test",),
}  # fmt: skip


def price_of(nodes: Sequence[Any]) -> int:
    """What it costs to ask expressions one after another, or to carry out an instruction; nothing if the price is written there."""
    if not nodes or isinstance(nodes[0], c.Charge):
        return 0
    return sum(len(everything(node)) for node in nodes) // NODES


def price_of_function(body: Any) -> int:
    """What it costs to apply a function."""
    return 0 if isinstance(body, c.Charge) else 1 + price_of((body,))


def priced(program: c.Program) -> c.Program:
    """A program in which what functions and parts of queries cost is written."""

    def change(node: Any) -> Any:
        made = rebuilt(node, change)
        for name in REPEATED.get(type(node), ()):
            part = getattr(node, name)
            nodes = part if isinstance(part, tuple) else () if part is None else (part,)
            price = price_of([each.key if isinstance(each, c.Order) else each for each in nodes])
            if price:
                made = msgspec.structs.replace(made, **{name: charged(price, getattr(made, name))})
        return made

    def of_owner(owner: c.Unit | c.Function, locals_: list[c.Local]) -> Change:
        return change if isinstance(owner, c.Unit) else lambda body: c.Charge(price_of_function(body), change(body))

    return rewritten(program, of_owner)


def charged(price: int, part: Any) -> Any:
    """An expression, or the first of several, with its price."""
    if isinstance(part, tuple):
        return charged(price, part[0]), *part[1:]
    return msgspec.structs.replace(part, key=c.Charge(price, part.key)) if isinstance(part, c.Order) else c.Charge(price, part)


def unpriced(node: Any) -> Any:
    """An instruction or expression without prices: they are paid already."""
    return unpriced(node.of) if isinstance(node, c.Charge) else rebuilt(node, unpriced)
