"""`rulewright names`: everything that an author can hook, call, set, add to or replace, by subject, with who uses it.

Takes a ruleset with its layers and, if one is looking for something, a word or a part of one, which is also found in labels. Exit 0, 1 for mistakes in the
ruleset or if nothing was found, 2 when there is no such ruleset.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from rulewright.render import printable
from rulewright_tools.loading import load_rules, with_staging

if TYPE_CHECKING:
    from rulewright.index import Entry

SHOWN = 4  # users of a name that are told one by one


@click.command("names")
@click.argument("name", metavar="NAME")
@click.argument("word", metavar="[WORD]", required=False)
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option("--what", metavar="SORT", help="Only names of one sort: effect, value, number, kind, field, place, step, action, group, words ...")
@click.option("--json", "as_json", is_flag=True, help="Show everything as JSON.")
def command(name: str, word: str | None, layers: tuple[str, ...], what: str | None, as_json: bool) -> None:
    """List the names that rules can speak of, by subject: what each is, how it is written, what is printed on it and who uses it.

    With WORD only those in whose name, label or first line it occurs; the nearest first.
    """
    import msgspec

    from rulewright.index import index, search

    entries = index(with_staging(load_rules(name, layers, {}), name, layers))
    sorts = sorted({entry.what for entry in entries})
    if what is not None and what not in sorts:
        from rulewright.diagnostics import did_you_mean

        hint = did_you_mean(what, sorts)
        raise click.UsageError(f"nothing in '{name}' is a {what!r}; {hint or 'there are: ' + ', '.join(sorts)}")
    found = [entry for entry in (search(entries, word) if word else entries) if what in (None, entry.what)]
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
    elif found:
        click.echo("\n\n".join(_flat(found) if word else _by_subject(found)))
    if not found:
        from rulewright.diagnostics import did_you_mean

        words = {part for entry in entries for part in re.findall(r"[^\W_]+", f"{entry.path} {entry.label or ''}".lower())}
        hint = did_you_mean(word or "", [*words, *(entry.path for entry in entries)])
        click.echo(f"Nothing in '{name}' is called anything like '{printable(word or '')}'" + (f"; {hint}" if hint else "."), err=True)
        raise click.exceptions.Exit(1)


def _flat(entries: Sequence[Entry]) -> list[str]:
    return ["\n".join(_told(entry) for entry in entries)]


def _by_subject(entries: Sequence[Entry]) -> list[str]:
    """A block for each subject: what belongs together in the files stands together here."""
    ordered = sorted(entries, key=lambda entry: entry.subject)
    return [
        f"{subject.capitalize()}\n" + "\n".join(_told(entry) for entry in group) for subject, group in groupby(ordered, lambda entry: entry.subject)
    ]


def _told(entry: Entry) -> str:
    """A name, what it is, and who uses it."""
    label = f" “{printable(entry.label)}”" if entry.label and entry.label not in entry.text else ""
    inside = f"{entry.path}: " if "." in entry.path else ""
    used = ", ".join(entry.uses[:SHOWN]) + (f" and {len(entry.uses) - SHOWN} more" if len(entry.uses) > SHOWN else "")
    lines = [f"  {inside}{printable(entry.text)}{label}", f"      {entry.place}" + (f", used by {used}" if used else "")]
    return "\n".join(lines)
