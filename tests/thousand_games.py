"""Many random games of a ruleset, to see that all end by its rules: `python tests/thousand_games.py base --games 1000 --jobs 2`.

The games are spread over every number of players and every combination of the ruleset's options. While one is played, and at its end, every component must be in
exactly one place. Random players seldom do what it takes to win; `--prefer PATTERN` makes them take what they want most if it is offered. What is printed: how the games ended (the rule that ended them, what it cites, and what the log said about it), how long they were, who won, the
values of `--measure` expressions at the end, and every game that did not end as it should. Exit 1 if there is such a game. Interrupted, it tells of the games so far.
"""

from __future__ import annotations

import fnmatch
import itertools
import json
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import Any

import click
import msgspec

from rulewright import Game, Rules, RulesError, load
from rulewright.bots import Bot, make_bot
from rulewright.decision import Decision
from rulewright.fragment import Fragments, Part
from rulewright.game.log_text import causes
from rulewright.scenario.board import Board
from rulewright.scenario.report import valued
from rulewright_tools.loading import load_rules, refuse
from rulewright_tools.progress import progress
from rulewright_tools.validate import _read_options

MOST = 20_000
EVERY = 50
SHOWN = 12


class Mode(msgspec.Struct, frozen=True):
    """A ruleset, its layers and a value for every option, and what is asked of games of it."""

    ruleset: str
    layers: tuple[str, ...]
    options: tuple[tuple[str, object], ...]
    bot: str
    wishes: tuple[str, ...]
    measures: tuple[str, ...]


class Played(msgspec.Struct, frozen=True):
    """What came of one game. `trouble` says why it is none that ended by the rules."""

    options: dict[str, object]
    players: int
    seed: int
    decisions: int
    seconds: float
    cause: str = ""
    cites: tuple[str, ...] = ()
    words: str = ""
    winners: int = 0
    measured: dict[str, str] = {}
    trouble: str | None = None


# -- playing


class Wishful:
    """A bot that is asked only about the options that fit the first wish that any fits, if one does. A wish is a pattern of an option's id, such as 'room_*'."""

    def __init__(self, bot: Bot, wishes: Sequence[str]) -> None:
        self.bot = bot
        self.wishes = wishes

    def choose(self, game: Game, decision: Decision) -> str:
        """The id of an option."""
        for wish in self.wishes:
            if wanted := tuple(option for option in decision.options if fnmatch.fnmatchcase(option.id, wish)):
                decision = msgspec.structs.replace(decision, options=wanted)
                break
        return self.bot.choose(game, decision)


def play_mode(task: tuple[Mode, list[tuple[int, int]]]) -> list[Played]:
    """Play the games of a mode: numbers of players, and seeds."""
    mode, games = task
    rules = load(mode.ruleset, mode.layers, dict(mode.options), engine="step")
    parts = read_measures(rules, mode.measures)
    return [play(rules, mode, parts, players, seed) for players, seed in games]


def read_measures(rules: Rules, measures: Iterable[str]) -> list[Part]:
    """The expressions that are evaluated at the end of a game."""
    reader, parts = Fragments(rules.built), []
    for text in measures:
        core, of, problems = reader.expression(text, "--measure")
        if core is None or of is None or problems:
            raise ValueError(f"--measure '{text}': {problems[0].message if problems else 'cannot be read'}")
        parts.append(Part(text, core, of))
    return parts


def play(rules: Rules, mode: Mode, parts: list[Part], players: int, seed: int) -> Played:
    """One game to its end."""
    begin, decisions, trouble = time.process_time(), 0, None
    game: Any = None
    try:
        game = rules.new_game(players, seed=seed)
        bots = [Wishful(make_bot(mode.bot, seed * 100 + seat), mode.wishes) for seat in range(1, players + 1)]
        while (asked := game.decision) is not None and decisions < MOST:
            game.choose(bots[asked.player - 1].choose(game, asked))
            decisions += 1
            if decisions % EVERY == 0:
                check_conserved(game)
        check_conserved(game)
        trouble = None if game.state.ended else "it came to no end" if asked is None else f"it goes on after {MOST:,} decisions"
    except RulesError as error:
        trouble = f"an error of the rules: {error}"
    except Exception as error:
        trouble = f"{type(error).__name__}: {error}"
    made = Played(dict(mode.options), players, seed, decisions, time.process_time() - begin, trouble=trouble)
    if trouble is not None or game is None or game.result is None:
        return made
    cause, cites, words = ending(game)
    measured = dict(valued(Board(game, {}), parts))
    return msgspec.structs.replace(made, cause=cause, cites=cites, words=words, winners=len(game.result.winners), measured=measured)


