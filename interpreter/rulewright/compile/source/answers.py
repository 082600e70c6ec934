"""Answers that a function keeps: what it asks about who acts comes up again and again, and cannot change meanwhile.

Such an answer has a name `an<number>`, which is None until it is asked for. What comes up only once is not worth a name; so whoever writes a function writes it
twice: the first time to find out how often everything comes up.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from rulewright.compile.source.writing import BOOL, INT, ONE, Code, Scope, Writer
from rulewright.core.graph import mappings

Expr = dict[str, Any]
DEAR = ("value", "exists", "count", "pick", "measure", "place_of")  # what is worth a name
LASTING = re.compile(r"actor|an\d+|[kt]\d+|-?\d+|None|True|False")  # what stays the same in a function
OFTEN = 2


class Answers:
    """The answers that a function about `actor` keeps; `before` are those of the first time it was written."""

    def __init__(self, before: Answers | None = None) -> None:
        self.often = None if before is None else before.asked
        self.names: dict[str, str] = {} if before is None else before.names
        self.asked: Counter[str] = Counter()
        self.times = 1  # how often what is being written is asked
        self.known: dict[str, Code] = {}  # answers that have certainly been asked for
        self.here: dict[str, Code] = {}  # likewise, in the block that is being written
        self.block: tuple[list[str], int, int, bool] = ([], 0, 0, False)

    def begin(self, writer: Writer, *, always: bool) -> None:
        """A block begins: all of it is always carried out, up to the first line that may lead away; or, if not always, it may be that none of it is."""
        self.here, self.block = {}, (writer.lines, len(writer.lines), writer.depth, always)

    def key(self, expression: Expr, scope: Scope) -> str | None:
        """What an expression is known by, if it speaks of the actor only and is not soon answered."""
        operation = expression["op"]
        if operation not in DEAR:
            return None
        parts = list(mappings(expression))
        bound = {name for each in parts for name in _bound(each)}
        used = {each["name"] for each in parts if each.get("op") == "var"}
        meant = {name: scope.names[name].text for name in sorted(used) if name in scope.names}
        if scope.dynamic or not all(LASTING.fullmatch(text) for text in meant.values()):
            return None
        inner = {name: text for name, text in meant.items() if name in bound}  # what such a name stands for depends on where it is used
        return json.dumps([_bare(expression, {name: text for name, text in meant.items() if name not in bound}), inner], sort_keys=True)

    def answer(self, writer: Writer, key: str, make: Callable[[], Code]) -> Code:
        """The answer to a question, asked here unless it has been asked before."""
        self.asked[key] += self.times
        if self.often is not None and self.often[key] < OFTEN:
            return make()
        if key in self.known or key in self.here:
            return self.known.get(key) or self.here[key]
        level, always = self._level(writer)
        times, self.times = self.times, self.times if self.asked[key] == self.times else 0  # what is in a question comes up where that does first
        if always:
            before = len(writer.lines)
            code, made = make(), len(writer.lines) > before
        else:
            with writer.apart() as lines:
                code, made = make(), bool(lines)
        self.times = times
        if (code.simple and not made) or LASTING.fullmatch(code.text) or code.shape not in (ONE, BOOL, INT):
            writer.lines += [] if always else [line[4:] for line in lines]
            if level and not always:
                self.here |= {other: code for other, name in self.names.items() if name == code.text}
            return code
        name = self.names.setdefault(key, f"an{len(self.names)}")
        answer = code._replace(text=name, simple=True)
        if always:
            writer.line(f"{name} = {code.text}")
            self.known[key] = answer
            return answer
        if made:
            writer.line(f"if {name} is None:")
            writer.lines += [*lines, f"{'    ' * writer.depth}    {name} = {code.text}"]
        else:
            writer.line(f"if {name} is None: {name} = {code.text}")
        if level:
            self.here[key] = answer
        return answer

    def _level(self, writer: Writer) -> tuple[bool, bool]:
        """Whether what is written here is carried out whenever the block is, as far as it is, and whether it is carried out whatever happens."""
        lines, start, depth, always = self.block
        level = writer.lines is lines and writer.depth == depth
        return level, level and always and not any(line.endswith(("continue", "break")) for line in lines[start:])

    def opening(self, lines: list[str]) -> list[str]:
        """The line with which a function begins that keeps answers, if some of them may be asked for at several places."""
        names = [name for name in self.names.values() if any(f"if {name} is None:" in line for line in lines)]
        return [f"{' = '.join(names)} = None"] if names else []


def _bound(part: dict[str, Any]) -> list[str]:
    """The local names that an operation binds."""
    names = [part.get("binder"), "it" if "binder" in part else None, part["name"] if part.get("op") == "let" else None, *part.get("aliases", ())]
    return [name for name in names if isinstance(name, str)]


def _bare(part: Any, meant: dict[str, str]) -> Any:
    """An expression without where it stands, and with what some names stand for in their places."""
    if isinstance(part, dict):
        if part.get("op") == "var" and part["name"] in meant:
            return meant[part["name"]]
        return {name: _bare(each, meant) for name, each in part.items() if name not in ("span", "spans")}
    return [_bare(each, meant) for each in part] if isinstance(part, list) else part
