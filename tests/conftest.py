"""Options of the test command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import cache, kept_rules, rules
from rulewright_tools import replay, run
from tests import playing

if "TEST_ENGINE" in os.environ:  # tests that do not say on which engine can be run on another one
    for function in (rules.load, rules.load_game):
        assert function.__kwdefaults__ is not None
        function.__kwdefaults__["engine"] = os.environ["TEST_ENGINE"]
    assert playing.rules_of.__defaults__ is not None
    playing.rules_of.__defaults__ = (*playing.rules_of.__defaults__[:-1], os.environ["TEST_ENGINE"])
    for option in (option for command in (replay.command, run.command) for option in command.params if option.name == "engine"):
        option.default = os.environ["TEST_ENGINE"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Golden files are rewritten when asked for, never by themselves."""
    parser.addoption("--update-playthroughs", action="store_true", help="rewrite tests/playthroughs from the games as they go now")
    parser.addoption("--update", action="store_true", help="rewrite files that are made from the code: schemas/core.schema.json")


@pytest.fixture(autouse=True, scope="session")
def nothing_of_the_core_is_kept() -> Iterator[None]:
    """Many tests change what rules mean or how modules are written: what comes of that is for nobody else. Those of the cache say so with `keeping`."""
    usual = cache.entry_path
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            cache,
            "entry_path",
            lambda kind, *made_from: None if kind in (kept_rules.KIND, "module", "tree", "document", "verdict") else usual(kind, *made_from),
        )
        patch.setattr(cache, "usual_entry_path", usual, raising=False)
        yield


@pytest.fixture
def keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in which everything is kept."""
    monkeypatch.setattr(cache, "entry_path", cache.usual_entry_path)  # type: ignore[attr-defined]
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"
