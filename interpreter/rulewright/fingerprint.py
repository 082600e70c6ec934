"""Fingerprints: marks of what rules mean, for a whole effect graph and for each of its declarations.

Takes a graph, gives `Marks`. What does not change a game is not in them: files, places in files, citations, sources, the names and versions of packages, and words that
are only shown (labels, questions, messages, reasons). Two sorts of words count, since they do more: the text of an option, by which it is chosen, and labels where
a rule reads them. So does the order of what exists, in which it is dealt and listed, and that of hooks that can meet; every other order is free.

A body is marked from its end: the mark of a node says what is done from there to the end of its body. So a game that stands in the middle of an effect can be told to stand
before the same things in rules that were changed elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import msgspec

Graph = dict[str, Any]
Table = dict[str, dict[str, str]]

SHOWN = frozenset(
    {"span", "spans", "because", "prompt", "decline", "range", "described_as", "untold", "tells"}
)  # wherever they stand; a range follows from the field that is set, which has a mark of its own
ABOUT = frozenset(
    {"label", "labels", "title", "plural", "package", "cites", "source", "sources", "span", "described_as", "untold"}
)  # of a declaration
BODIES = ("then", "else", "body")
SHORT = 8  # of a mark that stands in a table: it tells what changed, the fingerprint tells whether something did
SINGULAR = {
    "kinds": "kind", "places": "place", "components": "component", "grids": "grid", "dice": "die", "tracks": "track", "numbers": "number",
    "effects": "effect", "values": "value", "actions": "action", "costs": "cost", "hooks": "rule", "options": "option", "game": "",
}  # fmt: skip
ORDER, PLAYERS = "the order of what exists and of rules that can meet", "the number of players"


class Marks(msgspec.Struct, frozen=True):
    """The mark of the whole, of its words, of each declaration by its sort and name, of what is ahead at each node, and of each hook."""

    whole: str
    words: str
    declared: Table
    ahead: dict[str, str]
    hooks: dict[str, str]


def marks(graph: Graph) -> Marks:
    """The marks of a graph."""
    return _Marking(graph).marks()


def changed(before: Table, after: Table) -> list[str]:
    """The declarations that differ between two tables, in words; none if one of them was left out."""
    found = []
    for sort, word in SINGULAR.items() if before and after else ():
        old, new = before.get(sort, {}), after.get(sort, {})
        for name in sorted({*old, *new}):
            if old.get(name) != new.get(name):
                how = "" if name in old and name in new else " (new)" if name in new else " (gone)"
                found.append(f"{word} '{name}'{how}" if word else name)
    return found


def digest(value: Any) -> str:
    """A mark of plain data."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


