"""Asking: choices of players and of chance, and what may be chosen.

A choice is a frame; what may be chosen is worked out from it whenever somebody asks. Choices of several things are made one by one. An option that is
listed can always be taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rulewright.core import chance
from rulewright.run import acting
from rulewright.run.decision import Option as Shown
from rulewright.run.evaluate import Variables, evaluate, many, truth
from rulewright.run.machine import Machine
from rulewright.run.sampling import is_loose, random_option, settle
from rulewright.run.state import Frame
from rulewright.run.visibility import Eyes, back_in_words, back_of, place_identity

Node = dict[str, Any]
WAITING = "waiting"
DONE = "done"
NONE = "none"
SEVERAL = ("up_to", "exactly", "any_number")


class Option(NamedTuple):
    """One thing that may be chosen: a stable id, words for people, the value it stands for, and how callers are shown it if that is known already."""

    id: str
    label: str
    value: Any
    face: Shown | None = None


Question = tuple[int, str, str, list[Option]]  # what somebody is asked: who, what kind of question, in what words, and what may be chosen


# -- choosing


def choose(machine: Machine, node: Node, variables: Variables, plan: list[Any] | None = None) -> None:
    """Start a choice; `plan` if it is one of the choices of an action: its name and how many come before."""
    frame: Frame = {"f": "choose", "node": machine.world.node_id(node), "picked": [], "waiting": None, "answers": None, "plan": plan}
    if node["each"] is not None:
        players = many(evaluate(machine, node["each"]["query"], variables))
        frame["waiting"], frame["answers"] = list(players), {}
    machine.state.stack.append(frame)


def step(machine: Machine, frame: Frame) -> Any:
    """Go on with a choice: nobody to ask, chance to ask, or somebody."""
    node = machine.world.graph["nodes"][frame["node"]]
    if frame["waiting"] is not None and not frame["waiting"]:
        answers = frame["answers"]
        machine.state.stack.pop()
        machine.variables()[node["name"]] = answers
        return None
    if "felt" in frame:
        _tell_felt(machine, frame, node)
        return None
    who = chooser(machine, frame, node)
    options = choosable(machine, frame, node, who)
    if who == "chance":
        several = node["form"] in SEVERAL
        found = [option for option in options if option.value is not None]
        if not found or (several and len(frame["picked"]) >= limit_of(machine, node, scope(machine, frame, node))):
            complete(machine, frame, node)
            return None
        picked = random_option(machine, found, node["form"] in ("number", "option", "yes_no"))
        if several:
            frame["picked"].append(picked)
        else:
            finish(machine, frame, node, picked)
        return None
    if not machine.is_asked(who) or all(option.value is None for option in options):
        complete(machine, frame, node)
        return None
    machine.listed = (frame, options, who)
    return WAITING


def chooser(machine: Machine, frame: Frame, node: Node) -> Any:
    """Who chooses: a player's number, 'chance', or nobody."""
    if frame["waiting"] is not None:
        return machine.decider(frame["waiting"][0])
    found = evaluate(machine, node["who"], machine.variables()) if node["who"] is not None else None
    return found if found == "chance" else machine.decider(found)


def scope(machine: Machine, frame: Frame, node: Node) -> Variables:
    variables = machine.variables()
    return {**variables, node["each"]["name"]: frame["waiting"][0], "it": frame["waiting"][0]} if frame["waiting"] else variables


def limit_of(machine: Machine, node: Node, variables: Variables) -> int:
    """How many things may be chosen."""
    amount = evaluate(machine, node["amount"], variables) if node["amount"] is not None else 10**6
    return max(amount or 0, 0)


