"""`rulewright graph`: draws the effect graph of a ruleset, or of one effect of it.

Takes a ruleset with layers and options, gives dot, Mermaid, SVG, a page of HTML, the graph itself as JSON, or the program of
the core that is made from it, as text or as JSON (schemas/core.schema.json). A ruleset
with mistakes is not drawn: they are shown, and the exit is 1. A name that cannot be drawn, or an output file that cannot
be written, is exit 2. A file is replaced in one step, so that nobody ever sees half of one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.validate import _read_options

if TYPE_CHECKING:
    from rulewright.build import Built

_FORMATS = ("dot", "svg", "html", "mermaid", "json", "core", "core-json")
_ENDINGS = {
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
    ".html": "html",
    ".htm": "html",
    ".mmd": "mermaid",
    ".json": "json",
    ".core": "core",
}
_NOT_FOUND = frozenset({"R201", "R210"})


@click.command("graph")
@click.argument("name", metavar="PATH|NAME")
@click.option("--of", "wanted", metavar="EFFECT", help="Draw one effect, phase, step, action, value, cost or hook.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="What to write; by default what the file's ending says, else dot.")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@click.option(
    "--output", "output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Where to write; by default the standard output."
)
@click.pass_context
def command(
    ctx: click.Context, name: str, wanted: str | None, form: str | None, layers: tuple[str, ...], options: dict[str, object], output: Path | None
) -> None:
    """Draw the effect graph of a ruleset.

    HTML is a page that can be panned, zoomed and searched, and shows the source of what is clicked.
    """
    if form is None and output is not None and output.suffix and output.suffix.lower() not in _ENDINGS:
        raise click.UsageError(f"'{_shown(str(output))}' cannot be drawn: write {', '.join(_ENDINGS)}, or say --format.")
    from rulewright.build import build

    built = build(name, layers=layers, options=options)
    graph = built.dump("graph")
    if graph is None or any(diagnostic.severity == "error" for diagnostic in built.diagnostics):
        ctx.exit(_show_problems(built, {name, *layers}))
    form = form or (_ENDINGS.get(output.suffix.lower(), "dot") if output else "dot")
    text = _drawn(built, _plain(graph), wanted, form)
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)


def _plain(graph: object) -> dict[str, Any]:
    """The graph as plain JSON data, whatever records it came as."""
    import msgspec

    plain: dict[str, Any] = json.loads(json.dumps(msgspec.to_builtins(graph, str_keys=True)))
    return plain


def _drawn(built: Built, graph: dict[str, Any], wanted: str | None, form: str) -> str:
    from rulewright_tools.pictures.names import UnknownName, find_key

    try:
        key = None if wanted is None else find_key(graph, wanted)
    except UnknownName as problem:
        raise click.UsageError(_shown(str(problem))) from None
    if form == "json":
        return _as_json(graph, key)
    if form in ("core", "core-json"):
        return _core(graph, None if key is None else key.partition(":")[2], form)
    if form == "html":
        from rulewright_tools.pictures.html import html

        return html(graph, key, built.texts, statements(built.texts))
    from rulewright_tools.pictures.labels import Labels
    from rulewright_tools.pictures.outline import outline
    from rulewright_tools.pictures.overview import overview

    picture = overview(graph) if key is None else outline(graph, key, Labels(graph, built.texts))
    return _emitter(form)(picture)


def _emitter(form: str) -> Callable[[Any], str]:
    from rulewright_tools.pictures.dot import dot
    from rulewright_tools.pictures.layout import layout
    from rulewright_tools.pictures.mermaid import mermaid
    from rulewright_tools.pictures.svg import svg

    return {"dot": dot, "mermaid": mermaid, "svg": lambda picture: svg(layout(picture))}[form]


def _as_json(graph: dict[str, Any], key: str | None) -> str:
    from rulewright_tools.pictures.overview import part_of

    return json.dumps(graph if key is None else part_of(graph, key), indent=2) + "\n"


def _core(graph: dict[str, Any], wanted: str | None, form: str) -> str:
    """The program of the core; as text, only that of one part of the rules if it is asked for."""
    from rulewright.core.lower import lower
    from rulewright.core.printer import printed
    from rulewright.core.schema import encoded

    program = lower(graph)
    if form == "core":
        return printed(program, wanted)
    if wanted is not None:
        raise click.UsageError("--format core-json gives a whole program: leave --of out, or say --format core.")
    return f"{encoded(program).decode()}\n"


def statements(texts: Mapping[str, str]) -> dict[str, str]:
    """What each rule says, from the rulebooks among the texts."""
    from rulewright.limits import DEFAULT_LIMITS
    from rulewright.sources.yamlfile import parse_yaml

    found: dict[str, str] = {}
    for file, text in texts.items():
        if file.endswith("rulebook.yaml"):
            document, _ = parse_yaml(text, file, "rulebook", DEFAULT_LIMITS)
            rules = document.data["rules"] if document is not None else []
            found |= {str(rule["id"]): str(rule["statement"]) for rule in rules}
    return found


def _show_problems(built: Built, given: set[str]) -> int:
    """Shows what is wrong and gives the exit code, as `validate` does."""
    from rulewright.diagnostics import in_order
    from rulewright.limits import DEFAULT_LIMITS
    from rulewright.render import as_text

    diagnostics = in_order(built.obstacles)
    shown = as_text(diagnostics, built.texts, colour_wanted(sys.stderr), DEFAULT_LIMITS.shown_diagnostics)
    click.echo(shown, nl=False, err=True)
    missing = any(one.code in _NOT_FOUND and one.span.file in given for one in diagnostics)
    return 2 if missing else 1


def _write(output: Path, text: str) -> None:
    """Puts the text in place of the file in one step."""
    from rulewright.files import write_text

    try:
        write_text(output, text)
    except OSError as error:
        raise click.UsageError(f"'{_shown(str(output))}' cannot be written: {error.strerror}.") from None


def _shown(text: str) -> str:
    from rulewright.render import printable

    return printable(text)
