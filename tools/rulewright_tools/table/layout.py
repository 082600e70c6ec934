"""What never changes about the table of a ruleset, for a number of players: where spots stand, what links join, which places there are, how things look.

Takes rules, and the language in which they are read; gives what `look` puts the state of a game into. Made once, used by every seat of every game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core.world import World
from rulewright.game.views import place_identity
from rulewright.step.wording import Wording
from rulewright_tools.table.model import Grid, Group, Look, Value
from rulewright_tools.table.positions import Position, positions
from rulewright_tools.table.style import Style, read_style

if TYPE_CHECKING:
    from rulewright.rules import Rules


Read = tuple[list[str], dict[str, Value]]  # marks and fields of a component, in words


class Layout:
    """The table of a ruleset without anything on it."""

    def __init__(self, rules: Rules, players: int, language: str | None = None) -> None:
        self.rules = rules
        linked = rules.linked(players)
        self.world: World = linked.world
        self.language = language
        self.words: Wording = linked.wording if language is None else linked.worded(rules.catalog(language))
        self.style: Style = read_style(rules.packages)
        self.title = _title(rules, self.words.catalog.language)
        self.numbers = {identity: number for number, identity in enumerate(self.world.identities)}
        self.labels = {place_identity(self.world, number): self.words.labels[number] for number in range(self.world.place_count)}
        self.places = {place_identity(self.world, number): number for number in range(self.world.place_count) if self.world.is_place(number)}
        self.names = [self._names(number) for number in range(self.world.count)]
        self.left_out = [self.style.leaves_out(names) for names in self.names]
        self._colour_by: list[str | None] = [self.style.attributes(names).get("colour_by") for names in self.names]
        self._looks: dict[tuple[int, str], Look] = {}
        self.kept = [identity for identity, number in self.numbers.items() if self.style.keeps(self.names[number])]
        self.links = {number: ends for number, ends in self.world.ends.items() if not self.style.leaves_out(self.names[number])}
        self.ports = {number for number in self.links if self.style.attributes(self.names[number]).get("port")}
        self.one_way = {number for number, ends in self.links.items() if not any(link == number for link, _ in self.world.links_at.get(ends[1], ()))}
        self.places_of_links = {
            number: [place_identity(self.world, place) for place in self.world.places_of.get(number, ())] for number in self.links
        }
        self.covers = {number: cover for number in range(self.world.count) if (cover := self.style.attributes(self.names[number]).get("cover"))}
        self.deciding = self._deciding()
        self.deciders = [
            (self.world.identities[number], field) for number in range(self.world.count) if (field := self.deciding.get(self.world.kinds[number]))
        ]
        self.spots = self._spots()
        self.width = max((x for x, _ in self.spots.values()), default=0)
        self.height = max((y for _, y in self.spots.values()), default=0)
        self.spot_names = {place_identity(self.world, number): number for number in self.spots}
        self.link_names = {self.world.identities[number]: number for number in self.links}
        self.ends = {self.world.identities[number]: [place_identity(self.world, end) for end in ends] for number, ends in self.links.items()}
        self.place_looks = {number: self.style.look(self.place_names(number)) for number in self.places.values()}
        self.owners = {name: self._owner(number) for name, number in self.places.items()}
        self.shown = {name: self._shows_place(name, number) for name, number in self.places.items()}
        self.grids = self._grids()
        self.groups = self._groups()

    # -- names and looks

    def _names(self, number: int) -> list[str]:
        """Everything a component may be called in table.yaml, the most general first."""
        world, names = self.world, list[str]()
        kind: str | None = world.kinds[number]
        while kind is not None and kind in world.graph["kinds"]:
            names.append(kind)
            kind = world.graph["kinds"][kind]["parent"]
        grid = [world.grid_of[number]] if number in world.grid_of else []
        return [*reversed(names), *grid, world.definitions[number], *([world.identities[number]] if world.copies[number] else [])]

    def names_of_kind(self, kind: str) -> list[str]:
        """The same of a kind."""
        names = []
        found: str | None = kind
        while found is not None and found in self.world.graph["kinds"]:
            names.append(found)
            found = self.world.graph["kinds"][found]["parent"]
        return [*reversed(names)]

    def place_names(self, place: int) -> list[str]:
        """Everything a place may be called in table.yaml: `player.hand`, and the same of one player."""
        if place < self.world.count:
            return self.names[place]
        owner, name = self.world.place_owner.get(place), self.world.place_names[place]
        short = name.rpartition(".")[2]
        kinds = [f"{kind}.{short}" for kind in self.names[owner]] if owner is not None else []
        return list(dict.fromkeys([*kinds, name, place_identity(self.world, place)]))

    def look(self, number: int, fields: dict[str, Any]) -> Look:
        """How a component is drawn."""
        by = self._colour_by[number]
        said = fields.get(by) if by is not None else None
        key = number, said if isinstance(said, str) else ""
        if key not in self._looks:
            self._looks[key] = self.style.look(self.names[number], fields)
        return self._looks[key]

    def _owner(self, number: int) -> str:
        """The component that a place belongs to, or is."""
        if number < self.world.count:
            return self.world.identities[number]
        owner = self.world.place_owner.get(number)
        return "" if owner is None else self.world.identities[owner]

    def _shows_place(self, name: str, number: int) -> bool | None:
        """Whether a place is part of every table; None: that depends on what lies there."""
        if self._leaves_out(number):
            return False
        owner = self.owners[name]
        return True if name in self.spot_names or owner == "" or owner.startswith("player.") else None

    def shows_field(self, number: int, field: str, value: Any) -> bool:
        """Whether a field of a component is shown, with a value."""
        paths = [f"{name}.{field}" for name in self.names[number]]
        declared = self.world.graph["kinds"].get(self.world.kinds[number], {"fields": {}})["fields"].get(field, {})
        if declared.get("untold") and not self.style.keeps(paths):
            return False
        return not self.style.leaves_out([*paths, *(f"{path}={value}" for path in paths)])

    def _deciding(self) -> dict[str, str]:
        """The field that says which player decides for a component, by its kind."""
        found: dict[str, str] = {}
        for kind in self.world.graph["kinds"]:
            for name in reversed(self.names_of_kind(kind)):
                rule = self.world.graph["kinds"][name].get("decided_by")
                if rule is not None and rule["op"] == "field" and rule["of"] == {"op": "var", "name": "self"}:
                    found.setdefault(kind, rule["name"])
        return found

    # -- the board

    def _spots(self) -> dict[int, Position]:
        """The places on the board: cells, ends of links, and what has a position; each with where it stands."""
        world, given = self.world, dict[str, Position]()
        right = 0.0
        for name, rows in world.cells.items():
            left, top = self.style.at.get(name, (right, 0.0))
            lean = 0.5 if self._is_hexagonal(name) else 0.0
            right = max(right, left + len(rows[0]) + lean * len(rows) + 1)
            given |= {
                world.identities[cell]: (left + column + lean * row, top + row) for row, cells in enumerate(rows) for column, cell in enumerate(cells)
            }
        drawn = {number: ends for number, ends in self.links.items() if number not in self.ports}
        wanted = [*world.grid_of, *(end for ends in drawn.values() for end in ends), *(ends[0] for ends in self.links.values())]
        wanted += [number for name in self.style.at if (number := self.numbers.get(name)) is not None]
        shown = [number for number in sorted(set(wanted)) if not self._leaves_out(number)]
        names = {place_identity(world, number): number for number in shown}
        given |= {name: at for name, at in self.style.at.items() if name in names}
        neighbours: dict[str, list[str]] = {name: [] for name in names}
        for ends in drawn.values():
            one, other = (place_identity(world, end) for end in ends)
            if one in names and other in names:
                neighbours[one].append(other)
                neighbours[other].append(one)
        return {names[name]: at for name, at in positions(list(names), neighbours, given).items()}

    def _leaves_out(self, number: int) -> bool:
        return self.style.leaves_out(self.place_names(number) if number >= self.world.count else self.names[number])

    def _is_hexagonal(self, grid: str) -> bool:
        return bool(self.world.graph["grids"][grid].get("shape") == "hexagonal")

    def _grids(self) -> dict[str, Grid]:
        world = self.world
        return {
            name: Grid(
                name,
                len(rows),
                len(rows[0]),
                [[world.identities[cell] for cell in row] for row in rows],
                bool(self.style.attributes([world.graph["grids"][name]["kind"], name]).get("chequered")),
                self._is_hexagonal(name),
            )
            for name, rows in world.cells.items()
            if rows and rows[0][0] in self.spots
        }

    def _groups(self) -> list[Group]:
        """Groups with the ids of places and tracks: `player.hand` stands for that place of every player."""
        by_name: dict[str, list[str]] = {name: [name] for name in self.world.tracks}
        for identity, place in self.places.items():
            for name in dict.fromkeys(self.place_names(place)):
                by_name.setdefault(name, []).append(identity)
        return [
            Group(self.words.word(group.label), [identity for name in group.members for identity in by_name.get(name, ())])
            for group in self.style.groups
        ]


def _title(rules: Rules, language: str | None) -> str:
    """What the game is called, with what was put on top of it."""
    packages = rules.packages
    games = [number for number, package in enumerate(packages) if package.players is not None]
    first = games[0] if games else len(packages) - 1
    return " + ".join(package.titles.get(language or "", package.title) for package in packages[first:])
