"""What a rule finally says: its declaration with all that layers have done to it, how well it is known, the changes that layers made to it or in it, the hooks on it, the rules it cites, who uses it and the scenarios about it.

Takes a build and a path, gives an `Explained` for everything of that name: a noun and a verb may share one. Nothing is refused; a path that leads nowhere gives
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.build import Built
from rulewright.changes import declared_as, what_of
from rulewright.diagnostics import Span
from rulewright.final_text import FinalTexts
from rulewright.index import references, scenarios
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import Item, member_name
from rulewright.resolve.parts import find_part
from rulewright.resolve.provenance import Provenance, said_by, together
from rulewright.resolve.steps import step_paths
from rulewright.source import excerpt

TIMINGS = ("instead", "before", "react", "after", "change", "cost")
NAMES = {"instead": "instead of", "react": "reaction to", "cost": "cost of"}


class Changed(msgspec.Struct, frozen=True):
    """A change that a layer made to a declaration, or in it."""

    how: str
    package: str
    path: str
    place: str
    text: str


class Hooked(msgspec.Struct, frozen=True):
    """A hook on what is explained."""

    words: str
    package: str
    place: str
    cites: tuple[str, ...]


class Explained(msgspec.Struct, frozen=True):
    """A declaration and everything about it; rules are ids with page and statement."""

    path: str
    what: str
    package: str
    place: str
    text: str
    changes: tuple[Changed, ...]
    hooks: tuple[Hooked, ...]
    rules: tuple[tuple[str, str, str], ...]
    known: Provenance
    uses: tuple[str, ...]  # who names it
    belonging: dict[str, tuple[str, ...]]  # by kind, the components whose fields or ends name it
    scenarios: tuple[tuple[str, str], ...]  # what they are called, and where they stand


def explain(built: Built, path: str) -> list[Explained]:
    """Everything of a name, a member or a step."""
    assert built.linked is not None
    items = built.linked.items
    found = [(item, item.declaration) for key in (path, f"{path}()", f"cost {path}", f"rule {path}") if (item := items.get(key)) is not None]
    if not found and (part := declared_as(built.linked, path)) is not None:
        return [_explained(built, path, part, _owner(built, path))]
    return [_explained(built, path, declaration, item) for item, declaration in found]


def paths(built: Built) -> Iterator[str]:
    """Every path that can be explained."""
    assert built.linked is not None
    for item in built.linked.items.values():
        yield item.path
        yield from (f"{item.path}.{name}" for member in getattr(item.declaration, "members", ()) if (name := member_name(member)))
        yield from step_paths(item.path, getattr(item.declaration, "body", None))


def _owner(built: Built, path: str) -> Item:
    """What a member or a step belongs to."""
    assert built.linked is not None
    words = path.split(".")
    keys = (key for cut in range(len(words) - 1, 0, -1) for key in (".".join(words[:cut]), ".".join(words[:cut]) + "()"))
    return next(built.linked.items[key] for key in keys if key in built.linked.items)


def _explained(built: Built, path: str, declaration: Any, item: Item) -> Explained:
    assert built.linked is not None
    within = tuple(
        Changed(record.how, record.package, record.path, _place(record.span), excerpt(built.texts, record.span))
        for record in built.linked.changes
        if record.path == path or record.path.startswith(f"{path}.")
    )
    hooks = tuple(_hooks(built, path))
    cited = dict.fromkeys((*cites_of(declaration), *(rule for hook in hooks for rule in hook.cites)))
    books = [package.rulebook.data["rules"] for package in built.sources.packages if package.rulebook is not None]
    pages = {rule["id"]: str(rule.get("page") or rule["source"]) for book in books for rule in book}
    rules = tuple((rule, pages[rule], built.linked.rulebook[rule]) for rule in cited if rule in pages)
    package = next((change.package for change in reversed(within) if change.path == path and change.how in ("inserted", "replaced")), item.package)
    known = together(path, declaration, _around(path, item))
    uses, belonging = _uses(built, path)
    return Explained(
        path,
        what_of(declaration),
        package,
        _place(declaration.span),
        FinalTexts(built).of(declaration),
        within,
        hooks,
        rules,
        known,
        uses,
        belonging,
        tuple(scenarios(built, path, cited)),
    )


def _uses(built: Built, path: str) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Who calls it, asks it or speaks of it; of a component, apart from these, which components name it."""
    assert built.graph is not None
    users, components = sorted(references(built.graph).get(path, ())), built.graph["components"]
    if path not in components:
        return tuple(users), {}
    kinds = dict.fromkeys(components[user]["kind"] for user in users if user in components)
    belonging = {kind: tuple(user for user in users if user in components and components[user]["kind"] == kind) for kind in kinds}
    return tuple(user for user in users if user not in components), belonging


def _around(path: str, item: Item) -> str | None:
    """How well what a member or a step belongs to is known, or says that this is."""
    source: str | None = None
    node: Any = item.declaration
    for name in path.removeprefix(item.path).lstrip(".").split(".") if path != item.path else ():
        said = said_by(node)
        source, node = said.of(name) or source, find_part(node, (name,))
    return source


def _hooks(built: Built, path: str) -> Iterator[Hooked]:
    """The hooks on an event: by when they come, then by layer, then as they are declared."""
    assert built.graph is not None
    layers = [package.id for package in built.sources.packages]
    found = [hook for hook in built.graph["hooks"].values() if hook["event"] in (path, f"{path}.runs_out") and hook["timing"] in TIMINGS]
    for hook in sorted(found, key=lambda hook: (TIMINGS.index(hook["timing"]), layers.index(hook["package"]))):
        on = f" on {hook['of']}" if hook["of"] is not None else ""
        yield Hooked(
            f"{NAMES.get(hook['timing'], hook['timing'])} {hook['event']}{on}", hook["package"], _place(Span(*hook["span"])), tuple(hook["cites"])
        )


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"
