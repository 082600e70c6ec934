"""Names that nothing is called: what they would be elsewhere, and what to write instead.

Takes a name that was looked up in vain; reports it once, as what it is nearest to being: an effect, a value that is asked for something, a die, a kind, a member of some
kind, a word of another language, or a slip of the pen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright import tree as t
from rulewright.check import advice
from rulewright.check.scope import Scope
from rulewright.check.symbols import BUILT_IN, Symbols
from rulewright.parse.habits import meant_by
from rulewright.types import FLAG, Type, kind_type, set_of, with_article

if TYPE_CHECKING:
    from rulewright.check.expressions import Expressions


def unknown(expressions: Expressions, node: t.Name, scope: Scope, wanted: Type | None) -> None:
    """Complain of a name that nothing here is called, with what may be meant."""
    symbols, report = expressions.symbols, expressions.report
    word = node.word
    if word in scope.looped:
        scope.used.add(word)
        report("R311", f"'{word}' is given a value only inside a loop before this", node.span, f"give it one before the loop: let {word} = ...")
        return
    if word in symbols.effects:
        report("R408", f"'{word}' is an effect; it happens, it has no value", node.span, f"write it on a line of its own: {word}(...)")
        return
    if word in symbols.values:
        wanted_by = ", ".join(parameter.name for parameter in symbols.values[word].parameters)
        report("R403", f"the value '{word}' is asked for something", node.span, f"write: {word}({wanted_by})")
        return
    if word in symbols.dice:
        report("R301", f"'{word}' is a die; it shows something only when it is rolled", node.span, f"write: let face = roll {word}")
        return
    if word in symbols.kinds:
        report(
            "R301",
            f"'{word}' is a kind; which {word} is meant?",
            node.span,
            f"say '{with_article(word)} ...', 'the {word} ...' or 'all {symbols.plural(word)} ...'",
        )
        return
    if owners := [kind.name for kind in symbols.kinds.values() if word in (*kind.fields, *kind.places, *kind.values)]:
        field = symbols.kinds[owners[0]].fields.get(word)
        hint = f"say 'WHO is {word}' or 'WHO.{word}'" if field and field.type == FLAG else f"say '{word} of WHO' or 'WHO.{word}'"
        report("R301", f"every {owners[0]} has its own '{word}'; whose is meant?", node.span, hint)
        return
    if word == "owner" or word == "self" or word == "actor":
        where = "it is known only in members of kinds and components, and in actions that they grant"
        if "actor" in scope.names:
            where = "who takes an action is called 'actor' in it"
        report("R508", f"there is no '{word}' here", node.span, where)
        return
    scope.missed.add(word)
    if (instead := _elsewhere(symbols, word, scope)) is not None:
        report("R301", f"nothing is called '{word}'", node.span, instead)
        return
    known = ["true", "false", "none", *scope.names, *symbols.everything(), *(str(w) for w in (wanted.words if wanted else ()))]
    for element_ in scope.elements:
        kind = symbols.kind_of(element_.type.name)
        known += [*kind.fields, *kind.places, *kind.values] if kind else []
    if scope.elements:
        known += [*BUILT_IN, "seat", "row", "column"]
    if wanted == set_of(kind_type("player")):
        known += ["everyone", "nobody", "owner"]
    report("R301", f"nothing is called '{word}'", node.span, advice.words(wanted), guess=(word, known))


def bare_kind(expressions: Expressions, node: t.Dot, scope: Scope) -> bool:
    """Whether something is asked of a kind instead of one of its components, `player.score`; if so, complain of it, with somebody who is known here and has it."""
    symbols, base = expressions.symbols, node.base
    kind = symbols.kinds.get(base.word) if isinstance(base, t.Name) else None
    if kind is None or not isinstance(base, t.Name) or base.word in (*scope.names, *scope.may_be_unset, *scope.mixed, *scope.looped):
        return False
    own = any(expressions.member({}, each.type, base.word, base.span) is not None for each in scope.elements)
    if own or expressions.global_name(base.word) is not None or expressions.excused(base.word, scope, None):
        return False
    written = [way for name, of in scope.names.items() if name != "it" and (way := advice.way(symbols, name, of, node.word)) is not None]
    each = advice.way(symbols, kind.name, kind_type(kind.name), node.word)
    if not written and each is None:
        return False
    there = (
        f"write: {advice.listed(written, 'or')}"
        if written
        else f"for all of them write: for each {kind.name} in {symbols.plural(kind.name)}: ... {each} ..."
    )
    expressions.report("R301", f"'{base.word}' is a kind; which {base.word} is meant?", base.span, there)
    return True


def _elsewhere(symbols: Symbols, word: str, scope: Scope) -> str | None:
    """What to write for a name that would be known in another place, or in English."""
    grid = symbols.grids.get(word.rsplit("_", 2)[0])
    if grid is not None:
        return (
            f"the grid '{grid.name}' has {grid.rows} rows and {grid.columns} columns, from {grid.name}_1_1 to {grid.name}_{grid.rows}_{grid.columns}"
        )
    if word in ("who", "player", "me", "you") and "actor" in scope.names:
        return "who takes an action is called 'actor' in it"
    if word in ("empty", "full"):
        return f"write 'is {word}' instead of '= {word}'"
    return advice.irregular(symbols, word) or meant_by(word)
