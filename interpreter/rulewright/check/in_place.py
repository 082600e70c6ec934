"""Results in place: effects that are called and dice that are rolled where a statement wants what comes of them.

Takes a statement; gives the drafts of what happens before it, and the statement with a name in place of each result. Only what is worked out in any case, once, is
taken out (`STRICT`): behind `and`, in a branch of `A if TEST else B`, in a `where` or in a text a call or roll stays where it is, and reading it there is refused.
Results come from left to right, and before anything else in the statement is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.types import LOST, Type, words_of

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Statements

# What is worked out in any case when a statement is carried out, or an expression is looked at.
STRICT: dict[type, tuple[str, ...]] = {
    t.Let: ("value",), t.Set: ("value",), t.Adjust: ("amount",), t.Move: ("what",), t.Draw: ("what",), t.Give: ("value",), t.Advance: ("amount",),
    t.Perform: ("call",), t.If: ("test",), t.Match: ("value",), t.ForEach: ("query",), t.Repeat: ("times",), t.Try: ("call",), t.Outcome: ("player",),
    t.Proceed: ("values",), t.Pay: ("costs",), t.CostItem: ("amount",),
    t.Call: ("arguments",), t.Dot: ("base",), t.Arithmetic: ("left", "right"), t.Compare: ("left", "right"), t.Narrow: ("thing",), t.Not: ("part",),
    t.Logic: ("parts",), t.Conditional: ("test",), t.Quantified: ("amount", "query"), t.Query: ("base", "clauses"), t.Several: ("parts",), t.Clause: ("operand",),
}  # fmt: skip
WHOLE = (t.Let, t.Perform, t.Try)  # statements that take a call or a roll as it is
LATER = ("where", "ordered")  # clauses that are asked of each thing


class Results:
    """What one statement has to be told before it can be carried out."""

    def __init__(self, statements: Statements, scope: Scope, context: Context) -> None:
        self.statements = statements
        self.scope = scope
        self.context = context
        self.before: Body = []
        self.names: list[str] = []

    def statement(self, node: Any) -> Any:
        """A statement with names in place of results."""
        if isinstance(node, WHOLE):
            field = STRICT[type(node)][0]
            inner = getattr(node, field)
            kept = self.inside(inner) if isinstance(inner, t.Call | t.Roll) else self.expression(inner)
            return node if kept is inner else replace(node, **{field: kept})
        return self.inside(node) if type(node) in STRICT else node

    def expression(self, node: Any) -> Any:
        """An expression, or one of several, with names in place of results."""
        if isinstance(node, tuple):
            made = tuple(map(self.expression, node))
            return node if all(new is old for new, old in zip(made, node, strict=True)) else made
        if type(node) not in STRICT and not isinstance(node, t.Roll):
            return node
        node = self.inside(node)
        if isinstance(node, t.Roll):
            return self.rolled(node)
        return self.called(node) if isinstance(node, t.Call) else node

    def inside(self, node: Any) -> Any:
        """A node whose parts have names in place of results."""
        if isinstance(node, t.Clause) and node.how in LATER:
            return node
        changed = {}
        for field in STRICT.get(type(node), ()):
            old = getattr(node, field)
            new = (self.expression(old[0]), *old[1:]) if isinstance(node, t.Logic) else self.expression(old)
            if new is not old and new != old:
                changed[field] = new
        return replace(node, **changed) if changed else node

    def rolled(self, node: t.Roll) -> t.Name:
        die = self.statements.die(node)
        name = self.named(node, "roll", words_of(*(face.value for face in die.faces)) if die else LOST)
        self.scope.sure.add(name.word)
        self.before.append({"op": "roll", "die": die.name if die else "", "name": name.word, "span": node.span})
        return name

    def called(self, node: t.Call) -> t.Expr:
        """The name of what an effect gives; a value stays as it is."""
        if self.statements.expressions.is_value(node, self.scope):
            return node
        complaints = len(self.statements.report.diagnostics)
        found = self.statements.call(node, self.scope)
        if found is None:
            return node
        draft, target = found
        wrong = len(self.statements.report.diagnostics) > complaints
        name = self.named(node, target.path.rpartition(".")[2], LOST if wrong else self.statements.result_of(target, node))
        self.before.append({**draft, "name": name.word, "span": node.span})
        return name

    def named(self, node: Any, hint: str, of: Type) -> t.Name:
        name = self.statements.fresh(hint, self.context)
        self.scope.bind(name, of)
        self.names.append(name)
        return t.Name(node.span, name)

    def forget(self) -> None:
        """After the statement: nobody else can ask for its results."""
        for name in self.names:
            self.scope.names.pop(name, None)
            self.scope.sure.discard(name)
