"""Differences word by word: two texts as rows of lines that belong together, with what is different inside them marked.

Takes two texts; gives `Row`s: a line of the first, a line of the second, or both. Lines that are the same stand side by side, and so do lines that resemble each other;
what has no counterpart stands alone. `folded` puts long stretches that are the same into one piece. Texts of any size are taken: where comparing would take long, lines
are compared as wholes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby

import msgspec

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
ALIKE = 0.5  # from here on, two lines count as one that was changed
MOST = 40_000  # pairs of lines, or of words, that are compared
AROUND = 2  # lines beside a difference that are not folded
FEWEST = 4  # lines that are worth folding

Parts = tuple[tuple[str, bool], ...]  # pieces of a line, and whether each is different


class Row(msgspec.Struct, frozen=True):
    """A line before and after; None where there is none."""

    old: Parts | None
    new: Parts | None

    @property
    def same(self) -> bool:
        """Whether nothing is different in it."""
        return self.old == self.new


def rows(old: str, new: str) -> list[Row]:
    """Two texts side by side."""
    before, after = (text.split("\n") if text else [] for text in (old, new))
    found: list[Row] = []
    for how, start, end, low, high in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if how == "equal":
            found += [Row(((line, False),), ((line, False),)) for line in before[start:end]]
        else:
            found += _aligned(before[start:end], after[low:high])
    return found


def folded(found: Sequence[Row]) -> list[tuple[bool, list[Row]]]:
    """Rows in pieces, each with whether it can be folded away: a long stretch that is the same, not beside a difference."""
    shown = {at for number, row in enumerate(found) if not row.same for at in range(number - AROUND, number + AROUND + 1)}
    shown.add(0)  # the line that says what it is
    stretches = [list(stretch) for hidden, stretch in groupby(range(len(found)), lambda number: number not in shown) if hidden]
    short = {number for stretch in stretches if len(stretch) < FEWEST for number in stretch}
    folds = set(range(len(found))) - shown - short
    pieces = groupby(range(len(found)), folds.__contains__)
    return [(fold, [found[number] for number in numbers]) for fold, numbers in pieces]


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    """Lines in place of others: those that resemble each other stand side by side, in order."""
    left = right = 0
    for one, other in _pairs(old, new):
        yield from (Row(_whole(line), None) for line in old[left:one])
        yield from (Row(None, _whole(line)) for line in new[right:other])
        yield changed(old[one], new[other])
        left, right = one + 1, other + 1
    yield from (Row(_whole(line), None) for line in old[left:])
    yield from (Row(None, _whole(line)) for line in new[right:])


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which lines belong together: those that make the greatest likeness in all, as in an alignment."""
    if len(old) * len(new) > MOST:
        return list(zip(range(len(old)), range(len(new)), strict=False))
    best: dict[tuple[int, int], float] = {}
    like = {(one, other): _likeness(old[one], new[other]) for one in range(len(old)) for other in range(len(new))}
    for one in reversed(range(len(old))):
        for other in reversed(range(len(new))):
            paired = best.get((one + 1, other + 1), 0.0) + like[one, other] if like[one, other] >= ALIKE else 0.0
            best[one, other] = max(paired, best.get((one + 1, other), 0.0), best.get((one, other + 1), 0.0))
    pairs, one, other = [], 0, 0
    while one < len(old) and other < len(new):
        here = best[one, other]
        if like[one, other] >= ALIKE and here == best.get((one + 1, other + 1), 0.0) + like[one, other]:
            pairs.append((one, other))
            one, other = one + 1, other + 1
        elif here == best.get((one + 1, other), 0.0):
            one += 1
        else:
            other += 1
    return pairs


def _likeness(old: str, new: str) -> float:
    """How much of two lines is the same, from 0 to 1, and a little more if they begin alike."""
    before, after = re.findall(r"\w+", old), re.findall(r"\w+", new)
    if not before or not after or len(before) * len(after) > MOST:
        return 0.0
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return matcher.ratio() + 0.1 * (before[0] == after[0]) if matcher.quick_ratio() >= ALIKE - 0.1 else 0.0


def changed(old: str, new: str) -> Row:
    """Two lines that belong together, with the words marked that are different."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    if len(before) * len(after) > MOST:
        return Row(_whole(old), _whole(new))
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for how, start, end, low, high in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left.append(("".join(before[start:end]), how != "equal"))
        right.append(("".join(after[low:high]), how != "equal"))
    return Row(_joined(left), _joined(right))


def _joined(parts: Sequence[tuple[str, bool]]) -> Parts:
    """Pieces without empty ones; a space between two marked words is marked with them."""
    found: list[tuple[str, bool]] = []
    for text, marked in parts:
        if not text:
            continue
        if found and marked and len(found) > 1 and not found[-1][0].strip() and found[-2][1]:
            found[-2:] = [(found[-2][0] + found[-1][0], True)]
        if found and found[-1][1] == marked:
            found[-1] = (found[-1][0] + text, marked)
        else:
            found.append((text, marked))
    return tuple(found)


def _whole(line: str) -> Parts:
    """A line that is different as a whole, but for the space it begins with."""
    words = line.lstrip()
    return _joined([(line[: len(line) - len(words)], False), (words, True)])
