"""The plan of a module: what Python has to know of it, as plain data. Where things lie in memory, and what its numbers stand for.

`compile` makes it with the module, `blocks` and `engine` read it; it is kept in the cache together with what wasmtime has made of the module, under a mark of all
that both are made from: the program, the world, the interpreter's own source, wasmtime and its settings.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from pathlib import Path

import msgspec
import wasmtime
from wasmtime._ffi import dll

from rulewright import cache
from rulewright.step.link import Linked

KIND = "module"
FORMAT = "rulewright module 1"
LEVEL = "speed"
EXPORTS = ("choose", "run", "play", "keep", "restore", "turn", "seers", "end_look", "sealed", "memorise")


class Plan(msgspec.Struct):
    """What Python has to know of a module."""

    size: int  # of the module, in bytes
    at: dict[str, int]  # addresses
    held_size: int
    most_held: int
    most_used: int
    units: list[str]
    causes: list[str]
    once: list[str]  # what may happen once
    events: list[str]  # until which something holds
    fields: list[str]
    list_fields: set[str]
    list_slots: set[int]  # the values that are lists
    start_lists: dict[tuple[int | None, ...], int]  # lists that fields begin with, and where they lie
    points: dict[
        tuple[int, int], tuple[int, list[int]]
    ]  # by unit and point: the address at which a frame rests there, and the names that matter then
    addresses: dict[int, tuple[int, int]]  # the other way round
    told: dict[int, list[bool]]  # by the address of a message: which of the values in it are lists
    secretive: bool  # whether anybody can be unable to tell what something is
    spelled: list[str]  # the words that have numbers


class Threads:
    """Whether modules may be compiled in several threads: those of wasmtime do not live on in a process that was forked, which would wait for them for ever."""

    many = True


def _forked() -> None:
    Threads.many = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def wasm_engine() -> wasmtime.Engine:
    """The engine of wasmtime, with our settings."""
    config = wasmtime.Config()
    config.cranelift_opt_level = LEVEL
    config.parallel_compilation = Threads.many
    return wasmtime.Engine(config)


def entry_path(linked: Linked) -> Path | None:
    """Where the module of a program and a world is, or would be."""
    made_from = hashlib.sha256(msgspec.msgpack.encode([linked.world.graph, linked.world.players, linked.program, linked.spelled])).hexdigest()
    library = os.stat(dll._name)  # wasmtime itself refuses what another version of it has made; here it has another name
    settings = (dll._name, str(library.st_size), str(library.st_mtime_ns), LEVEL, sys.platform, platform.machine())
    return cache.entry_path(KIND, FORMAT, made_from, cache.program_mark(), *settings)


def read(path: Path, engine: wasmtime.Engine) -> tuple[Plan, wasmtime.Module] | None:
    """A module that was kept, with its plan; None if there is none, or none that can be used here."""
    body = cache.read(path)
    if body is None:
        return None
    try:
        size = int.from_bytes(body[:8], "little")
        return msgspec.msgpack.decode(body[8 : 8 + size], type=Plan), wasmtime.Module.deserialize(engine, body[8 + size :])
    except (msgspec.DecodeError, wasmtime.WasmtimeError):
        return None


def write(path: Path, plan: Plan, module: wasmtime.Module) -> None:
    """Keep a module, if that is possible."""
    told = msgspec.msgpack.encode(plan)
    cache.write(path, len(told).to_bytes(8, "little") + told + bytes(module.serialize()))
