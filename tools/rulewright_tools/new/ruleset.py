"""Rulesets that begin: the files of a template, filled in with names of the ruleset they stand over.

A folder is made beside where it will stand and moved there in one step, so nobody finds half of it; what exists already is refused.
"""

from __future__ import annotations

import os
import tempfile
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.loading import refuse

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from rulewright.rules import Rules

RENAMED = {"rules": "{}.rules", "scenario": "{}.yaml"}  # files of a template that are called like what is made
EXAMPLES = 3


def make_ruleset(what: str, name: str, title: str, rules: Rules | None, over: str | None, folder: Path) -> None:
    """Write the folder of a new ruleset, look whether it is sound, and say what to do next."""
    if folder.exists():
        refuse(f"'{folder}' is there already; nothing was written")
    if '"' in title or "\\" in title or "{" in title or "}" in title:
        refuse(f"a title holds no quotes, backslashes or curly brackets: {title}")
    filled = {"id": name, "title": title, **(_over(rules, over, folder) if rules is not None and over is not None else {})}
    made: list[str] = []
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
            unfinished = Path(beside) / "new"
            _fill(files("rulewright_tools.new").joinpath("templates", what), unfinished, filled, made)
            os.rename(unfinished, folder)
    except OSError as error:
        refuse(f"'{folder}' cannot be made: {error.strerror or error}")
    _show_problems(folder)
    click.echo(f"Made {folder}{os.sep} with {', '.join(made)}.\n\nNext:")
    rules_file = folder / f"{name}.rules"
    for line, why in (
        (f"rulewright validate {folder}", "is it right?"),
        (f"rulewright test {folder}", "see its scenario pass"),
        *([(f"rulewright names {over} WORD", f"find what to change in {over}")] if over else []),
        (f"rulewright run {folder}", "a whole game by it"),
    ):
        click.echo(f"  {line:<44} {why}")
    click.echo(f"Then open {rules_file} and change it.")


def _fill(template: Traversable, folder: Path, filled: dict[str, str], made: list[str], under: str = "") -> None:
    """Write the files of a template."""
    folder.mkdir()
    for each in sorted(template.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            _fill(each, folder / each.name, filled, made, f"{under}{each.name}/")
            continue
        called = RENAMED.get(each.name, each.name).format(filled["id"])
        (folder / called).write_text(Template(each.read_text("utf-8")).substitute(filled), encoding="utf-8")
        made.append(under + called)


def _over(rules: Rules, over: str, folder: Path) -> dict[str, str]:
    """What a template says of the ruleset below: how a layer names it, when its rule comes, and examples with names of it."""
    from rulewright.sources.locate import known_rulesets

    graph = rules.graph
    parent = rules.id if rules.id in known_rulesets() else f'"{os.path.relpath(over, folder)}"'
    return {
        "parent": parent,
        "over": over,
        "parent_title": graph["ruleset"]["title"],
        "when": "after setup" if "setup" in graph["effects"] else "before play",
        "examples": "\n".join(f"#\n# {about}\n# {text}" for about, text in _examples(rules)),
        "kinds": ", ".join(_kinds(graph)),
    }


def _examples(rules: Rules) -> list[tuple[str, str]]:
    """Things a layer can say, with names that are used most in the ruleset below."""
    from rulewright.index import references

    graph, uses = rules.graph, references(rules.graph)
    called = [name for name, effect in graph["effects"].items() if effect["of"] is None and effect["what"] == "effect" and effect["parameters"]]
    called.sort(key=lambda name: -len(uses.get(name, ())))
    found = []
    for name, (about, text) in zip(
        called,
        (
            ("Something more after something happens:", 'after {call}: log "It happened."'),
            ("Something else instead, the first time:", "instead of the first {call}: nothing"),
        ),
        strict=False,
    ):
        parameters = ", ".join(parameter["name"] for parameter in graph["effects"][name]["parameters"])
        found.append((about, text.format(call=f"{name}({parameters})")))
    for name, number in list(graph["numbers"].items())[:1]:
        found.append(("Another number, as long as it is what you believe it is:", f"set {name} to {number['value'] + 1} was {number['value']}"))
    return found[:EXAMPLES]


def _kinds(graph: dict[str, Any]) -> list[str]:
    """The kinds of which there are most components."""
    counted: dict[str, int] = {}
    for component in graph["components"].values():
        counted[component["kind"]] = counted.get(component["kind"], 0) + 1
    return sorted(counted, key=lambda kind: -counted[kind])[:8]


def _show_problems(folder: Path) -> None:
    """Whatever is wrong with what was made is shown; it should be nothing."""
    from rulewright import render
    from rulewright.validate import validate

    found = validate(folder)
    if found.diagnostics:
        click.echo(render.as_text(found.diagnostics, found.texts, False, 20), nl=False, err=True)