def choosable(machine: Machine, frame: Frame, node: Node, who: Any) -> list[Option]:
    """Everything that may be chosen now, by whom `chooser` names."""
    variables = scope(machine, frame, node)
    form = node["form"]
    if form in ("option", "yes_no"):
        return option_list(machine, node["options"], variables, payer(machine, node, variables), node["optional"])
    if form == "number":
        low, high = evaluate(machine, node["low"], variables) or 0, evaluate(machine, node["high"], variables) or 0
        if high - low >= machine.budget.options:
            machine.fail(f"a choice among {high - low + 1:,} numbers")
        options = [Option(str(value), str(value), value) for value in range(low, high + 1)]
    else:
        options = things(machine, frame, node, variables, who)
    if form in SEVERAL:
        if form != "any_number" and len(frame["picked"]) >= limit_of(machine, node, variables):
            return []
        if form != "exactly":
            options.append(Option(DONE, "Done", None))
        elif node["optional"] and not frame["picked"]:
            options.append(Option(NONE, "None", None))
    elif node["optional"]:
        options.append(Option(NONE, "None", None))
    if frame["plan"] is not None:
        options = [option for option in options if acting.leads_on(machine, frame, node, variables, option.value)]
    return options


def things(machine: Machine, frame: Frame, node: Node, variables: Variables, who: Any) -> list[Option]:
    """Components, places or words as options; what the chooser cannot tell apart has no name, unless the rules name it themselves."""
    found = [each for each in many(evaluate(machine, node["from"], variables)) if each not in frame["picked"]]
    if len(found) > machine.budget.options:
        machine.fail(f"a choice among {len(found):,} options")
    eyes = Eyes(machine, who if type(who) is int else None)
    if node["as"] not in ("kind", "any"):
        return [named(machine, eyes, each, node["as"]) for each in found]
    written = [part["op"] == "component" for part in node["from"]["parts"]] if node["from"]["op"] == "list" else [False] * len(found)
    veiled_ones = iter(veiled(machine, eyes, [each for each, by_name in zip(found, written, strict=True) if not by_name]))
    return [option_of(machine, each) if by_name else named(machine, eyes, next(veiled_ones)) for each, by_name in zip(found, written, strict=True)]


def names_all(node: Node) -> bool:
    """Whether the rules themselves name all that may be chosen: what is chosen is a word then, and tells nothing of where it lies."""
    return node["form"] == "value" and node["from"]["op"] == "list" and all(part["op"] == "component" for part in node["from"]["parts"])


def veiled(machine: Machine, eyes: Eyes, things: list[Any]) -> list[Any]:
    """Things in their order, but those that somebody cannot tell by where they lie: any other order would say something about them."""
    hidden = [each for each in things if type(each) is int and each < machine.world.count and eyes.player is not None and not eyes.knows(each)]
    if len(hidden) < 2:
        return things
    among = set(hidden)
    lying = iter(sorted(hidden, key=lambda each: (*lying_at(machine, eyes, machine.state.where[each]), position(machine, eyes, each))))
    return [next(lying) if each in among else each for each in things]


def lying_at(machine: Machine, eyes: Eyes, place: int) -> tuple[int, ...]:
    """Where a place comes in an order that somebody can see: one that belongs to a component they cannot tell, where that component lies."""
    holder = machine.world.holders[place]
    if holder is None or eyes.knows(holder):
        return (place,)
    parts = machine.world.places_of[holder]
    return (*lying_at(machine, eyes, machine.state.where[holder]), position(machine, eyes, holder), parts.index(place))


def position(machine: Machine, eyes: Eyes, component: int) -> int:
    """Which of the things in its place a component is as somebody sees them, from 1. A bag has no order that anybody could see: there it is another one after
    every roll."""
    place = machine.state.where[component]
    index = eyes.lying_in(place).index(component)
    if machine.world.place_spec(place)["shape"] == "bag":
        index = chance.permutation(machine.state.random, len(machine.state.members[place]))[1].index(index)
    return index + 1


def named(machine: Machine, eyes: Eyes, thing: Any, how: str = "kind") -> Option:
    """A thing as an option; `how` says what sort of thing it is, since numbers stand for components too."""
    if type(thing) is not int or how in ("number", "words", "flag"):
        return Option(str(thing), str(thing).replace("_", " "), thing)
    if thing < machine.world.count and eyes.player is not None and not eyes.knows(thing):
        place, number = machine.state.where[thing], position(machine, eyes, thing)
        back = back_in_words(machine, thing, back_of(machine, thing)) if machine.world.backs[thing] else ""
        return Option(f"{eyes.name_of(place) or 'something'}#{number}", f"no. {number} in {eyes.words_for(place)}{back}", thing)
    return option_of(machine, thing)


