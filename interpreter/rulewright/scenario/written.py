"""Scenario files as they are written: YAML to `Scenario` records in which every text knows its place.

Takes the path of a file, gives its scenarios and complaints. Refuses whatever the YAML reader and `schemas/scenario.schema.json` refuse, and openings that
there are not (see `openings`). What the statements and expressions mean is not looked at here; that takes a ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rulewright.diagnostics import Diagnostic, Span, whole_file
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.scenario.openings import Openings
from rulewright.scenario.places import Written
from rulewright.sources.document import Node
from rulewright.sources.locate import shown
from rulewright.sources.yamlfile import read_yaml

DEFAULT_SEED = 1
UNARRANGED = ("new", "bare")
PLAYERS = ("player", "winners", "losers", "eliminated")
SEAT = re.compile(r"seat ([1-9][0-9]?)")


class Named(msgspec.Struct, frozen=True):
    """A name, a text or the number of a player, and its place."""

    name: str | int
    span: Span


class Pick(msgspec.Struct, frozen=True):
    """A choice: what is chosen, and who must be the one to choose (from 1; None for whoever it is)."""

    option: str | int
    player: int | None
    span: Span
    chooser: Named | None = None


class Chance(msgspec.Struct, frozen=True):
    """What chance is told: answers for whatever asks next, and answers for what has a name."""

    answers: tuple[Any, ...]
    named: tuple[tuple[Named, tuple[Any, ...]], ...]
    span: Span


class Seat(msgspec.Struct, frozen=True):
    """Who sits at a seat: the number of the player, the name of the part, where both stand."""

    player: Named
    part: str
    span: Span


class Check(msgspec.Struct, frozen=True):
    """Something that must be true: `is` for an expression, else the key it is written under. `names` and `players` are those it speaks of."""

    how: str
    value: Any
    span: Span
    written: Written | None = None
    player: int | None = None
    names: tuple[Named, ...] = ()
    players: tuple[Named, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One thing that happens, or a group of checks; exactly one of the lists is filled."""

    name: str
    span: Span
    do: tuple[Written, ...] = ()
    choose: tuple[Pick, ...] = ()
    chance: Chance | None = None
    checks: tuple[Check, ...] = ()


class Cited(msgspec.Struct, frozen=True):
    """A rule that a scenario shows."""

    id: str
    span: Span


class Scenario(msgspec.Struct, frozen=True):
    """One scenario."""

    name: str
    path: Path
    file: str
    span: Span  # of its name
    whole: Span
    cites: tuple[Cited, ...]
    ruleset: str | None
    layers: tuple[str, ...]
    options: dict[str, Any]
    players: int | None
    seed: int
    start: str
    seats: tuple[Seat, ...]
    setup: tuple[Pick | Chance, ...]
    steps: tuple[Step, ...]
    places: dict[str, Span]
    texts: dict[str, str]


