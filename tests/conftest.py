"""Options of the test command."""

from __future__ import annotations

import os

import pytest

from rulewright import rules

if "TEST_ENGINE" in os.environ:  # any test can be run on another engine
    assert rules.load.__kwdefaults__ is not None
    rules.load.__kwdefaults__["engine"] = os.environ["TEST_ENGINE"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Golden files are rewritten when asked for, never by themselves."""
    parser.addoption("--update-playthroughs", action="store_true", help="rewrite tests/playthroughs from the games as they go now")
