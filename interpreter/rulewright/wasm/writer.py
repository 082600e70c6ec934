"""The writer: what code of one function is written with. Names and lists, calls of the runtime, and the two ways to write an expression.

`Writer.value` leaves one number on the stack, a list as its address. `Writer.each` runs through the things of a list, if it can without making it. Both ask the
tables of the compilation for the function of a node; where there is none the code stops the module, and `step` takes over.

A name that only a query gives is a local of the function; other names lie in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.nodes import parts
from rulewright.core.passes.prices import unpriced
from rulewright.wasm.assemble import I32, Code
from rulewright.wasm.bounds import Bounds, Things
from rulewright.wasm.layout import NAMES, NONE
from rulewright.wasm.opcodes import ADD, AND, DROP, EQ, GE, GT, GT_U, NE, SELECT, SHL, SHR, SUB

if TYPE_CHECKING:
    from rulewright.wasm.compile import Compilation

Body = Callable[[int], None]  # writes what is done with each thing, which a local holds


class Writer:
    """Writes the code of one function."""

    def __init__(self, compilation: Compilation, locals_: list[c.Local], frame: int | None, code: Code) -> None:
        self.to = compilation
        self.facts = compilation.facts
        self.locals = locals_
        self.frame = frame  # the local that holds the frame, if names lie in one
        self.code = code
        self.layout = compilation.layout
        self.at = compilation.layout.at
        self.world = compilation.layout.world
        self.linked = compilation.layout.linked
        self.bound: dict[int, int] = {}  # names that are locals
        self.bounds, self.things = Bounds(self.world, self.shape), Things(self.world)
        self.charging = True  # whether what is looked at is counted where that happens: otherwise it is counted already

    # -- names

    def get_name(self, slot: int) -> None:
        local = self.bound.get(slot)
        if local is not None:
            self.code.get(local)
        elif self.frame is None:
            self.code.get(self.local_of(slot))
        else:
            self.code.get(self.frame)
            self.code.load(NAMES + 4 * slot)

    def put_name(self, slot: int) -> None:
        """Give a name the value on the stack."""
        local = self.bound.get(slot)
        if local is not None:
            self.code.set(local)
            return
        assert self.frame is not None
        value = self.code.local()
        self.code.set(value)
        self.code.get(self.frame)
        self.code.get(value)
        self.code.store(NAMES + 4 * slot)
        self.code.release(value)

    def local_of(self, slot: int) -> int:
        """The local of a name that a query gives."""
        found = self.bound.get(slot)
        if found is None:
            found = self.bound[slot] = self.code.local()
        return found

    def shape(self, node: Any) -> str:
        """Whether an expression gives one value or a list."""
        return self.facts.shape(node, self.locals)

    # -- calls and tables

    def runtime(self, name: str) -> None:
        """Call a function for what it gives; some are written out."""
        write = self.to.small.get(name)
        if write is not None:
            write(self.code)
            return
        self.to.ask_runtime(name)
        self.code.call(self.to.module.declare(name))

    def drop(self, name: str) -> None:
        """Call a function for what it does."""
        self.runtime(name)
        self.code.op(DROP)

    def indexed(self, local: int, table: int) -> None:
        """What a table says of the thing that a local holds."""
        self.code.get(local)
        self.code.const(2)
        self.code.op(SHL)
        self.code.load(table)

    # -- values

    def value(self, node: Any) -> None:
        """Leave the value of an expression on the stack; a list as its address."""
        write = self.to.values.get(type(node))
        if write is not None:
            write(self, node)
        elif type(node) in self.to.runs:
            self.collected(node)
        else:
            self.give_up()

    def give_up(self) -> None:
        """Nothing is written for this: stop."""
        self.code.trap()

    def test(self, node: Any) -> None:
        """Leave whether a condition holds: nothing does not."""
        self.value(node)
        if not self.facts.is_flag(node):
            local = self.code.local()
            self.code.tee(local)
            self.code.const(NONE)
            self.code.op(NE)
            self.code.get(local)
            self.code.const(0)
            self.code.op(NE, AND)
            self.code.release(local)

    def number(self, node: Any) -> None:
        """A number, nothing counting as 0."""
        self.value(node)
        if not is_number(node):
            local = self.code.local()
            self.code.set(local)
            self.code.const(0)
            self.code.get(local)
            self.code.get(local)
            self.code.const(NONE)
            self.code.op(EQ, SELECT)
            self.code.release(local)

    # -- lists

    def start(self) -> int:
        """Begin a list."""
        local = self.code.local()
        self.code.const(0)
        self.code.load(self.at["ITEMS"])
        self.code.set(local)
        return local

    def keep(self, each: int) -> None:
        """One more item of the list that was begun."""
        self.code.get(each)
        self.drop("item")

    def collect(self, start: int) -> None:
        """Leave the list that was begun."""
        self.code.get(start)
        self.runtime("collect")
        self.code.release(start)

    def collected(self, node: Any) -> None:
        """Make a list by running through its things."""
        if self.bounds.length(node) <= LONGEST and not makes_lists(node):
            self.laid_down(node)
            return
        start = self.start()
        self.each(node, self.keep)
        self.collect(start)

    def laid_down(self, node: Any) -> None:
        """Make a list where it will lie: nothing else that would lie there is made meanwhile."""
        code, made, at = self.code, self.code.local(), self.code.local()
        code.const(0)
        code.load(self.at["TOP"])
        code.tee(made)
        code.tee(at)
        code.const(self.at["ARENA_END"])
        code.op(GT)
        code.if_()
        code.trap()
        code.end()

        last = node.tests[-1] if isinstance(node, c.Query) and node.tests else None
        among = self.things.of(node)

        def one_more(each: int) -> None:
            """It is written whether it passes the last test or not: then the next one takes its place."""
            code.get(at)
            code.get(each)
            code.store(4)
            code.get(at)
            if last is None:
                code.const(4)
            else:
                with self.things.known(node.slot, among):
                    self.test(last)
                code.const(2)
                code.op(SHL)
            code.op(ADD)
            code.set(at)

        if last is None:
            self.each(node, one_more)
        else:
            self.each(c.Query(node.source, node.slot, node.tests[:-1]), one_more, self.local_of(node.slot))
        code.get(at)
        code.get(made)
        code.op(EQ)
        code.if_(I32)
        code.const(0)
        code.else_()
        code.get(made)
        code.get(at)
        code.get(made)
        code.op(SUB)
        code.const(2)
        code.op(SHR)
        code.store(0)
        code.const(0)
        code.get(at)
        code.const(4)
        code.op(ADD)
        code.store(self.at["TOP"])
        code.get(made)
        code.end()
        code.release(made, at)

    def each(self, node: Any, body: Body, into: int | None = None, charge: bool = False) -> None:
        """Run through the things of a list: `body` is written for each, which a local holds."""
        each = self.code.local() if into is None else into
        run = self.to.runs.get(type(node))
        if run is None:
            self.each_made(node, each, body, charge)
        else:
            run(self, node, each, body, charge)
        if into is None:
            self.code.release(each)

    def each_made(self, node: Any, each: int, body: Body, charge: bool) -> None:
        """Make a list and run through it."""
        made = self.code.local()
        self.value(node)
        self.code.set(made)
        self.walk(made, each, body, charge)
        self.code.release(made)

    def walk(self, made: int, each: int, body: Body, charge: bool = False) -> None:
        """Run through a list that lies in memory."""
        code = self.code
        at, end = code.local(), code.local()
        code.get(made)
        code.get(made)
        code.load(0)
        if charge and self.charging:
            code.tee(end)
            self.look()
            code.get(end)
        code.const(2)
        code.op(SHL, ADD)
        code.set(end)
        code.get(made)
        code.set(at)
        out, again = code.block(), code.loop()
        code.get(at)
        code.get(end)
        code.op(GE)
        code.br_if(out)
        code.get(at)
        code.const(4)
        code.op(ADD)
        code.tee(at)
        code.load(0)
        code.set(each)
        body(each)
        code.br(again)
        code.end()
        code.end()
        code.release(at, end)

    def charge(self, amount: int) -> None:
        """Count so many things as looked at."""
        if self.charging and amount:
            self.code.const(amount)
            self.look()

    @contextmanager
    def counted(self, node: Any, price: int = 0) -> Iterator[Any]:
        """Count what an instruction or expression costs, and what it looks at before it is written, if that is known; gives what is left to write."""
        before, found = self.charging, self.bounds.charge(node)
        self.charging = True
        self.charge(price + (found or 0))
        self.charging = found is None
        yield node if self.charging else unpriced(node)
        self.charging = before

    def bounded(self, number: int) -> None:
        """Stop where a number is beyond the greatest: the sum of two numbers of the rules always fits into 32 bits."""
        code = self.code
        code.get(number)
        code.const(c.GREATEST)
        code.op(ADD)
        code.const(2 * c.GREATEST)
        code.op(GT_U)  # greater, without a sign
        code.if_()
        code.trap()
        code.end()

    def look(self) -> None:
        """Count what is looked at: as many things as the stack says."""
        if not self.charging:
            self.code.op(DROP)
            return
        code, local = self.code, self.code.local()
        code.set(local)
        code.const(0)
        code.const(0)
        code.load(self.at["LOOKED"])
        code.get(local)
        code.op(ADD)
        code.tee(local)
        code.store(self.at["LOOKED"])
        code.get(local)
        code.const(0)
        code.load(self.at["MOST_LOOKED"])
        code.op(GT)
        code.if_()
        code.trap()
        code.end()
        code.release(local)


ValueWriter = Callable[[Writer, Any], None]  # leaves the value of a node
Run = Callable[
    [Writer, Any, int, Body, bool], None
]  # runs through a node: the local that holds each thing, what is done with it, whether it counts as looked at


def makes_lists(node: Any) -> bool:
    """Whether lists may be made while things are run through."""
    if isinstance(node, c.Query) and node.orders:
        return True
    if isinstance(node, c.Table):
        return makes_lists(node.otherwise)
    return not isinstance(node, LISTLESS) or any(map(makes_lists, parts(node)))


LONGEST = 10_000  # items of a list that is made where it will lie
LISTLESS = (
    c.Const, c.Word, c.Component, c.Place, c.PlaceOf, c.Name, c.Field, c.Compare, c.And, c.Or, c.Not, c.Arithmetic, c.IsKind, c.Lies, c.Empty, c.Full, c.Exists,
    c.Count, c.First, c.Last, c.All, c.Members, c.OfKind, c.Query, c.Lines, c.Charge,
)  # fmt: skip


def is_number(node: Any) -> bool:
    """Whether an expression always gives a number."""
    if isinstance(node, c.Const):
        return node.value is not None
    if isinstance(node, c.Charge):
        return is_number(node.of)
    return isinstance(node, c.Count | c.Arithmetic | c.Version | c.Compare)


def called(function: str, *parts: str) -> ValueWriter:
    """What writes a node that is a call of the runtime with some of its parts."""

    def write(w: Writer, node: Any) -> None:
        for part in parts:
            w.value(getattr(node, part))
        w.runtime(function)

    return write
