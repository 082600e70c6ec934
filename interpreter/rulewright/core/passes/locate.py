"""Locating: a query begins where what is looked for must lie, instead of with everything of its kind.

`the room where it lies`: that is the place of the thing, whatever number of rooms there are. `every card that lies in a hand`: what lies there. Tests are read as they are
written, also inside functions that are applied, and all of them are still asked: only what they are asked of is less. What lies somewhere comes in the order of its numbers,
as everything of a kind does.

This pass is part of lowering, so both engines read the same program, and count the same as looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.liveness import names_in
from rulewright.core.nodes import everything
from rulewright.core.passes.rewrite import Change, Owner, rebuilt, rewritten
from rulewright.core.shapes import shape

MANY = 16  # components of a kind of which it is worth to ask where they lie
DEEP = 8  # functions inside functions that are read
EASY = (c.Const, c.Component, c.Place, c.PlaceOf, c.Name, c.Field)  # what can be asked without asking much, and never goes wrong
Places = tuple[c.Expression, ...]
Moved = Callable[[Any, Any], None]  # is told of each node what it has become


class Locating:
    """What a program says about where things lie."""

    def __init__(self, program: c.Program, graph: dict[str, Any], field_shape: Callable[[str], c.Shape]) -> None:
        self.program, self.field_shape = program, field_shape
        self.looked_into: set[str] = set()  # functions that say where something must lie
        self.builtin = not any(name in kind["fields"] for kind in graph["kinds"].values() for name in ("place", "holder"))
        self.lines: dict[str, tuple[str, ...]] = {}  # the name of each component, its kind, and the kinds that inherits from
        self.copies: dict[str, int] = {}  # of each component
        for name, component in graph["components"].items():
            line, kind = [name], component["kind"]
            while kind is not None:
                line.append(kind)
                kind = graph["kinds"][kind]["parent"]
            self.lines[name], self.copies[name] = tuple(line), component["copies"]

    def many(self, noun: str) -> bool:
        """Whether there are many components of a kind; players, tracks and cells count as few."""
        return sum(self.copies[name] for name, line in self.lines.items() if noun in line) >= MANY

    # -- what contains a thing

    def containing(self, tests: tuple[c.Expression, ...], slot: c.Slot) -> c.Expression | None:
        """The one thing that can pass tests which say that something lies in it, or in a place of it."""
        for test in tests:
            match test:
                case c.And(parts=parts):
                    found = self.containing(parts, slot)
                    if found is not None:
                        return found
                case c.Lies(item=item, places=places) if easy(item) and not reads(item, slot):
                    if places == c.Name(slot):
                        return c.Field(item, "place")
                    if isinstance(places, c.PlaceOf) and places.of == c.Name(slot):
                        return c.Field(c.Field(item, "place"), "holder")
        return None

    # -- where a thing lies

    def lying(self, test: c.Expression, things: frozenset[c.Slot], noun: str, deep: int = 0) -> Places | None:
        """The places in one of which a thing lies that passes a test, which speaks of it by some names; None if that is not said."""
        match test:
            case c.Lies(item=c.Name(slot=slot), places=places) if slot in things:
                place = self.plain(places)
                return (place,) if easy(place) and not any(reads(place, each) for each in things) else None
            case c.And(parts=parts):
                return next((found for part in parts if (found := self.lying(part, things, noun, deep)) is not None), None)
            case c.Or(parts=parts):
                return self.united(parts, things, noun, deep)
            case c.Bind(slot=slot, value=value, body=body):
                inner = things | {slot} if isinstance(value, c.Name) and value.slot in things else things - {slot}
                return put_in(self.lying(body, inner, noun, deep), {slot: value})
            case c.ByKind(of=c.Name(slot=slot), cases=cases, otherwise=otherwise) if slot in things:
                said = {next((each for each in line if each in cases), "") for line in self.lines.values() if noun in line}
                return self.united(tuple(cases.get(each, otherwise) for each in sorted(said)), things, noun, deep)
            case c.Apply(function=name, arguments=arguments) if deep < DEEP:
                function = self.program.functions[name]
                inner = frozenset(number for number, each in enumerate(arguments) if isinstance(each, c.Name) and each.slot in things)
                found = self.lying(function.body, inner, noun, deep + 1) if inner else None
                if found is not None:
                    self.looked_into.add(name)
                return put_in(found, dict(enumerate(arguments)), function.parameters)
        return None

    def plain(self, place: c.Expression) -> c.Expression:
        """A place that a function gives, as what that says."""
        if isinstance(place, c.Apply) and easy(self.program.functions[place.function].body):
            found = put_in((self.program.functions[place.function].body,), dict(enumerate(place.arguments)), len(place.arguments))
            if found is not None:
                self.looked_into.add(place.function)
                return found[0]
        return place

    def united(self, tests: tuple[c.Expression, ...], things: frozenset[c.Slot], noun: str, deep: int) -> Places | None:
        """The places of all of several tests, of which one holds."""
        found: dict[c.Expression, None] = {}
        for test in tests:
            places = self.lying(test, things, noun, deep)
            if places is None:
                return None
            found.update(dict.fromkeys(places))
        return tuple(found)

    # -- queries

    def beginning(
        self, source: c.Expression, slot: c.Slot, tests: tuple[c.Expression, ...], locals_: list[c.Local]
    ) -> tuple[c.Expression, bool] | None:
        """A smaller source for a query, and whether that is in another order; None if there is none."""
        match source:
            case c.All(noun=noun, grid=None):
                holder = self.containing(tests, slot) if self.builtin else None
                if holder is not None:
                    return c.OfKind(c.Many(holder), noun), False
                places = self.lying(c.And(tests), frozenset((slot,)), noun) if self.many(noun) else None
                if not places or any(not easy(place) or reads(place, slot) or not self.single(place, locals_) for place in places):
                    return None
                return c.OfKind(c.Members(places[0] if len(places) == 1 else c.Once(c.Listed(places))), noun), True
            case c.OfKind(source=c.All() as rest, noun=noun):
                found = self.beginning(rest, slot, tests, locals_)
                return None if found is None else (c.OfKind(found[0], noun) if noun != rest.noun else found[0], found[1])
            case c.If(test=test, yes=yes, no=c.All() as rest):
                found = self.beginning(rest, slot, tests, locals_)
                return None if found is None else (c.If(test, yes, found[0]), found[1])
        return None

    def single(self, place: c.Expression, locals_: list[c.Local]) -> bool:
        """Whether an expression is one place, not several."""
        return shape(place, locals_, self.field_shape, lambda name: self.program.functions[name].shape) == "one"


def locate(
    program: c.Program, graph: dict[str, Any], field_shape: Callable[[str], c.Shape], moved: Moved | None = None, only: Collection[str] | None = None
) -> tuple[c.Program, set[str]]:
    """A program whose queries begin where what they look for must lie, in all units and functions or in some, and the functions that say so."""
    locating = Locating(program, graph, field_shape)

    def within(owner: Owner, locals_: list[c.Local]) -> Change:
        def change(node: Any, unordered: bool = False) -> Any:
            made = rebuilt(node, inside if isinstance(node, c.Exists | c.Count) else change)
            match made:
                case c.Query(source=source, slot=slot, tests=tests, orders=orders):
                    found = locating.beginning(source, slot, tests, locals_)
                    if found is not None:
                        more = (c.Order(c.Name(slot), False),) if found[1] and not unordered else ()
                        made = c.Query(found[0], slot, tests, (*orders, *more))
                case c.Fold(source=source, slot=slot, test=test) if test is not None:
                    found = locating.beginning(source, slot, (test,), locals_)
                    if found is not None:
                        by_number = c.Query(found[0], slot, (), (c.Order(c.Name(slot), False),) if found[1] else ())
                        made = msgspec.structs.replace(made, source=by_number if found[1] else found[0])
            if moved is not None and made is not node:
                moved(node, made)
            return made

        def inside(node: Any) -> Any:
            return change(node, unordered=True)

        return change

    return rewritten(program, within, only), locating.looked_into


def easy(node: Any) -> bool:
    """Whether an expression can be asked at any time."""
    return all(isinstance(part, EASY) for part in everything(node))


def reads(node: Any, slot: c.Slot) -> bool:
    """Whether an expression speaks of a name."""
    return bool(names_in(node)[0] >> slot & 1)


def put_in(places: Places | None, values: dict[int, Any], parameters: int | None = None) -> Places | None:
    """Places in which values stand for names; of a function, for all its names: None if they speak of others."""
    if places is None:
        return None

    def change(node: Any) -> Any:
        return (
            values.get(node.slot, c.Const(None))
            if isinstance(node, c.Name) and (parameters is not None or node.slot in values)
            else rebuilt(node, change)
        )

    if parameters is not None and any(names_in(place)[0] >> parameters for place in places):
        return None
    return tuple(change(place) for place in places)
