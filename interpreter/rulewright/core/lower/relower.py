"""Lowering again after one edit of a graph: only what was made of the edited part; everything else keeps its place in the program.

Takes a program with the trace of how it was lowered, the path of the edit and the graph as it is now. Gives a program in which some units and functions are
others, or None where an edit may change how other parts are lowered: then all of it has to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.flow import prune
from rulewright.core.lower import Lowering, Trace
from rulewright.core.lower.builder import shape_of_type
from rulewright.core.lower.snippets import resumed
from rulewright.core.passes.locate import locate

Path = tuple[str | int, ...]
FAR = ("install", "batch")  # nodes that say something about others
LISTS = ("requires", "costs", "while")  # of units: expressions inside are lowered where the unit is


def relowered(
    program: c.Program, trace: Trace, graph: dict[str, Any], path: Path, changed: dict[str, Any]
) -> tuple[c.Program, frozenset[str]] | None:
    """The program of a changed graph, which shares everything else with the one of `graph`, and the units that are others now."""
    names = written_for(trace, graph, path)
    if not names or names & trace.read or any(node["op"] in FAR for node in nodes_at(graph, path)):
        return None
    units = names & program.units.keys()
    made = msgspec.structs.replace(
        program,
        units={name: unit for name, unit in program.units.items() if name not in names},
        functions={name: function for name, function in program.functions.items() if name not in names},
        blocks=program.blocks[:],
        questions=program.questions[:],
        hooks=dict(program.hooks),
    )
    low = resumed(changed, made)
    for name in sorted(names):
        remake = maker(low, program, name)
        if remake is None:
            return None
        remake()
    low.finish()
    prune(made, len(program.blocks))
    gone = names - made.units.keys() - made.functions.keys()
    return None if gone else (locate(made, changed, low.field_shape, only=names)[0], frozenset(units))


def nodes_at(graph: dict[str, Any], path: Path) -> Iterator[dict[str, Any]]:
    """The nodes that an edit is about: the one that is edited, and those that are led to from there."""
    value: Any = graph
    for key in path:
        value = value[key]
    named = [path[1]] if path[0] == "nodes" else []
    yield from (graph["nodes"][each] for each in (*named, value) if isinstance(each, str) and each in graph["nodes"])


def written_for(trace: Trace, graph: dict[str, Any], path: Path) -> set[str]:
    """The units and functions in which what is edited was lowered; empty if that cannot be told."""
    table, name, key = str(path[0]), path[1], path[2] if len(path) > 2 else None
    unit = graph[table][name]
    if table == "nodes":
        found = set(trace.units.get(str(name), ()))
        return found | _users(trace, unit) if found else found
    if key in ("entry", "methods"):
        led = unit[key] if key == "entry" else unit[key][path[3]]
        return set(trace.units.get(led, ())) if isinstance(led, str) else _users(trace, led)
    if key in LISTS or key in ("value", "when", "cost"):
        return _users(trace, unit[key])
    return set()


def _users(trace: Trace, part: Any) -> set[str]:
    """The units and functions in which any expression of a part of the graph was lowered."""
    if isinstance(part, dict):
        found = set(trace.users.get(id(part), ()))
        return found.union(*(_users(trace, each) for each in part.values()))
    return set().union(*(_users(trace, each) for each in part)) if isinstance(part, list) else set()


def maker(low: Lowering, program: c.Program, name: str) -> Callable[[], object] | None:
    """What makes a unit or function again."""
    graph, (sort, _, rest) = low.graph, name.partition(" ")
    if name in graph["values"]:
        return lambda: low.values.function(name)
    for path, effect in graph["effects"].items():
        if name == path:
            return lambda: low.effect_unit(path)
        if name.startswith(f"{path} of ") and name.removeprefix(f"{path} of ") in effect["methods"]:
            return lambda: low.effect_unit(path, name.removeprefix(f"{path} of "))
    if sort == "open" and rest.endswith(" chosen"):
        path, _, done = rest.removesuffix(" chosen").rpartition(", ")
        return lambda: low.actions.open(path, int(done))
    if sort == "change" and rest in graph["hooks"]:
        hook = graph["hooks"][rest]
        return (
            (lambda: low.costs.change(rest)) if hook["timing"] == "cost" else lambda: low.hooks.change(rest, shape_of_type(low.gives(hook["event"])))
        )
    simple: dict[tuple[str, str], Callable[[str], object]] = {
        ("event", "effects"): low.events.unit, ("granted", "actions"): low.actions.holds, ("applies", "hooks"): low.hooks.applies,
        ("affordable", "costs"): low.costs.affordable, ("hook", "hooks"): low.hooks.unit, ("action", "actions"): low.actions.unit,
        ("deed", "actions"): low.actions.body, ("cost", "costs"): low.cost_unit,
    }  # fmt: skip
    return next(((lambda m=make: m(rest)) for (word, table), make in simple.items() if sort == word and rest in graph[table]), None)
