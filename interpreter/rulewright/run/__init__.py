"""Running a game: a world that never changes, a state that is plain data, and the walk that takes one decision to the next."""

from __future__ import annotations

from rulewright.decision import Result
from rulewright.errors import IllegalChoice, RulesError
from rulewright.run.decision import Decision, Option
from rulewright.run.game import Game, start

__all__ = ["Decision", "Game", "IllegalChoice", "Option", "Result", "RulesError", "start"]
