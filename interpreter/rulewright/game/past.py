"""The past of a game: what lay where at earlier moments of its log, with its fields, and what things were called then.

The log has every move and every change with what was before, so any earlier moment can be gone back to from the present one. Nothing of the game itself is touched:
this is a state of its own, which knows where things are and what is written on them, and nothing else.

What people call a component is its label, unless its kind says `described as`: that is asked at the moment that is told of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.core.lower.actions import Parameters
from rulewright.errors import RulesError
from rulewright.game.inquiry import Inquiry, test_of, value_of
from rulewright.step.machine import Machine
from rulewright.step.state import Entry, State, Value
from rulewright.step.wording import Wording

SELF: Parameters = [("self", "one", "kind")]


class Past:
    """A game as it was when its log was so long; `forward` goes on by an entry. `words` calls things what they were called then, `machine` reads where they were."""

    def __init__(self, machine: Machine, start: int, words: Wording | None = None) -> None:
        state, now = State(), machine.state
        state.values, state.where, state.members, state.known = now.values[:], now.where[:], now.members[:], now.known[:]
        state.outcomes, state.held = now.outcomes, now.held
        self.machine = Machine(machine.linked, state)
        self.names = Names(self.machine, words or machine.linked.wording)
        self.words = Then(self.names)
        for entry in reversed(now.log[start:]):
            self._step(entry, back=True)

    def forward(self, entry: Entry) -> None:
        """Be as after an entry, which is the next one."""
        self._step(entry, back=False)

    def _step(self, entry: Entry, back: bool) -> None:
        kind, _, *parts = entry
        state, world = self.machine.state, self.machine.world
        if kind == "move":
            component, before, to = parts[:3]
            if back:
                before, to = to, before
            state.members[before] = tuple([each for each in state.members[before] if each != component])
            state.members[to] = (*state.members[to], component)
            state.where[component] = to
        elif kind == "set":
            component, field, before, value = parts[:4]
            state.values[world.base[component] + world.slots[world.kinds[component]][field]] = before if back else value
        else:
            return
        self.names.forget()


class Then(Wording):
    """The words of a language, with the names that things had at a moment."""

    def __init__(self, names: Names) -> None:
        super().__init__(names.words.linked, names.words.catalog)
        self.__dict__["labels"] = names  # read by number, as the list of labels is

    def shown(self, value: Any, how: str) -> str:
        """A value as it appears in a text; words as people write them."""
        found = super().shown(value, how)
        return found.replace("_", " ") if how == "words" else found


class Names:
    """What components and places are called at the moment at which a past stands, by their numbers."""

    def __init__(self, machine: Machine, words: Wording) -> None:
        self._machine, self.words, self._graph = machine, words, words.world.graph
        self._found: dict[int, str] = {}
        self._described = {kind for kind, declared in self._graph["kinds"].items() if declared["described_as"] is not None}

    def forget(self) -> None:
        """Something has changed."""
        if self._found:
            self._found.clear()

    def __len__(self) -> int:
        return len(self.words.labels)

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> str:
        world = self.words.world
        if number < world.count:
            return self._name(number) if world.kinds[number] in self._described else self.words.labels[number]
        owner = world.place_owner.get(number)
        if owner is None or world.kinds[owner] not in self._described:
            return self.words.labels[number]
        return self.words.say("{owner}'s {place}", owner=self._name(owner), place=self.words.place(number))

    def _name(self, number: int) -> str:
        if number not in self._found:
            kind = self.words.world.kinds[number]
            try:
                found = self._told(self._graph["kinds"][kind]["described_as"], f"described {kind}", number)
            except RulesError:  # a game that goes on is not stopped by what something is called
                found = ""
            self._found[number] = found or self.words.labels[number]
        return self._found[number]

    def _told(self, said: dict[str, Any], name: str, number: int) -> str:
        """A text about a component, with what stands in its braces; other things have their labels in it."""
        if said["op"] == "if":
            yes = self._inquiry().ask(f"{name} if", SELF, test_of(said["test"]), [number])
            return self._told(said["yes" if yes else "no"], f"{name}, {'yes' if yes else 'no'}", number)
        if said["op"] != "text":
            return self._shown(said, "text", name, number)
        holes = enumerate(part for part in said["parts"] if not isinstance(part, str))
        return self.words.filled(said["parts"], [self._shown(part["of"], part["as"], f"{name} {at}", number) for at, part in holes])

    def _shown(self, expression: dict[str, Any], how: str, name: str, number: int) -> str:
        """A value in such a text; the component's own label is that of the language."""
        if expression["op"] == "field" and expression["name"] == "label" and expression["of"] == {"op": "var", "name": "self"}:
            return self.words.labels[number]
        value: Value = self._inquiry().ask(name, SELF, value_of(expression), [number])
        return self.words.shown(value, how)

    def _inquiry(self) -> Inquiry:
        self._machine.looked = 0
        return Inquiry(self._machine)
