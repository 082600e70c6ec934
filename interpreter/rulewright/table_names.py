"""Names in `table.yaml` that nothing declares: takes a build, gives warnings, each at its line with what may have been meant.

What a layer has removed was there when the table was written, so it is no mistake; neither is a name of a part that is off. Only authors hear of this: a table that
names too much looks the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.build import Built
from rulewright.check import Checked
from rulewright.diagnostics import Diagnostic, Span, complain, did_you_mean
from rulewright.sources import Package
from rulewright.types import TABLE

BOX = "box"


def unknown_names(built: Built) -> list[Diagnostic]:
    """What is wrong with the names in the tables of a ruleset."""
    if (
        not built.sound
        or built.checked is None
        or built.linked is None
        or any(not on for package in built.sources.packages for on in package.parts.values())
    ):
        return []
    known = set(_names(built.checked))
    removed = {change.path for change in built.linked.changes}
    found = []
    for package in built.sources.packages:
        for name, span in _named(package):
            path = name.partition("=")[0]
            if path not in known and path not in removed and path.split(".")[0] not in removed:
                hint = did_you_mean(path, sorted(known))
                found.append(complain("R218", f"the table speaks of '{path}', which nothing declares", span, hint=hint))
    return found


def _named(package: Package) -> Iterator[tuple[str, Span]]:
    """Every name in a table, and where it stands."""
    document = package.table
    data = document.data if document is not None else None
    if document is None or not isinstance(data, dict):
        return
    for key in ("at", "look"):
        for name in data.get(key, {}):
            yield name, document.node(key).keys[name]
        for name, look in data.get(key, {}).items() if key == "look" else ():
            if "cover" in look:
                yield look["cover"], document.span(key, name, "cover")
            if "colour_by" in look:
                yield f"{name}.{look['colour_by']}", document.span(key, name, "colour_by")
    for number, group in enumerate(data.get("groups", ())):
        yield from ((name, document.span("groups", number, "members", at)) for at, name in enumerate(group["members"]))
    for key in ("leave_out", "keep"):
        yield from ((name, document.span(key, at)) for at, name in enumerate(data.get(key, ())))


def _names(checked: Checked) -> Iterator[str]:
    """Everything a table may speak of."""
    yield BOX
    kinds, symbols = checked.kinds, checked.symbols
    below: dict[str, list[str]] = {kind: [] for kind in kinds}  # components of each kind, with the kinds below it
    for kind in kinds:
        found: str | None = kind
        while found is not None:
            below[found].append(kind)
            found = kinds[found]["parent"]
    components = {kind: [name for name, component in checked.components.items() if component["kind"] == kind] for kind in kinds}
    for kind, declared in kinds.items():
        yield from declared["fields"] if kind == TABLE else [kind]
        yield from (f"{owner}.{field}" for owner in (kind, *components[kind]) for field in declared["fields"])
    yield from (*checked.components, *symbols.tracks, *checked.places, *symbols.grids)
    yield from (f"{grid}_{row + 1}_{column + 1}" for grid, of in symbols.grids.items() for row in range(of.rows) for column in range(of.columns))
    for name, place in checked.places.items():
        kind, _, short = name.rpartition(".")
        for each in below.get(place["of"] or kind, ()):
            yield from (f"{owner}.{short}" for owner in (each, *components[each]))
