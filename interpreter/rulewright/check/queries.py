"""Queries: adjectives, nouns and clauses, and what is asked of the things they find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check import advice
from rulewright.check.adjectives import QUERY_WORDS, UNKNOWN, adjective, read_test
from rulewright.check.clauses import SOURCES, held_by
from rulewright.check.domains import enumerated, sorts_of
from rulewright.check.paths import misplaced
from rulewright.check.scope import Scope, conjuncts
from rulewright.diagnostics import Span, near_miss
from rulewright.parse.habits import JOINING
from rulewright.resolve.cites import walk
from rulewright.types import ANY, FLAG, LOST, NUMBER, Type, element, kind_type, many, set_of, shown

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read


NOWHERE = Span("", 1, 1, 1, 1)


def read_query(expressions: Expressions, node: t.Query, scope: Scope, wanted: Type | None = None) -> Read:
    """A bare query: a member (`hand of who`), or several things."""
    found = member_of(expressions, node, scope)
    if found is not None:
        return found
    core, of, _ = find(expressions, node, scope)
    return core, set_of(of)


def member_of(expressions: Expressions, node: t.Query, scope: Scope) -> Read | None:
    """`NAME of X` where NAME is a field, place or value of X, or what X chose."""
    if len(node.words) != 1 or not node.clauses or node.clauses[0].how != "of":
        return None
    word, operand = node.words[0], node.clauses[0].operand
    if word in ("sort", "sorts") and sorts_of(expressions, operand, scope) is not None:
        return None
    core, of = expressions.read(operand, scope)
    read: Read | None
    if word in scope.names and scope.names[word].how == "map":
        scope.used.add(word)
        read = {"op": "entry", "of": {"op": "var", "name": word}, "key": core}, scope.names[word].of or ANY
    elif expressions.symbols.noun(word) is not None and not has_member(expressions, of, word):
        return None
    else:
        read = expressions.member(core, of, word, node.span)
    if read is None:
        if of.how != "any":
            expressions.no_member(word, of, node.span)
        return {"op": "const", "value": None}, LOST
    if len(node.clauses) == 1:
        return read
    core, of, _ = clauses(expressions, read[0], read[1], "it", t.Query(node.span, (), None, node.clauses[1:]), scope, ())
    return core, set_of(of)


def has_member(expressions: Expressions, of: Type, word: str) -> bool:
    kind = expressions.symbols.kind_of(element(of).name) if element(of).how == "kind" else None
    return kind is not None and (word in kind.fields or word in kind.places)


def find(expressions: Expressions, node: Any, scope: Scope, *aliases: str, naming: bool = False) -> tuple[Core, Type, str]:
    """Several things: the core query, the type of one of them, and the name it has inside; `naming` if what follows may use that name."""
    if isinstance(node, t.Name):
        node = t.Query(node.span, (node.word,), None, ())
    wrong = next((word for word in getattr(node, "words", ())[:-1] if word in JOINING), None)
    if wrong is not None:
        expressions.report("R301", f"nothing says what '{wrong}' means here", node.span, f"write: {JOINING[wrong]}")
        return clauses(expressions, {"op": "const", "value": None}, LOST, "it", t.Query(node.span, (), None, ()), scope, aliases)
    if not isinstance(node, t.Query):
        core, of = expressions.read(node, scope)
        return clauses(expressions, core, of, "it", t.Query(node.span, (), None, ()), scope, aliases)
    if node.base is not None:
        core, of = expressions.read(node.base, scope)
        return clauses(expressions, core, of, "it", node, scope, aliases)
    return by_noun(expressions, node, scope, aliases, naming)


def by_noun(expressions: Expressions, node: t.Query, scope: Scope, aliases: tuple[str, ...], naming: bool) -> tuple[Core, Type, str]:
    word = node.words[-1]
    noun = expressions.symbols.noun(word)
    if noun is None or (word in scope.names and many(scope.names[word])):
        return by_variable(expressions, node, scope, aliases, naming)
    expressions.symbols.used.add(noun)
    return clauses(expressions, {"op": "all", "of": noun}, set_of(kind_type(noun)), noun, node, scope, aliases)


def by_variable(expressions: Expressions, node: t.Query, scope: Scope, aliases: tuple[str, ...], naming: bool) -> tuple[Core, Type, str]:
    """The noun is no kind: a local list, what somebody chose, a member, or a new name for the things of the `in` clause."""
    word = node.words[-1]
    first = node.clauses[0] if node.clauses else None
    if first is not None and first.how == "of" and scope.names.get(word, ANY).how == "map":
        chosen = member_of(expressions, t.Query(node.span, (word,), None, (first,)), scope)
        assert chosen is not None
        return clauses(expressions, *chosen, "it", t.Query(node.span, node.words, None, node.clauses[1:]), scope, aliases)
    if first is not None and first.how == "of" and word in ("sort", "sorts") and (sorts := sorts_of(expressions, first.operand, scope)) is not None:
        return clauses(expressions, *sorts, "sort", t.Query(node.span, node.words, None, node.clauses[1:]), scope, aliases)
    if not node.clauses and naming and (listed := enumerated(expressions, t.Name(node.span, word), scope)) is not None:
        return clauses(expressions, *listed, word, t.Query(node.span, node.words, None, ()), scope, aliases)
    taken = scope.names.get(word, ANY).how == "kind"
    if first is not None and first.how == "in" and (taken or word not in scope.names):
        if taken and not naming and not _speaks_of(word, node.clauses[1:]):
            expressions.report("R401", f"'{word}' is one thing, and '{word} in ...' looks for several", node.span, f"write: {word} is in ...")
            return clauses(expressions, {"op": "const", "value": None}, LOST, "it", replace(node, clauses=node.clauses[1:]), scope, aliases)
        if taken:
            expressions.report("R309", f"'{word}' is already the name of something here", node.span, "give these things another name")
        if not naming and word not in (*aliases, *expressions.symbols.lost) and not _speaks_of(word, node.clauses[1:]):
            nouns = [*expressions.symbols.kinds, *expressions.symbols.plurals, *expressions.symbols.definitions]
            other = advice.irregular(expressions.symbols, word)
            expressions.report("R301", f"nothing is called '{word}'", node.span, other, guess=None if other else (word, nouns))
            return clauses(expressions, {"op": "const", "value": None}, LOST, word, node, scope, aliases)
        if isinstance(first.operand, t.Name) and first.operand.word in expressions.symbols.effects and first.operand.word not in scope.names:
            effect = expressions.symbols.effects[first.operand.word]
            message = f"'{effect.path}' is an effect; it happens, there are not several of it"
            expressions.report("R408", message, first.operand.span, advice.each_of(expressions.symbols, effect))
            return clauses(expressions, {"op": "const", "value": None}, LOST, word, replace(node, clauses=()), scope, aliases)
        core, of = enumerated(expressions, first.operand, scope) or expressions.read(first.operand, scope)
        if not many(of) and of.how not in ("any", "place") and not expressions.symbols.is_place(of):
            expressions.report("R401", f"'{word} in ...' needs several things, and this is {shown(of)}", first.span)
            of = LOST
        if of.how == "place" or expressions.symbols.is_place(of):
            core, of = {"op": "members", "of": core}, set_of(held_by(expressions, core))
        rest = t.Query(node.span, (*node.words[:-1], word), None, node.clauses[1:])
        return clauses(expressions, core, of, word, rest, scope, aliases)
    core, of = expressions.name(t.Name(node.span, word), scope, None)
    return clauses(expressions, core, of, "it", node, scope, aliases)


def clauses(
    expressions: Expressions, core: Core, of: Type, binder: str, node: t.Query, scope: Scope, aliases: tuple[str, ...]
) -> tuple[Core, Type, str]:
    """Narrow several things by adjectives and clauses."""
    if of.how == "place" or expressions.symbols.is_place(of):
        core, of = {"op": "members", "of": core}, set_of(held_by(expressions, core))
    elif not many(of) and of.how != "any":
        expressions.report("R401", f"several things were expected here, and this is {shown(of)}", node.span)
        of = LOST
    one = element(of)
    if expressions.observer is not None:
        expressions.observer.query(node, scope, one)
    query: Core = {"op": "query", "source": core, "binder": binder, "filters": [], "orders": []}
    for clause in node.clauses:
        if clause.how in SOURCES:
            SOURCES[clause.how](expressions, query, one, clause, scope)
    check_covered(
        expressions,
        binder,
        scope,
        node.span,
        *(part for clause in node.clauses for part in (clause.operand, *clause.orders) if clause.how not in SOURCES),
    )
    inner = scope.with_element(binder, one, *aliases)
    for alias in aliases:
        query.setdefault("aliases", []).append(alias)
    tests = [adjective(expressions, {"op": "var", "name": binder}, one, word, node.span) for word in told_apart(expressions, one, node)]
    query["filters"] += tests
    spans = [node.span] * len(query["filters"])
    if UNKNOWN in tests and one.how != "any":
        one = LOST
        inner = scope.with_element(binder, one, *aliases)
    elsewhere = misplaced(expressions, one, node, scope)
    for at, clause in enumerate(node.clauses):
        if at in elsewhere:
            continue
        if clause.how == "where":
            for condition in conjuncts(clause.operand):
                query["filters"].append(expressions.expect(condition, inner, FLAG, "a condition"))
                spans.append(condition.span)
        for order in clause.orders:
            query["orders"].append(read_order(expressions, order, inner, scope))
    if spans:
        query["spans"] = spans
    return query, one, binder


def check_covered(expressions: Expressions, binder: str, scope: Scope, span: Span, *parts: t.Node | None) -> None:
    """Warn where the noun of a query covers a local name, and what follows says it."""
    if binder in scope.names and expressions.symbols.noun(binder) is not None and any(_asks_for(binder, part) for part in parts if part is not None):
        scope.covered.add(binder)
        hint = "say 'it' for each of these, and give the other another name"
        expressions.report.doubt("R312", f"'{binder}' means each of these here, and no longer the '{binder}' from outside", span, hint)


def told_apart(expressions: Expressions, one: Type, node: t.Query) -> tuple[str, ...]:
    """The adjectives of a query; if one of them looks like a word of the language, only that one, since the others then mean something else."""
    adjectives = node.words[:-1]
    unknown = [word for word in adjectives if one.how != "any" and read_test(expressions, {}, one, word, NOWHERE, quietly=True) is None]
    slips = [word for word in unknown if near_miss(word, QUERY_WORDS)]
    return tuple((slips or unknown)[:1]) or adjectives


def read_order(expressions: Expressions, order: t.Order, inner: Scope, scope: Scope) -> Core:
    if order.choice:
        key = expressions.expect(order.key, scope, kind_type("player"), "who chooses the order")
    else:
        key = expressions.expect(order.key, inner, NUMBER, "what things are ordered by")
    return {"key": key, "descending": order.descending, "choice": order.choice}


def is_noun(expressions: Expressions, node: Any, scope: Scope) -> bool:
    return isinstance(node, t.Name) and node.word not in scope.names and expressions.symbols.noun(node.word) is not None


def _speaks_of(word: str, parts: tuple[t.Node, ...]) -> bool:
    """Whether the clauses of a query, or what follows it, use the name it gives to the things it finds."""
    return any(isinstance(node, t.Name) and node.word == word for part in parts for node in walk(part))


def _asks_for(word: str, part: t.Node) -> bool:
    """Whether a part uses a name, other than as the noun of a query."""
    nouns = {id(node.query) for node in walk(part) if hasattr(node, "query")}
    return any(isinstance(node, t.Name) and node.word == word and id(node) not in nouns for node in walk(part))
