"""The page of `diff --html`: what a layer changes, before and after, word by word.

Takes what `compare` found, gives a page: by subject, each declaration with what was and what is, its unchanged parts folded, the rules it cites, and who changed it. Whatever
a ruleset says is shown as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rulewright.comparison import HOWS, Compared
from rulewright_tools.page import Heading, anchor, escape, page
from rulewright_tools.page.document import asset
from rulewright_tools.page.sources import UNFOLD, counted, filters, line, lines, place
from rulewright_tools.word_diff import Parts, Row, folded, rows

MADE_BY = "rulewright diff"
MARKS = {"changed": "changed", "added": "added", "removed": "removed", "hooked": "added"}


def diff_page(before: str, after: str, found: Sequence[Compared], rulebook: Mapping[str, str]) -> str:
    """The page for the titles of two rulesets and what is different between them."""
    counts = Counter(one.how for one in found)
    title = f"{before} → {after}"
    told = ", ".join(f"{counts[how]} {how}" for how in HOWS if counts[how]) or "Nothing is changed."
    groups = [(subject, list(group)) for subject, group in groupby(found, lambda one: one.subject)]
    taken: Counter[str] = Counter()
    main = [
        f'<header><h1>{escape(before)} <span class="arrow">→</span> {escape(after)}</h1><p class="lead">{escape(told)}</p>',
        filters("Show", [("", "All", len(found)), *((how, how.capitalize(), counts[how]) for how in HOWS)]) if found else "",
        '<p class="aside"><button id="beside" type="button" aria-pressed="false">Side by side</button></p>' if counts["changed"] else "",
        UNFOLD if found else "",
        "</header>",
        *(_section(subject, group, rulebook, taken) for subject, group in groups),
    ]
    contents = [Heading(anchor("about", subject), subject.capitalize(), note=str(len(group))) for subject, group in groups]
    return page(
        title,
        "\n".join(main),
        made_by=MADE_BY,
        contents=contents,
        style=asset("page", "sources.css"),
        script=asset("page", "sources.js"),
    )


def _section(subject: str, group: Iterable[Compared], rulebook: Mapping[str, str], taken: Counter[str]) -> str:
    entries = "\n".join(_entry(one, rulebook, taken) for one in group)
    return f'<section id="{escape(anchor("about", subject))}"><h2>{escape(subject.capitalize())}</h2>\n{entries}\n</section>'


def _entry(one: Compared, rulebook: Mapping[str, str], taken: Counter[str]) -> str:
    """One declaration, before and after."""
    name = anchor(one.how, one.what, one.path)
    taken[name] += 1
    name += f"-{taken[name]}" if taken[name] > 1 else ""
    called = f' <span class="called">{escape(one.label)}</span>' if one.label else ""
    return (
        f'<article class="entry find sort {one.how}" data-sort="{one.how}" id="{escape(name)}">'
        f'<h3><code>{escape(one.what)} {escape(one.path)}</code>{called} <span class="mark {MARKS[one.how]}">{one.how}</span></h3>'
        f'<p class="quiet-text">{_places(one)}</p>'
        f"{_body(one)}{_rules(one, rulebook)}</article>"
    )


def _places(one: Compared) -> str:
    """Where it stands, and what was done to it where."""
    done: dict[tuple[str, str], list[str]] = {}
    for change in one.changes:
        if change.span != one.span:
            done.setdefault((f"{change.how} by {change.package}", change.span.file), []).append(str(change.span.line))
    own = place(one.span.file, one.span.line)
    places = [own if done else f"{own}, by {', '.join(one.packages)}"]
    places += [f"{words}, {place(file, ', '.join(dict.fromkeys(numbers)))}" for (words, file), numbers in done.items()]
    return "<br>".join(f'<span class="place">{escape(each)}</span>' for each in places)


def _body(one: Compared) -> str:
    if one.how == "changed":
        return _difference(one)
    if one.how == "hooked":
        shown = f"<details><summary>What it is on, as it finally is</summary>{lines(one.on)}</details>" if one.on else ""
        return lines(one.new, "added") + shown
    return lines(one.old or one.new, one.how)


def _difference(one: Compared) -> str:
    """What was and what is, line by line; what has long been the same is folded."""
    pieces = []
    for fold, piece in folded(rows(one.old, one.new)):
        shown = "".join(map(_row, piece))
        pieces.append(f"<details class=as-is><summary>{counted(len(piece), 'line')} as before</summary>{shown}</details>" if fold else shown)
    return f'<div class="source diff">{"".join(pieces)}</div>'


def _row(row: Row) -> str:
    if row.same:
        return line(_marked(row.new or ()), _text(row.new))
    both = row.old is not None and row.new is not None
    old, new = (_marked(parts) if both and parts is not None else escape(_text(parts)) for parts in (row.old, row.new))
    was = f"<del>{line(old, _text(row.old))}</del>" if row.old is not None else ""
    now = f"<ins>{line(new, _text(row.new))}</ins>" if row.new is not None else ""
    return f'<div class="row">{was}{now}</div>'


def _text(parts: Parts | None) -> str:
    return "".join(text for text, _ in parts or ())


def _marked(parts: Parts) -> str:
    return "".join(f"<mark>{escape(text)}</mark>" if marked else escape(text) for text, marked in parts)


def _rules(one: Compared, rulebook: Mapping[str, str]) -> str:
    """The rules that it cites and did not cite, and those it cites no longer."""
    told = [("", rule) for rule in one.cites if rule in rulebook] + [("no longer ", rule) for rule in one.was if rule in rulebook]
    if not told:
        return ""
    listed = "".join(f'<li>{word}<span class="cite">{escape(rule)}</span> {escape(rulebook[rule])}</li>' for word, rule in told)
    return f'<details class="cited"><summary>{counted(len(told), "rule")} of the rulebook</summary><ul>{listed}</ul></details>'
