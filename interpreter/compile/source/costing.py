"""Costs as Python: whether they can be paid, and what has to be paid in the end.

The requirements of a cost become a function `r<number>(m, who, amount, ...)`. Whether hooks could change what an action costs at the moment is asked by
a function `d<number>(m, actor)` for each action, or group of them, that has such hooks: where none could, the costs are what is written on the action;
else, and where costs of several kinds stand in each other's way, the reference engine adds them up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compile.source.expressions import Expressions
from interpreter.compile.source.facts import SINGLE, Facts
from interpreter.compile.source.writing import ANY, INT, ONE, Code, Module, Scope, Writer

Cost = dict[str, Any]
Once = Callable[[str], Code]
ACTOR = Code("actor", ONE, True, sure=True)


class Costs:
    """Writes what concerns costs into functions of actions and options."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self.module, self.facts, self.graph = module, facts, module.graph
        self.numbers = {name: number for number, name in enumerate(self.graph["costs"])}
        self.targets: dict[str, int] = {}
        self.installable = {hook["event"] for hook in self._hooks() if hook["installed"]}
        for name, cost in self.graph["costs"].items():
            self._requirements(name, cost)
        for target in dict.fromkeys(hook["event"] for hook in self._hooks() if not hook["installed"]):
            self._changed(target)

    def _hooks(self) -> list[dict[str, Any]]:
        return [hook for hook in self.graph["hooks"].values() if hook["timing"] == "cost"]

    def _requirements(self, name: str, cost: Cost) -> None:
        """The function that tells whether a cost can be paid, if it wants anything."""
        if not cost["requires"]:
            return
        names = {}
        for position, parameter in enumerate(cost["parameters"]):
            shape = INT if position == 1 else ONE if parameter["type"]["how"] in SINGLE else ANY
            names[parameter["name"]] = Code(f"p{position}", shape, True)
        given = [f"p{position}" if position < 2 else f"p{position}=None" for position in range(len(names))]
        writer = Writer(self.module, f"def r{self.numbers[name]}({', '.join(['m', *given])}):")
        expressions = Expressions(self.module, self.facts, writer)
        for requirement in cost["requires"]:
            writer.line(f"if not {expressions.test(requirement['test'], Scope(names, dynamic=False)).text}: return False")
        writer.line("return True")
        self.module.add(writer)

    def _changed(self, target: str) -> None:
        """The function that tells whether any hook on the costs of an action, or of a group, could hold."""
        self.targets[target] = len(self.targets)
        writer = Writer(self.module, f"def d{self.targets[target]}(m, actor):")
        expressions = Expressions(self.module, self.facts, writer)
        for hook in self._hooks():
            if hook["event"] != target or hook["installed"]:
                continue
            scope = Scope(dict.fromkeys(hook["names"][:1], ACTOR), dynamic=False)
            conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
            if hook["of"] is None:
                test = expressions.test({"op": "and", "parts": conditions}, scope)
            else:
                test = expressions.any_of(hook["of"], "self", conditions, scope)
            writer.line(f"if {test.text}: return True")
        writer.line("return False")
        self.module.add(writer)

    # -- what an action or option costs

    def dearer(self, action: dict[str, Any], path: str, once: Once) -> str | None:
        """A test whether hooks may change what an action costs now; None if they never do."""
        targets = dict.fromkeys([path, *action["groups"]])
        tests = [once(f"d{self.targets[target]}(m, actor)").text for target in targets if target in self.targets]
        if any(target in self.installable for target in targets):
            tests.append("m.state.installed")
        return " or ".join(tests) if tests else None

    def plainly(self, action: dict[str, Any], path: str, scope: Scope, expressions: Expressions) -> list[str]:
        """Tests whether an action can be paid for that speak of nothing but the actor, and hold whatever else is the case."""
        cost = action["costs"][0] if len(action["costs"]) == 1 else None
        if cost is None or cost["arguments"] or cost["amount"]["op"] not in ("const", "number") or not self.graph["costs"][cost["cost"]]["requires"]:
            return []
        targets = {path, *action["groups"]}
        amount = _fixed(self._amount(cost, scope, expressions))
        if amount is None or amount <= 0 or targets & self.installable or targets & set(self.targets):
            return []
        return [f"r{self.numbers[cost['cost']]}(m, actor, {amount})"]

    def payable(self, costs: list[Cost], table: tuple[Any, ...], who: Code, scope: Scope, expressions: Expressions, fail: str, once: Once) -> None:
        """Write `fail` for when costs cannot be paid; `table` says where they are in the graph."""
        writer = expressions.writer
        if any(self.graph["costs"][cost["cost"]]["requires"] for cost in costs[1:]):
            writer.line(f"if not payable(m, {self.module.lookup(*table)}, {who.text}, {scope.as_dict(self.module)}): {fail}")
            return
        for cost in costs[:1]:
            if not self.graph["costs"][cost["cost"]]["requires"]:
                continue
            amount = self._amount(cost, scope, expressions)
            fixed = _fixed(amount)
            if fixed is not None and fixed <= 0:
                continue
            arguments = [expressions.value(argument, scope) for argument in cost["arguments"]]
            wanted = len(self.graph["costs"][cost["cost"]]["parameters"])
            given = ["m", who.text, amount.text, *(argument.text for argument in arguments)][: wanted + 1]
            call = f"r{self.numbers[cost['cost']]}({', '.join(given)})"
            if fixed is not None and len(given) == 3 and who.text == "actor":
                writer.line(f"if not {once(call).text}: {fail}")
            elif fixed is not None:
                writer.line(f"if not {call}: {fail}")
            else:
                writer.line(f"if {amount.text} > 0 and not {call}: {fail}")

    def _amount(self, cost: Cost, scope: Scope, expressions: Expressions) -> Code:
        """How much of something is to be paid, as a number under a name."""
        amount = expressions.value(cost["amount"], scope)
        return expressions.writer.kept(amount if amount.shape == INT else Code(f"({amount.text} or 0)", INT))

    def bills(self, costs: list[Cost], who: Code, scope: Scope, expressions: Expressions) -> str:
        """A list of what is to be paid, each with the local names of its body: the text of it."""
        writer, always = expressions.writer, []
        made = []
        for cost in costs:
            amount = self._amount(cost, scope, expressions)
            fixed = _fixed(amount)
            values = [who.text, amount.text, *(expressions.value(argument, scope).text for argument in cost["arguments"])]
            names = [self.module.constant(parameter["name"]).text for parameter in self.graph["costs"][cost["cost"]]["parameters"]]
            bound = ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=False))
            made.append((f"({self.module.constant(cost['cost']).text}, {{{bound}}})", amount.text, fixed))
        if all(fixed is not None for _, _, fixed in made):
            always = [bill for bill, _, fixed in made if fixed is not None and fixed > 0]
            return f"[{', '.join(always)}]"
        found = writer.name()
        writer.line(f"{found} = []")
        for bill, amount_text, fixed in made:
            if fixed is None:
                writer.line(f"if {amount_text} > 0: {found}.append({bill})")
            elif fixed > 0:
                writer.line(f"{found}.append({bill})")
        return found


def _fixed(amount: Code) -> int | None:
    """The number that an amount is whatever happens; None if it depends."""
    return int(amount.text) if amount.text.removeprefix("-").isdecimal() else None
