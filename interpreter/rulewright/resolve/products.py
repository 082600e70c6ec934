"""Products: `one for each colour, rank` is written out as copies, with a value of each field for each of them.

Takes the linked names after all layers had their say, so that a layer that adds a colour adds its copies; puts plain declarations in place of those that have
such a line. Refuses fields that are not there, fields whose values cannot be counted, and more copies than a ruleset may have.
"""

from __future__ import annotations

import itertools
import math

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.limits import DEFAULT_LIMITS
from rulewright.resolve.linker import Linker


def write_out(linker: Linker) -> None:
    """Write out every product."""
    for key, item in linker.items.items():
        if isinstance(item.declaration, t.ComponentDecl):
            lines = [member for member in item.declaration.members if isinstance(member, t.OneForEach)]
            if lines:
                linker.items[key] = replace(item, declaration=_written_out(linker, item.declaration, lines))


def _written_out(linker: Linker, declaration: t.ComponentDecl, lines: list[t.OneForEach]) -> t.ComponentDecl:
    for line in lines[1:]:
        linker.complain("R302", "'one for each' stands here twice", line.span, "name all fields in one line: one for each A, B")
    rest = tuple(member for member in declaration.members if not isinstance(member, t.OneForEach))
    fields = lines[0].fields
    values = [_values(linker, declaration.kind, each) for each in fields]
    times = 1 if declaration.copies is None else declaration.copies
    amount = math.prod(map(len, values)) * times
    for number, each in enumerate(fields):
        if each.name in (other.name for other in fields[:number]):
            linker.complain("R302", f"'{each.name}' stands here twice", each.span)
            amount = 0
    if amount > DEFAULT_LIMITS.components:
        linker.complain("R604", f"that would be {amount:,} copies", lines[0].span, "say which values count: one for each FIELD 1..9")
    if not 0 < amount <= DEFAULT_LIMITS.components:
        known = {each.name: t.FieldLine(each.span, each.name, found[:1]) for each, found in zip(fields, values, strict=True) if found}
        return replace(declaration, members=(*known.values(), *rest))  # so that nothing is said to be missing, too
    combined = [each for each in itertools.product(*values) for _ in range(times)]
    columns = zip(fields, zip(*combined, strict=True), strict=True)
    return replace(declaration, copies=amount, members=(*(t.FieldLine(each.span, each.name, column) for each, column in columns), *rest))


def _values(linker: Linker, kind: str, each: t.EachOf) -> tuple[t.Expr, ...]:
    """Every value that a field may have, or those that were named."""
    field = linker.field(kind, each.name)
    if field is None:
        names = [known.name for known in linker.fields(kind)]
        linker.complain("R404", f"the kind '{kind}' has no field '{each.name}'", each.span, linker.guesser.hint(each.name, names))
        return ()
    of = each.of or field.type
    listed = linker.items.get(of.name) if of.how == "name" else None
    match of.how:
        case "range":
            if of.low > of.high:
                linker.complain("R402", f"the range {of.low}..{of.high} is empty", of.span, f"write {of.high}..{of.low}")
            elif of.high - of.low >= DEFAULT_LIMITS.components:
                linker.complain(
                    "R604", f"that would be {of.high - of.low + 1:,} copies", each.span, f"say which count: {each.name} {of.low}..{of.low + 9}"
                )
            else:
                return tuple(t.Number(each.span, number) for number in range(of.low, of.high + 1))
            return ()
        case "words":
            return _words(each, of.words)
        case "flag":
            return (t.Name(each.span, "false"), t.Name(each.span, "true"))
    if listed is not None and isinstance(listed.declaration, t.WordsDecl):
        return _words(each, listed.declaration.words)
    if listed is not None and isinstance(listed.declaration, t.KindDecl):
        found = tuple(t.Name(each.span, item.path) for item in linker.items.values() if _is_a(linker, item.declaration, listed.path))
        if found:
            return found
    message = f"nothing says how many values the {each.name} of '{kind}' has, so there cannot be one for each"
    linker.complain("R401", message, each.span, f"say which: one for each {each.name} 1..9, or {each.name} red | blue")
    return ()


def _words(each: t.EachOf, words: tuple[str | int, ...]) -> tuple[t.Expr, ...]:
    return tuple(t.Number(each.span, word) if isinstance(word, int) else t.Name(each.span, word) for word in dict.fromkeys(words))


def _is_a(linker: Linker, declaration: object, kind: str) -> bool:
    """Whether a declaration is that of a component of a kind, or of a kind below it."""
    above: str | None = declaration.kind if isinstance(declaration, t.ComponentDecl) else None
    seen: set[str] = set()
    while above is not None and above != kind and above not in seen:
        seen.add(above)
        item = linker.items.get(above)
        above = item.declaration.parent if item is not None and isinstance(item.declaration, t.KindDecl) else None
    return above == kind
