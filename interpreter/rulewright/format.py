"""The one layout of a rules file.

Takes the text of a file, gives the same rules laid out in the standard way, or None and the complaints when the text
cannot be read (or would no longer be readable, for its size, once it is laid out). Works on tokens and comments, never
on the tree: each line of the source that holds anything is one line of the result, so that no comment can be lost and
no word can move; what changes is the space between tokens, the indentation and the blank lines. Laying out a result
again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from rulewright.diagnostics import Diagnostic, Span, complain, whole_file
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.parse import lex
from rulewright.parse.machine import CARRIED
from rulewright.parse.parser import begin, parse_rules

LEVEL = 4
HANGING = 8
BEFORE_COMMENT = 2
OPERANDS = CARRIED | {"RPAR"}
NO_SPACE_BEFORE = frozenset({"CALL", "RPAR", "COMMA", "COLON", "DOT", "DOTS", "RANGE"})
NO_SPACE_AFTER = frozenset({"CALL", "LPAR", "SIGN", "DOT", "DOTS", "RANGE"})


class Row(msgspec.Struct):
    """One line of the file. Without code it is a comment alone on its line; hanging, it goes on inside brackets."""

    line: int
    columns: tuple[int, ...]  # where the blocks stand in the source that are open here, the row's own last
    hanging: bool = False
    code: str = ""
    comment: lex.Comment | None = None
    blank: bool = False  # an empty line precedes it
    padding: int = BEFORE_COMMENT  # between the code and the comment

    @property
    def indent(self) -> int:
        return LEVEL * (len(self.columns) - 1) + (HANGING if self.hanging else 0)

    @property
    def top(self) -> bool:
        """Whether it begins a declaration, or is a comment between declarations."""
        return len(self.columns) == 1 and not self.hanging

    @property
    def width(self) -> int:
        return self.indent + len(self.code)

    def text(self) -> str:
        """The row as it is printed."""
        if self.comment is None:
            return " " * self.indent + self.code
        return " " * self.indent + self.code + " " * (self.padding if self.code else 0) + self.comment.text


def format_text(text: str, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[str | None, list[Diagnostic]]:
    """The text in the standard layout; None if it cannot be read."""
    text = text.removeprefix("\ufeff")
    _, diagnostics = parse_rules(text, file, limits)
    if any(diagnostic.code != "R111" for diagnostic in diagnostics):
        return None, diagnostics
    lexed, _ = lex.lex(text, file, limits)
    rows = _with_comments([row for chunk in lexed.chunks for row in _code_rows(chunk.tokens)], lexed.comments)
    _set_blanks(rows)
    _align(rows)
    result = "".join(("\n" if row.blank else "") + row.text() + "\n" for row in rows)
    too_large = _oversize(rows, result, file, limits)
    return (None, [too_large]) if too_large else (result, [])


# ---- code -----------------------------------------------------------------------------------------------------------


def _code_rows(tokens: list[lex.Token]) -> Iterator[Row]:
    """The lines of a chunk without their comments."""
    columns: tuple[int, ...] = (0,)
    row = Row(0, columns)
    hanging = False
    before = ""
    for kind, token in zip(_kinds(tokens), tokens, strict=True):
        if kind == "INDENT":
            columns = (*columns, token.end_column - 1)
        elif kind == "DEDENT":
            columns = columns[:-1]
        elif kind == "NL":
            hanging = False
        elif token.line == row.line:
            spaced = before not in NO_SPACE_AFTER and kind not in NO_SPACE_BEFORE
            row.code += " " + token.value if spaced else token.value
        else:
            if row.code:
                yield row
            row = Row(token.line, columns, hanging, token.value)
            hanging = True
        before = kind
    yield row


def _kinds(tokens: list[lex.Token]) -> list[str]:
    """What each token of a chunk is, told apart as the parser reads it: which words are names, which brackets belong to
    the name before them (CALL), which minus is a sign (SIGN)
    or between the ends of a range (RANGE)."""
    reading = begin(tokens)
    kinds: list[str] = []
    for token, read in zip(tokens, reading.leaves(), strict=True):
        # The parser stands right behind the last token: what it accepts there says what that token was.
        accepted = reading.accepted
        if kinds and kinds[-1] == "LPAR" and ("RPAR" in accepted or kinds[-2] == "X"):
            kinds[-1] = "CALL"
        elif kinds[-2:] == ["INTEGER", "MINUS"] and len(accepted) == 1:
            kinds[-1] = "RANGE"
        elif kinds and kinds[-1] == "MINUS" and (kinds[-2] not in OPERANDS or len(accepted) == 1):
            kinds[-1] = "SIGN"
        kinds.append(read.type if token.type == "WORD" else token.type)
    return kinds


# ---- comments -------------------------------------------------------------------------------------------------------


def _with_comments(code: list[Row], comments: list[lex.Comment]) -> list[Row]:
    """All rows in order: comments behind code join its row, the others get rows of their own."""
    rows = {row.line: row for row in code}
    for comment in comments:
        if comment.alone:
            rows[comment.line] = Row(comment.line, (), comment=comment)
        else:
            rows[comment.line].comment = comment
    ordered = [rows[line] for line in sorted(rows)]
    following = Row(0, (0,))
    nexts: list[Row] = []
    for row in reversed(ordered):
        nexts.append(following)
        following = row if row.code else following
    previous = Row(0, (0,))
    for row, following in zip(ordered, reversed(nexts), strict=True):
        if row.comment and not row.code:
            row.columns = _block_of(row.comment, previous, following)
            row.hanging = following.hanging
        previous = row
    return ordered


def _block_of(comment: lex.Comment, previous: Row, following: Row) -> tuple[int, ...]:
    """The blocks around a comment alone on its line: those of the code that follows it, or, where blocks end between
    the two rows, those of them that the comment is indented far enough for."""
    if following.hanging or len(following.columns) >= len(previous.columns):
        return following.columns
    inside = [column for column in previous.columns if column < comment.column]
    return previous.columns[: max(len(inside), len(following.columns))]


def _align(rows: list[Row]) -> None:
    """Keep comments behind the code of adjacent lines in one column where the author had them in one."""
    run: list[Row] = []
    for row in [*rows, Row(0, ())]:
        last = run[-1].comment if run else None
        commented = row.comment if row.code else None
        if not (last and commented and last.column == commented.column and not row.blank):
            edge = max((member.width for member in run), default=0) + BEFORE_COMMENT
            for member in run:
                member.padding = edge - member.width
            run = []
        if commented:
            run.append(row)


# ---- lines ----------------------------------------------------------------------------------------------------------


def _set_blanks(rows: list[Row]) -> None:
    """One empty line between declarations, fewer between short ones of a sort; elsewhere at most one, as it was."""
    for number, row in enumerate(rows[1:], start=1):
        previous = rows[number - 1]
        short = number + 1 == len(rows) or rows[number + 1].top
        free = not row.top or (previous.top and not previous.code) or (short and _of_a_sort(previous, row))
        row.blank = not free or row.line - previous.line > 1


def _of_a_sort(previous: Row, row: Row) -> bool:
    """Whether two rows next to each other begin declarations with the same word."""
    return previous.top and bool(row.code) and previous.code.split(maxsplit=1)[0] == row.code.split(maxsplit=1)[0]


def _oversize(rows: list[Row], result: str, file: str, limits: Limits) -> Diagnostic | None:
    """The complaint that the result could not be read again for its size: spaces and empty lines count too."""
    lines, size = result.count("\n") + 1, len(result.encode())
    if lines > limits.file_lines or size > limits.file_bytes:
        message = f"laid out, the file has {lines:,} lines and {size:,} bytes"
        bounds = f"at most {limits.file_lines:,} lines and {limits.file_bytes:,} bytes are read"
        return complain("R601", f"{message}; {bounds}", whole_file(file), hint="divide it by subject")
    for row in rows:
        if (length := len(row.text())) > limits.line_characters:
            message = f"laid out, the line has {length:,} characters; at most {limits.line_characters:,} are read"
            return complain("R602", message, Span(file, row.line, 1, row.line, 2))
    return None
