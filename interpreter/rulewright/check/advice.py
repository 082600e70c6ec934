"""What to write instead, where a name or a type is not what was wanted: hints in the author's own words.

Takes what was written and the symbols of the ruleset; gives a hint, or None where there is nothing better to say than the complaint itself.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.symbols import Callable, Kind, Symbols
from rulewright.types import FLAG, Type, element, many, pluralised, shown, with_article

MISSING = ("...", "...")  # of arguments that advice speaks of
LISTED = 12  # so many names are listed; more nobody reads
ONLY_IF_DECLARED = ("setup", "play", "ending")
FUNCTIONS = {
    **dict.fromkeys(("len", "length", "count", "size", "counta"), "write: count of {0}"),
    "countif": "write: count of {1} where {2}",
    **dict.fromkeys(("max", "maximum", "greatest"), "write: highest_of({0})"),
    **dict.fromkeys(("min", "minimum", "least"), "write: lowest_of({0})"),
    **dict.fromkeys(("sum", "sumif"), "write: total FIELD over {0}"),
    **dict.fromkeys(("random", "randint", "rand", "randbetween", "dice", "choice"), "declare a die, such as 'die d6: 1, 2, 3, 4, 5, 6', and write: let face = roll d6"),
    **dict.fromkeys(("iif", "choose", "switch"), "write: YES if TEST else NO"),
    **dict.fromkeys(("isinstance", "istype", "typeof"), "write: {1} is a {2}"),
    **dict.fromkeys(("print", "echo", "say", "message", "show_message"), "write: log {0}"),
    **dict.fromkeys(("abs", "round", "int", "floor", "sqrt"), "numbers are whole, and '/' rounds down"),
}  # fmt: skip
METHODS = {
    **dict.fromkeys(("append", "add", "push", "insert", "put"), "write: move {1} to {0}"),
    **dict.fromkeys(("remove", "pop", "discard", "delete"), "write: move THING from {0} to PLACE"),
    "shuffle": "write: shuffle {0}",
    "draw": "write: draw a THING from {0} to PLACE",
}


def said(node: Any) -> str | None:
    """A short expression as it was written; None for a long one."""
    match node:
        case t.Name():
            return node.word
        case t.Number():
            return str(node.value)
        case t.Dot() if (base := said(node.base)) is not None:
            return f"{base}.{node.word}"
        case t.Text() if all(isinstance(part, str) for part in node.parts):
            return f'"{"".join(map(str, node.parts))}"'
        case t.Query() if node.base is None and not node.clauses:
            return " ".join(node.words)
        case t.Compare() if (left := said(node.left)) is not None and (right := said(node.right)) is not None:
            return f"{left} {node.op} {right}"
        case t.Quantified() if node.how in ("a", "all", "number") and (what := said(node.query)) is not None:
            if node.amount is not None:
                return f"{amount} {what}" if (amount := said(node.amount)) is not None else None
            return with_article(what) if node.how == "a" else f"all {what}"
    return None


def said_without_place(node: Any) -> str | None:
    """The same, without where it is taken from: `a rope` of `a rope from the game`."""
    if isinstance(node, t.Quantified) and isinstance(node.query, t.Query):
        return said(replace(node, query=replace(node.query, clauses=())))
    return said(replace(node, clauses=()) if isinstance(node, t.Query) else node)


def listed(names: Iterable[object], joint: str = "and") -> str:
    """Some names, as many as one reads: a, b and c."""
    words = [str(name) for name in names]
    if len(words) > LISTED:
        words = [*words[:LISTED], "others"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}" if words else ""


def function(word: str, arguments: Iterable[Any]) -> str | None:
    """What to write for a function of other languages and of spreadsheets."""
    each = [said(argument) or "..." for argument in arguments]
    return FUNCTIONS[word].format(", ".join(each) or "...", *each, *MISSING) if word in FUNCTIONS else None


def method(node: t.Call) -> str | None:
    """What to write for a method that collections have elsewhere: `who.hand.append(card)`."""
    if not isinstance(node.target, t.Dot) or node.target.word not in METHODS or (base := said(node.target.base)) is None:
        return None
    return METHODS[node.target.word].format(base, said(node.arguments[0]) if node.arguments and said(node.arguments[0]) else "THING")


def counting(node: Any, found: Type, wanted: Type) -> str | None:
    """Several things where a number is wanted."""
    return f"to count them write: count of {said(node) or '...'}" if wanted.how == "number" and many(found) else None


def whether_any(node: Any) -> str:
    """Several things where it is asked whether something is so: `if rope in who.hands`."""
    if isinstance(node, t.Query) and node.base is None and len(node.clauses) == 1 and (place := said(node.clauses[0].operand)) is not None:
        what = " ".join(node.words)
        return f"write: any {what} {node.clauses[0].how} {place}; of one thing alone: {what} is {node.clauses[0].how} {place}"
    return "say 'any ...' or 'no ...', or 'X is in Y'"


def without_names(node: t.Call, target: Callable, known: Iterable[str]) -> str | None:
    """A call in which arguments have names: how it is written without them."""
    names, own = [parameter.name for parameter in target.parameters], set(known)
    given: dict[str, str] = {}
    for argument in node.arguments:
        if not isinstance(argument, t.Compare) or argument.op != "=" or not isinstance(argument.left, t.Name):
            return None
        given[argument.left.word] = said(argument.right) or "..."
    if not given or any(name not in names or name in own for name in given):
        return None
    return f"write: {target.path.rpartition('.')[2]}({', '.join(given.get(name, name) for name in names)})"


def field_line(member: t.MemberDef, of: Type) -> str:
    """How a field is given that was written with a sign: `sort: first`, `lit = true`."""
    first: Any = member.value if member.body is None else next(iter(getattr(member.body, "statements", ())), None)
    word = said(first) or said(getattr(first, "call", None)) or said(getattr(getattr(first, "call", None), "target", None))
    if of.how == "flag" and word in (None, "true", "yes"):
        return member.name
    return f"{member.name} {word or 'VALUE'}"


def no_field(word: str, kind: str, name: str) -> str | None:
    """What stands behind the name of a component, and was written as a field."""
    if word in ("copies", "copy", "count", "amount", "quantity", "number"):
        return f"copies are written after the name: {kind} {name} x3"
    if word in ("label", "name", "title", "text", "caption"):
        return f'the label stands after the name: {kind} {name} "Label"'
    return None


def one_of(node: t.Logic, at: int) -> str | None:
    """`X is this or that`: what follows 'or' is no statement of its own, but another thing that X may be."""
    part, before = node.parts[at], node.parts[at - 1] if at else None
    while isinstance(before, t.Name | t.Number) and at > 1:
        at -= 1
        before = node.parts[at - 1]
    if not isinstance(before, t.Compare) or before.op not in ("is", "=", "is not", "!="):
        return None
    left, first, more = said(before.left), said(before.right), [said(each) for each in node.parts[at:] if isinstance(each, t.Name | t.Number)]
    if left is None or first is None or not isinstance(part, t.Name | t.Number):
        return None
    how = "is not one of" if before.op in ("is not", "!=") else "is one of"
    return f"write: {left} {how} {', '.join([first, *(each or '' for each in more)])}"


def members(kind: Kind) -> str:
    """What a kind has."""
    names = [*kind.fields, *kind.places, *(name for name, value in kind.values.items() if not value.parameters)]
    return f"it has {listed(names)}" if names else "it has no fields, places or values"


def through(symbols: Symbols, kind: Kind, word: str, base: Any) -> str | None:
    """A member that the thing itself lacks, and another thing that it leads to has: `who.player.deck`."""
    for name, field in kind.fields.items():
        other = symbols.kind_of(field.type.name) if field.type.how == "kind" else None
        if other is not None and other is not kind and word in (*other.fields, *other.places, *other.values):
            return f"the {other.name} has one: write {said(base) or 'WHO'}.{name}.{word}"
    return None


def way(symbols: Symbols, name: str, of: Type, word: str) -> str | None:
    """How a member is reached from something with a name: its own, or that of a thing that a field of it leads to."""
    kind = symbols.kind_of(of.name) if of.how == "kind" else None
    if kind is None:
        return None
    if word in (*kind.fields, *kind.places, *kind.values):
        return f"{name}.{word}"
    for field in kind.fields.values():
        other = symbols.kind_of(field.type.name) if field.type.how == "kind" else None
        if other is not None and word in (*other.fields, *other.places, *other.values):
            return f"{name}.{field.name}.{word}"
    return None


def misfit(symbols: Symbols, node: Any, found: Type, wanted: Type) -> str | None:
    """What to write where something of another type is wanted."""
    if wanted == FLAG and many(found):
        return whether_any(node)
    return counting(node, found, wanted) or leading(symbols, node, found, wanted)


def leading(symbols: Symbols, node: Any, found: Type, wanted: Type) -> str | None:
    """What to write where a thing of one kind stands, and one of another kind is wanted that it leads to: by a field, or as one of those in a place of it."""
    kind, base = symbols.kind_of(found.name) if found.how == "kind" else None, said(node)
    if kind is None or base is None or wanted.how != "kind":
        return None
    for name, field in kind.fields.items():
        if field.type.how == "kind" and symbols.inherits(field.type.name, wanted.name):
            return f"write: {base}.{name}"
    for place in kind.places.values():
        held = symbols.noun(place.holds) if place.holds else None
        if held is not None and symbols.inherits(str(held), wanted.name):
            return f"write, for one of those there: the first {wanted.name} in {base}.{place.name}"
    return f"give it {shown(wanted)}"


def behind(symbols: Symbols, node: Any, found: Type, wanted: Type, type_of: Function[[Callable], Type]) -> str | None:
    """What of a thing is of the kind that it was compared with, one or two members away; `type_of` values is asked for."""
    base = said(node)
    if base is None or found.how != "kind" or wanted.how != "kind":
        return None
    ways = [(base, found)]
    for _ in range(2):
        further: list[tuple[str, Type]] = []
        for way, of in ways:
            kind = symbols.kind_of(of.name) if of.how == "kind" else None
            if kind is None:
                continue
            further += [(f"{way}.{name}", field.type) for name, field in kind.fields.items()]
            further += [(f"{way}.{name}", type_of(value)) for name, value in kind.values.items() if not value.parameters]
        for way, of in further:
            if of.how == "kind" and (symbols.inherits(of.name, wanted.name) or symbols.inherits(wanted.name, of.name)):
                return way
        ways = further
    return None


def each_of(symbols: Symbols, effect: Callable) -> str:
    """An effect where the things of a `for each` are named."""
    of = effect.parameters[0].type if effect.parameters else None
    if of is None or of.how != "kind":
        return f"to let it happen several times write: repeat 3 times: {effect.path}(...)"
    more = ", ..." if len(effect.parameters) > 1 else ""
    return f"to let it happen to each write: for each {of.name} in {symbols.plural(of.name)}: {effect.path}({of.name}{more})"


def words(wanted: Type | None) -> str | None:
    """The values that a word could have been."""
    known = element(wanted).words if wanted is not None else ()
    return f"it can be {listed(known, 'or')}" if known else None


def no_event(symbols: Symbols, path: str, sort: str) -> str | None:
    """What to hook, or to write, where something is hooked to which nothing happens."""
    head = path.partition(".")[0]
    if path in symbols.numbers:
        return f"'{path}' is a number; in a layer write: set {path} to N"
    if path in symbols.effects or path in symbols.actions:
        return "effects are hooked with 'before', 'after' and 'instead of'"
    if path in symbols.values:
        return "values are changed with 'change'"
    if path in symbols.tracks:
        return f"'{path}' is a track; write: after {path}.advance: ..., or: when {path} reaches SPACE: ..."
    if path in symbols.places:
        return f"'{path}' is a place; write: when {path} runs out: ..., or hook the effect that moves things there"
    if path in ONLY_IF_DECLARED and sort != "value":
        return f"declare it: phase {path}: ..."
    if head in symbols.definitions or head in symbols.kinds:
        own = [each for each in (*symbols.effects, *symbols.actions) if each.startswith(f"{head}.")]
        what = f"'{head}' is {with_article(symbols.definitions[head].kind)}" if head in symbols.definitions else f"'{head}' is a kind"
        if own:
            return f"{what}; what happens with it is {listed(own, 'or')}"
        alike = [each for each in (*symbols.effects, *symbols.actions) if head in each.rpartition(".")[2].split("_")]
        such = f", such as {listed(alike, 'or')}" if alike else ""
        return f"{what}, and nothing happens with it by itself; hook an effect{such}"
    return None


def not_within(core: Any, of: Type, other: Any, how: str) -> str | None:
    """Whether a field with a range is compared with a number that makes the answer plain: 'always' or 'never'."""
    number = other.get("value") if other.get("op") == "const" else None
    if core.get("op") != "field" or type(number) is not int or of.how != "number" or of.low is None or of.high is None or of.optional:
        return None
    holds = {
        "=": of.low <= number <= of.high, "!=": of.low <= number <= of.high, "<": of.low < number, "<=": of.low <= number, ">": of.high > number,
        ">=": of.high >= number,
    }[how]  # fmt: skip
    if not holds:
        return "always" if how == "!=" else "never"
    always = {"<": of.high < number, "<=": of.high <= number, ">": of.low > number, ">=": of.low >= number}.get(how, False)
    return "always" if always else None


def wanted(target: Callable) -> str:
    """How something is called."""
    return f"write: {target.path.rpartition('.')[2]}({', '.join(parameter.name for parameter in target.parameters)})"


def irregular(symbols: Symbols, word: str) -> str | None:
    """A plural made by rule of something that has another one."""
    for name in (*symbols.kinds, *symbols.definitions):
        if pluralised(name) == word and symbols.plural(name) != word:
            return f"several of them are called '{symbols.plural(name)}'"
    return None


def several(node: t.Call, target: Callable) -> str | None:
    """Too many arguments where one of the parameters takes several things."""
    sets = [at for at, parameter in enumerate(target.parameters) if many(parameter.type)]
    more = len(node.arguments) - len(target.parameters)
    if len(sets) != 1 or more < 1:
        return None
    told = [said(argument) or "..." for argument in node.arguments]
    first, last = sets[0], sets[0] + more + 1
    return f"several things stand in brackets: {target.path.rpartition('.')[2]}({', '.join([*told[:first], '(' + ', '.join(told[first:last]) + ')', *told[last:]])})"


def no_place(node: Any) -> str:
    """Something where a place was wanted: often the top or the bottom of one."""
    if isinstance(node, t.Quantified) and node.how in ("top", "bottom") and (place := said(node.query)) is not None:
        return f"write: to {place}{' at the bottom' if node.how == 'bottom' else '; things go on top anyway'}"
    return "things are moved to a place, or to a component whose kind is a place"


def no_number_moved(node: Any, of: Type) -> str | None:
    """A number where things were to be moved."""
    if of.how != "number":
        return f"name what moves: move a THING from PLACE to PLACE, not {shown(of)}"
    return f"to move so many things write: move exactly ({said(node) or 'N'}) THINGS from PLACE to PLACE"
