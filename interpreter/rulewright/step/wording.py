"""Wordings: what things, fields, phases, values and texts of one world are called in one language.

Takes a linked program and a catalog. Everything that somebody reads of a game (decisions, options, log, views, reasons) is worded by one of these, when it is read: so
a game can be read in several languages at once, and nothing that is worded is ever part of its state.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulewright.catalog import Catalog, template
from rulewright.core import program as c
from rulewright.types import TABLE

if TYPE_CHECKING:
    from rulewright.step.link import Linked

AS_IT_IS = Catalog()
SELF = "{self}"


class Wording:
    """The words for one world in one language; without a catalog, those of the rules."""

    def __init__(self, linked: Linked, catalog: Catalog = AS_IT_IS) -> None:
        self.linked, self.world, self.catalog = linked, linked.world, catalog
        self.say: Callable[..., str] = catalog.say
        self._fields: dict[tuple[str, str], str] = {}
        self._phases: dict[str, str] = {}

    @functools.cached_property
    def labels(self) -> list[str]:
        """What people call each component and place."""
        world = self.world
        return world.labels if self.catalog.is_empty else [self._label(number) for number in range(world.place_count)]

    def label_of(self, identity: str) -> str:
        """What people call a component that is known by its id."""
        return self.labels[self._numbers[identity]]

    @functools.cached_property
    def _numbers(self) -> dict[str, int]:
        return {identity: number for number, identity in enumerate(self.world.identities)}

    def _label(self, number: int) -> str:
        world, names = self.world, self.catalog.names
        if number >= world.count:
            owner, path = world.place_owner.get(number), world.place_names[number]
            label = self.place(number)
            return label if owner is None else self.say("{owner}'s {place}", owner=self._label(owner), place=names.get(path, label))
        definition = world.definitions[number]
        if definition == "player":
            return self.say("Player {number}", number=world.copies[number])
        if definition == TABLE:
            return self.say("Table")
        if number in world.rows:
            grid = world.grid_of[number]
            return f"{names.get(grid, grid)} {world.rows[number]},{world.columns[number]}"
        return self._filled_in(number, names[definition]) if definition in names else world.labels[number]

    def _filled_in(self, number: int, name: str) -> str:
        """A name in which fields stand in braces, as the labels of copies have them: with what they are at the start."""
        pieces, holes = template(name)
        if not holes:
            return name
        world = self.world
        fields = world.graph["kinds"].get(world.kinds[number], {"fields": {}})["fields"]
        told = {"copy": str(world.copies[number])}
        for hole in holes:
            if hole in fields:
                how, value = innermost(fields[hole]["type"]), self.linked.start_values[world.base[number] + world.slots[world.kinds[number]][hole]]
                told[hole] = world.labels[value] if how in ("kind", "place") and type(value) is int else self.shown(value, how)
        return "".join(each if isinstance(each, str) else told.get(holes[each], f"{{{holes[each]}}}") for each in pieces)

    def place(self, number: int) -> str:
        """What a place is called, whoever it belongs to."""
        path = self.world.place_names[number]
        label: str = self.world.place_spec(number)["label"] or path.split(".")[-1]
        return self.catalog.names.get(path) or (self.say("box") if label == path == "box" else label)

    def field(self, component: int, field: str) -> str:
        """What a field of a component is called."""
        return self.field_of(self.world.kinds[component], field)

    def field_of(self, kind: str, field: str) -> str:
        """What a field of a kind is called."""
        if (kind, field) not in self._fields:
            paths = [field] if kind == TABLE else [f"{each}.{field}" for each in [kind, *self._parents(kind)]]
            found = (self.catalog.names.get(path) for path in paths)
            own = self.say("space") if kind == "#track" else field.replace("_", " ")
            self._fields[kind, field] = next((name for name in found if name is not None), own)
        return self._fields[kind, field]

    def _parents(self, kind: str) -> list[str]:
        kinds, found = self.world.graph["kinds"], list[str]()
        while (kind := kinds.get(kind, {}).get("parent")) is not None:
            found.append(kind)
        return found

    def kind(self, name: str) -> str:
        """What a kind of things is called."""
        return self.catalog.names.get(name, name)

    def effect(self, path: str) -> str:
        """What an effect is called."""
        return self.catalog.names.get(path, path)

    def cost(self, name: str) -> str:
        """What a sort of cost is called."""
        return self.catalog.names.get(name, name)

    def action(self, path: str, granter: str | None = None) -> str:
        """What an action is called; also by the name of what grants it, where that is known."""
        action = self.world.graph["actions"][path]
        name = str(self.catalog.names.get(path) or action.get("title") or action["label"])
        if SELF in name:
            alone = action["of"] in self.world.graph["components"]
            return name.replace(SELF, granter or (self.labels[self.world.by_noun[action["of"]][0]] if alone else self.kind(action["of"])))
        return name if granter is None else f"{name}: {granter}"

    def hook(self, path: str) -> str:
        """What a rule that has a name is called."""
        return self.catalog.names.get(path, path.replace("_", " "))

    def die(self, name: str) -> str:
        """What a die is called."""
        return self.catalog.names.get(name, name)

    def phase(self, path: str) -> str:
        """What a phase, or a step of one, is called."""
        if path not in self._phases:
            effects, parts = self.world.graph["effects"], path.split(".")
            paths = [".".join(parts[: number + 1]) for number in range(len(parts))]
            named = (self.catalog.names.get(each) or (effects[each]["label"] if each in effects else each) for each in paths)
            self._phases[path] = ": ".join(named)
        return self._phases[path]

    def word(self, word: str) -> str:
        """A word of the rules, or a text that they have made."""
        catalog = self.catalog
        if catalog.is_empty:
            return word
        return catalog.words.get(word) or self._labelled.get(word) or catalog.plain(word)

    @functools.cached_property
    def _labelled(self) -> dict[str, str]:
        """What components are called here, by their labels, which rules may read."""
        return {self.world.labels[number]: self._label(number) for number in reversed(range(self.world.count))}

    def prompt(self, question: c.Question, values: Sequence[Any]) -> str:
        """What is asked. Whether somebody reacts is asked by the name of the reaction."""
        if question.kind == "reaction" and question.action in self.catalog.names and self.catalog.text(question.prompt.parts) is None:
            return f"{self.action(question.action)}?"
        return self.spelled(question.prompt, values)

    def sort(self, definition: str) -> str:
        """What components that share a declaration are called."""
        declared = self.world.graph["components"].get(definition)
        return self.catalog.names.get(definition) or (definition if declared is None else str(declared["label"]))

    def spelled(self, text: c.Text, values: Sequence[Any]) -> str:
        """A text with its values."""
        if not values and self.catalog.is_empty:
            return "".join(map(str, text.parts))
        holes = (part for part in text.parts if not isinstance(part, str))
        return self.filled(text.parts, [self.shown(value, hole.how) for value, hole in zip(values, holes, strict=False)])

    def filled(self, parts: Sequence[Any], told: Sequence[str]) -> str:
        """A text, made of words and of whatever stands for values, with those in words."""
        pieces = self.catalog.text(parts)
        if pieces is not None:
            return "".join([each if isinstance(each, str) else told[each] for each in pieces])
        following = iter(told)
        return "".join([part if isinstance(part, str) else next(following) for part in parts])

    def shown(self, value: Any, how: str) -> str:
        """A value as it appears in a text."""
        if how.startswith(c.ANSWERS):
            inner = how.removeprefix(c.ANSWERS)
            return ", ".join(f"{self.labels[who]}: {self.shown(given, inner)}" for who, *given in value or ()) or self.say("nothing")
        if type(value) in (tuple, list):
            return ", ".join(self.shown(each, how) for each in value) or self.say("nothing")
        if value is None:
            return self.say("nothing")
        if value >= c.WORDS:
            word = str(self.linked.spelled[value - c.WORDS])
            return self.sort(word) if how == "sort" else self.word(word)
        if how in ("kind", "place", "track", "any"):
            label: str = self.labels[value]
            return label
        return self.say("yes" if value else "no") if how == "flag" else str(value)


def innermost(of: dict[str, Any]) -> str:
    """What sort of things a value of a type consists of, also a set of sets of them."""
    while "of" in of:
        of = of["of"]
    return str(of["how"])
