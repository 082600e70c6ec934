"""`play --watch`: the rules of a game, renewed while it is played.

Takes a session. When a file of its rules has changed they are loaded again, and the game goes on by them, as a saved game does with `--force`. Where they have
mistakes, or what is going on does not fit them, it goes on by the rules as they were, and the reason is told.
"""

from __future__ import annotations

from typing import NamedTuple

from rulewright.errors import RulesError, SaveError
from rulewright.rules import Rules, RulesetError, load
from rulewright.session import Session as Memory
from rulewright.session import used
from rulewright_tools.play.session import Session
from rulewright_tools.watching import Watcher, places

EVERY = 0.2  # seconds between two looks at the rules


class News(NamedTuple):
    """What came of a change of the rules: whether the game goes on by them, and what is told of it."""

    renewed: bool
    told: str


class Renewal:
    """Looks after the rules of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.watcher = Watcher()
        self.memory = Memory()
        self._look(session.game.rules)

    def news(self) -> News | None:
        """What came of a change of the rules since the last time; None if there was none."""
        if self.session.over or not self.watcher.changed():
            return None
        from rulewright import render
        from rulewright.limits import DEFAULT_LIMITS

        game, say = self.session.game, self.session.say
        as_before = say("The game goes on by the rules as they were.")
        target, layers = game.rules.names
        try:
            with used(self.memory):
                rules = load(target, layers, game.rules.graph["ruleset"]["options"], engine="step")  # people do not wait for a module
        except RulesetError as error:
            told = render.as_text(error.diagnostics, error.texts, False, DEFAULT_LIMITS.shown_diagnostics)
            return News(False, f"{told.rstrip()}\n{as_before}")
        self._look(rules)
        try:
            self.session.renew(rules.load_game(game.save(), force=True))
        except (SaveError, RulesError, ValueError) as error:
            return News(False, say("The rules have changed, and this game does not fit them: {error}", error=error) + f"\n{as_before}")
        return News(True, say("The rules have changed. The game goes on by them."))

    def _look(self, rules: Rules) -> None:
        target, layers = rules.names
        self.watcher.look(places((target, *layers), rules.packages))
