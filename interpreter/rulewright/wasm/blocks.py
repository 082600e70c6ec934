"""Blocks of memory and states of `step`: each made of the other, so that either engine goes on where the other stopped."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.game.view_cache import differences
from rulewright.step.link import Linked
from rulewright.step.machine import OVER
from rulewright.step.state import Entry, Frame, Held, State, Value
from rulewright.wasm.layout import KINDS, MOST_BATCHES, NAMES, NONE, OUTCOMES
from rulewright.wasm.plan import Plan

Columns = tuple[list[Value], list[int], list[int], list[tuple[int, ...]]]


class Unfit(Exception):
    """A state that the module cannot go on with: it stands in the middle of something that only `step` does."""


class Blocks:
    """Turns blocks into states and back, for one module."""

    def __init__(self, plan: Plan, linked: Linked) -> None:
        self.plan, self.linked = plan, linked
        self.cause_numbers = {name: number for number, name in enumerate(plan.causes)}
        self.dice = list(self.linked.world.graph["dice"])
        at, world = self.plan.at, self.linked.world
        sizes = {"VALUES": len(self.linked.start_values), "WHERE": world.count, "NEXT": world.count, "KNOWN": world.count, "HEAD": world.place_count}
        self.read = {name: (at[name], size) for name, size in sizes.items()}  # the columns of which the others can be made
        self.arena = range(at["ARENA"], at["ARENA_END"] + 65536)
        self.last: tuple[dict[str, bytes], Columns] | None = None  # these columns and what they said, when they were last read
        self._kept: dict[tuple[int, int], list[tuple[int, int]]] = {}

    # -- from memory

    def sight(self, memory: memoryview) -> State:
        """What lies where in the game that lies in memory, with its fields, who knows it, and how players stand. Columns are shared with whoever asks next."""
        at, state = self.plan.at, State()
        state.values, state.where, state.known, state.members = self.columns(memory)
        state.outcomes = tuple(OUTCOMES[number] for number in struct.unpack_from(f"<{self.linked.world.players}i", memory, at["OUTCOMES"]))
        state.ended = bool(struct.unpack_from("<i", memory, at["ENDED"])[0])
        state.random = struct.unpack_from("<Q", memory, at["RANDOM"])[0]
        return state

    def state(self, memory: memoryview) -> State:
        """The state of the game that lies in memory."""
        at, state = self.plan.at, self.sight(memory)
        state.values, state.where, state.known, state.members = state.values[:], state.where[:], state.known[:], state.members[:]
        cell = {name: struct.unpack_from("<i", memory, at[name])[0] for name in ("FP", "VERSION", "INSTALLS", "USED_COUNT", "HELD_COUNT")}
        state.version, state.installs = cell["VERSION"], cell["INSTALLS"]
        used = struct.unpack_from(f"<{2 * cell['USED_COUNT']}i", memory, at["USED"])
        state.used = tuple((self.plan.once[used[n]], None if used[n + 1] == NONE else used[n + 1]) for n in range(0, len(used), 2))
        state.held = tuple(self.held(memory, at["HELD"] + self.plan.held_size * number) for number in range(cell["HELD_COUNT"]))
        state.batches = self.batches(memory)
        state.frames = self.frames(memory, cell["FP"])
        return state

    def columns(self, memory: memoryview) -> Columns:
        """Values, where components lie, who knows them and what lies in places: as they were when they were last asked for, but for what is another now."""
        now = {name: bytes(memory[at : at + 4 * size]) for name, (at, size) in self.read.items()}
        values_at, where_at, next_at, known_at, head_at = (memoryview(column).cast("i") for column in now.values())
        if self.last is None:
            self.last = dict.fromkeys(now, b""), ([None] * len(values_at), [-1] * len(where_at), [0] * len(known_at), [()] * len(head_at))
        last, (values, where, known, members) = self.last
        changed = {name: [at >> 2 for at in differences(last[name], column, 4)] for name, column in now.items()}
        self.last = None  # if somebody interrupts
        for index in changed["VALUES"]:
            values[index] = None if values_at[index] == NONE else values_at[index]
        for index in self.plan.list_slots:
            if type(values[index]) is int or values_at[index] in self.arena:
                values[index] = self.one(memory, values_at[index], 1)
        for index in changed["WHERE"]:
            where[index] = where_at[index]
        for index in changed["KNOWN"]:
            known[index] = known_at[index]
        for place in {*changed["HEAD"], *(where[component] for component in changed["NEXT"])}:
            members[place] = tuple(chain(head_at[place], next_at))
        self.last = now, (values, where, known, members)
        return self.last[1]

    def one(self, memory: memoryview, value: int, depth: int) -> Value:
        """A value; of a list all that is in it."""
        if value == NONE:
            return None
        if depth == 0:
            return value
        count = struct.unpack_from("<i", memory, value)[0]
        return tuple(self.one(memory, each, depth - 1) for each in struct.unpack_from(f"<{count}i", memory, value + 4))

    def held(self, memory: memoryview, at: int) -> Held:
        hook, number, until = struct.unpack_from("<3i", memory, at)
        name = self.linked.hook_names[hook]
        declared = self.linked.program.hooks[name]
        kept = struct.unpack_from(f"<{len(declared.kept)}i", memory, at + 16)
        shapes = [declared.locals[slot].shape for slot in declared.kept]
        return Held(
            name, number, tuple(self.one(memory, value, DEPTHS[shape]) for value, shape in zip(kept, shapes, strict=True)), self.plan.events[until]
        )

    def batches(self, memory: memoryview) -> tuple[tuple[Any, ...], ...]:
        at, found = self.plan.at, []
        for number in range(struct.unpack_from("<i", memory, at["BATCH_COUNT"])[0]):
            over, records = struct.unpack_from("<2i", memory, at["BATCHES"] + 8 * number)
            made: list[Any] = [OVER] if over else []
            for hook, key, *given, it, result in self.one(memory, records, 2):
                made.append((self.linked.hook_names[hook], key, (), tuple(given), it, result))
            found.append(tuple(made))
        return tuple(found)

    def frames(self, memory: memoryview, fp: int) -> list[Frame]:
        found, causes = [], self.plan.causes
        while fp:
            point, unit, before, by, depth, phase, cause = struct.unpack_from("<7i", memory, fp)
            names: list[Value] = [None] * len(self.linked.program.units[self.plan.units[unit]].locals)
            values = struct.unpack_from(f"<{len(names)}i", memory, fp + NAMES)
            for slot, deep in self.kept(unit, point):
                names[slot] = self.one(memory, values[slot], deep)
            put_down = (causes[cause], None if by == NONE else by, depth, None if phase < 0 else causes[phase])
            found.append(Frame(self.plan.points[unit, point][0], names, put_down))
            fp = before
        return found[::-1]

    def kept(self, unit: int, point: int) -> list[tuple[int, int]]:
        """The names that matter at a point, each with how deep the lists in it are."""
        found = self._kept.get((unit, point))
        if found is None:
            locals_ = self.linked.program.units[self.plan.units[unit]].locals
            found = self._kept[unit, point] = [(slot, DEPTHS[locals_[slot].shape]) for slot in self.plan.points[unit, point][1]]
        return found

    # -- into memory

    def write(self, memory: memoryview, state: State) -> None:
        """Lay a state into memory."""
        if (
            state.answers
            or state.loose
            or len(state.batches) > MOST_BATCHES
            or len(state.held) > self.plan.most_held
            or len(state.used) > self.plan.most_used
        ):
            raise Unfit
        at, world = self.plan.at, self.linked.world
        top = [at["ARENA"]]

        def laid(value: Value, depth: int) -> int:
            if value is None:
                return NONE
            if depth == 0:
                return int(value)
            items = [laid(each, depth - 1) for each in value]
            if not items:
                return 0
            found = top[0]
            top[0] += 4 * len(items) + 4
            if top[0] > at["ARENA_END"]:
                raise Unfit
            struct.pack_into(f"<{len(items) + 1}i", memory, found, len(items), *items)
            return found

        def column(name: str, numbers: list[int]) -> None:
            struct.pack_into(f"<{len(numbers)}i", memory, at[name], *numbers)

        begun = self.plan.start_lists
        column(
            "VALUES",
            [
                begun[value] if number in self.plan.list_slots and value in begun else laid(value, 1 if number in self.plan.list_slots else 0)
                for number, value in enumerate(state.values)
            ],
        )
        column("WHERE", state.where)
        column("KNOWN", state.known)
        heads, tails, counts = [-1] * world.place_count, [-1] * world.place_count, [0] * world.place_count
        after, before = [-1] * world.count, [-1] * world.count
        for place, lying in enumerate(state.members):
            if lying:
                heads[place], tails[place], counts[place] = lying[0], lying[-1], len(lying)
                for one, other in itertools.pairwise(lying):
                    after[one], before[other] = other, one
        for name, numbers in (("HEAD", heads), ("TAIL", tails), ("COUNT", counts), ("NEXT", after), ("PREV", before)):
            column(name, numbers)
        column("OUTCOMES", [OUTCOMES.index(each) for each in state.outcomes])
        struct.pack_into("<Q", memory, at["RANDOM"], state.random)
        known = {unit: number for number, unit in enumerate(self.plan.once)}
        used = [part for unit, of in state.used for part in (known[unit], NONE if of is None else of)]
        column("USED", used)
        events = {event: number for number, event in enumerate(self.plan.events)}
        for number, held in enumerate(state.held):
            declared = self.linked.program.hooks[held.hook]
            kept = [laid(value, DEPTHS[declared.locals[slot].shape]) for slot, value in zip(declared.kept, held.kept, strict=True)]
            struct.pack_into(
                f"<{4 + len(kept)}i",
                memory,
                at["HELD"] + self.plan.held_size * number,
                self.linked.hook_numbers[held.hook],
                held.number,
                events[held.until],
                0,
                *kept,
            )
        for number, batch in enumerate(state.batches):
            over = batch[:1] == (OVER,)
            records = [self.record(each) for each in (batch[1:] if over else batch)]
            struct.pack_into("<2i", memory, at["BATCHES"] + 8 * number, int(over), laid(tuple(records), 2))
        fp, sp = 0, at["STACK"]
        for frame in state.frames:
            resting = self.plan.addresses.get(frame.at)
            if resting is None:
                raise Unfit
            unit, point = resting
            name = self.plan.units[unit]
            locals_ = self.linked.program.units[name].locals
            names = [laid(value, DEPTHS[local.shape]) for value, local in zip(frame.names, locals_, strict=True)]
            cause, by, depth, phase = frame.cause
            causes = self.cause_numbers
            if sp + NAMES + 4 * len(names) > at["STACK_END"]:
                raise Unfit
            header = (point, unit, fp, NONE if by is None else by, depth, -1 if phase is None else causes[phase], causes[cause])
            struct.pack_into(f"<{7 + len(names)}i", memory, sp, *header, *names)
            fp, sp = sp, sp + NAMES + 4 * len(names)
        cells = {
            "FP": fp, "SP": sp, "TOP": top[0], "VERSION": state.version, "INSTALLS": state.installs, "ENDED": int(state.ended), "USED_COUNT": len(state.used),
            "HELD_COUNT": len(state.held), "BATCH_COUNT": len(state.batches), "GIVEN": NONE, "GIVEN1": NONE, "GIVEN2": NONE, "VALUES_AT": 0, "LOGGED": len(state.log),
        }  # fmt: skip
        for name, number in cells.items():
            struct.pack_into("<i", memory, at[name], number)

    def record(self, put_off: tuple[Any, ...]) -> tuple[Value, ...]:
        """A hook that is put off, as numbers."""
        hook, key, kept, given, it, result = put_off
        if kept or any(type(each) is tuple for each in (*given, it, result)):
            raise Unfit
        return (self.linked.hook_numbers[hook], key, *given, it, result)

    # -- the log

    def entries(self, data: bytes) -> list[Entry]:
        """Entries of the log, as `step` writes them."""
        numbers = struct.unpack(f"<{len(data) // 4}i", data)
        found, at = [], 0

        def one() -> Any:
            nonlocal at
            at += 1
            return None if numbers[at - 1] == NONE else numbers[at - 1]

        def several() -> tuple[Any, ...]:
            nonlocal at
            count = numbers[at]
            at += count + 1
            return tuple(None if each == NONE else each for each in numbers[at - count : at])

        def texts() -> tuple[Any, ...] | None:
            count = one()
            return None if count < 0 else tuple(several() if one() else one() for _ in range(count))

        causes = self.plan.causes
        while at < len(numbers):
            kind, cause, by, depth, phase = numbers[at : at + 5]
            at += 5
            put_down = (causes[cause], None if by == NONE else by, depth, None if phase < 0 else causes[phase])
            parts: tuple[Any, ...]
            match KINDS[kind & 15]:  # behind it, how long the entry is
                case "set":
                    component, field = one(), self.plan.fields[one()]
                    lists = field in self.plan.list_fields
                    parts = (component, field, several() if lists else one(), several() if lists else one(), one())
                case "show":
                    parts = (several(), one())
                case "message":
                    place, bits, learnt = one(), one(), several() or None
                    parts = (place, tuple([several() if is_list else one() for is_list in self.plan.told[place]]), bits, learnt)
                case "roll":
                    parts = (self.dice[one()], one())
                case "outcome":
                    parts = (one(), OUTCOMES[one()])
                case "move":
                    parts = numbers[at : at + 5]
                    at += 5
                case "shuffle":
                    parts = (one(), one())
                case "choice":
                    player, question, value, position, place, thing = (one() for _ in range(6))
                    label, prompt = texts(), texts()
                    hidden = None if position is None else (position, (place,), (), thing)
                    parts = (player, question, value, hidden, label, prompt, one(), bool(one()), bool(one()))
                case _:
                    parts = ()
            found.append((KINDS[kind & 15], put_down, *parts))
        return found


DEPTHS = {"one": 0, "list": 1, "lists": 2}


def chain(head: int, following: Sequence[int]) -> Iterator[int]:
    """A component, the one behind it, and so on."""
    while head >= 0:
        yield head
        head = following[head]
