"""Damaged saves and cache files, as many as one likes: `python -m tests.fuzz_core 10000`. Each is refused in so many words, or is a game that is sound and goes on."""

from __future__ import annotations

import copy
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rulewright import Rules, RulesError, SaveError, load
from rulewright.game import saving
from tests.playing import rules_of
from tests.random_rules import NEWER, random_rules

ENGINES = ("step", "wasm")
BIG, MANY = (("whist", 4), ("blight", 2), ("base", 2)), 500
SECONDS = 10  # for anything: the machine may be a slow one
VALUES: list[Any] = [None, True, -1, 0, 1, 7, 10**6, 2**31, 2**40, -(2**70), 0.5, "", "x", "play", "player_1", [], [0], [[]], {}, {"a": 1}]


class Subject(NamedTuple):
    """A ruleset on each engine, and saves of games of it."""

    engines: list[Rules]
    saves: list[dict[str, Any]]


def ways(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all parts of some data; of long lists, to some."""
    found = [way] if way else []
    if isinstance(data, dict):
        for key in data:
            found += ways(data[key], (*way, key))
    elif isinstance(data, list):
        for number in {*range(min(len(data), 6)), *range(max(len(data) - 6, 0), len(data))}:
            found += ways(data[number], (*way, number))
    return found


def damaged(save: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """A save in which one to three things are otherwise, with a checksum that fits."""
    made = copy.deepcopy(save)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        every = [way for way in ways(made) if way[0] != "checksum"]
        part = dice.choice(("state", "log", None))
        way = dice.choice([way for way in every if part is None or way[0] == part] or every)
        inside: Any = made
        for key in way[:-1]:
            inside = inside[key]
        what = dice.random()
        if what < 0.15:
            del inside[way[-1]]
        elif what < 0.3 and isinstance(inside, list):
            inside.insert(way[-1], copy.deepcopy(dice.choice(inside)))
        elif what < 0.45:
            other: Any = made
            for key in dice.choice(every):
                other = other[key] if isinstance(other, dict | list) else other
            inside[way[-1]] = copy.deepcopy(other)
        elif what < 0.6 and type(inside[way[-1]]) is int:
            inside[way[-1]] += dice.choice((-1, 1, 2))
        else:
            inside[way[-1]] = copy.deepcopy(dice.choice(VALUES))
    made["checksum"] = saving.checksum({key: part for key, part in made.items() if key != "checksum"})
    return made


def sound(game: Any) -> None:
    """Everything is in exactly one place."""
    state = game.state
    assert [place for place, lying in enumerate(state.members) for _ in lying] == [state.where[each] for lying in state.members for each in lying]
    assert sorted(each for lying in state.members for each in lying) == list(range(game.world.count))


def go_on(rules: Rules, data: dict[str, Any], dice: random.Random) -> str:
    """What becomes of a save: refused, or a game that is played a little, looked at and saved again."""
    try:
        game: Any = rules.load_game(data, force=dice.random() < 0.5)
        sound(game)
        for _ in range(6):
            if (ask := game.decision) is None:
                break
            game.view(1)
            game.choose(dice.randrange(len(ask.options)))
            sound(game)
        game.log(1)
        again: Any = rules.load_game(game.save())
        assert again.decision == game.decision
    except SaveError:
        return "refused"
    except RulesError:
        return "an error of the rules"
    return "goes on"


def subjects(number: int, seed: int, folder: Path) -> Iterator[Subject]:
    """What is damaged: saves of a ruleset that is always the same, of some that are others for each seed, and, where there are many, of big ones."""
    texts = [random_rules(each) for each in (3, 500 + 2 * seed, 501 + 2 * seed, NEWER + 2 * seed, NEWER + 1 + 2 * seed)]
    for count, text in enumerate(texts):
        yield saved([rules_of(folder, text, f"random_{count}", engine=engine) for engine in ENGINES], 2, random.Random(seed))
    for name, players in BIG if number >= MANY else ():
        yield saved([load(name, engine=engine) for engine in ENGINES], players, random.Random(seed))


def saved(engines: list[Rules], players: int, dice: random.Random) -> Subject:
    """A ruleset on both engines, with saves from several moments of some games."""
    saves = []
    for start in range(4):
        game: Any = engines[1].new_game(players, seed=dice.randrange(1000))
        for _ in range(dice.randrange(1, 12 * start + 4)):
            if (ask := game.decision) is None:
                break
            game.choose(dice.randrange(len(ask.options)))
        saves.append(game.save())
    return Subject(engines, saves)


def fuzz_saves(number: int, seed: int, folder: Path) -> Counter[str]:
    """Damaged saves, by both engines in turns; gives how often what became of them. The biggest take longest, so they are a few."""
    dice, found = random.Random(seed), Counter[str]()
    every = list(subjects(number, seed, folder))
    for count in range(number):
        subject = dice.choices(every, [6] * (len(every) - 1) + [1])[0]
        data, begun = damaged(dice.choice(subject.saves), dice), time.process_time()
        try:
            found[go_on(subject.engines[count % 2], data, dice)] += 1
        except Exception:
            found["FAILED"] += 1
            print(f"FAILED: {subject.engines[count % 2].graph['ruleset']['id']} on {ENGINES[count % 2]}, the save of number {count}", file=sys.stderr)
            traceback.print_exc(limit=-4)
        found["SLOW"] += time.process_time() - begun > SECONDS
    return found


def fuzz_cache(number: int, seed: int) -> Counter[str]:
    """Damaged files of the cache: they are made anew, and games are as ever."""
    dice, found = random.Random(seed), Counter[str]()

    def played() -> Any:
        game: Any = load("tic_tac_toe", engine="wasm").new_game(2, seed=1)
        for _ in range(5):
            game.choose(0)
        return game.log(everything=True)

    expected = played()
    for _ in range(number):
        files = [path for path in Path(os.environ["RULEWRIGHT_CACHE"]).rglob("*") if path.is_file()]
        path = dice.choice(files)
        data = bytearray(path.read_bytes())
        what = dice.random()
        if what < 0.3:
            data = data[: dice.randrange(len(data) + 1)]
        elif what < 0.4:
            data = bytearray(dice.choice(files).read_bytes())
        else:
            for _ in range(dice.choice((1, 1, 5))):
                if data:
                    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)
        try:
            assert played() == expected
            found["made anew"] += 1
        except Exception:
            found["FAILED"] += 1
            traceback.print_exc(limit=-4)
    return found


def main() -> None:
    number, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULEWRIGHT_CACHE"] = str(Path(folder) / "cache")
        saves = fuzz_saves(number * 9 // 10, seed, Path(folder))
        print("saves:", dict(saves), flush=True)
        print("cache files:", dict(fuzz_cache(number - number * 9 // 10, seed)))


if __name__ == "__main__":
    main()
