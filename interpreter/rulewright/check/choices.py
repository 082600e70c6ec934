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


# -- who


def chooser(statements: Statements, node: Any, scope: Scope) -> Core:
    """Who decides: a player, chance, or a component that some player decides for."""
    core, of = statements.expressions.read(node, scope)
    if of.how == "chance":
        return core
    if of.how == "kind":
        if statements.symbols.inherits(of.name, "player"):
            return core
        kind = statements.symbols.kind_of(of.name)
        if kind is not None and "decided" in kind.lines:
            return {"op": "decider", "of": core, "kind": kind.name}
        statements.report(
            "R412",
            f"nothing says which player decides for {shown(of)}",
            node.span,
            f"add to the kind '{kind.name if kind else of.name}': decided by ...",
        )
    elif of.how != "any":
        statements.report("R412", f"only players choose, and this is {shown(of)}", node.span)
    return core


# -- choosing


def choose(statements: Statements, node: t.Choose, scope: Scope, context: Context) -> Body:
    if node.each:
        return choose_each(statements, node, scope)
    who = chooser(statements, node.who, scope) if node.who is not None else actor(statements, node, scope)
    draft, of = read_selection(statements, node, scope)
    statements.bind(node.name, of, scope, node.span)
    if draft["from"] is not None:
        statements.secrets.mark(node.name, draft["from"], scope)
    return [{**draft, "who": who, **told(statements, of)}]


def told(statements: Statements, of: Type) -> Draft:
    """How the answers of a choice are to be read."""
    return {"as": element(of).how, **({"sorts": True} if shown_as(element(of)) == "sort" else {})}


def actor(statements: Statements, node: t.Choose, scope: Scope) -> Core:
    if "actor" not in scope.names:
        statements.report("R412", "who chooses?", node.span, "write: NAME chooses ...")
        return NOTHING
    return chooser(statements, t.Name(node.span, "actor"), scope)


def choose_each(statements: Statements, node: t.Choose, scope: Scope) -> Body:
    """Everyone of a query chooses; the result is asked for with `NAME of PLAYER`."""
    query, one, binder = statements.expressions.find(node.who, scope, naming=True)
    inner = scope.with_element(binder, one)
    if one.how == "kind" and not statements.symbols.inherits(one.name, "player"):
        kind = statements.symbols.kind_of(one.name)
        if kind is None or "decided" not in kind.lines:
            statements.report("R412", f"only players choose, and these are {shown(one)}", node.span)
    draft, of = read_selection(statements, node, inner)
    statements.bind(node.name, map_of(of), scope, node.span)
    return [{**draft, "who": None, "each": {"name": binder, "query": query}, **told(statements, of)}]


def each_secretly(statements: Statements, node: t.EachSecretly, scope: Scope, context: Context) -> Body:
    """Everyone of a query goes through a block; what it binds is asked for with `NAME of PLAYER` afterwards."""
    query, one, binder = statements.expressions.find(node.query, scope, naming=True)
    inner = scope.lent().with_element(binder, one)
    inner.gathered = []
    complaints = len(statements.report.diagnostics)
    for statement in walk(node.body):
        own_choice(statements, statement, binder)
    loops, context.loops = context.loops, 0
    body = statements.block(node.body, inner, context)
    context.loops = loops
    for draft in drafts_in(body):
        if draft["op"] == "choose":
            draft["secret"] = True
        elif draft["op"] == "set":
            statements.report("R508", "a field that is set here would be seen by others", draft["span"], LATER)
        elif draft["op"] not in QUIET:
            statements.report(
                "R508", "only choices, 'let', 'if', 'match' and loops stand in a block that is gone through in secret", draft["span"], LATER
            )
    names = gathered(statements, node, inner, {*scope.names, binder, "it"})
    if not names and len(statements.report.diagnostics) == complaints:
        statements.report(
            "R508", f"nothing is chosen in this block that {binder} could be asked for later", node.span, f"write: {binder} chooses NAME: ..."
        )
    for name, of in names.items():
        statements.bind(name, map_of(of), scope, node.span)
    kept = [{"name": name, "as": element(of).how, "many": many(of)} for name, of in names.items()]
    return [
        {"op": "each", "name": binder, "query": {**query, "orders": []}, "orders": query["orders"], "body": body, "as": one.how, "secretly": kept}
    ]


def gathered(statements: Statements, node: t.EachSecretly, inner: Scope, outside: set[str]) -> dict[str, Type]:
    """The names that a block gives to all that comes after it, with what they stand for; who was not asked has given nothing."""
    found: dict[str, Type] = {}
    for name, of in inner.gathered or ():
        if name in outside or not (name in inner.names or name in inner.may_be_unset or name in inner.mixed):
            continue
        both = statements.expressions.common(found[name], of) if name in found else of
        if both is None:
            statements.report(
                "R401", f"'{name}' is {shown(found[name])} in one branch and {shown(of)} in another", node.span, "give them different names"
            )
        found[name] = statements.widened(both or LOST)
    return found


