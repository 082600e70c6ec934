"""Journals: one append-only file a game, from which the game can be made again at any moment.

A line is a checksum, a blank and a JSON document: first the header (rules, seed, seats), then what has happened: `{"c": [player, option]}` a choice,
`{"u": n}` the last n choices taken back, `{"s": ...}` a change of seats, `{"e": winners}` the end, `{"stop": "..."}` that of a game that cannot go on. `append` returns when the line is on disk. A last line that is not whole is what a crash
leaves of an answer that nobody was told of: it is cut off. Anything else that does not fit is damage, and refused.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SUFFIX = ".journal"
FORMAT = "rulewright journal"
VERSION = 1
LARGEST = 64_000_000

Line = dict[str, Any]


class JournalError(Exception):
    """A journal that cannot be read or written; says why."""


class Journal:
    """The journal of one game, open for more."""

    def __init__(self, path: Path, length: int) -> None:
        self.path = path
        self._length = length  # of what is whole and on disk

    def append(self, *lines: Line) -> None:
        """Write lines, and return when they are on disk; if that fails the file is as before."""
        data = b"".join(map(encode, lines))
        try:
            with open(self.path, "r+b", buffering=0) as stream:
                stream.seek(self._length)
                stream.truncate()
                if stream.write(data) != len(data):
                    raise OSError(28, "there is no room left")
                os.fdatasync(stream.fileno()) if hasattr(os, "fdatasync") else os.fsync(stream.fileno())
        except OSError as error:
            raise JournalError(f"the game cannot be written to disk: {error.strerror or error}") from None
        self._length += len(data)

    def move(self, folder: Path) -> None:
        """Put the file into another folder."""
        target = folder / self.path.name
        os.replace(self.path, target)
        sync_folder(folder)
        self.path = target


def create(path: Path, header: Line, lines: Sequence[Line] = ()) -> Journal:
    """A new journal, which is there as a whole or not at all."""
    data = b"".join(map(encode, ({"format": FORMAT, "version": VERSION, **header}, *lines)))
    temporary = path.with_name(f".{path.name}.new")
    try:
        with open(temporary, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise JournalError(f"the game cannot be written to disk: {error.strerror or error}") from None
    return Journal(path, len(data))


def read(path: Path) -> tuple[Journal, Line, list[Line]]:
    """A journal with its header and everything after it."""
    try:
        if path.stat().st_size > LARGEST:
            raise JournalError(f"'{path.name}' is larger than any journal")
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read '{path.name}': {error.strerror or error}") from None
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    found = [decode(line) for line in lines]
    if found and found[-1] is None and len(found) > 1:  # a disk may have written the end of a line before its beginning
        whole -= len(lines[-1]) + 1
        found.pop()
    if not found or None in found:
        number = found.index(None) + 1 if found else 1
        raise JournalError(f"'{path.name}' is damaged at line {number}")
    header, *rest = (each for each in found if each is not None)
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        raise JournalError(f"'{path.name}' is no journal of this version")
    return Journal(path, whole), header, rest


def encode(line: Line) -> bytes:
    """A line with its checksum."""
    text = json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def decode(line: bytes) -> Line | None:
    """What a line says; None if it is not whole."""
    if line[8:9] != b" " or line[:8] != b"%08x" % zlib.crc32(line[9:]):
        return None
    try:
        found = json.loads(line[9:])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def sync_folder(folder: Path) -> None:
    """Let the names in a folder be on disk, where that can be asked for."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
