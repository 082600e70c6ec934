"""Writing files so that nothing is lost: a file is either the old one or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path


def write_text(path: str | Path, text: str) -> None:
    """Put a text in place of a file in one step. A link stays a link, a file keeps its mode; a device or pipe is written to. May raise OSError."""
    target = Path(os.path.realpath(path))
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with open(target, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        return
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    write_bytes(target, text.encode("utf-8"), mode, lasting=True)


def write_bytes(target: Path, data: bytes, mode: int, lasting: bool = False) -> None:
    """Put data in place of what has this name, be it a link; `lasting`: also should the power fail now. May raise OSError."""
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            if lasting:
                stream.flush()
                os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    """The mask for new files; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
