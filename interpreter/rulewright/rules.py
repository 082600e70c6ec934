"""Rulesets as Python callers meet them: `load` one, start games of it, load saved ones."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright import kept_rules
from rulewright.catalog import Catalog, nearest, program_locale, program_locales
from rulewright.core.chance import Script
from rulewright.core.chance import start as _first
from rulewright.core.world import World
from rulewright.diagnostics import Diagnostic
from rulewright.errors import SaveError, whole
from rulewright.limits import Budget
from rulewright.sources import Package, Sources, read_sources
from rulewright.sources.locate import found_again, lasting_name, standing

if TYPE_CHECKING:
    from rulewright.build import Built
    from rulewright.core.program import Program
    from rulewright.fingerprint import Marks
    from rulewright.game.engine import Engine, Stepping
    from rulewright.game.game import Game
    from rulewright.step.link import Linked
    from rulewright.wasm.instance import Instance


ENGINES = ("wasm", "step")
LONGEST = 25_000  # blocks of a program that is compiled: several times as many as large games have

MAKING = threading.RLock()  # one module is made at a time


class RulesetError(Exception):
    """The ruleset has errors; `diagnostics` says which."""

    def __init__(self, diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> None:
        first = next(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
        super().__init__(f"{first.span.file}:{first.span.line}: {first.code} {first.message}")
        self.diagnostics = list(diagnostics)
        self.texts = dict(texts)

    def __reduce__(self) -> tuple[type[RulesetError], tuple[object, object]]:
        """What another process needs to be told the same."""
        return RulesetError, (self.diagnostics, self.texts)


class Rules:
    """A ruleset that is ready to be played."""

    def __init__(
        self, built: Built | Sources, target: str, layers: Sequence[str], engine: str = ENGINES[0], kept: kept_rules.Kept | None = None
    ) -> None:
        graph = built.graph if kept is None else kept.graph  # type: ignore[union-attr]  # sources come with what was kept of them
        assert graph is not None
        self._made_from = built
        if kept is not None:
            self.program = kept.program
        self.graph: dict[str, Any] = graph
        self.target = target
        self.layers = tuple(layers)
        self.engine = engine
        self._catalogs: dict[str, Catalog] = {}
        self._instances: dict[int, Instance] = {}
        self._linked: dict[int, Linked] = {}
        self._beginnings: dict[tuple[int, bool], Callable[[int], Any] | None] = {}  # where all games begin alike: made at their first decision

    @functools.cached_property
    def built(self) -> Built:
        """What came of building the rules; where they were kept from an earlier run, they are built when somebody asks for it."""
        from rulewright.build import build_sources

        return build_sources(self._made_from) if isinstance(self._made_from, Sources) else self._made_from

    @property
    def texts(self) -> dict[str, str]:
        """What was read, by the names of files."""
        return self._made_from.texts

    @functools.cached_property
    def marks(self) -> Marks:
        """Marks of what the rules mean, of all of them and of each declaration."""
        from rulewright.fingerprint import marks

        return marks(self.graph)

    @property
    def fingerprint(self) -> str:
        """A mark of what the rules mean: the same wherever their files lie and however they are laid out, commented and worded."""
        return self.marks.whole

    @functools.cached_property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """By what the ruleset and the layers on top of it can be found again from any folder: an id, or a whole path."""
        return lasting_name(self.target), tuple(map(lasting_name, self.layers))

    @property
    def id(self) -> str:
        """The id of the ruleset."""
        return str(self.graph["ruleset"]["id"])

    @property
    def players(self) -> tuple[int, int]:
        """The smallest and the largest number of players."""
        limits = self.graph["ruleset"]["players"]
        return limits["min"], limits["max"]

    @property
    def usual_players(self) -> int:
        """The number of players that people mostly play it with."""
        return int(self.graph["ruleset"]["players"]["usual"])

    @functools.cached_property
    def program(self) -> Program:
        """The rules as a program of the core."""
        from rulewright.core.lower import lower

        return lower(self.graph)

    @functools.cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that games can be read in: that of the rules first, then those into which they, or the words of the program, have been translated."""
        packages = self.packages
        translated = {locale.data["language"] for package in packages for locale in package.locales} | set(program_locales())
        own = packages[-1].languages[0]
        return own, *sorted(translated - {own})

    @property
    def packages(self) -> tuple[Package, ...]:
        """What the rules consist of: the rulesets below, the one that was named, and the layers on top of it."""
        sources = self._made_from if isinstance(self._made_from, Sources) else self._made_from.sources
        return sources.packages

    def catalog(self, language: str) -> Catalog:
        """What is translated into a language: by the program, the rulesets below, this one and the layers on top of it, each over those before."""
        if not isinstance(language, str):
            raise TypeError(f"a language is named by a tag such as 'cs', not by {language!r}")
        meant = nearest(language, self.languages)
        if meant is None:
            raise ValueError(f"'{self.id}' has no translation into '{language}'; there are: {', '.join(self.languages)}")
        if meant not in self._catalogs:
            locales = [locale.data for package in self.packages for locale in package.locales if locale.data["language"] == meant]
            self._catalogs[meant] = Catalog(meant, [program_locale(meant), *locales])
        return self._catalogs[meant]

    def title(self, language: str | None = None) -> str:
        """What the game is called."""
        own: str = self.graph["ruleset"]["title"]
        return own if language is None else self.packages[-1].titles.get(self.catalog(language).language or "", own)

    def linked(self, players: int) -> Linked:
        """The same, for so many players."""
        if players not in self._linked:
            from rulewright.step.link import Linked

            self._linked[players] = Linked(self.program, World(self.graph, players))
        return self._linked[players]

    def instance(self, players: int) -> Instance:
        """The rules as a module of WebAssembly, for so many players."""
        with MAKING:
            if players not in self._instances:
                from rulewright.wasm.instance import Instance

                self._instances[players] = Instance(self.linked(players))
        return self._instances[players]

    def new_game(
        self,
        players: int | None = None,
        seed: int = 0,
        chance: Sequence[object] | str | None = None,
        *,
        automatic: bool = False,
        budget: Budget | None = None,
    ) -> Game:
        """A new game at its first decision.

        `chance` says who answers for dice, draws and shuffles: nobody else than the seed (None), a list of answers with the seed after them, or "ask":
        then they are decisions too, of player 0, and their options have a probability. `automatic` takes choices with a single option by itself.
        """
        if chance is None and budget is None and type(players) is int and type(seed) is int:
            again = self._beginnings.get((players, automatic))
            if again is not None:
                made: Game = again(seed)
                return made
        low, high = self.players
        players = low if players is None else whole(players, "the number of players")
        if not low <= players <= high:
            raise ValueError(
                f"'{self.id}' is for {low} to {high} players, not {players}" if low < high else f"'{self.id}' is for {low} players, not {players}"
            )
        return self._begun(players, whole(seed, "the seed"), _script(chance), automatic, budget)

    def _begun(self, players: int, seed: int, script: Script, automatic: bool, budget: Budget | None) -> Game:
        """A new game."""
        from rulewright.game import game as core
        from rulewright.game.engine import Stepping
        from rulewright.game.sampling import Sampling
        from rulewright.step.machine import first_state

        usual = budget is None and not (script.ask or script.given)
        sampler = Sampling(script.given, script.ask) if script.ask or script.given else None
        engine: Any
        if self._compiled() and sampler is None:
            from rulewright.wasm.engine import Running

            engine = Running.fresh(self.instance(players), _first(seed), budget)
        else:
            linked = self.linked(players)
            engine = Stepping(linked, first_state(linked, seed), budget, sampler)
        made = core.start(self, engine, seed, automatic=automatic)
        if usual and (players, automatic) not in self._beginnings:
            alike = made.state.random == _first(seed) and made.decision is not None
            self._beginnings[players, automatic] = functools.partial(core.begun, made.clone(), self) if alike else None
        return made

    def _compiled(self) -> bool:
        """Whether games run in the module. Where rules cannot be compiled, or not in a few seconds, they are stepped; one line says so."""
        if self.engine == "wasm" and not self._instances:
            without = find_spec("wasmtime") is None
            if without or len(self.program.blocks) > LONGEST:
                self.engine = "step"
                why = "wasmtime is not installed" if without else f"'{self.id}' is very long"
                print(f"rulewright: {why}, so games are stepped in Python", file=sys.stderr)
        return self.engine == "wasm"

    def resumed(self, foot: Stepping) -> Engine:
        """What goes on with a game that is stepped, at a decision: the module, unless somebody answers for chance."""
        if foot.machine.sampler is not None or foot.machine.state.ended or not self._compiled():
            return foot
        from rulewright.wasm.engine import Running

        return Running.begun(self.instance(foot.world.players), foot)

    def load_game(self, save: str | Path | Mapping[str, Any], *, force: bool = False) -> Game:
        """A saved game, from a file or from data.

        Rules that have been changed since are refused, with what has changed; `force` goes on by the rules as they are now, if what is going on still fits them.
        """
        from rulewright.game import saving

        game: Game = saving.read_save(self, save, force=force)
        return game


