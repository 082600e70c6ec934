"""Rulewright: a small declarative language for board games, and an interpreter that knows no game."""

from __future__ import annotations

__version__ = "0.1.0"
