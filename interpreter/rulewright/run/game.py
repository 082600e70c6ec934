"""A game as callers see it: ask for the decision, choose an option, look at views and the log, undo, clone.

rules = load("tic_tac_toe")
game = rules.new_game(players=2, seed=7)
while (ask := game.decision) is not None:
    game.choose(ask.options[0])
print(game.result)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from rulewright.core import chance
from rulewright.core.chance import Script
from rulewright.core.world import World
from rulewright.decision import Result
from rulewright.errors import IllegalChoice, RulesError, SaveError
from rulewright.limits import Budget
from rulewright.run import asking, questions, saving
from rulewright.run.asking import Option as Asked
from rulewright.run.decision import Decision, Option
from rulewright.run.engine import WALKING
from rulewright.run.evaluate import evaluate, many
from rulewright.run.hooks import component_of
from rulewright.run.logbook import entries_for
from rulewright.run.machine import Exhausted, Machine, first_state
from rulewright.run.reference import by_reference, is_hasty, last_word
from rulewright.run.rehearsing import paying
from rulewright.run.state import KEPT, MEMBERS, VALUES, Change, Entry, Left, Moment, State, spread
from rulewright.run.visibility import Eyes

FRAMES, RANDOM, LOG_LENGTH = (KEPT.index(name) + 1 for name in ("frames", "random", "log_length"))  # where a moment of the state has them
MADE, TOLD = len(KEPT) + 1, len(KEPT) + 2  # what a game adds to it: the number of choices up to it, and what chance is still told to give


class Undone(msgspec.Struct):
    """A moment that was taken back: how to come to it again, and the choices that led there."""

    moment: Moment
    changes: list[Change]
    choices: list[tuple[int, str]]


class Game:
    """One running game."""

    __slots__ = (
        "__weakref__", "_asked", "_decision", "_future", "_listed", "_machine", "_past", "automatic", "choices", "loaded", "rules", "seed", "world",
    )  # fmt: skip

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
        world.engine = world.engine or WALKING
        self._machine = Machine(world, state, budget or Budget(), script)
        self.loaded = False
        self._past: list[Moment] = []
        self._future: list[Undone] = []
        self._asked: list[Any] | None = None  # what may be chosen: options, or components that stand for them; None if that is to be worked out
        self._listed: Any = None  # what is listed (see `Machine.listed`), if that is all there is to know: then the choice may be made straight
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
            last_word(self, self._ask)
        return self._decision

    def _ask(self) -> None:
        machine = self._machine
        listed, stack = machine.listed, machine.state.stack
        if stack and listed is not None and len(listed) == 6 and listed[0] is stack[-1]:
            asked = listed[1]
            if not listed[4].costly or len(asked) < 2 or not paying(machine):
                self._asked, self._listed = asked, listed
                self._decision = Decision(listed[2] + 1, listed[4].kind, listed[3], listed[5])
                return
        machine.looked, self._listed = 0, None
        question = questions.question(machine)
        if question is None:
            self._asked, self._decision = [], None
            return
        player, kind, prompt, options = question
        if len(options) > machine.budget.options:
            machine.fail(f"a choice among {len(options):,} options")
        self._asked = options
        self._decision = Decision(player + 1, kind, prompt, tuple([option[3] or Option(option[0], option[1]) for option in options]))

    def choose(self, option: Option | str | int) -> None:
        """Take an option: as given, by its id, or by its position from 0. On an error of the rules the game stays as it was.

        What is usual goes a straight way: the same as `_choose`, in the same order, in one piece. Usual is that the option is given by its position, and that the
        engine knows all about the question; that this is on top as it was left, and right below it who asked, with local names; that nobody answers for
        chance; and that the log is not full. An engine may have a straight way of its own.
        """
        try:
            straight = self.world.engine.straight
            if straight is None or not straight(self, option):
                self._straight(option)
            return
        except Exhausted:
            if not is_hasty(self.world):
                raise
        with by_reference(self):
            self._choose(option)

    def _straight(self, option: Option | str | int) -> None:
        """Take an option, the straight way if that is usual."""
        asked, listed, machine = self._asked, self._listed, self._machine
        state, script = machine.state, machine.script
        stack, log, length = state.stack, state.log, state.log_length
        if (
            listed is None or asked is None or type(option) is not int or not 0 <= option < len(asked)
            or stack[-1] is not listed[0] or type(below := stack[-2]) is not tuple or type(below[2]) is not dict
            or script.ask or script.answers or state.answers or length >= machine.budget.log
        ):  # fmt: skip
            self._choose(option)
            return
        player, prompt, one = listed[2], listed[3], listed[4]
        thing, choices = asked[option], self.choices
        moment = (len(state.journal), tuple(stack), state.random, length, state.installed, state.once, state.outcomes, state.answers, state.loose,
                  state.ended, state.version, state.installs, len(choices), ())  # fmt: skip
        machine.here = None
        try:
            if type(thing) is int:
                face, public, said = one.faces[thing], one.open or machine.seers_of(thing) == one.everyone, one.prompted
            else:  # an action, words, or none of the components
                face, public, said = thing.face, True, one.prompted or thing.value is None
            identity = face.id
            if len(log) > length:  # clones share it
                state.log = log[:length]
            state.log.append(("choice", below[3], player, identity, face.label, prompt if said else None, 1 << player, public, False))
            self.world.engine.answered(machine, one, thing)
            self._ask()
            choices.append((player + 1, identity))
        except BaseException as error:  # an interruption too leaves the game as it was
            self._fail(error, moment, log)
        if self.automatic:
            self._go_on_or_back(moment, log)
        if self._future:
            self._future.clear()
        self._past.append(moment)

    def _choose(self, option: Option | str | int) -> None:
        """Take any option."""
        chosen = self._find(option)
        assert self._decision is not None
        moment, log = self._moment(), self.state.log
        self._take(chosen, self._decision.player, moment)
        if self.automatic:
            self._go_on_or_back(moment, log)
        if self._future:
            self._future.clear()
        self._past.append(moment)

    def _options(self) -> list[Asked]:
        """What may be chosen now, with what it stands for."""
        if self.decision is None:
            return []
        return [self._listed[4].named[each] if type(each) is int else each for each in self._asked or ()]

    def _go_on_or_back(self, moment: Moment, log: list[Entry]) -> None:
        """Take the choices that have a single option; on an error the game is as it was at an earlier moment."""
        try:
            self.take_forced()
        except BaseException:
            self.choices = self.choices[: moment[MADE]]
            self._go_back(moment)
            self.state.log = log
            raise

    def take_forced(self) -> None:
        """Take choices that have a single option, if the game is to do so by itself."""
        while self.automatic and self.decision is not None and len(self.decision.options) == 1:
            self._take(self._options()[0], self.decision.player, self._moment())

    def _moment(self) -> Moment:
        """This moment, to be gone back to."""
        machine, past = self._machine, self._past
        stack = self.world.engine.kept(machine.state.stack, past[-1][FRAMES] if past else ())
        return machine.state.moment(stack, len(self.choices), tuple(machine.script.answers))

    def _go_back(self, moment: Moment) -> list[Change]:
        """Be as at an earlier moment, but for the list of choices; gives what is needed to come here again."""
        self._machine.script.answers, self._machine.listed, self._asked = list(moment[TOLD]), None, None
        return self.state.go_back(moment)

    def _take(self, chosen: Asked, player: int, before: Moment) -> None:
        """Carry out an option; if anything goes wrong, the game is as before."""
        machine, engine, log = self._machine, self.world.engine, self._machine.state.log
        machine.here = None
        try:
            if player > 0:
                self._note(chosen, player - 1)
            engine.take(machine, chosen)
            engine.run(machine)
            self._ask()
            self.choices.append((player, chosen.id))
        except BaseException as error:  # an interruption too leaves the game as it was
            self._fail(error, before, log)

    def _fail(self, error: BaseException, before: Moment, log: list[Entry]) -> NoReturn:
        """Something went wrong with a choice: the game is as before, and the caller is told."""
        unit = self._machine.unit()
        del self.choices[before[MADE] :]
        self._go_back(before)
        self.state.log = log  # which may say more, about what was undone and can be made again
        self._machine.value_depth = 0
        if isinstance(error, RecursionError):
            raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
        if self.loaded and isinstance(error, saving.DAMAGES):
            raise SaveError(f"the save the game was loaded from is damaged: '{unit}' cannot go on ({type(error).__name__})") from error
        raise error

    def _note(self, chosen: Asked, player: int) -> None:
        """Write a choice to the log. Nobody else learns that a player could have reacted, and did not, or how many things are chosen in secret."""
        if self._plainly(chosen, player):
            return
        frame = self.state.top()
        again = frame["f"] == "choose" and bool(frame["picked"]) and self.world.graph["nodes"][frame["node"]]["secret"]
        silent = again or (frame["f"] == "event" and chosen.value is None)
        public = not silent and self._public(chosen)
        self._machine.write("choice", player, chosen.id, chosen.label, self._prompt(chosen), 1 << player, public, silent)

    def _plainly(self, chosen: Asked, player: int) -> bool:
        """Write a choice to the log that is an action, words, or one component out of several, and no secret: nearly all are."""
        machine, thing = self._machine, chosen.value
        stack, public, prompt = machine.state.stack, True, None
        top = stack[-1]
        if type(top) is tuple:
            node = self.world.graph["nodes"][top[4]]
            if type(thing) is not int or node["secret"]:
                return False
            if node["as"] == "kind":
                public = thing >= self.world.count or asking.names_all(node) or machine.seers_of(thing) == self.world.everyone
            elif node["as"] != "option" or not all(type(part) is str for part in node["options"][thing]["label"].get("parts", (None,))):
                return False
            if node["prompt"] is not None and self._decision is not None:
                prompt = self._decision.prompt
        elif top["f"] != "offer":
            return False
        below = stack[-2]
        machine.said = below[3] if type(below) is tuple else None
        machine.write("choice", player, chosen.id, chosen.label, prompt, 1 << player, public, False)
        machine.said = None
        return True

    def _prompt(self, chosen: Asked) -> str | None:
        """What was asked, if the choice alone does not say it: in the words of the rules, or where the answer is that there is none."""
        decision, frame = self._decision, self.state.top()
        own = frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["prompt"] is not None
        asked = own or chosen.value is None or frame["f"] in ("each", "event")
        return decision.prompt if decision is not None and asked else None

    def _public(self, chosen: Asked) -> bool:
        """Whether everyone may know what was chosen."""
        frame, machine = self.state.top(), self._machine
        if frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["secret"]:
            return False
        return all(machine.seers_of(each) == machine.everyone() for each in self._spoken_of(frame, chosen.value))

    def _spoken_of(self, frame: dict[str, Any], value: Any) -> list[int]:
        """The components that an answer names."""
        machine, node = self._machine, self.world.graph["nodes"][frame["node"]] if frame["f"] == "choose" else {}
        found: list[Any] = []
        if frame["f"] == "each" or (frame["f"] == "choose" and node["as"] in ("kind", "any") and not asking.names_all(node)):
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
        if isinstance(option, int):
            asked = self._asked or []
            if 0 <= option < len(asked):
                chosen: Asked = self._listed[4].named[asked[option]] if type(asked[option]) is int else asked[option]
                return chosen
            raise IllegalChoice(f"there is no option {option}; there are {len(asked)}")
        options = self._options()
        wanted = option.id if isinstance(option, Option) else option
        for found in options:
            if found.id == wanted:
                return found
        listed = ", ".join(found.id for found in options[:12])
        raise IllegalChoice(f"'{wanted}' cannot be chosen now; possible are: {listed}")

    # -- going back and forth

    def undo(self, *, past_secrets: bool = False) -> bool:
        """Take the last choice back; False if there is none, or if it would take back something that was revealed."""
        if not self._past or (not past_secrets and self._sealed(self._past[-1])):
            return False
        now, moment = self._moment(), self._past.pop()
        changes = self._go_back(moment)
        self._future.append(Undone(now, changes, self.choices[moment[MADE] :]))
        self.choices = self.choices[: moment[MADE]]
        return True

    def _sealed(self, before: Moment) -> bool:
        """Whether something random happened, or something hidden was revealed to somebody, since an earlier moment."""
        if before[RANDOM] != self.state.random or self._answered(before[FRAMES]):
            return True
        if any(entry["kind"] == "message" and entry["seen"] != self._machine.everyone() for entry in self.state.entries(before[LOG_LENGTH])):
            return True  # who knows what it said
        told, uncovered, now = self._told_since(before), self._uncovered(), self._moment()
        changes = self.state.go_back(before)
        sealed = any(seen & ~self._machine.seers_of(component) for component, seen in told.items()) or not uncovered <= self._uncovered()
        self.state.go_on(now, changes)
        return sealed

    def _uncovered(self) -> set[int]:
        """What lies on top of piles, if everyone can read something on it."""
        tops = (members[-1] for place in self.world.piles if (members := self.state.members[place])) if self.world.has_backs else ()
        return {top for top in tops if self.world.backs[top]}

    def _answered(self, before: Sequence[Left]) -> bool:
        """Whether a secret choice that was going on has been completed, so that its answers may be known."""
        frames = self.state.frames
        for number, frame in enumerate(spread(before)):
            if frame["f"] == "choose" and self.world.graph["nodes"][frame["node"]]["secret"] and len(frame["waiting"] or ()) > 0:
                going_on = number < len(frames) and frames[number]["f"] == "choose" and frames[number]["node"] == frame["node"]
                if not going_on:
                    return True
        return False

    def _told_since(self, moment: Moment) -> dict[int, int]:
        """Who can tell now, or was shown since an earlier moment, each component of which that may have changed."""
        told = {each: self._machine.seers_of(each) for each in self._touched(moment)}
        for entry in self.state.entries(moment[LOG_LENGTH]):
            for each in entry.get("components", [entry["component"]] if entry["kind"] == "move" else []):
                told[each] = told.get(each, 0) | entry["seen"]
        return told

    def _touched(self, moment: Moment) -> Iterable[int]:
        """The components about which something has changed, if that is all that what can be seen depends on; else all."""
        if not self.world.plain_sight:
            return range(self.world.count)
        changes = self.state.journal[moment[0] :]
        owner = self.world.component_at
        return {owner(change[1]) if change[0] == VALUES else change[1] for change in changes if change[0] != MEMBERS}

    def redo(self) -> bool:
        """Make an undone choice again; False if there is none."""
        if not self._future:
            return False
        undone = self._future.pop()
        self._past.append(self._moment())
        self.state.go_on(undone.moment, undone.changes)
        self._machine.script.answers, self._machine.listed, self._asked = list(undone.moment[TOLD]), None, None
        self.choices += undone.choices
        return True

    def clone(self) -> Game:
        """A game of its own that goes on from here; its past cannot be undone."""
        copied = self.world.engine.copied
        copy: Game | None = copied(self) if copied is not None else None
        if copy is not None:
            return copy
        made, machine, world = Game.__new__(Game), self._machine, self.world
        state = machine.state
        made.rules, made.world = self.rules, world
        made.seed, made.automatic = self.seed, self.automatic
        made.choices = self.choices[:]
        made._machine = Machine(world, state.clone(world.engine.kept(state.stack, ())), machine.budget, machine.script.copy())
        made.loaded = self.loaded
        made._past, made._future = [], []
        made._asked, made._listed = self._asked, self._listed
        made._decision = self._decision
        return made

    def imagine(self, player: int | None, seed: int) -> Game:
        """A clone in which everything that a player (from 1), or a spectator (None), cannot know is dealt again at random.

        The view and the log stay the same, and what that player has seen and could follow since is where it is.
        """
        from rulewright.run.imagining import imagine

        return imagine(self, self._seat(player), whole(seed, "the seed"))

    def perform(self, entry: str | None, variables: dict[str, Any] | None = None) -> None:
        """Carry out a body of the graph here and now, then go on: for scenarios and tools that try things out.

        `variables` are its local names; the same mapping, given again, carries them from one body to the next.
        """
        self._future.clear()
        kept = None if variables is None else dict(variables)
        try:
            self._perform(entry, variables)
            return
        except Exhausted:
            if not is_hasty(self.world):
                raise
        if variables is not None and kept is not None:
            variables.clear()
            variables.update(kept)
        with by_reference(self):
            self._perform(entry, variables)

    def _perform(self, entry: str | None, variables: dict[str, Any] | None) -> None:
        machine, before = self._machine, self.state.clone()
        try:
            self.world.engine.privately(machine)
            machine.listed = None
            if entry is not None:
                names = {} if variables is None else variables
                machine.state.frames.append({"f": "unit", "unit": "scenario", "node": entry, "vars": names})
            self.world.engine.run(machine)
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
        seat = self._seat(player)
        seen: dict[str, Any] = last_word(self, lambda: Eyes(self._machine, seat).view())
        return seen

    def log(self, player: int | None = None, *, everything: bool = False, start: int = 0) -> list[dict[str, Any]]:
        """What has happened, as a player or spectator may know it, each entry with its cause and citations; since `state.log_length` was `start`."""
        self._seat(player)
        found: list[dict[str, Any]] = last_word(self, lambda: entries_for(self._machine, player, everything, start))
        return found

    @property
    def log_length(self) -> int:
        """How long the log is: from there on, `log` and `entries` tell what comes next."""
        return self.state.log_length

    def entries(self, since: int = 0) -> list[dict[str, Any]]:
        """The log as data: all of it, whoever may know it."""
        return self.state.entries(since)

    def why_not(self, player: int, thing: str) -> list[dict[str, Any]]:
        """Why an action or a target is not offered to a player: what fails, with its reason, place and citations."""
        from rulewright.run.reasons import why_not

        seat = self._seat(whole(player, "a player"))
        assert seat is not None
        if not isinstance(thing, str):
            raise TypeError(f"what is not offered is named by a text, not by {thing!r}")
        found: list[dict[str, Any]] = last_word(self, lambda: why_not(self._machine, seat, thing))
        return found

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
        standings = self.state.standings()
        by = {word: tuple(n + 1 for n, found in enumerate(standings) if found == word) for word in ("won", "lost", "eliminated")}
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
    usual = budget is None and hold is None and (script is None or not (script.ask or script.given))
    if usual and automatic in world.beginnings:
        return begun(world.beginnings[automatic], rules, seed)

    def fresh() -> Game:
        state = first_state(world, seed)
        state.frames[0]["hold"] = hold
        return Game(rules, world, state, seed, automatic=automatic, script=None if script is None else script.copy(), budget=budget)

    def begin() -> bool:
        """Go on to the first decision; whether that does not take too long."""
        try:
            game.world.engine.run(game._machine)
            game.take_forced()
        except Exhausted:
            if not is_hasty(game.world):
                raise
            return False
        return True

    game = fresh()
    try:
        if not begin():
            game = fresh()
            with by_reference(game):
                begin()
    except RecursionError:
        unit = game._machine.unit()
        raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
    if usual and game.state.random == chance.start(seed) and game.decision is not None:
        world.beginnings[automatic] = game.clone()
    return game


def begun(beginning: Game, rules: Any, seed: int) -> Game:
    """A game up to its first decision where nothing before that is left to chance: all begin alike."""
    quickly = beginning.world.engine.begun
    made: Game | None = quickly(beginning, rules, seed) if quickly is not None else None
    if made is not None:
        return made
    game = beginning.clone()
    game.rules, game.seed = rules, seed
    game._machine.state.random = chance.start(seed)
    return game
