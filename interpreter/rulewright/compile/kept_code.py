"""The generated code that is kept between runs, in the cache.

An entry is named after a mark of the graph and of the engine's own source, so that neither an older engine nor another ruleset is ever taken for this one. It
holds the generated source with its tables, and what Python has made of it; what is damaged is made anew. What is in it is run: `rulewright.cache` holds that
nobody but the user can have written it.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import marshal
from functools import cache as once
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

from rulewright import cache
from rulewright.build import without_spans
from rulewright.compile.source.generate import Generated, generate

FORMAT = "rulewright code 3"
KIND = "code"
Code = tuple[Generated, CodeType]
TABLES = ("granting", "hooks", "offers", "possible", "leading", "planned", "bills", "words", "several", "reactions")


def code_for(graph: dict[str, Any]) -> Code:
    """The generated code of a graph, and what Python makes of it; from the cache if it has it."""
    fingerprint = exact_mark(graph)
    path = entry_path(fingerprint)
    found = read(path) if path is not None else None
    if found is None:
        generated = generate(graph)
        found = generated, compile(generated.source, "<rules>", "exec")
        if path is not None:
            write(path, *found)
    return found


def exact_mark(graph: dict[str, Any]) -> str:
    """A mark of a graph in which the order of everything counts: functions are numbered by it. Where things stand in files does not count."""
    return hashlib.sha256(msgspec.json.encode(without_spans(graph))).hexdigest()


@once
def engine_mark() -> str:
    """A mark of the engine's own source: other code makes other entries."""
    here = Path(__file__).parent
    files = [*sorted(here.rglob("*.py")), *sorted((here.parent / "run").glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def entry_path(fingerprint: str) -> Path | None:
    """Where the entry of a graph is, or would be."""
    return cache.entry_path(KIND, FORMAT, fingerprint, engine_mark())


def read(path: Path) -> Code | None:
    """An entry; None if there is none that can be trusted to be this one."""
    body = cache.read(path)
    if body is None:
        return None
    try:
        data = json.loads(body)
        nodes = [(int(line), str(node)) for line, node in data["nodes"]]
        resumes = {str(node): (int(number), int(at)) for node, (number, at) in data["resumes"].items()}
        tables = {name: dict(data[name]) for name in TABLES}
        source, constants, lookups, bodies = str(data["source"]), list(data["constants"]), list(data["lookups"]), dict(data["bodies"])
        generated = Generated(source, constants, lookups, nodes, bodies, resumes, **tables)
        compiled = marshal.loads(base64.b64decode(data["compiled"]))  # it is what was written here, or its checksum would not fit
        return (generated, compiled) if isinstance(compiled, CodeType) else None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError):
        return None


def write(path: Path, generated: Generated, compiled: CodeType) -> None:
    """Keep an entry, if that is possible."""
    data = {**generated._asdict(), "compiled": base64.b64encode(marshal.dumps(compiled)).decode()}
    with contextlib.suppress(UnicodeError):
        cache.write(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
