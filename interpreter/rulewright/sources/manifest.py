"""What a ruleset says about itself, before any of its other files is read.

Takes the path of a `ruleset.yaml` or of a rules file that stands alone, gives a `Manifest` and complaints. A rules
file that stands alone says in its first line what it is (`layer quiet over base "Quietly"`); without that it is a
ruleset named after the file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from rulewright.diagnostics import Diagnostic, Span, complain, whole_file
from rulewright.limits import Limits
from rulewright.sources.locate import header, shown
from rulewright.sources.yamlfile import Document, read_text, read_yaml

Value = str | int
MOST_PLAYERS = 64  # as in the schema of manifests


class Named(msgspec.Struct, frozen=True):
    """Something a manifest names (a file, a parent, a layer), with the place where it does."""

    name: str
    span: Span


class Option(msgspec.Struct, frozen=True):
    """Something a group can choose before a game."""

    values: tuple[Value, ...]
    default: Value
    label: str
    description: str
    span: Span


class Part(msgspec.Struct, frozen=True):
    """A part of a ruleset that can be switched on and off: by somebody, else by its `when`, else by its default."""

    files: tuple[Named, ...]
    default: bool
    when: dict[str, Value]
    description: str
    span: Span


class Manifest(msgspec.Struct, frozen=True):
    """The content of a `ruleset.yaml`, or of the header of a rules file that stands alone (`alone` is its text).

    `staging` are rules files that are read only where scenarios are played, `seat` is the effect by which a player gets a part there.
    """

    id: str
    title: str
    titles: dict[str, str]
    version: str
    description: str
    path: Path
    parents: tuple[Named, ...]
    shared_by: tuple[str, ...]
    after: tuple[Named, ...]
    files: tuple[Named, ...]
    board: Named | None
    rulebook: Named | None
    locales: tuple[Named, ...]
    players: tuple[int, int] | None
    usual_players: int | None
    options: dict[str, Option]
    parts: dict[str, Part]
    languages: tuple[str, ...]
    span: Span
    alone: str | None = None
    staging: tuple[Named, ...] = ()
    seat: Named | None = None


def read_manifest(path: Path, limits: Limits, blame: Span | None, texts: dict[str, str]) -> tuple[Manifest | None, list[Diagnostic]]:
    """The manifest at a path. `blame` is the place that named it, `texts` is where the text of the file is kept."""
    if path.suffix == ".rules":
        text, complaints = read_text(path, shown(path), limits, blame=blame, texts=texts)
        return (None, complaints) if text is None else _alone(path, text)
    document, complaints = read_yaml(path, shown(path), "ruleset", limits, blame=blame, texts=texts)
    if document is None:
        return None, complaints
    return _from_yaml(path, document), [*complaints, *_check(document)]


def _from_yaml(path: Path, document: Document) -> Manifest:
    data: dict[str, Any] = document.data

    def listed(*keys: str) -> tuple[Named, ...]:
        held: Any = data
        for key in keys:
            held = held.get(key, [] if key == keys[-1] else {})
        return tuple(Named(name, document.span(*keys, at)) for at, name in enumerate(held))

    def single(key: str) -> Named | None:
        return Named(data[key], document.span(key)) if key in data else None

    options = {
        name: Option(
            tuple(given["values"]),
            given["default"],
            given.get("label", name),
            given.get("description", ""),
            document.key_span("options", name),
        )
        for name, given in data.get("options", {}).items()
    }
    parts = {
        name: Part(
            listed("parts", name, "files"),
            given.get("default", "on") == "on",
            given.get("when", {}),
            given.get("description", ""),
            document.key_span("parts", name),
        )
        for name, given in data.get("parts", {}).items()
    }
    players = data.get("players")
    return Manifest(
        id=data["id"],
        title=data["title"],
        titles=data.get("titles", {}),
        version=data["version"],
        description=data.get("description", ""),
        path=path,
        parents=listed("parents"),
        shared_by=tuple(data.get("shared_by", ())),
        after=listed("after"),
        files=listed("files"),
        board=single("board"),
        rulebook=single("rulebook"),
        locales=listed("locales"),
        players=(players["min"], players["max"]) if players else None,
        usual_players=players.get("usual") if players else None,
        options=options,
        parts=parts,
        languages=tuple(data.get("languages", ("en",))),
        span=document.span("id"),
        staging=listed("staging", "files"),
        seat=Named(data["staging"]["seat"], document.span("staging", "seat")) if "seat" in data.get("staging", {}) else None,
    )


def _check(document: Document) -> list[Diagnostic]:
    """What a JSON schema cannot say about a manifest."""
    data = document.data
    found = []
    if not (data.get("files") or data.get("parts") or data.get("parents")):
        message = "the ruleset has no rules: it names no files and has no parents"
        found.append(complain("R212", message, document.span("id"), hint="add 'files:' with the paths of its .rules files"))
    players = data.get("players")
    if players and data.get("shared_by"):
        message = "a ruleset that others share is no game by itself, and has no 'players'"
        found.append(complain("R205", message, document.span("players"), hint="leave out 'players', or 'shared_by'"))
    if players and players["min"] > players["max"]:
        message = f"'players' has a min of {players['min']} above its max of {players['max']}"
        found.append(complain("R205", message, document.span("players", "min")))
    elif players and not players["min"] <= players.get("usual", players["min"]) <= players["max"]:
        message = f"'players' has a usual number of {players['usual']}, which is not from its min of {players['min']} to its max of {players['max']}"
        found.append(complain("R205", message, document.span("players", "usual")))
    for name, given in data.get("options", {}).items():
        said = [str(value) for value in given["values"]]
        for at, value in enumerate(said):
            if value in said[:at]:
                found.append(complain("R205", f"the option '{name}' has the value '{value}' twice", document.span("options", name, "values", at)))
        if given["default"] not in given["values"]:
            values = ", ".join(map(str, given["values"][:20]))
            message = f"the default of the option '{name}' must be one of {values}, found '{given['default']}'"
            found.append(complain("R205", message, document.span("options", name, "default")))
    return found


def _alone(path: Path, text: str) -> tuple[Manifest, list[Diagnostic]]:
    """A rules file that stands alone, as its header describes it."""
    stem = re.sub(r"[^a-z0-9_]", "_", path.stem.lower())
    name, title, span = (stem if stem[:1].isalpha() else f"r_{stem}"), path.stem, whole_file(shown(path))
    parents: tuple[Named, ...] = ()
    players: tuple[int, int] | None = None
    usual: int | None = None
    complaints: list[Diagnostic] = []
    if (found := header(text)) is not None:
        line, match = found

        def place(start: int, end: int) -> Span:
            return Span(shown(path), line, start + 1, line, end + 1)

        name, span = match["id"], place(*match.span("id"))
        title = match["title"] or name
        if match["parents"]:
            base = match.start("parents")
            words = re.finditer(r'[a-z0-9_]+|"[^"]+"', match["parents"])
            parents = tuple(Named(word[0].strip('"'), place(base + word.start(), base + word.end())) for word in words)
        if match["players"]:
            players = int(match["least"]), int(match["most"] or match["least"])
            usual = int(match["usual"]) if match["usual"] else None
            complaints = _check_players(*players, usual, place(*match.span("players")))
    made = Manifest(
        id=name,
        title=title,
        titles={},
        version="0",
        description="",
        path=path,
        parents=parents,
        shared_by=(),
        after=(),
        files=(Named(path.name, span),),
        board=None,
        rulebook=None,
        locales=(),
        players=None if complaints else players,
        usual_players=usual,
        options={},
        parts={},
        languages=("en",),
        span=span,
        alone=text,
    )
    return made, complaints


def _check_players(least: int, most: int, usual: int | None, span: Span) -> list[Diagnostic]:
    """Whether so many can play, as the schema of a manifest says it."""
    if least > most:
        return [
            complain("R205", f"'for {least} to {most} players': the smaller number comes first", span, hint=f"write: for {most} to {least} players")
        ]
    if not 1 <= least <= most <= MOST_PLAYERS:
        return [complain("R205", f"a game is for 1 to {MOST_PLAYERS} players, not for {least if least < 1 else most}", span)]
    if usual is not None and not least <= usual <= most:
        return [complain("R205", f"usually {usual} play, but it is for {least} to {most} players", span, hint="name a number between the two")]
    return []
