"""Joining the accelerator with a world: every twin is given its Python twin and what it knows about the world."""

from __future__ import annotations

from typing import Any, cast

from rulewright.compile.play import happening, helpers, moving, resuming, running
from rulewright.core.chance import Script, permutation
from rulewright.core.world import World
from rulewright.errors import RulesError
from rulewright.limits import Budget
from rulewright.run.asking import Option
from rulewright.run.decision import Decision
from rulewright.run.decision import Option as Shown
from rulewright.run.game import Game
from rulewright.run.machine import Machine
from rulewright.run.rehearsing import paying
from rulewright.run.state import MEMBERS, MOVED, VALUES, WHERE, State

BODIES = ((resuming.call, resuming.called), (happening.held, happening.held_over))


def parts() -> dict[str, Any]:
    """What the twins have to know about the Python side."""
    return {
        "Game": Game, "Machine": Machine, "State": State, "Script": Script, "Budget": Budget, "Choosing": running.Choosing, "Shown": Shown, "Option": Option,
        "Decision": Decision, "RulesError": RulesError, "spliced": resuming.spliced, "choice": resuming.choice, "call_frames": resuming.call_frames,
        "unit": resuming.unit, "unit_frames": resuming.unit_frames, "returned": resuming.returned, "paying": paying, "ask_one": running.ask_one,
        "counted": moving.counted, "permutation": permutation, "bare": helpers.bare, "blank": Machine(cast(Any, None), State(), Budget()), "MOVED": MOVED, "VALUES": VALUES, "MEMBERS": MEMBERS, "WHERE": WHERE, "bodies": BODIES,
    }  # fmt: skip


class Joined:
    """The twins of one world."""

    def __init__(self, world: World, twins: Any) -> None:
        self.world = world
        self.twins = twins
        self.permutation = twins.permutation
        self.rooms = {crowd: tuple(moving.rooms(world, crowd)) for crowd in (False, True)}
        self.odd = bytes(moving.odd_ones(world))  # which components are not simply put somewhere
        self.sight, self.holders, self.around = tuple(world.sight), tuple(world.holders), tuple(world.around)
        self.hides = bytes(rule is not None for rule in world.hidden_while)  # which components can be face down
        self.clear = bytes(bits == world.everyone for bits in world.sight)  # into which places everyone sees
        self.opened = moving.is_open(world)

    def put(self, twin: moving.Put, position: str, crowd: bool) -> moving.Put:
        """The twin of a function that puts one thing somewhere."""
        about = (None,) * 4 if self.opened else (self.sight, self.holders, self.hides, self.around)
        made: moving.Put = self.twins.put(twin, self.rooms[crowd], self.odd, position == "bottom", self.world.everyone, *about)
        return made

    def together(self, twin: moving.Together, position: str, crowd: bool) -> moving.Together:
        """The twin of a function that puts several things somewhere in one go."""
        made: moving.Together = self.twins.together(twin, self.rooms[crowd], self.odd, position == "bottom", self.sight)
        return made

    def assign(self, twin: moving.Assign, name: str, slots: dict[int, tuple[Any, ...]]) -> moving.Assign:
        """The twin of a function that gives a field another value."""
        made: moving.Assign = self.twins.assign(twin, name, slots, self.world.everyone, self.sight)
        return made

    def tell(self, twin: moving.Tell) -> moving.Tell:
        """The twin of a function that notes a message."""
        made: moving.Tell = self.twins.tell(twin, self.world.everyone, *((None, None) if self.opened else (self.hides, self.clear)))
        return made
