"""Random edits of valid rulesets: whatever an author may type, no pass crashes, and the formatter never changes what is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interpreter.build import Built, build_sources
from interpreter.format import format_text
from interpreter.sources import Sources, read_sources

ROOT = Path(__file__).parent.parent
RULESETS = sorted(path.parent for path in [*ROOT.glob("rulesets/**/ruleset.yaml"), *ROOT.glob("tests/passages/*/ruleset.yaml")])
PIECES = [
    ":",
    "(",
    ")",
    ",",
    ".",
    "=",
    "\n",
    "\n    ",
    '"',
    "{",
    "}",
    "#",
    "where",
    "in",
    "of",
    "a",
    "the",
    "x3",
    "1",
    "none",
    "kind",
    "effect x(): stop\n",
]


def edited(text: str, random: Random) -> str:
    """The text with a few random edits: words dropped, doubled, swapped, letters changed, pieces put in, lines moved."""
    for _ in range(random.randint(1, 4)):
        position = random.randrange(len(text) + 1)
        end = min(len(text), position + random.randint(1, 12))
        match random.randrange(6):
            case 0:
                text = text[:position] + text[end:]
            case 1:
                text = text[:end] + text[position:end] + text[end:]
            case 2:
                text = text[:position] + random.choice(PIECES) + text[position:]
            case 3:
                text = text[:position] + chr(random.choice([random.randrange(32, 127), random.randrange(0x20, 0x2FFF)])) + text[end:]
            case 4:
                lines = text.split("\n")
                random.shuffle(lines[:20])
                a, b = random.randrange(len(lines)), random.randrange(len(lines))
                lines[a], lines[b] = lines[b], lines[a]
                text = "\n".join(lines)
            case 5:
                words = text.split(" ")
                a, b = random.randrange(len(words)), random.randrange(len(words))
                words[a] = words[b]
                text = " ".join(words)
    return text


def with_edit(sources: Sources, random: Random) -> Sources:
    """Some file of some package edited."""
    packages = list(sources.packages)
    number = random.randrange(len(packages))
    files = list(packages[number].files)
    if files:
        which = random.randrange(len(files))
        files[which] = replace(files[which], text=edited(files[which].text, random))
        packages[number] = replace(packages[number], files=tuple(files))
    return replace(sources, packages=tuple(packages))


def check_places(built: Built) -> None:
    """Every complaint points at a line that exists."""
    lines = {file.name: file.text.count("\n") + 1 for package in built.sources.packages for file in package.files}
    for diagnostic in built.diagnostics:
        assert 1 <= diagnostic.span.line <= lines.get(diagnostic.span.file, 10**6) + 1, diagnostic
        assert diagnostic.span.column >= 1, diagnostic


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
@settings(max_examples=25, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_edited_rulesets_never_crash(folder: Path, random: Random) -> None:
    """Parse, resolve, check and lower survive any edit, complain in the right file, and give a graph only if nothing is wrong."""
    sources, problems = read_sources(folder)
    assert problems == []
    built = build_sources(with_edit(sources, random))
    check_places(built)
    assert (built.graph is None) == built.errors


@settings(max_examples=100, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_formatting_edited_files(random: Random) -> None:
    """The formatter survives any edit too, and what it accepts it leaves alone the second time."""
    texts: Sequence[str] = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("tests/passages/*/*.rules"))]
    made, _ = format_text(edited(random.choice(texts), random), "edited.rules")
    if made is not None:
        assert format_text(made, "edited.rules")[0] == made
