"""What an author would not expect: nothing handed where something is wanted, ways that lead nowhere, inner numbers in texts. Both engines alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, RulesError, load
from rulewright.scenario.report import told

ENGINES = ("step", "wasm")


def play(folder: Path, text: str, engine: str, players: int = 1) -> Game:
    """A game of a few rules, as far as it goes without a decision."""
    (folder / "r.rules").write_text(text)
    return load(str(folder / "r.rules"), engine=engine).new_game(players=players)


def said(game: Game) -> list[str]:
    return [str(entry["text"]) for entry in game.log(everything=True) if entry["kind"] == "message"]


CITIES = """kind city: size: 1..3
kind player:
    home: city or none
city rome: size 2
city bern: size 1
effect infect(spot: city, amount: number): log "{spot} {amount}"
effect visit(spot: city or none): log "{spot}"
effect both(spot: city): infect(spot, spot.size)
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (("let c = the first city where size = 3", "infect(c, 1)"), "'spot' of infect must be a city, but nothing is handed to it"),
        (("infect(the city where size = 3, 1)",), "'spot' of infect must be a city"),
        (("let who = the first player", "infect(who.home, 1)"), "'spot' of infect must be a city"),
        (("let c = rome", "repeat 2 times:", "    infect(c, 1)", "    set c to the first city where size = 3"), "'spot' of infect must be a city"),
        (("let c = the first city where size = 3", "infect(rome, c.size)"), "'amount' of infect must be a number"),
        (("infect(rome, highest size over cities where size = 3)",), "'amount' of infect must be a number"),
    ],
)
def test_nothing_is_handed_to_nobody(lines: tuple[str, ...], wanted: str, engine: str, tmp_path: Path) -> None:
    """An effect that does not say `or none` is not begun with nothing: the rules have gone wrong, here and not somewhere later."""
    body = "".join(f"    {line}\n" for line in lines)
    with pytest.raises(RulesError) as error:
        play(tmp_path, f"{CITIES}phase play:\n{body}    end game\n", engine)
    assert wanted in str(error.value)
    assert "'or none'" in str(error.value)
    assert error.value.span is not None
    assert error.value.span[1] > 9


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_where_it_may_be(engine: str, tmp_path: Path) -> None:
    """`or none` takes it; what is there goes everywhere; what is replaced keeps to it as well."""
    play_ = "    visit(the first city where size = 3)\n    let c = the first city where size = 2\n    infect(c, c.size)\n    both(c)\n    end game\n"
    hook = "instead of visit(spot): proceed with spot = the first city where size = 1\n"
    assert said(play(tmp_path, f"{CITIES}phase play:\n{play_}", engine)) == ["nothing", "rome 2", "rome 2"]
    assert said(play(tmp_path, f"{CITIES}{hook}phase play:\n{play_}", engine)) == ["bern", "rome 2", "rome 2"]
    strict = "instead of infect(spot, amount): proceed with spot = the first city where size = 3\n"
    with pytest.raises(RulesError, match="'spot' of infect must be a city"):
        play(tmp_path, f"{CITIES}{strict}phase play:\n    infect(rome, 1)\n    end game\n", engine)


def test_what_is_certain_is_not_looked_at(tmp_path: Path) -> None:
    """Parameters, things of a loop, named components, numbers: where the check can tell, nothing is asked in the game."""
    (tmp_path / "r.rules").write_text(
        f"{CITIES}die luck: 1, 2\nphase play:\n    for each city in cities: both(city)\n    let c = rome\n    infect(c, c.size + 1)\n"
        "    let face = roll luck\n    infect(bern, face)\n    infect(rome, count of cities)\n    end game\n"
    )
    graph = str(load(str(tmp_path / "r.rules")).graph)
    assert "'op': 'call'" in graph
    assert "'op': 'needed'" not in graph


CAVES = """kind cell is place: blocked: flag
kind edge links cell, cell
cell ca
cell cb: blocked
cell cc
cell cd
edge ab from ca to cb
edge bc from cb to cc
edge ad from ca to cd
edge dc from cd to cc
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("count of cells reachable from ca through (cells where not blocked)", "2"),
        ("count of cells reachable from ca through a blocked cell", "1"),
        ("all cells next to ca through (cells where not blocked)", "cd"),
        ("all cells next to cc through (cells in (all cells where blocked))", "cb"),
        ("distance from ca to cc through (cells where not blocked)", "2"),
        ("distance from ca to cb through (cells where not blocked)", "1"),
        ("distance from cd to cb through (cells where blocked)", "nothing"),
        ("count of cells reachable from ca through an edge", "3"),
        ("distance from ca to cb through (edges where cd is in ends)", "nothing"),
    ],
)
def test_a_way_over_places(asked: str, answer: str, engine: str, tmp_path: Path) -> None:
    """Where links join places, `through` places says on which one may step, as on a grid; the goal of a distance need not be one."""
    game = play(tmp_path, f'{CAVES}phase play:\n    log "{{{asked}}}"\n    end game\n', engine)
    assert said(game) == [answer]


@pytest.mark.parametrize("engine", ENGINES)
def test_one_of_a_list(engine: str, tmp_path: Path) -> None:
    """The words of a list, or the faces of a die, are offered by its name."""
    text = 'words face: spy | king\ndie luck: hit x3, miss\nphase play:\n    let who = the first player\n    who chooses guess: one of {}\n    log "{{guess}}"\n    end game\n'
    for asked, offered in (("face", ["spy", "king"]), ("luck", ["hit", "miss"]), ("face, joker", ["spy", "king", "joker"])):
        game = play(tmp_path, text.format(asked) + 'effect roll_it():\n    let face = roll luck\n    log "{face}"\nbefore play: roll_it()\n', engine)
        assert game.decision is not None
        assert [option.id for option in game.decision.options] == offered


@pytest.mark.parametrize("engine", ENGINES)
def test_no_inner_numbers(engine: str, tmp_path: Path) -> None:
    """Sets, sets of sets and what several players chose are told by labels: in the log and in texts."""
    text = """kind cell is place
kind memory: seen: set of cell
grid board of cell: 1 by 2
memory m
kind coin
place hand of player: a row of coin
coin penny "Penny" x2
phase play:
    set m.seen to all cells
    log "{lines(board, 2)} {m.seen} {all coins}"
    each player chooses guess: a cell
    log "{guess}"
    end game
"""
    game = play(tmp_path, text, engine, players=2)
    while game.decision is not None:
        game.choose(0)
    texts = [str(entry["text"]) for entry in game.log(everything=True)]
    assert "m: seen nothing → board 1,1, board 1,2" in texts
    assert said(game) == ["board 1,1, board 1,2 board 1,1, board 1,2 Penny, Penny", "Player 1: board 1,1, Player 2: board 1,1"]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_place_holds_is_told_by_names(engine: str, tmp_path: Path) -> None:
    """The report of a scenario names what lies in a place, however the engine keeps it."""
    game = play(tmp_path, 'kind coin\nplace bank: a pile of coin\nplace till: a pile of coin\ncoin penny "Penny" x2 in bank\n'
                "phase play:\n    move all coins in bank to till\n    let who = the first player\n    who chooses n: a number from 1 to 2\n"
                '    log "{n}"\n    end game\n', engine)  # fmt: skip
    place = game.world.global_places["till"]
    assert told(game, place, "place") == "till, which holds penny.1, penny.2"
    assert told(game, tuple(game.state.members[place]), "kind") == "penny.1, penny.2"
