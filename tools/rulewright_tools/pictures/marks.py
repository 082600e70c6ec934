"""Marks: which boxes of a drawing a layer has made, and which it has changed.

Takes a build and the packages that are looked at; gives marks by the keys of drawings, and puts them on pictures. What a layer removed is nowhere to be marked: `diff` tells it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import msgspec

from rulewright_tools.pictures.flow import START
from rulewright_tools.pictures.model import CHANGED, NEW, Box, Graph, Picture
from rulewright_tools.pictures.names import all_keys, record_of

if TYPE_CHECKING:
    from rulewright.build import Built


class Marks(msgspec.Struct, frozen=True):
    """What is new or changed, by key, and the files of those who did it."""

    of: dict[str, str] = {}
    files: frozenset[str] = frozenset()


NO_MARKS = Marks()


def layers_of(built: Built, below: Collection[str]) -> set[str]:
    """The packages to mark: those beside the ones `below`; if none are named, what stands over the first whole game."""
    packages = built.sources.packages
    if not below:
        games = [number for number, package in enumerate(packages) if package.players is not None]
        below = {package.id for package in (packages[: games[0] + 1] if games else packages)}
    return {package.id for package in packages if package.id not in below}


def marks(graph: Graph, built: Built, own: set[str]) -> Marks:
    """The marks of a ruleset for some of its packages."""
    if built.linked is None or not own:
        return NO_MARKS
    changed, new = set(_hooked(graph, own)), set[str]()
    for record in built.linked.changes:
        if record.package in own:
            (new if record.how == "inserted" else changed).add(record.path)
    files = frozenset(file.name for package in built.sources.packages if package.id in own for file in package.files)
    found = {}
    for key in all_keys(graph):
        name, mine = key.partition(":")[2], record_of(graph, key)["span"][0] in files  # events that are there without being written are of no layer
        touched = name in changed or any(path.startswith(f"{name}.") for path in (*changed, *new)) or _owner_changed(key, name, changed)
        if mine and (name in new or not touched):
            found[key] = NEW
        elif touched:
            found[key] = CHANGED
    return Marks(found, files)


def _hooked(graph: Graph, own: set[str]) -> Iterator[str]:
    """What the hooks of a layer hang on."""
    return (hook["event"] for hook in graph["hooks"].values() if hook["package"] in own)


def _owner_changed(key: str, name: str, changed: set[str]) -> bool:
    """Whether a method belongs to a component that was replaced as a whole."""
    return key.startswith("methods:") and name.rpartition(".")[0] in changed


def marked(picture: Picture, found: Marks, key: str | None = None) -> Picture:
    """A picture with its marks; `key` is what it is the drawing of, if it is of one thing."""
    if not found.of:
        return picture
    own = found.of.get(key, "") if key is not None else ""

    def mark(box: Box) -> str:
        if key is None:
            return found.of.get(box.id, "")
        if box.id == START:
            return own
        if box.id.startswith("hook:"):
            return found.of.get(f"hooks:{box.id.removeprefix('hook:')}", "")
        return NEW if own == CHANGED and box.span is not None and box.span[0] in found.files else ""

    boxes = tuple(msgspec.structs.replace(box, mark=made) if (made := mark(box)) else box for box in picture.boxes)
    return msgspec.structs.replace(picture, boxes=boxes)
