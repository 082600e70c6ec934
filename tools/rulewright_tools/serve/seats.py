"""Seats: who decides for each player, and the secrets by which people are let in.

A person's seat has a secret that is shown once, in a link; what is kept is its fingerprint. A secret can be replaced, and then the old one is known as such. An
open seat has none yet: whoever asks first gets one. Seats are plain data, so that a journal can hold them.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Any

import msgspec

from rulewright.bots import UnknownBot, make_bot

KINDS = ("person", "open", "bot")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class SeatError(ValueError):
    """Seats that cannot be; says why."""


class Seat(msgspec.Struct):
    """The seat of one player."""

    kind: str
    name: str = ""
    bot: str = ""
    mark: str = ""  # of the secret
    old: list[str] = []  # marks of those that were replaced

    def renew(self) -> str:
        """A new secret; the old one lets nobody in any more."""
        if self.mark:
            self.old = [*self.old[-9:], self.mark]
        secret = secrets.token_urlsafe(18)
        self.mark = mark_of(secret)
        return secret


def mark_of(secret: str) -> str:
    """The fingerprint of a secret; they are long and random, so it needs no salt."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()[:40]


def admits(mark: str, secret: str) -> bool:
    """Whether a secret is the one of a fingerprint."""
    return bool(mark) and hmac.compare_digest(mark, mark_of(secret))


def seat_of(seats: list[Seat], secret: str) -> tuple[int | None, str]:
    """The player (from 1) that a secret lets somebody play, and if it is nobody, why."""
    for number, seat in enumerate(seats, start=1):
        if admits(seat.mark, secret):
            return number, ""
    if any(admits(old, secret) for seat in seats for old in seat.old):
        return None, "This link has been replaced by a new one. Ask whoever began the game for it."
    return None, "This link does not belong to a seat of this game."


def clean_name(name: str, longest: int) -> str:
    """A name as people may give themselves: one line, nothing that cannot be seen or turns the text around."""
    return " ".join(_UNSEEN.sub("", name).split())[:longest].strip()


def read_seats(wanted: Any, players: int, longest: int) -> list[Seat]:
    """Seats as a request names them: `{"kind": "person" | "open" | "bot", "name": ..., "bot": ...}` for each player."""
    if not isinstance(wanted, list) or len(wanted) != players:
        raise SeatError(f"there must be a seat for each of the {players} players")
    found = []
    for each in wanted:
        if not isinstance(each, dict) or each.get("kind") not in KINDS:
            raise SeatError(f"a seat is for {', '.join(KINDS[:-1])} or {KINDS[-1]}")
        name, bot = each.get("name", ""), each.get("bot", "") if each["kind"] == "bot" else ""
        if not isinstance(name, str) or not isinstance(bot, str):
            raise SeatError("names are texts")
        if each["kind"] == "bot":
            check_bot(bot)
        found.append(Seat(each["kind"], clean_name(name, longest), bot))
    return found


# What can be chosen; a search may take its time, but not all of it.
BOTS = {"random": "Plays anything", "first": "Takes the first option", "mcts:40": "Thinks ahead"}


def check_bot(name: str) -> None:
    """Refuse what is no bot here."""
    if name not in BOTS:
        raise SeatError(f"there is no bot '{name[:40]}' here; there are {', '.join(BOTS)}")
    try:
        make_bot(name, 0)
    except UnknownBot as error:
        raise SeatError(str(error)) from None
