"""`rulewright coverage`: how much of its rulebook a ruleset carries out, and how much of that its scenarios show.

Takes the name or folder of a ruleset and layers. Rules of which the rulebook says that a layer carries them out are looked for in that layer and its scenarios. Exit 0, or 1 with `--strict` if a rule is missing; 1 for mistakes in the ruleset, 2 when it cannot be found or
has no rulebook.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.loading import force_option, html_option, load_rules, mind_html, refuse, write_html
from rulewright_tools.progress import progress
from rulewright_tools.scenarios import files_of

if TYPE_CHECKING:
    from rulewright.coverage import Report, Rule, Standing
    from rulewright.diagnostics import Span
    from rulewright.scenario import Scenario

MADE_BY = "rulewright coverage"
NAMED = 5  # missing rules that an error names
HEAD = ("topic", "rules", "tested", "implemented", "not applicable", "missing", "% implemented", "% tested")


@click.command("coverage")
@click.argument("name", metavar="NAME")
@click.option(
    "--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top, with its rulebook and scenarios; may be repeated."
)
@click.option("--missing", is_flag=True, help="List the rules that nothing cites, with page and statement.")
@click.option("--list", "every", is_flag=True, help="List every rule with its standing, and where it is cited.")
@click.option("--json", "as_json", is_flag=True, help="Show everything as JSON.")
@click.option("--strict", is_flag=True, help="Exit with 1 if a rule is missing.")
@html_option
@force_option
@click.pass_context
def command(
    ctx: click.Context, name: str, layers: tuple[str, ...], missing: bool, every: bool, as_json: bool, strict: bool, html: Path | None, force: bool
) -> None:
    """Show which rules of its rulebook a ruleset carries out.

    A rule is implemented if a declaration cites it, and tested if besides a passing scenario cites it and gets to that declaration. With --html a page: each rule of
    the rulebook beside the rules that cite it and the scenarios that show it.
    """
    if html is not None and (as_json or every or missing):
        raise click.UsageError("--html is a page of its own, with everything on it; leave out --json, --list and --missing")
    if html is not None:
        mind_html(html, MADE_BY, force)
    report = _report(name, layers)
    if html is not None:
        from rulewright_tools.coverage_page import coverage_page

        write_html(html, coverage_page(report), MADE_BY, force)
    elif as_json:
        click.echo(json.dumps(_plain(report), indent=2, ensure_ascii=False))
    else:
        blocks = [_table(report), *([_listed(report, "missing")] if missing else []), *([_every(report)] if every else []), _notes(report)]
        click.echo("\n\n".join(block for block in blocks if block))
    absent = [rule.id for rule in report.rules if rule.standing == "missing"]
    if strict and absent:
        more = f" and {len(absent) - NAMED} more (--missing lists them)" if len(absent) > NAMED else ""
        click.echo(f"Error: {len(absent)} of {len(report.rules)} rules missing, cited by nothing: {', '.join(absent[:NAMED])}{more}", err=True)
    ctx.exit(1 if strict and absent else 0)


def _report(name: str, layers: tuple[str, ...]) -> Report:
    from rulewright.coverage import cover, layers_named
    from rulewright.scenario.reach import Watching
    from rulewright.sources.locate import find_parent, known_rulesets

    built = load_rules(name, layers, {}).built
    known = known_rulesets()
    packages = built.sources.packages
    own = [package.id for package in packages if package.id == packages[-1 - len(layers)].id or package in packages[len(packages) - len(layers) :]]
    if not any(package.rulebook is not None for package in packages if package.id in own):
        below = next((package.id for package in reversed(packages) if package.rulebook is not None), None)
        hint = f"; that of '{below}', with it on top: rulewright coverage {below} --layer {name}" if below and len(own) == 1 else ""
        refuse(f"'{own[0]}' has no rulebook of its own, so there is nothing to cover{hint}")
    builds, staged = [built], [(Watching(name if layers else None, layers), _scenarios((name, *layers), known))]
    for layer, folder in layers_named(built, own).items():
        entry = find_parent(layer, folder, known)
        if entry is None:
            refuse(f"the rulebook of '{own[0]}' says that the layer '{layer}' carries out some of its rules, but there is no such layer")
        home = str(entry if entry.suffix == ".rules" else entry.parent)
        builds.append(load_rules(home, (), {}).built)
        staged.append((Watching(), _scenarios((home,), known)))
    with progress("scenarios played") as told:
        return cover(builds, staged, own, told)


def _scenarios(targets: tuple[str, ...], known: dict[str, Path]) -> list[Scenario]:
    """The scenarios of rulesets and layers, each file once."""
    from rulewright.scenario import load_scenarios

    files = dict.fromkeys(file for target in targets for file in files_of(target, known)[1] or ())
    return [scenario for file in files for scenario in load_scenarios(file)[0]]


# -- text


def _table(report: Report) -> str:
    """Counts by topic, then the totals."""
    rows = [HEAD, *(_row(report, topic) for topic in report.topics())]
    total = _row(report, None)
    widths = [max(len(row[column]) for row in [*rows, total]) for column in range(len(HEAD))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]) for row in [*rows, total]
    ]
    rule = "-" * len(lines[0])
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


def _row(report: Report, topic: str | None) -> tuple[str, ...]:
    from rulewright.coverage import STANDINGS

    counts = [report.count(standing, topic) for standing in STANDINGS]
    applicable = counts[0] + counts[1] + counts[3]
    shares = [f"{100 * part / applicable:.0f}" if applicable else "-" for part in (counts[0] + counts[1], counts[0])]
    return (topic or "all", str(sum(counts)), *map(str, counts), *shares)


def _listed(report: Report, standing: Standing) -> str:
    rules = [rule for rule in report.rules if rule.standing == standing]
    return "\n".join([f"{standing}: {len(rules)}", *(f"  {rule.id} ({rule.page}): {rule.statement}" for rule in rules)])


def _every(report: Report) -> str:
    return "\n".join(line for rule in report.rules for line in _told(rule))


def _told(rule: Rule) -> list[str]:
    """A rule, how it stands, and where."""
    lines = [f"{rule.id}: {rule.standing}" + (f" ({rule.reason})" if rule.reason and rule.standing == "not applicable" else "")]
    lines += [f"  cited at {_place(span)}" for span in rule.cited]
    lines += [f"  shown at {_place(shown.span)}: {shown.scenario}" for shown in rule.shown if shown.reached]
    return lines


def _notes(report: Report) -> str:
    from rulewright.render import printable

    lines = [f"warning: {_place(span)}: {printable(text)}" for span, text in report.warnings]
    lines += [f"does not pass, so shows nothing: {printable(failed)}" for failed in report.failed]
    return "\n".join(lines)


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"


# -- data


def _plain(report: Report) -> dict[str, Any]:
    from rulewright.coverage import STANDINGS

    def rule(each: Rule) -> dict[str, Any]:
        shown = [{"scenario": by.scenario, "place": _place(by.span), "reached": by.reached, "state": by.state} for by in each.shown]
        made = {"id": each.id, "standing": each.standing, "page": each.page, "statement": each.statement}
        return {**made, "reason": each.reason, "cited": [_place(span) for span in each.cited], "scenarios": shown}

    return {
        "ruleset": report.ruleset,
        "totals": {standing: report.count(standing) for standing in STANDINGS},
        "topics": {topic: {standing: report.count(standing, topic) for standing in STANDINGS} for topic in report.topics()},
        "rules": [rule(each) for each in report.rules],
        "warnings": [{"place": _place(span), "message": text} for span, text in report.warnings],
        "failed": list(report.failed),
    }
