"""Stories on a terminal: the lines that `game.story` gives, laid out, piece by piece as a game goes on.

Takes a game, whose eyes to look with, and whether the rule behind each line is wanted at its right; gives text. Chapters are set off by a rule, phases and steps by
what they are; a decision has its number at the left, and what came of it stands below it. Nothing of a ruleset reaches a terminal raw.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulewright.game.story import Line, Story
from rulewright.render import printable
from rulewright_tools.transcript import DEEPEST, NARROWEST, WIDTH, Eyes, counted, in_words, rule_named, title

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright_tools.telling import Event

STYLES = {
    "title": "1", "chapter": "1;35", "phase": "1;4", "step": "4", "turn": "1", "action": "36", "choice": "36", "message": "0", "event": "2",
    "outcome": "1;32", "end": "1", "rule": "2", "number": "2",
}  # fmt: skip
HEADINGS = {1: "chapter", 2: "phase", 3: "step", 4: "turn"}
MARGIN = 6  # where sentences begin; the numbers of decisions stand before it


class StoryPage:
    """A story as text; from an event on, if one is named."""

    def __init__(
        self,
        game: Game,
        eyes: Eyes,
        bots: Sequence[str],
        colour: bool,
        *,
        rules: bool = False,
        width: int | None = None,
        since: Event | None = None,
    ) -> None:
        self._game, self._eyes, self._colour, self._rules, self._since = game, eyes, colour, rules, since
        width = width or (shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH)
        full = max(min(width, 140), NARROWEST)
        self._width = full * 6 // 10 if rules else min(full, WIDTH)
        self._full, self._rule = full, ""
        self._inside: list[int] = []
        self._story = Story(game, eyes.player, everything=eyes.everything, start=game.log_length if game.loaded else 0, language=eyes.language)
        self._lines: list[str] = [self._paint(printable(title(game, bots, eyes)), "title")]
        if game.loaded:  # what has happened before is not told again
            self._lines.append(self._paint(f"Continued after {counted(len(game.choices), 'decision')}", "title"))
        self._headings: list[Line] = []

    def more(self) -> str:
        """What has happened since."""
        return self._told(self._story.more(eager=True))

    def end(self) -> str:
        """What is left to be told, and how the game ended or where it stands."""
        text = self._told(self._story.rest())
        if self._game.result is None:
            self._lines += ["", self._paint(in_words(self._game, self._eyes), "outcome")]
        return text + self._taken()

    def _told(self, lines: Iterable[Line]) -> str:
        for line in lines:
            if self._since is not None:
                if not self._since.has_happened(self._game) or line.position < (self._since.position or 0):
                    self._keep(line)
                    continue
                self._since = None
                for heading in self._headings:
                    if line.kind != "heading" or heading.level < line.level:
                        self._heading(heading)
            self._heading(line) if line.kind == "heading" else self._line(line)
        return self._taken()

    def _keep(self, line: Line) -> None:
        """The headings above what is not told yet."""
        if line.kind == "heading":
            self._headings = [each for each in self._headings if each.level < line.level] + [line]

    def _taken(self) -> str:
        text = "".join(f"{line}\n" for line in self._lines)
        self._lines = []
        return text

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self._colour and text else text

    def _heading(self, line: Line) -> None:
        text, style = printable(line.text), HEADINGS.get(line.level, "turn")
        self._inside, self._rule = [], ""
        self._lines.append("")
        if style == "chapter":
            text = f"── {text} " + "─" * max(self._full - len(text) - 4, 2)
        self._lines.append(" " * {"chapter": 0, "phase": 0, "step": 2, "turn": 4}[style] + self._paint(text, style))

    def _line(self, line: Line) -> None:
        if line.number is not None:
            self._inside = []
        while self._inside and self._inside[-1] >= line.level:
            self._inside.pop()
        deeper = len(self._inside) + (line.number is None and line.kind not in ("outcome", "end") and line.cause != "")
        self._inside.append(line.level)
        start = (f"{line.number:>{MARGIN - 2}}  " if line.number is not None else " " * MARGIN) + "  " * min(deeper, DEEPEST)
        self._lay(start, printable(line.text), line)

    def _lay(self, start: str, text: str, line: Line) -> None:
        first, *others = textwrap.wrap(text, self._width - len(start), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) or [""]
        shown = self._paint(start, "number") + self._paint(first, line.kind)
        if self._rules and line.cause and (rule := rule_named(line.cause, line.cites)) != self._rule:
            shown += " " * max(self._width - len(start) - len(first), 1) + "  " + self._paint(rule, "rule")
            self._rule = rule
        self._lines.append(shown.rstrip())
        self._lines += [" " * len(start) + self._paint(other, line.kind) for other in others]
