"""The module of WebAssembly: the same games as the reference, decision by decision; what it cannot do is done on foot, and errors have the same words."""

from __future__ import annotations

import copy
import itertools
import multiprocessing
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright import Rules, load
from rulewright.core import chance
from rulewright.errors import IllegalChoice, RulesError, SaveError
from rulewright.game.decisions import may_be_alike
from rulewright.game.engine import Stepping
from rulewright.game.references import live
from rulewright.limits import Budget
from rulewright.step.machine import first_state
from rulewright.step.state import State
from rulewright.wasm import compile as compiling
from rulewright.wasm import layout
from rulewright.wasm.engine import Running
from tests import subjects, test_core, test_engine_semantics, test_language, test_small_rulesets
from tests.playing import ROOT, rules_of
from tests.random_rules import random_rules
from tests.test_games import rulesets

slow = pytest.mark.slow
mostly_slow = test_core.mostly_slow


def on(rules: Rules, engine: str) -> Rules:
    """The same rules on an engine."""
    return Rules(rules.built, rules.target, rules.layers, engine)


def plain(game: Any) -> dict[str, Any]:
    """The state of a game as far as it matters: names that nothing can read any more do not."""
    linked, state = game._engine.machine.linked, game.state
    found = {name: getattr(state, name) for name in State.__slots__ if name not in ("given", "log")}
    found["frames"] = [(frame.at, frame.cause, {slot: frame.names[slot] for slot in live(linked, frame.at)}) for frame in state.frames]
    found["held"] = [(held.hook, held.number, held.kept, held.until) for held in state.held]
    return found


def check_columns(game: Any) -> None:
    """The columns in memory that no state is made of: they follow from what lies where."""
    if game._engine._foot is None:
        instance, members = game._engine._enter(), game.state.members
        before = {each: under for lying in members for under, each in itertools.pairwise((-1, *lying))}
        columns = {
            "COUNT": [len(lying) for lying in members], "TAIL": [lying[-1] if lying else -1 for lying in members], "PREV": [before[each] for each in sorted(before)],
        }  # fmt: skip
        for name, wanted in columns.items():
            at = instance.cell[name]
            assert list(instance.cells[at : at + len(wanted)]) == wanted, name


class Pair:
    """The same game on both engines."""

    def __init__(self, rules: Rules, budget: Budget | None = None) -> None:
        self.step, self.wasm = on(rules, "step"), on(rules, "wasm")
        self.budget = budget
        self.decisions = self.on_foot = self.failures = 0

    def play(self, players: int, seed: int, most: int = 10**9) -> None:
        """One game, with undo, redo, clones and saves in between."""
        try:
            one: Any = self.step.new_game(players, seed=seed, budget=self.budget)
        except RulesError as error:
            self.same_error(error, lambda: self.wasm.new_game(players, seed=seed, budget=self.budget))
            raise
        other, rng = self.wasm.new_game(players, seed=seed, budget=self.budget), random.Random(seed)
        for _ in range(most):
            self.compare(one, other, rng)
            if one.decision is None:
                break
            one, other = self.go_on(one, other, rng)
        assert one.result == other.result
        assert one.choices == other.choices
        assert one.log(everything=True) == other.log(everything=True)

    def same_error(self, error: RulesError, attempt: Callable[[], object]) -> None:
        """The other engine fails with the same words, at the same place."""
        self.failures += 1
        with pytest.raises(RulesError) as found:
            attempt()
        assert (str(found.value), found.value.span) == (str(error), error.span)

    def compare(self, one: Any, other: Any, rng: random.Random) -> None:
        assert one.decision == other.decision
        if rng.random() < 0.2:
            assert plain(one) == plain(other)
            check_columns(other)
            assert one.entries() == other.entries()  # also what no words are made of, as what a message lets somebody know
            seat = rng.choice([None, 1])
            assert one.view(seat) == other.view(seat)
            assert one.log(seat) == other.log(seat)

    def go_on(self, one: Any, other: Any, rng: random.Random) -> tuple[Any, Any]:
        what = rng.random()
        if what < 0.04:
            assert one.undo(past_secrets=True) == other.undo(past_secrets=True)
            if rng.random() < 0.5:
                assert one.redo() == other.redo()
        elif what < 0.05:
            assert one.undo() == other.undo()
        elif what < 0.07:
            return one.clone(), other.clone()
        else:
            index = rng.randrange(len(one.decision.options))
            try:
                one.choose(index)
            except RulesError as error:
                before = copy.deepcopy(plain(other))
                self.same_error(error, lambda: other.choose(index))
                assert plain(other) == before
                if self.budget is None or self.failures % 8 == 0:
                    raise
                return one, other  # others may take less
            other.choose(index)
            self.decisions += 1
            self.on_foot += type(other._engine._stretches[-1]) is not bytes  # `step` has written that part of the log, not the module
        return one, other


