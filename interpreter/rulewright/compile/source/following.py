"""Following an action to its end: whether it may be taken, its requirements hold, its choices can be answered and its costs paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.compile.source.answers import Answers
from rulewright.compile.source.costing import ACTOR, Costs
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SEVERAL
from rulewright.compile.source.writing import ANY, BOOL, INT, LIST, LOOKED, ONE, Code, Scope, Writer
from rulewright.core.world import spoken_of

Action = dict[str, Any]
Expr = dict[str, Any]
Node = dict[str, Any]


class Following:
    """Follows one action to its end: `fail` stands where it does not come there, `succeed` where it does."""

    def __init__(self, costs: Costs, writer: Writer, path: str, succeed: str, answers: Answers | None = None) -> None:
        self.costs, self.writer, self.path, self.succeed = costs, writer, path, succeed
        self.module, self.facts, self.graph = costs.module, costs.facts, costs.module.graph
        self.action = self.graph["actions"][path]
        self.expressions = Expressions(self.module, self.facts, writer, answers)
        self.paid = False  # whether it has been asked already if the costs can be paid

    def offered(self, fail: str) -> None:
        """The action as it is offered to `actor`, of the component `s` if it is one's."""
        of, writer = self.action["of"], self.writer
        names = {"actor": ACTOR._replace(kind=self.facts.kind_of(self.action["by"]))}
        if of is not None:
            names["self"] = Code("s", ONE, True, sure=True, kind=self.facts.kind_of(of))
        if self.action["once_per"] is not None:
            writer.column("S")
            key = f"once_key({self.module.constant(self.path).text}, {'None' if of is None else 's'}, actor)"
            writer.line(f"if S.once and {key} in S.once: {fail}")
        scope = Scope(names, dynamic=False)
        if self.costs.plain(self.action, self.path):  # that is soon known
            self._payable(scope, fail)
            self.paid = True
        self._onwards(0, scope, fail)

    def reaction(self, fail: str) -> None:
        """The action as a reaction, with its local names in `V`."""
        self.writer.line("actor = V[ACTOR]")
        if self.action["once_per"] is not None:
            self.writer.column("S")
            self.writer.line(f"if S.once and once_key({self.module.constant(self.path).text}, V.get(SELF), actor) in S.once: {fail}")
        self._onwards(0, Scope({"actor": ACTOR}, dynamic=True, shapes=self.facts.names), fail)

    def after(self, done: int, fail: str) -> None:
        """The action after one of its choices, with the answer in `w` and the other local names in `V`."""
        node = self.graph["nodes"][self.action["choices"][done]]
        self.writer.line("actor = V[ACTOR]")
        names = {"actor": ACTOR, node["name"]: Code("w", ANY, True)}
        if self.facts.names.get(node["name"]) == ONE:
            names[node["name"]] = Code("w", ONE, True)
        self._onwards(done + 1, Scope(names, dynamic=True, shapes=self.facts.names), fail)

    def _onwards(self, done: int, scope: Scope, fail: str) -> None:
        """After so many choices: what must hold then, the next choice and what follows; `fail` stands where it does not go on."""
        for requirement in self.action["requires"]:
            if requirement.get("after", 0) == done:
                for part, wanted in conditions(requirement["test"]):
                    self._demand(part, wanted, scope, fail)
        if done == len(self.action["choices"]):
            self._payable(scope, fail)
            self.writer.line(self.succeed)
            return
        identity = self.action["choices"][done]
        node = self.graph["nodes"][identity]
        if not spoken_of(self.graph, self.action, done):
            self._some_answer(node, scope, fail)
            self._onwards(done + 1, scope, fail)
            return
        writer = self.writer
        writer.counting = True

        def answered(each: Code, _: Scope) -> None:
            writer.line("n += 1")
            writer.line(f"if n > {LOOKED}: n = looked(m, n)")
            self._onwards(done + 1, scope.with_names({node["name"]: each}), "continue")

        if node["form"] in SEVERAL:
            ways = (
                f"completions(m, {self.module.lookup('action', self.path)}, {self.module.lookup('node', identity)}, {scope.as_dict(self.module)}, [])"
            )
            self._loop(ways, ANY, answered, scope)
        elif node["form"] == "number":
            low, high = self._bounds(node, scope)
            answers = f"range({low}, min({high}, {low} + m.budget.options) + 1)"
            self._loop(f"(*{answers}, None)" if node["optional"] else answers, ONE if node["optional"] else INT, answered, scope)
        elif node["optional"]:
            found = self.expressions.value(node["from"], scope)
            self._loop(f"(*{found.text if found.shape == LIST else f'many({found.text})'}, None)", ONE, answered, scope)
        else:
            self.expressions.over(node["from"], scope, answered)

    def _loop(self, source: str, shape: str, act: Any, scope: Scope) -> None:
        name = self.writer.name()
        self.writer.line(f"for {name} in {source}:")
        with self.writer.inside():
            act(Code(name, shape, True), scope)

    def _bounds(self, node: Node, scope: Scope) -> tuple[str, str]:
        low, high = (self.writer.kept(Code(f"({self.expressions.value(node[name], scope).text} or 0)")).text for name in ("low", "high"))
        return low, high

    def _some_answer(self, node: Node, scope: Scope, fail: str) -> None:
        """That there is any answer to a choice, where it does not matter which."""
        if node["form"] in SEVERAL or node["optional"]:
            return
        if node["form"] == "number":
            low, high = self._bounds(node, scope)
            self.writer.line(f"if {low} > {high}: {fail}")
        else:
            self._demand({"op": "#any", "of": node["from"]}, True, scope, fail)

    def _demand(self, part: Expr, wanted: bool, scope: Scope, fail: str) -> None:
        """That a condition holds, or that it does not."""
        self.writer.line(f"if {'not ' if wanted else ''}{truth(self.expressions, part, scope).text}: {fail}")

    def _payable(self, scope: Scope, fail: str) -> None:
        if not self.paid:
            self.costs.payable(self.action["costs"], ("costs", self.path), scope.names["actor"], scope, self.expressions, fail, self.path)


def conditions(test: Expr, wanted: bool = True) -> Iterator[tuple[Expr, bool]]:
    """Conditions that must all hold, one by one, each with whether it is to hold or not to."""
    if test["op"] == "not":
        yield from conditions(test["part"], not wanted)
    elif test["op"] == ("and" if wanted else "or"):
        for part in test["parts"]:
            yield from conditions(part, wanted)
    else:
        yield test, wanted


def truth(expressions: Expressions, part: Expr, scope: Scope) -> Code:
    """A condition, or whether there is anything to choose among."""
    if part["op"] != "#any":
        return expressions.test(part, scope)
    if part["of"]["op"] in ("query", "of_kind", "members"):
        return expressions.test({"op": "exists", "query": part["of"]}, scope)
    found = expressions.value(part["of"], scope)
    return Code(f"({found.text} is not None)", BOOL) if found.shape == ONE else Code(f"bool(many({found.text}))", BOOL)
