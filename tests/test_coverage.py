"""Coverage: every rule of a rulebook has a standing, and a scenario shows a rule only if it gets to what cites it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from tests.small import SCENARIOS, coins

TABLE = """\
topic  rules  tested  implemented  not applicable  missing  % implemented  % tested
-----------------------------------------------------------------------------------
thing      2       1            0               1        0            100       100
pay        2       2            0               0        0            100       100
beg        3       1            1               0        1             67        33
-----------------------------------------------------------------------------------
all        7       4            1               1        1             83        67
"""


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command prints; it must end with that code."""
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def test_the_table_counts_by_topic_and_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts by topic, totals, and a warning for a scenario that never gets to the rule it cites."""
    home = coins(tmp_path)
    out = said(capsys, "coverage", home)
    assert out.startswith(TABLE)
    notes = out.removeprefix(TABLE).strip().split("\n")
    assert len(notes) == 1
    assert notes[0].endswith("all.yaml:11: 'Says more than it shows' cites 'coins.beg.2', but never gets to a declaration that cites it")


def test_rules_that_nothing_cites_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rules that nothing cites, with page and statement; an exit code only when asked for."""
    home = coins(tmp_path)
    assert "missing: 1\n  coins.beg.3 (3): Who begs twice is thrown out.\n" in said(capsys, "coverage", home, "--missing", "--strict", code=1)


def test_strict_says_what_is_missing_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With and without a layer on top; 0 and nothing more to say as soon as every rule is cited, by the ruleset or by the layer."""
    home = coins(tmp_path)
    message = "Error: 1 of 7 rules missing, cited by nothing: coins.beg.3\n"
    layer = tmp_path / "lenient.rules"
    layer.write_text('layer lenient over coins "Lenient"\n', encoding="utf-8")
    for arguments in ([home], [home, "--layer", str(layer)]):
        assert main(["coverage", *arguments, "--strict"]) == 1
        assert capsys.readouterr().err == message
        assert main(["coverage", *arguments]) == 0
        assert capsys.readouterr().err == ""
    layer.write_text('layer lenient over coins "Lenient"\neffect throw_out():\n    cite coins.beg.3\n    nothing\n', encoding="utf-8")
    assert main(["coverage", home, "--layer", str(layer), "--strict"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["coverage", home, "--strict"]) == 1
    book = Path(home, "rulebook.yaml")
    book.write_text(book.read_text().replace("thrown out., page: 3", 'thrown out., page: 3, applicable: "no", reason: a threat'))
    capsys.readouterr()
    assert main(["coverage", home, "--strict"]) == 0
    assert capsys.readouterr().err == ""


def test_the_list_has_every_rule_with_its_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every rule with its places."""
    out = said(capsys, "coverage", coins(tmp_path), "--list")
    assert "coins.thing.2: not applicable (a habit)\n" in out
    assert "coins.pay.1: tested\n  cited at " in out
    assert "coins.rules:10\n  shown at " in out
    assert "all.yaml:4: Everybody is paid\n" in out


def test_coverage_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as data."""
    data = json.loads(said(capsys, "coverage", coins(tmp_path), "--json"))
    assert data["totals"] == {"tested": 4, "implemented": 1, "not applicable": 1, "missing": 1}
    by = {rule["id"]: rule for rule in data["rules"]}
    assert by["coins.beg.2"]["standing"] == "implemented"
    assert [shown["reached"] for shown in by["coins.beg.2"]["scenarios"]] == [False]
    assert by["coins.beg.3"]["cited"] == []


def test_only_passing_scenarios_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario that fails shows nothing."""
    home = coins(tmp_path, SCENARIOS.replace("purse = 3", "purse = 4"))
    data = json.loads(said(capsys, "coverage", home, "--json"))
    assert data["totals"]["tested"] == 1
    assert [failed.rpartition(": ")[2] for failed in data["failed"]] == ["Everybody is paid"]


def test_cited_yet_not_applicable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule cannot be both."""
    home = coins(tmp_path)
    book = Path(home, "rulebook.yaml")
    book.write_text(book.read_text().replace("one may beg for a coin., page: 3", 'one may beg., page: 3, applicable: "no", reason: none'))
    assert "'coins.beg.1' is cited, but the rulebook says that it is not applicable" in said(capsys, "coverage", home)


TAXED = """\
players: 1
scenarios:
  - name: One coin goes back
    cites: [coins.beg.3]
    when:
      - do: pay_out(player_1)
    then: [count of coins in player_1.purse = 4]
