"""What a game can offer and say: a claim that something is not offered, refused or logged proves nothing if it names what there is not.

Takes the world of a game and its graph, gives every name that an option of it may have and every word that its log may say. Where a text is put together only when it is
shown, whatever stands in its gaps counts as possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.core.world import Graph, World
from rulewright.game.views import place_identity

# Options that the engine itself offers, and words that it writes to the log by itself.
OFFERED = ("done", "Done", "none", "None", "None of these", "no", "No")
SAID = "something nothing none yes no true false chooses shown shows is are shuffled has won lost out of the game ends"
COPY = re.compile(r"~\d+$")
HIDDEN = re.compile(r"(.+)#\d+|no\. \d+ in (.+)")
NUMBER = re.compile(r"-?\d+")
WORD = re.compile(r"[^\W_]+(?:[._][^\W_]+)*")
Nodes = list[dict[str, Any]]


class Names:
    """What the options of a game can be called, and what its log can say; also by what is `removed`, which would be there but for a layer."""

    def __init__(self, world: World, graph: Graph, removed: Iterable[str] = ()) -> None:
        nodes = graph["nodes"].values()
        self.components = set(world.identities)
        self.actions: dict[str, Any] = graph["actions"]
        granting = {path: world.by_noun.get(action["of"], []) for path, action in self.actions.items()}
        self.granters = {path: {world.identities[each] for each in granters} for path, granters in granting.items()}
        self.sorts = {
            path: {name for each in granters for name in (world.definitions[each], world.labels[each])} for path, granters in granting.items()
        }
        self.things = {name for each in range(world.count) for name in (world.definitions[each], world.labels[each])}
        things = {name for number in range(world.place_count) for name in (place_identity(world, number), world.labels[number])}
        words = {str(word) for table in ("kinds", "dice", "values") for word in _words(graph[table])} | {*_written([*nodes], "const")}
        labels = {action["label"] for action in self.actions.values()}
        labels |= {granted(self.actions[path], world.labels[each]) for path, granters in granting.items() for each in granters}
        self.known = {*things, *world.definitions, *words, *self.actions, *labels, *graph["hooks"], *removed, *OFFERED}
        self.short = {_normal(name) for name in self.known} | {_normal(name.rpartition(".")[2]) for name in (*things, *self.actions)}
        self.options = [option for node in nodes for option in node.get("options") or ()]
        self.known |= {*_written([node.get("decline") for node in nodes], "text")}
        self.numbers = any(node.get("form") == "number" for node in nodes)
        self.dice, self.effects = {*graph["dice"]}, {*graph["effects"]}
        self.places = {place_identity(world, number) for number in range(world.place_count) if world.is_place(number)}
        self.events = {*graph["effects"], *self.actions, *graph["costs"], *(hook["event"] for hook in graph["hooks"].values()), *removed}
        fields = {name.replace("_", " ") for kind in graph["kinds"].values() for name in kind["fields"]}
        titles = {effect["label"] for effect in graph["effects"].values()}
        self.texts = "\n".join([SAID, *self.known, *titles, *graph["dice"], *fields, *_written(graph, "text")]).lower()

    # -- chance

    def askable(self) -> set[str]:
        """Names of what may ask chance: dice, effects, steps and phases, places and what they are called of their owners."""
        return {*self.dice, *self.effects, *self.places, *(name.rpartition(".")[2] for name in self.places)}

    # -- options

    def offerable(self, name: str, local: Iterable[str], own: Nodes) -> bool:
        """Whether an option could be called that; `local` names and `own` nodes are those of a scenario."""
        plain = COPY.sub("", name)
        if plain in local or _normal(plain) in self.short or self._hidden(plain):
            return True
        path, at, by = plain.partition("@")
        if at and path in self.actions:
            return by in self.granters[path] or self._hidden(by)
        if NUMBER.fullmatch(plain) and (self.numbers or any(node.get("form") == "number" for node in own)):
            return True
        return plain in _written(own, "const") or any(_shape(option["label"]).fullmatch(_normal(plain)) for option in self._options(own))

    def _hidden(self, name: str) -> bool:
        """Whether it is a place and a position: so things are called that somebody cannot tell."""
        found = HIDDEN.fullmatch(name)
        return found is not None and _normal(found[1] or found[2]) in self.short

    def _options(self, own: Nodes) -> list[Any]:
        return [*self.options, *(option for node in own for option in node.get("options") or ())]

    def offers(self, own: Nodes) -> list[str]:
        """Names that options have, for guessing what was meant."""
        return [*self.known, *self.refusals(), *_written([option["label"] for option in self._options(own)], "text")]

    # -- refusals

    def refusable(self, name: str, local: Iterable[str] = ()) -> bool:
        """Whether it is an action, an action and a component that grants it, or a component; `local` names are those of a scenario."""
        first, at, by = name.partition("@")
        paths = [path for path, action in self.actions.items() if first in (path, path.rpartition(".")[2], action["label"])]
        if at:
            return any(by in local or by in self.granters[path] or by in self.sorts[path] for path in paths)
        return bool(paths) or first in local or first in self.components or first in self.things

    def refusals(self) -> list[str]:
        """Names of what can be refused, for guessing what was meant."""
        return [*self.actions, *self.components, *(f"{path}@{by}" for path, granters in self.granters.items() for by in granters)]

    # -- the log

    def unsaid(self, text: str, own: Nodes) -> str | None:
        """A word of a text that the log can never say; None if it may say them all."""
        if text in self.events:
            return None
        more = "\n".join(_written(own, "text")).lower()
        return next(
            (word for word in WORD.findall(text) if not word.isdecimal() and word.lower() not in self.texts and word.lower() not in more), None
        )


def _normal(name: str) -> str:
    """A label and the id that is made of it are the same."""
    return name.lower().replace(" ", "_")


def _shape(label: dict[str, Any]) -> re.Pattern[str]:
    """What the label of a written option looks like; anything may stand in its gaps."""
    return re.compile("".join(re.escape(_normal(part)) if isinstance(part, str) else ".*" for part in label.get("parts", [None])))


def _written(value: Any, sort: str) -> Iterator[str]:
    """What is written in a part of a graph: in texts, or as words."""
    if isinstance(value, dict):
        if value.get("op") == sort:
            yield from (part for part in value.get("parts", [value.get("value")]) if isinstance(part, str))
        for part in value.values():
            yield from _written(part, sort)
    elif isinstance(value, list):
        for part in value:
            yield from _written(part, sort)


def _words(value: Any) -> Iterator[str | int]:
    """The words that fields, dice and values can have."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in ("words", "faces") and isinstance(part, list):
                yield from part
            yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)


def granted(action: dict[str, Any], granter: str) -> str:
    """What an action is called that a component grants."""
    return action["title"].replace("{self}", granter) if "title" in action else f"{action['label']}: {granter}"
