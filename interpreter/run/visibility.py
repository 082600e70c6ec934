"""Visibility: who can tell what a component is, who can read a field, and what a player's view contains.

Everything that keeps a secret derives from here: views, logs, the labels and ids of options, and where undo stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.run.evaluate import evaluate, many, truth

if TYPE_CHECKING:
    from interpreter.run.machine import Machine


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
        return self.can(self.machine.seers_of(component))

    def component(self, number: int) -> dict[str, Any]:
        """A component as these eyes see it."""
        machine = self.machine
        if not self.knows(number):
            return {"hidden": True}
        kind = machine.world.kinds[number]
        seen: dict[str, Any] = {"id": identity(machine, number), "name": machine.world.definitions[number], "label": machine.label(number)}
        fields = {}
        values, slot = machine.state.values, machine.world.base[number]
        for name, field in machine.world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():  # in the order of their slots
            if field["seen_by"] is None or self.can(readers_of(machine, number, field)):
                value = values[slot]
                fields[name] = self.plain(value, field["type"]) if type(value) in (int, list) else value
            slot += 1
        if kind == "#track":
            fields = {"space": machine.get(number, "space"), "colour": machine.get(number, "colour")}
        if fields:
            seen["fields"] = fields
        return seen

    def place(self, number: int) -> dict[str, Any]:
        """A place as these eyes see it: who lies there, or how many."""
        machine = self.machine
        members = machine.state.members[number]
        spec = machine.world.place_spec(number)
        seen = [self.component(member) for member in members]
        if spec["shape"] == "bag" and not self.can(seers_into(machine, number)):
            seen = sorted(seen, key=lambda each: each.get("id", "~"))
        return {"count": len(members), "members": seen}

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
        position = machine.state.members[around].index(holder) + 1
        own = "" if place == holder else f".{machine.world.place_names[place].split('.')[-1]}"
        return None if outer is None else f"{outer}#{position}{own}"

    def plain(self, value: Any, of: dict[str, Any]) -> Any:
        """A value of a field as data that people and programs can read."""
        if type(value) is list:
            return [self.plain(each, of.get("of") or of) for each in value]
        if type(value) is int and of["how"] in ("kind", "place"):
            known = self.knows(value) if value < self.machine.world.count else self.name_of(value) is not None
            return place_identity(self.machine, value) if known else "hidden"
        return value

    def view(self) -> dict[str, Any]:
        """Everything these eyes can see."""
        machine, world = self.machine, self.machine.world
        machine.looked = 0
        places = {}
        for number in range(world.place_count):
            if world.is_place(number) and (name := self.name_of(number)) is not None:
                places[name] = self.place(number)
        return {
            "player": None if self.player is None else self.player + 1,
            "players": [self.component(player) | {"outcome": machine.state.outcomes[player]} for player in range(world.players)],
            "tracks": {name: self.component(track)["fields"] for name, track in world.tracks.items()},
            "places": places,
        }


def identity(machine: Machine, number: int) -> str:
    """The stable id of a component: its name and, of several, the number of the copy."""
    return machine.world.identities[number]


def place_identity(machine: Machine, number: int) -> str:
    """The stable id of a place."""
    world = machine.world
    if number < world.count:
        return identity(machine, number)
    owner = world.place_owner.get(number)
    name = world.place_names[number]
    return name if owner is None else f"{identity(machine, owner)}.{name.split('.')[-1]}"