def same(rules: Rules, seeds: Any = range(2), most: int = 60, error: str | None = None) -> Pair:
    """Some games of a ruleset on both engines, for as few and a few more players; an error in which some of them end is named."""
    pair, ended = Pair(rules), 0
    low, high = rules.players
    for players in sorted({low, max(low, min(high, 3))}):
        for seed in seeds:
            try:
                pair.play(players, seed, most)
            except RulesError as raised:
                if error is None or error not in str(raised):
                    raise
                ended += 1
    assert (error is None) == (ended == 0), f"no game ended with: {error}"
    return pair


# The random rulesets that hand something to another player although one plays alone.
ALONE = {0, 8, 9, 15, 20, 21, 28, 48}
NOBODY = "must be a player, but nothing is handed to it"


@pytest.mark.parametrize("seed", mostly_slow([*range(16), 48, 62], 3))
def test_random_rules_are_the_same(seed: int, tmp_path: Path) -> None:
    """Everything inside everything else."""
    same(rules_of(tmp_path, random_rules(seed), engine="step"), most=80, error=NOBODY if seed in ALONE else None)


EXCEEDED = {  # what is said where a bound ends
    "steps": "steps without a decision", "looks": "things looked at without a decision", "depth": "effects inside effects more than",
    "options": "a choice among", "log": "the log has more than",
}  # fmt: skip


def tight(seed: int) -> Budget:
    """A budget that random rules exceed now and then, one of its bounds more than the others."""
    dice = random.Random(seed)
    bounds = {
        "steps": dice.randrange(40, 400),
        "looks": dice.randrange(50, 1_500),
        "depth": dice.randrange(20, 40),
        "options": 12,
        "log": dice.randrange(20, 200),
    }
    return Budget(**{name: bounds[name] for name in dice.sample([*bounds], 2)})


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_budgets_end_at_the_same_place(seed: int, tmp_path: Path) -> None:
    """Whatever is counted: the same choices fail, in the same words, and nothing has happened then."""
    rules, failures = rules_of(tmp_path, random_rules(seed), engine="step"), 0
    for number in range(5):
        budget = tight(seed * 10 + number)
        pair = Pair(rules, budget)
        expected = [said for name, said in EXCEEDED.items() if getattr(budget, name) != getattr(Budget(), name)]
        for players in (1, 3):
            try:
                pair.play(players, seed, 60)
            except RulesError as error:  # the same on both
                if not any(said in str(error) for said in (*expected, *([NOBODY] if seed in ALONE and players == 1 else []))):
                    raise
        failures += pair.failures
    assert failures


def test_few_values_inside_values_are_counted_too(tmp_path: Path) -> None:
    """The module does not count them as long as they are few; a budget that is smaller than that still ends where it does in the reference."""
    rules = rules_of(
        tmp_path,
        "kind player:\n    score: number\nvalue one(n: number): n + 1\nvalue two(n: number): one(n) * 2\nvalue three(n: number): two(n) + one(n)\n"
        'phase play:\n    for each player in players:\n        player chooses n: a number from 0 to 3\n        log "{three(n)}"\n',
        engine="step",
    )
    for depth, fails in ((2, True), (3, False)):
        pair = Pair(rules, Budget(depth=depth))
        pair.play(1, 0, 3)
        assert bool(pair.failures) == fails


