"""What only scenarios use is checked beside the rules, not together with them, wherever that tells the same; everywhere else nothing is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright.validate as module
from rulewright.build import build_sources
from rulewright.data import rulesets_folder
from rulewright.validate import validate

MANIFEST = (
    "id: game\ntitle: Game\nversion: '1'\ndescription: D.\nplayers: {min: 1, max: 2}\nfiles: [game.rules]\nstaging: {files: [staging.rules]SEAT}\n"
)
GAME = """\
kind lamp:
    lit: flag

lamp torch "Torch"

# They lay everywhere.
effect light(one: lamp): set one.lit to true

value lights: count of lamps where lit

phase play:
    light(torch)
    step look:
        if lights > 0: end game
    end game
"""
FINE = {
    "an effect": "effect darken(): set torch.lit to false\n",
    "that takes things": "effect put(what: lamp, on: flag):\n    set what.lit to on\n    light(what)\n",
    "a word of a comment": "effect lay(): light(torch)\n",
    "a hook": "after light(which): set which.lit to false\n",
    "two that call each other": "effect dim(): if torch.lit: dark()\neffect dark(): if torch.lit: dim()\n",
}
TOGETHER = {
    "a kind": "kind candle\n",
    "a value": "value dark = not (torch is lit)\n",
    "a word that the rules say": "effect look(): light(torch)\n",
    "a name that is taken": "effect lights(): light(torch)\n",
    "a name twice": "effect dim(): light(torch)\neffect dim(): light(torch)\n",
    "a word of the language": "effect set(): light(torch)\n",
    "an unknown name": "effect dim(): lihgt(torch)\n",
    "a wrong type": "effect dim(): light(3)\n",
    "an unknown event": "after lihgt(which): set which.lit to false\n",
    "an unknown kind": "effect dim(what: lampp): set torch.lit to true\n",
    "no end": "effect dim(): dim()\n",
    "a citation": "effect dim():\n    cite game.1\n    light(torch)\n",
    "a step": "effect dim():\n    step first: light(torch)\n",
    "what holds for a time": "effect dim():\n    until play:\n        after light(which): set which.lit to false\n",
    "a local name that is not used": "effect dim():\n    let much = 3\n    light(torch)\n",
    "what cannot be read": "effect dim(: light(torch)\n",
}


def game(folder: Path, staging: str, seat: str = "", layer: str | None = None) -> Path:
    """A game with something for scenarios."""
    (folder / "game").mkdir()
    for name, text in (("ruleset.yaml", MANIFEST.replace("SEAT", seat)), ("game.rules", GAME), ("staging.rules", staging)):
        (folder / "game" / name).write_text(text, encoding="utf-8")
    if layer is None:
        return folder / "game"
    (folder / "mine.rules").write_text(f'layer mine over game "Mine"\n{layer}', encoding="utf-8")
    return folder / "mine.rules"


def builds(target: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str], int]:
    """What is found besides the rules, what is found together with them, and how often everything was checked again for the former."""
    counted = []
    usual = build_sources
    with monkeypatch.context() as patch:
        patch.setattr(module, "build_sources", lambda *given, **more: (counted.append(given), usual(*given, **more))[-1])  # type: ignore[func-returns-value]
        found = [str(one) for one in validate(target).diagnostics]
        (_, *more) = counted
    with monkeypatch.context() as patch:
        patch.setattr(module, "_staging_alone", lambda *_: None)
        return found, [str(one) for one in validate(target).diagnostics], len(more)


@pytest.mark.parametrize("what", FINE)
def test_what_is_plain_is_checked_beside_the_rules(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once is enough, and nothing is missed."""
    assert builds(game(tmp_path, FINE[what]), monkeypatch) == ([], [], 0)


@pytest.mark.parametrize("what", TOGETHER)
def test_everything_else_is_checked_with_them(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong, or could be, is told in the same words."""
    found, expected, counted = builds(game(tmp_path, TOGETHER[what]), monkeypatch)
    assert found == expected
    assert counted == 1


@pytest.mark.parametrize(
    ("staging", "layer", "wrong"),
    [
        (FINE["an effect"], "remove effect light\n", True),
        ("effect dim(): light(torch)\n", "replace effect light(one: lamp, more: number): set one.lit to (more > 1)\n", True),
        ("effect dim(): light(torch)\n", "after light(which): set which.lit to false\n", False),
        ("effect dim(): light(torch)\n", "effect dim(): light(torch)\nafter play: dim()\n", True),
    ],
)
def test_a_layer_may_take_away_what_scenarios_use(staging: str, layer: str, wrong: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then that is found."""
    found, expected, counted = builds(game(tmp_path, staging, layer=layer), monkeypatch)
    assert found == expected
    assert bool(found) == wrong == bool(counted)


@pytest.mark.parametrize("seat", ["take", "darken", "nobody"])
def test_who_gets_a_part_is_given_it_by_an_effect_of_two(seat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when all is checked together."""
    staging = FINE["an effect"] + "effect take(who: player, part: lamp): if part.lit: light(part)\n"
    found, expected, _ = builds(game(tmp_path, staging, f", seat: {seat}"), monkeypatch)
    assert found == expected
    assert bool(found) == (seat != "take")


@pytest.mark.parametrize("name", ["base", "lockdown"])
def test_the_rulesets_of_the_project_are_checked_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what it is for."""
    assert builds(rulesets_folder() / name, monkeypatch) == ([], [], 0)
