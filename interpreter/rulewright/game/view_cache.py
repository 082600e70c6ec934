"""Views that are asked for again and again: what an observer saw last is kept, and looked at anew only where it may look otherwise.

A component may if it has other fields, lies elsewhere, can now be told or no longer, or has a field that stands for something of which that holds; a place may if one
of its components may, or if others lie there. Where sight depends on more than that, every view is made from nothing. Views given out share nothing that can be changed,
but those of an `Onlooker`, who follows one game: there what looks as it did is the same object as before.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rulewright.game.views import Observer, faces
from rulewright.step.machine import Machine
from rulewright.step.state import State, Value
from rulewright.step.wording import innermost

if TYPE_CHECKING:
    from rulewright.game.game import Game


class Moment(NamedTuple):
    """What was seen, and all that it depended on."""

    values: list[Value]
    where: list[int]
    known: list[int]
    members: list[tuple[int, ...]]
    can_tell: list[bool]  # each component
    components: list[dict[str, Any] | None]  # as they are seen, if they can be told and have been looked at
    places: list[dict[str, Any]]


class KeenObserver(Observer):
    """An observer who remembers what was seen last, of whatever game in a world."""

    def __init__(self, machine: Machine, player: int | None) -> None:
        super().__init__(machine, player)
        world = machine.world
        self.lock = threading.Lock()
        self.last: Moment | None = None
        self.can_tell: list[bool] = []
        self.components: list[dict[str, Any] | None] = []
        self.users: dict[int, set[int]] = {}  # components with a field that stood for another one
        self.always: set[int] = set()  # components with a field that stood for a place: what that is called depends on much
        self.positions = {place: position for position, (place, _, _) in enumerate(faces(machine.linked).places)}
        self.references = {  # of each kind, the fields that stand for something
            kind: [slot for slot, field in enumerate(declared["fields"].values()) if innermost(field["type"]) in ("kind", "place")]
            for kind, declared in world.graph["kinds"].items()
        }

    def view_of(self, machine: Machine) -> dict[str, Any]:
        """Everything that can be seen of a game."""
        with self.lock:
            found: dict[str, Any] = msgspec.to_builtins(self.shared(machine))  # a copy of all of it
        return found

    def shared(self, machine: Machine) -> dict[str, Any]:
        """The same, with parts that are kept for the next time."""
        last, self.last = self.last, None  # nothing is kept if somebody interrupts
        self.machine = machine
        machine.looked = 0
        now = self.everything(machine.state) if last is None else self.changed(machine.state, last)
        found = self.assembled(now.places, self.can_tell)
        self.last = now
        return found

    def everything(self, state: State) -> Moment:
        """What is seen, from nothing."""
        count = self.machine.world.count
        self.can_tell = [super(KeenObserver, self).knows(number) for number in range(count)]
        self.components = [None] * count
        return self.moment(state, [self.place(number) for number in self.positions])

    def changed(self, state: State, last: Moment) -> Moment:
        """What is seen, made of what was seen last."""
        anew = {self.machine.world.component_at(slot) for slot in differences(last.values, state.values)}
        anew.update(differences(last.where, state.where), differences(last.known, state.known), self.always)
        for number in list(anew):
            if super().knows(number) != self.can_tell[number]:
                self.can_tell[number] = not self.can_tell[number]
                anew |= self.users.get(number, set())
        for number in anew:
            self.components[number] = None
        for place in {*differences(last.members, state.members), *(state.where[number] for number in anew)}:
            last.places[self.positions[place]] = self.place(place)
        return self.moment(state, last.places)

    def moment(self, state: State, places: list[dict[str, Any]]) -> Moment:
        """What is seen now, to be remembered."""
        return Moment(state.values[:], state.where[:], state.known[:], state.members[:], self.can_tell, self.components, places)

    def knows(self, component: int) -> bool:
        """Whether this observer can tell what a component is."""
        return self.can_tell[component]

    def told(self, number: int) -> dict[str, Any]:
        """A component that this observer can tell."""
        found = self.components[number]
        if found is None:
            self.note_references(number)
            found = self.components[number] = super().told(number)
        return found

    def note_references(self, number: int) -> None:
        """Note what the fields of a component stand for."""
        state, world = self.machine.state, self.machine.world
        for slot in self.references.get(world.kinds[number], ()):
            for value in flat(state.values[world.base[number] + slot]):
                if value < world.count:
                    self.users.setdefault(value, set()).add(number)
                else:
                    self.always.add(number)


class Onlooker:
    """Somebody who follows one game, a player (from 1) or a spectator (None). Nobody else shares what they keep, so what they are given is only to be read."""

    def __init__(self, player: int | None) -> None:
        self._player = player
        self._observer: KeenObserver | None = None

    def view(self, game: Game) -> dict[str, Any]:
        """What `game.view` gives."""
        seat = game._seat(self._player)

        def see(machine: Machine) -> dict[str, Any]:
            if sees_anew(machine):
                return Observer(machine, seat).view()
            if self._observer is None:
                self._observer = KeenObserver(machine, seat)
            return self._observer.shared(machine)

        return game._engine.look(see)


def sees_anew(machine: Machine) -> bool:
    """Whether sight depends on more than what is remembered of the last time."""
    return not machine.world.plain_sight or bool(machine.program.sight.fields or machine.state.loose)


def view(machine: Machine, player: int | None) -> dict[str, Any]:
    """Everything that a player (from 0), or a spectator, can see."""
    if sees_anew(machine):
        return Observer(machine, player).view()
    observers: dict[int | None, KeenObserver] = machine.linked.notes.setdefault("observers", {})
    if player not in observers:
        observers.setdefault(player, KeenObserver(machine, player))
    return observers[player].view_of(machine)


def differences(one: Sequence[Any], other: Sequence[Any], unit: int = 1) -> list[int]:
    """The positions, of so many units each, at which two sequences of one length differ."""
    if one == other:
        return []
    found, reach, length = [0], len(other), len(other)
    for step in (128 * unit, 16 * unit, unit):
        found = [at for start in found for at in range(start, min(start + reach, length), step) if one[at : at + step] != other[at : at + step]]
        reach = step
    return found


def flat(value: Value) -> list[int]:
    """The numbers in a value."""
    return [one for each in value for one in flat(each)] if type(value) is tuple else [] if value is None else [value]
