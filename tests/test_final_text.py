"""What a declaration finally says: the text of it, read again, is the declaration that layers have made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright import tree as t
from rulewright.build import Built, build
from rulewright.final_text import FinalTexts
from rulewright.parse import parse_rules

# Every word of a layer, on declarations of every layout: blocks, single lines, with members and without.
GAME = """\
ruleset purse "Purse" for 1 to 2 players

words metal: copper | silver
state mood: metal = copper
number wage = 3

kind coin:
    metal: metal = copper
    worth: 0..9
    value price: worth
    effect ring(): nothing

coin penny "Penny" x10:
    worth 1
    price = 2
    ring:
        log "Ding."
coin crown
coin nugget:
    metal silver
coin token x2

place bank: a pile of coin

effect tidy():
    # nothing is where it was
    step first: log "First."
    step second:
        log "Second."

    # this one comes last
    step third: log "Third."  # the last
    step other:
        nothing

effect one_line(): log "One."

effect short():
    step only: nothing
    log "Short."

action rest "Rest":
    by player
    do: nothing

phase play:
    tidy()
    one_line()
    short()
    for each coin in coins: coin.ring()
    for each player in players: offer actions to player
    end game
"""
LAYER = """\
layer rich over purse

add to words metal: gold, tin
set wage to 4 was 3
set penny.label to "Farthing" was "Penny"
set crown.label to "Guinea"
set penny.copies to 12
set crown.copies to 2
more token x2: metal tin
set crown.metal to gold
set nugget.metal to gold
set mood to silver
set coin.metal to gold
set coin.worth to 2
remove step tidy.second
remove step short.only
replace step tidy.third:
    log "Third."
    log "And last."
insert step zero before tidy.first:
    log "Zero."
insert step fourth after tidy.third: log "Fourth."
replace in effect one_line:
    was: log "One."
    now:
        log "Two."
        log "Three."
replace in action rest:
    was: do: nothing
    now: do: log "{actor} rests."
add to kind coin:
    shiny: flag
add to crown: shiny
replace value penny.price: 7
replace effect penny.ring():
    log "Dong."
"""
OVER = """\
layer richer over rich

replace in step tidy.fourth:
    was: log "Fourth."
    now:
        log "Four."
        log "And more."
insert step fifth after tidy.fourth: log "Fifth."
set wage to 5
set crown.source to own
set wage.source to own
add to words metal: lead
"""
EXPECTED = """\
effect tidy():
    # nothing is where it was
    step zero:
        log "Zero."
    step first: log "First."

    # this one comes last
    step third:
        log "Third."
        log "And last."
    step fourth:
        log "Four."
        log "And more."
    step fifth: log "Fifth."
    step other:
        nothing"""


LANGUAGE = Path(__file__).parent / "language"


def written(node: Any) -> Any:
    """A declaration as plain data, without places, and without how it is cited and known."""
    if isinstance(node, tuple):
        return [written(each) for each in node if not isinstance(each, t.Cite | t.Source | t.Was)]
    if isinstance(node, t.Node):
        return [type(node).__name__, *(written(getattr(node, name)) for name in node.__struct_fields__ if name not in ("span", "source"))]
    return node


def misread(built: Built) -> dict[str, str]:
    """The texts of all that a layer has changed and that, read again, say something else."""
    assert built.linked is not None
    texts, wrong = FinalTexts(built), {}
    changed = {record.path for record in built.linked.changes}
    for key, item in built.linked.items.items():
        if item.declaration.span.file.endswith(".rules") and any(path == item.path or path.startswith(f"{item.path}.") for path in changed):
            text = texts.of(item.declaration)
            tree, problems = parse_rules(f"{text}\n", "again.rules")
            if problems or [written(each) for each in tree.declarations] != [written(item.declaration)]:
                wrong[key] = text
    return wrong


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """A game with a layer on it, and another on that."""
    for name, text in (("purse", GAME), ("rich", LAYER), ("richer", OVER)):
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    made = build(tmp_path / "richer.rules")
    assert [one.message for one in made.diagnostics if one.severity == "error"] == []
    return made


def text_of(built: Built, key: str) -> str:
    """What something finally says."""
    assert built.linked is not None
    return FinalTexts(built).of(built.linked.items[key].declaration)


def test_read_again_it_is_the_same(built: Built) -> None:
    """Whatever a layer has done, on whatever it has done it."""
    assert misread(built) == {}


@pytest.mark.parametrize("name", ["carnomorphs", *(pytest.param(name, marks=pytest.mark.slow) for name in ("lockdown", "base_alt_board"))])
def test_read_again_large_rulesets_are_the_same(name: str) -> None:
    """Everything that real expansions change."""
    assert misread(build(name)) == {}


def test_whatever_is_written_has_a_text() -> None:
    """The examples of the language, good and bad: there is always a text, and that of what a layer has changed is read again as the same."""
    wrong: dict[str, str] = {}
    for file in sorted(LANGUAGE.rglob("*.rules")):
        made = build(file)
        if made.linked is None:
            continue
        texts = FinalTexts(made)
        declared = [*(item.declaration for item in made.linked.items.values()), *(hook.declaration for hook in made.linked.hooks)]
        assert all(texts.of(each) for each in declared if each.span.file in made.texts)
        if "good" in file.parts and not made.errors:
            wrong |= {f"{file.relative_to(LANGUAGE)} {key}": text for key, text in misread(made).items()}
    # what is counted out is written in one line, and players are there without a declaration
    assert list(wrong) == ["layers/good/changes.rules player", "layers/good/products/main.rules pip"]


def test_comments_and_layout_stay(built: Built) -> None:
    """What stays is as it was written; what comes stands where it belongs, also if a layer above has changed it again."""
    assert text_of(built, "tidy()") == EXPECTED
    assert text_of(built, "one_line()") == 'effect one_line():\n    log "Two."\n    log "Three."'
    assert text_of(built, "short()") == 'effect short():\n    log "Short."'


def test_values_that_layers_set(built: Built) -> None:
    """In the line where they stand, or where they would."""
    assert text_of(built, "wage") == "number wage = 5, source own"
    assert text_of(built, "metal") == "words metal: copper | silver | gold | tin | lead"
    assert text_of(built, "mood") == "state mood: metal = silver"
    assert text_of(built, "penny").splitlines()[0] == 'coin penny "Farthing" x12:'
    assert text_of(built, "crown") == 'coin crown x2 "Guinea":\n    source own\n    metal gold\n    shiny'
    assert text_of(built, "nugget") == "coin nugget:\n    metal gold"
    assert "    worth: 0..9 = 2\n" in text_of(built, "coin")
