"""Asking the others: something that takes away what somebody has seen, or shows what somebody may not know, happens when those whom it concerns agree.

Undo needs nobody where nothing was revealed since. Otherwise it needs every other person who was told anything since; and where nobody else was, so that the one who
asks alone has seen something, every other person. To carry the whole game home while it goes on, with all its secrets, needs every other person. Bots always agree.
"""

from __future__ import annotations

import msgspec


class Proposal(msgspec.Struct):
    """A question to the others: what `by` wants, who still has to agree, and until when."""

    number: int
    what: str  # undo, or replay
    by: int
    needs: set[int]
    until: float
    count: int = 0  # of choices to take back


def who_is_asked(by: int, people: set[int], told: set[int]) -> set[int]:
    """Who has to agree that something is taken back: the people who were told something since, if there are any besides the one who asks."""
    others = people - {by}
    return others & told or others
