"""Joining generated code with a world: the tables it looks things up in are made, the code is run, and the world's expressions become its functions."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

from rulewright.compile.accelerate import twins
from rulewright.compile.accelerate.joining import Joined
from rulewright.compile.play import choosing, drawing, happening, moving, offering, resuming, running
from rulewright.compile.play.doing import Deed
from rulewright.compile.play.engine import Compiled
from rulewright.compile.play.helpers import NAMES
from rulewright.compile.source.beside import FIRST, REST
from rulewright.compile.source.facts import bounds_in
from rulewright.compile.source.generate import Generated, asked_for
from rulewright.compile.source.hooked import AFTER, BEFORE
from rulewright.compile.source.hooking import TIMINGS, on_none
from rulewright.compile.source.statements import words_of
from rulewright.compile.tables import covers, fitting
from rulewright.core.geometry import lines
from rulewright.core.world import World
from rulewright.limits import Budget
from rulewright.run import walk
from rulewright.run.asking import option_of
from rulewright.run.code import code
from rulewright.run.finding import constant_source
from rulewright.run.machine import Machine
from rulewright.run.state import State

Names = dict[str, Any]


def link(world: World, generated: Generated, compiled: CodeType) -> Compiled:
    """Give a world the functions of its graph, and the engine that runs them."""
    names: Names = {
        "__builtins__": BUILT_IN, **NAMES, **resuming.NAMES, **running.NAMES, **moving.NAMES, **happening.NAMES, **offering.NAMES, **choosing.NAMES, "COUNT": world.count, "LABELS": world.labels, "int": int, "EVERYONE": world.everyone, "BODIES": generated.bodies,
        "HOOKS": generated.hooks,
    }  # fmt: skip
    names.update({f"k{number}": constant for number, constant in enumerate(generated.constants)})
    names["GENERATED"], names["BOUNDS"] = generated, bounds_in(world.graph)
    looker = Machine(world, State(), Budget())
    named = [option_of(looker, number) for number in range(world.place_count)]
    words = {identity: words_of(node) for identity, node in world.graph["nodes"].items() if node["op"] == "choose"}
    among = [identity for identity in words if running.well_known(world, identity)]
    names["CHOOSING"] = well_known = {identity: running.Choosing(world, named, identity, words[identity]) for identity in among}
    late, fast = [], twins()
    if fast is not None:
        world.twins = Joined(world, fast)
        names |= {"TWINS": True, "ask_one": fast.ask_one, "bare": fast.bare}
    for number, (kind, *rest) in enumerate(generated.lookups):
        if kind in LATE:
            late.append((f"t{number}", kind, rest))
        else:
            names[f"t{number}"] = LOOKUPS[kind](world, *rest)
    exec(compiled, names)  # the code was made by `generate`: no word of a ruleset is in it
    world.computing = {path: names[f"v{number}"] for number, path in enumerate(world.graph["values"]) if f"v{number}" in names}
    world.granting = _functions(names, "g", generated.granting)
    world.bills, world.leading = _functions(names, "b", generated.bills), _functions(names, "j", generated.leading)
    world.planned, world.reacting = _functions(names, "u", generated.planned), _functions(names, "l", generated.reactions)
    nodes = world.graph["nodes"]
    world.words = {id(nodes[node]["options"]): names[f"o{number}"] for node, number in generated.words.items() if nodes[node]["op"] == "choose"}
    for name, kind, rest in late:
        names[name] = LATE[kind](world, names, *rest)
    for number, expression in enumerate(asked_for(world.graph)):
        if f"e{number}" in names:  # a scenario adds nodes of its own to a graph, behind all others
            world.code[id(expression)] = (expression, names[f"e{number}"])
    resumes = {identity: (names[f"c{number}"], at, None) for identity, (number, at) in generated.resumes.items()}
    events = {path: _event(world, names, path) for path in (*world.graph["effects"], *world.graph["actions"], "action")}
    written = frozenset(node for _, node in generated.nodes)
    entries = {f"{table} {path}": unit["entry"] for table in ("action", "cost") for path, unit in world.graph[f"{table}s"].items()}
    units = {unit: names[f"c{generated.bodies[entry]}"] if entry is not None else running.no_body for unit, entry in entries.items()}
    bounds = frozenset(path for path, event in events.items() if event.bounds)
    deeds = {path: _deed(world, events, units, path) for path in world.graph["actions"]}
    engine = Compiled(
        resumes, written, events, units, bounds, names, generated.nodes, named, words, deeds, well_known, _functions(names, "p", generated.several)
    )
    if fast is not None:
        engine.straight, engine.copied, engine.begun = fast.straight(engine, resumes, engine.steps), fast.copied, fast.begun
    return engine


def _functions(names: Names, letter: str, numbers: dict[str, int]) -> dict[str, Any]:
    return {path: names[f"{letter}{number}"] for path, number in numbers.items()}


BUILT_IN = {
    "bool": bool, "dict": dict, "enumerate": enumerate, "frozenset": frozenset, "len": len, "list": list, "range": range, "sorted": sorted, "max": max, "min": min, "str": str, "sum": sum, "tuple": tuple, "type": type, "True": True, "False": False, "None": None,
}  # fmt: skip


def _of(world: World, kind: str, how: str, name: str) -> list[int]:
    """Everything of a source that is of a kind."""
    return [each for each in _source(world, how, name) if each in world.noun_set(kind)]


def _source(world: World, how: str, name: str) -> list[int]:
    return constant_source(world, {"grid": name} if how == "cells" else {"of": name})


def _among(world: World, kind: str | None, how: str, name: str) -> frozenset[int]:
    return frozenset(_source(world, how, name) if kind is None else _of(world, kind, how, name))


def _owned(world: World, name: str) -> dict[int, int]:
    return {owner: place for (owner, identity), place in world.owned_places.items() if identity == name}


def _links(world: World, kind: str) -> dict[int, list[int]]:
    """The links of a kind at each place, in the order of declaration."""
    found: dict[int, list[int]] = {}
    for link in world.by_noun.get(kind, []):
        for end in dict.fromkeys(world.ends.get(link, ())):
            found.setdefault(end, []).append(link)
    return found


def _deeds(world: World, name: str) -> frozenset[str]:
    return frozenset({name} | {path for path, action in world.graph["actions"].items() if name in action["groups"]})


def _ordered(world: World, kind: str | None, name: str, fields: list[Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Everything of a kind in the order of what is printed on it."""
    found = []
    for component in _source(world, "all", name) if kind is None else _of(world, kind, "all", name):
        keys = [
            (table.get(component), descending) for table, descending in ((world.unchanging(field) or {}, descending) for field, descending in fields)
        ]
        found.append((tuple((key is None, (key or 0) * (-1 if descending else 1)) for key, descending in keys), component))
    found.sort(key=lambda each: each[0])
    return moving.in_order(found)


