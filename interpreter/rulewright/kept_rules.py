"""Rules that are kept between runs, in the cache: the graph that was made of some sources, and the program that was made of the graph.

An entry is named after a mark of everything that was read and of the interpreter's own source, so that a change of either makes another one. It is plain data; what
does not have its shape is made anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from rulewright import cache
from rulewright.core.program import Program
from rulewright.sources import Sources

KIND = "rules"
FORMAT = "rulewright rules 1"


class Kept(msgspec.Struct):
    """What is kept of rules."""

    graph: dict[str, Any]
    program: Program


def entry_path(sources: Sources) -> Path | None:
    """Where what was made of some sources is, or would be."""
    return cache.entry_path(KIND, FORMAT, sources.mark, cache.program_mark())


def read(path: Path) -> Kept | None:
    """What was kept; None if there is nothing, or nothing whole."""
    body = cache.read(path)
    try:
        return None if body is None else msgspec.msgpack.decode(body, type=Kept)
    except (msgspec.DecodeError, RecursionError):
        return None


def write(path: Path, graph: dict[str, Any], program: Program) -> None:
    """Keep an entry, if that is possible."""
    try:
        body = msgspec.msgpack.encode(Kept(graph, program))
    except (TypeError, OverflowError, RecursionError):  # a number that is too large for it
        return
    cache.write(path, body)
