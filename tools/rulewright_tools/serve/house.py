"""All games of one server: begun, found again after a crash, put out of memory when nobody looks, moved to the archive when they are old.

The folder has `games/` and `archive/` with journals, `replays/` with what people have uploaded to look at, and `rulesets/` with uploaded rules, if that is allowed. It belongs to one server at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import re
import secrets
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import click

from rulewright.render import printable
from rulewright_tools.serve import journal as journals
from rulewright_tools.serve.catalogue import Catalogue
from rulewright_tools.serve.hosted import HostedGame, Refusal
from rulewright_tools.serve.journal import SUFFIX, JournalError, Line
from rulewright_tools.serve.limits import Limits, Rate
from rulewright_tools.serve.record import Header, Made, Record, as_header, play_again, read_record, summary
from rulewright_tools.serve.seats import Seat, mark_of
from rulewright_tools.serve.workers import Workers

FOLDERS = ("games", "archive", "replays", "rulesets")
ID = re.compile(r"[A-Za-z0-9_-]{8,40}")
BETWEEN_COLLECTIONS = 600  # seconds between two looks through the whole memory, which hold up everybody for a moment
LISTED = 60  # games of the archive that are shown


class HouseError(Exception):
    """A folder that cannot be used; says why."""


class House:
    """The games of a server."""

    def __init__(
        self, folder: Path, catalogue: Catalogue, limits: Limits | None = None, *, pace: float = 0.5, uploads: bool = False, language: str = ""
    ) -> None:
        self.folder, self.catalogue, self.limits = folder, catalogue, limits or Limits()
        self.pace, self.uploads, self.language = pace, uploads, language  # the language is of those who ask for none
        self.games: dict[str, HostedGame] = {}
        self.workers = Workers()
        self.connections = 0
        self._begun = Rate(self.limits.games_a_minute / 60, self.limits.games_a_minute, time.monotonic())
        self._lock = self._claim()
        self._archive: dict[str, dict[str, Any]] | None = None
        self._collected = time.monotonic()
        for path in sorted(self.path("games").glob(f"*{SUFFIX}")):
            self._find(path)

    def _claim(self) -> IO[bytes]:
        """Make the folder, and keep other servers out of it."""
        try:
            for name in FOLDERS:
                (self.folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = open(self.folder / "lock", "ab")  # noqa: SIM115 (held as long as the server runs)
        except OSError as error:
            raise HouseError(f"cannot keep games in '{self.folder}': {error.strerror or error}") from None
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not everywhere; then nobody is kept out
            pass
        except OSError:
            lock.close()
            raise HouseError(f"another server keeps its games in '{self.folder}'; name another folder with --data") from None
        return lock

    def release(self) -> None:
        """Let another server have the folder."""
        self.workers.dismiss()
        self._lock.close()

    def path(self, name: str) -> Path:
        """A folder of the house."""
        return self.folder / name

    def log(self, message: str) -> None:
        """Tell whoever runs the server."""
        click.echo(f"rulewright: {printable(message)}", err=True)

    def bug(self, error: BaseException) -> None:
        """Tell whoever runs the server of a mistake of ours."""
        self.log(f"internal error: {type(error).__name__}: {error}")
        if os.environ.get("RULEWRIGHT_DEBUG"):
            traceback.print_exception(error, file=sys.stderr)

    # -- games

    def _find(self, path: Path) -> HostedGame | None:
        """A game from its journal; one that is damaged stays where it is, and is told of."""
        try:
            journal, header, lines = journals.read(path)
            record = read_record(header, lines)
        except JournalError as error:
            self.log(str(error))
            return None
        game = self.games[record.header.id] = HostedGame(self, record, journal)
        return game

    def game(self, id: str) -> HostedGame:
        """A game by its id; one that was put into the archive unfinished comes back."""
        if id not in self.games and ID.fullmatch(id):
            path = self.path("archive") / f"{id}{SUFFIX}"
            if path.is_file() and (found := self._find(path)) is not None:
                return found
        if id not in self.games:
            raise Refusal("no_game", "There is no such game here. It may have been taken away, or the link is not whole.")
        return self.games[id]

    def begin(
        self,
        name: str,
        layers: Sequence[str],
        options: dict[str, str],
        seats: list[Seat],
        *,
        seed: int | None = None,
        made: Sequence[Made] = (),
        listed: bool = True,
        watched: bool = True,
    ) -> tuple[HostedGame, str, dict[int, str]]:
        """A new game, the secret of who began it, and those of the seats of people."""
        if not self._begun.take(time.monotonic()):
            raise Refusal("rate", "Too many games were begun in the last minute.")
        if len(self.games) >= self.limits.games:
            raise Refusal("full", "There are too many games here already.")
        target, paths = self.catalogue.path(name), [self.catalogue.path(layer) for layer in layers]
        rules = self.catalogue.rules(target, paths, options)
        low, high = rules.players
        if not low <= len(seats) <= high:
            raise Refusal("players", f"This game is for {low if low == high else f'{low} to {high}'} players, not {len(seats)}.")
        host = secrets.token_urlsafe(18)
        given = {number: seat.renew() for number, seat in enumerate(seats, start=1) if seat.kind == "person"}
        entries = self.catalogue.entries()
        header = Header(
            id=secrets.token_urlsafe(9),
            name=name,
            title=str(rules.graph["ruleset"]["title"]),
            target=target,
            layers=paths,
            layer_names=[entries[layer].title for layer in layers if layer in entries],
            options=options,
            fingerprint=rules.fingerprint,
            players=len(seats),
            seed=secrets.randbits(40) if seed is None else seed,
            host=mark_of(host),
            listed=listed,
            watched=watched,
            created=time.time(),
        )
        record = Record(header, seats, [])
        for player, option in made:
            record.choose(player, option)
        try:
            game = play_again(rules, record)
            record.winners = None if game.result is None else list(game.result.winners)
        except JournalError as error:
            told = str(error)
            raise Refusal("rules", f"{told[:1].upper()}{told[1:]}.") from None
        lines: list[Line] = [{"c": list(choice)} for choice in made]
        if record.winners is not None:
            lines.append({"e": record.winners})
        journal = journals.create(self.path("games") / f"{header.id}{SUFFIX}", as_header(record), lines)
        hosted = self.games[header.id] = HostedGame(self, record, journal, game)
        return hosted, host, given

    def listed(self) -> list[dict[str, Any]]:
        """The games that are going on, the latest first."""
        found = [
            {**summary(game.record), "here": len(game.connections), "watched": game.record.header.watched}
            for game in self.games.values()
            if game.record.header.listed and not game.over
        ]
        return sorted(found, key=lambda each: -each["created"])[:LISTED]

    def archive(self) -> list[dict[str, Any]]:
        """The games that are over, the latest first."""
        if self._archive is None:
            self._archive = {}
            paths = sorted(self.path("archive").glob(f"*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)
            for path in paths[: LISTED * 3]:
                with contextlib.suppress(JournalError):
                    record = read_record(*journals.read(path)[1:])
                    if record.header.listed and (record.winners is not None or record.stopped):
                        self._archive[record.header.id] = summary(record)
        over = {game.id: summary(game.record) for game in self.games.values() if game.record.header.listed and game.over}
        return sorted({**self._archive, **over}.values(), key=lambda each: -each["created"])[:LISTED]

    # -- housekeeping

    async def keep(self) -> None:
        """Tidy up, as long as the server runs."""
        while True:
            await asyncio.sleep(min(30.0, self.limits.idle))
            try:
                await self.tidy()
            except Exception as error:
                self.bug(error)

    async def tidy(self) -> None:
        """Put out of memory what nobody looks at, and into the archive what is old; a question that nobody answered is over."""
        now = time.monotonic()
        closed = False
        for game in list(self.games.values()):
            if game.proposal is not None and game.proposal.until < now:
                game.proposal = None
                game.tell_about()
            quiet = now - game.touched
            if game.connections or quiet < self.limits.idle:
                continue
            closed = closed or game.open
            await game.close()
            if quiet > (self.limits.finished if game.over else self.limits.abandoned) or self._is_old(game):
                self._put_away(game)
        if closed and now - self._collected > BETWEEN_COLLECTIONS:
            self._collected = now
            gc.collect()

    def _is_old(self, game: HostedGame) -> bool:
        """Whether a game has not been written to for long, over several starts of the server."""
        try:
            age = time.time() - game.journal.path.stat().st_mtime
        except OSError:
            return False
        return age > (self.limits.finished if game.over else self.limits.abandoned)

    def _put_away(self, game: HostedGame) -> None:
        """Move a game into the archive."""
        if game.connections or game.open:
            return
        try:
            if game.journal.path.parent != self.path("archive"):
                game.journal.move(self.path("archive"))
        except OSError as error:
            self.log(f"game {game.id} cannot be put into the archive: {error.strerror or error}")
            return
        del self.games[game.id]
        self._archive = None
