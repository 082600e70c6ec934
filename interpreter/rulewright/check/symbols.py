"""Symbols: what every name of a linked ruleset means, in the form the checker and the lowering ask for.

`collect` builds the tables from the declarations and complains about what can be seen without looking into any body: kinds that do not exist or
are their own ancestors, names that are words of the language, fields with values of the wrong type, components that lie in no known place.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.types import NUMBER, PLACE, TEXT, Type, kind_type, pluralised

__all__ = ["Callable", "Definition", "Field", "Kind", "Parameter", "Place", "Symbols", "pluralised"]

BUILT_IN = {"place": PLACE, "owner": kind_type("player"), "copy": NUMBER, "label": TEXT}  # what every component has


class Field(msgspec.Struct, frozen=True):
    """A field of a kind."""

    name: str
    type: Type
    kind: str
    declaration: t.FieldDecl | None
    default: Any = None


class Place(msgspec.Struct, frozen=True):
    """A place; `of` is the kind each component of which has one."""

    id: str
    name: str
    of: str | None
    shape: str
    holds: str | None
    declaration: t.PlaceDecl


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of an effect, value or cost."""

    name: str
    type: Type


class Callable(msgspec.Struct, frozen=True):
    """An effect, phase, step, event, value, action or cost: something with a name and parameters that can be called or hooked."""

    path: str
    what: str
    parameters: tuple[Parameter, ...]
    gives: Type | None
    declaration: Any
    package: str
    of: str | None = None
    open: bool = False
    keeps: tuple[str, ...] = ()


class Kind:
    """A kind with everything it inherits."""

    def __init__(self, name: str, declaration: t.KindDecl | None, package: str) -> None:
        self.name = name
        self.declaration = declaration
        self.package = package
        self.parent: str | None = None
        self.is_place = False
        self.links: tuple[str, str] | None = None
        self.fields: dict[str, Field] = {}
        self.places: dict[str, Place] = {}
        self.values: dict[str, Callable] = {}
        self.effects: dict[str, Callable] = {}
        self.lines: dict[str, t.KindLine] = {}


class Definition(msgspec.Struct, frozen=True):
    """A component as declared, in so many copies."""

    name: str
    kind: str
    copies: int
    declaration: t.ComponentDecl
    package: str


class Symbols:
    """All tables of a ruleset."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.plurals: dict[str, str] = {}
        self.definitions: dict[str, Definition] = {}
        self.places: dict[str, Place] = {}
        self.dice: dict[str, t.DieDecl] = {}
        self.tracks: dict[str, t.DieDecl] = {}
        self.grids: dict[str, t.GridDecl] = {}
        self.words: dict[str, t.WordsDecl] = {}
        self.numbers: dict[str, t.NumberDecl] = {}
        self.states: dict[str, Field] = {}
        self.options: dict[str, tuple[str | int, ...]] = {}
        self.effects: dict[str, Callable] = {}
        self.values: dict[str, Callable] = {}
        self.actions: dict[str, Callable] = {}
        self.costs: dict[str, Callable] = {}
        self.groups: dict[str, list[str]] = {}
        self.methods: dict[str, dict[str, Callable]] = {}
        self.origins: dict[str, str] = {}
        self.complete = False  # the ruleset is checked: fields can no longer be added
        self.used: set[str] = set()
        self.lost: set[str] = set()  # declared, but so that nothing can be made of it: a complaint has been made

    def inherits(self, name: str, ancestor: str) -> bool:
        """Whether a kind or component is, or descends from, another kind (or is that component)."""
        if name == ancestor:
            return True
        if name in self.definitions and name not in self.kinds:
            return self.inherits(self.definitions[name].kind, ancestor)
        kind = self.kinds.get(name)
        while kind is not None:
            if kind.name == ancestor or (ancestor == "place" and kind.is_place):
                return True
            kind = self.kinds.get(kind.parent) if kind.parent else None
        return False

    def is_place(self, of: Type) -> bool:
        """Whether things of a type are places."""
        return of.how == "kind" and self.inherits(of.name, "place")

    def sort(self, name: str) -> str:
        """The kind of a component; a kind is its own."""
        return self.definitions[name].kind if name in self.definitions and name not in self.kinds else name

    def nearest(self, left: str, right: str) -> str | None:
        """The kind nearest to two kinds or components; `place` if all they share is that they are places."""
        name: str | None = self.sort(left)
        while name is not None:
            if self.inherits(right, name):
                return name
            kind = self.kinds.get(name)
            name = kind.parent if kind else None
        return "place" if self.inherits(left, "place") and self.inherits(right, "place") else None

    @cached_property
    def peopled(self) -> set[str]:
        """The kinds of which there are components or cells, and the ancestors of these."""
        found = {definition.kind for definition in self.definitions.values()} | {grid.kind for grid in self.grids.values()}
        todo = list(found)
        while todo:
            kind = self.kinds.get(todo.pop())
            parent = "place" if kind is not None and kind.is_place and kind.parent is None else kind.parent if kind is not None else None
            if parent is not None and parent not in found:
                found.add(parent)
                todo.append(parent)
        return found

    def package_of(self, part: Any, owner: str) -> str:
        """The package that wrote a part of something: a layer may have put it there."""
        return self.origins.get(part.span.file, owner)

    def sorts(self, kind: str) -> Type:
        """What the components of a kind are called in the rules: one of these words."""
        self.used.add(kind)
        names = [name for name, definition in self.definitions.items() if definition.copies and self.inherits(definition.kind, kind)]
        return Type("words", kind, words=tuple(names))

    def noun(self, word: str) -> str | None:
        """The kind or component that a noun means, in singular or plural."""
        if word in self.kinds or word in self.definitions:
            return word
        return self.plurals.get(word)

    def plural(self, name: str) -> str:
        """What several of a kind or component are called."""
        return next((plural for plural, noun in self.plurals.items() if noun == name), pluralised(name))

    def kind_of(self, name: str) -> Kind | None:
        """The kind by its name, or the kind of a component."""
        if name in self.kinds:
            return self.kinds[name]
        found = self.definitions.get(name)
        return self.kinds.get(found.kind) if found else None

    def cell(self, word: str) -> str | None:
        """The kind of a cell of a grid, by the cell's name: `deck_2_3` is row 2, column 3 of the grid `deck`."""
        name, *place = word.rsplit("_", 2)
        grid = self.grids.get(name)
        if grid is None or len(place) != 2 or not all(part.isdecimal() and part[0] != "0" for part in place):
            return None
        self.used.add(name)
        return grid.kind if int(place[0]) <= grid.rows and int(place[1]) <= grid.columns else None

    def cost(self, word: str) -> Callable | None:
        """The cost that a word names, in singular or plural."""
        many = self.plural(word)
        one = self.plurals.get(word) or next((name for name in self.costs if pluralised(name) == word), word)
        return self.costs.get(word) or self.costs.get(many) or self.costs.get(one)

    def everything(self) -> list[str]:
        """All names, for guessing what a misspelt one meant."""
        tables = (self.kinds, self.plurals, self.definitions, self.places, self.dice, self.tracks, self.grids, self.numbers, self.states, self.words, self.effects,
                  self.values, self.actions, self.costs)  # fmt: skip
        return [name for table in tables for name in table]
