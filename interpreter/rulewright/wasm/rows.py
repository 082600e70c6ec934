"""Rows: whether one of many rows that never change has something in it, or nothing. Each thing is asked once, whatever number of rows it is in.

`any line in lines(board, 4) where every cell in line ...` asks of 69 rows; the answers for the cells are bits, and a row is a mask of them.
"""

from __future__ import annotations

from typing import Any

from rulewright.core import program as c
from rulewright.core.geometry import lines
from rulewright.core.liveness import names_in
from rulewright.wasm.opcodes import ADD, AND, EQZ, GT, OR, SHL, SUB
from rulewright.wasm.writer import Writer

MOST = 128  # things in rows


def row_test(w: Writer, node: Any) -> tuple[c.Lines, c.Query, bool] | None:
    """The rows that a question asks about, what it asks of the things in one, and whether one may have such a thing or may not; None if it is another question."""
    match node:
        case c.Query(source=c.Lines(length=c.Const(value=int())) as rows, slot=row, tests=(c.Exists(list=c.Query() as inner),), orders=()):
            wanted = True
        case c.Query(
            source=c.Lines(length=c.Const(value=int())) as rows, slot=row, tests=(c.Not(part=c.Exists(list=c.Query() as inner)),), orders=()
        ):
            wanted = False
        case _:
            return None
    source, noun = (inner.source.source, inner.source.noun) if isinstance(inner.source, c.OfKind) else (inner.source, None)
    cells = {cell for line in w.world.cells[rows.grid] for cell in line}
    if source != c.Name(row) or names_in(inner.tests)[0] >> row & 1 or (noun is not None and not cells <= w.world.noun_set(noun)):
        return None
    fits = not w.charging and len(cells) <= MOST and max(cells) - min(cells) + 1 == len(cells)  # counted already: as if each row were asked by itself
    return (rows, inner, wanted) if fits else None


def any_row(w: Writer, rows: c.Lines, inner: c.Query, wanted: bool) -> None:
    """Leave whether there is such a row."""
    code, thing = w.code, w.local_of(inner.slot)
    cells = sorted(cell for line in w.world.cells[rows.grid] for cell in line)
    assert isinstance(rows.length, c.Const)
    first, words = cells[0], (len(cells) + 31) // 32
    masks = [code.local() for _ in range(words)]
    for number, mask in enumerate(masks):
        low, high = first + 32 * number, min(cells[-1], first + 32 * number + 31)
        code.const(0)
        code.set(mask)
        code.const(low)
        code.set(thing)
        again = code.loop()
        code.get(mask)
        with w.things.known(inner.slot, frozenset(cells)):
            w.test(c.And(inner.tests) if len(inner.tests) != 1 else inner.tests[0])
        code.get(thing)
        code.const(low, SUB, SHL, OR)
        code.set(mask)
        code.get(thing)
        code.const(1, ADD)
        code.tee(thing)
        code.const(high, GT, EQZ)
        code.br_if(again)
        code.end()
    table = []
    for line in lines(w.world, rows.grid, rows.length.value or 0):
        bits = sum(1 << (cell - first) for cell in line)
        table += [signed(bits >> 32 * number & 0xFFFFFFFF) for number in range(words)]
    any_mask(w, masks, w.layout.table(("rows", rows.grid, rows.length.value), table), len(table) // words, wanted)
    code.release(*masks)


def any_mask(w: Writer, masks: list[int], table: int, count: int, wanted: bool) -> None:
    """Leave whether one of the masks of a table has bits in common with those in locals, or none."""
    code, at, found = w.code, w.code.local(), w.code.local()
    code.const(0)
    code.set(found)
    if count:
        code.const(0)
        code.set(at)
        out, again = code.block(), code.loop()
        for number, mask in enumerate(masks):
            code.get(at)
            code.load(table + 4 * number)
            code.get(mask)
            code.op(AND)
            if number:
                code.op(OR)
        if not wanted:
            code.op(EQZ)
        code.if_()
        code.const(1)
        code.set(found)
        code.br(out)
        code.end()
        code.get(at)
        code.const(4 * len(masks), ADD)
        code.tee(at)
        code.const(4 * len(masks) * count, SUB)
        code.br_if(again)
        code.end()
        code.end()
    code.get(found)
    code.release(at, found)


def signed(bits: int) -> int:
    """Bits as a number with a sign."""
    return bits - (1 << 32) if bits >> 31 else bits
