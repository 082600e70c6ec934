"""What queries look through: everything of a kind, what lies in places, what links lead to."""

from __future__ import annotations

from rulewright.compile.source.beginnings import Beginnings, Expr, flat, start
from rulewright.compile.source.writing import LIST, ONE, Code, Scope
from rulewright.run.finding import binders


class Sources(Beginnings):
    """The part of `Loops` that says what is looked through."""

    def _listed(self, expression: Expr, scope: Scope) -> Code:
        raise NotImplementedError

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
        through, by_place = expression["through"], expression.get("places", False)
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
                no_cell = "" if by_place else f"{link} is not None or "
                writer.line(f"if {link} not in {allowed.text} and ({no_cell}{place} not in {allowed.text}): continue")
            elif through is not None:
                way = Code(writer.name(), ONE, True, sure=True)
                writer.line(f"{way.text} = {place}" if by_place else f"{way.text} = {place} if {link} is None else {link}")
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
            self.writer.line(unless(self.test(condition, inner).text))

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


def unless(test: str) -> str:
    """A line that goes on with the next thing unless a test holds."""
    if test.startswith("(not ") and test.count("(") == 1:
        return f"if {test[5:-1]}: continue"
    return f"if not {test}: continue"
