"""Facts about a graph that do not change while games of it are played: found once, used wherever code can be simpler for them."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from rulewright.compile.source.looking import Looking
from rulewright.compile.source.writing import ANY, ONE
from rulewright.core.graph import mappings, speaks_of

Graph = dict[str, Any]
SINGLE = ("flag", "number", "text", "words", "kind", "place", "deed")
SEVERAL = ("up_to", "exactly", "any_number")
SINGLE_OPERATIONS = (
    "component", "number", "place", "place_of", "decider", "compare", "and", "or", "not", "arithmetic", "is_kind", "is_deed", "is_in", "is_empty", "is_full",
    "exists", "count", "pick", "measure", "text", "path_distance",
)  # fmt: skip
DEED = ({"name": "actor", "type": {"how": "kind"}}, {"name": "deed", "type": {"how": "deed"}})
HARMLESS = (
    "const", "var", "component", "number", "option", "place", "place_of", "compare", "and", "or", "not", "is_kind", "is_in", "is_empty", "is_full", "exists", "count",
    "query", "all", "members", "of_kind",
)  # fmt: skip
EVERYONE = {"op": "const", "value": "everyone"}
PRINTED = ("row", "column", "seat", "copy")


class ValueFacts(NamedTuple):
    """About a value of the rules: what it gives, and whether it is always and everywhere its one expression."""

    shape: str
    fixed: bool
    recursive: bool
    hooked: bool


class Facts:
    """What is known about a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._fields: dict[str, list[dict[str, Any]]] = {}
        for kind in graph["kinds"].values():
            for name, field in kind["fields"].items():
                self._fields.setdefault(name, []).append(field["type"])
        if graph["tracks"]:
            self._fields.setdefault("space", []).append({"how": "number"})
        self.effects = {path: number for number, path in enumerate(graph["effects"])}
        self.bounds = bounds_in(graph)
        self.hooks_on: dict[str, list[str]] = {}  # by event
        for identity, hook in graph["hooks"].items():
            self.hooks_on.setdefault(hook["event"], []).append(identity)
        self.hooked = set(self.hooks_on)
        self.batches = any(node["op"] == "batch" for node in graph["nodes"].values())
        self.hooks = {identity: number for number, identity in enumerate(self._standing())}
        self.numbers = {path: number for number, path in enumerate(graph["values"])}
        self.looking = Looking(graph)
        self.asked = Counter(each["value"] for each in mappings(graph) if each.get("op") == "value")  # how often the rules ask for a value
        several = [identity for identity, node in graph["nodes"].items() if asks_alone(node) and node["form"] in SEVERAL]
        several = [identity for identity in several if graph["nodes"][identity]["as"] == "kind" and graph["nodes"][identity]["name"] is not None]
        self.several = {identity: number for number, identity in enumerate(several)}
        self.values = self._values()
        self.names = self._names()
        self.open = self._open()
        self.longest_label = self._longest_label()

    def told(self, event: str) -> Any:
        """The parameters of an event; None if they are not known here."""
        if event == "action":
            return DEED
        if event in self.graph["actions"]:
            return DEED[:1]
        found = self.graph["effects"].get(event) or self.graph["values"].get(event)
        return None if found is None else found["parameters"]

    def _standing(self) -> list[str]:
        """The hooks that always stand, in the order in which they have their say."""
        layers = {package["id"]: number for number, package in enumerate(self.graph["ruleset"]["packages"])}
        hooks = sorted(self.graph["hooks"].items(), key=lambda pair: layers.get(pair[1]["package"], 0))
        return [identity for identity, hook in hooks if not hook["installed"] and self.told(hook["event"]) is not None]

    # -- things

    def _open(self) -> bool:
        """Whether everyone can tell everything wherever it lies."""
        seen = all(place["seen_by"] is None or place["seen_by"] == EVERYONE for place in self.graph["places"].values())
        return seen and all(kind.get("hidden_while") is None for kind in self.graph["kinds"].values())

    def _longest_label(self) -> int:
        """So many letters at most has what people call a component or place."""
        graph = self.graph
        names = [name for table in ("components", "tracks", "grids", "places") for name in graph[table]]
        labels = [each["label"] or "" for table in ("components", "tracks", "places") for each in graph[table].values()]
        return 2 * max(map(len, [*names, *labels]), default=0) + 30  # "the owner's something", with numbers

    def holds_nothing(self, noun: str | None) -> bool:
        """Whether nothing could ever lie in what a noun stands for."""
        kinds = self.graph["kinds"]
        kind = self.kind_of(noun)
        own = {name for name in kinds if kind in self._kinds_above(name)}
        around = {above for name in own for above in self._kinds_above(name)}
        around |= {name for name, component in self.graph["components"].items() if component["kind"] in own}
        return (
            kind is not None
            and not any(kinds[name].get("is_place") for name in own)
            and not any(place["of"] in around for place in self.graph["places"].values())
        )

    def _kinds_above(self, name: str | None) -> list[str]:
        """A kind, and those it is one of."""
        found = []
        while name is not None:
            found.append(name)
            name = self.graph["kinds"][name]["parent"]
        return found

    # -- fields

    def declares(self, name: str) -> bool:
        """Whether any kind has a field of that name."""
        return name in self._fields

    def printed(self, name: str) -> bool:
        """Whether a field is printed on components for good."""
        return name in PRINTED

    def printed_only(self, name: str) -> bool:
        """Whether a name stands for what is printed on components, and for nothing else."""
        return self.printed(name) and not self.declares(name)

    def kind_declares(self, kind: str, name: str) -> bool:
        """Whether every component of a kind has a field."""
        found = self.graph["kinds"].get(kind)
        return found is not None and name in found["fields"]

    def kind_of(self, noun: str | None) -> str | None:
        """The kind of which everything is that a noun stands for; None if that is not one that the rules declare."""
        kind = self.graph["components"][noun]["kind"] if noun in self.graph["components"] else noun
        return kind if kind in self.graph["kinds"] else None

    def is_a(self, kind: str | None, noun: str | None) -> bool:
        """Whether everything of a kind is what a noun stands for."""
        while kind is not None and kind != noun:
            kind = self.graph["kinds"][kind]["parent"] if kind in self.graph["kinds"] else None
        return kind is not None

    def only_declared(self, name: str) -> bool:
        """Whether a name is that of fields only: of nothing built in, no place and no value."""
        members = [*self.graph["values"], *self.graph["places"]]
        return name not in (*PRINTED, "place", "owner", "ends", "label", "colour", "holder") and not any(
            path.endswith(f".{name}") for path in members
        )

    def field_shape(self, name: str) -> str:
        """What reading a field gives."""
        return ONE if all(of["how"] in SINGLE for of in self._fields[name]) else ANY

    def shadowed(self, part: Any) -> bool:
        """Whether an expression reads a field that some kind declares for itself."""
        if isinstance(part, dict):
            return (part.get("op") == "field" and self.declares(part["name"])) or any(self.shadowed(each) for each in part.values())
        return isinstance(part, list) and any(self.shadowed(each) for each in part)

    # -- local names

    def _names(self) -> dict[str, str]:
        """Names that always stand for one thing at most, wherever in the rules they are bound."""
        graph, sites = self.graph, {"self": {ONE}, "actor": {ONE}, "deed": {ONE}, "owner": {ONE}, "result": {ANY}, "it": {ANY}}
        for table in ("effects", "costs", "values"):
            for path, unit in graph[table].items():
                for parameter in self.told(path) if table == "effects" else unit["parameters"]:
                    sites.setdefault(parameter["name"], set()).add(ONE if parameter["type"]["how"] in SINGLE else ANY)
        for hook in graph["hooks"].values():
            parameters: Any = DEED[:1] if hook["timing"] == "cost" else self.told(hook["event"]) or ()
            kinds = [ONE if parameter["type"]["how"] in SINGLE else ANY for parameter in parameters]
            for number, name in enumerate(hook["names"]):
                sites.setdefault(name, set()).add(kinds[number] if number < len(kinds) else ANY)
        for node in graph["nodes"].values():
            name = node.get("name")
            if node["op"] in ("each", "roll"):
                sites.setdefault(name, set()).add(ONE)
            elif isinstance(name, str):
                single = (node["op"] == "choose" and node["form"] not in SEVERAL and node["each"] is None) or (
                    node["op"] == "draw" and not node["many"]
                )
                single = single or (node["op"] == "bind" and self.single(node["value"]))
                sites.setdefault(name, set()).add(ONE if single else ANY)
            for other in ("outcome",):
                if isinstance(node.get(other), str):
                    sites.setdefault(node[other], set()).add(ONE)
            if isinstance(node.get("each"), dict):
                sites.setdefault(node["each"]["name"], set()).add(ONE)
        return {name: ONE for name, found in sites.items() if found == {ONE}}

    def single(self, expression: Any) -> bool:
        """Whether an expression certainly gives one thing, or nothing."""
        match expression["op"]:
            case "const":
                return not isinstance(expression["value"], list | dict)
            case "value":
                return self.values[expression["value"]].shape == ONE
            case "field":
                return self.declares(expression["name"]) and self.only_declared(expression["name"]) and self.field_shape(expression["name"]) == ONE
            case "if":
                return self.single(expression["yes"]) and self.single(expression["no"])
        return expression["op"] in SINGLE_OPERATIONS

    # -- values

    def harmless(self, part: Any) -> bool:
        """Whether an expression can be asked at any time, more often than the rules ask it: it cannot fail, and nobody is asked anything."""
        for each in mappings(part):
            op = each.get("op", "const")
            if op == "value":
                if not self.values[each["value"]].fixed or not self.harmless(self.graph["values"][each["value"]]["value"]):
                    return False
            elif op == "field":
                if not (self.declares(each["name"]) and self.only_declared(each["name"])) and each["name"] not in (*PRINTED, "place", "owner"):
                    return False
            elif op not in HARMLESS:
                return False
        return True

    def _values(self) -> dict[str, ValueFacts]:
        calls = {
            path: {part["value"] for part in mappings([value["value"], value["methods"]]) if part.get("op") == "value"}
            for path, value in self.graph["values"].items()
        }
        found = {}
        for path, value in self.graph["values"].items():
            recursive, hooked = _reaches(calls, path), path in self.hooked
            shape = ONE if value["gives"] is not None and value["gives"]["how"] in SINGLE else ANY
            fixed = not recursive and not hooked and not value["methods"] and value["value"] is not None
            found[path] = ValueFacts(shape, fixed, recursive, hooked)
        return found


