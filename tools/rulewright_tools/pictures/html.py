"""Drawings as one page of HTML that needs nothing else: pan, zoom, search, and a panel with the source.

Takes the graph, the source texts and the statements of the rulebook, gives text. Drawings lie in templates, all other
text of the ruleset in one block of JSON in which nothing can end the script element. A content policy lets only our own
script run and nothing be fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from rulewright_tools.page.document import asset, document
from rulewright_tools.page.sources import file_told
from rulewright_tools.pictures.labels import Labels
from rulewright_tools.pictures.map import STYLE as MAP_STYLE
from rulewright_tools.pictures.map import map_of
from rulewright_tools.pictures.marks import NO_MARKS, Marks, marked
from rulewright_tools.pictures.model import LOOKS, MARKS, Box, Graph, Picture, clean, clean_line
from rulewright_tools.pictures.names import all_keys
from rulewright_tools.pictures.outline import outline
from rulewright_tools.pictures.overview import overview, reachable
from rulewright_tools.pictures.sheet import Sheet, sheet_of
from rulewright_tools.pictures.sparing import MOST_DRAWN, spared, with_gaps
from rulewright_tools.pictures.subjects import Subject, edges, homes, subject_picture, subjects
from rulewright_tools.pictures.svg import STYLE, escape

_WHOLE = "whole"
_BODY = """<header>
<button id="home" title="To the whole (Home)" hidden>Map</button><button id="back" disabled title="Back to the drawing before (Backspace)">← Back</button><h1 id="title"></h1><span class="gap"></span>
<span id="found" role="status"></span>
<input id="query" type="search" placeholder="Search (press /, Enter: next)" aria-label="Search the boxes">
<button id="out" title="Zoom out (-)" aria-label="Zoom out">−</button><button id="in" title="Zoom in (+)" aria-label="Zoom in">+</button><button id="fit" title="See all of it (0)">Fit</button>
</header>
<main><div id="canvas"><div id="sheet"></div></div>
<aside id="panel" hidden><button id="close" title="Close (Escape)" aria-label="Close">×</button><div id="about"></div></aside></main>
{templates}"""


def html(graph: Graph, key: str | None, texts: Mapping[str, str], rules: Mapping[str, str], found: Marks = NO_MARKS) -> str:
    """The page for one drawing and all that it leads to, or for the whole ruleset: its map, its subjects, and everything in them."""
    labels = Labels(graph, texts)
    keys = all_keys(graph) if key is None else reachable(graph, key)
    parts = subjects(graph, texts) if key is None else []
    pictures: dict[str, Picture] = {}
    drawn = 0
    wanted: list[tuple[str, Callable[[], Picture]]] = [*_of_the_whole(graph, parts, key)]
    wanted += [(each, partial(outline, graph, each, labels)) for each in keys]
    for each, make in wanted:
        if drawn < MOST_DRAWN:
            picture = spared(make())
            pictures[each] = marked(picture, found, each if each in keys else None)
            drawn += len(picture.boxes)
    sheets = {each: sheet_of(picture, each == _WHOLE) for each, picture in pictures.items()}
    main = key or _WHOLE
    if main not in sheets:
        sheets = {_WHOLE: map_of(graph, parts, found, style=False), **sheets}
    if len(wanted) > len(pictures):
        sheets[main] = msgspec.structs.replace(sheets[main], title=with_gaps(sheets[main].title))
    return page_of(main, sheets, texts, rules, STYLE + MAP_STYLE)


def _of_the_whole(graph: Graph, parts: Sequence[Subject], key: str | None) -> Iterator[tuple[str, Callable[[], Picture]]]:
    """What shows a ruleset as a whole: its subjects; of one that has no more than one, everything in one picture."""
    if key is None and len(parts) < 2:
        yield _WHOLE, partial(overview, graph)
    elif key is None:
        by_key, home, found = {part.key: part for part in parts}, homes(parts), edges(graph)
        yield from ((part.key, partial(subject_picture, graph, part, by_key, home, found)) for part in parts)


def page_of(main: str, sheets: Mapping[str, Sheet], texts: Mapping[str, str], rules: Mapping[str, str], style: str = STYLE) -> str:
    """The page for some sheets by their keys, of which one is shown first."""
    return document(
        sheets[main].title,
        _BODY.format(templates="\n".join(f'<template data-key="{escape(key)}">{sheet.markup}</template>' for key, sheet in sheets.items())),
        made_by="rulewright graph",
        style=style + asset("pictures", "page.css"),
        script=asset("pictures", "page.js"),
        data=_data(main, sheets, texts, rules),
    )


def _data(main: str, sheets: Mapping[str, Sheet], texts: Mapping[str, str], rules: Mapping[str, str]) -> dict[str, object]:
    """What the script needs: the details of every box, the sources and rules that they mention."""
    boxes = [box for sheet in sheets.values() for box in sheet.boxes]
    spoken = dict.fromkeys(box.span[0] for box in boxes if box.span)
    names = _names(spoken)
    cited = dict.fromkeys(id for box in boxes for id in box.cites)
    return {
        "main": main,
        "drawings": {key: _drawing(sheet, sheets, names) for key, sheet in sheets.items()},
        "sources": {names[file]: list(map(clean_line, texts[file].split("\n"))) for file in spoken if file in texts},
        "rules": {id: clean(rules[id]) for id in cited if id in rules},
    }


def _names(files: Iterable[str]) -> dict[str, str]:
    """What files are called on the page, each otherwise."""
    found: dict[str, str] = {}
    for file in files:
        told = file_told(file)
        found[file] = told if told not in found.values() else f"{told} ({len(found) + 1})"
    return found


def _drawing(sheet: Sheet, drawn: Collection[str], names: Mapping[str, str]) -> dict[str, object]:
    return {
        "title": sheet.title,
        "whole": sheet.whole,
        "dims": sheet.dims,
        "cites": list(sheet.cites),
        "boxes": [_details(box, drawn, names) for box in sheet.boxes],
    }


def _details(box: Box, drawn: Collection[str], names: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": box.link or "",
        "word": LOOKS[box.sort].word,
        "label": box.label,
        "note": box.note,
        "mark": MARKS[box.mark][0] if box.mark else "",
        "span": None if box.span is None else (names[box.span[0]], *box.span[1:]),
        "cites": list(box.cites),
        "link": box.link if box.link in drawn else None,
    }
