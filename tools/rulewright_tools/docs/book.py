"""The rulebook of a ruleset as one page: what it is, its board, how a game goes, what is in the box, and the rules by subject.

Takes rules and a language, gives a whole file of HTML.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright import tree as t
from rulewright.build import Built
from rulewright.catalog import Catalog
from rulewright.rules import Rules
from rulewright.sources import Package
from rulewright.types import TABLE
from rulewright_tools.docs.chapters import chapters
from rulewright_tools.docs.declarations import told
from rulewright_tools.docs.entries import without_anchors
from rulewright_tools.docs.flow import flow
from rulewright_tools.docs.history import first_game, history
from rulewright_tools.docs.lexicon import Lexicon, anchor_of, capital, spaced
from rulewright_tools.docs.making import Making
from rulewright_tools.page import Heading, escape, page
from rulewright_tools.page.document import asset
from rulewright_tools.table.drawing import STYLE, board_svg
from rulewright_tools.table.layout import Layout

MADE_BY = "rulewright docs"
Part = tuple[Heading, str]


def book(rules: Rules, language: str | None = None) -> str:
    """The page."""
    built = rules.built
    catalog = rules.catalog(language) if language is not None else Catalog()
    lexicon = Lexicon(built, catalog)
    making = Making(built, lexicon, history(built, language))
    parts = [
        part for part in (*_before(rules, making, language), *((each.heading, each.text) for each in chapters(making)), _removed(making)) if part
    ]
    title = _title(built, language)
    texts = "".join(text for _, text in parts)
    return page(
        title,
        _front(rules, making, title) + texts,
        made_by=MADE_BY,
        contents=[heading for heading, _ in parts],
        style=STYLE + asset("docs", "book.css"),
        language=language or built.sources.packages[-1].languages[0],
        words=_words(lexicon),
    )


def _words(lexicon: Lexicon) -> dict[str, str]:
    """The words of the bar."""
    said = {
        "skip": "To the text",
        "search": "Search (press /)",
        "contents": "Contents",
        "theme": "Light or dark",
        "none": "Nothing on this page has all these words.",
        "footer": "Made by rulewright docs.",
    }
    return {word: lexicon.say(text) for word, text in said.items()} | {"found": lexicon.say("{count} found", count="{count}")}


def _title(built: Built, language: str | None) -> str:
    """What the game is called, with what was put on top of it."""
    titles = [_called(package, language) for package in built.sources.packages[first_game(built.sources.packages) :]]
    return " + ".join(title for number, title in enumerate(titles) if not any(later.startswith(title) for later in titles[number + 1 :]))


def _called(package: Package, language: str | None) -> str:
    title = package.titles.get(language or "", package.title)
    return capital(spaced(title)) if title == package.id else title


# -- the front


def _front(rules: Rules, making: Making, title: str) -> str:
    built, say = making.built, making.lexicon.say
    packages = built.sources.packages
    own = packages[first_game(packages) :]
    low, high = rules.players
    players = say("{low} to {high} players", low=low, high=high) if low != high else say("{low} players", low=low)
    usual = f", {say('usually {usual}', usual=rules.usual_players)}" if low < rules.usual_players < high else ""
    about = "".join(f'<p class="lead">{making.lexicon.prose(package.description)}</p>' for package in own[:1] if package.description)
    layers = "".join(
        f"<li><b>{escape(making.history.titles[package.id])}</b> {escape(package.version)}{f': {escape(package.description)}' if package.description else ''}</li>"
        for package in own[1:]
    )
    put = (
        f'<div class="layers"><p>{escape(say("With these layers; what they added or changed is marked:"))}</p><ul>{layers}</ul></div>'
        if layers
        else ""
    )
    return f'<header class="front"><h1>{escape(title)}</h1>{about}<p class="facts-line">{escape(players + usual)}</p>{put}{_options(making)}</header>'


def _options(making: Making) -> str:
    """What can be chosen before a game, folded."""
    packages, chosen = making.built.sources.packages, making.built.sources.options
    rows = "".join(
        f"<dt>{escape(spaced(name))}</dt><dd>{making.lexicon.prose(option.description)} <span class=with>{' · '.join(_value(making, value, chosen.get(name, option.default)) for value in option.values)}</span></dd>"
        for package in packages
        for name, option in package.options.items()
    )
    return (
        f'<details class="options-of"><summary>{escape(making.lexicon.say("Options"))}</summary><dl class="fields">{rows}</dl></details>'
        if rows
        else ""
    )


def _value(making: Making, value: object, chosen: object) -> str:
    said = escape(making.lexicon.word(value))
    return f"<b>{said}</b>" if value == chosen else said


# -- what stands before the rules


def _before(rules: Rules, making: Making, language: str | None) -> Iterator[Part]:
    """The board, how a game goes, and what is in the box."""
    say = making.lexicon.say
    if drawn := _board(rules, making, language):
        yield Heading("board", say("Board")), f'<section class="chapter" id="board"><h2>{escape(say("Board"))}</h2>{drawn}</section>'
    if boxes := flow(making):
        title = say("How a game goes")
        yield Heading("flow", title), f'<section class="chapter" id="flow"><h2>{escape(title)}</h2>{boxes}</section>'
    if rows := _components(making):
        title = say("In the box")
        yield Heading("components", title), f'<section class="chapter" id="components"><h2>{escape(title)}</h2>{rows}</section>'


def _board(rules: Rules, making: Making, language: str | None) -> str:
    layout = Layout(rules, rules.usual_players, language)
    drawn = board_svg(layout, title=making.lexicon.say("Board"), link=making.lexicon.address)
    if not drawn:
        return ""
    graph = making.lexicon.graph
    kinds = Counter(graph["components"][name]["kind"] for name in (*layout.spot_names, *layout.link_names) if name in graph["components"])
    counts = ", ".join(f"{count} {escape(making.lexicon.plural(kind) if count > 1 else making.lexicon.label(kind))}" for kind, count in kinds.items())
    return f'<figure class="drawn"><div class="scroll" tabindex="0" role="region" aria-label="{escape(making.lexicon.say("Board"))}">{drawn}</div><figcaption>{counts}</figcaption></figure>'


def _components(making: Making) -> str:
    """What there is of each kind: how many different ones, and how many in all."""
    graph, lexicon = making.lexicon.graph, making.lexicon
    different, copies, first = Counter[str](), Counter[str](), dict[str, str]()
    for name, component in graph["components"].items():
        kind = component["kind"]
        if kind == TABLE:
            continue
        different[kind] += 1
        copies[kind] += component["copies"]
        if address := lexicon.address(name):
            first.setdefault(kind, address)
    if not different:
        return ""
    head = f"<tr><th>{escape(lexicon.say('Component'))}</th><th>{escape(lexicon.say('different'))}</th><th>{escape(lexicon.say('in all'))}</th></tr>"
    rows = "".join(_row(lexicon, kind, count, copies[kind], first.get(kind)) for kind, count in different.items())
    dice = [item for item in lexicon.items.values() if isinstance(item.declaration, t.DieDecl)]
    drawn = "".join(
        f'<div class="die"><p><a href="#{escape(anchor_of(item))}">{told(making, item)[0]}</a></p>{told(making, item)[1]}</div>' for item in dice
    )
    return f'<table class="find counts"><thead>{head}</thead><tbody>{rows}</tbody></table>' + (f'<div class="dice">{drawn}</div>' if drawn else "")


def _row(lexicon: Lexicon, kind: str, different: int, copies: int, address: str | None) -> str:
    label = escape(capital(lexicon.plural(kind)))
    name = f'<a href="{escape(address)}">{label}</a>' if address else label
    return f"<tr><td>{name}</td><td>{different}</td><td>{copies}</td></tr>"


# -- what is not there any more


def _removed(making: Making) -> Part | None:
    """What layers took out, folded with what it said."""
    history, say = making.history, making.lexicon.say
    if not history.removed:
        return None

    def row(index: int) -> str:
        item, record = history.removed[index]
        title, text = map(without_anchors, told(making, item))
        layer = history.titles.get(record.package, "") if record is not None else ""
        mark = f' <span class="mark removed">{escape(say("{how} by {layer}", how=say("removed"), layer=layer) if layer else say("removed"))}</span>'
        return f'<details class="gone find" data-find="{escape(item.path)}"><summary><b>{title}</b>{mark}</summary>{text}</details>'

    title = say("Taken out")
    rows = "".join(map(row, range(len(history.removed))))
    return Heading("removed", title), f'<section class="chapter" id="removed"><h2>{escape(title)}</h2>{rows}</section>'
