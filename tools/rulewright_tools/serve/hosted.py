"""One game that people play: answers, bots, undo by consent, and what each pair of eyes is shown.

Everything that touches the game is done under one lock, in a thread, so that a long calculation holds up nobody else. A choice is made, written to the journal, and only then acknowledged; if it cannot be
written it is taken back. What everybody is shown follows: each pair of eyes in turn, players first, as the game then stands, so that whoever answers does not wait for those who look on, and moves that
follow each other fast are shown at once. Bots think about a copy; what they come to is dropped if the game has gone on meanwhile. They wait while nobody is there.
Whatever the rules do wrong ends in a `Refusal` for who chose, or in a game that is stopped, with the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, TypeVar

import msgspec

from rulewright.bots import Bot, make_bot
from rulewright.errors import IllegalChoice, RulesError
from rulewright_tools.serve.catalogue import CatalogueError, language_of
from rulewright_tools.serve.consent import Proposal, who_is_asked
from rulewright_tools.serve.eyes import Document, Eyes, Key
from rulewright_tools.serve.journal import Journal, JournalError, Line
from rulewright_tools.serve.record import Record, play_again
from rulewright_tools.serve.seats import Seat

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.rules import Rules
    from rulewright_tools.serve.connection import Connection
    from rulewright_tools.serve.house import House
    from rulewright_tools.table import Layout

T = TypeVar("T")


class Refusal(Exception):
    """What somebody asked for is not done; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class HostedGame:
    """A game with its seats and everybody who looks at it."""

    def __init__(self, house: House, record: Record, journal: Journal, game: Game | None = None) -> None:
        self.house, self.record, self.journal = house, record, journal
        self.id = record.header.id
        self.connections: set[Connection] = set()
        self.touched = time.monotonic()
        self.proposal: Proposal | None = None
        self.granted: set[int] = set()  # seats that may take the whole game home
        self._proposals = 0
        self._lock = asyncio.Lock()
        self._due = False  # something is to be told besides the game, as soon as nobody works on it
        self._game = game
        self._decider: int | None = None
        self._eyes: dict[Key, Eyes] = {}
        self._bots: dict[int, Bot] = {}
        self._playing: asyncio.Task[None] | None = None
        self._stale: set[Key] = set()  # eyes that have not seen what happened last
        self._telling: asyncio.Task[None] | None = None
        if game is not None:
            self._settle(game)

    # -- coming and going

    @property
    def open(self) -> bool:
        """Whether the game is in memory."""
        return self._game is not None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.record.winners is not None or bool(self.record.stopped)

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Nobody else works on the game meanwhile."""
        async with self._lock:
            yield
        if self._due:
            self.tell_about()

    async def enter(self, connection: Connection) -> None:
        """Somebody looks: they are told everything that they may know."""
        if len(self.connections) >= self.house.limits.connections_of_a_game:
            raise Refusal("full", "Too many people look at this game already.")
        self.connections.add(connection)
        try:
            await self.show(connection)
        except BaseException:
            self.connections.discard(connection)
            raise
        self.tell_about()
        self._wake_bots()

    async def show(self, connection: Connection) -> None:
        """Tell somebody everything."""
        await asyncio.shield(self._show_alone(connection))

    async def _show_alone(self, connection: Connection) -> None:
        async with self._alone():
            game = self._game if self._game is not None else await asyncio.to_thread(self.opened)
            key, about = connection.key, self.about(*connection.key)
            connection.tell_whole(await self.house.workers.later(lambda: self._entered(game, key, about)))

    def _entered(self, game: Game, key: Key, about: Document) -> str:
        if key not in self._eyes:
            self._eyes[key] = Eyes(key[0], game, self.layout(key[1]), about)
        return self._eyes[key].whole(game)

    def leave(self, connection: Connection) -> None:
        """Somebody looks no more."""
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if connection.key in self._eyes and all(each.key != connection.key for each in self.connections):
            del self._eyes[connection.key]
        self.tell_about()

    async def close(self) -> None:
        """Leave the memory; the journal has everything."""
        async with self._alone():
            if not self.connections:
                self._game = None
                self._eyes.clear()
                self._stale.clear()
                self._bots.clear()

    def opened(self) -> Game:
        """The game, made again from its journal if it is not in memory."""
        if self._game is None:
            game = play_again(self.rules, self.record)
            self._settle(game)
            self._game = game
        return self._game

    def _settle(self, game: Game) -> None:
        """Find out who has to decide."""
        try:
            self._decider = None if game.decision is None else game.decision.player
        except RulesError as error:
            self._decider = None
            self._stop(f"The rules cannot go on: {error}.")

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        header = self.record.header
        return self.house.catalogue.rules(header.target, header.layers, header.options)

    def language(self, wanted: str) -> str | None:
        """The language in which somebody reads who asks for one, or for none; None is that of the rules."""
        try:
            return language_of(self.rules, wanted or self.house.language)
        except CatalogueError as error:
            raise JournalError(str(error)) from None

    def layout(self, language: str | None = None) -> Layout:
        """Its table without anything on it."""
        return self.house.catalogue.layout(self._game.rules if self._game is not None else self.rules, self.record.header.players, language)

    # -- what is shown

    def about(self, seat: int | None, language: str | None = None) -> Document:
        """What is to be said besides the table."""
        header, here = self.record.header, {connection.seat for connection in self.connections}
        found: Document = {
            "id": self.id,
            "title": header.title if language is None or self._game is None else self._game.rules.title(language),
            "language": language or "",
            "languages": list(self._game.rules.languages) if self._game is not None else [],
            "ruleset": header.name,
            "layers": header.layer_names,
            "options": header.options,
            "you": seat or 0,
            "seats": {
                str(number): {"kind": each.kind, "name": each.name, "here": number in here or each.kind == "bot"}
                for number, each in enumerate(self.record.seats, start=1)
            },
            "watching": sum(1 for connection in self.connections if connection.seat is None),
        }
        if seat is not None and self.decider == seat:
            found["turn"] = self.record.turn_of(seat)
        if seat is not None and self._last_choice(seat) is not None and not self.record.stopped:
            found["undo"] = True
        if self.record.stopped:
            found["stopped"] = self.record.stopped
        if seat in self.granted or self.over:
            found["replay"] = True
        if (asked := self.proposal) is not None:
            found["proposal"] = {
                "number": asked.number,
                "what": asked.what,
                "by": asked.by,
                "needs": sorted(asked.needs),
                "mine": seat in asked.needs,
            }
        return found

    @property
    def decider(self) -> int | None:
        """Who has to decide, as far as the game is in memory."""
        return None if self._game is None or self.record.stopped else self._decider

    def tell_about(self) -> None:
        """Tell everybody what has changed besides the game, now or as soon as nobody works on it."""
        self._due = self._lock.locked()
        if self._due:
            return
        for eyes in self._eyes.values():
            if eyes.key not in self._stale:  # those are told together with the table, so that the two belong together
                self._tell(eyes, eyes.update_about(self.about(*eyes.key)))

    def _tell(self, eyes: Eyes, message: str | None) -> None:
        if message is not None:
            for connection in self.connections:
                if connection.key == eyes.key:
                    connection.tell(message)

    # -- changes

    async def _change(self, work: Callable[[Game], T], *, promptly: bool = True) -> T:
        """Do something to the game; it is done, and on disk, when this returns, and everybody is about to see it. It is done even if who asked for it goes away."""
        return await asyncio.shield(self._change_alone(work, promptly))

    async def _change_alone(self, work: Callable[[Game], T], promptly: bool) -> T:
        do = self.house.workers.promptly if promptly else self.house.workers.moving
        async with self._alone():
            result = await do(lambda: self._changed(work))
            self._stale.update(self._eyes)
        self.touched = time.monotonic()
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell_changes())
        self._wake_bots()
        return result

    def _changed(self, work: Callable[[Game], T]) -> T:
        game = self.opened()
        result = work(game)
        self._settle(game)
        return result

    async def _tell_changes(self) -> None:
        """Show everybody how the game stands, players first; whoever wants to do something to it meanwhile is let in between."""
        try:
            while self._stale:
                async with self._alone():
                    await self._tell_next()
        finally:
            self._telling = None

    async def _tell_next(self) -> None:
        if not self._stale:
            return
        key = min(self._stale, key=lambda each: (each[0] or math.inf, each[1] or ""))
        eyes, game = self._eyes.get(key), self._game
        try:
            if eyes is not None and game is not None:
                self._tell(eyes, await self._seen(eyes, game))
        except Exception as error:
            self.house.bug(error)
        finally:
            self._stale.discard(key)

    async def _seen(self, eyes: Eyes, game: Game) -> str | None:
        """What has changed for somebody."""
        about = self.about(*eyes.key)
        return await self.house.workers.later(lambda: eyes.update(game, about))

    async def answer(self, seat: int | None, turn: int, option: str) -> None:
        """An answer of a player; on disk when this returns."""
        if seat is None:
            raise Refusal("spectator", "Who looks on decides nothing.")
        await self._change(lambda game: self._answered(game, seat, turn, option))

    def _answered(self, game: Game, seat: int, turn: int, option: str) -> None:
        if self.record.stopped:
            raise Refusal("stopped", self.record.stopped)
        if game.result is not None:
            raise Refusal("over", "The game is over.")
        if self.decider != seat:
            raise Refusal("not_yours", "It is not you who has to decide now.")
        if turn != self.record.turn_of(seat):
            raise Refusal("late", "This has been decided already; the game has gone on.")
        self.take(game, seat, option)

    def take(self, game: Game, player: int, option: str) -> None:
        """Make a choice, and write it down."""
        try:
            game.choose(option)
        except IllegalChoice:
            raise Refusal("illegal", "That is not among what can be chosen now.") from None
        except RulesError as error:
            raise Refusal("rules", f"The rules cannot carry this out: {error}. The game is as it was.") from None
        ended = None if game.result is None else list(game.result.winners)
        try:
            self._write({"c": [player, option]}, *([{"e": ended}] if ended is not None else []))
        except Refusal:
            game.undo(past_secrets=True)
            raise
        self.record.choose(player, option)
        self.record.winners = ended
        self.proposal = None
        self.granted.clear()
        if len(self.record.made) >= self.house.limits.choices and game.result is None:
            self._stop(f"This game has gone on for {len(self.record.made):,} decisions without ending, and was stopped.")

    def _write(self, *lines: Line) -> None:
        try:
            self.journal.append(*lines)
        except JournalError as error:
            raise Refusal("disk", f"{error}. Nothing has changed.") from None

    def _stop(self, why: str) -> None:
        with contextlib.suppress(Refusal):
            self._write({"stop": why})
        self.record.stopped = why

    # -- bots

    def _wake_bots(self) -> None:
        """Let bots go on, if it is for one of them to decide."""
        if self._playing is None and self._bot_is_asked():
            self._playing = asyncio.create_task(self._play_bots())

    def _bot_is_asked(self) -> bool:
        if not self.connections or self.over or (player := self.decider) is None:
            return False
        return self.record.seats[player - 1].kind == "bot"

    async def _play_bots(self) -> None:
        try:
            while self._bot_is_asked():
                await asyncio.sleep(self.house.pace)
                async with self._alone():
                    turn, player, game = self.record.turn, self.decider, self._game
                    imagined = None if game is None else game.clone()
                if imagined is None or player is None or not self._bot_is_asked():
                    return
                option = await self._thought(imagined, player)
                await self._change(functools.partial(self._bot_answers, turn=turn, player=player, option=option), promptly=False)
        except Refusal:
            self.tell_about()
        except JournalError as error:
            self.house.log(f"game {self.id}: {error}")
        finally:
            self._playing = None

    async def _thought(self, game: Game, player: int) -> str | RulesError:
        """What a bot comes to, about a copy of the game; a mistake of the rules is found again when it is to be carried out."""
        name = self.record.seats[player - 1].bot
        if player not in self._bots:
            seed = self.record.header.seed * 64 + player + 1_000_003 * len(self.record.made)
            self._bots[player] = make_bot(name, seed)
        bot = self._bots[player]

        def think() -> str | RulesError:
            try:
                return "" if game.decision is None else bot.choose(game, game.decision)
            except RulesError as error:
                return error

        return await (self.house.workers.thinking if name.startswith("mcts") else self.house.workers.moving)(think)

    def _bot_answers(self, game: Game, *, turn: int, player: int, option: str | RulesError) -> None:
        """Carry out what a bot has come to, unless the game has gone on, or somebody else sits there now."""
        if self.record.turn != turn or self.decider != player or self.record.seats[player - 1].kind != "bot":
            return
        try:
            if isinstance(option, RulesError):
                raise option
            self.take(game, player, option)
        except RulesError as error:
            self._stop(f"The rules cannot go on: {error}.")
        except Refusal as refusal:
            if refusal.code == "disk":
                raise
            self._stop(str(refusal))

    # -- taking back, and taking home

    def people(self) -> set[int]:
        """The players that people have taken."""
        return {number for number, seat in enumerate(self.record.seats, start=1) if seat.kind == "person"}

    def _last_choice(self, seat: int) -> int | None:
        """How many choices have to be taken back until the last one of a player is."""
        for count, (player, _) in enumerate(reversed(self.record.made), start=1):
            if player == seat:
                return count
            if count >= 500:
                return None
        return None

    async def propose(self, seat: int | None, what: str) -> bool:
        """Ask the others for something; whether it is done already, since nobody has to be asked."""
        if seat is None:
            raise Refusal("spectator", "Who looks on decides nothing.")
        if what == "replay":
            if self.over or not self.people() - {seat}:
                self.granted.add(seat)
                self.tell_about()
                return True
            self._ask(seat, what, self.people() - {seat}, 0)
            self.tell_about()
            return False
        if self.record.stopped:
            raise Refusal("stopped", self.record.stopped)
        return await self._change(lambda game: self._undo_or_ask(game, seat))

    def _undo_or_ask(self, game: Game, seat: int) -> bool:
        count = self._last_choice(seat)
        if count is None:
            raise Refusal("nothing", "There is nothing of yours to take back.")
        others = self.people() - {seat}
        if self._undone(game, count, past_secrets=not others):
            return True
        now = game.log_length
        self._undone(game, count, past_secrets=True, lasting=False)
        then = game.log_length
        for _ in range(count):
            game.redo()
        assert game.log_length == now
        told = {other for other in others if game.log(other, start=then)}
        self._ask(seat, "undo", who_is_asked(seat, self.people(), told), count)
        return False

    def _undone(self, game: Game, count: int, *, past_secrets: bool, lasting: bool = True) -> bool:
        """Take choices back, all or none; `lasting`: for good."""
        for done in range(count):
            if not game.undo(past_secrets=past_secrets):
                for _ in range(done):
                    game.redo()
                return False
        if lasting:
            try:
                self._write({"u": count})
            except Refusal:
                for _ in range(count):
                    game.redo()
                raise
            self.record.take_back(count)
            self.proposal = None
        return True

    def _ask(self, by: int, what: str, needs: set[int], count: int) -> None:
        if self.proposal is not None and self.proposal.until > time.monotonic():
            raise Refusal("asked", "Something else is being asked of the others; wait for their answer.")
        self._proposals += 1
        self.proposal = Proposal(self._proposals, what, by, set(needs), time.monotonic() + self.house.limits.consent, count)

    async def consent(self, seat: int | None, number: int, agrees: bool) -> None:
        """The answer of somebody who was asked; who asked may withdraw."""
        asked = self.proposal
        if asked is None or asked.number != number or asked.until < time.monotonic():
            raise Refusal("late", "That is no longer being asked.")
        if seat not in asked.needs and seat != asked.by:
            raise Refusal("not_yours", "You are not among those who are asked.")
        if not agrees:
            self.proposal = None
        elif seat is not None:
            asked.needs.discard(seat)
            if not asked.needs:
                await self._agreed(asked)
        self.tell_about()

    async def _agreed(self, asked: Proposal) -> None:
        self.proposal = None
        if asked.what == "replay":
            self.granted.add(asked.by)
            return
        await self._change(lambda game: self._undone(game, asked.count, past_secrets=True))

    # -- looking things up

    async def look_up(self, work: Callable[[Game], T]) -> T:
        """Something that is read off the game."""
        return await asyncio.shield(self._look_up_alone(work))

    async def _look_up_alone(self, work: Callable[[Game], T]) -> T:
        async with self._alone():
            return await self.house.workers.promptly(lambda: work(self.opened()))

    async def earlier(self, key: Key, before: int) -> Document:
        """Lines of the story before one."""
        return await self.look_up(lambda game: self._eyes[key].earlier(game, before) if key in self._eyes else {})

    # -- seats

    async def reseat(self, change: Callable[[list[Seat]], T]) -> T:
        """Change who sits where, and write it down."""

        def work(game: Game) -> T:
            seats = msgspec.convert(msgspec.to_builtins(self.record.seats), list[Seat])
            result = change(seats)
            self._write({"s": msgspec.to_builtins(seats)})
            self.record.seats = seats
            self._bots.clear()
            return result

        return await self._change(work)

    def drop_seat(self, seat: int) -> None:
        """Whoever sits there has to show a link again."""
        for connection in list(self.connections):
            if connection.seat == seat:
                connection.drop("replaced", "This link has been replaced by a new one.")
