"""Saves and replays beside the rules they were made by: what counts as the same rules, finding them again, and going on by rules that were corrected."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulewright import Game, Rules, SaveError, load, load_game
from rulewright.fingerprint import changed
from rulewright.game import saving
from rulewright_tools.cli import rulewright
from tests.playing import ROOT

GAME = """
number wage = 2
die luck: 1, 2, 3

kind player:
    gold: 0..20
    place purse: an area of coin

kind coin "Coin"
coin copper x5
coin silver x5
place bank: an area of coin, seen by everyone
place chest: a pile of coin, seen by nobody

phase setup:
    move all coppers to bank
    move all silvers to chest
    shuffle chest

phase play:
    repeat until count of coins in bank = 0:
        for each player in players ordered by seat: turn(player)
    end game

effect turn(who: player):
    offer actions to who
    payday(who)
    log "{who} has {who.gold}."

effect payday(who: player):
    increase who.gold by 1
    if who.gold > 3: bonus(who)

effect bonus(who: player):
    let found = roll luck
    match found:
        3: increase who.gold by 1
        else: nothing

action work "Work":
    by player
    when actor.gold < 15 because "nobody needs more"
    do:
        actor chooses pay: a coin in bank asking "Which coin?"
        move pay to actor.purse
        wages(actor)

action wait "Wait":
    by player
    do:
        until turn:
            after wages(who): increase who.gold by 1
        actor chooses one:
            "Rest": nothing
            "Look": draw a coin from chest to actor.purse

effect wages(who: player): increase who.gold by wage

after wages(who): log "{who} is paid."
after wages(who) when who.gold > 5:
    increase who.gold by 1
after bonus(who):
    increase who.gold by 1
"""
MANIFEST = 'id: {id}\ntitle: {title}\nversion: "{version}"\ndescription: For a test.\nplayers: {{min: 1, max: 3}}\nfiles: [{files}]\n'


def ruleset(folder: Path, *texts: str, id: str = "pay", title: str = "Pay", version: str = "1.0.0") -> Path:
    """A ruleset of some files."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        (folder / f"part_{number}.rules").write_text(text)
    files = ", ".join(f"part_{number}.rules" for number in range(len(texts)))
    (folder / "ruleset.yaml").write_text(MANIFEST.format(id=id, title=title, version=version, files=files))
    return folder


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(rulewright, [str(each) for each in arguments])


def halfway(rules: Rules, decisions: int = 5, seed: int = 4) -> Game:
    """A game after some decisions of a bot."""
    game = rules.new_game(2, seed=seed)
    dice = random.Random(seed)
    for _ in range(decisions):
        assert game.decision is not None
        game.choose(dice.randrange(len(game.decision.options)))
    return game


def to_the_end(game: Game) -> Game:
    dice = random.Random(1)
    while game.decision is not None:
        game.choose(dice.randrange(len(game.decision.options)))
    return game


