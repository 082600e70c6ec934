"""From a graph to the source of a Python module.

Every value of the rules becomes a function `v<number>(m, s, ...)`, every expression that stands on its own in the graph a function `e<number>(m, V)`,
every effect a function `f<number>` (see `effects`), every body a function `c<number>` (see `statements`), every action that components grant a
function `g<number>` (see `granting`), what somebody may do functions of several sorts (see `actions` and `costing`), every hook a function `h<number>` (see `hooking`), what comes before and after an event
functions `y<number>` and `w<number>` (see `hooked`).
Numbers follow the order of the graph, so that whoever joins the module with a world finds the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright.compile.source.actions import write_actions
from rulewright.compile.source.chains import Chains
from rulewright.compile.source.effects import write_effect
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SINGLE, Facts
from rulewright.compile.source.granting import write_granting
from rulewright.compile.source.hooked import write_stages
from rulewright.compile.source.hooking import write_changes, write_hooks
from rulewright.compile.source.looking import LARGE
from rulewright.compile.source.statements import Statements
from rulewright.compile.source.writing import ANY, ONE, Code, Module, Scope, Writer
from rulewright.run.evaluate import TABLE

Graph = dict[str, Any]


class Generated(NamedTuple):
    """A module: its source, what its `k` and `t` names stand for, from which lines on it belongs to which node, and where bodies begin and go on."""

    source: str
    constants: list[Any]
    lookups: list[list[Any]]
    nodes: list[tuple[int, str]]
    bodies: dict[str, int]  # by first node, the number of the function
    resumes: dict[str, tuple[int, int]]  # by node at which a body can be gone on with, the number of its function and where in it that is
    granting: dict[str, int]  # by action, the number of the function that finds who grants it
    hooks: dict[str, int]  # by hook, the number of the function that tells whether it could hold
    offers: dict[str, int]  # by offer, the number of the function that tells what it offers
    possible: dict[str, int]  # by action, the number of the function that tells whether it is possible
    leading: dict[str, int]  # by choice of an action, the number of the function that tells whether an answer leads on
    planned: dict[str, int]  # likewise, that asks for the answer
    bills: dict[str, int]  # by action, the number of the function that tells what is to be paid
    words: dict[str, int]  # by node, the number of the function that gives its options in words
    several: dict[str, int]  # by choice of several things, the number of the function that asks for the next
    reactions: dict[str, int]  # by reaction, the number of the function that tells whether it is possible


def generate(graph: Graph) -> Generated:
    """The module of a graph."""
    module, facts = Module(graph), Facts(graph)
    for number, path in enumerate(graph["values"]):
        _value(module, facts, number, path)
    for number, expression in enumerate(asked_for(graph)):
        writer = Writer(module, f"def e{number}(m, V):")
        expressions = Expressions(module, facts, writer)
        writer.line(f"return {expressions.value(expression, Scope({}, dynamic=True, shapes=facts.names)).text}")
        module.add(writer)
    chains = Chains(graph)
    for path in graph["effects"]:
        write_effect(module, facts, chains, path)
    resumes: dict[str, tuple[int, int]] = {}
    for entry in chains.entries:
        resumes |= Statements(module, facts, chains, entry, whole=entry in chains.units).write()
    granting = write_granting(module, facts)
    actions = write_actions(module, facts)
    write_hooks(module, facts)
    write_stages(module, facts, chains)
    source = "\n".join(module.lines) + "\n"
    tables = (module.constants, module.lookups, module.spans, chains.numbers, resumes, granting, facts.hooks)
    return Generated(source, *tables, *actions)


WRITTEN = ("bind", "set", "move", "branch", "match", "each", "repeat", "call", "return", "log", "jump", "end")  # whose expressions are in the bodies


def asked_for(graph: Graph) -> Iterator[Any]:
    """The expressions that are evaluated one at a time, in order: not those of values, nor those that are written into bodies."""
    for name, part in graph.items():
        if name == "nodes":
            for node in part.values():
                if node["op"] not in WRITTEN:
                    yield from standing(node)
                elif node["op"] == "repeat":  # asked again when a loop goes on after a decision
                    yield from standing(node["until"])
        elif name != "values":
            yield from standing(part)


def standing(part: Any) -> Iterator[Any]:
    """Every expression of a graph that is not a part of another one, in order."""
    if isinstance(part, dict):
        if part.get("op") in TABLE:
            yield part
            return
        for each in part.values():
            yield from standing(each)
    elif isinstance(part, list):
        for each in part:
            yield from standing(each)


def versions(value: dict[str, Any]) -> list[Any]:
    """The expressions of a value: the general one, then those that components and kinds have of their own."""
    return [value["value"], *value["methods"].values()]


def _value(module: Module, facts: Facts, number: int, path: str) -> None:
    """The functions of a value: one for each version, and one that finds the version and asks the hooks."""
    value, known = module.graph["values"][path], facts.values[path]
    names = {"self": Code("s", ONE, True)}
    for position, parameter in enumerate(value["parameters"]):
        names[parameter["name"]] = Code(f"p{position}", ONE if parameter["type"]["how"] in SINGLE else ANY, True)
    arguments = ", ".join(["m", "s", *(f"p{position}" for position in range(len(value["parameters"])))])
    simple = not known.recursive and not value["methods"]
    paid = [f"m.look({10 * ways})"] if (ways := facts.looking.ways(path)) >= LARGE and not known.recursive else []
    for version, expression in enumerate(versions(value)):
        writer = Writer(module, f"def {f'v{number}' if simple else f'v{number}_{version}'}({arguments}):")
        writer.opening += paid
        given = "None" if expression is None else Expressions(module, facts, writer).value(expression, Scope(names, dynamic=False)).text
        if simple:
            _given(module, facts, writer, path, given)
        else:
            writer.line(f"return {given}")
        module.add(writer)
    if simple:
        return
    writer = Writer(module, f"def v{number}({arguments}):")
    call = f"v{number}_0({arguments})"
    if value["methods"]:
        call = f"{module.lookup('versions', path)}.get(s, v{number}_0)({arguments})"
    if known.recursive:
        writer.line(f"if m.value_depth >= m.budget.depth: asks_itself(m, {module.constant(path).text})")
        writer.line("m.look(10)")
        writer.line("m.value_depth += 1")
        writer.line("try:")
        with writer.inside():
            _given(module, facts, writer, path, call)
        writer.line("finally:")
        writer.line("    m.value_depth -= 1")
    else:
        _given(module, facts, writer, path, call)
    module.add(writer)


def _given(module: Module, facts: Facts, writer: Writer, path: str, given: str) -> None:
    """What a value gives, after the hooks that change it."""
    if facts.values[path].hooked:
        writer.line(f"result = {given}")
        write_changes(module, facts, writer, path)
        writer.line("return result")
    else:
        writer.line(f"return {given}")
