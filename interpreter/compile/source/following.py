"""Following an action to its end: whether it may be taken, its requirements hold, its choices can be answered and its costs paid.

What comes up in several actions and speaks of the actor only is a question `q<number>(m, actor)`, asked once for all actions of an offer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter.compile.source.costing import ACTOR, Costs
from interpreter.compile.source.expressions import Expressions
from interpreter.compile.source.facts import SEVERAL, Facts
from interpreter.compile.source.writing import ANY, BOOL, INT, LIST, LOOKED, ONE, Code, Module, Scope, Writer
from interpreter.run.world import spoken_of

Action = dict[str, Any]
Expr = dict[str, Any]
Node = dict[str, Any]


class Questions:
    """The questions of actions about who acts, and what they cost."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self.module, self.facts, self.graph = module, facts, module.graph
        self.costs = Costs(module, facts)
        self.numbers: dict[str, int] = {}  # by the question, the number of its function
        reactions = {hook["action"] for hook in self.graph["hooks"].values() if hook["timing"] == "react"}
        self.offered = {path: action for path, action in self.graph["actions"].items() if path not in reactions}
        self.kinds: dict[str, set[str]] = {}  # by the question, what sorts of actors it is asked about
        self.often = Counter(key for action in self.offered.values() for key in self._of(action))

    def _of(self, action: Action) -> Iterator[str]:
        """What of an action speaks of the actor only."""
        asked = [(requirement.get("after", 0), part) for requirement in action["requires"] for part, _ in conditions(requirement["test"])]
        for done, choice in enumerate(action["choices"]):
            node = self.graph["nodes"][choice]
            if node["form"] not in (*SEVERAL, "number") and not node["optional"] and not spoken_of(self.graph, action, done):
                asked.append((done, any_of(node["from"])))
        for done, part in asked:
            if self.of_actor(action, done, part):
                self.kinds.setdefault(mark(part), set()).add(action["by"])
                yield from [mark(part)] * (1 if action["of"] is None else 2)

    def of_actor(self, action: Action, done: int, part: Expr) -> bool:
        """Whether an expression speaks of nothing that an action has of its own after so many choices, but of the actor."""
        own = ["self", *(self.graph["nodes"][choice]["name"] for choice in action["choices"][:done])]
        return not _speaks_of(part, own)

    def call(self, part: Expr) -> str | None:
        """The call of a question that comes up more than once, written when it comes up first; None if it is none."""
        key = mark(part)
        if self.often[key] < 2:
            return None
        if key not in self.numbers:
            number = self.numbers[key] = len(self.numbers)
            writer = Writer(self.module, f"def q{number}(m, actor):")
            kind = next(iter(self.kinds[key])) if len(self.kinds[key]) == 1 else None
            actor = ACTOR._replace(kind=self.facts.kind_of(kind))
            answer = truth(Expressions(self.module, self.facts, writer), part, Scope({"actor": actor}, dynamic=False))
            writer.line(f"return {answer.text if answer.shape == BOOL else f'bool({answer.text})'}")
            self.module.add(writer)
        return f"q{self.numbers[key]}(m, actor)"


