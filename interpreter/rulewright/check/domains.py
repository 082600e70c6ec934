"""Domains: all that something can be which is called by its name. A list of words, the faces of a die, a field of a kind (`card.colour`), the sorts of a kind.

Each function takes an expression as it is written; gives the list, and what one of its things is, or None if the expression is something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.types import LOST, NUMBER, Type, set_of, with_article, words_of

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read


def enumerated(expressions: Expressions, node: Any, scope: Scope) -> Read | None:
    """All values of a list of words, of a die, or of a field."""
    of = _domain(expressions, node, scope)
    if of is None or of == LOST:
        return None if of is None else ({"op": "list", "parts": []}, set_of(LOST))
    if of.how == "number":
        return {"op": "numbers", "low": {"op": "const", "value": of.low}, "high": {"op": "const", "value": of.high}}, set_of(NUMBER)
    return _listed(of), set_of(of)


def sorts_of(expressions: Expressions, node: Any, scope: Scope) -> Read | None:
    """What the components of a kind are called."""
    symbols = expressions.symbols
    noun = symbols.noun(node.word) if isinstance(node, t.Name) and node.word not in scope.names else None
    if noun is None or noun not in symbols.kinds:
        return None
    of = symbols.sorts(noun)
    return _listed(of), set_of(of)


def _listed(of: Type) -> Core:
    return {"op": "list", "parts": [{"op": "const", "value": word} for word in of.words]}


def _domain(expressions: Expressions, node: Any, scope: Scope) -> Type | None:
    symbols = expressions.symbols
    if isinstance(node, t.Dot) and isinstance(node.base, t.Name) and node.base.word in symbols.kinds and node.base.word not in scope.names:
        field = symbols.kinds[node.base.word].fields.get(node.word)
        if field is not None and field.type.how != "words" and field.type.low is None:
            message = f"nothing says which values the {node.word} of {with_article(node.base.word)} can have, so they cannot be listed"
            expressions.report("R401", message, node.span, "this can be done with words (red | blue) and ranges (1..9)")
            return LOST
        return replace(field.type, optional=False) if field is not None else None
    word = node.word if isinstance(node, t.Name) else ""
    if not word or word in scope.names or expressions.global_name(word) is not None:
        return None
    symbols.used.add(word)
    if word in symbols.words:
        return words_of(*symbols.words[word].words)
    return words_of(*(face.value for face in symbols.dice[word].faces)) if word in symbols.dice else None
