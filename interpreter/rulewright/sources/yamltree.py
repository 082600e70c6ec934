"""From the text of a YAML file to plain data in which every value knows its place.

Takes text, gives a `Document` and complaints. Only what the project's files need is accepted: mappings, lists, texts,
whole and decimal numbers, true, false and null. Anchors, aliases and tags are refused, and so are keys given twice,
bare words such as yes or off, a second document and deep nesting. The tree is built from the parser's events without
recursion and without YAML's own idea of types, so that a hostile file costs no more than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import yaml

from rulewright.diagnostics import Diagnostic, Related, Span, complain
from rulewright.limits import Limits
from rulewright.sources.document import Document, Node

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+\Z")
_NULLS = ("", "~", "null")
_TRUTHS = {"true": True, "false": False}
_TRUTHLIKE = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false"))
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_LARGEST_DIGITS = 18
_MOST_VALUES = 200_000
_NO_KEYS: dict[str, Span] = {}
_NO_ITEMS: dict[str | int, Node] = {}

# What the YAML parser says, and what it means to somebody who writes a file. The first entry that fits is used.
_UNFIT = "a line that does not fit the lines above it"
_NO_COLON = "write 'key: value', or check the indentation of a text that runs over lines"
_TABS = "indent with spaces, not tabs; put a text that begins with @, ` or % in quotes"
_TWO_COLONS = re.compile(r" *(?:- )?(\w+): +([^\"'\[{].*:.*?) *$")
_PLAIN_WORDS = (
    (
        "mapping values are not",
        "a ':' where no key can stand",
        "put a text with ': ' in quotes, or check the indentation",
    ),
    ("cannot start any token", "a character that no value can begin with", _TABS),
    ("could not find expected ':'", "a key without its ':'", _NO_COLON),
    ("simple key", "a key without its ':'", _NO_COLON),
    ("unexpected end of stream", "a quoted text that is never closed", "add the closing quote"),
    ("',' or ']'", "a list in brackets that is not closed or lacks a comma", "write [a, b, c]"),
    ("',' or '}'", "a mapping in braces that is not closed or lacks a comma", "write {a: 1, b: 2}"),
    ("expected <block end>", _UNFIT, "keys of one mapping, and dashes of one list, begin in the same column"),
    ("expected key", _UNFIT, "keys of one mapping begin in the same column"),
    ("'-' indicator", _UNFIT, "dashes of one list begin in the same column"),
    ("unknown escape", "a backslash in a text in double quotes", "write \\\\ for a backslash, or use single quotes"),
)


def _scalar_node(data: Any, span: Span, raw: str = "") -> Node:
    # Scalars share one pair of empty dicts; a large file has very many of them.
    return Node(data, span, raw, _NO_KEYS, _NO_ITEMS)


class _Open(msgspec.Struct):
    """A mapping or list whose end has not been reached."""

    node: Node
    key: str | None = None
    doubled: bool = False


def read_tree(text: str, file: str, limits: Limits) -> tuple[Document | None, list[Diagnostic]]:
    """The document, or None where it cannot be made out at all; and what is wrong with it."""
    if (bad := _UNPRINTABLE.search(text)) is not None:
        return None, [_unprintable(text, file, bad)]
    builder = _Builder(file, limits)
    try:
        for event in _events(text):
            if not builder.take(event):
                return None, builder.complaints
    except yaml.YAMLError as error:
        return None, [*builder.complaints, _malformed(error, file, text)]
    root = builder.root if builder.root is not None else _scalar_node(None, Span(file, 1, 1, 1, 1))
    return (None if builder.refused else Document(file, root)), builder.complaints


def _events(text: str) -> Iterator[Any]:
    return yaml.parse(text, Loader=_LOADER)  # type: ignore[no-untyped-call, no-any-return, unused-ignore]


class _Builder:
    """Takes the parser's events one by one and puts the tree together."""

    def __init__(self, file: str, limits: Limits) -> None:
        self.file = file
        self.limits = limits
        self.complaints: list[Diagnostic] = []
        self.root: Node | None = None
        self.refused = False
        self._stack: list[_Open] = []
        self._documents = 0
        self._taken = 0

    def take(self, event: Any) -> bool:
        """Takes one event; False when there is no point in reading on."""
        self._taken += 1
        if self._taken > _MOST_VALUES:
            message = f"the file holds more than {_MOST_VALUES:,} values"
            self.complaints.append(complain("R601", message, self._span(event), hint="split it into several files"))
            return False
        if isinstance(event, yaml.ScalarEvent):
            self._refuse_extras(event)
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._refuse_extras(event)
            return self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"the alias '*{clipped(str(event.anchor))}'", "write the value out where it is needed")
            self._add(_scalar_node(None, self._span(event)))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                message = "a second document begins here; a file holds one"
                self.complaints.append(complain("R202", message, self._span(event), hint="remove the line '---'"))
                self.refused = True
                return False
        return True

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _refuse(self, event: Any, what: str, hint: str) -> None:
        self.complaints.append(complain("R207", f"{what}: YAML anchors, aliases and tags are not used here", self._span(event), hint=hint))
        self.refused = True

    def _refuse_extras(self, event: Any) -> None:
        if event.anchor is not None:
            self._refuse(event, f"the anchor '&{clipped(event.anchor)}'", "remove it, and write the value out where it is needed")
        if event.tag is not None:
            self._refuse(event, f"the tag '{clipped(event.tag)}'", "remove it; put a value that is meant as text in quotes")

    def _open(self, event: Any) -> bool:
        if len(self._stack) >= self.limits.yaml_depth:
            message = f"mappings and lists are nested more than {self.limits.yaml_depth} deep"
            self.complaints.append(complain("R603", message, self._span(event), hint="no file of a ruleset needs this; write it flatter"))
            self.refused = True
            return False
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._stack.append(_Open(Node({} if mapping else [], self._span(event), "", {}, {})))
        return True

    def _close(self, event: Any) -> None:
        node = self._stack.pop().node
        children = node.items
        last = next(reversed(children.values())).span if children else None
        flow_end = self._span(event)
        end = flow_end if last is None or (flow_end.line, flow_end.column) != (flow_end.end_line, flow_end.end_column) else last
        node.span = node.span.to(end)
        self._add(node)

    def _scalar(self, event: Any) -> None:
        raw: str = event.value
        span = self._span(event)
        waiting = self._stack[-1] if self._stack else None
        is_key = waiting is not None and type(waiting.node.data) is dict and waiting.key is None
        plain = not event.style
        if plain and raw.lower() in _TRUTHLIKE and raw not in _TRUTHS:
            message = f"YAML could take the bare word {raw} for true or false"
            hint = f'put the word in quotes: "{raw}"' + ("" if is_key else ", or write true or false")
            self.complaints.append(complain("R206", message, span, hint=hint))
        if is_key:
            self._key(raw, span)
        else:
            self._add(_scalar_node(self._value(raw, span) if plain else raw, span, raw))

    def _value(self, raw: str, span: Span) -> Any:
        if raw in _NULLS:
            return None
        if raw in _TRUTHS:
            return _TRUTHS[raw]
        if _WHOLE.match(raw):
            if len(raw) > _LARGEST_DIGITS:
                message = f"a number of {len(raw)} digits; at most {_LARGEST_DIGITS} are allowed"
                self.complaints.append(complain("R205", message, span, hint="put it in quotes if it is meant as text"))
                self.refused = True
                return 0
            return int(raw)
        return float(raw) if len(raw) < 40 and _DECIMAL.match(raw) else raw

    def _key(self, raw: str, span: Span) -> None:
        opened = self._stack[-1]
        opened.key = raw
        opened.doubled = raw in opened.node.keys
        if opened.doubled:
            first = Related(opened.node.keys[raw], "first given here")
            self.complaints.append(
                complain(
                    "R203",
                    f"the key '{clipped(raw)}' is given twice",
                    span,
                    related=[first],
                    hint="remove one of the two",
                )
            )
        else:
            opened.node.keys[raw] = span

    def _add(self, node: Node) -> None:
        """Puts a finished value where it belongs; of a key given twice the first value stays."""
        if not self._stack:
            self.root = node
            return
        opened = self._stack[-1]
        held = opened.node
        if type(held.data) is list:
            held.items[len(held.data)] = node
            held.data.append(node.data)
        elif opened.key is None:
            self.complaints.append(complain("R205", "a list or mapping as a key; a key is a word", node.span))
            self.refused = True
            opened.key, opened.doubled = "", True
        else:
            if not opened.doubled:
                held.items[opened.key] = node
                held.data[opened.key] = node.data
            opened.key = None


