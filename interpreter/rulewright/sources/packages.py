"""Reads everything that a ruleset consists of: its parents, itself, the layers on top, and all their files.

Takes a path or name, layers and options, gives `Sources` (packages in the order in which they apply, every text, the
chosen options) and complaints. Refuses files outside a ruleset's folder, files named twice, parents that are missing
or go round in a circle, and options nobody declared. What could be read is given even when something else could not,
so that one run shows everything that is wrong.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from rulewright.data import rulesets_folder
from rulewright.diagnostics import Diagnostic, Related, Span, complain
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.sources.gather import Gathering, in_order
from rulewright.sources.locate import inside, known_rulesets, shown
from rulewright.sources.manifest import Manifest, Named, Option, Part, Value
from rulewright.sources.options import choose_options, parts_in_use
from rulewright.sources.yamlfile import Document, parse_yaml, read_text, read_yaml

STAGING = "what scenarios use"  # in place of a part's name, which has no blanks

__all__ = ["Option", "Package", "Part", "RulesFile", "Sources", "known_rulesets", "read_sources"]


DOCUMENTS = ("board", "rulebook", "table", "locale_files")  # of a package: they are read from texts
LOCALES = "locale"  # the folder in which the translations of a ruleset lie


class RulesFile(msgspec.Struct, frozen=True):
    """A rules file: the path as people read it, the text, and the part of the ruleset it belongs to."""

    name: str
    text: str
    part: str | None


class LocaleFile:
    """A translation as text. It is parsed when somebody wants it: most games are played in the language of their rules."""

    def __init__(self, name: str, text: str, limits: Limits) -> None:
        self.name, self.text, self.limits = name, text, limits

    @functools.cached_property
    def _read(self) -> tuple[Document | None, list[Diagnostic]]:
        return parse_yaml(self.text, self.name, "locale", self.limits)

    @property
    def document(self) -> Document | None:
        """The translation; None if it does not have the shape of one."""
        return self._read[0]

    @property
    def problems(self) -> list[Diagnostic]:
        """What is wrong with it."""
        return self._read[1]


class Package(msgspec.Struct, frozen=True):
    """A ruleset or layer with everything that was read from its folder; `named` are all its rules files, `parts` says which are in use.

    `staging` are the files that are read only where scenarios are played, `seat` is the effect by which a player gets a part there.
    """

    id: str
    title: str
    titles: dict[str, str]
    version: str
    description: str
    folder: str
    parents: tuple[str, ...]
    shared_by: tuple[str, ...]
    after: tuple[str, ...]
    files: tuple[RulesFile, ...]
    named: tuple[str, ...]
    board: Document | None
    rulebook: Document | None
    table: Document | None
    locale_files: tuple[LocaleFile, ...]
    players: tuple[int, int] | None
    usual_players: int | None
    options: dict[str, Option]
    parts: dict[str, bool]
    declared_parts: dict[str, Part]
    languages: tuple[str, ...]
    span: Span
    is_layer: bool
    alone: bool
    shipped: bool

    @property
    def locales(self) -> tuple[Document, ...]:
        """The translations, as far as they can be read."""
        return tuple(file.document for file in self.locale_files if file.document is not None)

    staging: tuple[str, ...] = ()
    seat: Named | None = None


class Sources(msgspec.Struct, frozen=True):
    """Packages (parents before children, then layers), texts by shown name, the value of every option and part."""

    packages: tuple[Package, ...]
    texts: dict[str, str]
    options: dict[str, Value]

    @property
    def mark(self) -> str:
        """A mark of everything that was read."""
        packages = [{name: getattr(each, name) for name in each.__struct_fields__ if name not in DOCUMENTS} for each in self.packages]
        return hashlib.sha256(msgspec.msgpack.encode([packages, self.texts, self.options])).hexdigest()

    @property
    def games_wanted(self) -> tuple[str, ...]:
        """The games that what is here is only the shared part of; none if a game is here too."""
        wanted = tuple(dict.fromkeys(game for package in self.packages for game in package.shared_by))
        return () if any(package.players is not None for package in self.packages) else wanted


def read_sources(
    target: str | Path,
    layers: Sequence[str | Path] = (),
    options: Mapping[str, object] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    staging: bool = False,
) -> tuple[Sources, list[Diagnostic]]:
    """Reads a ruleset (a folder, a ruleset.yaml, a rules file, or a name) with layers on top of it; `staging`: with what only scenarios use."""
    gathering = Gathering(limits)
    gathering.add(target)
    for layer in layers:
        gathering.add_layer(layer)
    manifests, complaints = in_order(gathering)
    chosen, problems = choose_options(manifests, options or {})
    reader = _Reader(limits, gathering.texts, staging)
    packages = tuple(reader.package(manifest, gathering.parent_ids[manifest.id], chosen) for manifest in manifests)
    return Sources(packages, reader.texts, chosen), [*gathering.complaints, *complaints, *problems, *reader.complaints]


class _Reader:
    """Reads the files that manifests name."""

    def __init__(self, limits: Limits, texts: dict[str, str], staging: bool) -> None:
        self.limits = limits
        self.staging = staging
        self.texts = texts
        self.complaints: list[Diagnostic] = []
        self._count = 0

    def package(self, manifest: Manifest, parents: tuple[str, ...], chosen: Mapping[str, Value]) -> Package:
        """A package with all its files."""
        in_use = parts_in_use(manifest, chosen)
        rulebook = self._yaml(manifest, manifest.rulebook or self._usual(manifest, "rulebook.yaml"), "rulebook")
        if rulebook is not None:
            self.complaints += _rule_ids(rulebook)
        locales = (self._locale(manifest, named) for named in self._locales(manifest))
        return Package(
            id=manifest.id,
            title=manifest.title,
            titles=manifest.titles,
            version=manifest.version,
            description=manifest.description,
            folder=shown(manifest.path.parent),
            parents=parents,
            shared_by=manifest.shared_by,
            after=tuple(named.name for named in manifest.after),
            files=self._rules(manifest, in_use),
            named=tuple(
                named.name for files in (manifest.files, manifest.staging, *(part.files for part in manifest.parts.values())) for named in files
            ),
            board=self._yaml(manifest, manifest.board, "board"),
            rulebook=rulebook,
            table=self._yaml(manifest, self._usual(manifest, "table.yaml"), "table"),
            locale_files=tuple(locale for locale in locales if locale is not None),
            players=manifest.players,
            usual_players=manifest.usual_players,
            options=manifest.options,
            parts=in_use,
            declared_parts=manifest.parts,
            languages=manifest.languages,
            span=manifest.span,
            is_layer=bool(manifest.parents),
            alone=manifest.alone is not None,
            shipped=manifest.path.resolve().is_relative_to(rulesets_folder()),
            staging=tuple(named.name for named in manifest.staging),
            seat=manifest.seat,
        )

    def _rules(self, manifest: Manifest, in_use: Mapping[str, bool]) -> tuple[RulesFile, ...]:
        if manifest.alone is not None:
            return (RulesFile(shown(manifest.path), manifest.alone, None),)
        listed: list[tuple[Named, str | None]] = [(named, None) for named in manifest.files]
        listed += [(named, name) for name, part in manifest.parts.items() for named in part.files]
        listed += [(named, STAGING) for named in manifest.staging]
        first: dict[Path, Span] = {}
        found = []
        for named, part in listed:
            path = self._path(manifest, named)
            if path is None:
                continue
            if path in first:
                related = [Related(first[path], "first named here")]
                self.complaints.append(
                    complain(
                        "R209",
                        f"the file '{named.name}' is named twice",
                        named.span,
                        related=related,
                        hint="remove one of the two",
                    )
                )
                continue
            first[path] = named.span
            if not (self.staging if part == STAGING else part is None or in_use[part]):
                continue
            name = shown(manifest.path.parent / named.name)
            text, complaints = read_text(path, name, self.limits, blame=named.span, texts=self.texts)
            self.complaints += complaints
            if text is not None:
                found.append(RulesFile(name, text, part))
        return tuple(found)

    def _path(self, manifest: Manifest, named: Named) -> Path | None:
        self._count += 1
        if self._count > self.limits.files:
            if self._count == self.limits.files + 1:
                self.complaints.append(complain("R606", f"more than {self.limits.files} files; the rest is not read", named.span))
            return None
        path, refusal = inside(manifest.path.parent, named.name)
        if refusal is not None:
            message = f"the path '{named.name}' is refused: {refusal}"
            hint = "a ruleset reads only files in its own folder; use 'parents' to build on another ruleset"
            self.complaints.append(complain("R208", message, named.span, hint=hint))
        return path

    def _usual(self, manifest: Manifest, name: str) -> Named | None:
        """A file that is found by itself, if there is one."""
        there = manifest.alone is None and os.path.lexists(manifest.path.parent / name)
        return Named(name, manifest.span) if there else None

    def _locales(self, manifest: Manifest) -> list[Named]:
        """The translations that a manifest names, and those that lie in its folder `locale`."""
        named = list(manifest.locales)
        folder = manifest.path.parent / LOCALES
        if manifest.alone is None and folder.is_dir():
            known = {os.path.normpath(each.name) for each in named}
            found = sorted(f"{LOCALES}/{path.name}" for path in folder.glob("[!.]*.yaml"))
            named += [Named(name, manifest.span) for name in found if os.path.normpath(name) not in known]
        return named

    def _locale(self, manifest: Manifest, named: Named) -> LocaleFile | None:
        path = self._path(manifest, named)
        if path is None:
            return None
        name = shown(manifest.path.parent / named.name)
        text, complaints = read_text(path, name, self.limits, blame=named.span, texts=self.texts)
        self.complaints += complaints
        return LocaleFile(name, text, self.limits) if text is not None else None

    def _yaml(self, manifest: Manifest, named: Named | None, schema_name: str) -> Document | None:
        path = self._path(manifest, named) if named is not None else None
        if named is None or path is None:
            return None
        name = shown(manifest.path.parent / named.name)
        document, complaints = read_yaml(path, name, schema_name, self.limits, blame=named.span, texts=self.texts)
        self.complaints += complaints
        return document


def _rule_ids(rulebook: Document) -> list[Diagnostic]:
    """Rule ids given twice, or without the prefix of the rulebook."""
    found = []
    first: dict[str, Span] = {}
    prefix = rulebook.data.get("prefix")
    for at, rule in enumerate(rulebook.data["rules"]):
        id, span = rule["id"], rulebook.span("rules", at, "id")
        if id in first:
            message = f"the rule id '{id}' is given twice"
            found.append(
                complain(
                    "R213",
                    message,
                    span,
                    related=[Related(first[id], "first given here")],
                    hint="give the later rule the next free number",
                )
            )
        first.setdefault(id, span)
        if prefix is not None and not id.startswith(f"{prefix}."):
            found.append(complain("R205", f"the rule id '{id}' must begin with the prefix of the rulebook: '{prefix}.'", span))
    return found
