"""Queries: adjectives, nouns and clauses, and what is asked of the things they find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check import advice
from rulewright.check.domains import enumerated, sorts_of
from rulewright.check.narrowing import conjuncts
from rulewright.check.paths import gone_through, misplaced, through
from rulewright.check.scope import Scope
from rulewright.check.symbols import Kind
from rulewright.diagnostics import Span, near_miss
from rulewright.parse.habits import JOINING, meant_by
from rulewright.resolve.cites import walk
from rulewright.types import ANY, FLAG, LOST, NUMBER, PLACE, Type, element, fits, kind_type, many, set_of, shown, with_article

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read


NOWHERE = Span("", 1, 1, 1, 1)
UNKNOWN: dict[str, Any] = {"op": "const", "value": True}
QUERY_WORDS = (
    "the", "every", "any", "all", "first", "last", "top", "bottom", "none", "from", "where", "next", "within", "reachable", "visible", "ordered",
    "through",
)  # fmt: skip


class Queries:
    """Reads queries for `Expressions`."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols
        self.report = expressions.report

    # -- the query itself

    def query(self, node: t.Query, scope: Scope, wanted: Type | None = None) -> Read:
        """A bare query: a member (`hand of who`), or several things."""
        found = self.member_of(node, scope)
        if found is not None:
            return found
        core, of, _ = self.find(node, scope)
        return core, set_of(of)

    def member_of(self, node: t.Query, scope: Scope) -> Read | None:
        """`NAME of X` where NAME is a field, place or value of X, or what X chose."""
        if len(node.words) != 1 or not node.clauses or node.clauses[0].how != "of":
            return None
        word, operand = node.words[0], node.clauses[0].operand
        if word in ("sort", "sorts") and sorts_of(self.expressions, operand, scope) is not None:
            return None
        core, of = self.expressions.read(operand, scope)
        read: Read | None
        if word in scope.names and scope.names[word].how == "map":
            scope.used.add(word)
            read = {"op": "entry", "of": {"op": "var", "name": word}, "key": core}, scope.names[word].of or ANY
        elif self.symbols.noun(word) is not None and not self.has_member(of, word):
            return None
        else:
            read = self.expressions.member(core, of, word, node.span)
        if read is None:
            if of.how != "any":
                self.expressions.no_member(word, of, node.span)
            return {"op": "const", "value": None}, LOST
        if len(node.clauses) == 1:
            return read
        core, of, _ = self.clauses(read[0], read[1], "it", t.Query(node.span, (), None, node.clauses[1:]), scope, ())
        return core, set_of(of)

    def has_member(self, of: Type, word: str) -> bool:
        kind = self.symbols.kind_of(element(of).name) if element(of).how == "kind" else None
        return kind is not None and (word in kind.fields or word in kind.places)

    def find(self, node: Any, scope: Scope, *aliases: str, naming: bool = False) -> tuple[Core, Type, str]:
        """Several things: the core query, the type of one of them, and the name it has inside; `naming` if what follows may use that name."""
        if isinstance(node, t.Name):
            node = t.Query(node.span, (node.word,), None, ())
        wrong = next((word for word in getattr(node, "words", ())[:-1] if word in JOINING), None)
        if wrong is not None:
            self.report("R301", f"nothing says what '{wrong}' means here", node.span, f"write: {JOINING[wrong]}")
            return self.clauses({"op": "const", "value": None}, LOST, "it", t.Query(node.span, (), None, ()), scope, aliases)
        if not isinstance(node, t.Query):
            core, of = self.expressions.read(node, scope)
            return self.clauses(core, of, "it", t.Query(node.span, (), None, ()), scope, aliases)
        if node.base is not None:
            core, of = self.expressions.read(node.base, scope)
            return self.clauses(core, of, "it", node, scope, aliases)
        return self.by_noun(node, scope, aliases, naming)

    def by_noun(self, node: t.Query, scope: Scope, aliases: tuple[str, ...], naming: bool) -> tuple[Core, Type, str]:
        word = node.words[-1]
        noun = self.symbols.noun(word)
        if noun is None or (word in scope.names and many(scope.names[word])):
            return self.by_variable(node, scope, aliases, naming)
        self.symbols.used.add(noun)
        return self.clauses({"op": "all", "of": noun}, set_of(kind_type(noun)), noun, node, scope, aliases)

    def by_variable(self, node: t.Query, scope: Scope, aliases: tuple[str, ...], naming: bool) -> tuple[Core, Type, str]:
        """The noun is no kind: a local list, what somebody chose, a member, or a new name for the things of the `in` clause."""
        word = node.words[-1]
        first = node.clauses[0] if node.clauses else None
        if first is not None and first.how == "of" and scope.names.get(word, ANY).how == "map":
            chosen = self.member_of(t.Query(node.span, (word,), None, (first,)), scope)
            assert chosen is not None
            return self.clauses(*chosen, "it", t.Query(node.span, node.words, None, node.clauses[1:]), scope, aliases)
        if (
            first is not None
            and first.how == "of"
            and word in ("sort", "sorts")
            and (sorts := sorts_of(self.expressions, first.operand, scope)) is not None
        ):
            return self.clauses(*sorts, "sort", t.Query(node.span, node.words, None, node.clauses[1:]), scope, aliases)
        if not node.clauses and naming and (listed := enumerated(self.expressions, t.Name(node.span, word), scope)) is not None:
            return self.clauses(*listed, word, t.Query(node.span, node.words, None, ()), scope, aliases)
        taken = scope.names.get(word, ANY).how == "kind"
        if first is not None and first.how == "in" and (taken or word not in scope.names):
            if taken and not naming and not _speaks_of(word, node.clauses[1:]):
                self.report("R401", f"'{word}' is one thing, and '{word} in ...' looks for several", node.span, f"write: {word} is in ...")
                return self.clauses({"op": "const", "value": None}, LOST, "it", replace(node, clauses=node.clauses[1:]), scope, aliases)
            if taken:
                self.report("R309", f"'{word}' is already the name of something here", node.span, "give these things another name")
            if not naming and word not in (*aliases, *self.symbols.lost) and not _speaks_of(word, node.clauses[1:]):
                nouns = [*self.symbols.kinds, *self.symbols.plurals, *self.symbols.definitions]
                other = advice.irregular(self.symbols, word)
                self.report("R301", f"nothing is called '{word}'", node.span, other, guess=None if other else (word, nouns))
                return self.clauses({"op": "const", "value": None}, LOST, word, node, scope, aliases)
            if isinstance(first.operand, t.Name) and first.operand.word in self.symbols.effects and first.operand.word not in scope.names:
                effect = self.symbols.effects[first.operand.word]
                message = f"'{effect.path}' is an effect; it happens, there are not several of it"
                self.report("R408", message, first.operand.span, advice.each_of(self.symbols, effect))
                return self.clauses({"op": "const", "value": None}, LOST, word, replace(node, clauses=()), scope, aliases)
            core, of = enumerated(self.expressions, first.operand, scope) or self.expressions.read(first.operand, scope)
            if not many(of) and of.how not in ("any", "place") and not self.is_place(of):
                self.report("R401", f"'{word} in ...' needs several things, and this is {shown(of)}", first.span)
                of = LOST
            if of.how == "place" or self.is_place(of):
                core, of = {"op": "members", "of": core}, set_of(self.held_by(core))
            rest = t.Query(node.span, (*node.words[:-1], word), None, node.clauses[1:])
            return self.clauses(core, of, word, rest, scope, aliases)
        core, of = self.expressions.name(t.Name(node.span, word), scope, None)
        return self.clauses(core, of, "it", node, scope, aliases)

    def is_place(self, of: Type) -> bool:
        return of.how == "kind" and self.symbols.inherits(of.name, "place")

    def held_by(self, core: Core) -> Type:
        """What a place holds, if its declaration says so."""
        place = self.symbols.places.get(core.get("place", ""))
        noun = self.symbols.noun(place.holds) if place and place.holds else None
        return kind_type(noun) if noun else ANY

    def clauses(self, core: Core, of: Type, binder: str, node: t.Query, scope: Scope, aliases: tuple[str, ...]) -> tuple[Core, Type, str]:
        """Narrow several things by adjectives and clauses."""
        if of.how == "place" or self.is_place(of):
            core, of = {"op": "members", "of": core}, set_of(self.held_by(core))
        elif not many(of) and of.how != "any":
            self.report("R401", f"several things were expected here, and this is {shown(of)}", node.span)
            of = LOST
        one = element(of)
        if self.expressions.observer is not None:
            self.expressions.observer.query(node, scope, one)
        query: Core = {"op": "query", "source": core, "binder": binder, "filters": [], "orders": []}
        for clause in node.clauses:
            if clause.how in SOURCES:
                SOURCES[clause.how](self, query, one, clause, scope)
        self.check_covered(
            binder, scope, node.span, *(part for clause in node.clauses for part in (clause.operand, *clause.orders) if clause.how not in SOURCES)
        )
        inner = scope.with_element(binder, one, *aliases)
        for alias in aliases:
            query.setdefault("aliases", []).append(alias)
        tests = [self.adjective({"op": "var", "name": binder}, one, word, node.span) for word in self.told_apart(one, node)]
        query["filters"] += tests
        spans = [node.span] * len(query["filters"])
        if UNKNOWN in tests and one.how != "any":
            one = LOST
            inner = scope.with_element(binder, one, *aliases)
        elsewhere = misplaced(self, one, node, scope)
        for at, clause in enumerate(node.clauses):
            if at in elsewhere:
                continue
            if clause.how == "where":
                for condition in conjuncts(clause.operand):
                    query["filters"].append(self.expressions.expect(condition, inner, FLAG, "a condition"))
                    spans.append(condition.span)
            for order in clause.orders:
                query["orders"].append(self.order(order, inner, scope))
        if spans:
            query["spans"] = spans
        return query, one, binder

    def check_covered(self, binder: str, scope: Scope, span: Span, *parts: t.Node | None) -> None:
        """Warn where the noun of a query covers a local name, and what follows says it."""
        if binder in scope.names and self.symbols.noun(binder) is not None and any(_asks_for(binder, part) for part in parts if part is not None):
            scope.covered.add(binder)
            hint = "say 'it' for each of these, and give the other another name"
            self.report.doubt("R312", f"'{binder}' means each of these here, and no longer the '{binder}' from outside", span, hint)

    def told_apart(self, one: Type, node: t.Query) -> tuple[str, ...]:
        """The adjectives of a query; if one of them looks like a word of the language, only that one, since the others then mean something else."""
        adjectives = node.words[:-1]
        unknown = [word for word in adjectives if one.how != "any" and self.test({}, one, word, NOWHERE, quietly=True) is None]
        slips = [word for word in unknown if near_miss(word, QUERY_WORDS)]
        return tuple((slips or unknown)[:1]) or adjectives

    def order(self, order: t.Order, inner: Scope, scope: Scope) -> Core:
        if order.choice:
            key = self.expressions.expect(order.key, scope, kind_type("player"), "who chooses the order")
        else:
            key = self.expressions.expect(order.key, inner, NUMBER, "what things are ordered by")
        return {"key": key, "descending": order.descending, "choice": order.choice}

    # -- clauses that say where things come from

    def in_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        core, of = self.expressions.read(clause.operand, scope)
        inner = element(of)
        if many(of) and (inner.how == "any" or self.related(one, inner)):
            self.narrow(query, self.both(query["source"], core))
        elif of.how == "place" or self.is_place(of) or (many(of) and self.expressions.places_of(of)):
            self.can_hold(core, inner, one, clause.span)
            self.narrow(query, self.both(query["source"], {"op": "members", "of": core}))
        elif of == LOST:
            self.narrow(query, {"op": "members", "of": core})
        elif of.how != "any":
            self.report("R401", f"nothing can be in {shown(of)}", clause.span)

    def can_hold(self, core: Core, of: Type, one: Type, span: Span) -> None:
        """Complain about things that are looked for where they never are."""
        kind = self.symbols.kind_of(of.name) if of.how == "kind" else None
        line = kind.lines.get("holds") if kind else None
        noun = self.symbols.noun(line.value.word) if line and isinstance(line.value, t.Name) else None
        held = kind_type(noun) if noun else self.held_by(core)
        if held.how == one.how == "kind" and not self.may_be(one, held.name):
            self.report("R407", f"{shown(one)} is never there; only {shown(held)} can be", span)

    def related(self, left: Type, right: Type) -> bool:
        return fits(left, right, self.symbols.inherits) and right.how != "place"

    def both(self, all_of: Core, narrower: Core) -> Core:
        """The narrower source, keeping the noun as a condition."""
        noun = all_of["of"] if all_of["op"] == "all" else None
        return {"op": "of_kind", "source": narrower, "kind": noun} if noun else narrower

    def noun_of(self, query: Core) -> str | None:
        """The kind a query asks for, as long as nothing but the noun says so."""
        source: Core = query["source"]
        return source["of"] if source["op"] == "all" else None

    def narrow(self, query: Core, source: Core) -> None:
        """Where the things come from, in their order there; a second such clause is a condition on what the first one gives."""
        found = query["source"]
        everything = found["source"] if found["op"] == "of_kind" else found
        if found["op"] == "all":
            query["source"] = source
        elif everything["op"] == "all" and "grid" not in everything:  # `a card in cards in hand`
            noun = found.get("kind") or everything["of"]
            query["source"] = source if source.get("kind") == noun else {"op": "of_kind", "source": source, "kind": noun}
        else:
            query["filters"].append({"op": "is_in", "item": {"op": "var", "name": query["binder"]}, "set": source})

    def of_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        core, of = self.expressions.read(clause.operand, scope)
        noun = self.noun_of(query)
        kind = self.symbols.kind_of(noun) if noun else None
        if kind is not None and kind.links and element(of).how in ("kind", "place"):
            self.narrow(query, {"op": "links", "kind": noun, "of": core})
        elif element(of).how == "kind":
            self.narrow(query, {"op": "belonging", "kind": noun, "of": core})
        elif of.how == "place":
            self.narrow(query, self.both(query["source"], {"op": "members", "of": core}))
        elif of.how != "any":
            self.report("R401", f"{shown(of)} has no components", clause.span, "'of' names a component whose things are meant")

    def place_operand(self, clause: t.Clause, scope: Scope) -> Core:
        core, of = self.expressions.read(clause.operand, scope)
        if of.how not in ("any", "place") and not self.is_place(of):
            self.report("R401", f"a place was expected here, and this is {shown(of)}", clause.span)
        return core

    def next_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        noun = self.noun_of(query)
        self.narrow(query, {"op": "next", "kind": noun, "of": self.place_operand(clause, scope), **through(self, clause.through, scope)})

    def within_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        noun = self.noun_of(query)
        limit = self.expressions.expect(clause.limit, scope, NUMBER, "the distance")
        self.narrow(query, {"op": "within", "kind": noun, "of": self.place_operand(clause, scope), "limit": limit})

    def reachable_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        noun = self.noun_of(query)
        limit = self.expressions.expect(clause.limit, scope, NUMBER, "the distance") if clause.limit is not None else None
        start = self.place_operand(clause, scope)
        self.narrow(query, {"op": "reachable", "kind": noun, "of": start, "limit": limit, **through(self, clause.through, scope)})

    def visible_clause(self, query: Core, one: Type, clause: t.Clause, scope: Scope) -> None:
        noun = self.noun_of(query)
        self.narrow(query, {"op": "visible", "kind": noun, "of": self.place_operand(clause, scope), "blocked": self.blocking(clause.through, scope)})

    def blocking(self, node: Any, scope: Scope) -> Core | None:
        """What cannot be seen through."""
        return gone_through(self, node, scope)[0] if node is not None else None

    # -- adjectives and predicates

    def adjective(self, core: Core, of: Type, word: str, span: Span) -> Core:
        """Whether a thing is what a word says: a flag, a value of a field, a kind, or a value with one parameter."""
        test = self.test(core, of, word, span)
        if test is None:
            known: list[str] = []
            kind = self.symbols.kind_of(of.name) if of.how == "kind" else None
            if kind is not None:
                known = [name for name, field in kind.fields.items() if field.type.how == "flag"] + list(kind.values)
                known += [str(each) for field in kind.fields.values() for each in field.type.words]
            message = f"nothing says what '{word}' means of {shown(of)}"
            if of.how != "any":
                known += [*self.symbols.values, *self.symbols.kinds, *self.symbols.definitions, *QUERY_WORDS]
                known += ["empty", "full"] if self.is_place(of) else []
                advice = meant_by(word)
                self.report("R301", message, span, advice, guess=None if advice else (word, known))
            return UNKNOWN
        return test

    def test(self, core: Core, of: Type, word: str, span: Span, quietly: bool = False) -> Core | None:
        symbols = self.symbols
        symbols.used.add(word)
        if word == "empty" and (of.how in ("place", "any", "set", "list") or self.is_place(of)):
            return {"op": "is_empty", "of": core}
        if word == "full" and (of.how in ("place", "any") or self.is_place(of)):
            return {"op": "is_full", "of": core}
        kind = symbols.kind_of(of.name) if of.how == "kind" else None
        if kind is not None:
            if word in kind.fields and kind.fields[word].type.how == "flag":
                return {"op": "field", "of": core, "name": word}
            if word in kind.values and not kind.values[word].parameters:
                return self.expressions.apply_value(kind.values[word], core, ())[0]
            if (field := self.field_with(kind, word, span, quietly)) is not None:
                return {"op": "compare", "how": "=", "left": {"op": "field", "of": core, "name": field}, "right": {"op": "const", "value": word}}
        value = symbols.values.get(word)
        if value is not None and len(value.parameters) == 1 and fits(of, value.parameters[0].type, symbols.inherits):
            return self.expressions.apply_value(value, None, (core,))[0]
        noun = symbols.noun(word)
        if noun is not None and noun == word and (of.how == "any" or (of.how == "kind" and self.may_be(of, noun))):
            return {"op": "is_kind", "of": core, "kind": noun}
        if of.how == "deed" and (word in symbols.groups or word in symbols.actions):
            return {"op": "is_deed", "of": core, "name": word}
        return None

    def field_with(self, kind: Kind, word: str, span: Span, quietly: bool) -> str | None:
        """The one field of a kind that has a word among its values."""
        found = [name for name, field in kind.fields.items() if field.type.how == "words" and word in field.type.words]
        if len(found) > 1 and not quietly:
            self.ambiguous(word, found, kind.name, span)
        return found[0] if found else None

    def ambiguous(self, word: str, fields: list[str], kind: str, span: Span) -> None:
        message = f"'{word}' may be the {' or the '.join(fields)} of {with_article(kind)}"
        self.report("R410", message, span, f"say which: {fields[0]} is {word}")

    def may_be(self, of: Type, noun: str) -> bool:
        """Whether a thing of one kind can be of another one too."""
        return self.symbols.inherits(noun, of.name) or self.symbols.inherits(of.name, noun)

    def predicate(self, node: t.Compare, scope: Scope) -> Read:
        """`X is ...`: a kind, an adjective, a value, or the same thing."""
        core, of = self.expressions.read(node.left, scope)
        test = self.is_what(core, of, node, scope)
        return (test if node.op == "is" else {"op": "not", "part": test}), FLAG

    def is_what(self, core: Core, of: Type, node: t.Compare, scope: Scope) -> Core:
        right = node.right
        if of.how == "deed" and isinstance(right, t.Dot) and (path := self.deed_path(right)) in self.symbols.actions:
            self.symbols.used.add(path)
            return {"op": "is_deed", "of": core, "name": path}
        if isinstance(right, t.Quantified) and right.how == "a" and isinstance(right.query, t.Name | t.Query):
            return self.is_a(core, of, right, scope)
        if isinstance(right, t.Name) and right.word not in scope.names:
            if of.how == "words" and right.word in of.words:
                return {"op": "compare", "how": "=", "left": core, "right": {"op": "const", "value": right.word}}
            if right.word != "none" and (test := self.test(core, of, right.word, right.span)) is not None:
                return test
            if of.how == "kind" and not self.known(right.word, scope):
                return self.adjective(core, of, right.word, right.span)
        doubts = len(self.report.doubts)
        other, other_type = self.expressions.read(right, scope, of)
        self.expressions.check_same(core, other, node.span, scope, doubts)
        self.expressions.check_comparable(of, other_type, node.span, self.expressions.elsewhere(node, of, other_type))
        self.expressions.check_range(core, of, other, "=", node.span)
        return {"op": "compare", "how": "=", "left": core, "right": other}

    def known(self, word: str, scope: Scope) -> bool:
        """Whether a word means something by itself, or explains itself better than as an adjective."""
        if word in scope.may_be_unset or self.expressions.excused(word, scope, None) or self.expressions.global_name(word) is not None:
            return True
        own = any(self.expressions.member({}, each.type, word, NOWHERE) is not None for each in scope.elements)
        return own or word in self.symbols.values or word in self.symbols.effects or word in self.symbols.kinds or word in self.symbols.dice

    def deed_path(self, node: Any) -> str:
        """The path of an action written with dots."""
        return f"{self.deed_path(node.base)}.{node.word}" if isinstance(node, t.Dot) else getattr(node, "word", "")

    def is_a(self, core: Core, of: Type, right: t.Quantified, scope: Scope) -> Core:
        """`X is a big dog`: a kind and adjectives, or a word that is said of X; with clauses, one of the things found."""
        query: Any = right.query
        words = query.words if isinstance(query, t.Query) else (query.word,)
        noun = self.symbols.noun(words[-1])
        if noun is None and of == LOST:
            return UNKNOWN
        if noun is None:
            if of.how == "deed":
                return self.adjective(core, of, words[-1], right.span)
            if len(words) == 1 and (named := scope.names.get(words[0])) is not None and named.how == "words" and named.name and of.how == "kind":
                return self.is_sort(core, of, t.Name(query.span, words[0]), scope)
            if len(words) == 1 and not getattr(query, "clauses", ()) and (test := self.test(core, of, words[0], right.span)) is not None:
                return test
            self.report("R301", f"there is no kind '{words[-1]}'", right.span, guess=(words[-1], [*self.symbols.kinds, *self.symbols.definitions]))
            return {"op": "const", "value": True}
        self.symbols.used.add(noun)
        if isinstance(query, t.Query) and query.clauses:
            found, _, _ = self.find(query, scope)
            return {"op": "is_in", "item": core, "set": found}
        if of.how == "kind" and not self.may_be(of, noun):
            self.report("R407", f"{shown(of)} is never a {noun}", right.span)
        parts: list[Core] = [{"op": "is_kind", "of": core, "kind": noun}]
        parts += [self.adjective(core, kind_type(noun), word, right.span) for word in words[:-1]]
        return parts[0] if len(parts) == 1 else {"op": "and", "parts": parts}

    def is_sort(self, core: Core, of: Type, name: t.Name, scope: Scope) -> Core:
        """`X is a NAMED`: whether X is called what a local name holds."""
        sort, wanted = self.expressions.read(name, scope)
        if not self.may_be(of, wanted.name):
            self.report("R407", f"{shown(of)} is never {with_article(wanted.name)}", name.span)
        return {"op": "compare", "how": "=", "left": {"op": "field", "of": core, "name": "sort"}, "right": sort}

    def holds(self, node: t.Compare, scope: Scope) -> Read:
        """`PLACE holds a thing`, `PLACE holds no thing`, `PLACE holds only X`."""
        core, of = self.expressions.read(node.left, scope)
        if of.how not in ("any", "place") and not self.is_place(of) and not (many(of) and (element(of) == LOST or self.expressions.places_of(of))):
            self.report("R401", f"{shown(of)} cannot hold anything", node.left.span)
        members: Core = {"op": "members", "of": core}
        right: Any = node.right
        if node.op == "holds only":
            found, sort = self.expressions.read(right, scope)
            only = found if many(sort) else {"op": "list", "parts": [found]}
            return {"op": "compare", "how": "=", "left": members, "right": only}, FLAG
        how = right.how if isinstance(right, t.Quantified) else ""
        if how in ("a", "any", "no", "number"):
            return self.holds_some(right, members, scope), FLAG
        if how == "every" and right.body is None:
            right = replace(right, how="all")
        member = self.member_of(right, scope) if isinstance(right, t.Query) else None
        if member is None and (isinstance(right, t.Query) or self.is_noun(right, scope)):
            return self.holds_some(t.Quantified(right.span, "a", right), members, scope), FLAG
        found, sort = member or self.expressions.read(right, scope)
        if element(sort).how not in ("kind", "any"):
            self.report("R401", f"a place holds components, and this is {shown(sort)}", right.span)
        if not many(sort):
            return {"op": "is_in", "item": found, "set": members}, FLAG
        outside: Core = {"op": "not", "part": {"op": "is_in", "item": {"op": "var", "name": "it"}, "set": members}}
        strays: Core = {"op": "query", "source": found, "binder": "it", "filters": [outside], "orders": []}
        return {"op": "not", "part": {"op": "exists", "query": strays}}, FLAG

    def holds_some(self, node: t.Quantified, members: Core, scope: Scope) -> Core:
        """Whether some of the things of a query are members of a place: one, none, or so many."""
        found, _, _ = self.find(node.query, scope)
        if found["source"]["op"] != "all":
            found["filters"].append({"op": "is_in", "item": {"op": "var", "name": found["binder"]}, "set": found["source"]})
        found["source"] = self.both(found["source"], members)
        if node.how == "number":
            amount = self.expressions.expect(node.amount, scope, NUMBER, "the amount")
            return {"op": "compare", "how": ">=", "left": {"op": "count", "query": found}, "right": amount}
        test: Core = {"op": "exists", "query": found}
        return {"op": "not", "part": test} if node.how == "no" else test

    # -- words before a query

    def quantified(self, node: t.Quantified, scope: Scope, wanted: Type | None = None) -> Read:
        if node.how in ("the", "a", "all") and isinstance(node.query, t.Query):
            member = self.member_of(node.query, scope)
            if member is not None and not many(member[1]) and member[1].how != "place":
                return member
        if node.how == "the" and isinstance(node.query, t.Name | t.Dot | t.Call):
            core, of = self.expressions.read(node.query, scope, wanted) if not self.is_noun(node.query, scope) else ({}, set_of(ANY))
            if not many(of):
                return core, of
        query, one, binder = self.find(node.query, scope, naming=node.body is not None)
        match node.how:
            case "any" | "no" | "every":
                return self.exists(node, query, one, binder, scope), FLAG
            case "count":
                return {"op": "count", "query": query}, NUMBER
            case "all":
                return query, set_of(one)
            case "up_to" | "any_number":
                self.report("R508", "'up to' and 'any number of' can only stand where something is chosen, drawn or moved", node.span)
                return query, set_of(one)
        return self.picked(node, query, one, scope)

    def mended(self, node: Any, scope: Scope, *used: Any) -> Any:
        """`each wrod in place` gives what is there a new name; if that is almost a kind and nothing asks for it, the kind was meant."""
        word = node.words[-1] if isinstance(node, t.Query) and node.words and node.clauses else ""
        if not word or node.clauses[0].how != "in" or self.symbols.noun(word) is not None or word in scope.names or word in self.symbols.lost:
            return node
        asked = _speaks_of(word, (*node.clauses, *used))
        best = None if asked else self.report.guesser.guess(word, [*self.symbols.kinds, *self.symbols.plurals, *self.symbols.definitions])
        if best is None:
            return node
        self.report("R301", f"nothing is called '{word}'", node.span, f"did you mean '{best}'?")
        return replace(node, words=(*node.words[:-1], best))

    def is_noun(self, node: Any, scope: Scope) -> bool:
        return isinstance(node, t.Name) and node.word not in scope.names and self.symbols.noun(node.word) is not None

    def picked(self, node: t.Quantified, query: Core, one: Type, scope: Scope) -> Read:
        """One or several of the things found: a, the, first, last, top, bottom, a number."""
        how = {"a": "first", "the": "only", "number": "first"}.get(node.how, node.how)
        if node.amount is not None:
            amount = self.expressions.expect(node.amount, scope, NUMBER, "the amount")
            return {"op": "pick_many", "how": how, "query": query, "amount": amount}, set_of(one)
        return {"op": "pick", "how": how, "query": query}, one

    def exists(self, node: t.Quantified, query: Core, one: Type, binder: str, scope: Scope) -> Core:
        """`any`, `no` and `every`, with or without a condition on each thing."""
        if node.body is not None:
            self.check_covered(binder, scope, node.span, node.body)
            inner = scope.with_element(binder, one)
            condition = self.expressions.expect(node.body, inner, FLAG, "a condition")
            if node.how == "every":
                condition = {"op": "not", "part": condition}
            alias = {**query, "aliases": [*query.get("aliases", []), "it"]}
            query = {**alias, "filters": [*query["filters"], condition]}
        elif node.how == "every":
            self.report("R401", "'every ...' needs something that is said of each", node.span, "for example: every cell in line is empty")
        test: Core = {"op": "exists", "query": query}
        return test if node.how == "any" else {"op": "not", "part": test}

    def measure(self, node: t.Measure, scope: Scope, wanted: Type | None = None) -> Read:
        query, one, binder = self.find(self.mended(node.query, scope, node.value), scope, naming=True)
        self.check_covered(binder, scope, node.span, node.value)
        value = self.expressions.expect(node.value, scope.with_element(binder, one), NUMBER, f"what the {node.how} is taken of")
        return {"op": "measure", "how": node.how, "value": value, "query": query}, NUMBER

    def distance(self, node: t.Distance, scope: Scope, wanted: Type | None = None) -> Read:
        start = self.expressions.expect(node.start, scope, PLACE, "where the distance begins")
        goal = self.expressions.expect(node.goal, scope, PLACE, "where the distance ends")
        return {"op": "path_distance", "start": start, "goal": goal, **through(self, node.through, scope)}, NUMBER

    def several(self, node: t.Several, scope: Scope, wanted: Type | None = None) -> Read:
        """Things that are listed; what turns out to be nothing is none of them."""
        parts, together = [], None
        for part in node.parts:
            core, of = self.expressions.read(part, scope, element(wanted) if wanted is not None else None)
            if many(of):
                self.report("R401", f"each of these is one thing, and this is {shown(of)}", part.span)
            both = self.expressions.common(together, of) if together is not None else of
            if both is None:
                self.report("R401", f"these are of different sorts: {shown(together or ANY)} and {shown(of)}", part.span)
            parts.append(core)
            together = both or LOST
        listed: Core = {"op": "list", "parts": parts}
        if not all(self.expressions.certain(part, scope) for part in parts):
            there = {"op": "compare", "how": "!=", "left": {"op": "var", "name": "it"}, "right": {"op": "const", "value": None}}
            listed = {"op": "query", "source": listed, "binder": "it", "filters": [there], "orders": []}
        return listed, set_of(replace(together or LOST, optional=False))

    def lines(self, node: t.Call, scope: Scope) -> Read:
        """`lines(grid, n)`: every straight row of n neighbours on a grid."""
        if len(node.arguments) != 2 or not isinstance(node.arguments[0], t.Name) or node.arguments[0].word not in self.symbols.grids:
            if not node.arguments or getattr(node.arguments[0], "word", "") not in self.symbols.lost:
                self.report("R403", "'lines' takes a grid and a number", node.span, "for example: lines(board, 3)")
            return {"op": "const", "value": None}, LOST
        grid = node.arguments[0].word
        self.symbols.used.add(grid)
        length = self.expressions.expect(node.arguments[1], scope, NUMBER, "the length of a line")
        cells = set_of(kind_type(self.symbols.grids[grid].kind))
        return {"op": "lines", "grid": grid, "length": length}, set_of(cells)


def _speaks_of(word: str, parts: tuple[t.Node, ...]) -> bool:
    """Whether the clauses of a query, or what follows it, use the name it gives to the things it finds."""
    return any(isinstance(node, t.Name) and node.word == word for part in parts for node in walk(part))


def _asks_for(word: str, part: t.Node) -> bool:
    """Whether a part uses a name, other than as the noun of a query."""
    nouns = {id(node.query) for node in walk(part) if hasattr(node, "query")}
    return any(isinstance(node, t.Name) and node.word == word and id(node) not in nouns for node in walk(part))


SOURCES = {
    "in": Queries.in_clause, "of": Queries.of_clause, "next": Queries.next_clause, "within": Queries.within_clause,
    "reachable": Queries.reachable_clause, "visible": Queries.visible_clause,
}  # fmt: skip
