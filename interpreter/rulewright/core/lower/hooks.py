"""Hooks: in which order they come, on which components, when they apply, and what they do, as functions and units of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, UnitWriter, Writer, shape_of_type, sort_of_type

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering


class Hooks:
    """Lowers hooks, each when it is asked for."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.graph = low.graph
        order = {package["id"]: number for number, package in enumerate(self.graph["ruleset"]["packages"])}
        ordered = sorted(self.graph["hooks"].items(), key=lambda pair: order.get(pair[1]["package"], 0))
        last = sorted(ordered, key=lambda pair: bool(pair[1]["installed"]))
        self.order = {identity: number for number, (identity, _) in enumerate(last)}
        self.standing: dict[str, list[str]] = {}
        self.fleeting: dict[str, list[str]] = {}  # those that hold for a time
        for identity, hook in ordered:
            table = self.fleeting if hook["installed"] else self.standing
            table.setdefault(hook["event"], []).append(identity)
        self.made: dict[str, c.Hook] = {}
        self._kept: dict[str, list[c.Local]] = {}

    def resume(self, made: dict[str, c.Hook]) -> None:
        """Go on with hooks that are made already."""
        self.made = made
        for identity, hook in made.items():
            if self.graph["hooks"][identity]["installed"]:
                self._kept[identity] = [hook.locals[slot] for slot in hook.kept]

    # -- which there are

    def on(self, event: str, *timings: str) -> list[str]:
        """The hooks that always stand on an event, in their order."""
        return [identity for identity in self.standing.get(event, ()) if self.graph["hooks"][identity]["timing"] in timings]

    def may_hold(self, event: str, *timings: str) -> bool:
        """Whether the rules can install a hook on an event."""
        return any(self.graph["hooks"][identity]["timing"] in timings for identity in self.fleeting.get(event, ()))

    def hooked(self, event: str) -> bool:
        """Whether anything can hook on an event."""
        timings = ("instead", "before", "react", "after")
        return bool(self.on(event, *timings)) or self.may_hold(event, *timings)

    def bearers(self, identity: str, of: c.Expression) -> c.Expression | None:
        """The components that a hook is written on: only the one whose own event it is, if that is one of them. None if it is written on none."""
        hook = self.graph["hooks"][identity]
        if hook["of"] is None or hook["event"].endswith(".runs_out"):
            return None
        everything = c.All(hook["of"])
        return everything if of == c.Const(None) else c.If(c.IsKind(of, hook["of"]), c.Many(of), everything)

    # -- what they are given

    def parameters(self, identity: str) -> list[c.Local]:
        """The parameters of a hook: what was kept, the arguments of the event, the component it is written on, whose event it is, what that gave."""
        hook = self.graph["hooks"][identity]
        found = list(self._kept.get(identity, ()))
        types = [parameter["type"] for parameter in self.low.parameters_of(hook["event"])]
        found += [c.Local(name, shape_of_type(of), sort_of_type(of)) for name, of in zip(hook["names"], types, strict=False)]
        found += [c.Local("self", "one", "kind"), c.Local("it", "one", "kind")]
        if hook["timing"] in ("after", "change", "cost"):
            gives = self.low.gives(hook["event"])
            found.append(c.Local("result", shape_of_type(gives), sort_of_type(gives)))
        unique: dict[str, c.Local] = {}
        for each in found:
            if each.name not in unique or each.name in hook["names"]:
                unique[each.name] = each
        return list(unique.values())

    def entry(self, identity: str) -> c.Hook:
        """What a program knows of a hook."""
        if identity not in self.made:
            hook, parameters = self.graph["hooks"][identity], self.parameters(identity)
            slots = {local.name: number for number, local in enumerate(parameters)}
            arguments = tuple(slots[name] for name in hook["names"])
            once = hook["first"] or hook["once_per"] is not None
            kept = tuple(slots[local.name] for local in self._kept.get(identity, ()))
            self.made[identity] = c.Hook(
                hook["event"], hook["timing"], self.order[identity], None, None, None, tuple(parameters), kept, arguments, slots["it"], slots["self"],
                slots.get("result"), once,
            )  # fmt: skip
        return self.made[identity]

    def given(
        self, identity: str, arguments: tuple[c.Expression, ...], it: c.Expression, bearer: c.Expression, result: c.Expression
    ) -> tuple[c.Expression, ...]:
        """The values of all parameters of a hook that always stands."""
        hook, entry = self.graph["hooks"][identity], self.entry(identity)
        found: list[c.Expression] = [c.Const(None)] * len(entry.locals)
        if hook["event"].endswith(".runs_out"):
            bearer = arguments[0] if arguments else bearer
        for slot, value in ((entry.it, it), (entry.bearer, bearer), (entry.result, result), *zip(entry.arguments, arguments, strict=False)):
            if slot is not None:
                found[slot] = value
        return tuple(found)

    def bearer(self, identity: str, component: c.Expression) -> c.Expression:
        """For whom a hook that may be used once is used up."""
        return c.Const(None) if self.bearers(identity, c.Const(None)) is None else component

    def writer(self, identity: str, into: Writer) -> Scope:
        """A scope with the parameters of a hook and nothing else."""
        for local in self.entry(identity).locals:
            into.parameter(local.name, local.shape, local.sort, local.several)
        return Scope(into)

    # -- functions and units

    def applies(self, identity: str) -> str:
        """The function that says whether a hook holds at a moment."""
        name = f"applies {identity}"
        if name not in self.low.functions:
            hook, writer, expressions = self.graph["hooks"][identity], Writer(name), self.low.expressions
            scope = self.writer(identity, writer)
            tests: list[c.Expression] = []
            if self.entry(identity).once and not hook["installed"]:  # an engine looks after those that were installed, each by its number
                tests.append(c.Not(c.Used(identity, self.bearer(identity, c.Name(writer.slots["self"])))))
            tests += [expressions.test(condition, scope) for condition in hook["while"]]
            tests += [expressions.test(hook["when"], scope)] if hook["when"] is not None else []
            body: c.Expression = tests[0] if len(tests) == 1 else c.And(tuple(tests))
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", body)
            self.entry(identity).applies = name
        return name

    def change(self, identity: str, wanted: c.Shape) -> str:
        """The function that says what a hook changes a value to."""
        name = f"change {identity}"
        if name not in self.low.functions:
            writer, expressions = Writer(name), self.low.expressions
            scope = self.writer(identity, writer)
            body = expressions.fitted(expressions(self.graph["hooks"][identity]["value"], scope), wanted, scope)
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, wanted, body)
            self.entry(identity).change = name
        return name

    def unit(self, identity: str) -> str | None:
        """The unit that a hook carries out; None if it does nothing."""
        hook, name = self.graph["hooks"][identity], f"hook {identity}"
        if hook["entry"] is None:
            return None
        if name not in self.low.units:
            writer = UnitWriter(name, name, self.low.blocks)
            self.writer(identity, writer)
            self.entry(identity).unit = name
            replaces = hook["event"] if hook["timing"] == "instead" else None
            self.low.write(writer, lambda: self.low.statements.whole(hook["entry"], writer, replaces))
        return name

    def install(self, identity: str, kept: list[c.Local]) -> None:
        """Make a hook that is installed: what it keeps is known now."""
        hook = self.graph["hooks"][identity]
        if identity in self._kept:
            return
        self._kept[identity] = kept
        entry = self.entry(identity)
        if hook["timing"] == "restore":
            node = self.graph["nodes"][hook["entry"]]
            entry.restores = node["field"]
            return
        self.applies(identity)
        if hook["timing"] == "change":
            self.change(identity, shape_of_type(self.low.gives(hook["event"])))
        elif hook["timing"] == "cost":
            self.low.costs.change(identity)
        else:
            self.unit(identity)
