"""Scenarios: a state, what happens in it, and what must be true afterwards, written in YAML beside a ruleset.

`load_scenarios` reads a file; `run_scenario` checks the statements and expressions of one like rules, plays it and tells what came of it.

    file ──written──► Scenario ──stage──► a game at its start ──play, checks──► Outcome
"""

from __future__ import annotations

from rulewright.scenario.play import run_scenario
from rulewright.scenario.report import Failure, Outcome
from rulewright.scenario.stage import Stage
from rulewright.scenario.written import Scenario, load_scenarios

__all__ = ["Failure", "Outcome", "Scenario", "Stage", "load_scenarios", "run_scenario"]
