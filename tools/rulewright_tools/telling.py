"""How a game is told on a terminal: the options that `run` and `replay` share, and which page they ask for.

`--detail` says how much: the story, the story with the rule behind each line, or every entry of the log. `--from` and `--until` name an event: an effect, phase, step or
action by its name in the rules, or a heading by how it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from rulewright_tools.loading import refuse
from rulewright_tools.transcript import Eyes, Transcript

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.rules import Rules

F = TypeVar("F", bound=Callable[..., Any])
DETAILS = ("story", "rules", "everything")
NAMED = "an effect, phase, step or action, or how a heading begins"


class Page(Protocol):
    """What a game is told on."""

    def more(self) -> str:
        """What has happened since."""

    def end(self) -> str:
        """What is left, and how it ended."""


def telling_options(command: F) -> F:
    """`--detail` and `--from`."""
    how = "How much to tell: the story, the story with the rule behind each line, or every entry of the log."
    detail = click.option("--detail", type=click.Choice(DETAILS), default="story", show_default=True, help=how)
    since = click.option("--from", "since", metavar="EVENT", help=f"Tell what happens from an event on: {NAMED}.")
    return detail(since(command))


def until_option(command: F) -> F:
    """`--until`."""
    return click.option("--until", metavar="EVENT", help=f"Stop at the first decision after an event: {NAMED}.")(command)


class Event:
    """Something that a person has named, and where in the log of a game it first happens, once it has."""

    def __init__(self, rules: Rules, name: str, option: str) -> None:
        known = {*rules.graph["effects"], *rules.graph["actions"]}
        self.name, self._read = name, 0
        self._heading = name not in known
        self.position: int | None = None
        if self._heading and name == name.lower() and name.replace("_", "").replace(".", "").isalnum():
            from rulewright.guessing import did_you_mean

            refuse(
                f"{option} {name}: '{rules.id}' has no such effect, phase, step or action; {did_you_mean(name, known) or 'a heading begins with a capital'}"
            )

    def has_happened(self, game: Game) -> bool:
        """Whether it has, by now."""
        if self.position is None:
            for number, entry in enumerate(game.entries(self._read)):
                if self._is(entry):
                    self.position = self._read + number
                    break
            self._read = game.log_length
        return self.position is not None

    def _is(self, entry: dict[str, Any]) -> bool:
        if self._heading:
            return entry["kind"] == "message" and str(entry["text"]).casefold().startswith(self.name.casefold())
        phase = entry["phase"] or ""
        return entry["cause"] in (self.name, f"action {self.name}") or phase == self.name or phase.startswith(f"{self.name}.")


def page(game: Game, eyes: Eyes, bots: Sequence[str], colour: bool, detail: str, since: Event | None, width: int | None = None) -> Page:
    """What a game is told on."""
    if detail == "everything":
        return Transcript(game, eyes, bots, colour, width, since)
    from rulewright_tools.story_page import StoryPage

    return StoryPage(game, eyes, bots, colour, rules=detail == "rules", width=width, since=since)


def note_missing(*events: Event | None) -> None:
    """Say of what was named that it has not happened."""
    for event in events:
        if event is not None and event.position is None:
            click.echo(f"Note: '{event.name}' did not happen in this game.", err=True)
