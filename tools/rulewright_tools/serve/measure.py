"""`serve --measure`: how much this machine can serve.

Starts a server of its own, as a process on this machine, on the loopback address alone and with its games in a folder that goes away, begins many games at once, each with one person and bots, opens connections to them (one
for each person, the others look on), and lets the people answer for a while, each after some thought. Gives what the answers took, from sending one until it is acknowledged and so on disk, how long until the table of who
answered showed it, what the processors did for the server and for those people, and the memory that games take (`weigh`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from rulewright_tools.serve.catalogue import Catalogue, CatalogueError
from rulewright_tools.serve.limits import Limits
from rulewright_tools.serve.weigh import Weight, weigh
from rulewright_tools.table import apply

THOUGHT = (2.0, 6.0)  # seconds that a person takes, at least and at most
SEATS = 3  # or as near as the game allows
GOAL = 100  # milliseconds within which 95 of 100 answers are to be acknowledged
WORST = 120  # seconds until anything that hangs is given up


class Tally(msgspec.Struct):
    """What was seen."""

    answers: list[float] = []
    shown: list[float] = []
    refused: int = 0
    messages: int = 0
    bytes: int = 0
    lost: int = 0
    over: int = 0


def measure(name: str, games: int, connections: int, seconds: int) -> str:
    """Measure, and say what came of it."""
    seats, called = _seats(name)
    weight = weigh(name, seats)
    with tempfile.TemporaryDirectory(prefix="rulewright-measure-") as folder, _server(name, Path(folder)) as (process, port):
        begun = [_begin(port, called, seats, number) for number in range(games)]
        idle, used, own = _memory(process.pid), _processor(process.pid), time.process_time()
        began = time.monotonic()
        tally = asyncio.run(_people(port, begun, connections, seconds))
        took = time.monotonic() - began
        used, own = _processor(process.pid) - used, time.process_time() - own
        busy = _memory(process.pid)
        written = sum(path.stat().st_size for path in Path(folder).rglob("*.journal"))
    return _told(called, seats, games, connections, tally, took, (used, own), (idle, busy), weight, written)


def _told(
    name: str,
    seats: int,
    games: int,
    connections: int,
    tally: Tally,
    took: float,
    used: tuple[float, float],
    memory: tuple[float, float],
    weight: Weight,
    written: int,
) -> str:
    """The figures in words."""

    def within(times: list[float], part: float) -> float:
        ordered = sorted(times) or [0.0]
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000

    def spread(times: list[float]) -> str:
        return f"{within(times, 0.5):.0f} ms in the middle, {within(times, 0.95):.0f} ms for 95%, {within(times, 0.99):.0f} ms for 99%, {within(times, 1):.0f} ms at most"

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    lines = [
        f"{games:,} games of {name} at once, each with one person and {seats - 1} {'bot' if seats == 2 else 'bots'}; {connections:,} connections; {took:.0f} seconds",
        f"  answers acknowledged    {len(tally.answers):,} ({len(tally.answers) / took:.1f} a second), {tally.refused} refused, {tally.lost} connections lost, {tally.over} games over",
        f"  an answer took          {spread(tally.answers)}",
        f"  until it was shown      {spread(tally.shown)}",
        f"  messages                {tally.messages:,}, {tally.bytes / max(1, tally.messages):,.0f} bytes each",
        f"  processor               {used[0] / took:.2f} of one for the server, {used[1] / took:.2f} for the people; load of the machine {load:.1f} on {os.cpu_count()}",
        f"  memory of the server    {memory[0]:.0f} MB with all games begun, {memory[1]:.0f} MB at the end",
        f"  memory of a game        {weight.begun:.0f} kB when it begins, {weight.played:.0f} kB after {weight.choices:.0f} choices, {weight.eyes:.0f} kB more for each seat that is looked from",
        f"  of one nobody looks at  {weight.closed:.0f} kB, from {Limits().idle / 60:.0f} minutes after the last has left",
        f"  on disk                 {written / max(1, games):,.0f} bytes a game",
        f"95% of answers within {GOAL} ms: {'yes' if tally.answers and within(tally.answers, 0.95) <= GOAL else 'no'}",
    ]
    return "\n".join(lines)


@contextlib.contextmanager
def _server(name: str, folder: Path) -> Any:
    """A server, and the port at which it listens."""
    command = [sys.executable, "-m", "rulewright_tools", "serve", name, "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"localhost:(\d+)/", process.stdout.readline())
        if found is None:
            raise click_error("the server does not start")
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()


def click_error(message: str) -> Exception:
    """What ends the command with a reason."""
    import click

    return click.ClickException(message)


def _seats(name: str) -> tuple[int, str]:
    """How many sit at a table, and what the server calls the game."""
    try:
        catalogue = Catalogue(name)
        (low, high), _, _ = catalogue.settings(catalogue.first, [])
    except CatalogueError as error:
        raise click_error(str(error)) from None
    return min(max(SEATS, low), high), catalogue.first


def _begin(port: int, name: str, seats: int, number: int) -> dict[str, Any]:
    """One game."""
    sitting = [{"kind": "person"}, *([{"kind": "bot", "bot": "random"}] * (seats - 1))]
    data = json.dumps({"ruleset": name, "seats": sitting, "seed": number}).encode()
    with urlopen(Request(f"http://127.0.0.1:{port}/api/games", data, {"Content-Type": "application/json"}), timeout=WORST) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


# -- people


async def _people(port: int, games: list[dict[str, Any]], connections: int, seconds: int) -> Tally:
    """Everybody, until it is time."""
    tally = Tally()
    sockets = [(game, seat) for seat in (True, *[False] * (connections // len(games) + 1)) for game in games][:connections]
    opening = asyncio.Semaphore(40)
    opened: list[tuple[bool, ClientConnection, str | bytes]] = []  # with the table as it is when the time begins

    async def open_one(game: dict[str, Any], plays: bool) -> None:
        async with opening:
            line = await connect(
                f"ws://127.0.0.1:{port}/ws/game/{game['id']}", max_size=None, compression=None, open_timeout=WORST, ping_interval=None
            )
            await line.send(json.dumps({"do": "join", "ask": 0, "token": game["links"]["1"] if plays else ""}))
            while '"whole"' not in str(text := await line.recv())[:30]:
                pass
            opened.append((plays, line, text))

    await asyncio.gather(*(open_one(game, plays) for game, plays in sockets))
    end = time.monotonic() + seconds
    tasks = [
        asyncio.create_task(_plays(line, text, tally, end, number) if plays else _watches(line, tally))
        for number, (plays, line, text) in enumerate(opened)
    ]
    await asyncio.sleep(max(0.0, end - time.monotonic()))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return tally


async def _watches(line: ClientConnection, tally: Tally) -> None:
    """Somebody who looks on."""
    try:
        async for message in line:
            tally.messages += 1
            tally.bytes += len(message)
    except Exception:
        pass
    tally.lost += 1


async def _plays(line: ClientConnection, first: str | bytes, tally: Tally, end: float, number: int) -> None:
    """Somebody who plays."""
    dice, seen, begun, sent, asked = random.Random(number), dict[str, Any](), 0.0, 0.0, 0  # of what is seen only what is needed to answer
    thinking: asyncio.Task[None] | None = None
    turn = -1

    async def answer(turn: int, option: str) -> None:
        nonlocal begun, sent, asked
        await asyncio.sleep(dice.uniform(*THOUGHT))
        asked += 1
        begun = sent = time.perf_counter()
        await line.send(json.dumps({"do": "answer", "ask": asked, "turn": turn, "option": option}))

    try:
        text = first
        while True:
            tally.messages += 1
            tally.bytes += len(text)
            message = msgspec.json.decode(text)
            if message.get("to") == asked and asked:
                if "ok" in message:
                    tally.answers.append(time.perf_counter() - begun)
                else:
                    tally.refused += 1
            told = message.get("whole") or message.get("patch") or {}
            table = told.get("table", {})
            seen = apply(seen, {"about": told.get("about", {}), **{name: table[name] for name in ("decision", "over") if name in table}})
            now = seen["about"].get("turn", -1)
            if now != turn:
                if sent:
                    tally.shown.append(time.perf_counter() - sent)
                    sent = 0.0
                turn = now
                if turn >= 0 and time.monotonic() < end:
                    thinking = asyncio.create_task(answer(turn, dice.choice(seen["decision"]["options"])["id"]))
            if seen.get("over"):
                tally.over += 1
                return
            text = await line.recv()
    except asyncio.CancelledError:
        if thinking is not None:
            thinking.cancel()
        raise
    except Exception:
        pass
    tally.lost += 1


# -- what a process takes


def _memory(pid: int) -> float:
    """Megabytes in memory, where that can be asked."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def _processor(pid: int) -> float:
    """Seconds of the processor, where that can be asked."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
