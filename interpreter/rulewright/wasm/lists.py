"""Lists: expressions that give a list, and running through lists without making them.

A function of `VALUES` is given the writer and a node and leaves the address of a list; one of `RUNS` writes what is done with each thing. Lines of a length that is
not written down, what is visible, and links of several things at once are refused: the module stops there.
"""

from __future__ import annotations

from rulewright.core import program as c
from rulewright.core.geometry import effort_of_lines, lines
from rulewright.wasm.assemble import I32
from rulewright.wasm.bounds import every
from rulewright.wasm.layout import NONE
from rulewright.wasm.opcodes import ADD, EQ, GE, GT, LT, NE, SELECT, SUB
from rulewright.wasm.writer import Body, Run, ValueWriter, Writer, called

# -- lists that are made


def listed(w: Writer, node: c.Listed) -> None:
    start = w.start()
    for part in node.parts:
        w.value(part)
        w.drop("item")
    w.collect(start)


def all_(w: Writer, node: c.All) -> None:
    w.code.const(w.layout.constant_list(every(w.world, node)))


def lines_of(w: Writer, node: c.Lines) -> None:
    match node.length:
        case c.Const(value=int(length)):
            w.charge(effort_of_lines(w.world, node.grid, length))
            w.code.const(w.layout.constant_list(w.layout.constant_list(line) for line in lines(w.world, node.grid, length)))
        case _:
            w.give_up()


def take(w: Writer, node: c.Take) -> None:
    w.value(node.source)
    w.value(node.amount)
    w.code.const(int(node.backwards))
    w.runtime("take")


def both(w: Writer, node: c.Both) -> None:
    start = w.start()
    for part in node.parts:
        w.each(part, w.keep, charge=True)
    w.collect(start)


def choices(w: Writer, node: c.Choices) -> None:
    code, start = w.code, w.start()
    for number, test in enumerate(node.tests):
        w.test(test)
        code.if_()
        code.const(number)
        w.drop("item")
        code.end()
    w.collect(start)


def query(w: Writer, node: c.Query) -> None:
    if node.orders:
        in_order(w, node)
    else:
        w.collected(node)


def in_order(w: Writer, node: c.Query) -> None:
    """A list in the order of keys."""
    code = w.code
    made, start = code.local(), w.start()
    w.each(c.Query(node.source, node.slot, node.tests), w.keep)
    w.collect(start)
    code.set(made)
    code.get(made)
    keys = w.start()
    each = w.local_of(node.slot)

    def key(_: int) -> None:
        for order in node.orders:
            w.value(order.key)
            if order.descending:
                local = code.local()
                code.set(local)
                code.const(NONE)
                code.const(0)
                code.get(local)
                code.op(SUB)
                code.get(local)
                code.const(NONE)
                code.op(EQ, SELECT)
                code.release(local)
            w.drop("item")

    w.walk(made, each, key)
    w.collect(keys)
    code.const(len(node.orders))
    w.runtime("sort")
    code.release(made)


# -- running through lists


def each_of_all(w: Writer, node: c.All, each: int, body: Body, charge: bool) -> None:
    """Run through things that never change."""
    code, numbers = w.code, every(w.world, node)
    if charge:
        w.charge(len(numbers))
    if not numbers:
        return
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        cursor = code.local()
        code.const(numbers[0] - 1)
        code.set(cursor)
        out, again = code.block(), code.loop()
        code.get(cursor)
        code.const(1)
        code.op(ADD)
        code.tee(cursor)
        code.set(each)
        code.get(cursor)
        code.const(numbers[-1])
        code.op(GT)
        code.br_if(out)
        body(each)
        code.br(again)
        code.end()
        code.end()
        code.release(cursor)
        return
    made = code.local()
    code.const(w.layout.constant_list(numbers))
    code.set(made)
    w.walk(made, each, body)
    code.release(made)


def each_member(w: Writer, node: c.Members, each: int, body: Body, charge: bool) -> None:
    code, place = w.code, w.code.local()
    if w.shape(node.of) != "one":

        def members(_: int) -> None:
            code.get(place)
            code.const(0)
            code.op(GE)
            code.if_()
            w.charge(1)
            members_of(w, place, each, body, charge=True)
            code.end()

        w.each(node.of, members, place)
        code.release(place)
        return
    w.value(node.of)
    if w.things.of(node.of) is not None:
        code.set(place)
        members_of(w, place, each, body, charge)
        code.release(place)
        return
    code.tee(place)
    code.const(0)
    code.op(GE)
    code.if_()
    members_of(w, place, each, body, charge)
    code.end()
    code.release(place)


def members_of(w: Writer, place: int, each: int, body: Body, charge: bool) -> None:
    """Run through what lies in a place."""
    code, cursor = w.code, w.code.local()
    if charge and w.charging:
        w.indexed(place, w.at["COUNT"])
        w.look()
    w.indexed(place, w.at["HEAD"])
    code.set(cursor)
    out, again = code.block(), code.loop()
    code.get(cursor)
    code.tee(each)
    code.const(0)
    code.op(LT)
    code.br_if(out)
    w.indexed(each, w.at["NEXT"])
    code.set(cursor)
    body(each)
    code.br(again)
    code.end()
    code.end()
    code.release(cursor)


