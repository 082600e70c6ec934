"""References: where a state speaks of components, apart from where they lie.

Local names, arguments, what has been picked and fields of a component's kind hold numbers that stand for components. The graph says which: every name
has a sort. Here all these slots are found, as pairs of a list or mapping and the key in it, so that they can be read and changed alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright.core.world import World
from rulewright.run.evaluate import evaluate
from rulewright.run.events import parameters_of
from rulewright.run.hooks import component_of, unit_of
from rulewright.run.machine import Machine
from rulewright.run.state import Frame

Slot = tuple[Any, Any]
NO_SORT = {"how": "none"}
ACTING = ("self", "actor")  # whose text is being carried out: known to everybody


def slots(machine: Machine) -> Iterator[Slot]:
    """Every slot of a state that refers to a component."""
    world = machine.world
    if world.component_names is None:
        world.component_names = names_by_unit(machine)
    sorts = world.component_names
    unit = ""
    for frame in machine.state.frames:
        unit = frame.get("unit", unit)
        yield from _frame(machine, sorts, frame, unit)
        if "drawn" in frame:  # something ran out in the middle of it
            yield from _each(frame, "drawn")
    for installed in machine.state.installed:
        yield from _named(sorts, f"hook {installed['hook']}", installed["vars"])
    yield from _fields(machine)


def acting(machine: Machine) -> set[int]:
    """The components whose own text is being carried out, or whose own hooks and actions the state remembers."""
    found: set[Any] = set()
    for frame in machine.state.frames:
        names = frame.get("vars", {})
        found.update(names.get(word) for word in ACTING)
        found.update(frame.get(key) for key in ("of", "who"))
        found.update(frame.get("run", {}).get(word) for word in ACTING)
        keys = [frame.get("reaction"), frame.get("hook"), frame.get("replaces"), *frame.get("through", ()), *frame.get("queue", ())]
        found.update(component_of(key[0] if type(key) is list else key) for key in [*keys, *frame.get("gathered", ())] if key is not None)
    found.update(installed["vars"].get("self") for installed in machine.state.installed)
    found.update(component_of(key) for key in machine.state.once)
    return {each for each in found if type(each) is int}


def echoes(machine: Machine) -> list[tuple[int, str, Any]]:
    """Local names that still say what their expression says: the frame, the name, and the expression to ask again when something has changed."""
    world = machine.world
    if world.bound_once is None:
        world.bound_once = _bound_once(world)
    found = []
    for number, frame in enumerate(machine.state.frames):
        for name, expression in world.bound_once.get(frame["unit"], {}).items() if frame["f"] == "unit" else ():
            variables = frame["vars"]
            if name in variables and evaluate(machine, expression, variables) == variables[name]:
                found.append((number, name, expression))
    return found


def secret_answers(machine: Machine) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Local names that hold the answers to secret choices: the mapping, and the choice."""
    world, units = machine.world, methods(machine.world)
    secret: dict[str, list[dict[str, Any]]] = {}
    for identity, node in world.graph["nodes"].items():
        if node["op"] == "choose" and node["secret"] and node["name"] is not None:
            prefix = identity.rpartition(":")[0]
            secret.setdefault(units.get(prefix, prefix), []).append(node)
    for frame in machine.state.frames if secret else ():
        if frame["f"] in ("unit", "action"):
            yield from ((frame["vars"], node) for node in secret.get(frame["unit"], ()) if frame["vars"].get(node["name"]) is not None)


class Secrets(NamedTuple):
    """Fields whose values come from what players answer in secret, those whose values chance gives, and the units in which such answers are given."""

    answered: frozenset[str]
    drawn: frozenset[str]
    units: frozenset[str]


def secrets_of(world: World) -> Secrets:
    """What fields are filled with that others cannot know, through whatever names and effects."""
    if world.secrets is None:
        units, nodes = methods(world), world.graph["nodes"]
        placed = [(units.get(prefix := identity.rpartition(":")[0], prefix), node) for identity, node in nodes.items()]
        chosen = [(unit, node) for unit, node in placed if node["op"] == "choose" and node["name"] is not None]
        answers = {(unit, node["name"]) for unit, node in chosen if node["secret"]}
        draws = {
            (unit, node["name"]) for unit, node in chosen if node["form"] in ("number", "value") and (node["who"] or {}).get("value") == "chance"
        }
        world.secrets = Secrets(_filled(world, placed, answers), _filled(world, placed, draws), frozenset(unit for unit, _ in answers))
    found: Secrets = world.secrets
    return found


def _filled(world: World, placed: list[tuple[str, dict[str, Any]]], names: set[tuple[str, str]]) -> frozenset[str]:
    """The fields that get their values from some local names, also through other names, effects and fields."""
    fields: set[str] = set()
    before = -1
    while before < len(names) + len(fields):
        before = len(names) + len(fields)
        for unit, node in placed if names else ():
            if node["op"] == "bind" and _mentions(node["value"], unit, names, fields):
                names.add((unit, node["name"]))
            elif node["op"] == "set" and _mentions(node["value"], unit, names, fields):
                fields.add(node["field"])
            elif node["op"] == "call" and node["effect"] in world.graph["effects"]:
                given = zip(world.graph["effects"][node["effect"]]["parameters"], node["arguments"], strict=False)
                names |= {(node["effect"], parameter["name"]) for parameter, value in given if _mentions(value, unit, names, fields)}
    return frozenset(fields)


