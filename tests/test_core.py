"""The core: what is lowered means what the rules mean. Games go in lockstep with the present engine; programs are whole, can be printed and can be read back."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from rulewright import Rules, RulesError, load
from rulewright.core import flow, printer, schema
from rulewright.core import program as c
from rulewright.core.lower import lower
from rulewright.core.world import World
from rulewright.limits import Budget
from rulewright.step import expressions, instructions
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state
from rulewright_tools.cli import main
from tests import test_engine_semantics, test_engines, test_language, test_queries, test_small_rulesets
from tests.lockstep import Lockstep, nodes_in
from tests.playing import ROOT, rules_of
from tests.random_rules import random_rules
from tests.test_games import rulesets

SCHEMA = ROOT / "schemas" / "core.schema.json"
slow = pytest.mark.slow


def mostly_slow(cases: Any, everyday: int) -> list[Any]:
    """Cases of which some are tried every day, spread over all, the others now and then."""
    every = list(cases)
    step = max(len(every) // everyday, 1)
    return [each if number % step == 0 else pytest.param(each, marks=slow) for number, each in enumerate(every)]


@cache
def shipped(name: str, options: tuple[tuple[str, Any], ...] = ()) -> Rules:
    return load(ROOT / name, options=dict(options))


def in_lockstep(rules: Rules, seeds: Any = range(2), most: int = 60, budget: Budget | None = None) -> int:
    """Some games of a ruleset for as few and a few more players; gives how many decisions were made."""
    low, high = rules.players
    return sum(Lockstep(rules, players, budget=budget).play(seed, most) for players in sorted({low, min(high, 3)}) for seed in seeds)


# -- lockstep


@pytest.mark.parametrize("seed", mostly_slow(range(60), 6))
def test_random_rules_mean_the_same(seed: int, tmp_path: Path) -> None:
    """Everything inside everything else, for two and for three."""
    rules = rules_of(tmp_path, random_rules(seed), engine="walk")
    for players in (2, 3):
        Lockstep(rules, players).play(seed, 150)


@pytest.mark.parametrize("name", mostly_slow(test_engine_semantics.CASES, 12))
def test_every_sentence_of_the_reference_means_the_same(name: str, tmp_path: Path) -> None:
    """The small rulesets that say what running a ruleset means."""
    rules = rules_of(tmp_path, test_engine_semantics.TABLE + test_engine_semantics.CASES[name].rules, engine="walk")
    for seed in range(2):
        Lockstep(rules, 2).play(seed, 60)


@pytest.mark.parametrize("case", mostly_slow(test_language.cases("good"), 8), ids=test_language.name)
def test_the_language_by_feature_means_the_same(case: Path) -> None:
    """Files that show a feature are played, as far as they are games."""
    in_lockstep(load(case / "main.rules" if (case / "main.rules").exists() else case, engine="walk"))


TABLE = """
kind player:
    score: number
    place hand: a row of card
kind card:
    rank: 1..9
    starts in deck
kind pawn:
    player: player or none
    wounds: number
    decided by player
kind dog is pawn:
    value loud: 3
kind cat is pawn:
    loud: number = 5
place deck: a pile of card
place yard: an area of pawn
card low "Low" x9: rank 2
pawn ann "Ann" in yard
pawn bob "Bob" in yard
dog rex "Rex" in yard
cat tom "Tom" in yard
value foe(who: player): the first player where player is not who
phase setup:
    set ann.player to the player where seat = 1
    for each player in players: draw 3 cards from deck to player.hand
"""
ANSWERS = """
effect one(who: player):
    each player chooses pick: a card in player.hand
    if pick of who is not none: move (pick of who) to deck
    log "{pick of who}"
effect two(who: player):
    each player chooses pick: up to 2 cards in player.hand
    log "{count of pick of who}"
    until two:
        after three(whom): log "{count of pick of whom}"
    three(who)
effect three(whom: player):
    each player secretly chooses pick: a number from 0 to 2
    increase whom.score by pick of whom
    until three:
        after four(x): log "{pick of x}"
    four(whom)
effect four(x: player): nothing
phase play:
    for each player in players:
        one(player)
        two(player)
        three(player)
