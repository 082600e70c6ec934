"""Guesses at misspelt names: the likely ones are found, and however many names and mistakes there are, they cost little."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rulewright.build import build
from rulewright.guessing import Guesser, near_miss

NAMES = ["armory", "engine_room", "generator", "hibernatorium", "nest", "storage", "bridge", "move", "hall"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("amory", "armory"), ("armoury", "armory"), ("engineroom", "engine_room"), ("genreator", "generator"), ("nets", "nest"), ("mvoe", "move"),
     ("birdge", "bridge"), ("halll", "hall"), ("xylophone", None), ("", None), ("a", None)],
)  # fmt: skip
def test_near_misses_are_guessed_and_nothing_else(word: str, meant: str | None) -> None:
    """Letters left out, doubled, exchanged; and nothing for what is like nothing."""
    assert near_miss(word, NAMES) == meant


def test_the_right_one_of_many() -> None:
    """Among thousands of names that are alike the nearest is found."""
    assert near_miss("thng_01234", [f"thing_{number:05d}" for number in range(5_000)]) == "thing_01234"


def test_effort_is_bounded() -> None:
    """A guesser that has looked at its share of names guesses no more."""
    guesser = Guesser(effort=20)
    assert [guesser.guess("amory", NAMES) for _ in range(5)] == ["armory", "armory", "armory", None, None]


PLACES = "".join(f"kind k{number} is thing\n" for number in range(1_000))
MANY = {
    "names": ("".join(f"    move thng_{number:05d} to shelf\n" for number in range(200)), ""),
    "kinds": ("".join("    move a thing in shelf to shelf\n" for _ in range(500)), PLACES),
}


@pytest.mark.parametrize("case", MANY)
def test_two_thousand_components(case: str, tmp_path: Path) -> None:
    """2,000 components and 200 misspelt names, or very many kinds and moves, take about a second of processor time, and are given four."""
    body, more = MANY[case]
    things = "".join(f"thing thing_{number:05d} in shelf\n" for number in range(2_000))
    (tmp_path / "many.rules").write_text(f"kind thing\nplace shelf\n{more}{things}phase play:\n{body}")
    begin = time.process_time()
    built = build(tmp_path / "many.rules")
    assert time.process_time() - begin < 4
    assert len([one for one in built.diagnostics if one.code == "R301"]) == (200 if case == "names" else 0)
    assert case != "names" or built.diagnostics[0].hint == "did you mean 'thing_00000'?"


def test_a_layer_of_mistakes(tmp_path: Path) -> None:
    """300 changes of what is not there, over 2,000 components, cost little too."""
    things = "".join(f"thing thing_{number:05d} in shelf\n" for number in range(2_000))
    (tmp_path / "many.rules").write_text(f"kind thing:\n    size: 0..9\nplace shelf\n{things}phase play: nothing\n")
    (tmp_path / "over.rules").write_text("layer over over many\n" + "".join(f"set thng_{number:05d}.size to 3\n" for number in range(300)))
    begin = time.process_time()
    built = build(tmp_path / "over.rules")
    assert time.process_time() - begin < 4
    assert len([one for one in built.diagnostics if one.code == "R303"]) == 300
