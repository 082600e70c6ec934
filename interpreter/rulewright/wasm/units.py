"""Units: each becomes one function that can be gone on with at certain points.

A point is a block that a call returns to, that a question leads to, or that several blocks lead to. Everything else is written where it comes from. The function is
given its frame and gives whether that has ended (`DONE`), somebody has to decide (`DECIDE`), or other frames are there now (`ELSEWHERE`): then whichever is on top goes
on. An instruction that nothing is known to write stops the module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.flow import targets
from rulewright.core.passes.prices import price_of
from rulewright.wasm.assemble import Code, leb
from rulewright.wasm.calls import CALLS
from rulewright.wasm.changes import CHANGES
from rulewright.wasm.choices import ask
from rulewright.wasm.control import CONTROL
from rulewright.wasm.layout import ELSEWHERE
from rulewright.wasm.opcodes import ADD, GT, RETURN
from rulewright.wasm.records import say
from rulewright.wasm.writer import Writer

if TYPE_CHECKING:
    from rulewright.wasm.compile import Compilation


class Unit:
    """Writes the function of one unit."""

    def __init__(self, to: Compilation, number: int, name: str) -> None:
        self.to, self.number, self.name = to, number, name
        self.linked, self.layout, self.at = to.linked, to.layout, to.layout.at
        self.unit = to.program.units[name]
        self.blocks = to.facts.blocks[name]
        self.code = Code(1)
        self.w = Writer(to, self.unit.locals, 0, self.code)
        framed = set(to.facts.frame_slots(name))
        for slot in range(len(self.unit.locals)):
            if slot not in framed:
                self.w.bound[slot] = self.code.local()
        self.point = self.code.local()  # the local that says where to go on
        self.find_points()

    # -- where frames rest

    def find_points(self) -> None:
        """The blocks that can be gone on with: where calls return, where answers lead, where several blocks lead."""
        leads: Counter[int] = Counter()
        resting: list[int] = [self.unit.entry]
        for block in self.blocks.values():
            for each in block.code[-1:]:
                for label in targets(each):
                    leads[label] += 1
                if isinstance(each, c.Call | c.CallHook | c.RunDeferred | c.Proceed | c.Ask):
                    resting.append(each.then)
        joins = [label for label, count in leads.items() if count > 1]
        self.asking = [label for label, block in self.blocks.items() if block.code and isinstance(block.code[-1], c.Ask | c.RunDeferred)]
        self.points: dict[int, int] = {}  # by label
        ends = [self.to.program.ending, self.to.program.over]
        for label in dict.fromkeys([*resting, *joins, *self.back_edges(), *ends]):
            if label in self.blocks:
                self.points[label] = len(self.points)
        asking = {label: len(self.points) + number for number, label in enumerate(self.asking)}
        self.ask_points: dict[int, int] = {}  # by address
        framed = sum(1 << slot for slot in self.to.facts.frame_slots(self.name))
        self.to.point_counts[self.number] = len(self.points) + len(asking)
        for label, point in self.points.items():
            at = self.linked.starts[label]
            self.to.addresses.setdefault(at, (self.number, point))
            self.to.points[self.number, point] = at
            self.to.kept_at[self.number, point] = self.to.live.entering(self.name)[label] & framed
        for label, point in asking.items():
            last = len(self.blocks[label].code) - 1
            address = self.linked.starts[label] + last
            self.ask_points[address] = point
            self.to.addresses[address] = (self.number, point)
            self.to.points[self.number, point] = address
            self.to.kept_at[self.number, point] = self.to.live.before(label, last) & framed

    def back_edges(self) -> list[int]:
        """Blocks that lead to themselves on some way: a loop has to begin at a point."""
        found, state = [], {}
        stack: list[tuple[int, bool]] = [(self.unit.entry, False)]
        while stack:
            label, done = stack.pop()
            if done:
                state[label] = 2
                continue
            if state.get(label):
                continue
            state[label] = 1
            stack.append((label, True))
            block = self.blocks.get(label)
            for each in block.code[-1:] if block else ():
                for to in targets(each):
                    if state.get(to) == 1:
                        found.append(to)
                    elif not state.get(to):
                        stack.append((to, False))
        return found

    # -- writing

    def write(self) -> None:
        """Write the function: a loop that jumps to the point at which the frame rests."""
        code = self.code
        code.get(0)
        code.load(0)
        code.set(self.point)
        self.steps = code.local()
        self.passed = 0  # steps since the point at which the code that is written begins
        self.top = code.loop()
        code.const(0)
        code.load(self.at["STEPS"])
        code.get(self.steps)
        code.op(ADD)
        code.const(0)
        code.load(self.at["MOST_STEPS"])
        code.op(GT)
        code.if_()
        code.trap()
        code.end()
        labels = list(self.points)
        entries = [code.block() for _ in [*labels, *self.asking]]
        code.get(self.point)
        count = len(entries)
        code.out += b"\x0e" + leb(count) + b"".join(leb(number) for number in range(count)) + leb(count - 1 if count else 0)
        for label in labels:
            code.end()
            self.passed = 0
            self.block(label)
        for label in self.asking:
            code.end()
            self.passed = 1
            block = self.blocks[label].code
            self.instruction(self.linked.starts[label] + len(block) - 1, block[-1])
        code.end()
        code.const(0)
        self.to.module.define(f"unit {self.name}", code)

    def block(self, label: int) -> None:
        """Write a block here, and count its instructions as steps."""
        block = self.blocks[label]
        self.passed += len(block.code)
        for number, each in enumerate(block.code):
            self.instruction(self.linked.starts[label] + number, each)

    def count(self, steps: int) -> None:
        """Count so many steps."""
        self.code.get(self.steps)
        self.code.const(steps)
        self.code.op(ADD)
        self.code.set(self.steps)

    def go(self, label: int) -> None:
        """Go on with a block of this unit: at its point, or written here."""
        passed = self.passed
        if label in self.points:
            self.count(passed)
            self.code.const(self.points[label])
            self.code.set(self.point)
            self.code.br(self.top)
        else:
            self.block(label)
        self.passed = passed  # on the other ways from here

    def rest(self, point: int) -> None:
        """Remember where to go on when what is called now has ended."""
        self.code.get(0)
        self.code.const(point)
        self.code.store(0)

    def leave(self, result: int) -> None:
        """Leave the function, the steps counted."""
        self.count_steps()
        self.code.const(result)
        self.code.op(RETURN)

    def enter(self, frame: int, point: int, unit: str | None = None) -> None:
        """Carry out the unit whose frame lies on top (None: whichever it is), then go on at a point; leave if somebody has to decide meanwhile, or other frames
        are there afterwards."""
        code, result = self.code, self.code.local()
        if self.name == self.to.program.root:  # it may be sent elsewhere when the game ends
            self.leave(ELSEWHERE)
            return
        self.count_steps()
        if unit is None:
            code.get(frame)
            code.load(4)
        code.get(frame)
        code.call(self.to.module.declare("step" if unit is None else f"unit {unit}"))
        code.tee(result)
        code.if_()
        code.get(result)
        code.op(RETURN)
        code.end()
        code.release(result)
        code.const(0)
        code.set(self.steps)
        code.const(point)
        code.set(self.point)
        code.br(self.top)

    def count_steps(self) -> None:
        """Count the steps of this function."""
        self.code.const(0)
        self.code.const(0)
        self.code.load(self.at["STEPS"])
        self.code.get(self.steps)
        self.code.const(self.passed)
        self.code.op(ADD, ADD)
        self.code.store(self.at["STEPS"])

    def instruction(self, at: int, node: c.Instruction) -> None:
        """Write the instruction of an address."""
        change, write = CHANGES.get(type(node)), INSTRUCTIONS.get(type(node))
        with self.w.counted(node, price_of((self.linked.code[at],))) as left:
            if change is not None:
                change(self.w, left)
            elif write is not None:
                write(self, at, left)
            else:
                self.code.trap()


INSTRUCTIONS: dict[type, Callable[[Unit, int, Any], None]] = {**CONTROL, **CALLS, c.Say: say, c.Ask: ask}