@pytest.mark.parametrize("name", mostly_slow(list(test_engine_semantics.CASES)[::4], 5))
def test_every_sentence_of_the_reference_is_the_same(name: str, tmp_path: Path) -> None:
    """The small rulesets that say what running a ruleset means, played by two."""
    Pair(rules_of(tmp_path, test_engine_semantics.TABLE + test_engine_semantics.CASES[name].rules, engine="step")).play(2, 0, 60)


@pytest.mark.parametrize("case", mostly_slow(test_language.cases("good"), 4), ids=test_language.name)
def test_the_language_by_feature_is_the_same(case: Path) -> None:
    """Files that show a feature, as far as they are games."""
    same(load(case / "main.rules" if (case / "main.rules").exists() else case, engine="step"), range(1))


@pytest.mark.parametrize("name", subjects.SMALL)
def test_small_rulesets_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers with everything that can decide about them; queries; what is put back; ways over links and places at once. The module stops in some offers only."""
    stops, get_off = [], Running._get_off

    def stopped(game: Running, index: int | None) -> Any:
        stops.append(index)
        return get_off(game, index)

    monkeypatch.setattr(Running, "_get_off", stopped)
    same(rules_of(tmp_path, subjects.SMALL[name], engine="step"))
    assert not stops or name in ("offers", "more")


@slow
@pytest.mark.parametrize("name", test_small_rulesets.CASES)
def test_small_cases_are_the_same(name: str, tmp_path: Path) -> None:
    """More small rulesets."""
    same(rules_of(tmp_path, test_small_rulesets.TABLE + test_small_rulesets.CASES[name][0], engine="step"), range(1))


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough", "hex", "whist"])
def test_whole_games_of_the_examples(name: str) -> None:
    """To the end, all in the module."""
    pair = same(load(ROOT / "rulesets" / "examples" / name, engine="step"), range(4 if name not in ("hex", "whist") else 1), 10**9)
    assert pair.decisions > 20
    assert pair.on_foot == 0


LARGE = [name for name in rulesets() if name.endswith(("/base", "/carnomorphs", "/lockdown", "/aliens", "/together"))]


@slow
@pytest.mark.parametrize("name", LARGE)
def test_whole_games_are_the_same_and_seldom_on_foot(name: str) -> None:
    """Every ruleset to the end; what is done on foot is rare, but for lines of sight, which are looked along there."""
    pair = same(load(ROOT / name, engine="step"), range(1), 10**9)
    assert pair.on_foot <= pair.decisions // (10 if name.endswith("/aliens") else 50)


def test_games_inside_the_module_are_those_of_the_reference() -> None:
    """Random games that are played without coming back: the same number of choices and the same winners as when each choice is made from outside."""
    rules = load("tic_tac_toe", engine="wasm")
    played = rules.instance(2).play_random(300, 40)
    assert (played.games, played.helped) == (300, 0)
    assert sum(played.wins) <= 300
    assert 300 * 5 <= played.choices <= 300 * 9
    again = rules.instance(2).play_random(300, 40)
    assert again == played


@slow
@pytest.mark.parametrize("name", ["base", "carnomorphs", "lockdown"])
def test_games_inside_the_module_need_no_help(name: str) -> None:
    """Not where hidden things are sorted by where they lie, and not where one choice asks for very many lists on its way."""
    assert load(name, engine="wasm").instance(4).play_random(800, 1).helped <= 1


def test_games_take_turns_in_memory() -> None:
    """Several games of one module, each as if it were alone."""
    rules = load("tic_tac_toe", engine="wasm")
    games = [rules.new_game(2, seed=seed) for seed in range(5)]
    alone = [load("tic_tac_toe", engine="step").new_game(2, seed=seed) for seed in range(5)]
    while any(game.decision is not None for game in alone):
        for one, other in zip(alone, games, strict=True):
            assert one.decision == other.decision
            if one.decision is not None:
                middle = len(one.decision.options) // 2
                one.choose(middle)
                other.choose(middle)
    assert [game.result for game in games] == [game.result for game in alone]


def test_a_save_of_one_engine_is_opened_by_the_other() -> None:
    """In the middle of a game, both ways."""
    one, other = load("connect_four", engine="step"), load("connect_four", engine="wasm")
    game: Any = other.new_game(2, seed=3)
    for _ in range(5):
        game.choose(3)
    there: Any = one.load_game(game.save())
    back: Any = other.load_game(there.save())
    assert there.decision == back.decision == game.decision
    assert there.log(everything=True) == back.log(everything=True) == game.log(everything=True)
    assert isinstance(there._engine, Stepping)


ALIKE = """ruleset alike "Alike"
kind player:
    score: 0..99
    place hand: a row of card, seen by owner