def _script(chance: Sequence[object] | str | None) -> Script:
    """Who answers for chance."""
    if chance is None or chance == "ask":
        return Script(ask=chance is not None)
    if isinstance(chance, str):
        raise ValueError(f"chance is None, 'ask' or a list of answers, not '{chance}'")
    if not isinstance(chance, Sequence):
        raise TypeError(f"chance is None, 'ask' or a list of answers, not {chance!r}")
    return Script(list(chance))


def load(
    path_or_name: str | Path, layers: Sequence[str | Path] = (), options: Mapping[str, object] | None = None, *, engine: str = ENGINES[0]
) -> Rules:
    """Load a ruleset by name or path, with layers on top of it; raises `RulesetError` if it has errors.

    `engine` says how games are run: "wasm" is fast, "step" is the reference; the same seed and choices give the same game in both. Without wasmtime
    games are stepped, and one line says so.
    """
    if isinstance(layers, str | Path):
        raise TypeError(f"layers is a list of names or paths, not {layers!r}")
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options is a mapping of names to values, not {options!r}")
    if engine not in ENGINES:
        raise ValueError(f"there is no engine '{engine}'; there are {' and '.join(ENGINES)}")
    sources, complaints = read_sources(path_or_name, layers, options or {})
    target, added = standing(path_or_name), [standing(layer) for layer in layers]
    path = None if any(each.severity == "error" for each in complaints) else kept_rules.entry_path(sources)
    kept = kept_rules.read(path) if path is not None else None
    if kept is not None:
        return Rules(sources, target, added, engine, kept)
    from rulewright.build import build_sources

    built = build_sources(sources, complaints)
    if built.graph is None:
        raise RulesetError(built.obstacles, built.texts)
    rules = Rules(built, target, added, engine)
    if path is not None:
        kept_rules.write(path, built.graph, rules.program)
    return rules


def load_game(path: str | Path, *, force: bool = False, engine: str = ENGINES[0]) -> Game:
    """A saved game, with the rules it was saved under, found again by id or from where the file lies. Either engine goes on with what the other saved.

    `force` goes on by rules that have been changed since, if what is going on still fits them.
    """
    from rulewright.game import saving

    data = saving.read_file(path, "save")
    try:
        target, layers = named_in(data, path)
        rules = load(target, layers, dict(data["ruleset"]["options"]), engine=engine)
    except RulesetError as error:
        raise SaveError(f"'{path}' names rules that cannot be loaded: {error}") from error
    return rules.load_game(data, force=force)


def named_in(data: Mapping[str, Any], path: str | Path) -> tuple[str, list[str]]:
    """The ruleset and the layers that a save or replay names, as they are found from the file it was read from."""
    about, folder = data["ruleset"], Path(path).absolute().parent
    return found_again(about["target"], folder), [found_again(layer, folder) for layer in about["added"]]
