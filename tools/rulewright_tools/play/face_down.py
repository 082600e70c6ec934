"""What stays face down: answers of chance that no player can tell apart.

Takes a game in which chance is asked. At a real table nobody may look at such things, so nobody can say what they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright import Game


def stays_face_down(game: Game) -> bool:
    """Whether nobody would see, be told or be asked anything else, whatever chance answers now."""
    from rulewright.errors import RulesError

    decision, seen = game.decision, None
    for number in range(len(decision.options) if decision is not None else 0):
        branch = game.clone()
        try:
            branch.choose(number)
        except RulesError:
            return False
        sight = _sight(branch, game.log_length)
        if seen is not None and sight != seen:
            return False
        seen = sight
    return seen is not None


def _sight(game: Game, since: int) -> list[Any]:
    """What the players and a spectator see, what they have been told lately, and what is asked of whom; what chance may answer is no part of it."""
    asked = game.decision
    eyes = (None, *range(1, game.world.players + 1))
    told = [part for player in eyes for part in (game.view(player), game.log(player, start=since))]
    return [*told, asked if asked is None or asked.player else asked.prompt]
