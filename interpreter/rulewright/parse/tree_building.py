"""From grammar rules to tree nodes: one small function a grammar rule.

The parser hands every function the span of what was read and its children, keywords and punctuation left out. `RULES` is the table from the name
of a rule (or alias) in `grammar.lark` to its function; a test keeps the two complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Span, complain

Function = Callable[..., Any]
MOST_CITED = 100  # rules that one range takes in: more is a slip


class Unreadable(Exception):
    """What was read has the form of a rule and cannot be one; raised inside a parse and caught around it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


class Part(tuple[str, Any]):
    """A named piece of a declaration (its label, its copies ...), collected by the rule above it."""


class Notes(tuple[Part, ...]):
    """What a declaration of one line says about itself at its end: its citations, its source."""


def part(name: str) -> Function:
    """A function that names its first child."""
    return lambda span, *children: Part((name, children[0] if children else True))


def only(span: Span, child: Any) -> Any:
    """The single child as it is."""
    return child


def many(span: Span, *children: Any) -> tuple[Any, ...]:
    """All children as a tuple."""
    return children


def split(children: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Children that are named parts, and the others."""
    rest: list[Any] = []
    parts: dict[str, Any] = {}
    for child in children:
        if isinstance(child, Part):
            parts[child[0]] = child[1]
        elif isinstance(child, Notes):
            parts |= dict(child)
        else:
            rest.append(child)
    return rest, parts


def make(node: type[t.Node], *names: str) -> Function:
    """A function that makes a node of its children: the others by position under the given names, the named parts by their own."""

    def build(span: Span, *children: Any) -> t.Node:
        rest, parts = split(children)
        return node(span, **dict(zip(names, rest, strict=False)), **parts)

    return build


def listing(node: type[t.Node], name: str, *first: str) -> Function:
    """Like `make`, but all children after the first ones are one tuple."""

    def build(span: Span, *children: Any) -> t.Node:
        rest, parts = split(children)
        return node(span, **dict(zip(first, rest, strict=False)), **{name: tuple(rest[len(first) :])}, **parts)

    return build


def fixed(node: type[t.Node], *names: str, **given: Any) -> Function:
    """Like `make`, with some fields given by the rule itself."""

    def build(span: Span, *children: Any) -> t.Node:
        rest, parts = split(children)
        return node(span, **dict(zip(names, rest, strict=False)), **parts, **given)

    return build


# ---- words ----------------------------------------------------------------------------------------------------------------------------


ESCAPED = re.compile(r'\\(["\\{}])')


def unquote(inner: str) -> str:
    """The characters between the quotes of a text."""
    return ESCAPED.sub(r"\1", inner)


# ---- expressions ----------------------------------------------------------------------------------------------------------------------


def clause(how: str) -> Function:
    """A clause with an operand and named parts."""

    def build(span: Span, *children: Any) -> t.Clause:
        rest, parts = split(children)
        return t.Clause(span, how, rest[0] if rest else None, **parts)

    return build


def noun(span: Span, *children: Any) -> t.Expr:
    """Adjectives, a noun and clauses."""
    words = tuple(child for child in children if isinstance(child, str))
    return t.Query(span, words, None, tuple(children[len(words) :]))


def narrowed(span: Span, base: t.Expr, *clauses: t.Clause) -> t.Expr:
    """A name or expression with clauses."""
    if isinstance(base, t.Name):
        return t.Query(span, (base.word,), None, clauses)
    return t.Query(span, (), base, clauses)


def ordered_query(span: Span, query: t.Expr, *orders: t.Order) -> t.Expr:
    """A query with an order."""
    clauses = (t.Clause(span, "ordered", orders=orders),)
    if isinstance(query, t.Query):
        return t.Query(span, query.words, query.base, query.clauses + clauses)
    return narrowed(span, query, *clauses)


def operand_of(span: Span, word: str, of: t.Expr) -> t.Expr:
    if word == "count":
        return t.Quantified(span, "count", of)
    return t.Query(span, (word,), None, (t.Clause(span, "of", of),))


def operand_noun(span: Span, *children: Any) -> t.Expr:
    words = tuple(child for child in children if isinstance(child, str))
    of = children[len(words) :]
    return t.Query(span, words, None, tuple(t.Clause(span, "of", operand) for operand in of))


def quantify(span: Span, how: str, query: t.Expr) -> t.Expr:
    return t.Quantified(span, "a" if how == "an" else how, query)


def quantified(how: str) -> Function:
    return lambda span, query: t.Quantified(span, how, query)


def counted(how: str) -> Function:
    return lambda span, amount, query: t.Quantified(span, how, query, amount)


def ranked_number(span: Span, how: str, amount: str, query: t.Expr) -> t.Expr:
    return t.Quantified(span, how, query, t.Number(span, int(amount)))


DISTRIBUTED = {"any", "every", "no", "all"}


def compare(op: str) -> Function:
    """A comparison; `no coin is spent` asks the comparison of each thing."""

    def build(span: Span, left: t.Expr, right: t.Expr) -> t.Expr:
        if isinstance(left, t.Quantified) and left.how in DISTRIBUTED and left.body is None:
            how = "every" if left.how == "all" else left.how
            return t.Quantified(span, how, left.query, None, t.Compare(span, op, t.Name(left.span, "it"), right))
        return t.Compare(span, op, left, right)

    return build


def is_one_of(op: str) -> Function:
    """`X is one of A, B`: any of the comparisons; `is not one of`: none of them."""

    def build(span: Span, left: t.Expr, *rest: t.Expr) -> t.Expr:
        parts = tuple(compare(op)(right.span, left, right) for right in rest)
        return parts[0] if len(parts) == 1 else t.Logic(span, "or" if op == "is" else "and", parts)

    return build


def compare_by_sign(span: Span, left: t.Expr, op: str, right: t.Expr) -> t.Expr:
    result: t.Expr = compare(op)(span, left, right)
    return result


def arithmetic(op: str) -> Function:
    return lambda span, left, right: t.Arithmetic(span, op, left, right)


def negative(span: Span, value: t.Expr) -> t.Expr:
    return t.Arithmetic(span, "-", t.Number(span, 0), value)


def path_literal(span: Span, *words: str) -> t.Expr:
    value: t.Expr = t.Name(span, words[0])
    for word in words[1:]:
        value = t.Dot(span, value, word)
    return value


# ---- statements -----------------------------------------------------------------------------------------------------------------------


def block(span: Span, *statements: Any) -> t.Block:
    return t.Block(span, statements)


def inline_if(span: Span, test: t.Expr, then: Any) -> t.If:
    return t.If(span, test, t.Block(then.span, (then,)))


def inline_unless(span: Span, test: t.Expr, then: Any) -> t.If:
    return t.If(span, t.Not(test.span, test), t.Block(then.span, (then,)))


def unless(span: Span, test: t.Expr, then: t.Block, other: t.Block | None = None) -> t.If:
    return t.If(span, t.Not(test.span, test), then, other)


def else_if(span: Span, test: t.Expr, then: t.Block, other: t.Block | None = None) -> t.Block:
    return t.Block(span, (t.If(span, test, then, other),))


def case(span: Span, *children: Any) -> t.Case:
    return t.Case(span, tuple(children[:-1]), children[-1])


def choose(optional: bool = False, each: bool = False, secretly: bool = False) -> Function:
    def build(span: Span, *children: Any) -> t.Choose:
        rest, parts = split(children)
        if secretly:
            parts["secretly"] = True
        who, name, selection, options = rest
        return declined(t.Choose(span, name, selection, who, optional=optional, each=each, **{**options, **parts}))

    return build


def declined(node: t.Choose) -> t.Choose:
    """A choice; where `or "Keep it"` stands behind a test, the words are not a part of the test."""
    selection, text = without_words(node.selection)
    return msgspec.structs.replace(node, selection=selection, declining=text) if text is not None else node


def without_words(node: Any) -> tuple[Any, t.Text | None]:
    """An expression without the `or "..."` that it ends in, and the text."""
    if isinstance(node, t.Logic) and node.op == "or" and isinstance(node.parts[-1], t.Text):
        rest = node.parts[:-1]
        return rest[0] if len(rest) == 1 else t.Logic(node.span.to(rest[-1].span), "or", rest), node.parts[-1]
    for name in node.__struct_fields__[1:]:
        held = getattr(node, name)
        last = held[-1] if isinstance(held, tuple) and held else held
        if isinstance(last, t.Node) and (last.span.end_line, last.span.end_column) == (node.span.end_line, node.span.end_column):
            inner, text = without_words(last)
            if text is not None:
                return msgspec.structs.replace(node, **{name: (*held[:-1], inner) if isinstance(held, tuple) else inner}), text
    return node, None


def choice_options(span: Span, *children: Any) -> dict[str, Any]:
    return split(children)[1]


def choose_line(optional: bool) -> Function:
    def build(span: Span, *children: Any) -> t.Choose:
        rest, parts = split(children)
        return declined(t.Choose(span, rest[0], rest[1], None, optional=optional, **parts))

    return build


def choose_one(optional: bool) -> Function:
    def build(span: Span, who: t.Expr, *children: Any) -> t.ChooseOne:
        options, parts = split(children)
        return t.ChooseOne(span, who, tuple(options), optional, **parts)

    return build


def proceed(span: Span, *assigned: tuple[str, t.Expr]) -> t.Proceed:
    return t.Proceed(span, tuple(name for name, _ in assigned), tuple(value for _, value in assigned))


def citation(span: Span, *words: str | Part) -> tuple[t.Citation, ...]:
    """The rules that an id names: one, or those that a range at its end takes in."""
    *first, last = words
    if not isinstance(last, Part):
        return (t.Citation(span, ".".join(map(str, words))),)
    *before, low = map(str, first)
    high = last[1]
    written = f"{'.'.join((*before, low))}-{high}"
    if not low.isdigit() or not before:
        hint = "write 'cite ID.3-7' for the rules ID.3, ID.4 up to ID.7"
        raise Unreadable(complain("R101", f"'{written}' is no range of rules: '{low}' is not a number", span, hint=hint))
    amount = int(high) - int(low) + 1
    if amount < 2:
        other = "name the rule alone" if amount == 1 else f"write: {'.'.join((*before, high))}-{low}"
        raise Unreadable(complain("R402", f"the range '{written}' ends {'where' if amount == 1 else 'before'} it begins", span, hint=other))
    if amount > MOST_CITED:
        raise Unreadable(complain("R402", f"the range '{written}' is over {amount:,} rules; at most {MOST_CITED} can be cited at once", span))
    return tuple(t.Citation(span, ".".join((*before, str(number))), written) for number in range(int(low), int(high) + 1))


def further(span: Span, *numbers: str | Part) -> tuple[Span, tuple[str | Part, ...]]:
    return span, numbers


def citations(parts: Sequence[Any]) -> tuple[t.Citation, ...]:
    """Every rule of a line; a number alone continues the id before it."""
    found: list[t.Citation] = []
    for part in parts:
        if isinstance(part[0], t.Citation):
            found += part
            continue
        where, numbers = part
        beginning, _, last = found[-1].id.rpartition(".")
        if not last.isdigit():
            message = f"'{numbers[0]}' does not go on from '{found[-1].id}', which does not end in a number"
            raise Unreadable(complain("R101", message, where, hint="write the whole id"))
        found += citation(where, *beginning.split("."), *numbers)
    return tuple(found)


def cite(span: Span, *parts: Any) -> t.Cite:
    return t.Cite(span, citations(parts))


def cited(span: Span, *parts: Any) -> Part:
    return Part(("cites", (cite(span, *parts),)))


def noting(span: Span, *notes: Any) -> Notes:
    cites, parts = [each for each in notes if isinstance(each, tuple)], [each for each in notes if isinstance(each, t.SourcePart)]
    return Notes([*([cited(span, *cites)] if cites else []), *([Part(("source", t.Source(span, tuple(parts))))] if parts else [])])


def log(span: Span, words: t.Text, to: t.Expr | None = None) -> t.Log:
    return t.Log(span, words, to)


# ---- declarations ---------------------------------------------------------------------------------------------------------------------


def labelled(text: t.Text) -> dict[str, Any]:
    """The label of a component or action as it is written; and as a text, if something in it is filled in."""
    if all(isinstance(part, str) for part in text.parts):
        return {"label": "".join(map(str, text.parts)), "title": None}
    label = "".join(part if isinstance(part, str) else f"{{{getattr(part, 'word', '...')}}}" for part in text.parts)
    return {"label": label, "title": text}


def title(span: Span, text: t.Text) -> Notes:
    return Notes(Part(part) for part in labelled(text).items())


def component(span: Span, kind: str, name: str, *children: Any) -> t.ComponentDecl:
    rest, parts = split(children)
    return t.ComponentDecl(span, kind, name, **parts, **(labelled(rest[0]) if rest else {}))


def one_for_each(span: Span, word: str, *fields: t.EachOf) -> t.OneForEach:
    if word != "one":
        hint = "write: one for each FIELD, FIELD ...; with x2 behind the name there are two of each"
        raise Unreadable(complain("R101", f"'{word} for each' makes no copies", span, hint=hint))
    return t.OneForEach(span, fields)


def members(span: Span, *children: Any) -> Part:
    return Part(("members", children))


def place(span: Span, *children: Any) -> t.PlaceDecl:
    rest, parts = split(children)
    shape = parts.pop("shape", ("area", None))
    of = rest[1] if len(rest) > 1 else None
    return t.PlaceDecl(span, rest[0], of=of, shape=shape[0], holds=shape[1], **parts)


def place_shape(span: Span, shape: str, holds: str | None = None) -> Part:
    return Part(("shape", (shape, holds)))


def face(span: Span, value: str, *copies: Part) -> t.Face:
    """One face; how many of it there are may be a number that has a name."""
    return t.Face(span, int(value) if value.isdigit() else value, **dict(copies))


def die(span: Span, what: str, name: str, *children: Any) -> t.DieDecl:
    rest, parts = split(children)
    return t.DieDecl(span, what, name, tuple(rest), **parts)


def grid(span: Span, name: str, kind: str, rows: str, columns: str, *notes: Notes) -> t.GridDecl:
    return t.GridDecl(span, name, kind, int(rows), int(columns), **split(notes)[1])


def field_decl(span: Span, name: str, of: t.TypeRef, *children: Any) -> t.FieldDecl:
    rest, parts = split(children)
    return t.FieldDecl(span, name, of, tuple(rest), **parts)


def field_line(span: Span, name: str, values: tuple[t.Expr, ...] = ()) -> t.FieldLine:
    return t.FieldLine(span, name, values)


def kind_line(how: str) -> Function:
    return lambda span, value: t.KindLine(span, how, value)


def holds_line(span: Span, amount: str, kind: str) -> t.KindLine:
    return t.KindLine(span, "holds", t.Name(span, kind), int(amount))


def type_(span: Span, base: t.TypeRef, none: str | None = None) -> t.TypeRef:
    return msgspec.structs.replace(base, optional=True) if none else base


def type_of(how: str) -> Function:
    return lambda span: t.TypeRef(span, how)


def type_name(span: Span, name: str) -> t.TypeRef:
    return t.TypeRef(span, "name", name)


def type_range(span: Span, low: str, high: str) -> t.TypeRef:
    return t.TypeRef(span, "range", low=int(low), high=int(high))


def type_words(span: Span, *words: str) -> t.TypeRef:
    return t.TypeRef(span, "words", words=tuple(int(word) if word.isdigit() else word for word in words))


def type_sort(span: Span, word: str, kind: str) -> t.TypeRef:
    if word != "sort":
        hint = f"write '{kind}' for one of them, 'set of {kind}' for several, 'sort of {kind}' for what it is called"
        raise Unreadable(complain("R101", f"'{word} of {kind}' is no type", span, hint=hint))
    return t.TypeRef(span, "sort", kind)


def type_many(how: str) -> Function:
    return lambda span, of: t.TypeRef(span, how, of=of)


def effect(what: str) -> Function:
    def build(span: Span, *children: Any) -> t.EffectDecl:
        rest, parts = split(children)
        body = rest[-1] if isinstance(rest[-1], t.Block) else None
        return t.EffectDecl(span, what, rest[0], body=body, **parts)

    return build


def value(span: Span, *children: Any) -> t.ValueDecl:
    rest, parts = split(children)
    return t.ValueDecl(span, rest[0], value=rest[1] if len(rest) > 1 else None, **parts)


def value_block(span: Span, *children: Any) -> t.ValueDecl:
    rest, parts = split(children)
    body = tuple(rest[1:])
    return t.ValueDecl(span, rest[0], body=t.Block(body[0].span.to(body[-1].span), body), **parts)


def hook(span: Span, timing: str, *children: Any) -> t.HookDecl:
    rest, parts = split(children)
    names = parts.pop("names", None)
    return t.HookDecl(span, timing, rest[0], names, rest[1], **parts)


def instead_hook(span: Span, *children: Any) -> t.HookDecl:
    return hook(span, "instead", *children)


def hook_names(span: Span, *names: str) -> Part:
    return Part(("names", tuple(t.Parameter(span, name) for name in names)))


def reaches(span: Span, track: t.Expr, space: str, body: t.Block) -> t.Reaches:
    name = track.word if isinstance(track, t.Name) else "?"
    return t.Reaches(span, name, int(space) if space.isdigit() else space, body)


def change_value(span: Span, *children: Any) -> t.ChangeDecl:
    rest, parts = split(children)
    return t.ChangeDecl(span, rest[0], parts.pop("names", None), rest[1], **parts)


def change_block(span: Span, *children: Any) -> t.ChangeDecl:
    rest, parts = split(children)
    body = tuple(rest[1:])
    return t.ChangeDecl(span, rest[0], parts.pop("names", None), None, body=t.Block(body[0].span.to(body[-1].span), body), **parts)


def cost_change(span: Span, target: str, item: t.CostItem, *children: Any) -> t.CostChange:
    lines, parts = split(children)
    return t.CostChange(span, target, item, **{"cites": tuple(lines), **parts})


def reaction(span: Span, *children: Any) -> t.Reaction:
    rest, parts = split(children)
    names, lines = parts.pop("names", None), parts.pop("lines")
    name = rest.pop(0) if len(rest) == 3 else None
    return t.Reaction(span, rest[0], names, rest[1], lines, name, **parts)


def member_value(span: Span, name: str, expression: t.Expr) -> t.MemberDef:
    return t.MemberDef(span, name, value=expression)


def member_effect(span: Span, name: str, body: t.Block) -> t.MemberDef:
    return t.MemberDef(span, name, body=body)


def insert(span: Span, name: str, where: str, path: str, body: t.Block) -> t.Insert:
    return t.Insert(span, t.Step(span, name, body), where, path)


def header_players(span: Span, *children: Any) -> Notes:
    """For how many players a lone file is: the least and the most, and how many usually play."""
    numbers, parts = split(children)
    return Notes((Part(("players", (int(numbers[0]), int(numbers[-1])))), *map(Part, parts.items())))


def number(span: Span, name: str, amount: int, *notes: Notes) -> t.NumberDecl:
    return t.NumberDecl(span, name, amount, **split(notes)[1])


def state(span: Span, name: str, of: t.TypeRef, *children: Any) -> t.StateDecl:
    rest, parts = split(children)
    return t.StateDecl(span, name, of, tuple(rest), **parts)


def left_open(build: Function) -> Function:
    """A function for what is left to each game: it looks like what the games declare, without what they say."""
    return lambda span, *children: t.LeftOpen(span, build(span, *children))


def word_list(node: type[t.WordsDecl] | type[t.AddWords]) -> Function:
    """A function for words that are listed."""

    def build(span: Span, name: str, *children: Any) -> t.Node:
        words, parts = split(children)
        return node(span, name, tuple(int(word) if word.isdigit() else word for word in words), **parts)

    return build


def while_(span: Span, test: t.Expr, *inside: Any) -> t.While:
    return t.While(span, test, inside)


def until(span: Span, event: str, *inside: Any) -> t.Until:
    return t.Until(span, event, inside)


def set_(span: Span, target: t.Expr, given: t.Expr, event: str | None = None) -> t.Set:
    return t.Set(span, target, given, event)


def remove_item(span: Span, what: t.Expr) -> t.RemoveItem:
    """`remove card from marked`: what stands before `from` is taken out of what stands behind it."""
    query = what.query if isinstance(what, t.Quantified) else what
    clauses = query.clauses if isinstance(query, t.Query) else ()
    target = next((clause.operand for clause in reversed(clauses) if clause.how == "in"), None)
    if isinstance(what, t.Quantified) and what.how in ("first", "last", "top", "bottom") and not isinstance(query, t.Query | t.Name):
        target = query  # the first of a list
    if isinstance(what, t.Query) and len(clauses) == 1 and target is not None and len(what.words) < 2:
        return t.RemoveItem(span, what.base if what.base is not None else t.Name(what.span, what.words[0]), target)
    return t.RemoveItem(span, what, target)


def offer(span: Span, *children: Any) -> t.Offer:
    rest, parts = split(children)
    return t.Offer(span, rest[0], parts.get("groups", ()), tuple(rest[1:]))


def draw(span: Span, what: t.Expr, *children: Any) -> t.Draw:
    rest, parts = split(children)
    if not rest and "name" not in parts:
        what, parts = drawn_as(what)
    return t.Draw(span, what, rest[0] if rest else None, **parts)


def drawn_as(what: Any) -> tuple[t.Expr, dict[str, Any]]:
    """`draw a card from deck where it is a spell as found`: an `as` at the very end names what is drawn, and not what the test is about."""
    if isinstance(what, t.Quantified):
        query, parts = drawn_as(what.query)
        return msgspec.structs.replace(what, query=query), parts
    last = what.clauses[-1] if isinstance(what, t.Query) and what.clauses else None
    test = last.operand if last is not None and last.how == "where" else None
    tests = test.parts if isinstance(test, t.Logic) else (test,)
    found = tests[-1]
    if last is None or not isinstance(found, t.Narrow):
        return what, {}
    plain = t.Compare(found.span, "is", found.thing, found.kind)
    where = msgspec.structs.replace(test, parts=(*tests[:-1], plain)) if isinstance(test, t.Logic) else plain
    clauses = (*what.clauses[:-1], msgspec.structs.replace(last, operand=where))
    return msgspec.structs.replace(what, clauses=clauses), {"name": found.name}


RULES: dict[str, Function] = {
    "declaration": only, "expression": only, "statements": many,
    "word": only, "path": lambda span, *words: ".".join(words), "words": many, "paths": many, "label": lambda span, raw: Part(("label", unquote(raw[1:-1]))),
    "title": title, "kind_name": only, "timing": only, "removable": only, "die_word": only, "adjust_word": only, "end_word": only, "outcome_word": only,
    "plain_word": only, "compare_op": only, "quantifier": only, "rank": only, "measure_word": only, "cost_how": part("how"),
    # headers and layers
    "layer_header": fixed(t.Header, "name", "parents", what="layer"), "ruleset_header": fixed(t.Header, "name", what="ruleset"),
    "players": header_players, "usually": lambda span, amount: Part(("usual", int(amount))),
    "parents": many, "parent": lambda span, said: unquote(said[1:-1]) if said[0] == '"' else said,
    "replace": make(t.Replace, "declaration"), "remove": make(t.Remove, "what", "paths"),
    "replace_in": make(t.ReplaceIn, "what", "path", "was", "now"), "lined": only, "was_lines": only, "now_lines": only, "lines": many,
    "remove_all": lambda span, kind, cited: t.Remove(span, "all", (kind,), cited[1]), "insert": insert, "change": make(t.Change, "path", "values", "was"),
    "change_cites": lambda span, *cites: Part(("cites", cites)), "cited": cited, "noted": only, "noting": noting,
    "add_to_kind": fixed(t.AddTo, "path", is_kind=True), "add_to_component": fixed(t.AddTo, "path", is_kind=False),
    "more": make(t.More, "path"), "more_body": members,
    "left_effect": left_open(effect("effect")), "left_phase": left_open(effect("phase")), "left_value": left_open(value),
    "left_number": left_open(lambda span, name: t.NumberDecl(span, name, 0)), "left_kind": left_open(fixed(t.KindDecl, "name")),
    "left_component": left_open(component), "left_die": left_open(die),
    # kinds and components
    "kind": fixed(t.KindDecl, "name"), "kind_is": part("parent"), "kind_plural": part("plural"),
    "kind_links": lambda span, left, right: Part(("links", (left, right))), "kind_body": members, "field_decl": field_decl, "field_line": field_line,
    "starts_line": kind_line("starts"), "decided_line": kind_line("decided"), "hidden_line": kind_line("hidden"), "described_line": kind_line("described"),
    "actions_line": kind_line("actions"), "holds_line": holds_line, "seen_by": part("seen_by"), "untold": lambda span: Part(("untold", True)),
    "one_for_each": one_for_each, "each_of": make(t.EachOf, "name", "of"),
    "component": component, "copies": lambda span, raw: Part(("copies", int(raw[1:]))), "in_place": part("place"),
    "link_ends": lambda span, left, right: Part(("ends", (left, right))), "component_body": members, "member_effect": member_effect,
    "member_value": member_value, "while": while_, "place": place, "place_shape": place_shape, "place_seen": part("seen_by"),
    "place_capacity": lambda span, amount: Part(("capacity", int(amount))), "die": die, "face": face, "named_copies": part("named"), "grid": grid, "grid_shape": part("shape"), "number": number, "state": state,
    "signed": lambda span, raw: int(raw), "signed_negative": lambda span, raw: -int(raw),
    "type": type_, "or_none": lambda span, *words: "none", "type_flag": type_of("flag"), "type_number": type_of("number"), "type_text": type_of("text"), "type_range": type_range,
    "type_set": type_many("set"), "type_list": type_many("list"), "type_name": type_name, "type_words": type_words, "type_word": only, "type_sort": type_sort,
    # effects, values, actions
    "effect": effect("effect"), "open_effect": effect("effect"), "phase": effect("phase"), "gives": part("gives"),
    "parameters": lambda span, *parameters: Part(("parameters", parameters)), "parameter": make(t.Parameter, "name", "type"),
    "value": value, "value_block": value_block, "open_value": value,
    "action": fixed(t.ActionDecl, "name"), "groups": lambda span, *words: Part(("groups", words)),
    "action_body": lambda span, *lines: Part(("lines", lines)), "by": make(t.By, "kind"), "cost": make(t.Cost, "items"), "cost_items": many,
    "cost_item": make(t.CostItem, "amount", "name", "arguments"), "cost_amount": only, "once": make(t.Once, "event"), "do": make(t.Do, "body"),
    "choose_line": choose_line(False), "choose_line_optional": choose_line(True), "cost_decl": fixed(t.CostDecl, "name"),
    # hooks
    "hook": hook, "instead_hook": instead_hook, "first": part("first"), "hook_names": hook_names, "hook_when": part("when"),
    "hook_once": part("once"), "runs_out": make(t.RunsOut, "place", "body"), "reaches": reaches, "change_value": change_value,
    "change_block": change_block, "cost_change": cost_change, "rule": make(t.RuleDecl, "name", "hook"),
    "words_decl": word_list(t.WordsDecl), "add_to_words": word_list(t.AddWords), "reaction": reaction,
    # statements
    "block": block, "inline_if": inline_if, "inline_unless": inline_unless, "let": make(t.Let, "name", "value"),
    "roll": make(t.Roll, "die"), "several": listing(t.Several, "parts"), "set": set_, "adjust": make(t.Adjust, "how", "target", "amount"),
    "add_item": make(t.AddItem, "what", "target"), "remove_item": remove_item,
    "move": make(t.Move, "what", "to"), "position": part("position"), "draw": draw, "draw_as": part("name"), "swap": make(t.Swap, "left", "right"),
    "shuffle": make(t.Shuffle, "place"), "show": make(t.Show, "what", "to"), "reveal": make(t.Show, "what"), "log": log, "heading": lambda span, words: t.Log(span, words, None, True), "end": make(t.End),
    "outcome": make(t.Outcome, "how", "player", "because"), "score": make(t.Score, "who", "points"), "win_by_score": make(t.WinByScore, "best"), "best": only, "give": make(t.Give, "value"), "plain": make(t.Plain, "word"), "proceed": proceed,
    "assign": lambda span, name, given: (name, given), "advance": make(t.Advance, "track", "amount"), "perform": make(t.Perform, "call"),
    "pay": make(t.Pay, "who", "costs"), "choose": choose(), "choose_optional": choose(optional=True), "choose_each": choose(each=True),
    "choose_each_secretly": choose(each=True, secretly=True), "choice_options": choice_options, "secretly": part("secretly"),
    "asking": part("asking"), "declining": part("declining"), "require": make(t.Require, "test", "because"), "cite": cite,
    "citation": citation, "further": further, "range": part("range"), "source": listing(t.Source, "parts"), "source_part": make(t.SourcePart, "word"), "source_for": make(t.SourcePart, "word", "field"), "was": make(t.Was, "value"), "if": make(t.If, "test", "then", "other"),
    "unless": unless, "other": only, "else_if": else_if, "match": listing(t.Match, "cases", "value"), "case": case,
    "case_else": lambda span, body: t.Case(span, (), body), "kind_pattern": lambda span, kind: t.Quantified(span, "a", t.Name(span, kind)),
    "for_each": make(t.ForEach, "query", "body"), "each_secretly": make(t.EachSecretly, "query", "body"), "once_flag": part("at_once"), "up_to_number": part("to"), "repeat": make(t.Repeat, "body"),
    "repeat_times": lambda span, times, body: t.Repeat(span, body, times), "repeat_until": lambda span, test, body: t.Repeat(span, body, None, test),
    "step": make(t.Step, "name", "body"), "at_once": make(t.AtOnce, "body"), "until": until, "try": make(t.Try, "call", "then", "other"),
    "choose_one": choose_one(False), "choose_one_optional": choose_one(True), "option": make(t.Option, "label", "body"),
    "option_cost": part("costs"), "ask": make(t.Ask, "who", "question", "yes", "no"), "offer": offer,
    # selections and expressions
    "one_of": listing(t.OneOf, "parts"), "number_from": make(t.NumberFrom, "low", "high"), "up_to": counted("up_to"), "exactly": counted("number"),
    "any_number": quantified("any_number"), "quantity": only, "conditional": make(t.Conditional, "yes", "test", "no"),
    "any_of": lambda span, *parts: t.Logic(span, "or", parts), "all_of": lambda span, *parts: t.Logic(span, "and", parts),
    "negation": make(t.Not, "part"), "after": make(t.After, "value", "call"), "compare": compare_by_sign, "is_": compare("is"), "is_as": make(t.Narrow, "thing", "kind", "name"), "is_not": compare("is not"), "is_in": compare("is in"), "is_one_of": is_one_of("is"), "is_not_one_of": is_one_of("is not"),
    "is_not_in": compare("is not in"), "holds": compare("holds"), "holds_only": compare("holds only"), "plus": arithmetic("+"),
    "minus": arithmetic("-"), "times": arithmetic("*"), "divided": arithmetic("/"), "modulo": arithmetic("mod"), "negative": negative,
    "quantify": quantify, "count": quantified("count"), "the": quantified("the"), "ranked": quantify, "ranked_number": ranked_number,
    "number_of": counted("number"), "measure": make(t.Measure, "how", "value", "query"), "distance": make(t.Distance, "start", "goal"),
    "noun": noun, "narrowed": narrowed, "in_clause": clause("in"), "of_clause": clause("of"), "next_clause": clause("next"),
    "within_clause": lambda span, limit, of: t.Clause(span, "within", of, limit), "reachable_clause": clause("reachable"),
    "visible_clause": clause("visible"), "where_clause": clause("where"),
    "ordered_query": ordered_query, "within": part("limit"), "through": part("through"),
    "blocked": part("through"), "order": make(t.Order, "key"), "descending": fixed(t.Order, "key", descending=True),
    "choice": fixed(t.Order, "key", choice=True), "operand_of": operand_of, "the_operand": only, "operand_noun": operand_noun, "dot": make(t.Dot, "base", "word"),
    "call": make(t.Call, "target", "arguments"), "arguments": many, "name": make(t.Name, "word"), "group": only,
    "number_literal": lambda span, raw: t.Number(span, int(raw)), "literals": many, "settings": many, "path_literal": path_literal,
    "signed_literal": lambda span, amount: t.Number(span, amount),
}  # fmt: skip
