"""What one pair of eyes is shown of a game, as a document and the differences between one moment and the next.

The document has three parts: `about` (seats, who is here, what is being asked of the others), `table` (`rulewright_tools.table`, for this seat alone) and `story` (by number). Everybody
who looks through the same eyes shares it. A difference is a JSON merge patch; where nothing changed for these eyes there is none, so that not even the number of
messages tells what happened unseen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rulewright_tools.serve.protocol import encode
from rulewright_tools.table import Layout, Line, Memory, Telling, difference, look, story_of

if TYPE_CHECKING:
    from rulewright import Game

Document = dict[str, Any]
STORY = 300  # lines of the story that are sent at first; earlier ones when somebody asks


Key = tuple[int | None, str | None]  # the seat, and the language; None: that of the rules


class Eyes:
    """A seat (from 1), or whoever looks on (None), in one language: that of the layout."""

    def __init__(self, seat: int | None, game: Game, layout: Layout, about: Document) -> None:
        self.seat = seat
        self.language = layout.language
        self.number = 1
        self._layout = layout
        self._memory = Memory(seat)
        self._table = look(game, seat, layout, story={}, memory=self._memory)
        self._about = about
        self._telling = Telling(game, seat, layout.language)

    @property
    def key(self) -> Key:
        """What tells them from others."""
        return self.seat, self.language

    def whole(self, game: Game) -> str:
        """The message with everything."""
        story = self._told(game, max(1, self._telling.count - STORY + 1), self._telling.count + 1)
        return encode({"n": self.number, "whole": {"about": self._about, "table": self._table, "story": story}})

    def earlier(self, game: Game, before: int) -> Document:
        """Lines of the story before one."""
        return self._told(game, max(1, before - STORY), before)

    def _told(self, game: Game, first: int, end: int) -> Document:
        lines: Document = msgspec.to_builtins(story_of(game, self.seat, self.language))
        return {str(at): lines[str(at)] for at in range(first, min(end, len(lines) + 1))}

    def update(self, game: Game, about: Document) -> str | None:
        """The message with what has changed; None if nothing has."""
        table = look(game, self.seat, self._layout, story={}, memory=self._memory)
        patch = {name: found for name, found in (("about", difference(self._about, about)), ("table", difference(self._table, table))) if found}
        if story := self._story(game):
            patch["story"] = story
        self._table = table
        return self._message(patch, about)

    def update_about(self, about: Document) -> str | None:
        """The same, where the game itself stands still."""
        found = difference(self._about, about)
        return self._message({"about": found} if found else {}, about)

    def _message(self, patch: Document, about: Document) -> str | None:
        self._about = about
        if not patch:
            return None
        self.number += 1
        return encode({"n": self.number, "of": self.number - 1, "patch": patch})

    def _story(self, game: Game) -> Document:
        """New lines; those that were taken back are gone. Of one that is told otherwise, what it does not say any more is gone, too."""
        before = self._telling.count
        found: Document = msgspec.to_builtins(self._telling.news(game))
        for number, line in found.items():
            if line is not None and int(number) <= before:
                found[number] = dict.fromkeys(Line.__struct_fields__) | line
        return found
