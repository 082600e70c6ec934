"""Views: what each player, or a spectator, can see of a state, as data that people and programs can read.

Who can tell what is asked of the machine. What never changes about how things look is found once for each world.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rulewright.core import program as c
from rulewright.core.world import EVERYONE, World
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.record import seen_place
from rulewright.step.state import Value
from rulewright.step.wording import Wording
from rulewright.types import SCORE, TABLE

Type = dict[str, Any]
AS_THEY_ARE = ("flag", "number", "text", "words")  # types of fields whose values stand for nothing else


def standings(outcomes: Sequence[str], ended: bool) -> list[str]:
    """How every player stands: won, lost, eliminated, or nothing yet. When the game is over and somebody has won, everybody else in it has lost."""
    over = ended and "won" in outcomes
    return [each or "lost" if over else each for each in outcomes]


def decoded(linked: Linked, value: Value, of: Type) -> Any:
    """A value of a type of the rules as plain data: words spelled, flags as such; what stands for a component or place is still its number."""
    if type(value) is tuple:
        inner = of.get("of") or of
        return [decoded(linked, each, inner) for each in value]
    if value is None:
        return None
    if value >= c.WORDS:
        return linked.spelled[value - c.WORDS]
    return bool(value) if of["how"] == "flag" else value


class Observer:
    """What one player, or a spectator, can see of a state."""

    def __init__(self, machine: Machine, player: int | None) -> None:
        self.machine = machine
        self.player = player
        self.bit = machine.world.players if player is None else player

    def can(self, bits: int) -> bool:
        """Whether this observer is among those who see."""
        return bool(bits >> self.bit & 1)

    def knows(self, component: int) -> bool:
        """Whether this observer can tell what a component is."""
        return self.can(self.machine.seers_of(component))

    def component(self, number: int) -> dict[str, Any]:
        """A component as it is seen."""
        return self.told(number) if self.knows(number) else self.back(number)

    def back(self, number: int) -> dict[str, Any]:
        """A component that this observer cannot tell: what everyone can read on it."""
        machine = self.machine
        back = machine.back_of(number) if machine.world.backs[number] else ()
        if not back:
            return {"hidden": True}
        of = machine.world.graph["kinds"][machine.world.kinds[number]]["fields"]
        return {"hidden": True, "fields": {name: decoded(machine.linked, value, of[name]["type"]) for name, value in back}}

    def told(self, number: int) -> dict[str, Any]:
        """A component that this observer can tell."""
        machine, face = self.machine, faces(self.machine.linked).components[number]
        seen: dict[str, Any] = face.words.copy()
        if face.names:
            seen["fields"] = fields = face.fields(machine.linked, machine.state.values[face.start : face.end]).copy()
            for name, of in face.meant:
                fields[name] = self.plain(fields[name], of)
            for name in face.guarded:
                if not self.can(machine.field_readers(number, name)):
                    del fields[name]
            if not fields:
                del seen["fields"]
        elif machine.world.kinds[number] == "#track":
            space = machine.state.values[machine.world.base[number]]
            spaces = machine.world.graph["tracks"][machine.world.definitions[number]]["spaces"]
            seen["fields"] = {"space": space, "colour": spaces[space - 1]}
        return seen

    def place(self, number: int) -> dict[str, Any]:
        """A place: who lies there, or how many."""
        machine, seen = self.machine, []
        if machine.state.members[number]:
            seen = [self.component(each) for each in machine.lying_in(self.player, number)]
            if number in machine.world.bags and not self.can(machine.seers_into(number)):
                seen.sort(key=lambda each: each.get("id", "~"))
        return {"count": len(seen), "members": seen}

    def name_of(self, place: int) -> str | None:
        """What this observer calls a place. One that is, or belongs to, a component they cannot tell has the name of its position, if anything is in it."""
        machine, world = self.machine, self.machine.world
        holder = world.around[place]
        if holder is None or self.knows(holder):
            return place_identity(world, place)
        if not machine.state.members[place]:
            return None
        return place_name(world, seen_place(machine, self.player, place))

    def plain(self, value: Any, of: Type) -> Any:
        """A value of a field as data that people and programs can read."""
        if type(value) is list:
            inner = of.get("of") or of
            return value[:] if inner["how"] in AS_THEY_ARE else [self.plain(each, inner) for each in value]
        if type(value) is not int or of["how"] not in ("kind", "place"):
            return value
        if value < self.machine.world.count:
            return self.machine.world.identities[value] if self.knows(value) else "hidden"
        return self.name_of(value) or "hidden"

    def view(self) -> dict[str, Any]:
        """Everything this observer can see."""
        self.machine.looked = 0
        places = [self.place(number) for number, _, _ in faces(self.machine.linked).places]
        return self.assembled(places, [self.knows(number) for number in range(self.machine.world.count)])

    def assembled(self, seen: list[dict[str, Any]], can_tell: list[bool]) -> dict[str, Any]:
        """The same, made of all places as they are seen, and of whether each component can be told."""
        state = self.machine.state
        places: dict[str, Any] = {}
        veiled: dict[str, Any] = {}  # by where they are; their numbers would tell of what they are parts
        for (number, holder, full_name), place in zip(faces(self.machine.linked).places, seen, strict=True):
            if holder is None or can_tell[holder]:
                places[full_name] = place
            elif (name := self.name_of(number)) is not None:
                veiled[name] = place
        places.update(sorted(veiled.items()))
        scores = self.machine.world.slots_of(SCORE)
        points = [{"score": state.values[slot]} for slot in scores.values()] if scores else [{}] * len(state.outcomes)
        stand = zip(standings(state.outcomes, state.ended), points, strict=True)
        table = self.machine.world.first(TABLE)
        return {
            "player": None if self.player is None else self.player + 1,
            "players": [self.component(player) | {"outcome": outcome, **scored} for player, (outcome, scored) in enumerate(stand)],
            **({} if table is None else {"state": self.told(table).get("fields", {})}),
            "tracks": {name: self.component(track)["fields"] for name, track in self.machine.world.tracks.items()},
            "places": places,
        }


# -- what never changes


class Face:
    """A component as who can tell it sees it: its names, and its fields.

    `guarded` are the fields that not everyone can read, `meant` those whose values may stand for something else, with their types. The fields as they were
    seen last are kept: of most components they seldom change, and a copy is much quicker than making them anew.
    """

    __slots__ = ("_last", "end", "guarded", "meant", "names", "start", "types", "words")

    def __init__(self, world: World, number: int) -> None:
        fields = world.graph["kinds"].get(world.kinds[number], {"fields": {}})["fields"]  # in the order of their slots
        self.words = {"id": world.identities[number], "name": world.definitions[number], "label": world.labels[number]}
        self.names, self.types = tuple(fields), [field["type"] for field in fields.values()]
        self.start, self.end = world.base[number], world.base[number] + len(fields)
        self.guarded = [name for name, field in fields.items() if field["seen_by"] not in (None, EVERYONE)]
        self.meant = [(name, field["type"]) for name, field in fields.items() if field["type"]["how"] not in AS_THEY_ARE]
        self._last: tuple[list[Value], dict[str, Any]] = ([], {})

    def fields(self, linked: Linked, values: list[Value]) -> dict[str, Any]:
        """The fields with their values."""
        if self._last[0] != values:
            told = zip(self.names, values, self.types, strict=True)
            made = {name: decoded(linked, value, of) for name, value, of in told if name != SCORE}
            self._last = values, made
        return self._last[1]


class Faces(NamedTuple):
    """What components are to who can tell them, and all places, each with the component that it is or belongs to and its name; and which of these each is."""

    components: list[Face]
    places: list[tuple[int, int | None, str]]
    positions: dict[int, int]


def faces(linked: Linked) -> Faces:
    """What never changes about how things look, found when it is asked for the first time."""
    world = linked.world
    found: Faces | None = world.faces
    if found is None:
        places = [number for number in range(world.place_count) if world.is_place(number)]
        named = [(number, world.around[number], place_identity(world, number)) for number in places]
        found = world.faces = Faces(
            [Face(world, number) for number in range(world.count)], named, {place: position for position, place in enumerate(places)}
        )
    return found


def place_identity(world: World, number: int) -> str:
    """The stable id of a component or place."""
    if number < world.count:
        return world.identities[number]
    owner, name = world.place_owner.get(number), world.place_names[number]
    return name if owner is None else f"{world.identities[owner]}.{name.split('.')[-1]}"


# -- what cannot be told, by where it lies


def place_name(world: World, place: tuple[int, ...]) -> str | None:
    """The id of a place as somebody can tell it (see `record.seen_place`); None if they cannot."""
    if len(place) < 2:
        return place_identity(world, place[0]) if place else None
    part, number, *around = place
    outer = place_name(world, tuple(around))
    own = "" if part < world.count else f".{world.place_names[part].split('.')[-1]}"
    return None if outer is None else f"{outer}#{number}{own}"


def place_words(words: Wording, place: tuple[int, ...]) -> str:
    """The same for people."""
    if len(place) < 2:
        return words.labels[place[0]] if place else words.say("something")
    part, number, *around = place
    outer = words.say("no. {number} in {place}", number=number, place=place_words(words, tuple(around)))
    return outer if part < words.world.count else words.say("{place} of {owner}", place=words.place(part), owner=outer)


def back_words(words: Wording, component: int, back: tuple[Value, ...]) -> str:
    """What can be read on a component that cannot be told, behind the word for it; what says nothing is left out."""
    told = []
    for (name, _, how), value in zip(words.world.backs[component], back, strict=False):
        word = words.field(component, name)
        if how == "flag":
            told += [word] if value else []
        elif value not in (None, ()) and words.shown(value, how) != "":
            told.append(f"{word} {words.shown(value, how)}")
    return f" ({', '.join(told)})" if told else ""


# -- in another language


def worded(words: Wording, seen: Any) -> Any:
    """What somebody sees, with things called by their names in another language; everything else in it is data."""
    if type(seen) is list:
        return [worded(words, each) for each in seen]
    if type(seen) is not dict:
        return seen
    made = {name: worded(words, part) for name, part in seen.items()}
    if "label" in seen and "id" in seen:
        made["label"] = words.label_of(seen["id"])
    return made
