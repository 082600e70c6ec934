"""The last word: the reference engine says whether something takes too long.

Budgets are counted by the reference engine. A faster one looks at less to find the same, so it gives up early where it cannot be sure; what it was about to do
is then done by the reference engine, from the same state, and either that comes to an end or there is the one error that both engines give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulewright.core.world import World
from rulewright.run.engine import WALKING
from rulewright.run.machine import Exhausted, Machine

if TYPE_CHECKING:
    from rulewright.run.game import Game


def is_hasty(world: World) -> bool:
    """Whether the engine of a world gives up before the reference engine would."""
    return bool(world.engine.early > 1)


def last_word(game: Game, act: Callable[[], Any]) -> Any:
    """Do something that changes nothing in a game, by the reference engine if need be."""
    try:
        return act()
    except Exhausted:
        if not is_hasty(game.world):
            raise
    with by_reference(game):
        return act()


@contextmanager
def by_reference(game: Game) -> Iterator[None]:
    """Let the reference engine see to a game for a while."""
    world, machine = game.world, game._machine
    machine.listed, game._asked = None, None
    game.world = reference_of(world)
    game._machine = Machine(game.world, machine.state, machine.budget, machine.script)
    game._machine.happened = machine.happened
    game.world.engine.privately(game._machine)
    try:
        yield
    finally:
        machine.state, machine.steps = game._machine.state, machine.steps + game._machine.steps
        game.world, game._machine = world, machine


def reference_of(world: World) -> World:
    """The same world, in which the reference engine runs everything."""
    if world.reference is None:
        world.reference = World(world.graph, world.players)
        world.reference.engine = WALKING
    found: World = world.reference
    return found
