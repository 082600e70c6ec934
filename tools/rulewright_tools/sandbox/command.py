"""`rulewright try`: an author tries rules by hand.

Takes a ruleset with layers and options; reads statements, calls of effects, choices and what chance gives, and writes what was done as a scenario. Exit 1 when the
ruleset has mistakes, 2 when the command line asks for what there is not.
"""

from __future__ import annotations

import shutil
import sys

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import in_language, language_option, load_rules, refuse
from rulewright_tools.validate import _read_options


@click.command("try")
@click.argument("name", metavar="PATH|NAME")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option("--players", type=int, metavar="N", help="How many play; by default as few as can.")
@click.option("--seed", type=int, default=1, metavar="S", help="What chance answers with where nobody says what it gives.", show_default=True)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@click.option(
    "--start",
    type=click.Choice(["setup", "play", "new", "bare"]),
    default="setup",
    show_default=True,
    help="Where to begin: after the set-up, at the first decision of the play or of all, or with everything at its starting place.",
)
@language_option
def command(name: str, layers: tuple[str, ...], players: int | None, seed: int, options: dict[str, object], start: str, language: str | None) -> None:
    """Try rules by hand: place things, call effects, choose what chance brings, and save it as a scenario."""
    from rulewright.sources.locate import standing
    from rulewright_tools.own_words import said_in
    from rulewright_tools.play.command import read_line
    from rulewright_tools.play.plain import Screen
    from rulewright_tools.sandbox.lines import Sandbox
    from rulewright_tools.sandbox.trial import Trial, Wrong

    rules = load_rules(name, layers, options)  # mistakes in it are shown with their places
    read_in = in_language(rules, language)
    low, high = rules.players
    if players is not None and not low <= players <= high:
        refuse(f"--players {players}: '{rules.id}' is for {low if low == high else f'{low} to {high}'} players")

    try:
        trial = Trial(standing(name), [standing(layer) for layer in layers], options, players, seed, start)
    except Wrong as wrong:
        refuse(str(wrong), 1)
    say, count = said_in(read_in), trial.game.world.players
    click.echo(say("{title}, players: {n}, start: {start}. 'help' tells what can be typed.", title=rules.title(read_in), n=count, start=start))
    Sandbox(trial, Screen(click.echo, read_line, colour_wanted(sys.stdout), shutil.get_terminal_size((100, 24)).columns), read_in).run()
