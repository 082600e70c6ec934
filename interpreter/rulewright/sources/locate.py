"""Finding rulesets and the files that belong to them.

Takes names and paths as people and manifests write them, gives paths that exist. A path in a manifest must stay in
the ruleset's folder, also when symbolic links are followed. Nothing is raised: what the file system refuses counts as
not found, or is told as a reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PureWindowsPath

from rulewright.data import rulesets_folder
from rulewright.sources.pack import SUFFIX, PackError, inside_pack, unpacked
from rulewright.sources.yamlfile import reason

MANIFEST = "ruleset.yaml"
_ID = re.compile(r"^id:[ \t]*[\"']?([a-z][a-z0-9_]*)", re.MULTILINE)
_PARENT = r'(?:[a-z][a-z0-9_]*|"[^"\n]+")'
_HEADER = re.compile(
    r"(?P<word>layer|ruleset)[ ]+(?P<id>[a-z][a-z0-9_]*)"
    rf"(?:[ ]+over[ ]+(?P<parents>{_PARENT}(?:[ ]*,[ ]*{_PARENT})*))?"
    r"(?:[ ]+\"(?P<title>[^\"\n]*)\")?"
    r"(?:[ ]+for[ ]+(?P<players>(?P<least>[0-9]{1,9})(?:[ ]+(?:to|or)[ ]+(?P<most>[0-9]{1,9}))?)[ ]+players?(?:,[ ]*usually[ ]+(?P<usual>[0-9]{1,9}))?)?[ ]*(?:#.*)?\Z"
)


def header(text: str) -> tuple[int, re.Match[str]] | None:
    """The header of a rules file that stands alone (`layer NAME over PARENT "Title" for 2 to 4 players`), with its line number; a parent is an id, or a path in quotes."""
    for number, line in enumerate(text[:100_000].split("\n"), start=1):
        said = line.rstrip()
        if said and not said.lstrip().startswith("#"):
            found = _HEADER.match(said)
            return (number, found) if found else None
    return None


def known_rulesets() -> dict[str, Path]:
    """The rulesets that come with the program: by id, the folder or the rules file."""
    found: dict[str, Path] = {}
    for path in _shipped(rulesets_folder(), 2):
        found.setdefault(_id_of(path), path)
    return found


def _shipped(folder: Path, depth: int) -> Iterator[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for path in inside:
        if os.path.isfile(path / MANIFEST) or (path.suffix == ".rules" and os.path.isfile(path)):
            yield path
        elif depth > 1 and os.path.isdir(path):
            yield from _shipped(path, depth - 1)


def _id_of(path: Path) -> str:
    """The id of a ruleset without reading all of it; its name where it has none."""
    alone = path.suffix == ".rules"
    try:
        with open(path if alone else path / MANIFEST, encoding="utf-8", errors="replace") as stream:
            start = stream.read(4_000)
    except OSError:
        return path.stem
    if alone:
        found = header(start)
        return found[1]["id"] if found else path.stem
    match = _ID.search(start)
    return match[1] if match else path.name


def entry(path: str | Path) -> Path | None:
    """The file that a path to a ruleset leads to: a manifest, or a rules file that stands alone, with or without its `.rules`. A file that the manifest
    beside it names does not stand alone: it is meant only by who writes its name out. A pack is unpacked; one that cannot be stays what it is."""
    if os.path.isfile(os.path.join(path, MANIFEST)):
        return Path(path) / MANIFEST
    if str(path).endswith(SUFFIX) and os.path.isfile(path):
        try:
            return entry(unpacked(path)) or Path(path)
        except PackError:
            return Path(path)
    if os.path.isfile(path) and Path(path).suffix in (".rules", ".yaml", ".yml"):
        return Path(path)
    alone = Path(f"{path}.rules")
    return alone if Path(path).name and os.path.isfile(alone) and not _named_beside(alone) else None


def _named_beside(path: Path) -> bool:
    """Whether the manifest in the folder of a file, if there is one, names the file."""
    try:
        return path.name in (path.parent / MANIFEST).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def find(target: str | Path, known: Mapping[str, Path]) -> Path | None:
    """What somebody means by a path or a name: first what lies there, then the rulesets that come with the program."""
    if (there := entry(target)) is not None:
        return there
    name = Path(target).as_posix().strip("/").removeprefix("rulesets/")
    if name in known:
        return entry(known[name])
    for path in known.values():
        shipped = path.relative_to(rulesets_folder()).as_posix()
        if name in (shipped, shipped.removesuffix(".rules"), path.name):
            return entry(path)
    return None


def find_parent(name: str, folder: Path, known: Mapping[str, Path]) -> Path | None:
    """The parent that a manifest in a folder names: a path from there, a neighbour, or a ruleset of the program."""
    if is_path(name):
        return entry(folder / name)
    for place in (folder.parent / name, folder / name):
        if (there := entry(place)) is not None and _id_of(there.parent if there.name == MANIFEST else there) == name:
            return there
    return entry(known[name]) if name in known else None


def standing(target: str | Path) -> str:
    """What somebody means by a path or a name, wherever one goes from here: a path becomes a whole one, a name stays as it is."""
    return os.path.abspath(target) if entry(target) is not None else str(target)


def lasting_name(target: str) -> str:
    """By what a ruleset can be found again: its id, if it comes with the program; else its whole path."""
    known = known_rulesets()
    path = find(target, known)
    if path is None:
        return target
    for id, shipped in known.items():
        there = entry(shipped)
        if there is not None and os.path.realpath(there) == os.path.realpath(path):
            return id
    return standing(target)


def found_again(name: str, folder: Path) -> str:
    """Where the ruleset lies that a file in a folder names: a path is one from that folder, or, if files were moved, from here, or a neighbour of the file."""
    if not is_path(name):
        return name
    own = Path(os.path.normpath(folder / name))
    for place in (own, Path(name), folder / own.name, Path(own.name)):
        if entry(place) is not None:
            return os.path.abspath(place)
    return str(own)


def is_path(name: str) -> bool:
    """Whether a name is written as a path."""
    return "/" in name or "\\" in name or name.startswith(".") or name.endswith((".rules", ".yaml", SUFFIX))


def is_absolute(name: str) -> bool:
    """Whether a path is absolute, on whatever system: also C:\\x, \\\\host and ~."""
    return name.startswith(("/", "\\", "~")) or bool(PureWindowsPath(name).drive)


def inside(folder: Path, name: str) -> tuple[Path | None, str | None]:
    """The real path of a file that a manifest names, and why it is refused if it leaves the folder."""
    if is_absolute(name):
        return None, "it is an absolute path"
    if "\\" in name:
        return None, "it has a backslash; folders are separated by '/'"
    try:
        home = folder.resolve()
        real = (home / name).resolve()
    except (OSError, ValueError) as error:
        return None, reason(error)
    except RuntimeError:
        return None, "its symbolic links go round in a circle"
    if real.is_relative_to(home):
        return real, None
    stays = Path(os.path.normpath(home / name)).is_relative_to(home)
    return None, "it is a symbolic link to a place outside" if stays else "it leads outside"


def shown(path: str | Path) -> str:
    """A path as people read it: relative to the current folder if it lies below it, or to the pack it comes from."""
    text = str(path)
    try:
        absolute = Path(os.path.abspath(path))
        near = absolute.relative_to(Path.cwd()) if absolute.is_relative_to(Path.cwd()) else absolute
        text = inside_pack(absolute) or near.as_posix()
    except (OSError, ValueError):
        pass
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?").replace("\n", "?")
