"""Mutants: copies of an effect graph in which one rule says something else.

Takes a graph, gives every `Mutant` of it. A mutant is one edit: a path into the graph and what stands there instead; `mutated` makes the changed graph, which
shares everything else with the original. Texts that people read (labels, prompts, messages, reasons) are left alone, and so is what a component, a place or a
board looks like: those are data, not rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright.core.graph import mappings
from rulewright.scenario.reach import Path, expressions_of
from rulewright.told import told, told_node

SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ORDERED = ("pile", "row")
ENDS = ("first", "last", "top", "bottom")
CONDITIONS = ("test", "until", "when")
# operations that are true or false because parts of them are
CARRIED = {"and": ("parts",), "or": ("parts",), "let": ("in",), "if": ("yes", "no")}
# Nothing in these is a rule: where a node leads (edited by removing nodes), names, and texts for people.
SKIPPED = frozenset({"next", "then", "else", "body", "span", "label", "prompt", "decline", "because", "text", "cites"})
# Without these nothing else makes sense, or nothing else changes.
KEPT = frozenset({"bind", "roll", "log"})
TEXTS = ("text", "shown")
NEVER = "never"


class Mutant(msgspec.Struct, frozen=True):
    """One change: where in the graph, what stands there instead, in words, and the paths of which one must be reached for the change to be noticed."""

    path: Path
    value: Any
    unit: str
    what: str
    reach: frozenset[Path]
    at: Path | None = None

    @property
    def place(self) -> Path:
        """The path of what is changed, for finding its place in the source."""
        return self.at or self.path

    @property
    def key(self) -> tuple[Path, str]:
        """What tells mutants apart, in every build of the same rules."""
        return self.path, self.what


def mutated(graph: dict[str, Any], mutant: Mutant) -> dict[str, Any]:
    """A graph with the change."""
    made = _edited(graph, mutant.path, mutant.value)
    assert isinstance(made, dict)
    return made


def _edited(value: Any, path: Path, new: Any) -> Any:
    """A copy in which one part is another; parts on the way are copied, all others shared."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _edited(value[path[0]], path[1:], new)  # type: ignore[index]  # a path fits its graph
    return copy


def mutants(graph: dict[str, Any], foreign: str) -> list[Mutant]:
    """Every mutant of a graph; nodes whose unit begins with the word `foreign` are not of the ruleset."""
    maker = _Maker(graph, foreign)
    found = [*maker.numbers(), *maker.effects(), *maker.values(), *maker.actions(), *maker.hooks(), *maker.nodes()]
    return list({mutant.key: mutant for mutant in found}.values())