class Following:
    """Follows one action to its end: `fail` stands where it does not come there, `succeed` where it does.

    `answers` are the names under which answers to questions are kept in the function that is written, None if they are not.
    """

    def __init__(self, questions: Questions, writer: Writer, path: str, succeed: str, answers: dict[str, str] | None) -> None:
        self.questions, self.writer, self.path, self.succeed = questions, writer, path, succeed
        self.module, self.facts, self.graph = questions.module, questions.facts, questions.module.graph
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
        for call in self.questions.costs.plainly(self.action, self.path, scope, self.expressions):  # that is soon known
            writer.line(f"if not {self._once(call).text}: {fail}")
            self.paid = True
        self._onwards(0, scope, fail)

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
                    self._demand(part, wanted, done, scope, fail)
        if done == len(self.action["choices"]):
            self._payable(scope, fail)
            self.writer.line(self.succeed)
            return
        identity = self.action["choices"][done]
        node = self.graph["nodes"][identity]
        if not spoken_of(self.graph, self.action, done):
            self._some_answer(node, done, scope, fail)
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

    def _some_answer(self, node: Node, done: int, scope: Scope, fail: str) -> None:
        """That there is any answer to a choice, where it does not matter which."""
        if node["form"] in SEVERAL or node["optional"]:
            return
        if node["form"] == "number":
            low, high = self._bounds(node, scope)
            self.writer.line(f"if {low} > {high}: {fail}")
        else:
            self._demand(any_of(node["from"]), True, done, scope, fail)

    def _demand(self, part: Expr, wanted: bool, done: int, scope: Scope, fail: str) -> None:
        """That a condition holds, or that it does not."""
        plain = self.path in self.questions.offered  # a reaction has further names, from what it reacts to
        call = self.questions.call(part) if plain and self.questions.of_actor(self.action, done, part) else None
        test = self._once(call) if call is not None else truth(self.expressions, part, scope)
        self.writer.line(f"if {'not ' if wanted else ''}{test.text}: {fail}")

    def _once(self, call: str) -> Code:
        """The answer to a question, from those that are kept if it has been asked before."""
        return self.expressions.once(Code(call, BOOL))

    def _payable(self, scope: Scope, fail: str) -> None:
        costs = self.questions.costs
        if self.paid:
            return
        dearer = costs.dearer(self.action, self.path, self._once)
        if dearer is None:
            costs.payable(self.action["costs"], ("costs", self.path), ACTOR, scope, self.expressions, fail, self._once)
            return
        self.writer.line(f"if {dearer}:")
        with self.writer.inside():
            names = self.writer.kept(Code(scope.as_dict(self.module))).text
            self.writer.line(f"if not payable(m, costs_of(m, {self.module.lookup('action', self.path)}, {names}), actor, {names}): {fail}")
        self.writer.line("else:")
        with self.writer.inside():
            self.writer.line("pass")
            costs.payable(self.action["costs"], ("costs", self.path), ACTOR, scope, self.expressions, fail, self._once)


def conditions(test: Expr, wanted: bool = True) -> Iterator[tuple[Expr, bool]]:
    """Conditions that must all hold, one by one, each with whether it is to hold or not to."""
    if test["op"] == "not":
        yield from conditions(test["part"], not wanted)
    elif test["op"] == ("and" if wanted else "or"):
        for part in test["parts"]:
            yield from conditions(part, wanted)
    else:
        yield test, wanted


def any_of(found: Expr) -> Expr:
    """The question whether there is anything to choose among."""
    return {"op": "#any", "of": found}


def mark(part: Expr) -> str:
    """What two expressions that mean the same have in common."""
    return json.dumps(_bare(part), sort_keys=True)


def _bare(part: Any) -> Any:
    """An expression without where it stands."""
    if isinstance(part, dict):
        return {name: _bare(each) for name, each in part.items() if name not in ("span", "spans")}
    return [_bare(each) for each in part] if isinstance(part, list) else part


def _speaks_of(part: Any, names: list[str]) -> bool:
    """Whether an expression, or anything in it, uses or binds one of some names."""
    if isinstance(part, dict):
        if part.get("op") == "var":
            return part["name"] in names
        bound = [part.get("binder"), part.get("name") if part.get("op") == "let" else None, *part.get("aliases", ())]
        return any(name in names for name in bound) or any(_speaks_of(each, names) for each in part.values())
    return isinstance(part, list) and any(_speaks_of(each, names) for each in part)


def truth(expressions: Expressions, part: Expr, scope: Scope) -> Code:
    """A condition, or whether there is anything to choose among."""
    if part["op"] != "#any":
        return expressions.test(part, scope)
    if part["of"]["op"] in ("query", "of_kind", "members"):
        return expressions.test({"op": "exists", "query": part["of"]}, scope)
    found = expressions.value(part["of"], scope)
    return Code(f"({found.text} is not None)", BOOL) if found.shape == ONE else Code(f"bool(many({found.text}))", BOOL)
