"""Adjectives: words before a noun, and the same after `is`; fields and values by which things are told apart, and who may be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.check.symbols import Kind
from rulewright.diagnostics import Span
from rulewright.parse.habits import meant_by
from rulewright.types import Type, fits, shown, with_article

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions


UNKNOWN: dict[str, Any] = {"op": "const", "value": True}
QUERY_WORDS = (
    "the", "every", "any", "all", "first", "last", "top", "bottom", "none", "from", "where", "next", "within", "reachable", "visible", "ordered",
    "through",
)  # fmt: skip


def adjective(expressions: Expressions, core: Core, of: Type, word: str, span: Span) -> Core:
    """Whether a thing is what a word says: a flag, a value of a field, a kind, or a value with one parameter."""
    test = read_test(expressions, core, of, word, span)
    if test is None:
        known: list[str] = []
        kind = expressions.symbols.kind_of(of.name) if of.how == "kind" else None
        if kind is not None:
            known = [name for name, field in kind.fields.items() if field.type.how == "flag"] + list(kind.values)
            known += [str(each) for field in kind.fields.values() for each in field.type.words]
        message = f"nothing says what '{word}' means of {shown(of)}"
        if of.how != "any":
            known += [*expressions.symbols.values, *expressions.symbols.kinds, *expressions.symbols.definitions, *QUERY_WORDS]
            known += ["empty", "full"] if expressions.symbols.is_place(of) else []
            advice = meant_by(word)
            expressions.report("R301", message, span, advice, guess=None if advice else (word, known))
        return UNKNOWN
    return test


def read_test(expressions: Expressions, core: Core, of: Type, word: str, span: Span, quietly: bool = False) -> Core | None:
    symbols = expressions.symbols
    symbols.used.add(word)
    if word == "empty" and (of.how in ("place", "any", "set", "list") or expressions.symbols.is_place(of)):
        return {"op": "is_empty", "of": core}
    if word == "full" and (of.how in ("place", "any") or expressions.symbols.is_place(of)):
        return {"op": "is_full", "of": core}
    kind = symbols.kind_of(of.name) if of.how == "kind" else None
    if kind is not None:
        if word in kind.fields and kind.fields[word].type.how == "flag":
            return {"op": "field", "of": core, "name": word}
        if word in kind.values and not kind.values[word].parameters:
            return expressions.apply_value(kind.values[word], core, ())[0]
        if (field := field_with(expressions, kind, word, span, quietly)) is not None:
            return {"op": "compare", "how": "=", "left": {"op": "field", "of": core, "name": field}, "right": {"op": "const", "value": word}}
    value = symbols.values.get(word)
    if value is not None and len(value.parameters) == 1 and fits(of, value.parameters[0].type, symbols.inherits):
        return expressions.apply_value(value, None, (core,))[0]
    noun = symbols.noun(word)
    if noun is not None and noun == word and (of.how == "any" or (of.how == "kind" and may_be(expressions, of, noun))):
        return {"op": "is_kind", "of": core, "kind": noun}
    if of.how == "deed" and (word in symbols.groups or word in symbols.actions):
        return {"op": "is_deed", "of": core, "name": word}
    return None


def field_with(expressions: Expressions, kind: Kind, word: str, span: Span, quietly: bool) -> str | None:
    """The one field of a kind that has a word among its values."""
    found = [name for name, field in kind.fields.items() if field.type.how == "words" and word in field.type.words]
    if len(found) > 1 and not quietly:
        ambiguous(expressions, word, found, kind.name, span)
    return found[0] if found else None


def ambiguous(expressions: Expressions, word: str, fields: list[str], kind: str, span: Span) -> None:
    message = f"'{word}' may be the {' or the '.join(fields)} of {with_article(kind)}"
    expressions.report("R410", message, span, f"say which: {fields[0]} is {word}")


def may_be(expressions: Expressions, of: Type, noun: str) -> bool:
    """Whether a thing of one kind can be of another one too."""
    return expressions.symbols.inherits(noun, of.name) or expressions.symbols.inherits(of.name, noun)
