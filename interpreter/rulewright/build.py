"""The whole way from text to graph: parse, resolve, check, lower, one after another, with the diagnostics of all.

`build` takes what a person names (a ruleset, a folder, a file) and never raises for anything a ruleset may contain. A stage runs if the ones before
it left something to work on; the graph exists only if there are no errors, and is made only where it is wanted.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from rulewright import collection
from rulewright.check import Checked, check, signatures
from rulewright.check.named import with_names
from rulewright.check.observe import Observer
from rulewright.check.symbols import pluralised
from rulewright.diagnostics import CONFLICT, Diagnostic, complain, in_order
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.lower import Graph, lower
from rulewright.parse import parse_rules
from rulewright.parse.habits import MANIFEST
from rulewright.resolve import Linked, how_to_be_a_layer, resolve
from rulewright.session import kept
from rulewright.sources import Package, RulesFile, Sources, read_sources
from rulewright.tree import RulesTree

Form = Literal["tree", "linked", "graph"]
Besides = Sequence[tuple[Any, str]] | None
WORD = re.compile(r"[a-z_][a-z0-9_]*")
QUOTED = re.compile(r"'([^']*)'")
WHOLE_GAMES = frozenset({"R308", "R502", "R503", "R506"})  # what is unused, never offered, not there: only a whole game can tell
ECHOES = frozenset({"R301", "R303", "R308", "R310", "R315", "R404", "R501", "R502", "R503", "R506"})
UNREADABLE = frozenset({"R107", "R201", "R208", "R210", "R601", "R606"})  # then a whole file is missing


class Built(msgspec.Struct, dict=True):
    """What came of a build; `sound` if nothing stands in the way of a graph."""

    sources: Sources
    trees: dict[str, RulesTree]
    diagnostics: list[Diagnostic]
    texts: dict[str, str]
    linked: Linked | None = None
    checked: Checked | None = None
    sound: bool = False

    @functools.cached_property
    def graph(self) -> Graph | None:
        """The effect graph; it is made when somebody asks for it, since nothing is found wrong on the way."""
        if self.checked is None or not self.sound:
            return None
        with collection.put_off():
            return lower(self.checked)

    @property
    def errors(self) -> bool:
        """Whether anything is wrong enough that the ruleset cannot be run."""
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    @property
    def obstacles(self) -> list[Diagnostic]:
        """Why there is no graph: the mistakes, or that what was named is only the shared part of games."""
        games = self.sources.games_wanted
        if self.errors or not games:
            return self.diagnostics
        last = self.sources.packages[-1]
        message = f"'{last.id}' is no game by itself: {' and '.join(games)} say the rest"
        layer = "" if last.shared_by else f", with '{last.id}' as a layer on it"
        return [*self.diagnostics, complain("R506", message, last.span, hint=f"name one of them{layer}")]

    def dump(self, form: Form) -> Any:
        """A form of the ruleset as plain data; None if it was not reached."""
        if form == "tree":
            return [msgspec.to_builtins(tree) for tree in self.trees.values()]
        if form == "linked":
            return msgspec.to_builtins(self.linked) if self.linked is not None else None
        return self.graph


def build(
    target: str | Path, layers: Sequence[str | Path] = (), options: Mapping[str, object] | None = None, limits: Limits = DEFAULT_LIMITS,
    staging: bool = False,
) -> Built:  # fmt: skip
    """Build the ruleset that a person names, with layers on top of it; `staging`: with what only scenarios use."""
    sources, diagnostics = read_sources(target, layers, options or {}, limits, staging)
    return build_sources(sources, diagnostics, limits)


@collection.put_off()
def build_sources(
    sources: Sources, found: Sequence[Diagnostic] = (), limits: Limits = DEFAULT_LIMITS, observer: Observer | None = None, lowered: bool = True,
    besides: Besides = None, known: Graph | None = None,
) -> Built:  # fmt: skip
    """Build what has been read already; `lowered`: as far as the graph. An observer is told what the checks understand; `besides`: see `check`.

    `known`: the graph that was made of the same sources before, which therefore are sound.
    """
    diagnostics = [*found, *(problem for package in sources.packages for file in package.locale_files for problem in file.problems)]
    trees: dict[str, RulesTree] = {}
    for package in sources.packages:
        for file in package.files:
            trees[file.name], problems = tree_of(file, limits)
            diagnostics += problems
    built = Built(sources, trees, diagnostics, dict(sources.texts))
    if sources.packages:
        built.linked, problems = resolve(sources, trees)
        diagnostics[:] = with_names(diagnostics, built.linked)
        problems = _without_lost_rulebooks(problems, diagnostics)
        certain = _without_echoes(problems, diagnostics, sources.texts)
        lost = _lost_parent(diagnostics, sources.texts) or any(one.code == "R210" for one in diagnostics)
        diagnostics += certain if lost else [problem for problem in problems if problem.code not in ("R301", "R315") or problem in certain]
        conflict = any(problem.code == CONFLICT for problem in diagnostics)  # what a layer was not allowed to change is missing everywhere
        if sources.games_wanted and not conflict:
            problems = _of_a_half(check(built.linked, limits, observer)[1], sources)
            diagnostics += _without_echoes(problems, diagnostics, sources.texts)
        elif known is not None:
            built.checked, built.sound, built.graph = signatures(built.linked, limits), True, known
        elif not conflict:
            built.checked, problems = check(built.linked, limits, observer, besides)
            diagnostics += _forgotten_header(_without_echoes(problems, diagnostics, sources.texts), built.linked, sources)
            built.sound = lowered and not built.errors
    built.diagnostics = in_order(diagnostics)
    return built


def tree_of(file: RulesFile, limits: Limits) -> tuple[RulesTree, list[Diagnostic]]:
    """The tree of a file, and what could not be read; a session has read it once."""
    return kept(("rules", file.text, file.name, limits), lambda: parse_rules(file.text, file.name, limits))


def _of_a_half(problems: list[Diagnostic], sources: Sources) -> list[Diagnostic]:
    """What can be said of rules that several games share without any of them: not what nobody uses or offers yet. What is unknown may be meant to be said by each game."""
    certain = [problem for problem in problems if problem.code not in WHOLE_GAMES]
    packages = {file.name: package for package in sources.packages for file in package.files}
    return [
        msgspec.structs.replace(one, hint=_left_open(one, packages.get(one.span.file), sources.games_wanted)) if one.code in ("R301", "R501") else one
        for one in certain
    ]


def _left_open(one: Diagnostic, package: Package | None, games: Sequence[str]) -> str:
    """What to write if a name is unknown because each game says what it is; a layer over what they share leaves nothing open, and stands over one of them."""
    if package is not None and not package.shared_by:
        over = f"layer {package.id} over {games[0]}" if package.alone else f"parents: [{games[0]}]"
        declared = f"if it belongs to {' or '.join(games)}, change that game: {over}"
        return f"{one.hint} Or, {declared}" if one.hint else declared
    name = next(iter(QUOTED.findall(one.message)), "NAME")
    form = (
        f"effect {name}(...)"
        if "effect" in one.message
        else f"value {name}(...) gives TYPE"
        if "value" in one.message
        else f"value {name} gives TYPE"
    )
    declared = f"if each game is to say it, declare that: {form}, each game says its own"
    return f"{one.hint} Or, {declared}" if one.hint else declared


def _without_lost_rulebooks(problems: list[Diagnostic], earlier: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out citations that seem wrong only because a rulebook, or the manifest that names it, could not be read."""
    lost = any(diagnostic.code.startswith("R2") and diagnostic.severity == "error" for diagnostic in earlier)
    return [problem for problem in problems if not (lost and problem.code == "R306")]


