"""Linking: a program and a world made one. Instructions get addresses, words numbers, and every expression its function."""

from __future__ import annotations

import copy
import itertools
from typing import TYPE_CHECKING, Any, Protocol

from rulewright.core import program as c
from rulewright.core.liveness import Liveness
from rulewright.core.passes.prices import price_of_function
from rulewright.core.world import World
from rulewright.step.wording import Wording

if TYPE_CHECKING:
    from rulewright.catalog import Catalog
    from rulewright.step.closures import Code
    from rulewright.step.state import Value


class Watch(Protocol):
    """Somebody who wants to know what a program does: may put something around the code of instructions and expressions."""

    def executor(self, at: int, run: Any) -> Any:
        """The code of an instruction."""

    def code(self, node: c.Expression, run: Any) -> Any:
        """The code of an expression."""


class Linked:
    """A program that can be stepped in a world."""

    def __init__(self, program: c.Program, world: World) -> None:
        self.program, self.world = program, world
        self.words = {word: c.WORDS + number for number, word in enumerate(program.words)}
        self.spelled = list(program.words)
        self.code: list[c.Instruction] = []
        self.unit_at: list[str] = []
        self.addresses: dict[str, list[int]] = {}  # by unit
        self.owes: set[int] = set()
        self.starts: list[int] = []
        self.entries: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.own: dict[str, int | None] = {}
        self._executors: list[Any] = []
        self.link_blocks()
        self.ending, self.over = self.starts[program.ending], self.starts[program.over]
        self.hook_numbers = {name: number for number, name in enumerate(program.hooks)}
        self.hook_names = list(program.hooks)
        self.actions = list(world.graph["actions"])
        self.deed_numbers = {path: number for number, path in enumerate(self.actions)}
        self.stride = world.count + 2
        self.functions: dict[str, tuple[int, Code]] = {}
        self.liveness: Liveness | None = None  # found when it is asked for, of so many blocks
        self.liveness_of = 0
        self._codes: dict[int, Any] = {}
        self.watch: Watch | None = None  # who wants to know what is carried out and evaluated: told when its code is made
        self.snippets: Any = None  # what is lowered onto the program when somebody asks
        self.notes: dict[str, Any] = {}  # what others have found out about the program and keep
        self.wording = Wording(self)  # as the rules say it
        self.start_values: list[Value] = [self.encoded(value) for value in world.start_values]

    def changed(self, program: c.Program, units: frozenset[str], graph: dict[str, Any]) -> Linked:
        """The same with a program of which some units and functions are others: whatever stays has its addresses, and the code that was made of it."""
        made = Linked.__new__(Linked)
        made.__dict__.update(self.__dict__)
        made.world = copy.copy(self.world)
        made.world.graph = graph
        made.program, made.snippets, made.notes, made.liveness, made.liveness_of = program, None, {}, None, 0
        made.wording = Wording(made)
        for name in ("code", "unit_at", "starts", "_executors"):
            setattr(made, name, getattr(self, name)[:])
        made.owes, made._codes = set(self.owes), dict(self._codes)
        made.addresses = {name: addresses[:] for name, addresses in self.addresses.items()}
        for name in ("entries", "sizes", "own"):
            setattr(made, name, {unit: each for unit, each in getattr(self, name).items() if unit not in units})
        made.functions = {name: each for name, each in self.functions.items() if program.functions.get(name) is self.program.functions[name]}
        made.link_blocks()
        return made

    def link_blocks(self) -> None:
        """Give addresses to the blocks and units that have none yet; what a program gains afterwards stands behind all the rest."""
        for block in self.program.blocks[len(self.starts) :]:
            self.starts.append(len(self.code))
            self.code += block.code
            self.unit_at += [block.unit] * len(block.code)
            self.addresses.setdefault(block.unit, []).extend(range(self.starts[-1], len(self.code)))
            if block.owes:
                self.owes.add(self.starts[-1])
        for name, unit in itertools.islice(self.program.units.items(), len(self.entries), None):
            self.entries[name] = self.starts[unit.entry]
            self.sizes[name] = len(unit.locals)
            self.own[name] = next((number for number, each in enumerate(unit.locals) if each.name == "self"), None)
        self._executors += [None] * (len(self.code) - len(self._executors))

    def origin_at(self, at: int) -> str | None:
        """The node of the graph that an instruction was made for; of a jump, that of where it leads; else the last one before it in its unit."""
        unit = self.unit_at[at]
        for _ in range(len(self.starts)):
            node = self.code[at]
            if not isinstance(node, c.Jump):
                break
            at = self.starts[node.to]
        while at >= 0 and self.unit_at[at] == unit:
            origin: str | None = getattr(self.code[at], "origin", None)
            if origin is not None:
                return origin
            at -= 1
        return None

    def word(self, word: str) -> int:
        """The number of a word; a text that the game makes gets one when it is made."""
        found = self.words.get(word)
        if found is None:
            found = self.words[word] = c.WORDS + len(self.spelled)
            self.spelled.append(word)
        return found

    def encoded(self, value: Any) -> Value:
        """A value of the graph as one of the core."""
        if isinstance(value, str):
            return self.word(value)
        if isinstance(value, list | tuple):
            return tuple(self.encoded(each) for each in value)
        if value is None:
            return None
        if not -c.WORDS < value < c.WORDS:
            raise ValueError(f"{value} is no number of the language")
        return int(value)

    def worded(self, catalog: Catalog) -> Wording:
        """The words for this world in the language of a catalog."""
        known: dict[int, Wording] = self.notes.setdefault("wordings", {})
        if id(catalog) not in known:
            known[id(catalog)] = Wording(self, catalog)  # which keeps the catalog, and so its identity
        return known[id(catalog)]

    def function(self, name: str) -> tuple[int, Code]:
        """The size of a function's names, and its code."""
        found = self.functions.get(name)
        if found is None:
            from rulewright.step.closures import code, paid

            declared = self.program.functions[name]
            found = self.functions[name] = (len(declared.locals), paid(price_of_function(declared.body), code(self, declared.body)))
        return found