def asks_alone(node: dict[str, Any]) -> bool:
    """Whether a choice asks one person, whom a local name says."""
    return node["op"] == "choose" and node["each"] is None and node["who"] is not None and node["who"]["op"] in ("var", "decider")


def _reaches(calls: dict[str, set[str]], start: str) -> bool:
    """Whether a value can lead to itself."""
    todo, seen = list(calls[start]), set()
    while todo:
        path = todo.pop()
        if path == start:
            return True
        if path not in seen:
            seen.add(path)
            todo += calls.get(path, ())
    return False


def size(part: Any) -> int:
    """How many operations an expression has."""
    return sum("op" in each for each in mappings(part))


def still(part: Any, names: list[str]) -> bool:
    """Whether an expression depends on nothing but numbers printed on things, and on local names."""
    match part["op"]:
        case "const" | "number" | "component":
            return True
        case "field":
            return part["name"] in PRINTED and part["of"]["op"] == "var"
        case "compare":
            return still(part["left"], names) and still(part["right"], names)
        case "and" | "or":
            return all(still(each, names) for each in part["parts"])
        case "not":
            return still(part["part"], names)
        case "is_kind":
            return part["of"]["op"] == "var" and part["of"]["name"] in names
        case "var":
            return part["name"] in names
    return False


__all__ = ["Facts", "ValueFacts", "size", "speaks_of", "still"]


def bounds_in(graph: dict[str, Any]) -> frozenset[str]:
    """The events that something holds until, or may happen once per."""
    once = (unit["once_per"] for table in ("hooks", "actions") for unit in graph[table].values())
    return frozenset([*once, *(node["until"] for node in graph["nodes"].values() if node["op"] == "install")])