class _Marking:
    """Marks what there is, each thing once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.ahead: dict[str, str] = {}
        self.hooks: dict[str, str] = {}
        self.about = ABOUT - {"label", "labels", "title"} if _reads_labels(graph) else ABOUT

    def marks(self) -> Marks:
        for identity in reversed(self.graph["nodes"]):  # what is inside a node or follows it stands after it
            self.node(identity)
        full = {sort: dict(table) for sort, table in self.tables()}
        full["game"] = {PLAYERS: digest({end: self.graph["ruleset"]["players"][end] for end in ("min", "max")}), ORDER: digest(self.order())}
        declared = {sort: {name: _short(mark) for name, mark in table.items()} for sort, table in full.items() if table}
        words = digest(_told({key: part for key, part in self.graph.items() if key != "ruleset"}))
        return Marks(digest(full), words, declared, self.ahead, {identity: self.hook(identity) for identity in self.graph["hooks"]})

    def tables(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The marks of all declarations, by sort."""
        graph = self.graph
        own = self.methods()
        for sort in ("kinds", "places", "grids", "dice", "tracks", "numbers"):
            yield sort, {name: digest(self.plain(each)) for name, each in graph[sort].items()}
        ends = {link["component"]: link for link in graph["links"]}
        yield "components", {name: digest([self.plain(each), own.get(name), ends.get(name)]) for name, each in graph["components"].items()}
        for sort in ("effects", "values", "costs"):
            yield sort, {name: self.unit(each) for name, each in graph[sort].items()}
        yield "actions", {name: self.unit(each) for name, each in graph["actions"].items() if not _unnamed(name)}
        yield "options", {name: digest(value) for name, value in graph["ruleset"]["options"].items()}
        hooks: dict[str, list[str]] = {}
        for identity, hook in graph["hooks"].items():
            if not hook["installed"]:  # others are part of what installs them
                hooks.setdefault(hook_name(identity, hook), []).append(self.hook(identity))
        yield "hooks", {name: found[0] if len(found) == 1 else digest(found) for name, found in hooks.items()}

    def methods(self) -> dict[str, dict[str, str]]:
        """What each component has of its own for effects and values of its kind."""
        found: dict[str, dict[str, str]] = {}
        for path, effect in self.graph["effects"].items():
            for component, entry in effect["methods"].items():
                found.setdefault(component, {})[f"effect {path}"] = self.body(entry)
        for path, value in self.graph["values"].items():
            for component, expression in value["methods"].items():
                found.setdefault(component, {})[f"value {path}"] = digest(canonical(expression))
        return found

    # -- units and nodes

    def plain(self, declared: dict[str, Any]) -> dict[str, Any]:
        """A declaration without what is only told about it."""
        return {key: canonical(part) for key, part in declared.items() if key not in self.about}

    def unit(self, unit: dict[str, Any]) -> str:
        """The mark of something with a body."""
        made = self.plain({key: part for key, part in unit.items() if key not in ("entry", "methods", "choices")})
        return digest([made, self.body(unit.get("entry")), [self.node(choice) for choice in unit.get("choices", ())]])

    def hook(self, identity: str) -> str:
        """The mark of a hook; an unnamed reaction is a part of it."""
        if identity not in self.hooks:
            hook = self.graph["hooks"][identity]
            action = hook["action"]
            reaction = self.unit(self.graph["actions"][action]) if action is not None and _unnamed(action) else action
            self.hooks[identity] = self.unit({**hook, "action": reaction})
        return self.hooks[identity]

    def body(self, entry: str | None) -> str:
        return "" if entry is None else self.node(entry)

    def node(self, identity: str) -> str:
        """The mark of a node and of everything that follows it in its body."""
        if identity not in self.ahead:
            node = self.graph["nodes"][identity]
            made = {key: self.part(node["op"], key, part) for key, part in node.items() if key not in SHOWN}
            self.ahead[identity] = digest(made)
        return self.ahead[identity]

    def part(self, op: str, key: str, part: Any) -> Any:
        if key == "next" or key in BODIES:
            return self.body(part)
        if op == "install" and key == "hooks":
            return [self.hook(each) for each in part]
        if key in ("options", "cases") and type(part) is list:
            return [
                {**canonical({inner: value for inner, value in each.items() if inner != "body"}), "body": self.body(each.get("body"))}
                for each in part
            ]
        if op == "log" and key == "text" and part.get("op") == "text":  # who learns of what by it
            return [canonical(each) for each in part["parts"] if type(each) is not str]
        return canonical(part)

    # -- order

    def order(self) -> list[Any]:
        """Every order that can be seen in a game: of what exists, and of hooks that can meet."""
        graph = self.graph
        exists = [list(graph[sort]) for sort in ("tracks", "grids", "components", "places")]
        links = [[link["component"], *link["ends"]] for link in graph["links"]]
        return [exists, links, sorted(self.meetings().items())]

    def meetings(self) -> dict[str, list[str]]:
        """Hooks that can meet, in the order in which they then come; that of those with the same name is in their mark. What follows a batch comes in one order for all events."""
        graph = self.graph
        layers = {package["id"]: number for number, package in enumerate(graph["ruleset"]["packages"])}
        batches = any(node["op"] == "batch" for node in graph["nodes"].values())
        found: dict[str, list[str]] = {}
        for identity, hook in sorted(graph["hooks"].items(), key=lambda pair: layers.get(pair[1]["package"], 0)):
            timing = "before" if hook["timing"] == "react" else hook["timing"]
            alone = timing != "cost" and not (timing == "after" and batches)
            if not hook["installed"]:
                found.setdefault(f"{timing} {hook['event']}" if alone else timing, []).append(hook_name(identity, hook))
        return found


def canonical(value: Any) -> Any:
    """Plain data without what is only shown."""
    if type(value) is dict:
        return {key: canonical(part) for key, part in value.items() if key not in SHOWN}
    if type(value) is list:
        return [canonical(part) for part in value]
    return value


def _told(value: Any) -> Any:
    """Plain data with all its words, but without the places in files it comes from."""
    if type(value) is dict:
        return {key: _told(part) for key, part in value.items() if key not in ("span", "spans", "package")}
    if type(value) is list:
        return [_told(part) for part in value]
    return value


def _reads_labels(value: Any) -> bool:
    """Whether a rule reads what something is called."""
    if type(value) is dict:
        read = (part for key, part in value.items() if key not in SHOWN)
        return (value.get("op") == "field" and value.get("name") == "label") or any(map(_reads_labels, read))
    return type(value) is list and any(map(_reads_labels, value))


def hook_name(identity: str, hook: dict[str, Any]) -> str:
    """What a hook is called in messages: its name, or what it answers."""
    if "/" not in identity:
        return identity
    on = f" (on {hook['of']})" if hook["of"] is not None else ""
    return f"{hook['timing']} {hook['event']}{on}"


def _unnamed(action: str) -> bool:
    """Whether an action is that of a reaction without a name."""
    return action.startswith("reaction ")


def _short(mark: str) -> str:
    return mark[:SHORT]