"""
NOTHING = """
phase play:
    repeat (ann.player.score) times: log "never"
    set ann.wounds to bob.player.score + 1
    for each player in players:
        player chooses n: a number from 0 to bob.player.score
        log "{n}"
        player chooses some: up to (bob.player.score) cards in player.hand
        log "{count of some}"
        player chooses x: exactly (bob.player.score) cards in player.hand
        log "{count of x}"
    move exactly (bob.player.score) cards from deck to foe(the first player).hand
    draw exactly (bob.player.score) cards from deck to foe(the first player).hand
    if bob.player.score = 0: log "zero"
    if bob.player.score < 1: log "less"
    if not bob.player.score > 1: log "not more"
    log "{bob.player} {bob.player.score} {bob.player.hand} {count of cards in bob.player.hand}"
    set bob.player.score to 3
    move a card from deck to bob.player.hand
    move a card from bob.player.hand to deck
    show all cards in bob.player.hand to bob.player
    bob.player chooses z: a card in deck
    log "{z}"
    bob chooses y: a card in deck
    log "{y}"
    win bob.player
    match bob.player.score:
        0: log "nought"
        else: log "else"
"""
STAGES = """
value noise(who: pawn) gives number:
    if who is a dog: give 7
    give 1
effect act(who: pawn): log "{who} acts."
before act(who) when who is rex:
    log "before {who}"
    if who.wounds > 1: cancel
instead of act(who) when who is tom and who.wounds = 0:
    set who.wounds to 1
    try act(bob): log "bob did"
    else: log "bob did not"
    proceed with who = rex
after act(who): increase who.wounds by 1
after the first act(who): log "first {who}"
instead of act(who) when who.wounds = 2 once per round:
    log "twice hurt"
    proceed
effect round():
    for each pawn in pawns in yard ordered by wounds, choice of (the first player):
        act(pawn)
        log "{pawn.wounds} {noise(pawn)}"
    at once:
        for each pawn in pawns: act(pawn)
        log "all"
phase play:
    repeat 3 times: round()
    for each player in players:
        ask player "Out?": eliminate player
        else: nothing
    round()
    for each player in players:
        player may choose c: a card in player.hand
        if c is not none: move c to deck at the bottom
    end game
phase ending:
    log "end"
    ending_step()
effect ending_step():
    each player chooses q: one of red, blue
    log "{q of (the first player)}"
    end game
words colour: red | blue
"""
WAYS = """
kind player
kind site is place:
    open: flag = true
kind room is site
kind door is site links room, room
kind rope is site links spot, spot
kind chute links site, room
kind spot is site
grid board of spot: 2 by 4
room hall "Hall"
room attic "Attic"
room cellar "Cellar"
room yard "Yard"
door stairs "Stairs" from hall to attic
door hatch "Hatch" from hall to cellar: one_way
door gate "Gate" from cellar to yard
door gap "Gap" from attic to yard
rope bridge "Bridge" from board_1_1 to board_2_4
chute slide "Slide" from board_1_4 to hall: one_way
kind pawn:
    reach: number or none
pawn ann "Ann" in hall
value shown(which: set of site): count of (which where it is open)
phase play:
    repeat 4 times:
        for each player in players:
            player chooses what: a site
            set what.open to not what.open
            set ann.reach to none
            if count of (sites where it is open) mod 3 > 0: set ann.reach to count of (sites where it is open) mod 3
            for each here in (sites where it is a room or it is a spot):
                log "{all sites next to here through an open site} {all rooms next to here through an open door} {all spots next to here through (open spots)}"
                log "{all sites reachable from here through an open site} {all sites reachable from here within ann.reach through an open site}"
                log "{all rooms reachable from here within 2 through (open rooms)} {all sites reachable from here through an open rope}"
                log "{all sites reachable from here through (open sites where it is a spot or it is a door)}"
                log "{distance from here to hall through an open site} {distance from here to attic through an open door}"
                log "{distance from here to yard through (open rooms)} {distance from here to board_2_4 through an open spot}"
                log "{distance from here to board_2_4 through an open rope} {distance from here to board_1_1} {distance from board_1_2 to here through (sites where not open)}"
