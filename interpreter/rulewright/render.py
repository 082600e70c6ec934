"""Diagnostics to text, one function a form: excerpts for people, one line each, JSON, SARIF.

Takes diagnostics in the order they are to be shown and the source texts by shown file name; gives a string that ends
with a newline (or is empty). A file whose text is missing is named without an excerpt. Nothing here reads a file or
prints, and nothing of a ruleset reaches a terminal raw: control and formatting characters are shown escaped.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from urllib.parse import quote

import msgspec

from rulewright.codes import CODES
from rulewright.diagnostics import Diagnostic, Span

_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;32", "help": "1;36", "frame": "1;34", "strong": "1"}
# Controls, formatting (also what reverses the reading direction), unassigned, lone surrogates, line separators.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_TAB = "    "
_WIDTH = 100
_BEFORE = 30
_CUT = "..."


def as_text(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], colour: bool, shown: int) -> str:
    """Excerpts with carets, related places and hints, for a person; the first `shown` of them, then a count."""
    if not diagnostics:
        return "no problems\n"
    page = _Page(texts, colour)
    blocks = [page.block(diagnostic) for diagnostic in diagnostics[: max(shown, 0)]]
    rest = len(diagnostics) - len(blocks)
    if rest:
        blocks.append(f"and {_count(rest, 'more problem')} ({_totals(diagnostics, every=True)} in all)")
    blocks.append(_totals(diagnostics))
    return "\n\n".join(blocks) + "\n"


def as_lines(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> str:
    """`file:line:col: code message (hint)`, one line each."""
    lines = []
    for diagnostic in diagnostics:
        hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
        lines.append(printable(f"{_place(diagnostic.span)}: {diagnostic.code} {diagnostic.message}{hint}") + "\n")
    return "".join(lines)


def as_json(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> str:
    """A JSON document with every diagnostic and the counts."""
    asdict = msgspec.structs.asdict
    shown = []
    for diagnostic in diagnostics:
        related = [{"span": asdict(other.span), "message": other.message} for other in diagnostic.related]
        shown.append(asdict(diagnostic) | {"span": asdict(diagnostic.span), "related": related})
    errors, warnings = _tally(diagnostics)
    return _document({"diagnostics": shown, "errors": errors, "warnings": warnings})


def as_sarif(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> str:
    """A SARIF 2.1.0 log with one run, for code hosts and editors."""
    rules = [
        {"id": code, "shortDescription": {"text": known.title}, "defaultConfiguration": {"level": known.severity}} for code, known in CODES.items()
    ]
    run = {
        "tool": {"driver": {"name": "rulewright", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(diagnostic) for diagnostic in diagnostics],
    }
    schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    return _document({"$schema": schema, "version": "2.1.0", "runs": [run]})


def printable(text: str) -> str:
    """The text on one line, with whatever a terminal would obey rather than show written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_safe(char) else _escape(char) for char in text)


