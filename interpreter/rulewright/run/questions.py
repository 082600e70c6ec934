"""Questions: what the frame on top of the stack asks, of whom, and what happens with the answer."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from rulewright.run import acting, asking, events
from rulewright.run.asking import Option, Question
from rulewright.run.decision import Option as Shown
from rulewright.run.evaluate import evaluate
from rulewright.run.hooks import component_of, hook_of, instances
from rulewright.run.logbook import innermost_sort
from rulewright.run.machine import Machine
from rulewright.run.rehearsing import sparing
from rulewright.run.state import Frame
from rulewright.run.visibility import Eyes

NO = "no"


def question(machine: Machine) -> Question | None:
    """What somebody is asked at this moment; None if the game is over."""
    stack, listed = machine.state.stack, machine.listed
    if not stack:
        return None
    top = stack[-1]
    if listed is not None and listed[0] is top and len(listed) >= 4:
        if len(listed) == 6:  # components that stand for options
            named = listed[4].named if type(top) is tuple else ()
            return listed[2], listed[4].kind, listed[3], sparing(machine, [named[each] if type(each) is int else each for each in listed[1]])
        if type(top) is tuple:
            return listed[2], "choose", listed[3] or _words(machine, top), sparing(machine, listed[1])
        return listed[2], "action", listed[3], _distinct(sparing(machine, listed[1]))
    frame = machine.state.top()
    if frame["f"] not in ASKED:
        return None
    player, kind, prompt, options = ASKED[frame["f"]](machine, frame)
    return player, kind, prompt, _distinct(sparing(machine, options))


def _words(machine: Machine, top: Any) -> str:
    """What a choice is called that was left behind as a tuple."""
    node = machine.world.graph["nodes"][top[4]]
    if node["prompt"] is not None:
        found: str = evaluate(machine, node["prompt"], machine.variables())
        return found
    return _prompt(machine, {"plan": top[5]}, node)


def _distinct(options: list[Option]) -> list[Option]:
    """Options that have the same id get numbers behind it."""
    if len({option.id for option in options}) == len(options):
        return options
    taken = set()
    made = []
    for option in options:
        free = itertools.chain([option.id], (f"{option.id}~{number}" for number in itertools.count(2)))
        made.append(Option(next(each for each in free if each not in taken), option.label, option.value))
        taken.add(made[-1].id)
    return made


def _choice(machine: Machine, frame: Frame) -> Question:
    node = machine.world.graph["nodes"][frame["node"]]
    prompt = evaluate(machine, node["prompt"], asking.scope(machine, frame, node)) if node["prompt"] is not None else _prompt(machine, frame, node)
    listed = machine.listed
    if listed is not None and listed[0] is machine.state.stack[-1]:
        return listed[2], "choose", prompt, listed[1]
    who = asking.chooser(machine, frame, node)
    return who, "choose", prompt, asking.choosable(machine, frame, node, who)


def _prompt(machine: Machine, frame: Frame, node: dict[str, Any]) -> str:
    """Words for a choice that has none of its own."""
    if node["form"] in ("option", "yes_no"):
        return "Choose one"
    what = (node["name"] or "one").replace("_", " ")
    if frame["plan"] is None:
        return f"Choose {what}"
    return f"Choose {what} ({machine.world.graph['actions'][frame['plan'][0]]['label']})"


def _offer(machine: Machine, frame: Frame) -> Question:
    return frame["player"], "action", f"{machine.label(frame['who'])}: choose an action", offered(machine, frame)


def offered(machine: Machine, frame: Frame) -> list[Option]:
    """The actions and options of an offer."""
    node = machine.world.graph["nodes"][frame["node"]]
    found = []
    eyes, listed = Eyes(machine, frame["player"]), machine.listed
    actions = listed[1] if listed is not None and listed[0] is machine.state.stack[-1] else acting.actions_of(machine, frame["who"], node["groups"])
    for path, grants in itertools.groupby(actions, key=lambda each: each[0]):
        action = machine.world.graph["actions"][path]
        for granter in asking.veiled(machine, eyes, [granter for _, granter in grants]):
            if granter is None:
                found.append(Option(path, action["label"], ("action", path, None)))
                continue
            by = asking.named(machine, eyes, granter)
            several = len(machine.world.by_noun[action["of"]]) > 1
            found.append(Option(f"{path}@{by.id}" if several else path, f"{action['label']}: {by.label}", ("action", path, granter)))
    variables = {**machine.variables(), "actor": frame["who"]}
    words = asking.option_list(machine, node["options"], variables, frame["who"])
    return found + [Option(each.id, each.label, ("option", each.value)) for each in words]


def _order(machine: Machine, frame: Frame) -> Question:
    eyes = Eyes(machine, frame["chooser"])
    options = [asking.named(machine, eyes, each) for each in asking.veiled(machine, eyes, frame["items"][: frame["ties"][0]])]
    return frame["chooser"], "order", f"Which {frame['name'].replace('_', ' ')} next?", options


def _event(machine: Machine, frame: Frame) -> Question:
    if frame["stage"] == "instead":
        player = events.affected(machine, frame) or 0
        options = [_replacement(machine, Eyes(machine, player), key) for key, _, _ in events.replacements(machine, frame)]
        return player, "replacement", f"Several rules change '{frame['effect'].replace('_', ' ')}': which one first?", options
    key, hook, variables = _reaction(machine, frame)
    action = machine.world.graph["actions"][hook["action"]]
    options = [Option(hook["action"], action["label"], key), Option(NO, "No", None)]
    return evaluate(machine, hook["by"], variables), "reaction", f"{action['label']}?", options


def _replacement(machine: Machine, eyes: Eyes, key: str) -> Option:
    """A rule as an option: by the component it is written on, by its name, or by where it is written."""
    hook, component = machine.world.graph["hooks"][hook_of(key)], component_of(key)
    if component is not None:
        by = asking.named(machine, eyes, component)
        return Option(by.id, by.label, key)
    if "/" not in hook_of(key):
        return Option(hook_of(key), hook_of(key).replace("_", " "), key)
    return Option(hook_of(key), f"the rule in {hook['span'][0].rpartition('/')[2]}, line {hook['span'][1]}", key)


def _reaction(machine: Machine, frame: Frame) -> Any:
    key = frame["queue"][0]
    return next(each for each in instances(machine, frame["effect"], ("before", "react"), frame["arguments"], frame["of"]) if each[0] == key)


def _chance(machine: Machine, frame: Frame) -> Question:
    total = sum(weight for _, weight in frame["options"])
    options = []
    for answer, weight in frame["options"]:
        shown = Shown(str(answer), _words_for(machine, answer), Fraction(weight, total))
        options.append(Option(shown.id, shown.label, answer, shown))
    return -1, "chance", frame["what"], options


def _words_for(machine: Machine, answer: Any) -> str:
    """An answer of chance in words; one of several copies by the fields in which they differ."""
    name, _, copy = str(answer).rpartition(".")
    world, values = machine.world, machine.state.values
    copies = world.by_noun.get(name, []) if copy.isdecimal() else []
    thing = next((each for each in copies if world.identities[each] == answer), None)
    if thing is None:
        return str(answer).replace("_", " ")
    told = []
    for field, slot in world.slots[world.kinds[thing]].items():
        if any(values[world.base[each] + slot] != values[world.base[thing] + slot] for each in copies):
            how = innermost_sort(world.graph["kinds"][world.kinds[thing]]["fields"][field]["type"])
            told.append(f"{field.replace('_', ' ')} {machine.shown(values[world.base[thing] + slot], how)}")
    return f"{machine.label(thing)} ({', '.join(told)})" if told else f"{machine.label(thing)} no. {copy}"


ASKED = {"chance": _chance, "choose": _choice, "offer": _offer, "each": _order, "event": _event}


def take(machine: Machine, option: Option) -> None:
    """Carry out an answer."""
    frame = machine.state.stack[-1]
    match frame["f"]:
        case "chance":
            machine.state.stack.pop()
            machine.state.answers = [*machine.state.answers, option.value]
        case "choose":
            asking.answer(machine, frame, option)
        case "offer":
            machine.state.stack.pop()
            if option.value[0] == "action":
                acting.begin(machine, option.value[1], acting.start_variables(frame["who"], option.value[2]))
            else:
                node = machine.world.graph["nodes"][frame["node"]]
                variables = {**machine.variables(), "actor": frame["who"]}
                asking.take_option(machine, node["options"][option.value[1]], variables, frame["who"])
        case "each":
            frame["next"] = option.value
        case "event" if frame["stage"] == "instead":
            frame["chosen"] = option.value
        case "event":
            key, hook, variables = _reaction(machine, frame)
            frame["queue"].pop(0)
            if option.value is not None:
                acting.begin(machine, hook["action"], events.reaction_variables(machine, hook, variables), reaction=key)
