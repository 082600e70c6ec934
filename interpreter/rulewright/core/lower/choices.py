"""Choices: who is asked, what may be chosen, and what becomes of the answer, as loops of `Ask`.

A choice of several things is a loop that picks one after another; a choice of several players a loop over them; chance picks where chance chooses. What may
be chosen is one expression, so that an engine can ask it again at any moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, UnitWriter
from rulewright.core.lower.expressions import NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering

SEVERAL = ("up_to", "exactly", "any_number")
VALUES = {
    "number": "words",
    "words": "words",
    "flag": "flags",
    "text": "words",
    "place": "places",
    "track": "places",
}  # what is chosen, where that is no component
NO_ONE, NONE_OF_THESE, DONE = ("none", "None"), ("none", "None of these"), ("done", "Done")
ENDLESS = 1_000_000


class Plan:
    """Of which action a choice is one, and how many come before it."""

    def __init__(self, path: str, done: int) -> None:
        self.path, self.done = path, done


class Choices:
    """Lowers choices."""

    def __init__(self, low: Lowering) -> None:
        self.low = low

    def choose(self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope, plan: Plan | None = None) -> None:
        """A choice, of one player, of each of several, or of chance."""
        if node["each"] is not None:
            self.choose_each(node, origin, writer, scope)
            return
        slot, after = self.into(node, writer, scope), writer.label()
        if node["form"] in SEVERAL:
            self.choose_several(node, origin, writer, scope, plan, slot, self.player(node, scope))
        else:
            self.choose_one(node, origin, writer, scope, plan, slot, self.player(node, scope))
        if node["form"] in ("option", "yes_no"):
            self.take_option(node, writer, scope, slot, self.payer(node, scope), after)
        writer.jump(after)
        writer.at(after)

    def into(self, node: dict[str, Any], writer: UnitWriter, scope: Scope) -> c.Slot:
        """The slot for the answer."""
        several: c.Shape = "list" if node["form"] in SEVERAL else "one"
        if node["name"] is None:
            return writer.fresh("#answer", several, node["as"])
        covered = scope.covered.get(node["name"])
        return writer.bound(node["name"], several, node["as"]) if covered is None else covered

    def player(self, node: dict[str, Any], scope: Scope) -> c.Expression | None:
        """Who chooses; None if chance does."""
        who = node["who"]
        if who is None:
            return NONE
        if who["op"] == "const" and who["value"] == "chance":
            return None
        found = self.low.expressions(who, scope)
        return found if isinstance(found, c.Decider) else c.Decider(found)

    def payer(self, node: dict[str, Any], scope: Scope) -> c.Expression:
        """Who pays for an option: the actor; where there is none, the one who chooses."""
        actor, who = scope.slot("actor"), node["who"]
        if actor is not None:
            return c.Name(actor)
        return self.low.expressions(who["of"] if who["op"] == "decider" else who, scope)

    # -- what may be chosen

    def things(self, node: dict[str, Any], scope: Scope, player: c.Expression | None) -> c.Expression:
        """The values that may be chosen, before what is picked already is taken out."""
        expressions, form = self.low.expressions, node["form"]
        if form in ("option", "yes_no"):
            payer = self.payer(node, scope)
            return c.Choices(tuple(self.open_option(option, payer, scope) for option in node["options"]))
        if form == "number":
            return c.Numbers(expressions(node["low"], scope), expressions(node["high"], scope))
        found = expressions.several(node["from"], scope)
        if node["as"] not in ("kind", "any") or player is None:
            return found
        if node["from"]["op"] != "list" or not any(part["op"] == "component" for part in node["from"]["parts"]):
            return self.low.veiled(found, player)
        # What the rules name themselves stays where they name it; only the rest is in an order that tells nothing.
        others, named = ([part for part in node["from"]["parts"] if (part["op"] == "component") == by_name] for by_name in (False, True))
        if len(others) < 2:
            return found
        return c.Both(
            (
                self.low.veiled(expressions.several({**node["from"], "parts": others}, scope), player),
                expressions.several({**node["from"], "parts": named}, scope),
            )
        )

    def open_option(self, option: dict[str, Any], payer: c.Expression, scope: Scope) -> c.Expression:
        """Whether an option in words can be taken."""
        tests = [self.low.expressions.test(option["when"], scope)] if option["when"] is not None else []
        if option["costs"]:
            tests.append(self.low.costs.payable(self.low.costs.written(option["costs"], scope), payer, scope))
        return tests[0] if len(tests) == 1 else c.And(tuple(tests))

    def question(self, node: dict[str, Any], origin: str, scope: Scope, plan: Plan | None, picked: c.Slot | None = None) -> int:
        """What is asked."""
        expressions, form, worded = self.low.expressions, node["form"], node["prompt"] is not None
        values = {"option": "options", "yes_no": "options", "number": "numbers"}.get(form) or VALUES.get(node["as"], "things")
        declines = NONE_OF_THESE if values == "options" else DONE if form in SEVERAL and form != "exactly" else NO_ONE
        if node.get("decline") is not None:
            declines = declines[0], "".join(node["decline"]["parts"])
        listed = form == "value" and node["from"]["op"] == "list"
        made = c.Question(
            "choose", origin, expressions.text(node["prompt"], scope) if worded else self.prompt(node, plan), plan.path if plan else None,
            values, tuple(expressions.text(option["label"], scope) for option in node["options"]), None, worded, declines,  # type: ignore[arg-type]
            written_in(node["from"]) if listed else (), bool(node["secret"]), None, picked,
            scope.names(), bool(node.get("sorts")),
        )  # fmt: skip
        return self.low.question(made)

    def prompt(self, node: dict[str, Any], plan: Plan | None) -> c.Text:
        """Words for a choice that has none of its own."""
        if node["form"] in ("option", "yes_no"):
            return c.Text(("Choose one",))
        what = (node["name"] or "one").replace("_", " ")
        return c.Text((f"Choose {what}" if plan is None else f"Choose {what} ({self.low.graph['actions'][plan.path]['label']})",))

    # -- one thing

    def choose_one(
        self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope, plan: Plan | None, slot: c.Slot, player: c.Expression | None
    ) -> None:  # fmt: skip
        """One of several things, or none of them if that may be declined."""
        values = self.things(node, scope, player)
        question = self.question(node, origin, scope, plan)
        if player is None:
            writer.add(c.Pick(slot, self.leading(node, values, scope, plan, None), question=question, origin=origin))
            return
        if node["optional"]:
            values = c.Both((values, c.Listed((NONE,))))
        then = writer.label()
        writer.end(c.Ask(question, player, self.leading(node, values, scope, plan, None), slot, then, then, origin))
        writer.at(then)
        self.settle(node, slot, player, writer)

    def settle(self, node: dict[str, Any], slot: c.Slot, player: c.Expression, writer: UnitWriter) -> None:
        """What was chosen by where it lies, out of what a person has shuffled, that person has to tell first."""
        if node["form"] not in ("option", "yes_no", "number") and node["as"] in ("kind", "any"):
            writer.add(c.Settle(slot, player))

    def leading(self, node: dict[str, Any], values: c.Expression, scope: Scope, plan: Plan | None, picked: c.Slot | None) -> c.Expression:
        """Of the answers of an action's choice, those from which it can be carried out to the end."""
        if plan is None:
            return values
        one = scope.writer.fresh("#option", "one", node["as"])
        return c.Query(values, one, (self.low.actions.leads_on(node, plan, scope, one, picked),))

    # -- several things

    def choose_several(
        self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope, plan: Plan | None, slot: c.Slot, player: c.Expression | None
    ) -> None:  # fmt: skip
        """Several things, one after another, until enough are picked or whoever chooses is done."""
        one = writer.fresh("#picked", "one", node["as"])
        head, asking, more, after = (writer.label() for _ in range(4))
        writer.add(c.Let(slot, c.Listed(())))
        writer.jump(head)
        writer.at(head)
        picked = c.Name(slot)
        limited = node["amount"] is not None
        limit = c.Arithmetic("+", self.low.expressions(node["amount"], scope), c.Const(0), 0, c.GREATEST) if limited else c.Const(ENDLESS)
        writer.end(c.Branch(c.Compare(">=", c.Count(picked), limit), after, asking) if limited else c.Jump(asking))
        writer.at(asking)
        values: c.Expression = c.Without(self.things(node, scope, player), picked)
        question = self.question(node, origin, scope, plan, slot)
        if player is None:
            writer.add(c.Pick(one, self.leading(node, values, scope, plan, slot), question=question, origin=origin))
            writer.jump(more)
        else:
            if node["form"] != "exactly":
                values = c.Both((values, c.Listed((NONE,))))
            elif node["optional"]:
                values = c.Both((values, c.If(c.Empty(picked), c.Listed((NONE,)), c.Listed(()))))
            writer.end(c.Ask(question, player, self.leading(node, values, scope, plan, slot), one, more, after, origin))
        writer.at(more)
        if player is not None:
            self.settle(node, one, player, writer)
        taken = writer.label()
        writer.end(c.Branch(c.Compare("!=", c.Name(one), NONE), taken, after))
        writer.at(taken)
        writer.add(c.Let(slot, c.Both((picked, c.Listed((c.Name(one),))))))
        writer.jump(head)
        writer.at(after)

    # -- several players

    def choose_each(self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope) -> None:
        """Each of several chooses; the answers are kept by who gave them."""
        answers = writer.bound(node["name"] or "#answers", "lists", node["as"], node["form"] in SEVERAL)
        waiting = writer.let("#waiting", self.low.expressions.several(node["each"]["query"], scope), "list", "kind")
        cursor, who = writer.let("#cursor", c.Const(0), "one", "number"), writer.fresh(node["each"]["name"], "one", "kind")
        given = writer.fresh("#given", "lists", node["as"])
        writer.add(c.Let(given, c.Listed(())))
        head, body, after = writer.label(), writer.label(), writer.label()
        writer.jump(head)
        writer.at(head)
        writer.end(c.Next(waiting, cursor, who, body, after))
        writer.at(body)
        inner, several = scope.covering(who, node["each"]["name"], "it"), node["form"] in SEVERAL
        slot = writer.fresh("#answer", "list" if several else "one", node["as"])
        choose = self.choose_several if several else self.choose_one
        choose(node, origin, writer, inner, None, slot, c.Decider(c.Name(who)))
        self.low.questions[-1].turns = waiting, cursor, given
        own = c.Both((c.Listed((c.Name(who),)), c.Name(slot))) if several else c.Listed((c.Name(who), c.Name(slot)))
        writer.add(c.Let(given, c.Both((c.Name(given), c.Listed((own,))))))
        writer.jump(head)
        writer.at(after)
        writer.add(c.Let(answers, c.Name(given)))

    def secretly(self, node: dict[str, Any], writer: UnitWriter, scope: Scope) -> None:
        """Each of several goes through a block; what it names is kept by who gave it, and known under its name when all are done."""
        kept = {each["name"]: each for each in node["secretly"]}
        answers = {name: writer.bound(name, "lists", each["as"], each["many"]) for name, each in kept.items()}
        waiting = writer.let("#waiting", self.low.statements.in_order(node, scope), "list", "kind")
        cursor, who = writer.let("#cursor", c.Const(0), "one", "number"), writer.fresh(node["name"], "one", "kind")
        given = {name: writer.let("#given", c.Listed(()), "lists", each["as"]) for name, each in kept.items()}
        own = {name: writer.fresh(name, "list" if each["many"] else "one", each["as"]) for name, each in kept.items()}
        head, body, after = writer.label(), writer.label(), writer.label()
        writer.jump(head)
        writer.at(head)
        writer.end(c.Next(waiting, cursor, who, body, after))
        writer.at(body)
        inner = scope.covering(who, node["name"], "it")
        for name, slot in own.items():
            inner = inner.covering(slot, name)
            writer.add(c.Let(slot, c.Listed(()) if kept[name]["many"] else NONE))
        first = len(self.low.questions)
        self.low.statements.chain(node["body"], writer, inner)
        for question in self.low.questions[first:]:
            question.turns, question.together = (waiting, cursor, *given.values()), first
        for name, slot in own.items():
            one = c.Listed((c.Name(who),)), c.Name(slot)
            entry = c.Both(one) if kept[name]["many"] else c.Listed((c.Name(who), c.Name(slot)))
            writer.add(c.Let(given[name], c.Both((c.Name(given[name]), c.Listed((entry,))))))
        writer.jump(head)
        writer.at(after)
        for name, slot in answers.items():
            writer.add(c.Let(slot, c.Name(given[name])))

    # -- options

    def take_option(self, node: dict[str, Any], writer: UnitWriter, scope: Scope, slot: c.Slot, payer: c.Expression, after: c.Label) -> None:
        """Carry out the option that was taken: its costs, then its body."""
        cases = {number: writer.label() for number in range(len(node["options"]))}
        writer.end(c.Switch(c.Name(slot), cases, after))
        for number, option in enumerate(node["options"]):
            writer.at(cases[number])
            self.carry_out(option, writer, scope, payer)
            writer.jump(after)

    def carry_out(self, option: dict[str, Any], writer: UnitWriter, scope: Scope, payer: c.Expression) -> None:
        if option["costs"]:
            self.low.costs.pay(self.low.costs.written(option["costs"], scope), payer, writer, scope)
        self.low.statements.chain(option["body"], writer, scope)


def written_in(listed: dict[str, Any]) -> tuple[bool, ...]:
    """Which of the things of a list the rules name themselves, in the order in which they are offered (see `things`)."""
    named = [part["op"] == "component" for part in listed["parts"]]
    return tuple(sorted(named) if named.count(False) > 1 else named)
