"""The skeleton of every page: takes a title and what stands in the page, as markup, gives a whole file of HTML.

Styles and scripts stand in the file, a content policy lets only our own script run and nothing be fetched. Titles and headings are text and are escaped here; bodies
are markup, and whoever makes them escapes what comes from a ruleset.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

import msgspec

from rulewright_tools.page.markup import embedded, escape
from rulewright_tools.page.writing import generator

_DOCUMENT = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
{generator}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '{policy}'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body{kind}>
{body}
{data}<script>{script}</script>
</body>
</html>
"""
_PAGE = """<a class="skip" href="#main">{skip}</a>
<header class="bar">
<a class="brand" href="#top">{icon}<span>{title}</span></a>
<search class="search"{hidden}><input id="query" type="search" placeholder="{search}" aria-label="{search}" autocomplete="off" spellcheck="false" aria-describedby="found">
<span id="found" role="status"></span></search>
<button id="theme" class="icon" type="button" aria-label="{theme}" title="{theme}"><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18z" fill="currentColor"/><circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="1.6"/></svg></button>
</header>
<div class="sheet{alone}" id="top">
{contents}
<main id="main" tabindex="-1">
{main}
<p id="none" class="none" hidden>{none}</p>
</main>
</div>
<footer>{footer}</footer>"""
_WORDS = {
    "skip": "To the text",
    "search": "Search (press /)",
    "contents": "Contents",
    "theme": "Light or dark",
    "none": "Nothing on this page has all these words.",
    "found": "{count} found",
    "footer": "",
}


class Heading(msgspec.Struct, frozen=True):
    """A line of the contents: where it leads, what it says, what stands below it, and a note behind it."""

    anchor: str
    label: str
    inner: tuple[Heading, ...] = ()
    note: str = ""


def document(
    title: str, body: str, *, made_by: str, style: str = "", script: str = "", data: object = None, language: str = "en", kind: str = ""
) -> str:
    """A whole file around a body of markup, with a style, a script, and data for that script (in the element `data`, as JSON)."""
    return _DOCUMENT.format(
        language=escape(language),
        generator=generator(made_by),
        policy="sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        title=escape(title),
        style=style,
        kind=f' class="{escape(kind)}"' if kind else "",
        body=body,
        data="" if data is None else f'<script type="application/json" id="data">{embedded(data)}</script>\n',
        script=script,
    )


def page(
    title: str,
    main: str,
    *,
    made_by: str,
    contents: Iterable[Heading] = (),
    style: str = "",
    script: str = "",
    language: str = "en",
    words: Mapping[str, str] | None = None,
    search: bool = True,
) -> str:
    """A page with a bar on top (title, search, theme), contents at its side where there is room, and the text. `words` are those of the bar in another language, and
    `footer`, which is markup."""
    said = {**_WORDS, **(words or {})}
    headings = list(contents)
    body = _PAGE.format(
        **{word: escape(text) for word, text in said.items() if word not in ("contents", "footer")},
        title=escape(title),
        icon=_icon(),
        hidden="" if search else " hidden",
        alone="" if headings else " alone",
        contents=_contents(headings, said["contents"]) if headings else "",
        main=main,
        footer=said["footer"],
    )
    texts = {"found": said["found"]}
    sheet = asset("serve", "static/style/colours.css") + asset("page", "page.css") + style
    return document(title, body, made_by=made_by, style=sheet, script=asset("page", "page.js") + script, data=texts, language=language, kind="page")


@cache
def asset(folder: str, name: str) -> str:
    """A file that travels with a part of the tools."""
    return "\n" + files("rulewright_tools").joinpath(folder, name).read_text(encoding="utf-8")


def _icon() -> str:
    return asset("serve", "static/icon.svg").strip().replace("<svg ", '<svg width="26" height="26" aria-hidden="true" ', 1)


def _contents(headings: Iterable[Heading], word: str) -> str:
    """Folded on a phone, at the side elsewhere."""
    return f'<nav class="contents" aria-label="{escape(word)}"><details id="contents"><summary>{escape(word)}</summary>{_listed(headings)}</details></nav>'


def _listed(headings: Iterable[Heading]) -> str:
    def item(heading: Heading) -> str:
        note = f' <span class="note">{escape(heading.note)}</span>' if heading.note else ""
        return f'<li><a href="#{escape(heading.anchor)}">{escape(heading.label)}</a>{note}{_listed(heading.inner) if heading.inner else ""}</li>'

    return f"<ul>{''.join(map(item, headings))}</ul>"
