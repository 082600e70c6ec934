"""Reasons: why something is not offered."""

from __future__ import annotations

from typing import Any

from interpreter.run import acting
from interpreter.run.machine import Machine
from interpreter.run.visibility import identity


def why_not(machine: Machine, player: int, thing: str) -> list[dict[str, Any]]:
    """Why an action, named by its path or by its path and granter, is not offered to a player; empty if it is possible."""
    path, _, granter = thing.partition("@")
    action = machine.world.graph["actions"].get(path)
    if action is None:
        return [{"reason": f"there is no action '{path}'", "span": None, "cites": []}]
    actors = [each for each in machine.world.by_noun.get(action["by"], []) if machine.decider(each) == player]
    if not actors:
        return [{"reason": f"player {player + 1} has no {action['by']}", "span": action["span"], "cites": action["cites"]}]
    found: list[dict[str, Any]] = []
    for actor in actors:
        for component in acting.granters(machine, action):
            if granter and component is not None and identity(machine, component) != granter:
                continue
            reasons = _reasons(machine, path, action, actor, component)
            if not reasons:
                return []
            found = found or reasons
    return found


def _reasons(machine: Machine, path: str, action: dict[str, Any], actor: int, granter: int | None) -> list[dict[str, Any]]:
    if not acting.granted(machine, action, granter, actor):
        name = machine.label(granter)
        return [{"reason": f"{name} does not grant it to {machine.label(actor)} at the moment", "span": action["span"], "cites": action["cites"]}]
    return acting.why_not(machine, path, acting.start_variables(actor, granter))
