"""Queries as loops: how they are narrowed, and what is made of what they find.

Where a query begins is in `beginnings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.compile.source.beginnings import Beginnings, Expr, flat, start
from interpreter.compile.source.facts import speaks_of
from interpreter.compile.source.looking import ENDLESS, FREE, SHORT
from interpreter.compile.source.writing import ANY, BOOL, INT, LIST, LOOKED, ONE, Code, Scope
from interpreter.run.code import mappings
from interpreter.run.finding import binders

Act = Callable[[Code, Scope], None]
Whole = Callable[[Code], None]
THING = Code("", ONE, True)
COUNTED, NOTED = "counted", "noted"  # whether what a loop looks at is counted one by one, or has been seen to by a loop around it


class Queries(Beginnings):
    """The part of `Expressions` that finds things."""

    counting = ""
    firm = False  # whether what is being written is only for when nobody knows the order of piles

    # -- what is looked through

    def _all(self, expression: Expr, scope: Scope) -> Code:
        spec = ("cells", expression["grid"]) if "grid" in expression else ("all", expression["of"])
        return Code(self.module.lookup(*spec), LIST, True, each=self.facts.kind_of(expression["of"]))

    def _members(self, expression: Expr, scope: Scope) -> Code:
        found = self._inside(expression, scope)
        return Code(f"list({found.text})", LIST)

    def _inside(self, expression: Expr, scope: Scope) -> Code:
        """What lies in some places, to be looked through at once."""
        of, members = self.value(expression["of"], scope), self.writer.column("members")
        if of.shape == ONE and (of.sure or (of.simple and of.text.startswith("t"))):
            return Code(f"{members}[{of.text}]", LIST)
        of = self.writer.kept(of)
        if of.shape == ONE:
            return Code(f"(() if {of.text} is None else {members}[{of.text}])", LIST)
        return Code(f"members_of(m, {of.text})", LIST)

    def _of_kind(self, expression: Expr, scope: Scope) -> Code:
        return self._listed(expression, scope)

    def _links(self, expression: Expr, scope: Scope) -> Code:
        of = self.value(expression["of"], scope)
        table = self.module.lookup("links", expression["kind"])
        if of.shape == ONE:
            return Code(f"{table}.get({of.text}, NOTHING)", LIST, each=self.facts.kind_of(expression["kind"]))
        return Code(f"links_of({table}, {of.text})", LIST, each=self.facts.kind_of(expression["kind"]))

    def _next(self, expression: Expr, scope: Scope) -> Code:
        """The places one step away, by ways that count as such: what is a way is asked for each link, or for each place beside it on a grid."""
        writer, found = self.writer, self.writer.name()
        of = self.kept(expression["of"], scope)
        through = expression["through"]
        writer.line(f"{found} = []")
        lazily = through is not None and through["op"] == "query" and start(through)["op"] == "all"
        allowed = None if through is None or lazily else writer.kept(Code(f"frozenset({self._several(through, scope).text})"))
        if not of.sure:
            writer.line(f"if {of.text} is not None:")
            writer.depth += 1
        link, place = writer.name(), writer.name()
        writer.line(f"for {link}, {place} in {self.module.lookup('neighbours')}[{of.text}]:")
        with writer.inside():
            if expression["kind"] is not None:
                writer.line(f"if {place} not in {self.module.lookup('nouns', expression['kind'])}: continue")
            writer.line(f"if {place} in {found}: continue")
            if allowed is not None:
                writer.line(f"if {link} not in {allowed.text} and ({link} is not None or {place} not in {allowed.text}): continue")
            elif through is not None:
                way = Code(writer.name(), ONE, True, sure=True)
                writer.line(f"{way.text} = {place} if {link} is None else {link}")
                self._way(through, way, scope)
            writer.line(f"{found}.append({place})")
        if not of.sure:
            writer.depth -= 1
        return Code(found, LIST, True, each=self.facts.kind_of(expression["kind"]))

    def _way(self, through: Expr, way: Code, scope: Scope) -> None:
        """Go on with the next unless something is among what a query over everything of a kind finds."""
        source = through["source"]
        kinds = [source["kind"], source["source"].get("of")] if source["op"] == "of_kind" else [source.get("of")]
        begin = start(through)
        if "grid" in begin:
            self.writer.line(f"if {way.text} not in {self.module.lookup('among', None, 'cells', begin['grid'])}: continue")
        for kind in kinds:
            if kind is not None:
                self.writer.line(f"if {way.text} not in {self.module.lookup('nouns', kind)}: continue")
        kind = next((kind for kind in kinds if kind in self.module.graph["kinds"]), None)
        inner = scope.with_names(dict.fromkeys(binders(through), way._replace(kind=kind)))
        for condition in flat(through["filters"]):
            self.writer.line(_unless(self.test(condition, inner).text))

    def _gather(self, expression: Expr, scope: Scope) -> Code:
        found = self.writer.name()
        self.writer.line(f"{found} = {{}}")

        def add(each: Code, inner: Scope) -> None:
            part = self.value(expression["value"], scope.with_names({"it": each}))
            if part.shape == ONE:
                part = self.writer.kept(part)
                self.writer.line(f"if {part.text} is not None: {found}[{part.text}] = None")
            else:
                self.writer.line(f"{found}.update(dict.fromkeys(many({part.text})))")

        self.over(expression["query"], scope, add, bound=False)
        return Code(f"list({found})", LIST)

    # -- looking through

    def over(
        self,
        expression: Expr,
        scope: Scope,
        act: Act,
        *,
        bound: bool = True,
        opening: str = "pass",
        whole: Whole | None = None,
        unless: str | None = None,
    ) -> None:
        """A loop over what an expression finds: `act` writes what is done with each, `whole` what is done instead of `opening` and loop if nothing is left out."""
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
        self._open(opening)
        thing = self._thing(kind)
        if source["op"] == "lines":
            thing = Code("", LIST, True, each=self.module.graph["grids"][source["grid"]]["kind"])
        self._each(begin, nouns, names, filters, scope, act, thing, most, unless=unless)

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
        unless: str | None = None,
    ) -> None:
        """A loop; only over what has a greater number than `behind`, if that is given.

        Loops inside each other may not go on for ever: what they look at is counted, unless it is certain that that is not much; then it is noted at once, or
        not at all.
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
        if unless is not None and filters and nouns is None and (parted := self.parted(source.text)) is not None:
            source = self._without_first(source, *parted, filters, inner, each, unless)
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

    def _without_first(self, source: Code, first: str, rest: str, filters: list[Expr], scope: Scope, each: Code, unless: str) -> Code:
        """Where one fitting thing is enough for `unless`, the first one is asked before the loop, which mostly is not needed then: what the loop is over."""
        names = {name: each._replace(text=first) for name, code in scope.names.items() if code is each}
        with self.writer.apart() as lines:
            tests = [self.test(condition, scope.with_names(names)).text for condition in filters]
        if lines:
            return source
        self.writer.line(f"if {first} is not None and {' and '.join(tests)}: {unless}")
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
        negated = condition["op"] == "not"
        exists = condition["part"] if negated else condition
        if negated and exists["op"] == "not":
            self._only_if(exists["part"], scope)
            return
        if exists["op"] != "exists":
            self.writer.line(_unless(self.test(condition, scope).text))
            return
        simple = self._exists_simply(exists["query"], scope)
        if simple is not None:
            self.writer.line(f"if {'' if negated else 'not '}{simple.text}: continue")
            return
        self.over(_unordered(exists["query"]), scope, lambda each, _: self.writer.line("break"), unless="continue" if negated else None)
        self.writer.line("else:")
        if negated:
            self.writer.depth += 1
        else:
            self.writer.line("    continue")

    def _hoisted(self, filters: list[Expr], names: list[str], scope: Scope) -> Scope:
        """The scope with local names that conditions speak of in Python variables, so that they are not looked up again and again."""
        if not scope.dynamic:
            return scope
        bound = binders_in(filters)
        spoken = [name for name in dict.fromkeys(variables_of(filters)) if name not in scope.names and name not in names and name not in bound]
        return scope.with_names({name: self.writer.kept(scope.get(self.module, name)) for name in spoken})

    def _looked_through(self, source: Expr, scope: Scope) -> Code:
        """A source that is only looked through, so that it need not be a list of its own."""
        if source["op"] == "members":
            return self._inside(source, scope)
        if source["op"] == "query" or source["op"] == "of_kind":
            return self._listed(source, scope)
        return self._several(source, scope)

    def _several(self, expression: Expr, scope: Scope) -> Code:
        """The value of an expression as several things."""
        found = self.value(expression, scope)
        return found if found.shape == LIST else Code(f"many({found.text})", LIST)

    # -- what is made of it

    def _listed(self, expression: Expr, scope: Scope) -> Code:
        while not expression.get("filters", True) and not expression["orders"] and expression["source"]["op"] == "query":
            expression = expression["source"]
            if any(not order["choice"] for order in expression["orders"]):
                return self._query(expression, scope)
        lying = self.lying(expression, scope)
        if lying is not None:
            return Code(f"sorted({lying[0]}.intersection({lying[1]}))", LIST)
        if expression["op"] == "query" and not expression["filters"] and not expression["orders"] and expression["source"]["op"] == "all":
            return Code(f"{self._all(expression['source'], scope).text}[:]", LIST)
        found = self.writer.name()
        self.over(
            expression,
            scope,
            lambda each, _: self.writer.line(f"{found}.append({each.text})"),
            opening=f"{found} = []",
            whole=lambda everything: self.writer.line(f"{found} = [*{everything.text}]"),
        )
        return Code(found, LIST, True)

    def _query(self, expression: Expr, scope: Scope) -> Code:
        orders = [order for order in expression["orders"] if not order["choice"]]
        unordered = {**expression, "orders": []}
        if not orders:
            return self._listed(unordered, scope)
        return Code(f"[each[1] for each in {self.ranked(unordered, orders, binders(expression), scope)}]", LIST)

    def ranked(self, expression: Expr, orders: list[Expr], names: list[str], scope: Scope) -> str:
        """What an expression finds in order, each thing behind its keys: the name of the list."""
        ranked = self.writer.name()
        self.writer.line(f"{ranked} = []")

        def rank(each: Code, _: Scope) -> None:
            keys, inner = [], scope.with_names(dict.fromkeys(names, each))
            for order in orders:
                key = self.kept(order["key"], inner)
                sign = " * -1" if order["descending"] else ""
                keys.append(f"{key.text} is None, ({key.text} or 0){sign}")
            self.writer.line(f"{ranked}.append((({', '.join(keys)},), {each.text}))")

        self.over(expression, scope, rank)
        self.writer.line(f"{ranked}.sort(key=FIRST)")
        return ranked

    def _exists(self, expression: Expr, scope: Scope) -> Code:
        inner = expression["query"]
        simple = self._exists_simply(inner, scope)
        if simple is not None:
            return simple
        covered = self._covered(inner, scope)
        if covered is not None:
            return covered
        found = self.writer.name()

        def stop(each: Code, _: Scope) -> None:
            self.writer.line(f"{found} = True")
            self.writer.line("break")

        whole = f"{found} = bool({{}})"
        self.over(
            _unordered(inner), scope, stop, opening=f"{found} = False", whole=lambda everything: self.writer.line(whole.format(everything.text))
        )
        return Code(found, BOOL, True)

    def _covered(self, inner: Expr, scope: Scope) -> Code | None:
        """Whether there is a line of cells that all fit, where that depends on the cells alone: first those are asked that most lines have in common."""
        found = every_in_a_line(inner)
        if found is None:
            return None
        source, every, fits = inner["source"], inner["filters"][0], found["filters"]
        kind, length = self.module.graph["grids"][source["grid"]]["kind"], source["length"]["value"]
        wanted = found["source"].get("kind")
        if (wanted is not None and not self.facts.is_a(kind, wanted)) or not all(self.facts.harmless(each) for each in fits):
            return None
        writer, there, outside = self.writer, self.writer.name(), self.counting
        scope = self._hoisted(fits, [*binders(inner), *binders(found)], scope)
        table = self.module.lookup("covers", source["grid"], length)
        if self.counting == COUNTED or (
            self.counting == "" and self.facts.looking.most(source) * length * (1 + self.facts.looking.work(fits)) > FREE
        ):
            writer.line(f"m.looked += len({table})")
        self.counting = NOTED
        cell, lines, line = Code(writer.name(), ONE, True, True, kind), writer.name(), Code(writer.name(), LIST, True, each=kind)
        writer.line(f"{there} = False")
        writer.line(f"for {cell.text}, {lines} in {table}:")
        depth = writer.depth
        writer.depth += 1
        self._only_if(
            {"op": "not", "part": {"op": "and", "parts": fits} if len(fits) > 1 else fits[0]}, scope.with_names(dict.fromkeys(binders(found), cell))
        )
        writer.line(f"for {line.text} in {lines}:")
        with writer.inside():
            inside = writer.depth
            self._only_if(every, scope.with_names(dict.fromkeys(binders(inner), line)))
            writer.line(f"{there} = True")
            writer.line("break")
            writer.depth = inside
        writer.line(f"if {there}: break")
        writer.depth, self.counting = depth, outside
        return Code(there, BOOL, True)

    def _exists_simply(self, inner: Expr, scope: Scope) -> Code | None:
        """Whether there is anything, if no loop is needed to find out."""
        if inner["op"] == "members":
            return Code(f"bool({self._looked_through(inner, scope).text})", BOOL)
        if inner["op"] not in ("query", "of_kind"):
            return Code(f"bool({self.value(inner, scope).text})", BOOL)
        if inner["op"] == "query" and not inner["filters"] and inner["source"]["op"] == "members":
            return Code(f"bool({self._inside(inner['source'], scope).text})", BOOL)
        only = self.only(inner, scope)
        if only is not None:
            return Code(f"({only[0]} in {only[1]})", BOOL)
        kept = self.kept_of(inner, scope)
        return None if kept is None else Code(f"(not {kept[0]}.isdisjoint({kept[1]}))", BOOL)

    def each_of(self, noun: str, name: str, conditions: list[Expr], scope: Scope, act: Act) -> None:
        """A loop over everything of a kind for which conditions hold, called by one name only."""
        begin, conditions = self.begin({"op": "all", "of": noun}, [name], flat(conditions), scope)
        assert begin is not None
        self._each(begin, None, [name], conditions, scope, act, self._thing(noun))

    def first_of(self, noun: str, name: str, conditions: list[Expr], scope: Scope, behind: str, used: str | None) -> Code:
        """The first thing of a kind with a greater number than `behind` for which conditions hold, called by one name only, and that is not `used` up."""
        conditions = flat(conditions)
        for condition in conditions:
            if _plain(condition) and not speaks_of(condition, [name]):
                self.writer.line(f"if not {self.test(condition, scope).text}: return None")
        conditions = [condition for condition in conditions if not _plain(condition) or speaks_of(condition, [name])]
        found = self.writer.name()
        self.writer.line(f"{found} = None")
        begin = self._only_one(noun, name, conditions, scope)
        if begin is None:
            begin, conditions = self.begin({"op": "all", "of": noun}, [name], conditions, scope)
        assert begin is not None

        def stop(each: Code, _: Scope) -> None:
            if used is not None:
                self.writer.line(f"if {used.format(each.text)}: continue")
            self.writer.line(f"{found} = {each.text}")
            self.writer.line("break")

        self._each(begin, None, [name], conditions, scope, stop, self._thing(noun), behind=behind)
        return Code(found, ONE, True)

    def _only_one(self, noun: str, name: str, conditions: list[Expr], scope: Scope) -> Code | None:
        """What conditions say a thing of a kind must be, if they say so."""
        for condition in conditions:
            if condition["op"] == "compare" and condition["how"] == "=":
                for one, other in ((condition["left"], condition["right"]), (condition["right"], condition["left"])):
                    if one == {"op": "var", "name": name} and other["op"] == "var" and scope.get(self.module, other["name"]).shape == ONE:
                        thing = scope.get(self.module, other["name"]).text
                        return Code(f"(({thing},) if {thing} in {self.module.lookup('among', None, 'all', noun)} else NOTHING)", LIST)
        return None

    def _count(self, expression: Expr, scope: Scope) -> Code:
        inner = expression["query"]
        kept = self.kept_of(inner, scope)
        if kept is not None and not kept[1].startswith("members_of("):  # what lies in several places may lie in one that is named twice
            return Code(f"len({kept[0]}.intersection({kept[1]}))", INT)
        if inner["op"] == "query" and (inner["filters"] or inner["source"]["op"] == "of_kind"):
            found = self.writer.name()
            self.writer.line(f"{found} = 0")
            self.over({**inner, "orders": []}, scope, lambda each, _: self.writer.line(f"{found} += 1"))
            return Code(found, INT, True)
        if inner["op"] == "query" and inner["source"]["op"] == "members":
            return Code(f"len({self._inside(inner['source'], scope).text})", INT)
        if inner["op"] == "query" and inner["source"]["op"] == "all":
            return Code(f"len({self._all(inner['source'], scope).text})", INT)
        value = self.value(inner, scope)
        return Code(f"len({value.text})" if value.shape == LIST else f"len(many({value.text}))", INT)

    def _pick(self, expression: Expr, scope: Scope) -> Code:
        return self._perhaps_loose(expression, scope, self._picked)

    def _pick_many(self, expression: Expr, scope: Scope) -> Code:
        return self._perhaps_loose(expression, scope, self._several_picked)

    def _perhaps_loose(self, expression: Expr, scope: Scope, pick: Callable[[Expr, Scope], Code]) -> Code:
        """Where a person knows the order of piles that person is asked, which the reference engine sees to; else what comes first can be seen."""
        only = self.only(expression["query"], scope) if expression["op"] == "pick" else None
        if only is not None:
            return Code(f"({only[0]} if {only[0]} in {only[1]} else None)", ONE)
        if self.firm:
            return pick(expression, scope)
        found = self.writer.name()
        self.writer.column("S")
        self.writer.line("if S.loose:")
        with self.writer.inside():
            self.writer.line(f"{found} = {self.module.lookup('code', expression)}(m, {scope.as_dict(self.module)})")
        self.writer.line("else:")
        with self.writer.inside():
            self.firm = True
            picked = pick(expression, scope)
            self.firm = False
            self.writer.line(f"{found} = {picked.text}")
        return Code(found, picked.shape, True)

    def _picked(self, expression: Expr, scope: Scope) -> Code:
        inner, last = expression["query"], expression["how"] in ("last", "top")
        found = self.writer.name()
        if inner["op"] in ("query", "of_kind") and not inner.get("orders") and not last:

            def stop(each: Code, _: Scope) -> None:
                self.writer.line(f"{found} = {each.text}")
                self.writer.line("break")

            def whole(everything: Code) -> None:
                everything = self.writer.kept(everything)
                self.writer.line(f"{found} = {everything.text}[0] if {everything.text} else None")

            self.over(inner, scope, stop, opening=f"{found} = None", whole=whole)
            return Code(found, ONE, True)
        if inner["op"] == "query" and not inner["orders"] and not inner["filters"] and inner["source"]["op"] == "members":
            inner = inner["source"]
        source = self._inside(inner, scope) if inner["op"] == "members" else self.value(inner, scope)
        source = self.writer.kept(source)
        return Code(f"({source.text}[{-1 if last else 0}] if {source.text} else None)", ONE)

    def _several_picked(self, expression: Expr, scope: Scope) -> Code:
        source, amount = self.value(expression["query"], scope), self.value(expression["amount"], scope)
        backwards = "[::-1]" if expression["how"] in ("last", "top") else ""
        return Code(f"list({source.text}{backwards})[:max({amount.text} or 0, 0)]", LIST)

    def _measure(self, expression: Expr, scope: Scope) -> Code:
        how = expression["how"]
        found = self.writer.name()
        if "parts" in expression:
            parts = [f"{self.value(part, scope).text} or 0" for part in expression["parts"]]
            self.writer.line(f"{found} = [{', '.join(parts)}]")
        else:
            self.writer.line(f"{found} = []")

            def add(each: Code, inner: Scope) -> None:
                names = dict.fromkeys(binders(expression["query"]), each)
                self.writer.line(f"{found}.append({self.value(expression['value'], inner.with_names(names)).text} or 0)")

            self.over(expression["query"], scope, add)
        if how == "total":
            return Code(f"sum({found})", INT)
        return Code(f"{'max' if how == 'highest' else 'min'}({found}, default=None)", ONE)


