"""The world of a game: what exists, by number, for one effect graph and one number of players. It never changes during a game.

Components are numbered: players first, then tracks, the cells of grids, and every copy of every declared component. A place is a number too: a
component that is a place has its own number, all other places come after the components. So one number says where something is.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from rulewright.core.graph import Expr
from rulewright.grids import SHAPES, USUAL

Graph = dict[str, Any]
BOX = "box"
OWNER = {"op": "var", "name": "owner"}
SELF = {"op": "var", "name": "self"}
EVERYONE = {"op": "const", "value": "everyone"}
OWN, NOBODY = -1, -2  # who decides, where no field says so


class World:
    """Tables of everything that exists."""

    def __init__(self, graph: Graph, players: int) -> None:
        self.graph = graph
        self.players = players
        self.definitions: list[str] = []
        self.kinds: list[str] = []
        self.copies: list[int] = []
        self.by_noun: dict[str, list[int]] = {}
        self.ancestors: dict[str, frozenset[str]] = {name: self._ancestors(name) for name in graph["kinds"]}
        self._components(players)
        self._fields()
        self._places()
        self._links()
        self.hidden_while = [graph["kinds"].get(kind, {}).get("hidden_while") for kind in self.kinds]
        self.backs = [_back(graph["kinds"].get(kind, {"fields": {}})["fields"]) for kind in self.kinds]
        self.has_backs = any(self.backs)
        self.plain_sight = self._plain_sight()
        self.everyone = (2 << players) - 1  # all players and whoever looks on
        self.sight = [self._sight(place) for place in range(self.place_count)]
        self.around = [
            place if place < self.count else self.place_owner.get(place) for place in range(self.place_count)
        ]  # of what each place is a part
        self.holders = [self._holder(place) for place in range(self.place_count)]
        self.hollow = frozenset(self.places_of)  # components in which something could lie
        self.labels = [self._label(number) for number in range(self.place_count)]
        self.capacities = [None if (most := spec.get("capacity")) is None else int(most) for spec in self._specs]
        self.bags = frozenset(place for place, spec in enumerate(self._specs) if spec.get("shape") == "bag")
        self.piles = frozenset(place for place, spec in enumerate(self._specs) if spec.get("shape") == "pile")
        self.ranges: dict[str, dict[str, tuple[int | None, int | None]]] = {"#track": {"space": (1, None)}}
        for kind, declared in graph["kinds"].items():
            self.ranges[kind] = {name: (field["type"].get("low"), field["type"].get("high")) for name, field in declared["fields"].items()}
        self.deciders = [self._decider(number) for number in range(self.count)]
        alone = [name != "player" and len(self.by_noun[name]) == 1 for name in self.definitions]
        self.identities = [name if one else f"{name}.{copy}" for name, one, copy in zip(self.definitions, alone, self.copies, strict=True)]
        self.lines: dict[tuple[str, int], list[list[int]]] = {}
        self._noun_sets: dict[str, frozenset[int]] = {}
        self._slot_tables: dict[str, dict[int, int]] = {}
        self.faces: Any = None  # filled in by visibility
        self.causes: dict[str, tuple[str, list[str]]] = {}  # filled in by the logbook

    # -- components

    def _ancestors(self, kind: str) -> frozenset[str]:
        found = set()
        name: str | None = kind
        while name is not None:
            found.add(name)
            name = self.graph["kinds"][name]["parent"]
        return frozenset(found)

    def _add(self, definition: str, kind: str, copy: int) -> int:
        number = len(self.definitions)
        self.definitions.append(definition)
        self.kinds.append(kind)
        self.copies.append(copy)
        nouns = set(self.ancestors.get(kind, ())) | {definition}
        if self.graph["kinds"].get(kind, {}).get("is_place"):
            nouns.add("place")
        for noun in nouns:
            self.by_noun.setdefault(noun, []).append(number)
        return number

    def _components(self, players: int) -> None:
        graph = self.graph
        for seat in range(1, players + 1):
            self._add("player", "player", seat)
        self.tracks = {name: self._add(name, "#track", 1) for name in graph["tracks"]}
        self.cells: dict[str, list[list[int]]] = {}
        self.rows: dict[int, int] = {}
        self.columns: dict[int, int] = {}
        self.grid_of: dict[int, str] = {}
        self.shapes = {name: SHAPES[grid.get("shape", USUAL)] for name, grid in graph["grids"].items()}
        self.cell_count = {name: grid["rows"] * grid["columns"] for name, grid in self.graph["grids"].items()}
        for name, grid in graph["grids"].items():
            self.cells[name] = []
            for row in range(1, grid["rows"] + 1):
                line = [self._add(f"{name}_{row}_{column}", grid["kind"], 1) for column in range(1, grid["columns"] + 1)]
                self.cells[name].append(line)
                for column, cell in enumerate(line, start=1):
                    self.rows[cell], self.columns[cell], self.grid_of[cell] = row, column, name
        for name, component in graph["components"].items():
            for copy in range(1, component["copies"] + 1):
                self._add(name, component["kind"], copy)
        self.count = len(self.definitions)

    def is_a(self, component: int, noun: str) -> bool:
        """Whether a component is of a kind, or is that component."""
        return self.definitions[component] == noun or noun in self.ancestors.get(self.kinds[component], ())

    def noun_set(self, noun: str) -> frozenset[int]:
        """All components of a kind, or of a name; of `place` all places."""
        if noun not in self._noun_sets:
            more = range(self.count, self.place_count) if noun == "place" else ()
            self._noun_sets[noun] = frozenset([*self.by_noun.get(noun, ()), *more])
        return self._noun_sets[noun]

    def beginning(self, component: int) -> str:
        """Where a component is declared to begin, in a form that can be compared."""
        return str(self.graph["components"].get(self.definitions[component], {}).get("place"))

    def first(self, name: str) -> int | None:
        """The component of that name (its first copy)."""
        found = self.by_noun.get(name)
        return found[0] if found else None

    # -- fields

    def _fields(self) -> None:
        """Each component has a stretch of one long list: a slot for each field of its kind."""
        self.slots: dict[str, dict[str, int]] = {}
        for kind, declared in self.graph["kinds"].items():
            self.slots[kind] = {name: number for number, name in enumerate(declared["fields"])}
        self.slots["#track"] = {"space": 0}
        self.base: list[int] = []
        self.start_values: list[Any] = []
        for number in range(self.count):
            self.base.append(len(self.start_values))
            self.start_values += self._values(number)

    def slots_of(self, name: str) -> dict[int, int]:
        """Where the values of a field are, by component."""
        if name not in self._slot_tables:
            slots = [(number, self.slots[kind].get(name)) for number, kind in enumerate(self.kinds)]
            self._slot_tables[name] = {number: self.base[number] + slot for number, slot in slots if slot is not None}
        return self._slot_tables[name]

    def unchanging(self, name: str) -> dict[int, int] | None:
        """What is printed on components for good, by component; None if it is not that sort of field."""
        if name in ("row", "column"):
            return self.rows if name == "row" else self.columns
        return dict(enumerate(self.copies)) if name in ("seat", "copy") else None

    def _values(self, number: int) -> list[Any]:
        kind, definition = self.kinds[number], self.definitions[number]
        if kind == "#track":
            return [1]
        declared = self.graph["kinds"][kind]["fields"]
        given = self.graph["components"].get(definition, {}).get("fields", {})
        return [self._value(given.get(name, field["default"]), self.copies[number]) for name, field in declared.items()]

    def _value(self, value: Any, copy: int) -> Any:
        if isinstance(value, dict) and "copies" in value:
            return self._value(value["copies"][copy - 1], copy)
        if isinstance(value, dict) and "component" in value:
            return self.first(value["component"])
        if isinstance(value, dict) and "place" in value:
            return ("place", value["place"])
        return [self._value(each, copy) for each in value] if isinstance(value, list) else value

    # -- places

    def _places(self) -> None:
        self.place_names: dict[int, str] = {}
        self.place_owner: dict[int, int] = {}
        self.global_places: dict[str, int] = {}
        self.owned_places: dict[tuple[int, str], int] = {}
        self.places_of: dict[int, list[int]] = {}
        number = self.count
        self.global_places[BOX] = number
        self.place_names[number] = BOX
        number += 1
        for identity, place in self.graph["places"].items():
            owners = [None] if place["of"] is None else self.by_noun.get(place["of"], [])
            for owner in owners:
                self.place_names[number] = identity
                if owner is None:
                    self.global_places[identity] = number
                else:
                    self.owned_places[owner, identity] = number
                    self.place_owner[number] = owner
                    self.places_of.setdefault(owner, []).append(number)
                number += 1
        self.place_count = number
        for component in range(self.count):
            if self.graph["kinds"].get(self.kinds[component], {}).get("is_place"):
                self.places_of.setdefault(component, []).append(component)
        self.start_values = [self._located(value) for value in self.start_values]
        self.start_lists = [number for number, value in enumerate(self.start_values) if type(value) is list]
        self._specs = [self._spec(place) if self.is_place(place) else {} for place in range(self.place_count)]

    def _located(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._located(each) for each in value]
        return self.global_places.get(value[1]) if isinstance(value, tuple) else value

    def place_spec(self, place: int) -> dict[str, Any]:
        """What is declared about a place: shape, capacity, who sees into it."""
        return self._specs[place]

    def _spec(self, place: int) -> dict[str, Any]:
        if place < self.count:
            kind = self.graph["kinds"][self.kinds[place]]
            return {"shape": "area", "capacity": kind["capacity"], "holds": kind["holds"], "seen_by": None, "label": None}
        name = self.place_names[place]
        if name == BOX:
            return {"shape": "area", "capacity": None, "holds": None, "seen_by": None, "label": "box"}
        found: dict[str, Any] = self.graph["places"][name]
        return found

    def _decider(self, number: int) -> int | None:
        """Who decides for a component: the slot that names the player, OWN for players themselves, NOBODY; None if the rules have to be asked."""
        kind = self.kinds[number]
        if kind == "player":
            return OWN
        rule = self.graph["kinds"].get(kind, {}).get("decided_by")
        if rule is None:
            return NOBODY
        slot = self.slots[kind].get(rule["name"]) if rule["op"] == "field" and rule["of"] == SELF else None
        return None if slot is None else self.base[number] + slot

    def component_at(self, slot: int) -> int:
        """The component that a slot of the values belongs to."""
        return bisect_right(self.base, slot) - 1

    def _plain_sight(self) -> bool:
        """Whether who can tell a component depends on nothing but its place, its own fields and what was shown."""
        places = all(rule is None or rule["op"] == "const" or rule == OWNER for rule in (place["seen_by"] for place in self.graph["places"].values()))
        return places and all(_own_field(rule) for rule in self.hidden_while if rule is not None)

    def _sight(self, place: int) -> int | None:
        """The players who can see into a place, as bits; None if that depends on the state."""
        rule = self._specs[place].get("seen_by")
        if rule is None or (rule["op"] == "const" and rule["value"] == "everyone"):
            return self.everyone
        if rule["op"] == "const" and rule["value"] == "nobody":
            return 0
        owner = self.place_owner.get(place)
        if rule != OWNER:
            return None
        return 1 << owner if owner is not None and owner < self.players else 0

    def _holder(self, place: int) -> int | None:
        """The component, other than a player, that a place is or belongs to."""
        holder = self.around[place]
        return holder if holder is not None and holder >= self.players else None

    def _label(self, number: int) -> str:
        """What people call a component or place."""
        if number >= self.count:
            owner = self.place_owner.get(number)
            label: str = self.place_spec(number)["label"] or self.place_names[number]
            return label if owner is None else f"{self._label(owner)}'s {label}"
        definition = self.definitions[number]
        if definition == "player":
            return f"Player {self.copies[number]}"
        component = self.graph["components"].get(definition)
        if component is not None:
            return str(component["labels"][self.copies[number] - 1] if "labels" in component else component["label"])
        if number in self.rows:
            return f"{self.grid_of[number]} {self.rows[number]},{self.columns[number]}"
        return str(self.graph["tracks"].get(definition, {}).get("label", definition))

    def is_place(self, number: int) -> bool:
        """Whether a number is that of a place."""
        return number >= self.count or bool(self.graph["kinds"].get(self.kinds[number], {}).get("is_place"))

    # -- links and grids

    def _links(self) -> None:
        self.ends: dict[int, tuple[int, int]] = {}
        self.links_at: dict[int, list[tuple[int, int]]] = {}
        for link in self.graph["links"]:
            number = self.first(link["component"])
            ends = [self._end(name) for name in link["ends"]]
            if number is None or None in ends:
                continue
            a, b = ends[0], ends[1]
            assert a is not None
            assert b is not None
            self.ends[number] = (a, b)
            self.links_at.setdefault(a, []).append((number, b))
            if not link["one_way"]:
                self.links_at.setdefault(b, []).append((number, a))

    def _end(self, name: str) -> int | None:
        found = self.first(name)
        return found if found is not None else self.global_places.get(name)

    def neighbours(self, place: int) -> list[tuple[int | None, int]]:
        """The places one step away, with the link that leads there (none on a grid)."""
        grid = self.grid_of.get(place)
        if grid is None:
            return list(self.links_at.get(place, ()))
        cells, row, column = self.cells[grid], self.rows[place] - 1, self.columns[place] - 1
        around = [(row + down, column + right) for down, right in self.shapes[grid].steps]
        found: list[tuple[int | None, int]] = [(None, cells[r][c]) for r, c in around if 0 <= r < len(cells) and 0 <= c < len(cells[0])]
        return found + list(self.links_at.get(place, ()))


def _own_field(rule: Expr) -> bool:
    """Whether a condition looks at nothing but the fields of the component itself."""
    if rule["op"] in ("not", "and", "or"):
        return all(_own_field(part) for part in ([rule["part"]] if rule["op"] == "not" else rule["parts"]))
    return bool(rule["op"] == "field" and rule["of"] == SELF)


def _back(fields: dict[str, Any]) -> tuple[tuple[str, int, str], ...]:
    """The fields that everyone can read on a component, whoever can tell which one it is: their names, their slots and their types."""
    return tuple((name, slot, field["type"]["how"]) for slot, (name, field) in enumerate(fields.items()) if field["seen_by"] == EVERYONE)
