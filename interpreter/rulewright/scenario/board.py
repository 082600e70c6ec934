"""Boards: a game in the hands of a scenario, which carries out statements in it and asks it things.

Its statements become units and its claims functions, lowered onto the program of the game (see `core.lower.snippets`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulewright.check.expressions import Core
from rulewright.core import program as c
from rulewright.core.lower.builder import Writer
from rulewright.errors import RulesError
from rulewright.fragment import UNIT
from rulewright.game.game import Game
from rulewright.game.inquiry import Inquiry, test_of, value_of
from rulewright.game.log_text import entries_for, placed_entries
from rulewright.scenario.places import Written
from rulewright.scenario.tracer import Moved, Tracer
from rulewright.scenario.written import Chance
from rulewright.step.instructions import CHANCE
from rulewright.step.record import asked_question, component_of
from rulewright.step.state import Frame, Value


class Choice(NamedTuple):
    """An option with what it stands for: a component, a word or a number; an action and who grants it."""

    id: str
    label: str
    value: Any


class Locals(list[Any]):
    """The values of the local names of a scenario. Copies of a state copy lists; this one they share, so that what a step binds is known in the next."""

    def __getitem__(self, key: Any) -> Any:
        """A value; a copy of all of them is the same list."""
        return self if type(key) is slice else super().__getitem__(key)


class Board:
    """A game that a scenario plays."""

    def __init__(self, game: Game, entries: dict[int, str | None]) -> None:
        self.game: Game = game
        linked = game._machine.linked
        self.snippets = Inquiry(game._machine).snippets
        self.writer = Writer(UNIT)
        for seat in range(game.world.players):
            self.writer.bound(f"player_{seat + 1}", "one", "kind")
        self.units = {identity: self._unit(entry) for identity, entry in entries.items() if entry is not None}
        self.functions: dict[tuple[int, bool], tuple[Core, str]] = {}  # by the identity of the expression, which is kept
        linked.link_blocks()
        self.names = Locals([*range(game.world.players), *([None] * (len(self.writer.locals) - game.world.players))])

    def _unit(self, entry: str) -> str:
        return self.snippets.body(f"{UNIT} {len(self.snippets.program.units)}", UNIT, entry, self.writer)

    def _function(self, core: Core, condition: bool) -> str:
        """The function of an expression, made when it is asked for."""
        key = (id(core), condition)
        if key not in self.functions:
            name = f"{UNIT} {len(self.snippets.program.functions)}"
            made = self.snippets.function(name, self.writer.locals, test_of(core) if condition else value_of(core), self.writer.slots)
            self.functions[key] = core, made
        return self.functions[key][1]

    # -- carrying out and asking

    def perform(self, written: Written) -> None:
        """Carry out some statements here and now, then go on."""
        unit, machine = self.units.get(id(written)), self.game._machine
        frames = machine.state.frames
        around = frames[-1].cause if frames else ("the game", None, 0, None)
        cause = (UNIT, None, around[2] + 1, around[3])
        self.game._future.clear()
        carry_on(self.game, lambda: None if unit is None else frames.append(Frame(machine.linked.entries[unit], self.names, cause)))

    def holds(self, core: Core) -> bool:
        """Whether a condition is true."""
        return bool(self._ask(core, True))

    def value(self, core: Core, how: str) -> Any:
        """What an expression gives."""
        return self._plain(self._ask(core, False), how)

    def _ask(self, core: Core, condition: bool) -> Value:
        machine, function = self.game._machine, self._function(core, condition)
        machine.looked = 0
        try:
            return machine.ask_function(function, *tuple(self.names))
        finally:
            machine.value_depth = 0

    def _plain(self, value: Value, how: str) -> Any:
        if type(value) is tuple:
            return [self._plain(each, how) for each in value]
        if value is None:
            return None
        return self.game._machine.linked.spelled[value - c.WORDS] if value >= c.WORDS else bool(value) if how == "flag" else int(value)

    # -- names

    def local(self, name: str) -> Any:
        """What a local name of the scenario stands for."""
        slot = self.writer.slots.get(name)
        return None if slot is None else self.names[slot]

    def keep(self) -> Any:
        """All local names as they are now."""
        return list(self.names)

    def restore(self, kept: Any) -> None:
        """Let the local names be as they were."""
        for slot, value in enumerate(kept):
            self.names[slot] = value

    # -- looking

    def options(self) -> list[Choice]:
        """The options of the current decision."""
        decision, asked = self.game.decision, self.game._engine.asked()
        if decision is None or asked is None:
            return []
        values = asked[1] if asked[0] == CHANCE else [self._meant(value) for value in asked[1]]
        return [Choice(option.id, option.label, value) for option, value in zip(decision.options, values, strict=True)]

    def _meant(self, value: Value) -> Any:
        """What an answer stands for."""
        machine = self.game._machine
        question = machine.program.questions[asked_question(machine)]
        if value is None or question.values in ("rules", "reaction"):
            return None
        if question.values == "actions":
            path = machine.linked.actions[value // machine.linked.stride] if value >= 0 else None
            return ("option", -1 - value) if path is None else ("action", path, component_of(machine, question, value))
        return self._plain(value, question.values)

    def begin_log(self) -> None:
        """What is told of the log counts from here."""
        self.begun = len(self.game.state.log)
        self._tracer.happened.clear()

    def moves(self) -> list[Moved]:
        """The moves of the scenario's own since this was last asked."""
        found, self._tracer.moves = self._tracer.moves, []
        return found

    @property
    def _tracer(self) -> Tracer:
        tracer = self.game._machine.linked.watch
        assert isinstance(tracer, Tracer)
        return tracer

    def told(self, player: int | None) -> list[str]:
        """What the log has told since."""
        return [entry["text"] for entry in entries_for(self.game._machine, player, player is None, self.begun)]

    def happened(self, event: str) -> bool:
        """Whether an event has happened since."""
        return any(each.event == event for each in self._tracer.happened)

    def moments(self, wanted: str, player: int | None) -> list[float]:
        """When the log has told something since, and when an event of that name has begun: after so many entries."""
        lines = placed_entries(self.game._machine, player, player is None, self.begun)
        told = [at + 0.5 for at, entry in lines if wanted in entry["text"]]  # an event begins before what is told of it
        begun = [float(each.at) for each in self._tracer.happened if each.event == wanted] if player is None else []
        return sorted([*told, *begun])

    def knows(self, player: int, component: int) -> bool:
        """Whether a player can tell what a component is."""
        return self.game._machine.knows(player - 1, component)

    def answer(self, chance: Chance) -> None:
        """Say what chance gives next, and what it gives where something of a name asks."""
        script = self.game.script
        script.answers = (*script.answers, *map(self._answer, chance.answers))
        for named, answers in chance.named:
            script.keep(str(named.name), [self._answer(each) for each in answers])

    def _answer(self, answer: Any) -> Any:
        """An answer in which names that the scenario has bound stand for what they mean."""
        if isinstance(answer, list):
            return [each for part in answer for each in _flat(self._answer(part))]
        value = self.local(answer) if isinstance(answer, str) else None
        return answer if value is None else self._named(value)

    def _named(self, value: Value) -> Any:
        if type(value) is tuple:
            return [self._named(each) for each in value]
        assert value is not None
        plain = self._plain(value, "kind")
        identities = self.game.world.identities
        return identities[plain] if type(plain) is int and 0 <= plain < len(identities) else plain

    def unasked(self) -> list[object]:
        """Answers that nothing has asked for yet."""
        return list(self.game.script.left())


def _flat(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def carry_on(game: Game, change: Callable[[], object]) -> None:
    """Change something, then go on; on an error of the rules the game is as it was."""
    before, count = game._checkpoint(), len(game._made)
    try:
        change()
        game._engine.run()
        game._engine.asked()
        game._decision = None
    except RecursionError:
        unit = game._unit()
        game._go_to(before, count)
        raise RulesError("effects or values inside each other without end", unit) from None
    except RulesError:
        game._go_to(before, count)
        raise
