"""Options of the test command."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Golden files are rewritten when asked for, never by themselves."""
    parser.addoption("--update-playthroughs", action="store_true", help="rewrite tests/playthroughs from the games as they go now")
