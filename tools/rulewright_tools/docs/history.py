"""What layers did to a game: what is new, what they changed (with what it was), what they took out.

Takes a build, gives a `History`. The game is the first package that says for how many players it is; whatever comes after it is a layer. What a game
changes of the rules that it shares with others is not told: nobody plays those alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from rulewright.build import Built
from rulewright.resolve import resolve
from rulewright.resolve.linked import ChangeRecord, Item, Linked
from rulewright.sources import Package


class History(msgspec.Struct, frozen=True):
    """What there was before the layers, and what each did. `titles` has the layers, by id; `origins` the package of each rules file."""

    titles: Mapping[str, str]
    before: Linked | None
    records: Mapping[str, Sequence[ChangeRecord]]  # by the key of the item that they are about
    removed: Sequence[tuple[Item, ChangeRecord | None]]
    origins: Mapping[str, str]

    def mark(self, key: str, item: Item) -> tuple[str, tuple[str, ...]]:
        """Whether an item was `added` or `changed` by layers, and by which; nothing if they left it alone."""
        if self.before is None:
            return "", ()
        if key not in self.before.items:
            return ("added", (self.titles[item.package],)) if item.package in self.titles else ("", ())
        layers = tuple(dict.fromkeys(self.titles[record.package] for record in self.records.get(key, ())))
        if not layers and item.package in self.titles:
            layers = (self.titles[item.package],)
        return ("changed", layers) if layers else ("", ())

    def layer_of(self, file: str) -> str:
        """The title of the layer that a file belongs to; empty if it is of the game."""
        return self.titles.get(self.origins.get(file, ""), "")


def history(built: Built, language: str | None) -> History:
    """The history of a build."""
    assert built.linked is not None
    packages, origins = built.sources.packages, built.linked.origins
    first = first_game(packages)
    layers = packages[first + 1 :]
    titles = {package.id: package.titles.get(language or "", package.title) for package in layers}
    if not layers:
        return History(titles, None, {}, (), origins)
    before, _ = resolve(replace(built.sources, packages=packages[: first + 1]), built.trees)
    records: dict[str, list[ChangeRecord]] = {}
    for record in built.linked.changes:
        if record.package in titles and (key := _key(built.linked, record.path)) is not None:
            records.setdefault(key, []).append(record)
    gone = {record.path: record for record in built.linked.changes if record.how == "removed"}
    removed = [(item, gone.get(item.path)) for key, item in before.items.items() if key not in built.linked.items]
    return History(titles, before, records, _each_once(removed), origins)


def first_game(packages: Sequence[Package]) -> int:
    """The place of the game among its packages."""
    return next((number for number, package in enumerate(packages) if package.players is not None), len(packages) - 1)


def _key(linked: Linked, path: str) -> str | None:
    """The item that a path leads to, or into."""
    words = path.split(".")
    for cut in range(len(words), 0, -1):
        start = ".".join(words[:cut])
        for key in (start, f"{start}()", f"cost {start}", f"rule {start}"):
            if key in linked.items:
                return key
    return None


def _each_once(removed: Sequence[tuple[Item, ChangeRecord | None]]) -> Sequence[tuple[Item, ChangeRecord | None]]:
    def distinct() -> Iterator[tuple[Item, ChangeRecord | None]]:
        seen = set[int]()
        for item, record in removed:
            if id(item.declaration) not in seen:
                seen.add(id(item.declaration))
                yield item, record

    return list(distinct())
