"""Values of the rules to functions: the version that a component has of its own, and what hooks change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, Writer, shape_of_type, sort_of_type
from rulewright.core.lower.expressions import NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering


class Values:
    """Lowers values."""

    def __init__(self, low: Lowering) -> None:
        self.low = low

    def applied(self, e: dict[str, Any], scope: Scope) -> c.Expression:
        """A value asked for."""
        value, expressions = self.low.graph["values"][e["value"]], self.low.expressions
        given = [expressions(e["of"], scope) if "of" in e else NONE] if value["of"] is not None else []
        for parameter, argument in zip(value["parameters"], e["arguments"], strict=True):
            given.append(expressions.fitted(expressions(argument, scope), shape_of_type(parameter["type"]), scope))
        return c.Apply(self.function(e["value"]), tuple(given))

    def function(self, path: str) -> str:
        """The name of the function of a value."""
        functions, value = self.low.functions, self.low.graph["values"][path]
        if path not in functions:
            writer = Writer(path)
            functions[path] = c.Function(path, writer.locals, 0, shape_of_type(value["gives"]), NONE)
            if value["of"] is not None:
                writer.parameter("self", "one", "kind")
            for parameter in value["parameters"]:
                writer.parameter(parameter["name"], shape_of_type(parameter["type"]), sort_of_type(parameter["type"]))
            functions[path].parameters = writer.parameters
            self.low.todo.append(lambda: setattr(functions[path], "body", self.body(path, value, writer)))
        return path

    def body(self, path: str, value: dict[str, Any], writer: Writer) -> c.Expression:
        """What a value gives."""
        expressions, scope, wanted = self.low.expressions, Scope(writer), shape_of_type(value["gives"])

        def given(expression: Any) -> c.Expression:
            return expressions.fitted(expressions(expression, scope), wanted, scope) if expression is not None else self.nothing(wanted)

        found = given(value["value"])
        if value["methods"] and "self" in writer.slots:
            cases = {noun: given(expression) for noun, expression in value["methods"].items()}
            found = c.ByKind(c.Name(writer.slots["self"]), cases, found)
        return self.changed(path, value, found, writer)

    def nothing(self, wanted: c.Shape) -> c.Expression:
        return NONE if wanted == "one" else c.Listed(())

    def changed(self, path: str, value: dict[str, Any], found: c.Expression, writer: Writer) -> c.Expression:
        """A value after the hooks that change it, one after another."""
        hooks, wanted = self.low.hooks, shape_of_type(value["gives"])
        own = writer.slots.get("self")
        it: c.Expression = NONE if own is None else c.Name(own)
        arguments = tuple(c.Name(writer.slots[parameter["name"]]) for parameter in value["parameters"])
        for identity in hooks.on(path, "change"):
            result = writer.fresh("result", wanted)
            bearer = writer.fresh("self", "one", "kind")
            source = hooks.bearers(identity, it)
            applied = hooks.given(identity, arguments, it, c.Name(bearer) if source is not None else NONE, c.Name(result))
            test, change = c.Apply(hooks.applies(identity), applied), c.Apply(hooks.change(identity, wanted), applied)
            if source is None:
                found = c.Bind(result, found, c.If(test, change, c.Name(result)))
            else:
                found = c.Fold(result, found, bearer, source, test, change)
        if hooks.may_hold(path, "change"):
            result, key = writer.fresh("result", wanted), writer.fresh("key")
            kept = (c.Name(key), arguments, it, c.Name(result))
            after = c.ApplyHook(kept[0], "change", *kept[1:])
            found = c.Fold(result, found, key, c.Installed(path, ("change",)), c.ApplyHook(kept[0], "applies", *kept[1:]), after)
        return found
