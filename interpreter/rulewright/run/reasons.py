"""Reasons: why something is not offered."""

from __future__ import annotations

from typing import Any

from rulewright.run import acting, asking
from rulewright.run.evaluate import evaluate, many, truth
from rulewright.run.finding import binders
from rulewright.run.logbook import causes
from rulewright.run.machine import Machine
from rulewright.run.visibility import Eyes, identity
from rulewright.told import told


def why_not(machine: Machine, player: int, thing: str) -> list[dict[str, Any]]:
    """Why something is not offered to a player; empty if it is.

    An action is named by its path, or by its path and who grants it (`play@rest.1`); anything else is a component that could be chosen now.
    """
    path, _, granter = thing.partition("@")
    action = machine.world.graph["actions"].get(path)
    if action is None:
        return _target(machine, player, thing)
    actors = [each for each in machine.world.by_noun.get(action["by"], []) if machine.decider(each) == player]
    if not actors:
        return [{"reason": f"player {player + 1} has no {action['by']}", "span": action["span"], "cites": action["cites"]}]
    found: list[dict[str, Any]] = []
    for actor in actors:
        for component in acting.granters(machine, action):
            if granter and component is not None and (identity(machine, component) != granter or not Eyes(machine, player).knows(component)):
                continue
            reasons = _reasons(machine, path, action, actor, component)
            if not reasons:
                return []
            found = found or reasons
    return found or [{"reason": f"player {player + 1} knows no '{granter}' that grants it", "span": action["span"], "cites": action["cites"]}]


def _target(machine: Machine, player: int, thing: str) -> list[dict[str, Any]]:
    """Why a component cannot be chosen in the choice that is going on."""
    frame = machine.state.frames[-1] if machine.state.frames else {"f": "end"}
    known = Eyes(machine, player)
    component = next((each for each in range(machine.world.count) if known.knows(each) and identity(machine, each) == thing), None)
    if component is None:
        return [{"reason": f"player {player + 1} knows no action and no component '{thing}'", "span": None, "cites": []}]
    if frame["f"] != "choose":
        return [{"reason": "nothing is being chosen at the moment", "span": None, "cites": []}]
    node = machine.world.graph["nodes"][frame["node"]]
    about = {"span": node["span"], "cites": causes(machine, machine.unit())[1]}
    if asking.chooser(machine, frame, node) != player:
        return [{"reason": f"it is not player {player + 1} who chooses", **about}]
    if any(option.value == component for option in asking.choosable(machine, frame, node, player)):
        return []
    return [{**about, **_unfit(machine, frame, node, component)}]


def _unfit(machine: Machine, frame: dict[str, Any], node: dict[str, Any], component: int) -> dict[str, Any]:
    """What keeps a component out of a choice: it is not among the things asked for, or a condition does not hold for it."""
    name, query = machine.label(component), node["from"]
    variables = asking.scope(machine, frame, node)
    if component in frame["picked"]:
        return {"reason": f"{name} has been chosen already"}
    if query is None or query["op"] != "query" or component not in many(evaluate(machine, query["source"], variables)):
        return {"reason": f"{name} is not among what can be chosen here"}
    inner = {**variables, **dict.fromkeys(binders(query), component)}
    for number, condition in enumerate(query["filters"]):
        if not truth(machine, condition, inner):
            spans = query.get("spans", [])
            place = {"span": spans[number]} if number < len(spans) else {}
            return {"reason": f"{name} does not meet the condition '{told(condition)}'", **place, **_cited(machine, condition)}
    return {"reason": f"with {name} the action could not be completed"}


def _cited(machine: Machine, condition: dict[str, Any]) -> dict[str, Any]:
    """The citations of the value that a condition asks, if it has any of its own."""
    asked = condition["part"] if condition["op"] == "not" else condition
    cites = machine.world.graph["values"][asked["value"]]["cites"] if asked["op"] == "value" else []
    return {"cites": cites} if cites else {}


def _reasons(machine: Machine, path: str, action: dict[str, Any], actor: int, granter: int | None) -> list[dict[str, Any]]:
    if not acting.granted(machine, action, granter, actor):
        name = machine.label(granter)
        return [{"reason": f"{name} does not grant it to {machine.label(actor)} at the moment", "span": action["span"], "cites": action["cites"]}]
    return acting.why_not(machine, path, acting.start_variables(actor, granter))