def clipped(text: str, most: int = 60) -> str:
    """A text from a file, short enough to be quoted in a message."""
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= most and line == text.strip() else line[:most].rstrip() + "…"


def _unprintable(text: str, file: str, found: re.Match[str]) -> Diagnostic:
    before = text[: found.start()]
    line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
    message = f"a character that cannot be printed (U+{ord(found[0]):04X})"
    return complain("R202", message, Span(file, line, column, line, column + 1), hint="remove it")


def _malformed(error: yaml.YAMLError, file: str, text: str) -> Diagnostic:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read")
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    span = Span(file, line, column, line, column + 1)
    context = getattr(error, "context_mark", None)
    related = []
    if context is not None and context.line != line - 1:
        related.append(
            Related(
                Span(file, context.line + 1, context.column + 1, context.line + 1, context.column + 2),
                "while reading what begins here",
            )
        )
    written = text.split("\n")[line - 1] if mark is not None and line <= text.count("\n") + 1 else ""
    if written[column - 1 : column] == "\t":
        return complain("R202", "the indentation contains a tab", span, hint="indent with spaces, two a level", related=related)
    for part, words, hint in _PLAIN_WORDS:
        if part in problem:
            if part == "mapping values are not" and (found := _TWO_COLONS.match(written)) is not None:
                hint = f'put a text with a colon in quotes: {found[1]}: "{found[2]}"'
            return complain("R202", words, span, hint=hint, related=related)
    return complain("R202", f"not well-formed YAML: {problem}", span, related=related)
