"""The application: addresses, the page, connections, and what is checked before any of them answers.

Requests are answered for this server's own names only (a page elsewhere must not reach it under a name of its own), and what changes something, or opens a connection, only from pages of this server. The
page may load nothing from elsewhere, run nothing that is not in its files, and be shown in no frame.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import hashlib
import ipaddress
import re
import socket
import sys
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from rulewright_tools.serve import api, protocol
from rulewright_tools.serve.connection import POLICY, Connection
from rulewright_tools.serve.hosted import Refusal
from rulewright_tools.serve.house import House
from rulewright_tools.serve.patience import Patience
from rulewright_tools.serve.viewing import Viewer

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
    ".json": "application/json",
}
WORKERS = 4  # requests that are worked on at once
SWITCH = 0.0005  # seconds until another thread gets its turn: who only sends messages must not wait long for those that calculate
COLLECTED = (
    10_000,
    50,
    1_000_000,
)  # tables come and go by the thousand and have no cycles; to look through everything takes a tenth of a second, so the house does when it is quiet
PAGES = ("/", "/new", "/game/{id}", "/view/{id}")


def make_app(house: House, names: Iterable[str] = (), patience: Patience | None = None) -> ASGIApp:
    """The application for a house; `names` are further names by which the server may be called; `patience` hears of every request."""
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    page = page.replace('data-language=""', f'data-language="{escape(house.language)}"')

    async def index(request: Request) -> Response:
        return HTMLResponse(page)

    async def static(request: Request) -> Response:
        path = (STATIC / request.path_params["path"]).resolve()
        if not path.is_relative_to(STATIC.resolve()) or path.suffix not in TYPES or not path.is_file():
            return PlainTextResponse("There is no such file.", 404)
        return FileResponse(path, media_type=TYPES[path.suffix])

    async def play(websocket: WebSocket) -> None:
        await connect(house, websocket, "game")

    async def view(websocket: WebSocket) -> None:
        await connect(house, websocket, "view")

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WORKERS, "game"))
        sys.setswitchinterval(SWITCH)
        gc.set_threshold(*COLLECTED)
        keeping = asyncio.create_task(house.keep())
        try:
            yield
        finally:
            keeping.cancel()
            house.release()

    routes = [
        *(Route(path, index) for path in PAGES),
        Route("/static/{path:path}", static),
        *api.routes(house),
        WebSocketRoute("/ws/game/{id}", play),
        WebSocketRoute("/ws/view/{id}", view),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), own_names(names), policy(page), patience)


async def connect(house: House, websocket: WebSocket, what: str) -> None:
    """A connection, from beginning to end."""
    await websocket.accept()
    if house.connections >= house.limits.connections:
        await websocket.send_text(protocol.refusal(None, "full", "Too many people are connected already."))
        await websocket.close(POLICY, "full")
        return
    house.connections += 1
    try:
        if what == "view":
            await Viewer(house, websocket, websocket.path_params["id"]).run()
        else:
            await Connection(house, websocket, house.game(websocket.path_params["id"])).run()
    except Refusal as refused:
        await websocket.send_text(protocol.refusal(None, refused.code, str(refused)))
        await websocket.close(POLICY, refused.code)
    finally:
        house.connections -= 1


# -- who may ask


def own_names(names: Iterable[str]) -> frozenset[str]:
    """The names of this server: those of this machine, and those that were given."""
    here = socket.gethostname().lower()
    return frozenset({"localhost", here, f"{here}.local", *(name.lower() for name in names)})


def is_own(host: str, names: frozenset[str]) -> bool:
    """Whether a host is this server: one of its names, or an address in numbers, which nobody else's page can have."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return False
    if name in names or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def policy(page: str) -> str:
    """What the page may load and run; of what is written in the page itself, what stands there now."""
    inline = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in re.findall(r"<script[^>]*>([^<]+)</script>", page)]
    scripts = " ".join(["'self'", *(f"'sha256-{each}'" for each in inline)])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Checks names and origins, and sets the headers of every answer."""

    def __init__(self, app: ASGIApp, names: frozenset[str], policy: str, patience: Patience | None) -> None:
        self._app, self._names, self._patience = app, names, patience
        self._headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._patience is not None:
            self._patience.heard(scope.get("client"))
        headers = Headers(scope=scope)
        why = self._refused(scope, headers)
        if why is None:
            await self._app(scope, receive, self._with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": POLICY, "reason": why})
        else:
            await PlainTextResponse(why, 403, headers=self._headers)(scope, receive, send)

    def _refused(self, scope: Scope, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not is_own(host, self._names):
            return "This server is not called that; --name gives it further names."
        foreign = origin is not None and origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower())
        if foreign and (scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")):
            return "This comes from a page of another server."
        return None

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        return sending
