"""Why something is not offered: which requirement fails, with its reason, its place and the rules it cites.

Whether an action can be carried out is what the program itself says ("open ..."). Only where it says no, its requirements, the costs and the answers to its
choices are asked one by one, each lowered by the code that has lowered the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.core import program as c
from rulewright.core.lower.actions import Parameters
from rulewright.core.lower.choices import SEVERAL
from rulewright.core.lower.costs import Bill
from rulewright.core.lower.expressions import NONE
from rulewright.core.lower.snippets import Make
from rulewright.game.inquiry import Inquiry, several_of, test_of, value_of
from rulewright.game.log_text import causes
from rulewright.step.machine import Machine
from rulewright.step.state import Value
from rulewright.step.wording import Wording
from rulewright.told import told

Reason = dict[str, Any]
Known = dict[str, Value]  # who acts, with what, and what has been chosen so far


def why_not(machine: Machine, player: int, thing: str, words: Wording | None = None) -> list[Reason]:
    """Why something is not offered to a player (from 0), in the words of the rules or in others; empty if it is.

    An action is named by its path, or by its path and who grants it (`play@rest.1`); anything else is a component that could be chosen now. Without a name for it,
    what is known to grant it goes before what does not; a reason that it does not says so (`granted`).
    """
    words = words or machine.linked.wording
    path, _, granter = thing.partition("@")
    action = machine.world.graph["actions"].get(path)
    if action is None:
        return Target(machine, words, player, thing).reasons()
    world = machine.world
    actors = [each for each in world.by_noun.get(action["by"], []) if machine.decider(each) == player]
    about = {"span": action["span"], "cites": action["cites"]}
    if not actors:
        return [{"reason": words.say("player {player} has no {kind}", player=player + 1, kind=words.kind(action["by"])), **about}]
    found: list[Reason] = []
    withheld: list[Reason] = []
    for actor in actors:
        for component in [None] if action["of"] is None else world.by_noun.get(action["of"], []):
            if granter and component is not None and (world.identities[component] != granter or not machine.knows(player, component)):
                continue
            reasons = Deed(machine, words, path, actor, component).reasons()
            if not reasons:
                return []
            if component is None or (reasons[0].get("granted", True) and machine.knows(player, component)):
                found = found or reasons
            else:
                withheld = withheld or reasons
    unknown = words.say("player {player} knows no '{thing}' that grants it", player=player + 1, thing=granter)
    return found or withheld or [{"reason": unknown, **about, "granted": False}]


class Deed(Inquiry):
    """An action that somebody would take, granted by a component or by nobody in particular."""

    def __init__(self, machine: Machine, words: Wording, path: str, actor: int, granter: int | None) -> None:
        super().__init__(machine)
        self.words = words
        self.path, self.actor, self.granter = path, actor, granter
        self.action = self.graph["actions"][path]
        self.about = {"span": self.action["span"], "cites": self.action["cites"]}

    def reasons(self) -> list[Reason]:
        """What stands in the way: everything that has to hold before the first choice, else what is nearest to the deed."""
        words, labels, known = self.words, self.words.labels, {"actor": self.actor, "self": self.granter}
        if self.granter is not None and not self._granted():
            reason = words.say("{thing} does not grant it to {who} at the moment", thing=labels[self.granter], who=labels[self.actor])
            return [{"reason": reason, **self.about, "granted": False}]
        often = self.action["once_per"]
        found = [{"reason": words.say("it may be taken once per {time}", time=words.effect(often)), **self.about}] if self._used_up() else []
        found += list(self._unmet(known, 0))
        if not found and not self._open(known):
            blocked = list(self._blocked(known, 0))
            found.append(blocked[-1] if blocked else {"reason": words.say("there is nothing it could be done with"), **self.about})
        return found

    # -- what the program says

    def _granted(self) -> bool:
        def make(low: Any, scope: Any) -> c.Expression:
            actor, granter = c.Name(scope.slot("actor")), c.Name(scope.slot("self"))
            return c.And(tuple(low.actions.granted(self.path, actor, c.Decider(actor), granter, scope.writer)))

        return bool(self.ask(f"granted at all {self.path}", ACTING, make, (self.actor, self.granter)))

    def _used_up(self) -> bool:
        used = self.granter if self.action["of"] is not None else self.actor
        return self.action["once_per"] is not None and (f"action {self.path}", used) in self.machine.state.used

    def _open(self, known: Known) -> bool:
        function = self.low.actions.open(self.path, 0)
        self.low.finish()
        return bool(self.machine.ask_function(function, *(known.get(name) for name, _, _ in self.low.actions.parameters(self.path))))

    # -- its parts

    def _parameters(self, done: int) -> Parameters:
        names = (*self.low.actions.parameters(self.path), *self.low.actions.chosen(self.path, done))
        return list({each[0]: each for each in names}.values())

    def _ask(self, what: str, done: int, known: Known, make: Any) -> Value:
        parameters = self._parameters(done)
        return self.ask(f"{what}, {done} chosen, action {self.path}", parameters, make, (known.get(name) for name, _, _ in parameters))

    def _unmet(self, known: Known, done: int) -> Iterator[Reason]:
        """The requirements that do not hold after so many choices."""
        for number, requirement in enumerate(self.action["requires"]):
            if requirement.get("after", 0) != done:
                continue
            if not self._ask(f"requirement {number}", done, known, test_of(requirement["test"])):
                reason = self.because(requirement["because"], lambda part, make: self._ask(f"reason {part} of {number}", done, known, make))  # noqa: B023
                yield {"reason": reason, "span": requirement["span"], "cites": self.action["cites"]}

    def _blocked(self, known: Known, done: int) -> Iterator[Reason]:
        """What stands in the way behind the choices, for the first answer of each; the last is nearest to the deed."""
        for unmet in self._unmet(known, done):
            yield unmet
            return
        if done == len(self.action["choices"]):
            yield self._unpaid(known, done)
            return
        node = self.graph["nodes"][self.action["choices"][done]]
        answer = self._first_answer(node, known, done)
        if answer is not None:
            yield from self._blocked({**known, node["name"]: answer}, done + 1)

    def _first_answer(self, node: dict[str, Any], known: Known, done: int) -> Value:
        things = self._ask("answers", done, known, lambda low, scope: low.choices.things(node, scope, None))
        if node["form"] not in SEVERAL:
            return things[0] if things else None
        most = len(things)
        if node["amount"] is not None:
            most = max(min(self._ask("amount", done, known, value_of(node["amount"])) or 0, most), 0)
        return tuple(next(self.machine.selections(list(things), most if node["form"] == "exactly" else 0), ()))

    # -- costs

    def _unpaid(self, known: Known, done: int) -> Reason:
        """Why the costs cannot be paid: what one of them wants, in its own words."""
        for cost, given in self._bills(known, done):
            declared = self.graph["costs"][cost]
            parameters: Parameters = [(local.name, local.shape, local.sort) for local in self._told(cost)]
            for number, requirement in enumerate(declared["requires"]):
                about = f"{number} of cost {cost}"
                if self.ask(f"requirement {about}", parameters, test_of(requirement["test"]), given):
                    continue
                reason = self.because(requirement["because"], lambda part, make: self.ask(f"reason {part} of {about}", parameters, make, given))  # noqa: B023
                reason = reason or self.words.say("its cost cannot be paid ({cost})", cost=self.words.cost(cost))
                return {"reason": reason, "span": requirement["span"], "cites": declared["cites"] or self.action["cites"]}
        return {"reason": self.words.say("its costs cannot all be paid"), **self.about}

    def because(self, because: dict[str, Any] | None, ask: Callable[[int, Make], Value]) -> str | None:
        """A reason in words: what stands in its braces is asked of the game one by one."""
        if because is None:
            return None
        parts: list[Any] = because["parts"] if because["op"] == "text" else [{"of": because, "as": "text"}]
        holes = enumerate(part for part in parts if not isinstance(part, str))
        return self.words.filled(parts, [self.words.shown(ask(number, value_of(hole["of"])), hole["as"]) for number, hole in holes])

    def _told(self, cost: str) -> list[c.Local]:
        function = self.machine.program.functions[self.low.costs.affordable(cost)]
        return function.locals[: function.parameters]

    def _bills(self, known: Known, done: int) -> list[tuple[str, list[Value]]]:
        """The costs that are more than nothing, amounts of the same thing added up, each with what its requirements are told."""

        def make(low: Any, scope: Any) -> c.Expression:
            bills: list[Bill] = low.costs.of_action(self.path, scope, c.Name(scope.slot("actor")))
            return c.Listed(tuple(c.Listed((low.word(bill.cost), *low.costs.given(bill, NONE, bill.amount))) for bill in bills))

        totals: dict[Any, list[Value]] = {}
        for cost, _, amount, *others in self._ask("bills", done, known, make):
            if amount:
                key = (self.said(cost), tuple(others))
                totals[key] = [self.actor, amount + totals.get(key, [None, 0])[1], *others]
        return [(cost, given) for (cost, _), given in totals.items()]


class Target(Inquiry):
    """A component that a player would choose in the choice that is going on."""

    def __init__(self, machine: Machine, words: Wording, player: int, thing: str) -> None:
        super().__init__(machine)
        self.words = words
        self.player, self.thing = player, thing

    def reasons(self) -> list[Reason]:
        machine, asked = self.machine, self.machine.asked
        known = (each for each in range(machine.world.count) if machine.knows(self.player, each))
        component = next((each for each in known if machine.world.identities[each] == self.thing), None)
        if component is None:
            reason = self.words.say("player {player} knows no action and no component '{thing}'", player=self.player + 1, thing=self.thing)
            return [{"reason": reason, "span": None, "cites": []}]
        node = machine.linked.code[machine.state.frames[-1].at] if asked is not None else None
        question = machine.program.questions[node.question] if isinstance(node, c.Ask) else None
        if asked is None or question is None or question.kind != "choose" or question.node is None:
            return [{"reason": self.words.say("nothing is being chosen at the moment"), "span": None, "cites": []}]
        choice = self.graph["nodes"][question.node]
        about = {"span": choice["span"], "cites": causes(machine.world, machine.state.frames[-1].cause[0])[1]}
        if asked[0] != self.player:
            return [{"reason": self.words.say("it is not player {player} who chooses", player=self.player + 1), **about}]
        if component in asked[1]:
            return []
        return [{**about, **self._unfit(question, choice, component)}]

    def _unfit(self, question: c.Question, choice: dict[str, Any], component: int) -> Reason:
        """What keeps a component out of a choice: it is not among the things asked for, or a condition does not hold for it."""
        machine, query, say = self.machine, choice["from"], self.words.say
        frame, name = machine.state.frames[-1], self.words.labels[component]
        if question.picked is not None and component in frame.names[question.picked]:
            return {"reason": say("{thing} has been chosen already", thing=name)}
        unit, about = machine.linked.unit_at[frame.at], f"{question.node} in {machine.linked.unit_at[frame.at]}"
        among = query is not None and query["op"] == "query"
        if among:
            among = component in self.ask_there(f"source of {about}", question, unit, several_of(query["source"]), frame.names)
        if not among:
            return {"reason": say("{thing} is not among what can be chosen here", thing=name)}
        for number, condition in enumerate(query["filters"]):

            def make(low: Any, scope: Any, condition: Any = condition) -> c.Expression:
                inner = scope.covering(scope.slot("#it"), query.get("binder") or "it", "it", *query.get("aliases", ()))
                found: c.Expression = low.expressions.test(condition, inner)
                return found

            if not self.ask_there(f"condition {number} of {about}", question, unit, make, frame.names, **{"#it": component}):
                spans = query.get("spans", [])
                place = {"span": spans[number]} if number < len(spans) else {}
                return {
                    "reason": say("{thing} does not meet the condition '{condition}'", thing=name, condition=told(condition)),
                    **place,
                    **self._cited(condition),
                }
        return {"reason": say("with {thing} the action could not be completed", thing=name)}

    def _cited(self, condition: dict[str, Any]) -> Reason:
        """The citations of the value that a condition asks, if it has any of its own."""
        asked = condition["part"] if condition["op"] == "not" else condition
        cites = self.graph["values"][asked["value"]]["cites"] if asked["op"] == "value" else []
        return {"cites": cites} if cites else {}


ACTING: Parameters = [("actor", "one", "kind"), ("self", "one", "kind")]