kind card:
    starts in deck
place deck: a pile of card, seen by nobody
card one "One" x3
card two "Two" x3
effect turn(who: player):
    who may choose one:
        "Yes": set who.score to who.score + 1
        "Yes": set who.score to who.score + 2
        "No {who.score}": log "No."
        "No 3": log "No!"
        "None": log "None."
    who chooses one:
        "Repair": log "R."
        "Repair it": log "R it."
    who chooses c: a card in (the player where player is not who).hand
    move c to who.hand
phase setup:
    shuffle deck
    for each player in players: draw 3 cards from deck to player.hand
phase play:
    repeat 9 times:
        for each player in players ordered by seat: turn(player)
    end game
"""


def both(folder: Path, text: str) -> tuple[Any, Any]:
    """The same game on both engines."""
    return games(rules_of(folder, text, engine="step"))


def games(rules: Rules) -> tuple[Any, Any]:
    one, other = (on(rules, engine).new_game(2, seed=5) for engine in ("step", "wasm"))
    return one, other


def test_options_that_are_called_alike(tmp_path: Path) -> None:
    """Those that could be are told apart by numbers, whatever was read of the decision; the others never leave the module."""
    one, other = both(tmp_path, ALIKE)
    linked = other._engine.instance.linked
    assert [may_be_alike(linked, number) for number in range(3)] == [True, False, False]
    dice = random.Random(2)
    while one.decision is not None:
        index = dice.randrange(len(one.decision.options))
        if dice.random() < 0.5:
            assert one.decision == other.decision
        one.choose(index)
        other.choose(index if dice.random() < 0.5 else other.decision.options[index])
    assert one.choices == other.choices
    assert {"yes~2", "none~2", "repair_it"} <= {choice for _, choice in one.choices}
    assert one.log(1) == other.log(1)


def test_a_decision_can_be_read_when_the_game_has_gone_on(tmp_path: Path) -> None:
    """Words are made late; they are those of the moment, whatever was chosen, taken back or dealt since."""
    one, other = both(tmp_path, ALIKE)
    wanted, unread, dice = [], [], random.Random(3)
    while one.decision is not None:
        wanted.append(one.decision)
        unread.append(other.decision)
        if dice.random() < 0.2:
            assert one.undo(past_secrets=True) == other.undo(past_secrets=True)
        else:
            index = dice.randrange(len(one.decision.options))
            for game in (one, other):
                game.choose(index)
        if dice.random() < 0.2:
            one, other = one.clone(), other.clone()
    assert [len(each.options) for each in unread] == [len(each.options) for each in wanted]
    assert unread == wanted
    assert not any(one != other for one, other in zip(unread, wanted, strict=True))
    assert [repr(each) for each in unread] == [repr(each) for each in wanted]


@pytest.mark.parametrize("when", ["before", "stopped", "after", "on foot"])
def test_an_interruption_leaves_the_game_as_it_was(when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the module has begun with a choice, when it has stopped at it or is done with it, and when `step` has made it instead."""
    _, game = both(tmp_path, ALIKE)
    for _ in range(4):
        game.choose(1)
    instance, before, choices = game._engine.instance, plain(game), game.choices
    choose, load_state = instance.choose, instance.load

    def interrupted() -> None:
        if when == "stopped":
            instance.set("MOST_STEPS", 0)
        if when in ("stopped", "after"):
            choose()
            assert (instance.chosen[0] < 0) == (when == "stopped")
        instance.grant(instance.budget)
        if when != "on foot":
            raise KeyboardInterrupt

    def loaded(state: State) -> None:
        load_state(state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(instance, "at_hand", (interrupted, *instance.at_hand[1:]))
        patch.setattr(instance, "load", loaded)
        if when == "on foot":
            patch.setattr(instance, "restore", lambda restore=instance.restore: (choose(), restore()))
        with pytest.raises(KeyboardInterrupt):
            game.choose(0)
    assert (plain(game), game.choices) == (before, choices)
    game.choose(0)
    assert game.undo(past_secrets=True)
    assert (plain(game), game.choices) == (before, choices)


@pytest.mark.parametrize("option", [-1, 9, 10**12, -(10**12)])
def test_a_position_that_there_is_not(option: int) -> None:
    """Is refused, and nothing has happened."""
    game: Any = load("tic_tac_toe", engine="wasm").new_game(2)
    game.choose(4)
    before = plain(game)
    with pytest.raises(IllegalChoice, match="there are 8"):
        game.choose(option)
    assert plain(game) == before
    assert game.undo()
    assert len(game.decision.options) == 9


FAR = """
kind cell is place
kind player:
    score: 0..99
kind scout
grid board of cell: 3 by 4
scout pebble "Pebble" in board_1_1
die pips: 1, 2, 3
phase setup:{setup}
phase play:
    repeat:
        for each player in players ordered by seat:
            let face = roll pips
            player chooses goal: a cell in board where column != face
            move pebble to goal
            if goal.row = 2: increase player.score by count of (all cells visible from goal)
            if player.score > 30:
                win player
                end game
"""


def on_foot(rules: Rules, games: int, seed: int) -> tuple[int, list[int]]:
    """How many choices are made in games that are played inside the module, and how often each of two players wins, as the reference plays them."""
    state, choices, wins = chance.start(seed), 0, [0, 0]
    for number in range(games):
        linked = rules.linked(2)
        game = Stepping(linked, first_state(linked, seed + number))
        game.run()
        while (asked := game.asked()) is not None:
            state, bits = chance.advance(state)
            game.take((bits >> 32) * len(asked[1]) >> 32)
            choices += 1
        wins = [won + (how == "won") for won, how in zip(wins, game.machine.state.outcomes, strict=True)]
    return choices, wins


@pytest.mark.parametrize(
    "setup", ["\n    move pebble to board_2_2", "\n    let seen = all cells visible from board_1_1\n    move pebble to (the first cell in seen)"]
)
def test_games_inside_go_on_after_what_the_module_leaves_to_the_reference(setup: str, tmp_path: Path) -> None:
    """Choices that stop the module, and a set-up that does, are made on foot: the games are those of the reference, with the same chance and the same choices."""
    rules, games, seed = rules_of(tmp_path, FAR.replace("{setup}", setup), engine="wasm"), 6, 5
    played = rules.instance(2).play_random(games, seed)
    assert played.helped > games
    assert (played.choices, list(played.wins)) == on_foot(rules, games, seed)


def test_choices_made_on_foot_are_counted(tmp_path: Path) -> None:
    """Those that the module has left to the reference, though it has gone on from there."""
    pair = same(rules_of(tmp_path, FAR.replace("{setup}", " nothing"), engine="step"), range(2), 20)
    assert 0 < pair.on_foot < pair.decisions


SEEN = """
kind card:
    colour: red | blue, seen by everyone
    turned: flag
    hidden while turned
kind note
kind player:
    coins: number
    place hand: a row of card, seen by owner
place deck: a pile of card, seen by nobody
place heap: a pile of card, seen by nobody
place tray: a pile of card, seen by nobody
place lid: a pile of card, seen by nobody
place table: a row of card
place pouch: a bag of note, seen by nobody
place ledger: a row of note, seen by {WHO}
card fox "Fox" x6 in deck:
    colour red
card owl "Owl" x6 in table:
    colour blue
card moth "Moth" in tray:
    colour red
note slip "Slip" x3 in pouch
phase play:
    repeat 40 times:
        for each player in players ordered by seat: turn(player)
    end game
effect turn(who: player):
    who chooses one:
        "Save": increase who.coins by 1
        "Spend": set who.coins to 0
        "Lay" when any card in table: move the first card in table to heap
        "Draw" when any card in heap: move the top card of heap to who.hand
        "Uncover" when any card in deck: move the top card of deck to table
        "Hide" when any card in table: set (the first card in table).turned to true
        "Turn": for each card in table: set card.turned to false
        "Peek" when any card in table: show (the first card in table) to who
        "Flash" when any card in deck:
            move the top card of deck to table
            move the last card in table to heap
        "Shift":
            if any card in tray: move the top card in tray to lid
            else: move the top card in lid to tray
        "Whisper": log "{who.coins}." to who
        "Read" when any note in pouch:
            show (the first note in pouch) to who
            move the first note in pouch to pouch
        "Name" when any card in table: log "{the first card in table}."
        "Write" when any note in pouch: move the first note in pouch to ledger
        "Erase": move all notes in ledger to pouch
"""


@pytest.mark.parametrize("name", ["alike", "offers", "answers of each", "seen", "seen by rules", pytest.param("base", marks=slow)])
def test_what_can_be_taken_back_is_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One choice and two at once; the module says it, and the reference says the same."""
    by_rules = SEEN.replace("{WHO}", "(all players where coins = 0)")
    texts = {"alike": ALIKE, "seen": SEEN.replace("{WHO}", "nobody"), "seen by rules": by_rules, **subjects.SMALL}
    rules = load(ROOT / "rulesets/base", engine="step") if name == "base" else rules_of(tmp_path, texts[name], engine="step")
    one, other = games(rules)
    answers, instance = set(), other._engine.instance

    def asked(ask: Callable[[], int] = instance.sealed) -> int:
        found = ask()
        answers.add(bool(found))
        return found

    monkeypatch.setattr(instance, "sealed", asked)
    dice, before = random.Random(4), [game._checkpoint() for game in (one, other)]
    for _ in range(60):
        if one.decision is None:
            break
        moments, index = [game._checkpoint() for game in (one, other)], dice.randrange(len(one.decision.options))
        for game in (one, other):
            game.choose(index)
        for earlier in (moments, before):
            assert one._engine.sealed(earlier[0]) == other._engine.sealed(earlier[1])
        assert plain(one) == plain(other)
        before = moments
        if dice.random() < 0.3:
            assert one.undo() == other.undo()
            before = [game._checkpoint() for game in (one, other)]
        if name == "seen by rules":
            for limit in (0, 5, 20, 50, 80):  # at which the module stops somewhere in between
                instance.set("MOST_LOOKED", limit)
                whole = other._engine._bytes()
                assert other._engine.sealed(before[1]) == one._engine.sealed(before[0])
                assert other._engine._bytes() == whole
            instance.grant(other._engine._budget)
    assert answers == {True, False} or name == "answers of each"


ROWS = """
kind cell is place: holds up to 1 mark
kind mark:
    player: player or none
kind guest
grid board of cell: 5 by 8
place marks of player: a pile of mark
mark stone "Stone" x20
mark token "Token" x20 in board_3_3
guest fly "Fly" in board_1_1
value taken(spot: cell, who: player): spot holds a mark where player = who
phase setup:
    for each stone in stones: give_out(stone, the player where seat = 1 + stone.copy mod count of players)
    for each token in tokens where copy > 17: set token.player to (the player where seat = 1)
effect give_out(mark: mark, who: player):
    set mark.player to who
    move mark to who.marks
phase play:
    repeat 9 times:
        for each player in players ordered by seat: turn(player)
    end game
effect turn(who: player):
    who may choose target: a cell in board where cell is empty or (row = 3 and taken(cell, who))
    move a mark from who.marks to target
    if any line in lines(board, 2) where every cell in line holds a mark where player = who: log "Two."
    if any line in lines(board, 3) where any cell in line holds a token: log "One of three."
    if no line in lines(board, 2) where no cell in line holds a mark where player != who: log "None of two."
    if any line in lines(board, 9) where every cell in line is empty: log "Too long."
    log "{count of (cells in board where cell holds a mark)} {count of (cells in board where taken(cell, who) or column = 8)}"
"""


def test_rows_and_places_for_one_thing_are_asked_the_same(tmp_path: Path) -> None:
    """Also where more lies in a place than fits, and where something else lies in it; what is asked of rows of more than 32 cells."""
    pair = same(rules_of(tmp_path, ROWS, engine="step"), range(3))
    assert pair.decisions > 40
    assert pair.wasm.instance(2).play_random(5, 1).helped == 0


def games_won(text: str) -> tuple[int, ...]:
    """What comes of games of rules that nobody has compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        return rules_of(Path(folder), text, engine="wasm").instance(2).play_random(20, 1).wins


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forked processes here")
def test_a_forked_process_compiles_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the threads in which this one has compiled do not live on there."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    texts = [
        f"kind coin\nplace bank: a pile of coin\ncoin gold x{number} in bank\nphase play:\n    for each player in players where seat = 1: win player\n"
        for number in (5, 6)
    ]
    assert games_won(texts[0]) == (20, 0)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(games_won, (texts[1],)).get(timeout=60) == (20, 0)


