"""`rulewright docs`: the rulebook of a ruleset with its layers, as one page of HTML that can be searched, sent and printed.

Takes a ruleset, layers, options and a language; writes a page, a PDF, or both. Exit 0, 1 for mistakes in the ruleset, 2 when it cannot be found, a file cannot be
written or was not made by this command, or nothing here can print.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright_tools.loading import in_language, language_option, load_rules, refuse
from rulewright_tools.progress import progress
from rulewright_tools.validate import _read_options

if TYPE_CHECKING:
    from rulewright.rules import Rules

STDOUT = Path("-")


@click.command("docs")
@click.argument("name", metavar="NAME|PATH")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@language_option
@click.option(
    "--out",
    metavar="FOLDER|FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Where to write the page: a file, a folder, or - for the standard output; by default NAME.html here.",
)
@click.option(
    "--pdf", metavar="FILE", type=click.Path(path_type=Path), help="Print it as a PDF, too (needs Chromium); without --out that alone is written."
)
@click.option("--force", is_flag=True, help="Write over files that this command has not made.")
def command(
    name: str, layers: tuple[str, ...], options: dict[str, object], language: str | None, out: Path | None, pdf: Path | None, force: bool
) -> None:
    """Write the rulebook of a ruleset as a page.

    The board, the course of a game, components as cards, and every rule in words, by subject, with the rulebook it comes from and what layers changed. The page
    is one file, needs no network, and can be searched.
    """
    from rulewright_tools.docs.pdf import find_browser

    browser = find_browser() if pdf is not None else None
    if pdf is not None and browser is None:
        refuse("--pdf needs a Chromium (apt install chromium), and there is none on the PATH; the page without it can be printed from any browser")
    rules = load_rules(name, layers, options)
    tag = in_language(rules, language)
    target = _target(rules, out) if out is not None or pdf is None else None
    if target is not None and (target.suffix.lower() == ".pdf" or target == pdf):
        refuse(f"'{target}' is to be a page of HTML; --pdf {target} alone prints one")
    _mind(target, force)
    _mind(pdf, force, printed=True)
    from rulewright_tools.docs.book import MADE_BY, book

    text = book(rules, tag)
    if target is not None:
        _write_page(target, text, MADE_BY, force)
    if pdf is not None and browser is not None:
        _write_pdf(pdf, text, browser)


def _target(rules: Rules, out: Path | None) -> Path:
    """The file that the page goes to: called after what was named, and the layers on it."""
    if out is not None and not out.is_dir():
        return out
    ids = [package.id for package in rules.packages[-1 - len(rules.layers) :]]
    return (out or Path()) / f"{'+'.join(ids)}.html"


def _mind(file: Path | None, force: bool, printed: bool = False) -> None:
    """Refuse, before anything is done, a file that is somebody else's or in no folder."""
    from rulewright_tools.docs.book import MADE_BY
    from rulewright_tools.docs.pdf import is_ours
    from rulewright_tools.page import NotOurs
    from rulewright_tools.page.writing import generator, mind

    if file is None or file == STDOUT:
        return
    if file.is_dir():
        refuse(f"'{file}' is a folder; name a file")
    if not file.parent.is_dir():
        refuse(f"'{file}' cannot be written: there is no folder '{file.parent}'")
    if force or not file.is_file():
        return

    def check() -> None:
        if printed:
            if not is_ours(file, MADE_BY.encode()):
                raise NotOurs(f"'{file}' was not made by this command; --force writes over it")
        else:
            mind(file, generator(MADE_BY).encode())

    _guarded(file, check)


def _guarded(file: Path, what: Callable[[], None]) -> None:
    """Do something with a file; what the system says against it is told."""
    from rulewright_tools.page import NotOurs

    try:
        what()
    except NotOurs as problem:
        refuse(str(problem))
    except OSError as error:
        refuse(f"'{file}' cannot be written: {error.strerror}")


def _write_page(target: Path, text: str, made_by: str, force: bool) -> None:
    from rulewright_tools.page import write_page

    if target == STDOUT:
        click.echo(text, nl=False)
        return
    _guarded(target, lambda: write_page(target, text, made_by, force))
    click.echo(f"Written: {target}")


def _write_pdf(pdf: Path, text: str, browser: str) -> None:
    from rulewright_tools.docs.book import MADE_BY
    from rulewright_tools.docs.pdf import NoPrinter, printed, write_pdf

    try:
        with progress("printing"):
            data = printed(text, browser)
    except NoPrinter as problem:
        refuse(f"--pdf: {problem}")
    except OSError as error:
        refuse(f"--pdf: {browser} cannot be run: {error.strerror}")
    _guarded(pdf, lambda: write_pdf(pdf, data, MADE_BY.encode()))
    click.echo(f"Written: {pdf}")
