"""A plugin of pytest: every ruleset that tests load is played in lockstep when they are done; `LOCKSTEP_REPORT` names the file for what came of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rulewright import RulesError
from rulewright import rules as api
from tests.lockstep import Different, Lockstep

LARGEST = 1_500  # nodes; what is larger is played by itself
FOUND: dict[str, dict[str, Any]] = {}
MADE = api.Rules.__init__


def noted(rules: api.Rules, built: Any, *rest: Any, **more: Any) -> None:
    """Make a ruleset, and note its graph."""
    MADE(rules, built, *rest, **more)
    if len(rules.graph["nodes"]) < LARGEST:
        FOUND.setdefault(rules.fingerprint, rules.graph)


def pytest_configure() -> None:
    """From now on rulesets are noted."""
    setattr(api.Rules, "__init__", noted)  # noqa: B010 - mypy sees a method that is assigned to otherwise


class Graph:
    """As much of what was built as a game needs."""

    def __init__(self, graph: dict[str, Any]) -> None:
        self.graph = graph


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Play what was noted."""
    different, failed, games = [], [], 0
    for graph in list(FOUND.values()):
        rules = api.Rules(Graph(graph), "noted", (), "walk")  # type: ignore[arg-type]
        low, high = rules.players
        for players in sorted({low, min(high, 3)}):
            try:
                together = Lockstep(rules, players)
                for seed in range(2):
                    together.play(seed, 60)
                    games += 1
            except Different as difference:
                different.append(f"{graph['ruleset']['id']} of {list(graph['effects'])[:9]} for {players}: {difference}")
                break
            except RulesError as error:
                failed.append(str(error))
    Path(os.environ["LOCKSTEP_REPORT"]).write_text(
        json.dumps({"games": games, "different": different, "failed": sorted(set(failed))}, indent=1), encoding="utf-8"
    )
