"""What was made of texts that have not changed since an earlier run: trees of rules files and documents of YAML files, kept in the cache.

Whoever reads a sort of texts has a `Kept` of its own, and asks it with all that the result depends on: the text, the name it has for people, and settings. Only flawless
results are kept, so that whatever is wrong with a text is found anew each time, in the same words. Entries are plain data of one shape and named after the
interpreter's own source, too; what is damaged or has another shape is made anew. While one program runs, sessions keep the same in memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from rulewright import cache, session

Made = TypeVar("Made")
FORMAT = "rulewright text 1"


class Kept(Generic[Made]):
    """The results of one sort."""

    def __init__(self, kind: str, form: type[Made]) -> None:
        self.kind = kind
        self.decoder = msgspec.msgpack.Decoder(form)

    def get(self, *made_from: str) -> Made | None:
        """What was made of something; None if it is not kept."""
        path = self._path(made_from)
        body = cache.read(path) if path is not None else None
        try:
            return None if body is None else self.decoder.decode(body)
        except (msgspec.DecodeError, RecursionError):
            return None

    def put(self, made: Made, *made_from: str) -> None:
        """Keep what was made of something, if that is possible, and if it is more than what somebody is typing."""
        path = self._path(made_from)
        if path is None or session.typing():
            return
        try:
            body = msgspec.msgpack.encode(made)
        except (TypeError, OverflowError, RecursionError):  # very deep, or a number that is too large for it
            return
        cache.write(path, body)

    def _path(self, made_from: tuple[str, ...]) -> Path | None:
        return cache.entry_path(self.kind, FORMAT, cache.program_mark(), *made_from)
