"""Expressions in words: what a rule asks, counts, compares and chooses from, as markup.

Takes an expression of the syntax tree, gives what a rulebook would print: labels in place of names, words in place of signs. Every sort of expression has its
function in `PHRASES`; a test holds that table against the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright_tools.docs.lexicon import Lexicon, spaced
from rulewright_tools.page import escape

SIGNS = {
    "=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "contains": "holds",
}  # fmt: skip
OPPOSITE = {"is": "is not", "is not": "is", "is in": "is not in", "is not in": "is in", "=": "!=", "!=": "="}
OPERATIONS = {"+": "+", "-": "−", "*": "×", "/": "÷", "mod": "modulo"}
FIXED = {
    "it": "it",
    "none": "nothing",
    "true": "yes",
    "false": "no",
    "actor": "the actor",
    "result": "what it would be",
    "everyone": "everyone",
    "nobody": "nobody",
}
MARKUP = re.compile(r"<[^>]+>")


class Say:
    """Says expressions of one declaration: `this` is what `self` is called, `known` are the names that it has given to something."""

    def __init__(self, lexicon: Lexicon, this: str = "") -> None:
        self.lexicon = lexicon
        self.this = this or "this"
        self.known: set[str] = set()

    def __call__(self, node: Any) -> str:
        """An expression as markup."""
        return PHRASES[type(node)](self, node)

    def variable(self, name: str) -> str:
        """A name that a rule gives to something, and knows from then on."""
        self.known.add(name)
        return f"<i>{escape(self.called(name))}</i>"

    def called(self, name: str) -> str:
        """A name of a rule's own; where it is that of a kind, it is called as the kind is."""
        return self.lexicon.label(name) if name in self.lexicon.graph["kinds"] else spaced(name)

    def test(self, node: Any) -> str:
        """An expression that is asked: `lamp.lit` is then `lamp is lit`."""
        if isinstance(node, t.Dot) and node.word in self.lexicon.flags:
            return f"{self(node.base)} is {_part(self, node.word)}"
        return self(node)


