"""What several games share: a ruleset that is no game by itself, whose rules cite the rulebook of each game that is built on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import RulesetError, load
from rulewright.build import build
from rulewright.coverage import citings
from rulewright.diagnostics import Diagnostic
from rulewright_tools.cli import main

SHARED = """kind coin
place bank: a pile of coin
place purse of player: an area of coin

number wage = 1, cite chess.pay.2

phase play:
    cite chess.pay.1, draughts.wage.1
    for each player in players: earn(player)
    end game

effect earn(who: player):
    cite draughts.wage.1
    move exactly (wage) coins from bank to who.purse
    celebrate(who)
"""
GAME = """coin penny "penny" x{count} in bank
effect celebrate(who: player): log "{{who}} is paid in {name}."
"""
RULES = {"chess": ("chess.pay.1", "chess.pay.2"), "draughts": ("draughts.wage.1",)}


def write(folder: Path, shared: str = SHARED, manifest: str = "shared_by: [chess, draughts]\n") -> None:
    """A shared ruleset and two games built on it."""
    _ruleset(folder / "club", manifest, shared)
    for name, rules in RULES.items():
        _ruleset(folder / name, "parents: [../club]\nplayers: {min: 1, max: 2}\n", GAME.format(name=name, count=9))
        listed = "".join(f"  - {{id: {rule}, statement: Pay., page: 1}}\n" for rule in rules)
        (folder / name / "rulebook.yaml").write_text(f"prefix: {name}\nrules:\n{listed}")


def _ruleset(folder: Path, manifest: str, text: str) -> None:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(f'id: {folder.name}\ntitle: T\nversion: "1"\nfiles: [a.rules]\n{manifest}')
    (folder / "a.rules").write_text(text)


def told(diagnostics: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in diagnostics]


@pytest.mark.parametrize("name", RULES)
def test_each_game_has_its_own_citations(tmp_path: Path, name: str) -> None:
    """What is cited of the other game's rulebook is not there: neither in the declarations, nor in the log."""
    write(tmp_path)
    built = build(tmp_path / name)
    assert built.diagnostics == []
    assert built.linked is not None
    assert {citing.id for citing in citings(built.linked)} == set(RULES[name])
    game = load(tmp_path / name).new_game(1)
    assert [entry["text"] for entry in game.log() if "paid" in entry["text"]] == [f"Player 1 is paid in {name}."]


@pytest.mark.parametrize("name", RULES)
def test_coverage_counts_shared_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A rule that only the shared part cites is implemented."""
    write(tmp_path)
    assert main(["coverage", str(tmp_path / name), "--strict"]) == 0
    assert "draughts" not in capsys.readouterr().out or name == "draughts"


@pytest.mark.parametrize(
    ("wrong", "name", "message"),
    [
        ("chess.pay.7", "chess", "the rulebook has no rule 'chess.pay.7'"),
        ("ches.pay.1", "chess", "the rulebook has no rule 'ches.pay.1'"),
        ("ches.pay.1", "draughts", "the rulebook has no rule 'ches.pay.1'"),
        ("ches.pay.1", "club", "'ches.pay.1' is cited, but the ruleset has no rulebook"),
    ],
)
def test_citations_of_rules_that_are_not_there_are_mistakes(tmp_path: Path, wrong: str, name: str, message: str) -> None:
    """A rule that a rulebook at hand does not have, and a rulebook that no game has, are mistakes."""
    write(tmp_path, SHARED.replace("chess.pay.2", wrong))
    assert told(build(tmp_path / name).diagnostics) == [("R306", message)]


def test_a_rule_of_an_absent_rulebook_is_not_looked_up(tmp_path: Path) -> None:
    """Whether the other game has the rule is seen when that game is validated."""
    write(tmp_path, SHARED.replace("chess.pay.2", "chess.pay.7"))
    assert build(tmp_path / "draughts").diagnostics == []


def test_only_the_shared_part_may_cite_others(tmp_path: Path) -> None:
    """A game cites its own rulebook; that of another game is not at hand."""
    write(tmp_path)
    (tmp_path / "chess" / "a.rules").write_text(GAME.format(name="chess", count=9) + "after play:\n    cite draughts.wage.1\n    end game\n")
    assert told(build(tmp_path / "chess").diagnostics) == [("R306", "the rulebook has no rule 'draughts.wage.1'")]


def test_no_game_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Validating the shared part finds what is wrong in it alone; everything that plays it says whom to ask instead."""
    write(tmp_path)
    club = str(tmp_path / "club")
    assert main(["validate", "--strict", club]) == 0
    assert capsys.readouterr().out == f"{club}: no problems in what it says itself; chess and draughts say the rest, so validate them too\n"
    with pytest.raises(RulesetError) as caught:
        load(club)
    assert told(caught.value.diagnostics) == [("R506", "'club' is no game by itself: chess and draughts say the rest")]
    for command in (["run", club], ["coverage", club], ["graph", club], ["diff", club, str(tmp_path / "chess")], ["explain", club, "play"]):
        assert main(command) == 1
        assert "is no game by itself" in capsys.readouterr().err
    assert main(["test", club]) == 2
    assert "there are no scenarios" in capsys.readouterr().err
    assert main(["validate", club, "--dump", "graph"]) == 1
    assert capsys.readouterr().err == "There is no graph to print: it is no game by itself.\n"


def test_mistakes_of_the_shared_part_alone(tmp_path: Path) -> None:
    """What can be seen without a game is seen; names are left to the games."""
    write(tmp_path, SHARED + "place bank\neffect earn(: nothing\neffect spend(): mvoe_on()\n")
    assert [one.code for one in build(tmp_path / "club").diagnostics] == ["R302", "R106"]
    assert "R301" in [one.code for one in build(tmp_path / "chess").diagnostics]


def test_a_shared_ruleset_is_for_no_number_of_players(tmp_path: Path) -> None:
    """A shared ruleset is for no number of players."""
    write(tmp_path, manifest="shared_by: [chess]\nplayers: {min: 1, max: 2}\n")
    assert ("R205", "a ruleset that others share is no game by itself, and has no 'players'") in told(build(tmp_path / "club").diagnostics)


def test_layers_over_what_games_share(tmp_path: Path) -> None:
    """A layer over the shared part fits every game; a layer over one game, and another game, do not fit."""
    write(tmp_path)
    (tmp_path / "rich.rules").write_text('layer rich over "club/ruleset.yaml"\n\nset wage to 2 was 1\n')
    (tmp_path / "poor.rules").write_text('layer poor over "chess/ruleset.yaml"\n\nset wage to 0 was 1\n')
    for name in RULES:
        assert build(tmp_path / name, [tmp_path / "rich.rules"]).diagnostics == []
    assert build(tmp_path / "chess", [tmp_path / "poor.rules"]).diagnostics == []
    with pytest.raises(RulesetError, match="'rich' is no game by itself"):
        load(tmp_path / "rich.rules")
    refused = told(build(tmp_path / "draughts", [tmp_path / "poor.rules"]).diagnostics)
    assert [code for code, _ in refused] == ["R303"]
    refused = told(build(tmp_path / "draughts", [tmp_path / "chess"]).diagnostics)
    assert refused == [("R303", "'chess' is a layer over '../club', not over 'draughts'")]
