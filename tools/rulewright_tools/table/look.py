"""What one seat sees of a game: takes a game, a seat and a layout, gives a `Table`.

Everything that changes comes from the seat's view, its story and, where it has to decide, its decision. What is left out in table.yaml is not made at all, unless
an option is about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright.game.views import place_identity
from rulewright_tools.table.layout import Layout, Read
from rulewright_tools.table.model import NO_LOOK, Board, Choice, Decision, Line, Link, Look, Place, Seat, Spot, Table, Thing, Track, Value
from rulewright_tools.table.style import LEFT_OUT, SEATS
from rulewright_tools.table.telling import story_of

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.decision import Decision as Asked
    from rulewright.decision import Option

SOMEBODY = -1
STATE = "#table"  # the component that keeps what `state` declares
COUNTED = ("pile", "bag")  # shapes of places where what cannot be told is only counted
Member = dict[str, Any]


def look(game: Game, seat: int | None, layout: Layout | None = None, *, chance: bool = False, story: Mapping[str, Line] | None = None) -> Table:
    """The table as a player (from 1) or a spectator (None) sees it.

    `chance`: this seat answers for chance too, where that is asked. `story`: the lines so far, for who keeps them (see `story_of`); else they are made anew.
    """
    layout = layout or Layout(game.rules, game.world.players)
    told = dict(story) if story is not None else story_of(game, seat, language=layout.language)
    made = Looking(layout, game.view(seat, language=layout.language))
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

    def __init__(self, layout: Layout, view: Mapping[str, Any]) -> None:
        self.layout, self.world, self.style, self.words = layout, layout.world, layout.style, layout.words
        self.view = view
        self.told: dict[str, Member] = {}
        self.where: dict[str, str] = {}
        for place, seen in view["places"].items():
            for number, member in enumerate(seen["members"], start=1):
                identity = member.get("id") or f"{place}#{number}"
                self.told[identity] = member
                self.where[identity] = place
        self.spots, self.links = layout.spot_names, layout.link_names
        self.things: dict[str, Thing] = {}
        self.places: dict[str, Place] = {}
        self._shown: dict[str, bool] = {}
        for place in view["places"]:
            if self._shows_place(place):
                self._place(place)
        for identity in self.told if self.style.kept else ():
            if identity in layout.numbers and self.style.keeps(layout.names[layout.numbers[identity]]):
                self._bring(identity)

    # -- what is shown

    def _shows_place(self, place: str) -> bool:
        """Whether a place is part of the table: it is not left out, what it belongs to is there, and if that is no player, something lies in it."""
        if place not in self._shown:
            self._shown[place] = False  # a place inside itself is not shown
            self._shown[place] = self._decides_to_show(place)
        return self._shown[place]

    def _decides_to_show(self, place: str) -> bool:
        number, owner = self.layout.places.get(place), self._owner(place)
        if number in self.layout.left_out_places:
            return False
        if place in self.spots:
            return True
        if owner == "":
            return True
        if owner in self.spots or owner in self.links:
            return bool(self.view["places"][place]["count"])
        if owner.startswith("player."):
            return True
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
        """A place with the things in it that are worth telling apart."""
        number, seen = self.layout.places.get(place), self.view["places"][place]
        spec = self.world.place_spec(number) if number is not None else {"shape": "area", "label": None, "capacity": None, "holds": None}
        owner, shape = self._owner(place), str(spec.get("shape") or "area")
        closed = bool(seen["members"]) and all("id" not in member for member in seen["members"])
        if shape in ("row", "area") and owner.startswith("player.") and spec.get("seen_by") not in (None, {"op": "const", "value": "everyone"}):
            shape = "hand"
        members = [identity for identity in self._listed(place, shape) if identity not in self.spots and not self._left_out(identity)]
        for identity in members:
            self._thing(identity, spec.get("holds"))
        self.places[place] = Place(
            place,
            self.layout.labels.get(place, place) if owner in ("", place) else self._place_label(place, number),
            shape,
            seen["count"],
            members,
            owner if owner != place or self.where.get(owner, LEFT_OUT) != LEFT_OUT else "",
            self._declared(number),
            closed,
            int(spec.get("capacity") or 0),
            self.layout.place_looks[number] if number is not None else NO_LOOK,
        )

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
        """A component, made when it is met first."""
        if identity not in self.things:
            self.things[identity] = self._hidden(identity, holds) if "id" not in self.told[identity] else self._seen(identity)
        return self.things[identity]

    def _seen(self, identity: str) -> Thing:
        number, member = self.layout.numbers[identity], self.told[identity]
        marks, fields = self._words(number, member.get("fields", {}))
        look = self.layout.look(number, member.get("fields", {}))
        return Thing(identity, member["label"], self.where[identity], member["name"], self.world.kinds[number], False, marks, fields, look)

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
        last = self.layout.read.get(number)
        if last is None or last[0] != given:
            last = self.layout.read[number] = dict(given), self._read(number, given)
        return last[1]

    def _read(self, number: int, given: Mapping[str, Any]) -> Read:
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
        layout, identities = self.layout, self.world.identities
        spots = {self._identity(number): self._spot(number, x, y) for number, (x, y) in layout.spots.items()}
        links = {
            identities[number]: link for number, ends in layout.links.items() if (link := self._link(number, *map(self._identity, ends))) is not None
        }
        return Board(layout.width, layout.height, spots, links, layout.grids)

    def _identity(self, number: int) -> str:
        return place_identity(self.world, number)

    def _spot(self, number: int, x: float, y: float) -> Spot:
        world, identity = self.world, self._identity(number)
        if number >= world.count:
            return Spot(identity, self.words.labels[number], x, y, world.place_names[number], look=self.layout.place_looks[number])
        given = self.told.get(identity, {}).get("fields", {})
        marks, fields = self._words(number, given)
        label, look = self.words.labels[number], self.layout.look(number, given)
        grid, row, column = world.grid_of.get(number, ""), world.rows.get(number, 0), world.columns.get(number, 0)
        cover, kind = self._cover(identity, self.layout.covers.get(number)), world.kinds[number]
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

    def _link(self, number: int, one: str, other: str) -> Link | None:
        identity = self.world.identities[number]
        if identity not in self.told or one not in self.spots:
            return None
        given = self.told[identity].get("fields", {})
        marks, fields = self._words(number, given)
        places = [place for place in self.layout.places_of_links[number] if place in self.places]
        return Link(
            identity,
            self.words.labels[number],
            [one, other],
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
                seen.get("label", f"Player {number}"),
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
        number = self.layout.numbers.get(STATE)
        if number is None:
            return {}
        given = {name: value for name, value in self.told[STATE].get("fields", {}).items() if not self.style.leaves_out([name])}
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
            return [name, spot] if spot in self.spots and self.layout.covers.get(self.layout.numbers[spot]) and self._is_cover(name, spot) else [name]
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
        cover = self._cover(spot, self.layout.covers.get(self.layout.numbers[spot]))
        return cover is not None and cover.id == name

    def _bring(self, name: str) -> None:
        """Shows a thing that is otherwise not told apart, or lies in a place that is left out; what is nowhere else lies beside the board."""
        place = self.where[name]
        self._thing(name, None)
        if place == LEFT_OUT:
            known = self.places.get(place, Place(place, self.words.say("beside the board"), "area"))
            self.places[place] = replace(known, members=list(dict.fromkeys([*known.members, name])), count=len({*known.members, name}))
            return
        if place not in self.places:
            self._place(place)
            self.places[place] = replace(self.places[place], members=[])
        known = self.places[place]
        if name not in known.members:
            order = {each: at for at, each in enumerate(self.told)}
            self.places[place] = replace(known, members=sorted([*known.members, name], key=order.__getitem__))
