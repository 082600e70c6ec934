"""Lockstep: the same random game on the present engine, which is the oracle, and on the core as `step` runs it, compared at every decision.

Compared are who decides and among what values, what has been written to the log, the columns of the state, what holds for a time, what is used up, and the
words of an error. The budgets of the two count different things, so that of errors of a budget only the sort has to be the same. What was put off in a
batch that is left by `stop`, `give` or `cancel` happens inside the effect that is left here, as it does at the end of a batch, and behind it there: in rules
that do so the depths of causes are not compared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rulewright import Game, Rules, RulesError
from rulewright.core.lower import lower
from rulewright.core.program import Program
from rulewright.core.world import World
from rulewright.limits import Budget
from rulewright.run import rehearsing
from rulewright.step import rehearse
from rulewright.step.instructions import run, take
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state

BUDGETS = ("more than", "deep (in", "without end", "grows without bound", "maximum recursion")


class Different(AssertionError):
    """The two engines part here."""


@contextmanager
def oracle() -> Iterator[None]:
    """The present engine as an oracle: without what hides legal first picks of a payment in `rehearsing._onwards`."""
    kept = rehearsing._onwards
    rehearsing._onwards = lambda machine, options: options
    try:
        yield
    finally:
        rehearsing._onwards = kept


class Lockstep:
    """One ruleset for so many players, on both engines."""

    def __init__(self, rules: Rules, players: int, program: Program | None = None, budget: Budget | None = None) -> None:
        self.rules, self.players, self.budget = rules, players, budget or Budget()
        self.depths = not leaves_batches(rules.graph)
        self.linked = Linked(program or lower(rules.graph), World(rules.graph, players))

    def play(self, seed: int, most: int = 5_000, columns: bool = True) -> int:
        """One game, to its end or so many decisions; gives how many were made. An error of the rules is raised, if both engines fail in the same words."""
        with oracle():
            return self._play(seed, most, columns)

    def _play(self, seed: int, most: int, columns: bool) -> int:
        dice, machine = random.Random(seed), Machine(self.linked, first_state(self.linked, seed), self.budget)
        game: Game | None = None
        written, chosen = (0, 0), 0
        try:
            game = self.rules.new_game(self.players, seed, budget=self.budget)
            asked = game.decision
        except RulesError as error:
            self.both_fail(machine, None, error)
            raise
        self.go(machine, None)
        while True:
            written = self.logs(game, machine, written)
            if columns:
                self.columns(game, machine)
            if asked is None or machine.asked is None:
                self.equal("who decides", asked, machine.asked)
                self.equal("outcomes", list(game.state.outcomes), list(machine.state.outcomes))
                self.equal("the end", game.state.ended, machine.state.ended)
                self.columns(game, machine)
                return chosen
            values = self.options(game, machine)
            if chosen >= most:
                return chosen
            number = dice.randrange(len(values))
            chosen += 1
            try:
                game.choose(number)
                asked = game.decision
            except RulesError as error:
                self.both_fail(machine, (values[number],), error)
                raise
            self.go(machine, (values[number],))

    def go(self, machine: Machine, answer: tuple[Any] | None) -> None:
        """Go on with the core, which must not fail."""
        try:
            if answer is not None:
                take(machine, answer[0])
            run(machine)
        except RulesError as error:
            raise Different(f"only the core fails: {error}") from error

    def both_fail(self, machine: Machine, answer: tuple[Any] | None, error: RulesError) -> None:
        """The present engine has failed: the core has to fail in the same words."""
        try:
            if answer is not None:
                take(machine, answer[0])
            run(machine)
            if machine.asked is not None:
                rehearse.spared(machine, machine.asked[1])
        except RulesError as other:
            self.equal("errors", words_of(str(error)), words_of(str(other)))
            return
        raise Different(f"only the present engine fails: {error}")

    # -- comparing

    def equal(self, what: str, old: Any, new: Any) -> None:
        if old != new:
            raise Different(f"{what}\n  present: {old}\n  core:    {new}")

    def options(self, game: Game, machine: Machine) -> tuple[Any, ...]:
        """What may be chosen now, as values of the core, in the order in which the present engine offers it."""
        asked = game.decision
        assert asked is not None
        assert machine.asked is not None
        player, found = machine.asked
        values = rehearse.spared(machine, found)
        offered = [self.value(option.value) for option in game._options()]
        where = f"{asked.kind} '{asked.prompt}' in {self.linked.unit_at[machine.state.frames[-1].at]}"
        self.equal(f"who decides: {where}", asked.player - 1, player)
        if asked.kind == "reaction":
            offered = [1, None]
        if asked.kind == "replacement":  # hooks have other names here
            self.equal(f"how many may be chosen: {where}", len(offered), len(values))
            return tuple(values)
        self.equal(f"what may be chosen: {where}", offered, list(values))
        return tuple(values)

    def value(self, value: Any) -> Any:
        """A value of the present engine as one of the core."""
        if isinstance(value, tuple) and value and value[0] == "action":
            return self.linked.deed_numbers[value[1]] * self.linked.stride + (0 if value[2] is None else value[2] + 1)
        if isinstance(value, tuple) and value and value[0] == "option":
            return -1 - value[1]
        if isinstance(value, dict):  # answers by who gave them
            return tuple(
                (int(key), *each) if isinstance(each, tuple) else (int(key), each) for key, part in value.items() for each in [self.value(part)]
            )
        return self.linked.encoded(value)

    def logs(self, game: Game, machine: Machine, since: tuple[int, int]) -> tuple[int, int]:
        """What has been written to the logs since they were so long; choices are for whoever asks to write."""
        state = game.state
        old = [self.present_entry(entry) for entry in state.log[since[0] : state.log_length] if entry[0] != "choice"]
        new = [self.core_entry(machine, entry) for entry in machine.state.log[since[1] :] if entry[0] != "choice"]
        for one, other in zip(old, new, strict=False):
            self.equal("the log", one, other)
        self.equal("how much was logged", old[len(new) :], new[len(old) :])
        return state.log_length, len(machine.state.log)

    def present_entry(self, entry: Any) -> Any:
        kind, cause, *parts = entry
        if not self.depths:
            cause = (*cause[:2], 0, cause[3])
        if kind == "message":
            return kind, cause, "".join(map(str, parts[0])) if type(parts[0]) is tuple else parts[0], parts[1], parts[2]
        if kind == "set":
            return kind, cause, *parts[:2], self.linked.encoded(parts[2]), self.linked.encoded(parts[3]), parts[4]
        if kind == "roll":
            return kind, cause, parts[0], self.linked.encoded(parts[1])
        return kind, cause, *(list(part) if isinstance(part, tuple) else part for part in parts)

    def core_entry(self, machine: Machine, entry: Any) -> Any:
        kind, cause, *parts = entry
        if not self.depths:
            cause = (*cause[:2], 0, cause[3])
        if kind == "message":
            at, values, seen, components = parts
            shown = iter(values)
            text = "".join(part if type(part) is str else machine.shown(next(shown), part.how) for part in self.linked.code[at].text.parts)
            return kind, cause, text, seen, list(components) if components else None
        if kind == "set":
            return kind, cause, *parts
        return kind, cause, *(list(part) if isinstance(part, tuple) else part for part in parts)

    def columns(self, game: Game, machine: Machine) -> None:
        """The state beside what is going on."""
        old, new = game.state, machine.state
        self.equal("places", old.where, new.where)
        self.equal("members", list(old.members), list(new.members))
        self.equal("what is known", old.known, new.known)
        self.equal("fields", [self.linked.encoded(value) for value in old.values], new.values)
        self.equal("chance", old.random, new.random)
        self.equal("outcomes", list(old.outcomes), list(new.outcomes))
        held = [(each["hook"], each["until"], self.kept(each)) for each in old.installed]
        self.equal("what holds for a time", held, [(each.hook, each.until, self.kept_here(each)) for each in new.held])
        self.equal("what is used up", len(old.once), len(new.used))

    def kept(self, installed: dict[str, Any]) -> dict[str, Any]:
        return {name: self.value(value) for name, value in installed["vars"].items()}

    def kept_here(self, held: Any) -> dict[str, Any]:
        hook = self.linked.program.hooks[held.hook]
        return {hook.locals[slot].name: value for slot, value in zip(hook.kept, held.kept, strict=True)}


def words_of(message: str) -> str:
    """What an error says; of one of a budget only that it is one."""
    return "a budget" if any(part in message for part in BUDGETS) else re.sub(r" \(in '.*'\)$", "", message)


def leaves_batches(graph: dict[str, Any]) -> bool:
    """Whether some batch of the rules can be left by an end of the effect it is part of."""
    nodes = graph["nodes"]

    def inside(part: Any) -> Iterator[str]:
        """The nodes of a body, and of bodies in it."""
        if isinstance(part, str) and part in nodes:
            yield part
            yield from inside([value for name, value in nodes[part].items() if name != "span"])
        elif isinstance(part, dict):
            yield from inside(list(part.values()))
        elif isinstance(part, list):
            for each in part:
                yield from inside(each)

    return any(nodes[each]["op"] in ("return", "cancel") for node in nodes.values() if node["op"] == "batch" for each in inside(node["body"]))


def nodes_in(value: Any) -> list[Any]:
    """A node and everything in it."""
    if isinstance(value, msgspec.Struct):
        return [value, *(each for name in value.__struct_fields__ for each in nodes_in(getattr(value, name)))]
    if isinstance(value, dict):
        return [each for part in value.values() for each in nodes_in(part)]
    return [each for part in value for each in nodes_in(part)] if isinstance(value, list | tuple) else []
