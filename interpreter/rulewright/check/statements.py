"""Statements: from what is written to drafts of graph nodes.

A body becomes a list of drafts: dictionaries that are graph nodes but for their ids and `next`, with nested bodies as lists. Sugar is removed here
(`swap`, `advance`, `try`, `ask`, `until`, steps); `lower` only numbers and chains what it finds.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Collection
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.check import advice, cases, choices, lists, predicates, quantifiers, queries, scores
from rulewright.check.expressions import NOTHING, Core, Expressions, constant, variable
from rulewright.check.in_place import Results
from rulewright.check.narrowing import Condition, condition
from rulewright.check.scope import Scope
from rulewright.check.secrets import Secrets
from rulewright.check.supposing import effect_called
from rulewright.check.symbols import Callable, Parameter
from rulewright.diagnostics import Related, Span
from rulewright.parse.habits import meant_by
from rulewright.resolve.cites import walk, walk_lines
from rulewright.types import ANY, FLAG, LOST, NUMBER, Type, element, kind_type, set_of, shown, with_article, words_of

Draft = dict[str, Any]
Body = list[Draft]
ENDING = ("return", "jump", "end", "cancel")
PLAIN = ("stop", "nothing", "cancel", "leave", "skip", "proceed")
ANNOTATIONS = (t.Cite, t.Source, t.Was, t.Require)
NAMING = (t.Step, t.Until, t.Score, t.WinByScore)  # statements in which something gets a name, or players a score, that can be spoken of elsewhere


class Context(msgspec.Struct):
    """What a body belongs to, and what it leaves behind besides its drafts."""

    path: str
    what: str
    package: str
    gives: Type | None = None
    loops: int = 0
    replaces: Callable | None = None
    found: list[Type] = []


class Statements:
    """Reads bodies."""

    def __init__(self, expressions: Expressions, known_steps: Collection[str] = (), skimmed: bool = False) -> None:
        """`known_steps` are those that are declared somewhere, whether they have been read or not; of what is `skimmed`, bodies are read only as far as something
        in them has a name or a type that others may ask for."""
        self.expressions = expressions
        self.known_steps = known_steps
        self.symbols = expressions.symbols
        self.report = expressions.report
        self.secrets = Secrets(self.symbols, self.report)
        self.steps: dict[str, tuple[Callable, Body]] = {}
        self.installed: list[tuple[str, t.Declaration, Scope, Context]] = []
        self.offered: set[str] = set()
        self.temporary: dict[str, int] = {}
        self.skimmed = skimmed

    def whole(self, block: t.Block | None, scope: Scope, context: Context) -> Body:
        """The drafts of a body that is not a part of another; complains of local names that it binds and never asks for."""
        if self.skimmed and context.what != "value" and not any(isinstance(line, NAMING) for line in walk_lines(block)):
            return []
        nodes = list(walk(block))
        scope.changed = {node.target.word for node in nodes if isinstance(node, t.Set) and isinstance(node.target, t.Name)}
        body = self.block(block, scope, context, demands=context.what in ("effect", "phase"))
        later = {id(node) for until in nodes if isinstance(until, t.Until) for node in walk(until.hooks)}
        for statement in nodes:
            if not isinstance(statement, t.Let | t.Narrow):
                continue
            wanted = statement.name in scope.used or statement.name in self.report.guessed
            if not wanted and id(statement) not in later:
                self.report("R308", f"'{statement.name}' is never used", statement.span, "leave it out, or use it")
        return body

    def block(self, block: t.Block | None, scope: Scope, context: Context, demands: bool = False) -> Body:
        """The drafts of a block; `demands` if it begins with the requirements of its unit."""
        body: Body = []
        for statement in block.statements if block else ():
            if isinstance(statement, t.Require) and not demands:
                self.misplaced(statement, context)
            if isinstance(statement, ANNOTATIONS):
                continue
            demands = False
            if ends(body):
                self.report("R505", "nothing from here on is ever reached", statement.span, "the statement before it leaves")
                break
            results = Results(self, scope, context)
            told = results.statement(statement)
            drafts = READERS[type(statement)](self, told, scope, context)
            for draft in drafts:
                draft.setdefault("span", statement.span)
            body += results.before + drafts
            results.forget()
        return body

    def misplaced(self, node: t.Require, context: Context) -> None:
        """Complain of a requirement in the middle of a body."""
        hook = context.what in ("before", "after", "instead")
        hint = "put it into the first line of the hook: ... when TEST:" if hook else "for what happens only sometimes write: if TEST: ..."
        self.report("R110", "a requirement stands at the top of an effect, a step or an action", node.span, hint)

    def settle(self, scope: Scope, branches: list[Scope], bodies: list[Body], certain: bool = True) -> None:
        """After branches: what those that go on have bound is known; `certain` if one of them is always taken."""
        living = [branch for branch, body in zip(branches, bodies, strict=True) if not ends(body)]
        scope.join(living if certain else [*living, scope.branch()], self.expressions.common)

    def bind(self, name: str, of: Type, scope: Scope, span: Span) -> None:
        """A new local name."""
        self.expressions.check_new(name, scope, span, f"to change it write: set {name} to ...")
        scope.bind(name, of)
        if scope.gathered is not None:
            scope.gathered.append((name, of))

    def known(self, test: Condition) -> Scope:
        """The scope of what happens where a test holds."""
        for one in test.given:
            self.secrets.mark(one.name, one.core, test.inner)
        return test.inner

    def widened(self, of: Type) -> Type:
        """The type of a local name: that of a number or component is too narrow for what may come later."""
        if of.how == "kind":
            return msgspec.structs.replace(of, name=self.symbols.sort(of.name))
        return NUMBER if of.how == "number" else of

    def fresh(self, hint: str, context: Context) -> str:
        """A name that no author can write. They are counted by unit: what another unit says changes none of them."""
        self.temporary[context.path] = number = self.temporary.get(context.path, 0) + 1
        return f"{hint}#{number}"

    # -- values

    def let(self, node: t.Let, scope: Scope, context: Context) -> Body:
        if isinstance(node.value, t.Roll):
            return self.roll(node.name, node.value, scope)
        if isinstance(node.value, t.Call) and (call := self.call(node.value, scope)) is not None:
            draft, target = call
            self.bind(node.name, self.result_of(target, node.value), scope, node.span)
            return [{**draft, "name": node.name}]
        core, of = self.expressions.read(node.value, scope)
        certain = self.expressions.certain(core, scope)
        self.bind(node.name, self.widened(of), scope, node.span)
        if certain and node.name not in scope.changed:
            scope.sure.add(node.name)
        self.secrets.mark(node.name, core, scope)
        return [{"op": "bind", "name": node.name, "value": core, "as": element(of).how}]

    def result_of(self, target: Callable, node: t.Call) -> Type:
        """What an effect gives; complains if it gives nothing."""
        if target.gives is None:
            self.report("R408", f"'{target.path}' gives no result", node.span, "say what it gives: effect ...(...) gives ...:")
        return target.gives or LOST

    def die(self, node: t.Roll) -> t.DieDecl | None:
        """The die that is rolled."""
        self.symbols.used.add(node.die)
        if node.die not in self.symbols.dice:
            self.report("R301", f"there is no die '{node.die}'", node.span, guess=(node.die, self.symbols.dice))
        return self.symbols.dice.get(node.die)

    def roll(self, name: str, node: t.Roll, scope: Scope) -> Body:
        die = self.die(node)
        self.bind(name, words_of(*(face.value for face in die.faces)) if die else LOST, scope, node.span)
        scope.sure |= {name} - scope.changed
        return [{"op": "roll", "die": node.die, "name": name}]

    def set(self, node: t.Set, scope: Scope, context: Context) -> Body:
        if isinstance(node.target, t.Name) and node.target.word in scope.names:
            word = node.target.word
            self.own(node.target, scope)
            of = scope.type_of(word)
            core, found = self.expressions.read(node.value, scope, of)
            if of.how == "none" and found.how != "none":
                scope.undecided[word] = msgspec.structs.replace(self.widened(found), optional=True)
            else:
                self.expressions.check_type(core, found, of, node.value.span, f"'{word}'")
            self.secrets.mark(word, core, scope)
            return [{"op": "bind", "name": node.target.word, "value": core, "as": element(found).how}]
        target, of = self.field(node.target, scope)
        core, found = self.expressions.read(node.value, scope, of)
        self.expressions.check_type(core, found, of, node.value.span, "the new value")
        draft = {"op": "set", **target, "value": core}
        return [draft] if node.until is None else self.set_until(node, draft, of, scope, context)

    def own(self, target: t.Name, scope: Scope) -> None:
        """Complain if a local name is changed by a part that only got it lent: the change would be lost."""
        if target.word in scope.borrowed:
            message = f"'{target.word}' comes from outside; a change of it in here would be lost"
            self.report("R508", message, target.span, "change it outside the step or hook, or keep it in a field")

    def set_until(self, node: t.Set, draft: Draft, of: Type, scope: Scope, context: Context) -> Body:
        """A value for a time: remember the old one, and put it back after the event."""
        self.known_event(node.until or "", node.span)
        owner, old = self.fresh("of", context), self.fresh("old", context)
        field = {"op": "field", "of": variable(owner), "name": draft["field"]}
        restore = {"op": "set", "of": variable(owner), "field": draft["field"], "value": variable(old), "span": node.span}
        hook = self.fresh(f"{context.path}/until", context)
        self.steps[hook] = (Callable(hook, "restore", (), None, node, context.package), [restore])
        return [
            {"op": "bind", "name": owner, "value": draft["of"], "as": "kind"},
            {"op": "bind", "name": old, "value": field, "as": element(of).how},
            {**draft, "of": variable(owner)},
            {"op": "install", "hooks": [hook], "keep": [owner, old], "until": node.until},
        ]

    def field(self, target: Any, scope: Scope) -> tuple[Draft, Type]:
        """A field that a statement changes: of which component, its name, its type."""
        core, of = self.expressions.read(target, scope)
        if core.get("op") == "field" and core["name"] not in ("place", "owner", "seat", "row", "column", "copy", "ends", "colour", "label", "sort"):
            return {"of": core["of"], "field": core["name"]}, of
        fixed = core["name"] if core.get("op") == "field" else ""
        if element(of).how != "any":
            hint = "places are changed with 'move'" if of.how == "place" else f"'{fixed}' always stays as it is" if fixed else None
            self.report("R401", "only a field of a component, or a local name, can be changed", target.span, hint)
        return {"of": NOTHING, "field": "?"}, LOST

    def adjust(self, node: t.Adjust, scope: Scope, context: Context) -> Body:
        sign = "+" if node.how == "increase" else "-"
        amount = self.expressions.expect(node.amount, scope, NUMBER, "the amount")
        if isinstance(node.target, t.Name) and node.target.word in scope.names:
            self.own(node.target, scope)
            self.expressions.check_type(NOTHING, scope.names[node.target.word], NUMBER, node.target.span, "what is changed by an amount")
            scope.names[node.target.word] = NUMBER
            changed = {"op": "arithmetic", "how": sign, "left": variable(node.target.word), "right": amount}
            return [{"op": "bind", "name": node.target.word, "value": changed, "as": "number"}]
        target, of = self.field(node.target, scope)
        self.expressions.check_type(NOTHING, of, NUMBER, node.target.span, "what is changed by an amount")
        now = {"op": "field", "of": target["of"], "name": target["field"]}
        value: Core = {"op": "arithmetic", "how": sign, "left": now, "right": amount}
        if of.low is not None:
            value["range"] = [of.low, of.high]
        return [{"op": "set", **target, "value": value}]

    # -- components

    def place(self, node: Any, scope: Scope) -> Core:
        """A place something goes to."""
        core, of = self.expressions.read(node, scope)
        if element(of).how != "any" and of.how != "place" and not (of.how == "kind" and self.symbols.inherits(of.name, "place")):
            self.report("R411", f"this is {shown(of)}, not a place", node.span, advice.no_place(node))
        return core

    def move(self, node: t.Move, scope: Scope, context: Context) -> Body:
        complaints = len(self.report.diagnostics)
        what, of, short = choices.movable(self, node.what, scope)
        if (of.of or of).how not in ("kind", "any"):
            hint = advice.no_number_moved(node.what, of)
            self.report("R411", f"only components can be moved, and this is {shown(of)}", node.what.span, hint)
        to = self.place(node.to, scope)
        self.secrets.moved(node.what, to, scope)
        if len(self.report.diagnostics) == complaints:
            choices.article(self, node.what, scope)
        return [{"op": "move", "what": what, "to": to, "position": node.position or "top", **short}]

    def swap(self, node: t.Swap, scope: Scope, context: Context) -> Body:
        left, left_type = self.expressions.read(node.left, scope)
        right, right_type = self.expressions.read(node.right, scope)
        for of, side in ((left_type, node.left), (right_type, node.right)):
            if of.how not in ("kind", "any"):
                self.report("R411", f"only components can change places, and this is {shown(of)}", side.span)
        names = [self.fresh(word, context) for word in ("left", "right", "there")]
        move = {"op": "move", "position": "top", "short": None, "crowd": True, "span": node.span}
        return [
            {"op": "bind", "name": names[0], "value": left, "as": "kind"},
            {"op": "bind", "name": names[1], "value": right, "as": "kind"},
            {"op": "bind", "name": names[2], "value": {"op": "field", "of": variable(names[1]), "name": "place"}, "as": "place"},
            {**move, "what": variable(names[1]), "to": {"op": "field", "of": variable(names[0]), "name": "place"}},
            {**move, "what": variable(names[0]), "to": variable(names[2])},
        ]

    def shuffle(self, node: t.Shuffle, scope: Scope, context: Context) -> Body:
        return [{"op": "shuffle", "place": self.place(node.place, scope)}]

    def show(self, node: t.Show, scope: Scope, context: Context) -> Body:
        core, of = self.expressions.read(node.what, scope)
        if (of.of or of).how not in ("kind", "place", "any"):
            self.report("R401", f"only components can be shown, and this is {shown(of)}", node.what.span)
        to = self.expressions.expect(node.to, scope, set_of(kind_type("player")), "who is shown something") if node.to is not None else None
        if node.to is None:
            self.secrets.revealed(node.what, scope)
        return [{"op": "show", "what": core, "to": to}]

    def log(self, node: t.Log, scope: Scope, context: Context) -> Body:
        text, _ = self.expressions.read(node.text, scope)
        to = self.expressions.expect(node.to, scope, set_of(kind_type("player")), "who is told") if node.to is not None else None
        if node.to is None:
            self.secrets.check(node.text, text, scope)
        return [{"op": "log", "text": text, "to": to, "tells": "heading" if node.heading else "event"}]

    # -- flow

    def end(self, node: t.End, scope: Scope, context: Context) -> Body:
        return [{"op": "end"}]

    def outcome(self, node: t.Outcome, scope: Scope, context: Context) -> Body:
        player = self.expressions.expect(node.player, scope, set_of(kind_type("player")), f"who is to {node.how}")
        reason: Body = []
        if node.because is not None:
            reason = self.log(t.Log(node.because.span, node.because), scope, context)
            reason[0] |= {"tells": "reason", "span": node.because.span}
        return [*reason, {"op": "outcome", "how": node.how, "player": player}]

    def give(self, node: t.Give, scope: Scope, context: Context) -> Body:
        core, of = self.expressions.read(node.value, scope, context.gives)
        if context.what not in ("effect", "value", "method"):
            what = "hook" if context.what in ("before", "after", "instead") else context.what
            self.report("R508", f"{with_article(what)} gives no result", node.span)
        elif context.gives is not None:
            self.expressions.check_type(core, of, context.gives, node.value.span, f"the result of '{context.path}'")
        elif context.what != "value":
            self.report("R408", f"'{context.path}' does not say that it gives anything", node.span, "write: effect ...(...) gives TYPE:")
        context.found.append(of)
        return [{"op": "return", "value": core}]

    def plain(self, node: t.Plain, scope: Scope, context: Context) -> Body:
        if node.word == "nothing":
            return []
        if node.word == "stop":
            if context.what == "value":
                self.report("R508", "a value always gives something, so it cannot stop", node.span, "write: give ...")
            return [{"op": "return", "value": None}]
        if node.word == "cancel":
            if context.what not in ("before", "reaction"):
                self.report("R508", "'cancel' has a meaning only in a 'before' hook or a reaction", node.span)
                return []
            return [{"op": "cancel"}]
        if not context.loops:
            self.report("R508", f"'{node.word}' has a meaning only inside 'repeat' or 'for each'", node.span)
            return []
        return [{"op": "jump", "how": node.word}]

    def proceed(self, node: t.Proceed, scope: Scope, context: Context) -> Body:
        if context.replaces is None:
            if context.what != "instead":
                self.report("R508", "'proceed' has a meaning only in an 'instead of' hook", node.span)
            return [{"op": "proceed", "arguments": {}}]
        arguments = {}
        for name, value in zip(node.names, node.values, strict=True):
            parameter = next((each for each in context.replaces.parameters if each.name == name), None)
            if parameter is None:
                names = [each.name for each in context.replaces.parameters]
                self.report("R403", f"'{context.replaces.path}' has no parameter '{name}'", node.span, guess=(name, names))
            core = self.expressions.expect(value, scope, parameter.type if parameter else ANY, f"'{name}'")
            arguments[name] = self.expressions.needed(core, parameter, context.replaces, scope) if parameter else core
        return [{"op": "proceed", "arguments": arguments}]

    def advance(self, node: t.Advance, scope: Scope, context: Context) -> Body:
        _, of = self.expressions.read(node.track, scope)
        amount = self.expressions.expect(node.amount, scope, NUMBER, "the amount")
        if of.how != "track":
            if of.how != "any":
                self.report("R401", f"only a track can be advanced, and this is {shown(of)}", node.track.span, "for a field write: increase X by N")
            return []
        return [_call(f"{of.name}.advance", None, [amount])]

    def perform(self, node: t.Perform, scope: Scope, context: Context) -> Body:
        found = self.call(node.call, scope)
        if found is not None:
            return [found[0]]
        if isinstance(node.call, t.Name) and not predicates.is_known(self.expressions, node.call.word, scope) and node.call.word not in scope.names:
            known = [*PLAIN, *self.symbols.effects]
            message, meant = f"'{node.call.word}' is neither a statement nor the name of anything", meant_by(node.call.word)
            self.report("R301", message, node.span, meant, guess=None if meant else (node.call.word, known))
            return []
        name = node.call.target.word if isinstance(node.call, t.Call) and isinstance(node.call.target, t.Name) else ""
        if name and name not in self.symbols.values:
            known = [path for path in self.symbols.effects if "." not in path]
            hint = advice.function(name, node.call.arguments) if isinstance(node.call, t.Call) else None
            self.report("R301", f"there is no effect called '{name}'", node.call.span, hint, guess=None if hint else (name, known))
        elif isinstance(node.call, t.Call) and isinstance(node.call.target, t.Dot):
            self.no_effect(node.call.target, scope, advice.method(node.call))
            scope.used |= {name.word for name in walk(node.call.arguments) if isinstance(name, t.Name)}
        else:
            _, of = self.expressions.read(node.call, scope)
            if of.how != "any":
                self.report("R110", "this has a value, but nothing is done with it", node.span, "an effect is called as name(...)")
        return []

    def no_effect(self, target: t.Dot, scope: Scope, instead: str | None) -> None:
        """Complain that something has no effect of that name."""
        _, of = self.expressions.read(target.base, scope)
        kind = self.symbols.kind_of(of.name) if of.how == "kind" else None
        hint = f"write: {target.word}({advice.said(target.base) or '...'})" if target.word in self.symbols.effects else instead
        if of.how != "any":
            name = f"the kind '{kind.name}'" if kind else shown(of)
            self.report("R404", f"{name} has no effect '{target.word}'", target.span, hint, guess=(target.word, kind.effects if kind else ()))

    def call(self, node: Any, scope: Scope) -> tuple[Draft, Callable] | None:
        """A call of an effect; None if it is none."""
        called = effect_called(self.expressions, node, scope)
        return None if called is None else (_call(called[0].path, *called[1:]), called[0])

    def if_(self, node: t.If, scope: Scope, context: Context) -> Body:
        test = condition(self.expressions, node.test, scope)
        branches = [self.known(test), scope.branch()]
        then = test.binds() + self.block(node.then, branches[0], context)
        other = self.block(node.other, branches[1], context)
        self.settle(scope, branches, [then, other])
        return [{"op": "branch", "test": test.core, "then": then, "else": other}]

    def for_each(self, node: t.ForEach, scope: Scope, context: Context) -> Body:
        if node.to is not None:
            query, one, binder = lists.numbers(self, node, scope)
        else:
            query, one, binder = self.expressions.find(quantifiers.mended(self.expressions, node.query, scope, node.body), scope, naming=True)
        queries.check_covered(self.expressions, binder, scope, node.query.span, node.body)
        inner = scope.with_element(binder, one)
        for name in (binder, "it"):
            self.secrets.mark(name, query, inner)
        context.loops += 1
        body = self.block(node.body, inner, context)
        context.loops -= 1
        scope.after_loop(inner, binder, "it")
        orders = query["orders"]
        each = {"op": "each", "name": binder, "query": {**query, "orders": []}, "orders": orders, "body": body, "as": one.how}
        return [{"op": "batch", "body": [{**each, "span": node.span}]}] if node.at_once else [each]

    def repeat(self, node: t.Repeat, scope: Scope, context: Context) -> Body:
        times = self.expressions.expect(node.times, scope, NUMBER, "how often") if node.times is not None else None
        until = self.expressions.expect(node.until, scope, FLAG, "the condition") if node.until is not None else None
        inner = scope.branch()
        context.loops += 1
        body = self.block(node.body, inner, context)
        context.loops -= 1
        scope.after_loop(inner)
        return [{"op": "repeat", "times": times, "until": until, "body": body}]

    def at_once(self, node: t.AtOnce, scope: Scope, context: Context) -> Body:
        return [{"op": "batch", "body": self.block(node.body, scope, context)}]

    def step(self, node: t.Step, scope: Scope, context: Context) -> Body:
        """A step is an effect of its own; it takes along the local names it uses, and keeps what it binds to itself."""
        path = f"{context.path}.{node.name}"
        inner = scope.lent()
        inner.used = set()
        inside = Context(path, "step", self.symbols.package_of(node, context.package))
        if path in self.steps:
            self.report("R302", f"there are two steps '{path}'", node.span, related=(Related(self.steps[path][0].declaration.span, "the first one"),))
        body = self.block(node.body, inner, inside, demands=True)
        scope.used |= inner.used
        scope.hidden = {name: place for name, place in inner.hidden.items() if name in scope.names}
        kept = [name for name in scope.names if name in inner.used]
        parameters = tuple(Parameter(name, scope.type_of(name)) for name in kept)
        step = Callable(path, "step", parameters, None, node, inside.package)
        self.steps[path] = (step, body)
        return [_call(path, None, [variable(name) for name in kept])]

    def until(self, node: t.Until, scope: Scope, context: Context) -> Body:
        """Hooks that hold for a time."""
        self.known_event(node.event, node.span)
        ids = []
        for hook in node.hooks:
            identity = self.fresh(f"{context.path}/until", context)
            ids.append(identity)
            self.installed.append((identity, hook, scope.lent(), context))
        scope.used |= set(scope.names)
        return [{"op": "install", "hooks": ids, "keep": list(scope.names), "until": node.event}]

    def known_event(self, path: str, span: Span) -> None:
        self.symbols.used.add(path)
        if path not in self.symbols.effects and path not in self.symbols.actions and path not in self.known_steps:
            self.report("R501", f"there is no effect '{path}' that could happen", span, guess=(path, [*self.symbols.effects, *self.known_steps]))

    def try_(self, node: t.Try, scope: Scope, context: Context) -> Body:
        found = self.call(node.call, scope)
        if found is None and isinstance(node.call, t.Call):
            return self.perform(t.Perform(node.call.span, node.call), scope, context)
        if found is None:
            self.report("R403", "'try' is followed by the call of an effect", node.call.span, "try effect(...): what happens if it was done")
            return []
        done = self.fresh("done", context)
        branches = [scope.branch(), scope.branch()]
        then = self.block(node.then, branches[0], context)
        other = self.block(node.other, branches[1], context)
        self.settle(scope, branches, [then, other])
        test = {"op": "compare", "how": "=", "left": variable(done), "right": constant("done")}
        return [{**found[0], "outcome": done}, {"op": "branch", "test": test, "then": then, "else": other}]


def _call(path: str, of: Core | None, arguments: list[Core]) -> Draft:
    return {"op": "call", "effect": path, "of": of, "arguments": arguments, "name": None, "outcome": None}


def ends(body: Body) -> bool:
    """Whether nothing comes after a body, whichever way it goes."""
    last: Draft = body[-1] if body else {"op": ""}
    match last["op"]:
        case "branch":
            return ends(last["then"]) and ends(last["else"])
        case "match":
            return ends(last["else"]) and all(ends(case["body"]) for case in last["cases"])
        case "batch":
            return ends(last["body"])
    return bool(last["op"] in ENDING)


READERS: dict[type, Function[[Statements, Any, Scope, Context], Body]] = {
    t.Let: Statements.let, t.Set: Statements.set, t.Adjust: Statements.adjust, t.AddItem: lists.add, t.RemoveItem: lists.remove,
    t.Move: Statements.move, t.Draw: choices.draw, t.Swap: Statements.swap, t.Shuffle: Statements.shuffle, t.Show: Statements.show,
    t.Log: Statements.log, t.End: Statements.end, t.Outcome: Statements.outcome, t.Score: scores.score, t.WinByScore: scores.win,
    t.Give: Statements.give, t.Plain: Statements.plain, t.Proceed: Statements.proceed, t.Advance: Statements.advance, t.Perform: Statements.perform,
    t.Pay: choices.pay, t.Choose: choices.choose, t.If: Statements.if_, t.Match: cases.match, t.ForEach: Statements.for_each,
    t.Repeat: Statements.repeat, t.Step: Statements.step, t.AtOnce: Statements.at_once, t.Until: Statements.until, t.Try: Statements.try_,
    t.ChooseOne: choices.choose_one, t.Ask: choices.ask, t.Offer: choices.offer, t.EachSecretly: choices.each_secretly,
}  # fmt: skip