def own_choice(statements: Statements, statement: t.Node, binder: str) -> None:
    """Complain of a choice in a block that is not made by who goes through it, or that others could tell by what it costs."""
    if not isinstance(statement, t.Choose | t.ChooseOne | t.Ask):
        return
    if getattr(statement, "each", False) or not (isinstance(statement.who, t.Name) and statement.who.word in (binder, "it")):
        statements.report("R508", f"in this block only the {binder} chooses who goes through it", statement.span, f"write: {binder} chooses ...")
    if isinstance(statement, t.ChooseOne) and any(option.costs for option in statement.options):
        statements.report("R508", "what is paid would tell the others what was chosen", statement.span, LATER)


def read_selection(statements: Statements, node: t.Choose, scope: Scope) -> tuple[Draft, Type]:
    """What may be chosen: the fields of a choose node, and the type of the result."""
    prompt = statements.expressions.read(node.asking, scope)[0] if node.asking is not None else None
    draft: Draft = {
        "op": "choose", "who": None, "form": "one", "name": node.name, "from": None, "amount": None, "low": None, "high": None,
        "optional": node.optional, "secret": node.secretly, "each": None, "prompt": prompt, "options": [],
    }  # fmt: skip
    if node.declining is not None:
        several = isinstance(node.selection, t.Quantified) and node.selection.how in ("up_to", "any_number")
        draft["decline"] = declining(statements, node.declining, node.optional or several, node.name)
    selection: Any = node.selection
    if isinstance(selection, t.NumberFrom):
        low = statements.expressions.expect(selection.low, scope, NUMBER, "the lowest number")
        high = statements.expressions.expect(selection.high, scope, NUMBER, "the highest number")
        return {**draft, "form": "number", "low": low, "high": high}, NUMBER
    if isinstance(selection, t.OneOf):
        return one_of(statements, selection, draft, scope)
    if isinstance(selection, t.Quantified) and selection.how in FORMS:
        query, one, _ = find(statements, node, selection.query, scope)
        amount = statements.expressions.expect(selection.amount, scope, NUMBER, "the amount") if selection.amount is not None else None
        return {**draft, "form": FORMS[selection.how], "from": query, "amount": amount}, set_of(one)
    if isinstance(selection, t.Quantified) and selection.how in ("a", "the"):
        query, one, _ = find(statements, node, selection.query, scope)
        return {**draft, "form": "value" if one.how == "words" else "one", "from": query}, one
    core, of = statements.expressions.read(selection, scope)
    if not many(of) and of.how != "any":
        hint = "write 'a KIND ...', 'up to 2 KINDS ...', 'one of A, B' or 'a number from 1 to 3'"
        statements.report("R401", f"a choice is made from several things, and this is {shown(of)}", selection.span, hint)
    return {**draft, "from": core}, element(of)


def declining(statements: Statements, text: t.Text, possible: bool, name: str) -> Core:
    """What it is called to choose nothing: words that are always the same."""
    if not possible:
        hint = f"write 'may choose {name}' if it may be declined, or leave out: or ..."
        statements.report("R508", "what it is called to choose nothing is said of a choice that must be made", text.span, hint)
    if not all(isinstance(part, str) for part in text.parts):
        statements.report("R401", "what it is called to choose nothing is said in fixed words", text.span, "leave out what stands in braces")
    words = "".join(part for part in text.parts if isinstance(part, str))
    if not words.strip():
        statements.report("R401", "it needs words to choose nothing by", text.span, 'write, for example: or "Nothing"')
    return {"op": "text", "parts": [words]}


def find(statements: Statements, node: t.Choose, query: t.Expr, scope: Scope) -> tuple[Core, Type, str]:
    return statements.expressions.find(query, scope, node.name)


def one_of(statements: Statements, selection: t.OneOf, draft: Draft, scope: Scope) -> tuple[Draft, Type]:
    parts, types = [], []
    for part in selection.parts:
        if (listed := enumerated(statements.expressions, part, scope)) is not None and listed[0]["op"] == "list":
            parts += listed[0]["parts"]
            types.append(element(listed[1]))
            continue
        if isinstance(part, t.Name) and part.word not in scope.names and statements.expressions.global_name(part.word) is None:
            parts.append(constant(part.word))
            types.append(words_of(part.word))
        else:
            core, of = statements.expressions.read(part, scope)
            parts.append(core)
            types.append(of)
    if len(parts) == 1 and many(types[0]):
        return {**draft, "from": parts[0]}, element(types[0])
    result = types[0]
    for of, part in zip(types[1:], selection.parts[1:], strict=True):
        both = statements.expressions.common(result, of)
        if both is None:
            statements.report("R401", f"the choices are of different sorts: {shown(result)} and {shown(of)}", part.span)
        result = both or LOST
    return {**draft, "form": "value", "from": {"op": "list", "parts": parts}}, result