@pytest.mark.parametrize(("name", "size"), [("TRAIL_SIZE", 1200), ("MEMO_SIZE", 256), ("MEMO_SLOTS", 2)])
def test_little_room_for_what_is_left_behind_and_for_what_is_known(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices that nobody looks at leave their traces on a trail in memory until that is full; decisions are known until there is no more room for them."""
    monkeypatch.setattr(layout, name, size)
    monkeypatch.setattr(compiling, name, size, raising=False)
    rules = load("tic_tac_toe", engine="wasm")
    reference = on(rules, "step")
    for seed in range(12):
        dice = random.Random(seed)
        game, other = rules.new_game(2, seed=seed), reference.new_game(2, seed=seed)
        while other.decision is not None:
            index = dice.randrange(len(other.decision.options))
            other.choose(index)
            game.choose(index)
            if seed % 3 == 0 or dice.random() < 0.1:
                assert game.decision == other.decision
            if seed % 4 == 0:
                rules.new_game(2, seed=1).choose(dice.randrange(9))  # another game lies in memory in between
        assert game.save() == other.save()
        assert game.log(everything=True) == other.log(everything=True)
        while game.undo(past_secrets=True):
            assert other.undo(past_secrets=True)
            assert game.decision == other.decision
        assert not other.undo(past_secrets=True)


def test_what_cannot_go_on_in_a_loaded_game_is_told_as_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `step` makes a choice that the module has stopped at, what is wrong with a save is told as where `step` makes all of them."""
    rules = load("tic_tac_toe", engine="wasm")
    game = rules.load_game(rules.new_game(2).save())

    def stopped(*_: object) -> None:
        raise KeyError("nothing that could be")

    monkeypatch.setattr(Running, "quick", stopped)
    with pytest.raises(SaveError, match=r"the save the game was loaded from is damaged: 'turn' cannot go on \(KeyError\)"):
        game.choose(0)
    with pytest.raises(KeyError):
        rules.new_game(2).choose(0)


def test_the_end_of_a_game_ends_what_goes_on_at_once(tmp_path: Path) -> None:
    """What follows from the ending comes of it, and does not wait for the end of what was broken off."""
    text = "kind player:\n    score: 0..9\neffect earn(who: player): increase who.score by 1\nafter earn(who): increase who.score by 2\n"
    one, other = both(
        tmp_path,
        text
        + 'phase play:\n    let who = the first player\n    ask who "End?": nothing\n    at once: end game\nphase ending: earn(the first player)\n',
    )
    for game in (one, other):
        game.choose(0)
    assert plain(one) == plain(other)
    assert [entry["value"] for entry in other.entries() if entry["kind"] == "set"] == [1, 3]


def test_decisions_that_were_asked_before_are_told_with_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module says which of those that are known comes next, and nobody looks for it."""
    rules = load("tic_tac_toe", engine="wasm")
    told: list[list[Any]] = []
    for looked_for in (True, True, False):
        game = rules.new_game(2)
        with monkeypatch.context() as patch:
            if not looked_for:
                patch.setattr(Running, "decision", None)
            told.append([])
            for _ in range(4):
                game.choose(0)
                told[-1].append(game.decision)
    assert told[0] == told[2]
    assert all(one is other for one, other in zip(told[0], told[2], strict=True))
