"""Expressions that give one value: constants, names, fields, comparisons, arithmetic, calls of functions.

Each function is given the writer and a node and leaves one number on the stack; nothing is `NONE`. What a node asks of nothing is nothing, or does not hold. A sum
beyond the greatest number and a needed value that is missing stop the module.
"""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32
from rulewright.wasm.layout import NAMES, NONE
from rulewright.wasm.opcodes import ADD, AND, EQ, EQZ, GE, GE_U, GT, LE, LT, MUL, NE, SELECT, SHL, SUB
from rulewright.wasm.writer import ValueWriter, Writer, called, is_number

COMPARED = {"=": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}


def const(w: Writer, node: c.Const) -> None:
    w.code.const(NONE if node.value is None else node.value)


def word(w: Writer, node: c.Word) -> None:
    w.code.const(w.linked.word(node.word))


def component(w: Writer, node: c.Component) -> None:
    found = w.world.first(node.name)
    w.code.const(NONE if found is None else found)


def place(w: Writer, node: c.Place) -> None:
    w.code.const(w.world.global_places[node.name])


def place_of(w: Writer, node: c.PlaceOf) -> None:
    from_table(w, w.layout.owned(node.place), node.of)


def from_table(w: Writer, table: int, of: Any) -> None:
    """What a table says of a thing; nothing of nothing."""
    code, local = w.code, w.code.local()
    w.value(of)
    if w.things.of(of) is not None:
        code.set(local)
        w.indexed(local, table)
        code.release(local)
        return
    code.tee(local)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(NONE)
    code.else_()
    w.indexed(local, table)
    code.end()
    code.release(local)


def name(w: Writer, node: c.Name) -> None:
    w.get_name(node.slot)


def field(w: Writer, node: c.Field) -> None:
    code, name = w.code, node.name
    slots = w.world.slots_of(name)
    among = w.things.of(node.of)
    if among and all(number in slots for number in among):
        field_of(w, node.of, {number: slots[number] for number in among}, w.layout.slots(name))
    elif slots:
        thing, slot = code.local(), code.local()
        w.value(node.of)
        code.tee(thing)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(NONE)
        code.else_()
        w.indexed(thing, w.layout.slots(name))
        code.tee(slot)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        built_in(w, name, thing)
        code.else_()
        code.get(slot)
        code.const(2)
        code.op(SHL)
        code.load(w.at["VALUES"])
        code.end()
        code.end()
        code.release(thing, slot)
    elif name in ("holder", "seat", "copy", "row", "column", "label", "sort"):
        from_table(w, w.layout.printed(name), node.of)
    else:
        thing = code.local()
        w.value(node.of)
        code.tee(thing)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(NONE if name != "ends" else 0)
        code.else_()
        built_in(w, name, thing)
        code.end()
        code.release(thing)


def field_of(w: Writer, of: Any, slots: dict[int, int], table: int) -> None:
    """A field that certain things all have; where each has it is reckoned, if that can be."""
    code, thing = w.code, w.code.local()
    w.value(of)
    low, high = min(slots), max(slots)
    step = (slots[high] - slots[low]) // (high - low) if high > low else 0
    first = w.at["VALUES"] + 4 * (slots[low] - step * low)
    if step >= 0 and first >= 0 and all(slot == slots[low] + step * (number - low) for number, slot in slots.items()):
        code.const(4 * step)
        code.op(MUL)
        code.load(first)
    else:
        code.set(thing)
        w.indexed(thing, table)
        code.const(2)
        code.op(SHL)
        code.load(w.at["VALUES"])
    code.release(thing)


def built_in(w: Writer, name: str, thing: int) -> None:
    """What every component knows of itself."""
    code = w.code
    match name:
        case "place":
            code.get(thing)
            code.const(w.world.count)
            code.op(LT)
            code.if_(I32)
            w.indexed(thing, w.at["WHERE"])
            code.else_()
            code.const(NONE)
            code.end()
        case "owner":
            code.get(thing)
            code.const(w.world.count)
            code.op(LT)
            code.if_(I32)
            code.get(thing)
            w.runtime("owner")
            code.else_()
            code.const(NONE)
            code.end()
        case "holder" | "seat" | "copy" | "row" | "column" | "label" | "sort":
            w.indexed(thing, w.layout.printed(name))
        case "ends":
            ends = (w.world.ends.get(number, ()) for number in range(w.world.place_count))
            w.indexed(thing, w.layout.lists_for("ends", ends))
        case "colour":
            colour(w, thing)
        case _:
            code.const(NONE)


