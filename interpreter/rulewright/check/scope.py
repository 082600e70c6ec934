"""Scopes: which local names are known at a point of a body, and what `it` and bare field names speak of."""

from __future__ import annotations

from collections.abc import Callable

from rulewright import tree as t
from rulewright.types import Type

Common = Callable[[Type, Type], Type | None]


class Element:
    """A thing that is being talked about: its fields may be named without saying whose they are."""

    def __init__(self, variable: str, type_: Type, outside: dict[str, Type] | None = None) -> None:
        self.variable = variable
        self.type = type_
        self.outside = outside or {}  # the local names there are where it is not talked about yet
        self.hidden: set[str] = set()  # members of it that a local name hides, as has been told


class Scope:
    """Local names. Scopes nest by copying: what a branch binds is known after it only if every branch binds it."""

    def __init__(self, names: dict[str, Type] | None = None, elements: tuple[Element, ...] = ()) -> None:
        self.names = dict(names or {})
        self.elements = elements
        self.may_be_unset: set[str] = set()
        self.mixed: dict[str, tuple[Type, Type]] = {}  # bound in every branch, but to things of different sorts
        self.hidden: dict[str, str] = {}  # names that may stand for something in a place not everyone sees into
        self.borrowed: frozenset[str] = frozenset()  # known here, but changed only where they come from
        self.sure = {name for name, of in self.names.items() if not of.optional}  # names that certainly stand for something
        # shared by all scopes of a body:
        self.covered: set[str] = set()  # names that the noun of a query covers, as has been told
        self.changed: set[str] = set()  # names that are given another value somewhere in it
        self.used: set[str] = set()
        self.missed: set[str] = set()  # unknown names that have been told of
        self.looped: set[str] = set()  # names that only the body of a loop gave
        self.undecided: dict[str, Type] = {}  # what names became that began as none
        self.gathered: list[tuple[str, Type]] | None = None  # names that a block which several go through gives, each time one is given

    def branch(self) -> Scope:
        """A scope that sees everything this one does, and keeps what it binds to itself."""
        made = Scope.__new__(Scope)  # as copy does it, quicker
        made.__dict__.update(self.__dict__)
        made.names, made.may_be_unset, made.mixed, made.hidden = dict(self.names), set(self.may_be_unset), dict(self.mixed), dict(self.hidden)
        made.sure = set(self.sure)
        return made

    def lent(self) -> Scope:
        """A scope for a part that is given the local names, but cannot give back what becomes of them."""
        made = self.branch()
        made.borrowed = self.borrowed | set(self.names)
        return made

    def with_self(self, type_: Type) -> Scope:
        """A scope in which `self` is talked about."""
        made = self.branch()
        made.names["self"] = type_
        made.sure.add("self")
        made.names.pop("it", None)
        made.elements = (*self.elements, Element("self", type_))
        return made

    def with_element(self, variable: str, type_: Type, *aliases: str) -> Scope:
        """A scope in which one more thing is talked about, under its name and others."""
        made = self.branch()
        for name in (variable, "it", *aliases):
            made.cover(name, type_)
        made.elements = (*self.elements, Element(variable, type_, self.names))
        return made

    def cover(self, name: str, type_: Type) -> None:
        """Let a name mean something new here, whatever it means outside."""
        self.names[name] = type_
        self.sure.add(name)
        self.hidden.pop(name, None)
        self.borrowed -= {name}

    def type_of(self, name: str) -> Type:
        """What a local name stands for."""
        of = self.names[name]
        return self.undecided.get(name, of) if of.how == "none" else of

    def bind(self, name: str, type_: Type) -> None:
        """Add a local name; whether it stands for something is not known."""
        self.names[name] = type_
        self.sure.discard(name)
        self.may_be_unset.discard(name)
        self.mixed.pop(name, None)
        self.undecided.pop(name, None)

    def join(self, branches: list[Scope], common: Common) -> None:
        """After branches: what all of them bound is known here, what only some did may be unset."""
        bound = [set(branch.names) - set(self.names) for branch in branches]
        everywhere = set.intersection(*bound) if bound else set()
        for name in sorted(everywhere):
            self.bind_common(name, [branch.type_of(name) for branch in branches], common)
        for name in set().union(*bound) - everywhere:
            self.may_be_unset.add(name)
        for branch in branches:
            self.mixed |= {name: pair for name, pair in branch.mixed.items() if name not in self.names}
        self.hidden = {name: place for branch in branches for name, place in branch.hidden.items()}

    def bind_common(self, name: str, types: list[Type], common: Common) -> None:
        """Bind a name that each branch gave a type of its own."""
        together = types[0]
        for of in types[1:]:
            found = common(together, of)
            if found is None:
                self.mixed[name] = (together, of)
                return
            together = found
        self.bind(name, together)

    def after_loop(self, inner: Scope, *given: str) -> None:
        """After a loop that may not have run even once; `given` are the names of the thing it looked at."""
        self.looped |= set(inner.names) - set(self.names) - set(given)
        self.hidden |= {name: place for name, place in inner.hidden.items() if name in self.names}


def conjuncts(test: t.Expr | None) -> tuple[t.Expr, ...]:
    """The conditions that are joined by 'and', each by itself, so that it can be told which of them fails; what uses a name stays with who gives it."""
    if not isinstance(test, t.Logic) or test.op != "and":
        return () if test is None else (test,)
    first = next((at for at, part in enumerate(test.parts) if isinstance(part, t.Narrow)), len(test.parts))
    rest = test.parts[first:]
    return (*test.parts[:first], *((t.Logic(rest[0].span.to(rest[-1].span), "and", rest),) if len(rest) > 1 else rest))
