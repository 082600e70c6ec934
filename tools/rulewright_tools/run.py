"""`rulewright run`: plays a whole game by bots and prints what happens.

Takes a ruleset with layers and options, the number of players, a seed and a bot for each seat, or a saved game to go on with, by the rules it names or by others; gives a
transcript as the game goes on and the result, or one JSON document, and on request a replay and a save. Exit 1 when the ruleset has mistakes or fails while it is played, 2 when the command line asks for
something that there is not. However the game stops, by the rules, an interruption or a reader who has gone, what was asked for is written as it stands.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from rulewright.render import printable
from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import engine_option, in_language, language_option, load_rules, refuse, rules_named, show_failure
from rulewright_tools.progress import progress
from rulewright_tools.telling import Event, Page, note_missing, page, telling_options, until_option
from rulewright_tools.transcript import Eyes, as_document, in_words, read_eyes
from rulewright_tools.validate import _read_options

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.bots import Bot
    from rulewright.rules import Rules

_ENOUGH = 20_000


@click.command("run")
@click.argument("name", metavar="[PATH|NAME]", required=False)
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option("--players", type=int, metavar="N", help="How many play; by default as many as is usual.")
@click.option("--seed", type=int, default=0, metavar="S", help="What dice, shuffles and bots start from.", show_default=True)
@click.option(
    "--bots", default="random", metavar="BOT[,BOT...]", help="Who plays: random, first, mcts or mcts:PLAYOUTS; one for all, or one for each seat."
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@click.option("--view", "eyes", metavar="PLAYER", callback=read_eyes, help="Tell what a player may know: a number, or 'spectator'; else everything.")
@telling_options
@until_option
@click.option("--load", "load", metavar="FILE", help="Go on with a saved game, by the rules that it names, or by those given.")
@click.option("--force", is_flag=True, help="With --load: also by rules that have been changed since, if the game still fits them.")
@click.option(
    "--decisions", type=click.IntRange(min=0), metavar="N", help="Stop after so many decisions; of a game that was loaded, so many further ones."
)
@click.option("--log", "replay", metavar="FILE", type=click.Path(dir_okay=False), help="Write the game there as its choices, for 'replay'.")
@click.option("--save", "save", metavar="FILE", type=click.Path(dir_okay=False), help="Save the game there as it stands at the end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@language_option
@engine_option
@click.option("--quiet", is_flag=True, help="Print the result only.")
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    layers: tuple[str, ...],
    players: int | None,
    seed: int,
    bots: str,
    options: dict[str, object],
    eyes: Eyes,
    detail: str,
    since: str | None,
    until: str | None,
    load: str | None,
    force: bool,
    decisions: int | None,
    replay: str | None,
    save: str | None,
    as_json: bool,
    quiet: bool,
    language: str | None,
    engine: str,
) -> None:
    """Play a whole game by bots and print what happens."""
    if load is not None:
        game = _loaded(load, name, layers, options, players, force, engine)
    elif name is None:
        raise click.UsageError("Name a ruleset, or a saved game to go on with: --load FILE.")
    elif force:
        raise click.UsageError("--force goes with --load.")
    else:
        game = _begun(load_rules(name, layers, options, engine), players, seed)
    rules, players = game.rules, game.world.players
    eyes = replace(eyes, language=in_language(rules, language))
    if eyes.player is not None and eyes.player > players:
        refuse(f"--view {eyes.player}: there are only {players} players")
    _check_targets(replay, save)
    names, made = _bots(bots, players, seed)
    from rulewright.errors import RulesError

    limit = len(game.choices) + (_ENOUGH if decisions is None else decisions)
    first, last = (None if each is None else Event(rules, each, option) for each, option in ((since, "--from"), (until, "--until")))
    told = None if as_json or quiet else page(game, eyes, names, colour_wanted(sys.stdout), detail, first)
    problem: BaseException | None = None
    try:
        _play(game, made, limit, told, last)
    except BaseException as error:  # whatever it is, first the game is written as it stands
        problem = error
    unwritten = _write({path: data for path, data in ((replay, game.replay), (save, game.save)) if path is not None})
    if problem is not None and not isinstance(problem, RulesError | KeyboardInterrupt):
        raise problem
    if as_json:
        click.echo(json.dumps(as_document(game, eyes, names), indent=1))
    else:
        click.echo(f"{in_words(game, eyes)}\n" if told is None else told.more() + told.end(), nl=False)
        note_missing(*([first] if told is not None else []), last)
    if unwritten:
        refuse("\nError: ".join(unwritten))
    if isinstance(problem, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        raise problem
    if isinstance(problem, RulesError):
        show_failure(rules, problem, len(game.choices))
    if decisions is None and game.result is None and (last is None or last.position is None):
        click.echo(f"Stopped after {_ENOUGH:,} decisions; --decisions N lets it go on for longer.", err=True)
        ctx.exit(1)


def _begun(rules: Rules, players: int | None, seed: int) -> Game:
    """A new game."""
    from rulewright.errors import RulesError

    try:
        with progress("preparing the game"):
            return rules.new_game(_players(rules, players), seed)
    except RulesError as error:
        show_failure(rules, error)


def _loaded(file: str, name: str | None, layers: Sequence[str], options: Mapping[str, object], players: int | None, force: bool, engine: str) -> Game:
    """A saved game, by the rules it names or by others; if they have changed since, that is told."""
    from rulewright.errors import SaveError
    from rulewright.game import saving

    if players is not None:
        raise click.UsageError("--players does not go with --load: a saved game has its players.")
    if name is None and (layers or options):
        raise click.UsageError("--layer and --option do not go with --load alone: name the ruleset too, or leave them to the save.")
    try:
        data = saving.read_file(file, "save")
    except SaveError as error:
        refuse(f"{error}; to play it again: rulewright replay {file}" if error.found == "replay" else str(error))
    rules = rules_named(data, file, engine) if name is None else load_rules(name, layers, {**data["ruleset"]["options"], **options}, engine)
    try:
        saving.check_rules(rules, data, "save")
    except SaveError as error:
        if not force:
            refuse(f"{error}; --force goes on by the rules as they are now, if the game still fits them", 1)
        click.echo(f"Note: {printable(str(error))}; the game goes on by the rules as they are now.", err=True)
    try:
        return rules.load_game(data, force=force)
    except SaveError as error:
        refuse(str(error), 1 if data["ruleset"]["fingerprint"] != rules.fingerprint else 2)


def _players(rules: Rules, wanted: int | None) -> int:
    """How many play."""
    low, high = rules.players
    players = rules.usual_players if wanted is None else wanted
    if not low <= players <= high:
        refuse(f"--players {players}: '{rules.id}' is for {low if low == high else f'{low} to {high}'} players")
    return players


def _bots(given: str, players: int, seed: int) -> tuple[list[str], list[Bot]]:
    """A bot for each seat, each with a seed of its own."""
    from rulewright.bots import UnknownBot, make_bot

    names = [name.strip() for name in given.split(",")]
    if len(names) == 1:
        names *= players
    if len(names) != players:
        refuse(f"--bots names {len(names)} bots for {players} players; give one for all, or one for each")
    try:
        return names, [make_bot(name, seed * 64 + seat) for seat, name in enumerate(names)]
    except UnknownBot as error:
        refuse(f"--bots: {error}")


def _play(game: Game, bots: Sequence[Bot], limit: int, told: Page | None, last: Event | None) -> None:
    """Play on until the game is over or long enough, or something has happened, and tell what happens."""
    while True:
        if told is not None:
            click.echo(told.more(), nl=False)
        if last is not None and last.has_happened(game):
            return
        if len(game.choices) >= limit or (ask := game.decision) is None:
            return
        game.choose(bots[ask.player - 1].choose(game, ask))


def _check_targets(*paths: str | None) -> None:
    """Refuse what cannot be written to before a long game is played for it."""
    named = [path for path in paths if path is not None]
    for path in named:
        if path == "-":
            refuse("--log and --save need the name of a file; '-' is none, and what is printed is the game in words")
        if not os.path.exists(path) and not os.access(Path(path).resolve().parent, os.W_OK):
            refuse(f"cannot write '{path}': its folder does not exist, or nothing may be written there")
    if len({os.path.realpath(path) for path in named}) < len(named):
        refuse(f"--log and --save both name '{named[0]}'")


def _write(wanted: Mapping[str, Callable[[], dict[str, Any]]]) -> list[str]:
    """Write files, each in one step; gives what is wrong with those that could not be written."""
    from rulewright.game.saving import write_file

    problems = []
    for path, data in wanted.items():
        try:
            write_file(path, data())
        except OSError as error:
            kept = "; what was there before is unchanged" if os.path.isfile(path) else ""
            problems.append(f"cannot write '{path}': {error.strerror or error}{kept}")
    return problems
