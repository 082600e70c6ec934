"""Tokens to tree: the second half of parsing.

Takes the text of a rules file (or one expression, or some statements, for scenarios); gives its tree and what could not be read. The LALR machine
runs over one top-level chunk at a time, so a mistake costs one report.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Span, complain
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.parse import lex
from rulewright.parse.explain import explain, unfit
from rulewright.parse.habits import MANIFEST
from rulewright.parse.machine import CARRIED, Machine, Reading, Unfit
from rulewright.parse.table import read_table
from rulewright.parse.tree_building import RULES, Unreadable, unquote

BRACES = re.compile(r"\\.|\{([^{}]*)\}|[{}]")  # a sign that is meant itself, an expression, a bracket without its partner
NOWHERE = Span("", 0, 0, 0, 0)


def _located(function: Any, keep_words: bool) -> Any:
    """Wrap a tree-building function: find the span of what was read, leave out keywords and punctuation."""

    def call(children: list[Any]) -> tuple[Any, Span]:
        if not children:
            return function(NOWHERE), NOWHERE
        first, last = children[0], children[-1]
        start = first[1] if type(first) is tuple else Span(first.file, first.line, first.column, first.line, first.end_column)
        end = last[1] if type(last) is tuple else Span(last.file, last.line, last.column, last.line, last.end_column)
        span = Span(start.file or end.file, start.line, start.column, end.end_line, end.end_column) if first is not last else start
        values = [
            child[0] if type(child) is tuple else child.text for child in children if type(child) is tuple or keep_words or child.type in CARRIED
        ]
        return function(span, *values), span

    return call


KEPT = {"kind_name", "timing", "lined", "removable", "die_word", "adjust_word", "end_word", "outcome_word", "plain_word", "compare_op", "quantifier",
        "rank", "measure_word", "cost_how", "or_none", "best"}  # fmt: skip


def _text(span: Span, raw: str) -> t.Text:
    """A text; what stands between braces is an expression."""
    inner = raw[1:-1]
    if "{" not in inner and "}" not in inner:
        return t.Text(span, (unquote(inner),))
    parts: list[str | t.Expr] = []
    position = 0
    for found in BRACES.finditer(inner):
        if found.group() in ("{", "}"):
            hint = "write {name} to name something, \\{ for the sign itself"
            raise Unreadable(complain("R105", "a curly bracket without its partner in a text", span, hint=hint))
        if found.group(1) is not None:
            if found.start() > position:
                parts.append(unquote(inner[position : found.start()]))
            parts.append(_braced(found.group(1), span, span.column + 1 + found.start(1)))
            position = found.end()
    rest = inner[position:]
    return t.Text(span, (*parts, unquote(rest)) if rest else tuple(parts))


def _braced(inner: str, span: Span, column: int) -> t.Expr:
    """The expression between the braces of a text."""
    if not inner.strip():
        empty = Span(span.file, span.line, column - 1, span.line, column + len(inner) + 1)
        raise Unreadable(
            complain(
                "R101", "there is nothing between the braces of this text", empty, hint="write between them what is to be told there, such as {who}"
            )
        )
    lexed, problems = lex.lex(inner.strip(), span.file)
    if not problems:
        lead = len(inner) - len(inner.lstrip())
        tokens = [
            token._replace(line=span.line, column=token.column + column + lead - 1, end_column=token.end_column + column + lead - 1)
            for chunk in lexed.chunks
            for token in chunk.tokens
        ]
        try:
            return _run(tokens, span.file, "expression")  # type: ignore[no-any-return]  # the start rule gives an expression
        except Unfit:
            pass
    where = Span(span.file, span.line, column, span.line, column + max(len(inner), 1))
    raise Unreadable(complain("R101", f"'{inner}' between the braces of this text does not read as an expression", where))


@functools.cache
def parser() -> Machine:
    """The parser; what it reads becomes nodes of the tree at once."""
    functions = {**RULES, "text": _text}
    return Machine(read_table(), {name: _located(function, name in KEPT) for name, function in functions.items()})


def begin(tokens: list[lex.Token]) -> Reading:
    """Begin to read a declaration, token by token, for those who want to know what each is and what may follow it."""
    return Reading(parser(), tokens, "", "declaration")


@functools.cache
def keyword_names() -> dict[str, str]:
    """What is written for a keyword or sign that the grammar knows by a name of its own."""
    return {name: written for written, name in parser().table.words.items()}


@functools.cache
def keywords() -> frozenset[str]:
    """Every word that the grammar uses somewhere."""
    return frozenset(value for value in keyword_names().values() if value[0].isalpha())


def parse_rules(text: str, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[t.RulesTree, list[Diagnostic]]:
    """The tree of a rules file."""
    lexed, diagnostics = lex.lex(text, file, limits)
    if not lexed.chunks and not diagnostics:
        diagnostics = [complain("R111", "the file declares nothing", Span(file, 1, 1, 1, 1), hint="write some rules, or leave the file out")]
    declarations: list[t.Declaration] = []
    for chunk in lexed.chunks:
        problem = _long_chain(chunk.tokens, file, limits)
        if problem is None:
            result, problem = _parse(chunk.tokens, file, "declaration", len(diagnostics) < limits.shown_diagnostics)
        if problem is not None:
            diagnostics.append(problem)
        elif result is not None:
            declarations.append(result)
    return t.RulesTree(file, tuple(declarations)), _manifest_once(diagnostics)


def _manifest_once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Complaints without those about all lines of a manifest but the first: that it is one is said once."""
    first = min((one.span.line for one in diagnostics if one.hint == MANIFEST), default=0)
    return [one for one in diagnostics if one.hint != MANIFEST or one.span.line == first]


def _long_chain(tokens: list[lex.Token], file: str, limits: Limits) -> Diagnostic | None:
    """A complaint about very many `else if` one after another, or inside each other: each is one level deeper in the tree."""
    lengths: dict[int, int] = {}  # by column, of those that are going on
    for token, after in itertools.pairwise(tokens) if len(tokens) > limits.else_ifs else ():
        if after.value != "if":
            continue
        begins = token if token.value == "else" else after
        lengths = {column: length for column, length in lengths.items() if column <= begins.column}
        if begins is after:
            lengths[after.column] = 0
            continue
        lengths[token.column] = lengths.get(token.column, 0) + 1
        if sum(lengths.values()) > limits.else_ifs:
            span = Span(file, token.line, token.column, token.line, after.end_column)
            return complain("R603", f"more than {limits.else_ifs} 'else if' one after another, or inside each other", span, hint="write: match")
    return None


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


def _run(tokens: list[lex.Token], file: str, start: str) -> Any:
    """What the parser makes of tokens; the functions of the tree return pairs of a node and its span."""
    return parser().parse(tokens, file, start)[0]


def _parse(tokens: list[lex.Token], file: str, start: str, thorough: bool = True) -> tuple[Any, Diagnostic | None]:
    """Run the parser over the tokens of a chunk. Explanations take time; beyond those that are ever shown a brief one will do."""
    try:
        return _run(tokens, file, start), None
    except Unfit as error:
        return None, explain(error, tokens, file, keyword_names()) if thorough else unfit(error, tokens, file)
    except Unreadable as bad:
        return None, bad.diagnostic
