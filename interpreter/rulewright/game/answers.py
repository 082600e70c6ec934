"""Answers given in secret that are still in local names: whoever was not told them imagines any that could have been given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.game.inquiry import Inquiry, several_of, value_of
from rulewright.step.machine import Machine
from rulewright.step.state import Frame, Value

Guesses = dict[tuple[int | None, Value], Value]  # by who has answered and what was there: what is there now


def reopen(machine: Machine, player: int | None) -> None:
    """Secret answers that others have given to a question which is still going round: they answer again, after those who still have to."""
    frame = machine.state.frames[-1] if machine.state.frames else None
    node = machine.linked.code[frame.at] if frame is not None else None
    question = machine.program.questions[node.question] if isinstance(node, c.Ask) else None
    if frame is None or question is None or not question.secret or question.turns is None:
        return
    waiting, cursor, *given = question.turns
    order, number = frame.names[waiting], frame.names[cursor]
    again = [who for who in order[: number - 1] if machine.decider(who) != player]
    kept = [who for who in order[: number - 1] if who not in again]
    frame.names[waiting], frame.names[cursor] = (*kept, *order[number - 1 :], *again), len(kept) + 1
    for slot in given:
        frame.names[slot] = tuple([each for each in frame.names[slot] if each[0] not in again])
    if question.together is not None and machine.decider(order[number - 1]) != player:
        frame.names[cursor] -= 1  # how far somebody else has come in the block nobody knows: they begin again
        frame.at = next(
            at
            for at in machine.linked.addresses[machine.linked.unit_at[frame.at]]
            if isinstance(head := machine.linked.code[at], c.Next) and head.list == waiting
        )


def forget(machine: Machine, player: int | None) -> Guesses:
    """Let any answer that could have been given be where others have answered in secret."""
    return Guessing(machine, player).guesses()


class Guessing(Inquiry):
    """Makes up answers."""

    def __init__(self, machine: Machine, player: int | None) -> None:
        super().__init__(machine)
        self.player = player
        self.found: Guesses = {}
        self.real: dict[int, list[Value]] = {}  # the names of frames, as they were
        self.settled: set[tuple[int, str, int]] = set()  # answers in blocks that have been made up: of a frame, by name and player

    def guesses(self) -> Guesses:
        """What is in local names now, by who has answered and what was there."""
        for frame, question, unit in self._answered():
            node = self.graph["nodes"][question.node]
            slot = question.names[node["name"]]
            if question.together is not None:
                self._block(frame, question, unit)
            value = frame.names[slot]
            if value is None:
                continue
            if node["each"] is None:
                who = self._there("chooser", question, unit, value_of(node["who"]), frame.names)
                new = self._guessed(self.machine.decider(who), question, unit, frame.names, value)
            else:
                chooser = question.names[node["each"]["name"]]
                new = tuple([self._turn(question, unit, frame.names, chooser, each) for each in value])
            frame.names[slot] = new
            self._hand_on(question, node["name"], value, new)
        return self.found

    def _block(self, frame: Frame, question: c.Question, unit: str) -> None:
        """What all have answered to a question of a block that each has gone through, kept by name. Where one answer leads to another, the later one is made up
        from what was made up before; whether somebody was asked at all stays as it was."""
        node, locals_there = self.graph["nodes"][question.node], self.machine.program.units[unit].locals
        kept = {local.name: slot for slot, local in enumerate(locals_there) if local.shape == "lists"}
        name, chooser = node["name"], question.names[node["who"].get("of", node["who"])["name"]]
        real = self.real.setdefault(id(frame), frame.names[:])

        def then(who: int, names: list[Value]) -> list[Value]:
            """The names as they were for somebody who went through the block."""
            there = names[:]
            there[chooser] = who
            for other, slot in question.names.items():
                told = names[kept[other]] or () if other in kept and kept[other] != slot else ()
                there[slot] = next((each[1] if locals_there[slot].shape == "one" else each[1:] for each in told if each[0] == who), there[slot])
            return there

        made = []
        for who, *given in frame.names[kept[name]] or ():
            several = question.picked is not None
            own = tuple(given) if several else given[0]
            if (id(frame), name, who) not in self.settled and self._could(question, unit, then(who, real), own):
                self.settled.add((id(frame), name, who))
                own = self._guessed(self.machine.decider(who), question, unit, then(who, frame.names), own)
            made.append((who, *own) if several else (who, own))
        if made:
            frame.names[kept[name]] = tuple(made)

    def _could(self, question: c.Question, unit: str, names: list[Value], given: Value) -> bool:
        """Whether a question can have been answered so."""
        node = self.graph["nodes"][question.node]
        if node["form"] == "number":
            low, high = (self._there(end, question, unit, value_of(node[end]), names) or 0 for end in ("low", "high"))
            return given is not None and low <= given <= high
        possible = self._there("from", question, unit, several_of(node["from"]), names) if node["from"] is not None else ()
        return bool(set(given) <= set(possible)) if type(given) is tuple else given in possible

    def _answered(self) -> Iterator[tuple[Frame, c.Question, str]]:
        """The frames that may hold an answer to a secret question, which is not being asked just now."""
        linked, secret = self.machine.linked, secret_questions(self.machine)
        for frame in self.machine.state.frames if secret else ():
            unit, node = linked.unit_at[frame.at], linked.code[frame.at]
            for number in secret.get(unit, ()):
                if not (isinstance(node, c.Ask) and node.question == number):
                    yield frame, self.machine.program.questions[number], unit

    def _turn(self, question: c.Question, unit: str, names: list[Value], chooser: c.Slot, answer: Value) -> Value:
        """What one of several has answered: who it was, then the answer, or all of it."""
        who, *given = answer
        there = names[:]
        there[chooser] = who
        several = question.picked is not None
        made = self._guessed(self.machine.decider(who), question, unit, there, tuple(given) if several else given[0])
        return (who, *made) if several else (who, made)

    def _guessed(self, who: int | None, question: c.Question, unit: str, names: list[Value], given: Value) -> Value:
        if who == self.player:
            return given
        found = self.found[who, given] = self._guess(question, unit, names, given)
        return found

    def _guess(self, question: c.Question, unit: str, names: list[Value], given: Value) -> Value:
        """An answer to a choice, as many things as were given."""
        node, machine = self.graph["nodes"][question.node], self.machine
        if node["form"] == "number":
            low, high = (self._there(end, question, unit, value_of(node[end]), names) or 0 for end in ("low", "high"))
            return low + machine.below(high - low + 1) if low <= high else given
        possible = self._there("from", question, unit, several_of(node["from"]), names) if node["from"] is not None else ()
        if type(given) is tuple:
            machine.state.random, order = chance.permutation(machine.state.random, len(possible))
            return tuple([possible[number] for number in order[: len(given)]]) if len(given) <= len(possible) else given
        return possible[machine.below(len(possible))] if possible and given is not None else given

    def _there(self, what: str, question: c.Question, unit: str, make: Any, names: list[Value]) -> Value:
        return self.ask_there(f"{what} of {question.node} in {unit}", question, unit, make, names)

    def _hand_on(self, question: c.Question, name: str, value: Value, new: Value) -> None:
        """An action has told its choices to the events that it is."""
        path, linked = question.action, self.machine.linked
        units = (f"deed {path}", f"event {path}", f"event action of {path}") if path is not None else ()
        for frame in self.machine.state.frames:
            unit = linked.unit_at[frame.at]
            for slot, local in enumerate(linked.program.units[unit].locals if unit in units else ()):
                if local.name == name and frame.names[slot] == value:
                    frame.names[slot] = new


def secret_questions(machine: Machine) -> dict[str, list[int]]:
    """The questions that are answered in secret and whose answers have a name, by their units."""
    notes, program = machine.linked.notes, machine.program
    if "secret questions" not in notes:
        found: dict[str, list[int]] = {}
        for block in program.blocks:
            for node in block.code:
                question = program.questions[node.question] if isinstance(node, c.Ask) else None
                named = question is not None and question.secret and machine.world.graph["nodes"][question.node]["name"] is not None
                if isinstance(node, c.Ask) and named:
                    found.setdefault(block.unit, []).append(node.question)
        notes["secret questions"] = found
    made: dict[str, list[int]] = notes["secret questions"]
    return made
