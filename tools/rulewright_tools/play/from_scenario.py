"""A game that begins where a scenario leads: its start, its set-up, what is given and what happens in it.

Takes a ruleset and `FILE` or `FILE#NAME`; gives a game at a decision. Refuses files without scenarios, names that none has, and scenarios that cannot be played so
far. A scenario that holds the game before its play lets go of it here. Where nothing of the scenario is still going on, the game continues by the rules alone, and can be saved.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import refuse

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.scenario.stage import Stage, Table
    from rulewright.scenario.written import Scenario


def game_from(name: str, layers: Sequence[str], given: str) -> Game:
    """The game that a scenario leads to."""
    from rulewright.errors import RulesError, SaveError
    from rulewright.scenario.board import Board
    from rulewright.scenario.options import Unfit
    from rulewright.scenario.play import Prepared, Run, begin
    from rulewright.scenario.report import Failure

    scenario = find_scenario(given)
    stage, table = stage_of(name, layers, scenario)
    prepared = Prepared(scenario, table)
    if prepared.problems:
        _show(prepared.problems, {**table.texts, **scenario.texts})
    made: Game | Failure = begin(scenario, stage, table)
    if isinstance(made, Failure):
        refuse(f"'{scenario.name}': {made.message}", 1)
    run = Run(scenario, Board(made, prepared.entries), prepared)
    try:
        for step in scenario.steps:
            if not step.checks and (failure := run.happen(step, False)) is not None:
                refuse(f"'{scenario.name}': {failure.message}", 1)
        release(made)
    except (RulesError, Unfit) as error:
        refuse(f"'{scenario.name}': {error}", 1)
    try:
        return _by_the_rules(made, table)
    except (SaveError, RulesError, ValueError, KeyError):
        return made  # in the middle of what the scenario does: it can be played, and not saved


def find_scenario(given: str) -> Scenario:
    """The scenario that somebody names."""
    from rulewright.scenario.written import load_scenarios
    from rulewright.sources.pack import SUFFIX

    path, _, wanted = given.partition("#")
    if path.endswith((SUFFIX, ".rules")):
        refuse(f"'{path}' is a ruleset, and --from takes a file of scenarios; to play it, write: rulewright play {path}")
    texts: dict[str, str] = {}
    scenarios, problems = load_scenarios(path, texts=texts)
    if problems:
        _show(problems, texts)
    found = [each for each in scenarios if each.name.lower().startswith(wanted.strip().lower())]
    if not found:
        names = ", ".join(f"'{each.name}'" for each in scenarios[:8])
        refuse(
            f"no scenario in '{path}' has a name that begins with '{wanted}'; there are {names}" if scenarios else f"there is no scenario in '{path}'"
        )
    return found[0]


def stage_of(name: str | None, layers: Sequence[str], scenario: Scenario) -> tuple[Stage, Table]:
    """The stage of a scenario, and the table it is played at."""
    from rulewright.scenario.stage import Stage

    stage = Stage(name, layers)
    table, problems = stage.table(scenario)
    if table is None or table.rules is None:
        _show(problems, {**scenario.texts, **{file: text for each in stage.tables.values() for file, text in each.texts.items()}})
    assert table is not None
    return stage, table


def release(game: Any) -> None:
    """Lets a game go on that is held before one of its phases."""
    from rulewright.scenario.board import carry_on

    frames = game.state.frames
    if frames and game.decision is None and len(frames) == 1 and frames[0].names:
        carry_on(game, lambda: frames[0].names.pop())


def _by_the_rules(game: Any, table: Table) -> Game:
    """The same game without anything of the scenario."""
    from rulewright.rules import load

    assert table.rules is not None
    rules = load(table.rules.target, table.rules.layers, game.save()["ruleset"]["options"])
    return rules.load_game(game.save(), force=True)


def _show(problems: Sequence[Any], texts: dict[str, str]) -> None:
    from rulewright import render
    from rulewright.limits import DEFAULT_LIMITS

    click.echo(render.as_text(problems, texts, colour_wanted(sys.stderr), DEFAULT_LIMITS.shown_diagnostics), nl=False, err=True)
    raise click.exceptions.Exit(1)
