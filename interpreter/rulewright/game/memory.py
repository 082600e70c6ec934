"""Memory: how far one observer can follow hidden components, as the log of the game says it.

What was seen is known for as long as it can be followed: into a pile, out of it, through hands. It is lost where it is mixed with others unseen. So the log becomes
a list of mixings: at an entry, components that could have changed places then, as far as the observer can tell, and that the observer has not been able to tell since.
 - A shuffle mixes what lies in a place, but for what can be seen there afterwards.
 - Out of a bag, a hand or an area something unseen could have been anything unseen that lay there. Out of a pile it is what lay at that end, unless somebody chose it
   who does not have to say what it was.
Everything else is public: whoever knows the rules knows what they have put where.

The log only grows, so a memory grows with it, and is kept for the next time somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.core import program as c
from rulewright.game.secrets import secrets_of
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state
from rulewright.step.state import Entry, Value

Mixing = tuple[int, list[int]]


class Memory:
    """What one observer has been able to follow, up to some entry of a log."""

    def __init__(self, linked: Linked, bit: int) -> None:
        self.linked, self.world, self.bit, self.length = linked, linked.world, 1 << bit, 0
        self.inside = [set(members) for members in first_members(linked)]
        self.told = [-1] * self.world.count  # at which entry each component could last be told
        self.shown: set[int] = set()  # what can be told wherever it goes
        self.upturned: set[int] = set()  # what can be told although it may lie face down
        self.mixings: list[Mixing] = []
        self.read_behind = [-1] * self.world.count  # at which entry what everyone can read on each component could last be read
        self.marked: list[int] = []  # entries about fields that everyone can read
        self.unseen: list[int] = []  # entries about what could not be told
        self.read: dict[tuple[int, str], int] = {}  # at which entry a field was last seen to be set
        self.written: dict[tuple[int, str], int] = {}  # at which entry it was last set unseen
        self.answered: dict[int, int] = {}  # at which entry each of the others has last answered something in secret
        self.secrets = secrets_of(linked)
        self.chosen: Value = None  # what somebody else has chosen last, if that is not public
        self.felt: int | None = None  # the place in which it lay, if that is all that was known of it
        self.named = named_by_the_rules(linked)

    def follow(self, log: list[Entry]) -> None:
        """Go through what has been added to a log."""
        for number in range(self.length, len(log)):
            read = READ.get(log[number][0])
            if read is not None:
                read(self, number, log[number])
        self.length = len(log)
        told = self.told
        lost = ((number, [each for each in mixed if told[each] < number]) for number, mixed in self.mixings)
        self.mixings = [(number, mixed) for number, mixed in lost if len(mixed) > 1]

    def _covered(self, place: int) -> Iterator[int]:
        """What lies in a place so that the observer may not be able to tell it; where the state says who sees into it, they may not."""
        hidden, open_place = self.world.hidden_while, (self.world.sight[place] or 0) & self.bit
        for each in self.inside[place]:
            if each not in self.shown and (not open_place or (hidden[each] is not None and each not in self.upturned)):
                yield each

    def _moved(self, number: int, entry: Entry) -> None:
        _, _, component, before, to, seen, _ = entry
        if seen & self.bit:
            self.told[component] = number
        else:
            self.unseen.append(number)
            if before in self.world.bags or self._anything(before, component):
                mixed = [each for each in self._covered(before) if before in self.world.bags or self._alike(before, each, component)]
                self._mix(number, before, sorted({*mixed, component}))
        self.read_behind[component] = number
        if to in self.world.bags:
            self.shown.discard(component)
        self.inside[before].discard(component)
        self.inside[to].add(component)

    def _mix(self, number: int, place: int, mixed: list[int]) -> None:
        """Some components in a place could have changed places. Where they lie side by side, what everyone can read on them can be read all the same."""
        self.mixings.append((number, mixed))
        if place not in self.world.bags and place not in self.world.piles:
            for each in mixed:
                self.read_behind[each] = number

    def _anything(self, place: int, component: int) -> bool:
        """Whether what came out of a place unseen could have been anything in it: not what lay on top of a pile, unless somebody chose it in secret."""
        return self.world.place_spec(place)["shape"] != "pile" or component == self.chosen or place == self.felt

    def _alike(self, place: int, one: int, other: int) -> bool:
        """Whether two things in a place look alike from behind: it is for such things, or they are of one kind and begin in the same place."""
        world = self.world
        if world.place_spec(place)["holds"] is not None:
            return True
        return (world.kinds[one], world.beginning(one)) == (world.kinds[other], world.beginning(other))

    def _shuffled(self, number: int, entry: Entry) -> None:
        place = entry[2]
        self.shown -= self.inside[place]
        covered = set(self._covered(place))
        for each in self.inside[place] - covered:
            self.told[each] = number
        self._mix(number, place, sorted(covered))

    def _showed(self, number: int, entry: Entry) -> None:
        if not entry[3] & self.bit:
            self.unseen.append(number)
            for each in entry[2]:
                self.read_behind[each] = number
            return
        for each in entry[2]:
            self.told[each] = number
            self.shown.add(each)

    def _set(self, number: int, entry: Entry) -> None:
        _, _, component, field, _, _, seen = entry
        if any(name == field for name, _, _ in self.world.backs[component]):
            self.marked.append(number)
            self.read_behind[component] = number
        if seen & self.bit:
            self.told[component] = number
            self.upturned.add(component)
            self.read[component, field] = number
        else:
            self.unseen.append(number)
            self.upturned.discard(component)
            self.written[component, field] = number

    def _said(self, number: int, entry: Entry) -> None:
        if entry[4] & self.bit:
            for each in entry[5] or ():
                if each not in self.named:
                    self.told[each] = number

    def _chose(self, number: int, entry: Entry) -> None:
        _, cause, player, question, value, hidden, _, _, seen, public, _ = entry
        if public or seen & self.bit:
            self.chosen = self.felt = None
            return
        if question is None:  # read from a save, which has the name of what was chosen
            names = self.linked.world.identities
            value = names.index(value) if value in names else None
            of_things = value is not None or hidden is not None
        else:
            of_things = self.linked.program.questions[question].values == "things"
        self.chosen = value if of_things and hidden is None else None
        self.felt = hidden[1][0] if hidden is not None and hidden[1] else None
        if of_things:
            self.unseen.append(number)
        if cause[0] in self.secrets.causes:
            self.answered[player] = number

    def is_untold(self, component: int, field: str, player: int | None) -> bool:
        """Whether a field may hold, since the observer could last read it, what chance has given, or a player (else anyone) has answered in secret: that
        may be what it held before, and then nothing was written."""
        answered = max(self.answered.values(), default=-1) if player is None else self.answered.get(player, -1)
        read, written = (when.get((component, field), -1) for when in (self.read, self.written))
        return max(answered, written) > read or (field in self.secrets.drawn and written >= read)


READ = {
    "move": Memory._moved, "shuffle": Memory._shuffled, "show": Memory._showed, "set": Memory._set, "message": Memory._said, "choice": Memory._chose,
}  # fmt: skip


def memory_of(machine: Machine, bit: int) -> Memory:
    """What an observer has been able to follow up to now."""
    known = machine.linked.notes.setdefault("memories", {})
    log, found = known.get(bit, (None, None))
    if found is None or log is not machine.state.log or found.length > len(log):
        found = Memory(machine.linked, bit)
    found.follow(machine.state.log)
    known[bit] = machine.state.log, found
    made: Memory = found
    return made


def first_members(linked: Linked) -> list[tuple[int, ...]]:
    """What lies in each place before setup."""
    if "first members" not in linked.notes:
        linked.notes["first members"] = first_state(linked, 0).members
    found: list[tuple[int, ...]] = linked.notes["first members"]
    return found


def named_by_the_rules(linked: Linked) -> frozenset[int]:
    """Components that messages and choices name in the words of the rules: to speak of one says nothing about where it lies."""
    if "named" not in linked.notes:
        found: set[int | None] = set()
        for node in linked.code:
            if isinstance(node, c.Say):
                said = [part.of for part in node.text.parts if not isinstance(part, str)]
                found.update(linked.world.first(each.name) for each in said if isinstance(each, c.Component))
        for node in linked.world.graph["nodes"].values():
            if node["op"] == "choose" and node["from"] is not None and node["from"]["op"] == "list":
                found.update(linked.world.first(part["name"]) for part in node["from"]["parts"] if part["op"] == "component")
        linked.notes["named"] = frozenset(each for each in found if each is not None)
    made: frozenset[int] = linked.notes["named"]
    return made
