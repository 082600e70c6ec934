"""Bad input while playing: damaged saves, replays that do not fit, rulesets that run away. Each gets a clear error, and nothing is lost."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from rulewright import Game, Rules, RulesError, SaveError, load, load_game
from rulewright.game import saving
from rulewright.limits import Budget
from tests.playing import ROOT, play_on, rules_of


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load("tic_tac_toe")


@pytest.fixture(scope="module")
def deep() -> Game:
    """A game in the middle of nested effects."""
    game = load(ROOT / "tests" / "passages" / "base").new_game(2, seed=3)
    play_on(game, 3, 12)
    return game


def resigned(data: dict[str, Any]) -> dict[str, Any]:
    """A save with a checksum that fits again."""
    return {**data, "checksum": saving.checksum({key: part for key, part in data.items() if key != "checksum"})}


# -- saves


def test_a_truncated_save_is_refused_wherever_it_ends(rules: Rules, tmp_path: Path) -> None:
    """Every prefix of a save is no save."""
    game = rules.new_game(2)
    play_on(game, 1, 3)
    path = tmp_path / "game.json"
    game.save(path)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(SaveError):
            rules.load_game(path)


def test_a_save_with_flipped_bits_is_refused(rules: Rules, tmp_path: Path) -> None:
    """The checksum sees every change that the schema does not."""
    game = rules.new_game(2)
    play_on(game, 1, 3)
    path = tmp_path / "game.json"
    game.save(path)
    whole = path.read_bytes()
    dice = random.Random(7)
    for _ in range(150):
        place, bit = dice.randrange(len(whole)), 1 << dice.randrange(8)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :])
        with pytest.raises(SaveError):
            rules.load_game(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b'{"format": "rulewright sa', "it ends in the middle, after 25 characters"),
        (b'{"format": "rulewright save",', "it ends in the middle"),
        (b"{'format'}", "it is no JSON at line 1, column 2"),
        (b"\xff\xfe\x00", "it is not text"),
        (b'{"format": "rulewright replay"}', "not a save of rulewright, but a replay"),
        (b'{"format": ["rulewright"]}', "not a save of rulewright"),
        (None, "No such file"),
    ],
)
def test_a_file_that_is_no_save_is_told_in_words(rules: Rules, tmp_path: Path, content: bytes | None, message: str) -> None:
    """With the name of the file."""
    path = tmp_path / "game.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SaveError, match=f"game.json.*{message}"):
        rules.load_game(path)


def test_a_save_of_rules_that_are_gone_says_so(rules: Rules, tmp_path: Path) -> None:
    """Where the save is read with the rules it names."""
    data = rules.new_game(2).save()
    saving.write_file(tmp_path / "game.json", resigned({**data, "ruleset": {**data["ruleset"], "target": "nowhere"}}))
    with pytest.raises(SaveError, match=r"game.json' names rules that cannot be loaded: .*there is no ruleset 'nowhere'"):
        load_game(tmp_path / "game.json")


def test_a_save_that_cannot_be_written_names_the_file(rules: Rules, tmp_path: Path) -> None:
    """Not the one beside it that was to become it."""
    with pytest.raises(FileNotFoundError) as raised:
        rules.new_game(2).save(tmp_path / "nowhere" / "game.json")
    assert raised.value.filename == str(tmp_path / "nowhere" / "game.json")


OTHER = {"fingerprint": "0" * 64}
NONSENSE: list[Any] = [None, -1, 10**30, "?", [], {}, True, [[]], {"op": "?"}, 99999]


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every value inside plain data."""
    found = [path] if path else []
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [spot for key, part in parts for spot in spots(part, (*path, key))]


def test_an_edited_save_is_refused_or_can_be_played(deep: Game) -> None:
    """Whatever is put anywhere into the state, with the checksum made right: there is no other sort of error."""
    data = deep.save()
    dice = random.Random(11)
    places = spots(data["state"]["frames"], ("state", "frames")) * 4 + spots(data["state"], ("state",)) + spots(data["log"][:20], ("log",))
    places += spots(data["legend"], ("legend",))
    refused = 0
    for _ in range(80):
        edited = copy.deepcopy(data)
        *way, last = dice.choice(places)
        inside: Any = edited
        for key in way:
            inside = inside[key]
        inside[last] = dice.choice(NONSENSE)
        try:
            game = deep.rules.load_game(resigned(edited))
            game.view(1)
            game.log(1)
            play_on(game, 1, 5)
        except SaveError:
            refused += 1
    assert refused > 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["ruleset"].update(OTHER, id="chess"), "of the ruleset 'chess'"),
        (lambda data: data["ruleset"].update(OTHER, version="0.9"), "version 0.9"),
        (lambda data: data["ruleset"].update(OTHER, layers=["tic_tac_toe", "shy"]), "layers tic_tac_toe, shy"),
        (lambda data: data["ruleset"].update(OTHER, options={"light": "dim"}), "light = dim there"),
        (lambda data: data["ruleset"].update(OTHER), "have changed"),
        (lambda data: data.update(format_version=6), "an older rulewright wrote it: .* version 6"),
        (lambda data: data.update(format_version=8), "a newer rulewright wrote it: .* version 8"),
        (lambda data: data.update(format="chess save"), "not a save"),
        (lambda data: data.update(players=3), "for 3 players"),
        (lambda data: data["state"]["where"].append(0), "other sizes"),
        (lambda data: data["state"]["where"].__setitem__(12, 5), "exactly one place"),
        (lambda data: data["state"]["frames"].clear(), "nothing is going on"),
    ],
)
def test_a_save_that_does_not_fit_says_what_differs(rules: Rules, change: Callable[[Any], Any], message: str) -> None:
    """Another ruleset, version, layer, option, text, format, number of players, or tables that cannot be."""
    data = rules.new_game(2).save()
    change(data)
    with pytest.raises(SaveError, match=message):
        rules.load_game(resigned(data))


