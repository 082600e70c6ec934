"""Aggregates: expressions that run through a list and leave one number, such as how many things there are, the first, the highest, whether one is there.

Each function is given the writer and a node and leaves one number on the stack. The list is not made if it can be run through without that.
"""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.core.nodes import parts
from rulewright.step.streams import streams
from rulewright.wasm.assemble import I32
from rulewright.wasm.layout import NONE
from rulewright.wasm.opcodes import ADD, AND, EQ, GE, GT, LT, NE, SELECT, SHL
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
    code.get(other, found)
    if how == "total":
        code.op(ADD)
    else:
        code.get(other, found)
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
            code.get(number, found, found)
            code.const(NONE, EQ)
            code.if_(I32)
            code.const(1)
            code.else_()
            code.get(number, found)
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
        code.const(0, NE)
        return
    rows, lone = row_test(w, inner), lone_member(w, inner)
    if rows is not None:
        any_row(w, *rows)
        return
    if lone is not None:
        any_lone(w, inner, *lone)
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


def lone_member(w: Writer, node: Any) -> tuple[Any, str | None, c.Query | None] | None:
    """The place of which something is asked, the kind and the query, if no more than one thing fits into the places that it can be; None if it is another question."""
    query = node if isinstance(node, c.Query) and not node.orders else None
    source = query.source if query is not None else node
    noun, source = (source.noun, source.source) if isinstance(source, c.OfKind) else (None, source)
    if not isinstance(source, c.Members) or w.shape(source.of) != "one" or w.charging or (query is not None and not all(map(is_quick, query.tests))):
        return None
    places = w.things.of(source.of)
    return (source.of, noun, query) if places and all(w.world.capacities[place] == 1 for place in places) else None


def is_quick(node: Any) -> bool:
    """Whether a test can be made of anything whatever, and as quickly as it can be left out."""
    sides = [side.of if isinstance(side, c.Field) else side for side in parts(node)]
    return isinstance(node, c.Compare) and node.how in ("=", "!=") and all(isinstance(side, c.Name | c.Const | c.Word) for side in sides)


def any_lone(w: Writer, node: Any, place: Any, noun: str | None, query: c.Query | None) -> None:
    """Leave whether the one thing that lies in a place passes a test, without a branch; should more lie there, all are asked."""
    code = w.code
    at, found, some = code.local(), code.local(), code.local()
    each = code.local() if query is None else w.local_of(query.slot)
    things = frozenset(range(w.world.count)) if noun is None else frozenset(w.world.noun_set(noun))
    w.value(place)
    code.set(at)
    w.indexed(at, w.at["HEAD"])
    code.tee(each)
    code.const(0, GE)
    code.set(some)
    ask_in_vain(w, each, some, min(things, default=0))
    if noun is not None:
        code.get(each)
        code.load8(w.layout.kind(noun))
        code.get(some)
        code.op(AND)
        code.set(some)
        ask_in_vain(w, each, some, min(things, default=0))
    code.get(some)
    with w.things.known(None if query is None else query.slot, things):
        for test in () if query is None else query.tests:
            w.test(test)
            code.op(AND)
    code.set(found)
    w.indexed(at, w.at["COUNT"])
    code.const(1, GT)
    code.if_()
    code.const(0)
    code.set(found)
    out = code.block()

    def there(_: int) -> None:
        code.const(1)
        code.set(found)
        code.br(out)

    w.each(node, there)
    code.end()
    code.end()
    code.get(found)
    code.release(at, found, some)
    if query is None:
        code.release(each)


def ask_in_vain(w: Writer, each: int, some: int, other: int) -> None:
    """Ask something else where nothing is there to be asked; what comes of that does not count."""
    w.code.get(each)
    w.code.const(other)
    w.code.get(some)
    w.code.op(SELECT)
    w.code.set(each)


def count(w: Writer, node: c.Count) -> None:
    code, inner = w.code, node.list
    if isinstance(inner, c.Members) and w.shape(inner.of) == "one":
        place = code.local()
        w.value(inner.of)
        code.tee(place)
        code.const(0, LT)
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
            code.const(1, ADD)
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
        code.const(0, LT)
        code.if_(I32)
        code.const(NONE)
        code.else_()
        w.indexed(place, w.at["TAIL"])
        code.set(found)
        code.const(NONE)
        code.get(found, found)
        code.const(0, LT, SELECT)
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
        code.get(made, made)
        code.load(0)
        code.const(2, SHL, ADD)
        code.load(0)
        code.set(found)
        code.end()
        code.release(made)
    code.get(found)
    code.release(found)


def in_(w: Writer, node: c.In) -> None:
    wanted = w.code.local()
    w.value(node.item)
    w.code.set(wanted)
    among(w, node.list, wanted)
    w.code.release(wanted)


def lies(w: Writer, node: c.Lies) -> None:
    code, thing = w.code, w.code.local()
    w.value(node.item)
    code.tee(thing)
    code.const(0, LT)
    code.if_(I32)
    code.const(0)
    code.else_()
    w.indexed(thing, w.at["WHERE"])
    if w.shape(node.places) == "one":
        w.value(node.places)
        code.op(EQ)
    else:
        place = code.local()
        code.set(place)
        among(w, node.places, place)
        code.release(place)
    code.end()
    code.release(thing)


def among(w: Writer, list_: c.Expression, wanted: int) -> None:
    """Leave whether what a local holds is in a list."""
    code, found = w.code, w.code.local()
    code.const(0)
    code.set(found)
    out = code.block()

    def check(each: int) -> None:
        code.get(each, wanted)
        code.op(EQ)
        code.if_()
        code.const(1)
        code.set(found)
        code.br(out)
        code.end()

    w.each(list_, check, charge=True)
    code.end()
    code.get(found)
    code.release(found)


VALUES: dict[type, ValueWriter] = {
    c.Best: best, c.Measure: measure, c.Fold: fold, c.Exists: exists, c.Count: count, c.First: first, c.Last: last, c.In: in_, c.Lies: lies,
}  # fmt: skip
