"""Games read in other languages: every name, question, option and event has one place where its words come from, and nothing else depends on them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import load
from rulewright.catalog import Catalog, nearest, program_locale, program_locales, strange_holes, template, translation
from rulewright.rules import Rules
from rulewright.validate import validate
from rulewright_tools.table import Decision, Layout, look, refusals

ROOT = Path(__file__).parents[1]

INN = """\
kind guest:
    tired: flag
    mood: merry | sad = merry
    gold: 0..9 = 1

kind coin

kind player:
    place hand: a row of coin, seen by owner

place loft "Loft"
place till: a pile of coin, seen by nobody
guest bard "Bard" in loft
coin penny "Penny" x3 in till
die luck: 1, bad

action sing "Sing":
    by player
    when bard.mood is merry because "{bard} is too sad"
    do:
        log "{actor} hears {bard} sing, and {bard} has {bard.gold} gold."
        set bard.mood to sad

phase setup "Getting ready":
    for each player in players where seat = 1: draw a coin from till to player.hand

phase play "The evening":
    let face = roll luck
    if face = 1: set bard.gold to 1
    for each player in players ordered by seat:
        offer actions to player:
            "Go to bed, {player}": set bard.tired to true
    for each player in players ordered by seat:
        player chooses mood: one of merry, sad asking "How is {bard}?"
        set bard.mood to mood
    end game
"""
MANIFEST = 'id: inn\ntitle: The Inn\ntitles: {cs: Hostinec}\nversion: "1"\nfiles: [inn.rules]\nplayers: {min: 1, max: 3}\n'
CZECH = """\
language: cs
names:
  bard: Bard Vít
  penny: Groš
  loft: Půda
  till: Kasa
  luck: Kostka štěstí
  sing: Zpívat
  guest.mood: nálada
  guest.tired: znavení
  player.hand: ruka
  setup: Přípravy
  play: Večer
words: {merry: veselá, sad: smutná, bad: smůla}
texts:
  "{bard} is too sad": "příliš smutný host: {bard}"
  "{actor} hears {bard} sing, and {bard} has {bard.gold} gold.": "Zlaťáky: {bard.gold}. Zpívá {bard} a poslouchá {actor}."
  "Go to bed, {player}": "{player}: jít spát"
  "How is {bard}?": "Jaký je {bard}?"
