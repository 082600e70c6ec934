"""The language reference is true: every example in `rulesets/LANGUAGE.md` is run.

A fenced block says what it is on its first line:

    rules                       a complete file; no complaint at all
    rules prelude=NAME          what other blocks stand below; no errors
    rules with=NAME             declarations below a prelude
    rules inside=NAME           statements of an effect below a prelude
    expressions with=NAME       one expression a line, below a prelude
    rules|yaml folder=D file=F  a file of the ruleset in the folder D
    rules|yaml file=F           a lone file that later blocks and commands may use; what is YAML is a scenario file
    console                     commands, each with what it prints

`error=CODES` or `warning=CODES` are the complaints a block must give, and no others. Blocks without a language are not run: they show syntax.
"""

from __future__ import annotations

import functools
import random
import re
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from rulewright import tree
from rulewright.build import Built, build
from rulewright.codes import CODES
from rulewright.data import rulesets_folder, schema
from rulewright.diagnostics import Diagnostic
from rulewright.parse import parse_rules
from rulewright.parse.parser import keywords
from rulewright.resolve.cites import walk
from rulewright.rules import Rules
from rulewright.scenario import load_scenarios, run_scenario
from rulewright.validate import validate
from rulewright_tools.cli import rulewright

PAGE = rulesets_folder() / "LANGUAGE.md"
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+#.*$")
LANGUAGES = {"", "rules", "yaml", "expressions", "console"}
PARAMETERS = "(who: player, other: player, spot: room)"
ARGUMENTS = "(the player where seat = 1, the player where seat = 2, hall)"
AT_THE_TABLE = """
before play:
    set ann.player to the player where seat = 1
    set bob.player to the player where seat = 2
    for each pawn in pawns: seat_down(pawn, pawn.player)
effect seat_down(who: pawn, at: player):
    set at.pawn to who
    move 6 coins from bank to at.purse
    draw 2 cards from deck to at.hand
"""
DECISIONS = 60


class Example(NamedTuple):
    """A fenced block: its line on the page, its language, what its first line says, and its text."""

    line: int
    language: str
    says: dict[str, str]
    text: str

    @property
    def codes(self) -> dict[str, str]:
        """The codes the block must give, each with its severity."""
        return {code: severity for severity in ("error", "warning") for code in self.says.get(severity, "").split(",") if code}


@functools.cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@functools.cache
def examples() -> tuple[Example, ...]:
    """All blocks of the page, in order."""
    found = []
    for match in FENCE.finditer(page()):
        language, *rest = match["info"].split() or [""]
        says = dict(word.split("=", 1) for word in rest)
        found.append(Example(page()[: match.start()].count("\n") + 1, language, says, match["text"]))
    return tuple(found)


def prelude(name: str) -> str:
    return next(example.text for example in examples() if example.says.get("prelude") == name)


def runnable() -> list[Example]:
    """Blocks that are one build each."""
    return [example for example in examples() if example.language in ("rules", "expressions") and "folder" not in example.says]


def name(example: Example) -> str:
    return f"line {example.line}"


def written(example: Example) -> str:
    """The whole file that a block stands for."""
    text = example.text
    if example.language == "expressions":
        lines = [COMMENT.sub("", line) for line in text.splitlines()]
        text = "".join(f"value example_{number}{PARAMETERS}: {line}\n" for number, line in enumerate(lines))
    elif "inside" in example.says:
        text = f"effect example{PARAMETERS}:\n{textwrap.indent(text, '    ')}"
    above = example.says.get("with") or example.says.get("inside")
    return f"{prelude(above)}\n{text}" if above else text


