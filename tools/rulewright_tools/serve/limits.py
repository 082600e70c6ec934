"""Limits: how much anybody who can reach the server may ask of it. What exceeds one is refused with a reason, and no other game notices."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The bounds of one server; sizes in bytes, times in seconds."""

    connections: int = 4_000
    connections_of_a_game: int = 200
    message: int = 4_096
    messages_a_second: float = 10
    messages_at_once: int = 40
    replies_waiting: int = 50
    patience: float = 15  # how long somebody may take to read what was sent
    silence: float = 10  # how long somebody may take to say who they are
    request: int = 64_000
    sending: float = 60  # how long somebody may take to send a request
    games: int = 5_000  # that are not in the archive
    games_a_minute: int = 300
    choices: int = 20_000  # of one game
    name: int = 40
    replay: int = 8_000_000
    replays: int = 500
    ruleset: int = 200_000
    rulesets: int = 50
    ruleset_seconds: float = 30
    ruleset_memory: int = 1_500_000_000
    idle: float = 300  # until a game that nobody looks at leaves the memory
    finished: float = 3_600  # until a game that is over goes to the archive
    abandoned: float = 30 * 86_400  # until a game that nobody has touched does
    consent: float = 180  # how long a question to the others stays open


class Rate:
    """A bucket of tokens: so many at once, and so many more every second."""

    __slots__ = ("_at", "_left", "_most", "_speed")

    def __init__(self, speed: float, most: float, now: float) -> None:
        self._speed, self._most, self._left, self._at = speed, most, most, now

    def take(self, now: float) -> bool:
        """Whether one more is within the limit."""
        self._left = min(self._most, self._left + (now - self._at) * self._speed)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
