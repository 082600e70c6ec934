"""YAML files and schemas: what is accepted, what is refused, and where the complaint points."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright.data import schema
from rulewright.diagnostics import Diagnostic, Span
from rulewright.limits import DEFAULT_LIMITS
from rulewright.sources.yamlfile import Document, parse_yaml, read_text, read_yaml
from rulewright.sources.yamltree import read_tree

SCHEMAS = ("board", "locale", "replay", "rulebook", "ruleset", "save", "scenario")
START = "id: quiet\ntitle: Quiet\nversion: '1.0'\nfiles: [a.rules]\n"


def parse(text: str, schema_name: str = "ruleset") -> tuple[Document | None, list[Diagnostic]]:
    return parse_yaml(text, "x.yaml", schema_name, DEFAULT_LIMITS)


def told(complaint: Diagnostic) -> str:
    return f"{complaint.span.line}:{complaint.span.column} {complaint.code} {complaint.message}"


REFUSED = [
    # the text, the complaint, a part of the hint
    (START + "id: b\n", "5:1 R203 the key 'id' is given twice", "remove one"),
    (START + "playrs: {min: 1, max: 2}\n", "5:1 R204 the file has no key 'playrs'", "did you mean 'players'?"),
    (START + "players: [1, 2]\n", "5:1 R205 'players' must be a mapping with min and max, found a list", None),
    (START + "players: {min: 1}\n", "5:11 R212 'players' lacks the key 'max'", "largest number"),
    (START + "players: {min: 0, max: 2}\n", "5:16 R205 'min' must be at least 1, found the number 0", None),
    (START + "players: {min: 1.0, max: 2}\n", "5:16 R205 'min' must be a whole number, found the number 1.0", None),
    (START + "after: old\n", "5:8 R205 'after' must be a list, each item a name of small letters", None),
    (START + "after: [Old One]\n", "5:9 R205 item 1 of 'after' must be a name of small letters", None),
    (START + "parents:\n", "5:1 R205 'parents' must be a list, each item a text, found nothing", None),
    (
        START + "options: {Mode: {values: [a], default: a}}\n",
        "5:11 R205 the key 'Mode' of 'options' must be a name",
        None,
    ),
    (START + "options: {mode: {values: [], default: a}}\n", "5:18 R205 'values' must have at least 1 item", None),
    (START + "parts: {p: {files: [p.rules], default: of}}\n", "5:40 R205 'default' must be on or off", "mean 'off'?"),
    (START + "parts: {p: {files: [p.rules], default: on}}\n", "5:40 R206 YAML could take the bare word on", '"on"'),
    (START + "description: No\n", "5:14 R206 YAML could take the bare word No", '"No"'),
    (START + "on: 1\n", "5:1 R206 YAML could take the bare word on", '"on"'),
    ("id: a\ntitle: T\nversion: 1.10\n", "3:10 R205 'version' must be a version such as", '"1.10"'),
    ("id: a\ntitle: true\nversion: '1'\n", "2:8 R205 'title' must be a text, found true", '"true"'),
    ("id: a\nversion: '1'\n", "1:1 R212 the file lacks the key 'title'", "that people read"),
    ("", "1:1 R205 the file must be a mapping with id, title and version, found nothing", None),
    ("- a\n", "1:1 R205 the file must be a mapping with id, title and version, found a list", None),
    ("id: &a x\n", "1:5 R207 the anchor '&a'", "remove it"),
    ("id: *a\n", "1:5 R207 the alias '*a'", "write the value out"),
    ("id: !!python/object/apply:os.system [x]\n", "1:5 R207 the tag", "remove it"),
    ("id: a\n---\nid: b\n", "2:1 R202 a second document begins here", "'---'"),
    ("id: a: b\n", "1:6 R202 a ':' where no key can stand", "quotes"),
    ("id:\n\ta: b\n", "2:1 R202 the indentation contains a tab", "with spaces"),
    ('id: "a\n', "2:1 R202 a quoted text that is never closed", "closing quote"),
    ("files: [a\nid: b\n", "2:3 R202 a list in brackets that is not closed", "[a, b, c]"),
    ("id: a\u2028b\n", "1:6 R202 a character that cannot be printed (U+2028)", "remove it"),
    ("? [a]\n: b\n", "1:3 R205 a list or mapping as a key", None),
    ("id: 1234567890123456789012\n", "1:5 R205 a number of 22 digits", "quotes"),
    ("[" * 100_000, "1:31 R603 mappings and lists are nested more than 30 deep", "flatter"),
    ("- " * 100_000, "1:61 R603 mappings and lists are nested more than 30 deep", "flatter"),
    (START + "after: [" + "1," * 90_000 + "]", "5:10007 R605 too much is wrong with the file", None),
    ("[" + "a," * 300_000 + "]", "1:399996 R601 the file holds more than 200,000 values", "split"),
]


@pytest.mark.parametrize(("text", "complaint", "hint"), REFUSED, ids=[case[1][:50] for case in REFUSED])
def test_each_mistake_is_refused_at_its_place(text: str, complaint: str, hint: str | None) -> None:
    """Each mistake gets its complaint at its place, with a hint, and soon."""
    started = time.process_time()
    _, complaints = parse(text)
    assert time.process_time() - started < 10
    found = [one for one in complaints if told(one).startswith(complaint)]
    assert found, [told(one) for one in complaints]
    assert hint is None or hint in (found[0].hint or "")


OTHERS = [
    (
        "rulebook",
        "rules:\n- {id: a.b, statement: x}\n",
        "2:4 R212 item 1 of 'rules' lacks one of the keys 'page' or 's",
    ),
    (
        "rulebook",
        "rules:\n- {id: a.b, statement: x, page: [1]}\n",
        "2:27 R205 'page' must be a text or a whole number, f",
    ),
    (
        "rulebook",
        "rules:\n- {id: a.b, statement: x, page: 1, applicable: 'no'}",
        "2:4 R212 item 1 of 'rules' lacks the",
    ),
    (
        "board",
        "components: [{id: a, kind: b, fields: {c: {d: 1}}}]",
        "1:40 R205 'c' must be a word, a whole number, true",
    ),
    ("board", "links: [{kind: a, between: [b]}]", "1:19 R205 'between' must have at least 2 items, found 1"),
    ("board", "links: [{kind: a, between: [b, c], direction: bth}]", "1:47 R205 'direction' must be both or forward"),
    ("locale", "language: english\n", "1:11 R205 'language' must be a language tag such as en or pt-BR"),
    ("scenario", "name: x\nthan: [a]\n", "2:1 R204 the file has no key 'than'"),
    ("scenario", "scenarios:\n- name: x\n  then: a\n", "3:9 R205 'then' must be a list"),
    ("scenario", "name: x\nthen: [{offers: a, log: b}]\n", "2:9 R205 item 1 of 'then' must have only one of the keys"),
    ("scenario", "name: x\nthen: [a]\nwhen: [{chose: a}]\n", "3:9 R204 item 1 of 'when' has no key 'chose'"),
    ("scenario", "name: x\nthen: [a]\nwhen: [{choose: {player: 1}}]\n", "3:18 R212 'choose' lacks the key 'option'"),
]


@pytest.mark.parametrize(("schema_name", "text", "complaint"), OTHERS)
def test_refused_by_schema(schema_name: str, text: str, complaint: str) -> None:
    """Where a schema allows several shapes, the complaint speaks of the one that was meant, and only of it."""
    document, complaints = parse(text, schema_name)
    assert document is None or complaints[0].code == "R204"
    assert told(complaints[0]).startswith(complaint)


GOOD = [
    ("ruleset", START + "players: {min: 1, max: 5}\noptions:\n  mode: {values: [solo, 2], default: 2}\n"),
    ("ruleset", START + "parts: {p: {files: [p.rules], default: 'off', when: {mode: solo}}}\ntitles: {cs: Ticho}\n"),
    ("rulebook", "prefix: a\nrules: [{id: a.b.1, statement: x, page: 12}, {id: a.b.2, statement: z, source: card}]"),
    ("board", "components: [{id: a, kind: b, in: c, fields: {d: [1, e], f: true}}]\nsource: own\ncite: [a.b]\n"),
    ("board", "grids: [{id: g, kind: s, rows: 2, columns: 3}]"),
    ("locale", "language: cs\nnames: {room.search: Prohledat}\ntexts: {'{who} runs.': '{who} běží.'}\n"),
    ("scenario", "name: x\ngiven: |\n  a = 1\n  b = 2\nthen: [a = 1, not offers: Move, log: [x, z]]\nplayers: 2\n"),
    (
        "scenario",
        "seed: 3\nscenarios: [{name: x, when: [choose: {player: 1, option: Go}, chance: [[b, a]]], then: [a]}]",
    ),
]


@pytest.mark.parametrize(("schema_name", "text"), GOOD)
def test_what_the_schemas_allow_passes(schema_name: str, text: str) -> None:
    """What the schemas are meant to allow passes without a word."""
    document, complaints = parse(text, schema_name)
    assert document is not None
    assert [told(one) for one in complaints] == []


def test_bare_values_are_numbers_flags_null_or_text() -> None:
    """Bare values are whole numbers, decimals, true, false, null or text: no dates, octals or base 60."""
    values = "[12, -3, 0, 010, 0x1F, 1e3, 12:30:00, 2026-01-01, 1.5, true, false, ~, null, .inf, '7', Null]"
    tree, complaints = read_tree(values, "x.yaml", DEFAULT_LIMITS)
    assert complaints == []
    assert tree is not None
    texts = ["010", "0x1F", "1e3", "12:30:00", "2026-01-01"]
    assert tree.data == [12, -3, 0, *texts, 1.5, True, False, None, None, ".inf", "7", "Null"]


def test_a_document_knows_where_its_values_are() -> None:
    """A document knows where each value and key is, and answers with the nearest ancestor for what it does not have."""
    document, _ = parse(START + "players:\n  min: 1\n  max: 12\n")
    assert document is not None
    assert document.span("players", "max") == Span("x.yaml", 7, 8, 7, 10)
    assert document.key_span("players").line == 5
    assert document.span("players", "none", 3) == document.span("players")
    assert (document.span("players").line, document.span("players").end_line) == (6, 7)
    assert document.span("files", 0).column == 9


def test_key_given_twice_shows_the_first() -> None:
    """The complaint about a key given twice also shows the first one, whose value counts."""
    document, complaints = parse(START + "title: Loud\n")
    assert complaints[0].related[0].span.line == 2
    assert document is not None
    assert document.data["title"] == "Quiet"


def test_aliases_that_unfold_without_end_are_refused(tmp_path: Path) -> None:
    """A file whose aliases would unfold to billions of values is refused at once."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    path = tmp_path / "bomb.yaml"
    path.write_text("\n".join(lines))
    started = time.process_time()
    document, complaints = read_yaml(path, "bomb.yaml", "ruleset", DEFAULT_LIMITS)
    assert time.process_time() - started < 5
    assert document is None
    assert {one.code for one in complaints} == {"R207"}


