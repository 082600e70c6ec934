"""Scopes: which local names are known at a point of a body, and what `it` and bare field names speak of."""

from __future__ import annotations

from interpreter.types import Type


class Element:
    """A thing that is being talked about: its fields may be named without saying whose they are."""

    def __init__(self, variable: str, type_: Type) -> None:
        self.variable = variable
        self.type = type_


class Scope:
    """Local names. Scopes nest by copying: what a branch binds is known after it only if every branch binds it."""

    def __init__(self, names: dict[str, Type] | None = None, elements: tuple[Element, ...] = (), used: set[str] | None = None) -> None:
        self.names = dict(names or {})
        self.elements = elements
        self.used: set[str] = set() if used is None else used
        self.may_be_unset: set[str] = set()
        self.missed: set[str] = set()  # unknown names that have been told of; shared by all scopes of a body

    def branch(self) -> Scope:
        """A scope that sees everything this one does, and keeps what it binds to itself."""
        made = Scope(self.names, self.elements, self.used)
        made.may_be_unset = set(self.may_be_unset)
        made.missed = self.missed
        return made

    def with_element(self, variable: str, type_: Type, *aliases: str) -> Scope:
        """A scope in which one more thing is talked about, under its name and others."""
        made = self.branch()
        for name in (variable, "it", *aliases):
            made.names[name] = type_
        made.elements = (*self.elements, Element(variable, type_))
        return made

    def bind(self, name: str, type_: Type) -> None:
        """Add a local name."""
        self.names[name] = type_
        self.may_be_unset.discard(name)

    def join(self, branches: list[Scope]) -> None:
        """After branches: what all of them bound is known here, what only some did may be unset."""
        bound = [set(branch.names) - set(self.names) for branch in branches]
        everywhere = set.intersection(*bound) if bound else set()
        for name in everywhere:
            self.bind(name, branches[0].names[name])
        for name in set().union(*bound) - everywhere:
            self.may_be_unset.add(name)
