"""Changes: instructions that change the game and go on with the next one. Fields, moves, dice, outcomes, hooks that hold for a time.

Each function is given the writer and a node. A number beyond what a field can hold stops the module; what is nothing or nowhere is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core import program as c
from rulewright.wasm.layout import NAMES, NONE, OUTCOMES
from rulewright.wasm.opcodes import ADD, EQZ, GE, GT, LT, NE, SHL
from rulewright.wasm.records import note_set, noted, told
from rulewright.wasm.writer import Writer


def let(w: Writer, node: c.Let) -> None:
    code = w.code
    if node.slot in w.bound:
        w.value(node.value)
        code.set(w.bound[node.slot])
    else:
        code.get(0)
        w.value(node.value)
        code.store(NAMES + 4 * node.slot)


def set_field(w: Writer, node: c.Set) -> None:
    code, world = w.code, w.world
    thing, index, value, before = (code.local() for _ in range(4))
    w.value(node.of)
    code.tee(thing)
    code.const(0, GE)
    code.if_()
    w.indexed(thing, w.layout.slots(node.field))
    code.tee(index)
    code.const(0, GE)
    code.if_()
    w.value(node.value)
    code.set(value)
    ranges = {kind: world.ranges[kind][node.field] for kind in world.slots if node.field in world.slots[kind]}
    if any(low is not None for low, _ in ranges.values()):
        check_range(w, node.field, index, value)
    w.indexed(index, w.at["VALUES"])
    code.set(before)
    if w.shape(c.Field(c.Const(None), node.field)) != "one":
        code.get(before, value)
        w.runtime("same_order")
        code.op(EQZ)
    else:
        code.get(before, value)
        code.op(NE)
    code.if_()
    code.get(index)
    code.const(2, SHL)
    code.const(w.at["VALUES"], ADD)
    code.tee(index)
    w.drop("j")
    code.get(index, value)
    code.store(0)
    code.const(0)
    code.cell(w.at["VERSION"])
    code.const(1, ADD)
    code.store(w.at["VERSION"])
    code.cell(w.at["LOG_ON"])
    code.if_()
    note_set(w, node, thing, before, value)
    code.end()
    code.end()
    code.end()
    code.end()
    code.release(thing, index, value, before)


def check_range(w: Writer, field: str, index: int, value: int) -> None:
    """Stop if a number is beyond what the field can hold."""
    code = w.code
    low, high = w.layout.ranges(w.linked, field)
    code.get(value)
    code.const(NONE, NE)
    code.if_()
    for table, how in ((low, LT), (high, GT)):
        code.get(value, index)
        code.const(2, SHL)
        code.load(table)
        code.op(how)
        code.trap_if()
    code.end()


def pick(w: Writer, node: c.Pick) -> None:
    """Take something out of a list: at random, or what lies on top of a place that is no bag."""
    code = w.code
    made, chosen = code.local(), code.local()
    w.value(node.source)
    code.set(made)
    code.const(NONE)
    code.set(chosen)
    code.get(made)
    code.load(0)
    code.if_()
    if node.place is not None:
        place = code.local()
        w.value(node.place)
        code.set(place)
        w.indexed(place, w.layout.printed("bag"))
        code.op(EQZ)
        code.if_()
        code.get(made)
        code.load(0)
        code.const(2, SHL)
        code.get(made)
        code.op(ADD)
        code.load(0)
        code.set(chosen)
        code.else_()
        random_item(w, made, chosen)
        code.end()
        code.release(place)
    else:
        random_item(w, made, chosen)
    code.end()
    code.get(chosen)
    w.put_name(node.slot)
    code.release(made, chosen)


def random_item(w: Writer, made: int, chosen: int) -> None:
    """Give a local any item of a list."""
    code = w.code
    code.get(made)
    code.load(0)
    w.runtime("below")
    code.const(2, SHL)
    code.get(made)
    code.op(ADD)
    code.load(4)
    code.set(chosen)


def install(w: Writer, node: c.Install) -> None:
    code = w.code
    for hook in node.hooks:
        record = code.local()
        code.const(w.linked.hook_numbers[hook])
        code.const(w.to.event_number(node.until))
        w.runtime("hold")
        code.set(record)
        for number, (_, value) in enumerate(node.keep):
            code.get(record)
            w.value(value)
            code.store(4 * number)
        code.release(record)


def put(w: Writer, node: c.Put) -> None:
    code = w.code
    place, thing = code.local(), code.local()
    w.value(node.to)
    code.tee(place)
    code.const(0, GE)
    code.if_()
    w.value(node.what)
    several = w.shape(node.what) != "one"
    if not several:
        code.tee(thing)
        code.const(0, GE)
        code.if_()
        code.get(thing)
    code.get(place)
    code.const(int(node.position == "bottom"))
    code.const(int(node.crowd))
    code.get(0)
    w.drop("move_all" if several else "move")
    if not several:
        code.end()
    code.end()
    code.release(place, thing)


def shuffle(w: Writer, node: c.Shuffle) -> None:
    code = w.code
    place = code.local()
    w.value(node.place)
    code.tee(place)
    code.const(0, GE)
    code.if_()
    code.get(place, 0)
    w.drop("shuffle")
    code.end()
    code.release(place)


def settle(w: Writer, node: c.Settle) -> None:
    """Nothing: no person shuffles here."""


def roll(w: Writer, node: c.Roll) -> None:
    code = w.code
    faces = [w.linked.encoded(face) for face in w.world.graph["dice"][node.die]["faces"]]
    face = code.local()
    code.const(len(faces))
    w.runtime("below")
    code.const(2, SHL)
    code.load(w.layout.table(("die", node.die), faces))
    code.set(face)
    code.get(face)
    w.put_name(node.slot)
    dice = list(w.world.graph["dice"])
    noted(w, "roll", lambda: code.const(dice.index(node.die)), lambda: code.get(face))
    code.release(face)


def show(w: Writer, node: c.Show) -> None:
    w.value(node.what)
    told(w, node.to)
    w.code.get(0)
    w.drop("show")


def outcome(w: Writer, node: c.Outcome) -> None:
    w.value(node.players)
    w.code.const(OUTCOMES.index(node.how))
    w.code.get(0)
    w.drop("outcome")


def expire(w: Writer, node: c.Expire) -> None:
    for unit in w.facts.program.once_per.get(node.event, ()):
        w.code.const(w.to.once_number(unit))
        w.drop("free_used")
    w.code.const(w.to.event_number(node.event))
    w.code.get(0)
    w.drop("expire")


def use(w: Writer, node: c.Use) -> None:
    w.code.const(w.to.once_number(node.unit))
    w.value(node.of)
    w.drop("use")


def result(w: Writer, node: c.Result) -> None:
    code = w.code
    for place, slot in enumerate((node.value, node.status, node.cancelled)):
        if slot is not None:
            code.cell(w.at["GIVEN"] + 4 * place)
            w.put_name(slot)


CHANGES: dict[type, Callable[[Writer, Any], None]] = {
    c.Let: let, c.Set: set_field, c.Put: put, c.Settle: settle, c.Shuffle: shuffle, c.Roll: roll, c.Pick: pick, c.Show: show, c.Outcome: outcome,
    c.Install: install, c.Expire: expire, c.Use: use, c.Result: result,
}  # fmt: skip
