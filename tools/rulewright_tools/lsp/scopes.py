"""Local names at a point of a text that is being written: what the lines around it bind, with types as far as they can be told.

Takes the lines of a declaration down to the point, finished or not, and the symbols of the ruleset as it last was; gives names with types. It goes by the look of lines, since the
declaration that somebody types in rarely parses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.check.expressions import Expressions
from rulewright.check.report import Report
from rulewright.check.scope import Scope
from rulewright.check.symbols import Callable, Symbols
from rulewright.parse import parse_fragment
from rulewright.types import ANY, FLAG, NUMBER, TEXT, Type, element, kind_type, many, set_of

NAME = r"[a-z_][a-z0-9_]*"
HEAD = re.compile(
    rf"\s*(?:(?:replace|rule {NAME}:)\s+)*(effect|value|cost|before|after|instead of|change|reaction(?: {NAME})?(?: \"[^\"]*\")? to)\s+(?:the first )?([\w.]+)\s*\(([^)]*)\)"
)
LET = re.compile(rf"\s*let ({NAME}) = (.+)")
CHOOSES = re.compile(rf"\s*(?:.*\b(?:chooses|choose))\s+({NAME}):\s*(.+)")
EACH = re.compile(rf"\s*for each ({NAME}(?: {NAME})*?)(?: (in|from|of|where|next|within|ordered|reachable|visible)\b(.*?))?(?: at once)?:")
AS = re.compile(rf"\bas ({NAME})\b")
DRAW = re.compile(rf"\s*draw (.+?)(?: to .+?)? as ({NAME})")
KIND = re.compile(rf"(?:add to )?kind ({NAME})")
ADDED = re.compile(rf"add to ({NAME})")
COMPONENT = re.compile(rf"(?:replace )?({NAME}) ({NAME})")
SIMPLE = {"flag": FLAG, "number": NUMBER, "text": TEXT}


def owner(first: str, symbols: Symbols) -> tuple[str, str | None]:
    """What the first line of a declaration is about: `kind`, `component` or nothing, and the kind of `self` in it."""
    if (found := KIND.match(first)) is not None:
        return "kind", found[1]
    if (found := ADDED.match(first)) is not None and found[1] in symbols.definitions:
        return "component", found[1]
    found = COMPONENT.match(first)
    if found is not None and found[1] in symbols.kinds:
        return "component", found[2] if found[2] in symbols.definitions else found[1]
    return "", None


def locals_at(lines: Sequence[str], symbols: Symbols) -> dict[str, Type]:
    """The local names that are known on the last of some lines, of which the first begins the declaration."""
    around = _around(lines)
    names: dict[str, Type] = {}
    _, kind = owner(lines[0], symbols) if lines else ("", None)
    if kind is not None and len(lines) > 1:
        names["self"] = kind_type(kind)
    for line in around:
        if re.match(rf"\s*(?:action|cost {NAME}\()", line):
            names["actor"] = kind_type("player")
        if re.match(r"\s*change ", line):
            names["result"] = ANY
        _bound(line, names, symbols)
    return names


def _around(lines: Sequence[str]) -> list[str]:
    """Lines that the last one can see: those before it in its block and in the blocks around it."""
    kept: list[str] = []
    limit = 10_000
    for number, line in enumerate(reversed(lines)):
        indent = len(line) - len(line.lstrip())
        if not line.strip() and number:
            continue
        if number == 0 or indent <= limit:
            kept.append(line)
            limit = min(limit, indent)
    return kept[::-1]


def _bound(line: str, names: dict[str, Type], symbols: Symbols) -> None:
    """Add what one line binds."""
    if (found := HEAD.match(line)) is not None:
        path, inside = found.groups()[1:]
        known = _called(path, symbols)
        for number, part in enumerate(part.strip() for part in inside.split(",") if part.strip()):
            name, colon, written = part.partition(":")
            of = _written(written.strip(), symbols) if colon else known.parameters[number].type if known and number < len(known.parameters) else ANY
            names[name.strip()] = of
    elif (found := LET.match(line)) is not None:
        names[found[1]] = type_of(found[2], names, symbols) or ANY
    elif (found := DRAW.match(line)) is not None:
        names[found[2]] = _one(type_of(found[1], names, symbols))
    elif (found := EACH.match(line)) is not None:
        noun = symbols.noun(found[1].split()[-1])
        of = kind_type(noun) if noun is not None else element(type_of(found[3] or "", names, symbols) or ANY)
        names[found[1].split()[-1]] = of
    elif (found := CHOOSES.match(line)) is not None and found[1] != "one":
        names[found[1]] = _one(type_of(re.sub(r"\b(asking|or) \".*", "", found[2]), names, symbols))
    for name in AS.findall(line) if " is " in line else ():
        names.setdefault(name, ANY)


def _one(of: Type | None) -> Type:
    return element(of) if of is not None and many(of) else of or ANY


def _called(path: str, symbols: Symbols) -> Callable | None:
    return symbols.effects.get(path) or symbols.values.get(path) or symbols.actions.get(path) or symbols.costs.get(path)


def _written(text: str, symbols: Symbols) -> Type:
    """A type as it is written."""
    word = text.removesuffix(" or none")
    if word.startswith(("set of ", "list of ")):
        return set_of(_written(word.split(" of ", 1)[1], symbols))
    return SIMPLE.get(word) or (kind_type(word) if word in symbols.kinds or word == "place" else ANY)


def type_of(text: str, names: dict[str, Type], symbols: Symbols) -> Type | None:
    """The type of an expression; None if it cannot be told."""
    try:
        node, problems = parse_fragment(text.strip().removesuffix(":"), "", "expression")
        if problems or node is None:
            return None
        expressions = Expressions(symbols, Report(), lambda value: value.gives or ANY)
        used = set(symbols.used)
        of = expressions.read(node, Scope(names))[1]
        symbols.used.clear()
        symbols.used.update(used)
    except (AttributeError, KeyError, AssertionError, RecursionError):  # of a ruleset that is half written
        return None
    return of
