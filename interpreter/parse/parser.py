"""Tokens to tree: the second half of parsing.

Takes the text of a rules file (or one expression, or some statements, for scenarios); gives its tree and what could not be read. Lark's LALR parser
runs over one top-level chunk at a time, so a mistake costs one report. Whether a word is a keyword is decided by what may stand at that point.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import Lexer

from interpreter import tree as t
from interpreter.diagnostics import Diagnostic, Span, complain, near_miss
from interpreter.limits import DEFAULT_LIMITS, Limits
from interpreter.parse import lex
from interpreter.parse.tree_building import RULES, unquote

BRACES = re.compile(r"\{([^{}]*)\}")
GRAMMAR = Path(__file__).with_name("grammar.lark")
ALWAYS_KEYWORDS = frozenset(["a", "an", "the", "any", "all", "every", "no", "not", "and", "or", "is", "if", "else", "where"])
OWN_LINE = frozenset({"match", "try", "step", "until", "ask"})
TOP_LEVEL = frozenset({"kind", "die", "track", "grid", "phase", "layer", "ruleset"})
STARTS = TOP_LEVEL | frozenset(
    [
        "place",
        "number",
        "effect",
        "value",
        "action",
        "cost",
        "before",
        "after",
        "instead",
        "when",
        "change",
        "reaction",
        "replace",
        "remove",
        "insert",
        "set",
        "add",
        "while",
        "until",
        "let",
        "increase",
        "decrease",
        "move",
        "draw",
        "swap",
        "shuffle",
        "show",
        "reveal",
        "log",
        "end",
        "win",
        "lose",
        "eliminate",
        "give",
        "stop",
        "nothing",
        "cancel",
        "leave",
        "skip",
        "proceed",
        "advance",
        "cite",
        "source",
        "was",
        "if",
        "unless",
        "else",
        "match",
        "for",
        "each",
        "repeat",
        "step",
        "try",
        "ask",
        "offer",
        "choose",
        "may",
        "once",
        "starts",
        "decided",
        "hidden",
        "actions",
        "holds",
    ]
)
LAYOUT = {"NL": "_NL", "INDENT": "_INDENT", "DEDENT": "_DEDENT"}
CARRIED = frozenset({"NAME", "INTEGER", "STRING", "COPIES"})
SHOWN = {
    "NAME": "a name", "INTEGER": "a number", "STRING": "a text", "_NL": "the end of the line", "_INDENT": "an indented block",
    "_DEDENT": "the end of the block", "COPIES": "a number of copies such as x3", "$END": "the end of the declaration",
}  # fmt: skip


class TokenFeed(Lexer):
    """Hands the parser the tokens of a chunk; a word is a keyword where the parser can use it as one, otherwise a name."""

    __future_interface__ = 2  # Lark: lex() also gets the parser's state

    def __init__(self, conf: Any) -> None:
        self.words = {terminal.pattern.value: terminal.name for terminal in conf.terminals if terminal.pattern.type == "str"}

    def lex(self, state: Any, parser_state: Any) -> Iterator[Token]:
        words = self.words
        table = parser_state.parse_conf.parse_table.states
        for kind, value, line, column, end in state.text:
            if kind == "WORD":
                keyword = words.get(value)
                accepted = table[parser_state.position]
                if keyword is not None and (keyword in accepted or value in ALWAYS_KEYWORDS):
                    kind = keyword
                elif "COPIES" in accepted and value[0] == "x" and value[1:].isdigit():
                    kind = "COPIES"
                else:
                    kind = "NAME"
            elif kind in LAYOUT:
                kind = LAYOUT[kind]
            elif kind not in CARRIED:
                kind = words[value]
            yield Token(kind, value, None, line, column, line, end)


NOWHERE = Span("", 0, 0, 0, 0)


def _located(function: Any, keep_words: bool) -> Any:
    """Wrap a tree-building function: find the span of what was read, leave out keywords and punctuation."""

    def call(children: list[Any]) -> tuple[Any, Span]:
        if not children:
            return function(NOWHERE), NOWHERE
        first, last = children[0], children[-1]
        file = _file[0]
        start = first[1] if type(first) is tuple else Span(file, first.line, first.column, first.line, first.end_column)
        end = last[1] if type(last) is tuple else Span(file, last.line, last.column, last.line, last.end_column)
        span = Span(file, start.line, start.column, end.end_line, end.end_column) if first is not last else start
        values = [
            child[0] if type(child) is tuple else str(child) for child in children if type(child) is tuple or keep_words or child.type in CARRIED
        ]
        return function(span, *values), span

    return call


# The parser object is shared and cannot carry the file's name; parsing is synchronous, so one slot is enough.
_file = [""]
KEPT = {"kind_name", "timing", "removable", "die_word", "adjust_word", "end_word", "outcome_word", "plain_word", "compare_op", "quantifier",
        "rank", "measure_word", "cost_how", "or_none"}  # fmt: skip


def _text(span: Span, raw: str) -> t.Text:
    """A text; what stands between braces is an expression."""
    inner = raw[1:-1]
    if "{" not in inner and "}" not in inner:
        return t.Text(span, (unquote(inner),))
    parts: list[str | t.Expr] = []
    position = 0
    for found in BRACES.finditer(inner):
        if found.start() > position:
            parts.append(unquote(inner[position : found.start()]))
        parts.append(_braced(found.group(1), span, span.column + 1 + found.start(1)))
        position = found.end()
    rest = inner[position:]
    if "{" in rest or "}" in rest:
        raise _BadText(complain("R105", "a curly bracket without its partner in a text", span, hint="write {name} to name something"))
    return t.Text(span, (*parts, unquote(rest)) if rest else tuple(parts))


def _braced(inner: str, span: Span, column: int) -> t.Expr:
    """The expression between the braces of a text."""
    if not inner.strip():
        empty = Span(span.file, span.line, column - 1, span.line, column + len(inner) + 1)
        raise _BadText(complain("R101", "there is nothing between the braces of this text", empty))
    lexed, problems = lex.lex(inner.strip(), span.file)
    if not problems:
        lead = len(inner) - len(inner.lstrip())
        tokens = [
            token._replace(line=span.line, column=token.column + column + lead - 1, end_column=token.end_column + column + lead - 1)
            for chunk in lexed.chunks
            for token in chunk.tokens
        ]
        try:
            return _run(tokens, "expression")  # type: ignore[no-any-return]  # the start rule gives an expression
        except UnexpectedInput:
            pass
    where = Span(span.file, span.line, column, span.line, column + max(len(inner), 1))
    raise _BadText(complain("R101", f"'{inner}' between the braces of this text does not read as an expression", where))


class _BadText(Exception):
    """Raised inside a parse and caught around it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