def each_of_kind(w: Writer, node: c.OfKind, each: int, body: Body, charge: bool) -> None:
    code = w.code

    among = w.things.of(node.source)
    if among is not None and among <= w.world.noun_set(node.noun):
        w.each(node.source, body, each, charge)
        return

    def of_kind(_: int) -> None:
        if among is None:
            code.get(each)
            code.const(0)
            code.op(GE)
            code.if_(I32)
        code.get(each)
        code.load8(w.layout.kind(node.noun))
        if among is None:
            code.else_()
            code.const(0)
            code.end()
        code.if_()
        body(each)
        code.end()

    w.each(node.source, of_kind, each, charge=True)


def each_passing(w: Writer, node: c.Query, each: int, body: Body, charge: bool) -> None:
    """Run through the things that pass the tests of a query; those in an order have to be made first."""
    if node.orders:
        w.each_made(node, each, body, charge)
        return
    code, thing = w.code, w.local_of(node.slot)
    among = w.things.of(node.source)

    def passing(_: int) -> None:
        with w.things.known(node.slot, among):
            for test in node.tests:
                w.test(test)
                code.if_()
        if each != thing:
            code.get(thing)
            code.set(each)
        body(each)
        for _test in node.tests:
            code.end()

    w.each(node.source, passing, thing, charge=True)


def each_there(w: Writer, node: c.Many, each: int, body: Body, charge: bool) -> None:
    """The one thing, if there is one."""
    code = w.code
    w.value(node.of)
    code.tee(each)
    code.const(NONE)
    code.op(NE)
    code.if_()
    body(each)
    code.end()


def each_listed(w: Writer, node: c.Listed, each: int, body: Body, charge: bool) -> None:
    if len(node.parts) > 1:
        w.each_made(node, each, body, charge)
        return
    for part in node.parts:
        w.value(part)
        w.code.set(each)
        body(each)


def each_if(w: Writer, node: c.If, each: int, body: Body, charge: bool) -> None:
    if not isinstance(node.no, c.Listed) or node.no.parts:
        w.each_made(node, each, body, charge)
        return
    w.test(node.test)
    w.code.if_()
    w.each(node.yes, body, each, charge)
    w.code.end()


def each_charged(w: Writer, node: c.Charge, each: int, body: Body, charge: bool) -> None:
    w.charge(node.looks)
    w.each(node.of, body, each, charge)


def each_mapped(w: Writer, node: c.Map, each: int, body: Body, charge: bool) -> None:
    code, thing = w.code, w.local_of(node.slot)

    def mapped(_: int) -> None:
        if w.shape(node.value) == "one":
            w.value(node.value)
            code.tee(each)
            code.const(NONE)
            code.op(NE)
            code.if_()
            body(each)
            code.end()
        else:
            w.each(node.value, body, each, charge=True)

    w.each(node.source, mapped, thing, charge=True)


def each_link(w: Writer, node: c.Links, each: int, body: Body, charge: bool) -> None:
    """Run through the links of a kind that end at a thing."""
    if w.shape(node.of) != "one":
        w.give_up()
        return
    world, order = w.world, w.world.by_noun.get(node.kind, [])
    touching = ([link for link in order if number in world.ends.get(link, ())] for number in range(world.place_count if order else 0))
    code, table, made = w.code, w.layout.lists_for(("links", node.kind), touching), w.code.local()
    w.value(node.of)
    code.tee(made)
    code.const(0)
    code.op(GE)
    code.if_()
    w.indexed(made, table)
    code.set(made)
    w.walk(made, each, body, charge=True)
    code.end()
    code.release(made)


def each_of_both(w: Writer, node: c.Both, each: int, body: Body, charge: bool) -> None:
    if len(node.parts) == 1:
        w.each(node.parts[0], body, each, charge=True)
    else:
        w.each_made(node, each, body, charge=False)


def each_visible(w: Writer, node: c.Visible, each: int, body: Body, charge: bool) -> None:
    w.give_up()


VALUES: dict[type, ValueWriter] = {
    c.Listed: listed, c.All: all_, c.Lines: lines_of, c.Take: take,
    c.Both: both, c.Choices: choices, c.Query: query,
    c.Without: called("without", "source", "out"),
    c.Once: called("once", "source"),
    c.Belonging: called("belonging", "of"),
    c.Numbers: called("numbers", "low", "high"),
    c.Veiled: called("veiled", "source", "player"),
}  # fmt: skip
RUNS: dict[type, Run] = {
    c.All: each_of_all, c.Members: each_member, c.OfKind: each_of_kind, c.Query: each_passing, c.Many: each_there, c.Listed: each_listed, c.If: each_if,
    c.Map: each_mapped, c.Charge: each_charged, c.Links: each_link, c.Both: each_of_both, c.Visible: each_visible,
}  # fmt: skip
