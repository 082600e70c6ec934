"""Tabulating: what never changes is worked out once, for every thing that the names in it can stand for.

An expression is fixed if it asks only where cells lie, how players sit, which kinds there are: what no move can change. A query whose tests are fixed in part begins
with the list of those things that pass that part. What is worked out is a `Table`; for values that nobody has thought of it asks the expression itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from rulewright.core import program as c
from rulewright.core.liveness import names_in, slots
from rulewright.core.nodes import everything, parts
from rulewright.core.passes.origins import Origins
from rulewright.core.passes.rewrite import Change, Owner, rebuilt, rewritten
from rulewright.core.world import World
from rulewright.errors import RulesError

Evaluate = Callable[[Any, list[Any]], tuple[Any, int]]  # the value of an expression with some names, and how many things it looked at

MOST = 1_024  # entries of a table
LONG = 20_000  # items in all lists of one
PRINTED = ("row", "column", "seat", "copy", "holder", "ends")  # fields that nothing can change
FIXED = (
    c.Const, c.Word, c.Component, c.Place, c.PlaceOf, c.Name, c.Compare, c.And, c.Or, c.Not, c.If, c.Arithmetic, c.IsKind, c.In, c.ByKind, c.Bind, c.Charge, c.Exists, c.Count,
    c.Listed, c.Many, c.All, c.OfKind, c.Once, c.Query, c.Order, c.Map, c.Without, c.Both, c.Within,
)  # fmt: skip
FEW = (
    c.Const, c.Word, c.Component, c.Place, c.PlaceOf, c.Name, c.Field, c.Compare, c.And, c.Or, c.Not, c.If, c.Arithmetic, c.IsKind, c.Lies, c.Empty, c.Full,
)  # fmt: skip
LONGER = (c.OfKind, c.Once, c.Query, c.Map, c.Without, c.Both, c.Neighbours, c.Within)  # worth a table: others are as quickly asked


def tabulate(program: c.Program, world: World, evaluate: Evaluate) -> c.Program:
    """A program in which what never changes is written down."""
    origins, fixed_functions = Origins(program, world), dict[str, bool]()

    def fixed(node: Any) -> bool:
        """Whether an expression depends on nothing but names."""
        match node:
            case c.Field(of=of, name=name):
                return name in PRINTED and not world.slots_of(name) and fixed(of)
            case c.Apply(function=function, arguments=arguments):
                return all(map(fixed, arguments)) and fixed_function(function)
            case c.Neighbours(of=of, through=None):
                return fixed(of)
        return isinstance(node, FIXED) and all(map(fixed, parts(node)))

    def fixed_function(name: str) -> bool:
        if name not in fixed_functions:
            fixed_functions[name] = False  # while it is being looked at
            fixed_functions[name] = fixed(program.functions[name].body)
        return fixed_functions[name]

    def within(owner: Owner, locals_: list[c.Local]) -> Change:
        def table(node: Any) -> Any:
            """An expression as a table; None if that would be too large."""
            keys = list(slots(names_in(node)[0]))
            if any(locals_[slot].shape != "one" for slot in keys):
                return None
            ranges = [found for slot in keys if (found := origins.range_of(owner.locals, slot)) is not None]
            if len(ranges) < len(keys) or math.prod(len(each) for each in ranges) > MOST:
                return None
            names: list[Any] = [None] * len(locals_)
            values, long, most = [], 0, 0
            for combination in itertools.product(*ranges):
                for slot, number in zip(keys, combination, strict=True):
                    names[slot] = number
                try:
                    value, looked = evaluate(node, names)
                except RulesError:
                    return None
                values.append(int(value) if isinstance(value, bool) else value)
                most = max(most, looked)
                long += len(value) if isinstance(value, tuple) else 1
                if long > LONG or (isinstance(value, tuple) and not all(isinstance(each, int) for each in value)):
                    return None
            of, starts, sizes = (c.Name(slot) for slot in keys), (each.start for each in ranges), (len(each) for each in ranges)
            return c.Table(tuple(of), tuple(starts), tuple(sizes), tuple(values), most, node)

        def change(node: Any) -> Any:
            if (isinstance(node, LONGER) and fixed(node)) or (isinstance(node, c.Apply) and _long(program, node) and fixed(node)):
                return table(node) or rebuilt(node, change)
            if isinstance(node, c.Query) and node.tests and not isinstance(node.source, c.Name) and fixed(node.source):
                price, first = (node.tests[0].looks, node.tests[0].of) if isinstance(node.tests[0], c.Charge) else (0, node.tests[0])
                tests = [part for test in (first, *node.tests[1:]) for part in (test.parts if isinstance(test, c.And) else (test,))]
                free = list(itertools.takewhile(lambda test: fixed(test) or not looks_around(test), tests))
                sure = tuple(test for test in free if fixed(test))
                begun = table(c.Query(node.source, node.slot, (c.Charge(price, sure[0]), *sure[1:]))) if sure else None  # which everything there pays
                if begun is not None:
                    left = tuple(test for test in tests if test not in sure)
                    return c.Query(begun, node.slot, rebuilt(left, change), rebuilt(node.orders, change))
            return rebuilt(node, change)

        return change

    return rewritten(program, within)


def looks_around(node: Any) -> bool:
    """Whether an expression may look at several things: then what comes behind it cannot be asked first, or less would be counted."""
    return not isinstance(node, FEW) or any(map(looks_around, parts(node)))


def _long(program: c.Program, node: c.Apply) -> bool:
    """Whether a function runs through something."""
    todo, seen = [node.function], {node.function}
    for name in todo:
        for part in everything(program.functions[name].body):
            if isinstance(part, LONGER):
                return True
            if isinstance(part, c.Apply) and part.function not in seen:
                seen.add(part.function)
                todo.append(part.function)
    return False
