"""Decisions: stopping for one, and the entry of the log that says how it was taken.

`ask` writes the code of a question where it is asked. `note_choice` writes a function for each question, the same for those that are alike, which is given the frame and the answer and writes
what `record` of the reference writes. Questions in the middle of a payment, and words about hidden things, stop the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32, Code
from rulewright.wasm.layout import DECIDE, KINDS, NAMES, NONE
from rulewright.wasm.opcodes import ADD, AND, EQ, EQZ, GE, GT, LT, NE, REM, SHL, SUB
from rulewright.wasm.writer import Writer

if TYPE_CHECKING:
    from rulewright.wasm.units import Unit


def ask(u: Unit, at: int, node: c.Ask) -> None:
    """Stop for a decision, if somebody has one: the frame rests at the question."""
    w, code = u.w, u.code
    if f"choice {node.question}" not in u.to.module.functions:
        note_choice(u, node)
    player, made = code.local(), code.local()
    otherwise = code.block()
    w.value(node.player)
    code.tee(player)
    w.runtime("asked")
    code.op(EQZ)
    code.br_if(otherwise)
    w.value(node.values)
    code.tee(made)
    code.load(0)
    code.cell(u.at["MOST_OPTIONS"])
    code.op(GT)
    code.trap_if()
    code.get(made)
    w.runtime("any_real")
    code.op(EQZ)
    code.br_if(otherwise)
    if u.linked.owes:
        trap_if_owing(w)
    for cell, value in (("PLAYER", player), ("VALUES_AT", made)):
        code.const(0)
        code.get(value)
        code.store(u.at[cell])
    for cell, number in (("ASKED", at), ("QUESTION", node.question), ("SLOT", NAMES + 4 * node.slot), ("THEN", u.points[node.then])):
        code.const(0)
        code.const(number)
        code.store(u.at[cell])
    u.rest(u.ask_points[at])
    u.leave(DECIDE)
    code.end()
    code.const(NONE)
    w.put_name(node.slot)
    code.release(player, made)
    u.go(node.otherwise)


def note_choice(u: Unit, node: c.Ask) -> None:
    """The function that writes an answer to the log: `record` of the reference, for one question. It is given the frame and the value."""
    question = u.to.program.questions[node.question]
    code = Code(2)
    w = Writer(u.to, u.unit.locals, 0, code)
    for slot in u.to.facts.queried.get(u.name, ()):
        w.bound[slot] = code.local()
    note = w.drop
    code.const(KINDS.index("choice"))
    code.get(0)
    note("record")
    code.cell(u.at["PLAYER"])
    note("note")
    code.cell(u.at["QUESTION"])
    note("note")
    code.get(1)
    note("note")
    thing = code.local()
    named_in(w, question, thing)
    note_hidden(w, question, thing)
    public = code.local()
    code.const(int(not question.secret))
    code.set(public)
    note_label(w, question, public)
    if question.values in ("things", "rules") and not (question.written and all(question.written)):
        unless_seen(w, thing, public)
    note_prompt(w, question)
    code.const(1)
    code.cell(u.at["PLAYER"])
    code.op(SHL)
    note("note")
    silence(w, question)
    silent = code.local()
    code.set(silent)
    code.get(public, silent)
    code.op(EQZ, AND)
    note("note")
    code.get(silent)
    note("note")
    code.const(0)
    u.to.module.define_shared(f"choice {node.question}", code)


def named_in(w: Writer, question: c.Question, thing: int) -> None:
    """The component that an answer names; -1 if it names none."""
    code, stride, count = w.code, w.linked.stride, w.world.count
    code.const(-1)
    code.set(thing)
    if question.values not in ("things", "places", "actions", "rules"):
        return
    code.get(1)
    if question.values in ("actions", "rules"):
        code.const(stride, REM)
        code.const(1 if question.values == "actions" else 2, SUB)
    code.set(thing)
    for checked, limit, how in ((1, 0, LT), (thing, count, GE)):
        code.get(checked)
        code.const(limit, how)
        code.if_()
        code.const(-1)
        code.set(thing)
        code.end()


def note_hidden(w: Writer, question: c.Question, thing: int) -> None:
    """Where the thing that an answer names lies, if the player cannot tell what it is."""
    code = w.code
    if not w.facts.secretive or question.values not in ("things", "places", "actions", "rules"):
        for _ in range(3):
            code.const(NONE)
            w.drop("note")
        return
    code.get(thing)
    code.const(0, GE)
    code.if_(I32)
    code.cell(w.at["PLAYER"])
    code.get(thing)
    w.runtime("knows")
    code.op(EQZ)
    code.else_()
    code.const(0)
    code.end()
    code.if_()
    if any(question.written):
        code.trap()
    code.cell(w.at["PLAYER"])
    code.get(thing)
    w.drop("plainly_hidden")
    code.cell(w.at["PLAYER"])
    code.get(thing)
    w.runtime("position")
    code.const(1, ADD)
    w.drop("note")
    w.indexed(thing, w.at["WHERE"])
    w.drop("note")
    code.get(thing)
    w.drop("note")
    code.else_()
    for _ in range(3):
        code.const(NONE)
        w.drop("note")
    code.end()


def note_label(w: Writer, question: c.Question, public: int) -> None:
    """The values in the words of the option that was taken, behind how many there are; -1 if there are no words."""
    code = w.code
    worded = question.labels and question.values in ("options", "actions")
    if question.values == "rules":
        code.get(1)
        code.const(0, LT)
        code.trap_if()
    for number, text in enumerate(question.labels if worded else ()):
        code.get(1)
        code.const(number if question.values == "options" else -1 - number, EQ)
        code.if_()
        parts = [part for part in text.parts if not isinstance(part, str)]
        code.const(len(parts))
        w.drop("note")
        for part in parts:
            note_value(w, part.of)
            if question.values == "options" and part.how in ("kind", "any"):
                one = code.local()
                w.each(part.of if w.shape(part.of) != "one" else c.Many(part.of), lambda each: unless_seen(w, each, public), one)
                code.release(one)
        code.else_()
    code.const(-1)
    w.drop("note")
    for _ in question.labels if worded else ():
        code.end()


def note_value(w: Writer, node: Any) -> None:
    """A value with its depth before it, so that it can be read again."""
    code = w.code
    shape = w.shape(node)
    if shape == "lists":
        code.trap()
        return
    code.const(0 if shape == "one" else 1)
    w.drop("note")
    w.value(node)
    w.drop("note" if shape == "one" else "note_list")


def unless_seen(w: Writer, thing: int, public: int) -> None:
    """A choice is no public one if it names something that not everyone can tell."""
    code = w.code
    if not w.facts.secretive:
        return
    code.get(thing)
    code.const(0, GE)
    code.get(thing)
    code.const(w.world.count, LT, AND)
    code.if_()
    code.get(public, thing)
    w.runtime("seers_of")
    code.const(w.world.everyone, EQ, AND)
    code.set(public)
    code.end()


def note_prompt(w: Writer, question: c.Question) -> None:
    """The values in the words of the question, where the choice alone does not say it."""
    code = w.code
    parts = [part for part in question.prompt.parts if not isinstance(part, str)]

    def told() -> None:
        code.const(len(parts))
        w.drop("note")
        for part in parts:
            note_value(w, part.of)

    if question.worded or question.kind in ("order", "replacement", "reaction"):
        told()
        return
    code.get(1)
    code.const(NONE, EQ)
    code.if_()
    told()
    code.else_()
    code.const(-1)
    w.drop("note")
    code.end()


def silence(w: Writer, question: c.Question) -> None:
    """Leave whether nobody else learns that something was chosen."""
    code = w.code
    if question.together is not None:
        code.const(1)
    elif question.secret and question.picked is not None:
        w.get_name(question.picked)
        code.load(0)
        code.const(0, NE)
    elif question.kind == "reaction":
        code.get(1)
        code.const(NONE, EQ)
    else:
        code.const(0)


def trap_if_owing(w: Writer) -> None:
    """What is asked in the middle of a payment is left to `step`, which tries out what can still be paid."""
    code, frame = w.code, w.code.local()
    owing = [w.to.addresses[at] for at in w.linked.owes if at in w.to.addresses]
    code.get(0)
    code.set(frame)
    out, again = code.block(), code.loop()
    code.get(frame)
    code.op(EQZ)
    code.br_if(out)
    for unit, point in owing:
        code.get(frame)
        code.load(4)
        code.const(unit, EQ)
        code.get(frame)
        code.load(0)
        code.const(point, EQ, AND)
        code.trap_if()
    code.get(frame)
    code.load(8)
    code.set(frame)
    code.br(again)
    code.end()
    code.end()
    code.release(frame)
