"""`rulewright new`: what it writes works as it stands, and nothing that exists is touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright import load
from rulewright.validate import validate
from rulewright_tools.cli import rulewright


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words: str) -> Result:
    return CliRunner().invoke(rulewright, list(words))


def everything_below(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize(
    ("what", "over"),
    [
        ("house", "tic_tac_toe"),
        pytest.param("house", "base", marks=pytest.mark.slow),
        ("expansion", "breakthrough"),
        pytest.param("expansion", "lockdown", marks=pytest.mark.slow),
        ("game", None),
    ],
)
def test_what_is_made_is_sound_and_its_scenarios_pass(what: str, over: str | None, folder: Path) -> None:
    """Without a complaint, not even a warning; and a game by it begins."""
    made = command("new", what, "first_try", "First try", *(("--over", over) if over else ()))
    assert made.exit_code == 0, made.output
    assert "rulewright validate first_try" in made.output
    assert validate(folder / "first_try").diagnostics == []
    tested = command("test", "first_try")
    assert tested.exit_code == 0, tested.output
    assert "all passed" in tested.output
    rules = load(folder / "first_try", engine="step")
    assert rules.new_game(rules.players[0], 1).decision is not None


@pytest.mark.slow
@pytest.mark.parametrize("what", ["house", "expansion"])
def test_what_stands_in_the_comments_works_too(what: str, folder: Path) -> None:
    """Each example with its sign taken away."""
    command("new", what, "first_try", "--over", "base")
    file = folder / "first_try" / "first_try.rules"
    lines = file.read_text().splitlines()
    commented = [line.removeprefix("# ") for line in lines if line.startswith(("# after ", "# instead of ", "# set "))]
    assert len(commented) == 3
    file.write_text("\n".join([*lines, *commented]))
    assert validate(folder / "first_try").diagnostics == []


def test_a_house_rule_can_stand_over_a_ruleset_of_ones_own(folder: Path) -> None:
    """Which it names by the path from its own folder."""
    command("new", "game", "stones")
    made = command("new", "house", "pebbles", "--over", "stones", "--to", "deep/er/pebbles")
    assert made.exit_code == 0, made.output
    assert validate(folder / "deep" / "er" / "pebbles").diagnostics == []


SHARED = """kind token
place pot: an area of token
token chip "Chip" x3 in pot
number stake = 2
effect take(who: player): move a token from pot to who.purse
kind player:
    place purse: an area of token
phase setup: nothing
phase play:
    for each player in players: take(player)
    if count of tokens in pot < stake: own_end()
    end game
effect own_end(), each game says its own
"""


def test_a_house_rule_can_stand_over_what_games_share(folder: Path) -> None:
    """Its scenario is played in the first of these games, its examples are of what is shared, and components can be begun in it."""
    for name, more in (("deep", "shared_by: [poker]"), ("poker", "parents: [../deep]\nplayers: {min: 1, max: 2}")):
        (folder / name).mkdir()
        (folder / name / "ruleset.yaml").write_text(f'id: {name}\ntitle: {name}\nversion: "1.0.0"\n{more}\nfiles: [{name}.rules]\n')
    (folder / "deep" / "deep.rules").write_text(SHARED)
    (folder / "poker" / "poker.rules").write_text('number blinds = 1\neffect own_end(): log "{blinds} over."\n')
    made = command("new", "house", "quiet", "--over", "deep")
    assert made.exit_code == 0, made.output
    assert "rulewright run poker --layer quiet" in made.output
    tested = command("test", "quiet")
    assert "all passed" in tested.output, tested.output
    file = folder / "quiet" / "quiet.rules"
    file.write_text("\n".join(line.removeprefix("# ") if line.startswith(("# after", "# set")) else line for line in file.read_text().splitlines()))
    assert "\nset stake to 3 was 2" in file.read_text()
    assert "no problems in what it says itself" in command("validate", "quiet").output
    added = command("new", "token", "coin", "--in", "quiet")
    assert added.exit_code == 0, added.output
    assert 'token coin "Coin" in pot' in file.read_text()
    assert "no problems" in command("validate", "poker", "--layer", "quiet").output
    packed = command("pack", "quiet")
    assert packed.exit_code == 0, packed.output
    assert "with 'deep', which it stands over" in packed.output
    assert "poker" not in packed.output


@pytest.mark.parametrize("over", [pytest.param("base", marks=pytest.mark.slow), pytest.param("lockdown", marks=pytest.mark.slow), "connect_four"])
def test_a_component_of_every_kind_can_be_begun(over: str, folder: Path) -> None:
    """As the others of its kind look: all of them together are without an error."""
    command("new", "house", "mine", "--over", over)
    components = load(over, engine="step").graph["components"].values()
    kinds = [
        kind for kind in dict.fromkeys(component["kind"] for component in components) if not kind.startswith("#")
    ]  # what has `state` has no name in rules
    for kind in kinds:
        added = command("new", kind, f"new_{kind}", f"New {kind}", "--in", "mine")
        assert added.exit_code == 0, added.output
    errors = [each for each in validate(folder / "mine").diagnostics if each.severity == "error"]
    assert errors == []


@pytest.mark.slow
def test_a_room_looks_like_the_rooms_there_are(folder: Path) -> None:
    """Fields as most of them have them, effects left open, and what is not usual left out."""
    command("new", "house", "mine", "--over", "base")
    command("new", "room_tile", "lounge", "Lounge", "--in", "mine")
    assert (
        (folder / "mine" / "mine.rules")
        .read_text()
        .endswith(
            'room_tile lounge "Lounge":\n    source own\n    sort first\n    yellow\n    obstacle "..."\n    usable when true\n'
            "    use: nothing  # what happens; who is known here\n"
        )
    )


BOARD = """components:
  - {id: hall, kind: room, name: Hall, fields: {number: 1, sort: warm}}
  - {id: attic, kind: room, fields: {number: 2, sort: warm}}
  - {id: shed, kind: room, name: 'The "old" {shed}', fields: {number: 9, sort: cold}}
