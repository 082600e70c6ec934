"""`--watch`: what is saved is seen, once, when it is whole; rounds go on whatever becomes of the files, and end when somebody interrupts them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.build import build_sources
from rulewright.scenario import run_scenario
from rulewright_tools import watching
from rulewright_tools.cli import main
from rulewright_tools.play.plain import Screen, play
from rulewright_tools.play.renewal import Renewal
from rulewright_tools.play.session import Session, chairs_of
from rulewright_tools.watching import Watcher, places
from tests.playing import ROOT

RULES = (ROOT / "rulesets" / "examples" / "tic_tac_toe" / "tic_tac_toe.rules").read_text(encoding="utf-8")
SCENARIO = "name: {}\nstart: setup\nwhen:\n  - do: turn(player_1)\n  - choose: board 2,2\nthen:\n  - board_2_2 holds a cross\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with two scenario files."""
    shutil.copytree(ROOT / "rulesets" / "examples" / "tic_tac_toe", tmp_path / "game")
    shutil.rmtree(tmp_path / "game" / "scenarios", ignore_errors=True)
    (tmp_path / "game" / "scenarios").mkdir()
    for name in ("one", "two"):
        (tmp_path / "game" / "scenarios" / f"{name}.yaml").write_text(SCENARIO.format(name.capitalize()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "game"


def save(path: Path, text: str) -> None:
    """As editors do: a new file in place of the old one. It is another one even where clocks are coarse."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def rounds(patch: pytest.MonkeyPatch, *edits: Callable[[], object]) -> None:
    """Each time somebody waits, the next edit is made; after the last one he is interrupted."""
    left: Iterator[Callable[[], object]] = iter(edits)
    usual = Watcher.changed

    def wait(self: Watcher) -> frozenset[str]:
        edit = next(left, None)
        if edit is None:
            raise KeyboardInterrupt
        edit()
        found = usual(self)
        assert found, "this edit is not seen"
        return found

    patch.setattr(Watcher, "wait", wait)


# -- what is seen


def test_what_comes_goes_and_changes_is_seen(game: Path) -> None:
    """Once; in folders inside too."""
    watcher, rules, new = Watcher(), game / "tic_tac_toe.rules", game / "locale" / "cs.yaml"
    watcher.look([game])
    assert watcher.changed() == frozenset()
    save(rules, RULES + "\n")
    assert watcher.changed() == {str(rules)}
    assert watcher.changed() == frozenset()
    new.parent.mkdir()
    new.write_text("language: cs\n")
    assert watcher.changed() == {str(new)}
    new.unlink()
    rules.unlink()
    assert watcher.changed() == {str(new), str(rules)}
    (game / "README.md").write_text("other files")
    (game / ".hidden.rules").write_text("what an editor keeps for itself")
    assert watcher.changed() == frozenset()


def test_what_is_not_there_yet_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lone file by its name, and a folder."""
    monkeypatch.chdir(tmp_path)
    watcher = Watcher()
    watcher.look(places(["mine", "later"]))
    (tmp_path / "mine.rules").write_text(RULES)
    assert watcher.changed() == {str(tmp_path / "mine.rules")}
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "ruleset.yaml").write_text("id: later\n")
    assert watcher.changed() == {str(tmp_path / "later" / "ruleset.yaml")}


def test_what_is_saved_while_a_round_goes_on_is_not_lost(game: Path) -> None:
    """The first one too, which did not know yet what to look at; and what is removed meanwhile."""
    watcher, rules, manifest = Watcher(), game / "tic_tac_toe.rules", game / "ruleset.yaml"
    since = time.time_ns() - 1_000_000_000
    for each in game.rglob("*.yaml"):
        os.utime(each, (1, 1))
    rules.touch()
    watcher.look([game], since)
    assert watcher.changed() == {str(rules)}
    save(rules, RULES + "\n# more\n")
    manifest.unlink()
    watcher.look([game], time.time_ns())
    assert {str(rules), str(manifest)} <= watcher.changed()


def test_half_of_a_file_is_not_read(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who writes slowly is waited for: it is one change, and the whole of it."""
    monkeypatch.setattr(watching, "STILL", 0.2)
    watcher, rules = Watcher(), game / "tic_tac_toe.rules"
    watcher.look([game])

    def write() -> None:
        with open(rules, "w", encoding="utf-8") as stream:
            for line in ("# a\n", "# b\n", "# c\n", "# d\n"):
                stream.write(line)
                stream.flush()
                time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    while not (found := watcher.changed()):
        time.sleep(0.01)
    assert rules.read_text(encoding="utf-8") == "# a\n# b\n# c\n# d\n"
    assert found == {str(rules)}
    writer.join()
    assert watcher.changed() == frozenset()


# -- validate


def test_validate_again(game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake is told when it is made, and gone when it is; files that go and come back, and a layer of its own."""
    rules = game / "tic_tac_toe.rules"
    rounds(
        monkeypatch,
        lambda: save(rules, RULES + "\neffect odd(): missing(1)\n"),
        lambda: save(rules, RULES),
        rules.unlink,
        lambda: save(rules, RULES),
    )
    assert main(["validate", "game", "--watch"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    parts = told.out.split("Waiting for changes; Ctrl-C ends.")
    assert [part.count("game: no problems") for part in parts] == [1, 0, 1, 0, 1, 0]
    assert "there is no effect called 'missing'" in parts[1]
    assert "game/tic_tac_toe.rules changed, " in parts[1]
    assert "there is no such file" in parts[3]
    assert "\x1b" not in told.out


def test_validate_reads_scenarios_and_says_who_plays_them(game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt key is told; of what only playing shows it is said where that is seen."""
    one, text = game / "scenarios" / "one.yaml", SCENARIO.format("One")
    rounds(monkeypatch, lambda: save(one, text.replace("start:", "strat:")), lambda: save(one, text + "\n"))
    assert main(["validate", "game", "--watch"]) == 0
    first, second, third = capsys.readouterr().out.split("Waiting for changes; Ctrl-C ends.\n")[:3]
    plays = "Of scenarios only their shape is checked here; `rulewright test --watch` plays them.\n"
    assert "no problems" in first
    assert plays not in first
    assert "did you mean 'start'?" in second
    assert plays in second
    assert third.startswith(f"game: no problems\n{plays}")


def test_validate_waits_for_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rounds(monkeypatch, lambda: (tmp_path / "mine.rules").write_text(RULES, encoding="utf-8"))
    assert main(["validate", "mine", "--watch"]) == 0
    first, second, _ = capsys.readouterr().out.split("Waiting for changes; Ctrl-C ends.")
    assert "R210" in first or "R201" in first
    assert "mine: no problems" in second


def test_a_parent_that_changes_is_seen(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a layer hooks on is gone: the complaint is about the layer."""
    (tmp_path / "mine.rules").write_text('layer mine over game "Mine"\n\nafter turn(who): log "{who} is done."\n', encoding="utf-8")
    manifest = (game / "ruleset.yaml").read_text(encoding="utf-8")
    save(game / "ruleset.yaml", manifest.replace("id: tic_tac_toe", "id: game"))
    rounds(monkeypatch, lambda: save(game / "tic_tac_toe.rules", RULES.replace("turn(", "go(")))
    assert main(["validate", "mine", "--watch"]) == 0
    first, second, _ = capsys.readouterr().out.split("Waiting for changes; Ctrl-C ends.")
    assert "mine: no problems" in first
    assert "mine.rules:3" in second


# -- test


def test_scenarios_again(game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that has changed those in it, by rules that are not loaded again; all if the rules have."""
    played: list[str] = []
    built: list[object] = []

    def counted(scenario: Any, at: Any) -> Any:
        played.append(scenario.name)
        return run_scenario(scenario, at)

    def build(*given: Any, **more: Any) -> Any:
        built.append(given)
        return build_sources(*given, **more)

    monkeypatch.setattr("rulewright.scenario.run_scenario", counted)
    monkeypatch.setattr("rulewright.scenario.stage.build_sources", build)
    rounds(
        monkeypatch,
        lambda: save(game / "scenarios" / "two.yaml", SCENARIO.format("Other").replace("board_2_2 holds", "board_1_1 holds")),
        lambda: save(game / "tic_tac_toe.rules", RULES.replace("move a mark from who.marks to target", "nothing")),
        lambda: save(game / "tic_tac_toe.rules", RULES),
        lambda: save(game / "scenarios" / "three.yaml", SCENARIO.format("Three")),
    )
    assert main(["test", "game", "--watch"]) == 0
    parts = capsys.readouterr().out.split("Waiting for changes; Ctrl-C ends.")
    assert played == ["One", "Two", "Other", "One", "Other", "One", "Other", "One", "Three", "Other"]
    assert len(built) == 4
    assert "2 scenarios, all passed" in parts[0]
    assert "FAIL  Other" in parts[1]
    assert "2 scenarios, 1 failed" in parts[1]
    assert "2 scenarios, 2 failed" in parts[2]
    assert "2 scenarios, 1 failed" in parts[3]
    assert "3 scenarios, 1 failed" in parts[4]


@pytest.mark.parametrize("line", [["validate", "tic_tac_toe", "--watch", "--dump", "graph"], ["test", "tic_tac_toe", "--watch", "--mutate"]])
def test_what_does_not_go_together_is_refused(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    assert "do not go together" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_ends_it_quietly(game: Path) -> None:
    """In a process of its own, at a real clock: a change is seen, Ctrl-C ends with 0 and without a trace."""
    command = [sys.executable, "-u", "-m", "rulewright_tools", "validate", "game", "--watch"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=game.parent,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # whoever runs the tests in the background ignores it
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "game: no problems\n"
        assert "Waiting" in process.stdout.readline()
        save(game / "tic_tac_toe.rules", RULES + "\neffect odd(): missing(1)\n")
        while "Waiting" not in (line := process.stdout.readline()):
            assert line
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr.read() == ""


# -- play


def watched(game: Path) -> tuple[Session, Renewal]:
    """A game of which one choice has been made, and who looks after its rules."""
    rules = load(game, engine="step")
    made = rules.new_game(2, 1)
    made.choose(0)
    session = Session(made, chairs_of("me,ann", 2, 2, None, 1))
    return session, Renewal(session)


def test_a_game_goes_on_by_rules_that_were_saved(game: Path) -> None:
    """The choices made stay made; what comes is told in the new words."""
    session, renewal = watched(game)
    assert renewal.news() is None
    save(game / "tic_tac_toe.rules", RULES.replace("{who} takes row", "{who} grabs row"))
    news = renewal.news()
    assert news is not None
    assert news.renewed
    assert renewal.news() is None
    assert len(session.game.choices) == 1
    session.choose(session.game.decision.options[0].id)  # type: ignore[union-attr]  # it goes on
    assert any("grabs row" in line.text for line in session.table().story.values())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RULES + "\nnonsense here\n", "neither a kind nor a word"),
        (RULES.replace("3 by 3", "4 by 4"), "does not fit"),
        (None, "there is no such file"),
    ],
    ids=["broken", "unfit", "gone"],
)
def test_a_game_goes_on_by_the_old_rules_if_the_new_ones_will_not_do(game: Path, text: str | None, told: str) -> None:
    """And by the next ones that will."""
    session, renewal = watched(game)
    before = session.game
    if text is None:
        (game / "tic_tac_toe.rules").unlink()
    else:
        save(game / "tic_tac_toe.rules", text)
    news = renewal.news()
    assert news is not None
    assert not news.renewed
    assert told in news.told
    assert "by the rules as they were" in news.told
    assert session.game is before
    save(game / "tic_tac_toe.rules", RULES + "# mended\n")
    assert (news := renewal.news()) is not None
    assert news.renewed


def test_play_line_by_line_with_rules_that_change(game: Path) -> None:
    """What was typed before the new rules were read is asked for again; broken ones are shown, and what was typed counts."""
    session, renewal = watched(game)
    shown: list[str] = []
    rules = game / "tic_tac_toe.rules"

    def typed() -> Iterator[str | None]:
        save(rules, RULES.replace("{who} takes row", "{who} grabs row"))
        yield "1"
        assert len(session.game.choices) == 1
        save(rules, RULES + "\nnonsense here\n")
        yield "1"
        assert len(session.game.choices) == 2
        yield None

    lines = typed()
    assert not play(session, Screen(shown.append, lambda prompt: next(lines)), renewal)
    assert any("The game goes on by them." in line for line in shown)
    assert any("nonsense" in line for line in shown)
    assert any("grabs row" in line for line in shown)


def test_a_screen_with_rules_that_change(game: Path) -> None:
    """A whole screen looks at the rules by itself; a window tells of broken ones."""
    pytest.importorskip("textual")
    import asyncio

    from rulewright_tools.play.app import PlayApp
    from rulewright_tools.play.windows import Info

    async def steps() -> None:
        session, renewal = watched(game)
        app: Any = PlayApp(session, renewal)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            before = session.game
            save(game / "tic_tac_toe.rules", RULES.replace("{who} takes row", "{who} grabs row"))
            for _ in range(100):
                await pilot.pause(0.05)
                if session.game is not before and not app.busy:
                    break
            assert session.game is not before
            save(game / "tic_tac_toe.rules", RULES + "\nnonsense here\n")
            for _ in range(100):
                await pilot.pause(0.05)
                if isinstance(app.screen, Info):
                    break
            assert isinstance(app.screen, Info)

    asyncio.run(steps())
