"""The windows of the screen: something to read, something to choose, a line to type, and the one that shows nothing while people change places.

Each gives its answer, or None where Escape closed it. A click on a piece of text is told to the app with what that piece is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from rulewright.render import printable
from rulewright_tools.play.canvas import Row

COLOURS = {
    "red": "#e05561",
    "orange": "#e8954a",
    "yellow": "#e5c558",
    "green": "#6cc07a",
    "teal": "#4ec9c4",
    "blue": "#6aa2f0",
    "purple": "#b283e0",
    "pink": "#ee93b8",
    "brown": "#b08968",
    "white": "#f2f2f2",
    "grey": "#8a919c",
    "black": "#767d88",
}


def as_text(rows: Sequence[Row]) -> Text:
    """Rows as textual shows them; what each piece is about goes with it."""
    made = Text(no_wrap=True, end="")
    for number, row in enumerate(rows):
        made.append("\n" if number else "")
        for run in row:
            meta = {"target": run.target} if run.target else None
            made.append(printable(run.text), Style(color=COLOURS.get(run.colour), bold=run.bold or None, dim=run.dim or None, meta=meta))
    return made


class Rows(Static):
    """Rows of text; a click says what it was about."""

    class Clicked(Message):
        """Something was clicked."""

        def __init__(self, target: str) -> None:
            super().__init__()
            self.target = target

    def show(self, rows: Sequence[Row]) -> None:
        """Shows other rows."""
        self.update(as_text(rows))

    def on_click(self, event: events.Click) -> None:
        """Tells what was clicked."""
        target = event.style.meta.get("target")
        if target:
            event.stop()
            self.post_message(self.Clicked(str(target)))


class Closing(ModalScreen[str | None]):
    """A window that Escape closes."""

    BINDINGS = [Binding("escape", "dismiss_none", "Close")]  # noqa: RUF012

    def action_dismiss_none(self) -> None:
        """Closes it without an answer."""
        self.dismiss(None)


class Info(Closing):
    """Something to read; with options, something to choose."""

    BINDINGS = [Binding("enter,q", "dismiss_none", "Close", show=False)]  # noqa: RUF012

    def __init__(self, title: str, rows: Sequence[Row], options: Sequence[tuple[str, str]], hint: str) -> None:
        super().__init__()
        self.heading, self.rows, self.options, self.hint = title, list(rows), list(options), hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(printable(self.heading), classes="title", markup=False)
            if self.options:
                yield OptionList(*(Option(Text(printable(label)), id=f"o{number}") for number, (_, label) in enumerate(self.options)), id="choices")
            with VerticalScroll():
                yield Rows(as_text(self.rows))
            yield Static(self.hint, classes="hint", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An option was chosen here."""
        self.dismiss(self.options[event.option_index][0])


class Leaving(Info):
    """Whether to leave a game that is not saved."""


class Line(Closing):
    """One line to type, with what it may be below."""

    def __init__(self, title: str, value: str = "", known: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self.heading, self.value, self.known = title, value, list(known)
        self.listed: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(printable(self.heading), classes="title", markup=False)
            yield Input(self.value)
            if self.known:
                yield OptionList(id="known")

    def on_mount(self) -> None:
        """Everything there is, at first."""
        self._list("")

    def _list(self, typed: str) -> None:
        if self.known:
            wanted = typed.lower()
            self.listed = [each for each in self.known if wanted in each[1].lower() or wanted in each[0].lower()][:200]
            found = self.query_one("#known", OptionList)
            found.clear_options()
            found.add_options(Text(printable(label)) for _, label in self.listed)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Fewer, while somebody types."""
        self._list(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What was typed, or the first thing that it may be."""
        exact = [each for each in self.listed if event.value.lower() in (each[0].lower(), each[1].lower())]
        found = exact or (self.listed if event.value else [])
        self.dismiss(found[0][0] if found else event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """One of those below."""
        self.dismiss(self.listed[event.option_index][0])


class HandOver(ModalScreen[None]):
    """Nothing is seen until somebody else sits down."""

    BINDINGS = [Binding("enter", "ready", "I sit here")]  # noqa: RUF012

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.said = list(lines)

    def compose(self) -> ComposeResult:
        yield Static("\n".join(map(printable, self.said)), markup=False, id="handover")

    def action_ready(self) -> None:
        """Somebody sits down."""
        self.dismiss(None)
