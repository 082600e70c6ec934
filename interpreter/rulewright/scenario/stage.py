"""The stage: rulesets, loaded once for all scenarios that use them, and games at their start, played once and then cloned.

Takes scenarios, gives each the table it is played at. Refuses rulesets that cannot be found or have errors, and wrong numbers of players, each at the
line of the scenario that asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from rulewright.build import build
from rulewright.diagnostics import Diagnostic, complain, did_you_mean
from rulewright.fragment import Fragments
from rulewright.game.engine import Stepping
from rulewright.game.game import Game
from rulewright.game.sampling import Sampling
from rulewright.limits import Budget
from rulewright.rules import Rules
from rulewright.scenario.board import Board, carry_on
from rulewright.scenario.names import Names
from rulewright.scenario.options import Unfit, choose
from rulewright.scenario.tracer import Tracer
from rulewright.scenario.written import Scenario, start_of
from rulewright.sources.locate import MANIFEST, find, find_parent, known_rulesets
from rulewright.step.link import Linked
from rulewright.step.machine import first_state

MOST_SETUP_CHOICES = 2_000
BARE, SET_UP = 0, 1
HELD = {"bare": BARE, "setup": SET_UP, "play": SET_UP}


class Table(msgspec.Struct):
    """A ruleset with its layers and options, ready to be played; by the number of players its names, and the games at their start."""

    rules: Rules | None
    fragments: Fragments | None
    diagnostics: list[Diagnostic]
    texts: dict[str, str]
    games: dict[str, Game]
    names: dict[int, Names] = {}

    def named(self, players: int) -> Names:
        """What a game for so many players can offer and say."""
        assert self.rules is not None
        if players not in self.names:
            linked = self.rules.built.linked
            removed = {change.path for change in linked.changes if change.how == "removed"} if linked is not None else ()
            self.names[players] = Names(self.rules.linked(players).world, self.rules.built.graph or {}, removed)
        return self.names[players]


class Stage:
    """Keeps what several scenarios have in common. `ruleset` and `layers` are what somebody asks for besides what the files say."""

    def __init__(self, ruleset: str | None = None, layers: Sequence[str] = ()) -> None:
        self.ruleset = ruleset
        self.layers = tuple(layers)
        self.tables: dict[str, Table] = {}
        self.known = known_rulesets()
        self.budget: Budget | None = None

    # -- rulesets

    def table(self, scenario: Scenario) -> tuple[Table | None, list[Diagnostic]]:
        """The table of a scenario, and why it cannot be played at."""
        target, problems = self._target(scenario)
        layers: list[str] = []
        for number, name in enumerate(scenario.layers):
            layer, found = self._find(name, scenario, f"layers.{number}")
            problems += found
            layers += [layer] if layer is not None else []
        if target is None or problems:
            return None, problems
        layers += [layer for layer in self.layers if layer not in layers]
        key = repr((target, layers, sorted(scenario.options.items(), key=str)))
        if key not in self.tables:
            self.tables[key] = self._load(target, layers, scenario.options)
        table = self.tables[key]
        if table.rules is None:
            return None, [self._here(each, scenario) for each in table.diagnostics]
        return table, []

    def _here(self, problem: Diagnostic, scenario: Scenario) -> Diagnostic:
        """A complaint about an option or its value at the place where the scenario gives it."""
        name = next((name for name in scenario.options if problem.code == "R215" and f"'{name}'" in problem.message), None)
        if name is None:
            return problem
        place = f"options.{name}" if problem.message.startswith(f"'{scenario.options[name]}'") else f"options.{name} key"
        return msgspec.structs.replace(problem, span=start_of(scenario, place))

    def _target(self, scenario: Scenario) -> tuple[str | None, list[Diagnostic]]:
        if scenario.ruleset is not None:
            return self._find(scenario.ruleset, scenario, "ruleset")
        if self.ruleset is not None:
            return self.ruleset, []
        around = next((folder for folder in list(scenario.path.resolve().parents)[:3] if (folder / MANIFEST).is_file()), None)
        if around is not None:
            return str(around), []
        message = "the scenario does not say which ruleset it is for, and lies in the folder of none"
        return None, [complain("R210", message, scenario.span, hint="add the line: ruleset: NAME")]

    def _find(self, name: str, scenario: Scenario, key: str) -> tuple[str | None, list[Diagnostic]]:
        """A ruleset by a path from the scenario's folder, a neighbour by its name, or one that comes with the program."""
        if (there := find_parent(name, scenario.path.parent, {})) is not None:
            return str(there.parent if there.name == MANIFEST else there), []
        if find(name, self.known) is not None:
            return name, []
        return None, [complain("R210", f"there is no ruleset '{name}'", start_of(scenario, key), hint=did_you_mean(name, self.known))]

    def _load(self, target: str | Path, layers: Sequence[str], options: dict[str, Any]) -> Table:
        built = build(target, layers, options)
        if built.graph is None:
            return Table(None, None, [each for each in built.diagnostics if each.severity == "error"], built.texts, {})
        rules = Rules(built, str(target), layers, "step")
        fragments = Fragments(built)
        rules.graph = fragments.graph
        return Table(rules, fragments, [], built.texts, {})

    # -- games

    def game(self, table: Table, scenario: Scenario) -> Game:
        """A game at the start that a scenario asks for."""
        key = start_key(table, scenario)
        if key not in table.games:
            table.games[key] = self.begin(table, scenario)
        return go_on(table.games[key].clone(), scenario)

    def begin(self, table: Table, scenario: Scenario) -> Game:
        """A new game, held where a scenario's start begins."""
        assert table.rules is not None
        players = scenario.players or table.rules.players[0]
        hold = HELD.get(scenario.start)
        game = begin(table.rules, self.linked(table, players), scenario.seed, hold, self.budget)
        if hold == SET_UP:
            _set_up(game, scenario)
        return game

    def linked(self, table: Table, players: int) -> Linked:
        """The program of a table, watched."""
        assert table.rules is not None
        linked = table.rules.linked(players)
        if linked.watch is None:
            linked.watch = Tracer(linked)
        return linked


def begin(rules: Any, linked: Linked, seed: int, hold: int | None, budget: Budget | None) -> Game:
    """A new game, held before one of its phases if asked to: its lowest frame has the number of the phase behind its names."""
    state = first_state(linked, seed)
    state.frames[0].names += [] if hold is None else [hold]
    engine = Stepping(linked, state, budget, Sampling())
    game = Game(rules, engine, seed)
    carry_on(game, lambda: None)
    return game


def start_key(table: Table, scenario: Scenario) -> str:
    """What scenarios that begin with the same game have in common."""
    assert table.rules is not None
    picks = [(pick.player, pick.option) for pick in scenario.setup]
    return repr((HELD.get(scenario.start), scenario.players or table.rules.players[0], scenario.seed, picks))


def go_on(game: Game, scenario: Scenario) -> Game:
    """The game after its set-up, let go if the scenario begins with the play itself."""
    if scenario.start == "play":
        root = game.state.frames[0]
        carry_on(game, lambda: root.names.pop())
    return game


def _set_up(game: Game, scenario: Scenario) -> None:
    """Choose what the scenario says for the set-up, and the first option for the rest."""
    picks, board = list(scenario.setup), Board(game, {})
    for _ in range(MOST_SETUP_CHOICES):
        if game.decision is None:
            break
        if picks:
            choose(board, picks.pop(0))
        else:
            game.choose(0)
    if picks:
        raise Unfit(
            f"'{picks[0].option}' is to be chosen, but nothing {'more ' if len(picks) < len(scenario.setup) else ''}is decided there", picks[0].span
        )
