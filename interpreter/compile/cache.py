"""The cache of generated code, in the user's cache folder.

An entry is a file named after a mark of the graph and of the engine's own source, so that neither an older engine nor another ruleset is ever
taken for this one. It holds the generated source with its tables as JSON under a checksum; what is damaged, or is not what its name says, is made anew. Files
are written in one step. A cache that cannot be read or written is no reason to fail: there is none then.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from functools import cache as once
from pathlib import Path
from typing import Any

import msgspec

from interpreter.build import without_spans
from interpreter.compile.generate import Generated, generate
from interpreter.files import write_text

FORMAT = "rulewright code 1"
LARGEST = 64_000_000
TABLES = ("granting", "hooks", "offers", "possible", "leading", "planned", "bills", "words")
KEEP = 40  # files in the folder; the oldest go


def code_for(graph: dict[str, Any]) -> Generated:
    """The generated code of a graph, from the cache if it has it."""
    fingerprint = exact_mark(graph)
    path = entry_path(fingerprint)
    found = read(path, fingerprint) if path is not None else None
    if found is None:
        found = generate(graph)
        if path is not None:
            write(path, fingerprint, found)
    return found


def exact_mark(graph: dict[str, Any]) -> str:
    """A mark of a graph in which the order of everything counts: functions are numbered by it. Where things stand in files does not count."""
    return hashlib.sha256(msgspec.json.encode(without_spans(graph))).hexdigest()


def folder() -> Path | None:
    """The folder of the cache; None if the user wants none (RULEWRIGHT_CACHE=off) or has no home."""
    wanted = os.environ.get("RULEWRIGHT_CACHE", "")
    if wanted == "off":
        return None
    if wanted:
        return Path(wanted)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "rulewright"


@once
def engine_mark() -> str:
    """A mark of the engine's own source: other code makes other entries."""
    here = Path(__file__).parent
    files = [*sorted(here.glob("*.py")), *sorted((here.parent / "run").glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _name(fingerprint: str) -> str:
    return hashlib.sha256(f"{FORMAT}\0{fingerprint}\0{engine_mark()}".encode()).hexdigest()[:40]


def entry_path(fingerprint: str) -> Path | None:
    """Where the entry of a graph is, or would be."""
    where = folder()
    return None if where is None else where / f"{_name(fingerprint)}.json"


def read(path: Path, fingerprint: str) -> Generated | None:
    """An entry; None if there is none that can be trusted to be this one."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        mark, _, body = path.read_text(encoding="utf-8").partition("\n")
        if mark != _checksum(fingerprint, body):
            return None
        data = json.loads(body)
        nodes = [(int(line), str(node)) for line, node in data["nodes"]]
        resumes = {str(node): (int(number), int(at)) for node, (number, at) in data["resumes"].items()}
        tables = {name: dict(data[name]) for name in TABLES}
        source, constants, lookups, bodies = str(data["source"]), list(data["constants"]), list(data["lookups"]), dict(data["bodies"])
        return Generated(source, constants, lookups, nodes, bodies, resumes, **tables)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def write(path: Path, fingerprint: str, code: Generated) -> None:
    """Keep an entry, if that is possible."""
    body = json.dumps(code._asdict(), ensure_ascii=False, separators=(",", ":"))
    with contextlib.suppress(OSError, UnicodeError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, f"{_checksum(fingerprint, body)}\n{body}")
        for old in sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)[:-KEEP]:
            old.unlink()


def _checksum(fingerprint: str, body: str) -> str:
    """A mark of an entry and of what it is for."""
    return hashlib.sha256(f"{_name(fingerprint)}\0{body}".encode()).hexdigest()
