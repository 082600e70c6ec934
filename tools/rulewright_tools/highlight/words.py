"""The words of the grammar, by where they stand: at the beginning of a declaration, of a member, of a statement, as a type, or between other words.

Takes nothing but the Lark grammar, through its parse table; gives sorted lists. What one begins a line with is found by asking the parser what it would read there.
"""

from __future__ import annotations

from typing import NamedTuple

from rulewright.parse import lex
from rulewright.parse.parser import keywords
from rulewright_tools.lsp.words import expected

HERE = "zz_here"
BODIES = {
    "members": (
        "kind k:\n    ",
        "k c:\n    ",
        "k c:\n    while x:\n        ",
        "action a:\n    ",
        "replace in effect e:\n    ",
        "k c: \n    rule r: ",
    ),
    "statements": ("effect e():\n    ", "effect e():\n    if x: ", "replace in effect e:\n    was:\n        "),
    "types": ("kind k:\n    f: ", "effect e(x: "),
}


class Vocabulary(NamedTuple):
    """All words of the language, each in one list."""

    declarations: tuple[str, ...]
    members: tuple[str, ...]
    statements: tuple[str, ...]
    types: tuple[str, ...]
    others: tuple[str, ...]


def vocabulary() -> Vocabulary:
    """The words, as the grammar has them now."""
    found: dict[str, set[str]] = {"declarations": _words("")}
    for name, bodies in BODIES.items():
        found[name] = set().union(*(_words(body) for body in bodies))
    # Words that begin an expression begin a statement, too, which is one of its lines only by that.
    expression = _words("effect e():\n    let x = ")
    declarations, statements = found["declarations"], found["statements"] - found["declarations"] - expression
    members = found["members"] - declarations - statements - expression
    types = found["types"] - declarations - statements - members - expression
    others = keywords() - declarations - members - statements - types
    return Vocabulary(*(tuple(sorted(each)) for each in (declarations, members, statements, types, others)))


def signs() -> tuple[str, ...]:
    """The signs of the language, the longest first."""
    return tuple(sorted(lex.OPERATORS, key=lambda sign: (-len(sign), sign)))


def _words(before: str) -> set[str]:
    """The words that could stand behind a text."""
    closing = ")" * (before.count("(") - before.count(")"))
    lexed, _ = lex.lex(f"{before}{HERE}{closing}", "")
    tokens = lexed.chunks[0].tokens
    found = expected(tokens[: next(number for number, token in enumerate(tokens) if token.value == HERE)])
    return {word for word in found.keywords if word[0].isalpha()} if found is not None else set()
