"""Aggregates: expressions that run through a list and leave one number, such as how many things there are, the first, the highest, whether one is there.

Each function is given the writer and a node and leaves one number on the stack. The list is not made if it can be run through without that.
"""

from __future__ import annotations

from rulewright.core import program as c
from rulewright.step.expressions import streams
from rulewright.wasm.assemble import I32
from rulewright.wasm.layout import NONE
from rulewright.wasm.opcodes import ADD, EQ, GT, LT, NE, SELECT, SHL
from rulewright.wasm.rows import any_row, row_test
from rulewright.wasm.writer import ValueWriter, Writer


def best(w: Writer, node: c.Best) -> None:
    code, found = w.code, w.code.local()
    for number, part in enumerate(node.parts):
        w.number(part)
        if number:
            join(w, node.how, found)
        code.set(found)
    code.get(found)
    code.release(found)


def join(w: Writer, how: str, found: int) -> None:
    """Join the number on the stack with what was found before."""
    code, other = w.code, w.code.local()
    code.set(other)
    code.get(other)
    code.get(found)
    if how == "total":
        code.op(ADD)
    else:
        code.get(other)
        code.get(found)
        code.op(GT if how == "highest" else LT, SELECT)
    code.release(other)


def measure(w: Writer, node: c.Measure) -> None:
    code, found = w.code, w.code.local()
    code.const(0 if node.how == "total" else NONE)
    code.set(found)

    def one_more(each: int) -> None:
        w.number(node.value)
        if node.how != "total":
            number = code.local()
            code.set(number)
            code.get(number)
            code.get(found)
            code.get(found)
            code.const(NONE)
            code.op(EQ)
            code.if_(I32)
            code.const(1)
            code.else_()
            code.get(number)
            code.get(found)
            code.op(GT if node.how == "highest" else LT)
            code.end()
            code.op(SELECT)
            code.release(number)
        else:
            code.get(found)
            code.op(ADD)
        code.set(found)
        if node.how == "total":
            w.bounded(found)

    w.each(node.source, one_more, w.local_of(node.slot), charge=True)
    code.get(found)
    code.release(found)


def fold(w: Writer, node: c.Fold) -> None:
    code, result = w.code, w.local_of(node.result)
    w.value(node.start)
    code.set(result)

    def change(each: int) -> None:
        if node.test is not None:
            w.test(node.test)
            code.if_()
        w.value(node.value)
        code.set(result)
        if node.test is not None:
            code.end()

    w.each(node.source, change, w.local_of(node.slot), charge=True)
    code.get(result)


def exists(w: Writer, node: c.Exists) -> None:
    code, inner = w.code, node.list
    if isinstance(inner, c.Name) and w.shape(inner) != "one":
        w.value(inner)
        code.load(0)
        code.const(0)
        code.op(NE)
        return
    rows = row_test(w, inner)
    if rows is not None:
        any_row(w, *rows)
        return
    found = code.local()
    code.const(0)
    code.set(found)
    out = code.block()

    def there(each: int) -> None:
        code.const(1)
        code.set(found)
        code.br(out)

    w.each(inner, there)
    code.end()
    code.get(found)
    code.release(found)


def count(w: Writer, node: c.Count) -> None:
    code, inner = w.code, node.list
    if isinstance(inner, c.Members) and w.shape(inner.of) == "one":
        place = code.local()
        w.value(inner.of)
        code.tee(place)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(0)
        code.else_()
        w.indexed(place, w.at["COUNT"])
        code.end()
        code.release(place)
    elif type(inner) not in w.to.runs or not streams(w.linked, inner):
        w.value(inner)
        code.load(0)
    else:
        number = code.local()
        code.const(0)
        code.set(number)

        def one_more(each: int) -> None:
            code.get(number)
            code.const(1)
            code.op(ADD)
            code.set(number)

        w.each(inner, one_more)
        code.get(number)
        code.release(number)


def first(w: Writer, node: c.First) -> None:
    code, found = w.code, w.code.local()
    code.const(NONE if w.shape(node.list) != "lists" else 0)
    code.set(found)
    out = code.block()

    def there(each: int) -> None:
        code.get(each)
        code.set(found)
        code.br(out)

    w.each(node.list, there)
    code.end()
    code.get(found)
    code.release(found)


def last(w: Writer, node: c.Last) -> None:
    code, found = w.code, w.code.local()
    inner = node.list
    if isinstance(inner, c.Members) and w.shape(inner.of) == "one":
        place = code.local()
        w.value(inner.of)
        code.tee(place)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(NONE)
        code.else_()
        w.indexed(place, w.at["TAIL"])
        code.set(found)
        code.const(NONE)
        code.get(found)
        code.get(found)
        code.const(0)
        code.op(LT, SELECT)
        code.end()
        code.release(place, found)
        return
    code.const(NONE if w.shape(inner) != "lists" else 0)
    code.set(found)
    if type(inner) in w.to.runs and streams(w.linked, inner):

        def there(each: int) -> None:
            code.get(each)
            code.set(found)

        w.each(inner, there)
    else:
        made = code.local()
        w.value(inner)
        code.tee(made)
        code.load(0)
        code.if_()
        code.get(made)
        code.get(made)
        code.load(0)
        code.const(2)
        code.op(SHL, ADD)
        code.load(0)
        code.set(found)
        code.end()
        code.release(made)
    code.get(found)
    code.release(found)


def in_(w: Writer, node: c.In) -> None:
    code, wanted = w.code, w.code.local()
    w.value(node.item)
    code.set(wanted)
    code.const(0)
    found = code.local()
    code.set(found)
    out = code.block()

    def check(each: int) -> None:
        code.get(each)
        code.get(wanted)
        code.op(EQ)
        code.if_()
        code.const(1)
        code.set(found)
        code.br(out)
        code.end()

    w.each(node.list, check, charge=True)
    code.end()
    code.get(found)
    code.release(wanted, found)


def lies(w: Writer, node: c.Lies) -> None:
    code, thing = w.code, w.code.local()
    w.value(node.item)
    code.tee(thing)
    code.const(0)
    code.op(LT)
    code.if_(I32)
    code.const(0)
    code.else_()
    if w.shape(node.places) == "one":
        w.indexed(thing, w.at["WHERE"])
        w.value(node.places)
        code.op(EQ)
    else:
        place = code.local()
        w.indexed(thing, w.at["WHERE"])
        code.set(place)
        found = code.local()
        code.const(0)
        code.set(found)
        out = code.block()

        def check(each: int) -> None:
            code.get(each)
            code.get(place)
            code.op(EQ)
            code.if_()
            code.const(1)
            code.set(found)
            code.br(out)
            code.end()

        w.each(node.places, check, charge=True)
        code.end()
        code.get(found)
        code.release(place, found)
    code.end()
    code.release(thing)


VALUES: dict[type, ValueWriter] = {
    c.Best: best, c.Measure: measure, c.Fold: fold, c.Exists: exists, c.Count: count, c.First: first, c.Last: last, c.In: in_, c.Lies: lies,
}  # fmt: skip
