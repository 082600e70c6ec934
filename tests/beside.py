"""A public game on the core, interrupted all the time, beside one on the reference engine that is not.

Both make the same choices. At random moments the one on the core is taken back and forth, cloned, saved and loaded, looked into; each time it has to be where
the other is: the same decision with the same words, the same log for every player, the same views, the same choices and result. Where chance is asked, two things
are meant to be otherwise: the core sees that copies make no difference which the present engine keeps apart, then the same is chosen in both, as long as both
ask; and the present engine takes numbers among which chance chooses for components.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from rulewright import Decision, Game, Rules
from tests.lockstep import leaves_batches


class Beside:
    """Two games: `plain` on the reference engine, and one on the core."""

    def __init__(self, reference: Rules, core: Rules, players: int, seed: int, chance: str | None = None, *, automatic: bool = False) -> None:
        self.reference, self.core = reference, core
        self.dice = random.Random(seed * 7919 + players)
        self.depths = not leaves_batches(reference.graph)
        self.asking = chance == "ask"
        self.done: list[str] = []
        self.plain, self.game = (rules.new_game(players, seed, chance, automatic=automatic) for rules in (reference, core))

    def play(self, most: int, often: float) -> int:
        """Some choices, interrupted so often; gives how many."""
        since = 0
        for made in range(most):
            if self.parted():
                return made
            self.compare(since)
            since = self.plain.log_length
            if self.plain.decision is None:
                return made
            while self.dice.random() < often:
                interruption = self.dice.choice(INTERRUPTIONS)
                self.done.append(interruption.__name__)
                interruption(self)
                self.compare(since)
            if not self.choose():
                return made
        return most

    def parted(self) -> bool:
        """Whether only one of them asks chance, about copies that make no difference; or neither, and the seed has given them other copies of the same."""
        ask, texts = self.plain.decision, self.texts(self.plain, None)
        alone = ask is not None and ask.player == 0 and ask != self.game.decision and len({plainly(option.id) for option in ask.options}) == 1
        if alone or (self.asking and self.entries(self.plain, 0) != self.entries(self.game, 0)):
            assert texts == self.texts(self.game, None)[: len(texts) if alone else None], self.done
            return True
        return False

    def choose(self) -> bool:
        """Choose the same in both; whether they are still to be compared."""
        one, other = self.plain.decision, self.game.decision
        assert one is not None
        assert other is not None
        option = self.dice.randrange(len(other.options))
        named = [plainly(each.id) for each in one.options]
        same = option if len(one.options) == len(other.options) else named.index(plainly(other.options[option].id))
        self.done.append(f"choose {option}")
        self.plain.choose(same)
        self.game.choose(option)
        made = self.plain.choices[-1:] == self.game.choices[-1:]
        assert made or self.asking, (self.done, self.plain.choices[-1:], self.game.choices[-1:])
        return made

    def compare(self, since: int = 0) -> None:
        """Both games are at the same moment."""
        assert alike(self.plain.decision, self.game.decision), (self.done, self.plain.decision, self.game.decision)
        assert self.entries(self.plain, since) == self.entries(self.game, since), self.done
        assert self.plain.result == self.game.result
        player = self.someone()
        assert self.plain.view(player) == self.game.view(player), self.done
        assert self.texts(self.plain, player) == self.texts(self.game, player), self.done

    def entries(self, game: Game, since: int) -> list[dict[str, Any]]:
        return [{**entry, "depth": entry["depth"] if self.depths else 0} for entry in game.entries(since)]

    def texts(self, game: Game, player: int | None) -> list[tuple[str, str, str | None]]:
        return [(entry["text"], entry["cause"], entry["phase"]) for entry in game.log(player, everything=player is None)]

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

    def save_and_load(self) -> None:
        """Through JSON."""
        choices, everything = self.game.choices, self.game.log(everything=True)
        self.game = self.core.load_game(json.loads(json.dumps(self.game.save())))
        assert self.game.choices == choices
        assert self.game.log(everything=True) == everything

    def undo_by_the_rules(self) -> None:
        """Undo, if nothing was revealed: the same in both."""
        one, other = self.reference.load_game(self.plain.save()), self.game.clone()
        for _ in range(3):
            if one.decision is not None and one.decision == other.decision:
                option = self.dice.randrange(len(one.decision.options))
                one.choose(option)
                other.choose(option)
        for _ in range(3):
            assert one.undo() == other.undo()
            assert alike(one.decision, other.decision)

    def choose_nonsense(self) -> None:
        """What is not there cannot be chosen, and changes nothing."""
        if self.plain.decision == self.game.decision:
            for nonsense in ("no such thing", 10**6, -1):
                assert outcome(lambda given=nonsense: self.plain.choose(given)) == outcome(lambda given=nonsense: self.game.choose(given))  # type: ignore[misc]


def alike(one: Decision | None, other: Decision | None) -> bool:
    """Whether two decisions are the same, but for copies that make no difference to chance."""
    if one == other or one is None or other is None:
        return one == other
    sorts = [{plainly(option.id) for option in each.options} for each in (one, other)]
    odds = [[option.probability for option in each.options] for each in (one, other)]
    return one.player == other.player == 0 and one.prompt == other.prompt and (sorts[0] == sorts[1] or odds[0] == odds[1])


def plainly(option: str) -> str:
    """The name of a component without the number of the copy."""
    name, _, copy = option.rpartition(".")
    return name if copy.isdecimal() else option


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
    Beside.save_and_load,
    Beside.undo_by_the_rules,
    Beside.choose_nonsense,
]
