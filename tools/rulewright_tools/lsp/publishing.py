"""Diagnostics while somebody types: at once what is wrong with the text, soon what is wrong with the ruleset, and, when it is saved, what only a thorough look finds.

A thread of its own builds rulesets, one after the other, the one that was changed last first; what has changed meanwhile is built again. A ruleset that cannot be built for
a reason that should not be is told of once, and what was known of it stays.
"""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable

from rulewright.diagnostics import Diagnostic, in_order
from rulewright_tools.lsp.project import RULES, SCENARIOS, Project

PAUSE = 0.04  # seconds without a change before a ruleset is built: what the same keystroke asks for is answered first
LONGEST_PAUSE = 0.4  # and for whoever never pauses
IDLE = 0.5  # seconds without a change before a ruleset is looked at thoroughly
Publish = Callable[[str, list[Diagnostic]], None]
log = logging.getLogger(__name__)


class Publishing:
    """Keeps the complaints about all files that matter, and tells of those that change."""

    def __init__(self, project: Project, publish: Publish) -> None:
        self.project = project
        self.publish = publish
        self.shown: dict[str, list[Diagnostic]] = {}  # by path
        self._syntax: dict[str, list[Diagnostic]] = {}
        self._quick: dict[str, list[Diagnostic]] = {}  # by ruleset
        self._extra: dict[str, list[Diagnostic]] = {}
        self._open: dict[str, str | None] = {}  # the ruleset of each path
        self._waiting: dict[str, float] = {}  # rulesets to be built, since when
        self._thorough: dict[str, float] = {}  # rulesets to be looked at thoroughly
        self._change = threading.Condition()
        self._ended = False
        self._built = 0  # since garbage was last looked for
        self._thread = threading.Thread(target=self._work, name="diagnostics", daemon=True)
        self._thread.start()

    # -- what happens in the editor

    def changed(self, path: str, thoroughly: bool = False) -> None:
        """A text was opened, typed in or saved."""
        target = self.project.target_of(path)
        self._open[path] = target
        if path.endswith(RULES):
            self._syntax[path] = self.project.syntax(path)
        elif os.path.basename(os.path.dirname(path)) == SCENARIOS:
            self._syntax[path] = self.project.scenarios(path)
        if target is not None:
            self._extra[target] = [
                one for one in self._extra.get(target, ()) if thoroughly or os.path.realpath(one.span.file) != os.path.realpath(path)
            ]
        self._show(path)
        for other in dict.fromkeys(self._open.values()):
            if other is not None and other != target and self.project.reads(other, path):
                self._ask(other, False)  # a layer over what is typed in
        self._ask(target, thoroughly)

    def closed(self, path: str) -> None:
        """A text was closed; a ruleset of which nothing is open is let go."""
        target = self._open.pop(path, None)
        self._syntax.pop(path, None)
        if target is None or target in self._open.values():
            self._show(path)
            self._ask(target, False)
            return
        self._quick.pop(target, None)
        self._extra.pop(target, None)
        self.project.forget(target)
        for each in list(self.shown):
            self._show(each)

    def everything(self) -> None:
        """Files have changed on the disk."""
        for target in dict.fromkeys(self._open.values()):
            self._ask(target, True)

    def end(self) -> None:
        """Stop building."""
        with self._change:
            self._ended = True
            self._change.notify()

    def _ask(self, target: str | None, thoroughly: bool) -> None:
        if target is None:
            return
        with self._change:
            self._waiting.pop(target, None)
            self._waiting[target] = time.monotonic()
            if thoroughly:
                self._thorough[target] = time.monotonic()
            self._change.notify()

    # -- what is shown

    def _show(self, path: str) -> None:
        """Tell of a file again, if anything about it is different."""
        mine = os.path.realpath(path)
        syntax = self._syntax.get(path, [])
        found = [
            one
            for known in (*self._quick.values(), *self._extra.values())
            for one in known
            if os.path.realpath(one.span.file) == mine and not (path in self._syntax and one.code.startswith("R1"))
        ]
        told = in_order([*syntax, *found])
        if told != self.shown.get(path):
            self.shown[path] = told
            self.publish(path, told)

    def _known(self, target: str, table: dict[str, list[Diagnostic]], found: Iterable[Diagnostic]) -> None:
        before = {one.span.file for one in table.get(target, ())}
        table[target] = list(found)
        files = {os.path.abspath(file) for file in before | {one.span.file for one in table[target]}}
        for path in [*files, *(path for path, of in self._open.items() if of == target and path not in files)]:
            self._show(path)

    # -- building

    def _work(self) -> None:
        while True:
            with self._change:
                while not self._ended and not self._next():
                    if not self._change.wait(IDLE / 4 if self._thorough else IDLE if self._built else None) and self._built and not self._thorough:
                        self._built = 0
                        gc.collect()  # now that nobody waits; while somebody does it is off
                if self._ended:
                    return
            self._pause()
            with self._change:
                target, thoroughly = self._taken()
            try:
                self._thoroughly(target) if thoroughly else self._quickly(target)
            except Exception:  # a bug of ours: the editor goes on without
                log.exception("'%s' could not be built", target)

    def _pause(self) -> None:
        """Wait until somebody has stopped typing for a moment."""
        began = time.monotonic()
        while (now := time.monotonic()) - began < LONGEST_PAUSE:
            last = max(self._waiting.copy().values(), default=now - PAUSE)
            if now - last >= PAUSE:
                return
            time.sleep(PAUSE - (now - last))

    def _next(self) -> bool:
        return bool(self._waiting) or any(time.monotonic() - asked > IDLE for asked in self._thorough.values())

    def _taken(self) -> tuple[str, bool]:
        if self._waiting:
            return self._waiting.popitem()[0], False
        target = next(target for target, asked in self._thorough.items() if time.monotonic() - asked > IDLE)
        del self._thorough[target]
        return target, True

    def _quickly(self, target: str) -> None:
        analysis = self.project.analyse(target)
        self._built += 1
        if target in self._open.values():
            self._known(target, self._quick, analysis.built.diagnostics)
        _ = analysis.declared  # which completion will ask for

    def _thoroughly(self, target: str) -> None:
        if target not in self._open.values():
            return
        found = self.project.thoroughly(target)
        self._built += 1
        known = {(one.code, one.message, one.span) for one in self._quick.get(target, ())}
        with self._change:
            if target in self._waiting:  # somebody has gone on typing
                self._thorough[target] = time.monotonic()
                return
        self._known(target, self._extra, (one for one in found if (one.code, one.message, one.span) not in known))
