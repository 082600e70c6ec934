"""Rulesets that begin: the files of a template, filled in with names of the ruleset they stand over.

A folder is made beside where it will stand and moved there in one step, so nobody finds half of it; what exists already is refused.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import click
import msgspec

from rulewright.sources import read_sources
from rulewright.sources.locate import MANIFEST
from rulewright_tools.loading import load_rules, refuse

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from rulewright.rules import Rules
    from rulewright.sources import Package

RENAMED = {"rules": "{}.rules", "scenario": "{}.yaml"}  # files of a template that are called like what is made
EXAMPLES = 3


class Below(msgspec.Struct, frozen=True):
    """What a layer stands over: rules, the package that is meant, how somebody names it, and, if it is only what games share, the game whose rules these are."""

    rules: Rules
    package: Package
    over: str
    game: str | None


def below(over: str) -> Below:
    """What a layer stands over, as somebody names it."""
    game = game_for(over)
    if game is None:
        rules = load_rules(over, (), {})
        return Below(rules, rules.built.sources.packages[-1], over, None)
    return Below(load_rules(game, (), {}), read_sources(over)[0].packages[-1], over, game)


def game_for(name: str) -> str | None:
    """If something is only what several games share, or a layer over that: the first of these games."""
    from rulewright.sources.locate import find_parent, known_rulesets

    sources, known = read_sources(name)[0], known_rulesets()
    if not sources.packages or not (games := sources.games_wanted):
        return None
    shared = next(package for package in sources.packages if games[0] in package.shared_by)
    there = find_parent(games[0], Path(shared.folder), {})
    return games[0] if games[0] in known or there is None else str(there.parent if there.name == MANIFEST else there)


def make_ruleset(what: str, name: str, title: str, stands: Below | None, folder: Path) -> None:
    """Write the folder of a new ruleset, look whether it is sound, and say what to do next."""
    if folder.exists():
        refuse(f"'{folder}' is there already; nothing was written")
    if '"' in title or "\\" in title or "{" in title or "}" in title:
        refuse(f"a title holds no quotes, backslashes or curly brackets: {title}")
    filled = {"id": name, "title": title, **(_over(stands, folder) if stands is not None else {})}
    played = str(folder) if stands is None or stands.game is None else f"{stands.game} --layer {folder}"
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
        *([(f"rulewright names {stands.game or stands.over} WORD", f"find what to change in {stands.over}")] if stands is not None else []),
        (f"rulewright run {played}", "a whole game by it"),
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


def _over(below: Below, folder: Path) -> dict[str, str]:
    """What a template says of the ruleset below: how a layer names it, when its rule comes, and examples with names of it."""
    from rulewright.sources.locate import known_rulesets

    graph, game = below.rules.graph, below.game
    known, stands = known_rulesets(), below.package.id
    parent = stands if stands in known else f'"{os.path.relpath(below.over, folder)}"'
    staged = None if game is None else game if game in known else f'"{os.path.relpath(game, folder / "scenarios")}"'
    return {
        "parent": parent,
        "over": game or below.over,
        "game": game or below.over,
        "played": "" if game is None else f"{game} --layer ",
        "staged": "" if staged is None else f'    ruleset: {staged}\n    layers: ["../../{folder.name}"]\n',
        "parent_title": below.package.title,
        "when": "after setup" if "setup" in graph["effects"] else "before play",
        "examples": "\n".join(f"#\n# {about}\n# {text}" for about, text in _examples(below)),
        "kinds": ", ".join(_kinds(graph)),
    }


def _examples(below: Below) -> list[tuple[str, str]]:
    """Things a layer can say, with names that are used most in the ruleset below."""
    from rulewright.index import references

    graph, uses = below.rules.graph, references(below.rules.graph)
    shared = _shared(below)
    called = [
        name
        for name, effect in graph["effects"].items()
        if effect["of"] is None and effect["what"] == "effect" and effect["parameters"] and shared(name)
    ]
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
    for name, number in [each for each in graph["numbers"].items() if shared(each[0])][:1]:
        found.append(("Another number, as long as it is what you believe it is:", f"set {name} to {number['value'] + 1} was {number['value']}"))
    return found[:EXAMPLES]


def _shared(below: Below) -> Callable[[str], bool]:
    """Whether something is declared in what a layer stands over, and not only by the game whose rules it is seen with."""
    if below.game is None or (linked := below.rules.built.linked) is None:
        return lambda _: True
    packages = [package.id for package in below.rules.built.sources.packages]
    within = packages[: packages.index(below.package.id) + 1]
    return lambda name: any(key in linked.items and linked.items[key].package in within for key in (name, f"{name}()"))


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
