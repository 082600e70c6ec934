"""What is made of what queries find: a list, whether there is anything, how many there are, the first of them, a sum.

How they go through things is in `loops`.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compile.source.beginnings import Expr, flat, start
from rulewright.compile.source.facts import speaks_of
from rulewright.compile.source.looking import FREE
from rulewright.compile.source.loops import COUNTED, NOTED, Act, Loops, unordered
from rulewright.compile.source.writing import BOOL, INT, LIST, ONE, Code, Scope
from rulewright.run.finding import binders


class Queries(Loops):
    """The part of `Expressions` that finds things."""

    firm = False  # whether what is being written is only for when nobody knows the order of piles

    def _of_kind(self, expression: Expr, scope: Scope) -> Code:
        return self._listed(expression, scope)

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
            bare=lambda empty: self.writer.line(f"{found} = {empty.text}"),
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
        self.over(unordered(inner), scope, stop, opening=f"{found} = False", whole=lambda everything: self.writer.line(whole.format(everything.text)))
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
        inner, last = expression["query"], expression["how"] in ("last", "top")
        if inner["op"] == "query" and not inner["orders"] and not last and self.facts.harmless(inner):
            return self._first_ones(inner, self.value(expression["amount"], scope), scope)
        source, amount = self.value(inner, scope), self.value(expression["amount"], scope)
        backwards = "[::-1]" if last else ""
        return Code(f"list({source.text}{backwards})[:max({amount.text} or 0, 0)]", LIST)

    def _first_ones(self, inner: Expr, amount: Code, scope: Scope) -> Code:
        """The first things that a query finds, so many: no more is looked for than is wanted."""
        counted = amount if amount.text.isdecimal() else Code(f"max({amount.text} or 0, 0)", INT)
        wanted, found = self.writer.kept(counted).text, self.writer.name()

        def add(each: Code, _: Scope) -> None:
            self.writer.line(f"if len({found}) == {wanted}: break")
            self.writer.line(f"{found}.append({each.text})")

        self.over(inner, scope, add, opening=f"{found} = []", whole=lambda everything: self.writer.line(f"{found} = [*{everything.text}[:{wanted}]]"))
        return Code(found, LIST, True)

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
