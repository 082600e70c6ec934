"""Options of the test command."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
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


# Tests start hundreds of Pythons: what one of them has compiled the next need not compile again, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

QUICK = 2_000  # characters of a text that is parsed sooner than looked up


def pytest_addoption(parser: pytest.Parser) -> None:
    """Golden files are rewritten when asked for, never by themselves."""
    parser.addoption("--update-playthroughs", action="store_true", help="rewrite tests/playthroughs from the games as they go now")
    parser.addoption("--update", action="store_true", help="rewrite files that are made from the code: schemas/core.schema.json")


@pytest.fixture(autouse=True, scope="session")
def one_cache_for_all_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is made of rules is made once for all tests, of all workers, and for nobody else.

    While a test has anything replaced, nothing is kept and nothing taken: many tests change what rules mean or how modules are written. Verdicts are
    found anew each time. Tests of the cache itself ask for `keeping`.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept"
    usual, replacing = cache.entry_path, set[int]()

    def entry_path(kind: str, *made_from: str) -> Path | None:
        """In a folder for each kind, since all that is in a folder is listed at every writing."""
        if kind not in (kept_rules.KIND, "module", "tree", "document", "verdict"):
            return usual(kind, *made_from)
        if replacing or kind == "verdict" or (kind in ("tree", "document") and sum(map(len, made_from)) < QUICK):
            return None
        mark = hashlib.sha256("\0".join((kind, *made_from)).encode()).hexdigest()
        return folder / kind / f"{mark}.{kind}"

    def noting(change: Callable[..., None]) -> Callable[..., None]:
        def noted(patch: pytest.MonkeyPatch, of: object, *given: object, **named: object) -> None:
            if of is not os.environ:
                replacing.add(id(patch))
            change(patch, of, *given, **named)

        return noted

    def undo(patch: pytest.MonkeyPatch) -> None:
        undo_all(patch)
        replacing.discard(id(patch))

    undo_all = pytest.MonkeyPatch.undo
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "entry_path", entry_path)
        patch.setattr(cache, "usual_entry_path", usual, raising=False)
        patch.setattr(cache, "KEEP", 10_000)
        for change in ("setattr", "delattr", "setitem", "delitem"):
            patch.setattr(pytest.MonkeyPatch, change, noting(getattr(pytest.MonkeyPatch, change)))
        patch.setattr(pytest.MonkeyPatch, "undo", undo)
        replacing.clear()
        yield


@pytest.fixture
def keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in which everything is kept."""
    monkeypatch.setattr(cache, "entry_path", cache.usual_entry_path)  # type: ignore[attr-defined]
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"
