"""Transcripts: a game as people read it, and as one JSON document.

Takes a game and whose eyes to look with, gives lines of text as the game goes on: what happened before the first decision, condensed; then a block for
each decision, with everything that came of it below it, what lies inside other effects further in, under the phase it belongs to, and the rule behind each
event, with its citations, at the right. What happened several times at once is told once. Nothing of a ruleset reaches a terminal raw.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rulewright.catalog import Catalog
from rulewright.render import printable

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.decision import Decision
    from rulewright_tools.telling import Event

Entry = dict[str, Any]
Say = Callable[..., str]
PLAIN = Catalog()  # says everything as it is
_STYLES = {
    "head": "1",
    "phase": "4",
    "choice": "1;36",
    "message": "3",
    "outcome": "1;32",
    "end": "1",
    "rule": "2",
    "number": "2",
    "roll": "33",
    "show": "33",
}
WIDTH = 110
NARROWEST = 60
_CITES = 2
DEEPEST = 5


class Eyes(msgspec.Struct, frozen=True):
    """Whose eyes a transcript is written for: a player's, a spectator's (no player), or a referee's, who sees everything; and in which language they read."""

    player: int | None = None
    everything: bool = True
    language: str | None = None  # that of the rules, if none is named


def read_eyes(_: click.Context, __: click.Parameter, given: str | None) -> Eyes:
    """The value of `--view`."""
    if given is None or given == "referee":
        return Eyes()
    if given == "spectator":
        return Eyes(None, False)
    if given.isascii() and given.isdecimal() and len(given) < 4 and int(given) > 0:
        return Eyes(int(given), False)
    raise click.BadParameter(f"'{given}' is neither the number of a player nor 'spectator' nor 'referee'")


def log_of(game: Game, eyes: Eyes, start: int = 0) -> list[Entry]:
    """The log as these eyes may read it, since it was so long."""
    return game.log(eyes.player, everything=eyes.everything, start=start, language=eyes.language)


# -- what is told


class Row(msgspec.Struct):
    """One line of a transcript: an event, or several that are told together."""

    kind: str
    cause: str
    cites: Sequence[str]
    depth: int
    phase: str | None
    rest: str
    things: dict[str, int]

    @property
    def text(self) -> str:
        """The row in words."""
        counted = ", ".join(thing if count == 1 else f"{count} × {thing}" for thing, count in self.things.items())
        return f"{counted}: {self.rest}" if self.rest else counted


def rows_of(entries: Iterable[Entry], anywhere: bool = False) -> list[Row]:
    """Events with equal ones joined, and with what happens the same way to several things joined; `anywhere`: also if others come in between."""
    rows: list[Row] = []
    found: dict[tuple[object, ...], Row] = {}
    for entry in entries:
        thing, rest = _parts(entry)
        key = (entry["phase"], entry["depth"], entry["cause"], entry["kind"], rest or thing)
        row = found.get(key)
        if row is None or not (anywhere or row is rows[-1]):
            row = found[key] = Row(entry["kind"], entry["cause"], entry["cites"], entry["depth"], entry["phase"], rest, {})
            rows.append(row)
        row.things[thing] = row.things.get(thing, 0) + 1
    if anywhere:
        order = {each: number for number, each in enumerate(dict.fromkeys((row.phase, row.cause) for row in rows))}
        phases = {each: number for number, each in enumerate(dict.fromkeys(row.phase for row in rows))}
        rows.sort(key=lambda row: (phases[row.phase], order[row.phase, row.cause]))
    return rows


def _parts(entry: Entry) -> tuple[str, str]:
    """What an event happened to and what happened; only moves and changes are taken apart."""
    text = printable(entry["text"])
    if entry["kind"] in ("move", "set"):
        thing, _, rest = text.partition(": ")
        return thing, rest
    return (f"“{text}”" if entry["kind"] == "message" else text), ""


def rule_of(row: Row) -> str:
    """The rule behind an event, with the first of its citations."""
    return rule_named(row.cause, row.cites)


def rule_named(cause: str, cites: Sequence[str]) -> str:
    """A rule, with the first of its citations."""
    shown: list[str] = []
    home = ""
    for cite in cites[:_CITES]:
        chapter, _, number = cite.rpartition(".")
        shown.append(number if shown and chapter == home else cite)
        home = chapter
    named = ", ".join([*shown, "…"] if len(cites) > _CITES else shown)
    return printable(f"[{cause}: {named}]" if named else f"[{cause}]")


# -- how it is laid out


