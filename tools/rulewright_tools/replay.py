"""`rulewright replay`: plays a recorded game again.

Takes a file that `run --log` wrote, loads the rules it names, by their id or from where the file lies, and makes its choices one after another; prints the
transcript, as far as asked, or with --verify says whether the game goes as recorded, and if not, where it first differs. Rules that have been changed since are
named and refused; --force plays by them as far as the choices are legal, and says where the game went otherwise. Exit 1 when a game does not go as recorded or cannot be
played to its end, or when the rules have mistakes; 2 when the file cannot be read or is damaged.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click
from msgspec.structs import replace

from rulewright.render import printable
from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import engine_option, in_language, language_option, refuse, rules_named, show_failure
from rulewright_tools.progress import progress
from rulewright_tools.telling import Event, note_missing, page, telling_options
from rulewright_tools.transcript import Eyes, counted, in_words, people, read_eyes

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.game.saving import Difference
    from rulewright.rules import Rules


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after the first N choices.")
@click.option("--view", "eyes", metavar="PLAYER", callback=read_eyes, help="Tell what a player may know: a number, or 'spectator'; else everything.")
@telling_options
@language_option
@engine_option
@click.option("--verify", is_flag=True, help="Play all of it, and say whether it goes as recorded.")
@click.option("--force", is_flag=True, help="Play by the rules as they are now, as far as its choices are legal.")
def command(
    file: str, to: int | None, eyes: Eyes, detail: str, since: str | None, verify: bool, force: bool, language: str | None, engine: str
) -> None:
    """Play a recorded game again, or verify it."""
    if verify and to is not None:
        raise click.UsageError("--verify plays the whole game: it does not go with --to.")
    data = read_replay(file)
    rules = rules_named(data, file, engine)
    eyes = replace(eyes, language=in_language(rules, language))
    if eyes.player is not None and eyes.player > data["players"]:
        refuse(f"--view {eyes.player}: there are only {data['players']} players")
    if verify:
        _verify(file, rules, data)
    else:
        _tell(rules, data, to, eyes, force, detail, None if since is None else Event(rules, since, "--from"))


def read_replay(file: str) -> dict[str, Any]:
    """What a replay holds; a file that is none is refused."""
    from rulewright.errors import SaveError
    from rulewright.game.saving import read_file

    try:
        data: dict[str, Any] = read_file(file, "replay")
    except SaveError as error:
        refuse(f"{error}; to go on with it: rulewright run --load {file}" if error.found == "save" else str(error))
    return data


def _tell(rules: Rules, data: dict[str, Any], to: int | None, eyes: Eyes, force: bool, detail: str, since: Event | None) -> None:
    """Print the game that its choices lead to; where they cannot be made, say so."""
    from rulewright.errors import SaveError
    from rulewright.game.saving import check_rules, first_difference

    changed = False
    try:
        check_rules(rules, data, "replay")
    except SaveError as error:
        if not force:
            fail(f"Error: {error}; --verify shows what is different, --force plays it by the rules as they are now")
        changed = True
        _note(f"{error}; played by the rules as they are now")
    game, problem = played(rules, data, to)
    if problem is not None and not force:
        fail(f"Error: {problem}{_reworded(rules, data)}")
    told = page(game, eyes, [], colour_wanted(sys.stdout), detail, since)
    click.echo(told.more() + told.end(), nl=False)
    note_missing(since)
    difference = first_difference(game, data, to is not None or problem is not None) if changed else None
    if difference is not None:
        _note(f"the game {_told(game, difference)}")
    if problem is not None:
        fail(f"Stopped after {counted(len(game.choices), 'choice')}: {problem}")


def _note(message: str) -> None:
    click.echo("\n".join(printable(line) for line in f"Note: {message}".split("\n")), err=True)


def _reworded(rules: Rules, data: dict[str, Any]) -> str:
    """A choice in words is named by its words, and what they say of things by their labels."""
    same = data["ruleset"]["fingerprint"] == rules.fingerprint and data["ruleset"]["words"] != rules.marks.words
    return "; the rules mean the same, but some of their words have changed, by which choices are named" if same else ""


def played(rules: Rules, data: dict[str, Any], to: int | None = None) -> tuple[Game, str | None]:
    """The game that the choices of a replay lead to, and why it goes no further, if it does not."""
    from rulewright.errors import RulesError
    from rulewright.game.saving import play_again

    try:
        with progress("playing the game again"):
            return play_again(rules, data, to)
    except ValueError as error:
        refuse(f"the replay is damaged: {error}")
    except RulesError as error:
        show_failure(rules, error)


def fail(message: str) -> NoReturn:
    """Say why a game cannot be shown, and end the command."""
    click.echo("\n".join(printable(line) for line in message.split("\n")), err=True)
    raise click.exceptions.Exit(1)


def _verify(file: str, rules: Rules, data: dict[str, Any]) -> None:
    """Say whether a game goes as recorded, or where it first does not."""
    from rulewright.errors import SaveError
    from rulewright.game.saving import check_rules, first_difference

    changed = False
    try:
        check_rules(rules, data, "replay")
    except SaveError as error:
        if data["ruleset"]["id"] != rules.id:
            fail(f"Error: {error}")
        changed = True
        _note(f"{error}.")
    game, problem = played(rules, data)
    difference = first_difference(game, data)
    if problem is not None and (difference is None or difference.played is None):
        fail(f"{file}: {problem}{_reworded(rules, data)}")  # what is recorded after it is missing for no other reason
    again = game.replay()
    alike = again["log_fingerprint"] == data["log_fingerprint"]
    reworded = not changed and alike and data["ruleset"]["words"] != rules.marks.words
    if difference is not None and not reworded:
        fail(f"{file}: {_told(game, difference)}")
    if again["result"] != data["result"]:
        fail(f"{file}: another result: recorded is {_ended(data['result'])}; played again, {_ended(again['result'])}")
    if not changed and not alike:  # with other rules things have other numbers
        fail(f"{file}: all {counted(len(data['log']), 'event')} read the same, but the data behind them has another fingerprint")
    if difference is not None:
        _note(f"the rules mean the same, but some of their words have changed: the game {_told(game, difference)}")
    log = "the same log" if difference is None else "the same log in other words"
    click.echo(f"{file}: {counted(len(data['choices']), 'choice')}, {log}, the same result. {in_words(game, Eyes())}")


def _told(game: Game, difference: Difference) -> str:
    """The first difference in words, with the choice it comes of."""
    if difference.after == 0:
        when = "before the first choice"
    else:
        player, option = game.choices[difference.after - 1]
        when = f"after choice {difference.after} ({people([player])}: {option})"
    recorded, played = difference.recorded or "nothing more", difference.played or "nothing more"
    return f"differs {when}, at event {difference.event}\n  recorded: {recorded}\n  played:   {played}"


def _ended(result: dict[str, list[int]] | None) -> str:
    """A recorded result in a few words."""
    if result is None:
        return "a game that is not over"
    told = [f"{people(result[key])} {word}" for key, word in (("winners", "won"), ("losers", "lost"), ("eliminated", "eliminated")) if result[key]]
    return ", ".join(told) or "nobody won"
