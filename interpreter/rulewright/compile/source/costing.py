"""Costs as Python: whether they can be paid, and what has to be paid in the end.

What hooks on the costs of an action, or of a group of them, change at the moment is told by a function `d<number>(m, actor)`. Where costs of several kinds stand
in each other's way, or hooks do more than change the amounts of the costs that an action has, the reference engine adds them up.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SINGLE, Facts
from rulewright.compile.source.writing import ANY, INT, NONE, ONE, Code, Module, Scope, Writer

Cost = dict[str, Any]
Hook = dict[str, Any]
ACTOR = Code("actor", ONE, True, sure=True)


class Costs:
    """Writes what concerns costs into functions of actions and options."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self.module, self.facts, self.graph = module, facts, module.graph
        self.hooks: dict[str, list[Hook]] = {}  # by action or group, those that always stand, in the order in which they have their say
        self.installable: dict[str, list[str]] = {}  # likewise, those that hold for a time
        layers = {package["id"]: number for number, package in enumerate(self.graph["ruleset"]["packages"])}
        for identity, hook in sorted(self.graph["hooks"].items(), key=lambda pair: layers.get(pair[1]["package"], 0)):
            if hook["timing"] == "cost" and hook["installed"]:
                self.installable.setdefault(hook["event"], []).append(identity)
            elif hook["timing"] == "cost":
                self.hooks.setdefault(hook["event"], []).append(hook)
        self.numbers = {target: number for number, target in enumerate(self.hooks)}
        for target in self.hooks:
            self._changes(target)

    def _changes(self, target: str) -> None:
        """The function that tells which changes hooks make in the costs of an action, or of a group: of what cost, how, and by how much."""
        writer = Writer(self.module, f"def d{self.numbers[target]}(m, actor):")
        expressions = Expressions(self.module, self.facts, writer)
        writer.line("found = []")
        for hook in self.hooks[target]:
            scope = Scope(dict.fromkeys(hook["names"][:1], ACTOR), dynamic=False)
            conditions = [*hook["while"], *([hook["when"]] if hook["when"] is not None else [])]
            cost, how = (self.module.constant(hook["cost"][name]).text for name in ("cost", "how"))

            def add(each: Code | None, scope: Scope, hook: Hook = hook, cost: str = cost, how: str = how) -> None:
                amount = _counted(expressions.value(hook["cost"]["amount"], scope))
                writer.line(f"found.append(({cost}, {how}, {amount}))")

            if hook["of"] is None:
                writer.line(f"if {expressions.test({'op': 'and', 'parts': conditions}, scope).text}:")
                with writer.inside():
                    add(None, scope)
            else:
                expressions.each_of(hook["of"], "self", conditions, scope, add)
        writer.line("return found")
        self.module.add(writer)

    # -- what an action or option costs

    def _targets(self, path: str | None) -> list[str]:
        return [] if path is None else list(dict.fromkeys([path, *self.graph["actions"][path]["groups"]]))

    def _alterable(self, path: str) -> bool:
        """Whether all that hooks can do to the costs of an action is to change the amounts of those it has."""
        targets = [target for target in self._targets(path) if target in self.hooks]
        names = [cost["cost"] for cost in self.graph["actions"][path]["costs"]]
        hooks = [hook for target in targets for hook in self.hooks[target]]
        plain = all(hook["cost"]["cost"] in names and not hook["first"] and hook["once_per"] is None for hook in hooks)
        return plain and len(targets) < 2 and len(set(names)) == len(names)

    def left(self, path: str, expressions: Expressions) -> str | None:
        """A test whether the reference engine has to add up what an action costs now; None if it never has."""
        targets, tests = self._targets(path), []
        if not self._alterable(path):
            tests = [self._asked(target, expressions).text for target in targets if target in self.hooks]
        installable = [identity for target in targets for identity in self.installable.get(target, ())]
        if installable:
            tests.append(f"m.state.installed and is_installed(m, {self.module.lookup('set', *installable)})")
        return " or ".join(tests) if tests else None

    def _asked(self, target: str, expressions: Expressions) -> Code:
        return expressions.once(Code(f"d{self.numbers[target]}(m, actor)", ONE))

    def plain(self, action: dict[str, Any], path: str) -> bool:
        """Whether it is soon known if an action can be paid for: that depends on nothing but the actor, whatever is chosen."""
        cost = action["costs"][0] if len(action["costs"]) == 1 else None
        if cost is None or cost["arguments"] or cost["amount"]["op"] not in ("const", "number"):
            return False
        return not any(target in self.hooks or target in self.installable for target in self._targets(path))

    def payable(
        self, costs: list[Cost], table: tuple[Any, ...], who: Code, scope: Scope, expressions: Expressions, fail: str, path: str | None = None
    ) -> None:
        """Write `fail` for when costs cannot be paid; `table` says where they are in the graph, and `path` of what action, if they are an action's."""
        writer = expressions.writer
        several = any(self.graph["costs"][cost["cost"]]["requires"] for cost in costs[1:])
        left = "True" if several else None if path is None else self.left(path, expressions)
        if left is not None:
            if not several:
                writer.line(f"if {left}:")
                writer.depth += 1
            names = writer.kept(Code(scope.as_dict(self.module))).text
            counted = self.module.lookup(*table) if path is None else f"costs_of(m, {self.module.lookup('action', path)}, {names})"
            writer.line(f"if not payable(m, {counted}, {who.text}, {names}): {fail}")
            if several:
                return
            writer.depth -= 1
            writer.line("else:")
            writer.depth += 1
            writer.line("pass")
        for cost in costs[:1]:
            if self.graph["costs"][cost["cost"]]["requires"]:
                self._affordable(cost, who, scope, expressions, fail, path)
        if left is not None:
            writer.depth -= 1

    def _affordable(self, cost: Cost, who: Code, scope: Scope, expressions: Expressions, fail: str, path: str | None) -> None:
        """Write `fail` for when one cost cannot be paid."""
        amount, declared = self._amount(cost, scope, expressions, path), self.graph["costs"][cost["cost"]]
        fixed, writer = _fixed(amount), expressions.writer
        if fixed is not None and fixed <= 0:
            return
        if fixed is None:
            writer.line(f"if {amount.text} > 0:")
            writer.depth += 1
        given = [who, amount, *(expressions.kept(argument, scope) for argument in cost["arguments"])]
        names = {}
        for position, parameter in enumerate(declared["parameters"]):
            value = given[position] if position < len(given) else NONE
            names[parameter["name"]] = value if parameter["type"]["how"] in SINGLE else value._replace(shape=ANY)
        for requirement in declared["requires"]:
            writer.line(f"if not {expressions.test(requirement['test'], Scope(names, dynamic=False)).text}: {fail}")
        if fixed is None:
            writer.depth -= 1

    def _amount(self, cost: Cost, scope: Scope, expressions: Expressions, path: str | None) -> Code:
        """How much of something is to be paid, as a number under a name, after what hooks change if it is an action's."""
        amount = expressions.value(cost["amount"], scope)
        amount = expressions.writer.kept(amount if amount.shape == INT else Code(_counted(amount), INT))
        targets = [target for target in self._targets(path) if target in self.hooks]
        if path is None or not targets or not self._alterable(path):
            return amount
        changes = expressions.writer.kept(self._asked(targets[0], expressions)).text
        altered = f"altered({amount.text}, {changes}, {self.module.constant(cost['cost']).text})"
        return expressions.writer.kept(Code(f"({altered} if {changes} else {amount.text})", INT))

    def bills(self, costs: list[Cost], who: Code, scope: Scope, expressions: Expressions, path: str) -> str:
        """A list of what is to be paid, each with the local names of its body: the text of it."""
        writer, always = expressions.writer, []
        made = []
        for cost in costs:
            amount = self._amount(cost, scope, expressions, path)
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


def _counted(amount: Code) -> str:
    """An amount as a number: nothing counts as 0."""
    return amount.text if amount.shape == INT else f"({amount.text} or 0)"
