"""Sessions: what somebody who reads the same rulesets again and again keeps in memory, as an editor does, or `validate`, which builds them with all their parts.

A session has texts that are not saved yet, which are read instead of the files they are of, and what was made of texts before, found again by its content. It
holds where it is `used`, and nowhere else; without one every file is read from the disk, and everything is made anew.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")
MOST = 600  # things that are kept, the least recently used of which go first


class Session:
    """Unsaved texts by the real paths of their files, and what was made of texts."""

    def __init__(self, most: int = MOST) -> None:
        self.unsaved: dict[str, str] = {}
        self.most = most
        self._kept: OrderedDict[Hashable, object] = OrderedDict()

    def copied(self) -> Session:
        """A session with the same texts, and what was made of them, that can be given other texts."""
        made = Session(self.most)
        made.unsaved, made._kept = dict(self.unsaved), OrderedDict(self._kept)
        return made

    def made(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What has been made for a key before, or is made now. It is shared: nobody may change it."""
        try:  # another thread may let it go at any moment
            self._kept.move_to_end(key)
            return self._kept[key]  # type: ignore[return-value]  # a key begins with who makes it
        except KeyError:
            pass
        made = self._kept[key] = make()
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return made


_USED: ContextVar[Session | None] = ContextVar("session", default=None)


@contextmanager
def used(session: Session) -> Iterator[None]:
    """Read by a session inside this."""
    before = _USED.set(session)
    try:
        yield
    finally:
        _USED.reset(before)


@contextmanager
def used_here() -> Iterator[None]:
    """Read by the session that is used already, or by one that ends with this."""
    if _USED.get() is not None:
        yield
        return
    with used(Session()):
        yield


def unsaved(path: Path) -> str | None:
    """The text of a file as somebody has it open; None if nobody has."""
    session = _USED.get()
    if session is None or not session.unsaved:
        return None
    try:
        return session.unsaved.get(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def typing() -> bool:
    """Whether somebody has texts open that are not saved: what is made of those is of no use to anybody else."""
    session = _USED.get()
    return session is not None and bool(session.unsaved)


def kept(key: Hashable, make: Callable[[], Made]) -> Made:
    """What a session has for a key; without one it is made."""
    session = _USED.get()
    return make() if session is None else session.made(key, make)