def plain(markup: str) -> str:
    """The same without markup."""
    return MARKUP.sub("", markup)


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Parts as a list in a sentence."""
    return ", ".join(parts[:-1]) + f" {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


# -- names


def _name(say: Say, node: t.Name) -> str:
    return word(say, node.word)


def word(say: Say, name: str) -> str:
    """What a bare word stands for."""
    lexicon = say.lexicon
    if name == "self":
        return say.this
    if name in say.known:
        return f"<i>{escape(say.called(name))}</i>"
    if name in FIXED:
        return FIXED[name]
    if (key := lexicon.thing(name)) is not None:
        declared = lexicon.items[key].declaration
        if isinstance(declared, t.NumberDecl):
            return f'<span title="{escape(spaced(name))}">{lexicon.link(key, str(declared.value))}</span>'
        if isinstance(declared, t.KindDecl):
            return escape(lexicon.label(name))
        return lexicon.link(key, lexicon.label(name))
    if (kind := lexicon.plural_of(name)) is not None:
        return escape(lexicon.plural(kind)) if kind in lexicon.graph["kinds"] else lexicon.link(kind, lexicon.label(kind))
    if (key := lexicon.member(name)) is not None and name not in lexicon.fields:
        return lexicon.link(key, spaced(name))
    return escape(lexicon.fields.get(name) or lexicon.word(name))


def _dot(say: Say, node: t.Dot) -> str:
    if isinstance(node.base, t.Name) and node.base.word == "option" and "option" not in say.known:
        return f"the option {escape(spaced(node.word))}"
    return f"{_owner(say, node.base)} {_part(say, node.word)}"


def _owner(say: Say, base: t.Expr) -> str:
    if isinstance(base, t.Name) and base.word == "it" and "it" not in say.known:
        return "its"
    said = say(base)
    return f"{_braced(base, said)}’s" if not plain(said).endswith("s") or isinstance(base, t.Name) else f"{_braced(base, said)}’"


def _braced(node: t.Expr, said: str) -> str:
    return said if isinstance(node, t.Name | t.Dot | t.Call) else f"({said})"


def _part(say: Say, name: str) -> str:
    """A field, place or value of something."""
    lexicon = say.lexicon
    if name in lexicon.fields:
        return escape(lexicon.fields[name])
    if (key := lexicon.member(name)) is not None:
        return lexicon.link(key, spaced(name))
    owned = next((path for path in lexicon.graph["places"] if path.endswith(f".{name}")), None)
    return escape(lexicon.label(owned)) if owned is not None else escape(lexicon.word(name))


def _call(say: Say, node: t.Call) -> str:
    target = node.target
    if isinstance(target, t.Name):
        key = lexicon_key(say, target.word)
        said = say.lexicon.link(key, spaced(target.word)) if key is not None else word(say, target.word)
    else:
        said = say(target)
    return said + arguments(say, node.arguments)


def lexicon_key(say: Say, name: str) -> str | None:
    """What is called: an effect, a value, or a member that only one kind has."""
    return say.lexicon.doing(name) or say.lexicon.member(name)


def arguments(say: Say, given: Sequence[t.Expr]) -> str:
    """What something is called with."""
    return f' <span class="with">({", ".join(map(say, given))})</span>' if given else ""


# -- queries


def _query(say: Say, node: t.Query) -> str:
    clauses = node.clauses[1:] if _says_twice(say, node) else node.clauses
    return " ".join([*noun(say, node), *(clause(say, each) for each in clauses)])


def _says_twice(say: Say, node: t.Query) -> bool:
    """Whether it is `player in players`."""
    first = node.clauses[0] if node.clauses else None
    if first is None or first.how != "in" or not isinstance(first.operand, t.Name) or not node.words:
        return False
    return first.operand.word not in say.known and say.lexicon.plural_of(first.operand.word) == node.words[-1]


def noun(say: Say, node: t.Query) -> list[str]:
    """Adjectives and the noun."""
    if node.base is not None:
        return [_braced(node.base, say(node.base))]
    *adjectives, last = node.words
    known = last in say.known or say.lexicon.thing(last) is not None or say.lexicon.plural_of(last) is not None or last in FIXED
    return [
        *(word(say, each) for each in adjectives),
        word(say, last) if known else say.variable(last) if adjectives or node.clauses else word(say, last),
    ]


def clause(say: Say, node: t.Clause) -> str:
    """One narrowing."""
    if node.how == "ordered":
        return f"in order of {', then '.join(_order(say, each) for each in node.orders)}"
    assert node.operand is not None
    said = say.test(node.operand) if node.how == "where" else say(node.operand)
    through = f" through {_any_of(say, node.through)}" if node.through is not None and node.how != "visible" else ""
    match node.how:
        case "next":
            return f"next to {said}{through}"
        case "within":
            return f"within {say(node.limit)} of {said}"
        case "reachable":
            limit = f" within {say(node.limit)}" if node.limit is not None else ""
            return f"reachable from {said}{limit}{through}"
        case "visible":
            return f"visible from {said}" + (f" blocked by {_any_of(say, node.through)}" if node.through is not None else "")
    return f"{node.how} {said}"


def _any_of(say: Say, node: t.Expr) -> str:
    """What a way leads through: one thing, or any of a sort."""
    said = say(node)
    return article(said) if isinstance(node, t.Query) and node.words and say.lexicon.plural_of(node.words[-1]) is None else said


def _order(say: Say, node: t.Order) -> str:
    if node.choice:
        return f"the choice of {say(node.key)}"
    return say(node.key) + (" (highest first)" if node.descending else "")


def _quantified(say: Say, node: t.Quantified) -> str:
    said = say(node.query)
    amount = say(node.amount) if node.amount is not None else ""
    match node.how:
        case "a":
            told = article(said)
        case "count":
            told = f"the number of {said}"
        case "number":
            told = f"{amount} {said}"
        case "up_to":
            told = f"up to {amount} {said}"
        case "any_number":
            told = f"any number of {said}"
        case "first" | "last" | "top" | "bottom":
            told = " ".join(["the", node.how, *([amount] if amount else []), said])
        case _:
            told = f"{node.how} {said}"
    return f"{told} {_rest(say, node.body)}" if node.body is not None else told


def article(said: str) -> str:
    """With a or an before it."""
    start = plain(said)[:1].lower()
    return f"{'an' if start and start in 'aeiou' else 'a'} {said}"


def _rest(say: Say, node: t.Expr) -> str:
    """What is asked of each: the comparison without what stands before it."""
    return f"{_sign(node.op, node.right)} {say(node.right)}" if isinstance(node, t.Compare) else say(node)


def _measure(say: Say, node: t.Measure) -> str:
    return f"the {node.how} {say(node.value)} {'of' if node.how == 'total' else 'among'} {say(node.query)}"


def _distance(say: Say, node: t.Distance) -> str:
    through = f" through {say(node.through)}" if node.through is not None else ""
    return f"the distance from {say(node.start)} to {say(node.goal)}{through}"


# -- tests


def _compare(say: Say, node: t.Compare) -> str:
    if isinstance(node.right, t.Name) and node.right.word == "none" and node.op in ("is", "is not", "=", "!="):
        there = node.op in ("is not", "!=")
        if isinstance(node.left, t.Dot):
            part = _part(say, node.left.word)
            return f"{say(node.left.base)} has {article(part) if there else f'no {part}'}"
        left = say(node.left)
        return f"there is no {left.removeprefix('the ')}" if not there else f"there is {_some(node.left, left)}"
    return f"{_side(say, node.left)} {_sign(node.op, node.right)} {_side(say, node.right)}"


def _some(node: t.Expr, said: str) -> str:
    return article(said) if isinstance(node, t.Name) else said


def _sign(op: str, right: t.Expr) -> str:
    return SIGNS.get(op, op)


def _side(say: Say, node: t.Expr) -> str:
    return f"({say(node)})" if isinstance(node, t.Logic | t.Conditional | t.Compare) else say(node)


def _narrow(say: Say, node: t.Narrow) -> str:
    return f"{say(node.thing)} is {article(say(node.kind))} ({say.variable(node.name)})"


def _logic(say: Say, node: t.Logic) -> str:
    if (told := _one_of(say, node)) is not None:
        return told
    return f" {node.op} ".join(f"({say(part)})" if isinstance(part, t.Logic | t.Conditional) else say.test(part) for part in node.parts)


def _one_of(say: Say, node: t.Logic) -> str | None:
    """`x is a or x is b` is `x is a or b`."""
    wanted = "is" if node.op == "or" else "is not"
    parts = [part for part in node.parts if isinstance(part, t.Compare) and part.op == wanted]
    lefts = {say(part.left) for part in parts}
    if len(parts) < len(node.parts) or len(lefts) != 1:
        return None
    return (
        f"{lefts.pop()} {'is' if wanted == 'is' else 'is neither'} {joined([say(part.right) for part in parts], 'or' if wanted == 'is' else 'nor')}"
    )


def _not(say: Say, node: t.Not) -> str:
    part = node.part
    if isinstance(part, t.Compare) and part.op in OPPOSITE:
        return _compare(say, t.Compare(part.span, OPPOSITE[part.op], part.left, part.right))
    if isinstance(part, t.Quantified) and part.how == "any":
        return _quantified(say, t.Quantified(part.span, "no", part.query, part.amount, part.body))
    if isinstance(part, t.Dot) and part.word in say.lexicon.flags:
        return f"{say(part.base)} is not {_part(say, part.word)}"
    return f"not {say(part)}" if isinstance(part, t.Name | t.Dot | t.Call) else f"not ({say(part)})"


def _after(say: Say, node: t.After) -> str:
    return f"{_side(say, node.value)} after {say(node.call)}"


# -- where something comes from


def taken(node: Any) -> Any:
    """What is moved or drawn: it is taken from where it lies, not only something there."""
    if isinstance(node, t.Quantified):
        return replace(node, query=taken(node.query))
    if isinstance(node, t.Query) and node.clauses and node.clauses[0].how == "in":
        return replace(node, clauses=(replace(node.clauses[0], how="from"), *node.clauses[1:]))
    return node


# -- numbers and lists


def _arithmetic(say: Say, node: t.Arithmetic) -> str:
    if node.op == "-" and isinstance(node.left, t.Number) and node.left.value == 0:
        return f"−{_side(say, node.right)}"
    left, right = (f"({say(part)})" if isinstance(part, t.Arithmetic | t.Conditional) else say(part) for part in (node.left, node.right))
    return f"{left} {OPERATIONS[node.op]} {right}"


def _conditional(say: Say, node: t.Conditional) -> str:
    return f"{say(node.yes)} if {say.test(node.test)}, otherwise {say(node.no)}"


def text(say: Say, node: t.Text, quoted: bool = True) -> str:
    """A text with what is filled in."""
    said = "".join(escape(part) if isinstance(part, str) else f'<span class="hole">{say(part)}</span>' for part in say.lexicon.text(node.parts))
    return f"<q>{said}</q>" if quoted else said


def _roll(say: Say, node: t.Roll) -> str:
    return f"a roll of {say.lexicon.link(say.lexicon.thing(node.die), say.lexicon.label(node.die))}"


PHRASES: dict[type, Callable[[Say, Any], str]] = {
    t.Name: _name,
    t.Number: lambda say, node: str(node.value).replace("-", "−"),
    t.Text: text,
    t.Dot: _dot,
    t.Call: _call,
    t.Query: _query,
    t.Quantified: _quantified,
    t.Measure: _measure,
    t.Distance: _distance,
    t.Compare: _compare,
    t.Narrow: _narrow,
    t.Logic: _logic,
    t.Not: _not,
    t.After: _after,
    t.Arithmetic: _arithmetic,
    t.Conditional: _conditional,
    t.Roll: _roll,
    t.Several: lambda say, node: joined([say(part) for part in node.parts]),
    t.OneOf: lambda say, node: f"one of {joined([say(part) for part in node.parts], 'or')}",
    t.NumberFrom: lambda say, node: f"a number from {say(node.low)} to {say(node.high)}",
}
