"""Whether what a game says looks as the ruleset that it shares with others has announced: `effect shed(cards: set of card), each game says its own`.

Takes the linked ruleset and its symbols; complains at what the game says, and shows what was announced. The names of parameters count, since hooks and layers may use
them. A value that does not say what it gives has been given what was announced, and is held against that where values are read.
"""

from __future__ import annotations

import re
from typing import Any

from rulewright import tree as t
from rulewright.check.collect import as_type
from rulewright.check.report import Report
from rulewright.check.symbols import Callable, Symbols
from rulewright.diagnostics import Related
from rulewright.resolve import Linked
from rulewright.resolve.linked import Item
from rulewright.types import Type, shown, with_article

SAME = {"phase": "effect"}


def check_left_open(linked: Linked, symbols: Symbols, report: Report) -> None:
    """Hold what is said against what was announced; that the shared rules then use it wrongly is not told too."""
    for key, announced in linked.left_open.items():
        said = linked.items[key]
        differences = _differences(announced, said, symbols) if said is not announced and said.path not in symbols.lost else []
        if differences:
            quoted = re.compile(rf"'{re.escape(said.path)}'|of {re.escape(said.path)}\b")
            inside = {file for file, package in linked.origins.items() if package == announced.package}
            report.diagnostics = [one for one in report.diagnostics if one.span.file not in inside or not quoted.search(one.message)]
        for message in differences:
            related = (Related(announced.declaration.span, f"'{announced.package}' leaves it to each game so"),)
            report("R401", message, said.declaration.span, "say it as it is announced, or change that for all games", related=related)


def _differences(announced: Item, said: Item, symbols: Symbols) -> list[str]:
    """What is not as announced, in words."""
    wanted, found = (SAME.get(item.what, item.what) for item in (announced, said))
    if wanted != found:
        return [f"'{said.path}' is announced as {with_article(wanted)}, and here it is {with_article(found)}"]
    path = said.path
    declared: Any = announced.declaration
    own: Any = said.declaration
    if found in ("effect", "value"):
        target = symbols.effects[path] if found == "effect" else symbols.values[path]
        return _parameters(declared, target, symbols) or _result(declared, target, symbols)
    if isinstance(declared, t.ComponentDecl) and not symbols.inherits(path, declared.kind):
        return [f"'{path}' is announced as {with_article(declared.kind)}, and here it is {with_article(own.kind)}"]
    if isinstance(declared, t.KindDecl) and declared.parent is not None and not symbols.inherits(path, declared.parent):
        return [f"the kind '{path}' is announced as {with_article(declared.parent)}, and here it is none"]
    return []


def _parameters(declared: Any, target: Callable, symbols: Symbols) -> list[str]:
    names = [parameter.name for parameter in declared.parameters]
    if names != [parameter.name for parameter in target.parameters]:
        own = ", ".join(parameter.name for parameter in target.parameters) or "nothing"
        return [f"'{target.path}' is announced with ({', '.join(names) or 'nothing'}), and here it has ({own})"]
    types = [as_type(parameter.type, symbols, Report()) for parameter in declared.parameters]
    pairs = zip(target.parameters, types, strict=True)
    return [
        f"'{parameter.name}' of {target.path} is announced as {shown(of)}, and here it is {shown(parameter.type)}"
        for parameter, of in pairs
        if parameter.type != of
    ]


def _result(declared: Any, target: Callable, symbols: Symbols) -> list[str]:
    of: Type | None = as_type(declared.gives, symbols, Report()) if declared.gives is not None else None
    if of == target.gives:
        return []
    return [f"'{target.path}' is announced {_giving(of)}, and here {_giving(target.gives)}"]


def _giving(of: Type | None) -> str:
    return "without a result" if of is None else f"to give {shown(of)}"