def option_of(machine: Machine, thing: int) -> Option:
    """A component or place as an option for who can tell it."""
    known: Option | None = machine.world.named.get(thing)
    if known is None:
        identity, label = place_identity(machine, thing), machine.label(thing)
        known = machine.world.named[thing] = Option(identity, label, thing, Shown(identity, label))
    return known


def payer(machine: Machine, node: Node, variables: Variables) -> Any:
    """Who pays for an option: the actor; where there is none, the one who chooses."""
    who = node["who"]
    return variables["actor"] if "actor" in variables else evaluate(machine, who["of"] if who["op"] == "decider" else who, variables)


def option_list(machine: Machine, options: list[Any], variables: Variables, who: Any, optional: bool = False) -> list[Option]:
    """Options in words, as far as their conditions hold and their costs can be paid."""
    known = machine.world.words.get(id(options))
    found = [] if known is None else known(machine, variables, who)
    for number, option in enumerate(options if known is None else ()):
        if truth(machine, option["when"], variables) and acting.payable(machine, option["costs"], who, variables):
            label = evaluate(machine, option["label"], variables)
            found.append(Option(label.lower().replace(" ", "_"), label, number))
    if optional:
        found.append(Option(NONE, "None of these", None))
    return found


def complete(machine: Machine, frame: Frame, node: Node) -> None:
    """A choice that nobody can make, or that is complete."""
    finish(machine, frame, node, frame["picked"][:] if node["form"] in SEVERAL else None)


def answer(machine: Machine, frame: Frame, option: Option) -> None:
    """Take an option of a choice. What was chosen by where it lies, out of what a person has shuffled, that person has to tell first."""
    node = machine.world.graph["nodes"][frame["node"]]
    if machine.state.loose and node["as"] in ("kind", "any") and is_loose(machine, option.value):
        who = chooser(machine, frame, node)
        if type(who) is int and not Eyes(machine, who).knows(option.value):
            frame["felt"] = option.value
            return
    _take(machine, frame, node, option.value)


def _tell_felt(machine: Machine, frame: Frame, node: Node) -> None:
    """Chance says what it is that was chosen by where it lies."""
    state, felt = machine.state, frame["felt"]
    number = position(machine, Eyes(machine, chooser(machine, frame, node)), felt)
    found = settle(machine, felt, state.members[state.where[felt]], f"What is no. {number} in {machine.label(state.where[felt])}?")
    del frame["felt"]
    _take(machine, frame, node, found)


def _take(machine: Machine, frame: Frame, node: Node, value: Any) -> None:
    if node["form"] in SEVERAL:
        if value is not None:
            frame["picked"].append(value)
        if value is None or len(frame["picked"]) >= limit_of(machine, node, scope(machine, frame, node)):
            complete(machine, frame, node)
        return
    finish(machine, frame, node, value)


def finish(machine: Machine, frame: Frame, node: Node, value: Any) -> None:
    """Give the result of a choice to whoever asked."""
    if frame["waiting"] is not None:
        frame["answers"][str(frame["waiting"].pop(0))] = value
        frame["picked"] = []
        return
    machine.state.stack.pop()
    variables = machine.variables()
    if node["form"] in ("option", "yes_no"):
        if value is not None:
            take_option(machine, node["options"][value], variables, payer(machine, node, variables))
    elif node["name"] is not None:
        variables[node["name"]] = value


def take_option(machine: Machine, option: dict[str, Any], variables: Variables, who: Any) -> None:
    """Carry out an option: its costs, then its body."""
    if option["body"] is not None:
        machine.state.stack.append({"f": "block", "node": option["body"]})
    if option["costs"]:
        acting.push_costs(machine, option["costs"], who, variables)
