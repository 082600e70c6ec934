"""Effects and values of components (`generator.use`): each kind's or component's own version of an effect, as something that can be drawn.

Takes a graph, in which these are only bodies under the effect that they are versions of, and what is written about each; gives the graph with a table `methods` of
records like those of effects. Nothing is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright_tools.pictures.model import Graph, Span

if TYPE_CHECKING:
    from rulewright.resolve.linked import Linked


class Written(msgspec.Struct, frozen=True):
    """Where something is written, and by which package."""

    span: Span
    package: str


def with_methods(graph: Graph, written: Mapping[str, Written]) -> Graph:
    """The graph with its methods by name; `written` has the place of some, the rest stand where their component does."""
    return {**graph, "methods": {name: _record(graph, name, table, path, written) for name, table, path in _methods(graph)}}


def _methods(graph: Graph) -> Iterator[tuple[str, str, str]]:
    """Their names, with the table and the name of what they are versions of."""
    for table in ("effects", "values"):
        for path, unit in graph[table].items():
            yield from ((f"{of}.{path.rpartition('.')[2]}", table, path) for of in unit["methods"])


def _record(graph: Graph, name: str, table: str, path: str, written: Mapping[str, Written]) -> dict[str, Any]:
    unit, of = graph[table][path], name.rpartition(".")[0]
    owner = graph["components"].get(of) or graph["kinds"].get(of) or unit
    body = unit["methods"][of]
    place = written.get(name)
    return {
        "what": "effect" if table == "effects" else "value",
        "label": owner.get("label") or "",
        "of": of,
        "version_of": f"{table}:{path}",
        "event": path,
        "parameters": unit["parameters"],
        "requires": [],
        "methods": {},
        "entry": body if table == "effects" else None,
        "value": body if table == "values" else None,
        "package": place.package if place else unit["package"],
        "cites": owner.get("cites", []),
        "span": list(place.span) if place else owner.get("span", unit["span"]),
    }


def written_methods(graph: Graph, linked: Linked) -> dict[str, Written]:
    """Where the methods of a ruleset are written."""
    from rulewright.changes import declared_as

    latest = {record.path: record.package for record in linked.changes}
    found = {}
    for name, _, _ in _methods(graph):
        declaration, item = declared_as(linked, name), linked.items.get(name.rpartition(".")[0])
        if declaration is not None and item is not None:
            span = declaration.span
            place = (span.file, span.line, span.column, span.end_line, span.end_column)
            found[name] = Written(place, latest.get(name, item.package))
    return found


def unit_of(graph: Graph, key: str) -> str:
    """What the core calls what a key stands for; the versions of a value are one function there."""
    section, _, name = key.partition(":")
    if section != "methods":
        return name
    record = graph[section][name]
    return f"{record['event']} of {record['of']}" if record["what"] == "effect" else str(record["event"])
