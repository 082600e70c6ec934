"""One WebSocket: one pair of eyes on one game.

Reads requests, within limits of size and rate, and hands them to the game; writes replies and differences, in order. What is to be sent to somebody who reads slowly waits in a short
queue; if that is full, differences are dropped and everything is sent once instead; who does not read at all for a while is let go. Nothing that goes wrong here is noticed by anybody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright_tools.serve import protocol
from rulewright_tools.serve.eyes import Key
from rulewright_tools.serve.hosted import HostedGame, Refusal
from rulewright_tools.serve.journal import JournalError
from rulewright_tools.serve.limits import Limits, Rate
from rulewright_tools.serve.seats import clean_name, seat_of
from rulewright_tools.table import refusals, rule_of, why_not

if TYPE_CHECKING:
    from rulewright_tools.serve.house import House

BACKLOG = 32  # differences that wait for somebody; then everything is sent instead
GOING_AWAY, POLICY, TOO_BIG, INTERNAL = 1001, 1008, 1009, 1011


class Line:
    """What is to be sent to somebody, and the sending of it."""

    def __init__(self, socket: WebSocket, limits: Limits) -> None:
        self.socket, self.limits = socket, limits
        self.closing: tuple[int, str] | None = None
        self._waiting: deque[str] = deque()
        self._more = asyncio.Event()

    def put(self, message: str) -> None:
        """Send something; somebody with too much unread is let go."""
        if len(self._waiting) >= self.limits.replies_waiting + BACKLOG:
            self.end(POLICY, "slow")
        self._waiting.append(message)
        self._more.set()

    @property
    def behind(self) -> int:
        """How much waits to be sent."""
        return len(self._waiting)

    def forget(self) -> None:
        """Send nothing of what waits but replies."""
        self._waiting = deque(each for each in self._waiting if each.startswith('{"to"'))

    def end(self, code: int, reason: str) -> None:
        """Send what waits, and close."""
        self.closing = self.closing or (code, reason)
        self._more.set()

    async def run(self) -> None:
        """Send until it is over."""
        while True:
            while self._waiting:
                message = self._waiting.popleft()
                async with asyncio.timeout(self.limits.patience):
                    await self.socket.send_text(message)
            if self.closing is not None:
                async with asyncio.timeout(self.limits.patience):
                    await self.socket.close(*self.closing)
                return
            self._more.clear()
            await self._more.wait()


class Connection:
    """Somebody who looks at a game, or plays in it."""

    def __init__(self, house: House, socket: WebSocket, game: HostedGame) -> None:
        self.house, self.game = house, game
        self.seat: int | None = None
        self.language: str | None = None
        self.line = Line(socket, house.limits)
        self._socket = socket
        self._whole_due = True
        self._showing: asyncio.Task[None] | None = None

    @property
    def key(self) -> Key:
        """Through whose eyes they look, and in which language."""
        return self.seat, self.language

    # -- what the game tells

    def tell_whole(self, message: str) -> None:
        """Everything: what was to be sent before does not matter any more."""
        self.line.forget()
        self._whole_due = False
        self.line.put(message)

    def tell(self, message: str) -> None:
        """What has changed; whoever is too far behind is sent everything instead, once they have read the rest."""
        if self._whole_due:
            return
        if self.line.behind >= BACKLOG:
            self.line.forget()
            self._whole_due = True
            self._showing = asyncio.create_task(self._show_later())
            return
        self.line.put(message)

    async def _show_later(self) -> None:
        while self.line.behind:
            await asyncio.sleep(0.2)
        with contextlib.suppress(Refusal, JournalError):
            await self.game.show(self)

    def drop(self, code: str, why: str) -> None:
        """Say why, and close."""
        self.line.put(protocol.refusal(None, code, why))
        self.line.end(POLICY, code)

    # -- what the client asks

    async def run(self) -> None:
        """From the first message to the last."""
        self.line.put(protocol.hello())
        writer = asyncio.create_task(self.line.run())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and not writer.done():
                self.line.end(GOING_AWAY, "")
                await asyncio.wait({writer}, timeout=self.house.limits.patience)
        finally:
            self.game.leave(self)
            for task in (writer, reader, self._showing):
                if task is not None:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
                        await task

    async def _read(self) -> None:
        """Requests, one after another."""
        limits = self.house.limits
        rate = Rate(limits.messages_a_second, limits.messages_at_once, time.monotonic())
        joined = False
        try:
            while True:
                async with asyncio.timeout(None if joined else limits.silence):
                    text = await received(self._socket)
                if len(text) > limits.message:
                    return self.drop("size", f"A message has at most {limits.message:,} bytes.")
                if not rate.take(time.monotonic()):
                    return self.drop("rate", "Too many messages at once.")
                request = protocol.decode(text)
                if isinstance(request, protocol.Join) == joined:
                    return self.drop("order", "A connection begins with one 'join'.")
                joined = True
                await self._handle(request)
                if self.line.closing is not None:
                    return None
        except protocol.Malformed as error:
            return self.drop("malformed", f"This is no message: {error}")
        except TimeoutError:
            return self.drop("silence", "Nothing was said for too long.")
        except WebSocketDisconnect:
            return None

    async def _handle(self, request: protocol.Request) -> None:
        """One request; what is refused is told, and is nobody else's affair."""
        try:
            self.line.put(protocol.reply(request.ask, await self._answer(request)))
        except Refusal as refused:
            self.line.put(protocol.refusal(request.ask, refused.code, str(refused)))
            if isinstance(request, protocol.Join):
                self.line.end(POLICY, refused.code)
        except JournalError as error:
            self.drop("unreadable", f"This game cannot be opened: {error}.")
        except Exception as error:
            self.house.bug(error)
            self.line.put(protocol.refusal(request.ask, "bug", "Something went wrong here. The game is as it was."))

    async def _answer(self, request: protocol.Request) -> Any:
        game = self.game
        match request:
            case protocol.Join():
                return await self._join(request)
            case protocol.Answer():
                return await game.answer(self.seat, request.turn, request.option)
            case protocol.Propose():
                return {"done": await game.propose(self.seat, request.what)}
            case protocol.Consent():
                return await game.consent(self.seat, request.number, request.agrees)
            case protocol.Story():
                return await game.earlier(self.key, request.before)
            case protocol.Rule():
                return await look_up_rule(game, request.name)
            case protocol.WhyNot():
                return await self._why_not(request.thing)
        raise Refusal("unknown", "That is for games that are over.")

    async def _join(self, request: protocol.Join) -> dict[str, int]:
        if request.token:
            seat, why = seat_of(self.game.record.seats, request.token)
            if seat is None:
                raise Refusal("token", why)
            self.seat = seat
            name = clean_name(request.name, self.house.limits.name)
            if name and self.game.record.seats[seat - 1].name != name:
                await self.game.reseat(lambda seats: setattr(seats[seat - 1], "name", name))
        elif not self.game.record.header.watched:
            raise Refusal("closed", "Nobody looks on in this game.")
        self.language = await asyncio.to_thread(self.game.language, request.language)
        await self.game.enter(self)
        return {"seat": self.seat or 0}

    async def _why_not(self, thing: str) -> Any:
        seat, language = self.key
        if seat is None:
            raise Refusal("spectator", "Nothing is offered to who looks on.")
        found = await self.game.look_up(lambda game: refusals(game, seat, thing or None, language))
        if thing and not found:
            reasons = await self.game.look_up(lambda game: why_not(game, seat, thing, language))
            return [{"id": thing, "label": "", "about": [thing], "reasons": msgspec.to_builtins(reasons)}] if reasons else []
        return msgspec.to_builtins(found)


async def look_up_rule(game: HostedGame, name: str) -> Any:
    """What a rule says. Which one somebody looks up tells nothing: rules are open to all."""
    return msgspec.to_builtins(await game.house.workers.promptly(lambda: rule_of(game.rules, name)))


async def received(socket: WebSocket) -> str:
    """The next message; bytes are taken for text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is not None:
        return str(text)
    return bytes(message.get("bytes") or b"").decode("utf-8", "replace")
