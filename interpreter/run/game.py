"""A game as callers see it: ask for the decision, choose an option, look at views and the log, undo, clone.

rules = load("tic_tac_toe")
game = rules.new_game(players=2, seed=7)
while (ask := game.decision) is not None:
    game.choose(ask.options[0])
print(game.result)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from interpreter.run import asking, questions, saving, walk
from interpreter.run.asking import Option as Asked
from interpreter.run.budget import Budget
from interpreter.run.chance import Script
from interpreter.run.evaluate import evaluate, many
from interpreter.run.history import History, Moment
from interpreter.run.hooks import component_of
from interpreter.run.logbook import entries_for
from interpreter.run.machine import Machine, RulesError, first_state
from interpreter.run.state import State
from interpreter.run.visibility import Eyes
from interpreter.run.world import World


class Option(msgspec.Struct, frozen=True):
    """One thing that may be chosen."""

    id: str
    label: str


class Decision(msgspec.Struct, frozen=True):
    """What a player has to decide. Players are numbered from 1."""

    player: int
    kind: str
    prompt: str
    options: tuple[Option, ...]


class Result(msgspec.Struct, frozen=True):
    """How a game ended, by player number."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    eliminated: tuple[int, ...]


class IllegalChoice(Exception):
    """The option is not among those that may be chosen now."""


