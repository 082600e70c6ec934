"""Events: an effect that happens, with everything that may come before, after or instead of it.

A call becomes an event frame, which goes through its stages: replacements, what comes before (reactions too), requirements, the body, what comes
after. The frame remembers which replacements it has been through, so that none applies twice.
"""

from __future__ import annotations

import bisect
from typing import Any

from rulewright.run import acting
from rulewright.run.evaluate import Variables, evaluate, many, truth
from rulewright.run.hooks import applies, expire, fired, hook_of, instance, instances, unit_of
from rulewright.run.machine import Machine
from rulewright.run.state import Frame

Node = dict[str, Any]
WAITING = "waiting"


def begin(machine: Machine, effect: str, of: int | None, arguments: list[Any], **extra: Any) -> Frame:
    """Propose an event."""
    frame: Frame = {
        "f": "event", "effect": effect, "of": of, "arguments": arguments, "stage": "instead", "through": [], "queue": [], "status": "done",
        "result": None, "version": 0, "name": None, "outcome": None, **extra,
    }  # fmt: skip
    machine.state.stack.append(frame)
    return frame


def call(machine: Machine, node: Node, variables: Variables) -> None:
    arguments = [evaluate(machine, argument, variables) for argument in node["arguments"]]
    of = evaluate(machine, node["of"], variables) if node["of"] is not None else None
    if node["of"] is not None and of is None:
        return
    begin(machine, node["effect"], of, arguments, name=node["name"], outcome=node["outcome"])


def step(machine: Machine, frame: Frame) -> Any:
    """Take an event one stage further."""
    return STAGES[frame["stage"]](machine, frame)


# -- instead


def instead(machine: Machine, frame: Frame) -> Any:
    found = replacements(machine, frame)
    if not found:
        frame["stage"] = "before"
        frame["queue"] = [key for key, _, _ in instances(machine, frame["effect"], ("before", "react"), frame["arguments"], frame["of"])]
        return None
    if len(found) > 1 and "chosen" not in frame and machine.is_asked(affected(machine, frame)):
        return WAITING
    key = frame.pop("chosen", found[0][0])
    hook, variables = next((hook, variables) for each, hook, variables in found if each == key)
    fired(machine, key, hook)
    frame["through"] = [*frame["through"], key]
    frame["stage"], frame["version"] = "replaced", machine.state.version
    push_unit(machine, unit_of(key), hook["entry"], variables, replaces=key)
    return None


def replacements(machine: Machine, frame: Frame) -> list[tuple[str, dict[str, Any], Variables]]:
    """The replacements that hold and that the event has not been through."""
    return [
        (key, hook, variables)
        for key, hook, variables in instances(machine, frame["effect"], ("instead",), frame["arguments"], frame["of"])
        if key not in frame["through"] and applies(machine, key, hook, variables)
    ]


def affected(machine: Machine, frame: Frame) -> int | None:
    """The player whom an event concerns: who decides for the first thing it happens to."""
    typed = zip(parameters_of(machine, frame["effect"]), frame["arguments"], strict=False)
    concerned = [frame["of"], *(argument for parameter, argument in typed if parameter["type"]["how"] == "kind" or parameter["name"] == "actor")]
    for thing in concerned:
        player = machine.decider(thing) if type(thing) is int else None
        if player is not None:
            return player
    return 0 if machine.world.players else None


def proceed(machine: Machine, node: Node, variables: Variables) -> None:
    """Let what is being replaced happen after all, perhaps to something else."""
    frames = machine.state.frames
    event = next(frame for frame in reversed(frames) if frame["f"] == "event" and frame["stage"] == "replaced")
    names = [parameter["name"] for parameter in parameters_of(machine, event["effect"])]
    changed = {name: evaluate(machine, value, variables) for name, value in node["arguments"].items()}
    arguments = [changed.get(name, old) for name, old in zip(names, event["arguments"], strict=True)]
    extra = {"run": event["run"]} if "run" in event else {}
    made = begin(machine, event["effect"], event["of"], arguments, **extra)
    made["through"] = list(event["through"])
    made["pass_on"] = True


def parameters_of(machine: Machine, effect: str) -> list[dict[str, Any]]:
    found = machine.world.graph["effects"].get(effect)
    if found is not None:
        parameters: list[dict[str, Any]] = found["parameters"]
        return parameters
    return [{"name": name, "type": {"how": "any"}} for name in (("actor", "deed") if effect == "action" else ("actor",))]


# -- before


