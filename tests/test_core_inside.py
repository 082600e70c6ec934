"""What looks into a running game: why_not, scenarios, coverage, mutation."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulewright import load, mutation
from rulewright.core.lower import Lowering, Trace, lower
from rulewright.core.lower.relower import relowered
from rulewright.mutants import mutants, mutated
from rulewright.mutation import Bench
from rulewright.scenario import Scenario, Stage, load_scenarios, run_scenario
from rulewright.scenario.reach import Watching
from tests.playing import ROOT, rules_of

EXAMPLES = sorted((ROOT / "rulesets" / "examples").rglob("scenarios/*.yaml"))


def scenarios() -> list[Scenario]:
    """Those of the small games."""
    return [scenario for path in EXAMPLES for scenario in load_scenarios(path)[0]]


@pytest.mark.parametrize("name", ["connect_four", pytest.param("base", marks=pytest.mark.slow)])
def test_why_not_says_the_same(name: str) -> None:
    """For actions and components picked at random, of every player, all along the beginning of a game."""
    games: list[Any] = [load(name, engine=engine).new_game(2, 3) for engine in ("step", "wasm")]
    dice, refused = random.Random(name), 0
    for _ in range(40):
        actions, world = list(games[0].world.graph["actions"]), games[0].world
        granted = [(path, world.by_noun.get(world.graph["actions"][path]["of"], ())) for path in dice.sample(actions, min(4, len(actions)))]
        asked = [path if not granters else f"{path}@{world.identities[dice.choice(granters)]}" for path, granters in granted]
        for thing in (*asked, *dice.sample(world.identities, 3)):
            for player in (1, 2):
                first, second = (game.why_not(player, thing) for game in games)
                assert first == second
                refused += bool(first)
        choice = dice.randrange(len(games[0].decision.options))
        for game in games:
            game.choose(choice)
        if games[0].decision is None:
            break
    assert refused > 50


def test_scenarios_are_played_on_the_core() -> None:
    """All of the small games, with every sort of step and claim that they use."""
    stage = Stage()
    outcomes = [run_scenario(scenario, stage) for scenario in scenarios()]
    assert len(outcomes) > 10
    assert [outcome.name for outcome in outcomes if not outcome.passed] == []


FRAGMENTS = """
name: "Statements that ask, names that go on, and a game that ends itself while it ends"
start: bare
players: 2
when:
- do: |
    let who = the player where seat = 1
    who chooses card: a card in deck
- choose: {player_1: ace}
- do: move card to table
- then: [ace is in table, {not log: judge}]
- do: end game
then: [{log: judge}, {result: {winners: [player_1]}}, {knows: {player: 1, what: ace}}]
"""
RULES = """
kind card
place deck: a pile of card
place table: an area of card
card ace "Ace" in deck
card king "King" in deck
effect judge():
    let first_one = the player where seat = 1
    win first_one
phase play:
    for each player in players: player chooses taken: a card in deck
phase ending:
    judge()
    end game
"""


def test_statements_of_a_scenario_are_part_of_the_program(tmp_path: Path) -> None:
    """What a step binds is known in the next, also if somebody had to decide in the middle of it; the phase that ends a game may end it."""
    rules_of(tmp_path, RULES)
    path = tmp_path / "scenario.yaml"
    path.write_text(FRAGMENTS, encoding="utf-8")
    (scenario,), problems = load_scenarios(path)
    outcome = run_scenario(scenario, Stage(str(tmp_path / "game.rules")))
    assert not problems
    assert outcome.passed, (outcome.failure, outcome.diagnostics)


@pytest.mark.slow
def test_mutants_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same scenarios, whether only what was changed is lowered again or everything is."""
    verdicts = []
    for again in (True, False):
        if not again:
            monkeypatch.setattr(mutation, "relowered", lambda *_: None)
        bench = Bench(scenarios(), Watching())
        verdicts.append({mutant.key: bench.judge(mutant).status for mutant in bench.mutants()})
    assert verdicts[0] == verdicts[1]
    assert set(verdicts[1].values()) >= {"killed", "survived"}


@pytest.mark.slow
def test_lowering_a_part_again_gives_what_lowering_all_of_it_gives() -> None:
    """For mutants of a large game: every unit and function that is made again has the same names and, block by block, as much code as if all had been made again."""
    graph, trace = load("base").graph, Trace()
    program = Lowering(graph, trace).program()
    found = mutants(graph, "scenario")
    parts = 0
    for mutant in random.Random(1).sample(found, 40):
        changed = mutated(graph, mutant)
        part = relowered(program, trace, graph, mutant.path, changed)
        if part is None:
            continue
        parts += 1
        whole, (made, units) = lower(changed), part
        assert made.units.keys() == whole.units.keys()
        for name, function in made.functions.items():
            assert function == whole.functions[name], (mutant.what, name)
        for name in units:
            assert made.units[name].locals == whole.units[name].locals
    assert parts > 20
