"""Pages as files: put in place in one step, and never over what somebody else has made.

Takes a path, a text that `document` made, and which command made it. Refuses a file that is there and was not made by the same command (`NotOurs`), unless forced.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.files import write_text

_READ = 4096  # bytes at the start of a file in which it says who made it


class NotOurs(Exception):
    """There is a file that this command has not made."""


def generator(made_by: str) -> str:
    """What a page says of who made it."""
    return f'<meta name="generator" content="{made_by}">'


def write_page(path: Path, text: str, made_by: str, force: bool = False) -> None:
    """Write a page. May raise NotOurs and OSError."""
    if not force:
        mind(path, generator(made_by).encode())
    write_text(path, text)


def mind(path: Path, mark: bytes) -> None:
    """Raise NotOurs if there is a file that does not begin with a mark; what is no ordinary file (a pipe, a device) may be written to."""
    if path.is_file():
        with open(path, "rb") as stream:
            start = stream.read(_READ)
        if start and mark not in start:
            raise NotOurs(f"'{path}' was not made by this command; --force writes over it")