links:
  - {kind: door, id: stairs, between: [hall, attic], fields: {numbers: [1, 2]}}
  - {kind: door, id: path, between: [hall, shed], direction: forward, fields: {numbers: [1, 2]}}
"""
RULES = """kind room is place:
    number: 1..9
    sort: warm | cold
kind door links room, room:
    numbers: set of 1..4
kind cellar is place
kind hatch links cellar, cellar
kind guest:
    luck: number
kind letter:
    guest: guest
    seal: red | green | plain

guest ann "Ann"
guest bob "Bob"
letter bill "Bill":
    guest ann
    seal red
letter note "Note":
    guest bob
    seal green
letter plea "Plea" x2:
    guest ann, bob
    seal plain

effect greet(): if bill.guest is ann: log "Good evening."
phase play:
    greet()
    if (count of rooms next to hall through a door) = 0 and plea.guest is none and no hatch: log "Alone."
    end game
"""


@pytest.fixture
def manor(folder: Path) -> Path:
    """A layer over a game with a board, guests, and letters that belong to guests."""
    (folder / "manor").mkdir()
    (folder / "manor" / "ruleset.yaml").write_text(
        'id: manor\ntitle: Manor\nversion: "1.0.0"\nplayers: {min: 1, max: 2}\nboard: board.yaml\nfiles: [manor.rules]\n'
    )
    (folder / "manor" / "board.yaml").write_text(BOARD)
    (folder / "manor" / "manor.rules").write_text(RULES)
    made = command("new", "house", "mine", "--over", "manor")
    assert made.exit_code == 0, made.output
    return folder / "mine" / "mine.rules"


def test_a_place_has_a_number_of_its_own_and_a_way_to_it(manor: Path) -> None:
    """What differs everywhere differs here, too; the way stands in a comment, and works without its signs."""
    told = command("new", "room", "den", "Den", "--in", "mine").output
    assert 'room den "Den":\n    number 3\n    sort warm\n\n# Nothing leads there yet.' in manor.read_text()
    assert "# door den_door from den to hall:\n#     numbers 1, 2\n" in manor.read_text()
    assert "rulewright new door NAME --in mine" in told
    lines = manor.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("# door den_door"))
    manor.write_text("\n".join([*lines[:start], *(line.removeprefix("# ") for line in lines[start:])]))
    assert validate(manor.parent).diagnostics == []
    assert load(manor.parent, engine="step").graph["links"][-1]["ends"] == ["den", "hall"]


def test_a_link_joins_what_nothing_leads_to(manor: Path) -> None:
    """A place of one's own first, else two that no link joins; and the rules stay sound, so that more can be begun."""
    command("new", "room", "den", "Den", "--in", "mine")
    assert "It leads from den to hall: is that where it should?" in command("new", "door", "gate", "Gate", "--in", "mine").output
    assert 'door gate "Gate" from den to hall:\n    numbers 1, 2\n' in manor.read_text()
    command("new", "door", "bridge", "--in", "mine")
    assert 'door bridge "Bridge" from hall to ' not in manor.read_text()
    assert validate(manor.parent).diagnostics == []


def test_a_link_without_places_is_refused(manor: Path) -> None:
    """With what to begin first; nothing is written."""
    before = manor.read_text()
    done = command("new", "hatch", "trap", "--in", "mine")
    assert done.exit_code == 2
    assert "a hatch joins a cellar and a cellar, and there are none that it could join" in done.output
    assert "write: hatch NAME from CELLAR to CELLAR" in done.output
    assert manor.read_text() == before


