"""Sampling: what chance gives where it is scripted, or asked of a person. A face of a die, one of several components, an order.

Where a person answers (`chance="ask"`), a request becomes a question with weighted answers: things that make no difference are one answer, with as many weights
as there are things, so that a tree of chances can be enumerated exactly. A shuffle is not answered when it happens but when something shows how it came
out. Until then the state has a loose group: components that were shuffled together, of which nobody has said where each lies. What is put on top of them or
below stays there, whatever is answered; and what leaves a place without being asked for by its position is no riddle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.core.chance import Doubt
from rulewright.game.decisions import Name, name_of
from rulewright.game.references import spoken_of
from rulewright.game.views import place_identity
from rulewright.step.machine import Machine
from rulewright.step.record import label_values
from rulewright.step.state import Value

Weighted = list[tuple[Any, int]]


class Sampling:
    """Answers given beforehand, one after another; with `ask` a person gives them as they come up. What is left open the seed answers.

    Answers may be kept for what asks (`named`): a die, a place, or an effect in which chance is asked. They go before those that anything may ask for.
    """

    __slots__ = ("answers", "ask", "given", "named")

    def __init__(self, given: Sequence[object] = (), ask: bool = False) -> None:
        self.given = tuple(given)
        self.answers: tuple[object, ...] = tuple(given)
        self.named: dict[str, tuple[object, ...]] = {}
        self.ask = ask

    def copy(self) -> Sampling:
        """One that goes on from here by itself."""
        made = Sampling(self.given, self.ask)
        made.answers, made.named = self.answers, self.named
        return made

    def keep(self, name: str, answers: Sequence[object]) -> None:
        """More answers for what has that name."""
        self.named = {**self.named, name: (*self.named.get(name, ()), *answers)}

    def left(self) -> tuple[object, ...]:
        """Answers that nothing has asked for yet."""
        return (*self.answers, *(answer for answers in self.named.values() for answer in answers))

    def _scripted(self, machine: Machine, asking: Sequence[str]) -> Any:
        """The next answer of the script for what is asked; None if it has nothing more to say."""
        if self.named and (name := next((name for name in (*asking, *_effects(machine)) if name in self.named), None)) is not None:
            answer, *rest = self.named[name]
            self.named = {key: answers for key, answers in self.named.items() if key != name} | ({name: tuple(rest)} if rest else {})
            return answer
        if not self.answers:
            return None
        answer, self.answers = self.answers[0], self.answers[1:]
        return answer

    def _answer(self, machine: Machine, what: Doubt, weighted: Weighted, asking: Sequence[str] = ()) -> Any:
        """What chance has been told to give: by a person, or by the script; None if the seed is to answer."""
        state = machine.state
        if state.answers:
            answer, *rest = state.answers
            state.answers = tuple(rest)
            return answer
        if self.ask and len(weighted) > 1:
            raise chance.Needed(what, [list(each) for each in weighted])
        return self._scripted(machine, asking)

    def _asks(self, machine: Machine) -> bool:
        """Whether a person may have to be asked."""
        return self.ask and not machine.state.answers

    # -- what instructions ask for

    def face(self, machine: Machine, die: str, faces: Sequence[Value]) -> Value:
        """A face of a die."""
        named = [face if face < c.WORDS else machine.linked.spelled[face - c.WORDS] for face in faces]
        answer = self._answer(machine, Doubt("What does {die} show?", die=die), list(Counter(named).items()), [die])
        if answer is None:
            return faces[machine.below(len(faces))]
        if answer not in named:
            shown = machine.linked.wording.die(die)
            machine.fail(
                f"chance was told that '{shown}' shows '{_said(answer)}', which is none of its faces: {_said([*dict.fromkeys(named)])}", answer
            )
        return faces[named.index(answer)]

    def pick(self, machine: Machine, what: Doubt, things: Sequence[Value]) -> Value:
        """One of several components."""
        weighted = [(name, len(members)) for name, members in sorts_of(machine, sorted(things))] if self._asks(machine) else []
        answer = self._answer(machine, what, weighted, _place(machine, things))
        if answer is None:
            return things[machine.below(len(things))]
        named = [(words, number) for number, thing in enumerate(things) for words, name in enumerate(names_of(machine, thing)) if name == answer]
        if not named:
            machine.fail(f"chance was told to give '{_said(answer)}', which is not among {', '.join(_like(machine, answer, things))}", answer)
        return things[min(named)[1]]  # its own name goes before the one it shares

    def option(self, machine: Machine, question: int, values: Sequence[Value]) -> Value:
        """One of the answers to a question, of which chance is asked."""
        asked, definitions = machine.program.questions[question], machine.world.definitions
        named: list[Name] = [name_of(machine.linked.wording, asked, value, None, label_values(machine, asked, value)) for value in values]
        things = [value for value in values if asked.values in ("things", "places") and value < machine.world.count]
        sorts = sorts_of(machine, sorted(things)) if self._asks(machine) else []
        weighted: Weighted = [(name, len(members)) for name, members in sorts]
        weighted += Counter(identity for value, (identity, _) in zip(values, named, strict=True) if value not in things).items()
        about = _about(machine, asked) if self._asks(machine) else None
        doubt = Doubt("What does chance choose?") if about is None else Doubt("What does chance choose for {thing}?", thing=about)
        answer = self._answer(machine, doubt, weighted)
        if answer is None:
            return values[machine.below(len(values))]
        sharing = [definitions[value] if value in things else identity for value, (identity, _) in zip(values, named, strict=True)]
        words = next((each for each in (*map(list, zip(*named, strict=True)), sharing) if str(answer) in each), None)
        if words is None:
            machine.fail(f"chance was told to give '{answer}', which is not among {', '.join(dict.fromkeys(sharing))}", answer)
        return values[words.index(str(answer))]

    def order(self, machine: Machine, things: Sequence[Value]) -> list[int]:
        """An order for a shuffle; a script gives the names from the top down, a person is asked when it shows."""
        answer = self._scripted(machine, _place(machine, things)) if things and not self.ask else None
        machine.state.random, order = chance.permutation(machine.state.random, len(things))
        if self.ask:
            _loosen(machine, things)
        if answer is None:
            return order
        if not isinstance(answer, str | list):
            machine.fail(f"chance was told '{answer}', but a shuffle asks for what comes on top: {', '.join(_like(machine, answer, things))}", answer)
        wanted = [answer] if isinstance(answer, str) else answer
        first: list[int] = []
        for name in wanted:
            found = next((number for number in order if number not in first and name in names_of(machine, things[number])), None)
            if found is None:
                there = ", ".join(_like(machine, name, things))
                machine.fail(f"chance was told to put '{name}' on top, which is not there; there are {there}", answer)
            first.append(found)
        return [number for number in order if number not in first] + first[::-1]

    def settle(self, machine: Machine, there: Value, among: Sequence[Value], what: Doubt) -> Value:
        """What lies where a component seems to lie, of those that come into question: chance says it, and then it is so."""
        state = machine.state
        group = next((group for group in state.loose if there in group), None)
        if group is None:
            return there
        place = state.where[there]
        chosen = self.pick(machine, what, [each for each in among if each in group and state.where[each] == place])
        if chosen != there:
            swapped = {there: chosen, chosen: there}
            state.members[place] = tuple([swapped.get(each, each) for each in state.members[place]])
        state.loose = _grouped([[other for other in each if other != chosen] for each in state.loose])
        state.version += 1
        return chosen

    def laid_out(self, machine: Machine, found: Sequence[Value], wanted: int, from_top: bool) -> tuple[Value, ...]:
        """Things of which some are loose: whoever knows is asked which ones come first, as many as are looked at."""
        things = list(found)
        for number in range(min(wanted, len(things))):
            index = -1 - number if from_top else number
            there = things[index]
            if not is_loose(machine, there):
                continue
            what = Doubt("What is on top of {place}?" if from_top else "What is at the bottom of {place}?", machine.state.where[there])
            chosen = self.settle(machine, there, [each for each in things if is_loose(machine, each)], what)
            other = things.index(chosen)
            things[index], things[other] = chosen, there
        return tuple(things)


# -- names and sorts


def _effects(machine: Machine) -> list[str]:
    """The effects, steps and phases that are going on, the innermost first."""
    units = machine.linked.unit_at
    return [units[frame.at].removeprefix("event ") for frame in reversed(machine.state.frames)]


def _about(machine: Machine, question: c.Question) -> int | None:
    """What a question is about: the innermost component that the rules have a name for there, if all players know what it is."""
    frame, node = machine.state.frames[-1], machine.world.graph["nodes"].get(question.node, {})
    known = machine.program.units[machine.linked.unit_at[frame.at]].locals
    for name, slot in sorted(question.names.items(), key=lambda each: -each[1]):
        value = frame.names[slot] if slot < min(len(frame.names), len(known)) else None
        if (
            name == node.get("name")
            or type(value) is not int
            or (known[slot].shape, known[slot].sort) != ("one", "kind")
            or value >= machine.world.count
        ):
            continue
        if all(machine.knows(player, value) for player in range(machine.world.players)):
            return value
    return None


def _place(machine: Machine, things: Sequence[int]) -> list[str]:
    """What the place of some components is called, if they lie in one."""
    places = {machine.state.where[thing] for thing in things if thing < machine.world.count}
    if len(places) != 1 or (place := places.pop()) is None:
        return []
    full = place_identity(machine.world, place)
    return [full, full.rpartition(".")[2]]


def _said(answer: object) -> str:
    return ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def _like(machine: Machine, answer: object, things: Sequence[int]) -> list[str]:
    """What could have been answered: the copies of what was, else one name a sort."""
    world, sort = machine.world, str(answer).rpartition(".")[0]
    alike = [world.identities[each] for each in things if world.definitions[each] == sort]
    return sorted(alike, key=lambda name: (len(name), name)) or sorted({world.definitions[each] for each in things})


def names_of(machine: Machine, thing: int) -> tuple[str, str, str]:
    """What an answer may call a component."""
    world = machine.world
    return world.identities[thing], world.definitions[thing], world.labels[thing]


def sorts_of(machine: Machine, things: Sequence[int]) -> list[tuple[str, list[int]]]:
    """Components that chance may give, those together that make no difference, each sort with a name for it.

    Copies make a difference if their fields, or what lies in them, differ, or if the state speaks of one of them. A sort has the name of its components; where several
    sorts have the same, that of its first component.
    """
    world, alike = machine.world, dict[Any, list[int]]()
    special = spoken_of(machine) if len(set(map(machine.likeness, things))) < len(things) else set()
    for thing in things:
        alike.setdefault(thing if thing in special else machine.likeness(thing), []).append(thing)
    names = [world.definitions[members[0]] for members in alike.values()]
    times = Counter(names)
    return [(name if times[name] == 1 else world.identities[members[0]], members) for name, members in zip(names, alike.values(), strict=True)]


# -- loose groups


def is_loose(machine: Machine, component: Value) -> bool:
    """Whether nobody has said yet where a component lies."""
    return any(component in group for group in machine.state.loose)


def _loosen(machine: Machine, shuffled: Sequence[int]) -> None:
    """Some components have been shuffled together, and a person will say how that came out."""
    rest = [[each for each in group if each not in shuffled] for group in machine.state.loose]
    machine.state.loose = _grouped([*rest, list(shuffled)])


def _grouped(groups: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(group) for group in groups if len(group) > 1])
