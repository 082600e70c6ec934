"""Guesses at what a misspelt name meant: few, quick, and only the likely ones.

A ruleset may have thousands of names and hundreds of mistakes, and a guess is a courtesy. So names are first compared by length, by their letters
and by how they begin and end, all of which is cheap; only the handful that is left is compared in full. A `Guesser` has so much effort for a whole
pass and then guesses no more.
"""

from __future__ import annotations

import difflib
import functools
import heapq
from collections.abc import Collection, Iterable

EFFORT = 250_000  # names looked at in one pass
COMPARED = 12  # names compared in full for one guess
SHORTEST = 4  # letters of a word that is looked for inside longer names
FEW = 3  # of such names; among more nobody can tell which was meant


def near_miss(word: str, known: Iterable[str], likeness: float = 0.7) -> str | None:
    """The known name that a misspelt word most likely meant, or None."""
    possible = _possible(word, known, likeness)
    if len(possible) > COMPARED:
        possible = heapq.nlargest(COMPARED, possible, key=lambda name: _shared_ends(word, name))
    found = difflib.get_close_matches(word, possible, n=1, cutoff=likeness)
    letters = sorted(word)
    return found[0] if found else next((each for each in possible if len(each) == len(word) > 2 and sorted(each) == letters), None)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint that names the near miss, or None."""
    best = near_miss(word, known)
    return f"did you mean '{best}'?" if best is not None and best != word else None


class Guesser:
    """Guesses as long as there is effort left."""

    def __init__(self, effort: int = EFFORT) -> None:
        self.effort = effort

    def guess(self, word: str, known: Iterable[str]) -> str | None:
        """The near miss, or None."""
        names = known if isinstance(known, Collection) else list(known)
        if self.effort < 0:
            return None
        self.effort -= len(names)
        return near_miss(word, names)

    def longer(self, word: str, known: Iterable[str]) -> list[str]:
        """The few names of several words of which the word is the first or the last: `card` for `playing_card`."""
        names = known if isinstance(known, Collection) else list(known)
        if self.effort < 0 or len(word) < SHORTEST:
            return []
        self.effort -= len(names)
        for end in dict.fromkeys((word, word.removesuffix("s"))):
            if found := dict.fromkeys(name for name in names if name.endswith(f"_{end}") or name.startswith(f"{end}_")):
                return list(found) if len(found) <= FEW else []
        return []

    def hint(self, word: str, known: Iterable[str]) -> str | None:
        """A hint that names the near miss, or None."""
        best = self.guess(word, known)
        return f"did you mean '{best}'?" if best is not None and best != word else None


@functools.lru_cache(maxsize=65_536)
def _letters(word: str) -> int:
    """The letters of a word as a set of bits."""
    bits = 0
    for letter in set(word):
        bits |= 1 << (ord(letter) & 63)
    return bits


def _possible(word: str, known: Iterable[str], likeness: float) -> list[str]:
    """The names that may be alike enough, as far as their lengths and letters say: each letter that only one of two words has is a difference."""
    length, letters = len(word), _letters(word)
    short, long = length * likeness / (2 - likeness), length * (2 - likeness) / likeness
    found = []
    for name in known:
        if short <= len(name) <= long:
            other = _letters(name)
            shared = min(length - (letters & ~other).bit_count(), len(name) - (other & ~letters).bit_count())
            if 2 * shared >= likeness * (length + len(name)):
                found.append(name)
    return found


def _shared_ends(word: str, name: str) -> int:
    """How many letters two words begin and end with alike."""
    return _alike(word, name) + _alike(word[::-1], name[::-1]) - abs(len(word) - len(name))


def _alike(word: str, name: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (one, other) in enumerate(zip(word, name, strict=False)) if one != other), min(len(word), len(name)))