def before(machine: Machine, frame: Frame) -> Any:
    if frame.get("cancelled"):
        frame["status"], frame["stage"] = "cancelled", "finish"
        return None
    while frame["queue"]:
        key = frame["queue"][0]
        found = instance(machine, key, frame["arguments"], frame["of"])
        if found is None or not applies(machine, *found):
            frame["queue"].pop(0)
            continue
        _, hook, variables = found
        if hook["timing"] == "react":
            if not may_react(machine, frame, key, hook, variables):
                frame["queue"].pop(0)
                continue
            return WAITING
        frame["queue"].pop(0)
        fired(machine, key, hook)
        push_unit(machine, unit_of(key), hook["entry"], variables, hook=key)
        return None
    frame["stage"] = "require"
    return None


def may_react(machine: Machine, frame: Frame, key: str, hook: dict[str, Any], variables: Variables) -> bool:
    """Whether a reaction is possible: its player is in the game, what it needs is there, and it is not already going on."""
    player = evaluate(machine, hook["by"], variables)
    if type(player) is not int or machine.state.outcomes[player] == "eliminated":
        return False
    if not acting.possible(machine, hook["action"], {**variables, "actor": player}):
        return False
    return not any(type(each) is dict and each.get("reaction") == key for each in machine.state.stack)


def reaction_variables(machine: Machine, hook: dict[str, Any], variables: Variables) -> Variables:
    return {**variables, "actor": evaluate(machine, hook["by"], variables)}


def cancel(machine: Machine, node: Node, variables: Variables) -> None:
    """The event that a hook or reaction belongs to does not happen; the body that says so ends here."""
    frames = machine.state.opened("hook", "reaction")
    target = next((number for number in range(len(frames) - 1, -1, -1) if "hook" in frames[number] or "reaction" in frames[number]), None)
    if target is None:
        return
    event = target - 1
    frames[event] = {**frames[event], "cancelled": True}
    # A reaction is an event itself, with what comes after it: only its body ends.
    body = frames[target]["unit"]
    start = next(number for number in range(target, len(frames)) if frames[number]["f"] == "unit" and frames[number]["unit"] == body)
    gathered = [each for frame in frames[start:] if frame["f"] == "batch" for each in frame["gathered"]]
    del frames[start:]
    if gathered:  # what happened in a batch has happened
        frames.append({"f": "batch", "gathered": gathered, "done": False})


# -- the thing itself


def require(machine: Machine, frame: Frame) -> Any:
    effect = machine.world.graph["effects"].get(frame["effect"])
    variables = bound(machine, frame)
    for requirement in effect["requires"] if effect else ():
        if not truth(machine, requirement["test"], variables):
            frame["status"], frame["stage"] = "cannot", "finish"
            return None
    if machine.happened is not None:
        machine.happened.append(frame["effect"])
    frame["version"] = machine.state.version
    frame["stage"] = "after"
    if "run" in frame:
        run = frame["run"]
        if "deed" in run:
            begin(machine, run["deed"], run["self"], [run["actor"]], run={key: part for key, part in run.items() if key != "deed"})
        else:
            push_unit(machine, run["unit"], run["entry"], dict(run["vars"]))
    elif effect is not None:
        entry = machine.method(effect["methods"], frame["of"], effect["entry"])
        push_unit(machine, frame["effect"], entry, variables)
    return None


def bound(machine: Machine, frame: Frame) -> Variables:
    names = [parameter["name"] for parameter in parameters_of(machine, frame["effect"])]
    variables: Variables = dict(zip(names, frame["arguments"], strict=False))
    if frame["of"] is not None:
        variables["self"] = frame["of"]
    return variables


def push_unit(machine: Machine, unit: str, entry: str | None, variables: Variables, **extra: Any) -> None:
    """Start a body with local names of its own."""
    if entry is not None:
        machine.check_depth()
        machine.state.stack.append({"f": "unit", "unit": unit, "node": entry, "vars": variables, **extra})


# -- after


def after(machine: Machine, frame: Frame) -> Any:
    """The event has happened: gather what comes after it."""
    if frame["status"] == "done" and machine.state.version == frame["version"]:
        frame["status"] = "nothing"
    gathered = [
        [key, {**variables, "result": frame["result"]}]
        for key, _, variables in instances(machine, frame["effect"], ("after",), frame["arguments"], frame["of"])
    ]
    batch = open_batch(machine)
    if batch is not None:
        batch["gathered"] += gathered
        frame["stage"] = "finish"
    else:
        frame["queue"] = gathered
        frame["stage"] = "react"
    return None


def open_batch(machine: Machine) -> Frame | None:
    """The batch that is going on, if there is one."""
    for each in reversed(machine.state.stack):
        if type(each) is dict and each["f"] == "batch" and not each["done"]:
            found: Frame = each
            return found
    return None


def react(machine: Machine, frame: Frame) -> Any:
    if frame["queue"]:
        run_gathered(machine, frame["queue"].pop(0))
    else:
        frame["stage"] = "finish"
    return None


