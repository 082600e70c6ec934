"""The shape of a table: frozen records, by id wherever there are several of a sort, so that two tables differ in little.

Ids are those of the game: `king`, `ace.3`, `player.1.hand`, `ferry_2.deck`. What a seat cannot tell has the id of where it lies, as options name it:
`player.2.hand#3` is the third thing in that place. Whatever says nothing (no marks, no colour, false) is left out of the JSON; nothing is ever null.
"""

from __future__ import annotations

from typing import Any

import msgspec

Value = bool | int | str | list[Any]


class Look(msgspec.Struct, frozen=True, omit_defaults=True):
    """How something is drawn, from table.yaml: a colour of the palette, a symbol of a few letters, a size (1 is usual), a shape."""

    colour: str = ""
    symbol: str = ""
    size: float = 1
    shape: str = ""


NO_LOOK = Look()  # of what nothing is said; as a default it is left out


class Thing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A component that lies somewhere. `name` is its declaration (the rule behind it); a hidden one has no name, and only what everyone can read on it.

    `marks` are its flags that are up, in words; `fields` everything else that can be read and says something.
    """

    id: str
    label: str
    place: str
    name: str = ""
    kind: str = ""
    hidden: bool = False
    marks: list[str] = []
    fields: dict[str, Value] = {}
    look: Look = NO_LOOK


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somewhere things lie: `shape` is area, row, pile, bag or hand (a row that only its owner sees); `owner` the component it belongs to.

    `members` are the things in it that are worth telling apart, as they lie: of a pile what can be told and its top, which is the last; `count` counts all. Things that a
    seat cannot tell in a pile or bag are only counted. A place that is a component itself (a spot of the board) has its id.
    """

    id: str
    label: str
    shape: str
    count: int = 0
    members: list[str] = []
    owner: str = ""
    name: str = ""
    closed: bool = False  # this seat cannot see what lies here
    capacity: int = 0
    look: Look = NO_LOOK


class Spot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place on the board, at a position in steps of a square lattice, to the right and down; what lies there is in the place of the same id.

    `cover` is the thing in it that it is recognised by (a tile), whose label and look it then has; `printed` is then what the board itself calls it.
    """

    id: str
    label: str
    x: float
    y: float
    name: str = ""
    kind: str = ""
    cover: str = ""
    printed: str = ""
    grid: str = ""
    row: int = 0
    column: int = 0
    marks: list[str] = []
    fields: dict[str, Value] = {}
    look: Look = NO_LOOK


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way between two spots. A `port` is drawn as a mark at its first end instead of a line; `places` are its own, such as a doorway."""

    id: str
    label: str
    ends: list[str]
    name: str = ""
    kind: str = ""
    one_way: bool = False
    port: bool = False
    marks: list[str] = []
    fields: dict[str, Value] = {}
    places: list[str] = []
    look: Look = NO_LOOK


class Grid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rectangle of spots; `spots` has them row by row. A `hexagonal` one has every row half a cell further to the right than the one above it."""

    id: str
    rows: int
    columns: int
    spots: list[list[str]]
    chequered: bool = False
    hexagonal: bool = False


class Board(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is laid out in the middle: positions go from 0 to `width` and `height`."""

    width: float = 0
    height: float = 0
    spots: dict[str, Spot] = {}
    links: dict[str, Link] = {}
    grids: dict[str, Grid] = {}


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A track: the colours of its spaces, and the space, from 1, that the marker is on."""

    id: str
    label: str
    spaces: list[str]
    space: int
    look: Look = NO_LOOK


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """Places and tracks that stand together, in this order."""

    label: str
    members: list[str]


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player: `stands_for` are the components that this player decides for; `outcome` is won, lost or eliminated."""

    id: str
    number: int
    label: str
    marks: list[str] = []
    fields: dict[str, Value] = {}
    stands_for: list[str] = []
    outcome: str = ""
    look: Look = NO_LOOK


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option: what to answer, in words, the things, spots, places or links it is about, and the rule it is (an action), if it is one.

    `chance` is how probable it is, for who answers for chance.
    """

    id: str
    label: str
    about: list[str] = []
    rule: str = ""
    chance: str = ""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has to decide (0: chance). What is asked, and the options, only for that seat."""

    player: int
    mine: bool = False
    kind: str = ""
    prompt: str = ""
    options: list[Choice] = []


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the story: `kind` is heading, action, choice, event, message, outcome or end; `depth` the level of a heading, from 1, or how deep inside other effects it happened.

    `phase` is the path of the phase it happened in, `rule` the rule behind it, with what it cites; `about` what it is about, `player` who did it.
    """

    text: str
    kind: str = ""
    phase: str = ""
    rule: str = ""
    cites: list[str] = []
    depth: int = 0
    about: list[str] = []
    player: int = 0


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat sees. The story is by number, from "1"; `seat` 0 looks on; `phase` is the one of the last line, `state` what the
    rules remember of the table as a whole, such as the trump."""

    ruleset: str
    title: str
    seat: int
    seats: dict[str, Seat]
    board: Board
    places: dict[str, Place]
    things: dict[str, Thing]
    tracks: dict[str, Track]
    groups: list[Group]
    decision: Decision | msgspec.UnsetType = msgspec.UNSET
    story: dict[str, Line] = {}
    phase: str = ""
    state: dict[str, Value] = {}
    over: bool = False
    winners: list[int] = []


def plain(table: Table) -> dict[str, Any]:
    """A table as JSON."""
    made = msgspec.to_builtins(table)
    assert isinstance(made, dict)
    return made
