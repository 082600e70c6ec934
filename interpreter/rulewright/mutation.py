"""Do the scenarios bite? Each rule is changed a little, one at a time, and the scenarios that get there are played again: one of them ought to fail.

Takes scenarios and a stage that has watched them, gives a `Verdict` for every mutant: killed (a scenario fails), survived (all that get there pass all the
same), or not covered (none gets there). Everything is built once; a mutant shares with the original whatever it does not change, and games begin from copies
of the original's unless the change is one of the set-up.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec

from rulewright.core.lower import Lowering, Trace, lower
from rulewright.core.lower.relower import Path, relowered
from rulewright.core.world import World
from rulewright.fragment import UNIT
from rulewright.game.engine import Stepping
from rulewright.game.game import Game
from rulewright.limits import Budget
from rulewright.mutants import Mutant, mutants, mutated
from rulewright.reached import line_of
from rulewright.rules import Rules
from rulewright.scenario import Scenario, Stage
from rulewright.scenario.board import Board, carry_on
from rulewright.scenario.play import Run
from rulewright.scenario.reach import Played, Watching
from rulewright.scenario.stage import Table, go_on, start_key
from rulewright.scenario.tracer import Tracer
from rulewright.sources.packages import STAGING
from rulewright.step.link import Linked

Status = Literal["killed", "survived", "not covered"]
SETUP_BUDGET = Budget(steps=20_000, looks=1_000_000)
LOOKS = 500_000


class Verdict(msgspec.Struct, frozen=True):
    """What came of one mutant; `by` is the scenario that noticed it, `tried` how many were played."""

    status: Status
    unit: str
    what: str
    file: str
    line: int
    by: str | None = None
    tried: int = 0


class Mutated(Rules):
    """A ruleset with one change: only what was made of the changed part is lowered again, if nothing else depends on it."""

    def __init__(self, original: Rules, graph: dict[str, Any], path: Path, traced: Traced) -> None:
        self.__dict__.update(original.__dict__)
        self.graph, self.traced = graph, traced
        found = relowered(traced.program, traced.trace, original.graph, path, graph)
        self.program = lower(graph) if found is None else found[0]
        self.units = None if found is None else found[1]  # those that were lowered again; None if all were
        self.programs: dict[int, Linked] = {}

    def linked(self, players: int) -> Linked:
        """The changed program."""
        if players not in self.programs:
            before = self.traced.linked(players)
            assert isinstance(before.watch, Tracer)
            if self.units is not None:
                made = before.changed(self.program, self.units, self.graph)
                made.watch = Tracer(made, before.watch.happened)
            else:
                made = Linked(self.program, World(self.graph, players))
                made.watch = Tracer(made)
            self.programs[players] = made
        return self.programs[players]

    def fits(self, game: Game) -> bool:
        """Whether a game of the original can go on by the changed rules: nothing that was lowered again is going on in it."""
        return self.units is not None and not any(game._machine.linked.unit_at[frame.at] in self.units for frame in game.state.frames)


class Traced:
    """The program of a ruleset, with the trace of how it was lowered."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.graph, self.trace = graph, Trace()
        self.program = Lowering(graph, self.trace).program()
        self.programs: dict[int, Linked] = {}

    def linked(self, players: int) -> Linked:
        """The program for so many players."""
        if players not in self.programs:
            self.programs[players] = Linked(self.program, World(self.graph, players))
            self.programs[players].watch = Tracer(self.programs[players])
        return self.programs[players]


class Bench:
    """The scenarios that pass, what each reaches, and the mutants to try them on."""

    def __init__(self, scenarios: Iterable[Scenario], stage: Watching) -> None:
        played = [(scenario, stage.watch(scenario)) for scenario in scenarios]
        self.trials = [found for _, found in played if found is not None and found.failure is None]
        self.failed = [scenario for scenario, found in played if found is None or found.failure is not None]
        self.stage = Stage()
        self.stage.budget = SETUP_BUDGET
        self.traced: dict[int, Traced] = {}
        self.known: dict[int, dict[Any, Mutant]] = {}
        self.homes: dict[Any, Table] = {}
        for table in stage.tables.values():
            if table.rules is not None:
                self.known[id(table)] = {mutant.key: mutant for mutant in mutants(table.rules.graph, UNIT)}
                below = _files_below(table.rules)
                for key, mutant in self.known[id(table)].items():
                    if (line_of(table, mutant.place) or ("", 0))[0] not in below:
                        self.homes.setdefault(key, table)

    def mutants(self) -> list[Mutant]:
        """Every mutant of every build that a scenario asks for, but for what a layer stands on: that has scenarios of its own."""
        return [self.known[id(table)][key] for key, table in self.homes.items()]

    def traced_of(self, table: Table) -> Traced:
        """The program of a table."""
        assert table.rules is not None
        if id(table) not in self.traced:
            self.traced[id(table)] = Traced(table.rules.graph)
        return self.traced[id(table)]

    def judge(self, mutant: Mutant) -> Verdict:
        """Try the scenarios that could notice a mutant, those that are likeliest to first."""
        home = self.homes[mutant.key]
        file, line = line_of(home, mutant.place) or ("", 0)
        trials = [
            trial for trial in self.trials if mutant.key in self.known[id(trial.table)] and mutant.reach & (trial.own.paths | trial.start.paths)
        ]
        attempt = _Attempt(mutant, self)
        cites = _cites(home, mutant)
        for number, trial in enumerate(sorted(trials, key=lambda trial: _relevance(trial, mutant, cites)), start=1):
            if not attempt.passes(trial):
                return Verdict("killed", mutant.unit, mutant.what, file, line, trial.scenario.name, number)
        return Verdict("survived" if trials else "not covered", mutant.unit, mutant.what, file, line, None, len(trials))


