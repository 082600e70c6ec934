"""The units of a ruleset: effects, values, actions, costs and hooks, each with its scope, its body and its annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.check import advice, choices
from rulewright.check.besides import flawless
from rulewright.check.collect import collect
from rulewright.check.components import Components
from rulewright.check.expressions import Core, Expressions, constant
from rulewright.check.labels import action_label
from rulewright.check.left_open import check_left_open
from rulewright.check.narrowing import condition
from rulewright.check.observe import Observer
from rulewright.check.report import Report
from rulewright.check.reshaped import check_reshaped
from rulewright.check.results import as_expression
from rulewright.check.scope import Scope
from rulewright.check.sense import check_sense
from rulewright.check.statements import Body, Context, Statements
from rulewright.check.symbols import Callable, Parameter, Symbols
from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.resolve import Linked
from rulewright.resolve.steps import step_paths
from rulewright.types import ANY, FLAG, LOST, NUMBER, Type, kind_type, shown, words_of

Unit = dict[str, Any]
OWN = (
    t.Do,
    t.Step,
    t.ActionDecl,
    t.Reaction,
    t.RuleDecl,
    t.HookDecl,
    t.RunsOut,
    t.Reaches,
    t.ChangeDecl,
    t.CostChange,
    t.While,
    t.EffectDecl,
    t.ValueDecl,
)


class Checked(msgspec.Struct):
    """A checked ruleset; the bodies inside are drafts."""

    linked: Linked
    symbols: Symbols
    effects: dict[str, Unit]
    values: dict[str, Unit]
    actions: dict[str, Unit]
    costs: dict[str, Unit]
    hooks: dict[str, Unit]
    kinds: dict[str, Unit]
    places: dict[str, Unit]
    components: dict[str, Unit]
    links: list[Unit]
    besides: bool = False  # nothing is wrong here, and nothing with what was given besides


def check(
    linked: Linked, limits: Limits = DEFAULT_LIMITS, observer: Observer | None = None, besides: Sequence[tuple[Any, str]] | None = None
) -> tuple[Checked, list[Diagnostic]]:
    """Check a linked ruleset; an observer is told what every word is understood as. `besides`: effects and hooks that are read after all else, with their packages."""
    report = Report()
    symbols = collect(linked, report, limits)
    if observer is not None:
        observer.begin(symbols)
    units = Units(linked, symbols, report, limits, observer)
    checked = units.all()
    check_left_open(linked, symbols, report)
    check_reshaped(linked, report)
    check_sense(checked, units.statements, report)
    found = [*report.diagnostics, *report.doubts]
    if besides is not None and not any(one.severity == "error" for one in found):
        checked.besides = flawless(units, checked, besides)
    return checked, found


def signatures(linked: Linked, limits: Limits = DEFAULT_LIMITS) -> Checked:
    """What can be named in a ruleset that was checked before, and of which types it is; what only bodies tell is left out."""
    report = Report()
    return Units(linked, collect(linked, report, limits), report, limits, skimmed=True).all()


def lines_of(declaration: Any) -> tuple[Any, ...]:
    """The lines of a declaration that may hold annotations and requirements."""
    body = getattr(declaration, "body", None)
    cites = declaration.cites if isinstance(declaration, t.ChangeDecl | t.CostChange) else ()
    found = (
        *getattr(declaration, "members", ()),
        *getattr(declaration, "lines", ()),
        *(body.statements if isinstance(body, t.Block) else ()),
        *cites,
    )
    do = [line.body.statements for line in found if isinstance(line, t.Do)]
    return (*found, *(statement for statements in do for statement in statements))


def cites_in(declaration: Any) -> list[str]:
    """The rule ids a declaration itself cites, wherever in it; not those of parts that are units of their own."""
    found: list[str] = []
    todo = list(reversed(lines_of(declaration)))
    while todo:
        node = todo.pop()
        if isinstance(node, t.Cite):
            found += [cite.id for cite in node.ids]
        elif not isinstance(node, OWN):
            blocks = [inner for name in ("body", "then", "other", "yes", "no") if isinstance(inner := getattr(node, name, None), t.Block)]
            blocks += [part.body for part in (*getattr(node, "cases", ()), *getattr(node, "options", ()))]
            todo += [statement for block in reversed(blocks) for statement in reversed(block.statements)]
    return list(dict.fromkeys(found))


class Units:
    """Reads all units of a ruleset."""

    def __init__(
        self, linked: Linked, symbols: Symbols, report: Report, limits: Limits, observer: Observer | None = None, skimmed: bool = False
    ) -> None:
        self.linked = linked
        self.limits = limits
        self.symbols = symbols
        self.report = report
        self.expressions = Expressions(symbols, report, self.infer, observer=observer)
        bodies = [(item.path, getattr(item.declaration, "body", None)) for item in linked.items.values()]
        steps = dict.fromkeys(path for item, body in bodies for path in step_paths(item, body))
        self.statements = Statements(self.expressions, steps, skimmed)
        self.components = Components(self.expressions, limits)
        self.hooks: dict[str, Unit] = {}
        self.actions: dict[str, Unit] = {}
        self.inferring: dict[str, Unit] = {}
        self.answers: dict[str, int] = {}
        self.depth = 0

    def all(self) -> Checked:
        """Everything, in an order in which what is asked for is there."""
        self.declare_shortages()
        components = self.components.all(self.linked)
        values = self.statements.secrets.values = {path: self.value(value) for path, value in self.symbols.values.items()}
        effects = {path: self.effect(effect) for path, effect in list(self.symbols.effects.items())}
        costs = {path: self.cost(cost) for path, cost in self.symbols.costs.items()}
        for path, action in self.symbols.actions.items():
            if action.what == "action":
                self.actions[path] = self.action(action, [])
        for path, (step, body) in list(self.statements.steps.items()):
            if step.what == "step":
                self.no_second(path, step)
                self.symbols.effects[path] = step
                effects[path] = self.unit(step, body)
        for hook in self.linked.hooks:
            self.hook(self.numbered(hook.declaration), hook.declaration, hook.package, Scope(), None, [])
        for item in self.linked.items.values():
            if item.what in ("kind", "component"):
                self.member_units(item)
            elif isinstance(item.declaration, t.RuleDecl):
                self.hook(item.path, item.declaration.hook, item.package, Scope(), None, [])
        self.components.methods(self.statements, effects, values)
        self.late(effects)
        self.sort_hooks()
        kinds, places, links = self.components.kinds(), self.components.places(), self.components.links
        self.symbols.complete = True
        for name, kind in self.symbols.kinds.items():
            if "described" in kind.lines:
                self.described(kind.lines["described"].value, kinds[name]["described_as"])
        return Checked(self.linked, self.symbols, effects, values, self.actions, costs, self.hooks, kinds, places, components, links)

    def described(self, node: Any, core: Any) -> None:
        """What a thing is called everybody reads."""
        if isinstance(node, t.Conditional) and core["op"] == "if":
            self.described(node.yes, core["yes"])
            self.described(node.no, core["no"])
        elif isinstance(node, t.Text) and core["op"] == "text":
            self.statements.secrets.check(node, core, Scope())

    def no_second(self, path: str, step: Callable) -> None:
        """A step may not have the path of a member or event: hooks and layers could not tell them apart."""
        other = self.symbols.effects.get(path) or self.symbols.actions.get(path)
        if other is not None and other is not step:
            related = (Related(other.declaration.span, "the other one"),)
            self.report("R302", f"this step and something else are both called '{path}'", step.declaration.span, related=related)

    def sort_hooks(self) -> None:
        """Hooks in the order in which they are written; that of layers is put above it when a game is made."""
        files = {name: number for number, name in enumerate(self.linked.files)}
        order = sorted(
            self.hooks.items(), key=lambda pair: (files.get(pair[1]["span"].file, len(files)), pair[1]["span"].line, pair[1]["span"].column)
        )
        self.hooks = dict(order)

    def late(self, effects: dict[str, Unit]) -> None:
        """What bodies installed: hooks that hold for a time, and steps found inside hooks."""
        todo = self.statements.installed
        while todo:
            identity, declaration, scope, context = todo.pop(0)
            self.hook(identity, declaration, context.package, scope, None, [], installed=True)
        for path, (step, body) in self.statements.steps.items():
            if step.what == "restore":
                self.hooks[path] = {**self.blank_hook("restore", "", step.declaration.span, step.package), "body": body, "installed": True}
            elif path not in effects:
                effects[path] = self.unit(step, body)
        for hook in self.hooks.values():
            if hook["event"] == "":
                hook["event"] = self.event_of_restore(hook)

    def event_of_restore(self, hook: Unit) -> str:
        """The event after which a value is put back."""
        for path, (step, _) in self.statements.steps.items():
            if self.hooks.get(path) is hook:
                return str(step.declaration.until)
        return ""

    # -- scopes

    def scope_for(self, target: Callable) -> Scope:
        """The scope of a body with parameters."""
        scope = Scope({parameter.name: parameter.type for parameter in target.parameters})
        return self.with_self(scope, target.of)

    def with_self(self, scope: Scope, of: str | None) -> Scope:
        """A scope in which `self` is a component, and its owner is known."""
        if of is None or self.symbols.kind_of(of) is None:
            return scope
        return scope.with_self(kind_type(of))

    # -- values and effects

    def infer(self, value: Callable) -> Type:
        """The type of a value that does not declare one."""
        if self.depth > self.limits.value_depth:
            self.depth = -(10**9)  # once is enough
            self.report(
                "R603",
                f"values that ask each other more than {self.limits.value_depth} deep",
                value.declaration.span,
                "say its type: value ... gives TYPE: ...",
            )
            return ANY
        self.depth += 1
        self.inferring[value.path] = self.value(value)
        self.depth -= 1
        found: Type = self.inferring[value.path]["type"]
        return found

    def value(self, value: Callable) -> Unit:
        if value.path in self.inferring:
            return self.inferring[value.path]
        declaration, scope = value.declaration, self.scope_for(value)
        core: Core | None = None
        of = value.gives or ANY
        if declaration.value is not None:
            core, found = self.expressions.read(declaration.value, scope, value.gives)
            if value.gives is not None:
                self.expressions.check_type(core, found, value.gives, declaration.value.span, f"'{value.path}'")
            else:
                of = NUMBER if found.how == "number" else found
        elif declaration.body is not None:
            context = Context(value.path, "value", value.package, value.gives, found=[])
            core = as_expression(self.statements.whole(declaration.body, scope, context), declaration.span, self.report, self.limits)
            of = value.gives or self.joined(context.found, declaration.span)
        elif value.gives is None:
            self.report("R409", f"'{value.path}' has neither an expression nor a type", declaration.span, "write: value NAME gives TYPE")
        self.expressions.inferred.setdefault(value.path, of)
        unit = {
            "of": value.of,
            "parameters": value.parameters,
            "gives": of,
            "value": core,
            "methods": {},
            "package": value.package,
            "cites": cites_in(value.declaration),
        }
        return {**unit, "type": of, "span": declaration.span}

    def joined(self, types: list[Type], span: Span) -> Type:
        """The type of a value that gives one of several things."""
        together = types[0] if types else ANY
        for of in types[1:]:
            both = self.expressions.common(together, of)
            if both is None:
                self.report("R401", f"this value gives {shown(together)} on one way and {shown(of)} on another", span)
                return LOST
            together = both
        return NUMBER if together.how == "number" and not together.optional else together

    def effect(self, effect: Callable) -> Unit:
        declaration = effect.declaration
        body: Body = []
        if effect.what == "event" and effect.path.endswith(".advance"):
            body = self.advancing(effect)
        elif effect.what != "event" and declaration.body is not None:
            scope = self.scope_for(effect)
            what = "effect" if effect.what == "effect" else effect.what
            body = self.statements.whole(declaration.body, scope, Context(effect.path, what, effect.package, effect.gives, found=[]))
        return self.unit(effect, body)

    def advancing(self, effect: Callable) -> Body:
        """How a track advances: space by space, each one an event."""
        track: Core = {"op": "component", "name": effect.of}
        space: Core = {"op": "field", "of": track, "name": "space"}
        count = sum(face.copies for face in effect.declaration.faces)
        more = {"op": "arithmetic", "how": "+", "left": space, "right": constant(1), "range": [1, count]}
        span = effect.declaration.span
        reach = {"op": "call", "effect": f"{effect.of}.reach", "of": None, "arguments": [{"op": "field", "of": track, "name": "colour"}]}
        move = {"op": "set", "of": track, "field": "space", "value": more, "span": span}
        inner = [move, {**reach, "name": None, "outcome": None, "span": span}]
        test = {"op": "compare", "how": "<", "left": space, "right": constant(count)}
        body = [{"op": "branch", "test": test, "then": inner, "else": [], "span": span}]
        return [{"op": "repeat", "times": {"op": "var", "name": "amount"}, "until": None, "body": body, "span": span}]

    def unit(self, target: Callable, body: Body) -> Unit:
        """An effect as it goes into the graph."""
        declaration = target.declaration
        requires = self.requirements(declaration, self.scope_for(target)) if target.what in ("effect", "phase", "step") else []
        label = getattr(declaration, "label", None) or target.path.split(".")[-1].replace("_", " ")
        return {
            "label": label, "what": target.what, "of": target.of, "parameters": target.parameters, "gives": target.gives, "requires": requires,
            "body": body, "methods": {}, "package": target.package, "cites": cites_in(declaration),
            "span": declaration.span,
        }  # fmt: skip

    def requirements(self, declaration: Any, scope: Scope) -> list[Unit]:
        found = []
        for line in lines_of(declaration):
            if isinstance(line, t.Require):
                test = self.expressions.expect(line.test, scope, FLAG, "a requirement")
                because = self.expressions.read(line.because, scope)[0] if line.because is not None else None
                found.append({"test": test, "because": because, "span": line.span})
        return found

    # -- actions and costs

    def action(self, action: Callable, conditions: list[Core], scope: Scope | None = None) -> Unit:
        """An action or reaction: its lines in the order they are written, then what it does."""
        declaration = action.declaration
        scope = self.with_self(scope or Scope(), action.of) if scope else self.scope_for(action)
        lines = self.action_lines(declaration, scope, Context(action.path, action.what, action.package))
        label = declaration.label or (action.path.split(".")[-1]).replace("_", " ").capitalize()
        return {
            "label": label, **action_label(self.symbols, self.report, declaration.title, action.of), "of": action.of, "by": action.parameters[0].type.name, "groups": list(getattr(declaration, "groups", ())), **lines,
            "while": conditions, "package": action.package, "cites": cites_in(declaration), "span": declaration.span,
        }  # fmt: skip

    def action_lines(self, declaration: Any, scope: Scope, context: Context) -> Unit:
        made: Unit = {"requires": [], "costs": [], "choices": [], "once_per": None, "body": []}
        done = False
        for line in declaration.lines:
            match line:
                case t.Require():
                    made["requires"] += self.one_requirement(line, scope, len(made["choices"]))
                case t.Cost():
                    made["costs"] += [choices.cost(self.statements, item, scope, scope.names.get("actor")) for item in line.items]
                case t.Once():
                    self.statements.known_event(line.event, line.span)
                    made["once_per"] = line.event
                case t.Choose():
                    drafts = choices.choose(self.statements, line, scope, context)
                    made["choices"] += [{**draft, "span": line.span} for draft in drafts]
                case t.Do():
                    if done:
                        self.report("R302", "a second 'do'", line.span)
                    done = True
                    made["body"] += self.statements.whole(line.body, scope, context)
        if not done:
            unnamed = isinstance(declaration, t.Reaction) and not declaration.name
            name = f"to '{declaration.event}'" if unnamed else f"'{context.path}'"
            self.report("R409", f"the {context.what} {name} does not say what it does", declaration.span, "add: do: ...")
        return made

    def one_requirement(self, line: t.Require, scope: Scope, after: int) -> list[Unit]:
        test = self.expressions.expect(line.test, scope, FLAG, "a requirement")
        because = self.expressions.read(line.because, scope)[0] if line.because is not None else None
        return [{"test": test, "because": because, "span": line.span, "after": after}]

    def cost(self, cost: Callable) -> Unit:
        names = [parameter.name for parameter in cost.parameters]
        if len(names) < 2:
            self.report("R403", f"the cost '{cost.path}' needs two parameters: who pays, and the amount", cost.declaration.span,
                        f"cost {cost.path}(who: player, amount: number):")  # fmt: skip
        scope = self.scope_for(cost)
        lines = self.action_lines(cost.declaration, scope, Context(cost.path, "cost", cost.package))
        keep = {"requires": lines["requires"], "body": lines["body"]}
        return {"parameters": cost.parameters, **keep, "package": cost.package, "cites": cites_in(cost.declaration), "span": cost.declaration.span}

    # -- hooks

    def member_units(self, item: Any) -> None:
        """The hooks, actions and reactions written on a kind or component."""
        for member in item.declaration.members if item.path not in self.symbols.lost else ():
            self.member_unit(member, item.path, self.symbols.package_of(member, item.package), [])

    def member_unit(self, member: Any, owner: str, package: str, conditions: list[Core]) -> None:
        scope = self.with_self(Scope(), owner)
        if isinstance(member, t.While):
            test = self.expressions.expect(member.test, scope, FLAG, "the condition")
            for inner in member.members:
                self.member_unit(inner, owner, package, [*conditions, test])
        elif isinstance(member, t.ActionDecl):
            action = self.symbols.actions.get(f"{owner}.{member.name}")
            if action is not None and conditions:
                self.actions[action.path]["while"] = conditions
        elif isinstance(member, t.RuleDecl):
            self.hook(f"{owner}.{member.name}", member.hook, package, Scope(), owner, conditions)
        elif isinstance(member, t.HookDecl | t.RunsOut | t.Reaches | t.ChangeDecl | t.CostChange | t.Reaction):
            self.hook(self.numbered(member, f"{owner}."), member, package, Scope(), owner, conditions)

    def numbered(self, declaration: Any, owner: str = "") -> str:
        """The identity of a hook without a name: what it answers, and a number. Whatever else is written changes none of it."""
        match declaration:
            case t.HookDecl():
                answers = f"{declaration.timing} {declaration.event}"
            case t.Reaction():
                answers = f"react {declaration.event}"
            case t.ChangeDecl():
                answers = f"change {declaration.target}"
            case t.CostChange():
                answers = f"cost {declaration.target}"
            case t.Reaches():
                answers = f"reach {declaration.track} {declaration.space}"
            case t.RuleDecl():
                return f"{owner}{declaration.name}"
            case t.RunsOut():
                answers = f"short {self.short_of(declaration, owner.removesuffix('.') or None)}"
            case _:
                answers = "?"  # nothing else can stand here, and that is complained about
        path = f"{owner}{answers}/"
        self.answers[path] = self.answers.get(path, 0) + 1
        return f"{path}{self.answers[path]}"

    def hook(
        self, identity: str, declaration: Any, package: str, scope: Scope, owner: str | None, conditions: list[Core], installed: bool = False
    ) -> None:
        """One hook of any sort."""
        made: Unit | None
        if isinstance(declaration, t.RuleDecl):
            declaration = declaration.hook
        match declaration:
            case t.HookDecl():
                made = self.plain_hook(identity, declaration, package, scope, owner)
            case t.RunsOut():
                made = self.shortage_hook(declaration, package, owner)
            case t.Reaches():
                made = self.reach_hook(declaration, package, owner)
            case t.ChangeDecl():
                made = self.change_hook(declaration, package, scope, owner)
            case t.CostChange():
                made = self.cost_hook(declaration, package, scope, owner)
            case t.Reaction():
                made = self.reaction_hook(identity, declaration, package, scope, owner)
            case _:
                self.report("R110", "only hooks can stand here", declaration.span)
                made = None
        if made is not None:
            self.hooks[identity] = {**made, "of": owner, "while": conditions, "installed": installed}

    def blank_hook(self, timing: str, event: str, span: Span, package: str) -> Unit:
        return {
            "timing": timing, "event": event, "of": None, "names": [], "when": None, "while": [], "first": False, "once_per": None, "by": None,
            "action": None, "value": None, "cost": None, "body": [], "installed": False, "package": package, "cites": [], "span": span,
        }  # fmt: skip

    def event(self, declaration: Any, path: str, scope: Scope, owner: str | None, sort: str) -> tuple[Callable | None, Scope, list[str]]:
        """The event a hook is on, and a scope with its parameters under the names the hook gives them."""
        target = self.symbols.values.get(path) if sort == "value" else self.symbols.effects.get(path) or self.symbols.actions.get(path)
        self.symbols.used.add(path)
        if target is None and owner is not None and (kind := self.symbols.kind_of(owner)) is not None:
            target = kind.effects.get(path) or kind.values.get(path)
        if target is None:
            known = [*self.symbols.values] if sort == "value" else [*self.symbols.effects, *self.symbols.actions]
            hint = advice.no_event(self.symbols, path, sort)
            self.report("R501", f"there is no {sort} '{path}' to hook", declaration.span, hint, guess=None if hint else (path, known))
            unknown = scope.branch()
            unknown.names.update(dict.fromkeys(("result", *(parameter.name for parameter in declaration.parameters or ())), LOST))
            return None, self.with_self(unknown, owner), []
        self.symbols.used.add(target.path)
        given = declaration.parameters
        names = [parameter.name for parameter in target.parameters] if given is None else [parameter.name for parameter in given]
        if given is not None and len(names) != len(target.parameters):
            wanted = ", ".join(parameter.name for parameter in target.parameters) or "nothing"
            self.report("R403", f"'{target.path}' happens to ({wanted}), but {len(names)} names are given", declaration.span)
        inner = scope.branch()
        if target.of is not None and target.of in self.symbols.kinds:
            inner.names["it"] = kind_type(target.of)
        for name, parameter in zip(names, target.parameters, strict=False):
            inner.cover(name, parameter.type)
        return target, self.with_self(inner, owner), names

    def hook_path(self, identity: str, hook: t.HookDecl) -> str:
        """What the steps of a hook are parts of: the rule by its name, or what it answers, numbered if that is answered more than once."""
        if identity.rpartition(".")[2].isidentifier() and "/" not in identity:
            return identity
        path = f"{hook.timing} {hook.event}"
        self.answers[path] = self.answers.get(path, 0) + 1
        return path if self.answers[path] == 1 else f"{path} {self.answers[path]}"

    def plain_hook(self, identity: str, hook: t.HookDecl, package: str, scope: Scope, owner: str | None) -> Unit:
        target, scope, names = self.event(hook, hook.event, scope, owner, "effect")
        if target is not None and target.gives is not None and hook.timing == "after":
            scope.names["result"] = target.gives
        when = condition(self.expressions, hook.when, scope) if hook.when is not None else None
        if hook.once is not None:
            self.statements.known_event(hook.once, hook.span)
        what = "method" if hook.timing == "instead" and target and target.gives else hook.timing
        context = Context(self.hook_path(identity, hook), what, package, target.gives if target else None, replaces=None, found=[])
        context.replaces = target if hook.timing == "instead" else None
        inner = self.statements.known(when) if when else scope
        body = [*(when.binds() if when else ()), *self.statements.whole(hook.body, inner, context)]
        event = target.path if target else hook.event
        made = self.blank_hook(hook.timing, event, hook.span, package)
        return {
            **made,
            "names": names,
            "when": when.core if when else None,
            "first": hook.first,
            "once_per": hook.once,
            "body": body,
            "cites": cites_in(hook),
        }

    def declare_shortages(self) -> None:
        """Running out is an event for every thing or place that some rule answers it for."""
        found: list[tuple[Any, str | None, str]] = [(hook.declaration, None, hook.package) for hook in self.linked.hooks]
        for item in self.linked.items.values():
            found += [(member, item.path, item.package) for member in (item.declaration, *getattr(item.declaration, "members", ()))]
        for declared, declared_on, package in found:
            declaration = declared.hook if isinstance(declared, t.RuleDecl) else declared
            owner = declared_on if declared_on in self.symbols.kinds or declared_on in self.symbols.definitions else None
            if isinstance(declaration, t.RunsOut):
                name = self.short_of(declaration, owner)
                of = self.symbols.places[name].of if name in self.symbols.places else None
                parameters = (Parameter("self", kind_type(of)),) if of else ()
                if name is not None:
                    path = f"{name}.runs_out"
                    self.symbols.effects[path] = Callable(path, "event", parameters, None, declaration, package)
                    self.symbols.used.add(path)

    def short_of(self, node: t.RunsOut, owner: str | None) -> str | None:
        """What runs out: a place, or components of a name or kind."""
        word = node.place.word if isinstance(node.place, t.Name) else ""
        if isinstance(node.place, t.Dot) and isinstance(node.place.base, t.Name):
            word = f"{node.place.base.word}.{node.place.word}"
        kind = self.symbols.kind_of(owner) if owner else None
        if kind is not None and word in kind.places:
            return kind.places[word].id
        if word in self.symbols.places:
            return word
        return self.symbols.noun(word)

    def shortage_hook(self, hook: t.RunsOut, package: str, owner: str | None) -> Unit | None:
        name = self.short_of(hook, owner)
        if name is None:
            known = [*self.symbols.places, *self.symbols.kinds, *self.symbols.definitions]
            word = hook.place.word if isinstance(hook.place, t.Name) else "?"
            self.report("R501", f"there is no place or component '{word}' that could run out", hook.place.span, guess=(word, known))
            return None
        self.symbols.used.add(name)
        kind_owner = owner if owner in self.symbols.kinds or owner is None else None
        of = self.symbols.places[name].of if name in self.symbols.places else None
        scope = self.with_self(Scope(), of or kind_owner)
        body = self.statements.whole(hook.body, scope, Context(f"{name}.runs_out", "after", package))
        return {**self.blank_hook("after", f"{name}.runs_out", hook.span, package), "body": body, "cites": cites_in(hook)}

    def reach_hook(self, hook: t.Reaches, package: str, owner: str | None) -> Unit | None:
        track = self.symbols.tracks.get(hook.track)
        self.symbols.used.add(hook.track)
        if track is None:
            self.report("R501", f"there is no track '{hook.track}'", hook.span, guess=(hook.track, self.symbols.tracks))
            return None
        spaces = [face.value for face in track.faces]
        if hook.space not in spaces:
            shown_spaces = ", ".join(str(space) for space in spaces)
            self.report("R406", f"the track '{hook.track}' has no space '{hook.space}'; it has {shown_spaces}", hook.span,
                        guess=(str(hook.space), map(str, spaces)))  # fmt: skip
        scope = self.with_self(Scope({"space": words_of(*spaces)}), owner)
        when: Core = {"op": "compare", "how": "=", "left": {"op": "var", "name": "space"}, "right": constant(hook.space)}
        body = self.statements.whole(hook.body, scope, Context(f"{hook.track}.reach", "after", package))
        return {
            **self.blank_hook("after", f"{hook.track}.reach", hook.span, package),
            "names": ["space"],
            "when": when,
            "body": body,
            "cites": cites_in(hook),
        }

    def change_hook(self, change: t.ChangeDecl, package: str, scope: Scope, owner: str | None) -> Unit:
        target, scope, names = self.event(change, change.target, scope, owner, "value")
        of = self.expressions.value_type(target) if target else ANY
        scope.names["result"] = of
        when = self.expressions.expect(change.when, scope, FLAG, "the condition") if change.when is not None else None
        path = target.path if target else change.target
        if change.value is not None:
            value, found = self.expressions.read(change.value, scope, of)
            self.expressions.check_type(value, found, of, change.value.span, f"'{change.target}'")
        else:
            assert change.body is not None
            body = self.statements.whole(change.body, scope, Context(path, "value", package, of, found=[]))
            value = as_expression(body, change.span, self.report, self.limits)
        made = self.blank_hook("change", path, change.span, package)
        return {**made, "names": names, "when": when, "value": value, "cites": cites_in(change)}

    def cost_hook(self, change: t.CostChange, package: str, scope: Scope, owner: str | None) -> Unit:
        target = self.symbols.actions.get(change.target)
        if target is None and change.target not in self.symbols.groups:
            known = [*self.symbols.actions, *self.symbols.groups]
            self.report("R501", f"there is no action or group of actions '{change.target}'", change.span, guess=(change.target, known))
        inner = scope.branch()
        inner.names["actor"] = target.parameters[0].type if target else self.group_actor(change.target)
        inner = self.with_self(inner, owner)
        when = self.expressions.expect(change.when, inner, FLAG, "the condition") if change.when is not None else None
        amount = self.expressions.expect(change.item.amount, inner, NUMBER, "the amount")
        cost = self.symbols.cost(change.item.name)
        if cost is None:
            self.report("R301", f"nothing says how '{change.item.name}' are paid", change.item.span, guess=(change.item.name, self.symbols.costs))
        elif len(cost.parameters) > 2 or change.item.arguments:
            self.known_arguments(change, cost)
        made = self.blank_hook("cost", change.target, change.span, package)
        name = cost.path if cost else change.item.name
        return {
            **made,
            "names": ["actor"],
            "when": when,
            "cost": {"cost": name, "amount": amount, "how": change.how or "is"},
            "cites": cites_in(change),
        }

    def known_arguments(self, change: t.CostChange, cost: Callable) -> None:
        """A change is one of the amount: what else a cost needs to know, the actions must say themselves."""
        if change.item.arguments:
            hint = f"leave out what is in brackets after '{change.item.name}': the cost of the action says it"
            self.report("R403", "a change of costs says an amount and nothing else", change.item.span, hint)
            return
        paths = [change.target] if change.target in self.symbols.actions else self.symbols.groups.get(change.target, [])
        for path in paths:
            lines = self.symbols.actions[path].declaration.lines
            if not any(self.symbols.cost(item.name) is cost for line in lines if isinstance(line, t.Cost) for item in line.items):
                more = ", ".join(f"{parameter.name}: {shown(parameter.type)}" for parameter in cost.parameters[2:])
                message = f"the cost '{change.item.name}' needs more than an amount: {more}; the action '{path}' has no such cost to change"
                self.report("R403", message, change.item.span, f"write it on the action: cost ... {change.item.name}(...)")
                return

    def group_actor(self, group: str) -> Type:
        actions = self.symbols.groups.get(group, [])
        return self.symbols.actions[actions[0]].parameters[0].type if actions else ANY

    def reaction_hook(self, identity: str, reaction: t.Reaction, package: str, scope: Scope, owner: str | None) -> Unit:
        target, inner, names = self.event(reaction, reaction.event, scope, owner, "effect")
        if "actor" in names:
            self.report(
                "R309", "in a reaction 'actor' is the one who reacts", reaction.span, "call the other one something else: action(other, deed)"
            )
        by = choices.chooser(self.statements, reaction.by, inner)
        _, of = self.expressions.read(reaction.by, inner)
        inner.names["actor"] = of
        when = self.expressions.expect(reaction.when, inner, FLAG, "the condition") if reaction.when is not None else None
        path = f"{owner}.{reaction.name}" if owner and reaction.name else reaction.name or f"reaction {identity.replace('react ', 'to ', 1)}"
        if path in self.actions:
            related = (Related(self.actions[path]["span"], "first declared here"),)
            self.report("R302", f"'{path}' is declared twice", reaction.span, related=related)
        action = Callable(path, "reaction", (Parameter("actor", of),), None, reaction, package, owner)
        made_action = self.action(action, [], inner)
        named = {} if "title" in made_action else {"label": reaction.label or reaction.name or "React"}
        self.actions[path] = {**made_action, **named}
        made = self.blank_hook("react", target.path if target else reaction.event, reaction.span, package)
        return {**made, "names": names, "when": when, "by": by, "action": path, "cites": cites_in(reaction)}
