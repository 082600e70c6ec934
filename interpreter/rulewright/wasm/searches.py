"""Searches: neighbours, what can be reached, and distances, by breadth-first search over tables of the ways from each place.

Functions are given the writer and a node; they run through places, nearest first, or leave a distance on the stack. What is within so many steps on a grid is
refused: the module stops there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32
from rulewright.wasm.bounds import every
from rulewright.wasm.layout import NONE
from rulewright.wasm.opcodes import ADD, AND, DROP, EQ, GE, LT, MUL, SELECT, SHL, SHR, XOR
from rulewright.wasm.writer import Body, Run, ValueWriter, Writer

FAR = 2**31 - 1
Passing = Callable[
    [int, int, int | None], None
]  # leaves whether a way counts, by the locals of the way, of where it leads and of a goal, which always does


def ways(w: Writer, through: c.Through | None) -> tuple[int, Passing]:
    """For each place, the ways from it and where they lead, one after the other, a place being the way to itself where no link is; and what tells which ways count."""
    world, code = w.world, w.code
    pairs = [world.neighbours(number) if world.is_place(number) else [] for number in range(world.place_count)]
    table = w.layout.lists_for(
        "neighbours", [[part for link, place in each_ for part in (place if link is None else link, place)] for each_ in pairs]
    )
    if through is None:
        return table, lambda way, there, goal: code.const(1)
    links = {link for each_ in pairs for link, _ in each_ if link is not None}
    places, cells = through.places, any(link is None for each_ in pairs for link, _ in each_)
    allowed, slot = code.local(), w.local_of(through.slot)
    among = None
    if isinstance(through.source, c.All):
        among = frozenset(every(w.world, through.source))
    else:
        w.value(through.source)
        code.tee(allowed)
        code.load(0)
        code.const(4)
        code.op(SHR)
        w.look()

    def is_allowed() -> None:
        if among is not None:
            assert isinstance(through.source, c.All)
            code.get(slot)
            code.load8(w.layout.flags(("among", through.source.noun, through.source.grid), (n in among for n in range(world.place_count))))
        else:
            code.get(allowed)
            code.get(slot)
            w.runtime("contains_item")

    def passes(way: int, there: int, goal: int | None) -> None:
        by_place = places and (among is None or not links.isdisjoint(among))  # the link first, then the place
        out = code.block(I32)
        if goal is not None and (places or cells):
            code.const(1)
            code.get(there)
            code.get(goal)
            code.op(EQ)
            if not places:
                code.get(there)
                code.get(way)
                code.op(EQ, AND)
            code.br_if(out)
            code.op(DROP)
        code.get(way if by_place or not places else there)
        code.set(slot)
        again = code.loop()
        is_allowed()
        code.if_()
        for test in through.tests:
            w.test(test)
            code.if_()
        code.const(1)
        code.br(out)
        for _ in (1, *through.tests):
            code.end()
        if by_place:
            code.const(0)
            code.get(slot)
            code.get(there)
            code.op(EQ)
            code.br_if(out)
            code.op(DROP)
            code.get(there)
            code.set(slot)
            code.br(again)
        code.end()
        code.const(0)
        code.end()

    return table, passes


def search(w: Writer, of: Any, limit: Any, nothing: int, through: c.Through | None, goal: int | None = None) -> tuple[int, int]:
    """Look for all that can be reached within a limit, or within `nothing` if there is none: leaves for each place how far it is (-1 if it cannot be), and what was
    reached in order, in two locals."""
    code, world = w.code, w.world
    table, passes = ways(w, through)
    steps, queue, head, here, most, far = (code.local() for _ in range(6))
    w.charge(world.count + (0 if through is None else world.place_count))  # whatever can be a way is looked at once
    code.const(world.place_count)
    w.runtime("alloc")
    code.const(4)
    code.op(ADD)
    code.tee(steps)
    code.const(255)
    code.const(4 * world.place_count)
    code.out += b"\xfc\x0b\x00"
    code.const(world.place_count)
    w.runtime("alloc")
    code.tee(queue)
    code.const(0)
    code.store(0)
    if limit is None:
        code.const(nothing)
    else:
        w.value(limit)
        value = code.local()
        code.set(value)
        code.const(nothing)
        code.get(value)
        code.get(value)
        code.const(NONE)
        code.op(EQ, SELECT)
        code.release(value)
    code.set(most)
    w.value(of)
    code.tee(here)
    code.const(0)
    code.op(GE)
    code.if_()
    reach(w, here, steps, queue, lambda: code.const(0))
    code.const(0)
    code.set(head)
    out, again = code.block(), code.loop()
    code.get(head)
    code.get(queue)
    code.load(0)
    code.op(GE)
    code.br_if(out)
    code.get(queue)
    code.get(head)
    code.const(2)
    code.op(SHL, ADD)
    code.load(4)
    code.set(here)
    code.get(head)
    code.const(1)
    code.op(ADD)
    code.set(head)
    step_at(w, here, steps)
    code.tee(far)
    code.get(most)
    code.op(LT)
    code.if_()
    way, there, turn, pairs = (code.local() for _ in range(4))
    w.indexed(here, table)
    code.set(pairs)
    code.const(0)
    code.set(turn)

    def pair(_: int) -> None:
        code.get(turn)
        code.const(1)
        code.op(XOR)
        code.tee(turn)
        code.if_()
        code.get(there)
        code.set(way)
        code.else_()
        step_at(w, there, steps)
        code.const(0)
        code.op(LT)
        code.if_()
        passes(way, there, goal)
        code.if_()

        def one_further() -> None:
            code.get(far)
            code.const(1)
            code.op(ADD)

        reach(w, there, steps, queue, one_further)
        code.end()
        code.end()
        code.end()

    w.walk(pairs, there, pair)
    code.release(way, there, turn, pairs)
    code.end()
    code.br(again)
    code.end()
    code.end()
    code.end()
    code.release(head, here, most, far)
    return steps, queue


def step_at(w: Writer, place: int, steps: int) -> None:
    w.code.get(steps)
    w.code.get(place)
    w.code.const(2)
    w.code.op(SHL, ADD)
    w.code.load(0)


def reach(w: Writer, place: int, steps: int, queue: int, far: Callable[[], None]) -> None:
    """A place has been reached."""
    code = w.code
    code.get(steps)
    code.get(place)
    code.const(2)
    code.op(SHL, ADD)
    far()
    code.store(0)
    code.get(queue)
    code.get(queue)
    code.load(0)
    code.const(2)
    code.op(SHL, ADD)
    code.get(place)
    code.store(4)
    code.get(queue)
    code.get(queue)
    code.load(0)
    code.const(1)
    code.op(ADD)
    code.store(0)


def each_found(w: Writer, of: Any, limit: Any, nothing: int, through: c.Through | None, each: int, body: Body, start: bool) -> None:
    """Run through the places that can be reached, nearest first."""
    steps, queue = search(w, of, limit, nothing, through)
    code, first = w.code, w.code.local()
    code.const(int(start))
    code.set(first)

    def reached(_: int) -> None:
        code.get(first)
        code.if_()
        body(each)
        code.end()
        code.const(1)
        code.set(first)

    w.walk(queue, each, reached)
    code.release(steps, queue, first)


def distance(w: Writer, node: c.Distance) -> None:
    code, goal, result = w.code, w.code.local(), w.code.local()
    w.value(node.goal)
    code.set(goal)
    code.const(NONE)
    code.set(result)
    code.get(goal)
    code.const(0)
    code.op(GE)
    code.if_()
    steps, queue = search(w, node.start, None, FAR, node.through, goal)
    step_at(w, goal, steps)
    code.tee(result)
    code.const(0)
    code.op(LT)
    code.if_()
    code.const(NONE)
    code.set(result)
    code.end()
    code.release(steps, queue)
    code.end()
    code.get(result)
    code.release(goal, result)


def each_neighbour(w: Writer, node: c.Neighbours, each: int, body: Body, charge: bool) -> None:
    """Run through the places one step away, over links or cells that count as ways."""
    code, (table, passes) = w.code, ways(w, node.through)
    made, way, turn = code.local(), code.local(), code.local()
    w.value(node.of)
    code.tee(made)
    code.const(0)
    code.op(GE)
    code.if_()
    w.indexed(made, table)
    code.set(made)
    code.get(made)
    code.load(0)
    code.const(1)
    code.op(SHR)
    if node.through is not None:
        code.const(3)  # at the places, and at all that can be a way
        code.op(MUL)
    w.look()
    code.const(0)
    code.set(turn)

    def step(_: int) -> None:
        code.get(turn)
        code.const(1)
        code.op(XOR)
        code.tee(turn)
        code.if_()
        code.get(each)
        code.set(way)
        code.else_()
        passes(way, each, None)
        code.if_()
        body(each)
        code.end()
        code.end()

    w.walk(made, each, step)
    code.end()
    code.release(made, way, turn)


def each_reachable(w: Writer, node: c.Reachable, each: int, body: Body, charge: bool) -> None:
    each_found(w, node.of, node.limit, FAR, node.through, each, body, start=False)


def each_within(w: Writer, node: c.Within, each: int, body: Body, charge: bool) -> None:
    if w.world.cells:
        w.give_up()
    else:
        each_found(w, node.of, node.limit, 0, None, each, body, start=True)


VALUES: dict[type, ValueWriter] = {
    c.Distance: distance,
}  # fmt: skip
RUNS: dict[type, Run] = {
    c.Neighbours: each_neighbour, c.Reachable: each_reachable, c.Within: each_within,
}  # fmt: skip
