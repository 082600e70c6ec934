"""Acting: which actions are possible, what they cost, and how one is carried out.

An action goes through its choices, pays its costs, then happens as an event: first `action` for anybody who cares about deeds in general, inside it the
event with the action's own name, inside that its body.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.run.evaluate import Variables, evaluate, many, truth
from rulewright.run.hooks import applies, hook_of, instances
from rulewright.run.machine import Machine
from rulewright.run.state import Frame
from rulewright.run.visibility import Eyes

Node = dict[str, Any]
SEVERAL = ("up_to", "exactly", "any_number")


# -- what is possible


def actions_of(machine: Machine, who: int, groups: list[str]) -> Iterator[tuple[str, int | None]]:
    """The actions that somebody can take now, with the component that grants each."""
    for path in machine.world.actions_for(who):
        action = machine.world.graph["actions"][path]
        if groups and not set(groups) & set(action["groups"]):
            continue
        for granter in granting(machine, path, action, who):
            if possible(machine, path, start_variables(who, granter)):
                yield path, granter


def granting(machine: Machine, path: str, action: dict[str, Any], who: int) -> list[int | None]:
    """The components that grant an action to somebody at the moment; None for an action of nobody in particular."""
    known = machine.world.granting.get(path)
    if known is not None:
        found: list[int | None] = known(machine, who)
        return found
    machine.look(len(machine.world.by_noun.get(action["of"], ())))
    return [granter for granter in granters(machine, action) if granted(machine, action, granter, who)]


def granters(machine: Machine, action: dict[str, Any]) -> list[int | None]:
    """The components that could grant an action; None for an action of nobody in particular."""
    return [None] if action["of"] is None else list(machine.world.by_noun.get(action["of"], []))


def start_variables(who: int, granter: int | None) -> Variables:
    return {"actor": who} if granter is None else {"actor": who, "self": granter}


def granted(machine: Machine, action: dict[str, Any], granter: int | None, who: int) -> bool:
    """Whether a component grants its action to somebody at the moment."""
    if granter is None:
        return True
    if action["of"] in machine.world.graph["components"] and not Eyes(machine, machine.decider(who)).knows(granter):
        return False  # who cannot tell what it is cannot use what only it can do
    rule = machine.world.graph["kinds"].get(machine.world.kinds[granter], {}).get("actions_for")
    if rule is not None and who not in many(evaluate(machine, rule, {"self": granter})):
        return False
    return all(truth(machine, condition, start_variables(who, granter)) for condition in action["while"])


def possible(machine: Machine, path: str, variables: Variables) -> bool:
    """Whether an action can be carried out to the end from here."""
    known = machine.world.reacting.get(path)
    if known is not None:
        return bool(known(machine, variables))
    action = machine.world.graph["actions"][path]
    return not used_up(machine, path, variables) and open_from(machine, action, variables, 0)


def used_up(machine: Machine, path: str, variables: Variables) -> bool:
    """Whether an action that may be taken only so often has been taken."""
    return machine.world.graph["actions"][path]["once_per"] is not None and once_key(path, variables) in machine.state.once


def once_key(path: str, variables: Variables) -> str:
    """What is used up when an action is taken: the action of its component; an action of nobody in particular for each who acts."""
    return f"{path}@{variables.get('self', variables['actor'])}"


def open_from(machine: Machine, action: dict[str, Any], variables: Variables, done: int) -> bool:
    """Whether requirements hold after so many choices, the remaining choices can be made, and then the costs paid."""
    for requirement in action["requires"]:
        if requirement.get("after", 0) == done and not truth(machine, requirement["test"], variables):
            return False
    if done == len(action["choices"]):
        return payable(machine, costs_of(machine, action, variables), variables["actor"], variables)
    machine.look(1)
    node = machine.world.graph["nodes"][action["choices"][done]]
    return any(open_from(machine, action, {**variables, node["name"]: answer}, done + 1) for answer in answers_to(machine, action, node, variables))


def answers_to(machine: Machine, action: dict[str, Any], node: Node, variables: Variables) -> Iterator[Any]:
    """What a choice of an action could be answered, as far as that matters for what comes after it."""
    if node["form"] in SEVERAL:
        yield from completions(machine, action, node, variables, [])
        return
    if node["form"] == "number":
        low, high = evaluate(machine, node["low"], variables) or 0, evaluate(machine, node["high"], variables) or 0
        found: Iterable[Any] = range(low, min(high, low + machine.budget.options) + 1)
    else:
        found = many(evaluate(machine, node["from"], variables))
    every = itertools.chain(found, [None]) if node["optional"] else found
    yield from every if machine.world.spoken_of(action, node) else itertools.islice(every, 1)


def completions(machine: Machine, action: dict[str, Any], node: Node, variables: Variables, picked: list[Any]) -> Iterator[list[Any]]:
    """The ways to complete a choice of several things: one if what comes after does not speak of them, else the first of them."""
    left = [each for each in many(evaluate(machine, node["from"], variables)) if each not in picked]
    most = (
        len(left) if node["amount"] is None else max(min(evaluate(machine, node["amount"], variables) or 0, len(left) + len(picked)) - len(picked), 0)
    )
    sizes = [most] if node["form"] == "exactly" else range(most + 1)
    ways = ([*picked, *more] for size in sizes for more in selections(machine, left, size))
    yield from ways if machine.world.spoken_of(action, node) else itertools.islice(ways, 1)


def selections(machine: Machine, things: list[Any], size: int) -> Iterator[list[Any]]:
    """The ways to take so many of some things; of things that are alike it does not matter which."""
    alike: dict[Any, list[Any]] = {}
    for each in things:
        alike.setdefault(machine.likeness(each), []).append(each)

    def taken(groups: list[list[Any]], wanted: int) -> Iterator[list[Any]]:
        machine.look(1)
        if not groups:
            if wanted == 0:
                yield []
            return
        for number in range(min(wanted, len(groups[0])), -1, -1):
            for rest in taken(groups[1:], wanted - number):
                yield groups[0][:number] + rest

    return taken(list(alike.values()), size)


def leads_on(machine: Machine, frame: Frame, node: Node, variables: Variables, value: Any) -> bool:
    """Whether an action can be carried out to the end after an answer; None is to decline, or to be done."""
    known = machine.world.leading.get(frame["node"])
    if known is not None:
        return bool(known(machine, variables, value))
    path, done = frame["plan"]
    action = machine.world.graph["actions"][path]
    ways: Iterable[Any] = [value]
    if node["form"] in SEVERAL:
        ways = [frame["picked"]] if value is None else completions(machine, action, node, variables, [*frame["picked"], value])
    return any(open_from(machine, action, {**variables, node["name"]: way}, done + 1) for way in ways)


def why_not(machine: Machine, path: str, variables: Variables) -> list[dict[str, Any]]:
    """The requirements of an action that are not met, each with its reason and place."""
    action = machine.world.graph["actions"][path]
    found = []
    if used_up(machine, path, variables):
        found.append({"reason": f"it may be taken once per {action['once_per']}", "span": action["span"], "cites": action["cites"]})
    for requirement in action["requires"]:
        if requirement.get("after", 0) == 0 and not truth(machine, requirement["test"], variables):
            reason = evaluate(machine, requirement["because"], variables) if requirement["because"] is not None else None
            found.append({"reason": reason, "span": requirement["span"], "cites": action["cites"]})
    if not found and not action["choices"] and not payable(machine, costs_of(machine, action, variables), variables["actor"], variables):
        found.append(unpaid(machine, action, variables))
    if not found and not open_from(machine, action, variables, 0):
        blocked = list(_blocked(machine, action, variables, 0))
        found.append(
            blocked[-1] if blocked else {"reason": "there is nothing it could be done with", "span": action["span"], "cites": action["cites"]}
        )
    return found


def _blocked(machine: Machine, action: dict[str, Any], variables: Variables, done: int) -> Iterator[dict[str, Any]]:
    """What stands in the way behind the choices of an action, for the first answer of each; the last is nearest to the deed."""
    for requirement in action["requires"]:
        if requirement.get("after", 0) == done and not truth(machine, requirement["test"], variables):
            reason = evaluate(machine, requirement["because"], variables) if requirement["because"] is not None else None
            yield {"reason": reason, "span": requirement["span"], "cites": action["cites"]}
            return
    if done == len(action["choices"]):
        yield unpaid(machine, action, variables)
        return
    node = machine.world.graph["nodes"][action["choices"][done]]
    answer = next(answers_to(machine, action, node, variables), None)
    if answer is not None:
        yield from _blocked(machine, action, {**variables, node["name"]: answer}, done + 1)


def unpaid(machine: Machine, action: dict[str, Any], variables: Variables) -> dict[str, Any]:
    """Why the costs of an action cannot be paid: what one of them wants, in its own words."""
    for name, bound in together(machine, costs_of(machine, action, variables), variables["actor"], variables):
        cost = machine.world.graph["costs"][name]
        for requirement in cost["requires"]:
            if not truth(machine, requirement["test"], bound):
                reason = evaluate(machine, requirement["because"], bound) if requirement["because"] is not None else None
                return {
                    "reason": reason or f"its cost cannot be paid ({name})",
                    "span": requirement["span"],
                    "cites": cost["cites"] or action["cites"],
                }
    return {"reason": "its costs cannot all be paid", "span": action["span"], "cites": action["cites"]}


# -- costs


def costs_of(machine: Machine, action: dict[str, Any], variables: Variables) -> list[dict[str, Any]]:
    """The costs of an action after everything that changes them, as amounts."""
    costs = [
        {"cost": cost["cost"], "amount": evaluate(machine, cost["amount"], variables) or 0, "arguments": cost["arguments"]}
        for cost in action["costs"]
    ]
    targets = [target for target in (machine.world.action_path(action), *action["groups"]) if target in machine.world.dearer]
    found = [each for target in targets for each in instances(machine, target, ("cost",), [variables["actor"]])]
    for key, hook, inner in sorted(found, key=lambda each: machine.world.hook_order[hook_of(each[0])]):
        if applies(machine, key, hook, inner):
            apply_cost_hook(machine, hook, costs, inner)
    return [{**cost, "amount": max(cost["amount"], 0)} for cost in costs]


def apply_cost_hook(machine: Machine, hook: dict[str, Any], costs: list[dict[str, Any]], variables: Variables) -> None:
    """One hook on costs: another amount of something, more of it, or less."""
    change = hook["cost"]
    amount = evaluate(machine, change["amount"], variables) or 0
    target = next((cost for cost in costs if cost["cost"] == change["cost"]), None)
    if target is None:
        target = {"cost": change["cost"], "amount": 0, "arguments": []}
        costs.append(target)
    target["amount"] = max({"is": amount, "more": target["amount"] + amount, "less": target["amount"] - amount}[change["how"]], 0)


def cost_variables(machine: Machine, cost: dict[str, Any], who: Any, variables: Variables) -> Variables:
    names = [parameter["name"] for parameter in machine.world.graph["costs"][cost["cost"]]["parameters"]]
    amount = cost["amount"] if type(cost["amount"]) is int else evaluate(machine, cost["amount"], variables)
    values = [who, max(amount or 0, 0), *(evaluate(machine, argument, variables) for argument in cost["arguments"])]
    return dict(zip(names, values, strict=False))


def payable(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> bool:
    """Whether all costs can be paid together: amounts of the same thing are added up, and it is tried out whether one stands in the way of another."""
    from rulewright.run.rehearsing import can_pay

    kinds = together(machine, costs, who, variables)
    if not all(affordable(machine, name, bound) for name, bound in kinds):
        return False
    demanding = [name for name, _ in kinds[1:] if machine.world.graph["costs"][name]["requires"]]
    return not demanding or can_pay(machine, bills(machine, costs, who, variables))


def together(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> list[tuple[str, Variables]]:
    """The costs that are more than nothing, amounts of the same thing added up."""
    found: dict[str, tuple[str, Variables]] = {}
    todo = bills(machine, costs, who, variables)
    if len(todo) < 2:
        return todo
    for name, bound in todo:
        amount, *others = list(bound)[1:]
        key = str([name, [bound[other] for other in others]])
        before = found[key][1][amount] if key in found else 0
        found[key] = name, {**bound, amount: before + bound[amount]}
    return list(found.values())


def bills(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> list[tuple[str, Variables]]:
    """The costs that are more than nothing, each with its local names."""
    found = [(cost["cost"], cost_variables(machine, cost, who, variables)) for cost in costs]
    return [(name, bound) for name, bound in found if list(bound.values())[1] != 0]


def affordable(machine: Machine, name: str, bound: Variables) -> bool:
    """Whether one kind of cost can be paid now."""
    return all(truth(machine, requirement["test"], bound) for requirement in machine.world.graph["costs"][name]["requires"])


def push_costs(machine: Machine, costs: list[dict[str, Any]], who: Any, variables: Variables) -> None:
    """Start paying."""
    machine.state.stack.append({"f": "costs", "todo": [[name, bound] for name, bound in bills(machine, costs, who, variables)]})


def pay_step(machine: Machine, frame: Frame) -> Any:
    """Pay the next cost."""
    from rulewright.run.events import push_unit
    from rulewright.run.rehearsing import Unpaid

    if not frame["todo"]:
        machine.state.stack.pop()
        return None
    name, variables = frame["todo"].pop(0)
    if machine.trial and not affordable(machine, name, variables):
        raise Unpaid
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
    frame = offer_frame(machine, node, machine.world.node_id(node), variables)
    if frame is not None:
        machine.state.stack.append(frame)


def offer_frame(machine: Machine, node: Node, identity: str, variables: Variables) -> Frame | None:
    """The frame of an offer, if there is anything to offer; what is offered is remembered for the question that follows."""
    from rulewright.run.asking import option_list

    who = evaluate(machine, node["who"], variables)
    player = machine.decider(who)
    if not machine.is_asked(player):
        return None
    found = list(actions_of(machine, who, node["groups"]))
    if not found and not option_list(machine, node["options"], {**variables, "actor": who}, who):
        return None
    frame: Frame = {"f": "offer", "node": identity, "who": who, "player": player}
    machine.listed = (frame, found)
    return frame


def still_offers(machine: Machine, frame: Frame) -> bool:
    """Whether anything is left of an offer; only what was tried out meanwhile, as scenarios do, can have taken it away."""
    from rulewright.run.asking import option_list

    if machine.listed is not None and machine.listed[0] is frame:
        return True
    who, node = frame["who"], machine.world.graph["nodes"][frame["node"]]
    if any(True for _ in actions_of(machine, who, node["groups"])):
        return True
    return bool(option_list(machine, node["options"], {**machine.variables(), "actor": who}, who))


def begin(machine: Machine, path: str, variables: Variables, **extra: Any) -> None:
    """Start an action or reaction."""
    machine.state.stack.append({"f": "action", "unit": f"action {path}", "action": path, "stage": 0, "vars": variables, **extra})


def step(machine: Machine, frame: Frame) -> Any:
    """The next thing of an action: a choice, the costs, the deed itself, the end."""
    from rulewright.run import events
    from rulewright.run.asking import choose

    action = machine.world.graph["actions"][frame["action"]]
    stage, machine.here = frame["stage"], None
    frame["stage"] += 1
    variables = frame["vars"]
    if stage < len(action["choices"]):
        choose(machine, machine.world.graph["nodes"][action["choices"][stage]], variables, [frame["action"], stage])
    elif stage == len(action["choices"]):
        if action["once_per"] is not None:
            machine.state.once = [*machine.state.once, once_key(frame["action"], variables)]
        push_costs(machine, costs_of(machine, action, variables), variables["actor"], variables)
    elif stage == len(action["choices"]) + 1:
        run = {"deed": frame["action"], "self": variables.get("self"), "actor": variables["actor"], "unit": f"action {frame['action']}"}
        run |= {"entry": action["entry"], "vars": dict(variables)}
        events.begin(machine, "action", None, [variables["actor"], frame["action"]], run=run)
    else:
        machine.state.stack.pop()
    return None
