"""Visibility: who can tell what a component is, who can read a field, and what a player's view contains.

Everything that keeps a secret derives from here: views, logs, the labels and ids of options, and where undo stops. What never changes about how things look
is found once for each world.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.core.world import EVERYONE
from rulewright.run.evaluate import evaluate, many, truth

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

AS_THEY_ARE = ("flag", "number", "text", "words")  # types of fields whose values need no translation


def _bits(machine: Machine, rule: Any, owner: int | None) -> int:
    """The players that a visibility rule names."""
    if rule is None:
        return machine.everyone()
    if rule["op"] == "const" and rule["value"] in ("everyone", "nobody"):
        return machine.everyone() if rule["value"] == "everyone" else 0
    found = many(evaluate(machine, rule, {"self": owner, "owner": owner}))
    return sum(1 << player for player in set(found) if type(player) is int and player < machine.world.players)


def seers_into(machine: Machine, place: int) -> int:
    """The players who can see into a place. What lies in a component that is a place is seen, also if nobody can tell which component that is."""
    world = machine.world
    bits = world.sight[place]
    return _bits(machine, world.place_spec(place)["seen_by"], world.place_owner.get(place)) if bits is None else bits


def seers_of(machine: Machine, component: int) -> int:
    """The players who can tell what a component is."""
    bits = seers_into(machine, machine.state.where[component])
    hidden = machine.world.hidden_while[component]
    if hidden is not None and bits == machine.everyone() and truth(machine, hidden, {"self": component}):
        bits = 0
    return bits | machine.state.known[component]


def readers_of(machine: Machine, component: int, field: dict[str, Any]) -> int:
    """The players who can read a field of a component they can tell."""
    if field["seen_by"] is None:
        return machine.everyone()
    return _bits(machine, field["seen_by"], component) | machine.state.known[component]


def back_of(machine: Machine, component: int) -> dict[str, Any]:
    """What everyone can read on a component as it lies, whoever can tell which one it is. Of a pile only the top can be seen, and nothing in a bag; nor what
    somebody has shuffled at a table without saying yet how it came out."""
    world, state = machine.world, machine.state
    place = state.where[component]
    if not world.backs[component] or place in world.bags or (place in world.piles and state.members[place][-1] != component):
        return {}
    if any(component in group for group in state.loose):
        return {}
    base, values = world.base[component], state.values
    return {name: value[:] if type(value := values[base + slot]) is list else value for name, slot, _ in world.backs[component]}


def back_in_words(machine: Machine, component: int, back: dict[str, Any]) -> str:
    """What can be read on a component that cannot be told, behind the word for it; what says nothing is left out."""
    told = []
    for name, _, how in machine.world.backs[component]:
        value, word = back.get(name), name.replace("_", " ")
        if value is True:
            told.append(word)
        elif value is not None and value is not False and value not in ("", []):
            told.append(f"{word} {machine.shown(value, how)}")
    return f" ({', '.join(told)})" if told else ""


class Eyes:
    """What one player, or a spectator, can see of a state."""

    def __init__(self, machine: Machine, player: int | None) -> None:
        self.machine = machine
        self.player = player
        self.bit = machine.world.players if player is None else player

    def can(self, bits: int) -> bool:
        """Whether these eyes are among those who see."""
        return bool(bits >> self.bit & 1)

    def knows(self, component: int) -> bool:
        """Whether these eyes can tell what a component is."""
        machine = self.machine
        world, state = machine.world, machine.state
        bits = world.sight[state.where[component]]
        if bits is None or world.hidden_while[component] is not None:
            bits = seers_of(machine, component)
        return (bits | state.known[component]) >> self.bit & 1 == 1

    def component(self, number: int) -> dict[str, Any]:
        """A component as these eyes see it."""
        return self._face_of(number, faces(self.machine.world).components[number]) if self.knows(number) else self._back_of(number)

    def _back_of(self, number: int) -> dict[str, Any]:
        """A component that these eyes cannot tell."""
        back = back_of(self.machine, number) if self.machine.world.backs[number] else None
        return {"hidden": True, "fields": back} if back else {"hidden": True}

    def lying_in(self, place: int) -> Sequence[int]:
        """What lies in a place, in the order in which these eyes see it. Who sees into a place can arrange what lies there, and who does not cannot follow
        that: so what can be read on things that cannot be told is seen in an order of its own."""
        machine = self.machine
        members = machine.state.members[place]
        if not machine.world.has_backs or place in machine.world.bags or place in machine.world.piles:
            return members
        seers = seers_into(machine, place)
        if not seers or self.can(seers):
            return members
        hidden = sorted((each for each in members if not self.knows(each)), key=lambda each: str(back_of(machine, each)))
        arranged, among = iter(hidden), set(hidden)
        return [next(arranged) if each in among else each for each in members]

    def _face_of(self, number: int, face: Face) -> dict[str, Any]:
        """A component that these eyes can tell."""
        seen: dict[str, Any] = face.words.copy()
        if face.names:
            values, last = self.machine.state.values[face.start : face.end], face.last
            if last[0] != values:
                last = face.remember(values)
            seen["fields"] = fields = last[1].copy()
            if last[2]:
                for name, of in last[2]:
                    fields[name] = self.plain(fields[name], of)
            if face.guarded:
                self._guard(number, face, seen)
        elif self.machine.world.kinds[number] == "#track":
            seen["fields"] = {"space": self.machine.get(number, "space"), "colour": self.machine.get(number, "colour")}
        return seen

    def _guard(self, number: int, face: Face, seen: dict[str, Any]) -> None:
        """Leave out the fields that these eyes cannot read."""
        for name, field in face.guarded:
            if not self.can(readers_of(self.machine, number, field)):
                del seen["fields"][name]
        if not seen["fields"]:
            del seen["fields"]

    def place(self, number: int) -> dict[str, Any]:
        """A place as these eyes see it: who lies there, or how many."""
        seen = self._lying_in(number) if self.machine.state.members[number] else []
        if number in self.machine.world.bags and not self.can(seers_into(self.machine, number)):
            seen = sorted(seen, key=lambda each: each.get("id", "~"))
        return {"count": len(seen), "members": seen}

    def _lying_in(self, place: int) -> list[dict[str, Any]]:
        """The components in a place, each as these eyes see it."""
        machine, bit = self.machine, self.bit
        hidden_while, known, table = machine.world.hidden_while, machine.state.known, faces(machine.world).components
        into, seen = seers_into(machine, place), []
        for number in self.lying_in(place):
            bits = into | known[number] if hidden_while[number] is None else seers_of(machine, number)
            seen.append(self._face_of(number, table[number]) if bits >> bit & 1 else self._back_of(number))
        return seen

    def name_of(self, place: int) -> str | None:
        """What these eyes call a place. One that is, or belongs to, a component they cannot tell has the name of its position, if anything is in it."""
        machine = self.machine
        holder = machine.world.place_owner.get(place) if place >= machine.world.count else place
        if holder is None or self.knows(holder):
            return place_identity(machine, place)
        around = machine.state.where[holder]
        if not machine.state.members[place] or machine.world.place_spec(around)["shape"] == "bag":
            return None
        outer = self.name_of(around)
        position = self.lying_in(around).index(holder) + 1
        own = "" if place == holder else f".{machine.world.place_names[place].split('.')[-1]}"
        return None if outer is None else f"{outer}#{position}{own}"

    def words_for(self, place: int) -> str:
        """What these eyes call a place, for people."""
        machine = self.machine
        holder = machine.world.holders[place]
        if holder is None or self.knows(holder):
            return machine.label(place)
        around = machine.state.where[holder]
        if machine.world.place_spec(around)["shape"] == "bag":
            return "something"
        outer = f"no. {self.lying_in(around).index(holder) + 1} in {self.words_for(around)}"
        return (
            outer if place == holder else f"{machine.world.place_spec(place)['label'] or machine.world.place_names[place].split('.')[-1]} of {outer}"
        )

    def plain(self, value: Any, of: dict[str, Any]) -> Any:
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
        """Everything these eyes can see."""
        machine, world = self.machine, self.machine.world
        machine.looked = 0
        places: dict[str, Any] = {}
        veiled: dict[str, Any] = {}  # by where they are; their numbers would tell of what they are parts
        for number, holder, full_name in faces(world).places:
            if holder is None or self.knows(holder):
                places[full_name] = self.place(number)
            elif (name := self.name_of(number)) is not None:
                veiled[name] = self.place(number)
        places.update(sorted(veiled.items()))
        return {
            "player": None if self.player is None else self.player + 1,
            "players": [self.component(player) | {"outcome": outcome} for player, outcome in enumerate(machine.state.standings())],
            "tracks": {name: self.component(track)["fields"] for name, track in world.tracks.items()},
            "places": places,
        }


# -- what never changes

Meant = list[tuple[str, dict[str, Any]]]


class Face:
    """A component as who can tell it sees it: its names, the names of its fields and where their values are.

    `guarded` are the fields that not everyone can read, `meant` those whose values may stand for something else, with their types. The fields as they were
    seen last are kept: of most components they seldom change, and a copy is much quicker than making them anew.
    """

    __slots__ = ("end", "guarded", "last", "meant", "names", "start", "words")

    def __init__(self, world: World, number: int) -> None:
        fields = world.graph["kinds"].get(world.kinds[number], {"fields": {}})["fields"]  # in the order of their slots
        self.words = {"id": world.identities[number], "name": world.definitions[number], "label": world.labels[number]}
        self.names = tuple(fields)
        self.start, self.end = world.base[number], world.base[number] + len(fields)
        self.guarded = [(name, field) for name, field in fields.items() if field["seen_by"] not in (None, EVERYONE)]
        self.meant = [(name, field["type"]) for name, field in fields.items() if field["type"]["how"] not in AS_THEY_ARE]
        self.last: tuple[list[Any], dict[str, Any], Meant] = ([], {}, [])

    def remember(self, values: list[Any]) -> tuple[list[Any], dict[str, Any], Meant]:
        """The fields with their values, and those of them that stand for something else."""
        made = dict(zip(self.names, values, strict=True))
        last = self.last = (values, made, [(name, of) for name, of in self.meant if type(made[name]) in (int, list)])
        return last


class Faces(NamedTuple):
    """What components are to who can tell them, and all places, each with the component that it is or belongs to and its name."""

    components: list[Face]
    places: list[tuple[int, int | None, str]]


def faces(world: World) -> Faces:
    """What never changes about how things look, found when it is asked for the first time."""
    found: Faces | None = world.faces
    if found is None:
        places = [number for number in range(world.place_count) if world.is_place(number)]
        holders = [number if number < world.count else world.place_owner.get(number) for number in places]
        names = [_place_name(world, number) for number in places]
        found = world.faces = Faces([Face(world, number) for number in range(world.count)], list(zip(places, holders, names, strict=True)))
    return found


def identity(machine: Machine, number: int) -> str:
    """The stable id of a component: its name and, of several, the number of the copy."""
    return machine.world.identities[number]


def place_identity(machine: Machine, number: int) -> str:
    """The stable id of a place."""
    return _place_name(machine.world, number)


def _place_name(world: World, number: int) -> str:
    if number < world.count:
        return world.identities[number]
    owner, name = world.place_owner.get(number), world.place_names[number]
    return name if owner is None else f"{world.identities[owner]}.{name.split('.')[-1]}"