UNREADABLE = [
    (b"id: \0\1\2", "1:1 R107 the file is binary"),
    ("id: a".encode("utf-16"), "1:1 R107 the file is in UTF-16"),
    (b"id: a\ntitle: caf\xe9\n", "2:11 R107 the byte 0xE9 is not UTF-8"),
    (b"#" * 1_000_001, "1:1 R601 the file has 1,000,001 bytes; at most 1,000,000 are read"),
]


@pytest.mark.parametrize(("content", "complaint"), UNREADABLE)
def test_files_that_are_no_text_are_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    """Binary files, other encodings and huge files are refused before anything is parsed."""
    path = tmp_path / "x.yaml"
    path.write_bytes(content)
    text, complaints = read_text(path, "x.yaml", DEFAULT_LIMITS)
    assert text is None
    assert told(complaints[0]).startswith(complaint)


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    """A byte order mark is dropped and line ends are made alike; neither moves a column."""
    path = tmp_path / "x.rules"
    path.write_bytes(b"\xef\xbb\xbfkind a\r\nkind b\r")
    texts: dict[str, str] = {}
    assert read_text(path, "x.rules", DEFAULT_LIMITS, texts=texts) == ("kind a\nkind b\n", [])
    assert texts == {"x.rules": "kind a\nkind b\n"}


