"""The translations that come with the program: nothing is missing, whole games are told in them, and who may know what is the same in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from rulewright import Game, load
from rulewright.catalog import Catalog, template
from rulewright.localize import missing, subject
from rulewright.rules import Rules

# Of each translation, the rules that show all that the package says, and those without it, if they are a game.
TRANSLATED = {
    ("common", "cs"): (["base", "lockdown"], []),
    ("base", "cs"): (["base"], []),
    ("lockdown", "cs"): (["lockdown"], []),
    ("carnomorphs", "cs"): (["carnomorphs"], ["base"]),
    ("lockdown_surface", "cs"): (["lockdown_surface"], ["lockdown"]),
    ("base_alt_board", "cs"): (["base_alt_board"], ["base"]),
    ("common", "ru"): (["base", "lockdown"], []),
    ("base", "ru"): (["base"], []),
    ("base_alt_board", "ru"): (["base_alt_board"], ["base"]),
}
GAMES = [("base", "cs", 3), ("lockdown", "cs", 3), ("carnomorphs", "cs", 2), ("base", "ru", 2)]
TOLD = ("message", "reason", "text")  # what a log line or a reason says may be newer than its translation, and is told in English then


@cache
def rules(name: str) -> Rules:
    return load(name)


@pytest.fixture(scope="module", autouse=True)
def _done() -> Iterator[None]:
    """Modules go before the interpreter does."""
    yield
    rules.cache_clear()


@pytest.mark.parametrize(("package", "language"), TRANSLATED)
def test_nothing_is_missing(package: str, language: str) -> None:
    """Every name, word, question and option; and nearly every log line and reason."""
    used, below = ([rules(name) for name in names] for names in TRANSLATED[package, language])
    of = subject(used, package, below)
    locales = [locale.data for rule in used[:1] for each in rule.packages for locale in each.locales if locale.data["language"] == language]
    waiting = missing(of.entries, Catalog(language, locales))
    assert [entry.key for entry in waiting if entry.what not in TOLD] == []
    told = [entry for entry in of.entries if entry.what in TOLD]
    assert len(waiting) <= len(told) // 3, [entry.key for entry in waiting]


@pytest.mark.parametrize(("package", "language"), TRANSLATED)
def test_what_stands_in_braces_is_said(package: str, language: str) -> None:
    """A translation names everything that its text names."""
    used = rules(TRANSLATED[package, language][0][0])
    for each in (one for one in used.packages if one.id == package):
        for locale in (one for one in each.locales if one.data["language"] == language):
            for text, said in (locale.data.get("texts") or {}).items():
                assert set(template(text)[1]) == set(template(said)[1]), text


def played(name: str, players: int, seed: int = 7, most: int = 400) -> Game:
    """A game by random choices, with what was asked on the way."""
    game, dice = rules(name).new_game(players=players, seed=seed), Random(seed)
    for _ in range(most):
        ask = game.decision
        if ask is None:
            break
        game.choose(dice.randrange(len(ask.options)))
    return game


@pytest.mark.parametrize(("name", "language", "players"), [GAMES[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in GAMES[1:])])
def test_a_whole_game_is_told(name: str, language: str, players: int) -> None:
    """Every question, option and event, as every player reads it: no name in English that has another one here."""
    used = rules(name)
    catalog = used.catalog(language)
    foreign = english_names(used, catalog)
    game, dice = used.new_game(players=players, seed=3), Random(3)
    read = 0
    for _ in range(300):
        ask = game.decision_in(language)
        if ask is None:
            break
        for text in (ask.prompt, *(option.label for option in ask.options)):
            assert not foreign.search(text), text
        for player in (None, *range(1, players + 1)):
            for entry in game.log(player, start=read, language=language):
                assert entry["kind"] == "message" or not foreign.search(entry["text"]), entry["text"]
                assert not foreign.search(entry["phase"] or ""), entry["phase"]
        read = game.log_length
        game.choose(dice.randrange(len(ask.options)))


def english_names(used: Rules, catalog: Catalog) -> re.Pattern[str]:
    """The names that nobody may read in another language."""
    graph = used.graph
    tables = ("components", "places", "actions", "tracks", "dice")
    labels = {declared["label"]: catalog.names.get(path) for table in tables for path, declared in graph[table].items()}
    names = {label for label, said in labels.items() if said is not None and label not in catalog.names.values() and len(label) > 3}
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r"|Player \d)\b")


@pytest.mark.parametrize(("name", "language", "players"), [GAMES[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in GAMES[1:])])
def test_who_may_know_what_is_the_same_in_every_language(name: str, language: str, players: int) -> None:
    """The same entries, nothing more and nothing less; and what a player cannot know makes no difference to what is read."""
    game = played(name, players, most=120)
    hidden = Catalog(language, [{"texts": {"x": "y"}}]).say("something"), game.rules.catalog(language).say("something")
    for player in (None, *range(1, players + 1)):
        here, there = game.log(player), game.log(player, language=language)
        assert [shape(entry, hidden[0]) for entry in here] == [shape(entry, hidden[1]) for entry in there]
    other = game.imagine(1, seed=5)
    assert other.log(1, language=language) == game.log(1, language=language)
    assert other.view(1, language=language) == game.view(1, language=language)
    if game.decision is not None and game.decision.player == 1:
        assert other.decision_in(language) == game.decision_in(language)


def shape(entry: dict[str, Any], hidden: str) -> tuple[Any, ...]:
    """What an entry tells, apart from its words."""
    unknown = entry["text"].split(" ")[0].rstrip(":") == hidden if entry["kind"] == "move" else False
    return entry["number"], entry["kind"], entry["cause"], tuple(entry["cites"]), entry["depth"], unknown


def test_ids_are_the_same_in_every_language() -> None:
    """So whoever reads another language chooses the same."""
    game, dice = rules("base").new_game(players=2, seed=4), Random(4)
    for _ in range(100):
        english, czech, russian = game.decision, game.decision_in("cs"), game.decision_in("ru")
        if english is None or czech is None or russian is None:
            break
        assert [option.id for option in english.options] == [option.id for option in czech.options] == [option.id for option in russian.options]
        assert english.player == czech.player == russian.player
        game.choose(czech.options[dice.randrange(len(czech.options))])
