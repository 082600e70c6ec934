"""`rulewright diff`: what a layer changes, as a list like the one a rulebook would print.

Takes a ruleset and another that is built on it, or a ruleset and layers. Exit 0, 1 for mistakes in a ruleset, 2 when one cannot be found or the second is
not built on the first.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from rulewright_tools.loading import force_option, html_option, load_rules, refuse, write_html

if TYPE_CHECKING:
    from rulewright.build import Built
    from rulewright.changes import Change

HEADS = {
    "removed": "Removed", "replaced": "Replaced", "rewritten": "Lines replaced", "added": "Added", "added to": "Added to what there is", "inserted": "Inserted", "set": "Set",
    "hooked": "Hooked",
}  # fmt: skip


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.option(
    "--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top of B, or of A where there is no B; may be repeated."
)
@click.option("--statements", is_flag=True, help="Show what the cited rules say.")
@click.option("--json", "as_json", is_flag=True, help="Show the changes as JSON.")
@html_option
@force_option
def command(first: str, second: str | None, layers: tuple[str, ...], statements: bool, as_json: bool, html: Path | None, force: bool) -> None:
    """Show what B, or a layer on A, changes of A.

    Removed, replaced (whole, or a line), added, inserted, set and hooked, each with the rules it cites and its place. With --html a page: every declaration that is
    different, before and after, word by word.
    """
    from rulewright.changes import changes

    if html is not None and (as_json or statements):
        raise click.UsageError("--html is a page of its own; leave out --json and --statements")
    if second is None and not layers:
        raise click.UsageError("name a second ruleset, or a --layer")
    before, after = load_rules(first, (), {}).built, load_rules(second or first, layers, {}).built
    ids = [package.id for package in after.sources.packages]
    missing = [package.id for package in before.sources.packages if package.id not in ids]
    if missing:
        refuse(f"'{ids[-1]}' is not built on '{missing[-1]}'; name what is below first")
    if html is not None:
        _write(html, before, after, force)
        return
    found = changes(before, after)
    click.echo(_json(found) if as_json else _text(found, after, statements))


def _write(path: Path, before: Built, after: Built, force: bool) -> None:
    from rulewright.comparison import compare
    from rulewright_tools.diff_page import MADE_BY, diff_page

    assert before.linked is not None
    assert after.linked is not None
    below = {package.id for package in before.sources.packages}
    titles = [package.title for package in after.sources.packages if package.id not in below]
    write_html(path, diff_page(before.linked.title, " + ".join(titles), compare(before, after), after.linked.rulebook), MADE_BY, force)


def _text(found: Sequence[Change], built: Built, statements: bool) -> str:
    blocks = []
    for how, head in HEADS.items():
        group = [change for change in found if change.how == how]
        if group:
            entries = [list(entry) for _, entry in itertools.groupby(group, lambda change: (change.span, change.what))]
            blocks.append("\n".join([f"{head} ({len(group)})", *(line for entry in entries for line in _told(_as_one(entry), built, statements))]))
    return "\n\n".join(blocks) or "nothing is changed"


def _as_one(entry: Sequence[Change]) -> Change:
    """Things of one sort that one line removes are one entry of the list."""
    was = tuple(dict.fromkeys(cite for change in entry for cite in change.was))
    return replace(entry[0], path=", ".join(change.path for change in entry), was=was)


def _told(change: Change, built: Built, statements: bool) -> list[str]:
    """One change: what, how, why and where."""
    assert built.linked is not None
    words = f"{change.what} {change.path}".strip()
    if change.how in ("set", "rewritten"):
        words += f": {change.old or 'nothing'} → {change.new}"
    elif change.new is not None:
        words += f" ({change.new})" if change.how == "hooked" else f", {change.new}"
    cited = [", ".join(change.cites), f"was {', '.join(change.was)}" if change.was else "", f"source {change.source}" if change.source else ""]
    cited = [part for part in cited if part]
    line = f"  {words}" + (f"  [{'; '.join(cited)}]" if cited else "") + f"  {change.span.file}:{change.span.line}"
    return [line, *(f"      {rule}: {built.linked.rulebook[rule]}" for rule in change.cites if statements)]


def _json(found: Sequence[Change]) -> str:
    def plain(change: Change) -> dict[str, object]:
        made = {
            "how": change.how,
            "what": change.what,
            "path": change.path,
            "package": change.package,
            "place": f"{change.span.file}:{change.span.line}",
        }
        return {**made, "cites": list(change.cites), "was": list(change.was), "old": change.old, "new": change.new, "source": change.source}

    return json.dumps([plain(change) for change in found], indent=2, ensure_ascii=False)
