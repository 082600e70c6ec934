"""Expressions and nodes in readable English, for boxes whose source text is not at hand.

Takes the trees of the graph JSON ("op" and what belongs to it), gives a short text. A tree of an unknown shape is no
mistake here: it is shown as its operation and its parts, so that a picture never fails for want of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.types import TABLE

Tree = Mapping[str, Any]
_DEEPEST = 30
_ENDS = {"win": "wins", "lose": "loses", "eliminate": "is out of the game"}
_JUMPS = {"leave": "leave the loop", "skip": "go on with the next"}


class _Printer:
    """Prints one tree; knows how deep it is."""

    def __init__(self) -> None:
        self.depth = 0

    def __call__(self, tree: object) -> str:
        """The words for a tree, a list of trees or a plain value."""
        if isinstance(tree, list | tuple):
            return ", ".join(self(part) for part in tree)
        if not isinstance(tree, Mapping):
            return _plain(tree)
        if self.depth >= _DEEPEST:
            return "…"
        self.depth += 1
        try:
            return self._operation(tree)
        finally:
            self.depth -= 1

    def _operation(self, tree: Tree) -> str:
        op = str(tree.get("op", "?"))
        try:
            return _OPERATIONS[op](self, tree)
        except (KeyError, TypeError, ValueError, AttributeError):
            return self._unknown(op, tree)

    def _unknown(self, op: str, tree: Tree) -> str:
        parts = [self(value) for key, value in tree.items() if key not in ("op", "span", "type") and value is not None]
        name = op.replace("_", " ")
        return f"{name}({', '.join(part for part in parts if part)})" if parts else name


def in_words(tree: object) -> str:
    """An expression in words."""
    return _Printer()(tree)


def _plain(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


Operation = Callable[[_Printer, Tree], str]


def _name(key: str) -> Operation:
    return lambda say, tree: say(tree[key])


def _joined(word: str) -> Operation:
    return lambda say, tree: f" {word} ".join(_nested(say, part) for part in tree["parts"])


def _ending(words: str) -> Operation:
    return lambda say, tree: f"{_nested(say, tree['of'])} {words}"


def _near(words: str, limit: str = "", through: str = "through") -> Operation:
    """Things of a kind by where they are."""

    joint = "blocked by" if through == "blocked" else through

    def told(say: _Printer, tree: Tree) -> str:
        text = f"{say(tree['kind'])} {words} {say(tree['of'])}"
        if limit and tree.get("limit") is not None:
            text += f" {limit} {say(tree['limit'])}"
        return text + (f" {joint} {say(tree[through])}" if tree.get(through) is not None else "")

    return told


def _nested(say: _Printer, tree: object) -> str:
    compound = isinstance(tree, Mapping) and tree.get("op") in ("and", "or", "if", "arithmetic")
    return f"({say(tree)})" if compound else say(tree)


def _field(say: _Printer, of: object, name: str) -> str:
    """A field of something; the state of the table goes by its own name."""
    return name if isinstance(of, Mapping) and of.get("name") == TABLE else f"{_nested(say, of)}.{name}"


def _infix(say: _Printer, tree: Tree) -> str:
    return f"{_nested(say, tree['left'])} {tree['how']} {_nested(say, tree['right'])}"


def _text(say: _Printer, tree: Tree) -> str:
    return "“" + "".join(part if isinstance(part, str) else f"{{{say(part)}}}" for part in tree["parts"]) + "”"


def _call_value(say: _Printer, tree: Tree) -> str:
    arguments = tree.get("arguments") or []
    return say(tree["value"]) + (f"({say(arguments)})" if arguments else "")


def _query(say: _Printer, tree: Tree) -> str:
    filters = " and ".join(_nested(say, test) for test in tree["filters"])
    text = say(tree["source"]) + (f" where {filters}" if filters else "")
    return text + (f" ordered by {_orders(say, tree['orders'])}" if tree.get("orders") else "")


def _orders(say: _Printer, orders: list[Tree]) -> str:
    def key(order: Tree) -> str:
        if order["choice"]:
            return f"choice of {say(order['key'])}"
        return say(order["key"]) + (" descending" if order["descending"] else "")

    return ", ".join(key(order) for order in orders)


def _not(say: _Printer, tree: Tree) -> str:
    part = tree["part"]
    if isinstance(part, Mapping) and part.get("op") == "exists":
        return f"no {say(part['query'])}"
    return f"not {_nested(say, part)}"


def _conditional(say: _Printer, tree: Tree) -> str:
    return f"{_nested(say, tree['yes'])} if {say(tree['test'])} else {_nested(say, tree['no'])}"


def _measure(say: _Printer, tree: Tree) -> str:
    if "parts" in tree:
        return f"{tree['how']} of {say(tree['parts'])}"
    return f"{tree['how']} {say(tree['value'])} over {say(tree['query'])}"


def _distance(say: _Printer, tree: Tree) -> str:
    through = f" through {say(tree['through'])}" if tree.get("through") is not None else ""
    return f"distance from {say(tree['start'])} to {say(tree['goal'])}{through}"


def _of_kind(say: _Printer, tree: Tree) -> str:
    return f"{say(tree['kind'])} in {say(tree['source'])}" if tree["kind"] else say(tree["source"])


# What the checker makes of expressions; see rulewright/check. A shape not listed is printed part by part.
_OPERATIONS: dict[str, Operation] = {
    "const": _name("value"),
    "list": _name("parts"),
    "text": _text,
    "var": _name("name"),
    "component": _name("name"),
    "place": _name("place"),
    "place_of": lambda say, tree: f"{_nested(say, tree['of'])}.{str(tree['place']).rpartition('.')[2]}",
    "field": lambda say, tree: _field(say, tree["of"], tree["name"]),
    "number": _name("name"),
    "option": _name("name"),
    "all": _name("of"),
    "members": lambda say, tree: f"all in {say(tree['of'])}",
    "of_kind": _of_kind,
    "links": _near("of"),
    "belonging": _near("of"),
    "next": _near("next to"),
    "within": lambda say, tree: f"{say(tree['kind'])} within {say(tree['limit'])} of {say(tree['of'])}",
    "reachable": _near("reachable from", "within"),
    "visible": _near("visible from", through="blocked"),
    "path_distance": _distance,
    "lines": lambda say, tree: f"lines of {say(tree['length'])} in {say(tree['grid'])}",
    "numbers": lambda say, tree: f"{say(tree['low'])} to {say(tree['high'])}",
    "joined": _joined("and"),
    "without": lambda say, tree: f"{say(tree['source'])} without {say(tree['out'])}",
    "query": _query,
    "shown": lambda say, tree: say(tree["of"]),
    "gather": lambda say, tree: f"{say(tree['value'])} of {say(tree['query'])}",
    "exists": lambda say, tree: f"any {say(tree['query'])}",
    "count": lambda say, tree: f"count of {say(tree['query'])}",
    "pick": lambda say, tree: f"{tree['how']} {say(tree['query'])}",
    "pick_many": lambda say, tree: f"{tree['how']} {say(tree['amount'])} of {say(tree['query'])}",
    "measure": _measure,
    "compare": _infix,
    "and": _joined("and"),
    "or": _joined("or"),
    "not": _not,
    "arithmetic": _infix,
    "if": _conditional,
    "value": _call_value,
    "is_kind": lambda say, tree: f"{_nested(say, tree['of'])} is a {tree['kind']}",
    "is_deed": lambda say, tree: f"{_nested(say, tree['of'])} is {tree['name']}",
    "is_in": lambda say, tree: f"{_nested(say, tree['item'])} is in {say(tree['set'])}",
    "is_empty": _ending("is empty"),
    "is_full": _ending("is full"),
    "entry": lambda say, tree: f"{_nested(say, tree['of'])} for {say(tree['key'])}",
    "let": lambda say, tree: f"{say(tree['in'])}, with {tree['name']} = {say(tree['value'])}",
    "needed": lambda say, tree: say(tree["of"]),
    "after": lambda say, tree: f"{_nested(say, tree['value'])} after {_call(say, {**tree, 'name': None})}",
    "decider": lambda say, tree: f"who decides for {say(tree['of'])}",
}


def node_in_words(node: Tree) -> str:
    """A node in words."""
    say = _Printer()
    try:
        return _NODES[str(node["op"])](say, node)
    except (KeyError, TypeError, AttributeError):
        return str(node.get("op", "?"))


def costs_in_words(costs: list[Tree]) -> str:
    """A list of costs in words."""
    return ", ".join(_cost(_Printer(), cost) for cost in costs)


def _cost(say: _Printer, cost: Tree) -> str:
    arguments = f"({say(cost['arguments'])})" if cost["arguments"] else ""
    return f"{say(cost['amount'])} {cost['cost']}{arguments}"


def _call(say: _Printer, node: Tree) -> str:
    of = f"{say(node['of'])}." if node["of"] else ""
    name = f"{node['name']} = " if node["name"] else ""
    return f"{name}{of}{node['effect']}({say(node['arguments'])})"


def _draw(say: _Printer, node: Tree) -> str:
    text = f"draw {say(node['amount'])} {node['kind'] or ''}".rstrip() + f" from {say(node['from'])}"
    text += "".join(f" where {say(test)}" for test in node["filters"])
    text += f" to {say(node['to'])}" if node["to"] else ""
    return text + (f" as {node['name']}" if node["name"] else "")


def _choose(say: _Printer, node: Tree) -> str:
    who = f"each {node['each']['name']}" if node["each"] else say(node["who"]) if node["who"] else "the actor"
    verb = "may choose" if node["optional"] else "chooses"
    what = f"{node['name']}: " if node["name"] else ""
    forms: dict[str, Callable[[], str]] = {
        "number": lambda: f"a number from {say(node['low'])} to {say(node['high'])}",
        "yes_no": lambda: "yes or no",
        "option": lambda: "one",
        "up_to": lambda: f"up to {say(node['amount'])} of {say(node['from'])}",
        "exactly": lambda: f"{say(node['amount'])} of {say(node['from'])}",
        "any_number": lambda: f"any number of {say(node['from'])}",
    }
    chosen = forms.get(node["form"], lambda: f"one of {say(node['from'])}")()
    declining = f" or {say(node['decline'])}" if node.get("decline") else ""
    asking = f": {say(node['prompt'])}" if node["prompt"] else ""
    return f"{who} {'secretly ' if node['secret'] else ''}{verb} {what}{chosen}{declining}{asking}"


def _each(say: _Printer, node: Tree) -> str:
    text = f"each {node['name']} secretly, of {say(node['query'])}" if node.get("secretly") else f"for each {node['name']} in {say(node['query'])}"
    return text + (f" ordered by {_orders(say, node['orders'])}" if node["orders"] else "")


def _repeat(say: _Printer, node: Tree) -> str:
    if node["times"]:
        return f"repeat {say(node['times'])} times"
    return f"repeat until {say(node['until'])}" if node["until"] else "repeat"


def _proceed(say: _Printer, node: Tree) -> str:
    changes = ", ".join(f"{name} = {say(value)}" for name, value in node["arguments"].items())
    return f"proceed with {changes}" if changes else "proceed"


def _told(say: _Printer, node: Tree, verb: str, what: str) -> str:
    return f"{verb} {say(node[what])}" + (f" to {say(node['to'])}" if node["to"] else "")


_NODES: dict[str, Operation] = {
    "bind": lambda say, node: f"let {node['name']} = {say(node['value'])}",
    "set": lambda say, node: f"set {_field(say, node['of'], node['field'])} to {say(node['value'])}",
    "move": lambda say, node: f"move {say(node['what'])} to {say(node['to'])}",
    "draw": _draw,
    "shuffle": lambda say, node: f"shuffle {say(node['place'])}",
    "roll": lambda say, node: f"let {node['name']} = roll {node['die']}",
    "choose": _choose,
    "branch": lambda say, node: f"if {say(node['test'])}",
    "match": lambda say, node: f"match {say(node['value'])}",
    "each": _each,
    "repeat": _repeat,
    "batch": lambda say, node: "at once",
    "call": _call,
    "return": lambda say, node: f"give {say(node['value'])}" if node["value"] else "stop",
    "jump": lambda say, node: _JUMPS[node["how"]],
    "log": lambda say, node: _told(say, node, "log", "text"),
    "show": lambda say, node: _told(say, node, "show", "what"),
    "outcome": lambda say, node: f"{say(node['player'])} {_ENDS[node['how']]}",
    "end": lambda say, node: "end game",
    "install": lambda say, node: f"until {node['until']}: {', '.join(node['hooks'])}",
    "cancel": lambda say, node: "cancel",
    "proceed": _proceed,
    "offer": lambda say, node: f"offer actions {', '.join(node['groups'])} to {say(node['who'])}".replace("  ", " "),
    "pay": lambda say, node: f"{say(node['who'])} pays {costs_in_words(node['costs'])}",
}
