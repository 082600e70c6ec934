"""Rules that were checked before are only skimmed where scenarios are played: everything that a scenario can name is there all the same, of the same type."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulewright.build
from rulewright.build import build
from rulewright.check import Checked, check, signatures
from rulewright.data import rulesets_folder
from rulewright.scenario import Stage, load_scenarios
from rulewright.scenario.play import run_scenario

NAMED = ("kinds", "definitions", "places", "dice", "tracks", "grids", "words", "numbers", "states", "effects", "values", "actions", "costs")


def named(checked: Checked) -> dict[str, Any]:
    """What can be named, with what is known of it without its body."""
    symbols = checked.symbols
    found: dict[str, Any] = {table: sorted(getattr(symbols, table)) for table in NAMED}
    found["types"] = {path: value["type"] for path, value in checked.values.items()}
    found["taken"] = {path: (one.what, one.parameters, one.gives, one.of) for path, one in [*symbols.effects.items(), *symbols.actions.items()]}
    found["of kinds"] = {
        name: [sorted(part) for part in (kind.fields, kind.places, kind.values, kind.effects)] for name, kind in symbols.kinds.items()
    }
    found["plurals"], found["groups"] = symbols.plurals, symbols.groups
    return found


@pytest.mark.parametrize("name", ["base", "lockdown", "carnomorphs", "examples/blight", "examples/whist", "house/chapel"])
def test_nothing_that_can_be_named_is_missed(name: str) -> None:
    """Whatever the bodies of effects do."""
    built = build(rulesets_folder() / name, staging=True)
    assert built.checked is not None
    assert built.linked is not None
    assert named(signatures(built.linked)) == named(built.checked)


def test_a_step_in_a_hook_can_be_named(tmp_path: Path) -> None:
    """Bodies with names in them are read."""
    rules = "phase play:\n    step first:\n        step inner: nothing\n    until play:\n        after first: nothing\n    end game\n"
    (tmp_path / "lone.rules").write_text(f"ruleset lone for 1 player\n{rules}", encoding="utf-8")
    built = build(tmp_path / "lone.rules")
    assert built.checked is not None, built.diagnostics
    assert built.linked is not None
    assert {"play.first", "play.first.inner"} <= set(built.checked.symbols.effects)
    assert named(signatures(built.linked)) == named(built.checked)


@pytest.mark.parametrize("told", ["exploration_tokens = 3", "no_such_thing is there", "round = true"])
def test_scenarios_are_told_the_same_of_rules_that_are_kept(told: str, keeping: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same words, though the rules are not checked a second time."""
    path = tmp_path / "one.yaml"
    path.write_text(f"name: One\nruleset: {rulesets_folder() / 'base'}\nthen:\n  - {told}\n", encoding="utf-8")

    def play() -> Any:
        (scenario,), _ = load_scenarios(path)
        outcome = run_scenario(scenario, Stage())
        return [str(each) for each in outcome.diagnostics], str(outcome.failure)

    checked: list[object] = []
    usual: Callable[..., Any] = check
    monkeypatch.setattr(rulewright.build, "check", lambda *given: (checked.append(given), usual(*given))[-1])  # type: ignore[func-returns-value]
    first = play()
    assert len(checked) == 1
    assert play() == first
    assert len(checked) == 1
