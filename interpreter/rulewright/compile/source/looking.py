"""How much a question looks at, at most, as far as the graph alone tells.

The reference engine counts everything that a question looks at, so that none goes on for ever. Generated code need not count what certainly comes to an end
soon: a loop over the cells of a board, in which each cell is asked for what lies in it. `work` gives the greatest number of things that the value of an
expression can depend on; loops inside each other multiply. Where a question leads to itself, or hooks and components have a say in it, the number is `ENDLESS`.
"""

from __future__ import annotations

from typing import Any

from rulewright.core.graph import mappings

Graph = dict[str, Any]
Expr = dict[str, Any]
ENDLESS = 10**9
FREE = 4_000  # what may be looked at without being counted: about as much as one look at everything that is in a large game
LARGE = 64  # things of a kind, from which on a query over all of them is paid for
SHORT = 50_000  # what may be looked at before it is counted
LISTS = ("query", "of_kind")
SEARCHES = ("reachable", "visible", "within", "path_distance", "belonging", "gather", "next", "links")  # what goes through everything


class Looking:
    """What is known about how long questions of a graph take."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._values: dict[str, int] = {}
        self._ways: dict[str, int] = {}
        players, components = graph["ruleset"]["players"]["max"], graph["components"].values()
        self._sizes: dict[str, int] = {"player": players}
        for grid in graph["grids"].values():
            self._sizes[grid["kind"]] = self._sizes.get(grid["kind"], 0) + grid["rows"] * grid["columns"]
        for each in components:
            self._sizes[each["kind"]] = self._sizes.get(each["kind"], 0) + each["copies"]
        self.everything = sum(self._sizes.values()) + len(graph["tracks"])

    def most(self, source: Expr) -> int:
        """How many things a query can begin with."""
        match source["op"]:
            case "all" if "grid" in source:
                grid = self.graph["grids"][source["grid"]]
                return int(grid["rows"] * grid["columns"])
            case "all" if source["of"] in self.graph["components"]:
                return int(self.graph["components"][source["of"]]["copies"])
            case "all" if source["of"] in self._sizes and not any(kind["parent"] == source["of"] for kind in self.graph["kinds"].values()):
                return self._sizes[source["of"]]
            case "lines":
                grid, length = self.graph["grids"][source["grid"]], source["length"].get("value")
                rows, columns = (max(grid[side] + 1 - (length if type(length) is int else 1), 0) for side in ("rows", "columns"))
                return int(grid["rows"] * columns + rows * grid["columns"] + 2 * rows * columns)
            case "of_kind" | "query":
                return self.most(source["source"])
        return self.everything

    def work(self, part: Any) -> int:
        """How many things an expression looks at."""
        if isinstance(part, list):
            return min(sum(map(self.work, part)), ENDLESS)
        if not isinstance(part, dict):
            return 0
        match part.get("op"):
            case "query":
                inner = 1 + self.work(part["filters"]) + self.work(part["orders"])
                return min(self.work(part["source"]) + self.most(part["source"]) * inner, ENDLESS)
            case "measure" | "gather" if "query" in part:
                return min(self.work(part["query"]) + self.most(part["query"]) * (1 + self.work(part["value"])), ENDLESS)
            case "value":
                return min(self._asked(part["value"]) + self.work(part["arguments"]) + self.work(part.get("of")), ENDLESS)
            case op:
                own = self.everything if op in SEARCHES else 0
                if any(each.get("op") in LISTS for each in mappings(part.get("through"))):  # asked for each way again
                    return ENDLESS
                return min(own + sum(self.work(each) for each in part.values()), ENDLESS)

    def ways(self, path: str) -> int:
        """How many values are asked for one, at most: itself, and those it asks, up to those that pay for themselves."""
        if path not in self._ways:
            self._ways[path] = 1  # if it comes back to itself meanwhile
            inner = [
                part["value"]
                for part in mappings([self.graph["values"][path]["value"], *self.graph["values"][path]["methods"].values()])
                if part.get("op") == "value"
            ]
            self._ways[path] = 1 + sum(1 if self.ways(each) >= LARGE else self.ways(each) for each in inner)
        return self._ways[path]

    def _asked(self, path: str) -> int:
        """How many things a value looks at."""
        if path not in self._values:
            self._values[path] = ENDLESS  # if it comes back to itself meanwhile
            value = self.graph["values"][path]
            changed = value["methods"] or any(hook["event"] == path for hook in self.graph["hooks"].values())
            self._values[path] = ENDLESS if changed else self.work(value["value"])
        return self._values[path]
