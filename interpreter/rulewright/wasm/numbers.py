"""Numbers: random numbers (splitmix64, as `chance` gives them), division that rounds down, products that fit.

Each function gives the code of one function of the runtime. Division by zero, a product beyond the greatest number, and the few random numbers that would have to be
thrown again stop the module.
"""

from __future__ import annotations

from rulewright.core import program as c
from rulewright.wasm.assemble import Code, leb, sleb
from rulewright.wasm.opcodes import (
    ADD,
    ADD64,
    AND,
    DIV,
    EXTEND,
    EXTEND_U,
    GE,
    GT_U64,
    LT,
    MUL,
    MUL64,
    NE,
    REM,
    REM_U64,
    SELECT,
    SHR64,
    SUB,
    SUB64,
    WRAP,
    XOR64,
)


def wide(code: Code) -> int:
    """A local of 64 bits; those of 32 bits must all be there already."""
    code.wide.append(0)
    return code.count + len(code.wide) - 1


def const64(code: Code, value: int) -> None:
    code.out += b"\x42" + sleb(value - (1 << 64) if value >= 1 << 63 else value)


def mix(code: Code, state: int, bits: int) -> None:
    """The next state of splitmix64, and its bits."""
    code.get(state)
    const64(code, 0x9E3779B97F4A7C15)
    code.op(ADD64)
    code.tee(state)
    code.set(bits)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, None)):
        code.get(bits, bits)
        const64(code, shift)
        code.op(SHR64, XOR64)
        if factor is not None:
            const64(code, factor)
            code.op(MUL64)
        code.set(bits)


def load64(code: Code, at: int) -> None:
    code.const(0)
    code.out += b"\x29\x03" + leb(at)


def store64(code: Code, at: int) -> None:
    """Store what is on the stack, above a 0."""
    code.out += b"\x37\x03" + leb(at)


def below(random: int) -> Code:
    """A random number below a limit, as `chance.below` gives it."""
    code = Code(1)
    state, bits = wide(code), wide(code)
    load64(code, random)
    code.set(state)
    mix(code, state, bits)
    code.get(bits)
    const64(code, (1 << 64) - 1)
    code.get(0)
    code.op(EXTEND_U, SUB64, GT_U64)  # beyond all but the last few numbers: so seldom that `step` may see to it
    code.trap_if()
    code.const(0)
    code.get(state)
    store64(code, random)
    code.get(bits, 0)
    code.op(EXTEND_U, REM_U64, WRAP)
    return code


def seed(seeds: int, first: int, random: int) -> Code:
    """The random state of the next of many games, as `chance.start` gives it."""
    code = Code(0)
    state, bits = wide(code), wide(code)
    load64(code, seeds)
    code.cell(first)
    code.op(EXTEND_U, ADD64)
    const64(code, 0x9E3779B97F4A7C15)
    code.op(MUL64)
    const64(code, 0xD1B54A32D192ED03)
    code.op(ADD64)
    code.set(state)
    mix(code, state, bits)
    code.const(0)
    code.get(bits)
    store64(code, random)
    code.const(0)
    return code


def policy(at: int) -> Code:
    """A number below a limit for whoever plays at random: not the game's own chance."""
    code = Code(1)
    state, bits = wide(code), wide(code)
    load64(code, at)
    code.set(state)
    mix(code, state, bits)
    code.const(0)
    code.get(state)
    store64(code, at)
    code.get(bits)
    const64(code, 32)
    code.op(SHR64)
    code.get(0)
    code.op(EXTEND_U, MUL64)
    const64(code, 32)
    code.op(SHR64, WRAP)
    return code


def divide() -> Code:
    """Division that rounds down; by zero it stops."""
    code = Code(2)
    result = code.local()
    code.get(0, 1)
    code.op(DIV)
    code.set(result)
    code.get(result, result, 1)
    code.op(MUL)
    code.get(0)
    code.op(NE)
    code.get(0)
    code.const(0, LT)
    code.get(1)
    code.const(0, LT, NE, AND, SUB)
    return code


def modulo() -> Code:
    """What is left of a division, never negative."""
    code = Code(2)
    other = code.local()
    code.get(1)
    code.const(0)
    code.get(1)
    code.op(SUB)
    code.get(1)
    code.const(0, GE, SELECT)
    code.set(other)
    code.get(0, other)
    code.op(REM)
    code.get(other)
    code.op(ADD)
    code.get(other)
    code.op(REM)
    return code


def multiply() -> Code:
    """A product; one that is too great stops."""
    code = Code(2)
    product = wide(code)
    code.get(0)
    code.op(EXTEND)
    code.get(1)
    code.op(EXTEND, MUL64)
    code.set(product)
    code.get(product)
    const64(code, c.GREATEST)
    code.op(ADD64)
    const64(code, 2 * c.GREATEST)
    code.op(GT_U64)
    code.trap_if()
    code.get(product)
    code.op(WRAP)
    return code
