"""Queries as loops: how they are narrowed, and how what they look at is counted.

What they look through is in `sources`, where they begin in `beginnings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.compile.source.beginnings import Expr, flat
from rulewright.compile.source.facts import size, speaks_of
from rulewright.compile.source.looking import ENDLESS, FREE, LARGE, SHORT
from rulewright.compile.source.sources import Sources, unless
from rulewright.compile.source.writing import LIST, LOOKED, ONE, Code, Scope
from rulewright.core.graph import mappings
from rulewright.run.finding import binders

Act = Callable[[Code, Scope], None]
Whole = Callable[[Code], None]
THING = Code("", ONE, True)
NO = {"op": "const", "value": False}
GUARD = 14  # operations of a condition that is asked before a value is
COUNTED, NOTED = "counted", "noted"  # whether what a loop looks at is counted one by one, or has been seen to by a loop around it


class Loops(Sources):
    """The part of `Queries` that goes through things."""

    counting = ""

    def _query(self, expression: Expr, scope: Scope) -> Code:
        raise NotImplementedError

    def _exists_simply(self, inner: Expr, scope: Scope) -> Code | None:
        raise NotImplementedError

    def over(
        self,
        expression: Expr,
        scope: Scope,
        act: Act,
        *,
        bound: bool = True,
        opening: str = "pass",
        whole: Whole | None = None,
        bare: Whole | None = None,
        wanted: bool | None = None,
    ) -> None:
        """A loop over what an expression finds: `act` writes what is done with each; instead of `opening` and loop `whole` writes what is done if nothing is left
        out, and `bare` what is done if nothing but what is not empty is.
        """
        if expression["op"] == "query" and not expression["orders"]:
            source, names, filters = expression["source"], binders(expression), flat(expression["filters"])
        else:
            source, names, filters = expression, binders(expression) if bound else [], []
            if expression["op"] == "query":
                self._open(opening)
                self._each(self._query(expression, scope), None, names, [], scope, act)
                return
        nouns, most = None, self.facts.looking.most(source)
        kind = source["kind"] if source["op"] == "of_kind" else source.get("of") if source["op"] == "all" else None
        self.pay(source, most)
        begin, filters = self.begin(source, names, filters, scope)
        if begin is None:
            begin = self._looked_through(source["source"] if source["op"] == "of_kind" else source, scope)
            if kind is None:
                kind = begin.each
            elif not self.facts.is_a(begin.each, kind):
                nouns = self.module.lookup("nouns", kind)
        if whole is not None and not filters and nouns is None:
            whole(begin)
            return
        thing = self._thing(kind)
        if bare is not None and nouns is None and thing.sure and _empty(filters, names):
            bare(Code(f"bare({begin.text}, {self.writer.column('members')})", LIST))
            return
        self._open(opening)
        if source["op"] == "lines":
            thing = Code("", LIST, True, each=self.module.graph["grids"][source["grid"]]["kind"])
        self._each(begin, nouns, names, filters, scope, act, thing, most, wanted=wanted)

    def pay(self, source: Expr, most: int) -> None:
        """A query over everything of a large kind is paid for as such, wherever it begins."""
        if most >= LARGE and (source["source"] if source["op"] == "of_kind" else source)["op"] == "all":
            self.writer.line(f"m.looked += {most}")

    def _open(self, opening: str) -> None:
        if opening != "pass":
            self.writer.line(opening)

    def _thing(self, noun: str | None) -> Code:
        """What is known about something for which a noun stands, still without a name."""
        kind = self.facts.kind_of(noun)
        return Code("", ONE, True, kind is not None, kind)

    def _each(
        self,
        source: Code,
        nouns: str | None,
        names: list[str],
        filters: list[Expr],
        scope: Scope,
        act: Act,
        thing: Code = THING,
        most: int = ENDLESS,
        behind: str | None = None,
        wanted: bool | None = None,
    ) -> None:
        """A loop; only over what has a greater number than `behind`, if that is given.

        Loops inside each other may not go on for ever: what they look at is counted, unless it is certain that that is not much; then it is noted at once, or
        not at all. If the loop only finds out whether there is something, `wanted` says whether one around it goes on with its next thing if not, or if so.
        """
        writer, outside, counted = self.writer, self.counting, False
        if filters:
            scope = self._hoisted(filters, names, scope)
            while filters and not speaks_of(filters[0], names):  # what does not depend on the things is asked once, if there are any
                name, (condition, *filters) = writer.name(), filters
                writer.line(f"{name} = {source.text}")
                writer.line(f"if {name}:")
                with writer.inside():
                    writer.line(f"if not {self.test(condition, scope).text}: {name} = NOTHING")
                source = source._replace(text=name, simple=True)
            looking = any(_looks(condition) for condition in filters)
            work = most * (1 + self.facts.looking.work(filters)) if looking else 0
            if self.counting == COUNTED or (work > SHORT and self.counting == ""):
                source, writer.counting, counted = writer.kept(source), True, looking
                writer.line(f"n += len({source.text})")
            elif work > FREE and self.counting == "":
                source = writer.kept(source)
                writer.line(f"m.looked += len({source.text})")
            if looking and self.counting == "":
                self.counting = COUNTED if work > SHORT else NOTED
        each = thing._replace(text=writer.name())
        inner = scope.with_names(dict.fromkeys(names, each))
        if wanted is False and filters and nouns is None and (parted := self.parted(source.text)) is not None:
            source = self._without_first(source, *parted, filters, inner, each)
        elif wanted and source.text.startswith("members["):
            source = writer.kept(source)
            writer.line(f"if not {source.text}: continue")
        writer.line(f"for {each.text} in {source.text}:")
        with writer.inside(), self.row(source, each.text):
            if counted:
                writer.line(f"if n > {LOOKED}: n = looked(m, n)")
            if behind is not None:
                writer.line(f"if {each.text} <= {behind}: continue")
            if nouns is not None:
                writer.line(f"if {each.text} not in {nouns}: continue")
            depth = writer.depth
            for condition in filters:
                self._only_if(condition, inner)
            self.counting = outside
            act(each, inner)
            writer.depth = depth

    def _without_first(self, source: Code, first: str, rest: str, filters: list[Expr], scope: Scope, each: Code) -> Code:
        """Where one fitting thing is one too many, the first one is asked before the loop, which mostly is not needed then: what the loop is over."""
        names = {name: each._replace(text=first) for name, code in scope.names.items() if code is each}
        with self.writer.apart() as lines:
            tests = [self.test(condition, scope.with_names(names)).text for condition in filters]
        if lines:
            return source
        self.writer.line(f"if {first} is not None and {' and '.join(tests)}: continue")
        return source._replace(text=rest)

    def _only_if(self, condition: Expr, scope: Scope) -> None:
        """In a loop: go on with the next thing unless a condition holds. What follows may be written one level deeper."""
        if condition["op"] == "and":
            for part in condition["parts"]:
                self._only_if(part, scope)
            return
        if condition["op"] == "value" and self.inlines(path := condition["value"]):
            inner = self.opened(condition, scope)
            self.inlined.append(path)
            self._only_if(self.module.graph["values"][path]["value"], inner)
            self.inlined.pop()
            return
        if condition["op"] == "value":
            self._guarded(condition, scope)
        negated = condition["op"] == "not"
        exists = condition["part"] if negated else condition
        if negated and exists["op"] == "not":
            self._only_if(exists["part"], scope)
            return
        if exists["op"] != "exists":
            self.writer.line(unless(self.test(condition, scope).text))
            return
        simple = self._exists_simply(exists["query"], scope)
        if simple is not None:
            self.writer.line(f"if {'' if negated else 'not '}{simple.text}: continue")
            return
        self.over(unordered(exists["query"]), scope, lambda each, _: self.writer.line("break"), wanted=not negated)
        self.writer.line("else:")
        if negated:
            self.writer.depth += 1
        else:
            self.writer.line("    continue")

    def _guarded(self, condition: Expr, scope: Scope) -> None:
        """If a value that is asked by calling its function is false unless something simple holds: ask that first, most calls are not needed then."""
        path = condition["value"]
        body = self.module.graph["values"][path]["value"]
        if not self.facts.values[path].fixed or path in self.inlined or body["op"] != "if":
            return
        test = body["test"]
        if body["yes"] == NO:
            test = test["part"] if test["op"] == "not" else {"op": "not", "part": test}
        elif body["no"] != NO:
            return
        if size(test) <= GUARD and self.facts.harmless(test):
            self.inlined.append(path)
            self._only_if(test, self.opened(condition, scope))
            self.inlined.pop()

    def _hoisted(self, filters: list[Expr], names: list[str], scope: Scope) -> Scope:
        """The scope with local names that conditions speak of in Python variables, so that they are not looked up again and again."""
        if not scope.dynamic:
            return scope
        bound = binders_in(filters)
        spoken = [name for name in dict.fromkeys(variables_of(filters)) if name not in scope.names and name not in names and name not in bound]
        return scope.with_names({name: self.writer.kept(scope.get(self.module, name)) for name in spoken})


def unordered(expression: Expr) -> Expr:
    """A query without its order."""
    return {**expression, "orders": []} if expression["op"] == "query" else expression


def variables_of(part: Any) -> Iterator[str]:
    """The local names that an expression speaks of; also names of its own inner queries."""
    return (each["name"] for each in mappings(part) if each.get("op") == "var")


def binders_in(part: Any) -> set[str]:
    """The names that queries inside an expression give to what they look at."""
    return {"it", *(each["binder"] for each in mappings(part) if isinstance(each.get("binder"), str))}


def _empty(filters: list[Expr], names: list[str]) -> bool:
    """Whether the only condition is that nothing lies in a thing."""
    return len(filters) == 1 and filters[0]["op"] == "is_empty" and filters[0]["of"]["op"] == "var" and filters[0]["of"]["name"] in names


def _looks(part: Any) -> bool:
    """Whether an expression looks through things, or asks for a value that may."""
    return any(each.get("op") in ("query", "value", "gather", "exists") for each in mappings(part))
