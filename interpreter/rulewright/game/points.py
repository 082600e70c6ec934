"""Points: where frames stand, said so that it can be found again in another program, and under rules that have been changed since.

A frame stands at an instruction that was made for a node of the effect graph. It is found where the same is still ahead, even if what was before has changed; or
else where the same lies behind, and then the corrected rest is carried out. Where no node says what an instruction is for, as in the stages of an event, the same
instructions have to be ahead. What is found nowhere is refused with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from rulewright.core import program as c
from rulewright.core.flow import LEADING, targets
from rulewright.core.world import World
from rulewright.errors import Misfit
from rulewright.fingerprint import Marks, canonical, digest, hook_name
from rulewright.step.link import Linked

SHORT = 12
BODIES = ("next", "then", "else", "body")
CALLING = (c.Call, c.CallHook, c.RunDeferred, c.Proceed)
Hooks = dict[str, str | None]


class Point(NamedTuple):
    """Where a frame stands: see `saved.SavedFrame`."""

    unit: str
    node: str | None
    step: int
    called: bool
    calls: str | None
    ahead: str
    behind: str


class Points:
    """Knows where everything is in one program."""

    def __init__(self, linked: Linked, marks: Marks) -> None:
        self.linked, self.marks = linked, marks
        self._units = linked.addresses

    def addresses(self, unit: str, node: str) -> list[int]:
        """The addresses of the instructions of a unit that were made for a node."""
        code = self.linked.code
        return [at for at in self._units[unit] if getattr(code[at], "origin", None) == node]

    # -- writing

    def point(self, at: int, top: bool) -> Point:
        """Where an address is; a frame that is not on top stands behind the call that is going on."""
        code, unit = self.linked.code, self.linked.unit_at[at]
        calls = [] if top else [each for each in self._units[unit] if isinstance(code[each], CALLING) and self._after(each) == at]
        here = calls[0] if calls else at
        node: str | None = getattr(code[here], "origin", None)
        if node is None or node not in self.linked.world.graph["nodes"]:
            inside = code[here]
            calls_ = inside.unit if calls and isinstance(inside, c.Call) else None
            return Point(unit, None, self._units[unit].index(at), False, calls_, self._ahead(at)[:SHORT], "")
        step = self.addresses(unit, node).index(here)
        return Point(unit, node, step, bool(calls), None, self.marks.ahead[node][:SHORT], behind(self.linked.world, node)[:SHORT])

    def _after(self, at: int) -> int:
        """The address behind a call."""
        node = self.linked.code[at]
        assert isinstance(node, CALLING)
        return self.linked.starts[node.then]

    # -- reading

    def find(self, point: Point, hooks: FoundHooks) -> tuple[int, bool]:
        """The address of a point, and whether the same is ahead there; if not, the same lies behind."""
        unit = hooks.unit(point.unit)
        if unit not in self._units:
            raise Misfit(f"{told(self.linked.world, unit)} is going on, and is no longer there")
        if point.node is None:
            return self._alike(point, unit, hooks)
        node, same = self._node(point, hooks)
        found = self.addresses(unit, node)
        if point.step >= len(found) or (point.called and not isinstance(self.linked.code[found[point.step]], CALLING)):
            raise Misfit(f"the game stands in the middle of {told(self.linked.world, unit)}, which says other things there now")
        return self._after(found[point.step]) if point.called else found[point.step], same

    def _node(self, point: Point, hooks: FoundHooks) -> tuple[str, bool]:
        """The node at which the same is ahead; else the one behind which the same lies."""
        assert point.node is not None
        prefix, _, number = point.node.rpartition(":")
        unit = hooks.unit(prefix)
        here, marks, nodes = f"{unit}:{number}", self.marks.ahead, self.linked.world.graph["nodes"]
        if here in nodes and marks[here][:SHORT] == point.ahead:
            return here, True
        same = [each for each in _of_unit(self.linked.world, unit) if marks[each][:SHORT] == point.ahead]
        if len(same) == 1:
            return same[0], True
        if here in nodes and point.behind and behind(self.linked.world, here)[:SHORT] == point.behind:
            return here, False
        raise Misfit(f"the game stands in the middle of {told(self.linked.world, unit)}, which says other things there now")

    def _alike(self, point: Point, unit: str, hooks: FoundHooks) -> tuple[int, bool]:
        """The address of a unit from which the same instructions are ahead; else the one behind the call of what is going on, if there is one such call."""
        own, code = self._units[unit], self.linked.code
        if point.step < len(own) and self._ahead(own[point.step])[:SHORT] == point.ahead:
            return own[point.step], True
        same = [at for at in own if self._ahead(at)[:SHORT] == point.ahead]
        if len(same) == 1:
            return same[0], True
        inside = None if point.calls is None else hooks.unit(point.calls)
        calling = [at for at in own if isinstance(node := code[at], c.Call) and node.unit == inside]
        if len(calling) == 1:
            return self._after(calling[0]), False
        raise Misfit(f"{told(self.linked.world, unit)} is going on, and takes other things or choices now")

    # -- what is ahead

    def _ahead(self, at: int) -> str:
        """A mark of the instructions that may come from an address on: slots and blocks count in the order in which they are met."""
        linked = self.linked
        blocks: dict[int, int] = {}
        slots: dict[int, int] = {}
        todo, made = [at], []
        blocks[at] = 0
        while todo:
            here = todo.pop(0)
            while True:
                node = linked.code[here]
                found = [linked.starts[label] for label in targets(node)]
                for target in found:
                    if target not in blocks:
                        blocks[target] = len(blocks)
                        todo.append(target)
                made.append([_plain(node, slots, linked.program.questions), [blocks[target] for target in found]])
                if type(node) in LEADING:
                    break
                here += 1
        return digest(made)


SLOTS = ("slot", "list", "cursor", "picked")


def _plain(node: Any, slots: dict[int, int], questions: list[c.Question]) -> Any:
    """An instruction or expression as data that is the same wherever it stands."""
    if isinstance(node, msgspec.Struct):
        made: list[Any] = [type(node).__name__]
        leading = LEADING.get(type(node), ())
        for name in node.__struct_fields__:
            part = getattr(node, name)
            if name in ("origin", "node", "prompt", "labels", "names") or (name in leading and name != "cases"):
                continue
            if name == "question" and part is not None:
                made.append(_plain(questions[part], slots, questions))
            elif name == "cases":
                made.append(sorted(map(str, part)) if leading else _plain(part, slots, questions))
            elif type(part) is int and (name in SLOTS or isinstance(node, c.Result) or (isinstance(node, c.Fold) and name == "result")):
                made.append(slots.setdefault(part, len(slots)))
            else:
                made.append(_plain(part, slots, questions))
        return made
    if isinstance(node, tuple | list):
        return [_plain(each, slots, questions) for each in node]
    if isinstance(node, dict):
        return [[key, _plain(part, slots, questions)] for key, part in node.items()]
    return node


# -- marks of the graph


def things(world: World) -> str:
    """A mark of everything that has a number in a state, in that order."""
    places = [[world.place_names[place], world.place_owner.get(place)] for place in range(world.count, world.place_count)]
    return digest([world.definitions, world.kinds, world.copies, places])


def behind(world: World, identity: str) -> str:
    """A mark of what a unit says before a node, and of what sort of node that is: it has been reached."""
    unit, _, number = identity.rpartition(":")
    last = int(number)
    nodes = world.graph["nodes"]
    before = [_own(nodes[name], last) for name in (f"{unit}:{each}" for each in range(1, last)) if name in nodes]
    node = nodes[identity]
    here = [node["op"], *(node.get(key) for key in ("form", "as", "name", "secret")), node.get("each") is None]
    return digest([_parameters(world, unit), before, here])


def _own(node: dict[str, Any], last: int) -> Any:
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


def _of_unit(world: World, unit: str) -> Iterator[str]:
    """The nodes of a unit, which are numbered."""
    number = 1
    while f"{unit}:{number}" in world.graph["nodes"]:
        yield f"{unit}:{number}"
        number += 1


def told(world: World, unit: str) -> str:
    """A unit in words."""
    for prefix, word in (("hook ", "the rule"), ("action ", "the action"), ("deed ", "the action"), ("cost ", "the cost"), ("event ", "the event")):
        if unit.startswith(prefix):
            name = unit.removeprefix(prefix)
            hook = world.graph["hooks"].get(name) if word == "the rule" else None
            return f"{word} '{hook_name(name, hook) if hook is not None else name}'"
    return f"'{unit}'"


# -- hooks


def hook_marks(world: World, marks: Marks, hook: str) -> str:
    """Marks of all of a hook, and of what it answers."""
    return f"{marks.hooks[hook][:SHORT]} {_signature(world, hook)[:SHORT]}"


def _signature(world: World, identity: str) -> str:
    """A mark of what a hook answers and of the names it is given."""
    hook = world.graph["hooks"][identity]
    installs = (node["keep"] for node in world.graph["nodes"].values() if hook["installed"] and node["op"] == "install" and identity in node["hooks"])
    return digest([hook["timing"], hook["event"], hook["of"], hook["names"], next(installs, None)])


class FoundHooks:
    """The hooks of a save, under the names that they have now."""

    def __init__(self, world: World, marks: Marks, told: dict[str, str]) -> None:
        self.world, self.told = world, told
        self._found: Hooks = {}
        self._alike: dict[tuple[str, str], list[str]] = {}
        for hook, mark in marks.hooks.items():
            self._alike.setdefault((hook.partition("/")[0], mark[:SHORT]), []).append(hook)

    def get(self, hook: str) -> str | None:
        """The hook that one of a save is now: the same, or one that answers the same under the same name; None if it is gone."""
        if hook not in self._found:
            whole, _, signature = self.told.get(hook, "").partition(" ")
            same = self._alike.get((hook.partition("/")[0], whole), [])
            answers = hook in self.world.graph["hooks"] and _signature(self.world, hook)[:SHORT] == signature
            self._found[hook] = hook if hook in same else same[0] if same else hook if answers else None
        return self._found[hook]

    def name(self, hook: str) -> str:
        """The name that a hook has now."""
        found = self.get(hook)
        if found is None:
            raise Misfit(f"the rule '{hook}' is going on, or holds for a time, and has been changed or taken away")
        return found

    def unit(self, unit: str) -> str:
        """The name that a unit has now."""
        return f"hook {self.name(unit.removeprefix('hook '))}" if unit.startswith("hook ") else unit
