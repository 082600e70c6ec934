"""What of a ruleset can be translated: every name, word and text that somebody may read in a game of it, and in which file it stands.

Takes the effect graph, its program and the texts of the files; gives entries of the three sections of a locale (`names`, `words`, `texts`), in the order of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rulewright.catalog import shape, template
from rulewright.core.program import Program
from rulewright.sources import Package
from rulewright.told import told
from rulewright.types import TABLE

SECTIONS = ("names", "words", "texts")
OF_THE_PROGRAM = frozenset({"{}: choose an action", "Choose one"})  # questions that name nothing of the rules
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


class Entry(NamedTuple):
    """One thing to translate: its section and key in a locale, how the rules say it, what it is, and the file that says it."""

    section: str
    key: str
    said: str
    what: str
    file: str

    @property
    def found_by(self) -> tuple[str, str]:
        """What a translation of it is found by: a text by its shape."""
        return found_by(self.section, self.key)


def found_by(section: str, key: str) -> tuple[str, str]:
    """What the translation of a key of a section is found by."""
    return section, shape(template(key)[0]) if section == "texts" else key


def translatable(graph: dict[str, Any], program: Program, sources: Mapping[str, str]) -> list[Entry]:
    """Everything that can be translated, each once."""
    return _each_once((*_names(graph), *_words(graph), *_texts(graph, program, sources)))


def _each_once(entries: Iterable[Entry]) -> list[Entry]:
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        found.setdefault(entry.found_by, entry)
    return list(found.values())


def said(graph: dict[str, Any], program: Program, sources: Mapping[str, str], packages: Iterable[Package]) -> list[Entry]:
    """The same with what packages say besides their rules: the headings of their tables."""
    tables = [package.table for package in packages if package.table is not None]
    labels = [(group.get("label"), table.file) for table in tables for group in table.data.get("groups") or ()]
    headings = [Entry("texts", shape([label]), label, "heading", file) for label, file in labels if label]
    return _each_once((*headings, *translatable(graph, program, sources)))


# -- names


def _names(graph: dict[str, Any]) -> Iterator[Entry]:
    def made(path: str, declared: Mapping[str, Any], what: str, label: str | None = None) -> Entry:
        return Entry(
            "names",
            path,
            label or declared.get("title") or declared.get("label") or path.rpartition(".")[2].replace("_", " "),
            what,
            declared["span"][0],
        )

    for what, table in (("component", "components"), ("track", "tracks"), ("die", "dice"), ("place", "places"), ("action", "actions")):
        yield from (made(path, declared, what) for path, declared in graph[table].items() if path != TABLE)
    yield from (made(path, declared, declared["what"]) for path, declared in graph["effects"].items() if declared["what"] in ("phase", "step"))
    for grid, declared in _tables(graph["grids"]):
        yield made(grid, declared, "grid")
    for kind, declared in graph["kinds"].items():
        if "span" in declared:
            yield made(kind, declared, "kind")
        inherited = graph["kinds"].get(declared["parent"], {"fields": {}})["fields"]
        for field, about in declared["fields"].items():
            if field not in inherited:
                yield made(f"{kind}.{field}", about, "field") if kind != TABLE else made(field, about, "state")
    yield from (made(path, declared, "rule") for path, declared in graph["hooks"].items() if "/" not in path and declared["timing"] == "instead")
    yield from (made(path, declared, "cost") for path, declared in graph["costs"].items())


def _tables(listed: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
    return listed.items() if isinstance(listed, dict) else ((each["name"], each) for each in listed)


# -- words


def _words(graph: dict[str, Any]) -> Iterator[Entry]:
    for die in graph["dice"].values():
        yield from _spelled(die["faces"], die["span"], "face of a die")
    for track in graph["tracks"].values():
        yield from _spelled(track["spaces"], track["span"], "space of a track")
    for kind in graph["kinds"].values():
        for field in kind["fields"].values():
            yield from _of_type(field["type"], field["span"])
    for value in graph["values"].values():
        yield from _of_type(value["gives"] or {}, value["span"])
    for declared in (*graph["effects"].values(), *graph["values"].values()):
        for parameter in declared["parameters"]:
            yield from _of_type(parameter["type"], declared["span"])


def _of_type(of: Mapping[str, Any], span: Any) -> Iterator[Entry]:
    while "of" in of:
        of = of["of"]
    yield from _spelled(of.get("words", ()), span, "word of a field")


def _spelled(words: Iterable[Any], span: Any, what: str) -> Iterator[Entry]:
    return (Entry("words", word, word.replace("_", " "), what, span[0]) for word in words if isinstance(word, str))


# -- texts


def _texts(graph: dict[str, Any], program: Program, sources: Mapping[str, str]) -> Iterator[Entry]:
    for question in (each for each in program.questions if each.kind != "reaction"):  # that is called what the reaction is
        node = graph["nodes"].get(question.node)
        span = node["span"] if node is not None else _span_of(graph, question.event or question.action)
        if span is not None and not question.worded and shape(question.prompt.parts) not in OF_THE_PROGRAM:
            yield Entry("texts", _written_out(question.prompt.parts), _written_out(question.prompt.parts), "question", span[0])
    for kind in graph["kinds"].values():
        for parts, span in _in(kind.get("described_as"), kind.get("span")):
            yield Entry("texts", _as_written(parts, span, sources), _as_written(parts, span, sources), "description", span[0])
    for table, what in (("nodes", "text"), ("actions", "reason"), ("effects", "reason"), ("costs", "reason"), ("values", "text")):
        for declared in graph[table].values():
            for parts, span in _in(declared, declared["span"]):
                key = _as_written(parts, span, sources)
                yield Entry("texts", key, key, WHAT.get(declared.get("op"), what), span[0])


WHAT = {"log": "message", "choose": "question or option", "offer": "option"}


def _span_of(graph: dict[str, Any], path: str | None) -> Any:
    return next((graph[table][path]["span"] for table in ("actions", "effects") if path in graph[table]), None)


def _in(value: Any, span: Any) -> Iterator[tuple[list[Any], Any]]:
    """The texts in something, each with the place nearest to it."""
    if isinstance(value, list):
        for each in value:
            yield from _in(each, span)
    elif isinstance(value, dict):
        span = value.get("span") or span
        if value.get("op") == "text" and _has_words(value["parts"]):
            yield value["parts"], span
        for each in value.values():
            yield from _in(each, span)


def _has_words(parts: Iterable[Any]) -> bool:
    return any(isinstance(part, str) and any(map(str.isalpha, part)) for part in parts)


def _as_written(parts: list[Any], span: Any, sources: Mapping[str, str]) -> str:
    """A text as the rules write it, with what stands in its braces."""
    lines = sources.get(span[0], "").split("\n")[span[1] - 1 : span[3]]
    wanted = shape(parts)
    written = (found.group(1).replace('\\"', '"') for line in lines for found in LITERAL.finditer(line))
    return next((text for text in written if shape(template(text)[0]) == wanted), None) or _written_out(parts)


def _written_out(parts: Iterable[Any]) -> str:
    """The same where the rules do not write it in one piece."""
    return "".join(shape([part]) if isinstance(part, str) else f"{{{_hole(part, number)}}}" for number, part in enumerate(parts, 1))


def _hole(part: Any, number: int) -> str:
    words = told(part["of"]) if isinstance(part, dict) else ""
    return words if words and not set(words) & set("{}") else f"value {number}"