def _files_below(rules: Rules) -> frozenset[str]:
    """The files of rulesets that others of the build are layers over, and those for scenarios alone."""
    assert rules.built.linked is not None
    packages = rules.built.sources.packages
    parents = {parent for package in packages for parent in package.parents}
    # A shared part has no scenarios by itself: it belongs to the game that stands on it, unless a layer stands on that game.
    parents -= {
        part.id for part in packages if part.shared_by and not any(part.id in package.parents and package.id in parents for package in packages)
    }
    staging = {file.name for package in packages for file in package.files if file.part == STAGING}
    return frozenset(file for file, package in rules.built.linked.origins.items() if package in parents) | staging


def _cites(table: Table, mutant: Mutant) -> frozenset[str]:
    """The rules that the unit of a mutant cites."""
    assert table.rules is not None
    graph = table.rules.graph
    for prefix, name in (("action ", "actions"), ("hook ", "hooks"), ("cost ", "costs"), ("", "effects")):
        path = mutant.unit.removeprefix(prefix)
        if mutant.unit.startswith(prefix) and path in graph[name]:
            return frozenset(graph[name][path]["cites"])
    return frozenset()


def _relevance(trial: Played, mutant: Mutant, cites: frozenset[str]) -> tuple[bool, bool, int]:
    """Scenarios that cite the same rules come first, then those that get there after their set-up, and short ones before long ones."""
    cited = {cited.id for cited in trial.scenario.cites}
    return not cited & cites, not mutant.reach & trial.own.paths, trial.steps


class _Attempt:
    """One mutant being tried: changed rules for each build, and games whose set-up had to be played anew."""

    def __init__(self, mutant: Mutant, bench: Bench) -> None:
        self.mutant = mutant
        self.bench = bench
        self.stage = bench.stage
        self.tables: dict[int, Table] = {}

    def table(self, original: Table) -> Table:
        if id(original) not in self.tables:
            assert original.rules is not None
            graph = mutated(original.rules.graph, self.mutant)
            rules = Mutated(original.rules, graph, self.mutant.path, self.bench.traced_of(original))
            self.tables[id(original)] = msgspec.structs.replace(original, rules=rules, games={})
        return self.tables[id(original)]

    def passes(self, trial: Played) -> bool:
        """Whether a scenario passes in spite of the change; whatever goes wrong on the way has been noticed."""
        try:
            game = go_on(self.game(trial), trial.scenario)
            return Run(trial.scenario, Board(game, trial.prepared.entries), trial.prepared).play() is None
        except Exception:
            return False

    def game(self, trial: Played) -> Game:
        """The game that a scenario begins with, with bounds that a mutant which runs away soon meets."""
        table = self.table(trial.table)
        rules = table.rules
        assert isinstance(rules, Mutated)
        key, games = start_key(table, trial.scenario), trial.table.games
        if not rules.fits(games[key]) or self.mutant.reach & trial.start.paths:
            games = table.games
            if key not in games:
                games[key] = self.stage.begin(table, trial.scenario)
        game = games[key].clone()
        game.rules = rules
        game._engine = Stepping(
            rules.linked(game.world.players), game.state, Budget(steps=4 * trial.steps + 1_000, looks=LOOKS), game._machine.sampler
        )
        carry_on(game, lambda: None)
        return game


def judge_all(bench: Bench, wanted: Sequence[Mutant], jobs: int = 1, progress: Callable[[int, int], None] = lambda done, all: None) -> list[Verdict]:
    """The verdicts on some mutants, in their order, by several processes if that is possible here; `progress` is told how many there are so far, and will be."""
    if jobs <= 1 or len(wanted) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        made = []
        for number, mutant in enumerate(wanted, start=1):
            made.append(bench.judge(mutant))
            progress(number, len(wanted))
        return made
    context = multiprocessing.get_context("fork")
    workers, answers = [], list[Any]()
    for number in range(jobs):
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(bench, wanted, range(number, len(wanted), jobs), theirs), daemon=True)
        worker.start()
        theirs.close()
        workers.append(worker)
        answers.append(ours)
    verdicts: dict[int, Verdict] = {}
    while answers:
        ready: Any
        for ready in multiprocessing.connection.wait(answers):
            try:
                number, verdict = ready.recv()
                verdicts[number] = verdict
                progress(len(verdicts), len(wanted))
            except EOFError:
                answers.remove(ready)
    for worker in workers:
        worker.join()
    if len(verdicts) < len(wanted):
        raise EOFError("a process that tried mutants has ended before it was done")
    return [verdicts[number] for number in range(len(wanted))]


def _work(bench: Bench, wanted: Sequence[Mutant], mine: Sequence[int], answers: Any) -> None:
    for number in mine:
        answers.send((number, bench.judge(wanted[number])))
    answers.close()
