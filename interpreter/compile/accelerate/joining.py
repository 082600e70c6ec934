"""Joining the accelerator with a world: every twin is given its Python twin and what it knows about the world."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

from interpreter.compile.play import happening, moving, resuming, running
from interpreter.run.asking import Option
from interpreter.run.budget import Budget
from interpreter.run.chance import Script
from interpreter.run.decision import Decision
from interpreter.run.decision import Option as Shown
from interpreter.run.game import Game
from interpreter.run.machine import Machine, RulesError
from interpreter.run.rehearsing import paying
from interpreter.run.state import MOVED, VALUES, State
from interpreter.run.world import World

BODIES = ((resuming.call, resuming.called), (happening.held, happening.held_over))


def parts() -> dict[str, Any]:
    """What the twins have to know about the Python side."""
    return {
        "Game": Game, "Machine": Machine, "State": State, "Script": Script, "Budget": Budget, "Choosing": running.Choosing, "Shown": Shown, "Option": Option,
        "Decision": Decision, "RulesError": RulesError, "spliced": resuming.spliced, "choice": resuming.choice, "call_frames": resuming.call_frames,
        "unit": resuming.unit, "unit_frames": resuming.unit_frames, "returned": resuming.returned, "paying": paying, "ask_one": running.ask_one,
        "counted": moving.counted, "blank": Machine(cast(Any, None), State(), Budget()), "MOVED": MOVED, "VALUES": VALUES, "bodies": BODIES,
    }  # fmt: skip


class Joined:
    """The twins of one world."""

    def __init__(self, world: World, twins: Any) -> None:
        self.world = world
        self.twins = twins
        self.rooms = {crowd: tuple(moving.rooms(world, crowd)) for crowd in (False, True)}

    @cached_property
    def sight(self) -> tuple[int | None, ...]:
        """Who sees into each place."""
        return tuple(self.world.sight)

    @cached_property
    def holders(self) -> tuple[int | None, ...]:
        """The component to which each place belongs."""
        return tuple(self.world.holders)

    @cached_property
    def hides(self) -> bytes:
        """Which components can be face down."""
        return bytes(rule is not None for rule in self.world.hidden_while)

    @cached_property
    def odd(self) -> bytes:
        """Which components are not simply put somewhere."""
        return bytes(moving.odd_ones(self.world))

    @cached_property
    def around(self) -> tuple[int | None, ...]:
        """The component that each place is or is owned by."""
        return tuple(self.world.around)

    @cached_property
    def clear(self) -> bytes:
        """Into which places everyone sees."""
        return bytes(bits == self.world.everyone for bits in self.world.sight)

    @cached_property
    def opened(self) -> bool:
        """Whether everyone can tell everything wherever it lies."""
        return moving.is_open(self.world)

    def putting(self, world: World, position: str, crowd: bool) -> moving.Put:
        """The twin of what `moving.putting` makes."""
        about = (None,) * 4 if self.opened else (self.sight, self.holders, self.hides, self.around)
        twin = moving.putting(world, position, crowd)
        made: moving.Put = self.twins.put(twin, self.rooms[crowd], self.odd, position == "bottom", world.everyone, *about)
        return made

    def assigning(self, world: World, name: str) -> moving.Assign:
        """The twin of what `moving.assigning` makes."""
        made: moving.Assign = self.twins.assign(moving.assigning(world, name), name, moving.fields_of(world, name), world.everyone, self.sight)
        return made

    def telling(self, world: World, letters: int, things: int, numbers: int) -> moving.Tell:
        """The twin of what `moving.telling` makes."""
        twin = moving.telling(world, letters, things, numbers)
        if not moving.is_short(world, letters, things, numbers):
            return twin
        made: moving.Tell = self.twins.tell(twin, world.everyone, *((None, None) if self.opened else (self.hides, self.clear)))
        return made

    @property
    def lookups(self) -> dict[str, Callable[..., Any]]:
        """What takes the place of some of `linking.LOOKUPS`."""
        return {"putting": self.putting, "assigning": self.assigning, "telling": self.telling}
