"""Play on a whole screen (textual): the map, what everybody has, the story, and the decision by key or mouse.

Takes a session. A click on something that one option is about chooses it; any other click, and `?`, tell of it: what can be read on it, why it is not offered,
and its rule. Bots think in a thread of their own. Between two people stands a screen that shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from rulewright.errors import RulesError
from rulewright.render import printable
from rulewright_tools.own_words import Say
from rulewright_tools.play.board import draw_board
from rulewright_tools.play.canvas import Row, Run, width_of
from rulewright_tools.play.panels import (
    choice_words,
    group_rows,
    keys_of,
    options_of,
    refusal_rows,
    rule_rows,
    seat_rows,
    story_rows,
    thing_words,
    words_of,
)
from rulewright_tools.play.plain import ending, help_text, saved_words
from rulewright_tools.play.renewal import EVERY, Renewal
from rulewright_tools.play.session import Session
from rulewright_tools.play.windows import COLOURS, HandOver, Info, Leaving, Line, Rows
from rulewright_tools.table import Decision, Seat, Table

INDENT = 6  # of what goes on in the next line
NARROW = 80  # below so many columns one thing stands below the other, and the story only in its window
_NOBODY = Seat("", 0, "")
HELP = (  # what can be pressed, and what it does
    ("1, 2, ...", "choose that option; so do ↑ ↓ and Enter, or a click on what it is about"),
    ("?", "the rule behind anything, and why it is not offered; a click on a thing tells the same"),
    ("w", "why other actions are not offered now"),
    ("u", "undo, unless something hidden was revealed since"),
    ("s", "save the game; go on with: rulewright play --load FILE"),
    ("l", "everything that has happened"),
    ("Tab", "from one part of the screen to the next; arrows and Page keys scroll"),
    ("q", "quit"),
)
KEYS = (  # what the lowest line shows: a key, what it does, and the word for that
    ("question_mark", "rule", "Rule"),
    ("w", "why", "Why not"),
    ("u", "undo", "Undo"),
    ("s", "save", "Save"),
    ("l", "story", "Story"),
    ("h", "help", "Help"),
    ("q", "leave", "Quit"),
)


class PlayApp(App[None]):
    """The screen."""

    CSS = """
    * { scrollbar-size: 1 1; scrollbar-color: $panel-lighten-2; scrollbar-background: $background; scrollbar-corner-color: $background; }
    #head { height: 1; background: $panel; padding: 0 1; }
    #body { height: 2fr; }
    #map { width: 3fr; border: round $primary-darken-2; padding: 0 1; }
    #map Rows { width: auto; }
    #side { width: 2fr; border: round $primary-darken-2; padding: 0 1; }
    #lower { height: 1fr; min-height: 11; }
    #ask { width: 3fr; border: round $accent; }
    #prompt { padding: 0 1; text-style: bold; height: auto; }
    #options { height: 1fr; border: none; }
    Footer { scrollbar-size: 0 0; }
    .-narrow #body { layout: vertical; }
    .-narrow #map { width: 1fr; height: 3fr; }
    .-narrow #side { width: 1fr; height: 2fr; }
    .-narrow #story { display: none; }
    #story { width: 2fr; border: round $primary-darken-2; padding: 0 1; }
    .window { width: 90%; max-width: 120; height: auto; max-height: 85%; border: round $accent; background: $surface; padding: 1 2; }
    .window VerticalScroll { height: auto; max-height: 24; }
    .window OptionList { height: auto; max-height: 14; }
    .title { text-style: bold; padding-bottom: 1; height: auto; }
    .hint { color: $text-muted; }
    ModalScreen { align: center middle; }
    HandOver { background: $surface; }
    #handover { width: 100%; height: 100%; content-align: center middle; text-align: center; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-wide")]  # noqa: RUF012
    BINDINGS = [Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True)]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, renewal: Renewal | None = None) -> None:
        super().__init__()
        self.session, self.say = session, session.say
        for key, action, word in KEYS:
            self.bind(key, action, description=self.say(word), key_display="?" if key == "question_mark" else None)
        self.renewal = renewal
        self.table_now: Table | None = None
        self.typed = ""
        self.busy = False
        self.failure: RulesError | None = None

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        with Horizontal(id="body"):
            with ScrollableContainer(id="map"):
                yield Rows(id="board")
            with VerticalScroll(id="side"):
                yield Rows(id="people")
        with Horizontal(id="lower"):
            with Vertical(id="ask"):
                yield Static("", id="prompt", markup=False)
                yield OptionList(id="options")
            with VerticalScroll(id="story"):
                yield Rows(id="lines")
        yield Footer()

    def on_mount(self) -> None:
        """The game begins, or goes on."""
        self.title = self.session.layout.title
        if self.renewal is not None:
            self.set_interval(EVERY, self._look_at_rules)
        self.go_on()

    def on_resize(self) -> None:
        """Lines are broken anew."""
        if self.table_now is not None and not self.busy:
            self._show_sides(self.table_now)

    # -- the game

    def go_on(self) -> None:
        """Bots play, then somebody sits down."""
        self.busy = True
        self.query_one("#options", OptionList).disabled = True
        self._bots()

    @work(thread=True, exclusive=True)
    def _bots(self) -> None:
        try:
            for _ in self.session.bots_play():
                pass
        except RulesError as error:
            self.call_from_thread(self._fail, error)
            return
        self.call_from_thread(self._sit_down)

    def _look_at_rules(self) -> None:
        """The rules may have been changed; they are not while bots think or somebody reads a window."""
        news = self.renewal.news() if self.renewal is not None and not self.busy and len(self.screen_stack) == 1 else None
        if news is None:
            return
        if news.renewed:
            self.notify(printable(news.told), markup=False)
            self.go_on()
        else:
            self._read(self.say("The rules have changed"), [[Run(printable(line))] for line in news.told.splitlines()])

    def _fail(self, error: RulesError) -> None:
        self.failure = error
        self.exit()

    def _sit_down(self) -> None:
        if (drawn := self.session.told_drawn()) is not None:
            self.notify(drawn, markup=False)
        if self.session.hands_over:
            self._clear()
            self.busy = False
            name = self.session.name_of(self.session.next_seat or 0)
            words = (
                self.say("Now it is the turn of {name}.", name=name),
                "",
                self.say("Nobody else should look."),
                self.say("Press Enter when you sit here."),
            )
            self.push_screen(HandOver(words), lambda _: self._seated())
        else:
            self._seated()

    def _clear(self) -> None:
        """Nothing of the last seat stays on the screen."""
        self.table_now = None
        for name in ("#board", "#people", "#lines"):
            self.query_one(name, Rows).show([])
        self.query_one("#prompt", Static).update("")
        self.query_one("#options", OptionList).clear_options()

    def _seated(self) -> None:
        self.session.sit_down()
        self.busy = False
        self.show_table()

    def show_table(self) -> None:
        """Everything as it is now."""
        session = self.session
        table = self.table_now = session.table()
        keys = keys_of(table)
        who = self.say("Over") if session.over else session.name_of(session.asked or 0)
        self.query_one("#head", Static).update(printable("  ·  ".join(filter(None, (table.title, table.phase, who)))))
        board = draw_board(table, keys)
        self.query_one("#board", Rows).show(board or [[Run(self.say("There is no board in this game."), dim=True)]])
        self.call_after_refresh(self._scroll_to, board, [*table.seats.get(f"player.{table.seat}", _NOBODY).stands_for, *keys])
        self._show_sides(table)
        self._show_decision(table)

    def _show_sides(self, table: Table) -> None:
        """Everything beside the board, and the story."""
        session, keys = self.session, keys_of(table)
        width = self.size.width - 8 if self.size.width < NARROW else max(self.size.width * 2 // 5 - 8, 24)
        rows: list[Row] = []
        for seat in sorted(table.seats.values(), key=lambda seat: seat.number != table.seat):
            rows += seat_rows(table, seat, session.name_of(seat.number), keys, self.say)
        self.query_one("#people", Rows).show(_wrapped([*rows, *group_rows(table, keys, self.say)], width))
        self.query_one("#lines", Rows).show(story_rows(list(table.story.values())[-120:], width))
        self.call_after_refresh(self.query_one("#story", VerticalScroll).scroll_end, animate=False)

    def _scroll_to(self, board: Sequence[Row], wanted: Sequence[str]) -> None:
        """Brings the first of some things that is on the map into the middle."""
        at: dict[str, tuple[int, int]] = {}
        for y, row in enumerate(board):
            x = 0
            for run in row:
                at.setdefault(run.target, (x, y))
                x += width_of(run.text)
        area = self.query_one("#map", ScrollableContainer)
        found = next((at[name] for name in wanted if name in at), None)
        if found is not None:
            area.scroll_to(found[0] - area.size.width // 2, found[1] - area.size.height // 2, animate=False)

    def _show_decision(self, table: Table) -> None:
        listed = self.query_one("#options", OptionList)
        listed.clear_options()
        self.typed = ""
        decision = table.decision
        if self.session.over:
            self.query_one("#prompt", Static).update(printable(ending(self.session, table)) + "  " + self.say("(q quits)"))
            return
        assert isinstance(decision, Decision)
        self.query_one("#prompt", Static).update(printable(f"{self.session.name_of(decision.player)}: {decision.prompt}"))
        for number, choice in enumerate(decision.options, start=1):
            text = Text.assemble(
                (f"{number:>3} ", Style(color=COLOURS["teal"], bold=True)),
                printable(choice_words(table, choice)),
                (f"  {choice.chance}" if choice.chance else "", Style(dim=True)),
            )
            listed.add_option(Option(text, id=f"n{number}"))
        listed.disabled = False
        if decision.options:
            listed.highlighted = 0
            listed.focus()

    def take(self, number: int) -> None:
        """Chooses an option, from 0."""
        table = self.table_now
        if self.busy or table is None or not 0 <= number < len(options_of(table)):
            return
        try:
            self.session.choose(options_of(table)[number].id)
        except RulesError as error:
            self.notify(printable(self.say("The rules fail here: {error}", error=error)), severity="error", markup=False)
            return
        self.go_on()

    # -- keys and clicks

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An option was chosen from the list."""
        if event.option_list.id == "options":
            self.take(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """Numbers choose: at once where no longer one could be meant, else with Enter or after the next."""
        if len(self.screen_stack) > 1 or self.table_now is None or not (event.character or "").isdecimal():
            return
        event.stop()
        count = len(options_of(self.table_now))
        typed = self.typed + str(event.character)
        if not 0 < int(typed) <= count:
            typed = str(event.character)
        if not 0 < int(typed) <= count:
            self.typed = ""
            return
        if int(typed) * 10 > count:
            self.take(int(typed) - 1)
        else:
            self.typed = typed
            self.query_one("#options", OptionList).highlighted = int(typed) - 1

    def on_rows_clicked(self, event: Rows.Clicked) -> None:
        """Something was clicked: chosen if one option is about it, else told of."""
        table, target = self.table_now, event.target
        if self.busy or table is None or len(self.screen_stack) > 1:
            return
        if target.startswith("rule:"):
            self._tell(target.removeprefix("rule:"))
            return
        about = [number for number, choice in enumerate(options_of(table)) if target in choice.about]
        if len(about) == 1:
            self.take(about[0])
        else:
            self._tell(target, about)

    def _tell(self, name: str, about: Sequence[int] = ()) -> None:
        """What can be read on something, what can be done with it, why it is not offered, and its rule."""
        table = self.table_now
        if table is None:
            return
        width = min(self.size.width * 9 // 10, 120) - 8
        title, said = _described(name, table, self.say)
        rows: list[Row] = [[Run(said)], []] if said else []
        refused = self.session.why_not(name, table)
        if refused:
            rows += [[Run(self.say("Not offered"), bold=True)], *refusal_rows(refused, width, False), []]
        rows += rule_rows(self.session.rule(name, table), width, self.say) or [[Run(self.say("There is no rule of its own for this."), dim=True)]]
        options = [(str(number), options_of(table)[number].label) for number in about]
        self._read(title, rows, options)

    def _read(self, title: str, rows: Sequence[Row], options: Sequence[tuple[str, str]] = ()) -> None:
        """A window to read, with options of the decision by their numbers."""
        window = Info(title, rows, options, self.say("Esc closes"))
        self.push_screen(window, lambda chosen: self.take(int(chosen)) if chosen is not None else None)

    def action_rule(self) -> None:
        """The rule behind anything."""
        table = self.table_now
        if self.busy or table is None:
            return
        listed = self.query_one("#options", OptionList).highlighted
        first: list[tuple[str, str]] = []
        if listed is not None and listed < len(options_of(table)):
            choice = options_of(table)[listed]
            if name := choice.rule or (choice.about[0] if choice.about else ""):
                first = [(name, self.say("{label} (the option)", label=choice.label))]
        known = {thing.label: thing.id for thing in table.things.values() if not thing.hidden} | {
            spot.label: spot.id for spot in table.board.spots.values()
        }
        known |= {place.label: place.id for place in table.places.values()} | {
            self.session.layout.words.action(path): path for path in self.session.game.rules.graph["actions"]
        }
        named = sorted(((identity, label) for label, identity in known.items()), key=lambda each: each[1].lower())
        self.push_screen(Line(self.say("The rule of what?"), "", [*first, *named]), lambda name: self._tell(name) if name else None)

    def action_why(self) -> None:
        """Why actions are not offered."""
        if self.table_now is not None and not self.busy:
            found = self.session.why_not(None, self.table_now)
            rows = refusal_rows(found, 90, False) or [[Run(self.say("Nothing is kept from you now."))]]
            self._read(self.say("Not offered now, and why"), rows)

    def action_undo(self) -> None:
        """Back to the last decision of a person."""
        if self.busy:
            return
        why = self.session.undo()
        if why:
            self.notify(self.say("That cannot be taken back: {why}.", why=why), markup=False)
        else:
            self.go_on()

    def action_save(self) -> None:
        """Keeps the game."""
        if not self.busy:
            self.push_screen(Line(self.say("Save to which file?"), self.session.suggested_file), self._save)

    def _save(self, path: str | None) -> None:
        if path:
            why = self.session.save(path)
            self.notify(
                printable(saved_words(self.say, path, why)),
                severity="error" if why else "information",
                markup=False,
            )

    def action_story(self) -> None:
        """Everything that has happened."""
        if self.table_now is not None and not self.busy:
            self._read(self.say("What has happened"), story_rows(self.table_now.story.values(), 100))

    def action_help(self) -> None:
        """What can be done here."""
        self._read(self.say("Keys"), [[Run(line)] for line in help_text(self.say, HELP).splitlines()])

    def action_leave(self) -> None:
        """Quits; whoever has not saved is asked, once."""
        if self.session.unsaved and not self.busy and not isinstance(self.screen, Leaving):
            options = [("quit", self.say("Quit without saving")), ("save", self.say("Save first")), ("stay", self.say("Play on"))]
            self.push_screen(Leaving(self.say("The game is not saved."), [], options, self.say("Esc closes")), self._leave)
        else:
            self.exit()

    def _leave(self, chosen: str | None) -> None:
        if chosen == "quit":
            self.exit()
        elif chosen == "save":
            self.action_save()


def _described(name: str, table: Table, say: Say) -> tuple[str, str]:
    """The title of something on the table, and what can be read on it."""
    if name in table.things:
        thing = table.things[name]
        place = table.places.get(thing.place)
        return thing.label, thing_words(thing) + (", " + say("in: {place}", place=place.label) if place is not None else "")
    for found in (table.board.spots, table.board.links):
        if name in found:
            each = found[name]
            return each.label, words_of(each.marks, each.fields)
    if name in table.places:
        return table.places[name].label, say("Here: {n}", n=table.places[name].count)
    if name in table.tracks:
        return table.tracks[name].label, say("space {space} of {spaces}", space=table.tracks[name].space, spaces=len(table.tracks[name].spaces))
    return table.seats[name].label if name in table.seats else name, ""


def _wrapped(rows: Sequence[Row], width: int) -> list[Row]:
    """Rows broken between words where they are too long; what goes on is indented."""
    found: list[Row] = []
    for row in rows:
        line, used = list[Run](), 0
        for run in row:
            for word in re.findall(r" *[^ ]*", run.text):
                size = width_of(word)
                if used + size > width and used > INDENT:
                    found.append(line)
                    line, used = [Run(" " * INDENT)], INDENT
                    word = word.lstrip(" ")
                    size = width_of(word)
                line.append(run._replace(text=word))
                used += size
        found.append(line)
    return found


def run(session: Session, renewal: Renewal | None = None) -> None:
    """Plays on a screen of its own; an error of the rules ends it, and is raised."""
    app = PlayApp(session, renewal)
    app.run()
    if app.failure is not None:
        raise app.failure