def check_conserved(game: Game) -> None:
    """Every component is in exactly one place, and none has come or gone."""
    placed = sorted((member, place) for place, members in enumerate(game.state.members) for member in members)
    if placed != list(enumerate(game.state.where)) or len(placed) != game.world.count:
        raise AssertionError("a component is not in exactly one place")


def ending(game: Any) -> tuple[str, tuple[str, ...], str]:
    """The rule that ended a game, what it cites, and the last words before: messages by rules of the same chapters since somebody chose."""
    entries = game.entries()
    at = next((number for number, entry in enumerate(entries) if entry["kind"] == "end"), None)
    if at is None:
        return "the last phase is over", (), ""
    unit = entries[at]["cause"]
    cites = causes(game.world, unit)[1]
    words: list[str] = []
    for entry in reversed(entries[:at]):
        if entry["kind"] == "choice":
            break
        related = entry["cause"] == unit or chapters(causes(game.world, entry["cause"])[1]) & chapters(cites)
        if entry["kind"] == "message" and related:
            words.insert(0, without_names(game, entry["text"]))
    return unit, tuple(cites), " ".join(words)


def without_names(game: Game, text: str) -> str:
    """A message with kinds where the rules put in the name of a component."""
    kinds = {game.world.labels[component]: game.world.kinds[component] for component in range(game.world.count)}
    for pattern in templates(game.rules):
        if found := pattern.fullmatch(text):
            spans = [found.span(number) for number in range(1, pattern.groups + 1) if found[number] in kinds]
            for begin, end in reversed(spans):
                text = f"{text[:begin]}[{kinds[text[begin:end]]}]{text[end:]}"
            return text
    return text


@lru_cache(maxsize=1)  # rules are forgotten with their last game
def templates(rules: Rules) -> list[re.Pattern[str]]:
    """What the rules may say, a group for each name that they put in; the longest first."""
    found = []
    for node in rules.graph["nodes"].values():
        if node["op"] == "log" and (said := node["text"])["op"] == "text":
            found.append("".join(re.escape(part) if isinstance(part, str) else "(.*)" for part in said["parts"]))
    return [re.compile(pattern) for pattern in sorted(set(found), key=lambda pattern: (-len(pattern), pattern))]


def chapters(cites: Iterable[str]) -> set[str]:
    """Ids of rules without their numbers."""
    return {cited.rpartition(".")[0] for cited in cites}


# -- spreading games over modes


