"""Packs: a ruleset or layer as one file, to be sent to somebody, and what is read of such a file.

A pack is a zip file with the folder of the ruleset and `pack.json`, which names the folder and every file in it with its checksum. It is a stranger's file: names that lead
outside, other sorts of files, files that are not named or not as they were, and more than a ruleset may have are refused (`PackError`, with the reason), and nothing is
written then. What is read lies in a folder of the user's cache under a hash of the pack; without a cache in a folder that goes with the process.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright import cache

SUFFIX = ".rulewright"
FORMAT = {"format": "rulewright-pack", "version": 1}
INDEX = "pack.json"
SORTS = (".rules", ".yaml", ".yml", ".md")  # of files that a ruleset has
MOST_FILES, MOST_BYTES, MOST_TOGETHER = 400, 1_000_000, 20_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]*(?:/[A-Za-z0-9][A-Za-z0-9_. -]*)*")
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the same files make the same pack


class PackError(Exception):
    """Why something is no pack, or cannot become one."""


def pack(root: str, contents: Mapping[str, bytes], about: Mapping[str, Any]) -> bytes:
    """The files of a ruleset as one; `root` is the folder, or the lone rules file, that is meant, `about` what people may read of it."""
    _check(contents)
    index = {**FORMAT, "root": root, **about, "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(contents.items())}}
    with tempfile.TemporaryFile() as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in [(INDEX, json.dumps(index, indent=1).encode()), *sorted(contents.items())]:
                archive.writestr(zipfile.ZipInfo(name, ALWAYS), data, zipfile.ZIP_DEFLATED)
        stream.seek(0)
        return stream.read()


def unpacked(path: str | Path) -> Path:
    """Where the ruleset of a pack lies, unpacked: its folder, or its rules file."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MOST_TOGETHER + 1)
    except OSError as error:
        raise PackError(error.strerror or str(error)) from None
    if len(data) > MOST_TOGETHER:
        raise PackError(f"it is larger than {MOST_TOGETHER:,} bytes")
    return _unpacked(data)


def packed_id(path: str | Path) -> str | None:
    """The id of the ruleset that a pack was made of; None if it is no sound pack."""
    try:
        unpacked(path)
        with zipfile.ZipFile(path) as archive:
            made_of = json.loads(archive.read(INDEX)).get("id")
    except (PackError, OSError, zipfile.BadZipFile, KeyError, ValueError):
        return None
    return made_of if isinstance(made_of, str) else None


def refusal(path: str | Path) -> str:
    """Why a pack cannot be used."""
    try:
        unpacked(path)
    except PackError as error:
        return str(error)
    return "there is no ruleset in it"


@functools.lru_cache(maxsize=64)
def _unpacked(data: bytes) -> Path:
    mark = hashlib.sha256(data).hexdigest()[:40]
    root, contents = read(data)
    place = _place() / mark
    if not place.is_dir():
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished = Path(tempfile.mkdtemp(prefix=f".{mark}-", dir=place.parent))
            for name, text in contents.items():
                (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / name).write_bytes(text)
            try:
                os.rename(unfinished, place)
            except OSError:  # somebody was quicker
                shutil.rmtree(unfinished, ignore_errors=True)
        except OSError as error:
            raise PackError(f"it cannot be unpacked: {error.strerror or error}") from None
    for name, text in contents.items():  # what lies there is what was sent
        if _bytes(place / name) != text:
            raise PackError(f"what was unpacked of it has been changed: {place / name}")
    return place / root


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def read(data: bytes) -> tuple[str, dict[str, bytes]]:
    """What is in a pack: what is meant, and every file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES + 1:
                raise PackError(f"there are more than {MOST_FILES} files in it")
            if any(entry.flag_bits & 1 for entry in entries):
                raise PackError("it is encrypted")
            found: dict[str, bytes] = {}
            for entry in entries:
                found[entry.filename] = _read(archive, entry)
                if sum(map(len, found.values())) > MOST_TOGETHER:
                    raise PackError(f"the files are larger than {MOST_TOGETHER:,} bytes together")
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError, RuntimeError, ValueError, UnicodeError) as error:
        raise PackError(f"it is no pack of rulewright: {error}") from None
    except Exception as error:  # what a damaged stream makes a decompressor say
        if isinstance(error, PackError):
            raise
        raise PackError(f"it is damaged: {error}") from None
    if len(found) != len(entries):
        raise PackError("there are two files of one name in it")
    return _indexed(found)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    with archive.open(entry) as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise PackError(f"'{entry.filename}' is larger than {MOST_BYTES:,} bytes")
    return data


def _indexed(found: dict[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """The files of a pack, held against its index."""
    try:
        index = json.loads(found.pop(INDEX).decode("utf-8"))
        root, sums = index["root"], index["files"]
        ours = all(index[key] == value for key, value in FORMAT.items()) and isinstance(root, str) and isinstance(sums, dict)
    except (KeyError, TypeError, ValueError, RecursionError):
        ours = False
    if not ours:
        raise PackError(f"it has no '{INDEX}' of this version of rulewright")
    _check(found)
    if set(found) != set(sums):
        raise PackError(f"its files are not those that its '{INDEX}' names")
    for name, data in found.items():
        if hashlib.sha256(data).hexdigest() != sums[name]:
            raise PackError(f"'{name}' is not as it was when it was packed")
    if not any(name == root or name.startswith(f"{root}/") for name in found):
        raise PackError(f"there is no '{root}' in it")
    return root, found


def _check(contents: Mapping[str, bytes]) -> None:
    """Names that stay inside, sorts of files that rulesets have, and not too much of them."""
    if len(contents) > MOST_FILES:
        raise PackError(f"there are more than {MOST_FILES} files")
    if sum(map(len, contents.values())) > MOST_TOGETHER:
        raise PackError(f"the files are larger than {MOST_TOGETHER:,} bytes together")
    for name, data in contents.items():
        if not _NAME.fullmatch(name) or any(part.endswith((".", " ")) for part in name.split("/")):
            raise PackError(f"'{name}' is no name that can be unpacked everywhere")
        if not name.endswith(SORTS):
            raise PackError(f"'{name}' is no file of a ruleset ({', '.join(SORTS)})")
        if len(data) > MOST_BYTES:
            raise PackError(f"'{name}' is larger than {MOST_BYTES:,} bytes")


@functools.cache
def _place() -> Path:
    """The folder in which packs are unpacked."""
    kept = cache.entry_path("packs")
    if kept is not None:
        return kept.with_name("packs")
    made = Path(tempfile.mkdtemp(prefix="rulewright-packs-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def inside_pack(path: Path) -> str | None:
    """A path of something that was unpacked, as people know it: as if the pack were a folder; None for any other."""
    if not _place.cache_info().currsize or not path.is_relative_to(_place()):
        return None
    _, *names = path.relative_to(_place()).parts
    return "/".join([f"{Path(names[0]).stem}{SUFFIX}", *(names[1:] or names)]) if names else None
