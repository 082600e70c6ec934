"""The messages of a connection, as JSON.

A client says who it is first (`join`), and then asks; each request has a number of its own, which the reply repeats. The server sends three sorts of messages:

    {"v": 1, ...}                             the first: the version of this protocol
    {"n": 7, "whole": {...}}                  everything these eyes may see
    {"n": 8, "of": 7, "patch": {...}}         what has changed since message 7, as a JSON merge patch
    {"to": 3, "ok": {...}}                    the answer to request 3
    {"to": 3, "refused": "...", "code": ".."} or why it is not done; without `to` the connection ends with it

Whatever else a client sends is refused, and ends the connection.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

VERSION = 1
Short = Annotated[str, Meta(max_length=200)]
Id = Annotated[str, Meta(max_length=600)]
Number = Annotated[int, Meta(ge=0, le=2**31)]


class Message(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """A request, with its number."""

    ask: Number


class Join(Message, tag="join"):
    """Who is there: a secret for a seat, or none for who looks on; and the language in which they read, such as `cs`, if not that of the server."""

    token: Short = ""
    name: Short = ""
    language: Short = ""


class Answer(Message, tag="answer"):
    """An option for a decision; `turn` says which, so that nobody answers the next one by mistake."""

    turn: Number
    option: Id


class Propose(Message, tag="propose"):
    """Ask for `undo`, or for the whole game as a `replay`."""

    what: Annotated[str, Meta(pattern="^(undo|replay)$")]


class Consent(Message, tag="consent"):
    """Agree to what somebody asks for, or not."""

    number: Number
    agrees: bool


class Rule(Message, tag="rule"):
    """What a rule says."""

    name: Id


class WhyNot(Message, tag="why_not"):
    """Why things are not offered: all actions, or what one thing is good for."""

    thing: Id = ""


class Story(Message, tag="story"):
    """Earlier lines of the story."""

    before: Number


class Go(Message, tag="go"):
    """In a game that is over: to a moment, seen by a player (0: who looks on)."""

    to: Number
    seat: Annotated[int, Meta(ge=0, le=99)] = 0


Request = Join | Answer | Propose | Consent | Rule | WhyNot | Story | Go
_decoder: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


class Malformed(ValueError):
    """A message that is none; says why."""


def decode(message: str | bytes) -> Request:
    """A request; raises `Malformed` for anything else."""
    try:
        return _decoder.decode(message)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)[:200]) from None


def encode(message: object) -> str:
    """A message as text: made once, however many are told."""
    return msgspec.json.encode(message).decode()


def hello() -> str:
    """The first message."""
    return encode({"v": VERSION})


def reply(to: int, ok: object) -> str:
    """An answer."""
    return encode({"to": to, "ok": ok})


def refusal(to: int | None, code: str, why: str) -> str:
    """Why something is not done."""
    return encode({**({} if to is None else {"to": to}), "refused": why, "code": code})
