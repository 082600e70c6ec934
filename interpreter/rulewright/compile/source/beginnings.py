"""Where a query begins.

A query over everything of a kind that wants something in a certain place begins in that place instead; one for what something lies in can only be answered by
that; conditions that depend on nothing but numbers printed on things (rows, columns, seats) are answered once and remembered.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.beside import Beside
from rulewright.compile.source.facts import SINGLE, Facts, speaks_of, still
from rulewright.compile.source.writing import ANY, LIST, ONE, Code, Scope
from rulewright.run.finding import binders

Expr = dict[str, Any]


class Beginnings(Beside):
    """The part of `Queries` that finds better beginnings."""

    facts: Facts
    inlined: list[str]

    def value(self, expression: Expr, scope: Scope) -> Code:
        raise NotImplementedError

    def test(self, expression: Expr | None, scope: Scope) -> Code:
        raise NotImplementedError

    def kept(self, expression: Expr, scope: Scope) -> Code:
        raise NotImplementedError

    def inlines(self, path: str) -> bool:
        raise NotImplementedError

    def opened(self, expression: Expr, scope: Scope) -> Scope:
        raise NotImplementedError

    def _inside(self, expression: Expr, scope: Scope) -> Code:
        raise NotImplementedError

    def together(self, text: str, places: list[Code]) -> str:
        raise NotImplementedError

    def begin(self, source: Expr, names: list[str], filters: list[Expr], scope: Scope) -> tuple[Code | None, list[Expr]]:
        """A better beginning for a query over everything of a kind, with the conditions that are left; None if there is none."""
        kind = source["kind"] if source["op"] == "of_kind" else None
        begin = source["source"] if source["op"] == "of_kind" else source
        if begin["op"] != "all":
            return None, filters
        spec = ["cells", begin["grid"]] if "grid" in begin else ["all", begin["of"]]
        for condition in filters:
            holder = self._holder(condition, names, scope)
            if holder is not None:
                among = self.module.lookup("among", kind, *spec)
                return Code(f"(({holder},) if {holder} in {among} else NOTHING)", LIST), [each for each in filters if each is not condition]
        everything = self.module.lookup("of", kind, *spec) if kind is not None else self.module.lookup(*spec)
        for number, condition in enumerate(filters):
            other = self._equal(condition, names)
            if other is not None and (number == 0 or self.facts.harmless(other)):
                only = self._only_this(other, everything, scope)
                if only is not None:
                    among = self.module.lookup("among", kind, *spec)
                    return Code(f"(({only},) if {only} in {among} else NOTHING)", LIST), [each for each in filters if each is not condition]
        fixed = [each for each in filters if still(each, names) and not self.facts.shadowed(each)]
        if fixed:
            return self._remembered(source, everything, fixed, names, scope), [each for each in filters if each not in fixed]
        for condition in filters:
            if self._confines(condition, names, scope):
                among, places, missing = self.module.lookup("among", kind, *spec), *self._places_for(condition, names, scope)
                if any(place.shape != ONE for place in places):
                    found = f"lying_in(m, {among}, ({', '.join(place.text for place in places)},))"
                else:
                    found = f"sorted({among}.intersection({self._all_inside(places)}))"
                    if self._says_where(condition, names):
                        filters = [each for each in filters if each is not condition]
                tests = " or ".join(f"{each.text} is None" for each in missing if not each.sure)
                return Code(f"({everything} if {tests} else {found})" if tests else found, LIST), filters
        return Code(everything, LIST, True), filters

    def _says_where(self, condition: Expr, names: list[str]) -> bool:
        """Whether a condition that confines things to places says nothing else."""
        if condition["op"] == "value":
            return self._says_where(self.module.graph["values"][condition["value"]]["value"], self._called_inside(condition, names))
        if condition["op"] == "or":
            return all(self._says_where(part, names) for part in condition["parts"])
        return condition["op"] == "is_in" and condition["item"]["op"] == "var" and condition["item"]["name"] in names

    def _all_inside(self, places: list[Code]) -> str:
        """What lies in any of some places, for code that does not mind the order."""
        members = self.writer.column("members")
        sure = [place.sure or (place.simple and place.text.startswith("t")) for place in places]
        texts = [f"{members}[{place.text}]" for place in places]
        parts = [text if there else f"(() if {place.text} is None else {text})" for text, there, place in zip(texts, sure, places, strict=True)]
        return parts[0] if len(parts) == 1 else self.together(f"({', '.join(f'*{part}' for part in parts)})", places)

    def _holder(self, condition: Expr, names: list[str], scope: Scope) -> str | None:
        """Where a query wants what something lies in, or whose place that is: the name of the only thing that can be."""
        within = condition.get("set", {"op": "none"})
        owned = within["op"] == "place_of"
        holder = within["of"] if owned else within
        if condition["op"] != "is_in" or condition.get("plain") or holder["op"] != "var" or holder["name"] not in names:
            return None
        if speaks_of(condition["item"], names):
            return None
        with self.writer.apart() as lines:
            item = self.kept(condition["item"], scope)
        if item.shape == LIST:
            return None
        self.writer.lines += [line[4:] for line in lines]
        there = f"{self.writer.column('where')}[{item.text}]"
        if owned:
            there = f"{self.module.lookup('owners', within['place'])}.get({there})"
        return self.writer.kept(Code(there if item.sure else f"({there} if {item.text} is not None else None)", ONE)).text

    def _equal(self, condition: Expr, names: list[str]) -> Any:
        """What a condition says a thing is, without looking at the thing."""
        if condition["op"] == "compare" and condition["how"] == "=":
            for one, other in ((condition["left"], condition["right"]), (condition["right"], condition["left"])):
                if one["op"] == "var" and one["name"] in names and not speaks_of(other, names):
                    return other
        return None

    def _only_this(self, other: Expr, everything: str, scope: Scope) -> str | None:
        """The name of the one thing that an expression gives; None if it may be several. It is not asked for where nothing would be looked through."""
        with self.writer.apart() as lines:
            found = self.value(other, scope)
        if found.shape in (ANY, LIST):
            return None
        if not lines or self.facts.harmless(other):
            self.writer.lines += [line[4:] for line in lines]
            return self.writer.kept(found).text
        name = self.writer.name()
        self.writer.line(f"{name} = None")
        self.writer.line(f"if {everything}:")
        self.writer.lines += lines
        self.writer.line(f"    {name} = {found.text}")
        return name

    def only(self, expression: Expr, scope: Scope) -> tuple[str, str] | None:
        """A query that only one thing can answer: the name of that thing, and of the set it must be in."""
        if expression["op"] != "query" or start(expression)["op"] != "all" or len(filters := flat(expression["filters"])) != 1:
            return None
        holder = self._holder(filters[0], binders(expression), scope)
        begin, kind = start(expression), expression["source"].get("kind")
        spec = ["cells", begin["grid"]] if "grid" in begin else ["all", begin["of"]]
        return None if holder is None else (holder, self.module.lookup("among", kind, *spec))

    def lying(self, expression: Expr, scope: Scope) -> tuple[str, str] | None:
        """A query over everything of a kind that wants nothing but that it lies in certain places: the set of that kind, and what lies there."""
        if expression["op"] != "query" or expression["orders"] or len(filters := flat(expression["filters"])) != 1:
            return None
        names, begin = binders(expression), start(expression)
        if begin["op"] != "all" or not self._confines(filters[0], names, scope) or not self._says_where(filters[0], names):
            return None
        with self.writer.apart() as lines:
            places, _ = self._places_for(filters[0], names, scope)
        if any(place.shape != ONE for place in places):
            return None
        self.writer.lines += [line[4:] for line in lines]
        spec = ["cells", begin["grid"]] if "grid" in begin else ["all", begin["of"]]
        return self.module.lookup("among", expression["source"].get("kind"), *spec), self._all_inside(places)

    def kept_of(self, expression: Expr, scope: Scope) -> tuple[str, str] | None:
        """What of a kind lies in places, without further conditions and in whatever order: the set of that kind, and what lies there."""
        lying = self.lying(expression, scope)
        if lying is not None:
            return lying
        source = expression["source"] if expression["op"] == "query" and not expression["filters"] else expression
        if source["op"] != "of_kind" or source["kind"] is None or source["source"]["op"] != "members":
            return None
        return self.module.lookup("nouns", source["kind"]), self._inside(source["source"], scope).text

    def _remembered(self, source: Expr, everything: str, conditions: list[Expr], names: list[str], scope: Scope) -> Code:
        """What has some numbers printed on it: a table, by the one thing whose numbers they are compared with; else found once for each combination."""
        outer = list(dict.fromkeys(_outer(conditions, names)))
        called = list(dict.fromkeys(name for name, _ in outer))
        query = {"op": "query", "source": source, "binder": names[0], "aliases": names[1:], "filters": conditions, "orders": []}
        if not called:
            return Code(self.module.lookup("fitting", query, None, None), LIST, True)
        other = scope.get(self.module, called[0])
        if len(called) == 1 and called[0] not in binders(query) and other.shape not in (ANY, LIST):
            spec = ("fitting", query, called[0], other.kind)
            beside = self.beside(other, *spec)
            return Code(f"{self.module.lookup(*spec)}[{other.text}]", LIST) if beside is None else Code(beside, LIST, True)
        memory = self.module.lookup("memory", conditions, everything)
        key = self.writer.name()
        values = {
            part: self.value(
                {"op": "field", "of": {"op": "var", "name": part[0]}, "name": part[1]} if part[1] else {"op": "var", "name": part[0]}, scope
            )
            for part in outer
        }
        self.writer.line(f"{key} = ({''.join(f'{code.text}, ' for code in values.values())})")
        found = self.writer.name()
        self.writer.line(f"{found} = {memory}.get({key})")
        self.writer.line(f"if {found} is None:")
        with self.writer.inside():
            self.writer.line(f"{found} = []")
            each = Code(self.writer.name(), ONE, True)
            self.writer.line(f"for {each.text} in {everything}:")
            with self.writer.inside():
                inner = scope.with_names(dict.fromkeys(names, each))
                for condition in conditions:
                    self.writer.line(f"if not {self.test(condition, inner).text}: continue")
                self.writer.line(f"{found}.append({each.text})")
            self.writer.line(f"remember({memory}, {key}, {found})")
        return Code(found, LIST, True)

    def _confines(self, condition: Expr, names: list[str], scope: Scope) -> bool:
        """Whether a condition can only hold for what lies in certain places, which can be named without looking at the thing."""
        match condition["op"]:
            case "is_in" if not condition.get("plain"):
                if condition["item"]["op"] == "var" and condition["item"]["name"] in names:
                    return not speaks_of(condition["set"], names)
                return self._surrounded(condition["item"], condition["set"], names, scope) is not None
            case "compare" if condition["how"] == "=":
                return self._compared_with(condition, names, scope) is not None
            case "or":
                return bool(condition["parts"]) and all(self._confines(part, names, scope) for part in condition["parts"])
            case "and":
                return any(self._confines(part, names, scope) for part in condition["parts"])
            case "value":
                inner, declared = self._called_inside(condition, names), self.module.graph["values"][condition["value"]]
                if not inner or not self.facts.values[condition["value"]].fixed:
                    return False
                shapes = {each["name"]: Code("", ONE if each["type"]["how"] in SINGLE else ANY) for each in declared["parameters"]}
                return self._confines(declared["value"], inner, Scope({**shapes, "self": Code("", ONE)}, dynamic=False))
        return False

    def _called_inside(self, asked: Expr, names: list[str]) -> list[str]:
        """What a thing is called inside a value that is asked about it; nothing if the value is asked about something else that depends on the thing."""
        inner = [name for name, part in self._given(asked) if part["op"] == "var" and part["name"] in names]
        others = [part for name, part in self._given(asked) if name not in inner]
        return [] if speaks_of(others, names) else inner

    def _given(self, asked: Expr) -> list[tuple[str, Expr]]:
        """What a value is asked about, by the names that it has inside."""
        parameters = (parameter["name"] for parameter in self.module.graph["values"][asked["value"]]["parameters"])
        own = [("self", asked["of"])] if "of" in asked else []
        return [*own, *zip(parameters, asked["arguments"], strict=True)]

    def _surrounded(self, other: Expr, around: Expr, names: list[str], scope: Scope) -> str | None:
        """Whether one expression gives what a thing lies in (an empty text) or whose place it lies in (the place), and another one thing besides."""
        one = scope.get(self.module, other["name"]).shape == ONE if other["op"] == "var" else self.facts.single(other)
        return None if not one or other["op"] == "const" or speaks_of(other, names) else self._surroundings(around, names)

    def _surroundings(self, around: Expr, names: list[str]) -> str | None:
        """Whether an expression gives nothing but what a thing lies in (an empty text), or whose place it lies in (the place)."""
        if around["op"] == "value" and self.facts.values[around["value"]].fixed:
            inner = self._called_inside(around, names)
            return self._surroundings(self.module.graph["values"][around["value"]]["value"], inner) if inner else None
        if around["op"] != "pick" or around["query"]["op"] != "query":
            return None
        own = binders(around["query"])
        for condition in flat(around["query"]["filters"]):
            if condition["op"] == "is_in" and not condition.get("plain") and condition["item"]["op"] == "var":
                within, item = condition["set"], condition["item"]["name"]
                holder = within["of"] if within["op"] == "place_of" else within
                if item in names and item not in own and holder["op"] == "var" and holder["name"] in own:
                    return within["place"] if within["op"] == "place_of" else ""
        return None

    def _compared_with(self, condition: Expr, names: list[str], scope: Scope) -> tuple[Expr, str] | None:
        """What the surroundings of a thing are compared with, and in which of its places the thing then lies."""
        for other, around in ((condition["left"], condition["right"]), (condition["right"], condition["left"])):
            place = self._surrounded(other, around, names, scope)
            if place is not None:
                return other, place
        return None

    def _places_for(self, condition: Expr, names: list[str], scope: Scope) -> tuple[list[Code], list[Code]]:
        """The places to which such a condition confines things, and what must not be nothing for that."""
        match condition["op"]:
            case "is_in" if condition["item"]["op"] == "var" and condition["item"]["name"] in names:
                return [self.kept(condition["set"], scope)], []
            case "is_in":
                item = self.kept(condition["item"], scope)
                there = f"{self.writer.column('where')}[{item.text}]"
                place = self._surrounded(condition["item"], condition["set"], names, scope)
                around = Code(there, ONE, sure=True) if item.sure else Code(f"({there} if {item.text} is not None else None)", ONE)
                return [self._place_in(around, place)], []
            case "compare":
                found = self._compared_with(condition, names, scope)
                assert found is not None
                other = self.kept(found[0], scope)
                return [self._place_in(other, found[1])], [other]
            case "or":
                parts = [self._places_for(part, names, scope) for part in condition["parts"]]
                return [place for places, _ in parts for place in places], [each for _, missing in parts for each in missing]
            case "and":
                return self._places_for(next(part for part in condition["parts"] if self._confines(part, names, scope)), names, scope)
        inner = self._called_inside(condition, names)
        bound = {name: self.kept(part, scope) for name, part in self._given(condition) if name not in inner}
        return self._places_for(self.module.graph["values"][condition["value"]]["value"], inner, Scope(bound, dynamic=False))

    def _place_in(self, around: Code, place: str | None) -> Code:
        """What something is in that lies in a thing, or in a place of it."""
        return self.writer.kept(Code(f"{self.module.lookup('owned', place)}.get({around.text})", ONE) if place else around)


def flat(filters: list[Expr]) -> list[Expr]:
    """Conditions that must all hold, one by one."""
    return [part for test in filters for part in (test["parts"] if test["op"] == "and" else [test])]


def start(expression: Expr) -> Expr:
    """Where a query begins, whatever kind it keeps of that."""
    source: Expr = expression["source"]
    return source["source"] if source["op"] == "of_kind" else source


def _outer(part: Any, names: list[str]) -> list[tuple[str, str]]:
    """The local names that a still condition speaks of, other than of the thing looked at, with the field that is read."""
    if isinstance(part, dict):
        if part.get("op") == "field":
            name = part["of"]["name"]
            return [] if name in names else [(name, part["name"])]
        if part.get("op") == "var":
            return [] if part["name"] in names else [(part["name"], "")]
        return [found for each in part.values() for found in _outer(each, names)]
    return [found for each in part for found in _outer(each, names)] if isinstance(part, list) else []