# -- drawing and moving


def movable(statements: Statements, node: Any, scope: Scope) -> tuple[Core, Type, Core]:
    """What a move takes, and what happens when there is too little of it."""
    if isinstance(node, t.Quantified) and node.how in FORMS:
        query, one, _ = statements.expressions.find(node.query, scope)
        amount = statements.expressions.expect(node.amount, scope, NUMBER, "the amount") if node.amount is not None else constant(10**6)
        core: Core = {"op": "pick_many", "how": "first", "query": query, "amount": amount}
        of = set_of(one)
    else:
        core, of = statements.expressions.read(node, scope)
        one = element(of)
    must_exist(statements, one, node)
    wants = isinstance(node, t.Quantified) and node.how in ("a", "number", "the")
    return core, of, shortage(statements, core, one, wants)


def article(statements: Statements, node: Any, scope: Scope) -> None:
    """Warn of one thing that is named without saying which or how many: all of them would go."""
    words = node.words if isinstance(node, t.Query) and node.base is None else (node.word,) if isinstance(node, t.Name) else ()
    word = words[-1] if words else ""
    if not word or word in scope.names or statements.symbols.noun(word) != word or (isinstance(node, t.Name) and word in statements.symbols.kinds):
        return
    if word not in statements.symbols.kinds and statements.symbols.definitions[word].copies == 1:
        return
    message = f"without 'a' or a number, '{word}' means all of them"
    statements.report(
        "R509", message, node.span, f"write '{with_article(word)} ...' for one, 'all {statements.symbols.plural(word)} ...' if all are meant"
    )


def must_exist(statements: Statements, one: Type, node: Any) -> None:
    """Components that are moved have to be declared somewhere."""
    if one.how != "kind" or one.name not in statements.symbols.kinds or one.name == "player" or statements.symbols.lost:
        return
    if one.name not in statements.symbols.peopled:
        statements.report("R503", f"no component of the kind '{one.name}' is declared", node.span, f"declare some: {one.name} NAME x10")


def shortage(statements: Statements, core: Core, one: Type, wants: bool) -> Core:
    """The event of running out, for the thing or the place, if the rules answer it; which place it is may be known only in play."""
    source = core.get("query", {}).get("source", {})
    members = source.get("source", source)
    of = members.get("of", {}) if members.get("op") == "members" else {}
    place = of.get("place")
    for name in (one.name, place) if wants else ():
        if isinstance(name, str) and f"{name}.runs_out" in statements.symbols.effects:
            return {"short": f"{name}.runs_out"}
    if wants and of and place is None and any(f"{name}.runs_out" in statements.symbols.effects for name in statements.symbols.places):
        return {"short": None, "wants": True}
    return {"short": None}


def draw(statements: Statements, node: t.Draw, scope: Scope, context: Context) -> Body:
    what: Any = node.what
    amount: Core = constant(1)
    several, wants = False, True
    if isinstance(what, t.Quantified):
        wants = what.how not in ("up_to", "any_number", "all")
        if what.how in FORMS:
            several = True
            amount = statements.expressions.expect(what.amount, scope, NUMBER, "the amount") if what.amount is not None else constant(10**6)
        elif what.how == "all":
            several, amount = True, constant(10**6)
        what = what.query
    complaints = len(statements.report.diagnostics)
    query, one, binder = statements.expressions.find(what, scope)
    must_exist(statements, one, node)
    source = query["source"]
    members = source.get("source", source) if source.get("op") == "of_kind" else source
    if members.get("op") != "members":
        if len(statements.report.diagnostics) == complaints:
            statements.report(
                "R411", "say from which place it is drawn", node.span, f"write: draw {advice.said(node.what) or 'a CARD'} from PLACE to PLACE"
            )
        members = {"op": "members", "of": NOTHING}
    to = statements.place(node.to, scope) if node.to is not None else None
    if node.name is not None:
        statements.bind(node.name, set_of(one) if several else one, scope, node.span)
        place = statements.secrets.secret_place(to if to is not None else members["of"])
        if place is not None:
            scope.hidden[node.name] = place
    return [{
        "op": "draw", "from": members["of"], "kind": source.get("kind"), "amount": amount, "filters": query["filters"], "binder": binder,
        "to": to, "name": node.name, "many": several, **shortage(statements, {"query": query}, one, wants),
    }]  # fmt: skip


# -- options


