"""Instances: a module in wasmtime, with its memory and functions.

One game lies in memory at a time, the others are kept as bytes; an `Instance` belongs to one program and world, and to one thread at a time. It raises `Stopped` where the
module comes to something that it leaves to `step`.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import threading
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import wasmtime
import wasmtime._bindings as ffi

from rulewright.core import chance
from rulewright.decision import Decision
from rulewright.game.decisions import constant, may_be_alike
from rulewright.game.engine import Stepping
from rulewright.limits import Budget
from rulewright.step.link import Linked
from rulewright.step.machine import first_state
from rulewright.step.state import State, Value
from rulewright.wasm import plan
from rulewright.wasm.blocks import Blocks, Unfit
from rulewright.wasm.layout import NONE, STARTING, UNCOUNTED
from rulewright.wasm.plan import EXPORTS

if TYPE_CHECKING:
    from rulewright.wasm.engine import Running

Whole = tuple[bytes, bytes]  # all of a game: the block it is, with its frames, and its lists
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
        self.cells, self.wide = self.memory.cast("i"), self.memory.cast("Q")
        self._bind(exports)
        self.blocks = Blocks(self.plan, linked)
        self.at = self.plan.at
        self.cell = {name: at >> 2 for name, at in self.at.items()}
        self.lock = threading.RLock()
        self.resident: weakref.ref[Running] | None = None  # the game in memory, which nothing but its callers keeps alive
        self.block, self.arena, self.into, self.out = (self.at[name] for name in ("BLOCK", "ARENA", "IN", "OUT"))
        self.sp, self.top, self.out_top, self.values_at = (self.cell[name] for name in ("SP", "TOP", "OUT_TOP", "VALUES_AT"))
        self.trail, self.question, self.random = self.cell["TRAIL"], self.cell["QUESTION"], self.at["RANDOM"] >> 3
        questions, secretive = linked.program.questions, self.plan.secretive
        self.alike = frozenset(number for number in range(len(questions)) if may_be_alike(linked, number))
        self.kinds = [question.kind for question in questions]
        found = {number: constant(linked, number) for number in range(len(questions))}
        self.named = {number: words for number, words in found.items() if words is not None}
        self.words = {number: words for number, words in self.named.items() if not (secretive and words.names_things)}  # whatever is hidden
        self.known: dict[bytes, Decision] = {}  # by what may be chosen and who is asked what
        self.told: set[bytes] = set()  # those of them that the module knows too
        self.numbered: list[Decision | None] = [None, None]  # the same by the numbers under which the module knows them; 1 is what it does not know
        self.at_hand = (  # all that a choice needs: one look instead of a dozen
            self.choose, self.chosen, self.cells, self.numbered, self.alike, self.question, self.lock.acquire, self.lock.release,
        )  # fmt: skip
        self.grant(USUAL)
        self.cells[self.trail] = self.out
        self.set("MEMO_TOP", self.at["MEMO_AT"])
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
        self.run, self.play, self.keep, self.restore, self.turn, self.seers, self.end_look, self.sealed, self.memorise = (
            bound(name) for name in EXPORTS[1:]
        )
        # An answer is given as its complement, a negative number; that stays if the module stops, else there is the number of the next decision, or 0 if there is no such answer.
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

    def know(self, key: bytes, decision: Decision) -> None:
        """Keep a decision that has been put into words: it may be asked again."""
        with self.lock:
            if len(self.known) >= MOST_KNOWN:
                self.forget_known()
            self.known[key] = decision

    def know_at_once(self, key: bytes, decision: Decision) -> None:
        """Let the module tell at once that this is what is asked: it has been asked again, as most decisions of many games never are."""
        with self.lock:
            self.told.add(key)
            self.numbered.append(decision)
            self.memory[self.into : self.into + len(key)] = key
            if not self.memorise(len(self.numbered) - 1):
                self.forget_known()

    def forget_known(self) -> None:
        """Know no decision any more: the module first."""
        begin, end = self.at["MEMO"], self.at["MEMO_AT"]
        self.memory[begin:end] = bytes(end - begin)
        self.set("MEMO_TOP", end)
        del self.numbered[2:]
        self.told.clear()
        self.known.clear()

    def whole(self) -> Whole:
        """All of the game in memory."""
        memory, cells = self.bytes, self.cells
        return memory[self.block : cells[self.sp]], memory[self.arena : cells[self.top]]

    def vacate(self) -> None:
        """Let the game in memory keep itself."""
        running = None if self.resident is None else self.resident()
        if running is None:
            self.cells[self.trail], self.resident = self.out, None
        else:  # at once: no signal comes in between
            running._whole, running._trail, self.cells[self.trail], self.resident = self.whole(), self.trailing(), self.out, None

    def trailing(self) -> bytes:
        """What choices have left behind that nobody has taken out yet."""
        left: bytes = self.bytes[self.out : self.cells[self.trail]]
        return left

    def reseed(self, random: int) -> None:
        """Let chance be in a state."""
        self.wide[self.random] = random

    def put_whole(self, whole: Whole) -> None:
        """Lay a game into memory."""
        block, lists = whole
        self.memory[self.block : self.block + len(block)] = block
        if lists:
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
