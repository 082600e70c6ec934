"""Events: the protocol of a call, written out for each effect with the hooks it has.

Instead, before, requirements, the thing itself, after: each stage that nothing can make use of is left out, and an effect that nobody can hook on, that
requires nothing and that nothing holds until is called straight.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, UnitWriter, shape_of_type, sort_of_type
from rulewright.core.lower.expressions import NO, NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering

Body = Callable[[], None]
DONE, NOTHING, CANNOT, CANCELLED = (c.Word(word) for word in ("done", "nothing", "cannot", "cancelled"))


class Event:
    """An event while its unit is written: the slots of what it is about."""

    def __init__(
        self, path: str, writer: UnitWriter, arguments: list[c.Slot], of: c.Slot | None, through: c.Slot, gives: dict[str, Any] | None
    ) -> None:
        self.path, self.writer = path, writer
        self.arguments = tuple(c.Name(slot) for slot in arguments)
        self.of: c.Expression = NONE if of is None else c.Name(of)
        self.through = through
        self.result = writer.fresh("result", shape_of_type(gives), sort_of_type(gives))
        self.status = writer.let("status", DONE)
        self.cancelled = writer.fresh("cancelled", "one", "flag")
        self.version = writer.fresh("version", "one", "number")
        self.finish = writer.label()


class Events:
    """Lowers calls of effects."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.hooks = low.hooks
        self.graph = low.graph
        once = [unit["once_per"] for table in ("hooks", "actions") for unit in self.graph[table].values()]
        held = [node["until"] for node in self.graph["nodes"].values() if node["op"] == "install"]
        for status in (DONE, NOTHING, CANNOT, CANCELLED):
            low.word(status.word)
        self.bounds = frozenset(event for event in (*once, *held) if event is not None)

    def plain(self, path: str) -> bool:
        """Whether an event is nothing but its body."""
        effect = self.graph["effects"][path]
        return not (self.hooks.hooked(path) or path in self.bounds or effect["requires"])

    # -- calling

    def call(self, node: dict[str, Any], origin: str, writer: UnitWriter, scope: Scope) -> None:
        """A call of an effect in a body."""
        effect, expressions = self.graph["effects"][node["effect"]], self.low.expressions
        arguments = [
            expressions.fitted(expressions(argument, scope), shape_of_type(parameter["type"]), scope)
            for parameter, argument in zip(effect["parameters"], node["arguments"], strict=True)
        ]
        after = writer.label()
        of: c.Expression = NONE
        if node["of"] is not None:
            of = c.Name(writer.let("of", expressions(node["of"], scope), "one", "kind"))
            there, nobody = writer.branch(c.Compare("!=", of, NONE), origin)
            writer.at(nobody)
            writer.jump(after)
            writer.at(there)
        name = None if node["name"] is None else writer.bound(node["name"], shape_of_type(effect["gives"]), sort_of_type(effect["gives"]))
        outcome = None if node["outcome"] is None else writer.bound(node["outcome"], "one", "words")
        self.perform(node["effect"], tuple(arguments), of, writer, origin, name, outcome)
        writer.jump(after)
        writer.at(after)

    def perform(
        self, path: str, arguments: tuple[c.Expression, ...], of: c.Expression, writer: UnitWriter, origin: str | None,
        name: c.Slot | None = None, outcome: c.Slot | None = None,
    ) -> None:  # fmt: skip
        """Let an event happen."""
        effect = self.graph["effects"][path]
        own = (of,) if effect["of"] is not None else ()
        if self.plain(path) and outcome is None:
            if name is not None:
                writer.add(c.Let(name, NONE if shape_of_type(effect["gives"]) == "one" else c.Listed(())))
            self.body(path, (*own, *arguments), writer, origin, name)
            return
        writer.call(self.unit(path), (*own, *arguments, c.Listed(())), origin)
        if name is not None or outcome is not None:
            writer.add(c.Result(name, outcome))

    def supposed(self, e: dict[str, Any], scope: Scope) -> c.Expression:
        """What an expression gives if an effect is done: the call is a unit of its own, which an engine can carry out on a copy."""
        path, effect, expressions = e["effect"], self.graph["effects"][e["effect"]], self.low.expressions
        name = f"supposed {path}"
        if name not in self.low.units:
            writer = UnitWriter(name, None, self.low.blocks)
            of = writer.parameter("self", "one", "kind")
            slots = [writer.parameter(p["name"], shape_of_type(p["type"]), sort_of_type(p["type"])) for p in effect["parameters"]]

            def write() -> None:
                there, nobody = writer.branch(c.Compare("!=", c.Name(of), NONE)) if effect["of"] is not None else (writer.label(), writer.label())
                writer.jump(there)
                writer.at(there)
                self.perform(path, tuple(c.Name(slot) for slot in slots), c.Name(of), writer, None)
                writer.jump(nobody)
                writer.at(nobody)
                writer.end(c.Return())

            self.low.write(writer, write)
        given = [
            expressions.fitted(expressions(argument, scope), shape_of_type(parameter["type"]), scope)
            for parameter, argument in zip(effect["parameters"], e["arguments"], strict=True)
        ]
        return c.Supposing(name, (NONE if e["of"] is None else expressions(e["of"], scope), *given), expressions(e["value"], scope))

    def body(self, path: str, given: tuple[c.Expression, ...], writer: UnitWriter, origin: str | None, name: c.Slot | None) -> None:
        """The body of an effect: that of the component itself, if it has one of its own."""
        effect = self.graph["effects"][path]

        def called(unit: str | None) -> None:
            if unit is not None:
                writer.call(unit, given, origin)
                if name is not None:
                    writer.add(c.Result(name))

        if not effect["methods"] or effect["of"] is None:
            called(self.low.effect_unit(path))
            return
        after, otherwise = writer.label(), writer.label()
        cases = {noun: writer.label() for noun in effect["methods"]}
        writer.end(c.Dispatch(given[0], cases, otherwise))
        for noun, label in (*cases.items(), (None, otherwise)):
            writer.at(label)
            called(self.low.effect_unit(path, noun))
            writer.jump(after)
        writer.at(after)

    # -- the protocol

    def unit(self, path: str) -> str:
        """The unit that takes an effect through its stages."""
        name = f"event {path}"
        if name not in self.low.units:
            effect = self.graph["effects"][path]
            writer = UnitWriter(name, None, self.low.blocks)
            of = writer.parameter("self", "one", "kind") if effect["of"] is not None else None
            slots = [writer.parameter(p["name"], shape_of_type(p["type"]), sort_of_type(p["type"])) for p in effect["parameters"]]
            through = writer.parameter("#through", "list", "key")
            event = Event(path, writer, slots, of, through, effect["gives"])
            given = (*((event.of,) if of is not None else ()), *event.arguments)
            writer.arguments = tuple(slots)
            body = partial(self.body, path, given, writer, None, event.result)
            self.low.write(writer, lambda: self.stages(event, effect["requires"], body))
        return name

    def stages(self, event: Event, requires: list[dict[str, Any]], body: Body, cancels: bool = False) -> None:
        """The stages of an event, and its end."""
        writer, scope = event.writer, Scope(event.writer)
        self.instead(event)
        self.before(event)
        for requirement in requires:
            met, unmet = writer.branch(self.low.expressions.test(requirement["test"], scope))
            writer.at(unmet)
            writer.add(c.Let(event.status, CANNOT))
            writer.jump(event.finish)
            writer.at(met)
        writer.happen(event.path)
        writer.add(c.Let(event.version, c.Version()))
        body()
        self.unless_changed(event)
        self.after(event)
        writer.jump(event.finish)
        writer.at(event.finish)
        if event.path in self.bounds:
            done, over = writer.branch(c.Or((c.Compare("=", c.Name(event.status), DONE), c.Compare("=", c.Name(event.status), NOTHING))))
            writer.at(done)
            writer.add(c.Expire(event.path))
            writer.jump(over)
            writer.at(over)
        writer.end(c.Return(c.Name(event.result), c.Name(event.status), c.Name(event.cancelled) if cancels else None))

    def unless_changed(self, event: Event) -> None:
        """What has changed nothing has done nothing."""
        writer = event.writer
        idle = c.And((c.Compare("=", c.Name(event.status), DONE), c.Compare("=", c.Version(), c.Name(event.version))))
        writer.add(c.Let(event.status, c.If(idle, NOTHING, c.Name(event.status))))

    # -- instead

    def instead(self, event: Event) -> None:
        """A replacement that holds, and that the event has not been through, takes its place; of several the player concerned says which."""
        hooks, writer = self.hooks.on(event.path, "instead"), event.writer
        held = self.hooks.may_hold(event.path, "instead")
        if not hooks and not held:
            return
        sources = [self.holding(event, identity) for identity in hooks]
        if held:
            key = writer.fresh("key", "one", "key")
            tests = (c.Not(c.In(c.Name(key), c.Name(event.through))), self.held(event, c.Name(key)))
            sources.append(c.Query(c.Installed(event.path, ("instead",)), key, tests))
        found = writer.let("found", sources[0] if len(sources) == 1 else c.Both(tuple(sources)), "list", "key")
        replaced, unchanged = writer.branch(c.Exists(c.Name(found)))
        writer.at(replaced)
        chosen = writer.let("chosen", c.First(c.Name(found)), "one", "key")
        taken = writer.label()
        if len(hooks) > 1 or held or self.hooks.bearers(hooks[0], NONE) is not None:
            several = writer.label()
            writer.end(c.Branch(c.Compare(">", c.Count(c.Name(found)), c.Const(1)), several, taken))
            writer.at(several)
            question = self.low.question(
                c.Question(
                    "replacement",
                    None,
                    c.Text((f"Several rules change '{event.path.replace('_', ' ')}': which one first?",)),
                    values="rules",
                    event=event.path,
                )
            )
            first = writer.label()
            writer.end(c.Ask(question, self.affected(event), c.Name(found), chosen, taken, first))
            writer.at(first)
            writer.add(c.Let(chosen, c.First(c.Name(found))))
        writer.jump(taken)
        writer.at(taken)
        writer.add(c.Let(event.through, c.Both((c.Name(event.through), c.Listed((c.Name(chosen),))))), c.Let(event.version, c.Version()))
        over = writer.label()
        for identity in hooks:
            this, other = writer.branch(c.Compare("=", c.HookOf(c.Name(chosen)), c.HookOf(c.Key(identity, NONE))))
            writer.at(this)
            self.run(event, identity, c.BearerOf(c.Name(chosen)), over, replaced=True)
            writer.at(other)
        if held:
            back = writer.label()
            writer.end(c.CallHook(c.Name(chosen), event.arguments, event.of, NONE, back))
            writer.at(back)
            writer.add(c.Result(event.result, event.status))
        writer.jump(over)
        writer.at(over)
        self.unless_changed(event)
        writer.jump(event.finish)
        writer.at(unchanged)

    def holding(self, event: Event, identity: str) -> c.Expression:
        """The keys of a hook, for those components for which it holds."""
        writer, source = event.writer, self.hooks.bearers(identity, event.of)
        if source is None:
            key = c.Key(identity, NONE)
            test = c.And((c.Not(c.In(key, c.Name(event.through))), self.applies(event, identity, NONE)))
            return c.If(test, c.Listed((key,)), c.Listed(()))
        bearer = writer.fresh("self", "one", "kind")
        key = c.Key(identity, c.Name(bearer))
        tests = (c.Not(c.In(key, c.Name(event.through))), self.applies(event, identity, c.Name(bearer)))
        return c.Map(bearer, c.Query(source, bearer, tests), key)

    def affected(self, event: Event) -> c.Expression:
        """The player whom an event concerns: who decides for the first thing it happens to."""
        parameters = self.low.parameters_of(event.path)
        concerned = [event.of] if event.of != NONE else []
        for parameter, argument in zip(parameters, event.arguments, strict=False):
            if parameter["type"]["how"] == "kind" or parameter["name"] == "actor":
                concerned.append(argument)
        one = event.writer.fresh("player", "one", "kind")
        deciders = c.Query(c.Listed(tuple(c.Decider(each) for each in concerned)), one, (c.Compare("!=", c.Name(one), NONE),))
        found = event.writer.fresh("player", "one", "kind")
        return c.Bind(found, c.First(deciders), c.If(c.Compare("!=", c.Name(found), NONE), c.Name(found), c.Const(0)))

    # -- running hooks

    def applies(self, event: Event, identity: str, bearer: c.Expression, result: c.Expression = NONE) -> c.Expression:
        """Whether a hook holds."""
        return c.Apply(self.hooks.applies(identity), self.hooks.given(identity, event.arguments, event.of, bearer, result))

    def held(self, event: Event, key: c.Expression, result: c.Expression = NONE) -> c.Expression:
        """Whether a hook that was installed holds."""
        return c.ApplyHook(key, "applies", event.arguments, event.of, result)

    def run(self, event: Event, identity: str, bearer: c.Expression, then: c.Label, replaced: bool = False, result: c.Expression = NONE) -> None:
        """Carry out a hook, then go on with a block."""
        writer, unit = event.writer, self.hooks.unit(identity)
        if self.hooks.entry(identity).once:
            writer.add(c.Use(identity, self.hooks.bearer(identity, bearer)))
        if unit is not None:
            writer.call(unit, self.hooks.given(identity, event.arguments, event.of, bearer, result))
            if replaced:
                writer.add(c.Result(event.result, event.status))
            elif self.graph["hooks"][identity]["timing"] == "before":
                writer.add(c.Result(cancelled=event.cancelled))
        writer.jump(then)

    def each_bearer(self, event: Event, identity: str, test: Callable[[c.Expression], c.Expression], run: Callable[[c.Expression], None]) -> None:
        """Carry something out for every component that a hook is written on, as far as it holds when its turn comes."""
        writer, source = event.writer, self.hooks.bearers(identity, event.of)
        after = writer.label()
        if source is None:
            holds, not_ = writer.branch(test(NONE))
            writer.at(holds)
            run(NONE)
            writer.jump(after)
            writer.at(not_)
            writer.jump(after)
        else:
            last = writer.let("last", c.Const(-1), "one", "kind")
            head = writer.label()
            writer.jump(head)
            writer.at(head)
            one = writer.fresh("self", "one", "kind")
            found = c.Query(source, one, (c.Compare(">", c.Name(one), c.Name(last)), test(c.Name(one))))
            bearer = writer.let("self", c.First(found), "one", "kind")
            there, none = writer.branch(c.Compare("!=", c.Name(bearer), NONE))
            writer.at(there)
            writer.add(c.Let(last, c.Name(bearer)))
            run(c.Name(bearer))
            writer.jump(head)
            writer.at(none)
            writer.jump(after)
        writer.at(after)

    # -- before

    def before(self, event: Event) -> None:
        """What comes before an event may cancel it; players may react."""
        keys = self.held_now(event, "before")
        for identity in self.hooks.on(event.path, "before", "react"):
            if self.graph["hooks"][identity]["timing"] == "react":
                self.low.actions.reaction(event, identity)
            else:
                self.each_bearer(event, identity, partial(self.applies, event, identity), partial(self.hook_before, event, identity))
        if keys is not None:
            self.each_held(event, keys, lambda key: self.held(event, key), cancels=True)
        self.unless_cancelled(event)

    def hook_before(self, event: Event, identity: str, bearer: c.Expression) -> None:
        after = event.writer.label()
        self.run(event, identity, bearer, after)
        event.writer.at(after)
        self.unless_cancelled(event)

    def unless_cancelled(self, event: Event) -> None:
        """Go on only if nothing has cancelled the event."""
        writer = event.writer
        if writer.open is None:
            return
        cancelled, on = writer.branch(c.Name(event.cancelled))
        writer.at(cancelled)
        writer.add(c.Let(event.status, CANCELLED), c.Let(event.cancelled, NO))
        writer.jump(event.finish)
        writer.at(on)

    def held_now(self, event: Event, timing: str) -> c.Slot | None:
        """The hooks that hold for a time when a stage begins: what begins to hold during it is no part of it."""
        return event.writer.let("keys", c.Installed(event.path, (timing,)), "list", "key") if self.hooks.may_hold(event.path, timing) else None

    def each_held(self, event: Event, keys: c.Slot, test: Callable[[c.Expression], c.Expression], cancels: bool = False) -> None:
        """Carry out the hooks that held when the stage began, as far as they hold when their turn comes."""
        writer = event.writer
        cursor, key = writer.let("cursor", c.Const(0), "one", "number"), writer.fresh("key", "one", "key")
        head, body, after, run = writer.label(), writer.label(), writer.label(), writer.label()
        writer.jump(head)
        writer.at(head)
        writer.end(c.Next(keys, cursor, key, body, after))
        writer.at(body)
        writer.end(c.Branch(test(c.Name(key)), run, head))
        writer.at(run)
        then = writer.label() if cancels else head
        writer.end(c.CallHook(c.Name(key), event.arguments, event.of, c.Name(event.result), then))
        if cancels:
            writer.at(then)
            writer.add(c.Result(cancelled=event.cancelled))
            self.unless_cancelled(event)
            writer.jump(head)
        writer.at(after)

    # -- after

    def after(self, event: Event) -> None:
        """What comes after an event; in a batch, after that."""
        hooks, held, writer = self.hooks.on(event.path, "after"), self.hooks.may_hold(event.path, "after"), event.writer
        if not hooks and not held:
            return
        later, now, over = writer.label(), writer.label(), writer.label()
        if self.low.batches:
            writer.end(c.Branch(c.Batched(), later, now))
            writer.at(later)
            for identity in hooks:
                self.defer(event, identity)
            if held:
                writer.add(c.Defer(None, c.Installed(event.path, ("after",)), event.arguments, event.of, c.Name(event.result)))
        writer.jump(over if self.low.batches else now)
        writer.at(now)
        result, keys = c.Name(event.result), self.held_now(event, "after")
        for identity in hooks:
            self.each_bearer(event, identity, partial(self.applies, event, identity, result=result), partial(self.hook_after, event, identity))
        if keys is not None:
            self.each_held(event, keys, lambda key: self.held(event, key, result))
        writer.jump(over)
        writer.at(over)

    def hook_after(self, event: Event, identity: str, bearer: c.Expression) -> None:
        then = event.writer.label()
        self.run(event, identity, bearer, then, result=c.Name(event.result))
        event.writer.at(then)

    def defer(self, event: Event, identity: str) -> None:
        """Put a hook off until the batch is over, for every component it is written on."""
        source = self.hooks.bearers(identity, event.of)
        self.hooks.applies(identity)
        self.hooks.unit(identity)
        keys: c.Expression = c.Listed((c.Key(identity, NONE),))
        if source is not None:
            bearer = event.writer.fresh("self", "one", "kind")
            keys = c.Map(bearer, source, c.Key(identity, c.Name(bearer)))
        event.writer.add(c.Defer(identity, keys, event.arguments, event.of, c.Name(event.result)))
