"""What the games say of how well they are known: the figures in their READMEs are counted from the declarations, and guesses are said to be guesses."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulewright import tree as t
from rulewright.resolve.linked import Linked
from rulewright.resolve.provenance import SOURCES, provenance, said_by, together
from rulewright_tools.cli import COMMANDS
from tests.playing import ROOT, built

RULESETS = ROOT / "rulesets"
HEAD = "| components | rulebook | card facts | our own | partly card facts | partly our own |"
COLUMNS = (*SOURCES, "partly facts", "partly own")
# What is counted of each: with the packages below it for a game, and what a layer itself declares.
TABLES = {
    "base": ("common", "base"),
    "lockdown": ("common", "lockdown"),
    "carnomorphs": ("carnomorphs",),
    "base_alt_board": ("base_alt_board",),
    "lockdown_surface": ("lockdown_surface",),
}


def sort_of(declaration: Any) -> tuple[str, int] | None:
    """What a declaration is counted as, and how often: components by their kind and in their copies; dice, tracks and numbers by what they are."""
    match declaration:
        case t.ComponentDecl():
            return declaration.kind, 1 if declaration.copies is None else declaration.copies
        case t.DieDecl():
            return declaration.what, 1
        case t.NumberDecl():
            return "number", 1
    return None


def counted(linked: Linked, packages: tuple[str, ...]) -> dict[str, Counter[str]]:
    """By kind: how many name which source, and how many say of some field that it is less well known; what names none is printed."""
    found: dict[str, Counter[str]] = {}
    for item in linked.items.values():
        sort = sort_of(item.declaration)
        if sort is not None and sort[1] and item.package in packages:
            known = together(item.path, item.declaration)
            source = known.source or "book"
            counts = found.setdefault(sort[0], Counter())
            counts[source] += sort[1]
            for worse in SOURCES[SOURCES.index(source) + 1 :]:
                counts[f"partly {worse}"] += sort[1] if worse in known.fields.values() else 0
    return found


def table(readme: str) -> list[tuple[tuple[str, ...], list[int]]]:
    """The rows: the kinds that each is about, in backticks, and its numbers."""
    rows = readme[readme.index(HEAD) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [(tuple(re.findall(r"`(\w+)`", row)), [int(cell.strip() or 0) for cell in row.split("|")[2:7]]) for row in rows]


# What no rulebook and no card fact tells, though the rest of the declaration is known.
GUESSED = {
    "base": {
        "flashlight": ["combat"], "preparation": ["claws"], "quest_item.unlock": ["cost"], "lose_pod.passengers": ["do"], "grow_up.injuries": ["do"],
    },
    "carnomorphs": {
        "mutation_cost": ["value"], "mutation.mutate": ["cost", "when"], "first_contact_protocol.goal_met": ["value"], "metamorphosis.use": ["do"],
    },
    "lockdown": {
        "noise_die": ["faces"], "combat_die": ["faces"], "advantage_die": ["faces"],
        "elevator": ["at"], "setup.elevator": ["place"], "emergency_staircase": ["copies", "home"],
        "explore_doors": ["items", "copies"], "css_all": ["copies"], "archive": ["computer"], "laboratory": ["colour", "computer"],
        "pistol": ["hits", "first_part", "second_part"], "taser": ["first_part", "second_part", "price"], "flamethrower": ["hits"],
        "assault_rifle": ["energy", "capacity", "found_ammo"], "reagent": ["copies", "price", "component"],
        "survivors_rifle": ["fee"], "battle_suit": ["ready"], "wail": ["ready", "price"],
        "vents": ["price"], "quarantine": ["price"], "search": ["copies"], "escape_to_bunker": ["cost"], "coolant_leak": ["direction"],
    },
    "lockdown_surface": {"mars_die": ["faces"], "surface_red": ["copies", "items"], "the_rover": ["stop"], "drive": ["cost"]},
    "base_alt_board": {"evacuation_section_a": ["home"], "room_10": ["sort"]},
}  # fmt: skip


@pytest.mark.parametrize("name", GUESSED)
def test_guesses_are_said_to_be_guesses(name: str) -> None:
    """Each of these fields is our own, and says so."""
    linked = built(RULESETS / name).linked
    assert linked is not None
    said = {one.path: one for one in provenance(linked)}
    assert {path: [field for field in fields if said[path].of(field) == "own"] for path, fields in GUESSED[name].items()} == GUESSED[name]


@pytest.mark.parametrize("name", TABLES)
def test_dice_and_tracks_say_where_their_faces_come_from(name: str) -> None:
    """No rulebook prints how many faces of a die show what, nor how long a track is."""
    linked = built(RULESETS / name).linked
    assert linked is not None
    dice = [item.declaration for item in linked.items.values() if isinstance(item.declaration, t.DieDecl)]
    assert dice
    assert [die.name for die in dice if said_by(die).of("faces" if die.what == "die" else "spaces") not in ("facts", "own")] == []


@pytest.mark.parametrize("name", TABLES)
def test_components_by_source(name: str) -> None:
    """Every component, die, track and number is in the table, in the row of its kind and under the source that it names."""
    linked = built(RULESETS / name).linked
    assert linked is not None
    found = counted(linked, TABLES[name])
    rows = table((RULESETS / name / "README.md").read_text(encoding="utf-8"))
    assert Counter(kind for kinds, _ in rows for kind in kinds) == Counter(found.keys())
    assert dict(rows) == {kinds: [sum(found[kind][column] for kind in kinds) for column in COLUMNS] for kinds, _ in rows}


@pytest.mark.parametrize("page", sorted(RULESETS.glob("*/README.md")), ids=lambda page: page.parent.name)
def test_commands_are_typed_as_in_the_main_readme(page: Path) -> None:
    """By the name that is on the PATH, in any folder; each names a command that there is."""
    text = page.read_text(encoding="utf-8")
    assert "tools/rulewright" not in text
    assert set(re.findall(r"(?:^    |`)rulewright ([a-z]+)", text, re.MULTILINE)) <= set(COMMANDS)
