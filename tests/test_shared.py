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

effect celebrate(who: player), each game says its own

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
    """Everything is checked without a game, names and types too, but for what only a whole game can tell."""
    write(tmp_path, SHARED + "place bank\neffect spend(who: player): mvoe_on(who)\neffect save(): celebrate(bank)\n")
    found = build(tmp_path / "club").diagnostics
    assert [one.code for one in found] == ["R302", "R301", "R401"]
    assert found[1].hint == "if each game is to say it, declare that: effect mvoe_on(...), each game says its own"
    assert "R301" in [one.code for one in build(tmp_path / "chess").diagnostics]


def test_a_layer_over_what_is_shared_is_sent_to_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer leaves nothing to each game; what only a game has is changed in a layer over that game, and doing so works."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    mine = tmp_path / "mine.rules"
    mine.write_text("layer mine over club\nafter earn(who): move a penny from bank to who.purse\n")
    (found,) = build(mine).diagnostics
    assert found.code == "R301"
    assert found.hint == "if it belongs to chess or draughts, change that game: layer mine over chess"
    mine.write_text("layer mine over chess\nafter earn(who): move a penny from bank to who.purse\n")
    assert build(mine).diagnostics == []


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        ("", "R315", "'chess' does not say its own 'celebrate', which 'club' leaves to each game"),
        ("effect celebrate(whom: player): nothing", "R401", "'celebrate' is announced with (who), and here it has (whom)"),
        ("effect celebrate(who: player, how: number): nothing", "R401", "'celebrate' is announced with (who), and here it has (who, how)"),
        ("effect celebrate(who: coin): nothing", "R401", "'who' of celebrate is announced as a player, and here it is a coin"),
        (
            "effect celebrate(who: player) gives number: give 1",
            "R401",
            "'celebrate' is announced without a result, and here to give a number",
        ),
    ],
)
def test_what_is_left_to_each_game(tmp_path: Path, said: str, code: str, message: str) -> None:
    """A game that does not say it, or says it otherwise, is told once, with the line that leaves it open."""
    write(tmp_path)
    (tmp_path / "chess" / "a.rules").write_text(f'coin penny "penny" x9 in bank\n{said}\n')
    found = [one for one in build(tmp_path / "chess").diagnostics if one.code != "R308"]
    assert told(found) == [(code, message)]
    assert [(related.span.file.rpartition("club/")[2], related.span.line) for related in found[0].related] == [("a.rules", 12)]
    if code == "R315":
        assert found[0].hint == "write: effect celebrate(who: player): ..."
    assert build(tmp_path / "draughts").diagnostics == []


OPEN = """kind piece
kind board is place, each game says its own
piece king, each game says its own
number ranks, each game says its own
words mood: calm | wild
value goal(who: player) gives board or none, each game says its own
value mood_of(who: player) gives mood, each game says its own
phase opening, each game says its own
phase play:
    opening()
    for each player in players where mood_of(player) is calm: move king to goal(player)
    if count of boards > ranks: log "{king} has room."
    end game
"""
SAYS = {
    "kind board is place": "kind board is place",
    "board hall": "board hall",
    "king": "piece king",
    "ranks": "number ranks = 1",
    "goal": "value goal(who: player): hall",
    "mood": "value mood_of(who: player): calm if who.seat = 1 else wild",
    "opening": 'phase opening: log "It begins."',
}


@pytest.mark.parametrize(
    ("what", "said", "message"),
    [
        ("", "", None),
        ("kind board is place", "kind board is piece", "the kind 'board' is announced as a place, and here it is none"),
        ("king", "board king", "'king' is announced as a piece, and here it is a board"),
        ("ranks", "value ranks: 3", "'ranks' is announced as a number, and here it is a value"),
        ("goal", "value goal(who: player): king", "'goal' must be a board or none, but this is a king"),
        ("goal", "value goal(who: player) gives board: hall", "'goal' is announced to give a board or none, and here to give a board"),
        ("mood", "value mood_of(who: player): 3", "'mood_of' must be calm | wild, but this is the number 3"),
    ],
)
def test_everything_that_can_be_left_open(tmp_path: Path, what: str, said: str, message: str | None) -> None:
    """Kinds, components, numbers, values and phases; what a value gives need not be said again."""
    _ruleset(tmp_path / "club", "shared_by: [chess]\n", OPEN)
    assert build(tmp_path / "club").diagnostics == []
    _ruleset(tmp_path / "chess", "parents: [../club]\nplayers: {min: 1, max: 2}\n", "\n".join({**SAYS, what: said}.values()) + "\n")
    found = [(one.code, one.message) for one in build(tmp_path / "chess").diagnostics]
    if message is None:
        assert found == []
    else:
        assert ("R401", message) in found


def test_only_a_shared_ruleset_leaves_something_open(tmp_path: Path) -> None:
    """A game has nobody to leave it to, and what a layer removes is missing."""
    write(tmp_path)
    (tmp_path / "alone.rules").write_text("number ranks, each game says its own\nphase play: end game\n")
    assert told(build(tmp_path / "alone.rules").diagnostics)[0] == ("R110", "'alone' is shared by no games, so it can leave 'ranks' to none")
    (tmp_path / "dull.rules").write_text('layer dull over "chess/ruleset.yaml"\n\nremove effect celebrate\n')
    found = told(build(tmp_path / "chess", [tmp_path / "dull.rules"]).diagnostics)
    assert found == [("R315", "'chess' does not say its own 'celebrate', which 'club' leaves to each game")]
    write_twice = SHARED + "effect celebrate(who: player): nothing\n"
    (tmp_path / "club" / "a.rules").write_text(write_twice)
    assert ("R302", "'celebrate' is declared twice") in told(build(tmp_path / "club").diagnostics)


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