"""
SMALL = {
    "ways": WAYS,
    "answers of each": TABLE + ANSWERS, "nothing": TABLE + NOTHING, "stages and ties": TABLE + STAGES,
    "offers": test_engines.OFFERS, "queries": test_queries.RULES, "nested": test_engines.NESTED,
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_small_rulesets_mean_the_same(name: str, tmp_path: Path) -> None:
    """Answers of the same name, one and several; nothing wherever a number or player is wanted; hooks of all stages, ties that are settled before the first
    turn; offers with everything that can decide about them; queries; what is put back."""
    in_lockstep(rules_of(tmp_path, SMALL[name], engine="walk"), range(3))


def test_nothing_times_is_never(tmp_path: Path) -> None:
    """Nothing counts as 0, where the present engine repeats for ever."""
    rules = rules_of(tmp_path, TABLE + "phase play:\n    repeat (bob.player.score) times: win (the first player)\n", engine="walk")
    linked = Linked(lower(rules.graph), World(rules.graph, 2))
    machine = Machine(linked, first_state(linked, 1))
    instructions.run(machine)
    assert machine.state.ended
    assert machine.state.outcomes == ("", "")


@slow
@pytest.mark.parametrize("name", test_small_rulesets.CASES)
def test_small_cases_mean_the_same(name: str, tmp_path: Path) -> None:
    """More small rulesets."""
    in_lockstep(rules_of(tmp_path, test_small_rulesets.TABLE + test_small_rulesets.CASES[name][0], engine="walk"))


@pytest.mark.parametrize("call", test_engines.ENDINGS)
def test_errors_are_the_same(call: str, tmp_path: Path) -> None:
    """What goes wrong is told in the same words, budgets too, if not at the same step."""
    rules = rules_of(tmp_path, test_engines.BROKEN.format(call=call), engine="walk")
    with pytest.raises(RulesError, match=re.escape(test_engines.ENDINGS[call])):
        Lockstep(rules, 1, budget=Budget(steps=2_000, depth=40)).play(0)


EXAMPLES = ["rulesets/examples/tic_tac_toe", "rulesets/examples/connect_four", "rulesets/examples/breakthrough"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_whole_games_of_the_examples_are_the_same(name: str) -> None:
    """To the end."""
    in_lockstep(shipped(name), range(3), 500)


@slow
@pytest.mark.parametrize("name", [name for name in rulesets() if name.endswith(("/base", "/carnomorphs", "/lockdown", "/aliens", "/together"))])
def test_whole_games_are_the_same(name: str) -> None:
    """Every ruleset and layer to the end, for as few players as possible and another number; the options go round with the players."""
    rules = shipped(name)
    assert rules.built.linked is not None
    declared = rules.built.linked.option_values
    every = [tuple(zip(declared, values, strict=True)) for values in itertools.product(*declared.values())]
    low, high = rules.players
    number = rulesets().index(name)
    for players in {low, low + number % (high - low + 1)}:
        chosen = shipped(name, every[(number + players) * 7919 % len(every)])
        if chosen.players[0] <= players <= chosen.players[1]:
            Lockstep(chosen, players).play(11 + players, 3_000, columns=players == low)


OTHERS = (
    "bots", "chance", "costs", "coverage", "engine_semantics", "history", "imagining", "layers", "queries", "robustness", "saves", "secrets_kept", "shared",
    "small_rulesets", "time_and_order", "views", "why_not",
)  # fmt: skip


# What rules of those tests are meant to end in.
MEANT = ("but it goes from 0 to 5", "but nothing is handed to it", "is to be put into itself", "something repeats for ever")


@slow
def test_every_ruleset_of_the_tests_means_the_same(tmp_path: Path) -> None:
    """Whatever small ruleset other tests load is played in lockstep as well."""
    files = [str(ROOT / "tests" / f"test_{name}.py") for name in OTHERS]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "tests.lockstep_everything", "-p", "no:cacheprovider", "-m", "not slow", *files]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "LOCKSTEP_REPORT": str(tmp_path / "report.json")})
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["games"] > 200, told.stdout[-2_000:]
    assert report["different"] == []
    assert [error for error in report["failed"] if not any(words in error for words in MEANT)] == []


# -- programs


def whole_program(program: c.Program) -> None:
    """Blocks end once, at their end; whatever is named exists; slots belong to the names of their unit."""
    assert flow.reachable(program) == list(range(len(program.blocks)))
    for block in program.blocks:
        unit = program.units[block.unit]
        assert [type(each) in flow.LEADING for each in block.code] == [False] * (len(block.code) - 1) + [True], block
        for label in flow.targets(block.code[-1]):
            assert program.blocks[label].unit == block.unit, "a block of another unit"
        for node in nodes_in(block.code):
            sound(program, node, len(unit.locals))
    for function in program.functions.values():
        for node in nodes_in(function.body):
            sound(program, node, len(function.locals))


def sound(program: c.Program, node: Any, slots: int) -> None:
    """What a node names exists."""
    for name in ("slot", "cursor", "result"):
        slot = getattr(node, name, None)
        assert not isinstance(slot, int) or isinstance(node, c.Ongoing) or 0 <= slot < slots, node
    if isinstance(node, c.Call | c.Payable):
        assert len(node.arguments) == program.units[node.unit].parameters, node
    if isinstance(node, c.Apply):
        assert len(node.arguments) == program.functions[node.function].parameters, node
    if isinstance(node, c.Word):
        assert node.word in program.words, node
    if isinstance(node, c.Ask):
        assert node.question < len(program.questions)
    if isinstance(node, c.Key):
        assert node.hook in program.hooks
    if isinstance(node, c.Install):
        assert set(node.hooks) <= set(program.hooks)


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in EXAMPLES else slow) for name in rulesets() if "house" not in name])
def test_programs_are_whole(name: str) -> None:
    """Every shipped ruleset: its program has no loose ends, can be printed, and is the same after it was written and read."""
    program = lower(shipped(name).graph)
    whole_program(program)
    assert printer.printed(program)
    assert schema.decoded(schema.encoded(program)) == program


@pytest.mark.parametrize("seed", mostly_slow(range(1_000, 1_040), 2))
def test_random_programs_are_whole(seed: int, tmp_path: Path) -> None:
    """Random ones too."""
    program = lower(rules_of(tmp_path, random_rules(seed), engine="walk").graph)
    whole_program(program)
    assert printer.printed(program)


def test_a_block_that_leads_nowhere_is_found() -> None:
    """Lowering that forgets an end is stopped, not patched."""
    program = lower(shipped(EXAMPLES[0]).graph)
    program.blocks[3] = c.Block(program.blocks[3].unit, [])
    with pytest.raises(AssertionError, match="leads nowhere"):
        flow.prune(program)


def test_every_node_has_a_meaning_and_a_print() -> None:
    """The tables are complete."""
    assert set(expressions.TABLE) == set(printer.EXPRESSIONS) == set(get_args(c.Expression))
    assert set(instructions.TABLE) == set(printer.INSTRUCTIONS) == set(get_args(c.Instruction))


def test_a_program_is_printed_for_people() -> None:
    """Names by name, expressions in infix, one instruction a line."""
    program = lower(shipped(EXAMPLES[0]).graph)
    lines = printer.printed(program, "turn").split("\n")
    unit = lines[lines.index("unit 'turn'(who)") :]
    assert "    put first(members(who.marks).of(mark)) to target  # turn:2" in unit
    assert '    say "{who} takes row {target.row}, column {target.column}."  # turn:3' in unit
    assert not any("slot" in line for line in printer.printed(program).split("\n"))


def test_the_core_is_printed_by_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """A whole program, or what belongs to one part of the rules; as JSON it can be read back."""
    assert main(["validate", "tic_tac_toe", "--dump", "core"]) == 0
    assert "unit 'the game'()" in capsys.readouterr().out
    assert main(["graph", "tic_tac_toe", "--format", "core", "--of", "turn"]) == 0
    told = capsys.readouterr().out
    assert "unit 'turn'(who)" in told
    assert "unit 'the game'()" not in told
    assert main(["graph", "tic_tac_toe", "--format", "core-json"]) == 0
    assert schema.decoded(capsys.readouterr().out.encode()) == lower(shipped(EXAMPLES[0]).graph)
    assert main(["graph", "tic_tac_toe", "--format", "core-json", "--of", "turn"]) == 2


# -- the schema


def test_the_schema_is_made_from_the_structs(request: pytest.FixtureRequest) -> None:
    """The file is what the structs say; `--update` writes it."""
    if request.config.getoption("--update"):
        SCHEMA.write_text(schema.text(), encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == schema.text()


def test_programs_fit_the_schema() -> None:
    """A small program does; one with a word in place of a block does not."""
    checker = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    program = json.loads(schema.encoded(lower(shipped(EXAMPLES[0]).graph)))
    assert not list(checker.iter_errors(program))
    program["blocks"][0]["code"][-1]["to"] = "somewhere"
    assert [error.message for error in checker.iter_errors(program)] == ["'somewhere' is not of type 'integer'"]
