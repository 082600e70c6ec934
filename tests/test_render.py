"""Diagnostics as text: excerpts that line up, and the three forms for other programs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping

import jsonschema

from rulewright.codes import CODES
from rulewright.diagnostics import Diagnostic, Related, Span, complain, whole_file
from rulewright.render import as_json, as_lines, as_sarif, as_text, printable


def at(line: int, column: int, end_column: int, *, end_line: int | None = None, file: str = "a.rules") -> Span:
    return Span(file, line, column, end_line or line, end_column)


def text(diagnostic: Diagnostic, source: str) -> list[str]:
    """The lines of one diagnostic's rendering, without colour."""
    return as_text([diagnostic], {"a.rules": source}, colour=False, shown=10).splitlines()


def width(shown: str) -> int:
    """How many columns a terminal needs for a text; counted apart from the code under test."""
    wide = sum(unicodedata.east_asian_width(char) in ("W", "F") for char in shown)
    marks = sum(unicodedata.combining(char) > 0 for char in shown)
    return len(shown) + wide - marks


def marked(source: str, span: Span) -> tuple[str, int, int]:
    """The excerpt's line and the columns from which and to which it is marked, both counted after the frame."""
    lines = text(complain("R301", "m", span), source)
    code, marks = lines[3].split(" | ", 1)[1], lines[4].split(" | ", 1)[1]
    return code, len(marks) - len(marks.lstrip()), len(marks)


def test_an_excerpt_is_shown_whole() -> None:
    """The whole block of one diagnostic with a related place and a hint, as a person sees it."""
    found = complain(
        "R302",
        "'fire' is declared twice",
        at(12, 7, 11),
        hint="rename one of them",
        related=[Related(at(3, 7, 11), "first declared here")],
    )
    source = "\n" * 2 + "token fire x8\n" + "\n" * 8 + "token fire x2\n"
    assert "\n".join(text(found, source)) == (
        "error[R302]: 'fire' is declared twice\n"
        "  --> a.rules:12:7\n"
        "   |\n"
        "12 | token fire x2\n"
        "   |       ^^^^\n"
        "note: first declared here\n"
        "  --> a.rules:3:7\n"
        "   |\n"
        " 3 | token fire x8\n"
        "   |       ----\n"
        "help: rename one of them\n"
        "\n"
        "1 error"
    )


def test_tabs_do_not_shift_the_caret() -> None:
    """A tab before or inside the span is shown as spaces and counted as many."""
    code, start, end = marked("\ta\tfier b", at(1, 4, 8))
    assert "\t" not in code
    assert code[start:end] == "fier"


def test_wide_characters_do_not_shift_the_caret() -> None:
    """Characters two columns wide count twice, combining marks not at all."""
    source = '"火災é" fier'.replace("é", "e\u0301")
    begin = source.index("fier")
    code, start, end = marked(source, at(1, begin + 1, begin + 5))
    assert width(code[: code.index("fier")]) == start
    assert end - start == 4
    _, start, end = marked(source, at(1, 2, 4))
    assert (start, end) == (1, 5)


def test_control_characters_are_escaped_everywhere() -> None:
    """No escape sequence from a ruleset, a message or a file name gets out raw, and the caret still fits."""
    code, start, end = marked("\x1b[31m\u202efier", at(1, 7, 11))
    assert code.startswith("\\x1b[31m\\u202e")
    assert code[start:end] == "fier"
    hostile = Diagnostic(
        "R301",
        "\x1b[2Jm",
        at(1, 1, 2, file="\x07f"),
        hint="\x9bh",
        related=(Related(at(1, 1, 1), "\u2066r"),),
    )
    for shown in (as_text([hostile], {"\x07f": "\x00"}, False, 9), as_lines([hostile], {}), as_json([hostile], {})):
        assert not any(unicodedata.category(char) in ("Cc", "Cf") for char in shown.replace("\n", ""))


def test_long_line_is_cut_around_the_caret() -> None:
    """Of a line of ten million characters only the surroundings of the span are shown, still lined up."""
    source = "a" * 5_000_000 + "fier" + "b" * 5_000_000
    code, start, end = marked(source, at(1, 5_000_001, 5_000_005))
    assert code[start:end] == "fier"
    assert len(code) < 120
    assert code.startswith("...")
    assert code.endswith("...")
    code, start, end = marked(source, at(1, 1, 10_000_000))
    assert (start, code[:3]) == (0, "aaa")
    assert end <= 120


def test_odd_spans_get_marks_that_make_sense() -> None:
    """Spans of several lines, past the end, empty, or out of the file get marks that make sense, or no excerpt."""
    assert marked("    foo bar  \nbaz", at(1, 5, 2, end_line=2)) == ("    foo bar", 4, 11)
    assert marked("ab", at(1, 9, 12)) == ("ab", 2, 3)
    assert marked("ab", at(1, 2, 2)) == ("ab", 1, 2)
    assert marked("one\r\ntwo\rthree", at(3, 1, 6)) == ("three", 0, 5)
    assert marked("ab", at(1, 0, 0)) == ("ab", 0, 1)
    for span in (at(7, 1, 2), at(0, 0, 0), whole_file("missing.rules")):
        assert text(complain("R301", "m", span), "ab")[2:] == ["", "1 error"]


