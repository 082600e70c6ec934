"""Fitting: whether a saved state can go on under rules, and the state as these rules have it.

A state points into the graph: frames stand at nodes, hooks wait or have been used up. When it is saved, a legend is made of every such point: the mark of what is ahead there, and the
mark of what lies behind. When it is read, each point is looked for in the graph there is. It is found where the same is still ahead, even if what was before has changed; or else where
the same lies behind, and then the corrected rest is carried out. What is found nowhere, and things that exist or do not exist any more, are refused with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.core.world import World
from rulewright.fingerprint import Marks, Table, canonical, changed, digest, hook_name
from rulewright.run.hooks import hook_of
from rulewright.run.state import Frame, copied

SHORT = 12
POINTS = ("node", "body", "entry")  # what in a frame, or in what it is going to run, points at a node
BODIES = ("next", "then", "else", "body")
ASKING = ("choose", "offer")  # frames of a question that is being asked: the node itself has been reached
STOPPED = ("again", "drawn")  # marks of frames that stopped inside of a node
WAITING = ("hook", "replaces", "reaction", "chosen")
EXISTING = ("kinds", "places", "components", "grids", "tracks")
TOLD = {"stage": "the action", "due": "the cost", "event": "the event"}
Points = dict[str, str]


class Misfit(Exception):
    """A state that cannot go on under these rules; says why."""


# -- writing


def legend(world: World, marks: Marks, state: Mapping[str, Any]) -> dict[str, Any]:
    """What the numbers and points of a state stand for."""
    points: Points = {}
    for frame in state["frames"]:
        for identity in _nodes(frame):
            key = f"in {identity}" if frame["f"] in ASKING else identity
            points[key] = f"{marks.ahead[identity][:SHORT]} {behind(world, identity, frame['f'] in ASKING)[:SHORT]}"
        points.update({key: mark[:SHORT] for key in _names(frame) for mark in [named(world, key)] if mark is not None})
    hooks = {hook: f"{marks.hooks[hook][:SHORT]} {_signature(world, hook)[:SHORT]}" for hook in _hooks(state) if hook in marks.hooks}
    return {"things": things(world), "fields": {kind: list(slots) for kind, slots in world.slots.items() if slots}, "points": points, "hooks": hooks}


def things(world: World) -> str:
    """A mark of everything that has a number in a state, in that order."""
    places = [[world.place_names[place], world.place_owner.get(place)] for place in range(world.count, world.place_count)]
    return digest([world.definitions, world.kinds, world.copies, places])


def behind(world: World, identity: str, reached: bool = False) -> str:
    """A mark of what a unit says before a node; if the node has been reached, of what is asked there too."""
    unit, _, number = identity.rpartition(":")
    last = int(number)
    nodes = world.graph["nodes"]
    before = [_own(nodes[name], unit, last) for name in (f"{unit}:{each}" for each in range(1, last)) if name in nodes]
    node = nodes[identity]
    here = [node["op"], *(node.get(key) for key in ("form", "as", "name", "secret")), node.get("each") is None] if reached else []
    return digest([_parameters(world, unit), before, here])


def _own(node: dict[str, Any], unit: str, last: int) -> Any:
    """A node without what comes later than a certain one of its unit; where it leads to is said by numbers."""

    def lead(to: str | None) -> Any:
        number = None if to is None else int(to.rpartition(":")[2])
        return number if number is None or number <= last else "later"

    made = {}
    for key, part in node.items():
        if key in BODIES:
            made[key] = lead(part)
        elif key in ("options", "cases") and type(part) is list:
            made[key] = [
                {**canonical({inner: value for inner, value in each.items() if inner != "body"}), "body": lead(each.get("body"))} for each in part
            ]
        elif not (node["op"] == "install" and key == "hooks") and not (node["op"] == "log" and key == "text"):
            made[key] = part
    return canonical(made)


def _parameters(world: World, unit: str) -> Any:
    """The names that a unit is given."""
    for prefix, table in (("hook ", "hooks"), ("action ", "actions"), ("cost ", "costs"), ("", "effects")):
        found = world.graph[table].get(unit[len(prefix) :]) if unit.startswith(prefix) else None
        if found is not None:
            return [found.get("parameters"), found.get("names"), found.get("of"), found.get("by") if table == "actions" else None]
    return None


def named(world: World, key: str) -> str | None:
    """The mark of something that a frame speaks of by name: how an action goes on, what a cost or an event is given. None if there is nothing of that name."""
    sort, _, name = key.partition(" ")
    graph = world.graph
    if sort == "stage":
        path, _, stage = name.rpartition(" ")
        action = graph["actions"].get(path)
        if action is None:
            return None
        made = [canonical({**graph["nodes"][choice], "next": None}) for choice in action["choices"][: int(stage)]]
        return digest([action["by"], action["of"], len(action["choices"]), made])
    if sort == "due":
        return digest(graph["costs"][name]["parameters"]) if name in graph["costs"] else None
    if name in graph["effects"]:
        return digest([graph["effects"][name]["parameters"], graph["effects"][name]["of"]])
    return digest([]) if name == "action" or name in graph["actions"] else None


def _signature(world: World, identity: str) -> str:
    """A mark of what a hook answers and of the names it is given."""
    hook = world.graph["hooks"][identity]
    installs = (node["keep"] for node in world.graph["nodes"].values() if hook["installed"] and node["op"] == "install" and identity in node["hooks"])
    return digest([hook["timing"], hook["event"], hook["of"], hook["names"], next(installs, None)])


# -- what a state speaks of


def _nodes(frame: Frame) -> Iterator[str]:
    for holder in (frame, frame.get("run", {})):
        yield from (holder[key] for key in POINTS if type(holder.get(key)) is str)


def _names(frame: Frame) -> Iterator[str]:
    match frame["f"]:
        case "action":
            yield f"stage {frame['action']} {frame['stage']}"
        case "event":
            yield f"event {frame['effect']}"
        case "costs":
            yield from (f"due {name}" for name, _ in frame["todo"])


def _keys(frame: Frame) -> Iterator[str]:
    """The hooks that a frame is about to run, is running or has been through, as keys."""
    yield from (frame[key] for key in WAITING if type(frame.get(key)) is str)
    for key in ("through", "queue", "gathered"):
        yield from (each if type(each) is str else each[0] for each in frame.get(key, ()))
    for holder in (frame, frame.get("run", {})):
        if str(holder.get("unit", "")).startswith("hook "):
            yield holder["unit"].removeprefix("hook ")


def _hooks(state: Mapping[str, Any]) -> set[str]:
    """The hooks that a state speaks of."""
    keys = [*state["once"], *(each["hook"] for each in state["installed"]), *(key for frame in state["frames"] for key in _keys(frame))]
    return {hook_of(key) for key in keys}


# -- reading


def fitted(world: World, marks: Marks, data: Mapping[str, Any]) -> dict[str, Any]:
    """The state of a save as these rules have it. What a save holds is only sure to have the shape of its schema."""
    told = data["legend"]
    if told["things"] != things(world):
        raise Misfit(_other_things(data["ruleset"]["declarations"], marks.declared))
    state: dict[str, Any] = copied(data["state"])
    state["values"] = _values(world, state["values"], told["fields"])
    return _Fitting(world, marks, told).state(state)


def _other_things(before: Table, after: Table) -> str:
    """How other things exist than did, as far as tables of declarations can tell."""
    known = [{sort: table[sort] for sort in EXISTING if sort in table} for table in (before, after)]
    found = changed(*known)
    listed = [each for each in found if each.endswith(")")] or found  # those that are new or gone
    return f"other things exist: {', '.join(listed[:12])}" if listed else "what exists is declared in another order"


def _values(world: World, values: list[Any], fields: Mapping[str, list[str]]) -> list[Any]:
    """The fields of all components; one that is new has the value it begins with."""
    made: list[Any] = copied(world.start_values)
    at = 0
    for component, kind in enumerate(world.kinds):
        for name in fields.get(kind, ()):
            if at >= len(values):
                raise Misfit("its tables have other sizes than those of the ruleset")
            if name in world.slots[kind]:
                made[world.base[component] + world.slots[kind][name]] = values[at]
            at += 1
    if at != len(values):
        raise Misfit("its tables have other sizes than those of the ruleset")
    return made


class _Fitting:
    """Finds the points of a state in a graph."""

    def __init__(self, world: World, marks: Marks, told: Mapping[str, Any]) -> None:
        self.world, self.marks = world, marks
        self.points: Points = told["points"]
        self.told: dict[str, str] = told["hooks"]
        self.hooks: dict[str, str | None] = {}
        self.found: dict[tuple[str, bool, bool], str] = {}
        self.alike: dict[tuple[str, str], list[str]] = {}
        for hook, mark in marks.hooks.items():
            self.alike.setdefault((hook.partition("/")[0], mark[:SHORT]), []).append(hook)

    def state(self, state: dict[str, Any]) -> dict[str, Any]:
        state["frames"] = [self.frame(frame) for frame in state["frames"]]
        for installed in state["installed"]:
            installed["hook"] = self.key(installed["hook"])
        state["once"] = [self.key(each) for each in state["once"] if self.is_there(each)]
        return state

    def frame(self, frame: Frame) -> Frame:
        """A frame that stands where it stood."""
        for key in _names(frame):
            mark = named(self.world, key)
            if key not in self.points or mark is None or mark[:SHORT] != self.points[key]:
                sort, _, name = key.partition(" ")
                name = name.rpartition(" ")[0] if sort == "stage" else name
                raise Misfit(
                    f"{TOLD[sort]} '{name}' is going on, and " + ("is no longer there" if mark is None else "takes other things or choices now")
                )
        for holder in (frame, frame.get("run", {})):
            for key in POINTS:
                if type(holder.get(key)) is str:
                    holder[key] = self.node(holder[key], frame)
            unit = holder.get("unit")
            if type(unit) is str and unit.startswith("hook "):
                holder["unit"] = f"hook {self.key(unit.removeprefix('hook '))}"
        for key in WAITING:
            if type(frame.get(key)) is str:
                frame[key] = self.key(frame[key])
        if "through" in frame:
            frame["through"] = [self.key(each) for each in frame["through"] if self.is_there(each)]
        for key in ("queue", "gathered"):
            if key in frame:
                frame[key] = [self.key(each) if type(each) is str else [self.key(each[0]), each[1]] for each in frame[key]]
        return frame

    # -- hooks

    def is_there(self, key: str) -> bool:
        hook = hook_of(key)
        return hook in self.world.graph["actions"] or self.hook(hook) is not None

    def hook(self, hook: str) -> str | None:
        """The hook that one of a save is now: the same, or one that answers the same under the same name; None if it is gone."""
        if hook not in self.hooks:
            whole, _, signature = self.told.get(hook, "").partition(" ")
            same = self.alike.get((hook.partition("/")[0], whole), [])
            answers = hook in self.world.graph["hooks"] and _signature(self.world, hook)[:SHORT] == signature
            self.hooks[hook] = hook if hook in same else same[0] if same else hook if answers else None
        return self.hooks[hook]

    def key(self, key: str) -> str:
        """A key of a hook, or of an action that may happen once, by the name it has now."""
        hook = hook_of(key)
        if hook in self.world.graph["actions"]:
            return key
        found = self.hook(hook)
        if found is None:
            raise Misfit(f"the rule '{hook}' is going on, or holds for a time, and has been changed or taken away")
        return f"{found}{key[len(hook) :]}"

    # -- nodes

    def node(self, identity: str, frame: Frame) -> str:
        """Where a frame stands now that stood at a node."""
        asked = identity, frame["f"] in ASKING, any(key in frame for key in STOPPED)
        if asked not in self.found:
            self.found[asked] = self.find(*asked)
        return self.found[asked]

    def find(self, identity: str, asking: bool, stopped: bool) -> str:
        """The node at which the same is ahead; else, unless a frame stopped inside of it, the one behind which the same lies."""
        ahead, _, back = self.points.get(f"in {identity}" if asking else identity, "").partition(" ")
        unit, _, number = identity.rpartition(":")
        if unit.startswith("hook "):
            unit = f"hook {self.key(unit.removeprefix('hook '))}"
        here, marks = f"{unit}:{number}", self.marks.ahead
        if here in marks and marks[here][:SHORT] == ahead:
            return here
        same = [each for each in _of_unit(self.world, unit) if marks[each][:SHORT] == ahead]
        if len(same) == 1:
            return same[0]
        if here in marks and not stopped and back and behind(self.world, here, asking)[:SHORT] == back:
            return here
        raise Misfit(f"the game stands in the middle of {_told(self.world, unit)}, which says other things there now")


def _of_unit(world: World, unit: str) -> Iterator[str]:
    """The nodes of a unit, which are numbered."""
    number = 1
    while f"{unit}:{number}" in world.graph["nodes"]:
        yield f"{unit}:{number}"
        number += 1


def _told(world: World, unit: str) -> str:
    """A unit in words."""
    for prefix, word in (("hook ", "the rule"), ("action ", "the action"), ("cost ", "the cost"), ("method ", "")):
        if unit.startswith(prefix):
            name = unit.removeprefix(prefix)
            hook = world.graph["hooks"].get(name) if word == "the rule" else None
            return f"{word} '{hook_name(name, hook) if hook is not None else name}'".strip()
    return f"'{unit}'"