class Page:
    """Lines of a transcript, of a certain width, coloured or not. A rule is named where it changes, a phase where it begins."""

    def __init__(self, colour: bool, width: int | None = None) -> None:
        self.lines: list[str] = []
        self._colour = colour
        self._rule = ""
        self._phase: str | None = None
        width = width or (shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH)
        self._left = max(min(width, 140), NARROWEST) * 6 // 10

    def taken(self) -> str:
        """The lines so far, as text; the page begins anew below them."""
        text = "".join(f"{line}\n" for line in self.lines)
        self.lines = []
        return text

    def paint(self, text: str, style: str) -> str:
        """Text in the colour of what it is."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour and style in _STYLES and text else text

    def gap(self) -> None:
        """An empty line."""
        self.lines.append("")
        self._rule = ""

    def heading(self, number: str, row: Row) -> None:
        """A decision."""
        self._enter(row.phase)
        self._line(f"{number:>4}  ", row)

    def rows(self, rows: Iterable[Row]) -> None:
        """Events; those inside of others that are told stand further in."""
        inside: list[int] = []
        for row in rows:
            if self._enter(row.phase):
                inside.clear()
            while inside and inside[-1] >= row.depth:
                inside.pop()
            self._line(" " * (8 + 2 * min(len(inside), DEEPEST)), row)
            inside.append(row.depth)

    def _enter(self, phase: str | None) -> bool:
        """The line above the first event of a phase; whether one begins."""
        if phase == self._phase:
            return False
        self._phase = phase
        if phase is not None:
            if self.lines and self.lines[-1]:
                self.gap()
            self.lines.append("      " + self.paint(printable(phase[:1].upper() + phase[1:]), "phase"))
            self._rule = ""
        return True

    def _line(self, start: str, row: Row) -> None:
        rule = rule_of(row)
        shown, self._rule = "" if rule == self._rule else rule, rule
        first, *others = textwrap.wrap(row.text, self._left - len(start), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [
            ""
        ]
        gap = " " * max(self._left - len(start) - len(first), 1)
        self.lines.append(
            (self.paint(start, "number") + self.paint(first, row.kind) + (f"{gap}  {self.paint(shown, 'rule')}" if shown else "")).rstrip()
        )
        self.lines += [" " * len(start) + self.paint(line, row.kind) for line in others]


class Transcript:
    """A game in words, piece by piece: what has happened since the last piece, each time it is asked for."""

    def __init__(self, game: Game, eyes: Eyes, bots: Sequence[str], colour: bool, width: int | None = None, since: Event | None = None) -> None:
        self._game, self._eyes, self._page, self._since = game, eyes, Page(colour, width), since
        self._read = 0
        self._number = 0
        self._last: tuple[int, bool] | None = None  # who decided last, and whether anything came of it
        self._page.lines.append(self._page.paint(printable(title(game, bots, eyes)), "head"))
        if game.loaded:  # what has happened before is not told again
            self._read, self._number = game.log_length, len(game.choices)
            self._page.lines.append(self._page.paint("      " + _continued(self._number, saying(game, eyes)), "head"))

    def more(self) -> str:
        """What has happened since."""
        game = self._game
        if self._since is not None and self._skip(self._since):
            return self._page.taken()
        blocks: list[list[Entry]] = [[]]
        for entry in log_of(game, self._eyes, self._read):
            if entry["kind"] == "choice":
                blocks.append([])
            blocks[-1].append(entry)
        first, *decisions = blocks
        if first:
            self._page.gap()
            self._page.lines.append(self._page.paint("      " + _beginning(saying(game, self._eyes)), "head"))
            self._page.rows(rows_of(first, anywhere=True))
        self._read = game.log_length
        for block in decisions:
            self._decision(*block)
        return self._page.taken()

    def _skip(self, since: Event) -> bool:
        """Leave out what was before an event; whether that is all there is."""
        happened = since.has_happened(self._game)
        start = since.position if since.position is not None else self._game.log_length
        told = (self._game.log(self._eyes.player, everything=self._eyes.everything, start=each) for each in (self._read, start))
        before, after = (sum(entry["kind"] == "choice" for entry in entries) for entries in told)
        self._number += before - after
        self._read = start
        self._since = None if happened else since
        return not happened

    def _decision(self, choice: Entry, *events: Entry) -> None:
        """A block. Chance may have been asked too: its answers have numbers, but no line of their own."""
        choices = self._game.choices
        self._number += 1
        while choices[self._number - 1][0] == 0:
            self._number += 1
        player = choices[self._number - 1][0]
        if self._last is None or self._last[0] != player or self._last[1]:
            self._page.gap()
        self._last = (player, bool(events))
        (head,) = rows_of([choice])
        self._page.heading(str(self._number), head)
        self._page.rows(rows_of(events))

    def end(self) -> str:
        """How it ended, or where it stands."""
        self._page.gap()
        self._page.lines.append(self._page.paint(in_words(self._game, self._eyes), "outcome"))
        return self._page.taken()


def title(game: Game, bots: Sequence[str], eyes: Eyes) -> str:
    """What was played, by whom and with which seed."""
    about, say, players = game.rules.graph["ruleset"], saying(game, eyes), game.world.players
    name = game.rules.title(eyes.language)
    parts = [name if about["version"] == "0" else f"{name} {about['version']}"]  # a lone file has no version
    added = [package["id"] for package in about["packages"] if package["id"] != about["id"]]
    if added:
        parts.append(say("with {layers}", layers=", ".join(added)))
    parts += [f"{name} = {value}" for name, value in about["options"].items()]
    parts += [say("1 player") if players == 1 else say("{count} players", count=players), say("seed {seed}", seed=game.seed)]
    if bots:
        parts.append(bots[0] if len(set(bots)) == 1 else f" {say('against')} ".join(bots))
    if not eyes.everything:
        parts.append(say("as a spectator sees it") if eyes.player is None else say("as player {player} sees it", player=eyes.player))
    return " · ".join(parts)


# -- the result


def in_words(game: Game, eyes: Eyes) -> str:
    """How the game ended, or where it stands."""
    say, result = saying(game, eyes), game.result
    made = decided(len(game.choices), say)
    if result is None:
        ask = _asked(game, eyes.language)
        if ask is None:
            return say("The game cannot go on after {decisions}.", decisions=made)
        who = people([ask.player], say)
        if not eyes.everything and eyes.player != ask.player:
            return say("The game is not over after {decisions}: {who} has to decide.", decisions=made, who=who)
        asked = printable(ask.prompt)
        return say("The game is not over after {decisions}: {who} has to decide ({question}).", decisions=made, who=who, question=asked)
    if not result.winners:
        told = [say("Nobody wins after {decisions}.", decisions=made)]
    else:
        one = len(result.winners) == 1
        told = [say("{who} wins after {decisions}." if one else "{who} win after {decisions}.", who=people(result.winners, say), decisions=made)]
    if result.losers:
        told.append(say("{who} loses." if len(result.losers) == 1 else "{who} lose.", who=people(result.losers, say)))
    if result.eliminated:
        one = len(result.eliminated) == 1
        told.append(say("{who} was eliminated." if one else "{who} were eliminated.", who=people(result.eliminated, say)))
    if result.points:
        points = [say("none") if each is None else str(each) for each in result.points]
        told.append(say("The score is {points}.", points=", ".join(points)))
    return " ".join(told)


def saying(game: Game, eyes: Eyes) -> Say:
    """How the program says a sentence to somebody."""
    return (PLAIN if eyes.language is None else game.rules.catalog(eyes.language)).say


def decided(number: int, say: Say) -> str:
    """A number of decisions."""
    return say("1 decision") if number == 1 else say("{count} decisions", count=f"{number:,}")


def _continued(number: int, say: Say) -> str:
    return say("Continued after {decisions}", decisions=decided(number, say))


def _beginning(say: Say) -> str:
    return say("Before the first decision")


def _asked(game: Game, language: str | None) -> Decision | None:
    """What has to be decided; None also where the rules fail to say."""
    from rulewright.errors import RulesError

    try:
        return game.decision if language is None else game.decision_in(language)
    except RulesError:
        return None


def people(numbers: Sequence[int], say: Say = PLAIN.say) -> str:
    """Players by number, in words."""
    if len(numbers) == 1:
        return say("Player {number}", number=numbers[0]) if numbers[0] > 0 else say("Chance")
    return say("Players {some} and {last}", some=", ".join(map(str, numbers[:-1])), last=numbers[-1])


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def as_document(game: Game, eyes: Eyes, bots: Sequence[str]) -> dict[str, Any]:
    """A game as one JSON document: what was played, the log, the result. Choices are in it only for eyes that see everything."""
    replay = game.replay()
    document: dict[str, Any] = {"format": "rulewright transcript", "format_version": 1}
    document |= {name: replay[name] for name in ("ruleset", "players", "seed")}
    document |= {"bots": list(bots), "view": "referee" if eyes.everything else eyes.player or "spectator", "decisions": len(game.choices)}
    if eyes.everything:
        document["choices"] = replay["choices"]
    told = msgspec.to_builtins(game.story(eyes.player, everything=eyes.everything, language=eyes.language))
    return document | {"log": log_of(game, eyes), "story": told, "result": replay["result"], "summary": in_words(game, eyes)}
