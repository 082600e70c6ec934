"""The engine: what a game asks, of a module in wasmtime. `Running` plays in the module, and where that stops, `step` makes the choice."""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from rulewright.core.world import World
from rulewright.decision import Decision, Option, Options
from rulewright.errors import RulesError
from rulewright.game import decisions
from rulewright.game.engine import Engine, Stepping, T
from rulewright.game.history import Checkpoint, restored, sealed
from rulewright.limits import Budget
from rulewright.step.machine import Machine
from rulewright.step.state import Entry, Value
from rulewright.wasm.blocks import Unfit
from rulewright.wasm.instance import USUAL, Instance, Stopped, Whole, forget
from rulewright.wasm.layout import OUTCOMES

Asked = tuple[int, tuple[Value, ...]]


def log_of(packed: bytes) -> bytes:
    """The log of a choice, which is packed behind what was small before, the lists and the journal."""
    return packed[len(packed) - struct.unpack_from("<i", packed, 12)[0] :]


Snapshot = Whole | Checkpoint  # in the module, or on foot
Change = bytes | Snapshot  # what leads to the moment before a choice, or behind it again: packed, or all of that moment
Chunk = bytes | list[Entry]  # a part of the log: as it was packed, or as entries
Stretch = bytes | tuple[Change | None, Chunk]  # of a game: what leads back to where it began, and its part of the log; as it was packed, that is one
UNREAD: tuple[int, list[Entry]] = 0, []  # of a log
HEAD = struct.Struct("<4i")  # of what is packed: how long its parts are


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
        "__weakref__", "_ahead", "_asked", "_budget", "_foot", "_here", "_joined", "_left", "_line", "_machine", "_parts", "_random", "_telling", "_trail", "_whole", "instance",
    )  # fmt: skip

    def __init__(self, instance: Instance, budget: Budget | None = None) -> None:
        self.instance = instance
        self._here = weakref.ref(self)
        self._budget = budget or USUAL
        self._whole: Whole | None = None  # while another game lies in memory
        self._random: int | None = None  # the state of chance, where that is another than there
        self._foot: Stepping | None = None
        self._machine: Machine | None = None  # the same as a state, if somebody has looked
        self._asked: Asked | None = None
        self._line: list[Stretch | None] = []  # the set-up, then choice by choice; None where it still lies on the trail
        self._trail = b""  # the same, as far as it was taken out of memory and not taken apart
        self._ahead: list[tuple[Change, Chunk]] = []  # what leads forth again
        self._parts: dict[int, list[Entry]] = {}  # the same as entries, as far as somebody has read it
        self._joined = UNREAD  # all that was read in one list, and how many parts are in it
        self._telling: weakref.ref[Telling] | None = None  # of this moment, if somebody may still read it
        self._left: tuple[weakref.ref[Telling], int] | None = None  # of the moment before, and how many choices deep that was

    @classmethod
    def begun(cls, instance: Instance, foot: Stepping) -> Running:
        """A game that goes on from a decision at which `step` stands."""
        made = cls(instance, foot.machine.budget)
        log = foot.machine.state.log
        ends = [*(number for number, entry in enumerate(log) if entry[0] == "choice"), len(log)]
        made._line += [(None, log[start:end]) for start, end in pairwise([0, *ends])]
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
        made._whole, made._random = instance.beginning, random
        return made

    # -- which game lies in memory

    def _enter(self) -> Instance:
        """Let this game be the one in memory."""
        instance = self.instance
        if instance.resident is not self._here:
            instance.vacate()
            if self._trail:
                self._take_out()
            if self._whole is not None:
                instance.put_whole(self._whole)
                self._whole = None
                if self._random is not None:
                    instance.reseed(self._random)
                    self._random = None
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
    def _stretches(self) -> list[Stretch]:
        """The set-up, then choice by choice, all of them taken out of memory."""
        line = self._line
        if line and line[-1] is None:
            with self.instance.lock:
                self._take_out()
        return line  # type: ignore[return-value]  # nothing lies on the trail now

    def _take_out(self) -> None:
        """Take apart what lies on the trail. To do so twice does no harm: a signal may come before all is put away."""
        instance, at, parts = self.instance, 0, list[Stretch | None]()
        resident = instance.resident is self._here
        trail = instance.trailing() if resident else self._trail
        while at < len(trail):
            end = at + 16 + sum(HEAD.unpack_from(trail, at))
            parts.append(trail[at:end])
            at = end
        self._line[len(self._line) - len(parts) :] = parts
        if resident:
            instance.cells[instance.trail] = instance.out
        self._trail = b""

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
        return len(self._line)

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
                made = instance.known.get(key)
                if made is None:
                    made = self._ask(key)
                elif key not in instance.told:
                    instance.know_at_once(key, made)
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
        made = words.decision(player, instance.values())
        if instance.resident is self._here:
            instance.know(key, made)
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
            self._left = self._telling, len(self._line)
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
                self._line.append((None, self._walk(None)))
                return
            instance = self._enter()
            self._leave()
            self.keep_left()
            instance.keep()
            try:
                instance.run()
            except Stopped:
                self._line.append((None, self._get_off(None)[1]))
            else:
                log = instance.drain()
                self._line.append(struct.pack("<4i", 0, 0, 0, len(log)) + log)

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
            self._line.append((before, self._walk(index)))
        except BaseException:  # an interruption too leaves the game as it was
            if len(self._stretches) == depth:
                foot.restore(before)
                self._foot, self._machine, self._asked = foot, None, None
            raise

    def quick(self, index: int, past: list[Any], made: list[Any], even_alike: bool = False) -> Decision | bool:
        """Take the answer of a position, if nothing but the module is needed for it, and write down the moment before, which is also where in the log it stands;
        gives the next decision if its words are known, and False if nothing was done. What it leaves behind stays on the trail, in memory, until somebody wants it."""
        instance, line = self.instance, self._line
        choose, chosen, cells, numbered, alike, question, acquire, release = instance.at_hand
        whole: Whole | None = None
        stretch: Stretch | None = None
        acquire()
        try:
            depth = len(line)
            if instance.resident is not self._here:
                self._enter()
            if index >> 31 or self._foot is not None or (alike and not even_alike and cells[question] in alike):
                return False
            if self._telling is not None or self._left is not None or self._machine is not None or self._asked is not None:
                self._leave()
            chosen[0] = ~index
            try:
                choose()
                number = chosen[0]
                if number <= 0:
                    if number == 0:
                        if not line or line[-1] is not None:
                            return False
                        self._take_out()  # there may be no more room for what a choice leaves behind
                        return self.quick(index, past, made, even_alike)
                    stretch = whole, _ = self._get_off(index)
                    forget(instance.trap)
                past.append(depth)
                made.append(depth)
                line.append(stretch)
            except BaseException:  # an interruption too leaves the game as it was
                if len(line) == depth:
                    if whole is not None:
                        instance.put_whole(whole)
                    elif chosen[0] > 0 or instance.trap[0]:  # the module has begun
                        if chosen[0] > 0:
                            cells[instance.trail] = instance.get("KEPT")
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
            return (stretch is None and numbered[number]) or True
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

    def begun_again(self, random: int) -> Running:
        """A new game that stands where this one does, with chance in another state."""
        made = Running(self.instance, self._budget)
        if self._foot is not None:
            made._foot = self._foot.begun_again(random)
        else:
            made._whole, made._random = self._whole or self._bytes(), random
        made._line += self._stretches
        return made

    def clone(self) -> Running:
        """A game of its own that goes on from here."""
        made = Running(self.instance, self._budget)
        if self._foot is not None:
            made._foot = self._foot.clone()
        else:
            made._whole = self._bytes()
        made._line += self._stretches
        made._parts, made._joined, made._asked = self._parts.copy(), self._joined, self._asked
        return made

    def _bytes(self) -> Whole:
        """All of this game, wherever it lies."""
        if self._random is None and (whole := self._whole) is not None:
            return whole
        with self.instance.lock:
            return self._enter().whole()

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
        return len(self._line)

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
                    self._joined = UNREAD
                self._ahead.append((self._turn(change, 0), chunk))
            while len(self._stretches) < moment:
                change, chunk = self._ahead.pop()
                self._line.append((self._turn(change, 1), chunk))

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
