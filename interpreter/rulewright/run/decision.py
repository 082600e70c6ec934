"""What callers are shown of a decision."""

from __future__ import annotations

from rulewright.decision import Decision, Option

__all__ = ["Decision", "Option"]
