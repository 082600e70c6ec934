"""`--watch`: does something again whenever a file changes that it has to do with.

Takes a round, which does its work and names what it looked at: folders, files, and paths at which nothing lies yet. These are looked at several times a second (what
matters are time, size and identity of every rules and YAML file in them), and when they have changed and then been still for a moment the round is done again. So
files that come or go are seen, and editors that write a new file and put it in place of the old one are waited for. What was read of unchanged files stays in memory.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulewright.sources import Package

SUFFIXES = (".rules", ".yaml", ".yml", ".rulewright")
MANIFEST = "ruleset.yaml"
EVERY, STILL = 0.06, 0.03  # seconds between two looks, and for which nothing may change before the next round
PATIENCE = 40  # looks at files that do not come to rest
DEEPEST = 4  # folders in each other that are looked into
MOST = 5_000  # files that are looked at
CLEAR = "\x1b[H\x1b[2J"  # what was said before can still be scrolled back to

Mark = tuple[int, int, int]
NEVER: Mark = (0, 0, 0)
Marks = Mapping[str, Mark]
Round = Callable[[frozenset[str]], Iterable[Path]]  # is given the files that have changed, none the first time


class Watcher:
    """Looks at files."""

    def __init__(self) -> None:
        self.roots: frozenset[Path] = frozenset()
        self.seen: Marks = {}

    def look(self, roots: Iterable[Path], since: int | None = None) -> None:
        """Look at these from now on; `since` when they were read, in nanoseconds: what is newer counts as changed."""
        wanted = frozenset(roots)
        found = marks(wanted)
        for path, mark in found.items():
            if since is not None and path not in self.seen and mark[0] >= since:
                found[path] = NEVER
        known = self.seen if wanted == self.roots else {path: mark for path, mark in self.seen.items() if path in found}
        self.roots, self.seen = wanted, {**found, **known}

    def changed(self) -> frozenset[str]:
        """The files that have come, gone or changed since the last time; where there are any, they are let come to rest."""
        now = marks(self.roots)
        if now == self.seen:
            return frozenset()
        for _ in range(PATIENCE):
            time.sleep(STILL)
            before, now = now, marks(self.roots)
            if before == now:
                break
        found = frozenset(path for path in {*now, *self.seen} if now.get(path) != self.seen.get(path))
        self.seen = now
        return found

    def wait(self) -> frozenset[str]:
        """Wait until something has changed."""
        while not (found := self.changed()):
            time.sleep(EVERY)
        return found


def marks(roots: Iterable[Path]) -> dict[str, Mark]:
    """When the files in some folders were last changed, and how large they are; what cannot be looked at is not there."""
    found: dict[str, Mark] = {}
    for root in roots:
        if root.is_dir():
            _inside(str(root), DEEPEST if (root / MANIFEST).is_file() else 1, found)
        else:
            _mark(str(root), found)
    return found


def _inside(folder: str, deep: int, found: dict[str, Mark]) -> None:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if len(found) >= MOST or entry.name.startswith("."):
            continue
        if entry.name.endswith(SUFFIXES):
            _mark(entry.path, found)
        elif deep > 1 and entry.is_dir(follow_symlinks=False):
            _inside(entry.path, deep - 1, found)


def _mark(path: str, found: dict[str, Mark]) -> None:
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return
    found[path] = about.st_mtime_ns, about.st_size, about.st_ino


def places(named: Iterable[str], packages: Iterable[Package] = ()) -> set[Path]:
    """What to look at for what somebody names, and for what was read for it."""
    from rulewright.sources.locate import find, known_rulesets

    known = known_rulesets()
    found: list[str | Path] = []
    for each in named:
        there = find(each, known)
        found += [each, f"{each}.rules"] if there is None else [there.parent if there.name == MANIFEST else there]
    found += [package.files[0].name if package.alone and package.files else package.folder for package in packages]
    return {Path(os.path.abspath(each)) for each in found}


def again(do: Round) -> None:
    """Does something, and again whenever what it names has changed, until somebody interrupts it."""
    import gc

    from rulewright import collection
    from rulewright.session import Session, used

    watcher, changed = Watcher(), frozenset[str]()
    try:
        with used(Session()):
            while True:
                _clear()
                begun, since = time.process_time(), time.time_ns()
                with collection.put_off():
                    watcher.look(do(changed), since)
                    click.echo(_told(changed, time.process_time() - begun))
                gc.collect()  # now that nobody waits
                changed = watcher.wait()
    except KeyboardInterrupt:
        click.echo()


def _clear() -> None:
    """Only a terminal has a screen; elsewhere one round follows another."""
    if sys.stdout.isatty():
        click.echo(CLEAR, nl=False)


def _told(changed: frozenset[str], took: float) -> str:
    """The line under a round: when it was, what it was for, and how it ends."""
    from rulewright.render import printable
    from rulewright.sources.locate import shown

    names = sorted(map(shown, changed))
    what = "" if not names else f"{printable(names[0])} changed, " if len(names) == 1 else f"{len(names)} files changed, "
    return f"[{time.strftime('%H:%M:%S')}] {what}{took:.2f} s. Waiting for changes; Ctrl-C ends."
