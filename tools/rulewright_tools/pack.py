"""`rulewright pack`: a ruleset or layer of one's own as one file, with its scenarios, translations and the rulesets of one's own that it stands over.

Takes a ruleset, and writes a file that all commands take as they take its folder. Exit 0, 1 for mistakes in the ruleset, 2 when it cannot be packed or the file is something else
than a pack of the same ruleset.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright_tools.loading import load_rules, refuse

if TYPE_CHECKING:
    from rulewright.sources import Package


@click.command("pack")
@click.argument("name", metavar="NAME|PATH")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The file to write; without it, the name of the ruleset here.")
@click.option("--force", is_flag=True, help="Write over a file that is no pack of this ruleset.")
def command(name: str, output: Path | None, force: bool) -> None:
    """Put a ruleset or layer into one file, for somebody else.

    validate, run, play, test and every other command take the file as they take the folder.
    """
    from rulewright.files import write_bytes
    from rulewright.sources.pack import FORMAT, SUFFIX, PackError, pack, packed_id

    packages = _sound(name)
    own = [package for package in packages if not package.shipped]
    package = packages[-1]
    if package.shipped:
        refuse(f"'{name}' comes with the program: everybody has it")
    if packed := [each.id for each in own if not Path(each.files[0].name if each.alone and each.files else each.folder).exists()]:
        with_it = "" if packed[-1] == package.id else f", which '{package.id}' stands over,"
        refuse(f"'{packed[-1]}'{with_it} is a pack already: send that file")
    target = output or Path(f"{package.id}{SUFFIX}")
    if target.suffix != SUFFIX:
        refuse(f"a pack is called something{SUFFIX}, not '{target}'")
    if target.exists() and not force and packed_id(target) != package.id:
        refuse(f"'{target}' is there already, and no pack of '{package.id}'; nothing was written (--force writes over it)")
    contents, root = _contents(own)
    about = {"id": package.id, "title": package.title, "ruleset_version": package.version, "over": list(package.parents)}
    try:
        data = pack(root, contents, about)
        write_bytes(target, data, 0o644)
    except PackError as error:
        refuse(f"'{name}' cannot be packed: {error}")
    except OSError as error:
        refuse(f"'{target}' cannot be written: {error.strerror or error}")
    click.echo(f"{target}: {len(contents)} files, {len(data):,} bytes, format {FORMAT['version']}")
    for other in own[:-1]:
        click.echo(f"  with '{other.id}', which it stands over")
    click.echo(f"Somebody who has it writes: rulewright validate {target.name}")


def _sound(name: str) -> tuple[Package, ...]:
    """What a ruleset is made of; one with mistakes is refused. A layer over what games share is looked at with the first of these games."""
    from rulewright.sources import read_sources
    from rulewright_tools.new.ruleset import game_for

    game = game_for(name)
    if game is None:
        return load_rules(name, (), {}).built.sources.packages
    load_rules(game, (name,), {})
    return read_sources(name)[0].packages


def _contents(packages: list[Package]) -> tuple[dict[str, bytes], str]:
    """The files of rulesets, each where it lies as seen from the folder that all of them are in; and the last of them, which is meant."""
    lone = {package.id: Path(package.files[0].name) for package in packages if package.alone and package.files}
    folders = {package.id: lone[package.id] if package.id in lone else Path(package.folder) for package in packages}
    top = Path(os.path.commonpath([os.path.abspath(path.parent) for path in folders.values()]))
    contents: dict[str, bytes] = {}
    for package in packages:
        place = folders[package.id]
        files = [place] if package.id in lone else _files_of(place)
        for file in files:
            contents[Path(os.path.abspath(file)).relative_to(top).as_posix()] = file.read_bytes()
    return contents, Path(os.path.abspath(folders[packages[-1].id])).relative_to(top).as_posix()


def _files_of(folder: Path) -> list[Path]:
    """What belongs to a ruleset: all files of its sorts in its folder; not what is hidden, nor what links lead to, nor other rulesets inside."""
    from rulewright.sources.pack import SORTS

    found: list[Path] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink() or (path.is_dir() and (path / "ruleset.yaml").is_file()):
            continue
        found += _files_of(path) if path.is_dir() else [path] if path.suffix in SORTS else []
    return found
