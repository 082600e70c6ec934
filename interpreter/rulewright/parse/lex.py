"""Text to tokens: the first half of parsing.

Takes the text of one rules file; gives its top-level chunks, each a run of tokens that holds one declaration, and the comments as trivia, so that the
formatter loses nothing. A chunk begins at every line that is not indented: whatever is wrong inside one chunk is reported there and costs the
next one nothing. Refuses tabs in the indentation, texts and brackets that are not closed, foreign characters, and everything beyond the limits.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

import msgspec

from rulewright.diagnostics import Diagnostic, Span, complain
from rulewright.limits import DEFAULT_LIMITS, GREATEST, Limits
from rulewright.parse.habits import habit

TOKEN = re.compile(
    r"""(?P<space>[ ]+)
      | (?P<WORD>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<INTEGER>[0-9]+)
      | (?P<STRING>"(?:[^"\\]|\\.)*")
      | (?P<comment>\#.*)
      | (?P<op>\.\.|<=|>=|!=|[-=<>+*/(),:.|])
      | (?P<open_text>".*)
      | (?P<bad>.)""",
    re.VERBOSE,
)

OPERATORS = {
    "..": "DOTS", "<=": "LE", ">=": "GE", "!=": "NE", "-": "MINUS", "=": "EQ", "<": "LT", ">": "GT", "+": "PLUS", "*": "STAR", "/": "SLASH",
    "(": "LPAR", ")": "RPAR", ",": "COMMA", ":": "COLON", ".": "DOT", "|": "BAR",
}  # fmt: skip

CURLY = "“”„«»"
CURLY_TEXT = re.compile(r"[“„«”»]([^“”„«»\"]*)[“”»«\"]")
HINTS = {
    "'": 'texts stand between double quotes: "like this"',
    "–": "use the minus sign of the keyboard: -",
    "×": 'copies are written with the letter x: "x30"',
    "&": "write: and",
    "!": "write: not",
    "%": "write: mod",
    ";": "one line does one thing: put the next statement on a line of its own",
    "[": "grouping is done with round brackets",
    "{": "curly brackets are only used inside a text, around what it names",
    "\t": "use spaces",
}

SORTS = (
    (str.isalpha, "names are written with the letters a to z, digits and _; texts between quotes may have any letter"),
    (lambda sign: unicodedata.category(sign) == "Zs", "this is not an ordinary space; delete it and press the space bar"),
)


class Token(NamedTuple):
    """A token as the lexer sees it; which words are keywords is decided in the parser, by what may stand there."""

    type: str
    value: str
    line: int
    column: int
    end_column: int


class Comment(NamedTuple):
    """A comment and where it stands; `alone` if nothing precedes it on its line."""

    text: str
    line: int
    column: int
    alone: bool


class Chunk(msgspec.Struct, frozen=True):
    """The tokens of one top-level declaration, with INDENT, DEDENT and NL, ending in END."""

    tokens: list[Token]


class Lexed(msgspec.Struct, frozen=True):
    """A file as tokens."""

    file: str
    chunks: list[Chunk]
    comments: list[Comment]
    lines: int


class _Trouble(Exception):
    """Raised and caught inside this module: the rest of the chunk cannot be read."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic


def lex(text: str, file: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Lexed, list[Diagnostic]]:
    """The chunks and comments of a rules file, and what is wrong with its characters, lines and indentation."""
    diagnostics: list[Diagnostic] = []
    comments: list[Comment] = []
    chunks: list[Chunk] = []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > limits.file_lines:
        where = Span(file, limits.file_lines + 1, 1, limits.file_lines + 1, 1)
        message = f"the file has {len(lines):,} lines; at most {limits.file_lines:,} are read"
        return Lexed(file, [], [], len(lines)), [complain("R601", message, where, hint="divide it by subject")]
    reader = _Reader(file, limits, comments)
    skipping = False
    for number, line in enumerate(lines, start=1):
        stripped = line.lstrip(" \t")
        if not stripped:
            continue
        starts_chunk = stripped is line and stripped[0] != "#"
        if starts_chunk:
            diagnostics += reader.finish(chunks)
            skipping = False
        if skipping:
            continue
        try:
            reader.read(line, number)
        except _Trouble as trouble:
            diagnostics.append(trouble.diagnostic)
            reader.drop()
            skipping = True
    diagnostics += reader.finish(chunks)
    return Lexed(file, chunks, comments, len(lines)), diagnostics


class _Reader:
    """The state of reading one chunk line by line."""

    def __init__(self, file: str, limits: Limits, comments: list[Comment]) -> None:
        self.file = file
        self.limits = limits
        self.comments = comments
        self.drop()

    def drop(self) -> None:
        """Forget the chunk at hand."""
        self.tokens: list[Token] = []
        self.indents = [0]
        self.brackets: list[Token] = []
        self.line_tokens = 0

    def trouble(self, code: str, message: str, line: int, column: int, end: int, hint: str | None = None) -> _Trouble:
        return _Trouble(complain(code, message, Span(self.file, line, column, line, end), hint=hint))

    def read(self, line: str, number: int) -> None:
        """Add the tokens of one line to the chunk."""
        if len(line) > self.limits.line_characters:
            message = f"the line has {len(line):,} characters; at most {self.limits.line_characters:,} are read"
            raise self.trouble("R602", message, number, 1, 2)
        first = len(line) - len(line.lstrip(" \t"))
        if line[first] != "#":
            if "\t" in line[:first]:
                column = line.index("\t") + 1
                raise self.trouble("R103", "the indentation contains a tab", number, column, column + 1, "indent by spaces, four a level")
            if not self.brackets:
                self.indent(first, number, line)
        self.scan(line, first, number)

    def indent(self, width: int, number: int, line: str) -> None:
        """Open or close blocks by the indentation of a line."""
        if self.tokens:
            last = self.tokens[-1]
            self.tokens.append(Token("NL", "", last.line, last.end_column, last.end_column))
        self.line_tokens = 0
        if width > self.indents[-1]:
            if len(self.indents) > self.limits.indentation:
                raise self.trouble("R603", f"blocks nested deeper than {self.limits.indentation} levels", number, 1, width + 1)
            self.indents.append(width)
            self.tokens.append(Token("INDENT", "", number, 1, width + 1))
        levels = ", ".join(str(level) for level in self.indents)
        while width < self.indents[-1]:
            self.indents.pop()
            self.tokens.append(Token("DEDENT", "", number, width + 1, width + 1))
        if width != self.indents[-1]:
            message = f"this line is indented by {width} spaces, but the blocks around it stand at {levels}"
            raise self.trouble("R104", message, number, 1, len(line) + 1, "indent it like the line it belongs with")

    def scan(self, line: str, position: int, number: int) -> None:
        """Split the rest of a line into tokens."""
        tokens = self.tokens
        for found in TOKEN.finditer(line, position):
            kind, value, column = found.lastgroup or "", found.group(), found.start() + 1
            end = found.end() + 1
            if kind == "space":
                continue
            if kind in ("WORD", "INTEGER", "STRING"):
                if kind == "WORD" and not value.islower() and value.strip("_0123456789"):
                    hint = self.advice(line, column) or f"write '{value.lower()}'; labels between quotes may have capitals"
                    raise self.trouble("R109", f"'{value}': words are written in lower case", number, column, end, hint)
                if kind == "INTEGER" and len(value.lstrip("0")) > len(str(GREATEST)):
                    raise self.trouble("R402", f"a number beyond {GREATEST:,}", number, column, end, "the language reckons with numbers up to that")
                tokens.append(Token(kind, value, number, column, end))
            elif kind == "op":
                tokens.append(Token(OPERATORS[value], value, number, column, end))
                if value in "()":
                    self.bracket(tokens[-1])
            elif kind == "comment":
                self.comments.append(Comment(value.rstrip(), number, column, column == position + 1))
                continue
            else:
                self.refuse(kind, value, number, column, line)
            self.line_tokens += 1
            if self.line_tokens > self.limits.line_tokens:
                message = f"one statement with more than {self.limits.line_tokens} words and signs"
                raise self.trouble("R602", message, number, column, end, "divide it with 'let' or a 'value'")

    def bracket(self, token: Token) -> None:
        """Count brackets; inside them a line break means nothing."""
        if token.value == "(":
            self.brackets.append(token)
            if len(self.brackets) > self.limits.brackets:
                message = f"brackets nested deeper than {self.limits.brackets} levels"
                raise self.trouble("R603", message, token.line, token.column, token.end_column)
        elif self.brackets:
            self.brackets.pop()
        else:
            raise self.trouble("R106", "a closing bracket that nothing opened", token.line, token.column, token.end_column)

    def advice(self, line: str, column: int) -> str | None:
        found = habit(line, column)
        return found.advice if found else None

    def refuse(self, kind: str, value: str, number: int, column: int, line: str) -> None:
        """Complain about a character that is no part of any token."""
        if kind == "open_text":
            raise self.trouble("R105", "the text is not closed on its line", number, column, column + len(value), 'end it with "')
        if value in CURLY:
            inside = CURLY_TEXT.search(line, column - 1)
            straight = f'texts stand between straight quotes: "{inside[1] if inside else "like this"}"'
            raise self.trouble("R102", f"the quote {value} is a curly one", number, column, column + 1, straight)
        shown = value if value.isprintable() else f"U+{ord(value):04X}"
        hint = self.advice(line, column) or HINTS.get(value) or next((advice for test, advice in SORTS if test(value)), None)
        raise self.trouble("R102", f"the language does not use the character {shown}", number, column, column + 1, hint)

    def finish(self, chunks: list[Chunk]) -> list[Diagnostic]:
        """Close the chunk at hand and start the next."""
        tokens, brackets = self.tokens, self.brackets
        levels = len(self.indents) - 1
        self.drop()
        if not tokens:
            return []
        if brackets:
            bracket = brackets[-1]
            where = Span(self.file, bracket.line, bracket.column, bracket.line, bracket.end_column)
            return [complain("R106", "a bracket that is never closed", where)]
        last = tokens[-1]
        end = (last.line, last.end_column, last.end_column)
        tokens.append(Token("NL", "", *end))
        tokens += [Token("DEDENT", "", *end)] * levels
        chunks.append(Chunk(tokens))
        return []
