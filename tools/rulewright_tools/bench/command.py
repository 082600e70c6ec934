"""The command line of `rulewright bench`.

Takes names of rulesets (by default the examples and all that have a rulebook of their own) and prints tables, or one JSON document. Everything is measured in
one process on one core; compare figures of one run with each other, not with those of another day.

Python's garbage collector is left on, but what has been loaded is put out of its sight (`gc.freeze`): else games of one ruleset would be charged for the
graphs of all the others. A program that plays many games may well do the same.
"""

from __future__ import annotations

import gc
import json
import platform
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from time import process_time as now
from typing import Any

import click

from rulewright_tools.loading import load_rules
from rulewright_tools.progress import progress

ENGINES = ("wasm", "step")  # those that are measured

PLAYERS = 4  # or as many as may play
ROUNDS = 5


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--rounds", type=click.IntRange(min=1), default=ROUNDS, metavar="N", show_default=True, help="How often everything takes its turn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(names: tuple[str, ...], rounds: int, as_json: bool) -> None:
    """Measure how fast games are played, and what single operations cost.

    The example games are measured beside the same games in plain Python; those ratios are what one machine can tell another.
    """
    with progress("measuring") as tell:
        found = measured(names or _usual(), rounds, not names, tell.now)
    click.echo(json.dumps(found, indent=1) if as_json else in_tables(found), nl=as_json)


def _usual() -> list[str]:
    """The rulesets that are measured if nobody names any: the small ones first."""
    from rulewright.sources.locate import known_rulesets

    there = known_rulesets()
    examples = [name for name, path in there.items() if path.parent.name == "examples"]
    return [*examples, *(name for name, path in there.items() if (path / "rulebook.yaml").is_file())]


def measured(names: Sequence[str], rounds: int, flat: bool, tell: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """Everything there is to know about some rulesets; `tell` hears what is being measured."""
    from rulewright_tools.bench import by_hand, flatness, subjects

    playing, acting, loading, memory = [], [], [], []
    for given in names:
        for engine in _engines():
            tell(f"reading {given} for {engine}")
            begin = now()
            rules = load_rules(given, (), {}, engine)
            name, read = rules.id, now() - begin
            low, high = rules.players
            players = min(max(PLAYERS, low), high)
            loading.append({"ruleset": name, "engine": engine, "read": read, **subjects.compiling(rules, players)})
            playing += subjects.playouts(name, rules, players)
            acting += subjects.operations(name, rules, players, engine)
            memory.append({"ruleset": name, "engine": engine, "players": players, **subjects.memory(rules, players)})
        if name in by_hand.GAMES:
            playing.append(subjects.handwritten(name))
    gc.collect()
    gc.freeze()
    played = subjects.rates(playing, rounds, tell)
    by_hands = {each["ruleset"]: each["playouts"] for each in played if each["engine"] == "by hand"}
    for each in played:
        base = by_hands.get(each["ruleset"])
        each["µs_a_decision"] = 1e6 / each["decisions"] if each["decisions"] else None
        each["of_by_hand"] = each["playouts"] / base if base else None
    done: dict[tuple[str, str], dict[str, Any]] = {}
    for each in subjects.rates(acting, rounds, tell):
        done.setdefault((each["ruleset"], each["engine"]), {}).update(each)
    found: dict[str, Any] = {"python": f"{platform.python_implementation()} {platform.python_version()}", "rounds": rounds}
    found |= {"playing": played, "operations": list(done.values()), "loading": loading, "memory": memory}
    if flat:
        tell("starting, long games, and games with a full box")
        found["starting"] = [{"ruleset": each, **subjects.start(each)} for each in names]
        found["length"] = [flatness.by_length(engine) for engine in _engines()]
        found["crowd"] = [flatness.by_crowd(engine) for engine in _engines()]
    gc.unfreeze()
    return found


def _engines() -> list[str]:
    """The engines that are there: the module needs wasmtime."""
    return [engine for engine in ENGINES if engine != "wasm" or find_spec("wasmtime") is not None]


# -- tables

TITLES = {
    "playing": "Random games, a second of processor time: decided inside the module, by the positions of options, with options read and handed back",
    "operations": "Operations on a running game, a second (and how long one takes)",
    "loading": "Loading, in seconds",
    "memory": "Memory of a game in bytes: new, and after some decisions with all that undo needs",
    "starting": "From the start of `run` to the first line of a game, in seconds",
    "length": "Decisions a second in the first and the last tenth of a long game",
    "crowd": "Decisions a second with more and more components in the box",
}


def in_tables(found: dict[str, Any]) -> str:
    """The figures for people."""
    shown = {**found, "operations": [{name: _timed(name, part) for name, part in row.items()} for row in found["operations"]]}
    head = f"{found['python']}, median of {found['rounds']} {'round' if found['rounds'] == 1 else 'rounds'}\n\n"
    return head + "\n".join(f"{title}\n{_table(shown[name])}" for name, title in TITLES.items() if shown.get(name))


def _timed(name: str, rate: Any) -> Any:
    """How often something is done in a second, and how long it takes."""
    if not isinstance(rate, float):
        return rate
    micro = 1e6 / rate
    return f"{rate:,.0f} ({micro:,.0f} µs)" if micro < 10_000 else f"{rate:,.0f} ({micro / 1000:,.0f} ms)"


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
