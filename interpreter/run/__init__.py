"""Running a game: a world that never changes, a state that is plain data, and the walk that takes one decision to the next."""

from __future__ import annotations

from interpreter.run.decision import Decision, Option
from interpreter.run.game import Game, IllegalChoice, Result, start
from interpreter.run.machine import RulesError

__all__ = ["Decision", "Game", "IllegalChoice", "Option", "Result", "RulesError", "start"]