def test_what_is_no_file_is_a_complaint(tmp_path: Path) -> None:
    """Missing files, folders, pipes, loops and impossible names are complaints, never exceptions."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    for name in ("none", ".", "pipe", "loop", "x" * 5000, "a\0b", "none/none"):
        text, complaints = read_text(tmp_path / name, "shown", DEFAULT_LIMITS)
        assert text is None
        assert [one.code for one in complaints] == ["R201"]
        assert "cannot read 'shown'" in complaints[0].message


def test_large_rulebook_is_quick(tmp_path: Path) -> None:
    """A rulebook of 800 rules loads fast enough not to be noticed."""
    path = tmp_path / "rulebook.yaml"
    rule = "- id: base.move.{n}\n  statement: A statement of the rulebook, {n}.\n  page: {n}\n"
    path.write_text("rules:\n" + "".join(rule.format(n=n) for n in range(800)))
    started = time.process_time()
    document, complaints = read_yaml(path, "rulebook.yaml", "rulebook", DEFAULT_LIMITS)
    assert time.process_time() - started < 8
    assert document is not None
    assert complaints == []


def properties(part: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property that a schema describes, and every definition."""
    if isinstance(part, dict):
        for key in ("properties", "$defs"):
            yield from part.get(key, {}).items()
        for inner in part.values():
            yield from properties(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from properties(inner)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_valid_and_closed(name: str) -> None:
    """Every schema is a valid schema, closed, and says what each of its properties is."""
    whole = schema(name)
    Draft202012Validator.check_schema(whole)
    assert whole["title"]
    for key, described in properties(whole):
        if set(described) == {"const"}:  # the condition of an if
            continue
        assert described.get("title"), key
        assert described.get("description"), key
        if "properties" in described:
            assert described["additionalProperties"] is False, key
