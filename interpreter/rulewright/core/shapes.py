"""Shapes: whether an expression gives one value, a list, or a list of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_args

from rulewright.core import program as c

SEVERAL: tuple[type, ...] = get_args(c.Several)
ORDER: tuple[c.Shape, ...] = ("one", "list", "lists")


def shape(node: Any, locals_: Sequence[c.Local], of_field: Callable[[str], c.Shape], of_function: Callable[[str], c.Shape]) -> c.Shape:
    """The shape of what an expression gives, where names, fields and functions have theirs."""

    def inner(*nodes: Any) -> c.Shape:
        return largest(shape(each, locals_, of_field, of_function) for each in nodes)

    match node:
        case c.Name(slot=slot):
            return locals_[slot].shape
        case c.Query(source=source) | c.OfKind(source=source) | c.Once(source=source) | c.Take(source=source) | c.Without(source=source):
            return largest(("list", inner(source)))
        case c.Lines():
            return "lists"
        case c.Listed(parts=parts):
            return "list" if inner(*parts) == "one" else "lists"
        case c.Both(parts=parts):
            return largest(("list", inner(*parts)))
        case c.Field(name=name):
            return of_field(name)
        case c.Apply(function=name):
            return of_function(name)
        case c.If(yes=yes, no=no):
            return inner(yes, no)
        case c.ByKind(cases=cases, otherwise=otherwise):
            return inner(*cases.values(), otherwise)
        case c.Needed(of=of) | c.Bind(body=of) | c.Supposing(body=of) | c.Fold(start=of) | c.Table(otherwise=of) | c.Charge(of=of):
            return inner(of)
        case c.First(list=found) | c.Last(list=found):
            return "list" if inner(found) == "lists" else "one"
        case c.Lookup(several=several):
            return "list" if several else "one"
    return "list" if isinstance(node, SEVERAL) else "one"


def largest(shapes: Iterable[c.Shape]) -> c.Shape:
    """What can hold all of some shapes."""
    return max(shapes, key=ORDER.index, default="one")