def test_numbers_and_nesting_without_end_are_no_save(rules: Rules, tmp_path: Path) -> None:
    """Neither takes long, or ends in an error of Python."""
    path = tmp_path / "game.json"
    for text in (
        "9" * 10_000,
        "[" * 100_000,
        '{"format": "rulewright save", "format_version": 3, "x": ' + "[" * 900 + "]" * 900 + "}",
        "\ufeff{}",
        "NaN",
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(SaveError):
            rules.load_game(path)


@pytest.mark.parametrize("broken", ["os.replace", "os.fsync", "json.dumps"])
def test_the_old_save_survives_whatever_happens_while_saving(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """A full disk, an interruption: the old file is there as it was, and nothing else."""
    game = rules.new_game(2)
    path = tmp_path / "game.json"
    game.save(path)
    before = path.read_bytes()
    game.choose(0)

    def fail(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt if broken == "os.replace" else OSError(28, "No space left on device")

    monkeypatch.setattr({"os": os, "json": json}[broken.split(".")[0]], broken.split(".")[1], fail)
    with pytest.raises((OSError, KeyboardInterrupt)):
        game.save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert rules.load_game(path).decision is not None


# -- replays and players


def test_a_replay_that_does_not_fit_says_where(rules: Rules) -> None:
    """An illegal choice, the wrong player, a choice after the end."""
    game = rules.new_game(2)
    play_on(game, 1, 9)
    data = game.replay()
    with pytest.raises(SaveError, match="choice 2 of the replay is not legal"):
        saving.replay(rules, {**data, "choices": [data["choices"][0], [2, data["choices"][0][1]]]})
    with pytest.raises(SaveError, match="choice 1 of the replay is player 2's"):
        saving.replay(rules, {**data, "choices": [[2, "board_1_1"]]})
    with pytest.raises(SaveError, match="after the end"):
        saving.replay(rules, {**data, "choices": [*data["choices"], [1, "board_1_1"]]})
    with pytest.raises(SaveError, match="not of"):
        saving.replay(load("connect_four"), data)


@pytest.mark.parametrize("players", [0, 1, 3, -1, 10**9])
def test_the_wrong_number_of_players_is_refused(rules: Rules, players: int) -> None:
    """The message says how many there may be."""
    with pytest.raises(ValueError, match="for 2 players"):
        rules.new_game(players)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda rules: rules.new_game(2.0), TypeError, "the number of players is a whole number, not 2.0"),
        (lambda rules: rules.new_game(True), TypeError, "the number of players is a whole number, not True"),
        (lambda rules: rules.new_game(2, "x"), TypeError, "the seed is a whole number, not 'x'"),
        (lambda rules: rules.new_game(2, chance="seed"), ValueError, "chance is None, 'ask' or a list of answers, not 'seed'"),
        (lambda rules: rules.new_game(2, chance=6), TypeError, "chance is None, 'ask' or a list of answers, not 6"),
        (lambda rules: rules.new_game(2).view(0), ValueError, "there is no player 0: the players are numbered from 1 to 2"),
        (lambda rules: rules.new_game(2).view(3), ValueError, "there is no player 3"),
        (lambda rules: rules.new_game(2).view("1"), TypeError, "a player is a whole number, not '1'"),
        (lambda rules: rules.new_game(2).log(0), ValueError, "there is no player 0"),
        (lambda rules: rules.new_game(2).log(3), ValueError, "there is no player 3"),
        (lambda rules: rules.new_game(2).why_not(0, "board_1_1"), ValueError, "there is no player 0"),
        (lambda rules: rules.new_game(2).why_not(None, "board_1_1"), TypeError, "a player is a whole number, not None"),
        (lambda rules: rules.new_game(2).why_not(1, 1), TypeError, "named by a text, not by 1"),
        (lambda rules: rules.new_game(2).imagine(5, 1), ValueError, "there is no player 5"),
        (lambda rules: rules.new_game(2).imagine(1, "x"), TypeError, "the seed is a whole number, not 'x'"),
        (lambda rules: load("tic_tac_toe", layers="base"), TypeError, "layers is a list of names or paths, not 'base'"),
        (lambda rules: load("tic_tac_toe", options=cast(Any, ["x"])), TypeError, "options is a mapping of names to values"),
    ],
)
def test_what_a_caller_cannot_mean_is_refused(rules: Rules, call: Callable[[Rules], Any], error: type[Exception], message: str) -> None:
    """Players, seeds and answers of chance that there cannot be are told by what they are, not by what they lead to."""
    with pytest.raises(error, match=message):
        call(rules)