def run_gathered(machine: Machine, gathered: list[Any]) -> None:
    """One hook that comes after an event, if it (still) holds."""
    key, variables = gathered
    hook = machine.world.graph["hooks"][hook_of(key)]
    if applies(machine, key, hook, variables):
        fired(machine, key, hook)
        push_unit(machine, unit_of(key), hook["entry"], variables)


def replaced(machine: Machine, frame: Frame) -> Any:
    if frame["status"] == "done" and machine.state.version == frame["version"]:
        frame["status"] = "nothing"
    frame["stage"] = "finish"
    return None


def finish(machine: Machine, frame: Frame) -> Any:
    """The event is over: tell whoever called it how it went."""
    machine.state.stack.pop()
    variables = machine.variables()
    if frame["name"] is not None:
        variables[frame["name"]] = frame["result"]
    if frame["outcome"] is not None:
        variables[frame["outcome"]] = frame["status"]
    if frame.get("pass_on"):
        event = next(each for each in reversed(machine.state.frames) if each["f"] == "event" and each["stage"] == "replaced")
        event["result"], event["status"] = frame["result"], frame["status"]
    if frame["status"] in ("done", "nothing"):
        restore(machine, frame["effect"])
    return None


def restore(machine: Machine, event: str) -> None:
    """Put back what was set until an event, one after another, each by its own unit."""
    for unit, entry, variables in reversed(put_back(machine, event)):
        node = machine.world.graph["nodes"][entry]
        push_unit(machine, unit, entry, variables)
        machine.set(evaluate(machine, node["of"], variables), node["field"], evaluate(machine, node["value"], variables))
        machine.state.stack.pop()


def put_back(machine: Machine, event: str) -> list[tuple[str, str, Variables]]:
    """What held until an event holds no longer. Gives what puts back what was set until then, as units with their bodies and local names.

    What was set last is put back first, so it comes last here; and what has been set anew since then is put back by that.
    """
    graph, found, over = machine.world.graph, [], expire(machine, event)
    restoring = [each for each in over if graph["hooks"][each["hook"]]["timing"] == "restore"]
    heirs: dict[Any, list[int]] = {}  # by component and field: the positions of what has been set later, in order
    lasting = list(machine.state.installed)
    for position, each in enumerate(lasting if restoring else ()):
        heirs.setdefault(_slot(graph, each), []).append(position)
    for installed in restoring:
        later = heirs.get(_slot(graph, installed), [])
        after = bisect.bisect_right(later, installed["number"], key=lambda position: lasting[position]["number"])
        if after == len(later):
            found.append((unit_of(installed["hook"]), graph["hooks"][installed["hook"]]["entry"], dict(installed["vars"])))
        else:
            heir = lasting[later[after]]
            lasting[later[after]] = {**heir, "vars": {**heir["vars"], _kept(graph, heir): installed["vars"][_kept(graph, installed)]}}
    if restoring:
        machine.state.installed = lasting
    return found


def _slot(graph: Any, installed: dict[str, Any]) -> Any:
    """The component and field that something which holds for a time puts back; None if it is a hook."""
    hook = graph["hooks"][installed["hook"]]
    if hook["timing"] != "restore":
        return None
    node = graph["nodes"][hook["entry"]]
    return installed["vars"][node["of"]["name"]], node["field"]


def _kept(graph: Any, installed: dict[str, Any]) -> str:
    """The local name under which the earlier value is kept."""
    name: str = graph["nodes"][graph["hooks"][installed["hook"]]["entry"]]["value"]["name"]
    return name


def shortage(machine: Machine, node: Node, what: dict[str, Any], variables: Variables) -> tuple[str, int | None] | None:
    """The event of running out that the rules answer, and the place that ran out."""
    if node["short"] is None and not node.get("wants"):
        return None
    place = _place_in(machine, what, variables)
    event = node["short"] or f"{machine.world.place_names.get(-1 if place is None else place)}.runs_out"
    return (event, place) if event in machine.world.graph["effects"] else None


def run_out(machine: Machine, event: str, place: int | None) -> None:
    """Something was wanted and there was none."""
    owner = None if place is None else machine.world.place_owner.get(place)
    begin(machine, event, None, [owner] if machine.world.graph["effects"][event]["parameters"] else [])


def _place_in(machine: Machine, expression: Any, variables: Variables) -> int | None:
    """The place an expression takes things from."""
    if not isinstance(expression, dict):
        return None
    if expression.get("op") == "members":
        places = many(evaluate(machine, expression["of"], variables))
        return places[0] if places else None
    return next((found for part in expression.values() if (found := _place_in(machine, part, variables)) is not None), None)


STAGES = {
    "instead": instead, "replaced": replaced, "before": before, "require": require, "after": after, "react": react, "finish": finish,
}  # fmt: skip
