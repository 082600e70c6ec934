"""What one seat sees of a game: takes a game, a seat and a layout, gives a `Table`.

Everything that changes comes from the seat's view, its story and, where it has to decide, its decision. What is left out in table.yaml is not made at all, unless
an option is about it. Who looks at a game again and again keeps a `Memory` of it: what looks as it did is not made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from rulewright.game.view_cache import Onlooker
from rulewright.types import TABLE
from rulewright_tools.table.layout import Layout, Read
from rulewright_tools.table.model import NO_LOOK, Board, Choice, Decision, Line, Link, Look, Place, Seat, Spot, Table, Thing, Track, Value
from rulewright_tools.table.style import LEFT_OUT, SEATS
from rulewright_tools.table.telling import story_of

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.decision import Decision as Asked
    from rulewright.decision import Option

SOMEBODY = -1
COUNTED = ("pile", "bag")  # shapes of places where what cannot be told is only counted
Member = dict[str, Any]
T = TypeVar("T")


class Memory:
    """What a seat saw of one game when it looked last, and what each part was made of."""

    def __init__(self, seat: int | None) -> None:
        self.onlooker = Onlooker(seat)
        self._made: dict[tuple[str, str], tuple[tuple[object, ...], Any]] = {}

    def same(self, sort: str, make: Callable[..., T], name: str, *of: object) -> T:
        """A part of some sort: the one that was made last if it was made of the same, else a new one."""
        last = self._made.get((sort, name))
        if last is None or last[0] != of:
            last = self._made[sort, name] = of, make(name, *of)
        made: T = last[1]
        return made


def look(
    game: Game,
    seat: int | None,
    layout: Layout | None = None,
    *,
    chance: bool = False,
    story: Mapping[str, Line] | None = None,
    memory: Memory | None = None,
) -> Table:
    """The table as a player (from 1) or a spectator (None) sees it.

    `chance`: this seat answers for chance too, where that is asked. `story`: the lines so far, for who keeps them (see `story_of`); else they are made anew.
    `memory`: that of this seat, game and layout.
    """
    layout = layout or Layout(game.rules, game.world.players)
    told = dict(story) if story is not None else story_of(game, seat, language=layout.language)
    memory = memory or Memory(seat)
    made = Looking(layout, memory.onlooker.view(game), memory)
    asked = game.decision if layout.language is None else game.decision_in(layout.language)
    decision = made.decision(asked, seat, chance)
    result = game.result
    table = Table(
        layout.rules.id,
        layout.title,
        seat or 0,
        made.seats(),
        made.board(),
        made.places,
        made.things,
        made.tracks(),
        layout.groups,
        story=told,
        phase=made.phase(told),
        state=made.state(),
        over=result is not None,
        winners=list(result.winners) if result is not None else [],
    )
    return table if decision is None else replace(table, decision=decision)


class Looking:
    """A view, put into a layout."""

    def __init__(self, layout: Layout, view: Mapping[str, Any], memory: Memory) -> None:
        self.layout, self.world, self.style, self.words = layout, layout.world, layout.style, layout.words
        self.view, self.memory = view, memory
        self.told: dict[str, Member] = {}
        self.where: dict[str, str] = {}
        for place, seen in view["places"].items():
            if seen["count"]:
                told = memory.same("told", _told, place, seen["members"])
                self.told.update(told)
                self.where.update(dict.fromkeys(told, place))
        self.spots, self.links = layout.spot_names, layout.link_names
        self.things: dict[str, Thing] = {}
        self.places: dict[str, Place] = {}
        self._shown: dict[str, bool] = {}
        for place in view["places"]:
            if self._shows_place(place):
                self._place(place)
        for identity in layout.kept:
            if identity in self.told:
                self._bring(identity)

    # -- what is shown

    def _shows_place(self, place: str) -> bool:
        """Whether a place is part of the table: it is not left out, what it belongs to is there, and if that is no player, something lies in it."""
        always = self.layout.shown.get(place)
        if always is not None:
            return always
        if place not in self._shown:
            self._shown[place] = False  # a place inside itself is not shown
            self._shown[place] = self._decides_to_show(place)
        return self._shown[place]

    def _decides_to_show(self, place: str) -> bool:
        owner = self._owner(place)
        if owner in self.spots or owner in self.links:
            return bool(self.view["places"][place]["count"])
        if owner == place and self.where.get(owner) == LEFT_OUT:  # a place of its own that stands beside the board
            return True
        return bool(self.view["places"][place]["count"]) and self.where.get(owner) in self.view["places"] and self._shows_place(self.where[owner])

    def _owner(self, place: str) -> str:
        """The component that a place belongs to, or is."""
        owner = self.layout.owners.get(place)
        if owner is None:  # of something that cannot be told: named by where that lies
            return place if place in self.where else place.rpartition(".")[0]
        return owner

    # -- places and things

    def _place(self, place: str) -> None:
        """Shows a place with the things in it."""
        owner = self._owner(place)
        owner = owner if owner != place or self.where.get(owner, LEFT_OUT) != LEFT_OUT else ""
        self.places[place], things = self.memory.same("place", self._placed, place, self.view["places"][place], owner)
        self.things.update(things)

    def _placed(self, place: str, seen: Member, shown_owner: str) -> tuple[Place, dict[str, Thing]]:
        """A place, and the things in it that are worth telling apart."""
        number = self.layout.places.get(place)
        spec = self.world.place_spec(number) if number is not None else {"shape": "area", "label": None, "capacity": None, "holds": None}
        owner, shape = self._owner(place), str(spec.get("shape") or "area")
        closed = bool(seen["members"]) and all("id" not in member for member in seen["members"])
        if shape in ("row", "area") and owner.startswith("player.") and spec.get("seen_by") not in (None, {"op": "const", "value": "everyone"}):
            shape = "hand"
        members = [identity for identity in self._listed(place, shape) if identity not in self.spots and not self._left_out(identity)]
        made = Place(
            place,
            self.layout.labels.get(place, place) if owner in ("", place) else self._place_label(place, number),
            shape,
            seen["count"],
            members,
            shown_owner,
            self._declared(number),
            closed,
            int(spec.get("capacity") or 0),
            self.layout.place_looks[number] if number is not None else NO_LOOK,
        )
        return made, {identity: self._thing(identity, spec.get("holds")) for identity in members}

    def _place_label(self, place: str, number: int | None) -> str:
        """What a place is called that belongs to something."""
        return self.words.place(number).replace("_", " ") if number is not None else place.rpartition(".")[2].replace("_", " ")

    def _declared(self, number: int | None) -> str:
        """The declaration of a place; none of one that belongs to something this seat cannot tell."""
        if number is None:
            return ""
        return self.world.definitions[number] if number < self.world.count else self.world.place_names[number]

    def _listed(self, place: str, shape: str) -> list[str]:
        """The members of a place that are told apart; in a pile or bag what is hidden is only counted, but for a top on which something can be read."""
        members = self.view["places"][place]["members"]
        found = []
        for number, member in enumerate(members, start=1):
            top = shape == "pile" and number == len(members) and "fields" in member
            if "id" in member or shape not in COUNTED or top:
                found.append(member.get("id") or f"{place}#{number}")
        return found

    def _left_out(self, identity: str) -> bool:
        number = self.layout.numbers.get(identity)
        return number is not None and self.layout.left_out[number]

    def _thing(self, identity: str, holds: str | None = None) -> Thing:
        """A component as it lies there."""
        return self._hidden(identity, holds) if "id" not in self.told[identity] else self._seen(identity)

    def _seen(self, identity: str) -> Thing:
        number, member = self.layout.numbers[identity], self.told[identity]
        marks, fields = self._words(number, member.get("fields", {}))
        look = self.layout.look(number, member.get("fields", {}))
        return Thing(identity, self.words.labels[number], self.where[identity], member["name"], self.world.kinds[number], False, marks, fields, look)

    def _hidden(self, identity: str, holds: str | None) -> Thing:
        kind = holds if holds is not None and holds in self.world.graph["kinds"] else ""
        label = self.words.kind(kind).replace("_", " ") if kind else self.words.say("face down")
        given = self.told[identity].get("fields", {})
        marks = [self.words.field_of(kind, name) for name, value in given.items() if value is True]
        fields = {
            self.words.field_of(kind, name): self._plain(value) for name, value in given.items() if value is not None and type(value) is not bool
        }
        look = self.style.look(self.layout.names_of_kind(kind), given) if kind else NO_LOOK
        return Thing(identity, label, self.where[identity], "", kind, True, marks, fields, look)

    def _words(self, number: int, given: Mapping[str, Any]) -> Read:
        """What can be read on a component: flags that are up, and the rest of its fields."""
        marks, fields = [], dict[str, Value]()
        types = self.world.graph["kinds"].get(self.world.kinds[number], {"fields": {}})["fields"]
        for name, value in given.items():
            if value is None or value is False or value == [] or not self.layout.shows_field(number, name, value):
                continue
            words = self.words.field(number, name)
            if value is True:
                marks.append(words)
            else:
                names_things = types.get(name, {}).get("type", {}).get("how") in ("kind", "place", "set", "list")
                fields[words] = self._plain(value, self.layout.labels if names_things else {})
        return marks, fields

    def _plain(self, value: Any, labels: Mapping[str, str] = {}) -> Value:
        """A value as people read it."""
        if isinstance(value, list):
            return [self._plain(each, labels) for each in value]
        if isinstance(value, str):
            return labels.get(value) or self.words.word(value).replace("_", " ")
        assert isinstance(value, bool | int)
        return value

    # -- the board

    def board(self) -> Board:
        """The board."""
        layout = self.layout
        spots = {}
        for identity, number in layout.spot_names.items():
            told, cover = self.told.get(identity, {}), self._cover(identity, layout.covers.get(number))
            spots[identity] = self.memory.same("spot", self._spot, identity, told.get("fields", {}), cover)
        links = {}
        for identity, number in layout.link_names.items():
            if identity in self.told and layout.ends[identity][0] in spots:
                told, places = self.told[identity], [place for place in layout.places_of_links[number] if place in self.places]
                links[identity] = self.memory.same("link", self._link, identity, told.get("fields", {}), places)
        return Board(layout.width, layout.height, spots, links, layout.grids)

    def _spot(self, identity: str, given: Member, cover: Thing | None) -> Spot:
        world, number = self.world, self.spots[identity]
        x, y = self.layout.spots[number]
        if number >= world.count:
            return Spot(identity, self.words.labels[number], x, y, world.place_names[number], look=self.layout.place_looks[number])
        marks, fields = self._words(number, given)
        label, look = self.words.labels[number], self.layout.look(number, given)
        grid, row, column = world.grid_of.get(number, ""), world.rows.get(number, 0), world.columns.get(number, 0)
        kind = world.kinds[number]
        if cover is not None and not cover.hidden:
            look = Look(cover.look.colour or look.colour, cover.look.symbol or look.symbol, look.size, look.shape)
            return Spot(
                identity, cover.label, x, y, world.definitions[number], kind, cover.id, label, grid, row, column, [*marks, *cover.marks], fields, look
            )
        return Spot(identity, label, x, y, world.definitions[number], kind, cover.id if cover else "", "", grid, row, column, marks, fields, look)

    def _cover(self, spot: str, kind: str | None) -> Thing | None:
        """The thing in a spot that it is recognised by; one that cannot be told is the first that lies there face down."""
        place = self.places.get(spot)
        if kind is None or place is None:
            return None
        things = [self.things[member] for member in place.members]
        for thing in things:
            if not thing.hidden and kind in self.layout.names[self.layout.numbers[thing.id]]:
                return thing
        return next((thing for thing in things if thing.hidden), None)

    def _link(self, identity: str, given: Member, places: list[str]) -> Link:
        number = self.links[identity]
        marks, fields = self._words(number, given)
        return Link(
            identity,
            self.words.labels[number],
            self.layout.ends[identity],
            self.world.definitions[number],
            self.world.kinds[number],
            number in self.layout.one_way,
            number in self.layout.ports,
            marks,
            fields,
            places,
            self.layout.look(number, given),
        )

    # -- people and tracks

    def seats(self) -> dict[str, Seat]:
        """The players, each with the components they decide for."""
        found = {}
        for number, seen in enumerate(self.view["players"], start=1):
            identity = f"player.{number}"
            marks, fields = self._words(number - 1, seen.get("fields", {}))
            stands_for = [each for each, field in self.layout.deciders if self.told.get(each, {}).get("fields", {}).get(field) == identity]
            looks = [self.layout.look(self.layout.numbers[each], self.told[each].get("fields", {})) for each in stands_for]
            colour = next((each.colour for each in looks if each.colour), SEATS[(number - 1) % len(SEATS)])
            own = self.layout.look(number - 1, seen.get("fields", {}))
            found[identity] = Seat(
                identity,
                number,
                self.words.labels[number - 1],
                marks,
                fields,
                stands_for,
                seen["outcome"],
                replace(own, colour=own.colour or colour),
            )
        return found

    def phase(self, told: Mapping[str, Line]) -> str:
        """The phase that the last line belongs to, in words."""
        last = told.get(str(len(told)))
        return self.words.phase(last.phase) if last is not None and last.phase else ""

    def state(self) -> dict[str, Value]:
        """What the rules remember of the table as a whole."""
        number = self.layout.numbers.get(TABLE)
        if number is None:
            return {}
        given = {name: value for name, value in self.told[TABLE].get("fields", {}).items() if not self.style.leaves_out([name])}
        marks, fields = self._words(number, given)
        return {**fields, **dict.fromkeys(marks, True)}

    def tracks(self) -> dict[str, Track]:
        """The tracks."""
        return {
            name: Track(
                name,
                self.layout.labels[name],
                [str(space) for space in self.world.graph["tracks"][name]["spaces"]],
                seen["space"],
                self.style.look([name]),
            )
            for name, seen in self.view["tracks"].items()
            if not self.style.leaves_out([name])
        }

    # -- the decision

    def decision(self, asked: Asked | None, seat: int | None, chance: bool) -> Decision | None:
        """Who has to decide; for that seat what is asked, and the options with what they are about."""
        if asked is None:
            return None
        mine = asked.player == seat if asked.player else chance
        if not mine:
            # Who is asked whether to answer something may have been found out by that alone.
            return Decision(SOMEBODY if asked.kind == "reaction" else asked.player)
        return Decision(asked.player, True, asked.kind, asked.prompt, [self._choice(option, asked.player) for option in asked.options])

    def _choice(self, option: Option, player: int) -> Choice:
        wanted = option.id.partition("~")[0]
        path, _, granter = wanted.partition("@")
        action = self.world.graph["actions"].get(path) if player else None
        if action is not None and not granter and action["of"] is not None:
            alone = self.world.by_noun.get(action["of"], [])
            granter = self.world.identities[alone[0]] if len(alone) == 1 else ""
        about = self._about(granter if action is not None else wanted)
        probable = "" if option.probability is None else str(option.probability)
        return Choice(option.id, option.label, about, path if action is not None else "", probable)

    def _about(self, name: str) -> list[str]:
        """What an option is about: something with that id, shown if it is not, and the spot that it covers."""
        if name in self.spots or name in self.links or name in self.world.tracks or name in self.world.identities[: self.world.players]:
            return [name]
        if name in self.told:
            self._bring(name)
            spot = self.where[name]
            return [name, spot] if spot in self.spots and self.layout.covers.get(self.spots[spot]) and self._is_cover(name, spot) else [name]
        if name in self.view["places"]:
            if name not in self.places:
                self._place(name)
            return [name]
        place, _, number = name.rpartition("#")
        if place in self.view["places"] and number.isdecimal():  # in a bag, where nobody can say which is which
            if place not in self.places:
                self._place(place)
            return [place]
        return []

    def _is_cover(self, name: str, spot: str) -> bool:
        cover = self._cover(spot, self.layout.covers.get(self.spots[spot]))
        return cover is not None and cover.id == name

    def _bring(self, name: str) -> None:
        """Shows a thing that is otherwise not told apart, or lies in a place that is left out; what is nowhere else lies beside the board."""
        place = self.where[name]
        self.things.setdefault(name, self._thing(name))
        if place == LEFT_OUT:
            known = self.places.get(place, Place(place, self.words.say("beside the board"), "area"))
            self.places[place] = replace(known, members=list(dict.fromkeys([*known.members, name])), count=len({*known.members, name}))
            return
        if place not in self.places:
            self._place(place)
            self.places[place] = replace(self.places[place], members=[])
        known = self.places[place]
        if name not in known.members:
            order = {each: at for at, each in enumerate(_told(place, self.view["places"][place]["members"]))}
            self.places[place] = replace(known, members=sorted([*known.members, name], key=order.__getitem__))


def _told(place: str, members: list[Member]) -> dict[str, Member]:
    """What lies in a place by id; what has none is called by its position."""
    return {member.get("id") or f"{place}#{number}": member for number, member in enumerate(members, start=1)}
