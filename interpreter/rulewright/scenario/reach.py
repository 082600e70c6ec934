"""What the playing of a scenario reaches: the nodes of the graph that were carried out and the expressions that were evaluated.

A `Watching` stage plays like any other and keeps a record. `Watched` is a dictionary that notes which keys it is asked for: the nodes of a graph, and the
expressions of a world, are looked up in dictionaries, so nothing of the engine has to know that somebody watches. A key of a `Reach` is the path
of a node or of an expression in the graph, the same in every build of the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from rulewright.core.graph import mappings
from rulewright.run.game import Game
from rulewright.scenario.play import Prepared, Run, begin
from rulewright.scenario.recorder import Recorder, recorded
from rulewright.scenario.report import Failure
from rulewright.scenario.stage import Stage, Table, board_of, start_key
from rulewright.scenario.written import Scenario
from rulewright.step.link import Linked

Path = tuple[str | int, ...]
WATCHED = ("nodes", "hooks")
UNITS = ("effects", "values", "actions", "costs", "hooks", "kinds", "places")


class Watched(dict[Any, Any]):
    """A dictionary that notes what it is asked for."""

    def __init__(self, content: dict[Any, Any]) -> None:
        super().__init__(content)
        self.asked: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        """The value of a key, which is noted."""
        self.asked.add(key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is noted."""
        self.asked.add(key)
        return super().get(key, default)


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
        self.engine = "step" if self.engine == "step" else "walk"  # which looks everything up
        self.programs: dict[tuple[int, int], Linked] = {}
        self.starts: dict[tuple[int, str], Reach] = {}
        self.paths: dict[int, dict[int, Path]] = {}

    def _load(self, target: Any, layers: Sequence[str], options: dict[str, Any]) -> Table:
        table = super()._load(target, layers, options)
        if table.rules is not None:
            for name in WATCHED if self.engine != "step" else ():
                table.rules.graph[name] = Watched(table.rules.graph[name])
            found = expressions_of(table.rules.graph)
            if self.engine == "step":
                found = ((path, part) for path, expression in (*found, *choices_of(table.rules.graph)) for part in mappings(expression))
            self.paths[id(table)] = {id(expression): path for path, expression in found}
        return table

    def begin(self, table: Table, scenario: Scenario) -> Any:
        """A new game; what its set-up reaches belongs to all scenarios that begin with it."""
        assert table.rules is not None
        if self.engine != "step":
            world = table.rules.world(scenario.players or table.rules.players[0])
            if not isinstance(world.code, Watched):
                world.code = Watched(world.code)
        self._forget(table)
        game = super().begin(table, scenario)
        self.starts[id(table), start_key(table, scenario)] = self.reach(table, game)
        self._forget(table)
        return game

    def linked(self, table: Table, players: int) -> Linked:
        """The program of a table, recorded."""
        assert table.rules is not None
        key = id(table), players
        if key not in self.programs:
            self.programs[key] = recorded(table.rules.graph, players)
        return self.programs[key]

    def _forget(self, table: Table) -> None:
        assert table.rules is not None
        for linked in self.programs.values():
            recorder(linked).forget()
        if self.engine == "step":
            return
        for watched in (*(table.rules.graph[name] for name in WATCHED), *(world.code for world in table.rules._worlds.values())):
            if isinstance(watched, Watched):
                watched.asked = set()

    def reach(self, table: Table, game: Any) -> Reach:
        """What has been reached since the record was last begun."""
        assert table.rules is not None
        if not isinstance(game, Game):
            return self._recorded(table, recorder(game._machine.linked))
        known, code = self.paths[id(table)], game.world.code
        assert isinstance(code, Watched)
        graph = table.rules.graph
        found: set[Path] = {("nodes", node) for node in graph["nodes"].asked}
        found |= {("hooks", hook) for hook in graph["hooks"].asked if not _telling(dict.__getitem__(graph["hooks"], hook))}
        found |= {known[identity] for identity in code.asked if identity in known}
        evaluated = tuple(dict.__getitem__(code, identity)[0] for identity in code.asked if identity in code)
        return Reach(frozenset(found), evaluated)

    def _recorded(self, table: Table, record: Recorder) -> Reach:
        assert table.rules is not None
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
        self._forget(table)
        game = begin(scenario, self, table)
        if isinstance(game, Failure):
            return None
        run = Run(scenario, board_of(game, prepared.entries), prepared)
        failure = run.play()
        own = self.reach(table, game)
        start = self.starts[id(table), start_key(table, scenario)]
        return Played(scenario, table, prepared, failure, start, own, _steps(game), _touched(game))


def recorder(linked: Linked) -> Recorder:
    """Who records what a program does."""
    assert isinstance(linked.watch, Recorder)
    return linked.watch


def _steps(game: Any) -> int:
    """How long a scenario took."""
    return game._machine.steps if isinstance(game, Game) else recorder(game._machine.linked).steps


def _telling(hook: dict[str, Any]) -> bool:
    """Whether a hook leaves a trace when it applies; else that it was looked at must do."""
    return any(hook[part] is not None for part in ("entry", "value", "cost", "action"))


def _touched(game: Any) -> frozenset[str]:
    """The names of the components that were moved or changed."""
    entries = game.state.entries() if isinstance(game, Game) else game.entries()
    touched = {entry["component"] for entry in entries if "component" in entry}
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
