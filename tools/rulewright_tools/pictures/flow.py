"""The nodes of one body as a flow: where each leads, and under which condition.

Takes node ids of the graph, gives boxes and arrows. A body that ends goes on with what comes after the node that has it,
the body of a loop with the loop. Walks with a list of what is to be visited, so depth and cycles do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rulewright_tools.pictures.labels import Labels, as_span
from rulewright_tools.pictures.model import Arrow, Box, Graph, Style, clean, shortened
from rulewright_tools.pictures.names import key_of
from rulewright_tools.pictures.words import in_words

Node = Mapping[str, Any]
_SORTS = {
    "draw": "chance", "shuffle": "chance", "roll": "chance",
    "choose": "choice", "offer": "choice", "pay": "needs",
    "branch": "branch", "match": "branch",
    "each": "loop", "repeat": "loop", "batch": "loop",
    "call": "call", "proceed": "call", "install": "hook",
    "return": "stop", "jump": "stop", "end": "stop", "cancel": "stop",
}  # fmt: skip
_LOOPS = ("each", "repeat")
_LONGEST_LABEL = 44
START, DONE = "start", "done"


class Around(NamedTuple):
    """What surrounds a node: where its body leads when it ends, the loop it is in, and where that one leads."""

    after: str
    loop: str | None = None
    beyond: str | None = None


class Flow:
    """Collects the boxes and arrows of one drawing."""

    def __init__(self, graph: Graph, labels: Labels) -> None:
        self.graph = graph
        self.labels = labels
        self.boxes: dict[str, Box] = {}
        self.arrows: dict[tuple[str, str, str], Arrow] = {}

    def add(self, box: Box) -> str:
        """Adds a box and gives its id."""
        self.boxes[box.id] = box
        return box.id

    def join(self, source: str, target: str, label: str = "", style: Style = "flow") -> None:
        """Adds an arrow, once."""
        shown = shortened(clean(label), _LONGEST_LABEL)
        self.arrows.setdefault((source, target, label), Arrow(source, target, shown, style))

    def body(self, entry: str, around: Around) -> None:
        """Adds a body and everything in it."""
        waiting = [(entry, around)]
        while waiting:
            id, around = waiting.pop()
            if id in self.boxes:
                continue
            node = self.graph["nodes"][id]
            self.add(self._box(id, node))
            onward = node["next"] or around.after
            inner = self._inner(id, node, around, onward)
            found = list(self._ways(node, around, onward))
            for target, label in found:
                back = target == around.loop or (node["op"] in _LOOPS and target == id)
                self.join(id, target, label, "back" if back else "flow")
            # The way straight on is visited last of all, so that bodies stand before what follows them.
            waiting += [(node["next"], around)] if node["next"] else []
            waiting += [(target, inner) for target, _ in reversed(found) if target in self._bodies(node)]

    def _box(self, id: str, node: Node) -> Box:
        link = None
        if node["op"] == "call" and node["effect"] in self.graph["effects"]:
            link = key_of("effects", node["effect"])
        elif node["op"] == "install" and node["hooks"]:
            link = key_of("hooks", node["hooks"][0])
        sort = _SORTS.get(node["op"], "act")
        return Box(id, sort, self.labels.node(node), as_span(node["span"]), link)

    def _inner(self, id: str, node: Node, around: Around, onward: str) -> Around:
        if node["op"] in _LOOPS:
            return Around(id, id, onward)
        return Around(onward, around.loop, around.beyond)

    def _bodies(self, node: Node) -> list[str]:
        parts = [node.get("then"), node.get("else"), node.get("body")]
        parts += [case["body"] for case in node.get("cases", ())]
        parts += [option["body"] for option in node.get("options", ())]
        return [part for part in parts if part]

    def _ways(self, node: Node, around: Around, onward: str) -> Iterator[tuple[str, str]]:
        """Where a node leads, with the word on the arrow."""
        op = node["op"]
        if op in ("end", "cancel"):
            return
        if op == "return":
            yield DONE, ""
        elif op == "jump":
            yield (around.beyond if node["how"] == "leave" else around.loop) or around.after, ""
        elif op == "branch":
            yield from _merged([(node["then"] or onward, "yes"), (node["else"] or onward, "no")])
        elif op == "match":
            cases = [(case["body"] or onward, in_words(case["values"])) for case in node["cases"]]
            yield from _merged([*cases, (node["else"] or onward, "else")])
        elif op in _LOOPS and node["body"]:
            yield node["body"], "each time"
            # What repeats without end is left only by a jump.
            if op == "each" or node["times"] or node["until"]:
                yield onward, "then"
        elif op == "batch" and node["body"]:
            yield node["body"], ""
        elif node.get("options"):
            ways = [(option["body"] or onward, _option(option)) for option in node["options"]]
            extra = "an action" if op == "offer" else in_words([node["decline"]]) if node.get("decline") else "nothing" if node["optional"] else ""
            yield from _merged([*ways, (onward, extra)] if extra else ways)
        else:
            yield onward, ""


def _merged(ways: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Ways that lead to the same place become one."""
    by_target: dict[str, list[str]] = {}
    for target, label in ways:
        by_target.setdefault(target, []).append(label)
    if len(by_target) == 1:
        return [(target, "") for target in by_target]
    return [(target, ", ".join(labels)) for target, labels in by_target.items()]


def _option(option: Node) -> str:
    label = in_words(option["label"])
    return f"{label} (if {in_words(option['when'])})" if option["when"] else label
