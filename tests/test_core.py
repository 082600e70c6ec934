"""The core: what is lowered means what it always meant, as recorded games show; programs are whole, can be printed and can be read back."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from rulewright import Rules, load
from rulewright.core import flow, printer, schema
from rulewright.core import program as c
from rulewright.core.lower import lower
from rulewright.core.world import World
from rulewright.step import expressions, instructions
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state
from rulewright_tools.cli import main
from tests import recorded, subjects
from tests.playing import ROOT, nodes_in, rules_of
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


# -- what it means


@pytest.mark.parametrize("name", mostly_slow(recorded.SUBJECTS, 40))
def test_games_go_as_they_were_recorded(name: str, tmp_path: Path) -> None:
    """Everything inside everything else, every sentence of the reference, every feature of the language: decision by decision."""
    assert recorded.games(recorded.ruleset(name, tmp_path)) == recorded.recorded()[name]


def test_nothing_times_is_never(tmp_path: Path) -> None:
    """Nothing counts as 0."""
    rules = rules_of(tmp_path, subjects.TABLE + "phase play:\n    repeat (bob.player.score) times: win (the first player)\n", engine="step")
    linked = Linked(lower(rules.graph), World(rules.graph, 2))
    machine = Machine(linked, first_state(linked, 1))
    instructions.run(machine)
    assert machine.state.ended
    assert machine.state.outcomes == ("", "")


EXAMPLES = ["rulesets/examples/tic_tac_toe", "rulesets/examples/connect_four", "rulesets/examples/breakthrough"]


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
    if isinstance(node, c.Call | c.Payable | c.Supposing):
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
    program = lower(rules_of(tmp_path, random_rules(seed), engine="step").graph)
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