@pytest.fixture(scope="module")
def pay(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return load(ruleset(tmp_path_factory.mktemp("pay") / "pay", GAME))


def corrected(folder: Path, *pairs: str, text: str = GAME) -> Rules:
    """The game with some texts put in place of others."""
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return load(ruleset(folder, text))


# -- what the rules mean


def blocks(text: str) -> list[str]:
    return [block for block in text.split("\n\n") if block.strip()]


def test_the_fingerprint_is_that_of_the_meaning(pay: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another folder, path, name, version, comments, empty lines, split into files, order of what has none, citations, words that are only shown."""
    parts = blocks(GAME)
    effects = [part for part in parts if part.startswith("effect")]
    others = [part for part in parts if not part.startswith("effect")]
    same = {
        "another folder": ruleset(tmp_path / "a" / "deep" / "folder", GAME),
        "another name and version": ruleset(tmp_path / "b", GAME, id="other", title="Something else", version="9.9.9"),
        "comments": ruleset(tmp_path / "c", "# what this is\n\n\n" + GAME.replace("    payday(who)", "    # now\n    payday(who)  # comes the money\n\n")),
        "several files": ruleset(tmp_path / "d", *["\n\n".join(parts[:4]), "\n\n".join(parts[4:9]), "\n\n".join(parts[9:])]),
        "effects in another order": ruleset(tmp_path / "e", "\n\n".join(reversed(effects)), "\n\n".join(others)),
        "fields in another order": ruleset(tmp_path / "g", GAME.replace("    gold: 0..20\n    place purse: an area of coin\n", "    place purse: an area of coin\n    gold: 0..20\n")),
        "labels": ruleset(tmp_path / "h", GAME.replace('"Work"', '"Labour"').replace('kind coin "Coin"', 'kind coin "Piece"').replace("coin copper x5", 'coin copper "Penny" x5')),
        "messages, questions and reasons": ruleset(tmp_path / "i", GAME.replace(" is paid.", " gets money!").replace("Which coin?", "What?").replace("nobody needs more", "enough")),
    }  # fmt: skip
    lone = tmp_path / "lone.rules"
    lone.write_text(GAME)
    for what, path in same.items():
        assert load(path).fingerprint == pay.fingerprint, what
    alone = load(lone)
    assert changed(alone.marks.declared, pay.marks.declared) == ["the number of players"]
    monkeypatch.chdir(tmp_path / "a")
    assert load("deep/folder").fingerprint == pay.fingerprint
    monkeypatch.chdir("/")
    assert load(lone).fingerprint == alone.fingerprint


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("number wage = 2", "number wage = 3", ["number 'wage'"]),
        ("die luck: 1, 2, 3", "die luck: 1, 2, 2, 3", ["die 'luck'"]),
        ("gold: 0..20", "gold: 0..30", ["kind 'player'"]),
        ("coin copper x5", "coin copper x6", ["component 'copper'"]),
        ("a pile of coin, seen by nobody", "a pile of coin, seen by everyone", ["place 'chest'"]),
        ("coin copper x5\ncoin silver x5", "coin silver x5\ncoin copper x5", ["the order of what exists and of rules that can meet"]),
        ("who.gold > 3", "who.gold > 4", ["effect 'payday'"]),
        ('    payday(who)\n    log "{who} has {who.gold}."', '    log "{who} has {who.gold}."\n    payday(who)', ["effect 'turn'"]),
        ('log "{who} has {who.gold}."', 'log "{who} has {who.gold}." to who', ["effect 'turn'"]),
        ('log "{who} has {who.gold}."', 'log "{who} has much."', ["effect 'turn'"]),
        ("when actor.gold < 15", "when actor.gold < 14", ["action 'work'"]),
        ('"Look":', '"Peek":', ["action 'wait'"]),
        ("after wages(who): increase who.gold by 1", "after wages(who): increase who.gold by 2", ["action 'wait'"]),
        ("when who.gold > 5", "when who.gold > 6", ["rule 'after wages'"]),
        ("after bonus(who):", "before bonus(who):", ["rule 'after bonus' (gone)", "rule 'before bonus' (new)"]),
        ('after wages(who): log "{who} is paid."\nafter wages(who) when who.gold > 5:\n    increase who.gold by 1\n',
         'after wages(who) when who.gold > 5:\n    increase who.gold by 1\nafter wages(who): log "{who} is paid."\n', ["rule 'after wages'"]),
        ("effect wages(who: player): increase", "effect wages(who: player, more: number): increase", None),
        ("phase setup:", "effect unused(): nothing\n\nphase setup:", ["effect 'unused' (new)"]),
    ],
)  # fmt: skip
def test_what_changes_a_game_changes_the_fingerprint(pay: Rules, tmp_path: Path, old: str, new: str, named: list[str] | None) -> None:
    """And the message names the declarations."""
    if "more: number" in new:
        other = corrected(tmp_path / "x", old, new, "wages(actor)", "wages(actor, 1)", "after wages(who)", "after wages(who, more)")
    else:
        other = corrected(tmp_path / "x", old, new)
    assert other.fingerprint != pay.fingerprint
    found = changed(pay.marks.declared, other.marks.declared)
    assert found if named is None else [each for each in found if named == found or "the order" not in each] == named
    with pytest.raises(SaveError, match="have changed since the save was made: ") as raised:
        other.load_game(halfway(pay).save())
    assert list(raised.value.changes) == found


def test_labels_that_rules_read_are_rules(tmp_path: Path) -> None:
    """Where a rule compares what things are called, a label means something."""
    text = GAME.replace("if who.gold > 3: bonus(who)", "if any coin in who.purse where label = copper.label: bonus(who)") + "\n"
    text = text.replace("coin copper x5", 'coin copper "Copper"').replace(
        "move all coppers to bank\n    move all silvers to chest", "move copper to bank\n    move all silvers to chest"
    )
    one = corrected(tmp_path / "one", text=text)
    assert corrected(tmp_path / "two", '"Copper"', '"Penny"', text=text).fingerprint != one.fingerprint


def test_a_save_opens_wherever_the_meaning_is_the_same(pay: Rules, tmp_path: Path) -> None:
    """In the middle of hooks, loops and rules for a time: in another file, under another name, with fields in another order."""
    text = "# other\n" + GAME.replace(
        "    gold: 0..20\n    place purse: an area of coin\n", "    debt: 0..3\n    place purse: an area of coin\n    gold: 0..20\n"
    )
    plain = "# other\n" + GAME.replace("    gold: 0..20\n    place purse: an area of coin\n", "    place purse: an area of coin\n    gold: 0..20\n")
    other = load(ruleset(tmp_path / "other", plain, id="other"))
    more = load(ruleset(tmp_path / "more", text, id="other"))
    for decisions in range(1, 9):
        game = halfway(pay, decisions)
        again = other.load_game(game.save())
        assert again.decision == game.decision
        forced = more.load_game(game.save(), force=True)
        assert [entry["text"] for entry in to_the_end(game).log(everything=True)] == [
            entry["text"] for entry in to_the_end(again).log(everything=True)
        ]
        assert to_the_end(forced).result == game.result


def test_a_loop_with_a_long_condition_is_the_same_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions say where they are written; a save does not."""
    rules = ruleset(tmp_path / "game", GAME.replace("count of coins in bank = 0", "no coin in bank where place = bank and owner is none"))
    monkeypatch.chdir(tmp_path)
    data = halfway(load("game")).save()
    monkeypatch.chdir("/")
    assert load(rules).load_game(data).decision is not None


# -- finding the rules again


HOUSE = 'layer richer over pay "Richer"\nset wage to 3\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A folder with a ruleset, a layer in a lone file, and a folder for games."""
    ruleset(tmp_path / "table" / "pay", GAME)
    (tmp_path / "table" / "richer.rules").write_text(HOUSE)
    (tmp_path / "table" / "games").mkdir()
    return tmp_path / "table"


@pytest.mark.parametrize(
    "arguments",
    [
        ["./pay", "--layer", "./richer.rules", "--log", "games/x.log", "--save", "games/x.save"],
        ["richer.rules", "--log", "games/x.log", "--save", "games/x.save"],
        ["pay", "--log", "games/x.log", "--save", "games/x.save"],
        ["tic_tac_toe", "--log", "games/x.log", "--save", "games/x.save"],
    ],
)
def test_rules_are_found_from_any_folder(table: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    """Those of the program by id, others by their path from the file: also when all of it is taken elsewhere."""
    monkeypatch.chdir(table)
    assert invoke("run", *arguments, "--decisions", 5, "--quiet").exit_code == 0
    about = json.loads((table / "games" / "x.log").read_text())["ruleset"]
    assert str(table) not in json.dumps(about)
    for folder in (table / "games", Path("/"), table.parent):
        monkeypatch.chdir(folder)
        assert "the same log" in invoke("replay", table / "games" / "x.log", "--verify").stdout
        assert len(load_game(table / "games" / "x.save").choices) == 5
    moved = table.parent / "elsewhere"
    shutil.move(table, moved)
    assert invoke("replay", moved / "games" / "x.log", "--verify").exit_code == 0
    assert len(load_game(moved / "games" / "x.save").choices) == 5
    shutil.move(moved / "games" / "x.log", moved / "x.log")  # then its neighbours are looked at
    assert invoke("replay", moved / "x.log", "--verify").exit_code == 0


def test_rules_that_are_not_there_any_more_are_named(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With where they were looked for."""
    monkeypatch.chdir(table)
    assert invoke("run", "./pay", "--layer", "./richer.rules", "--log", "games/x.log", "--decisions", 3, "--quiet").exit_code == 0
    (table / "richer.rules").unlink()
    result = invoke("replay", "games/x.log")
    assert result.exit_code == 2
    assert "richer.rules" in result.stderr
    assert "These are the rules that 'games/x.log' names." in result.stderr


# -- going on by corrected rules


def test_a_house_rule_is_corrected_in_the_middle_of_a_game(pay: Rules, tmp_path: Path) -> None:
    """What is going on fits: the game goes on as it was, by the rules as they are now."""
    other = corrected(tmp_path / "x", "number wage = 2", "number wage = 5", "who.gold > 3", "who.gold > 100", "gold: 0..20", "gold: 0..200")
    game = halfway(pay, 6)
    save = game.save()
    with pytest.raises(SaveError, match=r"have changed since the save was made: kind 'player', number 'wage', effect 'payday'$"):
        other.load_game(save)
    again = other.load_game(save, force=True)
    assert again.decision is not None
    assert game.decision is not None
    assert again.decision.options == game.decision.options
    assert again.choices == game.choices
    assert to_the_end(again).result is not None
    assert other.load_game(again.save()).result == again.result


def standing_at(rules: Rules, prompt: str) -> Game:
    """A game where a player is asked something."""
    game = rules.new_game(2, seed=4)
    while game.decision is not None and game.decision.prompt != prompt:
        game.choose("work" if any(option.id == "work" for option in game.decision.options) else 0)
    assert game.decision is not None
    return game


def test_what_is_still_ahead_is_corrected_while_it_goes_on(pay: Rules, tmp_path: Path) -> None:
    """The game stands before a line that is corrected, or after one: what it has done stays done, what comes is the new text."""
    game = standing_at(pay, "Which coin?")
    later = corrected(tmp_path / "later", "        wages(actor)", "        wages(actor)\n        increase actor.gold by 4")
    again = later.load_game(game.save(), force=True)
    again.choose(0)
    assert any(entry["text"] == "Player 1: gold 2 → 6" for entry in again.log(everything=True))
    earlier = corrected(
        tmp_path / "earlier", "    do:\n        actor chooses pay", "    do:\n        increase actor.gold by 0\n        actor chooses pay"
    )
    assert earlier.load_game(game.save(), force=True).decision == game.decision
    turn = corrected(tmp_path / "turn", "    offer actions to who\n    payday(who)", '    log "On."\n    offer actions to who\n    payday(who)')
    assert turn.load_game(game.save(), force=True).decision == game.decision


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("coin copper x5", "coin copper x6", "other things exist: component 'copper'$"),
        ("place chest: a pile", "place cellar: an area of coin\nplace chest: a pile", r"other things exist: place 'cellar' \(new\)$"),
        ("coin copper x5\ncoin silver x5", "coin silver x5\ncoin copper x5", "what exists is declared in another order"),
        ("        actor chooses pay: a coin in bank asking", "        increase actor.gold by 0\n        actor chooses pay: a player asking", "in the middle of the action 'work'"),
        ("        actor chooses pay: a coin in bank asking", "        if actor.gold > 0: actor chooses pay: up to 2 coins in bank asking", "in the middle of the action 'work'"),
        ("gold: 0..20", "gold: 10..20", "'gold' of 'player' has a value that it cannot have"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_the_reason(pay: Rules, tmp_path: Path, old: str, new: str, message: str) -> None:
    """By force too."""
    more = ("        move pay to actor.purse", "        nothing") if "chooses pay" in new else ()
    other = corrected(tmp_path / "x", old, new, *more)
    save = standing_at(pay, "Which coin?").save()
    with pytest.raises(SaveError, match=f"does not fit the rules as they are now: .*({message})"):
        other.load_game(save, force=True)


def test_a_rule_that_holds_for_a_time_is_found_again_or_refused(pay: Rules, tmp_path: Path) -> None:
    """Others may come before it; without it the game cannot go on."""
    game = pay.new_game(2, seed=1)
    game.choose("wait")
    save = game.save()
    assert save["state"]["held"]
    before = corrected(tmp_path / "a", "        until turn:\n", "        until payday:\n            after bonus(who): nothing\n        until turn:\n")
    again = before.load_game(save, force=True)
    assert again.state.held[0].hook.endswith("until#2")
    without = corrected(tmp_path / "b", "        until turn:\n            after wages(who): increase who.gold by 1\n", "")
    with pytest.raises(SaveError, match="does not fit the rules as they are now: the rule 'wait/until#1' is going on, or holds for a time"):
        without.load_game(save, force=True)


@pytest.mark.slow
def test_a_game_that_waits_for_nothing_that_changed_fits_at_every_decision(tmp_path: Path) -> None:
    """A corrected rule of a large game: most moments fit, and those that do not say why."""
    rules = load("base")
    folder = tmp_path / "rulesets"
    shutil.copytree(ROOT / "rulesets", folder)
    common = folder / "common" / "components.rules"
    text = common.read_text(encoding="utf-8")
    assert "number full_hand = 5" in text
    common.write_text(text.replace("number full_hand = 5", "number full_hand = 6"), encoding="utf-8")
    (folder / "base" / "ruleset.yaml").write_text(
        (folder / "base" / "ruleset.yaml").read_text(encoding="utf-8").replace("id: base\n", "id: base\n", 1)
    )
    other = load(folder / "base")
    assert changed(rules.marks.declared, other.marks.declared) == ["number 'full_hand'"]
    game = rules.new_game(2, seed=5)
    dice = random.Random(5)
    for number in range(60):
        assert game.decision is not None
        if number % 6 == 0:
            assert other.load_game(game.save(), force=True).decision == game.decision
        game.choose(dice.randrange(len(game.decision.options)))


def test_damaged_legends_and_frames_are_told(pay: Rules) -> None:
    """Whatever is put into the points of a save: a clear error, or a game."""
    data = standing_at(pay, "Which coin?").save()
    frame = data["state"]["frames"][-1]
    edits: list[tuple[tuple[str, ...], Any]] = [
        (("legend", "things"), "0" * 64),
        (("legend", "fields"), {}),
        (("legend", "fields"), {"player": ["gold"] * 400}),
        (("state", "frames"), []),
        (("state", "frames"), [{**frame, "ahead": "0" * 12, "behind": "0" * 12}]),
        (("state", "frames"), [{**frame, "unit": "hook nothing"}]),
        (("state", "frames"), [{**frame, "node": "play:99", "step": 7}]),
        (("state", "frames"), [{"unit": "play"}]),
        (("state", "held"), [{"hook": "?", "number": 1, "kept": [], "until": "turn"}]),
        (("ruleset", "declarations"), {"effects": {"turn": "x"}}),
    ]
    for way, value in edits:
        edited = copy.deepcopy(data)
        inside: Any = edited
        for key in way[:-1]:
            inside = inside[key]
        inside[way[-1]] = value
        edited["checksum"] = saving.checksum({key: part for key, part in edited.items() if key != "checksum"})
        for force in (False, True):
            with pytest.raises(SaveError, match="damaged"):
                pay.load_game(edited, force=force)


# -- the commands


def test_run_goes_on_with_a_save(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any folder, with bots, telling what happens from there on; the save it writes can be gone on with again."""
    monkeypatch.chdir(table)
    first = invoke("run", "./pay", "--players", 2, "--seed", 3, "--decisions", 4, "--save", "games/x.save")
    assert first.exit_code == 0
    monkeypatch.chdir("/")
    result = invoke("run", "--load", table / "games" / "x.save", "--decisions", 2, "--save", table / "games" / "y.save")
    assert result.exit_code == 0
    assert "Continued after 4 decisions" in result.stdout
    before, after = (re.findall(r"^ +(\d+)  Player", each.stdout, re.MULTILINE) for each in (first, result))
    assert int(after[0]) == int(before[-1]) + 1  # what is told goes on where it was
    assert "not over after 6 decisions" in result.stdout
    whole = invoke("run", "--load", table / "games" / "y.save", "--log", table / "games" / "z.log")
    assert whole.exit_code == 0
    assert invoke("replay", table / "games" / "z.log", "--verify").exit_code == 0


def test_a_save_and_a_replay_are_told_apart(table: Path) -> None:
    """And the message says what to do."""
    save, log = table / "x.save", table / "x.log"
    assert invoke("run", "tic_tac_toe", "--decisions", 3, "--save", save, "--log", log, "--quiet").exit_code == 0
    result = invoke("replay", save)
    assert result.exit_code == 2
    assert f"this is not a replay of rulewright, but a save; to go on with it: rulewright run --load {save}" in result.stderr
    result = invoke("run", "--load", log)
    assert result.exit_code == 2
    assert f"but a replay; to play it again: rulewright replay {log}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name a ruleset, or a saved game"),
        (["--load", "x", "--players", "2"], "--players does not go with --load"),
        (["--load", "x", "--layer", "y"], "name the ruleset too"),
        (["--load", "x", "--option", "y=1"], "name the ruleset too"),
        (["tic_tac_toe", "--force"], "--force goes with --load"),
        (["--load", "nowhere.save"], "cannot read 'nowhere.save'"),
    ],
)
def test_what_does_not_go_with_a_save_is_told(arguments: list[str], message: str) -> None:
    """A mistake of the person: exit 2."""
    result = invoke("run", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_corrected_house_rule_at_the_table(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names what changed; --force goes on, or says why not; a replay is played as far as it goes."""
    monkeypatch.chdir(table)
    given = ["./pay", "--layer", "./richer.rules", "--players", "2", "--seed", "2", "--bots", "first"]
    assert invoke("run", *given, "--decisions", 9, "--save", "x.save", "--log", "x.log", "--quiet").exit_code == 0
    (table / "richer.rules").write_text(HOUSE.replace("3", "4"))
    result = invoke("run", "--load", "x.save")
    assert result.exit_code == 1
    assert "have changed since the save was made: number 'wage'; --force goes on" in result.stderr
    result = invoke("run", "--load", "x.save", "--force", "--decisions", 3)
    assert result.exit_code == 0
    assert "number 'wage'; the game goes on by the rules as they are now" in result.stderr
    result = invoke("replay", "x.log")
    assert result.exit_code == 1
    assert "number 'wage'; --verify shows what is different, --force plays it by the rules as they are now" in result.stderr
    result = invoke("replay", "x.log", "--force")
    assert result.exit_code == 0
    assert "Note: the game differs after choice 2 (Player 1: copper.1), at event" in result.stderr
    (table / "richer.rules").write_text(HOUSE + "set copper.copies to 1\n")
    result = invoke("run", "--load", "x.save", "--force")
    assert result.exit_code == 1
    assert "the save does not fit the rules as they are now: other things exist: component 'copper'" in result.stderr
    result = invoke("replay", "x.log", "--force")
    assert result.exit_code == 1
    assert "Stopped after " in result.stderr
    assert "of the replay" in result.stderr