"""


def test_a_rule_that_a_layer_carries_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rulebook says which layer; its citations and its scenarios count, and no others do."""
    home = coins(tmp_path)
    layer = tmp_path / "strict"
    (layer / "scenarios").mkdir(parents=True)
    (layer / "ruleset.yaml").write_text('id: strict\ntitle: Strict\nversion: "1.0.0"\nparents: [coins]\nfiles: [strict.rules]\n')
    (layer / "strict.rules").write_text("rule tax: after pay_out(who):\n    cite coins.beg.3\n    move a coin from who.purse to bank\n")
    (layer / "scenarios" / "all.yaml").write_text(TAXED)
    assert json.loads(said(capsys, "coverage", home, "--json"))["totals"]["missing"] == 1
    book = Path(home, "rulebook.yaml")
    book.write_text(book.read_text().replace("thrown out., page: 3", "thrown out., page: 3, layer: strict"))
    data = json.loads(said(capsys, "coverage", home, "--json"))
    assert data["totals"] == {"tested": 5, "implemented": 1, "not applicable": 1, "missing": 0}
    assert data["rules"][-1]["scenarios"][0]["scenario"] == "One coin goes back"
    (layer / "scenarios" / "all.yaml").unlink()
    assert json.loads(said(capsys, "coverage", home, "--json"))["totals"] == {"tested": 4, "implemented": 2, "not applicable": 1, "missing": 0}


CHANGED = """\
players: 1
start: setup
scenarios:
  - name: Four pence, and no more of the large coins
    cites: [poor.1, poor.2, poor.3, poor.4, poor.5]
    then:
      - count of coins in player_1.purse = 4
      - count of pennies = 11
"""

TOLL = """
coin crown "Crown" x2

effect toll(who: player):
    step first: move a coin from who.purse to bank
    log "{who} has paid."

after pay_out(who): toll(who)
"""


def test_changes_that_a_layer_cites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is set, removed or taken out of an effect is carried out where it is cited, and shown where a scenario gets to what is left."""
    home = coins(tmp_path)
    rules = Path(home, "coins.rules")
    rules.write_text(rules.read_text() + TOLL)
    layer = tmp_path / "poor"
    (layer / "scenarios").mkdir(parents=True)
    (layer / "ruleset.yaml").write_text('id: poor\ntitle: Poor\nversion: "1.0.0"\nparents: [coins]\nfiles: [poor.rules]\nrulebook: rulebook.yaml\n')
    (layer / "poor.rules").write_text(
        "set wage to 4 was 3: cite poor.1\nset penny.copies to 11: cite poor.2\nremove coin crown: cite poor.3\nremove action rest: cite poor.4\n"
        "remove step toll.first: cite poor.5\n"
    )
    book = "".join(f"  - {{id: poor.{number}, statement: Rule {number}., page: 1}}\n" for number in range(1, 7))
    (layer / "rulebook.yaml").write_text(f"prefix: poor\nrules:\n{book}")
    (layer / "scenarios" / "all.yaml").write_text(CHANGED)
    found = {rule["id"]: rule["standing"] for rule in json.loads(said(capsys, "coverage", str(layer), "--json"))["rules"]}
    tested = dict.fromkeys(("poor.1", "poor.2", "poor.3", "poor.5"), "tested")
    assert found == {**tested, "poor.4": "implemented", "poor.6": "missing"}


def test_changed_values_and_costs_that_a_layer_cites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `change` and `cost of` cite is told by coverage, diff and explain; a scenario that asks the value shows the rule."""
    home = coins(tmp_path)
    rules = Path(home, "coins.rules")
    rules.write_text(
        rules.read_text() + "\nvalue toll_of(who: player): 1\nafter pay_out(who): repeat toll_of(who) times: move a coin from who.purse to bank\n"
    )
    layer = tmp_path / "poor"
    (layer / "scenarios").mkdir(parents=True)
    (layer / "ruleset.yaml").write_text('id: poor\ntitle: Poor\nversion: "1.0.0"\nparents: [coins]\nfiles: [poor.rules]\nrulebook: rulebook.yaml\n')
    (layer / "poor.rules").write_text(
        "change toll_of(who): result + 1, cite poor.1\nchange toll_of(who) when wage > 90:\n    cite poor.2\n    give 0\n"
        "cost purse_money(who: player, amount: number):\n    do: nothing\ncost of rest is 1 purse_money more, cite poor.3\n"
    )
    book = "".join(f"  - {{id: poor.{number}, statement: Rule {number}., page: 1}}\n" for number in range(1, 4))
    (layer / "rulebook.yaml").write_text(f"prefix: poor\nrules:\n{book}")
    scenario = "name: Two less, cites: [poor.1], then: [count of coins in player_1.purse = wage - 2]"
    (layer / "scenarios" / "all.yaml").write_text(f"players: 1\nstart: setup\nscenarios:\n  - {{{scenario}}}\n")
    found = {rule["id"]: rule["standing"] for rule in json.loads(said(capsys, "coverage", str(layer), "--json"))["rules"]}
    assert found == {"poor.1": "tested", "poor.2": "implemented", "poor.3": "implemented"}
    told = json.loads(said(capsys, "diff", home, "--layer", str(layer), "--json"))
    assert [change["cites"] for change in told if change["how"] == "hooked"] == [["poor.1"], ["poor.2"], ["poor.3"]]
    assert "poor.2" in said(capsys, "explain", str(layer), "toll_of")


