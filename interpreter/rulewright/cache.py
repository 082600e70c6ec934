"""The cache: the one place that reads and writes what is kept between runs.

There is one folder: the one that RULEWRIGHT_CACHE names (`off`: none), else `rulewright` in the user's cache folder. An entry is named after a hash of all
that it was made from, and begins with a checksum, so that neither an older entry nor half of one is ever taken for this one.

What is kept decides what is run, so there is one rule about who may write it: nobody but the user. The folder must be a folder of the user's, an entry a file
of the user's, and neither may be writable by group or others. The folders on the way to it must be the user's or the administrator's, and writable by nobody
else; one like /tmp will do, where people cannot touch what is not theirs. Links on the way are the user's or the administrator's and lead through such
folders; the folder and its entries are no links. Where the rule does not hold nothing is read and nothing written. A cache that cannot be used is no reason
to fail: there is none then. Without owners of files (Windows) the folder is trusted as it is.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rulewright.files import write_bytes

VARIABLE = "RULEWRIGHT_CACHE"
OFF = "off"
LARGEST = 64_000_000  # bytes of an entry
KEEP = 40  # entries of a kind in the folder; those that nobody has used for the longest go
SMALL = {"tree": 400, "document": 200, "verdict": 200}  # of these kinds so many: one for each file of a ruleset
FRESH = 3600  # seconds in which an entry need not be marked as used again
ADMINISTRATOR = 0
MOST_LINKS = 40  # on the way to the folder
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def entry_path(kind: str, *made_from: str) -> Path | None:
    """Where the entry of a kind that is made from something is, or would be; None if there is no folder that may be used."""
    where = folder()
    if where is None or not _ours(where):
        return None
    mark = hashlib.sha256("\0".join((kind, *made_from, sys.implementation.name, sys.version)).encode()).hexdigest()[:40]
    return where / f"{mark}.{kind}"


@functools.cache
def program_mark() -> str:
    """A mark of the interpreter's own source: other source makes other entries."""
    here = Path(__file__).parent
    files = sorted(path for path in here.rglob("*") if path.suffix in (".py", ".lark"))
    return hashlib.sha256(b"\0".join(part for file in files for part in (str(file.relative_to(here)).encode(), file.read_bytes()))).hexdigest()


def read(path: Path) -> bytes | None:
    """What an entry holds; None if there is none, or none that the user alone can have written, whole."""
    try:
        with open(
            path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        ) as stream:
            about = os.fstat(stream.fileno())
            if not stat.S_ISREG(about.st_mode) or not _only_ours(about) or about.st_size > LARGEST:
                return None
            mark, _, body = stream.read().partition(b"\n")
    except OSError:
        return None
    if mark != _checksum(path, body):
        return None
    if time.time() - about.st_mtime > FRESH:
        with contextlib.suppress(OSError):
            os.utime(path)
    return body


def write(path: Path, body: bytes) -> None:
    """Keep an entry, if that is possible, and let those of its kind go that have not been used for the longest."""
    with contextlib.suppress(OSError):
        for step in (*reversed(path.parent.parents), path.parent):
            step.mkdir(mode=0o700, exist_ok=True)
        if not _ours(path.parent):  # somebody was quicker
            return
        write_bytes(path, _checksum(path, body) + b"\n" + body, mode=0o600)
        entries, most = list(path.parent.glob(f"*{path.suffix}")), SMALL.get(path.suffix[1:], KEEP)
        if len(entries) > most:
            for old in sorted(entries, key=lambda each: each.lstat().st_mtime)[:-most]:
                old.unlink()


def folder() -> Path | None:
    """The folder of the cache; None if the user wants none or has no home."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == OFF:
        return None
    try:
        if wanted:
            return Path(os.path.abspath(wanted))
        home = Path.home()
    except (RuntimeError, OSError):  # no home, or no folder to stand in
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return Path(os.path.abspath(base / "rulewright"))


def _ours(where: Path) -> bool:
    """Whether the rule holds for a folder and for all on the way to it. What does not exist yet will be made by the user."""
    if not hasattr(os, "getuid"):
        return True
    try:
        about = os.lstat(where)
        if not stat.S_ISDIR(about.st_mode) or not _only_ours(about):
            return False
    except FileNotFoundError:
        pass
    except OSError:
        return False
    try:
        return all(_safe(step) for step in _way(where.parent))
    except OSError:
        return False


def _way(where: Path) -> Iterator[Path]:
    """Every folder and every link that is passed on the way to a folder, itself included."""
    here, left, links = Path(where.anchor), list(reversed(where.parts[1:])), 0
    yield here
    while left:
        here = here / left.pop()
        if here.name == "..":  # as links have it
            here = here.parent.parent
            continue
        yield here
        if os.path.islink(here):
            links += 1
            if links > MOST_LINKS:
                raise OSError("its links go round in a circle")
            target = Path(os.readlink(here))
            here = Path(target.anchor) if target.is_absolute() else here.parent
            left += reversed(target.parts[1:] if target.is_absolute() else target.parts)


def _safe(step: Path) -> bool:
    """Whether nobody but the user and the administrator can put something else in place of what is in a folder; a link counts by its owner."""
    try:
        about = os.lstat(step)
    except FileNotFoundError:
        return True
    if about.st_uid not in (os.getuid(), ADMINISTRATOR):
        return False
    return stat.S_ISLNK(about.st_mode) or not about.st_mode & OTHERS_WRITE or bool(about.st_mode & stat.S_ISVTX)


def _only_ours(about: os.stat_result) -> bool:
    """Whether something is the user's, and nobody else may write it."""
    return not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & OTHERS_WRITE)


def _checksum(path: Path, body: bytes) -> bytes:
    """A mark of an entry and of its name, and so of what it was made from."""
    return hashlib.sha256(path.name.encode() + b"\0" + body).hexdigest().encode()
