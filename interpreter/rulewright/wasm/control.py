"""Control: instructions that say which block of a unit comes next, and those that end a game.

Each function is given the compiler of the unit, the address and the node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32
from rulewright.wasm.layout import ELSEWHERE
from rulewright.wasm.opcodes import ADD, EQ, LE, LT, SELECT, SHL
from rulewright.wasm.records import noted

if TYPE_CHECKING:
    from rulewright.wasm.units import Unit


def jump(u: Unit, at: int, node: c.Jump) -> None:
    u.go(node.to)


def branch(u: Unit, at: int, node: c.Branch) -> None:
    code = u.code
    u.w.test(node.test)
    code.if_()
    u.go(node.then)
    code.else_()
    u.go(node.otherwise)
    code.end()
    code.trap()


def dispatch(u: Unit, at: int, node: c.Dispatch) -> None:
    w, code = u.w, u.code
    nouns, case, thing = tuple(node.cases), code.local(), code.local()
    w.value(node.of)
    code.tee(thing)
    code.const(0, LT)
    code.if_(I32)
    code.const(len(nouns))
    code.else_()
    w.indexed(thing, u.layout.case(nouns))
    code.end()
    code.set(case)
    by_case(u, case, list(enumerate(node.cases.values())), node.otherwise)
    code.release(case, thing)


def switch(u: Unit, at: int, node: c.Switch) -> None:
    code, case = u.code, u.code.local()
    u.w.value(node.value)
    code.set(case)
    by_case(u, case, list(node.cases.items()), node.otherwise)
    code.release(case)


def by_case(u: Unit, case: int, cases: list[tuple[int, int]], otherwise: int) -> None:
    """Go on with the block of the case that a local holds."""
    code = u.code
    for number, label in cases:
        code.get(case)
        code.const(number, EQ)
        code.if_()
        u.go(label)
        code.end()
    u.go(otherwise)


def next_item(u: Unit, at: int, node: c.Next) -> None:
    """The next thing of a loop, or what comes after the loop."""
    w, code = u.w, u.code
    cursor, made = code.local(), code.local()
    w.get_name(node.cursor)
    code.set(cursor)
    w.get_name(node.list)
    code.tee(made)
    code.load(0)
    code.get(cursor)
    code.op(LE)
    code.if_()
    u.go(node.after)
    code.end()
    code.get(made, cursor)
    code.const(2, SHL, ADD)
    code.load(4)
    w.put_name(node.slot)
    code.get(cursor)
    code.const(1, ADD)
    w.put_name(node.cursor)
    code.release(cursor, made)
    u.go(node.body)


def end_game(u: Unit, at: int, node: c.EndGame) -> None:
    """Only the frame of the game stays, and goes on with its ending; after that the game is over. Nothing goes on at once any more."""
    w, code = u.w, u.code
    noted(w, "end")
    code.const(0)
    code.const(0)
    code.store(u.at["BATCH_COUNT"])
    root = code.local()
    code.const(0)
    code.const(u.at["STACK"])
    code.tee(root)
    code.store(u.at["FP"])
    code.const(0)
    code.const(u.at["STACK"] + u.to.frame_size("the game"))
    code.store(u.at["SP"])
    over = u.to.addresses[u.linked.over][1]
    code.get(root)
    code.const(over)
    code.const(u.to.addresses[u.linked.ending][1])
    code.get(root)
    code.load(0)
    code.const(over, EQ, SELECT)
    code.store(0)
    code.release(root)
    u.leave(ELSEWHERE)


def finish(u: Unit, at: int, node: c.Finish) -> None:
    code = u.code
    code.const(0)
    code.const(0)
    code.store(u.at["FP"])
    code.const(0)
    code.const(u.at["STACK"])
    code.store(u.at["SP"])
    code.const(0)
    code.const(1)
    code.store(u.at["ENDED"])
    u.leave(ELSEWHERE)


CONTROL: dict[type, Callable[[Unit, int, Any], None]] = {
    c.Jump: jump, c.Branch: branch, c.Dispatch: dispatch, c.Switch: switch, c.Next: next_item, c.EndGame: end_game, c.Finish: finish,
}  # fmt: skip
