"""A game in the module, interrupted all the time, beside one that is stepped and is not.

Both make the same choices. At random moments the one in the module is taken back and forth, cloned, saved and loaded, handed to the other engine, imagined,
looked into; each time it has to be where the other is: the same decision with the same words, the same log for every player, the same views and result.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from rulewright import Game, Rules


class Beside:
    """Two games: `plain`, which is stepped, and one in the module."""

    def __init__(self, step: Rules, wasm: Rules, players: int, seed: int, chance: str | None = None, *, automatic: bool = False) -> None:
        self.step, self.wasm = step, wasm
        self.dice = random.Random(seed * 7919 + players)
        self.kept: list[tuple[Game, Game]] = []  # clones of both from earlier moments
        self.done: list[str] = []
        self.plain, self.game = (rules.new_game(players, seed, chance, automatic=automatic) for rules in (step, wasm))

    def play(self, most: int, often: float) -> int:
        """Some choices, interrupted so often; gives how many."""
        made = since = 0
        self.compare(since)
        while made < most and self.plain.decision is not None:
            while self.dice.random() < often:
                interruption = self.dice.choice(INTERRUPTIONS)
                self.done.append(interruption.__name__)
                interruption(self)
                self.compare(since)
            option = self.dice.randrange(len(self.plain.decision.options))
            self.done.append(f"choose {option}")
            since = self.plain.log_length
            self.plain.choose(option)
            self.game.choose(option)
            self.compare(since)
            made += 1
        for plain, game in self.kept:
            assert plain.save() == game.save(), self.done
        assert self.plain.log(everything=True) == self.game.log(everything=True)
        assert self.plain.save() == self.game.save()
        return made

    def compare(self, since: int = 0) -> None:
        """Both games are at the same moment."""
        assert self.plain.decision == self.game.decision, self.done
        assert self.plain.entries(since) == self.game.entries(since), self.done
        assert self.plain.choices == self.game.choices, self.done
        assert self.plain.result == self.game.result, self.done
        player = self.someone()
        assert self.plain.view(player) == self.game.view(player), self.done
        assert self.plain.log(player) == self.game.log(player), self.done

    def together(self, one: Game, other: Game, most: int) -> None:
        """The same random choices in two games, which stay the same."""
        for _ in range(most):
            assert one.decision == other.decision, self.done
            if one.decision is None:
                break
            option = self.dice.randrange(len(one.decision.options))
            one.choose(option)
            other.choose(option)
        assert one.save() == other.save(), self.done

    def someone(self) -> int | None:
        return self.dice.randrange(self.plain.world.players + 1) or None

    # -- interruptions

    def go_back_and_forth(self) -> None:
        """Undo some choices and make them again."""
        back = sum(self.game.undo(past_secrets=True) for _ in range(self.dice.randrange(1, 6)))
        for _ in range(back):
            assert self.game.redo()

    def go_another_way(self) -> None:
        """Undo some choices, go another way, come back, and choose the same again."""
        back = sum(self.game.undo(past_secrets=True) for _ in range(self.dice.randrange(0, 4)))
        wanted = self.game.choices
        made = stray(self.game, self.dice, 4)
        for _ in range(made):
            assert self.game.undo(past_secrets=True)
        assert self.game.choices == wanted
        for _ in range(back if not made else 0):
            assert self.game.redo()
        while len(self.game.choices) < len(self.plain.choices):
            self.game.choose(self.plain.choices[len(self.game.choices)][1])

    def leave_a_clone(self) -> None:
        """Let a clone go astray."""
        stray(self.game.clone(), self.dice, 5)

    def become_a_clone(self) -> None:
        """Go on with a clone, and let the original go astray."""
        left, self.game = self.game, self.game.clone()
        stray(left, self.dice, 5)

    def keep_a_clone(self) -> None:
        """Keep a clone of both games, to be compared at the end."""
        if len(self.kept) < 20:
            self.kept.append((self.plain.clone(), self.game.clone()))

    def play_kept(self) -> None:
        """Go on for a while with clones that were kept."""
        if self.kept:
            self.together(*self.dice.choice(self.kept), 5)

    def save_and_load(self) -> None:
        """Through JSON."""
        everything = self.game.log(everything=True)
        self.game = self.wasm.load_game(json.loads(json.dumps(self.game.save())))
        assert self.game.log(everything=True) == everything

    def take_over_a_save(self) -> None:
        """Go on with what the other engine saved."""
        self.game = self.wasm.load_game(json.loads(json.dumps(self.plain.save())))

    def by_the_other(self) -> None:
        """A save goes on in the other engine, beside the game."""
        self.together(self.step.load_game(json.loads(json.dumps(self.game.save()))), self.game.clone(), 4)

    def imagine(self) -> None:
        """Imagine, and play that."""
        player, seed = self.someone(), self.dice.randrange(10)
        one, other = self.plain.imagine(player, seed), self.game.imagine(player, seed)
        assert one.view(player) == other.view(player) == self.game.view(player), self.done
        self.together(one, other, 4)

    def why_not(self) -> None:
        """Why what is not offered is not."""
        actions = list(self.plain.world.graph["actions"])
        if actions:
            thing, player = self.dice.choice(actions), self.dice.randrange(self.plain.world.players) + 1
            assert outcome(lambda: self.game.why_not(player, thing)) == outcome(lambda: self.plain.why_not(player, thing))

    def undo_by_the_rules(self) -> None:
        """Undo, if nothing was revealed: the same in both."""
        one, other = self.step.load_game(self.plain.save()), self.game.clone()
        self.together(one, other, 3)
        for _ in range(3):
            assert one.undo() == other.undo()
            assert one.decision == other.decision

    def choose_nonsense(self) -> None:
        """What is not there cannot be chosen, and changes nothing."""
        for nonsense in ("no such thing", 10**6, -1):
            assert outcome(lambda given=nonsense: self.plain.choose(given)) == outcome(lambda given=nonsense: self.game.choose(given))  # type: ignore[misc]


def stray(game: Game, dice: random.Random, most: int) -> int:
    """Go some way at random; gives how many choices were made."""
    made = 0
    for _ in range(dice.randrange(1, most + 1)):
        if game.decision is None:
            break
        game.choose(dice.randrange(len(game.decision.options)))
        made += 1
    return made


def outcome(of: Callable[[], Any]) -> Any:
    """What a call gives, or its error."""
    try:
        return of()
    except Exception as error:
        return type(error), str(error)


INTERRUPTIONS: list[Callable[[Beside], None]] = [
    Beside.go_back_and_forth,
    Beside.go_another_way,
    Beside.leave_a_clone,
    Beside.become_a_clone,
    Beside.keep_a_clone,
    Beside.play_kept,
    Beside.save_and_load,
    Beside.take_over_a_save,
    Beside.by_the_other,
    Beside.imagine,
    Beside.why_not,
    Beside.undo_by_the_rules,
    Beside.choose_nonsense,
]
