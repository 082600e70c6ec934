"""Decisions in words: the ids and labels of options, and what is asked.

An answer is a number; with the question it belongs to, and what the log keeps of it (`step.record`), it has a name. So an option is named in the same way when it
is offered and when somebody reads about it later.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from rulewright.core import program as c
from rulewright.decision import Decision, Option
from rulewright.game.views import back_words, place_identity, place_name, place_words
from rulewright.step import record
from rulewright.step.instructions import CHANCE
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.record import asked_question, component_of, hidden_at, label_values, option_number, text_values
from rulewright.step.state import State, Value
from rulewright.step.wording import Wording, innermost

Name = tuple[str, str]  # an id, and words for people
Hidden = record.Hidden | None


def decision(machine: Machine, player: int, values: Sequence[Value], words: Wording | None = None) -> Decision:
    """What a player has to decide, who may answer with some values, in the words of the rules or in others; player -1 is chance."""
    words = words or machine.linked.wording
    if player == CHANCE:
        return _of_chance(machine, words)
    question = machine.program.questions[asked_question(machine)]
    prompt = words.prompt(question, text_values(machine, question.prompt, machine.state.frames[-1].names))
    options = tuple([Option(identity, label) for identity, label in distinct(names(machine, player, question, values, words))])
    return Decision(player + 1, question.kind, prompt, options)


def names(machine: Machine, player: int, question: c.Question, values: Sequence[Value], words: Wording) -> Iterator[Name]:
    """The names of answers, for the player who is asked."""
    for number, value in enumerate(values):
        again = values[:number].count(value) if question.written else 0
        yield name_of(words, question, value, hidden_at(machine, player, question, value, again), label_values(machine, question, value))


def distinct(found: Iterator[Name]) -> Iterator[Name]:
    """Those that have the same id get numbers behind it."""
    taken: set[str] = set()
    for identity, label in found:
        free = itertools.chain([identity], (f"{identity}~{number}" for number in itertools.count(2)))
        own = next(each for each in free if each not in taken)
        taken.add(own)
        yield own, label


def may_be_alike(linked: Linked, number: int) -> bool:
    """Whether two answers to a question could have the same id."""
    known: dict[int, bool] = linked.notes.setdefault("alike", {})
    if number not in known:
        question = linked.program.questions[number]
        known[number] = question.values in ("rules", "words") or (bool(question.labels) and _words_alike(linked, question))
    return known[number]


def _words_alike(linked: Linked, question: c.Question) -> bool:
    """Whether options in words could be called alike, or like nothing, or like an action."""
    taken = [(question.decline[0], True)]  # how an id begins, and whether that is all of it
    for path in linked.actions if question.values == "actions" else ():
        taken += [(path, True), (f"{path}@", False)]
    for text in question.labels:
        begin = text.parts[0] if text.parts and isinstance(text.parts[0], str) else ""
        made = _as_id(begin), _is_constant(text)
        if any(_could_be(made, other) for other in taken):
            return True
        taken.append(made)
    return False


def _could_be(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Whether two ids of which the beginnings are known could be the same."""
    (begin, whole), (start, all_of_it) = one, other
    if whole and all_of_it:
        return begin == start
    return (not whole and start.startswith(begin)) or (not all_of_it and begin.startswith(start))


def _as_id(words: str) -> str:
    return words.lower().replace(" ", "_")


class Constant(dict[Value, Option]):
    """The options of a question that are called the same whenever it is asked, and what is asked; both are made when they are met first."""

    def __init__(self, linked: Linked, question: c.Question) -> None:
        self.machine, self.question = Machine(linked, State()), question
        self.prompt = linked.wording.prompt(question, ())

    def __missing__(self, value: Value) -> Option:
        label = () if record.is_worded(self.question, value) else None
        made = self[value] = Option(*name_of(self.machine.linked.wording, self.question, value, None, label))
        return made

    @property
    def names_things(self) -> bool:
        """Whether the answers name things that somebody may be unable to tell."""
        return self.question.values not in ("options", "reaction", "numbers", "flags")

    def components(self, values: Iterable[Value]) -> list[int]:
        """The components that answers name."""
        found = (component_of(self.machine, self.question, value) for value in values)
        return [each for each in found if each is not None]

    def decision(self, player: int, values: Iterable[Value]) -> Decision:
        """What a player has to decide, from 1."""
        return Decision(player, self.question.kind, self.prompt, tuple([self[value] for value in values]))


def constant(linked: Linked, number: int) -> Constant | None:
    """The options of a question, if their words and what is asked do not depend on the game, but for what the player cannot tell."""
    question = linked.program.questions[number]
    texts = (question.prompt, *question.labels)
    return Constant(linked, question) if not may_be_alike(linked, number) and all(map(_is_constant, texts)) else None


