"""Games that are interrupted all the time, beside one that is not.

A game on the fast engine is played together with a plain one on the reference engine that makes the same choices. At random moments the fast one is taken
back and forth, cloned, saved and loaded, looked into, handed to the other engine, imagined; each time something else is tried out on the side, and each time
it has to be where the plain one is, and to stay there.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from rulewright import Game, Rules
from rulewright.run.state import KEPT

COLUMNS = ("values", "where", "members", "known")
COMPARED = (*COLUMNS, *KEPT)


def same(one: Game, other: Game, since: int = 0) -> None:
    """Two games are at the same moment, down to the frames, and have the same log. Clones are looked at: frames that nobody has looked at are kept otherwise."""
    one, other = one.clone(), other.clone()
    assert one.state.entries(since) == other.state.entries(since)
    for name in COMPARED:
        assert getattr(one.state, name) == getattr(other.state, name), name
    assert one.decision == other.decision


def stray(game: Game, dice: random.Random, most: int) -> int:
    """Go some way at random; gives how many choices were made."""
    made = 0
    for _ in range(dice.randrange(1, most + 1)):
        if game.decision is None:
            break
        game.choose(dice.randrange(len(game.decision.options)))
        made += 1
    return made


class Interrupted:
    """A game on the fast engine that is interrupted, and a plain one."""

    def __init__(self, walking: Rules, compiled: Rules, players: int, seed: int, chance: str | None = None, *, automatic: bool = False) -> None:
        self.walking, self.compiled = walking, compiled
        self.plain, self.fast = (rules.new_game(players, seed, chance, automatic=automatic) for rules in (walking, compiled))
        self.dice = random.Random(seed * 7919 + players)
        self.kept: list[tuple[Game, Game]] = []  # clones of both from earlier moments
        self.done: list[str] = []

    def play(self, most: int, often: float) -> None:
        """Some choices, interrupted so often."""
        self.compare()
        for _ in range(most):
            decision = self.plain.decision
            if decision is None:
                break
            while self.dice.random() < often:
                interruption = self.dice.choice(INTERRUPTIONS)
                self.done.append(interruption.__name__)
                interruption(self)
                self.compare()
            option = self.dice.randrange(len(decision.options))
            self.done.append(f"choose {option}")
            since = self.plain.state.log_length
            self.plain.choose(option)
            self.fast.choose(option)
            self.compare(since)
        for plain, fast in self.kept:
            same(plain, fast)
        assert self.plain.log(everything=True) == self.fast.log(everything=True)
        assert self.plain.result == self.fast.result

    def compare(self, since: int = 0) -> None:
        """Both games are at the same moment, also if what may be chosen is worked out anew."""
        same(self.plain, self.fast, since)
        anew = self.fast.clone()
        anew._asked = None
        assert anew.decision == self.plain.decision

    def someone(self) -> int | None:
        return self.dice.randrange(self.plain.world.players + 1) or None

    # -- interruptions

    def go_back_and_forth(self) -> None:
        """Undo some choices and make them again."""
        back = sum(self.fast.undo(past_secrets=True) for _ in range(self.dice.randrange(1, 6)))
        for _ in range(back):
            assert self.fast.redo()

    def choose_again(self) -> None:
        """Undo some choices, and choose the same."""
        while self.dice.random() < 0.6 and self.fast.undo(past_secrets=True):
            pass
        self.choose_the_same()

    def choose_the_same(self) -> None:
        """Make the choices that the plain game has made, and this one has not."""
        while len(self.fast.choices) < len(self.plain.choices):
            self.fast.choose(self.plain.choices[len(self.fast.choices)][1])

    def go_another_way(self) -> None:
        """Undo some choices, go another way, and come back."""
        back = sum(self.fast.undo(past_secrets=True) for _ in range(self.dice.randrange(0, 4)))
        made = stray(self.fast, self.dice, 4)
        assert self.fast.redo() == (made == 0 and back > 0)
        for _ in range(made):
            assert self.fast.undo(past_secrets=True)
        self.choose_the_same()

    def leave_a_clone(self) -> None:
        """Let a clone go astray."""
        stray(self.fast.clone(), self.dice, 5)

    def become_a_clone(self) -> None:
        """Go on with a clone, and let the original go astray."""
        left, self.fast = self.fast, self.fast.clone()
        stray(left, self.dice, 5)

    def keep_a_clone(self) -> None:
        """Keep a clone of both games, to be compared at the end."""
        if len(self.kept) < 20:
            self.kept.append((self.plain.clone(), self.fast.clone()))

    def play_kept(self) -> None:
        """Go on for a while with clones that were kept."""
        if not self.kept:
            return
        plain, fast = self.dice.choice(self.kept)
        for _ in range(5):
            if plain.decision is not None:
                option = self.dice.randrange(len(plain.decision.options))
                plain.choose(option)
                fast.choose(option)
        same(plain, fast)

    def save_and_load(self) -> None:
        """Through JSON, by the same engine."""
        self.fast = self.compiled.load_game(json.loads(json.dumps(self.fast.save())))

    def take_over_a_save(self) -> None:
        """Go on with what the other engine saved."""
        self.fast = self.compiled.load_game(json.loads(json.dumps(self.plain.save())))

    def by_the_other(self) -> None:
        """A save goes on in the other engine, beside the game."""
        other, fast = self.walking.load_game(json.loads(json.dumps(self.fast.save()))), self.fast.clone()
        for _ in range(4):
            if other.decision is None:
                break
            option = self.dice.randrange(len(other.decision.options))
            other.choose(option)
            fast.choose(option)
            same(other, fast)

    def look(self) -> None:
        """Look at the frames."""
        assert self.fast.state.frames == self.plain.clone().state.frames

    def look_at_the_top(self) -> None:
        if self.fast.state.stack:
            self.fast.state.top()

    def imagine(self) -> None:
        """Imagine, and play that."""
        player, seed = self.someone(), self.dice.randrange(10)
        fast, plain = self.fast.imagine(player, seed), self.plain.clone().imagine(player, seed)
        assert fast.view(player) == plain.view(player) == self.fast.view(player)
        same(fast, plain)
        for _ in range(4):
            if plain.decision is not None:
                assert plain.decision.options
                option = self.dice.randrange(len(plain.decision.options))
                plain.choose(option)
                fast.choose(option)
                same(fast, plain)

    def view(self) -> None:
        player = self.someone()
        assert self.fast.view(player) == self.plain.view(player)
        assert self.fast.log(player) == self.plain.log(player)

    def why_not(self) -> None:
        """Why what is not offered is not."""
        actions = list(self.plain.world.graph["actions"])
        if actions:
            thing, player = self.dice.choice(actions), self.dice.randrange(self.plain.world.players) + 1
            assert outcome(lambda: self.fast.why_not(player, thing)) == outcome(lambda: self.plain.clone().why_not(player, thing))

    def undo_by_the_rules(self) -> None:
        """Undo, if nothing was revealed: as the other engine sees it."""
        one, other = self.walking.load_game(self.fast.save()), self.compiled.load_game(self.plain.save())
        for _ in range(3):
            if one.decision is not None:
                option = self.dice.randrange(len(one.decision.options))
                one.choose(option)
                other.choose(option)
        for _ in range(3):
            assert one.undo() == other.undo()
            same(one, other)

    def choose_nonsense(self) -> None:
        """What is not there cannot be chosen, and changes nothing."""
        assert outcome(lambda: self.fast.choose("no such thing")) == outcome(lambda: self.plain.choose("no such thing"))


def outcome(of: Callable[[], Any]) -> Any:
    """What a call gives, or its error."""
    try:
        return of()
    except Exception as error:
        return type(error), str(error)


INTERRUPTIONS: list[Callable[[Interrupted], None]] = [
    Interrupted.go_back_and_forth,
    Interrupted.choose_again,
    Interrupted.go_another_way,
    Interrupted.leave_a_clone,
    Interrupted.become_a_clone,
    Interrupted.keep_a_clone,
    Interrupted.play_kept,
    Interrupted.save_and_load,
    Interrupted.take_over_a_save,
    Interrupted.by_the_other,
    Interrupted.look,
    Interrupted.look_at_the_top,
    Interrupted.imagine,
    Interrupted.view,
    Interrupted.why_not,
    Interrupted.undo_by_the_rules,
    Interrupted.choose_nonsense,
]
