"""The engine: a module in wasmtime, and games in its memory."""

from __future__ import annotations

import ctypes
from typing import Any

import wasmtime
import wasmtime._bindings as ffi

from rulewright.run.budget import Budget
from rulewright.step.instructions import run, take
from rulewright.step.link import Linked
from rulewright.step.machine import Machine, first_state
from rulewright.step.state import State
from rulewright.wasm.blocks import Blocks
from rulewright.wasm.compile import Compilation


class Instance:
    """A module that is ready: its memory, and its functions as quick as they can be called."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.compilation = Compilation(linked)
        binary = self.compilation.binary()
        config = wasmtime.Config()
        config.cranelift_opt_level = "speed"
        self.engine = wasmtime.Engine(config)
        self.module = wasmtime.Module(self.engine, binary)
        self.size = len(binary)
        self.store = wasmtime.Store(self.engine)
        self.instance = wasmtime.Instance(self.store, self.module, [])
        exports = self.instance.exports(self.store)
        self._memory: Any = exports["memory"]
        at = ctypes.cast(self._memory.data_ptr(self.store), ctypes.c_void_p).value
        assert at is not None
        length = self._memory.data_len(self.store)
        self.memory = memoryview((ctypes.c_char * length).from_address(at)).cast("B")
        self.cells = self.memory.cast("i")
        self._bind(exports)
        self.blocks = Blocks(self.compilation)
        self.at = self.compilation.layout.at
        self.set("MOST_STEPS", Budget().steps)
        self.set("MOST_LOOKED", Budget().looks)
        self.set("LOG_ON", 1)

    def _bind(self, exports: Any) -> None:
        address = ctypes.cast(ffi._wasmtime_func_call_unchecked, ctypes.c_void_p).value
        assert address is not None
        kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
        call = kind(address)
        context = ctypes.cast(self.store._context(), ctypes.c_void_p).value
        trap = ctypes.c_void_p()
        trap_at = ctypes.addressof(trap)
        raw = (ctypes.c_int32 * 8)()
        raw_at = ctypes.addressof(raw)
        self._kept = [call, trap, raw, exports, kind]

        def bound(name: str) -> Any:
            function = exports[name]._func
            self._kept.append(function)
            at = ctypes.addressof(function)

            def run(number: int = 0) -> int:
                raw[0] = number
                if call(context, at, raw_at, 1, trap_at) or trap.value:
                    trap.value = None
                    raise Stopped
                return raw[0]

            return run

        self.run, self.go, self.choose, self.play, self.keep, self.restore, self.revert = (
            bound(name) for name in ("run", "go", "choose", "play", "keep", "restore", "revert")
        )

    def get(self, name: str) -> int:
        return int(self.cells[self.at[name] >> 2])

    def set(self, name: str, number: int) -> None:
        self.cells[self.at[name] >> 2] = number

    # -- a game

    def load(self, state: State) -> None:
        """Lay a state into memory."""
        self.blocks.write(self.memory, state)
        self.set("JOURNAL_TOP", self.at["JOURNAL"])

    def state(self) -> State:
        """The state of the game in memory."""
        return self.blocks.state(self.memory)

    def values(self) -> list[int]:
        """What may be chosen."""
        at = self.get("VALUES_AT") >> 2
        return list(self.cells[at + 1 : at + 1 + self.cells[at]])

    def drain(self) -> bytes:
        """What has been written to the log since it was asked last."""
        begin, end = self.at["LOG"], self.get("LOG_TOP")
        data = bytes(self.memory[begin:end])
        self.set("LOG_TOP", begin)
        return data


class Stopped(Exception):
    """The module has come to something that it leaves to `step`, or to an error of the rules."""


__all__ = ["Instance", "Machine", "Stopped", "first_state", "run", "take"]
