"""Actions: who is offered which, one predicate that says whether an action can be carried out to the end, and how that is done.

An action goes through its choices, pays its costs, then happens as an event: first `action` for anybody who cares about deeds in general, inside it the event
with the action's own name, inside that its body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.graph import speaks_of
from rulewright.core.lower.builder import Scope, UnitWriter, Writer
from rulewright.core.lower.choices import SEVERAL, Plan
from rulewright.core.lower.events import Event
from rulewright.core.lower.expressions import NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering

Parameters = list[tuple[str, c.Shape, str]]


class Actions:
    """Lowers actions, offers and reactions."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.graph = low.graph
        self.reactions = {hook["action"]: identity for identity, hook in self.graph["hooks"].items() if hook["timing"] == "react"}

    # -- what an action knows

    def parameters(self, path: str) -> Parameters:
        """What an action is given: who acts, the component it belongs to; of a reaction, what it reacts to."""
        found: Parameters = [("actor", "one", "kind")]
        if path in self.reactions:
            hook = self.low.hooks.entry(self.reactions[path])
            return found + [(local.name, local.shape, local.sort) for local in hook.locals if local.name != "actor"]
        return [*found, ("self", "one", "kind")]

    def chosen(self, path: str, done: int) -> Parameters:
        """The names of the first choices of an action."""
        nodes = [self.graph["nodes"][name] for name in self.graph["actions"][path]["choices"][:done]]
        return [(node["name"], "list" if node["form"] in SEVERAL else "one", node["as"]) for node in nodes]

    def names(self, path: str) -> Parameters:
        """What is known when an action happens."""
        unique = {each[0]: each for each in (*self.parameters(path), *self.chosen(path, len(self.graph["actions"][path]["choices"])))}
        return list(unique.values())

    # -- whether it is possible

    def possible(self, path: str, given: tuple[c.Expression, ...]) -> c.Expression:
        """Whether an action can be carried out from its beginning."""
        tests: list[c.Expression] = []
        if self.graph["actions"][path]["once_per"] is not None:
            tests.append(c.Not(c.Used(f"action {path}", self.user(path, given))))
        tests.append(c.Apply(self.open(path, 0), given))
        return tests[0] if len(tests) == 1 else c.And(tuple(tests))

    def user(self, path: str, given: tuple[c.Expression, ...]) -> c.Expression:
        """For whom an action that may be taken only so often is used up: its component, or who acts."""
        names = [name for name, _, _ in self.parameters(path)]
        return given[names.index("self")] if self.graph["actions"][path]["of"] is not None and "self" in names else given[0]

    def open(self, path: str, done: int) -> str:
        """The function that says whether an action can be carried out to the end after so many choices."""
        name = f"open {path}, {done} chosen"
        if name not in self.low.functions:
            writer = Writer(name)
            for each in {each[0]: each for each in (*self.parameters(path), *self.chosen(path, done))}.values():
                writer.parameter(*each)
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", NONE)
            self.low.todo.append(lambda: setattr(self.low.functions[name], "body", self.openness(path, done, Scope(writer))))
        return name

    def openness(self, path: str, done: int, scope: Scope) -> c.Expression:
        action, expressions = self.graph["actions"][path], self.low.expressions
        tests = [expressions.test(each["test"], scope) for each in action["requires"] if each.get("after", 0) == done]
        if done == len(action["choices"]):
            actor = c.Name(scope.writer.slots["actor"])
            bills = self.low.costs.of_action(path, scope, actor)
            tests += [self.low.costs.payable(bills, actor, scope)] if bills else []
        else:
            tests.append(self.answerable(path, done, scope))
        return tests[0] if len(tests) == 1 else c.And(tuple(tests))

    def answerable(self, path: str, done: int, scope: Scope) -> c.Expression:
        """Whether a choice can be answered so that an action can be carried out."""
        node = self.graph["nodes"][self.graph["actions"][path]["choices"][done]]
        if node["form"] in SEVERAL:
            return self.selectable(node, path, done, scope, c.Listed(()))
        values = self.low.choices.things(node, scope, None)
        if not self.spoken_of(path, done):
            after = self.then(path, done, scope, NONE)
            return after if node["optional"] else c.And((c.Exists(values), after))
        if node["optional"]:
            values = c.Both((values, c.Listed((NONE,))))
        one = scope.writer.fresh(node["name"], "one", node["as"])
        return c.Exists(c.Query(values, one, (self.then(path, done, scope, c.Name(one)),)))

    def then(self, path: str, done: int, scope: Scope, answer: c.Expression) -> c.Expression:
        """Whether an action can be carried out after an answer."""
        names = {each[0]: each for each in (*self.parameters(path), *self.chosen(path, done + 1))}
        last = self.chosen(path, done + 1)[-1][0]
        given = []
        for name in names:
            slot = scope.slot(name)
            given.append(answer if name == last else NONE if slot is None else c.Name(slot))
        return c.Apply(self.open(path, done + 1), tuple(given))

    def selectable(self, node: dict[str, Any], path: str, done: int, scope: Scope, picked: c.Expression) -> c.Expression:
        """Whether several things can be chosen so that an action can be carried out, some of which are picked already."""
        if not self.spoken_of(path, done):
            return self.then(path, done, scope, picked)
        source = self.low.choices.things(node, scope, None)
        most = c.Const(c.GREATEST) if node["amount"] is None else self.low.expressions(node["amount"], scope)
        least = most if node["form"] == "exactly" else c.Const(0)
        slot = scope.writer.fresh(node["name"], "list", node["as"])
        return c.Selection(source, picked, least, most, slot, self.then(path, done, scope, c.Name(slot)))

    def leads_on(self, node: dict[str, Any], plan: Plan, scope: Scope, option: c.Slot, picked: c.Slot | None) -> c.Expression:
        """Whether an action can be carried out to the end after an answer; nothing is to decline, or to be done."""
        if picked is None:
            return self.then(plan.path, plan.done, scope, c.Name(option))
        more = c.Both((c.Name(picked), c.Listed((c.Name(option),))))
        done = self.then(plan.path, plan.done, scope, c.Name(picked))
        return c.If(c.Compare("=", c.Name(option), NONE), done, self.selectable(node, plan.path, plan.done, scope, more))

    def spoken_of(self, path: str, done: int) -> bool:
        """Whether what comes after a choice, before the action is carried out, speaks of what was chosen."""
        action = self.graph["actions"][path]
        later = [self.graph["nodes"][name] for name in action["choices"][done + 1 :]]
        requires = [requirement["test"] for requirement in action["requires"] if requirement.get("after", 0) > done]
        return speaks_of([requires, later, action["costs"]], [self.graph["nodes"][action["choices"][done]]["name"]])

    # -- offering

    def offer(self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope) -> None:
        """Offer actions to somebody, and options in words."""
        expressions = self.low.expressions
        who = c.Name(writer.let("#who", expressions(node["who"], scope), "one", "kind"))
        player = c.Decider(who)
        paths = [path for path, action in self.graph["actions"].items() if path not in self.reactions and self.grouped(action, node["groups"])]
        actor = writer.fresh("actor", "one", "kind")
        writer.add(c.Let(actor, who))
        inner = scope.covering(actor, "actor")
        values: list[c.Expression] = [self.offered(path, who, player, writer) for path in paths]
        if node["options"]:
            number = writer.fresh("#number", "one", "number")
            choices = c.Choices(tuple(self.low.choices.open_option(option, who, inner) for option in node["options"]))
            values.append(c.Map(number, choices, c.Arithmetic("-", c.Const(-1), c.Name(number))))
        labels = tuple(expressions.text(option["label"], inner) for option in node["options"])
        question = self.low.question(
            c.Question("action", origin, c.Text((c.Shown(who, "kind"), ": choose an action")), values="actions", labels=labels)
        )
        chosen, taken, after = writer.fresh("#chosen", "one", "deed"), writer.label(), writer.label()
        writer.end(c.Ask(question, player, c.Both(tuple(values)), chosen, taken, after, origin))
        writer.at(taken)
        cases = {
            number: writer.label() for number in [*(self.low.deeds[path] for path in paths), *(-1 - each for each in range(len(node["options"])))]
        }
        writer.end(c.Switch(c.ActionOf(c.Name(chosen)), cases, after))
        for path in paths:
            writer.at(cases[self.low.deeds[path]])
            writer.call(self.unit(path), (who, c.GranterOf(c.Name(chosen))), origin)
            writer.jump(after)
        for number, option in enumerate(node["options"]):
            writer.at(cases[-1 - number])
            self.low.choices.carry_out(option, writer, inner, who)
            writer.jump(after)
        writer.at(after)

    def grouped(self, action: dict[str, Any], groups: list[str]) -> bool:
        return not groups or bool(set(groups) & set(action["groups"]))

    def offered(self, path: str, who: c.Expression, player: c.Expression, writer: Writer) -> c.Expression:
        """An action as often as it is granted to somebody and possible."""
        action = self.graph["actions"][path]
        nobody = c.Listed(())
        if action["of"] is None:
            found: c.Expression = c.If(self.possible(path, (who, NONE)), c.Listed((c.Deed(path, NONE),)), nobody)
        else:
            one = writer.fresh("self", "one", "kind")
            tests = (*self.granted(path, who, player, c.Name(one), writer), self.possible(path, (who, c.Name(one))))
            found = c.Map(one, self.low.veiled(c.Query(c.All(action["of"]), one, tests), player), c.Deed(path, c.Name(one)))
        return c.If(c.IsKind(who, action["by"]), found, nobody)

    def granted(self, path: str, who: c.Expression, player: c.Expression, granter: c.Expression, writer: Writer) -> list[c.Expression]:
        """What has to hold for a component to grant its action to somebody."""
        action = self.graph["actions"][path]
        tests: list[c.Expression] = []
        if action["of"] in self.graph["components"]:  # who cannot tell what it is cannot use what only it can do
            tests.append(c.Knows(player, granter))
        rules = {noun: rule for noun in self.low.kinds_of(action["of"]) if (rule := self.graph["kinds"][noun]["actions_for"]) is not None}
        if rules:
            tests.append(c.ByKind(granter, {noun: c.Apply(self.actor(noun), (granter, who)) for noun in rules}, c.Const(1)))
        if action["while"]:
            tests.append(c.Apply(self.holds(path), (who, granter)))
        return tests

    def actor(self, noun: str) -> str:
        """The function that says whether somebody may take the actions of a component of a kind."""
        name = f"actor of {noun}"
        if name not in self.low.functions:
            writer = Writer(name)
            writer.parameter("self", "one", "kind")
            who = c.Name(writer.parameter("#who", "one", "kind"))
            scope = Scope(writer)
            allowed = self.low.expressions.several(self.graph["kinds"][noun]["actions_for"], scope)
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", self.low.expressions.inside(who, allowed, scope))
        return name

    def holds(self, path: str) -> str:
        """The function that says whether a component grants its action at the moment."""
        name = f"granted {path}"
        if name not in self.low.functions:
            writer = Writer(name)
            writer.parameter("actor", "one", "kind")
            writer.parameter("self", "one", "kind")
            body = c.And(tuple(self.low.expressions.test(condition, Scope(writer)) for condition in self.graph["actions"][path]["while"]))
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", body)
        return name

    # -- reactions

    def reaction(self, event: Event, identity: str) -> None:
        """Ask whether somebody reacts to an event that is about to happen."""
        hooks, hook, writer = self.low.hooks, self.graph["hooks"][identity], event.writer
        path, by = hook["action"], self.by(identity)

        def given(bearer: c.Expression, player: c.Expression) -> tuple[c.Expression, ...]:
            values = dict(
                zip(
                    (local.name for local in hooks.entry(identity).locals),
                    hooks.given(identity, event.arguments, event.of, bearer, NONE),
                    strict=True,
                )
            )
            return tuple(player if name == "actor" else values.get(name, NONE) for name, _, _ in self.parameters(path))

        def test(bearer: c.Expression) -> c.Expression:
            player = writer.fresh("#player", "one", "kind")
            who = c.Name(player)
            slot = [name for name, _, _ in self.parameters(path)].index("self")
            going_on = c.Ongoing(f"action {path}", slot, bearer)
            may = c.And((c.Asked(who), self.possible(path, given(bearer, who)), c.Not(going_on)))
            asked = hooks.given(identity, event.arguments, event.of, bearer, NONE)
            return c.And((self.low.events.applies(event, identity, bearer), c.Bind(player, c.Apply(by, asked), may)))

        def run(bearer: c.Expression) -> None:
            player = c.Name(writer.let("#player", c.Apply(by, hooks.given(identity, event.arguments, event.of, bearer, NONE)), "one", "kind"))
            prompt = c.Text((f"{self.graph['actions'][path]['label']}?",))
            question = self.low.question(c.Question("reaction", None, prompt, path, values="reaction", event=identity, decline=("no", "No")))
            answer, yes, after = writer.fresh("#answer", "one", "number"), writer.label(), writer.label()
            writer.end(c.Ask(question, player, c.Listed((c.Const(1), NONE)), answer, yes, after))
            writer.at(yes)
            there = writer.label()
            writer.end(c.Branch(c.Compare("=", c.Name(answer), c.Const(1)), there, after))
            writer.at(there)
            writer.call(self.unit(path), given(bearer, player))
            writer.add(c.Result(cancelled=event.cancelled))
            self.low.events.unless_cancelled(event)
            writer.jump(after)
            writer.at(after)

        self.low.events.each_bearer(event, identity, test, run)

    def by(self, identity: str) -> str:
        """The function that says who reacts."""
        name = f"by {identity}"
        if name not in self.low.functions:
            writer = Writer(name)
            body = self.low.expressions(self.graph["hooks"][identity]["by"], self.low.hooks.writer(identity, writer))
            self.low.functions[name] = c.Function(name, writer.locals, writer.parameters, "one", body)
        return name

    # -- carrying out

    def unit(self, path: str) -> str:
        """The unit of an action: its choices, its costs, the deed."""
        name = f"action {path}"
        if name not in self.low.units:
            writer = UnitWriter(name, name, self.low.blocks)
            for each in self.parameters(path):
                writer.parameter(*each)
            self.low.write(writer, lambda: self.carry_out(path, writer))
        return name

    def carry_out(self, path: str, writer: UnitWriter) -> None:
        """The choices of an action, its costs, the deed."""
        action, scope = self.graph["actions"][path], Scope(writer)
        for done, choice in enumerate(action["choices"]):
            self.low.mark(choice, writer)
            self.low.choices.choose(self.graph["nodes"][choice], choice, writer, scope, Plan(path, done))
        given = tuple(c.Name(writer.slots[each]) for each, _, _ in self.parameters(path))
        if action["once_per"] is not None:
            writer.add(c.Use(writer.name, self.user(path, given)))
        actor = c.Name(writer.slots["actor"])
        self.low.costs.pay(self.low.costs.of_action(path, scope, actor), actor, writer, scope)
        writer.happen(*(event for event in ("action", path) if not self.happens(event)))
        told = tuple(c.Name(writer.slots[each]) for each, _, _ in self.names(path))
        cancelled = self.deed(path, ("action", path), told, actor, writer)
        writer.end(c.Return(cancelled=c.Name(cancelled)))

    def deed(self, path: str, events: tuple[str, ...], told: tuple[c.Expression, ...], actor: c.Expression, writer: UnitWriter) -> c.Slot:
        """Let an action happen, inside the events it is; gives the slot of whether it cancels what it reacts to."""
        cancelled = writer.fresh("#cancelled", "one", "flag")
        event, *rest = events if events else (None,)
        if event is None:
            body = self.body(path)
            if body is not None:
                writer.call(body, told)
                writer.add(c.Result(cancelled=cancelled))
            return cancelled
        if not self.happens(event):
            return self.deed(path, tuple(rest), told, actor, writer)
        about = (actor, self.low.deed(path)) if event == "action" else (actor,)
        writer.call(self.protocol(path, event, tuple(rest)), (*told, *about, c.Listed(())))
        writer.add(c.Result(cancelled=cancelled))
        return cancelled

    def happens(self, event: str) -> bool:
        """Whether an event of an action goes through stages: otherwise nobody could tell it from the deed."""
        return self.low.hooks.hooked(event) or event in self.low.events.bounds

    def protocol(self, path: str, event: str, rest: tuple[str, ...]) -> str:
        """The unit that takes an action through the stages of one of its events."""
        name = f"event {event} of {path}" if event == "action" else f"event {path}"
        if name not in self.low.units:
            writer = UnitWriter(name, None, self.low.blocks)
            told = tuple(c.Name(writer.parameter(*each)) for each in self.names(path))
            about = [writer.parameter("#actor", "one", "kind")]
            about += [writer.parameter("#deed", "one", "deed")] if event == "action" else []
            through = writer.parameter("#through", "list", "key")
            own = writer.slots.get("self") if event != "action" and self.graph["actions"][path]["of"] is not None else None
            made = Event(event, writer, about, own, through, None)
            writer.arguments = tuple(about)

            def body() -> None:
                inside = self.deed(path, rest, told, c.Name(writer.slots["actor"]), writer)
                writer.add(c.Let(made.cancelled, c.Name(inside)))

            self.low.write(writer, lambda: self.low.events.stages(made, [], body, cancels=True))
        return name

    def body(self, path: str) -> str | None:
        """The unit of what an action does in the end."""
        entry, name = self.graph["actions"][path]["entry"], f"deed {path}"
        if entry is None:
            return None
        if name not in self.low.units:
            writer = UnitWriter(name, f"action {path}", self.low.blocks)
            for each in self.names(path):
                writer.parameter(*each)
            self.low.write(writer, lambda: self.low.statements.whole(entry, writer))
        return name
