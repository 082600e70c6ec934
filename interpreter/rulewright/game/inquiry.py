"""Inquiries: things asked of a running game that no rule of it asks, as functions that are lowered when they are asked for the first time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.core import program as c
from rulewright.core.lower.actions import Parameters
from rulewright.core.lower.snippets import Make, Snippets
from rulewright.step.machine import Machine
from rulewright.step.state import Value


class Inquiry:
    """Asks one machine."""

    def __init__(self, machine: Machine) -> None:
        linked = machine.linked
        if linked.snippets is None:
            linked.snippets = Snippets(machine.world.graph, linked.program)
        self.machine = machine
        self.graph: dict[str, Any] = machine.world.graph
        self.snippets: Snippets = linked.snippets
        self.low = self.snippets.low

    def ask(self, name: str, parameters: Parameters, make: Make, values: Iterable[Value]) -> Value:
        """What a function of some parameters gives."""
        function = self.snippets.function(name, (c.Local(*each) for each in parameters), make)
        return self.machine.ask_function(function, *values)

    def ask_there(self, name: str, question: c.Question, unit: str, make: Make, names: Sequence[Value], **more: Value) -> Value:
        """What an expression gives where a question is asked, in the names of a frame of its unit; `more` are names that are known besides."""
        unit_locals = self.machine.program.units[unit].locals
        own = [c.Local(each, "one", "kind") for each in more]
        slots = question.names | {each: len(unit_locals) + number for number, each in enumerate(more)}
        function = self.snippets.function(name, (*unit_locals, *own), make, slots)
        return self.machine.ask_function(function, *names, *more.values())

    def said(self, value: Value) -> str:
        """A text that a function gives."""
        return str(self.machine.linked.spelled[value - c.WORDS])


# -- what can be asked of an expression of the graph


def test_of(expression: Any) -> Make:
    """Whether it holds."""
    return lambda low, scope: low.expressions.test(expression, scope)


def value_of(expression: Any) -> Make:
    """What it gives."""
    return lambda low, scope: low.expressions(expression, scope)


def several_of(expression: Any) -> Make:
    """What it gives, as a list."""
    return lambda low, scope: low.expressions.several(expression, scope)
