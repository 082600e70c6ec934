"""A linked ruleset to a checked one: every name understood, every type compared, every body read.

Takes `Linked`; gives `Checked`: the symbols, and for everything that happens its drafts of graph nodes (see `statements.py`). Complains about all it
finds: types, ranges, unknown and unused names, a match that misses a case, actions that can never be taken, hooks on nothing, secrets told.
"""

from __future__ import annotations

from rulewright.check.units import Checked, check, signatures

__all__ = ["Checked", "check", "signatures"]
