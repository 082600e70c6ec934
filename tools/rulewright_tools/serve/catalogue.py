"""Which rulesets can be played here, and the rules themselves, loaded once.

A client names rulesets and layers by the names in this list, never by a path: those that come with the program, the one that `serve NAME` was given, and those that were uploaded,
if that is allowed. `rules` gives a ruleset with layers and options, ready to play; whatever is wrong with it is a `CatalogueError` with the first complaint.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright.catalog import nearest, program_locales
from rulewright.sources import Sources, known_rulesets, read_sources
from rulewright.sources.locate import standing

if TYPE_CHECKING:
    from rulewright.rules import Rules
    from rulewright_tools.table import Layout

KEPT = 24  # combinations of rules that stay in memory


class CatalogueError(ValueError):
    """Rules that cannot be played; says why."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ruleset: what it is called, for how many players, and which of the others can be put on top of it."""

    name: str
    title: str
    description: str = ""
    players: tuple[int, int] = (0, 0)  # none: it is played only on top of others
    layers: tuple[str, ...] = ()
    titles: dict[str, str] = {}  # in other languages
    own: bool = False  # not one that comes with the program
    is_layer: bool = False


class Setting(msgspec.Struct, frozen=True):
    """Something to be chosen before a game."""

    name: str
    label: str
    description: str
    values: tuple[str, ...]
    default: str


class Catalogue:
    """The rulesets of one server."""

    def __init__(self, named: str | None = None, uploads: Path | None = None) -> None:
        self._paths: dict[str, str] = {name: name for name in known_rulesets()}
        self._shipped = frozenset(self._paths)
        self.first = ""
        self._loading = threading.Lock()
        self._rules: OrderedDict[tuple[Any, ...], Rules] = OrderedDict()
        self._layouts: OrderedDict[tuple[int, int, str | None], tuple[Rules, Layout]] = OrderedDict()
        self._entries: dict[str, Entry] | None = None
        if uploads is not None:
            for path in sorted(uploads.glob("*.rules")):
                self._paths[path.stem] = str(path)
        if named is not None:
            sources = _read(standing(named))
            self.first = sources.packages[-1].id
            if self.first not in self._shipped or standing(named) != named:
                self._paths[self.first] = standing(named)
                self._shipped -= {self.first}

    def add(self, name: str, path: Path) -> None:
        """Another ruleset of somebody's own."""
        self._paths[name] = str(path)
        self._entries = None

    def remove(self, name: str) -> None:
        """Forget a ruleset."""
        self._paths.pop(name, None)
        self._entries = None

    # -- what there is

    def entries(self) -> dict[str, Entry]:
        """All rulesets, by name; those that cannot be read are left out."""
        if self._entries is None:
            read: dict[str, Sources] = {}
            for name, path in self._paths.items():
                try:
                    read[name] = _read(path)
                except CatalogueError:
                    continue
            self._entries = {name: self._entry(name, read) for name in read}
        return self._entries

    def _entry(self, name: str, read: Mapping[str, Sources]) -> Entry:
        packages = read[name].packages
        last, inside = packages[-1], {package.id for package in packages}
        players = next((package.players for package in reversed(packages) if package.players is not None), (0, 0))
        on_top = [
            other
            for other, sources in read.items()
            if (top := sources.packages[-1]).parents and top.players is None and set(top.parents) <= inside and top.id not in inside
        ]
        own = name not in self._shipped
        is_layer = bool(last.parents) and last.players is None
        return Entry(name, last.title or name, last.description, players, tuple(on_top), dict(last.titles), own, is_layer)

    def settings(self, name: str, layers: Sequence[str]) -> tuple[tuple[int, int], int, list[Setting]]:
        """For how many players rules are, how many usually play, and what can be chosen before a game."""
        sources = _read(self.path(name), [self.path(layer) for layer in layers])
        players, usual = next(((each.players, each.usual_players) for each in reversed(sources.packages) if each.players is not None), (None, None))
        if players is None:
            raise CatalogueError(f"'{name}' is only played on top of another ruleset")
        found = []
        for package in sources.packages:
            for key, option in package.options.items():
                found.append(Setting(key, option.label or _words(key), option.description, tuple(map(str, option.values)), str(option.default)))
        for package in sources.packages:
            for key, part in package.declared_parts.items():
                chosen = str(sources.options.get(f"parts.{key}", "on"))
                found.append(Setting(f"parts.{key}", _words(key), part.description, ("on", "off"), chosen))
        return players, usual or players[0], found

    def languages(self, name: str, layers: Sequence[str]) -> list[str]:
        """The languages in which games of rules can be read, their own first."""
        packages = _read(self.path(name), [self.path(layer) for layer in layers]).packages
        translated = {str(locale.data["language"]) for package in packages for locale in package.locales} | set(program_locales())
        own = packages[-1].languages[0]
        return [own, *sorted(translated - {own})]

    def path(self, name: str) -> str:
        """Where a ruleset lies."""
        if name not in self._paths:
            raise CatalogueError(f"there is no ruleset '{name[:60]}' here")
        return self._paths[name]

    # -- rules, ready to play

    def rules(self, target: str, layers: Sequence[str], options: Mapping[str, Any]) -> Rules:
        """Rules by the paths of ruleset and layers."""
        from rulewright.rules import RulesetError, load

        key = (target, *layers, "", *sorted((name, str(value)) for name, value in options.items()))
        with self._loading:
            if key not in self._rules:
                try:
                    self._rules[key] = load(target, layers, options)
                except RulesetError as error:
                    first = next(each for each in error.diagnostics if each.severity == "error")
                    raise CatalogueError(f"{Path(first.span.file).name}:{first.span.line}: {first.code} {first.message}") from None
                while len(self._rules) > KEPT:
                    self._rules.popitem(last=False)
            self._rules.move_to_end(key)
            return self._rules[key]

    def layout(self, rules: Rules, players: int, language: str | None = None) -> Layout:
        """The table of rules without anything on it, in a language that they have (None: their own)."""
        from rulewright_tools.table import Layout

        with self._loading:
            key = (id(rules), players, language)
            if key not in self._layouts:
                self._layouts[key] = rules, Layout(rules, players, language)
                while len(self._layouts) > KEPT:
                    self._layouts.popitem(last=False)
            self._layouts.move_to_end(key)
            return self._layouts[key][1]


def language_of(rules: Rules, wanted: str) -> str | None:
    """The language of rules that is meant by a tag; None for that which they are written in, and where they have no other."""
    own, *others = rules.languages
    found = nearest(wanted, (own, *others)) if wanted else None
    return None if found == own else found


def _read(path: str, layers: Sequence[str] = ()) -> Sources:
    sources, complaints = read_sources(path, layers, {})
    wrong = next((each for each in complaints if each.severity == "error"), None)
    if wrong is not None or not sources.packages:
        raise CatalogueError(wrong.message if wrong is not None else f"there is no ruleset '{path[:60]}'")
    return sources


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