def colour(w: Writer, thing: int) -> None:
    world, tracks = w.world, []
    for number in range(world.place_count):
        track = number < world.count and world.kinds[number] == "#track"
        spaces = world.graph["tracks"][world.definitions[number]]["spaces"] if track else ()
        tracks.append([w.linked.encoded(space) for space in spaces])
    code, table = w.code, w.layout.lists_for("colours", tracks)
    code.get(thing)
    code.const(2)
    code.op(SHL)
    code.load(w.layout.printed("base"))
    code.const(2)
    code.op(SHL)
    code.load(w.at["VALUES"])
    code.const(2)
    code.op(SHL)
    w.indexed(thing, table)
    code.op(ADD)
    code.load(0)


def version(w: Writer, node: c.Version) -> None:
    w.code.const(0)
    w.code.load(w.at["VERSION"])


def trial(w: Writer, node: c.Trial) -> None:
    w.code.const(0)


def batched(w: Writer, node: c.Batched) -> None:
    w.runtime("open_batch")
    w.code.const(0)
    w.code.op(NE)


def ongoing(w: Writer, node: c.Ongoing) -> None:
    w.code.const(w.layout.unit_numbers[node.unit])
    w.code.const(NAMES + 4 * node.slot)
    w.value(node.of)
    w.runtime("ongoing")


def used(w: Writer, node: c.Used) -> None:
    w.code.const(w.to.once_number(node.unit))
    w.value(node.of)
    w.runtime("used")


def needed(w: Writer, node: c.Needed) -> None:
    code, value = w.code, w.code.local()
    w.value(node.of)
    code.tee(value)
    code.const(NONE)
    code.op(EQ)
    code.if_()
    code.trap()
    code.end()
    code.get(value)
    code.release(value)


def table(w: Writer, node: c.Table) -> None:
    """What is written down for some things: a number or the address of a list."""
    code, several = w.code, w.shape(node.otherwise) != "one"
    entries = [w.layout.constant_list(each) if isinstance(each, tuple) else each for each in node.values]
    if not node.of:
        w.charge(node.looks)
        code.const(NONE if entries[0] is None else entries[0])
        return
    at, thing = code.local(), code.local()
    done = code.block(I32)
    other = code.block()
    for number, (name, least, size) in enumerate(zip(node.of, node.least, node.sizes, strict=True)):
        w.value(name)
        if least:
            code.const(least)
            code.op(SUB)
        code.tee(thing)
        code.const(size)
        code.op(GE_U)
        code.br_if(other)
        if number:
            code.get(at)
            code.const(size)
            code.op(MUL)
            code.get(thing)
            code.op(ADD)
            code.set(at)
        else:
            code.get(thing)
            code.set(at)
    w.charge(node.looks)
    w.indexed(at, w.layout.table(("written down", several, *entries), entries))
    code.br(done)
    code.end()
    code.release(at, thing)
    w.value(node.otherwise)
    code.end()


def charge(w: Writer, node: c.Charge) -> None:
    w.charge(node.looks)
    w.value(node.of)


def lookup(w: Writer, node: c.Lookup) -> None:
    w.value(node.of)
    w.value(node.key)
    w.code.const(int(node.several))
    w.runtime("lookup")


def compare(w: Writer, node: c.Compare) -> None:
    code, how = w.code, COMPARED[node.how]
    if how in (EQ, NE) or (is_number(node.left) and is_number(node.right)):
        w.value(node.left)
        w.value(node.right)
        code.op(how)
        return
    left, right = code.local(), code.local()
    w.value(node.left)
    code.set(left)
    w.value(node.right)
    code.set(right)
    code.get(left)
    code.const(NONE)
    code.op(NE)
    code.get(right)
    code.const(NONE)
    code.op(NE, AND)
    code.if_(I32)
    code.get(left)
    code.get(right)
    code.op(how)
    code.else_()
    code.const(0)
    code.end()
    code.release(left, right)


def and_(w: Writer, node: c.And) -> None:
    code = w.code
    if not node.parts:
        code.const(1)
    for number, part in enumerate(node.parts):
        w.test(part)
        if number + 1 < len(node.parts):
            code.if_(I32)
    for _ in node.parts[1:]:
        code.else_()
        code.const(0)
        code.end()


def or_(w: Writer, node: c.Or) -> None:
    code = w.code
    if not node.parts:
        code.const(0)
    for number, part in enumerate(node.parts):
        w.test(part)
        if number + 1 < len(node.parts):
            code.if_(I32)
            code.const(1)
            code.else_()
    for _ in node.parts[1:]:
        code.end()


