"""Projects: which ruleset a file belongs to, and what is known of it as it stands in the editor.

Takes the texts that somebody has open and the folders they work in; gives an `Analysis` for a ruleset, built from the files with the open texts in place of theirs. Nothing is raised for
anything that files may contain, or for files that are not there any more.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from rulewright.build import Built, build_sources, tree_of
from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS
from rulewright.scenario.written import load_scenarios
from rulewright.session import Session, used
from rulewright.sources import RulesFile, read_sources
from rulewright.sources.locate import MANIFEST, header, shown
from rulewright.sources.pack import SUFFIX
from rulewright.validate import validate
from rulewright_tools.lsp.meanings import Declared, Meanings, declarations, written
from rulewright_tools.lsp.occurrences import Occurrence, occurrences
from rulewright_tools.lsp.words import Words

RULES, DATA = ".rules", (".yaml", ".yml")
SCENARIOS = "scenarios"
MOST_RULESETS = 200  # of the folders that somebody works in
DEEPEST = 8  # folders above a file in which its manifest is looked for
LOOKED_AT = 20_000  # files and folders


def name_of(path: str) -> str:
    """A file as builds call it."""
    return shown(os.path.realpath(path))


class Analysis:
    """A ruleset as it was at one moment."""

    def __init__(self, target: str, built: Built, meanings: Meanings) -> None:
        self.target = target
        self.built = built
        self.meanings = meanings
        self._words: dict[str, Words] = {}
        self._occurrences: dict[str, list[Occurrence]] = {}

    @cached_property
    def written(self) -> dict[str, list[Declared]]:
        """Everything that is given a name somewhere, and what replaced it."""
        packages = {file.name: package.id for package in self.built.sources.packages for file in package.files}
        return written((tree, packages.get(file, "")) for file, tree in self.built.trees.items())

    @cached_property
    def declared(self) -> dict[str, Declared]:
        """Everything that has a name, as it finally is."""
        return (
            declarations(self.built.linked, self.written)
            if self.built.linked is not None
            else {key: there[-1] for key, there in self.written.items()}
        )

    def words(self, file: str) -> Words:
        """The words of one of its files."""
        if file not in self._words:
            self._words[file] = Words(self.built.texts.get(file, ""))
        return self._words[file]

    def occurrences(self, file: str) -> list[Occurrence]:
        """The words of a rules file that name something."""
        if file not in self._occurrences:
            tree = self.built.trees.get(file)
            self._occurrences[file] = occurrences(tree, self.words(file), self.meanings, self.declared) if tree is not None else []
        return self._occurrences[file]

    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """What a place in a file names; right behind a word counts."""
        here = [each for each in self.occurrences(file) if each.span.line == line and each.span.column <= column <= each.span.end_column]
        return here[-1] if here else None


class Project:
    """What is open, and what is known of it. One thread at a time builds."""

    def __init__(self) -> None:
        self.session = Session()
        self.folders: list[str] = []
        self._lock = threading.RLock()
        self._last: dict[str, Analysis] = {}

    # -- texts

    def take(self, path: str, text: str) -> None:
        """A text that somebody has open."""
        with self._lock:
            self.session.unsaved[os.path.realpath(path)] = text

    def drop(self, path: str) -> None:
        """A text that is closed: its file counts again."""
        with self._lock:
            self.session.unsaved.pop(os.path.realpath(path), None)

    def text(self, path: str) -> str | None:
        """A text as it is open, or as it lies there."""
        typed = self.session.unsaved.get(os.path.realpath(path))
        if typed is not None:
            return typed.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with open(path, "rb") as stream:
                return stream.read(DEFAULT_LIMITS.file_bytes).decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, ValueError):
            return None

    # -- rulesets

    def target_of(self, path: str) -> str | None:
        """The ruleset that a file belongs to: the folder above it that has a manifest, or a rules file by itself."""
        place = Path(os.path.realpath(path))
        alone = place.suffix == RULES and os.path.isfile(place)
        if alone and header(self.text(path) or "") is not None:
            return str(place)
        for folder in list(place.parents)[:DEEPEST]:
            if os.path.isfile(folder / MANIFEST):
                return str(folder) if place.suffix == RULES or place.suffix in DATA else None
        return str(place) if alone else None

    def analyse(self, target: str) -> Analysis:
        """The ruleset as it is now."""
        with self._lock, used(self.session):
            sources, found = read_sources(target)
            meanings = Meanings()
            analysis = Analysis(target, build_sources(sources, found, observer=meanings, lowered=False), meanings)
            self._last[target] = analysis
            return analysis

    def last(self, target: str) -> Analysis:
        """The ruleset as it was when it was last built; built now if it never was."""
        return self._last.get(target) or self.analyse(target)

    def current(self, path: str) -> Analysis | None:
        """The ruleset of a file, with the file as it is now; None if it belongs to none."""
        target = self.target_of(path)
        if target is None:
            return None
        with self._lock:
            last = self._last.get(target)
            return last if last is not None and last.built.texts.get(name_of(path)) == self.text(path) else self.analyse(target)

    def tried(self, target: str, texts: Mapping[str, str]) -> Analysis:
        """The ruleset as it would be if some files said something else."""
        with self._lock:
            session = self.session.copied()
            session.unsaved.update({os.path.realpath(path): text for path, text in texts.items()})
            with used(session):
                sources, found = read_sources(target)
                meanings = Meanings()
                return Analysis(target, build_sources(sources, found, observer=meanings, lowered=False), meanings)

    def forget(self, target: str) -> None:
        """Nobody has anything of a ruleset open any more."""
        self._last.pop(target, None)

    def thoroughly(self, target: str) -> list[Diagnostic]:
        """Everything that `rulewright validate` says: of parts that are off, of what scenarios use, of files that nobody reads, of tables, too."""
        with self._lock, used(self.session):
            return validate(target).diagnostics

    def syntax(self, path: str) -> list[Diagnostic]:
        """What is wrong with the text of one rules file, whatever it belongs to."""
        text = self.text(path)
        with used(self.session):
            return [] if text is None else tree_of(RulesFile(name_of(path), text, None), DEFAULT_LIMITS)[1]

    def scenarios(self, path: str) -> list[Diagnostic]:
        """What is wrong with a file of scenarios before they are played."""
        with self._lock, used(self.session):
            return load_scenarios(path)[1]

    def reads(self, target: str, path: str) -> bool:
        """Whether a ruleset, as it was last built, consists of a file, too."""
        last = self._last.get(target)
        return last is not None and name_of(path) in last.built.texts

    def rulesets(self) -> Iterator[str]:
        """All rulesets in the folders that somebody works in, and those of which something is open."""
        found = dict.fromkeys(self._last)
        looked = 0
        for top in self.folders:
            for folder, inner, names in os.walk(top):
                looked += len(names) + 1
                if looked > LOOKED_AT or len(found) > MOST_RULESETS:
                    break
                inner[:] = sorted(name for name in inner if not name.startswith((".", "node_modules")) and not name.endswith(SUFFIX))
                if MANIFEST in names:
                    found[os.path.realpath(folder)] = None
                for name in sorted(names):
                    if name.endswith(RULES) and header(self.text(os.path.join(folder, name)) or "") is not None:
                        found[os.path.realpath(os.path.join(folder, name))] = None
        yield from found
