"""Which hook holds at the moment, found out without looking at each component it is written on.

A hook on a kind stands for as many hooks as there are components of that kind; nearly always none of them holds. The function of a hook gives the next
component on which it holds, as a query that begins where such components must lie (see `queries`). An event asks its hooks so, one after another; only
if one of them holds is there more to do (see `happening`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SINGLE, Facts
from rulewright.compile.source.writing import ANY, ONE, Code, Module, Scope, Writer

Graph = dict[str, Any]
TIMINGS = ("instead", "before", "react", "after")  # of hooks on what happens; the others are on values and costs, or put something back
RESULT = Code("result", ANY, True)


def write_hooks(module: Module, facts: Facts) -> None:
    """Functions `h<number>(m, it, c, result, p0 ...)`, with what the event happens to, its result so far and its arguments.

    They give the next component, of those with a greater number than `c`, on which the hook holds; 0 if it holds and is written on none; else None.
    """
    for identity, number in facts.hooks.items():
        hook = module.graph["hooks"][identity]
        if on_none(hook) and hook["timing"] in ("before", "react", "after"):
            continue  # asked where they run
        parameters = facts.told(hook["event"])
        writer = Writer(module, f"def h{number}({', '.join(['m', 'it', 'c', 'result', *(f'p{position}' for position in range(len(parameters)))])}):")
        _write_hook(Expressions(module, facts, writer), identity, hook, parameters)
        module.add(writer)


def _write_hook(expressions: Expressions, identity: str, hook: dict[str, Any], parameters: Any) -> None:
    module, writer = expressions.module, expressions.writer
    once, constant = hook["first"] or hook["once_per"] is not None, module.constant(identity).text
    conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
    scope = Scope(names_of(hook, parameters), dynamic=False)
    if once:
        writer.columns.add("S")
    if on_none(hook):
        if once:
            writer.line(f"if {constant} in S.once: return None")
        writer.line(f"return 0 if {expressions.test({'op': 'and', 'parts': conditions}, scope).text} else None")
        return
    used = f"S.once and {constant} + AT + str({{}}) in S.once"
    if owner_of(module.graph, hook["event"]) is not None:
        writer.line(f"if it in {module.lookup('among', None, 'all', hook['of'])}:")
        with writer.inside():
            writer.line("if it <= c: return None")
            if once:
                writer.line(f"if {used.format('it')}: return None")
            own = scope.with_names({"self": Code("it", ONE, True, sure=True)})
            writer.line(f"return it if {expressions.test({'op': 'and', 'parts': conditions}, own).text} else None")
    found = expressions.first_of(hook["of"], "self", conditions, scope, "c", used if once else None)
    writer.line(f"return {found.text}")


def write_changes(module: Module, facts: Facts, writer: Writer, path: str) -> None:
    """What hooks make of the value of which `result` is the outcome so far, in a function `v<number>(m, s, p0 ...)`."""
    hooks, parameters = module.graph["hooks"], facts.told(path)
    given = [f"p{position}" for position in range(len(parameters))]
    installed = sorted(identity for identity, hook in hooks.items() if hook["event"] == path and hook["installed"] and hook["timing"] == "change")
    if installed:
        writer.columns.add("S")
        writer.line(f"if S.installed and is_installed(m, {module.lookup('set', *installed)}):")
        writer.line(f"    return m.changed({module.constant(path).text}, s, [{', '.join(given)}], result)")
    for identity, number in facts.hooks.items():
        hook = hooks[identity]
        if hook["event"] != path or hook["timing"] != "change":
            continue
        scope = Scope({**names_of(hook, parameters), "it": Code("s", ONE, True)}, dynamic=False)
        expressions = Expressions(module, facts, writer)
        arguments = ["m", "s", "{}", "result", *given]
        asked = f"h{number}({', '.join(arguments)})"
        if on_none(hook):
            conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
            once = hook["first"] or hook["once_per"] is not None
            test = f"{asked.format(-1)} is not None" if once else expressions.test({"op": "and", "parts": conditions}, scope).text
            writer.line(f"if {test}:")
            with writer.inside():
                writer.line(f"result = {expressions.value(hook['value'], scope).text}")
            continue
        writer.line(f"x = {asked.format(-1)}")
        writer.line("while x is not None:")
        with writer.inside():
            own = scope.with_names({"self": Code("x", ONE, True, sure=True)})
            writer.line(f"result = {expressions.value(hook['value'], own).text}")
            writer.line(f"x = {asked.format('x')}")


def asked(number: int, it: str, after: str, result: Code, given: list[str]) -> str:
    """The question on which component, of those with a greater number than `after`, a hook holds next."""
    return f"h{number}({', '.join(['m', it, after, result.text, *given])})"


@contextmanager
def where_it_holds(expressions: Expressions, identity: str, it: str, result: Code) -> Iterator[None]:
    """What is written in here is done if a hook holds, on any component it is written on."""
    module, facts, writer = expressions.module, expressions.facts, expressions.writer
    hook, depth = module.graph["hooks"][identity], writer.depth
    parameters = facts.told(hook["event"])
    if on_none(hook):
        if hook["first"] or hook["once_per"] is not None:
            writer.columns.add("S")
            writer.line(f"if not (S.once and {module.constant(identity).text} in S.once):")
            writer.depth += 1
        conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
        scope = Scope({**names_of(hook, parameters), "it": Code(it, ONE, True), "result": result}, dynamic=False)
        writer.line(f"if {expressions.test({'op': 'and', 'parts': conditions}, scope).text}:")
    else:
        writer.line(f"if {asked(facts.hooks[identity], it, '-1', result, [f'p{position}' for position in range(len(parameters))])} is not None:")
    writer.depth += 1
    yield
    writer.depth = depth


def names_of(hook: dict[str, Any], parameters: Any) -> dict[str, Code]:
    """What the local names of a hook stand for, except `self`, where its event is told `p0` and so on."""
    names = {"it": Code("it", ONE, True), "result": RESULT}
    if hook["event"].endswith(".runs_out") and parameters:
        names["self"] = Code("p0", ONE, True)
    for position, name in enumerate(hook["names"][: len(parameters)]):
        names[name] = Code(f"p{position}", ONE if parameters[position]["type"]["how"] in SINGLE else ANY, True)
    return names


def on_none(hook: dict[str, Any]) -> bool:
    """Whether a hook is not written on components."""
    return hook["of"] is None or hook["event"].endswith(".runs_out")


def owner_of(graph: Graph, event: str) -> Any:
    """The kind or component whose own effect or value an event is, or that grants it as an action."""
    found = graph["effects"].get(event) or graph["values"].get(event) or graph["actions"].get(event)
    return found["of"] if found is not None else None
