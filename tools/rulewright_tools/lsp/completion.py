"""Completion: the words of the language and the names of the ruleset that fit where somebody is writing.

Takes the text as it is, a place in it and the ruleset as it last was; gives `Proposal`s. The parser says which keywords can stand there and whether a name can; which names those are is told
by the words before it. Where a declaration is broken before that place, the line is taken for a statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rulewright.check.symbols import BUILT_IN, Kind, Symbols
from rulewright.limits import DEFAULT_LIMITS
from rulewright.parse import lex
from rulewright.types import Type, element, shown
from rulewright_tools.lsp.meanings import Declared
from rulewright_tools.lsp.project import Analysis
from rulewright_tools.lsp.scopes import locals_at, owner, type_of
from rulewright_tools.lsp.words import Expected, expected

MOST = 250
HERE = "zz_here"
PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z|\Z")
CITING = re.compile(r"\bcite\s+(?:[^#\"]*,\s*)?([\w.]*)\Z")
DOTTED = re.compile(r"([\w.]+)\.\Z")
CHAIN = re.compile(r"((?:[a-z0-9_.]|\([^()]*\))+)\.\Z")
HAPPENING = re.compile(r"(?:\b(?:before|after|instead of|until|once per)(?: the first)?|\breaction(?: \w+)?(?: \"[^\"]*\")? to)\s+\Z")
LAYER = re.compile(r"(?:replace in|replace|remove) (\w+) (?:[\w.]+, )*\Z")
ONE = re.compile(r"\b(?:a|an|every|the|each|first|last|top|bottom)\s+\Z")
SEVERAL = re.compile(r"\b(?:all|count of|over|[2-9]|[1-9]\d+)\s+\Z")
COMPARED = re.compile(r"([\w.()]+)\s+(?:=|!=|is|is not|is one of|to)\s+(?:\w+, )*\Z")
WHERE = re.compile(r"\b([a-z_][a-z0-9_]*)(?: (?:in|of|from|next to|on) [\w.]+)* where\b(?!.*\bwhere\b)")


class Proposal(NamedTuple):
    """A word that could stand there, with what it is; `start` columns before the place are what it takes the place of."""

    label: str
    what: str
    detail: str = ""
    key: str = ""
    first: bool = False  # fits better than others
    start: int = 0


def complete(analysis: Analysis, text: str, line: int, column: int) -> list[Proposal]:
    """What fits at a place, the best first; what has been typed of it is taken into account."""
    lines = text.split("\n")
    here = lines[line - 1][: column - 1] if line <= len(lines) else ""
    inside = _in_text(here)
    if inside is None or len(here) > DEFAULT_LIMITS.line_characters:
        return []
    if (citing := CITING.search(here)) is not None and not inside:
        return _fitting(_rules(analysis, citing[1]), citing[1])
    prefix = str(PREFIX.search(here)[0])  # type: ignore[index]  # it always finds something
    before = here[: len(here) - len(prefix)]
    chunk = _chunk(lines, line)
    names = locals_at([*lines[chunk - 1 : line - 1], before], analysis.meanings.symbols)
    if inside:
        return _fitting(_expression(analysis, before.rpartition("{")[2], names), prefix)
    possible = _expected([*lines[chunk - 1 : line - 1], before])
    found = [Proposal(word, "keyword") for word in possible.keywords if word[0].isalpha()] if possible is not None else []
    if possible is None or possible.name:
        found += _names(analysis, lines[chunk - 1] if chunk < line else before, before, names, possible, chunk == line)
    return _fitting(found, prefix)


def _in_text(here: str) -> str | None:
    """Nothing where code stands; the brace where an expression inside a text does; None in the rest of a text and in comments."""
    if here.count('"', 0, (here + "#").index("#")) % 2 == 0:
        return None if "#" in re.sub(r'"(?:[^"\\]|\\.)*"', "", here) else ""
    opened = here.rpartition('"')[2]
    return "{" if opened.count("{") > opened.count("}") else None


def _fitting(found: Iterable[Proposal], prefix: str) -> list[Proposal]:
    """Those that what was typed may be the beginning of, or a part."""
    typed = prefix.lower()
    ranked = {}
    for each in found:
        label = each.label.lower()
        rank = 0 if label.startswith(typed) else 1 if f"_{typed}" in label or f".{typed}" in label else 2 if typed in label else None
        if rank is not None and each.label not in ranked:
            ranked[each.label] = (rank, not each.first, each.what == "keyword" and not typed, each)
    order = sorted(ranked.values(), key=lambda entry: (*entry[:3], entry[3].label))
    return [entry[3]._replace(start=entry[3].start or len(prefix)) for entry in order[:MOST]]


def _chunk(lines: list[str], line: int) -> int:
    """The line that begins the declaration a line belongs to."""
    at = min(line, len(lines))
    if not lines[at - 1]:
        return at
    while at > 1 and (not lines[at - 1][:1].strip() or lines[at - 1].startswith("#")):
        at -= 1
    return at


def _expected(lines: list[str]) -> Expected | None:
    """What the parser could read behind some lines of a declaration; if it does not get there, what a statement could go on with."""
    for text in ("\n".join(lines), f"effect f():\n    {lines[-1].strip()} ".rstrip(" ") + " "):
        opened = re.sub(r'"(?:[^"\\]|\\.)*"|#.*', "", text)
        closing = ")" * max(opened.count("(") - opened.count(")"), 0)
        lexed, problems = lex.lex(f"{text}{HERE}{closing}", "")
        tokens = lexed.chunks[0].tokens if lexed.chunks and not problems else []
        at = next((number for number, token in enumerate(tokens) if token.value == HERE), None)
        if at is not None and (found := expected(tokens[:at])) is not None:
            return found
    return None


# -- names


def _names(analysis: Analysis, first: str, before: str, names: dict[str, Type], possible: Expected | None, begins: bool) -> Iterator[Proposal]:
    """The names that fit behind what stands on a line."""
    symbols, declared = analysis.meanings.symbols, analysis.declared
    said = before.strip()
    about, kind = owner(first, symbols)
    if (dotted := DOTTED.search(before)) is not None:
        yield from _behind_a_dot(analysis, before, dotted[1], names)
    elif not said and begins:
        yield from (Proposal(name, "kind", "begins a component", name) for name in symbols.kinds)
    elif begins and (layer := LAYER.match(said + " ")) is not None:
        yield from _of_sort(declared, layer[1], symbols)
    elif begins and re.match(r"(?:set|more|add to(?: kind)?)\Z", said):
        sorts = ("kind",) if said.endswith("kind") else ("number", "state", "component") if said == "set" else ("component",)
        yield from _of_sorts(declared, sorts)
    elif HAPPENING.search(before) is not None and not re.search(r"\bset .* until\Z", said):
        yield from _of_sorts(declared, ("effect", "phase", "action", "step"))
    elif re.search(r"\bchange\Z", said):
        yield from _of_sorts(declared, ("value",))
    elif re.search(r"\bcost of\Z", said):
        yield from _of_sorts(declared, ("action",))
    elif said.endswith("roll") or " roll" in f" {said}"[-5:]:
        yield from _of_sorts(declared, ("die",))
    elif re.match(r"(?:action .*|offer actions) as(?: \w+,)*\Z", said):
        yield from (Proposal(group, "group") for group in symbols.groups)
    elif possible is not None and "flag" in possible.keywords:
        yield from _of_sorts(declared, ("kind", "words"))
    elif re.match(r"kind .* is\Z", said) or re.match(r"kind .* links", said):
        yield from _of_sorts(declared, ("kind",))
    elif re.search(r"\bcost(?: [^:]*,)? ?\d+\Z|\bpays \d+\Z", said):
        yield from _of_sorts(declared, ("cost",))
    elif about == "component" and kind is not None and _depth(before) == 1:
        yield from _in_component(symbols, kind, said)
    elif not said or (said.endswith(":") and possible is not None and "let" in possible.keywords):
        yield from (Proposal(name, "local", shown(of), f"local {name}", first=True) for name, of in names.items())
        yield from _of_sorts(declared, ("effect", "phase"))
    else:
        yield from _expression(analysis, before, names)


def _depth(before: str) -> int:
    return (len(before) - len(before.lstrip())) // 4


def _behind_a_dot(analysis: Analysis, before: str, path: str, names: dict[str, Type]) -> Iterator[Proposal]:
    """Members of a thing; behind the words of a layer, what has a name inside."""
    symbols = analysis.meanings.symbols
    chain = CHAIN.search(before)
    of = type_of(chain[1], names, symbols) if chain is not None else None
    if of is not None and of.how != "any":
        yield from _members(of, symbols)
        if element(of).how != "kind" or path.partition(".")[0] in names:
            return
    elif path.partition(".")[0] in names:  # nobody can tell yet what it is
        yield from (each for kind in symbols.kinds.values() for each in _of_kind(kind))
    for declared in analysis.declared.values():
        owner_, _, name = declared.path.rpartition(".")
        if owner_ == path:
            yield Proposal(name, declared.what, declared.path, _key(declared))


def _members(of: Type, symbols: Symbols) -> Iterator[Proposal]:
    if of.how == "track":
        yield from (Proposal(name, "field") for name in ("space", "colour"))
    kind = symbols.kind_of(element(of).name) if element(of).how == "kind" else None
    if kind is not None:
        yield from _of_kind(kind)
        yield from (Proposal(name, "field", shown(type_)) for name, type_ in BUILT_IN.items())
        if kind.name == "player":
            yield Proposal("seat", "field", "a number")


def _of_kind(kind: Kind) -> Iterator[Proposal]:
    """What a thing of a kind has."""
    yield from (Proposal(name, "field", shown(field.type), f"{field.kind}.{name}", first=True) for name, field in kind.fields.items())
    yield from (Proposal(name, "place", f"a {place.shape} of {kind.name}", place.id, first=True) for name, place in kind.places.items())
    yield from (Proposal(name, "value", value.path, value.path) for name, value in kind.values.items())
    yield from (Proposal(name, "effect", effect.path, f"{effect.path}()") for name, effect in kind.effects.items())


def _in_component(symbols: Symbols, kind: str, said: str) -> Iterator[Proposal]:
    """What a component says of itself: which field, then its value."""
    known = symbols.kind_of(kind)
    if known is None:
        return
    if not said:
        yield from (each for each in _of_kind(known) if each.what != "place")
        return
    field = known.fields.get(said.split()[0])
    if field is not None:
        yield from _values(field.type, symbols)


def _values(of: Type, symbols: Symbols) -> Iterator[Proposal]:
    """The values that a type has a word for."""
    one = element(of)
    yield from (Proposal(str(word), "word", shown(of), first=True) for word in one.words)
    if one.how == "kind":
        for name, definition in symbols.definitions.items():
            if symbols.inherits(definition.kind, one.name):
                yield Proposal(name, "component", definition.kind, name, first=True)
    if one.how == "flag":
        yield from (Proposal(word, "word", first=True) for word in ("true", "false"))
    if of.optional:
        yield Proposal("none", "word", first=True)


def _expression(analysis: Analysis, before: str, names: dict[str, Type]) -> Iterator[Proposal]:
    """What can stand in an expression: what a comparison asks for first, local names, fields of what a query looks at, then all names."""
    symbols, declared = analysis.meanings.symbols, analysis.declared
    if (dotted := DOTTED.search(before)) is not None:
        yield from _behind_a_dot(analysis, before, dotted[1], names)
        return
    if (compared := COMPARED.search(before)) is not None:
        of = type_of(compared[1], names, symbols)
        yield from _values(of, symbols) if of is not None else ()
        if of is not None and of.how == "kind" and re.search(r"\bis(?: not)?\s+\Z", before):
            yield from _adjectives(symbols.kind_of(of.name))
    where = WHERE.search(before)
    noun = symbols.noun(where[1]) if where is not None else None
    kind = symbols.kind_of(noun) if noun is not None else None
    if kind is not None:
        yield from _of_kind(kind)
    one, several = ONE.search(before) is not None, SEVERAL.search(before) is not None
    yield from (Proposal(name, "local", shown(of), f"local {name}", first=not one and not several) for name, of in names.items())
    yield from (Proposal(name, "kind", "", name, first=one) for name in symbols.kinds if not several)
    for plural, name in symbols.plurals.items() if not one else ():
        yield Proposal(plural, "kind" if name in symbols.kinds else "component", f"several of: {name}", name, first=several and name in symbols.kinds)
    for each in declared.values():
        if "." not in each.path and each.what in ("number", "state", "place", "component", "value", "grid", "track"):
            yield Proposal(each.path, each.what, _told(each), _key(each))


def _adjectives(kind: Kind | None) -> Iterator[Proposal]:
    for name, field in kind.fields.items() if kind is not None else ():
        if field.type.how == "flag":
            yield Proposal(name, "field", "a flag", f"{field.kind}.{name}", first=True)
        yield from (Proposal(str(word), "word", name, first=True) for word in field.type.words)


def _of_sort(declared: Mapping[str, Declared], what: str, symbols: Symbols) -> Iterator[Proposal]:
    """What a layer may speak of behind `replace WHAT`: also a kind, for its components."""
    for each in declared.values():
        is_one = each.what == what or (each.what == "component" and what in symbols.kinds and each.path in symbols.definitions)
        if is_one and (each.what != "component" or symbols.inherits(each.path, what)):
            yield Proposal(each.path, each.what, _told(each), _key(each), first=True)


def _of_sorts(declared: Mapping[str, Declared], sorts: tuple[str, ...]) -> Iterator[Proposal]:
    for each in declared.values():
        if each.what in sorts:
            yield Proposal(each.path, each.what, _told(each), _key(each), first=each.what == sorts[0])


def _key(each: Declared) -> str:
    from rulewright_tools.lsp.meanings import key_in

    return key_in(each.what, each.path)


def _told(each: Declared) -> str:
    """What is shown behind a name: its label, its kind or its parameters."""
    node = each.node
    parameters = getattr(node, "parameters", None)
    if parameters:
        return f"({', '.join(parameter.name for parameter in parameters)})"
    label = getattr(node, "label", None)
    kind = getattr(node, "kind", None)
    return " ".join(part for part in (kind if isinstance(kind, str) else each.what, f"“{label}”" if label else "") if part)


def _rules(analysis: Analysis, typed: str) -> Iterator[Proposal]:
    """The rules that can be cited."""
    book = analysis.built.linked.rulebook if analysis.built.linked is not None else {}
    yield from (Proposal(rule, "rule", statement[:110], f"cite {rule}", start=len(typed)) for rule, statement in book.items())
