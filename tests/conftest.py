"""Options of the test command."""

from __future__ import annotations

import os

import pytest

from rulewright import rules
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
