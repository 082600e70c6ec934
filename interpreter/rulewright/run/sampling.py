"""Sampling: what chance gives. A face of a die, one of several components, an order; answered by the seed, by a script or by a person.

Where a person answers (`chance="ask"`), a request becomes a question with weighted answers: things that make no difference are one answer, with as many weights
as there are things, so that a tree of chances can be enumerated exactly. A shuffle is not answered when it happens but when something shows how it came
out. Until then the state has a loose group: components that were shuffled together, of which nobody has said where each lies. What is put on top of them or
below stays there, whatever is answered; and what leaves a place without being asked for by its position is no riddle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.core.chance import Needed
from rulewright.run.machine import Machine
from rulewright.run.state import MEMBERS
from rulewright.run.visibility import identity

Sorts = list[tuple[str, list[int]]]


def asked_answer(machine: Machine, what: str, weighted: list[tuple[Any, int]]) -> Any:
    """What chance has been told to give: by a person, or by a script; None if the seed is to answer."""
    if machine.state.answers:
        answer, *machine.state.answers = machine.state.answers
        return answer
    if machine.script.ask and len(weighted) > 1:
        raise Needed(what, [list(each) for each in weighted])
    return machine.script.next()


def names_of(machine: Machine, thing: int) -> tuple[str, str, str]:
    """What an answer may call a component."""
    return identity(machine, thing), machine.world.definitions[thing], machine.label(thing)


def sorts_of(machine: Machine, things: Sequence[int]) -> Sorts:
    """Components that chance may give, those together that make no difference, each sort with a name for it.

    Copies make a difference if their fields, or what lies in them, differ, or if the state speaks of one of them. A sort has the name of its components; where several
    sorts have the same, that of its first component.
    """
    alike: dict[Any, list[int]] = {}
    special = _spoken_of(machine) if len(set(map(machine.likeness, things))) < len(things) else set()
    for thing in things:
        alike.setdefault(thing if thing in special else machine.likeness(thing), []).append(thing)
    times = Counter(machine.world.definitions[members[0]] for members in alike.values())
    names = [machine.world.definitions[members[0]] for members in alike.values()]
    return [(name if times[name] == 1 else identity(machine, members[0]), members) for name, members in zip(names, alike.values(), strict=True)]


def _spoken_of(machine: Machine) -> set[int]:
    """The components of which a state speaks, or in which something lies."""
    from rulewright.run import references

    state, world = machine.state, machine.world
    found = {holder[key] for holder, key in references.slots(machine) if type(holder[key]) is int} | references.acting(machine)
    return found | {each for each in world.hollow if any(state.members[place] for place in world.places_of[each])}


def random_pick(machine: Machine, what: str, things: Sequence[int]) -> int:
    """One of several components, by chance."""
    weighted = (
        [(name, len(members)) for name, members in sorts_of(machine, sorted(things))] if machine.script.ask and not machine.state.answers else []
    )
    answer = asked_answer(machine, what, weighted)
    if answer is not None:
        for words in range(3):  # its own name goes before the one it shares
            for thing in things:
                if answer == names_of(machine, thing)[words]:
                    return thing
        machine.fail(
            f"chance was told to give '{answer}', which is not among {', '.join(sorted({machine.world.definitions[each] for each in things}))}"
        )
    return things[machine.below(len(things))]


def random_option(machine: Machine, options: Sequence[Any], counted: bool) -> Any:
    """The value of one of several options, by chance; `counted` if the values are numbers or positions, not components."""
    count, names = machine.world.count, machine.world.definitions
    things = [option.value for option in options if not counted and type(option.value) is int and option.value < count]
    sorts = sorts_of(machine, sorted(things)) if machine.script.ask and not machine.state.answers else []
    among = {each for _, members in sorts for each in members}
    weighted = [(name, len(members)) for name, members in sorts]
    weighted += Counter(option.id for option in options if counted or option.value not in among).items()
    answer = asked_answer(machine, "What does chance choose?", weighted)
    if answer is not None:
        sharing = [names[option.value] if option.value in things else option.id for option in options]
        for words in zip(*((option.id, option.label, sort) for option, sort in zip(options, sharing, strict=True)), strict=True):
            if str(answer) in words:
                return options[words.index(str(answer))].value
        machine.fail(f"chance was told to give '{answer}', which is not among {', '.join(dict.fromkeys(sharing))}")
    return options[machine.below(len(options))].value


def random_order(machine: Machine, things: Sequence[int]) -> list[int]:
    """An order for a shuffle; a script gives the names from the top down."""
    answer = machine.script.next() if things and not machine.script.ask else None
    order = machine.shuffled(len(things))
    if answer is None:
        return order
    wanted = [answer] if isinstance(answer, str) else list(answer) if isinstance(answer, list) else []
    first: list[int] = []
    for name in wanted:
        found = next((n for n in order if n not in first and name in names_of(machine, things[n])), None)
        if found is None:
            machine.fail(f"chance was told to put '{name}' on top, which is not there")
        first.append(found)
    return [number for number in order if number not in first] + first[::-1]


def random_face(machine: Machine, die: str, faces: list[Any]) -> Any:
    """A face of a die."""
    answer = asked_answer(machine, f"What does {die} show?", list(Counter(faces).items()))
    if answer is not None:
        if answer not in faces:
            machine.fail(f"chance was told that '{die}' shows '{answer}', which is none of its faces")
        return answer
    return faces[machine.below(len(faces))]


# -- loose groups


def loosen(machine: Machine, shuffled: Sequence[int]) -> None:
    """Some components have been shuffled together, and a person will say how that came out."""
    rest = [[each for each in group if each not in shuffled] for group in machine.state.loose]
    machine.state.loose = [group for group in [*rest, list(shuffled)] if len(group) > 1]


def is_loose(machine: Machine, component: Any) -> bool:
    """Whether nobody has said yet where a component lies."""
    return any(component in group for group in machine.state.loose)


def settle(machine: Machine, there: int, among: Sequence[int], what: str) -> int:
    """What lies where a component seems to lie, of those that come into question: chance says it, and then it is so."""
    state = machine.state
    group = next((group for group in state.loose if there in group), None)
    if group is None:
        return there
    place = state.where[there]
    chosen = random_pick(machine, what, [each for each in among if each in group and state.where[each] == place])
    if chosen != there:
        members = list(state.members[place])
        one, other = members.index(there), members.index(chosen)
        members[one], members[other] = chosen, there
        state.journal.append((MEMBERS, place, state.members[place]))
        state.members[place] = tuple(members)
    state.loose = [each for each in ([other for other in one if other != chosen] for one in state.loose) if len(each) > 1]
    state.version += 1
    return chosen


def laid_out(machine: Machine, found: Sequence[Any], wanted: int, from_top: bool) -> list[Any]:
    """Things of which some are loose: whoever knows is asked which ones come first, as many as are looked at."""
    found = list(found)
    for number in range(min(wanted, len(found)) if machine.carrying_out else 0):
        index = -1 - number if from_top else number
        there = found[index]
        if not is_loose(machine, there):
            continue
        where = f"{'on top of' if from_top else 'at the bottom of'} {machine.label(machine.state.where[there])}"
        chosen = settle(machine, there, [each for each in found if is_loose(machine, each)], f"What is {where}?")
        other = found.index(chosen)
        found[index], found[other] = chosen, there
    return found
