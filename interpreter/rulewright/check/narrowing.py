"""Narrowing: `X is a KIND as NAME`, a test that also gives a name to what it holds of.

Takes a test and the scope it stands in; gives the test, the names that are known where it holds, and a scope that knows them. A name is known behind the `and`
that follows, and in what happens if the whole test holds: the block of an `if`, a hook or an option, the first part of `A if TEST else B`. In an expression it
becomes a `let`, in a block a `bind`, so nothing behind this knows of it. Where nobody could use the name it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check import predicates
from rulewright.check.scope import Scope
from rulewright.diagnostics import Span
from rulewright.types import FLAG, LOST, Type, element, kind_type, many, shown

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions

USELESS = "a name that a test gives is known behind the 'and' that follows it, and in the block of an 'if', an option or a hook"


class Given(NamedTuple):
    """A name that a test gives, and what it stands for."""

    name: str
    core: Core
    type: Type
    span: Span


class Condition(NamedTuple):
    """A test that has been read: what it means, the names it gives, and a scope in which they are known."""

    core: Core
    given: tuple[Given, ...]
    inner: Scope

    def binds(self) -> list[dict[str, Any]]:
        """The names, for a body that begins where the test holds."""
        return [{"op": "bind", "name": one.name, "value": one.core, "as": element(one.type).how, "span": one.span} for one in self.given]


def condition(expressions: Expressions, test: Any, scope: Scope, where: str = "the condition") -> Condition:
    """Read a test whose names are known in what follows."""
    parts = test.parts if isinstance(test, t.Logic) and test.op == "and" else (test,)
    if not any(isinstance(part, t.Narrow) for part in parts):
        return Condition(expressions.expect(test, scope, FLAG, where), (), scope.branch())
    inner, given, cores = scope.branch(), [], []
    for at, part in enumerate(parts):
        if isinstance(part, t.Narrow):
            core, one = _narrowed(expressions, part, inner)
            cores.append(core)
            given.append((at, one))
            expressions.check_new(part.name, inner, part.span)
            inner.cover(part.name, one.type)
        else:
            cores.append(expressions.joined(test, at, inner))
    return Condition(_joined(cores, given), tuple(one for _, one in given), inner)


def refused(expressions: Expressions, node: t.Narrow, scope: Scope) -> Core:
    """The test alone, where its name would be of no use."""
    core, _ = _narrowed(expressions, node, scope)
    expressions.report("R508", f"nothing could ever use the name '{node.name}' here", node.span, USELESS)
    return core


def _narrowed(expressions: Expressions, node: t.Narrow, scope: Scope) -> tuple[Core, Given]:
    """One such test, and what its name stands for."""
    core, of = expressions.read(node.thing, scope)
    if many(of) or of.how not in ("kind", "any"):
        hint = f"name one of them: the first ... is ... as {node.name}" if many(of) or isinstance(node.thing, t.Quantified) else None
        expressions.report("R401", f"'as {node.name}' gives a name to one component, and this is {shown(of)}", node.thing.span, hint)
        return core, Given(node.name, core, LOST, node.span)
    test = predicates.is_what(expressions, core, of, t.Compare(node.span, "is", node.thing, node.kind), scope)
    if not isinstance(node.kind, t.Quantified) or node.kind.how != "a":
        hint = f"write: let {node.name} = ..., before the test"
        expressions.report("R401", f"only 'is a KIND as {node.name}' gives a name", node.span, hint)
        return test, Given(node.name, core, LOST, node.span)
    noun = _noun(expressions, node.kind.query)
    known = noun is None or (of.how == "kind" and expressions.symbols.inherits(of.name, noun))
    return test, Given(node.name, core, replace(of, optional=False) if known else kind_type(noun or ""), node.span)


def _noun(expressions: Expressions, query: Any) -> str | None:
    """The kind or component that a query asks for."""
    words = query.words if isinstance(query, t.Query) else (getattr(query, "word", ""),)
    return expressions.symbols.noun(words[-1]) if words else None


def _joined(cores: list[Core], given: list[tuple[int, Given]]) -> Core:
    """All parts of a test; from behind, so that a name is known in what follows it."""
    names = dict(given)
    rest: list[Core] = []
    for at in reversed(range(len(cores))):
        if at in names and rest:
            inside = rest[0] if len(rest) == 1 else {"op": "and", "parts": rest}
            rest = [{"op": "let", "name": names[at].name, "value": names[at].core, "in": inside}]
        rest.insert(0, cores[at])
    return rest[0] if len(rest) == 1 else {"op": "and", "parts": rest}
