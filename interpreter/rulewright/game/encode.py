"""Encoding: a state as the plain data of a save, and back.

Words, actions and rules are written by name, since their numbers depend on the program; the sort of every local name says what its values are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.core import program as c
from rulewright.errors import Misfit
from rulewright.fingerprint import Marks, Table, changed
from rulewright.game.points import FoundHooks, Point, Points, hook_marks, things
from rulewright.game.references import live
from rulewright.game.saved import Legend, Save, SavedBatch, SavedFrame, SavedHook, SavedState
from rulewright.game.views import decoded
from rulewright.step.link import Linked
from rulewright.step.machine import OVER
from rulewright.step.state import ENTRIES, Entry, Frame, Held, State, Value

EXISTING = ("kinds", "places", "components", "grids", "tracks")
SIZES = "its tables have other sizes than those of the ruleset"


# -- writing


class Encoder:
    """Writes the states of one program."""

    def __init__(self, linked: Linked, marks: Marks) -> None:
        self.linked, self.marks = linked, marks
        self.points = Points(linked, marks)
        self.hooks: set[str] = set()  # of which something that was written speaks

    def state(self, state: State) -> SavedState:
        """A state as a save has it."""
        frames = [self.frame(frame, frame is state.frames[-1]) for frame in state.frames]
        held = [SavedHook(self.hook(each.hook), each.number, self.plain(each.kept), each.until) for each in state.held]
        batches = [self.batch(each) for each in state.batches]
        for unit, _ in state.used:
            self.hook(unit)
        given = state.given
        return SavedState(
            self.values(state), list(state.where), [list(each) for each in state.members], list(state.known), frames,
            (self.plain(given[0]), self.plain(given[1]), self.plain(given[2])), state.random, held, list(state.used), batches,
            list(state.outcomes), list(state.answers), [list(each) for each in state.loose], state.ended, state.version, state.installs,  # type: ignore[arg-type]
        )  # fmt: skip

    def legend(self) -> Legend:
        """What the numbers of the state that was written stand for."""
        world = self.linked.world
        fields = {kind: list(slots) for kind, slots in world.slots.items() if slots}
        return Legend(things(world), fields, {hook: hook_marks(world, self.marks, hook) for hook in sorted(self.hooks)})

    def values(self, state: State) -> list[Any]:
        """The fields of all components, one after another."""
        world = self.linked.world
        types = {
            kind: [declared["type"] for declared in world.graph["kinds"].get(kind, {"fields": {}})["fields"].values()] for kind in set(world.kinds)
        }
        of = [each for kind in world.kinds for each in types[kind] or ([{"how": "number"}] if world.slots[kind] else [])]
        return [decoded(self.linked, value, each) for value, each in zip(state.values, of, strict=True)]

    def hook(self, hook: str) -> str:
        """A hook by name; remembers that it was spoken of."""
        if hook in self.linked.world.graph["hooks"]:
            self.hooks.add(hook)
        return hook

    def frame(self, frame: Frame, top: bool) -> SavedFrame:
        """A frame as a save has it."""
        point = self.points.point(frame.at, top)
        if point.unit.startswith("hook "):
            self.hook(point.unit.removeprefix("hook "))
        unit, alive = self.linked.program.units[point.unit], live(self.linked, frame.at)
        keys = dict(named_slots(unit))
        names = {
            key: self.plain(frame.names[slot], unit.locals[slot].sort)
            for key, slot in keys.items()
            if slot in alive and frame.names[slot] is not None
        }
        return SavedFrame(*point, names, [key for key, slot in keys.items() if slot in alive], frame.cause)

    def batch(self, batch: tuple[Any, ...]) -> SavedBatch:
        """A batch as a save has it."""
        hooks = [each for each in batch if each != OVER]
        written = [(self.hook(each[0]), self.plain(each[1], "key"), *map(self.plain, each[2:])) for each in hooks]
        return SavedBatch(batch[:1] == (OVER,), written)

    def plain(self, value: Value, sort: str = "none") -> Any:
        """A value as plain data: words as such, rules and actions by name, with the component behind."""
        if type(value) is tuple:
            return [self.plain(each, sort) for each in value]
        if value is None:
            return None
        if value >= c.WORDS:
            return self.linked.spelled[value - c.WORDS]
        if sort == "key" and value > 0:
            number, rest = divmod(value - 1, self.linked.stride)
            return self.hook(self.linked.hook_names[number]) + (f"@{rest - 1}" if rest else "")
        if sort == "deed" and value >= 0:
            number, rest = divmod(value, self.linked.stride)
            return f"{self.linked.actions[number]}@{rest - 1 if rest else ''}"
        return value


def named_slots(unit: c.Unit) -> Iterator[tuple[str, int]]:
    """The slots of a unit, each under a name that no other has."""
    times: dict[str, int] = {}
    for slot, local in enumerate(unit.locals):
        times[local.name] = times.get(local.name, 0) + 1
        yield local.name if times[local.name] == 1 else f"{local.name}~{times[local.name]}", slot


# -- reading


class Decoder:
    """Reads states for one program, which may be of other rules than those that a state was written by."""

    def __init__(self, linked: Linked, marks: Marks, save: Save) -> None:
        self.linked, self.save = linked, save
        self.points = Points(linked, marks)
        self.hooks = FoundHooks(linked.world, marks, save.legend.hooks)
        if save.legend.things != things(linked.world):
            raise Misfit(_other_things(save.ruleset.declarations, marks.declared))

    def state(self) -> State:
        """The state of the save, as these rules have it."""
        saved, made = self.save.state, State()
        made.values = self.values(saved.values)
        made.where, made.known = list(saved.where), list(saved.known)
        made.members = [tuple(each) for each in saved.members]
        made.held = tuple([Held(self.hooks.name(each.hook), each.number, self.value(each.kept), each.until) for each in saved.held])
        made.frames = [self.frame(each) for each in saved.frames]
        made.given = (self.value(saved.given[0]), self.value(saved.given[1]), self.value(saved.given[2]))
        made.used = tuple([(unit, of) for each, of in saved.used if (unit := self.used(each)) is not None])
        made.batches = tuple([self.batch(each) for each in saved.batches])
        made.random, made.outcomes, made.answers = saved.random, tuple(saved.outcomes), tuple(saved.answers)
        made.loose = tuple([tuple(each) for each in saved.loose])
        made.ended, made.version, made.installs = saved.ended, saved.version, saved.installs
        return made

    def values(self, values: list[Any]) -> list[Value]:
        """The fields of all components; one that is new has the value it begins with."""
        world, made, at = self.linked.world, self.linked.start_values[:], 0
        for component, kind in enumerate(world.kinds):
            for name in self.save.legend.fields.get(kind, ()):
                if at >= len(values):
                    raise Misfit(SIZES)
                if name in world.slots[kind]:
                    made[world.base[component] + world.slots[kind][name]] = self.linked.encoded(values[at])
                at += 1
        if at != len(values):
            raise Misfit(SIZES)
        return made

    def frame(self, saved: SavedFrame) -> Frame:
        """A frame that stands where it stood. Where the same is ahead, the same names are still read; else names are known by what lies behind."""
        at, same = self.points.find(Point(saved.unit, saved.node, saved.step, saved.called, saved.calls, saved.ahead, saved.behind), self.hooks)
        unit = self.linked.program.units[self.linked.unit_at[at]]
        keys, alive = dict(named_slots(unit)), live(self.linked, at)
        now = [key for key, slot in keys.items() if slot in alive]
        given = dict(saved.names)
        if same and sorted(map(_bare, now)) == sorted(map(_bare, saved.live)):
            given |= {new: saved.names.get(old) for new, old in zip(sorted(now, key=_bare), sorted(saved.live, key=_bare), strict=True)}
        names = [self.value(given.get(key), unit.locals[slot].sort) for key, slot in keys.items()]
        cause = saved.cause
        return Frame(at, names, (self.hooks.unit(cause[0]), *cause[1:]))

    def batch(self, saved: SavedBatch) -> tuple[Any, ...]:
        """A batch that is going on."""
        made = [(self.hooks.name(hook), self.value(key, "key"), *map(self.value, rest)) for hook, key, *rest in saved.hooks]
        return (OVER, *made) if saved.over else tuple(made)

    def used(self, unit: str) -> str | None:
        """Something that may happen once; None if it is gone."""
        return unit if unit.startswith("action ") else self.hooks.get(unit)

    def value(self, value: Any, sort: str = "none") -> Value:
        """A value from plain data."""
        if isinstance(value, list | tuple):
            return tuple([self.value(each, sort) for each in value])
        if isinstance(value, str) and sort == "key":
            hook, _, component = value.partition("@")
            return self._number(self.linked.hook_numbers, self.hooks.name(hook), component) + 1
        if isinstance(value, str) and sort == "deed" and "@" in value:  # an action that is offered; without a granter it is a word of the rules
            action, _, component = value.partition("@")
            return self._number(self.linked.deed_numbers, action, component)
        if value is not None and not isinstance(value, str | int):
            raise Misfit("it holds a value that is none")
        return self.linked.encoded(value)

    def _number(self, numbers: dict[str, int], name: str, component: str) -> int:
        """A rule or an action, with the component that it is of, as a number."""
        if name not in numbers or (component and not (component.isdecimal() and int(component) < self.linked.world.count)):
            raise Misfit(f"it speaks of '{name}', which the rules do not have")
        return numbers[name] * self.linked.stride + (1 + int(component) if component else 0)


def _bare(key: str) -> tuple[str, int]:
    """A name without its number, then the number."""
    name, _, number = key.partition("~")
    return name, int(number) if number.isdecimal() else 1


def _other_things(before: Table, after: Table) -> str:
    """How other things exist than did, as far as tables of declarations can tell."""
    known = [{sort: table[sort] for sort in EXISTING if sort in table} for table in (before, after)]
    found = changed(*known)
    listed = [each for each in found if each.endswith(")")] or found  # those that are new or gone
    return f"other things exist: {', '.join(listed[:12])}" if listed else "what exists is declared in another order"


# -- the log


def read_entry(linked: Linked, named: dict[str, Any]) -> Entry:
    """An entry of the log from its named parts; of choices and messages it has the words in which they were told."""
    kind = named["kind"]
    parts = {name: named.get(name) for name in ENTRIES[kind]}
    if kind == "choice":
        parts |= {"question": None, "value": named["option"], "hidden": None}
    elif kind == "message":
        parts["values"] = ()
    elif kind == "set":
        parts |= {"before": linked.encoded(named["before"]), "value": linked.encoded(named["value"])}
    elif kind == "roll":
        parts["face"] = linked.encoded(named["face"])
    cause = (named["cause"], named["by"], named["depth"], named["phase"])
    return kind, cause, *(tuple(part) if isinstance(part, list) else part for part in parts.values())
