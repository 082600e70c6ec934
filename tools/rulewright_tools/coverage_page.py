"""The page of `coverage --html`: rulebook beside rules beside scenarios.

Takes a report of coverage, gives a page: for each rule of the rulebook what it says, the declarations that cite it as text, the scenarios that claim to show it and
whether they do. What nothing carries out, or nothing shows, stands out. Whatever a ruleset says is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from rulewright.coverage import STANDINGS, Citing, Report, Rule, Shown, Standing
from rulewright.source import excerpt
from rulewright_tools.page import Heading, anchor, escape, page
from rulewright_tools.page.document import asset
from rulewright_tools.page.sources import UNFOLD, counted, filters, lines, place

MADE_BY = "rulewright coverage"
WORDS = {"tested": "Tested", "implemented": "Not shown by a scenario", "not applicable": "Not applicable", "missing": "Missing"}
MARKS = {"tested": "added", "implemented": "changed", "not applicable": "", "missing": "removed"}
STATES = {"shown": "shows it", "not reached": "never gets there", "fails": "does not pass"}
STATE_MARKS = {"shown": "added", "not reached": "changed", "fails": "removed"}


def coverage_page(report: Report) -> str:
    """The page of a report."""
    groups = [(topic, list(group)) for topic, group in groupby(report.rules, lambda rule: rule.topic)]
    names = _names(topic for topic, _ in groups)
    main = [
        f'<header><h1>{escape(report.title)}</h1><p class="lead">Rulebook beside rules beside scenarios: {counted(len(report.rules), "rule")}.</p>',
        _bar(report),
        filters("Show", [("", "All", len(report.rules)), *_sorts(report)]),
        UNFOLD,
        _failed(report),
        "</header>",
        *(_section(name, topic, group, report) for name, (topic, group) in zip(names, groups, strict=True)),
    ]
    contents = [Heading(name, _topic(topic), note=_note(group)) for name, (topic, group) in zip(names, groups, strict=True)]
    return page(
        f"Coverage of {report.title}",
        "\n".join(main),
        made_by=MADE_BY,
        contents=contents,
        style=asset("page", "sources.css") + asset("page", "coverage.css"),
        script=asset("page", "sources.js"),
    )


def sorts_of(rule: Rule) -> list[str]:
    """By which buttons a rule is shown."""
    doubtful = any(shown.state != "shown" for shown in rule.shown)
    return [rule.standing.replace(" ", "-"), *(["doubtful"] if doubtful else [])]


# -- the whole


def _names(topics: Iterable[str]) -> list[str]:
    """Where each topic stands on the page; a book may come back to one."""
    taken: dict[str, int] = {}
    names = []
    for topic in topics:
        taken[topic] = taken.get(topic, 0) + 1
        names.append(anchor("topic", topic, *([str(taken[topic])] if taken[topic] > 1 else [])))
    return names


def _sorts(report: Report) -> list[tuple[str, str, int]]:
    """What can be shown alone, what wants attention first."""
    order: tuple[Standing, ...] = ("missing", "implemented", "tested", "not applicable")
    doubtful = sum("doubtful" in sorts_of(rule) for rule in report.rules)
    found = [(standing.replace(" ", "-"), WORDS[standing], report.count(standing)) for standing in order]
    return [*found[:2], ("doubtful", "A scenario does not show what it cites", doubtful), *found[2:]]


def _bar(report: Report) -> str:
    """How the rules stand, as a bar: its parts are told by the buttons below it, too."""
    parts = [(standing, report.count(standing)) for standing in STANDINGS]
    drawn = "".join(f'<span class="{standing.replace(" ", "-")}" style="flex-grow:{count}"></span>' for standing, count in parts if count)
    told = ", ".join(f"{count} {standing}" for standing, count in parts if count)
    return f'<div class="bar-of" role="img" aria-label="{escape(told)}">{drawn}</div>'


def _failed(report: Report) -> str:
    if not report.failed:
        return ""
    listed = "".join(f"<li>{escape(_told(each))}</li>" for each in report.failed)
    told = (
        "1 scenario does not pass, and so shows nothing"
        if len(report.failed) == 1
        else f"{len(report.failed)} scenarios do not pass, and so show nothing"
    )
    return f'<details class="failed" open><summary>{told}</summary><ul>{listed}</ul></details>'


def _told(failed: str) -> str:
    """A scenario that does not pass: its file, its line and its name."""
    found = re.fullmatch(r"(.+?):(\d+): (.*)", failed, re.DOTALL)
    return f"{place(found[1], found[2])}: {found[3]}" if found is not None else failed


def _topic(topic: str) -> str:
    return topic.replace("_", " ").capitalize()


def _note(group: list[Rule]) -> str:
    """How many rules, and how many of them want attention."""
    missing, unshown = (sum(rule.standing == standing for rule in group) for standing in ("missing", "implemented"))
    wanting = [f"{missing} missing"] * bool(missing) + [f"{unshown} not shown"] * bool(unshown)
    return ", ".join([str(len(group)), *wanting])


def _section(name: str, topic: str, group: list[Rule], report: Report) -> str:
    entries = "\n".join(_entry(rule, report) for rule in group)
    return f'<section id="{escape(name)}"><h2>{escape(_topic(topic))}</h2>\n{entries}\n</section>'


# -- one rule


def _entry(rule: Rule, report: Report) -> str:
    """A rule: the book, the rules, the scenarios."""
    sorts = " ".join(sorts_of(rule))
    needed = rule.standing != "not applicable" or rule.shown
    beside = (
        f'<div class="cites"><h4>Rules</h4>{_citings(rule, report)}</div><div class="shows"><h4>Scenarios</h4>{_scenarios(rule, report)}</div>'
        if needed
        else ""
    )
    return (
        f'<article class="entry find sort {sorts}" data-sort="{sorts}" id="{escape(anchor(rule.id))}">'
        f'<div class="book"><h3><code>{escape(rule.id)}</code> <span class="mark {MARKS[rule.standing]}">{WORDS[rule.standing].lower()}</span></h3>'
        f"<blockquote><p>{escape(rule.statement)}</p></blockquote>"
        f'<p class="quiet-text">{escape(_page(rule))}</p></div>'
        f"{beside}</article>"
    )


def _page(rule: Rule) -> str:
    number = f"page {rule.page}" if rule.page.isdecimal() else rule.page
    return f"{number}; not applicable: {rule.reason}" if rule.reason and rule.standing == "not applicable" else number


def _citings(rule: Rule, report: Report) -> str:
    if not rule.citing:
        return '<p class="nothing">Nothing cites it.</p>'
    return "".join(_citing(citing, report) for citing in dict.fromkeys(rule.citing))


def _citing(citing: Citing, report: Report) -> str:
    """A declaration, or a part of one, with the line that cites the rule."""
    text = excerpt(report.texts, citing.scope)
    first = text.split("\n", 1)[0].rstrip(":") or citing.name or "a declaration"
    cited = citing.span.line - citing.scope.line if citing.span.file == citing.scope.file else -1
    shown = lines(text, marked={cited} if cited > 0 else ())
    return (
        f"<details class=as-is><summary><code>{escape(first)}</code></summary>"
        f'<p class="quiet-text place">{escape(place(citing.span.file, citing.span.line))}</p>{shown}</details>'
    )


def _scenarios(rule: Rule, report: Report) -> str:
    return "".join(_scenario(shown, report) for shown in rule.shown) or '<p class="nothing">No scenario cites it.</p>'


def _scenario(shown: Shown, report: Report) -> str:
    """A scenario as it is written, and what it does for the rule."""
    state = "" if shown.state == "shown" else f' <span class="mark {STATE_MARKS[shown.state]}">{STATES[shown.state]}</span>'
    sign = {"shown": "✓", "not reached": "?", "fails": "✗"}[shown.state]
    return (
        f'<details class=as-is><summary><span class="sign {STATE_MARKS[shown.state]}" aria-hidden="true">{sign}</span> {escape(shown.scenario)}{state}</summary>'
        f'<p class="quiet-text place">{escape(place(shown.whole.file, shown.whole.line))}</p>{lines(excerpt(report.texts, shown.whole))}</details>'
    )
