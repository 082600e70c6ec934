"""Costs: amounts after everything that changes them, whether they can be paid, and payments as units.

A payment is a unit that pays one cost after another, so that it can be tried out on a copy of the game and then be carried out: by the same code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, UnitWriter, Writer, shape_of_type, sort_of_type
from rulewright.core.lower.expressions import NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering


class Bill(NamedTuple):
    """One cost: its name, how much of it, and what else it is told."""

    cost: str
    amount: c.Expression
    arguments: tuple[c.Expression, ...]


class Costs:
    """Lowers costs."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.graph = low.graph

    # -- amounts

    def written(self, costs: list[dict[str, Any]], scope: Scope) -> list[Bill]:
        """Costs as they are written."""
        found = []
        for cost in costs:
            parameters = self.graph["costs"][cost["cost"]]["parameters"][2:]
            arguments = tuple(
                self.low.expressions.fitted(self.low.expressions(argument, scope), shape_of_type(parameter["type"]), scope)
                for parameter, argument in zip(parameters, cost["arguments"], strict=False)
            )
            found.append(Bill(cost["cost"], self.positive(self.low.expressions(cost["amount"], scope)), arguments))
        return found

    def positive(self, amount: c.Expression) -> c.Expression:
        """An amount that is at least nothing."""
        if isinstance(amount, c.Const) and (amount.value or 0) >= 0:
            return amount if amount.value is not None else c.Const(0)
        return c.Arithmetic("+", amount, c.Const(0), 0, c.GREATEST)

    def of_action(self, path: str, scope: Scope, actor: c.Expression) -> list[Bill]:
        """The costs of an action after the hooks that change them, in their order."""
        action, hooks = self.graph["actions"][path], self.low.hooks
        bills = self.written(action["costs"], scope)
        targets = (path, *action["groups"])
        standing = sorted((identity for target in targets for identity in hooks.on(target, "cost")), key=lambda each: hooks.order[each])
        fleeting = [
            identity for target in targets for identity in hooks.fleeting.get(target, ()) if self.graph["hooks"][identity]["timing"] == "cost"
        ]
        for identity in (*standing, *fleeting):
            name = self.graph["hooks"][identity]["cost"]["cost"]
            if name not in (bill.cost for bill in bills):
                bills.append(Bill(name, c.Const(0), ()))
        for identity in standing:
            name = self.graph["hooks"][identity]["cost"]["cost"]
            number = next(number for number, bill in enumerate(bills) if bill.cost == name)
            bills[number] = bills[number]._replace(amount=self.changed(identity, bills[number].amount, actor, scope))
        for target, name in dict.fromkeys((self.graph["hooks"][each]["event"], self.graph["hooks"][each]["cost"]["cost"]) for each in fleeting):
            number = next(number for number, bill in enumerate(bills) if bill.cost == name)
            bills[number] = bills[number]._replace(amount=self.held(target, name, bills[number].amount, actor, scope))
        return bills

    def changed(self, identity: str, amount: c.Expression, actor: c.Expression, scope: Scope) -> c.Expression:
        """An amount after a hook, for every component it is written on."""
        hooks, writer = self.low.hooks, scope.writer
        result, bearer = writer.fresh("#amount", "one", "number"), writer.fresh("self", "one", "kind")
        source = hooks.bearers(identity, NONE)
        given = hooks.given(identity, (actor,), NONE, c.Name(bearer) if source is not None else NONE, c.Name(result))
        test, after = c.Apply(hooks.applies(identity), given), c.Apply(self.change(identity), given)
        if source is None:
            return c.Bind(result, amount, c.If(test, after, c.Name(result)))
        return c.Fold(result, amount, bearer, source, test, after)

    def held(self, target: str, name: str, amount: c.Expression, actor: c.Expression, scope: Scope) -> c.Expression:
        """An amount after the hooks that hold for a time."""
        result, key = scope.writer.fresh("#amount", "one", "number"), scope.writer.fresh("key", "one", "key")
        about = ((actor,), NONE, c.Name(result))
        test, after = c.ApplyHook(c.Name(key), "applies", *about), c.ApplyHook(c.Name(key), "change", *about)
        return c.Fold(result, amount, key, c.Installed(target, (f"cost {name}",)), test, after)

    def change(self, identity: str) -> str:
        """The function that says what a hook makes of an amount."""
        name, hooks = f"change {identity}", self.low.hooks
        if name not in self.low.functions:
            change, writer = self.graph["hooks"][identity]["cost"], Writer(name)
            scope = hooks.writer(identity, writer)
            amount, before = self.low.expressions(change["amount"], scope), c.Name(writer.slots["result"])
            body = self.positive(amount) if change["how"] == "is" else self.sum("+" if change["how"] == "more" else "-", before, amount)
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", body)
            hooks.entry(identity).change = name
        return name

    def sum(self, how: Any, left: c.Expression, right: c.Expression) -> c.Expression:
        return c.Arithmetic(how, left, right, 0, c.GREATEST)

    # -- whether they can be paid

    def payable(self, bills: list[Bill], who: c.Expression, scope: Scope) -> c.Expression:
        """Whether all costs can be paid together: amounts of the same thing are added up, and if one may stand in the way of another, it is tried out."""
        if not bills:
            return c.Const(1)
        writer = scope.writer
        slots = [writer.fresh("#amount", "one", "number") for _ in bills]
        amounts: list[c.Expression] = [c.Name(slot) for slot in slots]
        tests: list[c.Expression] = []
        for number, bill in enumerate(bills):
            if any(self.alike(bill, other) for other in bills[:number]):
                continue
            total = amounts[number]
            for other in range(number + 1, len(bills)):
                if self.alike(bill, bills[other]):
                    total = c.Arithmetic("+", total, amounts[other])
            if self.graph["costs"][bill.cost]["requires"]:
                afford = c.Apply(self.affordable(bill.cost), self.given(bill, who, total))
                tests.append(c.Or((c.Compare("=", total, c.Const(0)), afford)))
        demanding = [
            c.And(
                (
                    c.Or(tuple(c.Compare("!=", amounts[earlier], c.Const(0)) for earlier in range(number))),
                    c.Compare("!=", amounts[number], c.Const(0)),
                )
            )
            for number, bill in enumerate(bills)
            if number and self.graph["costs"][bill.cost]["requires"] and not any(self.alike(bill, other) for other in bills[:number])
        ]
        if demanding:
            trial = c.Payable(self.unit(bills), self.arguments(bills, who, amounts))
            tests.append(c.Or((c.Not(c.Or(tuple(demanding))), trial)))
        found: c.Expression = tests[0] if len(tests) == 1 else c.And(tuple(tests))
        for slot, bill in reversed(list(zip(slots, bills, strict=True))):
            found = c.Bind(slot, bill.amount, found)
        return found

    def alike(self, one: Bill, other: Bill) -> bool:
        return one.cost == other.cost and one.arguments == other.arguments

    def affordable(self, cost: str) -> str:
        """The function that says whether one kind of cost can be paid now."""
        name = f"affordable {cost}"
        if name not in self.low.functions:
            writer, declared = Writer(name), self.graph["costs"][cost]
            for parameter in declared["parameters"]:
                writer.parameter(parameter["name"], shape_of_type(parameter["type"]), sort_of_type(parameter["type"]))
            body = c.And(tuple(self.low.expressions.test(requirement["test"], Scope(writer)) for requirement in declared["requires"]))
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", body)
        return name

    def given(self, bill: Bill, who: c.Expression, amount: c.Expression) -> tuple[c.Expression, ...]:
        """What the unit of a cost is told."""
        count = len(self.graph["costs"][bill.cost]["parameters"])
        return (who, amount, *bill.arguments, *([NONE] * count))[:count]

    # -- paying

    def arguments(self, bills: list[Bill], who: c.Expression, amounts: list[c.Expression]) -> tuple[c.Expression, ...]:
        """What a payment is told."""
        return (who, *amounts, *(argument for bill in bills for argument in bill.arguments))

    def pay(self, bills: list[Bill], who: c.Expression, writer: UnitWriter, scope: Scope) -> None:
        """Pay all costs, one after another; how much of each is settled before the first is paid."""
        if bills:
            writer.call(self.unit(bills), self.arguments(bills, who, [bill.amount for bill in bills]))

    def unit(self, bills: list[Bill]) -> str:
        """The unit that pays some costs."""
        name = f"payment of {', '.join(bill.cost for bill in bills)}"
        if name not in self.low.units:
            writer = UnitWriter(name, None, self.low.blocks)
            self.low.units[name] = writer.unit()
            who = writer.parameter("who", "one", "kind")
            amounts = [writer.parameter(f"amount {number}", "one", "number") for number in range(len(bills))]
            told = [
                [writer.parameter(f"{p['name']} {number}", shape_of_type(p["type"]), sort_of_type(p["type"])) for p in self.more(bill)]
                for number, bill in enumerate(bills)
            ]
            for number, bill in enumerate(bills):
                given = self.given(Bill(bill.cost, NONE, tuple(c.Name(slot) for slot in told[number])), c.Name(who), c.Name(amounts[number]))
                due, after = writer.branch(c.Compare("!=", c.Name(amounts[number]), c.Const(0)))
                writer.at(due)
                if self.graph["costs"][bill.cost]["requires"]:
                    lost, on = writer.branch(c.And((c.Trial(), c.Not(c.Apply(self.affordable(bill.cost), given)))))
                    writer.at(lost)
                    writer.end(c.Fail())
                    writer.at(on)
                cost = self.low.cost_unit(bill.cost)
                if cost is not None:
                    later = any(self.graph["costs"][other.cost]["requires"] for other in bills[number + 1 :])
                    writer.call(cost, given, owes=later)
                writer.jump(after)
                writer.at(after)
            writer.end(c.Return())
            self.low.units[name] = writer.unit()
        return name

    def more(self, bill: Bill) -> list[dict[str, Any]]:
        """The parameters of a cost beyond who pays and how much, as far as they are told."""
        found: list[dict[str, Any]] = self.graph["costs"][bill.cost]["parameters"][2 : 2 + len(bill.arguments)]
        return found
