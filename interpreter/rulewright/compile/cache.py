"""The cache of generated code, in the user's cache folder.

An entry is a file named after a mark of the graph, of the engine's own source and of the Python that runs it, so that neither an older engine nor another
ruleset is ever taken for this one. It holds the generated source with its tables, and what Python has made of it, as JSON under a checksum; what is damaged, or
is not what its name says, is made anew. What is in the folder is run: a folder of somebody else, or one that everybody may write to, is not used. Files are
written in one step. A cache that cannot be read or written is no reason to fail: there is none then.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import marshal
import os
import sys
from functools import cache as once
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

from rulewright.build import without_spans
from rulewright.compile.source.generate import Generated, generate
from rulewright.files import write_text

FORMAT = "rulewright code 2"
LARGEST = 64_000_000
Code = tuple[Generated, CodeType]
TABLES = ("granting", "hooks", "offers", "possible", "leading", "planned", "bills", "words", "several", "reactions")
KEEP = 40  # files in the folder; the oldest go


def code_for(graph: dict[str, Any]) -> Code:
    """The generated code of a graph, and what Python makes of it; from the cache if it has it."""
    fingerprint = exact_mark(graph)
    path = entry_path(fingerprint)
    found = read(path, fingerprint) if path is not None else None
    if found is None:
        generated = generate(graph)
        found = generated, compile(generated.source, "<rules>", "exec")
        if path is not None:
            write(path, fingerprint, *found)
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
    files = [*sorted(here.rglob("*.py")), *sorted((here.parent / "run").glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _name(fingerprint: str) -> str:
    return hashlib.sha256(f"{FORMAT}\0{fingerprint}\0{engine_mark()}\0{sys.implementation.name} {sys.version}".encode()).hexdigest()[:40]


def entry_path(fingerprint: str) -> Path | None:
    """Where the entry of a graph is, or would be."""
    where = folder()
    return where / f"{_name(fingerprint)}.json" if where is not None and _own(where) else None


def _own(where: Path) -> bool:
    """Whether a folder is the user's own, so that nobody else can have put anything there; one that is still to be made will be."""
    if not hasattr(os, "getuid"):
        return True
    try:
        about = where.stat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return about.st_uid == os.getuid() and not about.st_mode & 0o002


def read(path: Path, fingerprint: str) -> Code | None:
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
        generated = Generated(source, constants, lookups, nodes, bodies, resumes, **tables)
        compiled = marshal.loads(base64.b64decode(data["compiled"]))  # it is what was written here, or its checksum would not fit
        return (generated, compiled) if isinstance(compiled, CodeType) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError):
        return None


def write(path: Path, fingerprint: str, generated: Generated, compiled: CodeType) -> None:
    """Keep an entry, if that is possible."""
    data = {**generated._asdict(), "compiled": base64.b64encode(marshal.dumps(compiled)).decode()}
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    with contextlib.suppress(OSError, UnicodeError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, f"{_checksum(fingerprint, body)}\n{body}")
        for old in sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)[:-KEEP]:
            old.unlink()


def _checksum(fingerprint: str, body: str) -> str:
    """A mark of an entry and of what it is for."""
    return hashlib.sha256(f"{_name(fingerprint)}\0{body}".encode()).hexdigest()
