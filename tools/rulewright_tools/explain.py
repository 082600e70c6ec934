"""`rulewright explain`: what a rule finally says, how well it is known, who changed it, what hooks on it, where it comes from, who uses it and the scenarios about it.

Takes a ruleset with its layers and the path of a rule: the name of anything declared, a member, or a step. Exit 0, 1 for mistakes in the ruleset, 2 when there
is no such ruleset or path.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from rulewright.render import printable
from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import in_language, language_option, load_rules, refuse, with_staging

if TYPE_CHECKING:
    from rulewright.explain import Explained

SHOWN = 12  # scenarios that are told one by one


@click.command("explain")
@click.argument("name", metavar="NAME")
@click.argument("path", metavar="PATH")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Show everything as JSON.")
def command(name: str, path: str, layers: tuple[str, ...], as_json: bool, language: str | None) -> None:
    """Show what a rule finally says, who changed it, and where it comes from.

    PATH is the name of anything that is declared, of a member (kind.field, component.action) or of a step (phase.step).
    """
    from rulewright.diagnostics import did_you_mean
    from rulewright.explain import explain, paths

    rules = load_rules(name, layers, {})
    built, tag = rules.built, in_language(rules, language)
    found = explain(built, path)
    if not found:
        built = with_staging(rules, name, layers)
        found = explain(built, path)
    if not found:
        hint = did_you_mean(path, list(paths(built)))
        refuse(f"there is nothing called '{path}' in '{name}'" + (f"; {hint}" if hint else ""))
    called = rules.catalog(tag).names if tag is not None else {}
    if as_json:
        click.echo(json.dumps([{**_plain(each), **_called(each, called)} for each in found], indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join(_text(each, _called(each, called)) for each in found))


def _called(found: Explained, called: Mapping[str, str]) -> dict[str, str]:
    """What it is called in the language that was asked for, if it has a name there."""
    return {"name": called[found.path]} if found.path in called else {}


def _rules(text: str, indent: int) -> str:
    """Rules, indented; in colours where somebody looks at them."""
    from rulewright_tools.highlight import coloured

    return textwrap.indent(coloured(text) if colour_wanted(sys.stdout) else text, " " * indent)


def _text(found: Explained, called: Mapping[str, str]) -> str:
    """One declaration and everything about it."""
    name = "".join(f" “{printable(name)}”" for name in called.values())
    blocks = [f"{found.what} {found.path}{name} (of {found.package}), {found.place}\n{_rules(found.text, 4)}"]
    if known := str(found.known):
        blocks.append(f"source: {known}")
    if found.changes:
        lines = []
        for change in found.changes:
            lines.append(f"  {change.how} by {change.package}: {change.path}, {change.place}")
            if change.text.removeprefix("replace ") != found.text:  # else it stands above
                lines.append(_rules(change.text, 6))
        blocks.append("\n".join(["changed:", *lines]))
    if found.hooks:
        lines = [f"  {hook.words} (of {hook.package}), {hook.place}" + (f"  [{', '.join(hook.cites)}]" if hook.cites else "") for hook in found.hooks]
        blocks.append("\n".join(["hooks, in their order:", *lines]))
    if found.rules:
        blocks.append("\n".join(["rules:", *(f"  {rule} ({page}): {statement}" for rule, page, statement in found.rules)]))
    if found.uses:
        blocks.append(textwrap.fill(f"used by: {', '.join(found.uses)}", 110, subsequent_indent="  ", break_long_words=False))
    if found.belonging:
        lines = [textwrap.fill(f"  {kind} {', '.join(names)}", 110, subsequent_indent="    ") for kind, names in found.belonging.items()]
        blocks.append("\n".join(["components that name it:", *lines]))
    if found.scenarios:
        more = len(found.scenarios) - SHOWN
        lines = [f"  {printable(name)} ({place})" for name, place in found.scenarios[:SHOWN]]
        blocks.append("\n".join(["scenarios:", *lines, *([f"  and {more} more"] if more > 0 else [])]))
    return "\n\n".join(blocks)


def _plain(found: Explained) -> dict[str, Any]:
    import msgspec

    made = msgspec.to_builtins(found)
    assert isinstance(made, dict)
    known = {"source": found.known.source, "sources": found.known.fields}
    return {
        **{key: part for key, part in made.items() if key != "known"},
        **known,
        "rules": [dict(zip(("id", "page", "statement"), rule, strict=True)) for rule in found.rules],
        "scenarios": [dict(zip(("name", "place"), each, strict=True)) for each in found.scenarios],
    }
