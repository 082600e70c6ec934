"""The command line of `rulewright new`.

Takes what is to be made, its name, and what it stands over or goes into; writes new files and says what to do next. Never overwrites: what exists is refused (exit 2), and a
folder appears whole or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from rulewright_tools.loading import refuse

WHAT = ("house", "expansion", "game")


@click.command("new")
@click.argument("what", metavar="house|expansion|game|KIND")
@click.argument("name", metavar="NAME")
@click.argument("label", metavar="[LABEL]", required=False)
@click.option("--over", metavar="NAME|PATH", help="The ruleset that a house rule or an expansion stands over.")
@click.option("--in", "into", metavar="LAYER", help="The ruleset or layer of yours that a new component goes into.")
@click.option("--to", "folder", type=click.Path(path_type=Path), help="The folder to make; without it, one called NAME here.")
def command(what: str, name: str, label: str | None, over: str | None, into: str | None, folder: Path | None) -> None:
    """Begin a house rule, an expansion or a game, or a component of one of the kinds in it.

    \b
    rulewright new house two_by_two "Two by two" --over base
    rulewright new game my_game "My game"
    rulewright new KIND NAME "Label" --in two_by_two

    What is written works as it stands, and says in its comments what else there is. LABEL is what people read.
    """
    _check_name(name)
    if what not in WHAT:
        if into is None:
            _lost(what)
        from rulewright_tools.new.component import add_component

        add_component(what, name, label or _spoken(name), into)
        return
    if into is not None:
        refuse(f"--in is for components; '{what}' makes a folder of its own (--to FOLDER says which)")
    if (over is None) == (what != "game"):
        refuse(
            "a game stands over nothing: leave --over out"
            if what == "game"
            else f"what does the {_called(what)} stand over? Say --over NAME, as in --over base"
        )
    _check_own(name, over)
    from rulewright_tools.new.ruleset import below, make_ruleset

    make_ruleset(what, name, label or _spoken(name), below(over) if over is not None else None, folder or Path(name))


def _called(what: str) -> str:
    return "house rule" if what == "house" else what


def _spoken(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _check_name(name: str) -> None:
    """A name that rules can use, or a word about what would be one."""
    import re
    import unicodedata

    if re.fullmatch(r"[a-z][a-z0-9_]*", name):
        return
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(letter))
    better = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    hint = f"; '{better}' would do, with \"{name}\" as its label behind it" if re.fullmatch(r"[a-z][a-z0-9_]*", better) else ""
    refuse(f"'{name}' cannot be a name: names are lower case, with digits and underscores{hint}")


def _check_own(name: str, over: str | None) -> None:
    """A name that no ruleset has already which comes with the program or which this one stands over: a folder of that name would stand in its way."""
    from rulewright.sources.locate import known_rulesets

    if name in known_rulesets() or (over is not None and name == Path(over).stem):
        refuse(f"there is a ruleset '{name}' already, which a new one would hide; choose another name, such as 'my_{name}'")


def _lost(what: str) -> NoReturn:
    from rulewright.diagnostics import did_you_mean

    hint = did_you_mean(what, WHAT)
    refuse(f"what is '{what}'? {hint or 'new makes house, expansion or game; for a component of a kind say --in with the ruleset it goes into'}")