class _Page:
    """What the blocks of one text rendering share: the lines of every file, split once, and whether to colour."""

    def __init__(self, texts: Mapping[str, str], colour: bool) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}
        self._colour = colour

    def block(self, diagnostic: Diagnostic) -> str:
        """One diagnostic with everything that belongs to it."""
        spans = [diagnostic.span, *(other.span for other in diagnostic.related)]
        gutter = max(len(str(span.line)) for span in spans)
        label = self._paint(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
        lines = [f"{label}{self._paint(': ' + _message(diagnostic.message), 'strong')}"]
        lines += self._excerpt(diagnostic.span, gutter, "^", diagnostic.severity)
        for other in diagnostic.related:
            lines.append(f"{self._paint('note', 'note')}: {_message(other.message)}")
            lines += self._excerpt(other.span, gutter, "-", "note")
        if diagnostic.hint:
            lines.append(f"{self._paint('help', 'help')}: {_message(diagnostic.hint)}")
        return "\n".join(lines)

    def _excerpt(self, span: Span, gutter: int, mark: str, style: str) -> list[str]:
        place = f"{' ' * gutter}{self._paint('-->', 'frame')} {printable(_place(span))}"
        source = self._line(span.file, span.line)
        if source is None:
            return [place]
        shown, indent, length = _window(source, *_stretch(span, source))
        empty = self._paint(" " * gutter + " |", "frame")
        number = self._paint(f"{span.line:>{gutter}} |", "frame")
        marks = f"{empty} {' ' * indent}{self._paint(mark * length, style)}"
        return [place, empty, f"{number} {shown}".rstrip(), marks]

    def _line(self, file: str, number: int) -> str | None:
        if file not in self._lines:
            # As the lexer counts lines; splitlines() would also split at form feeds and other oddities.
            text = self._texts.get(file)
            self._lines[file] = [] if text is None else text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines = self._lines[file]
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour else text


def _stretch(span: Span, source: str) -> tuple[int, int]:
    """Where the marks start and end in the span's first line, as indices."""
    start = min(max(span.column - 1, 0), len(source))
    end = span.end_column - 1 if span.end_line == span.line else len(source.rstrip())
    return start, max(start, min(end, len(source)))


def _window(source: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a line that is shown, and the columns before and under its marks."""
    left, right = _bounds(source, start)
    before = _CUT if left > 0 else ""
    after = _CUT if right < len(source) else ""
    cells = [_cell(char) for char in source[left:right]]
    shown = before + "".join(text for text, _ in cells) + after
    indent = len(before) + sum(width for _, width in cells[: start - left])
    length = sum(width for _, width in cells[start - left : max(end - left, 0)])
    return shown, indent, max(length, 1)


def _bounds(source: str, start: int) -> tuple[int, int]:
    """The stretch of a line, as wide as fits, with the start in it; only a part of a long line is looked at."""

    def cost(index: int) -> int:
        return max(_cell(source[index])[1], 1)

    left = right = start
    room = _WIDTH
    for limit in (_BEFORE, 0):
        # To the right first, keeping room for what stands before; then to the left; then whatever is still free.
        while right < len(source) and room - cost(right) >= limit:
            room -= cost(right)
            right += 1
        while left > 0 and room - cost(left - 1) >= 0:
            left -= 1
            room -= cost(left)
    return left, right


def _cell(char: str) -> tuple[str, int]:
    """How a character is shown in an excerpt and how many columns that takes."""
    if " " <= char <= "~":
        return char, 1
    if char == "\t":
        return _TAB, len(_TAB)
    if not _is_safe(char):
        escaped = _escape(char)
        return escaped, len(escaped)
    if unicodedata.category(char) in ("Mn", "Me"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _is_safe(char: str) -> bool:
    return unicodedata.category(char) not in _UNSAFE


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _message(text: str) -> str:
    """A message for people: its own line breaks kept, later lines indented."""
    return "\n  ".join(printable(line) for line in text.split("\n"))


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}:{span.column}"


def _tally(diagnostics: Sequence[Diagnostic]) -> tuple[int, int]:
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    return errors, len(diagnostics) - errors


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _totals(diagnostics: Sequence[Diagnostic], every: bool = False) -> str:
    """Such as `2 errors, 1 warning`; a kind that does not occur is left out unless every kind is wanted."""
    errors, warnings = _tally(diagnostics)
    parts = [_count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number or every]
    return ", ".join(parts)


def _sarif_result(diagnostic: Diagnostic) -> dict[str, object]:
    text = f"{diagnostic.message} ({diagnostic.hint})" if diagnostic.hint else diagnostic.message
    result: dict[str, object] = {"ruleId": diagnostic.code}
    if diagnostic.code in CODES:
        result["ruleIndex"] = list(CODES).index(diagnostic.code)
    result |= {"level": diagnostic.severity, "message": {"text": text}, "locations": [_sarif_location(diagnostic.span)]}
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number} | _sarif_location(other.span) | {"message": {"text": other.message}} for number, other in enumerate(diagnostic.related, 1)
        ]
    return result


def _sarif_location(span: Span) -> dict[str, object]:
    start_line, start_column = max(span.line, 1), max(span.column, 1)
    end_line = max(span.end_line, start_line)
    region = {
        "startLine": start_line,
        "startColumn": start_column,
        "endLine": end_line,
        "endColumn": max(span.end_column, start_column if end_line == start_line else 1),
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": region}}


def _uri(file: str) -> str:
    """The file as a relative reference; an absolute path can only be told as a file URI."""
    path = quote(file, safe="/", errors="backslashreplace")
    return f"file://{path}" if path.startswith("/") else path


def _document(content: object) -> str:
    # Plain ASCII: no terminal or console encoding can garble it, and nothing in it can steer a terminal.
    return json.dumps(content, indent=2) + "\n"
