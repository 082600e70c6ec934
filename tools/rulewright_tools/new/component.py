"""Components that begin, in a file of somebody's own.

Takes a kind and the ruleset or layer the component goes into; writes it to the end of that one's first rules file, and says what to look at next. Everything that was in the
file stays; what would not be sound with the component is told, and nothing is written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright_tools.cli import colour_wanted
from rulewright_tools.loading import load_rules, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulewright.build import Built


def add_component(kind: str, name: str, label: str, into: str) -> None:
    """Write the beginning of a component that is sound with the rules, and say where it stands and what is left to do."""
    from rulewright.files import write_text
    from rulewright_tools.new.draft import CannotDraft, draft
    from rulewright_tools.new.ruleset import game_for

    _check_folder(into)
    game = game_for(into)
    target, layers = (into, ()) if game is None else (game, (into,))
    built = load_rules(target, layers, {}).built
    graph = built.graph
    assert graph is not None
    assert built.linked is not None
    kind = _kind_meant(graph, kind, into)
    if name in built.linked.items:
        refuse(f"there is a {built.linked.items[name].what} called '{name}' already")
    if '"' in label or "\\" in label:
        refuse(f"a label holds no quotes or backslashes: {label}")
    file = _own_file(built, into)
    try:
        drafted = draft(built, kind, name, label)
        text = f"{file.read_text('utf-8').rstrip()}\n\n{drafted.text}"
        _check(target, layers, file, text, drafted.text)
        write_text(file, text)
    except CannotDraft as problem:
        refuse(str(problem))
    except OSError as error:
        refuse(f"'{file}' cannot be written: {error.strerror or error}")
    click.echo(f"Added to {file}:\n\n{drafted.text}\nWhat to do next:")
    look = f"Look at others of its kind: rulewright names {target} --what {kind}"
    for note in (*_also_called(graph, kind, name), *drafted.notes, look, f"Then: rulewright validate {into}"):
        click.echo(f"  {note.replace('{into}', into)}")


def _check_folder(into: str) -> None:
    """A pack is whole, as somebody made it: nothing is added to it."""
    from rulewright.sources.pack import SUFFIX

    if into.endswith(SUFFIX):
        refuse(
            f"'{into}' is a pack, and nothing is added to packs: say --in with the folder it was made from, then pack that again; or begin a layer over it (--over {into})"
        )


def _check(target: str, layers: tuple[str, ...], file: Path, text: str, added: str) -> None:
    """Refuse what the rules would not be sound with."""
    import os

    from rulewright import render
    from rulewright.build import build
    from rulewright.session import Session, used

    session = Session()
    session.unsaved[os.path.realpath(file)] = text
    with used(session):
        built = build(target, layers)
    if built.errors:
        click.echo(render.as_text(built.obstacles, built.texts, colour_wanted(sys.stderr), 3), nl=False, err=True)
        refuse(f"nothing was written: this needs something more that you have to say, so write it yourself, beginning with\n\n{added}", 1)


def _kind_meant(graph: dict[str, Any], word: str, into: str) -> str:
    """The kind of that name or label; where several are near, which there are."""
    kinds = {name: declared for name, declared in graph["kinds"].items() if name != "player" and not name.startswith("#")}  # those cannot be named
    for name, declared in kinds.items():
        if word in (name, declared["label"], declared["plural"]):
            return str(name)
    near = [name for name in kinds if word in name]
    if len(near) != 1:
        from rulewright.diagnostics import did_you_mean

        hint = f"did you mean one of {', '.join(near)}?" if near else did_you_mean(word, list(kinds)) or f"there are: {', '.join(kinds)}"
        refuse(f"'{into}' has no kind called '{word}'; {hint}")
    return str(near[0])


def _also_called(graph: dict[str, Any], kind: str, name: str) -> Iterator[str]:
    """Other kinds that people may call so: a room that is a space of the board, and one that is a tile which lies there."""
    for other, declared in graph["kinds"].items():
        there = [component["label"] for component in graph["components"].values() if component["kind"] == other]
        if other.startswith(f"{kind}_") and there and declared["parent"] != kind:
            examples = ", ".join(f"'{label}'" for label in there[:3])
            yield f"Or is it a {other} that you mean, as {examples} are? Take this out, and write: rulewright new {other} {name} --in {{into}}"


def _own_file(built: Built, into: str) -> Path:
    """The first rules file of the ruleset or layer that somebody names; never one of a ruleset that comes with the program."""
    package = built.sources.packages[-1]
    if package.shipped:
        refuse(f"'{into}' comes with the program; make a layer of your own (rulewright new house NAME --over {package.id}) and add to that")
    if not package.files:
        refuse(f"'{into}' has no rules file")
    return Path(package.files[0].name)
