"""Long work shows progress: one line on the terminal, with a sign that moves, gone when the work is done.

    with progress("scenarios played") as tell:       what is being done, or counted
        tell(3, 120)                                 how far it is, as often as one likes; or
        tell.now("base on wasm")                     what is being done now

Written to the error stream, and only where that is a terminal: never into pipes or files. Work that is done within a second shows nothing. The sign moves by itself, while
something is compiled too. Where one such line stands already, another says nothing: what is inside of long work is part of it. While it stands nothing else may be printed.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rulewright.render import printable

PATIENCE, PACE = 1.0, 0.12  # seconds until it is shown, and from one sign to the next
SIGNS, PLAIN_SIGNS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\"
_LINE = threading.Lock()  # the line of the terminal, which one at a time may have


class Progress:
    """What is told of how far work is; a thread shows it."""

    def __init__(self, what: str) -> None:
        self._what, self._text = what, f"{what} ..."
        self._begun, self._over = time.monotonic(), threading.Event()
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """So many of so many are done."""
        self._text = f"{done} of {total} {self._what} ..."

    def now(self, text: str) -> None:
        """This is what is being done now."""
        self._text = f"{text} ..."

    def _show(self) -> None:
        """Draw, again and again, until it is over. Written past the buffer of the stream, whose lock a process that is forked meanwhile would inherit."""
        signs = SIGNS if (sys.stderr.encoding or "").lower().startswith("utf") else PLAIN_SIGNS
        late, number = self._over.wait(PATIENCE), 0
        while not late:
            seconds = int(time.monotonic() - self._begun)
            room = shutil.get_terminal_size((80, 24)).columns - 1
            line = f"{signs[number % len(signs)]} {printable(self._text)} {seconds} s"[: max(room, 1)]
            self._write(f"\r\x1b[K{line}")
            self._shown = True
            late, number = self._over.wait(PACE), number + 1

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # a terminal that is gone is no reason to end
            os.write(sys.stderr.fileno(), text.encode(sys.stderr.encoding or "ascii", "replace"))

    def _run(self) -> threading.Thread:
        shown = threading.Thread(target=self._show, name="progress", daemon=True)
        shown.start()
        return shown

    def _end(self, shown: threading.Thread) -> None:
        self._over.set()
        shown.join()
        if self._shown:
            self._write("\r\x1b[K")


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show that something is being done, and how far it is, to somebody who waits at a terminal."""
    made = Progress(what)
    if not _wanted() or not _LINE.acquire(blocking=False):
        yield made
        return
    try:
        shown = made._run()
        try:
            yield made
        finally:
            made._end(shown)
    finally:
        _LINE.release()


def _wanted() -> bool:
    """Whether anybody waits: a terminal that can go back to the start of its line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
