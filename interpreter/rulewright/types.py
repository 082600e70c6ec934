"""Types of the rules language: what a field may hold, an expression may be, a parameter takes.

Plain records and the few questions one asks of them. `LOST` stands where an earlier complaint makes every further one useless.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace


class Type(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type: flag, number, text, words, kind, place, set, list, none, or any."""

    how: str
    name: str = ""
    low: int | None = None
    high: int | None = None
    words: tuple[str | int, ...] = ()
    of: Type | None = None
    optional: bool = False


TABLE = "#table"  # a component that no author can name: its fields are the state of the table
SCORE = "#score"  # a field of players likewise, where the rules score
ANY = Type("any")
LOST = Type("any", "lost")
FLAG = Type("flag")
NUMBER = Type("number")
TEXT = Type("text")
NONE = Type("none")
PLACE = Type("place")
CHANCE = Type("chance")
DEED = Type("deed")


def kind_type(name: str) -> Type:
    """The type of a component of a kind."""
    return Type("kind", name)


def set_of(element: Type) -> Type:
    """The type of several things."""
    return Type("set", of=element)


def map_of(element: Type) -> Type:
    """The type of what each of several players chose."""
    return Type("map", of=element)


def words_of(*words: str | int) -> Type:
    """The type of one of several words."""
    return Type("words", words=tuple(dict.fromkeys(words)))


def element(of: Type) -> Type:
    """What a set or list holds; the type itself if it is neither."""
    return of.of if of.how in ("set", "list") and of.of is not None else of


def innermost(of: Type) -> Type:
    """What is in the end in sets of sets, and in what each of several players chose."""
    while of.of is not None:
        of = of.of
    return of


def many(of: Type) -> bool:
    """Whether a value of this type is several things."""
    return of.how in ("set", "list")


def with_article(noun: str) -> str:
    """`a coin`, `an arrow`."""
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def shown(of: Type) -> str:
    """A type in words, for messages."""
    tail = " or none" if of.optional else ""
    match of.how:
        case "kind":
            return with_article(of.name) + tail
        case "words":
            return " | ".join(str(word) for word in of.words[:8]) + (" | ..." if len(of.words) > 8 else "") + tail
        case "number" if of.low is not None and of.low == of.high:
            return f"the number {of.low}" + tail
        case "number" if of.low is not None:
            return f"a number from {of.low} to {of.high}" + tail
        case "number" | "flag" | "text" | "place":
            return f"a {of.how}" + tail
        case "set" | "list":
            return f"several of: {shown(of.of or ANY)}"
        case "map":
            return f"for each player {shown(of.of or ANY)}"
        case "track":
            return f"the track '{of.name}'"
        case "deed":
            return "an action"
        case "chance":
            return "chance"
        case "none":
            return "none"
    return "anything"


def shown_as(of: Type) -> str:
    """How a value of this type is told: what components are called by their label."""
    return "sort" if of.how == "words" and of.name else of.how


def pluralised(word: str) -> str:
    """The English plural of a noun, unless a kind says otherwise."""
    if word.endswith(("s", "x", "ch", "sh", "z")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


Inherits = Callable[[str, str], bool]


def fits(found: Type, wanted: Type, inherits: Inherits) -> bool:
    """Whether a value of one type may stand where the other is wanted."""
    if "any" in (found.how, wanted.how):
        return True
    if found.how == "none":
        return wanted.optional or wanted.how in ("set", "list", "none")
    if many(wanted) and many(found):
        return fits(element(found), element(wanted), inherits)
    if many(wanted) and not many(found):
        return fits(found, element(wanted), inherits)
    if wanted.how == "place" and found.how == "kind":
        return inherits(found.name, "place")
    if wanted.how == "kind" and wanted.name == "place" and found.how == "place":
        return True
    if found.how != wanted.how:
        return {found.how, wanted.how} == {"number", "words"} and any(isinstance(word, int) for word in found.words + wanted.words)
    if wanted.how == "kind":
        return inherits(found.name, wanted.name) or inherits(wanted.name, found.name)
    if wanted.how == "words":
        return bool(set(found.words) & set(wanted.words))
    return True


def common(left: Type, right: Type, nearest: Callable[[str, str], str | None]) -> Type | None:
    """The narrowest type that both fit; None if there is none. `nearest` gives the kind that two kinds or components share."""
    if "any" in (left.how, right.how):
        return left if left.how == "any" else right
    if "none" in (left.how, right.how):
        return replace(right if left.how == "none" else left, optional=True)
    optional = left.optional or right.optional
    if left.how == right.how == "kind":
        name = nearest(left.name, right.name)
        return replace(PLACE if name == "place" else kind_type(name), optional=optional) if name else None
    if left.how == right.how == "words":
        return replace(words_of(*left.words, *right.words), optional=optional)
    if left.how == right.how == "number" or ({left.how, right.how} == {"number", "words"} and fits(left, right, lambda *_: False)):
        return replace(NUMBER, optional=optional)
    if {left.how, right.how} == {"kind", "place"}:
        name = nearest(left.name or right.name, "place")
        return replace(PLACE, optional=optional) if name == "place" else None
    if many(left) or many(right):
        of = common(element(left), element(right), nearest)
        return set_of(of) if of else None
    return left if (left.how, left.name, left.of) == (right.how, right.name, right.of) else None


def out_of_range(value: int, wanted: Type) -> bool:
    """Whether a constant lies outside the range of a number type."""
    return wanted.how == "number" and wanted.low is not None and wanted.high is not None and not wanted.low <= value <= wanted.high
