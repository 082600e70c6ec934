"""`rulewright play`: a game for people at this terminal.

Takes a ruleset with layers and options, or a saved game, and who sits where; shows it on a whole screen (textual, the extra `play`), or line by line with `--plain` and
wherever the terminal cannot do more. Exit 1 when the ruleset has mistakes or fails while it is played, 2 when the command line asks for what there is not.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rulewright.render import printable
from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import in_language, language_option, load_rules, show_failure
from rulewright_tools.progress import progress
from rulewright_tools.validate import _read_options

if TYPE_CHECKING:
    from rulewright_tools.play.renewal import Renewal
    from rulewright_tools.play.session import Session

EXTRA = "play"


@click.command("play")
@click.argument("name", metavar="[PATH|NAME]", required=False)
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option(
    "--seats",
    metavar="WHO[,WHO...]",
    help="Who sits where: me, bot, the name of a bot (random, first, mcts:200) or of a person; by default you and bots.",
)
@click.option("--players", type=int, metavar="N", help="How many play, where --seats does not say.")
@click.option("--seed", type=int, metavar="S", help="What dice, shuffles and bots start from; by default another one each time.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@click.option(
    "--chance",
    type=click.Choice(["ask", "open"]),
    help="ask: you play with the real box, and say what dice and cards show; open: the same, but what stays face down the program draws, and tells when it is turned up.",
)
@click.option("--from", "scenario", metavar="FILE[#NAME]", help="Begin where a scenario leads: the first of a file, or the one whose name begins so.")
@click.option("--load", metavar="FILE", help="Go on with a saved game, by the rules that it names.")
@language_option
@click.option("--watch", is_flag=True, help="Go on by the rules as they are on disk, whenever a file of them changes.")
@click.option("--plain", is_flag=True, help="Line by line, without a screen of its own.")
def command(
    name: str | None,
    layers: tuple[str, ...],
    seats: str | None,
    players: int | None,
    seed: int | None,
    options: dict[str, object],
    chance: str | None,
    scenario: str | None,
    load: str | None,
    language: str | None,
    watch: bool,
    plain: bool,
) -> None:
    """Play a game at this terminal: alone, with bots, or in turn with others."""
    from rulewright.errors import RulesError
    from rulewright_tools.play.session import Session, chairs_of, usual_bot

    seed = secrets.randbelow(1_000_000) if seed is None else seed
    if sum(given is not None for given in (load, scenario, chance)) > 1:
        raise click.UsageError("--load, --from and --chance do not go together.")
    if load is not None:
        from rulewright_tools.run import _loaded

        game = _loaded(load, name, layers, options, players, False, "wasm")
        chairs = chairs_of(seats, game.world.players, game.world.players, None, seed, usual_bot(game.rules))
    elif name is None:
        raise click.UsageError("Name a ruleset, such as tic_tac_toe, or a saved game to go on with: --load FILE.")
    elif scenario is not None:
        from rulewright_tools.play.from_scenario import game_from

        game = game_from(name, layers, scenario)
        chairs = chairs_of(seats, game.world.players, game.world.players, None, seed, usual_bot(game.rules))
    else:
        rules = load_rules(name, layers, options)
        chairs = chairs_of(seats, *rules.players, players, seed, usual_bot(rules))
        try:
            with progress("preparing the game"):
                game = rules.new_game(len(chairs), seed, chance and "ask")
        except RulesError as error:
            show_failure(rules, error)
    session = Session(
        game, chairs, asks_chance=chance is not None, draws=seed if chance == "open" else None, language=in_language(game.rules, language)
    )
    session.file = load
    renewal = None
    if watch:
        from rulewright_tools.play.renewal import Renewal

        renewal = Renewal(session)
    try:
        if plain or not full_screen():
            play_plain(session, seed, renewal)
        else:
            from rulewright_tools.play.app import run

            run(session, renewal)
            click.echo(left_behind(session, seed))
    except RulesError as error:
        show_failure(session.game.rules, error, len(session.game.choices))


def full_screen() -> bool:
    """Whether a screen of its own can be shown here: both ends are a terminal that can do something, and textual is installed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        return False
    from importlib.util import find_spec

    if find_spec("textual") is None:
        click.echo("Played line by line: a screen with keys and mouse needs textual (pip install 'rulewright[play]').", err=True)
        return False
    return True


def left_behind(session: Session, seed: int) -> str:
    """What is said when the screen has gone."""
    from rulewright_tools.play.plain import ending

    told = ending(session, session.table()) if session.over else session.say("The game was not saved.") if session.unsaved else ""
    return printable(session.say("{title}, seed {seed}.", title=session.layout.title, seed=seed) + f" {told}".rstrip())


def something_typed(prompt: str, news: Callable[[], bool | None]) -> bool:
    """Waits at a terminal for a line to read; False if there are news first that make it needless. After others the prompt is shown again."""
    import select

    from rulewright_tools.play.renewal import EVERY

    click.echo(prompt, nl=False)
    while not select.select([sys.stdin], [], [], EVERY)[0]:
        found = news()
        if found:
            return False
        if found is not None:
            click.echo(prompt, nl=False)
    return True


def read_line(prompt: str) -> str | None:
    """A line that somebody types; None where there is nothing more to read. What comes after it, or after Ctrl-C, begins a line."""
    try:
        return input(prompt)
    except EOFError:
        click.echo()
        return None
    except KeyboardInterrupt:
        click.echo()
        raise


def play_plain(session: Session, seed: int, renewal: Renewal | None = None) -> None:
    """Line by line at this terminal."""
    from rulewright_tools.play.plain import Screen, play

    width = shutil.get_terminal_size((100, 24)).columns
    who = ", ".join(session.say("player {number} is {name}", number=chair.number, name=chair.name) for chair in session.chairs)
    click.echo(session.say("{title}: {who}. Seed {seed}. 'help' tells what can be typed.", title=session.layout.title, who=who, seed=seed))
    waits = sys.stdin.isatty() and sys.platform != "win32"  # there only connections can be waited for
    screen = Screen(click.echo, read_line, colour_wanted(sys.stdout), width, something_typed if waits else None)
    try:
        play(session, screen, renewal)
    finally:  # after Ctrl-C, too
        if session.unsaved:
            click.echo(session.say("The game was not saved."))
