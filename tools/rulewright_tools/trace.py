"""`rulewright trace`: why something happened in a recorded game: the choices, effects and hooks that led to it, each with its line and its citations.

Takes a file that `run --log` wrote and an entry of its story, numbered as `run` and `replay` number decisions (12), with what came of one counted behind it (12.3), or an entry of
the log by its number; without either the story is listed with these numbers. Rules that have been changed since are refused, unless forced. Exit 1 when the game cannot be
played to that point, 2 when there is no such entry or the file cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rulewright.render import printable
from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import in_language, language_option, load_rules, refuse, rules_named
from rulewright_tools.progress import progress
from rulewright_tools.replay import fail, played, read_replay
from rulewright_tools.transcript import WIDTH

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.game.story import Line
    from rulewright.rules import Rules
    from rulewright.trace import Cause

HEAD, DECIDED, RULE = "1", "36", "2"  # colours: what happened, what was decided, where it is written
_AT = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?")


class Numbered(msgspec.Struct, frozen=True):
    """A line of the story with its number: that of a decision, or of one with what came of it counted behind."""

    number: str
    line: Line


@click.command("trace")
@click.argument("file", metavar="REPLAY")
@click.option("--at", metavar="N", help="An entry of the story: a decision by its number (12), or something that came of it (12.3).")
@click.option(
    "--event", type=click.IntRange(min=1), metavar="N", help="An entry of the log instead, as `replay --verify` and `run --json` number them."
)
@language_option
@click.option("--json", "as_json", is_flag=True, help="Show it as JSON.")
@click.option("--force", is_flag=True, help="Play by the rules as they are now, as far as its choices are legal.")
def command(file: str, at: str | None, event: int | None, language: str | None, as_json: bool, force: bool) -> None:
    """Show why something happened in a recorded game.

    Without --at, the story with the number of everything in it.
    """
    if at is not None and event is not None:
        raise click.UsageError("--at names an entry of the story, --event one of the log: say one of them.")
    if at is not None and _AT.fullmatch(at) is None:
        raise click.UsageError(f"--at {printable(at)}: write the number of a decision, as in 12, or of something that came of it, as in 12.3.")
    data = read_replay(file)
    rules = rules_named(data, file, "wasm")
    _mind(rules, data, force)
    language = in_language(rules, language)
    game, problem = played(rules, data)
    if problem is not None and not force:
        fail(f"Error: {problem}")
    story = numbered(game, language)
    if at is None and event is None:
        click.echo(_listed_as_json(story) if as_json else _listed(story))
        return
    position, head = _wanted(game, story, at, event, language)
    chain, log = _why(rules, data, position, file), game.log(None, everything=True, language=language)
    came = _came_of(story, at)
    if as_json:
        click.echo(_as_json(head, position, chain, log, came))
    else:
        click.echo("\n".join(_told(rules, head, chain, log, came)))


def _mind(rules: Rules, data: Mapping[str, Any], force: bool) -> None:
    """Changed rules would tell another game."""
    from rulewright.errors import SaveError
    from rulewright.game.saving import check_rules

    try:
        check_rules(rules, data, "replay")
    except SaveError as error:
        if not force:
            fail(f"Error: {error}; --force plays it by the rules as they are now")
        click.echo(printable(f"Note: {error}; played by the rules as they are now"), err=True)


def numbered(game: Game, language: str | None = None) -> list[Numbered]:
    """The lines of the story of a game, for who may know everything; headings have no number. What comes before the first decision comes of decision 0; the last page
    only sums up what has happened."""
    from rulewright.game.story import Story

    found, decision, count = [], 0, 0
    for line in Story(game, None, everything=True, language=language).rest():
        if line.position >= game.log_length:
            break
        if line.kind == "heading":
            found.append(Numbered("", line))
        elif line.number is not None:
            decision, count = line.number, 0
            found.append(Numbered(str(decision), line))
        else:
            count += 1
            found.append(Numbered(f"{decision}.{count}", line))
    return found


def _wanted(game: Game, story: Sequence[Numbered], at: str | None, event: int | None, language: str | None) -> tuple[int, str]:
    """Where in the log the entry stands that was asked for, and what it says."""
    if event is not None:
        if event > game.log_length:
            refuse(f"--event {event}: the log of this game has only {game.log_length} entries")
        return event - 1, f"event {event}: {game.log(None, everything=True, language=language)[event - 1]['text']}"
    wanted = ".".join(str(int(part)) for part in str(at).split("."))
    found = next((each for each in story if each.number == wanted), None)
    if found is None:
        numbers = [each.number for each in story if each.number]
        decision = int(wanted.partition(".")[0])
        whole = [int(number) for number in numbers if "." not in number]
        under = [number for number in numbers if number.startswith(f"{wanted.partition('.')[0]}.")]
        if "." in wanted and under:
            refuse(f"--at {at}: the last that came of decision {decision} is {under[-1]}")
        if whole and decision not in whole and 0 < decision < max(whole):  # what is paid and chosen for an action is one line with it
            together = max(number for number in whole if number < decision)
            if "." in wanted:
                refuse(f"--at {at}: decision {decision} is told with {together}")
            click.echo(f"Note: decision {decision} is told with {together}.", err=True)
            return _wanted(game, story, str(together), None, language)
        if decision == 0:
            refuse(f"--at {at}: what comes before the first decision is 0.1 and so on")
        if decision in whole:
            refuse(f"--at {at}: nothing that is told came of decision {decision}")
        refuse(
            f"--at {at}: the decisions of this game have the numbers 1 to {max(whole)}"
            if whole
            else f"--at {at}: nobody decides anything in this game"
        )
    return found.line.position, f"{found.number}  {found.line.text}"


def _came_of(story: Sequence[Numbered], at: str | None) -> list[Numbered]:
    """What came of a decision."""
    if at is None or "." in at:
        return []
    return [each for each in story if each.number.startswith(f"{int(at)}.")]


def _why(rules: Rules, data: Mapping[str, Any], position: int, file: str) -> list[Cause]:
    """The chain that led to an entry: the game is stepped to there."""
    from rulewright.rules import named_in
    from rulewright.trace import trace

    target, layers = named_in(data, file)
    stepped = load_rules(target, layers, data["ruleset"]["options"], "step")
    begun = (data["players"], data["seed"], "ask" if data["chance"] == "ask" else data["script"])
    with progress("stepping through the game"):
        _, chain = trace(stepped, begun, data["choices"], position)
    return chain


# -- in words


def _listed(story: Iterable[Numbered]) -> str:
    widest = max((len(each.number) for each in story), default=0)
    return "\n".join(
        f"\n{printable(each.line.text)}" if not each.number else f"{each.number:>{widest}}  {printable(each.line.text)}" for each in story
    )


def _told(rules: Rules, head: str, chain: Sequence[Cause], log: Sequence[Mapping[str, Any]], came: Sequence[Numbered]) -> list[str]:
    """What happened, and why, from the outermost cause to the innermost; then what came of it."""
    colour = colour_wanted(sys.stdout)

    def paint(text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if colour and text else text

    lines = [paint(printable(head), HEAD), ""]
    for cause in chain:
        cited = f"  [{', '.join(cause.cites)}]" if cause.cites else ""
        of = f" of {cause.of}" if cause.of else ""
        lines.append(paint(printable(f"{cause.what} {cause.name}{of}".strip()), HEAD) + paint(printable(f"  {cause.place}{cited}"), RULE))
        lines += [paint(printable(f"    {log[number]['text']}"), DECIDED) for number in cause.decided]
        if cause.line:
            lines.append(f"    {printable(_short(cause.line))}" + paint(f"  {printable(cause.at)}", RULE))
    lines += [_statement(rules, chain)] if chain and chain[-1].cites else []
    if came:
        lines += ["", paint("What came of it:", HEAD), *(f"  {each.number:>6}  {printable(each.line.text)}" for each in came)]
    return lines


def _statement(rules: Rules, chain: Sequence[Cause]) -> str:
    """What the rulebook says of the innermost cause."""
    linked = rules.built.linked
    said = linked.rulebook if linked is not None else {}
    shown = [
        textwrap.fill(printable(f"{cite}: {said[cite]}"), WIDTH, initial_indent="  ", subsequent_indent="      ")
        for cite in chain[-1].cites
        if cite in said
    ]
    return "\n" + "\n".join(shown) if shown else ""


def _short(line: str) -> str:
    return line if len(line) <= WIDTH - 10 else line[: WIDTH - 11].rstrip() + "…"


# -- as data


def _listed_as_json(story: Iterable[Numbered]) -> str:
    return json.dumps([{"at": each.number, **_plain(each.line)} for each in story if each.number], indent=2, ensure_ascii=False)


def _plain(line: Line) -> dict[str, Any]:
    return {"event": line.position + 1, "text": line.text, "cause": line.cause, "cites": list(line.cites)}


def _as_json(head: str, position: int, chain: Sequence[Cause], log: Sequence[Mapping[str, Any]], came: Sequence[Numbered]) -> str:
    causes = [
        {**msgspec.to_builtins(cause), "decided": [{"event": number + 1, "text": log[number]["text"]} for number in cause.decided]} for cause in chain
    ]
    made = {"text": head, "event": position + 1, "because": causes, "came_of_it": [{"at": each.number, **_plain(each.line)} for each in came]}
    return json.dumps(made, indent=2, ensure_ascii=False)