def _without_echoes(problems: list[Diagnostic], earlier: list[Diagnostic], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Leave out what seems unknown or unused only because the declaration that speaks of it could not be read."""
    if _lost_parent(earlier, texts) or any(diagnostic.code in UNREADABLE for diagnostic in earlier):
        return [problem for problem in problems if problem.code not in ECHOES]
    unread: set[str] = set()
    broken: dict[str, set[int]] = {}
    for diagnostic in earlier:
        if diagnostic.code.startswith("R1") or diagnostic.code in ("R602", "R603"):
            broken.setdefault(diagnostic.span.file, set()).add(diagnostic.span.line)
    for file, numbers in broken.items():
        unread |= _words_around(texts.get(file, "").split("\n"), numbers)
    unread |= {pluralised(word) for word in unread}
    return [problem for problem in problems if problem.code not in ECHOES or not unread & _names_in(problem)]


def _lost_parent(earlier: list[Diagnostic], texts: Mapping[str, str]) -> bool:
    """Whether the header of a layer could not be read: what it stands over is then unknown."""
    broken = ((texts.get(one.span.file, "").split("\n"), one.span.line) for one in earlier if one.code.startswith("R1"))
    if any(one.hint == MANIFEST or (one.code == "R204" and str(one.hint).startswith("write: parents:")) for one in earlier):
        return True
    return any(line <= len(lines) and lines[line - 1].startswith("layer ") for lines, line in broken)


def _forgotten_header(problems: list[Diagnostic], linked: Linked, sources: Sources) -> list[Diagnostic]:
    """One complaint instead of many, where rules answer what nothing declares and are no game: they are meant as a layer, and do not say so."""
    package = sources.packages[-1]
    hooked = next((one for one in problems if one.code == "R501" and not str(one.hint).startswith("did you mean")), None)
    if hooked is None or package.is_layer or len(sources.packages) > 1 or "play" in _declared(linked):
        return problems
    event = QUOTED.findall(hooked.message)[0]
    message = f"'{package.id}' answers '{event}', which nothing here declares, and it is not a layer over any ruleset"
    return [complain("R310", message, hooked.span, hint=how_to_be_a_layer(package)), *(one for one in problems if one.code not in ECHOES)]


def _declared(linked: Linked) -> set[str]:
    return {item.path for item in linked.items.values()}


def _words_around(lines: list[str], numbers: set[int]) -> set[str]:
    """All words of the declarations that some lines belong to."""
    starts = [at for at, line in enumerate(lines) if line[:1].strip() and line[0] != "#"]
    words: set[str] = set()
    for first, last in itertools.pairwise([0, *starts, len(lines)]):
        if any(number in numbers for number in range(first + 1, last + 1)):
            words |= set(WORD.findall("\n".join(lines[first:last]).lower()))
    return words


def _names_in(problem: Diagnostic) -> set[str]:
    """The names that a complaint speaks of."""
    said = {"R506": {"play"}, "R502": {"offer"}}.get(problem.code, set[str]())
    return said | {name.rpartition(".")[2] for name in QUOTED.findall(problem.message)}


def without_spans(value: Any) -> Any:
    """Plain data without the places in files it comes from."""
    if isinstance(value, dict):
        return {key: without_spans(part) for key, part in value.items() if key not in ("span", "spans")}
    if isinstance(value, list):
        return [without_spans(part) for part in value]
    return value