def _rows(world: World, things: list[Any], columns: list[list[Any]]) -> tuple[tuple[Any, ...], ...]:
    """Things of a list with what tables say about each of them: all of it, or the first of it and the rest."""
    found = []
    for part, kind, *rest in columns:
        table = LOOKUPS[kind](world, *rest)
        said = [table[each] if kind == "fitting" else table.get(each) for each in LOOKUPS[things[0]](world, *things[1:])]
        found.append([(each[0] if each else None) if part == FIRST else each[1:] if part == REST else each for each in said])
    return tuple(zip(LOOKUPS[things[0]](world, *things[1:]), *found, strict=True))


LOOKUPS: dict[str, Callable[..., Any]] = {
    **moving.LOOKUPS,
    **drawing.LOOKUPS,
    "ordered": _ordered,
    "first": lambda world, name: world.first(name),
    "place": lambda world, name: world.global_places[name],
    "owned": _owned,
    "owners": lambda world, name: {place: owner for owner, place in _owned(world, name).items()},
    "slot": lambda world, name, component: world.slots_of(name)[world.by_noun[component][0]],
    "slots": lambda world, name: world.slots_of(name),
    "printed": lambda world, name: world.unchanging(name),
    "labels": lambda world: world.labels,
    "ends": lambda world: {component: list(world.ends.get(component, ())) for component in range(world.count)},
    "nouns": lambda world, kind: world.noun_set(kind),
    "all": lambda world, name: _source(world, "all", name),
    "cells": lambda world, name: _source(world, "cells", name),
    "of": _of,
    "among": _among,
    "links": _links,
    "deeds": _deeds,
    "fitting": fitting,
    "rows": _rows,
    "covers": covers,
    "lines": lambda world, grid, length: lines(world, grid, length),
    "neighbours": lambda world: {place: world.neighbours(place) for place in range(world.place_count)},
    "memory": lambda world, *about: {},
    "code": lambda world, expression: code(world, expression),
    "node": lambda world, identity: world.graph["nodes"][identity],
    "set": lambda world, *parts: frozenset(parts),
    "until": lambda world, identity: world.graph["nodes"][identity]["until"],
    "walk": lambda world, op: walk.NODES[op],
    "options": offering.options_of,
    "action": lambda world, path: world.graph["actions"][path],
    "costs": lambda world, path: world.graph["actions"][path]["costs"],
    "option_costs": lambda world, node, number: world.graph["nodes"][node]["options"][number]["costs"],
    "word": lambda world, label, value: offering.lasting_words(label, tuple(value) if type(value) is list else value),
}


def _versions(world: World, names: Names, path: str) -> dict[int, Any]:
    """Which version of a value each component has, where it is not the general one."""
    number, value = list(world.graph["values"]).index(path), world.graph["values"][path]
    keys = list(value["methods"])
    found = {}
    for component in range(world.count):
        key = own_version(world, value["methods"], component)
        if key is not None:
            found[component] = names[f"v{number}_{1 + keys.index(key)}"]
    return found