def test_rules_that_a_layer_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule that repeats one of the ruleset below is carried out by what carries that out, and shown by a scenario that gets there."""
    coins(tmp_path)
    layer = tmp_path / "same"
    (layer / "scenarios").mkdir(parents=True)
    (layer / "ruleset.yaml").write_text('id: same\ntitle: Same\nversion: "1.0.0"\nparents: [coins]\nfiles: [same.rules]\nrulebook: rulebook.yaml\n')
    (layer / "same.rules").write_text('after setup: log "All have been paid."\n')
    rules = [
        f"{{id: same.{number}, statement: As it was., page: 1, keeps: [{kept}]}}"
        for number, kept in enumerate(("coins.pay.2", "coins.beg.1", "coins.beg.3"))
    ]
    (layer / "rulebook.yaml").write_text("rules: [" + ", ".join(rules) + "]\n")
    scenario = "name: Paid, cites: [same.0, same.1], then: [count of coins in player_1.purse = 3]"
    (layer / "scenarios" / "all.yaml").write_text(f"players: 1\nscenarios: [{{{scenario}}}]\n")
    found = {rule["id"]: rule["standing"] for rule in json.loads(said(capsys, "coverage", str(layer), "--json"))["rules"]}
    assert found == {"same.0": "tested", "same.1": "implemented", "same.2": "missing"}
    (layer / "rulebook.yaml").write_text("rules: [" + rules[0].replace("pay.2", "pya.2") + "]\n")
    assert main(["validate", str(layer)]) == 1
    told = capsys.readouterr()
    assert "no rulebook has the rule 'coins.pya.2'" in told.out + told.err
    assert "did you mean 'coins.pay.2'?" in told.out + told.err


def test_a_layer_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rulebook that names a layer nobody can find is told so."""
    home = coins(tmp_path)
    book = Path(home, "rulebook.yaml")
    book.write_text(book.read_text().replace("thrown out., page: 3", "thrown out., page: 3, layer: strict"))
    assert main(["coverage", home]) == 2
    assert "says that the layer 'strict' carries out some of its rules, but there is no such layer" in capsys.readouterr().err


def test_without_a_rulebook_there_is_nothing_to_cover(capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to cover without a rulebook."""
    assert main(["coverage", "tic_tac_toe"]) == 2
    assert "has no rulebook of its own" in capsys.readouterr().err
    assert main(["coverage", "flares"]) == 2
    assert "that of 'base', with it on top: rulewright coverage base --layer flares" in capsys.readouterr().err


def test_the_passages_carry_out_all_that_they_quote(capsys: pytest.CaptureFixture[str]) -> None:
    """The passages carry out all that they quote."""
    data = json.loads(said(capsys, "coverage", "tests/passages/base", "--json"))
    assert data["totals"]["missing"] == 0
    assert data["totals"]["tested"] > 80
    assert data["failed"] == []
