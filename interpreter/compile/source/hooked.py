"""The part of an effect's function that hooks have in it: what could come instead of it, before it and after it.

Each hook is asked by its own function (see `hooking`). Nothing is made for hooks that do not hold; if one does, `happening` goes on from there. An event
on which something hooks for a time only is left to the reference engine.
"""

from __future__ import annotations

from contextlib import nullcontext

from interpreter.compile.source.facts import Facts
from interpreter.compile.source.hooking import TIMINGS
from interpreter.compile.source.writing import Module, Writer


class Hooked:
    """Writes what hooks do into the function of an effect. Of an effect without hooks it writes nothing."""

    def __init__(self, module: Module, facts: Facts, writer: Writer, path: str, given: list[str]) -> None:
        self.module, self.writer = module, writer
        hooks = module.graph["hooks"]
        standing = [(number, hooks[identity]["timing"]) for identity, number in facts.hooks.items() if hooks[identity]["event"] == path]
        self.instead = [number for number, timing in standing if timing == "instead"]
        self.before = [number for number, timing in standing if timing in ("before", "react")]
        self.after = [number for number, timing in standing if timing == "after"]
        self.installed = sorted(
            identity for identity, hook in hooks.items() if hook["event"] == path and hook["installed"] and hook["timing"] in TIMINGS
        )
        self.batches = any(node["op"] == "batch" for node in module.graph["nodes"].values())
        self.event = module.lookup("event", path) if path in facts.hooked else ""
        self.constant, self.given, self.arguments = module.constant(path).text, given, f"[{', '.join(given)}]"

    def _asked(self, hook: int, result: str) -> str:
        return f"h{hook}({', '.join(['m', 's', '-1', result, *self.given])})"

    def _installed(self) -> str:
        return f"S.installed and is_installed(m, {self.module.lookup('set', *self.installed)})"

    def entering(self) -> None:
        """What comes instead of the event, and before it."""
        writer = self.writer
        if self.installed:
            writer.line(f"if {self._installed()}:")
            writer.line(f"    m.pending.append(event_frame({self.constant}, s, {self.arguments}, name, outcome))")
            writer.line("    return 1")
        if self.instead:
            tests = [f"{self._asked(hook, 'None')} is not None" for hook in self.instead]
            writer.line(f"if {' or '.join(tests)}: return instead(m, {self.event}, s, {self.arguments}, name, outcome)")
        if self.before:
            self._first(self.before, "None")
            writer.line("if x is not None:")
            writer.line(f"    x = before(m, {self.event}, i, x, s, {self.arguments}, name, outcome)")
            writer.line("    if x: return x")

    def leaving(self) -> None:
        """What comes after the event, if its status is already known."""
        writer = self.writer
        tests = [self._installed()] if self.installed else []
        if self.after and self.batches:
            tests.append("in_batch(m)")
        if tests:
            writer.line(f"if {' or '.join(tests)}:")
            writer.line(f"    m.pending.append(over_frame({self.constant}, s, {self.arguments}, version, result, name, outcome))")
            writer.line("    return 1")
        if self.after:
            self._first(self.after, "result")
            writer.line("if x is not None:")
            writer.line(f"    x = after(m, {self.event}, i, x, s, {self.arguments}, version, result, status, name, outcome)")
            writer.line("    if x: return x")

    def _first(self, hooks: list[int], result: str) -> None:
        """The first hook that holds: its number in `i`, the component on which it does in `x`."""
        for number, hook in enumerate(hooks):
            if number:
                self.writer.line("if x is None:")
            with self.writer.inside() if number else nullcontext():
                self.writer.line(f"i = {number}")
                self.writer.line(f"x = {self._asked(hook, result)}")