def load_scenarios(path: str | Path, limits: Limits = DEFAULT_LIMITS, texts: dict[str, str] | None = None) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios of a file, and what is wrong with it; `texts` keeps its text for showing."""
    texts = {} if texts is None else texts
    name = shown(path)
    document, problems = read_yaml(Path(path), name, "scenario", limits, texts=texts)
    if document is None:
        return [], problems
    openings = Openings(Path(path), document.root, limits, texts)
    reader = _Reader(Path(path), name, openings)
    return list(reader.scenarios(document.root)), [*problems, *openings.problems]


def player_number(value: str | int) -> int:
    """The number of a player who is written as 2 or player_2."""
    return value if isinstance(value, int) else int(value.removeprefix("player_"))


class _Reader:
    """Makes scenarios of the nodes of one file."""

    def __init__(self, path: Path, file: str, openings: Openings) -> None:
        self.path = path
        self.file = file
        self.openings = openings

    def scenarios(self, root: Node) -> Iterator[Scenario]:
        if "scenarios" in root.items:
            for node in root.items["scenarios"].items.values():
                yield self.scenario(node, root)
        elif "then" in root.items:
            yield self.scenario(root, None)

    def scenario(self, node: Node, shared: Node | None) -> Scenario:
        """One scenario; its opening comes first, then what is written beside all of them, or holds where it says nothing."""
        written = [node] if shared is None else [shared, node]
        nodes = [*self.openings.before(written), *written]
        values: dict[str, Node] = {str(key): child for each in nodes for key, child in each.items.items()}
        places = {str(key): _place(each, key) for each in nodes for key in each.items}
        places |= {f"{key}.{part}": child.span for key in ("layers", "options") if key in values for part, child in values[key].items.items()}
        places |= {f"options.{name} key": span for name, span in values["options"].keys.items()} if "options" in values else {}

        def plain(key: str, otherwise: Any = None) -> Any:
            return values[key].data if key in values else otherwise

        given = [written for each in nodes if "given" in each.items for written in self.statements(each.items["given"])]
        cites = [Cited(str(one.data), one.span) for each in nodes if "cites" in each.items for one in each.items["cites"].items.values()]
        steps = [Step("given", written.span, do=(written,)) for written in given]
        if "when" in values:
            steps += [self.step(one, number) for number, one in enumerate(values["when"].items.values(), start=1)]
        steps.append(Step("then", values["then"].span, checks=tuple(self.checks(values["then"]))))
        # A set-up that is written for all scenarios is not for those that begin without one.
        without = plain("start") in UNARRANGED and "setup" not in node.items and "start" in node.items
        setup = self.arranged(values["setup"]) if "setup" in values and not without else []
        return Scenario(
            name=plain("name"), path=self.path, file=self.file, span=values["name"].span, whole=node.span, cites=tuple(cites), ruleset=plain("ruleset"),
            layers=tuple(plain("layers", ())), options=plain("options", {}), players=plain("players"), seed=plain("seed", DEFAULT_SEED),
            start=plain("start", "play"), seats=tuple(self.seats(nodes, values)), setup=tuple(setup), steps=tuple(steps), places=places,
            texts=self.openings.texts,
        )  # fmt: skip

    # -- parts

    def text(self, node: Node) -> Written:
        return Written(str(node.data), node.span, self.openings.lines(node.span.file))

    def seats(self, nodes: Sequence[Node], values: Mapping[str, Node]) -> Iterator[Seat]:
        """Who sits where, in the order of the seats."""
        keys = {key: span for node in nodes for key, span in node.keys.items()}
        found = {int(seat[1]): key for key in values if (seat := SEAT.fullmatch(key))}
        for number, key in sorted(found.items()):
            yield Seat(Named(number, keys[key]), str(values[key].data), values[key].span)

    def arranged(self, node: Node) -> list[Pick | Chance]:
        """What happens in a set-up: choices, and what chance is told."""
        if isinstance(node.data, list):
            return [each for item in node.items.values() for each in self.arranged(item)]
        if isinstance(node.data, dict) and "chance" in node.data:
            return [self.chance(node.items["chance"])]
        return [*self.picks(node)]

    def chance(self, node: Node) -> Chance:
        """Answers for whatever asks next; in a mapping, for what has that name."""
        if not isinstance(node.data, dict):
            return Chance(_several(node.data), (), node.span)
        named = [(Named(str(key), node.keys[str(key)]), _several(child.data)) for key, child in node.items.items()]
        return Chance((), tuple(named), node.span)

    def statements(self, node: Node) -> list[Written]:
        return [self.text(each) for each in self.each(node)]

    def step(self, node: Node, number: int) -> Step:
        key, child = next(iter(node.items.items()))
        name, span = f"when {number}: {key}", child.span
        match key:
            case "do":
                return Step(name, span, do=tuple(self.statements(child)))
            case "choose":
                return Step(name, span, choose=tuple(self.picks(child)))
            case "chance":
                return Step(name, span, chance=self.chance(child))
        return Step(name, span, checks=tuple(self.checks(child)))

    def picks(self, node: Node) -> list[Pick]:
        """One choice or several, with or without the player."""
        if isinstance(node.data, list):
            return [pick for each in node.items.values() for pick in self.picks(each)]
        if not isinstance(node.data, dict):
            return [Pick(node.data, None, node.span)]
        if "option" in node.data:
            return self.picks_of(node.items["option"], self.player(node.items["player"]) if "player" in node.data else None)
        return [pick for key, child in node.items.items() for pick in self.picks_of(child, Named(player_number(key), node.keys[str(key)]))]

    def picks_of(self, node: Node, who: Named | None) -> list[Pick]:
        player = None if who is None else int(who.name)
        return [Pick(each.data, player, each.span, who) for each in self.each(node)]

    def player(self, node: Node) -> Named:
        return Named(player_number(node.data), node.span)

    def each(self, node: Node) -> list[Node]:
        """The items of a list; what is no list is its only item."""
        return [*node.items.values()] if isinstance(node.data, list) else [node]

    def checks(self, node: Node) -> Iterator[Check]:
        for each in self.each(node):
            if not isinstance(each.data, dict):
                yield Check("is", each.data, each.span, self.text(each))
                continue
            key, child = next(iter(each.items.items()))
            parts = child.items if isinstance(child.data, dict) else {}
            said = parts.get("says", child)
            what = self.text(parts["what"]) if "what" in parts else None
            players = tuple(self.player(one) for name, part in parts.items() if name in PLAYERS for one in self.each(part))
            player = int(players[0].name) if "says" in parts else None
            names = tuple(Named(one.data, one.span) for one in self.each(parts.get("action", said)) if not isinstance(one.data, dict))
            yield Check(str(key), said.data, child.span, what, player, names, players)


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _place(node: Node, key: str | int) -> Span:
    """Where the value of a key stands; of what has several parts, where the key does."""
    value = node.items[key]
    return node.keys[str(key)] if isinstance(value.data, dict | list) or value.span.end_line > value.span.line else value.span


def start_of(scenario: Scenario, key: str) -> Span:
    """The place of what a key of a scenario says; of its name where it does not have the key."""
    return scenario.places.get(key, scenario.span if scenario.span.file else whole_file(scenario.file))