class _Maker:
    """Makes the mutants of one graph."""

    def __init__(self, graph: dict[str, Any], foreign: str) -> None:
        self.graph = graph
        # What a track does when it is advanced is the language's, not a rule of the game.
        given = (f"{foreign} ", *(f"{track}." for track in graph["tracks"]))
        self.own = {name: node for name, node in dict.items(graph["nodes"]) if not name.startswith(given)}
        self.taken_from = set(_taken_from(self.own)) | set(_taken_from([expression for _, expression in expressions_of(graph)]))
        self.before = dict(self._leads())

    def _leads(self) -> Iterator[tuple[str, Path]]:
        """For each node that something leads to, the path of what does."""
        for table in ("effects", "actions", "costs", "hooks"):
            for name, unit in dict.items(self.graph[table]):
                for path, node in [(("entry",), unit["entry"]), *((("methods", key), node) for key, node in unit.get("methods", {}).items())]:
                    if node is not None:
                        yield node, (table, name, *path)
        for name, node in self.own.items():
            for key in ("next", "then", "else", "body"):
                if node.get(key) is not None:
                    yield node[key], ("nodes", name, key)
            for key in ("options", "cases"):
                for number, part in enumerate(node.get(key, ())):
                    if part["body"] is not None:
                        yield part["body"], ("nodes", name, key, number, "body")

    # -- units

    def numbers(self) -> Iterator[Mutant]:
        for name, number in self.graph["numbers"].items():
            users = frozenset(_speaking_of(self.graph, self.own, name))
            yield Mutant(("numbers", name, "value"), number["value"] + 1, name, f"{number['value']} becomes {number['value'] + 1}", users)

    def effects(self) -> Iterator[Mutant]:
        for table in ("effects", "costs"):
            for name, unit in self.graph[table].items():
                yield from self._requirements((table, name), unit, name)

    def values(self) -> Iterator[Mutant]:
        for name, unit in self.graph["values"].items():
            flag = (unit["gives"] or {}).get("how") == "flag"
            if unit["value"] is not None:
                yield from self._expression(("values", name, "value"), unit["value"], name, flag)
            for of, expression in unit["methods"].items():
                yield from self._expression(("values", name, "methods", of), expression, f"{of}.{name.rpartition('.')[2]}", flag)

    def actions(self) -> Iterator[Mutant]:
        for name, unit in self.graph["actions"].items():
            path: Path = ("actions", name)
            yield from self._requirements(path, unit, f"action {name}")
            yield from self._costs((*path, "costs"), unit["costs"], f"action {name}")
            yield from self._conditions((*path, "while"), unit["while"], f"action {name}")
            if unit["once_per"] is not None:
                reach = frozenset({("nodes", node) for node in (unit["entry"], *unit["choices"]) if node is not None})
                yield Mutant((*path, "once_per"), None, f"action {name}", f"'once per {unit['once_per']}' removed", reach)

    def hooks(self) -> Iterator[Mutant]:
        for name, unit in dict.items(self.graph["hooks"]):
            path: Path = ("hooks", name)
            word = f"{unit['timing']} {unit['event']}"
            reach = {path, *((*path, "while", number) for number in range(len(unit["while"])))}
            reach |= {(*path, part) for part in ("when", "value", "by")} | {(*path, "cost", "amount")}
            reach |= {("nodes", unit["entry"])} if unit["entry"] is not None else set()
            if not unit["installed"]:
                yield Mutant((*path, "event"), NEVER, word, f"hook removed: {word}", frozenset(reach))
            for limit in ("first", "once_per"):
                if unit[limit]:
                    yield Mutant((*path, limit), None, word, f"'{limit.replace('_', ' ')}' removed", frozenset(reach))
            yield from self._conditions((*path, "while"), unit["while"], word)
            for key, condition in (("when", True), ("value", False)):
                if unit[key] is not None:
                    yield from self._expression((*path, key), unit[key], word, condition)
            if unit["cost"] is not None:
                yield from self._expression((*path, "cost", "amount"), unit["cost"]["amount"], word, False)

    def _requirements(self, path: Path, unit: dict[str, Any], word: str) -> Iterator[Mutant]:
        for number, requirement in enumerate(unit["requires"]):
            at = (*path, "requires", number, "test")
            rest = [each for each in unit["requires"] if each is not requirement]
            yield Mutant((*path, "requires"), rest, word, f"requirement removed: {told(requirement['test'])}", frozenset({at}), at)
            yield from self._expression(at, requirement["test"], word, True)

    def _conditions(self, path: Path, conditions: list[Any], word: str) -> Iterator[Mutant]:
        for number, condition in enumerate(conditions):
            yield from self._expression((*path, number), condition, word, True)

    def _costs(self, path: Path, costs: list[Any], word: str, reach: Path | None = None) -> Iterator[Mutant]:
        for number, cost in enumerate(costs):
            at = (*path, number, "amount")
            rest = [each for each in costs if each is not cost]
            yield Mutant(path, rest, word, f"cost removed: {told(cost['amount'])} {cost['cost']}", frozenset({reach or at}))
            yield from self._expression(at, cost["amount"], word, False, reach)

    # -- nodes

    def nodes(self) -> Iterator[Mutant]:
        for name, node in self.own.items():
            path: Path = ("nodes", name)
            unit = name.rpartition(":")[0]
            if name in self.before and node["op"] not in KEPT and not (node["op"] == "return" and node["next"] is None and node["value"] is None):
                yield Mutant(self.before[name], node["next"], unit, f"removed: {told_node(node)}", frozenset({path}), path)
            if node["op"] == "move" and self._ordered(node):
                other = "top" if node["position"] == "bottom" else "bottom"
                yield Mutant((*path, "position"), other, unit, f"to the {other} instead: {told_node(node)}", frozenset({path}))
            if node["op"] == "log":
                continue
            for key, part in node.items():
                if key == "costs":
                    yield from self._costs((*path, key), part, unit, path)
                elif key == "options":
                    yield from self._options(path, part, unit)
                elif key == "cases":
                    for case in part:
                        rest = [each for each in part if each is not case]
                        words = ", ".join(told(value) for value in case["values"])
                        yield Mutant((*path, key), rest, unit, f"case removed: {words}", frozenset({path}))
                elif key not in SKIPPED:
                    yield from self._within((*path, key), part, unit, key, path)

    def _options(self, path: Path, options: list[Any], unit: str) -> Iterator[Mutant]:
        for number, option in enumerate(options):
            at = (*path, "options", number)
            if option["when"] is not None:
                yield Mutant((*at, "when"), None, unit, f"condition of an option removed: {told(option['when'])}", frozenset({path}))
                yield from self._expression((*at, "when"), option["when"], unit, True, path)
            yield from self._costs((*at, "costs"), option["costs"], unit, path)

    def _ordered(self, node: dict[str, Any]) -> bool:
        """Whether it matters where in a place something is put: what comes out first is taken from there, and it is not shuffled at once."""
        to, after = node["to"], self.own.get(node["next"] or "")
        name = to["place"] if to["op"] in ("place", "place_of") else ""
        shuffled = after is not None and after["op"] == "shuffle" and after["place"] == to
        return name in self.taken_from and self.graph["places"][name]["shape"] in ORDERED and not shuffled

    # -- expressions

    def _expression(self, path: Path, expression: Any, unit: str, condition: bool, reach: Path | None = None) -> Iterator[Mutant]:
        """The mutants of an expression; of a condition each part that is true or false for itself is negated."""
        reach = reach or path
        at, op = frozenset({reach}), expression["op"]
        if op in TEXTS:
            return
        if op == "not" and condition:
            yield Mutant(path, expression["part"], unit, f"'not' removed: {told(expression)}", at)
        elif condition and op not in CARRIED:
            yield Mutant(path, {"op": "not", "part": expression}, unit, f"negated: {told(expression)}", at)
        if op == "compare" and expression["how"] in SHIFTED:
            how = SHIFTED[expression["how"]]
            yield Mutant((*path, "how"), how, unit, f"'{expression['how']}' becomes '{how}': {told(expression)}", at)
        if op == "const" and type(expression["value"]) is int:
            value = expression["value"]
            yield Mutant((*path, "value"), value + 1, unit, f"{value} becomes {value + 1}", at)
        for key, part in expression.items():
            # To shift a comparison with a number is to change the number.
            if not (op == "compare" and expression["how"] in SHIFTED and isinstance(part, dict) and part["op"] == "const"):
                yield from self._within((*path, key), part, unit, key, reach, condition and key in CARRIED.get(op, ()))

    def _within(self, path: Path, value: Any, unit: str, key: str, reach: Path, inner: bool = False) -> Iterator[Mutant]:
        """The mutants of what stands under a key of a node or expression."""
        if key in SKIPPED or not isinstance(value, dict | list):
            return
        if isinstance(value, dict) and "op" in value:
            yield from self._expression(path, value, unit, key in CONDITIONS or inner, reach)
        elif isinstance(value, dict):
            for name, part in value.items():
                yield from self._within((*path, name), part, unit, name, reach)
        else:
            for number, part in enumerate(value):
                if isinstance(part, dict) and "descending" in part:
                    yield from self._order((*path, number), part, unit, reach)
                else:
                    yield from self._within((*path, number), part, unit, "test" if key == "filters" else "", reach, inner)

    def _order(self, path: Path, order: dict[str, Any], unit: str, reach: Path) -> Iterator[Mutant]:
        if not order["choice"]:
            yield Mutant((*path, "descending"), not order["descending"], unit, f"order reversed: by {told(order['key'])}", frozenset({reach}))
        yield from self._expression((*path, "key"), order["key"], unit, False, reach)


def _taken_from(value: Any) -> Iterator[str]:
    """The places of which the top or bottom is taken or looked at."""
    for part in mappings(value):
        if part.get("op") == "draw":
            yield from _places(part["from"])
        elif part.get("op") in ("pick", "pick_many") and part["how"] in ENDS:
            yield from _places(part["query"])


def _places(value: Any) -> Iterator[str]:
    """The places that an expression names."""
    return (part["place"] for part in mappings(value) if part.get("op") in ("place", "place_of"))


def _speaking_of(graph: dict[str, Any], nodes: dict[str, Any], number: str) -> Iterator[Path]:
    """The paths of nodes and expressions that use a named number."""
    for name, node in nodes.items():
        if _uses({key: part for key, part in node.items() if key not in SKIPPED}, number):
            yield "nodes", name
    for path, expression in expressions_of(graph):
        if _uses(expression, number):
            yield path


def _uses(value: Any, number: str) -> bool:
    return any(part.get("op") == "number" and part.get("name") == number for part in mappings(value))