@pytest.mark.parametrize(
    ("version", "message"), [(2, "^an older rulewright wrote it: "), (4, "^a newer rulewright wrote it: "), ("3", "^this replay has")]
)
def test_a_replay_of_another_version_is_not_called_damaged(rules: Rules, version: Any, message: str) -> None:
    """Older ones had no log: that is no damage."""
    data = {key: part for key, part in rules.new_game(2).replay().items() if key != "log"}
    with pytest.raises(SaveError, match=message):
        saving.check_shape({**data, "format_version": version}, "replay")
    with pytest.raises(SaveError, match="the replay is damaged at the whole: 'log' is a required property"):
        saving.check_shape(data, "replay")


# -- rulesets that run away

START = """
kind coin:
    worth: number
    words: text
coin gold x50
place purse of player
phase play:
    let who = the player where seat = 1
    who chooses way: one of well, badly
    if way is badly: bad(who)
"""

RUNAWAYS = {
    "loops for ever": ("effect bad(who: player): repeat: nothing", "steps", "bad"),
    "loops for ever over things": ("effect bad(who: player):\n    repeat:\n        for each coin in coins: move coin to who.purse", "steps", "bad"),
    "calls itself for ever": ("effect bad(who: player): bad(who)", "deep", "bad"),
    "two effects call each other for ever": ("effect bad(who: player): worse(who)\neffect worse(who: player): bad(who)", "deep", ""),
    "a value asks itself for ever": (
        "value deep(n: number) gives number: deep(n + 1)\neffect bad(who: player): set gold.worth to deep(1)", "without end", "bad"),
    "a value asks itself twice, again and again": (
        "value wide(n: number) gives number: 0 if n = 0 else wide(n - 1) + wide(n - 1)\neffect bad(who: player): set gold.worth to wide(90)",
        "looked at", "bad"),
    "looks at everything for everything": (
        "value close(one: coin): count of coins where (count of coins where (count of coins where (count of coins where copy > one.copy) > 99) > 99) > 99\n"
        "effect bad(who: player): for each coin in coins: set coin.worth to close(coin)", "looked at", "bad"),
    "offers a million options": ("effect bad(who: player): who chooses n: a number from 1 to 1000000", "choice among", ""),
    "grows numbers without bound": ("effect bad(who: player):\n    set gold.worth to 2\n    repeat: set gold.worth to gold.worth * gold.worth", "bound", "bad"),
    "grows a text without bound": ('effect bad(who: player):\n    set gold.words to "ha"\n    repeat: set gold.words to "{gold.words}{gold.words}"', "text", "bad"),
    "logs without end": ('effect bad(who: player): repeat: log "again"', "steps", "bad"),
    "divides by zero": ("effect bad(who: player): set gold.worth to 1 / gold.worth", "zero", "bad"),
    "hooks itself for ever": ("effect bad(who: player): nothing\nafter bad(who): bad(who)", "deep", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * name.startswith("looks")) for name in RUNAWAYS])
def test_rules_that_run_away_are_stopped_and_named(name: str, tmp_path: Path) -> None:
    """The error names the effect; the game is as it was at the decision, and goes on."""
    text, message, unit = RUNAWAYS[name]
    game = rules_of(tmp_path, START + text + "\n").new_game(1)
    before = game.save()
    with pytest.raises(RulesError, match=message) as raised:
        game.choose("badly")
    assert unit in raised.value.unit
    assert game.save() == before
    game.choose("well")
    assert game.decision is None


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (text[1] == "looked at")) for name, text in RUNAWAYS.items()])
def test_rules_that_run_away_at_once_do_not_start(name: str, tmp_path: Path) -> None:
    """The same in the first effect of a game: an error of the rules, not of Python."""
    text, message, _ = RUNAWAYS[name]
    rules = rules_of(tmp_path, START.replace("    who chooses way: one of well, badly\n    if way is badly: bad(who)", "    bad(who)") + text + "\n")
    with pytest.raises(RulesError, match=message):
        assert rules.new_game(1).decision is not None


def test_a_log_has_a_size_that_it_may_have(tmp_path: Path) -> None:
    """Over many decisions too."""
    text = 'phase play:\n    let who = the player where seat = 1\n    repeat:\n        who chooses x: one of more, most\n        log "{x}"\n'
    game = rules_of(tmp_path, text).new_game(1, budget=Budget(log=20))
    with pytest.raises(RulesError, match="log has more than"):
        play_on(game, 1, 30)
    assert game.decision is not None
