"""Rulesets as Python callers meet them: `load` one, start games of it, load saved ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.build import Built, build, fingerprint
from rulewright.diagnostics import Diagnostic
from rulewright.run.budget import Budget
from rulewright.run.chance import Script
from rulewright.run.engine import WALKING, Engine
from rulewright.run.game import Game, begun, start, whole
from rulewright.run.world import World

if TYPE_CHECKING:
    from rulewright.compile import Code


ENGINES = ("compile", "walk")


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

    def __init__(self, built: Built, target: str, layers: Sequence[str], engine: str = ENGINES[0]) -> None:
        assert built.graph is not None
        self.built = built
        self.graph: dict[str, Any] = built.graph
        self.target = target
        self.layers = tuple(layers)
        self.fingerprint = fingerprint(built.graph)
        self.engine = engine
        self._worlds: dict[int, World] = {}
        self._code: Code | None = None

    @property
    def id(self) -> str:
        """The id of the ruleset."""
        return str(self.graph["ruleset"]["id"])

    @property
    def players(self) -> tuple[int, int]:
        """The smallest and the largest number of players."""
        limits = self.graph["ruleset"]["players"]
        return limits["min"], limits["max"]

    def world(self, players: int) -> World:
        """What exists in a game for so many players; the same for all such games."""
        if players not in self._worlds:
            world = World(self.graph, players)
            world.engine = self._compiled(world) if self.engine == "compile" else WALKING
            self._worlds[players] = world
        return self._worlds[players]

    def _compiled(self, world: World) -> Engine:
        """The fast engine for a world."""
        from rulewright.compile import Code, link

        if self._code is None:
            assert self.built.graph is not None
            self._code = Code.of(self.built.graph)
        return link(world, self._code)

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
        then they are decisions too, of player 0. `automatic` takes choices with a single option by itself.
        """
        if chance is None and budget is None and type(players) is int and type(seed) is int and players in self._worlds:
            beginning = self._worlds[players].beginnings.get(automatic)
            if beginning is not None:
                return begun(beginning, self, seed)
        low, high = self.players
        players = low if players is None else whole(players, "the number of players")
        if not low <= players <= high:
            raise ValueError(
                f"'{self.id}' is for {low} to {high} players, not {players}" if low < high else f"'{self.id}' is for {low} players, not {players}"
            )
        return start(self, players, whole(seed, "the seed"), automatic=automatic, script=_script(chance), budget=budget, world=self.world(players))

    def load_game(self, save: str | Path | Mapping[str, Any]) -> Game:
        """A saved game, from a file or from data; it must have been saved under the same rules."""
        from rulewright.run.saving import read_save

        return read_save(self, save)


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

    `engine` says how games are run: "compile" is fast, "walk" is the reference; the same seed and choices give the same game in both.
    """
    if isinstance(layers, str | Path):
        raise TypeError(f"layers is a list of names or paths, not {layers!r}")
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options is a mapping of names to values, not {options!r}")
    if engine not in ENGINES:
        raise ValueError(f"there is no engine '{engine}'; there are {' and '.join(ENGINES)}")
    built = build(path_or_name, layers, options)
    if built.graph is None:
        raise RulesetError(built.obstacles, built.texts)
    return Rules(built, str(path_or_name), [str(layer) for layer in layers], engine)


def load_game(path: str | Path, *, engine: str = ENGINES[0]) -> Game:
    """A saved game, with the rules it was saved under, found again by name. Either engine goes on with what the other saved."""
    from rulewright.run.saving import load_saved

    return load_saved(path, engine)
