"""Inlining: small functions are written where they are applied, so that what is made of their values is known there: a list that is only run through is never made.

A function that can come to apply itself stays one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.liveness import BOUND, names_in
from rulewright.core.nodes import everything
from rulewright.core.passes.rewrite import Change, rebuilt, rewritten

SMALL = 8  # nodes of a function that is written out wherever it is applied
GROWTH = 24  # nodes by which a program may grow when one is written out everywhere
LARGE = 60  # nodes of the largest that is written out at all
ROOM = 120  # nodes of functions that are not small, written out in one place: code that is very long takes long to compile
PLAIN = (c.Name, c.Const, c.Word, c.Component, c.Place)  # arguments that cost nothing to ask for again


def inline(program: c.Program) -> c.Program:
    """A program in which small functions are written out."""
    ready: dict[str, c.Function | None] = {}
    calls: dict[str, set[str]] = {}
    places = Counter(part.function for node in _nodes(program) for part in everything(node) if isinstance(part, c.Apply))

    def small(name: str) -> c.Function | None:
        """A function that may be written out, in which others are already; None if it is none."""
        if name not in ready:
            ready[name] = None  # while it is being looked at: one that applies itself is never written out
            function = program.functions[name]
            size = size_of(function.body)
            fits = size <= SMALL or (size <= LARGE and size * (places[name] - 1) <= GROWTH)
            if fits and not names_in(function.body)[1] & ((1 << function.parameters) - 1):
                locals_ = function.locals[:]
                if not applies_itself(name):
                    body = expand(locals_)(function.body)
                    ready[name] = msgspec.structs.replace(function, body=body, locals=locals_)
        return ready[name]

    def applies_itself(name: str) -> bool:
        """Whether a function can come to apply itself: how deep it is then counts."""
        seen, todo = set[str](), [name]
        while todo:
            applied = todo.pop()
            if applied not in calls:
                body = program.functions[applied].body
                calls[applied] = {part.function for part in everything(body) if isinstance(part, c.Apply)}
            todo += calls[applied] - seen
            seen |= calls[applied]
        return name in seen

    def expand(locals_: list[c.Local]) -> Change:
        room = ROOM

        def change(node: Any) -> Any:
            nonlocal room
            node = rebuilt(node, change)
            function = small(node.function) if isinstance(node, c.Apply) else None
            if function is None:
                return node
            size = size_of(function.body)
            if size > SMALL:
                if size > room:
                    return node
                room -= size
            return written_out(function, node.arguments, locals_)

        return change

    return rewritten(program, lambda owner, locals_: expand(locals_))


def _nodes(program: c.Program) -> Iterator[Any]:
    """All instructions and all bodies of functions."""
    for block in program.blocks:
        yield from block.code
    for function in program.functions.values():
        yield function.body


def size_of(body: Any) -> int:
    """The nodes of an expression; its prices do not count."""
    return sum(not isinstance(part, c.Charge) for part in everything(body))


def written_out(function: c.Function, arguments: tuple[Any, ...], locals_: list[c.Local]) -> Any:
    """The body of a function with its arguments in it; its names get slots of their own."""
    names: dict[int, Any] = {}
    binds = []
    for slot, local in enumerate(function.locals):
        if slot < len(arguments) and isinstance(arguments[slot], PLAIN):
            names[slot] = arguments[slot]
            continue
        names[slot] = c.Name(len(locals_))
        locals_.append(local)
        if slot < function.parameters:
            binds.append((names[slot].slot, arguments[slot] if slot < len(arguments) else c.Const(None)))

    def change(node: Any) -> Any:
        if isinstance(node, c.Name):
            return names[node.slot]
        made = rebuilt(node, change)
        bound = {name: names[getattr(node, name)].slot for name in BOUND.get(type(node), ())}
        return msgspec.structs.replace(made, **bound) if bound else made

    body = change(function.body)
    for slot, value in reversed(binds):
        body = c.Bind(slot, value, body)
    return body
