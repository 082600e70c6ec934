"""Entries of the log that depend on the rules: messages, fields that were set, and who can read them.

What is written is what `blocks` reads again: a kind, the cause of the frame, and the values of the entry. Nothing is written while no log is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.wasm.layout import KINDS
from rulewright.wasm.opcodes import AND, EQ, GE, OR, SELECT, SHL
from rulewright.wasm.writer import Writer

if TYPE_CHECKING:
    from rulewright.wasm.units import Unit


def told(w: Writer, to: Any) -> None:
    """Who is told something, as bits."""
    if to is None:
        w.code.const(w.world.everyone)
    else:
        w.value(to)
        w.runtime("told_bits")


def noted(w: Writer, kind: str, *parts: Callable[[], None]) -> None:
    """An entry of the log, if one is kept."""
    code = w.code
    code.const(0)
    code.load(w.at["LOG_ON"])
    code.if_()
    code.const(KINDS.index(kind))
    code.get(0)
    w.drop("record")
    for part in parts:
        part()
        w.drop("note")
    code.end()


def say(u: Unit, at: int, node: c.Say) -> None:
    """The entry of a message: the values in its words, who is told, and what they learn by that."""
    w, code = u.w, u.code
    parts = [part for part in node.text.parts if not isinstance(part, str)]
    if any(w.shape(part.of) == "lists" for part in parts):  # told on foot
        code.trap()
    code.const(0)
    code.load(w.at["LOG_ON"])
    code.if_()
    locals_ = []
    for part in parts:
        local = code.local()
        w.value(part.of)
        code.set(local)
        locals_.append((local, w.shape(part.of), part.how))
    bits, learnt, items = code.local(), code.local(), w.start()
    told(w, node.to)
    code.set(bits)
    for local, shape, how in locals_:
        if how in ("kind", "any"):
            code.get(local)
            w.drop("item" if shape == "one" else "items")
    w.collect(items)
    made = code.local()
    code.set(made)
    code.const(0)
    w.runtime("alloc")
    code.set(learnt)
    code.get(made)
    code.get(bits)
    code.get(learnt)
    w.drop("learn")
    code.const(KINDS.index("message"))
    code.get(0)
    w.drop("record")
    code.const(at)
    w.drop("note")
    code.get(bits)
    w.drop("note")
    code.get(learnt)
    w.drop("note_list")
    for local, shape, _ in locals_:
        code.get(local)
        w.drop("note" if shape == "one" else "note_list")
    code.end()
    code.release(bits, learnt, made, *(local for local, _, _ in locals_))


def note_set(w: Writer, node: c.Set, thing: int, before: int, value: int) -> None:
    """The entry of a field that was set: who can read it."""
    code, graph = w.code, w.world.graph
    fields = {kind: declared["fields"][node.field] for kind, declared in graph["kinds"].items() if node.field in declared["fields"]}
    bits = code.local()
    code.get(thing)
    w.runtime("seers_of")
    code.set(bits)
    for kind, field in fields.items():
        of, several = field["type"], field["type"]["how"] in ("set", "list")
        refers, guarded = (of.get("of") or of)["how"] in ("kind", "place"), field["seen_by"] is not None
        if not refers and not guarded:
            continue
        code.get(thing)
        code.const(2)
        code.op(SHL)
        code.load(kind_numbers(w))
        code.const(list(graph["kinds"]).index(kind))
        code.op(EQ)
        code.if_()
        if guarded:
            readers(w, kind, node.field, field["seen_by"], thing)
            w.indexed(thing, w.at["KNOWN"])
            code.op(OR)
            code.get(bits)
            code.op(AND)
            code.set(bits)
        if refers:
            for each in (before, value):
                seen_too(w, each, several, bits)
        code.end()
    code.const(KINDS.index("set"))
    code.get(0)
    w.drop("record")
    code.get(thing)
    w.drop("note")
    code.const(w.facts.fields.index(node.field))
    w.drop("note")
    lists = w.shape(c.Field(c.Const(None), node.field)) != "one"
    for each in (before, value):
        code.get(each)
        w.drop("note_list" if lists else "note")
    code.get(bits)
    w.drop("note")
    code.release(bits)


def kind_numbers(w: Writer) -> int:
    """The table of the number of each component's kind."""
    world = w.world
    order = {kind: number for number, kind in enumerate(world.graph["kinds"])}
    return w.layout.table("kinds", (order.get(world.kinds[n], -1) if n < world.count else -1 for n in range(world.place_count)))


def readers(w: Writer, kind: str, field: str, rule: dict[str, Any], thing: int) -> None:
    """Leave who reads a field of a component, as bits."""
    if rule["op"] == "const":
        w.code.const(w.world.everyone if rule["value"] == "everyone" else 0)
        return
    function = w.facts.program.sight.fields[f"{kind}.{field}"]
    w.code.get(thing)
    w.code.get(thing)
    w.code.call(w.to.function(function))
    w.runtime("player_bits")


def seen_too(w: Writer, each: int, several: bool, bits: int) -> None:
    """Who reads that a field refers to something has to be able to tell that."""
    code = w.code

    def one(thing: int) -> None:
        code.get(thing)
        code.const(0)
        code.op(GE)
        code.if_()
        code.get(thing)
        w.runtime("teller")
        code.get(bits)
        code.op(AND)
        code.set(bits)
        code.end()

    if several:
        item, made = code.local(), code.local()
        code.get(each)
        code.const(0)
        code.get(each)
        code.const(0)
        code.op(GE, SELECT)
        code.set(made)
        w.walk(made, item, one)
        code.release(item, made)
    else:
        one(each)
