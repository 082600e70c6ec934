"""Whether an effect or a value that a layer replaces still takes what those give it who use it: `replace effect search(): ...` for `search(who: character)`.

Takes the linked ruleset and what was found by reading it; where the calls that the rules below make, or the body itself, miss parameters that the original has, that is
told once, at the replacement, with the first line as it should be, instead of at every place that follows from it. A layer that changes all calls as well is left alone.
"""

from __future__ import annotations

import re
from typing import Any

from rulewright import tree as t
from rulewright.check.report import Report
from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.resolve import Linked

CONSEQUENCES = frozenset({"R301", "R403"})


def check_reshaped(linked: Linked, report: Report) -> None:
    """Tell of replacements that take another number of things than they are given."""
    for key, original in linked.reshaped.items():
        if key not in linked.items:
            continue
        new: Any = linked.items[key].declaration
        files = {file for file, package in linked.origins.items() if package == linked.items[key].package}
        following = [one for one in report.diagnostics if _follows(one, new, original, files)]
        if following:
            report.diagnostics = [one for one in report.diagnostics if one not in following]
            report.doubts = [one for one in report.doubts if not _inside(one.span, new.span)]
            message = f"'{new.name}' takes {_brackets(original)} where it is called, and here {_brackets(new)}"
            related = (Related(original.span, "this is what it replaces"),)
            report("R403", message, new.span, f"write: replace {head(original)}: ...", related=related)


def _follows(one: Diagnostic, new: Any, original: Any, own: set[str]) -> bool:
    """Whether a complaint comes of the parameters alone: a call elsewhere, or a name in the body that the original has."""
    if one.code not in CONSEQUENCES:
        return False
    if _inside(one.span, new.span):
        missing = {parameter.name for parameter in original.parameters} - {parameter.name for parameter in new.parameters}
        return any(f"'{name}'" in one.message for name in missing)
    return one.span.file not in own and re.match(rf"'{re.escape(new.name)}' (?:takes|happens to) ", one.message) is not None


def _inside(span: Span, outer: Span) -> bool:
    return span.file == outer.file and outer.line <= span.line <= outer.end_line


def head(declaration: Any) -> str:
    """The first line of an effect or a value as it is written."""
    what = declaration.what if isinstance(declaration, t.EffectDecl) else "value"
    gives = f" gives {_type(declaration.gives)}" if declaration.gives is not None else ""
    return f"{what} {declaration.name}{_brackets(declaration) if declaration.parameters or what == 'effect' else ''}{gives}"


def _brackets(declaration: Any) -> str:
    """The parameters of something as they are written."""
    return f"({', '.join(f'{one.name}: {_type(one.type)}' if one.type else one.name for one in declaration.parameters)})"


def _type(ref: t.TypeRef) -> str:
    """A type as it is written."""
    match ref.how:
        case "range":
            said = f"{ref.low}..{ref.high}"
        case "words":
            said = " | ".join(map(str, ref.words))
        case "set" | "list" if ref.of is not None:
            said = f"{ref.how} of {_type(ref.of)}"
        case "sort":
            said = f"sort of {ref.name}"
        case _:
            said = ref.name or ref.how
    return f"{said} or none" if ref.optional else said
