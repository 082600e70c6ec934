"""The stage: rulesets, loaded once for all scenarios that use them, and games at their start, played once and then cloned.

Takes scenarios, gives each the table it is played at. Refuses rulesets that cannot be found or have errors, and wrong numbers of players, each at the
line of the scenario that asks for it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from rulewright import collection, kept_rules
from rulewright.build import build_sources
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
from rulewright.scenario.places import Written
from rulewright.scenario.tracer import Tracer
from rulewright.scenario.written import Chance, Pick, Scenario, Seat, start_of
from rulewright.sources import read_sources
from rulewright.sources.locate import MANIFEST, find, find_parent, known_rulesets
from rulewright.step.link import Linked
from rulewright.step.machine import first_state

MOST_SETUP_CHOICES = 2_000
BARE, SET_UP = 0, 1
HELD = {"bare": BARE, "setup": SET_UP, "play": SET_UP}


class Table(msgspec.Struct):
    """A ruleset with its layers and options, ready to be played; by the number of players its names, and the games at their start.

    `seat` is the effect that gives a player a part; `seated` are the nodes of the calls of it that scenarios make.
    """

    rules: Rules | None
    fragments: Fragments | None
    diagnostics: list[Diagnostic]
    texts: dict[str, str]
    games: dict[str, Game]
    names: dict[int, Names] = {}
    seat: str | None = None
    seated: dict[str, str | None] = {}

    @property
    def id(self) -> str:
        """What the ruleset is called."""
        return "" if self.rules is None else str(self.rules.id)

    def seating(self, seat: Seat) -> str:
        """The statement by which the ruleset gives a player a part."""
        return f"{self.seat}(player_{seat.player.name}, {seat.part})"

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
        key = repr(([self._home(each) for each in (target, *layers)], sorted(scenario.options.items(), key=str)))
        if key not in self.tables:
            self.tables[key] = self._load(target, layers, scenario.options)
        table = self.tables[key]
        if table.rules is None:
            return None, [self._here(each, scenario) for each in table.diagnostics]
        return table, []

    def _home(self, target: str) -> str:
        """Where a ruleset lies, however it was named."""
        return os.path.realpath(self.known.get(target, target))

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

    @collection.put_off()
    def _load(self, target: str | Path, layers: Sequence[str], options: dict[str, Any]) -> Table:
        sources, found = read_sources(target, layers, options, staging=True)
        path = None if any(each.severity == "error" for each in found) else kept_rules.entry_path(sources)
        kept = kept_rules.read(path) if path is not None else None
        built = build_sources(sources, found, known=None if kept is None else kept.graph)
        if not built.sound:
            return Table(None, None, [each for each in built.diagnostics if each.severity == "error"], built.texts, {})
        rules = Rules(built, str(target), layers, "step", kept)
        if path is not None and kept is None:
            kept_rules.write(path, rules.graph, rules.program)
        fragments = Fragments(built)
        rules.graph = fragments.graph
        seats = [package.seat.name for package in built.sources.packages if package.seat is not None]
        return Table(rules, fragments, [], built.texts, {}, seat=seats[-1] if seats else None)

    # -- games

    def game(self, table: Table, scenario: Scenario) -> Game:
        """A game at the start that a scenario asks for."""
        key = start_key(table, scenario)
        if key not in table.games:
            table.games[key] = self.begin(table, scenario)
        return go_on(table.games[key].clone(), scenario)

    @collection.put_off()
    def begin(self, table: Table, scenario: Scenario) -> Game:
        """A new game, held where a scenario's start begins."""
        assert table.rules is not None
        players = scenario.players or table.rules.players[0]
        game = begin(table.rules, self.linked(table, players), scenario.seed, BARE, self.budget)
        for seat in scenario.seats:
            text = Written(table.seating(seat), seat.span, [])
            Board(game, {id(text): table.seated[text.text]}).perform(text)
        hold = HELD.get(scenario.start)
        if hold != BARE:
            _set_up(game, scenario, hold)
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
    picks = [(each.answers, each.named) if isinstance(each, Chance) else (each.player, each.option) for each in scenario.setup]
    seats = [(seat.player.name, seat.part) for seat in scenario.seats]
    return repr((HELD.get(scenario.start), scenario.players or table.rules.players[0], scenario.seed, picks, seats))


def go_on(game: Game, scenario: Scenario) -> Game:
    """The game after its set-up, let go if the scenario begins with the play itself."""
    if scenario.start == "play":
        root = game.state.frames[0]
        carry_on(game, lambda: root.names.pop())
    return game


def _set_up(game: Game, scenario: Scenario, hold: int | None) -> None:
    """Let the set-up go on until the game is held again, choosing what the scenario says, and the first option for the rest; without a hold nothing is chosen."""
    told, board, root = list(scenario.setup), Board(game, {}), game.state.frames[0]

    def answer() -> None:
        while told and isinstance(told[0], Chance):
            board.answer(told[0])
            del told[0]

    answer()
    carry_on(game, lambda: root.names.__setitem__(slice(-1, None), [] if hold is None else [hold]))
    for _ in range(MOST_SETUP_CHOICES if hold is not None else 0):
        if game.decision is None:
            break
        if told:
            choose(board, told.pop(0))  # type: ignore[arg-type]
            answer()
        else:
            game.choose(0)
    if left := board.unasked():
        chance = next(each for each in reversed(scenario.setup) if isinstance(each, Chance))
        told_of = ", ".join(f"'{each}'" for each in left)
        raise Unfit(f"chance was told {told_of}, but nothing asked for it", chance.span)
    if told and isinstance(told[0], Pick):
        more = "more " if len(told) < len(scenario.setup) else ""
        raise Unfit(f"'{told[0].option}' is to be chosen, but nothing {more}is decided there", told[0].span)