def test_whose_a_component_is_is_said(manor: Path) -> None:
    """Somebody's own, if there is one; and what others have, in a comment and behind it."""
    told = command("new", "letter", "card", "--in", "mine").output
    assert "    guest ann  # others have: ann, bob\n" in manor.read_text()
    assert "'guest ann': is that the guest it should name? Others have: ann, bob" in told
    told = command("new", "guest", "cid", "--in", "mine").output
    assert "Others of its kind are also spoken of in: letters (bill, card, note and 1 more); greet" in told
    assert "Begin one for it: rulewright new letter NAME --in mine" in told
    command("new", "letter", "parcel", "--in", "mine")
    assert 'letter parcel "Parcel":\n    guest cid  # others have: ann, bob\n' in manor.read_text()
    assert validate(manor.parent).diagnostics == []


def test_what_would_not_be_sound_is_not_written(manor: Path) -> None:
    """A promise is a promise: what is wrong with it is shown instead, with what was meant to be written."""
    before = manor.read_text()
    done = command("new", "guest", "cid", "{nobody.label}", "--in", "mine")
    assert done.exit_code == 1
    assert "nothing was written" in done.output
    assert 'guest cid "{nobody.label}"' in done.output
    assert manor.read_text() == before


def test_nothing_is_added_to_a_pack(manor: Path) -> None:
    """What to do instead is said."""
    command("pack", "mine")
    done = command("new", "guest", "cid", "--in", "mine.rulewright")
    assert done.exit_code == 2
    assert "'mine.rulewright' is a pack, and nothing is added to packs" in done.output


def test_names_shows_what_stands_on_a_board_as_rules_say_it(manor: Path) -> None:
    """No brackets but those that belong there; and who names a component in a field, or by a link, uses it."""
    told = command("names", "manor").output
    assert "  door stairs from hall to attic: numbers 1, 2\n" in told
    assert '  room hall "Hall"\n' in told
    assert r'  room shed "The \"old\" \{shed\}"' in told
    assert "{id" not in told
    assert "used by path, play, stairs" in command("names", "manor", "hall").output
    explained = command("explain", "manor", "ann").output
    assert "used by: greet\n" in explained
    assert "components that name it:\n  letter bill, plea" in explained


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("house", "mine", "--over", "tic_tac_toe"), "'mine' is there already; nothing was written"),
        (("house", "base", "--over", "base"), "there is a ruleset 'base' already, which a new one would hide"),
        (("game", "hex"), "such as 'my_hex'"),
        (("house", "mine", "--over", "mine", "--to", "again"), "there is a ruleset 'mine' already"),
        (("house", "other"), "what does the house rule stand over?"),
        (("game", "other", "--over", "base"), "a game stands over nothing"),
        (("house", "Quiet Ship", "--over", "base"), "'quiet_ship' would do"),
        (("house", "Zelený dům", "--over", "base"), "'zeleny_dum' would do"),
        (("house", "other", "--over", "bsae"), "did you mean 'base'?"),
        (("hose", "other"), "did you mean 'house'?"),
        (("mrk", "other", "--in", "mine"), "did you mean 'mark'?"),
        (("mark", "cross", "--in", "mine"), "called 'cross' already"),
        (("mark", "other", "--in", "tic_tac_toe"), "comes with the program"),
        (("mark", "other", 'Say "x"', "--in", "mine"), "a label holds no quotes"),
        (("house", "other", "{x}", "--over", "base"), "a title holds no quotes"),
        (("house", "other", "--over", "base", "--in", "mine"), "--in is for components"),
        (("house", "other", "--over", "base", "--to", "mine/mine.rules/other"), "cannot be made"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_touched(words: tuple[str, ...], said: str, folder: Path) -> None:
    """With the reason, and exit 2."""
    command("new", "house", "mine", "--over", "tic_tac_toe")
    before = everything_below(folder)
    done = command("new", *words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert everything_below(folder) == before


def test_kinds_without_a_name_are_not_offered(folder: Path) -> None:
    """What keeps the state of the table is a component like others, but nobody can name it: not to begin one, in no picture, on no page."""
    rules = folder / "round.rules"
    rules.write_text(
        "ruleset round\n\nkind stone\n\nstone pebble\n\nstate turns: number\n\nphase play:\n    increase turns by 1\n    if turns = 2: end game\n"
    )
    assert "there are: stone\n" in command("new", "feather", "down", "--in", str(rules)).output
    for words in (("graph", str(rules), "--format", "dot"), ("graph", str(rules), "--of", "play", "--format", "dot")):
        drawn = command(*words)
        assert drawn.exit_code == 0
        assert "#table" not in drawn.output
    assert "increase turns by 1" in command("graph", str(rules), "--of", "play", "--format", "dot").output
    assert command("docs", str(rules), "--out", "page.html").exit_code == 0
    assert "#table" not in Path("page.html").read_text()
