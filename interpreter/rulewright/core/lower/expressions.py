"""Expressions of the effect graph to expressions of the core.

Takes an expression and the scope it stands in; gives a typed expression. Where the graph leaves open whether something is one thing or several, the shapes of
names, fields and values decide, and `Many` says so. Dictionaries of the graph end here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.graph import nothing_given
from rulewright.core.lower.builder import Scope
from rulewright.core.shapes import shape

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering

Expr = dict[str, Any]
NONE = c.Const(None)
YES, NO = c.Const(1), c.Const(0)


class Expressions:
    """Lowers expressions."""

    def __init__(self, low: Lowering) -> None:
        self.low = low

    def __call__(self, expression: Expr, scope: Scope) -> c.Expression:
        """An expression of the core that gives the same."""
        made: c.Expression = getattr(self, f"{expression['op']}_")(expression, scope)
        self.trace(made, expression)
        if self.low.trace is not None:
            self.low.trace.users.setdefault(id(expression), set()).add(scope.writer.name)
        return made

    def trace(self, made: c.Expression, *expressions: Expr) -> None:
        """Remember what an expression was made for, if somebody wants to know."""
        if self.low.trace is not None:
            self.low.trace.expressions.setdefault(id(made), (made, []))[1].extend(expressions)

    def test(self, expression: Expr | None, scope: Scope) -> c.Expression:
        """A condition; no condition always holds."""
        return YES if expression is None else self.truth(self(expression, scope), scope)

    def truth(self, node: c.Expression, scope: Scope) -> c.Expression:
        """Whether a value counts as yes: several things do if there are any."""
        return c.Exists(node) if self.shape(node, scope) != "one" else node

    def several(self, expression: Expr, scope: Scope) -> c.Expression:
        """An expression as a list."""
        return self.many(self(expression, scope), scope)

    def many(self, node: c.Expression, scope: Scope) -> c.Expression:
        """A value as a list: nothing, one thing or several."""
        if self.shape(node, scope) != "one":
            return node
        if isinstance(node, c.If):
            made = c.If(node.test, self.many(node.yes, scope), self.many(node.no, scope))
            if self.low.trace is not None and id(node) in self.low.trace.expressions:
                self.trace(made, *self.low.trace.expressions[id(node)][1])
            return made
        return c.Many(node)

    def shape(self, node: c.Expression, scope: Scope) -> c.Shape:
        return shape(node, scope.writer.locals, self.low.field_shape, self.low.function_shape)

    def parts(self, expressions: list[Expr], scope: Scope) -> tuple[c.Expression, ...]:
        return tuple(self(each, scope) for each in expressions)

    def fitted(self, node: c.Expression, wanted: c.Shape, scope: Scope) -> c.Expression:
        """A value where a list, or one thing, is wanted."""
        found = self.shape(node, scope)
        if wanted == "list" and found == "one":
            return self.many(node, scope)
        return c.First(node) if wanted == "one" and found == "list" else node

    # -- simple things

    def const_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.constant(e["value"])

    def constant(self, value: Any) -> c.Expression:
        if isinstance(value, str):
            return self.low.word(value)
        return c.Const(None if value is None else int(value))

    def var_(self, e: Expr, scope: Scope) -> c.Expression:
        slot = scope.slot(e["name"])
        return NONE if slot is None else c.Name(slot)

    def after_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.low.events.supposed(e, scope)

    def component_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Component(e["name"])

    def number_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Const(self.low.graph["numbers"][e["name"]]["value"])

    def option_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.constant(self.low.graph["ruleset"]["options"].get(e["name"]))

    def list_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Listed(self.parts(e["parts"], scope))

    def text_(self, e: Expr, scope: Scope) -> c.Expression:
        made = self.text(e, scope)
        if all(type(part) is str for part in made.parts):
            return self.low.word("".join(part for part in made.parts if type(part) is str))
        return made

    def text(self, e: Expr, scope: Scope) -> c.Text:
        """A text to be told."""
        if e["op"] != "text":
            return c.Text((c.Shown(self(e, scope), "text"),))
        made = c.Text(tuple(part if type(part) is str else self.shown(part, scope) for part in e["parts"]))
        self.trace(made, e)
        return made

    def shown(self, part: Expr, scope: Scope) -> c.Shown:
        """A value in a text. What several players have answered is told by who has."""
        of = self(part["of"], scope)
        answers = isinstance(of, c.Name) and scope.writer.locals[of.slot].name in self.low.answered
        return c.Shown(of, f"{c.ANSWERS}{part['as']}" if answers else part["as"])

    def let_(self, e: Expr, scope: Scope) -> c.Expression:
        value = self(e["value"], scope)
        slot = scope.writer.fresh(e["name"], self.shape(value, scope))
        return c.Bind(slot, value, self(e["in"], scope.covering(slot, e["name"])))

    def needed_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Needed(self(e["of"], scope), nothing_given(e))

    def entry_(self, e: Expr, scope: Scope) -> c.Expression:
        of = self(e["of"], scope)
        return c.Lookup(of, self(e["key"], scope), isinstance(of, c.Name) and scope.writer.locals[of.slot].several)

    # -- components and places

    def place_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Place(e["place"])

    def place_of_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.PlaceOf(self(e["of"], scope), e["place"])

    def field_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.low.member(self(e["of"], scope), e["name"], scope)

    def decider_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Decider(self(e["of"], scope))

    # -- tests

    def compare_(self, e: Expr, scope: Scope) -> c.Expression:
        left, right = self(e["left"], scope), self(e["right"], scope)
        if e["how"] in ("=", "!=") and {self.shape(left, scope), self.shape(right, scope)} != {"one"}:
            same = c.Same(self.many(left, scope), self.many(right, scope))
            return same if e["how"] == "=" else c.Not(same)
        return c.Compare(e["how"], left, right)

    def and_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.And(tuple(self.test(part, scope) for part in e["parts"]))

    def or_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Or(tuple(self.test(part, scope) for part in e["parts"]))

    def not_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Not(self.test(e["part"], scope))

    def if_(self, e: Expr, scope: Scope) -> c.Expression:
        yes, no = self(e["yes"], scope), self(e["no"], scope)
        if "list" in (self.shape(yes, scope), self.shape(no, scope)):
            yes, no = self.many(yes, scope), self.many(no, scope)
        return c.If(self.test(e["test"], scope), yes, no)

    def arithmetic_(self, e: Expr, scope: Scope) -> c.Expression:
        low, high = e.get("range", (None, None))
        how: Any = e["how"] if e["how"] in ("+", "-", "*", "/") else "mod"
        return c.Arithmetic(how, self(e["left"], scope), self(e["right"], scope), low, high)

    def is_kind_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.IsKind(self(e["of"], scope), e["kind"])

    def is_deed_(self, e: Expr, scope: Scope) -> c.Expression:
        actions = self.low.graph["actions"]
        fitting = [path for path, action in actions.items() if path == e["name"] or e["name"] in action["groups"]]
        return c.In(self(e["of"], scope), c.Listed(tuple(self.low.deed(path) for path in fitting)))

    def is_in_(self, e: Expr, scope: Scope) -> c.Expression:
        item, within = self(e["item"], scope), self(e["set"], scope)
        if self.shape(within, scope) == "one":
            return c.In(item, c.Many(within)) if e.get("plain") else c.Lies(item, within)
        if isinstance(within, c.Members) or (isinstance(within, c.OfKind) and isinstance(within.source, c.Members)):
            of_kind = isinstance(within, c.OfKind)
            members = within.source if isinstance(within, c.OfKind) else within
            assert isinstance(members, c.Members)
            lies = c.Lies(item, members.of)  # what lies somewhere is found by asking where it lies
            return c.And((lies, c.IsKind(item, within.noun))) if of_kind and isinstance(within, c.OfKind) else lies
        return self.inside(item, within, scope) if e.get("plain") else c.Among(item, within)

    def inside(self, item: c.Expression, within: c.Expression, scope: Scope) -> c.Expression:
        """Whether something is in a list: where that is described, it is asked whether the description fits, and no list is made."""
        if isinstance(within, c.Query) and not within.orders and isinstance(within.source, c.All | c.Members | c.OfKind):
            fits = c.And((self.inside(c.Name(within.slot), within.source, scope), *within.tests))
            return c.Bind(within.slot, item, fits)
        if isinstance(within, c.OfKind):
            return c.And((c.IsKind(item, within.noun), self.inside(item, within.source, scope)))
        if isinstance(within, c.Members):
            return c.Lies(item, within.of)
        if isinstance(within, c.All) and within.grid is None:
            return c.IsKind(item, within.noun)
        return c.In(item, within)

    def is_empty_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Empty(self(e["of"], scope))

    def is_full_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Full(self(e["of"], scope))

    def value_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.low.values.applied(e, scope)

    # -- finding

    def all_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.All(e["of"], e.get("grid"))

    def members_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Members(self(e["of"], scope))

    def of_kind_(self, e: Expr, scope: Scope) -> c.Expression:
        source = self.several(e["source"], scope)
        return source if e["kind"] is None else c.OfKind(source, e["kind"])

    def links_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Links(e["kind"], self(e["of"], scope))

    def kept(self, found: c.Expression, kind: str | None) -> c.Expression:
        """Each thing once, of a kind if one is said."""
        return c.Once(found) if kind is None else c.OfKind(c.Once(found), kind)

    def belonging_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.kept(c.Belonging(self.several(e["of"], scope)), e["kind"])

    def gather_(self, e: Expr, scope: Scope) -> c.Expression:
        source = self.several(e["query"], scope)
        slot = scope.writer.fresh("it")
        return c.Once(c.Map(slot, source, self(e["value"], scope.covering(slot, "it"))))

    def next_(self, e: Expr, scope: Scope) -> c.Expression:
        found = c.Neighbours(self(e["of"], scope), self.through(e, scope))
        return self.kept(found, e["kind"])

    def within_(self, e: Expr, scope: Scope) -> c.Expression:
        return self.kept(c.Within(self(e["of"], scope), self(e["limit"], scope)), e["kind"])

    def reachable_(self, e: Expr, scope: Scope) -> c.Expression:
        limit = self(e["limit"], scope) if e["limit"] is not None else None
        return self.kept(c.Reachable(self(e["of"], scope), limit, self.through(e, scope)), e["kind"])

    def visible_(self, e: Expr, scope: Scope) -> c.Expression:
        blocked = self.several(e["blocked"], scope) if e["blocked"] is not None else None
        return self.kept(c.Visible(self(e["of"], scope), blocked), e["kind"])

    def path_distance_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Distance(self(e["start"], scope), self(e["goal"], scope), self.through(e, scope))

    def through(self, around: Expr, scope: Scope) -> c.Through | None:
        """What counts as a way."""
        e, places = around["through"], bool(around.get("places"))
        if e is None:
            return None
        if e["op"] != "query" or e["orders"]:
            return c.Through(self.several(e, scope), scope.writer.fresh("it"), (), places)
        slot, inner = self.binding(e, scope)
        return c.Through(self.several(e["source"], scope), slot, tuple(self.test(each, inner) for each in e["filters"]), places)

    def numbers_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Numbers(self(e["low"], scope), self(e["high"], scope))

    def joined_(self, e: Expr, scope: Scope) -> c.Expression:
        both = c.Both(tuple(self.several(part, scope) for part in e["parts"]))
        return c.Once(both) if e["once"] else both

    def without_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Without(self.several(e["source"], scope), self.several(e["out"], scope))

    def lines_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Lines(e["grid"], self(e["length"], scope))

    def binding(self, e: Expr, scope: Scope, source: c.Expression | None = None) -> tuple[c.Slot, Scope]:
        """The slot for the thing that a query looks at, and the scope in which it is known."""
        lists = source is not None and self.shape(source, scope) == "lists"
        slot = scope.writer.fresh(e.get("binder") or "it", "list" if lists else "one")
        return slot, scope.covering(slot, e.get("binder") or "it", "it", *e.get("aliases", ()))

    def query_(self, e: Expr, scope: Scope) -> c.Expression:
        source = self.several(e["source"], scope)
        if not e["filters"] and not e["orders"]:
            return source
        slot, inner = self.binding(e, scope, source)
        orders = tuple(c.Order(self(each["key"], inner), each["descending"]) for each in e["orders"] if not each["choice"])
        return c.Query(source, slot, tuple(self.test(each, inner) for each in e["filters"]), orders)

    def exists_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Exists(self.several({**e["query"], "orders": []} if e["query"]["op"] == "query" else e["query"], scope))

    def count_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Count(self.several(e["query"], scope))

    def pick_(self, e: Expr, scope: Scope) -> c.Expression:
        found = self.several(e["query"], scope)
        return c.Last(found) if e["how"] in ("last", "top") else c.First(found)

    def pick_many_(self, e: Expr, scope: Scope) -> c.Expression:
        return c.Take(self.several(e["query"], scope), self(e["amount"], scope), e["how"] in ("last", "top"))

    def measure_(self, e: Expr, scope: Scope) -> c.Expression:
        if "parts" in e:
            return c.Best(e["how"], self.parts(e["parts"], scope))
        query = e["query"]
        slot, inner = self.binding(query, scope)
        return c.Measure(e["how"], slot, self.several(query, scope), self(e["value"], inner))