def tasks(rules: Rules, mode: Mode, given: dict[str, object], games: int, seed: int) -> list[tuple[Mode, list[tuple[int, int]]]]:
    """So many games, spread evenly over the combinations of options and the numbers of players."""
    assert rules.built.linked is not None
    choices = {name: values for name, values in rules.built.linked.option_values.items() if name not in given}
    low, high = rules.players
    combinations = [tuple(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())]
    every = [(options, players) for players in range(low, high + 1) for options in combinations]
    picked = (
        [every[number * len(every) // games] for number in range(games)]
        if games < len(every)
        else list(itertools.islice(itertools.cycle(every), games))
    )
    found: dict[tuple[tuple[str, object], ...], list[tuple[int, int]]] = {}
    for number, (options, players) in enumerate(picked):
        found.setdefault((*given.items(), *options), []).append((players, seed + number))
    return [(msgspec.structs.replace(mode, options=options), some) for options, all_of in found.items() for some in batches(all_of)]


def batches(games: list[tuple[int, int]], size: int = 25) -> Iterator[list[tuple[int, int]]]:
    """Portions for one process."""
    for begin in range(0, len(games), size):
        yield games[begin : begin + size]


def play_all(todo: list[tuple[Mode, list[tuple[int, int]]]], games: int, jobs: int, file: Path | None) -> list[Played]:
    """Everything that is to be played, or what has been played when somebody interrupts; modes in any order, and the file kept up to date."""
    played: list[Played] = []
    random.Random(games).shuffle(todo)
    with Pool(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool, progress("games played") as tell:
        try:
            for found in pool.imap_unordered(play_mode, todo):
                played = sorted(played + found, key=lambda game: game.seed)
                if file is not None:
                    file.write_text(json.dumps(msgspec.to_builtins(played), indent=1), encoding="utf-8")
                tell(len(played), games)
        except KeyboardInterrupt:
            pool.terminate()
    return played


# -- telling


def report(played: Sequence[Played]) -> str:
    """Tables of what came of the games."""
    ended = [game for game in played if game.trouble is None]
    blocks = [_summary(played, ended), _endings(ended), _counts("winners", [str(game.winners) for game in ended])]
    for text in ended[0].measured if ended else ():
        blocks.append(_counts(text, [game.measured[text] for game in ended]))
    blocks.append(_by("players", [(str(game.players), game) for game in ended]))
    for name in played[0].options:
        blocks.append(_by(name, [(str(game.options[name]), game) for game in ended]))
    troubles = [game for game in played if game.trouble is not None]
    if troubles:
        lines = [f"  {game.players} players, seed {game.seed}, {game.options}, decision {game.decisions}: {game.trouble}" for game in troubles]
        blocks.append("\n".join(["did not end by the rules:", *lines]))
    return "\n\n".join(blocks)


def _summary(played: Sequence[Played], ended: Sequence[Played]) -> str:
    decisions = [game.decisions for game in ended] or [0]
    length = f"{min(decisions)} to {max(decisions)} decisions, median {median(decisions):.0f}"
    return f"{len(played)} games, {len(ended)} ended by the rules, {len(played) - len(ended)} did not; {length}; {sum(game.seconds for game in played):.0f} s"


def _endings(ended: Sequence[Played]) -> str:
    """By the rule that ended the game, and below it by what the log said."""
    lines = ["ended by"]
    for (cause, cites), number in Counter((game.cause, game.cites) for game in ended).most_common():
        lines.append(f"{number:6}  {cause.removeprefix('hook ')}" + (f" ({', '.join(cites)})" if cites else ""))
        words = Counter(game.words for game in ended if game.cause == cause).most_common()
        lines += [f"{times:14}  {text}" for text, times in words[:SHOWN] if text]
        if len(words) > SHOWN:
            lines.append(f"{sum(times for _, times in words[SHOWN:]):14}  otherwise")
    return "\n".join(lines)


def _counts(title: str, values: Sequence[str]) -> str:
    found = sorted(Counter(values).items(), key=lambda pair: (len(pair[0]), pair[0]))
    return "\n".join([f"{title} at the end", *(f"{number:6}  {value}" for value, number in found)])


def _by(title: str, games: Sequence[tuple[str, Played]]) -> str:
    lines = [f"by {title}"]
    for value in dict.fromkeys(value for value, _ in games):
        group = [game for of, game in games if of == value]
        won = sum(game.winners > 0 for game in group)
        lines.append(f"{len(group):6}  {value}: median {median(game.decisions for game in group):.0f} decisions, {won} with a winner")
    return "\n".join(lines)


@click.command()
@click.argument("ruleset", default="base")
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top; may be repeated.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", callback=_read_options, help="Only games with this; may be repeated.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 64), help="How many processes play.")
@click.option("--bots", "bot", default="random", show_default=True, help="Who plays: random, first or mcts:N.")
@click.option("--prefer", "wishes", multiple=True, metavar="PATTERN", help="What they take if it is offered: ids of options; the first counts most.")
@click.option("--seed", default=1, show_default=True, help="Of the first game; each has its own.")
@click.option(
    "--measure", "measures", multiple=True, metavar="EXPRESSION", help="To be evaluated at the end of each game, such as 'count of players'."
)
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write every game to this file.")
def main(
    ruleset: str, games: int, layers: tuple[str, ...], options: dict[str, object], jobs: int, bot: str, wishes: tuple[str, ...], seed: int,
    measures: tuple[str, ...], file: Path | None,
) -> None:  # fmt: skip
    """Play many games of a ruleset and show how they end."""
    rules = load_rules(ruleset, layers, options)
    try:
        read_measures(rules, measures)
        make_bot(bot, 0)
    except ValueError as error:
        refuse(str(error))
    played = play_all(tasks(rules, Mode(ruleset, layers, (), bot, wishes, measures), options, games, seed), games, jobs, file)
    if not played:
        refuse("no game was played to its end")
    click.echo(report(played))
    sys.exit(any(game.trouble is not None for game in played))


if __name__ == "__main__":
    main()