def lay_out(folder: Path, before: int) -> None:
    """The files that blocks above a line have left; one with a mistake is there only for the block right below it."""
    above = [example for example in examples() if example.line < before]
    for example in above:
        if "file" in example.says and (not example.codes or example is above[-1]):
            file = folder / example.says.get("folder", "") / example.says["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(example.text, encoding="utf-8")


def told(found: list[Diagnostic]) -> list[str]:
    return [f"{one.span.file}:{one.span.line}: {one.code} {one.message} ({one.hint})" for one in found]


def judge(example: Example, built: Built) -> None:
    """A block gives the complaints it says and no others; what a fragment leaves unused does not count."""
    whole = not {"with", "inside", "prelude"} & set(example.says)
    found = [one for one in built.diagnostics if whole or one.code in example.codes or one.code != "R308"]
    assert {one.code: str(one.severity) for one in found} == example.codes, "\n".join(told(found))
    assert (built.graph is None) == ("error" in example.says)


@pytest.mark.parametrize("example", runnable(), ids=name)
def test_an_example_is_right_or_wrong_as_it_says(example: Example, tmp_path: Path) -> None:
    """An example is right, or wrong in the way it says."""
    lay_out(tmp_path, example.line)
    file = tmp_path / example.says.get("file", "example.rules")
    file.write_text(written(example), encoding="utf-8")
    judge(example, build(file))


def played(example: Example) -> str:
    """The file of a block with what it takes to play it: two players sit at the table, and what the block shows happens."""
    text = written(example)
    if not {"with", "inside"} & set(example.says):
        return text
    text += AT_THE_TABLE
    if "inside" in example.says:
        text += f"before play:\n    example{ARGUMENTS}\n    end game\n"
    if example.language == "expressions":
        asked = "".join(f"    let answer_{number} = example_{number}{ARGUMENTS}\n" for number in range(len(example.text.splitlines())))
        text += f"before play:\n{asked}    end game\n"
    return text


@pytest.mark.parametrize("example", [example for example in runnable() if not example.codes and "prelude" not in example.says], ids=name)
def test_what_is_right_can_be_played(example: Example, tmp_path: Path) -> None:
    """What is right can be played: to its end, or for a while where it has none."""
    lay_out(tmp_path, example.line)
    file = tmp_path / example.says.get("file", "example.rules")
    file.write_text(played(example), encoding="utf-8")
    built = build(file)
    assert built.graph is not None, told(built.diagnostics)
    rules = Rules(built, str(file), (), "step")
    for seed in range(3):
        game, choices = rules.new_game(2, seed), random.Random(seed)
        for _ in range(DECISIONS):
            if game.decision is not None:
                game.choose(choices.choice(game.decision.options))
        assert (game.result is None) == (game.decision is not None)
        assert game.result is not None or "with" in example.says


@pytest.mark.parametrize("folder", sorted({example.says["folder"] for example in examples() if "folder" in example.says}))
def test_an_example_folder_makes_a_ruleset(folder: str, tmp_path: Path) -> None:
    """The files of an example folder make a ruleset, with every part on as well."""
    parts: dict[str, str] = {}
    for example in examples():
        if example.says.get("folder") == folder:
            (tmp_path / example.says["file"]).parent.mkdir(exist_ok=True)
            (tmp_path / example.says["file"]).write_text(example.text, encoding="utf-8")
            parts |= dict.fromkeys(re.findall(r"^parts:\n  (\w+):", example.text, re.MULTILINE), "on")
    assert told(validate(tmp_path).diagnostics) == []
    assert told(build(tmp_path, options={f"parts.{part}": value for part, value in parts.items()}).diagnostics) == []


def test_every_command_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command prints what the page shows."""
    monkeypatch.chdir(tmp_path)
    consoles = [example for example in examples() if example.language == "console"]
    assert consoles
    for example in consoles:
        lay_out(tmp_path, example.line)
        for part in example.text.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            program, *arguments = command.split()
            assert program == "rulewright"
            assert CliRunner().invoke(rulewright, arguments).output == output, f"line {example.line}: {command}"


@pytest.mark.parametrize("example", [each for each in examples() if each.language == "yaml" and "folder" not in each.says], ids=name)
def test_a_scenario_of_the_page_passes(example: Example, tmp_path: Path) -> None:
    """Without warnings, and none has mistakes; the one that is wrong is shown with what the command prints."""
    assert "file" in example.says
    lay_out(tmp_path, example.line + 1)
    scenarios, problems = load_scenarios(tmp_path / example.says["file"])
    assert told(problems) == []
    for scenario in scenarios:
        outcome = run_scenario(scenario)
        assert told([*outcome.diagnostics, *outcome.warnings]) == []
        assert outcome.passed != example.says["file"].startswith("wrong"), outcome.failure


def test_no_block_escapes_by_another_name() -> None:
    """No block escapes by being called something else; rules and expressions that are not run do not exist."""
    assert {example.language for example in examples()} == LANGUAGES
    for example in examples():
        assert set(example.says) <= {"prelude", "with", "inside", "folder", "file", "error", "warning"}, name(example)
        assert all(CODES[code].severity == severity for code, severity in example.codes.items()), name(example)


def test_every_construct_has_an_example() -> None:
    """Every node of the syntax tree stands in an example; the mistakes of some are no mistakes of syntax."""
    seen: set[str] = set()
    for example in examples():
        if example.language in ("rules", "expressions") and not any(code < "R2" for code in example.codes):
            found, complaints = parse_rules(written(example), "example.rules")
            assert complaints == [], name(example)
            seen |= {type(node).__name__ for declaration in found.declarations for node in walk(declaration)}
    nodes = {each.__name__ for each in vars(tree).values() if isinstance(each, type) and issubclass(each, tree.Node) and each is not tree.Node}
    assert nodes - seen == set()


def test_every_word_is_used() -> None:
    """Every keyword of the grammar occurs in an example that is run."""
    text = " ".join(written(example) for example in examples() if example.language in ("rules", "expressions"))
    assert sorted(keywords() - set(re.findall(r"[a-z]+", text))) == []


def headings(text: str) -> set[str]:
    """The anchors of a page's headings."""
    lines = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
    return {re.sub(r"[^a-z0-9_ -]", "", line).replace(" ", "-") for line in lines}


def test_every_code_is_mentioned_where_it_may_arise() -> None:
    """Every code is mentioned where it may arise, and no other is."""
    mentioned = set(re.findall(r"\[(R\d{3})\](?!:)", page()))
    assert mentioned == set(CODES)
    leads = dict(re.findall(r"^\[(R\d{3})\]: DIAGNOSTICS\.md#(\S+)$", page(), re.MULTILINE))
    anchors = headings((rulesets_folder() / "DIAGNOSTICS.md").read_text(encoding="utf-8"))
    assert {code: leads.get(code) in anchors and leads[code].startswith(code.lower()) for code in CODES} == dict.fromkeys(CODES, True)


def test_every_node_and_operation_of_the_graph_has_its_line() -> None:
    """Every node type and every operation of the graph has its line."""
    parts: dict[str, Any] = schema("effect-graph")["$defs"]
    tables = page()[page().index("| node | for |") : page().index("\n# Part 3")]
    nodes, _, operations = tables.partition("| operation | for |")
    described = [
        set(re.findall(r"`(\w+)`", line.split("|")[1])) for table in (nodes, operations) for line in table.splitlines() if line.startswith("| `")
    ]
    assert set().union(*described) == {each["title"] for each in parts["node"]["oneOf"]} | set(parts["expr_op"]["enum"])


def test_links_inside_the_page_lead_somewhere() -> None:
    """Links inside the page lead somewhere."""
    anchors = headings(page()) | set(re.findall(r'<a id="([^"]+)">', page()))
    assert sorted(set(re.findall(r"\]\(#([^)]+)\)", page())) - anchors) == []
