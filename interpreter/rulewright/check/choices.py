"""Statements that ask somebody: choosing, drawing, options, offers, payments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check import advice
from rulewright.check.domains import enumerated
from rulewright.check.expressions import NOTHING, Core, constant
from rulewright.check.narrowing import condition
from rulewright.check.scope import Scope
from rulewright.check.supposing import drafts_in
from rulewright.resolve.cites import walk
from rulewright.types import LOST, NUMBER, Type, element, many, map_of, set_of, shown, shown_as, with_article, words_of

if TYPE_CHECKING:
    from rulewright.check.statements import Body, Context, Draft, Statements

LATER = "do it below the block, where all have chosen"
QUIET = ("choose", "bind", "branch", "match", "each", "repeat", "jump")  # what a block that is gone through in secret may consist of
FORMS = {"up_to": "up_to", "number": "exactly", "any_number": "any_number"}


class Choices:
    """Reads choices for `Statements`."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.symbols = statements.symbols
        self.report = statements.report

    # -- who

    def chooser(self, node: Any, scope: Scope) -> Core:
        """Who decides: a player, chance, or a component that some player decides for."""
        core, of = self.expressions.read(node, scope)
        if of.how == "chance":
            return core
        if of.how == "kind":
            if self.symbols.inherits(of.name, "player"):
                return core
            kind = self.symbols.kind_of(of.name)
            if kind is not None and "decided" in kind.lines:
                return {"op": "decider", "of": core, "kind": kind.name}
            self.report(
                "R412",
                f"nothing says which player decides for {shown(of)}",
                node.span,
                f"add to the kind '{kind.name if kind else of.name}': decided by ...",
            )
        elif of.how != "any":
            self.report("R412", f"only players choose, and this is {shown(of)}", node.span)
        return core

    # -- choosing

    def choose(self, node: t.Choose, scope: Scope, context: Context) -> Body:
        if node.each:
            return self.choose_each(node, scope)
        who = self.chooser(node.who, scope) if node.who is not None else self.actor(node, scope)
        draft, of = self.selection(node, scope)
        self.statements.bind(node.name, of, scope, node.span)
        if draft["from"] is not None:
            self.statements.secrets.mark(node.name, draft["from"], scope)
        return [{**draft, "who": who, **self.told(of)}]

    def told(self, of: Type) -> Draft:
        """How the answers of a choice are to be read."""
        return {"as": element(of).how, **({"sorts": True} if shown_as(element(of)) == "sort" else {})}

    def actor(self, node: t.Choose, scope: Scope) -> Core:
        if "actor" not in scope.names:
            self.report("R412", "who chooses?", node.span, "write: NAME chooses ...")
            return NOTHING
        return self.chooser(t.Name(node.span, "actor"), scope)

    def choose_each(self, node: t.Choose, scope: Scope) -> Body:
        """Everyone of a query chooses; the result is asked for with `NAME of PLAYER`."""
        query, one, binder = self.expressions.queries.find(node.who, scope, naming=True)
        inner = scope.with_element(binder, one)
        if one.how == "kind" and not self.symbols.inherits(one.name, "player"):
            kind = self.symbols.kind_of(one.name)
            if kind is None or "decided" not in kind.lines:
                self.report("R412", f"only players choose, and these are {shown(one)}", node.span)
        draft, of = self.selection(node, inner)
        self.statements.bind(node.name, map_of(of), scope, node.span)
        return [{**draft, "who": None, "each": {"name": binder, "query": query}, **self.told(of)}]

    def each_secretly(self, node: t.EachSecretly, scope: Scope, context: Context) -> Body:
        """Everyone of a query goes through a block; what it binds is asked for with `NAME of PLAYER` afterwards."""
        query, one, binder = self.expressions.queries.find(node.query, scope, naming=True)
        inner = scope.lent().with_element(binder, one)
        inner.gathered = []
        complaints = len(self.report.diagnostics)
        for statement in walk(node.body):
            self.own_choice(statement, binder)
        loops, context.loops = context.loops, 0
        body = self.statements.block(node.body, inner, context)
        context.loops = loops
        for draft in drafts_in(body):
            if draft["op"] == "choose":
                draft["secret"] = True
            elif draft["op"] == "set":
                self.report("R508", "a field that is set here would be seen by others", draft["span"], LATER)
            elif draft["op"] not in QUIET:
                self.report(
                    "R508", "only choices, 'let', 'if', 'match' and loops stand in a block that is gone through in secret", draft["span"], LATER
                )
        names = self.gathered(node, inner, {*scope.names, binder, "it"})
        if not names and len(self.report.diagnostics) == complaints:
            self.report(
                "R508", f"nothing is chosen in this block that {binder} could be asked for later", node.span, f"write: {binder} chooses NAME: ..."
            )
        for name, of in names.items():
            self.statements.bind(name, map_of(of), scope, node.span)
        kept = [{"name": name, "as": element(of).how, "many": many(of)} for name, of in names.items()]
        return [
            {"op": "each", "name": binder, "query": {**query, "orders": []}, "orders": query["orders"], "body": body, "as": one.how, "secretly": kept}
        ]

    def gathered(self, node: t.EachSecretly, inner: Scope, outside: set[str]) -> dict[str, Type]:
        """The names that a block gives to all that comes after it, with what they stand for; who was not asked has given nothing."""
        found: dict[str, Type] = {}
        for name, of in inner.gathered or ():
            if name in outside or not (name in inner.names or name in inner.may_be_unset or name in inner.mixed):
                continue
            both = self.expressions.common(found[name], of) if name in found else of
            if both is None:
                self.report(
                    "R401", f"'{name}' is {shown(found[name])} in one branch and {shown(of)} in another", node.span, "give them different names"
                )
            found[name] = self.statements.widened(both or LOST)
        return found

    def own_choice(self, statement: t.Node, binder: str) -> None:
        """Complain of a choice in a block that is not made by who goes through it, or that others could tell by what it costs."""
        if not isinstance(statement, t.Choose | t.ChooseOne | t.Ask):
            return
        if getattr(statement, "each", False) or not (isinstance(statement.who, t.Name) and statement.who.word in (binder, "it")):
            self.report("R508", f"in this block only the {binder} chooses who goes through it", statement.span, f"write: {binder} chooses ...")
        if isinstance(statement, t.ChooseOne) and any(option.costs for option in statement.options):
            self.report("R508", "what is paid would tell the others what was chosen", statement.span, LATER)

    def selection(self, node: t.Choose, scope: Scope) -> tuple[Draft, Type]:
        """What may be chosen: the fields of a choose node, and the type of the result."""
        prompt = self.expressions.read(node.asking, scope)[0] if node.asking is not None else None
        draft: Draft = {
            "op": "choose", "who": None, "form": "one", "name": node.name, "from": None, "amount": None, "low": None, "high": None,
            "optional": node.optional, "secret": node.secretly, "each": None, "prompt": prompt, "options": [],
        }  # fmt: skip
        if node.declining is not None:
            several = isinstance(node.selection, t.Quantified) and node.selection.how in ("up_to", "any_number")
            draft["decline"] = self.declining(node.declining, node.optional or several, node.name)
        selection: Any = node.selection
        if isinstance(selection, t.NumberFrom):
            low = self.expressions.expect(selection.low, scope, NUMBER, "the lowest number")
            high = self.expressions.expect(selection.high, scope, NUMBER, "the highest number")
            return {**draft, "form": "number", "low": low, "high": high}, NUMBER
        if isinstance(selection, t.OneOf):
            return self.one_of(selection, draft, scope)
        if isinstance(selection, t.Quantified) and selection.how in FORMS:
            query, one, _ = self.found(node, selection.query, scope)
            amount = self.expressions.expect(selection.amount, scope, NUMBER, "the amount") if selection.amount is not None else None
            return {**draft, "form": FORMS[selection.how], "from": query, "amount": amount}, set_of(one)
        if isinstance(selection, t.Quantified) and selection.how in ("a", "the"):
            query, one, _ = self.found(node, selection.query, scope)
            return {**draft, "form": "value" if one.how == "words" else "one", "from": query}, one
        core, of = self.expressions.read(selection, scope)
        if not many(of) and of.how != "any":
            hint = "write 'a KIND ...', 'up to 2 KINDS ...', 'one of A, B' or 'a number from 1 to 3'"
            self.report("R401", f"a choice is made from several things, and this is {shown(of)}", selection.span, hint)
        return {**draft, "from": core}, element(of)

    def declining(self, text: t.Text, possible: bool, name: str) -> Core:
        """What it is called to choose nothing: words that are always the same."""
        if not possible:
            hint = f"write 'may choose {name}' if it may be declined, or leave out: or ..."
            self.report("R508", "what it is called to choose nothing is said of a choice that must be made", text.span, hint)
        if not all(isinstance(part, str) for part in text.parts):
            self.report("R401", "what it is called to choose nothing is said in fixed words", text.span, "leave out what stands in braces")
        words = "".join(part for part in text.parts if isinstance(part, str))
        if not words.strip():
            self.report("R401", "it needs words to choose nothing by", text.span, 'write, for example: or "Nothing"')
        return {"op": "text", "parts": [words]}

    def found(self, node: t.Choose, query: t.Expr, scope: Scope) -> tuple[Core, Type, str]:
        return self.expressions.queries.find(query, scope, node.name)

    def one_of(self, selection: t.OneOf, draft: Draft, scope: Scope) -> tuple[Draft, Type]:
        parts, types = [], []
        for part in selection.parts:
            if (listed := enumerated(self.expressions, part, scope)) is not None and listed[0]["op"] == "list":
                parts += listed[0]["parts"]
                types.append(element(listed[1]))
                continue
            if isinstance(part, t.Name) and part.word not in scope.names and self.expressions.global_name(part.word) is None:
                parts.append(constant(part.word))
                types.append(words_of(part.word))
            else:
                core, of = self.expressions.read(part, scope)
                parts.append(core)
                types.append(of)
        if len(parts) == 1 and many(types[0]):
            return {**draft, "from": parts[0]}, element(types[0])
        result = types[0]
        for of, part in zip(types[1:], selection.parts[1:], strict=True):
            both = self.expressions.common(result, of)
            if both is None:
                self.report("R401", f"the choices are of different sorts: {shown(result)} and {shown(of)}", part.span)
            result = both or LOST
        return {**draft, "form": "value", "from": {"op": "list", "parts": parts}}, result

    # -- drawing and moving

    def movable(self, node: Any, scope: Scope) -> tuple[Core, Type, Core]:
        """What a move takes, and what happens when there is too little of it."""
        if isinstance(node, t.Quantified) and node.how in FORMS:
            query, one, _ = self.expressions.queries.find(node.query, scope)
            amount = self.expressions.expect(node.amount, scope, NUMBER, "the amount") if node.amount is not None else constant(10**6)
            core: Core = {"op": "pick_many", "how": "first", "query": query, "amount": amount}
            of = set_of(one)
        else:
            core, of = self.expressions.read(node, scope)
            one = element(of)
        self.must_exist(one, node)
        wants = isinstance(node, t.Quantified) and node.how in ("a", "number", "the")
        return core, of, self.shortage(core, one, wants)

    def article(self, node: Any, scope: Scope) -> None:
        """Warn of one thing that is named without saying which or how many: all of them would go."""
        words = node.words if isinstance(node, t.Query) and node.base is None else (node.word,) if isinstance(node, t.Name) else ()
        word = words[-1] if words else ""
        if not word or word in scope.names or self.symbols.noun(word) != word or (isinstance(node, t.Name) and word in self.symbols.kinds):
            return
        if word not in self.symbols.kinds and self.symbols.definitions[word].copies == 1:
            return
        message = f"without 'a' or a number, '{word}' means all of them"
        self.report("R509", message, node.span, f"write '{with_article(word)} ...' for one, 'all {self.symbols.plural(word)} ...' if all are meant")

    def must_exist(self, one: Type, node: Any) -> None:
        """Components that are moved have to be declared somewhere."""
        if one.how != "kind" or one.name not in self.symbols.kinds or one.name == "player" or self.symbols.lost:
            return
        if one.name not in self.symbols.peopled:
            self.report("R503", f"no component of the kind '{one.name}' is declared", node.span, f"declare some: {one.name} NAME x10")

    def shortage(self, core: Core, one: Type, wants: bool) -> Core:
        """The event of running out, for the thing or the place, if the rules answer it; which place it is may be known only in play."""
        source = core.get("query", {}).get("source", {})
        members = source.get("source", source)
        of = members.get("of", {}) if members.get("op") == "members" else {}
        place = of.get("place")
        for name in (one.name, place) if wants else ():
            if isinstance(name, str) and f"{name}.runs_out" in self.symbols.effects:
                return {"short": f"{name}.runs_out"}
        if wants and of and place is None and any(f"{name}.runs_out" in self.symbols.effects for name in self.symbols.places):
            return {"short": None, "wants": True}
        return {"short": None}

    def draw(self, node: t.Draw, scope: Scope, context: Context) -> Body:
        what: Any = node.what
        amount: Core = constant(1)
        several, wants = False, True
        if isinstance(what, t.Quantified):
            wants = what.how not in ("up_to", "any_number", "all")
            if what.how in FORMS:
                several = True
                amount = self.expressions.expect(what.amount, scope, NUMBER, "the amount") if what.amount is not None else constant(10**6)
            elif what.how == "all":
                several, amount = True, constant(10**6)
            what = what.query
        complaints = len(self.report.diagnostics)
        query, one, binder = self.expressions.queries.find(what, scope)
        self.must_exist(one, node)
        source = query["source"]
        members = source.get("source", source) if source.get("op") == "of_kind" else source
        if members.get("op") != "members":
            if len(self.report.diagnostics) == complaints:
                self.report(
                    "R411", "say from which place it is drawn", node.span, f"write: draw {advice.said(node.what) or 'a CARD'} from PLACE to PLACE"
                )
            members = {"op": "members", "of": NOTHING}
        to = self.statements.place(node.to, scope) if node.to is not None else None
        if node.name is not None:
            self.statements.bind(node.name, set_of(one) if several else one, scope, node.span)
            place = self.statements.secrets.secret_place(to if to is not None else members["of"])
            if place is not None:
                scope.hidden[node.name] = place
        return [{
            "op": "draw", "from": members["of"], "kind": source.get("kind"), "amount": amount, "filters": query["filters"], "binder": binder,
            "to": to, "name": node.name, "many": several, **self.shortage({"query": query}, one, wants),
        }]  # fmt: skip

    # -- options

    def option(self, option: t.Option, scope: Scope, context: Context) -> tuple[dict[str, Any], Scope]:
        when = condition(self.expressions, option.when, scope) if option.when is not None else None
        inner = self.statements.known(when) if when else scope.branch()
        label = self.expressions.read(option.label, scope.branch())[0]
        costs = [self.cost(item, scope.branch()) for item in option.costs]
        body = [*(when.binds() if when else ()), *self.statements.block(option.body, inner, context)]
        return {"label": label, "when": when.core if when else None, "costs": costs, "body": body, "span": option.span}, inner

    def choose_one(self, node: t.ChooseOne, scope: Scope, context: Context) -> Body:
        who = self.chooser(node.who, scope)
        made = [self.option(option, scope, context) for option in node.options]
        certain = not node.optional and any(option["when"] is None and not option["costs"] for option, _ in made)
        self.statements.settle(scope, [inner for _, inner in made], [option["body"] for option, _ in made], certain)
        asked = self.asked(who, "option", [option for option, _ in made], optional=node.optional)
        if node.declining is not None:
            asked["decline"] = self.declining(node.declining, node.optional, "one")
        return [asked]

    def ask(self, node: t.Ask, scope: Scope, context: Context) -> Body:
        """A question with yes and no: a choice of two options."""
        who = self.chooser(node.who, scope)
        prompt = self.expressions.read(node.question, scope)[0]
        branches = [scope.branch(), scope.branch()]
        bodies = [self.statements.block(node.yes, branches[0], context), self.statements.block(node.no, branches[1], context)]
        self.statements.settle(scope, branches, bodies)
        options = [
            {"label": {"op": "text", "parts": [word]}, "when": None, "costs": [], "body": body, "span": node.span}
            for word, body in zip(("Yes", "No"), bodies, strict=True)
        ]
        return [{**self.asked(who, "yes_no", options), "prompt": prompt}]

    def asked(self, who: Core, form: str, options: list[dict[str, Any]], optional: bool = False) -> Draft:
        return {
            "op": "choose", "who": who, "form": form, "name": None, "from": None, "amount": None, "low": None, "high": None, "optional": optional,
            "secret": False, "each": None, "prompt": None, "options": options, "as": "option",
        }  # fmt: skip

    def offer(self, node: t.Offer, scope: Scope, context: Context) -> Body:
        who, of = self.expressions.read(node.who, scope)
        if of.how not in ("kind", "any"):
            self.report("R412", f"actions are offered to a player or a component, and this is {shown(of)}", node.who.span)
        for group in node.groups:
            if group not in self.symbols.groups:
                self.report("R301", f"no action belongs to a group '{group}'", node.span, guess=(group, self.symbols.groups))
        self.statements.offered |= set(node.groups) & set(self.symbols.groups) or {"*"}
        made = [self.option(option, scope, context) for option in node.options]
        options = [option for option, _ in made]
        self.statements.settle(scope, [inner for _, inner in made], [option["body"] for option in options], certain=False)
        return [{"op": "offer", "who": who, "groups": list(node.groups), "options": options}]

    # -- costs

    def cost(self, item: t.CostItem, scope: Scope, payer: Type | None = None) -> dict[str, Any]:
        amount = self.expressions.expect(item.amount, scope, NUMBER, "the amount")
        target = self.symbols.cost(item.name)
        self.symbols.used.add(item.name)
        arguments: list[Core] = []
        if target is None:
            message = f"nothing says how '{item.name}' are paid"
            self.report(
                "R301", message, item.span, f"declare it: cost {item.name}(who: ..., amount: number): ...", guess=(item.name, self.symbols.costs)
            )
        elif len(item.arguments) != max(len(target.parameters) - 2, 0):
            more = ", ".join(f"{parameter.name}: {shown(parameter.type)}" for parameter in target.parameters[2:])
            said = f"needs more than an amount: {more}" if more else "needs an amount and nothing else"
            self.report("R403", f"the cost '{item.name}' {said}", item.span)
        else:
            for argument, parameter in zip(item.arguments, target.parameters[2:], strict=True):
                arguments.append(self.expressions.expect(argument, scope, parameter.type, f"'{parameter.name}' of {target.path}"))
        if target is not None and payer is not None and target.parameters:
            self.expressions.check_type(NOTHING, payer, target.parameters[0].type, item.span, f"who pays '{item.name}'")
        return {"cost": target.path if target else item.name, "amount": amount, "arguments": arguments}

    def pay(self, node: t.Pay, scope: Scope, context: Context) -> Body:
        who, of = self.expressions.read(node.who, scope)
        if of.how not in ("kind", "any"):
            self.report("R412", f"only a player or a component pays, and this is {shown(of)}", node.who.span)
            of = LOST
        return [{"op": "pay", "who": who, "costs": [self.cost(item, scope, of) for item in node.costs]}]
