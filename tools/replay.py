"""`rulewright replay`: plays a recorded game again.

Takes a file that `run --log` wrote, loads the rules it names and makes its choices one after another; prints the transcript, as far as asked, or with
--verify says whether the game goes as recorded. Exit 1 when it does not, or when the rules have mistakes; 2 when the file cannot be read or is damaged.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tools.cli import colour_wanted
from tools.loading import load_rules, refuse, show_failure
from tools.transcript import Eyes, as_text, counted, in_words, people, read_eyes

if TYPE_CHECKING:
    from interpreter.rules import Rules
    from interpreter.run.game import Game


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after the first N choices.")
@click.option("--view", "eyes", metavar="PLAYER", callback=read_eyes, help="Tell what a player may know: a number, or 'spectator'; else everything.")
@click.option("--verify", is_flag=True, help="Play all of it, and say whether it goes as recorded.")
@click.pass_context
def command(ctx: click.Context, file: str, to: int | None, eyes: Eyes, verify: bool) -> None:
    """Play a recorded game again, or verify it."""
    if verify and to is not None:
        raise click.UsageError("--verify plays the whole game: it does not go with --to.")
    from interpreter.run.saving import SaveError, read_file

    try:
        data = read_file(file, "replay")
    except SaveError as error:
        refuse(str(error))
    about = data["ruleset"]
    rules = load_rules(about["target"], about["added"], about["options"])
    if eyes.player is not None and eyes.player > data["players"]:
        refuse(f"--view {eyes.player}: there are only {data['players']} players")
    game = _replayed(rules, data, to)
    if not verify:
        click.echo(as_text(game, eyes, [], colour_wanted(sys.stdout)), nl=False)
        return
    difference = _difference(game, data)
    if difference is not None:
        click.echo(f"{file}: {difference}", err=True)
        ctx.exit(1)
    click.echo(f"{file}: {counted(len(data['choices']), 'choice')}, the same log, the same result. {in_words(game, eyes)}")


def _replayed(rules: Rules, data: dict[str, Any], to: int | None) -> Game:
    """The game after its choices; where they cannot be made, the command ends."""
    from interpreter.run.machine import RulesError
    from interpreter.run.saving import SaveError, replay

    try:
        return replay(rules, data, to)
    except SaveError as error:
        click.echo(f"Error: {error}", err=True)
        raise click.exceptions.Exit(1) from None
    except ValueError as error:
        refuse(f"the replay is damaged: {error}")
    except RulesError as error:
        show_failure(rules, error)


def _difference(game: Game, data: dict[str, Any]) -> str | None:
    """What differs first between a recorded game and the same choices played now."""
    again = game.replay()
    if again["result"] != data["result"]:
        return f"another result: recorded is {_ended(data['result'])}; played again, {_ended(again['result'])}"
    if again["log_fingerprint"] != data["log_fingerprint"]:
        return f"the result is the same ({_ended(data['result'])}), but not everything on the way: the log differs"
    return None


def _ended(result: dict[str, list[int]] | None) -> str:
    """A recorded result in a few words."""
    if result is None:
        return "a game that is not over"
    told = [f"{people(result[key])} {word}" for key, word in (("winners", "won"), ("losers", "lost"), ("eliminated", "eliminated")) if result[key]]
    return ", ".join(told) or "nobody won"
