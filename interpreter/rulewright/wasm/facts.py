"""Facts: what is known of a program before any code is written. Shapes of expressions, which of them are flags, names that only queries give, hooks put off.

`Facts` is made of a linked program and changes nothing in it; what costs something is worked out when it is asked for first.
"""

from __future__ import annotations

import functools
from typing import Any

from rulewright.core import program as c
from rulewright.core.liveness import names_in, slots
from rulewright.core.shapes import shape
from rulewright.step.link import Linked


class Facts:
    """What can be asked about a program and its world."""

    def __init__(self, linked: Linked) -> None:
        self.program, self.world = linked.program, linked.world
        self.installed = {hook for block in self.program.blocks for each in block.code if isinstance(each, c.Install) for hook in each.hooks}
        self._flags: dict[str, bool] = {}

    # -- expressions

    def shape(self, node: Any, locals_: list[c.Local]) -> c.Shape:
        """Whether an expression gives one value, a list, or a list of lists."""
        return shape(node, locals_, self.field_shape, lambda name: self.program.functions[name].shape)

    def field_shape(self, name: str) -> c.Shape:
        """The shape of a field."""
        return "list" if name == "ends" or name in self.list_fields else "one"

    def is_flag(self, node: Any) -> bool:
        """Whether an expression gives 0 or 1 and nothing else."""
        if isinstance(node, c.Apply):
            return self.gives_flag(node.function)
        if isinstance(node, c.If):
            return self.is_flag(node.yes) and self.is_flag(node.no)
        if isinstance(node, c.Bind | c.Charge):
            return self.is_flag(node.body if isinstance(node, c.Bind) else node.of)
        return isinstance(node, c.Test)

    def gives_flag(self, function: str) -> bool:
        """Whether a function gives 0 or 1 and nothing else; one that applies itself counts as not doing so."""
        found = self._flags.get(function)
        if found is None:
            self._flags[function] = False
            found = self._flags[function] = self.is_flag(self.program.functions[function].body)
        return found

    # -- fields

    @functools.cached_property
    def fields(self) -> list[str]:
        """The fields in the order in which entries of the log number them."""
        return [*dict.fromkeys(name for kind in self.world.graph["kinds"].values() for name in kind["fields"]), "space"]

    @functools.cached_property
    def list_fields(self) -> set[str]:
        """The fields that hold lists."""
        kinds = self.world.graph["kinds"].values()
        return {name for kind in kinds for name, field in kind["fields"].items() if field["type"]["how"] in ("set", "list")}

    @functools.cached_property
    def secretive(self) -> bool:
        """Whether anybody can be unable to tell what something is."""
        world = self.world
        guarded = any(bits != world.everyone for place, bits in enumerate(world.sight) if world.is_place(place))
        return guarded or any(rule is not None for rule in world.hidden_while)

    # -- hooks

    @functools.cached_property
    def deferred(self) -> list[str]:
        """The hooks that can be put off until a batch is over."""
        return [name for name in self.program.hooks if name in self.event_arguments]

    @functools.cached_property
    def event_arguments(self) -> dict[str, tuple[Any, ...]]:
        """For each hook that can be put off, what its event hands to it."""
        found: dict[str, tuple[Any, ...]] = {}
        for block in self.program.blocks:
            for each in block.code:
                if isinstance(each, c.Defer) and each.hook is not None:
                    found.setdefault(each.hook, each.arguments)
        return found

    # -- units

    @functools.cached_property
    def blocks(self) -> dict[str, dict[int, c.Block]]:
        """The blocks of each unit by their labels."""
        found: dict[str, dict[int, c.Block]] = {}
        for label, block in enumerate(self.program.blocks):
            found.setdefault(block.unit, {})[label] = block
        return found

    @functools.cached_property
    def queried(self) -> dict[str, set[int]]:
        """For each unit the slots that only queries and the like give values."""
        found: dict[str, set[int]] = {}
        for block in self.program.blocks:
            for each in block.code:
                found.setdefault(block.unit, set()).update(slots(names_in(each)[1]))
        return found

    def frame_slots(self, unit: str) -> list[int]:
        """The names of a unit that lie in its frame: all but those that only a query gives."""
        return [slot for slot in range(len(self.program.units[unit].locals)) if slot not in self.queried.get(unit, ())]
