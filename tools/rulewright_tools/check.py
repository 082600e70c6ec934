"""`rulewright check`: with which rulesets and house rules a layer fits, and why not.

Takes a layer and names of rulesets; puts it on each, and on each with each further layer. Exit 0 when it fits all of them, 1 when it does not, 2 when
something cannot be found.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from rulewright.render import printable
from rulewright_tools.loading import refuse

if TYPE_CHECKING:
    from rulewright.build import Built

SHOWN = 3  # reasons that are told one by one


@click.command("check")
@click.argument("layer", metavar="LAYER")
@click.option(
    "--against", "-a", "names", multiple=True, metavar="NAME", help="A ruleset or layer to try it with; may be repeated. Names behind it count too."
)
@click.argument("more", nargs=-1, metavar="[NAME...]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(layer: str, names: tuple[str, ...], more: tuple[str, ...], as_json: bool) -> None:
    """Say with which rulesets and house rules a layer fits, and why not.

    \b
    rulewright check mine --against base its_expansion
    rulewright check mine --against base theirs

    Without names it is tried with everything that comes with the program.
    """
    from rulewright.sources.locate import find, known_rulesets

    known = known_rulesets()
    others = [*names, *more] or sorted(known)
    for name in (layer, *others):
        if find(name, known) is None:
            from rulewright.diagnostics import did_you_mean

            hint = did_you_mean(name, list(known))
            refuse(f"there is no ruleset '{name}'" + (f"; {hint}" if hint else ""))
    found = [_tried(layer, other) for other in others]
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_told(each) for each in found))
    if not all(each["fits"] for each in found if each["fits"] is not None):
        raise click.exceptions.Exit(1)


def _tried(layer: str, other: str) -> dict[str, Any]:
    """A layer on a ruleset; with another layer, both on what that one stands over."""
    from rulewright.build import build

    alone = build(other)
    package = alone.sources.packages[-1] if alone.sources.packages else None
    if package is not None and package.shared_by:
        return {"with": other, "fits": None, "reasons": ["it is no game by itself"]}
    if _errors(alone):
        return {"with": other, "fits": False, "reasons": [f"'{other}' has mistakes of its own: {_errors(alone)[0]}"]}
    both = build(other, [layer])
    return {"with": other, "fits": not _errors(both), "reasons": _errors(both)}


def _errors(built: Built) -> list[str]:
    return [f"{each.span.file}:{each.span.line}: {each.message} [{each.code}]" for each in built.diagnostics if each.severity == "error"]


def _told(each: dict[str, Any]) -> str:
    """A line, with reasons below it where there are any."""
    stands = {True: "fits", False: "does not fit", None: "cannot be tried"}[each["fits"]]
    reasons = [f"    {printable(reason)}" for reason in each["reasons"][:SHOWN]]
    left = len(each["reasons"]) - SHOWN
    return "\n".join([f"{each['with']}: {stands}", *reasons, *([f"    and {left} more"] if left > 0 else [])])
