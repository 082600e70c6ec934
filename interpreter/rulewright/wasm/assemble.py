"""Assembling: WebAssembly modules as bytes, and a compiler for the small language that the runtime is written in.

The small language looks like Python and knows whole numbers of 32 bits: `while`, `if`, `return`, calls, `i32[address]` and `u8[address]` for
memory. Names in capitals are constants that the layout gives.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping
from typing import Any

I32, I64, VOID = 0x7F, 0x7E, 0x40


def leb(value: int) -> bytes:
    """A number without a sign."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def sleb(value: int) -> bytes:
    """A number with a sign."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        done = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte | (0 if done else 0x80))
        if done:
            return bytes(out)


SMALL = [b"\x41" + sleb(number) for number in range(-64, 2048)]
LEBS = [leb(number) for number in range(4096)]


def short(value: int) -> bytes:
    return LEBS[value] if value < 4096 else leb(value)


class Code:
    """The code of one function: bytes, locals and the labels that are open."""

    def __init__(self, parameters: int) -> None:
        self.parameters = parameters
        self.out = bytearray()
        self.wide: list[int] = []  # locals of 64 bits come last
        self.count = parameters
        self.free: list[int] = []
        self.depth = 0

    # -- locals

    def local(self) -> int:
        """A local that nobody uses."""
        if self.free:
            return self.free.pop()
        self.count += 1
        return self.count - 1

    def release(self, *locals_: int) -> None:
        """Give locals back."""
        self.free += locals_

    # -- instructions

    def const(self, value: int, *codes: int) -> None:
        """A number, and operations on it and what lies below it."""
        self.out += SMALL[value + 64] if -64 <= value < 1984 else b"\x41" + sleb(value)
        self.out += bytes(codes)

    def get(self, *locals_: int) -> None:
        for local in locals_:
            self.out += b"\x20" + short(local)

    def set(self, local: int) -> None:
        self.out += b"\x21" + short(local)

    def tee(self, local: int) -> None:
        self.out += b"\x22" + short(local)

    def op(self, *codes: int) -> None:
        self.out += bytes(codes)

    def load(self, offset: int) -> None:
        self.out += b"\x28\x02" + leb(offset)

    def cell(self, address: int) -> None:
        """What lies at an address that is known."""
        self.const(0)
        self.load(address)

    def load8(self, offset: int) -> None:
        self.out += b"\x2d\x00" + leb(offset)

    def store(self, offset: int) -> None:
        self.out += b"\x36\x02" + leb(offset)

    def call(self, number: int) -> None:
        self.out += b"\x10" + short(number)

    # -- control

    def block(self, result: int = VOID) -> int:
        """Open a block; gives a token to leave it by."""
        self.out += bytes((0x02, result))
        self.depth += 1
        return self.depth

    def loop(self) -> int:
        self.out += b"\x03\x40"
        self.depth += 1
        return self.depth

    def if_(self, result: int = VOID) -> int:
        self.out += bytes((0x04, result))
        self.depth += 1
        return self.depth

    def else_(self) -> None:
        self.out += b"\x05"

    def end(self) -> None:
        self.out += b"\x0b"
        self.depth -= 1

    def br(self, token: int) -> None:
        self.out += b"\x0c" + short(self.depth - token)

    def br_if(self, token: int) -> None:
        self.out += b"\x0d" + short(self.depth - token)

    def trap(self) -> None:
        """Stop: the choice is made by `step`."""
        self.out += b"\x00"

    def trap_if(self) -> None:
        """Stop if the number on the stack is not 0."""
        self.out += b"\x04\x40\x00\x0b"

    def body(self) -> bytes:
        """The function as the code section wants it."""
        declared = self.count - self.parameters
        groups = ([leb(declared) + bytes((I32,))] if declared else []) + ([leb(len(self.wide)) + bytes((I64,))] if self.wide else [])
        made = leb(len(groups)) + b"".join(groups) + bytes(self.out) + b"\x0b"
        return leb(len(made)) + made


class Module:
    """A module that is being written."""

    def __init__(self) -> None:
        self.functions: dict[str, int] = {}
        self.codes: list[Code | None] = []
        self._shared: dict[tuple[int, int, bytes], int] = {}
        self.exports: list[str] = []
        self.table: list[int] = []  # functions that are called by number
        self.data: list[tuple[int, bytes]] = []

    def declare(self, name: str) -> int:
        """The number of a function, whether its code is known yet or not."""
        found = self.functions.get(name)
        if found is None:
            found = self.functions[name] = len(self.codes)
            self.codes.append(None)
        return found

    def define(self, name: str, code: Code) -> None:
        self.codes[self.declare(name)] = code

    def define_shared(self, name: str, code: Code) -> None:
        """Define a function that has not been called yet; others of the same code are the same function."""
        self.functions[name] = self._shared.setdefault((code.parameters, code.count, bytes(code.out)), len(self.codes))
        if self.functions[name] == len(self.codes):
            self.codes.append(code)

    def binary(self, pages: int) -> bytes:
        """The whole module. Functions take any number of numbers and give one; the type of those that take n has the number n."""
        for name, number in self.functions.items():
            if self.codes[number] is None:
                raise KeyError(name)
        of = [code.parameters for code in self.codes if code is not None]
        out = [b"\0asm\x01\0\0\0"]
        kinds = [b"\x60" + leb(count) + bytes((I32,)) * count + b"\x01\x7f" for count in range(max(of) + 1)]
        out.append(section(1, vector(kinds)))
        out.append(section(3, vector([leb(each) for each in of])))
        if self.table:
            out.append(section(4, vector([b"\x70\x00" + leb(len(self.table))])))
        out.append(section(5, vector([b"\x00" + leb(pages)])))
        exported = [(name, 0, self.functions[name]) for name in self.exports] + [("memory", 2, 0)]
        out.append(section(7, vector([leb(len(name)) + name.encode() + bytes((kind,)) + leb(number) for name, kind, number in exported])))
        if self.table:
            out.append(section(9, vector([b"\x00\x41\x00\x0b" + vector([leb(each) for each in self.table])])))
        out.append(section(10, vector([code.body() for code in self.codes if code is not None])))
        out.append(section(11, vector([b"\x00\x41" + sleb(at) + b"\x0b" + leb(len(data)) + data for at, data in self.data])))
        return b"".join(out)


def section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + leb(len(content)) + content


def vector(parts: list[bytes]) -> bytes:
    return leb(len(parts)) + b"".join(parts)


def words(numbers: Any) -> bytes:
    """Numbers of 32 bits as they lie in memory."""
    found = list(numbers)
    return struct.pack(f"<{len(found)}i", *found)


# -- the small language

BINARY: dict[type, int] = {
    ast.Add: 0x6A, ast.Sub: 0x6B, ast.Mult: 0x6C, ast.FloorDiv: 0x6D, ast.Mod: 0x6F, ast.BitAnd: 0x71, ast.BitOr: 0x72, ast.BitXor: 0x73,
    ast.LShift: 0x74, ast.RShift: 0x76,
}  # fmt: skip
COMPARED: dict[type, int] = {ast.Eq: 0x46, ast.NotEq: 0x47, ast.Lt: 0x48, ast.Gt: 0x4A, ast.LtE: 0x4C, ast.GtE: 0x4E}
MEMORY = {"i32": (b"\x28\x02\x00", b"\x36\x02\x00"), "u8": (b"\x2d\x00\x00", b"\x3a\x00\x00")}


class Compiler:
    """Compiles one function of the small language."""

    def __init__(
        self, module: Module, constants: Mapping[str, int], function: ast.FunctionDef, special: Mapping[str, Callable[[Code], None]]
    ) -> None:
        self.module, self.constants, self.special = module, constants, special
        names = [argument.arg for argument in function.args.args]
        self.code = Code(len(names))
        self.names = {name: number for number, name in enumerate(names)}
        self.loops: list[tuple[int, int]] = []
        self.block(function.body)
        self.code.const(0)

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        code = self.code
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.value(value)
                code.set(self.name(name))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                code.get(self.name(name))
                self.value(value)
                code.op(BINARY[type(op)])
                code.set(self.name(name))
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=kind), slice=address)], value=value):
                self.value(address)
                self.value(value)
                code.out += MEMORY[kind][1]
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=kind), slice=address), op=op, value=value):
                self.value(address)
                self.value(address)
                code.out += MEMORY[kind][0]
                self.value(value)
                code.op(BINARY[type(op)])
                code.out += MEMORY[kind][1]
            case ast.Return(value=value):
                if value is None:
                    code.const(0)
                else:
                    self.value(value)
                code.op(0x0F)
            case ast.If(test=test, body=body, orelse=other):
                self.value(test)
                code.if_()
                self.block(body)
                if other:
                    code.else_()
                    self.block(other)
                code.end()
            case ast.While(test=test, body=body):
                out, again = code.block(), code.loop()
                self.value(test)
                code.op(0x45)
                code.br_if(out)
                self.loops.append((out, again))
                self.block(body)
                self.loops.pop()
                code.br(again)
                code.end()
                code.end()
            case ast.Break():
                code.br(self.loops[-1][0])
            case ast.Continue():
                code.br(self.loops[-1][1])
            case ast.Expr(value=ast.Call(func=ast.Name(id="stop"))):
                code.trap()
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self.value(value)
                code.op(0x1A)
            case _:
                raise SyntaxError(ast.dump(node))

    def name(self, name: str) -> int:
        if name not in self.names:
            self.names[name] = self.code.local()
        return self.names[name]

    def value(self, node: ast.expr) -> None:
        code = self.code
        match node:
            case ast.Constant(value=int(value)):
                code.const(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                code.const(-value)
            case ast.UnaryOp(op=ast.USub(), operand=part):
                code.const(0)
                self.value(part)
                code.op(0x6B)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                self.value(part)
                code.op(0x45)
            case ast.UnaryOp(op=ast.Invert(), operand=part):
                self.value(part)
                code.const(-1)
                code.op(0x73)
            case ast.Name(id=name):
                if name in self.constants:
                    code.const(self.constants[name])
                else:
                    code.get(self.name(name))
            case ast.Subscript(value=ast.Name(id=kind), slice=address):
                self.value(address)
                code.out += MEMORY[kind][0]
            case ast.BinOp(left=left, op=op, right=right):
                self.value(left)
                self.value(right)
                code.op(BINARY[type(op)])
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                self.value(left)
                self.value(right)
                code.op(COMPARED[type(op)])
            case ast.BoolOp(op=op, values=[first, *rest]):
                self.value(first)
                for part in rest:
                    code.if_(I32)
                    if isinstance(op, ast.Or):
                        code.const(1)
                        code.else_()
                    self.value(part)
                    if isinstance(op, ast.And):
                        code.else_()
                        code.const(0)
                    code.end()
            case ast.IfExp(test=test, body=yes, orelse=no):
                self.value(test)
                code.if_(I32)
                self.value(yes)
                code.else_()
                self.value(no)
                code.end()
            case ast.Call(func=ast.Name(id=name), args=arguments):
                for argument in arguments:
                    self.value(argument)
                if name in self.special:
                    self.special[name](code)
                else:
                    code.call(self.module.declare(name))
            case _:
                raise SyntaxError(ast.dump(node))


def compile_into(module: Module, source: str, constants: Mapping[str, int], special: Mapping[str, Callable[[Code], None]]) -> None:
    """Compile all functions of a text of the small language."""
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef):
            module.define(function.name, Compiler(module, constants, function, special).code)
