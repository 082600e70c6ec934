"""What a scenario gets to, in terms of the source: the lines of what ran, and the names of what it spoke of.

Takes a scenario that was watched, gives lines (file and number) and names. That an action's requirements are looked at to find out what can be offered does
not count, unless the scenario itself checks what is offered or refused.
"""

from __future__ import annotations

from typing import Any

from rulewright.scenario.reach import Path, Played
from rulewright.scenario.stage import Table
from rulewright.scenario.written import Check

Line = tuple[str, int]
OFFERS = ("offers", "not offers", "refused")
# operations of expressions, and what of them names something that is declared
NAMING = {
    "number": "name", "component": "name", "place": "place", "place_of": "place", "all": "of", "of_kind": "kind", "is_kind": "kind", "links": "kind",
    "next": "kind", "within": "kind", "reachable": "kind", "visible": "kind", "belonging": "kind", "field": "name",
}  # fmt: skip


class Reached:
    """Finds lines and names, and keeps what several scenarios have in common."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[Any, frozenset[str]]] = {}

    def by(self, played: Played) -> tuple[frozenset[Line], frozenset[str]]:
        """The lines and the names that a scenario gets to."""
        assert played.table.rules is not None
        graph = played.table.rules.graph
        checks = [check for step in played.scenario.steps for check in step.checks if check.how in OFFERS]
        paths = {path for path in played.start.paths | played.own.paths if checks or not _weighed(graph, path)}
        lines = {line for path in paths if (line := line_of(played.table, path)) is not None}
        names = {name for each in (*played.start.expressions, *played.own.expressions) for name in self._of(each)}
        dice = {graph["nodes"][path[1]]["die"] for path in paths if path[0] == "nodes" and graph["nodes"][path[1]]["op"] == "roll"}
        return frozenset(lines), frozenset(names | played.touched | _kinds(graph, names | played.touched) | dice | _actions(checks))

    def _of(self, expression: Any) -> frozenset[str]:
        if id(expression) not in self._names:
            self._names[id(expression)] = (expression, frozenset(_named(expression)))
        return self._names[id(expression)][1]


def _named(expression: Any) -> set[str]:
    """The declared things that an expression speaks of."""
    if isinstance(expression, list):
        return {name for part in expression for name in _named(part)}
    if not isinstance(expression, dict):
        return set()
    name = expression.get(NAMING.get(expression.get("op", ""), ""))
    return ({name.rpartition(".")[2], name} if isinstance(name, str) else set()) | {each for part in expression.values() for each in _named(part)}


def _actions(checks: list[Check]) -> set[str]:
    """The actions that some checks say are offered, or not."""
    wanted = [check.value["action"] if check.how == "refused" else check.value for check in checks]
    names = {str(name).partition("@")[0].rpartition(".")[2] for each in wanted for name in (each if isinstance(each, list) else [each])}
    return {f"action {name}" for name in names}


def _kinds(graph: dict[str, Any], names: set[str]) -> set[str]:
    """The kinds of some components, and what those are kinds of."""
    found: set[str] = set()
    for name in names:
        kind = graph["components"][name]["kind"] if name in graph["components"] else name if name in graph["kinds"] else None
        while kind is not None and kind not in found:
            found.add(kind)
            kind = graph["kinds"][kind]["parent"]
    return found


def _weighed(graph: dict[str, Any], path: Path) -> bool:
    """Whether something is looked at to find out whether an action can be offered."""
    if path[0] == "nodes":
        unit, _, _ = str(path[1]).rpartition(":")
        action = graph["actions"].get(unit.removeprefix("action "))
        return unit.startswith("action ") and action is not None and path[1] in action["choices"]
    return path[0] == "actions"


def line_of(table: Table, path: Path) -> Line | None:
    """Where the thing at a path of the graph is written: the innermost part on the way that knows its place."""
    assert table.rules is not None
    if path[0] == "values" and path[2] == "methods":
        return _member_line(table, str(path[3]), str(path[1]))
    value: Any = table.rules.graph
    span = None
    for key in path:
        value = value[key]
        span = value.get("span", span) if isinstance(value, dict) else span
    return (span[0], span[1]) if span is not None else None


def _member_line(table: Table, owner: str, path: str) -> Line | None:
    """Where a component or kind has its own version of a value."""
    assert table.rules is not None
    linked = table.rules.built.linked
    item = linked.items.get(owner) if linked is not None else None
    if item is None:
        return None
    members = getattr(item.declaration, "members", ())
    span = next((member.span for member in members if getattr(member, "name", None) == path.rpartition(".")[2]), item.declaration.span)
    return span.file, span.line
