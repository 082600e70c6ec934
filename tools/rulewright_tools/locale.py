"""`rulewright locale`: writes the translation of a ruleset, or brings it up to date.

Takes a ruleset with its layers and a language; writes `locale/LANGUAGE.yaml` in the folder of the ruleset (of the last layer, if there is one), or whichever file the manifest
names for that language, and tells how far the translation has come. Exit 0, 1 for mistakes in the ruleset, or with --check where something is missing or no longer there; 2
when there is no such ruleset, the language is none, or the file cannot be written.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.loading import load_rules, refuse

if TYPE_CHECKING:
    from rulewright.localize import Progress, Subject
    from rulewright.rules import Rules
    from rulewright.sources import Package

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_SINGULAR = {"names": "name", "words": "word", "texts": "text"}


@click.command("locale")
@click.argument("name", metavar="NAME")
@click.argument("language", metavar="LANGUAGE")
@click.option(
    "--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top, of which the last is translated; may be repeated."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if something is missing or no longer in the rules.")
@click.option("--list", "listed", is_flag=True, help="List what is missing.")
@click.pass_context
def command(ctx: click.Context, name: str, language: str, layers: tuple[str, ...], check: bool, listed: bool) -> None:
    """Write or update the translation of a ruleset.

    LANGUAGE is a tag such as cs or pt-BR. What is translated stays as it is; what is missing is listed in the file behind '#?', and what the rules no longer have is put
    aside behind '#~'.
    """
    if not _TAG.fullmatch(language):
        refuse(f"'{language}' is no language; write a tag such as cs or pt-BR")
    from rulewright.localize import subject

    used = _used(name, layers)
    package = next(each for each in used[0].packages if each.id == _translated(name, layers))
    if package.alone:
        refuse(f"'{package.id}' is a lone file, and has no folder for a translation; make a folder with a ruleset.yaml of it")
    if language == package.languages[0]:
        refuse(f"'{package.id}' is written in '{language}' itself")
    without = _without(package, used[0])
    of = subject(used, package.id, without)
    path = _path(package, language)
    text, made = _brought_up_to_date(of, used[0], language, path)
    if not check and made.text != text and (text is not None or made.missing):
        _write(path, made.text)
    click.echo(_report(path, made))
    if listed:
        click.echo("".join(f"  {entry.section}: {entry.key} ({entry.what}, {entry.file})\n" for entry in made.missing), nl=False)
    for below in _below(without or used, package, language):
        click.echo(below)
    if check and (made.missing or made.gone):
        ctx.exit(1)


def _translated(name: str, layers: Sequence[str]) -> str:
    """The id of the package that is translated."""
    from rulewright.sources import read_sources

    sources, _ = read_sources(name, layers)
    return sources.packages[-1].id if sources.packages else name


def _used(name: str, layers: Sequence[str]) -> list[Rules]:
    """The rules that show all that a package says: the games that share it, and with each part that is off by default."""
    from rulewright.sources import read_sources

    sources, _ = read_sources(name, layers)
    targets = [(game, [*layers, *([] if sources.packages[-1].shared_by else [name])]) for game in sources.games_wanted] or [(name, list(layers))]
    return [load_rules(target, added, options) for target, added in targets for options in ({}, *_with_parts(target, added))]


def _with_parts(name: str, layers: Sequence[str]) -> list[dict[str, object]]:
    """Options under which each part that is off by default is on."""
    from rulewright.sources import read_sources
    from rulewright.sources.variants import switched_on

    return [options for _, options in switched_on(read_sources(name, layers)[0], {})]


def _without(package: Package, rules: Rules) -> list[Rules]:
    """The rules that a package is a layer over, where they are a game without it."""
    at = [each.id for each in rules.packages].index(package.id)
    parents = [each for each in rules.packages[:at] if each.id in package.parents and each.players is not None]
    return [load_rules(each.folder, (), options) for each in parents for options in ({}, *_with_parts(each.folder, ()))]


def _path(package: Package, language: str) -> Path:
    """The file of a translation: the one there is, or where one is looked for."""
    from rulewright.sources.packages import LOCALES

    there = next((locale.file for locale in package.locales if locale.data["language"] == language), None)
    return Path(there) if there is not None else Path(package.folder) / LOCALES / f"{language}.yaml"


def _brought_up_to_date(of: Subject, rules: Rules, language: str, path: Path) -> tuple[str | None, Progress]:
    from rulewright import render
    from rulewright.localize import updated

    try:
        text = path.read_text(encoding="utf-8") if path.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"cannot read '{path}': {error}")
    made, problems = updated(of, language, text, _locales_below(rules, of.package, language))
    if made is None:
        click.echo(render.as_text(problems, {f"{language}.yaml": text or ""}, False, 20), nl=False, err=True)
        raise click.exceptions.Exit(1)
    return text, made


def _locales_below(rules: Rules, package: Package, language: str) -> list[Any]:
    """The translations that one builds on."""
    before = rules.packages[: [each.id for each in rules.packages].index(package.id)]
    return [locale.data for each in before for locale in each.locales if locale.data["language"] == language]


def _write(path: Path, text: str) -> None:
    from rulewright.files import write_text

    try:
        os.makedirs(path.parent, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        refuse(f"cannot write '{path}': {error.strerror or error}")


def _report(path: Path, made: Progress) -> str:
    counts = Counter(entry.section for entry in made.missing)
    kinds = ", ".join(f"{count} {_SINGULAR[section] if count == 1 else section}" for section, count in counts.items())
    told = f"{path}: {made.translated} translated, " + (f"{len(made.missing)} missing ({kinds})" if made.missing else "nothing missing")
    return told + (f", {len(made.gone)} no longer in the rules" if made.gone else "")


def _below(used: Sequence[Rules], package: Package, language: str) -> list[str]:
    """How far the rulesets below have come, where something is missing."""
    from rulewright.catalog import Catalog
    from rulewright.localize import missing, subject

    told = []
    for parent in used[0].packages:
        if parent.id == package.id:
            break
        locales = [locale.data for locale in parent.locales if locale.data["language"] == language]
        entries = subject(used, parent.id).entries
        waiting = missing(entries, Catalog(language, [*_locales_below(used[0], parent, language), *locales]))
        if waiting:
            told.append(f"  of '{parent.id}', which it builds on, {len(waiting)} missing: rulewright locale {parent.id} {language}")
    return told
