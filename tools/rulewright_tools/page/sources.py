"""Source text on pages: lines that wrap under themselves, long texts folded, and buttons that show one sort of entries.

Takes text of a ruleset, gives markup for the look in sources.css and the buttons in sources.js. What is to be shown or not carries the class `sort` and its sort in
`data-sort`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePath

from rulewright_tools.page.markup import escape

SHOWN = 14  # lines of a text before the rest is folded
UNFOLD = '<p class="unfold"><button id="unfold" type="button" aria-pressed="false">Unfold everything</button></p>'
SPARED = 4  # so few more are not worth folding


def line(markup: str, text: str) -> str:
    """A line whose markup is known; if it wraps, it goes on below where its text begins."""
    indent = len(text) - len(text.lstrip())
    hanging = f' style="--in:{indent}"' if indent else ""
    return f"<code{hanging}>{markup or '&nbsp;'}</code>"


def lines(text: str, sort: str = "", marked: Collection[int] = ()) -> str:
    """A text as it is written, its end folded if it is long; some lines, counted from 0, stand out."""
    made = [line(f"<mark>{escape(each)}</mark>" if number in marked else escape(each), each) for number, each in enumerate(text.split("\n"))]
    last = max(marked, default=0)
    cut = len(made) if len(made) <= SHOWN + SPARED or last >= SHOWN else SHOWN
    rest = (
        f"<details class=as-is><summary>{counted(len(made) - cut, 'more line')}</summary>{''.join(made[cut:])}</details>" if cut < len(made) else ""
    )
    return f'<div class="source {sort}">{"".join(made[:cut])}{rest}</div>'


def place(file: str, lines: str | int) -> str:
    """Where something stands, for whoever reads the page."""
    return f"{file_told(file)}:{lines}"


def file_told(file: str) -> str:
    """What a file is called on a page: nothing of the folders of the machine that it was made on."""
    path = PurePath(file)
    kept = 3 if path.parent.name in ("scenarios", "locale") else 2
    return "/".join(path.parts[-kept:]) if path.is_absolute() else file


def filters(label: str, sorts: Iterable[tuple[str, str, int]]) -> str:
    """A row of buttons, each with a sort, what it is called and how many there are; the first shows all, and is on. Of one sort alone nothing can be left out."""
    sorts = [each for each in sorts if each[2]]
    if len(sorts) < 3:
        return ""
    buttons = "".join(
        f'<button type="button" data-show="{escape(sort)}" aria-pressed="{"true" if not sort else "false"}">{escape(word)} <b>{count}</b></button>'
        for sort, word, count in sorts
    )
    return f'<div class="filters" role="group" aria-label="{escape(label)}">{buttons}</div>'


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")