def own_version(world: World, methods: dict[str, Any], component: int) -> str | None:
    """The name under which a component has its own version of something: its own, or that of its kind."""
    if world.definitions[component] in methods:
        return world.definitions[component]
    kind: str | None = world.kinds[component]
    while kind is not None:
        if kind in methods:
            return kind
        kind = world.graph["kinds"].get(kind, {}).get("parent")
    return None


def _bodies(world: World, names: Names, path: str) -> dict[int, Any]:
    """The function of the body that each component has of its own for an effect."""
    methods, numbers = world.graph["effects"][path]["methods"], names["BODIES"]
    found = {}
    for component in range(world.count) if methods else ():
        key = own_version(world, methods, component)
        if key is not None:
            found[component] = running.no_body if methods[key] is None else names[f"c{numbers[methods[key]]}"]
    return found


NO_EFFECT: dict[str, Any] = {"entry": None, "parameters": [], "requires": [], "methods": {}}  # what an action is as an event


def _event(world: World, names: Names, path: str) -> happening.Event:
    """Everything about an event that does not change."""
    effect, hooks = world.graph["effects"].get(path, NO_EFFECT), world.graph["hooks"]
    standing = [_hook(world, names, identity) for identity in world.hooks.get(path, ()) if identity in names["HOOKS"]]
    instead, before, after = ([each for each in standing if each.hook["timing"] in timings] for timings in (("instead",), BEFORE, AFTER))
    return happening.Event(
        path,
        effect,
        [parameter["name"] for parameter in effect["parameters"]],
        instead,
        before,
        after,
        names[f"y{names['HOOKS'][before[0].identity]}"] if before else None,
        names[f"w{names['HOOKS'][after[0].identity]}"] if after else None,
        frozenset(identity for identity, hook in hooks.items() if hook["installed"] and hook["event"] == path and hook["timing"] in TIMINGS),
        path in names["BOUNDS"],
        path in world.phases,
        _bodies(world, names, path) if effect is not NO_EFFECT else {},
        _body(names, effect["entry"]),
    )


def _body(names: Names, entry: str | None) -> Any:
    """The function of a body."""
    return running.no_body if entry is None else names[f"c{names['BODIES'][entry]}"]


def _hook(world: World, names: Names, identity: str) -> happening.Hook:
    """Everything about a hook that does not change."""
    hook = world.graph["hooks"][identity]
    components = None if on_none(hook) else world.by_noun.get(hook["of"], [])
    once, react = hook["first"] or hook["once_per"] is not None, hook["timing"] == "react"
    holds = names.get(f"h{names['HOOKS'][identity]}")
    return happening.Hook(identity, hook, hook["names"], components, once, react, _body(names, hook["entry"]), f"hook {identity}", holds)


def _offer(world: World, names: Names, identity: str) -> offering.Offer:
    """Everything about an offer that does not change."""
    generated: Generated = names["GENERATED"]
    number = generated.words.get(identity)
    return offering.Offer(world, identity, names[f"z{generated.offers[identity]}"], None if number is None else names[f"o{number}"])


def _deed(world: World, events: dict[str, happening.Event], units: dict[str, Any], path: str) -> Deed:
    """Everything about an action that does not change."""
    action, own, unit = world.graph["actions"][path], events[path], f"action {path}"
    choices = [(each, world.graph["nodes"][each]) for each in action["choices"]]
    alone = [(each, node, node["each"] is None and node["who"] is not None, world.planned.get(each)) for each, node in choices]
    plain = not (own.instead or own.installable)
    return Deed(path, unit, action, alone, world.bills.get(path), units[unit], events["action"], own, plain)


def _one(world: World, names: Names, identity: str) -> Any:
    """Everything about a choice of one component that does not change."""
    return names["CHOOSING"][identity]


def _worded(world: World, names: Names, identity: str) -> Any:
    """The function that gives the options in words of a choice."""
    return names[f"o{names['GENERATED'].words[identity]}"]


def _point(world: World, names: Names, function: int, at: int, spec: list[Any]) -> tuple[Any, int, tuple[Any, ...]]:
    """A place in a function at which it can be gone on with, and what frames need to know about it: see `resuming`."""
    after, levels = spec
    nodes = world.graph["nodes"]
    made = [(kind, nodes[rest[0]]["until"], *rest[1:]) if kind == "repeat" else (kind, *rest) for kind, *rest in levels]
    return names[f"c{function}"], at, (after, made)


LATE: dict[str, Callable[..., Any]] = {
    "offer": _offer,
    "versions": _versions,
    "bodies": _bodies,
    "event": _event,
    "one": _one,
    "worded": _worded,
    "point": _point,
    "point_alone": lambda *about: (_point(*about),),
}
