"""Differences word by word: what belongs together stands together, what is different is marked, and nothing is lost."""

from __future__ import annotations

import random
import time

import pytest

from rulewright_tools.word_diff import Parts, Row, changed, folded, rows


def told(found: list[Row]) -> list[str]:
    """Rows as text: what is different in brackets."""

    def side(parts: Parts) -> str:
        return "".join(f"[{text}]" if marked else text for text, marked in parts)

    lines = []
    for row in found:
        if row.same:
            lines.append(f"  {side(row.new or ())}")
        else:
            lines += [f"- {side(row.old)}"] if row.old is not None else []
            lines += [f"+ {side(row.new)}"] if row.new is not None else []
    return lines


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("number wage = 3", "number wage = 4", ["- number wage = [3]", "+ number wage = [4]"]),
        ("a\nb", "a\nb", ["  a", "  b"]),
        ("", "new one", ["+ [new one]"]),
        ("old one", "", ["- [old one]"]),
        ("", "", []),
        ("step one: kill(foe)", "step one: kill(foe, who)", ["- step one: kill(foe)", "+ step one: kill(foe[, who])"]),
        ("give the red coin", "give a blue coin", ["- give [the red] coin", "+ give [a blue] coin"]),
        ("    log it", "    entirely different", ["-     [log it]", "+     [entirely different]"]),
        (
            "effect x:\n    first(who)\n    last(who)",
            "effect x:\n    between()\n    last(whom)",
            ["  effect x:", "-     [first(who)]", "+     [between()]", "-     last([who])", "+     last([whom])"],
        ),
        ("if a: b()", "    if a: b()", ["- if a: b()", "+ [    ]if a: b()"]),
    ],
)
def test_rows(old: str, new: str, expected: list[str]) -> None:
    """Lines that resemble each other stand side by side."""
    assert told(rows(old, new)) == expected


def test_nothing_is_lost() -> None:
    """Whatever two texts say, both can be read off the rows, in order."""
    dice = random.Random(7)
    words = ["move", "coin", "to", "who", "(", ")", " ", "    ", "if", ":", "\n", "\n", "ü", "3"]
    for _ in range(200):
        old, new = ("".join(dice.choices(words, k=dice.randrange(40))) for _ in range(2))
        found = rows(old, new)
        for text, sides in ((old, [row.old for row in found]), (new, [row.new for row in found])):
            assert "\n".join("".join(part for part, _ in side) for side in sides if side is not None) == text


def test_long_stretches_fold() -> None:
    """What is the same folds but for the first line and two beside a difference; a few lines are not worth it."""
    old = "\n".join(f"line {number}" for number in range(30))
    pieces = folded(rows(old, old.replace("line 15", "line x")))
    assert [(fold, len(piece)) for fold, piece in pieces] == [(False, 1), (True, 12), (False, 5), (True, 12)]
    assert [fold for fold, _ in folded(rows(old, old.replace("line 5\n", "")))] == [False, True]
    assert folded([]) == []


def test_large_texts_are_compared_in_time() -> None:
    """Lines of thousands of words, and thousands of lines that have nothing in common."""
    start = time.process_time()
    row = changed("a b " * 5000, "b a " * 5000)
    assert row.old is not None
    rows("\n".join(f"old {number} x{number}" for number in range(2000)), "\n".join(f"new {number} y{number}" for number in range(2000)))
    assert time.process_time() - start < 5
