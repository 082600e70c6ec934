"""What the playing of a scenario reaches: the nodes of the graph that were carried out and the expressions that were evaluated.

A `Watching` stage plays like any other and keeps a record (see `recorder`). A key of a `Reach` is the path of a node or of an expression in the graph, the same
in every build of the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from rulewright.core.graph import mappings
from rulewright.game.game import Game
from rulewright.scenario.board import Board
from rulewright.scenario.play import Prepared, Run, begin
from rulewright.scenario.recorder import Recorder, recorded
from rulewright.scenario.report import Failure
from rulewright.scenario.stage import Stage, Table, start_key
from rulewright.scenario.written import Scenario
from rulewright.step.link import Linked

Path = tuple[str | int, ...]
UNITS = ("effects", "values", "actions", "costs", "hooks", "kinds", "places")


class Reach(msgspec.Struct, frozen=True):
    """Paths of what was reached, and the expressions themselves; those of scenarios have no path."""

    paths: frozenset[Path] = frozenset()
    expressions: tuple[Any, ...] = ()


class Played(msgspec.Struct, frozen=True):
    """A scenario that was watched: what came of it, what its start and it itself reached."""

    scenario: Scenario
    table: Table
    prepared: Prepared
    failure: Failure | None
    start: Reach
    own: Reach
    steps: int
    touched: frozenset[str]


class Watching(Stage):
    """A stage that keeps a record of what its games reach."""

    def __init__(self, ruleset: str | None = None, layers: Sequence[str] = ()) -> None:
        super().__init__(ruleset, layers)
        self.programs: dict[tuple[int, int], Linked] = {}
        self.starts: dict[tuple[int, str], Reach] = {}
        self.paths: dict[int, dict[int, Path]] = {}

    def _load(self, target: Any, layers: Sequence[str], options: dict[str, Any]) -> Table:
        table = super()._load(target, layers, options)
        if table.rules is not None:
            graph = table.rules.graph
            found = ((path, part) for path, expression in (*expressions_of(graph), *choices_of(graph)) for part in mappings(expression))
            self.paths[id(table)] = {id(expression): path for path, expression in found}
        return table

    def begin(self, table: Table, scenario: Scenario) -> Game:
        """A new game; what its set-up reaches belongs to all scenarios that begin with it."""
        self._forget()
        game = super().begin(table, scenario)
        self.starts[id(table), start_key(table, scenario)] = self.reach(table, game)
        self._forget()
        return game

    def linked(self, table: Table, players: int) -> Linked:
        """The program of a table, recorded."""
        assert table.rules is not None
        key = id(table), players
        if key not in self.programs:
            self.programs[key] = recorded(table.rules.graph, players)
        return self.programs[key]

    def _forget(self) -> None:
        for linked in self.programs.values():
            recorder(linked).forget()

    def reach(self, table: Table, game: Game) -> Reach:
        """What has been reached since the record was last begun."""
        assert table.rules is not None
        record = recorder(game._machine.linked)
        known, hooks, evaluated = self.paths[id(table)], table.rules.graph["hooks"], record.expressions
        found: set[Path] = {("nodes", node) for node in record.nodes}
        found |= {("hooks", hook) for hook in record.asked if not _telling(hooks[hook])}
        found |= {known[id(expression)] for expression in evaluated if id(expression) in known}
        return Reach(frozenset(found), tuple(evaluated))

    def watch(self, scenario: Scenario) -> Played | None:
        """Play a scenario; None if it has mistakes, or its set-up goes otherwise."""
        table, _ = self.table(scenario)
        if table is None or table.rules is None or table.fragments is None:
            return None
        prepared = Prepared(scenario, table)
        if prepared.problems:
            return None
        self._forget()
        game = begin(scenario, self, table)
        if isinstance(game, Failure):
            return None
        run = Run(scenario, Board(game, prepared.entries), prepared)
        failure = run.play()
        own = self.reach(table, game)
        start = self.starts[id(table), start_key(table, scenario)]
        return Played(scenario, table, prepared, failure, start, own, recorder(game._machine.linked).steps, _touched(game))


def recorder(linked: Linked) -> Recorder:
    """Who records what a program does."""
    assert isinstance(linked.watch, Recorder)
    return linked.watch


def _telling(hook: dict[str, Any]) -> bool:
    """Whether a hook leaves a trace when it applies; else that it was looked at must do."""
    return any(hook[part] is not None for part in ("entry", "value", "cost", "action"))


def _touched(game: Game) -> frozenset[str]:
    """The names of the components that were moved or changed."""
    touched = {entry["component"] for entry in game.entries() if "component" in entry}
    return frozenset(game.world.definitions[component] for component in touched)


def expressions_of(graph: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The expressions of a graph that are evaluated as a whole, with their paths; not those of nodes, which are reached with their node."""
    for table in UNITS:
        for name, unit in graph[table].items():
            yield from _inside((table, name), unit)


def choices_of(graph: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The choices of actions: they are looked at to find out what can be offered, before they are carried out."""
    for action in graph["actions"].values():
        yield from ((("nodes", choice), graph["nodes"][choice]) for choice in action["choices"])


def _inside(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        if "op" in value:
            yield path, value
            return
        for key, part in value.items():
            yield from _inside((*path, key), part)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _inside((*path, number), part)