"""


@pytest.fixture
def inn(tmp_path: Path) -> Rules:
    """A small game with a Czech translation."""
    return load(written(tmp_path, {"locale/cs.yaml": CZECH}))


def written(folder: Path, files: dict[str, str]) -> Path:
    """The inn in a folder, with further files."""
    for name, text in {"ruleset.yaml": MANIFEST, "inn.rules": INN, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def told(game: Any, player: int | None = None, **how: Any) -> list[str]:
    return [entry["text"] for entry in game.log(player, **how)]


def test_a_game_is_read_in_several_languages_at_once(inn: Rules) -> None:
    """The same decision, the same log: in Czech, in English, and in Czech again. Ids are the same in all."""
    game = inn.new_game(players=2, seed=1)
    czech, english = game.decision_in("cs"), game.decision
    assert czech is not None
    assert english is not None
    assert [option.label for option in czech.options] == ["Zpívat", "Hráč 1: jít spát"]
    assert [option.label for option in english.options] == ["Sing", "Go to bed, Player 1"]
    assert [option.id for option in czech.options] == [option.id for option in english.options]
    assert (czech.prompt, english.prompt) == ("Hráč 1: vyberte akci", "Player 1: choose an action")
    game.choose(czech.options[0])
    assert told(game, 1, language="cs")[-3:] == [
        "Hráč 1 volí: Zpívat",
        "Zlaťáky: 1. Zpívá Bard Vít a poslouchá Hráč 1.",
        "Bard Vít: nálada veselá → smutná",
    ]
    assert told(game, 1)[-3:] == ["Player 1 chooses Sing", "Player 1 hears Bard sing, and Bard has 1 gold.", "Bard: mood merry → sad"]
    assert [entry["phase"] for entry in game.log(1, language="cs")][-1] == "Večer"
    assert game.why_not(2, "sing", language="cs")[0]["reason"] == "příliš smutný host: Bard Vít"
    assert game.why_not(2, "sing")[0]["reason"] == "Bard is too sad"
    game.choose(1 if len(game.decision.options) > 1 else 0)  # type: ignore[union-attr]
    asked = game.decision_in("cs")
    assert asked is not None
    assert (asked.prompt, [option.label for option in asked.options]) == ("Jaký je Bard Vít?", ["veselá", "smutná"])
    assert [option.id for option in asked.options] == ["merry", "sad"]
    game.choose("sad")
    assert told(game, 1, language="cs")[-1] == "Hráč 1 volí: smutná (Jaký je Bard Vít?)"


def test_what_has_no_translation_is_told_as_it_is(inn: Rules) -> None:
    """Russian has the words of the program, and none of the inn."""
    game = inn.new_game(players=2, seed=1)
    game.choose("sing")
    assert told(game, 1, language="ru")[-3:] == ["Игрок 1 выбирает: Sing", "Игрок 1 hears Bard sing, and Bard has 1 gold.", "Bard: mood merry → sad"]


def test_views_have_other_labels_and_nothing_else(inn: Rules) -> None:
    """What a program reads in a view is the same in every language."""
    game = inn.new_game(players=2, seed=1)
    seen, plain = game.view(1, language="cs"), game.view(1)
    assert seen["places"]["loft"]["members"][0]["label"] == "Bard Vít"
    assert without_labels(seen) == without_labels(plain)
    assert game.view(1) == plain


def without_labels(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_labels(part) for key, part in value.items() if key != "label"}
    return [without_labels(each) for each in value] if isinstance(value, list) else value


def test_hidden_things_stay_hidden_in_every_language(inn: Rules) -> None:
    """Which coin it was is told to who sees it, by its name; to others by none."""
    game = inn.new_game(players=2, seed=1)
    assert "Groš: Kasa → ruka (Hráč 1)" in told(game, 1, language="cs")
    for player in (2, None):
        assert "něco: Kasa → ruka (Hráč 1)" in told(game, player, language="cs")
        assert len(told(game, player, language="cs")) == len(told(game, player))
    for player in (1, 2, None):
        assert ["Groš" in text for text in told(game, player, language="cs")] == ["Penny" in text for text in told(game, player)]


def test_a_table_is_read_in_another_language(inn: Rules) -> None:
    """Labels, fields, the story, the question and its options; who sits elsewhere reads the same in English, with the same ids."""
    game = inn.new_game(players=2, seed=1)
    czech, english = (look(game, 1, Layout(inn, 2, language)) for language in ("cs", None))
    assert czech.title == "Hostinec"
    bard = czech.things["bard"]
    assert (bard.label, bard.fields["nálada"]) == ("Bard Vít", "veselá")
    assert czech.places["player.1.hand"].label == "ruka"
    assert isinstance(czech.decision, Decision)
    assert isinstance(english.decision, Decision)
    assert czech.decision.prompt == "Hráč 1: vyberte akci"
    assert [line.text for line in czech.story.values()] == [line.text for line in game.story(1, language="cs")]
    assert list(czech.things) == list(english.things)
    assert [option.id for option in czech.decision.options] == [option.id for option in english.decision.options]
    assert english.things["bard"].label == "Bard"
    game.choose("sing")
    game.choose(0)
    assert refusals(game, 1, None, "cs")[0].label == "Zpívat"


def test_language_is_no_part_of_a_game(inn: Rules) -> None:
    """Saves, replays and choices are the same, whoever has read the game in whatever language."""
    one, other = inn.new_game(players=2, seed=1), inn.new_game(players=2, seed=1)
    while (ask := one.decision_in("cs")) is not None:
        one.log(1, language="cs")
        one.choose(ask.options[0])
        other.choose(0)
    assert one.save() == other.save()
    assert one.replay() == other.replay()


def test_what_chance_is_asked(inn: Rules) -> None:
    """A person with dice on the table reads the question in their language."""
    asked = inn.new_game(players=2, chance="ask").decision_in("cs")
    assert asked is not None
    assert (asked.prompt, [option.label for option in asked.options]) == ("Co padlo (Kostka štěstí)?", ["1", "smůla"])


def test_languages_that_there_are(inn: Rules) -> None:
    """A region is left out where nobody has translated for it; what is unknown is refused with what there is."""
    assert inn.languages == ("en", "cs", "ru")
    assert (inn.title("cs"), inn.title("ru"), inn.title()) == ("Hostinec", "The Inn", "The Inn")
    game = inn.new_game(players=1)
    assert told(game, language="cs-CZ") == told(game, language="cs")
    with pytest.raises(ValueError, match="'inn' has no translation into 'tlh'; there are: en, cs, ru"):
        game.log(language="tlh")
    with pytest.raises(TypeError, match="a language is named by a tag"):
        game.log(language=7)  # type: ignore[arg-type]


def test_a_layer_translates_over_what_lies_below(tmp_path: Path) -> None:
    """The later locale wins; what it does not say is taken from below."""
    written(tmp_path / "inn", {"locale/cs.yaml": CZECH})
    late = tmp_path / "late"
    late.mkdir()
    (late / "ruleset.yaml").write_text('id: late\ntitle: L\nversion: "1"\nparents: [../inn]\nfiles: [late.rules]\nlocales: [czech.yaml]\n')
    (late / "late.rules").write_text('guest monk "Monk" in loft\n')
    (late / "czech.yaml").write_text("language: cs\nnames: {bard: Bard Honza, monk: Mnich}\n", encoding="utf-8")
    game = load(late).new_game(players=1)
    members = game.view(1, language="cs")["places"]["loft"]["members"]
    assert [each["label"] for each in members] == ["Bard Honza", "Mnich"]
    assert game.decision_in("cs").options[0].label == "Zpívat"  # type: ignore[union-attr]


# -- texts


def test_a_text_is_found_by_its_shape() -> None:
    """What stands in braces may have another name, stand elsewhere, or be left out; signs that are meant themselves are kept."""
    catalog = Catalog("cs", [{"texts": {"{a} gives {b} to {c}.": "{c} má {b}.", "100 \\{": "sto \\{", "{x}{y}": "{y}{x}"}}])
    assert catalog.text((1, " gives ", 2, " to ", 3, ".")) == (2, " má ", 1, ".")
    assert catalog.plain("100 {") == "sto {"
    assert catalog.text((object(), object())) == (1, 0)
    assert catalog.text((1, " takes ", 2)) is None
    assert catalog.say("{who} gives {what} to {other}.", who="A", what="B", other="C") == "C má B."
    assert catalog.say("{who} sings.", who="A") == "A sings."
    assert Catalog().say("{who} sings.", who="{who}") == "{who} sings."


def test_braces_that_a_text_does_not_have() -> None:
    """They are told, and shown as they are written."""
    assert strange_holes("{a} and {b}", "{b} a {c}") == ["c"]
    assert translation("{a} runs", "{b} běží") == ("{} runs", ("{b}", " běží"))


@pytest.mark.parametrize(
    ("asked", "found"), [("cs", "cs"), ("CS", "cs"), ("cs-CZ", "cs"), ("cs_CZ", "cs"), ("pt-BR", "pt-BR"), ("pt", None), ("", None)]
)
def test_the_nearest_language(asked: str, found: str | None) -> None:
    """A tag with a region falls back to the language; a language never to a region."""
    assert nearest(asked, ["cs", "pt-BR"]) == found


# -- the program's own sentences


@cache
def sentences() -> set[str]:
    """Every sentence that the program says through a catalog, and those that the core is lowered with."""
    found = {"{who}: choose an action", "Choose one", "None", "None of these", "Done", "No"}
    for path in (
        *(ROOT / "interpreter").rglob("*.py"),
        *(ROOT / "tools" / "rulewright_tools").glob("*.py"),
        *(ROOT / "tools" / "rulewright_tools" / "table").glob("[!r]*.py"),  # what `rule_text` says is in the catalogue of the terminal and the page
    ):
        if path.name == "rule_text.py":  # which speaks in the words of the terminal and the page; those are looked at in test_play
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            said = getattr(name, "attr", getattr(name, "id", None)) in ("say", "Doubt")
            if isinstance(node, ast.Call) and said and node.args:
                found |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
            if (
                isinstance(node, ast.Assign)
                and [getattr(target, "id", None) for target in node.targets] == ["SENTENCES"]
                and path.name == "sentences.py"
            ):
                assert isinstance(node.value, ast.Dict)
                found |= {part.value for part in node.value.values if isinstance(part, ast.Constant) and isinstance(part.value, str)}
            if (
                isinstance(node, ast.Assign)
                and [getattr(target, "id", None) for target in node.targets] == ["OUTCOMES"]
                and path.name == "log_text.py"
            ):
                found |= {part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant) and " " in str(part.value)}  # type: ignore[misc]
    return found


@pytest.mark.parametrize("language", program_locales())
def test_the_program_is_translated(language: str) -> None:
    """Every sentence of the program, none that it no longer says, and with the same braces."""
    texts = program_locale(language)["texts"]
    shapes = {translation(each, each)[0] for each in sentences()}
    assert {translation(each, each)[0] for each in texts} == shapes
    for text, said in texts.items():
        assert not strange_holes(text, said), text
        assert set(template(text)[1]) == set(template(said)[1]), text


# -- what is wrong with a locale


def complaints(folder: Path, files: dict[str, str], manifest: str = MANIFEST) -> list[str]:
    found = validate(written(folder, {"ruleset.yaml": manifest, **files})).diagnostics
    return [f"{one.span.line}:{one.span.column} {one.code} {one.message} ({one.hint})" for one in found]


def test_the_inn_is_right(tmp_path: Path) -> None:
    """As it stands above, nothing is wrong with it; a section may be empty."""
    assert complaints(tmp_path, {"locale/cs.yaml": CZECH, "locale/ru.yaml": "language: ru\nnames:\nwords:\ntexts:\n"}) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("names: {brad: Bard}", "2:9 R220 nothing in 'inn' is called 'brad' (did you mean 'bard'?)"),
        ("words: {mery: veselá}", "2:9 R220 no word of 'inn' reads so (did you mean 'merry'?)"),
        ("texts: {'{bard} is too sadd': smutek}", "2:9 R220 no text of 'inn' reads so (did you mean '{bard} is too sad'?)"),
        ("texts: {'Once upon a time': Kdysi}", "2:9 R220 no text of 'inn' reads so (rulewright locale inn cs puts it aside)"),
        ("texts: {'{bard} is too sad': '{brad} smutní'}", "2:30 R221 the text that this translates has no '{brad}' (did you mean 'bard'?)"),
        (
            "texts: {'{bard} is too sad': '{host} smutní'}",
            "2:30 R221 the text that this translates has no '{host}' (the text has {bard}; what stands in braces is kept as it is)",
        ),
    ],
)  # fmt: skip
def test_a_locale_that_does_not_fit(tmp_path: Path, text: str, complaint: str) -> None:
    """Names, words, texts and braces that the rules do not have are told, with what was meant."""
    assert complaints(tmp_path, {"locale/cs.yaml": f"language: cs\n{text}\n"}) == [complaint]


def test_a_locale_of_the_wrong_language(tmp_path: Path) -> None:
    """That of the rules themselves, one that the name of the file does not say, and the same twice."""
    assert [one.split(" (")[0] for one in complaints(tmp_path / "a", {"locale/en.yaml": "language: en\n"})] == [
        "1:11 R219 'inn' is written in 'en' itself: there is nothing to translate"
    ]
    assert [one.split(" (")[0] for one in complaints(tmp_path / "b", {"locale/de.yaml": "language: cs\n"})] == [
        "1:11 R219 the file is called 'de', but its language is 'cs'"
    ]
    twice = complaints(tmp_path / "c", {"locale/cs.yaml": "language: cs\n", "czech.yaml": "language: cs\n"}, f"{MANIFEST}locales: [czech.yaml]\n")
    assert [one.split(" (")[0] for one in twice] == ["1:11 R219 'inn' has two translations into 'cs'"]


def test_a_locale_that_cannot_be_read_stops_no_language_silently(tmp_path: Path) -> None:
    """It is told like any other file that is wrong, also where it lies in the folder by itself."""
    assert [one.split(" (")[0] for one in complaints(tmp_path, {"locale/cs.yaml": "language: cs\nnames: [bard]\n"})] == [
        "2:1 R205 'names' must be a mapping or nothing, found a list"
    ]