def every_in_a_line(inner: Expr) -> Expr | None:
    """For a query that looks for a line of a certain length of which nothing is wrong with any cell: the query for cells with which something is."""
    source, names, filters = inner["source"], binders(inner), inner["filters"]
    if source["op"] != "lines" or source["length"]["op"] != "const" or source["length"]["value"] < 1 or len(filters) != 1:
        return None
    wrong = filters[0]["part"]["query"] if filters[0]["op"] == "not" and filters[0]["part"]["op"] == "exists" else {"op": "none"}
    if wrong["op"] != "query" or not wrong["filters"] or start(wrong) not in [{"op": "var", "name": name} for name in names]:
        return None
    return None if speaks_of(wrong["filters"], [name for name in names if name not in binders(wrong)]) else wrong


def _plain(condition: Expr) -> bool:
    """Whether a condition only compares what is at hand, so that it may be asked at any time."""
    match condition["op"]:
        case "var" | "const" | "component":
            return True
        case "compare":
            return _plain(condition["left"]) and _plain(condition["right"])
        case "is_kind" | "is_deed":
            return _plain(condition["of"])
        case "not":
            return _plain(condition["part"])
    return False


def _unordered(expression: Expr) -> Expr:
    """A query without its order."""
    return {**expression, "orders": []} if expression["op"] == "query" else expression


def _unless(test: str) -> str:
    """A line that goes on with the next thing unless a test holds."""
    if test.startswith("(not ") and test.count("(") == 1:
        return f"if {test[5:-1]}: continue"
    return f"if not {test}: continue"


def variables_of(part: Any) -> Iterator[str]:
    """The local names that an expression speaks of; also names of its own inner queries."""
    return (each["name"] for each in mappings(part) if each.get("op") == "var")


def binders_in(part: Any) -> set[str]:
    """The names that queries inside an expression give to what they look at."""
    return {"it", *(each["binder"] for each in mappings(part) if isinstance(each.get("binder"), str))}


def _looks(part: Any) -> bool:
    """Whether an expression looks through things, or asks for a value that may."""
    return any(each.get("op") in ("query", "value", "gather", "exists") for each in mappings(part))


__all__ = ["ANY", "Queries"]
