"""Writing Python source: functions, lines, names, and tables for everything that comes from a ruleset.

Nothing that a ruleset contains becomes source text: words, texts and names live in a table of constants and are spoken of by number (`k12`), what depends on
the world (sets of components, where fields are kept) in a table of lookups (`t7`). Only whole numbers, `True`, `False` and `None` are written out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

ANY, LIST, ONE, BOOL, INT = "any", "list", "one", "bool", "int"
Span = Any


class Code(NamedTuple):
    """A Python expression: its text, what is known about its value, and whether it is so simple that it may be written twice.

    `kind` is that of a component which is certainly there and certainly of that kind, `each` that of everything in a list.
    """

    text: str
    shape: str = ANY
    simple: bool = False
    sure: bool = False
    kind: str | None = None
    each: str | None = None


LOOKED = 100  # things that may be looked at before that is noted

NONE = Code("None", ONE, True)
TRUE = Code("True", BOOL, True)
FALSE = Code("False", BOOL, True)


class Module:
    """The source of a whole ruleset, as it grows."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.graph = graph
        self.constants: list[Any] = []
        self.lookups: list[list[Any]] = []
        self.lines: list[str] = []
        self.spans: list[tuple[int, str]] = []  # from a line on, what node of the graph it belongs to
        self._known: dict[str, str] = {}
        self._functions: dict[str, str] = {}

    def constant(self, value: Any) -> Code:
        """A value that stands in the ruleset."""
        if value is None or type(value) is bool or type(value) is int:
            return Code(repr(value), BOOL if type(value) is bool else INT if type(value) is int else ONE, True)
        key = "k" + json.dumps(value, sort_keys=True)
        if key not in self._known:
            self._known[key] = f"k{len(self.constants)}"
            self.constants.append(value)
        return Code(self._known[key], LIST if isinstance(value, list) else ONE, True)

    def lookup(self, *spec: Any) -> str:
        """The name of a table that is made when the code is joined with a world."""
        key = "t" + json.dumps(spec)
        if key not in self._known:
            self._known[key] = f"t{len(self.lookups)}"
            self.lookups.append(list(spec))
        return self._known[key]

    def add(self, function: Writer) -> None:
        """Take up a finished function: as another name of one that is the same, if there is one and it belongs to no node."""
        begin, (head, *body) = len(self.lines), function.finished()
        name, _, given = head.removeprefix("def ").partition("(")
        same = self._functions.setdefault("\n".join([given, *body]), name) if not function.nodes else name
        self.lines += [head, *body, ""] if same == name else [f"{name} = {same}"]
        self.spans += [(begin + line, node) for line, node in function.nodes]


class Writer:
    """The source of one function."""

    def __init__(self, module: Module, head: str) -> None:
        self.module = module
        self.head = head
        self.lines: list[str] = []
        self.depth = 1
        self.nodes: list[tuple[int, str]] = []
        self.columns: set[str] = set()
        self.counting = False  # whether things that are looked at are counted, in `n`
        self.opening: list[str] = []  # further lines with which it begins
        self._names = 0

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text)

    def hole(self) -> int:
        """Room for a line that is to be filled in later."""
        self.line("")
        return len(self.lines) - 1

    def fill(self, hole: int, text: str) -> None:
        """Fill in a line."""
        self.lines[hole] += text

    def name(self) -> str:
        """A name that is not used yet."""
        self._names += 1
        return f"x{self._names}"

    def column(self, name: str) -> str:
        """A column of the state, as a local name."""
        self.columns.add(name)
        return name

    def kept(self, code: Code) -> Code:
        """The same value under a name, if it is not simple already."""
        if code.simple:
            return code
        name = self.name()
        self.line(f"{name} = {code.text}")
        return code._replace(text=name, simple=True)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What is written in here is one level deeper."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """What is written in here goes, one level deeper, into a list of its own."""
        outer, self.lines = self.lines, []
        try:
            with self.inside():
                yield self.lines
        finally:
            self.lines = outer

    def mark(self, node: str) -> None:
        """The lines from here on belong to a node of the graph."""
        self.nodes.append((len(self.lines), node))

    def finished(self) -> list[str]:
        """The whole function."""
        opening = ["    S = m.state"] if self.columns else []
        opening += [f"    {name} = S.{name}" for name in sorted(self.columns - {"S"})]
        if self.counting:
            opening.append("    n = 0")
        opening += [f"    {line}" for line in self.opening]
        self.nodes = [(line + 1 + len(opening), node) for line, node in self.nodes]
        return [self.head, *opening, *(self.lines or ["    pass"])]


class Scope:
    """The local names of a piece of code: some are known to be in Python variables, the others are looked up in a dictionary, `V`, if there is one."""

    def __init__(
        self, names: dict[str, Code], dynamic: bool, shapes: dict[str, str] | None = None, read: frozenset[str] = frozenset(), source: str = "V"
    ) -> None:
        self.names = names
        self.dynamic = dynamic
        self.shapes = shapes or {}
        self.read = read  # names in variables that are in the dictionary as well
        self.source = source  # the variable with the dictionary

    def with_names(self, names: dict[str, Code]) -> Scope:
        """The same with more names."""
        return Scope({**self.names, **names}, self.dynamic, self.shapes, self.read.difference(names), self.source)

    def reading(self, names: dict[str, Code]) -> Scope:
        """The same with names of the dictionary that have been read into variables."""
        return Scope({**self.names, **names}, self.dynamic, self.shapes, self.read.union(names), self.source)

    def get(self, module: Module, name: str) -> Code:
        """What a name stands for; a name that is not bound stands for nothing."""
        if name in self.names:
            return self.names[name]
        return Code(f"{self.source}.get({module.constant(name).text})", self.shapes.get(name, ANY)) if self.dynamic else NONE

    def as_dict(self, module: Module) -> str:
        """All names as a dictionary, for code that wants one."""
        parts = [f"{module.constant(name).text}: {code.text}" for name, code in self.names.items() if name not in self.read]
        if self.dynamic:
            return f"{{**{self.source}, {', '.join(parts)}}}" if parts else self.source
        return "{" + ", ".join(parts) + "}"
