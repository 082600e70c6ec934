"""Builders: what is being lowered into, while it is. A `Writer` collects names; a `UnitWriter` blocks too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.core import program as c

Type = dict[str, Any]
NOTHING: Type = {"how": "none"}


def shape_of_type(of: Type | None) -> c.Shape:
    """Whether a value of a type of the rules is one thing or several."""
    if of is None or of["how"] not in ("set", "list", "map"):
        return "one"
    inner = of.get("of")
    if of["how"] == "map":
        return "lists"
    return "lists" if inner is not None and inner["how"] in ("set", "list") else "list"


def sort_of_type(of: Type | None) -> str:
    """What the values of a type are: those in a set are meant by it."""
    while of is not None and of.get("of") is not None and of["how"] in ("set", "list", "map"):
        of = of["of"]
    return "none" if of is None else str(of["how"])


class Writer:
    """The names of a unit or function that is being written."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.locals: list[c.Local] = []
        self.slots: dict[str, c.Slot] = {}
        self.parameters = 0

    def parameter(self, name: str, shape: c.Shape, sort: str, several: bool = False) -> c.Slot:
        """One more parameter."""
        slot = self.bound(name, shape, sort, several)
        self.parameters = len(self.locals)
        return slot

    def bound(self, name: str, shape: c.Shape, sort: str, several: bool = False) -> c.Slot:
        """The slot of a name that the rules give; the same for all that have it."""
        found = self.slots.get(name)
        if found is None:
            found = self.slots[name] = self.fresh(name, shape, sort)
        before = self.locals[found]
        wider: c.Shape = before.shape if shape == "one" else shape
        self.locals[found] = c.Local(name, wider, before.sort if before.sort not in ("none", "any") else sort, several)
        return found

    def fresh(self, name: str, shape: c.Shape = "one", sort: str = "none") -> c.Slot:
        """A slot of its own."""
        self.locals.append(c.Local(name, shape, sort))
        return len(self.locals) - 1


class Scope:
    """Which slots names stand for at a point; queries and loops cover some."""

    def __init__(self, writer: Writer, names: Mapping[str, c.Slot] | None = None, alone: bool = False) -> None:
        self.writer = writer
        self.covered = dict(names or {})
        self.alone = alone  # whether no other names are known here

    def slot(self, name: str) -> c.Slot | None:
        """The slot of a name; None if nothing gives it a value."""
        found = self.covered.get(name)
        return self.writer.slots.get(name) if found is None and not self.alone else found

    def names(self) -> dict[str, c.Slot]:
        """The slots of all names that are known here."""
        return dict(self.covered) if self.alone else {**self.writer.slots, **self.covered}

    def covering(self, slot: c.Slot, *names: str) -> Scope:
        """A scope in which names stand for another slot."""
        return Scope(self.writer, {**self.covered, **dict.fromkeys(names, slot)}, self.alone)


class UnitWriter(Writer):
    """A unit that is being written: code goes into the open block, until something leads on from it."""

    def __init__(self, name: str, cause: str | None, blocks: list[c.Block], phase: bool = False) -> None:
        super().__init__(name)
        self.cause = cause
        self.blocks = blocks
        self.phase = phase
        self.entry = self.label()
        self.open: c.Label | None = self.entry
        self.loops: list[tuple[c.Label, c.Label, int]] = []  # where `next` and `leave` go, and in how many batches that is
        self.batches = 0
        self.arguments: tuple[c.Slot, ...] = ()
        self.happens: list[tuple[str, c.Label]] = []
        self.gives: c.Shape = "one"
        self.replaces: tuple[c.Slot, c.Slot] | None = None  # of a hook that replaces an event: the result and how it went, if it proceeds

    def label(self, owes: bool = False) -> c.Label:
        """A block to be filled later."""
        self.blocks.append(c.Block(self.name, [], owes))
        return len(self.blocks) - 1

    def happen(self, *events: str) -> None:
        """Here events happen."""
        label = self.label()
        self.jump(label)
        self.at(label)
        self.happens += [(event, label) for event in events]

    def at(self, label: c.Label) -> None:
        """Go on writing in a block."""
        self.open = label

    def add(self, *code: c.Instruction) -> None:
        """Write instructions; what can never be reached is left out."""
        if self.open is not None:
            self.blocks[self.open].code += code

    def end(self, code: c.Instruction) -> None:
        """Write what leads on from the open block, and close it."""
        self.add(code)
        self.open = None

    def jump(self, to: c.Label) -> None:
        """Lead on to a block, if the open one does not lead on already."""
        if self.open is not None:
            self.end(c.Jump(to))

    def let(self, name: str, value: c.Expression, shape: c.Shape = "one", sort: str = "none") -> c.Slot:
        """A slot of its own that holds a value from here on."""
        slot = self.fresh(name, shape, sort)
        self.add(c.Let(slot, value))
        return slot

    def call(self, unit: str, arguments: tuple[c.Expression, ...], origin: str | None = None, owes: bool = False) -> None:
        """Carry out a unit here, and go on."""
        then = self.label(owes)
        self.end(c.Call(unit, arguments, then, origin))
        self.at(then)

    def branch(self, test: c.Expression, origin: str | None = None) -> tuple[c.Label, c.Label]:
        """Two blocks to go on with."""
        then, otherwise = self.label(), self.label()
        self.end(c.Branch(test, then, otherwise, origin))
        return then, otherwise

    def unit(self) -> c.Unit:
        """The unit as it has been written."""
        return c.Unit(self.name, self.cause, self.locals, self.parameters, self.entry, self.phase, self.arguments, tuple(self.happens))
