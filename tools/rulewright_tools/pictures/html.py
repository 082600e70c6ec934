"""Drawings as one page of HTML that needs nothing else: pan, zoom, search, and a panel with the source.

Takes the graph, the source texts and the statements of the rulebook, gives text. Drawings lie in templates, all other
text of the ruleset in one block of JSON in which nothing can end the script element. A content policy lets only our own
script run and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files

import msgspec

from rulewright_tools.pictures.labels import Labels
from rulewright_tools.pictures.layout import layout
from rulewright_tools.pictures.model import LOOKS, Box, Graph, Picture, clean, clean_line
from rulewright_tools.pictures.names import all_keys
from rulewright_tools.pictures.outline import outline
from rulewright_tools.pictures.overview import overview, reachable
from rulewright_tools.pictures.sparing import MOST_DRAWN, spared, with_gaps
from rulewright_tools.pictures.svg import STYLE, escape, svg

_WHOLE = "whole"
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '{policy}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<button id="back" disabled title="Back to the drawing before">← Back</button><h1 id="title"></h1><span class="gap"></span>
<span id="found" role="status"></span>
<input id="query" type="search" placeholder="Search (Enter: next)" aria-label="Search the boxes">
<button id="out" title="Zoom out">−</button><button id="in" title="Zoom in">+</button><button id="fit">Fit</button>
</header>
<main><div id="canvas"><div id="sheet"></div></div>
<aside id="panel" hidden><button id="close" title="Close">×</button><div id="about"></div></aside></main>
{templates}
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def html(graph: Graph, key: str | None, texts: Mapping[str, str], rules: Mapping[str, str]) -> str:
    """The page for one drawing and all that it leads to, or for the whole ruleset."""
    labels = Labels(graph, texts)
    keys = all_keys(graph) if key is None else reachable(graph, key)
    pictures = {_WHOLE: overview(graph)} if key is None else {}
    main, drawn = key or _WHOLE, 0
    for each in keys:
        if drawn < MOST_DRAWN:
            pictures[each] = outline(graph, each, labels)
            drawn += len(pictures[each].boxes)
    pictures = {each: spared(picture) for each, picture in pictures.items()}
    if len(keys) > len(pictures):
        pictures[main] = msgspec.structs.replace(pictures[main], title=with_gaps(pictures[main].title))
    script = _asset("page.js")
    return _PAGE.format(
        policy="sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        title=escape(pictures[main].title),
        style=STYLE + _asset("page.css"),
        templates="\n".join(_template(each, picture) for each, picture in pictures.items()),
        data=embedded(_data(main, pictures, texts, rules)),
        script=script,
    )


def embedded(content: object) -> str:
    """JSON that may stand in a script element: no markup, no end of the element, no separators of lines."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return "\n" + files("rulewright_tools.pictures").joinpath(name).read_text(encoding="utf-8")


def _template(key: str, picture: Picture) -> str:
    return f'<template data-key="{escape(key)}">{svg(layout(picture), style=False)}</template>'


def _data(main: str, pictures: Mapping[str, Picture], texts: Mapping[str, str], rules: Mapping[str, str]) -> dict[str, object]:
    """What the script needs: the details of every box, the sources and rules that they mention."""
    boxes = [box for picture in pictures.values() for box in picture.boxes]
    spoken = dict.fromkeys(box.span[0] for box in boxes if box.span)
    cited = dict.fromkeys(id for box in boxes for id in box.cites)
    return {
        "main": main,
        "drawings": {key: _drawing(key, picture, pictures) for key, picture in pictures.items()},
        "sources": {file: list(map(clean_line, texts[file].split("\n"))) for file in spoken if file in texts},
        "rules": {id: clean(rules[id]) for id in cited if id in rules},
    }


def _drawing(key: str, picture: Picture, drawn: Mapping[str, Picture]) -> dict[str, object]:
    cites: Iterable[str] = () if key == _WHOLE else picture.boxes[0].cites
    return {
        "title": picture.title,
        "whole": key == _WHOLE,
        "cites": list(cites),
        "boxes": [_details(box, drawn) for box in picture.boxes],
    }


def _details(box: Box, drawn: Mapping[str, Picture]) -> dict[str, object]:
    return {
        "name": box.link or "",
        "word": LOOKS[box.sort].word,
        "label": box.label,
        "note": box.note,
        "span": box.span,
        "cites": list(box.cites),
        "link": box.link if box.link in drawn else None,
    }
