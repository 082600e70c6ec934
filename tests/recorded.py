"""Recorded games: what came of random games of many small rulesets, so that a change of what anything means is seen.

A game is recorded as marks, two characters a decision. The mark of a decision depends on who decides among what, on everything that was logged until then
and, at the end, on what everybody sees and on the result, or on the words of an error: games that part once stay apart. `python -m tests.recorded` records all
games of `recorded.json` anew, which is right only where something was meant to change, and names those that did.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from pathlib import Path

from rulewright import Rules, RulesError, load
from tests import subjects, test_engine_semantics, test_language, test_small_rulesets
from tests.playing import rules_of
from tests.random_rules import random_rules

FILE = Path(__file__).with_suffix(".json")
SUBJECTS: dict[str, str | Path] = {
    **{f"random {seed}": random_rules(seed) for seed in range(60)},
    **{f"semantics: {name}": test_engine_semantics.TABLE + case.rules for name, case in test_engine_semantics.CASES.items()},
    **{f"case: {name}": test_small_rulesets.TABLE + case[0] for name, case in test_small_rulesets.CASES.items()},
    **{f"small: {name}": text for name, text in subjects.SMALL.items()},
    **{f"language: {test_language.name(case)}": test_language.entry(case) for case in test_language.cases("good")},
}
MOST = 60  # decisions of a game


def played(rules: Rules, players: int, seed: int, most: int = MOST) -> str:
    """The marks of one random game."""
    chain, marks, dice = hashlib.blake2b(digest_size=8), [], random.Random(seed)

    def mark(*seen: object) -> None:
        chain.update(repr(seen).encode())
        marks.append(chain.hexdigest()[:2])

    try:
        game = rules.new_game(players, seed)
        since = 0
        for _ in range(most):
            mark(game.decision, game.entries(since))
            since = game.log_length
            if game.decision is None:
                break
            game.choose(dice.randrange(len(game.decision.options)))
        mark(game.result, [game.view(player) for player in range(1, players + 1)], game.log(everything=True))
    except RulesError as error:
        mark(str(error), error.span and error.span[1:])
    return "".join(marks)


def games(rules: Rules) -> dict[str, str]:
    """The marks of the games of a ruleset: for as few as can play it and for three, twice."""
    low, high = rules.players
    return {f"{players} players, seed {seed}": played(rules, players, seed) for players in sorted({low, min(high, 3)}) for seed in range(2)}


def ruleset(name: str, folder: Path) -> Rules:
    """The ruleset of that name."""
    subject = SUBJECTS[name]
    return rules_of(folder, subject, engine="step") if isinstance(subject, str) else load(subject, engine="step")


def recorded() -> dict[str, dict[str, str]]:
    """The games as they were recorded."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def record() -> None:
    """Play all of them, and keep what comes of it."""
    before = recorded() if FILE.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        after = {name: games(ruleset(name, Path(folder))) for name in SUBJECTS}
    FILE.write_text(json.dumps(after, indent=1) + "\n", encoding="utf-8")
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            print(name)


if __name__ == "__main__":
    record()
