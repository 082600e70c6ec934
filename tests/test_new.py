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


@pytest.mark.parametrize("over", [pytest.param("base", marks=pytest.mark.slow), pytest.param("lockdown", marks=pytest.mark.slow), "connect_four"])
def test_a_component_of_every_kind_can_be_begun(over: str, folder: Path) -> None:
    """As the others of its kind look: all of them together are without an error."""
    command("new", "house", "mine", "--over", over)
    kinds = list(dict.fromkeys(component["kind"] for component in load(over, engine="step").graph["components"].values()))
    linking = {kind for kind, declared in load(over, engine="step").graph["kinds"].items() if declared["links"] is not None}
    for kind in kinds:
        if kind in linking:
            continue
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
            'room_tile lounge "Lounge":\n    source own\n    sort first\n    colour yellow\n    obstacle "..."\n    usable when true\n'
            "    use: nothing  # what happens; who is known here\n"
        )
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("house", "mine", "--over", "tic_tac_toe"), "'mine' is there already; nothing was written"),
        (("house", "other"), "what does the house rule stand over?"),
        (("game", "other", "--over", "base"), "a game stands over nothing"),
        (("house", "Quiet Ship", "--over", "base"), "'quiet_ship' would do"),
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
