"""A game as callers see it: ask for the decision, choose an option, look at views and the log, undo, clone.

rules = load("tic_tac_toe")
game = rules.new_game(players=2, seed=7)
while (ask := game.decision) is not None:
    game.choose(ask.options[0])
print(game.result)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from rulewright.core import chance
from rulewright.core.world import World
from rulewright.decision import Decision, Option, Result
from rulewright.errors import IllegalChoice, RulesError, SaveError, whole
from rulewright.game import decisions
from rulewright.game.engine import Engine
from rulewright.game.log_text import as_entry, entries, entries_for
from rulewright.game.sampling import Sampling
from rulewright.game.view_cache import view
from rulewright.game.views import standings, worded
from rulewright.step.instructions import CHANCE
from rulewright.step.machine import Machine
from rulewright.step.record import asked_question
from rulewright.step.state import State
from rulewright.step.wording import Wording
from rulewright.types import SCORE

if TYPE_CHECKING:
    from rulewright.game.story import Line

# A choice that was made: where in the log it stands; or the player, from 1, and its id, where the log does not say that.
Made = int | tuple[int, str]


class Forced(NamedTuple):
    """A choice that the game has made by itself, after the one before."""

    made: Made


class Undone(NamedTuple):
    """A moment that was taken back, and the choices that led there."""

    moment: Any
    made: list[Made | Forced]


class Game:
    """One running game."""

    __slots__ = ("__weakref__", "_decision", "_engine", "_future", "_made", "_past", "automatic", "loaded", "rules", "seed")

    def __init__(self, rules: Any, engine: Engine, seed: int, *, automatic: bool = False) -> None:
        self.rules = rules
        self.seed = seed
        self.automatic = automatic
        self.loaded = False
        self._engine = engine
        self._made: list[Made | Forced] = []
        self._past: list[Any] = []  # the moments before each choice that was not forced
        self._future: list[Undone] = []
        self._decision: Decision | None = None  # as it was told last, if it is still the same

    # -- deciding

    @property
    def world(self) -> World:
        """What exists in the game."""
        return self._engine.world

    @property
    def state(self) -> State:
        """The state as plain data."""
        return self._machine.state

    @property
    def _machine(self) -> Machine:
        """What reads the state; what is looked at from outside is counted anew."""
        machine = self._engine.machine
        machine.looked = 0
        return machine

    @property
    def script(self) -> Sampling:
        """Who answers for chance."""
        sampler = self._machine.sampler
        return sampler if isinstance(sampler, Sampling) else Sampling()

    @property
    def choices(self) -> list[tuple[int, str]]:
        """The choices that led here: who, from 1 (0 is chance), and the ids of what they chose."""
        return [self._told(made) for made in self._made]

    def _told(self, made: Made | Forced) -> tuple[int, str]:
        if isinstance(made, Forced):
            made = made.made
        if isinstance(made, tuple):
            return made
        entry = as_entry(self._machine, self._engine.chosen(made))
        return entry["player"] + 1, entry["option"]

    @property
    def decision(self) -> Decision | None:
        """What has to be decided now; None if the game is over."""
        if self._decision is None:
            self._decision = self._engine.decision()
        return self._decision

    def decision_in(self, language: str) -> Decision | None:
        """The same in another language, where it has a translation; the ids of options are the same in all."""
        asked, words = self._engine.asked(), self._worded(language)
        return None if asked is None else decisions.decision(self._machine, *asked, words)

    def _worded(self, language: str | None) -> Wording:
        """The words of a language; those of the rules if none is named."""
        linked = self._engine.machine.linked
        return linked.wording if language is None else linked.worded(self.rules.catalog(language))

    def choose(self, option: Option | str | int) -> None:
        """Take an option: as given, by its id, or by its position from 0. On an error of the rules the game stays as it was."""
        if self._future:
            self._choose_anew(option)
            return
        index = option if type(option) is int else self._index(option)
        if not self.automatic:
            known, self._decision = self._decision, None  # an interruption may come when the choice has been made
            try:
                told = self._engine.quick(index, self._past, self._made)
            except RulesError:
                raise
            except Exception as error:
                self._tell(error, self._unit())
            if told:
                if told is not True:
                    self._decision = told
                return
            self._decision = known
        index = self._index(index)
        before, count = self._checkpoint(), len(self._made)
        try:
            self._made.append(self._take(index, before, count))
            self.take_forced()
            self._past.append(before)
        except BaseException:  # an interruption too leaves the game as it was
            if not self._past or self._past[-1] is not before:
                self._go_to(before, count)
            raise

    def _choose_anew(self, option: Option | str | int) -> None:
        """The same where choices have been undone: they can be made again as long as no other has been made."""
        future, depth = self._future, len(self._past)
        self._future = []
        try:
            self.choose(option)
        finally:
            if len(self._past) == depth:
                self._future = future

    def _index(self, option: Option | str | int) -> int:
        """The position of an option among those that may be chosen."""
        decision = self.decision
        if decision is None:
            raise IllegalChoice("the game is over")
        options = decision.options
        if isinstance(option, int):
            if 0 <= option < len(options):
                return option
            raise IllegalChoice(f"there is no option {option}; there are {len(options)}")
        for index, found in enumerate(options):
            if found is option:
                return index
        wanted = option.id if isinstance(option, Option) else option
        for index, found in enumerate(options):
            if found.id == wanted:
                return index
        listed = ", ".join(found.id for found in options[:12])
        raise IllegalChoice(f"'{wanted}' cannot be chosen now; possible are: {listed}")

    def take_forced(self) -> None:
        """Take choices that have a single option, if the game is to do so by itself."""
        while self.automatic and (asked := self._engine.asked()) is not None and len(asked[1]) == 1:
            self._made.append(Forced(self._take(0, self._checkpoint(), len(self._made))))

    def _take(self, index: int, before: Any, count: int) -> Made:
        """Carry out an option, and give what is remembered of it; if anything goes wrong, the game is as before."""
        done = False
        try:
            made = self._making(index)
            asked = self._engine.asked()
            assert asked is not None
            self._engine.take(index)
            self._engine.asked()
            self._decision = None
            done = True
            return made
        except BaseException as error:  # an interruption too leaves the game as it was
            self._fail(error, before, count)
        finally:
            if not done:  # also one that comes while something else is told
                self._go_to(before, count)

    def _making(self, index: int) -> Made:
        """What is remembered of a choice."""
        asked, machine = self._engine.asked(), self._machine
        assert asked is not None
        player, values = asked
        if player == CHANCE:
            return 0, str(values[index])
        number = asked_question(machine)
        if not decisions.may_be_alike(machine.linked, number):
            return self._engine.mark()
        found = decisions.distinct(decisions.names(machine, player, machine.program.questions[number], values, machine.linked.wording))
        return player + 1, list(found)[index][0]

    def _fail(self, error: BaseException, before: Any, count: int) -> NoReturn:
        """Something went wrong with a choice: the game is as before, and the caller is told."""
        unit = self._unit()
        self._go_to(before, count)
        self._tell(error, unit)

    def _tell(self, error: BaseException, unit: str) -> NoReturn:
        """Tell the caller what went wrong."""
        if isinstance(error, RecursionError):
            raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
        if self.loaded and _is_unsound(error):
            raise SaveError(f"the save the game was loaded from is damaged: '{unit}' cannot go on ({type(error).__name__})") from error
        raise error

    def _unit(self) -> str:
        """What is going on."""
        frames = self.state.frames
        return frames[-1].cause[0] if frames else "the game"

    # -- going back and forth

    def _checkpoint(self) -> Any:
        """This moment, to be gone back to."""
        return self._engine.checkpoint(self._past[-1] if self._past else None)

    def _go_to(self, moment: Any, count: int) -> None:
        """Be as at an earlier moment, up to which so many choices were made."""
        self._engine.restore(moment)
        del self._made[count:]
        self._decision = None

    def undo(self, *, past_secrets: bool = False) -> bool:
        """Take the last choice back; False if there is none, or if it would take back something that was revealed."""
        if not self._past or (not past_secrets and self._engine.sealed(self._past[-1])):
            return False
        now, moment, count = self._checkpoint(), self._past.pop(), len(self._made) - 1
        while isinstance(self._made[count], Forced):
            count -= 1
        self._future.append(Undone(now, self._made[count:]))
        self._go_to(moment, count)
        return True

    def redo(self) -> bool:
        """Make an undone choice again; False if there is none."""
        if not self._future:
            return False
        undone = self._future.pop()
        self._past.append(self._checkpoint())
        self._engine.restore(undone.moment)
        self._made += undone.made
        self._decision = None
        return True

    def clone(self) -> Game:
        """A game of its own that goes on from here; its past cannot be undone."""
        made = Game(self.rules, self._engine.clone(), self.seed, automatic=self.automatic)
        made._made, made._decision, made.loaded = self._made[:], self._decision, self.loaded
        return made

    # -- looking

    def view(self, player: int | None, *, language: str | None = None) -> dict[str, Any]:
        """What a player (from 1), or a spectator (None), can see; in another language things have other labels, and nothing else is different."""
        seat = self._seat(player)
        seen: dict[str, Any] = self._engine.look(lambda machine: view(machine, seat))
        return seen if language is None else worded(self._worded(language), seen)

    def log(self, player: int | None = None, *, everything: bool = False, start: int = 0, language: str | None = None) -> list[dict[str, Any]]:
        """What has happened, as a player or spectator may know it, each entry with its cause and citations; since the log was `start` long."""
        self._seat(player)
        return entries_for(self._machine, player, everything, start, self._worded(language))

    def story(self, player: int | None = None, *, everything: bool = False, language: str | None = None) -> list[Line]:
        """What has happened as people tell it, as a player or spectator may know it: headings, actions and what came of them, and the last page when the game is over."""
        self._seat(player)
        from rulewright.game.story import story

        return story(self, player, everything=everything, language=language)

    @property
    def log_length(self) -> int:
        """How long the log is: from there on, `log` and `entries` tell what comes next."""
        return len(self.state.log)

    def entries(self, since: int = 0) -> list[dict[str, Any]]:
        """The log as data: all of it, whoever may know it."""
        return entries(self._machine, since)

    def why_not(self, player: int, thing: str, *, language: str | None = None) -> list[dict[str, Any]]:
        """Why an action or a target is not offered to a player: what fails, with its reason, place and citations."""
        seat = self._seat(whole(player, "a player"))
        assert seat is not None
        if not isinstance(thing, str):
            raise TypeError(f"what is not offered is named by a text, not by {thing!r}")
        from rulewright.game.why_not import why_not

        return why_not(self._machine, seat, thing, self._worded(language))

    def imagine(self, player: int | None, seed: int) -> Game:
        """A clone in which everything that a player (from 1), or a spectator (None), cannot know is dealt again at random.

        The view and the log stay the same, and what that player has seen and could follow since is where it is.
        """
        from rulewright.game.determinize import imagined

        seat, made = self._seat(player), self.clone()
        made._engine = self._engine.resumed(imagined(self._engine, seat, whole(seed, "the seed")))
        made._made = self._marked(made)
        made._decision = None
        return made

    def _marked(self, other: Game) -> list[Made | Forced]:
        """The choices as the log of another game tells them; those of chance, and those that this log has no words for, as they are."""
        marks, found = zip(self._engine.marks(), other._engine.marks(), strict=True), list[Made | Forced]()
        for each in self._made:
            made = each.made if isinstance(each, Forced) else each
            if isinstance(made, tuple) and made[0] == 0:
                found.append(made)
                continue
            here, there = next(marks)
            found.append(there if isinstance(made, int) or self._told(here) == made else made)
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
        from rulewright.game import saving

        data = saving.as_save(self)
        if path is not None:
            saving.write_file(path, data)
        return data

    def replay(self) -> dict[str, Any]:
        """The game as its choices."""
        from rulewright.game.saving import as_replay

        return as_replay(self)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        outcomes = self._engine.outcomes()
        if outcomes is None:
            return None
        stand = standings(outcomes, True)
        by = {word: tuple(n + 1 for n, found in enumerate(stand) if found == word) for word in ("won", "lost", "eliminated")}
        slots = self.world.slots_of(SCORE)
        points = tuple(self.state.values[slot] for slot in slots.values()) if slots else ()
        return Result(by["won"], by["lost"], by["eliminated"], points)


def _is_unsound(error: BaseException) -> bool:
    """Whether an error is one that comes of a save in which something has been changed."""
    from rulewright.game.saving import DAMAGES

    return isinstance(error, DAMAGES)


def start(rules: Any, engine: Engine, seed: int, *, automatic: bool = False) -> Game:
    """A new game, up to its first decision."""
    game = Game(rules, engine, seed, automatic=automatic)
    try:
        engine.run()
    except RecursionError:
        unit = game._unit()
        raise RulesError(f"effects or values inside each other without end (in '{unit}')", unit) from None
    game.take_forced()
    return game


def begun(beginning: Game, rules: Any, seed: int) -> Game:
    """A game up to its first decision where nothing before that is left to chance: all begin alike."""
    game = Game(rules, beginning._engine.begun_again(chance.start(seed)), seed, automatic=beginning.automatic)
    game._made, game._decision = beginning._made[:], beginning._decision
    return game
