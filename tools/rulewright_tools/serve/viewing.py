"""Looking at a game that is over, or that somebody has brought: moment by moment, through anybody's eyes.

A viewer has a game of its own, which goes back and forth; what is sent are the same messages as in a game, with `about.viewing`. What was hidden while the game was played is not hidden any more.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.errors import IllegalChoice, RulesError, SaveError
from rulewright.game import saving
from rulewright_tools.serve import journal as journals
from rulewright_tools.serve import protocol
from rulewright_tools.serve.catalogue import CatalogueError, language_of
from rulewright_tools.serve.connection import POLICY, Line, received
from rulewright_tools.serve.eyes import Document, Eyes
from rulewright_tools.serve.hosted import Refusal
from rulewright_tools.serve.house import ID, House
from rulewright_tools.serve.journal import SUFFIX, JournalError
from rulewright_tools.serve.limits import Rate
from rulewright_tools.serve.record import Made, Record, read_record
from rulewright_tools.table import rule_of

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.rules import Rules


class Recorded(msgspec.Struct):
    """A game to look at: its rules, how it began, and its choices."""

    id: str
    name: str
    title: str
    rules: Any
    players: int
    seed: int
    made: list[Made]
    seats: list[dict[str, str]]
    options: dict[str, str]
    layers: list[str]
    stopped: str = ""


def find(house: House, id: str) -> Recorded:
    """What can be looked at under an id: a game that is over, or a replay that was uploaded."""
    if not ID.fullmatch(id):
        raise Refusal("no_game", "There is nothing to look at under this address.")
    replay = house.path("replays") / f"{id}.json"
    if replay.is_file():
        return from_replay(house, id, json.loads(replay.read_text(encoding="utf-8")))
    return from_record(house, _record(house, id))


def _record(house: House, id: str) -> Record:
    if id in house.games:
        record = house.games[id].record
    else:
        path = house.path("archive") / f"{id}{SUFFIX}"
        if not path.is_file():
            raise Refusal("no_game", "There is nothing to look at under this address.")
        try:
            record = read_record(*journals.read(path)[1:])
        except JournalError as error:
            raise Refusal("unreadable", f"This game cannot be opened: {error}.") from None
    if record.winners is None and not record.stopped:
        raise Refusal("not_over", "This game is not over yet; it can be looked at when it is.")
    return record


def from_record(house: House, record: Record) -> Recorded:
    """A game of this house."""
    header = record.header
    try:
        rules = house.catalogue.rules(header.target, header.layers, header.options)
    except CatalogueError as error:
        raise Refusal("rules", f"The rules of this game cannot be loaded: {error}.") from None
    if rules.fingerprint != header.fingerprint:
        raise Refusal("rules", f"The rules of '{header.name}' have changed since this game was played.")
    seats = [{"kind": seat.kind, "name": seat.name} for seat in record.seats]
    return Recorded(
        header.id,
        header.name,
        header.title,
        rules,
        header.players,
        header.seed,
        record.made,
        seats,
        header.options,
        header.layer_names,
        record.stopped,
    )


def from_replay(house: House, id: str, data: Any) -> Recorded:
    """A replay that somebody has brought. It names rules as it likes; only those of the catalogue are loaded."""
    try:
        saving.check_shape(data, "replay")
        about = data["ruleset"]
        if len(data["choices"]) > house.limits.choices:
            raise Refusal("size", f"A game to look at has at most {house.limits.choices:,} choices.")
        if data["chance"] == "ask" or data["script"]:
            raise Refusal("chance", "A game for which people have answered for chance can be looked at with 'rulewright replay' only.")
        target, added = house.catalogue.path(about["target"]), [house.catalogue.path(layer) for layer in about["added"]]
        rules = house.catalogue.rules(target, added, about["options"])
        saving.check_rules(rules, data, "replay")
        low, high = rules.players
        if not low <= data["players"] <= high:
            raise Refusal("players", f"The replay is of a game for {data['players']} players.")
    except (SaveError, CatalogueError) as error:
        raise Refusal("replay", f"This replay cannot be played here: {error}.") from None
    made = [(int(player), str(option)) for player, option in data["choices"]]
    entries = house.catalogue.entries()
    layers = [entries[name].title for name in about["added"] if name in entries]
    title = str(rules.graph["ruleset"]["title"])
    seats = [{"kind": "person", "name": ""} for _ in range(data["players"])]
    return Recorded(id, about["target"], title, rules, data["players"], data["seed"], made, seats, dict(about["options"]), layers)


def keep_replay(house: House, text: bytes) -> str:
    """Take in a replay, after it was played once; the id under which it can be looked at."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("replay", "This file is no replay: it is not JSON.") from None
    recorded = from_replay(house, "", data)
    Playback(recorded).go(len(recorded.made))
    folder = house.path("replays")
    there = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for old in there[: max(0, len(there) - house.limits.replays + 1)]:
        old.unlink(missing_ok=True)
    id = secrets.token_urlsafe(9)
    from rulewright.files import write_text

    write_text(folder / f"{id}.json", json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return id


class Playback:
    """A recorded game, at a moment."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded
        rules: Rules = recorded.rules
        try:
            self.game: Game = rules.new_game(recorded.players, recorded.seed)
        except (RulesError, ValueError) as error:
            raise Refusal("rules", f"The rules cannot be played: {error}.") from None
        self.at = 0

    def go(self, to: int) -> None:
        """To after so many choices."""
        to = min(to, len(self.recorded.made))
        while self.at > to:
            if not self.game.undo(past_secrets=True):
                raise Refusal("back", "It does not go further back.")
            self.at -= 1
        while self.at < to:
            if not self.game.redo():
                player, option = self.recorded.made[self.at]
                decision = self.game.decision
                try:
                    if decision is None or decision.player != player:
                        raise IllegalChoice("somebody else decides")
                    self.game.choose(option)
                except (IllegalChoice, RulesError) as error:
                    raise Refusal("replay", f"Choice {self.at + 1} of the game cannot be made: {error}.") from None
            self.at += 1


class Viewer:
    """Somebody who looks at a game that is over."""

    def __init__(self, house: House, socket: WebSocket, id: str) -> None:
        self.house, self._socket, self._id = house, socket, id
        self.line = Line(socket, house.limits)
        self._playback: Playback | None = None
        self._eyes: Eyes | None = None
        self._language: str | None = None

    async def run(self) -> None:
        """From the first message to the last."""
        self.line.put(protocol.hello())
        writer = asyncio.create_task(self.line.run())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
            self.line.end(1000, "")
            await asyncio.wait({writer}, timeout=self.house.limits.patience)
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)

    async def _read(self) -> None:
        limits = self.house.limits
        rate = Rate(limits.messages_a_second * 3, limits.messages_at_once, time.monotonic())
        try:
            while True:
                text = await received(self._socket)
                if len(text) > limits.message or not rate.take(time.monotonic()):
                    return self._drop("rate", "Too much at once.")
                request = protocol.decode(text)
                try:
                    self.line.put(protocol.reply(request.ask, await self._answer(request)))
                except Refusal as refused:
                    self.line.put(protocol.refusal(request.ask, refused.code, str(refused)))
                    if self._playback is None:
                        return self.line.end(POLICY, refused.code)
        except protocol.Malformed as error:
            return self._drop("malformed", f"This is no message: {error}")
        except WebSocketDisconnect:
            return None

    def _drop(self, code: str, why: str) -> None:
        self.line.put(protocol.refusal(None, code, why))
        self.line.end(POLICY, code)

    async def _answer(self, request: protocol.Request) -> Any:
        match request:
            case protocol.Join():
                self.line.put(await asyncio.to_thread(self._open, request.language))
                return {}
            case protocol.Go() if self._playback is not None:
                message = await asyncio.to_thread(self._go, request.to, request.seat)
                if message is not None:
                    self.line.put(message)
                return {}
            case protocol.Rule() if self._playback is not None:
                rules, name = self._playback.recorded.rules, request.name
                return msgspec.to_builtins(await asyncio.to_thread(lambda: rule_of(rules, name)))
            case protocol.Story() if self._playback is not None and self._eyes is not None:
                return await asyncio.to_thread(self._eyes.earlier, self._playback.game, request.before)
        raise Refusal("unknown", "That is for games that are going on.")

    def _open(self, language: str) -> str:
        recorded = find(self.house, self._id)
        self._language = language_of(recorded.rules, language or self.house.language)
        self._playback = Playback(recorded)
        return self._seen_by(None)

    def _seen_by(self, seat: int | None) -> str:
        """Everything, through other eyes."""
        assert self._playback is not None
        recorded = self._playback.recorded
        layout = self.house.catalogue.layout(recorded.rules, recorded.players, self._language)
        self._eyes = Eyes(seat, self._playback.game, layout, self._about(seat))
        return self._eyes.whole(self._playback.game)

    def _go(self, to: int, seat: int) -> str | None:
        assert self._playback is not None
        assert self._eyes is not None
        if seat > self._playback.recorded.players:
            raise Refusal("seat", "There is no such player.")
        before = self._eyes.number
        self._playback.go(to)
        if (seat or None) == self._eyes.seat:
            return self._eyes.update(self._playback.game, self._about(seat or None))
        message = self._seen_by(seat or None)
        self._eyes.number = max(self._eyes.number, before)
        return message

    def _about(self, seat: int | None) -> Document:
        assert self._playback is not None
        recorded = self._playback.recorded
        found: Document = {
            "id": recorded.id,
            "title": recorded.title if self._language is None else recorded.rules.title(self._language),
            "language": self._language or "",
            "languages": list(recorded.rules.languages),
            "ruleset": recorded.name,
            "layers": recorded.layers,
            "options": recorded.options,
            "you": seat or 0,
            "viewing": True,
            "at": self._playback.at,
            "total": len(recorded.made),
            "seats": {str(number): {**each, "here": True} for number, each in enumerate(recorded.seats, start=1)},
        }
        if self._playback.at > 0:
            player, _ = recorded.made[self._playback.at - 1]
            found["last"] = player
        if recorded.stopped:
            found["stopped"] = recorded.stopped
        return found