def read_option(statements: Statements, option: t.Option, scope: Scope, context: Context) -> tuple[dict[str, Any], Scope]:
    when = condition(statements.expressions, option.when, scope) if option.when is not None else None
    inner = statements.known(when) if when else scope.branch()
    label = statements.expressions.read(option.label, scope.branch())[0]
    costs = [cost(statements, item, scope.branch()) for item in option.costs]
    body = [*(when.binds() if when else ()), *statements.block(option.body, inner, context)]
    return {"label": label, "when": when.core if when else None, "costs": costs, "body": body, "span": option.span}, inner


def choose_one(statements: Statements, node: t.ChooseOne, scope: Scope, context: Context) -> Body:
    who = chooser(statements, node.who, scope)
    made = [read_option(statements, option, scope, context) for option in node.options]
    certain = not node.optional and any(option["when"] is None and not option["costs"] for option, _ in made)
    statements.settle(scope, [inner for _, inner in made], [option["body"] for option, _ in made], certain)
    asked = read_asked(statements, who, "option", [option for option, _ in made], optional=node.optional)
    if node.declining is not None:
        asked["decline"] = declining(statements, node.declining, node.optional, "one")
    return [asked]


def ask(statements: Statements, node: t.Ask, scope: Scope, context: Context) -> Body:
    """A question with yes and no: a choice of two options."""
    who = chooser(statements, node.who, scope)
    prompt = statements.expressions.read(node.question, scope)[0]
    branches = [scope.branch(), scope.branch()]
    bodies = [statements.block(node.yes, branches[0], context), statements.block(node.no, branches[1], context)]
    statements.settle(scope, branches, bodies)
    options = [
        {"label": {"op": "text", "parts": [word]}, "when": None, "costs": [], "body": body, "span": node.span}
        for word, body in zip(("Yes", "No"), bodies, strict=True)
    ]
    return [{**read_asked(statements, who, "yes_no", options), "prompt": prompt}]


def read_asked(statements: Statements, who: Core, form: str, options: list[dict[str, Any]], optional: bool = False) -> Draft:
    return {
        "op": "choose", "who": who, "form": form, "name": None, "from": None, "amount": None, "low": None, "high": None, "optional": optional,
        "secret": False, "each": None, "prompt": None, "options": options, "as": "option",
    }  # fmt: skip


def offer(statements: Statements, node: t.Offer, scope: Scope, context: Context) -> Body:
    who, of = statements.expressions.read(node.who, scope)
    if of.how not in ("kind", "any"):
        statements.report("R412", f"actions are offered to a player or a component, and this is {shown(of)}", node.who.span)
    for group in node.groups:
        if group not in statements.symbols.groups:
            statements.report("R301", f"no action belongs to a group '{group}'", node.span, guess=(group, statements.symbols.groups))
    statements.offered |= set(node.groups) & set(statements.symbols.groups) or {"*"}
    made = [read_option(statements, option, scope, context) for option in node.options]
    options = [option for option, _ in made]
    statements.settle(scope, [inner for _, inner in made], [option["body"] for option in options], certain=False)
    return [{"op": "offer", "who": who, "groups": list(node.groups), "options": options}]


# -- costs


def cost(statements: Statements, item: t.CostItem, scope: Scope, payer: Type | None = None) -> dict[str, Any]:
    amount = statements.expressions.expect(item.amount, scope, NUMBER, "the amount")
    target = statements.symbols.cost(item.name)
    statements.symbols.used.add(item.name)
    arguments: list[Core] = []
    if target is None:
        message = f"nothing says how '{item.name}' are paid"
        statements.report(
            "R301", message, item.span, f"declare it: cost {item.name}(who: ..., amount: number): ...", guess=(item.name, statements.symbols.costs)
        )
    elif len(item.arguments) != max(len(target.parameters) - 2, 0):
        more = ", ".join(f"{parameter.name}: {shown(parameter.type)}" for parameter in target.parameters[2:])
        said = f"needs more than an amount: {more}" if more else "needs an amount and nothing else"
        statements.report("R403", f"the cost '{item.name}' {said}", item.span)
    else:
        for argument, parameter in zip(item.arguments, target.parameters[2:], strict=True):
            arguments.append(statements.expressions.expect(argument, scope, parameter.type, f"'{parameter.name}' of {target.path}"))
    if target is not None and payer is not None and target.parameters:
        statements.expressions.check_type(NOTHING, payer, target.parameters[0].type, item.span, f"who pays '{item.name}'")
    return {"cost": target.path if target else item.name, "amount": amount, "arguments": arguments}


def pay(statements: Statements, node: t.Pay, scope: Scope, context: Context) -> Body:
    who, of = statements.expressions.read(node.who, scope)
    if of.how not in ("kind", "any"):
        statements.report("R412", f"only a player or a component pays, and this is {shown(of)}", node.who.span)
        of = LOST
    return [{"op": "pay", "who": who, "costs": [cost(statements, item, scope, of) for item in node.costs]}]
