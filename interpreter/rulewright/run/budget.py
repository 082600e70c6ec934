"""Budgets: a ruleset may not run for ever, recurse without bound, offer without end or fill the memory."""

from __future__ import annotations

import msgspec


class Budget(msgspec.Struct, frozen=True):
    """Bounds of a running game; what exceeds one is an error that names the effect."""

    steps: int = 200_000
    looks: int = 2_000_000
    depth: int = 150
    options: int = 2_000
    log: int = 500_000
