"""One declaration as an entry of the page: what it says, where it comes from, what hooks on it, what layers did to it.

Takes an item of the linked ruleset, gives markup with an anchor: a rule, a card, or a piece without a text. Below it stand the rules of the rulebook that it cites,
how well it is known, where it is written, and, if a layer changed it, what it was.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from rulewright import tree as t
from rulewright.diagnostics import Span
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import Item
from rulewright.resolve.provenance import said_by
from rulewright_tools.docs.cards import card_text, copies_of, look_of
from rulewright_tools.docs.declarations import told
from rulewright_tools.docs.lexicon import Lexicon, anchor_of, capital, spaced
from rulewright_tools.docs.making import Making
from rulewright_tools.docs.phrases import joined
from rulewright_tools.page import escape

ANCHOR = re.compile(r' id="[^"]*"')
PUT_IN = {"inserted", "added to"}
SOURCES = {"book": "it is printed in the book", "facts": "rebuilt from known facts", "own": "written for this ruleset, a guess"}


def entry(making: Making, key: str, item: Item, level: int) -> str:
    """An item with everything about it."""
    title, text = told(making, item)
    note = making.comments.before(item.declaration.span)
    return (
        f'<article class="entry find rule" id="{escape(anchor_of(item))}" data-find="{escape(words_of(item))}">'
        f"{heading(making, key, item, title, level)}"
        f"{f'<p class=note>{making.lexicon.prose(note)}</p>' if note else ''}"
        f"{text}{footer(making, key, item)}</article>"
    )


def heading(making: Making, key: str, item: Item, title: str, level: int) -> str:
    """The title with what sort of thing it is, what layers did to it, and a link to itself."""
    how, layers = making.history.mark(key, item)
    said = making.lexicon.say("{how} by {layer}", how=making.lexicon.say(how), layer=joined(list(layers))) if how else ""
    mark = f' <span class="mark {how}">{escape(said)}</span>' if how else ""
    address = escape(anchor_of(item))
    link = f'<a class="self" href="#{address}" aria-label="{escape(making.lexicon.say("Link to this rule"))}">#</a>'
    return f'<div class="head"><h{level}>{title}</h{level}> <span class="sort">{escape(sort(making.lexicon, item))}</span>{mark}{link}</div>'


def sort(lexicon: Lexicon, item: Item) -> str:
    """What sort of thing it is."""
    declared = item.declaration
    if isinstance(declared, t.ComponentDecl):
        return lexicon.label(declared.kind)
    return lexicon.say({"effect": "rule", "hook": "rule", "value": "term"}.get(item.what, item.what))


def words_of(item: Item) -> str:
    """What an entry is found by besides its text: its name and all rules it cites."""
    return " ".join([item.path, spaced(item.path), *cites_of(item.declaration)])


def footer(making: Making, key: str, item: Item) -> str:
    """Where it comes from, what else changes it, and what it was."""
    declared, lexicon = item.declaration, making.lexicon
    cites = cites_of(declared)
    hooks = making.hooks.get(item.path, ())
    parts = [says(making, cites)] if cites else []
    if hooks and item.what != "rule":
        parts.append(f'<p class="also"><b>{escape(lexicon.say("Changed or followed by"))}</b> {", ".join(hooks)}</p>')
    known = str(said_by(declared))
    source = f'<span title="{escape(SOURCES.get(known, ""))}">{escape(lexicon.say("source"))}: {escape(spaced(known))}</span> · ' if known else ""
    parts.append(f'<p class="place">{source}<code>{escape(_written(declared.span))}</code></p>')
    return f"{''.join(parts)}{was(making, key, item)}"


def _written(span: Span) -> str:
    """Where something is written: the file with the folder it lies in, and the line."""
    return f"{'/'.join(PurePath(span.file).parts[-2:])}:{span.line}"


def says(making: Making, cites: Sequence[str]) -> str:
    """The rules of the rulebook, folded under their numbers."""
    rows = "".join(
        f"<dt>{escape(rule)} <span>{escape(making.rulebook[rule][0])}</span></dt><dd>{escape(making.rulebook[rule][1])}</dd>"
        for rule in cites
        if rule in making.rulebook
    )
    summary = f"<summary>{escape(making.lexicon.say('Rulebook'))}: {escape(grouped(cites))}</summary>"
    return f'<details class="says as-is">{summary}<dl>{rows}</dl></details>' if rows else f'<p class="place">{escape(grouped(cites))}</p>'


def grouped(cites: Iterable[str]) -> str:
    """Citations as they are written: numbers in a row together."""
    told = []
    for start, group in itertools.groupby(cites, lambda rule: rule.rpartition(".")[0]):
        runs: list[list[int | str]] = []
        for last in (rule.rpartition(".")[2] for rule in group):
            number = int(last) if last.isdecimal() else last
            if runs and isinstance(number, int) and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        told.append(f"{start}." + ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs))
    return "; ".join(told)


def was(making: Making, key: str, item: Item) -> str:
    """What it was before the layers, folded; where they only put something in, that is marked, and nothing else to be told."""
    history = making.history
    if history.mark(key, item)[0] != "changed" or history.before is None:
        return ""
    if {record.how for record in history.records.get(key, ())} <= PUT_IN and key in history.records:
        return ""
    old = history.before.items[key]
    title, text = map(without_anchors, told(making, old))
    return f'<details class="was"><summary>{escape(making.lexicon.say("Before"))}</summary><div><p><b>{title}</b></p>{text}</div></details>'


def without_anchors(markup: str) -> str:
    """What was, and is not there any more: nothing leads to it. Quotes in texts are escaped, so only attributes look like this."""
    return ANCHOR.sub("", markup)


# -- components


def card(making: Making, key: str, item: Item, level: int) -> str:
    """A component with a text."""
    declared = item.declaration
    assert isinstance(declared, t.ComponentDecl)
    look = look_of(making, item)
    colour = f" c-{look.colour}" if look.colour else ""
    copies = copies_of(making, item)
    count = f'<span class="count">×{copies}</span>' if copies > 1 else ""
    note = making.comments.before(declared.span)
    said = f'<p class="note">{making.lexicon.prose(note)}</p>' if note else ""
    return (
        f'<article class="card find{colour}" id="{escape(anchor_of(item))}" data-find="{escape(words_of(item))}">'
        f'<div class="band">{heading(making, key, item, escape(capital(making.lexicon.label(item.path))), level)}{count}</div>'
        f'<div class="text">{said}{card_text(making, item)}{footer(making, key, item)}</div></article>'
    )


def piece(making: Making, key: str, item: Item) -> str:
    """A component without a text."""
    look = look_of(making, item)
    colour = f" c-{look.colour}" if look.colour else ""
    copies = copies_of(making, item)
    count = f'<span class="count">×{copies}</span>' if copies > 1 else ""
    how, layers = making.history.mark(key, item)
    mark = f'<span class="mark {how}" title="{escape(", ".join(layers))}">{escape(making.lexicon.say(how))}</span>' if how else ""
    symbol = f'<span class="dot">{escape(look.symbol)}</span>' if look.symbol or look.colour else ""
    label = escape(capital(making.lexicon.label(item.path)))
    return f'<li class="piece find{colour}" id="{escape(anchor_of(item))}" data-find="{escape(words_of(item))}">{symbol}<span>{label}</span>{count}{mark}</li>'


def small(making: Making, key: str, item: Item) -> str:
    """What takes one line: a number, a place, a list of words."""
    title, text = told(making, item)
    how, layers = making.history.mark(key, item)
    mark = f' <span class="mark {how}" title="{escape(", ".join(layers))}">{escape(making.lexicon.say(how))}</span>' if how else ""
    note = making.comments.before(item.declaration.span)
    said = f'<p class="note">{making.lexicon.prose(note)}</p>' if note else ""
    cites = cites_of(item.declaration)
    cited = f'<p class="place">{escape(grouped(cites))}</p>' if cites else ""
    old = was(making, key, item)
    return (
        f'<div class="small find" id="{escape(anchor_of(item))}" data-find="{escape(words_of(item))}">'
        f'<p class="small-name">{title} <span class="sort">{escape(sort(making.lexicon, item))}</span>{mark}</p>{text}{said}{cited}{old}</div>'
    )