def _mentions(expression: Any, unit: str, names: set[tuple[str, str]], fields: set[str]) -> bool:
    """Whether an expression speaks of one of some local names or fields."""
    if type(expression) is list:
        return any(_mentions(part, unit, names, fields) for part in expression)
    if type(expression) is not dict:
        return False
    if (expression.get("op") == "var" and (unit, expression["name"]) in names) or (expression.get("op") == "field" and expression["name"] in fields):
        return True
    return any(_mentions(part, unit, names, fields) for part in expression.values())


def _bound_once(world: World) -> dict[str, dict[str, Any]]:
    """For every unit the local names that one node gives, and the expression it gives them; not those that components stand for."""
    units = methods(world)
    times: dict[tuple[str, str], list[Any]] = {}
    for identity, node in world.graph["nodes"].items():
        if node.get("name") is not None:
            prefix = identity.rpartition(":")[0]
            times.setdefault((units.get(prefix, prefix), node["name"]), []).append(node)
    found: dict[str, dict[str, Any]] = {}
    for (unit, name), nodes in times.items():
        if len(nodes) == 1 and nodes[0]["op"] == "bind" and nodes[0]["as"] not in ("kind", "any"):
            found.setdefault(unit, {})[name] = nodes[0]["value"]
    return found


def methods(world: World) -> dict[str, str]:
    """For the bodies that components give effects of their own, the effect."""
    return {entry.rpartition(":")[0]: name for name, effect in world.graph["effects"].items() for entry in effect["methods"].values() if entry}


# -- frames


def _frame(machine: Machine, sorts: dict[str, set[str]], frame: Frame, unit: str) -> Iterator[Slot]:
    match frame["f"]:
        case "unit" | "action":
            yield from _named(sorts, frame["unit"], frame["vars"])
        case "event":
            for number, parameter in enumerate(parameters_of(machine, frame["effect"])[: len(frame["arguments"])]):
                if _spoken(parameter["type"]):
                    yield from _each(frame["arguments"], number)
            if "vars" in frame.get("run", {}):
                yield from _named(sorts, frame["run"]["unit"], frame["run"]["vars"])
            if _spoken(machine.world.graph["effects"].get(frame["effect"], {}).get("gives") or NO_SORT):
                yield from _each(frame, "result")
            yield from _gathered(sorts, [each for each in frame["queue"] if type(each) is list])
        case "batch":
            yield from _gathered(sorts, frame["gathered"])
        case "choose":
            if machine.world.graph["nodes"][frame["node"]]["as"] in ("kind", "any"):
                yield from _each(frame, "picked")
                yield from _each(frame, "answers")
        case "each":
            if frame["name"] in sorts.get(unit, ()):
                yield from _each(frame, "items")
            yield from ((frame["outer"], number) for number, name in enumerate((frame["name"], "it")) if name in sorts.get(unit, ()))
        case "costs":
            for name, variables in frame["todo"]:
                yield from _named(sorts, f"cost {name}", variables)


def _gathered(sorts: dict[str, set[str]], gathered: list[Any]) -> Iterator[Slot]:
    for key, variables in gathered:
        yield from _named(sorts, unit_of(key), variables)


def _named(sorts: dict[str, set[str]], unit: str, variables: dict[str, Any]) -> Iterator[Slot]:
    known = sorts.get(unit, set())
    for name in variables:
        if name in known and name not in ACTING:
            yield from _each(variables, name)


def _each(holder: Any, key: Any) -> Iterator[Slot]:
    """A slot, or those of the list in it, or of the answers of several players."""
    if type(holder[key]) is list:
        yield from ((holder[key], number) for number in range(len(holder[key])))
    elif type(holder[key]) is dict:
        for who in holder[key]:
            yield from _each(holder[key], who)
    else:
        yield holder, key


def _fields(machine: Machine) -> Iterator[Slot]:
    world, values = machine.world, machine.state.values
    for component in range(world.count):
        kind = world.kinds[component]
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if _spoken(field["type"]):
                slot = world.base[component] + world.slots[kind][name]
                if type(values[slot]) is list:
                    values[slot] = values[slot][:]  # lists in fields are replaced, never altered: another state may share this one
                yield from _each(values, slot)


# -- names


def names_by_unit(machine: Machine) -> dict[str, set[str]]:
    """For every unit the local names that stand for components."""
    graph = machine.world.graph
    units = methods(machine.world)
    found: dict[str, set[str]] = {}
    for prefix, table in (("", "effects"), ("cost ", "costs")):
        for name, unit in graph[table].items():
            found[f"{prefix}{name}"] = {parameter["name"] for parameter in unit["parameters"] if _spoken(parameter["type"])}
    for name, hook in graph["hooks"].items():
        typed = zip(hook["names"], parameters_of(machine, hook["event"]), strict=False)
        found[f"hook {name}"] = {own for own, parameter in typed if _spoken(parameter["type"])}
    for identity, node in graph["nodes"].items():
        prefix = identity.rpartition(":")[0]
        found.setdefault(units.get(prefix, prefix), set()).update(_bound(machine.world, node))
    return found


def _bound(world: World, node: dict[str, Any]) -> Iterator[str]:
    """The names of components that a node gives."""
    op, name = node["op"], node.get("name")
    if name is None:
        return
    if op == "each":
        yield from (name, "it") if node["as"] in ("kind", "any") else ()
    else:
        effect = world.graph["effects"].get(node["effect"], {}) if op == "call" else {}
        sort = (effect.get("gives") or NO_SORT) if op == "call" else {"how": "kind" if op == "draw" else node.get("as", "none")}
        if _spoken(sort):
            yield name


def _spoken(of: dict[str, Any]) -> bool:
    """Whether a type is one of components."""
    return (of.get("of") or of)["how"] in ("kind", "any")
