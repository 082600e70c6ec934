"""The requests that are no connection: the lobby, new games, seats, and files that are brought or taken home.

JSON in, JSON out; what is refused has a code and a reason. A secret comes in the header `Authorization: Bearer ...`, never in an address, where it would be written down on the way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulewright_tools.serve import uploads, viewing
from rulewright_tools.serve.catalogue import CatalogueError
from rulewright_tools.serve.hosted import HostedGame, Refusal
from rulewright_tools.serve.house import House
from rulewright_tools.serve.journal import JournalError
from rulewright_tools.serve.seats import BOTS, Seat, SeatError, admits, check_bot, clean_name, read_seats, seat_of

Handler = Callable[[House, Request], Awaitable[Any]]
STATUS = {
    "no_game": 404,
    "token": 403,
    "host": 403,
    "taken": 409,
    "size": 413,
    "rate": 429,
    "slow": 408,
    "uploads": 403,
    "not_over": 409,
    "disk": 507,
    "bug": 500,
}


def routes(house: House) -> list[Route]:
    """The addresses, each with what answers there."""
    table: list[tuple[str, str, Handler]] = [
        ("/api/lobby", "GET", lobby),
        ("/api/settings", "POST", settings),
        ("/api/games", "POST", begin),
        ("/api/games/{id}", "GET", about),
        ("/api/games/{id}/sit", "POST", sit),
        ("/api/games/{id}/link", "POST", link),
        ("/api/games/{id}/seat", "POST", change_seat),
        ("/api/games/{id}/replay", "GET", take_home),
        ("/api/replays", "POST", bring_replay),
        ("/api/rulesets", "POST", bring_ruleset),
    ]
    return [Route(path, endpoint(house, handler), methods=[method]) for path, method, handler in table]


def endpoint(house: House, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A handler as Starlette wants it: refusals have a status, and bugs are told to whoever runs the server."""

    async def run(request: Request) -> Response:
        try:
            found = await handler(house, request)
            return found if isinstance(found, Response) else JSONResponse(found)
        except Refusal as refused:
            return refuse(refused.code, str(refused))
        except (CatalogueError, SeatError) as error:
            return refuse("wrong", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        except JournalError as error:
            return refuse("disk", f"{error}.")
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:
            house.bug(error)
            return refuse("bug", "Something went wrong here; no game has changed.")

    return run


def refuse(code: str, why: str) -> JSONResponse:
    """A refusal."""
    return JSONResponse({"refused": why, "code": code}, STATUS.get(code, 400))


# -- reading requests


async def body_of(house: House, request: Request, most: int) -> bytes:
    """What was sent, if it is not too much and does not take too long; no more is read than that."""
    found = bytearray()
    try:
        async with asyncio.timeout(house.limits.sending):
            async for part in request.stream():
                found += part
                if len(found) > most:
                    raise Refusal("size", f"This is too large: {most:,} bytes are the most here.")
    except TimeoutError:
        raise Refusal("slow", f"This took too long: {house.limits.sending:.0f} seconds are the most here.") from None
    return bytes(found)


async def read(house: House, request: Request) -> dict[str, Any]:
    """The JSON object that was sent."""
    try:
        found = json.loads(await body_of(house, request, house.limits.request))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refusal("malformed", "What was sent is no JSON object.")
    return found


def text_in(given: dict[str, Any], name: str, default: str = "") -> str:
    """A text of a request."""
    found = given.get(name, default)
    if not isinstance(found, str) or len(found) > 200:
        raise Refusal("malformed", f"'{name}' is a short text.")
    return found


def names_in(given: dict[str, Any], name: str) -> list[str]:
    """A list of texts."""
    found = given.get(name, [])
    if not isinstance(found, list) or len(found) > 20 or not all(isinstance(each, str) and len(each) <= 200 for each in found):
        raise Refusal("malformed", f"'{name}' is a list of names.")
    return list(dict.fromkeys(found))


def secret_of(request: Request) -> str:
    """The secret that came with a request."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip()[:200] if scheme.lower() == "bearer" else ""


def game_of(house: House, request: Request) -> HostedGame:
    """The game that an address names."""
    return house.game(request.path_params["id"])


def host_only(game: HostedGame, request: Request) -> None:
    """Refuse anybody but who began the game."""
    if not admits(game.record.header.host, secret_of(request)):
        raise Refusal("host", "Only who began the game can do that.")


def seat_in(game: HostedGame, given: dict[str, Any]) -> int:
    """The number of a seat."""
    seat = given.get("seat")
    if type(seat) is not int or not 1 <= seat <= len(game.record.seats):
        raise Refusal("malformed", "'seat' is the number of a player.")
    return seat


# -- the lobby


async def lobby(house: House, request: Request) -> Any:
    """Rulesets, games that are going on and games that are over."""
    entries = await asyncio.to_thread(house.catalogue.entries)
    return {
        "rulesets": [msgspec.to_builtins(entry) for entry in entries.values()],
        "first": house.catalogue.first,
        "games": house.listed(),
        "archive": await asyncio.to_thread(house.archive),
        "bots": BOTS,
        "uploads": house.uploads,
    }


async def settings(house: House, request: Request) -> Any:
    """What can be chosen before a game of a ruleset with layers."""
    given = await read(house, request)
    players, usual, found = await asyncio.to_thread(house.catalogue.settings, text_in(given, "ruleset"), names_in(given, "layers"))
    languages = await asyncio.to_thread(house.catalogue.languages, text_in(given, "ruleset"), names_in(given, "layers"))
    return {"players": players, "usual": usual, "settings": msgspec.to_builtins(found), "languages": languages}


async def begin(house: House, request: Request) -> Any:
    """A new game; the secrets are in this answer and nowhere else."""
    given = await read(house, request)
    options, seed = given.get("options", {}), given.get("seed")
    if not isinstance(options, dict) or not all(isinstance(value, str) and len(value) < 200 for value in options.values()):
        raise Refusal("malformed", "'options' are names with values.")
    if seed is not None and (type(seed) is not int or not 0 <= seed < 2**53):
        raise Refusal("malformed", "'seed' is a whole number.")
    wanted = given.get("seats")
    seats = read_seats(wanted, len(wanted) if isinstance(wanted, list) and len(wanted) <= 99 else 0, house.limits.name)
    name, layers = text_in(given, "ruleset"), names_in(given, "layers")
    if "replay" in given:
        recorded = await asyncio.to_thread(viewing.find, house, text_in(given, "replay"))
        at = given.get("at")
        if type(at) is not int or not 0 <= at <= len(recorded.made):
            raise Refusal("malformed", "'at' is the number of a choice.")
        return await _go_on(house, recorded, at, seats)
    game, host, secrets = await asyncio.to_thread(
        lambda: house.begin(
            name, layers, options, seats, seed=seed, listed=given.get("listed") is not False, watched=given.get("watched") is not False
        )
    )
    return {"id": game.id, "host": host, "links": secrets}


async def _go_on(house: House, recorded: viewing.Recorded, at: int, seats: list[Seat]) -> Any:
    """A new game that goes on from a moment of another."""
    layers = [name for name in recorded.rules.layers if name]
    names = [name for name in house.catalogue.entries() if house.catalogue.path(name) in layers]
    game, host, secrets = await asyncio.to_thread(
        lambda: house.begin(recorded.name, names, recorded.options, seats, seed=recorded.seed, made=recorded.made[:at])
    )
    return {"id": game.id, "host": host, "links": secrets}


async def about(house: House, request: Request) -> Any:
    """What everybody may know of a game before they enter."""
    game = game_of(house, request)
    header = game.record.header
    return {
        "id": game.id,
        "title": header.title,
        "over": game.over,
        "watched": header.watched,
        "seats": [{"kind": seat.kind, "name": seat.name} for seat in game.record.seats],
    }


# -- seats


async def sit(house: House, request: Request) -> Any:
    """Take an open seat; the first who asks gets it."""
    game, given = game_of(house, request), await read(house, request)
    seat, name = seat_in(game, given), clean_name(text_in(given, "name"), house.limits.name)

    def take(seats: list[Seat]) -> str:
        if seats[seat - 1].kind != "open":
            raise Refusal("taken", "Somebody sits there already.")
        seats[seat - 1].kind, seats[seat - 1].name = "person", name
        return seats[seat - 1].renew()

    return {"link": await game.reseat(take), "seat": seat}


async def link(house: House, request: Request) -> Any:
    """A new link for a seat; the old one lets nobody in any more."""
    game, given = game_of(house, request), await read(house, request)
    host_only(game, request)
    seat = seat_in(game, given)

    def renew(seats: list[Seat]) -> str:
        if seats[seat - 1].kind != "person":
            raise Refusal("seat", "Only a person's seat has a link.")
        return seats[seat - 1].renew()

    secret = await game.reseat(renew)
    game.drop_seat(seat)
    return {"link": secret, "seat": seat}


async def change_seat(house: House, request: Request) -> Any:
    """Let a bot play for somebody, or somebody instead of a bot."""
    game, given = game_of(house, request), await read(house, request)
    host_only(game, request)
    seat, bot = seat_in(game, given), text_in(given, "bot")
    if bot:
        check_bot(bot)

    def change(seats: list[Seat]) -> str:
        old = seats[seat - 1]
        secret = old.renew()
        seats[seat - 1] = Seat("bot" if bot else "person", "" if bot else old.name, bot, "" if bot else old.mark, old.old)
        return secret

    secret = await game.reseat(change)
    game.drop_seat(seat)
    return {"seat": seat} if bot else {"link": secret, "seat": seat}


# -- files


async def take_home(house: House, request: Request) -> Response:
    """The whole game as a replay: when it is over, or when the others have agreed."""
    game = game_of(house, request)
    seat, why = seat_of(game.record.seats, secret_of(request))
    if not game.over and seat is None:
        raise Refusal("token", why)
    if not game.over and seat not in game.granted:
        raise Refusal("not_over", "While the game goes on its replay tells everything that is hidden: ask the others first.")
    replay = await game.look_up(lambda found: found.replay())
    header = game.record.header
    names = {path: name for name in house.catalogue.entries() if (path := house.catalogue.path(name))}
    replay["ruleset"] |= {"target": header.name, "added": [names.get(layer, layer) for layer in header.layers]}
    return Response(
        json.dumps(replay, ensure_ascii=False, separators=(",", ":")),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{game.id}.replay.json"'},
    )


async def bring_replay(house: House, request: Request) -> Any:
    """A replay to look at."""
    text = await body_of(house, request, house.limits.replay)
    return {"id": await asyncio.to_thread(viewing.keep_replay, house, text)}


async def bring_ruleset(house: House, request: Request) -> Any:
    """A ruleset to play, if that is allowed here."""
    if not house.uploads:
        return uploads.keep_ruleset(house, b"")
    text = await body_of(house, request, house.limits.ruleset)
    return await asyncio.to_thread(uploads.keep_ruleset, house, text)
