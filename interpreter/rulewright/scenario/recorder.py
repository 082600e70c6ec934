"""What a game of the core gets to: the nodes of the graph that were carried out and the expressions that were evaluated, in terms of what the author wrote."""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.core.lower import Lowering, Trace
from rulewright.core.lower.snippets import Snippets
from rulewright.core.world import World
from rulewright.scenario.tracer import Tracer
from rulewright.step.instructions import Executor
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import Frame, Value


class Recorder(Tracer):
    """A tracer that keeps a record. Whatever has code is watched from the moment that its code is made."""

    def __init__(self, linked: Linked, trace: Trace) -> None:
        super().__init__(linked)
        self.linked, self.trace = linked, trace
        self.nodes_at: dict[int, list[str]] = {}
        self.placed = 0  # how many of the marks of the trace have an address
        self.bodies = {
            id(function.body): name.removeprefix("applies ") for name, function in linked.program.functions.items() if name.startswith("applies ")
        }
        self.forget()

    def forget(self) -> None:
        """Begin a new record."""
        self.nodes: set[str] = set()
        self.evaluated: set[int] = set()  # by the identity of the expression of the core
        self.asked: set[str] = set()  # hooks of which it was asked whether they apply
        self.steps = 0

    @property
    def expressions(self) -> list[Any]:
        """The expressions of the graph that were evaluated."""
        return [expression for identity in self.evaluated for expression in self.trace.expressions[identity][1]]

    def executor(self, at: int, run: Executor) -> Executor:
        """What carries out an instruction, and notes the nodes that begin with it."""
        for node, label, number in self.trace.nodes[self.placed :]:
            self.nodes_at.setdefault(self.linked.starts[label] + number, []).append(node)
        self.placed = len(self.trace.nodes)
        inner, nodes = super().executor(at, run), self.nodes_at.get(at, [])

        def watched(machine: Machine, frame: Frame) -> int | None:
            self.steps += 1
            self.nodes.update(nodes)
            return inner(machine, frame)

        return watched

    def code(self, node: c.Expression, run: Any) -> Any:
        """What evaluates an expression, and notes it."""
        identity, hook = id(node), self.bodies.get(id(node))
        if identity not in self.trace.expressions and hook is None:
            return run
        known = identity in self.trace.expressions

        def watched(machine: Machine, names: list[Value]) -> Any:
            if known:
                self.evaluated.add(identity)
            if hook is not None:
                self.asked.add(hook)
            return run(machine, names)

        return watched


def recorded(graph: dict[str, Any], players: int) -> Linked:
    """A linked program that is recorded, and so is whatever is lowered onto it."""
    trace = Trace()
    linked = Linked(Lowering(graph, trace).program(), World(graph, players))
    linked.watch = Recorder(linked, trace)
    linked.snippets = Snippets(graph, linked.program)
    linked.snippets.low.trace = trace
    return linked