class Game:
    """One running game."""

    def __init__(
        self,
        rules: Any,
        world: World,
        state: State,
        seed: int,
        *,
        automatic: bool = False,
        script: Script | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.rules = rules
        self.world = world
        self.seed = seed
        self.automatic = automatic
        self.choices: list[tuple[int, str]] = []
        self._machine = Machine(world, state, budget or Budget(), script)
        self.loaded = False
        self._past = History()
        self._future: list[list[tuple[int, str]]] = []
        self._asked: list[Asked] | None = None
        self._decision: Decision | None = None

    # -- deciding

    @property
    def state(self) -> State:
        """The state as plain data."""
        return self._machine.state

    @property
    def script(self) -> Script:
        """Who answers for chance."""
        return self._machine.script

    @property
    def decision(self) -> Decision | None:
        """What has to be decided now; None if the game is over."""
        if self._asked is None:
            self._ask()
        return self._decision

    def _ask(self) -> None:
        self._machine.looked = 0
        asked = questions.question(self._machine)
        if asked is None:
            self._asked, self._decision = [], None
            return
        if len(asked.options) > self._machine.budget.options:
            self._machine.fail(f"a choice among {len(asked.options):,} options")
        self._asked = asked.options
        options = tuple(Option(option.id, option.label) for option in asked.options)
        self._decision = Decision(asked.player + 1, asked.kind, asked.prompt, options)

    def choose(self, option: Option | str | int) -> None:
        """Take an option: as given, by its id, or by its position from 0. On an error of the rules the game stays as it was."""
        chosen = self._find(option)
        decision = self.decision
        assert decision is not None
        moment = self._now()
        self._take(chosen, decision.player)
        try:
            self.take_forced()
        except BaseException:
            del self.choices[moment.kept :]
            self._go_to(moment)
            raise
        self._future.clear()
        self._past.push(moment)

    def take_forced(self) -> None:
        """Take choices that have a single option, if the game is to do so by itself."""
        while self.automatic and self.decision is not None and len(self.decision.options) == 1:
            assert self._asked is not None
            self._take(self._asked[0], self.decision.player)

    def _take(self, chosen: Asked, player: int) -> None:
        """Carry out an option on a copy of the state, which becomes the state if all goes well."""
        machine, before, answers, made = self._machine, self.state, self.script.answers[:], len(self.choices)
        machine.state = before.clone()
        try:
            if player > 0:
                self._note(chosen, player - 1)
            questions.take(machine, chosen)
            walk.run(machine)
            self._ask()
            self.choices.append((player, chosen.id))
        except BaseException as error:  # an interruption too leaves the game as it was
            unit = machine.unit()
            del self.choices[made:]
            machine.state, machine.script.answers, self._asked = before, answers, None
            if isinstance(error, RecursionError):
                raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
            if self.loaded and isinstance(error, saving.DAMAGES):
                raise saving.SaveError(f"the save the game was loaded from is damaged: '{unit}' cannot go on ({type(error).__name__})") from error
            raise

    def _note(self, chosen: Asked, player: int) -> None:
        """Write a choice to the log. Nobody else learns that a player could have reacted, and did not, or how many things are chosen in secret."""
        frame = self.state.frames[-1]
        again = frame["f"] == "choose" and bool(frame["picked"]) and self.world.graph["nodes"][frame["node"]]["secret"]
        silent = again or (frame["f"] == "event" and chosen.value is None)
        public = not silent and self._public(chosen)
        told = {"label": chosen.label, "prompt": self._prompt(chosen), "seen": 1 << player, "public": public, "silent": silent}
        self._machine.write("choice", player=player, option=chosen.id, **told)

    def _prompt(self, chosen: Asked) -> str | None:
        """What was asked, if the choice alone does not say it: in the words of the rules, or where the answer is that there is none."""
        decision, frame = self._decision, self.state.frames[-1]
        own = frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["prompt"] is not None
        asked = own or chosen.value is None or frame["f"] in ("each", "event")
        return decision.prompt if decision is not None and asked else None

    def _public(self, chosen: Asked) -> bool:
        """Whether everyone may know what was chosen."""
        frame, machine = self.state.frames[-1], self._machine
        if frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["secret"]:
            return False
        return all(machine.seers_of(each) == machine.everyone() for each in self._spoken_of(frame, chosen.value))

    def _spoken_of(self, frame: dict[str, Any], value: Any) -> list[int]:
        """The components that an answer names."""
        machine, node = self._machine, self.world.graph["nodes"][frame["node"]] if frame["f"] == "choose" else {}
        found: list[Any] = []
        if frame["f"] == "each" or (frame["f"] == "choose" and node["as"] in ("kind", "any")):
            found = [value]
        elif frame["f"] == "event" and frame["stage"] == "instead":
            found = [component_of(value)]
        elif frame["f"] == "choose" and node["form"] in ("option", "yes_no") and value is not None:
            variables = asking.scope(machine, frame, node)
            shown = [part for part in node["options"][value]["label"].get("parts", ()) if type(part) is dict and part["as"] in ("kind", "any")]
            found = [each for part in shown for each in many(evaluate(machine, part["of"], variables))]
        return [each for each in found if type(each) is int and each < self.world.count]

    def _find(self, option: Option | str | int) -> Asked:
        if self.decision is None:
            raise IllegalChoice("the game is over")
        assert self._asked is not None
        if isinstance(option, int):
            if 0 <= option < len(self._asked):
                return self._asked[option]
            raise IllegalChoice(f"there is no option {option}; there are {len(self._asked)}")
        wanted = option.id if isinstance(option, Option) else option
        for asked in self._asked:
            if asked.id == wanted:
                return asked
        listed = ", ".join(asked.id for asked in self._asked[:12])
        raise IllegalChoice(f"'{wanted}' cannot be chosen now; possible are: {listed}")

    # -- going back and forth

    def _sealed(self, before: State) -> bool:
        """Whether something random happened, or something hidden was revealed to somebody, since an earlier state."""
        if before.random != self.state.random or self._answered(before):
            return True
        now, then = self._machine, Machine(self.world, before, self._machine.budget)
        told = [(each, now.seers_of(each)) for each in range(self.world.count)]
        for entry in self.state.entries()[before.log_length :]:
            if entry["kind"] == "message" and entry["seen"] != now.everyone():
                return True  # who knows what it said
            told += [(each, entry["seen"]) for each in entry.get("components", [entry["component"]] if entry["kind"] == "move" else [])]
        return any(seen & ~then.seers_of(component) for component, seen in told)

    def _answered(self, before: State) -> bool:
        """Whether a secret choice that was going on has been completed, so that its answers may be known."""
        frames = self.state.frames
        for number, frame in enumerate(before.frames):
            if frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["secret"] and len(before.frames[number]["waiting"] or ()) > 0:
                going_on = number < len(frames) and frames[number]["f"] == "choose" and frames[number]["node"] == frame["node"]
                if not going_on:
                    return True
        return False

    def undo(self, *, past_secrets: bool = False) -> bool:
        """Take the last choice back; False if there is none, or if it would take back something that was revealed."""
        if not self._past:
            return False
        after, choices = self._now(), self.choices
        before = self._before_last()
        self._go_to(after)
        if not past_secrets and self._sealed(before.state):
            return False
        self.choices = choices[: before.kept]
        if self._past.pop():
            self._future.append(choices[before.kept :])
        else:
            self._future.clear()
        self._go_to(before)
        return True

    def redo(self) -> bool:
        """Make an undone choice again; False if there is none."""
        if not self._future:
            return False
        moment = self._now()
        for player, option in self._future.pop():
            self._take(self._find(option), player)
        self._past.push(moment)
        return True

    def _before_last(self) -> Moment:
        """The moment before the last step; if it was not kept, the choices that led to it are made again."""
        kept, missing = self._past.before_last()
        if not missing:
            return kept
        choices = self.choices
        self._go_to(kept)
        self.choices = choices[: kept.kept]
        try:
            for player, option in choices[kept.kept : kept.kept + missing]:
                self._take(self._find(option), player)
                self._past.remember(self._now())
            return self._now()
        finally:
            self.choices = choices

    def _now(self) -> Moment:
        return Moment(self.state, len(self.choices), self.script.answers[:])

    def _go_to(self, moment: Moment) -> None:
        self._machine.state, self._machine.script.answers, self._asked = moment.state, moment.answers[:], None

    def clone(self) -> Game:
        """A game of its own that goes on from here; its past cannot be undone."""
        made = Game.__new__(Game)
        made.rules, made.world, made.seed, made.automatic = self.rules, self.world, self.seed, self.automatic
        made.choices = self.choices[:]
        made._machine = Machine(self.world, self.state.clone(), self._machine.budget, self._machine.script.copy())
        made.loaded, made._past, made._future, made._asked, made._decision = self.loaded, History(), [], self._asked, self._decision
        return made

    def imagine(self, player: int | None, seed: int) -> Game:
        """A clone in which everything that a player (from 1), or a spectator (None), cannot see is dealt again at random; the view stays the same."""
        from interpreter.run.imagining import imagine

        return imagine(self, self._seat(player), whole(seed, "the seed"))

    def perform(self, entry: str | None, variables: dict[str, Any] | None = None) -> None:
        """Carry out a body of the graph here and now, then go on: for scenarios and tools that try things out.

        `variables` are its local names; the same mapping, given again, carries them from one body to the next.
        """
        machine, before = self._machine, self.state.clone()
        self._past.pin()
        self._future.clear()
        try:
            if entry is not None:
                names = {} if variables is None else variables
                machine.state.frames.append({"f": "unit", "unit": "scenario", "node": entry, "vars": names})
            walk.run(machine)
            self._asked = None
            self._ask()
        except (RulesError, RecursionError) as error:
            unit = machine.unit()
            machine.state, machine.value_depth, self._asked = before, 0, None
            if isinstance(error, RulesError):
                raise
            raise RulesError("effects or values inside each other without end", unit) from None

    # -- looking

    def view(self, player: int | None) -> dict[str, Any]:
        """What a player (from 1), or a spectator (None), can see."""
        return Eyes(self._machine, self._seat(player)).view()

    def log(self, player: int | None = None, *, everything: bool = False, start: int = 0) -> list[dict[str, Any]]:
        """What has happened, as a player or spectator may know it, each entry with its cause and citations; since `state.log_length` was `start`."""
        self._seat(player)
        return entries_for(self._machine, player, everything, start)

    def why_not(self, player: int, thing: str) -> list[dict[str, Any]]:
        """Why an action or a target is not offered to a player: what fails, with its reason, place and citations."""
        from interpreter.run.reasons import why_not

        seat = self._seat(whole(player, "a player"))
        assert seat is not None
        if not isinstance(thing, str):
            raise TypeError(f"what is not offered is named by a text, not by {thing!r}")
        return why_not(self._machine, seat, thing)

    def _seat(self, player: int | None) -> int | None:
        """The seat of a player, from 0; refuses players that there are not."""
        if player is None:
            return None
        if not 1 <= whole(player, "a player") <= self.world.players:
            raise ValueError(f"there is no player {player}: the players are numbered from 1 to {self.world.players}")
        return player - 1

    def save(self, path: str | Path | None = None) -> dict[str, Any]:
        """The game as data that `load_game` takes; written to a file if one is named."""
        data = saving.as_save(self)
        if path is not None:
            saving.write_file(path, data)
        return data

    def replay(self) -> dict[str, Any]:
        """The game as its choices."""
        return saving.as_replay(self)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        if not self.state.ended:
            return None
        by = {word: tuple(n + 1 for n, found in enumerate(self.state.outcomes) if found == word) for word in ("won", "lost", "eliminated")}
        return Result(by["won"], by["lost"], by["eliminated"])


def whole(value: int, what: str) -> int:
    """A whole number that a caller gives; refuses whatever else Python would take for one."""
    if type(value) is not int:
        raise TypeError(f"{what} is a whole number, not {value!r}")
    return value


def start(
    rules: Any,
    players: int,
    seed: int,
    *,
    automatic: bool = False,
    script: Script | None = None,
    budget: Budget | None = None,
    hold: int | None = None,
    world: World | None = None,
) -> Game:
    """A new game, up to its first decision; held before one of its phases (0 setup, 1 play, 2 ending) if asked to."""
    world = World(rules.graph, players) if world is None else world
    state = first_state(world, seed)
    state.frames[0]["hold"] = hold
    game = Game(rules, world, state, seed, automatic=automatic, script=script, budget=budget)
    try:
        walk.run(game._machine)
    except RecursionError:
        unit = game._machine.unit()
        raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
    game.take_forced()
    return game
