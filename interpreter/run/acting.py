"""Acting: which actions are possible, what they cost, and how one is carried out.

An action goes through its choices, pays its costs, then happens as an event: first `action` for anybody who cares about deeds in general, inside it the
event with the action's own name, inside that its body.
"""

from __future__ import annotations

from typing import Any

from interpreter.run.evaluate import Variables, evaluate, many, truth
from interpreter.run.hooks import applies, instances
from interpreter.run.machine import Machine
from interpreter.run.state import Frame

Node = dict[str, Any]


# -- what is possible


def actions_of(machine: Machine, who: int, groups: list[str]) -> list[tuple[str, int | None]]:
    """The actions that somebody can take now, with the component that grants each."""
    found = []
    for path in machine.world.actions_for(who):
        action = machine.world.graph["actions"][path]
        if groups and not set(groups) & set(action["groups"]):
            continue
        for granter in granters(machine, action):
            if granted(machine, action, granter, who) and possible(machine, path, start_variables(who, granter)):
                found.append((path, granter))
    return found


def granters(machine: Machine, action: dict[str, Any]) -> list[int | None]:
    """The components that could grant an action; None for an action of nobody in particular."""
    return [None] if action["of"] is None else list(machine.world.by_noun.get(action["of"], []))


def start_variables(who: int, granter: int | None) -> Variables:
    return {"actor": who} if granter is None else {"actor": who, "self": granter}


def granted(machine: Machine, action: dict[str, Any], granter: int | None, who: int) -> bool:
    """Whether a component grants its action to somebody at the moment."""
    if granter is None:
        return True
    rule = machine.world.graph["kinds"].get(machine.world.kinds[granter], {}).get("actions_for")
    if rule is not None and who not in many(evaluate(machine, rule, {"self": granter})):
        return False
    return all(truth(machine, condition, start_variables(who, granter)) for condition in action["while"])


def possible(machine: Machine, path: str, variables: Variables) -> bool:
    """Whether an action can be carried out to the end from here."""
    action = machine.world.graph["actions"][path]
    key = f"{path}@{variables.get('self')}"
    if action["once_per"] is not None and key in machine.state.once:
        return False
    return open_from(machine, action, variables, 0)


def open_from(machine: Machine, action: dict[str, Any], variables: Variables, done: int) -> bool:
    """Whether requirements hold after so many choices, the remaining choices can be made, and then the costs paid."""
    for requirement in action["requires"]:
        if requirement.get("after", 0) == done and not truth(machine, requirement["test"], variables):
            return False
    if done == len(action["choices"]):
        return payable(machine, costs_of(machine, action, variables), variables["actor"], variables)
    node = machine.world.graph["nodes"][action["choices"][done]]
    if node["form"] != "one" or node["optional"]:
        return True
    found = many(evaluate(machine, node["from"], variables))
    return any(open_from(machine, action, {**variables, node["name"]: each}, done + 1) for each in found)


def why_not(machine: Machine, path: str, variables: Variables) -> list[dict[str, Any]]:
    """The requirements of an action that are not met, each with its reason and place."""
    action = machine.world.graph["actions"][path]
    found = []
    for requirement in action["requires"]:
        if requirement.get("after", 0) == 0 and not truth(machine, requirement["test"], variables):
            reason = evaluate(machine, requirement["because"], variables) if requirement["because"] is not None else None
            found.append({"reason": reason, "span": requirement["span"], "cites": action["cites"]})
    if not found and not action["choices"] and not payable(machine, costs_of(machine, action, variables), variables["actor"], variables):
        found.append({"reason": "its cost cannot be paid", "span": action["span"], "cites": action["cites"]})
    if not found and not open_from(machine, action, variables, 0):
        found.append(
            {"reason": "there is nothing it could be done with, or its cost cannot be paid", "span": action["span"], "cites": action["cites"]}
        )
    return found


# -- costs


def costs_of(machine: Machine, action: dict[str, Any], variables: Variables) -> list[dict[str, Any]]:
    """The costs of an action after everything that changes them, as amounts."""
    costs = [
        {"cost": cost["cost"], "amount": evaluate(machine, cost["amount"], variables) or 0, "arguments": cost["arguments"]}
        for cost in action["costs"]
    ]
    path = next(name for name, found in machine.world.graph["actions"].items() if found is action)
    for target in [path, *action["groups"]]:
        for key, hook, inner in instances(machine, target, ("cost",), [variables["actor"]]):
            if applies(machine, key, hook, inner):
                apply_cost_hook(machine, hook, costs, inner)
    return [{**cost, "amount": {"op": "const", "value": max(cost["amount"], 0)}} for cost in costs]


