"""What a reader would like to be told of a line that does not read as a rule.

Takes the parser's complaint about a token, the tokens of the declaration and the words of the grammar; gives a diagnostic that names what stands there,
what could stand there instead, and, for the mistakes that people make most, how to write it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from rulewright.diagnostics import Diagnostic, Span, complain, near_miss
from rulewright.parse.habits import ELSEWHERE, Habit, habit
from rulewright.parse.lex import Token
from rulewright.parse.machine import END, Unfit

LAYOUT = frozenset({"NL", "INDENT", "DEDENT"})
SHOWN = {
    "NAME": "a name", "INTEGER": "a number", "STRING": "a text", "_NL": "the end of the line", "_INDENT": "an indented block",
    "_DEDENT": "the end of the block", "COPIES": "a number of copies such as x3", END: "the end of the declaration",
}  # fmt: skip
OWN_LINE = frozenset({"match", "try", "step", "until", "ask"})
TOP_LEVEL = frozenset({"kind", "die", "track", "grid", "phase", "layer", "ruleset"})
STATEMENTS = frozenset({
    "let", "move", "draw", "swap", "shuffle", "show", "reveal", "log", "heading", "end", "win", "lose", "eliminate", "give", "stop", "nothing", "cancel",
    "leave", "skip", "proceed", "advance", "increase", "decrease", "if", "unless", "else", "match", "for", "each", "repeat", "step", "try", "ask",
    "offer", "until",
})  # fmt: skip
STARTS = TOP_LEVEL | STATEMENTS | {
    "place", "number", "effect", "value", "action", "cost", "before", "after", "instead", "when", "change", "reaction", "replace", "remove",
    "insert", "set", "add", "more", "while", "cite", "source", "was", "choose", "may", "once", "starts", "decided", "hidden", "described", "actions", "holds",
}  # fmt: skip
CLAUSES = (
    "number",
    "exactly",
    "first",
    "last",
    "next",
    "within",
    "through",
    "where",
    "from",
    "ordered",
    "reachable",
    "visible",
    "blocked",
    "until",
    "holds",
)


def explain(error: Unfit, tokens: Sequence[Token], file: str, names: Mapping[str, str]) -> Diagnostic:
    """The diagnostic for a token that does not fit. `names` says what is written for each keyword and sign of the grammar."""
    plain = unfit(error, tokens, file)
    where, line, column = plain.span, plain.span.line, plain.span.column
    kind, word = error.token.type, str(error.token)
    expected = {names.get(name, name) for name in error.expected if not name.startswith("$")}
    on_line = [token for token in tokens if token.line == line and token.type not in LAYOUT]
    if kind != "_INDENT" and (advice := habit(_written(on_line), column)) is not None:
        return _by_habit(advice, plain, frozenset(names.values()))
    special = (
        _layout(kind, word, expected, on_line, where, word in names.values()) or _misplaced(on_line, where) or _no_statement(on_line, expected, where)
    )
    if special is not None:
        return special
    keywords = frozenset(value for value in names.values() if value[0].isalpha())
    return complain("R101", plain.message + _expectation(expected), where, hint=_guess(word, column, expected, on_line, keywords))


def _by_habit(habit: Habit, plain: Diagnostic, known: frozenset[str]) -> Diagnostic:
    """A line that is written as one would elsewhere."""
    if habit.wrong is None:
        return complain("R101", plain.message, plain.span, hint=habit.advice)
    where = Span(plain.span.file, plain.span.line, habit.column, plain.span.line, habit.column + len(habit.wrong))
    foreign = habit.wrong.isalpha() and habit.wrong not in known
    return complain("R101", f"'{habit.wrong}' {'is no word of the language' if foreign else 'does not fit here'}", where, hint=habit.advice)


def _written(line: list[Token]) -> str:
    """A line as it stands in the file, as far as its tokens tell."""
    text = ""
    for token in line:
        text = text.ljust(token.column - 1) + token.value
    return text


def unfit(error: Unfit, tokens: Sequence[Token], file: str) -> Diagnostic:
    """The same in brief: what does not fit, and where."""
    found = error.token
    line, column, end = found.line, found.column, found.end_column
    if found.type == END:
        line, column, end = tokens[-1].line, tokens[-1].end_column, tokens[-1].end_column
    shown = SHOWN.get(found.type, found.type) if found.type in ("_NL", "_INDENT", "_DEDENT", END) else f"'{found}'"
    return complain("R101", f"{shown} does not fit here", Span(file, line, column, line, max(end, column + 1)))


def _layout(kind: str, word: str, expected: set[str], line: list[Token], where: Span, is_keyword: bool) -> Diagnostic | None:
    """Blocks, ends of lines, and words that cannot be names."""
    if kind == "_INDENT":
        hint = "end the line before it with ':', or indent this line like it"
        return complain("R101", "this block is indented, but the line before it opens none", where, hint=hint)
    if kind == END and "_INDENT" in expected:
        return complain("R101", "':' opens a block, but nothing stands in it", where, hint="indent what belongs to it below; 'nothing' does nothing")
    slip = line and line[0].value not in STARTS and near_miss(line[0].value, STARTS, likeness=0.8)
    if expected == {"NAME"} and is_keyword and word.isalpha() and not slip:
        return complain("R108", f"'{word}' is a word of the language and cannot be a name", where, hint="choose a name that says more")
    if kind == "_NL" and ":" in expected:
        then = any(token.value == "then" for token in line)
        hint = "write ':' instead of 'then'" if then else "':' opens the block that follows, on this line or indented below"
        return complain("R101", "the line ends where ':' was expected", where, hint=hint)
    return None


def _misplaced(line: list[Token], where: Span) -> Diagnostic | None:
    """Lines whose first word says already that they are in the wrong place."""
    if not line or line[0].column >= where.column:
        return None
    first = line[0]
    start = Span(where.file, first.line, first.column, first.line, first.end_column)
    if first.value in TOP_LEVEL and first.column > 1:
        return complain("R110", f"'{first.value}' begins a declaration, and stands at the very start of a line", start)
    if first.value in STATEMENTS and first.column == 1:
        return statement_at_the_top(first.value, start)
    for before, token in itertools.pairwise(line):
        if before.type == "COLON" and token.value in OWN_LINE and token.column <= where.column:
            begin = Span(where.file, token.line, token.column, token.line, token.end_column)
            return complain("R101", f"'{token.value}' begins on a line of its own", begin, hint="put it below the ':', indented")
    return None


def _no_statement(line: list[Token], expected: set[str], where: Span) -> Diagnostic | None:
    """A line that begins like a call or a choice, and goes on like neither: its first word was meant as one of the language."""
    first = _beginning(line, where.column)
    if first is None or first.type != "WORD" or not {"chooses", "pays"} <= expected or near_miss(_next(line, first), ("chooses", "may", "pays")):
        return None
    if _next(line, first)[:1] in "=+-" or any(first.column < token.column < where.column for token in line):
        return None
    best = near_miss(first.value, STARTS)
    hint = f"did you mean '{best}'?" if best not in (None, first.value) else f"an effect is called as {first.value}(...)"
    at = Span(where.file, first.line, first.column, first.line, first.end_column)
    return complain("R101", f"no statement begins with '{first.value}'", at, hint=ELSEWHERE.get(first.value, hint))


def _beginning(line: list[Token], column: int) -> Token | None:
    """The first token of the statement or member that a column of a line belongs to."""
    before = [at for at, token in enumerate(line) if token.type == "COLON" and token.column < column]
    at = before[-1] + 1 if before else 0
    return line[at] if at < len(line) and line[at].column < column else None


def _next(line: list[Token], token: Token) -> str:
    """What stands after a token."""
    return next((other.value for other in line if other.column > token.column), "")


def statement_at_the_top(word: str, span: Span) -> Diagnostic:
    """A statement where only declarations stand."""
    return complain(
        "R110",
        f"'{word}' begins a statement, and only declarations stand at the start of a line",
        span,
        hint="indent it below the effect or phase it belongs to",
    )


def _expectation(expected: set[str]) -> str:
    """`; expected ...`, when the list is short enough to help."""
    if not expected or len(expected) > 12:
        return ""
    shown = sorted(SHOWN.get(name, f"'{name}'") for name in expected)
    return "; expected " + (" or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0])


def _guess(word: str, column: int, expected: set[str], line: list[Token], keywords: frozenset[str]) -> str | None:
    """How it was probably meant."""
    before = [token.value for token in line if token.end_column <= column]
    possible = [name for name in expected if name.isalpha() and name.islower()]
    if best := near_miss(word, possible):
        return f"did you mean '{best}'?"
    begin = _beginning(line, column)
    starts = STARTS if begin is not None and begin.column == 1 else STARTS - TOP_LEVEL
    for first, known in ((begin, starts), (line[0] if line and line[0].column == 1 else None, STARTS)):
        if first is not None and first.value not in keywords and (best := near_miss(first.value, known, likeness=0.8)):
            return f"did you mean '{best}' instead of '{first.value}'?"
    if hint := _sign(word, before, expected, {token.value for token in line}):
        return hint
    if before[:1] == ["effect"] and "(" in expected:
        return "an effect has brackets, even if nothing stands in them: effect NAME():"
    words = [token.value for token in line if token.type == "WORD" and token.value not in keywords and token.column < column]
    for name in words:
        if best := near_miss(name, possible):
            return f"did you mean '{best}' instead of '{name}'?"
    for name in reversed([name for name in words if name in before[-4:]]):
        if best := near_miss(name, CLAUSES, likeness=0.8):
            return f"did you mean '{best}' instead of '{name}'?"
    return None


def _sign(word: str, before: list[str], expected: set[str], line: set[str]) -> str | None:
    """Signs that are written differently elsewhere."""
    last = before[-1] if before else ""
    if word == "=" and "to" in expected:
        return "write: set X to Y"
    if word == "=" and "chooses" in expected:
        return "write 'let X = Y' for a new name, 'set X to Y' to change something"
    if word == "=" and last == "=":
        return "one '=' compares two values"
    if word == ">" and last == "=":
        return "write: >="
    if word in ("+", "-") and "chooses" in expected:
        return f"write: {'increase' if word == '+' else 'decrease'} X by N"
    if word == "-" and ".." in expected:
        return "a range is written 1..9"
    if word in (",", ")") and expected == {":"}:
        return f"say what it is, for example: {last}: player"
    if word == "to" and last == "up":
        return "'up to' can only stand where something is chosen, drawn or moved"
    if "COPIES" in expected and (word == "x" or word.isdigit()):
        return "copies are written x3"
    if "than" in line:
        return "numbers are compared by <, <=, > and >="
    return None
