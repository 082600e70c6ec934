"""Rulewright: a small declarative language for board games, and an interpreter that knows no game.

from rulewright import load

rules = load("tic_tac_toe")
game = rules.new_game(players=2, seed=7)
while (ask := game.decision) is not None:
    game.choose(ask.options[0])
print(game.result)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.decision import Decision, Option, Result
    from rulewright.errors import IllegalChoice, RulesError, SaveError
    from rulewright.game.game import Game
    from rulewright.rules import Rules, RulesetError, load, load_game

__version__ = "0.1.0"
__all__ = ["Decision", "Game", "IllegalChoice", "Option", "Result", "Rules", "RulesError", "RulesetError", "SaveError", "load", "load_game"]

_HOMES = {
    "rulewright.rules": ("Rules", "RulesetError", "load", "load_game"),
    "rulewright.decision": ("Decision", "Option", "Result"),
    "rulewright.errors": ("IllegalChoice", "RulesError", "SaveError"),
    "rulewright.game.game": ("Game",),
}


def __getattr__(name: str) -> Any:
    """The public names, imported when first asked for, so that commands which need none of them start quickly."""
    import importlib

    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'rulewright' has no attribute '{name}'")
