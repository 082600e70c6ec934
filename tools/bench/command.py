"""The command line of `rulewright bench`.

Takes names of rulesets (by default all that there are of those worth measuring) and prints tables, or one JSON document. Everything is measured in
one process on one core; compare figures of one run with each other, not with those of another day.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import click

from tools.loading import ENGINES, load_rules

DEFAULT = ("tic_tac_toe", "connect_four", "base", "carnomorphs", "lockdown")
PLAYERS = 4  # or as many as may play
ROUNDS = 5


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--rounds", type=click.IntRange(min=1), default=ROUNDS, metavar="N", show_default=True, help="How often everything takes its turn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(names: tuple[str, ...], rounds: int, as_json: bool) -> None:
    """Measure how fast games are played, and what single operations cost.

    The two example games are measured beside the same games in plain Python; those ratios are what one machine can tell another.
    """
    found = measured(names or _known(DEFAULT), rounds, flat=not names)
    click.echo(json.dumps(found, indent=1) if as_json else in_tables(found), nl=as_json)


def _known(names: Sequence[str]) -> list[str]:
    """Those of some rulesets that there are."""
    from interpreter.sources.locate import known_rulesets

    there = known_rulesets()
    return [name for name in names if name in there]


def measured(names: Sequence[str], rounds: int, flat: bool) -> dict[str, Any]:
    """Everything there is to know about some rulesets."""
    from tools.bench import by_hand, flatness, subjects

    playing, acting, loading, memory = [], [], [], []
    for name in names:
        for engine in ENGINES:
            begin = time.perf_counter()
            rules = load_rules(name, (), {}, engine)
            loading.append({"ruleset": name, "engine": engine, "read": time.perf_counter() - begin, **subjects.compiling(rules)})
            low, high = rules.players
            players = min(max(PLAYERS, low), high)
            playing.append(subjects.playouts(name, rules, players, engine))
            acting += subjects.operations(name, rules, players, engine)
            memory.append({"ruleset": name, "engine": engine, "bytes": subjects.memory(rules, players)})
        if name in by_hand.GAMES:
            playing.append(subjects.handwritten(name))
    played = subjects.rates(playing, rounds)
    hand = {each["ruleset"]: each["decisions"] for each in played if each["engine"] == "by hand"}
    for each in played:
        each["of_by_hand"] = each["decisions"] / hand[each["ruleset"]] if each["ruleset"] in hand else None
    done: dict[tuple[str, str], dict[str, Any]] = {}
    for each in subjects.rates(acting, rounds):
        done.setdefault((each["ruleset"], each["engine"]), {}).update(each)
    found: dict[str, Any] = {"rounds": rounds, "playing": played, "operations": list(done.values()), "loading": loading, "memory": memory}
    if flat:
        found["length"] = [flatness.by_length(engine) for engine in ENGINES]
        found["crowd"] = [flatness.by_crowd(engine) for engine in ENGINES]
    return found


# -- tables

TITLES = {
    "playing": "Random games, a second (one core, options listed at every decision)",
    "operations": "Operations on a running game, a second",
    "loading": "Loading",
    "memory": "Memory of a running game",
    "length": "Decisions a second in the first and the last tenth of a long game",
    "crowd": "Decisions a second with more and more components in the box",
}


def in_tables(found: dict[str, Any]) -> str:
    """The figures for people."""
    return "\n".join(f"{title}\n{_table(found[name])}" for name, title in TITLES.items() if found.get(name))


def _table(rows: Sequence[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[name.replace("_", " ") for name in columns], *([_cell(row.get(name)) for name in columns] for row in rows)]
    widths = [max(len(line[number]) for line in cells) for number in range(len(columns))]
    return "".join(
        "  "
        + "  ".join(
            cell.ljust(width) if number < 2 else cell.rjust(width) for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        + "\n"
        for line in cells
    )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
