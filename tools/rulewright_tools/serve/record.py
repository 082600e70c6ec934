"""What a journal says: the choices that count, who sits where, and whether the game was stopped; and the game that comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright.errors import IllegalChoice, RulesError
from rulewright_tools.serve.journal import JournalError, Line
from rulewright_tools.serve.seats import Seat

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.rules import Rules

Made = tuple[int, str]  # a choice: the player, from 1, and the id of what was chosen


class Header(msgspec.Struct, kw_only=True):
    """What is said of a game when it begins."""

    id: str
    name: str  # of the ruleset, in the catalogue
    title: str
    target: str
    layers: list[str]
    layer_names: list[str]
    options: dict[str, str]
    fingerprint: str
    players: int
    seed: int
    host: str  # the mark of the secret of who began it
    listed: bool
    watched: bool
    created: float


class Record(msgspec.Struct):
    """A game as its journal has it."""

    header: Header
    seats: list[Seat]
    made: list[Made]
    stopped: str = ""
    winners: list[int] | None = None  # if the game is over
    answered: dict[int, int] = {}  # how many choices of each player there have been, with those that were taken back
    undone: int = 0  # how often something was taken back

    @property
    def turn(self) -> int:
        """A number that no two moments of the game have in common. It tells of choices that not everyone may notice."""
        return sum(self.answered.values()) + self.undone

    def turn_of(self, player: int) -> int:
        """A number that no two decisions of a player have in common, whatever others do."""
        return self.answered.get(player, 0) + self.undone

    def choose(self, player: int, option: str) -> None:
        """One more choice."""
        self.made.append((player, option))
        self.answered[player] = self.answered.get(player, 0) + 1

    def take_back(self, count: int) -> None:
        """The last choices count no more."""
        del self.made[len(self.made) - count :]
        self.undone += 1
        self.winners = None


def read_record(header: Line, lines: Iterable[Line]) -> Record:
    """What the lines of a journal come to."""
    try:
        record = Record(msgspec.convert(header["game"], Header), msgspec.convert(header["seats"], list[Seat]), [])
        for line in lines:
            (what, value), *_ = line.items()
            match what:
                case "c":
                    record.choose(*msgspec.convert(value, Made))
                case "u":
                    record.take_back(msgspec.convert(value, int))
                case "e":
                    record.winners = msgspec.convert(value, list[int])
                case "s":
                    record.seats = msgspec.convert(value, list[Seat])
                case "stop":
                    record.stopped = str(value)
                case _:
                    raise KeyError(what)
    except (KeyError, ValueError, TypeError) as error:
        raise JournalError(f"the journal says something that it cannot: {error}") from None
    return record


def as_header(record: Record) -> Line:
    """The first line of a journal."""
    return {"game": msgspec.to_builtins(record.header), "seats": msgspec.to_builtins(record.seats)}


def play_again(rules: Rules, record: Record) -> Game:
    """The game that a record comes to; refuses one of other rules, and choices that cannot be made."""
    header = record.header
    if rules.fingerprint != header.fingerprint:
        raise JournalError(f"the rules of '{header.name}' have changed since this game began, so it cannot go on")
    try:
        game = rules.new_game(header.players, header.seed)
    except (RulesError, ValueError) as error:
        raise JournalError(f"these rules cannot be played: {error}") from None
    try:
        for number, (player, option) in enumerate(record.made, start=1):
            decision = game.decision
            if decision is None or decision.player != player:
                raise JournalError(f"choice {number} of the game is not player {player}'s")
            game.choose(option)
    except (IllegalChoice, RulesError) as error:
        raise JournalError(f"the game cannot be played again: {error}") from None
    return game


def summary(record: Record) -> dict[str, Any]:
    """A game in the list of games."""
    header = record.header
    return {
        "id": header.id,
        "title": header.title,
        "layers": header.layer_names,
        "created": int(header.created),
        "choices": len(record.made),
        "winners": record.winners,
        "stopped": bool(record.stopped),
        "seats": [{"kind": seat.kind, "name": seat.name} for seat in record.seats],
    }
