"""Locale files, written and brought up to date: what is translated stays as it is, what is missing is listed, what the rules no longer have is put aside.

Takes the rules that a package is used in, and the text of its locale in one language, if there is one; gives the new text and how far the translation has come. A line
that begins with `#?` waits for its translation (to give one is to write it and take the two signs away), one with `#~` translates what is no longer there, and comes back
when that does; `#:` says in which file what waits below it stands. No line is lost, and no translation is ever changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import yaml

from rulewright.catalog import Catalog
from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS
from rulewright.rules import Rules
from rulewright.sources import Package
from rulewright.sources.yamlfile import Document, parse_yaml
from rulewright.translatable import SECTIONS, Entry, found_by, said

HEAD = """\
# '{id}' in another language: names by their name in the rules, words and texts by themselves. What stands in braces is kept.
# '#?' waits for a translation: write it instead of the words there, and take the two signs away. '#~' is no longer in the rules.
"""
NOTE = re.compile(r"\s*#([?:~]) ?(.*)\Z")
PLAIN = re.compile(r"[^\W\d_](?:[\w .,;()/!?’–-]|'(?=\w))*\Z")
MEANINGS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"])  # words that YAML could take for something else
Key = tuple[str, str]


class Subject(NamedTuple):
    """A package that is translated, with everything that it says, what is said by all rules that it is used in, and the names that there are."""

    package: Package
    entries: list[Entry]
    everything: frozenset[Key]
    names: frozenset[str]


class Progress(NamedTuple):
    """A locale brought up to date, and how far it has come."""

    text: str
    translated: int
    missing: list[Entry]
    gone: list[str]


def subject(used: Sequence[Rules], package: str, below: Sequence[Rules] = ()) -> Subject:
    """What there is to translate of a package, in all the rules that it is used in: what its own files say, and what is said only because of it, if there are rules without it."""
    from rulewright.explain import paths

    found: dict[Key, Entry] = {}
    everything: set[Key] = set()
    names: set[str] = set()
    without = {entry.found_by for rules in below for entry in _said(rules)}
    for rules in used:
        entries = _said(rules)
        own = next(each for each in rules.packages if each.id == package)
        folders = sorted((each.folder for each in rules.packages), key=len, reverse=True)
        for entry in entries:
            home = next((folder for folder in folders if entry.file.startswith(f"{folder}/") or entry.file == folder), None)
            if home == own.folder or (below and entry.found_by not in without):
                found.setdefault(entry.found_by, entry)
        everything |= {entry.found_by for entry in entries}
        names |= {*paths(rules.built), *(change.path for change in rules.built.linked.changes)} if rules.built.linked else set()
    return Subject(own, list(found.values()), frozenset(everything), frozenset(names))


def _said(rules: Rules) -> list[Entry]:
    """Everything that rules say, and the headings of their tables."""
    return said(rules.graph, rules.program, rules.texts, rules.packages)


def missing(entries: Iterable[Entry], catalog: Catalog) -> list[Entry]:
    """What has no translation."""
    tables: dict[str, Any] = {"names": catalog.names, "words": catalog.words, "texts": catalog.texts}
    return [entry for entry in entries if entry.found_by[1] not in tables[entry.section]]


def updated(of: Subject, language: str, text: str | None, below: Sequence[Any] = ()) -> tuple[Progress | None, list[Diagnostic]]:
    """The locale of a subject in a language, brought up to date; `below` are the locales that it builds on. None, and why, if its text cannot be read."""
    text = HEAD.format(id=of.package.id) + f"\nlanguage: {language}\n" if text is None else text
    text = _restored(text, of)
    document, problems = parse_yaml(text, f"{language}.yaml", "locale", DEFAULT_LIMITS)
    if document is None:
        return None, problems
    wanted = missing(of.entries, Catalog(language, [*below, document.data]))
    gone = [(section, key) for section in SECTIONS for key in document.data.get(section) or () if not _is_there(of, section, key)]
    page = _Page(text, document)
    for section in SECTIONS:
        page.unfold(section)
    for section, key in gone:
        page.put_aside(section, key)
    for section in SECTIONS:
        page.add(section, [entry for entry in of.entries if entry.section == section], {entry.found_by for entry in wanted})
    count = sum(len(document.data.get(section) or ()) for section in SECTIONS) - len(gone)
    return Progress(page.written(), count, wanted, [key for _, key in gone]), problems


def _is_there(of: Subject, section: str, key: str) -> bool:
    return found_by(section, key) in of.everything or (section == "names" and (key in of.names or key == "player"))


def _restored(text: str, of: Subject) -> str:
    """The text without what waits for a translation, which is listed anew, and with what was put aside where it is back in the rules."""
    kept, section = [], ""
    for line in text.split("\n"):
        if line[:1].isalpha():
            section = line.partition(":")[0]
        note = NOTE.match(line)
        if note is None:
            kept.append(line)
        elif note.group(1) == "~":
            pair = _pair(note.group(2))
            back = pair is not None and section in SECTIONS and _is_there(of, section, pair[0])
            kept.append(f"  {note.group(2).strip()}" if back else line)
    return "\n".join(kept)


def _pair(line: str) -> tuple[str, str] | None:
    """A key and its value, if a line is one."""
    try:
        found = yaml.safe_load(line)
    except yaml.YAMLError:
        return None
    return (
        next(iter(found.items()))
        if isinstance(found, dict) and len(found) == 1 and all(isinstance(each, str) for each in next(iter(found.items())))
        else None
    )


class _Page:
    """The lines of a locale file, and what is to be written between them."""

    def __init__(self, text: str, document: Document) -> None:
        self.lines = text.rstrip("\n").split("\n")
        self.document = document
        self.after: dict[int, list[str]] = {}  # by the number of a line, from 1

    def unfold(self, section: str) -> None:
        """Write a section that stands in braces below its name, and read the file anew."""
        node = self.document.root.items.get(section)
        if node is None or not isinstance(node.data, dict) or not self.lines[node.span.line - 1][node.span.column - 1 :].startswith("{"):
            return
        pairs = [f"  {scalar(name)}: {scalar(said)}" for name, said in node.data.items()]
        self.lines[self.document.root.keys[section].line - 1 : node.span.end_line] = [f"{section}:", *pairs]
        again, _ = parse_yaml("\n".join(self.lines), self.document.file, "locale", DEFAULT_LIMITS)
        assert again is not None
        self.document = again

    def put_aside(self, section: str, key: str) -> None:
        """Mark the lines of a translation as no longer in the rules."""
        first, last = self.document.key_span(section, key).line, self._end(section, key)
        for number in range(first, last + 1):
            self.lines[number - 1] = f"  #~ {self.lines[number - 1].strip()}"

    def _end(self, section: str, key: str) -> int:
        span = self.document.span(section, key)
        return span.end_line if span.end_column > 1 or span.end_line == span.line else span.end_line - 1

    def add(self, section: str, entries: Sequence[Entry], wanted: set[Key]) -> None:
        """List what waits for a translation, each below what stands before it in the rules."""
        node = self.document.root.items.get(section)
        if node is None and not any(entry.found_by in wanted for entry in entries):
            return
        there = {}
        for key in (node.data or {}) if node is not None else ():
            there[found_by(section, key)] = self._end(section, key)
        if node is None:
            self.lines += ["", f"{section}:"]
        at = self.document.root.keys[section].line if node is not None else len(self.lines)
        last_file = None
        for entry in entries:
            if entry.found_by in there:
                at, last_file = there[entry.found_by], None
            elif entry.found_by in wanted:
                heading = [f"  #: {entry.file.rpartition('/')[2]}"] if entry.file != last_file else []
                self.after.setdefault(at, []).extend([*heading, f"  #? {scalar(entry.key)}: {scalar(entry.said)}"])
                last_file = entry.file

    def written(self) -> str:
        """The whole file."""
        lines = []
        for number, line in enumerate(self.lines, 1):
            lines += [line, *self.after.get(number, ())]
        return "\n".join(lines) + "\n"


def scalar(text: str) -> str:
    """A text as YAML writes it: in quotes where it could be taken for something else."""
    plain = PLAIN.match(text) and text.lower() not in MEANINGS and not text.endswith(" ")
    return text if plain else json.dumps(text, ensure_ascii=False)
