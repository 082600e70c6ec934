"""The rules by subject, as the files of a ruleset are organised: a chapter for every subject, in the order in which the rulesets name them.

Takes the items of a linked ruleset, gives markup and headings for the contents. Files of the same name in several packages are one chapter: what a layer says of
a subject stands behind what the game says of it. The headings inside a file, as its comments have them, are those of the chapter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

import msgspec

from rulewright import tree as t
from rulewright.resolve.linked import Item, hook_words
from rulewright_tools.docs.cards import is_piece
from rulewright_tools.docs.entries import card, entry, piece, small
from rulewright_tools.docs.lexicon import capital, spaced
from rulewright_tools.docs.making import Making
from rulewright_tools.page import Heading, anchor, escape

SMALL = (t.PlaceDecl, t.NumberDecl, t.WordsDecl, t.GridDecl, t.StateDecl)
Listed = tuple[str, Item]


class Chapter(msgspec.Struct, frozen=True):
    """A subject: its name, its markup, and its lines for the contents."""

    heading: Heading
    text: str


def chapters(making: Making) -> list[Chapter]:
    """All chapters."""
    by_subject: dict[str, list[Listed]] = {}
    for file in making.built.trees:
        by_subject.setdefault(_subject(file), [])
    for key, item in _each_once(making):
        subject = _subject(item.declaration.span.file)
        if subject in by_subject:
            by_subject[subject].append((key, item))
    return [_chapter(making, subject, items) for subject, items in by_subject.items() if items]


def _subject(file: str) -> str:
    return PurePath(file).stem


def _each_once(making: Making) -> Iterator[Listed]:
    """Every item, and every hook that has no name, in the order of the files."""
    linked = making.built.linked
    assert linked is not None
    order = {file: number for number, file in enumerate(making.built.trees)}
    found = {id(item.declaration): (key, item) for key, item in reversed(linked.items.items())}
    listed = list(found.values())
    named = Counter[str]()
    for free in linked.hooks:
        timing, event = hook_words(free.declaration)
        path = f"{timing} {event}"
        named[path] += 1
        again = f" {named[path]}" if named[path] > 1 else ""
        listed.append((f"hook {path}{again}", Item(f"{path}{again}", "hook", free.declaration, free.package)))
    yield from sorted(listed, key=lambda each: (order.get(each[1].declaration.span.file, -1), each[1].declaration.span.line))


def _chapter(making: Making, subject: str, items: Sequence[Listed]) -> Chapter:
    title, address = capital(spaced(subject)), anchor("subject", subject)
    files = dict.fromkeys(item.declaration.span.file for _, item in items)
    leads = dict.fromkeys(lead for file in files if (lead := making.comments.head(file)))
    lead = "".join(f'<p class="lead">{making.lexicon.prose(each)}</p>' for each in leads)
    parts, text = list[Heading](), list[str]()
    for number, (part, listed) in enumerate(_parts(making, items)):
        inner = "".join(_runs(making, listed, 4 if part else 3))
        if part:
            place = f"{address}-{number}"
            parts.append(Heading(place, capital(part)))
            text.append(f'<section class="part-of" id="{escape(place)}"><h3>{escape(capital(part))}</h3>{inner}</section>')
        else:
            text.append(f'<section class="part-of">{inner}</section>')
    made = f'<section class="chapter" id="{escape(address)}"><h2>{escape(title)}</h2>{lead}{"".join(text)}</section>'
    return Chapter(Heading(address, title, tuple(parts)), made)


def _parts(making: Making, items: Sequence[Listed]) -> list[tuple[str, list[Listed]]]:
    """The items of a chapter below the headings that stand between them in their files; what has the same heading in several files stands together."""
    found: dict[str, list[Listed]] = {}
    part, file, line = "", "", 0
    for key, item in items:
        span = item.declaration.span
        new = span.file != file
        part = making.comments.part(span.file, 0 if new else line, span.line) or ("" if new else part)
        found.setdefault(part, []).append((key, item))
        file, line = span.file, span.end_line
    return list(found.items())


def _runs(making: Making, items: Sequence[Listed], level: int) -> Iterator[str]:
    """Rules one by one; cards, pieces and what takes one line side by side."""
    for shape, group in groupby(items, lambda each: _shape(each[1])):
        listed = list(group)
        match shape:
            case "card":
                yield f'<div class="cards">{"".join(card(making, key, item, level) for key, item in listed)}</div>'
            case "piece":
                yield from _pieces(making, listed)
            case "small":
                yield f'<div class="smalls">{"".join(small(making, key, item) for key, item in listed)}</div>'
            case _:
                yield "".join(entry(making, key, item, level) for key, item in listed)


def _pieces(making: Making, listed: Sequence[Listed]) -> Iterator[str]:
    """Pieces by their kinds."""
    for kind, group in groupby(listed, lambda each: getattr(each[1].declaration, "kind", "")):
        label = escape(capital(making.lexicon.plural(kind)))
        yield f'<div class="pieces"><p class="pieces-of">{label}</p><ul>{"".join(piece(making, key, item) for key, item in group)}</ul></div>'


def _shape(item: Item) -> str:
    if isinstance(item.declaration, t.ComponentDecl):
        return "piece" if is_piece(item) else "card"
    return "small" if isinstance(item.declaration, SMALL) else "rule"
