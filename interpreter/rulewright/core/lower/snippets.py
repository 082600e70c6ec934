"""Snippets: expressions and bodies that are not part of a program, lowered onto it afterwards.

Whoever looks into a game asks things that no rule asks: why a requirement fails, what else a secret answer could have been, what a scenario claims. They are
lowered by the same code as the rules, may speak of everything in the program, and are added to it: functions by their name, bodies behind all other blocks, so
that no address of the program changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rulewright.core import program as c
from rulewright.core.flow import prune
from rulewright.core.lower import Lowering
from rulewright.core.lower.builder import Scope, UnitWriter, Writer

Make = Callable[[Lowering, Scope], c.Expression]


class Snippets:
    """Adds to a program; `graph` is the one that the program was lowered from, and whatever nodes the snippets have."""

    def __init__(self, graph: Mapping[str, Any], program: c.Program) -> None:
        self.program = program
        self.low = resumed(dict(graph), program)

    def function(self, name: str, locals_: Iterable[c.Local], make: Make, names: Mapping[str, c.Slot] | None = None) -> str:
        """A function of some names, made when it is asked for first; `names` says which slots names stand for, if several have the same."""
        if name not in self.program.functions:
            writer = Writer(name)
            for local in locals_:
                writer.slots.setdefault(local.name, len(writer.locals))
                writer.locals.append(local)
            writer.parameters = len(writer.locals)
            writer.slots.update(names or {})
            scope = Scope(writer)
            body = make(self.low, scope)
            self.program.functions[name] = c.Function(name, writer.locals, writer.parameters, self.low.expressions.shape(body, scope), body)
            self.low.finish()
        return name

    def body(self, name: str, cause: str, entry: str, names: Writer) -> str:
        """A unit of a body that begins with a node; bodies that are given the same names share them."""
        begun = len(self.program.blocks)
        writer = UnitWriter(name, cause, self.program.blocks)
        writer.locals, writer.slots = names.locals, names.slots
        self.low.write(writer, lambda: self.low.statements.whole(entry, writer))
        self.low.finish()
        self.low.traced(prune(self.program, begun), begun)
        return name


def resumed(graph: dict[str, Any], program: c.Program) -> Lowering:
    """A lowering that goes on with a program that is there already."""
    low = Lowering(graph)
    low.words = {word: number for number, word in enumerate(program.words)}
    low.units, low.blocks, low.functions, low.questions = program.units, program.blocks, program.functions, program.questions
    low.hooks.resume(program.hooks)
    return low
