"""The engine: a module in wasmtime, and the games that are played in its memory.

One game lies in memory at a time, the others are kept as bytes; an `Instance` belongs to one program and world, and to one thread at a time. `Running` is what a
game asks of an engine: it plays in the module, and where the module stops, `step` makes that choice.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import threading
import weakref
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
import wasmtime
import wasmtime._bindings as ffi

from rulewright.core import chance
from rulewright.core.world import World
from rulewright.decision import Decision, Option, Options
from rulewright.errors import RulesError
from rulewright.game import decisions
from rulewright.game.decisions import constant, may_be_alike
from rulewright.game.engine import Engine, Stepping, T
from rulewright.game.history import Checkpoint, restored, sealed
from rulewright.limits import Budget
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state
from rulewright.step.state import Entry, State, Value
from rulewright.wasm import plan
from rulewright.wasm.blocks import Blocks, Unfit
from rulewright.wasm.layout import NONE, OUTCOMES, STARTING, UNCOUNTED
from rulewright.wasm.plan import EXPORTS

Asked = tuple[int, tuple[Value, ...]]
MOST_OPTIONS = 1 << 31
USUAL = Budget()
SLICE = 5_000  # choices of random games without coming back: no signal is seen in between
MOST_KNOWN = 4_000  # decisions that are kept to be asked again


class Stopped(Exception):
    """The module has come to something that it leaves to `step`, or to an error of the rules."""


def forget(trap: Any) -> None:
    """Let go of what wasmtime has to tell about why a module has stopped, if it has."""
    if trap[0]:
        ffi.wasm_trap_delete(ctypes.cast(trap[0], ctypes.POINTER(ffi.wasm_trap_t)))
        trap[0] = 0


class Instance:
    """A module that is ready: its memory, and its functions as quick as they can be called."""

    def __init__(self, linked: Linked) -> None:
        self.linked, self.engine = linked, plan.wasm_engine()
        path = plan.entry_path(linked)
        kept = plan.read(path, self.engine) if path is not None else None
        if kept is None or kept[0].spelled[: len(linked.spelled)] != linked.spelled:
            from rulewright.wasm.compile import Compilation

            compilation = Compilation(linked)
            binary = compilation.binary()
            kept = compilation.plan(len(binary)), wasmtime.Module(self.engine, binary)
            if path is not None:
                plan.write(path, *kept)
        self.plan, self.module = kept
        for word in self.plan.spelled:
            linked.word(word)
        self.store = wasmtime.Store(self.engine)
        self.instance = wasmtime.Instance(self.store, self.module, [])
        exports = self.instance.exports(self.store)
        memory: Any = exports["memory"]
        at = ctypes.cast(memory.data_ptr(self.store), ctypes.c_void_p).value
        assert at is not None
        self.bytes = (ctypes.c_char * memory.data_len(self.store)).from_address(at)  # the quickest to copy out of
        self.memory = memoryview(self.bytes).cast("B")
        self.cells = self.memory.cast("i")
        self._bind(exports)
        self.blocks = Blocks(self.plan, linked)
        self.at = self.plan.at
        self.cell = {name: at >> 2 for name, at in self.at.items()}
        self.lock = threading.RLock()
        self.resident: weakref.ref[Running] | None = None  # the game in memory, which nothing but its callers keeps alive
        self.block, self.arena, self.into, self.out = (self.at[name] for name in ("BLOCK", "ARENA", "IN", "OUT"))
        self.sp, self.top, self.out_top, self.values_at = (self.cell[name] for name in ("SP", "TOP", "OUT_TOP", "VALUES_AT"))
        self.question, self.random = self.cell["QUESTION"], self.at["RANDOM"] - self.block
        questions, secretive = linked.program.questions, self.plan.secretive
        self.alike = frozenset(number for number in range(len(questions)) if may_be_alike(linked, number))
        self.kinds = [question.kind for question in questions]
        found = {number: constant(linked, number) for number in range(len(questions))}
        self.named = {number: words for number, words in found.items() if words is not None}
        self.words = {number: words for number, words in self.named.items() if not (secretive and words.names_things)}  # whatever is hidden
        self.known: dict[bytes, Decision] = {}  # by what may be chosen and who is asked what
        self.at_hand = (  # all that a choice needs: one look instead of a dozen
            self.choose, self.chosen, self.cells, self.bytes, self.known, self.alike,
            self.question, self.out, self.values_at, self.top, self.lock.acquire, self.lock.release,
        )  # fmt: skip
        self.grant(USUAL)
        self.set("LOG_ON", 1)
        self.set("LOG_TOP", self.at["LOG"])
        self.begin()

    def begin(self) -> None:
        """Keep how every game begins, but for its seed: for games that are played inside, at the first decision if nothing is left to chance before it."""
        self.load(first_state(self.linked, 0))
        self.beginning = start = self.whole()
        random = self.get("RANDOM"), self.get("RANDOM1")
        try:
            self.run()
        except Stopped:
            ready = False
        else:
            ready = self.get("FP") != 0 and random == (self.get("RANDOM"), self.get("RANDOM1")) and self.cells[self.top] - self.arena <= STARTING
        if ready:
            start = self.whole()
        self.set("LOG_TOP", self.at["LOG"])
        self.set("READY", int(ready))
        for name, size, part in (("START", "START_SIZE", start[0]), ("START_ARENA", "START_LISTS", start[1])):
            self.memory[self.at[name] : self.at[name] + len(part)] = part
            self.set(size, len(part))

    def _bind(self, exports: Any) -> None:
        address = ctypes.cast(ffi._wasmtime_func_call_unchecked, ctypes.c_void_p).value
        assert address is not None
        call, unasked = ctypes.PYFUNCTYPE(ctypes.c_void_p)(address), ctypes.PYFUNCTYPE(None)(address)
        context = ctypes.cast(self.store._context(), ctypes.c_void_p).value
        pointer = ctypes.c_void_p.from_param  # made once: to make one of a number takes longer than a call
        self._kept: list[Any] = [exports]

        def cells() -> tuple[Any, Any]:
            raw, pending = (ctypes.c_int32 * 8)(), (ctypes.c_size_t * 1)()
            self._kept += raw, pending
            return memoryview(raw).cast("B").cast("i"), memoryview(pending).cast("B").cast("P")

        def arguments(name: str, given: Any, trap: Any) -> tuple[Any, ...]:
            function = exports[name]._func
            self._kept.append(function)
            at = [pointer(ctypes.addressof(each)) for each in (function, given.obj, trap.obj)]
            return pointer(context), at[0], at[1], ctypes.c_size_t.from_param(1), at[2]

        def bound(name: str) -> Any:
            prepared = arguments(name, given, trap)

            def run(number: int = 0) -> int:
                given[0] = number
                try:
                    if call(*prepared) or trap[0]:
                        forget(trap)
                        raise Stopped
                    return int(given[0])
                except BaseException:  # an interruption after the module has stopped too
                    trap[0] = 0
                    raise

            return run

        given, trap = cells()
        self.run, self.play, self.keep, self.restore, self.turn, self.seers, self.end_look, self.sealed = (bound(name) for name in EXPORTS[1:])
        # An answer is given as its complement, a negative number; that stays if the module stops, else there is where what led here ends, or 0 if there is no such answer.
        self.chosen, self.trap = cells()
        self.choose = functools.partial(unasked, *arguments(EXPORTS[0], self.chosen, self.trap))

    def get(self, name: str) -> int:
        return int(self.cells[self.cell[name]])

    def set(self, name: str, number: int) -> None:
        self.cells[self.at[name] >> 2] = number

    def grant(self, budget: Budget) -> None:
        """What the game in memory may take."""
        self.budget = budget
        for name, most in zip(("STEPS", "LOOKED", "DEEP", "OPTIONS", "LOGGED"), msgspec.structs.astuple(budget), strict=True):
            self.set(f"MOST_{name}", min(max(most, 0), 2**31 - 1))
        if budget.depth < UNCOUNTED:  # less than the module counts: it stops at its first step
            self.set("MOST_STEPS", -1)

    # -- the game in memory

    def load(self, state: State) -> None:
        """Lay a state into memory."""
        try:
            self.blocks.write(self.memory, state)
        except struct.error:  # numbers that have no room
            raise Unfit from None
        self.set("JOURNAL_TOP", self.at["JOURNAL"])

    def state(self) -> State:
        """The state of the game in memory."""
        return self.blocks.state(self.memory)

    def values(self) -> tuple[Value, ...]:
        """What may be chosen."""
        at = self.cells[self.cell["VALUES_AT"]] >> 2
        return tuple([None if each == NONE else each for each in self.cells[at + 1 : at + 1 + self.cells[at]]])

    def drain(self) -> bytes:
        """What has been written to the log since it was asked last."""
        begin = self.at["LOG"]
        data = bytes(self.memory[begin : self.cells[self.cell["LOG_TOP"]]])
        self.cells[self.cell["LOG_TOP"]] = begin
        return data

    def whole(self) -> Whole:
        """All of the game in memory."""
        memory, cells = self.bytes, self.cells
        return memory[self.block : cells[self.sp]], memory[self.arena : cells[self.top]]

    def vacate(self) -> None:
        """Let the game in memory keep itself."""
        running = None if self.resident is None else self.resident()
        if running is not None:
            running._whole = self.whole()
        self.resident = None

    def put_whole(self, whole: Whole) -> None:
        """Lay a game into memory."""
        block, lists = whole
        self.memory[self.block : self.block + len(block)] = block
        self.memory[self.arena : self.arena + len(lists)] = lists

    def play_random(self, games: int, seed: int, *, log: bool = False) -> Played:
        """Play whole games with random choices, without coming back in between: with the seeds from one on. What the module stops at is done on foot."""
        with self.lock:
            self.vacate()
            self.grant(USUAL)
            for name, number in (("LOG_ON", int(log)), ("FIRST", 0), ("MOVES", 0), ("PLAYING", 0)):
                self.set(name, number)
            struct.pack_into("<Q", self.memory, self.at["SEED"], seed)
            struct.pack_into("<Q", self.memory, self.at["POLICY"], chance.start(seed))
            tally = self.at["TALLY"] >> 2
            players = self.linked.world.players
            for player in range(players):
                self.cells[tally + player] = 0
            stops, game, origin = 0, -1, None
            try:
                while self.get("FIRST") < games:
                    self.set("LEFT", SLICE)
                    try:
                        self.play(min(games - self.get("FIRST"), SLICE))
                    except Stopped:
                        stops += 1
                        if self.get("FIRST") != game:
                            game, origin = self.get("FIRST"), None
                        origin = self._help(seed + game, origin)
            finally:
                self.set("LOG_ON", 1)
                self.set("LOG_TOP", self.at["LOG"])
            return Played(games, self.get("MOVES"), tuple(self.cells[tally : tally + players]), stops)

    def _help(self, seed: int, origin: Whole | None) -> Whole | None:
        """Make the choice that the module stopped at on foot, and lay what becomes of it into memory; more of them if the module cannot go on from there.

        Nothing is kept of single moments: the game is played again from where it was laid into memory last, or from its beginning. Gives where it is laid into memory now.
        """
        foot = self._again(seed, origin)
        pick = chance.start(self.get("MOVES"))
        while True:
            asked = foot.asked()
            foot.machine.state.log = []
            try:
                self.load(foot.machine.state)
                if asked is None:
                    self.set("VALUES_AT", 0)
                else:
                    self.run()
                for name, before in (("ORIGIN_POLICY", "POLICY"), ("ORIGIN_POLICY1", "POLICY1"), ("ORIGIN_MOVES", "MOVES")):
                    self.set(name, self.get(before))
                return self.whole()
            except (Stopped, Unfit):
                if asked is None:
                    raise
                pick, index = chance.below(pick, len(asked[1]))
                foot.take(index)
                self.set("MOVES", self.get("MOVES") + 1)

    def _again(self, seed: int, origin: Whole | None) -> Stepping:
        """What the module stopped at, made on foot: the set-up of a game, or a choice, with all those before it made again."""
        moves = self.get("MOVES") - self.get("ORIGIN_MOVES")
        if not self.get("PLAYING"):
            self.set("PLAYING", 1)
            foot = Stepping(self.linked, first_state(self.linked, seed))
            foot.run()
            return foot
        for name, before in (("POLICY", "ORIGIN_POLICY"), ("POLICY1", "ORIGIN_POLICY1"), ("MOVES", "ORIGIN_MOVES")):
            self.set(name, self.get(before))
        self.set("PLAYING", int(origin is not None))
        if origin is not None:
            self.put_whole(origin)
        self.set("LEFT", moves)
        self.play(1)
        self.keep()
        self.set("LEFT", -1)
        try:
            self.play(1)
        except Stopped:
            self.restore()
        foot = Stepping(self.linked, self.state())
        foot.machine.asked = self.get("PLAYER"), self.values()
        foot.take(self.get("CHOSEN"))
        self.set("MOVES", self.get("MOVES") + 1)
        return foot


class Played(NamedTuple):
    """What came of many games: how many, with how many choices, how often each player has won, and how often the module had to be helped."""

    games: int
    choices: int
    wins: tuple[int, ...]
    helped: int


def log_of(packed: bytes) -> bytes:
    """The log of a choice, which is packed behind what was small before, the lists and the journal."""
    return packed[len(packed) - struct.unpack_from("<i", packed, 12)[0] :]


Whole = tuple[bytes, bytes]  # all of a game: the block it is, with its frames, and its lists
Snapshot = Whole | Checkpoint  # in the module, or on foot
Change = bytes | Snapshot  # what leads to the moment before a choice, or behind it again: packed, or all of that moment
Chunk = bytes | list[Entry]  # a part of the log: as it was packed, or as entries
Stretch = bytes | tuple[Change | None, Chunk]  # of a game: what leads back to where it began, and its part of the log; as it was packed, that is one


class Telling(Options):
    """The options of a game in the module, which nobody has read yet: told by the game while it stands there or one choice later, then by what was kept of that moment."""

    __slots__ = ("__weakref__", "_running", "_whole")

    def __init__(self, running: Running, count: int) -> None:
        self._count, self._told = count, None
        self._running = running
        self._whole: Whole | None = None  # of its moment, where the game has gone further

    def keep(self, whole: Whole) -> None:
        """The game is about to go on."""
        self._whole = whole

    def _tell(self) -> tuple[str, tuple[Option, ...]]:
        running = self._running
        with running.instance.lock:
            running.keep_left()
        if self._whole is not None:
            running = Running(running.instance, running._budget)
            running._whole = self._whole
        made = running.plainly_told()
        if made is None:
            asked = running.asked()
            assert asked is not None
            made = decisions.decision(running.machine, *asked)
        assert isinstance(made.options, tuple)
        return made.prompt, made.options


class Running:
    """A game that is played in the module; on foot, with `step`, where the module cannot go."""

    __slots__ = (
        "__weakref__", "_ahead", "_asked", "_budget", "_foot", "_here", "_joined", "_left", "_machine", "_parts", "_stretches", "_telling", "_whole", "instance",
    )  # fmt: skip

    def __init__(self, instance: Instance, budget: Budget | None = None) -> None:
        self.instance = instance
        self._here = weakref.ref(self)
        self._budget = budget or USUAL
        self._whole: Whole | None = None  # while another game lies in memory
        self._foot: Stepping | None = None
        self._machine: Machine | None = None  # the same as a state, if somebody has looked
        self._asked: Asked | None = None
        self._stretches: list[Stretch] = []  # the set-up, then choice by choice
        self._ahead: list[tuple[Change, Chunk]] = []  # what leads forth again
        self._parts: dict[int, list[Entry]] = {}  # the same as entries, as far as somebody has read it
        self._joined: tuple[int, list[Entry]] = (0, [])  # all that was read in one list, and how many parts are in it
        self._telling: weakref.ref[Telling] | None = None  # of this moment, if somebody may still read it
        self._left: tuple[weakref.ref[Telling], int] | None = None  # of the moment before, and how many choices deep that was

    @classmethod
    def begun(cls, instance: Instance, foot: Stepping) -> Running:
        """A game that goes on from a decision at which `step` stands."""
        made = cls(instance, foot.machine.budget)
        log = foot.machine.state.log
        ends = [*(number for number, entry in enumerate(log) if entry[0] == "choice"), len(log)]
        made._stretches += [(None, log[start:end]) for start, end in pairwise([0, *ends])]
        made._foot = foot
        with instance.lock:
            made._get_on(foot)
        return made

    def resumed(self, foot: Stepping) -> Engine:
        """The same engine with another game, at which `step` stands; where somebody answers for chance it stays there."""
        return Running.begun(self.instance, foot) if foot.machine.sampler is None else foot

    @classmethod
    def fresh(cls, instance: Instance, random: int, budget: Budget | None = None) -> Running:
        """A new game before its set-up, with the state of chance it begins with."""
        made = cls(instance, budget)
        made._whole = instance.beginning
        made._reseed(random)
        return made

    # -- which game lies in memory

    def _enter(self) -> Instance:
        """Let this game be the one in memory."""
        instance = self.instance
        if instance.resident is not self._here:
            instance.vacate()
            if self._whole is not None:
                instance.put_whole(self._whole)
                self._whole = None
            if instance.budget is not self._budget:
                instance.grant(self._budget)
            instance.resident = self._here
        return instance

    # -- looking

    @property
    def machine(self) -> Machine:
        """The state of this moment, with what reads it."""
        with self.instance.lock:
            if self._foot is not None:
                return self._foot.machine
            if self._machine is None:
                state = self._enter().state()
                state.log = self.log
                machine = Machine(self.instance.linked, state, self._budget)
                machine.asked = self.asked()
                self._machine = machine
            return self._machine

    @property
    def world(self) -> World:
        """What exists in the game."""
        return self.instance.linked.world

    def look(self, see: Callable[[Machine], T]) -> T:
        """What somebody finds who sees what lies where. Nothing more is made of memory than that, and what is given is shared."""
        with self.instance.lock:
            if self._foot is None and self._machine is None:
                try:
                    return see(Machine(self.instance.linked, self._enter().blocks.sight(self.instance.memory), self._budget))
                except RulesError:  # told with what is going on
                    pass
            return see(self.machine)

    @property
    def log(self) -> list[Entry]:
        """All that has been written to the log."""
        length = len(self._stretches)
        upto, joined = self._joined
        if upto < length:
            joined = joined[:]
            for number in range(upto, length):
                joined += self._part(number)
            self._joined = length, joined
        return joined

    def mark(self) -> int:
        """Where the next choice will stand in the log."""
        return len(self._stretches)

    def chosen(self, mark: int) -> Entry:
        """The choice that stands somewhere in the log."""
        return self._part(mark)[0]

    def marks(self) -> list[int]:
        """The marks of all choices that the log has."""
        return [number for number in range(1, len(self._stretches)) if self._part(number)[:1] and self._part(number)[0][0] == "choice"]

    def _part(self, number: int) -> list[Entry]:
        """A part of the log as entries."""
        part = self._parts.get(number)
        if part is None:
            stretch = self._stretches[number]
            chunk = stretch if isinstance(stretch, bytes) else stretch[1]
            part = self._parts[number] = self.instance.blocks.entries(log_of(chunk)) if isinstance(chunk, bytes) else chunk
        return part

    def asked(self) -> Asked | None:
        """Who has to decide, and the answers that may be given."""
        if self._foot is not None:
            return self._foot.asked()
        if self._asked is None:
            with self.instance.lock:
                instance = self._enter()
                if instance.get("FP"):
                    self._asked = instance.get("PLAYER"), instance.values()
        return self._asked

    def decision(self) -> Decision | None:
        """The same in words. What is read here is right if this game still lies in memory afterwards: no other thread lets it lie there again."""
        instance = self.instance
        if self._foot is not None:
            return self._foot.decision()
        if instance.resident is self._here:
            cells = instance.cells
            at, made = cells[instance.values_at], None
            if at:
                key = instance.bytes[at : cells[instance.top]]
                made = instance.known.get(key) or self._ask(key)
            if instance.resident is self._here:
                return made
        with instance.lock:
            self._enter()
            return self.decision()

    def _ask(self, key: bytes) -> Decision:
        """A decision of which nothing is known yet."""
        instance = self.instance
        number, player = instance.get("QUESTION"), instance.get("PLAYER") + 1
        words = instance.words.get(number)
        if words is None:
            telling = None if self._telling is None else self._telling()
            if telling is None:
                telling = Telling(self, len(key) // 4 - 2)
                self._telling = weakref.ref(telling)
            return Decision(player, instance.kinds[number], None, telling)
        if len(instance.known) >= MOST_KNOWN:
            instance.known.clear()
        made = instance.known[key] = words.decision(player, instance.values())
        return made

    def plainly_told(self) -> Decision | None:
        """What has to be decided, if all that could be hidden from the player of what may be chosen is not; None if it is, or there is more to say."""
        with self.instance.lock:
            instance, values = self._enter(), self.instance.values()
            words = instance.named.get(instance.get("QUESTION"))
            if words is None:
                return None
            player, seen = instance.get("PLAYER"), instance.cell["TEMP"]
            try:
                instance.seers()
            except Stopped:
                instance.end_look()
                return None
            seen_by_all = all(instance.cells[seen + each] >> player & 1 for each in words.components(values))
            return words.decision(player + 1, values) if seen_by_all else None

    def outcomes(self) -> tuple[str, ...] | None:
        """How each player stands at the end; None while the game goes on."""
        if self._foot is not None:
            return self._foot.outcomes()
        with self.instance.lock:
            instance = self._enter()
            at = instance.cell["OUTCOMES"]
            return tuple([OUTCOMES[number] for number in instance.cells[at : at + instance.linked.world.players]]) if instance.get("ENDED") else None

    # -- going on

    def _leave(self) -> None:
        """What was known of this moment is no longer so; what was told of it can still be read. Mostly nobody will: nothing is copied before one more choice."""
        if self._left is not None:
            self.keep_left()
        if self._telling is not None:
            self._left = self._telling, len(self._stretches)
            self._telling = None
        self._machine = self._asked = None

    def keep_left(self) -> None:
        """Let the options of the moment before keep that, if nobody has read them and somebody still may."""
        if self._left is None:
            return
        (left, depth), self._left = self._left, None
        telling = left()
        if telling is None or telling._told is not None:
            return
        if depth == len(self._stretches):  # the choice was not made
            telling.keep(self._bytes())
            return
        self._enter()
        change, chunk = self._parted(self._stretches[-1])
        forth = self._turn(change, 0)
        try:
            telling.keep(self.instance.whole())
        finally:
            self._stretches[-1] = self._turn(forth, 1), chunk

    def run(self) -> None:
        """Go on until somebody has to decide or the game is over."""
        with self.instance.lock:
            if self._foot is not None:
                self._stretches.append((None, self._walk(None)))
                return
            instance = self._enter()
            self._leave()
            self.keep_left()
            instance.keep()
            try:
                instance.run()
            except Stopped:
                self._stretches.append((None, self._get_off(None)[1]))
            else:
                log = instance.drain()
                self._stretches.append(struct.pack("<4i", 0, 0, 0, len(log)) + log)

    def take(self, index: int) -> None:
        """Write the answer of a position to the log, and go on."""
        with self.instance.lock:
            if self._foot is None:
                self.quick(index, [], [], even_alike=True)
                return
            self._choose_on_foot(index, self._foot)
            self._ahead.clear()

    def _choose_on_foot(self, index: int, foot: Stepping) -> None:
        """The same on foot."""
        self.keep_left()
        depth, before = len(self._stretches), foot.checkpoint(None)
        try:
            self._stretches.append((before, self._walk(index)))
        except BaseException:  # an interruption too leaves the game as it was
            if len(self._stretches) == depth:
                foot.restore(before)
                self._foot, self._machine, self._asked = foot, None, None
            raise

    def quick(self, index: int, past: list[Any], made: list[Any], even_alike: bool = False) -> Decision | bool:
        """Take the answer of a position, if nothing but the module is needed for it, and write down the moment before, which is also where in the log it stands;
        gives the next decision if its words are known, and False if nothing was done."""
        instance, stretches = self.instance, self._stretches
        choose, chosen, cells, memory, known, alike, question, out, values_at, lists_top, acquire, release = instance.at_hand
        whole: Whole | None = None
        told: Decision | None = None
        acquire()
        try:
            depth = len(stretches)
            if instance.resident is not self._here:
                self._enter()
            if self._foot is not None or not 0 <= index < MOST_OPTIONS or (alike and not even_alike and cells[question] in alike):
                return False
            if self._telling is not None or self._left is not None or self._machine is not None or self._asked is not None:
                self._leave()
            chosen[0] = ~index
            try:
                choose()
                top = chosen[0]
                if top > 0:
                    stretch: Stretch = memory[out:top]
                    if at := cells[values_at]:
                        told = known.get(memory[at : cells[lists_top]])
                elif top == 0:
                    return False
                else:
                    stretch = whole, _ = self._get_off(index)
                    forget(instance.trap)
                past.append(depth)
                made.append(depth)
                stretches.append(stretch)
            except BaseException:  # an interruption too leaves the game as it was
                if len(stretches) == depth:
                    if whole is not None:
                        instance.put_whole(whole)
                    elif chosen[0] > 0 or instance.trap[0]:  # the module has begun
                        instance.restore()
                    forget(instance.trap)
                    instance.set("LOG_TOP", instance.at["LOG"])
                    instance.set("LOG_ON", 1)
                    for noted in (past, made):
                        if noted and noted[-1] == depth:
                            noted.pop()
                    self._machine = self._asked = self._foot = None
                raise
            if self._ahead:
                self._ahead.clear()
            return told or True
        finally:
            release()

    def _get_off(self, index: int | None) -> tuple[Whole, list[Entry]]:
        """Let `step` do what the module has stopped at, then go on in the module if it can; gives the game as it was before, and what has been written to the log."""
        instance = self.instance
        instance.restore()
        instance.set("LOG_TOP", instance.at["LOG"])
        before = instance.whole()
        state = instance.state()
        state.log = self.log
        foot = Stepping(instance.linked, state, self._budget)
        if index is not None:
            foot.machine.asked = instance.get("PLAYER"), instance.values()
        self._foot = foot
        try:
            return before, self._walk(index)
        except BaseException:
            self._foot = None
            instance.put_whole(before)
            instance.set("JOURNAL_TOP", instance.at["JOURNAL"])
            raise

    def _walk(self, index: int | None) -> list[Entry]:
        """Go on on foot, and get on again if the module can go on from where that leads; gives what has been written to the log."""
        foot = self._foot
        assert foot is not None
        length = len(foot.machine.state.log)
        foot.machine.state.log = foot.machine.state.log[:]
        if index is None:
            foot.run()
        else:
            foot.take(index)
        written = foot.machine.state.log[length:]
        self._machine = self._asked = None
        self._get_on(foot)
        return written

    def _get_on(self, foot: Stepping) -> None:
        """Go on in the module from where `step` stands, if it can."""
        instance = self._enter()
        instance.set("LOG_ON", 0)
        try:
            instance.load(foot.machine.state)
            instance.run()
            self._foot = None
        except (Stopped, Unfit):
            pass
        finally:
            instance.set("LOG_ON", 1)

    def clone(self, random: int | None = None) -> Running:
        """A game of its own that goes on from here, with chance in another state if one is given."""
        made = Running(self.instance, self._budget)
        if self._foot is not None:
            made._foot = self._foot.clone(random)
        else:
            made._whole = self._bytes()
            if random is not None:
                made._reseed(random)
        made._stretches, made._parts, made._joined, made._asked = self._stretches[:], self._parts.copy(), self._joined, self._asked
        return made

    def _bytes(self) -> Whole:
        """All of this game, wherever it lies."""
        if self._whole is not None:
            return self._whole
        with self.instance.lock:
            return self._whole if self._whole is not None else self._enter().whole()

    def _reseed(self, random: int) -> None:
        """Let chance be in another state, before the game has come into memory."""
        assert self._whole is not None
        block, lists = self._whole
        at = self.instance.random
        self._whole = b"".join((block[:at], random.to_bytes(8, "little"), block[at + 8 :])), lists

    # -- going back and forth

    def sealed(self, moment: int) -> bool:
        """Whether something random happened, or something hidden was revealed to somebody, since another moment."""
        with self.instance.lock:
            change = self._parted(self._stretches[moment])[0] if moment == len(self._stretches) - 1 and self._foot is None else None
            if isinstance(change, bytes):
                instance = self._enter()
                instance.memory[instance.into : instance.into + len(change)] = change
                try:
                    return bool(instance.sealed())
                except Stopped:  # `step` says it
                    instance.end_look()
            now, here = self.machine, self.checkpoint(None)
            self.restore(moment)
            before, length = self.machine.state, len(self.log)
            self.restore(here)
            return sealed(now, before, length)

    def checkpoint(self, before: Any) -> int:
        """This moment, to be gone back to: how many stretches deep it is."""
        return len(self._stretches)

    @staticmethod
    def _parted(stretch: Stretch) -> tuple[Change, Chunk]:
        """What leads back to the beginning of a stretch, and its part of the log."""
        if isinstance(stretch, bytes):
            return stretch, stretch
        change, chunk = stretch
        assert change is not None
        return change, chunk

    def restore(self, moment: int) -> None:
        """Be as at another moment of this game."""
        with self.instance.lock:
            self._enter()
            self._leave()
            self.keep_left()
            while len(self._stretches) > moment:
                change, chunk = self._parted(self._stretches.pop())
                self._parts.pop(len(self._stretches), None)
                if self._joined[0] > len(self._stretches):
                    self._joined = (0, [])
                self._ahead.append((self._turn(change, 0), chunk))
            while len(self._stretches) < moment:
                change, chunk = self._ahead.pop()
                self._stretches.append((self._turn(change, 1), chunk))

    def _turn(self, change: Change, forth: int) -> Change:
        """Go to a neighbouring moment; gives what leads here again."""
        instance = self.instance
        if isinstance(change, bytes):
            instance.memory[instance.into : instance.into + len(change)] = change
            instance.turn(forth)
            back: bytes = instance.bytes[instance.out : instance.cells[instance.out_top]]
            return back
        now: Snapshot = instance.whole() if self._foot is None else self._foot.checkpoint(None)
        if not isinstance(change, Checkpoint):
            self._foot = None
            instance.put_whole(change)
        else:
            self._foot = Stepping(instance.linked, restored(change), self._budget)
            self._foot.restore(change)
        return now


__all__ = ["Instance", "Running", "Stopped", "Unfit"]