def not_(w: Writer, node: c.Not) -> None:
    w.test(node.part)
    w.code.op(EQZ)


def if_(w: Writer, node: c.If) -> None:
    w.test(node.test)
    w.code.if_(I32)
    w.value(node.yes)
    w.code.else_()
    w.value(node.no)
    w.code.end()


def arithmetic(w: Writer, node: c.Arithmetic) -> None:
    code = w.code
    left, right = code.local(), code.local()
    w.number(node.left)
    code.set(left)
    w.number(node.right)
    code.set(right)
    if node.how in ("/", "mod"):
        code.get(left)
        code.get(right)
        w.runtime("divide" if node.how == "/" else "modulo")
    elif node.how == "*":
        code.get(left)
        code.get(right)
        w.runtime("multiply")
    else:
        code.get(left)
        code.get(right)
        code.op(ADD if node.how == "+" else SUB)
    result = left
    code.set(result)
    if node.low is not None and node.high is not None:
        for bound, how in ((node.low, LT), (node.high, GT)):
            code.const(bound)
            code.get(result)
            code.get(result)
            code.const(bound)
            code.op(how, SELECT)
            code.set(result)
    else:
        w.bounded(result)
    code.get(result)
    code.release(left, right)


def is_kind(w: Writer, node: c.IsKind) -> None:
    code, local = w.code, w.code.local()
    w.value(node.of)
    if w.things.of(node.of) is not None:
        code.load8(w.layout.kind(node.noun))
        code.release(local)
        return
    code.tee(local)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(0)
    code.else_()
    code.get(local)
    code.load8(w.layout.kind(node.noun))
    code.end()
    code.release(local)


def empty(w: Writer, node: c.Empty) -> None:
    if w.shape(node.of) != "one":
        w.value(c.Exists(node.of))
        w.code.op(EQZ)
        return
    code, place = w.code, w.code.local()
    w.value(node.of)
    if w.things.of(node.of) is not None:
        code.set(place)
        w.indexed(place, w.at["COUNT"])
        code.op(EQZ)
        code.release(place)
        return
    code.tee(place)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(1)
    code.else_()
    w.indexed(place, w.at["COUNT"])
    code.op(EQZ)
    code.end()
    code.release(place)


def full(w: Writer, node: c.Full) -> None:
    code, place = w.code, w.code.local()
    w.value(node.of)
    code.tee(place)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(0)
    code.else_()
    w.indexed(place, w.at["COUNT"])
    w.indexed(place, w.layout.printed("capacity"))
    code.op(GE)
    code.end()
    code.release(place)


def apply(w: Writer, node: c.Apply) -> None:
    for argument in node.arguments:
        w.value(argument)
    w.code.call(w.to.function(node.function))


def by_kind(w: Writer, node: c.ByKind) -> None:
    code, nouns = w.code, tuple(node.cases)
    case, thing = code.local(), code.local()
    w.value(node.of)
    code.tee(thing)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(len(nouns))
    code.else_()
    w.indexed(thing, w.layout.case(nouns))
    code.end()
    code.set(case)
    for number, noun in enumerate(nouns):
        code.get(case)
        code.const(number)
        code.op(EQ)
        code.if_(I32)
        w.value(node.cases[noun])
        code.else_()
    w.value(node.otherwise)
    for _ in nouns:
        code.end()
    code.release(case, thing)


def bind(w: Writer, node: c.Bind) -> None:
    w.value(node.value)
    w.code.set(w.local_of(node.slot))
    w.value(node.body)


VALUES: dict[type, ValueWriter] = {
    c.Const: const, c.Word: word, c.Component: component, c.Place: place, c.PlaceOf: place_of, c.Name: name, c.Field: field,
    c.Version: version, c.Trial: trial, c.Batched: batched, c.Ongoing: ongoing, c.Used: used,
    c.Needed: needed, c.Table: table, c.Charge: charge, c.Lookup: lookup, c.Compare: compare, c.And: and_, c.Or: or_, c.Not: not_, c.If: if_, c.Arithmetic:
    arithmetic, c.IsKind: is_kind, c.Empty: empty, c.Full: full, c.Apply: apply, c.ByKind: by_kind, c.Bind: bind,
    c.Decider: called("decider", "of"),
    c.Asked: called("asked", "player"),
    c.Knows: called("knows", "player", "component"),
    c.Same: called("same_items", "left", "right"),
    c.Among: called("among", "item", "list"),
}  # fmt: skip
