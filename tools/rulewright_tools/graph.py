"""`rulewright graph`: draws the effect graph of a ruleset, or of one effect of it, or its board.

Takes a ruleset with layers and options, gives dot, Mermaid, SVG, PNG (taken by a Chromium, where there is one), a page of HTML, the graph itself as JSON, or the program of
the core that is made from it, as text or as JSON (schemas/core.schema.json); of a board SVG, PNG, HTML, or what the table shows as JSON. A ruleset
with mistakes is not drawn: they are shown, and the exit is 1. A name that cannot be drawn, or an output file that cannot
be written, is exit 2. A file is replaced in one step, so that nobody ever sees half of one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.progress import progress
from rulewright_tools.validate import _read_options

if TYPE_CHECKING:
    from rulewright.build import Built

_FORMATS = ("dot", "svg", "png", "html", "mermaid", "json", "core", "core-json")
_ENDINGS = {
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
    ".png": "png",
    ".html": "html",
    ".htm": "html",
    ".mmd": "mermaid",
    ".json": "json",
    ".core": "core",
}
_BOARD_FORMATS = ("svg", "png", "html", "json")
_NOT_FOUND = frozenset({"R201", "R210"})


@click.command("graph")
@click.argument("name", metavar="PATH|NAME")
@click.option(
    "--of", "wanted", metavar="EFFECT", help="Draw one effect, phase, step, action, value, cost or hook, or what a component does: generator.use."
)
@click.option("--board", is_flag=True, help="Draw the board as it stands when a game begins.")
@click.option("--players", type=click.IntRange(1), metavar="N", help="With --board: for how many players; by default for how many usually play.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="What to write; by default what the file's ending says, else dot.")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="A value for an option of the ruleset; may be repeated."
)
@click.option(
    "--output",
    "output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write; by default the standard output, if that is no terminal.",
)
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    wanted: str | None,
    board: bool,
    players: int | None,
    form: str | None,
    layers: tuple[str, ...],
    options: dict[str, object],
    output: Path | None,
) -> None:
    """Draw the effect graph of a ruleset, or its board.

    HTML is a page that can be panned, zoomed and searched, and shows the source of what is clicked.
    """
    if form is None and output is not None and output.suffix and output.suffix.lower() not in _ENDINGS:
        raise click.UsageError(f"'{_shown(str(output))}' cannot be drawn: write {', '.join(_ENDINGS)}, or say --format.")
    if players is not None and not board:
        raise click.UsageError("--players is for --board: say both, or neither.")
    if form is None and output is None and sys.stdout.isatty():
        raise click.UsageError(
            "that is much to read: write it to a file that a browser shows (--output FILE.html, or .svg, .png), or say --format, as in --format dot."
        )
    form = form or _by_ending(output, "svg" if board else "dot")
    if form == "png" and output is None:
        raise click.UsageError("a picture in PNG needs a file: say --output FILE.png.")
    if board:
        _give(_board(name, layers, options, players, wanted, form), output, form)
        return
    from rulewright.build import build

    with progress(f"reading {name}"):
        built = build(name, layers=layers, options=options)
    graph = built.dump("graph")
    if graph is None or any(diagnostic.severity == "error" for diagnostic in built.diagnostics):
        ctx.exit(_show_problems(built, {name, *layers}))
    drawn = "svg" if form == "png" else form
    _give(_drawn(built, _plain(graph), wanted, drawn, _standing(name) if layers else set()), output, form)


def _standing(name: str) -> set[str]:
    """The packages of a ruleset without layers."""
    from rulewright.sources import read_sources

    return {package.id for package in read_sources(name, (), {})[0].packages}


def _by_ending(output: Path | None, usual: str) -> str:
    """The form that the name of a file asks for."""
    return _ENDINGS.get(output.suffix.lower(), usual) if output else usual


def _give(text: str, output: Path | None, form: str) -> None:
    if output is None:
        click.echo(text, nl=False)
    elif form == "png":
        from rulewright_tools.docs.pdf import NoPrinter
        from rulewright_tools.loading import refuse
        from rulewright_tools.pictures.png import png

        try:
            with progress("taking a picture"):
                data = png(text)
        except (NoPrinter, OSError) as problem:
            refuse(str(problem))
        _write(output, data)
    else:
        _write(output, text)


def _board(name: str, layers: tuple[str, ...], options: dict[str, object], players: int | None, wanted: str | None, form: str) -> str:
    """The board when a game begins, as one sees it who looks on."""
    if wanted is not None:
        raise click.UsageError("--board draws the board, --of one effect: say one of them.")
    if form not in _BOARD_FORMATS:
        raise click.UsageError(f"a board is drawn as {', '.join(_BOARD_FORMATS)}, not as {form}.")
    from rulewright.errors import RulesError
    from rulewright_tools.loading import load_rules, refuse, show_failure
    from rulewright_tools.pictures.board import STYLE, board
    from rulewright_tools.pictures.html import page_of
    from rulewright_tools.table import Layout, look, plain

    rules = load_rules(name, layers, options, "step")
    count = players or rules.usual_players
    try:
        game = rules.new_game(players=count, seed=1)
    except ValueError as problem:
        refuse(str(problem))
    except RulesError as problem:
        show_failure(rules, problem)
    table = look(game, None, Layout(rules, count), story={})
    if form == "json":
        shown = plain(table)
        return json.dumps({part: shown[part] for part in ("ruleset", "title", "board", "places", "things", "tracks", "groups")}, indent=2) + "\n"
    sheet = board(table, rules.graph, style=form != "html")
    return sheet.markup if form != "html" else page_of("board", {"board": sheet}, rules.texts, statements(rules.texts), STYLE)


def _plain(graph: object) -> dict[str, Any]:
    """The graph as plain JSON data, whatever records it came as."""
    import msgspec

    plain: dict[str, Any] = json.loads(json.dumps(msgspec.to_builtins(graph, str_keys=True)))
    return plain


def _drawn(built: Built, graph: dict[str, Any], wanted: str | None, form: str, below: Collection[str]) -> str:
    from rulewright_tools.pictures.methods import unit_of, with_methods, written_methods
    from rulewright_tools.pictures.names import UnknownName, find_key

    whole = graph
    graph = with_methods(graph, {} if built.linked is None else written_methods(graph, built.linked))
    try:
        key = None if wanted is None else find_key(graph, wanted)
    except UnknownName as problem:
        raise click.UsageError(_shown(str(problem))) from None
    if form == "json":
        return _as_json(whole if key is None else graph, key)
    if form in ("core", "core-json"):
        return _core(whole, None if key is None else unit_of(graph, key), form)
    from rulewright_tools.pictures.labels import Labels
    from rulewright_tools.pictures.marks import NO_MARKS, layers_of, marked, marks
    from rulewright_tools.pictures.outline import outline
    from rulewright_tools.pictures.overview import overview
    from rulewright_tools.pictures.subjects import subjects

    found = NO_MARKS if built.linked is None else marks(graph, built, layers_of(built, below))
    if form == "html":
        from rulewright_tools.pictures.html import html

        with progress("drawing"):
            return html(graph, key, built.texts, statements(built.texts), found)
    if form == "svg" and key is None and len(parts := subjects(graph, built.texts)) > 1:
        from rulewright_tools.pictures.map import map_of

        return map_of(graph, parts, found).markup
    picture = overview(graph) if key is None else outline(graph, key, Labels(graph, built.texts))
    with progress("drawing"):
        return _emitter(form)(marked(picture, found, key))


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


def _write(output: Path, content: str | bytes) -> None:
    """Puts the content in place of the file in one step."""
    from rulewright.files import write_bytes, write_text

    try:
        if isinstance(content, bytes):
            target = Path(os.path.realpath(output))
            write_bytes(target, content, target.stat().st_mode & 0o7777 if target.exists() else 0o644)
        else:
            write_text(output, content)
    except OSError as error:
        raise click.UsageError(f"'{_shown(str(output))}' cannot be written: {error.strerror}.") from None
    if output.parent != Path("/dev"):  # what is written there may be read together with this
        click.echo(f"Written: {_shown(str(output))}")


def _shown(text: str) -> str:
    from rulewright.render import printable

    return printable(text)
