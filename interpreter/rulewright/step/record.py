"""The log entry of a choice: numbers only, from which `game.log_text` makes words for whoever reads them.

`hidden` is where the chosen thing lay, if the player could not tell what it was: its position, its place as the player could tell it, and what could be read on
it. `label` and `prompt` are the values in the words of the option and of the question; no prompt where the choice alone says it.
"""

from __future__ import annotations

from rulewright.core import program as c
from rulewright.step.closures import NAMING, code, flat
from rulewright.step.machine import Machine
from rulewright.step.state import Value
from rulewright.step.wording import Wording

Hidden = tuple[int, tuple[int, ...], tuple[Value, ...], int]  # a position, a place, what can be read, and the component, which nobody is told
ALWAYS_TOLD = ("order", "replacement", "reaction")  # kinds of questions that an answer does not say


def record(machine: Machine, value: Value, again: int = 0) -> None:
    """Write the answer that is about to be taken to the log: of several that are the same, the one with so many before it."""
    assert machine.asked is not None
    player, number = machine.asked[0], asked_question(machine)
    question = machine.program.questions[number]
    names = machine.state.frames[-1].names
    label = label_values(machine, question, value)
    told = question.worded or value is None or question.kind in ALWAYS_TOLD
    prompt = text_values(machine, question.prompt, names) if told else None
    picking = question.secret and question.picked is not None and bool(names[question.picked])
    silent = picking or question.together is not None or (question.kind == "reaction" and value is None)
    public = (
        not silent
        and not question.secret
        and all(machine.seers_of(each) == machine.world.everyone for each in _spoken_of(machine, question, value, label))
    )
    machine.write("choice", player, number, value, hidden_at(machine, player, question, value, again), label, prompt, 1 << player, public, silent)


def asked_question(machine: Machine) -> int:
    """The number of the question at which the game stands."""
    node = machine.linked.code[machine.state.frames[-1].at]
    assert isinstance(node, c.Ask)
    return node.question


def is_worded(question: c.Question, value: Value) -> bool:
    """Whether an answer is an option in words."""
    return value is not None and (question.values == "options" or (question.values == "actions" and value < 0))


def option_number(question: c.Question, value: int) -> int:
    """Which of the options in words an answer is."""
    return value if question.values == "options" else -1 - value


def component_of(machine: Machine | Wording, question: c.Question, value: Value) -> int | None:
    """The component that an answer names: itself, what grants the action, or what the rule is written on."""
    if value is None:
        return None
    stride = machine.linked.stride
    found = value
    if question.values == "actions":
        found = value % stride - 1 if value >= 0 else -1
    elif question.values == "rules":
        found = value % stride - 2 if value >= 0 else -1
    elif question.values not in ("things", "places"):
        return None
    return found if 0 <= found < machine.world.count else None


def hidden_at(machine: Machine, player: int, question: c.Question, value: Value, again: int = 0) -> Hidden | None:
    """Where the thing that an answer names lies, if the player cannot tell what it is; what the rules name themselves has its name, also where another answer is the
    same thing (so many times it comes before): that it is must not be told."""
    component = component_of(machine, question, value)
    if component is None or machine.knows(player, component) or is_written(machine, question, value, again):
        return None
    place = seen_place(machine, player, machine.state.where[component])
    return machine.position(player, component), place, tuple([read for _, read in machine.back_of(component)]), component


def seen_place(machine: Machine, player: Value, place: int) -> tuple[int, ...]:
    """A place as somebody can tell it: one that belongs to a component they cannot tell by the position of that, and where it lies; empty if that is in a bag."""
    holder = machine.world.holders[place]
    if holder is None or machine.knows(player, holder):
        return (place,)
    around = machine.state.where[holder]
    if around in machine.world.bags:
        return ()
    return place, machine.lying_in(player, around).index(holder) + 1, *seen_place(machine, player, around)


def is_written(machine: Machine, question: c.Question, value: Value, again: int) -> bool:
    """Whether the rules themselves name something that may be chosen."""
    if not any(question.written) or machine.asked is None:
        return False
    values = [each for each in machine.asked[1] if each is not None]
    places = [number for number, each in enumerate(values) if each == value]
    return len(values) == len(question.written) and question.written[places[again]]


def label_values(machine: Machine, question: c.Question, value: Value) -> tuple[Value, ...] | None:
    """The values in the words of an option; of a rule that holds for a time, the number of the hook that it is."""
    if is_worded(question, value):
        return text_values(machine, question.labels[option_number(question, value)], machine.state.frames[-1].names)
    held = machine.held(value) if question.values == "rules" and value is not None and value < 0 else None
    return None if held is None else (machine.linked.hook_numbers[held.hook],)


def text_values(machine: Machine, text: c.Text, names: list[Value]) -> tuple[Value, ...]:
    """The values in a text."""
    return tuple([code(machine.linked, part.of)(machine, names) for part in text.parts if type(part) is not str])  # type: ignore[union-attr]


def _spoken_of(machine: Machine, question: c.Question, value: Value, label: tuple[Value, ...] | None) -> list[int]:
    """The components that the log would name: not those that the rules name themselves, nor what grants an action."""
    count = machine.world.count
    if label is not None and question.values == "options":
        shown = [part.how for part in question.labels[value].parts if type(part) is not str]  # type: ignore[union-attr]
        found = [each for each, how in zip(label, shown, strict=True) if how in NAMING]
        return [one for each in found for one in flat(each) if 0 <= one < count]
    if question.values in ("things", "rules") and not (question.written and all(question.written)):
        component = component_of(machine, question, value)
        return [] if component is None else [component]
    return []
