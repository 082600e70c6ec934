"""Whether any hook could hold at the moment, found out without looking at each component it is written on.

A hook on a kind stands for as many hooks as there are components of that kind; nearly always none of them holds. The function of a hook gives what could
hold, as a query over its components that begins where they must lie (see `queries`). Where it gives nothing there is nothing to do; where it gives something
the hooks are asked one by one, in their order, as the reference engine asks them.
"""

from __future__ import annotations

from typing import Any

from interpreter.compile.expressions import Expressions
from interpreter.compile.facts import SINGLE, Facts
from interpreter.compile.writing import ANY, ONE, Code, Module, Scope, Writer

DEED = ({"name": "actor", "type": {"how": "kind"}}, {"name": "deed", "type": {"how": "deed"}})


def write_hooks(module: Module, facts: Facts) -> dict[str, int]:
    """Functions `h<number>(m, it, result, a)`, with what the event happens to, its result so far and its arguments; gives their numbers by hook."""
    numbers: dict[str, int] = {}
    for identity, hook in module.graph["hooks"].items():
        parameters = _parameters(module.graph, hook["event"])
        if hook["installed"] or parameters is None or len(hook["names"]) > len(parameters):
            continue
        numbers[identity] = len(numbers)
        names = {"it": Code("it", ONE, True), "result": Code("result", ANY, True)}
        for position, name in enumerate(hook["names"]):
            names[name] = Code(f"a[{position}]", ONE if parameters[position]["type"]["how"] in SINGLE else ANY, True)
        writer = Writer(module, f"def h{numbers[identity]}(m, it, result, a):")
        conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
        expressions = Expressions(module, facts, writer)
        if hook["of"] is None:
            test: dict[str, Any] = {"op": "and", "parts": conditions}
            writer.line(f"return {expressions.test(test, Scope(names, dynamic=False)).text}")
        else:
            writer.line(f"return {expressions.any_of(hook['of'], 'self', conditions, Scope(names, dynamic=False)).text}")
        module.add(writer)
    return numbers


def _parameters(graph: dict[str, Any], event: str) -> Any:
    """What an event is told; None if that is not known here."""
    if event.endswith(".runs_out"):
        return None
    if event == "action":
        return DEED
    if event in graph["actions"]:
        return DEED[:1]
    found = graph["effects"].get(event) or graph["values"].get(event)
    return None if found is None else found["parameters"]