def _cache_file() -> str | bool:
    """Where Lark keeps the parser between runs: the user's cache folder, or nowhere if it cannot be made."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "rulewright")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.path.join(folder, f"grammar-{sys.version_info[0]}.{sys.version_info[1]}.lark-cache")


@functools.cache
def parser() -> Lark:
    """The parser, from Lark's cache where it has been made before."""
    functions = {**RULES, "text": _text}
    builder = type("Builder", (), {name: staticmethod(_located(function, name in KEPT)) for name, function in functions.items()})()
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=TokenFeed,
        start=["declaration", "expression", "statements"],
        transformer=builder,
        keep_all_tokens=True,
        maybe_placeholders=False,
        cache=_cache_file(),
    )


@functools.cache
def keyword_names() -> dict[str, str]:
    """What is written for a keyword or sign that the grammar knows by a name of its own."""
    return {terminal.name: terminal.pattern.value for terminal in parser().terminals if terminal.pattern.type == "str"}


@functools.cache
def keywords() -> frozenset[str]:
    """Every word that the grammar uses somewhere."""
    return frozenset(value for terminal in parser().terminals if (value := terminal.pattern.value)[0].isalpha())


def parse_rules(text: str, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[t.RulesTree, list[Diagnostic]]:
    """The tree of a rules file."""
    lexed, diagnostics = lex.lex(text, file, limits)
    if not lexed.chunks and not diagnostics:
        diagnostics = [complain("R111", "the file declares nothing", Span(file, 1, 1, 1, 1), hint="write some rules, or leave the file out")]
    declarations: list[t.Declaration] = []
    for chunk in lexed.chunks:
        result, problem = _parse(chunk.tokens, file, "declaration")
        if problem is not None:
            diagnostics.append(problem)
        elif result is not None:
            declarations.append(result)
    return t.RulesTree(file, tuple(declarations)), diagnostics


def parse_fragment(text: str, file: str, start: str, line: int = 1, column: int = 1) -> tuple[Any, list[Diagnostic]]:
    """One `expression`, or a tuple of `statements`, that stands at some line of another file."""
    lexed, diagnostics = lex.lex(text, file)
    tokens = [
        token._replace(line=token.line + line - 1, column=token.column + column - 1, end_column=token.end_column + column - 1)
        for chunk in lexed.chunks
        for token in chunk.tokens
    ]
    if diagnostics or not tokens:
        return None, diagnostics or [complain("R101", "there is nothing to read here", Span(file, line, column, line, column + 1))]
    result, problem = _parse(tokens, file, start)
    return result, [problem] if problem else []


def _run(tokens: list[lex.Token], start: str) -> Any:
    """What the parser makes of tokens; the functions of the tree return pairs of a node and its span."""
    made: Any = parser().parse(tokens, start=start)
    return made[0]


def _parse(tokens: list[lex.Token], file: str, start: str) -> tuple[Any, Diagnostic | None]:
    """Run the parser over the tokens of a chunk."""
    _file[0] = file
    try:
        return _run(tokens, start), None
    except UnexpectedToken as error:
        return None, _explain(error, tokens, file)
    except _BadText as bad:
        return None, bad.diagnostic


def _explain(error: UnexpectedToken, tokens: list[lex.Token], file: str) -> Diagnostic:
    """What a reader would like to be told of a line that does not read as a rule."""
    token = error.token
    if token.type == "$END":  # Lark does not know where the last token stood
        token = Token("$END", "", None, tokens[-1].line, tokens[-1].end_column, tokens[-1].line, tokens[-1].end_column)
    line, column = token.line or tokens[-1].line, token.column or tokens[-1].end_column
    where = Span(file, line, column, line, max(token.end_column or column + 1, column + 1))
    accepted = {name for name in error.accepts or error.expected if not name.startswith("$")}
    words = keyword_names()
    expected = {words.get(name, name) for name in accepted}
    if token.type == "_INDENT":
        hint = "end the line before it with ':', or indent this line like it"
        return complain("R101", "this block is indented, but the line before it opens none", where, hint=hint)
    if token.type == "$END" and "_INDENT" in expected:
        return complain("R101", "':' opens a block, but nothing stands in it", where, hint="indent what belongs to it below; 'nothing' does nothing")
    if expected == {"NAME"} and token.type in words and token.isalpha():
        return complain("R108", f"'{token}' is a word of the language and cannot be a name", where, hint="choose a name that says more")
    if token.type == "_NL" and ":" in expected:
        return complain(
            "R101", "the line ends where ':' was expected", where, hint="':' opens the block that follows, on this line or indented below"
        )
    on_line = [each for each in tokens if each.line == line and each.type not in LAYOUT]
    first = on_line[0] if on_line else tokens[0]
    if first.value in TOP_LEVEL and 1 < first.column < column:
        start = Span(file, line, first.column, line, first.end_column)
        return complain("R101", f"'{first.value}' begins a declaration, and stands at the very start of a line", start)
    for before, each in itertools.pairwise(on_line):
        if before.type == "COLON" and each.value in OWN_LINE and (each.line, each.column) <= (line, column):
            start = Span(file, line, each.column, line, each.end_column)
            return complain("R101", f"'{each.value}' begins on a line of its own", start, hint="put it below the ':', indented")
    found = f"'{token}'" if token.type in CARRIED or token.type in words else f"{SHOWN.get(token.type, token.type)}"
    message = f"{found} does not fit here{_expectation(expected)}"
    return complain("R101", message, where, hint=_guess(str(token), column, expected, on_line))


def _expectation(expected: set[str]) -> str:
    """`; expected ...`, when the list is short enough to help."""
    if not expected or len(expected) > 12:
        return ""
    shown = sorted(SHOWN.get(name, f"'{name}'") for name in expected)
    return "; expected " + (" or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0])


def _guess(word: str, column: int, expected: set[str], line: list[lex.Token]) -> str | None:
    """The word that was probably meant: here, or at an earlier point of the line."""
    if word == "=" and "to" in expected:
        return "write: set X to Y"
    if word == "=" and "=" not in expected:
        return "one '=' compares two values; 'set X to Y' changes one"
    before = [token.value for token in line if token.end_column <= column][-1:]
    if word == ">" and before == ["="]:
        return "write: >="
    if word == "to" and before == ["up"]:
        return "'up to' can only stand where something is chosen, drawn or moved"
    possible = [name for name in expected if name.isalpha() and name.islower()]
    if best := near_miss(word, possible):
        return f"did you mean '{best}'?"
    if line[0].value == "roll":
        return "write: let face = roll DIE"
    words = [token.value for token in line if token.type == "WORD" and token.value not in keywords() and token.column < column]
    for name, known in [*((name, STARTS) for name in words[:1] if name == line[0].value), *((name, possible) for name in words)]:
        if best := near_miss(name, known):
            return f"did you mean '{best}' instead of '{name}'?"
    return None
