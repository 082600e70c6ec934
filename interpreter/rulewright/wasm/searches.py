"""Searches: neighbours, what can be reached, and distances, by breadth-first search over tables of the ways from each place.

Functions are given the writer and a node; they run through places, nearest first, or leave a distance on the stack. Places that some ways lead from over links and
others over cells, and what is within so many steps on a grid, are refused: the module stops there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core import program as c
from rulewright.wasm.layout import NONE
from rulewright.wasm.lists import everything
from rulewright.wasm.opcodes import ADD, EQ, GE, LT, SELECT, SHL, SHR, XOR
from rulewright.wasm.writer import Body, Run, ValueWriter, Writer

Opening = Callable[[int], int]  # writes the conditions on a way, and gives how many it opened


def ways(w: Writer, through: c.Through | None) -> tuple[int, Opening] | None:
    """For each place, the ways from it and where they lead, one after the other; and what opens a condition on a way. None if that cannot be written."""
    world, code = w.world, w.code
    pairs = [world.neighbours(number) if world.is_place(number) else [] for number in range(world.place_count)]
    places = through is not None and through.places
    if through is not None and places:
        links = {link for each_ in pairs for link, _ in each_ if link is not None}
        if links and (not isinstance(through.source, c.All) or links & set(everything(w, through.source))):
            return None  # both links and places count
        pairs = [[(None, place) for _, place in each_] for each_ in pairs]
    by_link = any(link is not None for each_ in pairs for link, _ in each_)
    if by_link and any(link is None for each_ in pairs for link, _ in each_):
        return None
    flat = [[part for link, place in each_ for part in (place if link is None else link, place)] for each_ in pairs]
    table = w.layout.lists_for(("neighbours", places), flat)
    among = frozenset(everything(w, through.source)) if through is not None and isinstance(through.source, c.All) else None
    allowed = code.local()
    if through is not None and among is None:
        w.value(through.source)
        code.set(allowed)

    def opened(way: int) -> int:
        """Open as many conditions as this gives."""
        if through is None:
            return 0
        if among is not None:
            assert isinstance(through.source, c.All)
            code.get(way)
            code.load8(w.layout.flags(("among", through.source.noun, through.source.grid), (n in among for n in range(world.place_count))))
        else:
            code.get(allowed)
            code.get(way)
            w.runtime("contains_item")
        code.if_()
        if through.tests:
            w.charge(1)
            code.get(way)
            code.set(w.local_of(through.slot))
        for test in through.tests:
            w.test(test)
            code.if_()
        return 1 + len(through.tests)

    return table, opened


def search(w: Writer, of: Any, limit: Any, through: c.Through | None) -> tuple[int, int] | None:
    """Look for all that can be reached: leaves for each place how far it is (-1 if it cannot be), and what was reached in order, in two locals."""
    code, world = w.code, w.world
    found = ways(w, through)
    if found is None:
        return None
    table, opened = found
    steps, queue, head, here, most, far = (code.local() for _ in range(6))
    w.charge(world.count)
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
        code.const(2**31 - 1)
    else:
        w.value(limit)
        value = code.local()
        code.set(value)
        code.const(2**31 - 1 if isinstance(limit, c.Const) and limit.value is None else 0)
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
        count = opened(way)

        def one_further() -> None:
            code.get(far)
            code.const(1)
            code.op(ADD)

        reach(w, there, steps, queue, one_further)
        for _ in range(count):
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


def each_found(w: Writer, of: Any, limit: Any, through: c.Through | None, each: int, body: Body, start: bool) -> None:
    """Run through the places that can be reached, nearest first."""
    found = search(w, of, limit, through)
    if found is None:
        w.give_up()
        return
    steps, queue = found
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
    if node.through is not None and (node.through.places or w.world.cells):
        w.give_up()
    found = search(w, node.start, None, node.through)
    if found is None:
        w.give_up()
    else:
        steps, queue = found
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
    code, found = w.code, ways(w, node.through)
    if found is None:
        w.give_up()
        return
    table, opened = found
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
        count = opened(way)
        body(each)
        for _ in range(count):
            code.end()
        code.end()

    w.walk(made, each, step)
    code.end()
    code.release(made, way, turn)


def each_reachable(w: Writer, node: c.Reachable, each: int, body: Body, charge: bool) -> None:
    each_found(w, node.of, node.limit, node.through, each, body, start=False)


def each_within(w: Writer, node: c.Within, each: int, body: Body, charge: bool) -> None:
    if w.world.cells:
        w.give_up()
    else:
        each_found(w, node.of, node.limit, None, each, body, start=True)


VALUES: dict[type, ValueWriter] = {
    c.Distance: distance,
}  # fmt: skip
RUNS: dict[type, Run] = {
    c.Neighbours: each_neighbour, c.Reachable: each_reachable, c.Within: each_within,
}  # fmt: skip
