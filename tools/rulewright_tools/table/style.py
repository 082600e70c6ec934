"""What `table.yaml` says, of a ruleset with its layers: how things look, where they stand, which stand together, what is left out.

Takes packages, parents first; gives one `Style`. A later table wins over an earlier one, attribute by attribute; groups of the same label are joined. Names that
are not there say nothing: a layer may have removed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from rulewright.sources import Package
from rulewright_tools.table.model import NO_LOOK, Group, Look

PALETTE = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white", "grey", "black")
ALSO = {
    "gold": "yellow",
    "golden": "yellow",
    "gray": "grey",
    "silver": "grey",
    "violet": "purple",
    "cyan": "teal",
    "turquoise": "teal",
    "rose": "pink",
}
SEATS = ("red", "blue", "green", "yellow", "purple", "orange", "teal", "pink", "brown", "grey")
LEFT_OUT = "box"  # where everything lies that is nowhere else
Position = tuple[float, float]


class Style(msgspec.Struct, frozen=True):
    """All tables of a ruleset, put together."""

    at: dict[str, Position]
    looks: dict[str, dict[str, Any]]
    groups: list[Group]
    left_out: frozenset[str]
    kept: frozenset[str]

    def attributes(self, names: Iterable[str]) -> dict[str, Any]:
        """What is said of something by any of its names; later ones win."""
        found: dict[str, Any] = {}
        for name in names:
            found.update(self.looks.get(name, {}))
        return found

    def look(self, names: Iterable[str], fields: Mapping[str, Any] = {}) -> Look:
        """How something is drawn that has some names, the most general first, and some fields."""
        said = self.attributes(names)
        colour = said.get("colour", "")
        if "colour_by" in said:
            value = fields.get(said["colour_by"])
            found = said.get("colours", {}).get(value, ALSO.get(value, value)) if isinstance(value, str) else ""
            colour = found if found in PALETTE else colour
        made = Look(colour, said.get("symbol", ""), said.get("size", 1), said.get("shape", ""))
        return NO_LOOK if made == NO_LOOK else made

    def leaves_out(self, names: Iterable[str]) -> bool:
        """Whether something of any of these names is not shown."""
        return not self.left_out.isdisjoint(names)

    def keeps(self, names: Iterable[str]) -> bool:
        """Whether something of any of these names is shown wherever it lies."""
        return not self.kept.isdisjoint(names)


def read_style(packages: Sequence[Package]) -> Style:
    """The style of a ruleset."""
    at: dict[str, Position] = {}
    looks: dict[str, dict[str, Any]] = {}
    groups: dict[str, list[str]] = {}
    left_out, kept = {LEFT_OUT}, set[str]()
    for package in packages:
        if package.board is not None:
            at |= {entry["id"]: _position(entry["at"]) for entry in package.board.data.get("components", ()) if "at" in entry}
        table = package.table.data if package.table is not None and package.table.data else {}
        at |= {name: _position(given) for name, given in table.get("at", {}).items()}
        for name, look in table.get("look", {}).items():
            looks[name] = looks.get(name, {}) | look
        for group in table.get("groups", ()):
            members = groups.setdefault(group["label"], [])
            members += [name for name in group["members"] if name not in members]
        fewer, more = set(table.get("leave_out", ())), set(table.get("keep", ()))
        left_out, kept = (left_out | fewer) - more, (kept - fewer) | more
    return Style(at, looks, [Group(label, members) for label, members in groups.items()], frozenset(left_out), frozenset(kept))


def _position(given: Sequence[float]) -> Position:
    return float(given[0]), float(given[1])
