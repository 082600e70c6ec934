"""Random edits of valid rulesets, and every change a layer can make of every path: no pass crashes, and the formatter never changes what is said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.build import Built, build, build_sources
from rulewright.format import format_text
from rulewright.sources import Sources, read_sources

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
# Layers over a large ruleset would only edit that ruleset again and again.
RULESETS = sorted(path.parent for path in [*ROOT.glob("rulesets/examples/*/ruleset.yaml"), *ROOT.glob("tests/passages/*/ruleset.yaml")])
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
                first = random.randrange(len(lines))
                some = lines[first : first + 20]
                random.shuffle(some)
                lines[first : first + 20] = some
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
@settings(max_examples=15, deadline=None)
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


GAME = """ruleset game
kind guest:
    mood: 0..9 = 5
    place bag
    effect sing(who: player)
    effect dance():
        step hop: log "hop"
    value charm(n: number): mood + n
    action wave "Wave":
        do:
            step up: log "up"
kind room is place:
    size: 1..4
    while size > 1:
        action rest "Rest":
            do: log "zzz"
guest bard in loft:
    mood 8
    sing:
        step low: log "la"
    after dance(): log "bow"
room loft: size 2
place street
number rent = 2
words manner: gruff | kind_hearted
die luck: hit, miss
track alarm: green, red
grid sea of room: 2 by 2
cost coins(who: player, amount: number):
    do: log "paid"
value bill(n: manner): rent
action pay "Pay":
    cost 1 coins
    do: log "{bill(gruff)}"
rule greeting: after welcome(who):
    step greet: log "hello"
effect welcome(who: guest): move who to loft
phase play:
    step arrive: for each guest in guests: welcome(guest)
    for each player in players: offer actions to player
"""
PATHS = [
    "guest", "guest.mood", "guest.bag", "guest.sing", "guest.dance", "guest.dance.hop", "guest.charm", "guest.wave", "guest.wave.up", "room", "room.rest", "bard",
    "bard.mood", "bard.sing", "bard.sing.low", "bard.copies", "loft", "street", "rent", "manner", "luck", "alarm", "sea", "coins", "bill", "pay", "greeting",
    "greeting.greet", "welcome", "play", "play.arrive", "player", "nothing_such", "guest.nothing_such", "play.arrive.nothing_such",
]  # fmt: skip
WORDS = [
    "kind",
    "place",
    "die",
    "track",
    "grid",
    "number",
    "effect",
    "phase",
    "step",
    "value",
    "action",
    "cost",
    "rule",
    "words",
    "guest",
    "room",
    "field",
    "all",
]
FORMS = [
    "replace kind {}", "replace kind {}:\n    paid: flag", "replace guest {} in street", "replace room {}: size 3", "replace place {}: a pile of guest", "replace die {}: one, two",
    "replace track {}: one, two", "replace grid {} of room: 1 by 1", "replace effect {}(): log \"x\"", "replace effect {}(who: guest)", "replace phase {}: log \"x\"",
    "replace step {}: log \"x\"", "replace value {}: 3", "replace value {}(n: number):\n    give n", "replace value {} gives number",
    "replace action {}:\n    do: log \"x\"", "replace cost {}(who: player, amount: number):\n    do: log \"x\"", "replace rule {}: after play: log \"x\"", "replace words {}: one | two",
    "insert step extra before {}: log \"x\"", "insert step extra after {}: log \"x\"", "set {} to 3", "set {} to 3 was 2", "set {} to street", "set {} to \"x\"",
    "add to kind {}: paid: flag", "add to {}: mood 3", "add to {}:\n    before play: log \"x\"", "add to words {}: sly",
    "before {}: log \"x\"", "instead of {}(who): log \"x\"", "change {}: result + 1", "cost of {} is 2 coins", "when {} runs out: log \"x\"", "when {} reaches red: log \"x\"",
    *(f"remove {word} {{}}" for word in WORDS),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_change_of_every_path(form: str, tmp_path: Path) -> None:
    """Whatever a layer does to whatever there is, it is done or refused: no crash, and a graph only if nothing is wrong."""
    (tmp_path / "game.rules").write_text(GAME)
    for path in PATHS:
        (tmp_path / "over.rules").write_text(f"layer over over game\n{form.format(path)}\n")
        built = build(tmp_path / "over.rules")
        assert (built.graph is None) == built.errors, path


def test_the_game_of_the_product_is_valid(tmp_path: Path) -> None:
    """What the product above changes has no mistakes of its own."""
    (tmp_path / "game.rules").write_text(GAME)
    assert [one for one in build(tmp_path / "game.rules").diagnostics if one.severity == "error"] == []