def apply_cost_hook(machine: Machine, hook: dict[str, Any], costs: list[dict[str, Any]], variables: Variables) -> None:
    """One hook on costs: another amount of something, more of it, or less."""
    change = hook["cost"]
    amount = evaluate(machine, change["amount"], variables) or 0
    target = next((cost for cost in costs if cost["cost"] == change["cost"]), None)
    if target is None:
        target = {"cost": change["cost"], "amount": 0, "arguments": []}
        costs.append(target)
    target["amount"] = {"is": amount, "more": target["amount"] + amount, "less": target["amount"] - amount}[change["how"]]


def cost_variables(machine: Machine, cost: dict[str, Any], who: Any, variables: Variables) -> Variables:
    names = [parameter["name"] for parameter in machine.world.graph["costs"][cost["cost"]]["parameters"]]
    values = [who, evaluate(machine, cost["amount"], variables), *(evaluate(machine, argument, variables) for argument in cost["arguments"])]
    return dict(zip(names, values, strict=False))


def payable(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> bool:
    """Whether all costs can be paid together: amounts of the same thing are added up."""
    together: dict[str, Variables] = {}
    for cost in costs:
        bound = cost_variables(machine, cost, who, variables)
        names = list(bound)
        key = str([cost["cost"], [bound[name] for name in names[2:]]])
        if key in together:
            together[key][names[1]] += bound[names[1]] or 0
        else:
            together[key] = {**bound, "#": cost["cost"]}
    return all(_affordable(machine, bound) for bound in together.values())


def _affordable(machine: Machine, bound: Variables) -> bool:
    requires = machine.world.graph["costs"][bound["#"]]["requires"]
    return all(truth(machine, requirement["test"], bound) for requirement in requires)


def push_costs(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> None:
    """Start paying."""
    todo = [[cost["cost"], cost_variables(machine, cost, who, variables)] for cost in costs]
    machine.state.frames.append({"f": "costs", "todo": [each for each in todo if list(each[1].values())[1] != 0]})


def pay_step(machine: Machine, frame: Frame) -> Any:
    """Pay the next cost."""
    from interpreter.run.events import push_unit

    if not frame["todo"]:
        machine.state.frames.pop()
        return None
    name, variables = frame["todo"].pop(0)
    push_unit(machine, f"cost {name}", machine.world.graph["costs"][name]["entry"], variables)
    return None


def pay(machine: Machine, node: Node, variables: Variables) -> None:
    """`who pays`: as a statement; what cannot be paid is not."""
    who = evaluate(machine, node["who"], variables)
    if payable(machine, node["costs"], who, variables):
        push_costs(machine, node["costs"], who, variables)


# -- carrying out


def offer(machine: Machine, node: Node, variables: Variables) -> None:
    """Offer actions: a frame that waits for a choice, if there is any."""
    from interpreter.run.asking import node_id, option_list

    who = evaluate(machine, node["who"], variables)
    player = machine.decider(who)
    if who is None or player is None or machine.state.outcomes[player] == "eliminated":
        return
    inner = {**variables, "actor": who}
    if actions_of(machine, who, node["groups"]) or option_list(machine, node["options"], inner, False):
        machine.state.frames.append({"f": "offer", "node": node_id(machine, node), "who": who, "player": player})


def begin(machine: Machine, path: str, variables: Variables, **extra: Any) -> None:
    """Start an action or reaction."""
    machine.state.frames.append({"f": "action", "unit": f"action {path}", "action": path, "stage": 0, "vars": variables, **extra})


def step(machine: Machine, frame: Frame) -> Any:
    """The next thing of an action: a choice, the costs, the deed itself, the end."""
    from interpreter.run import events
    from interpreter.run.asking import choose

    action = machine.world.graph["actions"][frame["action"]]
    stage = frame["stage"]
    frame["stage"] += 1
    variables = frame["vars"]
    if stage < len(action["choices"]):
        choose(machine, machine.world.graph["nodes"][action["choices"][stage]], variables, [frame["action"], stage])
    elif stage == len(action["choices"]):
        if action["once_per"] is not None:
            machine.state.once.append(f"{frame['action']}@{variables.get('self')}")
        push_costs(machine, costs_of(machine, action, variables), variables["actor"], variables)
    elif stage == len(action["choices"]) + 1:
        run = {"deed": frame["action"], "self": variables.get("self"), "actor": variables["actor"], "unit": f"action {frame['action']}"}
        run |= {"entry": action["entry"], "vars": variables}
        events.begin(machine, "action", None, [variables["actor"], frame["action"]], run=run)
    else:
        machine.state.frames.remove(frame)
    return None