def test_cap_and_summary() -> None:
    """Two thousand problems: the first ones in order, how many are left out, and the totals."""
    many = [complain("R301" if i % 2 else "R308", f"problem {i}", at(i + 1, 1, 2)) for i in range(2001)]
    shown = as_text(many, {"a.rules": "x\n" * 3000}, colour=False, shown=3)
    lines = shown.splitlines()
    assert [line for line in lines if "problem " in line and "[" in line] == [
        "warning[R308]: problem 0",
        "error[R301]: problem 1",
        "warning[R308]: problem 2",
    ]
    assert lines[-3] == "and 1998 more problems (1000 errors, 1001 warnings in all)"
    assert lines[-1] == "1000 errors, 1001 warnings"
    assert "and 1 more problem (" in as_text(many[:2], {}, colour=False, shown=1)
    assert as_text([], {}, colour=False, shown=3) == "no problems\n"


def test_colour_only_when_asked() -> None:
    """Escapes are there with colour and gone without, and the rest of the text is the same."""
    found = complain("R301", "m", at(1, 1, 2), hint="h", related=[Related(at(1, 1, 2), "r")])
    plain = as_text([found], {"a.rules": "ab"}, colour=False, shown=9)
    coloured = as_text([found], {"a.rules": "ab"}, colour=True, shown=9)
    assert "\x1b" not in plain
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_each_diagnostic_is_one_line() -> None:
    """One line each whatever the message holds, with the hint in parentheses."""
    found = [complain("R301", "first\nsecond", at(3, 4, 5), hint="try this"), complain("R308", "unused", at(9, 1, 2))]
    assert as_lines(found, {}) == "a.rules:3:4: R301 first\\nsecond (try this)\na.rules:9:1: R308 unused\n"
    assert as_lines([], {}) == ""


def test_diagnostics_as_json_name_every_field() -> None:
    """The JSON form names every field of a diagnostic and counts both severities."""
    found = [
        complain("R301", "m", at(1, 2, 3), related=[Related(at(4, 5, 6), "r")]),
        complain("R308", "w", at(2, 1, 2)),
    ]
    first_span = {"file": "a.rules", "line": 1, "column": 2, "end_line": 1, "end_column": 3}
    document = json.loads(as_json(found, {}))
    assert document["diagnostics"][0] == {
        "code": "R301",
        "severity": "error",
        "message": "m",
        "span": first_span,
        "related": [{"span": first_span | {"line": 4, "column": 5, "end_line": 4, "end_column": 6}, "message": "r"}],
        "hint": None,
    }
    assert (document["errors"], document["warnings"]) == (1, 1)
    assert json.loads(as_json([], {})) == {"diagnostics": [], "errors": 0, "warnings": 0}


def record(required: Mapping[str, object], optional: Mapping[str, object] | None = None) -> dict[str, object]:
    """A JSON schema for an object with these members and no others."""
    members = {**required, **(optional or {})}
    return {"type": "object", "properties": members, "required": list(required), "additionalProperties": False}


# The part of the SARIF 2.1.0 schema that is used here, with the same names, types and bounds, and nothing optional.
COUNT = {"type": "integer", "minimum": 1}
INDEX = {"type": "integer", "minimum": 0}
MESSAGE = record({"text": {"type": "string", "minLength": 1}})
LEVEL = {"enum": ["error", "warning"]}
REGION = record({"startLine": COUNT, "startColumn": COUNT, "endLine": COUNT, "endColumn": COUNT})
URI = {"type": "string", "pattern": r"^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}
PLACE = {"physicalLocation": record({"artifactLocation": record({"uri": URI}), "region": REGION})}
RESULT = record(
    {
        "ruleId": {"type": "string"},
        "ruleIndex": INDEX,
        "level": LEVEL,
        "message": MESSAGE,
        "locations": {"type": "array", "minItems": 1, "items": record(PLACE)},
    },
    {"relatedLocations": {"type": "array", "items": record({"id": INDEX, "message": MESSAGE, **PLACE})}},
)
RULE = record({"id": {"type": "string"}, "shortDescription": MESSAGE, "defaultConfiguration": record({"level": LEVEL})})
TOOL = record({"driver": record({"name": {"const": "rulewright"}, "rules": {"type": "array", "items": RULE}})})
RUN = record({"tool": TOOL, "columnKind": {"const": "unicodeCodePoints"}, "results": {"type": "array", "items": RESULT}})
SARIF = record(
    {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": RUN},
    }
)


def test_diagnostics_as_sarif_have_the_structure_of_the_standard() -> None:
    """The SARIF form has the structure of the standard, also for odd spans and file names."""
    found = [
        complain("R302", "m", at(1, 2, 3, file="my rules/é:#1.rules"), hint="h", related=[Related(at(4, 5, 6), "r")]),
        complain("R308", "w", Span("/tmp/\ud800.rules", 0, 0, 0, 0)),
    ]
    document = json.loads(as_sarif(found, {}))
    jsonschema.validate(document, SARIF)
    run = document["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["R302", "R308"]
    first, second = run["results"]
    assert first["message"]["text"] == "m (h)"
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "my%20rules/%C3%A9%3A%231.rules"
    assert physical["region"] == {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 3}
    assert first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 4
    assert second["level"] == "warning"
    jsonschema.validate(json.loads(as_sarif([], {})), SARIF)


def test_what_a_terminal_obeys_is_not_printed() -> None:
    """Ordinary text of any script passes unchanged; what a terminal obeys does not."""
    assert printable("Schlüssel 火 ok") == "Schlüssel 火 ok"
    assert printable("a\nb\x1b\u202e\ud800") == "a\\nb\\x1b\\u202e\\ud800"
