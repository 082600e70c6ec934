"""A session: a game with those who play it, whoever shows it.

Takes a game and who sits where; lets bots play until a person has to decide, and gives that person's table. Undo goes back to the last decision of a person and stops
where something hidden was revealed, with the reason. At no time does it say more than the seat in front of the screen may know.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

import click
import msgspec

from rulewright_tools.own_words import said_in
from rulewright_tools.table import Decision, Layout, Line, Refusal, Rule, Table, action_refusals, look, refusals, rule_of, why_not

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.bots import Bot
    from rulewright.rules import Rules

ME, BOT = "me", "bot"
SMALL = 600  # blocks of a program: a game that is no longer can be thought about
LONGEST = 20_000  # decisions of bots in a row


class Chair(msgspec.Struct):
    """Who plays a seat: a person with a name, or a bot."""

    number: int
    name: str
    bot: Bot | None = None


class Session:
    """A game that people play."""

    def __init__(
        self, game: Game, chairs: Sequence[Chair], *, asks_chance: bool = False, draws: int | None = None, language: str | None = None
    ) -> None:
        self.game = game
        self.chairs = list(chairs)
        self.asks_chance = asks_chance
        self.dealer = None if draws is None else Random(draws)  # who draws what stays face down, where chance is asked
        self.drawn: set[int] = set()  # after how many choices that was
        self.untold = 0  # how often nobody has been told of yet
        self.layout = Layout(game.rules, game.world.players, language)
        self.language = language
        self.say = said_in(language)
        self.people = [chair.number for chair in self.chairs if chair.bot is None]
        self.seat: int | None = self.people[0] if self.people else None  # whose table is on the screen; None looks on
        self.told: dict[int | None, list[Line]] = {}  # the lines of the story that each seat has read
        self.file: str | None = None  # where the game is kept
        self.saved = game.choices  # what led to what is on disk, or where the game began
        self.secrets = has_secrets(game)

    def renew(self, game: Game) -> None:
        """Go on with the same game by other rules."""
        self.layout = Layout(game.rules, game.world.players, self.language)
        self.secrets = has_secrets(game)
        self.game = game

    # -- whose turn it is

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.decision is None

    @property
    def asked(self) -> int | None:
        """The player who has to decide; 0 is chance."""
        decision = self.game.decision
        return None if decision is None else decision.player

    def bots_play(self) -> Iterator[None]:
        """Lets bots choose until a person has to; gives a sign after every choice."""
        for _ in range(LONGEST):
            decision = self.game.decision
            if decision is None or (decision.player == 0 and not self._draws()):
                return
            if decision.player == 0:
                yield
                continue
            bot = self.chairs[decision.player - 1].bot
            if bot is None:
                return
            self.game.choose(bot.choose(self.game, decision))
            yield

    def _draws(self) -> bool:
        """Draws what stays face down whatever it is; False if somebody has to say what chance gives."""
        from rulewright_tools.play.face_down import stays_face_down

        decision = self.game.decision
        if self.dealer is None or decision is None or not stays_face_down(self.game):
            return False
        self.drawn = {number for number in self.drawn if number < len(self.game.choices)} | {len(self.game.choices)}
        self.untold += 1
        (chosen,) = self.dealer.choices(decision.options, [float(option.probability or 0) for option in decision.options])
        self.game.choose(chosen)
        return True

    def told_drawn(self) -> str | None:
        """What the program has drawn since this was last asked."""
        count, self.untold = self.untold, 0
        return self.say("Drawn by the program, since it stays face down: {count}.", count=count) if count else None

    @property
    def next_seat(self) -> int | None:
        """Who should sit in front of the screen now: who has to decide, if that is a person; else whoever does."""
        asked = self.asked
        return asked if asked in self.people else self.seat

    @property
    def hands_over(self) -> bool:
        """Whether somebody else has to sit down first, from whom something has to be hidden."""
        return self.secrets and len(self.people) > 1 and self.next_seat != self.seat

    def sit_down(self) -> None:
        """The table is now shown to who has to decide."""
        self.seat = self.next_seat

    def name_of(self, number: int) -> str:
        """What a player is called: "You" who is alone with bots, else by the number of the seat, with the name or the bot."""
        if number == 0:
            return self.say("Chance")
        if number < 0:
            return self.say("Somebody")
        chair = self.chairs[number - 1]
        if self.is_you(number):
            return self.say("You")
        if chair.bot is not None:
            return self.say("Player {number} ({name})", number=number, name=chair.name)
        if chair.name == ME:
            return self.say("Player {number}", number=number)
        return self.say("{name} (player {number})", name=chair.name.capitalize(), number=number)

    def is_you(self, number: int) -> bool:
        """Whether a player is the one person here, who gave no name."""
        return self.people == [number] and self.chairs[number - 1].name == ME

    # -- the table

    def table(self) -> Table:
        """What the seat in front of the screen sees."""
        return look(self.game, self.seat, self.layout, chance=self.asks_chance)

    def news(self, table: Table) -> list[Line]:
        """The lines of the story that this seat has not read yet."""
        lines, known = list(table.story.values()), self.told.get(self.seat, [])
        same = next((number for number, (one, other) in enumerate(zip(known, lines, strict=False)) if one != other), min(len(known), len(lines)))
        self.told[self.seat] = lines
        return lines[same:]

    def choose(self, option: str) -> None:
        """Take an option of the decision on the screen."""
        self.game.choose(option)

    def undo(self) -> str | None:
        """Back to the last decision of a person; why not, if that cannot be."""
        undone = 0
        if not self.game.choices:
            return self.say("nothing has been decided yet")
        while self.game.undo():
            undone += 1
            if self.asked in self.people or (self.asked == 0 and self.asks_chance and len(self.game.choices) not in self.drawn):
                return None
        for _ in range(undone):
            self.game.redo()
        return self.say("something hidden has been revealed since, or the game was loaded here")

    def save(self, path: str) -> str | None:
        """Writes the game to a file; why not, if that cannot be. A file that is no save stays as it is."""
        from rulewright.errors import RulesError, SaveError

        target = os.path.expanduser(path)
        try:
            if os.path.isfile(target) and not _is_save(target):
                return self.say("'{path}' is there already, and is no saved game", path=path)
            self.game.save(target)
        except OSError as error:
            return self.say("cannot write '{path}': {why}", path=path, why=error.strerror or error)
        except (SaveError, RulesError, ValueError) as error:
            return str(error)
        self.file, self.saved = path, self.game.choices
        return None

    @property
    def suggested_file(self) -> str:
        """Where to save: where the game is kept, else where there is no other."""
        name = self.game.rules.id
        free = (each for number in itertools.count(1) if not os.path.exists(each := f"{name}.save" if number == 1 else f"{name}_{number}.save"))
        return self.file or next(free)

    @property
    def unsaved(self) -> bool:
        """Whether something would be lost."""
        return not self.over and self.game.choices != self.saved

    # -- rules and reasons

    def meant(self, words: str, table: Table) -> str | None:
        """The id of what somebody names: an id, a label, or the number of an option. Only what is on the table and actions can be meant."""
        words = words.strip()
        options = table.decision.options if isinstance(table.decision, Decision) else []
        if words.isdecimal() and 0 < int(words) <= len(options):
            choice = options[int(words) - 1]
            return choice.rule or (choice.about[0] if choice.about else choice.id)
        wanted = words.lower()
        known: dict[str, str] = {}
        for found in (table.things, table.board.spots, table.board.links, table.places, table.tracks, table.seats):
            known |= {identity: each.label.lower() for identity, each in found.items()}
        known |= {path: self.layout.words.action(path).lower() for path in self.game.rules.graph["actions"]}
        exact = (identity for identity, label in known.items() if wanted in (identity.lower(), label))
        return next(exact, None) or (next((identity for identity, label in known.items() if label.startswith(wanted)), None) if wanted else None)

    def rule(self, name: str, table: Table) -> list[Rule]:
        """The rule behind something on the table, or of any name of the rules."""
        thing = table.things.get(name)
        if thing is not None and thing.hidden:
            return rule_of(self.game.rules, thing.kind) if thing.kind else []
        spot = table.board.spots.get(name)
        if spot is not None and spot.cover and (cover := table.things[spot.cover]) and not cover.hidden:
            return rule_of(self.game.rules, cover.name)
        return rule_of(self.game.rules, name) or rule_of(self.game.rules, name.lower().replace(" ", "_"))

    def why_not(self, name: str | None, table: Table) -> list[Refusal]:
        """Why actions are not offered: all of them, those of a thing, or that something cannot be chosen now."""
        if self.seat is None or not isinstance(table.decision, Decision) or not table.decision.mine or table.decision.player == 0:
            return []
        if name is None:
            return refusals(self.game, self.seat, language=self.language)
        thing = table.things.get(name)
        if thing is None and name not in table.board.spots and (of_action := action_refusals(self.game, self.seat, name, self.language)) is not None:
            return of_action
        if thing is not None and thing.hidden:
            return []
        spot = table.board.spots.get(name)
        of_cover = (
            refusals(self.game, self.seat, spot.cover, self.language)
            if spot is not None and spot.cover and not table.things[spot.cover].hidden
            else []
        )
        found = [*refusals(self.game, self.seat, name, self.language), *of_cover]
        chooses = table.decision.kind != "action" and (thing is not None or spot is not None)
        if not found and chooses and (reasons := why_not(self.game, self.seat, name, self.language)):
            label = thing.label if thing is not None else spot.label if spot is not None else name
            found.append(Refusal(name, label, [name], reasons))
        return found


def _is_save(path: str) -> bool:
    """Whether a file begins as saves do, or has nothing in it."""
    with open(path, "rb") as stream:
        begins = stream.read(64)
    return not begins or b'"rulewright save"' in begins


def has_secrets(game: Game) -> bool:
    """Whether a game can hide anything from anybody."""
    graph, open_to_all = game.rules.graph, (None, {"op": "const", "value": "everyone"})
    places = any(place["seen_by"] not in open_to_all for place in graph["places"].values())
    fields = any(field["seen_by"] not in open_to_all for kind in graph["kinds"].values() for field in kind["fields"].values())
    return places or fields or any(kind.get("hidden_while") is not None for kind in graph["kinds"].values())


def usual_bot(rules: Rules) -> str:
    """What `bot` stands for: one that thinks where the game is small, else one that does anything."""
    return "mcts" if len(rules.program.blocks) <= SMALL else "random"


def chairs_of(given: str | None, low: int, high: int, wanted: int | None, seed: int, usual: str = "random") -> list[Chair]:
    """Who sits where: `--seats me,bot,mcts:200,ann`; without it one person and as many bots as it takes. `usual` is what `bot` stands for."""
    from rulewright.bots import UnknownBot, make_bot

    names = [name.strip() for name in given.split(",")] if given else [ME, *[BOT] * ((max(low, min(2, high)) if wanted is None else wanted) - 1)]
    if given and wanted is not None and len(names) != wanted:
        raise click.UsageError(f"--seats names {len(names)} seats, --players {wanted}")
    count = len(names) if given or wanted is None else wanted
    if not low <= count <= high:
        raise click.UsageError(f"this is for {low if low == high else f'{low} to {high}'} players, not {count}")
    chairs = []
    for number, name in enumerate(names, start=1):
        kind = name.partition(":")[0]
        if not name or not all(char.isalnum() or char in " _-:." for char in name):
            raise click.UsageError(
                f"--seats: '{name}' is no name for a seat; write me, bot, the name of a bot (random, first, mcts:200) or that of a person"
            )
        try:
            bot = make_bot(usual if name == BOT else name, seed * 64 + number) if kind in (BOT, "random", "first", "mcts") else None
        except UnknownBot as error:
            raise click.UsageError(f"--seats: {error}") from None
        chairs.append(Chair(number, name, bot))
    return chairs
