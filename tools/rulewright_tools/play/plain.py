"""Play line by line, for terminals that cannot do more, for screen readers, pipes and tests: shows what is new and the decision, and reads what is typed.

Takes a session and two functions, one that shows a line and one that reads one (None: there is nothing more to read). A number or the words of an option choose it;
everything else is a command, listed by `help`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from rulewright.errors import RulesError
from rulewright.render import printable
from rulewright_tools.own_words import Say, english
from rulewright_tools.play.board import board_size, draw_board, things_in
from rulewright_tools.play.canvas import Row, Run, ansi, text_of
from rulewright_tools.play.panels import (
    decision_rows,
    group_rows,
    keys_of,
    options_of,
    refusal_rows,
    rule_rows,
    seat_rows,
    story_rows,
    thing_runs,
    words_of,
)
from rulewright_tools.play.session import Session
from rulewright_tools.table import Table, no_rule, nothing_refused

if TYPE_CHECKING:
    from rulewright_tools.play.renewal import Renewal

HELP = (  # what can be typed, and what it does
    ("NUMBER", "choose that option; its words do, too"),
    ("look", "the whole table again"),
    ("story [N]", "what has happened: the last N lines (20)"),
    ("? THING", "the rule behind a thing, an option (by its number) or a word of the rules"),
    ("why [THING]", "why something is not offered"),
    ("undo", "back to the last decision, unless something hidden was revealed since"),
    ("save FILE", "keep the game; go on with: rulewright play --load FILE"),
    ("quit", "stop"),
)
ALONE = {"board", "look", "table"}
Show = Callable[[str], None]
Read = Callable[[str], str | None]
PROMPT = "> "


class Screen(NamedTuple):
    """Where lines go and come from; `typed`, where there is such a thing, shows a prompt and waits for a line, unless there are news (True) first."""

    show: Show
    read: Read
    colour: bool = False
    width: int = 100
    typed: Callable[[str, Callable[[], bool | None]], bool] | None = None


def play(session: Session, screen: Screen, renewal: Renewal | None = None) -> bool:
    """Plays until the game is over or nobody types any more; whether it was over. The rules may be renewed meanwhile."""
    return Lines(session, screen, renewal).play()


class Lines:
    """A session, line by line."""

    def __init__(self, session: Session, screen: Screen, renewal: Renewal | None = None) -> None:
        self.session, self.screen, self.renewal = session, screen, renewal
        self.say = session.say
        self.leaving = False
        self.table: Table | None = None
        self.fresh = True  # whether the whole table is shown, or only what is new

    def play(self) -> bool:
        """The whole game."""
        session = self.session
        while True:
            for _ in session.bots_play():
                pass
            if (drawn := session.told_drawn()) is not None:
                self._show(f"  {drawn}")
            if not self._sits_down():
                return False
            table = self.table = session.table()
            self._show_news(table)
            if session.over:
                self._rows(self._whole(table))
                self._show(ending(session, table))
                return True
            self._rows(self._whole(table) if self.fresh else draw_board(table, keys_of(table)) if self._fits(table) else [])
            self.fresh = False
            self._rows(self._decision(table))
            if not self._answer(table):
                return False

    def _sits_down(self) -> bool:
        """Waits for who has to decide, if that is somebody else; nothing of either is on the screen meanwhile."""
        if self.session.hands_over:
            name = self.session.name_of(self.session.next_seat or 0)
            self._show("\n" * 60 + self.say("Now it is the turn of {name}.", name=name) + " " + self.say("Nobody else should look."))
            if self.screen.read(self.say("Press Enter when you sit here:") + " ") is None:
                return False
            self.fresh = True
        self.session.sit_down()
        return True

    def _decision(self, table: Table) -> list[Row]:
        return decision_rows(table, self.session.name_of(self.session.asked or 0), self.screen.width, self.say)

    # -- reading

    def _answer(self, table: Table) -> bool:
        """Reads until something was chosen or taken back; False if nobody types any more."""
        while True:
            waits = self.screen.typed if self.renewal is not None else None
            if waits is not None and not waits(PROMPT, self._renewed):
                return True
            typed = self.screen.read(PROMPT if waits is None else "")
            if typed is None:
                return False
            if self._renewed():  # what was typed was meant for what the rules said before
                return True
            typed = typed.strip()
            word, _, rest = typed.partition(" ")
            number = self._option(typed, table)
            if number is not None:
                return self._choose(options_of(table)[number].id)
            command = COMMANDS.get(word.lower()) or (COMMANDS["?"] if word.startswith("?") else None)
            if typed.startswith("?") and typed != "?":
                command, rest = COMMANDS["?"], typed[1:]
            if command is None:
                self._show(self._no_option(typed, table) if typed else help_text(self.say))
                continue
            done = command(self, rest.strip(), table)
            if done is not None:
                return done

    def _no_option(self, typed: str, table: Table) -> str:
        count = len(options_of(table))
        return "  " + self.say("'{typed}' is none of the options; type a number from 1 to {n}, or help.", typed=printable(typed), n=count)

    def _renewed(self) -> bool | None:
        """Whether the game goes on by rules that have changed, None if they have not; whatever came of a change is told."""
        news = self.renewal.news() if self.renewal is not None else None
        if news is None:
            return None
        self._show(f"\n{news.told}")
        self.fresh = self.fresh or news.renewed
        return news.renewed

    def _option(self, typed: str, table: Table) -> int | None:
        """The option that somebody means by a number, its words, or how these begin if that fits one alone."""
        options = options_of(table)
        if typed.isdecimal() and len(typed) < 6:
            return int(typed) - 1 if 0 < int(typed) <= len(options) else None
        wanted = typed.lower()
        for fits in (lambda choice: wanted in (choice.id.lower(), choice.label.lower()), lambda choice: choice.label.lower().startswith(wanted)):
            found = [number for number, choice in enumerate(options) if wanted and fits(choice)]
            if len(found) == 1:
                return found[0]
        return None

    def _choose(self, option: str) -> bool:
        try:
            self.session.choose(option)
        except RulesError as error:
            self._show("  " + self.say("The rules fail here: {error}", error=error))
        self.leaving = False
        return True

    # -- commands

    def help(self, _: str, __: Table) -> bool | None:
        """What can be typed."""
        self._show(help_text(self.say))
        return None

    def look(self, _: str, table: Table) -> bool | None:
        """The whole table."""
        self._rows(self._whole(table))
        self._rows(self._decision(table))
        return None

    def story(self, given: str, table: Table) -> bool | None:
        """What has happened."""
        count = int(given) if given.isdecimal() and len(given) < 6 else 20
        self._rows(story_rows(list(table.story.values())[-count:] if count else [], self.screen.width))
        return None

    def rule(self, given: str, table: Table) -> bool | None:
        """The rule behind something."""
        if not given.strip():
            return self.help("", table)
        name = self.session.meant(given, table) or given.strip()
        found = rule_rows(self.session.rule(name, table), self.screen.width, self.say)
        self._rows(found or [[Run(f"  {no_rule(self.session.game.rules, given.strip(), self.say)}")]])
        return None

    def why(self, given: str, table: Table) -> bool | None:
        """Why something is not offered."""
        given = given.removeprefix("not").strip()
        meant = self.session.meant(given, table) if given else None
        name = meant or given or None
        found = self.session.why_not(name, table)
        self._rows(refusal_rows(found, self.screen.width, name is not None))
        if not found:
            nothing = (
                self.say("Nothing is kept from you now.")
                if name is None
                else nothing_refused(self.session.game, printable(given), meant is not None, self.session.language, self.say)
            )
            self._show(f"  {nothing}")
        return None

    def undo(self, _: str, __: Table) -> bool | None:
        """Back to the last decision."""
        why = self.session.undo()
        self._show("  " + (self.say("That cannot be taken back: {why}.", why=why) if why else self.say("Taken back.")))
        return None if why else True

    def save(self, given: str, _: Table) -> bool | None:
        """Keep the game."""
        if not given:
            self._show("  " + self.say("Say where: save FILE"))
            return None
        why = self.session.save(given)
        self._show("  " + saved_words(self.say, given, why))
        return None

    def quit(self, _: str, __: Table) -> bool | None:
        """Stop; whoever has not saved is asked once."""
        if self.session.unsaved and not self.leaving:
            self.leaving = True
            self._show("  " + self.say("The game is not saved: save FILE, or quit again."))
            return None
        return False

    # -- showing

    def _show_news(self, table: Table) -> None:
        begins = self.session.seat not in self.session.told
        news = self.session.news(table)
        short = news[-(8 if begins else 60) :]
        if len(news) > len(short):
            self._show("  " + self.say("(lines before this: {n}; 'story {all}' tells all)", n=len(news) - len(short), all=len(news)))
        self._rows(story_rows(short, self.screen.width))

    def _fits(self, table: Table) -> bool:
        return bool(table.board.grids) or (bool(table.board.spots) and board_size(table.board)[0] <= self.screen.width)

    def _whole(self, table: Table) -> list[Row]:
        """Everything that lies on the table."""
        keys = keys_of(table)
        rows = [[Run(table.title, bold=True), Run(f"  {table.phase}", dim=True)]]
        rows += draw_board(table, keys) if self._fits(table) else spot_rows(table, keys, self.say)
        for seat in table.seats.values():
            rows += seat_rows(table, seat, self.session.name_of(seat.number), keys, self.say)
        return [*rows, *group_rows(table, keys, self.say), []]

    def _rows(self, rows: list[Row]) -> None:
        for row in rows:
            clean = [run._replace(text=printable(run.text)) for run in row]
            self._show(ansi(clean) if self.screen.colour else text_of(clean))

    def _show(self, text: str) -> None:
        self.screen.show(text)


def spot_rows(table: Table, keys: dict[str, str], say: Say = english) -> list[Row]:
    """A board that is too wide for the screen, spot by spot with the ways from there."""
    rows: list[Row] = []
    for spot in table.board.spots.values():
        told = [spot.label, *([spot.printed] if spot.printed else []), *([words_of(spot.marks, spot.fields)] if spot.marks or spot.fields else [])]
        key = next((keys[name] for name in (spot.id, spot.cover) if name in keys), "")
        row = [Run(f"[{key}] " if key else "", "teal", True), Run(", ".join(told), spot.look.colour, True)]
        ways = [way for link in table.board.links.values() if (way := _way(table, link.id, spot.id))]
        row.append(Run("  " + say("to {ways}", ways="; ".join(ways)) if ways else "", dim=True))
        rows.append(row)
        place = table.places.get(spot.id)
        if place is not None and any(thing.id != spot.cover for thing in things_in(table, spot.id)):
            rows.append([Run("    "), *thing_runs(table, replace(place, members=[each for each in place.members if each != spot.cover]), keys)])
    return rows


def _way(table: Table, name: str, spot: str) -> str:
    """A way from a spot, in words."""
    link = table.board.links[name]
    if spot not in link.ends or (link.one_way and link.ends[0] != spot):
        return ""
    other = link.ends[1] if link.ends[0] == spot else link.ends[0]
    place = table.board.spots.get(other) or table.places.get(other)
    lies = [thing.label for held in link.places for thing in things_in(table, held)]
    said = ", ".join([text for text in [words_of(link.marks, link.fields), *lies] if text])
    return f"{place.label if place is not None else other}{f' ({said})' if said else ''}"


def ending(session: Session, table: Table) -> str:
    """How the game ended."""
    say, names = session.say, [session.name_of(number) for number in table.winners]
    if not names:
        return say("The game is over: nobody wins.")
    if len(names) == 1:
        return say("The game is over: you win!") if session.is_you(table.winners[0]) else say("The game is over: {names} wins.", names=names[0])
    return say("The game is over: {names} win.", names=say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1]))


def saved_words(say: Say, path: str, why: str | None) -> str:
    """That a game was saved, or why not."""
    return say("Not saved: {why}", why=why) if why else say("Saved. To go on: rulewright play --load {path}", path=path)


def help_text(say: Say, lines: Sequence[tuple[str, str]] = HELP) -> str:
    """What can be typed or pressed, and what it does, in two columns."""
    width = max(len(typed) for typed, _ in lines) + 3
    return "\n".join(f"  {typed:<{width}}{say(does)}" for typed, does in lines)


COMMANDS: dict[str, Callable[[Lines, str, Table], bool | None]] = {
    "help": Lines.help,
    "h": Lines.help,
    "?": Lines.rule,
    "rule": Lines.rule,
    "look": Lines.look,
    "story": Lines.story,
    "why": Lines.why,
    "undo": Lines.undo,
    "save": Lines.save,
    "quit": Lines.quit,
    "q": Lines.quit,
    "exit": Lines.quit,
}
