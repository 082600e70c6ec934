"""`rulewright validate`: checks rulesets and shows what is wrong.

Takes paths or names of rulesets, builds each with the layers and options asked for, reads what these leave out (parts
that are off, files that no manifest names, the shape of scenario files), and prints all diagnostics in one of four
forms. Exit 0 when clean, 1 when a ruleset has mistakes (with --strict warnings count), 2 when a target or layer
cannot be found or read or the command line makes no sense. With --dump one stage goes to the standard output, as JSON
or, of the core, as text, and the diagnostics to the standard error.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.progress import progress

if TYPE_CHECKING:
    from rulewright.build import Built
    from rulewright.diagnostics import Diagnostic
    from rulewright.kept_verdicts import Verdict

Stage = Literal["tree", "linked", "graph", "core"]
_NOT_FOUND = frozenset({"R201", "R210"})
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_TRUTHS = {"true": True, "false": False}


def _read_options(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, object]:
    """`K=V` to a mapping; whole numbers and true or false become what they look like, all else stays text."""
    options: dict[str, object] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"'{pair}' is not of the form NAME=VALUE")
        if name in options:
            raise click.BadParameter(f"'{name}' is given twice")
        options[name] = int(value) if _INTEGER.fullmatch(value) else _TRUTHS.get(value, value)
    return options


@click.command("validate")
@click.argument("targets", nargs=-1, required=True, metavar="PATH|NAME...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "line", "json", "sarif"]),
    default="text",
    help="How to show problems.",
)
@click.option("--strict", is_flag=True, help="Warnings count as problems too.")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_read_options,
    help="A value for an option of the ruleset; may be repeated.",
)
@click.option(
    "--dump", "stage", type=click.Choice(["tree", "linked", "graph", "core"]), help="Print a stage of one ruleset: as JSON, the core as text."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.pass_context
def command(
    ctx: click.Context,
    targets: tuple[str, ...],
    form: str,
    strict: bool,
    layers: tuple[str, ...],
    options: dict[str, object],
    stage: Stage | None,
    watch: bool,
) -> None:
    """Check rulesets and show what is wrong, and where.

    A ruleset is a folder with a ruleset.yaml, a lone .rules file, or the name of one that comes with rulewright.
    """
    if stage is not None and len(targets) > 1:
        raise click.UsageError("--dump takes one ruleset.")
    if watch:
        if stage is not None:
            raise click.UsageError("--watch and --dump do not go together.")
        _watch(targets, layers, options, form)
        return
    if stage is not None:
        ctx.exit(_show_stage(targets[0], layers, options, form, strict, stage))
    from rulewright.diagnostics import in_order

    with progress("reading"):
        built = {target: _validated(target, layers, options) for target in dict.fromkeys(targets)}
    diagnostics = in_order(diagnostic for one in built.values() for diagnostic in one.diagnostics)
    click.echo(_report(built, diagnostics, form, sys.stdout), nl=False)
    ctx.exit(_exit_code(diagnostics, {*targets, *layers}, strict))


def _show_stage(target: str, layers: Sequence[str], options: Mapping[str, object], form: str, strict: bool, stage: Stage) -> int:
    """Prints a stage of a ruleset, and what is wrong with it elsewhere; gives the exit code."""
    from rulewright.validate import validate

    with progress("reading"):
        built = validate(target, layers, options)
    if built.diagnostics or form != "text":
        click.echo(_report({target: built}, built.diagnostics, form, sys.stderr), nl=False, err=True)
    return max(_exit_code(built.diagnostics, {target, *layers}, strict), _dump(built, stage))


def _validated(target: str, layers: Sequence[str], options: Mapping[str, object]) -> Built | Verdict:
    """What `validate` finds; nothing is looked for where it found nothing before, and nothing has changed."""
    from rulewright.kept_verdicts import verdict
    from rulewright.session import used_here
    from rulewright.sources.reading import Reading

    read = Reading(target, layers)
    with used_here():
        before = verdict(read, options)
        if before.flawless:
            return before
        from rulewright.validate import validate_read

        built = validate_read(read, options)
    if not built.diagnostics:
        before.keep(built.texts)
    return built


def _watch(targets: Sequence[str], layers: Sequence[str], options: Mapping[str, object], form: str) -> None:
    """Check again whenever a file changes, until somebody interrupts it."""
    from rulewright.diagnostics import in_order
    from rulewright.sources.scenario_files import FOLDER
    from rulewright.validate import validate
    from rulewright_tools.watching import again, places

    def check(changed: frozenset[str]) -> set[Path]:
        built = {target: validate(target, layers, options) for target in dict.fromkeys(targets)}
        diagnostics = in_order(diagnostic for one in built.values() for diagnostic in one.diagnostics)
        click.echo(_report(built, diagnostics, form, sys.stdout), nl=False)
        if any(Path(path).parent.name == FOLDER for path in changed):
            click.echo("Of scenarios only their shape is checked here; `rulewright test --watch` plays them.")
        return places((*targets, *layers), (package for one in built.values() for package in one.sources.packages))

    again(check)


def _exit_code(diagnostics: Sequence[Diagnostic], given: set[str], strict: bool) -> int:
    if any(diagnostic.code in _NOT_FOUND and diagnostic.span.file in given for diagnostic in diagnostics):
        return 2
    return int(any(strict or diagnostic.severity == "error" for diagnostic in diagnostics))


def _report(built: Mapping[str, Built | Verdict], diagnostics: Sequence[Diagnostic], form: str, stream: TextIO) -> str:
    """All diagnostics in the form asked for; as text, the rulesets without any are named first."""
    from rulewright import render
    from rulewright.limits import DEFAULT_LIMITS

    texts = {file: text for one in built.values() for file, text in one.texts.items()}
    forms = {"line": render.as_lines, "json": render.as_json, "sarif": render.as_sarif}
    if form in forms:
        return forms[form](diagnostics, texts)
    clean = [f"{render.printable(target)}: no problems{_rest(one)}\n" for target, one in built.items() if not one.diagnostics]
    if not diagnostics:
        return "".join(clean)
    shown = render.as_text(diagnostics, texts, colour_wanted(stream), DEFAULT_LIMITS.shown_diagnostics)
    return "\n".join(["".join(clean), shown]) if clean else shown


def _rest(built: Built | Verdict) -> str:
    """What is said of a ruleset that is only the shared part of games: its names and types are checked with them."""
    games = built.sources.games_wanted
    return f" in what it says itself; {' and '.join(games)} say the rest, so validate {'it' if len(games) == 1 else 'them'} too" if games else ""


def _dump(built: Built, stage: Stage) -> int:
    """Prints the stage; gives 1 when the problems left nothing of it to print."""
    import msgspec

    content = built.dump("graph" if stage == "core" else stage)
    if content is None:
        reason = "it is no game by itself" if built.sources.games_wanted else "the problems stand in its way"
        click.echo(f"There is no {stage} to print: {reason}.", err=True)
        return 1
    if stage == "core":
        from rulewright.core.lower import lower
        from rulewright.core.printer import printed

        click.echo(printed(lower(content)), nl=False)
        return 0
    plain = json.dumps(msgspec.to_builtins(content, str_keys=True))
    click.echo(msgspec.json.format(plain, indent=2))
    return 0
