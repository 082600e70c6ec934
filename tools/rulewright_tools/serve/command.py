"""`rulewright serve`: a server on which people play any ruleset in their browsers.

Takes a ruleset to offer first, if any, and where to listen and to keep games. Runs until it is interrupted. Exit 2 when the address or the folder cannot be had.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright_tools.loading import refuse

if TYPE_CHECKING:
    from uvicorn import Server

    from rulewright_tools.serve.house import House

MODULES = ("starlette", "uvicorn", "websockets")
FILES = 20_000  # that may be open at once, connections among them
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def usual_folder() -> Path:
    """Where games are kept if nobody says otherwise."""
    given = os.environ.get("XDG_DATA_HOME")
    return (Path(given) if given else Path.home() / ".local" / "share") / "rulewright"


@click.command("serve")
@click.argument("name", metavar="[NAME|PATH]", required=False)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 lets everybody in your network play.")
@click.option("--port", type=click.IntRange(0, 65535), default=8420, show_default=True, help="The port to listen at; 0 takes any that is free.")
@click.option("--data", metavar="FOLDER", type=click.Path(file_okay=False), help="Where games are kept.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A further name by which the server is called, such as play.example.org.")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.6, show_default=True, help="Seconds that a bot waits before it answers.")
@click.option("--language", default="", metavar="TAG", help="The language of the page and of games for who has chosen none, such as cs.")
@click.option("--allow-rulesets", is_flag=True, help="Let people upload rulesets of their own, within strict limits.")
@click.option("--measure", is_flag=True, help="Measure how much this machine can serve, and end; --games, --connections and --seconds go with it.")
@click.option("--games", type=click.IntRange(1, 1_000), default=200, show_default=True, hidden=True)
@click.option("--connections", type=click.IntRange(1, 4_000), default=1_000, show_default=True, hidden=True)
@click.option("--seconds", type=click.IntRange(1, 600), default=60, show_default=True, hidden=True)
def command(
    name: str | None,
    host: str,
    port: int,
    data: str | None,
    names: tuple[str, ...],
    pace: float,
    language: str,
    allow_rulesets: bool,
    measure: bool,
    games: int,
    connections: int,
    seconds: int,
) -> None:
    """Let people play in their browsers: one command, one address."""
    if missing := [module for module in MODULES if find_spec(module) is None]:
        refuse(f"'serve' needs {', '.join(missing)}: pip install 'rulewright[serve]' (tools/rulewright of a clone does so by itself)")
    if measure:
        from rulewright_tools.serve.measure import measure as run

        open_more()
        click.echo(run(name or "base", games, connections, seconds))
        return
    serve(name, host, port, Path(data) if data else usual_folder(), names, pace, allow_rulesets, language)


def serve(name: str | None, host: str, port: int, data: Path, names: tuple[str, ...], pace: float, allow_rulesets: bool, language: str = "") -> None:
    """Serve until somebody interrupts."""
    from rulewright_tools.serve.catalogue import Catalogue, CatalogueError
    from rulewright_tools.serve.house import House, HouseError

    open_more()
    try:
        listening = listen(host, port)
    except OSError as error:
        refuse(f"cannot listen at {host}, port {port}: {error.strerror or error}; --port names another")
    try:
        house = House(data, Catalogue(name, data / "rulesets"), pace=pace, uploads=allow_rulesets, language=language)
    except (CatalogueError, HouseError) as error:
        refuse(str(error))
    port = listening.getsockname()[1]
    click.echo(f"Rulewright is at {address(host, port)} (Ctrl-C ends it; games are kept in {data}).")
    if host not in LOOPBACK:
        click.echo(f"Others in your network find it at {address(own_address(), port)}")
    make_server(house, names).run(sockets=[listening])


def make_server(house: House, names: Sequence[str] = ()) -> Server:
    """What answers on a socket."""
    import uvicorn

    from rulewright_tools.serve.app import make_app
    from rulewright_tools.serve.patience import Patience

    patience = Patience(house.limits.silence)
    config = uvicorn.Config(
        make_app(house, names, patience),
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=house.limits.message * 4,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=32_768,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )
    config.load()
    config.http_protocol_class = patience.watching(config.http_protocol_class)
    return uvicorn.Server(config)


def open_more() -> None:
    """Let this process have as many files and connections open as it may; often that is more than it has at first."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not everywhere, and not always
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if 0 <= hard < FILES else FILES, hard))


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(1024)
    except OSError:
        made.close()
        raise
    return made


def address(host: str, port: int) -> str:
    """An address to click on."""
    shown = "localhost" if host in LOOPBACK or host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"


def own_address() -> str:
    """The address of this machine in its network, as far as it can tell without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
            return str(asking.getsockname()[0])
        except OSError:
            return socket.gethostname()
