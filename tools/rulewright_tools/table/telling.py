"""The story of a game for one seat, as lines of a table: all of it, or what is new as the game goes on.

Takes a game; gives lines by number, from "1". The last line may still go on (an action of which the price is being chosen), so it may be told again under its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.game.story import Line as Told
from rulewright.game.story import Story
from rulewright_tools.table.model import Line

if TYPE_CHECKING:
    from rulewright import Game

AGAIN = 3  # so many lines are told again where something was taken back


def story_of(game: Game, seat: int | None, language: str | None = None) -> dict[str, Line]:
    """Everything that has happened, as a seat may know it."""
    return {str(number): _line(told) for number, told in enumerate(game.story(seat, language=language), start=1)}


class Telling:
    """What is new, time and again; it keeps how far it has told, and of lines only those that may still go on."""

    def __init__(self, game: Game, seat: int | None, language: str | None = None) -> None:
        self._seat, self._language = seat, language
        self._begin(game)

    def _begin(self, game: Game) -> list[Told]:
        """Everything, told at once."""
        self._story = Story(game, self._seat, language=self._language)
        lines, tail = self._story.more(), self._story.pending()
        self._certain, self.count, self._log = len(lines), len(lines) + len(tail), game.log_length
        self._open = tail
        return [*lines, *tail]

    def news(self, game: Game) -> dict[str, Line | None]:
        """Lines that are new or told otherwise; None for those that are gone."""
        before, first, known = self.count, self._certain, self._open
        if game.log_length < self._log:
            lines = self._begin(game)
            first = max(0, len(lines) - AGAIN)
            lines, known = lines[first:], []
        else:
            lines, self._open = self._story.more(), self._story.pending()
            self._certain += len(lines)
            lines = [*lines, *self._open]
            self.count, self._log = first + len(lines), game.log_length
        found: dict[str, Line | None] = {str(first + at + 1): _line(told) for at, told in enumerate(lines) if at >= len(known) or told != known[at]}
        return {**found, **{str(number): None for number in range(self.count + 1, before + 1)}}


def _line(told: Told) -> Line:
    return Line(told.text, told.kind, told.phase or "", told.cause, list(told.cites), told.level, list(told.components), told.player or 0)
