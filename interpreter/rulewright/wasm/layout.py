"""The layout of memory: where the columns of a game lie, its frames, its lists and its log, and the tables of what never changes.

The game that is being played always lies at the same addresses. What belongs to it is the columns, whose every change is noted in a journal, what is small (counters,
hooks that hold for a time, frames), and lists. So a moment to go back to is the length of the journal and a copy of what is small. Address 0 holds an empty list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.core import program as c
from rulewright.core.world import World
from rulewright.step.expressions import best_noun
from rulewright.step.link import Linked
from rulewright.wasm.assemble import words

NONE = -2139062144  # nothing: every byte of it is 0x80, so that names are filled with it in one go
NAMES = 28  # where the names of a frame begin, behind its point, unit, caller and cause
STACK_SIZE, ARENA_SIZE, LOG_SIZE, JOURNAL_SIZE = 1 << 18, 1 << 20, 1 << 20, 1 << 20
TRAIL_SIZE = 1 << 16  # what choices have left behind, one behind the other, until somebody takes it out
MEMO_SLOTS, MEMO_SIZE = 1 << 14, 1 << 19  # what is known outside of decisions: where to look, and bytes for it
STARTING = 4096  # bytes of lists at the first decision, where all games begin there
MOST_USED, MOST_HELD, MOST_BATCHES = 64, 16, 4
UNCOUNTED = 16  # so many functions inside each other are not counted
DONE, DECIDE, ELSEWHERE = range(3)  # what came of a unit: its frame has ended, somebody has to decide, or other frames are there now
OUTCOMES = ("", "won", "lost", "eliminated")
KINDS = ("", "move", "set", "choice", "show", "message", "roll", "shuffle", "outcome", "end")  # of entries of the log
HEADER = (
    "RANDOM", "RANDOM1", "FP", "SP", "TOP", "VERSION", "INSTALLS", "ENDED", "GIVEN", "GIVEN1", "GIVEN2", "ASKED", "QUESTION", "PLAYER", "VALUES_AT", "SLOT", "THEN",
    "USED_COUNT", "HELD_COUNT", "BATCH_COUNT", "LOGGED",
)  # fmt: skip
VOLATILE = (
    "MOST_DEEP", "MOST_OPTIONS", "MOST_LOGGED", "DEEP", "LOG_ON", "LOG_TOP", "STEPS", "LOOKED", "MOST_STEPS", "MOST_LOOKED", "FIRST", "SEED", "SEED1", "POLICY", "POLICY1", "MOVES", "SCRATCH", "ITEMS",
    "JOURNAL_TOP", "PLAYING", "CHOSEN", "OUT_TOP", "READY", "START_SIZE", "START_LISTS", "LEFT", "LOG_LAST", "LOOK_TOP", "TURNED", "ORIGIN_POLICY", "ORIGIN_POLICY1", "ORIGIN_MOVES",
    "TRAIL", "KEPT", "MEMO_TOP",
)  # fmt: skip


class Layout:
    """Addresses, and the tables as bytes."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.world: World = linked.world
        self.at: dict[str, int] = {}
        self.free = 16
        installs = [node for block in linked.program.blocks for node in block.code if isinstance(node, c.Install)]
        self.held_size = 16 + 4 * max((len(node.keep) for node in installs), default=0)
        self.most_held = MOST_HELD if installs else 0
        self.most_used = MOST_USED if any(isinstance(node, c.Use) for block in linked.program.blocks for node in block.code) or installs else 0
        self.data: list[tuple[int, bytes]] = []
        world = self.world
        places = world.place_count
        columns = {
            "VALUES": len(linked.start_values), "WHERE": world.count, "NEXT": world.count, "PREV": world.count, "KNOWN": world.count, "HEAD": places,
            "TAIL": places, "COUNT": places,
        }  # fmt: skip
        small = {"OUTCOMES": world.players, "USED": self.most_used * 2, "HELD": self.most_held * self.held_size // 4, "BATCHES": 2 * MOST_BATCHES}
        for name in VOLATILE:
            self.at[name] = self.take(4)
        self.free = (self.free + 7) & ~7
        self.block = self.free
        for name, size in columns.items():
            self.at[name] = self.take(4 * size)
        self.small = self.free = (self.free + 7) & ~7
        for name in HEADER:
            self.at[name] = self.take(4)
        for name, size in small.items():
            self.at[name] = self.take(4 * size)
        self.at["STACK"] = self.take(STACK_SIZE)
        self.at["STACK_END"] = self.free - 4096
        self.at["ARENA"] = self.take(ARENA_SIZE)
        self.at["ARENA_END"] = self.free - 65536
        self.at["ITEMS_AT"] = self.take(STACK_SIZE)
        self.at["ITEMS_END"] = self.free - 64
        self.at["LOG"] = self.take(LOG_SIZE)
        self.at["LOG_END"] = self.free - 4096
        self.at["JOURNAL"] = self.take(JOURNAL_SIZE)
        self.at["JOURNAL_END"] = self.free - 128
        for name in ("IN", "OUT"):  # what leads from one moment to the next: what is small, lists, a journal and a log, at their largest
            self.at[name] = self.take(16 + self.at["ARENA"] - self.small + ARENA_SIZE + LOG_SIZE + JOURNAL_SIZE + TRAIL_SIZE)
        self.at["TRAIL_END"] = self.at["OUT"] + TRAIL_SIZE
        self.at["MEMO"] = self.take(4 * MEMO_SLOTS)
        self.at["MEMO_AT"] = self.take(MEMO_SIZE)
        self.at["MEMO_END"] = self.free
        self.at["TEMP"] = self.take(ARENA_SIZE)
        self.at["BLOCK"], self.at["SMALL"] = self.block, self.small
        self.units = list(linked.program.units)
        self.unit_numbers = {name: number for number, name in enumerate(self.units)}
        causes = [unit.cause or "" for unit in linked.program.units.values()] + [f"hook {name}" for name in linked.program.hooks]
        self.causes = list(dict.fromkeys(["the game", *causes]))
        self.cause_numbers = {name: number for number, name in enumerate(self.causes)}
        self._tables: dict[Any, int] = {}
        self._lists: dict[tuple[int, ...], int] = {(): 0}

    def take(self, size: int) -> int:
        """The address of so many bytes."""
        found = self.free
        self.free += (size + 7) & ~7 if size > 4 else size
        return found

    # -- tables

    def table(self, key: Any, numbers: Iterable[int | None]) -> int:
        """A table of numbers; the same for the same key."""
        found = self._tables.get(key)
        if found is None:
            self.free = (self.free + 3) & ~3
            data = words(NONE if each is None else each for each in numbers)
            found = self._tables[key] = self.take(len(data))
            self.data.append((found, data))
        return found

    def ranges(self, linked: Linked, field: str) -> tuple[int, int]:
        """The tables of the least and the greatest number that a field of each component can hold."""
        if ("low", field) not in self._tables:
            world, count = linked.world, len(linked.start_values)
            low, high = [-(2**31) + 1] * count, [2**31 - 1] * count
            for number, kind in enumerate(world.kinds):
                slot = world.slots[kind].get(field)
                if slot is not None and world.ranges[kind][field][0] is not None:
                    least, most = world.ranges[kind][field]
                    assert least is not None
                    low[world.base[number] + slot] = least
                    high[world.base[number] + slot] = len(world.graph["tracks"][world.definitions[number]]["spaces"]) if most is None else most
            self.table(("low", field), low)
            self.table(("high", field), high)
        return self._tables["low", field], self._tables["high", field]

    def flags(self, key: Any, flags: Iterable[bool]) -> int:
        """A table of bytes."""
        found = self._tables.get(key)
        if found is None:
            data = bytes(1 if each else 0 for each in flags)
            found = self._tables[key] = self.take(len(data))
            self.data.append((found, data))
        return found

    def constant_list(self, items: Iterable[int]) -> int:
        """A list that never changes."""
        made = tuple(items)
        found = self._lists.get(made)
        if found is None:
            found = self._lists[made] = self.table(("list", made), (len(made), *made))
        return found

    # -- what is known of components and places

    def slots(self, field: str) -> int:
        """For each component, where the value of a field is in the column of values; -1 if it has none."""
        world, found = self.world, self.world.slots_of(field)
        return self.table(("slots", field), (found.get(number, -1) for number in range(world.place_count)))

    def kind(self, noun: str) -> int:
        """For each component or place, whether it is of a kind."""
        nouns = self.world.noun_set(noun)
        return self.flags(("kind", noun), (number in nouns for number in range(self.world.place_count)))

    def case(self, nouns: tuple[str, ...]) -> int:
        """For each component or place, which of some nouns is said of it first; their number if none is."""
        world, order = self.world, {noun: number for number, noun in enumerate(nouns)}
        return self.table(("case", nouns), (order.get(best_noun(world, n, order) or "", len(nouns)) for n in range(world.place_count)))

    def owned(self, place: str) -> int:
        """For each component its place of a name."""
        owned = self.world.owned_places
        return self.table(("owned", place), (owned.get((number, place)) for number in range(self.world.place_count)))

    def printed(self, name: str) -> int:
        """For each component or place, what never changes about it."""
        world = self.world
        tables: dict[str, Any] = {
            "holder": world.place_owner.get, "row": world.rows.get, "column": world.columns.get,
            "seat": lambda n: world.copies[n] if n < world.count else None, "copy": lambda n: world.copies[n] if n < world.count else None,
            "around": lambda n: world.around[n], "holders": lambda n: world.holders[n], "sight": lambda n: -1 if world.sight[n] is None else world.sight[n],
            "capacity": lambda n: 10**9 if world.capacities[n] is None else world.capacities[n], "bag": lambda n: int(n in world.bags), "pile": lambda n: int(n in world.piles),
            "backed": lambda n: int(n < world.count and bool(world.backs[n])),
            "ordered": lambda n: int(world.is_place(n) and world.place_spec(n).get("shape") in ("pile", "row")),
            "hollow": lambda n: int(n in world.hollow),
            "decider": lambda n: NOBODY if n >= world.count else -3 if world.deciders[n] is None else world.deciders[n],
            "base": lambda n: world.base[n] if n < world.count else -1,
            "label": lambda n: self.linked.word(world.labels[n]),
            "sort": lambda n: self.linked.word(world.definitions[n]) if n < world.count else None,
        }  # fmt: skip
        give = tables[name]
        return self.table(("printed", name), (give(number) for number in range(world.place_count)))

    def by_kind(self, key: str, names: dict[str, str]) -> int:
        """For each component, the number of the function that its kind has; -1 if it has none."""
        world, numbers = self.world, {name: number for number, name in enumerate(names)}
        return self.table(("by kind", key), (numbers.get(world.kinds[n], -1) if n < world.count else -1 for n in range(world.place_count)))

    def lists_for(self, key: Any, lists: Iterable[Iterable[int]]) -> int:
        """For each component or place a list that never changes."""
        if key not in self._tables:
            made = [self.constant_list(each) for each in lists]
            return self.table(key, made)
        return self._tables[key]

    def list_slots(self) -> list[int]:
        """The values that are lists."""
        found = []
        for number, kind in enumerate(self.world.kinds):
            for name, field in self.world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
                if field["type"]["how"] in ("set", "list"):
                    found.append(self.world.base[number] + self.world.slots[kind][name])
        return found


NOBODY = -2