def _is_constant(text: c.Text) -> bool:
    return all(isinstance(part, str) for part in text.parts)


def name_of(words: Wording, question: c.Question, value: Value, hidden: Hidden, label: tuple[Value, ...] | None) -> Name:
    """The name of an answer: `hidden` and `label` are what the log keeps of it. Its id is the same in every language."""
    if value is None:
        identity, told = question.decline
        return identity, words.catalog.plain(told)
    match question.values:
        case "things" | "places":
            return thing(words, value, hidden)
        case "flags":
            return str(bool(value)), words.say("True" if value else "False")
        case "words" if question.sorts:
            word = words.linked.wording.shown(value, "words")
            return word, words.sort(word)
        case "numbers" | "words":
            return _word(words, value)
        case "actions" if value >= 0:
            return _action(words, question, value, hidden)
        case "rules":
            return _rule(words, question, value, hidden, label)
        case "reaction":
            assert question.action is not None
            return question.action, words.action(question.action)
    assert label is not None
    text = question.labels[option_number(question, value)]
    return _as_id(words.linked.wording.spelled(text, label)), words.spelled(text, label)


def thing(words: Wording, value: int, hidden: Hidden = None) -> Name:
    """A component, place or word; what somebody cannot tell is named by where it lies."""
    if value >= c.WORDS:
        return _word(words, value)
    if hidden is not None:
        number, place, back, component = hidden
        where = words.say("no. {number} in {place}", number=number, place=place_words(words, place))
        return f"{place_name(words.world, place) or 'something'}#{number}", f"{where}{back_words(words, component, back)}"
    return place_identity(words.world, value), words.labels[value]


def _word(words: Wording, value: int) -> Name:
    """A word or a number."""
    word, told = words.linked.wording.shown(value, "number"), words.shown(value, "number")
    return word, told.replace("_", " ") if told == word else told


def _action(words: Wording, question: c.Question, value: int, hidden: Hidden) -> Name:
    """An action, with what grants it."""
    world, path = words.world, words.linked.actions[value // words.linked.stride]
    granter = component_of(words, question, value)
    if granter is None:
        return path, words.action(path)
    identity, label = thing(words, granter, hidden)
    several = len(world.by_noun[world.graph["actions"][path]["of"]]) > 1
    return f"{path}@{identity}" if several else path, words.action(path, label)


def _rule(words: Wording, question: c.Question, value: int, hidden: Hidden, label: tuple[Value, ...] | None) -> Name:
    """A rule: by the component it is written on, by its name, or by where it is written."""
    component = component_of(words, question, value)
    if component is not None:
        return thing(words, component, hidden)
    number = value // words.linked.stride if label is None else label[0]
    hook = words.linked.hook_names[number]
    if "/" not in hook:
        return hook, words.hook(hook)
    span = words.world.graph["hooks"][hook]["span"]
    return hook, words.say("the rule in {file}, line {line}", file=span[0].rpartition("/")[2], line=span[1])


def _of_chance(machine: Machine, words: Wording) -> Decision:
    """What a person is to say that chance gives."""
    needed = machine.needed
    assert needed is not None
    total = sum(weight for _, weight in needed.options)  # type: ignore[misc]
    options = tuple([Option(str(answer), _in_words(machine, words, str(answer)), Fraction(weight, total)) for answer, weight in needed.options])  # type: ignore[call-overload]
    what = needed.what
    place = None if what.place is None else words.labels[what.place]
    thing = None if what.thing is None else words.labels[what.thing]
    return Decision(0, "chance", words.say(what.sentence, place=place, die=words.die(what.die), number=what.number, thing=thing), options)


def _in_words(machine: Machine, words: Wording, answer: str) -> str:
    """An answer of chance in words; one of several copies by the fields in which they differ."""
    name, _, copy = answer.rpartition(".")
    world, values = machine.world, machine.state.values
    copies = world.by_noun.get(name, []) if copy.isdecimal() else []
    chosen = next((each for each in copies if world.identities[each] == answer), None)
    if chosen is None:
        single = world.by_noun.get(answer, [])
        return words.labels[single[0]] if single and words.labels is not world.labels else words.word(answer).replace("_", " ")
    told = []
    for field, slot in world.slots[world.kinds[chosen]].items():
        if any(values[world.base[each] + slot] != values[world.base[chosen] + slot] for each in copies):
            how = innermost(world.graph["kinds"][world.kinds[chosen]]["fields"][field]["type"])
            told.append(f"{words.field(chosen, field)} {words.shown(values[world.base[chosen] + slot], how)}")
    label = words.labels[chosen]
    if sum(words.labels[each] == label for each in copies) == 1:
        return label
    return f"{label} ({', '.join(told)})" if told else words.say("{thing} no. {number}", thing=label, number=copy)
