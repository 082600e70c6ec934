"""What the commands that play games share: loading a ruleset, and showing what went wrong with it, at its place in the source.

Mistakes of a ruleset leave by exit 1, mistakes of the person (nothing of that name, no such option) by exit 2. Nothing is raised but click's own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.progress import progress

if TYPE_CHECKING:
    from rulewright.build import Built
    from rulewright.errors import RulesError
    from rulewright.rules import Rules

ENGINES = ("wasm", "step")
engine_option = click.option(
    "--engine", type=click.Choice(ENGINES), default=ENGINES[0], show_default=True, help="What runs games; the same comes of both."
)

html_option = click.option("--html", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write a page that any browser shows.")
force_option = click.option("--force", is_flag=True, help="With --html: write over a file that this command has not made.")
language_option = click.option("--language", metavar="TAG", help="Tell it in another language, such as cs, where there is a translation.")

# Nothing of that name, a file that cannot be read, an option that is none.
_OF_THE_PERSON = frozenset({"R201", "R210", "R215"})


def load_rules(name: str, layers: Sequence[str], options: Mapping[str, object], engine: str = ENGINES[0]) -> Rules:
    """The ruleset that somebody names; with mistakes in it they are shown, and the command ends."""
    from rulewright import render
    from rulewright.limits import DEFAULT_LIMITS
    from rulewright.rules import RulesetError, load
    from rulewright.sources.locate import shown

    try:
        with progress(f"reading {name}"):
            return load(name, layers, options, engine=engine)
    except RulesetError as error:
        told = render.as_text(error.diagnostics, error.texts, colour_wanted(sys.stderr), DEFAULT_LIMITS.shown_diagnostics)
        click.echo(told, nl=False, err=True)
        given = {form for each in (name, *layers) for form in (each, shown(each))}
        theirs = any(each.code == "R215" or (each.code in _OF_THE_PERSON and each.span.file in given) for each in error.diagnostics)
        raise click.exceptions.Exit(2 if theirs else 1) from None


def with_staging(rules: Rules, name: str, layers: Sequence[str]) -> Built:
    """Rules that are sound, with what only their scenarios use."""
    from rulewright.build import build

    if not any(package.staging for package in rules.built.sources.packages):
        return rules.built
    staged = build(name, layers, staging=True)
    return staged if staged.graph is not None else rules.built


def in_language(rules: Rules, language: str | None) -> str | None:
    """The language that somebody asks for, as the rules call it; one that there is no translation into is refused."""
    if language is None:
        return None
    try:
        return rules.catalog(language).language
    except ValueError as error:
        refuse(f"--language: {error}")


def rules_named(data: Mapping[str, Any], file: str, engine: str) -> Rules:
    """The rules that a save or replay names, found from where it lies."""
    from rulewright.render import printable
    from rulewright.rules import named_in

    target, layers = named_in(data, file)
    try:
        return load_rules(target, layers, data["ruleset"]["options"], engine)
    except click.exceptions.Exit:
        click.echo(f"These are the rules that '{printable(file)}' names.", err=True)
        raise


def show_failure(rules: Rules, error: RulesError, after: int | None = None) -> NoReturn:
    """Show where rules went wrong while they were played, and end the command."""
    from rulewright import render
    from rulewright.diagnostics import Diagnostic, Span

    message = str(error) if after is None else f"{error} after {after} {'decision' if after == 1 else 'decisions'}"
    if error.span is None:
        click.echo(f"error: {render.printable(message)}", err=True)
    else:
        problem = Diagnostic("run", message, Span(*error.span))
        click.echo(render.as_text([problem], rules.texts, colour_wanted(sys.stderr), 1), nl=False, err=True)
    raise click.exceptions.Exit(1)


def mind_html(path: Path, made_by: str, force: bool) -> None:
    """Refuse a file that somebody else made before anything that takes long is done for it; a folder that is not there, too."""
    from rulewright_tools.page import NotOurs
    from rulewright_tools.page.writing import generator, mind

    try:
        if not force:
            mind(path, generator(made_by).encode())
    except NotOurs as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"'{path}' cannot be written: {error.strerror or error}")
    if not path.absolute().parent.is_dir():
        refuse(f"'{path}' cannot be written: there is no folder '{path.absolute().parent}'")


def write_html(path: Path, text: str, made_by: str, force: bool) -> None:
    """Write a page; a file that somebody else made, or that cannot be written, is told."""
    from rulewright.render import printable
    from rulewright_tools.page import NotOurs, write_page

    try:
        write_page(path, text, made_by, force)
    except NotOurs as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"'{path}' cannot be written: {error.strerror or error}")
    click.echo(f"Written: {printable(str(path))}")


def refuse(message: str, code: int = 2) -> NoReturn:
    """Say what is wrong with the command line or with a file, and end the command."""
    from rulewright.render import printable

    click.echo(f"Error: {printable(message)}", err=True)
    raise click.exceptions.Exit(code)
